/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What a thread has had so far, for hetprobe: page faults, and where the kernel
   allows it cache misses and instructions.  Two system calls a probe and
   thread, four where counters are read.  And what a fault costs.  */

#include "gomp-amp-glue.h"
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <linux/perf_event.h>

/* What a page fault costs where nothing is known of the machine: to map a page
   of memory that all clusters share takes about that long.  */
#define GOMP_AMP_FAULT_NANOSECONDS 1000.0

/* A thread's counters.  The program may close descriptors that are not its own
   and get their numbers for others: ID, which the kernel gave the group, tells
   whether FD is still the group.  */

struct gomp_amp_counters
{
  int fd, second;
  uint64_t id;
};

/* Of the calling thread; a group that could not be opened is one of -1.  */
static pthread_key_t gomp_amp_counters_key;
static bool gomp_amp_counters_has_key;
static struct gomp_amp_counters gomp_amp_no_counters = { -1, -1, 0 };

/* Threads that have counters: each keeps two descriptors open, of which a
   program may not have many, and as few threads tell as much.  */
#define GOMP_AMP_COUNTING 32
static unsigned gomp_amp_counting;

static int
gomp_amp_open_counter (uint64_t what, int group)
{
  struct perf_event_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = what;
  attr.read_format = PERF_FORMAT_GROUP;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  return syscall (SYS_perf_event_open, &attr, 0, -1, group,
		  PERF_FLAG_FD_CLOEXEC);
}

/* Is FD a counter with ID?  */

static bool
gomp_amp_counter_p (int fd, uint64_t id)
{
  uint64_t now;

  return ioctl (fd, PERF_EVENT_IOC_ID, &now) == 0 && now == id;
}

/* Close the COUNTERS of a thread that ends.  */

static void
gomp_amp_close_counters (void *data)
{
  struct gomp_amp_counters *c = data;

  if (c == &gomp_amp_no_counters)
    return;
  /* Who has closed one has closed both.  */
  if (gomp_amp_counter_p (c->fd, c->id))
    {
      close (c->second);
      close (c->fd);
    }
  free (c);
  __atomic_fetch_sub (&gomp_amp_counting, 1, __ATOMIC_RELAXED);
}

/* Where the kernel does not allow it, or has no such counters, there is no
   group, and nobody is told.  */

static bool
gomp_amp_open_group (struct gomp_amp_counters *c)
{
  c->fd = gomp_amp_open_counter (PERF_COUNT_HW_INSTRUCTIONS, -1);
  if (c->fd < 0)
    return false;
  c->second = gomp_amp_open_counter (PERF_COUNT_HW_CACHE_MISSES, c->fd);
  if (c->second >= 0 && ioctl (c->fd, PERF_EVENT_IOC_ID, &c->id) == 0)
    return true;
  if (c->second >= 0)
    close (c->second);
  close (c->fd);
  return false;
}

static struct gomp_amp_counters *
gomp_amp_open_counters (void)
{
  struct gomp_amp_counters *c = &gomp_amp_no_counters;

  if (gomp_amp_counters_has_key
      && (__atomic_fetch_add (&gomp_amp_counting, 1, __ATOMIC_RELAXED)
	  < GOMP_AMP_COUNTING))
    {
      c = malloc (sizeof *c);
      if (c == NULL || !gomp_amp_open_group (c))
	{
	  free (c);
	  c = &gomp_amp_no_counters;
	}
    }
  if (c == &gomp_amp_no_counters)
    __atomic_fetch_sub (&gomp_amp_counting, gomp_amp_counters_has_key,
			__ATOMIC_RELAXED);
  pthread_setspecific (gomp_amp_counters_key, c);
  return c;
}

/* A child's threads count for themselves; what its parent's counters have it
   can read, but not what they stand for.  */

GOMP_AMP_PART void
gomp_amp_counters_after_fork (void)
{
  struct gomp_amp_counters *c;

  gomp_amp_counting = 0;
  if (!gomp_amp_counters_has_key)
    return;
  c = pthread_getspecific (gomp_amp_counters_key);
  if (c == NULL)
    return;
  pthread_setspecific (gomp_amp_counters_key, NULL);
  gomp_amp_close_counters (c);
  gomp_amp_counting = 0;
}

GOMP_AMP_PART void
gomp_amp_end_counters (void)
{
  if (gomp_amp_counters_has_key)
    pthread_key_delete (gomp_amp_counters_key);
  gomp_amp_counters_has_key = false;
}

AMP_PORT void
amp_count (struct amp_counts *counts)
{
  struct { uint64_t n, value[2]; } group;
  struct gomp_amp_counters *c;
  struct rusage usage;
  struct gomp_amp_held held = gomp_amp_hold ();

  memset (counts, 0, sizeof *counts);
  if (getrusage (RUSAGE_THREAD, &usage) == 0)
    counts->faults = usage.ru_minflt + usage.ru_majflt;
  c = (gomp_amp_counters_has_key
       ? pthread_getspecific (gomp_amp_counters_key) : &gomp_amp_no_counters);
  if (c == NULL)
    c = gomp_amp_open_counters ();
  if (c->fd >= 0 && gomp_amp_counter_p (c->fd, c->id)
      && read (c->fd, &group, sizeof group) == sizeof group && group.n == 2)
    {
      counts->instructions = group.value[0];
      counts->misses = group.value[1];
    }
  gomp_amp_hold_end (held);
}

/* What the file NAME, if any, says that a page fault costs; else COST.  */

static double
gomp_amp_calibrated (const char *name, double cost)
{
  FILE *f = name != NULL ? fopen (name, "re") : NULL;
  char line[200];
  double value;

  if (f == NULL)
    return cost;
  while (fgets (line, sizeof line, f) != NULL)
    if (sscanf (line, "fault_ns=%lf", &value) == 1
	&& value > 0.0 && value < 1e12)
      cost = value;
  fclose (f);
  return cost;
}

/* The user's file of costs, or NULL.  */
static char *gomp_amp_costs_file;

GOMP_AMP_PART void
gomp_amp_init_costs (void)
{
  char *name = gomp_malloc (PATH_MAX);

  if (amp_costs_file (name, PATH_MAX, secure_getenv))
    gomp_amp_costs_file = gomp_amp_copy (name);
  free (name);
  gomp_amp_counters_has_key
    = pthread_key_create (&gomp_amp_counters_key, gomp_amp_close_counters) == 0;
}

/* The user's file comes before the machine's.  */

GOMP_AMP_PART double
gomp_amp_fault_cost (void)
{
  static double cost;
  static bool found;
  locale_t locale;
  struct gomp_amp_held held;

  if (__atomic_load_n (&found, __ATOMIC_ACQUIRE))
    return cost;
  held = gomp_amp_hold ();
  locale = gomp_amp_enter_c_locale ();
  /* Threads that come here together find the same.  */
  cost = gomp_amp_calibrated (gomp_amp_costs_file,
			      gomp_amp_calibrated (AMP_COSTS_SYSTEM,
						   GOMP_AMP_FAULT_NANOSECONDS));
  gomp_amp_leave_c_locale (locale);
  gomp_amp_hold_end (held);
  /* Its partner is the acquire above.  */
  __atomic_store_n (&found, true, __ATOMIC_RELEASE);
  return cost;
}

/* The glue's clock, which the core reads.  */

/* Written by the constructor only, like the next one.  */
static bool gomp_amp_have_counter;

GOMP_AMP_PART uint64_t gomp_amp_min_ticks = GOMP_AMP_MIN_NANOSECONDS;

AMP_PORT_INLINE uint64_t
amp_ticks (void)
{
  struct timespec ts;

  if (AMP_HAVE_USER_COUNTER && __builtin_expect (gomp_amp_have_counter, 1))
    return amp_user_counter ();
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

GOMP_AMP_PART uint64_t
gomp_amp_monotonic (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

GOMP_AMP_PART double
gomp_amp_tick_length (void)
{
  uint64_t ticks = amp_ticks () - gomp_amp_begun_ticks;
  uint64_t ns = gomp_amp_monotonic () - gomp_amp_begun_ns;

  return ticks != 0 ? (double) ns / (double) ticks : 1.0;
}

GOMP_AMP_PART void
gomp_amp_init_clock (void)
{
#if defined __x86_64__
  unsigned a, b, c, d;

  /* Invariant TSC: runs at one rate in all P-, C- and T-states.  */
  __asm__ ("cpuid" : "=a" (a), "=b" (b), "=c" (c), "=d" (d)
	   : "0" (0x80000000), "2" (0));
  if (a >= 0x80000007)
    {
      __asm__ ("cpuid" : "=a" (a), "=b" (b), "=c" (c), "=d" (d)
	       : "0" (0x80000007), "2" (0));
      gomp_amp_have_counter = (d & 0x100) != 0;
    }
  if (gomp_amp_have_counter)
    /* Nominal frequencies are 2 to 4 GHz: 4 to 8 us.  */
    gomp_amp_min_ticks = 16384;
#elif defined __aarch64__
  uint64_t frequency;

  __asm__ ("mrs %0, cntfrq_el0" : "=r" (frequency));
  /* A sample of a few microseconds is to be timed to a few percent.  */
  gomp_amp_have_counter = frequency >= 10000000;
  if (gomp_amp_have_counter)
    gomp_amp_min_ticks = frequency / 200000;
#endif
}

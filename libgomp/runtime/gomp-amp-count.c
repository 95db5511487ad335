/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What a thread has had so far, for hetprobe: page faults, and where the kernel
   allows it cache misses and instructions.  Two system calls a probe and
   thread, three where counters are read.  And what a fault costs.  */

#include "gomp-amp-glue.h"
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <linux/perf_event.h>

/* What a page fault costs where nothing is known of the machine: to map a page
   of memory that all clusters share takes about that long.  And the limit of
   section 3.4 of the libHetMP paper.  */
#define GOMP_AMP_FAULT_NANOSECONDS 1000.0
#define GOMP_AMP_MISS_LIMIT 3.0

/* The calling thread's group of counters; -1: there are none.  Closed when the
   process ends: a thread that ends leaves a descriptor.  */
static GOMP_AMP_THREAD int gomp_amp_counters;
static GOMP_AMP_THREAD bool gomp_amp_counters_tried;

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

/* Where the kernel does not allow it, or has no such counters, there is no
   group, and nobody is told.  */

static void
gomp_amp_open_counters (void)
{
  int second;

  gomp_amp_counters_tried = true;
  gomp_amp_counters = -1;
  if (__atomic_fetch_add (&gomp_amp_counting, 1, __ATOMIC_RELAXED)
      >= GOMP_AMP_COUNTING)
    return;
  gomp_amp_counters = gomp_amp_open_counter (PERF_COUNT_HW_INSTRUCTIONS, -1);
  if (gomp_amp_counters < 0)
    return;
  second = gomp_amp_open_counter (PERF_COUNT_HW_CACHE_MISSES,
				  gomp_amp_counters);
  if (second < 0)
    {
      close (gomp_amp_counters);
      gomp_amp_counters = -1;
    }
}

static void
amp_count (struct amp_counts *counts)
{
  struct { uint64_t n, value[2]; } group;
  struct rusage usage;
  int saved = errno;

  memset (counts, 0, sizeof *counts);
  if (getrusage (RUSAGE_THREAD, &usage) == 0)
    counts->faults = usage.ru_minflt + usage.ru_majflt;
  if (!gomp_amp_counters_tried)
    gomp_amp_open_counters ();
  if (gomp_amp_counters >= 0
      && read (gomp_amp_counters, &group, sizeof group) == sizeof group
      && group.n == 2)
    {
      counts->instructions = group.value[0];
      counts->misses = group.value[1];
    }
  errno = saved;
}

/* The number after KEY in the file NAME, or DEF.  */

static double
gomp_amp_calibrated (const char *name, const char *key, double def)
{
  char line[200];
  size_t len = strlen (key);
  FILE *f = fopen (name, "re");

  if (f == NULL)
    return def;
  while (fgets (line, sizeof line, f) != NULL)
    if (strncmp (line, key, len) == 0 && line[len] == '=')
      {
	char *end;
	double value = strtod (line + len + 1, &end);

	if (end != line + len + 1 && value > 0.0 && value < 1e12)
	  def = value;
      }
  fclose (f);
  return def;
}

/* What `amp-info --calibrate' has found, the user's before the machine's.  */

static const struct gomp_amp_costs *
gomp_amp_find_costs (void)
{
  static struct gomp_amp_costs costs;
  static bool found;
  char name[PATH_MAX];

  /* Threads that come here together find the same.  */
  if (__atomic_load_n (&found, __ATOMIC_ACQUIRE))
    return &costs;
  costs.fault_ns = gomp_amp_calibrated (AMP_COSTS_SYSTEM, "fault_ns",
					GOMP_AMP_FAULT_NANOSECONDS);
  if (amp_costs_file (name, sizeof name, secure_getenv))
    costs.fault_ns = gomp_amp_calibrated (name, "fault_ns", costs.fault_ns);
  /* Its partner is the acquire above.  */
  __atomic_store_n (&found, true, __ATOMIC_RELEASE);
  return &costs;
}

/* amp-emulate: make chosen CPUs slower for the duration of a command.

   SPDX-License-Identifier: GPL-3.0-or-later

   Each slowed CPU gets a thief: a SCHED_FIFO thread pinned to it that, once a
   period, spins for PERIOD * (1 - 1/RATIO) less the measured cost of taking
   the CPU away and giving it back.  What is left to ordinary threads is
   1/RATIO of the CPU.

   Build: gcc -O2 -Wall -pthread -o amp-emulate amp-emulate.c

   Invariants:
   - The main thread never changes its own affinity, and is never a real-time
     thread: the command inherits both from it.
   - Thieves are threads of this process, so they cannot outlive it, whatever
     kills it; and they rest when the main thread's heartbeat stops.
   - Every file is opened close-on-exec.
   - No setting of the system is changed.  */

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef AMP_VERSION
# define AMP_VERSION "0.1"
#endif

#define NS_PER_US INT64_C (1000)
#define NS_PER_MS INT64_C (1000000)
#define NS_PER_S INT64_C (1000000000)

enum
{
  MAX_CPUS = 8192,
  MAX_PHASES = 64,
  CALIBRATE_WINDOWS = 9,
  CALIBRATE_ROUNDS = 4,
  VERIFY_WINDOWS = 15,
  VERIFY_ATTEMPTS = 3,
  AFTER_WINDOWS = 9,
  /* The lowest real-time priority: above every ordinary thread, below every
     real-time thread that the system itself may need.  */
  THIEF_PRIORITY = 1,
  STACK_SIZE = 128 * 1024
};

#define MIN_PERIOD (100 * NS_PER_US)
#define MAX_PERIOD (10 * NS_PER_MS)
#define DEFAULT_PERIOD NS_PER_MS
#define DEFAULT_RATIO 3.0
#define MAX_RATIO 100.0
#define FIRST_OVERHEAD (20 * NS_PER_US)
/* What counts as reached, and what is worth another calibration.  */
#define TOLERANCE 0.05
#define GOAL 0.02
/* Thieves rest when the main thread has been silent for longer.  */
#define HEARTBEAT_LIMIT (10 * NS_PER_S)

enum
{
  EXIT_UNABLE = 2,
  EXIT_STRICT = 3,
  EXIT_NOT_EXECUTABLE = 126,
  EXIT_NOT_FOUND = 127
};

struct cpumask
{
  cpu_set_t sets[MAX_CPUS / CPU_SETSIZE];
};

enum thief_mode
{
  THIEF_REST,
  THIEF_STEAL,
  THIEF_QUIT
};

/* MODE and SPIN are written by others through thief_set; the counters by the
   thief alone.  All are independent values: relaxed order is enough, the
   semaphore orders the wake-up.  */
struct thief
{
  int cpu;
  pthread_t thread;
  int error;
  sem_t ready;
  sem_t wake;
  atomic_int mode;
  _Atomic int64_t spin;
  _Atomic uint64_t periods;
  _Atomic uint64_t missed;
  _Atomic int64_t max_late;
};

struct measure
{
  int windows;
  double q1, median, q3;
};

/* One slowed CPU in one phase.  OVERHEAD is what a period costs the CPU's
   other threads beyond SPIN.  */
struct setting
{
  struct thief *thief;
  int cpu;
  double asked;
  int64_t overhead;
  int64_t spin;
  struct measure before;
  struct measure after;
};

/* From AT nanoseconds after the command's start on, SETTINGS hold.  REFERENCE
   is the CPU at full speed that they are compared with, -1 if there is
   none.  */
struct phase
{
  int64_t at;
  int nsettings;
  struct setting *settings;
  int reference;
};

struct worker
{
  pthread_t thread;
  int cpu;
  /* The CPU's thief or NULL; TOGGLE: switch it on for odd windows only.  */
  struct thief *thief;
  bool toggle;
  int windows;
  /* One result a window, 0 where there is none.  */
  double *speeds;
};

static struct options
{
  int64_t period;
  int64_t overhead;
  int reference;
  bool jitter;
  uint64_t seed;
  bool no_verify;
  bool verify_only;
  bool strict;
  bool keep_types;
  bool quiet;
  const char *json;
} opt = { DEFAULT_PERIOD, -1, -1, false, 1, false, false, false, false, false,
	  NULL };

static struct cpumask allowed;
static struct phase phases[MAX_PHASES];
static int nphases = 1;
static struct thief *thieves;
static int nthieves;
static _Atomic int64_t heartbeat;

/* What the workers of one measurement share; written before the barrier that
   lets them start.  */
static struct
{
  pthread_barrier_t barrier;
  int64_t start;
  int64_t window;
  int64_t stride;
} session;


/* Messages.  */

static void __attribute__ ((format (printf, 1, 2)))
warn (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  fputs ("amp-emulate: ", stderr);
  vfprintf (stderr, format, ap);
  fputc ('\n', stderr);
  va_end (ap);
}

#define fail(...) (warn (__VA_ARGS__), exit (EXIT_UNABLE))

static void *
xcalloc (size_t n, size_t size)
{
  void *p = calloc (n ? n : 1, size);
  if (p == NULL)
    fail ("out of memory");
  return p;
}


/* Time.  */

static inline int64_t
now (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static struct timespec
to_timespec (int64_t ns)
{
  struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };
  return ts;
}

static void
sleep_until (int64_t when)
{
  struct timespec ts = to_timespec (when);
  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
    continue;
}

/* Keep the wait loop from taking more of a core shared with another hardware
   thread than it must.  */
static inline void
relax (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile ("isb" ::: "memory");
#else
  __asm__ volatile ("" ::: "memory");
#endif
}

static const char *
period_text (void)
{
  static char text[32];
  if (opt.period % NS_PER_MS == 0)
    snprintf (text, sizeof text, "%lld ms",
	      (long long) (opt.period / NS_PER_MS));
  else
    snprintf (text, sizeof text, "%g us", (double) opt.period / NS_PER_US);
  return text;
}


/* CPU sets.  */

static bool
mask_has (const struct cpumask *mask, int cpu)
{
  return CPU_ISSET_S (cpu, sizeof *mask, mask->sets);
}

static void
mask_add (struct cpumask *mask, int cpu)
{
  CPU_SET_S (cpu, sizeof *mask, mask->sets);
}

/* MASK as a list like 0-2,5; the caller frees it.  */
static char *
mask_text (const struct cpumask *mask)
{
  char *text;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  if (f == NULL)
    fail ("out of memory");
  const char *comma = "";
  for (int cpu = 0; cpu < MAX_CPUS; cpu++)
    {
      if (!mask_has (mask, cpu))
	continue;
      int last = cpu;
      while (last + 1 < MAX_CPUS && mask_has (mask, last + 1))
	last++;
      fprintf (f, "%s%d", comma, cpu);
      if (last > cpu)
	fprintf (f, "-%d", last);
      comma = ",";
      cpu = last;
    }
  fclose (f);
  return text;
}

static bool
parse_cpu (const char **p, int *cpu)
{
  if (!isdigit ((unsigned char) **p))
    return false;
  long n = 0;
  while (isdigit ((unsigned char) **p))
    {
      n = n * 10 + (*(*p)++ - '0');
      if (n >= MAX_CPUS)
	return false;
    }
  *cpu = n;
  return true;
}

/* Parse a list like 0,2-5 that ends at END or at '='.  Return the end, or
   NULL.  */
static const char *
parse_cpus (const char *p, struct cpumask *mask)
{
  memset (mask, 0, sizeof *mask);
  for (;;)
    {
      int first, last;
      if (!parse_cpu (&p, &first))
	return NULL;
      last = first;
      if (*p == '-')
	{
	  p++;
	  if (!parse_cpu (&p, &last) || last < first)
	    return NULL;
	}
      for (int cpu = first; cpu <= last; cpu++)
	mask_add (mask, cpu);
      if (*p != ',')
	return p;
      p++;
    }
}

/* Parse a plain decimal number; *P is left behind it.  */
static bool
parse_number (const char **p, double *value)
{
  const char *start = *p;
  size_t digits = strspn (start, "0123456789");
  const char *end = start + digits;
  if (*end == '.')
    {
      size_t fraction = strspn (end + 1, "0123456789");
      digits += fraction;
      end += 1 + fraction;
    }
  if (digits == 0 || end - start > 30)
    return false;
  *value = strtod (start, NULL);
  *p = end;
  return true;
}


/* Small files.  */

/* Read the first line of PATH into LINE; false if there is none.  */
static bool
read_line (const char *path, char *line, size_t size)
{
  FILE *f = fopen (path, "re");
  if (f == NULL)
    return false;
  bool ok = fgets (line, size, f) != NULL;
  fclose (f);
  if (ok)
    line[strcspn (line, "\n")] = '\0';
  return ok;
}

static bool
read_long (const char *path, long long *value)
{
  char line[64], *end;
  if (!read_line (path, line, sizeof line))
    return false;
  *value = strtoll (line, &end, 10);
  return end != line;
}

/* Copy the value of the line "KEY...: VALUE" of PATH to VALUE.  */
static bool
read_field (const char *path, const char *key, char *value, size_t size)
{
  FILE *f = fopen (path, "re");
  if (f == NULL)
    return false;
  bool found = false;
  char line[512];
  while (!found && fgets (line, sizeof line, f) != NULL)
    {
      char *colon = strchr (line, ':');
      if (colon == NULL || strncmp (line, key, strlen (key)) != 0)
	continue;
      colon++;
      colon += strspn (colon, " \t");
      colon[strcspn (colon, "\n")] = '\0';
      snprintf (value, size, "%s", colon);
      found = true;
    }
  fclose (f);
  return found;
}


/* What the system allows.  */

/* The path of FILE in this process's cgroup v1 folder of the cpu
   controller; false if there is none.  */
static bool
cgroup_file (const char *file, char *path, size_t size)
{
  FILE *f = fopen ("/proc/self/cgroup", "re");
  if (f == NULL)
    return false;
  bool found = false;
  char line[PATH_MAX];
  while (!found && fgets (line, sizeof line, f) != NULL)
    {
      line[strcspn (line, "\n")] = '\0';
      char *names = strchr (line, ':');
      char *group = names != NULL ? strchr (++names, ':') : NULL;
      if (group == NULL)
	continue;
      *group++ = '\0';
      char padded[256];
      snprintf (padded, sizeof padded, ",%s,", names);
      if (strstr (padded, ",cpu,") == NULL)
	continue;
      const char *folders[] = { names, "cpu" };
      for (int i = 0; i < 2 && !found; i++)
	{
	  int n = snprintf (path, size, "/sys/fs/cgroup/%s%s/%s", folders[i],
			    strcmp (group, "/") == 0 ? "" : group, file);
	  found = n > 0 && (size_t) n < size && access (path, R_OK) == 0;
	}
    }
  fclose (f);
  return found;
}

/* Say what is missing for SCHED_FIFO, which ERROR refused on CPU.  */
static void
explain_refusal (int cpu, int error)
{
  warn ("CPU %d: SCHED_FIFO is not permitted: %s", cpu, strerror (error));

  char value[64];
  bool capable = false;
  if (read_field ("/proc/self/status", "CapEff", value, sizeof value))
    capable = strtoull (value, NULL, 16) >> 23 & 1;
  fprintf (stderr, "  CAP_SYS_NICE: %s\n", capable ? "present" : "missing");

  struct rlimit limit;
  if (getrlimit (RLIMIT_RTPRIO, &limit) == 0)
    {
      if (limit.rlim_cur == RLIM_INFINITY)
	fputs ("  RLIMIT_RTPRIO (ulimit -r): unlimited\n", stderr);
      else
	fprintf (stderr, "  RLIMIT_RTPRIO (ulimit -r): %llu%s\n",
		 (unsigned long long) limit.rlim_cur,
		 limit.rlim_cur < THIEF_PRIORITY ? ", 1 is enough" : "");
    }

  char path[PATH_MAX + 64];
  long long runtime;
  if (cgroup_file ("cpu.rt_runtime_us", path, sizeof path)
      && read_long (path, &runtime))
    fprintf (stderr, "  %s: %lld%s\n", path, runtime,
	     runtime == 0 ? ", must be above 0" : "");

  if (!capable)
    fputs ("  One of these helps: run it as root; setcap cap_sys_nice+ep"
	   " amp-emulate;\n"
	   "  ulimit -r 1 (the hard limit is the rtprio line of"
	   " /etc/security/limits.conf);\n"
	   "  in a container: docker or podman run --cap-add SYS_NICE"
	   " (or --ulimit rtprio=1).\n", stderr);
  else
    fputs ("  The capability is there, so the cgroup or a seccomp filter"
	   " refuses: under cgroup v1\n"
	   "  write a share to cpu.rt_runtime_us of this group and of its"
	   " parents, or start from the\n"
	   "  root group; in a container also check the seccomp profile for"
	   " sched_setscheduler.\n", stderr);
}

/* The share of a CPU that real-time threads may have, 1 if unlimited; *SOURCE
   is the file that says so.  */
static double
realtime_share (const char **source)
{
  static char path[PATH_MAX + 64];
  long long runtime, period;
  double share = 1.0;

  *source = "";
  if (read_long ("/proc/sys/kernel/sched_rt_runtime_us", &runtime)
      && read_long ("/proc/sys/kernel/sched_rt_period_us", &period)
      && runtime >= 0 && period > 0)
    {
      share = (double) runtime / period;
      *source = "/proc/sys/kernel/sched_rt_runtime_us";
    }
  if (cgroup_file ("cpu.rt_period_us", path, sizeof path)
      && read_long (path, &period) && period > 0
      && cgroup_file ("cpu.rt_runtime_us", path, sizeof path)
      && read_long (path, &runtime) && runtime > 0
      && (double) runtime / period < share)
    {
      share = (double) runtime / period;
      *source = path;
    }
  return share;
}

static void
check_reachable (void)
{
  const char *source;
  double share = realtime_share (&source);
  for (int i = 0; i < nphases; i++)
    for (int j = 0; j < phases[i].nsettings; j++)
      {
	const struct setting *s = &phases[i].settings[j];
	if (share < 1.0 && 1.0 - 1.0 / s->asked >= share)
	  fail ("CPU %d: ratio %g is not reachable: %s leaves real-time"
		" threads %.4g %% of a CPU, so the ratio must be below %.4g"
		" (this program does not change that setting)",
		s->cpu, s->asked, source, share * 100.0,
		1.0 / (1.0 - share));
      }

  struct rlimit limit;
  if (getrlimit (RLIMIT_RTTIME, &limit) == 0
      && limit.rlim_cur != RLIM_INFINITY
      && (int64_t) limit.rlim_cur * NS_PER_US < opt.period)
    fail ("RLIMIT_RTTIME is %llu us, less than a period of %s: the kernel"
	  " would kill the thief; raise it (prlimit --rttime) or shorten"
	  " --period",
	  (unsigned long long) limit.rlim_cur, period_text ());
}


/* Thieves.  */

static uint64_t
next_random (uint64_t *state)
{
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Pin the calling thread to CPU; 0 or an errno.  */
static int
pin (int cpu)
{
  struct cpumask mask;
  memset (&mask, 0, sizeof mask);
  mask_add (&mask, cpu);
  return sched_setaffinity (0, sizeof mask, mask.sets) == 0 ? 0 : errno;
}

/* A period takes SPIN from the moment the thief really runs: a late wake-up
   moves the theft but does not change its size.  The wake-ups are on an
   absolute grid; those that went by unused (the machine stood still) are
   skipped, never made up for.  */
static void *
thief_main (void *arg)
{
  struct thief *t = arg;
  char name[16];
  snprintf (name, sizeof name, "amp-thief/%d", t->cpu);
  pthread_setname_np (pthread_self (), name);

  t->error = pin (t->cpu);
  if (t->error == 0)
    {
      struct sched_param param = { .sched_priority = THIEF_PRIORITY };
      t->error = pthread_setschedparam (pthread_self (), SCHED_FIFO, &param);
    }
  sem_post (&t->ready);
  if (t->error != 0)
    return NULL;

  const int64_t period = opt.period;
  uint64_t state = opt.seed * MAX_CPUS + t->cpu;
  int64_t next = 0;
  for (;;)
    {
      int mode = atomic_load_explicit (&t->mode, memory_order_relaxed);
      if (mode == THIEF_QUIT)
	return NULL;
      if (mode == THIEF_REST)
	{
	  while (sem_wait (&t->wake) != 0)
	    continue;
	  next = now () + period;
	  continue;
	}

      int64_t spin = atomic_load_explicit (&t->spin, memory_order_relaxed);
      int64_t wake = next;
      if (opt.jitter && spin < period)
	wake += next_random (&state) % (uint64_t) (period - spin);
      sleep_until (wake);

      int64_t begin = now ();
      int64_t beat = atomic_load_explicit (&heartbeat, memory_order_relaxed);
      if (begin - beat > HEARTBEAT_LIMIT)
	{
	  next = begin + 100 * NS_PER_MS;
	  continue;
	}
      int64_t end = begin;
      while (end - begin < spin)
	{
	  relax ();
	  end = now ();
	}

      next += period;
      uint64_t skipped = 0;
      if (end - next >= period)
	{
	  skipped = (end - next) / period;
	  next += skipped * period;
	}
      atomic_fetch_add_explicit (&t->periods, 1, memory_order_relaxed);
      atomic_fetch_add_explicit (&t->missed, skipped, memory_order_relaxed);
      if (begin - wake > atomic_load_explicit (&t->max_late,
					       memory_order_relaxed))
	atomic_store_explicit (&t->max_late, begin - wake,
			       memory_order_relaxed);
    }
}

static void
thief_set (struct thief *t, enum thief_mode mode)
{
  int old = atomic_exchange_explicit (&t->mode, mode, memory_order_relaxed);
  if (old == THIEF_REST && mode != THIEF_REST)
    sem_post (&t->wake);
}

static struct thief *
find_thief (int cpu)
{
  for (int i = 0; i < nthieves; i++)
    if (thieves[i].cpu == cpu)
      return &thieves[i];
  return NULL;
}

/* Create a thread that receives no signal.  */
static int
create_thread (pthread_t *thread, void *(*function) (void *), void *arg)
{
  pthread_attr_t attr;
  sigset_t all, old;
  size_t stack = STACK_SIZE;
  if (stack < (size_t) sysconf (_SC_THREAD_STACK_MIN))
    stack = sysconf (_SC_THREAD_STACK_MIN);
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, stack);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  int error = pthread_create (thread, &attr, function, arg);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attr);
  return error;
}

/* Two thieves on a CPU spoil both ratios.  Hold the CPU's name among the
   abstract sockets for as long as this process lives, which leaves nothing
   behind, and warn if another process holds it.  */
static void
claim_cpu (int cpu)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int length = snprintf (address.sun_path + 1, sizeof address.sun_path - 1,
			 "amp-emulate/cpu%d", cpu);
  int fd = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd >= 0
      && bind (fd, (struct sockaddr *) &address,
	       offsetof (struct sockaddr_un, sun_path) + 1 + length) != 0
      && errno == EADDRINUSE)
    warn ("warning: another amp-emulate is slowing CPU %d: do not trust"
	  " figures of this run", cpu);
}

static void
start_thieves (void)
{
  int n = 0;
  for (int i = 0; i < nphases; i++)
    n += phases[i].nsettings;
  thieves = xcalloc (n, sizeof *thieves);

  for (int i = 0; i < nphases; i++)
    for (int j = 0; j < phases[i].nsettings; j++)
      {
	struct setting *s = &phases[i].settings[j];
	struct thief *t = find_thief (s->cpu);
	if (t == NULL)
	  {
	    t = &thieves[nthieves++];
	    t->cpu = s->cpu;
	    claim_cpu (s->cpu);
	    sem_init (&t->ready, 0, 0);
	    sem_init (&t->wake, 0, 0);
	    atomic_store (&t->mode, THIEF_REST);
	    int error = create_thread (&t->thread, thief_main, t);
	    if (error != 0)
	      fail ("cannot create a thread: %s", strerror (error));
	    while (sem_wait (&t->ready) != 0)
	      continue;
	    if (t->error == EPERM)
	      {
		explain_refusal (t->cpu, t->error);
		exit (EXIT_UNABLE);
	      }
	    if (t->error != 0)
	      fail ("CPU %d: cannot place a thief: %s", t->cpu,
		    strerror (t->error));
	  }
	s->thief = t;
      }
}

static void
stop_thieves (void)
{
  for (int i = 0; i < nthieves; i++)
    thief_set (&thieves[i], THIEF_QUIT);
  for (int i = 0; i < nthieves; i++)
    pthread_join (thieves[i].thread, NULL);
}

static void
beat (void)
{
  atomic_store_explicit (&heartbeat, now (), memory_order_relaxed);
}

/* Make P's settings, and nothing else, hold from now on.  */
static void
apply_phase (const struct phase *p)
{
  beat ();
  for (int i = 0; i < nthieves; i++)
    {
      enum thief_mode mode = THIEF_REST;
      for (int j = 0; j < p->nsettings; j++)
	{
	  const struct setting *s = &p->settings[j];
	  if (s->thief != &thieves[i] || s->asked <= 1.0)
	    continue;
	  atomic_store_explicit (&thieves[i].spin, s->spin,
				 memory_order_relaxed);
	  mode = THIEF_STEAL;
	}
      thief_set (&thieves[i], mode);
    }
}

static void
rest_thieves (void)
{
  for (int i = 0; i < nthieves; i++)
    thief_set (&thieves[i], THIEF_REST);
}


/* Measuring.  */

/* The unit of work: a dependent chain that no compiler shortens, well below a
   microsecond long.  */
static inline void
work (uint64_t *x)
{
  for (int i = 0; i < 256; i++)
    {
      *x = *x * UINT64_C (6364136223846793005) + 1;
      __asm__ volatile ("" : "+r" (*x));
    }
}

static int64_t
cpu_time (clockid_t clock)
{
  struct timespec ts = { 0, 0 };
  clock_gettime (clock, &ts);
  return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* Measure the speed at which this CPU serves ordinary threads in each window:
   units per CPU time of this thread, times the share of the window that the
   thief left.  Where no other thread runs that is units per wall time; where
   others compete, their share is not held against the CPU.  What an
   interruption costs beyond the thief's CPU time lowers the first factor.

   A window is a whole number of periods long.  Both its ends are moments at
   which this thread runs; a thief that delays one delays the other as much, so
   that the window's phase against the thief does not matter.  */
static void *
worker_main (void *arg)
{
  struct worker *w = arg;
  uint64_t x = 1;
  clockid_t thief_clock;
  bool has_thief = (w->thief != NULL
		    && pthread_getcpuclockid (w->thief->thread,
					      &thief_clock) == 0);

  pin (w->cpu);
  pthread_barrier_wait (&session.barrier);

  for (int i = 0; i < w->windows; i++)
    {
      int64_t begin = session.start + i * session.stride;
      if (w->toggle)
	thief_set (w->thief, i % 2 ? THIEF_STEAL : THIEF_REST);
      sleep_until (begin - NS_PER_MS);
      while (now () < begin)
	continue;

      uint64_t count = 0;
      int64_t stolen = has_thief ? -cpu_time (thief_clock) : 0;
      int64_t own = -cpu_time (CLOCK_THREAD_CPUTIME_ID);
      int64_t time, wall = -now ();
      do
	{
	  work (&x);
	  count++;
	  time = now ();
	}
      while (time + wall < session.window);
      wall += time;
      own += cpu_time (CLOCK_THREAD_CPUTIME_ID);
      if (has_thief)
	stolen += cpu_time (thief_clock);
      w->speeds[i] = (own > 0 && stolen < wall
		      ? (double) count / own * (wall - stolen) / wall : 0.0);
    }
  return NULL;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static struct measure
summarize (double *values, int n)
{
  struct measure m = { n, 0.0, 0.0, 0.0 };
  if (n == 0)
    return m;
  qsort (values, n, sizeof *values, compare_doubles);
  m.q1 = values[n / 4];
  m.median = n % 2 ? values[n / 2]
		   : (values[n / 2 - 1] + values[n / 2]) / 2.0;
  m.q3 = values[n - 1 - n / 4];
  return m;
}

/* Measure how much slower each CPU of P is than the reference CPU at the same
   time or, where there is none, than itself with its thief at rest, in
   alternate windows.  The results, one a setting, go to RESULTS.  */
static void
measure_phase (struct phase *p, int windows, struct measure *results)
{
  bool self = p->reference < 0;
  int nworkers = p->nsettings + !self;
  int total = 1 + (self ? 2 * windows : windows);
  if (self)
    total += total % 2;
  struct worker *workers = xcalloc (nworkers, sizeof *workers);

  session.window = 5 * opt.period;
  if (session.window < 20 * NS_PER_MS)
    session.window = (20 * NS_PER_MS + opt.period - 1) / opt.period
		     * opt.period;
  session.stride = session.window + 2 * opt.period + 2 * NS_PER_MS;

  apply_phase (p);
  pthread_barrier_init (&session.barrier, NULL, nworkers + 1);
  for (int i = 0; i < nworkers; i++)
    {
      struct worker *w = &workers[i];
      w->windows = total;
      w->speeds = xcalloc (total, sizeof *w->speeds);
      if (i < p->nsettings)
	{
	  w->cpu = p->settings[i].cpu;
	  w->thief = p->settings[i].thief;
	  w->toggle = self;
	}
      else
	w->cpu = p->reference;
      int error = create_thread (&w->thread, worker_main, w);
      if (error != 0)
	fail ("cannot create a thread: %s", strerror (error));
    }
  session.start = now () + 5 * NS_PER_MS;
  pthread_barrier_wait (&session.barrier);
  for (int i = 0; i < nworkers; i++)
    pthread_join (workers[i].thread, NULL);
  pthread_barrier_destroy (&session.barrier);
  beat ();

  double *ratios = xcalloc (total, sizeof *ratios);
  for (int i = 0; i < p->nsettings; i++)
    {
      const double *slow = workers[i].speeds;
      int n = 0;
      /* Window 0 warms the CPUs up.  */
      if (self)
	{
	  for (int k = 2; k + 1 < total; k += 2)
	    if (slow[k] > 0.0 && slow[k + 1] > 0.0)
	      ratios[n++] = slow[k] / slow[k + 1];
	}
      else
	{
	  const double *fast = workers[p->nsettings].speeds;
	  for (int k = 1; k < total; k++)
	    if (fast[k] > 0.0 && slow[k] > 0.0)
	      ratios[n++] = fast[k] / slow[k];
	}
      results[i] = summarize (ratios, n);
    }
  free (ratios);
  for (int i = 0; i < nworkers; i++)
    free (workers[i].speeds);
  free (workers);
}

static double
deviation (const struct measure *m, double asked)
{
  return m->windows > 0 ? m->median / asked - 1.0 : INFINITY;
}

static void
set_overhead (struct setting *s, int64_t overhead)
{
  int64_t spin = opt.period * (1.0 - 1.0 / s->asked) - overhead;
  s->overhead = overhead;
  s->spin = spin > 0 ? spin : 0;
}

/* Correct the settings of P by WEIGHT of what RESULTS say: a period leaves
   PERIOD - SPIN - OVERHEAD, which is PERIOD / (ratio reached).  */
static void
correct_phase (struct phase *p, const struct measure *results, double weight)
{
  for (int i = 0; i < p->nsettings; i++)
    {
      struct setting *s = &p->settings[i];
      if (s->asked <= 1.0 || results[i].windows == 0)
	continue;
      double left = opt.period / results[i].median;
      double overhead = opt.period - s->spin - left;
      if (overhead > opt.period / 2)
	overhead = opt.period / 2;
      if (overhead < -opt.period / 20)
	overhead = -opt.period / 20;
      set_overhead (s, s->overhead + weight * (overhead - s->overhead));
    }
}

static double
worst_deviation (const struct phase *p, const struct measure *results)
{
  double worst = 0.0;
  for (int i = 0; i < p->nsettings; i++)
    {
      double d = fabs (deviation (&results[i], p->settings[i].asked));
      if (p->settings[i].asked > 1.0 && d > worst)
	worst = d;
    }
  return worst;
}

static void
calibrate_phase (struct phase *p)
{
  for (int i = 0; i < p->nsettings; i++)
    set_overhead (&p->settings[i],
		  opt.overhead >= 0 ? opt.overhead : FIRST_OVERHEAD);
  if (opt.overhead >= 0)
    return;
  struct measure *results = xcalloc (p->nsettings, sizeof *results);
  for (int round = 0; round < CALIBRATE_ROUNDS; round++)
    {
      measure_phase (p, CALIBRATE_WINDOWS, results);
      if (worst_deviation (p, results) < GOAL / 2)
	break;
      correct_phase (p, results, round < 2 ? 1.0 : 0.5);
    }
  free (results);
}

/* Verify P; unless its overhead was given, correct what is off and look
   again, a bounded number of times.  */
static void
verify_phase (struct phase *p)
{
  struct measure *results = xcalloc (p->nsettings, sizeof *results);
  for (int attempt = 1;; attempt++)
    {
      measure_phase (p, VERIFY_WINDOWS, results);
      if (attempt == VERIFY_ATTEMPTS || opt.overhead >= 0
	  || worst_deviation (p, results) < GOAL)
	break;
      correct_phase (p, results, 1.0);
    }
  for (int i = 0; i < p->nsettings; i++)
    p->settings[i].before = results[i];
  free (results);
}

/* Report what the settings of P reached, in field BEFORE or AFTER; false if
   one of them is off.  */
static bool
report_phase (const struct phase *p, bool after)
{
  bool good = true;
  char when[64] = "";
  if (after)
    snprintf (when, sizeof when, ", after the command");
  else if (p->at > 0)
    snprintf (when, sizeof when, ", from %g s on", (double) p->at / NS_PER_S);

  for (int i = 0; i < p->nsettings; i++)
    {
      const struct setting *s = &p->settings[i];
      const struct measure *m = after ? &s->after : &s->before;
      double d = deviation (m, s->asked);
      bool off = fabs (d) > TOLERANCE;
      if (off || !opt.quiet)
	warn ("CPU %d: asked %.2f, reached %.2f (period %s%s)", s->cpu,
	      s->asked, m->median, period_text (), when);
      if (!off)
	continue;
      good = false;
      if (s->asked > 1.0 && s->spin == 0 && d > 0)
	warn ("warning: CPU %d: %.2f is below what a period of %s can do:"
	      " its interruptions alone cost more; use a longer --period",
	      s->cpu, s->asked, period_text ());
      else
	warn ("warning: CPU %d is off by %+.1f %% (quartiles %.2f to %.2f):"
	      " do not trust figures of this run", s->cpu, 100.0 * d, m->q1,
	      m->q3);
    }
  return good;
}


/* Core types.  */

static double
asked_ratio (const struct phase *p, int cpu)
{
  for (int i = 0; i < p->nsettings; i++)
    if (p->settings[i].cpu == cpu)
      return p->settings[i].asked;
  return 1.0;
}

/* The value of GOMP_AMP_TYPES for P: the CPUs of each ratio, fastest first.  */
static char *
types_text (const struct phase *p)
{
  char *text;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  if (f == NULL)
    fail ("out of memory");
  double done = 0.0;
  for (;;)
    {
      double ratio = INFINITY;
      for (int cpu = 0; cpu < MAX_CPUS; cpu++)
	if (mask_has (&allowed, cpu))
	  {
	    double r = asked_ratio (p, cpu);
	    if (r > done && r < ratio)
	      ratio = r;
	  }
      if (ratio == INFINITY)
	break;
      struct cpumask mask;
      memset (&mask, 0, sizeof mask);
      for (int cpu = 0; cpu < MAX_CPUS; cpu++)
	if (mask_has (&allowed, cpu) && asked_ratio (p, cpu) == ratio)
	  mask_add (&mask, cpu);
      char *list = mask_text (&mask);
      fprintf (f, "%s%s", done > 0.0 ? ":" : "", list);
      free (list);
      done = ratio;
    }
  fclose (f);
  return text;
}

/* True if a hardware thread of CPU's core other than CPU is slowed in P.  */
static bool
sibling_slowed (const struct phase *p, int cpu)
{
  char path[128], line[1024];
  struct cpumask siblings;
  snprintf (path, sizeof path,
	    "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
	    cpu);
  if (!read_line (path, line, sizeof line)
      || parse_cpus (line, &siblings) == NULL)
    return false;
  for (int i = 0; i < p->nsettings; i++)
    if (p->settings[i].asked > 1.0
	&& mask_has (&siblings, p->settings[i].cpu))
      return true;
  return false;
}

static void
choose_reference (struct phase *p)
{
  p->reference = -1;
  if (opt.reference >= 0)
    {
      if (!mask_has (&allowed, opt.reference))
	fail ("--reference: CPU %d may not be used; these may: %s",
	      opt.reference, mask_text (&allowed));
      if (asked_ratio (p, opt.reference) > 1.0)
	fail ("--reference: CPU %d is itself slowed", opt.reference);
      p->reference = opt.reference;
      return;
    }
  for (int cpu = 0; cpu < MAX_CPUS; cpu++)
    {
      if (!mask_has (&allowed, cpu) || asked_ratio (p, cpu) > 1.0)
	continue;
      if (p->reference < 0)
	p->reference = cpu;
      if (!sibling_slowed (p, cpu))
	{
	  p->reference = cpu;
	  return;
	}
    }
}


/* The record.  */

static void
json_string (FILE *f, const char *s)
{
  fputc ('"', f);
  for (; *s; s++)
    {
      unsigned char c = *s;
      if (c == '"' || c == '\\')
	fprintf (f, "\\%c", c);
      /* Bytes above ASCII stand for Latin-1 characters: always valid.  */
      else if (c < 0x20 || c >= 0x7f)
	fprintf (f, "\\u%04x", c);
      else
	fputc (c, f);
    }
  fputc ('"', f);
}

static void
json_measure (FILE *f, const char *name, const struct measure *m)
{
  if (m->windows == 0)
    fprintf (f, ", \"%s\": null", name);
  else
    fprintf (f, ", \"%s\": {\"median\": %.4f, \"q1\": %.4f, \"q3\": %.4f,"
	     " \"windows\": %d}", name, m->median, m->q1, m->q3, m->windows);
}

static void
json_machine (FILE *f)
{
  struct utsname u;
  char text[512];
  uname (&u);
  fprintf (f, "  \"machine\": {\"system\": ");
  json_string (f, u.sysname);
  fprintf (f, ", \"release\": ");
  json_string (f, u.release);
  fprintf (f, ", \"architecture\": ");
  json_string (f, u.machine);
  if (!read_field ("/proc/cpuinfo", "model name", text, sizeof text))
    strcpy (text, "");
  fprintf (f, ", \"cpu_model\": ");
  json_string (f, text);
  if (!read_line ("/sys/devices/system/clocksource/clocksource0/"
		  "current_clocksource", text, sizeof text))
    strcpy (text, "");
  fprintf (f, ", \"clocksource\": ");
  json_string (f, text);
  char *cpus = mask_text (&allowed);
  fprintf (f, ", \"cpus_allowed\": ");
  json_string (f, cpus);
  free (cpus);
  fprintf (f, ", \"cpus_online\": %ld},\n", sysconf (_SC_NPROCESSORS_ONLN));
}

static void
json_phase (FILE *f, const struct phase *p)
{
  char *types = types_text (p);
  fprintf (f, "    {\"at_seconds\": %.6f, \"reference_cpu\": ",
	   (double) p->at / NS_PER_S);
  if (p->reference < 0)
    fputs ("null", f);
  else
    fprintf (f, "%d", p->reference);
  fprintf (f, ", \"types\": ");
  json_string (f, types);
  free (types);
  fprintf (f, ", \"cpus\": [");
  for (int i = 0; i < p->nsettings; i++)
    {
      const struct setting *s = &p->settings[i];
      fprintf (f, "%s\n      {\"cpu\": %d, \"asked\": %.4f, \"spin_ns\": %lld,"
	       " \"overhead_ns\": %lld", i ? "," : "", s->cpu, s->asked,
	       (long long) s->spin, (long long) s->overhead);
      json_measure (f, "reached_before", &s->before);
      json_measure (f, "reached_after", &s->after);
      fputc ('}', f);
    }
  fputs ("]}", f);
}

/* Write the record.  STATUS is -1 where no command ran.  */
static void
write_json (FILE *f, char **command, int status, int64_t wall)
{
  char date[64];
  time_t t = time (NULL);
  struct tm tm;
  gmtime_r (&t, &tm);
  strftime (date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm);

  fprintf (f, "{\n  \"tool\": \"amp-emulate\",\n  \"version\": \"%s\",\n"
	   "  \"date\": \"%s\",\n", AMP_VERSION, date);
  json_machine (f);
  fprintf (f, "  \"period_ns\": %lld,\n  \"jitter\": %s,\n"
	   "  \"seed\": %llu,\n  \"phases\": [\n", (long long) opt.period,
	   opt.jitter ? "true" : "false", (unsigned long long) opt.seed);
  for (int i = 0; i < nphases; i++)
    {
      json_phase (f, &phases[i]);
      fputs (i + 1 < nphases ? ",\n" : "\n", f);
    }
  fputs ("  ],\n  \"thieves\": [", f);
  for (int i = 0; i < nthieves; i++)
    {
      struct thief *th = &thieves[i];
      fprintf (f, "%s\n    {\"cpu\": %d, \"periods\": %llu, \"missed\": %llu,"
	       " \"max_late_ns\": %lld}", i ? "," : "", th->cpu,
	       (unsigned long long) atomic_load (&th->periods),
	       (unsigned long long) atomic_load (&th->missed),
	       (long long) atomic_load (&th->max_late));
    }
  fputs ("],\n  \"command\": ", f);
  if (status < 0)
    fputs ("null,\n  \"exit_status\": null,\n  \"wall_seconds\": null\n", f);
  else
    {
      fputc ('[', f);
      for (int i = 0; command[i] != NULL; i++)
	{
	  if (i > 0)
	    fputs (", ", f);
	  json_string (f, command[i]);
	}
      fprintf (f, "],\n  \"exit_status\": %d,\n  \"wall_seconds\": %.6f\n",
	       status, (double) wall / NS_PER_S);
    }
  fputs ("}\n", f);
  bool bad = ferror (f) != 0;
  if (fclose (f) != 0 || bad)
    warn ("warning: %s could not be written: %s", opt.json, strerror (errno));
}


/* The command.  */

static const int forwarded[] =
{
  SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN,
  SIGTTOU, SIGCONT
};

/* Act on a signal that came in while CHILD runs.  What the terminal sends has
   already reached CHILD if it is in our process group.  */
static void
pass_on (const siginfo_t *info, pid_t child)
{
  int sig = info->si_signo;
  bool has_it = info->si_code == SI_KERNEL && getpgid (child) == getpgrp ();
  if (!has_it)
    kill (child, sig);
  if (sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU)
    raise (SIGSTOP);
}

/* Run COMMAND through the phases, put the time it took into WALL and the phase
   in which it ended into LAST, and return its status as a shell would.  */
static int
run_command (char **command, int64_t *wall, struct phase **last)
{
  sigset_t waited, old;
  struct sigaction old_chld, dfl = { .sa_handler = SIG_DFL };
  sigemptyset (&waited);
  sigaddset (&waited, SIGCHLD);
  for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
    {
      /* Who ignores a signal (nohup) wants it ignored by the command too,
	 which inherits that.  */
      struct sigaction action;
      sigaction (forwarded[i], NULL, &action);
      if (action.sa_handler != SIG_IGN)
	sigaddset (&waited, forwarded[i]);
    }
  sigaction (SIGCHLD, &dfl, &old_chld);
  pthread_sigmask (SIG_BLOCK, &waited, &old);

  pid_t parent = getpid ();
  apply_phase (&phases[0]);
  int64_t start = now ();
  pid_t child = fork ();
  if (child < 0)
    fail ("cannot fork: %s", strerror (errno));
  if (child == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGTERM);
      if (getppid () != parent)
	_exit (128 + SIGTERM);
      sigaction (SIGCHLD, &old_chld, NULL);
      pthread_sigmask (SIG_SETMASK, &old, NULL);
      execvp (command[0], command);
      int error = errno;
      warn ("cannot run %s: %s", command[0], strerror (error));
      _exit (error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
    }

  int phase = 0, status;
  for (;;)
    {
      int64_t wait = NS_PER_S;
      beat ();
      if (phase + 1 < nphases)
	{
	  int64_t left = start + phases[phase + 1].at - now ();
	  if (left <= 0)
	    {
	      apply_phase (&phases[++phase]);
	      continue;
	    }
	  if (left < wait)
	    wait = left;
	}
      struct timespec ts = to_timespec (wait);
      siginfo_t info;
      int sig = sigtimedwait (&waited, &info, &ts);
      if (sig > 0 && sig != SIGCHLD)
	pass_on (&info, child);
      if (waitpid (child, &status, WNOHANG) == child)
	break;
    }
  *wall = now () - start;

  /* From here on a signal ends this program in the ordinary way.  */
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  *last = &phases[phase];
  return WIFSIGNALED (status) ? 128 + WTERMSIG (status)
			      : WEXITSTATUS (status);
}


/* The command line.  */

static const char usage[] =
"Usage: amp-emulate [OPTION]... -- COMMAND [ARG]...\n"
"Make chosen CPUs slower while COMMAND runs, and tell it so in"
" GOMP_AMP_TYPES.\n\n"
"  -s, --slow CPUS[=RATIO]       CPUS (a list like 1 or 2-3,6) are RATIO times"
" slower\n"
"                                (1 to 100, default 3); may be given several"
" times\n"
"  -p, --period TIME             length of a period, 100us to 10ms (default"
" 1ms)\n"
"  -c, --change-at SECONDS:CPUS[=RATIO]\n"
"                                from then on only CPUS are slow (`none': no"
" CPU);\n"
"                                several with equal SECONDS add up\n"
"      --jitter                  random place of the theft within each"
" period\n"
"      --seed N                  seed of --jitter (default 1)\n"
"      --reference CPU           compare with CPU (default: the first one not"
" slowed)\n"
"      --overhead US             take US microseconds a period as the overhead"
" instead\n"
"                                of calibrating\n"
"      --no-verify               do not measure the ratio reached\n"
"      --verify-only, --calibrate  calibrate, verify, run no command\n"
"      --strict                  exit 3 without running COMMAND when a ratio is"
" off by\n"
"                                more than 5 %\n"
"      --keep-types              leave GOMP_AMP_TYPES alone if it is set\n"
"  -j, --json FILE               write a record of the run to FILE\n"
"  -q, --quiet                   print warnings and errors only\n"
"  -h, --help                    print this and exit\n"
"  -V, --version                 print the version and exit\n\n"
"Exit status: COMMAND's (128 + N when signal N killed it), 2 when amp-emulate"
" cannot\n"
"do its work, 3 see --strict, 126 or 127 when COMMAND cannot be run.\n"
"Needs CAP_SYS_NICE or RLIMIT_RTPRIO (ulimit -r) of 1.\n";

enum
{
  OPT_JITTER = 256,
  OPT_SEED,
  OPT_REFERENCE,
  OPT_OVERHEAD,
  OPT_NO_VERIFY,
  OPT_VERIFY_ONLY,
  OPT_STRICT,
  OPT_KEEP_TYPES
};

static const struct option long_options[] =
{
  { "slow", required_argument, NULL, 's' },
  { "period", required_argument, NULL, 'p' },
  { "change-at", required_argument, NULL, 'c' },
  { "jitter", no_argument, NULL, OPT_JITTER },
  { "seed", required_argument, NULL, OPT_SEED },
  { "reference", required_argument, NULL, OPT_REFERENCE },
  { "overhead", required_argument, NULL, OPT_OVERHEAD },
  { "no-verify", no_argument, NULL, OPT_NO_VERIFY },
  { "verify-only", no_argument, NULL, OPT_VERIFY_ONLY },
  { "calibrate", no_argument, NULL, OPT_VERIFY_ONLY },
  { "strict", no_argument, NULL, OPT_STRICT },
  { "keep-types", no_argument, NULL, OPT_KEEP_TYPES },
  { "json", required_argument, NULL, 'j' },
  { "quiet", no_argument, NULL, 'q' },
  { "help", no_argument, NULL, 'h' },
  { "version", no_argument, NULL, 'V' },
  { NULL, 0, NULL, 0 }
};

/* Add TEXT, the CPUS[=RATIO] of option NAME, to P.  */
static void
add_settings (struct phase *p, const char *name, const char *text)
{
  struct cpumask mask;
  double ratio = DEFAULT_RATIO;
  const char *end = parse_cpus (text, &mask);
  if (end == NULL || (*end != '\0' && *end != '='))
    fail ("%s: `%s' is not CPUS[=RATIO], for example 1=3 or 2-3,6=1.5",
	  name, text);
  if (*end == '=')
    {
      end++;
      if (!parse_number (&end, &ratio) || *end != '\0' || ratio < 1.0
	  || ratio > MAX_RATIO)
	fail ("%s: the ratio in `%s' must be a number from 1 to %g",
	      name, text, MAX_RATIO);
    }
  for (int cpu = 0; cpu < MAX_CPUS; cpu++)
    {
      if (!mask_has (&mask, cpu))
	continue;
      if (!mask_has (&allowed, cpu))
	fail ("%s: CPU %d may not be used; these may: %s", name, cpu,
	      mask_text (&allowed));
      for (int i = 0; i < p->nsettings; i++)
	if (p->settings[i].cpu == cpu)
	  fail ("%s: CPU %d is given twice", name, cpu);
      p->settings = realloc (p->settings,
			     (p->nsettings + 1) * sizeof *p->settings);
      if (p->settings == NULL)
	fail ("out of memory");
      struct setting *s = &p->settings[p->nsettings++];
      memset (s, 0, sizeof *s);
      s->cpu = cpu;
      s->asked = ratio;
    }
}

static void
add_change (const char *text)
{
  const char *p = text;
  double seconds;
  if (!parse_number (&p, &seconds) || *p != ':' || seconds <= 0.0
      || seconds > 1e6)
    fail ("--change-at: `%s' is not SECONDS:CPUS[=RATIO] or SECONDS:none,"
	  " with SECONDS above 0, for example 2.5:0=3", text);
  p++;
  int64_t at = seconds * NS_PER_S;

  int i = 1;
  while (i < nphases && phases[i].at < at)
    i++;
  if (i == nphases || phases[i].at != at)
    {
      if (nphases == MAX_PHASES)
	fail ("--change-at: at most %d changes are possible", MAX_PHASES - 1);
      memmove (&phases[i + 1], &phases[i], (nphases - i) * sizeof *phases);
      memset (&phases[i], 0, sizeof *phases);
      phases[i].at = at;
      nphases++;
    }
  if (strcmp (p, "none") != 0)
    add_settings (&phases[i], "--change-at", p);
}

static int64_t
parse_period (const char *text)
{
  const char *p = text;
  double value, unit = NS_PER_US;
  bool ok = parse_number (&p, &value);
  if (ok && strcmp (p, "ms") == 0)
    unit = NS_PER_MS;
  else if (ok && *p != '\0' && strcmp (p, "us") != 0)
    ok = false;
  if (!ok || value * unit < MIN_PERIOD || value * unit > MAX_PERIOD)
    fail ("--period: `%s' must be a time from 100us to 10ms, in us or ms"
	  " (without a unit: us)", text);
  return value * unit + 0.5;
}

static int64_t
parse_integer (const char *name, const char *text, int64_t max)
{
  char *end;
  errno = 0;
  long long value = strtoll (text, &end, 10);
  if (!isdigit ((unsigned char) *text) || *end != '\0' || errno != 0
      || value > max)
    fail ("%s: `%s' must be a whole number from 0 to %lld", name, text,
	  (long long) max);
  return value;
}

static int64_t
parse_overhead (const char *text)
{
  const char *p = text;
  double value;
  if (!parse_number (&p, &value) || *p != '\0' || value > 1000.0)
    fail ("--overhead: `%s' must be a number of microseconds from 0 to 1000",
	  text);
  return value * NS_PER_US;
}

static void
reject_option (char **argv, int c)
{
  char names[512] = "";
  for (const struct option *o = long_options; o->name != NULL; o++)
    {
      strcat (names, " --");
      strcat (names, o->name);
    }
  if (c == ':')
    fail ("option `%s' needs an argument; see --help", argv[optind - 1]);
  if (optopt != 0 && optopt < 256)
    fail ("unknown option `-%c'; the options are%s", optopt, names);
  fail ("unknown, ambiguous or malformed option `%s'; the options are%s",
	argv[optind - 1], names);
}

static void
parse_options (int argc, char **argv)
{
  int c;
  opterr = 0;
  while ((c = getopt_long (argc, argv, "+:s:p:c:j:qhV", long_options, NULL))
	 != -1)
    switch (c)
      {
      case 's':
	add_settings (&phases[0], "--slow", optarg);
	break;
      case 'p':
	opt.period = parse_period (optarg);
	break;
      case 'c':
	add_change (optarg);
	break;
      case 'j':
	opt.json = optarg;
	break;
      case 'q':
	opt.quiet = true;
	break;
      case 'h':
	fputs (usage, stdout);
	exit (0);
      case 'V':
	puts ("amp-emulate (gomp-amp) " AMP_VERSION);
	exit (0);
      case OPT_JITTER:
	opt.jitter = true;
	break;
      case OPT_SEED:
	opt.seed = parse_integer ("--seed", optarg, INT64_MAX);
	break;
      case OPT_REFERENCE:
	opt.reference = parse_integer ("--reference", optarg, MAX_CPUS - 1);
	break;
      case OPT_OVERHEAD:
	opt.overhead = parse_overhead (optarg);
	break;
      case OPT_NO_VERIFY:
	opt.no_verify = true;
	break;
      case OPT_VERIFY_ONLY:
	opt.verify_only = true;
	break;
      case OPT_STRICT:
	opt.strict = true;
	break;
      case OPT_KEEP_TYPES:
	opt.keep_types = true;
	break;
      default:
	reject_option (argv, c);
      }

  if (phases[0].nsettings == 0 && nphases == 1)
    fail ("no CPU to slow: give --slow CPUS=RATIO, for example --slow 1=3"
	  " (CPUs that may be used: %s)", mask_text (&allowed));
  if (opt.no_verify && opt.verify_only)
    fail ("--no-verify and --verify-only exclude each other");
  if (opt.no_verify && opt.strict)
    fail ("--no-verify and --strict exclude each other");
  if (opt.verify_only && optind < argc)
    fail ("--verify-only (--calibrate) takes no command, but `%s' was given",
	  argv[optind]);
  if (!opt.verify_only && optind == argc)
    fail ("no command: give it after --, or use --verify-only");
}

int
main (int argc, char **argv)
{
  if (sched_getaffinity (0, sizeof allowed, allowed.sets) != 0)
    fail ("sched_getaffinity: %s", strerror (errno));
  parse_options (argc, argv);
  char **command = argv + optind;
  for (int i = 0; i < nphases; i++)
    choose_reference (&phases[i]);
  check_reachable ();

  FILE *json = NULL;
  if (opt.json != NULL && (json = fopen (opt.json, "we")) == NULL)
    fail ("--json: cannot write %s: %s", opt.json, strerror (errno));

  /* A real-time command would run before the thieves.  */
  struct sched_param param = { 0 };
  int policy = sched_getscheduler (0) & ~SCHED_RESET_ON_FORK;
  if (policy == SCHED_FIFO || policy == SCHED_RR)
    sched_setscheduler (0, SCHED_OTHER, &param);

  /* Not allowed everywhere, and only useful: no thief waits for a page.  */
  if (mlockall (MCL_CURRENT | MCL_FUTURE) != 0)
    munlockall ();

  beat ();
  start_thieves ();
  bool good = true;
  for (int i = 0; i < nphases; i++)
    {
      struct phase *p = &phases[i];
      if (p->nsettings == 0)
	continue;
      calibrate_phase (p);
      if (opt.no_verify)
	continue;
      verify_phase (p);
      good &= report_phase (p, false);
    }
  rest_thieves ();

  if (opt.verify_only || (opt.strict && !good))
    {
      stop_thieves ();
      if (json != NULL)
	write_json (json, command, -1, 0);
      if (opt.strict && !good)
	{
	  warn ("a ratio was not reached and --strict was given%s",
		opt.verify_only ? "" : ": the command was not run");
	  return EXIT_STRICT;
	}
      return 0;
    }

  char *types = types_text (&phases[0]);
  if (setenv ("GOMP_AMP_TYPES", types, !opt.keep_types) != 0)
    fail ("out of memory");
  free (types);

  int64_t wall;
  struct phase *last;
  int status = run_command (command, &wall, &last);
  if (!opt.no_verify && last->nsettings > 0)
    {
      struct measure *results = xcalloc (last->nsettings, sizeof *results);
      measure_phase (last, AFTER_WINDOWS, results);
      for (int i = 0; i < last->nsettings; i++)
	last->settings[i].after = results[i];
      free (results);
      report_phase (last, true);
    }
  stop_thieves ();
  if (json != NULL)
    write_json (json, command, status, wall);
  return status;
}

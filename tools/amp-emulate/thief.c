/* SPDX-License-Identifier: GPL-3.0-or-later

   The thieves, and what the system must allow for them.  */

#define _GNU_SOURCE
#include "amp-emulate.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum
{
  /* The lowest real-time priority: above every ordinary thread, below every
     real-time thread that the system itself may need.  */
  THIEF_PRIORITY = 1,
  STACK_SIZE = 128 * 1024
};

/* Thieves rest when the main thread has been silent for longer.  */
#define HEARTBEAT_LIMIT (10 * NS_PER_S)

struct thief *thieves;
int nthieves;
static _Atomic int64_t heartbeat;

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
  fputs ("  Or do without: --method=signal, for dynamically linked programs.\n",
	 stderr);
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

void
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

int
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

void
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

void
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
  if (error != 0)
    fail ("cannot create a thread: %s", strerror (error));
}

/* Two thieves on a CPU spoil both ratios.  Hold the CPU's name among the
   abstract sockets for as long as this process lives, which leaves nothing
   behind, and warn if another process holds it.  */
void
claim_cpu (int cpu)
{
  static struct cpumask claimed;
  if (mask_has (&claimed, cpu))
    return;
  mask_add (&claimed, cpu);
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

void
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
	    create_thread (&t->thread, thief_main, t);
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

void
stop_thieves (void)
{
  for (int i = 0; i < nthieves; i++)
    thief_set (&thieves[i], THIEF_QUIT);
  for (int i = 0; i < nthieves; i++)
    pthread_join (thieves[i].thread, NULL);
}

void
beat (void)
{
  atomic_store_explicit (&heartbeat, now (), memory_order_relaxed);
}

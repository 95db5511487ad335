/* SPDX-License-Identifier: GPL-3.0-or-later

   Loops over cores and made-up devices, host functions that sleep: exact cover
   whatever the devices do.

     loops [PART]

   The last line is "N passed, N failed, N skipped".  */

#define _GNU_SOURCE 1
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "amp_device.h"
#include "../check.h"

#define N 40000

static unsigned char count[N], by_device[N];

static void
nap (long ns)
{
  struct timespec ts = { ns / 1000000000, ns % 1000000000 };

  nanosleep (&ts, NULL);
}

static void
spin (long ns)
{
  struct timespec a, b;

  clock_gettime (CLOCK_MONOTONIC, &a);
  do
    clock_gettime (CLOCK_MONOTONIC, &b);
  while ((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec < ns);
}

/* What the devices of a loop are like.  */

struct like
{
  long launch, each;		/* Nanoseconds a chunk, and an iteration.  */
  int fails;			/* Its chunk of this number fails, from 1.  */
  int device;			/* Which of them; -1: all.  */
  int calls[AMP_DEVICE_MAX];	/* That it got.  */
  int inside[AMP_DEVICE_MAX];
  int wrong;
  long core_each;
};

static void
on_cores (int64_t begin, int64_t end, void *data)
{
  struct like *like = data;

  for (int64_t i = begin; i < end; i++)
    __atomic_add_fetch (&count[i], 1, __ATOMIC_RELAXED);
  if (like->core_each != 0)
    spin ((end - begin) * like->core_each);
}

static int
on_device (int64_t begin, int64_t end, void *data, struct amp_device_call *call)
{
  struct like *like = data;
  int d = call->device, number = ++like->calls[d];

  if (__atomic_add_fetch (&like->inside[d], 1, __ATOMIC_RELAXED) != 1)
    like->wrong = 1;
  nap (like->launch + (end - begin) * like->each);
  __atomic_sub_fetch (&like->inside[d], 1, __ATOMIC_RELAXED);
  if (like->fails != 0 && (like->device < 0 || like->device == d))
    {
      if (number == like->fails)
	return 42;
      if (number > like->fails)
	like->wrong = 2;
    }
  for (int64_t i = begin; i < end; i++)
    {
      __atomic_add_fetch (&count[i], 1, __ATOMIC_RELAXED);
      by_device[i] = 1;
    }
  return 0;
}

static int
covered (void)
{
  for (int i = 0; i < N; i++)
    if (count[i] != 1)
      {
	printf ("iteration %d was run %d times\n", i, count[i]);
	return 0;
      }
  return 1;
}

static void
clear (struct like *like)
{
  memset (count, 0, sizeof count);
  memset (by_device, 0, sizeof by_device);
  memset (like->calls, 0, sizeof like->calls);
  like->wrong = 0;
}

/* Every policy, with one and three devices, fast, slow, failing.  */

static void
test_cover (void)
{
  static const struct like likes[] = {
    { 20000, 20, 0, -1, { 0 }, { 0 }, 0, 100 },
    { 3000000, 0, 0, -1, { 0 }, { 0 }, 0, 0 },
    { 1000, 10, 1, -1, { 0 }, { 0 }, 0, 50 },
    { 1000, 10, 3, 0, { 0 }, { 0 }, 0, 100 },
    { 100000, 1000, 2, 1, { 0 }, { 0 }, 0, 50 }
  };
  struct amp_device_options o;
  struct amp_device_result r;

  for (unsigned k = 0; k < sizeof likes / sizeof likes[0]; k++)
    for (unsigned i = 0; i < 5 * 2 * 2; i++)
      {
	struct like like = likes[k];
	int64_t on_devices = 0, j;
	int error, fails, d;
	char what[120];

	amp_device_init_options (&o);
	o.policy = i % 5;
	o.devices = i / 5 % 2 ? 3 : 1;
	o.beside = i / 10;
	o.percent = 40;
	for (d = 0; d < AMP_DEVICE_MAX; d++)
	  {
	    o.least[d] = 50;
	    o.chunk[d] = 1000;
	  }
	clear (&like);
	error = amp_device_for (0, N, on_cores, on_device, &like, &o);
	amp_device_get_result (&r);
	snprintf (what, sizeof what, "devices %u, policy %d, %d of them, %s", k,
		  o.policy, o.devices, o.beside ? "beside" : "counted");
	check (covered (), "%s", what);
	fails = 0;
	for (d = 0; d < o.devices; d++)
	  fails |= (like.fails != 0 && (like.device < 0 || like.device == d)
		    && like.calls[d] >= like.fails);
	check (error == (fails ? 42 : 0) && like.wrong == 0, "%s", what);
	for (j = 0; j < N; j++)
	  on_devices += by_device[j];
	check (r.iterations == N && r.on_devices == on_devices, "%s", what);
	if (o.policy == AMP_DEVICE_BULK && like.fails == 0)
	  check (on_devices == N * 2 / 5, "%s", what);
	if (o.policy == AMP_DEVICE_OFF)
	  check (on_devices == 0, "%s", what);
      }
}

/* Bounds of any sign, none, one; no device; no options.  */

static int64_t low, high;

static void
bounds_body (int64_t begin, int64_t end, void *data)
{
  for (int64_t i = begin; i < end; i++)
    if (i < low || i >= high)
      *(int *) data = -1;
    else
      __atomic_add_fetch (&count[i - low], 1, __ATOMIC_RELAXED);
}

static void
test_bounds (void)
{
  static const int64_t bounds[][2] = {
    { -N / 2, N / 2 }, { INT64_MIN, INT64_MIN + N },
    { INT64_MAX - N, INT64_MAX }
  };
  int wrong = 0;

  for (unsigned i = 0; i < 3; i++)
    {
      memset (count, 0, sizeof count);
      low = bounds[i][0];
      high = bounds[i][1];
      amp_device_for (low, high, bounds_body, NULL, &wrong, NULL);
      check (covered () && wrong == 0, "bounds");
    }
  memset (count, 0, sizeof count);
  check (amp_device_for (5, 5, bounds_body, NULL, &wrong, NULL) == 0
	 && amp_device_for (5, 4, bounds_body, NULL, &wrong, NULL) == 0
	 && wrong == 0 && count[0] == 0, "empty loops");
  low = 7;
  high = 8;
  amp_device_for (7, 8, bounds_body, NULL, &wrong, NULL);
  check (count[0] == 1 && wrong == 0, "one iteration");
}

/* Loops inside of bodies, and in parallel regions: a device that is in use is
   left to who uses it.  */

static void
inner_body (int64_t begin, int64_t end, void *data)
{
  __atomic_add_fetch ((int64_t *) data, end - begin, __ATOMIC_RELAXED);
}

static int
inner_device (int64_t begin, int64_t end, void *data,
	      struct amp_device_call *call)
{
  (void) call;
  nap (200000);
  inner_body (begin, end, data);
  return 0;
}

static void
outer_body (int64_t begin, int64_t end, void *data)
{
  for (int64_t i = begin; i < end; i++)
    amp_device_for (0, 100, inner_body, inner_device, data, NULL);
}

static int
outer_device (int64_t begin, int64_t end, void *data,
	      struct amp_device_call *call)
{
  (void) call;
  outer_body (begin, end, data);
  return 0;
}

static void
test_nested (void)
{
  int64_t sum = 0;

  amp_device_for (0, 500, outer_body, outer_device, &sum, NULL);
  check (sum == 50000, "loops in bodies");
  sum = 0;
#pragma omp parallel for num_threads (4) schedule (static, 1)
  for (int i = 0; i < 40; i++)
    amp_device_for (0, 1000, inner_body, inner_device, &sum, NULL);
  check (sum == 40000, "loops in a parallel region");
}

/* Where and how the host thread runs.  */

static struct { int cpus, first, nice, policy, rr; pid_t tid; } host;

static int
host_device (int64_t begin, int64_t end, void *data,
	     struct amp_device_call *call)
{
  cpu_set_t mask;
  struct sched_param param;

  (void) call;
  inner_body (begin, end, data);
  sched_getaffinity (0, sizeof mask, &mask);
  host.cpus = CPU_COUNT (&mask);
  host.first = -1;
  for (int i = 0; i < CPU_SETSIZE && host.first < 0; i++)
    if (CPU_ISSET (i, &mask))
      host.first = i;
  host.tid = syscall (SYS_gettid);
  host.nice = getpriority (PRIO_PROCESS, host.tid);
  host.policy = sched_getscheduler (0);
  sched_getparam (0, &param);
  host.rr = param.sched_priority;
  return 0;
}

static void
run_host (int place, int priority)
{
  struct amp_device_options o;
  int64_t sum = 0;

  amp_device_init_options (&o);
  o.policy = AMP_DEVICE_BULK;
  o.percent = 100;
  o.place = place;
  o.priority = priority;
  amp_device_for (0, 100, inner_body, host_device, &sum, &o);
}

static void
test_host (void)
{
  cpu_set_t mask;
  pid_t tid;
  int all, cpu;

  sched_getaffinity (0, sizeof mask, &mask);
  all = CPU_COUNT (&mask);
  for (cpu = CPU_SETSIZE - 1; !CPU_ISSET (cpu, &mask); cpu--)
    continue;
  run_host (AMP_DEVICE_FREE, 0);
  tid = host.tid;
  check (host.cpus == all && host.policy == SCHED_OTHER
	 && host.nice == getpriority (PRIO_PROCESS, 0)
	 && tid != getpid (), "a host thread is free");
  run_host (cpu, 0);
  check (host.cpus == 1 && host.first == cpu && host.tid == tid,
	 "on a CPU; the same thread again");
  run_host (AMP_DEVICE_FREE, 0);
  check (host.cpus == all, "and free again");
  if (geteuid () == 0)
    {
      run_host (AMP_DEVICE_FREE, 5);
      check (host.nice == -5, "nice -5");
      run_host (AMP_DEVICE_FREE, 103);
      check (host.policy == SCHED_RR && host.rr == 3, "SCHED_RR 3");
      run_host (AMP_DEVICE_FREE, 0);
      check (host.policy == SCHED_OTHER && host.nice == 0, "as all others");
    }
}

/* A big core, a little one: by GOMP_AMP_TYPES.  */

static void
test_places (void)
{
  char types[40];
  cpu_set_t mask;
  int cpu, big = -1, little = -1;

  sched_getaffinity (0, sizeof mask, &mask);
  for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &mask))
      {
	little = big < 0 ? -1 : little < 0 ? cpu : little;
	big = big < 0 ? cpu : big;
      }
  if (little < 0)
    {
      printf ("SKIP: places: one CPU\n");
      return;
    }
  snprintf (types, sizeof types, "%d:%d", big, little);
  setenv ("GOMP_AMP_TYPES", types, 1);
  run_host (AMP_DEVICE_LITTLE, 0);
  check (host.cpus == 1 && host.first == little, "on a little core");
  run_host (AMP_DEVICE_BIG, 0);
  check (host.cpus == 1 && host.first == big, "on a big core");
}

/* What is remembered: G, and the percentage that proved best.  A device whose
   chunks of 1600 are its best, with four times a core's speed.  */

static int
best_device (int64_t begin, int64_t end, void *data,
	     struct amp_device_call *call)
{
  int64_t n = end - begin, slow = n > 1600 ? n - 1600 : 0;

  (void) data;
  nap (100000 + 500 * n + 2000 * slow);
  call->time[0] = 1000;
  call->time[1] = call->time[0] + 10000;
  call->time[2] = call->time[1] + 20000;
  call->time[3] = call->time[2] + (uint64_t) n * 500;
  call->time[4] = call->time[3] + 5000;
  return 0;
}

static void
slow_core (int64_t begin, int64_t end, void *data)
{
  (void) data;
  spin (2000 * (end - begin));
}

static void
test_memory (void)
{
  struct amp_device_options o;
  struct amp_device_result r;
  int i, with_50 = 0;

  amp_device_init_options (&o);
  o.least[0] = 100;
  for (i = 0; i < 8; i++)
    {
      amp_device_for (0, 40000, slow_core, best_device, NULL, &o);
      amp_device_get_result (&r);
    }
  check (r.chunk >= 100 && r.chunk % 100 == 0
	 && (r.chunk / 100 & (r.chunk / 100 - 1)) == 0, "G is searched for");
  check (r.chunks > 0 && r.to_device == 10000u * (uint64_t) r.chunks
	 && r.launch == 20000u * (uint64_t) r.chunks
	 && r.from_device == 5000u * (uint64_t) r.chunks && r.dispatch > 0
	 && r.scheduling > 0 && r.kernel == 500u * (uint64_t) r.on_devices,
	 "the parts of a chunk's time");
  o.policy = AMP_DEVICE_ORACLE;
  for (i = 0; i < 14; i++)
    {
      amp_device_for (0, 4000, slow_core, best_device, NULL, &o);
      amp_device_get_result (&r);
      if (i >= 1 && i <= 11)
	with_50 += r.percent == 10 * (i - 1);
    }
  check (with_50 == 11, "the oracle tries all percentages");
  check (r.percent % 10 == 0 && r.percent <= 100, "and takes one of them");
}

/* A child after fork has host threads of its own.  */

static void
test_fork (void)
{
  struct like like = { .launch = 1000, .each = 10, .core_each = 200 };
  int status = 1;
  pid_t child;

  clear (&like);
  amp_device_for (0, N, on_cores, on_device, &like, NULL);
  fflush (stdout);
  child = fork ();
  if (child == 0)
    {
      /* libgomp's threads have not come along.  */
      omp_set_num_threads (1);
      clear (&like);
      amp_device_for (0, N, on_cores, on_device, &like, NULL);
      _exit (covered () && like.calls[0] > 0 ? 0 : 1);
    }
  waitpid (child, &status, 0);
  check (status == 0, "after fork");
}

int
main (int argc, char **argv)
{
  static const struct { const char *name; void (*run) (void); } parts[] = {
    { "cover", test_cover }, { "bounds", test_bounds },
    { "nested", test_nested }, { "host", test_host },
    { "places", test_places }, { "memory", test_memory },
    { "fork", test_fork }
  };

  for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (argc < 2 || strcmp (argv[1], parts[i].name) == 0)
      parts[i].run ();
  return check_result ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Weighted teams of several root threads, whose sizes change all the time: what
   ends a team must not touch the next one.  Says how many regions were run;
   `weighted-roots 3 100000' runs more than the suite has time for.  A hang ends
   in an abort.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted GOMP_AMP_TYPES=@A@:@B@ } */
/* { amp-run {GOMP_AMP_SF=3} {1 2000} {2000 regions\n} } */
/* { amp-run {GOMP_AMP_SF=3} {3 12000} {12000 regions\n} } */
/* { amp-run {GOMP_AMP_SF=3 OMP_CANCELLATION=true} {3 3000} {3000 regions\n} } */
/* { amp-run {GOMP_AMP_SF=1.5 OMP_WAIT_POLICY=passive} {3 6000} {6000 regions\n} } */
/* { amp-run {GOMP_AMP_TEAM=off} {3 3000} {3000 regions\n} } */

#define _GNU_SOURCE 1
#include <pthread.h>
#include "amp-test.h"

/* Groups whose threads are all let go, and teams that are one another's in
   turn.  */
static const int size[] = { 8, 2, 8, 8, 3, 12, 12, 2 };
#define NSIZES (sizeof size / sizeof size[0])

static unsigned regions, done;

/* Each counts the threads of a region of N.  */

static int
empty (int n)
{
  int seen = 0;

#pragma omp parallel num_threads (n) reduction (+:seen)
  seen++;
  return seen;
}

static int
barriers (int n)
{
  int seen = 0, stage[16] = { 0 };

#pragma omp parallel num_threads (n) reduction (+:seen)
  {
    int me = omp_get_thread_num (), b, right = 1;

    for (b = 1; b <= 4; b++)
      {
	stage[me] = b;
#pragma omp barrier
	right &= stage[(me + b) % n] == b;
#pragma omp barrier
      }
    seen += right;
  }
  return seen;
}

static int
tasks (int n)
{
  int seen = 0, sum = 0, x = 0;

#pragma omp parallel num_threads (n) shared (sum, x)
  {
#pragma omp single nowait
    {
#pragma omp task depend (out: x) shared (x)
      x = 1;
#pragma omp task depend (inout: x) shared (x)
      x = 2 * x;
#pragma omp task depend (in: x) shared (x, sum)
      __atomic_fetch_add (&sum, x, __ATOMIC_RELAXED);
    }
#pragma omp task shared (sum)
    __atomic_fetch_add (&sum, 10, __ATOMIC_RELAXED);
    if (omp_get_thread_num () % 2)
      {
#pragma omp barrier
      }
    else
      {
#pragma omp taskwait
#pragma omp barrier
      }
#pragma omp atomic
    seen++;
  }
  return sum == 2 + 10 * n ? seen : -1;
}

static int
nested (int n)
{
  int seen = 0;

#pragma omp parallel num_threads (n) reduction (+:seen)
  {
    int inner = 0;

    if (omp_get_thread_num () == n / 2)
      {
#pragma omp parallel num_threads (2) reduction (+:inner)
	{
#pragma omp barrier
	  inner++;
	}
      }
    else
      inner = 2;
    seen += inner == 2;
  }
  return seen;
}

static int
copies (int n)
{
  int seen = 0;

#pragma omp parallel num_threads (n) reduction (+:seen)
  {
    int copy = -1, r, right = 1;

    for (r = 0; r < 3; r++)
      {
#pragma omp single copyprivate (copy)
	copy = r;
	right &= copy == r;
      }
    seen += right;
  }
  return seen;
}

static int
ordered (int n)
{
  int seen = 0, next = 0, right = 1, i;

#pragma omp parallel num_threads (n) reduction (+:seen)
  {
#pragma omp for ordered schedule (dynamic)
    for (i = 0; i < 20; i++)
      {
#pragma omp ordered
	{
	  right &= next == i;
	  next = i + 1;
	}
      }
    seen++;
  }
  return right && next == 20 ? seen : -1;
}

static int
cancelled (int n)
{
  int seen = 0, after = 0;

#pragma omp parallel num_threads (n) shared (seen, after)
  {
#pragma omp atomic
    seen++;
    if (omp_get_thread_num () == n / 2)
      {
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp atomic
    after++;
  }
  /* Who sees it at once does not come to the barrier.  */
  return omp_get_cancellation () ? after == 0 ? n : -1 : after;
}

static int (*const kind[]) (int)
  = { empty, empty, barriers, empty, tasks, nested, copies, ordered,
      cancelled };
#define NKINDS (sizeof kind / sizeof kind[0])

static void *
root (void *seed)
{
  unsigned round = (uintptr_t) seed, n;

  omp_set_max_active_levels (2);
  while ((n = __atomic_fetch_add (&done, 1, __ATOMIC_RELAXED)) < regions)
    {
      int want = size[round % NSIZES], which = round / 3 % NKINDS;
      int got = kind[which] (want);

      if (got != want)
	{
	  printf ("a region of %d threads and kind %d: %d\n", want, which,
		  got);
	  CHECK (got == want);
	}
      round++;
    }
  return NULL;
}

static void *
watch (void *nothing)
{
  unsigned before = -1u, now, still = 0;

  while (still < 240)
    {
      usleep (500000);
      now = __atomic_load_n (&done, __ATOMIC_RELAXED);
      still = now == before ? still + 1 : 0;
      before = now;
    }
  printf ("no region ends any more, after %u\n", before);
  fflush (stdout);
  abort ();
  return nothing;
}

int
main (int argc, char **argv)
{
  int roots = argc > 1 ? atoi (argv[1]) : 3, i;
  pthread_t thread[64], watcher;

  regions = argc > 2 ? atoi (argv[2]) : 10000;
  if (roots > 64)
    return 2;
  CHECK (pthread_create (&watcher, NULL, watch, NULL) == 0);
  for (i = 0; i < roots; i++)
    CHECK (pthread_create (&thread[i], NULL, root,
			   (void *) (uintptr_t) (5 * i)) == 0);
  for (i = 0; i < roots; i++)
    pthread_join (thread[i], NULL);
  printf ("%u regions\n", regions);
  return AMP_RESULT;
}

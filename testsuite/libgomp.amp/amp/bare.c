/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops that may take no work share, among others that always do, in regions
   and teams of every kind: each iteration is run once each time, and the
   threads agree, whatever is said of the loops meanwhile, and although one of
   them chooses a schedule.  */
/* { amp-calls GOMP_loop_static_start GOMP_loop_ull_static_start } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts OMP_WAIT_POLICY=passive} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_TEAM=weighted GOMP_AMP_SF=3} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts OMP_CANCELLATION=true} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {OMP_SCHEDULE=static} {} {} } */
/* { amp-run {OMP_SCHEDULE=monotonic:static GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts,known GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@} {} {} } */

#include "amp-test.h"

#define MOST 70
#define ROUNDS 50

static unsigned times[8][MOST];
static int one;

static void
count (unsigned loop, long i)
{
  __atomic_fetch_add (&times[loop][i], 1, __ATOMIC_RELAXED);
}

/* Orphaned, by a long and an unsigned long long.  */

static void __attribute__ ((noinline))
down (long n)
{
#pragma omp for
  for (long i = 3 * n; i > 0; i -= 3)
    count (1, (i - 3) / 3);
}

static void __attribute__ ((noinline))
wide (unsigned long long n)
{
  unsigned long long i, last = ~0ULL;

#pragma omp for
  for (i = last - n; i < last; i++)
    count (2, i - (last - n));
}

static void __attribute__ ((noinline))
steps (long n, int round)
{
  for (int k = 0; k < ROUNDS; k++)
    {
#pragma omp for
      for (long i = 0; i < n; i++)
	count (0, i);
      down (n);
      if (k % 5 == 0)
#pragma omp single
	count (3, 0);
      wide (n);
#pragma omp for schedule (dynamic)
      for (long i = 0; i < n; i++)
	count (4, i);
#pragma omp for lastprivate (one)
      for (long i = 0; i < n; i++)
	{
	  one = i;
	  count (5, i);
	}
      CHECK (n == 0 || one == n - 1);
#pragma omp barrier
      /* What no compiler tells.  */
      if (omp_get_thread_num () == 1)
	CHECK (omp_get_ancestor_thread_num (-0x1000) == -1
	       && omp_get_ancestor_thread_num (-0x280) == -1);
      if (k == ROUNDS / 2 && round == 2 && omp_get_thread_num () == 1)
	omp_set_schedule (omp_sched_dynamic, 1);
    }
}

static void
inner (long n, int round)
{
  /* A team inside of a loop.  */
#pragma omp for
  for (long i = 0; i < n; i++)
    if (i % 16 == 0)
      {
#pragma omp parallel num_threads (2) if (round == 1)
#pragma omp for
	for (long j = 0; j < n; j++)
	  count (6, j);
      }
}

static int
check (unsigned loop, long n, unsigned often)
{
  for (long i = 0; i < MOST; i++)
    if (times[loop][i] != (i < n ? often : 0))
      return 0;
  return 1;
}

int
main (void)
{
  static const int teams[] = { 1, 2, 3, 5 };
  static const long ns[] = { 0, 1, 2, 3, 7, 20, MOST };

  omp_set_max_active_levels (2);
  for (int round = 0; round < 3; round++)
    for (unsigned t = 0; t < sizeof teams / sizeof teams[0]; t++)
      for (unsigned k = 0; k < sizeof ns / sizeof ns[0]; k++)
	{
	  long n = ns[k];

	  memset (times, 0, sizeof times);
#pragma omp parallel num_threads (teams[t])
	  {
	    steps (n, round);
	    inner (n, round);
	  }
	  CHECK (check (0, n, ROUNDS) && check (1, n, ROUNDS)
		 && check (2, n, ROUNDS) && check (4, n, ROUNDS)
		 && check (5, n, ROUNDS));
	  CHECK (check (3, 1, ROUNDS / 5));
	  CHECK (check (6, n, (n + 15) / 16));
	}
  return AMP_RESULT;
}

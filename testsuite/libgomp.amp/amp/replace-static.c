/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops that say schedule(static) and were compiled with
   -fopenmp-replace-static: even blocks unless GOMP_AMP_REPLACE says otherwise,
   and then blocks by speed that keep what static promises.  All loops of one
   length in a region have the same, one a thread, in order, so that each
   thread finds what it wrote itself without a barrier, and threads that wait
   for their neighbours' iterations by flags get on.  */
/* { amp-options -fopenmp-replace-static } */
/* { amp-calls GOMP_loop_static_start GOMP_loop_ull_static_start GOMP_loop_static_next } */
/* { amp-run {} {even} {} } */
/* { amp-run {OMP_SCHEDULE=static,1} {even} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 GOMP_AMP_AFFINITY=1} {even} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP=off} {even} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 GOMP_AMP_AFFINITY=1} {three} {} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=ich;static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=static,1} {three} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_REPORT=@DIR@/report GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 GOMP_AMP_AFFINITY=1} {three} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_DEBUG=known} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_DEBUG=seed=1} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_DEBUG=seed=2,delay=100} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_DEBUG=seed=3,contiguous OMP_SCHEDULE=ich} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 OMP_SCHEDULE=dynamic} {} {} } */

#include "amp-test.h"

#define N 1200
static int n = N;
static long a[N], b[N], c[N];
static int by[5][N], flag[N];

/* What the parts of one thread say: one block, and in order of threads.  */

static void
check_blocks (const int *who, int length)
{
  int wrong = 0;

  for (int i = 1; i < length; i++)
    wrong += who[i] < who[i - 1];
  CHECK (wrong == 0);
}

static void
check_same (const int *who, const int *other, int length)
{
  CHECK (memcmp (who, other, length * sizeof *who) == 0);
}

/* Loops of one length, of all types.  */

static void
alike (int threads)
{
  int wrong = 0;

  memset (by, -1, sizeof by);
  memset (a, 0, sizeof a);
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (static) nowait
    for (int i = 0; i < n; i++)
      {
	by[0][i] = omp_get_thread_num ();
	a[i]++;
      }
#pragma omp for schedule (static) nowait
    for (unsigned long long u = 0; u < (unsigned long long) n; u++)
      {
	by[1][u] = omp_get_thread_num ();
	a[u] = 2 * a[u];
      }
#pragma omp for schedule (static) nowait collapse (2)
    for (int i = 0; i < n / 3; i++)
      for (int j = 0; j < 3; j++)
	{
	  by[2][3 * i + j] = omp_get_thread_num ();
	  a[3 * i + j]++;
	}
    /* Another length, between.  */
#pragma omp for schedule (static) nowait
    for (int i = 0; i < n / 2; i++)
      b[i] = i;
    /* A step, and a loop without a clause right behind.  */
#pragma omp for schedule (static) nowait
    for (long i = 7; i < 7 + 5L * n; i += 5)
      {
	by[3][(i - 7) / 5] = omp_get_thread_num ();
	a[(i - 7) / 5] *= 3;
      }
#pragma omp for
    for (int i = 0; i < n; i++)
      {
	by[4][i] = omp_get_thread_num ();
	a[i]++;
      }
  }
  for (int i = 0; i < n; i++)
    wrong += a[i] != 10;
  CHECK (wrong == 0);
  for (int k = 0; k < 5; k++)
    {
      check_blocks (by[k], n);
      check_same (by[k], by[0], n);
    }
}

/* The mapping of static is that of the loop in another region, too: down and
   up are the same ordinals.  */

static void
combined (int threads)
{
  int first[N];

#pragma omp parallel for schedule (static) num_threads (threads)
  for (int i = n - 1; i >= 0; i--)
    first[n - 1 - i] = omp_get_thread_num ();
  check_blocks (first, n);
}

/* A wave of STEPS steps: iteration I of a step follows that of I - 1, which
   another thread may have, and its own of the step before.  */

#define STEPS 6

static void
wave (int threads)
{
  int wrong = 0;

  memset (flag, 0, sizeof flag);
  memset (c, 0, sizeof c);
#pragma omp parallel num_threads (threads)
  for (int step = 1; step <= STEPS; step++)
    {
#pragma omp for schedule (static) nowait
      for (int i = 0; i < 100; i++)
	{
	  int before;

	  if (i > 0)
	    do
	      {
#pragma omp atomic read acquire
		before = flag[i - 1];
		if (before < step)
		  sched_yield ();
	      }
	    while (before < step);
	  c[i] = i > 0 ? c[i - 1] + step : step;
#pragma omp atomic write release
	  flag[i] = step;
	}
    }
  /* Iteration I of the last step has seen I - 1's of that step or a later
     one, of which there is none.  */
  for (int i = 0; i < 100; i++)
    wrong += c[i] != (i + 1L) * STEPS;
  CHECK (wrong == 0);
}

/* Few iterations: one each.  */

static void
few (int threads)
{
  int who[8] = { 0 };

#pragma omp parallel num_threads (threads)
#pragma omp for schedule (static)
  for (int i = 0; i < threads; i++)
    who[i] = omp_get_thread_num ();
  for (int i = 0; i < threads; i++)
    CHECK (who[i] == i);
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      int limit = *argv[1] == 'e' ? N / 2 : N * 3 / 4, wrong = 0;

      alike (2);
      for (int i = 0; i < N; i++)
	wrong += by[0][i] != (i >= limit);
      CHECK (wrong == 0);
      return AMP_RESULT;
    }
  for (int threads = 1; threads <= 5; threads++)
    for (int round = 0; round < 20; round++)
      {
	n = round % 2 ? N : N - 3 * round;
	alike (threads);
	combined (threads);
	wave (threads);
	few (threads);
      }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Schedules whose threads have queues: exact cover of loops of every kind,
   also in teams whose last threads come late or are more than the CPUs, and
   of loops that no one can run to their end.  */
/* { amp-do none } */
/* { amp-env OMP_CANCELLATION=true } */
/* { amp-calls GOMP_loop_maybe_nonmonotonic_runtime_start GOMP_loop_ull_maybe_nonmonotonic_runtime_start } */
/* { amp-calls GOMP_loop_static_start GOMP_loop_ull_static_start } */
/* { amp-run {OMP_SCHEDULE=steal} {} {} } */
/* { amp-run {OMP_SCHEDULE=steal,7} {} {} } */
/* { amp-run {OMP_SCHEDULE=steal,2147483647} {} {} } */
/* { amp-run {OMP_SCHEDULE=nonmonotonic:ich} {} {} } */
/* { amp-run {OMP_SCHEDULE=ich,1} {} {} } */
/* { amp-run {OMP_SCHEDULE=ich,100} {} {} } */
/* { amp-run {OMP_SCHEDULE=binlpt} {} {} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ OMP_SCHEDULE=cluster_dynamic} {} {} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=cluster_dynamic,7} {} {} } */
/* { amp-run {OMP_SCHEDULE=cluster_dynamic} {} {} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ OMP_SCHEDULE=hetprobe} {} {} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=hetprobe,50} {} {} } */
/* { amp-run {OMP_SCHEDULE=hetprobe} {} {} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ OMP_SCHEDULE=hetprobe_i} {} {} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=hetprobe_i,20,10} {} {} } */
/* { amp-run {OMP_SCHEDULE=binlpt,1} {} {} } */
/* { amp-run {OMP_SCHEDULE=binlpt,5000} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3 OMP_SCHEDULE=steal,2} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3 OMP_SCHEDULE=ich} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3 OMP_SCHEDULE=ich,33,1} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2.5 OMP_SCHEDULE=ich,25,2} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=sb GOMP_AMP_SF=64 OMP_SCHEDULE=binlpt,40} {} {} } */

#include "amp-test.h"

#define N 5000

/* Not a constant to the compiler.  */
static volatile long zero = 0;

static void
loops (unsigned t)
{
  long i, lo = zero - 100, hi = N - 100 + zero;
  unsigned long long u, ulo = zero, uhi = N + zero;
  long sum = 0;

  amp_cover_begin ();
#pragma omp parallel for schedule (runtime) num_threads (t) reduction (+: sum)
  for (i = lo; i < hi; i++)
    {
      amp_visit (i - lo);
      sum += i;
    }
  CHECK (amp_covered (N));
  CHECK (sum == (lo + hi - 1) * N / 2);

  amp_cover_begin ();
#pragma omp parallel for num_threads (t)
  for (i = hi; i > lo; i -= 7)
    amp_visit ((hi - i) / 7);
  CHECK (amp_covered ((N + 6) / 7));

  amp_cover_begin ();
#pragma omp parallel for num_threads (t)
  for (u = ulo; u < uhi; u += 3)
    amp_visit (u / 3);
  CHECK (amp_covered ((N + 2) / 3));

  amp_cover_begin ();
#pragma omp parallel num_threads (t)
  {
    /* Some come late, and the first loop's queues are still in use when
       the second's are filled.  */
    amp_work (omp_get_thread_num () * 20000);
#pragma omp for schedule (runtime) nowait
    for (u = ulo; u < uhi; u++)
      amp_visit (u);
#pragma omp for schedule (runtime) nowait
    for (u = uhi; u > ulo; u -= 2)
      amp_visit (N + (uhi - u) / 2);
#pragma omp for
    for (u = ulo; u < uhi; u += 3)
      amp_visit (N + N / 2 + u / 3);
  }
  CHECK (amp_covered (N + N / 2 + (N + 2) / 3));

  /* Costs that differ, so that there is something to steal.  */
  amp_cover_begin ();
#pragma omp parallel for schedule (runtime) num_threads (t)
  for (i = 0; i < 300; i++)
    {
      amp_work (i < 30 ? 20000 : 10);
      amp_visit (i);
    }
  CHECK (amp_covered (300));

  for (hi = 0; hi < 20; hi++)
    {
      amp_cover_begin ();
#pragma omp parallel for schedule (runtime) num_threads (t)
      for (i = 0; i < hi; i++)
	amp_visit (i);
      CHECK (amp_covered (hi));
    }
}

/* The iterations that were begun in a loop that is too long to be run.  */

#define SOME 1000
static unsigned long long begun[SOME];
static int nbegun;

static int
compare (const void *a, const void *b)
{
  unsigned long long x = *(const unsigned long long *) a;
  unsigned long long y = *(const unsigned long long *) b;
  return x < y ? -1 : x > y;
}

static void
check_begun (unsigned long long n)
{
  CHECK (nbegun > 0 && nbegun < SOME);
  qsort (begun, nbegun, sizeof begun[0], compare);
  for (int i = 0; i < nbegun; i++)
    CHECK (begun[i] < n && (i == 0 || begun[i] != begun[i - 1]));
  nbegun = 0;
}

#define HUGE_LOOP(TYPE, FROM, COND, STEP, ORDINAL)			\
  _Pragma ("omp parallel num_threads (t)")				\
  {									\
    _Pragma ("omp for schedule (runtime)")				\
    for (TYPE x = FROM; COND; STEP)					\
      {									\
	int at = __atomic_fetch_add (&nbegun, 1, __ATOMIC_RELAXED);	\
	if (at < SOME)							\
	  begun[at] = (ORDINAL);					\
	if (at >= 60)							\
	  {								\
	    _Pragma ("omp cancel for")					\
	  }								\
	_Pragma ("omp cancellation point for")				\
      }									\
  }

static void
huge_loops (unsigned t)
{
  unsigned long long all = ULLONG_MAX;
  long least = LONG_MIN, most = LONG_MAX, half = LONG_MAX / 2;

  HUGE_LOOP (unsigned long long, zero, x < all, x++, x)
  check_begun (ULLONG_MAX);
  HUGE_LOOP (unsigned long long, all, x > 5, x -= 3, (all - x) / 3)
  check_begun (ULLONG_MAX / 3);
  HUGE_LOOP (long, least, x < most, x++,
	     (unsigned long) x - (unsigned long) least)
  check_begun (ULONG_MAX);
  HUGE_LOOP (long, half, x > 0, x--, half - x)
  check_begun (half);
}

/* These need the order of iterations.  */

static void
orders (unsigned t)
{
  int place = 0, wrong = 0, found = -1;

#pragma omp parallel for ordered schedule (runtime) num_threads (t)
  for (long i = 0; i < 200; i++)
    {
#pragma omp ordered
      wrong += place++ != i;
    }
  CHECK (place == 200 && wrong == 0);

#pragma omp parallel num_threads (t) reduction (+: wrong)
  {
    long last = -1;
#pragma omp for schedule (monotonic: runtime)
    for (long i = 0; i < 2000; i++)
      {
	wrong += i <= last;
	last = i;
      }
  }
  CHECK (wrong == 0);

#if __GNUC__ >= 10
#pragma omp parallel for schedule (runtime) num_threads (t) \
	lastprivate (conditional: found)
  for (long i = 0; i < 2000; i++)
    if (i % 97 == 5)
      found = i;
  CHECK (found == (1999 - 5) / 97 * 97 + 5);
#endif

  /* The last iteration's values, whoever stole what.  */
  for (int round = 0; round < 50; round++)
    {
      long last = -1, linear = 3;
#pragma omp parallel for schedule (runtime) num_threads (t) \
	lastprivate (last) linear (linear: 2)
      for (long i = 0; i < 400; i++)
	{
	  last = i;
	  amp_work (i % 50 == round ? 3000 : 0);
	  linear += 2;
	}
      CHECK (last == 399 && linear == 3 + 2 * 400);
    }
}

int
main (void)
{
  static const unsigned teams[] = { 1, 2, 3, 2, 7, 16, 4 };

  for (unsigned t = 0; t < sizeof teams / sizeof teams[0]; t++)
    {
      loops (teams[t]);
      if (teams[t] > 1)
	huge_loops (teams[t]);
      orders (teams[t]);
    }
  return AMP_RESULT;
}

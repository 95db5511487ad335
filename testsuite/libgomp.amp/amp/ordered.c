/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Ordered and doacross loops with schedule(runtime): under our schedules they
   fall back on dynamic, and they run in their order; those without a clause
   as well.  */
/* { amp-calls GOMP_loop_ordered_runtime_start GOMP_loop_doacross_runtime_start } */
/* { amp-calls GOMP_loop_ull_ordered_runtime_start GOMP_loop_ull_doacross_runtime_start } */
/* { amp-calls GOMP_loop_ordered_start GOMP_loop_doacross_start } */

#include "amp-test.h"

#define N 200

static long order[N];
static long place;

#define IN_ORDER(X)						\
  {								\
    amp_visit (X);						\
    _Pragma ("omp ordered")					\
    order[place++] = (X);					\
  }

static void
check_order (void)
{
  CHECK (amp_covered (N));
  CHECK (place == N);
  for (long i = 0; i < N; i++)
    CHECK (order[i] == i);
  place = 0;
  amp_cover_begin ();
}

static long grid[N + 1];

int
main (void)
{
  long i, sum = 0;
  unsigned long long u, n = N;

  /* Not a constant to the compiler.  */
  __asm__ ("" : "+r" (n));

  amp_cover_begin ();
  for (unsigned t = 1; t <= 4; t++)
    {
      omp_set_num_threads (t);
#pragma omp parallel for ordered schedule (runtime)
      for (i = 0; i < N; i++)
	IN_ORDER (i)
      check_order ();
#pragma omp parallel for ordered schedule (monotonic: runtime)
      for (i = N; i > 0; i--)
	IN_ORDER (N - i)
      check_order ();
#pragma omp parallel for ordered schedule (runtime)
      for (u = 0; u < n; u++)
	IN_ORDER (u)
      check_order ();
#pragma omp parallel for ordered
      for (i = 0; i < N; i++)
	IN_ORDER (i)
      check_order ();
      sum = 0;
#pragma omp parallel
#pragma omp for ordered schedule (runtime) reduction (task, +: sum)
      for (i = 0; i < N; i++)
	{
	  IN_ORDER (i)
#pragma omp task in_reduction (+: sum)
	  sum += i;
	}
      check_order ();
      CHECK (sum == N * (N - 1) / 2);

#define DO_PRAGMA(TEXT) _Pragma (#TEXT)
#define CHAIN(VAR, LIMIT, CLAUSES)					\
      grid[0] = 1;						\
      _Pragma (CLAUSES)						\
      for (VAR = 1; VAR <= LIMIT; VAR++)				\
	{							\
	  DO_PRAGMA (omp ordered depend (sink: VAR - 1))	\
	  grid[VAR] = grid[VAR - 1] + VAR;			\
	  amp_visit (VAR - 1);					\
	  _Pragma ("omp ordered depend (source)")		\
	}							\
      CHECK (grid[N] == 1 + N * (N + 1) / 2);			\
      CHECK (amp_covered (N));					\
      amp_cover_begin ();

      CHAIN (i, N, "omp parallel for ordered (1) schedule (runtime)")
      CHAIN (u, n, "omp parallel for ordered (1) schedule (runtime)")
      CHAIN (i, N, "omp parallel for ordered (1)")

      sum = 0;
      grid[0] = 1;
#pragma omp parallel
#pragma omp for ordered (1) schedule (runtime) reduction (task, +: sum)
      for (i = 1; i <= N; i++)
	{
#pragma omp task in_reduction (+: sum)
	  sum += i;
#pragma omp ordered depend (sink: i - 1)
	  grid[i] = grid[i - 1] + i;
	  amp_visit (i - 1);
#pragma omp ordered depend (source)
	}
      CHECK (grid[N] == 1 + N * (N + 1) / 2);
      CHECK (sum == N * (N + 1) / 2);
      CHECK (amp_covered (N));
      amp_cover_begin ();
    }
  return AMP_RESULT;
}

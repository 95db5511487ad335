/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops that a task reduction sends through GOMP_loop_start and
   GOMP_loop_ull_start, alone and combined with parallel.  */
/* { amp-calls GOMP_loop_start GOMP_loop_ull_start } */

#include "amp-test.h"

#define BODY(ORDINAL)						\
  {								\
    amp_visit (ORDINAL);					\
    _Pragma ("omp task in_reduction (+: sum)")			\
    sum += 1;							\
  }

static void
run (long a, long b, unsigned nthreads)
{
  long sum = 0, i;

  amp_cover_begin ();
#pragma omp parallel num_threads (nthreads)
#pragma omp for reduction (task, +: sum) schedule (runtime)
  for (i = a; i < b; i++)
    BODY (i - a)
  CHECK (amp_covered (b - a));
  CHECK (sum == b - a);

  sum = 0;
  amp_cover_begin ();
#pragma omp parallel for reduction (task, +: sum) schedule (runtime) \
	num_threads (nthreads)
  for (i = b; i > a; i--)
    BODY (b - i)
  CHECK (amp_covered (b - a));
  CHECK (sum == b - a);

  sum = 0;
  amp_cover_begin ();
#pragma omp parallel for reduction (task, +: sum) num_threads (nthreads) \
	schedule (monotonic: runtime)
  for (i = a; i < b; i++)
    BODY (i - a)
  CHECK (amp_covered (b - a));
  CHECK (sum == b - a);

  sum = 0;
  amp_cover_begin ();
#pragma omp parallel num_threads (nthreads)
#pragma omp for reduction (task, +: sum) schedule (runtime)
  for (unsigned long long u = a; u < (unsigned long long) b; u++)
    BODY (u - a)
  CHECK (amp_covered (b - a));
  CHECK (sum == b - a);
}

int
main (void)
{
  for (unsigned t = 1; t <= 4; t++)
    {
      run (10, 200, t);
      run (10, 10, t);
    }
  return AMP_RESULT;
}

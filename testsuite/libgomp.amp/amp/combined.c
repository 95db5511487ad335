/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Combined parallel loops.  Those of constant bounds are begun before the team
   runs; the others after it has started.  */
/* { amp-calls GOMP_parallel_loop_maybe_nonmonotonic_runtime GOMP_parallel_loop_runtime } */
/* { amp-calls GOMP_parallel GOMP_loop_static_start GOMP_loop_ull_static_start } */
/* { amp-do rows types } */
/* { amp-optimize -O2 -O0 } */

#include "amp-test.h"

#define CONSTANT(SCHEDULE, N)						\
  do									\
    {									\
      amp_cover_begin ();						\
      _Pragma (SCHEDULE)						\
      for (i = 0; i < N; i++)						\
	amp_visit (i);							\
      CHECK (amp_covered (N));						\
      amp_cover_begin ();						\
      _Pragma (SCHEDULE)						\
      for (i = N; i > 0; i -= 3)					\
	amp_visit ((N - i) / 3);					\
      CHECK (amp_covered ((N + 2) / 3));				\
    }									\
  while (0)

static void
constant (unsigned nthreads)
{
  long i;

  omp_set_num_threads (nthreads);
  CONSTANT ("omp parallel for", 1000);
  CONSTANT ("omp parallel for schedule (runtime)", 1000);
  CONSTANT ("omp parallel for schedule (monotonic: runtime)", 1000);
  CONSTANT ("omp parallel for schedule (nonmonotonic: runtime)", 1000);
  CONSTANT ("omp parallel for", 1);
  CONSTANT ("omp parallel for num_threads (nthreads + 1)", 64);
  CONSTANT ("omp parallel for if (nthreads & 1)", 64);
}

static void
variable (unsigned nthreads, long a, long b)
{
  unsigned long long u;

  omp_set_num_threads (nthreads);
  amp_cover_begin ();
#pragma omp parallel for
  for (long i = a; i < b; i++)
    amp_visit (i - a);
  CHECK (amp_covered (b - a));
  amp_cover_begin ();
#pragma omp parallel for schedule (runtime)
  for (long i = b; i > a; i--)
    amp_visit (b - i);
  CHECK (amp_covered (b - a));
  amp_cover_begin ();
#pragma omp parallel for
  for (u = (unsigned long long) a; u < (unsigned long long) b; u++)
    amp_visit (u - a);
  CHECK (amp_covered (b - a));
  amp_cover_begin ();
#pragma omp parallel for collapse (2)
  for (long i = a; i < b; i++)
    for (long j = 0; j < 7; j++)
      amp_visit ((i - a) * 7 + j);
  CHECK (amp_covered (7 * (b - a)));
  amp_cover_begin ();
#pragma omp parallel for simd
  for (long i = a; i < b; i++)
    amp_visit (i - a);
  CHECK (amp_covered (b - a));
}

int
main (void)
{
  static const unsigned teams[] = { 1, 2, 3, 2, 9, 16, 1, 4 };

  for (unsigned t = 0; t < sizeof teams / sizeof teams[0]; t++)
    {
      constant (teams[t]);
      variable (teams[t], 100, 900);
      variable (teams[t], 5, 5);
    }
  return AMP_RESULT;
}

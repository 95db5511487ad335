/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Cancelled loops and regions: no iteration runs twice, what was not run is not
   run later, and the loops after it are whole.  */
/* { amp-env OMP_CANCELLATION=true } */

#include "amp-test.h"

#define N 2000

static int
once_at_most (void)
{
  for (int i = 0; i < 3 * N; i++)
    if (amp_seen[i] > 1)
      return 0;
  return 1;
}

static void
whole (unsigned nthreads)
{
  amp_cover_begin ();
#pragma omp parallel for num_threads (nthreads)
  for (int i = 0; i < N; i++)
    amp_visit (i);
  CHECK (amp_covered (N));
}

int
main (void)
{
  CHECK (omp_get_cancellation ());
  for (int round = 0; round < 5; round++)
    for (unsigned t = 1; t <= 4; t++)
      {
	unsigned long long after = 0;
	amp_cover_begin ();
#pragma omp parallel num_threads (t)
	{
#pragma omp for
	  for (int i = 0; i < N; i++)
	    {
	      amp_visit (i);
	      if (i == 100 * round)
		{
#pragma omp cancel for
		}
#pragma omp cancellation point for
	    }
	  /* The team lives on.  */
#pragma omp for schedule (runtime) reduction (+: after)
	  for (unsigned long long u = 0; u < N; u++)
	    after += u;
	}
	CHECK (once_at_most ());
	CHECK (amp_seen[100 * round] == 1);
	CHECK (after == N * (N - 1ULL) / 2);
	whole (t);

	amp_cover_begin ();
#pragma omp parallel num_threads (t)
	{
#pragma omp for nowait
	  for (int i = 0; i < N; i++)
	    amp_visit (i);
	  if (omp_get_thread_num () == (int) t - 1)
	    {
#pragma omp cancel parallel
	    }
#pragma omp for schedule (runtime) nowait
	  for (int i = 0; i < N; i++)
	    amp_visit (N + i);
#pragma omp cancellation point parallel
#pragma omp for
	  for (int i = 0; i < N; i++)
	    amp_visit (2 * N + i);
	}
	CHECK (once_at_most ());
	whole (t);

	amp_cover_begin ();
#pragma omp parallel for num_threads (t) schedule (runtime)
	for (unsigned long long u = 0; u < N; u++)
	  {
	    amp_visit (u);
	    if (u == 50)
	      {
#pragma omp cancel for
	      }
	  }
	CHECK (once_at_most ());
	whole (t);
      }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* More threads than CPUs, up to 64, more threads than iterations, and lanes
   that arrive late.  */
/* { amp-run {GOMP_AMP_DEBUG=seed=9,delay=200} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=seed=10,delay=200,contiguous} {} {} } */
/* { amp-do rows types } */

#include "amp-test.h"

int
main (void)
{
  static const unsigned teams[] = { 64, 16, 33, 64, 5, 63, 64 };
  static const long sizes[] = { 1, 40, 64, 1000 };

  for (unsigned t = 0; t < sizeof teams / sizeof teams[0]; t++)
    {
      unsigned long long present = 0;
      for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
	{
	  long n = sizes[k];
	  amp_cover_begin ();
#pragma omp parallel num_threads (teams[t])
	  {
	    CHECK (omp_get_num_threads () == (int) teams[t]);
	    CHECK (omp_get_thread_num () < (int) teams[t]);
	    if (k == 0)
	      __atomic_fetch_or (&present, 1ULL << omp_get_thread_num (),
				 __ATOMIC_RELAXED);
#pragma omp for nowait
	    for (long i = 0; i < n; i++)
	      amp_visit (i);
	    if (omp_get_thread_num () % 7 == 3)
	      amp_work (20000);
#pragma omp for schedule (runtime)
	    for (long i = n; i > 0; i--)
	      amp_visit (2 * n - i);
	  }
	  CHECK (amp_covered (2 * n));
	}
      CHECK (present == ~0ULL >> (64 - teams[t]));
    }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* With monotonic:, a thread's chunks come in the order of the iterations.  */

#include "amp-test.h"

int
main (void)
{
  long i, n = 3000;

  for (unsigned t = 1; t <= 5; t++)
    {
      amp_cover_begin ();
#pragma omp parallel num_threads (t)
      {
	long last = -1;
	unsigned long long ulast = n + 1;
#pragma omp for schedule (monotonic: runtime)
	for (i = 0; i < n; i++)
	  {
	    CHECK (i > last);
	    last = i;
	    amp_visit (i);
	  }
#pragma omp for schedule (monotonic: runtime)
	for (unsigned long long u = n; u > 0; u--)
	  {
	    CHECK (u < ulast);
	    ulast = u;
	    amp_visit (2 * n - u);
	  }
      }
      CHECK (amp_covered (2 * n));
    }
  return AMP_RESULT;
}

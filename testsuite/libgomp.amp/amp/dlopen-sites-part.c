/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What dlopen-sites.c loads, in two variants that differ in data only:
   expensive iterations come last or first, and the steps differ.  */

#include "amp-test.h"

static volatile long step = STEP;

int
run (void)
{
  for (int round = 0; round < 20; round++)
    {
      long s = step, n = 700 + round;

      amp_cover_begin ();
#pragma omp parallel for num_threads (2)
      for (long i = 0; i < s * n; i += s)
	{
	  amp_work (s == 1 ? i : s * n - i);
	  amp_visit (i / s);
	}
      CHECK (amp_covered (n));
      amp_cover_begin ();
#pragma omp parallel num_threads (3)
#pragma omp for schedule (runtime)
      for (unsigned long long u = s * n; u > 0; u -= s)
	amp_visit (u / s - 1);
      CHECK (amp_covered (n));
    }
  return AMP_RESULT;
}

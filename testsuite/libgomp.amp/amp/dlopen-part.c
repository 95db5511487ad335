/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What dlopen.c loads.  */

#include "amp-test.h"

int
run (int nthreads)
{
  amp_cover_begin ();
#pragma omp parallel for num_threads (nthreads)
  for (int i = 0; i < 500; i++)
    amp_visit (i);
  CHECK (amp_covered (500));
  amp_cover_begin ();
#pragma omp parallel num_threads (nthreads)
#pragma omp for schedule (runtime)
  for (long i = 500; i > 0; i -= 3)
    amp_visit ((500 - i) / 3);
  CHECK (amp_covered (167));
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A fork without exec after a region: the child has none of the pool's threads
   (OpenMP regions of several threads are not to be had in it, on any
   libgomp), but its loops in teams of one run, and the parent goes on.  */

#include "amp-test.h"

static void
region (unsigned nthreads)
{
  amp_cover_begin ();
#pragma omp parallel num_threads (nthreads)
  {
#pragma omp for
    for (int i = 0; i < 300; i++)
      amp_visit (i);
#pragma omp for schedule (runtime)
    for (int i = 0; i < 300; i++)
      amp_visit (300 + i);
  }
  CHECK (amp_covered (600));
}

static int
loops (int nthreads)
{
  amp_cover_begin ();
#pragma omp for
  for (int i = 0; i < 300; i++)
    amp_visit (i);
  CHECK (amp_covered (300));
  region (nthreads);
  return AMP_RESULT == 0;
}

int
main (void)
{
  for (int round = 0; round < 3; round++)
    {
      region (3);
      CHECK (amp_in_child (loops, 1));
      region (2 + round);
    }
  return AMP_RESULT;
}

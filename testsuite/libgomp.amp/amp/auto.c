/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* auto, and no schedule at all: each iteration once, however often a loop is
   executed and whatever is tried for it, also where iterations are uneven, the
   speed of threads changes and several loops are under way.  */
/* The loops take their schedule at run time although their bodies watch the
   threads.  */
/* { amp-options -fopenmp-default-schedule=free } */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do none } */
/* { amp-run {OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {OMP_SCHEDULE=AUTO} {} {} } */
/* { amp-run {OMP_SCHEDULE=nonmonotonic:auto} {} {} } */
/* { amp-run {} {} {} } */
/* { amp-run {OMP_SCHEDULE=auto GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {OMP_SCHEDULE=auto GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1} {} {} } */
/* { amp-run {OMP_SCHEDULE=auto GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=1,3} {} {} } */
/* { amp-run {OMP_SCHEDULE=auto GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=9} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=sb} {} {} } */

#include "amp-test.h"

static void __attribute__ ((noinline))
loops (long n, unsigned t, unsigned weight)
{
  amp_cover_begin ();
#pragma omp parallel num_threads (t)
  {
#pragma omp for
    for (long i = 0; i < n; i++)
      {
	amp_work (omp_get_thread_num () == 0 ? weight : 10);
	amp_visit (i);
      }
    /* The expensive iterations come last.  */
#pragma omp for nowait
    for (unsigned long long u = 0; u < (unsigned long long) n; u++)
      {
	amp_work (u > (unsigned long long) n * 7 / 8 ? 300 : 1);
	amp_visit (n + u);
      }
#pragma omp for schedule (runtime) nowait
    for (int i = (int) n; i > 0; i--)
      amp_visit (2 * n + n - i);
  }
#pragma omp parallel for num_threads (t) collapse (2)
  for (long i = 0; i < n / 10; i++)
    for (int j = 0; j < 10; j++)
      amp_visit (3 * n + i * 10 + j);
  CHECK (amp_covered (3 * n + n / 10 * 10));
}

int
main (void)
{
  for (unsigned round = 0; round < 200; round++)
    loops (500, 2, round < 100 ? 200 : 10);
  for (unsigned round = 0; round < 150; round++)
    loops (500 + round, 2 + round % 2, 40);
  for (unsigned round = 0; round < 100; round++)
    loops (1 + round % 40, 3, 1);
  for (unsigned round = 0; round < 4; round++)
    loops (20000, 2, 1);
  return AMP_RESULT;
}

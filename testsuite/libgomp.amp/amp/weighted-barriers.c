/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Threads of a weighted team that share a CPU meet before the team's barriers:
   what one has written before a barrier all see after it, 100000 times, and at
   each end of a region.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2} {3} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4} {5} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=1.5} {5} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_WAIT_POLICY=passive} {5} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2 OMP_CANCELLATION=true} {3} {} } */

#include "amp-test.h"

#define ROUNDS 100000
#define REGIONS 10000

static struct { int value; char fill[60]; } slot[64];

int
main (int argc, char **argv)
{
  int want = argc > 1 ? atoi (argv[1]) : 0, wrong = 0, round;

  CHECK (omp_get_max_threads () == want);
#pragma omp parallel reduction (+:wrong)
  {
    int me = omp_get_thread_num (), n = omp_get_num_threads (), r;

    CHECK (n == want);
    for (r = 1; r <= ROUNDS; r++)
      {
	slot[me].value = r;
#pragma omp barrier
	wrong += slot[(me + r) % n].value != r;
#pragma omp barrier
      }
  }
  CHECK (wrong == 0);

  for (round = 1; round <= REGIONS; round++)
    {
#pragma omp parallel
      slot[omp_get_thread_num ()].value = -round;
      for (int t = 0; t < want; t++)
	wrong += slot[t].value != -round;
    }
  CHECK (wrong == 0);

  /* Barriers at the ends of loops, sections and single.  */
#pragma omp parallel reduction (+:wrong)
  for (int r = 0; r < 2000; r++)
    {
      int copy = -1;
#pragma omp for
      for (int i = 0; i < want; i++)
	slot[i].value = r + i;
      wrong += slot[(r + omp_get_thread_num ()) % want].value
	       != r + (r + omp_get_thread_num ()) % want;
#pragma omp barrier
#pragma omp sections
      {
#pragma omp section
	slot[0].value = r + 7;
#pragma omp section
	slot[1].value = r + 8;
      }
      wrong += slot[0].value != r + 7 || slot[1].value != r + 8;
#pragma omp single
      slot[2].value = r + 9;
      wrong += slot[2].value != r + 9;
#pragma omp single copyprivate (copy)
      copy = r;
      wrong += copy != r;
#pragma omp barrier
    }
  CHECK (wrong == 0);
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Cancellation in weighted teams, enabled and not.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2 OMP_CANCELLATION=true} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_CANCELLATION=true} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4} {} {} } */

#include "amp-test.h"

int
main (void)
{
  int enabled = omp_get_cancellation (), round;

  for (round = 0; round < 300; round++)
    {
      int after = 0, run = 0;

#pragma omp parallel reduction (+:after, run)
      {
#pragma omp for
	for (int i = 0; i < 100; i++)
	  {
	    run++;
	    if (i == round % 100)
	      {
#pragma omp cancel for
	      }
#pragma omp cancellation point for
	  }
#pragma omp barrier
	if (omp_get_thread_num () == round % omp_get_num_threads ())
	  {
#pragma omp cancel parallel
	  }
#pragma omp barrier
	after++;
      }
      CHECK (enabled ? after == 0 : after == omp_get_max_threads ());
      /* What is cancelled is not summed up.  */
      CHECK (enabled || run == 100);
      after = 0;
#pragma omp parallel reduction (+:after)
      {
#pragma omp barrier
	after++;
      }
      CHECK (after == omp_get_max_threads ());
    }
  return AMP_RESULT;
}

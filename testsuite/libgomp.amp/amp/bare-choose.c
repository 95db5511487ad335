/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A loop so short that static has dealt it for long, and then by the schedule
   that the program chooses: iteration 0 waits for all the others.  */
/* The loop takes its schedule at run time although threads wait in it.  */
/* { amp-options -fopenmp-default-schedule=free } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@} {} {} } */

#include "amp-test.h"

#define N 20

static unsigned done, last;
static int waits;

static void
loops (long times)
{
  long i, k;

#pragma omp parallel num_threads (2) private (k)
  for (k = 0; k < times; k++)
    {
#pragma omp for
      for (i = 0; i < N; i++)
	{
	  double begin = omp_get_wtime ();

	  while (waits && i == 0
		 && __atomic_load_n (&done, __ATOMIC_RELAXED) != N - 1
		 && omp_get_wtime () < begin + 100)
	    sched_yield ();
	  if (__atomic_fetch_add (&done, 1, __ATOMIC_RELAXED) == N - 1)
	    last = i;
	}
    }
}

int
main (void)
{
  loops (5000);
  omp_set_schedule (omp_sched_dynamic, 1);
  waits = 1;
  done = 0;
  loops (1);
  CHECK (done == N && last == 0);
  return AMP_RESULT;
}

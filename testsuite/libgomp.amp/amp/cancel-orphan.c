/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A thread cancels the region between functions of another file, whose loops say
   nowait: nobody waits for it there, and what an iteration needs of the loop
   before is there.  */
/* { amp-also cancel-orphan-part.c } */
/* { amp-do none } */
/* { amp-run {OMP_CANCELLATION=true} {} {} } */
/* { amp-run {OMP_CANCELLATION=true GOMP_AMP_DEBUG=seed=1} {} {} } */
/* { amp-run {OMP_CANCELLATION=true GOMP_AMP=off} {} {} } */
/* { amp-run {OMP_CANCELLATION=false GOMP_AMP_DEBUG=verdicts} {} {} } */

#include <omp.h>
#include "amp-test.h"

extern void loops (int round);
extern int wrong;

int
main (void)
{
  for (int k = 0; k < 100; k++)
#pragma omp parallel num_threads (3)
    for (int round = 0; round < 50; round++)
      {
	loops (round);
	if (round == k % 50 && omp_get_thread_num () == k % 3)
	  {
#pragma omp cancel parallel
	  }
	loops (round);
#pragma omp cancellation point parallel
      }
  CHECK (wrong == 0);
  return AMP_RESULT;
}

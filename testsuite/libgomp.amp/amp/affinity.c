/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Where threads are bound: prints the CPUs that each thread of a team of two
   may use, and its type of core.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@:@B@} {} {0: @A@ type 0\n1: @B@ type 1\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@B@:@A@} {} {0: @B@ type 0\n1: @A@ type 1\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=on GOMP_AMP_TYPES=@B@:@A@} {} {0: @B@ type 0\n1: @A@ type 1\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=BS GOMP_AMP_TYPES=@B@:@A@} {} {0: @B@ type 0\n1: @A@ type 1\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=sb GOMP_AMP_TYPES=@B@:@A@} {} {0: @A@ type 1\n1: @B@ type 0\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=sb GOMP_AMP_TYPES=@A@:@B@} {} {0: @B@ type 1\n1: @A@ type 0\n} } */
/* { amp-run {GOMP_AMP_TYPES=@B@,@A@ GOMP_AMP_AFFINITY=1} {} {0: @B@ type 0\n1: @A@ type 0\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@B@-@B@} {} {0: @B@ type 0\n1: @B@ type 0\n} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@} {} {0: all\n1: all\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=0 GOMP_AMP_TYPES=@B@:@A@} {} {0: all\n1: all\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@B@:@A@ OMP_PLACES={@A@},{@B@}} {} {\nlibgomp: GOMP_AMP_AFFINITY does not bind threads[^\n]*\n0: @A@ type 1\n1: @B@ type 0\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@B@:@A@ OMP_PROC_BIND=false} {} {\nlibgomp: GOMP_AMP_AFFINITY does not bind threads[^\n]*\n0: all\n1: all\n} } */
/* { amp-run {{GOMP_CPU_AFFINITY=@A@ @B@} GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_AFFINITY=1} {} {\nlibgomp: GOMP_AMP_AFFINITY does not bind threads[^\n]*\n0: @A@ type 1\n1: @B@ type 0\n} } */

#define _GNU_SOURCE 1
#include "amp-test.h"

int
main (void)
{
  int type[2], cpu[2];

  fflush (stderr);
  /* The binding is the same in each region.  */
  for (int round = 0; round < 3; round++)
    {
#pragma omp parallel num_threads (2)
      {
	int me = omp_get_thread_num (), here = amp_bound_to ();

	if (round == 0)
	  {
	    cpu[me] = here;
	    type[me] = gomp_amp_get_core_type ();
	  }
	CHECK (here == cpu[me]
	       && (here < 0 || gomp_amp_get_core_type () == type[me]));
      }
    }
  for (int t = 0; t < 2; t++)
    if (cpu[t] < 0)
      printf ("%d: all\n", t);
    else
      printf ("%d: %d type %d\n", t, cpu[t], type[t]);
  return AMP_RESULT;
}

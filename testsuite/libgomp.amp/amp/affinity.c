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
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1} {} {0: @A@ type 0\n1: @B@ type 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_AFFINITY=1} {} {0: @B@ type 0\n1: @A@ type 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@B@,@A@ GOMP_AMP_AFFINITY=1} {} {0: @B@ type 0\n1: @A@ type 0\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@B@-@B@} {} {0: @B@ type 0\n1: @B@ type 0\n} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@} {} {0: all\n1: all\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=0 GOMP_AMP_TYPES=@B@:@A@} {} {0: all\n1: all\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@B@:@A@ OMP_PLACES={@A@},{@B@}} {} {\nlibgomp: GOMP_AMP_AFFINITY does not bind threads[^\n]*\n0: @A@ type 1\n1: @B@ type 0\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@B@:@A@ OMP_PROC_BIND=false} {} {\nlibgomp: GOMP_AMP_AFFINITY does not bind threads[^\n]*\n0: all\n1: all\n} } */
/* { amp-run {{GOMP_CPU_AFFINITY=@A@ @B@} GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_AFFINITY=1} {} {\nlibgomp: GOMP_AMP_AFFINITY does not bind threads[^\n]*\n0: @A@ type 1\n1: @B@ type 0\n} } */

#define _GNU_SOURCE 1
#include <sched.h>
#include "amp-test.h"

static int
cpus (cpu_set_t *set)
{
  CPU_ZERO (set);
  return sched_getaffinity (0, sizeof *set, set) == 0 ? CPU_COUNT (set) : -1;
}

int
main (int argc, char **argv)
{
  cpu_set_t set[2];
  int type[2], count[2], round, t, cpu, first = 1;

  (void) argc;
  (void) argv;
  /* The binding is the same in each region.  */
  for (round = 0; round < 3; round++)
    {
#pragma omp parallel num_threads (2)
      {
	int me = omp_get_thread_num ();
	cpu_set_t mine;
	int n = cpus (&mine);
	if (first)
	  {
	    set[me] = mine;
	    count[me] = n;
	    type[me] = gomp_amp_get_core_type ();
	  }
	else
	  {
	    CHECK (n == count[me]);
	    CHECK (CPU_EQUAL (&mine, &set[me]));
	  }
	if (n == 1)
	  CHECK (gomp_amp_get_core_type () == type[me]);
      }
      first = 0;
    }
  fflush (stderr);
  for (t = 0; t < 2; t++)
    if (count[t] != 1)
      printf ("%d: all\n", t);
    else
      for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
	if (CPU_ISSET (cpu, &set[t]))
	  printf ("%d: %d type %d\n", t, cpu, type[t]);
  return AMP_RESULT;
}

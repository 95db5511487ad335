/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Threads of weighted teams that the program binds in a region stay where it has
   put them, the first one as well, and threads of nested teams have the mask of
   the thread that made them.  A child process has the mask of its parent.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3} {@A@ @B@ 0} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3} {@B@ @A@ 0} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3} {@A@ @B@ 5} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3} {@B@ @A@ 5} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_CANCELLATION=true} {@A@ @B@ 1} {} } */
/* { amp-run {GOMP_AMP_TEAM=off} {@A@ @B@ 0} {} } */

#define _GNU_SOURCE 1
#include "amp-test.h"

static int cpu[2];

/* The calling thread is to run on CPU[I % 2] alone.  */

static void
pin (int i)
{
  cpu_set_t mask;

  CPU_ZERO (&mask);
  CPU_SET (cpu[i % 2], &mask);
  CHECK (sched_setaffinity (0, sizeof mask, &mask) == 0);
}

static int
pinned_p (int i)
{
  return amp_bound_to () == cpu[i % 2];
}

int
main (int argc, char **argv)
{
  if (argc < 4)
    return 2;
  cpu[0] = atoi (argv[1]);
  cpu[1] = atoi (argv[2]);
  omp_set_max_active_levels (2);
  /* Regions, long and short, before the threads are bound.  */
  for (int round = 0; round < atoi (argv[3]); round++)
    {
#pragma omp parallel num_threads (4)
      if (round % 2 == 0)
	usleep (1000);
    }
#pragma omp parallel num_threads (4)
  {
    pin (omp_get_thread_num ());
    usleep (2000);
  }
  CHECK (pinned_p (0));
  CHECK (omp_get_num_procs () == 1);
  for (int round = 0; round < 10; round++)
    {
#pragma omp parallel num_threads (4)
      {
	int me = omp_get_thread_num ();

	CHECK (pinned_p (me));
	if (round == 0)
	  {
#pragma omp critical
	    CHECK (amp_in_child (pinned_p, me));
	  }
#pragma omp parallel num_threads (3)
	CHECK (pinned_p (me));
	if (round % 2 == 0)
	  usleep (1000);
      }
      CHECK (pinned_p (0));
    }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Two threads that the kernel puts on one CPU, though there are two, wait for
   each other asleep, even if they are to spin; and spin again where each has a
   CPU of its own.  */
/* { amp-env OMP_WAIT_POLICY=active } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid,80} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_dynamic} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 OMP_SCHEDULE=steal} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 OMP_SCHEDULE=ich} {} {} } */

#define _GNU_SOURCE 1
#include <sys/resource.h>
#include "amp-test.h"

#define LOOPS 400

static cpu_set_t cpus[2];

/* How often threads went to sleep in LOOPS loops, both on one CPU or not.  */

static long __attribute__ ((noinline))
sleeps (int together)
{
  long slept = 0;

#pragma omp parallel num_threads (2) reduction (+ : slept)
  {
    struct rusage before, after;
    int me = omp_get_thread_num (), round;

    CHECK (sched_setaffinity (0, sizeof cpus[0], &cpus[together ? 0 : me])
	   == 0);
#pragma omp barrier
    CHECK (getrusage (RUSAGE_THREAD, &before) == 0);
    for (round = 0; round < LOOPS; round++)
      {
#pragma omp for
	for (long i = 0; i < 64; i++)
	  amp_work (100);
      }
    CHECK (getrusage (RUSAGE_THREAD, &after) == 0);
    slept = after.ru_nvcsw - before.ru_nvcsw;
  }
  return slept;
}

int
main (void)
{
  amp_find_cpus (cpus);
  if (amp_failures)
    return 1;
  for (unsigned round = 0; round < 3; round++)
    {
      long apart, together;

      /* Of two one waits for the other in each loop.  A thread that the system
	 stops for long makes the other sleep: one of some trials is enough.  */
      for (int trial = 0; trial == 0 || (trial < 20 && apart > LOOPS / 4);
	   trial++)
	{
	  apart = sleeps (0);
	  together = sleeps (1);
	}
      if (together < LOOPS / 2 || apart > LOOPS / 4)
	{
	  fprintf (stderr, "slept %ld times on one CPU, %ld on two\n",
		   together, apart);
	  return 1;
	}
    }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Threads that go to another CPU in the middle of loops.  */
/* The loops take their schedule at run time although their bodies watch the
   threads.  */
/* { amp-options -fopenmp-default-schedule=free } */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_hybrid,80} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_dynamic,1,5} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 OMP_SCHEDULE=ich,33,2} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=auto} {} {} } */

#define _GNU_SOURCE 1
#include "amp-test.h"

static cpu_set_t cpus[2];

static void
go (unsigned which)
{
  CHECK (sched_setaffinity (0, sizeof cpus[0], &cpus[which % 2]) == 0);
}

static void __attribute__ ((noinline))
loops (long n, unsigned round)
{
  amp_cover_begin ();
#pragma omp parallel num_threads (2)
  {
    unsigned me = omp_get_thread_num ();

    go (me + round / 8);
#pragma omp for
    for (long i = 0; i < n; i++)
      {
	if (i % 128 == 64)
	  go (i / 128 + round);
	amp_work (10);
	amp_visit (i);
      }
    /* Both on one CPU, or each on the other's, from the middle on.  */
#pragma omp for schedule (runtime)
    for (unsigned long long u = 0; u < (unsigned long long) n; u++)
      {
	if (u == (unsigned long long) n / 2)
	  go (round % 4 < 2 ? round : me + 1);
	amp_visit (n + u);
      }
  }
  CHECK (amp_covered (2 * n));
}

int
main (void)
{
  amp_find_cpus (cpus);
  if (amp_failures)
    return 1;
  for (unsigned round = 0; round < 80; round++)
    loops (1000 + round % 3, round);
  return AMP_RESULT;
}

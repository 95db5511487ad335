/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A library that saves the schedule, sets another one and restores what it
   found leaves loops without a clause as they were.  What is set otherwise is
   what it says.  */
/* { amp-do none } */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-run {} {unset} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@} {unset} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3} {unset} {} } */
/* { amp-run {OMP_SCHEDULE=dynamic,1} {dynamic} {} } */
/* { amp-run {OMP_SCHEDULE=dynamic} {dynamic} {} } */

#include "amp-test.h"

#define N 20000

/* Pieces of a loop without a clause, the fewest of some executions.  */

static long
pieces (void)
{
  long least = N;

  for (int round = 0; round < 5; round++)
    {
      long count = 0;
#pragma omp parallel num_threads (2) reduction (+: count)
      {
	long from, to;
	_Bool more;

	for (more = amp_loop_start (0, N, 1, &from, &to);
	     more; more = GOMP_loop_static_next (&from, &to))
	  count++;
	GOMP_loop_end ();
      }
      least = count < least ? count : least;
    }
  return least;
}

static int unset;

/* Whether the loop is as it was when the program began.  */

static int
as_begun (void)
{
  long n = pieces ();
  return unset ? n < N / 4 : n == N;
}

static void
save_and_restore (omp_sched_t other, int chunk)
{
  omp_sched_t kind, again;
  int parameter, second;

  omp_get_schedule (&kind, &parameter);
  omp_set_schedule (other, chunk);
  omp_set_schedule (kind, parameter);
  omp_get_schedule (&again, &second);
  CHECK (again == kind && second == parameter);
}

int
main (int argc, char **argv)
{
  omp_sched_t kind;
  int parameter;

  unset = argc > 1 && strcmp (argv[1], "unset") == 0;
  CHECK (as_begun ());
  save_and_restore (omp_sched_static, 0);
  CHECK (as_begun ());
  save_and_restore (omp_sched_guided, 7);
  save_and_restore ((omp_sched_t) omp_sched_aid_static, 3);
  CHECK (as_begun ());

  /* In between it is what was set.  */
  omp_get_schedule (&kind, &parameter);
  omp_set_schedule (omp_sched_dynamic, 100);
  CHECK (pieces () == N / 100);
  omp_set_schedule (omp_sched_static, 0);
  CHECK (pieces () <= 2);
  omp_set_schedule (kind, parameter);
  CHECK (as_begun ());

  /* Within a region: each thread has its own.  */
#pragma omp parallel num_threads (3)
  {
    save_and_restore (omp_sched_static, 5);
#pragma omp task if (0)
    save_and_restore (omp_sched_guided, 1);
  }
  CHECK (as_begun ());

  /* And a second time around, by what another library has saved.  */
  omp_get_schedule (&kind, &parameter);
  save_and_restore (omp_sched_auto, 0);
  omp_set_schedule (omp_sched_guided, 2);
  save_and_restore (omp_sched_static, 0);
  omp_set_schedule (kind, parameter);
  CHECK (as_begun ());
  return AMP_RESULT;
}

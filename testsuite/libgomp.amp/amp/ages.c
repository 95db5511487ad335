/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The blocks of a loop that is known follow when the slow thread changes: a plan
   that is kept for a site is made anew once the site has been observed
   again.  */
/* { amp-env OMP_WAIT_POLICY=passive OMP_SCHEDULE=aid_static } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_DEBUG=known} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1} {} {} } */

#include "amp-test.h"

#define N 60
#define ROUNDS 20000

/* An execution that is observed has a plan of its own, but not so many
   running.  */
#define RUNNING 24

/* The thread whose iterations take four times as long.  */
static int slow;

/* What thread 0 got.  */

static int __attribute__ ((noinline))
first_part (void)
{
  int i, mine = 0;

  amp_cover_begin ();
#pragma omp parallel num_threads (2)
#pragma omp for schedule (runtime)
  for (i = 0; i < N; i++)
    {
      usleep (omp_get_thread_num () == slow ? 200 : 50);
      amp_visit (i);
    }
  CHECK (amp_covered (N));
  for (i = 0; i < N; i++)
    mine += amp_by[i] == 0;
  return mine;
}

int
main (void)
{
  int turn, round, right;

  for (turn = 0; turn < 2; turn++)
    {
      slow = 1 - turn;
      for (round = right = 0; round < ROUNDS && right < RUNNING; round++)
	{
	  int mine = first_part ();

	  if (slow == 1 ? mine > N / 2 + N / 12 : mine < N / 2 - N / 12)
	    right++;
	  else
	    right = 0;
	}
      CHECK_IN (round < ROUNDS, slow == 1 ? "thread 1 slow" : "thread 0 slow");
    }
  return AMP_RESULT;
}

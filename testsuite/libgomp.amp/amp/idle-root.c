/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A second thread of the program's that has once run a region, and now sleeps
   beside its idle team, does not make the process crowded: loops go on being
   dealt in as few pieces as before.  Threads are bound, since a loop whose
   threads were moved leaves a pool for some time.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-options -pthread } */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-run {OMP_SCHEDULE=aid_static,1 GOMP_AMP_AFFINITY=1} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_AFFINITY=1} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static,1 GOMP_AMP_AFFINITY=1 GOMP_AMP_DEBUG=known} {} {} } */
/* { amp-run {} {} {} } */

#include <pthread.h>
#include "amp-test.h"

#define N 100000
#define ROUNDS 200	/* By then auto has settled.  */

static int team;

/* Pieces of one execution.  */

static long __attribute__ ((noinline))
execute (void)
{
  long pieces = 0, run = 0;

#pragma omp parallel num_threads (team) reduction (+: pieces, run)
  {
    long from, to;
    _Bool more;

    for (more = amp_loop_start (0, N, 1, &from, &to);
	 more; more = GOMP_loop_static_next (&from, &to))
      {
	pieces++;
	run += to - from;
	amp_work ((to - from) / 4);
      }
    GOMP_loop_end ();
  }
  CHECK (run == N);
  return pieces;
}

/* The least of some: now and then an execution is observed.  */

static long
least_pieces (void)
{
  long least = N;

  for (int round = 0; round < ROUNDS; round++)
    {
      long pieces = execute ();
      if (round >= ROUNDS / 2 && pieces < least)
	least = pieces;
    }
  return least;
}

static pthread_barrier_t meeting;

static void *
second_root (void *unused)
{
#pragma omp parallel num_threads (team)
  __asm__ ("");
  pthread_barrier_wait (&meeting);
  pthread_barrier_wait (&meeting);
  return unused;
}

int
main (void)
{
  pthread_t thread;
  long before, beside, after;

  team = omp_get_num_procs ();
  if (team > 64)
    team = 64;
  before = least_pieces ();
  pthread_barrier_init (&meeting, NULL, 2);
  if (pthread_create (&thread, NULL, second_root, NULL) != 0)
    {
      printf ("no thread\n");
      return 77;
    }
  pthread_barrier_wait (&meeting);
  beside = least_pieces ();
  pthread_barrier_wait (&meeting);
  pthread_join (thread, NULL);
  after = least_pieces ();
  CHECK (before < N / 20);
  CHECK (beside <= 4 * before + 16);
  CHECK (after <= 4 * before + 16);
  if (AMP_RESULT)
    fprintf (stderr, "pieces: %ld before, %ld beside, %ld after\n", before,
	     beside, after);
  return AMP_RESULT;
}

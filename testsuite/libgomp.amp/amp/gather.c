/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Where slow CPUs hold up regions, and nothing is set, the fast ones alone run
   them, if that takes less time.  Threads keep what is theirs, masks that the
   program has set stay, and between regions there are none but the program's
   own.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env OMP_NUM_THREADS=2 OMP_DYNAMIC=false } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_DEBUG=seed=3} {drawn @A@} {} } */
/* { amp-run {} {not @A@} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_PROC_BIND=true} {not @A@} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_PROC_BIND=false} {not @A@} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_CANCELLATION=true} {not @A@} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_hybrid} {not @A@} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP=off} {not @A@} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_TEAM=weighted GOMP_AMP_SF=1,1} {not @A@} {} } */

#define _GNU_SOURCE 1
#include "amp-test.h"
#include <pthread.h>

static int rounds_each = 1500;
static bool may_move;
static int fast;
static cpu_set_t all;
static long own;
#pragma omp threadprivate (own)

/* The calling thread, the first one, goes to the fast CPU, and may leave it.  */

static void
go_to_fast (void)
{
  cpu_set_t mask;

  CPU_ZERO (&mask);
  CPU_SET (fast, &mask);
  CHECK (sched_setaffinity (0, sizeof mask, &mask) == 0);
  CHECK (sched_setaffinity (0, sizeof all, &all) == 0);
}

/* In how many of `rounds_each' regions both threads are bound to the fast CPU.  The
   second one works for APART microseconds where it is not, TOGETHER where it
   is.  */

static int __attribute__ ((noipa))
rounds (unsigned apart, unsigned together)
{
  int gathered = 0;
  cpu_set_t now;
  long before = own;

  for (int r = 0; r < rounds_each; r++)
    {
      int bound[2] = { -1, -1 };

      if (r % 25 == 0)
	go_to_fast ();
#pragma omp parallel
      {
	int me = omp_get_thread_num ();

	bound[me] = amp_bound_to ();
	usleep (me == 0 ? 100 : bound[1] == fast ? together : apart);
	own++;
#pragma omp barrier
	own++;
      }
      CHECK (bound[1] == -1 || bound[1] == fast || !may_move);
      gathered += bound[1] == fast;
      now = amp_mask ();
      CHECK (CPU_EQUAL (&now, &all));
    }
#pragma omp parallel
  CHECK (own == before + 2 * rounds_each);
  return gathered;
}

/* A loop's iterations are each run once, wherever its threads are.  */

static void
cover (void)
{
  for (int r = 0; r < 200; r++)
    {
      amp_cover_begin ();
#pragma omp parallel
      {
	if (omp_get_thread_num () == 1)
	  usleep (500);
#pragma omp for schedule (runtime)
	for (int i = 0; i < 1000; i++)
	  amp_visit (i);
#pragma omp for schedule (dynamic, 7)
	for (int i = 1000; i < 2000; i++)
	  amp_visit (i);
#pragma omp single
	for (int i = 2000; i < 2010; i++)
	  {
#pragma omp task firstprivate (i)
	    amp_visit (i);
	  }
      }
      CHECK (amp_covered (2010));
    }
}

static void *
other_root (void *data)
{
#pragma omp parallel
  usleep (10);
  return data;
}

int
main (int argc, char **argv)
{
  bool may, drawn;
  int n;
  pthread_t other;

  if (argc < 3)
    return 2;
  may = strcmp (argv[1], "may") == 0;
  drawn = strcmp (argv[1], "drawn") == 0;
  may_move = may || drawn;
  if (!may)
    rounds_each = 200;
  fast = atoi (argv[2]);
  all = amp_mask ();
  n = rounds (600, 150);
  CHECK (may ? n > rounds_each / 2 : drawn ? n > rounds_each / 4 : n == 0);
  cover ();
  n = rounds (600, 150);
  CHECK (may ? n > rounds_each / 2 : drawn ? n > rounds_each / 4 : n == 0);

  /* Another thread's teams stay apart, and from then on this one's.  */
  CHECK (pthread_create (&other, NULL, other_root, NULL) == 0);
  CHECK (pthread_join (other, NULL) == 0);
  n = rounds (600, 150);
  CHECK (drawn ? n > rounds_each / 4 : n == 0);
  return AMP_RESULT;
}

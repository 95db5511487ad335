/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Tasks in weighted teams: all are run, whoever makes them and wherever the others
   wait; and one that only a thread that sleeps can run is run.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_SF=4 OMP_WAIT_POLICY=passive} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_CANCELLATION=true} {} {} } */

#include "amp-test.h"

static int
fib (int n)
{
  int a, b;

  if (n < 2)
    return n;
#pragma omp task shared (a)
  a = fib (n - 1);
#pragma omp task shared (b)
  b = fib (n - 2);
#pragma omp taskwait
  return a + b;
}

/* Thread BY makes a task and waits, without a scheduling point, until it was run;
   the others go to a barrier, or, with AT_END, to the region's end.  */

static void
made_by (int threads, int by, int at_end)
{
  int done = 0;

#pragma omp parallel num_threads (threads) shared (done)
  {
    if (omp_get_thread_num () == by % omp_get_num_threads ())
      {
	/* The others are to sleep by then.  */
	for (int i = 0; i < 50; i++)
	  sched_yield ();
#pragma omp task shared (done)
	__atomic_store_n (&done, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n (&done, __ATOMIC_ACQUIRE))
	  sched_yield ();
      }
    if (!at_end)
      {
#pragma omp barrier
      }
  }
  CHECK (done);
}

int
main (void)
{
  int threads = omp_get_max_threads (), round, n, run = 0, order[3];

  for (round = 0; round < 60; round++)
    {
      int result = 0;

#pragma omp parallel shared (result)
      {
#pragma omp single nowait
	result = fib (9);
      }
      CHECK (result == 34);
#pragma omp parallel shared (result)
      {
#pragma omp single
	{
#pragma omp task shared (result)
	  result = fib (8);
	}
	CHECK (result == 21);
#pragma omp barrier
      }
    }

  for (round = 0; round < 300; round++)
    {
      /* Two threads are on one CPU if that is four times as fast.  */
      n = 2 + round % (threads - 1);
      made_by (n, round / 2, round % 2);
    }

  /* All threads make tasks, with dependences.  */
  for (round = 0; round < 100; round++)
    {
#pragma omp parallel reduction (+:run)
      {
	int x = 0;
#pragma omp task depend (out: x) shared (x)
	x = 1;
#pragma omp task depend (inout: x) shared (x)
	x = x == 1 ? 2 : -1;
#pragma omp taskwait
	run += x == 2;
#pragma omp taskgroup
	{
#pragma omp taskloop
	  for (int i = 0; i < 20; i++)
	    amp_work (100);
	}
#pragma omp task depend (out: order[0])
	amp_work (50);
      }
    }
  CHECK (run == 100 * threads);
  return AMP_RESULT;
}

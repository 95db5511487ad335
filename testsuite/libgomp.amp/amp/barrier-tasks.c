/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A thread that is still in a barrier runs no task that was made after it: what
   the thread writes first after the barrier would come after what such a task
   has written, and a task that waits for the thread would wait for ever.  Stock
   libgomp before GCC 16 does both (PR libgomp/122314).  */
/* { amp-do once types } */

#include "amp-test.h"

#define THREADS 8
#define TASKS 10
#define ROUNDS 2000

static struct { int tasks __attribute__ ((aligned (64))); } ran_by[THREADS];

/* Tasks that wait until all threads have left the barrier before.  */

static void
wait_for_all (void)
{
  int left = 0;

#pragma omp parallel num_threads (THREADS)
  for (int round = 1; round <= ROUNDS; round++)
    {
#pragma omp barrier
      __atomic_fetch_add (&left, 1, __ATOMIC_RELAXED);
#pragma omp single nowait
      for (int i = 0; i < THREADS / 2; i++)
#pragma omp task
	while (__atomic_load_n (&left, __ATOMIC_RELAXED) < THREADS * round)
	  sched_yield ();
#pragma omp barrier
    }
  CHECK (left == THREADS * ROUNDS);
}

int
main (void)
{
  int wrong = 0, smaller = 0;

  wait_for_all ();
#pragma omp parallel num_threads (THREADS)
  for (int round = 0; round < ROUNDS; round++)
    {
#pragma omp barrier
      ran_by[omp_get_thread_num ()].tasks = 0;
#pragma omp for
      for (int i = 0; i < TASKS; i++)
#pragma omp task
	ran_by[omp_get_thread_num ()].tasks++;
#pragma omp master
      {
	int sum = 0;
	for (int i = 0; i < THREADS; i++)
	  sum += ran_by[i].tasks;
	wrong += sum != TASKS;
	smaller += omp_get_num_threads () != THREADS;
      }
#pragma omp barrier
    }
  CHECK (smaller == 0);
  CHECK (wrong == 0);
  return AMP_RESULT;
}

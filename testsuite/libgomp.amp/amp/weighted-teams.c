/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Weighted teams of changing sizes, nested ones, two at a time, of threads that
   come and go, with locks, and around regions for a device; what threads are
   bound to in nested regions.  */
/* { amp-options -foffload=disable } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_CANCELLATION=true} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_SF=3 OMP_SCHEDULE=ich} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_SF=3 OMP_THREAD_LIMIT=6 OMP_WAIT_POLICY=active} {} {} } */

#define _GNU_SOURCE 1
#include <pthread.h>
#include "amp-test.h"

static cpu_set_t all;

static void
one (unsigned threads, unsigned barriers)
{
  unsigned long sum = 0;
  unsigned n = 0;

#pragma omp parallel num_threads (threads) reduction (+:sum)
  {
#pragma omp single
    n = omp_get_num_threads ();
    for (unsigned b = 0; b < barriers; b++)
      {
#pragma omp for schedule (static)
	for (int i = 0; i < 100; i++)
	  sum += i;
      }
#pragma omp for schedule (runtime) nowait
    for (int i = 0; i < 100; i++)
      sum += i;
  }
  CHECK (n <= threads && sum == 4950ul * (barriers + 1));
}

static void *
root (void *data)
{
  unsigned seed = (uintptr_t) data, round;

  for (round = 0; round < 200; round++)
    {
      seed = seed * 1103515245 + 12345;
      one (1 + seed / 65536 % 7, round % 3);
    }
  return NULL;
}

int
main (void)
{
  pthread_t thread[2];
  omp_lock_t lock;
  int counter = 0, in_lock = 0;

  all = amp_mask ();
  root ((void *) 1);

  /* Two at a time; their threads end with them.  */
  for (unsigned round = 0; round < 5; round++)
    {
      for (int i = 0; i < 2; i++)
	CHECK (pthread_create (&thread[i], NULL, root,
			       (void *) (uintptr_t) (round * 2 + i + 5)) == 0);
      one (4, 10);
      for (int i = 0; i < 2; i++)
	pthread_join (thread[i], NULL);
    }

  omp_pause_resource_all (omp_pause_soft);
  one (5, 5);

  omp_init_lock (&lock);
#pragma omp parallel
  for (int i = 0; i < 2000; i++)
    {
#pragma omp critical
      counter++;
      omp_set_lock (&lock);
      in_lock++;
      omp_unset_lock (&lock);
    }
  CHECK (counter == in_lock && counter % 2000 == 0 && counter >= 4000);
  omp_destroy_lock (&lock);
#pragma omp parallel
#pragma omp for ordered
  for (int i = 0; i < 50; i++)
    {
#pragma omp ordered
      CHECK (counter++ % 2000 == i);
    }

  /* A region for a device that runs on the host has a pool of its own, between
     regions and inside of one.  */
  for (unsigned round = 0; round < 20; round++)
    {
#pragma omp target if (0)
      {
	one (2 + round % 3, 1);
	one (4, 1);
      }
      one (2 + round % 4, 1);
#pragma omp parallel num_threads (3)
      {
#pragma omp target if (0)
	one (2 + round % 2, 1);
#pragma omp barrier
      }
    }

  /* Only the outermost team is placed.  */
  omp_set_max_active_levels (2);
  for (unsigned round = 0; round < 20; round++)
    {
      int inner = 0;

#pragma omp parallel num_threads (3) reduction (+:inner)
      {
#pragma omp parallel num_threads (2 + round % 2) reduction (+:inner)
	{
	  CHECK (omp_get_thread_num () == 0 || amp_has_mask (&all));
	  inner++;
#pragma omp barrier
	}
#pragma omp barrier
      }
      CHECK (inner >= 3);
      one (2 + round % 4, 2);
    }
  return AMP_RESULT;
}

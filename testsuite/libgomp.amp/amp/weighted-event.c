/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A task of a weighted team that is made ready by a thread that is none of the
   team's, or one of a team inside of it: threads that have met at a barrier or at
   the region's end run it, while the others compute.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_WAIT_POLICY=passive} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 OMP_CANCELLATION=true} {} {} } */
/* { amp-run {GOMP_AMP_TEAM=off} {} {} } */

#include <pthread.h>
#include "amp-test.h"

#if __GNUC__ < 11
int
main (void)
{
  printf ("no events before GCC 11\n");
  return 77;
}
#else

static omp_event_handle_t event;
static int started, ran;

static int
get (int *flag)
{
  return __atomic_load_n (flag, __ATOMIC_ACQUIRE);
}

static void
set (int *flag)
{
  __atomic_store_n (flag, 1, __ATOMIC_RELEASE);
}

static void *
fulfil (void *nothing)
{
  while (!get (&started))
    usleep (100);
  /* The team's idle threads are to sleep by then.  */
  usleep (20000);
  omp_fulfill_event (event);
  return nothing;
}

static void
one (int by_own_thread, int at_end)
{
  pthread_t other;
  int x = 0;

  started = ran = 0;
  if (!by_own_thread)
    CHECK (pthread_create (&other, NULL, fulfil, NULL) == 0);
#pragma omp parallel num_threads (4) shared (x)
  {
    int me = omp_get_thread_num ();

    if (me == 0)
      {
	omp_event_handle_t e;

#pragma omp task detach (e) depend (out: x) shared (x)
	{
	  event = e;
	  set (&started);
	}
#pragma omp task depend (in: x) shared (x)
	set (&ran);
      }
    /* Threads 2 and 3 compute, and one of them may fulfil the event in a team
       of its own.  */
    if (me == 2 && by_own_thread)
      {
#pragma omp parallel num_threads (2)
	if (omp_get_thread_num () == 1)
	  fulfil (NULL);
      }
    if (me >= 2)
      {
	double begun = omp_get_wtime ();

	while (!get (&ran) && omp_get_wtime () - begun < 60.0)
	  sched_yield ();
	CHECK (get (&ran));
      }
    if (!at_end)
      {
#pragma omp barrier
      }
  }
  if (!by_own_thread)
    pthread_join (other, NULL);
}

int
main (void)
{
  omp_set_max_active_levels (2);
  for (int round = 0; round < 8; round++)
    one (round % 2, round / 2 % 2);
  return AMP_RESULT;
}
#endif

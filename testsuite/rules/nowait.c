/* A loop that calls what is not known, and whose nowait is a barrier's.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <sched.h>
#include <unistd.h>
#include "rules.h"

CASE (unknown_calls)
{
#pragma omp parallel
  {
#pragma omp for nowait /* amp: ascending barrier instead of nowait */
    for (int i = 0; i < n; i++)
      put_far (&out0[i], mix_far (i, in[i & 63]));
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out1[i] = out0[i] * 3;
  }
}

/* Threads that wait for each other in a caller, far away or by a pointer.  */
static volatile int came[THREADS];

static void __attribute__ ((noinline))
far_0 (int n)
{
#pragma omp for nowait /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = in[i & 63];
}

FARTHER (far_1, far_0)
FARTHER (far_2, far_1)
FARTHER (far_3, far_2)
FARTHER (far_4, far_3)

static void __attribute__ ((noinline))
pointed (int n)
{
#pragma omp for nowait /* amp: static */
  for (int i = 0; i < n; i++)
    out1[i] = in[i & 63];
}

static void (*volatile pointer) (int) = pointed;

CASE (waits_around_far_loops)
{
  memset ((void *) came, 0, sizeof came);
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
    while (me > 0 && !came[me - 1])
      sched_yield ();
    far_4 (n);
    pointer (n);
    came[me] = 1;
  }
}

/* The compiler has an end of its own for threads without an iteration.  */
static volatile int past[THREADS];

CASE (goes_on_behind_either_end)
{
  memset ((void *) past, 0, sizeof past);
#pragma omp parallel
  {
    int held = -1;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      {
	held = held * 3 + i;
	out0[i] = held;
	for (int k = 0; i == n - 1 && !past[0] && k < 20000; k++)
	  usleep (100);
	out1[i] = i == n - 1 && past[0];
      }
    if (held >= 0)
      put_far (&tail[omp_get_thread_num ()], held);
    past[omp_get_thread_num ()] = 1;
  }
}

CASE (nowait_behind_a_static_loop)
{
#pragma omp parallel
  {
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = omp_get_thread_num ();
#pragma omp for nowait /* amp: any */
    for (int i = 0; i < n; i++)
      out1[i] = out0[i] * 3;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out2[i] = out1[i] + out0[i];
  }
}

/* The first thread waits, in front of the loop, for what the last one releases
   behind it.  */
CASE (lock_that_one_thread_holds)
{
  omp_lock_t l;
  omp_init_lock (&l);
#pragma omp parallel
  {
    int last = omp_get_num_threads () - 1;
    int holds = last > 0 && omp_get_thread_num () == last;
    if (holds)
      omp_set_lock (&l);
#pragma omp barrier
    if (omp_get_thread_num () == 0)
      {
	omp_set_lock (&l);
	omp_unset_lock (&l);
      }
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
    if (holds)
      omp_unset_lock (&l);
  }
  omp_destroy_lock (&l);
}

CASE (lock_that_one_thread_may_get)
{
  omp_lock_t l;
  omp_init_lock (&l);
#pragma omp parallel
  {
    int got = omp_get_thread_num () == omp_get_num_threads () - 1
	      && omp_test_lock (&l);
#pragma omp barrier
    if (omp_get_num_threads () > 1 && omp_get_thread_num () == 0)
      {
	omp_set_lock (&l);
	omp_unset_lock (&l);
      }
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
    if (got)
      omp_unset_lock (&l);
  }
  omp_destroy_lock (&l);
}

/* Gives back what it may hold and takes the next.  */
static void __attribute__ ((noinline))
take_next (omp_lock_t *held, omp_lock_t *next)
{
  if (held)
    omp_unset_lock (held);
  omp_set_lock (next);
}

CASE (lock_that_a_function_keeps)
{
  omp_lock_t l;
  omp_init_lock (&l);
#pragma omp parallel
  {
    take_next (NULL, &l);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
    omp_unset_lock (&l);
  }
  omp_destroy_lock (&l);
}

static omp_nest_lock_t again;

static __attribute__ ((noinline)) void
held_by_itself (int n, int deep)
{
  if (deep)
    {
      omp_set_nest_lock (&again);
      held_by_itself (n, 0);
      omp_unset_nest_lock (&again);
      return;
    }
#pragma omp for nowait /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = in[i & 63];
}

CASE (lock_that_its_own_caller_holds)
{
  omp_init_nest_lock (&again);
#pragma omp parallel
  held_by_itself (n, 1);
  omp_destroy_nest_lock (&again);
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Tasks that end only when a thread has come past a nowait loop: any barrier
   before that would wait for them for ever.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */

#include <omp.h>
#include "rely.h"

#define N 64

static int a[N], b[N];

static inline int
value (int round, int i)
{
  return round * 1009 + i * 7;
}

static long
compare (int round)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

/* A task that waits for a flag.  */

static long
flag (int round, int threads)
{
  int go = 0, ran = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp master
#pragma omp task shared (go, ran)
    {
      int seen;
      do
	{
	  rely_yield ();
#pragma omp atomic read seq_cst
	  seen = go;
	}
      while (!seen);
      ran = 1;
    }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      a[i] = value (round, i);
#pragma omp master
    {
#pragma omp atomic write seq_cst
      go = 1;
    }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  return compare (round) + !ran;
}

/* Tasks beside a chain, which the barriers of its loops may run.  */

static long
beside (int round, int threads)
{
  int ran = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp single nowait
    for (int k = 0; k < 8; k++)
#pragma omp task shared (ran)
      {
	rely_work (20);
#pragma omp atomic
	ran++;
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 0, i, N);
	a[i] = value (round, i);
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  return compare (round) + (ran != 8);
}

#if __GNUC__ >= 11

/* A detached task whose event is fulfilled after the loop: by the thread that
   made it, by another one, and in a function.  */

static long
fulfilled_after (int round, int threads)
{
  omp_event_handle_t event;
  int ran = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp master
#pragma omp task detach (event)
    ran++;
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      a[i] = value (round, i);
#pragma omp master
    omp_fulfill_event (event);
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  return compare (round) + (ran != 1);
}

static omp_event_handle_t the_event;
static int made;

static long
fulfilled_by_another (int round, int threads)
{
  int ran = 0;
  made = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp master
    {
      omp_event_handle_t event;
#pragma omp task detach (event)
      ran++;
      the_event = event;
#pragma omp atomic write seq_cst
      made = 1;
    }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      a[i] = value (round, i);
    if (omp_get_thread_num () == threads - 1)
      {
	int seen;
	do
	  {
	    rely_yield ();
#pragma omp atomic read seq_cst
	    seen = made;
	  }
	while (!seen);
	omp_fulfill_event (the_event);
      }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  return compare (round) + (ran != 1);
}

static void __attribute__ ((noinline))
fulfill (const omp_event_handle_t *event)
{
  omp_fulfill_event (*event);
}

static long
fulfilled_in_callee (int round, int threads)
{
  omp_event_handle_t event;
  int ran = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp master
#pragma omp task detach (event)
    ran++;
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      a[i] = value (round, i);
#pragma omp master
    fulfill (&event);
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  return compare (round) + (ran != 1);
}

/* Fulfilled before and in the chain: nobody waits for ever, and the chain is
   right.  */

static long
fulfilled_inside (int round, int threads)
{
  omp_event_handle_t first, second;
  int ran = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp single
    {
#pragma omp task detach (first)
#pragma omp atomic
      ran++;
#pragma omp task detach (second)
#pragma omp atomic
      ran++;
      omp_fulfill_event (first);
      /* The barrier of the single would wait for it.  */
      omp_fulfill_event (second);
    }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 1, i, N);
	a[i] = value (round, i);
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  return compare (round) + (ran != 2);
}
#endif

int
main (void)
{
  rely_add ("a task that waits", flag);
  rely_add ("tasks beside", beside);
#if __GNUC__ >= 11
  rely_add ("fulfilled after", fulfilled_after);
  rely_add ("fulfilled by another", fulfilled_by_another);
  rely_add ("fulfilled in a callee", fulfilled_in_callee);
  rely_add ("fulfilled inside", fulfilled_inside);
#endif
  return rely_run ();
}

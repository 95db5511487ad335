/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Tasks that end only when a thread has come past a nowait loop: any barrier
   before that would wait for them for ever.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */

#define N 64
#include "rely.h"

/* A loop, what is done BEHIND it, a barrier, and a loop that reads.  */
#define LOOPS(BEHIND)							\
    EACH (nowait, a[i] = value (round, i))				\
    BEHIND								\
    OMP (omp barrier)							\
    EACH (, DOUBLE)

/* A task that waits for a flag.  */

PATTERN (a_task_that_waits)
{
  int go = 0, ran = 0;
  TEAM
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
    LOOPS (OMP (omp master) { OMP (omp atomic write seq_cst) go = 1; })
  }
  return differ (b, 2, round, 0) + !ran;
}

/* Tasks in a region with a chain, whose barriers may run them.  */

PATTERN (tasks_around)
{
  int ran = 0;
  TEAM
  {
#pragma omp single nowait
    for (int k = 0; k < 8; k++)
#pragma omp task shared (ran)
      {
	rely_work (20);
#pragma omp atomic
	ran++;
      }
    EACH (nowait, WRITE (0))
    EACH (nowait, DOUBLE)
  }
  return differ (b, 2, round, 0) + (ran != 8);
}

#if __GNUC__ >= 11

/* A detached task whose event is fulfilled after the loop: by the thread that
   made it, by another one, and in a function.  */

PATTERN (fulfilled_after)
{
  omp_event_handle_t event;
  int ran = 0;
  TEAM
  {
#pragma omp master
#pragma omp task detach (event)
    ran++;
    LOOPS (OMP (omp master) omp_fulfill_event (event);)
  }
  return differ (b, 2, round, 0) + (ran != 1);
}

static omp_event_handle_t the_event;
static int made;

static void __attribute__ ((noinline))
await_event (void)
{
  int seen;
  do
    {
      rely_yield ();
#pragma omp atomic read seq_cst
      seen = made;
    }
  while (!seen);
}

PATTERN (fulfilled_by_another)
{
  int ran = 0;
  made = 0;
  TEAM
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
    LOOPS (if (omp_get_thread_num () == threads - 1)
	     {
	       await_event ();
	       omp_fulfill_event (the_event);
	     })
  }
  return differ (b, 2, round, 0) + (ran != 1);
}

static void __attribute__ ((noinline))
fulfill (const omp_event_handle_t *event)
{
  omp_fulfill_event (*event);
}

PATTERN (fulfilled_in_a_callee)
{
  omp_event_handle_t event;
  int ran = 0;
  TEAM
  {
#pragma omp master
#pragma omp task detach (event)
    ran++;
    LOOPS (OMP (omp master) fulfill (&event);)
  }
  return differ (b, 2, round, 0) + (ran != 1);
}

/* Fulfilled before and in the chain: nobody waits for ever, and the chain is
   right.  */

PATTERN (fulfilled_inside)
{
  omp_event_handle_t first, second;
  int ran = 0;
  TEAM
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
    EACH (nowait, WRITE (1))
    EACH (nowait, DOUBLE)
  }
  return differ (b, 2, round, 0) + (ran != 2);
}
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Regions that are cancelled between loops that rely on each other, and those
   after them that are not.  */
/* { amp-do rely } */
/* { amp-env OMP_CANCELLATION=true } */
/* { amp-also rely-part.c } */

#include "rely.h"

static void
forget (void)
{
  for (int i = 0; i < N; i++)
    a[i] = b[i] = c[i] = -1;
}

/* Of a, b and c.  */

static long
all_differ (int round, int cancelled)
{
  return (differ (a, 1, round, cancelled) + differ (b, 2, round, cancelled)
	  + differ (c, 3, round, cancelled));
}

PATTERN (all_cancel)
{
  int stop = round % 3 == 0;
  forget ();
  TEAM
  {
    EACH (nowait, WRITE (0))
#pragma omp cancel parallel if (stop)
    EACH (nowait, DOUBLE)
  }
  return differ (a, 1, round, stop) + differ (b, 2, round, stop);
}

PATTERN (one_cancels)
{
  int stop = round % 3 == 1;
  forget ();
  TEAM
  {
    int me = omp_get_thread_num ();
    EACH (nowait, WRITE (1))
    if (me == round % threads)
      {
#pragma omp cancel parallel if (stop)
      }
    EACH (nowait, rely_delay (round + 1, 2, i, N); DOUBLE)
#pragma omp cancellation point parallel
    EACH (, SUM)
  }
  return all_differ (round, stop);
}

PATTERN (after_static)
{
  int stop = round % 5 == 0;
  forget ();
  TEAM
  {
    EACH (schedule (static) nowait, WRITE (3))
    if (omp_get_thread_num () == round % threads)
      {
#pragma omp cancel parallel if (stop)
      }
    EACH (, DOUBLE)
#pragma omp cancellation point parallel
    EACH (nowait, SUM)
  }
  return all_differ (round, stop);
}

/* A loop that is cancelled, and a chain after it.  */

PATTERN (a_cancelled_loop)
{
  int stop = round % 2;
  forget ();
  TEAM
  {
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	c[i] = value (round, i);
	if (stop && i == round % N)
	  {
#pragma omp cancel for
	  }
#pragma omp cancellation point for
      }
    EACH (nowait, WRITE (4))
    EACH (nowait, DOUBLE)
  }
  return (differ (a, 1, round, 0) + differ (b, 2, round, 0)
	  + differ (c, 1, round, stop) + (c[round % N] == -1 && !stop));
}

/* Regions that could be cancelled and never are.  */

PATTERN (never)
{
  int stop = 0;
  forget ();
#pragma omp parallel num_threads (threads) firstprivate (stop)
  {
    EACH (nowait, WRITE (5))
#pragma omp cancel parallel if (stop)
    EACH (schedule (static) nowait, rely_delay (round + 1, 6, i, N); DOUBLE)
#pragma omp cancellation point parallel
    EACH (, SUM)
  }
  return all_differ (round, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Regions that are cancelled between loops that rely on each other, and those
   after them that are not.  */
/* { amp-do rely } */
/* { amp-env OMP_CANCELLATION=true } */
/* { amp-also rely-part.c } */

#include <omp.h>
#include "rely.h"

#define N 101

static int a[N], b[N], c[N];

static inline int
value (int round, int i)
{
  return round * 1009 + i * 7;
}

static void
forget (void)
{
  for (int i = 0; i < N; i++)
    a[i] = b[i] = c[i] = -1;
}

/* Of a cancelled round elements may be missing, but none is wrong.  */

static long
compare (const int *from, int factor, int round, int cancelled)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += (from[i] != factor * value (round, i)
	      && !(cancelled && from[i] == -1));
  return wrong;
}

static long
all_cancel (int round, int threads)
{
  int stop = round % 3 == 0;
  forget ();
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 0, i, N);
	a[i] = value (round, i);
      }
#pragma omp cancel parallel if (stop)
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  return compare (a, 1, round, stop) + compare (b, 2, round, stop);
}

static long
one_cancels (int round, int threads)
{
  int stop = round % 3 == 1;
  forget ();
#pragma omp parallel num_threads (threads)
  {
    int me = omp_get_thread_num ();
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 1, i, N);
	a[i] = value (round, i);
      }
    if (me == round % threads)
      {
#pragma omp cancel parallel if (stop)
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round + 1, 2, i, N);
	b[i] = 2 * a[i];
      }
#pragma omp cancellation point parallel
#pragma omp for
    for (int i = 0; i < N; i++)
      c[i] = b[i] + a[i];
  }
  return (compare (a, 1, round, stop) + compare (b, 2, round, stop)
	  + compare (c, 3, round, stop));
}

static long
after_static (int round, int threads)
{
  int stop = round % 5 == 0;
  forget ();
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (static) nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 3, i, N);
	a[i] = value (round, i);
      }
    if (omp_get_thread_num () == round % threads)
      {
#pragma omp cancel parallel if (stop)
      }
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
#pragma omp cancellation point parallel
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      c[i] = a[i] + b[i];
  }
  return (compare (a, 1, round, stop) + compare (b, 2, round, stop)
	  + compare (c, 3, round, stop));
}

/* A loop that is cancelled, and a chain after it.  */

static long
cancelled_loop (int round, int threads)
{
  int stop = round % 2;
  long wrong;
  forget ();
#pragma omp parallel num_threads (threads)
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
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 4, i, N);
	a[i] = value (round, i);
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  wrong = (compare (a, 1, round, 0) + compare (b, 2, round, 0)
	   + compare (c, 1, round, stop));
  return wrong + (c[round % N] == -1 && !stop);
}

/* Regions that could be cancelled and never are.  */

static long
never (int round, int threads)
{
  int stop = 0;
  forget ();
#pragma omp parallel num_threads (threads) firstprivate (stop)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 5, i, N);
	a[i] = value (round, i);
      }
#pragma omp cancel parallel if (stop)
#pragma omp for schedule (static) nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round + 1, 6, i, N);
	b[i] = 2 * a[i];
      }
#pragma omp cancellation point parallel
#pragma omp for
    for (int i = 0; i < N; i++)
      c[i] = a[i] + b[i];
  }
  return compare (b, 2, round, 0) + compare (c, 3, round, 0);
}

int
main (void)
{
  rely_add ("all cancel", all_cancel);
  rely_add ("one cancels", one_cancels);
  rely_add ("after static", after_static);
  rely_add ("a cancelled loop", cancelled_loop);
  rely_add ("never", never);
  return rely_run ();
}

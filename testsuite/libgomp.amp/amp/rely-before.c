/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops without a clause that come, without a barrier in between, after what
   maps iterations as static does: loops that say schedule(static) or
   schedule(auto), and master.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */
/* { amp-also rely-before-part.c } */
/* What the compiler tells the library it tells by an entry of cancellation.  */
/* { amp-run {OMP_CANCELLATION=true OMP_WAIT_POLICY=passive GOMP_AMP_DEBUG=seed=4,delay=20} {} {} } */

#define RELY_SHARED
#include "rely.h"

int a[N], b[N], c[N];

PATTERN (directly)
{
  TEAM
  {
    EACH (schedule (static) nowait, WRITE (0))
    EACH (, DOUBLE)
  }
  return differ (b, 2, round, 0);
}

/* Clause-less, static, clause-less, all nowait.  */

PATTERN (sandwich)
{
  TEAM
  {
    EACH (nowait, WRITE (1))
    EACH (schedule (static) nowait, rely_delay (round + 1, 2, i, N); DOUBLE)
    EACH (nowait, rely_delay (round + 2, 3, i, N); SUM)
    EACH (schedule (static), c[i] += b[i])
  }
  return differ (c, 5, round, 0);
}

/* Two loops after the static one, the first of which writes nothing that the
   second reads: the note outlasts a loop that ends with nowait.  */

PATTERN (a_loop_between)
{
  long wrong = 0;
  TEAM
  {
    EACH (schedule (static) nowait, WRITE (4))
#pragma omp for nowait
    for (int i = 0; i < N / 2; i++)
      c[i] = round;
#pragma omp single nowait
    c[N - 1] = round;
    EACH (nowait, DOUBLE)
  }
  for (int i = 0; i < N / 2; i++)
    wrong += c[i] != round;
  return differ (b, 2, round, 0) + wrong + (c[N - 1] != round);
}

/* A chunk that makes the same blocks.  */

PATTERN (a_chunk_of_n_by_p)
{
  static int p[4 * 25], q[4 * 25];
  int n = 25 * threads;
  long wrong = 0;
  TEAM
  {
#pragma omp for schedule (static, 25) nowait
    for (int i = 0; i < n; i++)
      {
	rely_delay (round, 5, i, n);
	p[i] = value (round, i);
      }
#pragma omp for
    for (int i = 0; i < n; i++)
      q[i] = p[i] + 1;
  }
  for (int i = 0; i < n; i++)
    wrong += q[i] != value (round, i) + 1;
  return wrong;
}

PATTERN (automatic)
{
  TEAM
  {
    EACH (schedule (auto) nowait, WRITE (6))
    EACH (, DOUBLE)
  }
  return differ (b, 2, round, 0);
}

static void __attribute__ ((noinline))
ends_with_static (int round)
{
  rely_work (round % 5);
  EACH (schedule (static) nowait, WRITE (7))
}

PATTERN (at_a_functions_end)
{
  TEAM
  {
    ends_with_static (round);
    EACH (, DOUBLE)
  }
  return differ (b, 2, round, 0);
}

/* Where the two loops are in different files, either way around; the reader
   for long and for unsigned long long.  */

PATTERN (in_another_file)
{
  TEAM
  {
    static_elsewhere (round);
#pragma omp for
    for (unsigned long long i = 0; i < N; i++)
      DOUBLE;
  }
  return differ (b, 2, round, 0);
}

PATTERN (reader_in_another_file)
{
  TEAM
  {
    EACH (schedule (static) nowait, WRITE (8))
    double_elsewhere ();
  }
  return differ (b, 2, round, 0);
}

PATTERN (both_in_another_file)
{
  TEAM
  {
    static_elsewhere (round);
    double_elsewhere ();
  }
  return differ (b, 2, round, 0);
}

/* The static loop ends the body of a loop over the steps, the other one begins
   it.  */

PATTERN (back_edge)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    a[i] = value (round, i);
  TEAM
  for (int k = 0; k < 3; k++)
    {
      EACH (, b[i] = a[i] + k)
      EACH (schedule (static) nowait, DELAY (9 + k); a[i] = 2 * b[i])
    }
  for (int i = 0; i < N; i++)
    {
      int right = value (round, i);
      for (int k = 0; k < 3; k++)
	right = 2 * (right + k);
      wrong += a[i] != right;
    }
  return wrong;
}

/* After a barrier nothing has to be even any more; but right it must be.  */

PATTERN (after_a_barrier)
{
  long wrong = 0;
  TEAM
  {
    EACH (schedule (static) nowait, a[i] = value (round, i))
#pragma omp barrier
    EACH (nowait, DELAY (12); b[i] = a[N - 1 - i])
    EACH (, c[i] = b[i] + 1)
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != value (round, N - 1 - i) + 1;
  return wrong;
}

/* Thread 0 prepares what the first iteration, its own, needs.  */

PATTERN (after_master)
{
  int prepared = -1;
  TEAM
  {
#pragma omp master
    {
      rely_delay (round, 13, 0, 1);
      prepared = round;
    }
    EACH (, a[i] = i == 0 ? prepared : value (round, i))
  }
  int first = a[0];
  a[0] = value (round, 0);
  return differ (a, 1, round, 0) + (first != round);
}

#if __GNUC__ >= 12
PATTERN (after_masked)
{
  int prepared = -1;
  TEAM
  {
    /* The last thread has the last iteration.  */
#pragma omp masked filter (threads - 1)
    {
      rely_delay (round, 14, 0, 1);
      prepared = round;
    }
    EACH (, a[i] = i == N - 1 ? prepared : value (round, i))
  }
  int last = a[N - 1];
  a[N - 1] = value (round, N - 1);
  return differ (a, 1, round, 0) + (last != round);
}
#endif

/* Single promises nobody anything but its barrier; nothing may be lost in the
   chain around one without.  */

PATTERN (after_single)
{
  int prepared = -1, count = 0;
  long wrong = 0;
  TEAM
  {
    EACH (schedule (static) nowait, WRITE (15))
#pragma omp single nowait
    count++;
    EACH (, DOUBLE)
#pragma omp single
    {
      rely_delay (round, 16, 0, 1);
      prepared = round;
    }
    EACH (nowait, c[i] = b[i] + prepared)
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != 2 * value (round, i) + round;
  return wrong + (count != 1);
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Chains of nowait loops of one length: each reads what the same iteration of
   an earlier one has written.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */

#include "rely.h"

static double x[N], y[N];

PATTERN (two_equal)
{
  TEAM
  {
    EACH (nowait, WRITE (0))
    EACH (nowait, DOUBLE)
  }
  return differ (b, 2, round, 0);
}

PATTERN (two_unequal)
{
  TEAM
  {
    EACH (nowait, DELAY (1); rely_work (i < N / 4 ? 40 : 2);
	  a[i] = value (round, i))
    EACH (, DOUBLE; rely_work (i > N / 4 * 3 ? 40 : 1))
  }
  return differ (b, 2, round, 0);
}

PATTERN (three_equal)
{
  TEAM
  {
    EACH (nowait, WRITE (2))
    EACH (nowait, rely_delay (round + 1, 3, i, N); DOUBLE)
    EACH (nowait, SUM)
  }
  return differ (c, 3, round, 0);
}

/* The same arrays on: the first loop overwrites what the last one of the
   iteration before reads.  */

PATTERN (three_again)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    a[i] = value (round, i);
  TEAM
  for (int k = 0; k < 3; k++)
    {
      EACH (nowait, DELAY (k); b[i] = a[i] + k)
      EACH (nowait, rely_work (i % 7); c[i] = b[i] + 1)
      EACH (nowait, a[i] = c[i] + b[i])
    }
  for (int i = 0; i < N; i++)
    {
      int right = value (round, i);
      for (int k = 0; k < 3; k++)
	right = 2 * (right + k) + 1;
      wrong += a[i] != right;
    }
  return wrong;
}

/* Other kinds of iteration variables: the N iterations are dealt by their
   number.  */

PATTERN (kinds)
{
  long wrong = 0;
  TEAM
  {
#pragma omp for nowait
    for (unsigned long long i = 0; i < N; i++)
      {
	WRITE (4);
      }
#pragma omp for nowait
    for (long i = 3; i < 3 * N + 3; i += 3)
      b[i / 3 - 1] = 2 * a[i / 3 - 1];
#pragma omp for nowait
    for (short i = N; i > 0; i--)
      c[N - i] = b[N - i] + a[N - i];
#pragma omp for nowait
    for (unsigned long long i = N; i > 0; i--)
      c[N - i] += 5;
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != 3 * value (round, i) + 5;
  return wrong;
}

PATTERN (collapsed)
{
  static int p[12][9], q[12][9];
  long wrong = 0;
  TEAM
  {
#pragma omp for collapse (2) nowait
    for (int j = 0; j < 12; j++)
      for (int i = 0; i < 9; i++)
	{
	  rely_delay (round, 5, j * 9 + i, 108);
	  p[j][i] = value (round, j * 9 + i);
	}
#pragma omp for collapse (2) nowait
    for (int j = 0; j < 12; j++)
      for (int i = 0; i < 9; i++)
	q[j][i] = p[j][i] + 1;
  }
  for (int i = 0; i < 108; i++)
    wrong += q[i / 9][i % 9] != value (round, i) + 1;
  return wrong;
}

PATTERN (simd)
{
  TEAM
  {
    EACH (nowait, WRITE (6))
    EACH (simd nowait, DOUBLE)
    EACH (simd nowait, SUM)
  }
  return differ (c, 3, round, 0);
}

/* Loops in functions of their own, each with nowait at its end.  */

static void __attribute__ ((noinline))
write_a (int round)
{
  EACH (nowait, WRITE (7))
}

static void __attribute__ ((noinline))
write_b (void)
{
  EACH (nowait, DOUBLE)
}

PATTERN (orphaned)
{
  TEAM
  {
    write_a (round);
    write_b ();
    EACH (, SUM)
  }
  return differ (c, 3, round, 0);
}

/* Other constructs without a barrier in between.  */

PATTERN (single_sections_critical_between)
{
  int singles = 0, sections = 0, critical = 0;
  TEAM
  {
    EACH (nowait, WRITE (8))
#pragma omp single nowait
    singles++;
#pragma omp sections nowait
    {
#pragma omp section
#pragma omp atomic
      sections++;
#pragma omp section
#pragma omp atomic
      sections++;
    }
    EACH (nowait, DOUBLE)
#pragma omp critical
    critical++;
    EACH (, SUM)
  }
  return (differ (c, 3, round, 0) + (singles != 1) + (sections != 2)
	  + (critical != threads));
}

/* Where the block of thread WHO of THREADS begins, as static deals N
   iterations.  */

static long
begin (int threads, int who)
{
  long share = N / threads, more = N % threads;
  return who * share + (who < more ? who : more);
}

/* Sums at a chain's end.  */

PATTERN (sums)
{
  long whole = 0, right = 0;
  double part = 0, serial = 0;
  TEAM
  {
    EACH (nowait, WRITE (9); x[i] = 1.0 / (value (round, i) + 1))
    EACH (nowait, y[i] = x[i] + 0.25)
    EACH (reduction (+: whole, part), whole += a[i]; part += y[i])
  }
  /* As static sums with two threads; the order in which more of them add their
     parts is nobody's promise.  */
  for (int t = 0; t < threads; t++)
    {
      double sum = 0;
      for (long i = begin (threads, t); i < begin (threads, t + 1); i++)
	{
	  sum += 1.0 / (value (round, i) + 1) + 0.25;
	  right += value (round, i);
	}
      serial += sum;
    }
  double off = part > serial ? part - serial : serial - part;
  return ((whole != right)
	  + !(threads == 2 && rely_exact () ? off == 0 : off < 1e-12 * serial));
}

/* Trip counts that change from round to round, the same in all loops of the
   chain.  */

PATTERN (trip_counts)
{
  int n = round % 13 == 0 ? threads : round % N;
  long wrong = 0;
  TEAM
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      {
	rely_delay (round, 10, i, n);
	a[i] = value (round, i);
      }
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      DOUBLE;
  }
  for (int i = 0; i < n; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

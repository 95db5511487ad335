/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Chains of nowait loops of one length: each reads what the same iteration of
   an earlier one has written.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */

#include "rely.h"

#define N 101

static int a[N], b[N], c[N];
static double x[N], y[N];

static inline int
value (int round, int i)
{
  return round * 1009 + i * 7;
}

static long
two_equal (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
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
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

static long
two_unequal (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 1, i, N);
	rely_work (i < N / 4 ? 40 : 2);
	a[i] = value (round, i);
      }
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	b[i] = 2 * a[i];
	rely_work (i > N / 4 * 3 ? 40 : 1);
      }
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

static long
three_equal (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 2, i, N);
	a[i] = value (round, i);
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round + 1, 3, i, N);
	b[i] = 2 * a[i];
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      c[i] = a[i] + b[i];
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != 3 * value (round, i);
  return wrong;
}

/* The same arrays on: the first loop overwrites what the last one of the
   iteration before reads.  */

static long
three_again (int round, int threads)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    a[i] = value (round, i);
#pragma omp parallel num_threads (threads)
  for (int k = 0; k < 3; k++)
    {
#pragma omp for nowait
      for (int i = 0; i < N; i++)
	{
	  rely_delay (round, k, i, N);
	  b[i] = a[i] + k;
	}
#pragma omp for nowait
      for (int i = 0; i < N; i++)
	{
	  rely_work (i % 7);
	  c[i] = b[i] + 1;
	}
#pragma omp for nowait
      for (int i = 0; i < N; i++)
	a[i] = c[i] + b[i];
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

static long
kinds (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (unsigned long long i = 0; i < N; i++)
      {
	rely_delay (round, 4, i, N);
	a[i] = value (round, i);
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

static long
collapsed (int round, int threads)
{
  static int p[12][9], q[12][9];
  long wrong = 0;
#pragma omp parallel num_threads (threads)
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

static long
simd (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 6, i, N);
	a[i] = value (round, i);
      }
#pragma omp for simd nowait
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
#pragma omp for simd nowait
    for (int i = 0; i < N; i++)
      c[i] = b[i] + a[i];
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != 3 * value (round, i);
  return wrong;
}

/* Loops in functions of their own, each with nowait at its end.  */

static void __attribute__ ((noinline))
write_a (int round)
{
#pragma omp for nowait
  for (int i = 0; i < N; i++)
    {
      rely_delay (round, 7, i, N);
      a[i] = value (round, i);
    }
}

static void __attribute__ ((noinline))
write_b (void)
{
#pragma omp for nowait
  for (int i = 0; i < N; i++)
    b[i] = 2 * a[i];
}

static long
orphaned (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
    write_a (round);
    write_b ();
#pragma omp for
    for (int i = 0; i < N; i++)
      c[i] = a[i] + b[i];
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != 3 * value (round, i);
  return wrong;
}

/* Other constructs without a barrier in between.  */

static long
between (int round, int threads)
{
  long wrong = 0;
  int singles = 0, sections = 0, critical = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 8, i, N);
	a[i] = value (round, i);
      }
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
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
#pragma omp critical
    critical++;
#pragma omp for
    for (int i = 0; i < N; i++)
      c[i] = a[i] + b[i];
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != 3 * value (round, i);
  return wrong + (singles != 1) + (sections != 2) + (critical != threads);
}

/* Sums at a chain's end.  */

static long
sums (int round, int threads)
{
  long whole = 0, wrong = 0, right = 0;
  double part = 0, serial = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 9, i, N);
	x[i] = 1.0 / (value (round, i) + 1);
	a[i] = value (round, i);
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      y[i] = x[i] + 0.25;
#pragma omp for reduction (+: whole, part)
    for (int i = 0; i < N; i++)
      {
	whole += a[i];
	part += y[i];
      }
  }
  /* As static sums with two threads; the order in which more of them add their
     parts is nobody's promise.  */
  for (int t = 0; t < threads; t++)
    {
      double sum = 0;
      for (long i = rely_begin (N, threads, t);
	   i < rely_begin (N, threads, t + 1); i++)
	{
	  sum += 1.0 / (value (round, i) + 1) + 0.25;
	  right += value (round, i);
	}
      serial += sum;
    }
  wrong += whole != right;
  if (threads == 2)
    wrong += rely_differ (part, serial);
  else
    wrong += !(part - serial < 1e-12 * serial && serial - part < 1e-12 * serial);
  return wrong;
}

/* Trip counts that change from round to round, the same in all loops of the
   chain.  */

static long
lengths (int round, int threads)
{
  int n = round % 13 == 0 ? threads : round % N;
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      {
	rely_delay (round, 10, i, n);
	a[i] = value (round, i);
      }
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      b[i] = 2 * a[i];
  }
  for (int i = 0; i < n; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

int
main (void)
{
  rely_add ("two equal loops", two_equal);
  rely_add ("two unequal loops", two_unequal);
  rely_add ("three equal loops", three_equal);
  rely_add ("three loops, again", three_again);
  rely_add ("kinds", kinds);
  rely_add ("collapse", collapsed);
  rely_add ("simd", simd);
  rely_add ("orphaned", orphaned);
  rely_add ("single, sections, critical between", between);
  rely_add ("sums", sums);
  rely_add ("trip counts", lengths);
  return rely_run ();
}

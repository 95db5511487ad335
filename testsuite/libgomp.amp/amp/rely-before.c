/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops without a clause that come, without a barrier in between, after what
   maps iterations as static does: loops that say schedule(static) or
   schedule(auto), and master.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */
/* { amp-also rely-before-part.c } */
/* What the compiler tells the library it tells by an entry of cancellation.  */
/* { amp-run {OMP_CANCELLATION=true OMP_WAIT_POLICY=passive GOMP_AMP_DEBUG=seed=4,delay=20} {} {} } */

#include "rely-before.h"

int a[N], b[N], c[N];

static long
directly (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (static) nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 0, i, N);
	a[i] = value (round, i);
      }
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

/* Clause-less, static, clause-less, all nowait.  */

static long
sandwich (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 1, i, N);
	a[i] = value (round, i);
      }
#pragma omp for schedule (static) nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round + 1, 2, i, N);
	b[i] = 2 * a[i];
      }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round + 2, 3, i, N);
	c[i] = a[i] + b[i];
      }
#pragma omp for schedule (static)
    for (int i = 0; i < N; i++)
      c[i] += b[i];
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != 5 * value (round, i);
  return wrong;
}

/* Two loops after the static one, the first of which writes nothing that the
   second reads: the note outlasts a loop that ends with nowait.  */

static long
further (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (static) nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 4, i, N);
	a[i] = value (round, i);
      }
#pragma omp for nowait
    for (int i = 0; i < N / 2; i++)
      c[i] = round;
#pragma omp single nowait
    c[N - 1] = round;
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  for (int i = 0; i < N / 2; i++)
    wrong += c[i] != round;
  return wrong + (c[N - 1] != round);
}

/* A chunk that makes the same blocks.  */

static long
chunked (int round, int threads)
{
  static int p[4 * 25], q[4 * 25];
  int n = 25 * threads;
  long wrong = 0;
#pragma omp parallel num_threads (threads)
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

static long
automatic (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (auto) nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 6, i, N);
	a[i] = value (round, i);
      }
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

static void __attribute__ ((noinline))
ends_with_static (int round)
{
  rely_work (round % 5);
#pragma omp for schedule (static) nowait
  for (int i = 0; i < N; i++)
    {
      rely_delay (round, 7, i, N);
      a[i] = value (round, i);
    }
}

static long
function_end (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
    ends_with_static (round);
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

/* Where the two loops are in different files, either way around; the reader
   for long and for unsigned long long.  */

static long
other_file_first (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
    static_elsewhere (round);
#pragma omp for
    for (unsigned long long i = 0; i < N; i++)
      b[i] = 2 * a[i];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

static long
other_file_second (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (static) nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 8, i, N);
	a[i] = value (round, i);
      }
    double_elsewhere ();
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

static long
both_elsewhere (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
    static_elsewhere (round);
    double_elsewhere ();
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

/* The static loop ends the body of a loop over the steps, the other one begins
   it.  */

static long
back_edge (int round, int threads)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    a[i] = value (round, i);
#pragma omp parallel num_threads (threads)
  for (int k = 0; k < 3; k++)
    {
#pragma omp for
      for (int i = 0; i < N; i++)
	b[i] = a[i] + k;
#pragma omp for schedule (static) nowait
      for (int i = 0; i < N; i++)
	{
	  rely_delay (round, 9 + k, i, N);
	  a[i] = 2 * b[i];
	}
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

static long
after_a_barrier (int round, int threads)
{
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (static) nowait
    for (int i = 0; i < N; i++)
      a[i] = value (round, i);
#pragma omp barrier
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 12, i, N);
	b[i] = a[N - 1 - i];
      }
#pragma omp for
    for (int i = 0; i < N; i++)
      c[i] = b[i] + 1;
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != value (round, N - 1 - i) + 1;
  return wrong;
}

/* Thread 0 prepares what the first iteration, its own, needs.  */

static long
after_master (int round, int threads)
{
  int prepared = -1;
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp master
    {
      rely_delay (round, 13, 0, 1);
      prepared = round;
    }
#pragma omp for
    for (int i = 0; i < N; i++)
      a[i] = i == 0 ? prepared : value (round, i);
  }
  wrong += a[0] != round;
  for (int i = 1; i < N; i++)
    wrong += a[i] != value (round, i);
  return wrong;
}

#if __GNUC__ >= 12
static long
after_masked (int round, int threads)
{
  int prepared = -1;
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
    /* The last thread has the last iteration.  */
#pragma omp masked filter (threads - 1)
    {
      rely_delay (round, 14, 0, 1);
      prepared = round;
    }
#pragma omp for
    for (int i = 0; i < N; i++)
      a[i] = i == N - 1 ? prepared : value (round, i);
  }
  wrong += a[N - 1] != round;
  for (int i = 0; i < N - 1; i++)
    wrong += a[i] != value (round, i);
  return wrong;
}
#endif

/* Single promises nobody anything but its barrier; nothing may be lost in the
   chain around one without.  */

static long
after_single (int round, int threads)
{
  int prepared = -1, count = 0;
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (static) nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 15, i, N);
	a[i] = value (round, i);
      }
#pragma omp single nowait
    count++;
#pragma omp for
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
#pragma omp single
    {
      rely_delay (round, 16, 0, 1);
      prepared = round;
    }
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      c[i] = b[i] + prepared;
  }
  for (int i = 0; i < N; i++)
    wrong += c[i] != 2 * value (round, i) + round;
  return wrong + (count != 1);
}

int
main (void)
{
  rely_add ("directly", directly);
  rely_add ("sandwich", sandwich);
  rely_add ("a loop between", further);
  rely_add ("a chunk of n / p", chunked);
  rely_add ("auto", automatic);
  rely_add ("at a function's end", function_end);
  rely_add ("in another file", other_file_first);
  rely_add ("reader in another file", other_file_second);
  rely_add ("both in another file", both_elsewhere);
  rely_add ("back edge", back_edge);
  rely_add ("after a barrier", after_a_barrier);
  rely_add ("master", after_master);
#if __GNUC__ >= 12
  rely_add ("masked", after_masked);
#endif
  rely_add ("single", after_single);
  return rely_run ();
}

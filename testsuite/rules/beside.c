/* Loops that stay static, or lose their nowait, for what stands beside them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

CASE (count_that_a_static_loop_uses)
{
#pragma omp parallel
  {
    u64 mine = 0, at = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (in[i & 63] & 1)
	mine++;
    at = mine;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = --at;
  }
}

CASE (count_that_is_put_together)
{
#pragma omp parallel
  {
    u64 mine = 0, other = 0;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      if (in[i & 63] & 1)
	mine++;
#pragma omp atomic
    total += mine;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      other += in[i & 63];
#pragma omp atomic
    total += other;
  }
}

/* Static gives both loops' iteration I to one thread.  */
CASE (nowait)
{
#pragma omp parallel
  {
#pragma omp for nowait /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
#pragma omp for nowait /* amp: any */
    for (int i = 0; i < n; i++)
      out1[i] = out0[i] * 3;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out2[i] = out1[i] + out0[i];
  }
}

CASE (nowait_of_another_loop)
{
#pragma omp parallel
  {
    u64 kept = 0;
#pragma omp for nowait /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      {
	kept = kept * 3 + out0[i];
	out1[i] = kept;
      }
  }
}

/* Which iterations a thread has, and in which order, is as they say.  */
CASE (chunks_that_are_said)
{
#pragma omp parallel
  {
    u64 k = 1;
#pragma omp for schedule(static, 3) nowait /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = k = k * 3 + i;
#pragma omp for schedule(static, 1) /* amp: static */
    for (int i = n - 1; i >= 0; i--)
      for (int j = 0; j < 2; j++)
	out1[i] = k = k * 5 + i;
  }
}

CASE (sum_for_a_loop_that_says_static)
{
#pragma omp parallel
  {
    u64 sum = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      sum += in[i & 63];
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      out1[i] = sum;
  }
}

CASE (sums_for_a_loop_that_says_static)
{
#pragma omp parallel
  {
    u64 sum[4] = { 0 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      sum[i & 3] += in[i & 63];
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      out1[i] = sum[i & 3];
  }
}

/* Counted by number, placed by what the program makes of that.  */
static u64 keyed[THREADS][4], first[THREADS][4];

static __attribute__ ((noinline)) void
count_elsewhere (int n)
{
#pragma omp parallel for /* amp: static adds beside state */
  for (int i = 0; i < n; i++)
    keyed[omp_get_thread_num ()][in[i & 63] & 3]++;
}

/* A scan of numbers with fractions: where a thread begins is what those before
   it have added.  */
CASE (scan_of_fractions)
{
  static double part[THREADS + 1];
#pragma omp parallel
  {
    double mine = 0, at = 0;
    int t = omp_get_thread_num ();
#pragma omp for /* amp: static adds beside state */
    for (int i = 0; i < n; i++)
      mine += in[i & 63] & 3;
    part[t] = mine;
#pragma omp barrier
    for (int k = 0; k < t; k++)
      at += part[k];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = at += in[i & 63] & 3;
  }
}

CASE (keys_placed_by_other_memory)
{
  u64 at = 0;
  memset (keyed, 0, sizeof keyed);
  count_elsewhere (n);
  for (int b = 0; b < 4; b++)
    for (int k = 0; k < THREADS; k++)
      {
	first[k][b] = at;
	at += keyed[k][b];
      }
#pragma omp parallel for schedule(static) /* amp: static */
  for (int i = 0; i < n; i++)
    out0[first[omp_get_thread_num ()][in[i & 63] & 3]++] = i;
}

/* What is stored by number is no sum: read by others in the end.  */
#define BY_NUMBER(TYPE, BEGIN, ITERATION)				\
  {									\
    static TYPE noted[THREADS];						\
    memset (noted, 0, sizeof noted);					\
    _Pragma ("omp parallel")						\
    {									\
      TYPE v = BEGIN;							\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	ITERATION							\
      noted[omp_get_thread_num ()] = v;					\
    }									\
    for (int k = 0; k < THREADS; k++)					\
      out0[k] = noted[k];						\
  }

CASE (least_iterator_by_number)
BY_NUMBER (double, n, /* amp: static */ v = i < v ? i : v;)

CASE (sum_of_iterators_by_number)
BY_NUMBER (double, 0, /* amp: static */ v += i;)

CASE (whole_count_by_number)
BY_NUMBER (u64, 0, /* amp: static */ v += in[i & 63] & 1;)

/* Of several least ones another thread's may be taken.  */
CASE (least_with_its_place_by_number)
{
  double least[THREADS], where[THREADS], all = 5, at = 0;
  for (int k = 0; k < THREADS; k++)
    least[k] = 4, where[k] = 0;
#pragma omp parallel
  {
    double v = 4, w = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if ((in[i & 63] & 3) < v)
	{
	  v = in[i & 63] & 3;
	  w = in[i * 7 & 63] & 255;
	}
    least[omp_get_thread_num ()] = v;
    where[omp_get_thread_num ()] = w;
  }
  for (int k = 0; k < THREADS; k++)
    if (least[k] < all)
      {
	all = least[k];
	at = where[k];
      }
  total = at;
}

/* Sums of blocks that code beside the loop knows by another name.  */

static double part[THREADS + 1], *parts = part;

static void __attribute__ ((noinline))
scan (int n)
{
  int me = omp_get_thread_num (), team = omp_get_num_threads ();
  int size = n / team, more = n % team;
  int begin = size * me + (me < more ? me : more);
  double s = parts[me];
  for (int i = begin; i < begin + size + (me < more); i++)
    {
      s += in[i & 63] & 15;
      out0[i] = (u64) s;
    }
}

CASE (sums_of_blocks_by_another_name)
{
  memset (part, 0, sizeof part);
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      part[me + 1] += in[i & 63] & 15;
  }
  for (int t = 0; t < THREADS; t++)
    part[t + 1] += part[t];
#pragma omp parallel
  scan (n);
}

CASE (sums_that_no_pointer_leads_to)
{
  static double kept[THREADS];
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
#pragma omp for /* amp: any or static at -O0 */
    for (int i = 0; i < n; i++)
      kept[me] += in[i & 63] & 15;
  }
  for (int t = 0; t < THREADS; t++)
    {
      total += (u64) kept[t];
      kept[t] = 0;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What a thread counts, sums or collects by its number, it uses in the next
   loop, or where its number says.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */

#include <omp.h>
#include <string.h>
#include "rely.h"

#define N 203
#define KEYS 8
#define TEAM 4

static int key[N], sorted[N], reference[N], counts[TEAM][KEYS];

/* By key, and those of one key in their old order.  */

static void
make_keys (int round)
{
  int place = 0;
  for (int i = 0; i < N; i++)
    {
      key[i] = (i * 37 + round * (i % 11)) % KEYS;
      sorted[i] = -1;
    }
  for (int k = 0; k < KEYS; k++)
    for (int i = 0; i < N; i++)
      if (key[i] == k)
	reference[place++] = i;
  memset (counts, 0, sizeof counts);
}

/* Counts become places.  */

static void
prefix (int threads)
{
  int place = 0;
  for (int k = 0; k < KEYS; k++)
    for (int t = 0; t < threads; t++)
      {
	int n = counts[t][k];
	counts[t][k] = place;
	place += n;
      }
}

static long
compare (void)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += sorted[i] != reference[i];
  return wrong;
}

/* The number is asked for at the head of the region.  */

static long
histogram (int round, int threads)
{
  make_keys (round);
#pragma omp parallel num_threads (threads)
  {
    int *mine = counts[omp_get_thread_num ()];
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 0, i, N);
	mine[key[i]]++;
      }
#pragma omp single
    prefix (threads);
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	int place = mine[key[i]]++;
	rely_delay (round + 1, 1, i, N);
	if (place < N)
	  sorted[place] = i;
      }
  }
  return compare ();
}

/* It is asked for in the body.  */

static long
radix (int round, int threads)
{
  make_keys (round);
#pragma omp parallel num_threads (threads)
  {
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 2, i, N);
	counts[omp_get_thread_num ()][key[i]]++;
      }
#pragma omp single
    prefix (threads);
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	int place = counts[omp_get_thread_num ()][key[i]]++;
	rely_delay (round + 1, 3, i, N);
	if (place < N)
	  sorted[place] = i;
      }
  }
  return compare ();
}

/* In a function of the body's.  */

static int * __attribute__ ((noinline))
counter (int k)
{
  return &counts[omp_get_thread_num ()][k];
}

static long
callee (int round, int threads)
{
  make_keys (round);
#pragma omp parallel num_threads (threads)
  {
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 4, i, N);
	++*counter (key[i]);
      }
#pragma omp single
    prefix (threads);
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	int place = (*counter (key[i]))++;
	rely_delay (round + 1, 5, i, N);
	if (place < N)
	  sorted[place] = i;
      }
  }
  return compare ();
}

/* In two regions, combined with their loops.  */

static long
two_regions (int round, int threads)
{
  make_keys (round);
#pragma omp parallel for num_threads (threads)
  for (int i = 0; i < N; i++)
    {
      rely_delay (round, 6, i, N);
      counts[omp_get_thread_num ()][key[i]]++;
    }
  prefix (threads);
#pragma omp parallel for num_threads (threads)
  for (int i = 0; i < N; i++)
    {
      int place = counts[omp_get_thread_num ()][key[i]]++;
      rely_delay (round + 1, 7, i, N);
      if (place < N)
	sorted[place] = i;
    }
  return compare ();
}

static double
part_of (int round, int i)
{
  return 1.0 / (round * 1009 + i * 7 + 1);
}

/* The sum of the threads' sums, as static makes them.  */

static double
serial_sum (int round, int threads)
{
  double whole = 0;
  for (int t = 0; t < threads; t++)
    {
      double sum = 0;
      for (long i = rely_begin (N, threads, t);
	   i < rely_begin (N, threads, t + 1); i++)
	sum += part_of (round, i);
      whole += sum;
    }
  return whole;
}

static long
sums_per_thread (int round, int threads)
{
  double x[TEAM] = { 0 }, whole = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 8, i, N);
	x[omp_get_thread_num ()] += part_of (round, i);
      }
  }
  for (int t = 0; t < threads; t++)
    whole += x[t];
  return rely_differ (whole, serial_sum (round, threads));
}

static long
sums_by_pointer (int round, int threads)
{
  double x[TEAM][8] = { { 0 } }, whole = 0;
#pragma omp parallel num_threads (threads)
  {
    double *mine = x[omp_get_thread_num ()];
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 9, i, N);
	*mine += part_of (round, i);
      }
  }
  for (int t = 0; t < threads; t++)
    whole += x[t][0];
  return rely_differ (whole, serial_sum (round, threads));
}

static long
sums_in_private (int round, int threads)
{
  double x[TEAM] = { 0 }, whole = 0;
#pragma omp parallel num_threads (threads)
  {
    double mine = 0;
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 10, i, N);
	mine += part_of (round, i);
      }
    x[omp_get_thread_num ()] = mine;
  }
  for (int t = 0; t < threads; t++)
    whole += x[t];
  return rely_differ (whole, serial_sum (round, threads));
}

static long
whole_sums_per_thread (int round, int threads)
{
  long x[TEAM] = { 0 }, wrong = N * (N - 1) / 2;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 11, i, N);
	x[omp_get_thread_num ()] += i;
      }
  }
  for (int t = 0; t < threads; t++)
    wrong -= x[t];
  return wrong;
}

/* Room for as many as static gives a thread; one after the other they are all
   in their order.  */

static long
collected (int round, int threads)
{
  static int buffer[TEAM][N / 2 + 1];
  int room = (N + threads - 1) / threads, used[TEAM] = { 0 }, too_many = 0;
  long wrong = 0, next = 0;
#pragma omp parallel num_threads (threads)
  {
    int me = omp_get_thread_num (), k = 0, *mine = buffer[me];
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 12, i, N);
	if (k < room)
	  mine[k] = i;
	k++;
      }
    used[me] = k < room ? k : room;
    if (k > room)
#pragma omp atomic
      too_many++;
  }
  for (int t = 0; t < threads; t++)
    for (int k = 0; k < used[t]; k++)
      wrong += buffer[t][k] != next++;
  return wrong + too_many + (next != N);
}

/* Those that pass, counted in one loop and written in the next.  */

static long
compacted (int round, int threads)
{
  int start[TEAM + 1] = { 0 }, next = 0;
  long wrong = 0;
  make_keys (round);
#pragma omp parallel num_threads (threads)
  {
    int me = omp_get_thread_num (), found = 0;
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 13, i, N);
	if (key[i] < 3)
	  found++;
      }
    start[me + 1] = found;
#pragma omp barrier
#pragma omp single
    for (int t = 0; t < threads; t++)
      start[t + 1] += start[t];
    int place = start[me];
#pragma omp for
    for (int i = 0; i < N; i++)
      if (key[i] < 3 && place < N)
	sorted[place++] = i;
  }
  for (int i = 0; i < N; i++)
    if (key[i] < 3)
      wrong += sorted[next++] != i;
  return wrong + (start[threads] != next);
}

int
main (void)
{
  rely_add ("histogram", histogram);
  rely_add ("radix sort", radix);
  rely_add ("number in a callee", callee);
  rely_add ("two regions", two_regions);
  rely_add ("sums per thread", sums_per_thread);
  rely_add ("sums by pointer", sums_by_pointer);
  rely_add ("sums in privates", sums_in_private);
  rely_add ("whole sums per thread", whole_sums_per_thread);
  rely_add ("buf[k++]", collected);
  rely_add ("compaction", compacted);
  return rely_run ();
}

/* Counts that one function's loop makes and another one's counts on.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

#define NI static __attribute__ ((noinline))

static u64 begin[THREADS + 1];

/* Counts become places: all threads do it.  */
NI void
scan (void)
{
#pragma omp barrier
#pragma omp single
  for (int k = 0; k < omp_get_num_threads (); k++)
    begin[k + 1] += begin[k];
}

NI void
fill (int n, u64 at)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    for (u64 k = 0; k < (in[i & 63] & 3); k++)
      out0[at++] = i;
}

NI u64
returned (int n)
{
  u64 count = 0;
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    count += in[i & 63] & 3;
  return count * 2;
}

CASE (count_that_is_returned)
{
#pragma omp parallel
  {
    begin[omp_get_thread_num () + 1] = returned (n) / 2;
    scan ();
    fill (n, begin[omp_get_thread_num ()]);
  }
}

struct tally { u64 count, most; };

NI struct tally
returned_in_a_structure (int n)
{
  struct tally t = { 0, 0 };
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    t.count += in[i & 63] & 3;
  return t;
}

CASE (count_in_a_structure)
{
#pragma omp parallel
  {
    begin[omp_get_thread_num () + 1] = returned_in_a_structure (n).count;
    scan ();
    fill (n, begin[omp_get_thread_num ()]);
  }
}

NI u64
returned_from_an_array (int n)
{
  u64 count[2] = { 0, 0 };
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    count[in[i & 63] & 1] += in[i & 63] & 3;
  return count[0] + count[1];
}

CASE (count_in_an_array)
{
#pragma omp parallel
  {
    begin[omp_get_thread_num () + 1] = returned_from_an_array (n);
    scan ();
    fill (n, begin[omp_get_thread_num ()]);
  }
}

static __thread u64 mine;

NI void
kept (int n)
{
  u64 count = 0;
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    count += in[i & 63] & 3;
  mine = count;
}

CASE (count_that_is_kept)
{
#pragma omp parallel
  {
    kept (n);
    begin[omp_get_thread_num () + 1] = mine;
    scan ();
    fill (n, begin[omp_get_thread_num ()]);
  }
}

NI void
put_together (int n)
{
  u64 count = 0;
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    count += in[i & 63] & 3;
#pragma omp atomic
  total += count;
}

CASE (count_that_goes_nowhere)
{
#pragma omp parallel
  put_together (n);
}

/* What is noted by number, read by number.  */
static u64 noted[THREADS + 1];
static double added[THREADS];

NI void
note (int n)
{
  u64 count = 0;
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    count += in[i & 63] & 3;
  noted[omp_get_thread_num () + 1] = count;
#pragma omp barrier
#pragma omp single
  for (int k = 0; k < omp_get_num_threads (); k++)
    noted[k + 1] += noted[k];
}

CASE (count_that_is_noted)
{
#pragma omp parallel
  {
    note (n);
    fill (n, noted[omp_get_thread_num ()]);
  }
}

/* No count, and read by all.  */
NI u64
dot (int n)
{
  double sum = 0, all = 0;
#pragma omp for /* amp: any or static at -O0 */
  for (int i = 0; i < n; i++)
    sum += in[i & 63] >> 1;
  added[omp_get_thread_num ()] = sum;
#pragma omp barrier
  for (int k = 0; k < omp_get_num_threads (); k++)
    all += added[k];
#pragma omp barrier
  return all;
}

CASE (sum_that_all_add_up)
{
#pragma omp parallel
  {
    u64 d = dot (n);
#pragma omp single
    total = d;
  }
}

/* Summed up by number, for a loop of another region that says static.  */
static u64 place[THREADS][4];
static double histogram[THREADS][4];

NI void
count_keys (int n)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    place[omp_get_thread_num ()][in[i & 63] & 3]++;
}

NI void
scatter (int n)
{
#pragma omp parallel for schedule(static) /* amp: static */
  for (int i = 0; i < n; i++)
    out0[place[omp_get_thread_num ()][in[i & 63] & 3]++] = i;
}

CASE (keys_for_a_static_loop)
{
  u64 at = 0;
  memset (place, 0, sizeof place);
  count_keys (n);
  for (int b = 0; b < 4; b++)
    for (int k = 0; k < THREADS; k++)
      {
	u64 c = place[k][b];
	place[k][b] = at;
	at += c;
      }
  scatter (n);
}

CASE (histogram_beside_a_static_loop)
{
  memset (histogram, 0, sizeof histogram);
#pragma omp parallel for /* amp: any or static at -O0 */
  for (int i = 0; i < n; i++)
    histogram[omp_get_thread_num ()][in[i & 63] & 3] += 1;
  for (int b = 0; b < 4; b++)
    for (int k = 0; k < THREADS; k++)
      out1[b] += histogram[k][b];
}

/* What others have added is where a thread begins.  */
#define RESERVED(how)							\
  u64 top = 0;								\
  _Pragma ("omp parallel")						\
  {									\
    u64 count = 0, at = 0;						\
    _Pragma ("omp for")							\
    for (int i = 0; i < n; i++)						\
      count += in[i & 63] & 3;						\
    how									\
    _Pragma ("omp for")							\
    for (int i = 0; i < n; i++)						\
      for (u64 k = 0; k < (in[i & 63] & 3); k++)			\
	out0[at++] += 1;						\
  }

CASE (room_reserved_by_an_atomic)
{
  RESERVED (/* amp: static */
    _Pragma ("omp atomic capture")
    { at = top; top += count; })
}

CASE (room_reserved_under_a_lock)
{
  RESERVED (/* amp: static */
    _Pragma ("omp critical")
    { at = top; top += count; })
}

CASE (sum_put_together_under_a_lock)
{
  u64 top = 0;
#pragma omp parallel
  {
    u64 count = 0, kept = 0;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      count += in[i & 63] & 3;
#pragma omp critical
    top += count;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = kept++;
  }
  total = top;
}

CASE (counts_noted_atomically)
{
  static u64 all[THREADS + 1];
#pragma omp parallel
  {
    u64 count = 0, at = 0, t = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      count += in[i & 63] & 3;
#pragma omp atomic write
    all[t + 1] = count;
#pragma omp barrier
    for (u64 k = 0; k <= t; k++)
      at += all[k];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      for (u64 k = 0; k < (in[i & 63] & 3); k++)
	out0[at++] = i;
  }
}

/* The same by the variable and by a pointer to it.  */
struct begins { u64 at[THREADS]; };
static struct begins all;

NI void
scatter_by (struct begins *b, int n)
{
#pragma omp parallel for schedule(static) /* amp: static */
  for (int i = 0; i < n; i++)
    for (u64 k = 0; k < (in[i & 63] & 3); k++)
      out0[b->at[omp_get_thread_num ()]++] = i;
}

NI void
count_all (int n)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    all.at[omp_get_thread_num ()] += in[i & 63] & 3;
}

CASE (places_in_a_structure)
{
  u64 at = 0;
  memset (&all, 0, sizeof all);
  count_all (n);
  for (int k = 0; k < THREADS; k++)
    {
      u64 c = all.at[k];
      all.at[k] = at;
      at += c;
    }
  scatter_by (&all, n);
}

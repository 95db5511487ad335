/* Scratch that two loops of a region, or one again and again, use in the same way
   in each iteration, or not.  What is filled is more than its users can be seen
   to need: no interval of indices says so.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "rules.h"

#define OUT static __attribute__ ((noinline, unused))

OUT void
fill_up (u64 *x, u64 a, int m)
{
  for (int k = 0; k < m; k++)
    x[k] = in[(a + k) & 63] + a;
}

/* Puts X's elements into Y in another order.  */

OUT void
turn (const u64 *x, u64 *y, int m)
{
  for (int k = 0; k < m; k++)
    y[(k * 5 + 3) % m] = x[k] * 3;
}

OUT u64
add_up (const u64 *x, int m)
{
  u64 s = 0;
  for (int k = 0; k < m; k++)
    s = s * 5 + x[k];
  return s;
}

OUT u64
use_up (u64 *x, u64 *y, u64 a, int m)
{
  fill_up (x, a, m);
  turn (x, y, m);
  return add_up (y, m);
}

/* As many elements as N, which is no multiple of 5, has iterations.  */
#define LENGTH(N) (8 + ((N) & 7) + ((8 + ((N) & 7)) % 5 == 0))

/* A loop that fills X and Y in each iteration, and another one with them.  */
#define TWO(...)							\
  {									\
    int m = LENGTH (n);							\
    _Pragma ("omp parallel")						\
    {									\
      u64 x[64], y[64];							\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	out0[i] = use_up (x, y, i, m);					\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	{								\
	  __VA_ARGS__							\
	}								\
    }									\
  }

/* A loop that is run again and again with X and Y, which are declared in
   DECLARATION.  */
#define STEPS(DECLARATION, ...)						\
  {									\
    int m = LENGTH (n);							\
    _Pragma ("omp parallel")						\
    {									\
      DECLARATION;							\
      for (int t = 0; t < 3; t++)					\
	{								\
	  _Pragma ("omp for")						\
	  for (int i = 0; i < n; i++)					\
	    {								\
	      __VA_ARGS__						\
	    }								\
	}								\
    }									\
  }

CASE (both_fill)
TWO (/* amp: any */ out1[i] = use_up (x, y, i + 7, m);)

CASE (filled_here)
TWO (/* amp: any */ for (int k = 0; k < m; k++)
       x[k] = in[(i + k) & 63];
     turn (x, y, m);
     for (int k = m - 1; k >= 0; k--)
       out1[i] = out1[i] * 3 + y[k];)

CASE (filled_in_a_uniform_order)
TWO (/* amp: any */ u64 *p = x, *q = y;
     fill_up (p, i, m);
     for (int l = m; l > 1; l /= 2)
       {
	 turn (p, q, m);
	 u64 *r = p;
	 p = q;
	 q = r;
       }
     out1[i] = add_up (p, m);)

CASE (ends_the_program)
TWO (/* amp: any */ if (in[i & 63] == 5)
       abort ();
     out1[i] = use_up (x, y, i + 7, m);)

CASE (uniform_condition)
TWO (/* amp: any */ fill_up (x, i, m);
     if (m > 9)
       turn (x, y, m);
     else
       for (int k = 0; k < m; k++)
	 y[k] = x[m - 1 - k];
     out1[i] = add_up (y, m);)

CASE (copied_from_scratch)
TWO (/* amp: any */ fill_up (x, i, m);
     memcpy (y, x, m * sizeof *y);
     out1[i] = add_up (y, m);)

CASE (copied_from_what_all_share)
TWO (/* amp: static */ memcpy (y, in, m * sizeof *y);
     out1[i] = add_up (y, m) + i;)

CASE (filled_at_times)
TWO (/* amp: static */ if (i % 4 == 0)
       fill_up (x, i, m);
     out1[i] = add_up (x, m);)

CASE (filled_by_data)
TWO (/* amp: static */ if (in[i & 63] & 1)
       fill_up (x, i, m);
     out1[i] = add_up (x, m);)

CASE (filled_by_what_it_holds)
TWO (/* amp: static */ x[m] = i;
     if (x[m] & 1)
       fill_up (x, i, m);
     out1[i] = add_up (x, m);)

CASE (filled_by_what_another_holds)
TWO (/* amp: static */ y[0] = i;
     if (y[0] & 1)
       fill_up (x, i, m);
     x[m] = i;
     out1[i] = add_up (x, m);)

CASE (filled_by_results)
TWO (/* amp: static */ out2[i] = i * 3;
     x[m] = i;
     if (out2[i] & 1)
       fill_up (x, i, m);
     out1[i] = add_up (x, m);)

CASE (length_of_the_iteration)
TWO (/* amp: static */ fill_up (x, i, in[i & 63] & 7);
     out1[i] = add_up (x, m);)

CASE (place_of_the_iteration)
TWO (/* amp: static */ for (int k = 0; k < m; k++)
       x[k * i % m] = i;
     out1[i] = add_up (x, m);)

CASE (place_of_the_thread)
TWO (/* amp: static */ x[omp_get_thread_num () % m] = i;
     out1[i] = add_up (x, m);)

CASE (filled_by_the_thread)
TWO (/* amp: static */ if (omp_get_thread_num () % 2)
       fill_up (x, i, m);
     x[m] = i;
     out1[i] = add_up (x, m);)

CASE (left_early)
TWO (/* amp: static */ x[m] = i;
     for (int k = 0; k < m; k++)
       {
	 if (in[(i + k) & 63] % 5 == 0)
	   break;
	 x[k] = i + k;
       }
     out1[i] = add_up (x, m);)

CASE (given_up)
TWO (/* amp: static */ x[m] = i;
     if (i % 3 == 0)
       goto over;
     fill_up (x, i, m);
   over:
     out1[i] = add_up (x, m);)

OUT void
fill_or_return (u64 *x, u64 a, int m)
{
  x[m] = a;
  if (a % 3 == 0)
    return;
  for (int k = 0; k < m; k++)
    x[k] = a;
}

CASE (returned_early)
TWO (/* amp: static */ fill_or_return (x, i, m);
     out1[i] = add_up (x, m);)

OUT int
odd (u64 a)
{
  return a & 1;
}

CASE (filled_by_a_result)
TWO (/* amp: static */ x[m] = i;
     if (odd (in[i & 63]))
       fill_up (x, i, m);
     out1[i] = add_up (x, m);)

CASE (turns_of_the_iteration)
TWO (/* amp: static */ fill_up (x, i, m);
     for (int l = i & 3; l > 0; l--)
       fill_up (y, i + l, m);
     out1[i] = add_up (y, m);)

CASE (only_read)
TWO (/* amp: static */ out1[i] = add_up (x, m);)

CASE (read_first)
TWO (/* amp: static */ out1[i] = add_up (x, m);
     fill_up (x, i, m);)

CASE (half_filled)
TWO (/* amp: static */ for (int k = 0; k < 4; k++)
       x[k] = i + k;
     for (int k = 4; k < 8; k++)
       out1[i] = out1[i] * 3 + x[k];)

CASE (one_filled)
TWO (/* amp: static */ x[0] = i;
     out1[i] = x[1];)

CASE (filled_after_it_is_read)
TWO (/* amp: static */ x[m] = i;
     for (int l = 0; l < 2; l++)
       {
	 out1[i] = out1[i] * 3 + add_up (x, m);
	 fill_up (x, i, m);
       })

OUT void
shift (u64 *x, const u64 *y, int m)
{
  for (int k = 0; k + 1 < m; k++)
    x[k] = y[k + 1];
}

CASE (shifted)
TWO (/* amp: static */ x[m - 1] = i;
     shift (x, x, m);
     out1[i] = add_up (x, m);)

CASE (place_by_a_condition)
TWO (/* amp: static */ u64 *p = i & 1 ? x : y;
     x[m] = i;
     fill_up (p, i, m);
     out1[i] = add_up (x, m) + add_up (y, m);)

CASE (length_by_a_condition)
TWO (/* amp: static */ int length = 3;
     if (in[i & 63] & 1)
       length = m;
     fill_up (x, i, length);
     out1[i] = add_up (x, m);)

CASE (set_up_to_a_length)
TWO (/* amp: static */ memset (x, i & 255, (in[i & 63] & 7) * sizeof *x);
     out1[i] = add_up (x, m);)

CASE (copied)
TWO (/* amp: any */ memcpy (x, in + (i & 31), m * sizeof *x);
     turn (x, y, m);
     out1[i] = add_up (y, m);)

CASE (length_in_scratch)
STEPS (/* amp: any */ u64 x[64]; int length[4],
       length[0] = m;
       fill_up (x, i, length[0]);
       out0[i] = out0[i] * 3 + add_up (x, m);)

CASE (length_in_scratch_of_the_iteration)
STEPS (/* amp: static */ u64 x[64]; int length[4],
       length[0] = m - (i & 3) * t;
       fill_up (x, i, length[0]);
       out0[i] = out0[i] * 3 + add_up (x, m);)

struct two { int a, b, c[8]; };

OUT struct two
make_two (int i)
{
  struct two t;
  t.a = i & 7;
  t.c[0] = i;
  return t;
}

CASE (length_in_a_returned_object)
TWO (/* amp: static */ struct two t = make_two (i);
     x[m] = i;
     for (int k = 0; k < t.a; k++)
       x[k] = i;
     out1[i] = add_up (x, m);)

struct place { u64 *length; };

OUT void
put_length (struct place *p, u64 length)
{
  *p->length = length;
}

CASE (length_that_is_pointed_to)
TWO (/* amp: static */ u64 length = m;
     struct place p = { &length };
     put_length (&p, i & 7);
     x[m] = i;
     for (int k = 0; k < (int) length; k++)
       x[k] = i;
     out1[i] = add_up (x, m);)

OUT u64
count_up (u64 *x, int m)
{
  static __thread int pos;
  x[pos % m] = pos;
  return pos++;
}

CASE (place_that_is_kept)
TWO (/* amp: static */ x[m] = i;
     count_up (x, m);
     out1[i] = add_up (x, m);)

OUT void (*volatile by_pointer) (u64 *, u64, int) = fill_up;

CASE (filled_by_a_pointer)
TWO (/* amp: static */ by_pointer (x, i, m - 1);
     out1[i] = add_up (x, m);)

OUT void
fill_again (u64 *x, u64 a, int m)
{
  x[m] = a;
  if (a % 3)
    fill_again (x, a / 3 * 3, m - 1);
}

CASE (filled_by_recursion)
TWO (/* amp: static */ fill_again (x, i, m);
     out1[i] = add_up (x, m);)

static struct { u64 *at; } kept[THREADS];

CASE (known_elsewhere)
TWO (/* amp: static */ kept[omp_get_thread_num ()].at = x;
     kept[omp_get_thread_num ()].at[i % m] = i;
     out1[i] = add_up (x, m);)

static u64 slices[THREADS][8], length_of_all[8] = { 63 };

/* Loops that fill X up to the length in S.  */
#define LENGTH_IN(S, ...)						\
  {									\
    int m = LENGTH (n);							\
    _Pragma ("omp parallel")						\
    {									\
      u64 x[64], *s = S;						\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	{								\
	  fill_up (x, i, m);						\
	  out0[i] = add_up (x, m);					\
	}								\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	{								\
	  __VA_ARGS__							\
	  for (int k = 0; k < m; k++)					\
	    {								\
	      x[k] = i + k;						\
	      if (*s == (u64) k)					\
		break;							\
	    }								\
	  out1[i] = add_up (x, m);					\
	}								\
    }									\
  }

CASE (length_in_a_slice)
LENGTH_IN (/* amp: static */ slices[omp_get_thread_num ()],
	   *s = in[i & 63] & 7;)

CASE (length_in_what_all_share)
LENGTH_IN (/* amp: any */ length_of_all, ;)

/* A table that each iteration of the first loop makes.  */

CASE (same_for_all)
{
  int m = LENGTH (n);
#pragma omp parallel
  {
    u64 x[64];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < m; k++)
	  x[(k * 5 + 3) % m] = in[k];
	out0[i] = add_up (x, m) + i;
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < (m & 7); k++)
	  x[k] = i;
	out1[i] = add_up (x, m);
      }
  }
}

CASE (in_steps)
STEPS (/* amp: any */ u64 x[64]; u64 y[64],
       out0[i] = out0[i] * 3 + use_up (x, y, i + t, m);)

CASE (same_for_all_in_steps)
STEPS (/* amp: any */ u64 x[64]; u64 y[64],
       for (int k = 0; k < m; k++)
	 x[k] = in[k];
       turn (x, y, m);
       out0[i] = out0[i] * 3 + add_up (y, m) * i;)

CASE (allocated_in_steps)
{
  int m = LENGTH (n);
#pragma omp parallel
  {
    u64 *x = malloc (64 * sizeof *x), *y = malloc (64 * sizeof *x);
    for (int t = 0; t < 3; t++)
#pragma omp for /* amp: any */
      for (int i = 0; i < n; i++)
	out0[i] = out0[i] * 3 + use_up (x, y, i + t, m);
    free (x);
    free (y);
  }
}

CASE (zero_in_steps)
{
  int m = LENGTH (n);
#pragma omp parallel
  {
    u64 *x = calloc (64, sizeof *x);
    for (int t = 0; t < 3; t++)
#pragma omp for /* amp: static */
      for (int i = 0; i < n; i++)
	{
	  out0[i] = add_up (x, m);
	  fill_up (x, i, m);
	}
    free (x);
  }
}

CASE (grown_in_steps)
{
#pragma omp parallel
  {
    u64 *x = NULL;
    for (int t = 1; t < 4; t++)
      {
	int m = t;
	x = realloc (x, 64 * sizeof *x);
#pragma omp for /* amp: static */
	for (int i = 0; i < n; i++)
	  {
	    if (t < 3)
	      fill_up (x, i, m);
	    out0[i] = out0[i] * 3 + add_up (x, t < 3 ? m : 2);
	  }
      }
    free (x);
  }
}

CASE (zero_at_first)
STEPS (/* amp: static */ u64 x[64] = { 0 },
       out0[i] = add_up (x, m);
       fill_up (x, i, m);)

CASE (filled_in_the_first_step)
STEPS (/* amp: static */ u64 x[64],
       if (t == 0)
	 fill_up (x, i, m);
       out0[i] = out0[i] * 3 + add_up (x, m);)

CASE (length_of_the_step)
STEPS (/* amp: static */ u64 x[64],
       fill_up (x, i, m - t);
       out0[i] = out0[i] * 3 + add_up (x, m);)

/* A loop that is run again and again, COUNT being how often.  */
#define COUNTED(OWN, COUNT)						\
  {									\
    int m = LENGTH (n);							\
    _Pragma ("omp parallel")						\
    {									\
      OWN;								\
      for (int t = 0; t < 3; t++)					\
	{								\
	  _Pragma ("omp for")						\
	  for (int i = 0; i < n; i++)					\
	    {								\
	      fill_up (x, i, m - COUNT);				\
	      out0[i] = out0[i] * 3 + add_up (x, m);			\
	    }								\
	  _Pragma ("omp single")					\
	  COUNT++;							\
	}								\
    }									\
  }

static int step;

CASE (length_of_a_shared_step)
{
  step = 0;
  COUNTED (/* amp: static */ u64 x[64], step)
}

CASE (length_of_a_step_of_all)
{
  int now = 0;
  COUNTED (/* amp: static */ u64 x[64], now)
}

CASE (of_the_step_before)
{
#pragma omp parallel
  {
    u64 *x = NULL, *y;
    for (int t = 0; t < 3; t++)
      {
	y = x;
	x = malloc (64 * sizeof *x);
#pragma omp for /* amp: static */
	for (int i = 0; i < n; i++)
	  {
	    fill_up (x, i, 8);
	    if (y)
	      out0[i] += add_up (y, 8);
	  }
	free (y);
      }
    free (x);
  }
}

CASE (new_in_each_step)
{
#pragma omp parallel
  for (int t = 0; t < 3; t++)
    {
      u64 x[64], y[64];
      int m = LENGTH (t);
#pragma omp for /* amp: any */
      for (int i = 0; i < n; i++)
	out0[i] = out0[i] * 3 + use_up (x, y, i, m);
    }
}

static __thread u64 mine[64];

CASE (thread_local_in_steps)
STEPS (/* amp: static */ u64 x = 0,
       out0[i] = add_up (mine, m) + x;
       fill_up (mine, i, m);)

/* Scratch that functions get which have loops.  */

OUT void both_loops (int, int);

CASE (handed_on)
{
#pragma omp parallel
  both_loops (n, LENGTH (n));
}

OUT void
first_loop (u64 *x, u64 *y, int n, int m)
{
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = use_up (x, y, i, m);
}

OUT void
second_loop (u64 *x, u64 *y, int n, int m)
{
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    out1[i] = use_up (y, x, i + 3, m);
}

OUT void
both_loops (int n, int m)
{
  u64 x[64], y[64];
  first_loop (x, y, n, m);
  second_loop (x, y, n, m);
}

OUT void all_and_some (int, int);

CASE (handed_on_to_another)
{
#pragma omp parallel
  all_and_some (n, LENGTH (n));
}

OUT void
loop_of_all (u64 *x, u64 *y, int n, int m)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = use_up (x, y, i, m);
}

OUT void
loop_of_some (u64 *x, int n, int m)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      x[m] = i;
      if (i % 3)
	fill_up (x, i, m);
      out1[i] = add_up (x, m);
    }
}

OUT void
all_and_some (int n, int m)
{
  u64 x[64], y[64];
  loop_of_all (x, y, n, m);
  loop_of_some (x, n, m);
}

OUT void loop_and_reader (int, int);

CASE (handed_on_and_read)
{
#pragma omp parallel
  loop_and_reader (n, LENGTH (n));
}

OUT void
loop_that_is_read (u64 *x, u64 *y, int n, int m)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = use_up (x, y, i, m);
}

OUT void
loop_and_reader (int n, int m)
{
  u64 x[64], y[64];
  loop_that_is_read (x, y, n, m);
  tail[omp_get_thread_num ()] = n < 7 ? 0 : x[m - 1];
}

OUT void all_steps (int, int);

CASE (handed_on_in_steps)
{
#pragma omp parallel
  all_steps (n, LENGTH (n));
}

OUT void
loop_in_steps (u64 *x, u64 *y, int n, int m, int t)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      fill_up (x, i, m - t);
      turn (x, y, m);
      out0[i] = out0[i] * 3 + add_up (y, m);
    }
}

OUT void
all_steps (int n, int m)
{
  u64 x[64], y[64];
  for (int t = 0; t < 3; t++)
    loop_in_steps (x, y, n, m, t);
}

/* Two parameters that lead to one array.  */

OUT void one_array (int, int);

CASE (one_array_twice)
{
#pragma omp parallel
  one_array (n, LENGTH (n));
}

OUT void
fills_all (u64 *x, int n, int m)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      fill_up (x, i, m);
      out1[i] = add_up (x, m);
    }
}

OUT void
fills_half (u64 *x, const u64 *y, int n, int m)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      fill_up (x, i, m / 2);
      out0[i] = add_up (y, m);
    }
}

OUT void
one_array (int n, int m)
{
  u64 x[64];
  fills_all (x, n, m);
  fills_half (x, x, n, m);
}

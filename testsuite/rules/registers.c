/* Variables that iterations hand on, and such as they do not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <setjmp.h>
#include "rules.h"

CASE (counted)
LOOP (/* amp: static */ u64 count = 0,
      out0[i] = count++;)

CASE (counted_anew)
LOOP (/* amp: any */ u64 count,
      count = 0;
      for (int k = 0; k < i % 7; k++)
	count++;
      out0[i] = count;)

CASE (last_value)
LOOP (/* amp: static */ u64 last = 3,
      out0[i] = last;
      last = in[i & 63];)

CASE (value_before_use)
LOOP (/* amp: any */ u64 last = 3,
      last = in[i & 63];
      out0[i] = last;)

CASE (drawn)
{
  u64 state = 5;
#pragma omp parallel for firstprivate (state) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      state = state * 69069 + 1;
      out0[i] = state;
    }
}

CASE (drawn_for_each)
{
  u64 state = 5;
#pragma omp parallel for firstprivate (state) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      state = i;
      state = state * 69069 + 1;
      state = state * 69069 + 1;
      out0[i] = state;
    }
}

CASE (set_under_condition)
LOOP (/* amp: static */ u64 kept = 1,
      if (in[i & 63] & 1)
	kept = i;
      out0[i] = kept;)

CASE (set_on_all_paths)
LOOP (/* amp: any */ u64 kept = 1,
      if (in[i & 63] & 1)
	kept = i;
      else if (in[i & 63] & 2)
	kept = 2 * i;
      else
	kept = 7;
      out0[i] = kept;)

CASE (cases_with_a_gap)
LOOP (/* amp: static */ u64 kept = 1,
      switch (in[i & 63] & 3)
	{
	case 0: kept = 3; break;
	case 1: kept = i; break;
	case 2: kept = 5; break;
	}
      out0[i] = kept;)

CASE (cases_without_a_gap)
LOOP (/* amp: any */ u64 kept = 1,
      switch (in[i & 63] & 3)
	{
	case 0: kept = 3; break;
	case 1: kept = i; break;
	default: kept = 5; break;
	}
      out0[i] = kept;)

CASE (left_before_it_is_set)
LOOP (/* amp: static */ u64 kept = 1,
      out0[i] = kept;
      if (in[i & 63] & 1)
	continue;
      kept = i;)

CASE (left_before_it_is_used)
LOOP (/* amp: any */ u64 kept = 1,
      if (in[i & 63] & 1)
	continue;
      kept = i;
      out0[i] = kept;)

CASE (first_iteration)
LOOP (/* amp: static */ int first = 1,
      out0[i] = first ? 100 : i;
      first = 0;)

CASE (invariant)
LOOP (/* amp: any */ int first = n > 10,
      out0[i] = first ? 100 : i;)

CASE (toggled)
LOOP (/* amp: static */ u64 odd = 0,
      odd ^= 1;
      out0[i] = odd;)

CASE (added_up)
{
#pragma omp parallel
  {
    u64 sum = 0;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      sum += in[i & 63];
#pragma omp atomic
    total += sum;
  }
}

CASE (added_up_and_seen)
{
#pragma omp parallel
  {
    u64 sum = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	sum += in[i & 63];
	out0[i] = sum;
      }
#pragma omp atomic
    total += sum;
  }
}

CASE (added_up_until)
{
#pragma omp parallel
  {
    u64 sum = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	sum += in[i & 63] & 15;
	if (sum > 20)
	  sum = 0;
      }
#pragma omp atomic
    total += sum;
  }
}

CASE (multiplied)
{
#pragma omp parallel
  {
    u64 product = 1;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      if (in[i & 63] & 4)
	product *= in[i & 63] | 1;
#pragma omp atomic
    total += product & 0;
#pragma omp critical
    total ^= product ^ product;
  }
}

CASE (two_operations)
{
#pragma omp parallel
  {
    u64 sum = 1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	sum += in[i & 63];
	sum *= 3;
      }
#pragma omp atomic
    total += sum;
  }
}

CASE (bits_gathered)
{
#pragma omp parallel
  {
    u64 some = 0, odd = 0;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	some |= in[i & 63];
	odd ^= in[i & 63];
      }
#pragma omp critical
    {
      total ^= odd;
      tail[0] |= some;
    }
  }
}

CASE (maximum)
{
#pragma omp parallel
  {
    u64 most = 0;
#pragma omp for /* amp: any or static at -O0 */
    for (int i = 0; i < n; i++)
      if (in[i & 63] > most)
	most = in[i & 63];
#pragma omp critical
    if (most > tail[0])
      tail[0] = most;
  }
}

/* What a thread has found, put together in another way.  */
CASE (maximum_of_minima)
{
#pragma omp parallel
  {
    u64 least = 99;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if ((in[i & 63] & 63) < least)
	least = in[i & 63] & 63;
#pragma omp critical
    if (least > tail[0])
      tail[0] = least;
  }
}

CASE (sum_of_maxima)
{
#pragma omp parallel
  {
    u64 most = 0, found = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if ((in[i & 63] & 63) > most)
	most = in[i & 63] & 63;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if ((in[i & 63] & 7) == 3)
	found = 1;
#pragma omp atomic
    total += most;
#pragma omp atomic
    total += found * 3;
  }
}

/* The first of equal ones: a later iteration must not come before it.  */
CASE (place_of_maximum)
{
#pragma omp parallel
  {
    u64 most = 0;
    int place = -1;
#pragma omp for /* amp: ascending or static at -O0 */
    for (int i = 0; i < n; i++)
      if ((in[i & 63] & 7) > most)
	{
	  most = in[i & 63] & 7;
	  place = i;
	}
#pragma omp critical
    if (most > tail[0] || (most == tail[0] && place < (int) tail[1]))
      {
	tail[0] = most;
	tail[1] = place;
      }
  }
}

CASE (maxima_so_far)
LOOP (/* amp: static */ u64 most = 0,
      if (in[i & 63] > most)
	{
	  most = in[i & 63];
	  out0[i] = 1;
	})

CASE (flag_raised)
{
#pragma omp parallel
  {
    int found = 0;
#pragma omp for /* amp: any or static at -O0 */
    for (int i = 0; i < n; i++)
      if ((in[i & 63] & 15) == 3)
	found = 1;
#pragma omp critical
    total |= found;
  }
}

CASE (flag_raised_and_lowered)
{
#pragma omp parallel
  {
    int found = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if ((in[i & 63] & 15) == 3)
	  found = 1;
	if ((in[i & 63] & 15) == 5)
	  found = 0;
      }
    tail[omp_get_thread_num ()] = found;
  }
}

CASE (inner_loop)
LOOP (/* amp: static */ u64 window = 0,
      for (int k = 0; k < 3; k++)
	{
	  window = window << 4 | (in[(i + k) & 63] & 15);
	  out0[i] += window;
	})

CASE (inner_loop_that_begins)
LOOP (/* amp: any */ u64 window,
      window = 0;
      for (int k = 0; k < 3; k++)
	{
	  window = window << 4 | (in[(i + k) & 63] & 15);
	  out0[i] += window;
	})

CASE (reduction_seen)
{
  u64 sum = 0;
#pragma omp parallel for reduction (+: sum) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      sum += in[i & 63];
      out0[i] = sum;
    }
  total += sum;
}

CASE (reduction)
{
  u64 sum = 0, most = 0;
#pragma omp parallel for reduction (+: sum) reduction (max: most) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      sum += in[i & 63];
      most = most > in[i & 63] ? most : in[i & 63];
      out0[i] = i;
    }
  total += sum + most;
}

CASE (lastprivate)
{
  u64 last = 0;
#pragma omp parallel for lastprivate (last) /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      last = in[i & 63];
      out0[i] = last * 3;
    }
  total += last;
}

CASE (lastprivate_of_some)
{
  u64 last = 2;
#pragma omp parallel for firstprivate (last) lastprivate (last) /* amp: static */
  for (int i = 0; i < n; i++)
    if (in[i & 63] & 1)
      last = i;
  total += last;
}

/* As Cython has it: nobody looks at what is handed back.  */
CASE (lastprivate_of_some_for_nothing)
{
  u64 last = 2;
  int k = 7;
#pragma omp parallel for firstprivate (last, k) lastprivate (last, k) /* amp: ascending */
  for (int i = 0; i < n; i++)
    if (in[i & 63] & 1)
      {
	last = i * 3;
	for (k = 0; k < 3; k++)
	  out0[i] = out0[i] * 5 + last;
      }
}

CASE (lastprivate_of_some_for_the_next_turn)
{
  u64 last = 2;
#pragma omp parallel
  for (int r = 0; r < 3; r++)
    {
      u64 was = last;
#pragma omp barrier
#pragma omp for firstprivate (last) lastprivate (last) /* amp: static */
      for (int i = 0; i < n; i++)
	{
	  out0[i] += was;
	  if (i % 5 == 1)
	    last = in[i & 63];
	}
    }
}

/* Where an array's length varies the region's function has a record of its
   own.  */
CASE (lastprivate_of_some_beside_an_array)
{
  u64 last = 2, length[n + 1];
  length[n] = 3;
#pragma omp parallel for firstprivate (last) lastprivate (last) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      length[i] = in[i & 63];
      if (i % 5 == 1)
	last = length[i] % 3;
    }
  total = last + length[n];
}

CASE (lastprivate_count)
{
  int k = 7;
#pragma omp parallel for firstprivate (k) lastprivate (k) /* amp: converted */
  for (int i = 0; i < n; i++)
    for (k = 0; k < 3; k++)
      out0[i] = out0[i] * 5 + in[(i + k) & 63];
  total = k;
}

CASE (lastprivate_of_some_for_another_loop)
{
  u64 last = 2;
#pragma omp parallel
  {
#pragma omp for firstprivate (last) lastprivate (last) /* amp: static */
    for (int i = 0; i < n; i++)
      if (in[i & 63] & 1)
	last = i;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = last + i;
  }
}

/* What iterations leave of an array that had values before.  */
CASE (lastprivate_array_of_some)
{
  u64 last[4] = { 1, 2, 3, 4 };
#pragma omp parallel for firstprivate (last) lastprivate (last) /* amp: static */
  for (int i = 0; i < n; i++)
    last[i & 3] = i;
  for (int k = 0; k < 4; k++)
    total = total * 5 + last[k];
}

CASE (lastprivate_array)
{
  u64 last[4] = { 1, 2, 3, 4 };
#pragma omp parallel for lastprivate (last) /* amp: ascending */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      last[k] = in[(i + k) & 63];
  for (int k = 0; k < 4; k++)
    total = total * 5 + last[k];
}

/* The difference between iterations.  */
CASE (induction)
LOOP (/* amp: static */ int place = -1,
      if (place < 0)
	place = i * 2;
      out0[place] = i;
      place += 2;)

CASE (computed)
LOOP (/* amp: any */ int place,
      place = i * 2;
      out0[place] = i;
      place += 1;
      out0[place] = i;)

CASE (seen_after_the_loop)
{
#pragma omp parallel
  {
    u64 last = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      last = i;
    tail[omp_get_thread_num ()] = last;
  }
}

CASE (lost_after_the_loop)
{
#pragma omp parallel
  {
    u64 last = 0;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	last = i;
	out0[i] = last * 7;
      }
    last = 5;
    tail[omp_get_thread_num ()] = last;
  }
}

CASE (seen_in_the_next_loop)
{
#pragma omp parallel
  {
    u64 last = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      last = i;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = last;
  }
}

CASE (sum_left_by_the_last)
{
  u64 seen = 0, all = 0;
#pragma omp parallel
  {
    u64 count = 0, more = 0;
#pragma omp for lastprivate (seen) /* amp: static */
    for (int i = 0; i < n; i++)
      {
	count += in[i & 127] & 1;
	seen = count;
      }
#pragma omp for lastprivate (seen) /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	more += in[i & 127] & 1;
	seen = i;
      }
#pragma omp atomic
    all += more;
  }
  out0[0] = seen;
  out0[1] = all;
}

CASE (narrow_is_found_equal)
LOOP (/* amp: static */ u64 kept = 256,
      out0[i] = kept;
      if (!(unsigned char) kept)
	kept = 0;)

CASE (zero_is_found_equal)
LOOP (/* amp: static */ double kept = -0.0,
      out0[i] = __builtin_signbit (kept) != 0;
      if (kept == 0)
	kept = 0;)

CASE (found_unequal)
LOOP (/* amp: static */ u64 kept = in[1],
      out0[i] = kept;
      if (kept != 7)
	{
	  out1[i] = 1;
	  kept = 7;
	})

CASE (found_equal_to_another)
LOOP (/* amp: static */ u64 kept = 3,
      out0[i] = kept;
      if (kept == 3)
	kept = 7;)

/* An inner loop of a static one is divided, too.  */
CASE (flag_for_a_static_loop)
{
#pragma omp parallel
  {
    int found = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if ((in[i & 63] & 15) == 3)
	found = 1;
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      if (found)
	out1[i] = 7;
  }
}

/* Not the greatest one of all, but what was that before.  */
CASE (greatest_before)
{
  u64 best = 0;
#pragma omp parallel
  {
    u64 most = 0, before = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (in[i * 7 & 63] > most)
	{
	  before = most;
	  most = in[i * 7 & 63];
	}
#pragma omp critical
    if (before > best)
      best = before;
  }
  total = best;
}

CASE (sum_cut_short)
{
#pragma omp parallel
  {
    long long sum = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      sum = (signed char) sum + (long long) in[i & 63];
#pragma omp atomic
    total += sum;
  }
}

CASE (short_sum)
{
#pragma omp parallel
  {
    signed char sum = 0;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      sum += in[i & 63];
#pragma omp critical
    total = (unsigned char) (total + sum);
  }
}

CASE (greatest_with_and_without_sign)
{
  int best = -7;
#pragma omp parallel
  {
    int most = -5;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	int x = (int) in[i & 63] >> (i & 7);
	unsigned u = most;
	if (i & 1)
	  most = most > x ? most : x;
	else
	  most = u > (unsigned) x ? u : (unsigned) x;
      }
#pragma omp critical
    if (most > best)
      best = most;
  }
  total = best;
}

/* All threads but the one that runs the last iteration.  */
CASE (last_of_others)
{
#pragma omp parallel
  {
    int end = 0;
    u64 x;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	end = i + 1;
	x = in[i & 63];
      }
    if (end != n && end > 0)
      {
#pragma omp atomic
	total += x;
      }
  }
}

/* A thread without an iteration adds 0, not what others begin with.  */
CASE (begun_by_an_iteration)
{
#pragma omp parallel
  {
    u64 from = 12345, sum = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	from += in[i & 63];
	sum = from;
      }
#pragma omp atomic
    total += sum;
  }
}

CASE (begun_by_all)
{
#pragma omp parallel
  {
    u64 from = 12345;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      from += in[i & 63];
#pragma omp atomic
    total += from;
  }
}

/* Which of equals is taken says the place.  */
CASE (least_with_its_place)
{
  u64 best = ~0ul;
  int where = -1;
#pragma omp parallel
  {
    u64 m = ~0ul;
    int w = -1;
#pragma omp for /* amp: ascending or static at -O0 */
    for (int i = 0; i < n; i++)
      if (in[i & 31] <= m)
	{
	  m = in[i & 31];
	  w = i;
	}
#pragma omp critical
    if (m < best || (m == best && w > where))
      {
	best = m;
	where = w;
      }
  }
  total = best + where;
}

/* The least one of each thread is noted: they say where blocks begin.  */
CASE (least_of_each_thread)
{
  int noted[THREADS], many = 0;
#pragma omp parallel
  {
    int least = n;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      least = i < least ? i : least;
#pragma omp critical
    noted[many++] = least;
  }
  for (int k = 0; k < many; k++)
    if (noted[k] < n)
      out0[noted[k]] = 1;
}

/* What longjmp finds is not followed.  */
CASE (set_back)
{
#pragma omp parallel
  {
    jmp_buf back;
    if (setjmp (back) < 3)
      {
#pragma omp for /* amp: static */
	for (int i = 0; i < n; i++)
	  out0[i] = in[i & 63];
      }
  }
}

/* Parts of a sum that are put together otherwise, or what is made of them.  */
#define PUT_TOGETHER(WHAT)						\
  {									\
    u64 all = 0;							\
    _Pragma ("omp parallel")						\
    {									\
      u64 s = 0;							\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	s += in[i & 63] & 15;						\
      _Pragma ("omp critical")						\
      WHAT;								\
    }									\
    out0[0] = all;							\
  }

CASE (squares_of_parts)
PUT_TOGETHER (all += s * s) /* amp: static */
CASE (greatest_part)
PUT_TOGETHER (all = all > s ? all : s) /* amp: static */
CASE (odd_parts)
PUT_TOGETHER (all += s & 1) /* amp: static */
CASE (halves_of_parts)
PUT_TOGETHER (all += s / 2) /* amp: static */
CASE (product_of_parts)
PUT_TOGETHER (all *= s + 1) /* amp: static */
CASE (parts_mixed)
PUT_TOGETHER (all ^= s) /* amp: static */
CASE (bytes_of_parts)
PUT_TOGETHER (all += (unsigned char) s) /* amp: static */
CASE (multiples_of_parts_by_a_product)
PUT_TOGETHER (all += s * (3 + n * 5)) /* amp: any */
CASE (multiples_of_parts)
PUT_TOGETHER (all -= s * 12) /* amp: any */

/* What follows a test for the greatest is not under it.  */

CASE (greatest_of_a_nest)
{
  double m = 0;
#pragma omp parallel for collapse (2) reduction (max : m) /* amp: any */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++)
      {
	double e = in[(i * 8 + k) & 63] >> k;
	if (e > m)
	  m = e;
      }
  total = m;
}

CASE (greatest_before_a_store)
{
  double m = 0;
#pragma omp parallel for reduction (max : m) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      double e = in[i & 63];
      if (e > m)
	m = e;
      if (in[i & 63] & 4)
	out0[i] = 3;
    }
  total = m;
}

/* What runs for a new greatest one, or for another reason.  */

CASE (greatest_or_another_reason)
{
  double m = 0;
#pragma omp parallel for reduction (max : m) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      double e = in[i & 63];
      if (i % 8 == 3 || e > m)
	out0[i] = 1;
      if (e > m)
	m = e;
    }
  total = m;
}

/* What another value says is taken is no extreme.  */

CASE (greatest_if_another_is_greater)
{
  double m = 0;
#pragma omp parallel for reduction (max : m) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      double x = in[i & 63] % 97, y = in[i * 7 & 63] % 89;
      if (x > m && y > m)
	m = y;
    }
  total = m;
}

CASE (first_that_is_greater)
{
  double m = 0;
#pragma omp parallel for reduction (max : m) /* amp: static */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      {
	double e = in[(i + k) & 63] % 97;
	if (e > m)
	  {
	    m = e;
	    break;
	  }
      }
  total = m;
}

/* With as many threads as iterations the greatest is none of them; so all must
   come down.  */

CASE (greatest_unless_it_is_the_least)
{
  u64 low = ~0ull, high = 0;
#pragma omp parallel for reduction (min : low) reduction (max : high) /* amp: ascending */
  for (int i = 0; i < n; i++)
    {
      u64 e = 1000 - i;
      if (e < low)
	low = e;
      else if (e > high)
	high = e;
    }
  total = low + high;
}

CASE (greatest_either_way)
{
  u64 low = ~0ull, high = 0;
#pragma omp parallel for reduction (min : low) reduction (max : high) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      u64 x = in[i & 63] % 31, y = in[i * 5 & 63] % 37, z = in[i * 3 & 63] % 41;
      if (x < low)
	{
	  low = x;
	  if (y > high)
	    high = y;
	}
      else if (z > high)
	high = z;
    }
  total = low;
}

CASE (greatest_of_three)
{
  u64 a = 0, b = 0, c = 0;
#pragma omp parallel for reduction (max : a, b, c) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      u64 x = in[i & 63] % 31, y = in[i * 5 & 63] % 37, z = in[i * 3 & 63] % 41;
      if (x > a)
	{
	  a = x;
	  if (y > b)
	    b = y;
	  else if (z > c)
	    c = z;
	}
    }
  total = a;
}

/* The iterator that all know is set anew, and handed on, in each chunk.  */

static int steps;
CASE (shared_iterator_of_a_vector_loop)
{
#pragma omp parallel for simd /* amp: converted */
  for (steps = 0; steps < n; steps++)
    out0[steps] = in[steps & 63];
  total = steps;
}

/* Up to what a further step would wrap, and one before that.  */
#define COUNT_UP_TO(LAST)						\
  for (unsigned long i = -70ul; i <= LAST; i++)				\
    out0[-i] = i * n;

CASE (up_to_the_last_number_but_one)
{
#pragma omp parallel for /* amp: static */
  COUNT_UP_TO (-2ul)
}

CASE (up_to_the_last_number_but_two)
{
#pragma omp parallel for /* amp: any */
  COUNT_UP_TO (-3ul)
}

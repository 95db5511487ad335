/* Logical reductions, and what looks like them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdbool.h>
#include "rules.h"

#define REDUCE(TYPE, FIRST, OP, ITERATION)				\
{									\
  for (int k = 0; k < 8; k++)						\
    {									\
      TYPE f = FIRST;							\
PRAGMA (omp parallel for reduction (OP : f))				\
      for (int i = 0; i < n; i++)					\
	ITERATION;							\
      out0[k] = f + 2;							\
    }									\
}
#define PRAGMA(X) _Pragma (#X)
#define HIT ((in[i & 63] & 63) == (u64) k * 3)

CASE (any_of_them)
REDUCE (bool, false, ||, f = f || HIT) /* amp: any */
CASE (all_of_them)
REDUCE (bool, true, &&, f = f && !HIT) /* amp: any */
CASE (any_as_a_number)
REDUCE (int, 0, ||, f = f || HIT) /* amp: any */
CASE (all_as_a_number)
REDUCE (int, 1, &&, f = !HIT && f) /* amp: any */
CASE (any_from_what_is_true)
REDUCE (int, 5, ||, if (HIT) f = 1) /* amp: any */
CASE (all_by_a_condition)
REDUCE (bool, true, &&, if (f && HIT) f = false) /* amp: any */
CASE (all_by_bits)
REDUCE (bool, true, &, f &= !HIT) /* amp: any or static at -O0 */
CASE (set_back_where_it_was_set)
REDUCE (bool, false, ||, f = f ? i % 7 != 3 : HIT) /* amp: static */
CASE (set_to_what_is_last)
REDUCE (bool, false, ||, f = HIT) /* amp: static */

/* Something else is done, or found, where it is not set.  */

CASE (stores_where_it_is_not_set)
REDUCE (bool, false, ||, { if (!f) out1[i] = 1; f = f || HIT; }) /* amp: static */

CASE (counts_where_it_is_not_set)
{
  u64 m = 0;
  bool f = false;
#pragma omp parallel for reduction (|| : f) reduction (+ : m) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      m += f ? 0 : i;
      f = f || (in[i & 63] & 31) == 9;
    }
  total = m + f;
}

/* Put together by hand.  */

#define BY_HAND(FIRST, ALL, BY, TOGETHER)				\
{									\
  for (int k = 0; k < 8; k++)						\
    {									\
      bool all = ALL;							\
_Pragma ("omp parallel")						\
      {									\
	bool f = FIRST;							\
_Pragma ("omp for")							\
	for (int i = 0; i < n; i++)					\
	  f = f || HIT;							\
PRAGMA (omp BY)								\
	TOGETHER;							\
      }									\
      out0[k] = all + 2;						\
    }									\
}

CASE (any_by_hand)
BY_HAND (false, false, critical, all = all || f) /* amp: any */
CASE (none_by_hand)
BY_HAND (false, true, critical, all = all && !f) /* amp: any or static */
CASE (all_have_found_one)
BY_HAND (false, true, critical, all = all && f) /* amp: static */
CASE (an_odd_number_has_found_one)
BY_HAND (false, false, critical, all = all != f) /* amp: static */
CASE (the_master_alone_has_found_one)
BY_HAND (false, false, master, all = all || f) /* amp: static */

/* Static gives thread 0 the first iteration.  */

CASE (the_first_thread_tells)
{
  u64 m = 0;
  int f = 0;
#pragma omp parallel
  {
    int g = 0;
    u64 s = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (i == 0)
	g = 1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (i == 0)
	s += 5;
    if (omp_get_thread_num () == 0)
#pragma omp critical
      {
	f |= g;
	m += s;
      }
  }
  total = m + f;
}

/* Which turn of a loop is the last depends on the flag.  */

CASE (leaves_a_loop_where_it_is_set)
{
  bool f = false;
#pragma omp parallel for reduction (|| : f) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      int k = 0;
      while (!f && k < 1)
	k++;
      out0[i] = k;
      f = f || k >= 0;
    }
}

CASE (each_says_what_it_found)
{
#pragma omp parallel
  {
    bool f = false;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      f = f || (in[i & 63] & 31) == 9;
    tail[omp_get_thread_num ()] = f + 1;
  }
}

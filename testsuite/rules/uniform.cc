/* C++'s scratch that each iteration uses in the same way, or not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <iostream>
#include <vector>
#include <string>
#include "rules.h"

#define OUT static __attribute__ ((noinline, unused))

OUT void
fill_up (u64 *x, u64 a, int m)
{
  for (int k = 0; k < m; k++)
    x[k * 5 % m] = in[(a + k) & 63] + a;
}

OUT void
throw_or_fill (u64 *x, u64 a, int m)
{
  x[m] = a;
  if (a % 3 == 0)
    throw 1;
  for (int k = 0; k < m; k++)
    x[k] = a + k;
}

OUT u64
add_up (const u64 *x, int m)
{
  u64 s = 0;
  for (int k = 0; k < m; k++)
    s = s * 5 + x[k];
  return s;
}

#define LENGTH(N) (8 + ((N) & 7) + ((8 + ((N) & 7)) % 5 == 0))

#define TWO(OWN, ...)							\
  {									\
    int m = LENGTH (n);							\
    _Pragma ("omp parallel")						\
    {									\
      OWN;								\
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
	}								\
    }									\
  }

CASE (both_fill)
TWO (/* amp: any */ u64 x[64],
     fill_up (x, i + 3, m);
     out1[i] = add_up (x, m);)

CASE (thrown_before)
TWO (/* amp: static */ u64 x[64],
     try
       {
	 throw_or_fill (x, i, m);
       }
     catch (int)
       {
       }
     out1[i] = add_up (x, m);)

struct line
{
  u64 cell[64];
  int used;
  void fill (u64 a, int m)
  {
    used = m;
    for (int k = 0; k < used; k++)
      cell[k * 5 % m] = a + k;
  }
  u64 sum () const { return add_up (cell, used); }
};

CASE (object_filled)
{
  int m = LENGTH (n);
#pragma omp parallel
  {
    line x;
    for (int t = 0; t < 3; t++)
#pragma omp for /* amp: any or static at -O0 */
      for (int i = 0; i < n; i++)
	{
	  x.fill (i, m);
	  out0[i] = out0[i] * 3 + x.sum ();
	}
  }
}

CASE (object_filled_at_first)
{
  int m = LENGTH (n);
#pragma omp parallel
  {
    line x;
    for (int t = 0; t < 3; t++)
#pragma omp for /* amp: static */
      for (int i = 0; i < n; i++)
	{
	  if (t == 0)
	    x.fill (i, m);
	  out0[i] = out0[i] * 3 + x.sum ();
	}
  }
}

CASE (vector_of_zeros)
{
  int m = LENGTH (n);
#pragma omp parallel
  {
    std::vector<u64> x (64);
    for (int t = 0; t < 3; t++)
#pragma omp for /* amp: static */
      for (int i = 0; i < n; i++)
	{
	  out0[i] = out0[i] * 3 + add_up (x.data (), m);
	  fill_up (x.data (), i, m);
	}
  }
}

/* The number of threads is written, and nothing is made of it.  */
CASE (team_that_is_written)
{
  std::vector<int> order (n);
  if (n < 0)
    std::cerr << omp_get_max_threads () << std::to_string (omp_get_num_procs ());
  for (int i = 0; i < n; i++)
    order[i] = n - 1 - i;
#pragma omp parallel for /* amp: any or static at -O0 */
  for (int i = 0; i < n; i++)
    out0[order[i]] = out0[order[i]] * 3 + i;
}

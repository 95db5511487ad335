// Extremes kept by std::max and std::min, which return references.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include "rules.h"

CASE (greatest)
{
  u64 top = 3;
#pragma omp parallel for reduction (max: top) // amp: any or static at -O0
  for (int i = 0; i < n; i++)
    {
      record r = { in[i & 63], u64 (i), { } };
      top = std::max (top, r.a);
      top = std::max (top, r.b * 5);
    }
  total = top;
}

CASE (both_ends)
{
  u64 top = 3, low = 1 << 20;
#pragma omp parallel for reduction (max: top) reduction (min: low) // amp: any or static at -O0
  for (int i = 0; i < n; i++)
    {
      low = std::min (low, in[i & 63]);
      top = std::max (top, in[i & 63]);
    }
  total = top ^ low << 32;
}

CASE (greatest_of_a_row)
{
  u64 top[3] = { 1, 2, 3 };
#pragma omp parallel for reduction (max: top[:3]) // amp: any or static at -O0
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      top[k] = std::max (top[k], in[i + k & 63]);
  total = top[0] + 3 * top[1] + 5 * top[2];
}

CASE (greatest_of_all_threads)
{
  u64 top = 0;
#pragma omp parallel
  {
    u64 mine = 0;
#pragma omp for nowait // amp: any or static at -O0
    for (int i = 0; i < n; i++)
      mine = std::max (mine, in[i & 63] * i);
#pragma omp critical
    top = std::max (top, mine);
  }
  total = top;
}

CASE (greatest_so_far)
{
  u64 top = 0;
#pragma omp parallel for reduction (max: top) // amp: static
  for (int i = 0; i < n; i++)
    {
      top = std::max (top, in[i & 63]);
      out0[i] = top;
    }
  total = top;
}

CASE (within_bounds)
{
  u64 now = 7, sum = 0;
#pragma omp parallel for firstprivate (now) reduction (+: sum) // amp: static
  for (int i = 0; i < n; i++)
    {
      now = std::max (now, in[i & 63]);
      now = std::min (now, in[i + 5 & 63] + 9);
      sum += now;
    }
  total = sum;
}

CASE (greatest_counted)
{
  u64 sum = 0;
#pragma omp parallel reduction (+: sum)
  {
    u64 top = 0, found = 0;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	u64 before = top;
	top = std::max (top, in[i & 63]);
	found += top != before;
      }
    sum += found;
  }
  total = sum;
}

CASE (one_of_two_changed)
LOOP (/* amp: static */ u64 a = 1; u64 b = 2,
      u64 &less = const_cast<u64 &> (std::min (a, b));
      less += in[i & 63];
      out0[i] = less;)

struct found { u64 top, sum; };

CASE (greatest_beside_a_sum)
{
  found all = { 0, 0 };
#pragma omp parallel
  {
    found mine = { 0, 0 };
#pragma omp for // amp: any or static at -O0
    for (int i = 0; i < n; i++)
      {
	mine.top = std::max (mine.top, in[i & 63]);
	mine.sum += in[i & 63];
      }
#pragma omp critical
    {
      all.top = std::max (all.top, mine.top);
      all.sum += mine.sum;
    }
  }
  total = all.top ^ all.sum;
}

CASE (greatest_summed)
{
  found all = { 0, 0 };
#pragma omp parallel
  {
    found mine = { 0, 0 };
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	mine.top = std::max (mine.top, in[i & 63] % 1000);
	mine.sum += in[i & 63];
      }
#pragma omp critical
    all.sum += mine.top + mine.sum;
  }
  out0[0] = all.sum / 1000000;
}

// How many threads there are, kept by objects of C++'s library.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <atomic>
#include <vector>
#include "rules.h"

// How many parts there are says a container, or an atomic object; another
// container of that type says nothing.

__attribute__ ((always_inline)) static inline int
part (int i, int n, int parts)
{
  int p = 0;
  for (int end = n / parts + (n % parts > 0); i >= end; p++)
    end += n / parts + (p + 1 < n % parts);
  return p;
}

__attribute__ ((always_inline)) static inline u64
go_up (u64 &s, int i)
{
  s = s ? s + 2 * i - 1 : (u64) i * i + 1;
  return s;
}

CASE (parts_in_a_vector)
{
  std::vector<u64> all (omp_get_max_threads ());
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, all.size ())], i);
}

CASE (parts_told_by_an_element)
{
  std::vector<int> told;
  u64 all[THREADS] = {};
  told.push_back (omp_get_max_threads ());
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, told[0])], i);
}

CASE (parts_told_by_a_size)
{
  std::vector<int> told;
  u64 all[THREADS] = {};
  told.assign (omp_get_max_threads (), 1);
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, told.size ())], i);
}

static __attribute__ ((noinline)) void
by_parts (std::vector<u64> &all, int n)
{
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, all.size ())], i);
}

CASE (parts_by_reference)
{
  std::vector<u64> all (omp_get_max_threads ());
  by_parts (all, n);
}

CASE (parts_told_by_an_atomic_object)
{
  static std::atomic<int> parts;
  u64 all[THREADS] = {};
  parts = omp_get_max_threads ();
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, parts)], i);
}

CASE (parts_told_by_an_exchange)
{
  static std::atomic<int> parts;
  u64 all[THREADS] = {};
  int none = 0;
  parts = 0;
  parts.compare_exchange_strong (none, omp_get_max_threads ());
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, parts)], i);
}

CASE (beside_parts_in_a_vector)
{
  std::vector<u64> sums (omp_get_max_threads ()), columns (n);
  for (int i = 0; i < n; i++)
    columns.at (i) = in[i & 63] % n;
  sums.push_back (columns[0]);
  sums.assign (columns.data (), columns.data () + 2);
#pragma omp parallel for // amp: any or static at -O0
  for (int i = 0; i < n; i++)
    out0[i] = columns[i] != (u64) i && (u64) i < columns.size () ? in[i & 63]
							     : 1;
}

CASE (fractions_by_threads)
{
  static double weight[SLOTS];
  for (int i = 0; i < n; i++)
    weight[i] = omp_get_max_threads () > 4 ? 0.25 : 0.5;
#pragma omp parallel for // amp: any or static at -O0
  for (int i = 0; i < n; i++)
    out0[i] = weight[i] < i + 1 ? in[i & 63] : 1;
}

// Each thread of a region makes copies, and counts them.

struct counted
{
  u64 k;
  explicit counted (u64 a) : k (a) {}
  counted (const counted &o) : k (o.k) { __atomic_fetch_add (&total, 1, 0); }
};

CASE (copies_in_a_region)
{
  counted own (3);
  for (int round = 0; round < 8; round++)
    {
#pragma omp parallel firstprivate (own)
      {
#pragma omp for // amp: any
	for (int i = 0; i < n; i++)
	  out1[i] = in[i & 63] + own.k;
#pragma omp for // amp: any
	for (int i = 0; i < n; i++)
	  out0[i] = out1[n - 1 - i];
      }
    }
}

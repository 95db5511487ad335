/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
// Loops over random access iterators, pointers and ranges, up and down, in
// templates and member functions.
// { amp-calls GOMP_loop_static_start GOMP_loop_ull_static_start }
// { amp-do rows types }
// { amp-run {OMP_SCHEDULE=steal,3} {} {} }
// { amp-run {OMP_SCHEDULE=binlpt,20} {} {} }
// { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ OMP_SCHEDULE=cluster_dynamic,3} {} {} }
// { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=2 OMP_SCHEDULE=ich,50,2} {} {} }

#include <cstdint>
#include <deque>
#include <iterator>
#include <numeric>
#include <vector>
#include "amp-test.h"

template <typename Container>
static void
walk (unsigned t)
{
  const int n = 700;
  Container c (n);
  std::iota (c.begin (), c.end (), 0);

  amp_cover_begin ();
#pragma omp parallel for num_threads (t)
  for (typename Container::iterator i = c.begin (); i < c.end (); ++i)
    amp_visit (*i);
#pragma omp parallel num_threads (t)
  {
#pragma omp for schedule (runtime)
    for (typename Container::const_iterator i = c.cbegin (); i != c.cend ();
	 ++i)
      amp_visit (n + *i);
#pragma omp for
    for (auto i = c.end () - 1; i >= c.begin (); i -= 3)
      amp_visit (2 * n + (n - 1 - *i) / 3);
#pragma omp for
    for (auto &x : c)
      amp_visit (2 * n + 234 + x);
  }
  CHECK (amp_covered (2 * n + 234 + n));
  amp_cover_begin ();
#pragma omp parallel for schedule (runtime) num_threads (t)
  for (auto i = c.rbegin (); i != c.rend (); i++)
    amp_visit (*i);
  CHECK (amp_covered (n));
}

template <typename Integer>
static void
integers (unsigned t, Integer n)
{
  amp_cover_begin ();
#pragma omp parallel for schedule (runtime) num_threads (t)
  for (Integer i = 0; i < n; i++)
    amp_visit (i);
  CHECK (amp_covered (n));

  amp_cover_begin ();
#pragma omp parallel for collapse (2) schedule (runtime) num_threads (t)
  for (Integer i = 0; i < n; i++)
    for (Integer j = n; j > 0; j--)
      amp_visit ((unsigned long long) i * n + (n - j));
  CHECK (amp_covered ((unsigned long long) n * n));
}

struct range
{
  std::vector<unsigned char> data;
  explicit range (unsigned n) : data (n) { }

  void
  bytes ()
  {
    unsigned char *begin = data.data ();
    unsigned char *end = begin + data.size ();
    amp_cover_begin ();
#pragma omp parallel num_threads (3)
    {
#pragma omp for
      for (unsigned char *p = begin; p < end; p++)
	amp_visit (p - begin);
#pragma omp for schedule (monotonic: runtime)
      for (unsigned char *p = end - 1; p >= begin; p -= 2)
	amp_visit (data.size () + (end - 1 - p) / 2);
    }
    CHECK (amp_covered (data.size () + (data.size () + 1) / 2));
  }
};

template <typename T, T from, T to, T step>
static void
constant (unsigned t)
{
  unsigned long long n = ((unsigned long long) (to - from) + step - 1) / step;
  amp_cover_begin ();
#pragma omp parallel for num_threads (t)
  for (T i = from; i < to; i += step)
    amp_visit ((unsigned long long) (i - from) / step);
  CHECK (amp_covered (n));
}

int
main ()
{
  for (unsigned t = 1; t <= 6; t++)
    {
      walk<std::vector<int>> (t);
      walk<std::deque<int>> (t);
      integers<signed char> (t, 100);
      integers<unsigned char> (t, 200);
      integers<std::uint16_t> (t, 130);
      integers<int> (t, 131);
      integers<std::size_t> (t, 129);
      constant<int, -50, 451, 2> (t);
      constant<unsigned long long, 1ULL << 63, (1ULL << 63) + 333, 3> (t);
      constant<long, -10, 300, 7> (t);
      constant<signed char, -120, 120, 1> (t);
      std::vector<int> v (500, 1);
      long sum = 0;
      auto body = [&] (long i) { return v[i]; };
#pragma omp parallel for reduction (+: sum) num_threads (t)
      for (std::size_t i = 0; i < v.size (); i++)
	sum += body (i);
      CHECK (sum == 500);
    }
  range (1001).bytes ();
  range (1).bytes ();
  range (0).bytes ();
  return AMP_RESULT;
}

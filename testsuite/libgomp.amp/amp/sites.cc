/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
// Loops of templates, member functions and lambdas that are executed often,
// with trip counts that change.
// { amp-env OMP_WAIT_POLICY=passive }
// { amp-do none }
// { amp-run {} {} {} }
// { amp-run {OMP_SCHEDULE=auto} {} {} }
// { amp-run {GOMP_AMP_TYPES=@A@:@B@} {} {} }
// { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_static} {} {} }
// { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_hybrid} {} {} }
// { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=ich,25,2} {} {} }
// { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=auto GOMP_AMP_REPLACE=dynamic=aid_static,guided=steal} {} {} }

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>
#include "amp-test.h"

template <typename Container>
static void
walk (Container &c, int t)
{
  for (std::size_t i = 0; i < c.size (); i++)
    c[i] = i;
  amp_cover_begin ();
#pragma omp parallel for num_threads (t)
  for (auto i = c.begin (); i != c.end (); ++i)
    amp_visit (*i);
  CHECK (amp_covered (c.size ()));
}

template <typename Integer>
struct table
{
  Integer n;

  void
  fill (int t) const
  {
    amp_cover_begin ();
#pragma omp parallel num_threads (t)
    {
#pragma omp for schedule (runtime)
      for (Integer i = 0; i < n; i++)
	amp_visit (i);
#pragma omp for schedule (dynamic, 3)
      for (Integer i = 0; i < n; i++)
	amp_visit (n + i);
#pragma omp for schedule (guided)
      for (Integer i = n; i > 0; i--)
	amp_visit (2 * n + (n - i));
    }
    CHECK (amp_covered (3 * (unsigned long long) n));
  }
};

int
main ()
{
  std::vector<int> v;
  std::deque<long> d;
  auto lambda = [] (long n, int t)
  {
    long sum = 0;
#pragma omp parallel for num_threads (t) reduction (+: sum)
    for (long i = 0; i < n; i++)
      sum += i;
    CHECK (sum == n * (n - 1) / 2);
  };

  for (int round = 0; round < 120; round++)
    {
      int t = 2 + (round % 30 == 29);
      v.resize (300 + round);
      d.resize (round % 50 + 1);
      walk (v, t);
      walk (d, t);
      table<long> { 400 }.fill (t);
      table<unsigned long long> { 100ULL + round }.fill (t);
      table<short> { (short) (1 + round) }.fill (t);
      lambda (1000 + round, t);
      int caught = 0;
#pragma omp parallel for num_threads (t) reduction (+: caught)
      for (int i = 0; i < 50; i++)
	try
	  {
	    if (i % 5 == 0)
	      throw std::runtime_error ("iteration");
	  }
	catch (const std::runtime_error &)
	  {
	    caught++;
	  }
      CHECK (caught == 10);
    }
  return AMP_RESULT;
}

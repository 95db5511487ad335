// C++ loops: iterators, range-for, templates, lambdas, members.
// SPDX-License-Identifier: GPL-3.0-or-later
// calls: GOMP_loop_static_start GOMP_loop_static_next
// calls: GOMP_loop_ull_static_start GOMP_loop_ull_static_next

#include <array>
#include <deque>
#include <vector>

#include "check.h"

namespace
{

void
iterators (int n)
{
  std::vector<int> v (n);
  for (int i = 0; i < n; i++)
    v[i] = i;
#pragma omp parallel for // amp: converted or static
  for (std::vector<int>::iterator it = v.begin (); it < v.end (); ++it)
    got[*it]++;
  for (int k : v)
    want[k]++;
  check ("vector iterator");

#pragma omp parallel for // amp: converted or static
  for (auto it = v.end () - 1; it >= v.begin () + 3; it -= 2)
    got[*it]++;
  for (auto it = v.end () - 1; it >= v.begin () + 3; it -= 2)
    want[*it]++;
  check ("vector iterator down");

#pragma omp parallel for // amp: converted or static
  for (auto it = v.rbegin (); it != v.rend (); it++)
    got[*it]++;
  for (int k : v)
    want[k]++;
  check ("reverse iterator");

  const std::deque<int> d (v.begin (), v.end ());
  auto last = d.cbegin ();
#pragma omp parallel for lastprivate(last) // amp: converted or static
  for (auto it = d.cbegin (); it < d.cend (); it += 3)
    {
      got[*it]++;
      last = it;
    }
  for (int i = 0; i < n; i += 3)
    want[i]++;
  check ("deque iterator");
  expect ("deque iterator, lastprivate", *last, (n - 1) / 3 * 3);

#pragma omp parallel for collapse(2) // amp: converted or static
  for (auto a = v.begin (); a < v.end (); a++)
    for (auto b = v.end (); b > v.begin (); b--)
      got[*a * 64 + (b - v.begin ())]++;
  for (int i = 0; i < n; i++)
    for (int j = 1; j <= n; j++)
      want[i * 64 + j]++;
  check ("iterators, collapse");

#pragma omp teams distribute parallel for // amp: converted or static
  for (auto it = v.begin (); it < v.end (); it++)
    got[*it]++;
  for (int k : v)
    want[k]++;
  check ("iterators, teams distribute parallel for");
}

void
ranges (int n)
{
  std::vector<int> v (n);
  std::array<int, 5> five { 0, 1, 2, 3, 4 };
  for (int i = 0; i < n; i++)
    v[i] = i;
#pragma omp parallel for // amp: converted or static
  for (int &k : v)
    got[k]++;
  for (int k : v)
    want[k]++;
  check ("range-for");
#pragma omp parallel for collapse(2) // amp: converted or static
  for (auto k : v)
    for (auto j : five)
      got[k * 8 + j]++;
  for (auto k : v)
    for (auto j : five)
      want[k * 8 + j]++;
  check ("range-for, collapse");
  int plain[32];
  for (int i = 0; i < 32; i++)
    plain[i] = i;
#pragma omp parallel for // amp: converted
  for (int k : plain)
    got[k]++;
  for (int k : plain)
    want[k]++;
  check ("range-for, array");
}

// Each instantiation is a loop of its own, and is decided about on its own.

template <typename T>
void
up (T first, T last, T step)
{
#pragma omp parallel for // amp: converted
  for (T i = first; i < last; i += step)
    got[i]++;
  for (T i = first; i < last; i += step)
    want[i]++;
  check ("template up");
}

template <typename T>
void
down (T first, T last)
{
#pragma omp parallel for // amp: converted  amp: static: narrow unsigned iterator counts down
  for (T i = last; i > first; --i)
    got[i]++;
  for (T i = last; i > first; --i)
    want[i]++;
  check ("template down");
}

template <typename Body>
void
parallel_for (int n, Body body)
{
#pragma omp parallel for // amp: converted
  for (int i = 0; i < n; i++)
    body (i);
}

struct grid
{
  int n;
  grid (int m) : n (m)
  {
#pragma omp parallel for // amp: converted
    for (int i = 0; i < n; i++)
      got[i]++;
  }
  ~grid ()
  {
#pragma omp parallel for // amp: converted
    for (int i = 0; i < n; i++)
      got[i]++;
  }
  void
  sweep () const
  {
#pragma omp parallel for // amp: converted
    for (int i = 0; i < n; i++)
      got[i] += n;
  }
};

void
functions (int n)
{
  parallel_for (n, [=] (int i) { got[i] += n; });
  for (int i = 0; i < n; i++)
    want[i] += n;
  check ("lambda as body");

  auto loop = [&] (int m)
  {
#pragma omp parallel for // amp: converted
    for (int i = 0; i < m; i++)
      got[i] += n;
  };
  loop (n);
  for (int i = 0; i < n; i++)
    want[i] += n;
  check ("loop in a lambda");

  auto generic = [] (auto m)
  {
#pragma omp parallel for simd // amp: converted
    for (decltype (m) i = 0; i < m; i++)
      got[i]++;
  };
  generic (n);
  generic ((unsigned long long) n);
  for (int i = 0; i < n; i++)
    want[i] += 2;
  check ("loop in a generic lambda");

  {
    grid g (n);
    g.sweep ();
  }
  for (int i = 0; i < n; i++)
    want[i] += n + 2;
  check ("members");

  int caught = 0;
#pragma omp parallel for reduction(+: caught) // amp: converted
  for (int i = 0; i < n; i++)
    try
      {
	if (i % 3 == 0)
	  throw i;
      }
    catch (int)
      {
	caught++;
      }
  expect ("exceptions", caught, (n + 2) / 3);

  try
    {
#pragma omp parallel for // amp: converted
      for (int i = 0; i < n; i++)
	got[i]++;
      throw 1;
    }
  catch (int)
    {
#pragma omp parallel for // amp: converted
      for (int i = 0; i < n; i++)
	got[i]++;
    }
  for (int i = 0; i < n; i++)
    want[i] += 2;
  check ("loops in try and catch");
}

} // anonymous namespace

int
main ()
{
  int n = 60 + zero;
  iterators (n);
  ranges (n);
  up<int> (3, n, 2);
  up<long> (3, n, 2);
  up<unsigned> (3, n, 2);
  up<unsigned long long> (3, n, 2);
  down<int> (0, n);
  down<unsigned> (0, n);
  down<unsigned char> (0, n);
  down<unsigned long> (0, n);
  functions (n);
#pragma omp parallel for // amp: converted
  for (int i = 0; i < 100; i++)
    got[i]++;
  for (int i = 0; i < 100; i++)
    want[i]++;
  check ("constant bounds");
  return failures != 0;
}

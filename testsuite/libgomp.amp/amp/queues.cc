/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Schedules whose threads have queues, on the loops of C++.  */
/* { amp-do none } */
/* { amp-run {OMP_SCHEDULE=steal,3} {} {} } */
/* { amp-run {OMP_SCHEDULE=ich} {} {} } */
/* { amp-run {OMP_SCHEDULE=binlpt,20} {} {} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ OMP_SCHEDULE=cluster_dynamic,3} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=2 OMP_SCHEDULE=ich,50,2} {} {} } */

#include <cstdint>
#include <deque>
#include <vector>
#include "amp-test.h"

static const unsigned N = 3000;

template <typename Container>
static void
iterators (unsigned t)
{
  Container c (N);
  for (unsigned i = 0; i < N; i++)
    c[i] = i;

  amp_cover_begin ();
#pragma omp parallel for schedule (runtime) num_threads (t)
  for (auto i = c.begin (); i < c.end (); ++i)
    amp_visit (*i);
  CHECK (amp_covered (N));

  amp_cover_begin ();
#pragma omp parallel for schedule (runtime) num_threads (t)
  for (auto i = c.rbegin (); i != c.rend (); i++)
    amp_visit (*i);
  CHECK (amp_covered (N));

  amp_cover_begin ();
#pragma omp parallel for num_threads (t)
  for (int &x : c)
    amp_visit (x);
  CHECK (amp_covered (N));
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

int
main ()
{
  omp_set_dynamic (0);
  for (unsigned t = 2; t <= 6; t++)
    {
      iterators<std::vector<int> > (t);
      iterators<std::deque<int> > (t);
      integers<signed char> (t, 100);
      integers<unsigned char> (t, 200);
      integers<std::uint16_t> (t, 300);
      integers<int> (t, 301);
      integers<std::size_t> (t, 299);
      /* What one thread throws and catches does not concern the others.  */
      int caught = 0;
#pragma omp parallel for schedule (runtime) num_threads (t) \
	reduction (+: caught)
      for (int i = 0; i < 500; i++)
	try
	  {
	    if (i % 5 == 0)
	      throw i;
	  }
	catch (int)
	  {
	    caught++;
	  }
      CHECK (caught == 100);
    }
  return AMP_RESULT;
}

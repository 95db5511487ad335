// Loops that rely on static, in C++; as rules.c.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <random>
#include <vector>
#include <omp.h>

namespace
{

int n;
std::vector<double> a, b;
std::vector<std::atomic<int>> done (64);

struct Stream
{
  unsigned state = 1;
  unsigned next () { return state = state * 69069 + 1; }
};

struct Sums
{
  double total = 0;
  long count = 0;
  void add (double x) { total += x; count++; }
};

template <typename Body>
void
each (const Body &body)
{
#pragma omp parallel for // amp: runtime no-schedule-clause amp: static thread-number
  for (int i = 0; i < n; i++)
    body (i);
}

void
pipeline ()
{
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
    for (int k = 1; k < 7; k++)
      {
	while (me > 0 && done[me - 1].load () < k)
	  ;
#pragma omp for nowait // amp: static hand-sync-beside
	for (int i = 0; i < n; i++)
	  a[i] += k;
	done[me].store (k);
      }
  }
  std::shared_ptr<int> shared;
#pragma omp parallel for // amp: runtime no-schedule-clause
  for (int i = 0; i < n; i++)
    {
      std::shared_ptr<int> copy = shared;
      static const std::vector<int> once (3);
      a[i] = done[0].load () + copy.use_count () + once[0];
    }
}

void
lists ()
{
  std::vector<std::vector<int>> found (64);
#pragma omp parallel
  {
    std::vector<int> &mine = found[omp_get_thread_num ()];
#pragma omp for // amp: static thread-number
    for (int i = 0; i < n; i++)
      mine.push_back (i);
  }
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for nowait // amp: static thread-number
    for (int i = 0; i < n; i++)
      mine.push_back (i);
    found[omp_get_thread_num ()] = mine;
  }
#pragma omp parallel
  {
    std::vector<int> mine, scratch;
#pragma omp for nowait // amp: runtime no-schedule-clause barrier
    for (int i = 0; i < n; i++)
      {
	scratch.clear ();
	scratch.push_back (i);
	mine.push_back (scratch[0]);
      }
#pragma omp critical
    found[0].insert (found[0].end (), mine.begin (), mine.end ());
  }
  each ([&] (int i) { a[i] = 1; });
  each ([&] (int i) { a[i] = found[omp_get_thread_num ()].size (); });
}

void
streams ()
{
  std::vector<Sums> sums (64);
#pragma omp parallel
  {
    std::mt19937 engine (1);
    std::uniform_real_distribution<double> uniform;
    Stream stream;
    Sums mine;
    double top = 0;
#pragma omp for // amp: static carried-state
    for (int i = 0; i < n; i++)
      a[i] = uniform (engine);
#pragma omp for // amp: static carried-state
    for (int i = 0; i < n; i++)
      a[i] = stream.next ();
#pragma omp for // amp: static adds-beside
    for (int i = 0; i < n; i++)
      mine.add (a[i]);
#pragma omp for // amp: runtime no-schedule-clause
    for (int i = 0; i < n; i++)
      {
	std::mt19937 own (i);
	a[i] = uniform (own);
	top = std::max (top, a[i]);
      }
  }
#pragma omp parallel
  {
    Sums mine;
#pragma omp for nowait // amp: runtime no-schedule-clause barrier sums
    for (int i = 0; i < n; i++)
      sums[omp_get_thread_num ()].add (a[i]);
#pragma omp for // amp: runtime no-schedule-clause
    for (int i = 0; i < n; i++)
      mine.add (a[i]);
  }
}

thread_local std::vector<int> cache;

void
caches ()
{
#pragma omp parallel for // amp: static thread-local
  for (int i = 0; i < n; i++)
    a[i] = cache.size ();
#pragma gomp_amp free
#pragma omp parallel for // amp: runtime free
  for (int i = 0; i < n; i++)
    a[i] = cache.size ();
}

template <typename T>
void
in_template (T *x)
{
  T k = 0;
#pragma gomp_amp free
#pragma omp parallel for firstprivate(k) // amp: runtime free
  for (int i = 0; i < n; i++)
    x[i] = k++;
#pragma omp parallel for firstprivate(k) // amp: static carried-state
  for (int i = 0; i < n; i++)
    x[i] = k++;
}

} // anonymous namespace

void
all ()
{
  pipeline ();
  lists ();
  streams ();
  caches ();
  in_template (a.data ());
  in_template (&n);
}

/* Clauses that leave the schedule open, or may be replaced.  */

struct field
{
  std::vector<double> v;
  double *raw;
  int size;
  void
  fill ()
  {
#pragma omp parallel
    {
#pragma omp for schedule(auto) nowait // amp: runtime no-schedule-clause barrier
      for (auto i = v.begin (); i < v.end (); ++i)
	*i = 1;
#pragma gomp_amp replace
#pragma omp for schedule(static) nowait // amp: explicit replaceable
      for (int i = 0; i < size; i++)
	raw[i] = 2;
#pragma gomp_amp replace
#pragma omp for schedule(static) // amp: explicit replaceable
      for (int i = 0; i < size; i++)
	raw[i]++;
    }
  }
};

void
fill_field (field &f)
{
  f.fill ();
}

/* Locks and waits of the library.  */

std::mutex mutex;
std::condition_variable changed;

void
locked ()
{
#pragma omp parallel
  {
    std::lock_guard<std::mutex> held (mutex);
#pragma omp for nowait /* amp: static hand-sync-beside */
    for (int i = 0; i < n; i++)
      a[i] = i;
  }
#pragma omp parallel for /* amp: runtime no-schedule-clause */
  for (int i = 0; i < n; i++)
    {
      std::lock_guard<std::mutex> held (mutex);
      a[0] += i;
    }
#pragma omp parallel for /* amp: runtime no-schedule-clause */
  for (int i = 0; i < n; i++)
    {
      mutex.lock ();
      a[0] += i;
      mutex.unlock ();
    }
#pragma omp parallel for /* amp: runtime no-schedule-clause */
  for (int i = 0; i < n; i++)
    {
      std::unique_lock<std::mutex> held (mutex, std::try_to_lock);
      if (held.owns_lock ())
	a[0] += i;
    }
#pragma omp parallel for /* amp: static hand-sync */
  for (int i = 0; i < n; i++)
    {
      std::unique_lock<std::mutex> held (mutex);
      while (a[0] < i)
	changed.wait (held);
      a[0]++;
    }
}

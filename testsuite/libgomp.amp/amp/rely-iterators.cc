// SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
// What only C++ has: loops over iterators and ranges, in templates, lambdas and
// member functions; thread_local; atomic objects; references.
// { amp-do rely }
// { amp-also rely-part.c }

#include <atomic>
#include <omp.h>
#include <vector>

#include "rely.h"

static const int N = 101;

static int
value (int round, int i)
{
  return round * 1009 + i * 7;
}

// Chains over iterators.

static long
iterators (int round, int threads)
{
  std::vector<int> a (N, -1), b (N, -1);
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (auto i = a.begin (); i < a.end (); ++i)
      {
	rely_delay (round, 0, i - a.begin (), N);
	*i = value (round, i - a.begin ());
      }
#pragma omp for nowait
    for (auto i = b.begin (); i < b.end (); ++i)
      *i = 2 * a[i - b.begin ()];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}

#if __GNUC__ >= 9
static long
ranges (int round, int threads)
{
  std::vector<int> a (N), b (N, -1);
  long wrong = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for nowait
    for (auto &v : a)
      {
	rely_delay (round, 1, v, N);
	v = value (round, v);
      }
#pragma omp for
    for (auto &v : b)
      v = 2 * a[&v - &b[0]];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != 2 * value (round, i);
  return wrong;
}
#endif

// Loops in a member template.

template <typename T>
struct field
{
  std::vector<T> a, b;

  field () : a (N), b (N) {}

  template <typename F>
  void
  set (F f)
  {
#pragma omp for nowait
    for (long i = 0; i < (long) a.size (); i++)
      a[i] = f (i);
  }

  void
  twice ()
  {
#pragma omp for nowait
    for (unsigned long i = 0; i < b.size (); i++)
      b[i] = 2 * a[i];
  }
};

static long
members (int round, int threads)
{
  field<double> x;
  long wrong = 0;
#pragma omp parallel num_threads (threads)
  {
    x.set ([=] (long i)
      {
	rely_delay (round, 2, i, N);
	return (double) value (round, i);
      });
    x.twice ();
  }
  for (int i = 0; i < N; i++)
    wrong += x.b[i] != 2.0 * value (round, i);
  return wrong;
}

// A generator, an object with state.

class generator
{
  unsigned state;

public:
  explicit generator (unsigned seed) : state (seed) {}

  unsigned
  operator() ()
  {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  }
};

template <typename Draw>
static long
compare_streams (int threads, const std::vector<unsigned> &got, Draw draw)
{
  long wrong = 0;
  for (int t = 0; t < threads; t++)
    for (long i = rely_begin (N, threads, t);
	 i < rely_begin (N, threads, t + 1); i++)
      wrong += got[i] != draw (t);
  return wrong;
}

static long
random_object (int round, int threads)
{
  std::vector<unsigned> got (N);
#pragma omp parallel num_threads (threads)
  {
    generator draw (round * 4 + omp_get_thread_num ());
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 3, i, N);
	got[i] = draw ();
      }
  }
  std::vector<generator> serial;
  for (int t = 0; t < threads; t++)
    serial.emplace_back (round * 4 + t);
  return compare_streams (threads, got, [&] (int t) { return serial[t] (); });
}

static thread_local generator own (0);

static unsigned __attribute__ ((noinline))
draw_own ()
{
  return own ();
}

static long
thread_local_object (int round, int threads)
{
  std::vector<unsigned> got (N);
#pragma omp parallel num_threads (threads)
  {
    own = generator (round * 4 + omp_get_thread_num ());
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 4, i, N);
	got[i] = draw_own ();
      }
  }
  std::vector<generator> serial;
  for (int t = 0; t < threads; t++)
    serial.emplace_back (round * 4 + t);
  return compare_streams (threads, got, [&] (int t) { return serial[t] (); });
}

// A container of the thread's, which grows.

static long
grown (int round, int threads)
{
  std::vector<std::vector<int>> found (threads);
  long wrong = 0;
  int next = 0;
#pragma omp parallel num_threads (threads)
  {
    std::vector<int> &mine = found[omp_get_thread_num ()];
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 5, i, N);
	mine.push_back (value (round, i));
      }
  }
  for (auto &part : found)
    for (int v : part)
      wrong += v != value (round, next++);
  return wrong + (next != N);
}

// Threads that tell each other by atomic objects.

static long
pipeline (int round, int threads)
{
  static int grid[7][N + 1];
  std::vector<std::atomic<int>> done (threads);
  long wrong = 0;
  for (int k = 0; k < 7; k++)
    for (int i = 0; i <= N; i++)
      grid[k][i] = k == 0 || i == 0 ? round % 5 + k + i : -1;
#pragma omp parallel num_threads (threads)
  {
    int me = omp_get_thread_num ();
    for (int k = 1; k < 7; k++)
      {
	while (me > 0 && done[me - 1].load () < k)
	  rely_yield ();
#pragma omp for nowait
	for (int i = 1; i <= N; i++)
	  grid[k][i] = (3 * grid[k - 1][i] + grid[k][i - 1]) % 10007;
	done[me].store (k);
      }
  }
  int right[7][N + 1];
  for (int k = 0; k < 7; k++)
    for (int i = 0; i <= N; i++)
      {
	right[k][i] = (k == 0 || i == 0 ? round % 5 + k + i
		       : (3 * right[k - 1][i] + right[k][i - 1]) % 10007);
	wrong += grid[k][i] != right[k][i];
      }
  return wrong;
}

int
main ()
{
  rely_add ("iterators", iterators);
#if __GNUC__ >= 9
  rely_add ("ranges", ranges);
#endif
  rely_add ("members", members);
  rely_add ("random object", random_object);
  rely_add ("thread-local object", thread_local_object);
  rely_add ("containers that grow", grown);
  rely_add ("pipeline of atomic objects", pipeline);
  return rely_run ();
}

// Loops that rely on static, in C++; as decided.c.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <iterator>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>
#include <omp.h>

namespace
{

int n;
std::vector<double> a, b;
std::vector<std::atomic<int>> done (64);

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
#pragma omp for nowait // amp: static
	for (int i = 0; i < n; i++)
	  a[i] += k;
	done[me].store (k);
      }
  }
  std::shared_ptr<int> shared;
#pragma omp parallel for // amp: converted or static at -O0
  for (int i = 0; i < n; i++)
    {
      std::shared_ptr<int> copy = shared;
      static const std::vector<int> once (3);
      a[i] = done[0].load () + copy.use_count () + once[0];
    }
}

template <typename T>
void
in_template (T *x)
{
  T k = 0;
#pragma gomp_amp free
#pragma omp parallel for firstprivate(k) // amp: converted
  for (int i = 0; i < n; i++)
    x[i] = k++;
#pragma omp parallel for firstprivate(k) // amp: static
  for (int i = 0; i < n; i++)
    x[i] = k++;
}

} // anonymous namespace

void
all ()
{
  pipeline ();
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
#pragma omp for schedule(auto) nowait // amp: converted or static at -O0
      for (auto i = v.begin (); i < v.end (); ++i)
	*i = 1;
#pragma gomp_amp replace
#pragma omp for schedule(static) nowait // amp: static
      for (int i = 0; i < size; i++)
	raw[i] = 2;
#pragma gomp_amp replace
#pragma omp for schedule(static) // amp: static
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
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = i;
  }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      std::lock_guard<std::mutex> held (mutex);
      a[0] += i;
    }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      mutex.lock ();
      a[0] += i;
      mutex.unlock ();
    }
#pragma omp parallel for /* amp: converted or static */
  for (int i = 0; i < n; i++)
    {
      std::unique_lock<std::mutex> held (mutex, std::try_to_lock);
      if (held.owns_lock ())
	a[0] += i;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      std::unique_lock<std::mutex> held (mutex);
      while (a[0] < i)
	changed.wait (held);
      a[0]++;
    }
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    for (bool go = false; !go; )
      {
	std::lock_guard<std::mutex> held (mutex);
	go = a[i] > 0;
      }
}

// State in the library's objects and in what is built around them, each beside
// a look-alike that any division allows.

class Writer
{
  double *at;
public:
  explicit Writer (double *to) : at (to) {}
  void put (double x) { *at++ = x; }
};

struct Numbered
{
  int thread = omp_get_thread_num (), count = 0;
  void put (int *next, double *to, double x)
  {
    to[next[thread]++] = x;
    count++;
  }
  void add (double x) { count += x > 0; }
};

void
library_state ()
{
  static int next[64];
#pragma omp parallel
  {
    auto at = a.begin () + omp_get_thread_num ();
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      *at++ = i;
  }
#pragma omp parallel
  {
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      std::for_each (&i, &i + 1, [&] (int x)
	{ a[next[omp_get_thread_num ()]++] = x; });
#pragma omp for // amp: converted
    for (int i = 0; i < n; i++)
      std::for_each (&i, &i + 1, [&] (int x) { a[x] = x; });
  }
}

void
own_classes ()
{
  int next[64];
#pragma omp parallel
  {
    Writer writer (a.data () + omp_get_thread_num ());
    Numbered own;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      writer.put (i);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      own.put (next, a.data (), i);
#pragma omp for // amp: converted or static at -O0
    for (int i = 0; i < n; i++)
      own.add (a[i]);
  }
}

void
own_sums ()
{
#pragma omp parallel
  {
    Numbered own;
#pragma omp for // amp: converted or static at -O0
    for (int i = 0; i < n; i++)
      own.add (a[i]);
#pragma omp critical
    a[0] += own.count;
  }
}

void
own_lists ()
{
  std::vector<std::vector<int>> all (64);
  std::vector<std::string> text (64);
#pragma omp parallel
  {
    std::vector<int> sorted, through;
    std::ostringstream out;
    auto end = std::back_inserter (through);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	if (i % 7 == 0)
	  sorted.clear ();
	sorted.insert (sorted.end (), i);
      }
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      *end++ = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      out << i << ' ';
    all[omp_get_thread_num ()] = sorted;
    text[omp_get_thread_num ()] = out.str ();
  }
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for nowait // amp: static
    for (int i = 0; i < n; i++)
      mine.push_back (i);
#pragma omp for schedule(static) ordered // amp: static
    for (int i = 0; i < omp_get_num_threads (); i++)
#pragma omp ordered
      all[0].insert (all[0].end (), mine.begin (), mine.end ());
  }
}

void
stepped ()
{
#pragma omp parallel
  {
    std::pair<int, std::vector<int>> pair;
    std::string line;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      pair.second.push_back (i);
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      {
	line.clear ();
	line += "x";
	a[i] = line.size ();
      }
    a[omp_get_thread_num ()] = pair.second.size ();
  }
}

void
captured ()
{
#pragma omp parallel
  {
    double sum = 0, now;
    auto add = [&] (double x) { sum += x; };
    auto hold = [&] (double x) { now = x; };
#pragma omp for // amp: converted or static at -O0
    for (int i = 0; i < n; i++)
      add (a[i]);
#pragma omp for // amp: converted
    for (int i = 0; i < n; i++)
      {
	hold (a[i]);
	b[i] = now;
      }
#pragma omp atomic
    a[0] += sum;
  }
}

void
behind ()
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    std::unique_ptr<int> k (new int (t));
    std::tuple<int, int> at (t, 0);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[(*k)++] = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[std::get<0> (at)++] = i;
  }
}

void
handed_on (std::vector<double> &mine)
{
#pragma omp for // amp: static
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      mine.push_back (a[i]);
}

void
hand_on ()
{
  std::vector<std::vector<double>> all (64);
  std::vector<std::ostringstream> logs (64);
#pragma omp parallel
  handed_on (all[omp_get_thread_num ()]);
#pragma omp parallel
  {
    int k = omp_get_thread_num ();
    std::ostringstream &log = logs[k];
    auto run = [&]
      {
#pragma omp for // amp: static
	for (int i = 0; i < n; i++)
	  a[k++] = i;
      };
    run ();
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      log << i;
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      {
	std::ostringstream line;
	line << omp_get_thread_num () << ": " << i;
#pragma omp critical
	b[0] += line.str ().size ();
      }
  }
}

struct credits
{
  std::atomic<int> left { 0 };
  void
  take ()
  {
    while (left.fetch_sub (1) < 1)
      left.fetch_add (1);
  }
};

void
updates_polled (credits *c, std::atomic<int> *done)
{
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    {
      c[i].take ();
      while (!done[i + 1].fetch_and (~0))
	;
    }
#pragma omp parallel for // amp: converted
  for (int i = 0; i < n; i++)
    if (done[i].fetch_add (1) > 3)
      done[i]++;
}

void
neighbours (std::vector<double> &u)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num (), low = n;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	u[i] = i;
	if (i < low)
	  low = i;
      }
    a[t] = u[low];
#pragma omp critical
    b[0] += low;
  }
}

void
flags (std::vector<bool> &all)
{
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    all[i] = i % 3 == 0;
}

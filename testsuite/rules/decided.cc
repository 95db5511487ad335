// Loops that rely on static, in C++; as decided.c.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
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
#pragma omp parallel for // amp: converted amp: static
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
#pragma omp for nowait // amp: static
	for (int i = 0; i < n; i++)
	  a[i] += k;
	done[me].store (k);
      }
  }
  std::shared_ptr<int> shared;
#pragma omp parallel for // amp: converted
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
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      mine.push_back (i);
  }
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for nowait // amp: static
    for (int i = 0; i < n; i++)
      mine.push_back (i);
    found[omp_get_thread_num ()] = mine;
  }
#pragma omp parallel
  {
    std::vector<int> mine, scratch;
#pragma omp for nowait // amp: converted or static
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
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[i] = uniform (engine);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[i] = stream.next ();
#pragma omp for // amp: converted or static at -O0
    for (int i = 0; i < n; i++)
      mine.add (a[i]);
#pragma omp for // amp: converted or static at -O0
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
#pragma omp for nowait // amp: converted or static
    for (int i = 0; i < n; i++)
      sums[omp_get_thread_num ()].add (a[i]);
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      mine.add (a[i]);
  }
}

thread_local std::vector<int> cache;

void
caches ()
{
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    a[i] = cache.size ();
#pragma gomp_amp free
#pragma omp parallel for // amp: converted
  for (int i = 0; i < n; i++)
    a[i] = cache.size ();
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

struct Collected
{
  std::vector<int> items;
  void add (int x) { items.push_back (x); }
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
    std::vector<int> place (16), bins (16);
    std::array<int, 16> fixed {};
    auto at = a.begin () + omp_get_thread_num ();
    double last = 0;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      bins[i % 16]++;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[place[i % 16]++] = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[fixed[i % 16]++] = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      *at++ = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      b[i] = a[i] - std::exchange (last, a[i]);
    a[omp_get_thread_num ()] = bins[0];
  }
  // A row of a sparse product: sums that are set to zero again, and stamps.
#pragma omp parallel
  {
    std::vector<double> row (16);
    std::vector<int> stamp (16, -1);
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < 16; k++)
	  {
	    if (stamp[k] != i)
	      stamp[k] = i;
	    row[k] += a[k];
	  }
	for (int k = 0; k < 16; k++)
	  {
	    b[i] += row[k];
	    row[k] = 0;
	  }
      }
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
  std::vector<Collected> all (64);
  std::vector<std::string> text (64);
#pragma omp parallel
  {
    Collected mine;
    std::vector<int> sorted, through;
    std::ostringstream out;
    auto end = std::back_inserter (through);
    std::set<int> seen;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      mine.add (i);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      sorted.insert (sorted.end (), i);
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
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      seen.insert (i % 7);
    all[omp_get_thread_num ()] = mine;
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
      all[0].items.insert (all[0].items.end (), mine.begin (), mine.end ());
  }
#pragma omp parallel
  {
    Collected mine;
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      mine.add (i);
#pragma omp critical
    for (int i : mine.items)
      all[0].add (i);
  }
}

// What the library keeps for a thread counts where the region asks for its
// number; what is set anew in each iteration does not.

class Noise
{
  std::mt19937 engine;
public:
  double next () { return engine (); }
};

void
stepped ()
{
#pragma omp parallel
  {
    std::istringstream in (std::to_string (omp_get_thread_num ()));
    std::mt19937 engine;
    std::string line;
    std::pair<int, std::vector<int>> pair;
    Noise noise;
    double x = 0, top = 0;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	in >> x;
	a[i] = x;
      }
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[i] = noise.next ();
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      pair.second.push_back (i);
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      {
	engine.seed (i);
	line.clear ();
	line += "x";
	a[i] = engine () + line.size ();
      }
  }
  double top = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for // amp: converted or static at -O0
    for (int i = 0; i < n; i++)
      if (a[i] > mine)
	mine = a[i];
#pragma omp critical
    top = std::max (top, mine);
  }
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    for (bool go = false; !go; )
      {
	std::lock_guard<std::mutex> held (mutex);
	go = a[i] > 0;
      }
}

void
captured ()
{
#pragma omp parallel
  {
    int k = omp_get_thread_num (), found = 0;
    double sum = 0;
    auto put = [&] (double x) { a[k++] = x; };
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      put (i);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	int &r = k;
	a[r++] = i;
      }
  }
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
  std::vector<std::vector<double>> all (64);
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    std::unique_ptr<int> k (new int (t));
    std::tuple<int, int> at (t, 0);
    std::map<int, double> bins;
    std::vector<double> mine, row (16);
    auto next = [c = t] () mutable { return c++; };
    auto put = [&] (double x) { mine.push_back (x); };
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[(*k)++] = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[std::get<0> (at)++] = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[next ()] = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      put (a[i]);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      b[i] = ++bins[0];
#if __GNUC__ >= 11
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      {
	for (int j = 0; j < 16; j++)
	  row[j] = i * j;
	b[i] = row[i % 16];
      }
#endif
    all[t] = mine;
  }
}

void
counted ()
{
#pragma omp parallel
  {
    std::map<int, double> bins;
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      bins[i % 16] += a[i];
#pragma omp critical
    a[omp_get_thread_num ()] += bins[0];
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
flags (std::vector<bool> &all)
{
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    all[i] = i % 3 == 0;
#pragma omp parallel for // amp: converted or static
  for (int i = 0; i < n; i++)
    {
      std::vector<bool> some (n);
      some[i] = true;
      b[i] = some[i / 2];
    }
}

void
cursor (const std::map<int, int> &book)
{
#pragma omp parallel
  {
    std::optional<std::map<int, int>::const_iterator> at;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	if (at)
	  ++*at;
	else
	  at = std::next (book.begin (), i);
	a[i] = (*at)->second;
      }
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      {
	at = book.find (i);
	a[i] = (*at)->second;
      }
  }
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
#pragma omp parallel
  {
    int first = n;
#pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++)
      if (u[i] > 1 && i < first)
	first = i;
#pragma omp critical
    if (first < b[0])
      b[0] = first, b[1] = omp_get_thread_num ();
  }
}

void
left_by_iterations ()
{
#pragma omp parallel
  {
    std::vector<double> rate (n);
#pragma omp for nowait // amp: static
    for (int i = 0; i < n; i++)
      rate[i] = i;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[i] = rate[i] + 1;
  }
}

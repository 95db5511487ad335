// Containers, iterators and objects of a thread's own.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <any>
#include <array>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
#include "rules.h"
#define COMMA ,

CASE (vector_assigned)
LOOP (/* amp: any or static at -O0 */ std::vector<u64> v (8),
      v.assign (8, i);
      v[i & 7] = 5;
      out0[i] = std::accumulate (v.begin (), v.end (), u64 (0));)

CASE (vector_filled)
LOOP (/* amp: any or static at -O0 */ std::vector<u64> v (8),
      for (int k = 0; k < 8; k++)
	v[k] = i ^ k;
      out0[i] = v[i & 7] + v[3];)

CASE (vector_filled_in_part)
LOOP (/* amp: static */ std::vector<u64> v (8),
      v[in[i & 63] & 7] = i;
      out0[i] = v[i & 7] + v[3];)

/* As far as it goes when the program runs.  */
CASE (vector_filled_to_its_end)
LOOP (/* amp: any or static at -O0 */ std::vector<u64> v (3 + (in[n & 63] & 7)),
      std::fill (v.begin (), v.end (), i);
      for (int k = 0; k < 3; k++)
	v[in[(i + k) & 63] % v.size ()] += k;
      for (u64 x : v)
	out0[i] = out0[i] * 3 + x;)

CASE (vector_filled_behind_its_first)
LOOP (/* amp: static */ std::vector<u64> v (3 + (in[n & 63] & 7)),
      std::fill (v.begin () + 1, v.end (), i);
      for (u64 x : v)
	out0[i] = out0[i] * 3 + x;
      v[0] = i;)

CASE (vector_filled_with_another_read)
LOOP (/* amp: static */ std::vector<u64> v (3) COMMA w (3),
      std::fill (v.begin (), v.end (), i);
      out0[i] = v[i % 3] + w[i % 3];
      w[i % 3] = i;)

CASE (vector_filled_and_moved)
LOOP (/* amp: static */ std::vector<u64> v (3) COMMA w (3),
      std::fill (v.begin (), v.end (), i);
      std::swap (v COMMA w);
      out0[i] = v[i % 3]++;)

CASE (vector_filled_by_its_size)
LOOP (/* amp: any or static at -O0 */ std::vector<u64> v (3 + (in[n & 63] & 7)),
      for (std::size_t k = 0; k < v.size (); k++)
	v[k] = i ^ k;
      for (std::size_t k = 1; k < v.size (); k++)
	out0[i] = out0[i] * 3 + v[k] - v[k - 1];)

CASE (vector_grows)
LOOP (/* amp: static */ std::vector<u64> v,
      v.push_back (i);
      out0[i] = v.size ();)

#if __GNUC__ >= 9
CASE (vector_cleared)
LOOP (/* amp: any or static at -O0 */ std::vector<u64> v,
      v.clear ();
      for (int k = 0; k < (i & 7); k++)
	v.push_back (k);
      out0[i] = v.size ();)
#endif

/* What is beside a container, or in what its author has put into it, is not
   emptied with it.  */
struct Work { std::vector<u64> list; u64 count = 0; };

CASE (member_cleared)
LOOP (/* amp: static */ Work w,
      w.list.clear ();
      w.list.push_back (i);
      out0[i] = w.list[0] + ++w.count;)

CASE (one_of_two_cleared)
LOOP (/* amp: static */ std::vector<u64> v[2],
      v[0].clear ();
      v[0].push_back (i);
      v[1].push_back (i);
      out0[i] = v[0].size () + v[1].size ();)

template <typename T>
struct Counting : std::allocator<T>
{
  template <typename U> struct rebind { typedef Counting<U> other; };
  u64 made = 0;
  template <typename U> void construct (U *p, u64 a) { made++; *p = a; }
};

CASE (cleared_with_a_counting_allocator)
LOOP (/* amp: static */ std::vector<u64 COMMA Counting<u64>> v; v.reserve (4),
      v.clear ();
      v.push_back (i);
      out0[i] = v.get_allocator ().made;)

CASE (vector_of_an_iteration)
{
#pragma omp parallel for // amp: converted
  for (int i = 0; i < n; i++)
    {
      std::vector<u64> v;
      for (int k = 0; k < (i & 7); k++)
	v.push_back (k);
      out0[i] = v.size ();
    }
}

// Joined in the order of the threads.
CASE (vectors_joined)
{
  std::vector<std::vector<u64>> parts (omp_get_max_threads ());
#pragma omp parallel
  {
    std::vector<u64> &v = parts[omp_get_thread_num ()];
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      if (in[i & 63] & 1)
	v.push_back (i);
  }
  int at = 0;
  for (auto &v : parts)
    for (u64 x : v)
      out0[at++] = x;
}

CASE (shared_vector)
{
  std::vector<u64> v (n), w (n, 3);
#pragma omp parallel for // amp: any
  for (int i = 0; i < n; i++)
    v[i] = w[i] + in[i & 63];
#pragma omp parallel for // amp: any
  for (int i = 0; i < n; i++)
    out0[i] = v[i] + v[n - 1 - i];
}

CASE (iterator_moves)
{
  std::list<u64> l (in, in + 64);
#pragma omp parallel
  {
    auto at = l.begin ();
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	out0[i] = *at;
	if (++at == l.end ())
	  at = l.begin ();
      }
  }
}

CASE (iterator_set)
{
  std::array<u64, 64> l;
  std::copy (in, in + 64, l.begin ());
#pragma omp parallel
  {
    auto at = l.begin ();
#pragma omp for // amp: any
    for (int i = 0; i < n; i++)
      {
	at = l.begin () + (i & 31);
	++at;
	out0[i] = *at;
      }
  }
}

CASE (loop_over_iterators)
{
  std::vector<u64> v (in, in + n % 64);
#pragma omp parallel for // amp: any or static at -O0
  for (auto at = v.begin (); at < v.end (); ++at)
    *at += at - v.begin ();
  std::copy (v.begin (), v.end (), out0);
}

CASE (random_engine)
LOOP (/* amp: static */ std::minstd_rand r (3),
      out0[i] = r ();)

CASE (random_engine_seeded)
LOOP (/* amp: any */ std::minstd_rand r (3),
      r.seed (i + 1);
      out0[i] = r () + r ();)

CASE (twister)
LOOP (/* amp: static */ std::mt19937 r (3),
      out0[i] = r ();)

CASE (twister_seeded)
LOOP (/* amp: any */ std::mt19937 r (3),
      r.seed (i);
      out0[i] = r () + r ();)

CASE (random_engine_copied)
{
  std::minstd_rand r (3);
#pragma omp parallel for firstprivate (r) // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = r ();
}

CASE (string_grows)
LOOP (/* amp: static */ std::string s,
      s += 'x';
      out0[i] = s.size ();)

CASE (stream_read)
{
  std::string text;
  for (int i = 0; i < n; i++)
    text += std::to_string (i * 3) + ' ';
#pragma omp parallel
  {
    std::istringstream s (text);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	u64 x = 0;
	s >> x;
	out0[i] = x;
      }
  }
}

CASE (method_counts)
LOOP (/* amp: static */ Gen g (3),
      out0[i] = g.next ();)

CASE (method_begins_anew)
{
#pragma omp parallel
  {
    Gen g;
#pragma omp for // amp: any
    for (int i = 0; i < n; i++)
      {
	g.set (i);
	out0[i] = g.next () + g.next ();
      }
#pragma omp for // amp: any
    for (int i = 0; i < n; i++)
      {
	g = Gen (i);
	out1[i] = g.next ();
      }
  }
}

CASE (method_adds)
{
#pragma omp parallel
  {
    Gen g (0);
#pragma omp for // amp: any or static at -O0
    for (int i = 0; i < n; i++)
      g.add (in[i & 63]);
#pragma omp critical
    total += g.get ();
  }
}

CASE (lambda_counts)
LOOP (/* amp: static */ u64 count = 0;
      auto next = [&] { return count++; },
      out0[i] = next ();)

CASE (lambda_with_a_state)
LOOP (/* amp: static */
      auto next = [count = u64 (0)] () mutable { return count++; },
      out0[i] = next ();)

CASE (lambda_computes)
LOOP (/* amp: any */ u64 factor = 3;
      auto f = [&] (u64 x) { return x * factor; },
      out0[i] = f (i);)

CASE (reference)
{
#pragma omp parallel
  {
    u64 last = 1;
    u64 &r = last;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	out0[i] = last;
	r = i;
      }
#pragma omp for // amp: any or static at -O0
    for (int i = 0; i < n; i++)
      {
	r = i;
	out1[i] = last;
      }
  }
}

CASE (cache)
{
#pragma omp parallel
  {
    std::map<u64, u64> seen;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      out0[i] = seen.emplace (in[i & 63] & 7, i).second;
  }
}

CASE (set_of_an_iteration)
{
#pragma omp parallel for // amp: converted or static at -O0
  for (int i = 0; i < n; i++)
    {
      std::set<u64> seen;
      for (int k = 0; k < 8; k++)
	seen.insert (in[(i + k) & 63] & 7);
      out0[i] = seen.size ();
    }
}

CASE (maybe_there)
LOOP (/* amp: static */ std::optional<u64> o,
      if (!o)
	o = i;
      out0[i] = *o;)

CASE (array_filled)
{
#pragma omp parallel
  {
    std::array<u64, 8> a;
#pragma omp for // amp: any or static
    for (int i = 0; i < n; i++)
      {
	a.fill (i);
	out0[i] = a[3] + a[i & 7];
      }
#pragma omp for // amp: any or static at -O0
    for (int i = 0; i < n; i++)
      {
	for (auto &x : a)
	  x = i;
	out1[i] = a[3] + a[i & 7];
      }
  }
}

CASE (array_rotated)
{
#pragma omp parallel
  {
    std::array<u64, 8> a;
    std::iota (a.begin (), a.end (), 0);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	std::rotate (a.begin (), a.begin () + 1, a.end ());
	out0[i] = a[3];
      }
  }
}

CASE (bits)
LOOP (/* amp: static */ std::vector<bool> b (8),
      out0[i] = b[i & 7];
      b[in[i & 63] & 7] = i & 1;)

template <typename T>
static void
each (T f, int n)
{
#pragma omp for // amp: static amp: converted
  for (int i = 0; i < n; i++)
    f (i);
}

// Two instantiations of one loop.
CASE (template_)
{
#pragma omp parallel
  {
    u64 count = 0;
    each ([] (int i) { out0[i] = i * 3; }, n);
    each ([&] (int i) { out1[i] = count++; }, n);
  }
}

static thread_local std::vector<u64> scratch;

CASE (thread_local_vector)
{
#pragma omp parallel
  {
    scratch.assign (8, 0);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	out0[i] = scratch[i & 7];
	scratch[in[i & 63] & 7] = i;
      }
#pragma omp for // amp: any or static
    for (int i = 0; i < n; i++)
      {
	scratch.assign (8, i);
	out1[i] = scratch[i & 7];
      }
  }
}

CASE (thrown)
{
#pragma omp parallel for // amp: converted or static at -O0
  for (int i = 0; i < n; i++)
    try
      {
	if (in[i & 63] & 1)
	  throw i;
	out0[i] = 1;
      }
    catch (int x)
      {
	out0[i] = x;
      }
}

CASE (thrown_behind_a_count)
{
#pragma omp parallel
  {
    u64 count = 0;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      try
	{
	  if (in[i & 63] & 1)
	    throw i;
	  out0[i] = 1;
	}
      catch (int)
	{
	  out0[i] = ++count;
	}
  }
}

/* What throws has not stored.  */
static __attribute__ ((noinline)) void
put_or_throw (Gen *g, u64 a)
{
  if (a & 1)
    throw 1;
  g->set (a);
}

static __attribute__ ((noinline)) Gen
gen_or_throw (u64 a)
{
  if (a & 1)
    throw 1;
  return Gen (a);
}

CASE (thrown_over_a_store)
LOOP (/* amp: static */ Gen g (3),
      try
	{
	  put_or_throw (&g, in[i & 63]);
	}
      catch (int)
	{
	}
      out0[i] = g.get ();)

CASE (thrown_over_a_result)
LOOP (/* amp: static */ Gen g[2]; Gen *p = &g[n > 1000],
      try
	{
	  *p = gen_or_throw (in[i & 63]);
	}
      catch (int)
	{
	}
      out0[i] = p->get ();)

CASE (thrown_and_set)
LOOP (/* amp: converted */ Gen g (3),
      try
	{
	  put_or_throw (&g, in[i & 63]);
	}
      catch (int)
	{
	  g.set (i);
	}
      out0[i] = g.get ();)

CASE (what_an_exception_says)
{
#pragma omp parallel for // amp: converted
  for (int i = 0; i < n; i++)
    try
      {
	throw std::runtime_error (std::to_string (i));
      }
    catch (const std::runtime_error &e)
      {
	out0[i] = std::stoul (e.what ());
      }
}

/* It waits on its way to what it throws alone; in holds none of these.  */
static volatile int told;
static __attribute__ ((noinline)) u64
checked (u64 a)
{
  if (a == 12345)
    {
      while (!told)
	;
      throw 1;
    }
  return a + 1;
}

static __attribute__ ((noinline)) u64
handed_on (u64 a)
{
  return checked (a) * 2;
}

static __attribute__ ((noinline)) u64
calmed (u64 a)
{
  try
    {
      return checked (a);
    }
  catch (int)
    {
      return 0;
    }
}

CASE (waits_before_it_throws)
LOOP (/* amp: any */, out0[i] = checked (in[i & 63]);)

CASE (waits_before_it_is_caught)
LOOP (/* amp: static */,
      try
	{
	  out0[i] = handed_on (in[i & 63]);
	}
      catch (int)
	{
	  out0[i] = 0;
	})

CASE (waits_before_it_is_caught_in_a_function)
LOOP (/* amp: static */, out0[i] = calmed (in[i & 63]);)

CASE (vector_emptied_at_the_end)
LOOP (/* amp: static */ std::vector<u64> v,
      v.push_back (i);
      out0[i] = v.size ();
      if (in[i & 63] & 1)
	v.clear ();)

CASE (vector_of_pointers_emptied)
LOOP (/* amp: static */ std::vector<u64 *> v;
      u64 x = 0,
      v.clear ();
      v.push_back (&x);
      out0[i] = ++*v[0];)

CASE (vector_emptied_and_another)
{
#pragma omp parallel
  {
    std::vector<u64> v, w;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	v.clear ();
	v.push_back (i);
	std::vector<u64> &r = in[i & 63] & 1 ? v : w;
	r.push_back (i);
	out0[i] = w.size ();
      }
  }
}

CASE (vector_emptied_and_left)
{
#pragma omp parallel
  {
    std::vector<u64> v;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	v.clear ();
	v.push_back (i);
      }
#pragma omp critical
    for (u64 x : v)
      total += x;
  }
}

CASE (vector_emptied_and_swapped)
{
#pragma omp parallel
  {
    std::vector<u64> v, w;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	v.clear ();
	v.push_back (i);
	v.swap (w);
	out0[i] = v.size () + w[0];
      }
  }
}

/* It sets errno, and puts back what was there.  */
CASE (number_read_from_text)
{
#pragma omp parallel for // amp: converted
  for (int i = 0; i < n; i++)
    out0[i] = std::stoul (std::to_string (in[i & 63] % 1000)) + i;
}

/* Nodes lead to the variable, and to what threads share.  */
CASE (map_of_the_iteration)
{
#pragma omp parallel for /* amp: converted or static at -O0 */
  for (int i = 0; i < n; i++)
    {
      std::map<u64, int> m;
      for (int k = 0; k < 9; k++)
	m[in[(i + k) & 63] & 3]++;
      out0[i] = m.size () * 100 + m.begin ()->second;
    }
}

CASE (string_of_the_iteration)
{
#pragma omp parallel for /* amp: converted or static at -O0 */
  for (int i = 0; i < n; i++)
    {
      std::string s = "x" + std::to_string (i);
      s += "yz";
      out0[i] = s.size () * 256 + s[1];
    }
}

CASE (map_of_the_iteration_and_another)
{
#pragma omp parallel
  {
    std::map<u64, int> all;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	std::map<u64, int> m = all;
	for (int k = 0; k < 9; k++)
	  m[in[(i + k) & 63] & 3]++;
	all.swap (m);
	out0[i] = all.begin ()->second;
      }
  }
}

/* What the iteration keeps its nodes in leads to them; it reads that when it has
   written it.  */
CASE (hash_table_of_the_iteration)
{
#pragma omp parallel for /* amp: converted or static at -O0 */
  for (int i = 0; i < n; i++)
    {
      std::unordered_map<u64, int> m;
      for (int k = 0; k < 9; k++)
	m.emplace (in[(i + k) & 63] & 7, k);
      out0[i] = m.size ();
    }
}

CASE (node_kept)
{
  struct node { u64 x; node *next; };
#pragma omp parallel
  {
    node *kept[2] = { NULL, NULL };
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      {
	node *p = new node { u64 (i), NULL };
	p->next = kept[i & 1];
	out0[i] = p->next ? p->next->x : 7;
	kept[i & 1] = p;
      }
  }
}

/* Rows of the thread's own, which functions have allocated.  */
static __attribute__ ((noinline)) std::vector<u64>
row_of (int n)
{
  return std::vector<u64> (n);
}

struct Rows
{
  std::vector<u64> v;
  u64 a[SLOTS] = {};
  Rows () : v (SLOTS) {}
};

#define TWO_LOOPS(NAME, PLACE, ...) \
  CASE (NAME) HANDED_ON (PLACE, PLACE, __VA_ARGS__)

TWO_LOOPS (row_returned, w[i], auto w = row_of (n)) // amp: static
TWO_LOOPS (row_by_pointer, (*w)[i], // amp: static
	   auto w = std::make_unique<std::vector<u64>> (n))
TWO_LOOPS (row_in_an_object, w->v[i], // amp: static
	   auto w = std::make_unique<Rows> ())
TWO_LOOPS (array_in_an_object, w->a[i], // amp: static
	   auto w = std::make_unique<Rows> ())
TWO_LOOPS (array_by_pointer, w[i], // amp: static
	   auto w = std::make_unique<u64[]> (n))
TWO_LOOPS (row_in_anything, w[i], std::vector<u64> v (n); // amp: static
	   std::any a = v.data (); std::any b = a;
	   u64 *w = std::any_cast<u64 *> (b))
TWO_LOOPS (row_of_rows, w[1][i], // amp: static
	   std::vector<std::vector<u64>> w (2, std::vector<u64> (n)))
TWO_LOOPS (row_shared_by_pointers, (*w)[i], // amp: static
	   auto w = std::make_shared<std::vector<u64>> (n))

CASE (rows_of_iterations)
{
#pragma omp parallel for // amp: converted or static
  for (int i = 0; i < n; i++)
    {
      auto w = row_of (9);
      w[i % 9] += in[i & 127];
      out0[i] = w[i % 7];
    }
}

/* Loops of functions that are called through pointers, or with a closure.  */
struct Stage
{
  virtual ~Stage () = default;
  virtual void fill (int n) = 0;
  virtual void use (int n) = 0;
};

struct Row : Stage
{
  u64 w[SLOTS] = {};
  void fill (int n) override
  {
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      w[i] = in[i & 127] * 5;
  }
  void use (int n) override
  {
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      out0[i] = w[i] + 2;
  }
};

static __attribute__ ((noinline)) Stage *
new_stage ()
{
  return new Row;
}

CASE (row_of_a_virtual_function)
{
#pragma omp parallel
  {
    std::unique_ptr<Stage> s (new_stage ());
    s->fill (n);
    s->use (n);
  }
}

static void
stage_fill (u64 *w, int n)
{
#pragma omp for // amp: static
  for (int i = 0; i < n; i++)
    w[i] = in[i & 127] * 3;
}

static void
stage_use (u64 *w, int n)
{
#pragma omp for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = w[i] + 1;
}

static void (*volatile stages[]) (u64 *, int) = { stage_fill, stage_use };

CASE (row_of_a_table)
{
#pragma omp parallel
  {
    u64 w[SLOTS] = {};
    for (auto s : stages)
      s (w, n);
  }
}

CASE (row_of_std_functions)
{
#pragma omp parallel
  {
    std::vector<u64> w (n);
    std::function<void ()> fill = [&w, n] {
#pragma omp for // amp: static
      for (int i = 0; i < n; i++)
	w[i] = in[i & 127] * 3;
    };
    std::function<void ()> use = [&w, n] {
#pragma omp for // amp: static
      for (int i = 0; i < n; i++)
	out0[i] = w[i] + 1;
    };
    fill ();
    use ();
  }
}

template <class F> static void
for_all (int n, F f)
{
#pragma omp for // amp: converted or static
  for (int i = 0; i < n; i++)
    f (i);
}

CASE (row_of_closures)
{
#pragma omp parallel
  {
    std::array<u64, SLOTS> w {};
    for_all (n, [&] (int i) { w[i] = in[i & 127]; });
    for_all (n, [&] (int i) { out0[i] = w[i] + 1; });
  }
}

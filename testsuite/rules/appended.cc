/* Vectors that iterations append to and threads put together under a lock.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>
#include <omp.h>
#include "rules.h"

typedef std::vector<u64> numbers;

/* Whatever the order, and how many there are.  */
static void
note (numbers &all)
{
  std::sort (all.begin (), all.end ());
  for (u64 x : all)
    total = total * 31 + x;
}

#define APPEND(OWN, BODY, BEHIND)					\
  {									\
    numbers all;							\
    _Pragma ("omp parallel")						\
    {									\
      OWN;								\
      _Pragma ("omp for nowait")					\
      for (int i = 0; i < n; i++)					\
	{								\
	  BODY;								\
	}								\
      BEHIND;								\
    }									\
    note (all);								\
  }

#define LOCKED _Pragma ("omp critical")
#define ALL all.insert (all.end (), mine.begin (), mine.end ())

CASE (put_in_at_the_end)
APPEND (/* amp: ascending */ numbers mine,
	if (in[i & 63] & 3)
	  mine.push_back (in[i & 63] + i),
	LOCKED ALL)

CASE (put_in_at_the_beginning)
APPEND (/* amp: ascending */ numbers mine; mine.reserve (8),
	mine.emplace_back (in[i & 63]),
	LOCKED all.insert (all.begin (), mine.cbegin (), mine.cend ()))

CASE (several_an_iteration)
APPEND (/* amp: ascending */ numbers mine,
	for (int k = 0; k < i % 5; k++)
	  mine.push_back (in[k] * i),
	_Pragma ("omp critical (numbers)") ALL)

CASE (looks_at_the_length)
APPEND (/* amp: static */ numbers mine,
	out0[i] = mine.size ();
	mine.push_back (i),
	LOCKED ALL)

CASE (looks_at_the_last)
APPEND (/* amp: static */ numbers mine,
	out0[i] = mine.empty () ? 7 : mine.back ();
	mine.push_back (i),
	LOCKED ALL)

CASE (appends_the_first)
APPEND (/* amp: static */ numbers mine; mine.reserve (n + 1),
	mine.push_back (i == 0 || mine.empty () ? i : mine[0]),
	LOCKED ALL)

CASE (appends_what_it_has)
APPEND (/* amp: static */ numbers mine; mine.reserve (n + 1);
	const u64 *first = mine.data (),
	mine.push_back (i);
	mine.push_back (*first),
	LOCKED ALL)

CASE (takes_the_last_away)
APPEND (/* amp: static */ numbers mine,
	if (i % 3 == 2 && !mine.empty ())
	  mine.pop_back ();
	else
	  mine.push_back (i),
	LOCKED ALL)

CASE (empties_it_now_and_then)
APPEND (/* amp: static */ numbers mine,
	if (i % 8 == 5)
	  mine.clear ();
	mine.push_back (i),
	LOCKED ALL)

CASE (begins_with_one)
APPEND (/* amp: static */ numbers mine (1, 3),
	mine.push_back (i),
	LOCKED ALL)

CASE (without_the_first)
APPEND (/* amp: static */ numbers mine; mine.reserve (4),
	mine.push_back (i),
	LOCKED if (!mine.empty ())
	  all.insert (all.end (), mine.begin () + 1, mine.end ()))

CASE (put_in_twice)
APPEND (/* amp: static */ numbers mine,
	mine.push_back (i),
	LOCKED { ALL; all.insert (all.end (), mine.begin (), mine.begin ()); })

CASE (with_its_length)
APPEND (/* amp: static */ numbers mine,
	mine.push_back (i),
	LOCKED { ALL; all.push_back (mine.size ()); })

CASE (put_in_in_the_middle)
APPEND (/* amp: static */ numbers mine,
	mine.push_back (i),
	LOCKED all.insert (all.begin () + all.size () / 2, mine.begin (),
			   mine.end ()))

CASE (put_in_by_some)
APPEND (/* amp: static */ numbers mine,
	mine.push_back (i),
	if (omp_get_thread_num () == 0)
	  LOCKED ALL)

CASE (put_in_if_long)
APPEND (/* amp: static */ numbers mine,
	mine.push_back (i),
	LOCKED if (mine.size () > 3)
	  ALL)

CASE (how_many_are_noted)
APPEND (/* amp: static */ numbers mine,
	mine.push_back (i),
	LOCKED ALL;
	out1[omp_get_thread_num ()] = mine.size ())

CASE (sorted_before)
APPEND (/* amp: static */ numbers mine,
	mine.push_back (i ^ 5),
	std::sort (mine.begin (), mine.end ());
	LOCKED ALL)

CASE (into_the_threads_own)
{
  std::vector<numbers> all (64);
#pragma omp parallel
  {
    numbers mine;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i);
    numbers &to = all[omp_get_thread_num ()];
#pragma omp critical
    to.insert (to.end (), mine.begin (), mine.end ());
  }
  for (numbers &x : all)
    note (x);
}

CASE (in_each_step)
{
  numbers all;
#pragma omp parallel
  {
    numbers mine;
    for (int step = 0; step < 3; step++)
#pragma omp for /* amp: static */
      for (int i = 0; i < n; i++)
	mine.push_back (i * step);
#pragma omp critical
    ALL;
  }
  note (all);
}

CASE (anew_in_each_step)
{
  numbers all;
  for (int step = 0; step < 3; step++)
#pragma omp parallel
    {
      numbers mine;
#pragma omp for nowait /* amp: ascending */
      for (int i = 0; i < n; i++)
	mine.push_back (i * step);
#pragma omp critical
      ALL;
    }
  note (all);
}

CASE (by_two_loops)
{
  numbers all;
#pragma omp parallel
  {
    numbers mine;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i * 3);
#pragma omp critical
    ALL;
  }
  note (all);
}

CASE (pairs)
{
  std::vector<std::pair<u64, int> > all;
#pragma omp parallel
  {
    std::vector<std::pair<u64, int> > mine;
#pragma omp for nowait /* amp: ascending */
    for (int i = 0; i < n; i++)
      mine.push_back (std::make_pair (in[i & 63], i));
#pragma omp critical
    ALL;
  }
  std::sort (all.begin (), all.end ());
  for (std::pair<u64, int> &x : all)
    total = total * 31 + x.first * x.second;
}

/* Behind the last look at it, or in the midst of others'.  */
CASE (looked_at_in_the_region)
{
  numbers all;
  u64 most = 0;
#pragma omp parallel
  {
    numbers mine;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i);
#pragma omp critical
    ALL;
#pragma omp critical
    if (all.size () > most)
      most = all.size ();
  }
  total = most;
}

static omp_lock_t door;

struct collection
{
  numbers all;

  void gather (int n)
  {
#pragma omp parallel
    {
      numbers mine;
#pragma omp for nowait /* amp: ascending */
      for (int i = 0; i < n; i++)
	if (i % 3)
	  mine.push_back (in[i & 63] + 7 * i);
      omp_set_lock (&door);
      ALL;
      omp_unset_lock (&door);
    }
  }
};

CASE (of_an_object)
{
  collection t;
  omp_init_lock (&door);
  t.gather (n);
  omp_destroy_lock (&door);
  note (t.all);
}

/* What is counted beside it is another lock's.  */
CASE (counted_beside)
{
  numbers all;
  u64 parts = 0;
#pragma omp parallel
  {
    numbers mine;
    u64 seen = 0;
#pragma omp for nowait /* amp: ascending */
    for (int i = 0; i < n; i++)
      {
	mine.push_back (i);
	seen += in[i & 63];
      }
#pragma omp critical (parts)
    parts += seen;
#pragma omp critical
    all.insert (all.end (), std::make_move_iterator (mine.begin ()),
		std::make_move_iterator (mine.end ()));
  }
  note (all);
  total += parts;
}

/* Whose turn it is, threads have agreed on.  */
CASE (in_the_order_of_numbers)
{
  numbers all;
  int turn = 0;
#pragma omp parallel
  {
    int next;
    numbers mine;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (in[i & 63] + i);
    do
#pragma omp atomic read
      next = turn;
    while (next != omp_get_thread_num ());
#pragma omp critical
    ALL;
#pragma omp atomic
    turn++;
  }
  for (u64 x : all)
    total = total * 31 + x;
}

struct follower
{
  u64 x;
  follower (numbers *)
    : x (0)
  {}
  follower (std::vector<follower> *v)
    : x (v->empty () ? 7 : v->back ().x * 3 + 1)
  {}
};

CASE (made_of_the_one_before)
{
  std::vector<follower> all;
#pragma omp parallel
  {
    std::vector<follower> mine;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.emplace_back (&mine);
#pragma omp critical
    ALL;
  }
  u64 least = 0;
  for (follower &x : all)
    least += x.x;
  total = least;
}

/* Another one's constructor is the program's.  */
static thread_local u64 made;
struct wrapped
{
  u64 x;
  wrapped (u64 y)
    : x (y + made++ * 1000)
  {}
};

CASE (put_into_a_vector_of_others)
{
  std::vector<wrapped> all;
  std::vector<int> first;
#pragma omp parallel
  {
    numbers mine;
    made = 0;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i);
#pragma omp critical
    ALL;
  }
  for (wrapped &x : all)
    total += x.x;
}

CASE (put_in_as_often_as_the_number_says)
{
  numbers all;
#pragma omp parallel
  {
    int k = 0;
    numbers mine;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i);
    do
#pragma omp critical
      ALL;
    while (k++ < omp_get_thread_num ());
  }
  note (all);
}

/* GCC 16's size () looks at what it finds.  */
CASE (with_room_made_before)
APPEND (/* amp: ascending or static */ numbers mine,
	mine.push_back (i),
	LOCKED { all.reserve (all.size () + mine.size ()); ALL; })

CASE (none_of_it)
APPEND (/* amp: static */ numbers mine,
	mine.push_back (i),
	LOCKED {
	  all.reserve (all.size () + mine.size ());
	  all.insert (all.end (), mine.begin (), mine.begin ());
	})

/* Rows and columns of one matrix.  */
CASE (three_of_an_iteration)
{
  numbers rows, columns, values;
#pragma omp parallel
  {
    numbers r, c, v;
#pragma omp for nowait /* amp: ascending */
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i % 3; k++)
	{
	  r.push_back (i);
	  c.push_back (k);
	  v.push_back (in[(i + k) & 63]);
	}
#pragma omp critical
    {
      rows.insert (rows.end (), r.begin (), r.end ());
      columns.insert (columns.end (), c.begin (), c.end ());
      values.insert (values.end (), v.begin (), v.end ());
    }
  }
  for (size_t k = 0; k < rows.size (); k++)
    total += rows[k] * 64 + columns[k] * values[k];
}

CASE (two_into_one)
{
  numbers all;
#pragma omp parallel
  {
    numbers r, c;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      {
	r.push_back (i);
	c.push_back (1000 + i);
      }
#pragma omp critical
    {
      all.insert (all.end (), r.begin (), r.end ());
      all.insert (all.end (), c.begin (), c.end ());
    }
  }
  note (all);
}

/* What comes from two loops does not belong together.  */
CASE (two_of_two_loops)
{
  numbers rows, columns;
#pragma omp parallel
  {
    numbers r, c;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      r.push_back (i);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      c.push_back (i);
#pragma omp critical
    {
      rows.insert (rows.end (), r.begin (), r.end ());
      columns.insert (columns.end (), c.begin (), c.end ());
    }
  }
  for (size_t k = 0; k < rows.size (); k++)
    total += rows[k] * columns[k];
}

CASE (sum_under_the_same_lock)
{
  numbers all;
  u64 sum = 0, most = 0;
#pragma omp parallel
  {
    u64 s = 0, m = 0;
    numbers mine;
#pragma omp for nowait /* amp: ascending */
    for (int i = 0; i < n; i++)
      {
	mine.push_back (i * 3);
	u64 e = in[i & 63];
	s += e;
	m = e > m ? e : m;
      }
#pragma omp critical
    {
      sum += s;
      if (m > most)
	most = m;
      ALL;
    }
  }
  note (all);
  total += sum + most;
}

CASE (length_under_the_same_lock)
{
  numbers all;
  u64 most = 0;
#pragma omp parallel
  {
    numbers mine;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i * 3);
#pragma omp critical
    {
      ALL;
      if (mine.size () > most)
	most = mine.size ();
    }
  }
  total = most;
}

#pragma omp declare reduction (join : numbers : omp_out.insert (omp_out.end (), omp_in.begin (), omp_in.end ()))

CASE (declared_reduction)
{
  numbers all;
  u64 sum = 0;
#pragma omp parallel for reduction (join : all) reduction (+ : sum) /* amp: ascending */
  for (int i = 0; i < n; i++)
    if (i % 3)
      {
	all.push_back (in[i & 63] + i);
	sum += i;
      }
  note (all);
  total += sum;
}

/* Two names may be one vector's.  */
CASE (into_one_by_two_names)
{
  numbers all, &x = in[n & 63] != 1 ? all : *new numbers, &y = all;
#pragma omp parallel
  {
    numbers r, c;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      {
	r.push_back (i);
	c.push_back (1000 + i);
      }
#pragma omp critical
    {
      x.insert (x.end (), r.begin (), r.end ());
      y.insert (y.end (), c.begin (), c.end ());
    }
  }
  note (all);
}

/* One row is in order, the other the other way round.  */
CASE (from_both_ends)
{
  numbers rows, columns;
#pragma omp parallel
  {
    numbers r, c;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      {
	r.push_back (i);
	c.push_back (i * i);
      }
#pragma omp critical
    {
      rows.insert (rows.begin (), r.begin (), r.end ());
      columns.insert (columns.end (), c.begin (), c.end ());
    }
  }
  note (rows);
  note (columns);
}

/* Each thread's last iteration so far.  */
CASE (noted_by_another_loop)
{
  numbers all;
  u64 *last = out0;
#pragma omp parallel
  {
    u64 before = 0;
    numbers mine;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i);
#pragma omp critical
    ALL;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	last[i] = before;
	before = i;
      }
  }
  note (all);
}

static omp_lock_t gate[THREADS];

CASE (behind_the_lock_of_the_one_before)
{
  numbers all;
  for (omp_lock_t &x : gate)
    omp_init_lock (&x);
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
    numbers mine;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      mine.push_back (i);
    if (me > 0)
      {
	omp_set_lock (&gate[me - 1]);
	omp_unset_lock (&gate[me - 1]);
      }
#pragma omp critical
    ALL;
  }
  note (all);
}

struct last_of
{
  numbers *of;
  operator u64 () const
  {
    return of->empty () ? 1 : of->back () * 3;
  }
};

CASE (converted_from_the_one_before)
{
  numbers all;
#pragma omp parallel
  {
    numbers mine;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.emplace_back (last_of { &mine });
#pragma omp critical
    ALL;
  }
  total = all.size ();
}

/* Not the library's.  */
struct pair
{
  u64 x;
  pair (std::vector<pair> *v)
    : x (v->empty () ? 5 : v->back ().x * 3)
  {}
};

CASE (pairs_of_the_program)
{
  std::vector<pair> all;
#pragma omp parallel
  {
    std::vector<pair> mine;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine.emplace_back (&mine);
#pragma omp critical
    ALL;
  }
  total = all.size ();
}

CASE (pairs_in_place)
{
  std::vector<std::pair<u64, int> > all;
#pragma omp parallel
  {
    std::vector<std::pair<u64, int> > mine;
#pragma omp for nowait /* amp: ascending */
    for (int i = 0; i < n; i++)
      mine.emplace_back (in[i & 63], i);
#pragma omp critical
    ALL;
  }
  for (std::pair<u64, int> &x : all)
    total += x.first * x.second;
}

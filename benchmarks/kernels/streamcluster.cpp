// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters in a stream of points, on the theme of Rodinia's and PARSEC's
// streamcluster, written from O'Callaghan and others (Streaming-data algorithms
// for high-quality clustering, ICDE 2002): the points come in portions; each is
// reduced to some ten weighted centres by local search for the k-median
// problem, and in the end the centres of all portions are.
//
// The loops run over the points of a portion: does a new centre lessen a
// point's cost, and would other centres be given up for it?  Thousands of loops
// of 0.1 to 1 ms.  Coordinates are integers, so that all sums are exact
// whatever their order: centres, memberships and costs are compared with a
// serial run.

#include "common/app.h"
#include "common/each.h"
#include "common/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <omp.h>
#include <vector>

namespace
{

struct Problem
{
  char klass;
  int portions;
  long points; // a portion
};

constexpr Problem problems[] = {
  { 'S', 2, 2000 },
  { 'W', 2, 4000 },
  { 'A', 3, 16000 },
  { 'B', 10, 32000 },
};

constexpr int features = 32;
constexpr int kinds = 17; // of points
constexpr int least_centres = 10;
constexpr int most_centres = 20;
constexpr int searches = 12; // for the price of a centre

struct Point
{
  std::int16_t x[features];
  std::int64_t weight;
};

std::int64_t
distance (const Point &a, const Point &b)
{
  std::int32_t sum = 0;
  for (int f = 0; f < features; f++)
    {
      const std::int32_t d = a.x[f] - b.x[f];
      sum += d * d;
    }
  return sum;
}

// Kind K lies around a place of its own; the kinds differ in frequency.
Point
draw_point (std::uint64_t number)
{
  random_stream r = random_start (app_seed ^ (number + 1) * RANDOM_STEP);
  const double u = random_unit (&r);
  const int kind = static_cast<int> (kinds * u * u);
  Point p{};
  p.weight = 1;
  for (int f = 0; f < features; f++)
    {
      const double centre
	= 2000 * random_fraction (random_at (app_seed, kind * features + f));
      double noise = 0;
      for (int k = 0; k < 4; k++)
	noise += random_unit (&r) - 0.5;
      p.x[f] = static_cast<std::int16_t> (centre + 400 * noise);
    }
  return p;
}

// What a thread would save by giving each centre up; lines of its own.
struct alignas (128) Losses
{
  std::vector<std::int64_t> of;
  std::int64_t saved;
};

struct Clustering
{
  std::vector<long> centre; // numbers of points, ascending
  std::vector<long> member; // the centre of each point
  std::vector<std::int64_t> cost;
  std::int64_t total;

  bool
  operator== (const Clustering &o) const
  {
    return centre == o.centre && member == o.member && cost == o.cost
	   && total == o.total;
  }
};

class Search
{
public:
  Search (bool parallel, int threads, const std::vector<Point> &points,
	  random_stream &random)
    : parallel_ (parallel), points_ (points),
      n_ (static_cast<long> (points.size ())), random_ (random),
      losses_ (parallel ? threads : 1), slot_ (points.size (), -1)
  {
    for (Losses &l : losses_)
      l.of.resize (points.size ());
  }

  // Few enough and enough centres, by bisection of the price of a centre.
  Clustering
  run ()
  {
    std::int64_t low = 0, high = 0;
    for (long i = 0; i < n_; i++)
      high += distance (points_[i], points_[0]) * points_[i].weight;
    for (int k = 0;; k++)
      {
	price_ = (low + high) / 2;
	begin ();
	improve ();
	const long centres = static_cast<long> (now_.centre.size ());
	if (k == searches
	    || (centres >= least_centres && centres <= most_centres))
	  break;
	(centres > most_centres ? low : high) = price_;
      }
    return now_;
  }

private:
  long
  me () const
  {
    return parallel_ ? omp_get_thread_num () : 0;
  }

  // Takes the points in turn as centres, the likelier the more they cost.
  void
  begin ()
  {
    now_.centre.assign (1, 0);
    now_.member.assign (n_, 0);
    now_.cost.resize (n_);
    each (parallel_, n_, [&] (long i) {
      now_.cost[i] = distance (points_[i], points_[0]) * points_[i].weight;
    });
    for (long c = 1; c < n_; c++)
      {
	if (random_unit (&random_) * static_cast<double> (price_)
	    >= static_cast<double> (now_.cost[c]))
	  continue;
	now_.centre.push_back (c);
	each (parallel_, n_, [&] (long i) {
	  const std::int64_t d
	    = distance (points_[i], points_[c]) * points_[i].weight;
	  if (d < now_.cost[i])
	    {
	      now_.cost[i] = d;
	      now_.member[i] = c;
	    }
	});
      }
    add_up ();
  }

  void
  add_up ()
  {
    now_.total = price_ * static_cast<std::int64_t> (now_.centre.size ());
    for (std::int64_t c : now_.cost)
      now_.total += c;
  }

  // Tries random points as centres, until that saves less than 1 %.
  void
  improve ()
  {
    const int tries = 3 * most_centres;
    std::int64_t before;
    do
      {
	before = now_.total;
	for (int k = 0; k < tries; k++)
	  try_centre (static_cast<long> (
	    random_below (&random_, static_cast<std::uint64_t> (n_))));
      }
    while (now_.total < before - before / 100);
  }

  // Opens X if that saves anything, together with the centres that then are no
  // longer worth their price.
  void
  try_centre (long x)
  {
    if (std::binary_search (now_.centre.begin (), now_.centre.end (), x))
      return;
    const std::size_t centres = now_.centre.size ();
    for (std::size_t c = 0; c < centres; c++)
      slot_[now_.centre[c]] = static_cast<long> (c);
    for (Losses &l : losses_)
      {
	std::fill_n (l.of.begin (), centres, 0);
	l.saved = 0;
      }
    each (parallel_, n_, [&] (long i) {
      const std::int64_t more
	= distance (points_[i], points_[x]) * points_[i].weight - now_.cost[i];
      Losses &mine = losses_[me ()];
      if (more < 0)
	mine.saved -= more;
      else
	mine.of[slot_[now_.member[i]]] += more;
    });
    std::int64_t saved = -price_;
    for (const Losses &l : losses_)
      saved += l.saved;
    std::vector<char> closed (centres);
    for (std::size_t c = 0; c < centres; c++)
      {
	std::int64_t loss = 0;
	for (const Losses &l : losses_)
	  loss += l.of[c];
	closed[c] = loss < price_;
	if (closed[c])
	  saved += price_ - loss;
      }
    if (saved <= 0)
      return;
    each (parallel_, n_, [&] (long i) {
      const std::int64_t d
	= distance (points_[i], points_[x]) * points_[i].weight;
      if (d < now_.cost[i] || closed[slot_[now_.member[i]]])
	{
	  now_.cost[i] = d;
	  now_.member[i] = x;
	}
    });
    std::vector<long> kept;
    for (std::size_t c = 0; c < centres; c++)
      if (!closed[c])
	kept.push_back (now_.centre[c]);
    kept.insert (std::upper_bound (kept.begin (), kept.end (), x), x);
    now_.centre.swap (kept);
    now_.total -= saved;
  }

  const bool parallel_;
  const std::vector<Point> &points_;
  const long n_;
  random_stream &random_;
  std::vector<Losses> losses_;
  std::vector<long> slot_; // where a centre stands in now_.centre
  std::int64_t price_ = 0;
  Clustering now_;
};

// The clusterings of all portions, and that of their centres.
std::vector<Clustering>
run (bool parallel, int threads, const std::vector<std::vector<Point>> &stream)
{
  random_stream random = random_start (~app_seed);
  std::vector<Clustering> all;
  std::vector<Point> centres;
  for (const auto &points : stream)
    {
      all.push_back (Search (parallel, threads, points, random).run ());
      const Clustering &c = all.back ();
      const std::size_t first = centres.size ();
      for (long i : c.centre)
	{
	  centres.push_back (points[i]);
	  centres.back ().weight = 0;
	}
      for (std::size_t i = 0; i < points.size (); i++)
	{
	  const auto at = std::lower_bound (c.centre.begin (), c.centre.end (),
					    c.member[i]);
	  centres[first + (at - c.centre.begin ())].weight += points[i].weight;
	}
    }
  all.push_back (Search (parallel, threads, centres, random).run ());
  return all;
}

// Whether a clustering's own figures agree: every point is counted with the
// cost of its centre, and the total with all.
bool
sound (const Clustering &c, const std::vector<Point> &points)
{
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < points.size (); i++)
    {
      if (c.cost[i]
	  != distance (points[i], points[c.member[i]]) * points[i].weight
	  || !std::binary_search (c.centre.begin (), c.centre.end (),
				  c.member[i]))
	return false;
      sum += c.cost[i];
    }
  return (c.total - sum) % static_cast<std::int64_t> (c.centre.size ()) == 0;
}

} // namespace

int
main (int argc, char **argv)
{
  const Problem *p = BENCH_PROBLEM ("streamcluster", "SWAB", app_seed_help,
				    app_seed_option);
  std::vector<std::vector<Point>> stream (p->portions);
  std::uint64_t number = 0;
  for (auto &portion : stream)
    for (long i = 0; i < p->points; i++)
      portion.push_back (draw_point (number++));
  const int threads = bench_threads ();

  const double start = bench_seconds ();
  std::vector<Clustering> result;
  each_team ([&] { result = run (true, threads, stream); });
  const double seconds = bench_seconds () - start;

  const auto right = run (false, 1, stream);
  if (app_damage)
    result[0].cost[0]++;
  long wrong = 0;
  for (std::size_t k = 0; k < result.size (); k++)
    wrong += !(result[k] == right[k]);
  for (std::size_t k = 0; k < stream.size (); k++)
    wrong += !sound (right[k], stream[k]);
  return bench_finish ("streamcluster", p->klass, seconds, wrong == 0, threads,
		       each_loops,
		       "\"seed\":%llu,\"wrong\":%ld,\"portions\":%d,\"points\":%ld,"
		       "\"centres\":%ld,\"cost\":%lld",
		       static_cast<unsigned long long> (app_seed), wrong,
		       p->portions, p->points,
		       static_cast<long> (right.back ().centre.size ()),
		       static_cast<long long> (right.back ().total));
}

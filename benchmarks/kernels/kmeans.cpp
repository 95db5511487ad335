// SPDX-License-Identifier: GPL-3.0-or-later
// K-Means by Lloyd's iteration: the kmeans of the iCh paper (section 5.1), on
// generated points with the size and the character of the KDD Cup set that it
// used: 34 features, clusters of very unequal size, and points of one cluster
// in long runs, as the packets of one attack are.
//
// The main loop assigns a point to the nearest centre.  A distance is given up
// as soon as it exceeds the best so far, and the point's last centre is tried
// first, so that what a point costs depends on where it lies and changes from
// round to round.
//
// Features are multiples of 1/64 and summed as integers, and of centres at
// the same distance the first is taken.  So the result does not depend on who
// does what, and is verified bit for bit against a serial one.

#include "common/app.h"
#include "common/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <omp.h>
#include <vector>

namespace
{

constexpr int features = 34; // as the KDD Cup set has
constexpr int block = 8;
constexpr int padded = (features + block - 1) / block * block;
constexpr int grid = 64; // steps of a feature's unit
constexpr float span = 64;

struct Problem
{
  char klass;
  long points;
  int clusters, rounds;
};

// A: the KDD Cup set's 10 % sample has 494,020 points.
constexpr Problem problems[] = {
  { 'S', 40000, 8, 10 },
  { 'W', 100000, 12, 10 },
  { 'A', 494020, 16, 25 },
  { 'B', 1976080, 24, 20 },
};

struct Point
{
  float x[padded];
};

// The sums of a cluster's points, in steps of the grid.
struct Sum
{
  std::int64_t count;
  std::int64_t x[features];
};

// A thread's sums, on lines of their own.
struct alignas (128) Sums
{
  std::vector<Sum> of;
};

struct State
{
  std::vector<Point> centre;
  std::vector<std::int32_t> member; // of each point: its centre, or -1
  int rounds = 0;
};

std::vector<Point>
make_points (long n)
{
  constexpr int kinds = 23; // labels in the KDD Cup set
  random_stream r = random_start (app_seed);
  Point middle[kinds];
  float width[kinds][features];
  for (int k = 0; k < kinds; k++)
    for (int f = 0; f < features; f++)
      {
	// Most features of a kind of packet hardly vary.
	middle[k].x[f] = static_cast<float> (random_unit (&r)) * span;
	width[k][f] = static_cast<float> (
	  random_unit (&r) < 0.3 ? 0.15 * span : 0.01 * span);
      }
  std::vector<Point> points (n);
  int kind = 0;
  long left = 0;
  for (Point &p : points)
    {
      if (left-- == 0)
	{
	  // Kind k is about 0.7 times as frequent as the one before.
	  kind = std::min (static_cast<int> (random_exponential (&r, 2.8)),
			   kinds - 1);
	  left = static_cast<long> (random_exponential (&r, 300));
	}
      for (int f = 0; f < features; f++)
	{
	  const double spread
	    = random_unit (&r) + random_unit (&r) + random_unit (&r) - 1.5;
	  const double x = middle[kind].x[f] + 2 * spread * width[kind][f];
	  p.x[f] = static_cast<float> (
	    std::floor (std::clamp (x, 0.0, double (span)) * grid) / grid);
	}
      std::fill (p.x + features, p.x + padded, 0.0f);
    }
  return points;
}

// The centres begin on points spread evenly over the input.
State
begin (const std::vector<Point> &points, int clusters)
{
  State s;
  const std::size_t n = points.size ();
  for (int c = 0; c < clusters; c++)
    s.centre.push_back (points[(2 * c + 1) * n / (2 * clusters)]);
  s.member.assign (n, -1);
  return s;
}

inline float
block_distance (const float *a, const float *b)
{
  float d[block];
  for (int j = 0; j < block; j++)
    d[j] = (a[j] - b[j]) * (a[j] - b[j]);
  return ((d[0] + d[4]) + (d[1] + d[5])) + ((d[2] + d[6]) + (d[3] + d[7]));
}

// The nearest centre of P, LAST being the one before (-1: none).  WORK counts
// the blocks of features that were compared.
inline int
nearest (const Point &p, const std::vector<Point> &centre, int last,
	 unsigned &work)
{
  float best = std::numeric_limits<float>::infinity ();
  int which = -1;
  const int clusters = static_cast<int> (centre.size ());
  for (int t = last >= 0 ? -1 : 0; t < clusters; t++)
    {
      const int c = t < 0 ? last : t;
      if (t == last)
	continue;
      float d = 0;
      int f = 0;
      for (; f < padded && d <= best; f += block)
	d += block_distance (p.x + f, centre[c].x + f);
      work += f / block;
      if (d < best || (d == best && c < which))
	{
	  best = d;
	  which = c;
	}
    }
  return which;
}

inline void
add (Sum &sum, const Point &p)
{
  sum.count++;
  for (int f = 0; f < features; f++)
    sum.x[f] += static_cast<std::int64_t> (p.x[f] * grid);
}

// New centres from sums, which are zeroed.  A centre without points stays.
void
move_centres (std::vector<Point> &centre, std::vector<Sums> &sums)
{
  for (std::size_t c = 0; c < centre.size (); c++)
    {
      Sum total{};
      for (Sums &s : sums)
	{
	  total.count += s.of[c].count;
	  for (int f = 0; f < features; f++)
	    total.x[f] += s.of[c].x[f];
	  s.of[c] = Sum{};
	}
      for (int f = 0; total.count && f < features; f++)
	centre[c].x[f]
	  = static_cast<float> (static_cast<double> (total.x[f])
				/ (static_cast<double> (total.count) * grid));
    }
}

void
run (const std::vector<Point> &points, State &s, int rounds, int threads)
{
  const long n = static_cast<long> (points.size ());
  std::vector<Sums> sums (threads);
  for (Sums &mine : sums)
    mine.of.resize (s.centre.size ());
  for (long changed = 1; changed && s.rounds < rounds; s.rounds++)
    {
      changed = 0;
#pragma omp parallel
      {
	APP_LOOP (n, reduction (+ : changed))
	for (long i = 0; i < n; i++)
	  {
	    unsigned work = 0;
	    const int c = nearest (points[i], s.centre, s.member[i], work);
	    changed += c != s.member[i];
	    s.member[i] = c;
	    add (sums[omp_get_thread_num ()].of[c], points[i]);
	  }
      }
      move_centres (s.centre, sums);
    }
}

// The reference: the same without threads.
std::uint64_t
run_serial (const std::vector<Point> &points, State &s, int rounds)
{
  std::uint64_t total = 0;
  std::vector<Sums> sums (1);
  sums[0].of.resize (s.centre.size ());
  for (long changed = 1; changed && s.rounds < rounds; s.rounds++)
    {
      changed = 0;
      for (std::size_t i = 0; i < points.size (); i++)
	{
	  unsigned work = 0;
	  const int c = nearest (points[i], s.centre, s.member[i], work);
	  changed += c != s.member[i];
	  s.member[i] = c;
	  add (sums[0].of[c], points[i]);
	  total += work;
	}
      move_centres (s.centre, sums);
    }
  return total;
}

} // namespace

int
main (int argc, char **argv)
{
  const Problem *p
    = BENCH_PROBLEM ("kmeans", "SWAB", app_help, app_option);
  const long n = p->points;
  const int clusters = p->clusters;
  const std::vector<Point> points = make_points (n);
  const int threads = bench_threads ();

  State s = begin (points, clusters);
  const double start = bench_seconds ();
  run (points, s, p->rounds, threads);
  const double seconds = bench_seconds () - start;

  State right = begin (points, clusters);
  const std::uint64_t work = run_serial (points, right, p->rounds);
  if (app_damage)
    s.member[n / 2] ^= 1;
  long wrong = s.rounds != right.rounds;
  for (long i = 0; i < n; i++)
    wrong += s.member[i] != right.member[i];
  for (int c = 0; c < clusters; c++)
    wrong += std::memcmp (&s.centre[c], &right.centre[c], sizeof (Point)) != 0;

  std::vector<long> size (clusters);
  for (std::int32_t c : right.member)
    size[c]++;
  return bench_finish ("kmeans", p->klass, seconds, wrong == 0, threads,
		       right.rounds,
		       "\"seed\":%llu,\"wrong\":%ld,\"points\":%ld,\"clusters\":%d,"
		       "\"rounds\":%d,\"largest\":%ld,\"compared\":%.4f",
		       static_cast<unsigned long long> (app_seed), wrong, n,
		       clusters, right.rounds,
		       *std::max_element (size.begin (), size.end ()),
		       static_cast<double> (work * block)
		       / (static_cast<double> (n) * clusters * padded
		       * right.rounds));
}

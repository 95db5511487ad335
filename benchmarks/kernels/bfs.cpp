// SPDX-License-Identifier: GPL-3.0-or-later
// Breadth-first search, level by level, from several sources: the bfs of the
// iCh paper (section 5.1) on graphs whose vertices have a uniform or a
// scale-free number of neighbours.
//
// The main loop runs over the vertices of a level.  Who finds a vertex first
// decides where it stands in the next level, but not how far it is from the
// source; the distances are verified against a serial search.

#include "common/app.h"
#include "common/random.h"
#include "common/sparse.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <omp.h>
#include <vector>

namespace
{

struct Problem
{
  char klass;
  long vertices;
  int sources;
};

constexpr Problem problems[] = {
  { 'S', 50000, 8 },
  { 'W', 100000, 8 },
  { 'A', 1000000, 4 },
  { 'B', 8000000, 2 },
};

constexpr long mean_edges = 6;   // that a vertex of the uniform graph begins
constexpr long least_edges = 2;  // of the scale-free graph
constexpr double exponent = 2.3;

bool scale_free = false;

extern "C" int
bfs_option (const char *name, const char *text)
{
  if (!std::strcmp (name, "--graph"))
    {
      if (!text || (std::strcmp (text, "uniform")
		    && std::strcmp (text, "scale-free")))
	return -1;
      scale_free = !std::strcmp (text, "scale-free");
      return 2;
    }
  return app_option (name, text);
}

using Distances = std::vector<std::int32_t>;
constexpr std::int32_t unknown = -1;

// A thread's finds of a level; lines of their own, as threads append at the
// same time.
struct alignas (128) Finds
{
  std::vector<std::int32_t> vertex;
};

class Search
{
public:
  Search (const sparse &graph, int threads)
    : graph_ (graph), distance_ (new std::atomic<std::int32_t>[graph.rows]),
      finds_ (threads)
  {
  }

  // Returns the number of levels.
  long run (std::int32_t source);

  Distances
  distances () const
  {
    Distances d (graph_.rows);
    for (long v = 0; v < graph_.rows; v++)
      d[v] = distance_[v].load (std::memory_order_relaxed);
    return d;
  }

private:
  // The find of W by the level before LEVEL: true for exactly one caller.
  bool
  claim (std::int32_t w, std::int32_t level)
  {
    std::int32_t seen = distance_[w].load (std::memory_order_relaxed);
    return seen == unknown
	   && distance_[w].compare_exchange_strong (
	     seen, level, std::memory_order_relaxed);
  }

  void
  visit (std::int32_t v, std::int32_t level)
  {
    auto &found = finds_[omp_get_thread_num ()].vertex;
    for (long k = graph_.start[v]; k < graph_.start[v + 1]; k++)
      if (claim (graph_.column[k], level))
	found.push_back (graph_.column[k]);
  }

  void tell_work ();

  const sparse &graph_;
  std::unique_ptr<std::atomic<std::int32_t>[]> distance_;
  std::vector<std::int32_t> frontier_;
  std::vector<Finds> finds_;
  std::vector<unsigned> work_;
};

void
Search::tell_work ()
{
  if (!app_workload)
    return;
  work_.resize (frontier_.size ());
  for (std::size_t i = 0; i < frontier_.size (); i++)
    {
      const std::int32_t v = frontier_[i];
      work_[i] = static_cast<unsigned> (1 + graph_.start[v + 1]
					- graph_.start[v]);
    }
  app_set_workload (work_.data (), static_cast<long> (work_.size ()));
}

long
Search::run (std::int32_t source)
{
  const long n = graph_.rows;
  // Not the loop that is compared: always dealt out evenly.
#pragma omp parallel for schedule(static)
  for (long v = 0; v < n; v++)
    distance_[v].store (unknown, std::memory_order_relaxed);
  distance_[source].store (0, std::memory_order_relaxed);
  frontier_.assign (1, source);
  long levels = 0;
  while (!frontier_.empty ())
    {
      const std::int32_t level = static_cast<std::int32_t> (++levels);
      const long size = static_cast<long> (frontier_.size ());
      tell_work ();
#pragma omp parallel
      {
	// The order within a level does not matter.
	APP_PRAGMA (gomp_amp free)
	APP_LOOP (size)
	for (long i = 0; i < size; i++)
	  visit (frontier_[i], level);
      }
      frontier_.clear ();
      for (Finds &f : finds_)
	{
	  frontier_.insert (frontier_.end (), f.vertex.begin (),
			    f.vertex.end ());
	  f.vertex.clear ();
	}
    }
  return levels;
}

// The reference.
Distances
serial (const sparse &graph, std::int32_t source)
{
  Distances distance (graph.rows, unknown);
  std::vector<std::int32_t> frontier (1, source), next;
  distance[source] = 0;
  for (std::int32_t level = 1; !frontier.empty (); level++)
    {
      for (std::int32_t v : frontier)
	for (long k = graph.start[v]; k < graph.start[v + 1]; k++)
	  if (distance[graph.column[k]] == unknown)
	    {
	      distance[graph.column[k]] = level;
	      next.push_back (graph.column[k]);
	    }
      frontier.swap (next);
      next.clear ();
    }
  return distance;
}

} // namespace

int
main (int argc, char **argv)
{
  const Problem *p
    = BENCH_PROBLEM ("bfs", "SWAB",
		     app_help_with ("      --graph KIND     uniform (default) or"
				    " scale-free\n"),
		     bfs_option);
  const long n = p->vertices;
  sparse graph
    = scale_free ? sparse_scale_free_graph (n, least_edges, exponent, app_seed)
		 : sparse_uniform_graph (n, mean_edges, app_seed);
  const int threads = bench_threads ();
  Search search (graph, threads);
  random_stream draw = random_start (app_seed + 1);

  double seconds = 0;
  long levels = 0, wrong = 0, reached = 0;
  for (int s = 0; s < p->sources; s++)
    {
      const auto source = static_cast<std::int32_t> (random_below (&draw, n));
      const double start = bench_seconds ();
      levels += search.run (source);
      seconds += bench_seconds () - start;

      Distances got = search.distances ();
      const Distances right = serial (graph, source);
      if (app_damage && s == 0)
	got[n / 2]++;
      for (long v = 0; v < n; v++)
	{
	  wrong += got[v] != right[v];
	  reached += right[v] != unknown;
	}
    }

  const sparse_shape shape = sparse_describe (&graph);
  return bench_finish ("bfs", p->klass, seconds, wrong == 0, threads,
		       levels + p->sources,
		       "\"graph\":\"%s\",\"seed\":%llu,\"wrong\":%ld,"
		       "\"vertices\":%ld,\"edges\":%ld,\"reached\":%.4f,"
		       "\"degree_mean\":%.3f,\"degree_most\":%ld,"
		       "\"degree_variance\":%.4g,\"sources\":%d",
		       scale_free ? "scale-free" : "uniform",
		       static_cast<unsigned long long> (app_seed), wrong, n,
		       graph.start[n] / 2,
		       static_cast<double> (reached)
		       / static_cast<double> (n * p->sources),
		       shape.mean, shape.most, shape.variance, p->sources);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Heat in a chip: an explicit five-point stencil with a power map and a sink
// to the surroundings, in the manner of the hotspot benchmarks.  One parallel
// region, one short worksharing loop over rows a time step.
//
// A Jacobi step does not depend on how its rows are dealt out, so the final
// field is the serial one bit for bit; it is verified by a hash of all its bits.
// (The build forbids contraction into fused multiply-adds, which would make
// the bits a matter of the target.)

#include "common/app.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <omp.h>
#include <string>
#include <utility>
#include <vector>

namespace
{

struct Problem
{
  char klass;
  int side;
  int steps;
  std::uint64_t hash; // of the serial run, as --reference computes it
};

constexpr Problem problems[] = {
  { 'T', 128, 40, UINT64_C (0x267a5b0b531d46de) },
  { 'S', 128, 200, UINT64_C (0xf26cf6a61e60c9fe) },
  { 'W', 512, 500, UINT64_C (0x04ae390856b94494) },
  { 'A', 1024, 1200, UINT64_C (0xc2afe0223de19243) },
  { 'B', 1024, 6000, UINT64_C (0xf1f402d14ef3d848) },
};

class Field
{
public:
  explicit Field (int side)
    : side_ (side), cell_ (static_cast<std::size_t> (side) * side)
  {
  }
  double *row (int i) { return &cell_[static_cast<std::size_t> (i) * side_]; }
  const double *
  row (int i) const
  {
    return &cell_[static_cast<std::size_t> (i) * side_];
  }
  // FNV-1a over the 64-bit patterns of the cells.
  std::uint64_t
  hash () const
  {
    std::uint64_t h = UINT64_C (14695981039346656037);
    for (double c : cell_)
      {
	std::uint64_t bits;
	static_assert (sizeof bits == sizeof c, "IEEE double expected");
	std::memcpy (&bits, &c, sizeof bits);
	h = (h ^ bits) * UINT64_C (1099511628211);
      }
    return h;
  }

private:
  int side_;
  std::vector<double> cell_;
};

constexpr double ambient = 80.0;
constexpr double across = 0.1875;  // conduction along a row
constexpr double along = 0.21875;  // conduction between rows
constexpr double sink = 0.0078125; // to the surroundings

// One new cell; the neighbours of a border cell outside are the cell itself.
inline double
cell_step (double c, double n, double s, double w, double e, double power)
{
  return c + along * (n + s - 2 * c) + across * (w + e - 2 * c)
	 + sink * (ambient - c) + power;
}

void
row_step (Field &to, const Field &from, const Field &power, int i, int side)
{
  double *out = to.row (i);
  const double *c = from.row (i);
  const double *n = from.row (i > 0 ? i - 1 : i);
  const double *s = from.row (i + 1 < side ? i + 1 : i);
  const double *pw = power.row (i);
  const int last = side - 1;
  out[0] = cell_step (c[0], n[0], s[0], c[0], c[1], pw[0]);
#pragma omp simd
  for (int j = 1; j < last; j++)
    out[j] = cell_step (c[j], n[j], s[j], c[j - 1], c[j + 1], pw[j]);
  out[last] = cell_step (c[last], n[last], s[last], c[last - 1], c[last],
			 pw[last]);
}

// Every step writes the field that the step before read, so that even a step
// that lost rows leaves traces in the result.

void
run_serial (Field &now, Field &next, const Field &power, const Problem &p)
{
  for (int t = 0; t < p.steps; t++)
    {
      for (int i = 0; i < p.side; i++)
	row_step (next, now, power, i, p.side);
      std::swap (now, next);
    }
}

#ifndef APP_TASKS
void
run_loops (Field &a, Field &b, const Field &power, const Problem &p)
{
#pragma omp parallel
  {
    Field *now = &a, *next = &b;
    for (int t = 0; t < p.steps; t++)
      {
#pragma omp for
	for (int i = 0; i < p.side; i++)
	  row_step (*next, *now, power, i, p.side);
	std::swap (now, next);
      }
  }
}

#else
// The rows of a step in blocks.  As tasks with dependences (-DTASKS) a block waits
// for what it reads, its own and the two beside it of the step before; these
// have also read what it writes.  As a taskloop all wait for all.
void
run_tasks (Field &a, Field &b, const Field &power, const Problem &p)
{
#pragma omp parallel
#pragma omp single
  {
    Field *now = &a, *next = &b;
    const long tasks = app_tasks (p.side);
    for (int t = 0; t < p.steps; t++)
      {
#ifdef TASKLOOP
#pragma omp taskloop num_tasks (tasks)
	for (int i = 0; i < p.side; i++)
	  row_step (*next, *now, power, i, p.side);
#else
	for (long k = 0; k < tasks; k++)
	  {
	    const auto first = [&] (Field *f, long block) {
	      const long row = app_task_begin (p.side, tasks, block);
	      return f->row (static_cast<int> (row));
	    };
	    const double *above = first (now, k > 0 ? k - 1 : k);
	    const double *here = first (now, k);
	    const double *below = first (now, k + 1 < tasks ? k + 1 : k);
	    const double *mine = first (next, k);
#pragma omp task firstprivate (now, next, k) \
  depend (in : *above, *here, *below) depend (out : *mine)
	    for (long i = app_task_begin (p.side, tasks, k);
		 i < app_task_begin (p.side, tasks, k + 1); i++)
	      row_step (*next, *now, power, static_cast<int> (i), p.side);
	  }
#endif
	std::swap (now, next);
      }
  }
}
#endif

void
run_split (Field &a, Field &b, const Field &power, const Problem &p,
	   const bench_options &options)
{
#pragma omp parallel
  {
    Field *now = &a, *next = &b;
    long lo, hi;
    bench_split (&options, omp_get_thread_num (), p.side, &lo, &hi);
    for (int t = 0; t < p.steps; t++)
      {
	for (long i = lo; i < hi; i++)
	  row_step (*next, *now, power, static_cast<int> (i), p.side);
#pragma omp barrier
	std::swap (now, next);
      }
  }
}

// A chip at rest with a few hot units on it, all from integers.
void
initial_state (Field &now, Field &power, int side)
{
  std::uint32_t seed = 12345;
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++)
      {
	seed = seed * 1664525u + 1013904223u;
	now.row (i)[j] = ambient + static_cast<double> (seed >> 24) / 64;
	int unit = (i * 8 / side) * 8 + j * 8 / side;
	power.row (i)[j] = unit * 37 % 11 < 3 ? 0.5 : 0.015625;
      }
}

bool serial_reference = false;

extern "C" int
stencil_option (const char *name, const char *value)
{
  if (std::strcmp (name, "--reference") != 0)
    return app_task_option (name, value);
  serial_reference = true;
  return 1;
}

} // namespace

int
main (int argc, char **argv)
{
  bench_options options;
  const std::string help
    = std::string ("      --reference      compute serially and compare with the"
		   " stored hash\n")
      + app_task_help;
  bench_parse (argc, argv, "stencil", "SWABT", true, help.c_str (),
	       stencil_option, &options);
  const Problem *p = problems;
  while (p->klass != options.klass)
    p++;
  const int threads = serial_reference ? 1 : bench_threads ();
  if (!serial_reference && options.nsplit && options.nsplit != threads)
    {
      std::fprintf (stderr, "stencil: %d weights for %d threads\n",
		    options.nsplit, threads);
      return 2;
    }

  Field a (p->side), b (p->side), power (p->side);
  initial_state (a, power, p->side);

  const double start = bench_seconds ();
  if (serial_reference)
    run_serial (a, b, power, *p);
  else if (options.nsplit)
    run_split (a, b, power, *p, options);
#ifdef APP_TASKS
  else
    run_tasks (a, b, power, *p);
#else
  else
    run_loops (a, b, power, *p);
#endif
  const double seconds = bench_seconds () - start;

  // run_serial swaps the fields themselves, the others pointers to them.
  const Field &result = serial_reference || p->steps % 2 == 0 ? a : b;
  const std::uint64_t hash = result.hash ();
  return bench_finish ("stencil", p->klass, seconds, hash == p->hash, threads,
		       p->steps, "\"hash\":\"%016llx\"",
		       static_cast<unsigned long long> (hash));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat in a block of mixed material, by implicit steps: the equations of each
   step, sparse, symmetric and positive definite, are solved by 25 iterations
   of the conjugate gradient method with the diagonal as preconditioner
   (Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1).  The
   cells of the last fifth have wires to cells far away, so that their rows
   are some four times as long as the others'.

   Written as such programs are: one parallel region a step, and loops without
   a schedule clause that end with nowait wherever the next one reads only what
   the same iteration has written, which is the same thread's under static.
   So what is verified, each d and rho, changes when a thread runs another
   thread's iterations of such a loop before that has written them.  */

#include "common/app.h"
#include "common/random.h"

#include <math.h>
#include <stdlib.h>

enum { ITERATIONS = 25, WIRES = 10 };

/* Relative, of each d and rho.  They differ from the serial run's by the
   order of sums only.  */
#define TOLERANCE 1e-8

static const struct problem
{
  char klass;
  int side, steps;
} problems[] = {
  { 'S', 14, 50 },
  { 'W', 24, 120 },
  { 'A', 36, 200 },
  { 'B', 56, 200 },
};

/* The matrix by rows, without its diagonal.  */
static long n;
static long *row_start;
static int *column;
static double *value;
static double *diagonal, *inverse;

/* What a cell keeps of its old temperature, and what is put into it.  */
static double *capacity, *source;

struct state
{
  double *x, *b, *r, *z, *p, *q;
};

/* The d and rho of an iteration.  */
struct sums
{
  double d, rho;
};

struct edge
{
  int a, b;
  double conductance;
};

/* Number K of all; conductances spread over two decades.  */

static struct edge
make_edge (long k, int a, int b)
{
  double u = random_fraction (random_at (app_seed, k));
  return (struct edge) { a, b, pow (10, 2 * u - 2) };
}

static void
make_matrix (int side)
{
  long most = 3 * n + (n / 5 + 1) * WIRES, edges = 0;
  struct edge *edge = app_allocate (most, sizeof *edge);
  for (long i = 0; i < n; i++)
    {
      int x = (int) (i % side), y = (int) (i / side % side);
      int z = (int) (i / side / side);
      if (x + 1 < side)
	edge[edges] = make_edge (edges, i, i + 1), edges++;
      if (y + 1 < side)
	edge[edges] = make_edge (edges, i, i + side), edges++;
      if (z + 1 < side)
	edge[edges] = make_edge (edges, i, i + (long) side * side), edges++;
    }
  long first = n - n / 5;
  for (long i = first; i < n; i++)
    for (int k = 0; k < WIRES; k++)
      {
	long other = first + random_at (~app_seed, i * WIRES + k) % (n - first);
	if (other != i)
	  edge[edges] = make_edge (edges, i, other), edges++;
      }

  row_start = app_allocate (n + 1, sizeof *row_start);
  column = app_allocate (2 * edges, sizeof *column);
  value = app_allocate (2 * edges, sizeof *value);
  diagonal = app_allocate (n, sizeof *diagonal);
  inverse = app_allocate (n, sizeof *inverse);
  capacity = app_allocate (n, sizeof *capacity);
  source = app_allocate (n, sizeof *source);
  for (long e = 0; e < edges; e++)
    {
      row_start[edge[e].a + 1]++;
      row_start[edge[e].b + 1]++;
    }
  for (long i = 0; i < n; i++)
    row_start[i + 1] += row_start[i];
  long *fill = app_allocate (n, sizeof *fill);
  for (long e = 0; e < edges; e++)
    for (int end = 0; end < 2; end++)
      {
	int here = end ? edge[e].b : edge[e].a;
	int there = end ? edge[e].a : edge[e].b;
	long at = row_start[here] + fill[here]++;
	column[at] = there;
	value[at] = -edge[e].conductance;
	diagonal[here] += edge[e].conductance;
      }
  for (long i = 0; i < n; i++)
    {
      capacity[i] = 0.02 + 0.02 * random_fraction (random_at (app_seed, -i - 1));
      diagonal[i] += capacity[i];
      inverse[i] = 1 / diagonal[i];
      source[i] = random_at (app_seed, -n - i - 1) % 16 == 0 ? capacity[i] : 0;
    }
  free (edge);
  free (fill);
}

static void
make_state (struct state *s)
{
  double **vector[] = { &s->x, &s->b, &s->r, &s->z, &s->p, &s->q };
  for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
    *vector[k] = app_allocate (n, sizeof **vector[k]);
  for (long i = 0; i < n; i++)
    s->x[i] = 20;
}

static inline double
row_times (long i, const double *restrict v)
{
  double sum = diagonal[i] * v[i];
  for (long k = row_start[i]; k < row_start[i + 1]; k++)
    sum += value[k] * v[column[k]];
  return sum;
}

/* The heaters are on in every other step, so that a step always has something
   to solve.  */

static double
heating (int step)
{
  return step % 2 ? 0.25 : 4;
}

/* One step with HEAT times the sources.  D and RHO are zeroed by one thread
   between two barriers between which no thread reads or adds to them.  Returns
   how many loops it ran.  */

static long
solve (struct state *s, double heat, struct sums *seen)
{
  double *x = s->x, *b = s->b, *r = s->r, *z = s->z, *p = s->p, *q = s->q;
  double d = 0, rho = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (long i = 0; i < n; i++)
      b[i] = capacity[i] * x[i] + heat * source[i];
#pragma omp for nowait
    for (long i = 0; i < n; i++)
      r[i] = b[i] - row_times (i, x);
#pragma omp for nowait
    for (long i = 0; i < n; i++)
      z[i] = inverse[i] * r[i];
#pragma omp for reduction (+ : rho)
    for (long i = 0; i < n; i++)
      rho += r[i] * z[i];
    double before = rho;
#pragma omp for
    for (long i = 0; i < n; i++)
      p[i] = z[i];
    for (int k = 0; k < ITERATIONS; k++)
      {
#pragma omp single nowait
	rho = 0;
#pragma omp for nowait
	for (long i = 0; i < n; i++)
	  q[i] = row_times (i, p);
#pragma omp for reduction (+ : d)
	for (long i = 0; i < n; i++)
	  d += p[i] * q[i];
	double alpha = before / d;
#pragma omp for nowait
	for (long i = 0; i < n; i++)
	  x[i] += alpha * p[i];
#pragma omp for nowait
	for (long i = 0; i < n; i++)
	  r[i] -= alpha * q[i];
#pragma omp for nowait
	for (long i = 0; i < n; i++)
	  z[i] = inverse[i] * r[i];
#pragma omp for reduction (+ : rho)
	for (long i = 0; i < n; i++)
	  rho += r[i] * z[i];
#pragma omp single nowait
	{
	  seen[k] = (struct sums) { d, rho };
	  d = 0;
	}
	double now = rho, beta = now / before;
	before = now;
#pragma omp for
	for (long i = 0; i < n; i++)
	  p[i] = z[i] + beta * p[i];
      }
  }
  return 5 + 7 * ITERATIONS;
}

static void
serial_solve (struct state *s, double heat, struct sums *seen)
{
  double rho = 0;
  for (long i = 0; i < n; i++)
    {
      s->b[i] = capacity[i] * s->x[i] + heat * source[i];
      s->r[i] = s->b[i] - row_times (i, s->x);
      s->p[i] = s->z[i] = inverse[i] * s->r[i];
      rho += s->r[i] * s->z[i];
    }
  for (int k = 0; k < ITERATIONS; k++)
    {
      double before = rho, d = 0;
      for (long i = 0; i < n; i++)
	{
	  s->q[i] = row_times (i, s->p);
	  d += s->p[i] * s->q[i];
	}
      rho = 0;
      for (long i = 0; i < n; i++)
	{
	  s->x[i] += before / d * s->p[i];
	  s->r[i] -= before / d * s->q[i];
	  s->z[i] = inverse[i] * s->r[i];
	  rho += s->r[i] * s->z[i];
	}
      for (long i = 0; i < n; i++)
	s->p[i] = s->z[i] + rho / before * s->p[i];
      seen[k] = (struct sums) { d, rho };
    }
}

/* By how much A and B differ, relative to B; infinite where either is none.  */

static double
difference (double a, double b)
{
  double d = fabs (a - b) / fabs (b);
  return d == d ? d : INFINITY;
}

int
main (int argc, char **argv)
{
  const struct problem *prob = BENCH_PROBLEM ("pcg", "SWAB", app_seed_help,
					      app_seed_option);
  n = (long) prob->side * prob->side * prob->side;
  make_matrix (prob->side);
  struct state parallel, serial;
  make_state (&parallel);
  make_state (&serial);
  long sums = (long) prob->steps * ITERATIONS, loops = 0;
  struct sums *seen = app_allocate (sums, sizeof *seen);
  struct sums *right = app_allocate (sums, sizeof *right);
  int threads = bench_threads ();

  double start = bench_seconds ();
  for (int k = 0; k < prob->steps; k++)
    loops += solve (&parallel, heating (k), seen + (long) k * ITERATIONS);
  double seconds = bench_seconds () - start;

  for (int k = 0; k < prob->steps; k++)
    serial_solve (&serial, heating (k), right + (long) k * ITERATIONS);
  if (app_damage)
    parallel.x[n / 2] *= 1 + 0x1p-20;
  double error = 0, heat = 0;
  for (long k = 0; k < sums; k++)
    error = fmax (error, fmax (difference (seen[k].d, right[k].d),
			       difference (seen[k].rho, right[k].rho)));
  for (long i = 0; i < n; i++)
    {
      error = fmax (error, difference (parallel.x[i], serial.x[i]));
      heat += capacity[i] * serial.x[i];
    }
  /* What the last step left of its right-hand side.  */
  double left = 0, whole = 0;
  for (long i = 0; i < n; i++)
    {
      double rest = parallel.b[i] - row_times (i, parallel.x);
      left += rest * rest;
      whole += parallel.b[i] * parallel.b[i];
    }
  double residual = sqrt (left / whole);

  return bench_finish ("pcg", prob->klass, seconds,
		       error < TOLERANCE && residual < 1e-3, threads, loops,
		       "\"seed\":%llu,\"error\":%.3g,"
		       "\"rows\":%ld,\"entries\":%ld,\"residual\":%.3g,\"heat\":%.9g",
		       (unsigned long long) app_seed,
		       isinf (error) ? 1e9 : error, n, row_start[n], residual,
		       heat);
}

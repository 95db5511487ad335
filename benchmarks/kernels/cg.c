/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPB CG, written from its specification (NAS technical report RNR-94-007,
   section 2.3.4, with the class parameters and published zeta of the later
   NPB reports): the inverse power method for the smallest eigenvalue of a
   sparse random symmetric matrix, each step solved by 25 iterations of the
   conjugate gradient method.

   All loops are worksharing loops without a schedule clause in one parallel
   region a conjugate gradient call.  No loop assumes that it maps iterations
   to threads as another did: a barrier stands between any two.  */

#include "common/bench.h"
#include "common/npb.h"

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define RCOND 0.1
#define CG_ITERATIONS 25
#define TOLERANCE 1e-10

static const struct problem
{
  char klass;
  int n, nonzer, niter;
  double shift, zeta;
} problems[] = {
  { 'S', 1400, 7, 15, 10.0, 8.5971775078648 },
  { 'W', 7000, 8, 15, 12.0, 10.362595087124 },
  { 'A', 14000, 11, 15, 20.0, 17.130235054029 },
};

static int n;
static long *row_start;
static int *column;
static double *value;
static double *x, *z, *p, *q, *r;

static struct bench_options options;
static int threads;
static long loops;

static void *
allocate (size_t count, size_t size)
{
  void *m = calloc (count, size);
  if (!m)
    {
      fputs ("cg: out of memory\n", stderr);
      exit (2);
    }
  return m;
}

static uint64_t seed = NPB_SEED;

/* One sparse random vector: distinct positions, in order of their drawing.  */

struct sparse_vector
{
  int count;
  int position[32];
  double element[32];
};

static bool
has_position (const struct sparse_vector *v, int i)
{
  for (int k = 0; k < v->count; k++)
    if (v->position[k] == i)
      return true;
  return false;
}

/* Draw NONZER positions below the order of the matrix (positions are drawn
   below the next power of two, and rejected when too large or taken), then
   force element DIAGONAL to one half.  */

static void
draw_vector (struct sparse_vector *v, int nonzer, int diagonal)
{
  int power = 1;
  while (power < n)
    power *= 2;
  v->count = 0;
  while (v->count < nonzer)
    {
      double e = npb_next (&seed);
      int i = (int) (power * npb_next (&seed));
      if (i >= n || has_position (v, i))
	continue;
      v->position[v->count] = i;
      v->element[v->count++] = e;
    }
  for (int k = 0; k < v->count; k++)
    if (v->position[k] == diagonal)
      {
	v->element[k] = 0.5;
	return;
      }
  v->position[v->count] = diagonal;
  v->element[v->count++] = 0.5;
}

struct entry
{
  int column, order;
  double value;
};

/* By column; contributions to one element stay in the order of their making,
   so that the sums do not depend on the sort.  */

static int
compare_entries (const void *a, const void *b)
{
  const struct entry *ea = a, *eb = b;
  if (ea->column != eb->column)
    return ea->column < eb->column ? -1 : 1;
  return (ea->order > eb->order) - (ea->order < eb->order);
}

/* A = sum over i of w_i v_i v_i^T + (RCOND - shift) I, with w_i falling
   geometrically from 1 towards RCOND.  */

static void
make_matrix (const struct problem *prob)
{
  struct sparse_vector *vectors = allocate (n, sizeof *vectors);
  long *first = allocate (n + 1, sizeof *first);
  for (int i = 0; i < n; i++)
    {
      draw_vector (&vectors[i], prob->nonzer, i);
      for (int k = 0; k < vectors[i].count; k++)
	first[vectors[i].position[k] + 1] += vectors[i].count;
    }
  for (int i = 0; i < n; i++)
    first[i + 1] += first[i];

  struct entry *entries = allocate (first[n], sizeof *entries);
  long *fill = allocate (n, sizeof *fill);
  double weight = 1, ratio = pow (RCOND, 1.0 / n);
  for (int i = 0; i < n; i++)
    {
      const struct sparse_vector *v = &vectors[i];
      for (int a = 0; a < v->count; a++)
	{
	  int row = v->position[a];
	  for (int b = 0; b < v->count; b++)
	    {
	      struct entry *e = &entries[first[row] + fill[row]];
	      e->order = (int) fill[row]++;
	      e->column = v->position[b];
	      e->value = weight * v->element[b] * v->element[a];
	      if (row == i && e->column == i)
		e->value += RCOND - prob->shift;
	    }
	}
      weight *= ratio;
    }

  row_start = allocate (n + 1, sizeof *row_start);
  column = allocate (first[n], sizeof *column);
  value = allocate (first[n], sizeof *value);
  long used = 0;
  for (int i = 0; i < n; i++)
    {
      qsort (entries + first[i], first[i + 1] - first[i], sizeof *entries,
	     compare_entries);
      row_start[i] = used;
      for (long k = first[i]; k < first[i + 1]; k++)
	if (used > row_start[i] && column[used - 1] == entries[k].column)
	  value[used - 1] += entries[k].value;
	else
	  {
	    column[used] = entries[k].column;
	    value[used++] = entries[k].value;
	  }
    }
  row_start[n] = used;
  free (vectors);
  free (first);
  free (entries);
  free (fill);
}

static inline double
row_times (int i, const double *restrict v)
{
  double sum = 0;
  for (long k = row_start[i]; k < row_start[i + 1]; k++)
    sum += value[k] * v[column[k]];
  return sum;
}

/* Both solvers do z = A^-1 x approximately, and return ||x - A z||.

   D and RHO are shared sums.  Each is zeroed by one thread in a phase in which
   no thread reads or adds to it; barriers (those of the loops) separate the
   phases.  */

static double
solve (void)
{
  double rho = 0, d = 0, rest = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      {
	q[i] = 0;
	z[i] = 0;
	r[i] = x[i];
	p[i] = x[i];
      }
#pragma omp for reduction (+ : rho)
    for (int i = 0; i < n; i++)
      rho += r[i] * r[i];
    for (int it = 0; it < CG_ITERATIONS; it++)
      {
	double rho0 = rho;
#pragma omp for
	for (int i = 0; i < n; i++)
	  q[i] = row_times (i, p);
	/* Here every thread has read RHO, and none adds before the next
	   loop's barrier.  */
#pragma omp master
	rho = 0;
#pragma omp for reduction (+ : d)
	for (int i = 0; i < n; i++)
	  d += p[i] * q[i];
	double alpha = rho0 / d;
#pragma omp for reduction (+ : rho)
	for (int i = 0; i < n; i++)
	  {
	    z[i] += alpha * p[i];
	    r[i] -= alpha * q[i];
	    rho += r[i] * r[i];
	  }
	/* Every thread has read D; the next to add does so two barriers
	   from here.  */
#pragma omp master
	d = 0;
	double beta = rho / rho0;
#pragma omp for
	for (int i = 0; i < n; i++)
	  p[i] = r[i] + beta * p[i];
      }
#pragma omp for
    for (int i = 0; i < n; i++)
      r[i] = row_times (i, z);
#pragma omp for reduction (+ : rest)
    for (int i = 0; i < n; i++)
      rest += (x[i] - r[i]) * (x[i] - r[i]);
  }
  loops += 4 + 4 * CG_ITERATIONS;
  return sqrt (rest);
}

static inline void
add_partial (double *sum, double partial)
{
#pragma omp atomic
  *sum += partial;
#pragma omp barrier
}

static double
solve_split (void)
{
  double rho = 0, d = 0, rest = 0;
#pragma omp parallel
  {
    long lo, hi;
    bench_split (&options, omp_get_thread_num (), n, &lo, &hi);
    for (long i = lo; i < hi; i++)
      {
	q[i] = 0;
	z[i] = 0;
	r[i] = x[i];
	p[i] = x[i];
      }
#pragma omp barrier
    double part = 0;
    for (long i = lo; i < hi; i++)
      part += r[i] * r[i];
    add_partial (&rho, part);
    for (int it = 0; it < CG_ITERATIONS; it++)
      {
	double rho0 = rho;
	for (long i = lo; i < hi; i++)
	  q[i] = row_times ((int) i, p);
#pragma omp barrier
#pragma omp master
	rho = 0;
	part = 0;
	for (long i = lo; i < hi; i++)
	  part += p[i] * q[i];
	add_partial (&d, part);
	double alpha = rho0 / d;
	part = 0;
	for (long i = lo; i < hi; i++)
	  {
	    z[i] += alpha * p[i];
	    r[i] -= alpha * q[i];
	    part += r[i] * r[i];
	  }
	add_partial (&rho, part);
#pragma omp master
	d = 0;
	double beta = rho / rho0;
	for (long i = lo; i < hi; i++)
	  p[i] = r[i] + beta * p[i];
#pragma omp barrier
      }
    for (long i = lo; i < hi; i++)
      r[i] = row_times ((int) i, z);
#pragma omp barrier
    part = 0;
    for (long i = lo; i < hi; i++)
      part += (x[i] - r[i]) * (x[i] - r[i]);
    add_partial (&rest, part);
  }
  loops += 4 + 4 * CG_ITERATIONS;
  return sqrt (rest);
}

/* One step of the inverse power method; *ZETA is its estimate.  */

static double
outer_step (double shift, double *zeta)
{
  double norm = options.nsplit ? solve_split () : solve ();
  double xz = 0, zz = 0;
  if (options.nsplit)
    {
#pragma omp parallel reduction (+ : xz, zz)
      {
	long lo, hi;
	bench_split (&options, omp_get_thread_num (), n, &lo, &hi);
	for (long i = lo; i < hi; i++)
	  {
	    xz += x[i] * z[i];
	    zz += z[i] * z[i];
	  }
      }
    }
  else
    {
#pragma omp parallel for reduction (+ : xz, zz)
      for (int i = 0; i < n; i++)
	{
	  xz += x[i] * z[i];
	  zz += z[i] * z[i];
	}
    }
  *zeta = shift + 1 / xz;
  double scale = 1 / sqrt (zz);
  if (options.nsplit)
    {
#pragma omp parallel
      {
	long lo, hi;
	bench_split (&options, omp_get_thread_num (), n, &lo, &hi);
	for (long i = lo; i < hi; i++)
	  x[i] = scale * z[i];
      }
    }
  else
    {
#pragma omp parallel for
      for (int i = 0; i < n; i++)
	x[i] = scale * z[i];
    }
  loops += 2;
  return norm;
}

static void
start_vector (void)
{
  for (int i = 0; i < n; i++)
    x[i] = 1;
}

int
main (int argc, char **argv)
{
  bench_parse (argc, argv, "cg", "SWA", true, NULL, NULL, &options);
  const struct problem *prob = problems;
  while (prob->klass != options.klass)
    prob++;
  n = prob->n;
  threads = bench_threads ();
  if (options.nsplit && options.nsplit != threads)
    {
      fprintf (stderr, "cg: %d weights for %d threads\n", options.nsplit,
	       threads);
      return 2;
    }
  x = allocate (n, sizeof *x);
  z = allocate (n, sizeof *z);
  p = allocate (n, sizeof *p);
  q = allocate (n, sizeof *q);
  r = allocate (n, sizeof *r);

  /* The specification spends one number before the matrix.  */
  npb_next (&seed);
  make_matrix (prob);

  /* The untimed step that NPB prescribes.  */
  double zeta, norm = 0;
  start_vector ();
  outer_step (prob->shift, &zeta);
  start_vector ();
  loops = 0;

  double start = bench_seconds ();
  for (int it = 0; it < prob->niter; it++)
    norm = outer_step (prob->shift, &zeta);
  double seconds = bench_seconds () - start;

  /* Written so that a NaN fails.  */
  bool verified = fabs (zeta - prob->zeta) <= TOLERANCE * prob->zeta;
  char detail[160], klass[2] = { prob->klass, 0 };
  snprintf (detail, sizeof detail,
	    "\"zeta\":%.13f,\"residual\":%.3e,\"nonzeros\":%ld", zeta,
	    isfinite (norm) ? norm : -1.0, row_start[n]);
  if (!isfinite (zeta))
    snprintf (detail, sizeof detail, "\"zeta\":null");
  return bench_report ("cg", klass, seconds, verified, threads, loops,
		       detail);
}

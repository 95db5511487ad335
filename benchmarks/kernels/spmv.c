/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse matrix times vector, y = A x + y / 2, several times over, one row an
   iteration: the spmv of the iCh paper (section 5.1), on generated matrices
   with the structure of those in its table 1, or on a user's.

   A row's sum has a fixed order, so the result does not depend on who computes
   which row, and is verified bit for bit against a serial one.  */

#include "common/app.h"
#include "common/sparse.h"

#include <string.h>

/* Rows, and how often; the structures with shorter rows have more of them.  */
static const struct problem
{
  char klass;
  long rows, repeat;
} problems[] = {
  { 'S', 40000, 100 },
  { 'W', 200000, 100 },
  { 'A', 1000000, 100 },
  { 'B', 4000000, 100 },
};

static long
rows_of (const struct problem *p, const char *structure)
{
  if (!strcmp (structure, "circuit"))
    return p->rows;
  return !strcmp (structure, "web") ? p->rows / 4 : 2 * p->rows;
}

static const char *structure = "circuit";

static int
option (const char *name, const char *text)
{
  if (!strcmp (name, "--structure"))
    {
      for (int s = 0; text && sparse_structures[s]; s++)
	if (!strcmp (text, sparse_structures[s]))
	  {
	    structure = sparse_structures[s];
	    return 2;
	  }
      return -1;
    }
  return app_option (name, text);
}

static inline double
row_times (const struct sparse *a, long i, const double *restrict x)
{
  double sum = 0;
  for (long k = a->start[i]; k < a->start[i + 1]; k++)
    sum += a->value[k] * x[a->column[k]];
  return sum;
}

/* What REPEAT multiplications leave in y[I], by the same operations.  */

static double
expected (const struct sparse *a, long i, const double *x, long repeat)
{
  double sum = row_times (a, i, x), y = 0;
  for (long t = 0; t < repeat; t++)
    y = sum + 0.5 * y;
  return y;
}

static const char help[]
  = "      --structure NAME circuit (default), web, road, kmer or mesh\n";

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("spmv", "SWAB",
					   app_help_with (help), option);
  long repeat = p->repeat;
  struct sparse a = sparse_generate (structure, rows_of (p, structure),
				     app_seed);

  const long n = a.rows;
  double *x = app_allocate (a.columns, sizeof *x);
  double *y = app_allocate (n, sizeof *y);
  for (long j = 0; j < a.columns; j++)
    x[j] = 1 + (double) (j % 1024) / 1024;
  unsigned *work = NULL;
  if (app_workload)
    {
      work = app_allocate (n, sizeof *work);
      for (long i = 0; i < n; i++)
	work[i] = (unsigned) (1 + a.start[i + 1] - a.start[i]);
    }
  app_set_workload (work, n);
  int threads = bench_threads ();

  double start = bench_seconds ();
  for (long t = 0; t < repeat; t++)
    {
#pragma omp parallel
      {
	APP_LOOP (n)
	for (long i = 0; i < n; i++)
	  y[i] = row_times (&a, i, x) + 0.5 * y[i];
      }
    }
  double seconds = bench_seconds () - start;

  if (app_damage)
    {
      unsigned char *byte = (unsigned char *) &y[n / 2];
      byte[0] ^= 1;
    }
  long wrong = 0;
  for (long i = 0; i < n; i++)
    {
      double right = expected (&a, i, x, repeat);
      wrong += memcmp (&y[i], &right, sizeof right) != 0;
    }
  struct sparse_shape s = sparse_describe (&a);
  return bench_finish ("spmv", p->klass, seconds, wrong == 0,
		       threads, repeat,
		       "\"structure\":\"%s\",\"seed\":%llu,\"wrong\":%ld,\"rows\":%ld,"
		       "\"nonzeros\":%ld,\"row_mean\":%.3f,\"row_least\":%ld,"
		       "\"row_most\":%ld,\"row_variance\":%.4g,\"repeat\":%ld",
		       structure, (unsigned long long) app_seed, wrong, n,
		       a.start[n], s.mean, s.least, s.most, s.variance, repeat);
}

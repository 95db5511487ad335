/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See rows.h.  */

#define _GNU_SOURCE
#include "rows.h"
#include "lcg.h"

#include <float.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __has_include && __has_include (<sys/rseq.h>)
# include <sys/rseq.h>
#endif

/* What a row is computed from stays in a core's own cache however long the row
   is: a body that is repeated must not be faster the second time.  */
enum { MATRIX = 2048, WIDTH = 64, DIMENSIONS = 4 };

enum { MOST_CPUS = 4096, ONE = 256, LEAST_ROWS = ROWS_LEAST };

/* How often an iteration is run on each CPU, in parts of ONE.  */
static uint16_t repeats[MOST_CPUS];

double
rows_slow (void)
{
  for (int i = 0; i < MOST_CPUS; i++)
    repeats[i] = ONE;
  const char *text = getenv ("AMP_BENCH_SLOW");
  if (!text || !*text)
    return 1;
  const char *equals = strchr (text, '=');
  char *end = NULL;
  double ratio = equals ? strtod (equals + 1, &end) : 0;
  bool good = equals && equals > text && !*end && ratio >= 1 && ratio <= 100;
  for (const char *p = text; good && p < equals; )
    {
      long from = strtol (p, &end, 10), to = from;
      good = end > p;
      if (good && *end == '-')
	{
	  p = end + 1;
	  to = strtol (p, &end, 10);
	  good = end > p;
	}
      good = good && from >= 0 && to < MOST_CPUS && from <= to
	     && (*end == ',' || end == equals);
      for (long c = from; good && c <= to; c++)
	repeats[c] = (uint16_t) (ratio * ONE + 0.5);
      p = end + (*end == ',');
    }
  if (!good)
    {
      fprintf (stderr, "AMP_BENCH_SLOW=%s: should be CPUS=RATIO, as 2,4-7=3\n",
	       text);
      exit (2);
    }
  return ratio;
}

/* The CPU this thread runs on, by the cheapest way there is.  */
static inline unsigned
cpu (void)
{
#ifdef RSEQ_SIG
  const struct rseq *r
    = (const struct rseq *) ((const char *) __builtin_thread_pointer ()
			     + __rseq_offset);
  int c = *(const volatile int *) &r->cpu_id;
  if (__rseq_size && c >= 0)
    return c;
#endif
  int known = sched_getcpu ();
  return known < 0 ? 0 : known;
}

/* How often iteration I is to be run here.  Which ones are run once more than
   others follows the multiples of the golden ratio: the right part of any row
   of iterations, but without a period, in step with which a schedule could give
   a slow CPU the cheaper ones only (dynamic,1 did so at a ratio of 1.5).  */
static inline long
times (long i)
{
  unsigned c = cpu ();
  unsigned r = repeats[c < MOST_CPUS ? c : 0];
  uint32_t turn = (uint32_t) i * UINT32_C (0x9e3779b1);
  return r / ONE + (turn >> 24 < r % ONE);
}

/* Have the compiler do again what it has just done.  */
#define AGAIN() __asm__ volatile ("" ::: "memory")

/* Behind a body: has it been run DONE times too few?  Asked once a run, so that
   asking, too, takes longer on a slow CPU.  */
#define MORE(done, i) ({ AGAIN (); ++(done) < times (i); })

void
rows_arith (const struct rows *r, long i)
{
  long done = 0;
  do
    r->out[i] = (double) (lcg_work (i + 1, r->work) >> 12) + r->in[i] * 0.5;
  while (MORE (done, i));
}

void
rows_matvec (const struct rows *r, long i)
{
  long done = 0;
  do
    {
      double sum = 0;
      for (long k = 0, at = i * r->work; k < r->work; k++)
	sum += r->matrix[(at + k) & (MATRIX - 1)] * r->in[k & (LEAST_ROWS - 1)];
      r->out[i] = sum;
    }
  while (MORE (done, i));
}

void
rows_spmv (const struct rows *r, long i)
{
  long done = 0;
  do
    {
      double sum = 0;
      for (long k = 0, at = i * r->work; k < r->work; k++)
	sum += r->matrix[(at + k) & (MATRIX - 1)]
	       * r->in[r->column[(at + k) & (MATRIX - 1)]];
      r->out[i] = sum;
    }
  while (MORE (done, i));
}

/* A row has WIDTH cells and a margin; the last of the sweeps over it may be
   part of one.  */
void
rows_stencil (const struct rows *r, long i)
{
  enum { STEP = WIDTH + 2 };
  const double *mid = r->in + i * STEP + 1;
  const double *up = r->in + (i ? i - 1 : r->n - 1) * STEP + 1;
  const double *down = r->in + (i + 1 < r->n ? i + 1 : 0) * STEP + 1;
  double *to = r->out + i * STEP + 1;
  long done = 0;
  do
    for (long k = r->work; k > 0; k -= WIDTH)
      {
	for (long c = 0; c < (k < WIDTH ? k : WIDTH); c++)
	  to[c] = 0.6 * mid[c] + 0.1 * (up[c] + down[c] + mid[c - 1]
					+ mid[c + 1]);
	AGAIN ();
      }
  while (MORE (done, i));
}

/* The square of the least distance of point I to WORK centres.  */
void
rows_distance (const struct rows *r, long i)
{
  const double *point = r->matrix + (i * DIMENSIONS & (MATRIX - 1));
  long done = 0;
  do
    {
      double least = DBL_MAX;
      for (long k = 1; k <= r->work; k++)
	{
	  const double *centre
	    = r->matrix + (k * DIMENSIONS & (MATRIX - 1));
	  double square = 0;
	  for (int d = 0; d < DIMENSIONS; d++)
	    square += (point[d] - centre[d]) * (point[d] - centre[d]);
	  least = square < least ? square : least;
	}
      r->out[i] = least + 0.5 * r->in[i];
    }
  while (MORE (done, i));
}

static const struct
{
  const char *name;
  rows_body *body;
} kinds[] = {
  { "arith", rows_arith }, { "matvec", rows_matvec },
  { "stencil", rows_stencil }, { "spmv", rows_spmv },
  { "distance", rows_distance },
};

rows_body *
rows_find (const char *kind)
{
  for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strcmp (kinds[k].name, kind) == 0)
      return kinds[k].body;
  return NULL;
}

bool
rows_make (struct rows *r, const char *kind, long n, long work)
{
  *r = (struct rows) { .n = n, .work = work };
  r->cells = rows_find (kind) == rows_stencil ? n * (WIDTH + 2) : n;
  r->in = malloc (r->cells * sizeof *r->in);
  r->out = calloc (r->cells, sizeof *r->out);
  r->matrix = malloc (MATRIX * sizeof *r->matrix);
  r->column = malloc (MATRIX * sizeof *r->column);
  if (!r->in || !r->out || !r->matrix || !r->column)
    {
      rows_free (r);
      return false;
    }
  uint64_t state = 1;
  for (long i = 0; i < r->cells; i++)
    {
      state = lcg_work (state, 3);
      r->in[i] = (double) (state >> 40) / (1 << 24);
    }
  for (long i = 0; i < MATRIX; i++)
    {
      state = lcg_work (state, 3);
      r->matrix[i] = (double) (state >> 40) / (1 << 24) / work;
      r->column[i] = (state >> 20) % n;
    }
  return true;
}

void
rows_free (struct rows *r)
{
  free (r->in);
  free (r->out);
  free (r->matrix);
  free (r->column);
  *r = (struct rows) { 0 };
}

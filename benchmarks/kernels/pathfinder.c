/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cheapest way over a grid from its first row to its last, by dynamic
   programming, on the theme of Rodinia's pathfinder: from a cell one goes to
   one of the three nearest of the next row.

   One parallel loop a row, a column an iteration: iterations of about a
   nanosecond, in loops of 10 to 400 us.  The costs are integers; those of all
   columns of the last row are compared with a serial run, which goes the
   grid backwards: the cheapest way from each row to the last must cost as much
   as the other finds.  */

#include "common/app.h"
#include "common/random.h"

#include <stdint.h>

/* The grid has STEPS rows; row S is kept row S mod ROWS.  */
static const struct problem
{
  char klass;
  long columns;
  int rows, steps;
} problems[] = {
  { 'S', 20000, 100, 300 },
  { 'W', 100000, 100, 1000 },
  { 'A', 100000, 100, 8000 },
  { 'B', 400000, 100, 10000 },
};

static long columns;
static uint8_t *wall;

static inline int32_t
least (int32_t a, int32_t b)
{
  return a < b ? a : b;
}

/* The least of column J and its neighbours.  */

static inline int32_t
least_near (const int32_t *from, long j)
{
  int32_t best = from[j];
  if (j > 0)
    best = least (best, from[j - 1]);
  if (j < columns - 1)
    best = least (best, from[j + 1]);
  return best;
}

static void
swap (int32_t **a, int32_t **b)
{
  int32_t *t = *a;
  *a = *b;
  *b = t;
}

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("pathfinder", "SWAB", app_seed_help,
					   app_seed_option);
  columns = p->columns;
  wall = app_allocate (columns * p->rows, sizeof *wall);
  for (long i = 0; i < columns * p->rows; i++)
    wall[i] = random_at (app_seed, i) % 10;
  int32_t *now = app_allocate (columns, sizeof *now);
  int32_t *next = app_allocate (columns, sizeof *next);
  int32_t *serial = app_allocate (columns, sizeof *serial);
  int32_t *back = app_allocate (columns, sizeof *back);
  for (long j = 0; j < columns; j++)
    now[j] = serial[j] = wall[j];
  int threads = bench_threads ();

  double start = bench_seconds ();
  for (int step = 1; step < p->steps; step++)
    {
      const uint8_t *row = wall + step % p->rows * columns;
#pragma omp parallel for
      for (long j = 0; j < columns; j++)
	next[j] = row[j] + least_near (now, j);
      swap (&now, &next);
    }
  double seconds = bench_seconds () - start;

  /* NEXT is free now.  */
  for (int step = 1; step < p->steps; step++)
    {
      const uint8_t *row = wall + step % p->rows * columns;
      for (long j = 0; j < columns; j++)
	next[j] = row[j] + least_near (serial, j);
      swap (&serial, &next);
    }
  for (long j = 0; j < columns; j++)
    back[j] = wall[(p->steps - 1) % p->rows * columns + j];
  for (int step = p->steps - 2; step >= 0; step--)
    {
      const uint8_t *row = wall + step % p->rows * columns;
      for (long j = 0; j < columns; j++)
	next[j] = row[j] + least_near (back, j);
      swap (&back, &next);
    }
  if (app_damage)
    now[columns / 2]++;
  long wrong = 0;
  int32_t cheapest = now[0], cheapest_back = back[0];
  for (long j = 0; j < columns; j++)
    {
      wrong += now[j] != serial[j];
      cheapest = least (cheapest, now[j]);
      cheapest_back = least (cheapest_back, back[j]);
    }
  wrong += cheapest != cheapest_back;
  return bench_finish ("pathfinder", p->klass, seconds, wrong == 0, threads,
		       p->steps - 1,
		       "\"seed\":%llu,\"wrong\":%ld,"
		       "\"columns\":%ld,\"steps\":%d,\"cheapest\":%d",
		       (unsigned long long) app_seed, wrong, columns, p->steps,
		       cheapest);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See sparse.h.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include "sparse.h"

#include "app.h"
#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries in any order.  */

struct entries
{
  long count, room;
  int32_t *row, *column;
};

static void *
resize (void *m, size_t count, size_t size)
{
  m = realloc (m, count * size);
  if (!m)
    {
      fputs ("out of memory\n", stderr);
      exit (2);
    }
  return m;
}

static void
reserve (struct entries *e, long room)
{
  e->room = room > 0 ? room : 1;
  e->row = resize (e->row, e->room, sizeof *e->row);
  e->column = resize (e->column, e->room, sizeof *e->column);
}

static void
discard (struct entries *e)
{
  free (e->row);
  free (e->column);
  *e = (struct entries) { 0 };
}

static inline void
add (struct entries *e, long row, long column)
{
  if (e->count == e->room)
    reserve (e, e->room + e->room / 2 + 1024);
  e->row[e->count] = (int32_t) row;
  e->column[e->count++] = (int32_t) column;
}

static inline void
add_both (struct entries *e, long a, long b)
{
  add (e, a, b);
  if (a != b)
    add (e, b, a);
}

/* Distribute E's entries over "buckets" of equal KEY, keeping their order
   within one.  The result is the order, FIRST[K] where bucket K begins.  */

static void
scatter (const struct entries *e, const int32_t *key, long keys, long *first,
	 struct entries *to)
{
  memset (first, 0, (keys + 1) * sizeof *first);
  for (long k = 0; k < e->count; k++)
    first[key[k] + 1]++;
  for (long i = 0; i < keys; i++)
    first[i + 1] += first[i];
  for (long k = 0; k < e->count; k++)
    {
      long place = first[key[k]]++;
      to->row[place] = e->row[k];
      to->column[place] = e->column[k];
    }
  /* Each bucket's begin has become its end.  */
  memmove (first + 1, first, keys * sizeof *first);
  first[0] = 0;
  to->count = e->count;
}

/* Sort by row and column (two counting sorts: linear, however long a row),
   merge what is given twice, and take E's memory.  */

static struct sparse
compress (struct entries *e, long rows, long columns)
{
  struct sparse m = { .rows = rows, .columns = columns };
  struct entries other = { 0 };
  reserve (&other, e->count);
  long keys = rows > columns ? rows : columns;
  m.start = app_allocate (keys + 1, sizeof *m.start);
  scatter (e, e->column, columns, m.start, &other);
  scatter (&other, other.row, rows, m.start, e);
  discard (&other);

  long used = 0, begin = 0;
  for (long i = 0; i < rows; i++)
    {
      long end = m.start[i + 1], from = used;
      for (long k = begin; k < end; k++)
	if (used == from || e->column[used - 1] != e->column[k])
	  e->column[used++] = e->column[k];
      begin = end;
      m.start[i + 1] = used;
    }
  m.start = resize (m.start, rows + 1, sizeof *m.start);
  m.column = resize (e->column, used ? used : 1, sizeof *m.column);
  e->column = NULL;
  discard (e);
  return m;
}

struct sparse_shape
sparse_describe (const struct sparse *m)
{
  struct sparse_shape s = { 0 };
  if (m->rows == 0)
    return s;
  s.least = m->start[1];
  s.mean = (double) m->start[m->rows] / (double) m->rows;
  for (long i = 0; i < m->rows; i++)
    {
      long length = m->start[i + 1] - m->start[i];
      if (length < s.least)
	s.least = length;
      if (length > s.most)
	s.most = length;
      s.variance += ((double) length - s.mean) * ((double) length - s.mean);
    }
  s.variance /= (double) m->rows;
  return s;
}

/* Graphs.  A vertex has no edge to itself.  */

static void
add_edges (struct entries *e, long n, long v, long count,
	   struct random_stream *r)
{
  for (long k = 0; k < count; k++)
    {
      long w = (long) random_below (r, n);
      if (w != v)
	add_both (e, v, w);
    }
}

struct sparse
sparse_uniform_graph (long n, long mean, uint64_t seed)
{
  struct entries e = { 0 };
  struct random_stream r = random_start (seed);
  reserve (&e, 2 * n * mean + 1024);
  for (long v = 0; v < n; v++)
    add_edges (&e, n, v, 1 + (long) random_below (&r, 2 * mean - 1), &r);
  return compress (&e, n, n);
}

struct sparse
sparse_scale_free_graph (long n, long least, double exponent, uint64_t seed)
{
  struct entries e = { 0 };
  struct random_stream r = random_start (seed);
  long most = n / 4 > least ? n / 4 : least;
  reserve (&e, 4 * n * least + 1024);
  for (long v = 0; v < n; v++)
    {
      /* The continuous power law, rounded down.  */
      double k = (double) least * pow (1 - random_unit (&r),
				       -1 / (exponent - 1));
      add_edges (&e, n, v, k < (double) most ? (long) k : most, &r);
    }
  return compress (&e, n, n);
}

/* Matrices.  */

static void
circuit (struct entries *e, long n, uint64_t seed)
{
  enum { RAILS = 8 };
  struct random_stream r = random_start (seed);
  long rail[RAILS];
  double share[RAILS], touched = 0.4;
  for (int k = 0; k < RAILS; k++, touched /= 2)
    {
      rail[k] = (long) random_below (&r, n);
      share[k] = touched;
    }
  for (long i = 0; i < n; i++)
    {
      add (e, i, i);
      /* Nets join nodes that were drawn near each other.  */
      long others = 1 + (long) random_below (&r, 5);
      for (long k = 0; k < others; k++)
	{
	  long j = i + 1 + (long) random_exponential (&r, 40);
	  if (j < n)
	    add_both (e, i, j);
	}
      for (int k = 0; k < RAILS; k++)
	if (i != rail[k] && random_unit (&r) < share[k])
	  add_both (e, i, rail[k]);
    }
}

static void
web (struct entries *e, long n, uint64_t seed)
{
  enum { LINKS = 28 };
  int levels = 0;
  while (1L << levels < n)
    levels++;
  struct random_stream r = random_start (seed);
  for (long i = 0; i < n; i++)
    add (e, i, i);
  for (long k = 0; k < n * LINKS; k++)
    {
      long row, column;
      do
	{
	  uint64_t draw = 0;
	  row = column = 0;
	  for (int level = 0; level < levels; level++)
	    {
	      /* Eight bits a level: 146 : 49 : 49 : 12.  */
	      draw = level % 8 ? draw >> 8 : random_bits (&r);
	      unsigned p = draw & 255;
	      row = 2 * row + (p >= 195);
	      column = 2 * column + ((p >= 146 && p < 195) || p >= 244);
	    }
	}
      while (row >= n || column >= n);
      add (e, row, column);
    }
}

/* Grids are numbered row by row.  */

static long
side_of (long n)
{
  long side = (long) sqrt ((double) n);
  return side > 2 ? side : 2;
}

static void
road (struct entries *e, long n, uint64_t seed)
{
  long side = side_of (n);
  struct random_stream r = random_start (seed);
  for (long i = 0; i < side; i++)
    for (long j = 0; j < side; j++)
      {
	long v = i * side + j;
	/* A vertex keeps its road to the right or the one down, so that few
	   are cut off.  */
	double u = random_unit (&r);
	bool right = u < 0.6, down = u >= 0.4, across = random_unit (&r) < 0.01;
	if (j + 1 < side && right)
	  add_both (e, v, v + 1);
	if (i + 1 < side && down)
	  add_both (e, v, v + side);
	if (i + 1 < side && j + 1 < side && across)
	  add_both (e, v, v + side + 1);
      }
}

static void
mesh (struct entries *e, long n, uint64_t seed)
{
  long side = side_of (n);
  struct random_stream r = random_start (seed);
  for (long i = 0; i < side; i++)
    for (long j = 0; j < side; j++)
      {
	long v = i * side + j;
	if (j + 1 < side)
	  add_both (e, v, v + 1);
	if (i + 1 < side)
	  add_both (e, v, v + side);
	if (j + 1 < side && i + 1 < side)
	  {
	    if (random_bits (&r) >> 63)
	      add_both (e, v, v + side + 1);
	    else
	      add_both (e, v + 1, v + side);
	  }
      }
}

static void
kmer (struct entries *e, long n, uint64_t seed)
{
  struct random_stream r = random_start (seed);
  int32_t *name = app_allocate (n, sizeof *name);
  for (long i = 0; i < n; i++)
    {
      long j = (long) random_below (&r, i + 1);
      name[i] = name[j];
      name[j] = (int32_t) i;
    }
  for (long i = 0; i + 1 < n; i++)
    {
      /* Chains of 200 on average; now and then one runs into another.  */
      if (random_unit (&r) >= 0.005)
	add_both (e, name[i], name[i + 1]);
      if (random_unit (&r) < 0.06)
	{
	  long j = (long) random_below (&r, n);
	  if (j != i)
	    add_both (e, name[i], name[j]);
	}
    }
  free (name);
}

static const struct
{
  const char *name;
  void (*make) (struct entries *, long, uint64_t);
  bool grid;
} structures[] = {
  { "circuit", circuit, false },
  { "web", web, false },
  { "road", road, true },
  { "kmer", kmer, false },
  { "mesh", mesh, true },
};
#define STRUCTURES (sizeof structures / sizeof *structures)

const char *const sparse_structures[]
  = { "circuit", "web", "road", "kmer", "mesh", NULL };

struct sparse
sparse_generate (const char *structure, long n, uint64_t seed)
{
  struct sparse m = { 0 };
  for (size_t s = 0; s < STRUCTURES; s++)
    {
      if (strcmp (structure, structures[s].name))
	continue;
      struct entries e = { 0 };
      if (structures[s].grid)
	n = side_of (n) * side_of (n);
      reserve (&e, 4 * n);
      structures[s].make (&e, n, seed);
      m = compress (&e, n, n);
      m.value = app_allocate (m.start[n], sizeof *m.value);
      for (long i = 0; i < n; i++)
	for (long k = m.start[i]; k < m.start[i + 1]; k++)
	  m.value[k] = 2 * random_fraction (random_at (seed + i, m.column[k]))
		       - 1;
    }
  return m;
}

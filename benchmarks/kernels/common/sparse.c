/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See sparse.h.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include "sparse.h"

#include "app.h"
#include "random.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries in any order.  VALUE is null where values do not matter.  */

struct entries
{
  long count, room;
  int32_t *row, *column;
  double *value;
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
reserve (struct entries *e, long room, bool with_values)
{
  e->room = room > 0 ? room : 1;
  e->row = resize (e->row, e->room, sizeof *e->row);
  e->column = resize (e->column, e->room, sizeof *e->column);
  if (with_values)
    e->value = resize (e->value, e->room, sizeof *e->value);
}

static void
discard (struct entries *e)
{
  free (e->row);
  free (e->column);
  free (e->value);
  *e = (struct entries) { 0 };
}

static inline void
add (struct entries *e, long row, long column)
{
  if (e->count == e->room)
    reserve (e, e->room + e->room / 2 + 1024, false);
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

static void
add_valued (struct entries *e, long row, long column, double value)
{
  if (e->count == e->room)
    reserve (e, e->room + e->room / 2 + 1024, true);
  e->value[e->count] = value;
  add (e, row, column);
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
      if (e->value)
	to->value[place] = e->value[k];
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
  reserve (&other, e->count, e->value != NULL);
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
	if (used > from && e->column[used - 1] == e->column[k])
	  {
	    if (e->value)
	      e->value[used - 1] += e->value[k];
	  }
	else
	  {
	    e->column[used] = e->column[k];
	    if (e->value)
	      e->value[used] = e->value[k];
	    used++;
	  }
      begin = end;
      m.start[i + 1] = used;
    }
  m.start = resize (m.start, rows + 1, sizeof *m.start);
  m.column = resize (e->column, used ? used : 1, sizeof *m.column);
  e->column = NULL;
  if (e->value)
    m.value = resize (e->value, used ? used : 1, sizeof *m.value);
  e->value = NULL;
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
  reserve (&e, 2 * n * mean + 1024, false);
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
  reserve (&e, 4 * n * least + 1024, false);
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
      reserve (&e, 4 * n, false);
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

/* The reader.  */

struct reader
{
  const char *file;
  FILE *stream;
  char *line;
  size_t room;
  long number;
  char *message;
  size_t size;
};

static bool __attribute__ ((format (printf, 2, 3)))
wrong (struct reader *r, const char *format, ...)
{
  int used = snprintf (r->message, r->size, "%s:%ld: ", r->file, r->number);
  if (used >= 0 && (size_t) used < r->size)
    {
      va_list args;
      va_start (args, format);
      vsnprintf (r->message + used, r->size - used, format, args);
      va_end (args);
    }
  return false;
}

static bool
next_line (struct reader *r)
{
  r->number++;
  ssize_t length = getline (&r->line, &r->room, r->stream);
  if (length < 0)
    return false;
  while (length && isspace ((unsigned char) r->line[length - 1]))
    r->line[--length] = '\0';
  return true;
}

/* The next line that is neither comment nor blank.  */

static bool
next_data (struct reader *r)
{
  while (next_line (r))
    {
      const char *p = r->line;
      while (isspace ((unsigned char) *p))
	p++;
      if (*p && *p != '%')
	return true;
    }
  return false;
}

/* A whole decimal number at *TEXT, which moves on behind it.  */

static bool
take_long (const char **text, long *out)
{
  char *end;
  errno = 0;
  *out = strtol (*text, &end, 10);
  if (end == *text || errno || (*end && !isspace ((unsigned char) *end)))
    return false;
  *text = end;
  return true;
}

static bool
take_double (const char **text, double *out)
{
  char *end;
  *out = strtod (*text, &end);
  if (end == *text || !isfinite (*out)
      || (*end && !isspace ((unsigned char) *end)))
    return false;
  *text = end;
  return true;
}

static bool
at_end (const char *text)
{
  while (isspace ((unsigned char) *text))
    text++;
  return !*text;
}

struct banner
{
  bool pattern, symmetric, skew;
};

static bool
read_banner (struct reader *r, struct banner *b)
{
  if (!next_line (r))
    return wrong (r, "the file is empty");
  if (!strncmp (r->line, "\x1f\x8b", 2) || !strncmp (r->line, "BZh", 3)
      || !strncmp (r->line, "\xfd" "7zXZ", 5))
    return wrong (r, "this is a compressed file; unpack it first");
  char word[5][32] = { "" };
  if (strlen (r->line) > 200
      || sscanf (r->line, "%31s %31s %31s %31s %31s", word[0], word[1],
		 word[2], word[3], word[4]) < 1
      || strcasecmp (word[0], "%%MatrixMarket"))
    return wrong (r, "not a Matrix Market file: it does not begin with"
		  " %%%%MatrixMarket");
  if (strcasecmp (word[1], "matrix"))
    return wrong (r, "'%s' is not 'matrix'", word[1]);
  if (strcasecmp (word[2], "coordinate"))
    return wrong (r, "format '%s': only 'coordinate' can be read", word[2]);
  b->pattern = !strcasecmp (word[3], "pattern");
  if (!b->pattern && strcasecmp (word[3], "real")
      && strcasecmp (word[3], "integer"))
    return wrong (r, "entries '%s': only real, integer and pattern can be"
		  " read", word[3]);
  b->skew = !strcasecmp (word[4], "skew-symmetric");
  b->symmetric = b->skew || !strcasecmp (word[4], "symmetric");
  if (!b->symmetric && strcasecmp (word[4], "general"))
    return wrong (r, "symmetry '%s': only general, symmetric and"
		  " skew-symmetric can be read", word[4]);
  return true;
}

static bool
read_size (struct reader *r, const struct banner *b, struct sparse *m,
	   long *entries)
{
  if (!next_data (r))
    return wrong (r, "the line with rows, columns and entries is missing");
  const char *p = r->line;
  if (!take_long (&p, &m->rows) || !take_long (&p, &m->columns)
      || !take_long (&p, entries) || !at_end (p))
    return wrong (r, "'%.60s' is not rows, columns and entries", r->line);
  if (m->rows < 1 || m->columns < 1 || *entries < 0)
    return wrong (r, "%ld rows, %ld columns and %ld entries make no matrix",
		  m->rows, m->columns, *entries);
  if (m->rows > SPARSE_MOST || m->columns > SPARSE_MOST)
    return wrong (r, "more than %ld rows or columns", SPARSE_MOST);
  if (*entries / m->rows > m->columns
      || (*entries / m->rows == m->columns && *entries % m->rows))
    return wrong (r, "%ld entries are more than %ld times %ld", *entries,
		  m->rows, m->columns);
  if (b->symmetric && m->rows != m->columns)
    return wrong (r, "a symmetric matrix of %ld rows and %ld columns",
		  m->rows, m->columns);
  return true;
}

static bool
read_entry (struct reader *r, const struct banner *b, const struct sparse *m,
	    struct entries *e)
{
  const char *p = r->line;
  long row, column;
  double value = 1;
  if (!take_long (&p, &row) || !take_long (&p, &column)
      || (!b->pattern && !take_double (&p, &value)) || !at_end (p))
    return wrong (r, "'%.60s' is not %s", r->line,
		  b->pattern ? "row and column"
		  : "row, column and a finite value");
  if (row < 1 || row > m->rows)
    return wrong (r, "row %ld is outside 1..%ld", row, m->rows);
  if (column < 1 || column > m->columns)
    return wrong (r, "column %ld is outside 1..%ld", column, m->columns);
  if (b->symmetric && row < column)
    return wrong (r, "row %ld, column %ld: a symmetric matrix has entries"
		  " below the diagonal only", row, column);
  if (b->skew && row == column)
    return wrong (r, "row %ld: a skew-symmetric matrix has no diagonal", row);
  add_valued (e, row - 1, column - 1, value);
  if (b->symmetric && row != column)
    add_valued (e, column - 1, row - 1, b->skew ? -value : value);
  return true;
}

static bool
read_entries (struct reader *r, const struct banner *b, struct sparse *m,
	      long count, struct entries *e)
{
  /* The file's word is not taken for more memory than its entries need.  */
  reserve (e, count < 1000000 ? count : 1000000, true);
  for (long k = 0; k < count; k++)
    if (!next_data (r))
      return wrong (r, "the file ends after %ld of %ld entries", k, count);
    else if (!read_entry (r, b, m, e))
      return false;
  if (next_data (r))
    return wrong (r, "more than the %ld entries announced", count);
  r->number--;
  return true;
}

struct sparse
sparse_read (const char *file, char *message, size_t size)
{
  struct sparse m = { 0 };
  struct reader r = { .file = file, .message = message, .size = size };
  struct entries e = { 0 };
  struct banner b = { false, false, false };
  long count = 0;
  r.stream = fopen (file, "r");
  if (!r.stream)
    {
      snprintf (message, size, "%s: %s", file, strerror (errno));
      return m;
    }
  bool good = (read_banner (&r, &b) && read_size (&r, &b, &m, &count)
	       && read_entries (&r, &b, &m, count, &e));
  if (ferror (r.stream))
    good = wrong (&r, "cannot be read: %s", strerror (errno));
  fclose (r.stream);
  free (r.line);
  if (good)
    return compress (&e, m.rows, m.columns);
  discard (&e);
  return (struct sparse) { 0 };
}

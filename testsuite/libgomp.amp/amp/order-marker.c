/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Rows of a sparse product are put together with one marker for each column and
   thread: where the column's element was written last.  `marker[c] < begin'
   says that it is not in this row yet, if the rows that a thread gets ascend.
   The markers are an array on the stack, from malloc, from calloc, or a
   structure's, and a function of its own may look at them.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do rows } */
/* { amp-without {shuffled, descending} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3,1} {60} {} } */
/* { amp-run {} {60} {} } */

#include "amp-test.h"

#define ROWS 600

static int entry_end[ROWS + 1], entry[ROWS * 24];
static int row_end[ROWS + 1], *column;

struct markers
{
  int *at;
};

static int
add_row (int row, int *marker, int offset)
{
  int begin = row_end[row], end = begin, i, k;

  for (i = entry_end[row]; i < entry_end[row + 1]; i++)
    for (k = entry_end[entry[i]]; k < entry_end[entry[i] + 1]; k++)
      if (marker[entry[k]] < begin + offset)
	{
	  marker[entry[k]] = end + offset;
	  if (end < row_end[ROWS])
	    column[end] = entry[k];
	  end++;
	}
  return end;
}

/* The matrix, and how many elements each row of the product has.  */

static void
make_rows (void)
{
  static int seen[ROWS];
  int row, i, k, count = 0;

  for (row = 0; row < ROWS; row++)
    {
      for (i = 0; i < 2 + row * 7 % 22; i++)
	entry[count++] = (row + i * i) % ROWS;
      entry_end[row + 1] = count;
    }
  memset (seen, -1, sizeof seen);
  for (row = 0; row < ROWS; row++)
    {
      row_end[row + 1] = row_end[row];
      for (i = entry_end[row]; i < entry_end[row + 1]; i++)
	for (k = entry_end[entry[i]]; k < entry_end[entry[i] + 1]; k++)
	  if (seen[entry[k]] != row)
	    {
	      seen[entry[k]] = row;
	      row_end[row + 1]++;
	    }
    }
  column = malloc (row_end[ROWS] * sizeof *column);
}

static void
check_rows (const char *how)
{
  int i, row, holes = 0;

  for (row = 0; row < ROWS; row++)
    for (i = row_end[row]; i < row_end[row + 1]; i++)
      holes += column[i] < 0;
  CHECK_IN (holes == 0, how);
  memset (column, -1, row_end[ROWS] * sizeof *column);
}

static void
products (unsigned t)
{
#pragma omp parallel num_threads (t)
  {
    int marker[ROWS], i;

    for (i = 0; i < ROWS; i++)
      marker[i] = -1;
#pragma omp for
    for (i = 0; i < ROWS; i++)
      add_row (i, marker, 0);
  }
  check_rows ("on the stack");

#pragma omp parallel num_threads (t)
  {
    int *marker = malloc (ROWS * sizeof *marker), i;

    memset (marker, -1, ROWS * sizeof *marker);
#pragma omp for
    for (i = 0; i < ROWS; i++)
      {
	int begin = row_end[i], end = begin, j, k;

	for (j = entry_end[i]; j < entry_end[i + 1]; j++)
	  for (k = entry_end[entry[j]]; k < entry_end[entry[j] + 1]; k++)
	    if (marker[entry[k]] < begin)
	      {
		marker[entry[k]] = end;
		if (end < row_end[ROWS])
		  column[end] = entry[k];
		end++;
	      }
      }
    free (marker);
  }
  check_rows ("malloc");

#pragma omp parallel num_threads (t)
  {
    struct markers own = { calloc (ROWS, sizeof *own.at) };

#pragma omp for
    for (int i = ROWS - 1; i >= 0; i--)
      add_row (ROWS - 1 - i, own.at, 1);
    free (own.at);
  }
  check_rows ("calloc, down");
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 3, k;

  make_rows ();
  memset (column, -1, row_end[ROWS] * sizeof *column);
  for (k = 0; k < rounds; k++)
    for (unsigned t = 2; t <= 4; t++)
      products (t);
  free (column);
  return AMP_RESULT;
}

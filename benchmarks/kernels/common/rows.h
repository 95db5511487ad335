/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop bodies that may be run again without changing the result, and CPUs that
   are slow because each iteration is repeated there.  Unlike a CPU that is
   stopped for a time, such a one is slow to loops of any length.

   The compiler that sees a loop does not see these bodies: to it they are
   functions of another file.  */

#ifndef AMP_ROWS_H
#define AMP_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* Powers of two are cheap to wrap at: the fewest rows there may be.  */
#define ROWS_LEAST 128

/* The problem of one kind of loop: N rows of IN, of which it makes those of
   OUT, CELLS numbers each.  WORK is the length of a row's inner loop.  */
struct rows
{
  long n, work, cells;
  double *matrix, *in, *out;
  int *column;
};

/* Reads AMP_BENCH_SLOW, `LIST=RATIO': the CPUs on which iterations are repeated
   so often in the mean.  Ends the process on another form.  Returns RATIO, 1
   without the variable.  */
double rows_slow (void);

/* The same numbers on each run.  KIND is one that rows_find knows, N at least
   ROWS_LEAST.  False: no memory.  */
bool rows_make (struct rows *r, const char *kind, long n, long work);
void rows_free (struct rows *r);

/* Iteration I of each kind: OUT[I] from IN, which it leaves alone, as often as
   the CPU it runs on is slow.  */
typedef void rows_body (const struct rows *r, long i);
rows_body rows_arith, rows_matvec, rows_stencil, rows_spmv, rows_distance;

/* The body of that name, or null.  */
rows_body *rows_find (const char *kind);

#endif /* AMP_ROWS_H */

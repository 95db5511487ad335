/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What the programs share that rely on static, rely-*.  Each is linked with
   rely-part.c, so that compilers do not see through what is called here.

   A pattern is one way of relying.  It runs in a process of its own,
   RELY_ROUNDS times (1000), with teams of 2, 3 and 4 threads; one that does
   not end is told from one that is wrong.  RELY_ONLY names the one to run.  */

#ifndef RELY_H
#define RELY_H 1

#ifdef __cplusplus
extern "C" {
#endif

/* Repetition ROUND, with THREADS threads.  Returns how much was wrong.  */
typedef long rely_fn (int round, int threads);

void rely_add (const char *name, rely_fn *run);

/* Run all that were added.  What main returns.  */
int rely_run (void);

/* In a loop's body, at iteration I of N: in every fourth round one iteration,
   another one for each SALT, takes so long that the other threads could do all
   the rest meanwhile.  */
void rely_delay (int round, int salt, long i, long n);

/* Some 20 ns a unit.  */
void rely_work (long units);

/* While spinning.  */
void rely_yield (void);

/* Whether floating-point sums must have the bits that static gives them.  */
int rely_exact (void);

/* Where the block of thread WHO of THREADS begins, as static deals N
   iterations.  */
static inline long
rely_begin (long n, int threads, int who)
{
  long share = n / threads, more = n % threads;
  return who * share + (who < more ? who : more);
}

/* 1 unless A is as good as B: the same bits if they must be, else nearly.  */
static inline long
rely_differ (double a, double b)
{
  double d = a > b ? a - b : b - a, size = b > 0 ? b : -b;
  return !(rely_exact () ? a == b : d <= 1e-12 * size);
}

#ifdef __cplusplus
}
#endif

#endif /* RELY_H */

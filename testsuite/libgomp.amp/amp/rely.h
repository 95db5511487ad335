/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What the programs share that rely on static, rely-*.  Each is linked with
   rely-part.c, so that compilers do not see through what is called here.

   A pattern is one way of relying.  It runs in a process of its own,
   RELY_ROUNDS times (1000), with teams of 2, 3 and 4 threads; one that does
   not end is told from one that is wrong.  RELY_ONLY names the one to run.  */

#ifndef RELY_H
#define RELY_H 1

#include <omp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Repetition ROUND, with THREADS threads.  Returns how much was wrong.  */
typedef long rely_fn (int round, int threads);

void rely_add (const char *name, rely_fn *run);

/* A pattern's function; rely-part.c has main, which runs them.  */
#define PATTERN(NAME)							\
  static rely_fn NAME;							\
  static __attribute__ ((constructor)) void				\
  add_##NAME (void) { rely_add (#NAME, NAME); }				\
  static long NAME (int round, int threads)

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

#ifndef N
# define N 101
#endif
#ifdef RELY_SHARED		/* Between files.  */
extern int a[N], b[N], c[N];
void static_elsewhere (int round);
void double_elsewhere (void);
#else
static int a[N], b[N], c[N] __attribute__ ((unused));
#endif

#ifdef __cplusplus
}
#endif

static inline int
value (int round, int i)
{
  return round * 1009 + i * 7;
}

#define OMP(...) _Pragma (#__VA_ARGS__)
#define TEAM OMP (omp parallel num_threads (threads))
/* Loops without a barrier in between say what they do in each iteration.  */
#define EACH(CLAUSES, ...) \
  OMP (omp for CLAUSES) for (int i = 0; i < N; i++) { __VA_ARGS__; }
#define DELAY(SALT) rely_delay (round, SALT, i, N)
#define WRITE(SALT) DELAY (SALT); a[i] = value (round, i)
#define DOUBLE b[i] = 2 * a[i]
#define SUM c[i] = a[i] + b[i]

/* How many of the elements of FROM are not FACTOR times their value.  Of a round
   that was CANCELLED some may be missing.  */

static inline long
differ (const int *from, int factor, int round, int cancelled)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += (from[i] != factor * value (round, i)
	      && !(cancelled && from[i] == -1));
  return wrong;
}

#endif /* RELY_H */

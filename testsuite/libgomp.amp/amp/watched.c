/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops that are watched have the very chunks that they have otherwise.  Here
   they are larger than any schedule of the library's own hands out, and
   nobody runs their iterations.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {} {} {} } */
/* { amp-run {GOMP_AMP_REPORT=@DIR@/watched.report} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=@DIR@/watched.spool} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=@DIR@/watched.spool GOMP_AMP_REPORT=@DIR@/watched.report GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=seed=1,delay=20} {} {} } */

#include <stdbool.h>
#include "amp-test.h"

typedef unsigned long long ull;

extern bool GOMP_loop_nonmonotonic_dynamic_start (long, long, long, long,
						  long *, long *);
extern bool GOMP_loop_nonmonotonic_dynamic_next (long *, long *);
extern bool GOMP_loop_nonmonotonic_guided_start (long, long, long, long,
						 long *, long *);
extern bool GOMP_loop_nonmonotonic_guided_next (long *, long *);
extern bool GOMP_loop_ull_nonmonotonic_dynamic_start (bool, ull, ull, ull,
						      ull, ull *, ull *);
extern bool GOMP_loop_ull_nonmonotonic_dynamic_next (ull *, ull *);
extern bool GOMP_loop_ull_nonmonotonic_guided_start (bool, ull, ull, ull, ull,
						     ull *, ull *);
extern bool GOMP_loop_ull_nonmonotonic_guided_next (ull *, ull *);

/* Iterations, step and least chunk of all loops.  */
#define N 5000000000
#define STEP 3
#define CHUNK 4000000000

static ull count[2];
static int counts;

static void
note (ull iterations)
{
  int i = __atomic_fetch_add (&counts, 1, __ATOMIC_RELAXED);

  if (i < 2)
    count[i] = iterations;
}

#define LOOP(NAME, TYPE, START, NEXT, DOWN, ARGS)			\
static void								\
NAME (void)								\
{									\
  counts = 0;								\
  _Pragma ("omp parallel num_threads (2)")				\
  {									\
    TYPE from, to;							\
    bool more;								\
									\
    for (more = START ARGS; more; more = NEXT (&from, &to))		\
      note ((DOWN) ? (ull) (from - to) / STEP : (ull) (to - from) / STEP); \
    GOMP_loop_end ();							\
  }									\
  CHECK_IN (counts == 2, #NAME);					\
  CHECK_IN (count[0] + count[1] == (ull) N, #NAME);			\
  CHECK_IN (count[0] == (ull) CHUNK || count[1] == (ull) CHUNK, #NAME);	\
}

#define LONG_LOOPS(KIND)						\
LOOP (KIND##_up, long, GOMP_loop_nonmonotonic_##KIND##_start,		\
      GOMP_loop_nonmonotonic_##KIND##_next, false,			\
      (7, 7 + N * STEP, STEP, CHUNK, &from, &to))			\
LOOP (KIND##_down, long, GOMP_loop_nonmonotonic_##KIND##_start,		\
      GOMP_loop_nonmonotonic_##KIND##_next, true,			\
      (7, 7 - N * STEP, -STEP, CHUNK, &from, &to))

#define ULL_LOOPS(KIND)							\
LOOP (KIND##_ull_up, ull, GOMP_loop_ull_nonmonotonic_##KIND##_start,	\
      GOMP_loop_ull_nonmonotonic_##KIND##_next, false,			\
      (true, 7, 7 + (ull) N * STEP, STEP, CHUNK, &from, &to))		\
LOOP (KIND##_ull_down, ull, GOMP_loop_ull_nonmonotonic_##KIND##_start,	\
      GOMP_loop_ull_nonmonotonic_##KIND##_next, true,			\
      (false, 7 + (ull) N * STEP, 7, -(ull) STEP, CHUNK, &from, &to))

#if __LONG_MAX__ > N * STEP + 7
LONG_LOOPS (dynamic)
LONG_LOOPS (guided)
#endif
ULL_LOOPS (dynamic)
ULL_LOOPS (guided)

int
main (void)
{
  for (int round = 0; round < 20; round++)
    {
#if __LONG_MAX__ > N * STEP + 7
      dynamic_up ();
      dynamic_down ();
      guided_up ();
      guided_down ();
#endif
      dynamic_ull_up ();
      dynamic_ull_down ();
      guided_ull_up ();
      guided_ull_down ();
    }
  return AMP_RESULT;
}

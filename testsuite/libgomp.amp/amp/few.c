/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A loop of as many iterations as threads, for any order, is the fast thread's
   where the slow one takes longer for one of them; other loops give each thread
   one.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {OMP_NUM_THREADS=2 GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@:@B@} {fast} {} } */
/* { amp-run {OMP_NUM_THREADS=2} {} {} } */
/* { amp-run {OMP_NUM_THREADS=2 OMP_SCHEDULE=static} {} {} } */

#include "amp-test.h"

enum { ROUNDS = 60 };

static int by[2];	/* Which thread ran the iteration.  */

static void
run (long first, long last)
{
  for (long i = first; i < last; i++)
    {
      by[i] = amp_thread_num ();
      usleep (by[i] == 0 ? 200 : 4000);
      amp_visit (i);
    }
}

#define LOOP(TOLD)							\
  _Pragma ("omp parallel")						\
  {									\
    long s = AMP_TOLD + TOLD, e;					\
									\
    if (GOMP_loop_static_start (0, 2, 1, 0, &s, &e))			\
      do								\
	run (s, e);							\
      while (GOMP_loop_static_next (&s, &e));				\
    GOMP_loop_end ();							\
  }

int
main (int argc, char **argv)
{
  int fast = argc > 1 && strcmp (argv[1], "fast") == 0, both = 0;

  for (int r = 0; r < ROUNDS; r++)
    {
      amp_cover_begin ();
      LOOP (1)
      CHECK (amp_covered (2));
      both += by[0] == 0 && by[1] == 0;
      LOOP (0)
      CHECK (by[0] == 0 && by[1] == 1);
    }
  CHECK (!fast || both > ROUNDS / 2);
  return AMP_RESULT;
}

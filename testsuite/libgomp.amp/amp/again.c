/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A loop that is known begins as the last one at its place did, but not if its
   threads have told that static's blocks are relied on, or another schedule has
   been set, or it has another length: each iteration is run once, and by whom it
   has to be.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3} {blocks} {} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid,50 GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3} {} {} } */
/* { amp-run {OMP_SCHEDULE=feedback GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3} {} {} } */

#include "amp-test.h"

#define ROUNDS 400

enum how { PLAIN, RELIED, DYNAMIC, SHORT, HOWS };

/* As the compiler begins it, in any order if ANY.  */

static void __attribute__ ((noinline))
loop (long n, int any)
{
  long s = AMP_TOLD + any, e, i, last = -1;

  if (GOMP_loop_static_start (0, n, 1, 0, &s, &e))
    do
      for (i = s; i < e; i++)
	{
	  CHECK (any || i > last);
	  last = i;
	  amp_visit (i);
	}
    while (GOMP_loop_static_next (&s, &e));
  GOMP_loop_end ();
}

static void
run (enum how how, int any, int blocks)
{
  long n = how == SHORT ? 3000 : 4000, i;

  amp_cover_begin ();
#pragma omp parallel num_threads (2)
  {
    omp_sched_t kind;
    int chunk;

    omp_get_schedule (&kind, &chunk);
    /* A hint: see enum gomp_amp_hint in gomp-amp.h.  */
    if (how == RELIED)
      omp_get_ancestor_thread_num (-0x100);
    else if (how == DYNAMIC)
      omp_set_schedule (omp_sched_dynamic, 7);
    loop (n, any);
    omp_set_schedule (kind, chunk);
  }
  CHECK (amp_covered (n));
  for (i = 0; how == RELIED && i < n; i++)
    CHECK (amp_by[i] == i / (n / 2));
  for (i = 0; blocks && (how == PLAIN || how == SHORT) && i < n; i++)
    CHECK (amp_by[i] == i / (n / 4 * 3));
}

int
main (int argc, char **argv)
{
  int blocks = argc > 1 && strcmp (argv[1], "blocks") == 0, round;

  omp_set_dynamic (0);
  for (round = 0; round < ROUNDS; round++)
    /* A few times the same, then another.  */
    run (round % 8 < 5 ? PLAIN : (enum how) (round / 8 % HOWS),
	 round / 100 % 2, blocks);
  return AMP_RESULT;
}

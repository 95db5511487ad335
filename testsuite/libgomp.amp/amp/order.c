/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* In a loop that has no schedule clause the iterations that a thread gets never
   step back, whatever is set: loops of each kind, called by hand as compilers
   call them, in teams of 1 to 7.  The same loop with schedule(runtime) may.
   Arguments: how often; or `api': under each schedule of omp_set_schedule; or
   `free': such a loop does step back under the schedule that is set.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do rows } */
/* { amp-without {shuffled, descending} } */
/* { amp-run {} {api} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@} {api} {} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ GOMP_AMP_AFFINITY=1} {api} {} } */
/* { amp-run {GOMP_AMP_TRACE=@DIR@/order.spool GOMP_AMP_TYPES=@A@:@B@} {api} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3,1} {300} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1} {300} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts} {100} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_ENERGY=energy,9,0.1} {100} {} } */
/* { amp-run {OMP_SCHEDULE=nonmonotonic:steal,3} {} {} } */
/* { amp-run {OMP_SCHEDULE=nonmonotonic:ich,50} {} {} } */
/* { amp-run {OMP_SCHEDULE=steal} {free} {} } */
/* { amp-run {OMP_SCHEDULE=nonmonotonic:steal} {free} {} } */

#include "amp-test.h"

typedef unsigned long long ull;
typedef _Bool bool_;

extern bool_ GOMP_loop_runtime_next (long *, long *);
extern void GOMP_parallel_loop_runtime (void (*) (void *), void *, unsigned,
					long, long, long, unsigned);

/* The loop under way: N iterations from START by STEP.  */
static ull n, start, step;

/* The calling thread runs what lies between BEGIN and END; *LAST is the end of
   what it has run.  */

static void
run (ull begin, ull end, ull *last)
{
  ull i = (begin - start) / step;

  /* A step down is negative.  */
  if ((long long) step < 0)
    i = (start - begin) / -step;
  CHECK (i >= *last);
  /* The last chunk ends where the loop does.  */
  for (; begin != end && i < n; begin += step, i++)
    {
      amp_visit (i);
      amp_work (i * 7 % 64);
    }
  *last = i;
}

static void
run_long (long from, long to, long by)
{
  long b, e;
  ull last = 0;

  if (amp_loop_start (from, to, by, &b, &e))
    do
      run (b, e, &last);
    while (GOMP_loop_static_next (&b, &e));
  GOMP_loop_end ();
}

static void
run_ull (bool_ up, ull from, ull to, ull by)
{
  ull b = AMP_TOLD, e, last = 0;

  if (GOMP_loop_ull_static_start (up, from, to, by, 0, &b, &e))
    do
      run (b, e, &last);
    while (GOMP_loop_ull_static_next (&b, &e));
  GOMP_loop_end ();
}

static void
run_combined (void *data)
{
  long b, e;
  ull last = 0;

  (void) data;
  while (GOMP_loop_runtime_next (&b, &e))
    run (b, e, &last);
  GOMP_loop_end_nowait ();
}

/* All kinds of loops of LENGTH iterations in a team of T.  */

static void
loops (unsigned t, ull length)
{
  n = length;
  for (unsigned kind = 0; kind < 5; kind++)
    {
      /* Up, down; up to 2^64 - 1, and down from there; combined, which is
	 monotonic:runtime.  */
      static const long long steps[] = { 3, -7, 11, -5, 1 };

      step = steps[kind];
      start = (kind == 2 ? ULLONG_MAX - n * step : kind == 3 ? ULLONG_MAX
	       : kind == 1 ? n * -step : -n);
      amp_cover_begin ();
      if (kind == 4)
	GOMP_parallel_loop_runtime (run_combined, NULL, t, start, start + n,
				    1, 0);
      else
	{
#pragma omp parallel num_threads (t)
	  if (kind < 2)
	    run_long (start, start + n * step, step);
	  else
	    run_ull (kind == 2, start, start + n * step, step);
	}
      CHECK (amp_covered (n));
    }
}

static void
all (unsigned rounds)
{
  for (unsigned k = 0; k < rounds; k++)
    for (unsigned t = 1; t <= 7; t++)
      loops (t, rounds > 3 ? 1000 : k % 2 ? 1500 : 5 * t + k);
}

/* Thread 0 of two stays in its first iteration until the other one has run all
   the rest: its own half, and then what thread 0 had.  */

static void
step_back (void)
{
  unsigned backward = 0;

  amp_cover_begin ();
  amp_meet_begin ();
#pragma omp parallel num_threads (2) reduction (+: backward)
  {
    long b, e, last = 0;

    if (GOMP_loop_maybe_nonmonotonic_runtime_start (0, 1000, 1, &b, &e))
      do
	{
	  amp_meet (2);
	  backward += b < last;
	  last = e;
	  for (; b < e; b++)
	    amp_visit (b);
	  while (omp_get_thread_num () == 0
		 && __atomic_load_n (&amp_visits, __ATOMIC_RELAXED) < 1000)
	    sched_yield ();
	}
      while (GOMP_loop_maybe_nonmonotonic_runtime_next (&b, &e));
    GOMP_loop_end ();
  }
  CHECK (amp_covered (1000));
  CHECK (backward != 0);
}

int
main (int argc, char **argv)
{
  static const int kinds[] = {
    omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto,
    omp_sched_aid_static, omp_sched_aid_hybrid, omp_sched_aid_dynamic,
    omp_sched_steal, omp_sched_ich, omp_sched_feedback, omp_sched_binlpt,
    omp_sched_cluster_dynamic, omp_sched_hetprobe, omp_sched_hetprobe_i
  };

  if (argc < 2)
    all (2);
  else if (strcmp (argv[1], "free") == 0)
    step_back ();
  else if (strcmp (argv[1], "api") == 0)
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
      {
	omp_set_schedule ((omp_sched_t) kinds[k], k % 2 ? 0 : 3);
	all (2);
      }
  else
    all (atoi (argv[1]));
  return AMP_RESULT;
}

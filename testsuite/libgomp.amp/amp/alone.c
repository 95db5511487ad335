/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops in teams of one thread, which are dealt in one piece, while they are
   watched or replaced: by num_threads, orphaned, nested; dynamic, guided,
   runtime and without a clause; for long and for unsigned long long.  */
/* { amp-calls GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_nonmonotonic_guided_start GOMP_loop_dynamic_start } */
/* { amp-calls GOMP_loop_ull_nonmonotonic_dynamic_start GOMP_loop_ull_nonmonotonic_guided_start } */
/* { amp-calls GOMP_parallel_loop_nonmonotonic_dynamic GOMP_parallel_loop_nonmonotonic_guided } */
/* { amp-run {GOMP_AMP_REPORT=@DIR@/alone.report} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=@DIR@/alone.spool} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=@DIR@/alone.spool GOMP_AMP_REPORT=@DIR@/alone.report} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=costs:@DIR@/alone-record.spool} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=sf:@DIR@/alone.sf} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=ich;guided=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=aid_hybrid;guided=steal GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_dynamic GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3} {} {} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=reference;guided=binlpt GOMP_AMP_REPORT=@DIR@/alone.report} {} {} } */

#include "amp-test.h"

#define N 100

/* Orphaned: serial outside of a region, shared out inside.  */

#define PRAGMA(...) _Pragma (#__VA_ARGS__)
#define ORPHANED(NAME, CLAUSES)						\
  static void __attribute__ ((noinline))				\
  NAME##_long (long n)							\
  {									\
    PRAGMA (omp for CLAUSES)						\
    for (long i = 0; i < n; i++)					\
      amp_visit (i);							\
  }									\
  static void __attribute__ ((noinline))				\
  NAME##_ull (unsigned long long n)					\
  {									\
    PRAGMA (omp for CLAUSES)						\
    for (unsigned long long i = n; i > 0; i--)				\
      amp_visit (i - 1);						\
  }

ORPHANED (dynamic, schedule (dynamic))
ORPHANED (dynamic7, schedule (dynamic, 7))
ORPHANED (monotonic, schedule (monotonic: dynamic))
ORPHANED (guided, schedule (guided))
ORPHANED (runtime, schedule (runtime))
ORPHANED (clauseless,)

static const struct
{
  const char *name;
  void (*with_long) (long);
  void (*with_ull) (unsigned long long);
} loops[] = {
#define ROW(NAME) { #NAME, NAME##_long, NAME##_ull }
  ROW (dynamic), ROW (dynamic7), ROW (monotonic), ROW (guided),
  ROW (runtime), ROW (clauseless)
};

/* N iterations of loop K by whoever is here.  */

static void
run (unsigned k, int ull)
{
  if (ull)
    loops[k].with_ull (N);
  else
    loops[k].with_long (N);
}

static void
expect (unsigned long long n, const char *where)
{
  CHECK_IN (amp_covered (n), where);
  amp_cover_begin ();
}

static void
combined (void)
{
#pragma omp parallel for schedule (dynamic) num_threads (1)
  for (long i = 0; i < N; i++)
    amp_visit (i);
  expect (N, "parallel for dynamic");
#pragma omp parallel for schedule (guided) num_threads (1)
  for (long i = 0; i < N; i++)
    amp_visit (i);
  expect (N, "parallel for guided");
#pragma omp parallel for schedule (dynamic) if (0)
  for (long i = 0; i < N; i++)
    amp_visit (i);
  expect (N, "parallel for dynamic if (0)");
#pragma omp parallel for num_threads (1)
  for (long i = 0; i < N; i++)
    amp_visit (i);
  expect (N, "parallel for");
}

int
main (void)
{
  amp_cover_begin ();
  for (int round = 0; round < 8; round++)
    {
      for (unsigned k = 0; k < sizeof loops / sizeof *loops; k++)
	for (int ull = 0; ull < 2; ull++)
	  {
	    const char *name = loops[k].name;

	    run (k, ull);
	    expect (N, name);
#pragma omp parallel num_threads (1)
	    run (k, ull);
	    expect (N, name);
	    /* A region in a region has one thread.  */
	    omp_set_max_active_levels (1);
#pragma omp parallel num_threads (2)
#pragma omp master
#pragma omp parallel num_threads (2)
	    run (k, ull);
	    expect (N, name);
	    omp_set_max_active_levels (2);
#pragma omp parallel num_threads (2)
#pragma omp single
#pragma omp parallel num_threads (1)
	    run (k, ull);
	    expect (N, name);
	    /* The same place in a larger team.  */
#pragma omp parallel num_threads (3)
	    run (k, ull);
	    expect (N, name);
	  }
      combined ();
    }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a loop costs when its body does nothing: nanoseconds per loop for a
   loop without schedule clause (what the plugin compiles), schedule(static)
   and schedule(runtime), with and without the barrier at its end, and per
   parallel region; nanoseconds per iteration (a grant, under dynamic,1) of a
   long loop; and what a thread pays for a grant where others come in between,
   that is where iterations take much longer than what is granted takes to get
   at.

   The variants take turns in short rounds, so that what disturbs the machine
   disturbs them alike; the median round of each is given.  Every thread counts
   the iterations it is given: the counts must add up.  */

#include "common/bench.h"

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static long max_rounds = 21, loops_per_round = 5000, grants = 1000000;

static int
option (const char *name, const char *text)
{
  static const struct bench_number known[] = {
    { "--rounds", &max_rounds, 1, 1000000000 },
    { "--loops", &loops_per_round, 1, 1000000000 },
    { "--grants", &grants, 1, 1000000000 },
  };
  return bench_number_option (known, sizeof known / sizeof *known, name,
			      text);
}

/* The optimiser keeps the loop for the statement in it.  */
#define BODY __asm__ volatile (""); count++

/* Some 0.3 us, for iterations that take much longer than a grant.  */
static inline void
chain (long i)
{
  uint64_t x = (uint64_t) i;
  for (int k = 0; k < 512; k++)
    {
      x = x * 3 + 1;
      __asm__ volatile ("" : "+r" (x));
    }
}

#define NOTHING(I) ((void) (I))

/* One variant: LOOPS loops of TRIP iterations, of WORK each.  Returns the
   iterations run by all threads; *SECONDS is the time from the team's start of
   work to its last barrier.  */
#define VARIANT(NAME, PRAGMA, WORK)					\
  static int64_t							\
  NAME (long loops, long trip, double *seconds)				\
  {									\
    int64_t total = 0;							\
    double start = 0;							\
    _Pragma ("omp parallel reduction (+ : total)")			\
    {									\
      int64_t count = 0;						\
      _Pragma ("omp barrier")						\
      _Pragma ("omp master")						\
      start = bench_seconds ();						\
      /* A loop right after a master construct would be static.  */	\
      _Pragma ("omp barrier")						\
      for (long k = 0; k < loops; k++)					\
	{								\
	  _Pragma (PRAGMA)						\
	  for (long i = 0; i < trip; i++)				\
	    {								\
	      WORK (i);							\
	      BODY;							\
	    }								\
	}								\
      _Pragma ("omp barrier")						\
      _Pragma ("omp master")						\
      *seconds = bench_seconds () - start;				\
      total = count;							\
    }									\
    return total;							\
  }

VARIANT (default_barrier, "omp for", NOTHING)
VARIANT (default_nowait, "omp for nowait", NOTHING)
VARIANT (static_barrier, "omp for schedule (static)", NOTHING)
VARIANT (static_nowait, "omp for schedule (static) nowait", NOTHING)
VARIANT (runtime_barrier, "omp for schedule (runtime)", NOTHING)
VARIANT (runtime_nowait, "omp for schedule (runtime) nowait", NOTHING)
VARIANT (spaced_static, "omp for schedule (static)", chain)
VARIANT (spaced_default, "omp for", chain)

static struct
{
  _Alignas (128) int64_t count;
} *own;

/* LOOPS parallel regions, in each of which each thread runs one iteration.  */
static int64_t
region (long loops, int threads, double *seconds)
{
  int64_t total = 0;

  for (int i = 0; i < threads; i++)
    own[i].count = 0;
  double start = bench_seconds ();
  for (long k = 0; k < loops; k++)
    {
#pragma omp parallel
      own[omp_get_thread_num ()].count++;
    }
  *seconds = bench_seconds () - start;
  for (int i = 0; i < threads; i++)
    total += own[i].count;
  return total;
}

static const struct
{
  const char *name;
  int64_t (*run) (long, long, double *);
} variants[] = {
  { "default", default_barrier },
  { "default,nowait", default_nowait },
  { "static", static_barrier },
  { "static,nowait", static_nowait },
  { "runtime", runtime_barrier },
  { "runtime,nowait", runtime_nowait },
};

#define VARIANTS ((int) (sizeof variants / sizeof *variants))

static const long trips[] = { 2, 100, 1000 };
#define TRIPS ((int) (sizeof trips / sizeof *trips))

int
main (int argc, char **argv)
{
  struct bench_options o;
  bench_parse (argc, argv, "empty", "S", false,
	       "      --rounds N       rounds that the variants take turns in"
	       " (21)\n"
	       "      --loops N        loops a round (5000)\n"
	       "      --grants N       trip count of the long loop (1000000)\n",
	       option, &o);
  int threads = bench_threads ();
  double *times = malloc (sizeof (double) * VARIANTS * TRIPS * max_rounds);
  double *grant = malloc (sizeof (double) * max_rounds);
  double *spaced = malloc (sizeof (double) * max_rounds);
  double *regions = malloc (sizeof (double) * max_rounds);
  own = aligned_alloc (_Alignof (__typeof__ (*own)), threads * sizeof *own);
  if (!times || !grant || !spaced || !regions || !own)
    {
      fputs ("empty: out of memory\n", stderr);
      return 2;
    }
  bool verified = true;
  double begin = bench_seconds ();
  long done = 0;

  /* Round -1 warms up and is forgotten.  */
  for (long round = -1; round < max_rounds; round++)
    {
      for (int t = 0; t < TRIPS; t++)
	for (int v = 0; v < VARIANTS; v++)
	  {
	    double s = 0;
	    int64_t ran = variants[v].run (loops_per_round, trips[t], &s);
	    verified &= ran == (int64_t) loops_per_round * trips[t];
	    done += loops_per_round;
	    if (round >= 0)
	      times[(t * VARIANTS + v) * max_rounds + round]
		= 1e9 * s / (double) loops_per_round;
	  }
      double s = 0;
      verified &= region (loops_per_round, threads, &s)
		  == (int64_t) loops_per_round * threads;
      if (round >= 0)
	regions[round] = 1e9 * s / (double) loops_per_round;
      verified &= default_barrier (1, grants, &s) == grants;
      done++;
      if (round >= 0)
	grant[round] = 1e9 * s / (double) grants;
      long few = (grants + 7) / 8;
      double alone = 0;
      verified &= spaced_static (1, few, &alone) == few;
      verified &= spaced_default (1, few, &s) == few;
      done += 2;
      if (round >= 0)
	spaced[round] = 1e9 * (s - alone) * threads / (double) few;
    }

  char detail[4000];
  size_t at = snprintf (detail, sizeof detail, "\"ns_per_loop\":{");
  for (int t = 0; t < TRIPS; t++)
    for (int v = 0; v < VARIANTS; v++)
      {
	double *row = times + (t * VARIANTS + v) * max_rounds;
	at += snprintf (detail + at, sizeof detail - at, "%s\"%s,%ld\":%.2f",
			t + v ? "," : "", variants[v].name, trips[t],
			bench_median (row, max_rounds));
      }
  at += snprintf (detail + at, sizeof detail - at,
		  ",\"region\":%.2f},\"ns_per_grant\":%.3f",
		  bench_median (regions, max_rounds),
		  bench_median (grant, max_rounds));
  snprintf (detail + at, sizeof detail - at, ",\"ns_per_spaced_grant\":%.3f",
	    bench_median (spaced, max_rounds));
  free (own);
  free (regions);
  free (times);
  free (grant);
  free (spaced);
  return bench_report ("empty", "S", bench_seconds () - begin, verified,
		       threads, done, detail);
}

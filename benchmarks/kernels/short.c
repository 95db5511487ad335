/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short loops, one after the other in a parallel region, on CPUs that are slow
   because iterations are repeated there (AMP_BENCH_SLOW, see common/rows.h).

   The kind `chain' is a time step of three loops with nowait, each of which
   reads only what the same iteration of the one before has written: matvec,
   arith, and distance.  */

#include "common/bench.h"
#include "common/rows.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kind = "arith";
static long n = 200, work = 100, loops = 1000, warm = 200, calls, calibrate_ns;

static int
option (const char *name, const char *text)
{
  static const struct bench_number known[] = {
    { "--trip", &n, ROWS_LEAST, 1000000 },
    { "--work", &work, 1, 100000000 },
    { "--loops", &loops, 1, 100000000 },
    { "--warm", &warm, 0, 100000000 },
    { "--calls", &calls, 0, 1 },
    { "--calibrate", &calibrate_ns, 1, 1000000000 },
  };
  if (strcmp (name, "--kind") == 0)
    {
      if (!text || (!rows_find (text) && strcmp (text, "chain") != 0))
	return -1;
      kind = text;
      return 2;
    }
  return bench_number_option (known, sizeof known / sizeof *known, name,
			      text);
}

static bool chain;
static struct rows step[3];
static rows_body *body[3];

/* -DREPLACE: loops say static.  */
#ifdef REPLACE
# define SCHEDULE schedule (static)
#else
# define SCHEDULE
#endif

/* The loops that the compiler deals, TIMES in a row, in one parallel region.  */
static void
run_for (long times)
{
#pragma omp parallel
  {
    if (chain)
      for (long k = 0; k < times; k++)
	{
#pragma omp for SCHEDULE nowait
	  for (long i = 0; i < n; i++)
	    body[0] (&step[0], i);
#pragma omp for SCHEDULE nowait
	  for (long i = 0; i < n; i++)
	    body[1] (&step[1], i);
#pragma omp for SCHEDULE
	  for (long i = 0; i < n; i++)
	    body[2] (&step[2], i);
	}
    else
      for (long k = 0; k < times; k++)
	{
#pragma omp for SCHEDULE
	  for (long i = 0; i < n; i++)
	    body[0] (&step[0], i);
	}
  }
}

/* The same, each loop a parallel region of its own.  */
static void
run_calls (long times)
{
  for (long k = 0; k < times; k++)
    for (int s = 0; s < (chain ? 3 : 1); s++)
      {
	rows_body *f = body[s];
	struct rows *r = &step[s];
#pragma omp parallel for SCHEDULE
	for (long i = 0; i < n; i++)
	  f (r, i);
      }
}

/* The same in the blocks that O weighs.  */
static void
run_split (const struct bench_options *o, long times)
{
#pragma omp parallel
  {
    long lo, hi;
    bench_split (o, omp_get_thread_num (), n, &lo, &hi);
    for (long k = 0; k < times; k++)
      {
	for (int s = 0; s < (chain ? 3 : 1); s++)
	  for (long i = lo; i < hi; i++)
	    body[s] (&step[s], i);
#pragma omp barrier
      }
  }
}

static void
run (const struct bench_options *o, long times)
{
  if (o->nsplit)
    run_split (o, times);
  else if (calls)
    run_calls (times);
  else
    run_for (times);
}

/* What one thread takes for a loop, in ns: the best of some rounds.  */
static double
alone (void)
{
  double best = 1e9;
  for (int round = 0; round < 20; round++)
    {
      double start = bench_seconds ();
      long count = 0;
      do
	{
	  for (int s = 0; s < (chain ? 3 : 1); s++)
	    for (long i = 0; i < n; i++)
	      body[s] (&step[s], i);
	  count++;
	}
      while (bench_seconds () - start < 2e-3);
      double each = (bench_seconds () - start) / count / (chain ? 3 : 1);
      best = each < best ? each : best;
    }
  return best * 1e9;
}

/* Print the length of the inner loop with which N rows take one thread NS.
   Short rows are not proportional to it, so it is approached.  */
static void
calibrate (long ns)
{
  double took = 0;
  for (int k = 0; k < 4; k++)
    {
      took = alone ();
      double next = work * ns / took + 0.5;
      work = next < 1 ? 1 : next > 1e8 ? 1e8 : next;
      for (int s = 0; s < 3; s++)
	step[s].work = work;
    }
  printf ("{\"work\":%ld,\"ns\":%.1f}\n", work, alone ());
}

int
main (int argc, char **argv)
{
  struct bench_options o;
  bench_parse (argc, argv, "short", "S", true,
	       "      --kind K         arith, matvec, stencil, spmv, distance"
	       " or chain\n"
	       "      --trip N, --work M  iterations, and the length of each\n"
	       "      --loops L, --warm L  loops that are timed, and before\n"
	       "      --calls 1        each loop a parallel region of its own\n"
	       "      --calibrate NS   only print the --work with which a loop"
	       " of one\n"
	       "                       thread takes NS\n",
	       option, &o);
  double ratio = rows_slow ();
  chain = strcmp (kind, "chain") == 0;
  static const char *const parts[] = { "matvec", "arith", "distance" };
  for (int s = 0; s < (chain ? 3 : 1); s++)
    {
      const char *part = chain ? parts[s] : kind;
      body[s] = rows_find (part);
      if (!rows_make (&step[s], part, n, work))
	{
	  fputs ("short: out of memory\n", stderr);
	  return 2;
	}
    }
  /* The second and third read what the one before has written.  */
  if (chain)
    {
      free (step[1].in);
      free (step[2].in);
      step[1].in = step[0].out;
      step[2].in = step[1].out;
    }
  if (calibrate_ns)
    {
      calibrate (calibrate_ns);
      return 0;
    }
  int threads = bench_threads ();
  if (o.nsplit && o.nsplit != threads)
    {
      fprintf (stderr, "short: --split has %d weights, the team %d threads\n",
	       o.nsplit, threads);
      return 2;
    }
  double start = bench_seconds ();
  run (&o, warm);
  double before = bench_seconds () - start;
  start = bench_seconds ();
  run (&o, loops);
  double seconds = bench_seconds () - start;

  long wrong = 0;
  for (int s = 0; s < (chain ? 3 : 1); s++)
    {
      double *got = step[s].out;
      step[s].out = calloc (step[s].cells, sizeof *got);
      if (!step[s].out)
	return 2;
      for (long i = 0; i < n; i++)
	body[s] (&step[s], i);
      wrong += memcmp (got, step[s].out, step[s].cells * sizeof *got) != 0;
      if (chain && s < 2)
	step[s + 1].in = step[s].out;
    }
  char detail[300];
  snprintf (detail, sizeof detail,
	    "\"wrong\":%ld,\"kind\":\"%s\",\"trip\":%ld,\"work\":%ld,"
	    "\"slow\":%g,\"warm_seconds\":%.9f",
	    wrong, kind, n, work, ratio, before);
  return bench_report ("short", "S", seconds, wrong == 0, threads,
		       loops * (chain ? 3 : 1), detail);
}

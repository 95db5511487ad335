/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a grant costs under each schedule: nanoseconds per call of libgomp that
   returns a chunk, by the entry points that compilers use.  One thread of the
   team takes all chunks, alone ("alone": the others sleep), or all take them
   ("together").  "local" is alone in a team of LOCAL_THREADS, and timed only up
   to that thread's share of the iterations, so that it steals nothing: a queue
   of a small team has too few chunks under ich to be measured.  Between two
   calls nothing is done.

   The schedules take turns in short rounds, so that what disturbs the machine
   disturbs them alike; the median round of each is given, and its ratio to
   dynamic,1.  The time excludes the loop's start and end.  The chunks must add
   up to the loop.  On a libgomp that does not know a schedule it is left
   out.  */

#include "common/bench.h"

#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../libgomp/runtime/omp_amp.h"

extern bool GOMP_loop_maybe_nonmonotonic_runtime_start (long, long, long,
							long *, long *);
extern bool GOMP_loop_maybe_nonmonotonic_runtime_next (long *, long *);
extern void GOMP_loop_end (void);

/* The largest team of the iCh paper.  */
#define LOCAL_THREADS 28

enum mode
{
  ALONE,
  TOGETHER,
  LOCAL,
  MODES
};

static const char *const mode_names[MODES] = { "alone", "together", "local" };

static long max_rounds = 21, trip = 200000;

static int
option (const char *name, const char *text)
{
  static const struct bench_number known[] = {
    { "--rounds", &max_rounds, 1, 1000000000 },
    { "--trip", &trip, 1, 1000000000 },
  };
  return bench_number_option (known, sizeof known / sizeof *known, name,
			      text);
}

static const struct
{
  const char *name;
  int kind, chunk;
} schedules[] = {
  { "dynamic,1", omp_sched_dynamic, 1 },
  { "steal,1", omp_sched_steal, 1 },
  { "ich", omp_sched_ich, 0 },
  { "ich,5", omp_sched_ich, 5 },
  { "binlpt", omp_sched_binlpt, 100000 },
  { "reference,1", omp_sched_reference, 1 },
};

#define SCHEDULES ((int) (sizeof schedules / sizeof *schedules))

/* Run one loop.  Returns nanoseconds per grant; *GRANTS of them.  Adds the
   iterations run to *RAN.  */

static double
measure (int threads, enum mode mode, int64_t *ran, long *grants)
{
  static pthread_barrier_t barrier;
  bool alone = mode != TOGETHER;
  double total = 0;
  int64_t iterations = 0;
  long chunks = 0;

  pthread_barrier_init (&barrier, NULL, threads);
#pragma omp parallel num_threads (threads) \
	reduction (+ : total, iterations, chunks)
  {
    bool first = omp_get_thread_num () == 0, more;
    long begin, end, mine = 0;
    int64_t done = 0, timed = trip;
    double start, clock;

    /* A barrier of the system's, where who waits sleeps.  */
    if (alone && !first)
      pthread_barrier_wait (&barrier);
    more = GOMP_loop_maybe_nonmonotonic_runtime_start (0, trip, 1, &begin,
						       &end);
    if (mode == LOCAL)
      timed = first ? trip / threads : 0;
    clock = bench_seconds ();
    start = bench_seconds ();
    clock = start - clock;
    while (more && done < timed)
      {
	done += end - begin;
	mine++;
	more = GOMP_loop_maybe_nonmonotonic_runtime_next (&begin, &end);
      }
    total = mine ? bench_seconds () - start - clock : 0;
    chunks = mine;
    while (more)
      {
	done += end - begin;
	more = GOMP_loop_maybe_nonmonotonic_runtime_next (&begin, &end);
      }
    iterations = done;
    if (alone && first)
      pthread_barrier_wait (&barrier);
    GOMP_loop_end ();
  }
  pthread_barrier_destroy (&barrier);
  *ran += iterations;
  *grants = chunks;
  return chunks ? 1e9 * total / (double) chunks : 0;
}

int
main (int argc, char **argv)
{
  struct bench_options o;
  bench_parse (argc, argv, "grant", "S", false,
	       "      --rounds N       rounds that the schedules take turns in"
	       " (21)\n"
	       "      --trip N         iterations of a loop (200000)\n",
	       option, &o);
  int threads = bench_threads ();
  double *times = malloc (sizeof (double) * SCHEDULES * MODES * max_rounds);
  long grants[SCHEDULES][MODES] = { 0 };
  bool known[SCHEDULES], verified = true;
  double begin = bench_seconds ();
  long done = 0;

  if (!times)
    {
      fputs ("grant: out of memory\n", stderr);
      return 2;
    }
  /* A team of one runs static.  */
  if (threads < 2)
    threads = 2;
  omp_set_dynamic (0);
  for (long round = -1; round < max_rounds; round++)
    for (int s = 0; s < SCHEDULES; s++)
      for (int m = 0; m < MODES; m++)
	{
	  omp_sched_t kind;
	  int chunk;
	  int64_t ran = 0;

	  omp_set_schedule ((omp_sched_t) schedules[s].kind,
			    schedules[s].chunk);
	  omp_get_schedule (&kind, &chunk);
	  known[s] = (int) kind == schedules[s].kind;
	  if (!known[s])
	    continue;
	  double ns = measure (m == LOCAL ? LOCAL_THREADS : threads,
			       (enum mode) m, &ran, &grants[s][m]);
	  verified &= ran == trip;
	  done++;
	  if (round >= 0)
	    times[(MODES * s + m) * max_rounds + round] = ns;
	}

  char detail[4000];
  size_t at = snprintf (detail, sizeof detail, "\"ns_per_grant\":{");
  double base[MODES];
  const char *comma = "";
  for (int s = 0; s < SCHEDULES; s++)
    for (int m = 0; known[s] && m < MODES; m++)
      {
	double ns = bench_median (times + (MODES * s + m) * max_rounds,
				  max_rounds);
	if (s == 0)
	  base[m] = ns;
	at += snprintf (detail + at, sizeof detail - at,
			"%s\"%s %s\":{\"ns\":%.2f,\"ratio\":%.3f,"
			"\"grants\":%ld}", comma, schedules[s].name,
			mode_names[m], ns, ns / base[m], grants[s][m]);
	comma = ",";
      }
  snprintf (detail + at, sizeof detail - at, "}");
  free (times);
  return bench_report ("grant", "S", bench_seconds () - begin, verified,
		       threads, done, detail);
}

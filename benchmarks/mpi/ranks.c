/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See ranks.h.  */

#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 64 };

int ranks_size, ranks_rank;
char ranks_class;
struct amp_mpi_options ranks_loop;
bool ranks_damage;

static const char *program;
static const char *const schedules[]
  = { "dynamic", "guided", "static", "weighted", "hetprobe" };
static long rounds, chunk, percent;
static double seconds[MOST_ROUNDS];
static int64_t mine;
static int threads;

static int
option (const char *name, const char *value)
{
  static const struct bench_number numbers[] = {
    { "--rounds", &rounds, 1, MOST_ROUNDS },
    { "--chunk", &chunk, 0, 1 << 30 },
    { "--percent", &percent, 0, 100 }
  };
  if (!strcmp (name, "--damage"))
    {
      ranks_damage = true;
      return 1;
    }
  if (strcmp (name, "--schedule"))
    return bench_number_option (numbers, 3, name, value);
  for (int i = 0; value && i < 5; i++)
    if (!strcmp (value, schedules[i]))
      {
	ranks_loop.schedule = i;
	return 2;
      }
  return -1;
}

void
ranks_begin (int argc, char **argv, const char *name, const char *valid)
{
  struct bench_options options;
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &ranks_rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks_size);
  program = name;
  bench_parse (argc, argv, name, valid, false,
	       "      --schedule NAME  over ranks: dynamic, guided, static,"
	       " weighted, hetprobe\n"
	       "      --chunk N        of dynamic and guided\n"
	       "      --percent N      of hetprobe\n"
	       "      --rounds N       how often the whole is run (5; until"
	       " weighted has\n"
	       "                       settled 9, hetprobe 14)\n",
	       option, &options);
  if (rounds == 0)
    rounds = (ranks_loop.schedule == AMP_MPI_WEIGHTED ? 9
	      : ranks_loop.schedule == AMP_MPI_HETPROBE ? 14 : 5);
  ranks_class = options.klass;
  ranks_loop.chunk = chunk;
  ranks_loop.percent = (int) percent;
  threads = bench_threads ();
}

/* What is called in place of a program's body, to count.  */
static amp_mpi_body *counted;

static void
count (int64_t begin, int64_t end, void *data)
{
  mine += end - begin;
  counted (begin, end, data);
}

void
ranks_for (int64_t n, int site, amp_mpi_body *body, amp_mpi_body *fetch)
{
  ranks_loop.site = site;
  ranks_loop.fetch = fetch;
  counted = body;
  /* Errors are fatal, as they are on MPI_COMM_WORLD.  */
  amp_mpi_for (MPI_COMM_WORLD, n, count, NULL, &ranks_loop);
}

void
ranks_rounds (void (*round) (void))
{
  for (int i = 0; i < rounds; i++)
    {
      mine = 0;
      MPI_Barrier (MPI_COMM_WORLD);
      double start = bench_seconds ();
      round ();
      MPI_Barrier (MPI_COMM_WORLD);
      seconds[i] = bench_seconds () - start;
    }
  /* A rank that had no CPU when the others began saw less of it.  */
  MPI_Allreduce (MPI_IN_PLACE, seconds, (int) rounds, MPI_DOUBLE, MPI_MAX,
		 MPI_COMM_WORLD);
}

int
ranks_end (bool verified)
{
  char detail[64 * MOST_ROUNDS];
  int64_t *all = ranks_allocate (ranks_size, sizeof *all);
  int status = 0;
  MPI_Gather (&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (ranks_rank == 0)
    {
      int at = snprintf (detail, sizeof detail, "\"schedule\":\"%s\",\"ranks\":%d",
			 schedules[ranks_loop.schedule], ranks_size);
      for (int i = 0; i < rounds; i++)
	at += snprintf (detail + at, sizeof detail - at, "%s%.6f",
			i ? "," : ",\"rounds\":[", seconds[i]);
      /* Of the last round; of many ranks the first.  */
      for (int r = 0; r < ranks_size && r < MOST_ROUNDS; r++)
	at += snprintf (detail + at, sizeof detail - at, "%s%lld",
			r ? "," : "],\"iterations\":[", (long long) all[r]);
      snprintf (detail + at, sizeof detail - at, "]");
      char klass[2] = { ranks_class, 0 };
      long counted = rounds > 3 ? 3 : rounds > 1 ? rounds - 1 : 1;
      double median = bench_median (seconds + rounds - counted, counted);
      status = bench_report (program, klass, median, verified, threads, rounds,
			     detail);
    }
  free (all);
  MPI_Bcast (&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize ();
  return status;
}

void *
ranks_allocate (size_t count, size_t size)
{
  void *memory = calloc (count ? count : 1, size);
  if (memory == NULL)
    {
      fprintf (stderr, "%s: no memory\n", program);
      MPI_Abort (MPI_COMM_WORLD, 1);
    }
  return memory;
}

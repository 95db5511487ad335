/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Workloads for binlpt: loops are cut where they say, whoever begins the loop;
   wrong ones are reported once and ignored.  The chunks' bounds are what can be
   seen from outside whatever the threads do: nobody's number changes within
   a chunk.  */
/* { amp-do none } */
/* { amp-options -pthread } */
/* { amp-run {OMP_SCHEDULE=binlpt,2} {cuts} {} } */
/* { amp-run {OMP_SCHEDULE=dynamic} {set} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2 OMP_SCHEDULE=binlpt,2} {cuts} {} } */
/* { amp-run {OMP_SCHEDULE=binlpt,2} {sites} {\nlibgomp: The workload of loop 'first' is of 100 iterations, but the loop has 90; it is ignored\n} } */
/* { amp-run {OMP_SCHEDULE=binlpt,2} {length} {\nlibgomp: The workload of loop 'short' is of 99 iterations, but the loop has 100; it is ignored\n} } */
/* { amp-run {OMP_SCHEDULE=binlpt,2} {unknown} {\nlibgomp: omp_set_workload: no loop has the number 12345; the call is ignored\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=binlpt,2} {clause} {} } */
/* { amp-run {OMP_SCHEDULE=binlpt,30} {many} {} } */

#include <malloc.h>
#include <pthread.h>
#include "amp-test.h"

#define N 100

static unsigned front[N], back[N];

static int meeting;

static void
run_loop (unsigned t, int combined)
{
  amp_cover_begin ();
  amp_meet_begin ();
  if (combined)
    {
#pragma omp parallel for schedule (runtime) num_threads (t)
      for (int i = 0; i < N; i++)
	{
	  if (meeting)
	    amp_meet (t);
	  amp_work (200);
	  amp_visit (i);
	}
    }
  else
    {
#pragma omp parallel num_threads (t)
      {
	/* Any thread may be the first.  */
	amp_work ((omp_get_thread_num () == 0) * 20000);
#pragma omp for schedule (runtime)
	for (unsigned long long u = N; u > 0; u--)
	  {
	    amp_work (200);
	    amp_visit (N - u);
	  }
      }
    }
  CHECK (amp_covered (N));
}

/* Iterations FROM .. TO - 1 were one thread's.  The last one belongs to no
   chunk.  CUT runs LOOP, whose second chunk begins AT.  */

static int
whole (int from, int to)
{
  for (int i = from; i < to; i++)
    if (amp_by[i] != amp_by[from])
      return 0;
  return 1;
}

#define CUT(LOOP, AT)						\
  do								\
    {								\
      LOOP;							\
      CHECK (whole (0, AT) && whole (AT, N - 1));		\
    }								\
  while (0)

static void
fill (void)
{
  for (int i = 0; i < N; i++)
    {
      front[i] = i < 10 ? 9 : 1;
      back[i] = i < 90 ? 1 : 10;
    }
}

static void
cuts (void)
{
  unsigned t, id = omp_loop_register ("cuts"), other;

  for (t = 2; t <= 3; t++)
    for (int combined = 0; combined < 2; combined++)
      for (int round = 0; round < 20; round++)
	{
	  omp_set_workload (id, front, N, true);
	  CUT (run_loop (t, combined), 10);
	  /* Of this loop there is one already.  */
	  omp_set_workload (id, back, N, false);
	  CUT (run_loop (t, combined), 10);
	  /* It goes on holding.  */
	  omp_set_workload (id, back, N, true);
	  CUT (run_loop (t, combined), 90);
	  CUT (run_loop (t, combined), 90);
	  /* None.  */
	  omp_set_workload (id, NULL, 0, true);
	  CUT (run_loop (t, combined), 50);
	}
  /* Either chunk is for one thread of two.  */
  omp_set_workload (id, front, N, true);
  meeting = 1;
  run_loop (2, 1);
  meeting = 0;
  CHECK (whole (0, 10) && whole (10, N - 1));
  CHECK (amp_by[0] != amp_by[10]);
  other = omp_loop_register ("other");
  CHECK (other != id);
  omp_set_workload (other, back, N, false);
  omp_set_workload (id, front, N, false);
  /* Changes in a task stay there; those before it are inherited, and the first
     loop takes them.  */
#pragma omp parallel num_threads (2)
#pragma omp single
  {
    CUT (run_loop (2, 1), 10);
    omp_set_workload (other, back, N, false);
  }
  CUT (run_loop (2, 0), 50);
  CUT (run_loop (2, 1), 10);
  omp_loop_unregister (id);
  CUT (run_loop (2, 1), 50);
  /* The number is free again.  */
  CHECK (omp_loop_register ("again") == id);
}

/* A workload is one place's: the next loop of its length, and that one's
   further executions.  */

static void
other_loop (int n)
{
  amp_cover_begin ();
#pragma omp parallel for schedule (runtime) num_threads (2)
  for (int i = 0; i < n; i++)
    {
      amp_work (200);
      amp_visit (i);
    }
  CHECK (amp_covered (n));
}

static void
sites (void)
{
  unsigned first = omp_loop_register ("first");
  unsigned second = omp_loop_register ("second");

  for (int combined = 0; combined < 2; combined++)
    {
      omp_set_workload (first, front, N, true);
      CUT (run_loop (2, combined), 10);
      CUT (other_loop (N), 50);
      omp_set_workload (second, back, N, true);
      CUT (other_loop (N), 90);
      for (int round = 0; round < 5; round++)
	{
	  CUT (run_loop (2, combined), 10);
	  CUT (other_loop (N), 90);
	}
      /* Replaced where it is.  */
      omp_set_workload (second, front, N, true);
      CUT (other_loop (N), 10);
      /* Another registered loop takes the place.  */
      omp_set_workload (first, back, N, true);
      CUT (other_loop (N), 90);
      CUT (run_loop (2, combined), 50);
    }
  /* As many bits as N, but another length: forgotten, and reported.  */
  other_loop (90);
  CHECK (whole (0, 45) && whole (45, 89));
  CUT (other_loop (N), 50);
  omp_loop_unregister (first);
  omp_loop_unregister (second);
}

/* omp_set_schedule after omp_set_workload, and back.  */

static void
set (void)
{
  unsigned id = omp_loop_register ("set");
  int kind, first, second;

  omp_set_workload (id, front, N, false);
  run_loop (2, 1);
  omp_set_schedule ((omp_sched_t) omp_sched_binlpt, 2);
  CUT (run_loop (2, 1), 10);
  gomp_amp_get_schedule (&kind, &first, &second);
  CHECK (kind == omp_sched_binlpt && first == 2 && second == 0);
  omp_set_workload (id, front, N, false);
  CHECK (gomp_amp_set_schedule (omp_sched_binlpt, 2, 1) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_ich, 20, 2) == 0);
  run_loop (3, 1);
  CHECK (gomp_amp_set_schedule (omp_sched_binlpt, 2, 0) == 0);
  CUT (run_loop (2, 0), 10);
  omp_loop_unregister (id);
}

static void
length (void)
{
  unsigned id = omp_loop_register ("short");

  omp_set_workload (id, front, N - 1, true);
  for (int i = 0; i < 5; i++)
    {
      CUT (run_loop (2, i % 2), 50);
    }
  omp_set_workload (id, front, N, false);
  CUT (run_loop (2, 1), 10);
}

static void
unknown (void)
{
  omp_set_workload (12345, front, N, true);
  omp_set_workload (12346, front, N, true);
  omp_loop_unregister (12345);
  CUT (run_loop (2, 1), 50);
}

/* A schedule clause in whose place there is binlpt.  */

static void
clause (void)
{
  unsigned id = omp_loop_register ("clause");

  for (int round = 0; round < 4; round++)
    {
      omp_set_workload (id, round % 2 ? back : front, N, true);
      amp_cover_begin ();
      amp_meet_begin ();
#pragma omp parallel for schedule (nonmonotonic: dynamic) num_threads (2)
      for (int i = 0; i < N; i++)
	{
	  amp_meet (2);
	  amp_work (200);
	  amp_visit (i);
	}
      CHECK (amp_covered (N));
      CHECK (whole (0, round % 2 ? 90 : 10)
	     && whole (round % 2 ? 90 : 10, N - 1));
    }
}

/* Several initial threads, each with loops of its own; and no leak.  */

static void *
work (void *arg)
{
  unsigned cost[300];
  char name[20];
  int sum;

  for (int round = 0; round < 60; round++)
    {
      unsigned id, n = 200 + round;

      snprintf (name, sizeof name, "%d", round);
      id = omp_loop_register (name);
      for (unsigned i = 0; i < n; i++)
	cost[i] = i * round % 17;
      omp_set_workload (id, cost, n, true);
      memset (cost, 0, sizeof cost);
      sum = 0;
#pragma omp parallel for schedule (runtime) num_threads (3) reduction (+: sum)
      for (unsigned i = 0; i < n; i++)
	sum += i;
      CHECK (sum == (int) (n * (n - 1) / 2));
      omp_loop_unregister (id);
    }
  return arg;
}

static size_t
allocated (void)
{
#if __GLIBC_PREREQ (2, 33)
  return mallinfo2 ().uordblks;
#else
  return mallinfo ().uordblks;
#endif
}

static void
many (void)
{
  pthread_t thread[4];
  size_t before = 0;

  for (int round = 0; round < 12; round++)
    {
      for (int i = 0; i < 4; i++)
	if (pthread_create (&thread[i], NULL, work, NULL) != 0)
	  {
	    printf ("pthread_create failed\n");
	    exit (77);
	  }
      for (int i = 0; i < 4; i++)
	pthread_join (thread[i], NULL);
      if (round == 3)
	before = allocated ();
      /* A workload is 1200 bytes, and there were 240 a round.  */
      if (round > 3)
	CHECK (allocated () < before + 100000);
    }
}

int
main (int argc, char **argv)
{
  static const struct { const char *name; void (*run) (void); } parts[] = {
    { "cuts", cuts }, { "set", set }, { "sites", sites }, { "length", length },
    { "unknown", unknown }, { "clause", clause }, { "many", many }
  };

  omp_set_max_active_levels (2);
  fill ();
  for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strcmp (argc > 1 ? argv[1] : "many", parts[i].name) == 0)
      parts[i].run ();
  return AMP_RESULT;
}

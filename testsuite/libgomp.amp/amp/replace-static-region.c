/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A program that is one long region, whose speeds are not known before:
   schedule(static) loops that may be replaced begin with even blocks.  These
   change once, for all loops of that length, and not between two loops without
   a barrier; never where a thread keeps what is its own across barriers.  */
/* { amp-options -fopenmp-replace-static } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1} {changes} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_DEBUG=known} {changes} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_REPORT=@DIR@/report} {changes} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_DEBUG=known} {bound} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_DEBUG=known} {bound} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_DEBUG=known} {chain} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2 GOMP_AMP_AFFINITY=1} {known} {} } */

#include "amp-test.h"

#define N 400
#define STEPS 40
static double x[N], y[N];
/* Whose an iteration was: an address of the thread's own, of which the compiler
   does not know that.  */
static void *owner[STEPS][2][N];
static int mine;
#pragma omp threadprivate (mine)

void * __attribute__ ((weak))
amp_self (void)
{
  return &mine;
}

/* The second half of the iterations takes four times as long.  */

static double
work (double from, int i)
{
  int turns = i < N / 2 ? 500 : 2000;

  for (int k = 0; k < turns; k++)
    from = from * 0.999 + 1.0 / (1 + k);
  return from;
}

#define REGION(NAME, SECOND)						\
static void								\
NAME (void)								\
{									\
  _Pragma ("omp parallel num_threads (2)")				\
  {									\
    for (int step = 0; step < STEPS; step++)				\
      {									\
	_Pragma ("omp for schedule (static) nowait")			\
	for (int i = 0; i < N; i++)					\
	  {								\
	    x[i] = work (i, i);						\
	    owner[step][0][i] = amp_self ();				\
	  }								\
	_Pragma (SECOND)						\
	for (int i = 0; i < N; i++)					\
	  {								\
	    y[i] = x[i] + 1;						\
	    owner[step][1][i] = amp_self ();				\
	  }								\
      }									\
  }									\
}

REGION (movable, "omp for schedule (static)")
/* Never a barrier.  */
REGION (chain, "omp for schedule (static) nowait")

/* The same with a state of each thread's.  */

static void
bound (void)
{
#pragma omp parallel num_threads (2)
  {
    for (int step = 0; step < STEPS; step++)
      {
	mine = 0;
#pragma omp for schedule (static)
	for (int i = 0; i < N; i++)
	  {
	    x[i] = work (i, i);
	    mine++;
	    owner[step][0][i] = amp_self ();
	  }
#pragma omp for schedule (static)
	for (int i = 0; i < N; i++)
	  {
	    mine--;
	    y[i] = x[i] + 1;
	    owner[step][1][i] = amp_self ();
	  }
	if (mine != 0)
	  CHECK (!"a thread met other iterations than its own");
      }
  }
}

/* Where the second thread's block begins; 0 if there are not two blocks.  */

static int
border (void **who)
{
  int i = 1, begin;

  while (i < N && who[i] == who[0])
    i++;
  for (begin = i; i < N; i++)
    if (who[i] != who[N - 1])
      return 0;
  return begin < N ? begin : 0;
}

/* Run WHAT and check it.  True if the blocks have changed, and the first
   thread, which seems to be the faster one, has the larger one since.  */

static int
run (const char *what)
{
  int changes = 0, first, last;

  if (strcmp (what, "bound") == 0)
    bound ();
  else if (strcmp (what, "chain") == 0)
    chain ();
  else
    movable ();
  first = last = border (owner[0][0]);
  for (int step = 0; step < STEPS; step++)
    {
      int here = border (owner[step][0]);

      CHECK (here != 0);
      CHECK (memcmp (owner[step][0], owner[step][1], sizeof owner[0][0]) == 0);
      changes += here != last;
      last = here;
    }
  CHECK (first == (strcmp (what, "known") == 0 ? (2 * N + 1) / 3 : N / 2));
  CHECK (changes <= (strcmp (what, "changes") == 0));
  return changes == 1 && last > first;
}

int
main (int argc, char **argv)
{
  (void) argc;
  if (strcmp (argv[1], "changes") != 0)
    run (argv[1]);
  else
    /* On a busy machine threads may seem equally fast, or the other one the
       faster: then again, in a process that has seen nothing.  */
    for (int trial = 0, found = 0; !found; trial++)
      {
	int status = 0;
	pid_t pid = fork ();

	CHECK (pid >= 0);
	if (pid == 0)
	  {
	    found = run (argv[1]);
	    exit (AMP_RESULT != 0 ? 1 : found ? 0 : 3);
	  }
	waitpid (pid, &status, 0);
	found = status == 0;
	CHECK (WIFEXITED (status) && WEXITSTATUS (status) != 1);
	CHECK (trial < 20);
	if (amp_failures != 0)
	  break;
      }
  return AMP_RESULT;
}

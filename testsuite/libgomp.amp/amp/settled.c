/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Blocks of aid_static.  Where SF is known, each thread gets one, in the order
   of the threads, three quarters and one quarter, the same each time; where
   it is not, each thread gets one as well once the loop is known.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3} {given} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3,1} {given} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_AFFINITY=@A@:@B@ GOMP_AMP_SF=3} {given} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1} {known} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@} {known} {} } */

#include <sched.h>
#include "amp-test.h"

/* Threads that have begun their first iteration.  While WAITING each thread's
   waits for the other's, so that each runs some.  */
static int waiting;
static unsigned began;
static _Thread_local unsigned last_loop;
static unsigned loop_number;

static void
rendezvous (void)
{
  if (!waiting || last_loop == loop_number)
    return;
  last_loop = loop_number;
  __atomic_fetch_add (&began, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n (&began, __ATOMIC_RELAXED) < 2)
    sched_yield ();
}

/* Where thread 1 begins if both threads have one block, 0's in front; else
   -1.  */

static long
border (long n)
{
  long i, at = 0;

  for (i = 1; i < n; i++)
    if (amp_by[i] != amp_by[i - 1])
      {
	if (at != 0 || amp_by[i] != 1)
	  return -1;
	at = i;
      }
  return at != 0 ? at : -1;
}

#define BODY(ORDINAL)				\
  {						\
    rendezvous ();				\
    amp_work (20);				\
    amp_visit (ORDINAL);			\
  }

static void
begin (void)
{
  loop_number++;
  began = 0;
  amp_cover_begin ();
}

static long __attribute__ ((noinline))
region (long n)
{
  begin ();
#pragma omp parallel num_threads (2)
#pragma omp for
  for (long i = 0; i < n; i++)
    BODY (i)
  CHECK (amp_covered (n));
  return border (n);
}

static long __attribute__ ((noinline))
combined (long n)
{
  begin ();
#pragma omp parallel for num_threads (2) schedule (runtime)
  for (int i = 0; i < (int) n; i++)
    BODY (i)
  CHECK (amp_covered (n));
  return border (n);
}

static long __attribute__ ((noinline))
down (long n)
{
  unsigned long long u, m = 5ULL * n;

  begin ();
#pragma omp parallel for num_threads (2)
  for (u = m; u > 0; u -= 5)
    BODY (n - u / 5)
  CHECK (amp_covered (n));
  return border (n);
}

int
main (int argc, char **argv)
{
  static long (*const loops[]) (long) = { region, combined, down };
  static const long sizes[] = { 1000, 8, 10, 3000, 4096 };
  /* Long enough for a block of 1/65 to have iterations.  */
  static const long long_sizes[] = { 1000, 2500, 5000 };
  unsigned k, s;
  int round;

  omp_set_dynamic (0);
  if (argc == 2 && strcmp (argv[1], "given") == 0)
    {
      for (s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
	for (k = 0; k < 3; k++)
	  for (round = 0; round < 20; round++)
	    CHECK (loops[k] (sizes[s]) == (3 * sizes[s] + 2) / 4);
      return AMP_RESULT;
    }
  /* Where the system has stopped a thread for long, a loop may seem to be
     uneven, and is then not divided beforehand: not all can be expected.  */
  for (k = 0; k < 3; k++)
    {
      int known = 0;

      for (s = 0; s < 3 && known < 60; s++)
	for (known = 0, round = 0; round < 120; round++)
	  {
	    waiting = round < 4;
	    known += loops[k] (long_sizes[s]) > 0;
	  }
      CHECK (known >= 60);
    }
  return AMP_RESULT;
}

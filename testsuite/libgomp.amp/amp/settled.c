/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Blocks of aid_static.  Where SF is known, each thread gets one, in the order
   of the threads, three quarters and one quarter, the same each time; where
   it is not, each thread gets one as well once the loop is known.  */
/* The loops take their schedule at run time although their bodies watch the
   threads.  */
/* { amp-options -fopenmp-default-schedule=free } */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3} {given} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3,1} {given} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3 GOMP_AMP_DEBUG=known} {given} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_DEBUG=known} {known} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1} {known} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@} {known} {} } */

#include "amp-test.h"

/* Each thread runs some iterations.  */
static int waiting;

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
    if (waiting)				\
      amp_meet (2);				\
    amp_work (20);				\
    amp_visit (ORDINAL);			\
  }

static void
begin (void)
{
  amp_meet_begin ();
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

/* So many executions in a row with one division are no chance.  */
#define RUNNING 8

int
main (int argc, char **argv)
{
  static long (*const loops[]) (long) = { region, combined, down };
  /* Some of one magnitude, growing and shrinking: they share a site.  */
  static const long sizes[] = { 1000, 600, 8, 10, 9, 3000, 2100, 4096 };
  /* Long enough for a block of 1/65 to have iterations.  */
  static const long long_sizes[] = { 1000, 2500, 5000 };
  int round;

  if (argc == 2 && strcmp (argv[1], "given") == 0)
    {
      for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
	for (unsigned k = 0; k < 3; k++)
	  for (round = 0; round < 20; round++)
	    CHECK (loops[k] (sizes[s]) == (3 * sizes[s] + 2) / 4);
      return AMP_RESULT;
    }
  /* Where the system has stopped a thread for long, a loop seems to be uneven,
     and is then not divided beforehand until it was observed again: the same
     division in some executions running will come, but not at once.  */
  for (unsigned k = 0; k < 3; k++)
    {
      int same = 0;
      long before = -1;

      for (unsigned s = 0; s < 3 && same < RUNNING; s++)
	for (same = 0, round = 0; round < 1000 && same < RUNNING; round++)
	  {
	    long at;

	    waiting = round < 4;
	    at = loops[k] (long_sizes[s]);
	    same = at > 0 && at == before ? same + 1 : 0;
	    before = at;
	  }
      CHECK (same == RUNNING);
    }
  return AMP_RESULT;
}

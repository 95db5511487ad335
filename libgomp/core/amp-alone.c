/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Regions that may be too short for a team, or whose threads wait for slow
   ones: whether one thread alone is faster.

   Each is judged by its own executions.  Some are timed as a team.  If they
   take longer than the work in them would take one thread, some are timed
   alone.  What was faster holds for a while, longer each time that it is
   confirmed.  How long an execution will take is not known before it begins, so
   only those of the greatest trip counts, summed over the region's loops, say
   what is faster, for all.

   Any number of threads may begin the same region at once: relaxed words, of
   which nothing but speed follows.  */

#include "amp-site.h"

/* So many executions are timed as a team.  Before them some go by in which
   threads may have to be woken.  */
#define AMP_ALONE_TIMED 32
#define AMP_ALONE_WOKEN 4
/* ... and alone.  */
#define AMP_ALONE_TRIED 8
/* No execution counts more than so many times what is expected, so that one in
   which a thread was held up decides nothing.  */
#define AMP_ALONE_MOST 8.0
/* A choice holds for the first number of executions; each time that it is made
   again twice as long, up to the second one: looking again costs 4 % in the
   first of these, and nothing in the last.  */
#define AMP_ALONE_FIRST 256
#define AMP_ALONE_LAST 65536
/* One thread must be faster by this part.  */
#define AMP_ALONE_MARGIN 0.05

enum amp_alone_phase
{
  AMP_ALONE_TIMING,		/* A team, timed.  */
  AMP_ALONE_TRYING,		/* One thread, timed.  */
  AMP_ALONE_TEAM,		/* A team is known to be faster, ...  */
  AMP_ALONE_ONE,		/* ... one thread is, ...  */
  AMP_ALONE_NEVER		/* ... or nothing is to be found out.  */
};

/* All zero at first.  */
struct amp_alone
{
  uint64_t phase;
  uint64_t left;		/* Executions until the phase ends; 0: it has
				   not begun.  */
  uint64_t holds;		/* How long the last choice did.  */
  uint64_t chosen;		/* That, a phase.  */
  uint64_t magnitude;		/* The greatest of its trip counts.  */
  uint64_t counted;		/* Executions as a team, in the sums.  */
  /* Sums of ticks, bits of doubles: of executions as a team, and of what the
     work in them takes one thread; of executions alone.  */
  uint64_t team, work, alone;
};

static void
amp_alone_begin_timing (struct amp_alone *a)
{
  AMP_STORE (&a->counted, 0, AMP_RELAXED);
  amp_store_double (&a->team, 0.0);
  amp_store_double (&a->work, 0.0);
  AMP_STORE (&a->left, AMP_ALONE_WOKEN + AMP_ALONE_TIMED, AMP_RELAXED);
  AMP_STORE (&a->phase, AMP_ALONE_TIMING, AMP_RELAXED);
}

/* An execution of A's region begins, to be run as this says.  After it one of
   amp_alone_end_* is due, but for AMP_ALONE_TEAM and AMP_ALONE_NEVER.  */

static enum amp_alone_phase
amp_alone_begin (struct amp_alone *a)
{
  enum amp_alone_phase phase
    = (enum amp_alone_phase) AMP_LOAD (&a->phase, AMP_RELAXED);
  uint64_t left = AMP_LOAD (&a->left, AMP_RELAXED);

  if (phase == AMP_ALONE_TEAM || phase == AMP_ALONE_ONE)
    {
      if (left > 1)
	AMP_STORE (&a->left, left - 1, AMP_RELAXED);
      else
	amp_alone_begin_timing (a);
    }
  else if (phase == AMP_ALONE_TIMING && left == 0)
    amp_alone_begin_timing (a);
  return phase;
}

static void
amp_alone_choose (struct amp_alone *a, enum amp_alone_phase phase)
{
  uint64_t holds = AMP_LOAD (&a->holds, AMP_RELAXED);

  if (AMP_LOAD (&a->chosen, AMP_RELAXED) != phase)
    holds = AMP_ALONE_FIRST;
  else if (holds < AMP_ALONE_LAST)
    holds *= 2;
  AMP_STORE (&a->chosen, phase, AMP_RELAXED);
  AMP_STORE (&a->holds, holds, AMP_RELAXED);
  AMP_STORE (&a->left, holds, AMP_RELAXED);
  AMP_STORE (&a->phase, phase, AMP_RELAXED);
}

/* An execution of A's region with a loop of N iterations has ended.  Does it
   count?  A greater one than all before begins anew.  */

static bool
amp_alone_end (struct amp_alone *a, uint64_t n)
{
  uint64_t known = AMP_LOAD (&a->magnitude, AMP_RELAXED);
  unsigned magnitude = amp_site_magnitude (n);

  if (magnitude > known)
    {
      AMP_STORE (&a->magnitude, magnitude, AMP_RELAXED);
      amp_alone_begin_timing (a);
    }
  return magnitude == known;
}

/* ... which took a team TICKS.  WORK: what it would take one thread, or 0 if
   that is not known.  */

static void
amp_alone_end_team (struct amp_alone *a, uint64_t n, double ticks, double work)
{
  bool counts = amp_alone_end (a, n) && work > 0.0;
  uint64_t left = AMP_LOAD (&a->left, AMP_RELAXED);
  uint64_t counted = AMP_LOAD (&a->counted, AMP_RELAXED);
  double team = amp_load_double (&a->team);
  double all = amp_load_double (&a->work);

  if (left <= AMP_ALONE_TIMED && counts)
    {
      team += ticks < AMP_ALONE_MOST * work ? ticks : AMP_ALONE_MOST * work;
      all += work;
      counted++;
      amp_store_double (&a->team, team);
      amp_store_double (&a->work, all);
      AMP_STORE (&a->counted, counted, AMP_RELAXED);
    }
  if (left > 1)
    {
      AMP_STORE (&a->left, left - 1, AMP_RELAXED);
      return;
    }
  if (counted < AMP_ALONE_TRIED || team * (1.0 - AMP_ALONE_MARGIN) <= all)
    {
      amp_alone_choose (a, AMP_ALONE_TEAM);
      return;
    }
  amp_store_double (&a->alone, 0.0);
  AMP_STORE (&a->left, AMP_ALONE_TRIED, AMP_RELAXED);
  AMP_STORE (&a->phase, AMP_ALONE_TRYING, AMP_RELAXED);
}

/* ... which took one thread TICKS.  */

static void
amp_alone_end_one (struct amp_alone *a, uint64_t n, double ticks)
{
  uint64_t left = AMP_LOAD (&a->left, AMP_RELAXED);
  double team = (amp_load_double (&a->team)
		 / (double) AMP_LOAD (&a->counted, AMP_RELAXED));
  double alone = amp_load_double (&a->alone);

  if (!amp_alone_end (a, n))
    return;
  alone += ticks < AMP_ALONE_MOST * team ? ticks : AMP_ALONE_MOST * team;
  amp_store_double (&a->alone, alone);
  if (left > 1)
    AMP_STORE (&a->left, left - 1, AMP_RELAXED);
  else
    amp_alone_choose (a, (alone / AMP_ALONE_TRIED
			  < team * (1.0 - AMP_ALONE_MARGIN)
			  ? AMP_ALONE_ONE : AMP_ALONE_TEAM));
}

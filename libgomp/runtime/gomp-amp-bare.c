/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Loops without a work share: those that are dealt like static whatever
   happens, and those of which a verdict says so (see amp-bare.c).  While a
   thread runs one, its current work share is gomp_amp_no_share, of which it is
   told that it has had its block; the one it has come by last waits in
   last_work_share, which is NULL between loops.  */

#include "gomp-amp-glue.h"

/* One of so many loops of which a verdict says that they need none takes a
   work share all the same, and is observed: a power of two.  Two readings of
   the clock and the share's way through the caches take less than a
   microsecond.  */
#define GOMP_AMP_BARE_LOOPS 64

/* Nothing but static's plan, of which who comes here has had its block.  */
struct gomp_work_share gomp_amp_no_share;

/* Loops may be bare.  False if all that there are are to be seen.  */
static bool gomp_amp_bare_loops;

/* Verdicts may say so: OMP_SCHEDULE leaves the choice to the library.  */
static bool gomp_amp_verdicts;

/* The program has chosen a schedule, in some thread: what the others go by
   must not depend on theirs.  Only ever set.  */
static bool gomp_amp_chosen;

/* Loops of which the thread has decided whether they take a work share.  */
static GOMP_AMP_THREAD uint32_t gomp_amp_decided;

static void
gomp_amp_init_bare (void)
{
  gomp_amp_no_share.sched = GFS_AMP;
  gomp_amp_set_plan (&gomp_amp_no_share, &gomp_amp_even_plan);
  gomp_amp_bare_loops = !(AMP_LOCKED || gomp_amp_slow_way
			  || gomp_amp_sees_stock_loops);
  gomp_amp_verdicts
    = (gomp_amp_bare_loops
       && gomp_amp_resolve (&gomp_global_icv, GOMP_AMP_CLAUSELESS)
	  == &gomp_amp_auto_icv);
}

/* A thread that begins a loop of SITE's looks at it.  */

static void
gomp_amp_judge_site (struct amp_site *site)
{
  if (gomp_amp_check.verdicts)
    amp_site_turn_verdict (site);
  else
    amp_site_judge_bare (site);
}

static void
gomp_amp_note_choice (void)
{
  if (!AMP_LOAD (&gomp_amp_chosen, AMP_RELAXED))
    AMP_STORE (&gomp_amp_chosen, true, AMP_RELAXED);
}

/* May a loop of TEAM's that is not bare be so another time?  */

static inline bool
gomp_amp_may_be_bare_p (struct gomp_team *team)
{
  return (gomp_amp_verdicts && team == gomp_thread ()->ts.team
	  && !AMP_LOAD (&gomp_amp_chosen, AMP_RELAXED));
}

/* Does a verdict say that a loop of N iterations at ADDRESS, without a clause,
   takes no work share in TEAM?  */

static bool
gomp_amp_judged_bare_p (struct gomp_team *team, const void *address,
			uint64_t n)
{
  struct amp_site *site;

  if (AMP_LOAD (&gomp_amp_chosen, AMP_RELAXED))
    return false;
  site = gomp_amp_look_up_site (address, team->nthreads, n);
  return site != NULL && amp_site_bare_p (site);
}

/* Does the loop of N iterations at ADDRESS, without a clause, take no work
   share?  Each thread of a team that comes to it must get the same answer.

   ADDRESS need not be the same for all: the compiler may have several copies of
   a call, and which one a thread comes to may depend on what it was given of
   the loop before.  What is the same is the number of such loops since the
   team's region began, and whether a barrier has followed the last one.  If
   none has, the answer is no.  Else the first thread to come decides, by the
   one word amp_agreed: twice the loop's number, from 1 on, and 1 more if it
   takes no work share.  That has no later loop's decision as long as a thread
   is on its way to this one: before such a loop there must be a barrier, which
   that thread has not come to.  The word says all that there is to say, so no
   order is needed.  */

static inline bool
gomp_amp_bare_loop_p (struct gomp_thread *thr, const void *address, uint64_t n)
{
  struct gomp_team *team = thr->ts.team;
  unsigned number, agreed;
  bool bare;

  /* Threads that cancel a loop may not come to the next.  */
  if (team == NULL || !gomp_amp_bare_loops || gomp_cancel_var)
    return false;
  if (n <= team->nthreads || (team->nthreads == 1
			     && gomp_amp_record_file[GOMP_AMP_RECORD_SF] == NULL))
    return true;
  if (gomp_amp_off)
    return true;
  if (!gomp_amp_verdicts)
    return false;
  thr->task->amp_loops++;
  if (thr->task->amp_hints & (GOMP_AMP_HINT_LOOP | GOMP_AMP_HINT_STEADY
			      | GOMP_AMP_HINT_REPLACEABLE))
    return false;
  thr->task->amp_hints |= GOMP_AMP_HINT_LOOP;
  number = 2 * thr->task->amp_loops;
  agreed = __atomic_load_n (&team->amp_agreed, __ATOMIC_RELAXED);
  if (agreed - number <= 1)
    return agreed & 1;
  /* Multiplicative hashing: loops in a fixed order get their turns all the
     same.  */
  bare = (gomp_amp_decided++ * UINT32_C (0x9e3779b1)
	  >= UINT32_MAX / GOMP_AMP_BARE_LOOPS
	  && gomp_amp_judged_bare_p (team, address, n));
  if (__atomic_compare_exchange_n (&team->amp_agreed, &agreed, number + bare,
				   false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return bare;
  return agreed & 1;
}

/* The calling thread begins such a loop and takes its block, *CHUNK.  False if
   that is empty.  */

static inline bool
gomp_amp_begin_bare (struct gomp_thread *thr, uint64_t n,
		     struct amp_chunk *chunk)
{
  thr->ts.last_work_share = thr->ts.work_share;
  thr->ts.work_share = &gomp_amp_no_share;
  thr->ts.static_trip = 0;
  return gomp_amp_take_block (&gomp_amp_even_plan, n, chunk);
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What programs call to begin loops, and what they tell.  */

#include "gomp-amp-glue.h"

/* Loops without a work share: those that are dealt like static whatever
   happens, and those of which a verdict says so (see amp-bare.c).  While a
   thread runs one, its current work share is gomp_amp_no_share, of which it is
   told that it has had its block; the one it has come by last waits in
   last_work_share, which is NULL between loops.  */

/* One of so many loops of which a verdict says that they need none takes a
   work share all the same, and is observed: a power of two.  That takes some
   microseconds more, so that it is a percent of loops of 2 us; a verdict turns
   by six of them in a row.  */
#define GOMP_AMP_BARE_LOOPS 256

/* After so many in a row that take none a team no longer agrees on each.  The
   next one that should take one does not: one of 64, at the most.  */
static unsigned gomp_amp_in_a_row = 64;

/* Nothing but static's plan, of which who comes here has had its block.  */
struct gomp_work_share gomp_amp_no_share;

/* The hashes of those that are below this.  */
static uint32_t gomp_amp_seen = UINT32_MAX / GOMP_AMP_BARE_LOOPS;

/* Loops may be bare.  False if all that there are are to be seen.  */
static bool gomp_amp_bare_loops;

/* Verdicts may say so: OMP_SCHEDULE leaves the choice to the library.  */
static bool gomp_amp_verdicts;

/* All are: OMP_SCHEDULE says static.  */
static bool gomp_amp_named_static;

/* The program has chosen a schedule, in some thread: what the others go by
   must not depend on theirs.  Only ever set.  */
static bool gomp_amp_chosen;

GOMP_AMP_PART void
gomp_amp_init_bare (void)
{
  const struct gomp_task_icv *icv;
  unsigned i;

  gomp_amp_no_share.sched = GFS_AMP;
  gomp_amp_set_plan (&gomp_amp_no_share, &gomp_amp_even_plan);
  gomp_amp_bare_loops = !(AMP_LOCKED || gomp_amp_slow_way
			  || gomp_amp_sees_stock_loops);
  gomp_amp_keeps = gomp_amp_bare_loops && gomp_amp_goal_of () == NULL;
  icv = gomp_amp_resolve (&gomp_global_icv, GOMP_AMP_CLAUSELESS);
  gomp_amp_verdicts = gomp_amp_keeps && icv == &gomp_amp_auto_icv;
  gomp_amp_named_static
    = (gomp_amp_bare_loops && icv->run_sched_chunk_size == 0
       && gomp_amp_record_file[GOMP_AMP_RECORD_SF] == NULL
       && (icv->run_sched_var & ~GFS_MONOTONIC) == GFS_STATIC);
  if (gomp_amp_check.verdicts)
    {
      gomp_amp_keeps = false;
      gomp_amp_seen = UINT32_MAX / 4;
      gomp_amp_in_a_row = 1;
    }
  for (i = 0; i <= GFS_GUIDED; i++)
    gomp_amp_takes[i] = (gomp_amp_sees_stock_loops
			 || gomp_amp_replace[i].kind != 0);
}

/* A thread that begins a loop of SITE's looks at it.  */

GOMP_AMP_PART void
gomp_amp_judge_site (struct amp_site *site)
{
  if (gomp_amp_check.verdicts)
    amp_site_turn_verdict (site);
  else
    amp_site_judge_bare (site);
}

GOMP_AMP_PART void
gomp_amp_note_choice (void)
{
  if (!AMP_LOAD (&gomp_amp_chosen, AMP_RELAXED))
    AMP_STORE (&gomp_amp_chosen, true, AMP_RELAXED);
}

/* TEAM's region begins.  It goes on as the last one did, unless the program has
   chosen a schedule, which holds from the first loop on.  */

GOMP_AMP_PART void
gomp_amp_begin_agreeing (struct gomp_team *team)
{
  team->amp_agreed.decided = 0;
  team->amp_agreed.mode &= !AMP_LOAD (&gomp_amp_chosen, AMP_RELAXED);
  team->amp_agreed.region++;
}

/* Do verdicts hold for loops without a clause?  */

GOMP_AMP_PART_INLINE bool
gomp_amp_may_judge_p (void)
{
  return gomp_amp_verdicts && !AMP_LOAD (&gomp_amp_chosen, AMP_RELAXED);
}

/* ... for R?  */

GOMP_AMP_PART_INLINE bool
gomp_amp_judged_p (const struct gomp_amp_request *r)
{
  return r->from.how == GOMP_AMP_CLAUSELESS && gomp_amp_may_judge_p ();
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
  if (gomp_amp_named_static)
    return true;
  site = gomp_amp_look_up_site (address, team->nthreads, n);
  return site != NULL && amp_site_bare_p (site);
}

/* Is the loop of TEAM's that has this NUMBER to be observed, whatever a verdict
   says?  Multiplicative hashing: loops in a fixed order get their turns all the
   same.  */

static inline bool
gomp_amp_seen_p (const struct gomp_team *team, unsigned number)
{
  return (!gomp_amp_named_static
	  && ((team->amp_agreed.region + number) * UINT32_C (0x9e3779b1)
	      < gomp_amp_seen));
}

/* Does the loop of N iterations at ADDRESS, without a clause, take no work
   share?  Each thread of THR's team must get the same answer.  ADDRESS need not
   be the same for all: the compiler may have several copies of a call, and
   which one a thread comes to may depend on what it was given of the loop
   before.  The loop's NUMBER since the region began is the same.  All have
   passed a barrier since the last such loop, but for the last paragraph's, so
   none is still on its way to it, and what was stored then is seen.

   Either each loop is agreed on, or all take none.  Which of the two is said by
   the word `mode': twice the number of the first loop for which it holds, and 1
   more if all take none; before that loop it is the other.  It is changed at
   loop NUMBER from the next one on, so what it says of NUMBER stays the same.

   Where each is agreed on, the first thread to come decides, by the word
   `decided': twice the loop's number, and 1 more if it takes none.  When that
   was so for many in a row, all take none, and no thread writes what the others
   read, until thread 0 comes to a loop that should take one; the next time that
   takes twice as many.  Static's blocks are right for any such loop.

   Each word says all that there is to say, so no order is needed.  The others
   are written by one thread alone: thread 0, or the one that has decided.

   TOLD nowait, all leave a loop that all know to be static's without a barrier.
   Then those up to the next barrier are static's, too, without asking, as who
   is ahead may be in any of them.  Thread 0 looks at these, too, and changes
   `mode' once.  The one before a loop that is to be observed waits.  */

static bool
gomp_amp_agree_bare_p (struct gomp_thread *thr, unsigned told,
		       const void *address, uint64_t n, unsigned number)
{
  struct gomp_team *team = thr->ts.team;
  unsigned mode = AMP_LOAD (&team->amp_agreed.mode, AMP_RELAXED);
  bool all = (mode & 1) != ((int) (2 * number - (mode & -2u)) < 0);
  unsigned decided;
  bool bare;

  if (all || (thr->task->amp_hints & GOMP_AMP_HINT_NOWAIT))
    {
      /* It is enough that one of them looks.  */
      if (thr->ts.team_id == 0 && (mode & 1)
	  && !gomp_amp_judged_bare_p (team, address, n))
	{
	  team->amp_agreed.in_a_row = 0;
	  if (team->amp_agreed.wrong < 20)
	    team->amp_agreed.wrong++;
	  AMP_STORE (&team->amp_agreed.mode, 2 * (number + 1), AMP_RELAXED);
	}
      if (gomp_amp_seen_p (team, number + 1)
	  || gomp_amp_replace[GFS_STATIC].kind != 0)
	thr->task->amp_hints &= ~GOMP_AMP_HINT_NOWAIT;
      else if (told & GOMP_AMP_TOLD_NOWAIT)
	thr->task->amp_hints |= GOMP_AMP_HINT_NOWAIT | GOMP_AMP_HINT_STATIC;
      return true;
    }
  decided = AMP_LOAD (&team->amp_agreed.decided, AMP_RELAXED);
  if (decided - 2 * number <= 1)
    return decided & 1;
  bare = gomp_amp_judged_bare_p (team, address, n);
  if (!AMP_CAS (&team->amp_agreed.decided, &decided, 2 * number + bare,
		AMP_RELAXED))
    return decided & 1;
  team->amp_agreed.in_a_row = bare ? team->amp_agreed.in_a_row + 1 : 0;
  if (team->amp_agreed.in_a_row >> team->amp_agreed.wrong >= gomp_amp_in_a_row)
    AMP_STORE (&team->amp_agreed.mode, 2 * (number + 1) + 1, AMP_RELAXED);
  return bare;
}

/* Does the loop of N iterations at ADDRESS, without a clause, of which the
   compiler said TOLD, take no work share?  Each thread of THR's team that comes
   to it must get the same answer: no, if no barrier has followed the last such
   loop, which might have had one.  */

static inline bool
gomp_amp_bare_loop_p (struct gomp_thread *thr, unsigned told,
		      const void *address, uint64_t n)
{
  struct gomp_team *team = thr->ts.team;
  unsigned number;

  /* Threads that cancel a loop may not come to the next.  */
  if (!gomp_amp_bare_loops || gomp_cancel_var)
    return false;
  if (team == NULL || team->nthreads == 1)
    return gomp_amp_record_file[GOMP_AMP_RECORD_SF] == NULL;
  /* Code that is not known may count on a thread for each iteration.  */
  if (n <= 1 || (n <= team->nthreads && !(told & GOMP_AMP_TOLD_ANY_ORDER)))
    return true;
  if (gomp_amp_off)
    return true;
  if (!gomp_amp_verdicts && !gomp_amp_named_static)
    return false;
  number = ++thr->task->amp_loops;
  if (!(thr->task->amp_hints & GOMP_AMP_HINT_NOWAIT))
    {
      if (thr->task->amp_hints & (GOMP_AMP_HINT_LOOP | GOMP_AMP_HINT_STEADY
				  | GOMP_AMP_HINT_REPLACEABLE))
	return false;
      thr->task->amp_hints |= GOMP_AMP_HINT_LOOP;
      if (gomp_amp_seen_p (team, number))
	return false;
    }
  return gomp_amp_agree_bare_p (thr, told, address, n, number);
}

/* The calling thread begins a loop of N iterations at ADDRESS, of which the
   compiler said TOLD.  True if it takes no work share: the thread's block,
   which may be empty, is *CHUNK.  */

static inline bool
gomp_amp_begin_bare (struct gomp_thread *thr, unsigned told,
		     const void *address, uint64_t n, struct amp_chunk *chunk)
{
  bool bare = (__builtin_expect ((told & GOMP_AMP_TOLD_STEADY) == 0, 1)
	       && gomp_amp_bare_loop_p (thr, told, address, n));

  if (bare)
    {
      thr->ts.last_work_share = thr->ts.work_share;
      thr->ts.work_share = &gomp_amp_no_share;
      gomp_amp_take_even_block (thr, n, chunk);
    }
  /* Who cancels may be anywhere: then the loop is as static's are.  */
  if ((told & GOMP_AMP_TOLD_NOWAIT) && thr->ts.team != NULL && !gomp_amp_off
      && !(thr->task->amp_hints & GOMP_AMP_HINT_NOWAIT))
    thr->task->amp_hints |= (gomp_cancel_var ? GOMP_AMP_HINT_STATIC
			     : GOMP_AMP_HINT_WAIT);
  gomp_amp_note_trips (thr, address, n, bare);
  return bare;
}

/* What programs call.  */

ialias_redirect (GOMP_loop_runtime_next)
ialias_redirect (GOMP_loop_ull_runtime_next)

/* Start a loop in the current team and take the first chunk.  The first thread
   alone decides about the schedule; the others go by what the work share
   says.  */

static bool
gomp_amp_loop_start (struct gomp_amp_from from, int sched, long chunk,
		     long start, long end, long incr, long *pstart, long *pend)
{
  struct gomp_thread *thr = gomp_thread ();

  thr->ts.static_trip = 0;
  if (gomp_work_share_start (0))
    {
      gomp_amp_loop_init (thr->ts.work_share, thr->ts.team, from, start, end,
			  incr, sched, chunk);
      gomp_work_share_init_done ();
    }
  return GOMP_loop_runtime_next (pstart, pend);
}

static bool
gomp_amp_loop_ull_start (struct gomp_amp_from from, int sched,
			 unsigned long long chunk, bool up,
			 unsigned long long start, unsigned long long end,
			 unsigned long long incr, unsigned long long *pstart,
			 unsigned long long *pend)
{
  struct gomp_thread *thr = gomp_thread ();

  thr->ts.static_trip = 0;
  if (gomp_work_share_start (0))
    {
      gomp_amp_loop_ull_init (thr->ts.work_share, thr->ts.team, from, up,
			      start, end, incr, sched, chunk);
      gomp_work_share_init_done ();
    }
  return GOMP_loop_ull_runtime_next (pstart, pend);
}

/* The same for loops without a clause, of which the compiler said TOLD and
   which may need no work share.  */

static inline bool __attribute__ ((always_inline))
gomp_amp_clauseless_start (unsigned told, const void *address, long start,
			   long end, long incr, long *pstart, long *pend)
{
  struct gomp_thread *thr = gomp_thread ();
  uint64_t n = gomp_amp_trips (start, end, incr);
  struct amp_chunk chunk;

  if (!gomp_amp_begin_bare (thr, told, address, n, &chunk))
    return gomp_amp_loop_start (gomp_amp_make_told_from (told, address), 0, 0,
				start, end, incr, pstart, pend);
  if (chunk.begin == chunk.end)
    return false;
  gomp_amp_bounds (start, end, incr, &chunk, n, pstart, pend);
  return true;
}

static inline bool __attribute__ ((always_inline))
gomp_amp_clauseless_ull_start (unsigned told, const void *address, bool up,
			       unsigned long long start,
			       unsigned long long end, unsigned long long incr,
			       unsigned long long *pstart,
			       unsigned long long *pend)
{
  struct gomp_thread *thr = gomp_thread ();
  uint64_t n = gomp_amp_ull_trips (up, start, end, incr);
  struct amp_chunk chunk;

  if (!gomp_amp_begin_bare (thr, told, address, n, &chunk))
    return gomp_amp_loop_ull_start (gomp_amp_make_told_from (told, address), 0,
				    0, up, start, end, incr, pstart, pend);
  if (chunk.begin == chunk.end)
    return false;
  gomp_amp_ull_bounds (start, end, incr, &chunk, n, pstart, pend);
  return true;
}

/* GOMP_loop_NAME_start for the exported NAMEs, for loops that say
   schedule (runtime), with the modifiers nonmonotonic, none, and monotonic in
   the plain ones.  */

#define GOMP_AMP_RUNTIME_START(NAME, HOW)				\
bool									\
GOMP_loop_##NAME##_start (long start, long end, long incr, long *istart, \
			  long *iend)					\
{									\
  return gomp_amp_loop_start (GOMP_AMP_FROM (HOW), 0, 0, start, end, incr, \
			      istart, iend);				\
}									\
									\
bool									\
GOMP_loop_ull_##NAME##_start (bool up, unsigned long long start,	\
			      unsigned long long end,			\
			      unsigned long long incr,			\
			      unsigned long long *istart,		\
			      unsigned long long *iend)			\
{									\
  return gomp_amp_loop_ull_start (GOMP_AMP_FROM (HOW), 0, 0, up, start,	\
				  end, incr, istart, iend);		\
}

#ifdef GOMP_AMP_BEFORE_GCC_9
/* OpenMP 4.5 does not ask that these loops be monotonic.  */
GOMP_AMP_RUNTIME_START (runtime, GOMP_AMP_RUNTIME)
#else
GOMP_AMP_RUNTIME_START (runtime, GOMP_AMP_MONOTONIC)
#endif

/* Without aliases loop.c and loop_ull.c define the others.  */
#ifdef HAVE_ATTRIBUTE_ALIAS
#ifndef GOMP_AMP_BEFORE_GCC_9
GOMP_AMP_RUNTIME_START (nonmonotonic_runtime, GOMP_AMP_RUNTIME)
GOMP_AMP_RUNTIME_START (maybe_nonmonotonic_runtime, GOMP_AMP_RUNTIME)
#endif

/* A loop that begins as static's is that, or what the compiler says that it
   is.  */

bool
GOMP_loop_static_start (long start, long end, long incr, long chunk_size,
			long *istart, long *iend)
{
  struct gomp_amp_from from;

  if (__builtin_expect (!GOMP_AMP_TOLD_P (chunk_size, istart), 0))
    return gomp_loop_static_start (start, end, incr, chunk_size, istart, iend);
  if (__builtin_expect (!(*istart & GOMP_AMP_TOLD_STATIC), 1))
    return gomp_amp_clauseless_start (*istart, GOMP_AMP_CALLER, start, end,
				      incr, istart, iend);
  from = GOMP_AMP_FROM_TOLD (istart);
  if (!gomp_amp_sees_stock_loops
      && gomp_amp_replaces (GFS_STATIC, from.how) == NULL)
    return gomp_loop_static_start (start, end, incr, 0, istart, iend);
  return gomp_amp_loop_start (from, GFS_STATIC, 0, start, end, incr, istart,
			      iend);
}

bool
GOMP_loop_ull_static_start (bool up, unsigned long long start,
			    unsigned long long end, unsigned long long incr,
			    unsigned long long chunk_size,
			    unsigned long long *istart,
			    unsigned long long *iend)
{
  struct gomp_amp_from from;

  if (__builtin_expect (!GOMP_AMP_TOLD_P (chunk_size, istart), 0))
    return gomp_loop_ull_static_start (up, start, end, incr, chunk_size,
				       istart, iend);
  if (__builtin_expect (!(*istart & GOMP_AMP_TOLD_STATIC), 1))
    return gomp_amp_clauseless_ull_start (*istart, GOMP_AMP_CALLER, up, start,
					  end, incr, istart, iend);
  from = GOMP_AMP_FROM_TOLD (istart);
  if (!gomp_amp_sees_stock_loops
      && gomp_amp_replaces (GFS_STATIC, from.how) == NULL)
    return gomp_loop_ull_static_start (up, start, end, incr, 0, istart, iend);
  return gomp_amp_loop_ull_start (from, GFS_STATIC, 0, up, start, end, incr,
				  istart, iend);
}

#define GOMP_AMP_EXPLICIT_START(NAME, STOCK, KIND, HOW)			\
bool									\
GOMP_loop_##NAME##_start (long start, long end, long incr,		\
			  long chunk_size, long *istart, long *iend)	\
{									\
  if (__builtin_expect (!gomp_amp_takes[KIND], 1))			\
    return gomp_loop_##STOCK##_start (start, end, incr, chunk_size,	\
				      istart, iend);			\
  return gomp_amp_loop_start (GOMP_AMP_FROM (HOW), KIND, chunk_size,	\
			      start, end, incr, istart, iend);		\
}									\
									\
bool									\
GOMP_loop_ull_##NAME##_start (bool up, unsigned long long start,	\
			      unsigned long long end,			\
			      unsigned long long incr,			\
			      unsigned long long chunk_size,		\
			      unsigned long long *istart,		\
			      unsigned long long *iend)			\
{									\
  if (__builtin_expect (!gomp_amp_takes[KIND], 1))			\
    return gomp_loop_ull_##STOCK##_start (up, start, end, incr,		\
					  chunk_size, istart, iend);	\
  return gomp_amp_loop_ull_start (GOMP_AMP_FROM (HOW), KIND, chunk_size, \
				  up, start, end, incr, istart, iend);	\
}

GOMP_AMP_EXPLICIT_START (dynamic, dynamic, GFS_DYNAMIC,
			 GOMP_AMP_EXPLICIT_MONOTONIC)
GOMP_AMP_EXPLICIT_START (nonmonotonic_dynamic, dynamic, GFS_DYNAMIC,
			 GOMP_AMP_EXPLICIT)
GOMP_AMP_EXPLICIT_START (guided, guided, GFS_GUIDED,
			 GOMP_AMP_EXPLICIT_MONOTONIC)
GOMP_AMP_EXPLICIT_START (nonmonotonic_guided, guided, GFS_GUIDED,
			 GOMP_AMP_EXPLICIT)

ialias_redirect (GOMP_parallel_end)

#define GOMP_AMP_PARALLEL_RUNTIME(NAME)				\
void									\
GOMP_parallel_loop_##NAME (void (*fn) (void *), void *data,		\
			   unsigned num_threads, long start, long end,	\
			   long incr, unsigned flags)			\
{									\
  gomp_parallel_loop_start (fn, data, num_threads, start, end, incr,	\
			    GFS_RUNTIME, 0,				\
			    gomp_amp_flags (flags, GOMP_AMP_RUNTIME));	\
  fn (data);								\
  GOMP_parallel_end ();							\
}

#ifndef GOMP_AMP_BEFORE_GCC_9
GOMP_AMP_PARALLEL_RUNTIME (nonmonotonic_runtime)
GOMP_AMP_PARALLEL_RUNTIME (maybe_nonmonotonic_runtime)
#endif

#define GOMP_AMP_PARALLEL_EXPLICIT(NAME, KIND)				\
void									\
GOMP_parallel_loop_##NAME (void (*fn) (void *), void *data,		\
			   unsigned num_threads, long start, long end,	\
			   long incr, long chunk_size, unsigned flags)	\
{									\
  gomp_parallel_loop_start (fn, data, num_threads, start, end, incr,	\
			    KIND, chunk_size,				\
			    gomp_amp_flags (flags, GOMP_AMP_EXPLICIT));	\
  fn (data);								\
  GOMP_parallel_end ();							\
}

GOMP_AMP_PARALLEL_EXPLICIT (nonmonotonic_dynamic, GFS_DYNAMIC)
GOMP_AMP_PARALLEL_EXPLICIT (nonmonotonic_guided, GFS_GUIDED)
#endif

int
gomp_amp_take_hint (int level)
{
  struct gomp_task *task = gomp_thread ()->task;
  unsigned hint = -(unsigned) level;

  if ((hint & ~GOMP_AMP_HINTS_TOLD) == 0 && task != NULL)
    task->amp_hints |= hint;
  if (hint == GOMP_AMP_HINT_ANY_TEAM)
    gomp_amp_note_any_team ();
  return hint == GOMP_AMP_WHO ? GOMP_AMP_WHO : -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Chunk after chunk, and ordinals as variables of loops.  */

#include "gomp-amp-glue.h"

/* One thread in so many is held up before, and after, its part of a loop.  */
#define GOMP_AMP_DELAYED 3

/* The calling thread sleeps.  It is not cancelled here, where others may wait
   for it, and its errno stays.  */

static void
gomp_amp_nap (uint64_t nanoseconds)
{
  struct gomp_amp_held held = gomp_amp_hold ();
  struct timespec ts = { 0, nanoseconds };

  nanosleep (&ts, NULL);
  gomp_amp_hold_end (held);
}

GOMP_AMP_PART void __attribute__ ((noinline))
gomp_amp_hold_up (const struct gomp_amp_block *block,
		  const struct amp_lane *lane, unsigned after)
{
  if (amp_draw (block->draw_seed + after, lane->id) % GOMP_AMP_DELAYED == 0)
    gomp_amp_nap (gomp_amp_check.delay);
}

/* The calling thread's lane is paused: sleep for a while, which the others'
   memory and CPUs are spared.  False if the loop or the region is cancelled:
   there may be nobody left who would give it anything.  */

#define GOMP_AMP_PAUSE 20000

static bool __attribute__ ((noinline))
gomp_amp_pause (void)
{
  struct gomp_team *team = gomp_thread ()->ts.team;

  if (team == NULL || team->work_share_cancelled
      || gomp_team_barrier_cancelled (&team->barrier))
    return false;
  gomp_amp_nap (GOMP_AMP_PAUSE);
  return true;
}

GOMP_AMP_PART_INLINE bool
gomp_amp_enter_and_take (struct gomp_work_share *ws, struct amp_loop *loop,
			 struct amp_lane *lane, struct amp_chunk *chunk,
			 unsigned *before)
{
  bool ret;

  if (__builtin_expect (gomp_amp_check.delay != 0, 0)
      && amp_loop_fresh_p (loop, lane))
    gomp_amp_hold_up (ws->amp, lane, 0);
  do
    {
      GOMP_AMP_LOCK (ws);
      if (__builtin_expect (amp_loop_fresh_p (loop, lane), 0))
	amp_loop_enter (loop, lane, gomp_amp_arrive (gomp_thread ()));
      *before = lane->state;
      if (AMP_LOCKED && loop->is_observed)
	GOMP_AMP_SITE_LOCK ();
      ret = amp_loop_take_or_end (loop, lane, chunk);
      if (AMP_LOCKED && loop->is_observed)
	GOMP_AMP_SITE_UNLOCK ();
      GOMP_AMP_UNLOCK (ws);
    }
  while (__builtin_expect (!ret && lane->state == AMP_ST_PAUSED, 0)
	 && gomp_amp_pause ());
  if (__builtin_expect (gomp_amp_check.delay != 0, 0) && !ret)
    gomp_amp_hold_up (ws->amp, lane, 1);
  return ret;
}

/* Trip counts.  Differences are taken without sign: the span of a loop from
   LONG_MIN to LONG_MAX does not fit into a long.  */

GOMP_AMP_PART_INLINE uint64_t
gomp_amp_trips (long start, long end, long incr)
{
  unsigned long span, step;

  if (incr > 0 ? start >= end : start <= end)
    return 0;
  if (incr > 0)
    {
      span = (unsigned long) end - (unsigned long) start;
      step = incr;
    }
  else
    {
      span = (unsigned long) start - (unsigned long) end;
      step = -(unsigned long) incr;
    }
  return step == 1 ? span : span / step + (span % step != 0);
}

GOMP_AMP_PART_INLINE uint64_t
gomp_amp_ull_trips (bool up, unsigned long long start, unsigned long long end,
		    unsigned long long incr)
{
  unsigned long long span = up ? end - start : start - end;
  unsigned long long step = up ? incr : -incr;

  if (up ? start >= end : start <= end)
    return 0;
  return step == 1 ? span : span / step + (span % step != 0);
}

void
gomp_amp_loop_init (struct gomp_work_share *ws, struct gomp_team *team,
		    struct gomp_amp_from from, long start, long end,
		    long incr, long sched, long chunk)
{
  uint64_t n = gomp_amp_trips (start, end, incr);
  struct gomp_amp_request r;
  struct amp_plan *plan;

  gomp_amp_make_request (&r, team, from, n);
  plan = gomp_amp_recall (ws, team, &r);
  if (plan != NULL)
    {
      gomp_loop_init (ws, start, end, incr, GFS_AMP, 0);
      gomp_amp_begin_again (ws, &r, plan);
      return;
    }
  gomp_amp_find_schedule (&r, sched, chunk);
  if (gomp_amp_left_to_stock_p (&r))
    gomp_loop_init (ws, start, end, incr, r.sched, r.chunk);
  else
    {
      gomp_loop_init (ws, start, end, incr, GFS_AMP, 0);
      if (!gomp_amp_begin (ws, team, &r))
	{
	  gomp_loop_init (ws, start, end, incr, r.sched, r.chunk);
	  gomp_amp_watch_stock (ws, &r, start);
	}
    }
}

void
gomp_amp_loop_ull_init (struct gomp_work_share *ws, struct gomp_team *team,
			struct gomp_amp_from from, bool up,
			unsigned long long start, unsigned long long end,
			unsigned long long incr, long sched,
			unsigned long long chunk)
{
  uint64_t n = gomp_amp_ull_trips (up, start, end, incr);
  struct gomp_amp_request r;
  struct amp_plan *plan;

  gomp_amp_make_request (&r, team, from, n);
  plan = gomp_amp_recall (ws, team, &r);
  if (plan != NULL)
    {
      gomp_loop_ull_init (ws, up, start, end, incr, GFS_AMP, 0);
      gomp_amp_begin_again (ws, &r, plan);
      return;
    }
  gomp_amp_find_schedule (&r, sched, chunk);
  if (gomp_amp_left_to_stock_p (&r))
    gomp_loop_ull_init (ws, up, start, end, incr, r.sched, r.chunk);
  else
    {
      gomp_loop_ull_init (ws, up, start, end, incr, GFS_AMP, 0);
      if (!gomp_amp_begin (ws, team, &r))
	{
	  gomp_loop_ull_init (ws, up, start, end, incr, r.sched, r.chunk);
	  gomp_amp_watch_stock (ws, &r, start);
	}
    }
}

/* CHUNK of a loop of N iterations from START to END by INCR as bounds.  The
   last chunk's end is the loop's own: a step that does not divide the span
   must not carry it past the end, which may not be representable.  */

GOMP_AMP_PART_INLINE void
gomp_amp_bounds (long start, long end, long incr, const struct amp_chunk *chunk,
		 uint64_t n, long *pstart, long *pend)
{
  *pstart = ((unsigned long) start
	     + (unsigned long) chunk->begin * (unsigned long) incr);
  *pend = (chunk->end == n ? end
	   : (long) ((unsigned long) start
		     + (unsigned long) chunk->end * (unsigned long) incr));
}

GOMP_AMP_PART_INLINE void
gomp_amp_ull_bounds (unsigned long long start, unsigned long long end,
		     unsigned long long incr, const struct amp_chunk *chunk,
		     uint64_t n, unsigned long long *pstart,
		     unsigned long long *pend)
{
  *pstart = start + chunk->begin * incr;
  *pend = chunk->end == n ? end : start + chunk->end * incr;
}

/* CHUNK of WS's loop of N iterations.  */

GOMP_AMP_PART_INLINE void
gomp_amp_chunk_bounds (const struct gomp_work_share *ws,
		       const struct amp_chunk *chunk, uint64_t n, long *pstart,
		       long *pend)
{
  gomp_amp_bounds (ws->next, ws->end, ws->incr, chunk, n, pstart, pend);
}

GOMP_AMP_PART_INLINE void
gomp_amp_ull_chunk_bounds (const struct gomp_work_share *ws,
			   const struct amp_chunk *chunk, uint64_t n,
			   unsigned long long *pstart, unsigned long long *pend)
{
  gomp_amp_ull_bounds (ws->next_ull, ws->end_ull, ws->incr_ull, chunk, n,
		       pstart, pend);
}

/* Iterations of WS's loop, which has PLAN.  */

GOMP_AMP_PART uint64_t
gomp_amp_plan_trips (const struct gomp_work_share *ws,
		     const struct amp_plan *plan)
{
  return (plan->kind == AMP_PLAN_EVEN
	  ? gomp_amp_trips (ws->next, ws->end, ws->incr) : plan->n);
}

GOMP_AMP_PART uint64_t
gomp_amp_ull_plan_trips (const struct gomp_work_share *ws,
			 const struct amp_plan *plan)
{
  return (plan->kind == AMP_PLAN_EVEN
	  ? gomp_amp_ull_trips (!(ws->mode & 2), ws->next_ull, ws->end_ull,
				ws->incr_ull)
	  : plan->n);
}

/* A block of a plan is taken once, a chunk of a loop many times, in some
   schedules mostly one like the last, and all but these seldom.  So each of
   these has a function of its own, that the usual chunk's may save few
   registers, and the other none.  */

static bool __attribute__ ((noinline))
gomp_amp_plan_bounds (struct gomp_work_share *ws, long *pstart, long *pend)
{
  struct amp_plan *plan = gomp_amp_plan_of (ws);
  struct amp_chunk chunk;
  uint64_t n = gomp_amp_plan_trips (ws, plan);
  if (!gomp_amp_take_block (plan, n, &chunk))
    return false;
  gomp_amp_chunk_bounds (ws, &chunk, n, pstart, pend);
  return true;
}

static bool __attribute__ ((noinline))
gomp_amp_ull_plan_bounds (struct gomp_work_share *ws,
			  unsigned long long *pstart,
			  unsigned long long *pend)
{
  struct amp_plan *plan = gomp_amp_plan_of (ws);
  struct amp_chunk chunk;
  uint64_t n = gomp_amp_ull_plan_trips (ws, plan);
  if (!gomp_amp_take_block (plan, n, &chunk))
    return false;
  gomp_amp_ull_chunk_bounds (ws, &chunk, n, pstart, pend);
  return true;
}

/* The calling thread's lane has been told that there is nothing: a chunk if
   that was for a while only, and there is something now.  */

static struct amp_chunk __attribute__ ((noinline))
gomp_amp_end_lane (struct gomp_work_share *ws)
{
  struct amp_loop *loop = gomp_amp_block_loop (ws->amp);
  struct amp_lane *lane = amp_loop_lane (loop, gomp_thread ()->ts.team_id);
  struct amp_chunk chunk;

  while (lane->state == AMP_ST_PAUSED && gomp_amp_pause ())
    if (amp_loop_take_or_end (loop, lane, &chunk))
      return chunk;
  if (lane->run == 0)
    gomp_amp_idle ();
  amp_loop_end (loop, lane);
  return amp_no_chunk ();
}

/* Next chunk of WS's loop for LANE, the calling thread's, if it is not one like
   the last.  */

static inline struct amp_chunk
gomp_amp_take_chunk (struct gomp_work_share *ws, struct amp_loop *loop,
		     struct amp_lane *lane)
{
  struct amp_chunk chunk;

  if (AMP_LOCKED)
    {
      unsigned before;

      gomp_amp_enter_and_take (ws, loop, lane, &chunk, &before);
      return chunk;
    }
  if (__builtin_expect (amp_loop_fresh_p (loop, lane), 0))
    amp_loop_enter (loop, lane, gomp_amp_arrive (gomp_thread ()));
  chunk = loop->ops->next_chunk (loop, lane);
  if (__builtin_expect (!amp_chunk_p (chunk), 0))
    chunk = gomp_amp_end_lane (ws);
  return chunk;
}

static bool __attribute__ ((noinline))
gomp_amp_other_bounds (struct gomp_work_share *ws, struct amp_loop *loop,
		       struct amp_lane *lane, long *pstart, long *pend)
{
  struct amp_chunk chunk = gomp_amp_take_chunk (ws, loop, lane);

  if (__builtin_expect (!amp_chunk_p (chunk), 0))
    return false;
  gomp_amp_chunk_bounds (ws, &chunk, gomp_amp_block_loop (ws->amp)->n, pstart,
			 pend);
  return true;
}

static bool __attribute__ ((noinline))
gomp_amp_ull_other_bounds (struct gomp_work_share *ws, struct amp_loop *loop,
			   struct amp_lane *lane, unsigned long long *pstart,
			   unsigned long long *pend)
{
  struct amp_chunk chunk = gomp_amp_take_chunk (ws, loop, lane);

  if (__builtin_expect (!amp_chunk_p (chunk), 0))
    return false;
  gomp_amp_ull_chunk_bounds (ws, &chunk, gomp_amp_block_loop (ws->amp)->n,
			     pstart, pend);
  return true;
}

/* LANE's next chunk, if it is one like the last.  */

static inline bool
gomp_amp_take_alike (struct amp_loop *loop, struct amp_lane *lane,
		     struct amp_chunk *chunk)
{
  if (AMP_LOCKED || amp_loop_fresh_p (loop, lane) || lane->alike == 0)
    return false;
  *chunk = amp_loop_take_alike (loop, lane);
  return __builtin_expect (amp_chunk_p (*chunk), 1);
}

bool
gomp_amp_next_bounds (long *pstart, long *pend)
{
  struct gomp_thread *thr = gomp_thread ();
  struct gomp_work_share *ws = thr->ts.work_share;
  struct amp_loop *loop;
  struct amp_lane *lane;
  struct amp_chunk chunk;

  if (__builtin_expect (gomp_amp_slow_way, 0))
    return gomp_amp_watched_bounds (ws, pstart, pend);
  /* gomp_amp_no_share has no bounds.  */
  if (gomp_amp_plan_of (ws) != NULL)
    return (thr->ts.static_trip == 0
	    && gomp_amp_plan_bounds (ws, pstart, pend));
  loop = gomp_amp_block_loop (ws->amp);
  lane = amp_loop_lane (loop, thr->ts.team_id);
  if (!gomp_amp_take_alike (loop, lane, &chunk))
    return gomp_amp_other_bounds (ws, loop, lane, pstart, pend);
  gomp_amp_chunk_bounds (ws, &chunk, loop->n, pstart, pend);
  return true;
}

bool
gomp_amp_ull_next_bounds (unsigned long long *pstart, unsigned long long *pend)
{
  struct gomp_thread *thr = gomp_thread ();
  struct gomp_work_share *ws = thr->ts.work_share;
  struct amp_loop *loop;
  struct amp_lane *lane;
  struct amp_chunk chunk;

  if (__builtin_expect (gomp_amp_slow_way, 0))
    return gomp_amp_ull_watched_bounds (ws, pstart, pend);
  if (gomp_amp_plan_of (ws) != NULL)
    return (thr->ts.static_trip == 0
	    && gomp_amp_ull_plan_bounds (ws, pstart, pend));
  loop = gomp_amp_block_loop (ws->amp);
  lane = amp_loop_lane (loop, thr->ts.team_id);
  if (!gomp_amp_take_alike (loop, lane, &chunk))
    return gomp_amp_ull_other_bounds (ws, loop, lane, pstart, pend);
  gomp_amp_ull_chunk_bounds (ws, &chunk, loop->n, pstart, pend);
  return true;
}

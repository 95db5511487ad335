/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Chunks about which there is more to do than to hand them out, since loops are
   traced or reported, or threads held up: the slow way.  What divides the loop
   is the same as without: a plan, a schedule of the core, or libgomp's own
   code, around which chunks are timed.  Such a loop's work share is in the
   state in which libgomp wants it, but for its schedule, which is GFS_AMP, so
   that threads come here; its block's loop serves to observe it.  */

#include "gomp-amp-glue.h"
#include "gomp-amp-spool.h"

static const struct amp_ops gomp_amp_stock_ops[GFS_GUIDED + 1] = {
  { .name = "?" },
  [GFS_STATIC] = { .name = "static", .kind = GFS_STATIC,
		   .flags = AMP_MONOTONIC },
  [GFS_DYNAMIC] = { .name = "dynamic", .kind = GFS_DYNAMIC,
		    .flags = AMP_MONOTONIC },
  [GFS_GUIDED] = { .name = "guided", .kind = GFS_GUIDED,
		   .flags = AMP_MONOTONIC }
};

/* WS has been begun by libgomp, for R, whose variable begins at START.  */

static void
gomp_amp_watch_stock (struct gomp_work_share *ws,
		      const struct gomp_amp_request *r,
		      unsigned long long start)
{
  if (!gomp_amp_slow_way || ws->amp == NULL || ws->amp->kind != r->sched)
    return;
  ws->amp->stock_sched = r->sched;
  ws->amp->start = start;
  ws->sched = GFS_AMP;
}

/* The calling thread asks for a chunk of BLOCK's loop, which libgomp divides;
   its lane.  */

static struct amp_lane *
gomp_amp_stock_ask (struct gomp_work_share *ws)
{
  struct gomp_thread *thr = gomp_thread ();
  struct amp_loop *loop = gomp_amp_block_loop (ws->amp);
  struct amp_lane *lane = amp_loop_lane (loop, thr->ts.team_id);

  if (amp_loop_fresh_p (loop, lane))
    {
      if (gomp_amp_check.delay != 0)
	gomp_amp_hold_up (ws->amp, lane, 0);
      GOMP_AMP_LOCK (ws);
      amp_loop_enter (loop, lane, amp_current_type ());
      GOMP_AMP_UNLOCK (ws);
    }
  return lane;
}

/* ... and has got CHUNK, for LANE, or nothing (FALSE).  */

static void
gomp_amp_stock_got (struct gomp_work_share *ws, struct amp_lane *lane,
		    const struct amp_chunk *chunk, bool got)
{
  struct amp_loop *loop = gomp_amp_block_loop (ws->amp);

  if (got)
    {
      lane->run += chunk->end - chunk->begin;
      gomp_amp_trace_grant (ws->amp, chunk, GOMP_AMP_CHUNK, lane->type);
      return;
    }
  gomp_amp_trace_leave (ws->amp);
  GOMP_AMP_LOCK (ws);
  GOMP_AMP_SITE_LOCK ();
  amp_loop_end (loop, lane);
  GOMP_AMP_SITE_UNLOCK ();
  GOMP_AMP_UNLOCK (ws);
  if (gomp_amp_check.delay != 0)
    gomp_amp_hold_up (ws->amp, lane, 1);
}

/* libgomp's next chunk of WS's loop, as in loop.c.  */

static bool
gomp_amp_stock_bounds (struct gomp_work_share *ws, long *pstart, long *pend)
{
  bool ret;

  if (ws->amp->stock_sched == GFS_STATIC)
    return !gomp_iter_static_next (pstart, pend);
#ifdef HAVE_SYNC_BUILTINS
  ret = (ws->amp->stock_sched == GFS_DYNAMIC
	 ? gomp_iter_dynamic_next (pstart, pend)
	 : gomp_iter_guided_next (pstart, pend));
#else
  gomp_mutex_lock (&ws->lock);
  ret = (ws->amp->stock_sched == GFS_DYNAMIC
	 ? gomp_iter_dynamic_next_locked (pstart, pend)
	 : gomp_iter_guided_next_locked (pstart, pend));
  gomp_mutex_unlock (&ws->lock);
#endif
  return ret;
}

/* ... and as in loop_ull.c.  */

static bool
gomp_amp_ull_stock_bounds (struct gomp_work_share *ws,
			   unsigned long long *pstart,
			   unsigned long long *pend)
{
  bool ret;

  if (ws->amp->stock_sched == GFS_STATIC)
    return !gomp_iter_ull_static_next (pstart, pend);
#if defined HAVE_SYNC_BUILTINS && defined __LP64__
  ret = (ws->amp->stock_sched == GFS_DYNAMIC
	 ? gomp_iter_ull_dynamic_next (pstart, pend)
	 : gomp_iter_ull_guided_next (pstart, pend));
#else
  gomp_mutex_lock (&ws->lock);
  ret = (ws->amp->stock_sched == GFS_DYNAMIC
	 ? gomp_iter_ull_dynamic_next_locked (pstart, pend)
	 : gomp_iter_ull_guided_next_locked (pstart, pend));
  gomp_mutex_unlock (&ws->lock);
#endif
  return ret;
}

/* The calling thread's block of PLAN, for WS's loop of N iterations.  */

static bool
gomp_amp_watched_block (struct gomp_work_share *ws,
			struct gomp_amp_plan *plan, uint64_t n,
			struct amp_chunk *chunk)
{
  struct gomp_amp_block *block = ws->amp;
  const struct amp_ops *ops;

  gomp_amp_trace_ask (block);
  if (!gomp_amp_take_block (plan, n, chunk))
    {
      gomp_amp_trace_leave (block);
      return false;
    }
  if (block == NULL)
    return true;
  ops = amp_find_kind (block->kind);
  gomp_amp_trace_grant (block, chunk,
			ops != NULL && (ops->flags & AMP_KEEPS_BLOCKS)
			? GOMP_AMP_AID : GOMP_AMP_CHUNK,
			amp_current_type ());
  return true;
}

/* ... or its chunk of a loop of the core.  */

static bool
gomp_amp_watched_chunk (struct gomp_work_share *ws, struct amp_chunk *chunk)
{
  struct gomp_amp_block *block = ws->amp;
  struct amp_loop *loop = gomp_amp_block_loop (block);
  struct amp_lane *lane = amp_loop_lane (loop, gomp_thread ()->ts.team_id);
  unsigned before;

  gomp_amp_trace_ask (block);
  if (!gomp_amp_enter_and_take (ws, loop, lane, chunk, &before))
    {
      gomp_amp_trace_leave (block);
      return false;
    }
  gomp_amp_trace_grant (block, chunk,
			gomp_amp_phase_of (loop, lane, before, chunk),
			lane->type);
  return true;
}

static bool __attribute__ ((noinline))
gomp_amp_watched_bounds (struct gomp_work_share *ws, long *pstart, long *pend)
{
  struct gomp_amp_block *block = ws->amp;
  struct gomp_amp_plan *plan;
  struct amp_chunk chunk = amp_no_chunk ();
  uint64_t n;

  if (block != NULL && block->stock_sched != 0)
    {
      struct amp_lane *lane = gomp_amp_stock_ask (ws);
      bool got;

      gomp_amp_trace_ask (block);
      got = gomp_amp_stock_bounds (ws, pstart, pend);
      if (got)
	{
	  chunk.begin = gomp_amp_trips ((long) block->start, *pstart, ws->incr);
	  chunk.end = (chunk.begin
		       + gomp_amp_trips (*pstart, *pend, ws->incr));
	}
      gomp_amp_stock_got (ws, lane, &chunk, got);
      return got;
    }
  plan = gomp_amp_plan_of (ws);
  n = (plan != NULL ? gomp_amp_plan_trips (ws, plan)
       : gomp_amp_block_loop (block)->n);
  if (!(plan != NULL ? gomp_amp_watched_block (ws, plan, n, &chunk)
	: gomp_amp_watched_chunk (ws, &chunk)))
    return false;
  gomp_amp_chunk_bounds (ws, &chunk, n, pstart, pend);
  return true;
}

static bool __attribute__ ((noinline))
gomp_amp_ull_watched_bounds (struct gomp_work_share *ws,
			     unsigned long long *pstart,
			     unsigned long long *pend)
{
  struct gomp_amp_block *block = ws->amp;
  struct gomp_amp_plan *plan;
  struct amp_chunk chunk = amp_no_chunk ();
  uint64_t n;

  if (block != NULL && block->stock_sched != 0)
    {
      struct amp_lane *lane = gomp_amp_stock_ask (ws);
      bool up = !(ws->mode & 2), got;

      gomp_amp_trace_ask (block);
      got = gomp_amp_ull_stock_bounds (ws, pstart, pend);
      if (got)
	{
	  chunk.begin = gomp_amp_ull_trips (up, block->start, *pstart,
					    ws->incr_ull);
	  chunk.end = chunk.begin + gomp_amp_ull_trips (up, *pstart, *pend,
							ws->incr_ull);
	}
      gomp_amp_stock_got (ws, lane, &chunk, got);
      return got;
    }
  plan = gomp_amp_plan_of (ws);
  n = (plan != NULL ? gomp_amp_ull_plan_trips (ws, plan)
       : gomp_amp_block_loop (block)->n);
  if (!(plan != NULL ? gomp_amp_watched_block (ws, plan, n, &chunk)
	: gomp_amp_watched_chunk (ws, &chunk)))
    return false;
  gomp_amp_ull_chunk_bounds (ws, &chunk, n, pstart, pend);
  return true;
}

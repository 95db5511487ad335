/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   GOMP_AMP_TRACE's records of single chunks: the chunks of teams, and what
   iterations cost in teams of one.

   A chunk begins when it has been handed out and ends when its thread asks for
   the next one of the same loop.  Between, the thread may run other loops:
   those of a nested team.  So each thread has a stack of open chunks.  An entry
   is known by the number of its loop's execution, and lies on a deeper level
   of nesting than those below; entries for which that is not so are of loops
   that were cancelled.  */

#include "gomp-amp-glue.h"
#include "gomp-amp-trace-file.h"

static struct gomp_amp_spool gomp_amp_traced, gomp_amp_recorded;

/* Executions so far.  */
static uint32_t gomp_amp_executions;

GOMP_AMP_PART const char *
gomp_amp_kind_name (unsigned kind)
{
  const struct amp_ops *ops;

  if (kind <= GFS_GUIDED)
    return gomp_amp_stock_ops[kind].name;
  if (kind == (unsigned) amp_fixed.kind)
    return amp_fixed.name;
  if (kind == (unsigned) amp_shuffle.kind)
    return amp_shuffle.name;
  ops = amp_find_kind (kind);
  return ops != NULL ? ops->name : "?";
}

/* Where chunks of BLOCK's loop go; NULL: nowhere.  */

static struct gomp_amp_spool *
gomp_amp_spool_of (const struct gomp_amp_block *block)
{
  struct gomp_amp_spool *spool = (block->kind == GOMP_AMP_RECORDED
				  ? &gomp_amp_recorded : &gomp_amp_traced);

  return spool->file != NULL ? spool : NULL;
}

/* The topmost chunk of T was left, for its loop was cancelled.  */

static void
gomp_amp_drop_open (struct gomp_amp_tracer *t)
{
  struct gomp_amp_event *left = &t->open[--t->nopen].event;

  left->end = left->start;
  gomp_amp_emit (t, left);
}

/* T's open chunk of BLOCK's loop, or NULL.  */

static struct gomp_amp_open *
gomp_amp_find_open (struct gomp_amp_tracer *t,
		    const struct gomp_amp_block *block)
{
  unsigned i = t->nopen;

  while (i-- > 0)
    if (t->open[i].event.loop == block->trace_number)
      {
	while (t->nopen > i + 1)
	  gomp_amp_drop_open (t);
	return &t->open[i];
      }
  return NULL;
}

/* What CHUNK is, which LANE got when it was in state BEFORE.  */

static unsigned
gomp_amp_phase_of (struct amp_loop *loop, const struct amp_lane *lane,
		   unsigned before, const struct amp_chunk *chunk)
{
  uint64_t run = lane->run - (chunk->end - chunk->begin);

  if (!(loop->ops->flags & AMP_PHASED))
    return GOMP_AMP_CHUNK;
  if (before == AMP_ST_PLAN)
    return (loop->plan_kind == AMP_PLAN_EVEN || chunk->begin < loop->aid_n
	    ? GOMP_AMP_AID : GOMP_AMP_TAIL);
  switch (lane->state)
    {
    case AMP_ST_SAMPLING:
      /* Where all cores are alike, aid_dynamic takes M at a time.  */
      return loop->one_type ? GOMP_AMP_AID : GOMP_AMP_SAMPLING;
    case AMP_ST_SHARE:
      return GOMP_AMP_AID;
    case AMP_ST_WAIT:
      return GOMP_AMP_CHUNK;
    default:
      /* Who has one share goes on to this state with it.  */
      if (before != AMP_ST_DRAIN && (loop->ops->flags & AMP_RESERVES)
	  && AMP_LOAD (amp_loop_shares (loop) + lane->type,
		       AMP_RELAXED) > run)
	return GOMP_AMP_AID;
      return GOMP_AMP_TAIL;
    }
}

/* BLOCK's loop begins, of N iterations, for LANES threads, divided WAY.  */

GOMP_AMP_PART void
gomp_amp_trace_begin (struct gomp_amp_block *block, enum gomp_amp_way way,
		      unsigned lanes, uint64_t n)
{
  struct gomp_amp_spool *spool = gomp_amp_spool_of (block);
  struct gomp_amp_event event;

  if (spool == NULL)
    return;
  memset (&event, 0, sizeof event);
  block->trace_number = __atomic_add_fetch (&gomp_amp_executions, 1,
					    __ATOMIC_RELAXED);
  event.start = event.end = amp_ticks ();
  event.first = lanes;
  event.count = n;
  event.address = (uintptr_t) block->address;
  event.loop = block->trace_number;
  event.what = GOMP_AMP_BEGINS;
  event.type = way;
  event.kind = block->kind;
  event.thread = gomp_thread ()->ts.team_id;
  gomp_amp_emit (gomp_amp_tracer (spool), &event);
}

/* The calling thread's tracer, if it sees BLOCK's loop, or NULL.  */

static inline struct gomp_amp_tracer *
gomp_amp_tracer_of (const struct gomp_amp_block *block)
{
  return (gomp_amp_tracing && block != NULL && block->trace_number != 0
	  ? gomp_amp_tracer (gomp_amp_spool_of (block)) : NULL);
}

/* The calling thread asks for a chunk of BLOCK's loop: the one that it has
   ends.  */

static void
gomp_amp_trace_ask (struct gomp_amp_block *block)
{
  struct gomp_amp_tracer *t = gomp_amp_tracer_of (block);
  struct gomp_amp_open *open
    = t != NULL ? gomp_amp_find_open (t, block) : NULL;

  if (open != NULL)
    {
      open->event.end = amp_ticks ();
      gomp_amp_emit (t, &open->event);
    }
}

/* ... it has got CHUNK, in PHASE, on a core of TYPE ...  */

static void
gomp_amp_trace_grant (struct gomp_amp_block *block,
		      const struct amp_chunk *chunk, unsigned phase,
		      unsigned type)
{
  struct gomp_amp_tracer *t = gomp_amp_tracer_of (block);
  struct gomp_thread *thr = gomp_thread ();
  struct gomp_amp_open *open;

  if (t == NULL)
    return;
  open = gomp_amp_find_open (t, block);
  if (open == NULL)
    {
      while (t->nopen != 0 && t->open[t->nopen - 1].level >= thr->ts.level)
	gomp_amp_drop_open (t);
      if (t->nopen == GOMP_AMP_OPEN)
	return;
      open = &t->open[t->nopen++];
      open->level = thr->ts.level;
      memset (&open->event, 0, sizeof open->event);
      open->event.loop = block->trace_number;
      open->event.address = (uintptr_t) block->address;
      open->event.kind = block->kind;
      open->event.thread = thr->ts.team_id;
    }
  open->event.first = chunk->begin;
  open->event.count = chunk->end - chunk->begin;
  open->event.what = phase;
  open->event.type = type < AMP_MAX_TYPES ? type : AMP_MAX_TYPES - 1;
  open->event.start = amp_ticks ();
}

/* ... or there is none left.  */

static void
gomp_amp_trace_leave (struct gomp_amp_block *block)
{
  struct gomp_amp_tracer *t = gomp_amp_tracer_of (block);

  if (t != NULL && gomp_amp_find_open (t, block) != NULL)
    t->nopen--;
}

/* What a team of one runs where costs are recorded: chunks that last about
   this long, so that reading the clock costs little.  */

#define GOMP_AMP_RECORD_NANOSECONDS 2000

static uint64_t gomp_amp_record_ticks;

static struct amp_chunk
gomp_amp_record_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_chunk chunk;

  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  if (lane->timed != 0)
    {
      uint64_t ticks = amp_ticks () - lane->started;
      double want = ((double) lane->timed * (double) gomp_amp_record_ticks
		     / (double) (ticks != 0 ? ticks : 1));

      lane->chunk = (want < 1.0 ? 1 : want < 2.0 * (double) lane->timed
		     ? (uint64_t) want : 2 * lane->timed);
    }
  chunk = amp_cursor_take (loop, lane, lane->chunk);
  lane->timed = chunk.end - chunk.begin;
  lane->started = amp_ticks ();
  return chunk;
}

/* Begin with chunks of that length, if the site tells how long an iteration
   takes.  */

static void
gomp_amp_record_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  double cost = setup->site != NULL ? amp_site_cost (setup->site) : 0.0;
  double want = (double) gomp_amp_record_ticks / (cost > 0.0 ? cost : 1e300);

  if (want >= 1.0)
    loop->first_chunk = want < 1e9 ? (uint64_t) want : 1000000000;
}

GOMP_AMP_PART const struct amp_ops gomp_amp_record_ops = {
  .name = "record", .kind = GOMP_AMP_RECORDED, .flags = AMP_MONOTONIC,
  .init = gomp_amp_record_init, .next_chunk = gomp_amp_record_next_chunk
};

GOMP_AMP_PART void
gomp_amp_init_trace (void)
{
  bool trace = gomp_amp_spool_init (&gomp_amp_traced, GOMP_AMP_RECORD_CHUNKS);
  bool record = gomp_amp_spool_init (&gomp_amp_recorded, GOMP_AMP_RECORD_COSTS);

  gomp_amp_recording_costs = record;
  gomp_amp_tracing = trace || record;
  gomp_amp_watching = gomp_amp_reporting || gomp_amp_tracing;
  if (!gomp_amp_watching)
    return;
  gomp_amp_begun_ns = gomp_amp_monotonic ();
  gomp_amp_begun_ticks = amp_ticks ();
  gomp_amp_record_ticks = (gomp_amp_min_ticks * GOMP_AMP_RECORD_NANOSECONDS
			   / GOMP_AMP_MIN_NANOSECONDS);
}

/* The process ends, and it is the one that loaded the library.  */

GOMP_AMP_PART void
gomp_amp_close_spools (void)
{
  __atomic_store_n (&gomp_amp_tracing, false, __ATOMIC_RELAXED);
  gomp_amp_spool_close (&gomp_amp_traced);
  gomp_amp_spool_close (&gomp_amp_recorded);
}

/* A child of fork has no part in them.  */

GOMP_AMP_PART void
gomp_amp_spools_after_fork (void)
{
  gomp_amp_tracing = false;
  gomp_amp_spool_after_fork (&gomp_amp_traced);
  gomp_amp_spool_after_fork (&gomp_amp_recorded);
}

/* The library is about to be unloaded: threads that end later must not call
   it.  */

GOMP_AMP_PART void
gomp_amp_end_tracing (void)
{
  if (gomp_amp_traced.file != NULL)
    pthread_key_delete (gomp_amp_traced.key);
  if (gomp_amp_recorded.file != NULL)
    pthread_key_delete (gomp_amp_recorded.key);
}

/* Chunks about which there is more to do than to hand them out, since loops are
   traced or reported, or threads held up: the slow way.  What divides the loop
   is the same as without: a plan, a schedule of the core, or libgomp's own
   code, around which chunks are timed.  Such a loop's work share is in the
   state in which libgomp wants it, but for its schedule, which is GFS_AMP, so
   that threads come here; its block's loop serves to observe it.  */


GOMP_AMP_PART const struct amp_ops gomp_amp_stock_ops[GFS_GUIDED + 1] = {
  { .name = "?" },
  [GFS_STATIC] = { .name = "static", .kind = GFS_STATIC,
		   .flags = AMP_MONOTONIC },
  [GFS_DYNAMIC] = { .name = "dynamic", .kind = GFS_DYNAMIC,
		    .flags = AMP_MONOTONIC },
  [GFS_GUIDED] = { .name = "guided", .kind = GFS_GUIDED,
		   .flags = AMP_MONOTONIC }
};

/* WS has been begun by libgomp, for R, whose variable begins at START.  */

GOMP_AMP_PART void
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

/* Does libgomp divide WS's loop?  */

static inline bool
gomp_amp_by_libgomp_p (const struct gomp_work_share *ws)
{
  return ws->amp != NULL && ws->amp->stock_sched != 0;
}

/* The calling thread asks for a chunk of such a loop; its lane.  */

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
  gomp_amp_trace_ask (ws->amp);
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

/* The calling thread's block of PLAN, for WS's loop of N iterations, or, where
   that is NULL, its chunk of a loop of the core.  */

static bool
gomp_amp_watched_chunk (struct gomp_work_share *ws, struct amp_plan *plan,
			uint64_t n, struct amp_chunk *chunk)
{
  struct gomp_amp_block *block = ws->amp;
  unsigned before, phase = GOMP_AMP_CHUNK, type = amp_current_type ();
  bool got;

  gomp_amp_trace_ask (block);
  if (plan != NULL)
    {
      const struct amp_ops *ops
	= block != NULL ? amp_find_kind (block->kind) : NULL;

      got = gomp_amp_take_block (plan, n, chunk);
      if (ops != NULL && (ops->flags & AMP_KEEPS_BLOCKS))
	phase = GOMP_AMP_AID;
    }
  else
    {
      struct amp_loop *loop = gomp_amp_block_loop (block);
      struct amp_lane *lane = amp_loop_lane (loop, gomp_thread ()->ts.team_id);

      got = gomp_amp_enter_and_take (ws, loop, lane, chunk, &before);
      phase = gomp_amp_phase_of (loop, lane, before, chunk);
      type = lane->type;
    }
  if (got)
    gomp_amp_trace_grant (block, chunk, phase, type);
  else
    gomp_amp_trace_leave (block);
  return got;
}

GOMP_AMP_PART bool __attribute__ ((noinline))
gomp_amp_watched_bounds (struct gomp_work_share *ws, long *pstart, long *pend)
{
  struct amp_plan *plan = gomp_amp_plan_of (ws);
  struct amp_chunk chunk = amp_no_chunk ();
  uint64_t n;

  if (gomp_amp_by_libgomp_p (ws))
    {
      struct amp_lane *lane = gomp_amp_stock_ask (ws);
      bool got = gomp_amp_stock_bounds (ws, pstart, pend);

      if (got)
	{
	  chunk.begin = gomp_amp_trips ((long) ws->amp->start, *pstart,
					ws->incr);
	  chunk.end = (chunk.begin
		       + gomp_amp_trips (*pstart, *pend, ws->incr));
	}
      gomp_amp_stock_got (ws, lane, &chunk, got);
      return got;
    }
  n = (plan != NULL ? gomp_amp_plan_trips (ws, plan)
       : gomp_amp_block_loop (ws->amp)->n);
  if (!gomp_amp_watched_chunk (ws, plan, n, &chunk))
    return false;
  gomp_amp_chunk_bounds (ws, &chunk, n, pstart, pend);
  return true;
}

GOMP_AMP_PART bool __attribute__ ((noinline))
gomp_amp_ull_watched_bounds (struct gomp_work_share *ws,
			     unsigned long long *pstart,
			     unsigned long long *pend)
{
  struct amp_plan *plan = gomp_amp_plan_of (ws);
  struct amp_chunk chunk = amp_no_chunk ();
  uint64_t n;

  if (gomp_amp_by_libgomp_p (ws))
    {
      struct amp_lane *lane = gomp_amp_stock_ask (ws);
      bool up = !(ws->mode & 2);
      bool got = gomp_amp_ull_stock_bounds (ws, pstart, pend);

      if (got)
	{
	  chunk.begin = gomp_amp_ull_trips (up, ws->amp->start, *pstart,
					    ws->incr_ull);
	  chunk.end = chunk.begin + gomp_amp_ull_trips (up, *pstart, *pend,
							ws->incr_ull);
	}
      gomp_amp_stock_got (ws, lane, &chunk, got);
      return got;
    }
  n = (plan != NULL ? gomp_amp_ull_plan_trips (ws, plan)
       : gomp_amp_block_loop (ws->amp)->n);
  if (!gomp_amp_watched_chunk (ws, plan, n, &chunk))
    return false;
  gomp_amp_ull_chunk_bounds (ws, &chunk, n, pstart, pend);
  return true;
}

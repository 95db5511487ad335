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
#include "gomp-amp-spool.h"

static struct gomp_amp_spool gomp_amp_traced, gomp_amp_recorded;

/* Executions so far.  */
static uint32_t gomp_amp_executions;

static const char *
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

static void
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

static const struct amp_ops gomp_amp_record_ops = {
  .name = "record", .kind = GOMP_AMP_RECORDED, .flags = AMP_MONOTONIC,
  .init = gomp_amp_record_init, .next_chunk = gomp_amp_record_next_chunk
};

static void
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

static void
gomp_amp_close_spools (void)
{
  __atomic_store_n (&gomp_amp_tracing, false, __ATOMIC_RELAXED);
  gomp_amp_spool_close (&gomp_amp_traced);
  gomp_amp_spool_close (&gomp_amp_recorded);
}

/* A child of fork has no part in them.  */

static void
gomp_amp_spools_after_fork (void)
{
  gomp_amp_tracing = false;
  gomp_amp_spool_after_fork (&gomp_amp_traced);
  gomp_amp_spool_after_fork (&gomp_amp_recorded);
}

/* The library is about to be unloaded: threads that end later must not call
   it.  */

static void
gomp_amp_end_tracing (void)
{
  if (gomp_amp_traced.file != NULL)
    pthread_key_delete (gomp_amp_traced.key);
  if (gomp_amp_recorded.file != NULL)
    pthread_key_delete (gomp_amp_recorded.key);
}

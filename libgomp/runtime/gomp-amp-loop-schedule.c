/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is asked for where a loop begins: by its clause, run-sched-var, the
   environment and the compiler's hints.  */

#include "gomp-amp-glue.h"

static struct gomp_task_icv gomp_amp_static_icv
  = { .run_sched_var = GFS_STATIC, .run_sched_chunk_size = 0 };
static struct gomp_task_icv gomp_amp_dynamic_icv
  = { .run_sched_var = GFS_DYNAMIC, .run_sched_chunk_size = 1 };
GOMP_AMP_PART struct gomp_task_icv gomp_amp_auto_icv
  = { .run_sched_var = GFS_AMP_AUTO };

struct gomp_task_icv *
gomp_amp_resolve (struct gomp_task_icv *icv, enum gomp_amp_arrival how)
{
  int kind = icv->run_sched_var & ~GFS_MONOTONIC;

  switch (kind)
    {
    case GFS_STATIC:
    case GFS_DYNAMIC:
    case GFS_GUIDED:
      return icv;
    case GFS_AMP_UNSET:
      /* The user chose no schedule: a loop that is runtime only because it
	 names no schedule must not be slower than the static loop it would
	 have been; one that says runtime gets libgomp's old default.  */
      if (how != GOMP_AMP_CLAUSELESS)
	return &gomp_amp_dynamic_icv;
      return gomp_amp_types > 1 ? &gomp_amp_auto_icv : &gomp_amp_static_icv;
    case GFS_AUTO:
      /* libgomp's own auto is static.  */
      if (how == GOMP_AMP_ORDERED)
	return icv;
      return gomp_amp_off ? &gomp_amp_static_icv : &gomp_amp_auto_icv;
    }
  return (how == GOMP_AMP_ORDERED || amp_find_kind (kind) == NULL
	  ? &gomp_amp_dynamic_icv : icv);
}

/* Is KIND a schedule that is one of libgomp's own here, since it goes by
   clusters and there is but one?  Then that one's kind, else 0.  */

GOMP_AMP_PART_INLINE int
gomp_amp_own_kind (int kind)
{
  const struct amp_ops *ops = kind > GFS_AUTO ? amp_find_kind (kind) : NULL;

  return (ops != NULL && (ops->flags & AMP_CLUSTERED)
	  && gomp_amp_find_clusters ()->count == 1
	  ? ops->one_cluster_kind : 0);
}

/* What GOMP_AMP_REPLACE puts in the place of a schedule clause with SCHED, or
   NULL.  */

GOMP_AMP_PART_INLINE const struct amp_schedule *
gomp_amp_replaces (int sched, enum gomp_amp_arrival how)
{
  const struct amp_schedule *r;

  if (how > GOMP_AMP_EXPLICIT || sched > GFS_GUIDED)
    return NULL;
  r = &gomp_amp_replace[sched];
  if (__builtin_expect (r->kind == 0, 1)
      || gomp_amp_own_kind (r->kind) == sched)
    return NULL;
  return r;
}

/* Does R's loop, which has no clause, follow one that says static and may be
   replaced, without a barrier?  A program may rely on equal
   blocks then.  */

static inline bool
gomp_amp_follows_replaceable_p (const struct gomp_amp_request *r)
{
  return (r->from.how == GOMP_AMP_CLAUSELESS
	  && __builtin_expect (r->hints & GOMP_AMP_HINT_REPLACEABLE, 0));
}

/* Thread i of TEAM, an outermost one, sits on place i if there are as many
   places as threads and no proc_bind clause says otherwise.  In a combined
   construct the team has not started.  */

static inline bool
gomp_amp_outermost_p (const struct gomp_thread *thr,
		      const struct gomp_team *team)
{
  return thr->ts.level == (thr->ts.team == team);
}

GOMP_AMP_PART_INLINE void
gomp_amp_make_request (struct gomp_amp_request *r, struct gomp_team *team,
		       struct gomp_amp_from from, uint64_t n)
{
  struct gomp_thread *thr = gomp_thread ();
  struct gomp_task_icv *icv = gomp_icv (false);

  r->from = from;
  r->n = n;
  r->lanes = team == NULL ? 1 : team->nthreads;
  /* In a combined construct nothing has happened in TEAM yet.  */
  r->hints = team != NULL && team == thr->ts.team ? thr->task->amp_hints : 0;
  r->sched = icv->run_sched_var;
  r->asked.word[0] = ((uint64_t) (unsigned) r->sched << 32
		      | (r->hints & ~(unsigned) GOMP_AMP_HINT_LOOP) << 8
		      | (unsigned) from.how << 2 | from.any_order << 1
		      | gomp_amp_outermost_p (thr, team));
  r->asked.word[1] = ((uint64_t) (unsigned) icv->run_sched_chunk_size << 32
		      | (unsigned) icv->run_sched_param2);
}

/* What the environment says for good is in gomp_amp_keeps.  Nothing is kept of
   loops whose schedule is libgomp's own; nor of those that may have no work
   share another time, which are not those of combined constructs.  */

GOMP_AMP_PART_INLINE struct amp_plan *
gomp_amp_recall (struct gomp_work_share *ws, struct gomp_team *team,
		 struct gomp_amp_request *r)
{
  struct gomp_amp_block *block = ws->amp;
  struct amp_site *site;
  struct amp_plan *plan;

  if (!gomp_amp_keeps || block == NULL || r->from.how <= GOMP_AMP_EXPLICIT
      || (r->sched & ~GFS_MONOTONIC) <= GFS_GUIDED)
    return NULL;
  site = gomp_amp_look_up_site (r->from.address, r->lanes, r->n);
  if (site == NULL)
    return NULL;
  plan = gomp_amp_block_plan (block, site->number);
  if (!amp_plan_fits_p (plan, site, r->n, &r->asked)
      || (amp_site_bare_p (site) && gomp_amp_judged_p (r)
	  && team == gomp_thread ()->ts.team)
      || gomp_amp_crowded_p (team, r->lanes))
    return NULL;
  r->is_observed = amp_site_due (site, block->uses + 1);
  if (r->is_observed)
    {
      if (plan->kept == AMP_KEPT_BLOCKS
	  || AMP_LOAD (&site->costs_guessed, AMP_RELAXED) != 0)
	return NULL;
      if (gomp_amp_judged_p (r))
	gomp_amp_judge_site (site);
    }
  block->uses++;
  return plan;
}

GOMP_AMP_PART_INLINE void
gomp_amp_begin_again (struct gomp_work_share *ws,
		      const struct gomp_amp_request *r, struct amp_plan *plan)
{
  if (plan->kept == AMP_KEPT_BLOCKS)
    gomp_amp_set_plan (ws, plan);
  else
    amp_loop_again (gomp_amp_block_loop (ws->amp), plan, r->is_observed);
}

GOMP_AMP_PART_INLINE void
gomp_amp_find_schedule (struct gomp_amp_request *r, long sched,
			unsigned long long chunk)
{
  struct gomp_amp_from from = r->from;

  r->replacement = NULL;
  r->even = false;
  if (from.how > GOMP_AMP_EXPLICIT)
    {
      struct gomp_task_icv *icv = gomp_amp_icv (from.how);

      /* What the loop is without us.  */
      if (__builtin_expect (gomp_amp_off, 0)
	  && from.how == GOMP_AMP_CLAUSELESS)
	icv = &gomp_amp_static_icv;
      sched = icv->run_sched_var;
      chunk = icv->run_sched_chunk_size;
      /* Not ICV's, which need not be the task's own.  */
      if (r->sched & GFS_MONOTONIC)
	r->from.any_order = false;
    }
  /* A chunk is what the program wants.  */
  else if ((sched & ~GFS_MONOTONIC) != GFS_STATIC || chunk == 0)
    r->replacement = gomp_amp_replaces (sched & ~GFS_MONOTONIC, from.how);
  r->sched = sched & ~GFS_MONOTONIC;
  r->chunk = chunk;
  if (__builtin_expect (r->sched > GFS_AUTO, 0))
    {
      int own = gomp_amp_own_kind (r->sched);

      r->even = own == GFS_STATIC;
      if (own != 0 && !r->even)
	{
	  r->sched = own;
	  r->chunk = chunk != 0 ? chunk : 1;
	}
    }
  r->relies_on_static
    = (from.how == GOMP_AMP_CLAUSELESS
       && (r->n <= 1 || (r->n <= r->lanes && !from.any_order)
	   || (r->hints & GOMP_AMP_HINT_STATIC)
	   || (gomp_amp_follows_replaceable_p (r)
	       && gomp_amp_replace[GFS_STATIC].kind == 0)));
}

/* Is R's loop one that says static and gets steady blocks?  */

GOMP_AMP_PART bool
gomp_amp_replaced_static_p (const struct gomp_amp_request *r)
{
  return r->replacement != NULL && r->sched == GFS_STATIC;
}

/* Does R's loop get the blocks that the team keeps for its trip count?  */

static inline bool
gomp_amp_steady_p (const struct gomp_amp_request *r)
{
  return ((r->hints & GOMP_AMP_HINT_STEADY)
	  || gomp_amp_replaced_static_p (r)
	  || (gomp_amp_follows_replaceable_p (r)
	      && gomp_amp_replace[GFS_STATIC].kind != 0));
}

/* True if R is to be divided by libgomp's own code.  */

static inline bool
gomp_amp_stock_divides_p (const struct gomp_amp_request *r)
{
  if (r->sched > GFS_AUTO || r->replacement != NULL
      || gomp_amp_follows_replaceable_p (r))
    return false;
  return ((r->sched == GFS_STATIC && r->chunk == 0)
	  || (!(r->hints & GOMP_AMP_HINT_STEADY)
	      && !r->relies_on_static));
}

/* ... without a look at its site, or at it.  */

GOMP_AMP_PART_INLINE bool
gomp_amp_left_to_stock_p (const struct gomp_amp_request *r)
{
  return !gomp_amp_sees_stock_loops && gomp_amp_stock_divides_p (r);
}

/* The schedule that R asks for, in FACTS.  */

static inline void
gomp_amp_ask (struct amp_facts *facts, const struct gomp_amp_request *r)
{
  if (r->replacement != NULL)
    {
      facts->ops = amp_find_kind (r->replacement->kind);
      facts->params = r->replacement->params;
      facts->least = r->chunk;
    }
  else if (r->sched <= GFS_GUIDED)
    {
      facts->ops = &gomp_amp_stock_ops[r->sched];
      /* Unless it is to be reported.  */
      facts->site_learns_nothing = !gomp_amp_reporting;
    }
  else if (r->sched != GFS_AMP_AUTO)
    {
      facts->ops = amp_find_kind (r->sched);
      facts->params.value[0] = r->chunk;
      facts->params.value[1] = gomp_icv (false)->run_sched_param2;
    }
}

/* A loop begins: what holds for it is gathered, its schedule chosen, and what
   its threads go by written to the work share.  */

/* Let SETUP know what the lanes of TEAM run on.  */

static void
gomp_amp_expect_types (struct amp_setup *setup, struct gomp_team *team)
{
  if (gomp_amp_place_type != NULL && team->nthreads <= gomp_places_list_len
      && gomp_amp_outermost_p (gomp_thread (), team))
    {
      setup->lane_type = gomp_amp_place_type;
      setup->lane_cluster = gomp_amp_place_cluster;
    }
  else if (gomp_amp_guessed_type != NULL
	   && team->nthreads <= gomp_amp_topology.norder)
    {
      setup->lane_type = gomp_amp_guessed_type;
      setup->types_guessed = true;
    }
}

/* Begin a loop of the core in BLOCK.  */

static void
gomp_amp_begin_core (struct gomp_amp_block *block, const struct amp_ops *ops,
		     struct amp_setup *setup)
{
  struct gomp_amp_workload *workload = NULL;

  if (ops->flags & AMP_KNOWS_WORKLOAD)
    workload = gomp_amp_find_workload (gomp_icv (false)->workload_ticket,
				       setup->site, setup->n);
  if (ops->flags & AMP_CLUSTERED)
    {
      const struct amp_clusters *clusters = gomp_amp_find_clusters ();

      setup->clusters = clusters->count;
      setup->cluster_size = clusters->size;
      setup->fault_cost = gomp_amp_fault_cost () / gomp_amp_tick_length ();
      setup->miss_limit = GOMP_AMP_MISS_LIMIT;
    }
  setup->workload = workload != NULL ? workload->cost : NULL;
  setup->workload_number = workload != NULL ? workload->number : 0;
  setup->extra = gomp_amp_get_extra (block, amp_loop_extra (ops, setup));
  amp_loop_init (gomp_amp_block_loop (block), ops, setup);
  gomp_amp_return_workload (workload);
}

/* BLOCK's loop, whose chunks take the slow way, begins under OPS, WAY.  */

static void __attribute__ ((noinline))
gomp_amp_watch_begin (struct gomp_amp_block *block, enum gomp_amp_way way,
		      const struct amp_ops *ops, const struct amp_setup *setup,
		      const void *address)
{
  block->address = address;
  block->kind = ops->kind;
  block->stock_sched = 0;
  block->trace_number = 0;
  if (gomp_amp_tracing)
    gomp_amp_trace_begin (block, way, setup->lanes, setup->n);
  if (gomp_amp_reporting && setup->site != NULL)
    gomp_amp_note_loop (setup->site, ops, setup);
}

/* What is known of the loop R and of the threads of TEAM, which run it.  */

static void
gomp_amp_know (struct amp_setup *setup, struct gomp_team *team,
	       const struct gomp_amp_request *r)
{
  unsigned lanes = r->lanes;

  memset (setup, 0, sizeof *setup);
  setup->n = r->n;
  setup->lanes = lanes;
  setup->asked = r->asked;
  setup->types = gomp_amp_types;
  setup->sf = gomp_amp_types > 1 ? gomp_amp_sf : NULL;
  setup->observed_types = gomp_amp_observed_types;
  setup->min_ticks = gomp_amp_min_ticks;
  setup->site = gomp_amp_find_site (r->from.address, lanes, r->n);
  if (setup->site != NULL && setup->site->sf != NULL)
    setup->sf = setup->site->sf;
  if (lanes == 1)
    return;
  setup->crowded = gomp_amp_crowded_p (team, lanes);
  gomp_amp_expect_types (setup, team);
}

/* Give the loop R at SITE, which may be NULL, what GOMP_AMP_LOOPS says of it.
   Where there is no memory for a site, it may say that the loop is static.  */

static void
gomp_amp_heed_lines (struct gomp_amp_request *r, const struct amp_site *site)
{
  struct gomp_amp_line *line = site != NULL ? gomp_amp_line_of (site) : NULL;

  if (line != NULL)
    gomp_amp_obey_line (r, line);
  r->even |= site == NULL && r->from.how > GOMP_AMP_EXPLICIT;
}

/* What is asked of loop R, of which SETUP is known and which is the USES-th of
   its block.  MAY_BE_BARE: at other times it may take no work share.  */

static void
gomp_amp_gather (struct amp_facts *facts, const struct gomp_amp_request *r,
		 const struct amp_setup *setup, uint64_t uses,
		 bool may_be_bare)
{
  bool explicit = r->from.how <= GOMP_AMP_EXPLICIT;

  memset (facts, 0, sizeof *facts);
  facts->turn = uses;
  facts->goal = gomp_amp_goal_of ();
  facts->must_be_even = (r->even
			 || r->relies_on_static
			 || (gomp_amp_replaced_static_p (r)
			     && setup->n <= setup->lanes));
  facts->any_order = r->from.any_order;
  facts->must_be_drawn = gomp_amp_check.shuffle && !explicit;
  facts->must_be_steady = (gomp_amp_steady_p (r)
			   && (facts->must_be_drawn
			       || !gomp_amp_stock_divides_p (r)));
  facts->observe_even = gomp_amp_reporting;
  facts->observe_alone = gomp_amp_record_file[GOMP_AMP_RECORD_SF] != NULL;
  facts->observe_rare = may_be_bare && amp_site_bare_p (setup->site);
  if (gomp_amp_recording_costs)
    facts->alone_ops = &gomp_amp_record_ops;
  gomp_amp_ask (facts, r);
}

/* Begin loop R, of several threads or of one whose loops are recorded, on WS,
   in BLOCK.  False if it is libgomp's own affair.  */

static bool
gomp_amp_begin_team (struct gomp_work_share *ws, struct gomp_team *team,
		     struct gomp_amp_request *r, struct gomp_amp_block *block)
{
  struct amp_plan *plan;
  struct amp_setup setup;
  struct amp_facts facts;
  struct amp_decision decision;
  enum gomp_amp_way way;
  bool judged;

  gomp_amp_know (&setup, team, r);
  if (__builtin_expect (gomp_amp_nlines != 0, 0))
    gomp_amp_heed_lines (r, setup.site);
  if (__builtin_expect (gomp_amp_check.shuffle, 0))
    {
      setup.draw_form = gomp_amp_check.form;
      /* What a loop may get here is what it may get from us.  */
      if (r->from.how == GOMP_AMP_MONOTONIC
	  && setup.draw_form == AMP_DRAW_DESCENDING)
	setup.draw_form = AMP_DRAW_ASCENDING;
      else if (r->from.how == GOMP_AMP_CLAUSELESS && r->from.any_order
	       && setup.draw_form == AMP_DRAW_ASCENDING)
	setup.draw_form = AMP_DRAW_DESCENDING;
      setup.draw_seed = gomp_amp_draw_of (setup.site, block->uses);
      block->draw_seed = setup.draw_seed;
    }
  judged = setup.site != NULL && gomp_amp_judged_p (r);
  gomp_amp_gather (&facts, r, &setup, block->uses,
		   judged && team == gomp_thread ()->ts.team);
  GOMP_AMP_SITE_LOCK ();
  decision = amp_decide (&facts, &setup);
  if (judged && (setup.is_observed || gomp_amp_check.verdicts))
    gomp_amp_judge_site (setup.site);
  plan = gomp_amp_find_plan (decision.blocks, block, team, &setup, r);
  way = (decision.ops->next_chunk == NULL ? GOMP_AMP_BY_LIBGOMP
	 /* Who is held up is so before it takes a chunk of the core's.  */
	 : plan != NULL && !setup.is_observed && gomp_amp_check.delay == 0
	 ? GOMP_AMP_BY_PLAN : GOMP_AMP_BY_CORE);
  if (way == GOMP_AMP_BY_PLAN)
    gomp_amp_set_plan (ws, plan);
  else if (setup.site != NULL)
    setup.plan = gomp_amp_block_plan (block, setup.site->number);
  if (way == GOMP_AMP_BY_CORE || gomp_amp_slow_way)
    gomp_amp_begin_core (block, decision.ops, &setup);
  if (__builtin_expect (gomp_amp_slow_way, 0))
    gomp_amp_watch_begin (block, way, decision.ops, &setup, r->from.address);
  GOMP_AMP_SITE_UNLOCK ();
  return way != GOMP_AMP_BY_LIBGOMP;
}

GOMP_AMP_PART bool
gomp_amp_begin (struct gomp_work_share *ws, struct gomp_team *team,
		struct gomp_amp_request *r)
{
  struct gomp_amp_block *block;

  /* No types: the constructor has not run yet, or GOMP_AMP is off.  */
  if (r->n == 0 || r->lanes > AMP_MAX_LANES || gomp_amp_types == 0
      || (r->lanes == 1 && gomp_amp_record_file[GOMP_AMP_RECORD_SF] == NULL
	  && !gomp_amp_recording_costs)
      || (!gomp_amp_slow_way
	  && (r->even || r->relies_on_static))
      || (block = gomp_amp_block_of (ws, team, r->lanes)) == NULL)
    {
      if (ws->amp != NULL)
	ws->amp->trace_number = ws->amp->kind = ws->amp->stock_sched = 0;
      gomp_amp_set_plan (ws, &gomp_amp_even_plan);
      return !gomp_amp_stock_divides_p (r);
    }
  return gomp_amp_begin_team (ws, team, r, block);
}

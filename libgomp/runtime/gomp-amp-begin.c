/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A loop begins: what holds for it is gathered, its schedule chosen, and what
   its threads go by written to the work share.  */

#include "gomp-amp-glue.h"

/* Let SETUP know what the lanes of TEAM run on.  */

static void
gomp_amp_expect_types (struct amp_setup *setup, struct gomp_team *team)
{
  struct gomp_thread *thr = gomp_thread ();

  /* Thread i of an outermost team sits on place i if there are as many
     places as threads and no proc_bind clause says otherwise.  In a combined
     construct the team has not started.  */
  if (gomp_amp_place_type != NULL && team->nthreads <= gomp_places_list_len
      && thr->ts.level == (thr->ts.team == team))
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
      setup->fault_cost = (gomp_amp_find_costs ()->fault_ns
			   / gomp_amp_tick_length ());
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

/* What is known of a loop of N iterations at ADDRESS and of the LANES threads
   of TEAM, which run it.  */

static void
gomp_amp_know (struct amp_setup *setup, struct gomp_team *team,
	       unsigned lanes, uint64_t n, const void *address)
{
  memset (setup, 0, sizeof *setup);
  setup->n = n;
  setup->lanes = lanes;
  setup->types = gomp_amp_types;
  setup->sf = gomp_amp_types > 1 ? gomp_amp_sf : NULL;
  setup->observed_types = gomp_amp_observed_types;
  setup->min_ticks = gomp_amp_min_ticks;
  setup->site = gomp_amp_find_site (address, lanes, n);
  if (setup->site != NULL && setup->site->sf != NULL)
    setup->sf = setup->site->sf;
  if (lanes == 1)
    return;
  if (gomp_amp_crowded_p (team, lanes))
    {
      setup->crowded = true;
      setup->min_ticks = GOMP_AMP_MIN_NANOSECONDS;
    }
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
			 || gomp_amp_relies_on_static_p (r, setup->n,
							 setup->lanes)
			 || (gomp_amp_replaced_static_p (r)
			     && setup->n <= setup->lanes));
  facts->any_order = r->from.any_order;
  facts->must_be_drawn = gomp_amp_check.shuffle && !explicit;
  facts->must_be_steady = (gomp_amp_steady_p (r)
			   && (facts->must_be_drawn
			       || !gomp_amp_stock_divides_p (r, setup->n,
							     setup->lanes)));
  facts->observe_even = gomp_amp_reporting;
  facts->observe_alone = gomp_amp_record_file[GOMP_AMP_RECORD_SF] != NULL;
  facts->observe_rare = may_be_bare && amp_site_bare_p (setup->site);
  if (gomp_amp_recording_costs)
    facts->alone_ops = &gomp_amp_record_ops;
  gomp_amp_ask (facts, r);
}

/* Begin loop R of N iterations, with more than one of LANES threads, or one
   whose loops are recorded, on WS, in BLOCK.  False if it is libgomp's own
   affair.  */

static bool
gomp_amp_begin_team (struct gomp_work_share *ws, struct gomp_team *team,
		     unsigned lanes, uint64_t n,
		     struct gomp_amp_request *r, struct gomp_amp_block *block)
{
  struct amp_plan *plan;
  struct amp_setup setup;
  struct amp_facts facts;
  struct amp_decision decision;
  enum gomp_amp_way way;
  bool may_be_bare;

  gomp_amp_know (&setup, team, lanes, n, r->from.address);
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
  /* In a combined construct there is a work share anyway.  */
  may_be_bare = (setup.site != NULL && r->from.how == GOMP_AMP_CLAUSELESS
		 && r->sched == GFS_AMP_AUTO && gomp_amp_goal_of () == NULL
		 && gomp_amp_may_be_bare_p (team));
  gomp_amp_gather (&facts, r, &setup, block->uses, may_be_bare);
  GOMP_AMP_SITE_LOCK ();
  decision = amp_decide (&facts, &setup);
  if (may_be_bare && (setup.is_observed || gomp_amp_check.verdicts))
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

static bool
gomp_amp_begin (struct gomp_work_share *ws, struct gomp_team *team, uint64_t n,
		struct gomp_amp_request *r)
{
  unsigned lanes = team == NULL ? 1 : team->nthreads;
  struct gomp_amp_block *block;

  /* No types: the constructor has not run yet, or GOMP_AMP is off.  */
  if (n == 0 || lanes > AMP_MAX_LANES || gomp_amp_types == 0
      || (lanes == 1 && gomp_amp_record_file[GOMP_AMP_RECORD_SF] == NULL
	  && !gomp_amp_recording_costs)
      || (!gomp_amp_slow_way
	  && (r->even || gomp_amp_relies_on_static_p (r, n, lanes)))
      || (block = gomp_amp_block_of (ws, team, lanes)) == NULL)
    {
      if (ws->amp != NULL)
	ws->amp->trace_number = ws->amp->kind = ws->amp->stock_sched = 0;
      gomp_amp_set_plan (ws, &gomp_amp_even_plan);
      return !gomp_amp_stock_divides_p (r, n, lanes);
    }
  return gomp_amp_begin_team (ws, team, lanes, n, r, block);
}

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
      setup->guess = true;
    }
}

/* What auto makes of SETUP: NULL for an even division.  */

static const struct amp_ops *
gomp_amp_choose (struct amp_setup *setup, uint64_t salt)
{
  enum amp_choice choice;

  setup->params.value[0] = setup->params.value[1] = 0;
  if (setup->site == NULL || setup->crowded)
    return setup->observed_types ? NULL : &amp_aid_hybrid;
  choice = amp_site_choose (setup->site, setup->n,
			    setup->guess ? NULL : setup->lane_type,
			    !setup->observed_types, salt, &setup->observe);
  if (choice == AMP_CHOICE_STATIC && !setup->observe)
    return NULL;
  setup->choice = choice + 1;
  return amp_choices[choice];
}

/* The schedule and parameters of REPLACEMENT, for a clause whose CHUNK is the
   least one from then on.  */

static const struct amp_ops *
gomp_amp_use_replacement (struct amp_setup *setup,
			  const struct amp_schedule *replacement,
			  unsigned long long chunk)
{
  const struct amp_ops *ops = amp_find_kind (replacement->kind);
  unsigned i;

  setup->params = replacement->params;
  for (i = 0; i < ops->nparams; i++)
    {
      bool size = (strcasecmp (ops->param[i].name, "m") == 0
		   || strcmp (ops->param[i].name, "chunk") == 0);
      int *value = &setup->params.value[i];

      /* 1 is what a clause without chunk says, and no bound.  */
      if (!size || chunk <= 1 || (*value == 0 && ops->param[i].name[0] == 'M'))
	continue;
      if ((unsigned long long) *value < chunk)
	*value = (chunk < (unsigned long long) ops->param[i].max
		  ? (int) chunk : ops->param[i].max);
    }
  return ops;
}

/* The schedule of a loop R of SETUP in TEAM; NULL: an even division.  */

static const struct amp_ops *
gomp_amp_ops_of (const struct gomp_amp_request *r, struct amp_setup *setup,
		 struct gomp_amp_block *block)
{
  const struct amp_schedule *replacement;
  const struct amp_ops *ops;

  if (r->sched == GFS_AMP_AUTO)
    return gomp_amp_choose (setup, block->uses);
  replacement = gomp_amp_replaces (r->sched, r->from.how);
  if (replacement != NULL)
    ops = gomp_amp_use_replacement (setup, replacement, r->chunk);
  else if (r->sched <= GFS_GUIDED)
    {
      setup->params.value[0] = r->chunk < INT32_MAX ? r->chunk : INT32_MAX;
      setup->params.value[1] = 0;
      ops = amp_stock_ops (r->sched, r->chunk != 0);
      /* Nothing is learnt that would not be otherwise.  */
      if (!gomp_amp_reporting)
	setup->site = NULL;
    }
  else
    {
      ops = amp_find_kind (r->sched);
      setup->params.value[0] = r->chunk;
      setup->params.value[1] = gomp_icv (false)->run_sched_param2;
    }
  setup->observe = (setup->site != NULL
		    && amp_site_due (setup->site, block->uses));
  return ops;
}

/* The same where divisions are drawn at random.  */

static const struct amp_ops *
gomp_amp_shuffled_ops (struct amp_setup *setup, struct gomp_amp_block *block)
{
  setup->contiguous = gomp_amp_check.contiguous;
  setup->draw = block->draw;
  return &amp_shuffle;
}

/* Begin a loop of the core on WS.  */

static void
gomp_amp_begin_core (struct gomp_work_share *ws, struct gomp_amp_block *block,
		     const struct amp_ops *ops, struct amp_setup *setup,
		     const void *address)
{
  struct gomp_amp_workload *workload = NULL;

  if (ops == &amp_binlpt)
    workload = gomp_amp_find_workload (setup->params.value[1], setup->site,
				       setup->n);
  setup->workload = workload != NULL ? workload->cost : NULL;
  setup->extra = gomp_amp_get_extra (block, amp_loop_extra (ops, setup));
  amp_loop_init (gomp_amp_block_loop (block), ops, setup);
  gomp_amp_return_workload (workload);
  if (__builtin_expect (gomp_amp_watching, 0))
    {
      if (gomp_amp_tracing)
	gomp_amp_trace_begin (block, address, setup->lanes, setup->n);
      if (gomp_amp_reporting && setup->site != NULL)
	gomp_amp_note_loop (setup->site, ops, setup);
    }
}

/* Begin loop R of N iterations, with more than one of LANES threads, or one
   whose loops are recorded, on WS.  */

static void
gomp_amp_begin_team (struct gomp_work_share *ws, struct gomp_team *team,
		     unsigned lanes, uint64_t n,
		     const struct gomp_amp_request *r)
{
  struct gomp_amp_block *block = gomp_amp_block_of (ws, team, lanes);
  struct gomp_amp_plan *plan = NULL;
  const struct amp_ops *ops = NULL;
  struct amp_setup setup;
  bool even;

  memset (&setup, 0, sizeof setup);
  setup.n = n;
  setup.lanes = lanes;
  setup.types = gomp_amp_types;
  setup.sf = gomp_amp_sf;
  setup.observed_types = gomp_amp_observed_types;
  setup.crowded = lanes > 1 && gomp_amp_crowded_p (team, lanes);
  setup.min_ticks = (setup.crowded ? GOMP_AMP_MIN_NANOSECONDS
		     : gomp_amp_min_ticks);
  setup.site = gomp_amp_find_site (r->from.address, lanes, n);
  if (setup.site != NULL && setup.site->sf != NULL)
    setup.sf = setup.site->sf;
  if (__builtin_expect (gomp_amp_check.shuffle, 0))
    block->draw = gomp_amp_draw_of (setup.site, block->uses);

  GOMP_AMP_SITE_LOCK ();
  even = (gomp_amp_relies_on_static_p (r, n, lanes)
	  || (r->from.how > GOMP_AMP_EXPLICIT
	      && (setup.site != NULL ? setup.site->even
		  : gomp_amp_nstatic != 0)));
  if (lanes == 1)
    {
      ops = gomp_amp_costing ? &gomp_amp_record_ops : &amp_even;
      setup.observe = (gomp_amp_recording || setup.site == NULL
		       || amp_site_due (setup.site, block->uses));
    }
  else if (even)
    setup.observe = (gomp_amp_taking && setup.site != NULL
		     && amp_site_due (setup.site, block->uses));
  else
    {
      gomp_amp_expect_types (&setup, team);
      if (r->hints & GOMP_AMP_HINT_STEADY)
	{
	  plan = gomp_amp_steady_plan (team, &setup);
	  setup.bounds = (plan->kind == AMP_PLAN_WEIGHTED
			  ? plan->bounds : NULL);
	  setup.observe = (setup.site != NULL && !setup.crowded
			   && amp_site_due (setup.site, block->uses));
	  ops = &amp_fixed;
	}
      else if (gomp_amp_check.shuffle && r->from.how > GOMP_AMP_EXPLICIT)
	ops = gomp_amp_shuffled_ops (&setup, block);
      else
	ops = gomp_amp_ops_of (r, &setup, block);
    }

  if (ops == NULL)
    {
      plan = &gomp_amp_even_plan;
      ops = &amp_even;
    }
  else if (ops == &amp_aid_static && setup.site != NULL && !setup.observe
	   && !setup.crowded && !gomp_amp_taking)
    plan = gomp_amp_kept_plan (block, &setup);
  if (plan != NULL && !setup.observe && !gomp_amp_taking)
    gomp_amp_set_plan (ws, plan);
  else
    gomp_amp_begin_core (ws, block, ops, &setup, r->from.address);
  GOMP_AMP_SITE_UNLOCK ();
}

/* Begin loop R of N iterations on WS.  */

static void
gomp_amp_begin (struct gomp_work_share *ws, struct gomp_team *team, uint64_t n,
		const struct gomp_amp_request *r)
{
  unsigned lanes = team == NULL ? 1 : team->nthreads;

  /* No types: the constructor has not run yet, or GOMP_AMP is off.  */
  if (n == 0 || lanes > 65535 || gomp_amp_types == 0
      || (lanes == 1 && !gomp_amp_recording && !gomp_amp_costing)
      || (!gomp_amp_taking && gomp_amp_relies_on_static_p (r, n, lanes)))
    gomp_amp_set_plan (ws, &gomp_amp_even_plan);
  else
    gomp_amp_begin_team (ws, team, lanes, n, r);
}

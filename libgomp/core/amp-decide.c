/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   See amp-decide.h.  */

#include "amp-goal.c"

/* Is this execution of SETUP's loop one of those that are observed?  */

static inline bool
amp_due_p (const struct amp_facts *facts, const struct amp_setup *setup)
{
  return setup->site != NULL && amp_site_due (setup->site, facts->turn);
}

/* Raise those of PARAMS, OPS's, that are chunks to LEAST.  */

static void
amp_raise_chunks (const struct amp_ops *ops, struct amp_params *params,
		  unsigned long long least)
{
  unsigned i;

  /* 1 is what a clause without a chunk says, and no bound.  */
  for (i = 0; least > 1 && i < ops->nparams; i++)
    {
      const struct amp_param_info *info = &ops->param[i];
      int *value = &params->value[i];

      if (info->chunk == AMP_CHUNK_NO
	  || (info->chunk == AMP_CHUNK_IF_GIVEN && *value == 0)
	  || (unsigned long long) *value >= least)
	continue;
      *value = (least < (unsigned long long) info->max
		? (int) least : info->max);
    }
}

/* Where aid_hybrid has found that so many 10000ths of the iterations can be
   distributed beforehand, all may be.  */
#define AMP_GOAL_EVEN 6000

/* A loop that lasts so many min_ticks and needs no repair gets blocks alone:
   what a queue costs is half a percent of it.  */
#define AMP_AUTO_REPAIRED 20

/* Does SETUP's loop get blocks alone?  Where it is short and a verdict says so,
   which single observations do not change; where stealing would gain less than
   it costs; or where it gains nothing and the loop is not long.  */

static inline bool
amp_auto_blocks_p (const struct amp_setup *setup)
{
  struct amp_site *site = setup->site;
  double min_ticks = (double) setup->min_ticks;
  double cost = amp_site_share_cost (setup->lanes, setup->min_ticks);
  double spread = amp_load_double (&site->spread);
  double time = (amp_load_double (&site->time) * (double) setup->n);

  if (AMP_LOAD (&site->observations, AMP_RELAXED) == 0)
    return false;
  return ((amp_site_bare_p (site)
	   && amp_site_short_p (site, (double) setup->n))
	  || time * spread < cost
	  || (spread < AMP_FEEDBACK_TOLERANCE
	      && time < AMP_AUTO_REPAIRED * min_ticks));
}

/* Is SETUP's loop, which is observed, to have static's blocks, so that each
   lane runs enough to be judged by?  In a short loop a lane that came late, the
   first time above all, has run next to nothing.  Where it seems slow for that
   reason it gets next to nothing.  */

static inline bool
amp_auto_even_p (const struct amp_setup *setup)
{
  struct amp_site *site = setup->site;

  return (AMP_LOAD (&site->costs_guessed, AMP_RELAXED) != 0
	  && AMP_LOAD (&site->observations, AMP_RELAXED) >= AMP_SITE_SURE
	  && amp_site_short_p (site, (double) setup->n));
}

/* What the runtime chooses.  */

static struct amp_decision
amp_decide_auto (const struct amp_facts *facts, struct amp_setup *setup)
{
  struct amp_decision d = { AMP_BLOCKS_NONE, &amp_feedback };
  struct amp_site *site = setup->site;

  setup->is_auto = true;
  if (!facts->any_order)
    d.ops = (site != NULL && AMP_LOAD (&site->even_failed, AMP_RELAXED) != 0
	     ? &amp_aid_dynamic : &amp_aid_hybrid);
  if (site == NULL || setup->crowded)
    return d;
  setup->is_observed = amp_due_p (facts, setup) || facts->observe_rare;
  if (setup->is_observed && amp_auto_even_p (setup))
    {
      d.blocks = AMP_BLOCKS_EVEN;
      d.ops = &amp_even;
    }
  else if (facts->any_order ? amp_auto_blocks_p (setup)
	   : amp_site_unpooled_p (site, (double) setup->n,
				  setup->is_observed))
    {
      d.ops = &amp_own_blocks;
      if (!setup->is_observed)
	d.blocks = AMP_BLOCKS_SITE;
    }
  return d;
}

/* What the runtime chooses where a goal may leave cores out.  What is left gets
   blocks by speed, with a pool behind them unless iterations are known to be
   alike.  */

static struct amp_decision
amp_decide_goal (const struct amp_facts *facts, struct amp_setup *setup)
{
  struct amp_decision d = { AMP_BLOCKS_NONE, &amp_aid_hybrid };

  setup->left_out = amp_goal_leaves_out (facts->goal, setup);
  if (setup->left_out == 0)
    return amp_decide_auto (facts, setup);
  if (amp_goal_informed_p (setup->site)
      && AMP_LOAD (&setup->site->share, AMP_RELAXED) >= AMP_GOAL_EVEN)
    d.ops = &amp_aid_static;
  setup->is_observed = amp_due_p (facts, setup);
  return d;
}

/* The schedule that was asked for.  */

static struct amp_decision
amp_decide_named (const struct amp_facts *facts, struct amp_setup *setup)
{
  struct amp_decision d = { AMP_BLOCKS_NONE, facts->ops };

  setup->params = facts->params;
  amp_raise_chunks (d.ops, &setup->params, facts->least);
  if (facts->site_learns_nothing)
    setup->site = NULL;
  setup->is_observed = amp_due_p (facts, setup);
  return d;
}

/* D's schedule may hand out chunks in any order, and must not.  aid_dynamic,
   which fits loops of the same kind, takes its place.

   Stealing that ascends would have a thief take only what lies above its own
   last iteration.  Who is through first then helps only those above, and nobody
   helps the first lane: from contiguous blocks that reaches 0.58 to 0.85 of the
   ideal in simulation where aid_dynamic reaches 0.90 to 0.97, and binlpt with
   the true workload 0.84 to 0.93.  dynamic,1 reaches 0.87 to 0.96 if iterations
   take 5 us, and 0.05 to 0.18 if they take 100 ns.  */

static void
amp_keep_order (const struct amp_facts *facts, struct amp_setup *setup,
		struct amp_decision *d)
{
  d->ops = &amp_aid_dynamic;
  memset (&setup->params, 0, sizeof setup->params);
  amp_raise_chunks (d->ops, &setup->params, facts->least);
}

/* Do lanes get the blocks of SETUP's site, and nothing else?  A lane that may
   move, and was found to lately, needs a pool beside its block.  */

static inline bool
amp_keeps_blocks_p (const struct amp_setup *setup, const struct amp_ops *ops)
{
  return ((ops->flags & AMP_KEEPS_BLOCKS) && setup->site != NULL
	  && !setup->is_observed && !setup->crowded
	  && ((setup->lane_type != NULL && !setup->types_guessed)
	      || AMP_LOAD (&setup->site->observations_after_move,
			   AMP_RELAXED) == 0));
}

static struct amp_decision
amp_decide (const struct amp_facts *facts, struct amp_setup *setup)
{
  struct amp_decision d = { AMP_BLOCKS_NONE, &amp_even };

  memset (&setup->params, 0, sizeof setup->params);
  setup->is_observed = false;
  setup->is_auto = false;
  setup->left_out = 0;
  if (setup->lanes == 1)
    {
      if (facts->alone_ops != NULL)
	d.ops = facts->alone_ops;
      if (facts->alone_ops != NULL || facts->observe_alone)
	setup->is_observed = facts->observe_alone || amp_due_p (facts, setup);
      else
	d.blocks = AMP_BLOCKS_EVEN;
    }
  else if (facts->must_be_even)
    {
      d.blocks = AMP_BLOCKS_EVEN;
      setup->is_observed = facts->observe_even && amp_due_p (facts, setup);
    }
  else if (facts->must_be_steady)
    {
      d.blocks = AMP_BLOCKS_REGION;
      d.ops = &amp_fixed;
      setup->is_observed = !setup->crowded && amp_due_p (facts, setup);
    }
  else if (facts->must_be_drawn)
    d.ops = &amp_shuffle;
  else
    {
      d = (facts->ops != NULL ? amp_decide_named
	   : facts->goal != NULL ? amp_decide_goal
	   : amp_decide_auto) (facts, setup);
      if (!facts->any_order && !(d.ops->flags & AMP_MONOTONIC))
	amp_keep_order (facts, setup, &d);
      if (amp_keeps_blocks_p (setup, d.ops))
	d.blocks = AMP_BLOCKS_SITE;
    }
  return d;
}

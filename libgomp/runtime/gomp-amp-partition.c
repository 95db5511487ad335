/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Plans.  All blocks that are fixed when a loop begins are dealt out by one:
   WS's schedule is GFS_AMP and its chunk size, which is of no concern to the
   core's loops, the plan's address.  */

#include "gomp-amp-glue.h"

GOMP_AMP_PART struct amp_plan gomp_amp_even_plan = { .kind = AMP_PLAN_EVEN };

GOMP_AMP_PART_INLINE void
gomp_amp_set_plan (struct gomp_work_share *ws, struct amp_plan *plan)
{
  ws->chunk_size = (long) (uintptr_t) (plan->kind == AMP_PLAN_EVEN
				       ? &gomp_amp_even_plan : plan);
}

/* The plan of WS's loop, if that is all it needs.  */

GOMP_AMP_PART_INLINE struct amp_plan *
gomp_amp_plan_of (const struct gomp_work_share *ws)
{
  return (struct amp_plan *) (uintptr_t) ws->chunk_size;
}

/* Make PLAN, of blocks alone, for SETUP, in BOUNDS, which may be its own.  */

static void
gomp_amp_make_plan (struct amp_plan *plan, const struct amp_setup *setup,
		    uint64_t *bounds)
{
  uint64_t version = amp_plan_version (setup);
  struct amp_weights w, *by = NULL;
  enum amp_plan_kind kind = AMP_PLAN_WEIGHTED;
  unsigned i;

  if (!setup->is_auto
      || !amp_feedback_cut (setup->site, setup->lanes, setup->n, bounds))
    {
      kind = amp_plan_make (setup, setup->n, bounds, &w);
      by = &w;
    }
  /* The lanes are to say where they are all the same.  */
  if (kind == AMP_PLAN_EVEN)
    {
      kind = AMP_PLAN_WEIGHTED;
      by = NULL;
      for (i = 0; i <= setup->lanes; i++)
	AMP_STORE (&bounds[i],
		   amp_even_bound (setup->n, setup->lanes, i), AMP_RELAXED);
    }
  if (kind == AMP_PLAN_WEIGHTED)
    amp_plan_settle (plan, setup, by, bounds);
  plan->kind = kind;
  plan->divided = kind == AMP_PLAN_WEIGHTED;
  amp_plan_stamp (plan, setup, version,
		  plan->divided ? AMP_KEPT_BLOCKS : AMP_KEPT_NOTHING);
}

/* The plan of BLOCK's for a loop of SETUP that needs no more than its site's
   blocks, or NULL if too little is known for that.  */

static struct amp_plan *
gomp_amp_kept_plan (struct gomp_amp_block *block,
		    const struct amp_setup *setup)
{
  struct amp_plan *plan = gomp_amp_block_plan (block, setup->site->number);

  gomp_amp_make_plan (plan, setup,
		      amp_loop_own_bounds (gomp_amp_block_loop (block)));
  return plan->kind != AMP_PLAN_NONE ? plan : NULL;
}

/* Is what SETUP's site has observed enough to go by for the rest of a
   region?  */

static bool
gomp_amp_well_known_p (const struct amp_setup *setup)
{
  struct amp_site *site = setup->site;
  uint64_t least;

  if (setup->sf != NULL || site == NULL)
    return setup->sf != NULL;
  least = amp_site_memory (amp_load_double (&site->time) * (double) setup->n,
			   setup->min_ticks);
  if (least > amp_site_known_after)
    least = amp_site_known_after;
  return AMP_LOAD (&site->observations, AMP_RELAXED) >= least;
}

/* Make PLAN, for a loop of SETUP, of the speeds that are known.  False, and an
   even plan, if none are.  */

static bool
gomp_amp_make_steady (struct amp_plan *plan,
		      const struct amp_setup *setup)
{
  struct amp_setup with = *setup;

  /* Nothing stays.  */
  plan->site = NULL;
  gomp_amp_make_plan (plan, setup, plan->bounds);
  if (plan->kind == AMP_PLAN_NONE && setup->sf == NULL
      && gomp_amp_machine_sf != NULL)
    {
      with.sf = gomp_amp_machine_sf;
      plan->site = NULL;
      gomp_amp_make_plan (plan, &with, plan->bounds);
    }
  if (plan->kind != AMP_PLAN_NONE)
    return true;
  plan->kind = AMP_PLAN_EVEN;
  return false;
}

/* The plan I of STEADY, for a further loop R of SETUP.  As long as it is even
   for want of speeds, it may change, once: where no thread can have left a loop
   of such blocks without a barrier, since none that R's thread has passed can,
   and where nothing that has run in the region is bound to its blocks.  All
   threads have then taken their part of the last loop with that plan.  */

static struct amp_plan *
gomp_amp_steady_again (struct gomp_amp_steady *steady, unsigned i,
		       const struct amp_setup *setup,
		       const struct gomp_amp_request *r)
{
  struct amp_plan *plan = steady->plan[i];

  if (!gomp_amp_replaced_static_p (r))
    /* No note follows a loop that is steady otherwise.  */
    steady->may_change[i] = false;
  else if (steady->may_change[i] && !steady->blocks_bound && !setup->crowded
	   && !(r->hints & (GOMP_AMP_HINT_STATIC | GOMP_AMP_HINT_REPLACEABLE))
	   && gomp_amp_well_known_p (setup))
    steady->may_change[i] = !gomp_amp_make_steady (plan, setup);
  /* What another loop relies on comes first.  */
  return (gomp_amp_replaced_static_p (r) && (r->hints & GOMP_AMP_HINT_STATIC)
	  ? &gomp_amp_even_plan : plan);
}

/* The plan that all steady loops of SETUP's trip count have in the region that
   TEAM runs, for R's.  Only the thread that begins a loop calls this, and a
   thread that begins another has come by the first one's work share: so calls
   are ordered, and what a plan says is there before other threads read it.  */

static struct amp_plan *
gomp_amp_steady_plan (struct gomp_team *team, const struct amp_setup *setup,
		      const struct gomp_amp_request *r)
{
  struct gomp_amp_steady *steady = team->amp;
  struct amp_plan *plan;
  unsigned i;

  if (steady == NULL)
    team->amp = steady = gomp_malloc_cleared (sizeof *steady);
  if (gomp_amp_replaced_static_p (r)
      && r->from.how == GOMP_AMP_EXPLICIT_MONOTONIC)
    steady->blocks_bound = true;
  for (i = 0; i < steady->nplans; i++)
    if (steady->plan[i]->n == setup->n)
      return gomp_amp_steady_again (steady, i, setup, r);
  /* More trip counts than that: all loops of the others are even.  */
  if (i == GOMP_AMP_STEADY)
    return &gomp_amp_even_plan;
  plan = steady->plan[i];
  if (plan == NULL)
    steady->plan[i] = plan
      = gomp_malloc (amp_plan_size (team->nthreads, gomp_amp_types));
  steady->nplans++;
  steady->may_change[i] = false;
  if (gomp_amp_replaced_static_p (r) && (r->hints & GOMP_AMP_HINT_STATIC))
    {
      plan->n = setup->n;
      plan->kind = AMP_PLAN_EVEN;
      return plan;
    }
  if (gomp_amp_check.shuffle)
    {
      uint64_t draw = amp_draw (gomp_amp_check.seed + steady->region,
				setup->n);

      plan->site = setup->site;
      plan->n = setup->n;
      plan->kind = AMP_PLAN_WEIGHTED;
      for (i = 0; i <= setup->lanes; i++)
	plan->bounds[i] = amp_shuffle_cut (draw, setup->n, setup->lanes, i);
      return plan;
    }
  steady->may_change[i] = (!gomp_amp_make_steady (plan, setup)
			   && gomp_amp_replaced_static_p (r));
  return plan;
}

/* The plan that has BLOCKS for the loop R of SETUP in TEAM, which is begun with
   BLOCK, or NULL if a loop of the core is to be begun.  If one is begun all
   the same, SETUP's `bounds' have it.  */

GOMP_AMP_PART struct amp_plan *
gomp_amp_find_plan (enum amp_blocks blocks, struct gomp_amp_block *block,
		    struct gomp_team *team, struct amp_setup *setup,
		    const struct gomp_amp_request *r)
{
  struct amp_plan *plan;

  switch (blocks)
    {
    case AMP_BLOCKS_EVEN:
      return &gomp_amp_even_plan;
    case AMP_BLOCKS_REGION:
      plan = gomp_amp_steady_plan (team, setup, r);
      if (plan->kind == AMP_PLAN_WEIGHTED)
	setup->bounds = plan->bounds;
      return plan;
    case AMP_BLOCKS_SITE:
      return gomp_amp_kept_plan (block, setup);
    default:
      return NULL;
    }
}

/* The block of THR, the calling thread, of a loop of N iterations that is dealt
   like static.  False if that is empty.  */

GOMP_AMP_PART_INLINE bool
gomp_amp_take_even_block (struct gomp_thread *thr, uint64_t n,
			  struct amp_chunk *chunk)
{
  struct gomp_team *team = thr->ts.team;
  unsigned id = thr->ts.team_id, lanes = team == NULL ? 1 : team->nthreads;

  thr->ts.static_trip = 1;
  /* What is even does not follow the lanes, but who is not bound leaves its
     mark.  */
  if (lanes > 1 && gomp_amp_unbound_p ())
    gomp_amp_arrive (thr);
  chunk->begin = amp_even_bound (n, lanes, id);
  chunk->end = amp_even_bound (n, lanes, id + UINT64_C (1));
  return chunk->begin != chunk->end;
}

/* The calling thread's block of PLAN, for a loop of N iterations; once.  */

GOMP_AMP_PART_INLINE bool
gomp_amp_take_block (struct amp_plan *plan, uint64_t n,
		     struct amp_chunk *chunk)
{
  struct gomp_thread *thr = gomp_thread ();
  unsigned id = thr->ts.team_id;

  if (thr->ts.static_trip != 0)
    return false;
  if (plan->kind == AMP_PLAN_EVEN)
    return gomp_amp_take_even_block (thr, n, chunk);
  thr->ts.static_trip = 1;
  if (plan->site != NULL)
    {
      unsigned type = gomp_amp_arrive (thr);

      if (!AMP_LOCKED)
	amp_site_see (plan->site, id,
		      type < plan->site->types ? type : plan->site->types - 1);
    }
  chunk->begin = AMP_LOAD (&plan->bounds[id], AMP_RELAXED);
  chunk->end = AMP_LOAD (&plan->bounds[id + 1], AMP_RELAXED);
  if (__builtin_expect (chunk->begin == chunk->end, 0))
    gomp_amp_idle ();
  return chunk->begin != chunk->end;
}

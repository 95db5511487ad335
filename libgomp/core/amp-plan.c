/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Plans: one contiguous block a lane, in proportion to the speed of the core
   it is expected to run on.

   A plan is made by the thread that begins the loop, out of what is known at
   that moment, and is constant from then on.  The bounds increase whatever
   the weights are, so a lane that turns out to run elsewhere, or a site that
   changes meanwhile, costs balance and nothing else.  */

/* Observed speeds that differ by less than this are taken as equal where
   nothing says that the cores differ.  */
#define AMP_PLAN_EQUAL 1.1

/* The type that LANE is expected to run on; SETUP->types if that is
   unknown.  Where it was seen by the site, the answer may differ from call to
   call.  */

static inline unsigned
amp_expected_type (const struct amp_setup *setup, unsigned lane)
{
  uint64_t seen = 0;
  unsigned type;

  /* What places promise is not what a proc_bind clause makes of them.  */
  if (setup->site != NULL)
    seen = AMP_LOAD (&amp_site_seen (setup->site)[lane], AMP_RELAXED);
  if (seen != 0)
    type = seen - 1;
  else if (setup->lane_type != NULL)
    type = setup->lane_type[lane];
  else
    return setup->types;
  return type < setup->types ? type : setup->types - 1;
}

/* What the lanes of a loop are expected to be, by one look at each.  */

struct amp_weights
{
  const double *sf;		/* Of the types; NULL: some lane's is not
				   known, or lanes share CPUs.  */
  double sum;			/* Of all lanes' SF.  */
  unsigned types;
  uint64_t left_out;		/* As in the setup.  */
  bool one_type;		/* All are known to be of one type.  */
  bool speeds_alike;		/* SF may be one for all: only observation
				   tells types apart, and by little.  */
  uint64_t lanes_of[AMP_MAX_TYPES];	/* Lanes expected on each type.  */
  double observed[AMP_MAX_TYPES];	/* SF may be this.  */
};

/* Is TYPE left out of SETUP's loop?  */

static inline bool
amp_left_out_p (const struct amp_setup *setup, unsigned type)
{
  return setup->left_out >> type & 1;
}

/* Are the lanes' parts to differ, as far as is known?  */

static inline bool
amp_unlike_p (const struct amp_weights *w)
{
  return w->sf != NULL && !w->one_type && !w->speeds_alike;
}

/* What a lane of TYPE counts for.  */

static inline double
amp_weight (const struct amp_weights *w, unsigned type)
{
  return w->speeds_alike ? 1.0 : w->sf[type];
}

/* Fill in W, and, unless there is but one, TYPES with each lane's expected
   type.  BIASED: as for amp_site_sf.  */

static void
amp_weigh (const struct amp_setup *setup, bool biased, uint64_t *types,
	   struct amp_weights *w)
{
  const double *sf = setup->crowded ? NULL : setup->sf;
  double least = AMP_SF_MAX, most = 0.0;
  unsigned i, type, first = setup->types;

  w->sf = NULL;
  w->types = setup->types;
  w->sum = 0.0;
  w->speeds_alike = false;
  w->one_type = setup->types == 1;
  if (w->one_type)
    return;
  w->one_type = setup->lane_type != NULL && !setup->types_guessed;
  memset (w->lanes_of, 0, setup->types * sizeof *w->lanes_of);
  if (setup->sf == NULL && !setup->crowded && setup->site != NULL
      && amp_site_sf (setup->site, biased, w->observed))
    sf = w->observed;
  for (i = 0; i < setup->lanes; i++)
    {
      type = amp_expected_type (setup, i);
      AMP_STORE (&types[i], type, AMP_RELAXED);
      if (i == 0)
	first = type;
      if (type != first)
	w->one_type = false;
      if (type == setup->types)
	{
	  sf = NULL;
	  continue;
	}
      if (amp_left_out_p (setup, type))
	continue;
      w->lanes_of[type]++;
      if (sf == NULL || !(sf[type] > 0.0))
	{
	  sf = NULL;
	  continue;
	}
      if (sf[type] < least)
	least = sf[type];
      if (sf[type] > most)
	most = sf[type];
      w->sum += sf[type];
    }
  /* Nobody is in: all are.  */
  w->sf = w->sum > 0.0 ? sf : NULL;
  w->left_out = setup->left_out;
  w->speeds_alike = setup->observed_types && most < least * AMP_PLAN_EQUAL;
}

/* Cut the numbers 0 .. WHOLE-1 into LANES parts by W, the I-th of which begins
   with CUTS[I], where amp_weigh has put the lane's type.

   No other parts in whole numbers would let the last lane end sooner: each
   lane gets its share less the fraction, which it cannot do without, and what
   is left goes one by one to whoever is through with one more before others
   would be.  So where there is little to divide slow lanes may get nothing.  */

static void
amp_cut (const struct amp_weights *w, unsigned lanes, uint64_t whole,
	 uint64_t *cuts)
{
  uint64_t count[AMP_MAX_TYPES], odd[AMP_MAX_TYPES], rest = whole, before = 0;
  double end[AMP_MAX_TYPES], sum = 0.0, unit;
  unsigned i, j, first = w->types;

  for (j = w->types; j-- > 0;)
    if (w->lanes_of[j] != 0)
      {
	sum += (double) w->lanes_of[j] * amp_weight (w, j);
	first = j;
      }
  /* Lest rounding make the shares more than WHOLE.  */
  unit = (double) whole / sum * (1.0 - 0x1p-40);
  for (j = first; j < w->types; j++)
    if (w->lanes_of[j] != 0)
      {
	double share = unit * amp_weight (w, j);

	/* No number where SF are infinite.  */
	count[j] = share < (double) whole ? (uint64_t) share : 0;
	odd[j] = 0;
	rest -= count[j] * w->lanes_of[j];
	end[j] = (double) (count[j] + 1) / amp_weight (w, j);
      }
  while (rest != 0)
    {
      /* WHOLE may have more digits than a double.  */
      uint64_t step = rest < lanes ? 1 : rest / lanes;
      unsigned best = first;

      for (j = first + 1; j < w->types; j++)
	if (w->lanes_of[j] != 0 && end[j] < end[best])
	  best = j;
      if (rest < w->lanes_of[best])
	{
	  odd[best] = rest;
	  break;
	}
      count[best] += step;
      rest -= step * w->lanes_of[best];
      end[best] = (double) (count[best] + 1) / amp_weight (w, best);
    }
  for (i = 0; i < lanes; i++)
    {
      uint64_t type = AMP_LOAD (&cuts[i], AMP_RELAXED);

      AMP_STORE (&cuts[i], before, AMP_RELAXED);
      if (w->left_out >> type & 1)
	continue;
      before += count[type];
      if (odd[type] != 0)
	{
	  odd[type]--;
	  before++;
	}
    }
  AMP_STORE (&cuts[i], whole, AMP_RELAXED);
}

/* Divide the ordinals 0 .. AID_N - 1 among the lanes, if enough is known:
   AMP_PLAN_WEIGHTED and BOUNDS (see amp_loop_bounds), or AMP_PLAN_EVEN for the
   blocks of the static schedule over all iterations, or AMP_PLAN_NONE.  W
   becomes what that is based upon.  */

static enum amp_plan_kind
amp_plan_make (const struct amp_setup *setup, uint64_t aid_n,
	       uint64_t *bounds, struct amp_weights *w)
{
  bool whole = aid_n == setup->n;

  amp_weigh (setup, whole, bounds, w);
  if (setup->crowded)
    return AMP_PLAN_NONE;
  if (w->one_type)
    return AMP_PLAN_EVEN;
  if (setup->left_out != 0 && w->sf != NULL)
    {
      amp_cut (w, setup->lanes, aid_n, bounds);
      return AMP_PLAN_WEIGHTED;
    }
  /* Only a pool that is left makes up for uneven iterations.  */
  if (setup->sf == NULL && setup->site != NULL && whole
      && AMP_LOAD (&setup->site->iterations_uneven, AMP_RELAXED) != 0)
    return AMP_PLAN_NONE;
  if (w->sf == NULL)
    return AMP_PLAN_NONE;
  if (w->speeds_alike && whole)
    return AMP_PLAN_EVEN;
  amp_cut (w, setup->lanes, aid_n, bounds);
  return AMP_PLAN_WEIGHTED;
}

/* Blocks stay where they are, for the sake of caches and first touch, unless
   others would let the last lane end sooner by more than this part: means of a
   few observations differ by as much.  */
#define AMP_PLAN_STAY 0.015

/* When the last lane of SETUP's loop would end with BOUNDS, by W.  */

static double
amp_plan_end (const struct amp_setup *setup, const struct amp_weights *w,
	      uint64_t *bounds)
{
  double last = 0.0;
  unsigned i;

  for (i = 0; i < setup->lanes; i++)
    {
      unsigned type = amp_expected_type (setup, i);
      double end = (double) (AMP_LOAD (&bounds[i + 1], AMP_RELAXED)
			     - AMP_LOAD (&bounds[i], AMP_RELAXED));

      if (type < w->types && w->lanes_of[type] != 0)
	end /= amp_weight (w, type);
      if (end > last)
	last = end;
    }
  return last;
}

/* BOUNDS are SETUP's new ones, by W unless that is NULL: PLAN has them from now
   on, or keeps those that it has.  */

static void
amp_plan_settle (struct amp_plan *plan, const struct amp_setup *setup,
		 const struct amp_weights *w, uint64_t *bounds)
{
  unsigned i;

  if (w != NULL && w->sf != NULL && plan->site == setup->site
      && plan->n == setup->n && plan->divided
      && plan->bounds[setup->lanes] == bounds[setup->lanes]
      && (amp_plan_end (setup, w, plan->bounds)
	  <= amp_plan_end (setup, w, bounds) * (1.0 + AMP_PLAN_STAY)))
    return;
  for (i = 0; i <= setup->lanes; i++)
    AMP_STORE (&plan->bounds[i], AMP_LOAD (&bounds[i], AMP_RELAXED),
	       AMP_RELAXED);
}

/* LOOP, of SETUP, has made its division, by W: where there is a plan for that,
   it goes by that one's bounds from now on.  */

static void
amp_plan_divide (struct amp_loop *loop, const struct amp_setup *setup,
		 const struct amp_weights *w)
{
  struct amp_plan *plan = setup->plan;

  if (plan == NULL || setup->crowded || setup->left_out != 0)
    return;
  if (loop->queues_bounded || loop->plan_kind == AMP_PLAN_WEIGHTED)
    amp_plan_settle (plan, setup, w, loop->bounds);
  loop->bounds = plan->bounds;
}

/* PLAN is SETUP's, whose site had VERSION before, and KEPT says what of.  */

static void
amp_plan_stamp (struct amp_plan *plan, const struct amp_setup *setup,
		uint64_t version, enum amp_kept kept)
{
  plan->site = setup->site;
  plan->version = version;
  plan->n = setup->n;
  plan->asked = setup->asked;
  plan->kept = kept;
}

/* LOOP has begun: if it goes by SETUP's plan, so may the next.  VERSION is the
   site's before.  */

static void
amp_plan_keep (struct amp_loop *loop, const struct amp_setup *setup,
	       uint64_t version)
{
  struct amp_plan *plan = setup->plan;

  if (plan == NULL || loop->bounds != plan->bounds)
    return;
  plan->divided = loop->queues_bounded || loop->plan_kind == AMP_PLAN_WEIGHTED;
  loop->pace = memcpy (plan->bounds + loop->lanes + 1, loop->pace,
		       loop->types * sizeof *loop->pace);
  memcpy (plan->constant, loop, sizeof plan->constant);
  amp_plan_stamp (plan, setup, version, (loop->is_observed ? AMP_KEPT_NOTHING
					 : AMP_KEPT_LOOP));
}

static bool
amp_plan_fits_p (const struct amp_plan *plan, struct amp_site *site,
		 uint64_t n, const struct amp_asked *asked)
{
  return (plan->site == site && plan->n == n
	  && plan->kept != AMP_KEPT_NOTHING
	  && plan->version == AMP_LOAD (&site->version, AMP_RELAXED)
	  && plan->asked.word[0] == asked->word[0]
	  && plan->asked.word[1] == asked->word[1]);
}

/* The version of SETUP's site.  */

static inline uint64_t
amp_plan_version (const struct amp_setup *setup)
{
  return (setup->site != NULL ? AMP_LOAD (&setup->site->version, AMP_RELAXED)
	  : 0);
}

/* Make a plan for LOOP.  */

static void
amp_plan (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_weights w;

  loop->plan_kind = amp_plan_make (setup, loop->aid_n, amp_loop_bounds (loop),
				   &w);
  loop->one_type = w.one_type;
  if (loop->plan_kind == AMP_PLAN_NONE)
    {
      amp_aid_init (loop);
      return;
    }
  if (loop->plan_kind == AMP_PLAN_WEIGHTED)
    {
      loop->left_out = setup->left_out;
      /* The pool is what the plan leaves.  */
      AMP_STORE (&loop->cursor, loop->aid_n, AMP_RELAXED);
      if (loop->aid_n != loop->n && loop->minor == 0)
	amp_set_pace (loop, w.sf, w.lanes_of);
    }
  amp_plan_divide (loop, setup, &w);
}

/* LANE's block of the plan.  */

static inline struct amp_chunk
amp_plan_block (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t *bounds = amp_loop_bounds (loop);
  struct amp_chunk chunk;

  if (loop->plan_kind == AMP_PLAN_EVEN)
    return amp_even_block (loop, lane);
  chunk.begin = AMP_LOAD (&bounds[lane->id], AMP_RELAXED);
  chunk.end = AMP_LOAD (&bounds[lane->id + 1], AMP_RELAXED);
  lane->run += chunk.end - chunk.begin;
  return chunk;
}

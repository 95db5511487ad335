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

/* The type that LANE is expected to run on; LOOP->types if that is
   unknown.  */

static inline unsigned
amp_expected_type (struct amp_loop *loop, const struct amp_setup *setup,
		   unsigned lane)
{
  if (setup->lane_type != NULL && !setup->guess)
    return amp_known_type (loop, setup->lane_type[lane]);
  if (setup->site != NULL)
    {
      uint64_t seen = AMP_LOAD (&amp_site_seen (setup->site)[lane],
				AMP_RELAXED);
      if (seen != 0)
	return amp_known_type (loop, seen - 1);
    }
  if (setup->lane_type != NULL)
    return amp_known_type (loop, setup->lane_type[lane]);
  return loop->types;
}

/* Divide the ordinals 0 .. aid_n - 1 by the weights SF of the types, unless
   the weight of some lane is not known.  */

static void
amp_plan_weigh (struct amp_loop *loop, const struct amp_setup *setup,
		const double *sf)
{
  uint64_t *bounds = amp_loop_bounds (loop);
  double sum = 0.0, unit, least = AMP_SF_MAX, most = 0.0;
  uint64_t before = 0;
  unsigned i, type;
  bool equal;

  for (i = 0; i < loop->lanes; i++)
    {
      type = amp_expected_type (loop, setup, i);
      if (type == loop->types || !(sf[type] > 0.0))
	return;
      if (sf[type] < least)
	least = sf[type];
      if (sf[type] > most)
	most = sf[type];
      sum += sf[type];
    }
  /* Only what was observed tells these types apart: small differences are
     noise.  */
  equal = setup->observed_types && most < least * AMP_PLAN_EQUAL;
  if (equal && loop->aid_n == loop->n)
    {
      loop->plan = AMP_PLAN_EVEN;
      return;
    }
  unit = (double) loop->aid_n / (equal ? (double) loop->lanes : sum);
  sum = 0.0;
  for (i = 0; i < loop->lanes; i++)
    {
      double bound;

      bounds[i] = before;
      sum += equal ? 1.0 : sf[amp_expected_type (loop, setup, i)];
      bound = sum * unit + 0.5;
      /* aid_n may round up to 2^64 as a double: compare, do not convert.  */
      if (bound >= (double) loop->aid_n)
	before = loop->aid_n;
      else if ((uint64_t) bound > before)
	before = (uint64_t) bound;
    }
  bounds[loop->lanes] = loop->aid_n;
  loop->plan = AMP_PLAN_WEIGHTED;
  /* The pool is what the plan leaves.  */
  AMP_STORE (&loop->next, loop->aid_n, AMP_RELAXED);
}

/* Make a plan for LOOP, if enough is known.  */

static void
amp_plan (struct amp_loop *loop, const struct amp_setup *setup)
{
  double sf[AMP_MAX_TYPES];

  if (loop->crowded)
    return;
  if (loop->uniform)
    loop->plan = AMP_PLAN_EVEN;
  else if (setup->sf != NULL)
    amp_plan_weigh (loop, setup, setup->sf);
  /* Only a pool that is left makes up for uneven iterations.  */
  else if (setup->site != NULL
	   && (loop->aid_n < loop->n
	       || AMP_LOAD (&setup->site->uneven, AMP_RELAXED) == 0)
	   && amp_site_sf (setup->site, sf))
    amp_plan_weigh (loop, setup, sf);
}

/* LANE's block of the plan.  False if it is empty.  */

static inline bool
amp_plan_block (struct amp_loop *loop, struct amp_lane *lane,
		struct amp_chunk *chunk)
{
  uint64_t *bounds = amp_loop_bounds (loop);

  if (loop->plan == AMP_PLAN_EVEN)
    return amp_even_block (loop, lane, chunk);
  chunk->begin = bounds[lane->id];
  chunk->end = bounds[lane->id + 1];
  lane->run += chunk->end - chunk->begin;
  return chunk->begin != chunk->end;
}

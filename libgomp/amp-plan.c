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

/* The SF of the types if it is known of each lane's expected one: SETUP's, or
   the site's, put in BUF; else NULL.  */

static const double *
amp_expected_sf (struct amp_loop *loop, const struct amp_setup *setup,
		 double buf[AMP_MAX_TYPES])
{
  const double *sf = setup->sf;
  unsigned i, type;

  if (loop->uniform)
    return NULL;
  if (sf == NULL && setup->site != NULL && amp_site_sf (setup->site, buf))
    sf = buf;
  for (i = 0; sf != NULL && i < loop->lanes; i++)
    {
      type = amp_expected_type (loop, setup, i);
      if (type == loop->types || !(sf[type] > 0.0))
	sf = NULL;
    }
  return sf;
}

/* Make a plan for LOOP, if enough is known.  */

static void
amp_plan (struct amp_loop *loop, const struct amp_setup *setup)
{
  uint64_t *bounds = amp_loop_bounds (loop);
  double buf[AMP_MAX_TYPES];
  const double *sf;
  double sum = 0.0, unit, least = AMP_SF_MAX, most = 0.0;
  uint64_t before = 0;
  unsigned i;
  bool equal;

  if (loop->crowded)
    return;
  if (loop->uniform)
    {
      loop->plan = AMP_PLAN_EVEN;
      return;
    }
  /* Only a pool that is left makes up for uneven iterations.  */
  if (setup->sf == NULL && setup->site != NULL && loop->aid_n == loop->n
      && AMP_LOAD (&setup->site->uneven, AMP_RELAXED) != 0)
    return;
  sf = amp_expected_sf (loop, setup, buf);
  if (sf == NULL)
    return;
  for (i = 0; i < loop->lanes; i++)
    {
      double one = sf[amp_expected_type (loop, setup, i)];

      if (one < least)
	least = one;
      if (one > most)
	most = one;
      sum += one;
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

      AMP_STORE (&bounds[i], before, AMP_RELAXED);
      sum += equal ? 1.0 : sf[amp_expected_type (loop, setup, i)];
      bound = sum * unit + 0.5;
      /* aid_n may round up to 2^64 as a double: compare, do not convert.  */
      if (bound >= (double) loop->aid_n)
	before = loop->aid_n;
      else if ((uint64_t) bound > before)
	before = (uint64_t) bound;
    }
  AMP_STORE (&bounds[i], loop->aid_n, AMP_RELAXED);
  loop->plan = AMP_PLAN_WEIGHTED;
  /* The pool is what the plan leaves.  */
  AMP_STORE (&loop->next, loop->aid_n, AMP_RELAXED);
}

/* LANE's block of the plan.  False if it is empty.  */

static inline bool
amp_plan_block (struct amp_loop *loop, struct amp_lane *lane,
		struct amp_chunk *chunk)
{
  uint64_t *bounds = amp_loop_bounds (loop);

  if (loop->plan == AMP_PLAN_EVEN)
    return amp_even_block (loop, lane, chunk);
  chunk->begin = AMP_LOAD (&bounds[lane->id], AMP_RELAXED);
  chunk->end = AMP_LOAD (&bounds[lane->id + 1], AMP_RELAXED);
  lane->run += chunk->end - chunk->begin;
  return chunk->begin != chunk->end;
}

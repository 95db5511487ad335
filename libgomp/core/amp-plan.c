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

/* Are all lanes known to be of one type?  */

static inline bool
amp_uniform_p (const struct amp_setup *setup)
{
  unsigned i, first;

  if (setup->types == 1)
    return true;
  if (setup->lane_type == NULL || setup->guess)
    return false;
  first = amp_expected_type (setup, 0);
  for (i = 1; i < setup->lanes; i++)
    if (amp_expected_type (setup, i) != first)
      return false;
  return true;
}

/* The SF of the types if it is known of each lane's expected one: SETUP's, or
   the site's, BIASED or not, put in BUF; else NULL.  */

static const double *
amp_expected_sf (const struct amp_setup *setup, bool biased,
		 double buf[AMP_MAX_TYPES])
{
  const double *sf = setup->sf;
  unsigned i, type;

  if (sf == NULL && setup->site != NULL
      && amp_site_sf (setup->site, biased, buf))
    sf = buf;
  for (i = 0; sf != NULL && i < setup->lanes; i++)
    {
      type = amp_expected_type (setup, i);
      if (type == setup->types || !(sf[type] > 0.0))
	sf = NULL;
    }
  return sf;
}

/* The sum of the lanes' SF.  *EQUAL becomes true if they may all be one: where
   only what was observed tells the types apart, small differences are
   noise.  */

static double
amp_sum_speeds (const struct amp_setup *setup, const double *sf, bool *equal)
{
  double sum = 0.0, least = AMP_SF_MAX, most = 0.0;
  unsigned i;

  for (i = 0; i < setup->lanes; i++)
    {
      double one = sf[amp_expected_type (setup, i)];

      if (one < least)
	least = one;
      if (one > most)
	most = one;
      sum += one;
    }
  *equal = setup->observed_types && most < least * AMP_PLAN_EQUAL;
  return sum;
}

/* Divide the ordinals 0 .. AID_N - 1 among the lanes, if enough is known:
   AMP_PLAN_WEIGHTED and BOUNDS (see amp_loop_bounds), or AMP_PLAN_EVEN for the
   blocks of the static schedule over all iterations, or AMP_PLAN_NONE.  */

static enum amp_plan_kind
amp_plan_make (const struct amp_setup *setup, uint64_t aid_n,
	       uint64_t *bounds)
{
  double buf[AMP_MAX_TYPES];
  const double *sf;
  double sum, unit;
  uint64_t before = 0;
  unsigned i;
  bool equal;

  if (setup->crowded)
    return AMP_PLAN_NONE;
  if (amp_uniform_p (setup))
    return AMP_PLAN_EVEN;
  /* Only a pool that is left makes up for uneven iterations.  */
  if (setup->sf == NULL && setup->site != NULL && aid_n == setup->n
      && AMP_LOAD (&setup->site->uneven, AMP_RELAXED) != 0)
    return AMP_PLAN_NONE;
  sf = amp_expected_sf (setup, aid_n == setup->n, buf);
  if (sf == NULL)
    return AMP_PLAN_NONE;
  sum = amp_sum_speeds (setup, sf, &equal);
  if (equal && aid_n == setup->n)
    return AMP_PLAN_EVEN;
  unit = (double) aid_n / (equal ? (double) setup->lanes : sum);
  sum = 0.0;
  for (i = 0; i < setup->lanes; i++)
    {
      double bound;

      AMP_STORE (&bounds[i], before, AMP_RELAXED);
      sum += equal ? 1.0 : sf[amp_expected_type (setup, i)];
      bound = sum * unit + 0.5;
      /* AID_N may round up to 2^64 as a double: compare, do not convert.
	 What was seen may have changed since the sum was taken, so BOUND may
	 be anything, not a number included.  */
      if (!(bound < (double) aid_n))
	before = aid_n;
      else if ((uint64_t) bound > before)
	before = (uint64_t) bound;
    }
  AMP_STORE (&bounds[i], aid_n, AMP_RELAXED);
  return AMP_PLAN_WEIGHTED;
}

/* Set LANES_OF to the numbers of lanes expected on each type.  */

static void
amp_count_expected (const struct amp_setup *setup,
		    uint64_t lanes_of[AMP_MAX_TYPES])
{
  unsigned i, type;

  memset (lanes_of, 0, setup->types * sizeof *lanes_of);
  for (i = 0; i < setup->lanes; i++)
    {
      type = amp_expected_type (setup, i);
      if (type < setup->types)
	lanes_of[type]++;
    }
}

/* The pace of LOOP's pool.  */

static void
amp_plan_pace (struct amp_loop *loop, const struct amp_setup *setup)
{
  double buf[AMP_MAX_TYPES];
  const double *sf = amp_expected_sf (setup, false, buf);
  uint64_t lanes_of[AMP_MAX_TYPES];

  if (sf == NULL)
    {
      /* What was seen of the lanes has changed since the plan was made.  */
      amp_aid_init (loop);
      return;
    }
  amp_count_expected (setup, lanes_of);
  amp_set_pace (loop, sf, lanes_of);
}

/* Make a plan for LOOP.  */

static void
amp_plan (struct amp_loop *loop, const struct amp_setup *setup)
{
  loop->plan = amp_plan_make (setup, loop->aid_n, amp_loop_bounds (loop));
  if (loop->plan == AMP_PLAN_NONE)
    amp_aid_init (loop);
  else if (loop->plan == AMP_PLAN_WEIGHTED)
    {
      /* The pool is what the plan leaves.  */
      AMP_STORE (&loop->next, loop->aid_n, AMP_RELAXED);
      if (loop->aid_n != loop->n && loop->minor == 0)
	amp_plan_pace (loop, setup);
    }
}

/* LANE's block of the plan.  */

static inline struct amp_chunk
amp_plan_block (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t *bounds = amp_loop_bounds (loop);
  struct amp_chunk chunk;

  if (loop->plan == AMP_PLAN_EVEN)
    return amp_even_block (loop, lane);
  chunk.begin = AMP_LOAD (&bounds[lane->id], AMP_RELAXED);
  chunk.end = AMP_LOAD (&bounds[lane->id + 1], AMP_RELAXED);
  lane->run += chunk.end - chunk.begin;
  return chunk;
}

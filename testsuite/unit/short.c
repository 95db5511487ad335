/* SPDX-License-Identifier: GPL-3.0-or-later

   What sites make of short loops, and what they tell plans.  Included by
   unit.c.  */

/* An observed loop of SITE's under OPS, of 10000 iterations on two equal cores;
   to be freed.  */

static struct amp_loop *
begin_equal (const struct amp_ops *ops, struct amp_site *site)
{
  struct amp_loop *loop = aligned_alloc (AMP_LINE, amp_loop_size (2, 1));
  struct amp_setup s = { .lanes = 2, .types = 1, .min_ticks = 1000,
			 .site = site, .n = 10000, .is_observed = true };

  amp_loop_format (loop, 2, 1);
  amp_loop_init (loop, ops, &s);
  return loop;
}

/* It ends: its lanes have taken FIRST and SECOND ticks for half of it each.  */

static void
end_equal (struct amp_site *site, struct amp_loop *loop, uint64_t first,
	   uint64_t second)
{
  for (unsigned i = 0; i < 2; i++)
    {
      uint64_t ticks = i ? second : first;

      *amp_loop_report (loop, i)
	= (struct amp_report) { 5000, ticks, 0, 5000, ticks, 0 };
    }
  amp_site_fold (site, loop);
}

static void
test_short (void)
{
  static const unsigned char type[] = { 0, 1 };
  static const struct
  {
    uint64_t ticks;
    double weight;	/* As docs/use/schedulers.md has it.  */
    unsigned interval;
  } loops[] = {
    { 3000, 0.125, 32 }, { 100000, 0.125, 16 }, { 500000, 0.5, 16 },
    { 3000000, 1.0, 16 }
  };

  for (unsigned k = 0; k < sizeof loops / sizeof loops[0]; k++)
    {
      struct amp_loop *loop = aligned_alloc (AMP_LINE, amp_loop_size (2, 2));
      struct amp_site *site = make_site (2, 2);
      struct amp_setup s = { .lanes = 2, .types = 2, .lane_type = type,
			     .min_ticks = 1000, .site = site, .n = 10000,
			     .is_observed = true };
      double want;

      amp_loop_format (loop, 2, 2);
      site->share = 5000;
      amp_loop_init (loop, &amp_aid_hybrid, &s);
      for (unsigned i = 0; i < 2; i++)
	{
	  struct amp_report *report = amp_loop_report (loop, i);

	  report->run = 5000;
	  /* An imbalance of 1.25.  */
	  report->ticks = i == 0 ? loops[k].ticks : loops[k].ticks * 3 / 5;
	  report->type = i;
	}
      amp_site_fold (site, loop);
      want = 5000.0 + loops[k].weight * (5000.0 / 1.25 - 5000.0);
      check (fabs ((double) site->share - want) <= 1.0,
	     "a loop of %ju ticks moves the percentage to %g, not %g",
	     (uintmax_t) loops[k].ticks, (double) site->share / 100.0,
	     want / 100.0);
      check (site->interval_mask + 1 == loops[k].interval,
	     "a loop of %ju ticks is observed once in %ju",
	     (uintmax_t) loops[k].ticks, (uintmax_t) site->interval_mask + 1);
      free (site);
      free (loop);
    }

  /* The bias is for plans that leave no pool: where one is left, blocks are by
     speed.  */
  {
    struct amp_site *site = make_site (2, 2);
    struct amp_setup s = { .n = 1000, .lanes = 2, .types = 2, .site = site,
			   .lane_type = type };

    amp_store_double (&amp_site_costs (site)[0], 100.0);
    amp_store_double (&amp_site_costs (site)[1], 300.0);
    amp_store_double (&amp_site_biases (site)[1], 1.0);
    check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 858, 0),
	   "blocks without a pool follow the bias");
    check (plan_is (&s, 800, AMP_PLAN_WEIGHTED, 600, 0),
	   "blocks with a pool are by speed");
    free (site);
  }

  /* A chunk that was given is kept to where a unit is several iterations.  */
  {
    struct amp_loop *loop = aligned_alloc (AMP_LINE, amp_loop_size (2, 1));
    struct amp_setup s = { .n = UINT64_C (1) << 40, .lanes = 2, .types = 1 };

    amp_loop_format (loop, 2, 1);
    s.params.value[0] = 1 << 20;
    amp_loop_init (loop, &amp_steal, &s);
    check (loop->shift > 0 && loop->minor << loop->shift == 1 << 20,
	   "steal takes %ju iterations at a time",
	   (uintmax_t) (loop->minor << loop->shift));
    free (loop);
  }

  /* Blocks alone are corrected when the means of half a memory say that they
     are wrong: by more than a tenth, and more than is noise.  */
  for (unsigned k = 0; k < 3; k++)
    {
      static const uint64_t ticks[3][2]
	= { { 7300, 8500 }, { 1500, 1950 }, { 7300, 9500 } };
      struct amp_site *site = make_site (2, 1);
      struct amp_loop *loop = begin_equal (&amp_own_blocks, site);

      for (unsigned e = 1; e <= AMP_SITE_MEMORY; e++)
	{
	  end_equal (site, loop, ticks[k][0], ticks[k][1]);
	  check ((site->marked != 0) == (k == 2 && e > AMP_SITE_MEMORY / 2),
		 "blocks alone: %u, %u: %u", k, e, (unsigned) site->marked);
	}
      free (site);
      free (loop);
    }

  /* What lanes' times in a loop of less than MIN_TICKS say does not move
     blocks.  */
  for (unsigned k = 0; k < 2; k++)
    {
      struct amp_site *site = make_site (2, 1);
      struct amp_loop *loop = begin_equal (&amp_feedback, site);
      uint64_t ticks = k ? 100000 : 200;

      end_equal (site, loop, ticks, 2 * ticks);
      check ((site->marked != 0) == (k == 1),
	     "times of a %s loop move blocks: %u", k ? "long" : "short",
	     (unsigned) site->marked);
      free (site);
      free (loop);
    }
}

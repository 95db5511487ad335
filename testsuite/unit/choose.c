/* SPDX-License-Identifier: GPL-3.0-or-later

   What auto may cost, what it makes of noise, and when it searches again; and
   what a site makes of short loops.  Included by unit.c.  */

/* One execution after another under auto.  TIME[C]: ticks under choice C;
   LANES: each lane's part of them, and the iterations that it ran.  */

struct search
{
  struct amp_loop *loop;
  struct amp_site *site;
  bool known;
  uint64_t n, salt;
  uint64_t min_ticks;
  double time[AMP_CHOICES], lanes[2];
  unsigned tried[AMP_CHOICES];	/* Observed executions under each.  */
};

static void
begin_search (struct search *x, bool known)
{
  unsigned c;

  memset (x, 0, sizeof *x);
  x->loop = aligned_alloc (AMP_LINE, amp_loop_size (2, 2));
  amp_loop_format (x->loop, 2, 2);
  x->site = make_site (2, 2);
  x->known = known;
  x->n = 1000;
  x->min_ticks = 1000;
  for (c = 0; c < AMP_CHOICES; c++)
    x->time[c] = 1e6;
  x->lanes[0] = 1.0;
  x->lanes[1] = 0.75;
}

static void
end_search (struct search *x)
{
  free (x->loop);
  free (x->site);
}

/* One execution.  Returns the choice.  */

static unsigned
execute (struct search *x)
{
  static const unsigned char type[] = { 0, 1 };
  struct amp_setup s = { .lanes = 2, .types = 2, .lane_type = type,
			 .min_ticks = x->min_ticks, .site = x->site };
  uint64_t run[] = { x->n / 2, x->n - x->n / 2 }, ticks[2];
  bool see;
  unsigned choice, c;

  choice = amp_site_choose (x->site, x->n, type, x->known, true, ++x->salt,
			    &see);
  if (see)
    {
      for (c = 0; c < 2; c++)
	ticks[c] = (uint64_t) (x->time[choice] * x->lanes[c]);
      x->tried[choice]++;
      s.trial_choice = choice + 1;
      observe (x->loop, &s, &amp_even, run, ticks);
    }
  return choice;
}

/* Until the search settles, but no more than MOST executions.  */

static bool
execute_search (struct search *x, unsigned most)
{
  while (x->site->settled_choice == 0 && most-- > 0)
    execute (x);
  return x->site->settled_choice != 0;
}

/* What trials cost.  */

static void
test_trials (void)
{
  struct search x;
  unsigned c, k, first;
  double lost = 0.0;

  begin_search (&x, true);
  for (c = 0; c < AMP_CHOICES; c++)
    if (c != AMP_CHOICE_AID_HYBRID)
      x.time[c] = 3e6;
  execute_search (&x, 1000);
  /* What they cost beyond the best, but for the last one.  */
  for (c = 0; c < AMP_CHOICES; c++)
    if (c != AMP_CHOICE_AID_HYBRID)
      lost += 2e6 * x.tried[c];
  check (lost - 2e6 <= 0.04 * (1e6 * (double) x.salt + lost),
	 "trials took %g of %ju executions", lost / 1e6, (uintmax_t) x.salt);
  for (c = 0; c < AMP_CHOICES; c++)
    if (c != AMP_CHOICE_AID_HYBRID)
      check (x.tried[c] <= 1, "%u is three times as slow, and was tried %u "
	     "times", c, x.tried[c]);
  end_search (&x);

  /* A fifth longer than the best: not at once, but before the third.  */
  begin_search (&x, true);
  x.time[AMP_CHOICE_ICH] = 1.18e6;
  execute_search (&x, 1000);
  check (x.tried[AMP_CHOICE_ICH] == 1, "a candidate that is a fifth slower was "
	 "tried %u times", x.tried[AMP_CHOICE_ICH]);
  end_search (&x);

  /* The speeds, 3 to 1, foretell that static takes twice as long.  */
  begin_search (&x, true);
  x.lanes[1] = 1.0 / 3.0;
  check (execute_search (&x, 1000) && x.tried[AMP_CHOICE_STATIC] == 0
	 && x.tried[AMP_CHOICE_ICH] != 0, "static was tried on unlike cores");
  end_search (&x);
  begin_search (&x, true);
  check (execute_search (&x, 1000) && x.tried[AMP_CHOICE_STATIC] != 0,
	 "static was not tried on cores that are about alike");
  end_search (&x);

  /* Three iterations a lane are too few for a pool.  */
  begin_search (&x, true);
  x.n = 7;
  check (execute_search (&x, 1000) && x.tried[AMP_CHOICE_ICH] == 0
	 && x.tried[AMP_CHOICE_AID_DYNAMIC] == 0
	 && x.tried[AMP_CHOICE_AID_STATIC] != 0,
	 "schedules with a pool were tried for 7 iterations");
  end_search (&x);

  /* On cores that are alike little is risked: with an imbalance of 1.05 half
     a hundredth of the time.  */
  begin_search (&x, false);
  x.lanes[1] = 0.905;
  for (k = 0; k < 1000 && execute (&x) == AMP_CHOICE_STATIC; k++)
    ;
  first = k;
  check (first > 45 && first < 60, "the first trial is execution %u", first);
  end_search (&x);

  /* The last lane is another one each time, so no core is slower: there
     aid_static would be static.  */
  begin_search (&x, false);
  for (k = 0; k < 1000 && x.site->settled_choice == 0; k++)
    {
      x.lanes[0] = k % 2 ? 1.0 : 0.7;
      x.lanes[1] = k % 2 ? 0.7 : 1.0;
      execute (&x);
    }
  check (x.site->settled_choice != 0 && x.tried[AMP_CHOICE_AID_STATIC] == 0
	 && x.tried[AMP_CHOICE_ICH] != 0, "aid_static was tried on equal cores");
  end_search (&x);
}

/* What is noise.  */

static void
test_noise (void)
{
  struct search x;
  unsigned c, k;
  bool ok;

  /* One of three trials was disturbed.  */
  begin_search (&x, true);
  for (c = 0; c < AMP_CHOICES; c++)
    x.time[c] = c == AMP_CHOICE_AID_DYNAMIC ? 1e6 : 1.2e6;
  for (k = 0; k < 1000 && x.site->settled_choice == 0; k++)
    {
      x.time[AMP_CHOICE_AID_DYNAMIC]
	= x.tried[AMP_CHOICE_AID_DYNAMIC] == 2 ? 1e7 : 1e6;
      execute (&x);
    }
  check (x.site->settled_choice == AMP_CHOICE_AID_DYNAMIC + 1,
	 "one disturbed trial decides: settled on %ju",
	 (uintmax_t) x.site->settled_choice);
  end_search (&x);

  /* A hundredth is noise, in short loops a twentieth: the cheapest wins.  */
  for (k = 0; k < 2; k++)
    {
      double unit = k == 0 ? 1e6 : 5e3;

      begin_search (&x, true);
      for (c = 0; c < AMP_CHOICES; c++)
	x.time[c] = (c == AMP_CHOICE_STATIC ? 1.2 : c != AMP_CHOICE_AID_STATIC
		     ? 1.0 : k == 0 ? 1.01 : 1.05) * unit;
      ok = execute_search (&x, 4000);
      check (ok && x.site->settled_choice == AMP_CHOICE_AID_STATIC + 1,
	     "a difference that is noise decides: settled on %ju",
	     (uintmax_t) x.site->settled_choice);
      end_search (&x);
    }

  /* Single times of a loop of ten least samples say little: eleven are a
     hundred and more.  */
  begin_search (&x, true);
  for (c = 0; c < AMP_CHOICES; c++)
    x.time[c] = 1e4;
  execute_search (&x, 4000);
  check (x.tried[AMP_CHOICE_AID_HYBRID] >= 10
	 && x.tried[AMP_CHOICE_ICH] == 11, "a short loop was tried %u times",
	 x.tried[AMP_CHOICE_ICH]);
  end_search (&x);

  /* Nor does it matter if a loop of three is odd for a while.  */
  begin_search (&x, true);
  for (c = 0; c < AMP_CHOICES; c++)
    x.time[c] = 3e3;
  ok = execute_search (&x, 4000);
  for (c = 0; c < AMP_CHOICES; c++)
    x.time[c] = 3.9e3;
  for (k = 0; (k < 100000
	       && x.site->observed_executions % AMP_AUTO_LIFE < 1000); k++)
    execute (&x);
  check (ok && x.site->searches == 1 && x.site->settled_choice != 0,
	 "odd times of a short loop opened %ju searches",
	 (uintmax_t) x.site->searches);
  end_search (&x);
}

/* When auto searches again.  */

static void
test_searches (void)
{
  struct search x;
  unsigned k, settled;
  uint64_t executions;
  bool ok;

  /* Another schedule has become better, which does not show in the time of
     the one that was chosen: found out now and then.  */
  begin_search (&x, true);
  for (k = 0; k < AMP_CHOICES; k++)
    x.time[k] = k == AMP_CHOICE_AID_HYBRID ? 1e6 : 1.5e6;
  ok = execute_search (&x, 1000);
  settled = x.site->settled_choice;
  x.time[AMP_CHOICE_ICH] = 0.5e6;
  executions = x.site->observed_executions;
  for (k = 0; k < 100000 && x.site->settled_choice == settled; k++)
    execute (&x);
  ok &= execute_search (&x, 1000);
  check (ok && settled == AMP_CHOICE_AID_HYBRID + 1
	 && x.site->settled_choice == AMP_CHOICE_ICH + 1
	 && x.site->observed_executions - executions < 2 * AMP_AUTO_LIFE,
	 "what has become better was not found: settled on %ju after %ju",
	 (uintmax_t) x.site->settled_choice,
	 (uintmax_t) (x.site->observed_executions - executions));
  end_search (&x);
}

/* What sites make of short loops, and what they tell plans.  */

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
    { 3000, 0.125, 128 }, { 100000, 0.125, 16 }, { 500000, 0.5, 16 },
    { 3000000, 1.0, 16 }
  };
  unsigned k, i;

  for (k = 0; k < sizeof loops / sizeof loops[0]; k++)
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
      for (i = 0; i < 2; i++)
	{
	  struct amp_report *report = amp_loop_report (loop, i);

	  report->run = 5000;
	  /* An imbalance of 1.25.  */
	  report->ticks = i == 0 ? loops[k].ticks : loops[k].ticks * 3 / 5;
	  report->type = i;
	}
      amp_site_fold (site, loop);
      want = 5000.0 + loops[k].weight * (0.9 * 5000.0 / 1.25 - 5000.0);
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
    check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 857, 0),
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
}

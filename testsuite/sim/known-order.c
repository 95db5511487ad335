/* SPDX-License-Identifier: GPL-3.0-or-later

   A lane's chunks come in increasing order: simulations of each schedule that
   claims so, and of what is decided about loops that need it.  Included by
   sim.c.  */

/* Run C a few times at one site, with lanes that come late, stop or never come,
   on cores that change.  */

static void
run_in_order (void)
{
  remember ();
  for (unsigned k = 0; ok && k < 12; k++)
    {
      c.observe = k % 2 == 0;
      c.crowded = k % 5 == 4;
      c.seed = k + 1;
      for (unsigned i = 0; i < c.lanes; i++)
	{
	  uint64_t h = sim_mix (k * c.lanes + i);
	  struct sim_lane *lane = &machine_lane[i];

	  lane->start = (h % 4 == 0 ? h >> 8 & 0xfffff
			 : h % 16 == 1 ? SIM_NEVER : 0);
	  lane->grants = h >> 4 & 7 ? SIM_NEVER : 1 + (h >> 7 & 3);
	  lane->moves = h >> 40 & 7 ? SIM_NEVER : h >> 43 & 0xfffff;
	  lane->next_type = h >> 9 & 1 ? 0 : c.types - 1;
	}
      run_on ();
    }
}

KNOWN_SLOW (order, known_order)
{
  static const char *const machines[] = { "5 1", "4+4 3:1", "1+3+4 4:2:1" };
  static const uint64_t lengths[] = { 3, 40, 1000, 20000 };
  static const enum sim_cost costs[] = {
    SIM_COST_CONSTANT, SIM_COST_LINEAR, SIM_COST_LAST_HEAVY, SIM_COST_SPIKES
  };
  static const double sf[] = { 4.0, 2.0, 1.0 };
  const struct amp_ops *ops[24]
    = { &amp_even, &amp_fixed, &amp_shuffle, &amp_own_blocks };
  unsigned nops = 4, o, x;
  char what[80];

  for (o = 0; amp_schedulers[o] != NULL; o++)
    if (amp_schedulers[o]->flags & AMP_MONOTONIC)
      ops[nops++] = amp_schedulers[o];
  for (o = 0; o < nops; o++)
    {
      EACH (m, machines)
	/* Of lengths, costs, clusters and what is known, all combinations.  */
	for (x = 0; ok && x < 4 * 4 * 3 * 3 * 2; x++)
	  {
	    BEGIN (machines[m], ops[o], .n = lengths[x % 4],
		   .cost = costs[x / 4 % 4], .unit = 500.0, .min_ticks = 5000,
		   .sf = x / 48 % 3 == 1 ? sf : NULL,
		   .lane_type = x / 48 % 3 != 0 ? machine_type : NULL);
	    set_clusters (1 + x / 16 % 3);
	    c.params.value[0] = x / 144 != 0 && ops[o]->nparams != 0 ? 2 : 0;
	    run_in_order ();
	  }
      snprintf (what, sizeof what, "chunks of %s ascend", ops[o]->name);
      report (true, what);
    }
}

/* A loop whose order is not free gets a schedule that claims to ascend, whatever
   is asked for, and whatever auto takes; and one whose order
   is free may get others.  */

KNOWN (order, known_decisions)
{
  unsigned tried[2] = { 0, 0 };

  for (unsigned o = 0; ok && amp_schedulers[o] != NULL; o++)
    for (unsigned any = 0; any < 2; any++)
      {
	struct amp_facts facts = {
	  .ops = amp_schedulers[o], .params = { { 7 } }, .any_order = any,
	  .least = 3
	};

	BEGIN ("2+2 3:1", NULL, .n = 1000);
	sim_decide (&c, &facts);
	/* What took the place has a clause's chunk and no other schedule's
	   parameter.  */
	ok &= (amp_schedulers[o]->flags & AMP_MONOTONIC || any
	       ? c.ops == amp_schedulers[o]
	       : c.ops == &amp_aid_dynamic && c.params.value[0] == 3);
      }
  report (true, "what is asked for gives way where chunks are to ascend");

  for (unsigned any = 0; ok && any < 2; any++)
    {
      BEGIN ("2+2 3:1", NULL, .n = 20000, .cost = SIM_COST_SPIKES,
	     .unit = 200.0, .min_ticks = 5000, .lane_type = machine_type);
      remember ();
      for (unsigned k = 0; ok && k < 400; k++)
	{
	  c.site = site;
	  decide (NULL, any, k);
	  tried[any] += !(c.ops->flags & AMP_MONOTONIC);
	  run_on ();
	}
    }
  report (tried[0] == 0 && tried[1] != 0,
	  "auto takes no schedule that does not ascend");
}

/* SPDX-License-Identifier: GPL-3.0-or-later

   A lane's chunks come in increasing order: simulations of each schedule that
   claims so, and of what is decided about loops that need it.  Included by
   sim.c.  */

/* Run C, a loop of OPS, a few times at one site, with lanes that come late, stop
   or never come, on cores that change.  NULL, or what is wrong.  */

static const char *
run_in_order (struct sim_config *c, const struct amp_ops *ops)
{
  struct amp_loop *block = sim_new_block (c->lanes, c->types);
  struct amp_site *site = sim_new_site (c->lanes, c->types, 0);
  const char *wrong = NULL;
  struct sim_result r;
  unsigned k, i;

  for (k = 0; wrong == NULL && k < 12; k++)
    {
      c->ops = ops;
      c->site = site;
      c->observe = k % 2 == 0;
      c->crowded = k % 5 == 4;
      c->seed = k + 1;
      for (i = 0; i < c->lanes; i++)
	{
	  uint64_t h = sim_mix (k * c->lanes + i);
	  struct sim_lane *lane = &machine_lane[i];

	  lane->start = (h % 4 == 0 ? h >> 8 & 0xfffff
			 : h % 16 == 1 ? SIM_NEVER : 0);
	  lane->grants = h >> 4 & 7 ? SIM_NEVER : 1 + (h >> 7 & 3);
	  lane->moves = h >> 40 & 7 ? SIM_NEVER : h >> 43 & 0xfffff;
	  lane->next_type = h >> 9 & 1 ? 0 : c->types - 1;
	}
      wrong = sim_run (block, c, &r);
    }
  free (block);
  free (site);
  return wrong;
}

static void
known_order (void)
{
  static const struct machine machines[] = {
    { "", 1, { 5 }, { 1.0 } },
    { "", 2, { 4, 4 }, { 3.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  static const uint64_t lengths[] = { 3, 40, 1000, 20000 };
  static const enum sim_cost costs[] = {
    SIM_COST_CONSTANT, SIM_COST_LINEAR, SIM_COST_LAST_HEAVY, SIM_COST_SPIKES
  };
  static const double sf[] = { 4.0, 2.0, 1.0 };
  const struct amp_ops *ops[24] = { &amp_even, &amp_fixed, &amp_shuffle };
  unsigned nops = 3, m, o, x;
  char what[80];

  for (o = 0; amp_schedulers[o] != NULL; o++)
    if (amp_schedulers[o]->flags & AMP_MONOTONIC)
      ops[nops++] = amp_schedulers[o];
  for (o = 0; o < nops; o++)
    {
      struct sim_config c;
      const char *wrong = NULL;

      for (m = 0; wrong == NULL && m < 3; m++)
	/* Of lengths, costs, clusters and what is known, all combinations.  */
	for (x = 0; wrong == NULL && x < 4 * 4 * 3 * 3 * 2; x++)
	  {
	    set_machine (&c, &machines[m]);
	    set_clusters (&c, 1 + x / 16 % 3);
	    c.n = lengths[x % 4];
	    c.cost = costs[x / 4 % 4];
	    c.unit = 500.0;
	    c.min_ticks = 5000;
	    c.sf = x / 48 % 3 == 1 ? sf : NULL;
	    c.lane_type = x / 48 % 3 != 0 ? machine_type : NULL;
	    c.params.value[0] = x / 144 != 0 && ops[o]->nparams != 0 ? 2 : 0;
	    c.max_grants = SIM_NEVER;
	    wrong = run_in_order (&c, ops[o]);
	  }
      if (wrong != NULL)
	printf ("%s: %s\n", ops[o]->name, wrong);
      snprintf (what, sizeof what, "chunks of %s ascend", ops[o]->name);
      report (wrong == NULL, what, &c);
    }
}

/* A loop whose order is not free gets a schedule that claims to ascend, whatever
   is asked for, and whatever auto takes; and one whose order
   is free may get others.  */

static void
known_decisions (void)
{
  static const struct machine machine = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  unsigned o, k, any, tried[2] = { 0, 0 };
  struct amp_loop *block = sim_new_block (4, 2);
  struct amp_facts facts;
  struct sim_config c;
  struct sim_result r;
  bool ok = true;

  for (o = 0; ok && amp_schedulers[o] != NULL; o++)
    for (any = 0; any < 2; any++)
      {
	bool ascends = amp_schedulers[o]->flags & AMP_MONOTONIC;

	set_machine (&c, &machine);
	c.n = 1000;
	memset (&facts, 0, sizeof facts);
	facts.ops = amp_schedulers[o];
	facts.params.value[0] = 7;
	facts.any_order = any;
	facts.least = 3;
	sim_decide (&c, &facts);
	/* What took the place has a clause's chunk and no other schedule's
	   parameter.  */
	ok = ok && (ascends || any ? c.ops == amp_schedulers[o]
		    : c.ops == &amp_aid_dynamic && c.params.value[0] == 3);
      }
  report (ok, "what is asked for gives way where chunks are to ascend", &c);

  for (any = 0; ok && any < 2; any++)
    {
      struct amp_site *site = sim_new_site (4, 2, 0);

      set_machine (&c, &machine);
      c.n = 20000;
      c.cost = SIM_COST_SPIKES;
      c.unit = 200.0;
      c.min_ticks = 5000;
      c.lane_type = machine_type;
      for (k = 0; ok && k < 400; k++)
	{
	  memset (&facts, 0, sizeof facts);
	  facts.any_order = any;
	  facts.turn = k;
	  c.site = site;
	  sim_decide (&c, &facts);
	  tried[any] += !(c.ops->flags & AMP_MONOTONIC);
	  ok = sim_run (block, &c, &r) == NULL;
	}
      free (site);
    }
  report (ok && tried[0] == 0 && tried[1] != 0,
	  "auto takes no schedule that does not ascend", &c);

  free (block);
}

/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of loops of which a goal leaves cores out.  Included by sim.c.  */

/* What amp_goal_leaves_out says of MACHINE with these watts against all sets of
   cores, looked at one by one; 1: as good as the best.  */

static bool
goal_is_best (const struct machine *m, const struct amp_goal *goal,
	      uint64_t left_out)
{
  unsigned count[AMP_MAX_TYPES] = { 0 }, j;
  double best = 0.0, ours = 0.0;

  for (;;)
    {
      double power = 0.0, rate = 0.0, value;
      bool is_ours = true;

      for (j = 0; j < m->types; j++)
	{
	  power += (count[j] * goal->busy[j]
		    + (m->lanes[j] - count[j]) * goal->idle[j]);
	  rate += count[j] * m->speed[j];
	  is_ours &= count[j] == (left_out >> j & 1 ? 0 : m->lanes[j]);
	}
      value = power / rate / (goal->delay_counts ? rate : 1.0);
      if (rate > 0.0 && (best == 0.0 || value < best))
	best = value;
      if (is_ours)
	ours = value;
      for (j = 0; j < m->types && ++count[j] > m->lanes[j]; j++)
	count[j] = 0;
      if (j == m->types)
	return ours <= best * (1.0 + 1e-9);
    }
}

/* No choice of cores is better than the one that is made, for any watts.  */

KNOWN (goal, known_goal)
{
  static const char *const machines[]
    = { "4+4 3:1", "1+1 1.5:1", "2+4+2 4:2:1", "1+2+3+2 5:3:2:1" };
  struct amp_goal goal;
  uint64_t state = 9, seen = 0;

  EACH (m, machines)
    {
      begin_course (machines[m], &amp_aid_static);
      for (unsigned i = 0; ok && i < 400; i++)
	{
	  struct amp_facts facts = { .goal = &goal };

	  for (unsigned j = 0; j < c.types; j++)
	    {
	      goal.busy[j] = 0.01 + (double) (sim_random (&state) % 1000) / 300;
	      goal.idle[j] = (goal.busy[j]
			      * (double) (sim_random (&state) % 11) / 10.0);
	    }
	  goal.delay_counts = i % 2;
	  c.sf = c.speed;
	  sim_decide (&c, &facts);
	  c.site = site;
	  seen |= UINT64_C (1) << (c.left_out != 0);
	  ok = goal_is_best (&on, &goal, c.left_out);
	}
      c.ops = &amp_aid_static;
      report (true, "a goal leaves out the cores that it is best without");
    }
  report (seen == 3, "goals leave cores out, and do not");
}

/* Who is left out gets nothing, whoever asks first; if all who ask are, the
   last does the work.  */

KNOWN (goal, known_left_out)
{
  static const struct amp_ops *const ops[]
    = { &amp_aid_static, &amp_aid_hybrid };

  EACH (o, ops)
    for (unsigned out = 0; out < 2; out++)
      for (unsigned absent = 0; absent < 2; absent++)
	{
	  begin_course ("2+2 3:1", ops[o]);
	  c.sf = c.speed;
	  c.left_out = UINT64_C (1) << out;
	  /* Nobody is where he was expected.  */
	  if (absent)
	    {
	      machine_lane[out == 0 ? 2 : 0].reported = out;
	      machine_lane[out == 0 ? 3 : 1].reported = out;
	      c.observe = false;
	    }
	  execute ();
	  ok &= absent || (r.given[2 * out] == 0 && r.given[2 * out + 1] == 0
			   && r.given[2 - 2 * out] > c.n / 3);
	  report (true, absent ? "a loop of which all are left out is run"
		  : "who is left out runs nothing");
	}
}

/* Lanes that are left out are no imbalance, and no types that are slow.  */

KNOWN (goal, known_goal_learns)
{
  struct amp_goal goal = { .busy = { 3.0, 0.3 } };
  double sf[2] = { 0.0 };

  begin_course ("2+2 3:1", &amp_aid_static);
  for (unsigned k = 0; ok && k < 30; k++)
    {
      struct amp_facts facts = { .goal = &goal, .turn = k };

      c.site = site;
      sim_decide (&c, &facts);
      execute ();
      /* The first executions tell how fast cores are.  */
      expect ((c.left_out == 0 ? k < 4 : c.left_out == 1)
	      && (k < 4 || (r.given[0] == 0 && r.given[2] == c.n / 2)),
	      "execution %u: left out %ju", k, (uintmax_t) c.left_out);
    }
  expect (amp_site_sf (site, false, sf) && sf[0] > 2.9 && sf[0] < 3.1
	  && amp_load_double (&site->imbalance) < 1.05,
	  "SF %f, imbalance %f", sf[0], amp_load_double (&site->imbalance));
  report (true, "a goal acts upon what was observed");
}

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

static void
known_goal (void)
{
  static const struct machine machines[] = {
    { "", 2, { 4, 4 }, { 3.0, 1.0 } },
    { "", 2, { 1, 1 }, { 1.5, 1.0 } },
    { "", 3, { 2, 4, 2 }, { 4.0, 2.0, 1.0 } },
    { "", 4, { 1, 2, 3, 2 }, { 5.0, 3.0, 2.0, 1.0 } }
  };
  struct course x;
  struct amp_goal goal;
  uint64_t state = 9, left_out, seen = 0;
  unsigned m, i, j;
  bool ok = true;

  for (m = 0; m < 4; m++)
    {
      begin_course (&x, &machines[m], &amp_aid_static);
      x.c.sf = x.c.speed;
      for (i = 0; ok && i < 400; i++)
	{
	  struct amp_facts facts;

	  for (j = 0; j < x.c.types; j++)
	    {
	      goal.busy[j] = 0.01 + (double) (sim_random (&state) % 1000) / 300;
	      goal.idle[j] = (goal.busy[j]
			      * (double) (sim_random (&state) % 11) / 10.0);
	    }
	  goal.delay_counts = i % 2;
	  memset (&facts, 0, sizeof facts);
	  facts.goal = &goal;
	  x.c.sf = x.c.speed;
	  sim_decide (&x.c, &facts);
	  x.c.site = x.site;
	  left_out = x.c.left_out;
	  seen |= UINT64_C (1) << (left_out != 0);
	  ok = goal_is_best (&machines[m], &goal, left_out);
	}
      x.c.ops = &amp_aid_static;
      report (ok, "a goal leaves out the cores that it is best without", &x.c);
      end_course (&x);
    }
  report (seen == 3, "goals leave cores out, and do not", &x.c);
}

/* Who is left out gets nothing, whoever asks first; if all who ask are, the
   last does the work.  */

static void
known_left_out (void)
{
  static const struct machine machine
    = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  static const struct amp_ops *const ops[] = { &amp_aid_static,
					       &amp_aid_hybrid };
  struct course x;
  unsigned o, out, absent;

  for (o = 0; o < 2; o++)
    for (out = 0; out < 2; out++)
      for (absent = 0; absent < 2; absent++)
	{
	  bool ok;

	  begin_course (&x, &machine, ops[o]);
	  x.c.sf = x.c.speed;
	  x.c.left_out = UINT64_C (1) << out;
	  /* Nobody is where he was expected.  */
	  if (absent)
	    {
	      machine_lane[out == 0 ? 2 : 0].reported = out;
	      machine_lane[out == 0 ? 3 : 1].reported = out;
	      x.c.observe = false;
	    }
	  ok = execute_course (&x);
	  if (!absent)
	    ok = (ok && x.r.given[2 * out] == 0 && x.r.given[2 * out + 1] == 0
		  && x.r.given[2 - 2 * out] > x.c.n / 3);
	  report (ok, absent ? "a loop of which all are left out is run"
		  : "who is left out runs nothing", &x.c);
	  end_course (&x);
	}
}

/* Lanes that are left out are no imbalance, and no types that are slow.  */

static void
known_goal_learns (void)
{
  static const struct machine machine
    = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  struct course x;
  struct amp_goal goal = { .busy = { 3.0, 0.3 } };
  struct amp_facts facts;
  double sf[2] = { 0.0 };
  unsigned k;
  bool ok = true;

  begin_course (&x, &machine, &amp_aid_static);
  memset (&facts, 0, sizeof facts);
  facts.goal = &goal;
  for (k = 0; ok && k < 30; k++)
    {
      facts.turn = k;
      x.c.site = x.site;
      sim_decide (&x.c, &facts);
      /* The first executions tell how fast cores are.  */
      ok = (execute_course (&x)
	    && (x.c.left_out == 0 ? k < 4 : x.c.left_out == 1)
	    && (k < 4 || (x.r.given[0] == 0 && x.r.given[2] == x.c.n / 2)));
    }
  ok = (ok && amp_site_sf (x.site, false, sf) && sf[0] > 2.9 && sf[0] < 3.1
	&& amp_load_double (&x.site->imbalance) < 1.05);
  if (!ok)
    printf ("execution %u: left out %ju, SF %f, imbalance %f\n", k,
	    (uintmax_t) x.c.left_out, sf[0],
	    amp_load_double (&x.site->imbalance));
  report (ok, "a goal acts upon what was observed", &x.c);
  end_course (&x);
}

/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of what is remembered of a loop, and of auto, whose outcome is
   known.  Included by sim.c.  */

/* One block and one site are used execution after execution.  */

struct course
{
  struct sim_config c;
  struct sim_result r;
  struct amp_loop *block;
  struct amp_site *site;
  double efficiency;	/* Of the last execution: ideal / makespan.  */
};

static void
begin_course (struct course *x, const struct machine *m,
	      const struct amp_ops *ops)
{
  set_machine (&x->c, m);
  x->c.ops = ops;
  x->c.n = 10000 * (uint64_t) x->c.lanes;
  x->c.unit = 1000.0;
  x->c.min_ticks = 5000;
  x->c.rmw = 20.0;
  x->c.lane_type = machine_type;
  x->block = sim_new_block (x->c.lanes, x->c.types);
  x->site = x->c.site = sim_new_site (x->c.lanes, x->c.types, 0);
  x->c.observe = true;
}

static bool
execute_course (struct course *x)
{
  const char *wrong;

  x->c.seed++;
  wrong = sim_run (x->block, &x->c, &x->r);
  if (wrong != NULL)
    printf ("%s\n", wrong);
  x->efficiency = x->r.ideal / (double) x->r.makespan;
  return wrong == NULL;
}

static void
end_course (struct course *x)
{
  free (x->block);
  free (x->site);
}

/* From the second execution on aid_static hands out one block a lane, in the
   order of the lanes, in proportion to the speeds, and so does aid_hybrid for
   its percentage; bound or not.  When the speeds change, or iterations change
   lanes' part in the work, the blocks follow.  */

static void
known_sites (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } },
    { "", 2, { 2, 2 }, { 1.0, 1.0 } }
  };
  static const struct amp_ops *const ops[] = { &amp_aid_static,
					       &amp_aid_hybrid };
  unsigned m, o, bound, change, i, k, j;

  for (m = 0; m < 4; m++)
    for (o = 0; o < 2; o++)
      for (bound = 0; bound < 2; bound++)
	for (change = 0; change < 2; change++)
	  {
	    struct course x;
	    bool ok = true;

	    begin_course (&x, &machines[m], ops[o]);
	    if (!bound)
	      x.c.lane_type = NULL;
	    for (k = 0; ok && k < (change ? 40 : 3); k++)
	      {
		if (k == 10)
		  for (j = 0; j < x.c.types; j++)
		    x.c.speed[j] = x.c.later[j]
		      = 1.0 + (x.c.types - 1 - j) * 0.5;
		ok = execute_course (&x);
		if (k == 0)
		  {
		    ok = ok && x.block->plan_kind == AMP_PLAN_NONE;
		    continue;
		  }
		if (k < 4 || k > 30)
		  ok = (ok && x.block->plan_kind == AMP_PLAN_WEIGHTED
			&& x.efficiency > (o == 0 ? 0.985 : 0.995));
		if (o == 0 && x.r.grants > x.c.lanes)
		  ok = false;
		/* Where nothing was too much, a quarter of the way to 80 %.  */
		if (o == 1 && k == 1 && x.block->aid_n != x.c.n / 1000 * 275)
		  ok = false;
	      }
	    if (!ok)
	      printf ("%s, execution %u: plan %d, %ju grants, efficiency %f\n",
		      bound ? "bound" : "not bound", k, x.block->plan_kind,
		      (uintmax_t) x.r.grants, x.efficiency);
	    for (i = 0; ok && i < x.c.lanes; i++)
	      if (AMP_LOAD (&amp_site_seen (x.site)[i], AMP_RELAXED)
		  != machine_type[i] + UINT64_C (1))
		{
		  printf ("lane %u was not seen where it runs\n", i);
		  ok = false;
		}
	    report (ok, "plans of a known site", &x.c);
	    end_course (&x);
	  }
}

/* Where expensive iterations come first, 20 % of them do not make up for shares
   by speed.  aid_hybrid that may choose its percentage finds one that does,
   and returns to 80 when the iterations are alike; one that may not keeps to
   what it was told.  */

static void
known_pools (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 3.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  unsigned m, k, told;
  uint64_t i;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    {
      double uneven[2] = { 0.0, 0.0 };

      for (told = 0; told < 2; told++)
	{
	  struct course x;
	  double *sums;
	  uint64_t least = AMP_SITE_SHARE;
	  bool ok = true;

	  begin_course (&x, &machines[m], &amp_aid_hybrid);
	  x.c.params.value[0] = told ? 80 : 0;
	  x.c.sums = sums = malloc ((x.c.n + 1) * sizeof *sums);
	  for (i = sums[0] = 0; i < x.c.n; i++)
	    sums[i + 1] = sums[i] + (i < x.c.n / 8 ? 8e4 : 1e4);
	  for (k = 0; ok && k < 120; k++)
	    {
	      if (k == 20)
		{
		  uneven[told] = x.efficiency;
		  x.c.sums = NULL;
		}
	      ok = execute_course (&x);
	      i = AMP_LOAD (&x.site->share, AMP_RELAXED);
	      if (told)
		ok = ok && i == 0 && x.block->aid_n == x.c.n / 5 * 4;
	      else
		ok = (ok && i >= AMP_SITE_LEAST_SHARE && i <= AMP_SITE_SHARE
		      && (k != 0 || x.block->aid_n == x.c.n / 10));
	      if (k < 20 && i < least)
		least = i;
	    }
	  if (!told)
	    ok = (ok && least < 6500 && i > 7700 && uneven[0] > 0.9
		  && x.efficiency > 0.99);
	  else
	    ok = ok && (m == 0 || uneven[1] < uneven[0] - 0.3);
	  if (!ok)
	    printf ("%s 80 %%: share %ju, %ju at least, efficiency %f where "
		    "uneven, now %f\n", told ? "told" : "found",
		    (uintmax_t) i, (uintmax_t) least, uneven[told],
		    x.efficiency);
	  report (ok, "what aid_hybrid distributes", &x.c);
	  free (sums);
	  end_course (&x);
	}
    }
}

/* A lane that moves to a slower core in the middle of a loop: its report is
   not used, its next block is that of its new core's type.  Types that only
   observation tells apart, and that are equal, get even blocks.  */

static void
known_moves (void)
{
  static const struct machine machine = { "", 2, { 1, 2 }, { 3.0, 1.0 } };
  static const struct machine flat = { "", 4, { 1, 1, 1, 1 },
				       { 1.0, 1.02, 1.0, 0.98 } };
  struct course x;
  double before, after;
  unsigned k;
  bool ok;

  begin_course (&x, &machine, &amp_aid_static);
  x.c.lane_type = NULL;
  ok = (execute_course (&x) && execute_course (&x)
	&& x.block->aid_n == x.c.n);
  before = amp_load_double (amp_site_costs (x.site));
  machine_lane[0].moves = 100000;
  machine_lane[0].next_type = 1;
  ok = ok && execute_course (&x);
  after = amp_load_double (amp_site_costs (x.site));
  if (before != after)
    {
      printf ("a moved lane's report was used: %f, then %f\n", before, after);
      ok = false;
    }
  machine_lane[0].moves = SIM_NEVER;
  machine_lane[0].type = machine_lane[0].reported = 1;
  ok = ok && execute_course (&x) && x.efficiency > 0.99;
  report (ok, "a lane that moves", &x.c);
  /* For a while a part is left to be self-scheduled: a block that goes to
     where the lane is no more (here three even ones: 0.6 without the pool)
     costs less.  */
  ok = x.block->aid_n < x.c.n && x.block->plan_kind == AMP_PLAN_WEIGHTED;
  machine_lane[0].type = machine_lane[0].reported = 0;
  ok = ok && execute_course (&x) && x.efficiency > 0.7;
  for (k = 0; ok && k <= AMP_SITE_MOVED; k++)
    ok = execute_course (&x);
  ok = ok && x.block->aid_n == x.c.n && x.efficiency > 0.985;
  report (ok, "a pool after a move", &x.c);
  end_course (&x);

  begin_course (&x, &flat, &amp_aid_static);
  x.c.observed_types = true;
  ok = (execute_course (&x) && execute_course (&x)
	&& x.block->plan_kind == AMP_PLAN_EVEN);
  report (ok, "types that are equal when observed", &x.c);
  end_course (&x);
}

/* How the executions of one loop differ.  */

enum course_kind
{
  COURSE_ALIKE,
  COURSE_THIRDS,	/* Each third has ten times the work.  */
  COURSE_RANDOM,	/* A quarter to eight times the work.  */
  COURSE_CHEAP_FIRST,	/* The first has a hundredth of the work.  */
  COURSE_DELAY,		/* Lane 0 comes 4 ms late to the second.  */
  COURSE_NEIGHBOUR,	/* Lane 0 has half a CPU in a third of them.  */
  COURSES
};

static const char *const course_names[COURSES] = {
  "alike", "ten times the work in each third", "any amount of work",
  "a cheap first execution", "one that is held up", "a neighbour"
};

/* What execution K of EXECUTIONS has in X, which is of UNIT otherwise.  */

static void
set_course (struct course *x, enum course_kind kind, unsigned k,
	    unsigned executions, double unit, double speed)
{
  uint64_t state = k;

  x->c.unit = unit;
  x->c.speed[0] = x->c.later[0] = speed;
  machine_lane[0].start = 0;
  switch (kind)
    {
    case COURSE_THIRDS:
      if (k % 3 == 1)
	x->c.unit *= 10.0;
      break;
    case COURSE_RANDOM:
      x->c.unit *= (double) (1 << sim_random (&state) % 6) / 4.0;
      break;
    case COURSE_CHEAP_FIRST:
      if (k == 0)
	x->c.unit /= 100.0;
      break;
    case COURSE_DELAY:
      if (k == 1)
	machine_lane[0].start = 4000000;
      break;
    case COURSE_NEIGHBOUR:
      if (k >= executions / 3 && k < 2 * executions / 3)
	x->c.speed[0] = x->c.later[0] = speed / 2.0;
      break;
    default:
      break;
    }
}

/* Ideal over taken time of the executions FROM .. UNTIL-1 of a loop of KIND and
   COST on M, under OPS, or auto where that is NULL; 0 if it went wrong.  ALIKE:
   nothing tells cores apart.  ANY_ORDER: as in struct amp_facts.  */

static double
follow_course (const struct machine *m, bool alike, bool any_order,
	       enum course_kind kind,
	       enum sim_cost cost, double unit, const struct amp_ops *ops,
	       unsigned from, unsigned until)
{
  struct course x;
  double ideal = 0.0, taken = 0.0;
  unsigned k;

  begin_course (&x, m, ops);
  x.c.observed_types = alike;
  x.c.n = 100 * (uint64_t) x.c.lanes;
  x.c.cost = cost;
  for (k = 0; k < until; k++)
    {
      struct amp_facts facts = { .ops = ops, .any_order = any_order,
				 .turn = k };

      set_course (&x, kind, k, until, unit, m->speed[0]);
      sim_decide (&x.c, &facts);
      if (!execute_course (&x))
	break;
      if (k < from)
	continue;
      ideal += x.r.ideal;
      taken += (double) x.r.makespan;
    }
  if (k < until)
    ideal = 0.0;
  else if (kind == COURSE_DELAY && from < 2)
    /* The delay itself nobody can make up for.  */
    taken -= 4000000.0;
  end_course (&x);
  return ideal / taken;
}

/* What auto does is right from the first execution on and stays so, whatever
   happens to single executions: a few hundred together are within 5 % of the
   best schedule for all of them, chosen afterwards, and within 10 % where only
   ascending order will do.  */

static void
known_auto (void)
{
  static const struct machine machines[] = {
    { "8 alike", 1, { 8 }, { 1.0 } },
    { "4 fast and 4 slow", 2, { 4, 4 }, { 3.0, 1.0 } },
    { "16 fast and 16 slow", 2, { 16, 16 }, { 3.0, 1.0 } },
    { "2, one 3 times as fast", 2, { 1, 1 }, { 3.0, 1.0 } }
  };
  static const struct amp_ops *const rivals[] = {
    &amp_even, &amp_aid_static, &amp_aid_hybrid, &amp_aid_dynamic, &amp_steal,
    &amp_ich
  };
  /* In loops of some 15 us, what stealing costs counts, and one execution in 32
     is observed.  */
  static const double units[] = { 300.0, 10000.0 };
  /* In order, and in any.  */
  static const double least[2][2] = { { 0.8, 0.85 }, { 0.9, 0.95 } };
  static const enum sim_cost costs[] = { SIM_COST_CONSTANT, SIM_COST_LINEAR,
					 SIM_COST_LAST_HEAVY };
  enum { EXECUTIONS = 240 };
  unsigned m, u, w, kind, o, alike, any;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (alike = 0; alike < 2; alike++)
      for (u = 0; u < 2; u++)
	for (w = 0; w < 3; w++)
	  for (kind = 0; kind < COURSES; kind++)
	   for (any = 0; any < 2; any++)
	    {
	      struct machine machine = machines[m];
	      double best = 0.0, reached;
	      const char *name = "";
	      struct course x;

	      if (alike)
		{
		  unsigned i, j, lanes = 0;

		  for (j = 0; j < machines[m].types; j++)
		    for (i = 0; i < machines[m].lanes[j]; i++)
		      {
			machine.lanes[lanes] = 1;
			machine.speed[lanes++] = machines[m].speed[j];
		      }
		  machine.types = lanes;
		}
	      for (o = 0; o < sizeof rivals / sizeof rivals[0]; o++)
		{
		  double e;

		  if (!any && !(rivals[o]->flags & AMP_MONOTONIC))
		    continue;
		  e = follow_course (&machine, alike, any, kind, costs[w],
					    units[u], rivals[o], 10, 50);

		  if (e > best)
		    {
		      best = e;
		      name = rivals[o]->name;
		    }
		}
	      reached = follow_course (&machine, alike, any, kind, costs[w],
				       units[u], NULL, 0, EXECUTIONS);
	      if (getenv ("AMP_SIM_VERBOSE") != NULL
		  || reached < least[u][any] * best)
		printf ("%s%s%s, %s, load %u of %g ns: auto %.3f, %s %.3f\n",
			machines[m].name, alike ? ", not known" : "",
			any ? "" : ", in order",
			course_names[kind], costs[w], units[u], reached, name,
			best);
	      begin_course (&x, &machine, &amp_feedback);
	      report (reached >= least[u][any] * best, "auto", &x.c);
	      end_course (&x);
	    }
}

/* What changes in the middle of a program is noticed: other speeds, even by a
   loop that is short and seldom observed; and other iterations.  */

static void
known_changes (void)
{
  static const struct machine machines[] = {
    { "", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "", 2, { 4, 4 }, { 1.0, 2.0 } }
  };
  static const struct
  {
    const char *what;
    const struct amp_ops *ops;	/* NULL: auto.  */
    double unit;
    unsigned machine;		/* From execution 300 on. */
    enum sim_cost cost;
    unsigned from;		/* The executions whose mean is ...  */
    double least;		/* ... at least this.  */
  } changes[] = {
    /* 0.87 if means are all that follows.  */
    { "speeds", &amp_aid_static, 100.0, 1, SIM_COST_CONSTANT, 300, 0.92 },
    { "iterations", NULL, 30000.0, 0, SIM_COST_LAST_HEAVY, 300, 0.97 },
    { "their spread", NULL, 30000.0, 0, SIM_COST_RANDOM, 300, 0.985 }
  };
  unsigned i, k, c;

  for (i = 0; i < sizeof changes / sizeof changes[0]; i++)
    {
      struct course x;
      bool ok = true;
      double sum = 0.0;

      begin_course (&x, &machines[0], changes[i].ops);
      x.c.n = 1000 * (uint64_t) x.c.lanes;
      x.c.unit = changes[i].unit;
      for (k = 0; ok && k < 1500; k++)
	{
	  if (k == 300)
	    {
	      for (c = 0; c < x.c.types; c++)
		x.c.speed[c] = x.c.later[c]
		  = machines[changes[i].machine].speed[c];
	      x.c.cost = changes[i].cost;
	    }
	  {
	    struct amp_facts facts = { .ops = changes[i].ops, .any_order = true,
				     .turn = k };

	    sim_decide (&x.c, &facts);
	  }
	  ok = execute_course (&x);
	  if (k >= changes[i].from)
	    sum += 1.0 / x.efficiency;
	}
      if (ok && (1500 - changes[i].from) / sum < changes[i].least)
	{
	  printf ("%s: efficiency %f after a change\n", changes[i].what,
		  (1500 - changes[i].from) / sum);
	  ok = false;
	}
      report (ok, "what changes is noticed", &x.c);
      end_course (&x);
    }
}

/* A loop that is known begins with chunks as long as a least sample, and in
   aid_dynamic with shares of 5 of these.  */

static void
known_first_chunks (void)
{
  static const struct machine machines[] = {
    { "", 1, { 4 }, { 1.0 } },
    { "", 2, { 2, 2 }, { 3.0, 1.0 } }
  };
  unsigned m, i;

  for (m = 0; m < 2; m++)
    {
      struct course x;
      bool ok;

      begin_course (&x, &machines[m], &amp_aid_dynamic);
      /* 5.5 iterations on a slow lane.  */
      x.c.min_ticks = 5500;
      x.c.rmw = 0.0;
      ok = execute_course (&x);
      record.block = x.block;
      record.n = 0;
      x.c.watch = watch_taken;
      x.c.watch_data = &record;
      ok = ok && execute_course (&x) && record.n > 4;
      for (i = 0; ok && i < 4; i++)
	ok = (record.at[i].end - record.at[i].begin
	      == (m == 0 ? 5 : i < 2 ? 75 : 25));
      if (!ok)
	printf ("the first chunk has %ju iterations\n",
		(uintmax_t) (record.at[0].end - record.at[0].begin));
      report (ok, "a known loop begins with chunks as long as a sample", &x.c);
      end_course (&x);
    }
}

/* What the user left open in aid_hybrid is 10 % in a loop's first execution, 80
   where SF is given or nothing is remembered.  */

static void
known_first_share (void)
{
  static const struct machine machine = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  struct course x;
  bool ok;

  begin_course (&x, &machine, &amp_aid_hybrid);
  ok = execute_course (&x) && x.block->aid_n == x.c.n / 10;
  report (ok, "aid_hybrid begins with 10 %", &x.c);
  end_course (&x);

  begin_course (&x, &machine, &amp_aid_hybrid);
  x.c.sf = x.c.speed;
  ok = execute_course (&x) && x.block->aid_n == x.c.n / 10 * 8;
  report (ok, "aid_hybrid begins with 80 % where SF is given", &x.c);
  end_course (&x);

  begin_course (&x, &machine, &amp_aid_hybrid);
  x.c.site = NULL;
  ok = execute_course (&x) && x.block->aid_n == x.c.n / 10 * 8;
  report (ok, "aid_hybrid takes 80 % where nothing is remembered", &x.c);
  end_course (&x);
}

/* A lane that always comes late, as its core is slow to wake, gets so much
   less that all end together.  One that came so late only once, since it had
   other work, is not taken for slow.  */

static void
known_lateness (void)
{
  static const struct machine machine = { "", 2, { 1, 1 }, { 1.0, 1.0 } };
  struct course x;
  double before, after;
  unsigned k;
  bool ok = true;

  begin_course (&x, &machine, &amp_aid_static);
  machine_lane[1].start = 2000000;
  for (k = 0; ok && k < 40; k++)
    ok = execute_course (&x);
  /* 20 ms of work, and 2 for which one lane waits.  */
  if (x.r.makespan > 11100000)
    {
      printf ("the last lane ends after %ju ns, not 11000000\n",
	      (uintmax_t) x.r.makespan);
      ok = false;
    }
  report (ok, "a lane that always comes late gets less", &x.c);
  before = amp_load_double (&amp_site_costs (x.site)[1]);
  machine_lane[1].start = 200000000;
  ok = execute_course (&x);
  sim_visit (x.site);
  after = amp_load_double (&amp_site_costs (x.site)[1]);
  if (after > 1.01 * before)
    {
      printf ("its iterations cost %f, then %f\n", before, after);
      ok = false;
    }
  report (ok, "a lane that had other work once is not slow", &x.c);
  end_course (&x);
}

/* Where iterations differ at random a slow lane that is late costs more than a
   fast one, so slow lanes get less than their speed would have: loops are
   shorter on average than with blocks by speed.  */

static void
known_bias (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "", 2, { 2, 6 }, { 4.0, 1.0 } }
  };
  unsigned m, k, told;
  double gain = 1.0;
  struct course x;
  bool ok = true;

  for (m = 0; m < 3; m++)
    {
      double sum[2] = { 0.0, 0.0 };

      for (told = 0; told < 2; told++)
	{
	  begin_course (&x, &machines[m], &amp_aid_static);
	  x.c.n = 10 * (uint64_t) x.c.lanes;
	  x.c.unit = 100000.0;
	  x.c.cost = SIM_COST_RANDOM;
	  if (told)
	    {
	      x.c.site = NULL;
	      x.c.sf = x.c.speed;
	    }
	  for (k = 0; ok && k < 1500; k++)
	    {
	      ok = execute_course (&x);
	      if (k >= 500)
		sum[told] += (double) x.r.makespan;
	    }
	  if (told == 0)
	    end_course (&x);
	}
      gain *= sum[1] / sum[0];
      if (m < 2)
	end_course (&x);
    }
  if (gain < 1.08)
    {
      printf ("three machines gain %f in all\n", gain);
      ok = false;
    }
  report (ok, "where iterations differ, slow lanes get a little less", &x.c);
  end_course (&x);
}

/* Where the expensive iterations of a long loop are elsewhere each time, what
   is remembered of the lanes' speeds is of no use: aid_static samples in each
   execution, and is better for it.  */

static void
known_uneven (void)
{
  static const struct machine machine = { "", 3, { 1, 3, 4 },
					  { 4.0, 2.0, 1.0 } };
  struct course x;
  uint64_t state = 5, i;
  double *sums, mean = 0.0;
  unsigned k;
  bool ok = true;

  begin_course (&x, &machine, &amp_aid_static);
  x.c.n = 300 * (uint64_t) x.c.lanes;
  x.c.unit = 130000.0;
  x.c.sums = sums = malloc ((x.c.n + 1) * sizeof *sums);
  sums[0] = 0.0;
  for (k = 0; ok && k < 120; k++)
    {
      uint64_t first = sim_random (&state) % x.c.n;

      /* A half of them, which may begin again at the front.  */
      for (i = 0; i < x.c.n; i++)
	sums[i + 1] = sums[i] + ((i + x.c.n - first) % x.c.n < x.c.n / 2
				 ? 16.0 : 1.0) * x.c.unit;
      ok = execute_course (&x);
      if (k >= 20)
	mean += x.efficiency / 100.0;
    }
  if (mean < 0.5)
    {
      printf ("efficiency %f\n", mean);
      ok = false;
    }
  report (ok, "where memory is of no use, aid_static samples", &x.c);
  free (sums);
  end_course (&x);
}

/* Where CPUs are about equally fast it does not matter where a lane is: no pool
   is left for it.  */

static void
known_equal_moves (void)
{
  static const struct machine flat = { "", 4, { 1, 1, 1, 1 },
				       { 1.0, 1.02, 1.0, 0.98 } };
  struct course x;
  bool ok;

  begin_course (&x, &flat, &amp_aid_static);
  x.c.observed_types = true;
  x.c.lane_type = NULL;
  ok = execute_course (&x) && execute_course (&x);
  machine_lane[0].type = machine_lane[0].reported = 1;
  machine_lane[1].type = machine_lane[1].reported = 0;
  ok = (ok && execute_course (&x) && execute_course (&x)
	&& x.block->aid_n == x.c.n && x.block->plan_kind == AMP_PLAN_EVEN);
  report (ok, "moves between equal CPUs cost no pool", &x.c);
  end_course (&x);
}

/* After so many executions at which the cores' speeds are all the same, or the
   loop so short that they are of no account, it needs no work share, and after
   so many at which they are it does; one that is different changes nothing.  */

static void
known_verdicts (void)
{
  enum { TURNS = 10 };
  static const struct machine even = { "", 2, { 1, 1 }, { 1.0, 1.0 } };
  struct course x;
  unsigned k, now = 0;
  bool ok = true, wrong = false;

  begin_course (&x, &even, &amp_even);
  /* Half of min_ticks; with one core three times as fast, a division by speed
     gains twice what a share costs.  */
  x.c.n = 20;
  x.c.unit = 250.0;
  for (k = 0; ok && k < 2 * AMP_SITE_DRIFT * TURNS; k++)
    {
      bool slow = now % 2 != 0, odd = k % (2 * AMP_SITE_DRIFT) == 3;

      x.c.speed[0] = x.c.later[0] = slow != odd ? 3.0 : 1.0;
      ok = execute_course (&x);
      if (!amp_site_judge_bare (x.site))
	continue;
      wrong |= k % (2 * AMP_SITE_DRIFT) < AMP_SITE_DRIFT;
      wrong |= amp_site_bare_p (x.site) != (++now % 2 != 0);
      /* A speed for the next.  */
      while ((k + 1) % (2 * AMP_SITE_DRIFT) != 0)
	k++;
    }
  report (ok && !wrong && now == TURNS, "verdicts need some executions in a "
	  "row and turn as often as those do", &x.c);
  end_course (&x);

  /* A loop of the same speeds whose iterations differ.  */
  begin_course (&x, &even, &amp_feedback);
  x.c.n = 20;
  x.c.unit = 500.0;
  x.c.cost = SIM_COST_LAST_HEAVY;
  for (k = 0; k < 2 * AMP_SITE_DRIFT; k++)
    ok = ok && execute_course (&x);
  report (ok && !amp_site_judge_bare (x.site), "uneven loops keep their work "
	  "share", &x.c);
  end_course (&x);
}

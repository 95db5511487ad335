/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of what is remembered of a loop, and of auto, whose outcome is
   known.  Included by sim.c.  */

/* A loop of OPS on M that is executed again and again: one block and one site
   are used.  */

static void
begin_course_on (const struct machine *m, const struct amp_ops *ops)
{
  begin_on (m, (struct sim_config) {
    .ops = ops, .unit = 1000.0, .min_ticks = 5000, .rmw = 20.0,
    .lane_type = machine_type, .observe = true
  });
  c.n = 10000 * (uint64_t) c.lanes;
  remember ();
}

static void
begin_course (const char *machine, const struct amp_ops *ops)
{
  struct machine m = machine_of (machine);
  begin_course_on (&m, ops);
}

/* Of the last execution: ideal / makespan.  */
static double efficiency;

static bool
execute (void)
{
  c.seed++;
  run_on ();
  efficiency = r.ideal / (double) r.makespan;
  return ok;
}

static double
cost_on (unsigned type)
{
  return amp_load_double (&amp_site_costs (site)[type]);
}

static void
set_speed (unsigned type, double speed)
{
  c.speed[type] = c.later[type] = speed;
}

/* Lane LANE is on a core of TYPE, and says so.  */

static void
put_lane (unsigned lane, unsigned type)
{
  machine_lane[lane].type = machine_lane[lane].reported = type;
}

/* From the second execution on aid_static hands out one block a lane, in the
   order of the lanes, in proportion to the speeds, and so does aid_hybrid for
   its percentage; bound or not.  When the speeds change, or iterations change
   lanes' part in the work, the blocks follow.  */

KNOWN (sites, known_sites)
{
  static const char *const machines[]
    = { "1+1 3:1", "4+4 2.5:1", "1+3+4 4:2:1", "2+2 1:1" };
  static const struct amp_ops *const ops[]
    = { &amp_aid_static, &amp_aid_hybrid };

  EACH (m, machines)
    EACH (o, ops)
      for (unsigned way = 0; way < 4; way++)
	{
	  bool bound = way & 1, change = way & 2;

	  begin_course (machines[m], ops[o]);
	  if (!bound)
	    c.lane_type = NULL;
	  for (unsigned k = 0; ok && k < (change ? 40 : 3); k++)
	    {
	      if (k == 10)
		for (unsigned j = 0; j < c.types; j++)
		  set_speed (j, 1.0 + (c.types - 1 - j) * 0.5);
	      execute ();
	      if (k == 0)
		{
		  ok &= block->plan_kind == AMP_PLAN_NONE;
		  continue;
		}
	      expect ((block->plan_kind == AMP_PLAN_WEIGHTED
		       && efficiency > (o == 0 ? 0.985 : 0.995))
		      || (k >= 4 && k <= 30),
		      "%s, execution %u: plan %d, efficiency %f",
		      bound ? "bound" : "not bound", k, block->plan_kind,
		      efficiency);
	      expect (o != 0 || r.grants <= c.lanes, "%ju grants",
		      (uintmax_t) r.grants);
	      /* Where nothing was too much, a quarter of the way to 80 %.  */
	      expect (o != 1 || k != 1 || block->aid_n == c.n / 1000 * 275,
		      "%ju to distribute", (uintmax_t) block->aid_n);
	    }
	  for (unsigned i = 0; i < c.lanes; i++)
	    expect (AMP_LOAD (&amp_site_seen (site)[i], AMP_RELAXED)
		    == machine_type[i] + UINT64_C (1),
		    "lane %u was not seen where it runs", i);
	  report (true, "plans of a known site");
	}
}

/* What a site's loops are divided by is computed once, until the site has been
   observed again, and nothing is different for that.  */

KNOWN (sites, known_kept)
{
  static const struct amp_ops *const ops[] = {
    &amp_aid_hybrid, &amp_aid_static, &amp_steal, &amp_ich, &amp_feedback
  };

  EACH (o, ops)
    EACH (w, constant_and_linear)
      {
	/* The other one, which keeps nothing.  */
	struct sim_config config;
	struct amp_loop *other = sim_new_block (6, 2), *own;
	struct amp_site *other_site = sim_new_site (6, 2, 0);
	struct amp_plan *plan = sim_new_plan (6, 2);
	uint64_t took;

	begin_course ("2+4 3:1", ops[o]);
	c.cost = constant_and_linear[w];
	own = block;
	for (unsigned k = 0; ok && k < 60; k++)
	  {
	    c.n = k % 8 < 6 ? 6000 : 600;
	    c.observe = k % 4 == 0;
	    config = c;
	    c.site = other_site;
	    block = other;
	    execute ();
	    took = r.makespan;
	    c = config;
	    c.plan = plan;
	    block = own;
	    execute ();
	    /* But for blocks that stay where they are.  */
	    ok &= ((double) r.makespan
		   < (1.01 + AMP_PLAN_STAY) * (double) took);
	    c.plan = NULL;
	  }
	report (true, "what is kept divides loops as what is computed");
	/* All of it to lane 5.  */
	c.observe = false;
	c.plan = plan;
	execute ();
	for (unsigned i = 0; i < 6; i++)
	  plan->bounds[i] = 0;
	report (plan->site == site && execute ()
		&& amp_loop_bounds (block)[5] == 0, "a plan is kept");
	free (plan);
	free (other);
	free (other_site);
      }
}

/* Blocks of a loop that is known stay where they are while speeds are what they
   were within noise, and follow when they change.  */

KNOWN (sites, known_stay)
{
  static const struct amp_ops *const ops[]
    = { &amp_aid_hybrid, &amp_aid_static, &amp_steal, &amp_feedback };

  EACH (o, ops)
    {
      uint64_t before[7] = { 0 }, state = 1;
      unsigned moves = 0;
      double least = 1.0;

      begin_course ("2+4 3:1", ops[o]);
      c.params.value[0] = o == 0 ? 50 : 0;
      c.n = 6000;
      c.plan = sim_new_plan (6, 2);
      for (unsigned k = 0; ok && k < 200; k++)
	{
	  /* 3 % of noise.  */
	  set_speed (0, (k < 120 ? 3.0 : 2.0)
		     * (0.97 + 0.06 * (double) (sim_random (&state) % 1000)
			/ 1e3));
	  execute ();
	  moves += (k >= 20 && k < 120
		    && memcmp (before, amp_loop_bounds (block), sizeof before));
	  memcpy (before, amp_loop_bounds (block), sizeof before);
	  if (k > 10 && (k < 120 || k > 160))
	    least = lesser (least, efficiency);
	}
      expect (moves <= 4 && least >= 0.93,
	      "blocks moved %u times, efficiency %f at least", moves, least);
      report (true, "blocks stay while speeds do");
      free (c.plan);
    }
}

/* Where expensive iterations come first, 20 % of them do not make up for shares
   by speed.  aid_hybrid that may choose its percentage keeps to one that does,
   goes on to 80 when the iterations are alike, slowly if that once was too much,
   and back when they are no more.  One that may not keeps to what it was
   told.  */

KNOWN (pools, known_pools)
{
  static const char *const machines[] = { "1+1 3:1", "4+4 3:1", "1+3+4 4:2:1" };
  /* Uneven and even in turn.  */
  static const unsigned executions[] = { 20, 100, 20 };

  EACH (m, machines)
    {
      double last[2][3] = { { 0.0 } };

      for (unsigned told = 0; told < 2; told++)
	{
	  uint64_t share[3] = { 0 }, i;
	  double *sums;

	  begin_course (machines[m], &amp_aid_hybrid);
	  c.params.value[0] = told ? 80 : 0;
	  sums = malloc ((c.n + 1) * sizeof *sums);
	  for (i = sums[0] = 0; i < c.n; i++)
	    sums[i + 1] = sums[i] + (i < c.n / 8 ? 8e4 : 1e4);
	  EACH (phase, executions)
	    {
	      c.sums = phase % 2 ? NULL : sums;
	      for (unsigned k = 0; ok && k < executions[phase]; k++)
		{
		  execute ();
		  i = AMP_LOAD (&site->share, AMP_RELAXED);
		  ok &= (told ? i == 0 && block->aid_n == c.n / 5 * 4
			 : i >= AMP_SITE_LEAST_SHARE && i <= AMP_SITE_SHARE
			   && (phase + k != 0 || block->aid_n == c.n / 10));
		}
	      share[phase] = i;
	      last[told][phase] = efficiency;
	    }
	  expect (told ? m == 0 || last[1][0] < last[0][0] - 0.3
		  : share[1] > 7400 && (m == 0 || share[1] < 7900)
		    && share[2] < 7500 && last[0][0] > 0.9
		    && last[0][1] > 0.99 && last[0][2] > 0.9,
		  "%s 80 %%: uneven, even, uneven: share %ju, %ju, %ju, "
		  "efficiency %f, %f, %f", told ? "told" : "found",
		  (uintmax_t) share[0], (uintmax_t) share[1],
		  (uintmax_t) share[2], last[told][0], last[told][1],
		  last[told][2]);
	  report (true, "what aid_hybrid distributes");
	  free (sums);
	}
    }
}

/* A lane that moves to a slower core in the middle of a loop: its report is
   not used, its next block is that of its new core's type.  Types that only
   observation tells apart, and that are equal, get even blocks.  */

KNOWN (moves, known_moves)
{
  double before;

  begin_course ("1+2 3:1", &amp_aid_static);
  c.lane_type = NULL;
  ok &= execute () && execute () && block->aid_n == c.n;
  before = cost_on (0);
  machine_lane[0].moves = 100000;
  machine_lane[0].next_type = 1;
  execute ();
  expect (before == cost_on (0),
	  "a moved lane's report was used: %f, then %f", before, cost_on (0));
  machine_lane[0].moves = SIM_NEVER;
  put_lane (0, 1);
  report (execute () && efficiency > 0.99, "a lane that moves");
  /* For a while a part is left to be self-scheduled: a block that goes to
     where the lane is no more (here three even ones: 0.6 without the pool)
     costs less.  */
  ok &= block->aid_n < c.n && block->plan_kind == AMP_PLAN_WEIGHTED;
  put_lane (0, 0);
  ok &= execute () && efficiency > 0.7;
  for (unsigned k = 0; k <= AMP_SITE_MOVED && execute (); k++)
    continue;
  report (block->aid_n == c.n && efficiency > 0.985, "a pool after a move");

  begin_course ("1+1+1+1 1:1.02:1:0.98", &amp_aid_static);
  c.observed_types = true;
  report (execute () && execute () && block->plan_kind == AMP_PLAN_EVEN,
	  "types that are equal when observed");
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

/* What execution K of EXECUTIONS has, which is of UNIT otherwise.  */

static void
set_course (enum course_kind kind, unsigned k, unsigned executions,
	    double unit)
{
  uint64_t state = k;
  bool third = k >= executions / 3 && k < 2 * executions / 3;

  c.unit = unit * (kind == COURSE_THIRDS && k % 3 == 1 ? 10.0
		   : kind == COURSE_RANDOM
		   ? (double) (1 << sim_random (&state) % 6) / 4.0
		   : kind == COURSE_CHEAP_FIRST && k == 0 ? 0.01 : 1.0);
  set_speed (0, kind == COURSE_NEIGHBOUR && third ? on.speed[0] / 2.0
	     : on.speed[0]);
  machine_lane[0].start = kind == COURSE_DELAY && k == 1 ? 4000000 : 0;
}

/* What is decided of C for its execution TURN, under OPS, or auto where that is
   NULL.  */

static void
decide (const struct amp_ops *ops, bool any_order, unsigned turn)
{
  struct amp_facts facts = { .ops = ops, .any_order = any_order,
			     .turn = turn };
  sim_decide (&c, &facts);
}

/* Ideal over taken time of the executions FROM .. UNTIL-1 of a loop of KIND and
   COST on M, under OPS, or auto where that is NULL; 0 if it went wrong.  ALIKE:
   nothing tells cores apart.  ANY_ORDER: as in struct amp_facts.  */

static double
follow_course (const struct machine *m, bool alike, bool any_order,
	       enum course_kind kind, enum sim_cost cost, double unit,
	       const struct amp_ops *ops, unsigned from, unsigned until)
{
  double ideal = 0.0, taken_time = 0.0;

  begin_course_on (m, ops);
  c.rmw = 100.0;
  c.hold = 80.0;
  c.observed_types = alike;
  c.n = 100 * (uint64_t) c.lanes;
  c.cost = cost;
  for (unsigned k = 0; k < until; k++)
    {
      set_course (kind, k, until, unit);
      decide (ops, any_order, k);
      if (!execute ())
	return 0.0;
      if (k >= from)
	{
	  ideal += r.ideal;
	  taken_time += (double) r.makespan;
	}
    }
  /* The delay itself nobody can make up for.  */
  if (kind == COURSE_DELAY && from < 2)
    taken_time -= 4000000.0;
  return ideal / taken_time;
}

/* What auto does is right from the first execution on and stays so, whatever
   happens to single executions: a few hundred together are within 5 % of the
   best schedule for all of them, chosen afterwards, and within 10 % where only
   ascending order will do.  */

KNOWN_SLOW (auto, known_auto)
{
  static const char *const machines[]
    = { "8 1", "4+4 3:1", "16+16 3:1", "1+1 3:1" };
  static const struct amp_ops *const rivals[] = {
    &amp_even, &amp_aid_static, &amp_aid_hybrid, &amp_aid_dynamic, &amp_steal,
    &amp_ich
  };
  /* In loops of some 15 us, what stealing costs counts, and one execution in 32
     is observed.  */
  static const double units[] = { 300.0, 10000.0 };
  /* In order, and in any.  */
  static const double least[2][2] = { { 0.8, 0.85 }, { 0.9, 0.95 } };
  static const enum sim_cost costs[]
    = { SIM_COST_CONSTANT, SIM_COST_LINEAR, SIM_COST_LAST_HEAVY };
  enum { EXECUTIONS = 240 };
  bool verbose = getenv ("AMP_SIM_VERBOSE") != NULL;

  EACH (m, machines)
    for (unsigned alike = 0; alike < 2; alike++)
      EACH (u, units)
	EACH (w, costs)
	  for (unsigned way = 0; way < COURSES * 2; way++)
	    {
	      struct machine machine = machine_of (machines[m]);
	      enum course_kind kind = way / 2;
	      bool any = way % 2;
	      double best = 0.0, reached;
	      const char *name = "";

	      if (alike)
		{
		  struct machine types = { .types = 0 };

		  for (unsigned j = 0; j < machine.types; j++)
		    for (unsigned i = 0; i < machine.lanes[j]; i++)
		      {
			types.lanes[types.types] = 1;
			types.speed[types.types++] = machine.speed[j];
		      }
		  machine = types;
		}
	      EACH (o, rivals)
		if (any || rivals[o]->flags & AMP_MONOTONIC)
		  {
		    double e = follow_course (&machine, alike, any, kind,
					      costs[w], units[u], rivals[o],
					      10, 50);
		    if (e > best)
		      {
			best = e;
			name = rivals[o]->name;
		      }
		  }
	      reached = follow_course (&machine, alike, any, kind, costs[w],
				       units[u], NULL, 0, EXECUTIONS);
	      if (verbose || reached < least[u][any] * best)
		printf ("%s%s%s, %s, load %u of %g ns: auto %.3f, %s %.3f\n",
			machines[m], alike ? ", not known" : "",
			any ? "" : ", in order", course_names[kind], costs[w],
			units[u], reached, name, best);
	      report (reached >= least[u][any] * best, "auto");
	      /* The first execution, of which nothing is known.  */
	      if (kind != COURSE_ALIKE || u != 1)
		continue;
	      reached = follow_course (&machine, alike, any, kind, costs[w],
				       units[u], NULL, 0, 1);
	      if (verbose)
		printf ("first: %s%s%s, load %u: %.3f\n", machines[m],
			alike ? ", not known" : "", any ? "" : ", in order",
			costs[w], reached);
	      if (any)
		report (reached >= 0.9, "auto, the first time");
	    }
}

/* What changes in the middle of a program is noticed: other speeds, even by a
   loop that is short and seldom observed; and other iterations.  */

KNOWN (changes, known_changes)
{
  static const struct
  {
    const char *what;
    const struct amp_ops *ops;	/* NULL: auto.  */
    double unit;
    double speed[2];		/* From execution 300 on. */
    enum sim_cost cost;
    double least;		/* The mean from then on is at least this.  */
  } changes[] = {
    /* 0.87 if means are all that follows.  */
    { "speeds", &amp_aid_static, 100.0, { 1.0, 2.0 }, SIM_COST_CONSTANT, 0.92 },
    { "iterations", NULL, 30000.0, { 2.5, 1.0 }, SIM_COST_LAST_HEAVY, 0.97 },
    { "their spread", NULL, 30000.0, { 2.5, 1.0 }, SIM_COST_RANDOM, 0.985 }
  };

  EACH (i, changes)
    {
      double sum = 0.0;

      begin_course ("4+4 2.5:1", changes[i].ops);
      c.n = 1000 * (uint64_t) c.lanes;
      c.unit = changes[i].unit;
      for (unsigned k = 0; ok && k < 1500; k++)
	{
	  if (k == 300)
	    {
	      set_speed (0, changes[i].speed[0]);
	      set_speed (1, changes[i].speed[1]);
	      c.cost = changes[i].cost;
	    }
	  decide (changes[i].ops, true, k);
	  execute ();
	  if (k >= 300)
	    sum += 1.0 / efficiency;
	}
      expect (1200 / sum >= changes[i].least,
	      "%s: efficiency %f after a change", changes[i].what, 1200 / sum);
      report (true, "what changes is noticed");
    }
}

/* A loop that is known begins with chunks as long as a least sample, and in
   aid_dynamic with shares of 5 of these.  */

KNOWN (sites, known_first_chunks)
{
  static const char *const machines[] = { "4 1", "2+2 3:1" };

  EACH (m, machines)
    {
      begin_course (machines[m], &amp_aid_dynamic);
      /* 5.5 iterations on a slow lane.  */
      c.min_ticks = 5500;
      c.rmw = 0.0;
      execute ();
      ntaken = 0;
      c.watch = watch_taken;
      ok &= execute () && ntaken > 4;
      for (unsigned i = 0; i < 4; i++)
	expect (taken[i].size == (m == 0 ? 5 : i < 2 ? 75 : 25),
		"the first chunk has %ju iterations",
		(uintmax_t) taken[i].size);
      report (true, "a known loop begins with chunks as long as a sample");
    }
}

/* What the user left open in aid_hybrid is 10 % in a loop's first execution, 80
   where SF is given or nothing is remembered.  */

KNOWN (pools, known_first_share)
{
  begin_course ("2+2 3:1", &amp_aid_hybrid);
  report (execute () && block->aid_n == c.n / 10,
	  "aid_hybrid begins with 10 %");
  begin_course ("2+2 3:1", &amp_aid_hybrid);
  c.sf = c.speed;
  report (execute () && block->aid_n == c.n / 10 * 8,
	  "aid_hybrid begins with 80 % where SF is given");
  begin_course ("2+2 3:1", &amp_aid_hybrid);
  c.site = NULL;
  report (execute () && block->aid_n == c.n / 10 * 8,
	  "aid_hybrid takes 80 % where nothing is remembered");
}

/* A lane that always comes late, as its core is slow to wake, gets so much
   less that all end together.  One that came so late only once, since it had
   other work, is not taken for slow.  */

KNOWN (lateness, known_lateness)
{
  double before;

  begin_course ("1+1 1:1", &amp_aid_static);
  machine_lane[1].start = 2000000;
  for (unsigned k = 0; k < 40 && execute (); k++)
    continue;
  /* 20 ms of work, and 2 for which one lane waits.  */
  expect (r.makespan <= 11100000, "the last lane ends after %ju ns, not 11000000",
	  (uintmax_t) r.makespan);
  report (true, "a lane that always comes late gets less");
  before = cost_on (1);
  machine_lane[1].start = 200000000;
  execute ();
  sim_visit (site);
  expect (cost_on (1) <= 1.01 * before, "its iterations cost %f, then %f",
	  before, cost_on (1));
  report (true, "a lane that had other work once is not slow");
}

/* Where iterations differ at random a slow lane that is late costs more than a
   fast one, so slow lanes get less than their speed would have: loops are
   shorter on average than with blocks by speed.  */

KNOWN (bias, known_bias)
{
  static const char *const machines[] = { "1+1 3:1", "4+4 2.5:1", "2+6 4:1" };
  double gain = 1.0;

  EACH (m, machines)
    {
      double sum[2] = { 0.0, 0.0 };

      for (unsigned told = 0; told < 2; told++)
	{
	  begin_course (machines[m], &amp_aid_static);
	  c.n = 10 * (uint64_t) c.lanes;
	  c.unit = 100000.0;
	  c.cost = SIM_COST_RANDOM;
	  if (told)
	    {
	      c.site = NULL;
	      c.sf = c.speed;
	    }
	  for (unsigned k = 0; k < 1500 && execute (); k++)
	    if (k >= 500)
	      sum[told] += (double) r.makespan;
	}
      gain *= sum[1] / sum[0];
    }
  expect (gain >= 1.04, "three machines gain %f in all", gain);
  report (true, "where iterations differ, slow lanes get a little less");
}

/* Where the expensive iterations of a long loop are elsewhere each time, what
   is remembered of the lanes' speeds is of no use: aid_static samples in each
   execution, and is better for it.  */

KNOWN (uneven, known_uneven)
{
  uint64_t state = 5, i;
  double *sums, mean = 0.0;

  begin_course ("1+3+4 4:2:1", &amp_aid_static);
  c.n = 300 * (uint64_t) c.lanes;
  c.unit = 130000.0;
  c.sums = sums = malloc ((c.n + 1) * sizeof *sums);
  sums[0] = 0.0;
  for (unsigned k = 0; ok && k < 120; k++)
    {
      uint64_t first = sim_random (&state) % c.n;

      /* A half of them, which may begin again at the front.  */
      for (i = 0; i < c.n; i++)
	sums[i + 1] = sums[i] + ((i + c.n - first) % c.n < c.n / 2
				 ? 16.0 : 1.0) * c.unit;
      execute ();
      if (k >= 20)
	mean += efficiency / 100.0;
    }
  expect (mean >= 0.5, "efficiency %f", mean);
  report (true, "where memory is of no use, aid_static samples");
  free (sums);
}

/* Where CPUs are about equally fast it does not matter where a lane is: no pool
   is left for it.  */

KNOWN (moves, known_equal_moves)
{
  begin_course ("1+1+1+1 1:1.02:1:0.98", &amp_aid_static);
  c.observed_types = true;
  c.lane_type = NULL;
  ok &= execute () && execute ();
  put_lane (0, 1);
  put_lane (1, 0);
  report (execute () && execute () && block->aid_n == c.n
	  && block->plan_kind == AMP_PLAN_EVEN,
	  "moves between equal CPUs cost no pool");
}

/* Loops of 200 iterations of UNIT on MACHINE, whose cores nothing tells
   apart.  */

static void
begin_late_course (const char *machine, double unit)
{
  begin_course (machine, NULL);
  c.observed_types = true;
  c.lane_type = NULL;
  c.n = 200;
  c.unit = unit;
}

/* Executions of these under auto: lane 1's core has speed COLD in the first one,
   to which it comes FIRST ns late, and is as MACHINE says in the others, to
   which it comes LATE ns late.  ANY_ORDER: as in struct amp_facts.  */

static void
run_late_course (const char *machine, double unit, double cold, uint64_t first,
		 uint64_t late, bool any_order)
{
  begin_late_course (machine, unit);
  for (unsigned k = 0; k < 8 * AMP_SITE_DRIFT; k++)
    {
      set_speed (1, k == 0 ? cold : 1.0);
      machine_lane[1].start = k == 0 ? first : late;
      decide (NULL, any_order, k);
      execute ();
      amp_site_judge_bare (site);
    }
}

/* An execution of 5 us comes to an end in which lane 0 ran RUN iterations and
   lane 1 the others.  */

static void
end_as_if (uint64_t run)
{
  for (unsigned i = 0; i < 2; i++)
    *amp_loop_report (block, i)
      = (struct amp_report) { i == 0 ? run : c.n - run, 5000, i, 0, 0, 0 };
  amp_site_fold (site, block);
}

/* A lane that came late has run next to nothing.  That is no evidence that
   nothing would be gained, nor of what its core is worth.  */

KNOWN (evidence, known_evidence)
{
  unsigned retried = 0;
  bool even = true;

  begin_late_course ("1+1 1:1", 25.0);
  decide (NULL, false, 0);
  execute ();
  amp_site_format (memset (site, 0, amp_site_size (2, 2)), NULL, 2, 2,
		   amp_site_magnitude (c.n));
  for (unsigned k = 0; k < 2 * AMP_SITE_DRIFT; k++)
    {
      end_as_if (k % 2 != 0 ? 195 : 200);
      decide (NULL, false, k + 1);
      even &= (c.ops == &amp_even) == (k + 1 >= AMP_SITE_SURE);
    }
  report (site->gains == 0 && !amp_site_judge_bare (site),
	  "few iterations, or none, say neither that nothing is gained");
  report (even, "nor how fast a core is: once it gets static's block");
  end_as_if (160);
  report (site->gains == 1
	  && amp_load_double (&amp_site_costs (site)[1]) == 125.0,
	  "whose time counts alone");
  end_as_if (195);
  decide (NULL, false, 0);
  report (c.ops == &amp_own_blocks, "after that blocks by speed may be small");
  amp_store_double (&site->spread, 1e6);
  site->observations = AMP_SITE_SURE;
  for (unsigned k = 0; k < 2 * AMP_SITE_RETRY; k++)
    {
      site->observed_executions = k;
      decide (NULL, false, k);
      retried += c.ops == &amp_own_blocks;
      even &= c.observe && (c.ops == &amp_own_blocks || c.ops == &amp_aid_hybrid);
    }
  report (even && retried == 2, "blocks that were wrong are looked at again");
}

/* After so many executions at which the cores' speeds are all the same, or the
   loop so short that they are of no account, it needs no work share, and after
   so many at which they are it does; one that is different changes nothing.  */

KNOWN (verdicts, known_verdicts)
{
  enum { TURNS = 10 };
  unsigned k, now = 0;
  uint64_t state = 7;
  bool wrong = false;

  begin_course ("1+1 1:1", &amp_even);
  /* Half of min_ticks; with one core three times as fast, a division by speed
     gains twice what a share costs.  */
  c.n = 20;
  c.unit = 250.0;
  for (k = 0; ok && k < 2 * AMP_SITE_DRIFT * TURNS; k++)
    {
      bool slow = now % 2 != 0, odd = k % (2 * AMP_SITE_DRIFT) == 3;

      set_speed (0, slow != odd ? 3.0 : 1.0);
      execute ();
      if (!amp_site_judge_bare (site))
	continue;
      wrong |= k % (2 * AMP_SITE_DRIFT) < AMP_SITE_DRIFT;
      wrong |= amp_site_bare_p (site) != (++now % 2 != 0);
      /* A speed for the next.  */
      while ((k + 1) % (2 * AMP_SITE_DRIFT) != 0)
	k++;
    }
  report (!wrong && now == TURNS, "decisions need some executions in a row and "
	  "turn as often as those do");

  /* A lane that is no slower, but late and cold the first time, in a loop that
     is as good as over when it comes later.  */
  run_late_course ("1+1 1:1", 4.0, 0.05, 500, 300, false);
  report (amp_site_bare_p (site),
	  "a lane that runs too little to be judged by gets a block");

  /* One whose first execution took much longer than any later one.  */
  run_late_course ("1+1 4:1", 100.0, 0.02, 2000, 100, true);
  expect (r.ideal > 0.85 * (double) r.makespan, "efficiency %f",
	  r.ideal / (double) r.makespan);
  report (true, "what it took at first is forgotten");

  /* A loop of the same speeds whose iterations differ.  */
  begin_course ("2 1", &amp_feedback);
  c.n = 20;
  c.unit = 500.0;
  c.cost = SIM_COST_LAST_HEAVY;
  for (k = 0; k < 2 * AMP_SITE_DRIFT && execute (); k++)
    continue;
  report (!amp_site_judge_bare (site), "uneven loops keep their work share");

  /* Even, and so short that blocks are not corrected, after a first execution
     on cold caches.  */
  begin_course ("2 1", &amp_feedback);
  c.n = 20;
  c.unit = 250.0;
  execute ();
  amp_store_double (&site->spread, 1.0);
  for (k = 0; k < 3 * AMP_SITE_DRIFT && execute (); k++)
    continue;
  report (amp_site_judge_bare (site), "what a longer execution said fades");

  /* As short, and uneven.  */
  begin_course ("2 1", &amp_feedback);
  c.n = 120;
  c.unit = 15.0;
  c.cost = SIM_COST_LAST_HEAVY;
  for (k = 0; k < AMP_SITE_DRIFT && execute (); k++)
    continue;
  report (AMP_LOAD (&site->marked, AMP_RELAXED) == 0,
	  "times of a short loop move no blocks");

  /* Sixteen lanes, the last of which comes 3.75 us late: balancing that costs
     more.  */
  begin_course ("16 1", &amp_feedback);
  c.n = 320;
  c.unit = 150.0;
  for (k = 0; k < 16; k++)
    machine_lane[k].start = 250 * k;
  for (k = 0; k < 3 * AMP_SITE_DRIFT && execute (); k++)
    continue;
  report (amp_site_judge_bare (site), "late lanes of a large team gain nothing");

  /* The same, of a core type each, as where nothing is known of them, and each
     late at random: most of their time they look for work, and how few
     iterations one of them ran says nothing of its core.  */
  begin_course ("1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1 1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1",
		&amp_feedback);
  c.n = 1600;
  c.unit = 1.0;
  for (k = 0, now = 0; k < 20 * AMP_SITE_MEMORY; k++)
    {
      for (unsigned i = 0; i < 16; i++)
	machine_lane[i].start = sim_random (&state) % 2000;
      decide (NULL, true, k);
      execute ();
      now += (k >= AMP_SITE_MEMORY
	      && AMP_LOAD (&site->observations, AMP_RELAXED) < AMP_SITE_MEMORY);
    }
  report (now == 0, "a short loop of many threads is not forgotten");
  report (amp_site_judge_bare (site), "nor repaired");

  /* Then one that was disturbed changes nothing, in a combined construct, which
     has a work share.  */
  amp_store_double (&site->spread, 3.0);
  for (k = 0; k < 100; k++)
    {
      decide (NULL, true, k);
      if (!c.observe)
	break;
    }
  report (!c.observe && c.ops == &amp_own_blocks,
	  "a verdict holds where there is a work share");
}

/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of samples, phases and self-scheduling in the AID schedules, and
   of queues, whose outcome is known.  Included by sim.c.  */

/* What each grant was, and what the loop said then.  */

static struct taken
{
  uint64_t now, begin, end, size;
  unsigned lane;
  bool share;		/* Of a phase of aid_dynamic.  */
  uint64_t phase, round, slow;	/* SLOW: the last type's share.  */
  uint64_t chunk;	/* The lane's, see struct amp_lane.  */
  double sf;		/* Of type 0.  */
} taken[200000];	/* Grants beyond are left out.  */
static size_t ntaken;

static void
watch_taken (void *data, uint64_t now, unsigned lane,
	     const struct amp_chunk *chunk)
{
  (void) data;
  if (ntaken < sizeof taken / sizeof *taken)
    taken[ntaken++] = (struct taken) {
      .now = now, .begin = chunk->begin, .end = chunk->end, .lane = lane,
      .size = chunk->end - chunk->begin,
      .share = amp_loop_lane (block, lane)->state == AMP_ST_SHARE,
      .phase = block->phase, .round = block->round,
      .slow = amp_loop_shares (block)[block->types - 1],
      .chunk = amp_loop_lane (block, lane)->chunk,
      .sf = amp_bits_double (amp_loop_pace (block)[0].sf)
    };
}

#define EACH_TAKEN(T) \
  for (const struct taken *T = taken; ok && T < taken + ntaken; T++)

/* Simulate C in a new block and record it.  */

static bool
run_recorded (void)
{
  free (block);
  block = sim_new_block (c.lanes, c.types);
  ntaken = 0;
  c.watch = watch_taken;
  return run_on ();
}

/* C gives the same chunks to the same lanes as with parameters P0 and P1 in
   place of its own.  */

static void
report_same (int p0, int p1, const char *what)
{
  struct taken *first;
  size_t n, i;

  run_recorded ();
  n = ntaken;
  first = malloc (n * sizeof *first);
  memcpy (first, taken, n * sizeof *first);
  c.params = (struct amp_params) { { p0, p1 } };
  run_recorded ();
  expect (n == ntaken, "%zu grants, and %zu", n, ntaken);
  for (i = 0; ok && i < n; i++)
    expect (first[i].now == taken[i].now && first[i].lane == taken[i].lane
	    && first[i].begin == taken[i].begin
	    && first[i].end == taken[i].end,
	    "grant %zu: lane %u %ju .. %ju, and lane %u %ju .. %ju", i,
	    first[i].lane, (uintmax_t) first[i].begin,
	    (uintmax_t) first[i].end, taken[i].lane,
	    (uintmax_t) taken[i].begin, (uintmax_t) taken[i].end);
  free (first);
  report (true, what);
}

/* aid_dynamic,m is aid_dynamic,m,5*m.  */

KNOWN (major, known_major)
{
  static const char *const machines[] = { "3 1", "1+1 3:1", "1+3+4 4:2:1" };
  static const int minors[] = { 1, 4, 30 };

  EACH (m, machines)
    EACH (k, minors)
      for (unsigned given = 0; given < 2; given++)
	{
	  BEGIN (machines[m], &amp_aid_dynamic, .params = { { minors[k] } },
		 .unit = 1000.0, .rmw = 20.0, .sf = given ? on.speed : NULL,
		 .lane_type = given ? machine_type : NULL);
	  c.n = 5000 * (uint64_t) c.lanes;
	  report_same (minors[k], 5 * minors[k],
		       "with m alone, M of aid_dynamic is 5 * m");
	}
}

/* With neither m nor M, a slow lane's share is 5 chunks that are as long as a
   least sample there, also where a fast lane comes last and so closes the
   phase.  */

KNOWN (major, known_last_arrival)
{
  static const char *const machines[]
    = { "1+1 3:1", "4+4 2.5:1", "1+3+4 4:2:1" };

  EACH (m, machines)
    for (unsigned late = 0; late < 2; late++)
      {
	/* 5.5 iterations on a slow lane.  */
	BEGIN (machines[m], &amp_aid_dynamic, .unit = 1000.0,
	       .min_ticks = 5500);
	c.n = 40000 * (uint64_t) c.lanes;
	/* Twice as long as a slow lane's sample.  */
	if (late)
	  machine_lane[0].start = 2 * c.n / (32 * c.lanes) * 1000;
	run_recorded ();
	expect (block->phase > 20, "few phases");
	EACH_TAKEN (t)
	  expect (t->phase == 0 || t->slow == 25,
		  "phase %ju: a slow lane's share is %ju",
		  (uintmax_t) t->phase, (uintmax_t) t->slow);
	report (true, "with M left open, a slow lane's share is 5 of its chunks,"
		" whoever arrives last");
      }
}

/* aid_dynamic hands out shares as long as the pool holds a round of them, or
   two where M was left open: so what is taken at the end is small against what
   is left.  On cores of one type a round is M for each lane.  */

KNOWN (drain, known_drain)
{
  static const char *const machines[] = { "1+1 3:1", "1+3+4 4:2:1" };

  EACH (m, machines)
    for (unsigned open = 0; open < 2; open++)
      {
	double least = 1e9, rounds = open ? 2 : 1;

	BEGIN (machines[m], &amp_aid_dynamic, .unit = 1000.0,
	       .min_ticks = 5500);
	if (!open)
	  c.params = (struct amp_params) { { 5, 25 } };
	c.n = 10000 * (uint64_t) c.lanes;
	run_recorded ();
	EACH_TAKEN (t)
	  if (t->share)
	    least = lesser (least, (double) (c.n - t->begin) / (double) t->round);
	expect (least >= rounds && least < rounds + 1.5,
		"the last share was taken with %f rounds in the pool", least);
	report (true, open ? "with M left open, aid_dynamic takes no share of "
		"less than two rounds"
		: "aid_dynamic,m takes no share of less than a round");
      }
  BEGIN ("4 1", &amp_aid_dynamic, .params = { { 3, 20 } }, .n = 1001,
	 .unit = 1000.0);
  run_recorded ();
  EACH_TAKEN (t)
    {
      uint64_t left = c.n - t->begin, want = left >= 20 * 4 ? 20 : 3;

      expect (t->size == (want < left ? want : left), "%ju of %ju",
	      (uintmax_t) t->size, (uintmax_t) left);
    }
  report (true, "on one core type, aid_dynamic,m,M takes M while a round is "
	  "left, then m");
}

/* When the speeds have changed, R goes half of the way in each phase: one odd
   phase moves it by half only.  */

KNOWN (smoothing, known_smoothing)
{
  double sf[8] = { 0.0 };
  unsigned n = 0;
  uint64_t phase = 1;

  BEGIN ("1+1 4:1", &amp_aid_dynamic, .params = { { 4, 2000 } },
	 .n = 400000, .unit = 1e6, .change = UINT64_C (10000000000));
  c.later[0] = 2.0;
  run_recorded ();
  EACH_TAKEN (t)
    if (n < 8 && t->phase != phase)
      {
	phase = t->phase;
	/* The first has seen both speeds.  */
	if (t->sf < 3.99)
	  sf[n++] = t->sf - 2.0;
      }
  ok &= n == 8;
  for (unsigned i = 1; i + 1 < 6; i++)
    expect (sf[i + 1] > 0.49 * sf[i] && sf[i + 1] < 0.51 * sf[i],
	    "R less 2 is %f after %f", sf[i + 1], sf[i]);
  report (true, "R of aid_dynamic goes half of the way in a phase");
}

/* Where iterations differ at random, a sample of one of them says little, even
   if it is long enough to be timed.  So where m was left open it is a part of
   the loop, and aid_static's shares are good.  */

KNOWN (samples, known_samples)
{
  static const char *const machines[] = { "1+1 3:1", "4+4 2.5:1" };

  EACH (m, machines)
    {
      double sum = 0.0;

      BEGIN (machines[m], &amp_aid_static, .cost = SIM_COST_RANDOM,
	     .unit = 20000.0, .min_ticks = 5000, .rmw = 20.0);
      c.n = 4000 * (uint64_t) c.lanes;
      for (c.seed = 1; run_recorded () && c.seed <= 40; c.seed++)
	sum += r.ideal / (double) r.makespan / 40.0;
      expect (sum >= 0.94, "efficiency %f", sum);
      report (true, "samples of aid_static average over many iterations");
    }
}

/* What a lane did while it was moved from one type of core to another says
   nothing about either; and it goes on as one of the new type.  */

KNOWN (moves, known_moved_samples)
{
  double sf;

  BEGIN ("2+2 4:1", &amp_aid_static, .n = 40000, .unit = 1000.0,
	 .min_ticks = 5000);
  /* In the middle of its sample.  */
  machine_lane[0].moves = 40000;
  machine_lane[0].next_type = 1;
  run_recorded ();
  sf = amp_bits_double (amp_loop_pace (block)[0].sf);
  /* From then on one lane is fast.  */
  expect (r.makespan <= 1.03 * 40e6 / 7.0 && near (sf * 1000.0, 4000.0, 0.01),
	  "SF is %f, makespan %f of the ideal", sf,
	  (double) r.makespan / (40e6 / 7.0));
  report (true, "a lane that moves in its sample gets its new core's share");

  BEGIN ("2+2 4:1", &amp_aid_dynamic, .params = { { 4, 200 } }, .n = 80000,
	 .unit = 1e6);
  /* In its share of the first phase.  */
  machine_lane[0].moves = 300000000;
  machine_lane[0].next_type = 1;
  run_recorded ();
  expect (block->phase > 20, "few phases");
  EACH_TAKEN (t)
    expect (t->phase == 0 || (t->sf >= 3.96 && t->sf <= 4.04),
	    "phase %ju: R is %f", (uintmax_t) t->phase, t->sf);
  report (true, "a lane that moves in its share does not change R");
}

/* At the end nobody waits long for one who has taken too much: a chunk of
   chosen size is at most a lane's part of half of what is left, by SF.  */

KNOWN (chunks, known_chunks)
{
  static const char *const machines[] = { "1+1 3:1", "4+4 2.5:1" };

  EACH (m, machines)
    {
      double sum = 0.0;
      unsigned limited[2] = { 0, 0 };

      /* Chunks could be as long as the pool.  */
      BEGIN (machines[m], &amp_aid_hybrid, .params = { { 95 } },
	     .unit = 1000.0, .min_ticks = 1000000000, .sf = on.speed,
	     .lane_type = machine_type);
      c.n = 20000 * (uint64_t) c.lanes;
      for (unsigned i = 0; i < c.lanes; i++)
	sum += c.speed[machine_type[i]];
      run_recorded ();
      EACH_TAKEN (t)
	{
	  unsigned type = machine_type[t->lane];
	  uint64_t left = c.n - t->begin, want, part;

	  /* Its block of the plan.  */
	  if (t->begin < c.n / 100 * 95)
	    continue;
	  part = (uint64_t) ((double) left * 0.5 * c.speed[type] / sum);
	  want = t->chunk < part ? t->chunk : part ? part : 1;
	  limited[type] += part > 1 && part < t->chunk;
	  expect (t->size == want, "lane %u took %ju of %ju, its part is %ju",
		  t->lane, (uintmax_t) t->size, (uintmax_t) left,
		  (uintmax_t) part);
	}
      expect (limited[0] >= 5 && limited[1] >= 5,
	      "%u and %u chunks were limited", limited[0], limited[1]);
      report (true, "no chunk is more than a lane's part of half of the pool");
    }
}

/* Where threads share CPUs no clock says how long a chunk should be: it is a
   quarter of a lane's even part of what is left.  */

KNOWN (crowd, known_crowd)
{
  static const struct amp_ops *const ops[]
    = { &amp_aid_static, &amp_aid_hybrid, &amp_aid_dynamic };

  EACH (o, ops)
    {
      BEGIN ("8 1", ops[o], .n = 40000, .unit = 1000.0, .crowded = true,
	     .clock = SIM_CLOCK_RANDOM, .min_ticks = 5100);
      run_recorded ();
      EACH_TAKEN (t)
	expect (t->size == ((c.n - t->begin) / 32 ? (c.n - t->begin) / 32 : 1),
		"lane %u took %ju of %ju", t->lane, (uintmax_t) t->size,
		(uintmax_t) (c.n - t->begin));
      report (true, "in a crowd chunks go by what is left");
    }
}

/* Lanes of a large team do not queue for the pool: with 0.1 us for a line's way
   from core to core 128 lanes take less than 1.06 of the ideal for 1 ms.  */

KNOWN (queue, known_queue)
{
  static const struct amp_ops *const ops[]
    = { &amp_aid_hybrid, &amp_aid_dynamic };

  EACH (o, ops)
    {
      BEGIN ("64+64 1:0.3333333333333333", ops[o], .n = 85333,
	     .unit = 1000.0, .rmw = 100.0, .own = 10.0, .min_ticks = 5000,
	     .lane_type = machine_type);
      report (run_on () && (double) r.makespan < 1.06 * r.ideal,
	      "a large team does not queue for the pool");
    }
}

/* ich is the published one in a team that is known to be on one of several
   types, and where threads share CPUs.  Where nothing is known of the CPUs,
   each of which is then a type, it is not: nobody takes more than a 32nd of
   an equal share at first, nor more than a quarter of one later.  From the
   second execution on queues begin in proportion to the speeds observed.  */

KNOWN (ich, known_published)
{
  static const unsigned char alike[4] = { 1, 1, 1, 1 };

  BEGIN ("2+2 3:1", &amp_ich, .n = 4000, .unit = 1000.0,
	 .cost = SIM_COST_LINEAR, .lane_type = alike);
  for (unsigned i = 0; i < 4; i++)
    machine_lane[i].type = machine_lane[i].reported = 1;
  report_same (33, 1, "on cores of one type ich is ich,33,1");

  BEGIN ("2+2 3:1", &amp_ich, .n = 4000, .unit = 1000.0,
	 .cost = SIM_COST_LINEAR, .crowded = true, .sf = on.speed,
	 .lane_type = machine_type);
  report_same (33, 1, "in a crowd ich is ich,33,1");

  BEGIN ("1+1 1:1", &amp_ich, .n = 64000, .unit = 1000.0,
	 .observed_types = true);
  run_recorded ();
  EACH_TAKEN (t)
    expect (t->size <= (t->begin == 0 || t->begin == 32000 ? 1000 : 8000),
	    "lane %u took %ju .. %ju", t->lane, (uintmax_t) t->begin,
	    (uintmax_t) t->end);
  expect (ntaken > 60, "%zu grants", ntaken);
  report (true, "where nothing is known of the CPUs ich takes small parts");
  c.params.value[1] = 1;
  report (run_recorded () && taken[0].size > 15000,
	  "ich,33,1 takes half of a queue on two equal cores");

  BEGIN ("2+2 3:1", &amp_ich, .n = 8001, .unit = 1000.0, .min_ticks = 5000,
	 .lane_type = machine_type, .observe = true);
  remember ();
  ok &= run_recorded () && amp_first_unit (block, 1) == 2000;
  ok &= (run_recorded ()
	 && near ((double) amp_first_unit (block, 1), 3000.0, 0.05)
	 && near ((double) amp_first_unit (block, 3), 7000.0, 0.05));
  report (true, "ich's queues follow the speeds observed");
}

/* While a lane has not come, nobody knows its part: the others' chunks stay
   below a 32nd of their own.  */

KNOWN (ich, known_absent)
{
  BEGIN ("2+2 3:1", &amp_ich, .n = 32001, .unit = 1000.0);
  machine_lane[3].start = 2000000;
  run_recorded ();
  EACH_TAKEN (t)
    expect (t->now >= 2000000 || t->size <= 8000 / 32, "lane %u took %ju",
	    t->lane, (uintmax_t) t->size);
  report (true, "ich's chunks are small while a lane has not come");
}

/* A loop on MACHINE for binlpt, in 20 pieces, one iteration of which is worth
   1001 of the others.  */
static unsigned spike[1002];

static void
begin_spike (const char *machine)
{
  BEGIN (machine, &amp_binlpt, .params = { { 20 } }, .n = 1001,
	 .unit = 1000.0, .workload = spike);
  EACH (i, spike)
    spike[i] = 1;
  spike[500] = 1001;
}

/* An iteration that is worth several of binlpt's pieces gets one to itself, and
   there are as many fewer.  */

KNOWN (binlpt, known_pieces)
{
  begin_spike ("4 1");
  /* The last iteration is no piece's.  */
  spike[1000] = 0;
  run_recorded ();
  expect (block->units == 11, "%ju pieces", (uintmax_t) block->units);
  for (unsigned i = 0; ok && i < 11; i++)
    ok = (amp_binlpt_of (block)->bound[i]
	  == (i <= 5 ? 100u * i : i == 6 ? 501 : 100u * (i - 1)));
  report (true, "an iteration worth ten of binlpt's pieces is one");
}

/* Run C, and say how many pieces its loop was cut into.  *FIRST: how many of
   them were lane 0's.  */

static uint64_t
pieces (uint64_t *first)
{
  run_recorded ();
  *first = AMP_LOAD (amp_loop_bounds (block) + 1, AMP_RELAXED);
  return block->units;
}

/* binlpt's plan is made again only where the loop's length, workload, number of
   pieces or speeds are not those that it was made for.  */

KNOWN (binlpt, known_kept_pieces)
{
  static const double speeds[2][2] = { { 3.0, 1.0 }, { 1.0, 3.0 } };
  uint64_t first, before;

  begin_spike ("2+2 3:1");
  c.lane_type = machine_type;
  c.workload_number = 1;
  report (pieces (&before) == 11, "binlpt makes a plan");
  /* What no program may do shows whether it is made again.  */
  spike[500] = 1;
  report (pieces (&first) == 11 && first == before, "binlpt keeps its plan");
  c.workload_number = 2;
  report (pieces (&before) == 20, "binlpt's plan is the workload's");
  c.params.value[0] = 40;
  report (pieces (&before) == 40, "binlpt's plan has so many pieces");
  c.params.value[0] = 20;
  c.n = 1002;
  report (pieces (&before) == 20, "binlpt's plan has the length");
  c.sf = speeds[0];
  report (pieces (&before) == 20 && pieces (&first) == 20 && first == before,
	  "binlpt keeps its plan for the same speeds");
  c.sf = speeds[1];
  report (pieces (&first) == 20 && first < before,
	  "binlpt's plan follows speeds");
  c.workload_number = 0;
  c.n = 1001;
  report (pieces (&first) == 20, "binlpt makes a plan");
  spike[500] = 1001;
  report (pieces (&first) == 11,
	  "binlpt's plan is made again where nothing tells workloads apart");
}

/* Thieves do not all begin with the same victim; and queues begin even where
   threads share CPUs, or where speeds that were only observed are about
   alike.  */

KNOWN (victims, known_victims)
{
  static const struct amp_ops *const ops[] = { &amp_steal, &amp_ich };
  static const char *const what[] = {
    "queues are even in a crowd",
    "queues are even on CPUs that are about alike",
    "queues follow the speeds of types that are known"
  };
  struct amp_loop *again = sim_new_block (8, 1);
  unsigned i, k, seen = 0;

  for (k = 0; ok && k < 8; k++)
    {
      BEGIN ("8 1", &amp_steal, .n = 401, .unit = 1000.0,
	     .watch = watch_taken);
      free (block);
      block = again;
      for (i = 0; i < 8; i++)
	if (i != k)
	  machine_lane[i].start = SIM_NEVER;
      ntaken = 0;
      run_on ();
      /* After its own 50.  */
      expect (ntaken > 60, "few grants");
      seen |= 1u << taken[50].begin / 50;
      block = NULL;
    }
  free (again);
  expect (__builtin_popcount (seen) >= 4, "%u first victims of 8 lanes",
	  __builtin_popcount (seen));
  report (true, "thieves do not all begin with the same victim");

  EACH (o, ops)
    EACH (w, what)
      {
	BEGIN ("2+2 3:1", ops[o], .n = 4001, .unit = 1000.0,
	       .lane_type = machine_type, .crowded = w == 0,
	       .observed_types = w == 1);
	remember ();
	sim_visit (site);
	amp_store_double (&amp_site_costs (site)[0], 1000.0);
	amp_store_double (&amp_site_costs (site)[1], w == 0 ? 3000.0 : 1050.0);
	run_on ();
	for (i = 1; ok && i < 4; i++)
	  ok = (amp_first_unit (block, i) == 1000 * i) == (w != 2);
	report (true, what[w]);
      }
}

/* Who self-schedules looks at the clock for one chunk in five as long as the pool
   is large, and lanes end together all the same.  */

KNOWN (chunks, known_alike)
{
  BEGIN ("2+2 3:1", &amp_aid_hybrid, .params = { { 10 } }, .n = 100000,
	 .unit = 1000.0, .min_ticks = 5000, .rmw = 20.0);
  run_on ();
  expect (2 * sim.ticks_read < r.grants
	  && (double) r.makespan < 1.01 * r.ideal,
	  "%ju readings of the clock for %ju chunks, ideal %f, taken %ju",
	  (uintmax_t) sim.ticks_read, (uintmax_t) r.grants, r.ideal,
	  (uintmax_t) r.makespan);
  report (true, "most chunks are taken without a look at the clock");
}

/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of samples, phases and self-scheduling in the AID schedules, and
   of queues, whose outcome is known.  Included by sim.c.  */

/* What each grant was, and what the loop said then.  */

struct taken
{
  uint64_t now, begin, end;
  unsigned lane;
  bool share;		/* Of a phase of aid_dynamic.  */
  uint64_t phase, round, slow;	/* SLOW: the last type's share.  */
  uint64_t chunk;	/* The lane's, see struct amp_lane.  */
  double sf;		/* Of type 0.  */
};

#define MAX_TAKEN 200000

static struct record
{
  struct amp_loop *block;
  size_t n;		/* Grants beyond MAX_TAKEN are left out.  */
  struct taken at[MAX_TAKEN];
} record;

static void
watch_taken (void *data, uint64_t now, unsigned lane,
	     const struct amp_chunk *chunk)
{
  struct record *w = data;
  struct amp_loop *loop = w->block;

  if (w->n < MAX_TAKEN)
    w->at[w->n++] = (struct taken) {
      .now = now, .begin = chunk->begin, .end = chunk->end, .lane = lane,
      .share = amp_loop_lane (loop, lane)->state == AMP_ST_SHARE,
      .phase = loop->phase, .round = loop->round,
      .slow = amp_loop_shares (loop)[loop->types - 1],
      .chunk = amp_loop_lane (loop, lane)->chunk,
      .sf = amp_bits_double (amp_loop_pace (loop)[0].sf)
    };
}

/* Simulate C and record it.  The caller frees record.block.  */

static bool
run_recorded (struct sim_config *c, struct sim_result *r)
{
  const char *wrong;

  record.block = sim_new_block (c->lanes, c->types);
  record.n = 0;
  c->watch = watch_taken;
  c->watch_data = &record;
  wrong = sim_run (record.block, c, r);
  if (wrong != NULL)
    printf ("%s\n", wrong);
  return wrong == NULL;
}

static bool
same_taken (const struct taken *a, const struct taken *b)
{
  return (a->now == b->now && a->begin == b->begin && a->end == b->end
	  && a->lane == b->lane);
}

/* True if C gives the same chunks to the same lanes as with parameters P0 and
   P1 in place of its own.  */

static bool
same_loop (struct sim_config *c, int p0, int p1)
{
  struct sim_result r;
  struct taken *first;
  size_t n, i;
  bool ok = run_recorded (c, &r);

  free (record.block);
  n = record.n;
  first = malloc (n * sizeof *first);
  memcpy (first, record.at, n * sizeof *first);
  c->params.value[0] = p0;
  c->params.value[1] = p1;
  ok &= run_recorded (c, &r);
  free (record.block);
  if (n != record.n)
    {
      printf ("%zu grants, and %zu\n", n, record.n);
      ok = false;
    }
  for (i = 0; ok && i < n; i++)
    if (!same_taken (&first[i], &record.at[i]))
      {
	printf ("grant %zu: lane %u %ju .. %ju, and lane %u %ju .. %ju\n", i,
		first[i].lane, (uintmax_t) first[i].begin,
		(uintmax_t) first[i].end, record.at[i].lane,
		(uintmax_t) record.at[i].begin, (uintmax_t) record.at[i].end);
	ok = false;
      }
  free (first);
  return ok;
}

/* aid_dynamic,m is aid_dynamic,m,5*m.  */

static void
known_major (void)
{
  static const struct machine machines[] = {
    { "", 1, { 3 }, { 1.0 } },
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  static const int minors[] = { 1, 4, 30 };
  unsigned m, k, given;

  for (m = 0; m < 3; m++)
    for (k = 0; k < 3; k++)
      for (given = 0; given < 2; given++)
	{
	  struct sim_config c;

	  set_machine (&c, &machines[m]);
	  c.ops = &amp_aid_dynamic;
	  c.params.value[0] = minors[k];
	  c.n = 5000 * (uint64_t) c.lanes;
	  c.unit = 1000.0;
	  c.rmw = 20.0;
	  if (given)
	    {
	      c.sf = c.speed;
	      c.lane_type = machine_type;
	    }
	  report (same_loop (&c, minors[k], 5 * minors[k]),
		  "with m alone, M of aid_dynamic is 5 * m", &c);
	}
}

/* With neither m nor M, a slow lane's share is 5 chunks that are as long as a
   least sample there, also where a fast lane comes last and so closes the
   phase.  */

static void
known_last_arrival (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  unsigned m, late;
  size_t i;

  for (m = 0; m < 3; m++)
    for (late = 0; late < 2; late++)
      {
	struct sim_config c;
	struct sim_result r;
	bool ok;

	set_machine (&c, &machines[m]);
	c.ops = &amp_aid_dynamic;
	c.n = 40000 * (uint64_t) c.lanes;
	c.unit = 1000.0;
	/* 5.5 iterations on a slow lane.  */
	c.min_ticks = 5500;
	/* Twice as long as a slow lane's sample.  */
	if (late)
	  machine_lane[0].start = 2 * c.n / (32 * c.lanes) * 1000;
	ok = run_recorded (&c, &r) && record.block->phase > 20;
	for (i = 0; ok && i < record.n; i++)
	  if (record.at[i].phase != 0 && record.at[i].slow != 25)
	    {
	      printf ("phase %ju: a slow lane's share is %ju\n",
		      (uintmax_t) record.at[i].phase,
		      (uintmax_t) record.at[i].slow);
	      ok = false;
	    }
	report (ok, "with M left open, a slow lane's share is 5 of its chunks,"
		" whoever arrives last", &c);
	free (record.block);
      }
}

/* aid_dynamic hands out shares as long as the pool holds a round of them, or
   two where M was left open: so what is taken at the end is small beside what
   is left.  On cores of one type a round is M for each lane.  */

static void
known_drain (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } },
    { "", 1, { 4 }, { 1.0 } }
  };
  unsigned m, open;
  size_t i;

  for (m = 0; m < 2; m++)
    for (open = 0; open < 2; open++)
      {
	struct sim_config c;
	struct sim_result r;
	uint64_t rounds = open ? 2 : 1;
	double least = 1e9;
	bool ok;

	set_machine (&c, &machines[m]);
	c.ops = &amp_aid_dynamic;
	c.params.value[0] = open ? 0 : 5;
	c.params.value[1] = open ? 0 : 25;
	c.n = 10000 * (uint64_t) c.lanes;
	c.unit = 1000.0;
	c.min_ticks = 5500;
	ok = run_recorded (&c, &r);
	for (i = 0; ok && i < record.n; i++)
	  if (record.at[i].share)
	    {
	      const struct taken *t = &record.at[i];
	      double left = (double) (c.n - t->begin) / (double) t->round;

	      if (left < least)
		least = left;
	    }
	ok = ok && least >= (double) rounds && least < rounds + 1.5;
	if (!ok)
	  printf ("the last share was taken with %f rounds in the pool\n",
		  least);
	report (ok, open ? "with M left open, aid_dynamic takes no share of "
		"less than two rounds"
		: "aid_dynamic,m takes no share of less than a round", &c);
	free (record.block);
      }
  {
    struct sim_config c;
    struct sim_result r;
    bool ok;

    set_machine (&c, &machines[2]);
    c.ops = &amp_aid_dynamic;
    c.params.value[0] = 3;
    c.params.value[1] = 20;
    c.n = 1001;
    c.unit = 1000.0;
    ok = run_recorded (&c, &r);
    for (i = 0; ok && i < record.n; i++)
      {
	const struct taken *t = &record.at[i];
	uint64_t left = c.n - t->begin, want = left >= 20 * 4 ? 20 : 3;

	if (t->end - t->begin != (want < left ? want : left))
	  {
	    printf ("%ju of %ju\n", (uintmax_t) (t->end - t->begin),
		    (uintmax_t) left);
	    ok = false;
	  }
      }
    report (ok, "on one core type, aid_dynamic,m,M takes M while a round is "
	    "left, then m", &c);
    free (record.block);
  }
}

/* When the speeds have changed, R goes half of the way in each phase: one odd
   phase moves it by half only.  */

static void
known_smoothing (void)
{
  static const struct machine machine = { "", 2, { 1, 1 }, { 4.0, 1.0 } };
  struct sim_config c;
  struct sim_result r;
  double sf[8];
  unsigned n = 0;
  uint64_t phase = 1;
  size_t i;
  bool ok;

  set_machine (&c, &machine);
  c.ops = &amp_aid_dynamic;
  c.params.value[0] = 4;
  c.params.value[1] = 2000;
  c.n = 400000;
  c.unit = 1e6;
  c.change = UINT64_C (10000000000);
  c.later[0] = 2.0;
  c.later[1] = 1.0;
  ok = run_recorded (&c, &r);
  for (i = 0; ok && i < record.n && n < 8; i++)
    if (record.at[i].phase != phase)
      {
	phase = record.at[i].phase;
	/* The first has seen both speeds.  */
	if (record.at[i].sf < 3.99)
	  sf[n++] = record.at[i].sf - 2.0;
      }
  ok = ok && n == 8;
  for (i = 1; ok && i + 1 < 6; i++)
    ok = sf[i + 1] > 0.49 * sf[i] && sf[i + 1] < 0.51 * sf[i];
  if (!ok)
    printf ("R less 2: %f %f %f %f %f %f\n", sf[0], sf[1], sf[2], sf[3], sf[4],
	    sf[5]);
  report (ok, "R of aid_dynamic goes half of the way in a phase", &c);
  free (record.block);
}

/* Where iterations differ at random, a sample of one of them says little, even
   if it is long enough to be timed.  So where m was left open it is a part of
   the loop, and aid_static's shares are good.  */

static void
known_samples (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 2.5, 1.0 } }
  };
  unsigned m, seed;

  for (m = 0; m < 2; m++)
    {
      struct sim_config c;
      struct sim_result r;
      double sum = 0.0;
      bool ok = true;

      set_machine (&c, &machines[m]);
      c.ops = &amp_aid_static;
      c.n = 4000 * (uint64_t) c.lanes;
      c.cost = SIM_COST_RANDOM;
      c.unit = 20000.0;
      c.min_ticks = 5000;
      c.rmw = 20.0;
      for (seed = 1; ok && seed <= 40; seed++)
	{
	  c.seed = seed;
	  ok = run_recorded (&c, &r);
	  sum += r.ideal / (double) r.makespan / 40.0;
	  free (record.block);
	}
      if (sum < 0.94)
	{
	  printf ("efficiency %f\n", sum);
	  ok = false;
	}
      report (ok, "samples of aid_static average over many iterations", &c);
    }
}

/* What a lane did while it was moved from one type of core to another says
   nothing about either; and it goes on as one of the new type.  */

static void
known_moved_samples (void)
{
  static const struct machine machine = { "", 2, { 2, 2 }, { 4.0, 1.0 } };
  struct sim_config c;
  struct sim_result r;
  size_t i;
  bool ok;

  set_machine (&c, &machine);
  c.ops = &amp_aid_static;
  c.n = 40000;
  c.unit = 1000.0;
  c.min_ticks = 5000;
  /* In the middle of its sample.  */
  machine_lane[0].moves = 40000;
  machine_lane[0].next_type = 1;
  ok = run_recorded (&c, &r);
  /* From then on one lane is fast.  */
  if (r.makespan > 1.03 * 40e6 / 7.0
      || !near (amp_bits_double (amp_loop_pace (record.block)[0].sf) * 1000.0,
		4000.0, 0.01))
    {
      printf ("SF is %f, makespan %ju, of the ideal %f\n",
	      amp_bits_double (amp_loop_pace (record.block)[0].sf),
	      (uintmax_t) r.makespan, r.makespan / (40e6 / 7.0));
      ok = false;
    }
  report (ok, "a lane that moves in its sample gets its new core's share", &c);
  free (record.block);

  set_machine (&c, &machine);
  c.ops = &amp_aid_dynamic;
  c.params.value[0] = 4;
  c.params.value[1] = 200;
  c.n = 80000;
  c.unit = 1e6;
  /* In its share of the first phase.  */
  machine_lane[0].moves = 300000000;
  machine_lane[0].next_type = 1;
  ok = run_recorded (&c, &r) && record.block->phase > 20;
  for (i = 0; ok && i < record.n; i++)
    if (record.at[i].phase != 0
	&& (record.at[i].sf < 3.96 || record.at[i].sf > 4.04))
      {
	printf ("phase %ju: R is %f\n", (uintmax_t) record.at[i].phase,
		record.at[i].sf);
	ok = false;
      }
  report (ok, "a lane that moves in its share does not change R", &c);
  free (record.block);
}

/* At the end nobody waits long for one who has taken too much: a chunk of
   chosen size is at most a lane's part of half of what is left, by SF.  */

static void
known_chunks (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 2.5, 1.0 } }
  };
  unsigned m;
  size_t i;

  for (m = 0; m < 2; m++)
    {
      struct sim_config c;
      struct sim_result r;
      double sum = 0.0;
      unsigned limited[2] = { 0, 0 }, j;
      bool ok;

      set_machine (&c, &machines[m]);
      c.ops = &amp_aid_hybrid;
      c.params.value[0] = 95;
      c.n = 20000 * (uint64_t) c.lanes;
      c.unit = 1000.0;
      /* Chunks could be as long as the pool.  */
      c.min_ticks = 1000000000;
      c.sf = c.speed;
      c.lane_type = machine_type;
      for (i = 0; i < c.lanes; i++)
	sum += c.speed[machine_type[i]];
      ok = run_recorded (&c, &r);
      for (i = 0; ok && i < record.n; i++)
	{
	  const struct taken *t = &record.at[i];
	  uint64_t left = c.n - t->begin, want, part;

	  /* Its block of the plan.  */
	  if (t->begin < c.n / 100 * 95)
	    continue;
	  j = machine_type[t->lane];
	  part = (uint64_t) ((double) left * 0.5 * c.speed[j] / sum);
	  want = t->chunk < part ? t->chunk : part ? part : 1;
	  limited[j] += part > 1 && part < t->chunk;
	  if (t->end - t->begin != want)
	    {
	      printf ("lane %u took %ju of %ju, its part is %ju\n", t->lane,
		      (uintmax_t) (t->end - t->begin), (uintmax_t) left,
		      (uintmax_t) part);
	      ok = false;
	    }
	}
      if (limited[0] < 5 || limited[1] < 5)
	{
	  printf ("%u and %u chunks were limited\n", limited[0], limited[1]);
	  ok = false;
	}
      report (ok, "no chunk is more than a lane's part of half of the pool",
	      &c);
      free (record.block);
    }
}

/* Where threads share CPUs a chunk is as long as a least sample of the thread's
   own CPU time, however long it waits for a CPU.  */

static void
known_crowd (void)
{
  static const struct machine flat = { "", 1, { 8 }, { 1.0 } };
  static const struct amp_ops *const ops[] = { &amp_aid_static, &amp_aid_hybrid,
					       &amp_aid_dynamic };
  unsigned o, grants[8];
  size_t i;

  for (o = 0; o < 3; o++)
    {
      struct sim_config c;
      struct sim_result r;
      bool ok;

      set_machine (&c, &flat);
      c.ops = ops[o];
      c.n = 40000;
      c.unit = 1000.0;
      c.crowded = true;
      /* A lane has a CPU for 250 of the 1000 ns of an iteration.  */
      c.on_cpu = 0.25;
      c.min_ticks = 5100;
      ok = run_recorded (&c, &r);
      memset (grants, 0, sizeof grants);
      for (i = 0; ok && i < record.n; i++)
	{
	  const struct taken *t = &record.at[i];

	  if (grants[t->lane]++ > 1 && t->begin < c.n / 10 * 9
	      && t->end - t->begin != 20)
	    {
	      printf ("lane %u took %ju\n", t->lane,
		      (uintmax_t) (t->end - t->begin));
	      ok = false;
	    }
	}
      report (ok, "in a crowd chunks are as long as a sample of CPU time", &c);
      free (record.block);
    }
}

/* Lanes of a large team do not queue for the pool: with 0.1 us for a line's way
   from core to core 128 lanes take less than 1.05 of the ideal for 1 ms.  */

static void
known_queue (void)
{
  static const struct machine wide
    = { "", 2, { 64, 64 }, { 1.0, 1.0 / 3.0 } };
  static const struct amp_ops *const ops[] = { &amp_aid_hybrid,
					       &amp_aid_dynamic };
  unsigned o;

  for (o = 0; o < 2; o++)
    {
      struct sim_config c;
      struct sim_result r;

      set_machine (&c, &wide);
      c.ops = ops[o];
      c.n = 85333;
      c.unit = 1000.0;
      c.rmw = 100.0;
      c.own = 10.0;
      c.min_ticks = 5000;
      c.lane_type = machine_type;
      report (run_recorded (&c, &r)
	      && (double) r.makespan < 1.05 * r.ideal,
	      "a large team does not queue for the pool", &c);
      free (record.block);
    }
}

/* ich is the published one in a team that is known to be on one of several
   types, and where threads share CPUs.  Where nothing is known of the CPUs,
   each of which is then a type, it is not: nobody takes more than a 32nd of
   an equal share at first, nor more than a quarter of one later.  From the
   second execution on queues begin in proportion to the speeds observed.  */

static void
known_published (void)
{
  static const struct machine two = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  static const struct machine unknown = { "", 2, { 1, 1 }, { 1.0, 1.0 } };
  static const unsigned char alike[4] = { 1, 1, 1, 1 };
  struct sim_config c;
  struct sim_result r;
  unsigned i;
  bool ok;

  set_machine (&c, &two);
  c.ops = &amp_ich;
  c.n = 4000;
  c.unit = 1000.0;
  c.cost = SIM_COST_LINEAR;
  for (i = 0; i < 4; i++)
    machine_lane[i].type = machine_lane[i].reported = 1;
  c.lane_type = alike;
  report (same_loop (&c, 33, 1), "on cores of one type ich is ich,33,1", &c);

  set_machine (&c, &two);
  c.ops = &amp_ich;
  c.n = 4000;
  c.unit = 1000.0;
  c.cost = SIM_COST_LINEAR;
  c.crowded = true;
  c.sf = c.speed;
  c.lane_type = machine_type;
  report (same_loop (&c, 33, 1), "in a crowd ich is ich,33,1", &c);

  set_machine (&c, &unknown);
  c.ops = &amp_ich;
  c.n = 64000;
  c.unit = 1000.0;
  c.observed_types = true;
  ok = run_recorded (&c, &r);
  for (i = 0; ok && i < record.n; i++)
    {
      const struct taken *t = &record.at[i];
      uint64_t most = t->begin == 0 || t->begin == 32000 ? 1000 : 8000;

      ok = t->end - t->begin <= most;
      if (!ok)
	printf ("lane %u took %ju .. %ju\n", t->lane, (uintmax_t) t->begin,
		(uintmax_t) t->end);
    }
  if (record.n < 60)
    printf ("%zu grants\n", record.n);
  free (record.block);
  report (ok && record.n > 60, "where nothing is known of the CPUs ich takes "
	  "small parts", &c);
  c.params.value[1] = 1;
  ok = run_recorded (&c, &r) && record.at[0].end - record.at[0].begin > 15000;
  free (record.block);
  report (ok, "ich,33,1 takes half of a queue on two equal cores", &c);

  {
    struct amp_site *site;

    set_machine (&c, &two);
    c.ops = &amp_ich;
    c.n = 8001;
    c.unit = 1000.0;
    c.min_ticks = 5000;
    c.lane_type = machine_type;
    c.site = site = sim_new_site (4, 2, 0);
    c.observe = true;
    ok = run_recorded (&c, &r);
    ok &= amp_first_unit (record.block, 1) == 2000;
    free (record.block);
    ok &= run_recorded (&c, &r);
    ok &= near ((double) amp_first_unit (record.block, 1), 3000.0, 0.05);
    ok &= near ((double) amp_first_unit (record.block, 3), 7000.0, 0.05);
    free (record.block);
    report (ok, "ich's queues follow the speeds observed", &c);
    free (site);
  }
}

/* While a lane has not come, nobody knows its part: the others' chunks stay
   below a 32nd of their own.  */

static void
known_absent (void)
{
  static const struct machine two = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  struct sim_config c;
  struct sim_result r;
  size_t i;
  bool ok;

  set_machine (&c, &two);
  c.ops = &amp_ich;
  c.n = 32001;
  c.unit = 1000.0;
  machine_lane[3].start = 2000000;
  ok = run_recorded (&c, &r);
  for (i = 0; ok && i < record.n && record.at[i].now < 2000000; i++)
    if (record.at[i].end - record.at[i].begin > 8000 / 32)
      {
	printf ("lane %u took %ju\n", record.at[i].lane,
		(uintmax_t) (record.at[i].end - record.at[i].begin));
	ok = false;
      }
  free (record.block);
  report (ok, "ich's chunks are small while a lane has not come", &c);
}

/* C is a loop on MACHINE for binlpt, in 20 pieces, one iteration of which is
   worth 1001 of the others.  */

static void
set_spike (struct sim_config *c, const struct machine *machine,
	   unsigned workload[1002])
{
  unsigned i;

  set_machine (c, machine);
  c->ops = &amp_binlpt;
  c->n = 1001;
  c->params.value[0] = 20;
  c->unit = 1000.0;
  for (i = 0; i < 1002; i++)
    workload[i] = 1;
  workload[500] = 1001;
  c->workload = workload;
}

/* An iteration that is worth several of binlpt's pieces gets one to itself, and
   there are as many fewer.  */

static void
known_pieces (void)
{
  static const struct machine flat = { "", 1, { 4 }, { 1.0 } };
  unsigned workload[1002];
  struct sim_config c;
  struct sim_result r;
  unsigned i;
  bool ok;

  set_spike (&c, &flat, workload);
  /* The last iteration is no piece's.  */
  workload[1000] = 0;
  ok = run_recorded (&c, &r) && record.block->units == 11;
  for (i = 0; ok && i < 11; i++)
    ok = (amp_binlpt_of (record.block)->bound[i]
	  == (i <= 5 ? 100u * i : i == 6 ? 501 : 100u * (i - 1)));
  if (!ok)
    printf ("%ju pieces\n", (uintmax_t) record.block->units);
  report (ok, "an iteration worth ten of binlpt's pieces is one", &c);
  free (record.block);
}

/* Run C, and say how many pieces its loop was cut into; 0: it was wrong.  *FIRST:
   how many of them were lane 0's.  */

static uint64_t
pieces (struct sim_config *c, uint64_t *first)
{
  struct sim_result r;
  uint64_t units = 0;

  if (run_recorded (c, &r))
    {
      units = record.block->units;
      *first = AMP_LOAD (amp_loop_bounds (record.block) + 1, AMP_RELAXED);
    }
  free (record.block);
  return units;
}

/* binlpt's plan is made again only where the loop's length, workload, number of
   pieces or speeds are not those that it was made for.  */

static void
known_kept_pieces (void)
{
  static const struct machine two = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  static const double speeds[2][2] = { { 3.0, 1.0 }, { 1.0, 3.0 } };
  unsigned workload[1002];
  struct sim_config c;
  uint64_t first, before;

  set_spike (&c, &two, workload);
  c.lane_type = machine_type;
  c.workload_number = 1;
  report (pieces (&c, &before) == 11, "binlpt makes a plan", &c);
  /* What no program may do shows whether it is made again.  */
  workload[500] = 1;
  report (pieces (&c, &first) == 11 && first == before, "binlpt keeps its plan",
	  &c);
  c.workload_number = 2;
  report (pieces (&c, &before) == 20, "binlpt's plan is the workload's", &c);
  c.params.value[0] = 40;
  report (pieces (&c, &before) == 40, "binlpt's plan has so many pieces", &c);
  c.params.value[0] = 20;
  c.n = 1002;
  report (pieces (&c, &before) == 20, "binlpt's plan has the length", &c);
  c.sf = speeds[0];
  report (pieces (&c, &before) == 20 && pieces (&c, &first) == 20
	  && first == before, "binlpt keeps its plan for the same speeds", &c);
  c.sf = speeds[1];
  report (pieces (&c, &first) == 20 && first < before,
	  "binlpt's plan follows speeds", &c);
  c.workload_number = 0;
  c.n = 1001;
  report (pieces (&c, &first) == 20, "binlpt makes a plan", &c);
  workload[500] = 1001;
  report (pieces (&c, &first) == 11,
	  "binlpt's plan is made again where nothing tells workloads apart", &c);
}

/* Thieves do not all begin with the same victim; and queues begin even where
   threads share CPUs, or where speeds that were only observed are about
   alike.  */

static void
known_victims (void)
{
  static const struct machine flat = { "", 1, { 8 }, { 1.0 } };
  static const struct machine two = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  static const struct amp_ops *const ops[] = { &amp_steal, &amp_ich };
  struct amp_loop *block = sim_new_block (8, 1);
  struct sim_config c;
  struct sim_result r;
  unsigned i, k, o, victims = 0, seen = 0;
  bool ok = true;

  for (k = 0; ok && k < 8; k++)
    {
      set_machine (&c, &flat);
      c.ops = &amp_steal;
      c.n = 401;
      c.unit = 1000.0;
      for (i = 0; i < 8; i++)
	if (i != k)
	  machine_lane[i].start = SIM_NEVER;
      record.block = block;
      record.n = 0;
      c.watch = watch_taken;
      c.watch_data = &record;
      ok = sim_run (block, &c, &r) == NULL && record.n > 60;
      /* After its own 50.  */
      if (ok)
	seen |= 1u << record.at[50].begin / 50;
    }
  for (i = 0; i < 8; i++)
    victims += seen >> i & 1;
  if (victims < 4)
    {
      printf ("%u first victims of 8 lanes\n", victims);
      ok = false;
    }
  report (ok, "thieves do not all begin with the same victim", &c);
  free (block);

  for (o = 0; o < 2; o++)
    for (k = 0; k < 3; k++)
      {
	struct amp_site *site = sim_new_site (4, 2, 0);

	set_machine (&c, &two);
	c.ops = ops[o];
	c.n = 4001;
	c.unit = 1000.0;
	c.lane_type = machine_type;
	c.crowded = k == 0;
	c.observed_types = k == 1;
	c.site = site;
	sim_visit (site);
	amp_store_double (&amp_site_costs (site)[0], 1000.0);
	amp_store_double (&amp_site_costs (site)[1], k == 0 ? 3000.0 : 1050.0);
	ok = run_recorded (&c, &r);
	for (i = 1; ok && i < 4; i++)
	  ok = ((amp_first_unit (record.block, i) == 1000 * i)
		== (k != 2 || i == 0));
	report (ok, (k == 0 ? "queues are even in a crowd"
		     : k == 1 ? "queues are even on CPUs that are about alike"
		     : "queues follow the speeds of types that are known"),
		&c);
	free (record.block);
	free (site);
      }
}

/* Who self-schedules looks at the clock for one chunk in five as long as the pool
   is large, and lanes end together all the same.  */

static void
known_alike (void)
{
  static const struct machine machine = { "", 2, { 2, 2 }, { 3.0, 1.0 } };
  struct amp_loop *block = sim_new_block (4, 2);
  struct sim_config c;
  struct sim_result r;
  bool ok;

  set_machine (&c, &machine);
  c.ops = &amp_aid_hybrid;
  c.params.value[0] = 10;
  c.n = 100000;
  c.unit = 1000.0;
  c.min_ticks = 5000;
  c.rmw = 20.0;
  ok = (sim_run (block, &c, &r) == NULL && 2 * sim.ticks_read < r.grants
	&& (double) r.makespan < 1.01 * r.ideal);
  if (!ok)
    printf ("%ju readings of the clock for %ju chunks, ideal %f, taken %ju\n",
	    (uintmax_t) sim.ticks_read, (uintmax_t) r.grants, r.ideal,
	    (uintmax_t) r.makespan);
  report (ok, "most chunks are taken without a look at the clock", &c);
  free (block);
}

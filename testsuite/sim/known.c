/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of the schedulers whose outcome is known.  Included by sim.c.  */

/* With constant speeds and constant costs the measured SF are the speeds'
   ratios, a share is SF_j * k, and lanes get it unless they have run more
   already.  */

static void
known_shares (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "", 2, { 2, 6 }, { 1.0, 1.25 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } },
    { "", 4, { 2, 0, 3, 1 }, { 5.0, 9.0, 2.0, 0.5 } },
    { "", 2, { 300, 500 }, { 1.5, 0.75 } }
  };
  static const int percents[] = { 1, 37, 80, 100 };
  unsigned m, p, j, i, mode;
  struct sim_config c;
  struct sim_result r;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (p = 0; p < 4; p++)
      for (mode = 0; mode < 4; mode++)
	{
	  struct amp_loop *block;
	  double slowest = 1e9, parts = 0.0, k, n;
	  double sf[AMP_MAX_TYPES];
	  const char *wrong;
	  bool ok = true;
	  bool given = mode & 1, chosen = mode & 2;

	  set_machine (&c, &machines[m]);
	  c.ops = p == 3 ? &amp_aid_static : &amp_aid_hybrid;
	  c.params.value[0] = p == 3 ? 1 : percents[p];
	  c.params.value[1] = p == 3 ? 0 : 2;
	  if (chosen)
	    c.params.value[p == 3 ? 0 : 1] = 0;
	  c.min_ticks = 1000;
	  c.n = (c.lanes > 100 ? 1000 : 20000) * (uint64_t) c.lanes;
	  c.unit = 1e6;
	  for (j = 0; j < c.types; j++)
	    if (machines[m].lanes[j] && c.speed[j] < slowest)
	      slowest = c.speed[j];
	  for (j = 0; j < c.types; j++)
	    {
	      sf[j] = machines[m].lanes[j] ? c.speed[j] / slowest : 1.0;
	      parts += sf[j] * machines[m].lanes[j];
	    }
	  if (given)
	    {
	      c.sf = sf;
	      c.lane_type = machine_type;
	    }
	  n = (double) (c.n / 100 * percents[p]);
	  k = n / parts;
	  block = sim_new_block (c.lanes, c.types);
	  wrong = sim_run (block, &c, &r);
	  if (wrong != NULL)
	    printf ("%s\n", wrong);
	  ok = wrong == NULL;
	  if (ok && given != (block->plan_kind == AMP_PLAN_WEIGHTED))
	    {
	      printf ("plan %d\n", block->plan_kind);
	      ok = false;
	    }
	  for (i = 0; ok && given && i < c.lanes; i++)
	    {
	      const uint64_t *bounds = amp_loop_bounds (block);
	      double want = sf[machine_type[i]] * k;

	      /* Whole iterations: no lane ends more than one of the slowest's
		 later.  */
	      if ((double) (bounds[i + 1] - bounds[i]) < want - 1.001
		  || (double) (bounds[i + 1] - bounds[i])
		     > want + sf[machine_type[i]] + 0.001
		  || r.given[i] < bounds[i + 1] - bounds[i])
		{
		  printf ("lane %u: block %ju .. %ju, got %ju, SF * k = %f\n",
			  i, (uintmax_t) bounds[i], (uintmax_t) bounds[i + 1],
			  (uintmax_t) r.given[i], want);
		  ok = false;
		}
	    }
	  for (j = 0; ok && !given && j < c.types; j++)
	    if (machines[m].lanes[j] != 0)
	      {
		uint64_t share = amp_loop_shares (block)[j];

		if (!near ((double) share, sf[j] * k, 1e-5))
		  {
		    printf ("type %u: share %ju, SF * k = %f\n", j,
			    (uintmax_t) share, sf[j] * k);
		    ok = false;
		  }
		for (i = 0; ok && i < c.lanes; i++)
		  if (machine_type[i] == j && r.given[i] < share)
		    {
		      printf ("lane %u got %ju, less than its share %ju\n",
			      i, (uintmax_t) r.given[i], (uintmax_t) share);
		      ok = false;
		    }
	      }
	  /* With all of the loop in the shares, nobody gets much more.  */
	  if (ok && p == 3)
	    for (i = 0; ok && i < c.lanes; i++)
	      if ((double) r.given[i] > 1.02 * sf[machine_type[i]] * k + 3)
		{
		  printf ("lane %u got %ju, its share is %f\n", i,
			  (uintmax_t) r.given[i], sf[machine_type[i]] * k);
		  ok = false;
		}
	  report (ok, "shares of aid_static and aid_hybrid", &c);
	  free (block);
	}
}

/* aid_dynamic's R follows the speeds, also when they change, and shares are
   R * M.  */

static void
known_ratios (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  unsigned m, change, j;
  struct sim_config c;
  struct sim_result r;

  for (m = 0; m < 2; m++)
    for (change = 0; change < 2; change++)
      {
	struct amp_loop *block;
	const char *wrong;
	bool ok;

	set_machine (&c, &machines[m]);
	c.ops = &amp_aid_dynamic;
	c.params.value[0] = 4;
	c.params.value[1] = 200;
	c.n = 20000 * (uint64_t) c.lanes;
	c.unit = 1e6;
	if (change)
	  {
	    /* Early enough that many phases follow.  */
	    c.change = 2000000000;
	    for (j = 0; j < c.types; j++)
	      c.later[j] = 1.0 + (c.types - 1 - j) * 0.5;
	  }
	block = sim_new_block (c.lanes, c.types);
	wrong = sim_run (block, &c, &r);
	ok = wrong == NULL;
	if (!ok)
	  printf ("%s\n", wrong);
	for (j = 0; ok && j < c.types; j++)
	  {
	    double want = c.later[j] / c.later[c.types - 1];
	    double got = amp_bits_double (amp_loop_pace (block)[j].sf);

	    if (got < 0.999 * want || got > 1.001 * want
		|| !near ((double) amp_loop_shares (block)[j], 200.0 * want,
			  0.001))
	      {
		printf ("type %u: R is %f after %ju phases, speeds %f\n", j,
			got, (uintmax_t) block->phase, want);
		ok = false;
	      }
	  }
	if (ok && block->phase < 20)
	  {
	    printf ("only %ju phases\n", (uintmax_t) block->phase);
	    ok = false;
	  }
	report (ok, "R of aid_dynamic", &c);
	free (block);
      }
}

/* A uniform team gets static's blocks from aid_static and aid_hybrid,
   computed here in another way: by counting.  */

static void
known_uniform (void)
{
  static const struct machine flat = { "", 1, { 7 }, { 1.0 } };
  struct sim_config c;
  struct sim_result r;
  uint64_t n;
  unsigned i;

  for (n = 0; n < 40; n++)
    {
      struct amp_loop *block;
      uint64_t want[7] = { 0 };
      bool ok;

      set_machine (&c, &flat);
      c.ops = n % 2 ? &amp_aid_static : &amp_aid_hybrid;
      c.n = n;
      for (i = 0; i < n; i++)
	want[i % 7]++;
      block = sim_new_block (c.lanes, c.types);
      ok = sim_run (block, &c, &r) == NULL;
      for (i = 0; ok && i < 7; i++)
	ok = r.given[i] == want[i];
      report (ok, "even blocks on cores of one type", &c);
      free (block);
    }
}

/* Queues begin as even blocks, or in proportion to SF, and with constant
   speeds and costs that is what lanes get.  */

static void
known_queues (void)
{
  static const struct machine machines[] = {
    { "", 1, { 7 }, { 1.0 } },
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } },
    { "", 4, { 2, 0, 3, 1 }, { 5.0, 9.0, 2.0, 0.5 } }
  };
  static const struct amp_ops *const ops[] = { &amp_steal, &amp_ich };
  static const uint64_t sizes[] = { 0, 1, 6, 7, 8, 1000, 12345, 100000 };
  unsigned m, o, s, i, given;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (o = 0; o < 2; o++)
      for (s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
	for (given = 0; given < 2; given++)
	  {
	    struct sim_config c;
	    struct sim_result r;
	    struct amp_loop *block;
	    double sf[AMP_MAX_TYPES], parts = 0.0, sum = 0.0;
	    const char *wrong;
	    bool ok;

	    double slack = 0.0;

	    set_machine (&c, &machines[m]);
	    c.ops = ops[o];
	    /* The last is no queue's.  */
	    c.n = sizes[s];
	    c.unit = 1e6;
	    for (i = 0; i < c.types; i++)
	      sf[i] = c.speed[i] * 2.0;
	    c.sf = given ? sf : NULL;
	    c.lane_type = given ? machine_type : NULL;
	    for (i = 0; i < c.lanes; i++)
	      parts += given ? sf[machine_type[i]] : 1.0;
	    block = sim_new_block (c.lanes, c.types);
	    wrong = sim_run (block, &c, &r);
	    ok = wrong == NULL;
	    if (!ok)
	      printf ("%s\n", wrong);
	    for (i = 0; ok && i < c.lanes; i++)
	      {
		double want = (double) c.n * sum / parts;
		double part = given ? sf[machine_type[i]] : 1.0;
		uint64_t got;

		got = amp_first_unit (block, i);
		/* Even blocks are longer by 1 at the front, others by what the
		   slowest lane takes for one iteration.  */
		if ((double) got > want + slack
		    || (double) got < want - i - 1.001)
		  {
		    printf ("lane %u's queue begins at %ju, not %f\n", i,
			    (uintmax_t) got, want);
		    ok = false;
		  }
		sum += part;
		slack += given && c.types > 1 ? part : 1.0;
		/* Chunks of steal are 1 iteration here: it balances itself.  */
		if (o == 0 && c.n >= 1000 && (given || c.types == 1)
		    && !near ((double) r.given[i],
			      (double) c.n * part / parts, 0.002))
		  {
		    printf ("lane %u got %ju, not %f\n", i,
			    (uintmax_t) r.given[i],
			    (double) c.n * part / parts);
		    ok = false;
		  }
	      }
	    report (ok, "queues of steal and ich", &c);
	    free (block);
	  }
}

/* A lane alone in its cluster, and one that is not, rob their own first.  */

struct clusters
{
  unsigned char owner[400];
  unsigned seen;	/* Lanes whose block has been touched; bits.  */
  bool ok;
};

static void
watch_clusters (void *data, uint64_t now, unsigned lane,
		const struct amp_chunk *chunk)
{
  struct clusters *w = data;
  unsigned owner = w->owner[chunk->begin];

  (void) now;
  (void) lane;
  w->seen |= 1u << owner;
  /* Lanes 0 .. 3 are one cluster.  */
  if (owner < 4 && (w->seen & 0xf0))
    w->ok = false;
}

static void
known_clusters (void)
{
  static const struct machine flat = { "", 1, { 8 }, { 1.0 } };
  static const unsigned short cluster[8] = { 7, 7, 7, 7, 0, 0, 9, 9 };
  static const struct amp_ops *const ops[] = {
    &amp_steal, &amp_ich, &amp_binlpt
  };
  unsigned o, i, round;

  for (o = 0; o < 3; o++)
    {
      struct amp_loop *block = sim_new_block (8, 1);
      struct sim_config c;
      struct sim_result r;
      struct clusters w;
      bool ok = true;

      /* Each loop in the block begins its search elsewhere.  */
      for (round = 0; ok && round < 20; round++)
	{
	  set_machine (&c, &flat);
	  c.ops = ops[o];
	  c.params.value[0] = o == 2 ? 400 : 0;
	  c.n = 400;
	  c.lane_cluster = cluster;
	  for (i = 1; i < 8; i++)
	    machine_lane[i].start = SIM_NEVER;
	  memset (&w, 0, sizeof w);
	  w.ok = true;
	  /* Equal chunks are dealt by turns.  */
	  for (i = 0; i < 400; i++)
	    w.owner[i] = o == 2 ? i % 8 : i / 50;
	  c.watch = watch_clusters;
	  c.watch_data = &w;
	  ok = sim_run (block, &c, &r) == NULL && w.ok && r.given[0] == 400
	    && w.seen == 0xff;
	}
      report (ok, "own cluster first", &c);
      free (block);
    }
}

/* iCh by the formulas of the paper, in other words than amp-ich.c: what every
   chunk must be.  */

struct ich_oracle
{
  uint64_t n;
  unsigned p;
  unsigned percent;
  double sf[8], d[8];
  /* In 256ths, which are integers: k, what others see of it, and between
     which bounds nothing is done about it.  */
  uint64_t k[8], shown[8], low[8], high[8];
  uint64_t front[8], back[8], active[8], begun[8], run[8];
  bool paced;
  unsigned steals, doubled, halved, limited, waited;
  char wrong[200];
};

static void
watch_ich (void *data, uint64_t now, unsigned lane,
	   const struct amp_chunk *chunk)
{
  struct ich_oracle *w = data;
  uint64_t size;
  unsigned i;

  if (w->wrong[0] != '\0' || chunk->end == w->n)
    return;
  w->run[lane] += w->active[lane];
  w->k[lane] += (uint64_t) (256.0 * (double) w->active[lane] / w->sf[lane]);
  if (w->active[lane] != 0
      && (w->k[lane] < w->low[lane] || w->k[lane] > w->high[lane]))
    {
      double sum = 0.0, low, high;
      uint64_t wait = w->k[lane] * w->percent / 400;

      w->shown[lane] = w->k[lane];
      for (i = 0; i < w->p; i++)
	sum += (double) w->shown[i];
      low = ceil (sum * (100.0 - w->percent) / (100.0 * w->p));
      high = floor (sum * (100.0 + w->percent) / (100.0 * w->p));
      if ((double) w->k[lane] < low)
	{
	  w->d[lane] = w->d[lane] / 2 > 2 ? (uint64_t) w->d[lane] / 2 : 2;
	  w->halved++;
	}
      else if ((double) w->k[lane] > high)
	{
	  w->d[lane] = w->d[lane] * 2 < 2 * w->p ? w->d[lane] * 2 : 2 * w->p;
	  w->doubled++;
	}
      w->low[lane] = w->d[lane] > 2 ? (uint64_t) low : 0;
      if (w->d[lane] == 2 * w->p)
	{
	  high = INFINITY;
	  if (!w->paced && (double) w->k[lane] > low
	      && wait < (w->k[lane] - (uint64_t) low) / 2)
	    {
	      wait = (w->k[lane] - (uint64_t) low) / 2;
	      w->waited++;
	    }
	}
      w->high[lane] = ((double) (w->k[lane] + wait) < high
		       ? w->k[lane] + wait : (uint64_t) high);
    }
  if (w->front[lane] == w->back[lane])
    {
      /* Whose back half is it?  */
      for (i = 0; i < w->p; i++)
	if (w->front[i] < w->back[i]
	    && w->front[i] + (w->back[i] - w->front[i]) / 2 == chunk->begin)
	  break;
      if (i == w->p)
	{
	  snprintf (w->wrong, sizeof w->wrong, "at %ju lane %u stole %ju, "
		    "which is nobody's back half", (uintmax_t) now, lane,
		    (uintmax_t) chunk->begin);
	  return;
	}
      w->steals++;
      w->front[lane] = chunk->begin;
      w->back[lane] = w->back[i];
      w->back[i] = chunk->begin;
      w->k[lane] = (w->k[lane] + w->shown[i]) / 2;
      w->shown[lane] = w->k[lane];
      w->low[lane] = UINT64_MAX;
      w->d[lane] = (uint64_t) (w->d[lane] + w->d[i]) / 2;
    }
  size = (w->back[lane] - w->front[lane]) / (uint64_t) w->d[lane];
  if (w->paced)
    {
      uint64_t left = w->n - 1, limit, sum = 0;
      bool all = true;

      for (i = 0; i < w->p; i++)
	{
	  sum += w->run[i];
	  all &= w->run[i] != 0;
	}
      left -= sum;
      limit = (all ? left * w->run[lane] / sum / 4
	       : left * w->begun[lane] / (w->n - 1) / 32);
      if (size > limit)
	{
	  size = limit;
	  w->limited++;
	}
    }
  if (size == 0)
    size = 1;
  if (chunk->begin != w->front[lane] || chunk->end != chunk->begin + size)
    snprintf (w->wrong, sizeof w->wrong, "at %ju lane %u got %ju .. %ju, "
	      "not %ju more from %ju (d %f, k %f)", (uintmax_t) now, lane,
	      (uintmax_t) chunk->begin, (uintmax_t) chunk->end,
	      (uintmax_t) size, (uintmax_t) w->front[lane], w->d[lane],
	      (double) w->k[lane] / 256.0);
  w->front[lane] += size;
  w->active[lane] = size;
}

static void
known_ich (void)
{
  static const struct machine machines[] = {
    { "", 1, { 2 }, { 1.0 } },
    { "", 2, { 1, 1 }, { 4.0, 1.0 } },
    { "", 2, { 2, 2 }, { 2.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  static const enum sim_cost costs[] = {
    SIM_COST_CONSTANT, SIM_COST_LINEAR, SIM_COST_LAST_HEAVY, SIM_COST_SPIKES
  };
  static unsigned steals, doubled, halved, limited, waited;
  unsigned m, k, i, mode, seed;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (k = 0; k < sizeof costs / sizeof costs[0]; k++)
      for (mode = 0; mode < 3; mode++)
	for (seed = 0; seed < 10; seed++)
	  {
	    struct sim_config c;
	    struct sim_result r;
	    struct ich_oracle w;
	    struct amp_loop *block;
	    const char *wrong;
	    bool amp;

	    set_machine (&c, &machines[m]);
	    c.ops = &amp_ich;
	    amp = mode != 1 && c.types > 1;
	    /* Where chunks are limited, the limit is computed for every chunk
	       as long as the chunk is more than a quarter of epsilon of what
	       the lane has run.  */
	    c.params.value[0] = seed % 2 ? 1 : amp ? 5 : 33;
	    c.params.value[1] = mode;
	    c.n = (seed % 2 ? 20 : amp ? 6 : 50) * (4 + seed);
	    c.cost = costs[k];
	    c.unit = 1e6;
	    c.seed = seed;
	    c.sf = c.speed;
	    /* So that the queues begin even in all modes.  */
	    c.lane_type = NULL;
	    memset (&w, 0, sizeof w);
	    w.p = c.lanes;
	    w.n = c.n;
	    w.percent = c.params.value[0];
	    for (i = 0; i < w.p; i++)
	      {
		uint64_t q = (c.n - 1) / w.p, rest = (c.n - 1) % w.p;

		w.sf[i] = amp ? c.speed[machine_type[i]] : 1.0;
		w.d[i] = w.p > 2 ? w.p : 2;
		w.front[i] = q * i + (i < rest ? i : rest);
		w.back[i] = w.front[i] + q + (i < rest);
		w.begun[i] = w.back[i] - w.front[i];
	      }
	    w.paced = amp;
	    c.watch = watch_ich;
	    c.watch_data = &w;
	    block = sim_new_block (c.lanes, c.types);
	    wrong = sim_run (block, &c, &r);
	    if (wrong == NULL && w.wrong[0] != '\0')
	      wrong = w.wrong;
	    if (wrong != NULL)
	      printf ("%s\n", wrong);
	    report (wrong == NULL, "chunks of ich", &c);
	    steals += w.steals;
	    doubled += w.doubled;
	    halved += w.halved;
	    limited += w.limited;
	    waited += w.waited;
	    free (block);
	  }
  if (steals < 100 || doubled < 100 || halved < 100 || limited < 100
      || waited < 100)
    {
      printf ("FAIL: chunks of ich: %u steals, %u doubled, %u halved, "
	      "%u limited, %u waited\n", steals, doubled, halved, limited,
	      waited);
      failed++;
    }
}

/* On unequal cores ich that knows SF beats ich as published, and with even
   iterations it comes near to the ideal.  */

static void
known_amp (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  static const enum sim_cost costs[] = { SIM_COST_CONSTANT, SIM_COST_LINEAR };
  unsigned m, k, mode;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (k = 0; k < sizeof costs / sizeof costs[0]; k++)
      {
	uint64_t makespan[3];
	double ideal = 0.0;
	struct sim_config c;
	struct sim_result r;
	bool ok = true;

	for (mode = 0; mode < 3; mode++)
	  {
	    struct amp_loop *block;

	    set_machine (&c, &machines[m]);
	    c.ops = &amp_ich;
	    c.params.value[1] = mode;
	    c.n = 10000 * (uint64_t) c.lanes;
	    c.cost = costs[k];
	    c.unit = 1000.0;
	    c.rmw = 20.0;
	    c.sf = c.speed;
	    c.lane_type = machine_type;
	    block = sim_new_block (c.lanes, c.types);
	    ok &= sim_run (block, &c, &r) == NULL;
	    makespan[mode] = r.makespan;
	    ideal = r.ideal;
	    free (block);
	  }
	/* Where SF is known, it is used by default.  */
	ok &= makespan[0] == makespan[2] && makespan[2] <= makespan[1];
	if (k == 0)
	  ok &= (double) makespan[2] < 1.01 * ideal;
	else
	  ok &= (double) makespan[2] < 0.9 * (double) makespan[1];
	if (!ok)
	  printf ("ideal %f, as published %ju, with SF %ju, by default %ju\n",
		  ideal, (uintmax_t) makespan[1], (uintmax_t) makespan[2],
		  (uintmax_t) makespan[0]);
	report (ok, "ich on unequal cores", &c);
      }
}

/* Without SF, on unequal cores, ich by default is better than as published, and
   on average near to the ideal.  */

static void
known_unknown_amp (void)
{
  static const struct machine machines[] = {
    { "", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "", 2, { 2, 6 }, { 4.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  static const enum sim_cost costs[] = {
    SIM_COST_CONSTANT, SIM_COST_LINEAR, SIM_COST_LAST_HEAVY, SIM_COST_SPIKES
  };
  double sum[3] = { 0.0, 0.0, 0.0 };
  struct sim_config c;
  unsigned m, k, mode, loops = 0;
  bool ok;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (k = 0; k < sizeof costs / sizeof costs[0]; k++)
      for (mode = 0; mode < 3; mode++)
	{
	  struct sim_result r;
	  struct amp_loop *block;

	  set_machine (&c, &machines[m]);
	  c.ops = &amp_ich;
	  c.params.value[1] = mode;
	  c.n = 1000 * (uint64_t) c.lanes;
	  c.cost = costs[k];
	  c.unit = 1000.0;
	  c.rmw = 20.0;
	  c.lane_type = machine_type;
	  block = sim_new_block (c.lanes, c.types);
	  ok = sim_run (block, &c, &r) == NULL;
	  if (ok)
	    sum[mode] += (double) r.makespan / r.ideal;
	  report (ok, "chunks of ich on cores of unknown speed", &c);
	  loops += mode == 0;
	  free (block);
	}
  ok = sum[0] == sum[2] && sum[0] < sum[1] && sum[0] < 1.04 * loops;
  if (!ok)
    printf ("by default %f, as published %f, with types %f\n", sum[0],
	    sum[1], sum[2]);
  report (ok, "ich on cores of unknown speed", &c);
}

/* Without SF too ich comes near to the ideal, however slow a core is: no slow
   lane takes a chunk that all others have to wait for.  */

static void
known_pace (void)
{
  static const struct machine machines[] = {
    { "", 2, { 1, 1 }, { 5.0, 1.0 } },
    { "", 2, { 1, 3 }, { 8.0, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  static const enum sim_cost costs[] = { SIM_COST_CONSTANT, SIM_COST_LINEAR };
  unsigned m, k;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (k = 0; k < sizeof costs / sizeof costs[0]; k++)
      {
	struct sim_config c;
	struct sim_result r;
	struct amp_loop *block;
	bool ok;

	set_machine (&c, &machines[m]);
	c.ops = &amp_ich;
	c.n = 20000 * (uint64_t) c.lanes;
	c.cost = costs[k];
	c.unit = 1000.0;
	c.rmw = 20.0;
	c.lane_type = machine_type;
	block = sim_new_block (c.lanes, c.types);
	ok = (sim_run (block, &c, &r) == NULL
	      && (double) r.makespan < 1.02 * r.ideal);
	if (!ok)
	  printf ("ideal %f, ich %ju\n", r.ideal, (uintmax_t) r.makespan);
	report (ok, "ich on cores of unknown speed, against the ideal", &c);
	free (block);
      }
}

/* BinLPT's plan against a plain search for the lane that is through first,
   and the bounds of its cuts.  */

static int
compare_loads (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return x[0] > y[0] ? -1 : x[0] < y[0] ? 1 : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Loops of few long iterations, of which 4 fast lanes run 7 or 8 while a slow
   one runs one.  A slow lane that has run one leaves the rest to them: it would
   be the last by far.  But not to lanes that have not yet come.  */

static void
known_retirement (void)
{
  static const struct machine machine = { "", 2, { 4, 4 }, { 5.4, 1.0 } };
  static const double sf[] = { 5.4, 1.0 };
  static const struct amp_ops *const ops[]
    = { &amp_aid_hybrid, &amp_aid_dynamic };
  unsigned k, i, late;

  for (k = 0; k < 2; k++)
    for (late = 0; late < 2; late++)
      {
	struct sim_config c;
	struct sim_result r;
	struct amp_loop *block;
	const char *wrong;
	bool ok;

	set_machine (&c, &machine);
	c.ops = ops[k];
	c.sf = sf;
	c.lane_type = machine_type;
	c.n = 32;
	c.unit = 540000.0;
	c.rmw = 20.0;
	/* The fast ones come when the slow ones have long been able to run
	   everything that is in the pool.  */
	for (i = 0; late && i < 4; i++)
	  machine_lane[i].start = 100 * 540000;
	block = sim_new_block (c.lanes, c.types);
	wrong = sim_run (block, &c, &r);
	ok = wrong == NULL;
	if (!ok)
	  printf ("%s\n", wrong);
	else if (!late)
	  {
	    /* 8 iterations of a fast lane; two of a slow one are 1080000.  */
	    ok = r.makespan < 810000;
	    if (!ok)
	      printf ("makespan %ju\n", (uintmax_t) r.makespan);
	  }
	else
	  {
	    uint64_t reserved = 0, sum = 0;

	    if (block->plan_kind == AMP_PLAN_WEIGHTED)
	      reserved = amp_loop_bounds (block)[4];
	    for (i = 0; i < 4; i++)
	      sum += r.given[i];
	    ok = sum == reserved;
	    if (!ok)
	      printf ("%ju iterations waited for fast lanes, %ju reserved\n",
		      (uintmax_t) sum, (uintmax_t) reserved);
	  }
	report (ok, late ? "nobody retires for lanes that are late"
		: "slow lanes retire", &c);
	free (block);
      }
  {
    /* With m and M given: less than a round of shares (5 * 25.6) is
       self-scheduled, which takes two iterations of a slow lane.  */
    struct sim_config c;
    struct sim_result r;
    struct amp_loop *block;

    set_machine (&c, &machine);
    c.ops = &amp_aid_dynamic;
    c.params.value[0] = 1;
    c.params.value[1] = 5;
    c.sf = sf;
    c.lane_type = machine_type;
    c.n = 32;
    c.unit = 540000.0;
    block = sim_new_block (c.lanes, c.types);
    report (sim_run (block, &c, &r) == NULL && r.makespan < 1100000,
	    "less than a round", &c);
    free (block);
  }
}

static void
known_binlpt (void)
{
  static const struct machine machines[] = {
    { "", 1, { 4 }, { 1.0 } },
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 3, { 2, 0, 5 }, { 4.0, 3.0, 1.0 } }
  };
  /* The last iteration, which is no chunk's, costs nothing.  */
  static const unsigned textbook[] = { 7, 7, 6, 6, 5, 5, 4, 4, 4, 0 };
  static unsigned workload[2000];
  static uint64_t chunk[2000][2];
  unsigned m, seed, i, j;

  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (seed = 0; seed < 60; seed++)
      {
	struct sim_config c;
	struct sim_result r;
	struct amp_loop *block;
	uint64_t total = 0, lane_load[8] = { 0 }, chunks, largest = 0;
	const char *wrong;
	bool ok;

	rng = 1000 * m + seed;
	set_machine (&c, &machines[m]);
	c.ops = &amp_binlpt;
	c.n = seed == 0 ? 10 : 1 + below (2000);
	c.params.value[0] = seed == 0 ? 9 : one_in (4) ? 0 : 1 + below (300);
	for (i = 0; i < c.n; i++)
	  {
	    workload[i] = (seed == 0 ? textbook[i] : seed % 3 == 0 ? i
			   : seed % 3 == 1 ? below (100) : magnitude (16));
	    if (i + 1 < c.n)
	      total += workload[i];
	  }
	c.workload = workload;
	c.sf = c.speed;
	c.lane_type = machine_type;
	block = sim_new_block (c.lanes, c.types);
	wrong = sim_run (block, &c, &r);
	ok = wrong == NULL;
	if (!ok)
	  printf ("%s\n", wrong);
	chunks = c.params.value[0] ? (uint64_t) c.params.value[0]
	  : 16 * c.lanes;
	if (chunks > c.n - 1)
	  chunks = c.n - 1;
	if (ok && (block->units > chunks || (block->units == 0) != (c.n == 1)))
	  ok = false;
	for (i = 0; ok && i < block->units; i++)
	  {
	    uint64_t begin = amp_binlpt_of (block)->bound[i];
	    uint64_t end = amp_binlpt_of (block)->bound[i + 1], load = 0, k;

	    for (k = begin; k < end; k++)
	      load += workload[k];
	    chunk[i][0] = load;
	    chunk[i][1] = i;
	    if (begin >= end || load != amp_binlpt_of (block)->load[i]
		/* Without its last iteration it must be below a part.  */
		|| (load - workload[end - 1]) * chunks > total + chunks)
	      {
		printf ("chunk %u, %ju .. %ju, has load %ju of %ju\n", i,
			(uintmax_t) begin, (uintmax_t) end, (uintmax_t) load,
			(uintmax_t) total);
		ok = false;
	      }
	  }
	if (ok)
	  qsort (chunk, block->units, sizeof chunk[0], compare_loads);
	for (i = 0; ok && i < block->units; i++)
	  {
	    unsigned best = 0;
	    double least = 0.0;

	    for (j = 0; j < c.lanes; j++)
	      {
		double end = ((double) (lane_load[j] + chunk[i][0])
			      / c.speed[machine_type[j]]);
		if (j == 0 || end < least)
		  {
		    best = j;
		    least = end;
		  }
	      }
	    lane_load[best] += chunk[i][0];
	    if (amp_binlpt_of (block)->lane_of[chunk[i][1]] != best)
	      {
		printf ("chunk %ju went to lane %u, not %u\n",
			(uintmax_t) chunk[i][1],
			amp_binlpt_of (block)->lane_of[chunk[i][1]], best);
		ok = false;
	      }
	    if (lane_load[best] > largest)
	      largest = lane_load[best];
	  }
	/* Graham's example: LPT needs 15 where 12 would do.  */
	if (ok && m == 0 && seed == 0 && largest != 15)
	  ok = false;
	report (ok, "plan of binlpt", &c);
	free (block);
      }
}

/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of the schedulers whose outcome is known.  Included by sim.c.  */

/* With constant speeds and constant costs the measured SF are the speeds'
   ratios, a share is SF_j * k, and lanes get it unless they have run more
   already.  */

KNOWN (shares, known_shares)
{
  static const char *const machines[] = {
    "1+1 3:1", "4+4 2.5:1", "2+6 1:1.25", "1+3+4 4:2:1", "2+0+3+1 5:9:2:0.5",
    "300+500 1.5:0.75"
  };
  static const int percents[] = { 1, 37, 80, 100 };

  EACH (m, machines)
    for (unsigned k = 0; k < 16; k++)
      {
	double slowest = 1e9, parts = 0.0, part, sf[AMP_MAX_TYPES];
	bool all = k % 4 == 3, given = k & 4, chosen = k & 8;

	BEGIN (machines[m], all ? &amp_aid_static : &amp_aid_hybrid,
	       .min_ticks = 1000, .unit = 1e6);
	c.params.value[0] = all ? !chosen : percents[k % 4];
	c.params.value[1] = all || chosen ? 0 : 2;
	c.n = (c.lanes > 100 ? 1000 : 20000) * (uint64_t) c.lanes;
	for (unsigned j = 0; j < c.types; j++)
	  if (on.lanes[j] && c.speed[j] < slowest)
	    slowest = c.speed[j];
	for (unsigned j = 0; j < c.types; j++)
	  {
	    sf[j] = on.lanes[j] ? c.speed[j] / slowest : 1.0;
	    parts += sf[j] * on.lanes[j];
	  }
	if (given)
	  {
	    c.sf = sf;
	    c.lane_type = machine_type;
	  }
	part = (double) (c.n / 100 * percents[k % 4]) / parts;
	run_on ();
	expect (given == (block->plan_kind == AMP_PLAN_WEIGHTED), "plan %d",
		block->plan_kind);
	for (unsigned i = 0; i < c.lanes; i++)
	  {
	    double own = sf[machine_type[i]], want = own * part;

	    if (given)
	      {
		const uint64_t *bounds = amp_loop_bounds (block);
		uint64_t size = bounds[i + 1] - bounds[i];

		/* Whole iterations: no lane ends more than one of the slowest's
		   later.  */
		expect ((double) size >= want - 1.001
			&& (double) size <= want + own + 0.001
			&& r.given[i] >= size,
			"lane %u: block %ju .. %ju, got %ju, SF * k = %f", i,
			(uintmax_t) bounds[i], (uintmax_t) bounds[i + 1],
			(uintmax_t) r.given[i], want);
	      }
	    else
	      {
		uint64_t share = amp_loop_shares (block)[machine_type[i]];

		expect (near ((double) share, want, 1e-5) && r.given[i] >= share,
			"lane %u: share %ju, got %ju, SF * k = %f", i,
			(uintmax_t) share, (uintmax_t) r.given[i], want);
	      }
	    /* With all of the loop in the shares, nobody gets much more.  */
	    expect (!all || (double) r.given[i] <= 1.02 * want + 3,
		    "lane %u got %ju, its share is %f", i,
		    (uintmax_t) r.given[i], want);
	  }
	report (true, "shares of aid_static and aid_hybrid");
      }
}

/* aid_dynamic's R follows the speeds, also when they change, and shares are
   R * M.  */

KNOWN (ratios, known_ratios)
{
  static const char *const machines[] = { "1+1 3:1", "1+3+4 4:2:1" };

  EACH (m, machines)
    for (unsigned change = 0; change < 2; change++)
      {
	BEGIN (machines[m], &amp_aid_dynamic, .params = { { 4, 200 } },
	       .unit = 1e6);
	c.n = 20000 * (uint64_t) c.lanes;
	if (change)
	  {
	    /* Early enough that many phases follow.  */
	    c.change = 2000000000;
	    for (unsigned j = 0; j < c.types; j++)
	      c.later[j] = 1.0 + (c.types - 1 - j) * 0.5;
	  }
	run_on ();
	for (unsigned j = 0; j < c.types; j++)
	  {
	    double want = c.later[j] / c.later[c.types - 1];
	    double got = amp_bits_double (amp_loop_pace (block)[j].sf);

	    expect (got >= 0.999 * want && got <= 1.001 * want
		    && near ((double) amp_loop_shares (block)[j], 200.0 * want,
			     0.001),
		    "type %u: R is %f after %ju phases, speeds %f", j, got,
		    (uintmax_t) block->phase, want);
	  }
	expect (block->phase >= 20, "only %ju phases",
		(uintmax_t) block->phase);
	report (true, "R of aid_dynamic");
      }
}

/* A uniform team gets static's blocks from aid_static and aid_hybrid,
   computed here in another way: by counting.  */

KNOWN (uniform, known_uniform)
{
  for (uint64_t n = 0; n < 40; n++)
    {
      uint64_t want[7] = { 0 };

      BEGIN ("7 1", n % 2 ? &amp_aid_static : &amp_aid_hybrid, .n = n);
      for (unsigned i = 0; i < n; i++)
	want[i % 7]++;
      report (run_on () && memcmp (r.given, want, sizeof want) == 0,
	      "even blocks on cores of one type");
    }
}

/* Queues begin as even blocks, or in proportion to SF, and with constant
   speeds and costs that is what lanes get.  */

KNOWN (queues, known_queues)
{
  static const char *const machines[]
    = { "7 1", "1+1 3:1", "1+3+4 4:2:1", "2+0+3+1 5:9:2:0.5" };
  static const struct amp_ops *const ops[] = { &amp_steal, &amp_ich };
  static const uint64_t sizes[] = { 0, 1, 6, 7, 8, 1000, 12345, 100000 };

  EACH (m, machines)
    EACH (o, ops)
      EACH (s, sizes)
	for (unsigned given = 0; given < 2; given++)
	  {
	    double sf[AMP_MAX_TYPES], parts = 0.0, sum = 0.0, slack = 0.0;

	    /* The last is no queue's.  */
	    BEGIN (machines[m], ops[o], .n = sizes[s], .unit = 1e6,
		   .sf = given ? sf : NULL,
		   .lane_type = given ? machine_type : NULL);
	    for (unsigned i = 0; i < c.types; i++)
	      sf[i] = c.speed[i] * 2.0;
	    for (unsigned i = 0; i < c.lanes; i++)
	      parts += given ? sf[machine_type[i]] : 1.0;
	    run_on ();
	    for (unsigned i = 0; i < c.lanes; i++)
	      {
		double want = (double) c.n * sum / parts;
		double part = given ? sf[machine_type[i]] : 1.0;
		uint64_t got = amp_first_unit (block, i);

		/* Even blocks are longer by 1 at the front, others by what the
		   slowest lane takes for one iteration.  */
		expect ((double) got <= want + slack
			&& (double) got >= want - i - 1.001,
			"lane %u's queue begins at %ju, not %f", i,
			(uintmax_t) got, want);
		sum += part;
		slack += given && c.types > 1 ? part : 1.0;
		/* Chunks of steal are 1 iteration here: it balances itself.  */
		if (o == 0 && c.n >= 1000 && (given || c.types == 1))
		  expect (near ((double) r.given[i],
				(double) c.n * part / parts, 0.002),
			  "lane %u got %ju, not %f", i,
			  (uintmax_t) r.given[i],
			  (double) c.n * part / parts);
	      }
	    report (true, "queues of steal and ich");
	  }
}

/* A lane alone in its cluster, and one that is not, rob their own first.  */

struct clusters
{
  unsigned char owner[400];
  unsigned seen;	/* Lanes whose block has been touched; bits.  */
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
  expect (owner >= 4 || !(w->seen & 0xf0), "another cluster is robbed first");
}

KNOWN (clusters, known_clusters)
{
  static const unsigned short cluster[8] = { 7, 7, 7, 7, 0, 0, 9, 9 };
  static const struct amp_ops *const ops[]
    = { &amp_steal, &amp_ich, &amp_binlpt };

  EACH (o, ops)
    {
      struct clusters w;

      BEGIN ("8 1", ops[o], .params = { { o == 2 ? 400 : 0 } }, .n = 400,
	     .lane_cluster = cluster, .watch = watch_clusters,
	     .watch_data = &w);
      for (unsigned i = 1; i < 8; i++)
	machine_lane[i].start = SIM_NEVER;
      /* Equal chunks are dealt by turns.  */
      for (unsigned i = 0; i < 400; i++)
	w.owner[i] = o == 2 ? i % 8 : i / 50;
      /* Each loop in the block begins its search elsewhere.  */
      for (unsigned round = 0; ok && round < 20; round++)
	{
	  w.seen = 0;
	  run_on ();
	  expect (r.given[0] == 400 && w.seen == 0xff, "not all is run");
	}
      report (true, "own cluster first");
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
};

static unsigned steals, doubled, halved, limited, waited;

static void
watch_ich (void *data, uint64_t now, unsigned lane,
	   const struct amp_chunk *chunk)
{
  struct ich_oracle *w = data;
  uint64_t size;
  unsigned i;

  if (!ok || chunk->end == w->n)
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
	  halved++;
	}
      else if ((double) w->k[lane] > high)
	{
	  w->d[lane] = w->d[lane] * 2 < 2 * w->p ? w->d[lane] * 2 : 2 * w->p;
	  doubled++;
	}
      w->low[lane] = w->d[lane] > 2 ? (uint64_t) low : 0;
      if (w->d[lane] == 2 * w->p)
	{
	  high = INFINITY;
	  if (!w->paced && (double) w->k[lane] > low
	      && wait < (w->k[lane] - (uint64_t) low) / 2)
	    {
	      wait = (w->k[lane] - (uint64_t) low) / 2;
	      waited++;
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
      expect (i < w->p, "at %ju lane %u stole %ju, which is nobody's back half",
	      (uintmax_t) now, lane, (uintmax_t) chunk->begin);
      if (!ok)
	return;
      steals++;
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
	  limited++;
	}
    }
  if (size == 0)
    size = 1;
  expect (chunk->begin == w->front[lane] && chunk->end == chunk->begin + size,
	  "at %ju lane %u got %ju .. %ju, not %ju more from %ju (d %f, k %f)",
	  (uintmax_t) now, lane, (uintmax_t) chunk->begin,
	  (uintmax_t) chunk->end, (uintmax_t) size,
	  (uintmax_t) w->front[lane], w->d[lane],
	  (double) w->k[lane] / 256.0);
  w->front[lane] += size;
  w->active[lane] = size;
}

KNOWN (ich, known_ich)
{
  static const char *const machines[]
    = { "2 1", "1+1 4:1", "2+2 2:1", "1+3+4 4:2:1" };
  static const enum sim_cost costs[] = {
    SIM_COST_CONSTANT, SIM_COST_LINEAR, SIM_COST_LAST_HEAVY, SIM_COST_SPIKES
  };

  EACH (m, machines)
    EACH (k, costs)
      for (int mode = 0; mode < 3; mode++)
	for (unsigned seed = 0; seed < 10; seed++)
	  {
	    struct ich_oracle w = { .n = 0 };

	    /* Queues begin even in all modes: no types of lanes are told.  */
	    BEGIN (machines[m], &amp_ich, .cost = costs[k], .unit = 1e6,
		   .seed = seed, .sf = on.speed, .watch = watch_ich,
		   .watch_data = &w);
	    w.paced = mode != 1 && c.types > 1;
	    /* Where chunks are limited, the limit is computed for every chunk
	       as long as the chunk is more than a quarter of epsilon of what
	       the lane has run.  */
	    w.percent = seed % 2 ? 1 : w.paced ? 5 : 33;
	    c.params.value[0] = w.percent;
	    c.params.value[1] = mode;
	    w.n = c.n = (seed % 2 ? 20 : w.paced ? 6 : 50) * (4 + seed);
	    w.p = c.lanes;
	    for (unsigned i = 0; i < w.p; i++)
	      {
		uint64_t q = (c.n - 1) / w.p, rest = (c.n - 1) % w.p;

		w.sf[i] = w.paced ? c.speed[machine_type[i]] : 1.0;
		w.d[i] = w.p > 2 ? w.p : 2;
		w.front[i] = q * i + (i < rest ? i : rest);
		w.back[i] = w.front[i] + q + (i < rest);
		w.begun[i] = w.back[i] - w.front[i];
	      }
	    report (run_on (), "chunks of ich");
	  }
  expect (steals >= 100 && doubled >= 100 && halved >= 100 && limited >= 100
	  && waited >= 100, "%u steals, %u doubled, %u halved, %u limited, "
	  "%u waited", steals, doubled, halved, limited, waited);
  if (!ok)
    report (true, "chunks of ich: nothing is left out");
}

/* ich in MODE, without samples: its makespan over the ideal.  */

static double
ich_takes (const char *machine, int mode, enum sim_cost cost, uint64_t n,
	   const double *sf)
{
  BEGIN (machine, &amp_ich, .params = { { 0, mode } }, .cost = cost,
	 .unit = 1000.0, .rmw = 20.0, .sf = sf, .lane_type = machine_type);
  c.n = n * c.lanes;
  run_on ();
  return (double) r.makespan / r.ideal;
}

static const enum sim_cost constant_and_linear[]
  = { SIM_COST_CONSTANT, SIM_COST_LINEAR };

/* On unequal cores ich that knows SF beats ich as published, and with even
   iterations it comes near to the ideal.  Where SF is known, it is used by
   default.  */

KNOWN (amp, known_amp)
{
  static const char *const machines[]
    = { "1+1 3:1", "4+4 2.5:1", "1+3+4 4:2:1" };

  EACH (m, machines)
    EACH (k, constant_and_linear)
      {
	double took[3];

	for (int mode = 0; mode < 3; mode++)
	  took[mode] = ich_takes (machines[m], mode, constant_and_linear[k],
				  10000, on.speed);
	expect (took[0] == took[2] && took[2] <= took[1]
		&& (k == 0 ? took[2] < 1.01 : took[2] < 0.9 * took[1]),
		"of the ideal: as published %f, with SF %f, by default %f",
		took[1], took[2], took[0]);
	report (true, "ich on unequal cores");
      }
}

/* Without SF, on unequal cores, ich by default is better than as published, and
   on average near to the ideal.  */

KNOWN (amp, known_unknown_amp)
{
  static const char *const machines[]
    = { "4+4 2.5:1", "2+6 4:1", "1+3+4 4:2:1" };
  static const enum sim_cost costs[] = {
    SIM_COST_CONSTANT, SIM_COST_LINEAR, SIM_COST_LAST_HEAVY, SIM_COST_SPIKES
  };
  double sum[3] = { 0.0, 0.0, 0.0 };

  EACH (m, machines)
    EACH (k, costs)
      for (int mode = 0; mode < 3; mode++)
	{
	  sum[mode] += ich_takes (machines[m], mode, costs[k], 1000, NULL);
	  report (true, "chunks of ich on cores of unknown speed");
	}
  expect (sum[0] == sum[2] && sum[0] < sum[1] && sum[0] < 1.04 * 3 * 4,
	  "by default %f, as published %f, with types %f", sum[0], sum[1],
	  sum[2]);
  report (true, "ich on cores of unknown speed");
}

/* Without SF too ich comes near to the ideal, however slow a core is: no slow
   lane takes a chunk that all others have to wait for.  */

KNOWN (amp, known_pace)
{
  static const char *const machines[]
    = { "1+1 5:1", "1+3 8:1", "1+3+4 4:2:1" };

  EACH (m, machines)
    EACH (k, constant_and_linear)
      {
	double took = ich_takes (machines[m], 0, constant_and_linear[k],
				 20000, NULL);

	expect (took < 1.02, "%f of the ideal", took);
	report (true, "ich on cores of unknown speed, against the ideal");
      }
}

/* Loops of few long iterations, of which 4 fast lanes run 7 or 8 while a slow
   one runs one.  A slow lane that has run one leaves the rest to them: it would
   be the last by far.  But not to lanes that have not yet come.  */

KNOWN (retirement, known_retirement)
{
  static const struct amp_ops *const ops[]
    = { &amp_aid_hybrid, &amp_aid_dynamic };

  EACH (k, ops)
    for (unsigned late = 0; late < 2; late++)
      {
	uint64_t reserved = 0, sum = 0;

	BEGIN ("4+4 5.4:1", ops[k], .sf = on.speed, .lane_type = machine_type,
	       .n = 32, .unit = 540000.0, .rmw = 20.0);
	/* The fast ones come when the slow ones have long been able to run
	   everything that is in the pool.  */
	for (unsigned i = 0; late && i < 4; i++)
	  machine_lane[i].start = 100 * 540000;
	run_on ();
	if (block->plan_kind == AMP_PLAN_WEIGHTED)
	  reserved = amp_loop_bounds (block)[4];
	for (unsigned i = 0; i < 4; i++)
	  sum += r.given[i];
	/* 8 iterations of a fast lane; two of a slow one are 1080000.  */
	if (!late)
	  expect (r.makespan < 810000, "makespan %ju", (uintmax_t) r.makespan);
	else
	  expect (sum == reserved,
		  "%ju iterations waited for fast lanes, %ju reserved",
		  (uintmax_t) sum, (uintmax_t) reserved);
	report (true, late ? "nobody retires for lanes that are late"
		: "slow lanes retire");
      }
  /* With m and M given: less than a round of shares (5 * 25.6) is
     self-scheduled, which takes two iterations of a slow lane.  */
  BEGIN ("4+4 5.4:1", &amp_aid_dynamic, .params = { { 1, 5 } },
	 .sf = on.speed, .lane_type = machine_type, .n = 32,
	 .unit = 540000.0);
  report (run_on () && r.makespan < 1100000, "less than a round");
}

/* BinLPT's plan against a plain search for the lane that is through first,
   and the bounds of its cuts.  */

static int
compare_loads (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return x[0] > y[0] ? -1 : x[0] < y[0] ? 1 : x[1] < y[1] ? -1 : x[1] > y[1];
}

KNOWN (binlpt, known_binlpt)
{
  static const char *const machines[] = { "4 1", "1+1 3:1", "2+0+5 4:3:1" };
  /* The last iteration, which is no chunk's, costs nothing.  */
  static const unsigned textbook[] = { 7, 7, 6, 6, 5, 5, 4, 4, 4, 0 };
  static unsigned workload[2000];
  static uint64_t chunk[2000][2];

  EACH (m, machines)
    for (unsigned seed = 0; seed < 60; seed++)
      {
	uint64_t total = 0, lane_load[8] = { 0 }, chunks, largest = 0;
	const struct amp_binlpt *own;

	rng = 1000 * m + seed;
	BEGIN (machines[m], &amp_binlpt, .workload = workload,
	       .sf = on.speed, .lane_type = machine_type);
	c.n = seed == 0 ? 10 : 1 + below (2000);
	c.params.value[0] = seed == 0 ? 9 : one_in (4) ? 0 : 1 + below (300);
	for (unsigned i = 0; i < c.n; i++)
	  {
	    workload[i] = (seed == 0 ? textbook[i] : seed % 3 == 0 ? i
			   : seed % 3 == 1 ? below (100) : magnitude (16));
	    if (i + 1 < c.n)
	      total += workload[i];
	  }
	run_on ();
	own = amp_binlpt_of (block);
	chunks = c.params.value[0] ? (unsigned) c.params.value[0] : 16 * c.lanes;
	if (chunks > c.n - 1)
	  chunks = c.n - 1;
	expect (block->units <= chunks && (block->units == 0) == (c.n == 1),
		"%ju chunks", (uintmax_t) block->units);
	for (unsigned i = 0; ok && i < block->units; i++)
	  {
	    uint64_t begin = own->bound[i], end = own->bound[i + 1], load = 0;

	    for (uint64_t k = begin; k < end; k++)
	      load += workload[k];
	    chunk[i][0] = load;
	    chunk[i][1] = i;
	    /* Without its last iteration it must be below a part.  */
	    expect (begin < end && load == own->load[i]
		    && ((load - workload[end - 1]) * chunks
			<= total + chunks),
		    "chunk %u, %ju .. %ju, has load %ju of %ju", i,
		    (uintmax_t) begin, (uintmax_t) end, (uintmax_t) load,
		    (uintmax_t) total);
	  }
	qsort (chunk, block->units, sizeof chunk[0], compare_loads);
	for (unsigned i = 0; ok && i < block->units; i++)
	  {
	    unsigned best = 0;
	    double least = 0.0;

	    for (unsigned j = 0; j < c.lanes; j++)
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
	    expect (own->lane_of[chunk[i][1]] == best,
		    "chunk %ju went to lane %u, not %u",
		    (uintmax_t) chunk[i][1], own->lane_of[chunk[i][1]], best);
	    if (lane_load[best] > largest)
	      largest = lane_load[best];
	  }
	/* Graham's example: LPT needs 15 where 12 would do.  */
	expect (m != 0 || seed != 0 || largest == 15, "the largest load is %ju",
		(uintmax_t) largest);
	report (true, "plan of binlpt");
      }
}

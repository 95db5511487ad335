/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of every scheduler in the registry: random ones checked
   against the contract in amp.h, some whose outcome is known, golden ones,
   and a table of efficiencies.

     sim [--seed S] [--runs N]     random simulations (loops, in fact)
     sim --case S                  only the sequence of loops of seed S
     sim --known                   shares, R and the like
     sim --golden FOLDER [--update]
     sim --table

   The last line is "N passed, N failed, N skipped".  */

#include "engine.c"
#include <errno.h>
#include <math.h>

static unsigned passed, failed;

/* Random simulations.  */

static uint64_t rng;

static uint64_t
below (uint64_t limit)
{
  return sim_random (&rng) % limit;
}

static bool
one_in (unsigned k)
{
  return below (k) == 0;
}

/* Every magnitude is as likely as any other.  */

static uint64_t
magnitude (unsigned bits)
{
  unsigned b = below (bits + 1);
  return b == 0 ? 0 : sim_random (&rng) >> (64 - b);
}

static uint64_t
random_n (unsigned lanes)
{
  uint64_t limit = UINT64_MAX / (lanes + 1u);

  switch (below (24))
    {
    case 0:
      return below (4);
    case 1:
      return lanes - 1 + below (3);
    case 2:
      return 16 * (uint64_t) lanes - 2 + below (5);
    case 3:
      return limit - below (3);
    case 4:
      return limit + 1 + below (3);
    case 5:
      return UINT64_MAX - (one_in (2) ? 0 : below (5000));
    case 6:
      return (UINT64_C (1) << below (64)) - 1 + below (3);
    case 7:
      return magnitude (64);
    case 8: case 9: case 10: case 11:
      return below (8 * (uint64_t) lanes + 1);
    default:
      return magnitude (12);
    }
}

static void
random_params (const struct amp_ops *ops, struct amp_params *params)
{
  unsigned i, tries = 0;

  do
    for (i = 0; i < AMP_MAX_PARAMS; i++)
      {
	const struct amp_param_info *info = &ops->param[i];

	params->value[i] = 0;
	if (i >= ops->nparams || tries == 20)
	  continue;
	switch (below (8))
	  {
	  case 0: case 1: case 2:
	    break;
	  case 3:
	    params->value[i] = info->min;
	    break;
	  case 4:
	    params->value[i] = info->max;
	    break;
	  case 5:
	    params->value[i] = info->min
	      + below ((uint64_t) info->max - info->min + 1);
	    break;
	  default:
	    params->value[i] = info->min + magnitude (5);
	    if (params->value[i] > info->max)
	      params->value[i] = info->max;
	  }
      }
  while (tries++ <= 20 && ops->check != NULL && ops->check (params) != NULL);
}

static unsigned
count_schedulers (void)
{
  unsigned i = 0;

  while (amp_schedulers[i] != NULL)
    i++;
  return i;
}

static void
print_config (const struct sim_config *c)
{
  unsigned i;

  printf ("  %s,%d,%d n=%ju lanes=%u types=%u min_ticks=%ju cost=%d unit=%g "
	  "clock=%d rmw=%g sf=%s expected types=%s\n", c->ops->name,
	  c->params.value[0], c->params.value[1], (uintmax_t) c->n, c->lanes,
	  c->types, (uintmax_t) c->min_ticks, c->cost, c->unit, c->clock,
	  c->rmw, c->sf ? "given" : "-", c->lane_type ? "given" : "-");
  for (i = 0; i < c->lanes && i < 16; i++)
    printf ("  lane %u: type %u, says %u, starts at %jd, stops after %jd\n",
	    i, c->lane[i].type, c->lane[i].reported,
	    (intmax_t) c->lane[i].start, (intmax_t) c->lane[i].grants);
}

#define MAX_LANES 1024

static struct
{
  uint64_t loops, grants, cut, forwarded, partial;
  unsigned max_ops;
} *stats;

#define MAX_WORKLOAD 4096

/* What the program may say about N iterations; it need not be true.  */

static const unsigned *
random_workload (uint64_t n)
{
  static unsigned workload[MAX_WORKLOAD];
  uint64_t i;
  unsigned how = below (5);

  if (n > MAX_WORKLOAD || one_in (4))
    return NULL;
  for (i = 0; i < n; i++)
    workload[i] = (how == 0 ? 0 : how == 1 ? i : how == 2 ? UINT32_MAX
		   : how == 3 ? one_in (16) * below (100000)
		   : magnitude (32));
  return workload;
}

/* A site that knows nothing; to be freed by free.  */

static struct amp_site *
new_site (unsigned lanes, unsigned types)
{
  size_t size = amp_site_size (lanes, types);
  struct amp_site *site = aligned_alloc (AMP_LINE, size);

  if (site == NULL)
    abort ();
  memset (site, 0, size);
  amp_site_format (site, site, lanes, types, 0);
  return site;
}

/* What other teams, or anything else, may do to a site meanwhile: no
   ordinal may depend on it.  */

static void
meddle (struct amp_site *site)
{
  static const double values[] = { 0.0, 1.0, -1.0, 1e-300, 1e300, 1e3 };
  uint64_t *word = &site->observed;
  size_t words = ((char *) site + amp_site_size (site->lanes, site->types)
		  - (char *) word) / sizeof *word;

  if (!one_in (4))
    return;
  word += below (words);
  switch (below (4))
    {
    case 0:
      *word = sim_random (&rng);
      break;
    case 1:
      *word = below (20);
      break;
    default:
      *word = amp_double_bits (one_in (4) ? 0.0 / 0.0
			       : values[below (6)] * (1.0 + below (1000)));
    }
}

/* A few loops one after the other in one block.  Returns how many, and stops
   at the first that is wrong.  */

static unsigned
random_case (uint64_t seed, bool *ok)
{
  static struct sim_lane lane[MAX_LANES];
  static unsigned char lane_type[MAX_LANES];
  static unsigned short cluster[MAX_LANES];
  double sf[AMP_MAX_TYPES];
  struct sim_config c;
  struct sim_result r;
  struct amp_loop *block;
  struct amp_site *site;
  unsigned loops, l, i, which, nschedulers = count_schedulers ();
  const char *wrong;

  rng = seed;
  *ok = true;
  memset (&c, 0, sizeof c);
  c.lanes = (one_in (50) ? 1 + below (MAX_LANES) : one_in (100) ? MAX_LANES
	     : one_in (4) ? 1 + below (64) : 1 + below (8));
  c.types = (one_in (20) ? AMP_MAX_TYPES : one_in (20)
	     ? 1 + below (AMP_MAX_TYPES) : 1 + below (8));
  c.lane = lane;
  block = sim_new_block (c.lanes, c.types);
  site = new_site (c.lanes, c.types);
  loops = 1 + below (8);
  for (l = 0; l < loops; l++)
    {
      bool plain = one_in (3);

      which = below (nschedulers);
      c.ops = amp_schedulers[which];
      c.site = one_in (2) ? site : NULL;
      c.observe = c.site != NULL && one_in (2);
      c.choice = one_in (4) ? 1 + below (AMP_CHOICES) : 0;
      c.crowded = one_in (8);
      c.observed_types = one_in (4);
      c.meddle = c.site != NULL && !plain && one_in (4) ? meddle : NULL;
      random_params (c.ops, &c.params);
      c.n = random_n (c.lanes);
      /* Many chunks take time, and are no different.  */
      if (c.ops == &amp_binlpt && c.params.value[0] > 4096 && !one_in (200))
	c.params.value[0] = 1 + below (4096);
      c.workload = random_workload (c.n);
      c.lane_cluster = one_in (3) ? cluster : NULL;
      for (i = 0; i < c.lanes; i++)
	cluster[i] = below (1 + c.lanes / 4);
      c.min_ticks = one_in (4) ? magnitude (64) : magnitude (20);
      c.seed = sim_random (&rng);
      c.cost = plain ? SIM_COST_CONSTANT : below (SIM_COSTS);
      c.clock = plain ? SIM_CLOCK_TRUE : below (SIM_CLOCKS);
      c.unit = (double) magnitude (30) / 16.0;
      c.rmw = one_in (2) ? 0.0 : (double) magnitude (10);
      c.max_grants = one_in (100) ? 20000 : 600;
      c.change = one_in (3) ? magnitude (40) : SIM_NEVER;
      for (i = 0; i < c.types; i++)
	{
	  c.speed[i] = (one_in (4) ? 1.0 : one_in (8) ? 1e-3 + below (1000)
			: 0.25 * (1 + below (16)));
	  c.later[i] = one_in (2) ? c.speed[i] : 0.1 * (1 + below (80));
	  sf[i] = one_in (8) ? 4096.0 : 1.0 + below (64) / 8.0;
	}
      sf[below (c.types)] = 1.0;
      c.sf = one_in (3) ? sf : NULL;
      c.lane_type = one_in (2) ? lane_type : NULL;
      c.guess = one_in (3);
      for (i = 0; i < c.lanes; i++)
	{
	  lane[i].type = below (c.types);
	  lane[i].reported = lane[i].type;
	  lane[i].start = 0;
	  lane[i].grants = SIM_NEVER;
	  lane[i].moves = SIM_NEVER;
	}
      if (one_in (4))
	for (i = 0; i < c.lanes; i++)
	  lane[i].type = lane[i].reported = lane[0].type;
      for (i = 0; i < c.lanes; i++)
	lane_type[i] = lane[i].type;
      if (!plain)
	for (i = 0; i < c.lanes; i++)
	  {
	    if (one_in (8))
	      lane[i].reported = one_in (2) ? below (c.types)
		: sim_random (&rng);
	    if (one_in (8))
	      lane_type[i] = sim_random (&rng);
	    if (one_in (4))
	      lane[i].start = magnitude (34);
	    if (one_in (16))
	      lane[i].start = SIM_NEVER;
	    if (one_in (16))
	      lane[i].grants = 1 + below (8);
	    if (one_in (8))
	      {
		lane[i].moves = magnitude (34);
		lane[i].next_type = below (c.types);
	      }
	  }
      wrong = sim_run (block, &c, &r);
      stats[which].loops++;
      stats[which].grants += r.grants;
      stats[which].cut += r.cut;
      stats[which].forwarded += r.forwarded;
      stats[which].partial += r.partial;
      if (r.max_ops > stats[which].max_ops)
	stats[which].max_ops = r.max_ops;
      if (wrong != NULL)
	{
	  printf ("FAIL: sim --case %ju: loop %u of its block: %s\n",
		  (uintmax_t) seed, l + 1, wrong);
	  print_config (&c);
	  *ok = false;
	  l++;
	  break;
	}
    }
  free (block);
  free (site);
  return l;
}

static void
random_cases (uint64_t seed, uint64_t runs)
{
  uint64_t done = 0, s;
  unsigned i, bad = 0;
  bool ok;

  for (s = seed; done < runs && bad < 10; s++)
    {
      done += random_case (s, &ok);
      bad += !ok;
    }
  printf ("%-12s %10s %12s %10s %10s %10s %8s\n", "scheduler", "loops",
	  "grants", "forwarded", "cut", "partial", "max ops");
  for (i = 0; amp_schedulers[i] != NULL; i++)
    printf ("%-12s %10ju %12ju %10ju %10ju %10ju %8u\n",
	    amp_schedulers[i]->name, (uintmax_t) stats[i].loops,
	    (uintmax_t) stats[i].grants, (uintmax_t) stats[i].forwarded,
	    (uintmax_t) stats[i].cut, (uintmax_t) stats[i].partial,
	    stats[i].max_ops);
  printf ("random: seeds %ju .. %ju, %ju loops, %u wrong\n", (uintmax_t) seed,
	  (uintmax_t) (s - 1), (uintmax_t) done, bad);
  bad ? failed++ : passed++;
}

/* Machines, for what follows.  */

struct machine
{
  const char *name;
  unsigned types;
  unsigned lanes[4];	/* Of each type.  */
  double speed[4];
};

static struct sim_lane machine_lane[MAX_LANES];
static unsigned char machine_type[MAX_LANES];

static void
set_machine (struct sim_config *c, const struct machine *m)
{
  unsigned i, j;

  memset (c, 0, sizeof *c);
  c->types = m->types;
  c->lane = machine_lane;
  c->change = SIM_NEVER;
  for (j = 0; j < m->types; j++)
    {
      c->speed[j] = c->later[j] = m->speed[j];
      for (i = 0; i < m->lanes[j]; i++)
	{
	  machine_lane[c->lanes].type = j;
	  machine_lane[c->lanes].reported = j;
	  machine_lane[c->lanes].start = 0;
	  machine_lane[c->lanes].grants = SIM_NEVER;
	  machine_lane[c->lanes].moves = SIM_NEVER;
	  machine_type[c->lanes++] = j;
	}
    }
  c->cost = SIM_COST_CONSTANT;
  c->clock = SIM_CLOCK_TRUE;
  c->max_grants = SIM_NEVER;
}

static bool
near (double x, double y, double relative)
{
  double d = x - y;
  return (d < 0 ? -d : d) <= 1.0 + relative * y;
}

static void
report (bool ok, const char *what, const struct sim_config *c)
{
  ok ? passed++ : failed++;
  if (!ok)
    {
      printf ("FAIL: %s\n", what);
      print_config (c);
    }
}

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
	  if (ok && given != (block->plan == AMP_PLAN_WEIGHTED))
	    {
	      printf ("plan %d\n", block->plan);
	      ok = false;
	    }
	  for (i = 0; ok && given && i < c.lanes; i++)
	    {
	      const uint64_t *bounds = amp_loop_bounds (block);
	      double want = sf[machine_type[i]] * k;

	      if (!near ((double) (bounds[i + 1] - bounds[i]), want, 1e-5)
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
	    double got = amp_bits_double (amp_loop_sf_bits (block)[j]);

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

	    uint64_t inside = sizes[s] - (sizes[s] != 0);

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
		double want = (double) inside * sum / parts;
		double part = given ? sf[machine_type[i]] : 1.0;
		uint64_t got;

		got = amp_first_unit (block, i);
		/* Even blocks are longer by 1 at the front.  */
		if ((double) got > want + (given && c.types > 1 ? 1.0
				   : c.lanes / 4.0)
		    || (double) got < want - 1.0)
		  {
		    printf ("lane %u's queue begins at %ju, not %f\n", i,
			    (uintmax_t) got, want);
		    ok = false;
		  }
		sum += part;
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

	    if (block->plan == AMP_PLAN_WEIGHTED)
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
	    uint64_t begin = block->binlpt->bound[i];
	    uint64_t end = block->binlpt->bound[i + 1], load = 0, k;

	    for (k = begin; k < end; k++)
	      load += workload[k];
	    chunk[i][0] = load;
	    chunk[i][1] = i;
	    if (begin >= end || load != block->binlpt->load[i]
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
	    if (block->binlpt->lane_of[chunk[i][1]] != best)
	      {
		printf ("chunk %ju went to lane %u, not %u\n",
			(uintmax_t) chunk[i][1],
			block->binlpt->lane_of[chunk[i][1]], best);
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

/* Sites.  One block and one site are used execution after execution.  */

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
  x->site = x->c.site = new_site (x->c.lanes, x->c.types);
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
		    ok = ok && x.block->plan == AMP_PLAN_NONE;
		    continue;
		  }
		if (k < 4 || k > 30)
		  ok = (ok && x.block->plan == AMP_PLAN_WEIGHTED
			&& x.efficiency > (o == 0 ? 0.985 : 0.995));
		if (o == 0 && x.r.grants > x.c.lanes)
		  ok = false;
		/* Where nothing was too much, a quarter of the way to 80 %.  */
		if (o == 1 && k == 1 && x.block->aid_n != x.c.n / 1000 * 275)
		  ok = false;
	      }
	    if (!ok)
	      printf ("%s, execution %u: plan %d, %ju grants, efficiency %f\n",
		      bound ? "bound" : "not bound", k, x.block->plan,
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

/* Where the dear iterations come first, 20 % of them do not make up for shares
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
  ok = x.block->aid_n < x.c.n && x.block->plan == AMP_PLAN_WEIGHTED;
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
	&& x.block->plan == AMP_PLAN_EVEN);
  report (ok, "types that are equal when observed", &x.c);
  end_course (&x);
}

/* auto converges within a few executions, and for each kind of loop to a
   schedule whose efficiency is near the best of them.  It begins to try others
   soon where the default leaves lanes waiting, and late where it does not.  */

static void
known_auto (void)
{
  static const struct machine machines[] = {
    { "", 1, { 4 }, { 1.0 } },
    { "", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } }
  };
  static const enum sim_cost costs[] = {
    SIM_COST_CONSTANT, SIM_COST_LINEAR, SIM_COST_LAST_HEAVY, SIM_COST_RANDOM
  };
  unsigned m, w, k, c;

  for (m = 0; m < 4; m++)
    for (w = 0; w < 4; w++)
      {
	double best = 0.0, reached[AMP_CHOICES], sum = 0.0, imbalance = 1.0;
	struct course x;
	bool ok = true, known = machines[m].types > 1;
	unsigned settled = 0, first = 0, trial = 0;

	for (c = 0; c < AMP_CHOICES; c++)
	  {
	    begin_course (&x, &machines[m], amp_choices[c]);
	    x.c.cost = costs[w];
	    for (k = 0; ok && k < 20; k++)
	      ok = execute_course (&x);
	    reached[c] = x.efficiency;
	    if (x.efficiency > best)
	      best = x.efficiency;
	    end_course (&x);
	  }
	begin_course (&x, &machines[m], NULL);
	x.c.cost = costs[w];
	for (k = 0; ok && k < 400; k++)
	  {
	    sim_visit (x.site);
	    c = amp_site_choose (x.site, x.c.n, x.c.lane_type, known, k,
				 &x.c.observe);
	    if (k == 0)
	      first = c;
	    if (trial == 0 && c != first)
	      {
		trial = k;
		imbalance = amp_load_double (&x.site->imbalance);
	      }
	    x.c.ops = amp_choices[c];
	    x.c.choice = c + 1;
	    ok = execute_course (&x);
	    if (settled == 0 && x.site->settled != 0)
	      settled = k;
	    if (k >= 200)
	      sum += x.efficiency / 200.0;
	  }
	if (settled == 0 || settled > 150 || sum < 0.96 * best)
	  {
	    printf ("settled after %u executions, efficiency %f; alone: static "
		    "%f, aid_static %f, aid_hybrid %f, aid_dynamic %f, ich %f\n",
		    settled, sum, reached[0], reached[1], reached[2],
		    reached[3], reached[4]);
	    ok = false;
	  }
	/* AMP_AUTO_RISK or AMP_AUTO_BALANCED_RISK of an execution must be
	   AMP_AUTO_BUDGET of those before.  */
	if (trial != 0 && (imbalance < 1.04 ? trial < 25 : trial > 8))
	  {
	    printf ("first trial after %u executions, imbalance %f\n", trial,
		    imbalance);
	    ok = false;
	  }
	x.c.ops = amp_choices[c];
	report (ok, "auto", &x.c);
	end_course (&x);
      }
}

/* Golden simulations.  */

struct golden
{
  const char *name;
  struct machine machine;
  uint64_t n;
  int param[AMP_MAX_PARAMS];
  enum sim_cost cost;
  bool sf;
  uint64_t change;
  unsigned stop;	/* Lane 1 stops after so many grants; 0: does not.  */
};

/* Params of -1 stand for the least valid value.  */
static const struct golden goldens[] = {
  { "defaults, 3:1", { "", 2, { 1, 1 }, { 3.0, 1.0 } }, 600, { 0, 0 },
    SIM_COST_CONSTANT, false, SIM_NEVER, 0 },
  { "least parameters, 2+2 of 2:1", { "", 2, { 2, 2 }, { 2.0, 1.0 } }, 60,
    { -1, -1 }, SIM_COST_CONSTANT, false, SIM_NEVER, 0 },
  { "three types, random costs", { "", 3, { 1, 1, 2 }, { 4.0, 2.0, 1.0 } },
    400, { 0, 0 }, SIM_COST_RANDOM, false, SIM_NEVER, 0 },
  { "heavy end, speeds change", { "", 2, { 1, 2 }, { 3.0, 1.0 } }, 400,
    { 0, 0 }, SIM_COST_LAST_HEAVY, false, 100000, 0 },
  { "known SF", { "", 2, { 2, 2 }, { 2.5, 1.0 } }, 200, { 0, 0 },
    SIM_COST_CONSTANT, true, SIM_NEVER, 0 },
  { "one type", { "", 1, { 3 }, { 1.0 } }, 40, { 0, 0 },
    SIM_COST_CONSTANT, false, SIM_NEVER, 0 },
  { "a lane stops", { "", 2, { 1, 2 }, { 2.0, 1.0 } }, 300, { 0, 0 },
    SIM_COST_CONSTANT, false, SIM_NEVER, 2 }
};

static void
write_grant (void *file, uint64_t now, unsigned lane,
	     const struct amp_chunk *chunk)
{
  fprintf (file, "%ju lane %u: %ju .. %ju\n", (uintmax_t) now, lane,
	   (uintmax_t) chunk->begin, (uintmax_t) chunk->end);
}

static char *
golden_text (const struct amp_ops *ops)
{
  char *text;
  size_t size, i, j;
  FILE *file = open_memstream (&text, &size);

  fprintf (file, "%s: time in ns, lane, ordinals from .. up to but without\n",
	   ops->name);
  for (i = 0; i < sizeof goldens / sizeof goldens[0]; i++)
    {
      const struct golden *g = &goldens[i];
      struct sim_config c;
      struct sim_result r;
      struct amp_loop *block;
      const char *wrong;

      set_machine (&c, &g->machine);
      c.ops = ops;
      for (j = 0; j < ops->nparams; j++)
	c.params.value[j] = (g->param[j] == -1 ? ops->param[j].min
			     : g->param[j]);
      c.n = g->n;
      c.cost = g->cost;
      c.unit = 1000.0;
      c.rmw = 50.0;
      c.min_ticks = 5000;
      c.seed = 1;
      if (g->sf)
	{
	  c.sf = g->machine.speed;
	  c.lane_type = machine_type;
	}
      c.change = g->change;
      if (g->change != SIM_NEVER)
	for (j = 0; j < c.types; j++)
	  c.later[j] = c.speed[c.types - 1 - j];
      if (g->stop)
	machine_lane[1].grants = g->stop;
      c.watch = write_grant;
      c.watch_data = file;
      fprintf (file, "\n%s, %ju iterations\n", g->name, (uintmax_t) g->n);
      block = sim_new_block (c.lanes, c.types);
      wrong = sim_run (block, &c, &r);
      free (block);
      if (wrong != NULL)
	fprintf (file, "WRONG: %s\n", wrong);
    }
  fclose (file);
  return text;
}

static void
golden (const char *folder, bool update)
{
  const struct amp_ops *const *p;

  for (p = amp_schedulers; *p != NULL; p++)
    {
      char name[1000], line[200];
      char *text = golden_text (*p), *s = text;
      FILE *file;
      bool ok = strstr (text, "WRONG") == NULL;
      unsigned number = 0;

      snprintf (name, sizeof name, "%s/%s.txt", folder, (*p)->name);
      if (update)
	{
	  file = fopen (name, "w");
	  if (file == NULL || fputs (text, file) == EOF || fclose (file) != 0)
	    {
	      printf ("FAIL: %s: %s\n", name, strerror (errno));
	      ok = false;
	    }
	}
      else if ((file = fopen (name, "r")) == NULL)
	{
	  printf ("FAIL: %s: %s; a new scheduler needs sim --golden %s "
		  "--update\n", name, strerror (errno), folder);
	  ok = false;
	}
      else
	{
	  while (ok && fgets (line, sizeof line, file) != NULL)
	    {
	      size_t len = strlen (line);

	      number++;
	      ok = strncmp (s, line, len) == 0;
	      if (!ok)
		printf ("FAIL: %s:%u: expected %s  now: %.*s\n", name, number,
			line, (int) strcspn (s, "\n"), s);
	      s += ok ? len : 0;
	    }
	  if (ok && *s != '\0')
	    {
	      printf ("FAIL: %s: ends too early\n", name);
	      ok = false;
	    }
	  fclose (file);
	}
      ok ? passed++ : failed++;
      free (text);
    }
}

/* Efficiencies, for information.  */

static void
table (void)
{
  static const struct machine machines[] = {
    { "2 equal", 1, { 2 }, { 1.0 } },
    { "1+1 3:1", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "4+4 2.5:1", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "1+3+4 4:2:1", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } },
    { "64+64 2:1", 2, { 64, 64 }, { 2.0, 1.0 } }
  };
  static const struct
  {
    const char *name;
    enum sim_cost cost;
    double unit;
    uint64_t n;		/* Per lane.  */
  } loads[] = {
    { "constant 1 us", SIM_COST_CONSTANT, 1000.0, 20000 },
    { "constant 10 ns", SIM_COST_CONSTANT, 10.0, 20000 },
    { "linear", SIM_COST_LINEAR, 1000.0, 20000 },
    { "last heavy", SIM_COST_LAST_HEAVY, 1000.0, 20000 },
    { "random", SIM_COST_RANDOM, 1000.0, 2000 },
    { "spikes", SIM_COST_SPIKES, 1000.0, 2000 }
  };
  unsigned m, l;
  const struct amp_ops *const *p;

  printf ("efficiency: ideal / makespan, default parameters, 20 ns per "
	  "atomic update, samples of 5 us\n%-12s %-15s", "machine", "load");
  for (p = amp_schedulers; *p != NULL; p++)
    printf (" %12s", (*p)->name);
  putchar ('\n');
  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (l = 0; l < sizeof loads / sizeof loads[0]; l++)
      {
	printf ("%-12s %-15s", machines[m].name, loads[l].name);
	for (p = amp_schedulers; *p != NULL; p++)
	  {
	    struct sim_config c;
	    struct sim_result r;
	    struct amp_loop *block;

	    set_machine (&c, &machines[m]);
	    c.ops = *p;
	    c.n = loads[l].n * c.lanes;
	    c.cost = loads[l].cost;
	    c.unit = loads[l].unit;
	    c.rmw = 20.0;
	    c.min_ticks = 5000;
	    block = sim_new_block (c.lanes, c.types);
	    if (sim_run (block, &c, &r) != NULL)
	      printf (" %12s", sim_message);
	    else
	      printf (" %12.3f", r.ideal / (double) r.makespan);
	    free (block);
	  }
	putchar ('\n');
      }
}

int
main (int argc, char **argv)
{
  uint64_t seed = 1, runs = 100000;
  const char *folder = NULL;
  bool update = false, known = false, show = false, once = false, ok;
  bool chosen = false;
  int i;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (i = 1; i < argc; i++)
    {
      const char *value = i + 1 < argc ? argv[i + 1] : "";

      if (strcmp (argv[i], "--seed") == 0 && ++i)
	seed = strtoull (value, NULL, 10);
      else if (strcmp (argv[i], "--runs") == 0 && ++i)
	runs = strtoull (value, NULL, 10);
      else if (strcmp (argv[i], "--case") == 0 && ++i)
	{
	  seed = strtoull (value, NULL, 10);
	  chosen = once = true;
	}
      else if (strcmp (argv[i], "--known") == 0)
	chosen = known = true;
      else if (strcmp (argv[i], "--golden") == 0 && ++i)
	{
	  folder = value;
	  chosen = true;
	}
      else if (strcmp (argv[i], "--update") == 0)
	update = true;
      else if (strcmp (argv[i], "--table") == 0)
	chosen = show = true;
      else
	{
	  fprintf (stderr, "sim: what is '%s'?\n", argv[i]);
	  return 2;
	}
    }
  stats = calloc (count_schedulers (), sizeof *stats);
  if (known)
    {
      known_shares ();
      known_ratios ();
      known_uniform ();
      known_sites ();
      known_pools ();
      known_moves ();
      known_auto ();
      known_queues ();
      known_clusters ();
      known_ich ();
      known_pace ();
      known_retirement ();
      known_amp ();
      known_unknown_amp ();
      known_binlpt ();
    }
  if (folder != NULL)
    golden (folder, update);
  if (show)
    table ();
  if (once)
    {
      printf ("%u loops\n", random_case (seed, &ok));
      ok ? passed++ : failed++;
    }
  if (!chosen)
    random_cases (seed, runs);
  printf ("%u passed, %u failed, 0 skipped\n", passed, failed);
  return failed != 0;
}

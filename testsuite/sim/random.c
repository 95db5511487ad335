/* SPDX-License-Identifier: GPL-3.0-or-later

   Random simulations: sequences of loops of every scheduler, each checked
   against the contract in amp.h.  Included by sim.c.  */

#include "draw.h"

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

/* How many are drawn: those of the registry, and blocks alone.  */

static unsigned
count_schedulers (void)
{
  unsigned i = 0;

  while (amp_schedulers[i] != NULL)
    i++;
  return i + 1;
}

static void
print_config (const struct sim_config *c)
{
  printf ("  %s,%d,%d n=%ju lanes=%u types=%u min_ticks=%ju cost=%d unit=%g "
	  "clock=%d rmw=%g sf=%s expected types=%s\n", c->ops->name,
	  c->params.value[0], c->params.value[1], (uintmax_t) c->n, c->lanes,
	  c->types, (uintmax_t) c->min_ticks, c->cost, c->unit, c->clock,
	  c->rmw, c->sf ? "given" : "-", c->lane_type ? "given" : "-");
  for (unsigned i = 0; i < c->lanes && i < 16; i++)
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
  unsigned how = below (5);

  if (n > MAX_WORKLOAD || one_in (4))
    return NULL;
  for (uint64_t i = 0; i < n; i++)
    workload[i] = (how == 0 ? 0 : how == 1 ? i : how == 2 ? UINT32_MAX
		   : how == 3 ? one_in (16) * below (100000)
		   : magnitude (32));
  return workload;
}

/* What other teams, or anything else, may do to a site meanwhile: no
   ordinal may depend on it.  */

static void
meddle (struct amp_site *site)
{
  static const double values[] = { 0.0, 1.0, -1.0, 1e-300, 1e300, 1e3 };
  uint64_t *word = &site->observations;
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

/* What a lane has had; it need not be true.  */

static void
random_count (void *data, unsigned lane, struct amp_counts *counts)
{
  (void) data;
  (void) lane;
  counts->faults = magnitude (64);
  counts->misses = magnitude (64);
  counts->instructions = magnitude (64);
}

/* A few loops one after the other in one block.  Returns how many, and stops
   at the first that is wrong.  */

static unsigned
random_case (uint64_t seed, bool *ok)
{
  static struct sim_lane lane[MAX_LANES];
  static unsigned char lane_type[MAX_LANES];
  static unsigned short cluster[MAX_LANES], cluster_size[MAX_LANES + 4];
  double sf[AMP_MAX_TYPES];
  struct sim_config c;
  struct sim_result r;
  struct amp_loop *block;
  struct amp_site *site;
  struct amp_plan *plan;
  unsigned loops, l, i, which, before = 0, nschedulers = count_schedulers ();
  const char *wrong;
  bool again;

  rng = seed;
  *ok = true;
  memset (&c, 0, sizeof c);
  c.lanes = (one_in (50) ? 1 + below (MAX_LANES) : one_in (100) ? MAX_LANES
	     : one_in (4) ? 1 + below (64) : 1 + below (8));
  c.types = (one_in (20) ? AMP_MAX_TYPES : one_in (20)
	     ? 1 + below (AMP_MAX_TYPES) : 1 + below (8));
  c.lane = lane;
  block = sim_new_block (c.lanes, c.types);
  site = sim_new_site (c.lanes, c.types, 0);
  plan = sim_new_plan (c.lanes, c.types);
  loops = 1 + below (8);
  for (l = 0; l < loops; l++)
    {
      bool plain = one_in (3);

      which = below (nschedulers);
      /* Now and then the same again.  */
      again = l > 0 && one_in (3);
      if (again)
	which = before;
      before = which;
      c.ops = amp_schedulers[which];
      if (c.ops == NULL)
	c.ops = &amp_own_blocks;
      c.plan = one_in (2) ? plan : NULL;
      c.site = one_in (2) ? site : NULL;
      c.observe = c.site != NULL && one_in (2);
      c.is_auto = one_in (4);
      c.crowded = one_in (8);
      c.observed_types = one_in (4);
      c.meddle = c.site != NULL && !plain && one_in (4) ? meddle : NULL;
      if (!again)
	{
	  random_params (c.ops, &c.params);
	  c.n = random_n (c.lanes);
	}
      /* Many chunks take time, and are no different.  */
      if (c.ops == &amp_binlpt && c.params.value[0] > 4096 && !one_in (200))
	c.params.value[0] = 1 + below (4096);
      c.workload = random_workload (c.n);
      c.lane_cluster = one_in (3) ? cluster : NULL;
      c.clusters = one_in (4) ? below (4) : 1 + c.lanes / 4;
      for (i = 0; i < c.lanes; i++)
	{
	  cluster[i] = below (1 + c.lanes / 4);
	  cluster_size[i] = below (1 + c.lanes);
	}
      c.cluster_size = one_in (2) ? cluster_size : NULL;
      c.fault_cost = one_in (2) ? 0.0 : (double) magnitude (30);
      c.miss_limit = 3.0;
      c.count = one_in (2) ? random_count : NULL;
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
      c.types_guessed = one_in (3);
      c.left_out = one_in (3) ? sim_random (&rng) : 0;
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
  free (plan);
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

/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of the schedules that know clusters, whose outcome is known.
   Included by sim.c.  */

static unsigned short cluster_of[MAX_LANES], cluster_lanes[MAX_LANES];

/* C's lanes belong to CLUSTERS clusters of equally many, in their order.  */

static void
set_clusters (struct sim_config *c, unsigned clusters)
{
  unsigned i;

  memset (cluster_lanes, 0, sizeof cluster_lanes);
  for (i = 0; i < c->lanes; i++)
    {
      cluster_of[i] = i * clusters / c->lanes;
      cluster_lanes[cluster_of[i]]++;
    }
  c->lane_cluster = cluster_of;
  c->clusters = clusters;
  c->cluster_size = cluster_lanes;
}

/* What lanes are given first.  */

struct firsts
{
  uint64_t begin[8], end[8];
  unsigned seen;
  uint64_t longest;
};

static void
watch_firsts (void *data, uint64_t now, unsigned lane,
	      const struct amp_chunk *chunk)
{
  struct firsts *f = data;

  (void) now;
  if (chunk->end - chunk->begin > f->longest)
    f->longest = chunk->end - chunk->begin;
  if (f->seen >> lane & 1)
    return;
  f->seen |= 1u << lane;
  f->begin[lane] = chunk->begin;
  f->end[lane] = chunk->end;
}

/* A cluster's batch is the chunk times its CPUs, and its lanes get chunks of
   that; nobody gets more at once.  */

static void
known_batches (void)
{
  static const struct machine flat = { "", 1, { 8 }, { 1.0 } };
  static const uint64_t want[8] = { 0, 3, 12, 15, 24, 27, 36, 39 };
  struct amp_loop *block = sim_new_block (8, 1);
  struct sim_config c;
  struct sim_result r;
  struct firsts f;
  bool ok;
  unsigned i;

  set_machine (&c, &flat);
  set_clusters (&c, 4);
  c.ops = &amp_cluster_dynamic;
  c.params.value[0] = 3;
  c.n = 1000;
  c.unit = 1000.0;
  c.watch = watch_firsts;
  c.watch_data = &f;
  /* The others come when cluster 0 has taken a batch, and a second one with the
     first one's last chunk; and so does each.  */
  for (i = 2; i < 8; i++)
    machine_lane[i].start = 1;
  memset (&f, 0, sizeof f);
  ok = sim_run (block, &c, &r) == NULL && f.longest == 3;
  for (i = 0; ok && i < 8; i++)
    ok = f.begin[i] == want[i] && f.end[i] == want[i] + 3;
  report (ok, "a cluster's batch is its CPUs' chunks", &c);

  /* What a cluster has fetched and leaves is run by the other.  */
  set_machine (&c, &flat);
  set_clusters (&c, 2);
  c.ops = &amp_cluster_dynamic;
  c.params.value[0] = 3;
  c.n = 1000;
  c.unit = 1000.0;
  for (i = 4; i < 8; i++)
    machine_lane[i].grants = 1;
  for (i = 5; i < 8; i++)
    machine_lane[i].start = SIM_NEVER;
  ok = sim_run (block, &c, &r) == NULL && r.given[4] == 3
    && r.given[0] + r.given[1] + r.given[2] + r.given[3] == 997;
  report (ok, "what a cluster leaves is run by others", &c);
  free (block);
}

/* Lanes whose iterations are short, where a line that another core has costs 40
   ns, and 150 where that is of another cluster: what cluster_dynamic takes, as
   a part of what dynamic does.  */

static double
against_dynamic (unsigned lanes, unsigned clusters)
{
  struct machine flat = { "", 1, { lanes }, { 1.0 } };
  struct amp_loop *block = sim_new_block (lanes, 1);
  uint64_t took[2];
  unsigned i;

  for (i = 0; i < 2; i++)
    {
      struct sim_config c;
      struct sim_result r;

      set_machine (&c, &flat);
      set_clusters (&c, clusters);
      c.ops = i == 0 ? &amp_reference : &amp_cluster_dynamic;
      c.n = 300 * (uint64_t) lanes;
      c.cost = SIM_COST_RANDOM;
      c.unit = 1000.0;
      c.own = 8.0;
      c.hold = 10.0;
      c.rmw = 40.0;
      c.far = 150.0;
      if (sim_run (block, &c, &r) != NULL)
	r.makespan = UINT64_MAX;
      took[i] = r.makespan;
    }
  free (block);
  return (double) took[1] / (double) took[0];
}

static void
known_hierarchy (void)
{
  static const struct
  {
    unsigned lanes, clusters;
    double most;
  } cases[] = {
    { 8, 1, 1.0 }, { 512, 1, 1.0 }, { 8, 2, 0.95 }, { 16, 2, 0.7 },
    { 32, 2, 0.4 }, { 64, 2, 0.3 }, { 64, 8, 0.2 }, { 128, 2, 0.3 },
    { 128, 16, 0.2 }, { 512, 2, 0.3 }, { 512, 64, 0.2 }
  };
  struct sim_config c;
  unsigned i;

  memset (&c, 0, sizeof c);
  c.ops = &amp_cluster_dynamic;
  for (i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      double part = against_dynamic (cases[i].lanes, cases[i].clusters);
      bool ok = part <= cases[i].most;

      /* With one cluster it is dynamic.  */
      if (cases[i].clusters == 1)
	ok = part == 1.0;
      if (!ok)
	printf ("%u lanes, %u clusters: %f of dynamic\n", cases[i].lanes,
		cases[i].clusters, part);
      report (ok, "the loop's line travels once a batch", &c);
    }
}

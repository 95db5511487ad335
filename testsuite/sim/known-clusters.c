/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of the schedules that know clusters, whose outcome is known.
   Included by sim.c.  */

static unsigned short cluster_of[MAX_LANES], cluster_lanes[MAX_LANES];

/* C's lanes belong to CLUSTERS clusters of equally many, in their order.  */

static void
set_clusters (unsigned clusters)
{
  memset (cluster_lanes, 0, sizeof cluster_lanes);
  for (unsigned i = 0; i < c.lanes; i++)
    {
      cluster_of[i] = i * clusters / c.lanes;
      cluster_lanes[cluster_of[i]]++;
    }
  c.lane_cluster = cluster_of;
  c.clusters = clusters;
  c.cluster_size = cluster_lanes;
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

KNOWN (batches, known_batches)
{
  static const uint64_t want[8] = { 0, 3, 12, 15, 24, 27, 36, 39 };
  struct firsts f = { .seen = 0 };

  BEGIN ("8 1", &amp_cluster_dynamic, .params = { { 3 } }, .n = 1000,
	 .unit = 1000.0, .watch = watch_firsts, .watch_data = &f);
  set_clusters (4);
  /* The others come when cluster 0 has taken a batch, and a second one with the
     first one's last chunk; and so does each.  */
  for (unsigned i = 2; i < 8; i++)
    machine_lane[i].start = 1;
  run_on ();
  for (unsigned i = 0; i < 8; i++)
    ok &= f.begin[i] == want[i] && f.end[i] == want[i] + 3;
  report (f.longest == 3, "a cluster's batch is its CPUs' chunks");

  /* What a cluster has fetched and leaves is run by a lane that has not yet run
     what lies beyond it, and by no other.  */
  BEGIN ("8 1", &amp_cluster_dynamic, .params = { { 3 } }, .n = 1000,
	 .unit = 1000.0);
  set_clusters (2);
  for (unsigned i = 4; i < 8; i++)
    machine_lane[i].grants = 1;
  for (unsigned i = 5; i < 8; i++)
    machine_lane[i].start = SIM_NEVER;
  for (unsigned i = 0; i < 3; i++)
    machine_lane[i].start = 1;
  machine_lane[3].start = 1000000;
  report (run_on () && r.given[4] == 3 && r.given[3] == 9
	  && r.given[0] + r.given[1] + r.given[2] == 988,
	  "what a cluster leaves is run by a lane that comes late");
  machine_lane[3].start = SIM_NEVER;
  report (run_on () && r.given[4] == 3
	  && r.given[0] + r.given[1] + r.given[2] == 988,
	  "what a cluster leaves is not for those that are beyond it");
}

/* Lanes whose iterations are short, where a line that another core has costs 40
   ns, and 150 where that is of another cluster: what cluster_dynamic takes, as
   a part of what dynamic does.  */

static double
against_dynamic (unsigned lanes, unsigned clusters)
{
  struct machine flat = { 1, { lanes }, { 1.0 } };
  double took[2];

  for (unsigned i = 0; i < 2; i++)
    {
      begin_on (&flat, (struct sim_config) {
	.ops = i == 0 ? &amp_reference : &amp_cluster_dynamic,
	.n = 300 * (uint64_t) lanes, .cost = SIM_COST_RANDOM, .unit = 1000.0,
	.own = 8.0, .hold = 10.0, .rmw = 40.0, .far = 150.0
      });
      set_clusters (clusters);
      run_on ();
      took[i] = (double) r.makespan;
    }
  return took[1] / took[0];
}

KNOWN (batches, known_hierarchy)
{
  static const struct { unsigned lanes, clusters; double most; } cases[] = {
    { 8, 1, 1.0 }, { 512, 1, 1.0 }, { 8, 2, 0.95 }, { 16, 2, 0.7 },
    { 32, 2, 0.4 }, { 64, 2, 0.3 }, { 64, 8, 0.2 }, { 128, 2, 0.3 },
    { 128, 16, 0.2 }, { 512, 2, 0.3 }, { 512, 64, 0.2 }
  };

  EACH (i, cases)
    {
      double part = against_dynamic (cases[i].lanes, cases[i].clusters);

      /* With one cluster it is dynamic.  */
      expect (cases[i].clusters == 1 ? part == 1.0 : part <= cases[i].most,
	      "%u lanes, %u clusters: %f of dynamic", cases[i].lanes,
	      cases[i].clusters, part);
      report (true, "the loop's line travels once a batch");
    }
}

/* The paper's machine: 16 lanes of a Xeon, cluster 0, and 96 of a ThunderX,
   which are slower.  A page that another cluster wrote last costs who needs it.
   What its ten loops are like, as far as the paper tells: the ratio of speeds in
   its table 2, and for the others such that the processor is the better one that
   was; how they share pages such that its figures 8 and 9 come out.  */

#define XEON 16
#define SHARED_SIMULATED 70
#define LOOP_N 11200
#define LOOP_PAGES 4096

struct shared_loop
{
  const char *name;
  double ratio;		/* Speed of a Xeon's lane over a ThunderX's.  */
  double unit;		/* Microseconds of an iteration on the latter.  */
  unsigned per_page;	/* Iterations that write to one page, always the
			   same; 0: none.  */
  double strange;	/* Pages that any iteration may need, and writes
			   to, per iteration.  */
  double misses;	/* Per 1000 instructions.  */
  int best;		/* What the paper chose at 30 us: -1 both.  */
};

static const struct shared_loop shared_loops[] = {
  { "blackscholes", 3.0, 100.0, 8, 0.0, 1.0, -1 },
  { "EP", 2.5, 400.0, 0, 0.0, 0.1, -1 },
  { "kmeans", 1.0, 130.0, 0, 0.1, 1.0, -1 },
  { "lavaMD", 3.666, 200.0, 4, 0.2, 1.0, -1 },
  { "BT", 3.0, 60.0, 4, 1.2, 1.0, 1 },
  { "cfd", 5.0, 50.0, 4, 1.0, 1.0, 1 },
  { "lud", 2.5, 50.0, 4, 1.0, 1.0, 1 },
  { "CG", 8.0, 40.0, 0, 1.0, 20.0, 0 },
  { "SP", 9.0, 40.0, 4, 1.0, 10.0, 0 },
  { "streamcluster", 10.0, 30.0, 0, 1.0, 30.0, 0 }
};

struct shared_world
{
  const struct shared_loop *loop;	/* Of the execution under way.  */
  double cost[2];		/* Of a page, in ns, by who needs it.  */
  unsigned first;		/* The machine's first lane is this one of the
				   paper's.  */
  uint64_t execution;
  unsigned char owner[LOOP_N], any_owner[LOOP_PAGES];
  uint64_t faults[XEON + 96], iterations[XEON + 96];
  const struct shared_loop *first_part;	/* NULL, or what the first fifth of
					   it is like.  */
  unsigned change;		/* From this execution on ... */
  const struct shared_loop *later;	/* ... it is like that one.  */
  /* What was seen: the iterations of each cluster in each execution, and those
     whose lanes began elsewhere than at their part of a probe of 10 %.  */
  uint64_t given[SHARED_SIMULATED][2];
  unsigned strayed[SHARED_SIMULATED];
  uint64_t first_chunk;		/* Iterations of lane 0's.  */
  unsigned char began[XEON + 96];
};

static void
watch_probes (void *data, uint64_t now, unsigned lane,
	      const struct amp_chunk *chunk)
{
  struct shared_world *w = data;

  (void) now;
  if (w->began[lane])
    return;
  w->began[lane] = true;
  if (lane == 0)
    w->first_chunk = chunk->end - chunk->begin;
  w->strayed[w->execution] += (chunk->begin != lane * 10
			       || chunk->end != (lane + 1) * 10);
}

static double
fetch_pages (void *data, unsigned lane, const struct amp_chunk *chunk)
{
  struct shared_world *w = data;
  unsigned cluster = lane + w->first >= XEON;
  uint64_t i, faults = 0, page;

  for (i = chunk->begin; i < chunk->end; i++)
    {
      const struct shared_loop *loop
	= w->first_part != NULL && i < LOOP_N / 5 ? w->first_part : w->loop;
      double left = loop->strange;
      uint64_t h = sim_mix (i * 31 + w->execution * 1000003);

      if (loop->per_page != 0)
	{
	  page = i / loop->per_page;
	  faults += w->owner[page] != cluster;
	  w->owner[page] = cluster;
	}
      for (; left > 0.0; left -= 1.0, h = sim_mix (h))
	if (left >= 1.0 || (double) (h >> 40) < left * (1 << 24))
	  {
	    page = h % LOOP_PAGES;
	    faults += w->any_owner[page] != cluster;
	    w->any_owner[page] = cluster;
	  }
    }
  w->faults[lane] += faults;
  w->iterations[lane] += chunk->end - chunk->begin;
  return (double) faults * w->cost[cluster];
}

static void
count_pages (void *data, unsigned lane, struct amp_counts *counts)
{
  const struct shared_world *w = data;

  counts->faults = w->faults[lane];
  counts->instructions = w->iterations[lane] * 100000;
  counts->misses = (uint64_t) ((double) counts->instructions
			       * w->loop->misses / 1000.0);
}

/* A loop is executed so often.  What is simulated is EXECUTIONS of them, the
   SHARED_LAST last of which stand for the others.  */
#define SHARED_EXECUTIONS 1200
#define SHARED_LAST 4

/* What W's loop takes on the lanes FROM .. TO-1 under OPS, with the blocks of a
   known SF if RATIO is not 0.  Data begin where thread 0 is.  */

static double
shared_time (struct shared_world *w, const struct amp_ops *ops, int param,
	     unsigned from, unsigned to, double ratio, unsigned executions)
{
  double last = 0.0, sum = 0.0;
  struct machine m = { 2, { 0, 0 }, { w->loop->ratio, 1.0 } };
  double sf[2] = { ratio, 1.0 };
  struct amp_loop *again;
  struct amp_site *seen;

  m.lanes[0] = from < XEON ? (to < XEON ? to : XEON) - from : 0;
  m.lanes[1] = to - from - m.lanes[0];
  again = sim_new_block (to - from, 2);
  seen = sim_new_site (to - from, 2, amp_site_magnitude (LOOP_N));
  memset (w->owner, from >= XEON, sizeof w->owner);
  memset (w->any_owner, from >= XEON, sizeof w->any_owner);
  memset (w->faults, 0, sizeof w->faults);
  memset (w->iterations, 0, sizeof w->iterations);
  w->first = from;
  for (unsigned e = 0; ok && e < executions; e++)
    {
      struct amp_facts facts = { .ops = ops, .params = { { param } },
				 .turn = e };

      w->execution = e;
      if (w->later != NULL && e == w->change)
	w->loop = w->later;
      memset (w->began, 0, sizeof w->began);
      w->strayed[e] = 0;
      w->given[e][0] = w->given[e][1] = 0;
      begin_on (&m, (struct sim_config) {
	.n = LOOP_N, .unit = w->loop->unit * 1000.0, .min_ticks = 5000,
	.rmw = 40.0, .own = 8.0, .hold = 10.0, .far = 4000.0,
	.fetch = fetch_pages, .count = count_pages, .data = w,
	.watch = watch_probes, .watch_data = w,
	.fault_cost = (w->cost[0] + w->cost[1]) / 2.0, .miss_limit = 3.0,
	.lane_type = machine_type, .sf = ratio > 0.0 ? sf : NULL,
	.site = ratio > 0.0 ? NULL : seen, .lane_cluster = cluster_of,
	.clusters = 2, .cluster_size = cluster_lanes
      });
      for (unsigned i = 0; i < c.lanes; i++)
	cluster_of[i] = i + from >= XEON;
      cluster_lanes[0] = XEON;
      cluster_lanes[1] = 96;
      sim_decide (&c, &facts);
      free (block);
      block = again;
      run_on ();
      block = NULL;
      for (unsigned i = 0; i < c.lanes; i++)
	w->given[e][i + from >= XEON] += r.given[i];
      sum += (double) r.makespan;
      if (e + SHARED_LAST >= executions)
	last += (double) r.makespan / SHARED_LAST;
    }
  free (again);
  free (seen);
  return sum + (SHARED_EXECUTIONS - executions) * last;
}

/* On all lanes of both.  */

static double
on_both (struct shared_world *w, const struct amp_ops *ops, int param,
	 unsigned executions)
{
  return shared_time (w, ops, param, 0, XEON + 96, 0.0, executions);
}

/* The best of all divisions by search: one cluster, or both in the proportion
   that proves best.  *BEST becomes the cluster, or -1.  */

static double
shared_oracle (struct shared_world *w, int *best)
{
  double xeon = shared_time (w, &amp_aid_static, 0, 0, XEON, 1.0, 4);
  double thunder = shared_time (w, &amp_aid_static, 0, XEON, XEON + 96, 1.0,
				4);
  double least = xeon < thunder ? xeon : thunder, ratio;

  *best = thunder < xeon;
  for (ratio = 1.0; ratio < 12.0; ratio *= 1.12)
    {
      double both = shared_time (w, &amp_aid_static, 0, 0, XEON + 96, ratio,
				 10);

      if (both < least)
	{
	  least = both;
	  *best = -1;
	}
    }
  return least;
}

/* hetprobe's first part is the same for each lane each time; who is left out has
   nothing more, and after ten probes nothing at all; and when the loop is
   another all is probed again.  */

KNOWN (probes, known_probes)
{
  static struct shared_world w;

  w.cost[0] = w.cost[1] = 30e3;
  w.loop = &shared_loops[7];	/* CG: for the Xeon alone.  */
  w.later = &shared_loops[1];	/* EP: for both.  */
  w.change = 40;
  on_both (&w, &amp_hetprobe, 0, SHARED_SIMULATED);
  for (unsigned e = 0; e < 10; e++)
    ok &= w.strayed[e] == 0;
  report (true, "a probe is the same for each lane each time");
  report (w.given[5][1] == 960 && w.given[9][1] == 960,
	  "who is left out has a probe and no more");
  for (unsigned e = 10; e < 40; e++)
    ok &= w.given[e][1] == 0;
  report (true, "ten probes are enough");
  /* The cores are those of CG, 8 to 1: 96 of 224 parts.  */
  report (near ((double) w.given[SHARED_SIMULATED - 1][1],
		LOOP_N * 96.0 / 224.0, 0.01),
	  "a loop that has changed is probed again");
  w.later = NULL;
  /* Speeds of 2.5 to 1: 40 and 96 of 136 parts.  */
  on_both (&w, &amp_hetprobe, 0, 12);
  report (near ((double) w.given[2][0], LOOP_N * 40.0 / 136.0, 0.01)
	  && near ((double) w.given[11][0], LOOP_N * 40.0 / 136.0, 0.01),
	  "clusters run in proportion to their speeds");
}

KNOWN (hetprobe, known_hetprobe)
{
  static const double costs[] = { 30e3, 90e3, 120e3 };
  static struct shared_world w;
  double gain_probe = 1.0, gain_dynamic = 1.0;
  unsigned gaining = 0;
  bool show = getenv ("SHARED_TABLE") != NULL;

  EACH (k, costs)
    EACH (i, shared_loops)
      {
	double oracle, probe, dynamic, xeon;
	int best;

	w.loop = &shared_loops[i];
	w.cost[0] = w.cost[1] = costs[k];
	oracle = shared_oracle (&w, &best);
	probe = on_both (&w, &amp_hetprobe, 0, 50);
	xeon = shared_time (&w, &amp_aid_static, 0, 0, XEON, 1.0, 4);
	dynamic = on_both (&w, &amp_cluster_dynamic, 1, 10);
	ok &= probe <= 1.07 * oracle && (k != 0 || best == w.loop->best);
	if (show || !ok)
	  printf ("%s %g us: oracle %d %.3f, hetprobe %.3f of it, xeon %.3f, "
		  "cluster_dynamic %.3f\n", w.loop->name, w.cost[0] / 1e3,
		  best, oracle / 1e9, probe / oracle, xeon / oracle,
		  dynamic / oracle);
	report (true, "hetprobe is as good as an oracle");
	if (k == 0 && w.loop->best < 0)
	  {
	    gaining++;
	    gain_probe *= xeon / probe;
	    gain_dynamic *= xeon / dynamic;
	  }
      }
  if (show)
    printf ("product of gains: hetprobe %.1f, cluster_dynamic %.1f\n",
	    gain_probe, gain_dynamic);
  /* The paper's means are geometric ones of four.  */
  report (gaining == 4 && gain_probe >= 2.4 * 2.4 * 2.4 * 2.4
	  && gain_dynamic >= 2.68 * 2.68 * 2.68 * 2.68,
	  "both clusters gain what they do in the paper");
}

/* Loops whose first part misleads: the first fifth needs pages from everywhere,
   and is best run by one cluster.  What hetprobe_i takes, as a part of what
   hetprobe takes, which is to be at most MOST; else it is printed.  */

static bool
against_hetprobe (struct shared_world *w, unsigned executions, double most,
		  const char *name)
{
  double part = (on_both (w, &amp_hetprobe_i, 0, executions)
		 / on_both (w, &amp_hetprobe, 0, executions));

  if (getenv ("SHARED_TABLE") != NULL || part > most)
    printf ("%s: hetprobe_i takes %.3f of hetprobe\n", name, part);
  return part <= most;
}

KNOWN (hetprobe_i, known_hetprobe_i)
{
  /* The rest shares nothing, and both clusters gain half or a third.  */
  static const struct shared_loop misleading[][2] = {
    { { "first 3 to 1", 3.0, 60.0, 0, 2.0, 1.0, 1 },
      { "", 3.0, 60.0, 0, 0.0, 1.0, -1 } },
    { { "first 2 to 1", 2.0, 80.0, 0, 3.0, 1.0, 1 },
      { "", 2.0, 80.0, 0, 0.0, 1.0, -1 } },
    { { "first 8 to 1", 8.0, 40.0, 0, 1.0, 10.0, 0 },
      { "", 8.0, 40.0, 0, 0.0, 1.0, -1 } }
  };
  static struct shared_world w;

  w.cost[0] = w.cost[1] = 30e3;
  EACH (first, misleading)
    {
      w.first_part = &misleading[first][0];
      w.loop = &misleading[first][1];
      report (against_hetprobe (&w, 30, 1.0 / 1.2, w.first_part->name),
	      "who probes again finds what the first part has hidden");
      on_both (&w, &amp_hetprobe_i, 0, 30);
      report (w.first_chunk == LOOP_N / 5 / 10 / (XEON + 96),
	      "parts that differ are probed each time");
    }
  w.first_part = NULL;
  EACH (i, shared_loops)
    {
      w.loop = &shared_loops[i];
      report (against_hetprobe (&w, 50, 1.0 / 0.9, w.loop->name),
	      "to probe again costs little");
    }
}

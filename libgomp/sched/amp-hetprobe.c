/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   hetprobe[,percent]: the first PERCENT of the iterations, 10 if left out, are
   dealt evenly, the same ones to the same lane each time, and measured: time,
   page faults, cache misses and instructions of each cluster's lanes.  From
   that follows whether several clusters run the rest or one, which, and in
   what proportion.

   Sections 3.2 and 3.4 of Lyerly et al., "libHetMP: OpenMP across
   heterogeneous-ISA CPUs".  Its rules:
   - several clusters, if their lanes' faults leave them more throughput than
     one has without any;
   - then in proportion to the speeds that were measured;
   - else one: the one where the loop was begun, and so its data are, if there
     are more cache misses per 1000 instructions than a limit; else the one that
     has the greatest throughput.
   A site remembers what was measured, the newest weighing AMP_HET_NEW: first
   executions bring data to where they are used.  After AMP_HET_PROBES it goes
   by that, until the loop's time changes; see amp_het_fold.

   Deviations:
   - The paper has a limit for the time between two faults, 100 us where one
     costs 30 us.  Whether that pays depends on how fast the clusters are, too:
     here what a fault costs is known instead, and one cluster's throughput is
     what was measured with its faults taken out.
   - During a probe pages are still where the loop before has left them, so that
     the cluster it ran on has few faults.  Each is taken to have as many as the
     one that has most.
   - The paper chooses among two nodes, of which it knows that one suffers from
     cache misses.  Here throughput counts, for any number of clusters.
   - The paper's nodes wait for one another after the probe.  Here, as in AID,
     lanes that are through take small chunks until the last one has decided,
     and that only in a site's first execution.  In the others each lane has,
     beside its part of the probe, a block for the rest, such that both together
     are in proportion: where several clusters are used a probe costs nothing.
   - Lanes of a cluster that is left out have their part of the probe, as long
     as there is one, and nothing more; they wait at the loop's barrier.

   With one cluster, or fewer iterations than would do for a probe, this is
   static.  */

#define AMP_HET_PERCENT 10
/* Section 5.2 of the paper.  */
#define AMP_HET_PROBES 10
/* The weight of what is newest.  */
#define AMP_HET_NEW 0.75
/* A loop's time has changed if it is off by this part, so many times in a
   row.  */
#define AMP_HET_CHANGE 0.25
#define AMP_HET_STRANGE 3

struct amp_het_loop
{
  uint64_t probe;	/* Iterations of a lane; 0: there is none.  */
  double fault_cost;	/* As in struct amp_setup ...  */
  double miss_limit;	/* ... and so is this.  */
  uint16_t clusters;
  uint16_t home;	/* Where the loop was begun.  */
  uint8_t measures;	/* This execution's probe counts ...  */
  uint8_t decides;	/* ... and the last lane that is through with it
			   decides about the rest.  */
};

/* A lane's share, where its cluster is left out.  */
#define AMP_HET_LEFT_OUT UINT64_MAX

struct amp_het_lane
{
  struct amp_counts begun;	/* When its probe began.  */
  uint16_t cluster;
};

/* What is known of a loop's clusters.  */

struct amp_het_view
{
  double lanes[AMP_HET_CLUSTERS];
  /* As in struct amp_het_memory.  */
  double cost[AMP_HET_CLUSTERS], clean[AMP_HET_CLUSTERS];
  double miss_rate;
  uint64_t chosen;
};

/* Which clusters of V are to run the rest.  */

static uint64_t
amp_het_choose (const struct amp_het_loop *own, const struct amp_het_view *v)
{
  double best = 0.0, several = 0.0, most = 0.0;
  uint64_t all = 0, one = 0;
  unsigned c;

  for (c = 0; c < own->clusters; c++)
    if (v->lanes[c] > 0.0 && v->cost[c] - v->clean[c] > most)
      most = v->cost[c] - v->clean[c];
  for (c = 0; c < own->clusters; c++)
    {
      if (!(v->lanes[c] > 0.0) || !(v->clean[c] > 0.0))
	continue;
      all |= UINT64_C (1) << c;
      several += v->lanes[c] / (v->clean[c] + most);
      if (v->lanes[c] / v->clean[c] > best)
	{
	  best = v->lanes[c] / v->clean[c];
	  one = UINT64_C (1) << c;
	}
    }
  if (!(best > several))
    return all;
  if (v->miss_rate * 1000.0 > own->miss_limit && (all >> own->home & 1))
    return UINT64_C (1) << own->home;
  return one;
}

/* Let V be what LOOP's lanes have told, and LANE_CLUSTER each lane's cluster,
   plus 1.  */

static void
amp_het_measure (struct amp_loop *loop, struct amp_het_view *v,
		 uint64_t *lane_cluster)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  double faults[AMP_HET_CLUSTERS] = { 0.0 };
  double iterations[AMP_HET_CLUSTERS] = { 0.0 };
  double misses = 0.0, instructions = 0.0;
  unsigned i, c;

  memset (v, 0, sizeof *v);
  for (i = 0; i < loop->lanes; i++)
    {
      uint64_t *probe = amp_loop_queue (loop, i)->probe;

      c = AMP_LOAD (&probe[AMP_PROBE_CLUSTER], AMP_RELAXED);
      AMP_STORE (&lane_cluster[i], c + UINT64_C (1), AMP_RELAXED);
      v->lanes[c] += 1.0;
      v->cost[c] += (double) AMP_LOAD (&probe[AMP_PROBE_TICKS], AMP_RELAXED);
      iterations[c] += (double) AMP_LOAD (&probe[AMP_PROBE_ITERATIONS],
					  AMP_RELAXED);
      faults[c] += (double) AMP_LOAD (&probe[AMP_PROBE_FAULTS], AMP_RELAXED);
      misses += (double) AMP_LOAD (&probe[AMP_PROBE_MISSES], AMP_RELAXED);
      instructions += (double) AMP_LOAD (&probe[AMP_PROBE_INSTRUCTIONS],
					 AMP_RELAXED);
    }
  for (c = 0; c < own->clusters; c++)
    if (v->lanes[c] > 0.0)
      {
	double clean = v->cost[c] - faults[c] * own->fault_cost;

	/* Faults may have cost less than they are taken to.  */
	if (clean < 0.1 * v->cost[c])
	  clean = 0.1 * v->cost[c];
	v->cost[c] /= iterations[c];
	v->clean[c] = clean / iterations[c];
      }
  v->miss_rate = instructions > 0.0 ? misses / instructions : 0.0;
}

/* Move the mean at P to VALUE, unless it is the first.  Returns the mean.  */

static inline double
amp_het_mean (uint64_t *p, double value, bool first)
{
  double old = first ? value : amp_load_double (p);

  value = old + AMP_HET_NEW * (value - old);
  amp_store_double (p, value);
  return value;
}

/* Let M remember V, which becomes what is remembered.  */

static void
amp_het_learn (const struct amp_het_loop *own, struct amp_het_memory *m,
	       struct amp_het_view *v)
{
  uint64_t probes = AMP_LOAD (&m->probes, AMP_RELAXED);
  bool first = probes == 0;
  unsigned c;

  for (c = 0; c < own->clusters; c++)
    if (v->lanes[c] > 0.0)
      {
	v->cost[c] = amp_het_mean (&m->cost[c], v->cost[c], first);
	v->clean[c] = amp_het_mean (&m->clean[c], v->clean[c], first);
      }
  v->miss_rate = amp_het_mean (&m->miss_rate, v->miss_rate, first);
  AMP_STORE (&m->chosen, amp_het_choose (own, v), AMP_RELAXED);
  if (probes < AMP_HET_PROBES)
    AMP_STORE (&m->probes, probes + 1, AMP_RELAXED);
}

/* The speed of a lane of V's cluster C, 0.0 if it is left out.  What others
   make of a site meanwhile may be anything.  */

static inline double
amp_het_speed (const struct amp_het_view *v, unsigned clusters, uint64_t c)
{
  return (c < clusters && (v->chosen >> c & 1)
	  && v->cost[c] > 1e-30 && v->cost[c] < 1e30
	  ? 1.0 / v->cost[c] : 0.0);
}

/* What a lane of cluster C, of whose clusters' lanes the speeds add up to SUM,
   is to run beside its probe.  */

static inline double
amp_het_rest (const struct amp_loop *loop, const struct amp_het_view *v,
	      uint64_t c, double sum)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  double rest = ((double) loop->n * amp_het_speed (v, own->clusters, c) / sum
		 - (double) own->probe);

  return rest > 0.0 ? rest : 0.0;
}

/* Cut the ordinals from the end of the probe to N - 1 into a block for each of
   LOOP's lanes, by V and the clusters of lanes, whose speeds add up to SUM.  */

static void
amp_het_cut (struct amp_loop *loop, const struct amp_het_view *v,
	     uint64_t *lane_cluster, double sum)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  uint64_t *bounds = amp_loop_bounds (loop);
  uint64_t first = own->probe * loop->lanes, before = first;
  double whole = (double) (loop->n - first), rest = 0.0, run = 0.0;
  unsigned i;

  /* Until they are bounds, they are the lanes' clusters, so that these are
     looked at once.  */
  for (i = 0; i < loop->lanes; i++)
    {
      uint64_t c = AMP_LOAD (&lane_cluster[i], AMP_RELAXED) - 1;

      AMP_STORE (&bounds[i], c, AMP_RELAXED);
      rest += amp_het_rest (loop, v, c, sum);
    }
  for (i = 0; i < loop->lanes; i++)
    {
      double bound;

      run += amp_het_rest (loop, v, AMP_LOAD (&bounds[i], AMP_RELAXED), sum);
      AMP_STORE (&bounds[i], before, AMP_RELAXED);
      bound = run / rest * whole + 0.5;
      /* WHOLE may be rounded up: compare, do not convert.  BOUND is no number
	 where nothing is left.  */
      if (!(bound < whole))
	before = loop->n;
      else if (first + (uint64_t) bound > before)
	before = first + (uint64_t) bound;
    }
  AMP_STORE (&bounds[i], loop->n, AMP_RELAXED);
}

/* Make LOOP's blocks of what SETUP's site remembers.  False if that is too
   little.  */

static bool
amp_het_plan (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_het_loop *own = amp_loop_own (loop);
  struct amp_het_memory *m = &setup->site->het;
  uint64_t *lane_cluster = amp_site_lane_clusters (setup->site);
  uint64_t probes = AMP_LOAD (&m->probes, AMP_RELAXED);
  struct amp_het_view v;
  double sum = 0.0;
  unsigned i;

  if (probes == 0)
    return false;
  v.chosen = AMP_LOAD (&m->chosen, AMP_RELAXED);
  for (i = 0; i < own->clusters; i++)
    v.cost[i] = amp_load_double (&m->cost[i]);
  for (i = 0; i < loop->lanes; i++)
    sum += amp_het_speed (&v, own->clusters,
			  AMP_LOAD (&lane_cluster[i], AMP_RELAXED) - 1);
  if (!(sum > 0.0))
    return false;
  /* Blocks stay where they are, and data with them; but a cluster that is left
     out for good has no part at all.  */
  own->measures = probes < AMP_HET_PROBES;
  if (!own->measures && (v.chosen & (v.chosen - 1)) == 0)
    own->probe = 0;
  amp_het_cut (loop, &v, lane_cluster, sum);
  loop->plan_kind = AMP_PLAN_WEIGHTED;
  return true;
}

/* What hetprobe_i has in common.  */

static void
amp_het_set_up (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_het_loop *own = amp_loop_own (loop);

  own->clusters = (setup->clusters < AMP_HET_CLUSTERS
		   ? setup->clusters : AMP_HET_CLUSTERS);
  own->fault_cost = setup->fault_cost;
  own->miss_limit = setup->miss_limit;
  own->home = 0;
  own->measures = own->decides = false;
}

static void
amp_hetprobe_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_het_loop *own = amp_loop_own (loop);
  uint64_t percent = setup->params.value[0];

  if (percent == 0)
    percent = AMP_HET_PERCENT;
  loop->aid_n = loop->n;
  amp_aid_init (loop);
  amp_het_set_up (loop, setup);
  own->probe = (loop->n / 100 * percent + loop->n % 100 * percent / 100)
    / loop->lanes;
  if (own->clusters < 2 || own->probe == 0 || setup->crowded)
    {
      if (!setup->crowded)
	loop->plan_kind = AMP_PLAN_EVEN;
      own->probe = 0;
      return;
    }
  own->home = amp_known_cluster (own->clusters);
  if (setup->site != NULL && amp_het_plan (loop, setup))
    return;
  own->measures = own->decides = true;
  AMP_STORE (&loop->cursor, own->probe * loop->lanes, AMP_RELAXED);
}

static void
amp_hetprobe_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_het_loop *all = amp_loop_own (loop);
  struct amp_het_lane *own = amp_lane_own (lane);

  if (all->clusters > 1)
    own->cluster = amp_known_cluster (all->clusters);
  if (all->probe != 0)
    lane->state = AMP_ST_SAMPLING;
}

/* Give LANE its part of the probe.  */

static struct amp_chunk
amp_het_begin (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_het_loop *all = amp_loop_own (loop);
  struct amp_het_lane *own = amp_lane_own (lane);

  lane->timed = all->probe;
  lane->run = all->probe;
  if (all->measures)
    amp_count (&own->begun);
  lane->started = amp_ticks ();
  return amp_make_chunk (all->probe * lane->id,
			 all->probe * (lane->id + UINT64_C (1)));
}

/* LANE tells what its probe, which is through, came to.  True if it is the last
   lane to do so, and sees what all have told.  */

static bool
amp_het_tell (struct amp_loop *loop, struct amp_lane *lane, uint64_t ticks,
	      uint64_t iterations)
{
  struct amp_het_lane *own = amp_lane_own (lane);
  uint64_t *probe = amp_lane_queue (loop, lane)->probe;
  struct amp_counts now;

  amp_count (&now);
  AMP_STORE (&probe[AMP_PROBE_TICKS], (int64_t) ticks > 0 ? ticks : 1,
	     AMP_RELAXED);
  AMP_STORE (&probe[AMP_PROBE_ITERATIONS], iterations, AMP_RELAXED);
  AMP_STORE (&probe[AMP_PROBE_FAULTS], now.faults - own->begun.faults,
	     AMP_RELAXED);
  AMP_STORE (&probe[AMP_PROBE_MISSES], now.misses - own->begun.misses,
	     AMP_RELAXED);
  AMP_STORE (&probe[AMP_PROBE_INSTRUCTIONS],
	     now.instructions - own->begun.instructions, AMP_RELAXED);
  AMP_STORE (&probe[AMP_PROBE_CLUSTER], own->cluster, AMP_RELAXED);
  /* The release half gives this lane's words to the last one, the acquire half
     gives the last one everybody's: the partners are the other lanes'
     executions of this operation.  */
  return (AMP_FETCH_ADD (&loop->arrived, 1, AMP_ACQ_REL) + 1
	  == loop->lanes);
}

/* Decide about what LOOP's pool has, by V, which is what its lanes have told
   alone: its site may be changed by others meanwhile.  SHARES has their
   clusters.  */

static void
amp_het_decide (struct amp_loop *loop, struct amp_het_view *v,
		uint64_t *shares)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  double left = (double) amp_cursor_left (loop), sum = 0.0, rest = 0.0;
  unsigned i;

  v->chosen = amp_het_choose (own, v);
  for (i = 0; i < own->clusters; i++)
    sum += v->lanes[i] * amp_het_speed (v, own->clusters, i);
  for (i = 0; i < own->clusters; i++)
    rest += v->lanes[i] * amp_het_rest (loop, v, i, sum);
  for (i = 0; i < loop->lanes; i++)
    {
      uint64_t c = AMP_LOAD (&shares[i], AMP_RELAXED) - 1;
      double share = left * (amp_het_rest (loop, v, c, sum) / rest);

      AMP_STORE (&shares[i], (!(amp_het_speed (v, own->clusters, c) > 0.0)
			      ? AMP_HET_LEFT_OUT
			      : share >= 1.0 ? amp_whole (share, loop->n)
			      : 0), AMP_RELAXED);
    }
  AMP_STORE (&loop->present, loop->lanes, AMP_RELAXED);
  /* Pairs with the acquire in amp_phase.  */
  AMP_STORE (&loop->phase, 1, AMP_RELEASE);
}

/* LANE is through with its part of the probe.  */

static void
amp_het_arrive (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  struct amp_site *site = loop->site;
  uint64_t ticks = amp_ticks () - lane->started;
  struct amp_het_view v, remembered;

  amp_choose_chunk (loop, lane, ticks);
  lane->timed = 0;
  if (!own->measures || !amp_het_tell (loop, lane, ticks, own->probe))
    return;
  /* Bounds are not in use where the rest is still to be decided about.  */
  amp_het_measure (loop, &v, (site != NULL ? amp_site_lane_clusters (site)
			      : amp_loop_bounds (loop)));
  if (site != NULL)
    {
      remembered = v;
      amp_het_learn (own, &site->het, &remembered);
      AMP_FETCH_ADD (&site->version, 1, AMP_RELAXED);
    }
  if (own->decides)
    {
      unsigned i;

      for (i = 0; site != NULL && i < loop->lanes; i++)
	AMP_STORE (amp_loop_bounds (loop) + i,
		   AMP_LOAD (&amp_loop_queue (loop, i)
			     ->probe[AMP_PROBE_CLUSTER], AMP_RELAXED) + 1,
		   AMP_RELAXED);
      amp_het_decide (loop, &v, amp_loop_bounds (loop));
    }
}

static struct amp_chunk
amp_hetprobe_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  uint64_t share;

  switch (lane->state)
    {
    case AMP_ST_SAMPLING:
      if (lane->timed == 0)
	return amp_het_begin (loop, lane);
      amp_het_arrive (loop, lane);
      if (!own->decides)
	goto plan;
      lane->state = AMP_ST_WAIT;
      __attribute__ ((fallthrough));

    case AMP_ST_WAIT:
      if (amp_phase (loop) == 0)
	return amp_take_dynamic (loop, lane);
      lane->state = AMP_ST_DRAIN;
      share = AMP_LOAD (amp_loop_bounds (loop) + lane->id, AMP_RELAXED);
      if (share == AMP_HET_LEFT_OUT)
	{
	  if (amp_retire (loop, lane))
	    return amp_no_chunk ();
	}
      else if (share > lane->run - own->probe)
	return amp_take_timed (loop, lane, share - (lane->run - own->probe));
      __attribute__ ((fallthrough));

    case AMP_ST_DRAIN:
      return amp_take_dynamic (loop, lane);

    case AMP_ST_PLAN:
    plan:
      lane->state = AMP_ST_DONE;
      return amp_plan_block (loop, lane);

    default:
      return amp_no_chunk ();
    }
}

/* SITE has observed an execution of LOOP that took TIME an iteration.  Where
   that has changed, what is remembered is of something else.  */

static void
amp_het_fold (struct amp_site *site, struct amp_loop *loop, double time)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  struct amp_het_memory *m = &site->het;
  double settled = amp_load_double (&m->settled);
  uint64_t settling = AMP_LOAD (&m->settling, AMP_RELAXED);
  uint64_t strange = AMP_LOAD (&m->strange, AMP_RELAXED);

  if (own->clusters < 2 || own->measures || loop->plan_kind == AMP_PLAN_NONE)
    return;
  /* The first ones bring data back from clusters that have had a probe.  */
  if (settling < AMP_HET_STRANGE)
    {
      AMP_STORE (&m->settling, settling + 1, AMP_RELAXED);
      amp_store_double (&m->settled, time);
      return;
    }
  if (time < settled * (1.0 + AMP_HET_CHANGE)
      && time > settled / (1.0 + AMP_HET_CHANGE))
    strange = 0;
  else if (++strange >= AMP_HET_STRANGE)
    {
      strange = 0;
      AMP_STORE (&m->settling, 0, AMP_RELAXED);
      AMP_STORE (&m->probes, 0, AMP_RELAXED);
    }
  AMP_STORE (&m->strange, strange, AMP_RELAXED);
}

static const struct amp_ops amp_hetprobe = {
  .name = "hetprobe", .kind = 23,
  .flags = (AMP_MONOTONIC | AMP_RESERVES | AMP_NEEDS_CLOCK | AMP_CLUSTERED),
  .one_cluster_kind = 1,
  .nparams = 1,
  .param = { { "percent", 1, 100, AMP_HET_PERCENT, AMP_CHUNK_NO } },
  .loop_size = sizeof (struct amp_het_loop),
  .lane_size = sizeof (struct amp_het_lane),
  .init = amp_hetprobe_init, .enter = amp_hetprobe_enter,
  .next_chunk = amp_hetprobe_next_chunk, .fold = amp_het_fold,
  .text = "Measures clusters, then shares by speed or the best cluster"
};

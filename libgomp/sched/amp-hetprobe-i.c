/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   hetprobe_i[,percent[,again]]: as hetprobe, in parts of AGAIN percent of the
   iterations, 20 if left out, the first PERCENT of each of which are a probe.

   HetProbe-I, sections 3.3 and 4.1 of Lyerly et al., for loops whose first part
   tells little about the rest.  Deviations:
   - The paper deals each node a part of the whole loop, and what is left of
     those when it probes again has gaps: its jumps.  Here a part is taken from
     the front of what is left, so that there are none: what has been handed out
     is the ordinals below the cursor.
   - A cluster that is left out of a part is back for the next probe: its lanes
     are paused.  The core does not wait: a lane that is paused is told that
     there is nothing, and may ask again (see AMP_ST_PAUSED).
   - Once ten probes have said the same of all parts, blocks are dealt as by
     hetprobe, with what the parts came to on average.

   Who writes what: shares, and the end of the part (amp_loop_shared), are
   written by the lane that is the last to be through with a probe, before it
   opens the next phase (release), and read by lanes that have seen that phase
   (acquire) before they are through with the next probe, which the writer of
   the next ones waits for: as amp.h has it of shares in AID.  */

#define AMP_HETI_AGAIN 20
/* A part has at least so many iterations a lane, or the loop is dealt as by
   static.  */
#ifndef AMP_HETI_LEAST
# define AMP_HETI_LEAST 4	/* Fewer, for tests.  */
#endif

/* Beside amp_het_loop, a part's iterations are in `major'.  */

struct amp_heti_shared
{
  uint64_t end;		/* Of the part.  */
  uint64_t chosen;	/* The clusters that run it.  */
};

static void
amp_hetprobe_i_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_het_loop *own = amp_loop_own (loop);
  uint64_t percent = setup->params.value[0], again = setup->params.value[1];
  uint64_t probe;

  if (percent == 0)
    percent = AMP_HET_PERCENT;
  if (again == 0)
    again = AMP_HETI_AGAIN;
  loop->aid_n = loop->n;
  amp_aid_init (loop);
  amp_het_set_up (loop, setup);
  own->probe = 0;
  loop->major = loop->n / 100 * again + loop->n % 100 * again / 100;
  if (setup->crowded)
    return;
  if (own->clusters < 2 || loop->major / loop->lanes < AMP_HETI_LEAST)
    {
      loop->plan_kind = AMP_PLAN_EVEN;
      return;
    }
  own->home = amp_known_cluster (own->clusters);
  if (setup->site != NULL
      && AMP_LOAD (&setup->site->het.probes, AMP_RELAXED) >= AMP_HET_PROBES
      && AMP_LOAD (&setup->site->het.uneven, AMP_RELAXED) == 0
      && amp_het_plan (loop, setup))
    return;
  probe = loop->major / 100 * percent + loop->major % 100 * percent / 100;
  own->probe = probe / loop->lanes ? probe / loop->lanes : 1;
  own->measures = own->decides = true;
}

/* Decide about the next part by V; SHARES has the lanes' clusters.  */

static void
amp_heti_decide (struct amp_loop *loop, struct amp_het_view *v,
		 uint64_t *shares)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  struct amp_heti_shared *shared = amp_loop_shared (loop);
  uint64_t left = amp_cursor_left (loop), part = loop->major;
  uint64_t before = AMP_LOAD (&shared->chosen, AMP_RELAXED);
  double sum = 0.0;
  unsigned i;

  /* No part is shorter than another.  */
  if (left / 2 < part)
    part = left;
  v->chosen = amp_het_choose (own, v);
  if (before != 0 && before != v->chosen && loop->site != NULL)
    AMP_STORE (&loop->site->het.uneven, 1, AMP_RELAXED);
  for (i = 0; i < own->clusters; i++)
    sum += v->lanes[i] * amp_het_speed (v, own->clusters, i);
  for (i = 0; i < loop->lanes; i++)
    {
      double speed
	= amp_het_speed (v, own->clusters,
			 AMP_LOAD (&shares[i], AMP_RELAXED) - 1);
      double share = (double) part * (speed / sum);

      AMP_STORE (&shares[i], (!(speed > 0.0) ? AMP_HET_LEFT_OUT
			      : share >= 1.0 ? amp_whole (share, loop->n)
			      : 0), AMP_RELAXED);
    }
  AMP_STORE (&shared->chosen, v->chosen, AMP_RELAXED);
  AMP_STORE (&shared->end, loop->n - left + part, AMP_RELAXED);
  AMP_STORE (&loop->arrived, 0, AMP_RELAXED);
  /* Pairs with the acquire in amp_phase.  */
  AMP_STORE (&loop->phase, AMP_LOAD (&loop->phase, AMP_RELAXED) + 1,
	     AMP_RELEASE);
}

/* LANE is through with a probe.  */

static void
amp_heti_arrive (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_het_loop *own = amp_loop_own (loop);
  uint64_t *shares = amp_loop_bounds (loop);
  uint64_t ticks = amp_ticks () - lane->started, iterations = lane->timed;
  struct amp_het_view v, remembered;
  unsigned i;

  amp_choose_chunk (loop, lane, ticks);
  lane->timed = 0;
  if (!amp_het_tell (loop, lane, ticks, iterations))
    return;
  amp_het_measure (loop, &v, shares);
  if (loop->site != NULL)
    {
      uint64_t *clusters = amp_site_lane_clusters (loop->site);

      for (i = 0; i < loop->lanes; i++)
	AMP_STORE (&clusters[i], AMP_LOAD (&shares[i], AMP_RELAXED),
		   AMP_RELAXED);
      remembered = v;
      amp_het_learn (own, &loop->site->het, &remembered);
      AMP_FETCH_ADD (&loop->site->version, 1, AMP_RELAXED);
    }
  amp_heti_decide (loop, &v, shares);
}

/* Has all of the part that LANE has its share of been handed out?  Then it goes
   on with the next probe, or, after the last part, as it likes.  */

static inline bool
amp_heti_part_over_p (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_heti_shared *shared = amp_loop_shared (loop);
  uint64_t end = AMP_LOAD (&shared->end, AMP_RELAXED);

  if (loop->n - amp_cursor_left (loop) < end || end >= loop->n)
    return false;
  lane->state = AMP_ST_SAMPLING;
  lane->timed = 0;
  return true;
}

/* LANE's part of the next probe.  */

static struct amp_chunk
amp_heti_begin (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_het_loop *all = amp_loop_own (loop);
  struct amp_het_lane *own = amp_lane_own (lane);

  amp_count (&own->begun);
  return amp_take_timed (loop, lane, all->probe);
}

static struct amp_chunk
amp_hetprobe_i_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t share;

  switch (lane->state)
    {
    case AMP_ST_PAUSED:
      if (amp_cursor_left (loop) == 0)
	lane->state = AMP_ST_DONE;
      else if (amp_heti_part_over_p (loop, lane))
	return amp_heti_begin (loop, lane);
      return amp_no_chunk ();

    case AMP_ST_SHARE:
      if (amp_heti_part_over_p (loop, lane))
	return amp_heti_begin (loop, lane);
      return amp_take_dynamic (loop, lane);

    case AMP_ST_SAMPLING:
      if (lane->timed == 0)
	return amp_heti_begin (loop, lane);
      amp_heti_arrive (loop, lane);
      lane->state = AMP_ST_WAIT;
      __attribute__ ((fallthrough));

    case AMP_ST_WAIT:
      if (amp_phase (loop) == lane->phase)
	return amp_take_dynamic (loop, lane);
      lane->phase++;
      share = AMP_LOAD (amp_loop_bounds (loop) + lane->id, AMP_RELAXED);
      lane->state = share == AMP_HET_LEFT_OUT ? AMP_ST_PAUSED : AMP_ST_SHARE;
      if (share == AMP_HET_LEFT_OUT)
	return amp_no_chunk ();
      return (share != 0 ? amp_take_timed (loop, lane, share)
	      : amp_take_dynamic (loop, lane));

    case AMP_ST_DRAIN:
      return amp_take_dynamic (loop, lane);

    case AMP_ST_PLAN:
      lane->state = AMP_ST_DONE;
      return amp_plan_block (loop, lane);

    default:
      return amp_no_chunk ();
    }
}

static const struct amp_ops amp_hetprobe_i = {
  .name = "hetprobe_i", .kind = 24,
  .flags = (AMP_MONOTONIC | AMP_RESERVES | AMP_NEEDS_CLOCK | AMP_CLUSTERED),
  .one_cluster_kind = 1,
  .nparams = 2,
  .param = { { "percent", 1, 100, AMP_HET_PERCENT, AMP_CHUNK_NO },
	     { "again", 1, 100, AMP_HETI_AGAIN, AMP_CHUNK_NO } },
  .loop_size = sizeof (struct amp_het_loop),
  .shared_size = sizeof (struct amp_heti_shared),
  .lane_size = sizeof (struct amp_het_lane),
  .init = amp_hetprobe_i_init, .enter = amp_hetprobe_enter,
  .next_chunk = amp_hetprobe_i_next_chunk, .fold = amp_het_fold,
  .text = "The same again and again within a loop"
};

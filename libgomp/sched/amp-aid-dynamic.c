/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   aid_dynamic[,m[,M]]: repeated AID phases.

   Figure 5 of Saez et al.  In a phase a lane of type j gets R_j * M
   iterations, the slowest type M; lanes that are through before the others
   take m at a time.  The paper updates R by R * SM with SM = mean time of
   the slowest type's lanes / mean time of type j's lanes.  Those lanes ran
   R_j * M and M iterations in these times, so R_j * SM is just the ratio of
   the times per iteration, which is what is computed here, smoothed:
   R[e+1] = (R[e] + measured) / 2.

   Where M and m are given, or m alone, which makes M 5 * m, a lane that is to
   take a share while the pool holds less than one round of shares drains it
   m at a time instead.  Where both are left open, lanes choose their own
   chunks, M is 5 times what suits the slowest type, and they drain at two
   rounds: M may then be wrong, as what it follows was measured.  On cores of
   one type R is 1 for ever: no sample is taken.  */

#define AMP_DYNAMIC_SMOOTH 0.5

/* M in iterations for LOOP, whose phase LANE, the last to arrive, closes.
   Where the user left it open it is 5 chunks of the type on which an iteration
   took longest in this phase, and not 5 of LANE's own: a lane of a fast type
   that comes last would make M up to SF times as large.  */

static double
amp_aid_dynamic_unit (struct amp_loop *loop, const struct amp_lane *lane)
{
  struct amp_type_sum *sums = amp_loop_sums (loop);
  /* All lanes were moved: nothing was measured.  */
  uint64_t chunk = lane->chunk;
  double slowest = 0.0;
  unsigned j;

  if (loop->major)
    return (double) loop->major;
  for (j = 0; j < loop->types; j++)
    {
      uint64_t ticks = AMP_LOAD (&sums[j].ticks, AMP_RELAXED);
      uint64_t iterations = AMP_LOAD (&sums[j].iterations, AMP_RELAXED);

      if (iterations != 0 && (double) ticks > slowest * (double) iterations)
	{
	  slowest = (double) ticks / (double) iterations;
	  chunk = amp_pool_chunk (loop, (double) ticks, (double) iterations);
	}
    }
  return 5.0 * (double) chunk;
}

static struct amp_chunk
amp_aid_dynamic_uniform (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t major = loop->major ? loop->major : 5 * lane->chunk;

  if (lane->state == AMP_ST_SAMPLING)
    {
      if (loop->major && amp_cursor_left (loop) >= major * loop->lanes)
	return amp_cursor_take (loop, lane, major);
      lane->state = AMP_ST_DRAIN;
    }
  return amp_take_dynamic (loop, lane);
}

static struct amp_chunk
amp_aid_dynamic_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_chunk chunk;
  uint64_t share, phase, ticks;

  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  if (loop->one_type)
    return amp_aid_dynamic_uniform (loop, lane);

  switch (lane->state)
    {
    case AMP_ST_SAMPLING:
      switch (amp_sample (loop, lane, &chunk))
	{
	case AMP_SAMPLE_CHUNK:
	  return chunk;
	case AMP_SAMPLE_LAST:
	  amp_close_phase (loop, 0.0, amp_aid_dynamic_unit (loop, lane));
	  break;
	case AMP_SAMPLE_OVER:
	  break;
	}
      lane->timed = 0;
      lane->state = AMP_ST_WAIT;
      break;

    case AMP_ST_SHARE:
      ticks = amp_ticks () - lane->started;
      amp_choose_chunk (loop, lane, ticks);
      if (amp_arrive (loop, lane, ticks))
	amp_close_phase (loop, AMP_DYNAMIC_SMOOTH,
			 amp_aid_dynamic_unit (loop, lane));
      lane->timed = 0;
      lane->state = AMP_ST_WAIT;
      break;

    case AMP_ST_DRAIN:
      return amp_take_dynamic (loop, lane);
    }

  phase = amp_phase (loop);
  if (phase == lane->phase)
    return amp_take_dynamic (loop, lane);
  lane->phase = phase;
  if ((amp_cursor_left (loop) >> (loop->major == 0))
      < AMP_LOAD (&loop->round, AMP_RELAXED))
    {
      lane->timed = 0;
      lane->state = AMP_ST_DRAIN;
      return amp_take_dynamic (loop, lane);
    }
  share = AMP_LOAD (amp_loop_shares (loop) + lane->type, AMP_RELAXED);
  chunk = amp_take_timed (loop, lane, share ? share : 1);
  if (amp_chunk_p (chunk))
    lane->state = AMP_ST_SHARE;
  return chunk;
}

static const char *
amp_aid_dynamic_check (const struct amp_params *params)
{
  if (params->value[1] && params->value[1] < params->value[0])
    return "M must not be less than m";
  return NULL;
}

/* Phase 0 is the sampling phase.  A lane that finds another one open when it
   enters is in a loop whose SF was known: otherwise the phase could not have
   closed without this lane's sample.  */

static void
amp_aid_dynamic_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  if (!loop->crowded && AMP_LOAD (&loop->phase, AMP_RELAXED) != 0)
    {
      lane->state = AMP_ST_WAIT;
      if (loop->minor == 0)
	amp_be_present (loop);
    }
}

static void
amp_aid_dynamic_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_weights w;

  loop->minor = setup->params.value[0];
  loop->major = setup->params.value[1];
  if (loop->minor && !loop->major)
    loop->major = 5 * loop->minor;
  amp_aid_init (loop);
  amp_first_chunk (loop, setup);
  amp_weigh (setup, false, amp_loop_bounds (loop), &w);
  loop->one_type = w.one_type;
  if (!w.one_type && w.sf != NULL)
    {
      /* Open phase 1 with the shares of a known SF.  */
      amp_set_shares (loop, w.sf, w.lanes_of,
		      (loop->major ? (double) loop->major
		       : 5.0 * (double) loop->first_chunk));
      AMP_STORE (&loop->phase, 1, AMP_RELAXED);
    }
}

static const struct amp_ops amp_aid_dynamic = {
  .name = "aid_dynamic", .kind = 18,
  .flags = AMP_MONOTONIC | AMP_NEEDS_CLOCK | AMP_PHASED,
  .nparams = 2,
  .param = { { "m", 1, INT32_MAX, 0, AMP_CHUNK_LEAST },
	     { "M", 1, INT32_MAX, 0, AMP_CHUNK_IF_GIVEN } },
  .check = amp_aid_dynamic_check,
  .init = amp_aid_dynamic_init, .enter = amp_aid_dynamic_enter,
  .next_chunk = amp_aid_dynamic_next_chunk,
  .text = "Repeated shares by speed: for irregular iterations"
};

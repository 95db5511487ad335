/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   aid_static[,m] and the `next_chunk' that aid_hybrid shares with it.

   Figure 3 of Saez et al.: SAMPLING until a lane's sample is timed, WAIT
   (self-scheduling) until every lane's is, then one share of
   SF_j * k iterations less what the lane has already run, then DRAIN.

   Where a plan could be made (see amp-plan.c) no sample is taken: the blocks
   are the plan's, and self-scheduling hands out what it does not cover.  On
   cores of one type the plan is that of the static schedule for all of the
   iterations.

   Where lanes are not bound and one was moved lately, the last
   1 / AMP_MOVED_POOL of the iterations is left for self-scheduling.  */

#define AMP_MOVED_POOL 5

static struct amp_chunk
amp_aid_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_chunk chunk;
  uint64_t share;

  switch (lane->state)
    {
    case AMP_ST_PLAN:
      chunk = amp_plan_block (loop, lane);
      if (loop->aid_n == loop->n || loop->plan_kind != AMP_PLAN_WEIGHTED)
	{
	  lane->state = AMP_ST_DONE;
	  return chunk;
	}
      lane->state = AMP_ST_DRAIN;
      if (loop->minor == 0)
	{
	  lane->timed = lane->run;
	  lane->started = amp_ticks ();
	  amp_be_present (loop);
	}
      if (__builtin_expect (loop->left_out != 0, 0) && amp_leave (loop, lane))
	return chunk;
      return amp_chunk_p (chunk) ? chunk : amp_take_dynamic (loop, lane);

    case AMP_ST_SAMPLING:
      switch (amp_sample (loop, lane, &chunk))
	{
	case AMP_SAMPLE_CHUNK:
	  return chunk;
	case AMP_SAMPLE_LAST:
	  amp_close_phase (loop, 0.0, 0.0);
	  break;
	case AMP_SAMPLE_OVER:
	  break;
	}
      lane->timed = 0;
      lane->state = AMP_ST_WAIT;
      __attribute__ ((fallthrough));

    case AMP_ST_WAIT:
      if (amp_phase (loop) == 0)
	return amp_take_dynamic (loop, lane);
      share = AMP_LOAD (amp_loop_shares (loop) + lane->type, AMP_RELAXED);
      lane->state = AMP_ST_DRAIN;
      if (share > lane->run)
	return amp_take_timed (loop, lane, share - lane->run);
      __attribute__ ((fallthrough));

    case AMP_ST_PAUSED:
    case AMP_ST_DRAIN:
      return amp_take_dynamic (loop, lane);

    default:
      return amp_no_chunk ();
    }
}

static void
amp_aid_static_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  loop->minor = setup->params.value[0];
  loop->aid_n = loop->n;
  if (loop->lanes_may_move && loop->site != NULL
      && AMP_LOAD (&loop->site->observations_after_move, AMP_RELAXED) != 0)
    {
      loop->aid_n -= loop->n / AMP_MOVED_POOL;
      amp_first_chunk (loop, setup);
    }
  amp_plan (loop, setup);
}

/* The blocks of libgomp's static schedule, for executions that are to be
   observed.  Not in the registry: OMP_SCHEDULE=static is libgomp's own.  */

static void
amp_even_init (struct amp_loop *loop,
	       const struct amp_setup *setup __attribute__ ((unused)))
{
  loop->aid_n = loop->n;
  loop->plan_kind = AMP_PLAN_EVEN;
}

/* The blocks that SETUP says, for loops of which others must have the same.
   Not in the registry.  */

static void
amp_fixed_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  uint64_t *bounds = amp_loop_bounds (loop);
  unsigned i;

  amp_even_init (loop, setup);
  if (setup->bounds == NULL)
    return;
  loop->plan_kind = AMP_PLAN_WEIGHTED;
  for (i = 0; i <= setup->lanes; i++)
    AMP_STORE (&bounds[i], setup->bounds[i], AMP_RELAXED);
}

static const struct amp_ops amp_fixed = {
  .name = "steady", .kind = 8, .flags = AMP_MONOTONIC | AMP_RESERVES,
  .init = amp_fixed_init, .next_chunk = amp_aid_next_chunk
};

static const struct amp_ops amp_even = {
  .name = "static", .kind = 1, .flags = AMP_MONOTONIC | AMP_RESERVES,
  .init = amp_even_init, .next_chunk = amp_aid_next_chunk
};

static const struct amp_ops amp_aid_static = {
  .name = "aid_static", .kind = 16,
  .flags = (AMP_MONOTONIC | AMP_RESERVES | AMP_NEEDS_CLOCK | AMP_PHASED
	    | AMP_KEEPS_BLOCKS),
  .nparams = 1, .param = { { "m", 1, INT32_MAX, 0, AMP_CHUNK_LEAST } },
  .init = amp_aid_static_init, .next_chunk = amp_aid_next_chunk,
  .text = "One contiguous block a thread, by speed: for regular iterations"
};

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   aid_static[,m] and the `next' that aid_hybrid shares with it.

   Figure 3 of Saez et al.: SAMPLING until a lane's sample is timed, WAIT
   (self-scheduling) until every lane's is, then one share of
   SF_j * k iterations less what the lane has already run, then DRAIN.

   A team on cores of one type needs no sample: its lanes get the blocks of
   the static schedule (these are reserved).  */

static bool
amp_aid_next (struct amp_loop *loop, struct amp_lane *lane,
	      struct amp_chunk *chunk)
{
  bool got;
  uint64_t share;

  if (loop->uniform)
    {
      if (lane->state == AMP_ST_DONE)
	return false;
      lane->state = AMP_ST_DONE;
      return amp_even_block (loop, lane, chunk);
    }

  switch (lane->state)
    {
    case AMP_ST_SAMPLING:
      switch (amp_sample (loop, lane, chunk, &got))
	{
	case AMP_SAMPLE_CHUNK:
	  return got;
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
	return amp_take_dynamic (loop, lane, chunk);
      share = AMP_LOAD (amp_loop_shares (loop) + lane->type, AMP_RELAXED);
      lane->state = AMP_ST_DRAIN;
      if (share > lane->run)
	return amp_take_timed (loop, lane, share - lane->run, chunk);
      __attribute__ ((fallthrough));

    case AMP_ST_DRAIN:
      return amp_take_dynamic (loop, lane, chunk);

    default:
      return false;
    }
}

static void
amp_aid_static_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  loop->minor = setup->params.value[0];
  loop->aid_n = loop->n;
  amp_aid_init (loop, setup, 0.0);
}

static const struct amp_ops amp_aid_static = {
  .name = "aid_static", .kind = 16,
  .flags = AMP_MONOTONIC | AMP_RESERVES | AMP_NEEDS_CLOCK,
  .nparams = 1, .param = { { "m", 1, INT32_MAX, 0 } },
  .init = amp_aid_static_init, .enter = amp_aid_enter, .next = amp_aid_next
};

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   reference[,chunk]: chunked self-scheduling, the least scheduler that meets
   the contract, and the example to copy.  */

static void
amp_reference_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  loop->minor = setup->params.value[0] ? setup->params.value[0] : 1;
}

static struct amp_chunk
amp_reference_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  return amp_cursor_take (loop, lane, loop->minor);
}

static const struct amp_ops amp_reference = {
  .name = "reference", .kind = 31, .flags = AMP_MONOTONIC,
  .nparams = 1, .param = { { "chunk", 1, INT32_MAX, 1, AMP_CHUNK_LEAST } },
  .init = amp_reference_init, .next_chunk = amp_reference_next_chunk,
  .text = "dynamic as an example for writing others"
};

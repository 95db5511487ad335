/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   aid_hybrid[,percent[,m]]: aid_static for PERCENT of the iterations, the
   rest self-scheduled, to even out what the sample did not foresee.  */

static void
amp_aid_hybrid_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  uint64_t percent = setup->params.value[0] ? setup->params.value[0] : 80;

  loop->minor = setup->params.value[1];
  /* n * percent / 100 without overflow.  */
  loop->aid_n = (loop->n / 100 * percent + loop->n % 100 * percent / 100);
  amp_first_chunk (loop, setup);
  amp_plan (loop, setup);
}

static const struct amp_ops amp_aid_hybrid = {
  .name = "aid_hybrid", .kind = 17,
  .flags = AMP_MONOTONIC | AMP_RESERVES | AMP_NEEDS_CLOCK,
  .nparams = 2,
  .param = { { "percent", 1, 100, 80 }, { "m", 1, INT32_MAX, 0 } },
  .init = amp_aid_hybrid_init, .next = amp_aid_next
};

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   aid_hybrid[,percent[,m]]: aid_static for PERCENT of the iterations, the
   rest self-scheduled, to even out what the sample did not foresee.

   Beyond the paper: without PERCENT it is 10 in a loop's first execution, since
   a sample does not tell how much iterations differ, and from then on what its
   site has found the pool to suffice with, up to 80, the paper's choice, or 100
   where the runtime chose aid_hybrid; see amp_site_fold_share.  A chunk is then
   at least a quarter of the lane's fair part of the pool: single iterations
   taken in turn cost a stencil its neighbours' cache lines.  Half of that part
   reaches less than half of the ideal where few iterations differ, since the
   sample is one iteration.  */

static void
amp_aid_hybrid_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  uint64_t share = UINT64_C (100) * setup->params.value[0];
  uint64_t most = setup->is_auto ? AMP_SITE_WHOLE : AMP_SITE_SHARE;

  loop->share_follows_site = share == 0;
  if (share == 0 && setup->site != NULL)
    {
      share = AMP_LOAD (&setup->site->share, AMP_RELAXED);
      if (share == 0 && setup->sf == NULL)
	share = AMP_SITE_FIRST_SHARE;
    }
  /* What a site says may be anything.  */
  if (share == 0 || (loop->share_follows_site && share > most))
    share = AMP_SITE_SHARE;
  loop->minor = setup->params.value[1];
  /* n * share / 10000 without overflow.  */
  loop->aid_n = (loop->n / 10000 * share + loop->n % 10000 * share / 10000);
  /* A smaller pool cannot even out more than whole iterations allow.  */
  if (loop->share_follows_site && loop->n - loop->aid_n < loop->lanes)
    loop->aid_n = loop->n;
  amp_first_chunk (loop, setup);
  amp_plan (loop, setup);
}

static const struct amp_ops amp_aid_hybrid = {
  .name = "aid_hybrid", .kind = 17,
  .flags = AMP_MONOTONIC | AMP_RESERVES | AMP_NEEDS_CLOCK | AMP_PHASED,
  .nparams = 2,
  .param = { { "percent", 1, 100, 0, AMP_CHUNK_NO },
	     { "m", 1, INT32_MAX, 0, AMP_CHUNK_LEAST } },
  .init = amp_aid_hybrid_init, .next_chunk = amp_aid_next_chunk,
  .text = "Percent of the iterations in blocks by speed, the rest in chunks"
};

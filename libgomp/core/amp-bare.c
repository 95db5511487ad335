/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Bare loops: so short that nothing can be gained, and therefore without a
   work share.  Each thread takes static's block at once.

   A site's verdict says whether its loops are bare.  It is one word and all
   there is to know, so any thread may read it at any time.  That those of a
   team agree about a loop, whatever becomes of the verdict meanwhile, is the
   embedder's affair (gomp_amp_bare_loop_p).  */

#include "amp-site.h"

static bool
amp_site_bare_p (struct amp_site *site)
{
  return AMP_LOAD (&site->bare, AMP_RELAXED) != 0;
}

static bool
amp_site_judge_bare (struct amp_site *site)
{
  bool bare = amp_site_bare_p (site);
  int64_t gains = (int64_t) AMP_LOAD (&site->gains, AMP_RELAXED);

  if (bare ? gains < AMP_SITE_DRIFT : gains > -AMP_SITE_DRIFT)
    return false;
  amp_site_turn_verdict (site);
  return true;
}

static void
amp_site_turn_verdict (struct amp_site *site)
{
  AMP_STORE (&site->bare, !amp_site_bare_p (site), AMP_RELAXED);
}

/* Count whether LOOP, of which O was observed, would have gained by a division
   by speed what a work share costs, and more than what is noise.  That it would
   not have is known if each lane ran enough.  */

static void
amp_site_count_gain (struct amp_site *site, const struct amp_loop *loop,
		     const struct amp_observation *o)
{
  int64_t gains = (int64_t) AMP_LOAD (&site->gains, AMP_RELAXED);
  double rate = 0.0, even = o->even, gain, uneven = 0.0;
  unsigned j;

  for (j = 0; j < site->types; j++)
    {
      /* What a lane that was given nothing would take for static's block.  */
      double idle = (amp_load_double (&amp_site_costs (site)[j])
		     * (double) loop->n / loop->lanes);

      if (o->cost[j] > 0.0)
	rate += o->lanes_of[j] / o->cost[j];
      if (o->idle_of[j] != 0 && idle > even
	  && AMP_LOAD (&site->costs_guessed, AMP_RELAXED) == 0)
	even = idle;
    }
  gain = even - (double) loop->n / rate;
  if (loop->ops->flags & AMP_QUEUES)
    uneven = o->last * amp_load_double (&site->spread);
  else if (loop->plan_kind != AMP_PLAN_NONE && loop->aid_n == loop->n)
    uneven = o->last - o->last / amp_load_double (&site->imbalance);
  if (uneven > gain)
    gain = uneven;
  if (gain > (AMP_SITE_NOISE
	      * amp_site_share_cost (loop->lanes, loop->min_ticks)))
    gains = gains > 0 ? gains + 1 : 1;
  else if (o->even_known)
    gains = gains < 0 ? gains - 1 : -1;
  AMP_STORE (&site->gains, (uint64_t) gains, AMP_RELAXED);
}

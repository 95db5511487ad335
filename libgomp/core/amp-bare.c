/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Bare loops: so short that nothing can be gained, and therefore without a
   work share.  Each thread takes static's block at once.

   All threads of a team must agree on that.  They do so by the first that comes
   (gomp-amp-bare.c), since the address that tells the site may not be the same
   for all.  What each would go by is a verdict of the site's that is older than
   the team's last work share, so that it hardly matters who is first:
   - There is one epoch, a number that grows with each verdict of any site's.
     A verdict is written to its site before the epoch that it carries is
     released.
   - The thread that begins a work share acquires the epoch and leaves it
     there.  Each thread of the team comes by that work share, and by it alone
     until the next, so all have the same number T, and what was written before
     the epoch was T happens before they look.
   - A verdict counts if its epoch is at most T.  Such verdicts do not change
     any more, and a later one carries an epoch above T: whenever a thread
     looks, it finds the same.
   A site's verdicts alternate, the first is that its loops may be bare, and
   after the last they may not.  */

#include "amp-site.h"

static bool
amp_site_bare_p (struct amp_site *site, uint64_t epoch)
{
  unsigned i;

  for (i = 0; i < AMP_SITE_VERDICTS; i++)
    {
      uint64_t at = AMP_LOAD (&site->verdicts[i], AMP_RELAXED);

      if (at == 0 || at > epoch)
	break;
    }
  return i % 2 != 0;
}

/* How many verdicts there have been.  Ordered among those who ask by their
   lock.  */

static unsigned
amp_site_count_verdicts (struct amp_site *site)
{
  unsigned i;

  for (i = 0; i < AMP_SITE_VERDICTS; i++)
    if (AMP_LOAD (&site->verdicts[i], AMP_RELAXED) == 0)
      break;
  return i;
}

static bool
amp_site_new_verdict_p (struct amp_site *site)
{
  unsigned count = amp_site_count_verdicts (site);
  uint64_t settled = AMP_LOAD (&site->settled_choice, AMP_RELAXED);
  int64_t gains = (int64_t) AMP_LOAD (&site->gains, AMP_RELAXED);

  if (count == AMP_SITE_VERDICTS)
    return false;
  if (count % 2 != 0)
    return gains >= AMP_SITE_DRIFT;
  return (gains <= -AMP_SITE_DRIFT
	  && (settled == AMP_CHOICE_STATIC + 1u
	      || settled == AMP_CHOICE_AID_STATIC + 1u));
}

static void
amp_site_judge_anew (struct amp_site *site, uint64_t epoch)
{
  unsigned count = amp_site_count_verdicts (site);

  if (count < AMP_SITE_VERDICTS)
    AMP_STORE (&site->verdicts[count], epoch, AMP_RELAXED);
}

/* Count whether LOOP, of which O was observed, would have gained by a division
   by speed what a work share costs.  */

static void
amp_site_count_gain (struct amp_site *site, const struct amp_loop *loop,
		     const struct amp_observation *o)
{
  int64_t gains = (int64_t) AMP_LOAD (&site->gains, AMP_RELAXED);
  double rate = 0.0, most = 0.0, gain;
  unsigned j, lanes = 0;

  for (j = 0; j < site->types; j++)
    if (o->cost[j] > 0.0)
      {
	rate += o->lanes_of[j] / o->cost[j];
	lanes += o->lanes_of[j];
	if (o->cost[j] > most)
	  most = o->cost[j];
      }
  if (lanes == 0)
    return;
  gain = (double) loop->n * (most / lanes - 1.0 / rate);
  if (gain > AMP_SITE_SHARE_COST * (double) loop->min_ticks)
    gains = gains > 0 ? gains + 1 : 1;
  else
    gains = gains < 0 ? gains - 1 : -1;
  AMP_STORE (&site->gains, (uint64_t) gains, AMP_RELAXED);
}

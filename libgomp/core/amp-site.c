/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Loop sites: see amp-site.h.  */

#include <string.h>
#include "amp-site.h"

/* So many observations in a row on one side of the estimate, by more than
   AMP_SITE_TOLERANCE of it and by more than is noise in a lane's block, are a
   change.  Where speeds change from 2.5 : 1 to 1 : 2, the next 1200 executions
   of a short loop reach 0.93 of the ideal, and 0.87 by means alone.  */
#define AMP_SITE_DRIFT 6
#define AMP_SITE_TOLERANCE 0.1

/* What SF from the samples and from the whole of a long loop may differ by
   before its iterations are taken for uneven.  Without that aid_static takes
   half as long again for two of 23 recorded kernels, tail and lavamd; loops
   whose iterations cost the same in each execution take less.  */
#define AMP_SITE_UNEVEN 1.25

/* A site is known after so many observations; a test may have it known
   sooner.  */
static uint64_t amp_site_known_after = AMP_SITE_MEMORY;

static inline double
amp_load_double (uint64_t *p)
{
  return amp_bits_double (AMP_LOAD (p, AMP_RELAXED));
}

static inline void
amp_store_double (uint64_t *p, double value)
{
  AMP_STORE (p, amp_double_bits (value), AMP_RELAXED);
}

static size_t
amp_site_size (unsigned lanes, unsigned types)
{
  return (sizeof (struct amp_site)
	  + AMP_ROUND_LINE (3 * types * sizeof (uint64_t))
	  + 3 * AMP_ROUND_LINE (lanes * sizeof (uint64_t)));
}

static void
amp_site_format (struct amp_site *site, const void *address, unsigned lanes,
		 unsigned types, unsigned magnitude)
{
  site->magnitude = magnitude;
  site->address = address;
  site->lanes = lanes;
  site->types = types;
}

static double
amp_site_cost (struct amp_site *site)
{
  double most = 0.0;
  unsigned j;

  for (j = 0; j < site->types; j++)
    {
      double cost = amp_load_double (&amp_site_costs (site)[j]);
      if (cost > most)
	most = cost;
    }
  return most;
}

static bool
amp_site_sf (struct amp_site *site, bool biased, double *sf)
{
  double most = 0.0;
  unsigned j;

  for (j = 0; j < site->types; j++)
    {
      sf[j] = amp_load_double (&amp_site_costs (site)[j]);
      if (biased)
	sf[j] *= 1.0 + amp_load_double (&amp_site_biases (site)[j]);
      if (sf[j] > most)
	most = sf[j];
    }
  for (j = 0; j < site->types; j++)
    if (sf[j] > 0.0)
      sf[j] = amp_clamp_sf (most / sf[j]);
  return most > 0.0;
}

/* Types whose costs differ by less do not matter to a lane that changes between
   them.  */
#define AMP_SITE_EQUAL 1.1

static void
amp_site_see (struct amp_site *site, unsigned lane, unsigned type)
{
  uint64_t *seen = &amp_site_seen (site)[lane];
  uint64_t before = AMP_LOAD (seen, AMP_RELAXED);
  double a, b;

  if (__builtin_expect (before == type + UINT64_C (1), 1))
    return;
  AMP_STORE (seen, type + UINT64_C (1), AMP_RELAXED);
  if (before == 0 || before > site->types)
    return;
  a = amp_load_double (&amp_site_costs (site)[before - 1]);
  b = amp_load_double (&amp_site_costs (site)[type]);
  if (a > b * AMP_SITE_EQUAL || b > a * AMP_SITE_EQUAL)
    AMP_STORE (&site->observations_after_move, AMP_SITE_MOVED, AMP_RELAXED);
  AMP_FETCH_ADD (&site->version, 1, AMP_RELAXED);
}

static bool
amp_site_due (struct amp_site *site, uint64_t salt)
{
  if (AMP_LOAD (&site->observations, AMP_RELAXED) < amp_site_known_after)
    return true;
  /* Multiplicative hashing: loops that share a block in a fixed order get
     their turns all the same.  */
  return (((salt * UINT64_C (0x9e3779b97f4a7c15)) >> 32
	   & AMP_LOAD (&site->interval_mask, AMP_RELAXED)) == 0);
}

/* Is a loop of N iterations so short that single observations say little?  */

static inline bool
amp_site_short_p (struct amp_site *site, double n)
{
  return (amp_load_double (&site->time) * n
	  < (double) AMP_SITE_SHORT * (double) AMP_LOAD (&site->min_ticks,
							 AMP_RELAXED));
}

/* One observation in so many of a loop that gets a pool since its blocks were
   uneven is of its blocks: what made them so may be over.  */
#define AMP_SITE_RETRY 16

/* Is a pool likely to cost a loop of N iterations, which is OBSERVED, more than
   it would even out?  Blocks that observation has not corrected yet may lose
   more.  */

static inline bool
amp_site_unpooled_p (struct amp_site *site, double n, bool observed)
{
  double time = amp_load_double (&site->time) * n;
  double mean = time / amp_load_double (&site->imbalance);
  double limit = amp_site_pool_limit (site->lanes,
				      AMP_LOAD (&site->min_ticks,
						AMP_RELAXED));

  if (!(time > 0.0 && time < limit))
    return false;
  if (AMP_LOAD (&site->marked, AMP_RELAXED) != 0)
    limit /= AMP_SITE_POOLS;
  return (mean * amp_load_double (&site->spread) < limit
	  || (observed && (AMP_LOAD (&site->observed_executions, AMP_RELAXED)
			   % AMP_SITE_RETRY == 0)));
}

/* How many observations to average over for a loop that lasts LAST ticks: few
   where one says as much, so that the blocks of loops whose iterations differ
   converge within a few executions.  */

static uint64_t
amp_site_memory (double last, uint64_t min_ticks)
{
  if (last >= 2000.0 * (double) min_ticks)
    return 2;
  if (last >= 200.0 * (double) min_ticks)
    return 4;
  return AMP_SITE_MEMORY;
}

/* Did the samples of LOOP, which took them, foretell the OBSERVED costs?  */

static bool
amp_site_foretold_p (struct amp_loop *loop, const double *observed)
{
  double low = 0.0, high = 0.0;
  unsigned j;

  for (j = 0; j < loop->types; j++)
    if (observed[j] > 0.0)
      {
	double sf = amp_load_double (&amp_loop_pace (loop)[j].sf);
	double x = observed[j] * (sf > 0.0 ? sf : 1.0);

	if (low == 0.0 || x < low)
	  low = x;
	if (x > high)
	  high = x;
      }
  return high <= low * AMP_SITE_UNEVEN;
}

/* Blocks in proportion to speed make all lanes' mean times equal.  But lanes'
   times vary, a loop lasts as long as its last lane, and an iteration more
   costs a slow lane more than it saves a fast one: the expected time of the
   loop is least where lane i is the last one with probability s_i / sum (s),
   s the speeds (there the derivatives by the blocks' sizes, c_i * P (i is
   last), are equal).  So whenever an execution under such a plan was observed,
   the costs of the types move a small step: up for the last lane's, and down
   for all in proportion to their speeds (stochastic approximation).  The step
   follows the imbalance, which is what varies: none, no step.  LAST is the
   last lane's type.  Without biases aid_static takes 0.4 % longer on average in
   448 simulated courses, up to 27 %, and 1 % for 23 recorded kernels.  */
#define AMP_SITE_BIAS_GAIN 0.1
#define AMP_SITE_BIAS_STEP 0.05
#define AMP_SITE_BIAS_MIN -0.25
#define AMP_SITE_BIAS_MAX 1.0

static void
amp_site_fold_bias (struct amp_site *site, const double *observed,
		    const unsigned *lanes_of, unsigned last)
{
  double speed[AMP_MAX_TYPES], sum = 0.0;
  double step = (AMP_SITE_BIAS_GAIN
		 * (amp_load_double (&site->imbalance) - 1.0));
  unsigned j;

  if (!(step < AMP_SITE_BIAS_STEP))
    step = AMP_SITE_BIAS_STEP;
  for (j = 0; j < site->types; j++)
    {
      speed[j] = observed[j] > 0.0 ? lanes_of[j] / observed[j] : 0.0;
      sum += speed[j];
    }
  for (j = 0; j < site->types; j++)
    if (speed[j] > 0.0)
      {
	double bias = amp_load_double (&amp_site_biases (site)[j]);

	bias += step * ((j == last) - speed[j] / sum);
	if (!(bias > AMP_SITE_BIAS_MIN))
	  bias = AMP_SITE_BIAS_MIN;
	else if (bias > AMP_SITE_BIAS_MAX)
	  bias = AMP_SITE_BIAS_MAX;
	amp_store_double (&amp_site_biases (site)[j], bias);
      }
}

/* What aid_hybrid distributes.  A lane whose share keeps it busy for IMBALANCE
   times the mean has been given that much too much: with all shares divided by
   IMBALANCE it would just have been through with the others.  While the pool
   suffices it shrinks, for iterations from the pool cost more: by a quarter of
   the way as long as it always has, for it costs little and being wrong costs
   much, then by a small part; and not at all while blocks last unequally.
   WEIGHT is that of an execution that says that it was too small, or that it
   may shrink again.
   Always by a quarter, aid_hybrid takes 0.8 % longer on average in 448
   simulated courses, and up to 19 %; always by a small part, 1.8 % longer for
   23 recorded kernels.  */
#define AMP_SITE_POOL_FAILED 1.05
#define AMP_SITE_POOL_ADVANCE 0.25
#define AMP_SITE_POOL_RETURN 0.0625

/* Did LOOP's lanes, each of which got a block by speed and then chunks, come to
   the end of their blocks at times so different that larger ones would not
   do?  */

static bool
amp_site_blocks_uneven_p (struct amp_loop *loop)
{
  double last = 0.0, sum = 0.0;
  unsigned i;

  for (i = 0; i < loop->lanes; i++)
    {
      double ticks = (double) AMP_LOAD (&amp_loop_report (loop, i)->own_ticks,
					AMP_RELAXED);

      sum += ticks;
      if (ticks > last)
	last = ticks;
    }
  return last * loop->lanes > sum * AMP_SITE_UNEVEN_BLOCKS;
}

static void
amp_site_fold_share (struct amp_site *site, struct amp_loop *loop,
		     double imbalance, double weight)
{
  double share = 10000.0 * ((double) loop->aid_n / (double) loop->n), wanted;
  double all = loop->is_auto ? AMP_SITE_WHOLE : AMP_SITE_SHARE;

  if (imbalance > AMP_SITE_POOL_FAILED)
    {
      AMP_STORE (&site->pool_failed, 1, AMP_RELAXED);
      wanted = share / imbalance;
    }
  else if (amp_site_blocks_uneven_p (loop))
    wanted = share;
  else if (AMP_LOAD (&site->pool_failed, AMP_RELAXED) == 0)
    {
      wanted = share + AMP_SITE_POOL_ADVANCE * (all - share);
      weight = 1.0;
    }
  else
    wanted = share + AMP_SITE_POOL_RETURN * (all - share);
  share += weight * (wanted - share);
  if (!(share > AMP_SITE_LEAST_SHARE))
    share = AMP_SITE_LEAST_SHARE;
  else if (share > all * AMP_SITE_ALMOST)
    share = all;
  AMP_STORE (&site->share, (uint64_t) share, AMP_RELAXED);
}

/* Move the mean at P towards VALUE.  */

static inline void
amp_fold_double (uint64_t *p, double value, double weight)
{
  double old = amp_load_double (p);
  amp_store_double (p, old > 0.0 ? old + weight * (value - old) : value);
}

/* What the lanes' reports come to.  */

/* Times that differ by less are taken as equal.  */
#define AMP_SITE_EXACT 0.02

struct amp_observation
{
  double cost[AMP_MAX_TYPES];	/* Ticks per iteration of each type's
				   lanes; 0: none.  */
  unsigned lanes_of[AMP_MAX_TYPES];	/* Of each type: ran any, ...  */
  unsigned idle_of[AMP_MAX_TYPES];	/* ... or nothing.  */
  double run[AMP_MAX_TYPES];	/* Iterations that each of these ran.  */
  double even;			/* When the last would have been through
				   with static's block.  */
  double last;			/* The last lane's time, */
  unsigned last_type;		/* ... and its type.  */
  double imbalance;		/* That time over the mean lane's.  */
  bool is_best;			/* With one iteration more no lane would
				   have ended before the last did: in whole
				   iterations no division is better.  */
  bool even_known;		/* Each lane ran enough to say what it would
				   have taken for static's block.  */
};

/* A lane that ran less than this part of static's block, as a divisor, does not
   say what it would have taken for that.  */
#define AMP_SITE_EVIDENCE 8.0

/* Add what LANE of LOOP's reports, RUN iterations in TICKS, to O's costs.  When
   the lane would have been through with static's block, or 0.0.  */

static double
amp_site_add_cost (struct amp_loop *loop, unsigned lane, uint64_t run,
		   uint64_t ticks, struct amp_observation *o, double *ticks_of)
{
  struct amp_report *report = amp_loop_report (loop, lane);
  uint64_t type = AMP_LOAD (&report->type, AMP_RELAXED);
  uint64_t late = AMP_LOAD (&report->late, AMP_RELAXED);
  uint64_t inside = ticks > late ? ticks - late : ticks;
  double block = (double) loop->n / loop->lanes;

  o->lanes_of[type]++;
  o->run[type] += (double) run;
  ticks_of[type] += (double) ticks;
  if ((double) run * AMP_SITE_EVIDENCE < block)
    {
      o->even_known = false;
      return 0.0;
    }
  return (double) (ticks - inside) + (double) inside * block / (double) run;
}

/* Add the reports of LOOP's lanes up, and let SITE see where they are.  False
   if none is to be used.  */

static bool
amp_site_sum_reports (struct amp_site *site, struct amp_loop *loop,
		      struct amp_observation *o)
{
  double ticks_of[AMP_MAX_TYPES] = { 0.0 }, even_of[AMP_MAX_TYPES] = { 0.0 };
  double soonest[AMP_MAX_TYPES], sum = 0.0;
  unsigned i, j, timed = 0;

  memset (o, 0, sizeof *o);
  o->even_known = true;
  for (j = 0; j < site->types; j++)
    soonest[j] = __builtin_inf ();
  for (i = 0; i < loop->lanes; i++)
    {
      struct amp_report *report = amp_loop_report (loop, i);
      uint64_t ticks = AMP_LOAD (&report->ticks, AMP_RELAXED);
      uint64_t run = AMP_LOAD (&report->run, AMP_RELAXED);
      uint64_t type = AMP_LOAD (&report->type, AMP_RELAXED);

      AMP_ASSERT (type < site->types);
      amp_site_see (site, i, type);
      if ((ticks == 0 || run == 0) && loop->n >= loop->lanes
	  && !(loop->left_out >> type & 1))
	o->even_known = false;
      if (ticks == 0)
	continue;
      if (run == 0)
	ticks = 0;
      if ((double) ticks < soonest[type])
	soonest[type] = (double) ticks;
      if (run == 0)
	{
	  o->idle_of[type]++;
	  continue;
	}
      if ((double) ticks > o->last)
	{
	  o->last = (double) ticks;
	  o->last_type = type;
	}
      sum += (double) ticks;
      timed++;
      even_of[type] += amp_site_add_cost (loop, i, run, ticks, o, ticks_of);
    }
  if (timed == 0)
    return false;
  o->imbalance = o->last * timed / sum;
  for (j = 0; j < site->types; j++)
    if (o->lanes_of[j] != 0)
      {
	o->cost[j] = ticks_of[j] / o->run[j];
	o->run[j] /= o->lanes_of[j];
	if (even_of[j] > o->even * o->lanes_of[j])
	  o->even = even_of[j] / o->lanes_of[j];
      }
  o->is_best = true;
  for (j = 0; j < site->types; j++)
    if (o->cost[j] > 0.0 && !(loop->left_out >> j & 1)
	&& soonest[j] + o->cost[j] < o->last * (1.0 - AMP_SITE_EXACT))
      o->is_best = false;
  return true;
}

/* Take O's costs, of LOOP's iterations, into SITE's.  False if the types' costs
   relative to each other have changed.  */

static bool
amp_site_fold_costs (struct amp_site *site, const struct amp_loop *loop,
		     const struct amp_observation *o, double weight)
{
  uint64_t *costs = amp_site_costs (site);
  uint64_t *drifts = amp_site_drifts (site);
  double noise = amp_site_share_cost (loop->lanes, loop->min_ticks);
  double old_sum = 0.0, sum = 0.0;
  bool steady = true;
  unsigned j;

  for (j = 0; j < site->types; j++)
    {
      double old = amp_load_double (&costs[j]);
      if (o->cost[j] > 0.0 && old > 0.0)
	{
	  old_sum += old;
	  sum += o->cost[j];
	}
    }
  for (j = 0; j < site->types; j++)
    {
      double old = amp_load_double (&costs[j]);
      double cost = o->cost[j];
      int64_t drift = (int64_t) AMP_LOAD (&drifts[j], AMP_RELAXED);

      if (cost == 0.0)
	continue;
      if (old > 0.0)
	{
	  double expected = old * sum / old_sum;

	  if (__builtin_fabs (cost - expected) * o->run[j] < noise)
	    drift = 0;
	  else if (cost > expected * (1.0 + AMP_SITE_TOLERANCE))
	    drift = drift > 0 ? drift + 1 : 1;
	  else if (cost * (1.0 + AMP_SITE_TOLERANCE) < expected)
	    drift = drift < 0 ? drift - 1 : -1;
	  else
	    drift = 0;
	  if (drift >= AMP_SITE_DRIFT || drift <= -AMP_SITE_DRIFT)
	    {
	      steady = false;
	      drift = 0;
	    }
	  cost = old + weight * (cost - old);
	}
      amp_store_double (&costs[j], cost);
      AMP_STORE (&drifts[j], (uint64_t) drift, AMP_RELAXED);
    }
  return steady;
}

/* What O, of a LOOP that is averaged over MEMORY executions, says of how its
   iterations are to be divided beside by speed.  */

static void
amp_site_fold_division (struct amp_site *site, struct amp_loop *loop,
			const struct amp_observation *o, uint64_t memory)
{
  /* A loop that was not uniform and has closed a phase was sampled, if that is
     what its phases are.  */
  if (memory != 2)
    AMP_STORE (&site->iterations_uneven, 0, AMP_RELAXED);
  else if (loop->plan_kind == AMP_PLAN_NONE && !loop->one_type
	   && (loop->ops->flags & AMP_PHASED)
	   && AMP_LOAD (&loop->phase, AMP_RELAXED) != 0)
    AMP_STORE (&site->iterations_uneven, !amp_site_foretold_p (loop, o->cost),
	       AMP_RELAXED);
  if (memory != 2 && loop->plan_kind == AMP_PLAN_WEIGHTED
      && loop->aid_n == loop->n && !o->is_best
      && (loop->units == 0 || AMP_LOAD (&site->marked, AMP_RELAXED) == 0))
    amp_site_fold_bias (site, o->cost, o->lanes_of, o->last_type);
  if (loop->share_follows_site && loop->plan_kind != AMP_PLAN_EVEN
      && !loop->one_type)
    amp_site_fold_share (site, loop, o->is_best ? 1.0 : o->imbalance,
			 2.0 / (double) memory);
}

/* Count LOOP, which lasted LAST ticks.  */

static void
amp_site_count (struct amp_site *site, const struct amp_loop *loop,
		double last)
{
  AMP_STORE (&site->interval_mask,
	     (last < (double) loop->min_ticks * AMP_SITE_SHORT
	      ? AMP_SITE_SHORT_INTERVAL : AMP_SITE_INTERVAL) - 1,
	     AMP_RELAXED);
  AMP_STORE (&site->n, loop->n, AMP_RELAXED);
  AMP_STORE (&site->min_ticks, loop->min_ticks, AMP_RELAXED);
  AMP_STORE (&site->observed_executions,
	     AMP_LOAD (&site->observed_executions, AMP_RELAXED) + 1,
	     AMP_RELAXED);
  amp_store_double (&site->spent, amp_load_double (&site->spent) + last);
  amp_store_double (&site->iterations,
		    amp_load_double (&site->iterations) + (double) loop->n);
  AMP_STORE (&site->is_auto, loop->is_auto, AMP_RELAXED);
}

/* See amp-bare.c.  */
static void amp_site_count_gain (struct amp_site *site,
				 const struct amp_loop *loop,
				 const struct amp_observation *o);

static void
amp_site_fold (struct amp_site *site, struct amp_loop *loop)
{
  uint64_t known = AMP_LOAD (&site->observations, AMP_RELAXED);
  uint64_t moved = AMP_LOAD (&site->observations_after_move, AMP_RELAXED);
  uint64_t memory;
  double weight, time;
  struct amp_observation o;

  if (moved != 0)
    AMP_STORE (&site->observations_after_move, moved - 1, AMP_RELAXED);
  if (!amp_site_sum_reports (site, loop, &o))
    return;
  memory = amp_site_memory (o.last, loop->min_ticks);
  if (known >= memory)
    known = memory - 1;
  amp_site_fold_division (site, loop, &o, memory);
  weight = 1.0 / (double) (known + 1);
  /* Where nothing says yet that there is something to gain, all are to run
     enough; what they took before counts for nothing while little is known.  */
  if (!o.even_known)
    {
      if (amp_site_bare_p (site)
	  || (int64_t) AMP_LOAD (&site->gains, AMP_RELAXED) <= 0)
	AMP_STORE (&site->costs_guessed, 1, AMP_RELAXED);
    }
  else if (AMP_LOAD (&site->costs_guessed, AMP_RELAXED) != 0)
    {
      if (known + 1 < amp_site_known_after)
	weight = 1.0;
      AMP_STORE (&site->costs_guessed, 0, AMP_RELAXED);
    }
  known = amp_site_fold_costs (site, loop, &o, weight) ? known + 1 : 2;
  time = o.last / (double) loop->n;
  amp_fold_double (&site->time, time, weight);
  amp_fold_double (&site->imbalance, o.imbalance, weight);
  /* On cores of one type aid_hybrid is static.  */
  if (loop->is_auto && loop->one_type && loop->plan_kind == AMP_PLAN_EVEN
      && known >= AMP_SITE_SURE
      && amp_load_double (&site->imbalance) > AMP_SITE_UNEVEN_BLOCKS)
    AMP_STORE (&site->even_failed, 1, AMP_RELAXED);
  amp_site_count (site, loop, o.last);
  amp_site_count_gain (site, loop, &o);
  if (loop->ops->fold != NULL)
    loop->ops->fold (site, loop, time);
  AMP_STORE (&site->observations, known, AMP_RELAXED);
  AMP_FETCH_ADD (&site->version, 1, AMP_RELAXED);
}

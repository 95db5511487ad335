/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   ich[,epsilon[,amp]]: stealing with a chunk that adapts itself.

   Section 3 of Booth et al.  The queues are amp-steal.c's.  Lane i has done
   k_i iterations and takes max (1, |q_i| / d_i) at a time; d_i begins as the
   number of lanes p.  When a chunk is through, with mu the mean of all k_j
   and delta = epsilon * mu, a lane with k_i < mu - delta halves d_i, one with
   k_i > mu + delta doubles it; 2 <= d_i <= 2p.  A lane whose queue is
   empty steals half of another's, and its k and d become the means of its own
   and the victim's.

   On cores of unequal speed the slow ones are low for ever, so their chunks,
   which cannot be stolen, grow.  With AMP 2 k_i / SF_i takes the place of k_i
   everywhere, and the queues begin in proportion to SF; AMP 1 is as published.
   By default it is 2 where there are several core types and SF is known, from
   the user or from earlier executions of the loop.

   A chunk that a slow lane has begun nobody can take from it, and everyone
   waits for it in the end.  So, unless AMP is 1 or lanes share CPUs, a chunk is
   limited where there are several types and the team is not known to be on
   one of them.  (Where nothing is known of the CPUs, also of cores that are
   alike, each is a type: AMP 1 is the published schedule there.)  It is at
   most a quarter of the lane's fair share of what is left: of R, all units
   less those that lanes have run, the part r_i / sum r_j, r_j being what lane
   j has run up to now, which is its speed here.  While one of these is 0 the
   fair share is R * |q_i| / n as the queues began; a lane takes a quarter of
   that too if they began in proportion to SF, else a 32nd.

   Deviations:
   - mu is not computed anew for each chunk, but when k_i has grown by a
     quarter of epsilon since, or has been averaged; and only then others get
     to see k_i.  While the lanes' relative speeds stay the same, all k have
     then grown in proportion, so mu is off by less than half of delta.  The
     sum of all k is kept in a word of the loop, to which each adds what its
     own has changed by: one line of others', not p.
   - Where d_i is 2p, nothing can change before k_i < mu - delta.  So, unless
     chunks are limited, such a lane waits until k_i has grown by half of what
     it is above that, if this is more: to be below by then, the others would
     have to be more than 3 / (1 - epsilon) times as fast on average.  What
     they see of k_i is at least two thirds of it, and so is their mu.
   - The loop's last iteration is no queue's; see amp-steal.c.
   - A steal looks for a victim as amp-steal.c says.
   - Beyond 67 million iterations queues, k and chunks are counted in units of
     several iterations (see amp-steal.c).
   - With more than 1000 lanes |q_i| / d_i may be rounded up.
   - R and r_j are as old as that.  Until a lane computes its limit anew it runs
     at most as many units as the limit allows for a chunk.

   k_i and d_i stand beside the queue in a word of their own, which only the
   lane writes:

     63   52 51    34 33	     0
     [ tag ] [  d   ] [  k * 256     ]

   d <= 2 * 65535 < 2^18.  k * 256 < 2^34: it is at most the sum of
   what all lanes have run, since a mean is not above both of its
   terms, and SF >= 1.  Relaxed and without partners, as are the sums of all k
   and r: what they say is about speed, not about which iterations are taken.
   A word with another tag is of a lane that has run nothing yet.

   A lane that asks for a chunk has run everything in front of its queue's
   front since it was last averaged, when k was own->k and the front
   own->origin.  So a grant needs no counting: k follows from the front,
   and only if that is outside of own->low .. low + span - 1 there is
   something to do: mu has to be read again, or d to change.
   own->due is a front before which that is not so, 0 if none is known.  So
   the usual grant is steal's and a multiplication.  */

#define AMP_ICH_FRACTION 8
#define AMP_ICH_D_SHIFT 34
#define AMP_ICH_K_MASK ((UINT64_C (1) << AMP_ICH_D_SHIFT) - 1)
#define AMP_ICH_D_MASK \
  ((UINT64_C (1) << (AMP_TAG_SHIFT - AMP_ICH_D_SHIFT)) - 1)

/* What a fair share is divided by: where speeds are known or measured, and
   where they are neither.  */
#define AMP_ICH_PARTS 4
#define AMP_ICH_UNKNOWN_PARTS 32

/* LEN / D is LEN * (2^37 / D rounded up) / 2^37 for LEN * D < 2^37; beyond, it
   may be 1 more.  */
#define AMP_ICH_INVERSE 37

/* An increase of k by K * 256 takes at least K * UNWEIGHT / 2^20 units: 2^28 /
   UNWEIGHT is a lane's weight, rounded up.  K * 256 is below 2^34, and the
   weight at least 65536 / AMP_SF_MAX.  */
#define AMP_ICH_INVERSE_WEIGHT 20

/* A lane's own.  */

struct amp_ich_lane
{
  uint64_t k;
  uint64_t low, span;	/* While k is in low .. low + span - 1 there is
			   nothing to be done about it.  */
  uint64_t inverse;	/* 2^37 / d, rounded up.  */
  uint64_t due;		/* While the queue's front is before this, k is
			   in there.  */
  uint32_t told;	/* Of its units, what is in the loop's sum.  */
  uint32_t weight;	/* 65536 / SF.  */
  uint32_t unweight;	/* 2^28 / weight, rounded down.  */
  uint32_t origin;	/* Front of the queue when k was true.  */
};

/* A loop's.  */

struct amp_ich_loop
{
  /* (1 - epsilon) / lanes and (1 + epsilon) / lanes: bits of doubles.  */
  uint64_t low_factor, high_factor;
  uint8_t chunks_limited;	/* By fair shares.  */
  uint8_t epsilon;	/* In percent.  */
};

/* Sums over all lanes of what they have let others see.  Changed by adding
   only, relaxed.  */

struct amp_ich_sums
{
  uint64_t k;
  uint64_t run;		/* Units; in the upper half the lanes that have
			   run something.  */
};

struct amp_ich_stats
{
  uint64_t k, d;
};

static inline struct amp_ich_stats
amp_ich_stats (struct amp_loop *loop, unsigned i)
{
  uint64_t word = AMP_LOAD (&amp_loop_queue (loop, i)->own, AMP_RELAXED);
  struct amp_ich_stats stats = { 0, loop->lanes < 2 ? 2 : loop->lanes };

  if (amp_tagged_p (loop, word))
    {
      stats.k = word & AMP_ICH_K_MASK;
      stats.d = word >> AMP_ICH_D_SHIFT & AMP_ICH_D_MASK;
    }
  return stats;
}

/* LANE's d is D.  */

static inline void
amp_ich_divide (struct amp_lane *lane, uint64_t d)
{
  struct amp_ich_lane *own = amp_lane_own (lane);

  own->inverse = (UINT64_C (1) << AMP_ICH_INVERSE) / d + 1;
}

/* Let others see LANE's k and d.  */

static inline void
amp_ich_set (struct amp_loop *loop, struct amp_lane *lane,
	     const struct amp_ich_stats *stats)
{
  AMP_ASSERT (stats->k <= AMP_ICH_K_MASK && stats->d >= 2
	      && stats->d <= AMP_ICH_D_MASK);
  AMP_STORE (&amp_lane_queue (loop, lane)->own,
	     loop->tag | stats->d << AMP_ICH_D_SHIFT | stats->k, AMP_RELAXED);
}

/* LANE's k and d, which were BEFORE, become NOW.  Returns the sum of all
   lanes' k, below 2^50.  */

static inline uint64_t
amp_ich_publish (struct amp_loop *loop, struct amp_lane *lane,
		 const struct amp_ich_stats *before,
		 const struct amp_ich_stats *now)
{
  struct amp_ich_sums *sums = amp_loop_shared (loop);
  uint64_t more = now->k - before->k;

  amp_ich_set (loop, lane, now);
  return AMP_FETCH_ADD (&sums->k, more, AMP_RELAXED) + more;
}

/* LANE's k, its queue being RANGE.  */

static inline uint64_t
amp_ich_k (const struct amp_lane *lane, const struct amp_range *range)
{
  struct amp_ich_lane *own = amp_lane_own (lane);

  /* The last pop may have carried the front beyond a back that a thief had
     lowered.  */
  uint64_t front = range->front < range->back ? range->front : range->back;

  return own->k + (((front - own->origin) * own->weight + 128)
		    >> AMP_ICH_FRACTION);
}

/* LANE's k has become K, with which something has to be done: classify the
   lane, change d, and say when that has to be done again.  */

static void __attribute__ ((noinline))
amp_ich_adapt (struct amp_loop *loop, struct amp_lane *lane, uint64_t k)
{
  struct amp_ich_lane *own = amp_lane_own (lane);
  struct amp_ich_loop *ich = amp_loop_own (loop);
  uint64_t p = loop->lanes, low, high, wait;
  uint64_t most = p < 2 ? 2 : 2 * p;
  struct amp_ich_stats before = amp_ich_stats (loop, lane->id), stats;
  double sum, bound;

  stats.k = k < AMP_ICH_K_MASK ? k : AMP_ICH_K_MASK;
  stats.d = before.d;
  sum = (double) (int64_t) amp_ich_publish (loop, lane, &before, &stats);
  /* mu - delta and mu + delta, rounded such that k below the one, or above the
     other, says the same of the integer.  */
  bound = amp_bits_double (ich->low_factor) * sum;
  low = (int64_t) bound;
  low += (double) (int64_t) low < bound;
  bound = amp_bits_double (ich->high_factor) * sum;
  high = (int64_t) bound;
  if (k < low)
    stats.d = stats.d / 2 < 2 ? 2 : stats.d / 2;
  else if (k > high)
    stats.d = 2 * stats.d > most ? most : 2 * stats.d;
  if (stats.d != before.d)
    {
      amp_ich_divide (lane, stats.d);
      amp_ich_set (loop, lane, &stats);
    }
  /* The next chunk makes k low or high again, which matters as long as d can
     change.  */
  own->low = stats.d == 2 ? 0 : low;
  wait = k * ich->epsilon / 400;
  if (stats.d == most && !ich->chunks_limited && k > low
      && (k - low) / 2 > wait)
    wait = (k - low) / 2;
  if (stats.d == most || high > k + wait)
    high = k + wait;
  own->span = high >= own->low ? high - own->low + 1 : 0;
}

/* Set LANE's limit, and let others see what it has run.  */

static void
amp_ich_pace (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_ich_lane *own = amp_lane_own (lane);
  struct amp_ich_sums *sums = amp_loop_shared (loop);
  uint64_t mine = lane->run >> loop->shift, sum, left;
  uint64_t more = mine - own->told;
  bool all;

  if (own->told == 0 && mine != 0)
    more += UINT64_C (1) << 32;
  own->told = mine;
  sum = AMP_FETCH_ADD (&sums->run, more, AMP_RELAXED) + more;
  all = sum >> 32 == loop->lanes;
  sum &= UINT32_MAX;
  /* Less than 2^26 each, so that the products fit.  */
  left = sum < loop->units ? loop->units - sum : 0;
  if (all)
    lane->chunk = left * mine / (AMP_ICH_PARTS * sum);
  else
    lane->chunk = (left * (amp_first_unit (loop, lane->id + 1)
			   - amp_first_unit (loop, lane->id))
		   / (loop->units * (loop->queues_bounded ? AMP_ICH_PARTS
				     : AMP_ICH_UNKNOWN_PARTS)));
  if (lane->chunk == 0)
    lane->chunk = 1;
}

static inline uint64_t
amp_ich_chunk (const struct amp_lane *lane, uint64_t len)
{
  struct amp_ich_lane *own = amp_lane_own (lane);
  uint64_t chunk = len * own->inverse >> AMP_ICH_INVERSE;

  chunk += chunk == 0;
  return chunk < lane->chunk ? chunk : lane->chunk;
}

/* LANE's k is K, the front of its queue FRONT: a front as lane->due has to be,
   and such that the limit does not get old.  It may be less than possible, by
   what rounding makes of k.  */

static inline uint64_t
amp_ich_due (const struct amp_lane *lane, uint64_t k, uint64_t front)
{
  struct amp_ich_lane *own = amp_lane_own (lane);
  uint64_t above = k - own->low, count;

  if (above >= own->span)
    return 0;
  count = ((own->span - above) * own->unweight) >> AMP_ICH_INVERSE_WEIGHT;
  /* A limit of 1 stays.  */
  return front + (lane->chunk == 1 || count < lane->chunk
		  ? count : lane->chunk);
}

/* Steal for LANE, whose k is K.  */

static struct amp_chunk __attribute__ ((noinline))
amp_ich_steal (struct amp_loop *loop, struct amp_lane *lane, uint64_t k)
{
  struct amp_ich_lane *own = amp_lane_own (lane);
  struct amp_ich_loop *ich = amp_loop_own (loop);
  struct amp_ich_stats before, stats, other;
  struct amp_range range, rest;
  uint64_t count;
  unsigned victim;

  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  before = amp_ich_stats (loop, lane->id);
  if (!amp_search (loop, lane, AMP_ROB_HALF, &range, &victim))
    return amp_take_last (loop, lane);
  other = amp_ich_stats (loop, victim);
  stats.k = ((k < AMP_ICH_K_MASK ? k : AMP_ICH_K_MASK) + other.k) / 2;
  stats.d = (before.d + other.d) / 2;
  amp_ich_divide (lane, stats.d);
  amp_ich_publish (loop, lane, &before, &stats);
  own->k = stats.k;
  own->origin = range.front;
  own->low = UINT64_MAX;
  own->span = 0;
  own->due = 0;
  if (ich->chunks_limited)
    amp_ich_pace (loop, lane);
  /* Also where the rest is empty: its front says what has been run.  */
  count = amp_ich_chunk (lane, amp_range_len (&range));
  rest.front = range.front + count;
  rest.back = range.back;
  amp_push (loop, lane, &rest);
  range.back = rest.front;
  return amp_grant (loop, lane, &range);
}

/* LANE's next chunk, where there may be something to be done about k, or
   nothing is left.  */

static struct amp_chunk __attribute__ ((noinline))
amp_ich_more (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_ich_lane *own = amp_lane_own (lane);
  struct amp_ich_loop *ich = amp_loop_own (loop);
  struct amp_range range = amp_look (loop, lane);
  uint64_t k = amp_ich_k (lane, &range), len = amp_range_len (&range);

  if (k - own->low >= own->span)
    amp_ich_adapt (loop, lane, k);
  if (ich->chunks_limited)
    amp_ich_pace (loop, lane);
  if (len == 0 || !amp_pop (loop, lane, &range, amp_ich_chunk (lane, len)))
    return amp_ich_steal (loop, lane, k);
  own->due = amp_ich_due (lane, k, range.front);
  return amp_grant (loop, lane, &range);
}

static struct amp_chunk
amp_ich_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_ich_lane *own = amp_lane_own (lane);
  struct amp_range range = amp_look (loop, lane);

  if (__builtin_expect (range.front >= own->due || range.front >= range.back,
			0)
      || !amp_pop (loop, lane, &range,
		   amp_ich_chunk (lane, range.back - range.front)))
    return amp_ich_more (loop, lane);
  return amp_grant (loop, lane, &range);
}

static void
amp_ich_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_ich_lane *own = amp_lane_own (lane);
  double sf = amp_load_double (&amp_loop_pace (loop)[lane->type].sf);

  amp_steal_enter (loop, lane);
  own->k = 0;
  own->low = 0;
  own->span = 1;
  own->due = 0;
  own->told = 0;
  lane->chunk = UINT64_MAX;
  amp_ich_divide (lane, loop->lanes < 2 ? 2 : loop->lanes);
  own->weight = (uint32_t) (65536.0 / sf + 0.5);
  own->unweight = ((1u << (AMP_ICH_INVERSE_WEIGHT + AMP_ICH_FRACTION))
		    / (own->weight + 1));
  own->origin = amp_first_unit (loop, lane->id);
}

static void
amp_ich_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_ich_loop *ich = amp_loop_own (loop);
  struct amp_pace *pace = amp_loop_pace (loop);
  double buf[AMP_MAX_TYPES];
  const double *sf = NULL;
  unsigned j;

  /* Lanes say themselves what they run on, so that SF is of use here even if
     their types are not known now.  */
  if (setup->params.value[1] != 1 && loop->types > 1 && !setup->crowded)
    {
      sf = setup->sf;
      if (sf == NULL && setup->site != NULL
	  && amp_site_sf (setup->site, false, buf))
	sf = buf;
    }
  amp_steal_setup (loop, setup, sf != NULL);
  ich->chunks_limited = (setup->params.value[1] != 1 && !loop->one_type
			 && loop->types > 1 && !setup->crowded
			 && loop->units != 0);
  ich->epsilon = setup->params.value[0] ? setup->params.value[0] : 33;
  ich->low_factor = amp_double_bits ((100.0 - ich->epsilon)
				     / (100.0 * loop->lanes));
  ich->high_factor = amp_double_bits ((100.0 + ich->epsilon)
				      / (100.0 * loop->lanes));
  for (j = 0; j < loop->types; j++)
    AMP_STORE (&pace[j].sf,
	       amp_double_bits (sf != NULL ? amp_clamp_sf (sf[j]) : 1.0),
	       AMP_RELAXED);
}

static const struct amp_ops amp_ich = {
  .name = "ich", .kind = 20, .flags = AMP_QUEUES,
  .nparams = 2,
  .param = { { "epsilon", 1, 100, 33, AMP_CHUNK_NO },
	     { "amp", 1, 2, 0, AMP_CHUNK_NO } },
  .loop_size = sizeof (struct amp_ich_loop),
  .shared_size = sizeof (struct amp_ich_sums),
  .lane_size = sizeof (struct amp_ich_lane),
  .init = amp_ich_init, .enter = amp_ich_enter,
  .next_chunk = amp_ich_next_chunk,
  .text = "The same, with chunks that adapt themselves"
};

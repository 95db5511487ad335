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
   By default it is 2 where there are several core types and SF is known.  A
   loop without SF is as published in any case.

   Deviations:
   - mu is not computed anew for each chunk, which would cost p reads of lines
     that others write, but when k_i has grown by a quarter of epsilon since,
     or has become less.  While the lanes' relative speeds stay the same, mu
     has then grown in proportion, so it is off by at most a quarter of delta.
   - A steal looks for a victim as amp-steal.c says.
   - Beyond 67 million iterations queues, k and chunks are counted in units of
     several iterations (see amp-steal.c).

   k_i and d_i stand beside the queue in a word of their own, which only the
   lane writes:

     63   52 51    34 33             0
     [ tag ] [  d   ] [  k * 256     ]

   d <= 2 * 65535 < 2^18.  k * 256 < 2^34: it is at most the sum of
   what all lanes have run, since a mean is not above both of its
   terms, and SF >= 1.  Relaxed and without partners: what they say is
   about speed, not about which iterations are taken.  A word with another tag
   is of a lane that has run nothing yet.  */

#define AMP_ICH_FRACTION 8
#define AMP_ICH_D_SHIFT 34
#define AMP_ICH_K_MASK ((UINT64_C (1) << AMP_ICH_D_SHIFT) - 1)
#define AMP_ICH_D_MASK \
  ((UINT64_C (1) << (AMP_TAG_SHIFT - AMP_ICH_D_SHIFT)) - 1)

struct amp_ich_stats
{
  uint64_t k, d;
};

static inline struct amp_ich_stats
amp_ich_stats (struct amp_loop *loop, unsigned i)
{
  uint64_t word = AMP_LOAD (&amp_loop_queue (loop, i)->stats, AMP_RELAXED);
  struct amp_ich_stats stats = { 0, loop->lanes < 2 ? 2 : loop->lanes };

  if (amp_tagged_p (loop, word))
    {
      stats.k = word & AMP_ICH_K_MASK;
      stats.d = word >> AMP_ICH_D_SHIFT & AMP_ICH_D_MASK;
    }
  return stats;
}

static inline void
amp_ich_publish (struct amp_loop *loop, struct amp_lane *lane,
		 const struct amp_ich_stats *stats)
{
  AMP_ASSERT (stats->k <= AMP_ICH_K_MASK && stats->d >= 2
	      && stats->d <= AMP_ICH_D_MASK);
  AMP_STORE (&amp_loop_queue (loop, lane->id)->stats,
	     amp_tag (loop) | stats->d << AMP_ICH_D_SHIFT | stats->k,
	     AMP_RELAXED);
}

/* The chunk of LANE that is through counts: update k and d.  */

static inline void
amp_ich_adapt (struct amp_loop *loop, struct amp_lane *lane,
	       struct amp_ich_stats *stats)
{
  uint64_t p = loop->lanes, k;
  unsigned i;

  k = stats->k + ((lane->chunk * lane->weight + 128) >> AMP_ICH_FRACTION);
  /* Rounding up may exceed the bound by 1/256 a chunk.  */
  stats->k = k = k < AMP_ICH_K_MASK ? k : AMP_ICH_K_MASK;
  if (k < lane->seen || (k - lane->seen) * 400 > lane->seen * loop->epsilon)
    {
      lane->seen = k;
      lane->sum = k;
      for (i = 0; i < p; i++)
	if (i != lane->id)
	  lane->sum += amp_ich_stats (loop, i).k;
    }
  /* k below mu - delta, with mu = sum / p and delta = mu * epsilon / 100: at
     most 2^16 * 2^34 * 200.  */
  k *= 100 * p;
  if (k < lane->sum * (100 - loop->epsilon))
    stats->d = stats->d / 2 < 2 ? 2 : stats->d / 2;
  else if (k > lane->sum * (100 + loop->epsilon))
    {
      uint64_t most = p < 2 ? 2 : 2 * p;
      stats->d = 2 * stats->d > most ? most : 2 * stats->d;
    }
}

static inline uint64_t
amp_ich_chunk (const struct amp_ich_stats *stats, uint64_t len)
{
  /* Both fit, and many processors divide 32 bits faster than 64.  */
  return (len < 2 * stats->d ? 1
	  : (uint32_t) len / (uint32_t) stats->d);
}

static bool
amp_ich_next (struct amp_loop *loop, struct amp_lane *lane,
	      struct amp_chunk *chunk)
{
  struct amp_ich_stats stats, other;
  struct amp_range range;
  uint64_t word, len, count;
  unsigned victim;

  if (lane->state == AMP_ST_DONE)
    return false;
  stats = amp_ich_stats (loop, lane->id);
  if (lane->chunk != 0)
    {
      amp_ich_adapt (loop, lane, &stats);
      amp_ich_publish (loop, lane, &stats);
      lane->chunk = 0;
    }
  range = amp_look (loop, lane, &word);
  len = amp_range_len (&range);
  if (len == 0
      || !amp_pop (loop, lane, word, &range, amp_ich_chunk (&stats, len)))
    {
      if (!amp_search (loop, lane, false, &range, &victim))
	{
	  lane->state = AMP_ST_DONE;
	  return false;
	}
      other = amp_ich_stats (loop, victim);
      stats.k = (stats.k + other.k) / 2;
      stats.d = (stats.d + other.d) / 2;
      amp_ich_publish (loop, lane, &stats);
      len = amp_range_len (&range);
      count = amp_ich_chunk (&stats, len);
      if (count < len)
	{
	  struct amp_range rest = { range.front + count, range.back };

	  amp_push (loop, lane, &rest);
	  range.back = rest.front;
	}
    }
  lane->chunk = amp_range_len (&range);
  return amp_grant (loop, lane, &range, chunk);
}

static void
amp_ich_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  double sf = amp_bits_double (AMP_LOAD (amp_loop_sf_bits (loop) + lane->type,
					 AMP_RELAXED));

  amp_steal_enter (loop, lane);
  lane->chunk = 0;
  lane->seen = 0;
  lane->sum = 0;
  lane->weight = (uint64_t) (65536.0 / sf + 0.5);
}

static void
amp_ich_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  uint64_t *bits = amp_loop_sf_bits (loop);
  double buf[AMP_MAX_TYPES];
  const double *sf = setup->params.value[1] != 1 && !loop->uniform
    ? setup->sf : NULL;
  bool amp;
  unsigned j;

  if (sf == NULL && setup->params.value[1] != 1 && !loop->uniform)
    sf = amp_expected_sf (setup, buf);
  amp = sf != NULL && loop->types > 1;
  amp_steal_setup (loop, setup, amp);
  loop->epsilon = setup->params.value[0] ? setup->params.value[0] : 33;
  for (j = 0; j < loop->types; j++)
    AMP_STORE (&bits[j],
	       amp_double_bits (amp ? amp_clamp_sf (sf[j]) : 1.0),
	       AMP_RELAXED);
}

static const struct amp_ops amp_ich = {
  .name = "ich", .kind = 20,
  .nparams = 2,
  .param = { { "epsilon", 1, 100, 33 }, { "amp", 1, 2, 0 } },
  .init = amp_ich_init, .enter = amp_ich_enter, .next = amp_ich_next
};

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Loop sites: what is remembered of a loop from one execution to the next.

   A site is a place in the program together with a number of lanes and the
   magnitude of the trip count: a loop that is executed on a hundred elements
   and on a million is as good as two.  It may be used by any number of loops
   at once.  Every field that changes is
   reached by relaxed atomic operations, and updates of two loops that end at
   the same time may be lost: all that a site holds is an estimate.  No
   scheduler may base anything but balance on it.  In particular the blocks
   of a plan are computed once, by the thread that begins the loop, into the
   loop itself.  */

#ifndef AMP_SITE_H
#define AMP_SITE_H 1

#include "amp.h"

/* The weight of a new observation is 1 / (observations so far), so that a few
   tell enough and noise is averaged over as many as there are, but not less
   than 1 / AMP_SITE_MEMORY; for long loops not less than 1/4 or 1/2.  */
#define AMP_SITE_MEMORY 16

/* Once a site has been observed AMP_SITE_MEMORY times, one execution in so
   many is: of loops that last less than AMP_SITE_SHORT times min_ticks, and of
   others.  An observation is two readings of the clock and a line written by
   each lane.  Powers of two.  Long loops always are.  */
#define AMP_SITE_SHORT 4
#define AMP_SITE_SHORT_INTERVAL 32
#define AMP_SITE_INTERVAL 16

/* So many observations after a lane was moved aid_static leaves a pool, which
   makes up for blocks that go to where the lane is no more: with the pool a
   loop reaches more than 0.7 of the ideal after a move, without it 0.6 (sim's
   `moves').  */
#define AMP_SITE_MOVED 8

/* What aid_hybrid distributes where the user leaves it open, in 10000ths: as
   long as nothing says how alike the iterations are; at most (section 5B of
   Saez et al.); and at least.  */
#define AMP_SITE_FIRST_SHARE 1000
#define AMP_SITE_SHARE 8000
/* ... and where the runtime chose aid_hybrid: all is aid_static, and on equal
   cores static.  So nearly all becomes all.  */
#define AMP_SITE_WHOLE 10000
#define AMP_SITE_ALMOST 0.95
#define AMP_SITE_LEAST_SHARE 100

/* After so many observations of an imbalance like that even blocks have proved
   wrong where cores are alike; and what is no less may be corrected.  */
#define AMP_SITE_SURE 2
#define AMP_SITE_UNEVEN_BLOCKS 1.1

/* A loop of LANES whose division by speed would gain less than so many ticks is
   as well off with static's: that is about what it costs the threads of a team
   to come by one work share where MIN_TICKS are 5 us, 0.7 us on 2 CPUs and 1.5
   to 3 us on 16: each looks into the others' lines.  */
static inline double
amp_site_share_cost (unsigned lanes, uint64_t min_ticks)
{
  return (double) min_ticks * (lanes + 6) / 64.0;
}

/* ... and by so many times that lanes' times for equal blocks differ in short
   loops: a lane comes later, and an observed loop is disturbed by being
   observed.  */
#define AMP_SITE_NOISE 2.0

/* What a pool costs each lane that shares it out, in parts of min_ticks, where
   these are 5 us: some ten chunks, one after the other, 0.15 us each.  16 lanes
   of a Xeon lose 24 us, and 2 of an EPYC 3.  */
#define AMP_SITE_POOL_COST 0.3

/* A loop of LANES that lasts less than so many times that gets no pool, nor a
   short one.  */
#define AMP_SITE_POOLS 2

static inline double
amp_site_pool_limit (unsigned lanes, uint64_t min_ticks)
{
  double pools = AMP_SITE_POOLS * AMP_SITE_POOL_COST * lanes;

  return (double) min_ticks * (pools > AMP_SITE_SHORT ? pools
			       : AMP_SITE_SHORT);
}

/* What hetprobe remembers.  More clusters than that are one.  */
#define AMP_HET_CLUSTERS 16

struct amp_het_memory
{
  uint64_t probes;	/* Count, as far as it matters.  */
  uint64_t chosen;	/* Bits of the clusters that are used.  */
  uint64_t settling;	/* Observations since the last probe, as far as they
			   matter.  */
  uint64_t strange;	/* Times in a row that did not fit.  */
  uint64_t uneven;	/* Not 0: parts of the loop were best run by different
			   clusters.  */
  /* Bits of doubles.  */
  uint64_t settled;	/* Ticks an iteration of the whole loop, then.  */
  uint64_t miss_rate;	/* Cache misses an instruction.  */
  /* Ticks an iteration of a lane, and those without its faults.  */
  uint64_t cost[AMP_HET_CLUSTERS], clean[AMP_HET_CLUSTERS];
};

struct amp_site
{
  /* Constant while the site is published.  */
  const void *address;
  struct amp_site *next;	/* In the embedder's table.  */
  const double *sf;		/* Known beforehand, or NULL.  */
  unsigned number;		/* The embedder's; few sites share one.  */
  unsigned lanes, types;
  unsigned magnitude;		/* amp_site_magnitude of all its loops.  */

  /* Read when a loop begins.  */
  uint64_t observations __attribute__ ((aligned (AMP_LINE)));
				/* Observations that count, at most
				   AMP_SITE_MEMORY; fewer after a change of
				   behaviour.  */
  uint64_t version;		/* Count of observations: what was derived
				   from the site before the last one is
				   old.  */
  uint64_t interval_mask;	/* One of the intervals, less 1.  */
  uint64_t n;			/* Trip count when last observed.  */
  uint64_t min_ticks;		/* The loop's when last observed.  */
  uint64_t time;		/* Mean ticks per iteration of the whole loop,
				   from its beginning to the last lane's end;
				   bits of a double, like all that follow
				   unless they are counts.  */
  uint64_t imbalance;		/* Mean of the last lane's time over
				   the mean lane's.  */
  uint64_t iterations_uneven;	/* Not 0: the samples of a long loop
				   foretold its lanes' speeds badly, so its
				   iterations differ, and blocks by speed
				   would too.  */
  uint64_t share;		/* What aid_hybrid is to distribute, in
				   10000ths of the iterations; 0: not chosen
				   yet.  */
  uint64_t pool_failed;		/* Not 0: what that left was too little
				   once.  */
  uint64_t observations_after_move;
				/* Not 0: a lane that is not bound was found
				   on a core of another speed, so many
				   observations ago, counted down from
				   AMP_SITE_MOVED.  */
  uint64_t spread;		/* What the lane that would be last with its
				   own block takes beyond the mean, as a part
				   of that: feedback's, or blocks alone.  */
  uint64_t even_failed;		/* Not 0: on cores of one type
				   even blocks have proved wrong.  */
  uint64_t marked;		/* Not 0: blocks are where the marks say.  */
  uint64_t costs_guessed;	/* Not 0: a lane ran so little that its cost
				   says little, and nothing says that there is
				   something to gain; until all run enough.  */
  uint64_t bare;		/* Not 0: its loops take no work share; see
				   amp-bare.c.  */

  /* Written by amp_site_fold.  */
  uint64_t observed_executions __attribute__ ((aligned (AMP_LINE)));
				/* Count of the observed ones, ever.  */
  uint64_t spent;		/* Ticks in observed loops ...  */
  uint64_t iterations;		/* ... and their iterations.  */
  uint64_t is_auto;		/* Not 0: the runtime chose the last observed
				   loop's schedule.  */
  uint64_t gains;		/* Observations in a row in which a division
				   by speed would have gained what a work
				   share costs, or as a negative number would
				   not; those that do not say are passed
				   over.  */

  struct amp_het_memory het __attribute__ ((aligned (AMP_LINE)));

  /* Then TYPES costs (ticks per iteration of one lane of the type; 0: never
     observed), TYPES drifts (observations in a row that were above, or as a
     negative number below, what the costs foretold) and TYPES biases, padded
     to whole lines, LANES times 1 + the type that the lane was last seen
     on (0: never), padded, LANES times the same of clusters, padded, and LANES
     marks.  */
};

static inline uint64_t *
amp_site_costs (struct amp_site *site)
{
  return (uint64_t *) (site + 1);
}

static inline uint64_t *
amp_site_drifts (struct amp_site *site)
{
  return amp_site_costs (site) + site->types;
}

/* What a plan of one block a lane adds to the costs, as a part of them.  */
static inline uint64_t *
amp_site_biases (struct amp_site *site)
{
  return amp_site_drifts (site) + site->types;
}

static inline uint64_t *
amp_site_seen (struct amp_site *site)
{
  return (uint64_t *) ((char *) (site + 1)
		       + AMP_ROUND_LINE (3 * site->types * sizeof (uint64_t)));
}

static inline uint64_t *
amp_site_lane_clusters (struct amp_site *site)
{
  return (uint64_t *) ((char *) amp_site_seen (site)
		       + AMP_ROUND_LINE (site->lanes * sizeof (uint64_t)));
}

/* Where blocks begin, as a part of all iterations, if `marked' is not 0; the
   first is not used.  */
static inline uint64_t *
amp_site_marks (struct amp_site *site)
{
  return (uint64_t *) ((char *) amp_site_lane_clusters (site)
		       + AMP_ROUND_LINE (site->lanes * sizeof (uint64_t)));
}

/* Bytes of a site, to be aligned to AMP_LINE.  */
AMP_API size_t amp_site_size (unsigned lanes, unsigned types);

/* The magnitude of trip count N: its length in binary.  */

static inline unsigned
amp_site_magnitude (uint64_t n)
{
  return n == 0 ? 0 : 64 - __builtin_clzll (n);
}

/* Make the bytes at SITE, zeroed, a site of ADDRESS.  */
AMP_API void amp_site_format (struct amp_site *site, const void *address,
			      unsigned lanes, unsigned types,
			      unsigned magnitude);

/* The speed of each type against the slowest one observed (at least 1), from
   SITE's costs; 0 for types never observed.  BIASED: for the weights of a plan
   that leaves no pool.  False if no type was observed.  */
AMP_API bool amp_site_sf (struct amp_site *site, bool biased, double *sf);

/* Ticks that one iteration takes on a lane of the slowest type, or 0.  */
AMP_API double amp_site_cost (struct amp_site *site);

/* True if the execution that begins now is to be observed.  SALT: any number
   that differs from call to call.  */
AMP_API bool amp_site_due (struct amp_site *site, uint64_t salt);

/* LANE of a loop that begins at SITE is on a core of TYPE: if it was on another
   before, what was derived from the site is old.  */
AMP_API void amp_site_see (struct amp_site *site, unsigned lane,
			   unsigned type);

/* Called by the last lane of an observed loop to end it.  */
AMP_API void amp_site_fold (struct amp_site *site, struct amp_loop *loop);

/* True if SITE's verdict is that its loops take no work share; see
   amp-bare.c.  Relaxed, as what follows.  */
AMP_API bool amp_site_bare_p (struct amp_site *site);

/* Turn the verdict round if enough observations in a row are against it: true
   if they were.  */
AMP_API bool amp_site_judge_bare (struct amp_site *site);

/* Turn it round.  */
AMP_API void amp_site_turn_verdict (struct amp_site *site);

#endif

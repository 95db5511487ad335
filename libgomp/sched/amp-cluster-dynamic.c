/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   cluster_dynamic[,chunk]: self-scheduling in two steps.  A cluster takes a
   batch, CHUNK times its CPUs, from the loop, and its lanes take CHUNK at a
   time from that, so that the loop's line travels between clusters once a
   batch.

   The hierarchical dynamic scheduler of section 3.1 of Lyerly et al.,
   "libHetMP: OpenMP across heterogeneous-ISA CPUs".  Deviations: there a
   leader fetches for its node, and the others wait for it; here nobody waits.
   Who takes a batch's last chunk fetches the next one before it runs that
   chunk, and who finds the cluster's pool empty meanwhile takes one chunk from
   the loop itself.  When the loop's pool is empty, lanes take from what other
   clusters have left.  A lane's chunks increase.

   The iterations but the last (see amp_take_last) are counted in units of
   CHUNK, or, in loops of more than 2^24 chunks, of the least multiple of CHUNK
   such that there are fewer.  The loop's pool is the units cursor .. units-1.
   A cluster's pool is a word like a queue's,

     [   tag    ] [   front   ] [   back    ],

   the units front .. back-1, and lies in the queue of the lane that has the
   cluster's number, which no other use of that queue conflicts with.

   Three operations change it:
   - touch, by each lane that enters: if the word has another tag,
     compare-and-swap to an empty pool.  Who succeeds is its fetcher.
   - pop, by a lane that has run no unit beyond the front, of a pool that is not
     empty: compare-and-swap of the front to the next unit.  The unit before is
     the lane's.  If it was the last one, the lane is the fetcher.
   - put, by the fetcher: a store of a batch that it has taken from the loop.

   Claims:
   - There is at most one fetcher: a pool that is not empty has none, since it
     is put by the fetcher, which is then one no more; and one of the lanes that
     pop takes the last unit.  So the store replaces an empty pool, and no unit
     is lost.
   - No unit is handed out twice: the cursor's fetch-and-add gives each batch to
     one lane, and each unit of it is one successful compare-and-swap's: a word
     that was seen and comes again (ABA) would be a batch fetched twice.
   - A lane's units increase.  From a pool it takes none below its floor.  What
     it fetches lies above all that it has run: the cursor only grows, and had
     passed that before, as the lane knows, since pop acquires what put
     releases, and a batch is fetched before it is put.
   - Completeness, where all lanes call: who has put a batch takes from no other
     pool and fetches nothing until its own is empty, and what it has run before
     lies below the batch.  So it can always pop, and is done only when all of
     the batch has been handed out.  If it stops calling, what is left of the
     batch may be nobody's, if all others have run beyond it: AMP_RESERVES.
   Where no acquire or release is, orders are relaxed for the reasons that
   queues have (amp-steal.c).

   If the lanes do not belong to several clusters, this is dynamic.  */

#define AMP_BATCH_UNITS (UINT64_C (1) << 24)

struct amp_cluster_loop
{
  uint64_t unit;	/* Iterations.  */
  const unsigned short *size;	/* CPUs of each cluster, or NULL.  */
  uint32_t clusters;
  uint32_t pools;	/* As many, but no more than lanes.  */
};

struct amp_cluster_lane
{
  uint32_t pool;	/* The cluster.  */
  uint32_t batch;	/* What it takes at a time, in units.  */
  uint8_t is_fetcher;
  uint8_t loop_is_dry;	/* The loop's pool was seen empty.  */
  uint64_t floor;	/* The unit behind the last that it was given.  */
};

static void
amp_cluster_dynamic_init (struct amp_loop *loop,
			  const struct amp_setup *setup)
{
  struct amp_cluster_loop *own = amp_loop_own (loop);
  uint64_t chunk = setup->params.value[0] ? setup->params.value[0] : 1;
  uint64_t inside = loop->n - (loop->n != 0), least;

  loop->minor = chunk;
  own->pools = setup->clusters < loop->lanes ? setup->clusters : loop->lanes;
  if (own->pools < 2)
    return;
  least = inside / AMP_BATCH_UNITS + 1;
  own->unit = (least + chunk - 1) / chunk * chunk;
  loop->units = inside / own->unit + (inside % own->unit != 0);
  own->clusters = setup->clusters;
  own->size = setup->cluster_size;
}

static inline uint64_t *
amp_cluster_pool (struct amp_loop *loop, unsigned pool)
{
  return &amp_loop_queue (loop, pool)->range;
}

static void
amp_cluster_dynamic_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_cluster_loop *all = amp_loop_own (loop);
  struct amp_cluster_lane *own = amp_lane_own (lane);
  unsigned cluster;
  uint64_t *p, word;

  if (all->pools < 2)
    return;
  cluster = amp_known_cluster (all->clusters);
  own->pool = cluster % all->pools;
  own->batch = loop->lanes;
  if (all->size != NULL && all->size[cluster] < own->batch)
    own->batch = all->size[cluster] ? all->size[cluster] : 1;
  own->loop_is_dry = false;
  own->floor = 0;
  p = amp_cluster_pool (loop, own->pool);
  word = AMP_LOAD (p, AMP_RELAXED);
  own->is_fetcher = (!amp_tagged_p (loop, word)
		     && AMP_CAS (p, &word, loop->tag, AMP_RELAXED));
}

/* Take up to WANT units from the loop's pool; how many, the first at *FIRST.
   A lane that has found it empty does not come again, and WANT is at most
   LANES: the cursor does not wrap.  */

static inline uint64_t
amp_cluster_fetch (struct amp_loop *loop, struct amp_cluster_lane *own,
		   uint64_t want, uint64_t *first)
{
  if (own->loop_is_dry)
    return 0;
  *first = AMP_FETCH_ADD (&loop->cursor, want, AMP_RELAXED);
  if (*first < loop->units)
    return want < loop->units - *first ? want : loop->units - *first;
  own->loop_is_dry = true;
  return 0;
}

/* Give LANE UNIT.  */

static inline struct amp_chunk
amp_cluster_grant (const struct amp_loop *loop, struct amp_lane *lane,
		   uint64_t unit)
{
  const struct amp_cluster_loop *all = amp_loop_own (loop);
  struct amp_cluster_lane *own = amp_lane_own (lane);
  uint64_t begin = unit * all->unit, end = begin + all->unit;

  own->floor = unit + 1;
  if (unit + 1 == loop->units)
    end = loop->n - 1;
  lane->run += end - begin;
  return amp_make_chunk (begin, end);
}

/* Pop a unit, of FLOOR or above, of POOL.  */

static inline bool
amp_cluster_pop (struct amp_loop *loop, unsigned pool, uint64_t floor,
		 struct amp_range *range)
{
  uint64_t *p = amp_cluster_pool (loop, pool);
  uint64_t word = AMP_LOAD (p, AMP_RELAXED);

  do
    {
      *range = amp_tagged_range (word);
      if (!amp_tagged_p (loop, word) || range->front >= range->back
	  || range->front < floor)
	return false;
    }
  /* Pairs with the release in amp_cluster_refill.  */
  while (!AMP_CAS (p, &word, word + (UINT64_C (1) << AMP_UNIT_BITS),
		   AMP_ACQUIRE));
  return true;
}

/* LANE is its cluster's fetcher, and has a unit in hand if HAS_UNIT; *UNIT
   becomes what it runs next, if it has none.  False if there is none.  */

static bool
amp_cluster_refill (struct amp_loop *loop, struct amp_cluster_lane *own,
		    bool has_unit, uint64_t *unit)
{
  uint64_t first, count = amp_cluster_fetch (loop, own, own->batch, &first);

  if (count != 0 && !has_unit)
    {
      *unit = first++;
      count--;
      has_unit = true;
    }
  own->is_fetcher = count == 0;
  /* Pairs with the acquire in amp_cluster_pop.  */
  if (count != 0)
    AMP_STORE (amp_cluster_pool (loop, own->pool),
	       amp_queue_word (loop, first, first + count), AMP_RELEASE);
  return has_unit;
}

/* The loop's pool and that of LANE's cluster are empty.  */

static struct amp_chunk __attribute__ ((noinline))
amp_cluster_search (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_cluster_loop *all = amp_loop_own (loop);
  struct amp_cluster_lane *own = amp_lane_own (lane);
  unsigned i, pool = own->pool;
  struct amp_range range;

  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  for (i = 0; i < all->pools; i++)
    {
      if (amp_cluster_pop (loop, pool, own->floor, &range))
	return amp_cluster_grant (loop, lane, range.front);
      pool = pool + 1 < all->pools ? pool + 1 : 0;
    }
  lane->state = AMP_ST_DONE;
  if (loop->n == 0
      || AMP_LOAD ((uint64_t *) amp_loop_shared (loop), AMP_RELAXED) != 0
      || AMP_FETCH_ADD ((uint64_t *) amp_loop_shared (loop), 1,
			AMP_RELAXED) != 0)
    return amp_no_chunk ();
  lane->run++;
  return amp_make_chunk (loop->n - 1, loop->n);
}

static struct amp_chunk
amp_cluster_dynamic_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_cluster_loop *all = amp_loop_own (loop);
  struct amp_cluster_lane *own = amp_lane_own (lane);
  struct amp_range range;
  uint64_t unit;

  if (all->pools < 2)
    return (lane->state == AMP_ST_DONE ? amp_no_chunk ()
	    : amp_cursor_take (loop, lane, loop->minor));
  if (own->loop_is_dry)
    return amp_cluster_search (loop, lane);
  if (own->is_fetcher)
    {
      if (amp_cluster_refill (loop, own, false, &unit))
	return amp_cluster_grant (loop, lane, unit);
      return amp_cluster_search (loop, lane);
    }
  if (amp_cluster_pop (loop, own->pool, own->floor, &range))
    {
      if (range.front + 1 == range.back)
	amp_cluster_refill (loop, own, true, &unit);
      return amp_cluster_grant (loop, lane, range.front);
    }
  if (amp_cluster_fetch (loop, own, 1, &unit) != 0)
    return amp_cluster_grant (loop, lane, unit);
  return amp_cluster_search (loop, lane);
}

static const struct amp_ops amp_cluster_dynamic = {
  .name = "cluster_dynamic", .kind = 22,
  .flags = AMP_MONOTONIC | AMP_RESERVES | AMP_CLUSTERED,
  .one_cluster_kind = 2,
  .nparams = 1, .param = { { "chunk", 1, INT32_MAX, 1, AMP_CHUNK_LEAST } },
  .loop_size = sizeof (struct amp_cluster_loop),
  .shared_size = sizeof (uint64_t),
  .lane_size = sizeof (struct amp_cluster_lane),
  .init = amp_cluster_dynamic_init, .enter = amp_cluster_dynamic_enter,
  .next_chunk = amp_cluster_dynamic_next_chunk,
  .text = "dynamic, in two levels: clusters and their threads"
};

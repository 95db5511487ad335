/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   See amp-device-sched.h.

   Shared words, beside the core's cursor, all in the lanes' queues (struct
   amp_queue), two kinds:

   - own: how fast the lane is.  Two floats in one word: iterations per tick in
     its last timed chunk; and of a device the ticks of a whole chunk of G, of a
     core the iterations per tick in all its chunks.  Written by the lane, read
     by all, relaxed: it decides about balance only.  0: nothing is known.

   - range and report.run of a device's lane: what it has given back.  RANGE is
     how many iterations of that nobody has taken; they end before report.run.
     * RANGE is changed by compare-and-swap to less, by anyone, who thereby gets
       exactly the difference, at the front; and from 0, once in a loop, by its
       device, by a release store that pairs with the acquire of whoever takes.
     * report.run is written before that store, and at no other time.  Hence who
       sees a RANGE that is not 0 sees the end that belongs to it.

   With bulk a device's block is reserved for it, and constant while the loop is
   published: amp_loop_bounds has where the block of each lane begins.  */

#include "amp-device-sched.h"

/* What a lane of a core, or of a device, keeps.  */

struct amp_device_lane
{
  uint8_t is_device;
  uint8_t pool_empty;		/* The cursor is not to be touched.  */
  uint8_t has_begun;		/* A device's: it was given a chunk.  */
  uint8_t whole;		/* The chunk under way is one of G.  */
  float fixed;			/* What was told of the last chunk.  */
  union
  {
    struct amp_device_search search;	/* Of a device.  */
    /* Of a core: iterations of the longest chunk that was timed, and iterations
       and ticks of all.  */
    struct { uint64_t longest, iterations, ticks; } core;
  };
};

_Static_assert (sizeof (struct amp_device_lane) <= AMP_LANE_OWN,
		"a lane has room for it");

union amp_device_speed
{
  struct { float rate, more; } is;
  uint64_t word;
};

static inline const struct amp_device_plan *
amp_device_plan_of (const struct amp_loop *loop)
{
  return *(const struct amp_device_plan *const *) amp_loop_own (loop);
}

/* The number of the device that lane ID is, or the number of devices.  */

static inline unsigned
amp_device_number (const struct amp_loop *loop, unsigned id)
{
  unsigned devices = amp_device_plan_of (loop)->devices;
  unsigned first = loop->lanes - devices;

  return id >= first ? id - first : devices;
}

static inline union amp_device_speed
amp_device_speed_of (struct amp_loop *loop, unsigned id)
{
  union amp_device_speed speed;

  speed.word = AMP_LOAD (&amp_loop_queue (loop, id)->own, AMP_RELAXED);
  return speed;
}

static void
amp_device_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  const struct amp_device_plan *plan = setup->extra;
  uint64_t bulk = 0;
  unsigned i;

  AMP_ASSERT (plan->devices < loop->lanes);
  *(const struct amp_device_plan **) amp_loop_own (loop) = plan;
  if (plan->kind == AMP_DEVICE_IS_BULK && plan->devices != 0)
    {
      bulk = (plan->percent >= 100 ? loop->n
	      : loop->n / 100 * plan->percent
		+ loop->n % 100 * plan->percent / 100);
      loop->plan_kind = AMP_PLAN_WEIGHTED;
    }
  for (i = 0; i < loop->lanes; i++)
    {
      struct amp_queue *queue = amp_loop_queue (loop, i);
      unsigned d = amp_device_number (loop, i);

      AMP_STORE (&queue->own, 0, AMP_RELAXED);
      AMP_STORE (&queue->range, 0, AMP_RELAXED);
      AMP_STORE (&queue->report.run, 0, AMP_RELAXED);
      AMP_STORE (&amp_loop_bounds (loop)[i],
		 d < plan->devices ? amp_even_bound (bulk, plan->devices, d)
		 : 0, AMP_RELAXED);
    }
  AMP_STORE (&amp_loop_bounds (loop)[i], bulk, AMP_RELAXED);
  /* The blocks are in front of the pool.  */
  AMP_STORE (&loop->cursor, bulk, AMP_RELAXED);
}

static void
amp_device_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_device_plan *plan = amp_device_plan_of (loop);
  struct amp_device_lane *own = amp_lane_own (lane);
  unsigned d = amp_device_number (loop, lane->id);

  memset (own, 0, sizeof *own);
  lane->state = AMP_ST_DRAIN;
  own->is_device = d < plan->devices;
  if (!own->is_device)
    return;
  plan->device[d].memory->iterations = plan->device[d].memory->ticks = 0.0;
  own->search = plan->device[d].memory->search;
  own->search.fits = 0;
  if (own->search.size == 0)
    own->search.size = plan->device[d].least;
}

/* The search, or a part of it, is over.  */

static void
amp_device_search_end (struct amp_device_search *s)
{
  s->size = s->best_size;
  s->misses = 0;
  if (!s->by_executions)
    {
      s->by_executions = 1;
      s->best = 0.0;
    }
  else if (s->passed != 0)
    {
      s->passed--;
      s->down = 1;
      s->size /= 2;
    }
  else
    s->done = 1;
}

static void
amp_device_search_step (struct amp_device_search *s, double rate, double share,
			uint64_t n)
{
  bool gain, last = s->size > n / (s->by_executions ? AMP_DEVICE_CHUNKS : 2);

  s->fits = 1;
  if (s->done)
    return;
  if (rate > s->rate)
    s->rate = rate;
  if (s->tries == 0 || share < (double) s->fixed)
    s->fixed = share;
  if (++s->tries < AMP_DEVICE_TRIES && !s->by_executions)
    return;
  s->tries = 0;
  gain = s->rate > s->best * AMP_DEVICE_GAIN;
  if (!s->by_executions
      && (s->passed != 0 || (double) s->fixed > AMP_DEVICE_FIXED))
    {
      /* Sizes that are passed over are not compared.  */
      last |= !((double) s->fixed > AMP_DEVICE_FIXED);
      if (!last)
	s->passed++;
      gain = true;
    }
  else if (gain && s->by_executions && s->best > 0.0 && !s->down)
    /* The smaller ones are worse.  */
    s->passed = 0;
  if (gain)
    {
      s->best = s->rate;
      s->best_size = s->size;
      s->misses = 0;
    }
  else
    s->misses++;
  s->rate = 0.0;
  if (s->down && !gain)
    s->passed = 0;
  if (s->down || last || s->misses == AMP_DEVICE_MISSES)
    amp_device_search_end (s);
  else
    s->size *= 2;
}

/* The device is to be given less than the size that is tried.  Where that is so
   before any chunk of it fitted into this loop, the size is too large for
   the loop: a miss.  */

static void
amp_device_search_clipped (struct amp_device_search *s)
{
  if (s->done || s->fits || s->best_size == 0)
    return;
  s->fits = 1;
  s->tries = 0;
  s->rate = 0.0;
  if (++s->misses >= AMP_DEVICE_MISSES)
    amp_device_search_end (s);
}

/* LANE's chunk has ended at NOW.  */

static void
amp_device_account (struct amp_loop *loop, struct amp_lane *lane, uint64_t now)
{
  const struct amp_device_plan *plan = amp_device_plan_of (loop);
  struct amp_device_lane *own = amp_lane_own (lane);
  union amp_device_speed speed;
  uint64_t ticks = now - lane->started;
  double rate;

  if ((int64_t) ticks <= 0)
    ticks = 1;
  rate = (double) lane->timed / (double) ticks;
  speed.is.rate = rate;
  speed.is.more = 0.0f;
  if (own->is_device)
    {
      struct amp_device_memory *memory
	= plan->device[amp_device_number (loop, lane->id)].memory;

      if (!memory->is_warm)
	{
	  memory->is_warm = 1;
	  return;
	}
      if (plan->kind == AMP_DEVICE_IS_ADAPTIVE && own->whole)
	{
	  own->search.fits = 1;
	  memory->iterations += lane->timed;
	  memory->ticks += ticks;
	  if (!own->search.by_executions)
	    amp_device_search_step (&own->search, rate, own->fixed, loop->n);
	}
      /* What a smaller chunk than G says of the device is for the next such
	 chunk, unless it shows that what is known is wrong.  */
      if (!own->whole)
	memory->small = rate;
      if (own->whole || !(memory->rate >= rate))
	memory->rate = rate;
      else if (amp_device_speed_of (loop, lane->id).word != 0)
	return;
      speed.is.more = ticks;
    }
  else
    {
      own->core.iterations += lane->timed;
      own->core.ticks += ticks;
      /* Too short to say much, as at the beginning and at the end.  */
      if (ticks < loop->min_ticks && lane->timed <= own->core.longest / 2)
	return;
      if (ticks < loop->min_ticks && own->core.longest == 0)
	return;
      if (lane->timed > own->core.longest)
	own->core.longest = lane->timed;
      speed.is.more = ((double) own->core.iterations
		       / (double) own->core.ticks);
    }
  AMP_STORE (&amp_lane_queue (loop, lane)->own, speed.word, AMP_RELAXED);
}

/* The speed of lane ID, for what the lanes can do together.  */

static inline double
amp_device_rate_of (struct amp_loop *loop, unsigned id)
{
  union amp_device_speed speed = amp_device_speed_of (loop, id);
  unsigned first = loop->lanes - amp_device_plan_of (loop)->devices;

  return id < first ? speed.is.more : speed.is.rate;
}

static double
amp_device_rest (struct amp_loop *loop, const struct amp_lane *lane)
{
  double sum = 0.0;

  for (unsigned i = 0; i < loop->lanes; i++)
    if (i != lane->id)
      sum += amp_device_rate_of (loop, i);
  return sum;
}

/* X as a number of iterations, from LEAST to MOST; also of what is none.  */

static inline uint64_t
amp_device_clamp (double x, uint64_t least, uint64_t most)
{
  if (!(x > (double) least))
    return least < most ? least : most;
  return x >= (double) most ? most : (uint64_t) x;
}

/* How much LANE, a core's, is to take, where LEFT are left.  */

static uint64_t
amp_device_core_size (struct amp_loop *loop, struct amp_lane *lane,
		      uint64_t left)
{
  unsigned first = loop->lanes - amp_device_plan_of (loop)->devices, i;
  double rate = amp_device_speed_of (loop, lane->id).is.rate;
  double sum = rate, span = 0.0, short_one = rate * (double) loop->min_ticks;
  double chunk;

  /* Samples that grow until they are long enough.  */
  if (!(rate > 0.0))
    {
      uint64_t chunk = lane->chunk, most = left / (2 * loop->lanes);

      if (chunk <= loop->n / 2)
	lane->chunk *= 2;
      return chunk <= most ? chunk : most != 0 ? most : 1;
    }
  for (i = 0; i < loop->lanes; i++)
    {
      union amp_device_speed speed = amp_device_speed_of (loop, i);

      if (i == lane->id)
	continue;
      sum += amp_device_rate_of (loop, i);
      if (i >= first && speed.is.more > 0.0f
	  && (!(span > 0.0) || speed.is.more < span))
	span = speed.is.more;
    }
  /* Before a device has been timed, short ones.  */
  if (amp_device_plan_of (loop)->devices == 0)
    chunk = (double) left;
  else if (!(span > 0.0))
    chunk = short_one;
  else
    /* Equation 4, with the device whose chunks are the shortest.  */
    chunk = rate * span;
  /* At the end half of the lane's part of what is left.  */
  if (chunk > (double) left * rate / (2.0 * sum))
    chunk = (double) left * rate / (2.0 * sum);
  if (chunk < short_one)
    chunk = short_one;
  return amp_device_clamp (chunk, 1, loop->n);
}

/* Is the device to be tried although the cores seem to outrun it?  */

static bool
amp_device_try_again (struct amp_device_memory *memory)
{
  if (memory->patience == 0)
    memory->patience = AMP_DEVICE_PATIENCE;
  if (++memory->idle < memory->patience)
    return false;
  memory->idle = 0;
  if (memory->patience <= UINT32_MAX / 2)
    memory->patience *= 2;
  return true;
}

/* How much LANE, of device number D, is to take of LEFT > 0; 0: nothing that is
   worth its while.  Sets OWN->whole.  */

static uint64_t
amp_device_size (struct amp_loop *loop, struct amp_lane *lane, unsigned d,
		 uint64_t left)
{
  const struct amp_device_plan *plan = amp_device_plan_of (loop);
  const struct amp_device_of *device = &plan->device[d];
  struct amp_device_memory *memory = device->memory;
  struct amp_device_lane *own = amp_lane_own (lane);
  double rest = amp_device_rest (loop, lane), share, rate;
  uint64_t size = device->chunk, most = left;

  if (plan->kind == AMP_DEVICE_IS_ADAPTIVE)
    size = own->search.size;
  bool is_early = left > loop->n / 2;

  /* What the first chunks say of the cores' speed is little.  */
  if (memory->rest > 0.0 && (is_early || !(rest > 0.0)))
    rest = memory->rest;
  own->whole = 1;
  if (memory->rate > 0.0 && rest > 0.0)
    {
      share = (double) left * memory->rate / (memory->rate + rest);
      if (share >= (double) size)
	{
	  memory->patience = 0;
	  return size;
	}
      /* The last chunk.  What it takes is foretold by the last such one.  */
      rate = memory->small > 0.0 && memory->small < memory->rate
	     ? memory->small : memory->rate;
      share = (double) left * rate / (rate + rest);
      most = amp_device_clamp (share, 0, left) / device->least * device->least;
      if (most == 0)
	{
	  if (!(is_early && !(memory->rest > 0.0))
	      && (own->has_begun || !amp_device_try_again (memory)))
	    return 0;
	  most = device->least;
	}
    }
  else
    /* Nothing is known: not more than half.  */
    most = left - left / 2;
  if (size <= most)
    return size;
  own->whole = 0;
  if (plan->kind == AMP_DEVICE_IS_ADAPTIVE)
    amp_device_search_clipped (&own->search);
  return most;
}

/* Up to WANT ordinals of what lane ID has given back.  */

static struct amp_chunk
amp_device_returned (struct amp_loop *loop, unsigned id, uint64_t want)
{
  struct amp_queue *queue = amp_loop_queue (loop, id);
  /* Pairs with amp_device_give_back's release, and so does the one below.  */
  uint64_t left = AMP_LOAD (&queue->range, AMP_ACQUIRE), end;

  while (left != 0)
    {
      uint64_t take = want < left ? want : left;

      end = AMP_LOAD (&queue->report.run, AMP_RELAXED);
      if (AMP_CAS (&queue->range, &left, left - take, AMP_ACQUIRE))
	return amp_make_chunk (end - left, end - left + take);
      /* What was found instead was read relaxed.  */
      left = AMP_LOAD (&queue->range, AMP_ACQUIRE);
    }
  return amp_no_chunk ();
}

/* The block that LANE, a device's, has with bulk; the first time.  */

static struct amp_chunk
amp_device_block (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_device_lane *own = amp_lane_own (lane);
  uint64_t *bounds = amp_loop_bounds (loop);
  struct amp_chunk chunk = amp_no_chunk ();

  if (!own->has_begun)
    {
      chunk.begin = AMP_LOAD (&bounds[lane->id], AMP_RELAXED);
      chunk.end = AMP_LOAD (&bounds[lane->id + 1], AMP_RELAXED);
    }
  own->has_begun = own->whole = 1;
  lane->run += chunk.end - chunk.begin;
  return chunk;
}

/* Nothing more for LANE.  */

static struct amp_chunk
amp_device_end (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_device_plan *plan = amp_device_plan_of (loop);
  struct amp_device_lane *own = amp_lane_own (lane);

  lane->state = AMP_ST_DONE;
  if (own->is_device)
    {
      unsigned d = amp_device_number (loop, lane->id);
      struct amp_device_memory *memory = plan->device[d].memory;
      double rest = amp_device_rest (loop, lane);

      /* One in which the first part of the search has ended is no try.  */
      if (memory->search.by_executions && memory->iterations > 0.0)
	amp_device_search_step (&own->search,
				memory->iterations / memory->ticks, 0.0,
				loop->n);
      memory->search = own->search;
      if (rest > 0.0)
	memory->rest = rest;
    }
  return amp_no_chunk ();
}

/* What a core's lane gets.  */

static struct amp_chunk
amp_device_core_next (struct amp_loop *loop, struct amp_lane *lane)
{
  unsigned first = loop->lanes - amp_device_plan_of (loop)->devices, i;
  struct amp_device_lane *own = amp_lane_own (lane);
  struct amp_chunk chunk = amp_no_chunk ();
  uint64_t want;

  if (!own->pool_empty)
    {
      uint64_t left = amp_cursor_left (loop);

      if (left != 0)
	chunk = amp_cursor_take (loop, lane,
				 amp_device_core_size (loop, lane, left));
      if (amp_chunk_p (chunk))
	return chunk;
      own->pool_empty = 1;
      lane->state = AMP_ST_DRAIN;
    }
  want = amp_device_core_size (loop, lane, 0);
  for (i = first; i < loop->lanes && !amp_chunk_p (chunk); i++)
    chunk = amp_device_returned (loop, i, want);
  lane->run += chunk.end - chunk.begin;
  return chunk;
}

static struct amp_chunk
amp_device_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  const struct amp_device_plan *plan = amp_device_plan_of (loop);
  struct amp_device_lane *own = amp_lane_own (lane);
  struct amp_chunk chunk = amp_no_chunk ();
  uint64_t now, left, size;

  if (lane->state == AMP_ST_DONE)
    return chunk;
  now = amp_ticks ();
  if (lane->timed != 0)
    amp_device_account (loop, lane, now);
  if (!own->is_device)
    chunk = amp_device_core_next (loop, lane);
  else if (plan->kind == AMP_DEVICE_IS_BULK)
    chunk = amp_device_block (loop, lane);
  else if ((left = amp_cursor_left (loop)) != 0)
    {
      unsigned d = amp_device_number (loop, lane->id);

      size = amp_device_size (loop, lane, d, left);
      if (size != 0)
	{
	  own->has_begun = 1;
	  chunk = amp_cursor_take (loop, lane, size);
	  if (chunk.end - chunk.begin < size)
	    own->whole = 0;
	}
      else
	AMP_FETCH_ADD (&loop->retired, 1, AMP_RELAXED);
    }
  if (!amp_chunk_p (chunk))
    return amp_device_end (loop, lane);
  own->fixed = 0.0f;
  lane->started = now;
  lane->timed = chunk.end - chunk.begin;
  return chunk;
}

static void
amp_device_tell (struct amp_lane *lane, double share)
{
  struct amp_device_lane *own = amp_lane_own (lane);

  own->fixed = share;
}

static void
amp_device_give_back (struct amp_loop *loop, struct amp_lane *lane,
		      struct amp_chunk chunk)
{
  struct amp_queue *queue = amp_lane_queue (loop, lane);
  struct amp_device_lane *own = amp_lane_own (lane);

  amp_device_end (loop, lane);
  own->is_device = 0;
  lane->state = AMP_ST_DRAIN;
  lane->timed = 0;
  lane->run -= chunk.end - chunk.begin;
  /* It is none of those whose speeds count.  */
  AMP_STORE (&queue->own, 0, AMP_RELAXED);
  AMP_STORE (&queue->report.run, chunk.end, AMP_RELAXED);
  /* Pairs with the acquire of amp_device_returned.  */
  AMP_STORE (&queue->range, chunk.end - chunk.begin, AMP_RELEASE);
}

static void
amp_device_again (struct amp_lane *lane)
{
  lane->state = AMP_ST_DRAIN;
}

static const struct amp_ops amp_device_ops = {
  .name = "device", .flags = AMP_NEEDS_CLOCK | AMP_PHASED | AMP_RESERVES,
  .loop_size = sizeof (void *), .lane_size = sizeof (struct amp_device_lane),
  .init = amp_device_init, .enter = amp_device_enter,
  .next_chunk = amp_device_next_chunk
};

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Queues that others may steal from, which steal, ich and binlpt share; and
   steal[,chunk]: every lane begins with a contiguous block of the loop, takes
   CHUNK iterations at a time from its front, and when it is empty steals
   the back half of another lane's queue.  Victims are looked for from a random
   lane on, each once; those of the lane's own cluster first.  Where SF is
   known the blocks are in proportion to it, else even; a slow lane then steals
   what it gets through as soon as a fast victim through the rest, and nothing
   that fast lanes will have run before (amp_spare_p).

   The rival that Booth et al., section 5.2, call stealing; it is the base of
   iCh.  Deviations: their queues follow the THE protocol, with locks;
   ours are one word each.  They try random victims; we go through all of them
   once, so that `false' means that nothing was left.

   A queue is a word

     63	52 51	     26 25	    0
     [   tag    ] [   front   ] [   back    ]

   and stands for the units front .. back-1, none if front >= back.  A unit is
   the least power of two of iterations such that the loop has fewer than 2^26
   units: one iteration up to 67 million, and beyond that 2^-25 of the loop at
   most.  The tag is the generation's low bits.  A word with another tag is
   left from an earlier loop: its lane has not touched its queue yet, and the
   queue is still what it is at the beginning, which anyone can compute from
   what amp_loop_init wrote.  So nobody has to write the queues of all lanes
   when a loop begins, each is first touched by its owner, and the queue of a
   lane that never comes can be robbed like any other.  A tag does not recur
   before all words have been cleared (amp_check_tag): 0 is no loop's tag.

   Four operations change a word:
   - touch, by the owner when it enters, if the word has another tag:
     compare-and-swap to the same queue with this loop's tag.
   - pop, by the owner after that: fetch-and-add of COUNT to the front; the sum
     of all COUNTs since a load is at most what that has shown.
   - rob, by a thief: compare-and-swap that lowers the back, and gives the word
     this loop's tag if it has another.
   - push, by the owner of an empty queue: a store of what it has stolen.

   Claim: at any time each unit of the loop is in exactly one of these: handed
   out; in one queue; in the hands of a lane that has robbed it in its call of
   `next_chunk' under way.
   - Beginning: the initial queues divide the loop.
   - touch leaves the queue as it is; if it fails, a thief has come first and
     the word has the tag.
   - rob: the word alone says what is in the queue, and the compare-and-swap
     succeeds only on that very value.  That the value may have gone and come
     back (ABA) is harmless: it says what is in the queue now, and that is
     what is divided into the part that stays and the part that is taken.
   - pop: only the owner changes the front, and others only lower the back,
     so the load's front is exact and its back not too low; adding COUNTs
     leaves the front at or below the back that was loaded: it never carries
     into the tag.  The addition returns what was really there, and the units
     from its front to the lower of its back and front + COUNT are taken from
     the queue by this one operation.  A thief that comes in between fails or
     has lowered the back that the addition returns.
   - push: an empty queue is changed by its owner alone, for a thief's
     compare-and-swap starts from a queue that is not empty.  So the owner,
     once it has found its queue empty, can store.
   Hence safety.  The first lane that is done has found its own queue and, each
   at some moment, all others empty, and says so by the cursor (AMP_SEEN).
   Another is done when it has found its own queue empty and either the same of
   all others or that somebody has said so.  When all lanes
   are done, all queues are empty: that of a lane that calls was when it went to
   search, and only its own push could have filled it again; that of a lane
   that does not call is never pushed to, so it stays empty once it is, and the
   first has seen it empty or robbed it.  So all units have been handed out.
   What is left when somebody says so is in the hands or queues of lanes that
   had robbed it meanwhile, and run it.  Without the cursor each lane would look
   at all queues at the end, each a cache line that others have written.

   All orders are relaxed, and no operation has a partner: a word publishes
   nothing but itself, iterations are independent, and what they write is
   ordered by the construct's barrier, as with libgomp's own dynamic
   schedule.  A load that shows an old value of a queue makes a thief fail, or
   pass by a queue that is being filled just then, which its owner will run.

   The loop's last ordinal is in no queue, since who runs it must run nothing
   after it (see amp.h), and would have to leave the others alone with the rest.
   The first lane that finds nothing else takes it, by the cursor, which is not
   used otherwise (AMP_TAKEN); then it is done.  So does the one whose block it
   ends, if that retires.

   pop is one operation, rob is repeated only when another lane was granted
   something meanwhile, and a search visits each lane once: `next_chunk' is
   bounded as the contract demands.  */

#ifndef AMP_TAG_BITS
# define AMP_TAG_BITS 12	/* Fewer, for tests.  */
#endif
#define AMP_TAG_SHIFT 52
#define AMP_TAG_MASK ((UINT64_C (1) << AMP_TAG_BITS) - 1)
#define AMP_UNIT_BITS 26
#define AMP_UNIT_MASK ((UINT64_C (1) << AMP_UNIT_BITS) - 1)

/* What the cursor says: that somebody has seen all queues empty, and that the
   last ordinal is taken.  */
#define AMP_SEEN UINT64_C (1)
#define AMP_TAKEN UINT64_C (2)

/* Units: front inclusive, back exclusive.  */

struct amp_range
{
  uint64_t front, back;
};

static inline bool
amp_tagged_p (const struct amp_loop *loop, uint64_t word)
{
  return ((word ^ loop->tag) >> AMP_TAG_SHIFT) == 0;
}

static inline uint64_t
amp_queue_word (const struct amp_loop *loop, uint64_t front, uint64_t back)
{
  return loop->tag | front << AMP_UNIT_BITS | back;
}

static inline uint64_t
amp_range_len (const struct amp_range *range)
{
  return range->front < range->back ? range->back - range->front : 0;
}

/* No thread uses the block, so plain stores will do.  */

static void
amp_clear_queues (struct amp_loop *loop)
{
  unsigned i;

  for (i = 0; i < loop->lanes; i++)
    amp_loop_queue (loop, i)->range = amp_loop_queue (loop, i)->own = 0;
}

/* The loop's generation is new: see to it that no word bears its tag.  */

static inline void
amp_check_tag (struct amp_loop *loop)
{
  if (__builtin_expect ((loop->generation & AMP_TAG_MASK) == 0, 0))
    {
      loop->generation++;
      amp_clear_queues (loop);
    }
  loop->tag = (loop->generation & AMP_TAG_MASK) << AMP_TAG_SHIFT;
}

/* Where lane I's queue begins in a loop that no one has touched; I may be
   LANES for the end of the last.  */

static inline uint64_t
amp_first_unit (struct amp_loop *loop, unsigned i)
{
  uint64_t q, r;

  if (loop->queues_bounded)
    {
      q = AMP_LOAD (amp_loop_bounds (loop) + i, AMP_RELAXED);
      return q < loop->units ? q : loop->units;
    }
  q = loop->units / loop->lanes;
  r = loop->units % loop->lanes;
  return q * i + (i < r ? i : r);
}

/* What WORD with this loop's tag stands for.  */

static inline struct amp_range
amp_tagged_range (uint64_t word)
{
  struct amp_range range = { word >> AMP_UNIT_BITS & AMP_UNIT_MASK,
			     word & AMP_UNIT_MASK };
  return range;
}

/* What WORD, lane I's, stands for.  */

static inline struct amp_range
amp_decode_queue (struct amp_loop *loop, unsigned i, uint64_t word)
{
  struct amp_range range;

  if (__builtin_expect (amp_tagged_p (loop, word), 1))
    return amp_tagged_range (word);
  range.front = amp_first_unit (loop, i);
  range.back = amp_first_unit (loop, i + 1);
  return range;
}

/* LANE enters: its queue's word gets the loop's tag, unless a thief has given
   it that already.  */

static void
amp_touch (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t *p = &amp_lane_queue (loop, lane)->range;
  uint64_t word = AMP_LOAD (p, AMP_RELAXED);

  if (!amp_tagged_p (loop, word))
    {
      struct amp_range all = amp_decode_queue (loop, lane->id, word);
      (void) AMP_CAS (p, &word, amp_queue_word (loop, all.front, all.back),
		      AMP_RELAXED);
    }
}

/* A look at LANE's own queue; thieves may take from its back at any time.  */

static inline struct amp_range
amp_look (const struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t word = AMP_LOAD (&amp_lane_queue (loop, lane)->range, AMP_RELAXED);

  AMP_ASSERT (amp_tagged_p (loop, word));
  return amp_tagged_range (word);
}

/* Pop up to COUNT units, 1 <= COUNT <= what *RANGE has, which amp_look has
   just returned.  *RANGE becomes what was popped.  False if thieves have taken
   it all.  */

static inline bool
amp_pop (const struct amp_loop *loop, struct amp_lane *lane,
	 struct amp_range *range, uint64_t count)
{
  uint64_t word = AMP_FETCH_ADD (&amp_lane_queue (loop, lane)->range,
				 count << AMP_UNIT_BITS, AMP_RELAXED);
  uint64_t back = word & AMP_UNIT_MASK;

  AMP_ASSERT (count > 0 && count <= amp_range_len (range)
	      && amp_tagged_p (loop, word)
	      && (word >> AMP_UNIT_BITS & AMP_UNIT_MASK) == range->front);
  range->back = range->front + count;
  if (__builtin_expect (range->back <= back, 1))
    return true;
  range->back = back;
  return range->front < back;
}

/* LANE, whose queue a look has shown to have LEN units, has popped RANGE, which
   was to be CHUNK: it may take as many again and again without a look.  */

static inline void
amp_pop_alike (struct amp_lane *lane, const struct amp_range *range,
	       uint64_t chunk, uint64_t len)
{
  uint64_t times = (chunk == 1 ? len : len / chunk) - 1;

  /* Thieves have been there.  */
  if (range->back - range->front != chunk)
    return;
  lane->chunk = chunk;
  lane->alike = times < UINT8_MAX ? times : UINT8_MAX;
}

/* Make RANGE the queue of LANE, which has found its own empty.  */

static inline void
amp_push (struct amp_loop *loop, struct amp_lane *lane,
	  const struct amp_range *range)
{
  AMP_STORE (&amp_lane_queue (loop, lane)->range,
	     amp_queue_word (loop, range->front, range->back), AMP_RELAXED);
}

/* Rob lane VICTIM of the back of its queue: of PART 65536ths of what it has and
   one more, which for a half is the larger half, but at least of its last unit.
   False if there is nothing.  */

#define AMP_ROB_HALF (UINT64_C (1) << 15)

static bool
amp_rob (struct amp_loop *loop, unsigned victim, uint64_t part,
	 struct amp_range *range)
{
  uint64_t *p = &amp_loop_queue (loop, victim)->range;
  uint64_t word = AMP_LOAD (p, AMP_RELAXED);

  for (;;)
    {
      struct amp_range all = amp_decode_queue (loop, victim, word);
      uint64_t len = amp_range_len (&all), count = ((len + 1) * part) >> 16;

      if (len == 0)
	return false;
      range->front = all.back - (count != 0 ? count : 1);
      range->back = all.back;
      if (AMP_CAS (p, &word, amp_queue_word (loop, all.front, range->front),
		   AMP_RELAXED))
	return true;
    }
}

static inline unsigned
amp_random (struct amp_lane *lane)
{
  unsigned x = lane->random;

  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return lane->random = x;
}

/* Lane I's part of what all lanes run at a time, as far as is known; else
   PART.  */

static inline double
amp_owner_part (struct amp_loop *loop, unsigned i, double part)
{
  uint64_t seen = 0;

  if (loop->site != NULL)
    seen = AMP_LOAD (&amp_site_seen (loop->site)[i], AMP_RELAXED);
  return (seen == 0 || seen > loop->types ? part
	  : amp_load_double (&amp_loop_pace (loop)[seen - 1].part));
}

/* True if LANE, whose queue is empty, is not to rob others: either the fast
   lanes will be through with what is in all queues and the last ordinal before
   LANE was with one more iteration, or each lane will be with its own queue.
   It is done then, or waits for lanes that have not entered.

   A lane that has had its own block and no more is where the plan wants it.
   As long as the others have not more left than the plan may give them
   meanwhile it robs nobody that has not entered, and if the last ordinal is its
   block's it takes that.  */

static bool
amp_spare_p (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_pace *pace = &amp_loop_pace (loop)[lane->type];
  uint64_t spare = AMP_LOAD (&pace->spare, AMP_RELAXED);
  uint64_t left = !(AMP_LOAD (&loop->cursor, AMP_RELAXED) & AMP_TAKEN);
  uint64_t *bounds = amp_loop_bounds (loop) + lane->id;
  bool planned = (lane->run >> loop->shift
		  == (amp_first_unit (loop, lane->id + 1)
		      - amp_first_unit (loop, lane->id)));
  bool last = (planned && AMP_LOAD (&bounds[0], AMP_RELAXED) <= loop->units
	       && AMP_LOAD (&bounds[1], AMP_RELAXED) > loop->units);
  double part = amp_load_double (&pace->part);
  bool worth = false;
  unsigned i;

  if (last
      || (planned && lane->patience != 0
	  && AMP_LOAD (&loop->present, AMP_RELAXED) != loop->lanes))
    spare += loop->lanes + (uint64_t) (0.5 / part);
  for (i = 0; (left < spare || !worth) && i < loop->lanes; i++)
    {
      uint64_t word = AMP_LOAD (&amp_loop_queue (loop, i)->range, AMP_RELAXED);
      struct amp_range range = amp_decode_queue (loop, i, word);

      uint64_t len = amp_range_len (&range) << loop->shift;

      left += len;
      worth |= (len != 0
		&& (double) len * part >= amp_owner_part (loop, i, part));
    }
  if ((left >= spare && worth) || !amp_retire (loop, lane))
    return false;
  if (last && lane->state == AMP_ST_DONE)
    lane->state = AMP_ST_WAIT;
  return true;
}

/* Rob, as amp_rob, the first lane that has something, from a random one on,
   those of LANE's own cluster first.  *VICTIM is who it was.  False if nothing
   was left to one that has looked at all, be it another lane, or is to be left
   to others.  */

static bool
amp_search (struct amp_loop *loop, struct amp_lane *lane, uint64_t part,
	    struct amp_range *range, unsigned *victim)
{
  const unsigned short *cluster = loop->cluster;
  unsigned lanes = loop->lanes, i, v, far;
  unsigned start = (uint64_t) amp_random (lane) * lanes >> 32;

  if (__builtin_expect (loop->paced, 0))
    {
      /* It may have waited.  */
      lane->state = AMP_ST_DRAIN;
      if (amp_spare_p (loop, lane))
	return false;
      part = AMP_LOAD (&amp_loop_pace (loop)[lane->type].robs, AMP_RELAXED);
    }
  for (far = 0; far <= (cluster != NULL); far++)
    for (i = 0, v = start; i < lanes; i++, v = v + 1 < lanes ? v + 1 : 0)
      if (__builtin_expect (AMP_LOAD (&loop->cursor, AMP_RELAXED) & AMP_SEEN,
			    0))
	return false;
      else if (v != lane->id
	       && (cluster == NULL
		   || (cluster[v] != cluster[lane->id]) == far)
	       && amp_rob (loop, v, part, range))
	{
	  *victim = v;
	  return true;
	}
  return false;
}

/* Give RANGE, which LANE has taken, as ordinals.  */

static inline struct amp_chunk
amp_grant (const struct amp_loop *loop, struct amp_lane *lane,
	   const struct amp_range *range)
{
  struct amp_chunk chunk;

  chunk.begin = range->front << loop->shift;
  chunk.end = (range->back == loop->units
	       ? loop->n - 1 : range->back << loop->shift);
  lane->run += chunk.end - chunk.begin;
  return chunk;
}

static inline struct amp_chunk
amp_queue_take_alike (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t word = AMP_FETCH_ADD (&amp_lane_queue (loop, lane)->range,
				 lane->chunk << AMP_UNIT_BITS, AMP_RELAXED);
  struct amp_range range = amp_tagged_range (word);
  uint64_t back = range.back;

  AMP_ASSERT (amp_tagged_p (loop, word)
	      && range.front + lane->chunk <= loop->units);
  lane->alike--;
  range.back = range.front + lane->chunk;
  if (__builtin_expect (range.back > back, 0))
    {
      lane->alike = 0;
      if (range.front >= back)
	return amp_no_chunk ();
      range.back = back;
    }
  return amp_grant (loop, lane, &range);
}

/* LANE has found nothing, and is done but for the last ordinal, unless it is
   done already, or waits.  If it has not looked (AMP_ST_WAIT), it is done but
   for that, too.  */

static struct amp_chunk
amp_take_last (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t bits = lane->state == AMP_ST_WAIT ? AMP_TAKEN : AMP_SEEN | AMP_TAKEN;
  uint64_t before;

  if (lane->state == AMP_ST_DONE || lane->state == AMP_ST_PAUSED)
    return amp_no_chunk ();
  lane->state = AMP_ST_DONE;
  before = AMP_LOAD (&loop->cursor, AMP_RELAXED);
  do
    if (loop->n == 0 || (before & bits) == bits)
      return amp_no_chunk ();
  while (!AMP_CAS (&loop->cursor, &before, before | bits, AMP_RELAXED));
  if (before & AMP_TAKEN)
    return amp_no_chunk ();
  lane->run++;
  return amp_make_chunk (loop->n - 1, loop->n);
}

/* What initialisers share: units of all ordinals but the last, and, if BY_SPEED
   and SF is known, the queues' bounds in proportion to it.  */

static void
amp_steal_setup (struct amp_loop *loop, const struct amp_setup *setup,
		 bool by_speed)
{
  uint64_t n = loop->n - (loop->n != 0), mask;
  struct amp_weights w;

  while (n >> loop->shift >= AMP_UNIT_MASK)
    loop->shift++;
  mask = (UINT64_C (1) << loop->shift) - 1;
  loop->units = (n >> loop->shift) + ((n & mask) != 0);
  loop->cluster = setup->lane_cluster;
  amp_weigh (setup, false, amp_loop_bounds (loop), &w);
  loop->one_type = w.one_type;
  if (by_speed && amp_unlike_p (&w))
    {
      /* The last ordinal is a unit of its own there.  */
      amp_cut (&w, loop->lanes, loop->units + 1, amp_loop_bounds (loop));
      loop->queues_bounded = 1;
      amp_set_pace (loop, w.sf, w.lanes_of);
      loop->paced = 1;
    }
  amp_plan_divide (loop, setup, &w);
}

/* CHUNK iterations in units.  */

static inline uint64_t
amp_units (const struct amp_loop *loop, uint64_t chunk)
{
  uint64_t units = chunk >> loop->shift;

  return units ? units : 1;
}

static void
amp_steal_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  lane->random = (lane->id + 1u) * 2654435761u ^ (unsigned) loop->generation;
  /* The generator would stay at 0.  */
  if (lane->random == 0)
    lane->random = 1;
  if (loop->paced)
    amp_be_present (loop);
  amp_touch (loop, lane);
}

/* LANE's queue is empty.  Not inlined, to keep the usual case short.  */

static struct amp_chunk __attribute__ ((noinline))
amp_steal_more (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_range range;
  unsigned victim;

  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  if (!amp_search (loop, lane, AMP_ROB_HALF, &range, &victim))
    return amp_take_last (loop, lane);
  if (loop->minor < amp_range_len (&range))
    {
      struct amp_range rest = { range.front + loop->minor, range.back };

      amp_push (loop, lane, &rest);
      range.back = rest.front;
    }
  return amp_grant (loop, lane, &range);
}

static struct amp_chunk
amp_steal_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_range range = amp_look (loop, lane);
  uint64_t len = amp_range_len (&range);

  uint64_t count = loop->minor < len ? loop->minor : len;

  if (__builtin_expect (len == 0, 0) || !amp_pop (loop, lane, &range, count))
    return amp_steal_more (loop, lane);
  amp_pop_alike (lane, &range, count, len);
  return amp_grant (loop, lane, &range);
}

static void
amp_steal_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  amp_steal_setup (loop, setup, true);
  loop->minor = amp_units (loop, setup->params.value[0]);
}

static const struct amp_ops amp_steal = {
  .name = "steal", .kind = 19, .flags = AMP_QUEUES,
  .nparams = 1, .param = { { "chunk", 1, INT32_MAX, 1, AMP_CHUNK_LEAST } },
  .init = amp_steal_init, .enter = amp_steal_enter,
  .next_chunk = amp_steal_next_chunk,
  .text = "A block a thread; a thread without work steals half of another's"
};

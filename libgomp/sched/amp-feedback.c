/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   feedback[,percent]: contiguous blocks, one a lane, that are corrected from
   one execution of the loop to the next and repaired by stealing within each.

   The blocks begin in proportion to speed as far as that is known, else even.
   A lane takes PERCENT of its block at once, then an eighth of what its queue
   holds at a time, and when that is empty steals the back half of another
   lane's (amp-steal.c), so that chunks shrink towards the end.  Where nothing
   is known of the lanes, which may be of any speed, the parts are 1/32.  Bull,
   "Feedback Guided Dynamic Loop Scheduling", Euro-Par 1998, corrects the blocks:
   what each lane's time for its own block says of the cost of iterations there
   is taken for a density, and the next blocks are cut such that all have the
   same integral.  Deviations: what others stole of a block is taken to be like
   the rest of it; the new bounds are averaged with the old ones; and blocks
   stay where they are while they are good enough, for the sake of caches and
   first touch.

   Everything is judged by lanes' times in one execution relative to each
   other: work that varies from call to call changes nothing.  A site's
   `spread' says how much longer than the mean the slowest lane would have taken
   for its own block.  While that is small a lane takes most of its block at
   once, and loops that are short or balanced get their blocks alone, as
   static would deal them (amp_decide).  */

/* A chunk is this part of a queue, as a shift, once something is known of the
   loop, and before.  In 105 simulated cases (7 loads, 8 machines, 1, 3 and 50
   executions) 1/8 reaches 0.98, 0.99 and 0.99 of the ideal on average, never
   less than 0.94; without the smaller parts the first execution may fall to
   0.58, where a slow core takes an eighth of the heaviest block.  */
#define AMP_FEEDBACK_SHIFT 3
#define AMP_FEEDBACK_FIRST_SHIFT 5
/* ... and it takes at least this part of min_ticks, as a divisor: a grant costs
   some 20 ns, min_ticks is 5 us.  */
#define AMP_FEEDBACK_LEAST 8
/* What is left for stealing, beyond a tenth, is so many times the spread.  */
#define AMP_FEEDBACK_MARGIN 2.0
#define AMP_FEEDBACK_MOST 9000
/* Blocks move where one would take so much longer than the mean, and that is
   no noise: more than this part of min_ticks.  */
#define AMP_FEEDBACK_TOLERANCE 0.04
#define AMP_FEEDBACK_NOISE (1.0 / 4)
/* ... in loops of so many iterations a lane.  In others chunks are single
   iterations anyway, and rounding is all that could be mended.  */
#define AMP_FEEDBACK_FEW 32
/* The least weight of what was last seen.  */
#define AMP_FEEDBACK_WEIGHT 0.25

static const struct amp_ops amp_feedback, amp_own_blocks;

struct amp_feedback_loop
{
  unsigned first;	/* 10000ths of a block taken at once.  */
  unsigned shift;	/* A chunk is this part of a queue.  */
};

static inline uint64_t
amp_feedback_chunk (const struct amp_loop *loop, uint64_t len)
{
  struct amp_feedback_loop *own = amp_loop_own (loop);
  uint64_t chunk = len >> own->shift;

  return chunk > loop->minor ? chunk : loop->minor;
}

/* LANE's queue is empty; for the first time that is its own block's end.  */

static struct amp_chunk __attribute__ ((noinline))
amp_feedback_more (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_range range, rest;
  unsigned victim;

  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  if (loop->is_observed && amp_in_own_block_p (loop, lane))
    amp_end_own_block (loop, lane, amp_ticks ());
  lane->state = AMP_ST_DRAIN;
  if (!amp_search (loop, lane, AMP_ROB_HALF, &range, &victim))
    return amp_take_last (loop, lane);
  rest.front = range.front + amp_feedback_chunk (loop, amp_range_len (&range));
  rest.back = range.back;
  if (rest.front < rest.back)
    {
      amp_push (loop, lane, &rest);
      range.back = rest.front;
    }
  return amp_grant (loop, lane, &range);
}

static struct amp_chunk
amp_feedback_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_range range = amp_look (loop, lane);
  uint64_t len = amp_range_len (&range);
  uint64_t count = amp_feedback_chunk (loop, len);

  if (__builtin_expect (lane->state == AMP_ST_PLAN, 0))
    {
      struct amp_feedback_loop *own = amp_loop_own (loop);
      uint64_t first = len * own->first / 10000;

      lane->state = AMP_ST_SHARE;
      if (first > count)
	count = first;
    }
  if (count > len)
    count = len;
  if (__builtin_expect (len == 0, 0) || !amp_pop (loop, lane, &range, count))
    return amp_feedback_more (loop, lane);
  if (count == loop->minor)
    amp_pop_alike (lane, &range, count, len);
  return amp_grant (loop, lane, &range);
}

static void
amp_feedback_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  amp_steal_enter (loop, lane);
  lane->state = AMP_ST_PLAN;
}

/* Where blocks of WHOLE ordinals or units begin, as SITE's marks say, in CUTS;
   false if it has none.  */

static bool
amp_feedback_cut (struct amp_site *site, unsigned lanes, uint64_t whole,
		  uint64_t *cuts)
{
  uint64_t before = 0;
  unsigned i;

  if (site == NULL || AMP_LOAD (&site->marked, AMP_RELAXED) == 0)
    return false;
  AMP_STORE (&cuts[0], 0, AMP_RELAXED);
  for (i = 1; i < lanes; i++)
    {
      double bound = (amp_load_double (&amp_site_marks (site)[i])
		      * (double) whole + 0.5);

      /* Marks may be changing, so that they need not increase.  */
      if (!(bound < (double) whole))
	before = whole;
      else if (bound > (double) before)
	before = (uint64_t) bound;
      AMP_STORE (&cuts[i], before, AMP_RELAXED);
    }
  AMP_STORE (&cuts[lanes], whole, AMP_RELAXED);
  return true;
}

/* Blocks alone, where the marks say or else by speed; and all that feedback
   remembers.  Not in the registry.  */

static void
amp_own_blocks_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  loop->aid_n = loop->n;
  loop->units = loop->n;
  if (amp_feedback_cut (setup->site, loop->lanes, loop->n,
			amp_loop_bounds (loop)))
    {
      loop->plan_kind = AMP_PLAN_WEIGHTED;
      amp_plan_divide (loop, setup, NULL);
    }
  else
    amp_plan (loop, setup);
  /* Each lane gets a block, so that each is known the next time.  */
  if (loop->plan_kind == AMP_PLAN_NONE)
    loop->plan_kind = AMP_PLAN_EVEN;
  loop->queues_bounded = loop->plan_kind == AMP_PLAN_WEIGHTED;
}

static void
amp_feedback_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_feedback_loop *own = amp_loop_own (loop);
  struct amp_site *site = setup->crowded ? NULL : setup->site;
  unsigned percent = setup->params.value[0];
  double share = 1.0, least = 0.0;

  amp_steal_setup (loop, setup, true);
  if (amp_feedback_cut (site, loop->lanes, loop->units,
			amp_loop_bounds (loop)))
    {
      loop->queues_bounded = 1;
      /* Types are told apart by which iterations they had.  */
      loop->paced = 0;
    }
  own->shift = AMP_FEEDBACK_SHIFT;
  loop->minor = 1;
  if (site != NULL && AMP_LOAD (&site->observations, AMP_RELAXED) != 0)
    {
      share -= AMP_FEEDBACK_MARGIN * amp_load_double (&site->spread);
      least = ((double) loop->min_ticks
	       / (AMP_FEEDBACK_LEAST * loop->lanes
		  * amp_load_double (&site->time)));
    }
  else
    {
      share = 0.0;
      if (!loop->queues_bounded && !loop->one_type)
	own->shift = AMP_FEEDBACK_FIRST_SHIFT;
    }
  own->first = percent * 100;
  if (percent == 0 && share > 0.0)
    {
      own->first = (unsigned) (share * 10000.0);
      if (own->first > AMP_FEEDBACK_MOST)
	own->first = AMP_FEEDBACK_MOST;
    }
  /* No number where the loop took no time.  */
  if (least > 1.0 && least < (double) loop->n)
    loop->minor = amp_units (loop, (uint64_t) least);
}

/* The part of all iterations that is lane I's block.  */

static inline double
amp_feedback_part (struct amp_loop *loop, unsigned i)
{
  return ((double) (amp_first_unit (loop, i + 1) - amp_first_unit (loop, i))
	  / (double) loop->units);
}

/* When lane I of LOOP would have been through its block without help, in ticks
   from the loop's beginning, times a constant; 0.0 if it has run nothing of it.
   How late it came says nothing of what its iterations cost.  */

static double
amp_feedback_time (struct amp_loop *loop, unsigned i)
{
  struct amp_report *report = amp_loop_report (loop, i);
  double run = (double) AMP_LOAD (&report->own_run, AMP_RELAXED);
  uint64_t ticks = AMP_LOAD (&report->own_ticks, AMP_RELAXED);
  uint64_t late = AMP_LOAD (&report->late, AMP_RELAXED), inside = ticks - late;

  if (ticks == 0 || !(run > 0.0))
    return 0.0;
  return ((double) inside * amp_feedback_part (loop, i) / run
	  + (double) amp_lateness (late, inside) / (double) loop->n);
}

/* How much longer than the mean of those that have blocks the slowest lane
   would have taken for its block, as a part of that; *SUM is that of all lanes'
   times.  0 if any other would have been through later with one iteration more.
   Negative: it is not known.  */

static double
amp_feedback_look (struct amp_loop *loop, double *sum)
{
  double most = 0.0, soonest = __builtin_inf ();
  unsigned i, lanes = 0;

  *sum = 0.0;
  for (i = 0; i < loop->lanes; i++)
    {
      double time = amp_feedback_time (loop, i);
      uint64_t size = amp_first_unit (loop, i + 1) - amp_first_unit (loop, i);

      if (AMP_LOAD (&amp_loop_report (loop, i)->ticks, AMP_RELAXED) == 0)
	return -1.0;
      if (size == 0)
	continue;
      lanes++;
      *sum += time;
      if (time > most)
	most = time;
      time += time / (double) (size << loop->shift);
      if (time < soonest)
	soonest = time;
    }
  if (!(*sum > 0.0))
    return -1.0;
  return most > soonest ? most * lanes / *sum - 1.0 : 0.0;
}

/* Integrate over the blocks of LOOP, whose times sum up to SUM, and move SITE's
   marks, by WEIGHT of the way, from where the blocks were to where each lane's
   part of the integral ends.  */

static void
amp_feedback_move (struct amp_site *site, struct amp_loop *loop, double sum,
		   double weight)
{
  uint64_t *marks = amp_site_marks (site);
  double before = 0.0, end = amp_feedback_time (loop, 0);
  unsigned i, j, lanes = loop->lanes;

  for (i = 0, j = 1; j < lanes; j++)
    {
      double goal = sum * j / lanes, mark, now;

      while (i + 1 < lanes && end < goal)
	{
	  before = end;
	  end += amp_feedback_time (loop, ++i);
	}
      mark = (double) amp_first_unit (loop, i) / (double) loop->units;
      if (end > before)
	mark += ((goal - before) / (end - before)
		 * amp_feedback_part (loop, i));
      now = (double) amp_first_unit (loop, j) / (double) loop->units;
      amp_store_double (&marks[j], now + weight * (mark - now));
    }
  AMP_STORE (&site->marked, 1, AMP_RELAXED);
}

/* LOOP has had blocks by speed alone: do SITE's means say that they are
   wrong?  */

static bool
amp_own_blocks_wrong_p (struct amp_site *site, const struct amp_loop *loop)
{
  double imbalance = amp_load_double (&site->imbalance);
  double time = amp_load_double (&site->time) * (double) loop->n;

  return (AMP_LOAD (&site->marked, AMP_RELAXED) != 0
	  || (2 * AMP_LOAD (&site->observations, AMP_RELAXED)
	      >= amp_site_memory (time, loop->min_ticks)
	      && imbalance > AMP_SITE_UNEVEN_BLOCKS
	      && time - time / imbalance > (AMP_SITE_NOISE
					    * amp_site_share_cost
					    (loop->lanes, loop->min_ticks))));
}

static void
amp_feedback_fold (struct amp_site *site, struct amp_loop *loop, double time)
{
  uint64_t known = AMP_LOAD (&site->observations, AMP_RELAXED);
  uint64_t memory = amp_site_memory (time * (double) loop->n, loop->min_ticks);
  double weight = 1.0 / (double) (known + 1), sum, spread, mean;

  if (loop->units == 0)
    return;
  mean = amp_load_double (&site->spread);
  /* Single moments of so short a loop say nothing; what an earlier one said,
     cold perhaps, fades.  */
  if (time * (double) loop->n < (double) loop->min_ticks)
    {
      amp_store_double (&site->spread, mean * 0.5);
      return;
    }
  spread = amp_feedback_look (loop, &sum);
  if (spread < 0.0)
    return;
  /* What is to be stolen must be left in time; but one lane that was held up is
     no reason for a pool.  */
  if (loop->ops != &amp_feedback)
    mean += AMP_FEEDBACK_WEIGHT * (spread - mean);
  else
    mean = spread > mean ? spread : mean + 0.5 * (spread - mean);
  amp_store_double (&site->spread, mean);
  if (spread > AMP_FEEDBACK_TOLERANCE
      && (spread * time * (double) loop->n
	  > AMP_FEEDBACK_NOISE * (double) loop->min_ticks)
      && loop->n / loop->lanes >= AMP_FEEDBACK_FEW
      /* The first executions of a loop below 1 ms have cold caches.  */
      && (memory != AMP_SITE_MEMORY || known >= AMP_SITE_SURE)
      && (loop->ops == &amp_feedback || amp_own_blocks_wrong_p (site, loop)))
    amp_feedback_move (site, loop, sum,
		       weight > AMP_FEEDBACK_WEIGHT ? weight
		       : AMP_FEEDBACK_WEIGHT);
}

static const struct amp_ops amp_feedback = {
  .name = "feedback", .kind = 25, .flags = AMP_QUEUES,
  .nparams = 1, .param = { { "percent", 1, 100, 0, AMP_CHUNK_NO } },
  .loop_size = sizeof (struct amp_feedback_loop),
  .init = amp_feedback_init, .enter = amp_feedback_enter,
  .next_chunk = amp_feedback_next_chunk, .fold = amp_feedback_fold,
  .text = "Blocks that earlier executions correct, repaired by stealing"
};

static const struct amp_ops amp_own_blocks = {
  .name = "aid_static", .kind = 16,
  .flags = AMP_MONOTONIC | AMP_RESERVES | AMP_NEEDS_CLOCK | AMP_PHASED,
  .init = amp_own_blocks_init, .next_chunk = amp_aid_next_chunk,
  .fold = amp_feedback_fold
};

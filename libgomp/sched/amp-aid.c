/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the AID schedulers share: samples, phases, shares.

   After section 4.2 of Saez et al. (see amp.h).  Deviations:
   - Times are compared per iteration, so samples need not be of equal size,
     and a lane enlarges a sample that is too short to be timed.  Only the
     last enlargement counts: what came before it warmed the caches.
   - Where the user gave no minor chunk, a sample is at least 1/32 of a lane's
     even part: the longer it is the less it is disturbed, and as lanes that
     are through go on taking chunks, its length costs nothing.
   - Every state falls through to self-scheduling while the pool is not
     empty, so neither rounding nor what lanes took while they waited for the
     others' samples strands an iteration.
   - Where the user gave no minor chunk, a lane that self-schedules takes as
     many iterations as fit into one minimum sample (in large teams more: see
     amp_pool_chunk), by its own last timing, but never more than a lane's part
     of half the pool, in proportion to its SF where that is known: a chunk
     then costs little beside what it contains, and the end stays balanced even
     if the last iterations are expensive ones.
     Then, too, slow lanes leave the last iterations to fast ones: see
     amp_retire.
   - Any number of types; SF is relative to the slowest type measured.

   Phases.  Shared are `phase' (0 is sampling), `arrived', a sum for each type
   (lanes, ticks, iterations), a share and an SF for each type, and `round'.
   A lane's `phase' is the last one whose share it took.
   - Arrive: a lane whose timed chunk is through adds it to its type's sum
     (relaxed), then adds 1 to `arrived' (acq_rel).
   - Close: the lane that makes `arrived' the number of lanes reads and clears
     the sums, writes SF, shares and `round', stores 0 to `arrived' (all
     relaxed), then the next number to `phase' (release).
   - Proceed: a lane that has arrived loads `phase' (acquire).  If it has not
     changed the lane takes a small chunk and comes back; else it reads `round'
     and its share (relaxed), takes it, and arrives for the new phase.

   Claims:
   - Between two closings each lane arrives at most once: it comes to a timed
     chunk again only after the closing.  So closings exclude each other.
   - Who closes sees every sum: changes of `arrived' continue each other's
     release sequence, and each lane adds before it arrives.
   - No addition is lost: a lane adds for a phase only after it has acquired
     that phase, hence after the sums were cleared.
   - Shares do not change under a reader: they are written again only after
     all lanes, this one too, have arrived.
   - Nobody waits for a closing: if a lane never arrives the phase stays open,
     and the others take small chunks.  All ordinals come from the one cursor,
     so completeness does not depend on phases.
   - Where SF is known `init' writes shares and phase 1 before the loop is
     published.  A lane that finds a phase other than 0 when it enters is in
     such a loop: without its own sample phase 0 could not have been closed.  */

#include <string.h>
#include "amp-site.h"

static inline uint64_t
amp_double_bits (double value)
{
  uint64_t bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static inline double
amp_bits_double (uint64_t bits)
{
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* The most iterations that one sample, or one chunk of chosen size, may
   contain.  */

static inline uint64_t
amp_sample_limit (const struct amp_loop *loop)
{
  uint64_t limit = loop->n / (16 * (uint64_t) loop->lanes);
  return limit > loop->minor ? limit : loop->minor ? loop->minor : 1;
}

static inline double
amp_clamp_sf (double sf)
{
  /* Also false for a NaN.  */
  return sf > 1.0 ? sf < AMP_SF_MAX ? sf : AMP_SF_MAX : 1.0;
}

/* WANT in iterations: at least 1, at most LIMIT.  */

static inline uint64_t
amp_whole (double want, uint64_t limit)
{
  /* LIMIT may round up to 2^64 as a double: compare, do not convert.  */
  return want >= (double) limit ? limit : want >= 1.0 ? (uint64_t) want : 1;
}

/* How many iterations that took TICKS / ITERATIONS each fill the minimum
   sample; at least 1, at most LIMIT.  */

static uint64_t
amp_fill_sample (const struct amp_loop *loop, uint64_t ticks,
		 uint64_t iterations, uint64_t limit)
{
  if (ticks == 0)
    ticks = 1;
  return amp_whole ((double) iterations * (double) loop->min_ticks
		    / (double) ticks, limit);
}

/* True, and LANE's type brought up to date, if LANE was moved to a core of
   another type while it ran its timed chunk.  */

static inline bool
amp_moved (const struct amp_loop *loop, struct amp_lane *lane)
{
  unsigned type;

  if (!loop->lanes_may_move)
    return false;
  type = amp_known_type (loop, amp_current_type ());
  if (type == lane->type)
    return false;
  lane->type = type;
  return true;
}

/* Take WANT iterations whose time matters.  */

static inline struct amp_chunk
amp_take_timed (struct amp_loop *loop, struct amp_lane *lane, uint64_t want)
{
  struct amp_chunk chunk = amp_cursor_take (loop, lane, want);

  if (amp_chunk_p (chunk))
    {
      lane->timed = chunk.end - chunk.begin;
      lane->started = amp_ticks ();
    }
  return chunk;
}

/* Teams of so many lanes can each take a chunk of a minimum sample's length
   from the pool at a time: its line takes up to 0.2 us from core to core.  */
#define AMP_POOL_LANES 25

/* How many iterations that took TICKS / ITERATIONS each make a chunk that costs
   little beside what it contains: they fill the minimum sample, and in a larger
   team as many times that as it is larger, so that lanes do not queue for the
   pool, but at most a quarter of a lane's even part.  */

static uint64_t
amp_pool_chunk (const struct amp_loop *loop, double ticks, double iterations)
{
  double want = iterations * (double) loop->min_ticks
		/ (ticks > 0.0 ? ticks : 1.0);
  uint64_t limit = amp_sample_limit (loop);

  if (__builtin_expect (loop->lanes > AMP_POOL_LANES, 0))
    {
      double crowd = (double) loop->lanes / AMP_POOL_LANES;
      uint64_t most = loop->n / (4 * (uint64_t) loop->lanes);

      want *= crowd;
      limit = amp_whole ((double) limit * crowd, most ? most : 1);
    }
  return amp_whole (want, limit);
}

/* Choose the size of self-scheduled chunks from the timed chunk, which took
   TICKS.  */

static inline void
amp_choose_chunk (const struct amp_loop *loop, struct amp_lane *lane,
		  uint64_t ticks)
{
  if (loop->minor == 0)
    lane->chunk = amp_pool_chunk (loop, (double) ticks, (double) lane->timed);
}

/* Lanes wait so often where the slowest takes so many min_ticks for an
   iteration, beside which a pause is short, and where nobody knows yet.  */
#define AMP_PATIENCE 2
#define AMP_PATIENCE_COST 20

static inline unsigned
amp_patience (const struct amp_setup *setup)
{
  double cost;

  if (setup->site == NULL || setup->crowded)
    return 0;
  cost = amp_site_cost (setup->site);
  return (cost == 0.0 || cost > AMP_PATIENCE_COST * (double) setup->min_ticks
	  ? AMP_PATIENCE : 0);
}

/* True if LANE is to run nothing more of this loop: the fast lanes will have
   emptied the pool before LANE was through with one more iteration.

   Completeness: of LANES lanes at most LANES - 1 retire, by the count.  So
   there is one that does not, and `next_chunk' tells it that there is nothing
   left only when the pool is empty.  No order is needed: the count is one
   word, and the pool another that only grows.

   A fast lane that is still busy elsewhere is no help: all lanes must have
   entered the loop.  Where an iteration lasts long enough LANE waits a little
   for those that have not: they may be on their way.  */

static bool
amp_retire (struct amp_loop *loop, struct amp_lane *lane)
{
  if (AMP_LOAD (&loop->present, AMP_RELAXED) != loop->lanes)
    {
      if (lane->patience == 0)
	return false;
      lane->patience--;
      lane->state = AMP_ST_PAUSED;
      return true;
    }
  if (AMP_FETCH_ADD (&loop->retired, 1, AMP_RELAXED) + 1 >= loop->lanes)
    return false;
  lane->state = AMP_ST_DONE;
  return true;
}

/* True if LANE, which has had its block, is to run nothing more since the goal
   leaves its type out.  Completeness is that of amp_retire, whose count this
   one uses; here nobody needs to have entered, since no hope of being sooner is
   the reason.  */

static inline bool
amp_leave (struct amp_loop *loop, struct amp_lane *lane)
{
  if (!(loop->left_out >> lane->type & 1)
      || AMP_FETCH_ADD (&loop->retired, 1, AMP_RELAXED) + 1 >= loop->lanes)
    return false;
  lane->state = AMP_ST_DONE;
  return true;
}

/* A lane has entered LOOP, in which none arrives in phase 0.  */

static inline void
amp_be_present (struct amp_loop *loop)
{
  AMP_FETCH_ADD (&loop->present, 1, AMP_RELAXED);
}

/* A lane takes as many chunks more like the last as are within this part of its
   bound, as a divisor, but so many at most, without a look at clock and pool,
   and times them together; a few only while it waits for a phase to be closed,
   and none as long as sizes are guesses, before the first phase is.  */
#define AMP_ALIKE 4
#define AMP_ALIKE_MOST 16

static void
amp_choose_alike (const struct amp_loop *loop, struct amp_lane *lane,
		  uint64_t part)
{
  uint64_t most = (lane->state == AMP_ST_DRAIN ? AMP_ALIKE_MOST
		   : lane->state == AMP_ST_WAIT && lane->phase != 0 ? AMP_ALIKE
		   : 0);

  if (lane->timed == 0 || lane->chunk >= part / AMP_ALIKE
      || loop->cursor_mode != AMP_CURSOR_ADD)
    return;
  part /= AMP_ALIKE * lane->chunk;
  lane->alike = part < most ? part : most;
}

/* A lane's part of the pool may be so many times the least one's.  */
#define AMP_SLOW 8

/* By what lanes have run, with LEFT in the pool: will the others, each of which
   has one iteration in hand, be through with that and the pool before LANE was
   with one more?  Only where there is little left.  */

static bool
amp_slow_p (struct amp_loop *loop, const struct amp_lane *lane, uint64_t left)
{
  uint64_t lanes = loop->lanes;

  return (left < lanes * AMP_SLOW && lane->run != 0 && loop->n - left >= lanes
	  && lane->run <= (loop->n - left - lanes) / (left + lanes)
	  && AMP_LOAD (&loop->present, AMP_RELAXED) == lanes);
}

/* Is LANE, of an observed loop, in its own block until now?  */

static inline bool
amp_in_own_block_p (struct amp_loop *loop, const struct amp_lane *lane)
{
  return AMP_LOAD (&amp_loop_report (loop, lane->id)->own_ticks,
		   AMP_RELAXED) == 0;
}

/* ... to whose end it came at NOW.  */

static void
amp_end_own_block (struct amp_loop *loop, struct amp_lane *lane, uint64_t now)
{
  struct amp_report *report = amp_loop_report (loop, lane->id);

  AMP_STORE (&report->own_run, lane->run, AMP_RELAXED);
  AMP_STORE (&report->own_ticks, now - loop->begun, AMP_RELAXED);
}

/* Self-scheduling: the fall-through of every state.  */

static struct amp_chunk
amp_take_dynamic (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_pace *pace = amp_loop_pace (loop) + lane->type;
  uint64_t left, part;

  if (loop->minor != 0)
    {
      if (lane->state == AMP_ST_DRAIN && loop->cursor_mode == AMP_CURSOR_ADD)
	lane->alike = UINT8_MAX;
      return amp_cursor_take (loop, lane, lane->chunk);
    }
  if (__builtin_expect (loop->is_observed, 0) && lane->state == AMP_ST_DRAIN
      && amp_in_own_block_p (loop, lane))
    amp_end_own_block (loop, lane, amp_ticks ());
  left = amp_cursor_left (loop);
  part = ((double) left
	  * amp_bits_double (AMP_LOAD (&pace->part, AMP_RELAXED)));
  /* Where threads wait for CPUs wall time says nothing, and a look at the
     thread's own takes as long as many a chunk.  */
  if (__builtin_expect (loop->crowded, 0))
    return amp_cursor_take (loop, lane, part > 1 ? part / 2 : 1);
  if (__builtin_expect (left < AMP_LOAD (&pace->spare, AMP_RELAXED)
			|| amp_slow_p (loop, lane, left), 0)
      && amp_retire (loop, lane))
    return amp_no_chunk ();
  if (lane->timed != 0)
    amp_choose_chunk (loop, lane, amp_ticks () - lane->started);
  if (__builtin_expect (loop->lanes > AMP_POOL_LANES, 0))
    {
      /* Those of the end, too: half as long at least, the more so the larger
	 the team.  */
      uint64_t least = ((double) lane->chunk
			* (double) (loop->lanes - AMP_POOL_LANES)
			/ (2.0 * (double) loop->lanes));
      if (part < least)
	part = least;
    }
  /* Neighbours stay together: see amp-aid-hybrid.c.  */
  if (loop->share_follows_site && lane->state == AMP_ST_DRAIN
      && lane->chunk < part / 2)
    lane->chunk = part / 2;
  amp_choose_alike (loop, lane, part);
  part = lane->chunk < part ? lane->chunk : part ? part : 1;
  return amp_take_timed (loop, lane, part);
}

/* Set the pace of all types, TYPE j having LANES_OF[j] lanes.

   A lane of type j takes 1 / SF_j for an iteration; strong lanes, those whose
   SF is near the greatest, take left / (sum of their SF) for what is left,
   after having finished what they have in hand, for which 1 / (greatest SF)
   is allowed.  With fewer left than (sum of strong SF) * (1 / SF_j
   - 1 / greatest), or just as many, they are no later.  */
#define AMP_STRONG 0.75

static void
amp_set_pace (struct amp_loop *loop, const double *sf,
	      const uint64_t *lanes_of)
{
  struct amp_pace *pace = amp_loop_pace (loop);
  double sum = 0.0, strong = 0.0, top = 0.0;
  unsigned j;

  for (j = 0; j < loop->types; j++)
    if (lanes_of[j] != 0 && sf[j] > top)
      top = sf[j];
  for (j = 0; j < loop->types; j++)
    {
      sum += (double) lanes_of[j] * sf[j];
      if (sf[j] > AMP_STRONG * top)
	strong += (double) lanes_of[j] * sf[j];
    }
  for (j = 0; j < loop->types; j++)
    {
      double part = 0.5 / loop->lanes, spare = 0.0, robs = 0.5;

      if (lanes_of[j] != 0 && sf[j] > 0.0)
	{
	  part = 0.5 * sf[j] / sum;
	  robs = sf[j] / (sf[j] + top);
	  if (sf[j] <= AMP_STRONG * top)
	    spare = strong * (1.0 / sf[j] - 1.0 / top) + 1.05;
	}
      AMP_STORE (&pace[j].part, amp_double_bits (part), AMP_RELAXED);
      AMP_STORE (&pace[j].spare, (uint64_t) spare, AMP_RELAXED);
      AMP_STORE (&pace[j].robs, (uint64_t) (robs * 65536.0), AMP_RELAXED);
    }
}

/* Set the shares of a phase in which a lane of type j gets UNIT * SF_j, or,
   if UNIT is 0, SF_j parts of the iterations that AID distributes:
   k = aid_n / sum_j (N_j * SF_j).  LANES_OF returns N_j.  */

static void
amp_set_shares (struct amp_loop *loop, const double *sf,
		const uint64_t *lanes_of, double unit)
{
  unsigned j;
  double parts = 0.0, round = 0.0;
  uint64_t *shares = amp_loop_shares (loop);
  struct amp_pace *pace = amp_loop_pace (loop);

  for (j = 0; j < loop->types; j++)
    parts += (double) lanes_of[j] * sf[j];
  if (unit == 0.0)
    unit = parts > 0.0 ? (double) loop->aid_n / parts : 0.0;
  for (j = 0; j < loop->types; j++)
    {
      double share = unit * sf[j];
      uint64_t whole;

      /* N may round up to 2^64 as a double: compare, do not convert.  */
      if (share >= (double) loop->n)
	whole = loop->n;
      else
	whole = (uint64_t) share;
      AMP_STORE (&shares[j], whole, AMP_RELAXED);
      AMP_STORE (&pace[j].sf, amp_double_bits (sf[j]), AMP_RELAXED);
      round += (double) lanes_of[j] * share;
    }
  /* More than N is more than any pool holds.  */
  AMP_STORE (&loop->round,
	     (round < (double) loop->n ? (uint64_t) round
	      : round == (double) loop->n ? loop->n : UINT64_MAX),
	     AMP_RELAXED);
  if (loop->minor == 0)
    amp_set_pace (loop, sf, lanes_of);
}

/* Close the phase: the caller is the last arriver and sees every sum.
   SMOOTH is the weight of what was known before (0: nothing was).  UNIT as
   for amp_set_shares.  */

static void
amp_close_phase (struct amp_loop *loop, double smooth, double unit)
{
  double sf[AMP_MAX_TYPES] = { 0.0 }, slowest = 0.0;
  uint64_t lanes_of[AMP_MAX_TYPES] = { 0 };
  struct amp_type_sum *sums = amp_loop_sums (loop);
  struct amp_pace *pace = amp_loop_pace (loop);
  bool sure = true;
  unsigned j;

  for (j = 0; j < loop->types; j++)
    {
      /* sf[j] is the time per iteration until the slowest is known.  */
      uint64_t ticks = AMP_LOAD (&sums[j].ticks, AMP_RELAXED);
      uint64_t iterations = AMP_LOAD (&sums[j].iterations, AMP_RELAXED);

      lanes_of[j] = AMP_LOAD (&sums[j].lanes, AMP_RELAXED);
      AMP_STORE (&sums[j].ticks, 0, AMP_RELAXED);
      AMP_STORE (&sums[j].iterations, 0, AMP_RELAXED);
      AMP_STORE (&sums[j].lanes, 0, AMP_RELAXED);
      sf[j] = 0.0;
      if (iterations != 0)
	{
	  sf[j] = (double) (ticks ? ticks : 1) / (double) iterations;
	  sure &= iterations != 1;
	  if (sf[j] > slowest)
	    slowest = sf[j];
	}
    }
  for (j = 0; j < loop->types; j++)
    if (lanes_of[j] != 0)
      {
	/* No iterations: all lanes of the type were moved.  */
	bool measured = sf[j] > 0.0;
	double old = 1.0;

	if (smooth > 0.0)
	  old = amp_clamp_sf (amp_bits_double (AMP_LOAD (&pace[j].sf,
							 AMP_RELAXED)));
	sf[j] = measured ? amp_clamp_sf (slowest / sf[j]) : old;
	if (measured && smooth > 0.0)
	  sf[j] = smooth * old + (1.0 - smooth) * sf[j];
      }
  amp_set_shares (loop, sf, lanes_of, unit);
  /* Of one iteration each it cannot be told whether lanes or iterations
     differ: see amp_slow_p.  */
  for (j = 0; !sure && j < loop->types; j++)
    AMP_STORE (&pace[j].spare, 0, AMP_RELAXED);
  AMP_STORE (&loop->present, loop->lanes, AMP_RELAXED);
  AMP_STORE (&loop->arrived, 0, AMP_RELAXED);
  /* Pairs with the acquire in amp_phase.  */
  AMP_STORE (&loop->phase, AMP_LOAD (&loop->phase, AMP_RELAXED) + 1,
	     AMP_RELEASE);
}

/* The number of the open phase.  Pairs with the release in
   amp_close_phase.  */

static inline uint64_t
amp_phase (struct amp_loop *loop)
{
  return AMP_LOAD (&loop->phase, AMP_ACQUIRE);
}

/* Add LANE's timed chunk, which took TICKS, to the phase's sums; if LANE was
   moved meanwhile, all that counts is that it has arrived.  True if LANE is
   the last to arrive and has to close the phase.  */

static bool
amp_arrive (struct amp_loop *loop, struct amp_lane *lane, uint64_t ticks)
{
  bool moved = amp_moved (loop, lane);
  struct amp_type_sum *sum = amp_loop_sums (loop) + lane->type;

  if (!moved)
    {
      AMP_FETCH_ADD (&sum->ticks, ticks, AMP_RELAXED);
      AMP_FETCH_ADD (&sum->iterations, lane->timed, AMP_RELAXED);
    }
  AMP_FETCH_ADD (&sum->lanes, 1, AMP_RELAXED);
  /* The release half gives this lane's sums to the last arriver, the acquire
     half gives the last arriver everybody's: the partners are the other
     lanes' executions of this very operation.  */
  return (AMP_FETCH_ADD (&loop->arrived, 1, AMP_ACQ_REL) + 1
	  == loop->lanes);
}

enum amp_sampled { AMP_SAMPLE_CHUNK, AMP_SAMPLE_OVER, AMP_SAMPLE_LAST };

/* One step of the sampling state.  CHUNK: `next_chunk' is to return *CHUNK, and
   sampling goes on; OVER: the sample has been added to the sums; LAST: and it
   was the last one.  */

static enum amp_sampled
amp_sample (struct amp_loop *loop, struct amp_lane *lane,
	    struct amp_chunk *chunk)
{
  uint64_t ticks, limit, enough;

  if (lane->timed == 0)
    {
      *chunk = amp_take_timed (loop, lane, loop->minor ? loop->minor : 1);
      return AMP_SAMPLE_CHUNK;
    }
  ticks = amp_ticks () - lane->started;
  limit = amp_sample_limit (loop);
  /* A sample that began and ended on different types is none; as long as it
     may grow, another is taken.  */
  if (lane->run < limit && amp_moved (loop, lane))
    {
      *chunk = amp_take_timed (loop, lane, (lane->timed < limit - lane->run
					    ? lane->timed
					    : limit - lane->run));
      return AMP_SAMPLE_CHUNK;
    }
  enough = loop->minor ? 0 : limit / 2;
  if ((ticks < loop->min_ticks && lane->run < limit) || lane->run < enough)
    {
      /* A margin of one half, lest a chunk that comes out just too short
	 be followed by another.  */
      uint64_t want = amp_fill_sample (loop, ticks, lane->timed, limit);
      want += want / 2;
      if (lane->run < enough && want < enough - lane->run)
	want = enough - lane->run;
      if (want > limit - lane->run)
	want = limit - lane->run;
      *chunk = amp_take_timed (loop, lane, want);
      return AMP_SAMPLE_CHUNK;
    }
  amp_choose_chunk (loop, lane, ticks);
  return amp_arrive (loop, lane, ticks) ? AMP_SAMPLE_LAST : AMP_SAMPLE_OVER;
}

/* Begin sampling.  What the initialisers share.  */

static void
amp_aid_init (struct amp_loop *loop)
{
  struct amp_type_sum *sums = amp_loop_sums (loop);
  struct amp_pace *pace = amp_loop_pace (loop);
  double part = 0.5 / loop->lanes;
  unsigned j;

  for (j = 0; j < loop->types; j++)
    {
      AMP_STORE (&sums[j].ticks, 0, AMP_RELAXED);
      AMP_STORE (&sums[j].iterations, 0, AMP_RELAXED);
      AMP_STORE (&sums[j].lanes, 0, AMP_RELAXED);
      AMP_STORE (&pace[j].part, amp_double_bits (part), AMP_RELAXED);
      AMP_STORE (&pace[j].spare, 0, AMP_RELAXED);
    }
}

/* Let lanes begin with chunks as long as a sample, if the site knows how long
   an iteration takes.  */

static void
amp_first_chunk (struct amp_loop *loop, const struct amp_setup *setup)
{
  double cost;

  if (loop->minor != 0 || setup->site == NULL || loop->crowded)
    return;
  cost = amp_site_cost (setup->site);
  if (cost > 0.0)
    loop->first_chunk = amp_pool_chunk (loop, cost, 1.0);
}

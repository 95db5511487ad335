/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The core of the loop schedulers: blocks, lanes, the shared cursor and the
   registry.  See amp.h for the contract.  */

#include "amp.h"

static struct amp_chunk __attribute__ ((noinline))
amp_cursor_end (struct amp_loop *loop, struct amp_lane *lane, uint64_t begin)
{
  lane->alike = 0;
  if (begin >= loop->n)
    {
      lane->state = AMP_ST_DONE;
      return amp_no_chunk ();
    }
  lane->run += loop->n - begin;
  return amp_make_chunk (begin, loop->n);
}

/* Take up to WANT >= 1 ordinals from the front of the pool for LANE.

   The fetch-and-add is relaxed: ordinals are handed out by its atomicity
   alone, and what iterations write is ordered by the construct's barrier,
   as with libgomp's own dynamic schedule.  */

static struct amp_chunk
amp_cursor_take (struct amp_loop *loop, struct amp_lane *lane, uint64_t want)
{
  uint64_t n = loop->n, begin, left;

  AMP_ASSERT (want > 0 && lane->state != AMP_ST_DONE);
  /* With WANT <= N the sum of all overshoots is below LANES * N.  */
  if (want > n)
    want = n;
  if (__builtin_expect (loop->cursor_mode == AMP_CURSOR_ADD, 1))
    {
      begin = AMP_FETCH_ADD (&loop->cursor, want, AMP_RELAXED);
      if (begin >= n)
	{
	  lane->state = AMP_ST_DONE;
	  return amp_no_chunk ();
	}
      left = n - begin;
    }
  else
    {
      begin = AMP_LOAD (&loop->cursor, AMP_RELAXED);
      do
	{
	  left = n - begin;
	  if (left == 0)
	    {
	      lane->state = AMP_ST_DONE;
	      return amp_no_chunk ();
	    }
	}
      while (!AMP_CAS (&loop->cursor, &begin,
		       begin + (want < left ? want : left), AMP_RELAXED));
    }
  if (want > left)
    want = left;
  lane->run += want;
  return amp_make_chunk (begin, begin + want);
}

/* Ordinals still in the pool at some moment during the call.  */

static inline uint64_t
amp_cursor_left (struct amp_loop *loop)
{
  uint64_t next = AMP_LOAD (&loop->cursor, AMP_RELAXED);
  return next < loop->n ? loop->n - next : 0;
}

/* TYPE, or the slowest type if there is no such type.  */

static inline unsigned
amp_known_type (const struct amp_loop *loop, unsigned type)
{
  return type < loop->types ? type : loop->types - 1u;
}

/* The calling lane's cluster, of CLUSTERS.  */

static inline unsigned
amp_known_cluster (unsigned clusters)
{
  unsigned cluster = amp_current_cluster ();

  return cluster < clusters ? cluster : clusters - 1;
}

/* Where the block of lane I, of LANES, begins in an even division of N
   ordinals; for LANES where the last one ends.  */

static inline uint64_t
amp_even_bound (uint64_t n, uint64_t lanes, uint64_t i)
{
  uint64_t r = n % lanes;

  return n / lanes * i + (i < r ? i : r);
}

/* LANE's block of an even division, the one that libgomp's static schedule
   gives to the thread of the same number.  */

static struct amp_chunk
amp_even_block (const struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t begin = amp_even_bound (loop->n, loop->lanes, lane->id);
  uint64_t end = amp_even_bound (loop->n, loop->lanes, lane->id + 1);

  lane->run += end - begin;
  return amp_make_chunk (begin, end);
}

#include "amp-aid.c"
#include "amp-site.c"
#include "amp-bare.c"
#include "amp-plan.c"
#include "amp-aid-static.c"
#include "amp-aid-hybrid.c"
#include "amp-aid-dynamic.c"
#include "amp-steal.c"
#include "amp-ich.c"
#include "amp-feedback.c"
#include "amp-binlpt.c"
#include "amp-cluster-dynamic.c"
#include "amp-hetprobe.c"
#include "amp-hetprobe-i.c"
#include "amp-reference.c"
#include "amp-shuffle.c"
#include "amp-decide.c"

static const struct amp_ops *const amp_schedulers[] = {
  &amp_aid_static,
  &amp_aid_hybrid,
  &amp_aid_dynamic,
  &amp_steal,
  &amp_ich,
  &amp_feedback,
  &amp_binlpt,
  &amp_cluster_dynamic,
  &amp_hetprobe,
  &amp_hetprobe_i,
  &amp_reference,
  NULL
};

static const struct amp_ops *
amp_find_kind (int kind)
{
  const struct amp_ops *const *p;

  for (p = amp_schedulers; *p != NULL; p++)
    if ((*p)->kind == kind)
      return *p;
  return NULL;
}

static size_t
amp_loop_size (unsigned lanes, unsigned types)
{
  return (sizeof (struct amp_loop)
	  + AMP_ROUND_LINE (types * sizeof (uint64_t))
	  + AMP_ROUND_LINE (types * sizeof (struct amp_pace))
	  + types * sizeof (struct amp_type_sum)
	  + AMP_ROUND_LINE ((lanes + (size_t) 1) * sizeof (uint64_t))
	  + (size_t) lanes * (sizeof (struct amp_queue)
			      + sizeof (struct amp_lane)));
}

static size_t
amp_loop_extra (const struct amp_ops *ops, const struct amp_setup *setup)
{
  return ops->extra != NULL ? ops->extra (setup) : 0;
}

static void
amp_loop_format (struct amp_loop *loop, unsigned lanes, unsigned types)
{
  unsigned i;

  _Static_assert (sizeof (struct amp_lane) % AMP_LINE == 0
		  && sizeof (struct amp_queue) == sizeof (struct amp_lane)
		  && sizeof (struct amp_type_sum) % AMP_LINE == 0
		  && sizeof (struct amp_loop) % AMP_LINE == 0,
		  "a line has one kind of writer");
  _Static_assert (offsetof (struct amp_loop, min_ticks) == AMP_LINE
		  && offsetof (struct amp_loop, units) == 2 * AMP_LINE
		  && offsetof (struct amp_loop, cursor) == 3 * AMP_LINE
		  && offsetof (struct amp_loop, phase) == 4 * AMP_LINE
		  && offsetof (struct amp_loop, arrived) == 5 * AMP_LINE,
		  "the cursor and the phase have lines of their own");

  _Static_assert (offsetof (struct amp_loop, cursor)
		  == AMP_CONSTANT_LINES * AMP_LINE, "what is kept is constant");

  AMP_ASSERT (lanes >= 1 && lanes <= UINT16_MAX);
  AMP_ASSERT (types >= 1 && types <= AMP_MAX_TYPES);
  loop->lanes = lanes;
  loop->types = types;
  loop->generation = 0;
  loop->bounds = amp_loop_own_bounds (loop);
  loop->pace = amp_loop_own_pace (loop);
  loop->lane_offset = ((char *) loop->bounds - (char *) loop
		       + AMP_ROUND_LINE ((lanes + 1u) * sizeof (uint64_t))
		       + lanes * sizeof (struct amp_queue));
  loop->queue_offset = lanes * sizeof (struct amp_queue);
  for (i = 0; i < lanes; i++)
    {
      struct amp_lane *lane = amp_loop_lane (loop, i);
      lane->generation = 0;
      lane->id = i;
    }
  amp_clear_queues (loop);
}

/* What lanes change, as it is when LOOP begins.

   Lanes are reset by their owners when they enter, so that the first thread's
   work does not grow with the team and no lane's line leaves its owner's
   cache: a lane has entered if it bears the loop's generation.  Generations
   do not recur within the life of a block.  */

static inline void
amp_loop_renew (struct amp_loop *loop)
{
  uint64_t *shared = amp_loop_shared (loop);
  unsigned i;

  loop->generation++;
  amp_check_tag (loop);
  /* The pool is what a plan leaves.  */
  AMP_STORE (&loop->cursor,
	     loop->plan_kind == AMP_PLAN_WEIGHTED ? loop->aid_n : 0,
	     AMP_RELAXED);
  for (i = 0; i < AMP_LOOP_SHARED / sizeof *shared; i++)
    AMP_STORE (&shared[i], 0, AMP_RELAXED);
  AMP_STORE (&loop->phase, 0, AMP_RELAXED);
  AMP_STORE (&loop->round, 0, AMP_RELAXED);
  AMP_STORE (&loop->arrived, 0, AMP_RELAXED);
  AMP_STORE (&loop->finished, 0, AMP_RELAXED);
  AMP_STORE (&loop->present, 0, AMP_RELAXED);
  AMP_STORE (&loop->retired, 0, AMP_RELAXED);
}

static void
amp_loop_init (struct amp_loop *loop, const struct amp_ops *ops,
	       const struct amp_setup *setup)
{
  uint64_t version = amp_plan_version (setup);

  AMP_ASSERT (setup->lanes == loop->lanes && setup->types == loop->types);
  AMP_ASSERT (ops->loop_size <= AMP_LOOP_OWN
	      && ops->shared_size <= AMP_LOOP_SHARED
	      && ops->lane_size <= AMP_LANE_OWN);
  loop->ops = ops;
  loop->n = setup->n;
  loop->min_ticks = setup->min_ticks;
  loop->minor = 0;
  loop->major = 0;
  loop->aid_n = 0;
  loop->first_chunk = 1;
  loop->plan_kind = AMP_PLAN_NONE;
  loop->site = setup->site;
  loop->bounds = amp_loop_own_bounds (loop);
  loop->pace = amp_loop_own_pace (loop);
  loop->is_observed = (setup->site != NULL && setup->is_observed
		       && !setup->crowded);
  loop->is_auto = setup->is_auto;
  loop->crowded = setup->crowded;
  loop->lanes_may_move = setup->lane_type == NULL || setup->types_guessed;
  loop->units = 0;
  loop->shift = 0;
  loop->queues_bounded = 0;
  loop->share_follows_site = 0;
  loop->paced = 0;
  loop->patience = amp_patience (setup);
  loop->one_type = 0;
  loop->left_out = 0;
  loop->cursor_mode = (setup->n <= UINT64_MAX / (loop->lanes + 1u)
		       ? AMP_CURSOR_ADD : AMP_CURSOR_CAS);
  amp_loop_renew (loop);
  if (ops->init != NULL)
    ops->init (loop, setup);
  amp_plan_keep (loop, setup, version);
  if (loop->is_observed)
    loop->begun = amp_ticks ();
}

static void
amp_loop_again (struct amp_loop *loop, const struct amp_plan *plan,
		bool is_observed)
{
  uint64_t generation = loop->generation;

  AMP_ASSERT (plan->kept == AMP_KEPT_LOOP);
  memcpy (loop, plan->constant, sizeof plan->constant);
  loop->generation = generation;
  amp_loop_renew (loop);
  loop->is_observed = is_observed;
  if (is_observed)
    loop->begun = amp_ticks ();
}

static void
amp_loop_enter (struct amp_loop *loop, struct amp_lane *lane, unsigned type)
{
  AMP_ASSERT (lane->generation != loop->generation);
  lane->generation = loop->generation;
  lane->run = 0;
  lane->timed = 0;
  lane->phase = 0;
  lane->chunk = loop->minor ? loop->minor : loop->first_chunk;
  lane->type = amp_known_type (loop, type);
  lane->has_reported = false;
  lane->patience = loop->patience;
  lane->alike = 0;
  /* Without a lock only where 64-bit words can be stored at once.  */
  if (!AMP_LOCKED && loop->site != NULL && !loop->crowded)
    amp_site_see (loop->site, lane->id, lane->type);
  lane->state = (loop->plan_kind != AMP_PLAN_NONE ? AMP_ST_PLAN
		 : loop->crowded ? AMP_ST_DRAIN : AMP_ST_SAMPLING);
  if (loop->is_observed)
    {
      struct amp_report *report = amp_loop_report (loop, lane->id);

      lane->entered = amp_ticks ();
      AMP_STORE (&report->late, lane->entered - loop->begun, AMP_RELAXED);
      AMP_STORE (&report->own_ticks, 0, AMP_RELAXED);
    }
  if (loop->ops->enter != NULL)
    loop->ops->enter (loop, lane);
}

static void
amp_loop_report_lane (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_report *report = amp_loop_report (loop, lane->id);
  uint64_t now = amp_ticks (), inside = now - lane->entered;
  unsigned type = lane->type;

  lane->has_reported = true;
  if (amp_in_own_block_p (loop, lane))
    amp_end_own_block (loop, lane, now);
  if (loop->lanes_may_move)
    type = amp_known_type (loop, amp_current_type ());
  inside += amp_lateness (AMP_LOAD (&report->late, AMP_RELAXED), inside);
  if ((int64_t) inside <= 0)
    inside = 1;
  AMP_STORE (&report->run, lane->run, AMP_RELAXED);
  AMP_STORE (&report->ticks, type == lane->type ? inside : 0, AMP_RELAXED);
  AMP_STORE (&report->type, type, AMP_RELAXED);
  /* The release half gives this lane's report to the last one, the acquire
     half gives the last one all reports: the partners are the other lanes'
     executions of this operation.  A block is used again only when all lanes
     have left the loop, the last one to report included.  */
  if (AMP_FETCH_ADD (&loop->finished, 1, AMP_ACQ_REL) + 1 == loop->lanes)
    amp_site_fold (loop->site, loop);
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The decision about a loop that begins: which schedule, whether lanes get
   blocks that are fixed and no more, whether the execution is observed.  An
   embedder gathers facts, asks amp_decide, and acts upon its answer.  */

#ifndef AMP_DECIDE_H
#define AMP_DECIDE_H 1

#include "amp-site.h"

/* What the user asks for beside speed.  */

struct amp_goal
{
  /* Energy times delay is to be little, and not energy alone.  */
  bool delay_counts;
  /* Watts that a core of each type draws while it is busy and while it is
     idle; any unit, all at least 0.  */
  double busy[AMP_MAX_TYPES], idle[AMP_MAX_TYPES];
};

/* What is asked of a loop, beside what its struct amp_setup knows.  */

struct amp_facts
{
  /* The schedule that holds and its parameters; NULL: the runtime is to
     choose.  */
  const struct amp_ops *ops;
  struct amp_params params;
  /* What a clause says is the least chunk; below 2: nothing.  */
  unsigned long long least;
  /* What a team of one runs; NULL: all at once.  */
  const struct amp_ops *alone_ops;
  /* If not NULL, cores may be left out of a loop whose schedule the runtime
     chooses.  */
  const struct amp_goal *goal;
  /* A number that differs from one loop to the next.  */
  uint64_t turn;
  /* The program may rely on static's division, or the user asks for it.  */
  bool must_be_even;
  /* A lane may be given iterations that come before those it has run.  Else the
     schedule is an AMP_MONOTONIC one.  */
  bool any_order;
  /* All loops of as many iterations in this region have one division.  */
  bool must_be_steady;
  /* The division is to be drawn at random: from SETUP's `draw_seed'.  */
  bool must_be_drawn;
  /* Somebody is told about even loops as well, so that they are observed.  */
  bool observe_even;
  /* A team of one is observed in each execution.  */
  bool observe_alone;
  /* Few executions come here, since most take no work share.  */
  bool observe_rare;
  /* The schedule is not the core's, and nothing is learnt of it.  */
  bool site_learns_nothing;
};

/* Blocks, one a lane, that may be all that a loop needs.  */

enum amp_blocks
{
  AMP_BLOCKS_NONE,
  AMP_BLOCKS_EVEN,	/* Those of libgomp's static schedule.  */
  AMP_BLOCKS_REGION,	/* Those that such loops have in this region.  */
  AMP_BLOCKS_SITE	/* Where the site's marks are, or what amp_plan_make
			   makes for all iterations, if anything; it stays as
			   long as the site's version.  */
};

struct amp_decision
{
  enum amp_blocks blocks;
  /* For amp_loop_init: where there are no blocks, or the loop is observed all
     the same.  */
  const struct amp_ops *ops;
};

/* Decide about the loop of SETUP, in which all is known but `params',
   `is_observed', `is_auto' and `left_out', which are set, and `workload',
   `bounds' and `extra', which follow from the answer.  SETUP's `site' becomes
   NULL if it is to learn nothing.  It is read, and written where the runtime
   chooses, by relaxed atomics only.  */
AMP_API struct amp_decision amp_decide (const struct amp_facts *facts,
					struct amp_setup *setup);

#endif

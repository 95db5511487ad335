/* SPDX-License-Identifier: GPL-3.0-or-later

   A deterministic simulator of one loop: virtual lanes, virtual time, and the
   very files that become part of libgomp.  A program includes engine.c, as
   an embedder of the core does.

   Time is in nanoseconds.  A lane's call of amp_loop_take_or_end is one event;
   the earliest lane is served first, the lower number on a tie.  */

#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H 1

#include <stdbool.h>
#include <stdint.h>
#include "amp-decide.h"

/* What iterations cost on a core of speed 1, around UNIT ns each.  */
enum sim_cost
{
  SIM_COST_CONSTANT,
  SIM_COST_LINEAR,	/* From 0 to 2 * UNIT.  */
  SIM_COST_LAST_HEAVY,	/* The last eighth costs 16 times the rest.  */
  SIM_COST_RANDOM,	/* Uniform from 0 to 2 * UNIT.  */
  SIM_COST_SPIKES,	/* One in 64 costs 200 * UNIT.  */
  SIM_COST_ZERO,
  SIM_COST_HUGE,	/* A day each.  */
  SIM_COSTS
};

/* What amp_ticks says.  */
enum sim_clock
{
  SIM_CLOCK_TRUE,
  SIM_CLOCK_STOPPED,
  SIM_CLOCK_COARSE,	/* Steps of 4096 ns.  */
  SIM_CLOCK_JUMPS,	/* Now and then by minutes, either way.  */
  SIM_CLOCK_BACKWARDS,
  SIM_CLOCK_RANDOM,	/* Any 64 bits.  */
  SIM_CLOCK_SKEWED,	/* Each lane has an offset of its own.  */
  SIM_CLOCKS
};

#define SIM_NEVER UINT64_MAX

struct sim_lane
{
  unsigned type;	/* What it runs on, in front of speed[].  */
  unsigned reported;	/* What it says it runs on.  */
  uint64_t moves;	/* When it moves to another core; SIM_NEVER: it does
			   not.  It then says the truth.  */
  unsigned next_type;	/* That core's type.  */
  uint64_t start;	/* When it first calls; SIM_NEVER: it does not.  */
  uint64_t grants;	/* It stops calling after so many.  */
  uint64_t fails;	/* Its chunk of this number, from 1, is not done; 0:
			   all are.  */
};

struct sim_config
{
  const struct amp_ops *ops;
  struct amp_params params;
  uint64_t n;
  unsigned lanes, types;
  const struct sim_lane *lane;
  const unsigned char *lane_type;	/* As in struct amp_setup.  */
  bool types_guessed;			/* Likewise.  */
  const double *sf;			/* Likewise.  */
  /* Likewise; and where lanes are.  */
  const unsigned short *lane_cluster;
  unsigned clusters;			/* Likewise.  */
  const unsigned short *cluster_size;	/* Likewise.  */
  const unsigned *workload;		/* Likewise.  */
  uint64_t workload_number;		/* Likewise.  */
  struct amp_site *site;		/* Likewise.  */
  struct amp_plan *plan;		/* Likewise.  */
  bool observe, crowded, observed_types;	/* Likewise.  */
  bool is_auto;				/* Likewise.  */
  uint64_t left_out;			/* Likewise.  */
  /* If not NULL, called before each call of the core: changes the site as
     other teams in it would.  */
  void (*meddle) (struct amp_site *);
  uint64_t min_ticks;
  double speed[AMP_MAX_TYPES];
  double later[AMP_MAX_TYPES];		/* The speeds from CHANGE on.  */
  uint64_t change;
  /* If not 0, cores of a type are stopped for the rest of each PERIOD and run
     at SPEED / DUTY in its first part, DUTY.  The loop begins at ORIGIN.
     CHANGE is then to be SIM_NEVER.  */
  double period, origin;
  double duty[AMP_MAX_TYPES];
  double call;		/* Of amp_loop_take_or_end, beside its RMWs.  */
  enum sim_cost cost;
  double unit;
  /* If not NULL, what the first I of the N iterations cost together on a core
     of speed 1, for I in 0 .. N, in place of COST and UNIT.  */
  const double *sums;
  /* If not NULL, SUMS has MARKS members, for I in AT only, which ascends from 0
     to N; between them costs are even.  */
  const uint64_t *at;
  size_t marks;
  enum sim_clock clock;
  double rmw;			/* What an RMW costs; those on the cursor
				   queue up.  */
  /* If not 0, an RMW costs this much, after RMW where another lane has the
     line, which that one goes on with for HOLD, at most RMW, of this time.  */
  double own, hold;
  double far;		/* ... and this in place of RMW, if it is more,
			   where that lane is of another cluster.  */
  uint64_t seed;
  /* If not NULL, the setup's.  */
  void *extra;
  /* If not NULL, when LANE, which is given CHUNK at NOW, is through with it, in
     place of what the costs say.  */
  uint64_t (*finish) (const struct sim_config *, unsigned lane, uint64_t now,
		      const struct amp_chunk *chunk);
  /* For schedules that take chunks back, from lanes with `fails': LANE gives
     CHUNK back; LANE, which was told that there is nothing, may ask again.  */
  void (*give_back) (struct amp_loop *, struct amp_lane *, struct amp_chunk);
  void (*again) (struct amp_lane *);
  uint64_t max_grants;		/* Then the simulation ends, see cut.  */
  double fault_cost, miss_limit;	/* As in struct amp_setup.  */
  /* If not NULL, what a chunk takes a lane beside its iterations, as for data
     that have to be brought to its cluster, ...  */
  double (*fetch) (void *, unsigned lane, const struct amp_chunk *);
  /* ... and what amp_count says of it.  */
  void (*count) (void *, unsigned lane, struct amp_counts *);
  void *data;
  void (*watch) (void *, uint64_t now, unsigned lane,
		 const struct amp_chunk *);
  void *watch_data;
  /* If not NULL, called when the core number CORE, which is the lane's number
     unless the kernel places threads, has been busy from FROM to TO.  */
  void (*busy) (unsigned core, uint64_t from, uint64_t to);
  /* If not NULL, the kernel places the threads: see placement.c.  */
  struct sim_placement *placement;
};

struct sim_result
{
  bool cut;		/* Ended by max_grants: only safety was checked.  */
  bool forwarded;	/* Likewise, but the middle of a huge pool was skipped
			   and the rest was run.  */
  bool partial;		/* Lanes never called or stopped, and blocks are
			   reserved or no lane went on to the end.  */
  uint64_t grants;
  uint64_t makespan;	/* When the last lane had nothing left to do.  */
  double ideal;		/* Makespan of a perfect division.  */
  unsigned max_ops;	/* Port operations in one amp_loop_take_or_end, at
			   most.  */
  uint64_t *given;	/* Iterations of each lane, until the next run.  */
};

/* Run CONFIG on BLOCK, which is formatted for its lanes and types.  NULL, or
   what part of the contract was broken.  */
static const char *sim_run (struct amp_loop *block,
			    const struct sim_config *config,
			    struct sim_result *result);

/* Set what the core decides about CONFIG's loop (`ops', `params', `observe',
   `choice', `left_out', `site'), of which FACTS are asked, as in the
   library.  */
static void sim_decide (struct sim_config *config,
			const struct amp_facts *facts)
  __attribute__ ((unused));

/* A block of exactly amp_loop_size bytes, formatted, full of garbage before;
   to be freed by free.  */
static struct amp_loop *sim_new_block (unsigned lanes, unsigned types);

/* Memory for a plan; to be freed by free.  */
static struct amp_plan *sim_new_plan (unsigned lanes, unsigned types)
  __attribute__ ((unused));

/* A stream of numbers.  */
static uint64_t sim_random (uint64_t *state);

#endif

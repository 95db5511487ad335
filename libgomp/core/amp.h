/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Loop schedulers for asymmetric multicore processors: the whole interface
   of the core.

   A loop is N iterations, known by their ordinals 0 .. N-1, that LANES
   threads ask for in chunks.  A lane is one thread of the team; its number
   is the thread's number.  A type is a group of cores of like speed; type 0
   is the one believed fastest, and a lane reports its type when it enters.

   Contract of every scheduler, for all interleavings:
   - Safety: no ordinal is handed out twice, none outside 0 .. N-1.
   - Progress: `next_chunk' finishes in a bounded number of its own steps
     whatever other lanes do; where the cursor (see AMP_CURSOR_CAS) or
     another lane's queue is changed by compare-and-swap, a retry means that
     another lane was granted a chunk.  It never waits, allocates, prints or
     reads the environment.
   - Completeness: when every lane has called `next_chunk' until it returned
     none, every ordinal has been handed out.  Unless AMP_RESERVES holds for
     the loop, this is so even if some lanes never call it or stop calling.
     Two exceptions: `false' means that this lane found nothing; what another
     was stealing just then is run by that one, and stays unrun if it stops
     calling.  So does what is left when a lane retires or is left out (see
     amp_retire) if no other lane goes on calling.
   - A lane whose `next_chunk' returned false may call it again: false again,
     unless it is AMP_ST_PAUSED.
   - With AMP_MONOTONIC a lane's chunks come in increasing order: a program may
     go by what it has seen of earlier iterations.  Only a loop that says that
     its order is free gets another schedule (see amp_decide).
   - The lane that is given ordinal N-1 is given nothing after that: what GCC
     makes of lastprivate and linear takes the values of a thread's last
     iteration for those of the loop's if that was the loop's last.

   The core allocates nothing: the embedder provides amp_loop_size () bytes,
   aligned to AMP_LINE, whose first use is preceded by amp_loop_format.  A
   block may serve any number of loops one after the other.

   Papers: Saez, Castro, Prieto-Matias, "Enabling performance
   portability of data-parallel OpenMP applications on asymmetric multicore
   processors", ICPP 2020 (AID); Booth et al., "An Adaptive Self-Scheduling
   Loop Scheduler" (iCh); Penna et al., "A comprehensive performance
   evaluation of the BinLPT workload-aware loop scheduler", CCPE 2019.  */

#ifndef AMP_H
#define AMP_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "amp-port.h"

/* Bytes that keep two writers apart: a cache line.  Apple's processors have
   lines of 128 bytes.  x86 processors that fetch lines in pairs do not need
   as much: two CPUs of an EPYC were not faster with it.  */
#ifdef __aarch64__
# define AMP_LINE 128
#else
# define AMP_LINE 64
#endif

/* More types than this are merged into the slowest.  */
#define AMP_MAX_TYPES 64

/* Bounds of a speedup factor.  A sample outside of them was disturbed.  */
#define AMP_SF_MAX 64.0

/* Ordinals; none if begin == end.  */

struct amp_chunk
{
  uint64_t begin, end;
};

static inline struct amp_chunk
amp_make_chunk (uint64_t begin, uint64_t end)
{
  struct amp_chunk chunk = { begin, end };

  return chunk;
}

static inline struct amp_chunk
amp_no_chunk (void)
{
  return amp_make_chunk (0, 0);
}

static inline bool
amp_chunk_p (struct amp_chunk chunk)
{
  return chunk.begin != chunk.end;
}

/* A schedule's parameters, in the order in which OMP_SCHEDULE names them.
   0: not given.  */
#define AMP_MAX_PARAMS 2

struct amp_params
{
  int value[AMP_MAX_PARAMS];
};

struct amp_setup;
struct amp_loop;
struct amp_lane;
struct amp_site;

enum amp_flags
{
  AMP_MONOTONIC = 1,	/* A lane's chunks come in increasing order.  */
  AMP_RESERVES = 2,	/* Lanes own blocks that no other lane will run.  */
  AMP_NEEDS_CLOCK = 4,	/* Calls amp_ticks.  */
  AMP_KEEPS_BLOCKS = 8,	/* Lanes get what amp_plan_make makes of their
			   site's memory, and no more.  */
  AMP_KNOWS_WORKLOAD = 16,	/* Goes by the setup's `workload'.  */
  AMP_PHASED = 32,	/* Samples, then shares of what was measured, or a
			   plan's blocks: only the latter are reserved.  */
  AMP_QUEUES = 64,	/* Lanes have queues (see amp-steal.c), and the cursor
			   is the last ordinal's only ... */
  AMP_PIECES = 128,	/* ... whose units are no iterations but pieces of
			   unequal size.  */
  AMP_CLUSTERED = 256	/* Goes by the setup's `clusters'.  */
};

/* What a parameter has to do with the chunks of a clause whose schedule is
   replaced.  */
enum amp_chunk_param
{
  AMP_CHUNK_NO,
  AMP_CHUNK_LEAST,	/* It is at least the clause's chunk ... */
  AMP_CHUNK_IF_GIVEN	/* ... unless it is left open.  */
};

struct amp_param_info
{
  const char *name;	/* As in the documentation.  */
  int min, max;		/* Inclusive.  */
  int def;		/* When not given; 0: chosen at run time.  */
  enum amp_chunk_param chunk;
};

struct amp_ops
{
  const char *name;	/* As in OMP_SCHEDULE.  */
  int kind;		/* Value in omp_sched_t; stable once published.  */
  unsigned flags;	/* enum amp_flags.  */
  /* With AMP_CLUSTERED: the kind of OpenMP's own, static or dynamic with the
     first parameter, that it is where there is but one cluster.  */
  int one_cluster_kind;
  unsigned nparams;
  struct amp_param_info param[AMP_MAX_PARAMS];
  /* Bytes of amp_loop_own, amp_loop_shared and amp_lane_own that it uses; at
     most AMP_LOOP_OWN, AMP_LOOP_SHARED and AMP_LANE_OWN.  */
  unsigned loop_size, shared_size, lane_size;
  /* NULL, or what is wrong with a combination of parameters each of which
     is in its own range.  Optional.  */
  const char *(*check) (const struct amp_params *);
  /* Bytes of memory beside the block that a loop needs: SETUP's `extra'.
     Optional.  */
  size_t (*extra) (const struct amp_setup *);
  /* Called by one thread before the loop is published.  Optional.  */
  void (*init) (struct amp_loop *, const struct amp_setup *);
  /* Called by the lane's own thread before its first `next_chunk'.
     Optional.  */
  void (*enter) (struct amp_loop *, struct amp_lane *);
  /* Next chunk of the calling thread's lane, or none.  Required.  Returned in
     registers where the ABI allows: an atomic operation waits for all earlier
     stores, so each that a grant does without makes the next one sooner.  */
  struct amp_chunk (*next_chunk) (struct amp_loop *, struct amp_lane *);
  /* The site has observed an execution that took so many ticks an iteration.
     Called by the last lane to report.  Optional.  */
  void (*fold) (struct amp_site *, struct amp_loop *, double);
  const char *text;		/* What it does, for users, in a line.  */
};

/* What a lane gets of a division that is drawn at random: pieces in increasing
   order, or one block, or pieces in any order.  */
enum amp_draw_form
{
  AMP_DRAW_ASCENDING,
  AMP_DRAW_CONTIGUOUS,
  AMP_DRAW_DESCENDING
};

/* How the blocks of a plan are made.  */
enum amp_plan_kind
{
  AMP_PLAN_NONE,
  AMP_PLAN_EVEN,	/* As by libgomp's static schedule.  */
  AMP_PLAN_WEIGHTED	/* From amp_loop_bounds.  */
};

/* What a loop goes by that lanes do not change: so many lines of it.  */
#define AMP_CONSTANT_LINES 3

/* What the next loop of a site may begin with as it is.  */
enum amp_kept
{
  AMP_KEPT_NOTHING,
  AMP_KEPT_BLOCKS,	/* Blocks, one a lane, and no more.  */
  AMP_KEPT_LOOP		/* A loop of a schedule.  */
};

/* What the embedder goes by beside the site and the trip count where it decides
   about a loop, in words of its own.  */
struct amp_asked
{
  uint64_t word[2];
};

/* What is kept of a site's loop for the next.

   Publication: it hangs on a block, as a loop does, and is written by the
   thread that begins a loop in that block when none is in the last one.  So
   writers exclude each other, and each sees what the last has written, by the
   same synchronisation that lets it have the block: the embedder's, between the
   last lane that has left a loop and the thread that begins the next.  Lanes
   see what that thread has written, or found written, as they see the loop that
   it publishes.  Nobody writes while lanes read.  The site's version is all
   that others may change meanwhile: a relaxed load of it may be old, or newer
   than what else was read of the site, which costs balance until it changes
   again.  */

struct amp_plan
{
  struct amp_site *site;	/* NULL: none.  */
  uint64_t version;		/* The site's, before this was made.  */
  uint64_t n;			/* The loop's.  */
  struct amp_asked asked;
  enum amp_kept kept;
  enum amp_plan_kind kind;	/* Of the blocks alone.  */
  bool divided;			/* The bounds are a division.  */
  /* Of AMP_KEPT_LOOP.  */
  unsigned char constant[AMP_CONSTANT_LINES * AMP_LINE]
    __attribute__ ((aligned (8)));
  /* LANES + 1 bounds, then TYPES struct amp_pace.  */
  uint64_t bounds[] __attribute__ ((aligned (8)));
};

/* What the embedder knows of a loop and its team.  */
struct amp_setup
{
  uint64_t n;			/* Iterations.  */
  unsigned lanes;		/* Threads in the team, at least 1.  */
  unsigned types;		/* Core types on the machine, at least 1.  */
  struct amp_params params;
  /* The type each lane will report, or NULL if that is not known.  Used for
     the shares of known SF and to recognise a team on cores of one type;
     a wrong guess costs balance, never an iteration.  */
  const unsigned char *lane_type;
  /* LANE_TYPE is a guess, as for threads that are not bound: it is then not
     enough to take the team for one on cores of one type.  */
  bool types_guessed;
  /* SF of each type against the slowest one, or NULL: the site's, or to be
     measured.  */
  const double *sf;
  /* Nothing tells the types apart but what is observed of them, as where
     every CPU is taken for a type of its own.  */
  bool observed_types;
  /* Ticks below which a sample is too short to be compared.  */
  uint64_t min_ticks;
  /* What is remembered of this loop, for this number of lanes and types, or
     NULL.  A plan is made from it where it knows enough.  */
  struct amp_site *site;
  /* amp_plan_size () bytes where a plan of SITE's may be, of a loop that nobody
     is in any more, or NULL.  Must outlive the loop.  */
  struct amp_plan *plan;
  struct amp_asked asked;
  /* This execution is observed for the site.  */
  bool is_observed;
  /* The runtime has chosen the schedule.  */
  bool is_auto;
  /* Lanes share CPUs: nothing is reserved for a lane, and nothing timed.  */
  bool crowded;
  /* The cluster (NUMA node, shared cache) of each lane, or NULL: thieves try
     their own first.  Must outlive the loop.  */
  const unsigned short *lane_cluster;
  /* For AMP_CLUSTERED: how many clusters there are (0 and 1: one), among which
     amp_current_cluster says a lane's, and how many CPUs of each the process
     may use, or NULL.  The latter must outlive the loop.  */
  unsigned clusters;
  const unsigned short *cluster_size;
  /* For hetprobe: ticks that a page fault costs a lane; and what has more cache
     misses per 1000 instructions than this is bound by memory.  */
  double fault_cost, miss_limit;
  /* What each of the N iterations costs, in any unit, or NULL: not known.
     Read by amp_loop_init only.  Workloads of other contents have other
     numbers; 0: what they have is not known by a number.  */
  const unsigned *workload;
  uint64_t workload_number;
  /* A bit for each type whose lanes are to run nothing; not all types that have
     lanes.  Of no effect but where lanes get the blocks of a plan by speed.  */
  uint64_t left_out;
  /* For amp_fixed: LANES + 1 bounds, increasing from 0 to N, read by
     amp_loop_init only; or NULL: even ones.  */
  const uint64_t *bounds;
  /* For amp_shuffle: what the division is drawn from, and its form.  */
  uint64_t draw_seed;
  enum amp_draw_form draw_form;
  /* amp_loop_extra () bytes for this loop alone, aligned to 8, which must
     outlive it; NULL if that is 0.  They begin with 8 zeros, or are what the
     last loop of the same schedule in this memory has left.  */
  void *extra;
};

/* How the shared cursor advances.  ADD: by fetch-and-add; since a lane that
   overshoots N is `done' and never adds again, the cursor stays below
   N + LANES * N, which must not wrap.  CAS: exactly, up to N.  */
enum amp_cursor_mode { AMP_CURSOR_ADD, AMP_CURSOR_CAS };

enum amp_lane_state
{
  AMP_ST_PLAN,		/* Has not yet taken its block of the plan.  */
  AMP_ST_SAMPLING,	/* Runs its sample.  */
  AMP_ST_WAIT,		/* Sampled; the phase is still open.  */
  AMP_ST_SHARE,		/* Runs its share of the phase.  */
  AMP_ST_DRAIN,		/* Self-scheduling until the pool is empty.  */
  AMP_ST_PAUSED,	/* `next_chunk' has returned false, and the lane may
			   call it again, now and then: there may be something
			   for it later.  Others run what there is if it does
			   not.  */
  AMP_ST_DONE		/* `next_chunk' has returned false.  */
};

/* Bytes that a schedule has for itself in each lane, and in the loop: constant
   ones and others.  */
#define AMP_LANE_OWN 56
#define AMP_LOOP_OWN 32
#define AMP_LOOP_SHARED 16

/* A lane, two lines.  Touched by its own thread only.  */
struct amp_lane
{
  uint64_t generation;	/* The loop's when this lane last entered.  */
  uint64_t run;		/* Iterations granted in this loop.  */
  uint64_t started;	/* Ticks when the timed chunk was handed out.  */
  uint64_t timed;	/* Iterations in the timed chunk; 0: none.  */
  uint64_t chunk;	/* What self-scheduling takes at a time; ich: units
			   that it takes at most.  */
  uint64_t phase;	/* The last phase whose shares this lane took.  */
  uint64_t entered;	/* Ticks; in observed loops only.  */
  uint16_t id;
  uint16_t type;
  uint8_t state;	/* enum amp_lane_state.  */
  uint8_t has_reported;	/* Its report has been written.  */
  uint8_t patience;	/* So many times it will still wait for lanes that
			   have not entered (see amp_retire).  */
  uint8_t alike;	/* So many chunks of CHUNK will come from the pool, or
			   its queue, whatever the schedule.  */

  /* State of the generator that chooses victims, where there are queues.  */
  uint32_t random __attribute__ ((aligned (AMP_LINE)));
  /* The schedule's own: see amp_lane_own.  */
  unsigned char own[AMP_LANE_OWN] __attribute__ ((aligned (8)));
} __attribute__ ((aligned (AMP_LINE)));

/* What a lane did in an observed loop.  Written by the lane before it adds
   itself to `finished' (release), read by the lane that does so last
   (acquire).  */
struct amp_report
{
  uint64_t run;		/* Iterations.  */
  uint64_t ticks;	/* From the loop's beginning to the lane's end; 0: not
			   to be used, since the lane changed types.  */
  uint64_t type;
  uint64_t own_run, own_ticks;	/* The same when its own block was
				   empty, or if it has none, at its end.  */
  uint64_t late;	/* Ticks from the loop's beginning to its entry.  */
} __attribute__ ((aligned (AMP_LINE)));

/* A lane's time counts from the beginning of the loop, so that what keeps it
   from entering (its core is slow or taken by others, it has to be woken)
   lessens its block as well.  If it enters later than that makes sense, it
   comes from other work, or the lanes' clocks are not one: then its time
   counts from its own entry.  */
#define AMP_LATENESS 8

/* What of LATE counts for a lane that was INSIDE for so long.  */

static inline uint64_t
amp_lateness (uint64_t late, uint64_t inside)
{
  return late / AMP_LATENESS <= inside ? late : 0;
}

/* What a probe says, in the order of struct amp_queue's PROBE.  */
enum amp_probe
{
  AMP_PROBE_TICKS,
  AMP_PROBE_ITERATIONS,
  AMP_PROBE_FAULTS,
  AMP_PROBE_MISSES,
  AMP_PROBE_INSTRUCTIONS,
  AMP_PROBE_CLUSTER,
  AMP_PROBES
};

/* What others may see of a lane; as large as a lane.  RANGE and OWN bear the
   tag of the loop that they were written in; see amp-steal.c.  */
struct amp_queue
{
  uint64_t range;	/* The lane's queue: tag, front, back.  */
  uint64_t own;		/* The schedule's.  Written by the lane only.  */
  /* hetprobe's: what the lane has measured.  Written by the lane before it adds
     itself to `arrived' (release), read by the lane that does so last
     (acquire).  */
  uint64_t probe[AMP_PROBES];
  struct amp_report report;
} __attribute__ ((aligned (AMP_LINE)));

/* What was measured on one type's lanes in the open phase.  Added to by
   every lane of the type once a phase, reset by the lane that closes it.  */
struct amp_type_sum
{
  uint64_t lanes;	/* Lanes that arrived.  */
  uint64_t ticks;	/* Their time.  */
  uint64_t iterations;	/* Their iterations.  */
} __attribute__ ((aligned (AMP_LINE)));

/* How a type's lanes self-schedule where the user left the chunk open.  Written
   before the loop is published and by the lane that closes a phase, read by
   all, relaxed: what is read decides about balance only.  */
struct amp_pace
{
  uint64_t sf;		/* Bits of a double, like PART.  aid: where a
			   phase has been closed; ich: always.  */
  uint64_t part;	/* Bits of a double: the part of the pool that a chunk
			   may be at most, SF / (2 * sum of all lanes' SF).  */
  uint64_t spare;	/* With less than this in the pool a lane retires.  */
  uint64_t robs;	/* What it takes of a fast lane's queue, in 65536ths:
			   SF over the sum of SF and the greatest one.  */
};

struct amp_loop
{
  /* Lines 0 to 2, AMP_CONSTANT_LINES: written by amp_loop_format, amp_loop_init
     and amp_loop_again only, hence constant while the loop is published, and so
     are the bounds below.  */
  const struct amp_ops *ops;
  uint64_t generation;	/* Changes with each loop that uses the block.  */
  uint64_t n;
  uint64_t aid_n;	/* Iterations that AID distributes; the rest is
			   self-scheduled.  */
  uint64_t minor;	/* Sampling chunk and least self-scheduled chunk; 0: to
			   be chosen from the time an iteration takes.  */
  uint64_t first_chunk;	/* What a lane self-schedules at a time before it
			   has timed a chunk of its own.  */
  uint16_t lanes;
  uint16_t types;
  uint8_t cursor_mode;	/* enum amp_cursor_mode.  */
  uint8_t one_type;	/* All lanes are known to be of one type, where it
			   matters.  */
  uint8_t plan_kind;	/* enum amp_plan_kind.  */
  uint8_t is_observed;	/* Lanes report to the site.  */
  uint8_t lanes_may_move;	/* They are not bound to CPUs.  */
  uint8_t crowded;	/* As in the setup, and so is ... */
  uint8_t is_auto;
  uint8_t share_follows_site;	/* aid_hybrid: the site chooses the
				   percentage.  */
  uint8_t patience;	/* Lanes' at first.  */
  uint8_t paced;	/* Lanes that have queues may retire.  */

  uint64_t min_ticks __attribute__ ((aligned (AMP_LINE)));
  uint64_t major;	/* AID-dynamic's M; 0: follows the minor chunk.  */
  uint64_t begun;	/* Ticks when the loop began, if it is observed.  */
  uint64_t left_out;	/* As in the setup, where there is a plan by
			   speed.  */
  struct amp_site *site;
  uint64_t *bounds;	/* See amp_loop_bounds: the block's, or a plan's,
			   ...  */
  struct amp_pace *pace;	/* ... and so is this.  */
  uint32_t lane_offset;	/* Of lane 0 in the block.  */

  /* Line 2: what schedulers with queues need; where `ops' has none, units are
     iterations, and blocks alone fill them.  */
  uint64_t units __attribute__ ((aligned (AMP_LINE)));
			/* All queues, at the beginning.  */
  uint64_t tag;		/* Of this loop's words, in place.  */
  const unsigned short *cluster;	/* As in struct amp_setup.  */
  uint32_t queue_offset;	/* Of a lane from its queue.  */
  uint8_t shift;	/* A unit is 1 << shift iterations.  */
  uint8_t queues_bounded;	/* They begin as amp_loop_bounds say, not
				   even.  */
  /* The schedule's own: see amp_loop_own.  */
  unsigned char own[AMP_LOOP_OWN] __attribute__ ((aligned (8)));

  /* Line 3: the shared pool is the ordinals cursor .. n-1.  */
  uint64_t cursor __attribute__ ((aligned (AMP_LINE)));
  /* What all lanes of a schedule without a pool write: see
     amp_loop_shared.  */
  unsigned char shared[AMP_LOOP_SHARED] __attribute__ ((aligned (8)));

  /* Line 4: the phase, which lanes that wait look at all the time; written by
     the lane that closes it.  Line 5: what all lanes add to.  Invariants:
     - arrived = number of lanes whose sample of phase `phase' is in the sums,
       0 <= arrived <= lanes, and it is `lanes' only while the last of them
       closes the phase;
     - the sums and shares change hands through it: a lane adds to its type's
       sum (relaxed), then to `arrived' (acq_rel); the last arriver thus sees
       every sum, computes the shares, resets sums and `arrived', and stores
       `phase' (release); a lane that loads the new `phase' (acquire) sees
       the shares and may add to the sums again.  */
  uint64_t phase __attribute__ ((aligned (AMP_LINE)));
  uint64_t round;	/* Sum of the open phase's shares.  */
  uint64_t arrived __attribute__ ((aligned (AMP_LINE)));
  uint64_t finished;	/* Lanes that have reported, if the loop is
			   observed.  */
  uint64_t present;	/* Lanes known to have entered: none or some, or all
			   of them.  */
  uint64_t retired;	/* Attempts to retire, or to be left out: fewer than
			   LANES succeed.  */

  /* Then, in this order, TYPES shares of the open phase (iterations per lane),
     TYPES struct amp_pace, both padded to whole lines, TYPES struct
     amp_type_sum, LANES + 1 bounds (of a weighted plan's blocks, or of queues
     in units; padded; written by amp_loop_init only), LANES struct amp_queue,
     LANES struct amp_lane; less than 4 GB in all.  */
};

#define AMP_ROUND_LINE(BYTES) \
  (((BYTES) + AMP_LINE - 1) / AMP_LINE * AMP_LINE)

static inline uint64_t *
amp_loop_shares (struct amp_loop *loop)
{
  return (uint64_t *) (loop + 1);
}

static inline struct amp_pace *
amp_loop_pace (const struct amp_loop *loop)
{
  return loop->pace;
}

/* The block's.  */
static inline struct amp_pace *
amp_loop_own_pace (struct amp_loop *loop)
{
  return (struct amp_pace *)
    ((char *) (loop + 1) + AMP_ROUND_LINE (loop->types * sizeof (uint64_t)));
}

static inline struct amp_type_sum *
amp_loop_sums (struct amp_loop *loop)
{
  return (struct amp_type_sum *)
    ((char *) amp_loop_own_pace (loop)
     + AMP_ROUND_LINE (loop->types * sizeof (struct amp_pace)));
}

/* hetprobe has shares there in a site's first execution: written by the lane
   that closes the phase.

   Lane I's block of a weighted plan is bounds[I] .. bounds[I + 1] - 1:
   bounds[0] = 0 <= bounds[1] <= ... <= bounds[LANES] = aid_n.  */
static inline uint64_t *
amp_loop_bounds (const struct amp_loop *loop)
{
  return loop->bounds;
}

/* The block's.  */
static inline uint64_t *
amp_loop_own_bounds (struct amp_loop *loop)
{
  return (uint64_t *) (amp_loop_sums (loop) + loop->types);
}

static inline struct amp_queue *
amp_loop_queue (struct amp_loop *loop, unsigned lane)
{
  return ((struct amp_queue *) ((char *) loop + loop->lane_offset
				- loop->queue_offset) + lane);
}

/* LANE's own.  */
static inline struct amp_queue *
amp_lane_queue (const struct amp_loop *loop, struct amp_lane *lane)
{
  return (struct amp_queue *) ((char *) lane - loop->queue_offset);
}

static inline struct amp_report *
amp_loop_report (struct amp_loop *loop, unsigned lane)
{
  return &amp_loop_queue (loop, lane)->report;
}

static inline struct amp_lane *
amp_loop_lane (struct amp_loop *loop, unsigned lane)
{
  return (struct amp_lane *) ((char *) loop + loop->lane_offset) + lane;
}

/* What LANE's schedule keeps there, of any type: `enter' writes it first, and
   none but the lane's own thread looks at it.  */
static inline void *
amp_lane_own (const struct amp_lane *lane)
{
  return (void *) lane->own;
}

/* The same of LOOP: written by `init' only, and constant from then on.  */
static inline void *
amp_loop_own (const struct amp_loop *loop)
{
  return (void *) loop->own;
}

/* ... and what is not: words that any lane changes, by atomics; 0 when `init'
   is called.  */
static inline void *
amp_loop_shared (struct amp_loop *loop)
{
  return loop->shared;
}

/* Do the lanes of OPS have blocks of a part of the iterations, with a pool
   behind them?  */
static inline bool
amp_leaves_pool_p (const struct amp_ops *ops)
{
  return ((ops->flags & (AMP_PHASED | AMP_RESERVES | AMP_KEEPS_BLOCKS))
	  == (AMP_PHASED | AMP_RESERVES));
}

/* An embedder includes amp-core.c, which includes the schedulers: the core
   becomes part of its one object, and every symbol of it is static.  None
   has to use them all.  */
#define AMP_API static __attribute__ ((unused))

/* The schedulers, in the order of the documentation, ended by NULL.  */
static const struct amp_ops *const amp_schedulers[];

/* The scheduler whose kind is KIND, or NULL.  */
AMP_API const struct amp_ops *amp_find_kind (int kind);

/* The most lanes of a loop: a lane's number has 16 bits.  */
#define AMP_MAX_LANES 65535

/* Bytes of a block for LANES lanes and TYPES types.  */
AMP_API size_t amp_loop_size (unsigned lanes, unsigned types);

/* Make the block at LOOP fit for LANES lanes and TYPES types.  */
AMP_API void amp_loop_format (struct amp_loop *loop, unsigned lanes,
			     unsigned types);

/* Bytes of a plan for LANES lanes and TYPES types.  */
static inline size_t
amp_plan_size (unsigned lanes, unsigned types)
{
  return AMP_ROUND_LINE (sizeof (struct amp_plan)
			 + (lanes + (size_t) 1) * sizeof (uint64_t)
			 + types * sizeof (struct amp_pace));
}

/* Bytes of memory beside the block that a loop of OPS with this SETUP, whose
   `extra' is not looked at, needs.  */
AMP_API size_t amp_loop_extra (const struct amp_ops *ops,
			       const struct amp_setup *setup);

/* Begin a loop in a formatted block whose lanes and types are SETUP's and
   which no thread uses.  The caller publishes the loop to the other threads
   with release/acquire semantics (libgomp: the work share's ptrlock, or the
   start of the team).  */
AMP_API void amp_loop_init (struct amp_loop *loop, const struct amp_ops *ops,
			   const struct amp_setup *setup);

/* Does PLAN, of a block, have what a loop of N iterations at SITE that is ASKED
   for like this begins with, provided that lanes do not share CPUs, and that it
   is not to be observed if all that is kept is blocks?  */
AMP_API bool amp_plan_fits_p (const struct amp_plan *plan,
			      struct amp_site *site, uint64_t n,
			      const struct amp_asked *asked);

/* Begin a loop as amp_loop_init does, as PLAN has it, whose `kept' is
   AMP_KEPT_LOOP and which hangs on the same block.  */
AMP_API void amp_loop_again (struct amp_loop *loop,
			    const struct amp_plan *plan, bool is_observed);

/* True if LANE has not yet entered the loop: the caller then finds out the
   type of the core it runs on and calls amp_loop_enter.  */
static inline bool
amp_loop_fresh_p (const struct amp_loop *loop, const struct amp_lane *lane)
{
  return lane->generation != loop->generation;
}

AMP_API void amp_loop_enter (struct amp_loop *loop, struct amp_lane *lane,
			    unsigned type);

/* LANE, which has been told that there is nothing left, reports; the last
   lane to do so gives all reports to the site.  A lane that never does (it
   was cancelled) makes this execution one that was not observed.  */
AMP_API void amp_loop_report_lane (struct amp_loop *loop,
				  struct amp_lane *lane);

/* The schedule's `next_chunk' has told LANE that nothing is left.  */
static inline void
amp_loop_end (struct amp_loop *loop, struct amp_lane *lane)
{
  if (__builtin_expect (loop->is_observed && !lane->has_reported, 0)
      && lane->state != AMP_ST_PAUSED)
    amp_loop_report_lane (loop, lane);
}

/* LANE has taken the ordinals from BEGIN on, more than the pool had: what that
   had.  */
AMP_API struct amp_chunk amp_cursor_end (struct amp_loop *loop,
					 struct amp_lane *lane,
					 uint64_t begin);

/* The same from LANE's queue; see amp-steal.c.  */
static inline struct amp_chunk amp_queue_take_alike (struct amp_loop *loop,
						     struct amp_lane *lane);

/* The next chunk of LANE, which has entered and whose `alike' is not 0, by one
   addition.  None: the schedule is to be asked.  */
static inline struct amp_chunk
amp_loop_take_alike (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t want = lane->chunk, begin;

  if (loop->units != 0)
    return amp_queue_take_alike (loop, lane);
  begin = AMP_FETCH_ADD (&loop->cursor, want, AMP_RELAXED);

  if (__builtin_expect (begin + want > loop->n, 0))
    return amp_cursor_end (loop, lane, begin);
  lane->alike--;
  lane->timed += want;
  lane->run += want;
  return amp_make_chunk (begin, begin + want);
}

/* Next chunk for LANE, which has entered and reports if nothing is left.  */
static inline bool
amp_loop_take_or_end (struct amp_loop *loop, struct amp_lane *lane,
		      struct amp_chunk *chunk)
{
  *chunk = (lane->alike != 0 ? amp_loop_take_alike (loop, lane)
	    : amp_no_chunk ());
  if (!amp_chunk_p (*chunk))
    *chunk = loop->ops->next_chunk (loop, lane);
  if (__builtin_expect (amp_chunk_p (*chunk), 1))
    return true;
  amp_loop_end (loop, lane);
  return false;
}

#endif

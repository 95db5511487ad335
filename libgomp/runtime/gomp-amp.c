/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue between libgomp and the scheduler core: blocks, and ordinals <->
   long and unsigned long long loop variables.

   The core's files and the glue's others are included here, so that one
   object is added to libgomp and every symbol of the core is static.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1		/* sched_getcpu, secure_getenv.  */
#endif
#ifndef _FILE_OFFSET_BITS
# define _FILE_OFFSET_BITS 64	/* 32-bit programs' readdir needs it.  */
#endif

#include "libgomp.h"
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include "libgomp_g.h"
#include "secure_getenv.h"
#include "proc.h"
#include "omp_amp.h"
#include "amp-port.h"		/* AMP_LOCKED, for the next lines.  */

#if AMP_LOCKED
#define GOMP_AMP_LOCK(WS) gomp_mutex_lock (&(WS)->lock)
#define GOMP_AMP_UNLOCK(WS) gomp_mutex_unlock (&(WS)->lock)
/* Sites are shared by work shares.  */
#define GOMP_AMP_SITE_LOCK() gomp_mutex_lock (&gomp_amp_site_lock)
#define GOMP_AMP_SITE_UNLOCK() gomp_mutex_unlock (&gomp_amp_site_lock)
#else
#define GOMP_AMP_SITE_LOCK() ((void) 0)
#define GOMP_AMP_SITE_UNLOCK() ((void) 0)
#define GOMP_AMP_LOCK(WS) ((void) (WS))
#define GOMP_AMP_UNLOCK(WS) ((void) (WS))
#endif

#ifdef GOMP_AMP_BEFORE_GCC_9
/* What later versions of alloc.c have.  */

static void *
gomp_aligned_alloc (size_t alignment, size_t size)
{
  void *ret;

  if (posix_memalign (&ret, alignment, size) != 0)
    gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) size);
  return ret;
}

static void
gomp_aligned_free (void *ptr)
{
  free (ptr);
}
#endif

/* A sample shorter than this is enlarged.  */
#define GOMP_AMP_MIN_NANOSECONDS 5000

#include "amp-core.c"
#include "amp-stock.c"
#include "amp-options.c"
#include "amp-topology.c"
#include "amp-cluster.c"

/* Clock.  */

/* Written by the constructor only.  */
static bool gomp_amp_have_counter;

/* GOMP_AMP_MIN_NANOSECONDS in ticks, about.  */
static uint64_t gomp_amp_min_ticks = GOMP_AMP_MIN_NANOSECONDS;

static inline uint64_t
amp_ticks (void)
{
  struct timespec ts;

  if (AMP_HAVE_USER_COUNTER && __builtin_expect (gomp_amp_have_counter, 1))
    return amp_user_counter ();
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static uint64_t
amp_cpu_ticks (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void
gomp_amp_init_clock (void)
{
#if defined __x86_64__
  unsigned a, b, c, d;

  /* Invariant TSC: runs at one rate in all P-, C- and T-states.  */
  __asm__ ("cpuid" : "=a" (a), "=b" (b), "=c" (c), "=d" (d)
	   : "0" (0x80000000), "2" (0));
  if (a >= 0x80000007)
    {
      __asm__ ("cpuid" : "=a" (a), "=b" (b), "=c" (c), "=d" (d)
	       : "0" (0x80000007), "2" (0));
      gomp_amp_have_counter = (d & 0x100) != 0;
    }
  if (gomp_amp_have_counter)
    /* Nominal frequencies are 2 to 4 GHz: 4 to 8 us.  */
    gomp_amp_min_ticks = 16384;
#elif defined __aarch64__
  uint64_t frequency;

  __asm__ ("mrs %0, cntfrq_el0" : "=r" (frequency));
  /* A sample of a few microseconds is to be timed to a few percent.  */
  gomp_amp_have_counter = frequency >= 10000000;
  if (gomp_amp_have_counter)
    gomp_amp_min_ticks = frequency / 200000;
#endif
}

#if AMP_LOCKED
static gomp_mutex_t gomp_amp_site_lock;
#endif

static void gomp_amp_init_pool (void);
static void gomp_amp_init_sites (void);
static bool gomp_amp_sf_file_p (const char *);
static void gomp_amp_init_trace (void);
static void gomp_amp_write_traces (void);
static void gomp_amp_end_tracing (void);
static const char *gomp_amp_kind_name (unsigned);
static uint64_t gomp_amp_monotonic (void);

/* True if chunks are traced or recorded, or loops reported.  Written by the
   constructor only, like the next ones.  */
static bool gomp_amp_watching;

/* True if loops whose schedule is libgomp's own are the core's as well: they
   are watched, or are to stay static at some sites, or shuffled.  */
static bool gomp_amp_taking;

/* GOMP_AMP is off.  */
static bool gomp_amp_off;

/* GOMP_AMP_REPRODUCIBLE is set.  */
static bool gomp_amp_reproducible;

/* When the library was loaded, if loops are watched.  */
static uint64_t gomp_amp_begun_ticks, gomp_amp_begun_ns;

/* What GOMP_AMP_CHECK asks for: divisions that are drawn at random and threads
   that are held up, so that what a program relies on shows.  */
static struct
{
  bool shuffle;
  bool contiguous;
  uint64_t seed;
  uint64_t delay;		/* Nanoseconds; 0: none.  */
} gomp_amp_check;

#include "gomp-amp-workload.c"
#include "gomp-amp-env.c"
#include "gomp-amp-site.c"
#include "gomp-amp-wait.c"

/* Blocks.  A block holds one loop of the core; it belongs to a work share.

   The work shares inside struct gomp_team keep theirs as long as the team
   structure lives, so that loop after loop no allocator is called; those in
   chunks that libgomp adds when many nowait loops are under way take theirs
   from the pool and return it in gomp_fini_work_share.  No thread is in a
   loop whose work share is being finished or reused, which is why a block
   may be reformatted then.  */

/* A plan that was made for a site, for use in its further executions: until
   the site has been observed again the blocks stay the same, and as nobody
   writes them the lanes have them in their caches.  Written by the thread that
   begins a loop on the block's work share, so that no other thread is in a
   loop that uses it.  */
struct gomp_amp_plan
{
  struct amp_site *site;	/* NULL: none.  */
  uint64_t version;
  uint64_t n;
  enum amp_plan_kind kind;
  uint64_t bounds[];
};

/* What a team's steady loops have, in the region that it runs.  */

/* So many trip counts have plans of their own.  */
#define GOMP_AMP_STEADY 16

struct gomp_amp_steady
{
  unsigned used;
  uint64_t region;		/* Regions so far.  */
  struct gomp_amp_plan *plan[GOMP_AMP_STEADY];
};

/* So many sites' plans are kept with a block.  */
#define GOMP_AMP_PLANS 4

struct gomp_amp_block
{
  struct gomp_amp_block *next;	/* In the pool.  */
  void *extra;			/* For schedules that need more than the
				   block, at least EXTRA_SIZE bytes.  */
  size_t extra_size;
  unsigned class;		/* Room for 1 << class lanes.  */
  bool pooled;			/* Goes back in gomp_fini_work_share.  */
  /* Loops that were begun with it.  */
  uint64_t uses __attribute__ ((aligned (AMP_LINE)));
  /* Of the loop under way, if chunks are traced.  */
  const void *address;
  uint32_t number;
  uint64_t draw;		/* ... if divisions are drawn at random.  */
};

#define GOMP_AMP_CLASSES 17

static struct gomp_amp_block *gomp_amp_pool[GOMP_AMP_CLASSES];
static gomp_mutex_t gomp_amp_pool_lock;

static void
gomp_amp_init_pool (void)
{
  gomp_mutex_init (&gomp_amp_pool_lock);
#if AMP_LOCKED
  gomp_mutex_init (&gomp_amp_site_lock);
#endif
}

static struct amp_loop *
gomp_amp_block_loop (struct gomp_amp_block *block)
{
  return (struct amp_loop *) ((char *) block + AMP_ROUND_LINE (sizeof *block));
}

/* Bytes of a plan for LANES lanes.  */

static size_t
gomp_amp_plan_size (unsigned lanes)
{
  return AMP_ROUND_LINE (sizeof (struct gomp_amp_plan)
			 + (lanes + (size_t) 1) * sizeof (uint64_t));
}

/* Where BLOCK, for LANES lanes, keeps a plan for SITE.  */

static struct gomp_amp_plan *
gomp_amp_block_plan (struct gomp_amp_block *block, unsigned lanes,
		     const struct amp_site *site)
{
  size_t which = (uintptr_t) site / AMP_LINE;

  which = (which ^ which >> 4) % GOMP_AMP_PLANS;
  return (struct gomp_amp_plan *)
    ((char *) gomp_amp_block_loop (block)
     + amp_loop_size (1U << block->class, gomp_amp_types)
     + which * gomp_amp_plan_size (lanes));
}

static struct gomp_amp_block *
gomp_amp_get_block (unsigned lanes)
{
  struct gomp_amp_block *block;
  uint64_t generation;
  unsigned class = 0;

  while ((1U << class) < lanes)
    class++;
  gomp_mutex_lock (&gomp_amp_pool_lock);
  block = gomp_amp_pool[class];
  if (block != NULL)
    gomp_amp_pool[class] = block->next;
  gomp_mutex_unlock (&gomp_amp_pool_lock);
  if (block == NULL)
    {
      size_t size = amp_loop_size (1U << class, gomp_amp_types);

      size += GOMP_AMP_PLANS * gomp_amp_plan_size (1U << class);
      block = gomp_aligned_alloc (AMP_LINE,
				  AMP_ROUND_LINE (sizeof *block) + size);
      block->class = class;
      block->uses = 0;
      block->extra = NULL;
      block->extra_size = 0;
    }
  /* A trace knows a loop by its block and generation.  */
  generation = block->uses != 0 ? gomp_amp_block_loop (block)->generation : 0;
  amp_loop_format (gomp_amp_block_loop (block), lanes, gomp_amp_types);
  gomp_amp_block_loop (block)->generation = generation;
  /* The plans of a team of another size are at other places.  */
  memset ((char *) gomp_amp_block_loop (block)
	  + amp_loop_size (1U << block->class, gomp_amp_types), 0,
	  GOMP_AMP_PLANS * gomp_amp_plan_size (1U << block->class));
  return block;
}

static void
gomp_amp_put_block (struct gomp_amp_block *block)
{
  gomp_mutex_lock (&gomp_amp_pool_lock);
  block->next = gomp_amp_pool[block->class];
  gomp_amp_pool[block->class] = block;
  gomp_mutex_unlock (&gomp_amp_pool_lock);
}

#define GOMP_AMP_TEAM_SHARES(TEAM) \
  (sizeof (TEAM)->work_shares / sizeof (TEAM)->work_shares[0])

void
gomp_amp_new_team (struct gomp_team *team)
{
  unsigned i;

  team->amp = NULL;
  for (i = 0; i < GOMP_AMP_TEAM_SHARES (team); i++)
    team->work_shares[i].amp = NULL;
}

void
gomp_amp_free_team (struct gomp_team *team)
{
  unsigned i;

  for (i = 0; i < GOMP_AMP_TEAM_SHARES (team); i++)
    if (team->work_shares[i].amp != NULL)
      gomp_amp_put_block (team->work_shares[i].amp);
  if (team->amp != NULL)
    {
      for (i = 0; i < GOMP_AMP_STEADY; i++)
	free (team->amp->plan[i]);
      free (team->amp);
    }
}

/* How many threads the teams that run now have, of teams larger than one; the
   thread that starts a team inside another is counted once.  */

static uint64_t gomp_amp_running __attribute__ ((aligned (AMP_LINE)));

static inline unsigned
gomp_amp_added_by (const struct gomp_team *outer, unsigned nthreads)
{
  return outer != NULL && outer->nthreads > 1 ? nthreads - 1 : nthreads;
}

void
gomp_amp_start_team (struct gomp_thread *thr, struct gomp_team *team)
{
  if (team->amp != NULL)
    {
      team->amp->used = 0;
      team->amp->region++;
    }
  if (team->nthreads > 1)
    __atomic_fetch_add (&gomp_amp_running,
			gomp_amp_added_by (thr->ts.team, team->nthreads),
			__ATOMIC_RELAXED);
}

void
gomp_amp_end_team (struct gomp_thread *thr, struct gomp_team *team)
{
  if (team->nthreads > 1)
    __atomic_fetch_sub (&gomp_amp_running,
			gomp_amp_added_by (thr->ts.team, team->nthreads),
			__ATOMIC_RELAXED);
}

void
gomp_amp_fini_work_share (struct gomp_work_share *ws)
{
  if (ws->amp->pooled)
    {
      gomp_amp_put_block (ws->amp);
      ws->amp = NULL;
    }
}

/* Loops.  */

/* One thread in so many is held up before, and after, its part of a loop.  */
#define GOMP_AMP_DELAYED 3

/* Hold up the thread of LANE, before its first chunk (AFTER 0) or after its
   last one (1), if BLOCK's draw says so.  */

static void __attribute__ ((noinline))
gomp_amp_hold_up (const struct gomp_amp_block *block,
		  const struct amp_lane *lane, unsigned after)
{
  struct timespec ts = { 0, gomp_amp_check.delay };

  if (amp_draw (block->draw + after, lane->id) % GOMP_AMP_DELAYED == 0)
    nanosleep (&ts, NULL);
}

/* Take a chunk for the calling thread; *BEFORE: what state its lane was in.  */

static inline bool
gomp_amp_take (struct gomp_work_share *ws, struct amp_loop *loop,
	       struct amp_lane *lane, struct amp_chunk *chunk,
	       unsigned *before)
{
  bool ret;

  if (__builtin_expect (gomp_amp_check.delay != 0, 0)
      && amp_loop_fresh_p (loop, lane))
    gomp_amp_hold_up (ws->amp, lane, 0);
  GOMP_AMP_LOCK (ws);
  if (__builtin_expect (amp_loop_fresh_p (loop, lane), 0))
    amp_loop_enter (loop, lane, gomp_amp_arrive (gomp_thread ()));
  *before = lane->state;
  if (AMP_LOCKED && loop->observe)
    GOMP_AMP_SITE_LOCK ();
  ret = amp_loop_next (loop, lane, chunk);
  if (AMP_LOCKED && loop->observe)
    GOMP_AMP_SITE_UNLOCK ();
  GOMP_AMP_UNLOCK (ws);
  if (__builtin_expect (gomp_amp_check.delay != 0, 0) && !ret)
    gomp_amp_hold_up (ws->amp, lane, 1);
  return ret;
}

#include "gomp-amp-trace.c"
#include "gomp-amp-trace-write.c"

static struct gomp_task_icv gomp_amp_static_icv
  = { .run_sched_var = GFS_STATIC, .run_sched_chunk_size = 0 };
static struct gomp_task_icv gomp_amp_dynamic_icv
  = { .run_sched_var = GFS_DYNAMIC, .run_sched_chunk_size = 1 };
static struct gomp_task_icv gomp_amp_auto_icv
  = { .run_sched_var = GFS_AMP_AUTO };

struct gomp_task_icv *
gomp_amp_resolve (struct gomp_task_icv *icv, enum gomp_amp_arrival how)
{
  const struct amp_ops *ops;
  int kind = icv->run_sched_var & ~GFS_MONOTONIC;

  switch (kind)
    {
    case GFS_STATIC:
    case GFS_DYNAMIC:
    case GFS_GUIDED:
      return icv;
    case GFS_AMP_UNSET:
      /* The user chose no schedule: a loop that is runtime only because it
	 names no schedule must not be slower than the static loop it would
	 have been; one that says runtime gets libgomp's old default.  */
      if (how != GOMP_AMP_CLAUSELESS)
	return &gomp_amp_dynamic_icv;
      return gomp_amp_types > 1 ? &gomp_amp_auto_icv : &gomp_amp_static_icv;
    case GFS_AUTO:
      /* libgomp's own auto is static; some that ours chooses from are not
	 monotonic.  */
      if (how == GOMP_AMP_ORDERED)
	return icv;
      return (how == GOMP_AMP_MONOTONIC || kind != (int) icv->run_sched_var
	      || gomp_amp_off
	      ? &gomp_amp_static_icv : &gomp_amp_auto_icv);
    }
  if (how == GOMP_AMP_ORDERED)
    return &gomp_amp_dynamic_icv;
  ops = amp_find_kind (kind);
  if (ops == NULL
      || ((how == GOMP_AMP_MONOTONIC || kind != (int) icv->run_sched_var)
	  && !(ops->flags & AMP_MONOTONIC)))
    return &gomp_amp_dynamic_icv;
  return icv;
}

/* A loop that begins.  */

struct gomp_amp_request
{
  struct gomp_amp_from from;
  int sched;			/* One of libgomp's own, of the core's, or
				   GFS_AMP_AUTO.  */
  unsigned long long chunk;	/* Of libgomp's own, or the core's first
				   parameter.  */
  unsigned hints;		/* enum gomp_amp_hint.  */
};

static inline void
gomp_amp_make_request (struct gomp_amp_request *r, struct gomp_team *team,
		       struct gomp_amp_from from, long sched,
		       unsigned long long chunk)
{
  struct gomp_thread *thr = gomp_thread ();

  r->from = from;
  /* In a combined construct nothing has happened in TEAM yet.  */
  r->hints = team != NULL && team == thr->ts.team ? thr->task->amp_hints : 0;
  if (from.how > GOMP_AMP_EXPLICIT)
    {
      struct gomp_task_icv *icv = gomp_amp_icv (from.how);

#ifndef GOMP_AMP_BEFORE_GCC_9
      /* What the loop is without us.  */
      if (__builtin_expect (gomp_amp_off, 0)
	  && from.how == GOMP_AMP_CLAUSELESS)
	icv = &gomp_amp_static_icv;
#endif
      sched = icv->run_sched_var;
      chunk = icv->run_sched_chunk_size;
    }
  r->sched = sched & ~GFS_MONOTONIC;
  r->chunk = chunk;
}

/* What GOMP_AMP_REPLACE puts in the place of a schedule clause with SCHED, or
   NULL.  */

static inline const struct amp_schedule *
gomp_amp_replaces (int sched, enum gomp_amp_arrival how)
{
  const struct amp_schedule *r;

  if (how > GOMP_AMP_EXPLICIT || sched > GFS_GUIDED)
    return NULL;
  r = &gomp_amp_replace[sched];
  if (__builtin_expect (r->kind == 0, 1)
      || (how == GOMP_AMP_EXPLICIT_MONOTONIC
	  && !(amp_find_kind (r->kind)->flags & AMP_MONOTONIC)))
    return NULL;
  return r;
}

/* Does a program that is right with static rely on static's division of the
   loop R, of N iterations, in a team of LANES threads?  Nothing is known of
   loops that ask for another.  With as many threads as iterations their bodies
   may wait for each other.  */

static inline bool
gomp_amp_relies_on_static_p (const struct gomp_amp_request *r, uint64_t n,
			     unsigned lanes)
{
  if (r->from.how == GOMP_AMP_CLAUSELESS
      && (n <= lanes || (r->hints & GOMP_AMP_HINT_STATIC)))
    return true;
  return (r->hints & GOMP_AMP_HINT_SUM) && gomp_amp_reproducible;
}

/* True if R is libgomp's own affair.  */

static inline bool
gomp_amp_stock_p (const struct gomp_amp_request *r, uint64_t n,
		  unsigned lanes)
{
  if (r->sched > GFS_AUTO || gomp_amp_taking
      || gomp_amp_replaces (r->sched, r->from.how) != NULL)
    return false;
  return ((r->sched == GFS_STATIC && r->chunk == 0)
	  || (!(r->hints & GOMP_AMP_HINT_STEADY)
	      && !gomp_amp_relies_on_static_p (r, n, lanes)));
}

/* The block of WS, which TEAM runs.  */

static struct gomp_amp_block *
gomp_amp_block_of (struct gomp_work_share *ws, struct gomp_team *team,
		   unsigned lanes)
{
  struct gomp_amp_block *block = ws->amp;

  if (block == NULL)
    {
      block = gomp_amp_get_block (lanes);
      block->pooled = (team == NULL
		       || ((uintptr_t) ws - (uintptr_t) team->work_shares
			   >= sizeof team->work_shares));
      ws->amp = block;
    }
  block->uses++;
  return block;
}

/* SIZE bytes that live as long as BLOCK.  */

static void *
gomp_amp_get_extra (struct gomp_amp_block *block, size_t size)
{
  if (size > block->extra_size)
    {
      free (block->extra);
      block->extra = gomp_malloc (size);
      block->extra_size = size;
    }
  return block->extra;
}

/* Let SETUP know what the lanes of TEAM run on.  */

static void
gomp_amp_expect_types (struct amp_setup *setup, struct gomp_team *team)
{
  struct gomp_thread *thr = gomp_thread ();

  /* Thread i of an outermost team sits on place i if there are as many
     places as threads and no proc_bind clause says otherwise.  In a combined
     construct the team has not started.  */
  if (gomp_amp_place_type != NULL && team->nthreads <= gomp_places_list_len
      && thr->ts.level == (thr->ts.team == team))
    {
      setup->lane_type = gomp_amp_place_type;
      setup->lane_cluster = gomp_amp_place_cluster;
    }
  else if (gomp_amp_guessed_type != NULL
	   && team->nthreads <= gomp_amp_topology.norder)
    {
      setup->lane_type = gomp_amp_guessed_type;
      setup->guess = true;
    }
}

/* Are more threads at work than there are CPUs, TEAM's included?  Threads that
   wait in a pool for the next team are not at work.  */

static bool
gomp_amp_crowded_p (struct gomp_team *team, unsigned lanes)
{
  uint64_t running = __atomic_load_n (&gomp_amp_running, __ATOMIC_RELAXED);

  if (team != gomp_thread ()->ts.team)
    running += gomp_amp_added_by (gomp_thread ()->ts.team, lanes);
  return lanes > gomp_available_cpus || running > gomp_available_cpus;
}

/* What auto makes of SETUP: NULL for an even division.  */

static const struct amp_ops *
gomp_amp_choose (struct amp_setup *setup, uint64_t salt)
{
  enum amp_choice choice;

  setup->params.value[0] = setup->params.value[1] = 0;
  if (setup->site == NULL || setup->crowded)
    return setup->observed_types ? NULL : &amp_aid_hybrid;
  choice = amp_site_choose (setup->site, setup->n,
			    setup->guess ? NULL : setup->lane_type,
			    !setup->observed_types, salt, &setup->observe);
  if (choice == AMP_CHOICE_STATIC && !setup->observe)
    return NULL;
  setup->choice = choice + 1;
  return amp_choices[choice];
}

/* The schedule and parameters of REPLACEMENT, for a clause whose CHUNK is the
   least one from then on.  */

static const struct amp_ops *
gomp_amp_use_replacement (struct amp_setup *setup,
			  const struct amp_schedule *replacement,
			  unsigned long long chunk)
{
  const struct amp_ops *ops = amp_find_kind (replacement->kind);
  unsigned i;

  setup->params = replacement->params;
  for (i = 0; i < ops->nparams; i++)
    {
      bool size = (strcasecmp (ops->param[i].name, "m") == 0
		   || strcmp (ops->param[i].name, "chunk") == 0);
      int *value = &setup->params.value[i];

      /* 1 is what a clause without chunk says, and no bound.  */
      if (!size || chunk <= 1 || (*value == 0 && ops->param[i].name[0] == 'M'))
	continue;
      if ((unsigned long long) *value < chunk)
	*value = (chunk < (unsigned long long) ops->param[i].max
		  ? (int) chunk : ops->param[i].max);
    }
  return ops;
}

/* Plans.  All blocks that are fixed when a loop begins are dealt out by one:
   WS's schedule is GFS_AMP and its chunk size, which is of no concern to the
   core's loops, the plan's address.  */

/* That of static, for any loop and team.  */
static struct gomp_amp_plan gomp_amp_even_plan = { .kind = AMP_PLAN_EVEN };

static inline void
gomp_amp_set_plan (struct gomp_work_share *ws, struct gomp_amp_plan *plan)
{
  ws->chunk_size = (long) (uintptr_t) (plan->kind == AMP_PLAN_EVEN
				       ? &gomp_amp_even_plan : plan);
}

/* The plan of WS's loop, if that is all it needs.  */

static inline struct gomp_amp_plan *
gomp_amp_plan_of (const struct gomp_work_share *ws)
{
  return (struct gomp_amp_plan *) (uintptr_t) ws->chunk_size;
}

static void
gomp_amp_make_plan (struct gomp_amp_plan *plan, const struct amp_setup *setup,
		    uint64_t version)
{
  unsigned i;

  plan->site = setup->site;
  plan->version = version;
  plan->n = setup->n;
  plan->kind = amp_plan_make (setup, setup->n, plan->bounds);
  /* The lanes are to say where they are all the same.  */
  if (plan->kind == AMP_PLAN_EVEN)
    {
      plan->kind = AMP_PLAN_WEIGHTED;
      for (i = 0; i <= setup->lanes; i++)
	AMP_STORE (&plan->bounds[i],
		   amp_even_bound (setup->n, setup->lanes, i), AMP_RELAXED);
    }
}

/* The plan of BLOCK's for a loop of SETUP that needs no more than its site's
   blocks, or NULL if it has to be begun in earnest.  */

static struct gomp_amp_plan *
gomp_amp_kept_plan (struct gomp_amp_block *block,
		    const struct amp_setup *setup)
{
  struct gomp_amp_plan *plan;
  uint64_t version;

  /* Then a pool is left, in case it moves again.  */
  if ((setup->lane_type == NULL || setup->guess)
      && AMP_LOAD (&setup->site->moved, AMP_RELAXED) != 0)
    return NULL;
  plan = gomp_amp_block_plan (block, setup->lanes, setup->site);
  version = AMP_LOAD (&setup->site->version, AMP_RELAXED);
  if (plan->site != setup->site || plan->version != version
      || plan->n != setup->n)
    gomp_amp_make_plan (plan, setup, version);
  return plan->kind != AMP_PLAN_NONE ? plan : NULL;
}

/* The plan that all steady loops of SETUP's trip count have in the region that
   TEAM runs.  Only the thread that begins a loop calls this, and a thread
   that begins another has come by the first one's work share: so calls are
   ordered, and what a plan says is there before other threads read it.  */

static struct gomp_amp_plan *
gomp_amp_steady_plan (struct gomp_team *team, const struct amp_setup *setup)
{
  struct gomp_amp_steady *steady = team->amp;
  struct gomp_amp_plan *plan;
  unsigned i;

  if (steady == NULL)
    team->amp = steady = gomp_malloc_cleared (sizeof *steady);
  for (i = 0; i < steady->used; i++)
    if (steady->plan[i]->n == setup->n)
      return steady->plan[i];
  /* More trip counts than that: all loops of the others are even.  */
  if (i == GOMP_AMP_STEADY)
    return &gomp_amp_even_plan;
  plan = steady->plan[i];
  if (plan == NULL)
    steady->plan[i] = plan
      = gomp_malloc (gomp_amp_plan_size (team->nthreads));
  steady->used++;
  if (gomp_amp_check.shuffle)
    {
      uint64_t draw = amp_draw (gomp_amp_check.seed + steady->region,
				setup->n);

      plan->site = setup->site;
      plan->n = setup->n;
      plan->kind = AMP_PLAN_WEIGHTED;
      for (i = 0; i <= setup->lanes; i++)
	plan->bounds[i] = amp_shuffle_cut (draw, setup->n, setup->lanes, i);
      return plan;
    }
  gomp_amp_make_plan (plan, setup, 0);
  if (plan->kind == AMP_PLAN_NONE)
    plan->kind = AMP_PLAN_EVEN;
  return plan;
}

/* The schedule of a loop R of SETUP in TEAM; NULL: an even division.  */

static const struct amp_ops *
gomp_amp_ops_of (const struct gomp_amp_request *r, struct amp_setup *setup,
		 struct gomp_amp_block *block)
{
  const struct amp_schedule *replacement;
  const struct amp_ops *ops;

  if (r->sched == GFS_AMP_AUTO)
    return gomp_amp_choose (setup, block->uses);
  replacement = gomp_amp_replaces (r->sched, r->from.how);
  if (replacement != NULL)
    ops = gomp_amp_use_replacement (setup, replacement, r->chunk);
  else if (r->sched <= GFS_GUIDED)
    {
      setup->params.value[0] = r->chunk < INT32_MAX ? r->chunk : INT32_MAX;
      setup->params.value[1] = 0;
      ops = amp_stock_ops (r->sched, r->chunk != 0);
      /* Nothing is learnt that would not be otherwise.  */
      if (!gomp_amp_reporting)
	setup->site = NULL;
    }
  else
    {
      ops = amp_find_kind (r->sched);
      setup->params.value[0] = r->chunk;
      setup->params.value[1] = gomp_icv (false)->run_sched_param2;
    }
  setup->observe = (setup->site != NULL
		    && amp_site_due (setup->site, block->uses));
  return ops;
}

/* The same where divisions are drawn at random.  */

static const struct amp_ops *
gomp_amp_shuffled_ops (struct amp_setup *setup, struct gomp_amp_block *block)
{
  setup->contiguous = gomp_amp_check.contiguous;
  setup->draw = block->draw;
  return &amp_shuffle;
}

/* Begin a loop of the core on WS.  */

static void
gomp_amp_begin_core (struct gomp_work_share *ws, struct gomp_amp_block *block,
		     const struct amp_ops *ops, struct amp_setup *setup,
		     const void *address)
{
  struct gomp_amp_workload *workload = NULL;

  if (ops == &amp_binlpt)
    workload = gomp_amp_find_workload (setup->params.value[1], setup->site,
				       setup->n);
  setup->workload = workload != NULL ? workload->cost : NULL;
  setup->extra = gomp_amp_get_extra (block, amp_loop_extra (ops, setup));
  amp_loop_init (gomp_amp_block_loop (block), ops, setup);
  gomp_amp_return_workload (workload);
  if (__builtin_expect (gomp_amp_watching, 0))
    {
      if (gomp_amp_tracing)
	gomp_amp_trace_begin (block, address, setup->lanes, setup->n);
      if (gomp_amp_reporting && setup->site != NULL)
	gomp_amp_note_loop (setup->site, ops, setup);
    }
}

/* Begin loop R of N iterations, with more than one of LANES threads, or one
   whose loops are recorded, on WS.  */

static void
gomp_amp_begin_team (struct gomp_work_share *ws, struct gomp_team *team,
		     unsigned lanes, uint64_t n,
		     const struct gomp_amp_request *r)
{
  struct gomp_amp_block *block = gomp_amp_block_of (ws, team, lanes);
  struct gomp_amp_plan *plan = NULL;
  const struct amp_ops *ops = NULL;
  struct amp_setup setup;
  bool even;

  memset (&setup, 0, sizeof setup);
  setup.n = n;
  setup.lanes = lanes;
  setup.types = gomp_amp_types;
  setup.sf = gomp_amp_sf;
  setup.observed_types = gomp_amp_observed_types;
  setup.crowded = lanes > 1 && gomp_amp_crowded_p (team, lanes);
  setup.min_ticks = (setup.crowded ? GOMP_AMP_MIN_NANOSECONDS
		     : gomp_amp_min_ticks);
  setup.site = gomp_amp_find_site (r->from.address, lanes, n);
  if (setup.site != NULL && setup.site->sf != NULL)
    setup.sf = setup.site->sf;
  if (__builtin_expect (gomp_amp_check.shuffle, 0))
    block->draw = gomp_amp_draw_of (setup.site, block->uses);

  GOMP_AMP_SITE_LOCK ();
  even = (gomp_amp_relies_on_static_p (r, n, lanes)
	  || (r->from.how > GOMP_AMP_EXPLICIT
	      && (setup.site != NULL ? setup.site->even
		  : gomp_amp_nstatic != 0)));
  if (lanes == 1)
    {
      ops = gomp_amp_costs_file != NULL ? &gomp_amp_record_ops : &amp_even;
      setup.observe = (gomp_amp_recording || setup.site == NULL
		       || amp_site_due (setup.site, block->uses));
    }
  else if (even)
    setup.observe = (gomp_amp_taking && setup.site != NULL
		     && amp_site_due (setup.site, block->uses));
  else
    {
      gomp_amp_expect_types (&setup, team);
      if (r->hints & GOMP_AMP_HINT_STEADY)
	{
	  plan = gomp_amp_steady_plan (team, &setup);
	  setup.bounds = (plan->kind == AMP_PLAN_WEIGHTED
			  ? plan->bounds : NULL);
	  setup.observe = (setup.site != NULL && !setup.crowded
			   && amp_site_due (setup.site, block->uses));
	  ops = &amp_fixed;
	}
      else if (gomp_amp_check.shuffle && r->from.how > GOMP_AMP_EXPLICIT)
	ops = gomp_amp_shuffled_ops (&setup, block);
      else
	ops = gomp_amp_ops_of (r, &setup, block);
    }

  if (ops == NULL)
    {
      plan = &gomp_amp_even_plan;
      ops = &amp_even;
    }
  else if (ops == &amp_aid_static && setup.site != NULL && !setup.observe
	   && !setup.crowded && !gomp_amp_taking)
    plan = gomp_amp_kept_plan (block, &setup);
  if (plan != NULL && !setup.observe && !gomp_amp_taking)
    gomp_amp_set_plan (ws, plan);
  else
    gomp_amp_begin_core (ws, block, ops, &setup, r->from.address);
  GOMP_AMP_SITE_UNLOCK ();
}

/* Begin loop R of N iterations on WS.  */

static void
gomp_amp_begin (struct gomp_work_share *ws, struct gomp_team *team, uint64_t n,
		const struct gomp_amp_request *r)
{
  unsigned lanes = team == NULL ? 1 : team->nthreads;

  /* No types: the constructor has not run yet, or GOMP_AMP is off.  */
  if (n == 0 || lanes > 65535 || gomp_amp_types == 0
      || (lanes == 1 && !gomp_amp_recording && gomp_amp_costs_file == NULL)
      || (!gomp_amp_taking && gomp_amp_relies_on_static_p (r, n, lanes)))
    gomp_amp_set_plan (ws, &gomp_amp_even_plan);
  else
    gomp_amp_begin_team (ws, team, lanes, n, r);
}

/* Trip counts.  Differences are taken without sign: the span of a loop from
   LONG_MIN to LONG_MAX does not fit into a long.  */

static inline uint64_t
gomp_amp_trips (long start, long end, long incr)
{
  unsigned long span, step;

  if (incr > 0 ? start >= end : start <= end)
    return 0;
  if (incr > 0)
    {
      span = (unsigned long) end - (unsigned long) start;
      step = incr;
    }
  else
    {
      span = (unsigned long) start - (unsigned long) end;
      step = -(unsigned long) incr;
    }
  return span / step + (span % step != 0);
}

static inline uint64_t
gomp_amp_ull_trips (bool up, unsigned long long start, unsigned long long end,
		    unsigned long long incr)
{
  unsigned long long span = up ? end - start : start - end;
  unsigned long long step = up ? incr : -incr;

  if (up ? start >= end : start <= end)
    return 0;
  return span / step + (span % step != 0);
}

void
gomp_amp_loop_init (struct gomp_work_share *ws, struct gomp_team *team,
		    struct gomp_amp_from from, long start, long end,
		    long incr, long sched, long chunk)
{
  unsigned lanes = team == NULL ? 1 : team->nthreads;
  uint64_t n = gomp_amp_trips (start, end, incr);
  struct gomp_amp_request r;

  gomp_amp_make_request (&r, team, from, sched, chunk);
  if (gomp_amp_stock_p (&r, n, lanes))
    gomp_loop_init (ws, start, end, incr, r.sched, r.chunk);
  else
    {
      gomp_loop_init (ws, start, end, incr, GFS_AMP, 0);
      gomp_amp_begin (ws, team, n, &r);
    }
}

void
gomp_amp_loop_ull_init (struct gomp_work_share *ws, struct gomp_team *team,
			struct gomp_amp_from from, bool up,
			unsigned long long start, unsigned long long end,
			unsigned long long incr, long sched,
			unsigned long long chunk)
{
  unsigned lanes = team == NULL ? 1 : team->nthreads;
  uint64_t n = gomp_amp_ull_trips (up, start, end, incr);
  struct gomp_amp_request r;

  gomp_amp_make_request (&r, team, from, sched, chunk);
  if (gomp_amp_stock_p (&r, n, lanes))
    gomp_loop_ull_init (ws, up, start, end, incr, r.sched, r.chunk);
  else
    {
      gomp_loop_ull_init (ws, up, start, end, incr, GFS_AMP, 0);
      ws->chunk_size = 0;
      gomp_amp_begin (ws, team, n, &r);
    }
}

/* The calling thread's block of PLAN, for a loop of N iterations; once.  */

static inline bool
gomp_amp_plan_next (struct gomp_amp_plan *plan, uint64_t n,
		    struct amp_chunk *chunk)
{
  struct gomp_thread *thr = gomp_thread ();
  unsigned id = thr->ts.team_id;

  if (thr->ts.static_trip != 0)
    return false;
  thr->ts.static_trip = 1;
  if (plan->kind == AMP_PLAN_EVEN)
    {
      struct gomp_team *team = thr->ts.team;
      unsigned lanes = team == NULL ? 1 : team->nthreads;

      /* What is even does not follow the lanes, but who is not bound leaves
	 its mark.  */
      if (lanes > 1 && gomp_amp_unbound_p ())
	gomp_amp_arrive (thr);
      chunk->begin = amp_even_bound (n, lanes, id);
      chunk->end = amp_even_bound (n, lanes, id + UINT64_C (1));
      return chunk->begin != chunk->end;
    }
  if (plan->site != NULL)
    {
      unsigned type = gomp_amp_arrive (thr);

      if (!AMP_LOCKED)
	amp_site_see (plan->site, id,
		      type < plan->site->types ? type : plan->site->types - 1);
    }
  chunk->begin = AMP_LOAD (&plan->bounds[id], AMP_RELAXED);
  chunk->end = AMP_LOAD (&plan->bounds[id + 1], AMP_RELAXED);
  return chunk->begin != chunk->end;
}

/* CHUNK of WS's loop of N iterations as bounds.  The last chunk's end is the
   loop's own: a step that does not divide the span must not carry it past the
   end, which may not be representable.  */

static inline void
gomp_amp_bounds (const struct gomp_work_share *ws,
		 const struct amp_chunk *chunk, uint64_t n, long *pstart,
		 long *pend)
{
  *pstart = ((unsigned long) ws->next
	     + (unsigned long) chunk->begin * (unsigned long) ws->incr);
  *pend = (chunk->end == n ? ws->end
	   : (long) ((unsigned long) ws->next
		     + (unsigned long) chunk->end * (unsigned long) ws->incr));
}

static inline void
gomp_amp_ull_bounds (const struct gomp_work_share *ws,
		     const struct amp_chunk *chunk, uint64_t n,
		     unsigned long long *pstart, unsigned long long *pend)
{
  *pstart = ws->next_ull + chunk->begin * ws->incr_ull;
  *pend = (chunk->end == n ? ws->end_ull
	   : ws->next_ull + chunk->end * ws->incr_ull);
}

/* A block of a plan is taken once, a chunk of a loop many times, and all but
   the usual chunk seldom.  So each of these has a function of its own, that
   the usual chunk's may save few registers.  */

static bool __attribute__ ((noinline))
gomp_amp_loop_plan_next (struct gomp_work_share *ws, long *pstart, long *pend)
{
  struct gomp_amp_plan *plan = gomp_amp_plan_of (ws);
  uint64_t n = (plan->kind == AMP_PLAN_EVEN
		? gomp_amp_trips (ws->next, ws->end, ws->incr) : plan->n);
  struct amp_chunk chunk;

  if (!gomp_amp_plan_next (plan, n, &chunk))
    return false;
  gomp_amp_bounds (ws, &chunk, n, pstart, pend);
  return true;
}

static bool __attribute__ ((noinline))
gomp_amp_loop_ull_plan_next (struct gomp_work_share *ws,
			     unsigned long long *pstart,
			     unsigned long long *pend)
{
  struct gomp_amp_plan *plan = gomp_amp_plan_of (ws);
  uint64_t n = plan->n;
  struct amp_chunk chunk;

  if (plan->kind == AMP_PLAN_EVEN)
    n = gomp_amp_ull_trips (!(ws->mode & 2), ws->next_ull, ws->end_ull,
			    ws->incr_ull);
  if (!gomp_amp_plan_next (plan, n, &chunk))
    return false;
  gomp_amp_ull_bounds (ws, &chunk, n, pstart, pend);
  return true;
}

/* Next chunk of WS's loop, which has no plan, for the calling thread.  */

static bool __attribute__ ((noinline))
gomp_amp_next (struct gomp_work_share *ws, struct amp_chunk *chunk)
{
  struct amp_loop *loop = gomp_amp_block_loop (ws->amp);
  struct amp_lane *lane = amp_loop_lane (loop, gomp_thread ()->ts.team_id);
  unsigned before;

  if (gomp_amp_tracing)
    return gomp_amp_trace_next (ws, loop, lane, chunk);
  return gomp_amp_take (ws, loop, lane, chunk, &before);
}

static bool __attribute__ ((noinline))
gomp_amp_end (struct gomp_work_share *ws)
{
  struct amp_loop *loop = gomp_amp_block_loop (ws->amp);

  amp_loop_end (loop, amp_loop_lane (loop, gomp_thread ()->ts.team_id));
  return false;
}

/* The same as gomp_amp_next.  */

static inline bool
gomp_amp_usual_next (struct gomp_work_share *ws, struct amp_chunk *chunk)
{
  struct amp_loop *loop = gomp_amp_block_loop (ws->amp);
  struct amp_lane *lane = amp_loop_lane (loop, gomp_thread ()->ts.team_id);

  if (AMP_LOCKED
      || __builtin_expect (gomp_amp_taking || amp_loop_fresh_p (loop, lane),
			   0))
    return gomp_amp_next (ws, chunk);
  *chunk = loop->ops->next (loop, lane);
  if (__builtin_expect (amp_chunk_p (*chunk), 1))
    return true;
  return gomp_amp_end (ws);
}

bool
gomp_amp_loop_next (long *pstart, long *pend)
{
  struct gomp_work_share *ws = gomp_thread ()->ts.work_share;
  struct amp_chunk chunk;

  if (gomp_amp_plan_of (ws) != NULL)
    return gomp_amp_loop_plan_next (ws, pstart, pend);
  if (!gomp_amp_usual_next (ws, &chunk))
    return false;
  gomp_amp_bounds (ws, &chunk, gomp_amp_block_loop (ws->amp)->n, pstart, pend);
  return true;
}

bool
gomp_amp_loop_ull_next (unsigned long long *pstart, unsigned long long *pend)
{
  struct gomp_work_share *ws = gomp_thread ()->ts.work_share;
  struct amp_chunk chunk;

  if (gomp_amp_plan_of (ws) != NULL)
    return gomp_amp_loop_ull_plan_next (ws, pstart, pend);
  if (!gomp_amp_usual_next (ws, &chunk))
    return false;
  gomp_amp_ull_bounds (ws, &chunk, gomp_amp_block_loop (ws->amp)->n, pstart,
		       pend);
  return true;
}

/* Entry points.  */

ialias_redirect (GOMP_loop_runtime_next)
ialias_redirect (GOMP_loop_ull_runtime_next)

/* Start a loop in the current team and take the first chunk.  The first thread
   alone decides about the schedule; the others go by what the work share
   says.  */

static bool
gomp_amp_loop_start (struct gomp_amp_from from, int sched, long chunk,
		     long start, long end, long incr, long *pstart, long *pend)
{
  struct gomp_thread *thr = gomp_thread ();

  thr->ts.static_trip = 0;
  if (gomp_work_share_start (0))
    {
      gomp_amp_loop_init (thr->ts.work_share, thr->ts.team, from, start, end,
			  incr, sched, chunk);
      gomp_work_share_init_done ();
    }
  return GOMP_loop_runtime_next (pstart, pend);
}

static bool
gomp_amp_loop_ull_start (struct gomp_amp_from from, int sched,
			 unsigned long long chunk, bool up,
			 unsigned long long start, unsigned long long end,
			 unsigned long long incr, unsigned long long *pstart,
			 unsigned long long *pend)
{
  struct gomp_thread *thr = gomp_thread ();

  thr->ts.static_trip = 0;
  if (gomp_work_share_start (0))
    {
      gomp_amp_loop_ull_init (thr->ts.work_share, thr->ts.team, from, up,
			      start, end, incr, sched, chunk);
      gomp_work_share_init_done ();
    }
  return GOMP_loop_ull_runtime_next (pstart, pend);
}

/* GOMP_loop_NAME_start for the exported NAMEs.  The compiler calls the
   nonmonotonic_runtime ones for loops without a schedule clause, the
   maybe_nonmonotonic_runtime ones for schedule (runtime), and the plain ones
   where the clause says monotonic.  */

#define GOMP_AMP_RUNTIME_START(NAME, HOW)				\
bool									\
GOMP_loop_##NAME##_start (long start, long end, long incr, long *istart, \
			  long *iend)					\
{									\
  return gomp_amp_loop_start (GOMP_AMP_FROM (HOW), 0, 0, start, end, incr, \
			      istart, iend);				\
}									\
									\
bool									\
GOMP_loop_ull_##NAME##_start (bool up, unsigned long long start,	\
			      unsigned long long end,			\
			      unsigned long long incr,			\
			      unsigned long long *istart,		\
			      unsigned long long *iend)			\
{									\
  return gomp_amp_loop_ull_start (GOMP_AMP_FROM (HOW), 0, 0, up, start,	\
				  end, incr, istart, iend);		\
}

#ifdef GOMP_AMP_BEFORE_GCC_9
/* Here every runtime loop comes by the plain ones, and OpenMP 4.5 does not ask
   that it be monotonic.  */
GOMP_AMP_RUNTIME_START (runtime, GOMP_AMP_CLAUSELESS)
#else
GOMP_AMP_RUNTIME_START (runtime, GOMP_AMP_MONOTONIC)
#endif

/* Without aliases loop.c and loop_ull.c define the others.  */
#ifdef HAVE_ATTRIBUTE_ALIAS
#ifndef GOMP_AMP_BEFORE_GCC_9
GOMP_AMP_RUNTIME_START (nonmonotonic_runtime, GOMP_AMP_CLAUSELESS)
GOMP_AMP_RUNTIME_START (maybe_nonmonotonic_runtime, GOMP_AMP_RUNTIME)
#endif

#define GOMP_AMP_EXPLICIT_START(NAME, STOCK, KIND, HOW)			\
bool									\
GOMP_loop_##NAME##_start (long start, long end, long incr,		\
			  long chunk_size, long *istart, long *iend)	\
{									\
  if (__builtin_expect (!gomp_amp_taking				\
			&& gomp_amp_replaces (KIND, HOW) == NULL, 1))	\
    return gomp_loop_##STOCK##_start (start, end, incr, chunk_size,	\
				      istart, iend);			\
  return gomp_amp_loop_start (GOMP_AMP_FROM (HOW), KIND, chunk_size,	\
			      start, end, incr, istart, iend);		\
}									\
									\
bool									\
GOMP_loop_ull_##NAME##_start (bool up, unsigned long long start,	\
			      unsigned long long end,			\
			      unsigned long long incr,			\
			      unsigned long long chunk_size,		\
			      unsigned long long *istart,		\
			      unsigned long long *iend)			\
{									\
  if (__builtin_expect (!gomp_amp_taking				\
			&& gomp_amp_replaces (KIND, HOW) == NULL, 1))	\
    return gomp_loop_ull_##STOCK##_start (up, start, end, incr,		\
					  chunk_size, istart, iend);	\
  return gomp_amp_loop_ull_start (GOMP_AMP_FROM (HOW), KIND, chunk_size, \
				  up, start, end, incr, istart, iend);	\
}

GOMP_AMP_EXPLICIT_START (dynamic, dynamic, GFS_DYNAMIC,
			 GOMP_AMP_EXPLICIT_MONOTONIC)
GOMP_AMP_EXPLICIT_START (nonmonotonic_dynamic, dynamic, GFS_DYNAMIC,
			 GOMP_AMP_EXPLICIT)
GOMP_AMP_EXPLICIT_START (guided, guided, GFS_GUIDED,
			 GOMP_AMP_EXPLICIT_MONOTONIC)
GOMP_AMP_EXPLICIT_START (nonmonotonic_guided, guided, GFS_GUIDED,
			 GOMP_AMP_EXPLICIT)

ialias_redirect (GOMP_parallel_end)

#define GOMP_AMP_PARALLEL_RUNTIME(NAME, HOW)				\
void									\
GOMP_parallel_loop_##NAME (void (*fn) (void *), void *data,		\
			   unsigned num_threads, long start, long end,	\
			   long incr, unsigned flags)			\
{									\
  gomp_parallel_loop_start (fn, data, num_threads, start, end, incr,	\
			    GFS_RUNTIME, 0, gomp_amp_flags (flags, HOW)); \
  fn (data);								\
  GOMP_parallel_end ();							\
}

#ifndef GOMP_AMP_BEFORE_GCC_9
GOMP_AMP_PARALLEL_RUNTIME (nonmonotonic_runtime, GOMP_AMP_CLAUSELESS)
GOMP_AMP_PARALLEL_RUNTIME (maybe_nonmonotonic_runtime, GOMP_AMP_RUNTIME)
#endif

#define GOMP_AMP_PARALLEL_EXPLICIT(NAME, KIND)				\
void									\
GOMP_parallel_loop_##NAME (void (*fn) (void *), void *data,		\
			   unsigned num_threads, long start, long end,	\
			   long incr, long chunk_size, unsigned flags)	\
{									\
  gomp_parallel_loop_start (fn, data, num_threads, start, end, incr,	\
			    KIND, chunk_size,				\
			    gomp_amp_flags (flags, GOMP_AMP_EXPLICIT));	\
  fn (data);								\
  GOMP_parallel_end ();							\
}

GOMP_AMP_PARALLEL_EXPLICIT (nonmonotonic_dynamic, GFS_DYNAMIC)
GOMP_AMP_PARALLEL_EXPLICIT (nonmonotonic_guided, GFS_GUIDED)
#endif

void
gomp_amp_take_hint (int which)
{
  struct gomp_task *task = gomp_thread ()->task;

  if (task != NULL)
    task->amp_hints |= which;
}

/* Schedules from the program.  */

int
gomp_amp_show_sched (int kind)
{
  if (kind != GFS_AMP_UNSET)
    return kind;
  /* From a thread's own ICVs, if it has none yet: what is set later is set
     there.  */
  gomp_icv (true)->run_sched_shown_unset = true;
  return GFS_DYNAMIC;
}

enum gomp_schedule_type
gomp_amp_set_stock_sched (struct gomp_task_icv *icv, int kind)
{
  /* Who sets what it was shown restores it.  */
  if (icv->run_sched_shown_unset && kind == GFS_DYNAMIC
      && icv->run_sched_chunk_size == 1)
    return GFS_AMP_UNSET;
  return (enum gomp_schedule_type) kind;
}

bool
gomp_amp_set_run_sched (struct gomp_task_icv *icv, int kind, int chunk)
{
  const struct amp_ops *ops = amp_find_kind (kind & ~GFS_MONOTONIC);

  if (ops == NULL || gomp_amp_off)
    return false;
  /* As OpenMP has it for the kinds of its own: a chunk below 1 stands for
     the default; and one that is out of range is not worth an error.  */
  if (chunk < 1)
    chunk = ops->param[0].def;
  else if (chunk < ops->param[0].min)
    chunk = ops->param[0].min;
  else if (chunk > ops->param[0].max)
    chunk = ops->param[0].max;
  icv->run_sched_var = kind;
  icv->run_sched_chunk_size = chunk;
  icv->run_sched_param2 = (ops->kind == omp_sched_binlpt
			   ? gomp_amp_named_current : 0);
  return true;
}

int
gomp_amp_set_schedule (int kind, int first, int second)
{
  struct gomp_task_icv *icv = gomp_icv (true);
  const struct amp_ops *ops = amp_find_kind (kind & ~GFS_MONOTONIC);
  struct amp_params params = { { first, second } };
  unsigned i;

  if (ops == NULL || gomp_amp_off)
    return -1;
  for (i = 0; i < AMP_MAX_PARAMS; i++)
    {
      const struct amp_param_info *info = &ops->param[i];

      if (params.value[i] == 0)
	continue;
      if (i >= ops->nparams || params.value[i] < info->min
	  || params.value[i] > info->max)
	return -1;
    }
  if (ops->check != NULL && ops->check (&params) != NULL)
    return -1;
  gomp_amp_set_run_sched (icv, kind, first);
  if (ops->nparams > 1)
    icv->run_sched_param2 = second;
  return 0;
}

void
gomp_amp_get_schedule (int *kind, int *first, int *second)
{
  struct gomp_task_icv *icv = gomp_icv (false);
  const struct amp_ops *ops;

  *kind = gomp_amp_show_sched (icv->run_sched_var);
  *first = icv->run_sched_chunk_size;
  ops = amp_find_kind (*kind & ~GFS_MONOTONIC);
  *second = ops != NULL && ops->nparams > 1 ? icv->run_sched_param2 : 0;
}

int
gomp_amp_get_num_core_types (void)
{
  return gomp_amp_topology.types ? gomp_amp_topology.types : 1;
}

int
gomp_amp_get_core_type (void)
{
  return gomp_amp_topology.types > 1 ? amp_current_type () : 0;
}

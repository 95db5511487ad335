/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue between libgomp and the scheduler core: blocks, and ordinals <->
   long and unsigned long long loop variables.

   The core's files and gomp-amp-env.c are included here, so that one object is added to libgomp
   and every symbol of the core is static.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1		/* sched_getcpu, secure_getenv.  */
#endif

#include "libgomp.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "secure_getenv.h"
#include "proc.h"
#include "omp_amp.h"

#if AMP_LOCKED
#define GOMP_AMP_LOCK(WS) gomp_mutex_lock (&(WS)->lock)
#define GOMP_AMP_UNLOCK(WS) gomp_mutex_unlock (&(WS)->lock)
#else
#define GOMP_AMP_LOCK(WS) ((void) (WS))
#define GOMP_AMP_UNLOCK(WS) ((void) (WS))
#endif

#include "amp-core.c"
#include "amp-options.c"
#include "amp-topology.c"
#include "amp-cluster.c"

/* Clock.  */

/* Written by the constructor only.  */
static bool gomp_amp_have_counter;

/* A sample shorter than this many ticks is enlarged: about 5 us.  */
static uint64_t gomp_amp_min_ticks = 5000;

static inline uint64_t
amp_ticks (void)
{
  struct timespec ts;

  if (AMP_HAVE_USER_COUNTER && __builtin_expect (gomp_amp_have_counter, 1))
    return amp_user_counter ();
  clock_gettime (CLOCK_MONOTONIC, &ts);
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
  gomp_amp_have_counter = frequency >= 1000000;
  if (gomp_amp_have_counter)
    gomp_amp_min_ticks = frequency / 200000;
#endif
}

static void gomp_amp_init_pool (void);

#include "gomp-amp-workload.c"
#include "gomp-amp-env.c"

/* Blocks.  A block holds one loop of the core; it belongs to a work share.

   The work shares inside struct gomp_team keep theirs as long as the team
   structure lives, so that loop after loop no allocator is called; those in
   chunks that libgomp adds when many nowait loops are under way take theirs
   from the pool and return it in gomp_fini_work_share.  No thread is in a
   loop whose work share is being finished or reused, which is why a block
   may be reformatted then.  */

struct gomp_amp_block
{
  struct gomp_amp_block *next;	/* In the pool.  */
  void *extra;			/* For schedules that need more than the
				   block, at least EXTRA_SIZE bytes.  */
  size_t extra_size;
  unsigned class;		/* Room for 1 << class lanes.  */
  bool pooled;			/* Goes back in gomp_fini_work_share.  */
};

#define GOMP_AMP_CLASSES 17

static struct gomp_amp_block *gomp_amp_pool[GOMP_AMP_CLASSES];
static gomp_mutex_t gomp_amp_pool_lock;

static void
gomp_amp_init_pool (void)
{
  gomp_mutex_init (&gomp_amp_pool_lock);
}

static struct amp_loop *
gomp_amp_block_loop (struct gomp_amp_block *block)
{
  return (struct amp_loop *) ((char *) block + AMP_ROUND_LINE (sizeof *block));
}

static struct gomp_amp_block *
gomp_amp_get_block (unsigned lanes)
{
  struct gomp_amp_block *block;
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
      size_t size = amp_loop_size (1U << class, gomp_amp_topology.types);

      block = gomp_aligned_alloc (AMP_LINE,
				  AMP_ROUND_LINE (sizeof *block) + size);
      block->class = class;
      block->extra = NULL;
      block->extra_size = 0;
    }
  amp_loop_format (gomp_amp_block_loop (block), lanes,
		   gomp_amp_topology.types);
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

static struct gomp_task_icv gomp_amp_static_icv
  = { .run_sched_var = GFS_STATIC, .run_sched_chunk_size = 0 };
static struct gomp_task_icv gomp_amp_dynamic_icv
  = { .run_sched_var = GFS_DYNAMIC, .run_sched_chunk_size = 1 };
static struct gomp_task_icv gomp_amp_hybrid_icv
  = { .run_sched_var = (enum gomp_schedule_type) omp_sched_aid_hybrid,
      .run_sched_chunk_size = 80 };

struct gomp_task_icv *
gomp_amp_resolve (struct gomp_task_icv *icv, enum gomp_amp_arrival how)
{
  const struct amp_ops *ops;
  int kind = icv->run_sched_var & ~GFS_MONOTONIC;

  if (kind == GFS_AMP_UNSET)
    {
      /* The user chose no schedule: a loop that is runtime only because it
	 names no schedule must not be slower than the static loop it would
	 have been; one that says runtime gets libgomp's old default.  */
      if (how != GOMP_AMP_CLAUSELESS)
	return &gomp_amp_dynamic_icv;
      return (gomp_amp_topology.types > 1
	      ? &gomp_amp_hybrid_icv : &gomp_amp_static_icv);
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

/* Begin a loop of N iterations on WS.  */

static void
gomp_amp_begin (struct gomp_work_share *ws, struct gomp_team *team,
		unsigned long long n)
{
  struct gomp_thread *thr = gomp_thread ();
  struct gomp_task_icv *icv = gomp_icv (false);
  struct amp_setup setup;
  struct gomp_amp_block *block;
  struct gomp_amp_workload *workload = NULL;
  const struct amp_ops *ops;
  int kind = ws->sched;

  /* No types: the constructor has not run yet.  */
  if (team == NULL || team->nthreads == 1 || team->nthreads > 65535
      || gomp_amp_topology.types == 0)
    {
      ws->sched = GFS_STATIC;
      return;
    }

  /* gomp_amp_resolve returned either the task's ICVs or constant ones.  */
  if ((int) (icv->run_sched_var & ~GFS_MONOTONIC) != kind)
    icv = &gomp_amp_hybrid_icv;
  ops = amp_find_kind (kind);
  setup.n = n;
  setup.lanes = team->nthreads;
  setup.types = gomp_amp_topology.types;
  setup.params.value[0] = icv->run_sched_chunk_size;
  setup.params.value[1] = icv->run_sched_param2;
  setup.min_ticks = gomp_amp_min_ticks;
  setup.sf = gomp_amp_sf;
  setup.lane_type = NULL;
  setup.guess = false;
  setup.lane_cluster = NULL;
  /* Thread i of an outermost team sits on place i if there are as many
     places as threads.  In a combined construct the team has not started.  */
  if (gomp_amp_place_type != NULL && team->nthreads <= gomp_places_list_len
      && thr->ts.level == (thr->ts.team == team))
    {
      setup.lane_type = gomp_amp_place_type;
      setup.lane_cluster = gomp_amp_place_cluster;
    }
  else if (gomp_amp_guessed_type != NULL
	   && team->nthreads <= gomp_amp_topology.norder)
    {
      setup.lane_type = gomp_amp_guessed_type;
      setup.guess = true;
    }

  block = ws->amp;
  if (block == NULL)
    {
      block = gomp_amp_get_block (team->nthreads);
      block->pooled = ((uintptr_t) ws - (uintptr_t) team->work_shares
		       >= sizeof team->work_shares);
      ws->amp = block;
    }
  if (kind == omp_sched_binlpt)
    workload = gomp_amp_find_workload (icv->run_sched_param2, n);
  setup.workload = workload != NULL ? workload->cost : NULL;
  setup.extra = gomp_amp_get_extra (block, amp_loop_extra (ops, &setup));
  amp_loop_init (gomp_amp_block_loop (block), ops, &setup);
  gomp_amp_return_workload (workload);
  ws->sched = GFS_AMP;
}

void
gomp_amp_loop_init (struct gomp_work_share *ws, struct gomp_team *team)
{
  unsigned long span, step;

  if (!gomp_amp_kind_p (ws->sched))
    return;
  ws->chunk_size = 0;
  /* gomp_loop_init made end equal next for a loop without iterations.  The
     differences are taken without sign: the span of a loop from LONG_MIN to
     LONG_MAX does not fit into a long.  */
  if (ws->incr > 0)
    {
      span = (unsigned long) ws->end - (unsigned long) ws->next;
      step = ws->incr;
    }
  else
    {
      span = (unsigned long) ws->next - (unsigned long) ws->end;
      step = -(unsigned long) ws->incr;
    }
  gomp_amp_begin (ws, team, span / step + (span % step != 0));
}

void
gomp_amp_loop_ull_init (struct gomp_work_share *ws, struct gomp_team *team)
{
  unsigned long long span, step;

  if (!gomp_amp_kind_p (ws->sched))
    return;
  ws->chunk_size_ull = 0;
  /* The sign of the step is in mode: see gomp_loop_ull_init.  */
  if (ws->mode & 2)
    {
      span = ws->next_ull - ws->end_ull;
      step = -ws->incr_ull;
    }
  else
    {
      span = ws->end_ull - ws->next_ull;
      step = ws->incr_ull;
    }
  gomp_amp_begin (ws, team, span / step + (span % step != 0));
}

static inline bool
gomp_amp_next (struct gomp_work_share *ws, struct amp_chunk *chunk)
{
  struct amp_loop *loop = gomp_amp_block_loop (ws->amp);
  struct amp_lane *lane = amp_loop_lane (loop, gomp_thread ()->ts.team_id);
  bool ret;

  GOMP_AMP_LOCK (ws);
  if (__builtin_expect (amp_loop_fresh_p (loop, lane), 0))
    amp_loop_enter (loop, lane, gomp_amp_current_type ());
  ret = amp_loop_next (loop, lane, chunk);
  GOMP_AMP_UNLOCK (ws);
  return ret;
}

/* The last chunk's end is the loop's own: a step that does not divide the
   span must not carry it past the end, which may not be representable.  */

bool
gomp_amp_loop_next (long *pstart, long *pend)
{
  struct gomp_work_share *ws = gomp_thread ()->ts.work_share;
  struct amp_chunk chunk;

  if (!gomp_amp_next (ws, &chunk))
    return false;
  *pstart = ((unsigned long) ws->next
	     + (unsigned long) chunk.begin * (unsigned long) ws->incr);
  *pend = (chunk.end == gomp_amp_block_loop (ws->amp)->n ? ws->end
	   : (long) ((unsigned long) ws->next
		     + (unsigned long) chunk.end * (unsigned long) ws->incr));
  return true;
}

bool
gomp_amp_loop_ull_next (unsigned long long *pstart, unsigned long long *pend)
{
  struct gomp_work_share *ws = gomp_thread ()->ts.work_share;
  struct amp_chunk chunk;

  if (!gomp_amp_next (ws, &chunk))
    return false;
  *pstart = ws->next_ull + chunk.begin * ws->incr_ull;
  *pend = (chunk.end == gomp_amp_block_loop (ws->amp)->n ? ws->end_ull
	   : ws->next_ull + chunk.end * ws->incr_ull);
  return true;
}

/* Schedules from the program.  */

bool
gomp_amp_set_run_sched (struct gomp_task_icv *icv, int kind, int chunk)
{
  const struct amp_ops *ops = amp_find_kind (kind & ~GFS_MONOTONIC);

  if (ops == NULL)
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

  if (ops == NULL)
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

  *kind = gomp_amp_public_kind (icv->run_sched_var);
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
  return gomp_amp_current_type ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is asked for where a loop begins: by its clause, run-sched-var, the
   environment and the compiler's hints.  */

#include "gomp-amp-glue.h"

static struct gomp_task_icv gomp_amp_static_icv
  = { .run_sched_var = GFS_STATIC, .run_sched_chunk_size = 0 };
static struct gomp_task_icv gomp_amp_dynamic_icv
  = { .run_sched_var = GFS_DYNAMIC, .run_sched_chunk_size = 1 };
static struct gomp_task_icv gomp_amp_auto_icv
  = { .run_sched_var = GFS_AMP_AUTO };

struct gomp_task_icv *
gomp_amp_resolve (struct gomp_task_icv *icv, enum gomp_amp_arrival how)
{
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
      /* libgomp's own auto is static.  */
      if (how == GOMP_AMP_ORDERED)
	return icv;
      return gomp_amp_off ? &gomp_amp_static_icv : &gomp_amp_auto_icv;
    }
  return (how == GOMP_AMP_ORDERED || amp_find_kind (kind) == NULL
	  ? &gomp_amp_dynamic_icv : icv);
}

/* Is KIND a schedule that is one of libgomp's own here, since it goes by
   clusters and there is but one?  Then that one's kind, else 0.  */

static inline int
gomp_amp_own_kind (int kind)
{
  const struct amp_ops *ops = kind > GFS_AUTO ? amp_find_kind (kind) : NULL;

  return (ops != NULL && (ops->flags & AMP_CLUSTERED)
	  && gomp_amp_find_clusters ()->count == 1
	  ? ops->one_cluster_kind : 0);
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
      || gomp_amp_own_kind (r->kind) == sched)
    return NULL;
  return r;
}

static inline void
gomp_amp_make_request (struct gomp_amp_request *r, struct gomp_team *team,
		       struct gomp_amp_from from, long sched,
		       unsigned long long chunk)
{
  struct gomp_thread *thr = gomp_thread ();

  r->from = from;
  r->replacement = NULL;
  r->even = false;
  /* In a combined construct nothing has happened in TEAM yet.  */
  r->hints = team != NULL && team == thr->ts.team ? thr->task->amp_hints : 0;
  if (from.how > GOMP_AMP_EXPLICIT)
    {
      struct gomp_task_icv *icv = gomp_amp_icv (from.how);

      /* What the loop is without us.  */
      if (__builtin_expect (gomp_amp_off, 0)
	  && from.how == GOMP_AMP_CLAUSELESS)
	icv = &gomp_amp_static_icv;
      sched = icv->run_sched_var;
      chunk = icv->run_sched_chunk_size;
      /* Not ICV's, which need not be the task's own.  */
      if (gomp_icv (false)->run_sched_var & GFS_MONOTONIC)
	r->from.any_order = false;
    }
  /* A chunk is what the program wants.  */
  else if ((sched & ~GFS_MONOTONIC) != GFS_STATIC || chunk == 0)
    r->replacement = gomp_amp_replaces (sched & ~GFS_MONOTONIC, from.how);
  r->sched = sched & ~GFS_MONOTONIC;
  r->chunk = chunk;
  if (__builtin_expect (r->sched > GFS_AUTO, 0))
    {
      int own = gomp_amp_own_kind (r->sched);

      r->even = own == GFS_STATIC;
      if (own != 0 && !r->even)
	{
	  r->sched = own;
	  r->chunk = chunk != 0 ? chunk : 1;
	}
    }
}

/* Is R's loop one that says static and gets steady blocks?  */

static inline bool
gomp_amp_replaced_static_p (const struct gomp_amp_request *r)
{
  return r->replacement != NULL && r->sched == GFS_STATIC;
}

/* Does R's loop, which has no clause, follow such a one, or one that would be
   if GOMP_AMP_REPLACE said so, without a barrier?  A program may rely on equal
   blocks then.  */

static inline bool
gomp_amp_follows_replaceable_p (const struct gomp_amp_request *r)
{
  return (r->from.how == GOMP_AMP_CLAUSELESS
	  && __builtin_expect (r->hints & GOMP_AMP_HINT_REPLACEABLE, 0));
}

/* Does R's loop get the blocks that the team keeps for its trip count?  */

static inline bool
gomp_amp_steady_p (const struct gomp_amp_request *r)
{
  return ((r->hints & GOMP_AMP_HINT_STEADY)
	  || gomp_amp_replaced_static_p (r)
	  || (gomp_amp_follows_replaceable_p (r)
	      && gomp_amp_replace[GFS_STATIC].kind != 0));
}

/* Does a program that is right with static rely on static's division of the
   loop R, of N iterations, in a team of LANES threads?  Nothing is known of
   loops that ask for another.  With as many threads as iterations their bodies
   may wait for each other.  */

static inline bool
gomp_amp_relies_on_static_p (const struct gomp_amp_request *r, uint64_t n,
			     unsigned lanes)
{
  return (r->from.how == GOMP_AMP_CLAUSELESS
	  && (n <= lanes || (r->hints & GOMP_AMP_HINT_STATIC)
	      || (gomp_amp_follows_replaceable_p (r)
		  && gomp_amp_replace[GFS_STATIC].kind == 0)));
}

/* True if R is to be divided by libgomp's own code.  */

static inline bool
gomp_amp_stock_divides_p (const struct gomp_amp_request *r, uint64_t n,
			  unsigned lanes)
{
  if (r->sched > GFS_AUTO || r->replacement != NULL
      || gomp_amp_follows_replaceable_p (r))
    return false;
  return ((r->sched == GFS_STATIC && r->chunk == 0)
	  || (!(r->hints & GOMP_AMP_HINT_STEADY)
	      && !gomp_amp_relies_on_static_p (r, n, lanes)));
}

/* ... without a look at its site, or at it.  */

static inline bool
gomp_amp_left_to_stock_p (const struct gomp_amp_request *r, uint64_t n,
			  unsigned lanes)
{
  return !gomp_amp_sees_stock_loops && gomp_amp_stock_divides_p (r, n, lanes);
}

/* The schedule that R asks for, in FACTS.  */

static inline void
gomp_amp_ask (struct amp_facts *facts, const struct gomp_amp_request *r)
{
  if (r->replacement != NULL)
    {
      facts->ops = amp_find_kind (r->replacement->kind);
      facts->params = r->replacement->params;
      facts->least = r->chunk;
    }
  else if (r->sched <= GFS_GUIDED)
    {
      facts->ops = &gomp_amp_stock_ops[r->sched];
      /* Unless it is to be reported.  */
      facts->site_learns_nothing = !gomp_amp_reporting;
    }
  else if (r->sched != GFS_AMP_AUTO)
    {
      facts->ops = amp_find_kind (r->sched);
      facts->params.value[0] = r->chunk;
      facts->params.value[1] = gomp_icv (false)->run_sched_param2;
    }
}

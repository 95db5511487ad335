/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue between libgomp and the scheduler core: what the hooks call.
   Included at the end of libgomp.h.  */

#ifndef GOMP_AMP_H
#define GOMP_AMP_H 1

/* How a loop whose schedule is found at run time arrived.  */
enum gomp_amp_arrival
{
  /* The compiler made it runtime because it had no schedule clause.  */
  GOMP_AMP_CLAUSELESS,
  /* A runtime schedule clause.  */
  GOMP_AMP_RUNTIME,
  /* The same with the monotonic modifier.  */
  GOMP_AMP_MONOTONIC,
  /* Ordered or doacross: iterations wait for each other by their order, so
     only libgomp's own schedules will do.  */
  GOMP_AMP_ORDERED
};

struct gomp_amp_block;

extern struct gomp_task_icv *gomp_amp_resolve (struct gomp_task_icv *,
					       enum gomp_amp_arrival);

static inline bool
gomp_amp_kind_p (int sched)
{
  return (sched & ~GFS_MONOTONIC) > GFS_AUTO;
}

/* The ICVs whose run-sched-var holds for a loop that arrived as HOW: those of
   the current task, or, where run-sched-var says so, constant ones.  */

static inline struct gomp_task_icv *
gomp_amp_icv (enum gomp_amp_arrival how)
{
  struct gomp_task_icv *icv = gomp_icv (false);

  if (__builtin_expect (gomp_amp_kind_p (icv->run_sched_var), 0))
    return gomp_amp_resolve (icv, how);
  return icv;
}

/* The arrival of a loop by GOMP_loop_start's SCHED argument.  */

static inline enum gomp_amp_arrival
gomp_amp_arrival (long sched)
{
  return (sched == GFS_AUTO ? GOMP_AMP_CLAUSELESS
	  : sched == GFS_RUNTIME ? GOMP_AMP_RUNTIME : GOMP_AMP_MONOTONIC);
}

/* After gomp_loop_init or gomp_loop_ull_init: if WS's schedule is one of the
   core's, begin the loop there.  TEAM is the team that will run it (not yet
   started in a combined construct) or NULL.  */
extern void gomp_amp_loop_init (struct gomp_work_share *ws,
				struct gomp_team *team);
extern void gomp_amp_loop_ull_init (struct gomp_work_share *ws,
				    struct gomp_team *team);

/* Next chunk of the calling thread in its current work share, whose schedule
   is GFS_AMP.  */
extern bool gomp_amp_loop_next (long *pstart, long *pend);
extern bool gomp_amp_loop_ull_next (unsigned long long *pstart,
				    unsigned long long *pend);

/* Life of the blocks that hang on work shares.  The first NEW: TEAM comes
   from the allocator.  */
extern void gomp_amp_new_team (struct gomp_team *team);
extern void gomp_amp_free_team (struct gomp_team *team);
extern void gomp_amp_fini_work_share (struct gomp_work_share *ws);

/* Environment.  PARSE: true if OMP_SCHEDULE has been dealt with.  INIT:
   PLACED if the user asked for a placement (or for none) otherwise.  */
extern bool gomp_amp_parse_schedule (void);
extern void gomp_amp_init_env (bool placed);
extern void gomp_amp_display_schedule (void);
extern void gomp_amp_display_env (void);

/* omp_set_schedule for kinds that stock libgomp does not know; false if the
   core does not know KIND either.  */
extern bool gomp_amp_set_run_sched (struct gomp_task_icv *icv, int kind,
				    int chunk);

/* What omp_get_schedule shows for run-sched-var KIND.  */

static inline int
gomp_amp_public_kind (int kind)
{
  return kind == GFS_AMP_UNSET ? GFS_DYNAMIC : kind;
}

#endif

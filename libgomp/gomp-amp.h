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

/* ... and from where: an address in the code that tells its site.  */
struct gomp_amp_from
{
  enum gomp_amp_arrival how;
  const void *address;
};

static inline struct gomp_amp_from
gomp_amp_make_from (enum gomp_amp_arrival how, const void *address)
{
  struct gomp_amp_from from;

  from.how = how;
  from.address = address;
  return from;
}

/* For the exported entry points only: the code that called them.  */
#define GOMP_AMP_FROM(HOW) \
  gomp_amp_make_from (HOW, __builtin_return_address (0))

/* In run_sched_var and in the schedule argument of internal functions: the
   runtime chooses, see amp-auto.c.  */
#define GFS_AMP_AUTO ((enum gomp_schedule_type) 0x7e)

struct gomp_amp_block;

/* True if chunks are traced or recorded, or loops reported: then loops whose
   schedule is libgomp's own are the core's as well.  Written by the constructor
   only.  */
extern bool gomp_amp_watching __attribute__ ((visibility ("hidden")));

/* In run_sched_var and in the schedule argument of internal functions, when
   loops are watched: libgomp's own static, dynamic or guided, as a schedule of
   the core.  */
#define GFS_AMP_STOCK 0x40
#define GFS_AMP_STOCK_MASK 3

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

  if (__builtin_expect ((icv->run_sched_var & ~GFS_MONOTONIC) >= GFS_AUTO, 0)
      || __builtin_expect (gomp_amp_watching, 0))
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
   started in a combined construct) or NULL; ADDRESS tells the site.  */
extern void gomp_amp_loop_init (struct gomp_work_share *ws,
				struct gomp_team *team, const void *address);
extern void gomp_amp_loop_ull_init (struct gomp_work_share *ws,
				    struct gomp_team *team,
				    const void *address);

/* In the schedule argument of internal functions: GFS_DYNAMIC or GFS_GUIDED
   with this is what GOMP_AMP_REPLACE puts in their place.  */
#define GFS_AMP_REPLACED 0x20

/* The schedule argument for a loop whose schedule clause says KIND: KIND
   itself unless GOMP_AMP_REPLACE replaces it.  */
extern enum gomp_schedule_type gomp_amp_explicit (enum gomp_schedule_type kind,
						  bool monotonic);

/* Start a loop of the core in the current team, and take the first chunk.
   SCHED is a kind of the core, GFS_AMP_AUTO or GFS_AMP_REPLACED; CHUNK its
   first parameter, or the least chunk if it is GFS_AMP_REPLACED.  */
extern bool gomp_amp_loop_start (int sched, long chunk, const void *address,
				 long start, long end, long incr,
				 long *pstart, long *pend);
extern bool gomp_amp_loop_ull_start (int sched, unsigned long long chunk,
				     const void *address, bool up,
				     unsigned long long start,
				     unsigned long long end,
				     unsigned long long incr,
				     unsigned long long *pstart,
				     unsigned long long *pend);

/* In loop.c and loop_ull.c.  */
extern bool gomp_loop_runtime_start (struct gomp_amp_from from, long start,
				     long end, long incr, long *istart,
				     long *iend);
extern bool gomp_loop_dynamic_start (long start, long end, long incr,
				     long chunk_size, long *istart,
				     long *iend);
extern bool gomp_loop_guided_start (long start, long end, long incr,
				    long chunk_size, long *istart,
				    long *iend);
extern bool gomp_loop_ull_runtime_start (struct gomp_amp_from from, bool up,
					 unsigned long long start,
					 unsigned long long end,
					 unsigned long long incr,
					 unsigned long long *istart,
					 unsigned long long *iend);
extern bool gomp_loop_ull_dynamic_start (bool up, unsigned long long start,
					 unsigned long long end,
					 unsigned long long incr,
					 unsigned long long chunk_size,
					 unsigned long long *istart,
					 unsigned long long *iend);
extern bool gomp_loop_ull_guided_start (bool up, unsigned long long start,
					unsigned long long end,
					unsigned long long incr,
					unsigned long long chunk_size,
					unsigned long long *istart,
					unsigned long long *iend);
extern void gomp_parallel_loop_start (void (*fn) (void *), void *data,
				      unsigned num_threads, long start,
				      long end, long incr,
				      enum gomp_schedule_type sched,
				      long chunk_size, unsigned int flags);

/* Is the calling thread's current work share a loop of the core?  */

static inline bool
gomp_amp_loop_p (void)
{
  return __builtin_expect (gomp_thread ()->ts.work_share->sched == GFS_AMP, 0);
}

/* Next chunk of the calling thread in its current work share, whose schedule
   is GFS_AMP.  */
extern bool gomp_amp_loop_next (long *pstart, long *pend);
extern bool gomp_amp_loop_ull_next (unsigned long long *pstart,
				    unsigned long long *pend);

#ifdef HAVE_TLS
/* So many of the calling thread's waits are still to be throttled, as if there
   were more threads than CPUs; see gomp-amp-wait.c.  */
extern __thread unsigned gomp_amp_short_waits
  __attribute__ ((visibility ("hidden")));
#endif

/* How often a thread that begins to wait spins at most, where it would COUNT
   times.  */

static inline unsigned long long
gomp_amp_spin_count (unsigned long long count)
{
#ifdef HAVE_TLS
  if (__builtin_expect (gomp_amp_short_waits != 0, 0))
    {
      gomp_amp_short_waits--;
      if (count > gomp_throttled_spin_count_var)
	count = gomp_throttled_spin_count_var;
    }
#endif
  return count;
}

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

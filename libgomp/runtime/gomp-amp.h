/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue between libgomp and the scheduler core: what the hooks call.
   Included at the end of libgomp.h.  */

#ifndef GOMP_AMP_H
#define GOMP_AMP_H 1

#include "gomp-amp-compat.h"

/* How a loop arrived.  */
enum gomp_amp_arrival
{
  /* A schedule clause that names the schedule, with the monotonic modifier or
     as if it had one.  A static loop whose region is bound: its blocks must
     stay the same across barriers.  */
  GOMP_AMP_EXPLICIT_MONOTONIC,
  /* ... and without.  */
  GOMP_AMP_EXPLICIT,
  /* A runtime schedule clause with the monotonic modifier.  */
  GOMP_AMP_MONOTONIC,
  /* ... and without.  */
  GOMP_AMP_RUNTIME,
  /* No schedule clause.  */
  GOMP_AMP_CLAUSELESS,
  /* Ordered or doacross: iterations wait for each other by their order, so
     only libgomp's own schedules will do.  */
  GOMP_AMP_ORDERED
};

/* ... and from where: an address in the code that tells its site.  Passed in
   two registers.  */
struct gomp_amp_from
{
  const void *address;
  enum gomp_amp_arrival how;
  /* A thread may be given iterations that come before those it has run: the
     source says so, or a runtime clause without the monotonic modifier does, or
     the compiler has proved it.  */
  bool any_order;
};

static inline struct gomp_amp_from
gomp_amp_make_from (enum gomp_amp_arrival how, const void *address)
{
  struct gomp_amp_from from;

  from.how = how;
  from.any_order = how == GOMP_AMP_RUNTIME || how == GOMP_AMP_EXPLICIT;
  from.address = address;
  return from;
}

/* For the exported entry points only: the code that called them.  */
#define GOMP_AMP_CALLER __builtin_return_address (0)
#define GOMP_AMP_FROM(HOW) gomp_amp_make_from (HOW, GOMP_AMP_CALLER)

/* What the compiler says of a loop that it has begun as a static one without
   a chunk, which it never does otherwise: GOMP_loop[_ull]_static_start, or
   GOMP_loop[_ull]_start with that schedule.  Any other OpenMP library deals the
   loop as static does.  It stands where the first chunk's beginning is to be
   stored, GOMP_AMP_TOLD and a set of these.  The plugin's
   after.h writes it.  */
enum gomp_amp_told
{
  GOMP_AMP_TOLD_ANY_ORDER = 1,
  /* It is to have the blocks that all such loops of as many iterations have in
     this parallel region.  */
  GOMP_AMP_TOLD_STEADY = 2,
  /* 4: nothing, but programs may say it.  */
  /* It says schedule (static), which the user lets be replaced; and its region
     is bound.  Without the first: it has no clause.  */
  GOMP_AMP_TOLD_STATIC = 8,
  GOMP_AMP_TOLD_BOUND = 16,
  /* It says nowait, and so does its end; but the program is right only with a
     barrier there, unless this loop and all up to the next barrier have
     static's blocks.  */
  GOMP_AMP_TOLD_NOWAIT = 32,
  /* All these.  */
  GOMP_AMP_TOLD_FLAGS = 63,
  GOMP_AMP_TOLD = 0x414d5000
};

/* In run_sched_var of a constant: the runtime chooses, see amp-auto.c.  */
#define GFS_AMP_AUTO ((enum gomp_schedule_type) 0x7e)

/* What a thread has passed since its last barrier; kept in the implicit task.
   The compiler tells the first two, by omp_get_ancestor_thread_num with these
   values, negative: every OpenMP library has that function and answers -1 for
   levels below 0, so that the program runs on any.  */
enum gomp_amp_hint
{
  /* A loop that was dealt like static, or a master construct: a program may
     rely on static's division of the next loop.  */
  GOMP_AMP_HINT_STATIC = 0x100,
  /* A replaceable static loop.  */
  GOMP_AMP_HINT_REPLACEABLE = 0x800,
  GOMP_AMP_HINTS_TOLD = 0x900,
  /* Told, too, but not kept: a team of any size suits the region that begins
     here, and nothing in it tells how many threads there are.  */
  GOMP_AMP_HINT_ANY_TEAM = 0x2000,
  /* The beginning of a steady loop.  */
  GOMP_AMP_HINT_STEADY = 0x200,
  /* The beginning of a loop that might have had no work share.  */
  GOMP_AMP_HINT_LOOP = 0x1000,
  /* The loop that runs ends by a barrier, though its end does not say so.  */
  GOMP_AMP_HINT_WAIT = 0x400,
  /* The beginning of a loop that needs none.  */
  GOMP_AMP_HINT_NOWAIT = 0x4000
};

/* Asked for, negative, as a level: are we who serves?  Who does says yes by the
   same, positive; gomp-amp-guard.c asks.  */
#define GOMP_AMP_WHO 0x414d50

/* A program asked for LEVEL, which is none that there is: a hint, that
   question, or a mistake of the program's, which tells nothing.  Returns what
   the program gets.  */
extern int gomp_amp_take_hint (int level);

/* What TASK, a new one, has told and come to: nothing yet.  */

static inline void
gomp_amp_init_task (struct gomp_task *task)
{
  task->amp_hints = 0;
  task->amp_loops = 0;
}

/* The calling thread THR, in a team, comes to a barrier.  */

static inline void
gomp_amp_pass_barrier (struct gomp_thread *thr)
{
  if (__builtin_expect (thr->task->amp_hints != 0, 0))
    thr->task->amp_hints = 0;
}

/* Is a barrier over to which a thread came in STATE, when its generation is
   GEN?  What GEN's lowest bits say may be of the next barrier already: threads
   that have left this one may have made tasks, which are not for those that are
   still in it.  Before GCC 16, which mends this by itself (PR libgomp/122314),
   they ran such tasks, and stayed.  */

static inline bool
gomp_amp_barrier_over_p (unsigned gen, unsigned state)
{
  return ((gen ^ state) & -BAR_INCR) != 0;
}

/* The same for the barrier of TEAM, whose task_lock the caller holds: let go if
   so.  */

static inline bool
gomp_amp_barrier_left_p (struct gomp_team *team, unsigned state)
{
  unsigned now = __atomic_load_n (&team->barrier.generation, MEMMODEL_ACQUIRE);
  bool over = gomp_amp_barrier_over_p (now, state);

  if (over)
    gomp_mutex_unlock (&team->task_lock);
  return over;
}

/* The tasks of TEAM that are not done.  Acquire: the caller, who holds no lock,
   sees what those have written that have run at the barrier, if none is left
   (release in gomp_amp_count_task_done; PR libgomp/122356).  */

static inline unsigned
gomp_amp_tasks_left (struct gomp_team *team)
{
  return __atomic_load_n (&team->task_count, MEMMODEL_ACQUIRE);
}

/* A task of TEAM, whose task_lock the caller holds, is done.  How many are
   left.  */

static inline unsigned
gomp_amp_count_task_done (struct gomp_team *team)
{
  unsigned left = team->task_count - 1;

  __atomic_store_n (&team->task_count, left, MEMMODEL_RELEASE);
  return left;
}

struct gomp_amp_block;
struct gomp_amp_steady;

/* The current work share of a thread in a loop that has none; see
   gomp-amp-loop-start.c.  */
extern struct gomp_work_share gomp_amp_no_share;

/* Free WS, of a loop that no team runs.  */

static inline void
gomp_amp_free_share (struct gomp_work_share *ws)
{
  if (ws != &gomp_amp_no_share)
    free (ws);
}

/* The calling thread THR comes to the end of a loop.  If that had no work
   share, the current one is again the last that THR has come by, and nothing is
   there to be freed.  */

static inline void
gomp_amp_leave_bare (struct gomp_thread *thr)
{
  if (__builtin_expect (thr->ts.work_share == &gomp_amp_no_share, 0))
    {
      thr->ts.work_share = thr->ts.last_work_share;
      thr->ts.last_work_share = NULL;
    }
}

/* The same, where a barrier follows.  */

static inline void
gomp_amp_end_share (struct gomp_thread *thr)
{
  gomp_amp_leave_bare (thr);
  gomp_amp_pass_barrier (thr);
}

/* The same for one that ends without a barrier, or with one after all, and then
   last_work_share is NULL.  */

static inline void
gomp_amp_end_bare (struct gomp_thread *thr)
{
  gomp_amp_leave_bare (thr);
  if (__builtin_expect (thr->task->amp_hints & GOMP_AMP_HINT_WAIT, 0))
    {
      thr->task->amp_hints &= ~GOMP_AMP_HINT_WAIT;
      gomp_work_share_end ();
    }
}

extern struct gomp_task_icv *gomp_amp_resolve (struct gomp_task_icv *,
					       enum gomp_amp_arrival);

/* The ICVs whose run-sched-var holds for a loop that arrived as HOW: those of
   the current task, or, where run-sched-var says so, constant ones.  */

static inline struct gomp_task_icv *
gomp_amp_icv (enum gomp_amp_arrival how)
{
  struct gomp_task_icv *icv = gomp_icv (false);

  if (__builtin_expect ((icv->run_sched_var & ~GFS_MONOTONIC) >= GFS_AUTO, 0))
    return gomp_amp_resolve (icv, how);
  return icv;
}

/* The arrival of a loop by GOMP_loop_start's SCHED argument.  */

static inline enum gomp_amp_arrival
gomp_amp_arrival (long sched)
{
  switch (sched)
    {
    case GFS_RUNTIME:
    /* With the nonmonotonic modifier.  */
    case GFS_AUTO:
      return GOMP_AMP_RUNTIME;
    case GFS_RUNTIME | GFS_MONOTONIC:
      return GOMP_AMP_MONOTONIC;
    default:
      return (sched & GFS_MONOTONIC ? GOMP_AMP_EXPLICIT_MONOTONIC
	      : GOMP_AMP_EXPLICIT);
    }
}

/* Does *ISTART say what the compiler says of a static loop with CHUNK?  */
#define GOMP_AMP_TOLD_P(CHUNK, ISTART)					\
  ((CHUNK) == 0								\
   && (*(ISTART) & ~(__typeof (*(ISTART))) GOMP_AMP_TOLD_FLAGS)		\
      == GOMP_AMP_TOLD)

/* Whence the loop comes of which TOLD is said, called by each of its threads
   at ADDRESS.  */

static inline struct gomp_amp_from
gomp_amp_make_told_from (unsigned told, const void *address)
{
  struct gomp_amp_from from
    = gomp_amp_make_from (!(told & GOMP_AMP_TOLD_STATIC) ? GOMP_AMP_CLAUSELESS
			  : told & GOMP_AMP_TOLD_BOUND
			  ? GOMP_AMP_EXPLICIT_MONOTONIC : GOMP_AMP_EXPLICIT,
			  address);
  struct gomp_task *task;

  from.any_order = (told & GOMP_AMP_TOLD_ANY_ORDER) != 0;
  if (__builtin_expect ((told & GOMP_AMP_TOLD_STEADY) != 0, 0)
      && (task = gomp_thread ()->task) != NULL)
    task->amp_hints |= GOMP_AMP_HINT_STEADY;
  return from;
}

#define GOMP_AMP_FROM_TOLD(ISTART) \
  gomp_amp_make_told_from (*(ISTART), GOMP_AMP_CALLER)

/* In the flags of gomp_parallel_loop_start, above what libgomp has there.  */
#define GOMP_AMP_ARRIVAL_SHIFT 16

static inline unsigned
gomp_amp_flags (unsigned flags, enum gomp_amp_arrival how)
{
  return flags | how << GOMP_AMP_ARRIVAL_SHIFT;
}

/* Begin a loop on WS, which no other thread has seen yet.  TEAM is the team
   that will run it (not yet started in a combined construct) or NULL.  SCHED
   and CHUNK are what the loop's clause says if it arrived as an explicit
   one.  */
extern void gomp_amp_loop_init (struct gomp_work_share *ws,
				struct gomp_team *team,
				struct gomp_amp_from from, long start,
				long end, long incr, long sched, long chunk);
extern void gomp_amp_loop_ull_init (struct gomp_work_share *ws,
				    struct gomp_team *team,
				    struct gomp_amp_from from, bool up,
				    unsigned long long start,
				    unsigned long long end,
				    unsigned long long incr, long sched,
				    unsigned long long chunk);

/* For GOMP_loop_start and GOMP_loop_ull_start, whose ISTART may be NULL: begin
   a loop on the calling thread's work share.  */
#define GOMP_AMP_FROM_SCHED(SCHED, CHUNK, ISTART)			\
  ((SCHED) == GFS_STATIC && (ISTART) && GOMP_AMP_TOLD_P (CHUNK, ISTART)	\
   ? GOMP_AMP_FROM_TOLD (ISTART)					\
   : GOMP_AMP_FROM (gomp_amp_arrival (SCHED)))

#define GOMP_AMP_BEGIN(START, END, INCR, SCHED, CHUNK, ISTART)		\
  gomp_amp_loop_init (gomp_thread ()->ts.work_share,			\
		      gomp_thread ()->ts.team,				\
		      GOMP_AMP_FROM_SCHED (SCHED, CHUNK, ISTART),	\
		      START, END, INCR, SCHED, CHUNK)
#define GOMP_AMP_ULL_BEGIN(UP, START, END, INCR, SCHED, CHUNK, ISTART)	\
  gomp_amp_loop_ull_init (gomp_thread ()->ts.work_share,		\
			  gomp_thread ()->ts.team,			\
			  GOMP_AMP_FROM_SCHED (SCHED, CHUNK, ISTART),	\
			  UP, START, END, INCR, SCHED, CHUNK)

/* In loop.c and loop_ull.c.  */
extern void gomp_loop_init (struct gomp_work_share *ws, long start, long end,
			    long incr, enum gomp_schedule_type sched,
			    long chunk_size);
extern void gomp_loop_ull_init (struct gomp_work_share *ws, bool up,
				unsigned long long start,
				unsigned long long end,
				unsigned long long incr,
				enum gomp_schedule_type sched,
				unsigned long long chunk_size);
extern bool gomp_loop_static_start (long start, long end, long incr,
				    long chunk_size, long *istart,
				    long *iend);
extern bool gomp_loop_dynamic_start (long start, long end, long incr,
				     long chunk_size, long *istart,
				     long *iend);
extern bool gomp_loop_guided_start (long start, long end, long incr,
				    long chunk_size, long *istart,
				    long *iend);
extern bool gomp_loop_ull_static_start (bool up, unsigned long long start,
					unsigned long long end,
					unsigned long long incr,
					unsigned long long chunk_size,
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
extern bool gomp_amp_next_bounds (long *pstart, long *pend);
extern bool gomp_amp_ull_next_bounds (unsigned long long *pstart,
				      unsigned long long *pend);

#ifdef HAVE_TLS
/* So many of the calling thread's waits are still to be throttled, as if there
   were more threads than CPUs; see gomp-amp-spin.c.  */
extern __thread unsigned gomp_amp_short_waits
  __attribute__ ((visibility ("hidden")));
#endif

/* Hunks of the series that GOMP_AMP_TEAM needs are there if bar.h says so.
   GOMP_AMP_NO_CREWS is for tests.  */
#if !defined HAVE_TLS || defined GOMP_AMP_NO_CREWS
# undef GOMP_AMP_CREWS
#endif

#ifdef GOMP_AMP_CREWS

/* How a thread of a weighted team waits; see gomp-amp-team-wait.c.  */
enum gomp_amp_wait
{
  GOMP_AMP_WAIT_STOCK,		/* As libgomp does.  */
  GOMP_AMP_WAIT_SHARED,		/* Others are to run on its CPU.  */
  GOMP_AMP_WAIT_ALONE		/* Nobody else is.  */
};

struct gomp_amp_seat
{
  enum gomp_amp_wait wait;
  bool bound;			/* By us, ...  */
  unsigned cpu;			/* ... to this one.  */
  unsigned threads;		/* In its team.  */
};

extern __thread struct gomp_amp_seat gomp_amp_seat
  __attribute__ ((visibility ("hidden")));

/* A state in which no barrier's wait starts: it is over.  */
#define GOMP_AMP_BAR_DONE ((gomp_barrier_state_t) BAR_WAITING_FOR_TASK)

struct gomp_amp_crew;

/* For teams with a crew: the parts of a barrier, and the one at the end of a
   region for the team's first thread.  */
extern gomp_barrier_state_t gomp_amp_crew_wait_start (struct gomp_team *team);
extern void gomp_amp_crew_wait_end (struct gomp_team *team,
				    gomp_barrier_state_t state);
extern void gomp_amp_crew_wait_final (struct gomp_team *team);

/* For all: THR, of the pool, comes to the end of TEAM's region with TASK, and
   returns from DOCK; the first thread comes to DOCK.  */
extern void gomp_amp_crew_leave (struct gomp_thread *thr,
				 struct gomp_team *team,
				 struct gomp_task *task,
				 gomp_simple_barrier_t *dock);
extern void gomp_amp_dock (gomp_simple_barrier_t *dock);

/* THR, the calling thread, begins to live; NESTED: for one region only.  */
extern void gomp_amp_thread_begins (struct gomp_thread *thr, bool nested);

/* The CPUs that the process may use if the calling thread is bound by us, else
   0.  */
extern int gomp_amp_bound_procs (void);

extern void gomp_amp_poke (struct gomp_team *team);

#else

static inline void
gomp_amp_crew_leave (struct gomp_thread *thr __attribute__ ((unused)),
		     struct gomp_team *team, struct gomp_task *task,
		     gomp_simple_barrier_t *dock)
{
  gomp_team_barrier_wait_final (&team->barrier);
  gomp_finish_task (task);
  gomp_simple_barrier_wait (dock);
}

static inline void
gomp_amp_dock (gomp_simple_barrier_t *dock)
{
  gomp_simple_barrier_wait (dock);
}

static inline void
gomp_amp_thread_begins (struct gomp_thread *thr __attribute__ ((unused)),
			bool nested __attribute__ ((unused)))
{
}

static inline int
gomp_amp_bound_procs (void)
{
  return 0;
}

#endif

/* How often a thread that begins to wait spins at most, where it would COUNT
   times.  */

static inline unsigned long long
gomp_amp_spin_count (unsigned long long count)
{
#ifdef GOMP_AMP_CREWS
  if (__builtin_expect (gomp_amp_seat.wait != GOMP_AMP_WAIT_STOCK, 0))
    {
      if (gomp_amp_seat.wait == GOMP_AMP_WAIT_SHARED)
	return 0;
      /* More threads than its own team's, and count is throttled.  */
      if (__atomic_load_n (&gomp_managed_threads, MEMMODEL_RELAXED)
	  > gomp_amp_seat.threads)
	return count;
      return gomp_spin_count_var;
    }
#endif
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

/* TEAM's barriers, which the calling thread comes to.  */

static inline gomp_barrier_state_t
gomp_amp_barrier_wait_start (struct gomp_team *team)
{
#ifdef GOMP_AMP_CREWS
  if (__builtin_expect (team->amp_crew != NULL, 0))
    return gomp_amp_crew_wait_start (team);
#endif
  return gomp_barrier_wait_start (&team->barrier);
}

#ifdef HAVE_TLS
/* True if it is measured how long the calling thread waits at barriers.  */
extern __thread bool gomp_amp_waits_timed
  __attribute__ ((visibility ("hidden")));

extern void gomp_amp_timed_wait_end (struct gomp_team *team,
				     gomp_barrier_state_t state);
#endif

static inline void
gomp_amp_team_barrier_wait_end (struct gomp_team *team,
				gomp_barrier_state_t state)
{
#ifdef HAVE_TLS
  if (__builtin_expect (gomp_amp_waits_timed, 0))
    {
      gomp_amp_timed_wait_end (team, state);
      return;
    }
#endif
#ifdef GOMP_AMP_CREWS
  if (__builtin_expect (team->amp_crew != NULL, 0))
    {
      gomp_amp_crew_wait_end (team, state);
      return;
    }
#endif
  gomp_team_barrier_wait_end (&team->barrier, state);
}

static inline void
gomp_amp_team_barrier_wait (struct gomp_team *team)
{
  gomp_amp_team_barrier_wait_end (team, gomp_amp_barrier_wait_start (team));
}

static inline bool
gomp_amp_team_barrier_wait_cancel_end (struct gomp_team *team,
				       gomp_barrier_state_t state)
{
#ifdef GOMP_AMP_CREWS
  /* Nobody meets where cancellation is enabled.  */
  if (__builtin_expect (team->amp_crew != NULL, 0) && !gomp_cancel_var)
    {
      gomp_amp_crew_wait_end (team, state);
      return false;
    }
#endif
  return gomp_team_barrier_wait_cancel_end (&team->barrier, state);
}

static inline bool
gomp_amp_team_barrier_wait_cancel (struct gomp_team *team)
{
  return gomp_amp_team_barrier_wait_cancel_end
	   (team, gomp_amp_barrier_wait_start (team));
}

static inline void
gomp_amp_team_barrier_wait_final (struct gomp_team *team)
{
#ifdef GOMP_AMP_CREWS
  if (__builtin_expect (team->amp_crew != NULL, 0))
    {
      gomp_amp_crew_wait_final (team);
      return;
    }
#endif
  gomp_team_barrier_wait_final (&team->barrier);
}

/* BAR, which is a team's, has woken threads for tasks.  */

static inline void
gomp_amp_barrier_woken (gomp_barrier_t *bar __attribute__ ((unused)))
{
#ifdef GOMP_AMP_CREWS
  /* Whoever woke them: an event may be fulfilled by any thread.  */
  struct gomp_team *team
    = (struct gomp_team *) ((char *) bar
			    - offsetof (struct gomp_team, barrier));

  if (__builtin_expect (team->amp_crew != NULL, 0))
    gomp_amp_poke (team);
#endif
}

#ifdef HAVE_TLS
/* There is a region that a team of any size suits; see gomp-amp-alone.c.  */
extern bool gomp_amp_some_alone;

/* Run the region of FN with DATA, which begins as GOMP_parallel has it.  False
   if it is to run as any other.  */
extern bool gomp_amp_run_alone (void (*fn) (void *), void *data,
				unsigned num_threads, unsigned flags);
#endif

/* The same, where there is something to decide.  */

static inline bool
gomp_amp_alone_p (void (*fn) (void *) __attribute__ ((unused)),
		  void *data __attribute__ ((unused)),
		  unsigned num_threads __attribute__ ((unused)),
		  unsigned flags __attribute__ ((unused)))
{
#ifdef HAVE_TLS
  if (__builtin_expect (__atomic_load_n (&gomp_amp_some_alone,
					 __ATOMIC_RELAXED), 0))
    return gomp_amp_run_alone (fn, data, num_threads, flags);
#endif
  return false;
}

/* Life of the blocks that hang on work shares, and of what hangs on a team.
   The first NEW: TEAM comes from the allocator.  START, END: THR, the calling
   thread, begins or ends TEAM as its first thread; START before THR's state
   says so, END after it does so no more.  */
extern void gomp_amp_new_team (struct gomp_team *team);
extern void gomp_amp_free_team (struct gomp_team *team);
extern void gomp_amp_start_team (struct gomp_thread *thr,
				 struct gomp_team *team);
extern void gomp_amp_end_team (struct gomp_thread *thr,
			       struct gomp_team *team);
extern void gomp_amp_fini_work_share (struct gomp_work_share *ws);

/* Bind the calling thread, the first one, to its place.  */
extern void gomp_amp_bind_initial (void);

/* Environment.  PARSE_SCHEDULE: true if OMP_SCHEDULE has been dealt with.
   PARSE_PLACES: OMP_PLACES, by libgomp's PARSE unless it names kinds of cores;
   IGNORE it if threads are not to be bound; true if there are to be places.
   INIT: IGNORE GOMP_AMP_AFFINITY, for the user asked for places, or for none,
   otherwise.  */
extern bool gomp_amp_parse_schedule (void);
extern bool gomp_amp_parse_places (bool ignore,
				   bool (*parse) (const char *name,
						  bool ignore));
extern void gomp_amp_init_env (bool ignore);
extern void gomp_amp_display_schedule (void);
extern void gomp_amp_display_env (void);

/* omp_set_schedule for kinds that stock libgomp does not know; false if the
   core does not know KIND either.  */
extern bool gomp_amp_set_run_sched (struct gomp_task_icv *icv, int kind,
				    int chunk);

/* omp_set_schedule with a KIND that stock libgomp knows, whose chunk is in ICV:
   the run-sched-var for that.  */
extern enum gomp_schedule_type
gomp_amp_set_stock_sched (struct gomp_task_icv *icv, int kind);

/* What omp_get_schedule shows of the calling task's run-sched-var KIND.  */
extern int gomp_amp_show_sched (int kind);

#endif

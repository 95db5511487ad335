/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Weighted teams (GOMP_AMP_TEAM): where their threads are, and how they wait.
   Where threads go is amp-place.c's.

   A team of the outermost level whose first thread has the process's own mask
   gets a crew: which CPU each of its threads is on, and for each CPU a group of
   those that share it.  Threads other than the first are bound when they start:
   a pool's thread keeps its number, and a number its CPU, however large the
   team is.  The first thread is the program's; see gomp_amp_sit_first.

   Waiting.  Who waits by spinning where others of the team are to run takes
   their time, and a thread that sleeps needs a system call to go on, and an
   interrupt if its CPU is idle.  So the threads of a group meet before the
   team's barrier.  Who is not the last of its group sleeps at once, on a word
   of the group's.  The last one arrives at the team's barrier for all of them
   (libgomp's own barrier, which counts them all), may spin there, since nobody
   else is to run on its CPU, and wakes the others when it is released.

   At the end of a region there is nothing to do for a thread of the pool but to
   come to the dock, so who sleeps there stays asleep until the next region; the
   group's last thread does for it what is to be done after the barrier, and
   arrives at the dock for it.  Only the team's first thread is woken, by a word
   of its own.

   Tasks.  Threads in a barrier run tasks.  One a CPU is enough, but there must
   be one: where nobody has arrived at the team's barrier itself, a sleeper is
   poked, leaves the meeting, runs tasks and comes back.  While it is out its
   group is not complete, so that the barrier cannot end under it.

   All threads of a team come to a barrier by the same kind of wait: either all
   through here, or, where task reductions of a loop end, none.

   Where cancellation is enabled, threads may leave a barrier for the region's
   end one by one; such teams are placed and do not spin on shared CPUs, but
   wait at libgomp's barriers.

   A meeting's words: `arrived' has a generation above AMP_MEET_SHIFT and the
   number of those present below.  `word' has the number of releases above
   AMP_POKE_SHIFT and pokes below; a sleeper waits for another number of
   releases.  The last to arrive begins a new generation before it releases
   anybody, and nobody can arrive twice in one; so a sleeper that takes itself
   out by compare-and-swap takes itself out of the meeting that it is in, or
   nothing.

   Memory order: a thread's arrival (sequentially consistent) is continued by
   its group's later ones, the last of which continues into the team's barrier
   (acq_rel); the way back is the barrier's release and acquire, and then
   gomp_amp_release (release) and the sleeper's load of the word (acquire).

   Groups are never freed: a thread that leaves the pool looks at its group's
   word once more after it was woken.  */

#include "gomp-amp-glue.h"

#ifdef GOMP_AMP_CREWS

#include "wait.h"
#include "amp-place.c"

#define AMP_MEET_SHIFT 16
#define AMP_MEET_MASK ((1U << AMP_MEET_SHIFT) - 1)
#define AMP_POKE_SHIFT 8
#define AMP_POKE_MASK ((1U << AMP_POKE_SHIFT) - 1)

struct gomp_amp_meeting
{
  unsigned arrived;
  unsigned word;
};

struct gomp_amp_group
{
  /* Inside of a region; and at its end.  */
  struct gomp_amp_meeting barrier, end;
  /* Where the team's first thread waits at the region's end.  */
  unsigned first_word;
  /* Threads that are at the dock.  */
  unsigned docked;
  /* Threads in all, and whether the team's first one is among them.  */
  unsigned size;
  bool has_first;
} __attribute__ ((aligned (AMP_LINE)));

struct gomp_amp_crew
{
  struct gomp_amp_crew *next;	/* In the pool.  */
  unsigned nthreads;
  unsigned room;		/* Of group_of.  */
  unsigned short *group_of;	/* By thread number.  */
  unsigned helpers;		/* Sleepers that are out for tasks.  */
  bool may_have_tasks;		/* ... to call them for.  */
  struct gomp_amp_group group[];	/* By index of the CPU.  */
};

/* Written by the constructor only.  */

static struct
{
  bool places_teams;
  bool may_spin;		/* No quota of CPU time is in force.  */
  unsigned most;		/* GOMP_AMP_TEAM's number; 0: not asked for.  */
  unsigned size;		/* Threads where nothing else is said.  */
  unsigned ncpus;
  unsigned short *cpu;		/* In the order of placement.  */
  double *speed;		/* Of each.  */
  unsigned *load;		/* Threads on each, in a team of `size'.  */
  cpu_set_t *all;		/* The process's mask.  */
} gomp_amp_weighted;

static struct gomp_amp_crew *gomp_amp_crews;
static gomp_mutex_t gomp_amp_crews_lock;

/* The calling thread's part in weighted teams.  */

enum gomp_amp_root
{
  GOMP_AMP_ROOT_NEW,		/* Has begun no team yet.  */
  GOMP_AMP_ROOT_OURS,		/* May be put on a CPU.  */
  GOMP_AMP_ROOT_OWN		/* Somebody else has bound it.  */
};

__thread struct gomp_amp_seat gomp_amp_seat;
static __thread enum gomp_amp_root gomp_amp_root;
/* The region that the thread is in as its team's first one began then, or 0;
   and how long the last ones took.  In ticks.  */
static __thread uint64_t gomp_amp_region_begun, gomp_amp_region_mean;
/* The crew whose threads are at the calling thread's dock.  */
static __thread struct gomp_amp_crew *gomp_amp_docked;

/* Regions from this length on are worth the two system calls that keep the
   first thread on its CPU; in nanoseconds.  */
#define GOMP_AMP_LONG_REGION 300000

static void
gomp_amp_set_affinity (const cpu_set_t *set)
{
  pthread_setaffinity_np (pthread_self (), gomp_cpuset_size, set);
}

/* Does the calling thread have the process's mask?  */

static bool
gomp_amp_unconfined_p (void)
{
  cpu_set_t *set = gomp_alloca (gomp_cpuset_size);

  CPU_ZERO_S (gomp_cpuset_size, set);
  return (pthread_getaffinity_np (pthread_self (), gomp_cpuset_size, set) == 0
	  && memcmp (set, gomp_amp_weighted.all, gomp_cpuset_size) == 0);
}

static void
gomp_amp_bind (unsigned cpu)
{
  cpu_set_t *set = gomp_alloca (gomp_cpuset_size);

  CPU_ZERO_S (gomp_cpuset_size, set);
  CPU_SET_S (cpu, gomp_cpuset_size, set);
  gomp_amp_set_affinity (set);
}

/* A child process runs where its parent may, not where the thread that forked
   was put.  */

static void
gomp_amp_in_child (void)
{
  if (gomp_amp_seat.bound)
    {
      gomp_amp_seat.bound = false;
      gomp_amp_set_affinity (gomp_amp_weighted.all);
    }
}

/* Crews.  */

static void
gomp_amp_fill_crew (struct gomp_amp_crew *crew, unsigned nthreads)
{
  const unsigned ncpus = gomp_amp_weighted.ncpus;
  unsigned *load = gomp_malloc (ncpus * sizeof *load);
  unsigned i;

  if (crew->room < nthreads)
    {
      free (crew->group_of);
      crew->group_of = gomp_malloc (nthreads * sizeof *crew->group_of);
      crew->room = nthreads;
    }
  crew->nthreads = nthreads;
  crew->helpers = 0;
  crew->may_have_tasks = false;
  amp_place_threads (gomp_amp_weighted.speed, ncpus, nthreads, crew->group_of,
		     load);
  for (i = 0; i < ncpus; i++)
    {
      struct gomp_amp_group *g = &crew->group[i];

      /* The words go on counting.  */
      g->barrier.arrived = g->end.arrived = 0;
      g->docked = 0;
      g->size = load[i];
      g->has_first = crew->group_of[0] == i;
    }
  free (load);
}

/* TEAM comes from the allocator; the calling thread is to be its first.  */

static void
gomp_amp_new_crew (struct gomp_team *team)
{
  struct gomp_thread *thr = gomp_thread ();
  struct gomp_amp_crew *crew;
  unsigned i;

  team->amp_crew = NULL;
  if (!gomp_amp_weighted.places_teams || team->nthreads == 1
      || thr->ts.level != 0 || team->nthreads > AMP_MEET_MASK)
    return;
  if (gomp_amp_root == GOMP_AMP_ROOT_NEW)
    gomp_amp_root = (gomp_amp_unconfined_p () ? GOMP_AMP_ROOT_OURS
		     : GOMP_AMP_ROOT_OWN);
  if (gomp_amp_root != GOMP_AMP_ROOT_OURS)
    return;
  gomp_mutex_lock (&gomp_amp_crews_lock);
  crew = gomp_amp_crews;
  if (crew != NULL)
    gomp_amp_crews = crew->next;
  gomp_mutex_unlock (&gomp_amp_crews_lock);
  if (crew == NULL)
    {
      size_t size = (sizeof *crew
		     + gomp_amp_weighted.ncpus * sizeof crew->group[0]);

      crew = gomp_aligned_alloc (AMP_LINE, AMP_ROUND_LINE (size));
      crew->room = 0;
      crew->group_of = NULL;
      for (i = 0; i < gomp_amp_weighted.ncpus; i++)
	memset (&crew->group[i], 0, sizeof crew->group[i]);
    }
  gomp_amp_fill_crew (crew, team->nthreads);
  team->amp_crew = crew;
}

static inline void
gomp_amp_free_crew (struct gomp_team *team)
{
  struct gomp_amp_crew *crew = team->amp_crew;

  if (crew == NULL)
    return;
  gomp_mutex_lock (&gomp_amp_crews_lock);
  crew->next = gomp_amp_crews;
  gomp_amp_crews = crew;
  gomp_mutex_unlock (&gomp_amp_crews_lock);
}

static inline struct gomp_amp_group *
gomp_amp_group (struct gomp_amp_crew *crew, unsigned thread)
{
  return &crew->group[crew->group_of[thread]];
}

/* Do threads of TEAM, which has a crew, meet before its barriers?  */

static inline bool
gomp_amp_meets_p (const struct gomp_amp_group *g)
{
  return g->size > 1 && !gomp_cancel_var;
}

/* Waits.  */

/* How the calling thread, of group G in a team of NTHREADS, is to wait from now
   on; ALONE if nobody else of the group is to run meanwhile.  */

static inline void
gomp_amp_sit (const struct gomp_amp_group *g, unsigned nthreads, bool alone)
{
  gomp_amp_seat.wait = (alone && gomp_amp_weighted.may_spin
			? GOMP_AMP_WAIT_ALONE : GOMP_AMP_WAIT_SHARED);
  gomp_amp_seat.threads = nthreads;
}

/* ... in TEAM, in which it is.  */

static void
gomp_amp_sit_in (struct gomp_thread *thr, struct gomp_team *team)
{
  struct gomp_amp_group *g;

  if (team == NULL || team->amp_crew == NULL)
    {
      gomp_amp_seat.wait = GOMP_AMP_WAIT_STOCK;
      return;
    }
  g = gomp_amp_group (team->amp_crew, thr->ts.team_id);
  gomp_amp_sit (g, team->nthreads, g->size == 1);
}

/* Release those who sleep on WORD.  */

static inline void
gomp_amp_release (unsigned *word)
{
  __atomic_fetch_add (word, 1U << AMP_POKE_SHIFT, MEMMODEL_RELEASE);
  futex_wake ((int *) word, INT_MAX);
}

/* Has WORD been released since it was SEEN?  */

static inline bool
gomp_amp_released_p (unsigned word, unsigned seen)
{
  return (word ^ seen) >> AMP_POKE_SHIFT != 0;
}

/* Sleep until WORD, which was SEEN, is released.  */

static void
gomp_amp_sleep (unsigned *word, unsigned seen)
{
  unsigned now;

  while (!gomp_amp_released_p (now = __atomic_load_n (word, MEMMODEL_ACQUIRE),
			       seen))
    futex_wait ((int *) word, now);
}

/* Has TEAM tasks that nobody is at its barrier for?  */

static bool
gomp_amp_tasks_wait_p (struct gomp_team *team)
{
  gomp_barrier_t *bar = &team->barrier;

  return ((__atomic_load_n (&bar->generation, MEMMODEL_ACQUIRE)
	   & BAR_TASK_PENDING) != 0
	  && __atomic_load_n (&bar->awaited, MEMMODEL_RELAXED) == bar->total
	  && (__atomic_load_n (&bar->awaited_final, MEMMODEL_RELAXED)
	      == bar->total)
	  && __atomic_load_n (&team->amp_crew->helpers, MEMMODEL_RELAXED) == 0);
}

/* Leave M, where SIZE threads meet and the calling thread arrived when MINE was
   the state; false if it is complete.  */

static bool
gomp_amp_leave (struct gomp_amp_meeting *m, unsigned size, unsigned mine)
{
  unsigned now = __atomic_load_n (&m->arrived, MEMMODEL_RELAXED);

  do
    if ((now ^ mine) >> AMP_MEET_SHIFT != 0 || (now & AMP_MEET_MASK) == size)
      return false;
  while (!__atomic_compare_exchange_n (&m->arrived, &now, now - 1, true,
				       MEMMODEL_ACQ_REL, MEMMODEL_RELAXED));
  return true;
}

/* The calling thread arrives at M, where SIZE threads of TEAM meet.  True if it
   is the last; else it sleeps on WORD until that is released.  */

static bool
gomp_amp_meet (struct gomp_team *team, struct gomp_amp_meeting *m,
	       unsigned size, unsigned *word)
{
  struct gomp_amp_crew *crew = team->amp_crew;
  unsigned seen, mine, now;

  for (;;)
    {
      seen = __atomic_load_n (word, MEMMODEL_ACQUIRE);
      mine = __atomic_add_fetch (&m->arrived, 1, MEMMODEL_SEQ_CST);
      if ((mine & AMP_MEET_MASK) == size)
	{
	  __atomic_store_n (&m->arrived,
			    (mine & ~AMP_MEET_MASK) + AMP_MEET_MASK + 1,
			    MEMMODEL_RELAXED);
	  return true;
	}
      /* Either this sees `tasks', or who has set it sees that somebody sleeps:
	 gomp_amp_poke has the other fence.  TEAM is not looked at, for when
	 the meeting is complete it may go while this thread wakes.  */
      __atomic_thread_fence (MEMMODEL_SEQ_CST);
      for (;;)
	{
	  now = __atomic_load_n (word, MEMMODEL_ACQUIRE);
	  if (gomp_amp_released_p (now, seen))
	    return false;
	  if (__builtin_expect (__atomic_load_n (&crew->may_have_tasks,
						 MEMMODEL_RELAXED), 0)
	      && gomp_amp_leave (m, size, mine))
	    break;
	  futex_wait ((int *) word, now);
	}
      /* The barrier waits for this thread, so its generation is steady.  Who
	 makes a task and still finds `tasks' set has made it before this
	 fence, hence before this thread looks for tasks.  */
      __atomic_store_n (&crew->may_have_tasks, false, MEMMODEL_RELAXED);
      __atomic_thread_fence (MEMMODEL_SEQ_CST);
      __atomic_fetch_add (&crew->helpers, 1, MEMMODEL_RELAXED);
      gomp_barrier_handle_tasks (__atomic_load_n (&team->barrier.generation,
						  MEMMODEL_ACQUIRE)
				 & -BAR_INCR);
      __atomic_fetch_sub (&crew->helpers, 1, MEMMODEL_RELAXED);
    }
}

static void
gomp_amp_poke_word (unsigned *word)
{
  unsigned now = __atomic_load_n (word, MEMMODEL_RELAXED);

  while (!__atomic_compare_exchange_n (word, &now,
				       (now & ~AMP_POKE_MASK)
				       | ((now + 1) & AMP_POKE_MASK), true,
				       MEMMODEL_RELAXED, MEMMODEL_RELAXED))
    ;
  futex_wake ((int *) word, 1);
}

/* TEAM, which has a crew, may have tasks that nobody is at its barrier for.  */

void
gomp_amp_poke (struct gomp_team *team)
{
  unsigned i;

  if (gomp_cancel_var)
    return;
  __atomic_thread_fence (MEMMODEL_SEQ_CST);
  if (!__atomic_load_n (&team->amp_crew->may_have_tasks, MEMMODEL_RELAXED))
    __atomic_store_n (&team->amp_crew->may_have_tasks, true, MEMMODEL_RELAXED);
  __atomic_thread_fence (MEMMODEL_SEQ_CST);
  if (!gomp_amp_tasks_wait_p (team))
    return;
  for (i = 0; i < gomp_amp_weighted.ncpus; i++)
    {
      struct gomp_amp_group *g = &team->amp_crew->group[i];

      if (__atomic_load_n (&g->barrier.arrived, MEMMODEL_RELAXED)
	  & AMP_MEET_MASK)
	gomp_amp_poke_word (&g->barrier.word);
      if (__atomic_load_n (&g->end.arrived, MEMMODEL_RELAXED) & AMP_MEET_MASK)
	{
	  gomp_amp_poke_word (&g->end.word);
	  if (g->has_first)
	    gomp_amp_poke_word (&g->first_word);
	}
    }
}

/* The calling thread arrives at TEAM's barrier, at once for those of its group
   that it is the last of.  GOMP_AMP_BAR_DONE: it was not the last, and the
   barrier is over.  */

gomp_barrier_state_t
gomp_amp_crew_wait_start (struct gomp_team *team)
{
  struct gomp_amp_group *g
    = gomp_amp_group (team->amp_crew, gomp_thread ()->ts.team_id);

  gomp_amp_barriers_met++;
  if (gomp_amp_meets_p (g))
    {
      if (!gomp_amp_meet (team, &g->barrier, g->size, &g->barrier.word))
	return GOMP_AMP_BAR_DONE;
      __atomic_fetch_sub (&team->barrier.awaited, g->size - 1,
			  MEMMODEL_ACQ_REL);
    }
  return gomp_barrier_wait_start (&team->barrier);
}

void
gomp_amp_crew_wait_end (struct gomp_team *team, gomp_barrier_state_t state)
{
  struct gomp_amp_group *g
    = gomp_amp_group (team->amp_crew, gomp_thread ()->ts.team_id);

  if (state == GOMP_AMP_BAR_DONE)
    return;
  if (!gomp_amp_meets_p (g))
    {
      gomp_team_barrier_wait_end (&team->barrier, state);
      return;
    }
  gomp_amp_sit (g, team->nthreads, true);
  gomp_team_barrier_wait_end (&team->barrier, state);
  gomp_amp_sit (g, team->nthreads, false);
  gomp_amp_release (&g->barrier.word);
}

/* The calling thread, the last of its group at the end of TEAM's region, waits
   there, and finishes the tasks of those of its group that are in the pool.  */

static void
gomp_amp_end_region (struct gomp_team *team, struct gomp_amp_group *g)
{
  struct gomp_amp_crew *crew = team->amp_crew;
  unsigned short which = g - crew->group;
  unsigned i;

  __atomic_fetch_sub (&team->barrier.awaited_final, g->size - 1,
		      MEMMODEL_ACQ_REL);
  gomp_amp_sit (g, team->nthreads, true);
  gomp_team_barrier_wait_final (&team->barrier);
  for (i = 1; i < team->nthreads; i++)
    if (crew->group_of[i] == which)
      gomp_finish_task (&team->implicit_task[i]);
}

/* N threads of G arrive at DOCK, or one that stands for them.  True if the
   caller was the last of the group, has arrived at the dock for all, and the
   dock is over.  */

static bool
gomp_amp_dock_some (struct gomp_amp_group *g, unsigned n,
		    gomp_simple_barrier_t *dock)
{
  if (__atomic_add_fetch (&g->docked, n, MEMMODEL_ACQ_REL) != g->size)
    return false;
  __atomic_store_n (&g->docked, 0, MEMMODEL_RELAXED);
  __atomic_fetch_sub (&dock->bar.awaited, g->size - 1, MEMMODEL_ACQ_REL);
  gomp_simple_barrier_wait (dock);
  gomp_amp_release (&g->end.word);
  return true;
}

void
gomp_amp_crew_leave (struct gomp_thread *thr, struct gomp_team *team,
		     struct gomp_task *task, gomp_simple_barrier_t *dock)
{
  struct gomp_amp_group *g = NULL;

  if (team->amp_crew != NULL)
    g = gomp_amp_group (team->amp_crew, thr->ts.team_id);
  if (g == NULL || !gomp_amp_meets_p (g))
    {
      gomp_team_barrier_wait_final (&team->barrier);
      gomp_finish_task (task);
      gomp_simple_barrier_wait (dock);
    }
  else if (gomp_amp_meet (team, &g->end, g->size, &g->end.word))
    {
      unsigned seen, pool = g->size - g->has_first;

      gomp_amp_end_region (team, g);
      if (g->has_first)
	gomp_amp_release (&g->first_word);
      seen = __atomic_load_n (&g->end.word, MEMMODEL_ACQUIRE);
      if (!gomp_amp_dock_some (g, pool, dock))
	gomp_amp_sleep (&g->end.word, seen);
    }
  /* Who is to end has no team any more: TEAM may be gone.  */
  if (thr->fn != NULL)
    gomp_amp_sit_in (thr, thr->ts.team);
}

void
gomp_amp_crew_wait_final (struct gomp_team *team)
{
  struct gomp_amp_group *g = gomp_amp_group (team->amp_crew, 0);

  if (!gomp_amp_meets_p (g))
    gomp_team_barrier_wait_final (&team->barrier);
  else if (gomp_amp_meet (team, &g->end, g->size, &g->first_word))
    {
      gomp_amp_end_region (team, g);
      __atomic_fetch_add (&g->docked, g->size - 1, MEMMODEL_ACQ_REL);
    }
}

void
gomp_amp_dock (gomp_simple_barrier_t *dock)
{
  struct gomp_amp_crew *crew = gomp_amp_docked;
  struct gomp_amp_group *g;
  unsigned seen;

  gomp_amp_docked = NULL;
  if (crew == NULL
      || (g = gomp_amp_group (crew, 0), !gomp_amp_meets_p (g)))
    {
      gomp_simple_barrier_wait (dock);
      return;
    }
  seen = __atomic_load_n (&g->end.word, MEMMODEL_ACQUIRE);
  if (!gomp_amp_dock_some (g, 1, dock))
    gomp_amp_sleep (&g->end.word, seen);
}

/* Threads.  */

void
gomp_amp_thread_begins (struct gomp_thread *thr, bool nested)
{
  struct gomp_amp_crew *crew = thr->ts.team->amp_crew;

  if (!gomp_amp_weighted.places_teams)
    return;
  if (!nested && crew != NULL)
    {
      unsigned which = crew->group_of[thr->ts.team_id];

      gomp_amp_bind (gomp_amp_weighted.cpu[which]);
      gomp_amp_seat.bound = true;
      gomp_amp_sit_in (thr, thr->ts.team);
    }
  else if (nested)
    {
      /* The thread that made this one, whose mask it has, may be bound.  */
      cpu_set_t *set = gomp_alloca (gomp_cpuset_size);
      unsigned i;

      CPU_ZERO_S (gomp_cpuset_size, set);
      if (pthread_getaffinity_np (pthread_self (), gomp_cpuset_size, set) == 0
	  && gomp_cpuset_popcount (gomp_cpuset_size, set) == 1)
	for (i = 0; i < gomp_amp_weighted.ncpus; i++)
	  if (CPU_ISSET_S (gomp_amp_weighted.cpu[i], gomp_cpuset_size, set))
	    gomp_amp_set_affinity (gomp_amp_weighted.all);
    }
}

/* The first thread of a team with a crew begins the region.

   It is not bound for good: threads and processes that the program starts
   between regions inherit its mask, and the program may ask for that.  In a
   long region it is bound, or else the kernel would move it, as the only one
   that it can move, away from its crowded CPU.  For short ones that costs too
   much: there it is put back where it is found elsewhere.  */

static void
gomp_amp_sit_first (struct gomp_team *team)
{
  struct gomp_amp_crew *crew = team->amp_crew;
  unsigned cpu = gomp_amp_weighted.cpu[crew->group_of[0]];

  gomp_amp_sit (&crew->group[crew->group_of[0]], team->nthreads,
		crew->group[crew->group_of[0]].size == 1);
  gomp_amp_region_begun = amp_ticks ();
  if (gomp_amp_root != GOMP_AMP_ROOT_OURS)
    return;
  if (gomp_amp_region_mean < (gomp_amp_min_ticks
			      * (GOMP_AMP_LONG_REGION
				 / GOMP_AMP_MIN_NANOSECONDS))
      && gomp_amp_region_mean != 0)
    {
      if (__builtin_expect (sched_getcpu () != (int) cpu, 0))
	{
	  if (!gomp_amp_unconfined_p ())
	    gomp_amp_root = GOMP_AMP_ROOT_OWN;
	  else
	    {
	      gomp_amp_bind (cpu);
	      gomp_amp_set_affinity (gomp_amp_weighted.all);
	    }
	}
    }
  else if (!gomp_amp_unconfined_p ())
    gomp_amp_root = GOMP_AMP_ROOT_OWN;
  else
    {
      gomp_amp_bind (cpu);
      gomp_amp_seat.bound = true;
    }
}

static inline void
gomp_amp_take_seat (struct gomp_team *team)
{
  if (__builtin_expect (team->amp_crew != NULL, 0))
    gomp_amp_sit_first (team);
}

static void
gomp_amp_stand_up (struct gomp_team *team)
{
  uint64_t took = amp_ticks () - gomp_amp_region_begun;

  gomp_amp_docked = team->amp_crew;
  gomp_amp_seat.wait = GOMP_AMP_WAIT_STOCK;
  if (gomp_amp_seat.bound)
    {
      gomp_amp_seat.bound = false;
      gomp_amp_set_affinity (gomp_amp_weighted.all);
    }
  gomp_amp_region_mean = (gomp_amp_region_mean == 0 ? took
			  : (3 * gomp_amp_region_mean + took) / 4);
}

static inline void
gomp_amp_leave_seat (struct gomp_team *team)
{
  if (__builtin_expect (team->amp_crew != NULL, 0))
    gomp_amp_stand_up (team);
}

int
gomp_amp_bound_procs (void)
{
  return gomp_amp_seat.bound ? (int) gomp_available_cpus : 0;
}

/* Environment.  */

/* How fast the CPU is that the calling thread is bound to, in steps of some
   arithmetic per nanosecond of its own time, which other programs do not
   change.  */

static double
gomp_amp_calibrate (uint64_t nanoseconds)
{
  uint64_t begun = amp_cpu_ticks (), now, steps = 0, x = 1;
  double y = 1.0;
  unsigned i;

  do
    {
      for (i = 0; i < 5000; i++)
	{
	  x = x * UINT64_C (6364136223846793005) + 1442695040888963407;
	  y = y * 0.999 + (double) (x >> 40);
	}
      __asm__ volatile ("" : : "g" (x), "g" (&y) : "memory");
      steps++;
      now = amp_cpu_ticks ();
    }
  while (now - begun < nanoseconds);
  return (double) steps / (double) (now - begun);
}

/* Store how fast each type is in SPEED: what the user says; or what a file says
   of the program's loops, as if they took equally long; or what the system
   says; or what is measured here.  False if nothing tells the CPUs apart.  */

static bool
gomp_amp_type_speeds (double speed[AMP_TOPOLOGY_TYPES])
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned type, i;
  bool known = true;

  if (t->types < 2)
    return false;
  for (type = 0; type < t->types; type++)
    known = known && t->capacity[type] != 0;
  for (type = 0; type < t->types; type++)
    if (gomp_amp_sf != NULL)
      speed[type] = gomp_amp_sf[type];
    else if (gomp_amp_nknown_sf != 0)
      {
	double time = 0.0;

	for (i = 0; i < gomp_amp_nknown_sf; i++)
	  time += 1.0 / gomp_amp_known_sf[i].sf[type];
	speed[type] = gomp_amp_nknown_sf / time;
      }
    else if (known)
      speed[type] = t->capacity[type];
    else
      {
	for (i = 0; t->type[t->order[i]] != type; i++)
	  ;
	gomp_amp_bind (t->order[i]);
	/* The first part lets the clock rise.  */
	gomp_amp_calibrate (1000000);
	speed[type] = gomp_amp_calibrate (2000000);
      }
  if (gomp_amp_sf == NULL && gomp_amp_nknown_sf == 0 && !known)
    gomp_amp_set_affinity (gomp_amp_weighted.all);
  return true;
}

static void
gomp_amp_init_team (bool placed)
{
  const char *value = gomp_amp_getenv ("GOMP_AMP_TEAM");
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned short order[AMP_MAX_CPUS];
  double speed[AMP_TOPOLOGY_TYPES];
  double quota;
  char message[AMP_MESSAGE_MAX];
  unsigned i, size;

  if (value == NULL)
    return;
  if (amp_parse_team (value, &gomp_amp_weighted.most, message) != NULL)
    {
      gomp_error ("Invalid value for environment variable GOMP_AMP_TEAM: %s; "
		  "it is ignored", message);
      return;
    }
  if (gomp_amp_weighted.most == 0)
    return;
  if (placed || gomp_places_list != NULL)
    {
      gomp_error ("GOMP_AMP_TEAM does not place threads, because "
		  "OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY or "
		  "GOMP_AMP_AFFINITY is set");
      gomp_amp_weighted.most = 0;
      return;
    }
  if (gomp_cpusetp == NULL || t->norder < 2)
    return;
  gomp_amp_weighted.all = gomp_malloc (gomp_cpuset_size);
  memcpy (gomp_amp_weighted.all, gomp_cpusetp, gomp_cpuset_size);
  if (!gomp_amp_type_speeds (speed))
    return;
  gomp_amp_place_order (false, order);
  gomp_amp_weighted.ncpus = t->norder;
  gomp_amp_weighted.cpu
    = gomp_malloc (t->norder * sizeof *gomp_amp_weighted.cpu);
  gomp_amp_weighted.speed
    = gomp_malloc (t->norder * sizeof *gomp_amp_weighted.speed);
  gomp_amp_weighted.load
    = gomp_malloc_cleared (t->norder * sizeof *gomp_amp_weighted.load);
  for (i = 0; i < t->norder; i++)
    {
      gomp_amp_weighted.cpu[i] = order[i];
      gomp_amp_weighted.speed[i] = speed[t->type[order[i]]];
    }
  size = amp_place_team_size (gomp_amp_weighted.speed, t->norder,
			      gomp_amp_weighted.most, gomp_amp_weighted.load);
  gomp_amp_weighted.size = size;
  /* Alike to within the slack: as without us.  */
  if (size == t->norder)
    {
      unsigned short *cpu = gomp_malloc (size * sizeof *cpu);

      amp_place_threads (gomp_amp_weighted.speed, t->norder, size, cpu,
			 gomp_amp_weighted.load);
      free (cpu);
      for (i = 0; i < t->norder && gomp_amp_weighted.load[i] == 1; i++)
	;
      if (i == t->norder)
	return;
    }
  if (!gomp_amp_num_threads_p ())
    {
      if (gomp_global_icv.dyn_var && size > gomp_available_cpus)
	size = gomp_available_cpus;
      if (size > gomp_global_icv.thread_limit_var)
	size = gomp_global_icv.thread_limit_var;
      gomp_global_icv.nthreads_var = size;
    }
  quota = amp_read_quota (&gomp_amp_source);
  gomp_amp_weighted.may_spin = !(quota > 0.0 && quota < t->norder);
  gomp_mutex_init (&gomp_amp_crews_lock);
  pthread_atfork (NULL, NULL, gomp_amp_in_child);
  gomp_amp_weighted.places_teams = true;
  /* Its threads are equally fast, so for the core's loops all CPUs are.  */
  gomp_amp_forget_types ();
}

static void
gomp_amp_display_team (void)
{
  unsigned short *cpu;
  unsigned i;

  if (gomp_amp_weighted.most == 0)
    {
      fputs ("  GOMP_AMP_TEAM = 'OFF'\n", stderr);
      return;
    }
  fprintf (stderr, "  GOMP_AMP_TEAM = 'WEIGHTED,%u'\n", gomp_amp_weighted.most);
  if (!gomp_amp_weighted.places_teams)
    {
      fputs ("  [host] weighted teams: none, CPUs are as fast as each other or "
	     "nothing is known of them\n", stderr);
      return;
    }
  cpu = gomp_malloc (gomp_amp_weighted.size * sizeof *cpu);
  amp_place_threads (gomp_amp_weighted.speed, gomp_amp_weighted.ncpus,
		     gomp_amp_weighted.size, cpu, gomp_amp_weighted.load);
  free (cpu);
  fprintf (stderr, "  [host] weighted team of %u =", gomp_amp_weighted.size);
  for (i = 0; i < gomp_amp_weighted.ncpus; i++)
    fprintf (stderr, "%s %u on CPU %u", i == 0 ? "" : ",",
	     gomp_amp_weighted.load[i], gomp_amp_weighted.cpu[i]);
  fputc ('\n', stderr);
}

#else

static void
gomp_amp_new_crew (struct gomp_team *team __attribute__ ((unused)))
{
}

static inline void
gomp_amp_free_crew (struct gomp_team *team __attribute__ ((unused)))
{
}

static inline void
gomp_amp_take_seat (struct gomp_team *team __attribute__ ((unused)))
{
}

static inline void
gomp_amp_leave_seat (struct gomp_team *team __attribute__ ((unused)))
{
}

static void
gomp_amp_init_team (bool placed __attribute__ ((unused)))
{
  if (gomp_amp_getenv ("GOMP_AMP_TEAM") != NULL)
    gomp_error ("GOMP_AMP_TEAM is not available in this version; it is "
		"ignored");
}

static void
gomp_amp_display_team (void)
{
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPU the threads of weighted teams are on, and how they sit there.

   Threads other than the first are bound when they start: a pool's thread
   keeps its number, and a number its CPU, however large the team is.  The
   first thread is the program's; see gomp_amp_sit_first.

   A mask that the program has set stays.  So a mask of ours is taken back only
   from a thread that still has it, and where the program might have set the
   same one, only if the others of the team have none of their own: a program
   that binds one of its threads binds them all.  */

#include "gomp-amp-glue.h"

#ifdef GOMP_AMP_CREWS

__thread struct gomp_amp_seat gomp_amp_seat;
/* The region that the thread is in as its team's first one began then, or 0;
   and how long the last ones took.  In ticks.  */
static __thread uint64_t gomp_amp_region_begun, gomp_amp_region_mean;

/* In so many of the first regions for which a first thread is bound it is
   asked afterwards whether the program has bound threads.  */
#define GOMP_AMP_DOUBTED 8

static __thread unsigned gomp_amp_doubted;

/* Regions from this length on are worth the two system calls that keep the
   first thread on its CPU; in nanoseconds.  */
#define GOMP_AMP_LONG_REGION 300000

static void
gomp_amp_set_affinity (const cpu_set_t *set)
{
  pthread_setaffinity_np (pthread_self (), gomp_cpuset_size, set);
}

/* Does THREAD have the process's mask?  */

static bool
gomp_amp_unconfined_p (pthread_t thread)
{
  cpu_set_t *set = gomp_alloca (gomp_cpuset_size);

  CPU_ZERO_S (gomp_cpuset_size, set);
  return (pthread_getaffinity_np (thread, gomp_cpuset_size, set) == 0
	  && memcmp (set, gomp_amp_weighted.all, gomp_cpuset_size) == 0);
}

/* Has THREAD exactly CPU as its mask?  */

static bool
gomp_amp_bound_to_p (pthread_t thread, unsigned cpu)
{
  cpu_set_t *set = gomp_alloca (gomp_cpuset_size);

  CPU_ZERO_S (gomp_cpuset_size, set);
  return (pthread_getaffinity_np (thread, gomp_cpuset_size, set) == 0
	  && gomp_cpuset_popcount (gomp_cpuset_size, set) == 1
	  && CPU_ISSET_S (cpu, gomp_cpuset_size, set));
}

static void
gomp_amp_bind (unsigned cpu)
{
  cpu_set_t *set = gomp_alloca (gomp_cpuset_size);

  CPU_ZERO_S (gomp_cpuset_size, set);
  CPU_SET_S (cpu, gomp_cpuset_size, set);
  gomp_amp_set_affinity (set);
}

/* The CPU of a thread of CREW.  */

static inline unsigned
gomp_amp_cpu_of (const struct gomp_amp_crew *crew, unsigned thread)
{
  return gomp_amp_weighted.cpu[crew->group_of[thread]];
}

/* Is the calling thread where we have bound it?  */

static bool
gomp_amp_still_bound_p (void)
{
  const struct gomp_team *team = gomp_thread ()->ts.team;

  return (gomp_amp_seat.bound
	  && !(team != NULL && team->amp_crew != NULL
	       && __atomic_load_n (&team->amp_crew->own_masks,
				   MEMMODEL_RELAXED))
	  && gomp_amp_bound_to_p (pthread_self (), gomp_amp_seat.cpu));
}

/* Has any thread of CREW, whose threads are POOL's, a mask that is neither ours
   nor, if it is the first one, the process's?  */

static bool
gomp_amp_own_masks_p (struct gomp_thread_pool *pool, struct gomp_amp_crew *crew)
{
  bool found = __atomic_load_n (&crew->own_masks, MEMMODEL_RELAXED);
  unsigned i;

  for (i = 0; i < crew->nthreads && !found; i++)
    {
      pthread_t thread = gomp_thread_to_pthread_t (pool->threads[i]);

      found = (!gomp_amp_bound_to_p (thread, gomp_amp_cpu_of (crew, i))
	       && !(i == 0 && gomp_amp_unconfined_p (thread)));
    }
  if (found)
    __atomic_store_n (&crew->own_masks, true, MEMMODEL_RELAXED);
  return found;
}

/* A child process runs where its parent may, not where the thread that forked
   was put.  */

static void
gomp_amp_crews_after_fork (void)
{
  gomp_mutex_init (&gomp_amp_settle_lock);
  if (gomp_amp_still_bound_p ())
    gomp_amp_set_affinity (gomp_amp_weighted.all);
  gomp_amp_seat.bound = false;
}

/* How the calling thread, of group G in a team of NTHREADS, is to wait from now
   on; ALONE if nobody else of the group is to run meanwhile.  */

static inline void
gomp_amp_sit (const struct gomp_amp_group *g, unsigned nthreads, bool alone)
{
  gomp_amp_seat.wait = (alone && gomp_amp_weighted.may_spin
			? GOMP_AMP_WAIT_ALONE : GOMP_AMP_WAIT_SHARED);
  gomp_amp_seat.threads = nthreads;
}

static void
gomp_amp_sit_in (struct gomp_amp_crew *crew, unsigned thread)
{
  struct gomp_amp_group *g;

  if (crew == NULL)
    {
      gomp_amp_seat.wait = GOMP_AMP_WAIT_STOCK;
      return;
    }
  g = gomp_amp_group (crew, thread);
  gomp_amp_sit (g, crew->nthreads, g->size == 1);
}

void
gomp_amp_thread_begins (struct gomp_thread *thr, bool nested)
{
  struct gomp_amp_crew *crew = thr->ts.team->amp_crew;

  if (!gomp_amp_weighted.places_teams)
    return;
  if (!nested && crew != NULL)
    {
      gomp_amp_seat.cpu = gomp_amp_cpu_of (crew, thr->ts.team_id);
      gomp_amp_bind (gomp_amp_seat.cpu);
      gomp_amp_seat.bound = true;
      gomp_amp_sit_in (crew, thr->ts.team_id);
    }
  else if (nested)
    {
      /* The mask is that of the thread that made this one.  */
      const struct gomp_team_state *maker = &thr->ts.team->prev_ts;

      if (maker->team == NULL || maker->team->amp_crew == NULL)
	return;
      crew = maker->team->amp_crew;
      if (gomp_amp_bound_to_p (pthread_self (),
			       gomp_amp_cpu_of (crew, maker->team_id))
	  && !gomp_amp_own_masks_p (thr->thread_pool, crew))
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
  unsigned cpu = gomp_amp_cpu_of (team->amp_crew, 0);

  gomp_amp_sit_in (team->amp_crew, 0);
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
	  if (!gomp_amp_unconfined_p (pthread_self ()))
	    gomp_amp_root = GOMP_AMP_ROOT_OWN;
	  else
	    {
	      gomp_amp_bind (cpu);
	      gomp_amp_set_affinity (gomp_amp_weighted.all);
	    }
	}
    }
  else if (!gomp_amp_unconfined_p (pthread_self ()))
    gomp_amp_root = GOMP_AMP_ROOT_OWN;
  else
    {
      gomp_amp_bind (cpu);
      gomp_amp_seat.cpu = cpu;
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

  team->amp_crew->at_dock = true;
  gomp_amp_seat.wait = GOMP_AMP_WAIT_STOCK;
  if (gomp_amp_seat.bound)
    {
      if (gomp_amp_bound_to_p (pthread_self (), gomp_amp_seat.cpu)
	  && (gomp_amp_doubted == GOMP_AMP_DOUBTED
	      || !gomp_amp_own_masks_p (gomp_thread ()->thread_pool,
					team->amp_crew)))
	gomp_amp_set_affinity (gomp_amp_weighted.all);
      else
	{
	  gomp_amp_root = GOMP_AMP_ROOT_OWN;
	  __atomic_store_n (&team->amp_crew->own_masks, true,
			    MEMMODEL_RELAXED);
	}
      if (gomp_amp_doubted < GOMP_AMP_DOUBTED)
	gomp_amp_doubted++;
      gomp_amp_seat.bound = false;
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
  return gomp_amp_still_bound_p () ? (int) gomp_available_cpus : 0;
}

#endif

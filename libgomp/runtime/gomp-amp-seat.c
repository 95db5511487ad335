/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPU the threads of weighted teams are on, and how they sit there.

   Threads other than the first are bound when they start: a pool's thread
   keeps its number, and a number its CPU, however large the team is.  The
   first thread is the program's; see gomp_amp_sit_first.  */

#include "gomp-amp-glue.h"

#ifdef GOMP_AMP_CREWS

__thread struct gomp_amp_seat gomp_amp_seat;
/* The region that the thread is in as its team's first one began then, or 0;
   and how long the last ones took.  In ticks.  */
static __thread uint64_t gomp_amp_region_begun, gomp_amp_region_mean;

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
gomp_amp_crews_after_fork (void)
{
  if (gomp_amp_seat.bound)
    {
      gomp_amp_seat.bound = false;
      gomp_amp_set_affinity (gomp_amp_weighted.all);
    }
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
      unsigned which = crew->group_of[thr->ts.team_id];

      gomp_amp_bind (gomp_amp_weighted.cpu[which]);
      gomp_amp_seat.bound = true;
      gomp_amp_sit_in (crew, thr->ts.team_id);
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

  team->amp_crew->at_dock = true;
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

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   How the threads of a weighted team wait.

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
   number of those present below.  The last to arrive begins a new generation
   before it releases anybody, and nobody can arrive twice in one; so a sleeper
   that takes itself out by compare-and-swap takes itself out of the meeting
   that it is in, or nothing.  `word' has a bit that a release turns, and pokes
   above it; a sleeper waits for the bit to turn, which it does once before the
   sleeper comes to that word again.

   The life of a crew.  It belongs to one team for its whole life; sizes of
   groups and places of threads do not change in it.  TEAM goes only when the
   first thread has ended a later region, or waited for all threads of the pool.
   So every thread that was at the dock in the crew has left it by then, for
   each has come to that end; but those whom a smaller team has let go, for
   whom nobody waits.  Hence `users': the team, and each thread that is let go.
   The first thread adds these before it opens the dock, when none can have
   left, and each of them takes itself away after its last access; the last
   user of all frees the crew.  So no thread touches a crew that is freed, and
   none touches another team's.

   Memory order: a thread's arrival (sequentially consistent) is continued by
   its group's later ones, the last of which continues into the team's barrier
   (acq_rel); the way back is the barrier's release and acquire, and then
   gomp_amp_release (release) and the sleeper's load of the word (acquire).
   Arrivals at the dock go by `docked' (acq_rel) and the dock in the same way.
   `users': what the first thread adds is ordered by the dock; subtractions are
   acq_rel, so that who frees comes after all accesses.  */

#include "gomp-amp-glue.h"

#ifdef GOMP_AMP_CREWS

#define AMP_MEET_SHIFT 16
#define AMP_MEET_MASK ((1U << AMP_MEET_SHIFT) - 1)
#define AMP_RELEASE_BIT 1U
#define AMP_POKE 2U

/* One of CREW's users is done with it.  */

static void
gomp_amp_put_crew (struct gomp_amp_crew *crew)
{
  if (__atomic_sub_fetch (&crew->users, 1, MEMMODEL_ACQ_REL) == 0)
    gomp_aligned_free (crew);
}

/* TEAM comes from the allocator; the calling thread is to be its first.  */

GOMP_AMP_PART void
gomp_amp_new_crew (struct gomp_team *team)
{
  const unsigned ncpus = gomp_amp_weighted.ncpus;
  struct gomp_amp_crew *crew;
  unsigned *load, i;
  size_t size;

  team->amp_crew = NULL;
  /* libgomp keeps no team that is begun while the thread is in one, be it one
     of level 0 that a task outside of regions has made.  */
  if (!gomp_amp_weighted.places_teams || team->nthreads == 1
      || gomp_thread ()->ts.team != NULL || team->nthreads > AMP_MEET_MASK)
    return;
  /* In a region for a device that runs on the host the level begins anew.  */
  if (gomp_amp_seat.wait != GOMP_AMP_WAIT_STOCK)
    return;
  if (gomp_amp_root == GOMP_AMP_ROOT_NEW)
    gomp_amp_root = (gomp_amp_unconfined_p (pthread_self ())
		     ? GOMP_AMP_ROOT_OURS : GOMP_AMP_ROOT_OWN);
  if (gomp_amp_root != GOMP_AMP_ROOT_OURS)
    return;
  size = sizeof *crew + ncpus * sizeof crew->group[0];
  crew = gomp_aligned_alloc (AMP_LINE,
			     AMP_ROUND_LINE (size + (team->nthreads
						     * sizeof (short))));
  memset (crew, 0, size);
  crew->users = 1;
  crew->nthreads = team->nthreads;
  crew->group_of = (unsigned short *) ((char *) crew + size);
  load = gomp_malloc (ncpus * sizeof *load);
  amp_place_threads (gomp_amp_weighted.speed, ncpus, team->nthreads,
		     crew->group_of, load);
  for (i = 0; i < ncpus; i++)
    crew->group[i].size = load[i];
  crew->group[crew->group_of[0]].has_first = true;
  free (load);
  team->amp_crew = crew;
}

GOMP_AMP_PART_INLINE void
gomp_amp_free_crew (struct gomp_team *team)
{
  if (team->amp_crew != NULL)
    gomp_amp_put_crew (team->amp_crew);
}

/* Release those who sleep on WORD.  */

static inline void
gomp_amp_release (unsigned *word)
{
  __atomic_fetch_xor (word, AMP_RELEASE_BIT, MEMMODEL_RELEASE);
  futex_wake ((int *) word, INT_MAX);
}

/* Has WORD been released since it was SEEN?  */

static inline bool
gomp_amp_released_p (unsigned word, unsigned seen)
{
  return ((word ^ seen) & AMP_RELEASE_BIT) != 0;
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
  __atomic_fetch_add (word, AMP_POKE, MEMMODEL_RELAXED);
  futex_wake ((int *) word, 1);
}

/* TEAM, which has a crew, may have tasks that nobody is at its barrier for.
   The calling thread need not be of TEAM; then it holds its task_lock, so that
   TEAM does not go.  */

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
  struct gomp_amp_crew *crew = team->amp_crew;
  struct gomp_amp_group *g = NULL;

  if (crew != NULL)
    g = gomp_amp_group (crew, thr->ts.team_id);
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
  /* TEAM may be gone, CREW is not.  */
  if (thr->fn != NULL)
    {
      /* If it is TEAM again, or the thread is to end by a function of the
	 pool's, CREW is the right one.  */
      if (thr->ts.team != team)
	crew = thr->ts.team->amp_crew;
      gomp_amp_sit_in (crew, thr->ts.team_id);
    }
  else if (crew != NULL)
    gomp_amp_put_crew (crew);
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

/* Those who are at DOCK, which is the calling thread's pool's, came there from
   the pool's last team, which libgomp keeps; unless that is begun again, and
   then it is the thread's own.  A new pool's threads come from none.  A thread
   may have another pool for a while: regions for a device that run on the host
   do that.  */

void
gomp_amp_dock (gomp_simple_barrier_t *dock)
{
  struct gomp_thread *thr = gomp_thread ();
  struct gomp_team *team = thr->thread_pool->last_team;
  struct gomp_amp_crew *crew;
  struct gomp_amp_group *g;
  unsigned seen;

  if (team == NULL)
    team = thr->ts.team;
  crew = team->amp_crew;
  if (crew == NULL || !crew->at_dock)
    {
      gomp_simple_barrier_wait (dock);
      return;
    }
  crew->at_dock = false;
  /* Who is in no region ends the whole pool, and waits for all its threads.  */
  if (thr->ts.level != 0 && thr->ts.team->nthreads < crew->nthreads)
    __atomic_fetch_add (&crew->users,
			crew->nthreads - thr->ts.team->nthreads,
			MEMMODEL_RELAXED);
  g = gomp_amp_group (crew, 0);
  if (!gomp_amp_meets_p (g))
    {
      gomp_simple_barrier_wait (dock);
      return;
    }
  seen = __atomic_load_n (&g->end.word, MEMMODEL_ACQUIRE);
  if (!gomp_amp_dock_some (g, 1, dock))
    gomp_amp_sleep (&g->end.word, seen);
}

#endif

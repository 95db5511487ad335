/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Weighted teams: what GOMP_AMP_TEAM asks for, and how fast the CPUs are.  See
   gomp-amp-team-wait.h.  */

#include "gomp-amp-glue.h"

#ifdef GOMP_AMP_CREWS

/* For the time that gomp_amp_settle_team takes.  */
static gomp_mutex_t gomp_amp_settle_lock;

/* Steps at most, where 3 ms are 400 of a fast CPU.  */
#define GOMP_AMP_CALIBRATE_STEPS 4000

/* Nanoseconds of CPU time of the calling thread; 0 where the system has no such
   clock, or refuses it.  */

static uint64_t
gomp_amp_cpu_time (void)
{
  struct timespec ts;

  if (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &ts) != 0)
    return 0;
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* How fast the CPU is that the calling thread is bound to, in steps of some
   arithmetic per nanosecond of its own time, which other programs do not
   change; 0 if the clock does not tell.  */

static double
gomp_amp_calibrate (uint64_t nanoseconds)
{
  uint64_t begun = gomp_amp_cpu_time (), now, steps = 0, x = 1;
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
      now = gomp_amp_cpu_time ();
    }
  while (now >= begun && now - begun < nanoseconds
	 && steps < GOMP_AMP_CALIBRATE_STEPS);
  return now > begun ? (double) steps / (double) (now - begun) : 0.0;
}

/* Store how fast each type is in SPEED: what the user says; or what a file says
   of the program's loops, as if they took equally long; or what the system
   says.  False if nothing tells the CPUs apart but a measurement.  */

static bool
gomp_amp_type_speeds (double speed[AMP_TOPOLOGY_TYPES])
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned type;

  for (type = 0; type < t->types; type++)
    if (gomp_amp_sf != NULL)
      speed[type] = gomp_amp_sf[type];
    else if (gomp_amp_know_sf)
      speed[type] = gomp_amp_file_speed (type);
    else if (t->capacity[type] != 0)
      speed[type] = t->capacity[type];
    else
      return false;
  return true;
}

/* The same by a measurement here.  False if that fails.  */

static bool
gomp_amp_measure_types (double speed[AMP_TOPOLOGY_TYPES])
{
  const struct amp_topology *t = &gomp_amp_topology;
  cpu_set_t *mine = gomp_alloca (gomp_cpuset_size);
  unsigned type, i;
  bool works = true;

  CPU_ZERO_S (gomp_cpuset_size, mine);
  if (pthread_getaffinity_np (pthread_self (), gomp_cpuset_size, mine) != 0)
    return false;
  for (type = 0; type < t->types && works; type++)
    {
      for (i = 0; t->type[t->order[i]] != type; i++)
	;
      gomp_amp_bind (t->order[i]);
      /* The first part lets the clock rise.  */
      gomp_amp_calibrate (1000000);
      speed[type] = gomp_amp_calibrate (2000000);
      works = speed[type] > 0.0;
    }
  gomp_amp_set_affinity (mine);
  return works;
}

/* CPUs of each type are as fast as SPEED says.  */

static void
gomp_amp_begin_placing (const double speed[AMP_TOPOLOGY_TYPES])
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned short order[AMP_MAX_CPUS], cpu[AMP_MAX_CPUS];
  unsigned i, size;

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
  /* Alike to within the slack.  */
  if (amp_place_plain (gomp_amp_weighted.speed, t->norder, size, cpu,
		       gomp_amp_weighted.load))
    return;
  if (!gomp_amp_weighted.size_given)
    {
      if (gomp_global_icv.dyn_var && size > gomp_available_cpus)
	size = gomp_available_cpus;
      if (size > gomp_global_icv.thread_limit_var)
	size = gomp_global_icv.thread_limit_var;
      gomp_global_icv.nthreads_var = size;
    }
  gomp_amp_weighted.places_teams = true;
  /* Its threads are equally fast, so for the core's loops all CPUs are.  */
  gomp_amp_forget_types ();
}

/* A thread that has no ICVs of its own yet asks for them: the first one
   measures how fast CPUs are, if that is what is missing, before anybody can
   know how many threads a team will have.  So a process without teams measures
   nothing.  */

void
gomp_amp_settle_team (void)
{
  double speed[AMP_TOPOLOGY_TYPES];

  if (__builtin_expect (!__atomic_load_n (&gomp_amp_weighted.unsettled,
					  MEMMODEL_ACQUIRE), 1))
    return;
  gomp_mutex_lock (&gomp_amp_settle_lock);
  if (gomp_amp_weighted.unsettled)
    {
      if (gomp_amp_measure_types (speed))
	gomp_amp_begin_placing (speed);
      __atomic_store_n (&gomp_amp_weighted.unsettled, false, MEMMODEL_RELEASE);
    }
  gomp_mutex_unlock (&gomp_amp_settle_lock);
}

GOMP_AMP_PART const char *
gomp_amp_read_team (const char *value, char message[AMP_MESSAGE_MAX])
{
  return (value != NULL
	  ? amp_parse_team (value, &gomp_amp_weighted.most, message) : NULL);
}

GOMP_AMP_PART void
gomp_amp_show_team (const char *name __attribute__ ((unused)))
{
  if (gomp_amp_weighted.most == 0)
    fputs ("OFF", stderr);
  else
    fprintf (stderr, "WEIGHTED,%u", gomp_amp_weighted.most);
}

GOMP_AMP_PART void
gomp_amp_init_team (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  double speed[AMP_TOPOLOGY_TYPES];
  double quota;

  if (gomp_amp_weighted.most == 0)
    return;
  if (gomp_amp_placed || gomp_places_list != NULL)
    {
      gomp_error ("GOMP_AMP_TEAM does not place threads, because "
		  "OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY or "
		  "GOMP_AMP_AFFINITY is set");
      gomp_amp_weighted.most = 0;
      return;
    }
  if (gomp_cpusetp == NULL || t->norder < 2 || t->types < 2)
    return;
  gomp_amp_weighted.all = gomp_malloc (gomp_cpuset_size);
  memcpy (gomp_amp_weighted.all, gomp_cpusetp, gomp_cpuset_size);
  gomp_amp_weighted.size_given = gomp_amp_num_threads_p ();
  quota = amp_read_quota (&gomp_amp_source);
  gomp_amp_weighted.may_spin = !(quota > 0.0 && quota < t->norder);
  gomp_mutex_init (&gomp_amp_settle_lock);
  if (gomp_amp_type_speeds (speed))
    gomp_amp_begin_placing (speed);
  else
    gomp_amp_weighted.unsettled = true;
}

GOMP_AMP_PART void
gomp_amp_display_team (void)
{
  unsigned short *cpu;
  unsigned i;

  gomp_amp_settle_team ();
  /* From GCC 13 on OMP_NUM_THREADS is shown as the user gave it.  */
  fprintf (stderr, "  [host] threads of a team = '%lu'\n",
	   gomp_global_icv.nthreads_var);
  if (gomp_amp_weighted.most == 0)
    return;
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

void
gomp_amp_settle_team (void)
{
}

#endif

/* Which CPU the threads of weighted teams are on, and how they sit there.
   Threads other than the first are bound when they start: a pool's thread
   keeps its number, and a number its CPU, however large the team is.  The
   first thread is the program's; see gomp_amp_sit_first.
   A mask that the program has set stays.  So a mask of ours is taken back only
   from a thread that still has it, and where the program might have set the
   same one, only if the others of the team have none of their own: a program
   that binds one of its threads binds them all.  */

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

GOMP_AMP_PART void
gomp_amp_set_affinity (const cpu_set_t *set)
{
  pthread_setaffinity_np (pthread_self (), gomp_cpuset_size, set);
}

/* Does THREAD have the process's mask?  */

GOMP_AMP_PART bool
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

GOMP_AMP_PART void
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

GOMP_AMP_PART void
gomp_amp_crews_after_fork (void)
{
  gomp_mutex_init (&gomp_amp_settle_lock);
  if (gomp_amp_still_bound_p ())
    gomp_amp_set_affinity (gomp_amp_weighted.all);
  gomp_amp_seat.bound = false;
}

/* How the calling thread, of group G in a team of NTHREADS, is to wait from now
   on; ALONE if nobody else of the group is to run meanwhile.  */

GOMP_AMP_PART_INLINE void
gomp_amp_sit (const struct gomp_amp_group *g, unsigned nthreads, bool alone)
{
  gomp_amp_seat.wait = (alone && gomp_amp_weighted.may_spin
			? GOMP_AMP_WAIT_ALONE : GOMP_AMP_WAIT_SHARED);
  gomp_amp_seat.threads = nthreads;
}

GOMP_AMP_PART void
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

GOMP_AMP_PART_INLINE void
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

GOMP_AMP_PART_INLINE void
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

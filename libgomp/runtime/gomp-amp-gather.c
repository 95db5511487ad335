/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Teams with all threads on the fast CPUs, where nothing is set and slow CPUs
   would hold up the rest: amp-gather.c says when.  What a program can see of
   its threads stays the same, so this suits any.  Such a team has a crew, as
   weighted ones have, and its loops without a clause are static.

   Only teams of the thread that has begun the program's first one are put
   there, and only as long as no other thread begins any; where divisions are
   drawn at random, any.  */

#include "gomp-amp-glue.h"

#ifdef HAVE_TLS

#ifdef GOMP_AMP_CREWS

#include "amp-gather.c"

/* Regions that take so long, in nanoseconds, decide.  */
#define GOMP_AMP_GATHER_WINDOW 5000000

/* A region's time is a mean over the last ones, about as many.  */
#define GOMP_AMP_GATHER_MEAN 64

/* Teams may be put there.  Constant after the constructor, but that it may
   become false.  */
static bool gomp_amp_gathers;
static struct amp_gather gomp_amp_gathering;
/* Whose teams; or NULL.  */
static struct gomp_thread *gomp_amp_gatherer;
static unsigned gomp_amp_fast_cpus;	/* How many there are.  */

/* Of the thread whose teams they are.  */
static struct
{
  bool timed;			/* The last region was.  */
  uint64_t since, own_since;	/* When that ended, or else this one began,
				   by the clock, and by what the thread had of
				   its CPU.  */
  uint64_t own_between;		/* What it had of it between both.  */
  bool on_fast;			/* This one began on a fast CPU.  */
} gomp_amp_between;

GOMP_AMP_PART void
gomp_amp_init_gather (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  double speed[AMP_TOPOLOGY_TYPES];
  unsigned i;

  if (gomp_amp_placed || gomp_places_list != NULL || gomp_cancel_var
      || gomp_amp_record_file[GOMP_AMP_RECORD_REGIONS] != NULL
      || !gomp_amp_check.shuffle
      || !gomp_amp_may_place ())
    return;
  /* Nobody is placed on those of the slowest type.  */
  for (i = 0; i < t->types; i++)
    speed[i] = i + 1 < t->types ? 1.0 : 1e-9;
  gomp_amp_init_placing (speed);
  for (i = 0; i < t->norder; i++)
    gomp_amp_fast_cpus += gomp_amp_weighted.speed[i] == 1.0;
  gomp_amp_gathering.window = GOMP_AMP_GATHER_WINDOW;
  gomp_amp_gathers = true;
  AMP_STORE (&gomp_amp_some_alone, true, AMP_RELAXED);
}

GOMP_AMP_PART void
gomp_amp_stop_gathering (void)
{
  gomp_amp_gathered = false;
  if (AMP_LOAD (&gomp_amp_gathers, AMP_RELAXED))
    AMP_STORE (&gomp_amp_gathers, false, AMP_RELAXED);
}

bool
gomp_amp_reuse_p (const struct gomp_team *last)
{
  return (gomp_amp_weighted.most != 0 || last->nthreads == 1
	  || (last->amp_crew != NULL) == gomp_amp_gathered);
}

/* Does the calling thread run on a fast CPU?  */

static bool
gomp_amp_on_fast_p (void)
{
  int cpu = sched_getcpu ();

  return (cpu >= 0 && cpu < AMP_MAX_CPUS
	  && gomp_amp_topology.type[cpu] + 1u < gomp_amp_topology.types);
}

/* The calling thread begins a region, whose team is put on fast CPUs or not
   from here on; not unless it MAY.  True if it is to be timed, for
   gomp_amp_end_gather.  */

GOMP_AMP_PART bool
gomp_amp_begin_gather (bool may)
{
  struct gomp_thread *thr = gomp_thread (), *none = NULL;
  uint64_t now;

  if (!AMP_LOAD (&gomp_amp_gathers, AMP_RELAXED) || !may)
    {
      gomp_amp_gathered = false;
      return false;
    }
  if (gomp_amp_check.shuffle)
    {
      gomp_amp_gathered = gomp_amp_draw_p ();
      return false;
    }
  if (gomp_amp_gatherer != thr
      && !AMP_CAS (&gomp_amp_gatherer, &none, thr, AMP_RELAXED))
    {
      gomp_amp_stop_gathering ();
      return false;
    }
  now = gomp_amp_monotonic ();
  amp_gather_begin (&gomp_amp_gathering, now);
  gomp_amp_gathered = amp_gather_together_p (&gomp_amp_gathering);
  if (!amp_gather_timed_p (&gomp_amp_gathering))
    {
      gomp_amp_between.timed = false;
      return false;
    }
  gomp_amp_between.own_between
    = (gomp_amp_between.timed
       ? amp_cpu_ticks () - gomp_amp_between.own_since : 0);
  if (!gomp_amp_between.timed)
    gomp_amp_between.since = now;
  gomp_amp_between.on_fast = gomp_amp_on_fast_p ();
  return true;
}

/* ... has ended, with a team of LANES, of which the first thread worked OWN
   nanoseconds of its CPU's time.  APART: what is known of
   the region.  */

GOMP_AMP_PART void
gomp_amp_end_gather (struct gomp_amp_apart *apart, unsigned lanes, double own)
{
  unsigned rounds = (lanes + gomp_amp_fast_cpus - 1) / gomp_amp_fast_cpus;
  uint64_t now = gomp_amp_monotonic ();
  double took = (double) (now - gomp_amp_between.since), expected = took;

  gomp_amp_between.timed = true;
  gomp_amp_between.since = now;
  gomp_amp_between.own_since = amp_cpu_ticks ();
  if (!amp_gather_timed_p (&gomp_amp_gathering) || lanes < 2
      || lanes > gomp_amp_weighted.ncpus)
    return;
  if (!gomp_amp_gathered)
    {
      if (apart->count < GOMP_AMP_GATHER_MEAN)
	apart->count++;
      apart->mean += (took - apart->mean) / apart->count;
      /* On a slow CPU its work says nothing of fast ones.  */
      if (gomp_amp_between.on_fast && gomp_amp_on_fast_p ())
	expected = own * rounds + (double) gomp_amp_between.own_between;
    }
  else
    expected = apart->mean;
  amp_gather_end (&gomp_amp_gathering, now, took, expected);
}

#else

static inline bool
gomp_amp_begin_gather (bool may __attribute__ ((unused)))
{
  return false;
}

static inline void
gomp_amp_end_gather (struct gomp_amp_apart *apart __attribute__ ((unused)),
		     unsigned lanes __attribute__ ((unused)),
		     double own __attribute__ ((unused)))
{
}

#endif

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Regions for which one thread is faster than a team.

   Where the compiler says that a team of any size suits a region, and that
   nothing in it tells how many threads there are, its first thread may run it
   alone, without a team: nobody can tell the difference.  That is faster where
   starting a team and waiting for it takes longer than the others' share of the
   work, or where their share takes them too long: amp-alone.c.

   A region is known by its function: address, and the beginning of the code,
   since other code may come to stand where some was unloaded.  */

#include "gomp-amp-glue.h"

#ifdef HAVE_TLS

#include "amp-alone.c"

#define GOMP_AMP_ALONE_REGIONS 1024
/* A region has one of so many places.  */
#define GOMP_AMP_ALONE_PLACES 4
#define GOMP_AMP_ALONE_CODE 32

static struct
{
  void (*fn) (void *);		/* Set once; NULL: free.  */
  uint64_t code;		/* Likewise, before something else is known;
				   0: not yet.  */
  struct amp_alone alone;
} gomp_amp_alone_regions[GOMP_AMP_ALONE_REGIONS];

bool gomp_amp_some_alone;

/* What the calling thread has met in the region that it runs here.  */
static __thread struct
{
  bool told;			/* The compiler says: any team suits.  */
  bool asked;			/* Loops are to be noted: ...  */
  uint64_t n;			/* ... their iterations, ...  */
  double work;			/* ... what these take this thread,
				   where it is known, ...  */
  uint64_t waited;		/* ... and ticks at barriers.  */
} gomp_amp_region;

__thread bool gomp_amp_waits_timed;

void
gomp_amp_timed_wait_end (struct gomp_team *team, gomp_barrier_state_t state)
{
  uint64_t begun = amp_ticks ();

  gomp_amp_waits_timed = false;
  gomp_amp_team_barrier_wait_end (team, state);
  gomp_amp_waits_timed = true;
  gomp_amp_region.waited += amp_ticks () - begun;
}

void
gomp_amp_note_any_team (void)
{
  gomp_amp_region.told = true;
  /* A region can be cancelled only in a team, and who records regions asks for
     all.  */
  if (!AMP_LOAD (&gomp_amp_some_alone, AMP_RELAXED)
      && (gomp_amp_may_judge_p () || gomp_amp_check.shuffle)
      && !gomp_cancel_var
      && gomp_amp_record_file[GOMP_AMP_RECORD_REGIONS] == NULL)
    AMP_STORE (&gomp_amp_some_alone, true, AMP_RELAXED);
}

GOMP_AMP_PART_INLINE void
gomp_amp_note_trips (struct gomp_thread *thr, const void *address, uint64_t n,
		     bool bare)
{
  unsigned type;
  struct amp_site *site;

  if (__builtin_expect (!gomp_amp_region.asked, 1))
    return;
  gomp_amp_region.n += n;
  if (bare || thr->ts.team == NULL)
    return;
  type = amp_current_type ();
  site = gomp_amp_look_up_site (address, thr->ts.team->nthreads, n);
  if (site != NULL && type < site->types)
    gomp_amp_region.work
      += (double) n * amp_load_double (&amp_site_costs (site)[type]);
}

/* A number that tells the first bytes of FN's code apart, or 0.  */

static inline uint64_t
gomp_amp_alone_code (void (*fn) (void *))
{
  uintptr_t at = (uintptr_t) fn;
  uint64_t part[GOMP_AMP_ALONE_CODE / sizeof (uint64_t)], code = 1;
  unsigned i;

  /* What follows may be another page, which need not be there.  */
  if (at % 4096 > 4096 - GOMP_AMP_ALONE_CODE)
    return 0;
  memcpy (part, (const void *) at, sizeof part);
  for (i = 0; i < sizeof part / sizeof part[0]; i++)
    code = (code ^ part[i]) * UINT64_C (0x9e3779b97f4a7c15);
  return code | 1;
}

/* What is known of FN's region, or NULL if others have its places.  */

static struct amp_alone *
gomp_amp_find_alone (void (*fn) (void *))
{
  uint32_t hash = (uint32_t) (uintptr_t) fn * 0x9e3779b1U;
  unsigned i = hash / (UINT32_MAX / GOMP_AMP_ALONE_REGIONS + 1), k = 0;
  void (*known) (void *);
  uint64_t code, before;

  for (;; i = (i + 1) % GOMP_AMP_ALONE_REGIONS)
    {
      known = AMP_LOAD (&gomp_amp_alone_regions[i].fn, AMP_RELAXED);
      if (known == NULL && AMP_CAS (&gomp_amp_alone_regions[i].fn, &known, fn,
				    AMP_RELAXED))
	known = fn;
      if (known == fn)
	break;
      if (++k == GOMP_AMP_ALONE_PLACES)
	return NULL;
    }
  code = gomp_amp_alone_code (fn);
  before = AMP_LOAD (&gomp_amp_alone_regions[i].code, AMP_RELAXED);
  if (before == 0)
    AMP_STORE (&gomp_amp_alone_regions[i].code, code, AMP_RELAXED);
  return (code == 0 || (before != 0 && before != code) ? NULL
	  : &gomp_amp_alone_regions[i].alone);
}

/* Run the region of FN with DATA as a team, which begins as FLAGS say, and find
   out how long it takes.  */

static void
gomp_amp_time_team (struct amp_alone *a, void (*fn) (void *), void *data,
		    unsigned flags)
{
  unsigned lanes = gomp_resolve_num_threads (0, 0);
  uint64_t begun = amp_ticks (), entered, left;
  double busy;

  gomp_team_start (fn, data, lanes, flags,
		   gomp_new_team (lanes) GOMP_AMP_NO_TASKGROUP);
  gomp_amp_waits_timed = true;
  entered = amp_ticks ();
  fn (data);
  left = amp_ticks ();
  gomp_amp_waits_timed = false;
  GOMP_parallel_end ();
  busy = (double) (left - entered) - (double) gomp_amp_region.waited;
  /* Static blocks are even.  */
  amp_alone_end_team (a, gomp_amp_region.n, (double) (amp_ticks () - begun),
		      gomp_amp_region.work > 0.0 ? gomp_amp_region.work
		      : busy * (double) lanes);
}

/* How the region of which A is known is to be run, where that is drawn at
   random.  In its first execution a team finds out if it is told.  */

static enum amp_alone_phase
gomp_amp_draw_phase (struct amp_alone *a)
{
  static uint64_t draws;
  enum amp_alone_phase phase
    = (enum amp_alone_phase) AMP_LOAD (&a->phase, AMP_RELAXED);

  return (phase == AMP_ALONE_ONE
	  && amp_draw (gomp_amp_check.seed,
		       AMP_FETCH_ADD (&draws, 1, AMP_RELAXED)) % 2
	  ? AMP_ALONE_TEAM : phase);
}

bool
gomp_amp_run_alone (void (*fn) (void *), void *data, unsigned num_threads,
		    unsigned flags)
{
  struct gomp_thread *thr = gomp_thread ();
  enum amp_alone_phase phase;
  struct amp_alone *a;
  uint64_t begun;

  /* In an orphaned construct outside of regions the loop would take the work
     share's place.  */
  if (num_threads != 0 || thr->ts.team != NULL || thr->ts.work_share != NULL
      || !(gomp_amp_may_judge_p () || gomp_amp_check.shuffle)
      || (a = gomp_amp_find_alone (fn)) == NULL)
    return false;
  phase = gomp_amp_check.shuffle ? gomp_amp_draw_phase (a)
	  : amp_alone_begin (a);
  if (phase == AMP_ALONE_TEAM || phase == AMP_ALONE_NEVER)
    return false;
  memset (&gomp_amp_region, 0, sizeof gomp_amp_region);
  gomp_amp_region.asked = true;
  if (phase == AMP_ALONE_TIMING)
    gomp_amp_time_team (a, fn, data, flags);
  else
    {
      begun = amp_ticks ();
      fn (data);
      if (phase == AMP_ALONE_TRYING)
	amp_alone_end_one (a, gomp_amp_region.n,
			   (double) (amp_ticks () - begun));
      else
	amp_alone_end (a, gomp_amp_region.n);
    }
  gomp_amp_region.asked = false;
  if (!gomp_amp_region.told)
    AMP_STORE (&a->phase, AMP_ALONE_NEVER, AMP_RELAXED);
  else if (gomp_amp_check.shuffle)
    AMP_STORE (&a->phase, AMP_ALONE_ONE, AMP_RELAXED);
  return true;
}

#else

void
gomp_amp_note_any_team (void)
{
}

GOMP_AMP_PART_INLINE void
gomp_amp_note_trips (struct gomp_thread *thr __attribute__ ((unused)),
		     const void *address __attribute__ ((unused)),
		     uint64_t n __attribute__ ((unused)),
		     bool bare __attribute__ ((unused)))
{
}

#endif

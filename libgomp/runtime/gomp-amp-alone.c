/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Regions that are too short for a team.

   A region that is one loop, which any division suits and which calls nothing
   unknown, may be run by its first thread alone, without a team: that is the
   division that gives it all iterations, and nobody can tell the difference.
   The compiler says of such a loop that it is all of its region.  One thread is
   faster where starting a team and waiting for it takes longer than the others'
   share of the work: amp-alone.c.

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

/* The loop that the calling thread began last and that is all that its region
   does.  */
static __thread struct
{
  const void *address;		/* NULL: none.  */
  uint64_t n;
  uint64_t block;		/* Iterations of the thread, if it has even
				   blocks; else 0.  */
  bool timed;
  uint64_t begun;		/* When, if it is timed.  */
} gomp_amp_last_lone;

GOMP_AMP_PART_INLINE void
gomp_amp_note_lone (const void *address, uint64_t n, uint64_t block)
{
  gomp_amp_last_lone.address = address;
  gomp_amp_last_lone.n = n;
  gomp_amp_last_lone.block = block;
  if (gomp_amp_last_lone.timed)
    gomp_amp_last_lone.begun = amp_ticks ();
  /* A region can be cancelled only in a team, and who records regions asks for
     all.  */
  if (!AMP_LOAD (&gomp_amp_some_alone, AMP_RELAXED) && gomp_amp_may_judge_p ()
      && !gomp_cancel_var
      && gomp_amp_record_file[GOMP_AMP_RECORD_REGIONS] == NULL)
    AMP_STORE (&gomp_amp_some_alone, true, AMP_RELAXED);
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

/* Ticks that the loop that the calling thread has noted, its part in which
   ended NOW, would take this thread alone; it was run by LANES.  0: not known
   yet.  */

static double
gomp_amp_alone_work (unsigned lanes, uint64_t now)
{
  uint64_t n = gomp_amp_last_lone.n;
  unsigned type = amp_current_type ();
  struct amp_site *site;

  if (gomp_amp_last_lone.block != 0)
    return ((double) (now - gomp_amp_last_lone.begun) * (double) n
	    / (double) gomp_amp_last_lone.block);
  site = gomp_amp_look_up_site (gomp_amp_last_lone.address, lanes, n);
  return (site == NULL || type >= site->types ? 0.0
	  : (double) n * amp_load_double (&amp_site_costs (site)[type]));
}

bool
gomp_amp_run_alone (void (*fn) (void *), void *data, unsigned num_threads,
		    unsigned flags)
{
  struct gomp_thread *thr = gomp_thread ();
  enum amp_alone_phase phase;
  struct amp_alone *a;
  unsigned lanes;
  uint64_t begun, now, mine;

  /* In an orphaned construct outside of regions the loop would take the work
     share's place.  */
  if (num_threads != 0 || thr->ts.team != NULL || thr->ts.work_share != NULL
      || !gomp_amp_may_judge_p () || (a = gomp_amp_find_alone (fn)) == NULL)
    return false;
  phase = amp_alone_begin (a);
  if (phase == AMP_ALONE_TEAM || phase == AMP_ALONE_NEVER)
    return false;
  gomp_amp_last_lone.address = NULL;
  if (phase == AMP_ALONE_ONE)
    {
      fn (data);
      amp_alone_end (a, gomp_amp_last_lone.n);
      return true;
    }
  begun = amp_ticks ();
  if (phase == AMP_ALONE_TRYING)
    {
      fn (data);
      now = amp_ticks ();
      amp_alone_end_one (a, gomp_amp_last_lone.n, (double) (now - begun));
      return true;
    }
  lanes = gomp_resolve_num_threads (0, 0);
  gomp_amp_last_lone.timed = true;
  gomp_team_start (fn, data, lanes, flags,
		   gomp_new_team (lanes) GOMP_AMP_NO_TASKGROUP);
  fn (data);
  mine = amp_ticks ();
  GOMP_parallel_end ();
  now = amp_ticks ();
  gomp_amp_last_lone.timed = false;
  if (gomp_amp_last_lone.address == NULL)
    AMP_STORE (&a->phase, AMP_ALONE_NEVER, AMP_RELAXED);
  else
    amp_alone_end_team (a, gomp_amp_last_lone.n, (double) (now - begun),
			gomp_amp_alone_work (lanes, mine));
  return true;
}

#else

GOMP_AMP_PART_INLINE void
gomp_amp_note_lone (const void *address __attribute__ ((unused)),
		    uint64_t n __attribute__ ((unused)),
		    uint64_t block __attribute__ ((unused)))
{
}

#endif

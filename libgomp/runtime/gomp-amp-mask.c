/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where the first threads of teams run, if the places are ours: those of
   GOMP_AMP_AFFINITY, one for each CPU, and that of GOMP_AMP_CORES, which holds
   all CPUs that are not left out.

   Threads of a pool are bound to their places by libgomp, and belong to it.
   The first thread is the program's: processes that it starts, and what it
   turns into by exec, inherit its mask, and many a program is a script that
   starts the one that is meant.  So it is kept in its place in regions alone,
   and only if it has the mask that the process had when the library was loaded;
   a thread that the program has bound is left where it is.  That takes four
   system calls a region, about 1500 nanoseconds.  */

#include "gomp-amp-glue.h"

/* The mask that the process had; NULL: the system does not tell.  */
GOMP_AMP_PART cpu_set_t *gomp_amp_process_mask;

/* The calling thread is kept in its place until that many regions of level 0
   have ended: several where one is in a region for a device that runs on the
   host, in which levels begin anew.  */
static GOMP_AMP_THREAD unsigned gomp_amp_kept;

void
gomp_amp_bind_initial (void)
{
  if (!gomp_amp_own_places)
    pthread_setaffinity_np (pthread_self (), gomp_cpuset_size,
			    (cpu_set_t *) gomp_places_list[0]);
}

GOMP_AMP_PART void
gomp_amp_init_mask (void)
{
  if (gomp_cpusetp == NULL)
    return;
  gomp_amp_process_mask = gomp_malloc (gomp_cpuset_size);
  memcpy (gomp_amp_process_mask, gomp_cpusetp, gomp_cpuset_size);
}

/* Has the calling thread the mask SET?  */

static bool
gomp_amp_has_mask_p (const cpu_set_t *set)
{
  cpu_set_t *now = gomp_alloca (gomp_cpuset_size);

  CPU_ZERO_S (gomp_cpuset_size, now);
  return (pthread_getaffinity_np (pthread_self (), gomp_cpuset_size, now) == 0
	  && CPU_EQUAL_S (gomp_cpuset_size, now, set));
}

GOMP_AMP_PART bool
gomp_amp_set_mask (const cpu_set_t *set)
{
  return pthread_setaffinity_np (pthread_self (), gomp_cpuset_size, set) == 0;
}

static inline const cpu_set_t *
gomp_amp_place_of (const struct gomp_thread *thr)
{
  return (const cpu_set_t *) gomp_places_list[thr->place - 1];
}

static void __attribute__ ((noinline))
gomp_amp_go_to_place (struct gomp_thread *thr)
{
  gomp_amp_kept = (gomp_amp_has_mask_p (gomp_amp_process_mask)
		   && gomp_amp_set_mask (gomp_amp_place_of (thr)));
}

static void __attribute__ ((noinline))
gomp_amp_leave_place (struct gomp_thread *thr)
{
  /* Unless the program has bound it meanwhile.  */
  if (gomp_amp_has_mask_p (gomp_amp_place_of (thr)))
    gomp_amp_set_mask (gomp_amp_process_mask);
}

GOMP_AMP_PART_INLINE void
gomp_amp_enter_region (struct gomp_thread *thr)
{
  if (__builtin_expect (gomp_amp_own_places, 0) && thr->ts.level == 0)
    {
      if (gomp_amp_kept != 0)
	gomp_amp_kept++;
      else if (thr->place != 0)
	gomp_amp_go_to_place (thr);
    }
}

GOMP_AMP_PART_INLINE void
gomp_amp_leave_region (struct gomp_thread *thr)
{
  if (__builtin_expect (gomp_amp_kept != 0, 0) && thr->ts.level == 0
      && --gomp_amp_kept == 0)
    gomp_amp_leave_place (thr);
}

GOMP_AMP_PART void
gomp_amp_mask_after_fork (void)
{
  struct gomp_thread *thr = gomp_thread ();

  if (!gomp_amp_own_places || thr->place == 0
      || !(gomp_amp_kept || (thr->ts.team != NULL && thr->ts.team_id != 0)))
    return;
  gomp_amp_kept = 0;
  if (gomp_amp_has_mask_p (gomp_amp_place_of (thr)))
    gomp_amp_set_mask (gomp_amp_process_mask);
}

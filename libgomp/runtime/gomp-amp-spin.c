/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's waits: which of them are to be short.

   The kernel may put two threads of a team on one CPU, though there are enough,
   if it deems the others busy.  Who then waits for the other by spinning spends
   the time that the other needs.  libgomp throttles its spinning only where
   there are more threads than CPUs.

   Where there are no places, so that nothing is bound, each thread leaves a
   mark at its CPU when it enters a loop of the core: its team's address plus
   its number in the team, which no thread of another live team has, since a
   team is larger than it has threads.  If the mark that it finds is another's
   of its team, both were here since either moved, or one has just moved; its
   next few waits are then throttled like those of libgomp with more threads
   than CPUs.  They are counted, those at locks as well, and not ended by
   somebody: two threads that go on to meet renew them loop after loop, and
   where they part, or come to loops that leave no marks, the count runs out.

   Marks are relaxed atomics, and nothing follows from them but how long to
   spin.  A mark of a team that is gone, or whose memory another has, throttles
   a few waits for nothing.  Who is alone on its CPU finds its own mark and
   writes nothing, so that the line stays where it is.

   Loops of libgomp's own schedules leave no marks.  */

#include "gomp-amp-glue.h"

/* May the kernel put any thread on any CPU?  */

GOMP_AMP_PART_INLINE bool
gomp_amp_unbound_p (void)
{
  return gomp_places_list == NULL || gomp_amp_any_cpu;
}

#ifdef HAVE_TLS


__thread unsigned gomp_amp_short_waits;

static struct
{
  uintptr_t mark;
} __attribute__ ((aligned (AMP_LINE))) gomp_amp_marks[AMP_MAX_CPUS];

/* THR, the calling thread, leaves its mark at CPU.  */

static inline void
gomp_amp_leave_mark (struct gomp_thread *thr, int cpu)
{
  uintptr_t team = (uintptr_t) thr->ts.team, mine, found;

  if (team == 0 || cpu < 0 || cpu >= AMP_MAX_CPUS)
    return;
  mine = team + thr->ts.team_id;
  found = __atomic_load_n (&gomp_amp_marks[cpu].mark, __ATOMIC_RELAXED);
  if (__builtin_expect (found == mine, 1))
    return;
  __atomic_store_n (&gomp_amp_marks[cpu].mark, mine, __ATOMIC_RELAXED);
  if (found - team < thr->ts.team->nthreads)
    gomp_amp_short_waits = GOMP_AMP_SHORT_WAITS;
}

#else

static inline void
gomp_amp_leave_mark (struct gomp_thread *thr __attribute__ ((unused)),
		     int cpu __attribute__ ((unused)))
{
}

#endif

/* THR, the calling thread, enters a loop: the type of the core that it runs on,
   where it leaves its mark if it is not bound.  */

GOMP_AMP_PART_INLINE unsigned
gomp_amp_arrive (struct gomp_thread *thr)
{
  int cpu;

  /* Also where it is bound: the program may have bound it elsewhere.  */
  if (!gomp_amp_unbound_p ())
    return amp_current_type ();
  cpu = sched_getcpu ();
  gomp_amp_leave_mark (thr, cpu);
  return gomp_amp_type_of (cpu);
}

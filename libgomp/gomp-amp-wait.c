/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's waits: which of them are to be short.  Included by gomp-amp.c.

   The kernel may put two threads of a team on one CPU, though there are enough,
   if it deems the others busy.  Who then waits for the other by spinning spends
   the time that the other needs.  libgomp throttles its spinning only where
   there are more threads than CPUs.

   Each thread of a team that is not bound leaves a mark at its CPU when it
   enters a loop: its team's address plus its number in the team, which no
   thread of another live team has, since a team is larger than it has threads.
   If the mark that it finds is another's of its team, both were here since
   either moved, or one has just moved; its next few waits are then throttled
   like those of libgomp with more threads than CPUs.  They are counted, not
   ended by somebody: two threads that go on to meet renew them loop after
   loop, and where they part, or come to loops that leave no marks, the count
   runs out.

   Marks are relaxed atomics, and nothing follows from them but how long to
   spin.  A mark of a team that is gone, or whose memory another has, throttles
   a few waits for nothing.  Who is alone on its CPU finds its own mark and
   writes nothing, so that the line stays where it is.

   No marks: loops of libgomp's own schedules, so also what auto leaves static
   where threads are bound or core types known to be one.  */

#ifdef HAVE_TLS

/* Waits that a meeting throttles: a loop has few.  */
#define GOMP_AMP_SHORT_WAITS 16

__thread unsigned gomp_amp_short_waits;

static struct
{
  uintptr_t mark;
} __attribute__ ((aligned (AMP_LINE))) gomp_amp_marks[AMP_MAX_CPUS];

/* The calling thread, which is not bound, enters a loop.  */

static inline void
gomp_amp_look_around (struct gomp_thread *thr)
{
  uintptr_t team = (uintptr_t) thr->ts.team, mine, found;
  int cpu;

  if (team == 0)
    return;
  cpu = sched_getcpu ();
  if (cpu < 0 || cpu >= AMP_MAX_CPUS)
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
gomp_amp_look_around (struct gomp_thread *thr __attribute__ ((unused)))
{
}

#endif

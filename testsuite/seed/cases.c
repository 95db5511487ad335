/* SPDX-License-Identifier: GPL-3.0-or-later

   What seed.c runs: each case is what one of several threads does that begin
   teams, and says what is wrong.  */

#include <omp.h>
#include <string.h>
#include "omp_amp.h"

/* Sizes of teams, one after the other, in hexadecimal.  */
static const char *const sizes[]
  = { "8288388cc2", "62636", "66266246", "42636226", "3626263", "6254", "3cc2288", "28c28c" };

static const char *
draw_sizes (void)
{
  return sizes[seed_draw (sizeof sizes / sizeof sizes[0])];
}

static int
size_of (char c)
{
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void
count (int want, int got)
{
  if (want != got)
    seed_fail ("a region of %d threads ran %d", want, got);
}

static void
regions (unsigned root __attribute__ ((unused)))
{
  for (const char *s = draw_sizes (); *s != '\0'; s++)
    {
      int seen = 0, want = size_of (*s), barriers = seed_draw (3);

#pragma omp parallel num_threads (want)
      {
	for (int i = 0; i < barriers; i++)
	  {
#pragma omp barrier
	  }
	__atomic_fetch_add (&seen, 1, __ATOMIC_RELAXED);
      }
      count (want, seen);
    }
}

/* The pool ends, and there is a new one.  */

static void
pools (unsigned root)
{
  regions (root);
  omp_pause_resource_all (omp_pause_soft);
  regions (root);
}

/* A task that one thread makes, and several wait for: one of those who are at a
   barrier, or at the end, has to run it.  */

static void
tasks (unsigned root __attribute__ ((unused)))
{
  for (const char *s = draw_sizes (); *s != '\0'; s++)
    {
      int seen = 0, want = size_of (*s), done = 0;
      unsigned waiting = seed_draw ((1U << want) - 1), at_end = seed_draw (2);

#pragma omp parallel num_threads (want) shared (done)
      {
	unsigned me = omp_get_thread_num ();

	if ((waiting & -waiting) >> me == 1)
	  {
#pragma omp task shared (done)
	    __atomic_store_n (&done, 1, __ATOMIC_RELAXED);
	  }
	if (waiting >> me & 1)
	  while (!__atomic_load_n (&done, __ATOMIC_RELAXED))
	    seed_waits ();
	if (!at_end)
	  {
#pragma omp barrier
	  }
	__atomic_fetch_add (&seen, 1, __ATOMIC_RELAXED);
      }
      count (want, seen);
    }
}

/* Tasks with dependences, groups and waits; their sum says that all ran.  */

static void
task_graph (unsigned root __attribute__ ((unused)))
{
  for (const char *s = draw_sizes (); *s != '\0'; s++)
    {
      int sum = 0, chain = 0, want = size_of (*s), makers = 0;
      int ntasks = 1 + seed_draw (4);

#pragma omp parallel num_threads (want)
      {
	int me = omp_get_thread_num ();

	if (me % 2 == 0)
	  {
	    __atomic_fetch_add (&makers, 1, __ATOMIC_RELAXED);
	    for (int i = 0; i < ntasks; i++)
	      {
#pragma omp task shared (sum)
		__atomic_fetch_add (&sum, 1, __ATOMIC_RELAXED);
	      }
	    if (me == 0)
	      {
#pragma omp taskgroup
		for (int i = 0; i < ntasks; i++)
		  {
#pragma omp task depend (inout: chain) shared (chain)
		    chain++;
		  }
		count (ntasks, chain);
	      }
	    else
	      {
#pragma omp taskwait
	      }
	  }
      }
      count (makers * ntasks, sum);
    }
}

#if __GNUC__ >= 11 /* Detach.  */
static omp_event_handle_t event;
static int have_event;

/* A task that is made ready from outside of the team.  */

static void
events (unsigned root)
{
  int x __attribute__ ((unused)) = 0, done = 0, seen = 0;

  if (root == 1)
    {
      while (!__atomic_load_n (&have_event, __ATOMIC_RELAXED))
	seed_waits ();
      omp_fulfill_event (event);
      return;
    }
#pragma omp parallel num_threads (4) shared (x, done)
  {
    if (omp_get_thread_num () == 3)
      {
	omp_event_handle_t e;

#pragma omp task detach (e) depend (out: x) shared (x)
	{
	  event = e;
	  __atomic_store_n (&have_event, 1, __ATOMIC_RELAXED);
	}
#pragma omp task depend (in: x) shared (x, done)
	__atomic_store_n (&done, 1, __ATOMIC_RELAXED);
      }
    if (omp_get_thread_num () >= 2)
      while (!__atomic_load_n (&done, __ATOMIC_RELAXED))
	seed_waits ();
#pragma omp barrier
    __atomic_fetch_add (&seen, 1, __ATOMIC_RELAXED);
  }
  count (4, seen);
}

#endif

/* Loops.  */

#define MOST 60

static void
draw_schedule (void)
{
  static const int kinds[]
    = { omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto,
	omp_sched_aid_static, omp_sched_aid_hybrid, omp_sched_aid_dynamic,
	omp_sched_steal, omp_sched_ich, omp_sched_binlpt,
	omp_sched_cluster_dynamic, omp_sched_hetprobe, omp_sched_hetprobe_i,
	omp_sched_feedback, omp_sched_reference };

  if (seed_draw (4) != 0)
    omp_set_schedule (kinds[seed_draw (sizeof kinds / sizeof kinds[0])], 0);
}

/* In a region, each iteration is run once: loops one after the other without
   waiting, which may be more than a team has work shares for at once, and some
   that wait.  */

static void
loops_of (int threads)
{
  unsigned char runs[12][MOST];
  int n = seed_draw (MOST + 1), times = 1 + seed_draw (2);
  int loops = seed_draw (2) == 0 ? 1 : 1 + seed_draw (9), before = seed_draw (2);

  for (int t = 0; t < times; t++)
    {
      unsigned long long more = 0;

      memset (runs, 0, sizeof runs);
#pragma omp parallel num_threads (threads)
      {
	if (before)
	  {
#pragma omp barrier
	  }
	for (int l = 0; l < loops; l++)
	  {
#pragma omp for schedule (nonmonotonic: runtime) nowait
	    for (int i = 0; i < n; i++)
	      runs[l][i]++;
	  }
#pragma omp for schedule (runtime) nowait
	for (unsigned long long i = n; i > 0; i--)
	  runs[loops][i - 1]++;
#pragma omp for schedule (dynamic, 3)
	for (int i = 0; i < n; i++)
	  runs[loops + 1][i]++;
#pragma omp for schedule (nonmonotonic: runtime) reduction (+: more)
	for (int i = 0; i < n; i++)
	  {
	    runs[loops + 2][i]++;
	    more++;
	  }
      }
      count (n, more);
      for (int l = 0; l < loops + 3; l++)
	for (int i = 0; i < n; i++)
	  if (runs[l][i] != 1)
	    seed_fail ("iteration %d of %d of loop %d of %d was run %d times",
		       i, n, l, loops + 3, runs[l][i]);
    }
}

static void
loops (unsigned root __attribute__ ((unused)))
{
  draw_schedule ();
  for (const char *s = draw_sizes (); *s != '\0'; s++)
    loops_of (size_of (*s));
}

/* A loop without a clause, begun as the compiler does, by one of two calls, of
   which it says TOLD.  What the iteration has of the loop BEFORE it is there,
   unless that is NULL.  */

extern bool GOMP_loop_static_start (long, long, long, long, long *, long *);
extern bool GOMP_loop_static_next (long *, long *);
extern void GOMP_loop_end (void), GOMP_loop_end_nowait (void);

static void
clauseless (int n, bool first, unsigned told, unsigned char *runs,
	    const unsigned char *before)
{
  long start = 0x414d5000 | told, end; /* See enum gomp_amp_told.  */
  bool any;

  if (first)
    any = GOMP_loop_static_start (0, n, 1, 0, &start, &end);
  else
    any = GOMP_loop_static_start (0, n, 1, 0, &start, &end) & 1;
  for (; any; any = GOMP_loop_static_next (&start, &end))
    for (long i = start; i < end; i++)
      {
	if (before != NULL && before[i] != 1)
	  seed_fail ("iteration %ld of %d is run before what it needs", i, n);
	runs[i]++;
      }
}

/* The threads agree on which of these take a work share, and which may be left
   without a barrier.  */

static void
agreements (unsigned root __attribute__ ((unused)))
{
  for (const char *s = draw_sizes (); *s != '\0'; s++)
    {
      int want = size_of (*s), n = want + 1 + seed_draw (MOST - want - 1);
      unsigned calls = seed_draw (1U << 16), waits = seed_draw (1U << 12);
      unsigned tells = seed_draw (1U << 12);
      unsigned char runs[12][MOST] = { 0 };

#pragma omp parallel num_threads (want)
      for (unsigned l = 0; l < 12; l++)
	{
	  clauseless (n, calls >> (omp_get_thread_num () + l) % 16 & 1,
		      waits & tells & 1U << l ? 32 : 0, runs[l],
		      l > 0 && !(waits & ~tells & 1U << (l - 1))
		      ? runs[l - 1] : NULL);
	  if (waits >> l & 1)
	    GOMP_loop_end_nowait ();
	  else
	    GOMP_loop_end ();
	}
      for (int l = 0; l < 12; l++)
	for (int i = 0; i < n; i++)
	  if (runs[l][i] != 1)
	    seed_fail ("iteration %d of %d of loop %d of %d was run %d times",
		       i, n, l, 12, runs[l][i]);
    }
}

/* Constructs that share work share lists with loops.  */

static void
constructs (unsigned root __attribute__ ((unused)))
{
  for (const char *s = draw_sizes (); *s != '\0'; s++)
    {
      int want = size_of (*s), n = 2 * want, last = -1, singles = 0, parts = 0;
      int sum = 0, value = 0;

#pragma omp parallel num_threads (want)
      {
	int got = 0;

#pragma omp for ordered schedule (runtime)
	for (int i = 0; i < n; i++)
	  {
#pragma omp ordered
	    {
	      if (last != i - 1)
		seed_fail ("iteration %d after %d", i, last);
	      last = i;
	    }
	  }
#pragma omp single nowait
	singles++;
#pragma omp sections nowait
	{
#pragma omp section
	  __atomic_fetch_add (&parts, 1, __ATOMIC_RELAXED);
#pragma omp section
	  __atomic_fetch_add (&parts, 1, __ATOMIC_RELAXED);
	}
#pragma omp critical
	sum++;
#pragma omp single copyprivate (got)
	got = ++value;
	count (1, got);
      }
      count (1, singles);
      count (2, parts);
      count (want, sum);
    }
}

static void
nested (unsigned root __attribute__ ((unused)))
{
  const char *s = draw_sizes ();

  omp_set_max_active_levels (2);
#if __GNUC__ < 11
  omp_set_nested (1);
#endif
  for (int round = 0; round < 2; round++)
    {
      int seen = 0, outer = 2 + seed_draw (3), inner = 1 + seed_draw (4);

#pragma omp parallel num_threads (outer)
      {
#pragma omp parallel num_threads (inner)
	{
	  __atomic_fetch_add (&seen, 1, __ATOMIC_RELAXED);
#pragma omp barrier
	}
#pragma omp barrier
      }
      count (outer * inner, seen);
      loops_of (size_of (s[round]));
    }
}

/* A process is made beside a region.  The thread that makes it has begun no
   team, or its own pool would be without threads in the child.  */

static void
in_child (void)
{
  draw_schedule ();
  loops_of (3);
  loops_of (2);
}

static void
forks (unsigned root)
{
  if (root != 0)
    loops (root);
  else
    for (int i = 0; i < 10; i++)
      {
	for (int pause = seed_draw (50); pause > 0; pause--)
	  seed_waits ();
	seed_fork (in_child);
      }
}

/* Where cancellation is off these are regions like others.  */

static void
cancels (unsigned root __attribute__ ((unused)))
{
  for (const char *s = draw_sizes (); *s != '\0'; s++)
    {
      int want = size_of (*s), seen = 0, n = 4 * want, stop = seed_draw (n);
      int whole = seed_draw (2);
      unsigned char runs[64] = { 0 };

#pragma omp parallel num_threads (want)
      {
	__atomic_fetch_add (&seen, 1, __ATOMIC_RELAXED);
#pragma omp for schedule (nonmonotonic: runtime)
	for (int i = 0; i < n; i++)
	  {
	    runs[i]++;
	    if (i == stop && !whole)
	      {
#pragma omp cancel for
	      }
#pragma omp cancellation point for
	  }
#pragma omp barrier
	if (whole && omp_get_thread_num () == stop % want)
	  {
#pragma omp cancel parallel
	  }
#pragma omp cancellation point parallel
#pragma omp barrier
      }
      for (int i = 0; i < n; i++)
	if (runs[i] > 1 || (runs[i] == 0 && !omp_get_cancellation ()))
	  seed_fail ("iteration %d was run %d times", i, runs[i]);
      count (want, seen);
    }
}

static void
mixed (unsigned root)
{
  static void (*const parts[]) (unsigned)
    = { regions, tasks, loops, constructs, cancels, task_graph };

  for (int i = 0; i < 2; i++)
    parts[seed_draw (sizeof parts / sizeof parts[0])] (root);
}

const struct seed_case seed_cases[] = {
  { "regions", 1, 3, regions }, { "pools", 1, 2, pools },
  { "tasks", 1, 2, tasks }, { "graph", 1, 2, task_graph },
#if __GNUC__ >= 11
  { "events", 2, 2, events },
#endif
  { "loops", 1, 2, loops }, { "agreements", 1, 2, agreements },
  { "constructs", 1, 2, constructs }, { "nested", 1, 2, nested },
  { "cancels", 1, 2, cancels }, { "forks", 2, 3, forks },
  { "mixed", 1, 3, mixed }
};
const unsigned seed_ncases = sizeof seed_cases / sizeof seed_cases[0];

/* SPDX-License-Identifier: GPL-3.0-or-later

   libgomp's real code for teams, one thread at a time.

   The threads are real, but only one runs; it hands over at the steps that
   steps.h puts before atomic operations, and where it would sleep on a futex.
   Which thread is next is drawn at random from a seed.  In most runs one thread
   is also held up at one step that it takes in the glue (gomp_amp_*), until no
   other can go on or for as long as a draw says: that is what it takes to be
   late at one place.  The interleavings are sequentially consistent; weaker
   orders are ../tsan's matter.

   Each run is a process of its own.  It ends well if all regions have had their
   threads and all threads then sleep or are gone; it does not if nobody can go
   on before, if it takes too many steps, or if an operation's address is in
   memory that was freed.

     steps RUNS [SEED [regions|tasks|events|pools [FUNCTION]]]

   FUNCTION: threads are held up there only.

   Says what the first bad run was, with its seed, and ends with 1 then.  */

#define STEPS_OWN 1
#include "steps.h"
#include <limits.h>
#include <malloc.h>
#include <omp.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_THREADS 256
#define MAX_FREED 1024
#define MAX_STEPS 400000
#define FREED 0x5b

enum state { RUNNABLE, SLEEPS, HELD_UP, GONE };

static struct thread
{
  enum state state;
  int *address;			/* It sleeps there.  */
  sem_t go;
  pthread_t id;
  void *(*function) (void *);
  void *data;
} threads[MAX_THREADS];

static unsigned nthreads;
static __thread int self = -1;
static struct { char *begin; size_t size; } freed[MAX_FREED];
static unsigned nfreed;
static uint64_t rng;
static unsigned steps, glue_steps, hold_at, regions_left, switch_one_in;
static bool held, may_come_back;
static const char *held_in = "", *hold_in;

static unsigned
draw (unsigned n)
{
  rng ^= rng << 13;
  rng ^= rng >> 7;
  rng ^= rng << 17;
  return (rng >> 20) % n;
}

static void
verdict (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  if (held)
    printf ("; a thread was held up in %s", held_in);
  printf ("\n");
  fflush (stdout);
  _exit (1);
}

/* One of the threads that can go on, or -1.  */

static int
choose (void)
{
  unsigned i, n = 0, which;

  for (i = 0; i < nthreads; i++)
    n += threads[i].state == RUNNABLE;
  if (n == 0)
    return -1;
  which = draw (n);
  for (i = 0; threads[i].state != RUNNABLE || which-- != 0; i++)
    ;
  return i;
}

/* The calling thread cannot go on, or need not: the next one.  */

static void
hand_over (void)
{
  int me = self, next = choose ();

  if (next < 0)
    for (unsigned i = 0; i < nthreads; i++)
      if (threads[i].state == HELD_UP)
	{
	  threads[i].state = RUNNABLE;
	  next = i;
	  break;
	}
  if (next < 0)
    {
      if (regions_left != 0)
	verdict ("nobody can go on, %u regions are left", regions_left);
      _exit (0);
    }
  if (next == me)
    return;
  sem_post (&threads[next].go);
  if (threads[me].state == GONE)
    return;
  while (sem_wait (&threads[me].go) != 0)
    ;
}

static void
check_address (const volatile void *address, const char *function)
{
  for (unsigned i = 0; i < nfreed; i++)
    if ((const char *) address >= freed[i].begin
	&& (const char *) address < freed[i].begin + freed[i].size)
      verdict ("%s uses memory that was freed", function);
}

static void
go_on (void)
{
  for (unsigned i = 0; i < nthreads; i++)
    if (threads[i].state == HELD_UP)
      threads[i].state = RUNNABLE;
}

/* A thread that waits for another one, in the program.  */

static void
waits (void)
{
  if (++steps == MAX_STEPS)
    verdict ("no end after %u steps, %u regions are left", steps,
	     regions_left);
  /* The other one may be held up.  */
  if (draw (200) == 0)
    go_on ();
  hand_over ();
}

void
steps_step (const volatile void *address, const char *function)
{
  if (self < 0)
    return;
  check_address (address, function);
  if (++steps == MAX_STEPS)
    verdict ("no end after %u steps, %u regions are left", steps,
	     regions_left);
  if ((hold_in != NULL ? strcmp (function, hold_in) == 0
       : strncmp (function, "gomp_amp_", 9) == 0)
      && ++glue_steps == hold_at)
    {
      held = true;
      held_in = function;
      threads[self].state = HELD_UP;
      hand_over ();
      check_address (address, function);
    }
  else if (draw (switch_one_in) == 0)
    {
      if (may_come_back && draw (64) == 0)
	go_on ();
      hand_over ();
      check_address (address, function);
    }
}

static void
sleep_at (int *address)
{
  threads[self].address = address;
  threads[self].state = SLEEPS;
  hand_over ();
}

void
steps_wait (int *address, int value, const char *function)
{
  if (self < 0)
    return;
  steps_step (address, function);
  if (*address == value)
    sleep_at (address);
}

void
steps_wake (int *address, int count)
{
  unsigned i, first = draw (nthreads);

  /* The kernel wakes them in no order that one may rely on.  */
  for (i = 0; i < nthreads && count > 0; i++)
    {
      struct thread *t = &threads[(first + i) % nthreads];

      if (t->state == SLEEPS && t->address == address)
	{
	  t->state = RUNNABLE;
	  count--;
	}
    }
}

static void
end (void *nothing)
{
  (void) nothing;
  threads[self].state = GONE;
  steps_wake ((int *) &threads[self].id, INT_MAX);
  hand_over ();
  /* Destructors of the thread's data are not watched.  */
  self = -1;
}

static void *
begin (void *data)
{
  struct thread *t = data;
  void *result;

  while (sem_wait (&t->go) != 0)
    ;
  self = t - threads;
  pthread_cleanup_push (end, NULL);
  result = t->function (t->data);
  pthread_cleanup_pop (1);
  return result;
}

int
steps_create (pthread_t *thread, const pthread_attr_t *attr,
	      void *(*function) (void *), void *data)
{
  struct thread *t = &threads[nthreads];

  if (nthreads == MAX_THREADS)
    verdict ("more than %u threads", nthreads);
  t->state = RUNNABLE;
  t->function = function;
  t->data = data;
  sem_init (&t->go, 0, 0);
  nthreads++;
  if (pthread_create (&t->id, attr, begin, t) != 0)
    verdict ("no thread");
  *thread = t->id;
  return 0;
}

int
steps_join (pthread_t thread, void **result)
{
  unsigned i;

  (void) result;
  for (i = 0; threads[i].id != thread; i++)
    ;
  while (threads[i].state != GONE)
    sleep_at ((int *) &threads[i].id);
  return 0;
}

/* Memory that was freed stays, so that every use of it is seen.  */

void
steps_free (void *p)
{
  size_t size = malloc_usable_size (p);

  check_address (p, __func__);
  if (nfreed == MAX_FREED)
    verdict ("more than %u blocks were freed", nfreed);
  memset (p, FREED, size);
  freed[nfreed].begin = p;
  freed[nfreed++].size = size;
}

/* What is run.  */

static const char *scenario;

static void
region_done (int want, int got)
{
  if (want != got)
    verdict ("a region of %d threads ran %d", want, got);
  regions_left--;
}

/* Sizes one after the other, as SIZES says.  */

static void
empty_regions (const char *sizes)
{
  for (; *sizes != '\0'; sizes++)
    {
      int seen = 0, want = *sizes - '0';

#pragma omp parallel num_threads (want)
      {
	if (want % 2 == 0)
	  {
#pragma omp barrier
	  }
	__atomic_fetch_add (&seen, 1, __ATOMIC_RELAXED);
      }
      region_done (want, seen);
    }
}

/* A task that one thread makes, and several wait for: one of those who are at a
   barrier, or at the end, has to run it.  */

static void
task_regions (const char *sizes)
{
  for (; *sizes != '\0'; sizes++)
    {
      int seen = 0, want = *sizes - '0', done = 0;
      unsigned waiting = draw ((1U << want) - 1), at_end = draw (2);

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
	    waits ();
	if (!at_end)
	  {
#pragma omp barrier
	  }
	__atomic_fetch_add (&seen, 1, __ATOMIC_RELAXED);
      }
      region_done (want, seen);
    }
}

static omp_event_handle_t event;
static int have_event;

static void *
fulfil (void *nothing)
{
  while (!__atomic_load_n (&have_event, __ATOMIC_RELAXED))
    waits ();
  omp_fulfill_event (event);
  return nothing;
}

/* A task that is made ready from outside of the team.  */

static void
event_region (void)
{
  int x __attribute__ ((unused)) = 0, done = 0, seen = 0;

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
	waits ();
#pragma omp barrier
    __atomic_fetch_add (&seen, 1, __ATOMIC_RELAXED);
  }
  region_done (4, seen);
}

/* A thread that begins teams.  It stays, since what libgomp does when it ends is
   not watched; but its pool may end.  */

static void *
root (void *sizes)
{
  if (strcmp (scenario, "tasks") == 0)
    task_regions (sizes);
  else if (strcmp (scenario, "events") == 0)
    event_region ();
  else
    empty_regions (sizes);
  if (strcmp (scenario, "pools") == 0)
    {
      omp_pause_resource_all (omp_pause_soft);
      empty_regions (sizes);
    }
  for (;;)
    sleep_at (NULL);
  return NULL;
}

static void
one_run (uint64_t seed)
{
  static const char *const sizes[]
    = { "626", "66266", "42636", "362", "6254", "2662" };
  static const unsigned one_in[] = { 2, 5, 20, 100, 1000 };
  pthread_t thread;
  int roots, i;

  rng = seed * UINT64_C (0x9e3779b97f4a7c15) | 1;
  draw (2);
  switch_one_in = one_in[draw (sizeof one_in / sizeof one_in[0])];
  hold_at = draw (8) == 0 ? 0 : 1 + draw (hold_in != NULL ? 30 : 500);
  may_come_back = draw (2);
  roots = strcmp (scenario, "events") == 0 ? 1 : 1 + draw (2);
  for (i = 0; i < roots; i++)
    {
      const char *mine = sizes[draw (sizeof sizes / sizeof sizes[0])];

      regions_left += (strcmp (scenario, "events") == 0 ? 1
		       : strcmp (scenario, "pools") == 0 ? 2 * strlen (mine)
		       : strlen (mine));
      steps_create (&thread, NULL, root, (void *) mine);
    }
  if (strcmp (scenario, "events") == 0)
    steps_create (&thread, NULL, fulfil, NULL);
  alarm (1200);
  sem_post (&threads[choose ()].go);
  for (;;)
    pause ();
}

int
main (int argc, char **argv)
{
  unsigned runs = argc > 1 ? strtoul (argv[1], NULL, 10) : 1000, i;
  uint64_t seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;

  setvbuf (stdout, NULL, _IONBF, 0);
  scenario = argc > 3 ? argv[3] : "regions";
  hold_in = argc > 4 ? argv[4] : NULL;
  for (i = 0; i < runs; i++)
    {
      pid_t pid = fork ();
      int status;

      if (pid == 0)
	one_run (seed + i);
      if (pid < 0 || waitpid (pid, &status, 0) != pid)
	return 2;
      if (status != 0)
	{
	  if (WIFSIGNALED (status))
	    printf ("signal %d", WTERMSIG (status));
	  printf ("FAIL: %s, run %u (seed %ju)\n", scenario, i + 1,
		  (uintmax_t) (seed + i));
	  return 1;
	}
    }
  printf ("%u runs of %s\n", runs, scenario);
  return 0;
}

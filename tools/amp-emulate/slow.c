/* SPDX-License-Identifier: GPL-3.0-or-later

   The signal handler that slows a thread; see slow.h.  A part of
   amp-emulate, whose threads measure what ratio it reaches, and of
   libamp-slow.so.

   Invariants:
   - The handler calls async-signal-safe functions only (POSIX.1: clock_gettime,
     timer_settime; sched_getcpu reads the thread's rseq area or the vDSO),
     allocates nothing and leaves errno alone.
   - A theft belongs to the time between two handlers, at most the time that
     the first of them has set: what a thread ran elsewhere, before it was
     noticed on a slow CPU, or in one go in the kernel, is not made up for.  */

#define _GNU_SOURCE
#include "slow.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
# define sigev_notify_thread_id _sigev_un._tid
#endif

#define SLOW_SIGNAL SIGRTMAX
/* How soon a thread on a CPU at full speed looks whether it is still there,
   and one that sleeps, whether it still does.  An interruption costs some
   microseconds, on virtual machines tens.  */
#define LOOK INT64_C (4000000)

struct amp_slow_table *slow_table;
static _Atomic uint64_t threads;

/* The library is loaded with the program, so there is room for this in the
   static TLS block; a handler must not cause one to be allocated.  */
static __thread __attribute__ ((tls_model ("initial-exec"))) struct
{
  timer_t timer;
  bool on;
  /* The thread's CPU time at the end of the last handler, and for how long it
     may run from then on; 0: not slowed.  */
  int64_t mark, slice;
  uint64_t random;
} self;

int64_t
read_clock (clockid_t clock)
{
  struct timespec ts = { 0, 0 };
  clock_gettime (clock, &ts);
  return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* Call the handler DELAY nanoseconds, at least 1, from now.  */
static void
arm (int64_t delay)
{
  struct itimerspec when = { { 0, 0 }, { delay / NS_PER_S, delay % NS_PER_S } };
  timer_settime (self.timer, 0, &when, NULL);
}

uint64_t
next_random (uint64_t *state)
{
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* From 0.5 to 1.5.  */
static double
next_jitter (void)
{
  return 0.5 + (double) (next_random (&self.random) >> 40) / (1 << 24);
}

static void
on_timer (int signal)
{
  /* A signal of a timer that is gone.  */
  if (!self.on)
    return;

  int error = errno;
  int64_t begin = read_clock (CLOCK_THREAD_CPUTIME_ID);
  int cpu = sched_getcpu ();
  int64_t slice = 0, spin = 0;

  (void) signal;
  if (cpu >= 0 && cpu < AMP_SLOW_CPUS)
    {
      slice = atomic_load_explicit (&slow_table->cpus[cpu].slice,
				    memory_order_relaxed);
      spin = atomic_load_explicit (&slow_table->cpus[cpu].spin,
				   memory_order_relaxed);
    }
  if (slice <= 0)
    {
      arm (LOOK);
      self.slice = 0;
      self.mark = begin;
    }
  else
    {
      /* What the thread ran beyond the slice passed on the way into this
	 handler, and is part of the theft.  */
      int64_t ran = self.slice > 0 ? self.slice : slice;
      if (ran > begin - self.mark)
	ran = begin - self.mark;
      int64_t end = self.mark + ran + (int64_t) ((double) ran * spin / slice);
      if (4 * ran >= slice || self.slice == 0)
	self.slice = slow_table->jitter ? slice * next_jitter () : slice;
      else if (self.slice < LOOK)
	self.slice = 2 * self.slice < LOOK ? 2 * self.slice : LOOK;
      arm ((end > begin ? end - begin : 0) + self.slice);
      while ((self.mark = read_clock (CLOCK_THREAD_CPUTIME_ID)) < end
	     && sched_getcpu () == cpu)
	continue;
      atomic_fetch_add_explicit (&slow_table->thefts, 1, memory_order_relaxed);
    }
  errno = error;
}

bool
amp_slow_begin (void)
{
  sigset_t set;
  struct sigevent event;

  memset (&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SLOW_SIGNAL;
  event.sigev_notify_thread_id = syscall (SYS_gettid);
  if (timer_create (CLOCK_MONOTONIC, &event, &self.timer) != 0)
    return false;
  self.on = true;
  self.slice = 0;
  self.mark = read_clock (CLOCK_THREAD_CPUTIME_ID);
  self.random = (slow_table->seed
		 + atomic_fetch_add_explicit (&threads, 1,
					      memory_order_relaxed));
  sigemptyset (&set);
  sigaddset (&set, SLOW_SIGNAL);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  arm (1);
  return true;
}

void
amp_slow_look (void)
{
  arm (1);
}

void
amp_slow_end (void)
{
  if (!self.on)
    return;
  self.on = false;
  timer_delete (self.timer);
}

/* A child has no timers; its only thread was slow if the one that forked
   was.  */
static void
after_fork (void)
{
  if (!self.on)
    return;
  self.on = false;
  if (!amp_slow_begin ())
    {
      static const char text[] = "libamp-slow.so: no timer after fork: this"
				 " process runs at full speed\n";
      ssize_t n = write (STDERR_FILENO, text, sizeof text - 1);
      (void) n;
    }
}

bool
amp_slow_use (struct amp_slow_table *table)
{
  struct sigaction action;

  slow_table = table;
  memset (&action, 0, sizeof action);
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigfillset (&action.sa_mask);
  if (sigaction (SLOW_SIGNAL, &action, NULL) != 0)
    return false;
  errno = pthread_atfork (NULL, NULL, after_fork);
  return errno == 0;
}

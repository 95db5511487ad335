/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Host threads: one for each device number, made when it is first wanted, which
   sleeps between loops.  Its priority and place are those of the last loop that
   asked for others.

   Paper 5.1 and 5.2: how soon the host thread runs again when the device is
   through decides how long the device stands idle.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "device.h"

/* A place that no loop asks for.  */
#define NOWHERE INT_MIN

static struct host
{
  pthread_mutex_t lock;
  pthread_cond_t called;
  struct run *run;		/* NULL: none.  */
  bool made;
  /* Its own thread's only.  */
  cpu_set_t usable;		/* The program's CPUs.  */
  int place, priority;
} hosts[AMP_DEVICE_MAX];

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A child has none of its parent's threads.  */

static void
forget_hosts (void)
{
  for (unsigned d = 0; d < AMP_DEVICE_MAX; d++)
    {
      pthread_mutex_init (&hosts[d].lock, NULL);
      pthread_cond_init (&hosts[d].called, NULL);
      hosts[d].run = NULL;
      hosts[d].made = false;
    }
}

static void
init_hosts (void)
{
  forget_hosts ();
  pthread_atfork (NULL, NULL, forget_hosts);
}

static void
set_priority (struct host *host, int priority)
{
  struct sched_param param = { 0 };
  int wrong = 0;

  host->priority = priority;
  if (priority > 100)
    {
      param.sched_priority = priority - 100;
      wrong = sched_setscheduler (0, SCHED_RR, &param);
    }
  else
    {
      sched_setscheduler (0, SCHED_OTHER, &param);
      /* Linux: of the calling thread.  */
      wrong = setpriority (PRIO_PROCESS, (id_t) syscall (SYS_gettid),
			   -priority);
    }
  if (wrong != 0)
    complain ("the host thread's priority: %s%s", strerror (errno),
	      errno == EPERM || errno == EACCES
	      ? "; CAP_SYS_NICE, or limits of nice or rtprio, would allow it"
	      : "");
}

static void
set_place (struct host *host, int place)
{
  cpu_set_t mask = host->usable;

  host->place = place;
  if (place >= 0 && place < CPU_SETSIZE)
    {
      CPU_ZERO (&mask);
      CPU_SET (place, &mask);
    }
  else if (place != AMP_DEVICE_FREE
	   && !cpus_of_place (place, &mask, sizeof mask))
    complain ("the host thread's place: all CPUs are of one type");
  if (sched_setaffinity (0, sizeof mask, &mask) != 0)
    complain ("the host thread's place: %s", strerror (errno));
}

static void *
host_main (void *data)
{
  struct host *host = data;
  unsigned d = (unsigned) (host - hosts);
  char name[16];

  snprintf (name, sizeof name, "amp-device-%u", d);
  pthread_setname_np (pthread_self (), name);
  for (;;)
    {
      struct run *run;

      pthread_mutex_lock (&host->lock);
      while (host->run == NULL)
	pthread_cond_wait (&host->called, &host->lock);
      run = host->run;
      pthread_mutex_unlock (&host->lock);
      /* Pairs with amp_device_for, which holds it until the loop is begun.  */
      pthread_mutex_lock (&run->lock);
      pthread_mutex_unlock (&run->lock);
      if (run->options.place != host->place)
	set_place (host, run->options.place);
      if (run->options.priority != host->priority)
	set_priority (host, run->options.priority);
      serve_device (run, d);
      pthread_mutex_lock (&host->lock);
      host->run = NULL;
      pthread_mutex_unlock (&host->lock);
      /* After this RUN may be gone.  */
      pthread_mutex_lock (&run->lock);
      run->hosts--;
      pthread_cond_broadcast (&run->changed);
      pthread_mutex_unlock (&run->lock);
    }
  return NULL;
}

/* The CPUs that the program may use, in *MASK: OpenMP's places, since the
   calling thread may be bound to one of them; else its own.  */

static void
usable_cpus (cpu_set_t *mask)
{
  int places = omp_get_num_places (), place, i, n;

  CPU_ZERO (mask);
  for (place = 0; place < places; place++)
    {
      int cpus[CPU_SETSIZE];

      n = omp_get_place_num_procs (place);
      if (n > CPU_SETSIZE)
	continue;
      omp_get_place_proc_ids (place, cpus);
      for (i = 0; i < n; i++)
	if (cpus[i] < CPU_SETSIZE)
	  CPU_SET (cpus[i], mask);
    }
  if (CPU_COUNT (mask) == 0)
    sched_getaffinity (0, sizeof *mask, mask);
}

static bool
make_host (struct host *host)
{
  sigset_t all, old;
  pthread_t thread;
  int wrong;

  host->place = NOWHERE;
  host->priority = 0;
  usable_cpus (&host->usable);
  /* The program's signals are for its own threads.  */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  wrong = pthread_create (&thread, NULL, host_main, host);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  if (wrong != 0)
    {
      complain ("no host thread: %s; the cores do the loop alone",
		strerror (wrong));
      return false;
    }
  pthread_detach (thread);
  return true;
}

bool
host_enter (unsigned d, struct run *run)
{
  struct host *host = &hosts[d];
  bool enters;

  pthread_once (&once, init_hosts);
  pthread_mutex_lock (&host->lock);
  enters = host->run == NULL;
  if (enters && !host->made)
    enters = host->made = make_host (host);
  if (enters)
    {
      host->run = run;
      pthread_cond_signal (&host->called);
    }
  pthread_mutex_unlock (&host->lock);
  return enters;
}

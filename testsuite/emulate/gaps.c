/* SPDX-License-Identifier: GPL-3.0-or-later

   What amp-emulate --method=signal takes of a thread, by the thread's own CPU
   clock: the share of its CPU time that went by between two looks at that
   clock, 100 us or more apart, in percent: the median of windows of 10 ms, for
   the host may stop the machine in some.

   Usage: gaps CPU HOW [SECONDS]: bound to CPU, in the first thread (main), one
   that pthread_create made (thread), a child process (fork), or a program that
   the child executed (exec); for SECONDS of CPU time, 0.3 by default.  exits:
   100 threads are joined, half of which left by pthread_exit; prints how many
   timers the process has then, nothing where the kernel does not say.

   idle: 0.3 s asleep, three times; prints how often the thread was woken in
   the last.

   Exit status: 0, 1 if errno changed under the thread's hands, 2 for wrong
   usage.  */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds = 0.3;
static int spoilt;

static double
cpu_time (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &ts);
  return ts.tv_sec + 1e-9 * ts.tv_nsec;
}

static int
ascending (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static void *
measure (void *unused)
{
  int windows = seconds / 10e-3;
  double share[windows];

  (void) unused;
  errno = EDOM;
  for (int i = 0; i < windows; i++)
    {
      double begin = cpu_time (), last = begin, gaps = 0;
      while (last - begin < 10e-3)
	{
	  double t = cpu_time ();
	  if (t - last > 100e-6)
	    gaps += t - last;
	  last = t;
	  spoilt |= errno != EDOM;
	}
      share[i] = gaps / (last - begin);
    }
  qsort (share, windows, sizeof share[0], ascending);
  printf ("%.0f\n", 100 * share[windows / 2]);
  fflush (stdout);
  return NULL;
}

static void *
leave (void *arg)
{
  if (arg != NULL)
    pthread_exit (NULL);
  return NULL;
}

/* Sleep for 0.3 s, by what a handler does not end.  */
static long
idle (void)
{
  struct timespec until;
  struct rusage before, after;

  getrusage (RUSAGE_THREAD, &before);
  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_nsec += 300000000;
  if (until.tv_nsec >= 1000000000)
    {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL)
	 == EINTR)
    continue;
  getrusage (RUSAGE_THREAD, &after);
  return after.ru_nvcsw - before.ru_nvcsw;
}

static int
timers (void)
{
  char line[256];
  int n = 0;
  FILE *f = fopen ("/proc/self/timers", "r");
  if (f == NULL)
    return -1;
  while (fgets (line, sizeof line, f) != NULL)
    n += strncmp (line, "ID:", 3) == 0;
  fclose (f);
  return n;
}

static void
run (void *(*function) (void *), void *arg)
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, function, arg) != 0)
    exit (1);
  pthread_join (thread, NULL);
}

int
main (int argc, char **argv)
{
  cpu_set_t set;
  int status = 0;

  if (argc < 3)
    return 2;
  if (argc > 3)
    seconds = atof (argv[3]);
  CPU_ZERO (&set);
  CPU_SET (atoi (argv[1]), &set);
  if (sched_setaffinity (0, sizeof set, &set) != 0)
    return 2;
  if (strcmp (argv[2], "main") == 0)
    measure (NULL);
  else if (strcmp (argv[2], "thread") == 0)
    run (measure, NULL);
  else if (strcmp (argv[2], "idle") == 0)
    {
      idle ();
      idle ();
      printf ("%ld\n", idle ());
    }
  else if (strcmp (argv[2], "exits") == 0)
    {
      for (int i = 0; i < 100; i++)
	run (leave, i % 2 ? argv : NULL);
      int n = timers ();
      if (n >= 0)
	printf ("%d\n", n);
    }
  else if (strcmp (argv[2], "fork") == 0 || strcmp (argv[2], "exec") == 0)
    {
      pid_t child = fork ();
      if (child == 0 && argv[2][0] == 'f')
	{
	  measure (NULL);
	  _exit (spoilt);
	}
      if (child == 0)
	{
	  execl ("/proc/self/exe", argv[0], argv[1], "main", NULL);
	  _exit (2);
	}
      waitpid (child, &status, 0);
    }
  else
    return 2;
  return spoilt || status != 0;
}

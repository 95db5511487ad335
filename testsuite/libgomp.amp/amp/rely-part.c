/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* See rely.h.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include "rely.h"

#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* They sleep more than they work.  */
enum { AT_ONCE = 4, MOST = 40 };

static struct pattern
{
  char name[40];
  rely_fn *run;
  pid_t pid;
  double end;
} pattern[MOST];

static int patterns, rounds = 1000, running, bad;
static double limit = 15;

void
rely_add (const char *name, rely_fn *run)
{
  const char *only = getenv ("RELY_ONLY");
  if (only != NULL && strcmp (only, name) != 0)
    return;
  if (patterns == MOST)
    abort ();
  snprintf (pattern[patterns].name, sizeof pattern->name, "%s", name);
  pattern[patterns++].run = run;
}

static double
now (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return ts.tv_sec + 1e-9 * ts.tv_nsec;
}

static void
nap (long us)
{
  struct timespec ts = { 0, us * 1000 };
  nanosleep (&ts, NULL);
}

static int
repeat (const struct pattern *p)
{
  int wrong_rounds = 0;
  for (int r = 0; r < rounds; r++)
    {
      int threads = r < rounds / 2 ? 2 : r < rounds / 4 * 3 ? 3 : 4;
      long wrong = p->run (r, threads);
      if (wrong != 0 && wrong_rounds++ == 0)
	fprintf (stderr, "%s: round %d, %d threads: %ld wrong\n", p->name, r,
		 threads, wrong);
    }
  if (wrong_rounds != 0)
    fprintf (stderr, "%s: %d of %d rounds are wrong\n", p->name, wrong_rounds,
	     rounds);
  return wrong_rounds != 0;
}

static void
start (struct pattern *p)
{
  p->end = now () + limit;
  p->pid = fork ();
  if (p->pid == 0)
    exit (repeat (p));
  if (p->pid < 0)
    {
      perror ("fork");
      exit (1);
    }
  running++;
}

static void
look_after (struct pattern *p)
{
  int status;
  pid_t pid = waitpid (p->pid, &status, WNOHANG);
  if (pid == 0 && now () < p->end)
    return;
  if (pid == 0)
    {
      kill (p->pid, SIGKILL);
      waitpid (p->pid, &status, 0);
      fprintf (stderr, "%s: does not end\n", p->name);
      bad = 1;
    }
  else if (WIFSIGNALED (status))
    {
      fprintf (stderr, "%s: signal %d\n", p->name, WTERMSIG (status));
      bad = 1;
    }
  else
    bad |= WEXITSTATUS (status) != 0;
  p->pid = 0;
  running--;
}

int
main (void)
{
  const char *text = getenv ("RELY_ROUNDS");
  if (text != NULL)
    rounds = atoi (text);
  text = getenv ("SLOW");
  if (text != NULL && atoi (text) > 0)
    limit *= atoi (text);
  int next = 0;
  while (next < patterns || running > 0)
    {
      if (next < patterns && running < AT_ONCE)
	{
	  start (&pattern[next++]);
	  continue;
	}
      nap (2000);
      for (int k = 0; k < next; k++)
	if (pattern[k].pid > 0)
	  look_after (&pattern[k]);
    }
  return bad;
}

void
rely_delay (int round, int salt, long i, long n)
{
  uint64_t x = (uint64_t) round * 0x9e3779b97f4a7c15u + salt;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  if (round % 4 == 0 && i == (long) ((x >> 32) % n))
    nap (60);
}

void
rely_work (long units)
{
  static volatile unsigned sink;
  for (long k = 0; k < 10 * units; k++)
    (void) sink;
}

void
rely_yield (void)
{
  sched_yield ();
}

int
rely_exact (void)
{
  const char *schedule = getenv ("OMP_SCHEDULE");
  return ((getenv ("GOMP_AMP") != NULL
	   && strcmp (getenv ("GOMP_AMP"), "off") == 0)
	  || (schedule != NULL && strcmp (schedule, "static") == 0));
}

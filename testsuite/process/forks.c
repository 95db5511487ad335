/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forks NUMBER: main forks so often while other threads come, run loops in
   teams of changing sizes, and go.  Main has no team itself, so that its
   children may use OpenMP with any library: each runs loops and ends.  A child
   that does not end in good time fails.  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int leave;
static volatile unsigned sink;

static int
sum (int n, int threads)
{
  int s = 0;

#pragma omp parallel for reduction (+ : s) num_threads (threads)
  for (int i = 0; i < n; i++)
    {
      s += i & 3;
      sink = i;
    }
#pragma omp parallel for reduction (+ : s) num_threads (threads) schedule (runtime)
  for (int i = 0; i < n; i++)
    {
      s += i & 3;
      sink = i;
    }
  return s;
}

static void *
once (void *arg)
{
  long k = (long) arg;

  sum (300 + k % 50, 2 + k % 3);
  return NULL;
}

/* Threads that end return their blocks; a thread that goes on does not.  */

static void *
comes_and_goes (void *arg)
{
  pthread_t t;

  for (long k = (long) arg; !leave; k++)
    {
      if (pthread_create (&t, NULL, once, (void *) k) == 0)
	pthread_join (t, NULL);
    }
  return NULL;
}

static void *
stays (void *arg)
{
  for (long k = (long) arg; !leave; k++)
    sum (500 + k % 7 * 500, 2 + k % 4);
  return NULL;
}

int
main (int argc, char **argv)
{
  int number = argc > 1 ? atoi (argv[1]) : 100;
  int patience = argc > 2 ? atoi (argv[2]) : 60;
  int bad = 0;
  pthread_t t[3];

  pthread_create (&t[0], NULL, comes_and_goes, (void *) 0);
  pthread_create (&t[1], NULL, comes_and_goes, (void *) 7);
  pthread_create (&t[2], NULL, stays, NULL);
  for (int i = 0; i < number && bad < 3; i++)
    {
      int status;
      pid_t pid = fork ();

      if (pid == 0)
	{
	  alarm (patience);
	  _exit (sum (4000, 2) == 12000 ? 0 : 3);
	}
      if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
	{
	  printf ("child %d: status %x\n", i, pid < 0 ? -1 : status);
	  bad++;
	}
    }
  leave = 1;
  for (int i = 0; i < 3; i++)
    pthread_join (t[i], NULL);
  return bad != 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of every kind, for traces and recordings of them.  With an argument,
   loops that end or begin in unusual ways.  */

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int sink[40000];

static void
work (int n)
{
  for (volatile int i = 0; i < n; i++)
    ;
}

static void
plain (void)
{
#pragma omp parallel for schedule (runtime)
  for (int i = 0; i < 3000; i++)
    {
      work (i);
      sink[i]++;
    }
#pragma omp parallel
  {
#pragma omp for nowait
    for (unsigned long long i = 0; i < 1000; i++)
      sink[i]++;
#pragma omp for nowait
    for (int i = 2000; i > 0; i -= 3)
      sink[i]++;
#pragma omp for schedule (dynamic, 7)
    for (int i = 0; i < 1000; i++)
      sink[i]++;
#pragma omp for schedule (guided)
    for (unsigned long long i = 0; i < 1001; i++)
      sink[i]++;
#pragma omp for
    for (int i = 0; i < 0; i++)
      sink[i]++;
  }
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";

  if (strcmp (how, "many") == 0 || strcmp (how, "killed") == 0
      || strcmp (how, "waits") == 0)
    {
#pragma omp parallel for schedule (runtime)
      for (int i = 0; i < 40000; i++)
	sink[i]++;
      if (strcmp (how, "killed") == 0)
	raise (SIGKILL);
      /* Until its input ends.  */
      if (strcmp (how, "waits") == 0)
	while (getchar () != EOF)
	  ;
    }
  else if (strcmp (how, "nested") == 0)
    {
      omp_set_max_active_levels (2);
#if __GNUC__ < 11
      omp_set_nested (1);
#endif
#pragma omp parallel for schedule (runtime) num_threads (2)
      for (int i = 0; i < 8; i++)
	{
#pragma omp parallel for schedule (runtime) num_threads (2)
	  for (int j = 0; j < 100; j++)
	    work (100);
	}
    }
  else if (strcmp (how, "cancel") == 0)
    for (int round = 0; round < 20; round++)
      {
#pragma omp parallel num_threads (2)
        {
#pragma omp for schedule (runtime)
  	for (int i = 0; i < 1000; i++)
  	  {
#pragma omp cancel for
  	  }
#pragma omp for schedule (runtime)
  	for (int i = 0; i < 1000; i++)
  	  work (10);
        }
      }
  else if (strcmp (how, "again") == 0)
    for (int round = 0; round < 40; round++)
      plain ();
  else if (strcmp (how, "fork") == 0)
    {
      pid_t pid;

      plain ();
      pid = fork ();
      if (pid == 0)
	{
	  for (int i = 0; i < 20; i++)
#pragma omp parallel for schedule (runtime) num_threads (1)
	    for (int j = 0; j < 1000; j++)
	      sink[j]++;
	  exit (0);
	}
      waitpid (pid, NULL, 0);
      plain ();
    }
  else if (strcmp (how, "none") != 0)
    for (int round = 0; round < 3; round++)
      plain ();
  return 0;
}

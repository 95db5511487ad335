/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A fork without exec after a region: the child has none of the pool's threads
   (OpenMP regions of several threads are not to be had in it, on any
   libgomp), but its loops in teams of one run, and the parent goes on.  */

#include <sys/wait.h>
#include <unistd.h>
#include "amp-test.h"

static void
region (unsigned nthreads)
{
  amp_cover_begin ();
#pragma omp parallel num_threads (nthreads)
  {
#pragma omp for
    for (int i = 0; i < 300; i++)
      amp_visit (i);
#pragma omp for schedule (runtime)
    for (int i = 0; i < 300; i++)
      amp_visit (300 + i);
  }
  CHECK (amp_covered (600));
}

int
main (void)
{
  int round, status;

  for (round = 0; round < 3; round++)
    {
      region (3);
      pid_t pid = fork ();
      if (pid == 0)
	{
	  amp_cover_begin ();
#pragma omp for
	  for (int i = 0; i < 300; i++)
	    amp_visit (i);
	  CHECK (amp_covered (300));
	  region (1);
	  _exit (AMP_RESULT);
	}
      if (pid < 0)
	{
	  printf ("fork failed\n");
	  return 77;
	}
      CHECK (waitpid (pid, &status, 0) == pid);
      CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
      region (2 + round);
    }
  return AMP_RESULT;
}

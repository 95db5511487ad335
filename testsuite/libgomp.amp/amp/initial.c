/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Several initial threads, each with teams of its own at the same time, and
   initial threads that end while others go on.  */
/* { amp-do rows types } */

#include <pthread.h>
#include "amp-test.h"

#define INITIAL 4
#define N 300

static void *
work (void *arg)
{
  long id = (long) arg;
  unsigned char seen[N];

  for (int round = 0; round < 15; round++)
    {
      memset (seen, 0, sizeof seen);
#pragma omp parallel num_threads (1 + (id + round) % 3)
      {
#pragma omp for nowait
	for (long i = 0; i < N; i++)
	  __atomic_fetch_add (&seen[i], 1, __ATOMIC_RELAXED);
#pragma omp for schedule (runtime)
	for (unsigned long long u = 0; u < N; u++)
	  __atomic_fetch_add (&seen[u], 1, __ATOMIC_RELAXED);
      }
      for (int i = 0; i < N; i++)
	CHECK (seen[i] == 2);
    }
  return NULL;
}

int
main (void)
{
  pthread_t thread[INITIAL];

  for (int round = 0; round < 3; round++)
    {
      for (long i = 0; i < INITIAL; i++)
	if (pthread_create (&thread[i], NULL, work, (void *) i) != 0)
	  {
	    printf ("pthread_create failed\n");
	    return 77;
	  }
      if (round == 1)
	work ((void *) 9L);
      for (long i = 0; i < INITIAL; i++)
	pthread_join (thread[i], NULL);
    }
  return AMP_RESULT;
}

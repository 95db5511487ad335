/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Chains of nowait loops: more than the eight work shares that a team has are
   in flight, since one thread stays behind; singles and sections in between
   use the same work shares.  */
/* { amp-do rows types } */

#include "amp-test.h"

#define LOOPS 40
#define N 120

static unsigned char seen[LOOPS][N];
static unsigned singles, parts;

static void
chain (int rounds, int slow)
{
  if (omp_get_thread_num () == slow)
    amp_work (300000);
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < LOOPS; k++)
      {
#pragma omp for nowait
	for (long i = 0; i < N; i++)
	  __atomic_fetch_add (&seen[k][i], 1, __ATOMIC_RELAXED);
	if (k % 3 == 0)
	  {
#pragma omp single nowait
	    __atomic_fetch_add (&singles, 1, __ATOMIC_RELAXED);
	  }
	if (k % 7 == 0)
	  {
#pragma omp sections nowait
	    {
#pragma omp section
	      __atomic_fetch_add (&parts, 1, __ATOMIC_RELAXED);
#pragma omp section
	      __atomic_fetch_add (&parts, 1, __ATOMIC_RELAXED);
	    }
	  }
#pragma omp for schedule (runtime) nowait
	for (unsigned long long u = N; u > 0; u--)
	  __atomic_fetch_add (&seen[k][N - u], 1, __ATOMIC_RELAXED);
      }
}

int
main (void)
{
  int t, k, i, rounds = 3;

  for (t = 1; t <= 5; t++)
    {
      memset (seen, 0, sizeof seen);
      singles = parts = 0;
#pragma omp parallel num_threads (t)
      chain (rounds, t / 2);
      for (k = 0; k < LOOPS; k++)
	for (i = 0; i < N; i++)
	  CHECK (seen[k][i] == 2 * rounds);
      CHECK (singles == rounds * ((LOOPS + 2) / 3));
      CHECK (parts == rounds * 2 * ((LOOPS + 6) / 7));
    }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The compiler may have made several copies of the call that begins a loop, and
   threads may come to different ones: they agree all the same on whether the
   loop takes a work share.  Loops with and without a barrier between them, and
   with one that may be left out: what an iteration needs of the same one before
   is there all the same.  */
/* { amp-do none } */
/* { amp-run {OMP_WAIT_POLICY=passive} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts} {} {} } */
/* { amp-run {OMP_WAIT_POLICY=passive GOMP_AMP_DEBUG=verdicts} {} {} } */

#include "amp-test.h"

#define N 40
#define ROUNDS 3000

static int hit[6][N];

/* WHICH copy of the call, TOLD this.  */

static bool __attribute__ ((noinline))
start (int which, long told, long *begin, long *end)
{
  bool any;

  *begin = AMP_TOLD | told;
  if (which == 0)
    {
      any = GOMP_loop_static_start (0, N, 1, 0, begin, end);
      __asm__ volatile ("" : "+r" (any));
    }
  else
    {
      any = GOMP_loop_static_start (0, N, 1, 0, begin, end);
      __asm__ volatile ("" : "+r" (any) : : "memory");
    }
  return any;
}

static void
loop (int which, int *what)
{
  long begin, end, i;

  if (start (which, 0, &begin, &end))
    do
      for (i = begin; i < end; i++)
	__atomic_fetch_add (&what[i], 1, __ATOMIC_RELAXED);
    while (GOMP_loop_static_next (&begin, &end));
}

/* Several that say nowait, and the barrier is told.  */

static void
chain (int which)
{
  long begin, end, i;

  for (int l = 3; l < 6; l++)
    {
      if (start (which, l < 5 ? AMP_TOLD_NOWAIT : 0, &begin, &end))
	do
	  for (i = begin; i < end; i++)
	    {
	      CHECK (l == 3 || hit[l - 1][i] == hit[l][i] + 1);
	      hit[l][i]++;
	    }
	while (GOMP_loop_static_next (&begin, &end));
      if (l < 5)
	GOMP_loop_end_nowait ();
      else
	GOMP_loop_end ();
    }
}

int
main (void)
{
  for (int region = 0; region < 20; region++)
    {
#pragma omp parallel num_threads (2 + region % 3)
      {
	int me = omp_get_thread_num ();

	for (int round = 0; round < ROUNDS; round++)
	  {
	    loop ((me + round / 64) % 2, hit[0]);
	    GOMP_loop_end ();
	    loop (me % 2, hit[1]);
	    if (round % 2)
	      GOMP_loop_end ();
	    else
	      GOMP_loop_end_nowait ();
	    loop ((me + round) % 2, hit[2]);
	    GOMP_loop_end ();
	    chain ((me + round / 8) % 2);
	  }
      }
    }
  for (int j = 0; j < 6; j++)
    for (int i = 0; i < N; i++)
      CHECK (hit[j][i] == 20 * ROUNDS);
  return AMP_RESULT;
}

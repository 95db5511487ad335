/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The compiler may have made several copies of the call that begins a loop, and
   threads may come to different ones: they agree all the same on whether the
   loop takes a work share.  Loops with and without a barrier between them.  */
/* { amp-do none } */
/* { amp-run {OMP_WAIT_POLICY=passive} {} {} } */
/* { amp-run {GOMP_AMP_DEBUG=verdicts} {} {} } */
/* { amp-run {OMP_WAIT_POLICY=passive GOMP_AMP_DEBUG=verdicts} {} {} } */

#include "amp-test.h"

#define N 40
#define ROUNDS 3000

static int hit[3][N];

/* WHICH copy of the call.  */

static bool __attribute__ ((noinline))
start (int which, long *begin, long *end)
{
  bool any;

  if (which == 0)
    {
      any = amp_loop_start (0, N, 1, begin, end);
      __asm__ volatile ("" : "+r" (any));
    }
  else
    {
      any = amp_loop_start (0, N, 1, begin, end);
      __asm__ volatile ("" : "+r" (any) : : "memory");
    }
  return any;
}

static void
loop (int which, int *what)
{
  long begin, end, i;

  if (start (which, &begin, &end))
    do
      for (i = begin; i < end; i++)
	__atomic_fetch_add (&what[i], 1, __ATOMIC_RELAXED);
    while (GOMP_loop_static_next (&begin, &end));
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
	  }
      }
    }
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < N; i++)
      CHECK (hit[j][i] == 20 * ROUNDS);
  return AMP_RESULT;
}

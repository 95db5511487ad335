/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A program that is right only if two loops over the same range give each
   thread the same iterations: between them is no barrier, and threadprivate
   data carries from one to the other.  */

#include "amp-test.h"

#define N 3000

static short owner[N];
static long mine;
#pragma omp threadprivate (mine)

int
main (void)
{
  long total = 0;

  for (int t = 1; t <= 4; t++)
    for (int round = 0; round < 20; round++)
      {
	total = 0;
#pragma omp parallel num_threads (t) reduction (+: total)
	{
	  mine = 0;
	  if (omp_get_thread_num () == round % t)
	    amp_work (3000);
#pragma omp for nowait
	  for (int i = 0; i < N; i++)
	    {
	      owner[i] = omp_get_thread_num ();
	      mine += i;
	    }
#pragma omp for nowait
	  for (int i = 0; i < N; i++)
	    {
	      CHECK (owner[i] == omp_get_thread_num ());
	      mine -= i;
	      owner[i] = -1;
	    }
	  /* What a thread added it took away.  */
	  CHECK (mine == 0);
	  total += mine;
	}
	CHECK (total == 0);
      }
  return AMP_RESULT;
}

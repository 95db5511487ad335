/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Four threads that proc_bind(spread) puts on every other one of eight CPUs, the
   first four of one type, which is said to be three times as fast, the others
   of a second type.  The CPUs are bind-spread-part.c's.  */
/* { amp-do none } */
/* { amp-shared bind-spread-part.c } */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-run {LD_PRELOAD=@DIR@/bind-spread-part.c.0.so GOMP_AMP_TYPES=0-3:4-7 GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3 OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {LD_PRELOAD=@DIR@/bind-spread-part.c.0.so GOMP_AMP_TYPES=0-3:4-7 OMP_PLACES={0}:8 OMP_PROC_BIND=true GOMP_AMP_SF=3 OMP_SCHEDULE=aid_static} {} {} } */

#include "amp-test.h"

#define N 8000
#define ROUNDS 60
#define LAST 20

int
main (void)
{
  long count[4];
  int place[4], round, good = 0;

  for (round = 0; round < ROUNDS; round++)
    {
#pragma omp parallel num_threads (4) proc_bind (spread)
      {
	int me = omp_get_thread_num ();
	long mine = 0;
	place[me] = omp_get_place_num ();
#pragma omp for schedule (runtime)
	for (long i = 0; i < N; i++)
	  mine++;
	count[me] = mine;
      }
      CHECK (count[0] + count[1] + count[2] + count[3] == N);
      if (place[1] != 2 || place[2] != 4 || place[3] != 6)
	{
	  printf ("places cannot be faked here\n");
	  return 77;
	}
      if (round >= ROUNDS - LAST)
	good += (labs (count[0] - 3000) < 500 && labs (count[1] - 3000) < 500
		 && labs (count[2] - 1000) < 500
		 && labs (count[3] - 1000) < 500);
    }
  CHECK (good >= LAST - LAST / 4);
  return AMP_RESULT;
}

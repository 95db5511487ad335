/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Four threads for each CPU, in loops that the library knows from teams of two
   and of five, and the other way around.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3 OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 OMP_SCHEDULE=aid_static} {} {} } */

#include "amp-test.h"

#define N 600

static void __attribute__ ((noinline))
loops (unsigned t)
{
  amp_cover_begin ();
#pragma omp parallel num_threads (t)
  {
#pragma omp for
    for (long i = 0; i < N; i++)
      amp_visit (i);
#pragma omp for schedule (runtime) nowait
    for (unsigned long long u = 2 * N; u > N; u--)
      {
	amp_work (u % 64);
	amp_visit (u - 1);
      }
  }
#pragma omp parallel for num_threads (t)
  for (int i = 0; i < N; i++)
    amp_visit (2 * N + i);
  CHECK (amp_covered (3 * N));
}

int
main (void)
{
  int crowd = 4 * omp_get_num_procs (), t, round;

  if (crowd > 64)
    crowd = 64;
  for (round = 0; round < 40; round++)
    loops (round % 20 < 15 ? crowd : 2);
  for (t = crowd; t > 1; t -= 3)
    for (round = 0; round < 3; round++)
      loops (round == 1 ? 5 : t);

  /* A crowd of two teams, each with as many threads as there are CPUs.  */
  omp_set_max_active_levels (2);
  for (round = 0; round < 10; round++)
    {
      unsigned char seen[2][N];

      memset (seen, 0, sizeof seen);
#pragma omp parallel num_threads (2)
      {
	unsigned char *mine = seen[omp_get_thread_num ()];
#pragma omp parallel for num_threads (crowd / 4)
	for (int i = 0; i < N; i++)
	  __atomic_fetch_add (&mine[i], 1, __ATOMIC_RELAXED);
      }
      for (int i = 0; i < 2 * N; i++)
	CHECK (seen[i / N][i % N] == 1);
    }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GOMP_AMP_ENERGY: who is left out runs nothing once speeds are known, whatever is
   run is right, and loops that must be even still are.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env OMP_NUM_THREADS=2 GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 } */
/* { amp-run {} {} {0: part\n1: part\n} } */
/* { amp-run {GOMP_AMP_SF=3 GOMP_AMP_ENERGY=energy,9,0.1} {} {0: nothing\n1: all\n} } */
/* { amp-run {GOMP_AMP_SF=3 GOMP_AMP_ENERGY=energy,1,9} {} {0: all\n1: nothing\n} } */
/* { amp-run {GOMP_AMP_SF=3 GOMP_AMP_ENERGY=edp,1,9} {} {0: all\n1: nothing\n} } */
/* { amp-run {GOMP_AMP_SF=3 GOMP_AMP_ENERGY=edp,1/1,1/1} {} {0: part\n1: part\n} } */
/* { amp-run {GOMP_AMP_SF=3 GOMP_AMP_ENERGY=time,9,0.1} {} {0: part\n1: part\n} } */
/* { amp-run {GOMP_AMP_SF=3 GOMP_AMP_ENERGY=energy,9,0.1 GOMP_AMP=off} {} {0: part\n1: part\n} } */
/* { amp-run {GOMP_AMP_SF=3 GOMP_AMP_ENERGY=energy,9,0.1 OMP_SCHEDULE=aid_static} {} {0: part\n1: part\n} } */
/* { amp-run {GOMP_AMP_ENERGY=energy} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_ENERGY: 'energy': needs [^\n]*\n0: part\n1: part\n} } */
/* { amp-run {GOMP_AMP_ENERGY=speed,1,1} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_ENERGY: 'speed,1,1': needs energy, edp or time[^\n]*\n0: part\n1: part\n} } */
/* { amp-run {GOMP_AMP_ENERGY=edp,1} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_ENERGY: 'edp,1': needs [^\n]*\n0: part\n1: part\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_SF=3 GOMP_AMP_ENERGY=edp,0.9/0.3,0.2} {} {.*\n  GOMP_AMP_ENERGY = 'EDP,0[.]900/0[.]300,0[.]200/0[.]000'\n.*} } */

#include "amp-test.h"

#define N 20000

static int by[N];
static double value[N];

static void
run (int round)
{
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    {
      by[i] = omp_get_thread_num ();
      value[i] += i * 0.5 + round;
    }
}

int
main (void)
{
  int had[2] = { 0, 0 }, i, round, few[2];

  for (round = 0; round < 40; round++)
    run (round);
  for (i = 0; i < N; i++)
    {
      had[by[i]]++;
      CHECK (value[i] == i * 20.0 + 780.0);
    }
  /* As many iterations as threads are one a thread: bodies may wait for each
     other.  */
#pragma omp parallel for
  for (i = 0; i < 2; i++)
    few[i] = omp_get_thread_num ();
  CHECK (few[0] == 0 && few[1] == 1);
  for (i = 0; i < 2; i++)
    printf ("%d: %s\n", i, had[i] == 0 ? "nothing" : had[i] == N ? "all" : "part");
  return AMP_RESULT;
}

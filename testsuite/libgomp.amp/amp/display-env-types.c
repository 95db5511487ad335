/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* As display-env.c, with two types.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env OMP_DISPLAY_ENV=verbose } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_SF=3} {} {.*\n  GOMP_AMP_TYPES = '@B@:@A@'\n.*\n  GOMP_AMP_SF = '3[.]000,1[.]000'\n.*END\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=1,0.5} {} {.*\n  GOMP_AMP_SF = '2[.]000,1[.]000'\n.*END\n} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_CORES=big} {} {.*\n  (?:\[host\] )?OMP_NUM_THREADS = '1'\n.*\n  GOMP_AMP_TYPES = '@B@'\n  GOMP_AMP_CORES = 'BIG'\n.*\n  GOMP_AMP_SF = ''\n.*END\n} } */
/* { amp-run {GOMP_AMP_CLUSTERS=@A@} {} {.*\n  GOMP_AMP_CLUSTERS = '@A@:@B@'\n.*END\n} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_AFFINITY=1} {} {.*\n  GOMP_AMP_AFFINITY = 'BS'\n  GOMP_AMP_TYPES = '@B@:@A@'\n.*END\n} } */

#include <omp.h>

int
main (void)
{
  /* So that the linker keeps libgomp.  */
  return omp_get_max_threads () < 1;
}

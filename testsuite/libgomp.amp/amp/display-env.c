/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* OMP_DISPLAY_ENV names our schedules and, if verbose, our variables.  */
/* { amp-do none } */
/* { amp-env OMP_DISPLAY_ENV=true } */
/* { amp-run {} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'AUTO'\n.*END\n} } */
/* { amp-run {GOMP_AMP=off} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'DYNAMIC'\n.*END\n} } */
/* { amp-run {OMP_SCHEDULE=static,4} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'STATIC,4'\n.*END\n} } */
/* { amp-run {OMP_SCHEDULE=aid_static} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'AID_STATIC'\n.*END\n} } */
/* { amp-run {OMP_SCHEDULE=aid-static,3} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'AID_STATIC,3'\n.*END\n} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid,60} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'AID_HYBRID,60'\n.*END\n} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid,60,2} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'AID_HYBRID,60,2'\n.*END\n} } */
/* { amp-run {OMP_SCHEDULE=Aid_Dynamic,1,5} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'AID_DYNAMIC,1,5'\n.*END\n} } */
/* { amp-run {OMP_SCHEDULE=reference,2} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'REFERENCE,2'\n.*END\n} } */
/* { amp-run {OMP_SCHEDULE=monotonic:aid_static,3} {} {.*\n  (?:\[host\] )?OMP_SCHEDULE = 'MONOTONIC:AID_STATIC,3'\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose} {} {.*\n  GOMP_AMP_AFFINITY = ''\n  GOMP_AMP_TYPES = '[0-9,]*'\n.*\n  GOMP_AMP_SF = ''\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_TYPES=@A@ GOMP_AMP_SF=2} {} {.*\n  GOMP_AMP_TYPES = '@A@'\n.*\n  GOMP_AMP_SF = '1[.]000'\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_AFFINITY=sb} {} {.*\n  GOMP_AMP_AFFINITY = 'SB'\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_REPLACE=dynamic=ich GOMP_AMP_REPORT=0} {} {.*\n  GOMP_AMP_REPLACE = 'dynamic=ich'\n.*\n  GOMP_AMP_REPORT = '0'\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_SF=3} {} {.*\n  GOMP_AMP_TYPES = '@B@:@A@'\n.*\n  GOMP_AMP_SF = '3[.]000,1[.]000'\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=1,0.5} {} {.*\n  GOMP_AMP_SF = '2[.]000,1[.]000'\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_CORES=big} {} {.*\n  (?:\[host\] )?OMP_NUM_THREADS = '1'\n.*\n  GOMP_AMP_TYPES = '@B@'\n  GOMP_AMP_CORES = 'BIG'\n.*\n  GOMP_AMP_SF = ''\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_CLUSTERS=@A@} {} {.*\n  GOMP_AMP_CLUSTERS = '@A@:@B@'\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_AFFINITY=1} {} {.*\n  GOMP_AMP_AFFINITY = 'BS'\n  GOMP_AMP_TYPES = '@B@:@A@'\n.*END\n} } */

#include <omp.h>

int
main (void)
{
  /* So that the linker keeps libgomp.  */
  return omp_get_max_threads () < 1;
}

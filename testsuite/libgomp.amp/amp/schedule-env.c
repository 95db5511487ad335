/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What omp_get_schedule and gomp_amp_get_schedule make of OMP_SCHEDULE, and
   how many types of cores there are.  */
/* { amp-do none } */
/* { amp-run {} {} {kind 2 1 and 1 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=static} {} {kind -2147483647 0 and 0 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=dynamic} {} {kind 2 1 and 1 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=guided,7} {} {kind 3 7 and 7 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=guided,-7} {} {\nlibgomp: [^\n]*'guided,-7': guided's chunk must be[^\n]*\nkind 3 1 and 1 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=static,-1} {} {\nlibgomp: [^\n]*'static,-1': static's chunk must be[^\n]*\nkind -2147483647 0 and 0 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=aid_static} {} {kind 16 0 and 0 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=AID-Static,3} {} {kind 16 3 and 3 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid,60} {} {kind 17 60 and 60 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid,60,2} {} {kind 17 60 and 60 2, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=aid_dynamic,1,5} {} {kind 18 1 and 1 5, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=reference,2} {} {kind 31 2 and 2 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=nonmonotonic:aid_static,2} {} {kind 16 2 and 2 0, 1 types\n} } */
/* { amp-run {OMP_SCHEDULE=monotonic:aid_static,2} {} {kind -2147483632 2 and 2 0, 1 types\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@} {} {kind 2 1 and 1 0, 1 types\n} } */

#include "amp-test.h"

int
main (void)
{
  omp_sched_t kind;
  int chunk, k, first, second;

  omp_get_schedule (&kind, &chunk);
  gomp_amp_get_schedule (&k, &first, &second);
  CHECK (k == (int) kind);
  printf ("kind %d %d and %d %d, %d types\n", (int) kind, chunk, first, second,
	  gomp_amp_get_num_core_types ());
  return AMP_RESULT;
}

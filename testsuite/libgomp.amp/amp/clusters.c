/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The report says which clusters a probe has chosen, where there are several.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env OMP_NUM_THREADS=2 OMP_DYNAMIC=false GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_REPORT=1 } */
/* { amp-run {OMP_SCHEDULE=hetprobe GOMP_AMP_CLUSTERS=@A@:@B@} {} {libgomp: loop [^\n]*, hetprobe [(]clusters (0|1|0,1) of 2[)], SF [^\n]*\n(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {OMP_SCHEDULE=hetprobe_i GOMP_AMP_CLUSTERS=@A@:@B@} {} {libgomp: loop [^\n]*, hetprobe_i( [(]clusters (0|1|0,1) of 2[)])?, SF [^\n]*\n(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {OMP_SCHEDULE=hetprobe GOMP_AMP_CLUSTERS=@A@,@B@} {} {libgomp: loop [^\n]*, (hetprobe|static), SF [^\n]*\n(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {OMP_SCHEDULE=cluster_dynamic GOMP_AMP_CLUSTERS=@A@:@B@} {} {libgomp: loop [^\n]*, cluster_dynamic, SF [^\n]*\n(libgomp: cores: [^\n]*\n)?} } */

#include "amp-test.h"

#define N 2000

static double value[N];

int
main (void)
{
  for (int round = 0; round < 30; round++)
    {
#pragma omp parallel for schedule (runtime)
      for (int i = 0; i < N; i++)
	for (int k = 0; k < 100; k++)
	  value[i] += 1.0;
    }
  for (int i = 0; i < N; i++)
    CHECK (value[i] == 3000.0);
  return AMP_RESULT;
}

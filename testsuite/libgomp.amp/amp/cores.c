/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GOMP_AMP_CORES, and OMP_PLACES by kinds of cores: how many threads there are,
   what libgomp says of the machine, and on which CPUs threads may run.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@A@:@B@} {} {1 threads, 1 CPUs, 1 types\n@A@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_SF=3,1} {} {1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {{GOMP_AMP_CORES= BIG } GOMP_AMP_TYPES=@B@:@A@} {} {1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=1c:eff1 GOMP_AMP_TYPES=@B@:@A@} {} {1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=1E GOMP_AMP_TYPES=@B@:@A@} {} {1 threads, 1 CPUs, 1 types\n@A@\n} } */
/* { amp-run {{GOMP_AMP_CORES=1 P + 1 E} GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=1} {} {1 threads, 2 CPUs, 2 types\nall\n} } */
/* { amp-run {GOMP_AMP_CORES=2P+1E GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=1} {} {\nlibgomp: GOMP_AMP_CORES=2P\+1E asks for more cores than there are\n1 threads, 2 CPUs, 2 types\nall\n} } */
/* { amp-run {GOMP_AMP_CORES=c:eff7 GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=1} {} {\nlibgomp: GOMP_AMP_CORES leaves no CPU of this machine; it is ignored\n1 threads, [0-9]+ CPUs, 2 types\nall\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@} {} {1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=3} {} {3 threads, 1 CPUs, 1 types\n@B@\n@B@\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=2,2} {} {2 threads, 1 CPUs, 1 types\n@B@\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=x} {} {.*Invalid value for environment variable OMP_NUM_THREADS.*\n1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_AFFINITY=1} {} {1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_AFFINITY=sb GOMP_AMP_TYPES=@A@:@B@ OMP_NUM_THREADS=2} {} {2 threads, 1 CPUs, 1 types\n@A@\n@A@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@:@A@ OMP_PROC_BIND=close OMP_NUM_THREADS=2} {} {2 threads, 1 CPUs, 1 types\n@B@\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@:@A@ OMP_PROC_BIND=false OMP_NUM_THREADS=2} {} {2 threads, 1 CPUs, 1 types\n@B@\n@B@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@B@:@A@ OMP_PLACES={@A@}} {} {\nlibgomp: GOMP_AMP_CORES does not place threads, because OMP_PLACES or GOMP_CPU_AFFINITY is set\n1 threads, [0-9]+ CPUs, 2 types\n@A@\n} } */
/* { amp-run {GOMP_AMP_CORES=big GOMP_AMP_TYPES=@A@:@B@ {GOMP_CPU_AFFINITY=@B@ @A@} OMP_NUM_THREADS=2} {} {\nlibgomp: GOMP_AMP_CORES does not place threads[^\n]*\n2 threads, [0-9]+ CPUs, 2 types\n@B@\n@A@\n} } */
/* { amp-run {GOMP_AMP_CORES=all GOMP_AMP_TYPES=@A@:@B@ OMP_NUM_THREADS=2} {} {2 threads, [0-9]+ CPUs, 2 types\nall\nall\n} } */
/* { amp-run {GOMP_AMP_CORES=nolp GOMP_AMP_TYPES=@A@:@B@ OMP_NUM_THREADS=2} {} {2 threads, [0-9]+ CPUs, 2 types\nall\nall\n} } */
/* { amp-run {OMP_PLACES=cores:eff1 GOMP_AMP_TYPES=@B@:@A@} {} {1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {{OMP_PLACES= Cores : intel_core (1)} GOMP_AMP_TYPES=@A@:@B@ OMP_NUM_THREADS=2} {} {2 threads, 1 CPUs, 1 types\n@A@\n@A@\n} } */
/* { amp-run {OMP_PLACES=cores:eff0(2) GOMP_AMP_TYPES=@A@:@B@} {} {\nlibgomp: OMP_PLACES=CORES:EFF0\(2\) asks for more cores than there are\n1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {OMP_PLACES=core_types GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=2} {} {2 threads, [0-9]+ CPUs, 2 types\n@B@\n@A@\n} } */
/* { amp-run {OMP_PLACES=cores:eff7 GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=1} {} {\nlibgomp: OMP_PLACES leaves no CPU of this machine; it is ignored\n1 threads, [0-9]+ CPUs, 2 types\nall\n} } */
/* { amp-run {OMP_PLACES=cores:eff1 OMP_PROC_BIND=false GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=1} {} {1 threads, [0-9]+ CPUs, 2 types\nall\n} } */
/* { amp-run {OMP_PLACES=cores:eff1 GOMP_AMP_CORES=1E GOMP_AMP_TYPES=@B@:@A@} {} {\nlibgomp: GOMP_AMP_CORES does not place threads[^\n]*\n1 threads, 1 CPUs, 1 types\n@B@\n} } */
/* { amp-run {OMP_PLACES=cores:fast GOMP_AMP_TYPES=@B@:@A@ OMP_NUM_THREADS=1} {} {\nlibgomp: Invalid value for environment variable OMP_PLACES\n1 threads, [0-9]+ CPUs, 2 types\nall\n} } */
/* { amp-run {OMP_PLACES=cores:eff1 GOMP_AMP=off OMP_NUM_THREADS=1} {} {\nlibgomp: Invalid value for environment variable OMP_PLACES\n1 threads, [0-9]+ CPUs, [0-9]+ types\nall\n} } */
/* { amp-run {GOMP_AMP_CORES= OMP_NUM_THREADS=1} {} {1 threads, [0-9]+ CPUs, [0-9]+ types\nall\n} } */
/* { amp-run {GOMP_AMP_CORES=large OMP_NUM_THREADS=1} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_CORES: valid are all, big, nolp, or numbers of cores as in 4P\+2E or 4c:eff1,2c:eff0; it is ignored\n1 threads, [0-9]+ CPUs, [0-9]+ types\nall\n} } */

#define _GNU_SOURCE 1
#include "amp-test.h"

int
main (void)
{
  char where[3][20];
  int t, threads = omp_get_max_threads (), round;

  printf ("%d threads, %d CPUs, %d types\n", threads, omp_get_num_procs (),
	  gomp_amp_get_num_core_types ());
  for (round = 0; round < 2; round++)
    {
#pragma omp parallel num_threads (threads > 3 ? 3 : threads)
      {
	char *mine = where[omp_get_thread_num ()];
	int cpu = amp_bound_to ();

	if (cpu < 0)
	  strcpy (mine, "all");
	else
	  snprintf (mine, sizeof where[0], "%d", cpu);
      }
    }
  for (t = 0; t < threads && t < 3; t++)
    puts (where[t]);
  return AMP_RESULT;
}

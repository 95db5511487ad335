/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Values that are not valid: one warning each, which names the variable, the
   value and what is valid; the program runs.  */
/* { amp-do none } */
/* { amp-run {OMP_SCHEDULE=aid_statik} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: 'aid_statik': valid are static.*dynamic.*guided.*auto.*aid_static.*aid_hybrid[^\n]*aid_dynamic[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=aid_static,0} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*number from 1 to [^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=aid_static,-1} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*number from[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=aid_static,99999999999999999999} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*number from[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=aid_static,} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=aid_static,1,2} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*at most 1 number[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid,101} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*number from 1 to 100[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=aid_hybrid,80,1,1} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*at most 2 numbers[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=aid_dynamic,1,5x} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=dynamic,-3} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: 'dynamic,-3': dynamic's chunk must be a number from 0 to [^\n]*\ndone\n} } */
/* { amp-run {{OMP_SCHEDULE=aid_static 1}} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=monotonic,aid_static} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: [^\n]*':' must follow[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=static;dynamic} {} {\nlibgomp: [^\n]*OMP_SCHEDULE[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: ''[^\n]*\ndone\n} } */
/* { amp-run {OMP_SCHEDULE=stätic} {} {\nlibgomp: Invalid value for environment variable OMP_SCHEDULE: 'st\?+tic'[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=bigfirst} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_AFFINITY: 'bigfirst': valid are 1, on, bs, sb, [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=0-} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_AFFINITY: [^\n]*valid are 1, on, bs, sb, [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@A@} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TYPES: [^\n]*twice[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_AFFINITY=4-7:0-3} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_AFFINITY: [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_TYPES=fast} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TYPES: [^\n]*valid are CPU lists[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@,@A@} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TYPES: [^\n]*twice[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_CLUSTERS=near} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_CLUSTERS: [^\n]*valid are CPU lists[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_TYPES=3-1} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TYPES: [^\n]*backwards[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_TYPES=99999999999} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TYPES: [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_TYPES=4095} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TYPES: [^\n]*none of these CPUs[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_SF=fast} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_SF: 'fast'[^\n]*needs 1 decimal number[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_SF=3,1} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_SF: [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_SF=-1} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_SF: [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_SF=nan} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_SF: [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_SF=1e9} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_SF: [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=aid_static} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: 'aid_static': static=aid_static, dynamic=SCHEDULE or guided=SCHEDULE is expected; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_hybrid} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: 'aid_hybrid': only aid_static, without a number, may take the place of static; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=aid_static,guided} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: 'guided': static=aid_static, dynamic=SCHEDULE or guided=SCHEDULE is expected; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=ich;dynamic=steal} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: dynamic is replaced twice; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=guided=ich,guided=ich} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: guided is replaced twice; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=guided} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: 'guided': valid are the schedules beyond OpenMP's, without a modifier; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=guided=monotonic:aid_static} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: 'monotonic:aid_static': valid are the schedules beyond OpenMP's, without a modifier; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=guided=aid_hybrid,101} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: 'aid_hybrid,101': aid_hybrid's percent must be a number from 1 to 100; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=aid_statik} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: 'aid_statik': valid are static[^\n]*reference\[,chunk\]; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: '': valid are static[^\n]*reference\[,chunk\]; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=ich,,guided=ich} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_REPLACE: 'ich,': ich's epsilon must be a number from 1 to 100; it is ignored\ndone\n} } */
/* { amp-run {{GOMP_AMP_REPLACE= dynamic = aid-dynamic , 1 , 5 ; Guided=ICH ; }} {} {done\n} } */
/* { amp-run {GOMP_AMP_REPLACE= GOMP_AMP_REPORT= GOMP_AMP_TRACE=sf: GOMP_AMP_CORES=} {} {done\n} } */
/* { amp-run {GOMP_AMP_SF=/nonexistent/file} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_SF: [^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_LOOPS=/nonexistent/file} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_LOOPS: cannot read /nonexistent/file: No such file or directory; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_LOOPS=/dev/zero} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_LOOPS: /dev/zero is no regular file; it is ignored\ndone\n} } */
/* { amp-run {GOMP_AMP_STATIC=program+0x1} {} {\nlibgomp: GOMP_AMP_STATIC is ignored: use a line `PLACE static' in the file of GOMP_AMP_LOOPS\ndone\n} } */
/* { amp-run {GOMP_AMP_RECORD_SF=x} {} {\nlibgomp: GOMP_AMP_RECORD_SF is ignored: use GOMP_AMP_TRACE=sf:FILE\ndone\n} } */
/* { amp-run {GOMP_AMP_AFINITY=1} {} {\nlibgomp: GOMP_AMP_AFINITY is ignored: there is no such variable\ndone\n} } */
/* { amp-run {GOMP_AMP_STATIC=program+0x1 GOMP_AMP=off} {} {done\n} } */
/* { amp-run {GOMP_AMP_DEBUG=known,fast} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_DEBUG: 'fast': valid are seed=N[^\n]*\ndone\n} } */
/* { amp-run {GOMP_AMP_AFFINITY= GOMP_AMP_TYPES= GOMP_AMP_SF= GOMP_AMP_DEBUG=sysfs=} {} {done\n} } */
/* { amp-run {GOMP_AMP_DEBUG=sysfs=/nonexistent} {} {done\n} } */
/* { amp-run {{OMP_SCHEDULE= aid_hybrid , 50 , 2 } {GOMP_AMP_AFFINITY= off }} {} {done\n} } */

#include "amp-test.h"

int
main (void)
{
#pragma omp parallel num_threads (3)
  {
#pragma omp for
    for (int i = 0; i < 500; i++)
      amp_visit (i);
#pragma omp for schedule (runtime)
    for (int i = 0; i < 500; i++)
      amp_visit (500 + i);
  }
  CHECK (amp_covered (1000));
  fflush (stderr);
  puts ("done");
  return AMP_RESULT;
}

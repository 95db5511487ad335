/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* OMP_DISPLAY_ENV=verbose tells a CPU quota that is below the number of CPUs,
   and no other.  */
/* { amp-do none } */
/* { amp-env GOMP_AMP_DEBUG=sysfs=@DIR@/box } */
/* { amp-sh mkdir -p box/proc/self box/fs/cgroup/box; echo 0::/box >box/proc/self/cgroup } */
/* { amp-sh echo 50000 100000 >box/fs/cgroup/box/cpu.max } */
/* { amp-run {OMP_DISPLAY_ENV=verbose} {} {(?!.*quota of.*quota of).*  \[host\] CPU quota of the control group = '0.50' of [0-9]+ CPUs\n.*END\n} } */
/* { amp-run {OMP_DISPLAY_ENV=true} {} {(?!.*quota of).*END\n} } */
/* { amp-sh echo max 100000 >box/fs/cgroup/box/cpu.max } */
/* { amp-run {OMP_DISPLAY_ENV=verbose} {} {(?!.*quota of).*END\n} } */
/* { amp-sh echo 409600000 100000 >box/fs/cgroup/box/cpu.max } */
/* { amp-run {OMP_DISPLAY_ENV=verbose} {} {(?!.*quota of).*END\n} } */

#include <omp.h>

int
main (void)
{
  return omp_get_max_threads () < 1;
}

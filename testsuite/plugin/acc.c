/* OpenACC loops beside an OpenMP one: compiled with both options, only the
   latter is the plugin's business.
   SPDX-License-Identifier: GPL-3.0-or-later
   calls: GOMP_loop_static_start GOMP_loop_static_next  */

#include "check.h"

int
main (void)
{
  int n = 60 + zero, a[64] = { 0 };
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma acc kernels copy(a)
#pragma acc loop independent
  for (int i = 0; i < n; i++)
    a[i]++;
  memcpy (got, a, sizeof a);
  check ("OpenACC");
  return 0;
}

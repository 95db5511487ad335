/* What one thread of a team prepares for its own iterations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

#if __GNUC__ >= 12
CASE (masked)
{
  u64 prepared = 1;
#pragma omp parallel
  {
    /* The first thread has the first iteration.  */
#pragma omp masked filter (n & 0)
    prepared = 7;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = i ? in[i & 63] : prepared;
  }
}
#endif

CASE (master_and_a_barrier)
{
  u64 prepared = 1;
#pragma omp parallel
  {
#pragma omp master
    prepared = 7;
#pragma omp barrier
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = i ? in[i & 63] : prepared;
  }
}

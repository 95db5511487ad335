/* Loops with a schedule clause other than auto are none of the plugin's business; in
   particular, schedule(runtime) stays maybe_nonmonotonic.
   SPDX-License-Identifier: GPL-3.0-or-later
   calls: GOMP_loop_maybe_nonmonotonic_runtime_start GOMP_loop_maybe_nonmonotonic_runtime_next
   calls: GOMP_loop_runtime_start GOMP_loop_runtime_next
   calls: GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_nonmonotonic_dynamic_next
   calls: GOMP_loop_nonmonotonic_guided_start GOMP_loop_nonmonotonic_guided_next
   calls: GOMP_loop_ordered_runtime_start GOMP_loop_ordered_runtime_next  */

#include "check.h"

int
main (void)
{
  int n = 60 + zero;
#pragma omp parallel
  {
#pragma omp for schedule(static) /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      got[i]++;
#pragma omp for schedule(static, 3) /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      got[i]++;
#pragma omp for schedule(monotonic: auto) /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      got[i]++;
#pragma omp for schedule(dynamic) /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      got[i]++;
#pragma omp for schedule(guided, 2) /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      got[i]++;
#pragma omp for schedule(runtime) /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      got[i]++;
#pragma omp for schedule(monotonic: runtime) /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      got[i]++;
#pragma omp for schedule(runtime) ordered /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      {
#pragma omp ordered
	got[i]++;
      }
#pragma omp for simd schedule(simd: static, 4) /* amp: explicit: schedule clause */
    for (int i = 0; i < n; i++)
      got[i]++;
  }
  check ("explicit schedules");
  return 0;
}

/* A file that tells another the number of threads by a variable, for what it
   makes of that.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

static u64 before[SLOTS + 1];

CASE (linked_by_another_file)
{
  team_size = omp_get_max_threads ();
  link_far (n, before);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = i + (before[i] != (u64) i ? out0[before[i]] * 3 : 0);
}

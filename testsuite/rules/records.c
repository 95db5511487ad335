/* A file that hands another the number of threads in one of many records.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

struct share { int first, team; };
static struct share shares[4];
static u64 before[SLOTS + 1];

CASE (linked_by_a_record)
{
  struct share *s = &shares[n & 3];
  shares[n & 3].team = omp_get_max_threads ();
  links_far_ (&n, &s->team, before);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = i + (before[i] != (u64) i ? out0[before[i]] * 3 : 0);
}

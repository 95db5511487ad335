/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The other file of rely-before.c.  */

#include "rely-before.h"

void
static_elsewhere (int round)
{
#pragma omp for schedule (static) nowait
  for (int i = 0; i < N; i++)
    {
      rely_delay (round, 17, i, N);
      a[i] = value (round, i);
    }
}

void
double_elsewhere (void)
{
#pragma omp for
  for (int i = 0; i < N; i++)
    b[i] = 2 * a[i];
}

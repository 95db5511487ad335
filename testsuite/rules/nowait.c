/* A loop that calls what is not known, and whose nowait is a barrier's.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

CASE (unknown_calls)
{
#pragma omp parallel
  {
#pragma omp for nowait /* amp: ascending barrier instead of nowait */
    for (int i = 0; i < n; i++)
      put_far (&out0[i], mix_far (i, in[i & 63]));
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out1[i] = out0[i] * 3;
  }
}

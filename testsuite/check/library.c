/* SPDX-License-Identifier: GPL-3.0-or-later

   A shared library with a loop that relies on the division of static.  */

#include "other.h"

extern void in_library (void);

void
in_library (void)
{
#pragma omp parallel for
  for (int i = 0; i < N; i++) /* library */
    put_into_block (i, N);
}

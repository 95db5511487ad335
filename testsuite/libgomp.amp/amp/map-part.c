/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* One loop without a clause, under the name MAP: which thread runs what.  */

#include <omp.h>

void
MAP (short *by, long n)
{
#pragma omp for
  for (long i = 0; i < n; i++)
    by[i] = omp_get_thread_num ();
}

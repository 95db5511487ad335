// Sums that one loop makes by number and another one reads by it.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <vector>
#include "rules.h"

// One container is not another one of its type.
CASE (vector_beside_another)
{
  std::vector<double> counted (THREADS);
  std::vector<u64> placed (THREADS);
#pragma omp parallel for // amp: any or static at -O0
  for (int i = 0; i < n; i++)
    counted[omp_get_thread_num ()] += in[i & 63] & 3;
#pragma omp parallel for schedule(static) // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = placed[omp_get_thread_num ()] + i;
  for (int k = 0; k < THREADS; k++)
    total += counted[k];
}

CASE (vector_for_a_static_loop)
{
  std::vector<u64> begun (THREADS);
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    begun[omp_get_thread_num ()] += in[i & 63] & 3;
  u64 at = 0;
  for (int k = 0; k < THREADS; k++)
    {
      u64 c = begun[k];
      begun[k] = at;
      at += c;
    }
#pragma omp parallel for schedule(static) // amp: static
  for (int i = 0; i < n; i++)
    for (u64 k = 0; k < (in[i & 63] & 3); k++)
      out0[begun[omp_get_thread_num ()]++] = i;
}

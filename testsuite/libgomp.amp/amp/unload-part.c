/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What unload.c loads.  */

static int seen[300];

int
run (void)
{
  int i, wrong = 0;

  for (i = 0; i < 300; i++)
    seen[i] = 0;
#pragma omp parallel for schedule (runtime) num_threads (1)
  for (i = 0; i < 300; i++)
    seen[i]++;
#pragma omp parallel for schedule (dynamic) num_threads (1)
  for (i = 0; i < 300; i++)
    if (++seen[i] > 3)
      __builtin_trap ();
#pragma omp parallel for num_threads (1)
  for (i = 0; i < 300; i++)
    seen[i]++;
  for (i = 0; i < 300; i++)
    wrong += seen[i] != 3;
  return wrong;
}

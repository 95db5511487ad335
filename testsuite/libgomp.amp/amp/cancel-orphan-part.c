/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The loops of cancel-orphan.c.  */

#define N 64

static int a[N], b[N];
int wrong;

void
loops (int round)
{
#pragma omp for nowait
  for (int i = 0; i < N; i++)
    a[i] = round + i;
#pragma omp for nowait
  for (int i = 0; i < N; i++)
    {
      b[i] = a[i] + i;
      if (b[i] < round)
	wrong = 1;
    }
}

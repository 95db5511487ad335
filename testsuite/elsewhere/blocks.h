/* SPDX-License-Identifier: GPL-3.0-or-later
   Which thread ran which iteration of a loop without a clause.  */

#include <omp.h>

enum { N = 1003, THREADS = 4 };

/* Weak: nobody knows what runs.  */

int __attribute__ ((weak))
blocks_who (void)
{
  return omp_get_thread_num ();
}

/* 1 if the loops are divided as static divides them, else 0.  */

static int
blocks (void)
{
  static int by[2][N];
  unsigned long u, end = N;
  int i, q = N / THREADS, r = N % THREADS;

#pragma omp parallel num_threads (THREADS)
  {
#pragma omp for
    for (i = 0; i < N; i++)
      by[0][i] = blocks_who ();
#pragma omp for
    for (u = 0; u < end; u++)
      by[1][u] = blocks_who ();
  }
  for (i = 0; i < N; i++)
    {
      int t = i < r * (q + 1) ? i / (q + 1) : r + (i - r * (q + 1)) / q;
      if (by[0][i] != t || by[1][i] != t)
	return 0;
    }
  return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The clauses of a loop mean what they mean under any schedule.  */
/* The loops take their schedule at run time although their bodies watch the
   threads.  */
/* { amp-options -fopenmp-default-schedule=free } */
/* { amp-optimize -O2 -O0 {-O3 -flto} } */

#include "amp-test.h"

#define N 997

static int counter;
#pragma omp threadprivate (counter)

int
main (void)
{
  for (unsigned t = 1; t <= 5; t++)
    {
      long sum = 3, product = 1, largest = -1, smallest = 9999;
      unsigned long bits = 0;
      int last = -1, i, j, k, first = 17, wrong = 0, linear = 5;
      double d = 0.0;
      int array[4] = { 0 };
      short visits[N] = { 0 };

      omp_set_num_threads (t);
#pragma omp parallel for reduction (+: sum, d, array) reduction (max: largest) \
	reduction (min: smallest) reduction (|: bits) reduction (*: product)
      for (i = 0; i < N; i++)
	{
	  sum += i;
	  d += 0.5;
	  array[i % 4]++;
	  if (i * 7 % N > largest)
	    largest = i * 7 % N;
	  if (i * 7 % N < smallest)
	    smallest = i * 7 % N;
	  bits |= 1UL << i % 64;
	  if (i % 100 == 7)
	    product *= 2;
	}
      CHECK (sum == 3 + (long) N * (N - 1) / 2);
      CHECK (d == N / 2.0);
      CHECK (array[0] == 250 && array[1] == 249 && array[3] == 249);
      CHECK (largest == N - 1);
      CHECK (smallest == 0);
      CHECK (bits == ~0UL);
      CHECK (product == 1024);

#pragma omp parallel for lastprivate (last) firstprivate (first) \
	schedule (runtime) reduction (+: wrong)
      for (i = 0; i < N; i++)
	{
	  if (first != 17)
	    wrong++;
	  last = i;
	}
      CHECK (last == N - 1);
      CHECK (wrong == 0);

#pragma omp parallel for lastprivate (last)
      for (long x = N; x >= 0; x -= 10)
	last = x;
      CHECK (last == 7);

#pragma omp parallel for collapse (2) lastprivate (i, j, k)
      for (i = 0; i < 11; i++)
	for (j = 3; j < 16; j += 2)
	  {
	    k = i * j;
	    __atomic_fetch_add (&visits[i * 7 + (j - 3) / 2], 1,
				__ATOMIC_RELAXED);
	  }
      CHECK (k == 10 * 15);
      for (i = 0; i < 77; i++)
	CHECK (visits[i] == 1);

#pragma omp parallel for linear (linear: 3)
      for (i = 0; i < N; i++)
	{
	  if (linear != 5 + 3 * i)
	    amp_failed (__FILE__, __LINE__, "linear", "");
	  linear += 3;
	}
      CHECK (linear == 5 + 3 * N);

      /* Threadprivate counters add up, whichever thread counts.  */
      sum = 0;
#pragma omp parallel reduction (+: sum)
      {
	counter = 0;
#pragma omp for schedule (runtime) nowait
	for (int x = 0; x < N; x++)
	  counter++;
#pragma omp for
	for (int x = 0; x < N; x++)
	  counter++;
	sum += counter;
      }
      CHECK (sum == 2 * N);
    }
  return AMP_RESULT;
}

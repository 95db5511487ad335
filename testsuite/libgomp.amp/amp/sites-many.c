/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* More loops than the library remembers, counted as it does: by place, threads
   and magnitude of the trip count.  The memory for them is bounded.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do none } */
/* { amp-run {OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=ich} {} {} } */

#include <malloc.h>
#include "amp-test.h"

static long sum;

#define LOOP(NAME)						\
  static void							\
  loop##NAME (long n)						\
  {								\
    long part = 0;						\
    _Pragma ("omp for nowait")					\
    for (long i = 0; i < n; i++)				\
      part += i + 1;						\
    __atomic_fetch_add (&sum, part, __ATOMIC_RELAXED);		\
  }
#define TEN(M, A) \
  M (A##0) M (A##1) M (A##2) M (A##3) M (A##4) \
  M (A##5) M (A##6) M (A##7) M (A##8) M (A##9)
#define HUNDRED(M, A) \
  TEN (M, A##0) TEN (M, A##1) TEN (M, A##2) TEN (M, A##3) TEN (M, A##4) \
  TEN (M, A##5) TEN (M, A##6) TEN (M, A##7) TEN (M, A##8) TEN (M, A##9)
#define ALL(M) \
  HUNDRED (M, 1) HUNDRED (M, 2) HUNDRED (M, 3)

ALL (LOOP)

#define POINTER(NAME) loop##NAME,
static void (*const loops[]) (long) = { ALL (POINTER) };

#define LOOPS (sizeof loops / sizeof loops[0])
#define MAGNITUDES 10
#define TEAMS 3

static void
run (unsigned t, long n)
{
  sum = 0;
#pragma omp parallel num_threads (t)
  for (unsigned k = 0; k < LOOPS; k++)
    {
      loops[k] (n);
      /* Loops under way take memory, too: not too many at once.  */
      if (k % 8 == 7)
	{
#pragma omp barrier
	}
    }
  CHECK (sum == (long) LOOPS * (n * (n + 1) / 2));
}

/* For all threads, after all has settled.  */

static long
memory (void)
{
#if __GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2 ();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

int
main (void)
{
  long before;

  /* As gomp-amp-loop-table.c has it for loops that come once or twice.  */
  CHECK (LOOPS * TEAMS * MAGNITUDES > 8192);
  for (unsigned round = 0; round < 2; round++)
    for (unsigned t = 2; t < 2 + TEAMS; t++)
      for (unsigned m = 0; m < MAGNITUDES; m++)
	run (t, (1L << m) + (round && m != 0));
  before = memory ();
  for (unsigned m = MAGNITUDES; m < MAGNITUDES + 4; m++)
    run (1 + TEAMS, 1L << m);
  /* What a thousand more loops would take, if they were remembered.  */
  CHECK (memory () - before < 400000);
  /* What comes often has a place all the same.  */
  for (unsigned round = 0; round < 50; round++)
#pragma omp parallel num_threads (2)
    loops[0] (65536);
  return AMP_RESULT;
}

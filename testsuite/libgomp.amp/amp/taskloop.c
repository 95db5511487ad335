/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GOMP_AMP_TASKLOOP: how many tasks become of a taskloop that leaves it open.  */
/* { amp-do none } */
/* { amp-env OMP_NUM_THREADS=4 OMP_DYNAMIC=false } */
/* { amp-run {} {} {4 4 4 3 10 3\n} } */
/* { amp-run {GOMP_AMP_TASKLOOP=8} {} {32 32 10 3 10 3\n} } */
/* { amp-run {GOMP_AMP_TASKLOOP=64} {} {256 256 10 3 10 3\n} } */
/* { amp-run {GOMP_AMP_TASKLOOP=8 GOMP_AMP=off} {} {4 4 4 3 10 3\n} } */
/* { amp-run {GOMP_AMP_TASKLOOP=0} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TASKLOOP: `0'; valid are 1 to 64; it is ignored\n4 4 4 3 10 3\n} } */
/* { amp-run {GOMP_AMP_TASKLOOP=8,2} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TASKLOOP: `8,2'; [^\n]*\n4 4 4 3 10 3\n} } */
/* { amp-run {GOMP_AMP_TASKLOOP=-1} {} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TASKLOOP: `-1'; [^\n]*\n4 4 4 3 10 3\n} } */
/* { amp-run {OMP_DISPLAY_ENV=verbose GOMP_AMP_TASKLOOP=8} {} {.*\n  GOMP_AMP_TASKLOOP = '8'\n.*END\n32 32 10 3 10 3\n} } */

#include "amp-test.h"

static int hit[1000];
static int tasks;

/* A task has a FRESH of its own.  */
#define BODY(I) \
  do \
    { \
      if (fresh) \
	__atomic_fetch_add (&tasks, 1, __ATOMIC_RELAXED); \
      fresh = 0; \
      hit[I]++; \
    } \
  while (0)

/* How many tasks, by KIND, for N iterations.  */

static int
count (int kind, int n)
{
  int fresh = 1, i;
  unsigned long long u, most = n;

  tasks = 0;
  memset (hit, 0, sizeof hit);
#pragma omp parallel
#pragma omp single
  switch (kind)
    {
    case 0:
#pragma omp taskloop firstprivate (fresh)
      for (i = 0; i < n; i++)
	BODY (i);
      break;
    case 1:
#pragma omp taskloop firstprivate (fresh)
      for (u = 0; u < most; u++)
	BODY (u);
      break;
    case 2:
#pragma omp taskloop firstprivate (fresh) num_tasks (3)
      for (i = 0; i < n; i++)
	BODY (i);
      break;
    default:
#pragma omp taskloop firstprivate (fresh) grainsize (100)
      for (i = 0; i < n; i++)
	BODY (i);
    }
  for (i = 0; i < 1000; i++)
    CHECK (hit[i] == (i < n));
  return tasks;
}

int
main (void)
{
  int n[6] = { count (0, 1000), count (1, 1000), count (0, 10), count (2, 1000),
	       count (3, 1000), count (0, 3) };

  printf ("%d %d %d %d %d %d\n", n[0], n[1], n[2], n[3], n[4], n[5]);
  return AMP_RESULT;
}

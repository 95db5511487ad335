/* Loops that must take their schedule from OMP_SCHEDULE.
   SPDX-License-Identifier: GPL-3.0-or-later
   calls: GOMP_loop_static_start GOMP_loop_static_next
   calls: GOMP_loop_ull_static_start GOMP_loop_ull_static_next
   calls: GOMP_loop_start  */

#include <omp.h>
#include "check.h"

static int other[MAX];

static void
constant_bounds (void)
{
#pragma omp parallel for /* amp: converted */
  for (int i = 3; i < 1000; i += 7)
    got[i]++;
  check ("int, constant bounds");
#pragma omp parallel for /* amp: converted */
  for (long i = 1000; i >= 3; i -= 7)
    got[i]++;
  check ("long down, constant bounds");
}

static void
collapsed (int n)
{
  /* Collapsed nests go to libgomp as a count with step 1: unsigned iterators
     that count down are right there.  */
#pragma omp parallel for collapse(2) /* amp: converted */
  for (unsigned i = n; i > 0; i--)
    for (unsigned short j = n; j != 0; j--)
      got[i * 64 + j]++;
  check ("collapse(2), unsigned down");
  int li = -1, lj = -1;
#pragma omp parallel for collapse(2) lastprivate(li, lj) /* amp: converted */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      li = i, lj = j;
  expect ("collapse(2), lastprivate", li * 64 + lj);
}

static void __attribute__ ((noinline))
orphaned (int n)
{
#pragma omp for nowait /* amp: converted */
  for (int i = 0; i < n; i++)
    got[i]++;
}

static void
placed (int n)
{
#pragma omp parallel
  orphaned (n);
  check ("orphaned in a team");
  orphaned (n);
  check ("orphaned, serial");
#pragma omp parallel for num_threads(2) /* amp: converted */
  for (int i = 0; i < 8; i++)
#pragma omp parallel for num_threads(2) /* amp: converted */
    for (int j = 0; j < n; j++)
      got[i * 64 + j]++;
  check ("nested");
#pragma omp parallel for if(n < 0) /* amp: converted */
  for (int i = 0; i < n; i++)
    got[i]++;
  check ("if clause");

  /* A GNU C nested function.  */
  void
  inner (int m)
  {
#pragma omp parallel for /* amp: converted */
    for (int i = 0; i < m; i++)
      got[i] += n;
  }
  inner (n);
  check ("nested function");

  /* The body of target data runs here.  */
#pragma omp target data map(tofrom: got)
  {
#pragma omp parallel for /* amp: converted */
    for (int i = 0; i < n; i++)
      got[i]++;
  }
  check ("target data");
}

static void
clauses (int n)
{
  long sum = 0, last = -1, lin = 5, one = 1;
#pragma omp parallel for reduction(+: sum) lastprivate(last) firstprivate(one) /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      sum += i * one;
      last = i;
    }
  expect ("reduction", sum);
  expect ("lastprivate", last);
  int i;
#pragma omp parallel for lastprivate(i) /* amp: converted */
  for (i = 0; i < n; i += 3)
    got[i]++;
  check ("lastprivate iterator");
#pragma omp parallel for linear(lin: 2) /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      got[i] = lin;
      lin += 2;
    }
  check ("linear");
  expect ("linear, after", lin);
  sum = 0;
#pragma omp parallel
#pragma omp for reduction(task, +: sum) /* amp: static: task reduction */
  for (int i = 0; i < n; i++)
    {
#pragma omp task in_reduction(+: sum)
      sum += i;
    }
  expect ("task reduction", sum);
  sum = 0;
#pragma omp parallel for reduction(task, +: sum) /* amp: static: task reduction */
  for (long long i = n; i > 0; i--)
    {
#pragma omp task in_reduction(+: sum)
      sum += i;
    }
  expect ("task reduction, combined", sum);
#pragma omp parallel
  {
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	got[0] |= i >= 0;
#pragma omp cancel for if(0)
#pragma omp cancellation point for
      }
  }
  check ("cancellation point");
}

static float x[MAX], y[MAX];

static void
simd (int n)
{
  double sum = 0;
  int lin = 1;
  for (int i = 0; i < MAX; i++)
    x[i] = i % 17, y[i] = i % 5;
#pragma omp parallel for simd reduction(+: sum) /* amp: converted */
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  expect ("parallel for simd, reduction", sum);
  int i;
#pragma omp parallel
#pragma omp for simd linear(lin: 3) lastprivate(i) safelen(8) /* amp: converted or static */
  for (i = 0; i < n; i++)
    {
      got[i] += lin;
      lin += 3;
    }
  expect ("for simd, iterator after", i);
  expect ("for simd, linear after", lin);
  check ("for simd, linear");
#pragma omp parallel for simd simdlen(4) /* amp: converted */
  for (unsigned i = 0; i < (unsigned) n; i++)
    got[i] += i;
  check ("for simd, unsigned");
}

static void
distributed (int n)
{
#pragma omp teams distribute parallel for dist_schedule(static, 10) /* amp: converted */
  for (unsigned i = 5; i < (unsigned) n; i += 2)
    got[i]++;
  check ("dist_schedule");
#pragma omp teams distribute parallel for /* amp: converted */
  for (int *p = other + n; p > other; p--)
    got[p - other]++;
  check ("teams distribute parallel for, pointer");
#pragma omp teams distribute parallel for /* amp: converted */
  for (unsigned long i = n; i > 0; i--)
    got[i]++;
  check ("teams distribute parallel for, unsigned long down");
  int last = -1;
#pragma omp teams distribute parallel for simd lastprivate(last) /* amp: converted or static */
  for (int i = 0; i < n; i++)
    {
      got[i] += i;
      last = i;
    }
  check ("teams distribute parallel for simd");
  expect ("teams distribute parallel for simd, lastprivate", last);
#pragma omp teams num_teams(2)
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      if (omp_get_team_num () == 0)
	got[i]++;
    }
  check ("teams, parallel for");
}

int
main (void)
{
  int n = 60 + zero;
  constant_bounds ();
  collapsed (n);
  placed (n);
  clauses (n);
  simd (n);
  distributed (n);
  return 0;
}

/* Loops without a schedule clause that must stay static, and loops that are no
   worksharing loops.
   SPDX-License-Identifier: GPL-3.0-or-later
   calls: GOMP_loop_ordered_static_start GOMP_loop_ordered_static_next
   calls: GOMP_loop_doacross_static_start GOMP_loop_static_next
#if __GNUC__ >= 10
   calls: GOMP_loop_start
#endif
   calls: GOMP_taskloop  */

#include "check.h"

static void
ordered (int n)
{
  int turn = 0;
#pragma omp parallel for ordered /* amp: static: ordered clause */
  for (int i = 0; i < n; i++)
    {
#pragma omp ordered
      {
	got[i] = turn++;
      }
    }
  check ("ordered");
#pragma omp parallel for ordered(1) /* amp: static: ordered clause */
  for (int i = 1; i < n; i++)
    {
#pragma omp ordered depend(sink: i - 1)
      got[i] = got[i - 1] + i;
#pragma omp ordered depend(source)
    }
  check ("doacross");
  turn = 0;
#pragma omp parallel for simd ordered /* amp: static: ordered clause */
  for (int i = 0; i < n; i++)
    {
#pragma omp ordered threads simd
      {
	got[i] = turn++;
      }
    }
  check ("for simd ordered");
}

static void
concurrent (int n)
{
#if __GNUC__ >= 10
#pragma omp parallel for order(concurrent) /* amp: static: order clause */
  for (int i = 0; i < n; i++)
    got[i]++;
#endif
#if __GNUC__ >= 12
#pragma omp parallel for order(unconstrained: concurrent) /* amp: static: order clause */
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp parallel for order(reproducible: concurrent) /* amp: static: order clause */
  for (int i = 0; i < n; i++)
    got[i]++;
#endif
#if __GNUC__ >= 10
#pragma omp parallel loop /* amp: static: loop construct */
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp parallel
#pragma omp loop bind(parallel) /* amp: static: loop construct */
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp teams distribute parallel for order(concurrent) /* amp: static: order clause */
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp teams loop /* amp: static: loop construct */
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp loop bind(thread)
  for (int i = 0; i < n; i++)
    got[i]++;
#endif
  check ("order and loop");
}

static void
scans (int n)
{
#if __GNUC__ >= 10
  int sum = 0;
#pragma omp parallel for reduction(inscan, +: sum) /* amp: static: inscan reduction */
  for (int i = 0; i < n; i++)
    {
      sum += i;
#pragma omp scan inclusive(sum)
      got[i] = sum;
    }
  sum = 0;
  check ("inscan");
  sum = 0;
#pragma omp parallel for simd reduction(inscan, +: sum) /* amp: static: inscan reduction */
  for (int i = 0; i < n; i++)
    {
      got[i] = sum;
#pragma omp scan exclusive(sum)
      sum += i;
    }
  sum = 0;
  check ("inscan, for simd");
#endif
}

static void
triangle (int n)
{
#if __GNUC__ >= 11
#pragma omp parallel for collapse(2) /* amp: static: non-rectangular nest */
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      got[i * 64 + j]++;
#pragma omp parallel for simd collapse(2) /* amp: static: non-rectangular nest */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      got[i * 64 + j]++;
#pragma omp teams distribute parallel for collapse(2) /* amp: static: non-rectangular nest */
  for (int i = 0; i < n / 2; i++)
    for (int j = i; j < 2 * i; j++)
      got[i * 64 + j]++;
  check ("non-rectangular");
#endif
}

static void
conditional (int n)
{
#if __GNUC__ >= 10
  int last = -1, last2 = -1;
#pragma omp parallel for lastprivate(conditional: last, last2) /* amp: static: conditional lastprivate */
  for (int i = 0; i < n; i++)
    {
      if (i % 7 == 3)
	last = i;
      if (i == 2)
	last2 = i;
    }
  expect ("lastprivate(conditional)", last);
  expect ("lastprivate(conditional), early", last2);
#endif
}

#pragma omp declare target
static void
declared (int *a, int n)
{
#pragma omp parallel for /* amp: static: offloaded */
  for (int i = 0; i < n; i++)
    a[i]++;
}
#pragma omp end declare target

#if __GNUC__ >= 11
/* Called from a target region, hence implicitly declare target.  */
static void __attribute__ ((noinline))
implied (int *a, int n)
{
#pragma omp parallel for /* amp: static: offloaded */
  for (int i = 0; i < n; i++)
    a[i]++;
}
#endif

static void
offloaded (int n)
{
  int a[64] = { 0 };
#pragma omp target parallel for map(tofrom: a) /* amp: static: offloaded */
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target teams distribute parallel for map(tofrom: a) /* amp: static: offloaded */
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp target map(tofrom: a)
  {
#if __GNUC__ >= 11
    implied (a, n);
#endif
    declared (a, n);
#pragma omp parallel
    {
#pragma omp for /* amp: static: offloaded */
      for (int i = 0; i < n; i++)
	a[i]++;
    }
  }
  declared (a, n);
  memcpy (got, a, sizeof a);
  check ("offloaded");
}

/* Stock GCC zero-extends the step of these for libgomp: were they runtime, they
   would run no iteration.  */

static void
unsigned_down (unsigned n)
{
  unsigned none = zero;
#pragma omp parallel for /* amp: static: narrow unsigned iterator counts down */
  for (unsigned i = 2000; i > 10; i--)
    got[i]++;
#pragma omp parallel for /* amp: static: narrow unsigned iterator counts down */
  for (unsigned i = n; i >= 10; i -= 3)
    got[i]++;
#pragma omp parallel for /* amp: static: narrow unsigned iterator counts down */
  for (unsigned i = n; i != none; --i)
    got[i]++;
#pragma omp parallel for /* amp: static: narrow unsigned iterator counts down */
  for (unsigned i = n; i != none; i += -1)
    got[i]++;
#pragma omp parallel for /* amp: static: narrow unsigned iterator counts down */
  for (unsigned short i = n; i > 0; i--)
    got[i]++;
#pragma omp parallel for /* amp: static: narrow unsigned iterator counts down */
  for (unsigned char i = n; i > 0; i--)
    got[i]++;
#pragma omp parallel for simd /* amp: static: narrow unsigned iterator counts down */
  for (unsigned i = n; i > 0; i--)
    got[i]++;
#pragma omp teams distribute parallel for /* amp: static: narrow unsigned iterator counts down */
  for (unsigned i = n; i > 0; i--)
    got[i]++;
  check ("unsigned down");
}

/* Stock GCC takes such constants for negative: these would run no iteration,
   either.  */

static void
wrapping (void)
{
#pragma omp parallel for /* amp: static: last step may wrap */
  for (unsigned long i = 1ul << 62; i < 0xe000000000000000ul; i += 1ul << 61)
    got[i >> 61]++;
#pragma omp parallel for /* amp: static: last step may wrap */
  for (unsigned long i = -9ul; i != -1ul; i++)
    got[-i]++;
#pragma omp parallel for /* amp: static: last step may wrap */
  for (unsigned long i = -9ul; i <= -2ul; i++)
    got[-i]++;
  check ("wrapping");
}

static void
wide (int n)
{
  int seen = 0;
  __int128 first = (__int128) 1 << 100;
#pragma omp parallel for reduction(+: seen) /* amp: static: iterator above 64 bits */
  for (__int128 i = first; i < first + n; i++)
    {
      got[(int) (i - first)]++;
      seen += i >= first && i < first + n;
    }
  check ("__int128");
  expect ("__int128, iterations", seen);
}

static void
others (int n)
{
#pragma omp parallel sections
  {
#pragma omp section
    got[0]++;
#pragma omp section
    got[1]++;
  }
  check ("sections");
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop simd
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp simd
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp teams distribute
  for (int i = 0; i < n; i++)
    got[i]++;
#pragma omp teams distribute simd
  for (int i = 0; i < n; i++)
    got[i]++;
  check ("taskloop, simd, distribute");
}

int
main (void)
{
  int n = 60 + zero;
  ordered (n);
  concurrent (n);
  scans (n);
  triangle (n);
  conditional (n);
  offloaded (n);
  wrapping ();
  unsigned_down (n);
  wide (n);
  others (n);
  return 0;
}

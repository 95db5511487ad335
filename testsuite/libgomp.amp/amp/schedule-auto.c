/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* schedule(auto) says as little as no clause: OMP_SCHEDULE holds, a nowait
   becomes a barrier, what follows a static loop is dealt as static deals it,
   and GOMP_AMP=off gives what plain gcc does.  A loop that asks for auto and
   relies on static is not touched.  */
/* { amp-calls GOMP_loop_static_start GOMP_loop_static_next GOMP_loop_ull_static_start } */
/* { amp-run {OMP_SCHEDULE=static,1} {cyclic} {} } */
/* { amp-run {OMP_SCHEDULE=static} {even} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@} {even} {} } */
/* { amp-run {GOMP_AMP=off OMP_SCHEDULE=static,1} {even} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=aid_static} {three} {} } */

#include "amp-test.h"

#define N 4000
static int a[N], b[N], own[N];
static unsigned char *first[N];
static volatile int zero;

/* How iteration I of N is dealt by WHAT to two threads.  */

static int
expected (const char *what, int i, int n)
{
  switch (*what)
    {
    case 'c':
      return i % 2;
    case 'e':
      return i >= (n + 1) / 2;
    default:
      return i >= n * 3 / 4;
    }
}

static void
mapping (const char *what)
{
  int n = N + zero, wrong = 0;

#pragma omp parallel for schedule (auto) num_threads (2)
  for (int i = 0; i < N; i++)
    a[i] = omp_get_thread_num ();
  for (int i = 0; i < N; i++)
    wrong += a[i] != expected (what, i, N);
  CHECK (wrong == 0);
  wrong = 0;
#pragma omp parallel num_threads (2)
  {
#pragma omp for schedule (auto) nowait
    for (unsigned long long i = 0; i < (unsigned long long) n; i++)
      a[i] = omp_get_thread_num ();
#pragma omp for schedule (static) nowait
    for (int i = 0; i < n; i++)
      own[i] = omp_get_thread_num ();
    /* As static, since it follows static without a barrier.  */
#pragma omp for schedule (auto)
    for (int i = 0; i < n; i++)
      b[i] = omp_get_thread_num ();
  }
  for (int i = 0; i < n; i++)
    wrong += a[i] != expected (what, i, n) || b[i] != own[i];
  CHECK (wrong == 0);
}

/* Right under any division.  */

static void
cover (int threads)
{
  int n = N + zero, wrong = 0, k = 0;

#pragma omp parallel num_threads (threads) firstprivate (k)
  {
    unsigned char here;

#pragma omp for schedule (auto) nowait
    for (int i = n - 1; i >= 0; i--)
      a[i]++;
#pragma omp for schedule (auto) nowait
    for (int i = 0; i < n; i++)
      b[i] = a[n - 1 - i];
    /* Relies on one block a thread.  */
#pragma omp for schedule (auto)
    for (int i = 0; i < n; i++)
      {
	own[i] = k++;
	first[i] = &here;
      }
  }
  for (int i = 0; i < n; i++)
    wrong += a[i] != 1 || b[i] != 1
	     || (i > 0 && own[i] != own[i - 1] + 1 && own[i] != 0)
	     || (i > 0 && (own[i] == 0) != (first[i] != first[i - 1]));
  CHECK (wrong == 0);
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    mapping (argv[1]);
  else
    for (int t = 1; t <= 5; t++)
      for (int round = 0; round < 20; round++)
	{
	  memset (a, 0, sizeof a);
	  memset (b, 0, sizeof b);
	  cover (t);
	}
  return AMP_RESULT;
}

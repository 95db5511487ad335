/* Who runs what in loops that say schedule(static): printed, for comparison.
   CHUNK: what else they say.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { MAX = 200 };
static int by[MAX];
static char bytes[3 * MAX];

static void
begin (void)
{
  memset (by, -1, sizeof by);
}

static void
ran (long i)
{
  if (i < 0 || i >= MAX || by[i] != -1)
    printf ("%ld again, or never\n", i);
  else
    by[i] = omp_get_thread_num ();
}

static void
end (const char *what, int threads, long n)
{
  printf ("%s %d %ld:", what, threads, n);
  for (int i = 0; i < MAX; i++)
    if (by[i] >= 0)
      printf (" %d", by[i]);
  printf ("\n");
}

#ifdef TEAM_OF_ANY_SIZE
# define TEAM
#else
# define TEAM num_threads(t)
#endif
#ifdef CHUNK
# define STATIC schedule(static, CHUNK)
#else
# define STATIC schedule(static)
#endif
#define PRAGMA(X) _Pragma (#X)
#define OMP(...) PRAGMA (omp __VA_ARGS__)
#define STATIC_LOOP OMP (parallel for STATIC TEAM)

static void
loops (int t, int n)
{
  long last = -1, cells = 0;

  omp_set_num_threads (t);
  begin ();
  STATIC_LOOP
  for (int i = 0; i < n; i++)
    ran (i);
  end ("int", t, n);
  begin ();
  STATIC_LOOP
  for (long i = n - 1; i >= 0; i--)
    ran (i);
  end ("down", t, n);
  begin ();
  STATIC_LOOP
  for (long i = LONG_MAX - 3L * n; i < LONG_MAX - 2; i += 3)
    ran ((i - (LONG_MAX - 3L * n)) / 3);
  end ("far", t, n);
  begin ();
  STATIC_LOOP
  for (unsigned long long i = ULLONG_MAX - n; i < ULLONG_MAX; i++)
    ran (i - (ULLONG_MAX - n));
  end ("ull", t, n);
  begin ();
  STATIC_LOOP
  for (char *p = bytes; p < bytes + 3 * n; p += 3)
    ran ((p - bytes) / 3);
  end ("pointer", t, n);
  begin ();
  OMP (parallel for collapse (2) STATIC TEAM)
  for (int i = 0; i < n / 5; i++)
    for (int j = 0; j < 5; j++)
      ran (5 * i + j);
  end ("collapse", t, n);
  begin ();
  OMP (parallel for STATIC TEAM lastprivate(last) reduction(+: cells))
  for (int i = 0; i < n; i++)
    {
      ran (i);
      last = i;
      cells += i;
    }
  end ("clauses", t, n);
  /* Without iterations, last is undefined.  */
  printf ("%ld %ld\n", n > 0 ? last : 0, cells);
  begin ();
  OMP (parallel TEAM)
  {
    OMP (for STATIC nowait)
    for (int i = 0; i < n; i++)
      by[i] = -1000 - omp_get_thread_num ();
    OMP (for STATIC nowait)
    for (int i = 0; i < n; i++)
      by[i] = by[i] == -1000 - omp_get_thread_num () ? omp_get_thread_num () : 99;
#pragma omp barrier
#ifdef TEAM_OF_ANY_SIZE
  }
#pragma omp parallel
  {
#endif
    /* Beside others in one function, and in one that is inlined.  */
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < n; i++)
      bytes[i] = by[i] == 99;
  }
  for (int i = 0; i < n; i++)
    if (bytes[i])
      printf ("a thread has met another's iteration\n");
  end ("nowait", t, n);
}

int
main (void)
{
  static const int sizes[] = { 0, 1, 3, 5, 100, 149 };

  for (int t = 1; t <= 5; t += 2)
    for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
      loops (t, sizes[k]);
}

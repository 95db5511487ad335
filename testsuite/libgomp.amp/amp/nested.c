/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Nested and orphaned regions, loops in teams of one and outside of any
   region, and a number of threads that changes from region to region.  */
/* { amp-do rows types } */

#include "amp-test.h"

#define N 60

static void
orphan (unsigned char *seen)
{
#pragma omp for
  for (long i = 0; i < N; i++)
    __atomic_fetch_add (&seen[i], 1, __ATOMIC_RELAXED);
#pragma omp for schedule (runtime)
  for (int i = N - 1; i >= 0; i--)
    __atomic_fetch_add (&seen[i], 1, __ATOMIC_RELAXED);
}

static void
check (const unsigned char *seen, unsigned times, const char *where)
{
  for (int i = 0; i < N; i++)
    CHECK_IN (seen[i] == times, where);
}

static void
nest (int depth, int width)
{
  unsigned char seen[N] = { 0 }, alone[N] = { 0 };
  int present = 1;

#pragma omp parallel num_threads (width)
  {
#pragma omp master
    present = omp_get_num_threads ();
    orphan (seen);
    if (depth > 0)
      nest (depth - 1, 1 + depth % 3);
    orphan (seen);
#pragma omp parallel for num_threads (2)
    for (long i = 0; i < N; i++)
      __atomic_fetch_add (&alone[i], 1, __ATOMIC_RELAXED);
    orphan (seen);
  }
  check (seen, 6, "nested");
  check (alone, present, "inner");
}

int
main (void)
{
  static const int widths[] = { 1, 2, 3, 2, 1, 4, 4, 1, 2, 6, 3 };
  unsigned char seen[N] = { 0 };

  orphan (seen);
  check (seen, 2, "outside");
  omp_set_max_active_levels (4);
  for (unsigned k = 0; k < sizeof widths / sizeof widths[0]; k++)
    nest (2, widths[k]);
  omp_set_max_active_levels (1);
  nest (2, 3);

  /* A loop in a region inside a loop.  */
  omp_set_max_active_levels (2);
  amp_cover_begin ();
#pragma omp parallel for num_threads (3)
  for (int i = 0; i < 20; i++)
    {
#pragma omp parallel for num_threads (2)
      for (int j = 0; j < 20; j++)
	amp_visit (i * 20 + j);
    }
  CHECK (amp_covered (400));

  /* A loop in a task and in a target region of the host.  */
  memset (seen, 0, sizeof seen);
#pragma omp parallel num_threads (2)
#pragma omp single
#pragma omp task
#pragma omp parallel num_threads (2)
  orphan (seen);
  check (seen, 2, "task");
  return AMP_RESULT;
}

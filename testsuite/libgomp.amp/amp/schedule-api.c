/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Schedules set and asked for by the program; each of them then runs a loop.
   Tasks and nested teams inherit them, and changes stay in the task that
   makes them.  */

#include "amp-test.h"

static void
loop_is_whole (void)
{
  amp_cover_begin ();
#pragma omp parallel num_threads (3)
  {
#pragma omp for schedule (runtime)
    for (int i = 0; i < 500; i++)
      amp_visit (i);
#pragma omp for
    for (int i = 0; i < 500; i++)
      amp_visit (500 + i);
  }
  CHECK (amp_covered (1000));
}

static int
is (int kind, int chunk)
{
  omp_sched_t k;
  int c;

  omp_get_schedule (&k, &c);
  return (int) k == kind && c == chunk;
}

static int
is_both (int kind, int first, int second)
{
  int k, a, b;

  gomp_amp_get_schedule (&k, &a, &b);
  return k == kind && a == first && b == second && is (kind, first);
}

static void
set (int kind, int chunk)
{
  omp_set_schedule ((omp_sched_t) kind, chunk);
}

static void
round_trips (void)
{
  static const int monotonic = INT_MIN;
  static const struct { int kind, chunk, shown; } sets[] = {
    { omp_sched_static, 3, 3 }, { omp_sched_dynamic, 7, 7 },
    { omp_sched_guided, 2, 2 }, { omp_sched_auto, 2, 2 },
    { omp_sched_aid_static, 3, 3 }, { omp_sched_aid_hybrid, 60, 60 },
    { omp_sched_aid_dynamic, 2, 2 }, { omp_sched_reference, 4, 4 },
    { omp_sched_steal, 5, 5 }, { omp_sched_ich, 25, 25 },
    { omp_sched_binlpt, 9, 9 }, { omp_sched_cluster_dynamic, 6, 6 },
    { omp_sched_hetprobe, 20, 20 }, { omp_sched_hetprobe_i, 20, 20 },
    { monotonic | omp_sched_ich, 25, 25 },
    { monotonic | omp_sched_aid_static, 3, 3 },
    /* Below 1: the default; out of range: the nearest.  */
    { omp_sched_aid_hybrid, 0, 0 }, { omp_sched_aid_static, -5, 0 },
    { omp_sched_aid_hybrid, 1000, 100 },
    { omp_sched_aid_static, INT_MAX, INT_MAX },
    { omp_sched_aid_dynamic, INT_MAX, INT_MAX }
  };
  static const struct { int kind, first, second; } both[] = {
    { omp_sched_aid_dynamic, 2, 12 }, { omp_sched_ich, 50, 1 },
    { omp_sched_aid_hybrid, 70, 3 }
  };
  static const struct { int kind, first, second; } wrong[] = {
    { omp_sched_ich, 50, 3 }, { omp_sched_steal, 5, 1 },
    { omp_sched_binlpt, 5, 1 }, { omp_sched_aid_hybrid, 101, 0 },
    { omp_sched_aid_hybrid, -1, 0 }, { omp_sched_aid_hybrid, 50, -1 },
    { omp_sched_aid_static, 1, 1 }, { omp_sched_aid_dynamic, 5, 4 },
    { omp_sched_static, 1, 0 }, { 0, 0, 0 }, { -1, 0, 0 }, { 15, 0, 0 },
    { 0x7f, 0, 0 }
  };
  static const int unknown[] = { 5, 15, 30, 0x7f, 1 << 20 };
  char where[40];

#define EACH(I, A) for (unsigned I = 0; I < sizeof (A) / sizeof *(A); I++)
  EACH (i, sets)
    {
      snprintf (where, sizeof where, "%d,%d", sets[i].kind, sets[i].chunk);
      set (sets[i].kind, sets[i].chunk);
      CHECK_IN (is_both (sets[i].kind, sets[i].shown, 0), where);
      loop_is_whole ();
    }
  /* Unknown kinds change nothing, nor do wrong parameters.  */
  set (omp_sched_aid_dynamic, 9);
  EACH (i, unknown)
    set (unknown[i], 1);
  CHECK (is_both (omp_sched_aid_dynamic, 9, 0));
  EACH (i, both)
    {
      CHECK (gomp_amp_set_schedule (both[i].kind, both[i].first,
				    both[i].second) == 0);
      CHECK (is_both (both[i].kind, both[i].first, both[i].second));
      loop_is_whole ();
    }
  EACH (i, wrong)
    {
      snprintf (where, sizeof where, "%d,%d,%d", wrong[i].kind, wrong[i].first,
		wrong[i].second);
      CHECK_IN (gomp_amp_set_schedule (wrong[i].kind, wrong[i].first,
				       wrong[i].second) == -1, where);
      CHECK_IN (is_both (omp_sched_aid_hybrid, 70, 3), where);
    }
  /* The second parameter does not outlive a change by omp_set_schedule.  */
  set (omp_sched_aid_hybrid, 70);
  CHECK (is_both (omp_sched_aid_hybrid, 70, 0));
  set (omp_sched_dynamic, 1);
  CHECK (is_both (omp_sched_dynamic, 1, 0));
}

static void
inheritance (void)
{
  omp_set_max_active_levels (3);
  gomp_amp_set_schedule (omp_sched_aid_dynamic, 3, 30);
#pragma omp parallel num_threads (3)
  {
    CHECK (is_both (omp_sched_aid_dynamic, 3, 30));
    if (omp_get_thread_num () == 1)
      gomp_amp_set_schedule (omp_sched_aid_hybrid, 55, 2);
    else if (omp_get_thread_num () == 2)
      set (omp_sched_guided, 4);
#pragma omp barrier
    switch (omp_get_thread_num ())
      {
      case 1:
	CHECK (is_both (omp_sched_aid_hybrid, 55, 2));
#pragma omp parallel num_threads (2)
	{
	  CHECK (is_both (omp_sched_aid_hybrid, 55, 2));
	  set (omp_sched_static, 1);
	}
	CHECK (is_both (omp_sched_aid_hybrid, 55, 2));
#pragma omp task if (0)
	{
	  CHECK (is_both (omp_sched_aid_hybrid, 55, 2));
	  set (omp_sched_reference, 1);
	  CHECK (is_both (omp_sched_reference, 1, 0));
	}
	CHECK (is_both (omp_sched_aid_hybrid, 55, 2));
	break;
      case 2:
	CHECK (is_both (omp_sched_guided, 4, 0));
#pragma omp task
	{
	  CHECK (is_both (omp_sched_guided, 4, 0));
	  gomp_amp_set_schedule (omp_sched_aid_static, 2, 0);
#pragma omp task if (0)
	  CHECK (is_both (omp_sched_aid_static, 2, 0));
	}
#pragma omp taskwait
	CHECK (is_both (omp_sched_guided, 4, 0));
	break;
      default:
	CHECK (is_both (omp_sched_aid_dynamic, 3, 30));
	break;
      }
  }
  CHECK (is_both (omp_sched_aid_dynamic, 3, 30));
}

int
main (void)
{
  CHECK (gomp_amp_get_num_core_types () >= 1);
  CHECK (gomp_amp_get_core_type () >= 0);
  CHECK (gomp_amp_get_core_type () < gomp_amp_get_num_core_types ());
  round_trips ();
  inheritance ();
  return AMP_RESULT;
}

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
  const unsigned monotonic = 0x80000000u;

  set (omp_sched_static, 3);
  CHECK (is_both (omp_sched_static, 3, 0));
  loop_is_whole ();
  set (omp_sched_dynamic, 7);
  CHECK (is_both (omp_sched_dynamic, 7, 0));
  loop_is_whole ();
  set (omp_sched_guided, 2);
  CHECK (is_both (omp_sched_guided, 2, 0));
  loop_is_whole ();
  set (omp_sched_auto, 2);
  CHECK (is (omp_sched_auto, 2));
  loop_is_whole ();

  set (omp_sched_aid_static, 3);
  CHECK (is_both (omp_sched_aid_static, 3, 0));
  loop_is_whole ();
  set (omp_sched_aid_hybrid, 60);
  CHECK (is_both (omp_sched_aid_hybrid, 60, 0));
  loop_is_whole ();
  set (omp_sched_aid_dynamic, 2);
  CHECK (is_both (omp_sched_aid_dynamic, 2, 0));
  loop_is_whole ();
  set (omp_sched_reference, 4);
  CHECK (is_both (omp_sched_reference, 4, 0));
  loop_is_whole ();
  set (omp_sched_steal, 5);
  CHECK (is_both (omp_sched_steal, 5, 0));
  loop_is_whole ();
  set (omp_sched_ich, 25);
  CHECK (is_both (omp_sched_ich, 25, 0));
  loop_is_whole ();
  set (omp_sched_binlpt, 9);
  CHECK (is_both (omp_sched_binlpt, 9, 0));
  loop_is_whole ();
  set (omp_sched_cluster_dynamic, 6);
  CHECK (is_both (omp_sched_cluster_dynamic, 6, 0));
  loop_is_whole ();
  set (omp_sched_hetprobe, 20);
  CHECK (is_both (omp_sched_hetprobe, 20, 0));
  loop_is_whole ();
  set (omp_sched_hetprobe_i, 20);
  CHECK (is_both (omp_sched_hetprobe_i, 20, 0));
  loop_is_whole ();
  set (monotonic | omp_sched_ich, 25);
  CHECK (is (monotonic | omp_sched_ich, 25));
  loop_is_whole ();
  set (monotonic | omp_sched_aid_static, 3);
  CHECK (is (monotonic | omp_sched_aid_static, 3));
  loop_is_whole ();

  /* 0 stands for the default, which omp_get_schedule may show.  */
  set (omp_sched_aid_hybrid, 0);
  CHECK (is (omp_sched_aid_hybrid, 0) || is (omp_sched_aid_hybrid, 80));
  loop_is_whole ();
  set (omp_sched_aid_static, -5);
  CHECK (is (omp_sched_aid_static, 0));
  loop_is_whole ();
  /* Out of range: the nearest.  */
  set (omp_sched_aid_hybrid, 1000);
  CHECK (is (omp_sched_aid_hybrid, 100));
  loop_is_whole ();
  set (omp_sched_aid_static, INT_MAX);
  CHECK (is (omp_sched_aid_static, INT_MAX));
  loop_is_whole ();
  set (omp_sched_aid_dynamic, INT_MAX);
  loop_is_whole ();

  /* Unknown kinds change nothing.  */
  set (omp_sched_aid_dynamic, 9);
  set (5, 1);
  set (15, 1);
  set (30, 1);
  set (0x7f, 1);
  set (1 << 20, 1);
  CHECK (is (omp_sched_aid_dynamic, 9));

  CHECK (gomp_amp_set_schedule (omp_sched_aid_dynamic, 2, 12) == 0);
  CHECK (is_both (omp_sched_aid_dynamic, 2, 12));
  loop_is_whole ();
  CHECK (gomp_amp_set_schedule (omp_sched_aid_hybrid, 70, 3) == 0);
  CHECK (is_both (omp_sched_aid_hybrid, 70, 3));
  loop_is_whole ();
  CHECK (gomp_amp_set_schedule (omp_sched_ich, 50, 1) == 0);
  CHECK (is_both (omp_sched_ich, 50, 1));
  loop_is_whole ();
  CHECK (gomp_amp_set_schedule (omp_sched_ich, 50, 3) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_steal, 5, 1) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_binlpt, 5, 1) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_aid_hybrid, 70, 3) == 0);
  CHECK (gomp_amp_set_schedule (omp_sched_aid_hybrid, 101, 0) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_aid_hybrid, -1, 0) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_aid_hybrid, 50, -1) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_aid_static, 1, 1) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_aid_dynamic, 5, 4) == -1
	 || is_both (omp_sched_aid_dynamic, 5, 4));
  CHECK (gomp_amp_set_schedule (omp_sched_static, 1, 0) == -1);
  CHECK (gomp_amp_set_schedule (0, 0, 0) == -1);
  CHECK (gomp_amp_set_schedule (-1, 0, 0) == -1);
  CHECK (gomp_amp_set_schedule (15, 0, 0) == -1);
  CHECK (gomp_amp_set_schedule (0x7f, 0, 0) == -1);
  CHECK (gomp_amp_set_schedule (omp_sched_aid_hybrid, 70, 3) == 0);
  CHECK (gomp_amp_set_schedule (omp_sched_aid_hybrid, 50, -1) == -1);
  CHECK (is_both (omp_sched_aid_hybrid, 70, 3));
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of a C++ kernel that runs twice: in parallel, and serially for
// reference.

#ifndef AMP_EACH_H
#define AMP_EACH_H

#include "app.h"

// Worksharing loops executed by each.
inline long each_loops = 0;

// WORK (), which calls each: in a team whose other threads take tasks with
// -DTASKS, else as it is.
template <typename Work>
inline void
each_team (const Work &work)
{
#ifdef TASKS
#pragma omp parallel
#pragma omp single
#endif
  work ();
}

// BODY (i) for i in 0..n-1, as a parallel loop without a schedule clause or one
// after the other.  Every call has a body, and so a loop site, of its own.
// With -DTASKLOOP the loop is a taskloop, with -DTASKS tasks and a taskwait.
template <typename Body>
inline void
each (bool parallel, long n, const Body &body)
{
  if (!parallel)
    {
      for (long i = 0; i < n; i++)
	body (i);
      return;
    }
  each_loops++;
#if defined TASKS
  const long tasks = app_tasks (n);
  for (long k = 0; k < tasks; k++)
    {
#pragma omp task firstprivate (k) shared (body)
      for (long i = app_task_begin (n, tasks, k);
	   i < app_task_begin (n, tasks, k + 1); i++)
	body (i);
    }
#pragma omp taskwait
#elif defined TASKLOOP
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks (app_tasks (n)) shared (body)
  for (long i = 0; i < n; i++)
    body (i);
#else
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    body (i);
#endif
}

#endif // AMP_EACH_H

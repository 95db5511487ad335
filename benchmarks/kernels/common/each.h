// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of a C++ kernel that runs twice: in parallel, and serially for
// reference.

#ifndef AMP_EACH_H
#define AMP_EACH_H

// Worksharing loops executed by each.
inline long each_loops = 0;

// BODY (i) for i in 0..n-1, as a parallel loop without a schedule clause or one
// after the other.  Every call has a body, and so a loop site, of its own.
template <typename Body>
inline void
each (bool parallel, long n, const Body &body)
{
  if (parallel)
    {
#pragma omp parallel for
      for (long i = 0; i < n; i++)
	body (i);
      each_loops++;
    }
  else
    for (long i = 0; i < n; i++)
      body (i);
}

#endif // AMP_EACH_H

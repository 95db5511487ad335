// Loops of iterators, whose nowait is a barrier's, and what happens beside them.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
extern void unknown (int);
static thread_local std::vector<int> mine;

void
iterators (std::vector<int> &a, std::vector<int> &b)
{
#pragma omp parallel
  {
#pragma omp for nowait // amp: ascending or static at -O0
    for (auto i = a.begin (); i < a.end (); ++i)
      {
	unknown (*i);
	*i += 1;
      }
#pragma omp for // amp: any
    for (std::size_t i = 0; i < b.size (); i++)
      b[i] = a[i];
  }
}

static int
next ()
{
  mine.push_back (1);
  return mine.size ();
}

void
thread_local_container (std::vector<int> &a)
{
#pragma omp parallel for // amp: static
  for (auto i = a.begin (); i < a.end (); ++i)
    *i = next ();
}

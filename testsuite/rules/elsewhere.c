/* What functions of other files know of the thread, and give to it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

CASE (hands_over_who_knows)
LOOP (/* amp: static */, out0[i] = ask_far (omp_get_thread_num);)

CASE (number_by_argument)
{
#pragma omp parallel
  {
    int me;
    number_far (&me);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = tail[me]++;
  }
}

static void
counts (int me, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = tail[me]++;
}
CASE (count_of_who_is_told) { numbered_far (counts, n); }

static void
notes_the_last (int me, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    tail[me] = i;
}
CASE (place_of_who_is_told) { numbered_far (notes_the_last, n); }

static void
one_notes (int me, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    if (i == me)
      tail[me] = 3;
}
CASE (one_iteration_is_told) { numbered_far (one_notes, n); }

CASE (what_it_gives)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      struct counter *q = mine_far ();
      out0[i] = q->n++;
    }
}

CASE (what_it_gives_is_filled)
{
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      struct counter *q = mine_far ();
      q->n = in[i & 63] & 255;
      out0[i] = q->n * q->n;
    }
}

CASE (stream_in_an_object)
{
#pragma omp parallel
  {
    struct stream s;
    open_far (&s);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = next_far (&s);
  }
}

CASE (numbers_in_an_object)
{
#pragma omp parallel
  {
    struct point p;
    point_put_far (&p, 5);
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      out0[i] = point_get_far (&p) * i;
  }
}

/* Each section is some thread's; the loop behind them is nobody's.  */

CASE (behind_sections)
{
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      out1[0] = mix_far (n, 1);
#pragma omp section
      out1[1] = mix_far (n, 2);
    }
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = out1[i & 1] + i;
  }
}

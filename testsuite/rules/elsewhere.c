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

CASE (number_in_an_object)
{
#pragma omp parallel
  {
    struct numbered s;
    open_numbered_far (&s);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = next_numbered_far (&s);
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

/* Handles: by a pointer to what is constant, by their address.  */

CASE (constant_handle)
{
#pragma omp parallel
  {
    const struct stream *s = stream_far ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = next_far (s);
  }
}

CASE (number_by_its_address)
{
#pragma omp parallel
  {
    int id;
    open_number_far (&id);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = next_number_far (&id);
  }
}

/* What an earlier call was given, and nobody here looks at.  */

CASE (registered)
{
#pragma omp parallel
  {
    u64 w = 1;
    keep_far (&w);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = kept_far (in[i & 63]);
  }
}

CASE (given_and_read)
{
#pragma omp parallel
  {
    u64 w[8];
    fill_far (w, 3);
    u64 first = w[0];
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      out0[i] = mix_far (i, 3) + first;
  }
}

/* What a function finds that is not told of the iteration.  */

CASE (found_by_an_argument)
{
#pragma omp parallel
  {
    found_far (1)->n = 1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	struct counter *c = found_far (1);
	out0[i] = c->n;
	c->n = i;
      }
  }
}

CASE (found_in_what_the_iteration_has)
{
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      struct record s;
      record_put_far (&s, i);
      u64 *c = inner_far (&s);
      out0[i] = c[1];
      c[2] = i;
      out1[i] = record_get_far (&s) + c[2];
    }
}

static u64 slot[THREADS];

CASE (number_by_a_pure_function)
{
#pragma omp parallel
  {
    slot[omp_get_thread_num ()] = 1;
#pragma omp barrier
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = slot[who_far ()];
	slot[who_far ()] = i;
      }
  }
}

CASE (number_in_what_was_given)
{
#pragma omp parallel
  {
    const struct member *me = member_far ();
    slot[me->number] = 1;
#pragma omp barrier
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = slot[me->number];
	slot[me->number] = i;
      }
  }
}

/* Where blocks begin, another file says.  */

CASE (first_of_a_block)
{
#pragma omp parallel
  {
    u64 square;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if (begins_far (i, n))
	  square = (u64) i * i;
	else
	  square += 2 * i - 1;
	out0[i] = square;
      }
  }
}

CASE (set_and_read_by_one_condition)
{
#pragma omp parallel
  {
    u64 x;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	if (in[i & 63] & 1)
	  x = i;
	out0[i] = 1;
	if (in[i & 63] & 1)
	  out0[i] = x;
      }
  }
}

/* Nothing may come between these two but the loop.  */

CASE (between_unknown_functions)
{
#pragma omp parallel
  {
    take_far ();
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = i;
    take_far ();
  }
}

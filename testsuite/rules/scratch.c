/* Thread-local variables that hold something within an iteration only.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

#define own static _Thread_local int

own at;
CASE (set_and_read)
LOOP (/* amp: any */ ,
      at = in[i & 63] & 63;
      out0[i] = in[at] + in[at ^ 1];)

own way;
CASE (set_on_both_ways)
LOOP (/* amp: any */ ,
      if (in[i & 63] & 1)
	way = 3;
      else
	way = i & 7;
      for (int k = 0; k < way; k++)
	out0[i] += in[k];)

own seldom;
CASE (set_on_one_way)
LOOP (/* amp: static */ seldom = 0,
      if (in[i & 63] & 4)
	seldom = i;
      out0[i] = seldom;)

own late;
CASE (set_behind_the_read)
LOOP (/* amp: static */ late = 0,
      out0[i] = late;
      late = i;)

own turn;
CASE (set_in_turns)
LOOP (/* amp: any */ ,
      for (int k = 0; k < 4; k++)
	{
	  turn = (i + k) & 63;
	  out0[i] += in[turn];
	})

/* What a loop leaves is read behind it.  */

own behind;
CASE (read_behind_the_loop)
{
#pragma omp parallel
  {
    behind = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	behind = i;
	out0[i] = in[behind & 63];
      }
    tail[omp_get_thread_num ()] = behind;
  }
}

own asked;
static __attribute__ ((noinline)) void
asks (void)
{
  tail[omp_get_thread_num ()] = asked;
}

CASE (read_by_another_function)
{
#pragma omp parallel
  {
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	asked = i;
	out0[i] = in[asked & 63];
      }
    asks ();
  }
}

own pointed;
CASE (set_by_pointer)
{
  int *volatile p;
#pragma omp parallel private (p)
  {
    p = &pointed;
    *p = 1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	pointed = i;
	out0[i] = in[pointed & 63];
      }
    tail[omp_get_thread_num ()] = *p;
  }
}

_Thread_local int known_to_all;
CASE (seen_by_other_files)
LOOP (/* amp: static */ ,
      known_to_all = in[i & 63] & 63;
      out0[i] = in[known_to_all];)

/* A function keeps it while it runs; a loop that it calls does not.  */

own within;
static __attribute__ ((noinline)) u64
looks_up (int i)
{
  within = in[i & 63] & 63;
  return in[within] + in[within ^ 3];
}

CASE (set_and_read_by_a_callee)
LOOP (/* amp: any */ ,
      out0[i] = looks_up (i);)

own across;
static __attribute__ ((noinline)) void
shares (int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      across = i;
      out0[i] = in[across & 63];
    }
}

CASE (read_behind_a_callee)
{
#pragma omp parallel
  {
    across = 0;
    shares (n);
    tail[omp_get_thread_num ()] = across;
  }
}

own numbered;
CASE (made_of_the_number)
LOOP (/* amp: static */ ,
      numbered = omp_get_thread_num ();
      out0[i] = numbered;)

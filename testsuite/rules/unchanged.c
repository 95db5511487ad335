/* Variables that all iterations set, or none, by conditions that are the same
   for all, and such as only look so.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

struct options
{
  int first, second;
};

struct options on = { 1, 0 };
static _Thread_local int mine;
static int spare;

CASE (set_by_all)
{
  u64 x = 5;
#pragma omp parallel for firstprivate (x) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      if (on.first)
	x = in[i & 63];
      out0[i] = x * 3;
    }
}

/* What is asked of the new value decides nothing.  */
CASE (set_by_all_and_looked_at)
{
  u64 x = 5, y = 1;
#pragma omp parallel for firstprivate (x, y) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      if (on.first)
	{
	  x = in[i & 63] & 7;
	  if (x & 1)
	    out2[i] = mix_out (i, x);
	  y = in[x];
	}
      out0[i] = x * 3 + y;
    }
}

CASE (set_by_none)
{
#pragma omp parallel
  {
    u64 x = 5, y = 1;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	if (on.second)
	  {
	    x = in[i & 63];
	    if (on.first)
	      y = x + 1;
	  }
	out0[i] = x * i + y;
      }
  }
}

CASE (one_of_several)
{
  struct options *p = &on;
  u64 x = 7;
#pragma omp parallel for firstprivate (x) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      switch (p->first)
	{
	case 0:
	  x = in[i + 3 & 63];
	  break;
	case 2:
	  x = in[i & 63];
	}
      out0[i] = x + i;
    }
}

CASE (in_a_loop_of_the_iteration)
{
  u64 x = 7, s;
#pragma omp parallel for firstprivate (x) private (s) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      s = 0;
      for (int j = 0; j < i % 4; j++)
	{
	  if (on.first)
	    x = in[(i + j) & 63];
	  s = s * 3 + x;
	}
      out0[i] = s;
    }
}

CASE (some_iterations_end_before)
{
  u64 x = 7;
  int set = on.first;
#pragma omp parallel for firstprivate (x) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      if (in[i & 63] % 3 == 0)
	continue;
      if (set)
	x = in[i & 63];
      out0[i] = x;
    }
}

CASE (read_before)
{
  u64 x = 7;
#pragma omp parallel for firstprivate (x) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      out0[i] = x;
      if (on.first)
	x = in[i & 63];
    }
}

CASE (set_again)
{
  u64 x = 7;
#pragma omp parallel for firstprivate (x) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (on.second)
	x = in[i & 63];
      out0[i] = x;
      if (on.first)
	x = in[i + 5 & 63];
    }
}

CASE (made_of_itself)
{
  u64 x = 7;
#pragma omp parallel for firstprivate (x) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (on.first)
	x = x * 3 + 1;
      out0[i] = x;
    }
}

CASE (by_the_iteration)
{
  u64 x = 7;
#pragma omp parallel for firstprivate (x) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (on.first && i % 3)
	x = in[i & 63];
      out0[i] = x;
    }
}

CASE (by_what_was_set)
{
  u64 x = 7;
  int set = 0;
#pragma omp parallel for firstprivate (x, set) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (set)
	x = in[i + 5 & 63];
      out0[i] = x;
      set = on.first;
    }
}

CASE (by_what_the_thread_has)
{
  u64 x = 7;
#pragma omp parallel for firstprivate (x) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (mine)
	x = in[i + 5 & 63];
      out0[i] = x;
      mine = on.first;
    }
}

CASE (by_the_number)
{
#pragma omp parallel
  {
    u64 x = 7;
    int first = omp_get_thread_num () == 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if (first)
	  x = in[i + 5 & 63];
	out0[i] = x;
      }
  }
}

CASE (of_the_number)
{
#pragma omp parallel
  {
    u64 x = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if (on.second)
	  x = in[i + 5 & 63];
	out0[i] = x;
      }
  }
}

/* What the last time left is what this one begins with.  */
CASE (left_for_the_next_time)
{
#pragma omp parallel
  {
    u64 x = 7;
    for (int k = 0; k < 4; k++)
      {
#pragma omp single
	on.second = !on.second;
#pragma omp for /* amp: static */
	for (int i = 0; i < n; i++)
	  {
	    if (on.second)
	      x = in[i & 63];
	    out0[i] += x;
	  }
      }
  }
}

CASE (used_behind)
{
#pragma omp parallel reduction (+ : total)
  {
    u64 x = 7;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if (on.first)
	  x = in[i & 63];
	out0[i] = x;
      }
    total += x;
  }
}

/* The inner loop's first turn finds what was there.  */
CASE (set_for_the_next_turn)
{
  u64 x = 7, s;
#pragma omp parallel for firstprivate (x) private (s) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      s = 0;
      for (int j = 0; j < 3; j++)
	{
	  s = s * 3 + x;
	  if (on.first)
	    x = in[(i + j) & 63];
	}
      out0[i] = s;
    }
}

/* Without a turn nothing is set.  */
CASE (set_by_some_turns)
{
  u64 x = 7;
#pragma omp parallel for firstprivate (x) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i % 3; j++)
	if (on.first)
	  x = in[(i + j) & 63];
      out0[i] = x;
    }
}

CASE (one_through_another)
{
  u64 x = 7, y = 3;
#pragma omp parallel for firstprivate (x, y) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (on.first)
	x = y;
      out0[i] = x;
      y = in[i & 63];
    }
}

CASE (exchanged)
{
  u64 x = 7, y = 3, t;
#pragma omp parallel for firstprivate (x, y) private (t) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (on.first)
	{
	  t = x;
	  x = y;
	  y = t;
	}
      out0[i] = x;
    }
}

/* The same for all iterations, but not for all turns in one.  */
CASE (set_in_one_turn)
{
  u64 x = 7, s;
#pragma omp parallel for firstprivate (x) private (s) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      s = 0;
      for (int j = 0; j < 4; j++)
	{
	  if (j == 2)
	    x = in[(i + j) & 63];
	  s = s * 3 + x;
	}
      out0[i] = s;
    }
}

CASE (set_once_noted_so)
{
  u64 x = 7, s;
  struct options done;
#pragma omp parallel for firstprivate (x) private (s, done) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      s = 0;
      done.first = 0;
      for (int j = 0; j < 4; j++)
	{
	  if (done.first)
	    x = in[(i + j) & 63];
	  s = s * 3 + x;
	  done.first = 1;
	}
      out0[i] = s;
    }
}

CASE (by_what_others_set)
{
  u64 x = 7;
  int set = 0;
#pragma omp parallel for firstprivate (x) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      int f;
#pragma omp atomic read
      f = set;
      if (f)
	x = in[i & 63];
      out0[i] = x;
      if (on.second)
#pragma omp atomic write
	set = 1;
    }
}

/* A loop with two entries has no head.  */
CASE (set_in_one_turn_of_two_entries)
{
  u64 x = 7, s;
  int j;
#pragma omp parallel for firstprivate (x) private (s, j) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      s = 0;
      j = 0;
      if (on.first)
	goto inside;
    again:
      s = s * 5 + 1;
    inside:
      if (j == 2)
	x = in[(i + j) & 63];
      s = s * 3 + x;
      if (++j < on.first + 4)
	goto again;
      out0[i] = s;
    }
}

CASE (by_memory_of_one_or_all)
{
  u64 x = 7, s;
  int f;
#pragma omp parallel for firstprivate (x) private (f, s) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      int *p = on.first ? &f : &spare;
      s = 0;
      *p = 0;
      for (int j = 0; j < 3; j++)
	{
	  if (*p)
	    x = in[(i + j) & 63];
	  s = s * 5 + x;
	  *p = 1;
	}
      out0[i] = s;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* State that a thread carries from iteration to iteration, so that a result
   depends on which iterations were the thread's, and in which order.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */

#include <omp.h>
#include "rely.h"

#define N 157

static int result[N], right[N];

static long
compare (void)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += result[i] != right[i];
  return wrong;
}

/* For each thread and each of its iterations.  */
#define SERIAL(THREADS, WHO, I)						\
  for (int WHO = 0; WHO < (THREADS); WHO++)				\
    for (int I = rely_begin (N, THREADS, WHO);				\
	 I < rely_begin (N, THREADS, WHO + 1); I++)

static inline unsigned
draw (unsigned state)
{
  return state * 1664525u + 1013904223u;
}

/* A thread's stream of random numbers.  */

static long
stream (int round, int threads)
{
  unsigned state[4];
#pragma omp parallel num_threads (threads)
  {
    unsigned mine = round * 4 + omp_get_thread_num ();
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 0, i, N);
	mine = draw (mine);
	result[i] = mine >> 8;
      }
  }
  for (int t = 0; t < threads; t++)
    state[t] = round * 4 + t;
  SERIAL (threads, t, i)
    {
      state[t] = draw (state[t]);
      right[i] = state[t] >> 8;
    }
  return compare ();
}

/* The same through a pointer, as with rand_r.  */

static int __attribute__ ((noinline))
draw_from (unsigned *state)
{
  *state = draw (*state);
  return *state >> 8;
}

static long
stream_by_pointer (int round, int threads)
{
  unsigned state[4];
#pragma omp parallel num_threads (threads)
  {
    unsigned mine = round * 4 + omp_get_thread_num ();
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 1, i, N);
	result[i] = draw_from (&mine);
      }
  }
  for (int t = 0; t < threads; t++)
    state[t] = round * 4 + t;
  SERIAL (threads, t, i)
    right[i] = draw_from (&state[t]);
  return compare ();
}

/* Streams that go on from region to region.  */

static unsigned streams[4][16];

static long
stream_in_array (int round, int threads)
{
  unsigned state[4];
  for (int t = 0; t < threads; t++)
    state[t] = streams[t][0];
#pragma omp parallel num_threads (threads)
  {
    unsigned *mine = streams[omp_get_thread_num ()];
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 2, i, N);
	*mine = draw (*mine);
	result[i] = *mine >> 8;
      }
  }
  SERIAL (threads, t, i)
    {
      state[t] = draw (state[t]);
      right[i] = state[t] >> 8;
    }
  return compare ();
}

/* An index that is counted on instead of computed.  */

static long
counted_on (int round, int threads)
{
#pragma omp parallel num_threads (threads)
  {
    long k = rely_begin (N, threads, omp_get_thread_num ());
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 3, i, N);
	if (k < N)
	  result[k++] = round + i;
      }
  }
  for (int i = 0; i < N; i++)
    right[i] = round + i;
  return compare ();
}

/* What the iteration before has left, here the last that met a condition.  */

static long
kept (int round, int threads)
{
#pragma omp parallel num_threads (threads)
  {
    int last = -1;
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 4, i, N);
	if ((i + round) % 7 == 0)
	  last = i;
	result[i] = last;
      }
  }
  int last[4] = { -1, -1, -1, -1 };
  SERIAL (threads, t, i)
    {
      if ((i + round) % 7 == 0)
	last[t] = i;
      right[i] = last[t];
    }
  return compare ();
}

/* A private of the clause, set in a thread's first iteration.  */

static long
first_iteration (int round, int threads)
{
  int before = -round;
#pragma omp parallel num_threads (threads)
#pragma omp for firstprivate (before)
  for (int i = 0; i < N; i++)
    {
      rely_delay (round, 5, i, N);
      result[i] = before;
      before = i;
    }
  int last[4];
  for (int t = 0; t < threads; t++)
    last[t] = -round;
  SERIAL (threads, t, i)
    {
      right[i] = last[t];
      last[t] = i;
    }
  return compare ();
}

/* Threadprivate and thread-local variables.  */

static int mine;
#pragma omp threadprivate (mine)

static __thread int local;

static long
thread_private (int round, int threads)
{
#pragma omp parallel num_threads (threads)
  {
    mine = round;
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 6, i, N);
	mine = mine * 3 + i;
	result[i] = mine & 0xffff;
      }
  }
  int state[4];
  for (int t = 0; t < threads; t++)
    state[t] = round;
  SERIAL (threads, t, i)
    {
      state[t] = state[t] * 3 + i;
      right[i] = state[t] & 0xffff;
    }
  return compare ();
}

static int __attribute__ ((noinline))
next_mine (int i)
{
  return mine = mine * 5 + i;
}

static long
thread_private_in_callee (int round, int threads)
{
#pragma omp parallel num_threads (threads)
  {
    mine = round;
#pragma omp for nowait
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 7, i, N);
	result[i] = next_mine (i) & 0xffff;
      }
  }
  int state[4];
  for (int t = 0; t < threads; t++)
    state[t] = round;
  SERIAL (threads, t, i)
    {
      state[t] = state[t] * 5 + i;
      right[i] = state[t] & 0xffff;
    }
  return compare ();
}

static int __attribute__ ((noinline))
inner_next (int i)
{
  local += i ^ 5;
  return local;
}

static int __attribute__ ((noinline))
outer_next (int i)
{
  return 2 * inner_next (i);
}

static long
thread_local_in_callee (int round, int threads)
{
#pragma omp parallel num_threads (threads)
  {
    local = round;
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 8, i, N);
	result[i] = outer_next (i);
      }
  }
  int state[4];
  for (int t = 0; t < threads; t++)
    state[t] = round;
  SERIAL (threads, t, i)
    {
      state[t] += i ^ 5;
      right[i] = 2 * state[t];
    }
  return compare ();
}

/* A threadprivate list that one loop makes and another one uses.  */

static int list[N], listed;
#pragma omp threadprivate (list, listed)

static long
thread_private_list (int round, int threads)
{
#pragma omp parallel num_threads (threads)
  {
    listed = 0;
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	rely_delay (round, 9, i, N);
	list[listed++] = i;
      }
    int k = 0;
#pragma omp for
    for (int i = 0; i < N; i++)
      result[i] = k < listed ? list[k++] + round : -1;
  }
  for (int i = 0; i < N; i++)
    right[i] = i + round;
  return compare ();
}

int
main (void)
{
  rely_add ("random stream", stream);
  rely_add ("random stream by pointer", stream_by_pointer);
  rely_add ("random streams of an array", stream_in_array);
  rely_add ("index counted on", counted_on);
  rely_add ("value kept", kept);
  rely_add ("firstprivate carried", first_iteration);
  rely_add ("threadprivate", thread_private);
  rely_add ("threadprivate in a callee", thread_private_in_callee);
  rely_add ("thread-local in a callee's callee", thread_local_in_callee);
  rely_add ("threadprivate list", thread_private_list);
  return rely_run ();
}

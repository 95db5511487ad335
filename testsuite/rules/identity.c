/* Loops that ask which thread they run on.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdarg.h>
#include "rules.h"

CASE (number_stored)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = omp_get_thread_num ();
}

CASE (number_stored_later)
LOOP (/* amp: static */ int me = omp_get_thread_num (),
      out0[i] = me * 3;)

CASE (number_of_a_function)
{
#pragma omp parallel
  {
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = who_in (i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out1[i] = who_out (i);
  }
}

CASE (number_for_others)
{
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
    if (me == 0)
      tail[0] = 3;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = i * 3;
    tail[me] += me;
  }
}

CASE (sums_by_number)
LOOP (/* amp: any or static */ int me = omp_get_thread_num (),
      sums[me] += in[i & 63];)

CASE (last_by_number)
LOOP (/* amp: static */ int me = omp_get_thread_num (),
      tail[me] = i;)

CASE (seen_by_number)
LOOP (/* amp: static */ int me = omp_get_thread_num (),
      tail[me] += in[i & 63];
      out0[i] = tail[me];)

CASE (block_by_number)
LOOP (/* amp: static */
      int me = omp_get_thread_num (); int np = omp_get_num_threads ();
      int low = me * (n / np) + (me < n % np ? me : n % np),
      out0[i] = i - low;)

CASE (first_thread)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    if (omp_get_thread_num () == 0)
      out0[i] = 1;
    else
      out0[i] = 2;
}

CASE (how_many_threads)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = i * omp_get_num_threads ();
}

static pthread_t first;

CASE (thread_of_the_system)
{
  first = pthread_self ();
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = pthread_equal (pthread_self (), first) != 0;
}

CASE (stack_of_the_thread)
{
  static void *masters;
#pragma omp parallel
  {
#pragma omp master
    masters = __builtin_frame_address (0);
#pragma omp barrier
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = __builtin_frame_address (0) == masters;
  }
}

CASE (written_before_by_number)
{
  u64 x[SLOTS] = { 0 };
#pragma omp parallel
  {
    int me = omp_get_thread_num (), np = omp_get_num_threads ();
    for (int k = me; k < SLOTS; k += np)
      x[k] = me;
#pragma omp barrier
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = x[i];
  }
}

CASE (counted_by_number_then_used)
{
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
    u64 from = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (in[i & 63] & 1)
	sums[me]++;
    for (int t = 0; t < me; t++)
      from += sums[t];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (in[i & 63] & 1)
	out0[from++] = i;
  }
}

CASE (callback)
{
  u64 (*volatile ask) (u64) = who_out;
  u64 (*f) (u64) = ask;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = who_out (i) + (f == who_out);
}

CASE (sum_compared_in_another_loop)
{
#pragma omp parallel
  {
    u64 s = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      s += in[i & 63];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = (s & 1) == 1 ? i : 0;
  }
}

CASE (master_sets_another)
{
  u64 d = 0;
#pragma omp parallel
  {
#pragma omp master
    d = 5;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = i;
  }
  total += d;
}

CASE (ticket_selects)
{
  int next = 0, last[64] = { 0 };
#pragma omp parallel
  {
    int me;
#pragma omp atomic capture
    me = next++;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = last[me & 63];
	last[me & 63] = i;
      }
  }
}

static int *pool[64], pooled;

CASE (buffer_taken)
{
  static int buffers[64];
  pooled = 0;
  for (int i = 0; i < 64; i++)
    {
      buffers[i] = 0;
      pool[i] = &buffers[i];
    }
#pragma omp parallel
  {
    int *mine;
#pragma omp critical
    mine = pool[pooled++ & 63];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = *mine;
	*mine = i;
      }
  }
}

struct slot { int at, more; };

static __attribute__ ((noinline)) struct slot
next_slot (void)
{
  struct slot s = { 0, 3 };
#pragma omp critical
  s.at = pooled++ & 63;
  return s;
}

CASE (ticket_in_a_record)
{
  int last[64] = { 0 };
  pooled = 0;
#pragma omp parallel
  {
    struct slot mine = next_slot ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = last[mine.at];
	last[mine.at] = i;
      }
  }
}

CASE (ticket_of_an_iteration)
{
  int next = 0;
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
      int k;
#pragma omp atomic capture
      k = next++;
      out0[k] = 7;
    }
}

static int counted[64];

static void __attribute__ ((noinline))
count_by_number (void)
{
  counted[omp_get_thread_num () & 63]++;
}

static int __attribute__ ((noinline))
next_by_number (void)
{
  return counted[omp_get_thread_num () & 63]++;
}

CASE (counted_by_functions)
{
  for (int i = 0; i < 64; i++)
    counted[i] = 0;
#pragma omp parallel
  {
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      count_by_number ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = next_by_number ();
  }
}

CASE (number_in_a_sum)
{
  u64 sum = 0;
#pragma omp parallel for reduction (+: sum) /* amp: static */
  for (int i = 0; i < n; i++)
    sum += who_in (i) + i;
  out0[0] = sum;
}

CASE (number_in_a_sum_of_an_object)
{
#pragma omp parallel
  {
    struct { u64 sum, other; } own = { 0, 0 };
    int me = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	own.sum += me * i;
	own.other += i;
      }
#pragma omp critical
    total += own.sum * 3 + own.other;
  }
}

/* Timers of one thread, between barriers: no memory goes by the number.  */
static void __attribute__ ((noinline))
timed_part (int n)
{
  int me = omp_get_thread_num ();
  if (me == 0)
    mix_far (1, 2);
#pragma omp for /* amp: any order */
  for (int i = 0; i < n; i++)
    out1[i] = mix_in (i, 3);
  if (me == 0)
    mix_far (3, 4);
}

CASE (behind_a_timed_part)
LOOP (/* amp: any order */ timed_part (n);
      timed_part (n),
      out0[i] = out1[i] + i;)

/* As static deals, by hand.  */
static void __attribute__ ((noinline))
own_block (int n)
{
  int me = omp_get_thread_num (), all = omp_get_num_threads ();
  int q = n / all, r = n % all, first = me * q + (me < r ? me : r);
  for (int i = first; i < first + q + (me < r); i++)
    out1[i] = mix_in (i, me);
}

static void __attribute__ ((noinline))
part_with_a_trail (int n)
{
#pragma omp barrier
  own_block (n);
}

CASE (behind_a_part_with_a_trail)
LOOP (/* amp: static */ part_with_a_trail (n),
      out0[i] = out1[i] * 3;)

static u64 __attribute__ ((noinline))
of_block (int i)
{
  return out1[i] * 3;
}

/* In the region itself, and used by functions.  */
#define OWN_BLOCK(USE)							\
{									\
_Pragma ("omp parallel")						\
  {									\
    int me = omp_get_thread_num (), all = omp_get_num_threads ();	\
    int q = n / all, r = n % all, first = me * q + (me < r ? me : r);	\
    for (int i = first; i < first + q + (me < r); i++)			\
      out1[i] = (u64) i * 5 + me;					\
_Pragma ("omp for")							\
    for (int i = 0; i < n; i++)						\
      out0[i] = USE;							\
  }									\
}

CASE (own_block_of_a_function)
OWN_BLOCK (of_block (i)) /* amp: static */
CASE (own_block_of_another_file)
OWN_BLOCK (mix_far (i, 1)) /* amp: static */
CASE (own_block_of_nobody)
OWN_BLOCK (mix_out (i, 1)) /* amp: any */

static _Thread_local int block_begins, block_ends;

static void __attribute__ ((noinline))
keep_block (int n)
{
  int me = omp_get_thread_num (), all = omp_get_num_threads ();
  int q = n / all, r = n % all;
  block_begins = me * q + (me < r ? me : r);
  block_ends = block_begins + q + (me < r);
}

static void __attribute__ ((noinline))
fill_block (void)
{
  for (int i = block_begins; i < block_ends; i++)
    out1[i] = block_begins + 1;
}

CASE (block_that_the_thread_keeps)
{
#pragma omp parallel
  keep_block (n);
#pragma omp parallel
  {
    fill_block ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = out1[i] * 3;
  }
}

static void __attribute__ ((noinline))
uses_own_block (int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = out1[i] * 5;
}

/* A nowait loop between them is no barrier.  */
CASE (behind_a_nowait_loop_of_the_caller)
{
#pragma omp parallel
  {
    own_block (n);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      out2[i] = i;
    uses_own_block (n);
  }
}

/* How many threads a nested region has.  */
CASE (number_of_threads_kept)
{
#pragma omp parallel
  {
    omp_set_num_threads (1);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = omp_get_max_threads ();
	omp_set_num_threads (2 + (i & 3));
      }
  }
}

static int begins[THREADS + 1], places[THREADS];
static _Thread_local int own_place;

static void
find_begins (int n)
{
  int m = omp_get_max_threads ();
  for (int k = 0, at = 0; k <= m; k++)
    {
      begins[k] = at;
      at += n / m + (k < n % m);
    }
}

/* What the number selects is the thread's.  */
CASE (block_by_bounds_before)
{
  find_begins (n);
#pragma omp parallel
  {
    int me = omp_get_thread_num (), end = begins[me + 1];
    for (int k = begins[me]; k < end; k++)
      {
	for (volatile int z = 0; z < 2000; z++)
	  ;
	out1[k] = in[k & 63];
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = out1[i] * 3;
  }
}

CASE (place_by_number)
{
  for (int k = 0; k < THREADS; k++)
    places[k] = THREADS - 1 - k;
#pragma omp parallel
  {
    int place = places[omp_get_thread_num ()];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	tail[place] = tail[place] * 3 + i;
	out0[i] = tail[place];
      }
  }
}

CASE (place_copied_by_number)
{
  for (int k = 0; k < THREADS; k++)
    places[k] = THREADS - 1 - k;
#pragma omp parallel
  {
    int place[2];
    memcpy (place, &places[omp_get_thread_num () & 31], sizeof place);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = place[i & 1] + i;
  }
}

CASE (place_kept_by_the_thread)
{
#pragma omp parallel
  own_place = omp_get_thread_num ();
#pragma omp parallel
  {
    int place = own_place;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = place + i;
  }
}

static void __attribute__ ((noinline))
far_0 (int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = out1[i] * 5;
}

FARTHER (far_1, far_0)
FARTHER (far_2, far_1)
FARTHER (far_3, far_2)
FARTHER (far_4, far_3)

CASE (own_block_before_a_far_loop)
{
#pragma omp parallel
  {
    own_block (n);
    far_4 (n);
  }
}

static void __attribute__ ((noinline))
pointed (int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = out1[i] * 5;
}

static void (*volatile pointer) (int) = pointed;

CASE (own_block_before_a_call_by_pointer)
{
#pragma omp parallel
  {
    own_block (n);
    pointer (n);
  }
}

/* Each thread begins with one, and part of an array is a thread's, too.  */
#pragma omp declare reduction (parts : u64 : omp_out += omp_in)	\
  initializer (omp_priv = 1)

CASE (parts_of_a_sum)
{
  static u64 met[4];
  u64 sum = 0;
  for (int round = 0; round < 8; round++)
    {
#pragma omp parallel for reduction (parts : sum) /* amp: converted */
      for (int i = 0; i < n; i++)
	sum += in[i & 63];
#pragma omp parallel reduction (+ : met[0:2])
      {
	met[1] = 1;
#pragma omp for /* amp: any */
	for (int i = 0; i < n; i++)
	  out0[i] = in[i & 63];
      }
    }
  total = sum + met[1];
  met[1] = 0;
}

/* What an iteration beside stores: a guard that lets that be must know where
   blocks begin.  */

CASE (beside_but_in_blocks)
{
  u64 team;
  put_far (&team, omp_get_max_threads ());
  int m = 4, blk = n / m / (int) (get_far (&team) / 3);
  int all = blk * omp_get_max_threads ();
  if (blk == 0)
    return;
#pragma omp parallel for /* amp: static is what an iteration beside stores */
  for (int i = 0; i < all; i++)
    out0[i] = i % blk == 0 ? 5 : out0[i - 1] * 31 + i;
#pragma omp parallel for /* amp: static is what an iteration beside stores */
  for (int i = 0; i < all; i++)
    for (int j = 0; j < m && i % blk != 0; j++)
      out1[i * m + j] += out1[(i - 1) * m + j] + in[i & 63];
}

CASE (beside_of_others)
{
#pragma omp parallel for /* amp: any */
  for (int i = 1; i < n; i++)
    out0[i] = in[i & 63] + in[(i - 1) & 63];
#pragma omp parallel for /* amp: any */
  for (int i = 1; i < n; i++)
    out1[i] = out0[i - 1] * 3 + out0[i];
#pragma omp parallel for /* amp: any */
  for (int i = 1; i < n; i += 2)
    out0[i] += out0[i - 1] * 5;
#pragma omp parallel for /* amp: any */
  for (int i = 1; i < n; i++)
    if (i % 2 == 0)
      out1[i] += out1[i - 1] * 5;
#pragma omp parallel for /* amp: any */
  for (int i = 1; i < n / 8; i++)
    for (int j = 1; j < 8; j++)
      if ((i + j) % 2 == 0)
	out1[i * 8 + j] += out1[(i - 1) * 8 + j] + out1[i * 8 + j - 1];
#pragma omp parallel for /* amp: any */
  for (int i = 1; i < n / 8; i++)
    for (int j = 1 + i % 2; j < 8; j += 2)
      out0[i * 8 + j] += out0[(i - 1) * 8 + j];
}

#define NI static __attribute__ ((noinline))

/* Bits that a function's loop leaves to the thread, and such as all have.  */
NI u64
bits_left (int n)
{
  u64 bits = 0;
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    bits ^= (u64) 1 << (in[i & 63] & 63);
  return bits;
}

NI u64
bits_of_all (int n)
{
  static u64 all;
  u64 bits = 0;
  all = 0;
#pragma omp barrier
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    bits ^= (u64) 1 << (in[i & 63] & 63);
#pragma omp atomic
  all ^= bits;
#pragma omp barrier
  return all;
}

NI void
ask_left (int n, u64 bits)
{
#pragma omp for /* amp: static identity */
  for (int i = 0; i < n; i++)
    out0[i] = bits >> (in[(i + 1) & 63] & 63) & 1;
}

NI void
ask_all (int n, u64 bits)
{
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    out1[i] = bits >> (in[(i + 1) & 63] & 63) & 1;
}

CASE (bits_that_a_function_returns)
{
#pragma omp parallel
  {
    ask_left (n, bits_left (n));
    ask_all (n, bits_of_all (n));
  }
}

/* The number comes by way of ME.  */
#define NUMBER_BY(SET)							\
  {									\
    _Pragma ("omp parallel")						\
    {									\
      int me = 0;							\
      SET								\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	out0[i] = me;							\
    }									\
  }

CASE (number_from_a_task)
NUMBER_BY (/* amp: static */
	   _Pragma ("omp task shared (me) if (0)")
	   me = omp_get_thread_num ();)

NI int
asked_by_helper (void)
{
  return omp_get_thread_num ();
}

CASE (number_from_a_task_by_a_function)
NUMBER_BY (/* amp: static */
	   _Pragma ("omp task shared (me) if (0)")
	   me = asked_by_helper ();)

CASE (number_by_asm_from_memory)
NUMBER_BY (/* amp: static */
	   int mine = omp_get_thread_num ();
	   __asm__ ("" : "=r" (me) : "0" (mine), "m" (mine));)

CASE (number_in_a_checked_sum)
NUMBER_BY (/* amp: static */
	   if (__builtin_add_overflow (omp_get_thread_num (), n, &me))
	     me = 0;)

CASE (number_by_asm)
NUMBER_BY (/* amp: static */
	   __asm__ ("" : "=r" (me) : "0" (omp_get_thread_num ()));)

CASE (number_of_the_region_around)
NUMBER_BY (/* amp: static */
	   me = omp_get_ancestor_thread_num (1);)

struct holder { const int *at; };

NI int
told_by_holder (struct holder h)
{
  return *h.at + 1;
}

CASE (number_below_an_object)
NUMBER_BY (/* amp: static */
	   int mine = omp_get_thread_num (); struct holder h = { &mine };
	   me = told_by_holder (h);)

CASE (nothing_comes_of_a_task)
{
#pragma omp parallel
  {
    u64 seen = 0;
#pragma omp task shared (seen) if (0)
    seen = n;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
    if (seen != (u64) n)
      out0[0]++;
  }
}

/* The number, or an address of the thread's own, in memory that an iteration
   gives away.  */

struct item { int who; u64 *mine; };
static struct item *items[SLOTS];

static __attribute__ ((noinline)) struct item *
made_by (void)
{
  struct item *p = malloc (sizeof *p);
  p->who = omp_get_thread_num ();
  return p;
}

CASE (number_that_is_given_away)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      struct item *p = malloc (sizeof *p);
      p->who = omp_get_thread_num ();
      items[i] = p;
    }
  for (int i = 0; i < n; i++)
    {
      out0[i] = items[i]->who;
      free (items[i]);
    }
}

CASE (number_from_a_function_given_away)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    items[i] = made_by ();
  for (int i = 0; i < n; i++)
    {
      out0[i] = items[i]->who;
      free (items[i]);
    }
}

CASE (address_that_is_given_away)
{
#pragma omp parallel
  {
    u64 w = -1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	struct item *p = malloc (sizeof *p);
	p->mine = &w;
	items[i] = p;
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	u64 *k = items[i]->mine;
	if (*k == (u64) -1)
	  *k = i;
	out0[i] = (*k)++;
	free (items[i]);
      }
  }
}

/* What goes through further arguments.  */

static __attribute__ ((noinline)) void
set_all (int count, ...)
{
  va_list a;
  va_start (a, count);
  while (count--)
    *va_arg (a, u64 *) = -1;
  va_end (a);
}

CASE (set_by_further_arguments)
{
#pragma omp parallel
  {
    u64 w;
    set_all (1, &w);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if (w == (u64) -1)
	  w = i;
	out0[i] = w++;
      }
  }
}

/* What a static loop left says what the thread uses before the next.  */

CASE (used_by_what_is_left)
{
#pragma omp parallel
  {
    int mine[SLOTS], m = 0;
#pragma omp for schedule (static) nowait /* amp: static */
    for (int i = 0; i < n; i++)
      mine[m++] = i;
    for (int k = 0; k < m; k++)
      out1[mine[k]] = in[mine[k] & 63];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = out1[i] * 2;
  }
}

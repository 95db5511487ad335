/* Memory of a thread's own that iterations hand on, and such as each fills.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <alloca.h>
#include <stdio.h>
#include "rules.h"

CASE (array_filled)
LOOP (/* amp: any */ u64 w[8],
      for (int k = 0; k < 8; k++)
	w[k] = in[(i + k) & 63];
      out0[i] = w[i & 7] + w[7];)

CASE (array_filled_in_part)
LOOP (/* amp: static */ u64 w[8] = { 0 },
      for (int k = 0; k < 7; k++)
	w[k] = in[(i + k) & 63];
      out0[i] = w[7];
      w[7] = i;)

CASE (array_filled_by_turns)
LOOP (/* amp: static */ u64 w[8] = { 0 },
      for (int k = i & 1; k < 8; k += 2)
	w[k] = i;
      out0[i] = w[0] + w[1] * 3;)

CASE (array_of_private_clause)
{
  u64 w[8];
#pragma omp parallel for private (w) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      memset (w, 0, sizeof w);
      w[i & 7] += 3;
      for (int k = 0; k < 8; k++)
	out0[i] = out0[i] * 5 + w[k];
    }
}

CASE (marker)
LOOP (/* amp: static */ int mark[8];
      for (int k = 0; k < 8; k++)
	mark[k] = -1,
      int k = in[i & 63] & 7;
      if (mark[k] < i - 3)
	out0[i] = 1;
      mark[k] = i;)

/* Stamped with what is new in each iteration: nothing of an earlier one is
   seen, whatever the order.  That is hard to prove.  */
CASE (marker_of_one_iteration)
LOOP (/* amp: converted or static at -O0 */ int mark[8];
      for (int k = 0; k < 8; k++)
	mark[k] = -1,
      for (int k = 0; k < 6; k++)
	if (mark[in[(i + k) & 63] & 7] != i)
	  {
	    mark[in[(i + k) & 63] & 7] = i;
	    out0[i]++;
	  })

CASE (histogram)
{
#pragma omp parallel
  {
    u64 w[8] = { 0 };
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      w[in[i & 63] & 7]++;
    for (int k = 0; k < 8; k++)
#pragma omp atomic
      tail[k] += w[k];
  }
}

CASE (histogram_seen)
LOOP (/* amp: static */ u64 w[8] = { 0 },
      out0[i] = w[in[i & 63] & 7]++;)

/* Two operations on one sum, here, in a function, or atomic.  */
CASE (least_and_greatest)
{
#pragma omp parallel
  {
    u64 w[2] = { 50, 50 }, *x = &w[n > 1000];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if ((in[i & 63] & 63) < *x)
	  *x = in[i & 63] & 63;
	if ((in[(i + 7) & 63] & 63) > *x)
	  *x = in[(i + 7) & 63] & 63;
      }
#pragma omp critical
    if (*x > tail[0])
      tail[0] = *x;
  }
}

static __attribute__ ((noinline)) void
add_or_multiply (u64 *s, u64 a)
{
  if (a & 1)
    *s += a;
  else
    *s *= 3;
}

#define SUMMED(TYPE, ...)						\
  {									\
    _Pragma ("omp parallel")						\
    {									\
      TYPE s = 1;							\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	{								\
	  __VA_ARGS__							\
	}								\
      _Pragma ("omp critical")						\
      total += s;							\
    }									\
  }

CASE (added_or_multiplied)
SUMMED (/* amp: static */ u64, add_or_multiply (&s, in[i & 63]);)

CASE (added_and_masked_atomically)
SUMMED (/* amp: static */ _Atomic u64, __atomic_fetch_add (&s, in[i & 63], 0);
	__atomic_fetch_and (&s, in[(i + 3) & 63] | 255, 0);)

CASE (stored_atomically)
SUMMED (/* amp: static */ _Atomic u64, __atomic_store_n (&s, in[i & 63], 0);)

CASE (added_atomically)
SUMMED (/* amp: static */ _Atomic u64, __atomic_fetch_add (&s, in[i & 63], 0);)

CASE (struct_filled)
LOOP (/* amp: any */ struct record s,
      s.a = i;
      s.b = in[i & 63];
      for (int k = 0; k < 4; k++)
	s.c[k] = s.a ^ k;
      out0[i] = s.a + s.b + s.c[i & 3];)

CASE (struct_filled_but_for_a_part)
LOOP (/* amp: static */ struct record s = make (1, 2),
      s.a = i;
      out0[i] = s.a + s.b;
      s.b = in[i & 63];)

/* A counter that comes round.  */
CASE (array_filled_round)
LOOP (/* amp: static */ u64 w[300] = { 0 },
      for (unsigned char k = 250; k != 4; k++)
	w[k] = i;
      out0[i] = w[257];
      w[257] = i;)

/* What is copied of what iterations of another loop left.  */
#define COPIED(COPY, LATER)						\
  {									\
    _Pragma ("omp parallel")						\
    {									\
      u64 w[SLOTS], v[SLOTS];						\
      w[0] = 0;								\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	w[i] = in[i & 63];						\
      COPY;								\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	out0[i] = LATER;						\
    }									\
  }

CASE (array_copied)
COPIED (/* amp: static */ memcpy (v, w, n * sizeof *v), v[i])

CASE (array_copied_by_turns)
COPIED (/* amp: static */ for (int k = 0; k < n; k++) v[k] = w[k] + 1, v[i])

CASE (array_copied_of_all)
LOOP (/* amp: any */ u64 v[SLOTS]; memcpy (v, in, sizeof table),
      out0[i] = v[i & 63];)

/* An array in a structure, read anywhere.  */
struct held { u64 w[8], at; };
static const struct held held0;

CASE (member_filled)
LOOP (/* amp: any */ struct held h = held0,
      h.w[0] = i;
      for (int k = 1; k < 8; k++)
	h.w[k] = h.w[k - 1] * 3 + k;
      out0[i] = h.w[in[i & 63] >> 61];)

CASE (member_filled_but_for_its_last)
LOOP (/* amp: static */ struct held h = held0,
      for (int k = 0; k < 7; k++)
	h.w[k] = i + k;
      out0[i] = h.w[in[i & 63] >> 61];
      h.w[7] = i;)

static __attribute__ ((noinline)) void
fill_held (struct held *h, u64 first)
{
  h->w[0] = first;
  for (int k = 1; k < 8; k++)
    h->w[k] = h->w[k - 1] * 3 + k;
  h->at = 0;
}

static __attribute__ ((noinline)) void
fill_held_at_times (struct held *h, u64 first)
{
  if (first & 2)
    h->w[0] = first;
  for (int k = 1; k < 8; k++)
    h->w[k] = first * 3 + k;
  h->at = 0;
}

static __attribute__ ((noinline)) u64
take_held (struct held *h, u64 by)
{
  h->at += by >> 61;
  return h->w[h->at] + h->w[by >> 61];
}

CASE (member_by_functions)
LOOP (/* amp: any */ struct held h = held0,
      fill_held (&h, i);
      out0[i] = take_held (&h, in[i & 63]);)

CASE (member_by_functions_at_times)
LOOP (/* amp: static */ struct held h = held0,
      fill_held_at_times (&h, i);
      out0[i] = take_held (&h, in[i & 63]);)

/* As many as there is room for.  */
struct tail { u64 n, w[4]; };

CASE (array_at_the_end)
LOOP (/* amp: static */ struct tail *t = calloc (1, sizeof *t + 4 * sizeof (u64)),
      for (int k = 0; k < 4; k++)
	t->w[k] = i + k;
      out0[i] = t->w[in[i & 63] >> 61];
      t->w[4 + (i & 3)] = i;)

CASE (struct_of_a_function)
LOOP (/* amp: any */ struct record s; struct record t = make (5, 6),
      s = make (i, 2 * i);
      out0[i] = s.a + s.c[i & 3] + t.b;)

CASE (struct_by_callee)
{
#pragma omp parallel
  {
    struct record s;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	record_put_in (&s, i);
	out0[i] = record_get_in (&s);
      }
#pragma omp for /* amp: any or static at -O0 */
    for (int i = 0; i < n; i++)
      {
	record_put_out (&s, i);
	out1[i] = record_get_out (&s);
      }
  }
}

CASE (struct_after_callee)
LOOP (/* amp: static */ struct record s = make (1, 2),
      out0[i] = record_get_out (&s);
      record_put_out (&s, i);)

CASE (stream_by_callee)
{
#pragma omp parallel
  {
    u64 state = 9;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = draw_in (&state);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out1[i] = draw_out (&state);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out2[i] = draw_far (&state);
  }
}

CASE (stream_for_each_iteration)
{
#pragma omp parallel
  {
    u64 state;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	state = i;
	out0[i] = draw_in (&state) + draw_in (&state);
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	state = i;
	out1[i] = draw_out (&state) + draw_far (&state);
      }
  }
}

CASE (library_stream)
LOOP (/* amp: static */ unsigned state = 1,
      out0[i] = rand_r (&state);)

CASE (library_fills)
LOOP (/* amp: any */ char text[40];
      u64 w[8],
      snprintf (text, sizeof text, "%d %d", i, 3 * i);
      memcpy (w, in + (i & 31), sizeof w);
      out0[i] = strlen (text) + text[0] + w[i & 7];)

/* As _FORTIFY_SOURCE has it.  */
#define SEVENS u64 *w = malloc (n + 64); memset (w, 7, 64)
#define CHECKED(BYTES)							\
  __builtin___memcpy_chk (w, in + (i & 31), BYTES,			\
			  __builtin_object_size (w, 0));		\
  out0[i] = w[7];							\
  w[7] = i;

CASE (library_checks)
LOOP (/* amp: any or static at -O0 */ SEVENS,
      CHECKED (64))

CASE (library_checks_less)
LOOP (/* amp: static */ SEVENS,
      CHECKED (56))

/* Of a text the library writes no more than its characters, or nothing.  */
CASE (library_text_copied)
LOOP (/* amp: static */ char text[64] = ""; char copy[64],
      sprintf (text, "%d", i);
      memcpy (copy, text, n > 0 ? 41 : 3);
      out0[i] = copy[40];
      text[40] = i;)

CASE (library_text_compared)
LOOP (/* amp: static */ char text[64] = ""; char zero[64] = "",
      sprintf (text, "%d", i);
      out0[i] = memcmp (text + 30, zero + 30, 20) != 0;
      text[40] = in[i & 63] & 1;)

static const char *const words[] = { "12", "", "7", "", "", "33", "" };

CASE (library_finds_no_text)
LOOP (/* amp: static */ char word[16] = "5",
      sscanf (words[i % 7], "%15s", word);
      out0[i] = atoi (word);)

CASE (library_has_no_room)
LOOP (/* amp: static */ char word[16] = "5",
      snprintf (word, n > 0 ? 0 : 5, "%d", i);
      out0[i] = atoi (word);
      word[0] = '1' + i % 8;)

CASE (library_copies)
LOOP (/* amp: static */ char *t = strdup ("0123456789"),
      out0[i] = t[3];
      t[3] = i;)

CASE (library_appends)
LOOP (/* amp: static */ char text[2000] = "",
      strcat (text, "xy");
      out0[i] = strlen (text);)

CASE (pointer_moves)
{
#pragma omp parallel
  {
    u64 w[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, *p = w;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = *p;
	p = p == w + 7 ? w : p + 1;
      }
  }
}

CASE (pointer_set)
{
#pragma omp parallel
  {
    u64 w[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, *p;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	p = w + (i & 3);
	p++;
	out0[i] = *p;
      }
  }
}

CASE (through_a_pointer)
{
#pragma omp parallel
  {
    u64 x = 1, *p = &x;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = x;
	*p = i;
      }
#pragma omp for /* amp: any or static at -O0 */
    for (int i = 0; i < n; i++)
      {
	*p = i;
	out1[i] = x;
      }
  }
}

CASE (heap)
{
#pragma omp parallel
  {
    u64 *w = malloc (8 * sizeof *w);
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < 8; k++)
	  w[k] = i ^ k;
	out0[i] = w[i & 7] + w[3];
      }
    free (w);
  }
}

CASE (heap_handed_on)
{
#pragma omp parallel
  {
    u64 *w = calloc (8, sizeof *w);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out0[i] = w[i & 7];
	w[in[i & 63] & 7] = i;
      }
    free (w);
  }
}

CASE (heap_of_an_iteration)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
      u64 *w = calloc (8, sizeof *w);
      w[i & 7] = i;
      for (int k = 0; k < 8; k++)
	out0[i] = out0[i] * 3 + w[k];
      free (w);
    }
}

CASE (array_of_variable_size)
{
#pragma omp parallel
  {
    u64 w[n], v[n];
    memset (v, 0, sizeof v);
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < n; k++)
	  w[k] = i + k;
	out0[i] = w[n - 1];
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	v[i] = i;
	out1[i] = v[i / 2];
      }
  }
}

static u64 slices[THREADS][8];

CASE (slice_by_number)
{
#pragma omp parallel
  {
    u64 *w = slices[omp_get_thread_num ()];
    memset (w, 0, sizeof slices[0]);
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < 8; k++)
	  w[k] = i ^ k;
	out0[i] = w[i & 7] + w[3];
      }
    memset (w, 0, sizeof slices[0]);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out1[i] = w[i & 7];
	w[in[i & 63] & 7] = i;
      }
  }
}

static __thread u64 own[8];
static u64 mine;
#pragma omp threadprivate (mine)

CASE (of_a_thread)
{
#pragma omp parallel
  {
    memset (own, 0, sizeof own);
    mine = 0;
#pragma omp for /* amp: any or static */
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < 8; k++)
	  own[k] = i ^ k;
	mine = own[3];
	out0[i] = own[i & 7] + mine;
      }
    memset (own, 0, sizeof own);
    mine = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	out1[i] = own[i & 7];
	own[in[i & 63] & 7] = i;
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out2[i] = mine++;
  }
}

static __attribute__ ((noinline)) u64
numbered (void)
{
  return ++mine;
}

CASE (thread_local_of_callee)
LOOP (/* amp: static */ mine = 0,
      out0[i] = numbered ();)

static void orphan (u64 *, u64 *, int);

CASE (parameter)
{
#pragma omp parallel
  {
    u64 x = 1, w[8] = { 0 };
    orphan (&x, w, n);
  }
}

static __attribute__ ((noinline)) void
orphan (u64 *x, u64 *w, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      out0[i] = *x;
      *x = i;
    }
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      out1[i] = w[i & 7];
      w[in[i & 63] & 7] = i;
    }
#pragma omp for /* amp: any or static at -O0 */
  for (int i = 0; i < n; i++)
    {
      *x = i;
      for (int k = 0; k < 8; k++)
	w[k] = i + k;
      out2[i] = *x + w[i & 7];
    }
}

CASE (seen_after_the_loop)
{
#pragma omp parallel
  {
    u64 w[8] = { 0 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 8; k++)
	w[k] = i + k;
    tail[omp_get_thread_num ()] = w[2];
  }
}

CASE (filled_for_the_next_loop)
{
#pragma omp parallel
  {
    u64 w[SLOTS];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      w[i] = in[i & 63];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = w[i] * 3;
  }
}

CASE (read_only)
LOOP (/* amp: converted */ u64 w[8];
      for (int k = 0; k < 8; k++)
	w[k] = k * n,
      out0[i] = w[i & 7] + sum_far (w);)

CASE (bits)
{
#pragma omp parallel
  {
    struct { unsigned a : 3, b : 5; } s = { 1, 2 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	s.a = i;
	out0[i] = s.a + s.b;
	s.b = i >> 1;
      }
  }
}

CASE (two_dimensions)
LOOP (/* amp: any */ u64 w[4][4],
      for (int k = 0; k < 4; k++)
	for (int j = 0; j < 4; j++)
	  w[k][j] = k * j + i;
      out0[i] = w[i & 3][i >> 2 & 3];)

CASE (filled_to_a_length)
LOOP (/* amp: any or static at -O0 */ u64 w[8];
      int length,
      length = 0;
      for (int k = 0; k < 8; k++)
	if (in[(i + k) & 63] & 1)
	  w[length++] = k;
      for (int k = 0; k < length; k++)
	out0[i] = out0[i] * 9 + w[k];)

CASE (filled_to_a_length_that_stays)
LOOP (/* amp: static */ u64 w[SLOTS];
      int length = 0,
      if (in[i & 63] & 1)
	w[length++] = i;
      for (int k = 0; k < length; k++)
	out0[i] = out0[i] * 9 + w[k];)

/* Iteration I counts and marks with VALUE what it meets whose mark is UNMET.  */
#define UNMARKED							\
  long mark[16];							\
  for (int k = 0; k < 16; k++)						\
    mark[k] = -1
#define MARK(UNMET, VALUE)						\
  u64 seen = 0;								\
  for (int k = 0; k < 8; k++)						\
    {									\
      int c = in[(i + k * k) & 63] & 15;				\
      if (mark[c] UNMET)						\
	{								\
	  mark[c] = VALUE;						\
	  seen++;							\
	}								\
    }									\
  out0[i] = seen;

CASE (marked_by_iterations)
LOOP (/* amp: ascending or static at -O0 */ UNMARKED, MARK (!= i, i))

CASE (marked_by_pairs_of_iterations)
LOOP (/* amp: static */ UNMARKED, MARK (!= i / 2, i / 2))

/* What was there before may be an iteration's mark.  */
CASE (marked_before)
LOOP (/* amp: static */ long mark[16];
      for (int k = 0; k < 16; k++)
	mark[k] = k, MARK (!= i, i))

CASE (marked_and_compared_otherwise)
LOOP (/* amp: static */ UNMARKED, MARK (< i - 3, i))

CASE (marked_again)
{
#pragma omp parallel
  {
    UNMARKED;
    for (int again = 0; again < 2; again++)
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	MARK (!= i, i)
      }
  }
}

static void
share (u64 **a, u64 **b)
{
  *a = *b;
}

CASE (pointer_by_a_call)
LOOP (/* amp: static */ u64 x = 0; u64 *p = &x; u64 *q = NULL;
      share (&q, &p),
      *q += i;
      out0[i] = x;)

struct parts { u64 sum, bits, most; };

CASE (parts_summed)
{
#pragma omp parallel
  {
    struct parts s = { 0, 0, 0 };
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	s.sum += in[i & 63];
	s.bits |= in[i & 63];
      }
#pragma omp critical
    {
      total += s.sum;
      out1[0] |= s.bits;
    }
  }
}

CASE (parts_summed_by_each_other)
{
#pragma omp parallel
  {
    struct parts s = { 0, 0, 0 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	s.sum += in[i & 63];
	s.bits |= s.sum;
      }
#pragma omp critical
    out1[0] |= s.bits;
  }
}

/* The sum is put together by an atomic operation on what all threads share,
   which says nothing of the pointers beside it.  */
CASE (sum_of_far)
{
  double sum = 0;
  const u64 *weights = in;
#pragma omp parallel for reduction (+: sum) /* amp: converted */
  for (int i = 0; i < n; i++)
    sum += weights[3] % 64 + get_far (in + (i & 63)) % 1024;
  total = sum;
}

CASE (pointer_kept_by_atomics)
{
#pragma omp parallel
  {
    u64 *slots = calloc (2, sizeof *slots), *last = slots;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	u64 *before = __atomic_load_n (&last, __ATOMIC_RELAXED);
	out0[i] = *before;
	slots[i & 1] = i;
	__atomic_store_n (&last, slots + (i & 1), __ATOMIC_RELAXED);
      }
    free (slots);
  }
}

CASE (pointer_exchanged)
{
#pragma omp parallel
  {
    u64 slots[2] = { 0, 0 }, *last = slots;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	u64 *before = __atomic_exchange_n (&last, slots + (i & 1),
					   __ATOMIC_RELAXED);
	out0[i] = *before;
	slots[i & 1] = i;
      }
  }
}

/* Rows of the thread's own that one loop fills and another one reads: loops of
   functions that the region calls, or of the region.  */
#define ROWS(NAME, FILL, USE)						\
  static void __attribute__ ((noinline)) NAME##_fill (u64 *w, int n)	\
  {									\
    _Pragma (FILL)							\
    for (int i = 0; i < n; i++)						\
      w[i] = in[i & 127] * 3;						\
  }									\
  static void __attribute__ ((noinline)) NAME##_use (const u64 *w, int n) \
  {									\
    _Pragma (USE)							\
    for (int i = 0; i < n; i++)						\
      out0[i] = w[i] + 1;						\
  }

ROWS (own, "omp for", "omp for") /* amp: static amp: static */
CASE (rows_of_functions)
{
#pragma omp parallel
  {
    u64 w[SLOTS] = { 0 };
    own_fill (w, n);
    own_use (w, n);
  }
}

ROWS (divided, "omp for schedule (static)", "omp for") /* amp: static */
CASE (rows_of_a_static_loop)
{
#pragma omp parallel
  {
    u64 w[SLOTS] = { 0 };
    divided_fill (w, n);
    divided_use (w, n);
  }
}

ROWS (other, "omp for schedule (static)", "omp for") /* amp: static */
CASE (rows_of_a_function)
{
#pragma omp parallel
  {
    u64 w[SLOTS] = { 0 };
    other_fill (w, n);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = w[i] + 1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      w[i] = i;
    other_use (w, n);
  }
}

ROWS (shared, "omp for", "omp for") /* amp: any amp: any */
CASE (rows_of_all)
{
  u64 w[SLOTS];
#pragma omp parallel
  {
    shared_fill (w, n);
    shared_use (w, n);
  }
}

static void __attribute__ ((noinline))
factors_far (u64 *w)
{
  for (int k = 0; k < 8; k++)
    w[k] = in[k];
}

static void __attribute__ ((noinline))
factors_used (const u64 *w, int n)
{
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = w[i & 7] + 1;
}

CASE (factors_of_a_function)
{
#pragma omp parallel
  {
    u64 w[8];
    factors_far (w);
    factors_used (w, n);
  }
}

/* Arrays whose elements are made of the ones before: SET begins, NEXT is the
   element K.  */
#define RECURRENCE(NAME, FROM, TO, READ, SET, NEXT, LEFT)		\
  CASE (NAME)								\
  {									\
    _Pragma ("omp parallel")						\
    {									\
      u64 c[10] = { 1, 2, 3 };						\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	{								\
	  u64 sum = 0;							\
	  int some = 2 + (i & 7);					\
	  SET;								\
	  for (int k = FROM; k < TO; k++)				\
	    c[k] = NEXT;						\
	  for (int k = 0; k < READ; k++)				\
	    sum = sum * 5 + c[k];					\
	  out0[i] = sum;						\
	  LEFT;								\
	}								\
    }									\
  }

RECURRENCE (powers, 1, 9, 9, /* amp: any */
	    c[0] = 1, c[k - 1] * in[i & 127],)
RECURRENCE (some_powers, 1, some, some, /* amp: any or static at -O0 */
	    c[0] = 1, c[k - 1] * in[i & 127],)
RECURRENCE (polynomials, 2, 9, 9, /* amp: any */
	    c[0] = 1; c[1] = i, c[k - 1] * i - c[k - 2],)
RECURRENCE (powers_and_one, 1, some, some + 1, /* amp: static */
	    c[0] = 1, c[k - 1] * in[i & 127], c[8] = i)
RECURRENCE (powers_with_a_gap, 2, 9, 9, /* amp: static */
	    c[0] = 1, c[k - 1] * in[i & 127], c[1] = i)
RECURRENCE (powers_of_the_last, 1, 9, 9, /* amp: static */
	    if (i & 1) c[0] = 1, c[k - 1] * in[i & 127],)
RECURRENCE (polynomials_of_one, 2, 9, 9, /* amp: static */
	    c[1] = i, c[k - 1] * i - c[k - 2], c[0] = i)
RECURRENCE (two_before, 2, 9, 9, /* amp: static */
	    c[0] = i, c[k - 2] * 3 + i, c[1] = i)
RECURRENCE (of_the_next, 0, 8, 8, /* amp: static */
	    c[0] = i, c[k + 1] * 3 + i,)

/* Twelve callers away somebody reads what the loop leaves, or nobody.  */
#define CALLS(NAME, OTHER)						\
  static __attribute__ ((noinline)) void				\
  NAME (u64 *p, int n)							\
  {									\
    OTHER (p, n);							\
  }
#define CALLS_THREE(NAME, OTHER)					\
  CALLS (NAME##_1, OTHER) CALLS (NAME##_2, NAME##_1)			\
  CALLS (NAME, NAME##_2)
#define FAR_AWAY(NAME, ...)						\
  static __attribute__ ((noinline)) void				\
  NAME##_loop (u64 *p, int n)						\
  {									\
    _Pragma ("omp for")							\
    for (int i = 0; i < n; i++)						\
      {									\
	__VA_ARGS__							\
	p[0] = i;							\
	out0[i] = p[0] * 3;						\
	if (i & 1)							\
	  p[0] = 7;							\
	out1[i] = p[0];							\
      }									\
  }									\
  CALLS_THREE (NAME##_a, NAME##_loop) CALLS_THREE (NAME##_b, NAME##_a)	\
  CALLS_THREE (NAME##_c, NAME##_b) CALLS_THREE (NAME##_d, NAME##_c)

static void read_far_away_d (u64 *, int), read_by_nobody_d (u64 *, int);

CASE (read_far_away)
{
#pragma omp parallel
  {
    u64 x = 0;
    read_far_away_d (&x, n);
    tail[omp_get_thread_num ()] = x;
  }
}
FAR_AWAY (read_far_away, /* amp: static 'p' is written */ ;)

CASE (read_by_nobody)
{
#pragma omp parallel
  {
    u64 x = 0;
    read_by_nobody_d (&x, n);
  }
}
FAR_AWAY (read_by_nobody, /* amp: any */ ;)

/* No argument, but what it does is known.  */
static int __attribute__ ((noinline))
alignment (void)
{
  const char *text = getenv ("NO_SUCH_ALIGNMENT");
  return text ? atoi (text) : 64;
}

CASE (scratch_aligned_by_the_environment)
{
#pragma omp parallel
  {
    void *p;
    if (posix_memalign (&p, alignment (), 8 * sizeof (u64)))
      abort ();
    u64 *scratch = p;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < 8; k++)
	  scratch[k] = in[(i + k) & 63];
	out0[i] = scratch[i & 7];
      }
    free (p);
  }
}

CASE (aligned_scratch)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
      void *p;
      if (posix_memalign (&p, 64, 8 * sizeof (u64)) != 0)
	abort ();
      u64 *w = (u64 *) p;
      for (int k = 0; k < 8; k++)
	w[k] = in[(i + k) & 63];
      out0[i] = w[i & 7];
      free (w);
    }
}

/* The number of threads in a field, of which this file makes nothing.  */

struct settings { int team; };

/* Noted once, a thread's memory says nothing of parts.  */
CASE (noted_once)
{
  u64 **all = (u64 **) calloc (THREADS, sizeof *all);
#pragma omp parallel
  {
    u64 *p = (u64 *) malloc (8 * sizeof *p);
    all[omp_get_thread_num ()] = p;
#pragma omp for /* amp: any or static */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
  }
  for (int t = 0; t < THREADS; t++)
    free (all[t]);
  free (all);
}

CASE (team_in_a_field)
{
  struct settings *s = (struct settings *) malloc (sizeof *s);
  int *order = (int *) malloc (n * sizeof *order);
  s->team = omp_get_max_threads ();
  for (int i = 0; i < n; i++)
    order[i] = n - 1 - i;
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[order[i]] = out0[order[i]] * 3 + i;
  omp_set_num_threads (s->team);
  free (order);
  free (s);
}

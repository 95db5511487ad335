/* Memory of a thread's own, and what selects it, where they are hard to see.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include "rules.h"

/* An iteration goes on where the thread's last one was, or begins: in any
   division into blocks this leaves squares.  The other sets *S anew.  */

static inline void
go_on (struct record *s, int i)
{
  s->a = s->b ? s->a + 2 * i - 1 : (u64) i * i;
  s->b = 1;
  out0[i] = s->a;
}

static inline void
anew (struct record *s, int i)
{
  s->a = i;
  s->b = in[i & 63];
  out0[i] = s->a ^ s->b;
}

/* A record of each thread's own.  */
#define RECORD struct record r = { 0 }

#define ALIGNED								\
  char room[256] = { 0 };						\
  uintptr_t at = ((uintptr_t) room + 63) & -(uintptr_t) 64;		\
  r.a = at
#define AT (*(struct record *) at)

CASE (aligned_by_hand)
LOOP (/* amp: static */ RECORD; ALIGNED, go_on (&AT, i);)

CASE (aligned_by_hand_anew)
LOOP (/* amp: any */ RECORD; ALIGNED, anew (&AT, i);)

union either { struct record *p; uintptr_t n; };
#define EITHER union either e; e.n = (uintptr_t) &r

CASE (number_in_union)
LOOP (/* amp: static */ RECORD; EITHER, go_on (e.p, i);)

CASE (number_in_union_anew)
LOOP (/* amp: any */ RECORD; EITHER, anew (e.p, i);)

#define KEPT volatile uintptr_t keep = (uintptr_t) &r; uintptr_t at = keep

CASE (number_from_elsewhere)
LOOP (/* amp: static */ RECORD; KEPT, go_on (&AT, i);)

#define TAGGED uintptr_t tag = (uintptr_t) &r | 1
#define UNTAGGED ((struct record *) (tag - 1))

CASE (pointer_with_tag)
LOOP (/* amp: static */ RECORD; TAGGED, go_on (UNTAGGED, i);)

CASE (pointer_with_tag_anew)
LOOP (/* amp: any */ RECORD; TAGGED, anew (UNTAGGED, i);)

static inline void
go_on_by_asm (u64 *s, int i)
{
  u64 n = *s ? 2 * (u64) i - 1 : (u64) i * i + 1;
#ifdef __x86_64__
  __asm__ ("addq %1, (%0)" : : "r" (s), "r" (n) : "memory");
#else
  *(volatile u64 *) s += n;
#endif
  out0[i] = *s;
}

CASE (asm_by_address)
LOOP (/* amp: static */ RECORD, go_on_by_asm (r.c + 1, i);)

/* A text leaves the rest of its array as it was.  */
#define TEXT char text[64] = ""

CASE (behind_a_text)
LOOP (/* amp: static */ RECORD; TEXT,
      (sprintf (text, "%d", i), r.c[0] = text[40], text[40] = 1,
       r.c[1] = r.c[0] ? r.c[1] + 2 * i - 1 : (u64) i * i,
       out0[i] = r.c[1]);)

CASE (a_text_read)
LOOP (/* amp: any */ RECORD; TEXT,
      (sprintf (text, "%d", i * 7), out0[i] = atoi (text) + strlen (text));)

CASE (a_number_read)
LOOP (/* amp: any */ RECORD; TEXT; int number,
      (sprintf (text, "%d", i * 7), sscanf (text, "%d", &number),
       out0[i] = number);)

/* Constructs in an iteration get the number.  */

static struct record kept[THREADS];

CASE (number_in_a_task)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    kept[t].b = 0;
#pragma omp barrier
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
#pragma omp task
	go_on (&kept[t], i);
#pragma omp taskwait
      }
  }
}

CASE (number_in_a_taskloop)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    kept[t].b = 0;
#pragma omp barrier
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
#pragma omp taskloop num_tasks (1)
      for (int k = 0; k < 1; k++)
	go_on (&kept[t], i);
  }
}

CASE (number_in_a_region)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    kept[t].b = 0;
#pragma omp barrier
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
#pragma omp parallel num_threads (1)
      go_on (&kept[t], i);
  }
}

CASE (iterator_in_a_task)
{
#pragma omp parallel
  {
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
#pragma omp task
	anew (&kept[i & 63], i);
#pragma omp taskwait
      }
  }
}

/* Nested functions have the frame around them.  */

static void __attribute__ ((noinline))
call_it (void (*f) (int), int i)
{
  f (i);
}

static void __attribute__ ((noinline))
frame_kept (int n)
{
  struct record s = { 0 };
  void __attribute__ ((noinline)) f (int i) { go_on (&s, i); }
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    f (i);
}

static void __attribute__ ((noinline))
frame_anew (int n)
{
  struct record s;
  void __attribute__ ((noinline)) f (int i) { anew (&s, i); }
#pragma omp for /* amp: converted */
  for (int i = 0; i < n; i++)
    f (i);
}

static void __attribute__ ((noinline))
frame_by_address (int n)
{
  struct record s = { 0 };
  void __attribute__ ((noinline)) f (int i) { go_on (&s, i); }
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    call_it (f, i);
}

CASE (nested_function)
{
#pragma omp parallel
  frame_kept (n);
}

CASE (nested_function_anew)
{
#pragma omp parallel
  frame_anew (n);
}

CASE (nested_function_by_address)
{
#pragma omp parallel
  frame_by_address (n);
}

/* Where static's blocks begin is known from the number of threads.  */

static int block, begins[SLOTS];

static int
block_of (int n)
{
  return (n + omp_get_max_threads () - 1) / omp_get_max_threads ();
}

#define BLOCKS(BEGINS)							\
  for (int i = 0; i < n; i++)						\
    {									\
      pos = BEGINS ? (u64) i * i : pos + 2 * i - 1;			\
      out0[i] = pos;							\
    }

CASE (blocks_by_variable)
{
  u64 pos;
  if (n % omp_get_max_threads ())
    return;
  block = block_of (n);
#pragma omp parallel for private (pos) /* amp: static */
  BLOCKS (i % block == 0)
}

CASE (blocks_by_table)
{
  u64 pos;
  if (n % omp_get_max_threads ())
    return;
  for (int i = 0; i < n; i++)
    begins[i] = i % block_of (n) == 0;
#pragma omp parallel for private (pos) /* amp: static */
  BLOCKS (begins[i])
}

CASE (blocks_by_marks)
{
  u64 pos;
  if (n % omp_get_max_threads ())
    return;
  memset (begins, 0, sizeof begins);
  for (int i = 0; i < n; i += block_of (n))
    begins[i] = 1;
#pragma omp parallel for private (pos) /* amp: static */
  BLOCKS (begins[i])
}

static int __attribute__ ((noinline))
begins_block (int i)
{
  if (i % block == 0)
    return 1;
  return 0;
}

CASE (blocks_by_function)
{
  u64 pos;
  if (n % omp_get_max_threads ())
    return;
  block = block_of (n);
#pragma omp parallel for private (pos) /* amp: static */
  BLOCKS (begins_block (i))
}

static void __attribute__ ((noinline))
find_block (int *length, int n)
{
  *length = n / omp_get_max_threads ();
}

CASE (blocks_by_address)
{
  u64 pos;
  int length;
  if (n % omp_get_max_threads ())
    return;
  find_block (&length, n);
#pragma omp parallel for private (pos) /* amp: static */
  BLOCKS (i % length == 0)
}

static void __attribute__ ((noinline))
blocks (int n, int length)
{
  u64 pos;
#pragma omp parallel for private (pos) /* amp: static */
  BLOCKS (i % length == 0)
}

CASE (blocks_by_parameter)
{
  if (n % omp_get_max_threads () == 0)
    blocks (n, block_of (n));
}

static int threads;

CASE (blocks_by_clause)
{
  u64 pos;
  threads = omp_get_max_threads ();
  int length = n / threads;
  if (n % threads)
    return;
#pragma omp parallel for private (pos) num_threads (threads) /* amp: static */
  BLOCKS (i % length == 0)
}

CASE (blocks_by_team)
{
  u64 pos;
#pragma omp parallel
  {
    int all = omp_get_team_size (1), length = n / all;
    if (n % all == 0)
#pragma omp for private (pos) /* amp: static */
      BLOCKS (i % length == 0)
  }
}

/* Beside that, what is not set before the loop begins carries nothing.  */

static int length = 7;

CASE (blocks_of_seven)
{
  u64 pos;
#pragma omp parallel for private (pos) /* amp: any */
  for (int i = 0; i < n; i++)
    {
      if (i % length < 9)
	pos = (u64) i * i;
      out0[i] = pos;
    }
}

/* Who had an iteration is noted.  */

static int owner[SLOTS];
static struct record owned[THREADS];

CASE (by_owner)
{
  memset (owned, 0, sizeof owned);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    owner[i] = omp_get_thread_num ();
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    go_on (&owned[owner[i]], i);
}

/* What the library and the system keep for each thread.  */

static const char *
number_or_more (int i)
{
  return in[i] % 5 ? "12" : "99999999999999999999999";
}

CASE (error_left)
{
#pragma omp parallel
  {
    errno = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	u64 v = strtol (number_or_more (i), 0, 10);
	out0[i] = errno ? 1 : v;
      }
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	errno = 0;
	u64 v = strtol (number_or_more (i), 0, 10);
	out1[i] = errno ? 1 : v;
      }
  }
}

static int __attribute__ ((noinline))
number_fits (int i)
{
  u64 v = strtol (number_or_more (i), 0, 10);
  return errno ? 1 : v;
}

static int __attribute__ ((noinline))
number_fits_now (int i)
{
  errno = 0;
  u64 v = strtol (number_or_more (i), 0, 10);
  return errno ? 1 : v;
}

CASE (error_left_by_a_function)
{
#pragma omp parallel
  {
    errno = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = number_fits (i);
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      out1[i] = number_fits_now (i);
  }
}

/* What the last iteration set is read behind the loop.  */
CASE (error_seen_behind)
{
#pragma omp parallel
  {
    errno = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      errno = in[i & 127] & 1 ? i : 0;
    tail[omp_get_thread_num ()] = errno;
  }
#pragma omp parallel
  {
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      errno = i;
    errno = 0;
    strtol (number_or_more (1), 0, 10);
    if (errno)
#pragma omp atomic
      total++;
  }
}

CASE (signal_mask)
{
#pragma omp parallel
  {
    sigset_t one, old, now;
    sigemptyset (&one);
    sigaddset (&one, SIGUSR1);
    pthread_sigmask (SIG_UNBLOCK, &one, &old);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	pthread_sigmask (in[i] & 1 ? SIG_BLOCK : SIG_SETMASK, &one, 0);
	pthread_sigmask (in[i] & 6 ? SIG_BLOCK : SIG_UNBLOCK, &one, &now);
	out0[i] = sigismember (&now, SIGUSR1);
	if (in[i] & 8)
	  sigdelset (&one, SIGUSR1);
      }
    pthread_sigmask (SIG_SETMASK, &old, 0);
  }
}

/* Which thread it is, by the address of a variable; by text.  */

static _Thread_local char anchor;
static char *anchors[THREADS];

CASE (address_compared)
{
#pragma omp parallel
  {
    anchors[omp_get_thread_num ()] = &anchor;
#pragma omp barrier
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      for (int t = 0; t < omp_get_num_threads (); t++)
	if (anchors[t] == &anchor)
	  out0[i] = t + 1;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      for (int t = 0; t < omp_get_num_threads (); t++)
	if (anchors[t] != NULL)
	  out1[i] = i;
  }
}

CASE (address_as_number)
{
#pragma omp parallel
  {
    anchors[omp_get_thread_num ()] = &anchor;
#pragma omp barrier
    uintptr_t first = (uintptr_t) anchors[0];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = ((uintptr_t) &anchor - first) != 0;
  }
}

CASE (number_as_text)
{
#pragma omp parallel
  {
    char name[20], text[20];
    sprintf (name, "%d", omp_get_thread_num ());
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = in[i] + name[0];
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	sprintf (text, "%d", i);
	out1[i] = text[0];
      }
  }
}

/* The number chooses a function, or an object that has one.  */

static u64 red (u64 v) { return v * 3; }
static u64 black (u64 v) { return v * 5; }
static u64 (*const colours[2]) (u64) = { red, black };

CASE (function_by_number)
{
#pragma omp parallel
  {
    u64 (*f) (u64) = colours[omp_get_thread_num () & 1];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = f (in[i]);
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      out1[i] = colours[i & 1] (in[i]);
  }
}

/* The thread's own memory, behind a pointer in an object of which it is not
   known whose it is.  */

struct walker { u64 *at; };

static u64 __attribute__ ((noinline))
step_on (struct walker *w, int i)
{
  return *w->at = *w->at * 69069 + in[i];
}

static u64 __attribute__ ((noinline))
step_there (struct walker *w, int i)
{
  return w->at[i] = w->at[i] * 69069 + in[i];
}

void
walk (struct walker *own, struct walker *all, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = step_on (own, i);
#pragma omp for /* amp: converted or static */
  for (int i = 0; i < n; i++)
    out1[i] = step_there (all, i);
}

void (*volatile walk_elsewhere) (struct walker *, struct walker *, int) = walk;

CASE (behind_a_pointer)
{
  struct walker all = { out2 };
#pragma omp parallel
  {
    u64 x = 1;
    struct walker own = { &x };
    walk_elsewhere (&own, &all, n);
  }
}

CASE (behind_a_copied_pointer)
{
#pragma omp parallel
  {
    u64 x = 1, y[100];
    struct walker first = { &x }, own = first, filled = { y }, scratch = filled;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = step_on (&own, i);
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      {
	y[i] = i;
	out1[i] = step_there (&scratch, i);
      }
  }
}

CASE (behind_copied_bytes)
{
#pragma omp parallel
  {
    u64 x = 1, y = 1;
    struct walker few[2] = { { &x }, { &y } }, same[2], one;
    memcpy (same, few, sizeof same);
    memcpy (&one, same, sizeof one);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = step_on (&same[i & 1], i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out1[i] = step_on (&one, i);
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	u64 own[2];
	memcpy (own, in + (i & 63), sizeof own);
	out2[i] = own[0] + own[1];
      }
  }
}

/* Functions of the file that others call: those of the library, or by a pointer
   that says less of their parameters; a function with the name of one of the
   library's; one that is far away.  */

static __thread struct record mine;
static __thread u64 counted;

struct sorted { u64 key; int i; };

static int
note_order (const void *x, const void *y)
{
  const struct sorted *a = x, *b = y;
  go_on (&mine, a->i);
  return a->key < b->key ? -1 : 1;
}

static int
number_order (const void *x, const void *y)
{
  const struct sorted *a = x, *b = y;
  out0[a->i] = omp_get_thread_num ();
  return a->key < b->key ? -1 : 1;
}

static int
order (const void *x, const void *y)
{
  const struct sorted *a = x, *b = y;
  return a->key < b->key ? -1 : 1;
}

#define SORT(BY)							\
  LOOP (mine.b = 0, struct sorted e[2];					\
	e[0].key = in[i & 63]; e[1].key = 5; e[0].i = e[1].i = i;	\
	qsort (e, 2, sizeof *e, BY);					\
	out1[i] = e[0].i;)

CASE (sorted)
SORT (/* amp: converted */ order)

CASE (sorted_and_noted)
SORT (/* amp: static */ note_order)

CASE (sorted_and_numbered)
SORT (/* amp: static */ number_order)

CASE (found_and_noted)
LOOP (/* amp: static */ mine.b = 0,
      struct sorted e = { 7 };
      e.i = i;
      bsearch (&e, &e, 1, sizeof e, note_order);)

static u64
count_on (int a, int b, int c, ...)
{
  return a + b + c + counted++;
}

static u64 (*volatile count_by_pointer) (int, int, int, ...) = count_on;

long
random (void)
{
  return counted++;
}

static u64 __attribute__ ((noinline)) far_0 (u64 a) { return a + counted++; }
#define FAR_ONE(A, B)							\
  static u64 __attribute__ ((noinline)) far_##A (u64 a) { return far_##B (a); }
#define FAR_TEN(A, B) FAR_ONE (A##0, B) FAR_ONE (A##1, A##0)		\
  FAR_ONE (A##2, A##1) FAR_ONE (A##3, A##2) FAR_ONE (A##4, A##3)	\
  FAR_ONE (A##5, A##4) FAR_ONE (A##6, A##5) FAR_ONE (A##7, A##6)	\
  FAR_ONE (A##8, A##7) FAR_ONE (A##9, A##8)
FAR_TEN (1, 0) FAR_TEN (2, 19) FAR_TEN (3, 29) FAR_TEN (4, 39) FAR_TEN (5, 49)
FAR_TEN (6, 59) FAR_TEN (7, 69) FAR_TEN (8, 79) FAR_TEN (9, 89)
FAR_TEN (10, 99) FAR_TEN (11, 109)

static u64 count_later (int);

static u64 __attribute__ ((noinline))
count_now (int i)
{
  return i > 0 ? count_later (i - 1) : counted++;
}

static u64 __attribute__ ((noinline))
count_later (int i)
{
  return i > 0 ? count_now (i - 1) : 5;
}

CASE (counted_by_turns)
{
#pragma omp parallel
  {
    counted = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = count_now (i & 6);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out1[i] = count_later (i & 7);
  }
}

CASE (counted_by_functions)
{
#pragma omp parallel
  {
    counted = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = count_by_pointer (i, 3, 4, 5);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out1[i] = random ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out2[i] = far_119 (i);
  }
}

/* Pointers that lead inside of objects, or are moved within them.  */

#define ROWS(W) u64 *rows[4]; for (u64 **q = rows; q < rows + 4; q++) *q = W

struct rows { u64 *a, *b; };
struct keyed { u64 key, *row; };

static void __attribute__ ((noinline))
turn_rows (struct rows *r)
{
  u64 *t = r->a;
  r->a = r->b;
  r->b = t;
}

static void __attribute__ ((noinline))
rotate_rows (u64 **r, int m)
{
  u64 *t = r[0];
  for (int k = 0; k + 1 < m; k++)
    r[k] = r[k + 1];
  r[m - 1] = t;
}

static u64 **__attribute__ ((noinline))
row_place (struct rows *r, int k)
{
  return k ? &r->b : &r->a;
}

static int
by_key (const void *a, const void *b)
{
  return ((struct keyed *) a)->key < ((struct keyed *) b)->key ? -1 : 1;
}

#define EIGHT(X) u64 X##0, u64 X##1, u64 X##2, u64 X##3, u64 X##4, u64 X##5,	\
    u64 X##6, u64 X##7
#define NUMBERS 1, 2, 3, 4, 5, 6, 7, 8

static void __attribute__ ((noinline))
keep_row (EIGHT (a), EIGHT (b), EIGHT (c), EIGHT (d), struct rows *r, u64 *w)
{
  r->a = r->b = a0 < 99 && b0 < 99 && c0 < 99 && d0 < 99 ? w : out1;
}

CASE (rows_by_walk)
HANDED_ON (/* amp: static */ rows[2][i], rows[2][i], u64 w[SLOTS]; ROWS (w))

CASE (rows_of_all_by_walk)
HANDED_ON (/* amp: any */ rows[2][i], rows[2][i], ROWS (out1))

CASE (rows_by_index)
HANDED_ON (/* amp: static */ rows[2][i], w[i], u64 w[SLOTS];
	   u64 **rows = malloc (4 * sizeof *rows);
	   for (int k = 0; k < 3 + (n > 0); k++) rows[k] = w)

CASE (rows_turned)
HANDED_ON (/* amp: static */ r.a[i], w[i], u64 w[SLOTS];
	   struct rows r = { out1, w }; turn_rows (&r))

CASE (rows_rotated)
HANDED_ON (/* amp: static */ r[1][i], w[i], u64 w[SLOTS];
	   u64 *r[] = { out1, out2, w }; rotate_rows (r, 3))

CASE (rows_sorted)
HANDED_ON (/* amp: static */ r[0].row[i], w[i], u64 w[SLOTS];
	   struct keyed r[] = { { 2, out1 }, { 1, w } };
	   qsort (r, 2, sizeof *r, by_key))

CASE (row_by_a_returned_place)
HANDED_ON (/* amp: static */ r.b[i], w[i], u64 w[SLOTS];
	   struct rows r = { out1, out1 }; *row_place (&r, n > 0) = w)

CASE (row_of_many_parameters)
HANDED_ON (/* amp: static */ r.b[i], w[i], u64 w[SLOTS]; struct rows r;
	   keep_row (NUMBERS, NUMBERS, NUMBERS, NUMBERS, &r, w))

CASE (row_of_a_member)
HANDED_ON (/* amp: static */ r.b[i], r.b[i], struct rows r;
	   if (posix_memalign ((void **) &r.b, 64, sizeof out0)) abort ())

/* Pointers made of numbers, which were kept, returned, handed over or widened,
   and such as are bytes.  */

static uintptr_t __attribute__ ((noinline))
behind_row (u64 *w)
{
  return (uintptr_t) w + 16;
}

static u64 *__attribute__ ((noinline))
row_before (uintptr_t at)
{
  return (u64 *) (at - 16);
}

struct bytes { _Alignas (8) unsigned char at[8]; };

CASE (row_by_a_kept_number)
HANDED_ON (/* amp: static */ q[i], w[i], u64 w[SLOTS];
	   volatile uintptr_t at = (uintptr_t) w; u64 *q = (u64 *) at)

CASE (row_by_a_returned_number)
HANDED_ON (/* amp: static */ q[i], w[i], u64 w[SLOTS];
	   u64 *q = (u64 *) (behind_row (w) - 16))

CASE (row_by_a_number_handed_over)
HANDED_ON (/* amp: static */ q[i], w[i], u64 w[SLOTS];
	   u64 *q = row_before ((uintptr_t) w + 16))

CASE (row_by_a_wide_number)
HANDED_ON (/* amp: static */ q[i], w[i], u64 w[SLOTS];
	   __int128 at = (uintptr_t) w; at <<= 3;
	   u64 *q = (u64 *) (uintptr_t) (at >> 3))

CASE (row_in_bytes)
HANDED_ON (/* amp: static */ q[i], w[i], u64 w[SLOTS]; struct bytes a, b;
	   *(u64 **) a.at = w; b = a; u64 *q = *(u64 **) b.at)

CASE (row_of_the_system)
HANDED_ON (/* amp: static */ w[i], w[i],
	   u64 *w = mmap (NULL, sizeof out0, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))

CASE (end_of_a_number)
LOOP (/* amp: static */ char text[8] = "12x"; char *end,
      strtol (text, &end, 10);
      out0[i] = *end;
      *end = 'a' + in[i & 63] % 16;)

/* A loop of constant bounds begins in one call with its region.  */

#if __GNUC__ >= 9
CASE (distributed)
{
# pragma omp teams distribute parallel for /* amp: converted or static */
  for (int i = 0; i < 100; i++)
    out0[i] = 3 * i;
# pragma omp teams distribute parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out1[i] = 5 * i;
}
#endif

/* A function whose value nobody takes.  */

static int
notes (int i, u64 *where)
{
  where[omp_get_thread_num ()] = i;
  return i;
}

static void (*note) (int, u64 *);

CASE (nobody_takes_its_value)
{
  note = (void (*) (int, u64 *)) notes;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      note (i, tail);
      out0[i] = i;
    }
}

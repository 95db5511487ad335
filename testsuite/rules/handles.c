/* What libraries give each thread: contexts, handles, pools, plans.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <netdb.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include "rules.h"

#define FAR_AWAY static __attribute__ ((noinline))

/* An iteration goes on where the thread's last one was, or begins: in any
   division into blocks this leaves squares.  */

static inline u64
go_on (struct record *s, int i)
{
  s->a = s->b ? s->a + 2 * i - 1 : (u64) i * i;
  s->b = 1;
  return s->a;
}

static inline u64
anew (struct record *s, int i)
{
  s->a = in[i & 63];
  s->b = i;
  return s->a ^ s->b;
}

/* Allocated by a function that clears it.  */

FAR_AWAY struct record *
cleared (void)
{
  return calloc (1, sizeof (struct record));
}

FAR_AWAY struct record *
filled (void)
{
  struct record *s = malloc (sizeof *s);
  memset (s, 0, sizeof *s);
  return s;
}

FAR_AWAY struct record *
raw (void)
{
  return malloc (sizeof (struct record));
}

CASE (allocated_clear)
LOOP (/* amp: static */ struct record *s = cleared (), out0[i] = go_on (s, i);)

CASE (allocated_and_filled)
LOOP (/* amp: static */ struct record *s = filled (), out0[i] = go_on (s, i);)

CASE (allocated_without_value)
LOOP (/* amp: any */ struct record *s = raw (),
      if (i >= 0) s->a = i, s->b = 0;
      out0[i] = s->a + s->b;)

/* A handle that each call locks.  */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

FAR_AWAY u64
locked_on (struct record *s, int i)
{
  pthread_mutex_lock (&mutex);
  u64 v = go_on (s, i);
  pthread_mutex_unlock (&mutex);
  return v;
}

FAR_AWAY u64
locked_anew (struct record *s, int i)
{
  pthread_mutex_lock (&mutex);
  u64 v = anew (s, i);
  pthread_mutex_unlock (&mutex);
  return v;
}

CASE (handle_locked)
LOOP (/* amp: static */ struct record s = { 0 }, out0[i] = locked_on (&s, i);)

CASE (handle_locked_anew)
LOOP (/* amp: any */ struct record s = { 0 }, out0[i] = locked_anew (&s, i);)

/* A thread's place in a pool is the first that nobody has locked.  */

static omp_lock_t locks[THREADS];
static struct record seats[THREADS];

static int
sit (void)
{
  int k = 0;
  while (!omp_test_lock (&locks[k]))
    k = (k + 1) % THREADS;
  seats[k].b = 0;
  return k;
}

#define SEATED								\
  for (int k = 0; k < THREADS; k++)					\
    omp_init_lock (&locks[k])

CASE (place_in_a_pool)
{
  SEATED;
  LOOP (/* amp: static */ int k = sit (), out0[i] = go_on (&seats[k], i);)
}

CASE (place_not_used)
{
  SEATED;
  LOOP (/* amp: any */ sit (), out0[i] = in[i & 63];)
}

/* Who is who by the system's number.  */

static long tids[THREADS];

static int
enter (void)
{
  long none, me = syscall (SYS_gettid);
  int k = -1;
  do
    none = 0, k++;
  while (!__atomic_compare_exchange_n (&tids[k], &none, me, 0, __ATOMIC_SEQ_CST,
				       __ATOMIC_SEQ_CST));
  for (k = 0; tids[k] != me; k++)
    ;
  seats[k].b = 0;
  return k;
}

CASE (place_by_system_number)
{
  memset (tids, 0, sizeof tids);
  LOOP (/* amp: static */ int k = enter (), out0[i] = go_on (&seats[k], i);)
}

/* A worker's name says which one it is.  */

#if __GNUC__ < 9
# define omp_capture_affinity(name, size, how) \
  snprintf (name, size, "%d", omp_get_thread_num ())
#endif

static int
named (void)
{
  char name[16];
  int k = 0;
  omp_capture_affinity (name, sizeof name, "%n");
  for (const char *s = name; *s; s++)
    k = k * 10 + (*s - '0');
  seats[k].b = 0;
  return k;
}

CASE (place_by_name)
LOOP (/* amp: static */ int k = named (), out0[i] = go_on (&seats[k], i);)

/* Who made it is told by an address of the thread's own.  */

static struct record *made_by[SLOTS];

CASE (owner_by_address)
{
#pragma omp parallel
  {
    struct record own;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      made_by[i] = &own;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = made_by[i] == &own ? in[i & 63] : 1;
  }
}

CASE (address_of_an_iteration)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    made_by[i] = malloc (sizeof (struct record));
  for (int i = 0; i < n; i++)
    free (made_by[i]);
}

struct entry { const void *token; struct record s; struct entry *next; };
static struct entry *registry;

FAR_AWAY void
join (struct entry *e, const void *token)
{
  e->token = token;
  e->s.b = 0;
#pragma omp critical
  {
    e->next = registry;
    registry = e;
  }
}

FAR_AWAY struct entry *
lookup (const void *token)
{
  struct entry *e = registry;
  while (e->token != token)
    e = e->next;
  return e;
}

CASE (registered_by_address)
{
  registry = NULL;
#pragma omp parallel
  {
    char token;
    join (calloc (1, sizeof *registry), &token);
#pragma omp barrier
    struct entry *e = lookup (&token);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = go_on (&e->s, i);
  }
  for (struct entry *e; (e = registry); free (e))
    registry = e->next;
}

/* A function knows whose iteration it is as static divides.  */

FAR_AWAY int
owner (int n, int threads, int i)
{
  int q = n / threads, r = n % threads;
  return i < r * (q + 1) ? i / (q + 1) : r + (i - r * (q + 1)) / (q ? q : 1);
}

static int all, parts;

FAR_AWAY u64
step_of_part (int i)
{
  return go_on (&seats[owner (all, parts, i)], i);
}

CASE (owner_by_function)
{
  int threads = omp_get_max_threads ();
  memset (seats, 0, sizeof seats);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = go_on (&seats[owner (n, threads, i)], i);
}

CASE (owner_in_a_function)
{
  all = n;
  parts = omp_get_max_threads ();
  memset (seats, 0, sizeof seats);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = step_of_part (i);
}

CASE (part_of_a_table)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = in[owner (n, 7, i)];
}

/* How long static's blocks are goes from structure to structure.  */

static struct { int a, b, c, d, e, f, g, h, i, j; } went;

#define GOES(TO, FROM) FAR_AWAY void go_##TO (void) { went.TO = went.FROM; }
GOES (b, a) GOES (c, b) GOES (d, c) GOES (e, d) GOES (f, e) GOES (g, f)
GOES (h, g) GOES (i, h) GOES (j, i)

CASE (blocks_far_away)
{
  u64 at;
  if (n % omp_get_max_threads ())
    return;
  went.a = n / omp_get_max_threads ();
  go_b (), go_c (), go_d (), go_e (), go_f (), go_g (), go_h (), go_i (),
    go_j ();
#pragma omp parallel for private (at) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      at = i % went.j == 0 ? (u64) i * i : at + 2 * i - 1;
      out0[i] = at;
    }
}

FAR_AWAY void
blocks_of (int n, const int *threads)
{
  u64 at;
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      at = i % (n / *threads) == 0 ? (u64) i * i : at + 2 * i - 1;
      out0[i] = at;
    }
}

CASE (blocks_by_reference)
{
  if (n % omp_get_max_threads ())
    return;
#pragma omp parallel
  {
    int threads = omp_get_num_threads ();
    blocks_of (n, &threads);
  }
}

/* A static loop notes where its blocks begin.  */

static unsigned char heads[SLOTS], sevens[SLOTS];

CASE (blocks_noted)
{
#pragma omp parallel
  {
    u64 at;
    int seen = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	heads[i] = !seen;
	seen = 1;
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	at = heads[i] ? (u64) i * i : at + 2 * i - 1;
	out0[i] = at;
      }
  }
}

CASE (noted_by_a_loop)
{
#pragma omp parallel
  {
    u64 at;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      sevens[i] = in[i & 63] % 7;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	if (sevens[i])
	  at = in[i & 63];
	out0[i] = sevens[i] ? at : 1;
      }
  }
}

/* Functions of any number of arguments.  */

FAR_AWAY void
run_all (int n, ...)
{
  va_list ap;
  va_start (ap, n);
  struct record *s = va_arg (ap, struct record *);
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = go_on (s, i);
  va_end (ap);
}

CASE (context_of_many)
{
#pragma omp parallel
  {
    struct record s = { 0 };
    run_all (n, &s);
  }
}

FAR_AWAY void
feed (int n, ...)
{
  va_list ap;
  va_start (ap, n);
#pragma omp for /* amp: static */
  for (int i = 0; i < 6; i++)
    out0[i] = va_arg (ap, int);
  va_end (ap);
}

CASE (arguments_one_by_one)
{
#pragma omp parallel
  feed (n, 1, 2, 3, 4, 5, 6);
}

/* Orphaned loops, called by another name, or between a region and them.  */

void
fill_table (u64 *t, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    t[i] = in[i & 63] * 3;
}

void
read_table (const u64 *t, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = t[i] + 1;
}

void fill_table_too (u64 *, int) __attribute__ ((alias ("fill_table")));
void read_table_too (const u64 *, int) __attribute__ ((alias ("read_table")));

CASE (called_by_another_name)
{
#pragma omp parallel
  {
    u64 t[SLOTS] = { 0 };
    fill_table_too (t, n);
    read_table_too (t, n);
  }
}

FAR_AWAY void
fill_between (u64 *t, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    t[i] = in[i & 63] * 3;
}

FAR_AWAY void
read_between (const u64 *t, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = t[i] + 1;
}

FAR_AWAY void
between (int n)
{
  u64 t[SLOTS] = { 0 };
  fill_between (t, n);
  read_between (t, n);
}

CASE (called_in_between)
{
#pragma omp parallel
  between (n);
}

FAR_AWAY void
fill_shared (u64 *t, int n)
{
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    t[i] = in[i & 63] * 3;
}

FAR_AWAY void
around_shared (u64 *t, int n)
{
  fill_shared (t, n);
}

CASE (shared_in_between)
{
#pragma omp parallel
  around_shared (out0, n);
}

FAR_AWAY void
nested_stages (int n)
{
  u64 t[SLOTS] = { 0 };
  void __attribute__ ((noinline)) fill (void)
  {
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      t[i] = in[i & 63] * 3;
  }
  void __attribute__ ((noinline)) read (void)
  {
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = t[i] + 1;
  }
  fill ();
  read ();
}

CASE (frame_of_nested_stages)
{
#pragma omp parallel
  nested_stages (n);
}

/* Two passes: what a thread's part has is counted, then written.  */

static u64 counts[THREADS + 1];

FAR_AWAY u64
base_of (u64 mine)
{
  u64 base = 0;
  int me = omp_get_thread_num ();
  counts[me] = mine;
#pragma omp barrier
  for (int t = 0; t < me; t++)
    base += counts[t];
  return base;
}

FAR_AWAY void
emit (u64 base, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    if (in[i & 63] & 1)
      out0[base++] = i;
}

CASE (counted_for_a_function)
{
#pragma omp parallel
  {
    u64 mine = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      mine += in[i & 63] & 1;
    emit (base_of (mine), n);
  }
}

/* What the library leaves as it was; what it counts; the processor's bits.  */

#define SLEEPS struct timespec none = { 0 }, rest = { 0 }

CASE (rest_of_a_sleep)
LOOP (/* amp: static */ SLEEPS,
      (nanosleep (&none, &rest),
       rest.tv_nsec = rest.tv_sec ? rest.tv_nsec + 2 * i - 1 : (long) i * i,
       rest.tv_sec = 1, out0[i] = rest.tv_nsec);)

CASE (times_locked)
LOOP (/* amp: static */ omp_nest_lock_t l; omp_init_nest_lock (&l),
      out0[i] = omp_test_nest_lock (&l);)

/* Where each thread is in a file of its own.  */
CASE (place_in_a_file)
{
#pragma omp parallel
  {
    FILE *f = tmpfile ();
    int fd = fileno (f);
#pragma omp for /* amp: static is a file or the like */
    for (int i = 0; i < n; i++)
      out0[i] = lseek (fd, 1, SEEK_CUR);
    fclose (f);
  }
}

#ifdef __x86_64__
CASE (processor_by_asm)
{
#pragma omp parallel
  {
    unsigned was;
    __asm__ volatile ("stmxcsr %0" : "=m" (was));
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	unsigned v;
	__asm__ volatile ("stmxcsr %0" : "=m" (v));
	out0[i] = v & 0x3f;
	v = (v & ~0x3fu) | ((v + 1) & 0x3f);
	__asm__ volatile ("ldmxcsr %0" : : "m" (v));
      }
    __asm__ volatile ("ldmxcsr %0" : : "m" (was));
  }
}
#endif

/* What the C library and the kernel keep for each thread.  */
CASE (error_of_the_resolver)
LOOP (/* amp: static thread-local */ h_errno = 0,
      out0[i] = h_errno * 3 + i;
      h_errno = i;)

CASE (priority_of_the_thread)
LOOP (/* amp: static has of its own */ ,
      out0[i] = i + (getpriority (PRIO_PROCESS, 0) > 19);)

/* What a thread-local pointer leads to is the thread's.  */
static __thread struct record *kept;
static struct record kept_in[THREADS];

static void
keep_records (void)
{
  memset (kept_in, 0, sizeof kept_in);
#pragma omp parallel
  {
    kept = &kept_in[omp_get_thread_num ()];
    kept->b = omp_get_thread_num ();
  }
}

CASE (record_that_the_thread_keeps)
{
  keep_records ();
#pragma omp parallel
  {
    struct record *r = kept;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = ++r->a;
  }
}

CASE (number_that_the_thread_keeps)
{
  keep_records ();
#pragma omp parallel
  {
    u64 me = kept->b;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = me;
  }
}

CASE (number_that_the_thread_keeps_from_here)
{
#pragma omp parallel
  {
    kept = NULL;
#pragma omp barrier
    if (!kept)
      {
	kept = &kept_in[omp_get_thread_num ()];
	kept->b = omp_get_thread_num ();
      }
#pragma omp barrier
    u64 me = kept->b;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = me;
  }
}

/* What a thread has counted, which others get to know behind the loop.  */
static u64 *counted[THREADS];

CASE (counts_given_away)
{
#pragma omp parallel
  {
    u64 *h = (u64 *) calloc (8, sizeof *h);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      h[in[i & 63] & 7]++;
    counted[omp_get_thread_num ()] = h;
  }
#pragma omp parallel
  {
    u64 *h = counted[omp_get_thread_num ()];
#pragma omp for schedule (static) /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = h[in[i & 63] & 7]++;
  }
  for (int t = 0; t < THREADS; t++)
    {
      free (counted[t]);
      counted[t] = NULL;
    }
}

static u64 *__attribute__ ((noinline))
count (int n)
{
  u64 *h = (u64 *) calloc (8, sizeof *h);
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    h[in[i & 63] & 7]++;
  return h;
}

CASE (counts_returned)
{
#pragma omp parallel
  {
    u64 *h = count (n);
#pragma omp for schedule (static) /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = h[in[i & 63] & 7]++;
    free (h);
  }
}

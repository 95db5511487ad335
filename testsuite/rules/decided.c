/* Loops that rely on static, each beside one that looks alike and does not.
   SPDX-License-Identifier: GPL-3.0-or-later

   Compiled only.  */

#include <fenv.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, THREADS = 64 };
int n, key[N], out[N], owner[N], hist[THREADS][16], off[THREADS][16];
double a[N], b[N], part[THREADS];
volatile int flag[N], limit;
atomic_int ready[N];
omp_lock_t lock, locks[N];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
extern void unknown (int);
extern void unknown_text (void *, int);
extern int unknown_wait (int);

/* Synchronisation by hand.  */

static void
wait_for (int i)
{
  while (!flag[i])
    ;
}

void
hand_sync (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      a[i] = 1;
#pragma omp flush
    }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    while (unknown_wait (i))
      ;
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      omp_set_lock (&locks[key[i]]);
      a[key[i]] += 1;
      omp_unset_lock (&locks[key[i]]);
    }
}

void
pipeline (void)
{
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
    for (int k = 0; k < 8; k++)
      {
	if (me > 0)
	  wait_for (me - 1);
#pragma omp for nowait /* amp: static */
	for (int i = 0; i < n; i++)
	  a[i] += k;
	flag[me] = 1;
#pragma omp barrier
#pragma omp for nowait /* amp: converted */
	for (int i = 0; i < n; i++)
	  b[i] += k;
#pragma omp barrier
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      a[i] += 1;
    if (me > 0)
      wait_for (me - 1);
  }
#pragma omp parallel
  {
#pragma omp for nowait /* amp: converted */
    for (int i = 0; i < n; i++)
      a[i] = 1;
    omp_set_lock (&lock);
    b[0]++;
    omp_unset_lock (&lock);
  }
#if __GNUC__ >= 11
  omp_event_handle_t event;
#pragma omp parallel
  {
#pragma omp master
#pragma omp task detach(event)
    b[0]++;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 1;
#pragma omp master
    omp_fulfill_event (event);
  }
#endif
#pragma omp parallel
  {
#pragma omp master
#pragma omp task
    wait_for (0);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 1;
#pragma omp master
    flag[0] = 1;
  }
}

/* What stands before and behind the calls of an orphaned loop.  */

static void
row (int k)
{
#pragma omp for nowait /* amp: static */
  for (int i = 0; i < n; i++)
    a[i] += k;
}

static void
row_apart (int k)
{
#pragma omp for nowait /* amp: converted */
  for (int i = 0; i < n; i++)
    a[i] += k;
}

void
rows (void)
{
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
    for (int k = 0; k < 8; k++)
      {
	if (me > 0)
	  wait_for (me - 1);
	row (k);
	flag[me] = k;
      }
  }
#pragma omp parallel
  {
    row_apart (1);
    omp_set_lock (&lock);
    b[0]++;
    omp_unset_lock (&lock);
  }
#pragma omp parallel
  {
    omp_set_lock (&lock);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 1;
    omp_unset_lock (&lock);
  }
#pragma omp parallel
  {
    pthread_mutex_lock (&mutex);
    b[0]++;
    pthread_mutex_unlock (&mutex);
#pragma omp for nowait /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	pthread_mutex_lock (&mutex);
	a[0]++;
	pthread_mutex_unlock (&mutex);
      }
  }
}

/* A variable that held the number, and is set anew.  */

void
set_anew (void)
{
#pragma omp parallel
  {
    int i, k = omp_get_thread_num ();
    for (i = k; i < n; i += 2)
      b[i] = k;
#pragma omp for /* amp: converted */
    for (i = 0; i < n; i++)
      {
	k = key[i];
	a[k] = 1;
      }
  }
}

/* Thread-local variables.  */

_Thread_local int local;
static int of_thread;
#pragma omp threadprivate(of_thread)

void
thread_local_variables (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    a[i] = local;
  int copy = local;
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    a[i] = copy + (malloc (1) != NULL);
}

/* The user knows better.  */

void
asked (void)
{
#pragma omp parallel
  {
    int k = 0;
#pragma gomp_amp free
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      out[k++] = i;
#pragma gomp_amp static
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 1;
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      a[i] = 2;
#pragma gomp_amp steady
#pragma omp for nowait /* amp: converted */
    for (int i = 0; i < n; i++)
      a[i] = 3;
#pragma gomp_amp free
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 4;
  }
}

/* schedule(auto) says as little as no clause.  */

void
automatic (void)
{
#pragma omp parallel
  {
    int k = 0;
#pragma omp for schedule(auto) nowait /* amp: converted */
    for (int i = 0; i < n; i++)
      a[i] = 1;
#pragma omp for schedule(auto) /* amp: static */
    for (int i = 0; i < n; i++)
      out[k++] = i;
#pragma omp for schedule(monotonic: auto) /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 2;
#pragma omp for schedule(auto) ordered /* amp: static */
    for (int i = 0; i < n; i++)
#pragma omp ordered
      a[i] = 3;
#pragma gomp_amp static
#pragma omp for schedule(auto) /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 4;
  }
  double s = 0;
#pragma omp parallel for simd schedule(simd: auto) reduction(+: s) /* amp: converted */
  for (int i = 0; i < n; i++)
    s += a[i];
  a[0] = s;
}

/* schedule(static) that may be replaced.  */

void
replaceable (double *p)
{
#pragma omp parallel
  {
#pragma gomp_amp replace
#pragma omp for schedule(static) nowait /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = p[i];
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      b[i] = a[i];
#pragma gomp_amp replace
#pragma omp for schedule(static, 4) /* amp: static */
    for (int i = 0; i < n; i++)
      b[i] = a[i];
#pragma gomp_amp replace
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      b[i] = a[i];
  }
  /* Not beside static loops that are none.  */
#pragma omp parallel
  {
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 1;
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      b[i] = a[i];
  }
#pragma omp parallel
  {
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      b[i] = a[i] + local;
  }
#pragma omp parallel
  {
#pragma gomp_amp replace
#pragma omp for schedule(static) ordered /* amp: static */
    for (int i = 0; i < n; i++)
#pragma omp ordered
      a[i] = 1;
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 1;
  }
#if __GNUC__ >= 9
#pragma omp parallel
#pragma gomp_amp replace
#pragma omp for schedule(static) reduction(task, +: n) /* amp: static */
  for (int i = 0; i < N; i++)
    n += i;
#endif
}

/* What a thread may keep for itself from one such loop to the next.  */

void
bound (double *p)
{
#pragma gomp_amp replace
#pragma omp parallel for schedule(static) /* amp: static */
  for (int i = 0; i < n; i++)
    hist[omp_get_thread_num ()][key[i]]++;
#pragma gomp_amp replace
#pragma omp parallel for schedule(static) /* amp: static */
  for (int i = 0; i < n; i++)
    of_thread += i;
#pragma gomp_amp replace
#pragma omp parallel for schedule(static) /* amp: static */
  for (int i = 0; i < n; i++)
    unknown (i);
#pragma omp parallel
  {
    double mine[N], sum = 0;
    int t;
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < N; i++)
      {
	t = i;
	mine[t] = p[i];
      }
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < N; i++)
      sum += mine[i];
#pragma omp atomic
    a[0] += sum;
  }
  /* Sums and temporaries are none.  */
#pragma omp parallel
  {
    double sum = 0;
    int t;
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < N; i++)
      {
	t = i;
	sum += p[t];
      }
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < N; i++)
      {
	t = i;
	b[t] = p[t];
      }
#pragma omp atomic
    a[0] += sum;
  }
  /* Memory of the thread's own.  */
#pragma omp parallel
  {
    double *own = malloc (N * sizeof *own);
#pragma gomp_amp replace
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < N; i++)
      own[i] = p[i];
    free (own);
  }
}

/* The last of many arguments has the thread's place.  */

static void
put (int *to, int a, int b, int c, int d, int e, int f, int g, int *at)
{
  to[(*at)++] = a + b + c + d + e + f + g;
}

void
many_arguments (void)
{
#pragma omp parallel
  {
    int at = omp_get_thread_num () * (N / omp_get_num_threads ());
#pragma omp for /* amp: static */
    for (int i = 0; i < N; i++)
      put (out, i, 1, 2, 3, 4, 5, 6, &at);
  }
}

void
behind_pointers (void)
{
#pragma omp parallel
  {
    int own[n + 1], scratch[n + 1], stamp[n + 1];
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      out[own[0]++] = i;
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	scratch[0] = 0;
	scratch[0]++;
	if (stamp[key[i]] != i)
	  {
	    stamp[key[i]] = i;
	    out[i] = scratch[0];
	  }
      }
  }
}

/* What a thread has found is noted by its number.  */

void
maxima (void)
{
#pragma omp parallel
  {
    double top = -1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (a[i] > top)
	top = a[i];
    part[omp_get_thread_num ()] = top;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if (a[i] > top)
	  top = a[i];
	b[i] = top;
      }
  }
#pragma omp parallel
  {
    int where = 0;
    double top = -1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (a[i] > top)
	{
	  top = a[i];
	  where = i;
	}
    part[omp_get_thread_num ()] = where;
  }
}

/* Chosen is something else than what is compared, two directions, or more goes
   by the comparison.  */

void
choices (void)
{
  double top = -1;
#pragma omp parallel for reduction(max: top) /* amp: static */
  for (int i = 0; i < n; i++)
    top = top > a[i] ? top : b[i];
#pragma omp parallel for reduction(max: top) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      top = top > a[i] ? top : a[i];
      top = top < b[i] ? top : b[i];
    }
#pragma omp parallel for reduction(max: top) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      _Bool above = top > a[i];
      b[i] = above;
      top = above ? top : a[i];
    }
  part[0] = top;
}

/* Added up by number in one region, used so in the next.  */

void
two_regions (void)
{
#pragma omp parallel
  {
    double sum = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      sum += a[i];
    part[omp_get_thread_num ()] = sum;
  }
#pragma omp parallel
  {
    double sum = part[omp_get_thread_num ()];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	b[i] = sum;
	sum += a[i];
      }
  }
}

/* A row may be empty.  */

void
left_behind (void)
{
#pragma omp parallel
  {
    double last = 0, x;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	for (int j = key[i]; j < key[i + 1]; j++)
	  last = a[j];
	b[i] = last;
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	for (int j = 0; j < 3; j++)
	  x = a[i + j];
	b[i] = x;
      }
  }
}

void
reduced_places (void)
{
  int k = 0;
#pragma omp parallel
  {
    int own[N];
#pragma omp for reduction (+: k) /* amp: static */
    for (int i = 0; i < n; i++)
      own[k++] = i;
    out[omp_get_thread_num ()] = own[0];
#pragma omp for reduction (+: k) /* amp: converted */
    for (int i = 0; i < n; i++)
      k += key[i] > 0;
  }
}

void
other_numbers (void)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	int k;
#pragma omp atomic capture
	k = off[t][0]++;
	out[k] = i;
      }
  }
#pragma omp parallel
  {
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out[off[omp_get_ancestor_thread_num (omp_get_level ())][0]++] = i;
  }
}

/* Written by number, and used by a loop without a barrier.  */

void
dealt_by_hand (void)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num (), q = n / omp_get_num_threads ();
    if (t == 0)
      a[0] = 1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    for (int i = t * q; i < (t + 1) * q; i++)
      a[i] = i;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    for (int i = t * q; i < (t + 1) * q; i++)
      a[i] = i;
#pragma omp barrier
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      b[i] = a[i];
    part[t] = 0;
    if (t == 0)
      limit = 1;
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      b[i] = a[i];
  }
}

/* Waits that name neither an atomic nor a volatile object.  */

extern long read (int, void *, unsigned long);

void
other_waits (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      for (int go = 0; !go; )
	{
#pragma omp critical
	  go = key[i];
	}
    }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      {
#pragma omp critical
	if (out[0] < key[i])
	  out[0] = key[i];
      }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    while (__sync_fetch_and_add (&key[i], 0) == 0)
      ;
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    char c;
    if (t > 0 && read (t, &c, 1) != 1)
      out[t] = 1;
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = i;
    part[t] = c;
  }
}

/* What unknown code does with a private object, which the region's numbers may
   tell apart.  */

extern int strange (int *);
extern int looks (const int *);
extern void fills (int *, int);

void
unknown_code (void)
{
#pragma omp parallel
  {
    int k = omp_get_thread_num (), t = k, seen = 3, state = 1;
    char word[16];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = strange (&state);
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	snprintf (word, sizeof word, "%d", i);
	a[i] = word[0] + looks (&seen);
      }
    part[t] = k;
  }
#pragma omp parallel
  {
    int scratch[8];
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	fills (scratch, i);
	a[i] = scratch[0];
      }
  }
#pragma omp parallel
  {
    int window[4] = { 0 }, t = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	__builtin_memmove (window, window + 1, 3 * sizeof (int));
	window[3] = i;
	a[i] = window[0];
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	__builtin_memset (window, 0, sizeof window);
	window[3] += i;
	a[i] = window[3];
      }
    part[t] = 1;
  }
}

/* What each thread has of its own.  */

void
own_file (void)
{
#pragma omp parallel
  {
    FILE *f = tmpfile ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      fprintf (f, "%d", i);
  }
}

/* Pointers to parts, and elements by constant indices.  */

union both { struct { int k, tmp; } part; double all; };

void
parts (void)
{
#pragma omp parallel
  {
    int at[4] = { 0 }, *p = &at[1];
#pragma omp for /* amp: static 'at' is read at line */
    for (int i = 0; i < n; i++)
      out[(*p)++] = i;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	at[0] = i;
	out[i] = at[3];
	at[3] = at[0];
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	at[0] = i;
	at[3] = at[0];
	out[i] = at[3];
      }
    union both u;
    u.part.k = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	u.part.tmp = i;
	out[u.part.k++ & 3] = u.part.tmp;
      }
  }
}

/* Helpers of helpers.  */

struct list { int n, item[N]; };

static void
push (struct list *l, int x)
{
  l->item[l->n++] = x;
}

static void
push_odd (struct list *l, int v)
{
  if (v & 1)
    push (l, v);
}

void
by_helpers (void)
{
  static struct list lists[THREADS];
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    struct list mine = { 0 }, *my = &lists[t];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      push_odd (&mine, i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      push_odd (my, i);
    part[t] = mine.n;
  }
}

/* Dealt by hand, by calls.  */

void
dealt_by_calls (void)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num (), q = n / omp_get_num_threads ();
    __builtin_memset (out + t * q, 0, q * sizeof (int));
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out[i] += i;
    if (t == 0)
      fills (key, 1);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = looks (&key[i]);
    __builtin_memset (out + t * q, 0, q * sizeof (int));
#pragma omp barrier
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      out[i] += i;
  }
}

/* What callers have of their own.  */

struct counter { int k; double sum; };

static void
orphaned (struct counter *c, double *sum, double *x)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out[c->k++] = i;
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    *sum += x[i];
}

static void
orphaned_sum (struct counter *c, double *x)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      c->sum += x[i];
#pragma omp critical
      out[c->k++] = i;
      x[i] = x[i] * 2 + 1;
    }
}

void
call_orphaned (void)
{
#pragma omp parallel
  {
    struct counter c = { omp_get_thread_num (), 0 };
    orphaned (&c, &c.sum, a);
    orphaned_sum (&c, b);
  }
}

/* Waits by exchange, and spin locks, which are none.  */

static void spin (int *l) { while (__sync_lock_test_and_set (l, 1)) ; }
static void unspin (int *l) { __sync_lock_release (l); }

void
exchanges (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      out[i] = i;
      while (!__sync_bool_compare_and_swap (&key[i + n / 2], 1, 2))
	;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      __sync_lock_release (&key[i]);
      spin (&key[i + n / 2]);
      unspin (&key[i + n / 2]);
    }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      int old;
      do
	old = out[0];
      while (!__sync_bool_compare_and_swap (&out[0], old, old + i));
    }
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    unknown (t);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = i;
    part[t] = 1;
  }
#pragma omp parallel
  {
    unknown (1);
#pragma omp for nowait /* amp: converted */
    for (int i = 0; i < n; i++)
      a[i] = i;
    part[0] = 1;
  }
}

/* Blocks whose bounds or addresses come from elsewhere, and are read.  */

static void
split (int t, int p, int *lo, int *hi)
{
  *lo = t * (n / p);
  *hi = *lo + n / p;
}

void
dealt_elsewhere (void)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num (), p = omp_get_num_threads (), lo, hi;
    double *mine = b + t * (n / p), s = 0;
    split (t, p, &lo, &hi);
    for (int i = lo; i < hi; i++)
      a[i] = i;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out[i] = a[i];
    for (int i = 0; i < n / p; i++)
      mine[i] = i;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out[i] = b[i];
    for (int i = lo; i < hi; i++)
      s += part[i];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      part[i] = 0;
    key[t] = s;
  }
}

/* Changes between neighbours; elements of a private array in turn.  */

void
neighbours (void)
{
#pragma omp parallel
  {
    int last = -1, runs = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (key[i] != last)
	{
	  last = key[i];
	  runs++;
	}
#pragma omp atomic
    out[0] += runs;
  }
#pragma omp parallel
  {
    double ring[4] = { 0 }, turn[4];
    int t = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	ring[i & 3] = a[i];
	b[i] = ring[(i + 1) & 3];
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	turn[i & 3] = a[i];
	b[i] = turn[i & 3];
      }
    part[t] = ring[0];
  }
}

/* Whose block an iteration would be in.  */

void
whose_block (void)
{
#pragma omp parallel
  {
    int q = n / omp_get_num_threads ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      part[i / q] += a[i];
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      b[i] = a[i] / q;
  }
}

/* A sum that threads put together.  */

void
put_together (void)
{
  double total = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for nowait /* amp: converted */
    for (int i = 0; i < n; i++)
      mine += a[i];
#pragma omp critical
    total += mine;
  }
  part[0] = total;
}

/* Reductions that are no sums, and simd constructs that go on.  */

void
reduced (void)
{
  unsigned hash = 0, sum = 0;
#pragma omp parallel for reduction (^:hash) /* amp: static */
  for (int i = 0; i < n; i++)
    hash = hash * 31 + i;
#pragma omp parallel for reduction (+:sum) /* amp: converted */
  for (int i = 0; i < n; i++)
    sum = sum + key[i];
  out[0] = hash + sum;
#pragma omp parallel
  {
    int at = 0;
    double total = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
#pragma omp simd linear (at)
      for (int j = 0; j < 4; j++)
	out[at++] = i;
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
#pragma omp simd reduction (+:total)
      for (int j = 0; j < 4; j++)
	total += a[i] * j;
#pragma omp critical
    a[0] += total;
  }
}

/* Files, scratch memory and messages by number.  */

void
shown (FILE **files)
{
  static double work[THREADS][16];
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    double *w = work[t];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      fprintf (files[t], "%d\n", i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	w[i & 15] = i;
	b[i] = w[0];
      }
  }
}

/* Locks in functions, in branches and in any order.  */

static void hold (omp_lock_t *l) { omp_set_lock (l); }
static void let_go (omp_lock_t *l) { omp_unset_lock (l); }

void
locked (omp_lock_t *l, omp_lock_t *m)
{
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      hold (&l[key[i]]);
      a[key[i]]++;
      let_go (&l[key[i]]);
    }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      omp_set_lock (l);
      omp_set_lock (m);
      if (a[0] > 3)
	{
	  omp_unset_lock (l);
	  omp_unset_lock (m);
	  continue;
	}
      a[0]++;
      omp_unset_lock (l);
      omp_unset_lock (m);
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      hold (l);
      a[i]++;
    }
}

/* Places of each thread's own, which a pointer leads to that stays.  */

struct found
{
  int n, v[N];
  double largest;
};

struct found founds[THREADS];

void
own_places (void)
{
#pragma omp parallel
  {
    struct found *mine = NULL;
    struct found *shown;
#pragma omp for schedule(static, 1) /* amp: static */
    for (int i = 0; i < THREADS; i++)
      mine = &founds[i];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (key[i])
	mine->v[mine->n++] = i;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      mine->largest += a[i];
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	shown = &founds[i];
	shown->v[shown->n++] = i;
      }
  }
}

/* What a reduction has so far is used otherwise.  */

void
sums_so_far (void)
{
  int count = 0, total = 0;
#pragma omp parallel reduction(+ : count, total)
  {
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	total += count * i;
	count++;
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	total += key[i];
	count = key[i] > 3 ? count + 2 : count + 1;
      }
  }
#pragma omp parallel for reduction(+ : count) /* amp: static */
  for (int i = 0; i < n; i++)
    if (key[i])
      out[i] = count++;
  out[0] = count + total;
}

/* Loops that end by what an atomic update finds.  */

void
updates_polled (int none)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      int found;
      do
	{
#pragma omp atomic capture
	  {
	    found = key[i];
	    key[i] += none;
	  }
	}
      while (!found);
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    while (atomic_fetch_sub (&ready[i], 1) < 1)
      atomic_fetch_add (&ready[i], 1);
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 16; j++)
      {
	int place;
#pragma omp atomic capture
	place = hist[0][0]++;
	if (place < N)
	  out[place] = atomic_fetch_add (&ready[i], 1);
      }
}

/* What a function keeps in an object of the thread's own decides what it
   becomes, or does not.  */

struct seen { int first, last, count; };

static void
note_first (struct seen *s, int i)
{
  if (s->first < 0)
    s->first = i;
  s->count++;
}

static void
note_first_by_count (struct seen *s, int i)
{
  if (s->count++ == 0)
    s->first = i;
}

static void
note_changes (struct seen *s, int x)
{
  if (x != s->last)
    s->count++;
  s->last = x;
}

void
seen_by_functions (void)
{
  int total = 0;
#pragma omp parallel reduction(+ : total)
  {
    struct seen s = { -1, 0, 0 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      note_first (&s, i);
    total += s.first;
  }
#pragma omp parallel reduction(+ : total)
  {
    struct seen s = { -1, 0, 0 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      note_first_by_count (&s, i);
    total += s.first;
  }
#pragma omp parallel reduction(+ : total)
  {
    struct seen s = { -1, 0, 0 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      note_changes (&s, key[i]);
    total += s.count;
  }
  out[0] = total;
}

/* How far a thread's iterations reach is noted by its number.  */

void
reaches (void)
{
#pragma omp parallel
  {
    int low = n;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (i < low)
	low = i;
    owner[omp_get_thread_num ()] = low;
  }
}

/* Iterations that follow one another change one word.  */

void
words (unsigned *bits, int *bin)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    bits[i >> 5] |= (unsigned) key[i] << (i & 31);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    bin[i / 100] += key[i];
#pragma omp parallel for /* amp: converted or static */
  for (int i = 0; i < n; i += 4)
    bits[i >> 2] |= key[i];
#pragma omp parallel for reduction(+ : bin[:N]) /* amp: converted or static at -O0 */
  for (int i = 0; i < n; i++)
    bin[i / 100] += key[i];
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
#pragma omp atomic
    bin[i / 100] += key[i];
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      int row = i / 10, column = i % 10;
      bin[10 * row + column] += key[i];
      bits[i] |= key[i / 2];
    }
}

/* Scratch memory by number, which functions fill and use, or keep something
   in.  */

struct work { double a[8], b; int n, last; };

static void
set_up (struct work *w, int i)
{
  w->n = 8;
  for (int k = 0; k < w->n; k++)
    w->a[k] = i * k;
}

static double
solve (const struct work *w)
{
  double s = 0;
  for (int k = 0; k < w->n; k++)
    s += w->a[k];
  return s;
}

static void
keep (struct work *w, int i)
{
  w->n = 8;
  if (w->last != i - 1)
    w->b = i;
  w->last = i;
  w->b += 1;
}

void
scratch_in_functions (struct work *all)
{
#pragma omp parallel for /* amp: converted or static at -O0 */
  for (int i = 0; i < n; i++)
    {
      struct work *w = &all[omp_get_thread_num ()];
      set_up (w, i);
      b[i] = solve (w);
    }
#pragma omp parallel
  {
    struct work *w = &all[omp_get_thread_num ()];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	set_up (w, i);
	b[i] = solve (w) + 1;
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	b[i] = solve (w);
	set_up (w, i);
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	keep (w, i);
	b[i] = w->b;
      }
  }
}

/* The processor's modes and flags are each thread's.  */

void
modes (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (key[i])
	fesetround (FE_UPWARD);
      a[i] = b[i] / 3;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    a[i] = fetestexcept (FE_DIVBYZERO) ? 0 : 1 / b[i];
}

/* A number that another file's function makes of nothing may be the
   thread's.  */
extern int unknown_number (void);
void
number_of_another_file (int n, void **streams, int *a)
{
#pragma omp parallel
  {
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      unknown_text (streams[unknown_number ()], i);
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      if (unknown_number () > 2)
	a[i] = 3;
  }
}

/* Where a program ends it uses what the iteration has.  */

void
ended (void)
{
#pragma omp parallel
  {
    double x = 0;
#pragma omp for /* amp: any */
    for (int i = 0; i < n; i++)
      {
	double y = b[i] * 3;
	if (y < 0)
	  {
	    fprintf (stderr, "%d: %g\n", i, y);
	    if (limit)
	      fprintf (stderr, "%d: %d\n", i, limit);
	    abort ();
	  }
	a[i] = y;
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = x = b[i] * 3;
    if (limit)
      {
	fprintf (stderr, "%g\n", x);
	abort ();
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if (b[i] < 0)
	  {
	    fprintf (stderr, "%g\n", x);
	    abort ();
	  }
	x = b[i] * 5;
      }
  }
}

/* What one thread allocates for all is theirs; or its own, too.  */

void
allocated_by_one (int n, int m)
{
  double *all;
#pragma omp parallel
  {
#pragma omp single
    all = malloc (n * m * sizeof *all);
#pragma omp for // amp: any
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
	all[i * m + j] = i + j;
#pragma omp for // amp: any
    for (int i = 0; i < n; i++)
      a[i] = all[i * m] * 2;
#pragma omp single
    free (all);
  }
}

void
allocated_by_one_for_itself (int n)
{
  double *all;
#pragma omp parallel
  {
    double *mine = NULL;
#pragma omp single
    all = mine = calloc (n, sizeof *all);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[i] = mine ? mine[0] += i : i;
#pragma omp single
    free (all);
  }
}

void
allocated_by_the_master (int n)
{
  double *all;
#pragma omp parallel
  {
#pragma omp master
    all = malloc (n * sizeof *all);
#pragma omp barrier
#pragma omp for // amp: any
    for (int i = 0; i < n; i++)
      all[i] = i;
#pragma omp for // amp: any
    for (int i = 0; i < n - 1; i++)
      a[i] = all[i] + all[i + 1];
#pragma omp master
    free (all);
  }
}

void
allocated_by_all_others (int n)
{
  double *all[64];
#pragma omp parallel
  {
    double **mine = all + omp_get_thread_num ();
    *mine = a;
    if (omp_get_thread_num () != 0)
      *mine = malloc (n * sizeof **mine);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      a[i] += (*mine)[0]++;
  }
}

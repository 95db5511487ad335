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
asked_before (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    for (int seen = 0;;)
      {
	if (seen)
	  break;
	omp_set_lock (&lock);
	seen = a[i] > 0;
	omp_unset_lock (&lock);
      }
}

static void
until (int i)
{
  for (;;)
    if (flag[i])
      return;
}

static int
is_ready (int i)
{
  return atomic_load (&ready[i]);
}

void
hand_sync (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      while (!flag[i])
	;
      a[i] = 1;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    until (i);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      wait_for (i);
      a[i] = 1;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    while (i && !is_ready (i - 1))
      ;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      int go = 0;
      while (!go)
	{
#pragma omp atomic read
	  go = key[i];
	}
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      a[i] = 1;
#pragma omp flush
    }
#pragma omp parallel for /* amp: static */
  for (int i = 1; i < n; i++)
    {
      omp_set_lock (&locks[i]);
      a[i] += a[i - 1];
      omp_unset_lock (&locks[i - 1]);
    }
}

void
no_hand_sync (void)
{
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    a[i] = is_ready (i) + limit;
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      int v;
#pragma omp atomic read
      v = key[i];
#pragma omp atomic
      b[v] += 1;
    }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      int old = atomic_load (&ready[0]);
      while (old < i && !atomic_compare_exchange_weak (&ready[0], &old, i))
	;
    }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      omp_set_lock (&locks[key[i]]);
      a[key[i]] += 1;
      omp_unset_lock (&locks[key[i]]);
      volatile int own = i;
      while (own > 0)
	own--;
    }
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    while (unknown_wait (i))
      ;
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
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = 1;
    pthread_mutex_unlock (&mutex);
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

/* Thread numbers.  */

static int
my_number (void)
{
  return omp_get_thread_num ();
}

static void
add (double *sum, const double *value)
{
  *sum += *value;
}

void
scatter (void)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      hist[t][key[i]]++;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out[off[t][key[i]]++] = key[i];
  }
}

void
numbers (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    if (omp_get_thread_num () == 0)
      a[i] = 1;
#pragma omp parallel
  {
    double *mine = &part[my_number ()];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = *mine;
  }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    unknown (my_number ());
}

void
sums (void)
{
#pragma omp parallel
  {
    int t = my_number ();
    double *mine = &part[t];
#pragma omp for nowait /* amp: converted or static */
    for (int i = 0; i < n; i++)
      part[t] += a[i];
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      *mine += a[i];
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      add (&part[t], &a[i]);
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      hist[t][key[i]]++;
  }
#pragma omp parallel for /* amp: converted or static */
  for (int i = 0; i < n; i++)
    {
      owner[i] = omp_get_thread_num ();
      printf ("%d: %d\n", i, omp_get_thread_num ());
    }
  /* A variable that held the number, and is set anew.  */
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

/* Carried state.  */

static int
next_random (unsigned *state)
{
  *state = *state * 1103515245u + 12345u;
  return *state >> 16;
}

static void
first_random (unsigned *state, int i)
{
  *state = i;
}

void
carried (void)
{
#pragma omp parallel
  {
    int k = 0;
    double *mine = malloc (n);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      if (a[i] > 0)
	mine[k++] = a[i];
  }
#pragma omp parallel
  {
    unsigned seed = 1;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = next_random (&seed);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = rand_r (&seed);
  }
#pragma omp parallel
  {
    double last = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	b[i] = a[i] - last;
	last = a[i];
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	if (a[i] > 0)
	  last = a[i];
	b[i] = last;
      }
  }
  int first = 1;
#pragma omp parallel for firstprivate(first) /* amp: static */
  for (int i = 0; i < n; i++)
    {
      a[i] = first;
      first = 0;
    }
}

void
not_carried (void)
{
#pragma omp parallel
  {
    unsigned seed;
    double x, scratch[8];
    int j;
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	first_random (&seed, i);
	a[i] = next_random (&seed);
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	for (j = 0; j < 8; j++)
	  scratch[j] = a[i] * j;
	for (j = 0; j < 8; j++)
	  x = scratch[j];
	b[i] = x;
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	if (a[i] > 0)
	  x = 1;
	else
	  x = 2;
	b[i] = x;
      }
  }
  double total = 0, largest = 0;
#pragma omp parallel
  {
    double mine = 0, top = 0, binned[8] = { 0 };
    int count = 0;
#pragma omp for nowait /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	mine += a[i];
	binned[i % 8] += a[i];
      }
#pragma omp for nowait /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      {
	if (a[i] > top)
	  top = a[i];
	count++;
      }
#pragma omp critical
    {
      total += mine + binned[0] + count;
      if (top > largest)
	largest = top;
    }
  }
}

/* The counts of one loop are what another relies on.  */

void
beside (void)
{
#pragma omp parallel
  {
    int count = 0, k = 0;
    double sum = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      count += a[i] > 0;
    double *mine = malloc (count * sizeof *mine);
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      b[i] = 2 * a[i];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (a[i] > 0)
	mine[k++] = a[i];
  }
#pragma omp parallel
  {
    int count = 0, k = 0;
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      count += a[i] > 0;
    double *mine = malloc (count * sizeof *mine);
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      if (a[i] > 0)
	mine[k++] = a[i];
  }
}

/* Thread-local variables.  */

_Thread_local int local;
static int of_thread;
#pragma omp threadprivate(of_thread)

static int
read_local (void)
{
  return local;
}

void
thread_local_variables (void)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    a[i] = local;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    of_thread += i;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    a[i] = read_local ();
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

/* What a thread's own block of iterations is taken for, each beside a
   look-alike that any division allows.  */

struct list { int n, at; int item[N]; };
struct mean { double sum; int n; double bin[8]; };

static void
push (struct list *l, int x)
{
  l->item[l->n++] = x;
}

static void
collect (struct mean *m, double x)
{
  m->sum += x;
  m->n++;
  m->bin[(int) x & 7] += 1;
}

void
parts_of_privates (void)
{
#pragma omp parallel
  {
    struct list l, m, q;
    l.at = omp_get_thread_num () * n;
#pragma omp for /* amp: static 'l' is read at line */
    for (int i = 0; i < n; i++)
      {
	l.n = i;
	out[l.at++] = l.n;
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	m.n = i;
	m.at = m.n + 1;
	out[m.at] = m.n;
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      push (&q, i);
    out[omp_get_thread_num ()] = q.item[0];
  }
  /* Nobody knows in which order these come together.  */
#pragma omp parallel
  {
    struct list l = { 0, 0, { 0 } };
    struct mean sum = { 0 };
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      push (&l, i);
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      collect (&sum, a[i]);
#pragma omp critical
    {
      a[0] += sum.sum + l.n;
      for (int k = 0; k < l.n; k++)
	out[hist[0][0]++] = l.item[k];
    }
  }
}

void
read_between (void)
{
#pragma omp parallel
  {
    struct mean sum = { 0 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	collect (&sum, a[i]);
	b[i] = sum.sum;
      }
  }
}

void
behind_pointers (void)
{
#pragma omp parallel
  {
    int k = omp_get_thread_num (), j;
    int own[n + 1], bins[n + 1];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	int *p = &k;
	out[(*p)++] = i;
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	int *p = &j;
	*p = i;
	out[*p] = i;
      }
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      out[own[0]++] = i;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      bins[key[i]]++;
    out[omp_get_thread_num ()] = bins[0];
  }
#pragma omp parallel
  {
    int scratch[n + 1], stamp[n + 1];
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

void
maxima_alone (void)
{
#pragma omp parallel
  {
    double top = -1;
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      if (a[i] > top)
	top = a[i];
    part[omp_get_thread_num ()] = top;
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
#pragma omp parallel reduction (+: limit)
  {
    double sum = 0;
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      sum += a[i];
    limit += sum;
  }
}

void
left_behind (void)
{
#pragma omp parallel
  {
    double last = 0, other;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	last = a[i];
	b[i] = last;
      }
    part[omp_get_thread_num ()] = last;
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	other = a[i];
	b[i] = other;
      }
    other = 0;
    part[omp_get_thread_num ()] += other;
  }
  /* A row may be empty.  */
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

void
counted_by_number (void)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
#pragma omp atomic
      off[t][0]++;
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
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      part[t] += a[i];
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
#pragma omp parallel for /* amp: converted or static */
  for (int i = 0; i < n; i++)
    {
      while (__sync_lock_test_and_set (&key[0], 1))
	;
      a[0] += i;
      __sync_lock_release (&key[0]);
    }
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
#pragma omp parallel for /* amp: converted or static */
  for (int i = 0; i < n; i++)
    read (i, &out[i], 1);
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
    char line[64] = "", word[16];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = strange (&k);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = strange (&state);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	snprintf (word, sizeof word, "%d", i);
	__builtin_strcat (line, word);
      }
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	snprintf (word, sizeof word, "%d", i);
	a[i] = word[0] + looks (&seen);
      }
    part[t] = line[0] + k;
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

/* Memory of each thread's own.  */

struct counter { int k; double sum; };
union both { struct { int k, tmp; } part; double all; };

void
own_memory (void)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    struct counter *c = malloc (sizeof *c);
    double *bins = calloc (16, sizeof *bins);
    double *row = malloc (16 * sizeof *row);
    FILE *f = tmpfile ();
    c->k = t;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = c->k++;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      fprintf (f, "%d", i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      bins[key[i] & 15] += a[i];
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	for (int k = 0; k < 16; k++)
	  row[k] = i * k;
	for (int k = 0; k < 16; k++)
	  b[i] += row[k];
      }
    part[t] = bins[0];
    free (c);
    free (bins);
    free (row);
  }
}

/* Pointers to parts, and elements by constant indices.  */

void
parts (void)
{
#pragma omp parallel
  {
    int at[4] = { 0 }, *p = &at[1];
    struct counter c = { 0 };
    int *q = &c.k;
#pragma omp for /* amp: static 'at' is read at line */
    for (int i = 0; i < n; i++)
      out[(*p)++] = i;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      out[(*q)++] = i;
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

/* Sums are of one operation; a maximum stores what it has compared.  */

void
recurrences (void)
{
#pragma omp parallel
  {
    unsigned hash = 0, sum = 0;
    int first = -1;
    double most = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      hash = hash * 31 + key[i];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      if (key[i] && first < 0)
	first = i;
#pragma omp critical
    out[0] += hash + first;
  }
#pragma omp parallel
  {
    unsigned sum = 0;
    double most = 0;
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      {
	sum = key[i] + sum - 3;
	if (a[i] > most)
	  most = a[i];
      }
#pragma omp critical
    {
      out[0] += sum;
      if (most > a[0])
	a[0] = most;
    }
  }
}

/* Helpers of helpers, and what they do by number.  */

static void
push_odd (struct list *l, int v)
{
  if (v & 1)
    push (l, v);
}

static void
place (struct counter *c, int v)
{
  c->k++;
  out[v] = c->k;
}

static void
digest (struct counter *c, int v)
{
  c->k = c->k * 33 + v;
}

static void
tally (struct counter *c, double v)
{
  c->k++;
  c->sum += v;
}

void
by_helpers (void)
{
  static struct list lists[THREADS];
  static struct counter counters[THREADS];
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    struct list mine = { 0 }, *my = &lists[t];
    struct counter c = { 0 }, d = { 0 };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      push_odd (&mine, i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      place (&c, i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      digest (&d, i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      push (&lists[t], i);
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      push_odd (my, i);
    part[t] = mine.n + c.k + d.k;
  }
}

void
tallied (void)
{
  static struct counter counters[THREADS];
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      tally (&counters[t], a[i]);
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
#pragma omp for /* amp: converted or static */
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
#pragma omp parallel for /* amp: converted or static */
  for (int i = 0; i < n; i++)
    {
      spin (&key[0]);
      a[0] += i;
      unspin (&key[0]);
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

/* Sums whose parts are put together by earlier threads' numbers, and what such
   a sum leads to.  */

void
scans (void)
{
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
    double sum = 0, before = 0;
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      sum += a[i];
    part[t] = sum;
#pragma omp barrier
    for (int k = 0; k < t; k++)
      before += part[k];
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      b[i] += before;
  }
#pragma omp parallel
  {
    int t = omp_get_thread_num ();
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      owner[i] = t + 1;
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
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      {
	for (int j = 0; j < 16; j++)
	  w[j] = i * j;
	b[i] = 0;
	for (int j = 0; j < 16; j++)
	  b[i] += w[j];
	if (t == 0 && i % 100 == 0)
	  fprintf (stderr, "%d\n", i);
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      {
	w[i & 15] = i;
	b[i] = w[0];
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      b[i] = t == 0 ? a[i] : 0;
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
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      if (a[i] > mine->largest)
	mine->largest = a[i];
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      {
	mine->n = 0;
	for (int j = 0; j < 16; j++)
	  mine->v[mine->n++] = key[i] + j;
	out[i] = mine->v[3] + mine->n;
      }
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
#pragma omp critical
      mine->v[mine->n++] = i;
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	shown = &founds[i];
	shown->v[shown->n++] = i;
      }
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      {
	omp_set_lock (&lock);
	mine->v[mine->n++] = i;
	omp_unset_lock (&lock);
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

struct seen { int first, last, count, most, kept, room, ready; int *place; };

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

static void
note_others (struct seen *s, int x)
{
  if (!s->ready)
    s->ready = 1;
  if (x > s->most)
    s->most = x;
  if (x != s->kept)
    s->kept = x;
  if (s->count == s->room)
    {
      s->room = s->room ? 2 * s->room : 16;
      s->place = realloc (s->place, s->room * sizeof *s->place);
    }
  s->place[s->count++] = x;
}

void
seen_by_functions (void)
{
  int total = 0;
#pragma omp parallel reduction(+ : total)
  {
    struct seen s = { -1, 0, 0, 0, 0, 0, 0, NULL };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      note_first (&s, i);
    total += s.first;
  }
#pragma omp parallel reduction(+ : total)
  {
    struct seen s = { -1, 0, 0, 0, 0, 0, 0, NULL };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      note_first_by_count (&s, i);
    total += s.first;
  }
#pragma omp parallel reduction(+ : total)
  {
    struct seen s = { -1, 0, 0, 0, 0, 0, 0, NULL };
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      note_changes (&s, key[i]);
    total += s.count;
  }
#pragma omp parallel reduction(+ : total)
  {
    struct seen s = { -1, 0, 0, 0, 0, 0, 0, NULL };
#pragma omp for /* amp: converted or static */
    for (int i = 0; i < n; i++)
      note_others (&s, key[i]);
    total += s.count;
  }
  out[0] = total;
}

/* How far a thread's iterations reach is noted by its number; or something
   that any division gives.  */

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

void
least (void)
{
#pragma omp parallel
  {
    int low = n;
#pragma omp for /* amp: converted or static at -O0 */
    for (int i = 0; i < n; i++)
      if (key[i] < low)
	low = key[i];
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
#pragma omp for /* amp: converted or static */
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

/* What iterations of one loop leave in private arrays for those of another.  */

void
left_by_iterations (void)
{
#pragma omp parallel
  {
    double rate[N], all[N];
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      rate[i] = key[i];
#pragma omp for nowait /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	for (int j = 0; j < 16; j++)
	  all[j] = i * j;
	out[i] = all[i & 15];
      }
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      a[i] = rate[i] + 1;
#pragma omp for /* amp: converted */
    for (int i = 0; i < n; i++)
      {
	all[i] = key[i];
	b[i] = all[i] * 2;
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

/* Loops whose iterations wait for others, and such as only seem to.
   SPDX-License-Identifier: GPL-3.0-or-later

   Of those that wait nothing is run: under another division they need not
   end.  */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <semaphore.h>
#include "rules.h"

static volatile int flag[SLOTS + 1];
static atomic_int ready[SLOTS + 1];
static int polled[SLOTS + 1];
static omp_lock_t lock, locks[SLOTS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int
is_ready (int i)
{
  return atomic_load (&ready[i]);
}

static void
wait_for (int i)
{
  while (!flag[i])
    ;
}

static int
two_ways (int i)
{
  int turns = 0;
  switch (i & 1)
    {
      while (!is_ready (i + 1))
	{
    case 0:
	  turns++;
    case 1:
	  atomic_store (&ready[i], 1);
	}
    }
  return turns;
}

static int weak_lock (pthread_mutex_t *)
  __attribute__ ((weakref ("pthread_mutex_lock")));

/* Not called.  */
void waiting (int);

void
waiting (int n)
{
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    for (int go = 0; !go; )
      {
	weak_lock (&mutex);
	go = !i || polled[i - 1];
	polled[i] = go;
	pthread_mutex_unlock (&mutex);
      }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      while (i && !flag[i - 1])
	;
      flag[i] = 1;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      if (i)
	wait_for (i - 1);
      flag[i] = 1;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      while (i && !is_ready (i - 1))
	sched_yield ();
      atomic_store (&ready[i], 1);
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      int go = 0;
      while (i && !go)
	{
#pragma omp atomic read
	  go = polled[i - 1];
	}
#pragma omp atomic write
      polled[i] = 1;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 1; i < n; i++)
    {
      omp_set_lock (&locks[i]);
      out0[i] += out0[i - 1];
      omp_unset_lock (&locks[i - 1]);
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      int own;
      do
	own = i;
      while (!atomic_compare_exchange_strong (&ready[0], &own, i - 1));
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    while (!__sync_bool_compare_and_swap (&polled[0], i, i - 1))
      ;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      /* Entered at two places.  */
      if (i & 1)
	goto look;
    again:
      out0[i]++;
    look:
      if (!flag[n - i])
	goto again;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    if (two_ways (i))
      out0[i] = 1;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      long k;
      flag[i] = 1;
      for (k = 0; k < 1000000000; k++)
	if (flag[n - i])
	  break;
      out0[i] = k;
    }
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    if (i)
      {
	omp_set_lock (&lock);
	out0[i] = total;
	omp_unset_lock (&lock);
      }
    else
      {
	total = n;
	omp_unset_lock (&lock);
      }
#pragma omp parallel
  {
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      atomic_store (&ready[i], 1);
    if (omp_get_thread_num () == 0)
      while (!is_ready (n - 1))
	;
  }
}

CASE (volatile_read_once)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = flag[SLOTS] + i;
}

CASE (atomic_add)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
#pragma omp atomic
      tail[in[i & 63] & 7] += i;
    }
}

CASE (critical)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
#pragma omp critical
      total += i;
    }
}

CASE (lock_of_an_iteration)
{
  omp_init_lock (&lock);
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
      omp_set_lock (&lock);
      total += i;
      omp_unset_lock (&lock);
      pthread_mutex_lock (&mutex);
      tail[3] ^= in[i & 63];
      pthread_mutex_unlock (&mutex);
    }
  omp_destroy_lock (&lock);
}

/* Repeats only where another thread got on.  */
CASE (compare_and_swap)
{
  static atomic_ullong most;
  atomic_store (&most, 0);
#pragma omp parallel for /* amp: any or static at -O0 */
  for (int i = 0; i < n; i++)
    {
      unsigned long long old = atomic_load (&most);
      while (old < in[i & 63]
	     && !atomic_compare_exchange_weak (&most, &old, in[i & 63]))
	;
    }
  total = atomic_load (&most);
}

/* Looks at another place in each turn.  */
CASE (searches_to_a_limit)
{
  for (int i = 0; i <= SLOTS; i++)
    atomic_store (&ready[i], in[i & 63] & 1);
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
      int k;
      for (k = 0; k < SLOTS; k++)
	if (atomic_load (&ready[k]))
	  break;
      out0[i] = i + k;
    }
}

CASE (looks_and_works)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
      u64 sum = i;
      for (int k = 0; k < 64; k++)
	{
	  if (flag[SLOTS])
	    break;
	  sum = sum * 5 + in[k];
	}
      out0[i] = sum;
    }
}

CASE (looks_and_stores)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 64; k++)
      {
	if (flag[SLOTS])
	  break;
	out0[i] = i + k;
      }
}

CASE (lock_taken_either_way)
{
  omp_init_lock (&lock);
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
      if (i & 1)
	omp_set_lock (&lock);
      else
	{
	  out0[i] = i;
	  omp_set_lock (&lock);
	}
      total += i;
      omp_unset_lock (&lock);
    }
  omp_destroy_lock (&lock);
}

CASE (private_volatile)
{
#pragma omp parallel for /* amp: any or static at -O0 */
  for (int i = 0; i < n; i++)
    {
      volatile int left = i & 7;
      while (left > 0)
	left--;
      out0[i] = left + i;
    }
}

CASE (converges)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    {
      double x = i + 1, y = 0;
      while (x - y > 1e-6 || y - x > 1e-6)
	{
	  y = x;
	  x = (x + (i + 1) / x) / 2;
	}
      out0[i] = (u64) (x * 1000 + 0.5);
    }
}

static sem_t turn;

/* Not called.  */
void turns_behind_a_barrier (int);

void
turns_behind_a_barrier (int n)
{
#pragma omp parallel
  {
#pragma omp barrier
    sem_wait (&turn);
#pragma omp for nowait /* amp: static */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
    sem_post (&turn);
  }
}

CASE (turns_before_a_barrier)
{
  sem_init (&turn, 0, 1);
#pragma omp parallel
  {
    sem_wait (&turn);
    sem_post (&turn);
#pragma omp barrier
#pragma omp for nowait /* amp: any */
    for (int i = 0; i < n; i++)
      out0[i] = in[i & 63];
  }
}

/* What is called may change the limit, but a counter comes to any.  */
CASE (counted_to_a_limit_read_anew)
{
  int last = 6;
  int *limit = n > 0 ? &last : NULL;
  u64 (*look) (const u64 *) = n > 0 ? get_far : NULL;
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    {
      u64 sum = 0;
      for (int k = 0; k < *limit; k++)
	if ((sum += look (in + ((i + k) & 63))) % 16 == 3)
	  break;
      out0[i] = sum;
    }
}

/* Waits by calling itself.  */
static int whose;

static void __attribute__ ((noinline))
await (int i)
{
  int now;
#pragma omp atomic read
  now = whose;
  if (now < i)
    await (i);
}

CASE (waits_by_recursion)
{
  whose = n;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      await (i);
      out0[i] = in[i & 63];
    }
}

/* Counts in each call, and waits for nobody.  */
static u64 met;

static u64 __attribute__ ((noinline))
divide (u64 a)
{
#pragma omp atomic
  met++;
  return a < 2 ? a : divide (a / 2) + divide (a / 3);
}

CASE (counts_by_recursion)
{
  met = 0;
#pragma omp parallel for /* amp: converted */
  for (int i = 0; i < n; i++)
    out0[i] = divide (i);
  total = met;
}

static volatile unsigned most = -1u;
static volatile int reached;

/* The counter never gets beyond the limit.  */
CASE (counter_that_wraps)
{
  unsigned end = most;
  reached = n;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      for (unsigned k = 0; k <= end; k++)
	if (reached >= i)
	  break;
      out0[i] = in[i & 63];
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Threads that wait for each other by hand: in loops of one iteration a
   thread, from loop to loop, and from iteration to iteration.  With another
   division, or with a barrier where the program has none, they wait for
   ever.  */
/* { amp-do rely } */
/* { amp-also rely-part.c } */

#define N 60
#include "rely.h"

#define ROWS 6

static int arrived;

static int
load (int *p)
{
  int v;
#pragma omp atomic read seq_cst
  v = *p;
  return v;
}

static void
store (int *p, int v)
{
#pragma omp atomic write seq_cst
  *p = v;
}

/* Until COUNT threads have been here.  */

static void __attribute__ ((noinline))
meet (int count)
{
#pragma omp atomic seq_cst
  arrived++;
  while (load (&arrived) < count)
    rely_yield ();
}

/* Of N iterations, each has its successor's value.  */

static long
wrong_neighbours (int round, int n)
{
  long wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += b[i] != round + (i + 1) % n;
  return wrong;
}

PATTERN (hand_made_barrier)
{
  int present = 0;
  TEAM
  {
#pragma omp for
    for (int i = 0; i < threads; i++)
      {
	a[i] = round + i;
#pragma omp atomic seq_cst
	present++;
	for (;;)
	  {
	    int seen;
#pragma omp atomic read seq_cst
	    seen = present;
	    if (seen == threads)
	      break;
	    rely_yield ();
	  }
	b[i] = a[(i + 1) % threads];
      }
  }
  return wrong_neighbours (round, threads);
}

PATTERN (barrier_in_a_callee)
{
  arrived = 0;
#pragma omp parallel for num_threads (threads)
  for (int i = 0; i < threads; i++)
    {
      a[i] = round + i;
      meet (threads);
      b[i] = a[(i + 1) % threads];
      meet (2 * threads);
      a[i] = 0;
    }
  return wrong_neighbours (round, threads);
}

/* What compilers do not see.  */
static void (*volatile hidden_meet) (int) = meet;

PATTERN (barrier_unseen)
{
  arrived = 0;
  TEAM
  {
#pragma omp for nowait
    for (unsigned long long i = 0; i < (unsigned long long) threads; i++)
      {
	a[i] = round + i;
	hidden_meet (threads);
	b[i] = a[(i + 1) % threads];
      }
  }
  return wrong_neighbours (round, threads);
}

PATTERN (fewer_than_threads)
{
  int n = threads - 1;
  arrived = 0;
  TEAM
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      {
	a[i] = round + i;
	hidden_meet (n);
	b[i] = a[(i + 1) % n];
      }
  }
  return wrong_neighbours (round, n);
}

/* A wave over a grid: of each row a thread has the columns that static gives
   it, and needs the one before them, which the thread before has written.  */

static int grid[ROWS + 1][N + 1];
static int done[5][16];
static volatile int flag[5][16];

static void
begin_wave (int round)
{
  for (int k = 0; k <= ROWS; k++)
    for (int i = 0; i <= N; i++)
      grid[k][i] = k == 0 || i == 0 ? round % 7 + k + i : -1;
  for (int t = 0; t < 5; t++)
    done[t][0] = flag[t][0] = 0;
}

static long
check_wave (int round)
{
  static int right[ROWS + 1][N + 1];
  long wrong = 0;
  for (int k = 0; k <= ROWS; k++)
    for (int i = 0; i <= N; i++)
      {
	right[k][i] = (k == 0 || i == 0 ? round % 7 + k + i
		       : (3 * right[k - 1][i] + right[k][i - 1]) % 10007);
	wrong += grid[k][i] != right[k][i];
      }
  return wrong;
}

/* A row, and all of them: what comes BEFORE a row and AFTER it.  */
#define ROW(CLAUSES)							\
  OMP (omp for CLAUSES) for (int i = 1; i <= N; i++)			\
    grid[k][i] = (3 * grid[k - 1][i] + grid[k][i - 1]) % 10007;
#define WAVE(BEFORE, ROW, AFTER)					\
  {									\
    begin_wave (round);							\
    TEAM								\
    {									\
      int me = omp_get_thread_num ();					\
      for (int k = 1; k <= ROWS; k++)					\
	{								\
	  BEFORE;							\
	  ROW;								\
	  AFTER;							\
	}								\
    }									\
    return check_wave (round);						\
  }
#define AWAIT while (me > 0 && load (&done[me - 1][0]) < k) rely_yield ()

PATTERN (wave_static)
WAVE (AWAIT, ROW (schedule (static) nowait), store (&done[me][0], k))

PATTERN (wave_atomic)
WAVE (AWAIT, ROW (nowait), store (&done[me][0], k))

#define FLUSH OMP (omp flush)
#define AWAIT_FLAG							\
  if (me > 0)								\
    {									\
      while (flag[me - 1][0] < k)					\
	{								\
	  rely_yield ();						\
	  FLUSH								\
	}								\
      FLUSH								\
    }
#define TELL_FLAG FLUSH flag[me][0] = k; FLUSH

PATTERN (wave_flush)
WAVE (AWAIT_FLAG, ROW (nowait), TELL_FLAG)

/* The waiting and the telling in functions, as NPB's LU has them.  */

static void __attribute__ ((noinline))
wait_for (int who, int k)
{
  while (who >= 0 && __atomic_load_n (&done[who][0], __ATOMIC_ACQUIRE) < k)
    rely_yield ();
}

static void __attribute__ ((noinline))
tell (int who, int k)
{
  __atomic_store_n (&done[who][0], k, __ATOMIC_RELEASE);
}

static void __attribute__ ((noinline))
row (int k)
{
  ROW (nowait)
}

PATTERN (wave_callees)
WAVE (wait_for (me - 1, k), ROW (nowait), tell (me, k))

PATTERN (wave_orphaned)
WAVE (wait_for (me - 1, k), row (k), tell (me, k))

/* From iteration to iteration, in their order.  */

static long
wrong_turns (int round)
{
  long wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += a[i] != round + i * (i + 1) / 2;
  return wrong;
}

PATTERN (turns)
{
  int turn = 0;
  TEAM
  {
#pragma omp for
    for (int i = 0; i < N; i++)
      {
	for (;;)
	  {
	    int now;
#pragma omp atomic read seq_cst
	    now = turn;
	    if (now == i)
	      break;
	    rely_yield ();
	  }
	a[i] = i > 0 ? a[i - 1] + i : round;
#pragma omp atomic write seq_cst
	turn = i + 1;
      }
  }
  return wrong_turns (round);
}

static volatile int volatile_turn;

PATTERN (volatile_turns)
{
  volatile_turn = 0;
#pragma omp parallel for num_threads (threads)
  for (int i = 0; i < N; i++)
    {
      while (volatile_turn != i)
	rely_yield ();
      __sync_synchronize ();
      a[i] = i > 0 ? a[i - 1] + i : round;
      __sync_synchronize ();
      volatile_turn = i + 1;
    }
  return wrong_turns (round);
}

/* One thread after the other does its part of the loop, the lock in hand.  */

PATTERN (lock_around)
{
  omp_lock_t lock;
  int inside = 0;
  long wrong = 0;
  omp_init_lock (&lock);
#pragma omp parallel num_threads (threads) reduction (+: wrong)
  {
    omp_set_lock (&lock);
    wrong += inside++ != 0;
    EACH (nowait, a[i] = round + i)
    wrong += --inside != 0;
    omp_unset_lock (&lock);
  }
  omp_destroy_lock (&lock);
  for (int i = 0; i < N; i++)
    wrong += a[i] != round + i;
  return wrong;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GCC 8's entry points called by hand: every iteration once, and which
   schedule holds.  The arguments say which for plain runtime loops, for ordered
   ones, and for loops without a clause: static (thread t has the t-th block),
   dynamic1 (chunks of one iteration), or any.  Prints what is wrong; 0 if
   nothing is.  */

#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;
extern bool GOMP_loop_static_start (long, long, long, long, long *, long *);
extern bool GOMP_loop_static_next (long *, long *);
extern bool GOMP_loop_runtime_start (long, long, long, long *, long *);
extern bool GOMP_loop_runtime_next (long *, long *);
extern bool GOMP_loop_ull_runtime_start (bool, ull, ull, ull, ull *, ull *);
extern bool GOMP_loop_ull_runtime_next (ull *, ull *);
extern bool GOMP_loop_ordered_runtime_start (long, long, long, long *, long *);
extern bool GOMP_loop_ordered_runtime_next (long *, long *);
extern bool GOMP_loop_doacross_runtime_start (unsigned, long *, long *,
					      long *);
extern bool GOMP_loop_dynamic_start (long, long, long, long, long *, long *);
extern bool GOMP_loop_dynamic_next (long *, long *);
extern bool GOMP_loop_nonmonotonic_guided_start (long, long, long, long,
						 long *, long *);
extern bool GOMP_loop_nonmonotonic_guided_next (long *, long *);
extern void GOMP_loop_end (void);
extern void GOMP_parallel_loop_runtime (void (*) (void *), void *, unsigned,
					long, long, long, unsigned);
extern void GOMP_loop_end_nowait (void);
extern void GOMP_ordered_start (void);
extern void GOMP_ordered_end (void);

#define N 1000
#define THREADS 4

static unsigned char seen[N];
static int owner[N];
static long largest, ordered_next;
static const char *expected;
static int wrong;

static void
visit (long i, long chunk)
{
  __atomic_fetch_add (&seen[i], 1, __ATOMIC_RELAXED);
  owner[i] = omp_get_thread_num ();
#pragma omp critical
  if (chunk > largest)
    largest = chunk;
}

static void
check (const char *what, bool by_schedule)
{
  long i, block = N / THREADS;

  for (i = 0; i < N; i++)
    if (seen[i] != 1)
      {
	printf ("%s: iteration %ld runs %d times\n", what, i, seen[i]);
	wrong = 1;
	break;
      }
  if (by_schedule && strcmp (expected, "static") == 0)
    for (i = 0; i < N; i++)
      if (owner[i] != i / block)
	{
	  printf ("%s: iteration %ld is not static's\n", what, i);
	  wrong = 1;
	  break;
	}
  if (by_schedule && strcmp (expected, "dynamic1") == 0 && largest != 1)
    {
      printf ("%s: a chunk of %ld, not dynamic,1\n", what, largest);
      wrong = 1;
    }
  memset (seen, 0, sizeof seen);
  largest = 0;
}

static void
body (void *data)
{
  long s, e, i;

  (void) data;
  while (GOMP_loop_runtime_next (&s, &e))
    for (i = s; i < e; i++)
      visit (i, e - s);
  GOMP_loop_end_nowait ();
}

typedef bool next_fn (long *, long *);

static bool
start_runtime (long *s, long *e)
{
  return GOMP_loop_runtime_start (0, N, 1, s, e);
}

/* As amp-gcc begins what has no clause, and says nowait.  */

static bool
start_told (long *s, long *e)
{
  *s = 0x414d5000 | 32;
  return GOMP_loop_static_start (0, N, 1, 0, s, e);
}

static bool
start_doacross (long *s, long *e)
{
  long counts[1] = { N };

  return GOMP_loop_doacross_runtime_start (1, counts, s, e);
}

static bool
start_dynamic (long *s, long *e)
{
  return GOMP_loop_dynamic_start (0, N, 1, 3, s, e);
}

static bool
start_guided (long *s, long *e)
{
  return GOMP_loop_nonmonotonic_guided_start (0, N, 1, 1, s, e);
}

/* Run a loop over 0 .. N-1 and check it.  */

static void
run (const char *what, next_fn *start, next_fn *next, bool by_schedule)
{
#pragma omp parallel num_threads (THREADS)
  {
    long s, e, i;
    if (start (&s, &e))
      do
	for (i = s; i < e; i++)
	  visit (i, e - s);
      while (next (&s, &e));
    if (start == start_told)
      GOMP_loop_end_nowait ();
    else
      GOMP_loop_end ();
  }
  check (what, by_schedule);
}

int
main (int argc, char **argv)
{
  const char *order;

  if (argc != 4)
    return 2;
  expected = argv[1];
  order = argv[2];
  omp_set_dynamic (0);
  for (int round = 0; round < 20; round++)
    {
      expected = argv[3];
      run ("told", start_told, GOMP_loop_static_next, true);
      expected = argv[1];
      run ("runtime", start_runtime, GOMP_loop_runtime_next, true);

#pragma omp parallel num_threads (THREADS)
      {
	long s, e, i;
	/* Down from the top of the type, by 3.  */
	if (GOMP_loop_runtime_start (LONG_MIN + 3 * N + 2, LONG_MIN + 4, -3,
				     &s, &e))
	  do
	    for (i = s; i > e; i -= 3)
	      visit ((LONG_MIN + 3 * N + 2 - i) / 3, 1);
	  while (GOMP_loop_runtime_next (&s, &e));
	GOMP_loop_end ();
      }
      check ("down", false);

#pragma omp parallel num_threads (THREADS)
      {
	ull s, e, i;
	if (GOMP_loop_ull_runtime_start (true, ULLONG_MAX - N, ULLONG_MAX, 1,
					 &s, &e))
	  do
	    for (i = s; i < e; i++)
	      visit (i - (ULLONG_MAX - N), e - s);
	  while (GOMP_loop_ull_runtime_next (&s, &e));
	GOMP_loop_end ();
      }
      check ("ull", true);

      GOMP_parallel_loop_runtime (body, NULL, THREADS, 0, N, 1, 0);
      check ("parallel", true);

      ordered_next = 0;
#pragma omp parallel num_threads (THREADS)
      {
	long s, e, i;
	if (GOMP_loop_ordered_runtime_start (0, N, 1, &s, &e))
	  do
	    for (i = s; i < e; i++)
	      {
		visit (i, e - s);
		GOMP_ordered_start ();
		if (ordered_next != i)
		  wrong = 1;
		ordered_next = i + 1;
		GOMP_ordered_end ();
	      }
	  while (GOMP_loop_ordered_runtime_next (&s, &e));
	GOMP_loop_end ();
      }
      if (ordered_next != N)
	{
	  printf ("ordered: ends at %ld\n", ordered_next);
	  wrong = 1;
	}
      if (strcmp (order, "dynamic1") == 0 && largest != 1)
	{
	  printf ("ordered: a chunk of %ld, not dynamic,1\n", largest);
	  wrong = 1;
	}
      check ("ordered", false);

      run ("doacross", start_doacross, GOMP_loop_runtime_next, false);
      run ("dynamic", start_dynamic, GOMP_loop_dynamic_next, false);
      run ("guided", start_guided, GOMP_loop_nonmonotonic_guided_next, false);
    }
  if (wrong)
    puts ("wrong");
  return wrong;
}

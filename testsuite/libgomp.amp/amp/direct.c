/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* libgomp's entry points called by hand, also those that GCC 12 never calls,
   and what each chunk must be like under the schedule that is set.  */
/* { amp-do rows types } */

#include "amp-test.h"

typedef unsigned long long ull;
typedef _Bool bool_;

#define STARTS(NAME)							\
  extern bool_ GOMP_loop_##NAME##_start (long, long, long, long *, long *); \
  extern bool_ GOMP_loop_##NAME##_next (long *, long *);		\
  extern bool_ GOMP_loop_ull_##NAME##_start (bool_, ull, ull, ull, ull *, \
					     ull *);			\
  extern bool_ GOMP_loop_ull_##NAME##_next (ull *, ull *);

STARTS (runtime)
STARTS (nonmonotonic_runtime)
STARTS (maybe_nonmonotonic_runtime)
extern bool_ GOMP_loop_start (long, long, long, long, long, long *, long *,
			      uintptr_t *, void **);
extern bool_ GOMP_loop_ull_start (bool_, ull, ull, ull, long, ull, ull *,
				  ull *, uintptr_t *, void **);
extern void GOMP_parallel_loop_runtime_start (void (*) (void *), void *,
					      unsigned, long, long, long);
extern void GOMP_parallel_end (void);

/* SCHED of GOMP_loop_start: 0 runtime, 4 nonmonotonic:runtime, 1 static, and
   monotonic by the sign bit.  */
enum { SCHED_RUNTIME = 0, SCHED_STATIC = 1, SCHED_NONMONOTONIC = 4 };
#define SCHED_MONOTONIC ((long) 0x80000000UL)

/* Static loops of which the compiler says that they have no clause, and what
   else: see enum gomp_amp_told in gomp-amp.h.  */
#define TOLD(FLAGS) (AMP_TOLD + FLAGS)
#define TOLD_START(NAME, FLAGS)						\
  static bool_								\
  NAME (long a, long b, long step, long *s, long *e)			\
  {									\
    *s = TOLD (FLAGS);							\
    return GOMP_loop_static_start (a, b, step, 0, s, e);		\
  }									\
  static bool_								\
  NAME##_ull (bool_ up, ull a, ull b, ull step, ull *s, ull *e)		\
  {									\
    *s = TOLD (FLAGS);							\
    return GOMP_loop_ull_static_start (up, a, b, step, 0, s, e);	\
  }

TOLD_START (no_clause, 0)
TOLD_START (any_order, 1)
TOLD_START (steady, 2)
TOLD_START (sums, 4)

static const struct
{
  const char *name;
  bool_ (*start) (long, long, long, long *, long *);
  bool_ (*next) (long *, long *);
  bool_ (*ull_start) (bool_, ull, ull, ull, ull *, ull *);
  bool_ (*ull_next) (ull *, ull *);
  long sched;
} ways[] = {
  { "runtime", GOMP_loop_runtime_start, GOMP_loop_runtime_next,
    GOMP_loop_ull_runtime_start, GOMP_loop_ull_runtime_next,
    SCHED_MONOTONIC | SCHED_RUNTIME },
  { "nonmonotonic", GOMP_loop_nonmonotonic_runtime_start,
    GOMP_loop_nonmonotonic_runtime_next,
    GOMP_loop_ull_nonmonotonic_runtime_start,
    GOMP_loop_ull_nonmonotonic_runtime_next, SCHED_NONMONOTONIC },
  { "maybe_nonmonotonic", GOMP_loop_maybe_nonmonotonic_runtime_start,
    GOMP_loop_maybe_nonmonotonic_runtime_next,
    GOMP_loop_ull_maybe_nonmonotonic_runtime_start,
    GOMP_loop_ull_maybe_nonmonotonic_runtime_next, SCHED_RUNTIME },
#define TOLD_WAY(NAME)							\
  { #NAME, NAME, GOMP_loop_static_next, NAME##_ull,			\
    GOMP_loop_ull_static_next, SCHED_STATIC }
  TOLD_WAY (no_clause), TOLD_WAY (any_order), TOLD_WAY (steady),
  TOLD_WAY (sums)
};

#define LANES 3
#define STEP 7

/* Iterations in the largest chunk.  */
static long largest;

static void
note_size (long size)
{
#pragma omp critical
  if (size > largest)
    largest = size;
}

/* One of our schedules is set: its chunks do not pass the end of the loop,
   beyond which may be nothing that a long can hold.  Libgomp's static does.  */
static int strict;

/* From A to B, the chunk from S to E.  */

static void
visit_chunk (long a, long b, long s, long e, long step)
{
  CHECK (step > 0 ? s < e : s > e);
  CHECK (!strict || (step > 0 ? e <= b : e >= b));
  note_size ((e - s) / step + ((e - s) % step != 0));
  for (long i = s; step > 0 ? i < e : i > e; i += step)
    amp_visit ((i - a) / step);
}

/* N iterations from A, up or down, through WAY; BY_START: by the entry points
   that take the schedule as an argument.  A false start and a `next' after the
   last chunk are asked for again: they must stay false.  */

static void
long_loop (unsigned w, long a, long n, long step, int by_start)
{
  /* The end lies within the last step.  */
  long b = a + n * step - (n > 0 ? (step > 0 ? step - 1 : step + 1) : 0);

  amp_cover_begin ();
  largest = 0;
#pragma omp parallel num_threads (LANES)
  {
    long s = 0, e = 0;
    bool_ more;
    if (by_start == 2)
      {
	GOMP_loop_start (a, b, step, ways[w].sched, 0, NULL, NULL, NULL, NULL);
	more = ways[w].next (&s, &e);
      }
    else if (by_start == 1 && (s = TOLD (0)) != 0)
      more = GOMP_loop_start (a, b, step, ways[w].sched, 0, &s, &e, NULL,
			      NULL);
    else
      more = ways[w].start (a, b, step, &s, &e);
    for (; more; more = ways[w].next (&s, &e))
      visit_chunk (a, b, s, e, step);
    CHECK (!ways[w].next (&s, &e));
    CHECK (!ways[w].next (&s, &e));
    if (by_start)
      GOMP_loop_end_nowait ();
    else
      GOMP_loop_end ();
  }
  CHECK_IN (amp_covered (n), ways[w].name);
  /* No schedule gives one thread everything.  */
  if (n >= 50)
    CHECK_IN (largest < (long) n, ways[w].name);
}

static void
ull_loop (unsigned w, ull a, ull n, bool_ up, int by_start)
{
  ull step = up ? STEP : -(ull) STEP;
  ull b = a + n * step - (n > 0 ? (up ? STEP - 1 : -(ull) (STEP - 1)) : 0);

  amp_cover_begin ();
  largest = 0;
#pragma omp parallel num_threads (LANES)
  {
    ull s = 0, e = 0, i;
    bool_ more;
    /* Unlike GOMP_loop_start this one insists on a first chunk.  */
    if (by_start && (s = TOLD (0)) != 0)
      more = GOMP_loop_ull_start (up, a, b, step, ways[w].sched, 0, &s, &e,
				  NULL, NULL);
    else
      more = ways[w].ull_start (up, a, b, step, &s, &e);
    for (; more; more = ways[w].ull_next (&s, &e))
      {
	CHECK (up ? s < e : s > e);
	CHECK (!strict || (up ? e <= b : e >= b));
	note_size (((up ? e - s : s - e) + STEP - 1) / STEP);
	for (i = s; up ? i < e : i > e; i += step)
	  amp_visit ((up ? i - a : a - i) / STEP);
      }
    CHECK (!ways[w].ull_next (&s, &e));
    GOMP_loop_end ();
  }
  CHECK_IN (amp_covered (n), ways[w].name);
  /* No schedule gives one thread everything.  */
  if (n >= 50)
    CHECK_IN (largest < (long) n, ways[w].name);
}

struct combined { long a, b, step; };

static void
combined_body (void *data)
{
  struct combined *c = data;
  long s, e;

  while (GOMP_loop_runtime_next (&s, &e))
    visit_chunk (c->a, c->b, s, e, c->step);
  GOMP_loop_end_nowait ();
}

int
main (void)
{
  static const long sizes[] = { 0, 1, 2, LANES, 50, 1000 };
  int by, chunk;
  omp_sched_t kind;

  omp_get_schedule (&kind, &chunk);
  strict = ((int) kind & INT_MAX) >= omp_sched_aid_static;
  for (unsigned w = 0; w < sizeof ways / sizeof ways[0]; w++)
    for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
      for (by = 0; by < 3; by++)
	{
	  long n = sizes[k];
	  /* Nothing is said where no chunk is asked for.  */
	  if (by == 2 && ways[w].sched == SCHED_STATIC)
	    continue;
	  long_loop (w, -100, n, STEP, by);
	  long_loop (w, 100, n, -STEP, by);
	  long_loop (w, LONG_MIN, n, STEP, by);
	  long_loop (w, LONG_MAX, n, -STEP, by);
	  ull_loop (w, 0, n, 1, by);
	  ull_loop (w, STEP * (ull) n, n, 0, by);
	  ull_loop (w, ULLONG_MAX - STEP * (ull) n, n, 1, by);
	  ull_loop (w, ULLONG_MAX, n, 0, by);
	}
  for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    {
      struct combined c = { -5, -5 + sizes[k] * STEP, STEP };
      amp_cover_begin ();
      GOMP_parallel_loop_runtime_start (combined_body, &c, LANES, c.a, c.b,
					c.step);
      combined_body (&c);
      GOMP_parallel_end ();
      CHECK (amp_covered (sizes[k]));
    }
  return AMP_RESULT;
}

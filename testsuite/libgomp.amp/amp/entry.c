/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Orphaned loops of every width and direction, without a clause and with each
   kind of schedule(runtime), in teams of several sizes; bounds at the ends
   of the types, steps that do not divide, and no iterations.  */
/* { amp-calls GOMP_loop_static_start GOMP_loop_static_next } */
/* { amp-calls GOMP_loop_maybe_nonmonotonic_runtime_start GOMP_loop_maybe_nonmonotonic_runtime_next } */
/* { amp-calls GOMP_loop_runtime_start GOMP_loop_runtime_next } */
/* { amp-calls GOMP_loop_ull_static_start GOMP_loop_ull_static_next } */
/* { amp-calls GOMP_loop_ull_maybe_nonmonotonic_runtime_start GOMP_loop_ull_maybe_nonmonotonic_runtime_next } */
/* { amp-calls GOMP_loop_ull_runtime_start GOMP_loop_ull_runtime_next } */
/* { amp-do rows types } */

#include "amp-test.h"

/* Loops over TYPE, whose unsigned counterpart is UTYPE.  A loop that ends at B
   from A in steps of S > 0 visits (B - A) / S rounded up; the ordinals are
   computed without sign, since B - A may not fit into TYPE.  */

#define ONE_LOOP(NAME, TYPE, UTYPE, PRAGMA, REL, OP, ORDINAL)		\
static void								\
NAME (TYPE a, TYPE b, TYPE s)						\
{									\
  TYPE i;								\
  _Pragma (PRAGMA)							\
  for (i = a; i REL b; i OP s)						\
    amp_visit ((UTYPE) (ORDINAL) / (UTYPE) s				\
	       + ((UTYPE) (ORDINAL) % (UTYPE) s != 0 ? AMP_COVER_MAX : 0)); \
}

#define LOOPS(TAG, TYPE, UTYPE, PRAGMA)					\
  ONE_LOOP (TAG##_lt, TYPE, UTYPE, PRAGMA, <, +=, (UTYPE) i - (UTYPE) a) \
  ONE_LOOP (TAG##_le, TYPE, UTYPE, PRAGMA, <=, +=, (UTYPE) i - (UTYPE) a) \
  ONE_LOOP (TAG##_gt, TYPE, UTYPE, PRAGMA, >, -=, (UTYPE) a - (UTYPE) i) \
  ONE_LOOP (TAG##_ge, TYPE, UTYPE, PRAGMA, >=, -=, (UTYPE) a - (UTYPE) i)

#define KINDS(TAG, TYPE, UTYPE)						\
  LOOPS (TAG##_none, TYPE, UTYPE, "omp for")				\
  LOOPS (TAG##_maybe, TYPE, UTYPE, "omp for schedule (runtime)")	\
  LOOPS (TAG##_non, TYPE, UTYPE, "omp for schedule (nonmonotonic:runtime)") \
  LOOPS (TAG##_mono, TYPE, UTYPE, "omp for schedule (monotonic:runtime)") \
  typedef void (*TAG##_fn) (TYPE, TYPE, TYPE);				\
  static const TAG##_fn TAG##_up[] = { TAG##_none_lt, TAG##_maybe_lt,	\
    TAG##_non_lt, TAG##_mono_lt };					\
  static const TAG##_fn TAG##_up_le[] = { TAG##_none_le, TAG##_maybe_le, \
    TAG##_non_le, TAG##_mono_le };					\
  static const TAG##_fn TAG##_down[] = { TAG##_none_gt, TAG##_maybe_gt,	\
    TAG##_non_gt, TAG##_mono_gt };					\
  static const TAG##_fn TAG##_down_ge[] = { TAG##_none_ge, TAG##_maybe_ge, \
    TAG##_non_ge, TAG##_mono_ge };					\
  static void								\
  TAG##_run (const char *which, const TAG##_fn *fns, TYPE a, TYPE b,	\
	     TYPE s, unsigned n)					\
  {									\
    static const char kinds[][8] = { "none", "maybe", "non", "mono" };	\
    char where[100];							\
    unsigned k, t;							\
    for (k = 0; k < 4; k++)						\
      for (t = 0; t < sizeof teams / sizeof teams[0]; t++)		\
	{								\
	  snprintf (where, sizeof where, "%s %s %s from %lld, %u threads", \
		    #TAG, kinds[k], which, (long long) a, teams[t]);	\
	  amp_cover_begin ();						\
	  _Pragma ("omp parallel num_threads (teams[t])")		\
	  fns[k] (a, b, s);						\
	  CHECK_IN (amp_covered (n), where);				\
	}								\
  }

static const unsigned teams[] = { 1, 2, 5 };

KINDS (schar, signed char, unsigned char)
KINDS (uchar, unsigned char, unsigned char)
KINDS (shrt, short, unsigned short)
KINDS (sint, int, unsigned)
KINDS (slong, long, unsigned long)
KINDS (sllong, long long, unsigned long long)
KINDS (ulong, unsigned long, unsigned long)
KINDS (ullong, unsigned long long, unsigned long long)

/* A 64th of long's range.  */
#define LONG_STEP (1L << (CHAR_BIT * sizeof (long) - 6))

#define RUN(TAG, DIR, A, B, S, N) TAG##_run (#DIR, TAG##_##DIR, A, B, S, N)

/* True unless libgomp's own schedules serve the loops, whose static cannot
   count iterations when the span and a step do not fit into a long.  */

static int
aid_p (void)
{
  omp_sched_t kind;
  int chunk;

  omp_get_schedule (&kind, &chunk);
  return (int) kind >= omp_sched_aid_static;
}

/* Stays clear of what stock GCC compiles wrongly whatever the run-time
   library: unsigned iterators narrower than long that count down.  */

int
main (void)
{
  RUN (schar, up, -128, 127, 1, 255);
  RUN (schar, up, -100, 100, 7, 29);
  RUN (schar, down, 127, -128, 1, 255);
  RUN (schar, down_ge, 100, -100, 7, 29);
  RUN (schar, up, 5, 5, 1, 0);
  RUN (uchar, up, 0, 255, 1, 255);
  RUN (uchar, up_le, 3, 240, 13, 19);
  RUN (shrt, up, -32768, 32700, 100, 655);
  RUN (shrt, down, 32767, -32700, 100, 655);
  RUN (sint, up, 0, 1000, 1, 1000);
  RUN (sint, up, INT_MAX - 1001, INT_MAX, 1, 1001);
  RUN (sint, up_le, -10, 999, 10, 101);
  RUN (sint, down, 1000, 0, 3, 334);
  RUN (sint, down, INT_MIN + 1001, INT_MIN, 1, 1001);
  RUN (sint, up, 10, 5, 1, 0);
  RUN (sint, down, 5, 10, 1, 0);

  RUN (slong, up, 0, 2, 1, 2);
  RUN (slong, up, 0, 1, 1, 1);
  RUN (slong, up, 0, 1000, 1, 1000);
  RUN (slong, up, -1003, 998, 7, 286);
  RUN (slong, up, 0, 0, 1, 0);
  RUN (slong, up, LONG_MAX, LONG_MIN, 1, 0);
  RUN (slong, up, LONG_MAX - 1000, LONG_MAX, 1, 1000);
  /* The last iteration plus the step is LONG_MAX, beyond the bound.  */
  RUN (slong, up, LONG_MAX - 7 * 143, LONG_MAX - 1, 7, 143);
  RUN (slong, up, LONG_MIN, LONG_MIN + 1000, 1, 1000);
  RUN (slong, down, LONG_MIN + 1000, LONG_MIN, 1, 1000);
  RUN (slong, down, LONG_MIN + 7 * 143, LONG_MIN + 1, 7, 143);
  RUN (slong, down, LONG_MAX, LONG_MAX - 1000, 3, 334);
  RUN (slong, down_ge, 1000, -1000, 1, 2001);
  RUN (slong, down, LONG_MIN, LONG_MAX, 1, 0);
  if (aid_p ())
    {
      RUN (slong, up, 0, LONG_MAX - 10, LONG_MAX / 3, 3);
      RUN (slong, up, LONG_MIN, LONG_MAX - LONG_STEP, LONG_STEP, 63);
      RUN (slong, down, LONG_MAX, LONG_MIN + LONG_STEP, LONG_STEP, 63);
    }
  RUN (sllong, up, 0, 1000, 3, 334);
  RUN (sllong, down, LLONG_MAX, LLONG_MAX - 1000, 1, 1000);

  RUN (ulong, up, ULONG_MAX - 1000, ULONG_MAX, 1, 1000);
  /* Where unsigned long is narrower than unsigned long long, GCC extends the
     negative step with zeros, and libgomp's own static fails.  */
  if (sizeof (long) == sizeof (long long))
    RUN (ulong, down, ULONG_MAX, ULONG_MAX - 1000, 3, 334);
  RUN (ullong, up, 0, 1000, 1, 1000);
  RUN (ullong, up, 5, 1000, 7, 143);
  RUN (ullong, up, 0, 0, 1, 0);
  RUN (ullong, up, 10, 5, 1, 0);
  RUN (ullong, up, ULLONG_MAX - 1000, ULLONG_MAX, 1, 1000);
  RUN (ullong, up, ULLONG_MAX - 7 * 143, ULLONG_MAX - 1, 7, 143);
  /* The span is close to 2^64.  */
  RUN (ullong, up, 0, ULLONG_MAX - (1ULL << 58), 1ULL << 58, 63);
  RUN (ullong, up, LLONG_MAX - 500ULL, LLONG_MAX + 500ULL, 1, 1000);
  RUN (ullong, down, 1000, 0, 1, 1000);
  RUN (ullong, down, ULLONG_MAX, ULLONG_MAX - 1000, 7, 143);
  RUN (ullong, down, ULLONG_MAX, 1ULL << 58, 1ULL << 58, 63);
  RUN (ullong, down_ge, 1000, 1, 1, 1000);
  return AMP_RESULT;
}

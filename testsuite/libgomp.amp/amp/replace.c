/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GOMP_AMP_REPLACE: where the thread begins that is not the first, in loops
   whose clause says dynamic or guided.  Of the 1000 iterations dynamic,C gives
   C to each; guided half to the first; steal half to each; reference,C as
   dynamic; aid_static with SF 3 three quarters to thread 0.  Ordered loops,
   schedule(static) and schedule(runtime) stay as they are, and so do monotonic
   loops if what is to replace them is not.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-calls GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_nonmonotonic_guided_start GOMP_loop_dynamic_start GOMP_loop_guided_start } */
/* { amp-calls GOMP_loop_ull_nonmonotonic_dynamic_start GOMP_loop_ull_nonmonotonic_guided_start GOMP_loop_ull_dynamic_start GOMP_loop_ull_guided_start } */
/* { amp-calls GOMP_parallel_loop_nonmonotonic_dynamic GOMP_parallel_loop_nonmonotonic_guided GOMP_parallel_loop_dynamic GOMP_parallel_loop_guided } */
/* { amp-calls GOMP_loop_ordered_dynamic_start GOMP_loop_doacross_dynamic_start } */
/* { amp-run {} {} {dynamic 1 1 1\ndynamic,7 7 7 7\nguided 500 500 500\nguided,9 500 500 500\nmonotonic:dynamic,7 7 7 7\nmonotonic:guided 500 500 500\nothers 1 1 7 1\n} } */
/* { amp-run {GOMP_AMP_REPLACE=} {} {dynamic 1 1 1\n.*} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=steal} {} {dynamic 500 500 500\ndynamic,7 500 500 500\nguided 500 500 500\nguided,9 500 500 500\nmonotonic:dynamic,7 7 7 7\nmonotonic:guided 500 500 500\nothers 1 1 7 1\n} } */
/* { amp-run {GOMP_AMP_REPLACE=guided=reference,20} {} {dynamic 1 1 1\ndynamic,7 7 7 7\nguided 20 20 20\nguided,9 20 20 20\nmonotonic:dynamic,7 7 7 7\nmonotonic:guided 20 20 20\nothers 1 1 7 1\n} } */
/* { amp-run {GOMP_AMP_REPLACE=guided=reference,5} {} {.*\nguided 5 5 5\nguided,9 9 9 9\nmonotonic:dynamic,7 7 7 7\nmonotonic:guided 5 5 5\nothers 1 1 7 1\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=reference} {} {dynamic 1 1 1\ndynamic,7 7 7 7\nguided 500.*} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=reference,4,guided=steal,2} {} {dynamic 4 4 4\ndynamic,7 7 7 7\n.*} } */
/* { amp-run {{GOMP_AMP_REPLACE= Guided = reference , 30 ; DYNAMIC=Aid-Static }  GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3} {} {dynamic 750 750 750\ndynamic,7 750 750 750\nguided 30 30 30\nguided,9 30 30 30\nmonotonic:dynamic,7 750 750 750\nmonotonic:guided 30 30 30\nothers 1 1 7 1\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=reference,3 OMP_SCHEDULE=dynamic,2} {} {dynamic 3 3 3\n.*\nothers 1 1 7 2\n} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=aid_dynamic,guided=ich} {cover} {} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=aid_dynamic,guided=ich GOMP_AMP_TYPES=@A@:@B@} {cover} {} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=aid_hybrid,70,3;guided=aid_static GOMP_AMP_TYPES=@A@:@B@} {cover} {} } */
/* { amp-run {GOMP_AMP_REPLACE=dynamic=binlpt;guided=aid_dynamic,2,9 GOMP_AMP_TYPES=@A@:@B@} {cover} {} } */
/* So often that the library has a plan that gives each thread one fixed block, of equal size
   where types of cores turn out alike.  */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_REPLACE=guided=aid_static;dynamic=aid_hybrid} {settled} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_static GOMP_AMP_REPORT=@DIR@/settled.report} {settled} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@,@B@ GOMP_AMP_REPLACE=dynamic=aid_static;guided=ich} {settled} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_static} {settled} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=1,1 GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_static} {settled} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_hybrid} {settled} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_DEBUG=known GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_hybrid} {settled} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_DEBUG=known GOMP_AMP_REPLACE=dynamic=aid_dynamic;guided=steal} {settled} {} } */

#include "amp-test.h"

#define N 1000

static long first[2];
static int measuring, team = 2;

static void
begin (void)
{
  amp_meet_begin ();
  first[0] = first[1] = -1;
  amp_cover_begin ();
}

/* A thread's first iteration waits for the other thread's.  */

static void
visit (long i)
{
  amp_visit (i);
  if (measuring && amp_meet (2))
    first[omp_get_thread_num ()] = i;
}

static long
second (long n)
{
  CHECK (amp_covered (n));
  return first[0] > first[1] ? first[0] : first[1];
}

#define COMMA ,
#define PRAGMA(...) PRAGMA_ (__VA_ARGS__)
#define PRAGMA_(...) _Pragma (#__VA_ARGS__)

/* By long, by unsigned long long, and combined.  */

#define THREE(NAME, SCHEDULE)						\
  static void								\
  NAME (long result[3])							\
  {									\
    unsigned long long u, n = N;					\
    long i, m = N;							\
    __asm__ ("" : "+r" (n), "+r" (m));					\
    begin ();								\
    PRAGMA (omp parallel num_threads (team))				\
    PRAGMA (omp for schedule (SCHEDULE))				\
    for (i = 0; i < m; i++)						\
      visit (i);							\
    result[0] = second (N);						\
    begin ();								\
    PRAGMA (omp parallel num_threads (team))				\
    PRAGMA (omp for schedule (SCHEDULE))				\
    for (u = n; u > 0; u--)						\
      visit (n - u);							\
    result[1] = second (N);						\
    begin ();								\
    PRAGMA (omp parallel for schedule (SCHEDULE) num_threads (team))	\
    for (i = 0; i < N; i++)						\
      visit (i);							\
    result[2] = second (N);						\
  }

THREE (dynamic, dynamic)
THREE (dynamic7, dynamic COMMA 7)
THREE (guided, guided)
THREE (guided9, guided COMMA 9)
THREE (monotonic_dynamic7, monotonic: dynamic COMMA 7)
THREE (monotonic_guided, monotonic: guided)

/* Fewer iterations, since each waits for another thread.  */
#define FEW 60

static long order[FEW], place;

static void
others (long result[4])
{
  static long grid[FEW + 1];

  place = 0;
  begin ();
#pragma omp parallel for ordered schedule (dynamic) num_threads (team)
  for (long i = 0; i < FEW; i++)
    {
      visit (i);
#pragma omp ordered
      order[place++] = i;
    }
  result[0] = second (FEW);
  for (long i = 0; i < FEW; i++)
    CHECK (order[i] == i);
  begin ();
#pragma omp parallel for ordered (1) schedule (dynamic) num_threads (team)
  for (long i = 1; i <= FEW; i++)
    {
      visit (i - 1);
#pragma omp ordered depend (sink: i - 1)
      grid[i] = grid[i - 1] + i;
#pragma omp ordered depend (source)
    }
  result[1] = second (FEW);
  CHECK (grid[FEW] == FEW * (FEW + 1) / 2);
  begin ();
#pragma omp parallel for schedule (static, 7) num_threads (team)
  for (long i = 0; i < N; i++)
    visit (i);
  result[2] = second (N);
  begin ();
#pragma omp parallel for schedule (runtime) num_threads (team)
  for (long i = 0; i < N; i++)
    visit (i);
  result[3] = second (N);
}

int
main (int argc, char **argv)
{
  static const struct { const char *name; void (*run) (long *); } table[] = {
    { "dynamic", dynamic }, { "dynamic,7", dynamic7 }, { "guided", guided },
    { "guided,9", guided9 }, { "monotonic:dynamic,7", monotonic_dynamic7 },
    { "monotonic:guided", monotonic_guided }
  };
  int rounds = argc == 1 ? 1 : strcmp (argv[1], "settled") == 0 ? 180 : 20;

  measuring = argc == 1;
  for (int round = 0; round < rounds; round++)
    for (unsigned k = 0; k <= sizeof table / sizeof table[0]; k++)
      {
	long r[4];

	team = round < 120 ? 2 : 1 + round % 3;
	if (k == sizeof table / sizeof table[0])
	  others (r);
	else
	  table[k].run (r);
	if (!measuring)
	  continue;
	if (k == sizeof table / sizeof table[0])
	  printf ("others %ld %ld %ld %ld\n", r[0], r[1], r[2], r[3]);
	else
	  printf ("%s %ld %ld %ld\n", table[k].name, r[0], r[1], r[2]);
      }
  return AMP_RESULT;
}

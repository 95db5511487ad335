/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Without OMP_SCHEDULE, loops without a clause are static on one type of cores,
   with the very mapping of GCC's own static, and aid_hybrid on two, or where
   nothing is known of the cores; explicit schedule(runtime) is dynamic,1 on
   either.  A value that is not
   valid counts as none.  The opt-outs, by the file and by the run, give the
   static mapping on two types too.  */
/* { amp-do none } */
/* { amp-also map-part.c -DMAP=map_runtime } */
/* { amp-also map-part.c -DMAP=map_static -fopenmp-default-schedule=static } */
/* { amp-also map-part.c -DMAP=map_again -fopenmp-default-schedule=runtime } */
/* { amp-run {} {two} {} } */
/* { amp-run {OMP_SCHEDULE=static} {static} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@} {static} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@} {two} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=bogus} {two} {\nlibgomp: Invalid value[^\n]*\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=static} {static} {} } */
/* { amp-need two-cpus } */

#include "amp-test.h"

extern void map_runtime (short *, long);
extern void map_again (short *, long);
extern void map_static (short *, long);

typedef _Bool bool_;

#define N 20000
static short by[3][N];

static int
same_mapping (const short *a, const short *b, long n)
{
  for (long i = 0; i < n; i++)
    if (a[i] != b[i])
      return 0;
  return 1;
}

static void
mappings (int expect_static)
{
  static const long sizes[] = { 1, 2, 5, 7, 64, 1000, 1001, N };

  for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    for (int t = 1; t <= 6; t++)
      {
	long n = sizes[k], i, q = n / t, r = n % t;
	memset (by, -1, sizeof by);
#pragma omp parallel num_threads (t)
	{
	  map_static (by[0], n);
	  map_runtime (by[1], n);
	  map_again (by[2], n);
	}
	/* The opted-out file: blocks, the first R of them one longer.  */
	for (i = 0; i < n; i++)
	  CHECK (by[0][i] == (i < r * (q + 1) ? i / (q + 1)
			      : r + (i - r * (q + 1)) / q));
	if (expect_static)
	  {
	    CHECK (same_mapping (by[0], by[1], n));
	    CHECK (same_mapping (by[0], by[2], n));
	  }
      }
}

/* How many chunks a team of 2 gets for N iterations, and the largest.  */

static void
chunks (bool_ (*start) (long, long, long, long *, long *),
	bool_ (*next) (long *, long *), int *count, long *largest)
{
  int number = 0;
  long most = 0;

#pragma omp parallel num_threads (2) reduction (+: number) \
	reduction (max: most)
  {
    long s, e;
    bool_ more;
    for (more = start (0, N, 1, &s, &e); more; more = next (&s, &e))
      {
	number++;
	if (e - s > most)
	  most = e - s;
	amp_work (e - s);
      }
    GOMP_loop_end ();
  }
  *count = number;
  *largest = most;
}

int
main (int argc, char **argv)
{
  int is_static = argc == 2 && strcmp (argv[1], "static") == 0;
  int count;
  long largest;
  const char *env = getenv ("OMP_SCHEDULE");

  mappings (is_static);

  chunks (amp_loop_start, GOMP_loop_static_next, &count, &largest);
  if (is_static)
    {
      CHECK (count == 2);
      CHECK (largest == N / 2);
    }
  else
    {
      /* Samples, shares, and chunks of the rest; a chunk is far from the
	 single iterations of dynamic,1.  */
      CHECK (count > 4);
      CHECK (largest > 1);
      CHECK (count < N / 2);
    }

  chunks (GOMP_loop_maybe_nonmonotonic_runtime_start,
	  GOMP_loop_maybe_nonmonotonic_runtime_next, &count, &largest);
  if (env != NULL && strcmp (env, "static") == 0)
    CHECK (count == 2);
  else
    {
      CHECK (count == N);
      CHECK (largest == 1);
    }

  /* A choice of the program's ends it.  */
  omp_set_schedule (omp_sched_dynamic, 50);
  chunks (amp_loop_start, GOMP_loop_static_next, &count, &largest);
  CHECK (count == N / 50);
  CHECK (largest == 50);
  return AMP_RESULT;
}

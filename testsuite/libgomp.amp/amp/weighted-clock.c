/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Where nothing says how fast types of CPUs are, weighted teams time them when
   a team is near: not in a process that has none, not before somebody can know
   how many threads there are, and not for ever where the clock does not run.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted GOMP_AMP_TYPES=@A@:@B@ } */
/* { amp-run {} {runs none} {timed: no\n} } */
/* { amp-run {} {runs ask} {timed: yes\n} } */
/* { amp-run {} {runs team} {timed: yes\n} } */
/* { amp-run {OMP_NUM_THREADS=2} {runs team} {timed: yes\n} } */
/* { amp-run {GOMP_AMP_SF=3} {runs team} {timed: no\n} } */
/* { amp-run {} {stands team} {timed: yes\n} } */
/* { amp-run {} {fails team} {timed: yes\n} } */
/* { amp-run {} {back team} {timed: yes\n} } */

#define _GNU_SOURCE 1
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include "amp-test.h"

static unsigned asked;
static char mode = 'r';

/* In place of glibc's, for libgomp as well.  */

int
clock_gettime (clockid_t clock, struct timespec *ts)
{
  if (clock == CLOCK_THREAD_CPUTIME_ID)
    {
      asked++;
      if (mode != 'r')
	{
	  ts->tv_sec = mode == 'b' ? 1000000 - asked : 5;
	  ts->tv_nsec = 7;
	}
      if (mode == 'f')
	{
	  errno = EPERM;
	  return -1;
	}
      if (mode != 'r')
	return 0;
    }
  return syscall (SYS_clock_gettime, clock, ts);
}

int
main (int argc, char **argv)
{
  cpu_set_t before = amp_mask ();
  int threads = 0, n = 0;

  if (argc < 3)
    return 2;
  mode = argv[1][0];
  CHECK (asked == 0);
  if (strcmp (argv[2], "none") != 0)
    threads = omp_get_max_threads ();
  if (strcmp (argv[2], "team") == 0)
    {
#pragma omp parallel reduction (+:n)
      n++;
      /* As many as was said, and no more.  */
      CHECK (n == threads);
    }
  CHECK (amp_has_mask (&before));
  printf ("timed: %s\n", asked != 0 ? "yes" : "no");
  return AMP_RESULT;
}

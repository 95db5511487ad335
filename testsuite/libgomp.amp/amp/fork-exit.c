/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Children that fork makes and that end by exit say nothing of the loops of
   their parent: it does, once.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {GOMP_AMP_REPORT=1} {2} {libgomp: loop program\+0x[0-9a-f]+: 2 threads, 5000 iterations, executed 20 times[^\n]*\n} } */
/* { amp-run {GOMP_AMP_REPORT=@DIR@/fork-exit.report} {2 clear @DIR@/fork-exit.report} {} } */
/* { amp-run {} {lines @DIR@/fork-exit.report} {1\n} } */
/* { amp-run {OMP_SCHEDULE=aid_static GOMP_AMP_TRACE=sf:@DIR@/fork-exit.sf} {1 clear @DIR@/fork-exit.sf} {} } */
/* { amp-run {} {lines @DIR@/fork-exit.sf} {1\n} } */
/* { amp-run {GOMP_AMP_TRACE=@DIR@/fork-exit.spool,costs:@DIR@/fork-exit-record.spool} {2} {} } */

#include "amp-test.h"

static long sink[5000];

int
main (int argc, char **argv)
{
  int threads, child, status;

  if (argc > 2 && strcmp (argv[1], "lines") == 0)
    {
      FILE *f = fopen (argv[2], "r");
      int c, lines = 0;

      while (f != NULL && (c = getc (f)) != EOF)
	lines += c == '\n';
      printf ("%d\n", lines);
      return 0;
    }
  if (argc > 3)
    unlink (argv[3]);
  threads = argc > 1 ? atoi (argv[1]) : 2;
  for (int round = 0; round < 20; round++)
    {
#pragma omp parallel for schedule (runtime) num_threads (threads)
      for (int i = 0; i < 5000; i++)
	sink[i] += i;
    }
  for (child = 0; child < 3; child++)
    {
      pid_t pid = fork ();
      if (pid == 0)
	exit (0);
      CHECK (pid > 0);
      CHECK (waitpid (pid, &status, 0) == pid);
      CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
    }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GOMP_AMP_TRACE=regions: how many regions there were, and how long they took;
   and what GOMP_AMP_REPORT says of those of weighted teams.  */
/* { amp-env OMP_DYNAMIC=false GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-sh rm -f regions-2 regions-5 } */
/* { amp-run {GOMP_AMP_TRACE=regions:@DIR@/regions-2} {child} {} } */
/* { amp-run {GOMP_AMP_TRACE=regions:@DIR@/regions-5 GOMP_AMP_TEAM=weighted} {child} {} } */
/* { amp-sh for n in 2 5; do awk -v n=$n 'NR == 1 && $1 == 7 && $2 >= 0.7 && $3 == n && NF == 3 { good++ } END { exit good != 1 || NR != 1 }' regions-$n || exit 1; done } */
/* { amp-run {GOMP_AMP_REPORT=1} {short} {} } */
/* { amp-run {GOMP_AMP_REPORT=1 GOMP_AMP_TEAM=weighted} {none} {} } */
/* { amp-run {GOMP_AMP_REPORT=1 GOMP_AMP_TEAM=weighted} {short} {libgomp: regions: 2000 of up to 5 threads, [0-9]+[.][0-9]{4} ms and 3[.]0 barriers each, [0-9.]+ ms in all, about [0-9]+ % of that for switching threads(; hint: [^\n]*)?\n} } */
/* { amp-run {GOMP_AMP_TEAM=weighted OMP_WAIT_POLICY=passive} {hint 4 4 GOMP_AMP_CORES=big} {} } */
/* { amp-run {GOMP_AMP_TEAM=weighted} {hint 1.5 3 weighted} {} } */
/* { amp-run {GOMP_AMP_REPORT=1 GOMP_AMP_TEAM=weighted} {long} {libgomp: regions: 3 of up to 5 threads, [0-9]+[.][0-9]{4} ms and 1[.]0 barriers each, [0-9.]+ ms in all, about 0 % of that for switching threads\n} } */

#define _GNU_SOURCE 1
#include "amp-test.h"

/* REGIONS teams, with BARRIERS in each, which take a millisecond if LENGTH.  */

static void
run (int regions, int barriers, int length)
{
  for (int i = 0; i < regions; i++)
    {
#pragma omp parallel
      {
	/* Those of inner teams count in none.  */
#pragma omp parallel num_threads (2)
	if (length)
	  usleep (100000);
	for (int b = 0; b < barriers; b++)
	  {
#pragma omp barrier
	  }
      }
      /* And a team of one is none.  */
#pragma omp parallel num_threads (1)
      usleep (length ? 1000 : 0);
    }
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  int status;
  FILE *f;
  pid_t pid;

  omp_set_max_active_levels (1);
  if (strcmp (what, "short") == 0)
    run (2000, 2, 0);
  else if (strcmp (what, "long") == 0)
    run (3, 0, 1);
  else if (strcmp (what, "hint") == 0 && argc > 4)
    {
      /* CROWD threads are on the CPU that is RATIO times as fast.  How short
	 regions are to a busy machine cannot be told beforehand, so what is said
	 is compared with the time that it goes by.  */
      double ratio = atof (argv[2]), crowd = atof (argv[3]), ms = 0.0;
      char line[1000];
      int tries, found = 0;

      setenv ("GOMP_AMP_SF", argv[2], 1);
      setenv ("GOMP_AMP_REPORT", "1", 1);
      for (tries = 0; tries < 10 && !found; tries++)
	{
	  double others = ratio > 2 ? ratio : 2, lost, most, gain;
	  const char *hint;

	  snprintf (line, sizeof line, "exec '%s' short 2>&1", argv[0]);
	  f = popen (line, "r");
	  CHECK (f != NULL && fgets (line, sizeof line, f) != NULL);
	  CHECK (f != NULL && pclose (f) == 0);
	  CHECK (sscanf (line, "libgomp: regions: 2000 of up to 5 threads, %lf",
			 &ms) == 1);
	  lost = (crowd - 1) * 0.0025 * 3;
	  most = lost < 0.9 * ms ? lost : 0.9 * ms;
	  gain = 1 - (ms - most) * (ratio + 1) / others / ms;
	  hint = strstr (line, "; hint: ");
	  if (gain > 0.06)
	    CHECK (hint != NULL && strstr (hint, argv[4]) != NULL);
	  else if (gain < 0.04)
	    CHECK (hint == NULL);
	  found = hint != NULL;
	}
    }
  else if (strcmp (what, "child") == 0)
    {
      /* A child of fork records nothing.  */
      run (7, 1, 1);
      pid = fork ();
      if (pid == 0)
	exit (0);
      CHECK (waitpid (pid, &status, 0) == pid);
    }
  return AMP_RESULT;
}

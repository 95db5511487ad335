/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* amp-run --measure-sf, and the options that set GOMP_AMP_* for a program that
   plain gcc compiled.  The program runs amp-run on itself.  Of the speeds only
   their form is checked.  */
/* { amp-do none } */
/* { amp-options -fopenmp-default-schedule=static } */
/* { amp-need two-cpus } */
/* { amp-run {} {drive @STAGE@ @DIR@ @A@ @B@} {} } */

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "amp-test.h"

/* Two places of one name, one whose schedule is the program's, and one that
   only a run on one of the CPUs reaches.  */

static long sink[4000];

static int
program (int argc, char **argv)
{
  int status = argc > 1 ? atoi (argv[1]) : 0, c, round;

  printf ("%d threads,", omp_get_max_threads ());
  while ((c = getchar ()) != EOF && c != '\n')
    putchar (c);
  putchar ('\n');
  for (round = 0; round < 50; round++)
    {
#pragma omp parallel for schedule (runtime)
      for (long i = 0; i < 4000 >> round % 3; i++)
	sink[i]++;
#pragma omp parallel
#pragma omp for schedule (dynamic, 100)
      for (unsigned long long u = 0; u < 4000; u++)
	sink[u]++;
    }
  if (argc > 2 && gomp_amp_get_num_core_types () == 1)
    {
      FILE *f = fopen (argv[2], "r");

      if (f != NULL)
	fclose (f);
      else
	{
#pragma omp parallel for schedule (runtime)
	  for (long i = 0; i < 1000; i++)
	    sink[i]++;
	  f = fopen (argv[2], "w");
	  fclose (f);
	}
    }
  return status;
}

static const char *stage, *folder;
static char me[4096], output[20000];

/* Run amp-run OPTIONS, with this program and ARGUMENTS, after BEFORE; its
   status, and in `output' what it prints.  */

static int
amp_run (const char *before, const char *options, const char *arguments)
{
  static char command[20000];
  size_t n;
  int status;
  FILE *f;

  snprintf (command, sizeof command, "cd '%s' && %s '%s/bin/amp-run' %s -- "
	    "'%s' program %s 2>&1", folder, before, stage, options, me,
	    arguments);
  f = popen (command, "r");
  if (f == NULL)
    return -1;
  n = fread (output, 1, sizeof output - 1, f);
  output[n] = '\0';
  status = pclose (f);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

#define SAYS(TEXT) CHECK_IN (strstr (output, TEXT) != NULL, output)

/* Is NAME a file of speedup factors: comments, then LOOPS lines of a place and
   two numbers from 1 to 64, the least of which is 1, then COMMENTS
   comments.  */

static int
good_file (const char *name, int loops, int comments)
{
  char path[5000], line[1000], place[500];
  int seen = 0, head = 0, tail = 0, good = 1;
  double a, b;
  FILE *f;

  snprintf (path, sizeof path, "%s/%s", folder, name);
  f = fopen (path, "r");
  if (f == NULL)
    return 0;
  while (fgets (line, sizeof line, f) != NULL)
    if (*line == '#' && strstr (line, "not run on every type") != NULL)
      tail++;
    else if (*line == '#')
      head++;
    else
      {
	int end = 0;

	seen++;
	good &= (sscanf (line, "%499s %lf,%lf%n", place, &a, &b, &end) == 3
		 && strcmp (line + end, "\n") == 0
		 && strncmp (place, "program+0x", 10) == 0
		 && a >= 1.0 && b >= 1.0 && a <= 64.0 && b <= 64.0
		 && (a == 1.0 || b == 1.0));
      }
  fclose (f);
  return good && head == 4 && seen == loops && tail == comments;
}

static int
exists (const char *name)
{
  char path[5000];
  struct stat st;

  snprintf (path, sizeof path, "%s/%s", folder, name);
  return stat (path, &st) == 0;
}

int
main (int argc, char **argv)
{
  char types[100], options[300];
  ssize_t n;

  if (argc >= 2 && strcmp (argv[1], "program") == 0)
    return program (argc - 1, argv + 1);
  CHECK (argc == 6);
  n = readlink ("/proc/self/exe", me, sizeof me - 1);
  CHECK (n > 0);
  if (amp_failures)
    return 1;
  stage = argv[2];
  folder = argv[3];
  snprintf (types, sizeof types, "-t %s:%s", argv[4], argv[5]);

  /* Both runs read the input from its beginning.  */
  CHECK (amp_run ("rm -f a.sf && echo hello >in && ", "--version", "") == 0);
  snprintf (options, sizeof options, "%s --measure-sf a.sf", types);
  CHECK_IN (amp_run ("<in", options, "") == 0, output);
  SAYS ("core type 0 of 2: one thread on CPU ");
  SAYS ("core type 1 of 2: one thread on CPU ");
  SAYS ("a.sf: 1 loop; use it with --loops");
  CHECK_IN (strstr (output, "1 threads,hello\n") != NULL
	    && strstr (strstr (output, "1 threads,hello\n") + 1,
		       "1 threads,hello\n") != NULL, output);
  CHECK (good_file ("a.sf", 1, 0));

  /* With what --replace adds, whatever the environment says, over a file that
     exists; a place that only the first run knows is a comment.  */
  snprintf (options, sizeof options, "%s --replace dynamic=aid_dynamic "
	    "--measure-sf=./a.sf", types);
  CHECK_IN (amp_run ("rm -f once && OMP_SCHEDULE=static OMP_NUM_THREADS=7 "
		     "GOMP_AMP_SF=9 GOMP_AMP_AFFINITY=1",
		     options, "0 once </dev/null") == 0, output);
  CHECK (good_file ("a.sf", 2, 1));
  SAYS ("a.sf: 2 loops");

  /* The library takes the file.  */
  snprintf (options, sizeof options, "%s -s aid_static -n 2 --replace "
	    "'dynamic=aid_static' --report --loops a.sf", types);
  CHECK_IN (amp_run ("", options, "</dev/null") == 0, output);
  CHECK_IN (strncmp (output, "2 threads,\nlibgomp: loop program+0x", 35) == 0
	    || strncmp (output, "libgomp: loop program+0x", 24) == 0, output);
  SAYS (": 2 threads, 4000 iterations, executed ");
  CHECK_IN (strstr (output, "ignored") == NULL, output);

  /* A run that fails leaves no file, and its status.  */
  snprintf (options, sizeof options, "%s --measure-sf b.sf", types);
  CHECK (amp_run ("", options, "5 </dev/null") == 5);
  SAYS ("the program ended with status 5; b.sf is not written");
  CHECK (!exists ("b.sf"));

  /* What is refused, before anything runs.  */
  if (sysconf (_SC_NPROCESSORS_ONLN) == 2)
    {
      snprintf (options, sizeof options, "-t %s,%s --measure-sf b.sf", argv[4],
		argv[5]);
      CHECK (amp_run ("", options, "</dev/null") == 2);
      SAYS ("there is one type of cores");
    }
  snprintf (options, sizeof options, "%s --measure-sf /nonexistent/b.sf",
	    types);
  CHECK (amp_run ("", options, "") == 2);
  SAYS ("cannot write /nonexistent/b.sf");
  snprintf (options, sizeof options, "%s --measure-sf .", types);
  CHECK (amp_run ("", options, "") == 2);
  SAYS ("it is a folder");
  CHECK (amp_run ("", "--measure-sf b.sf -n 2", "") == 2);
  SAYS ("--measure-sf and --threads exclude each other");
  CHECK (amp_run ("", "--dry-run --measure-sf b.sf", "") == 2);
  SAYS ("--measure-sf and --dry-run exclude each other");
  CHECK (amp_run ("", "--measure-sf=", "") == 2);
  SAYS ("--measure-sf: the value is empty");
  CHECK (amp_run ("", "--replace dynamic=quick", "") == 2);
  SAYS ("--replace");
  CHECK (amp_run ("", "--cores large", "") == 2);
  SAYS ("--cores");
  CHECK (amp_run ("", "--loops ./missing", "") == 2);
  SAYS ("cannot read ./missing");
  CHECK (!exists ("b.sf"));
  CHECK_IN (strstr (output, "threads,") == NULL, output);

  /* What is passed on.  */
  CHECK (amp_run ("", "--dry-run -c big --replace guided=ich,20 --report",
		  "") == 0);
  SAYS ("GOMP_AMP_CORES=big\n");
  SAYS ("GOMP_AMP_REPLACE=guided=ich,20\n");
  SAYS ("GOMP_AMP_REPORT=1\n");

  /* On emulated slow cores, where they can be had.  */
  snprintf (options, sizeof options, "'%s/bin/amp-emulate' --no-verify "
	    "--slow %s=3 --", stage, argv[5]);
  if (amp_run (options, "--version", "") == 0)
    {
      CHECK_IN (amp_run (options, "-q --measure-sf c.sf", "</dev/null") == 0,
		output);
      CHECK (good_file ("c.sf", 1, 0));
    }
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GOMP_AMP_LOOPS and GOMP_AMP_TRACE=sf:FILE.  The program runs itself: with one
   thread, to learn the name of its loop's place from the record; then with
   files that know that place.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {} {@A@:@B@ @DIR@/loops-file} {} } */

#include <string.h>
#include <errno.h>
#include <unistd.h>
#include <sys/stat.h>
#include "amp-test.h"

#define N 1000
#define EXECUTIONS 7

static long first[2];

/* Print where thread 1 begins each time.  */

static int
mapping (unsigned threads)
{
  for (int k = 0; k < EXECUTIONS; k++)
    {
      amp_meet_begin ();
#pragma omp parallel for num_threads (threads) schedule (runtime)
      for (long i = 0; i < N; i++)
	if (amp_meet (threads))
	  first[omp_get_thread_num ()] = i;
      if (threads == 2)
	printf ("%ld\n", first[1]);
    }
  return 0;
}

/* What PROGRAM prints with SETTINGS, on either stream.  */

static const char *
say (const char *settings, const char *program, const char *mode)
{
  static char output[20000];
  char command[9000];
  size_t n;
  FILE *f;

  snprintf (command, sizeof command, "env %s '%s' %s 2>&1", settings, program,
	    mode);
  f = popen (command, "r");
  if (f == NULL)
    return "popen fails";
  n = fread (output, 1, sizeof output - 1, f);
  output[n] = '\0';
  if (pclose (f) != 0 && n < sizeof output - 20)
    strcat (output, "(it ends badly)\n");
  return output;
}

static const char *file_name;

/* Make the file say TEXT, where @ stands for PLACE.  */

static void
put_file (const char *text, const char *place)
{
  FILE *f = fopen (file_name, "w");

  CHECK (f != NULL);
  if (f == NULL)
    return;
  for (; *text != '\0'; text++)
    if (*text == '@')
      fputs (place, f);
    else
      fputc (*text, f);
  fclose (f);
}

/* OUTPUT is MESSAGE, or nothing where that is "", and then says EXECUTIONS
   times that thread 1 begins at 750, or if not EVER never that.  */

static int
as_expected (const char *output, const char *message, int ever)
{
  size_t n = strlen (message);
  int k, found = 0;

  if (strncmp (output, message, n) != 0)
    return 0;
  output += n;
  for (k = 0; k < EXECUTIONS; k++)
    {
      char *end;
      long at = strtol (output, &end, 10);
      if (end == output || *end != '\n')
	return 0;
      output = end + 1;
      found += at == 750;
    }
  return *output == '\0' && (ever ? found == EXECUTIONS : found < EXECUTIONS);
}

static char settings[5000];
static char me[4096];

static void
expect (const char *text, const char *place, const char *format, int ever)
{
  char message[5000];
  const char *got;

  snprintf (message, sizeof message, format, file_name);
  put_file (text, place);
  got = say (settings, me, "two");
  CHECK_IN (as_expected (got, message, ever), got);
}

int
main (int argc, char **argv)
{
  char place[400], line[20000], record[4200], copy[4200];
  const char *got;
  double ticks, iterations;
  struct stat st;
  ssize_t length;
  FILE *f;

  if (argc == 2)
    return mapping (strcmp (argv[1], "two") == 0 ? 2 : 1);
  CHECK (argc == 3);
  length = readlink ("/proc/self/exe", me, sizeof me - 1);
  CHECK (length > 0);
  if (amp_failures)
    return 1;
  file_name = argv[2];
  snprintf (record, sizeof record, "%s-record", argv[2]);
  snprintf (copy, sizeof copy, "%s-copy", argv[2]);

  /* The record: one loop, N iterations a time.  */
  unlink (record);
  snprintf (settings, sizeof settings, "OMP_NUM_THREADS=1 "
	    "OMP_SCHEDULE=aid_static GOMP_AMP_TRACE=sf:'%s'", record);
  got = say (settings, me, "one");
  CHECK_IN (*got == '\0', got);
  f = fopen (record, "r");
  CHECK (f != NULL);
  if (f == NULL)
    return 1;
  CHECK (fgets (line, sizeof line, f) != NULL);
  CHECK_IN (sscanf (line, "%399s %lf %lf", place, &ticks, &iterations) == 3,
	    line);
  CHECK_IN (strncmp (place, "program+0x", 10) == 0, place);
  CHECK_IN (ticks > 0 && iterations == EXECUTIONS * N, line);
  CHECK (fgets (line, sizeof line, f) == NULL);
  fclose (f);

  /* A team of two is not recorded; a file that cannot be written is told.  */
  unlink (record);
  say (settings, me, "two");
  CHECK (stat (record, &st) == 0 && st.st_size == 0);
  got = say ("OMP_SCHEDULE=aid_static GOMP_AMP_TRACE=sf:/nonexistent/x", me,
	     "one");
  CHECK_IN (strcmp (got, "\nlibgomp: GOMP_AMP_TRACE: cannot write "
		    "/nonexistent/x: No such file or directory\n") == 0, got);

  snprintf (settings, sizeof settings, "OMP_SCHEDULE=aid_static "
	    "GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=%s GOMP_AMP_LOOPS='%s'", argv[1], file_name);
  expect ("@ 3,1\n", place, "", 1);
  expect ("# a comment\n\n \t\n  @\t 6,2  # that is 3\n", place, "", 1);
  expect ("@ 3\n", place, "", 1);
  expect ("other+0x1 1,5\n@ 3,1\nprogram+0x1 2,1", place, "", 1);
  /* What comes before the wrong line counts.  */
  expect ("@ 3,1\nnonsense\n", place, "\nlibgomp: GOMP_AMP_LOOPS: %s:2: "
	  "OBJECT+0xOFFSET is expected, as GOMP_AMP_REPORT has it; the rest of "
	  "the file is ignored\n", 1);
  expect ("@\n", place, "\nlibgomp: GOMP_AMP_LOOPS: %s:1: a schedule or "
	  "numbers are expected; the rest of the file is ignored\n", 0);
  expect ("#\n@ steal ich\n@ 3,1\n", place, "\nlibgomp: GOMP_AMP_LOOPS: %s:2: "
	  "one schedule and one list of numbers are expected; the rest of the "
	  "file is ignored\n", 0);
  expect ("@ monotonic:steal\n", place, "\nlibgomp: GOMP_AMP_LOOPS: %s:1: a "
	  "schedule without a modifier is expected; the rest of the file is "
	  "ignored\n", 0);
  expect ("@ 3,1,1\n", place, "\nlibgomp: GOMP_AMP_LOOPS: %s:1: '3,1,1': needs "
	  "2 decimal numbers from 0.016 to 64, one per core type, fastest type "
	  "first, as in 3,1; the rest of the file is ignored\n", 0);
  expect ("@ 0,1\n", place, "\nlibgomp: GOMP_AMP_LOOPS: %s:1: '0,1': needs 2 "
	  "decimal numbers from 0.016 to 64, one per core type, fastest type "
	  "first, as in 3,1; the rest of the file is ignored\n", 0);
  expect ("", place, "", 0);
  /* A schedule of one loop, with and without numbers for it.  */
  expect ("@ static\n", place, "", 0);
  expect ("@ 3,1 static\n", place, "", 0);
  expect ("@ aid_static 3,1\n", place, "", 1);
  unlink (file_name);
  got = say (settings, me, "two");
  snprintf (line, sizeof line, "\nlibgomp: Invalid value for environment "
	    "variable GOMP_AMP_LOOPS: cannot read %s: No such file or "
	    "directory; it is ignored\n", file_name);
  CHECK_IN (as_expected (got, line, 0), got);

  /* A program with the rights of another user reads and writes neither.  */
  put_file ("@ 3,1\n", place);
  chmod (file_name, 0644);
  unlink (record);
  snprintf (line, sizeof line, "cp '%s' '%s' && chown 65534 '%s' && "
	    "chmod 4755 '%s'", me, copy, copy, copy);
  if (amp_failures == 0 && !amp_reachable (copy))
    {
      printf ("needs a folder that other users can reach\n");
      return 77;
    }
  if (amp_failures == 0 && (geteuid () != 0 || system (line) != 0))
    {
      printf ("needs root, to make a set-user-ID program\n");
      return 77;
    }
  got = say (settings, copy, "two");
  CHECK_IN (as_expected (got, "", 0), got);
  snprintf (settings, sizeof settings, "OMP_NUM_THREADS=1 "
	    "OMP_SCHEDULE=aid_static GOMP_AMP_TRACE=sf:'%s'", record);
  got = say (settings, copy, "one");
  CHECK_IN (*got == '\0', got);
  CHECK (stat (record, &st) != 0 && errno == ENOENT);
  unlink (copy);
  return AMP_RESULT;
}

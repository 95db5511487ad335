/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GOMP_AMP_LOOPS: schedules for single loops.  The program runs itself: once to
   learn the places of its loops, which it knows by their trip counts, from the
   report; then with files that give each of them a schedule.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {} {@DIR@/loops} {} } */

#include <unistd.h>
#include "amp-test.h"

#define FIRST 1000
/* Runtime, monotonic:runtime, dynamic, ordered.  */
#define KINDS 4

static char places[KINDS][100], now[KINDS][100];
static char me[4096], said[20000];

static void
loops (void)
{
  static int count[FIRST + KINDS];

  for (int k = 0; k < 5; k++)
#pragma omp parallel num_threads (2)
    {
#pragma omp for schedule (runtime)
      for (int i = 0; i < FIRST; i++)
	count[i]++;
#pragma omp for schedule (monotonic:runtime)
      for (int i = 0; i < FIRST + 1; i++)
	count[i]++;
#pragma omp for schedule (dynamic, 7)
      for (int i = 0; i < FIRST + 2; i++)
	count[i]++;
#pragma omp for schedule (runtime) ordered
      for (int i = 0; i < FIRST + 3; i++)
	{
#pragma omp ordered
	  count[i]++;
	}
    }
  for (int i = 0; i < FIRST; i++)
    CHECK (count[i] == 5 * KINDS);
}

/* Run the loops with FILE; what each ran under, if anything.  */

static void
learn (const char *file)
{
  char command[9000], place[100], line[1000];
  FILE *f;

  snprintf (command, sizeof command, "env OMP_SCHEDULE=reference "
	    "GOMP_AMP_LOOPS='%s' GOMP_AMP_REPORT=1 '%s' 2>&1", file, me);
  memset (now, 0, sizeof now);
  said[0] = '\0';
  f = popen (command, "r");
  CHECK (f != NULL);
  while (f != NULL && fgets (line, sizeof line, f) != NULL)
    {
      unsigned n, at = 0;
      char *kind = strstr (line, ", SF");

      strncat (said, line, sizeof said - strlen (said) - 1);
      if (kind == NULL
	  || sscanf (line, "libgomp: loop %99[^:]: 2 threads, %u iterations%n",
		     place, &n, &at) != 2
	  || at == 0 || n < FIRST || n >= FIRST + KINDS)
	continue;
      *kind = '\0';
      while (kind[-1] != ' ' || kind[-2] != ',')
	kind--;
      strcpy (places[n - FIRST], place);
      snprintf (now[n - FIRST], sizeof now[0], "%.90s", kind);
    }
  CHECK_IN (f == NULL || pclose (f) == 0, said);
}

/* With SCHEDULE for all loops these run under WANT, "" where the report has
   none, and the library says WORDS, if any.  */

static void
expect (const char *file, const char *schedule, const char *words,
	const char *const want[KINDS])
{
  FILE *f = fopen (file, "w");

  CHECK (f != NULL);
  if (f == NULL)
    return;
  for (int i = 0; i < KINDS; i++)
    fprintf (f, "%s %s\n", *places[i] != '\0' ? places[i] : "none+0x1",
	     schedule);
  fclose (f);
  learn (file);
  CHECK_IN (strstr (said, words) != NULL
	    && (*words != '\0' || strstr (said, "LOOPS") == NULL), said);
  for (int i = 0; i < KINDS; i++)
    CHECK_IN (strncmp (now[i], want[i], strlen (want[i])) == 0
	      && (*want[i] != '\0' || *now[i] == '\0'), said);
}

int
main (int argc, char **argv)
{
  ssize_t length = readlink ("/proc/self/exe", me, sizeof me - 1);

  CHECK (length > 0);
  if (argc == 1)
    {
      loops ();
      return AMP_RESULT;
    }
  learn ("/dev/null");
  CHECK_IN (*places[0] != '\0' && *places[1] != '\0' && *places[2] != '\0',
	    said);
  if (amp_failures)
    return AMP_RESULT;
  expect (argv[1], "aid_static", "",
	  (const char *[]) { "aid_static", "aid_static", "aid_static", "" });
  expect (argv[1], "guided,5", "",
	  (const char *[]) { "guided", "guided", "guided", "" });
  expect (argv[1], "static", "",
	  (const char *[]) { "static", "static", "static", "" });
  expect (argv[1], "auto", "",
	  (const char *[]) { "auto: ", "auto: ", "auto: ", "" });
  expect (argv[1], "steal,2", ":2: iterations of program+0x",
	  (const char *[]) { "steal", "reference", "steal", "" });
  return AMP_RESULT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* OMP_DISPLAY_ENV=verbose tells a CPU quota that is below the number of CPUs,
   and no other.  */
/* { amp-do none } */
/* { amp-run {} {@DIR@/quota} {} } */

#define _GNU_SOURCE 1
#include <sys/stat.h>
#include <unistd.h>
#include "amp-test.h"

static void
put (const char *root, const char *file, const char *text)
{
  char name[4300];
  char *p;
  FILE *f;

  snprintf (name, sizeof name, "%s/%s", root, file);
  for (p = name + 1; (p = strchr (p, '/')) != NULL; *p++ = '/')
    {
      *p = '\0';
      mkdir (name, 0755);
    }
  f = fopen (name, "w");
  CHECK (f != NULL);
  if (f != NULL)
    {
      fputs (text, f);
      fclose (f);
    }
}

/* The line on the quota that this program, started again, gets, or "".  */

static const char *
ask (const char *root, const char *level)
{
  static char line[300];
  FILE *f;
  int lines = 0, found = 0;
  char all[300];

  setenv ("GOMP_AMP_DEBUG", amp_sysfs (root), 1);
  setenv ("OMP_DISPLAY_ENV", level, 1);
  f = popen ("exec \"$AMP_SELF\" 2>&1", "r");
  line[0] = '\0';
  while (f != NULL && fgets (all, sizeof all, f) != NULL)
    {
      lines++;
      if (strstr (all, "CPU quota") != NULL)
	{
	  strcpy (line, all);
	  found++;
	}
    }
  CHECK (f != NULL && pclose (f) == 0);
  CHECK (lines > 10);
  CHECK (found <= 1);
  return line;
}

int
main (int argc, char **argv)
{
  char root[4096], self[4096], want[100];
  ssize_t len;

  if (argc == 1)
    return omp_get_max_threads () < 1;
  snprintf (root, sizeof root, "%s-sysfs", argv[1]);
  len = readlink ("/proc/self/exe", self, sizeof self - 1);
  CHECK (len > 0);
  if (len <= 0)
    return 1;
  self[len] = '\0';
  setenv ("AMP_SELF", self, 1);
  put (root, "proc/self/cgroup", "0::/box\n");
  put (root, "fs/cgroup/box/cpu.max", "50000 100000\n");
  snprintf (want, sizeof want, "  [host] CPU quota of the control group = '0.50'"
	    " of %d CPUs\n", omp_get_num_procs ());
  CHECK (strcmp (ask (root, "verbose"), want) == 0);
  CHECK (strcmp (ask (root, "true"), "") == 0);
  put (root, "fs/cgroup/box/cpu.max", "max 100000\n");
  CHECK (strcmp (ask (root, "verbose"), "") == 0);
  put (root, "fs/cgroup/box/cpu.max", "409600000 100000\n");
  CHECK (strcmp (ask (root, "verbose"), "") == 0);
  return AMP_RESULT;
}

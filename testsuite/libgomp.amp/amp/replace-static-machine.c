/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Where the machine says how fast its types of cores are, the first
   schedule(static) loop that is replaced goes by that, and keeps to it.  */
/* { amp-options -fopenmp-replace-static } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static} {@DIR@/machine @A@ @B@} {} } */

#define _GNU_SOURCE 1
#include <unistd.h>
#include "amp-test.h"

#define N 1000
static int by[N];

/* Make CPU one of CAPACITY in the tree ROOT.  */

static void
put (const char *root, const char *cpu, int capacity)
{
  char name[4400], *p;
  FILE *f;

  snprintf (name, sizeof name, "%s/devices/system/cpu/cpu%s/cpu_capacity",
	    root, cpu);
  for (p = name + 1; (p = strchr (p, '/')) != NULL; *p++ = '/')
    {
      *p = '\0';
      mkdir (name, 0755);
    }
  f = fopen (name, "w");
  CHECK (f != NULL);
  if (f != NULL)
    {
      fprintf (f, "%d\n", capacity);
      fclose (f);
    }
}

static void
mapping (int border)
{
  int wrong = 0;

#pragma omp parallel num_threads (2)
  for (int step = 0; step < 10; step++)
    {
#pragma omp for schedule (static)
      for (int i = 0; i < N; i++)
	by[i] = omp_get_thread_num ();
#pragma omp single
      for (int i = 0; i < N; i++)
	wrong += by[i] != (i >= border);
    }
  CHECK (wrong == 0);
}

int
main (int argc, char **argv)
{
  char root[4096], self[4096];
  ssize_t len;
  cpu_set_t two;

  if (argc == 2)
    {
      mapping (atoi (argv[1]));
      return AMP_RESULT;
    }
  CHECK (argc == 4);
  CPU_ZERO (&two);
  CPU_SET (atoi (argv[2]), &two);
  CPU_SET (atoi (argv[3]), &two);
  CHECK (sched_setaffinity (0, sizeof two, &two) == 0);
  snprintf (root, sizeof root, "%s-sysfs", argv[1]);
  put (root, argv[2], 1000);
  put (root, argv[3], 250);
  setenv ("GOMP_AMP_DEBUG", amp_sysfs (root), 1);
  len = readlink ("/proc/self/exe", self, sizeof self - 1);
  CHECK (len > 0);
  if (len <= 0)
    return 1;
  self[len] = '\0';
  setenv ("AMP_SELF", self, 1);
  CHECK (system ("\"$AMP_SELF\" 800") == 0);
  CHECK (system ("GOMP_AMP_AFFINITY=sb \"$AMP_SELF\" 200") == 0);
  CHECK (system ("GOMP_AMP_REPLACE= \"$AMP_SELF\" 500") == 0);
  return AMP_RESULT;
}

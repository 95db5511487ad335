/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A thread loads a plug-in whose loops run in teams of one, closes it, and ends:
   libgomp, which is called then, must not have been unloaded with it.  */
/* { amp-shared unload-part.c } */
/* { amp-options -fno-openmp -ldl -pthread } */
/* { amp-run {GOMP_AMP_REPORT=@DIR@/unload.report} {} {} } */
/* { amp-run {GOMP_AMP_REPORT=1} {} {.*} } */
/* { amp-run {GOMP_AMP_TRACE=@DIR@/unload.spool} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=@DIR@/unload.spool GOMP_AMP_REPORT=@DIR@/unload.report} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=costs:@DIR@/unload-record.spool} {} {} } */
/* { amp-run {GOMP_AMP_TRACE=sf:@DIR@/unload.sf} {} {} } */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failed;

static void *
visit (void *name)
{
  void *lib = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  int (*run) (void);

  if (lib == NULL)
    {
      printf ("%s\n", dlerror ());
      failed = 1;
      return NULL;
    }
  run = (int (*) (void)) dlsym (lib, "run");
  if (run == NULL || run () != 0)
    failed = 1;
  dlclose (lib);
  return NULL;
}

static int
unloaded (void)
{
  char line[1000];
  int there = 0;
  FILE *maps = fopen ("/proc/self/maps", "r");

  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    there |= strstr (line, "libgomp.so") != NULL;
  if (maps != NULL)
    fclose (maps);
  return !there;
}

int
main (int argc, char **argv)
{
  for (int round = 0; round < 20; round++)
    {
      pthread_t thread;

      if (pthread_create (&thread, NULL, visit, argv[argc - 1]) != 0)
	{
	  printf ("no thread\n");
	  return 77;
	}
      pthread_join (thread, NULL);
    }
  if (unloaded ())
    {
      printf ("libgomp is unloaded\n");
      return 1;
    }
  return failed;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Code whose loops are known is unloaded, and other code comes to stand at the
   same address.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-shared dlopen-sites-part.c -DSTEP=1 } */
/* { amp-shared dlopen-sites-part.c -DSTEP=3 } */
/* { amp-options -ldl } */
/* { amp-do none } */
/* { amp-run {} {} {} } */
/* { amp-run {OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=ich} {} {} } */

#include <dlfcn.h>
#include "amp-test.h"

int
main (int argc, char **argv)
{
  void *first = NULL;
  int round, same = 0;

  /* So that libgomp stays.  */
#pragma omp parallel num_threads (2)
  amp_work (1);
  CHECK (argc == 3);
  for (round = 0; round < 4; round++)
    {
      void *lib = dlopen (argv[1 + round % 2], RTLD_NOW | RTLD_LOCAL);
      int (*run) (void);

      if (lib == NULL)
	{
	  printf ("%s\n", dlerror ());
	  return 1;
	}
      run = (int (*) (void)) dlsym (lib, "run");
      same += first == (void *) run;
      first = (void *) run;
      CHECK (run () == 0);
      dlclose (lib);
    }
  if (same == 0 && !amp_failures)
    {
      printf ("no address is used again here\n");
      return 77;
    }
  return AMP_RESULT;
}

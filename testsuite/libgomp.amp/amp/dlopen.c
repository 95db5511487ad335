/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops in a shared object that a program without OpenMP loads, runs, closes
   and loads again.  libgomp itself stays: its idle threads do not survive
   that it is unloaded, in the stock library neither.  */
/* { amp-shared dlopen-part.c } */
/* { amp-options -fno-openmp -ldl } */

#include <dlfcn.h>
#include <stdio.h>

int
main (int argc, char **argv)
{
  for (int round = 0; round < 3; round++)
    {
      void *lib = dlopen (argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
      int (*run) (int);

      if (lib == NULL)
	{
	  printf ("%s\n", dlerror ());
	  return 1;
	}
      run = (int (*) (int)) dlsym (lib, "run");
      if (run == NULL || run (1) != 0 || run (2) != 0 || run (5) != 0)
	{
	  printf ("round %d fails\n", round);
	  return 1;
	}
      if (dlopen ("libgomp.so.1", RTLD_NOW | RTLD_NOLOAD) == NULL)
	{
	  printf ("libgomp.so.1 is not there\n");
	  return 1;
	}
      dlclose (lib);
    }
  return 0;
}

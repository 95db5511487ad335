/* SPDX-License-Identifier: GPL-3.0-or-later
   A program of another compiler that has a libgomp already: it is linked with
   the shared object, or loads it, as R does.  */

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

#ifdef LINKED
extern int library_blocks (void);
#endif

int
main (int argc, char **argv)
{
  int threads = 0;
  int (*fn) (void);

#pragma omp parallel reduction (+: threads)
  threads++;
#ifdef LINKED
  fn = library_blocks;
#else
  void *object = dlopen (argv[argc - 1], RTLD_NOW);
  if (object == NULL)
    {
      puts (dlerror ());
      return 1;
    }
  fn = (int (*) (void)) dlsym (object, "library_blocks");
#endif
  puts (threads > 0 && fn () ? "static" : "not static");
  return 0;
}

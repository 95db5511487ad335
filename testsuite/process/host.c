/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host PART [STACK]: load the plug-in, run its loop and unload it, again and
   again, also in threads with stacks of STACK bytes; then, when the library is
   gone, threads end and a process is forked.  */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *
visit (void *name)
{
  void *part = dlopen (name, RTLD_NOW);
  int (*run) (int) = part != NULL ? (int (*) (int)) dlsym (part, "run") : NULL;
  long bad = run == NULL || run (20000) != 10000;

  if (part != NULL)
    dlclose (part);
  return (void *) bad;
}

int
main (int argc, char **argv)
{
  long bad = argc < 2;
  pthread_attr_t attr;

  pthread_attr_init (&attr);
  if (argc > 2 && pthread_attr_setstacksize (&attr, atol (argv[2])) != 0)
    return 77;

  for (int i = 0; i < 30 && !bad; i++)
    {
      pthread_t t;
      void *result = NULL;
      int status = 0;
      pid_t pid;

      if (argc <= 2)
	bad |= (long) visit (argv[1]);
      pthread_create (&t, &attr, visit, argv[1]);
      pthread_join (t, &result);
      bad |= (long) result;
      pid = fork ();
      if (pid == 0)
	_exit (0);
      waitpid (pid, &status, 0);
      bad |= status;
    }
  printf ("%ld\n", bad);
  return 0;
}

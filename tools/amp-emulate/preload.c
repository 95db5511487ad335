/* SPDX-License-Identifier: GPL-3.0-or-later

   libamp-slow.so: loaded by LD_PRELOAD into a command of amp-emulate
   --method=signal and what that starts.  Slows the first thread, and all that
   come by pthread_create.  Where something is missing the program runs as it
   is, and says so.  */

#define _GNU_SOURCE
#include "slow.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int create_function (pthread_t *, const pthread_attr_t *,
			     void *(*) (void *), void *);

static bool in_use;
static const char all[] = "all";

static void
complain (const char *what, const char *who)
{
  fprintf (stderr, "libamp-slow.so: %s: %s: %s of process %ld at full speed\n",
	   what, strerror (errno), who, (long) getpid ());
}

/* The table in PATH; NULL, with errno set, if there is none.  */
static struct amp_slow_table *
open_table (const char *path)
{
  struct amp_slow_table *table = MAP_FAILED;
  struct stat status;
  int fd = open (path, O_RDWR | O_CLOEXEC);

  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) == 0 && status.st_size >= (off_t) sizeof *table)
    table = mmap (NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  0);
  else
    errno = EPROTO;
  int error = errno;
  close (fd);
  errno = error;
  if (table == MAP_FAILED)
    return NULL;
  if (table->magic == AMP_SLOW_MAGIC)
    return table;
  munmap (table, sizeof *table);
  errno = EPROTO;
  return NULL;
}

static void __attribute__ ((constructor))
load (void)
{
  const char *path = getenv (AMP_SLOW_VARIABLE);
  struct amp_slow_table *table = path != NULL ? open_table (path) : NULL;

  if (path == NULL)
    return;
  if (table == NULL)
    complain (path, all);
  else if (!amp_slow_use (table) || !amp_slow_begin ())
    complain ("a timer and a signal", all);
  else
    {
      in_use = true;
      atomic_fetch_add_explicit (&table->processes, 1, memory_order_relaxed);
    }
}

struct start
{
  void *(*function) (void *);
  void *arg;
};

static void
end (void *unused)
{
  (void) unused;
  amp_slow_end ();
}

static void *
run (void *arg)
{
  struct start start = *(struct start *) arg;
  void *result;

  free (arg);
  if (!amp_slow_begin ())
    complain ("a timer", "a thread");
  pthread_cleanup_push (end, NULL);
  result = start.function (start.arg);
  pthread_cleanup_pop (1);
  return result;
}

/* As the C library's; the one name that programs see.  */
int __attribute__ ((visibility ("default")))
pthread_create (pthread_t *thread, const pthread_attr_t *attr,
		void *(*function) (void *), void *arg)
{
  /* Two threads at once find the same.  */
  static _Atomic (create_function *) real;
  create_function *create = atomic_load_explicit (&real, memory_order_relaxed);

  if (create == NULL)
    {
      create = (create_function *) dlsym (RTLD_NEXT, "pthread_create");
      atomic_store_explicit (&real, create, memory_order_relaxed);
    }
  if (create == NULL)
    return EAGAIN;
  if (!in_use)
    return create (thread, attr, function, arg);
  struct start *start = malloc (sizeof *start);
  if (start == NULL)
    return EAGAIN;
  start->function = function;
  start->arg = arg;
  int error = create (thread, attr, run, start);
  if (error != 0)
    free (start);
  return error;
}

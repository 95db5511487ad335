/* SPDX-License-Identifier: GPL-3.0-or-later */
/* around MODE [ARGUMENT]: loops, and what programs do to the process that they
   run in.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
extern bool GOMP_loop_nonmonotonic_runtime_start (long, long, long, long *,
						  long *);
extern bool GOMP_loop_runtime_next (long *, long *);
extern void GOMP_loop_end (void);

static __thread volatile unsigned sink;
static char **arguments;
static const char *argument;

static void
loops (int times)
{
  for (int r = 0; r < times; r++)
    {
#pragma omp parallel for schedule (runtime)
      for (int i = 0; i < 20000; i++)
	sink = i;
#pragma omp parallel for
      for (int i = 0; i < 20000; i++)
	sink = i;
    }
}

/* A daemon closes all descriptors; what it opens then is its own.  */

static int
descriptors (void)
{
  static const char text[] = "precious\n";
  int fd;

  loops (2);
  for (fd = 3; fd < 1024; fd++)
    close (fd);
  fd = open (argument, O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (write (fd, text, sizeof text - 1) != sizeof text - 1)
    return 2;
  loops (4);
  return write (fd, text, sizeof text - 1) == sizeof text - 1 ? 0 : 2;
}

/* ... and what it keeps in a pipe is read by nobody else; threads that end leave
   no descriptors.  */

static void *
visits (void *arg)
{
  loops (1);
  return arg;
}

static int
open_descriptors (void)
{
  int n = 0;

  for (int fd = 0; fd < 1024; fd++)
    n += fcntl (fd, F_GETFD) >= 0;
  return n;
}

static int
pipes (void)
{
  char text[4096];
  int fd[2], before, n;
  pthread_t t;

  loops (2);
  before = open_descriptors ();
  for (int i = 0; i < 10; i++)
    {
      pthread_create (&t, NULL, visits, NULL);
      pthread_join (t, NULL);
    }
  /* Threads of pools may take a while.  */
  for (int i = 0; i < 3000 && open_descriptors () > before; i++)
    usleep (20000);
  n = open_descriptors () - before;
  for (int i = 3; i < 1024; i++)
    close (i);
  for (int i = 0; i < 20; i++)
    {
      if (pipe (fd) != 0 || write (fd[1], text, sizeof text) != sizeof text)
	return 2;
      fcntl (fd[0], F_SETFL, O_NONBLOCK);
    }
  loops (10);
  for (int i = 3; i < fd[1]; i += 2)
    n += read (i, text, sizeof text) != sizeof text;
  printf ("%d\n", n);
  return 0;
}

/* A process that shows what it is doing in the list of processes writes over
   its arguments and its environment.  */

static int
title (void)
{
  char **argv = arguments, *end = argv[0];

  loops (2);
  for (int i = 0; argv[i] != NULL; i++)
    if (argv[i] == end)
      end += strlen (end) + 1;
  for (int i = 0; environ[i] != NULL; i++)
    if (environ[i] == end)
      end += strlen (end) + 1;
  memset (argv[0], ' ', end - argv[0] - 1);
  loops (2);
  return 0;
}

static void
end (int signal)
{
  (void) signal;
  exit (0);
}

/* A handler ends the program while loops run, or memory is taken.  */

static int
interrupted (void)
{
  struct itimerval timer
    = { { 0, 0 }, { 0, 20000 + getpid () * 7919L % 60000 } };
  bool memory = strcmp (argument, "memory") == 0;

  loops (1);
  signal (SIGALRM, end);
  setitimer (ITIMER_REAL, &timer, NULL);
  for (;;)
    if (memory)
      for (int i = 0; i < 1000; i++)
	free (malloc (i * 7 % 3000));
    else
      loops (1);
}

/* How many chunks a loop takes that is known: one a thread, with some hundred
   where one was moved, and 20000 where threads are thought to share CPUs.  */

static long
chunks_of_loop (void)
{
  long chunks = 0;

  for (int r = 0; r < 12; r++)
    {
      chunks = 0;
#pragma omp parallel num_threads (2)
      {
	long begin, to;

	if (GOMP_loop_nonmonotonic_runtime_start (0, 20000, 1, &begin, &to))
	  do
	    {
	      __atomic_fetch_add (&chunks, 1, __ATOMIC_RELAXED);
	      for (long i = begin; i < to; i++)
		for (int j = 0; j < 500; j++)
		  sink = j;
	    }
	  while (GOMP_loop_runtime_next (&begin, &to));
	GOMP_loop_end ();
      }
    }
  return chunks;
}

static volatile int in_region, leave;

static void *
waits_in_region (void *arg)
{
#pragma omp parallel num_threads (2)
  {
    in_region = 1;
    while (!leave)
      usleep (1000);
  }
  return arg;
}

static void *
cancelled_in_region (void *arg)
{
  /* A region of two alone can be left by cancellation: its other thread has
     come to its end by then, or not yet begun.  */
#pragma omp parallel num_threads (2)
  {
    if (omp_get_thread_num () == 0)
      {
	in_region = 1;
	for (;;)
	  pause ();
      }
  }
  return arg;
}

static int
running (void)
{
  pthread_t t;
  int status = 0;
  bool cancel = strcmp (argument, "cancel") == 0;

  pthread_create (&t, NULL, cancel ? cancelled_in_region : waits_in_region,
		  NULL);
  while (!in_region)
    usleep (1000);
  if (cancel)
    {
      pthread_detach (t);
      pthread_cancel (t);
      /* It is gone some time.  */
      while (chunks_of_loop () >= 2000)
	continue;
      puts ("1");
      fflush (stdout);
      _exit (0);
    }
  if (fork () == 0)
    {
      printf ("%d\n", chunks_of_loop () < 2000);
      fflush (stdout);
      _exit (0);
    }
  wait (&status);
  leave = 1;
  pthread_join (t, NULL);
  return status != 0;
}

static int
allowed (void)
{
  cpu_set_t set;

  return sched_getaffinity (0, sizeof set, &set) == 0 ? CPU_COUNT (&set) : 0;
}

static int
spawn (char *program)
{
  char *argv[] = { program, "count", NULL };
  pid_t pid;
  int status;

  fflush (stdout);
  if (posix_spawn (&pid, program, NULL, NULL, argv, environ) != 0)
    return 1;
  return waitpid (pid, &status, 0) != pid || status != 0;
}

/* A thread that has been cancelled goes on up to where the program has it wait,
   though it waits in a loop for one that has not come to it.  */

static void *
cancelled_before_loop (void *arg)
{
  pthread_cancel (pthread_self ());
#pragma omp parallel num_threads (2)
  {
    if (omp_get_thread_num () != 0)
      usleep (50000);
#pragma omp for schedule (nonmonotonic: runtime)
    for (int i = 0; i < 4; i++)
      sink = i;
  }
  leave = 1;
  pthread_testcancel ();
  return arg;
}

static int
waits (void)
{
  pthread_t t;

  pthread_create (&t, NULL, cancelled_before_loop, NULL);
  pthread_join (t, NULL);
  _exit (!leave);
}

/* How many CPUs children have: of spawn and fork before regions, between
   them, also where one has had a region for a device in it, and of fork in
   one.  */

static int
masks (void)
{
  char *program = arguments[0];
  int status = 0;

  setvbuf (stdout, NULL, _IOLBF, 0);
  spawn (program);
  loops (3);
#pragma omp parallel num_threads (2)
  {
#pragma omp target if (0)
#pragma omp parallel num_threads (2)
    __asm__ volatile ("");
  }
  spawn (program);
  if (fork () == 0)
    {
      printf ("%d\n", allowed ());
      _exit (0);
    }
  wait (&status);
#pragma omp parallel num_threads (2)
#pragma omp critical
  if (fork () == 0)
    {
      printf ("%d\n", allowed ());
      _exit (0);
    }
  wait (&status);
  wait (&status);
  execl (program, program, "count", NULL);
  return 1;
}

/* Where threads run in a region, and what a thread keeps that the program has
   bound itself.  */

static int
places (void)
{
  int cpus[2] = { -1, -1 }, wrong = 0;
  cpu_set_t own, now;

  if (strcmp (argument, "own") == 0)
    {
      sched_getaffinity (0, sizeof own, &own);
      for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; cpu++)
	if (CPU_ISSET (cpu, &own) && seen++ != 1)
	  CPU_CLR (cpu, &own);
#pragma omp parallel num_threads (2)
      if (omp_get_thread_num () == 0)
	sched_setaffinity (0, sizeof own, &own);
      for (int r = 0; r < 5; r++)
	{
	  loops (1);
	  sched_getaffinity (0, sizeof now, &now);
	  wrong |= !CPU_EQUAL (&own, &now);
	}
      printf ("%d\n", wrong);
      return 0;
    }
  for (int r = 0; r < 200; r++)
    {
#pragma omp parallel num_threads (2)
      cpus[omp_get_thread_num ()] = sched_getcpu ();
    }
  printf ("%d %d\n", cpus[0], cpus[1]);
  return 0;
}

/* The first loop is begun by a thread of the pool, on its stack.  */

static int
stack (void)
{
  long sum = 0;

#pragma omp parallel reduction (+ : sum)
  {
    if (omp_get_thread_num () == 0)
      usleep (50000);
    for (int r = 0; r < 20; r++)
      {
#pragma omp for schedule (runtime)
	for (int i = 0; i < 1000; i++)
	  sum += i;
#pragma omp for
	for (int i = 0; i < 1000; i++)
	  sum += i;
      }
  }
  return sum != 40 * 499500L;
}

/* What was in errno before a loop is there behind it.  */

static int
errors (void)
{
  int changed = 0;

  for (int r = 0; r < 20; r++)
    {
#pragma omp parallel reduction (+ : changed)
      {
	errno = 77;
#pragma omp for schedule (runtime)
	for (int i = 0; i < 20000; i++)
	  sink = i;
	changed += errno != 77;
      }
      errno = 77;
      loops (1);
      changed += errno != 77;
    }
  return changed != 0;
}

static int
limited (void)
{
  struct rlimit limit = { 4096, RLIM_INFINITY };

  setrlimit (RLIMIT_FSIZE, &limit);
  loops (4);
  return 0;
}

/* Become ARGV, with a standard error that nobody reads.  */

static int
unheard (void)
{
  char **argv = arguments + 2;
  int fd[2];

  signal (SIGPIPE, SIG_DFL);
  if (pipe (fd) != 0 || dup2 (fd[1], STDERR_FILENO) < 0)
    return 2;
  close (fd[0]);
  close (fd[1]);
  execv (argv[0], argv);
  return 2;
}

/* No memory is left for what is known of further loops.  */

static int
exhausted (void)
{
  struct rlimit limit = { 0, 0 };
  long sum = 0, wanted = 0;
  void *volatile taken;	/* Or GCC 16 leaves malloc out, and never ends.  */

  loops (1);
  setrlimit (RLIMIT_AS, &limit);
  for (size_t size = 1 << 20; size >= 16; size /= 2)
    while ((taken = malloc (size)) != NULL)
      ;
  for (int n = 1; n < 20000; n *= 2)
    {
#pragma omp parallel for schedule (runtime) reduction (+ : sum)
      for (int i = 0; i < n; i++)
	sum += i;
      wanted += n * (n - 1L) / 2;
    }
  _exit (sum != wanted);
}

/* So many threads come, run loops, and go; what stays in memory of each.  */

static long
kilobytes (void)
{
  long size = 0, resident = 0;
  FILE *f = fopen ("/proc/self/statm", "r");

  if (f == NULL || fscanf (f, "%ld %ld", &size, &resident) != 2)
    resident = 0;
  if (f != NULL)
    fclose (f);
  return resident * (sysconf (_SC_PAGESIZE) / 1024);
}

static int
visitors (void)
{
  long before = 0;
  pthread_t t;

  for (int i = 0; i < 2000; i++)
    {
      if (i == 500)
	before = kilobytes ();
      pthread_create (&t, NULL, visits, NULL);
      pthread_join (t, NULL);
    }
  printf ("%d\n", kilobytes () - before < 1000);
  return 0;
}

int
main (int argc, char **argv)
{
  static const struct { const char *mode; int (*run) (void); } modes[] = {
#define MODE(NAME) { #NAME, NAME }
    MODE (descriptors), MODE (pipes), MODE (title), MODE (interrupted),
    MODE (running), MODE (waits), MODE (masks), MODE (places), MODE (stack),
    MODE (errors), MODE (limited), MODE (unheard), MODE (exhausted),
    MODE (visitors)
  };
  const char *mode = argc > 1 ? argv[1] : "";

  arguments = argv;
  argument = argc > 2 ? argv[2] : "";
  for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++)
    if (strcmp (mode, modes[i].mode) == 0)
      return modes[i].run ();
  if (strcmp (mode, "count") == 0)
    {
      printf ("%d\n", allowed ());
      return 0;
    }
  if (strcmp (mode, "schedule") == 0)
    {
      omp_sched_t kind;
      int chunk;

      omp_get_schedule (&kind, &chunk);
      printf ("%d %d\n", (int) (kind & 0xff), chunk);
      return 0;
    }
  if (strcmp (mode, "folder") == 0 && chdir (argument) != 0)
    return 2;
  if (strcmp (mode, "locale") == 0)
    {
      char number[20];

      if (setlocale (LC_ALL, "") == NULL)
	return 77;
      snprintf (number, sizeof number, "%.1f", 0.5);
      if (strcmp (number, "0,5") != 0)
	return 77;
#if __GNUC__ >= 12
      omp_display_env (1);
#else
      return 77;
#endif
    }
  loops (strcmp (mode, "once") == 0 ? 1 : 4);
  return 0;
}

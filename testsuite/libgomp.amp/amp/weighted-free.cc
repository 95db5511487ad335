/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Weighted teams confine nobody but their own threads: threads and processes
   that the program starts between regions may run wherever it may, and it sees
   as many CPUs as before, in regions, too.  Regions are long enough for their
   first thread to be bound.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TYPES=@A@:@B@ OMP_DYNAMIC=false } */
/* { amp-run {GOMP_AMP_TEAM=weighted GOMP_AMP_SF=4} {5} {5 threads\n} } */
/* { amp-run {GOMP_AMP_TEAM=weighted GOMP_AMP_SF=4 OMP_NUM_THREADS=2} {2} {2 threads\n} } */
/* { amp-run {GOMP_AMP_TEAM=weighted GOMP_AMP_SF=4 OMP_CANCELLATION=true} {5} {5 threads\n} } */
/* { amp-run {} {0} {stock\n} } */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1
#endif
#include <spawn.h>
#include <thread>
#include "amp-test.h"

extern char **environ;

static cpu_set_t all;

/* A program run by posix_spawn: it compares its own mask with WANTED.  */

static bool
spawned_is_free (const char *self, const char *wanted)
{
  char *const argv[] = { (char *) self, (char *) "mask", (char *) wanted, NULL };
  char *const env[] = { NULL };
  pid_t pid;
  int status;

  return (posix_spawn (&pid, "/proc/self/exe", NULL, NULL, argv, env) == 0
	  && waitpid (pid, &status, 0) == pid && status == 0);
}

int
main (int argc, char **argv)
{
  unsigned before = std::thread::hardware_concurrency (), threads;
  long online = sysconf (_SC_NPROCESSORS_ONLN);
  char mask[CPU_SETSIZE + 1];

  if (argc < 2)
    return 2;
  all = amp_mask ();
  for (int i = 0; i < CPU_SETSIZE; i++)
    mask[i] = CPU_ISSET (i, &all) ? '1' : '0';
  mask[CPU_SETSIZE] = '\0';
  if (argc > 2)
    return strcmp (argv[2], mask) != 0;
  threads = atoi (argv[1]);
  for (int round = 0; round < 4; round++)
    {
      bool thread_free = false;
      unsigned n = 0;

#pragma omp parallel reduction (+:n)
      {
	n = 1;
	usleep (3000);
	CHECK (std::thread::hardware_concurrency () == before);
	CHECK (sysconf (_SC_NPROCESSORS_ONLN) == online);
	CHECK (omp_get_num_procs () == CPU_COUNT (&all));
      }
      CHECK (threads == 0 || n == threads);
      CHECK (amp_has_mask (&all));
      CHECK (std::thread::hardware_concurrency () == before);
      std::thread ([&] { thread_free = amp_has_mask (&all); }).join ();
      CHECK (thread_free);
      CHECK (spawned_is_free (argv[0], mask));
    }
  if (threads != 0)
    printf ("%u threads\n", threads);
  else
    puts ("stock");
  return AMP_RESULT;
}

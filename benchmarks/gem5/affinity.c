/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System emulation of gem5 answers a question for the affinity mask without
   filling it in.  The first GEM5_CPUS processors are the answer here: a thread
   has one of its own there, in the order in which threads start, and stays.
   It also takes rseq for registered, so that glibc would not ask for the CPU.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int
sched_getaffinity (pid_t pid, size_t size, cpu_set_t *set)
{
  (void) pid;
  const char *count = getenv ("GEM5_CPUS");
  CPU_ZERO_S (size, set);
  for (int i = 0; i < (count ? atoi (count) : 1); i++)
    CPU_SET_S (i, size, set);
  return 0;
}

int
pthread_getaffinity_np (pthread_t thread, size_t size, cpu_set_t *set)
{
  (void) thread;
  return sched_getaffinity (0, size, set);
}

int
sched_getcpu (void)
{
  unsigned cpu;
  return syscall (SYS_getcpu, &cpu, 0, 0) == 0 ? (int) cpu : -1;
}

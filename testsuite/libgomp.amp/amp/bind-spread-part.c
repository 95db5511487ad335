/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* To be preloaded: eight CPUs, and a thread is on the one that its place is,
   wherever it is.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <string.h>

extern int omp_get_place_num (void) __attribute__ ((weak));

static int
eight (size_t size, cpu_set_t *set)
{
  memset (set, 0, size);
  for (int i = 0; i < 8; i++)
    CPU_SET_S (i, size, set);
  return 0;
}

int
pthread_getaffinity_np (pthread_t thread, size_t size, cpu_set_t *set)
{
  (void) thread;
  return eight (size, set);
}

int
pthread_setaffinity_np (pthread_t thread, size_t size, const cpu_set_t *set)
{
  (void) thread, (void) size, (void) set;
  return 0;
}

int
pthread_attr_setaffinity_np (pthread_attr_t *attr, size_t size,
			     const cpu_set_t *set)
{
  (void) attr, (void) size, (void) set;
  return 0;
}

int
sched_getcpu (void)
{
  int place = omp_get_place_num != NULL ? omp_get_place_num () : -1;
  return place < 0 ? 0 : place;
}

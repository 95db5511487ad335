/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* In the steady state a loop allocates nothing: twice as many loops call the
   allocator as often.  */
/* A trace is written while the loops run.  */
/* { amp-without trace } */
/* { amp-options -ldl } */

#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include "amp-test.h"

static unsigned long calls;

extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);
extern void *__libc_memalign (size_t, size_t);

/* Whether a new thread finds the stack of one that has ended is a matter of
   chance: what pthread_create takes does not count.  */
static __thread int creating;

#define COUNT() \
  (void) (creating || __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED))

void *malloc (size_t n) { COUNT (); return __libc_malloc (n); }
void *calloc (size_t n, size_t m) { COUNT (); return __libc_calloc (n, m); }
void *realloc (void *p, size_t n) { COUNT (); return __libc_realloc (p, n); }

void *
memalign (size_t a, size_t n)
{
  COUNT ();
  return __libc_memalign (a, n);
}

void *
aligned_alloc (size_t a, size_t n)
{
  return memalign (a, n);
}

int
posix_memalign (void **p, size_t a, size_t n)
{
  COUNT ();
  *p = __libc_memalign (a, n);
  return *p != NULL ? 0 : ENOMEM;
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attr,
		void *(*start) (void *), void *arg)
{
  static int (*next) (pthread_t *, const pthread_attr_t *, void *(*) (void *),
		      void *);
  int ret;

  creating = 1;
  if (next == NULL)
    *(void **) &next = dlsym (RTLD_NEXT, "pthread_create");
  ret = next (thread, attr, start, arg);
  creating = 0;
  return ret;
}

static int sink[256];

static void
in_region (int rounds)
{
#pragma omp parallel num_threads (2)
  for (int r = 0; r < rounds; r++)
    {
#pragma omp for
      for (long i = 0; i < 256; i++)
	sink[i]++;
#pragma omp for schedule (runtime)
      for (unsigned long long u = 255; u > 0; u--)
	sink[u]++;
      /* Fewer in flight than a team has work shares of its own.  */
#pragma omp for nowait
      for (long i = 0; i < 128; i++)
	sink[i]++;
#pragma omp for nowait
      for (long i = 128; i < 256; i++)
	sink[i]++;
#pragma omp barrier
    }
}

static void
combined (int rounds)
{
  for (int r = 0; r < rounds; r++)
    {
#pragma omp parallel for num_threads (2)
      for (int i = 0; i < 256; i++)
	sink[i]++;
#pragma omp parallel for num_threads (2) schedule (runtime)
      for (long i = 255; i >= 0; i--)
	sink[i]++;
    }
}

/* Teams that come and go: for these libgomp itself allocates.  */

static void
changing (int rounds)
{
  for (int r = 0; r < rounds; r++)
    {
#pragma omp parallel for num_threads (2)
      for (int i = 0; i < 256; i++)
	sink[i]++;
#pragma omp parallel num_threads (3)
      {
#pragma omp for
	for (int i = 0; i < 256; i++)
	  sink[i]++;
#pragma omp for schedule (runtime)
	for (int i = 0; i < 256; i++)
	  sink[i]++;
      }
    }
}

static unsigned long
cost (void (*f) (int), int rounds)
{
  unsigned long before = calls;
  f (rounds);
  return calls - before;
}

int
main (void)
{
  const char *check = getenv ("GOMP_AMP_DEBUG");
  unsigned long once, twice;

  /* The counter counts what the library calls: a first region needs memory.  */
  CHECK (cost (in_region, 1) > 0);

  in_region (20);
  once = cost (in_region, 50);
  twice = cost (in_region, 100);
  /* Where each verdict is turned, it is a matter of chance how many loops are in
     flight at once: each of a team's eight work shares may be used here for the
     first time.  */
  if (check != NULL && strstr (check, "verdicts") != NULL)
    CHECK (once + twice <= 8);
  else
    CHECK (once == twice);
  combined (20);
  once = cost (combined, 40);
  twice = cost (combined, 80);
  CHECK (once == 0);
  CHECK (twice == 0);

  changing (20);
  once = cost (changing, 40);
  omp_set_schedule (omp_sched_dynamic, 4);
  changing (20);
  twice = cost (changing, 40);
  CHECK (once <= twice);
  return AMP_RESULT;
}

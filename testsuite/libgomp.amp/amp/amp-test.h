/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What the programs of this suite share: CHECK, an exact cover check, and a
   meeting of threads.  */

#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "omp_amp.h"

/* Before GCC 11 nested teams had to be allowed as well.  */
#if __GNUC__ < 11
# define omp_set_max_active_levels(N) \
  (omp_set_nested ((N) > 1), omp_set_max_active_levels (N))
#endif

/* Loops that are known to use the thread's number stay static; of a weak
   function nothing is known.  */

int __attribute__ ((weak))
amp_thread_num (void)
{
  return omp_get_thread_num ();
}
#define omp_get_thread_num amp_thread_num

static int amp_failures;

static inline void
amp_failed (const char *file, int line, const char *what, const char *where)
{
  /* The first few tell enough.  */
  if (__atomic_fetch_add (&amp_failures, 1, __ATOMIC_RELAXED) < 10)
    fprintf (stderr, "%s:%d: %s%s%s\n", file, line, what,
	     *where != '\0' ? ": " : "", where);
}

#define CHECK(COND) CHECK_IN (COND, "")
#define CHECK_IN(COND, WHERE)					\
  do								\
    {								\
      if (!(COND))						\
	amp_failed (__FILE__, __LINE__, #COND, WHERE);		\
    }								\
  while (0)

/* What main returns.  */
#define AMP_RESULT (amp_failures != 0)

/* A loop without a clause, as the compiler begins it; it goes on with
   GOMP_loop_static_next.  Bits of enum gomp_amp_told in gomp-amp.h may be
   added.  */
#ifndef __cplusplus
#define AMP_TOLD 0x414d5000
#define AMP_TOLD_NOWAIT 32

extern _Bool GOMP_loop_static_start (long, long, long, long, long *, long *);
extern _Bool GOMP_loop_static_next (long *, long *);
extern _Bool GOMP_loop_ull_static_start (_Bool, unsigned long long,
					 unsigned long long, unsigned long long,
					 unsigned long long,
					 unsigned long long *,
					 unsigned long long *);
extern _Bool GOMP_loop_ull_static_next (unsigned long long *,
					unsigned long long *);
extern _Bool GOMP_loop_maybe_nonmonotonic_runtime_start (long, long, long,
							 long *, long *);
extern _Bool GOMP_loop_maybe_nonmonotonic_runtime_next (long *, long *);
extern void GOMP_loop_end (void);
extern void GOMP_loop_end_nowait (void);

static inline _Bool __attribute__ ((always_inline, unused))
amp_loop_start (long a, long b, long step, long *s, long *e)
{
  *s = AMP_TOLD;
  return GOMP_loop_static_start (a, b, step, 0, s, e);
}
#endif

/* Does HOLDS (ARG) in a child of fork?  */

static inline int
amp_in_child (int (*holds) (int), int arg)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    _exit (!holds (arg));
  return pid > 0 && waitpid (pid, &status, 0) == pid && status == 0;
}

#ifdef CPU_SETSIZE		/* With _GNU_SOURCE.  */
/* Where the calling thread may run.  */

static inline cpu_set_t
amp_mask (void)
{
  cpu_set_t mask;

  CPU_ZERO (&mask);
  CHECK (sched_getaffinity (0, sizeof mask, &mask) == 0);
  return mask;
}

/* Is that where MASK says?  */

static inline int
amp_has_mask (const cpu_set_t *mask)
{
  cpu_set_t mine = amp_mask ();

  return CPU_EQUAL (&mine, mask);
}

/* The one CPU where it may run, or -1.  */

static inline int
amp_bound_to (void)
{
  cpu_set_t mine = amp_mask ();
  int cpu = 0;

  if (CPU_COUNT (&mine) != 1)
    return -1;
  while (!CPU_ISSET (cpu, &mine))
    cpu++;
  return cpu;
}

/* Two CPUs that a thread may be put on; CHECKs that there are.  The calling
   thread is left on one of them.  */

static inline void
amp_find_cpus (cpu_set_t cpus[2])
{
  cpu_set_t all = amp_mask ();
  unsigned found = 0;

  /* With GOMP_AMP_AFFINITY the first thread is bound already.  */
  if (CPU_COUNT (&all) == 1)
    {
      memset (&all, 0xff, sizeof all);
      sched_setaffinity (0, sizeof all, &all);
      all = amp_mask ();
    }
  for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++)
    if (CPU_ISSET (cpu, &all))
      {
	CPU_ZERO (&cpus[found]);
	CPU_SET (cpu, &cpus[found]);
	if (sched_setaffinity (0, sizeof cpus[0], &cpus[found]) == 0)
	  found++;
      }
  CHECK (found == 2);
}
#endif

/* How often each iteration of the loop under way has been run, by any
   thread, and by which thread last.  */
#define AMP_COVER_MAX 100000
static unsigned char amp_seen[AMP_COVER_MAX];
static short amp_by[AMP_COVER_MAX];
static unsigned long long amp_visits;

static inline void
amp_cover_begin (void)
{
  memset (amp_seen, 0, sizeof amp_seen);
  amp_visits = 0;
}

static inline void
amp_visit (unsigned long long ordinal)
{
  /* A loop that never ends must not fill the log.  */
  if (__atomic_fetch_add (&amp_visits, 1, __ATOMIC_RELAXED)
      >= 2 * AMP_COVER_MAX)
    {
      fprintf (stderr, "too many iterations\n");
      _Exit (1);
    }
  if (ordinal >= AMP_COVER_MAX)
    return;
  __atomic_fetch_add (&amp_seen[ordinal], 1, __ATOMIC_RELAXED);
  amp_by[ordinal] = omp_get_thread_num ();
}

/* True if iterations 0 .. N-1 have been run once each, and no other.  */

static inline int
amp_covered (unsigned long long n)
{
  unsigned long long i;

  if (amp_visits != n || n > AMP_COVER_MAX)
    return 0;
  for (i = 0; i < n; i++)
    if (amp_seen[i] != 1)
      return 0;
  return 1;
}

/* Work that takes a little time, so that more than one thread comes to run
   iterations.  */

static inline void
amp_work (unsigned n)
{
  volatile unsigned sink = 0;
  while (n-- > 0)
    sink = sink + n;
}

/* A thread's first iteration after amp_meet_begin waits for those of THREADS
   threads in all, so that each of them runs some, however late it comes.  */
static unsigned amp_meeting, amp_present;
static __thread unsigned amp_last_meeting;

static inline void
amp_meet_begin (void)
{
  amp_meeting++;
  amp_present = 0;
}

/* True in a thread's first iteration.  */

static inline int
amp_meet (unsigned threads)
{
  if (amp_last_meeting == amp_meeting)
    return 0;
  amp_last_meeting = amp_meeting;
  __atomic_fetch_add (&amp_present, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n (&amp_present, __ATOMIC_RELAXED) < threads)
    sched_yield ();
  return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A region that a team of any size suits is run by one thread where that is
   faster, and by a team where not; by a team, too, where it asks for threads,
   where it does not say so, and within others or orphaned constructs.  What is
   faster may change, and its greatest trip counts say what; other code at the
   same address is another region.  Each iteration is run once.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {OMP_NUM_THREADS=2} {judged} {} } */
/* { amp-run {OMP_NUM_THREADS=2 OMP_SCHEDULE=auto} {judged} {} } */
/* { amp-run {OMP_NUM_THREADS=2 OMP_CANCELLATION=true} {} {} } */
/* { amp-run {OMP_NUM_THREADS=2 GOMP_AMP_TRACE=regions:@DIR@/lone.regions} {} {} } */
/* { amp-run {OMP_NUM_THREADS=2 OMP_SCHEDULE=aid_hybrid} {} {} } */
/* { amp-run {OMP_NUM_THREADS=2 OMP_SCHEDULE=static} {} {} } */

#include "amp-test.h"
#include <sys/mman.h>

extern void GOMP_parallel (void (*) (void *), void *, unsigned, unsigned);

/* In so many rounds one thread is tried three times, eight executions each, if
   it is slower.  */
enum { N = 400, ROUNDS = 1500, TRIED = 24 };

/* What a region is given, and tells.  */
struct about
{
  long n;
  bool any_team;		/* What the compiler says.  */
  unsigned team_us, alone_us;	/* The second thread, or one alone, is held up
				   so long; ...  */
  unsigned barrier_us;		/* ... or the second one before a barrier.  */
  unsigned alone;		/* How often one thread ran it.  */
};

static void
run_loop (struct about *a)
{
  long s = AMP_TOLD + 1, e, i;
  int alone = omp_get_num_threads () == 1;

  if (a->any_team)
    omp_get_ancestor_thread_num (-0x2000);
  if (GOMP_loop_static_start (0, a->n, 1, 0, &s, &e))
    do
      for (i = s; i < e; i++)
	amp_visit (i);
    while (GOMP_loop_static_next (&s, &e));
  GOMP_loop_end_nowait ();
  /* The second thread comes late here.  */
  if (!alone && a->barrier_us)
    {
      if (amp_thread_num () == 1)
	usleep (a->barrier_us);
#pragma omp barrier
    }
  a->alone += alone;
  if (alone && a->alone_us)
    usleep (a->alone_us);
  if (!alone && a->team_us && amp_thread_num () == 1)
    usleep (a->team_us);
}

/* A region each.  */

#define REGION(NAME)							\
static void __attribute__ ((noinline, noclone, noipa))			\
NAME (void *data)							\
{									\
  __asm__ volatile ("" : : "i" (__COUNTER__));				\
  run_loop (data);							\
}
REGION (one)
REGION (team)
REGION (changing)
REGION (unequal)
REGION (shorter)
REGION (asking)
REGION (inner)
REGION (barrier)

/* So many of ROUNDS executions of REGION were by one thread.  */

static unsigned
rounds (void (*region) (void *), struct about *a, unsigned threads)
{
  a->alone = 0;
  for (int r = 0; r < ROUNDS; r++)
    {
      if (r % 25 == 0)
	amp_cover_begin ();
      GOMP_parallel (region, a, threads, 0);
      if (r % 25 == 0)
	CHECK (amp_covered (a->n));
    }
  return a->alone;
}

/* A function at the same address each time, which is REGION.  */

typedef void region_function (void *);

static region_function *
code_of (region_function *region)
{
  static unsigned char *page;

#ifdef __x86_64__
  static const unsigned char jump[] = { 0xff, 0x25, 0, 0, 0, 0 };

  if (page == NULL)
    page = mmap (NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return NULL;
  memcpy (page, jump, sizeof jump);
  memcpy (page + sizeof jump, &region, sizeof region);
#endif
  return (region_function *) page;
}

static void *
nested (void *data)
{
  CHECK (rounds (inner, data, 0) == 0 || omp_get_max_active_levels () == 1);
  return NULL;
}

/* REGION within constructs that are outside of regions.  */

static void __attribute__ ((noinline))
orphaned (void (*region) (void *), struct about *a)
{
  a->alone = 0;
#pragma omp for schedule (dynamic)
  for (int i = 0; i < 50; i++)
    GOMP_parallel (region, a, 0, 0);
#pragma omp for schedule (nonmonotonic: runtime)
  for (int i = 0; i < 50; i++)
    GOMP_parallel (region, a, 0, 0);
#pragma omp sections
  {
#pragma omp section
    GOMP_parallel (region, a, 0, 0);
#pragma omp section
    GOMP_parallel (region, a, 0, 0);
  }
  CHECK (a->alone == 0);
}

int
main (int argc, char **argv)
{
  int judged = argc > 1 && strcmp (argv[1], "judged") == 0;
  struct about slow_team = { N, true, 150, 0, 0, 0 };
  struct about slow_one = { N, true, 0, 500, 0, 0 };
  struct about other = { N, false, 150, 0, 0, 0 };
  struct about longer = { 8 * N, true, 0, 500, 0, 0 };
  struct about slow_barrier = { N, true, 0, 0, 150, 0 };
  unsigned alone = rounds (one, &slow_team, 0);

  (void) argv;
  CHECK (judged ? alone > 4 * TRIED : alone == 0);
  orphaned (one, &slow_team);
  CHECK (rounds (team, &slow_one, 0) <= TRIED);

  /* What is waited for within is no work.  */
  alone = rounds (barrier, &slow_barrier, 0);
  CHECK (judged ? alone > 4 * TRIED : alone == 0);

  rounds (changing, &slow_team, 0);
  rounds (changing, &slow_one, 0);
  CHECK (rounds (changing, &slow_one, 0) <= TRIED);
  alone = rounds (changing, &slow_team, 0);
  alone = rounds (changing, &slow_team, 0);
  CHECK (judged ? alone > 4 * TRIED : alone == 0);

  /* One that is known begins anew when it gets longer; what is shorter changes
     nothing.  */
  rounds (unequal, &slow_team, 0);
  alone = rounds (unequal, &longer, 0);
  CHECK (alone <= TRIED + 1);
  CHECK (rounds (unequal, &slow_team, 0) <= TRIED);
  CHECK (rounds (shorter, &longer, 0) <= TRIED);
  CHECK (rounds (shorter, &slow_team, 0) <= TRIED);

  CHECK (rounds (asking, &slow_team, 2) == 0);
  CHECK (rounds (asking, &other, 0) == 0);

  if (code_of (one) != NULL)
    {
      alone = rounds (code_of (one), &slow_team, 0);
      CHECK (judged ? alone > 4 * TRIED : alone == 0);
      CHECK (rounds (code_of (asking), &other, 0) == 0);
    }

  omp_set_max_active_levels (2);
#pragma omp parallel num_threads (1)
  nested (&slow_team);
  return AMP_RESULT;
}

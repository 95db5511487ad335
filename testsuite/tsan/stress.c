/* SPDX-License-Identifier: GPL-3.0-or-later

   Real threads on the core: many loops on one block, one after the other,
   with random schedulers, parameters, sizes and types.  Meant for
   ThreadSanitizer.

   Iterations write to a plain array that the next loop's write to again in
   another distribution: so the barrier between loops is part of what is
   tested, as in libgomp.

     stress [SECONDS] [SEED]  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "amp-core.c"

#define MAX_N 4096
#define MAX_THREADS 64

static struct amp_loop *block;
static struct amp_site *site;
static bool meddling;
static pthread_barrier_t barrier;
static unsigned nthreads, types;
static unsigned char counts[MAX_N];
static unsigned char lane_type[MAX_THREADS];
static unsigned short lane_cluster[MAX_THREADS];
static unsigned short cluster_size[3];
static unsigned workload[MAX_N];
static void *extra;
static size_t extra_size;
static struct amp_setup setup;
static const struct amp_ops *ops;
static uint64_t rng, loops, grants;
static bool more = true;
static time_t end;

static __thread uint64_t own_rng, own_grants;

static uint64_t
next_random (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void
stress_pause (void)
{
  uint64_t r;

  if (own_rng == 0)
    return;
  r = next_random (&own_rng);
  if (r % 64 == 0)
    sched_yield ();
  else
    for (r %= 16; r != 0; r--)
      __asm__ volatile ("");
}

static void
stress_assert_failed (const char *cond, const char *file, int line)
{
  printf ("FAIL: %s:%d: %s\n", file, line, cond);
  abort ();
}

static uint64_t
amp_ticks (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static unsigned
amp_current_type (void)
{
  return own_rng == 0 ? 0 : next_random (&own_rng) % types;
}

static unsigned
amp_current_cluster (void)
{
  return own_rng == 0 ? 0 : next_random (&own_rng) % 4;
}

static void
amp_count (struct amp_counts *counts)
{
  counts->faults = own_rng % 1000;
  counts->misses = own_rng / 1000 % 1000;
  counts->instructions = own_rng;
}

/* Somebody else in the same site: reads and writes it all the time, as other
   teams do.  */

static void *
meddle (void *arg)
{
  uint64_t state = 12345;

  (void) arg;
  while (__atomic_load_n (&meddling, __ATOMIC_ACQUIRE))
    {
      double sf[AMP_MAX_TYPES];

      amp_site_sf (site, true, sf);
      amp_store_double (&amp_site_costs (site)[next_random (&state) % types],
			(double) (next_random (&state) % 1000));
      sched_yield ();
    }
  return NULL;
}

static void
new_loop (void)
{
  static double sf[AMP_MAX_TYPES];
  unsigned i, n = 0;
  size_t size;

  while (amp_schedulers[n] != NULL)
    n++;
  ops = amp_schedulers[next_random (&rng) % n];
  setup.n = next_random (&rng) % (next_random (&rng) % 2 ? MAX_N : 64);
  setup.lanes = nthreads;
  setup.types = types;
  setup.min_ticks = next_random (&rng) % 4000;
  for (i = 0; i < AMP_MAX_PARAMS; i++)
    setup.params.value[i]
      = (i < ops->nparams && next_random (&rng) % 2
	 ? (int) (next_random (&rng) % 20) + 1 : 0);
  if (ops->check != NULL && ops->check (&setup.params) != NULL)
    memset (&setup.params, 0, sizeof setup.params);
  for (i = 0; i < types; i++)
    sf[i] = 1.0 + next_random (&rng) % 4;
  for (i = 0; i < nthreads; i++)
    lane_type[i] = next_random (&rng) % types;
  setup.sf = next_random (&rng) % 4 ? NULL : sf;
  setup.lane_type = next_random (&rng) % 2 ? NULL : lane_type;
  setup.types_guessed = next_random (&rng) % 2;
  for (i = 0; i < nthreads; i++)
    lane_cluster[i] = next_random (&rng) % 2;
  setup.lane_cluster = next_random (&rng) % 2 ? NULL : lane_cluster;
  for (i = 0; i < 3; i++)
    cluster_size[i] = next_random (&rng) % 3 + 1;
  setup.clusters = next_random (&rng) % 4;
  setup.cluster_size = next_random (&rng) % 2 ? NULL : cluster_size;
  setup.fault_cost = next_random (&rng) % 1000;
  setup.miss_limit = 3.0;
  setup.workload = NULL;
  if (ops == &amp_binlpt && next_random (&rng) % 4)
    {
      for (i = 0; i < setup.n; i++)
	workload[i] = next_random (&rng) % 1000;
      setup.workload = workload;
    }
  size = amp_loop_extra (ops, &setup);
  if (size > extra_size)
    {
      free (extra);
      extra = calloc (1, size);
      extra_size = size;
    }
  setup.extra = extra;
  setup.site = next_random (&rng) % 4 ? site : NULL;
  setup.is_observed = next_random (&rng) % 2;
  setup.is_auto = next_random (&rng) % 2;
  setup.crowded = next_random (&rng) % 8 == 0;
  setup.observed_types = next_random (&rng) % 2;
  amp_loop_init (block, ops, &setup);
  if (next_random (&rng) % 4 == 0)
    block->cursor_mode = AMP_CURSOR_CAS;
  loops++;
}

/* What the threads left behind.  */

static void
check_loop (void)
{
  for (uint64_t i = 0; i < setup.n; i++)
    if (counts[i] != 1)
      {
	printf ("FAIL: %s: ordinal %ju of %ju was run %u times\n", ops->name,
		(uintmax_t) i, (uintmax_t) setup.n, counts[i]);
	exit (1);
      }
  memset (counts, 0, setup.n);
}

static void *
work (void *arg)
{
  unsigned id = (uintptr_t) arg;

  own_rng = (id + 1) * UINT64_C (0x9e3779b97f4a7c15);
  for (;;)
    {
      struct amp_lane *lane;
      struct amp_chunk chunk;

      if (pthread_barrier_wait (&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
	{
	  if (loops != 0)
	    check_loop ();
	  more = loops % 16 != 0 || time (NULL) < end;
	  new_loop ();
	}
      pthread_barrier_wait (&barrier);
      if (!more)
	break;
      lane = amp_loop_lane (block, id);
      if (amp_loop_fresh_p (block, lane))
	amp_loop_enter (block, lane, lane_type[id]);
      for (;;)
	{
	  if (!amp_loop_take_or_end (block, lane, &chunk))
	    {
	      if (lane->state != AMP_ST_PAUSED)
		break;
	      sched_yield ();
	      continue;
	    }
	  own_grants++;
	  for (; chunk.begin < chunk.end; chunk.begin++)
	    {
	      counts[chunk.begin]++;
	      if (next_random (&own_rng) % 256 == 0)
		stress_pause ();
	    }
	}
    }
  __atomic_fetch_add (&grants, own_grants, __ATOMIC_RELAXED);
  return NULL;
}

int
main (int argc, char **argv)
{
  double seconds = argc > 1 ? atof (argv[1]) : 10.0;
  time_t begin = time (NULL);

  rng = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  rng = rng * UINT64_C (0x9e3779b97f4a7c15) | 1;
  for (unsigned round = 0; round < 5; round++)
    {
      static const unsigned threads[] = { 2, 3, 4, 8, MAX_THREADS };
      pthread_t thread[MAX_THREADS], meddler;
      size_t size;

      nthreads = threads[round];
      types = 1 + round;
      end = begin + (time_t) (seconds * (round + 1) / 5.0);
      block = aligned_alloc (AMP_LINE, amp_loop_size (nthreads, types));
      memset (block, 0xa5, amp_loop_size (nthreads, types));
      amp_loop_format (block, nthreads, types);
      size = amp_site_size (nthreads, types);
      site = aligned_alloc (AMP_LINE, size);
      memset (site, 0, size);
      amp_site_format (site, site, nthreads, types, 0);
      meddling = true;
      pthread_barrier_init (&barrier, NULL, nthreads);
      more = true;
      loops = grants = 0;
      if (pthread_create (&meddler, NULL, meddle, NULL))
	return 2;
      for (unsigned i = 0; i < nthreads; i++)
	if (pthread_create (&thread[i], NULL, work, (void *) (uintptr_t) i))
	  return 2;
      for (unsigned i = 0; i < nthreads; i++)
	pthread_join (thread[i], NULL);
      __atomic_store_n (&meddling, false, __ATOMIC_RELEASE);
      pthread_join (meddler, NULL);
      printf ("%u threads, %u types: %ju loops, %ju grants\n", nthreads,
	      types, (uintmax_t) loops - 1, (uintmax_t) grants);
      memset (counts, 0, sizeof counts);
      pthread_barrier_destroy (&barrier);
      free (block);
      free (site);
    }
  puts ("1 passed, 0 failed, 0 skipped");
  return 0;
}

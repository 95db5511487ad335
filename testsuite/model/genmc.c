/* SPDX-License-Identifier: GPL-3.0-or-later

   A loop for GenMC, a model checker that is not part of this tree: see
   `run'.  The macros OPS, PARAMS, N, TYPE (the lanes' types) and TYPES say
   which; CLUSTER, a lane's; SF, CAS, FROZEN, STOPS, OBSERVED, MIGRATES and ASTRAY
   as in model.c.

   GenMC knows C11's memory and races between plain accesses.  What the
   protocols claim to hand over between lanes is relaxed atomics, whose old
   values are no race; so beside each such word there are plain ones, which are
   written and read with it.  A lane that need not see the newest value, or that
   changes a word beside another, is then a race.

   A lane's clock is a row of words: somebody sets each to 1000 at any time.  */

#include <assert.h>
#include <pthread.h>
/* What is behind it goes by it.  */
#define CHECK(COND) if (COND); else (assert (!#COND), __builtin_unreachable ())
#include <stdlib.h>
#include <string.h>
#define AMP_PORT_HEADER "model-port.h"
#define AMP_HETI_LEAST 0
#include "amp.h"
/* Arrays on the stack are steps, too.  */
#undef AMP_MAX_TYPES
#define AMP_MAX_TYPES TYPES
#include "amp-core.c"

static const unsigned char types[] = { TYPE };
#define LANES (sizeof types / sizeof types[0])

#ifndef CLOCKS
# define CLOCKS 0
#endif
#ifdef OBSERVED
# define SITE ((struct amp_site *) site_memory)
#else
# define SITE ((struct amp_site *) NULL)
#endif
#ifdef CAS
# define CURSOR_MODE AMP_CURSOR_CAS
#else
# define CURSOR_MODE AMP_CURSOR_ADD
#endif
#ifndef CLUSTER
# define CLUSTER (current == 0)
#endif
#ifndef FROZEN
# define FROZEN 0
#endif
#ifndef STOPS
# define STOPS 0
#endif
#ifndef ASTRAY
# define ASTRAY 0
#endif
#ifndef MIGRATES
# define MIGRATES 0
#endif

/* Words from the cursor on.  */
#define SHARES ((sizeof (struct amp_loop) - CURSOR) / 8)
#define PACE (SHARES + AMP_ROUND_LINE (TYPES * 8) / 8)
#define SUMS (PACE + AMP_ROUND_LINE (TYPES * sizeof (struct amp_pace)) / 8)
#define BOUNDS (SUMS + TYPES * sizeof (struct amp_type_sum) / 8)
#define QUEUES (BOUNDS + AMP_ROUND_LINE ((LANES + 1) * 8) / 8)
#define WORDS (QUEUES + LANES * sizeof (struct amp_queue) / 8)
#define LANE(I) (CURSOR + WORDS * 8 + (I) * sizeof (struct amp_lane))
#define CURSOR (offsetof (struct amp_loop, cursor))
#define WORD(FIELD) ((offsetof (struct amp_loop, FIELD) - CURSOR) / 8)

static unsigned char memory[LANE (LANES)]
  __attribute__ ((aligned (AMP_LINE)));
#define block ((struct amp_loop *) memory)
static unsigned char site_memory[4096] __attribute__ ((aligned (AMP_LINE)));
static unsigned char extra[4096] __attribute__ ((aligned (AMP_LINE)));

static uint64_t granted[N + 1];
static uint64_t clocks[LANES][CLOCKS + 1];
static char beside[WORDS], added[WORDS][LANES], fetched[N + 1];

/* The calling lane; LANES: none.  */
static __thread unsigned current = LANES;
static __thread unsigned asked;
static __thread bool took;
static __thread uint64_t last_end;

/* What `run' makes of the constant of two words and of clang's memset and memcpy,
   of which GenMC knows few; all are of words.  */

struct amp_chunk
no_chunk (uint64_t zero, uint64_t another)
{
  static __thread uint64_t nothing;

  return amp_make_chunk (nothing, nothing);
}

void
set_words (void *to, uint8_t v, uint64_t size, bool is_volatile)
{
  struct amp_observation *o = to;

  if (size == sizeof *o)
    {
      /* Not of words only.  */
      for (unsigned i = 0; i < TYPES; i++)
	o->cost[i] = o->lanes_of[i] = 0;
      o->last = o->imbalance = 0.0;
      o->last_type = o->is_best = 0;
    }
  else
    for (uint64_t i = 0; i < size / 8; i++)
      ((uint64_t *) to)[i] = 0;
}

void
copy_words (void *to, const void *from, uint64_t size, bool is_volatile)
{
  for (uint64_t i = 0; i < size / 8; i++)
    ((uint64_t *) to)[i] = ((const uint64_t *) from)[i];
}

static void
model_assert_failed (const char *cond, const char *file, int line)
{
  CHECK (0);
}

/* Words that the lane that closes a phase, or is the last to report, owns.  */

static inline bool
summed_p (uint64_t word)
{
  return word == WORD (arrived) || (word >= SUMS && word < BOUNDS);
}

static inline bool
handed_p (uint64_t word)
{
  return (word == WORD (round) || (word >= SHARES && word < PACE)
	  || (word >= BOUNDS && word < QUEUES)
	  || (word >= QUEUES && (word - QUEUES) % 16 >= 2));
}

/* The calling lane loads (0), stores to (1) or adds to (2) P.  */

static inline void
note (const uint64_t *p, int what)
{
  uint64_t word = ((const unsigned char *) p - memory - CURSOR) / 8;

  if (current == LANES || word >= WORDS)
    return;
  if (summed_p (word) && what == 2)
    added[word][current] = 1;
  else if (summed_p (word))
    for (unsigned i = 0; i < LANES; i++)
      if (what == 1)
	added[word][i] = 0;
      else
	(void) *(volatile char *) &added[word][i];
  else if (what == 1 && (handed_p (word) || word == WORD (phase)
			 || (word >= PACE && word < SUMS)))
    beside[word] = 1;
  else if (what == 0 && handed_p (word))
    (void) *(volatile char *) &beside[word];
  if (what != 0 && word == 0)
    took = true;
}

/* P, in cluster_dynamic a pool, becomes V, which is put (1), or was, and a unit
   is popped (0): who pops knows that the cursor has passed it.  */

static inline void
note_units (const uint64_t *p, uint64_t v, int what)
{
  uint64_t word = ((const unsigned char *) p - memory - CURSOR) / 8;
  struct amp_range range = amp_tagged_range (v);

  if (&OPS != &amp_cluster_dynamic || word < QUEUES || current == LANES)
    return;
  if (what == 0)
    (void) *(volatile char *) &fetched[range.front];
  else
    for (uint64_t i = range.front; i < range.back; i++)
      fetched[i] = 1;
}

static inline uint64_t
model_load (uint64_t *p, enum model_order order)
{
  uint64_t v = (order & MODEL_ACQ ? __atomic_load_n (p, __ATOMIC_ACQUIRE)
		: __atomic_load_n (p, __ATOMIC_RELAXED));

  note (p, 0);
  return v;
}

static inline void
model_store (uint64_t *p, uint64_t v, enum model_order order)
{
  note (p, 1);
  note_units (p, v, 1);
  if (order & MODEL_REL)
    __atomic_store_n (p, v, __ATOMIC_RELEASE);
  else
    __atomic_store_n (p, v, __ATOMIC_RELAXED);
}

static inline uint64_t
model_fetch_add (uint64_t *p, uint64_t v, enum model_order order)
{
  uint64_t old;

  note (p, 2);
#ifdef MODEL_TORN_ADD
  old = model_load (p, order);
  model_store (p, old + v, order);
#else
  switch (order)
    {
    case MODEL_RELAXED:
      old = __atomic_fetch_add (p, v, __ATOMIC_RELAXED);
      break;
    case MODEL_ACQ:
      old = __atomic_fetch_add (p, v, __ATOMIC_ACQUIRE);
      break;
    case MODEL_REL:
      old = __atomic_fetch_add (p, v, __ATOMIC_RELEASE);
      break;
    default:
      old = __atomic_fetch_add (p, v, __ATOMIC_ACQ_REL);
    }
#endif
  CHECK (p != &block->arrived || old < LANES);
  return old;
}

static inline int
model_cas (uint64_t *p, uint64_t *expected, uint64_t v, enum model_order order)
{
  bool done
    = (order & MODEL_ACQ
       ? __atomic_compare_exchange_n (p, expected, v, 0, __ATOMIC_ACQUIRE,
				      __ATOMIC_RELAXED)
       : __atomic_compare_exchange_n (p, expected, v, 0, __ATOMIC_RELAXED,
				      __ATOMIC_RELAXED));

  /* None releases.  */
  CHECK (!(order & MODEL_REL));
  if (done)
    {
      note (p, 1);
      if (v == *expected + (UINT64_C (1) << AMP_UNIT_BITS))
	note_units (p, *expected, 0);
    }
  return done;
}

static uint64_t
amp_ticks (void)
{
  unsigned i = asked;

  if (current == LANES || took)
    return 0;
  asked++;
  if (i < CLOCKS)
    return __atomic_load_n (&clocks[current][i], __ATOMIC_RELAXED);
  return (i + current) % 2 ? 3 : 2;
}

static unsigned
amp_current_type (void)
{
  unsigned type = types[current];

  if (MIGRATES && current == 0 && last_end != 0)
    type = (type + 1) % TYPES;
  return type;
}

static void
amp_count (struct amp_counts *counts)
{
  counts->faults = TYPES == 2 && last_end != 0 ? 100 : 0;
  counts->misses = counts->instructions = 0;
}

static unsigned
amp_current_cluster (void)
{
  return CLUSTER;
}

/* All is inlined and each lane has its own copy: that makes fewer steps.  */

static inline void __attribute__ ((always_inline))
run_lane (unsigned id)
{
  unsigned pauses = 0;
  struct amp_lane *lane = (struct amp_lane *) (memory + LANE (id));
  struct amp_chunk chunk;

  current = id;
  amp_loop_enter (block, lane, types[id]);
  for (;;)
    {
      took = false;
      if (!amp_loop_take_or_end (block, lane, &chunk))
	{
	  if (lane->state == AMP_ST_PAUSED && ++pauses < 3)
	    continue;
	  break;
	}
      CHECK (chunk.begin < chunk.end && chunk.end <= N && last_end != N);
      if (OPS.flags & AMP_MONOTONIC)
	CHECK (chunk.begin >= last_end);
      for (uint64_t i = chunk.begin; i < chunk.end; i++)
	CHECK (__atomic_fetch_add (&granted[i], 1, __ATOMIC_RELAXED) == 0);
      last_end = chunk.end;
      if (STOPS && id == 0)
	return;
    }
  if (lane->state != AMP_ST_PAUSED)
    {
      took = false;
      CHECK (!amp_loop_take_or_end (block, lane, &chunk));
    }
}

static void *
run_lane_0 (void *unused)
{
  run_lane (0);
  return NULL;
}

static void *
run_lane_1 (void *unused)
{
  run_lane (1);
  return NULL;
}

static void *
run_lane_2 (void *unused)
{
  run_lane (2);
  return NULL;
}

static void *
run_clocks (void *unused)
{
  for (unsigned i = 0; i < LANES; i++)
    for (unsigned j = 0; j < CLOCKS; j++)
      __atomic_store_n (&clocks[i][j], 1000, __ATOMIC_RELAXED);
  return NULL;
}

int
main (void)
{
#ifdef SF
  static const double sf[] = { SF };
#else
  static const double *const sf = NULL;
#endif
  static const int params[] = { PARAMS };
  static struct amp_setup setup;
  static unsigned char told[LANES];
  pthread_t thread[LANES + 1];

  amp_loop_format (block, LANES, TYPES);
  setup.n = N;
  setup.lanes = LANES;
  setup.types = TYPES;
  for (unsigned i = 0; i < sizeof params / sizeof params[0]; i++)
    setup.params.value[i] = params[i];
  for (unsigned i = 0; i < LANES; i++)
    told[i] = ASTRAY && i == 0 ? 1 - types[i] : types[i];
  setup.lane_type = sf != NULL ? told : NULL;
  setup.left_out = ASTRAY ? 1 << types[0] : 0;
  setup.sf = sf;
  setup.min_ticks = 2;
  setup.clusters = 2;
  setup.fault_cost = 100.0;
  setup.extra = extra;
  setup.site = SITE;
  setup.is_observed = SITE != NULL;
  if (SITE != NULL)
    amp_site_format (setup.site, setup.site, LANES, TYPES, 0);
  /* What an earlier loop has left.  */
  for (unsigned i = 0; i < LANES; i++)
    {
      amp_loop_queue (block, i)->range
	= UINT64_C (2) << AMP_TAG_SHIFT | i << AMP_UNIT_BITS | 77;
      amp_loop_queue (block, i)->own
	= UINT64_C (2) << AMP_TAG_SHIFT | UINT64_C (3) << AMP_ICH_D_SHIFT | 99;
    }
  amp_loop_init (block, &OPS, &setup);
  block->cursor_mode = CURSOR_MODE;
  if (CLOCKS)
    pthread_create (&thread[LANES], NULL, run_clocks, NULL);
  pthread_create (&thread[0], NULL, run_lane_0, NULL);
  if (LANES - FROZEN > 1)
    pthread_create (&thread[1], NULL, run_lane_1, NULL);
  if (LANES - FROZEN > 2)
    pthread_create (&thread[2], NULL, run_lane_2, NULL);
  for (unsigned i = 0; i < LANES - FROZEN; i++)
    pthread_join (thread[i], NULL);
  if (SITE != NULL)
    {
      uint64_t run = 0;
      bool paused = false;

      /* Who does not look again reports nothing.  */
      for (unsigned i = 0; i < LANES; i++)
	{
	  paused |= amp_loop_lane (block, i)->state == AMP_ST_PAUSED;
	  run += amp_loop_report (block, i)->run;
	}
      CHECK (paused || run == N);
    }
  for (unsigned i = 0; i < N && !STOPS; i++)
    CHECK (__atomic_load_n (&granted[i], __ATOMIC_RELAXED) == 1);
  return 0;
}

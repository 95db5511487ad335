/* SPDX-License-Identifier: GPL-3.0-or-later

   See engine.h.  */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp-core.c"
#include "engine.h"

static uint64_t
sim_mix (uint64_t x)
{
  x = (x ^ (x >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static uint64_t
sim_random (uint64_t *state)
{
  return sim_mix (*state += UINT64_C (0x9e3779b97f4a7c15));
}

/* The simulation under way.  */

static struct sim_state
{
  const struct sim_config *config;
  struct amp_loop *loop;
  char *shared, *shared_end;
  char *site, *site_end;
  char *plan, *plan_end;
  uint64_t now;			/* Of the lane that takes.  */
  uint64_t cursor_free;		/* When the cursor's line is free.  */
  unsigned lane;
  unsigned ops;
  uint64_t ticks_read;
  jmp_buf failed;
} sim;

static char sim_message[512];

static void __attribute__ ((noreturn, format (printf, 1, 2)))
sim_fail (const char *format, ...)
{
  va_list ap;

  va_start (ap, format);
  vsnprintf (sim_message, sizeof sim_message, format, ap);
  va_end (ap);
  longjmp (sim.failed, 1);
}

static void
sim_assert_failed (const char *cond, const char *file, int line)
{
  sim_fail ("%s:%d: assertion failed: %s", file, line, cond);
}

/* Later than any sum of delays: times saturate.  */
#define SIM_LATE (UINT64_C (1) << 61)

static uint64_t
sim_later (uint64_t t, double by)
{
  if (by >= (double) SIM_LATE)
    return SIM_LATE;
  t += (uint64_t) by;
  return t < SIM_LATE ? t : SIM_LATE;
}

/* Where a shared line is, if own counts.  It goes from the lane that has asked
   for it last, LAST, to the next one that asks.  When that is at NOW, it

     leaves at max (now, busy) + hold, arrives at leaves + rmw - hold,

   and until it leaves LAST goes on with it, in updates that end by then: no
   two lanes' updates of a line overlap.  */

struct sim_line
{
  unsigned last;		/* Plus 1; 0: none has asked yet.  */
  uint64_t busy;		/* When LAST's last update ends.  */
};

/* When a line leaves a lane, in the simulation number RUN.  */

struct sim_leave
{
  uint64_t run, leaves;
};

static struct sim_line *sim_lines;
/* Of line i and lane j: i * lanes + j.  */
static struct sim_leave *sim_leaves;
static size_t sim_lines_room, sim_leaves_room;
static uint64_t sim_runs;

/* The number of the shared line that Q is in.  */

static size_t
sim_line_number (const char *q)
{
  return ((uintptr_t) q / AMP_LINE
	  - (uintptr_t) sim.shared / AMP_LINE);
}

/* Forget where lines are.  */

static void
sim_forget_lines (const struct sim_config *config)
{
  size_t lines = sim_line_number (sim.shared_end) + 1;

  sim_runs++;
  if (lines > sim_lines_room)
    {
      sim_lines_room = lines;
      free (sim_lines);
      sim_lines = malloc (lines * sizeof *sim_lines);
      if (sim_lines == NULL)
	abort ();
    }
  memset (sim_lines, 0, lines * sizeof *sim_lines);
  if (lines * config->lanes > sim_leaves_room)
    {
      sim_leaves_room = lines * config->lanes;
      free (sim_leaves);
      sim_leaves = calloc (sim_leaves_room, sizeof *sim_leaves);
      if (sim_leaves == NULL)
	abort ();
    }
}

/* When an update of line number I, which the lane in amp_loop_take_or_end asks
   for now, has ended.  */

static uint64_t
sim_update (size_t i)
{
  const struct sim_config *c = sim.config;
  struct sim_line *line = &sim_lines[i];
  struct sim_leave *leaves = &sim_leaves[i * c->lanes], *mine;
  uint64_t end = sim_later (sim.now, c->own);

  mine = &leaves[sim.lane];
  if (line->last == sim.lane + 1 || line->last == 0)
    line->last = sim.lane + 1;
  else if (mine->run == sim_runs && end <= mine->leaves)
    /* It is not LAST's yet.  */
    return end;
  else
    {
      struct sim_leave *others = &leaves[line->last - 1];

      const unsigned short *cluster = c->lane_cluster;
      double fetch = (c->far > c->rmw && cluster != NULL
		      && cluster[line->last - 1] != cluster[sim.lane]
		      ? c->far : c->rmw);

      others->run = sim_runs;
      others->leaves = sim_later (sim.now > line->busy ? sim.now : line->busy,
				  c->hold);
      line->last = sim.lane + 1;
      end = sim_later (others->leaves, fetch - c->hold + c->own);
    }
  line->busy = end;
  return end;
}

static void
sim_shared_access (const uint64_t *p, int rmw)
{
  const char *q = (const char *) p;

  sim.ops++;
  if (((q < sim.shared || q + sizeof *p > sim.shared_end)
       && (q < sim.site || q + sizeof *p > sim.site_end)
       && (q < sim.plan || q + sizeof *p > sim.plan_end))
      || (uintptr_t) q % sizeof *p != 0)
    sim_fail ("shared access outside of the block's shared lines and the site");
  /* What is remembered takes no time.  */
  if (!rmw || (q >= sim.site && q < sim.site_end))
    return;
  if (sim.config->own > 0.0 && q >= sim.shared && q < sim.shared_end)
    {
      sim.now = sim_update (sim_line_number (q));
      return;
    }
  if (p == &sim.loop->cursor && sim.now < sim.cursor_free)
    sim.now = sim.cursor_free;
  sim.now = sim_later (sim.now, sim.config->rmw);
  if (p == &sim.loop->cursor)
    sim.cursor_free = sim.now;
}

static uint64_t
amp_ticks (void)
{
  uint64_t h = sim_mix (sim.config->seed + 77 * ++sim.ticks_read);

  switch (sim.config->clock)
    {
    case SIM_CLOCK_STOPPED:
      return 42;
    case SIM_CLOCK_COARSE:
      return sim.now & ~UINT64_C (4095);
    case SIM_CLOCK_JUMPS:
      if (h % 8 == 0)
	return sim.now + (h >> 24) - (UINT64_C (1) << 39);
      return sim.now;
    case SIM_CLOCK_BACKWARDS:
      return -sim.now;
    case SIM_CLOCK_RANDOM:
      return h;
    case SIM_CLOCK_SKEWED:
      return sim.now + sim_mix (sim.lane + 1);
    default:
      return sim.now;
    }
}

#include "placement.h"

/* The type that LANE runs on at NOW.  */

static unsigned
sim_type (const struct sim_config *c, unsigned lane, uint64_t now)
{
  if (c->placement != NULL)
    return c->placement->type[c->placement->core[lane]];
  return (now >= c->lane[lane].moves ? c->lane[lane].next_type
	  : c->lane[lane].type);
}

static unsigned
amp_current_type (void)
{
  if (sim.config->placement != NULL)
    return sim_type (sim.config, sim.lane, sim.now);
  return (sim.now >= sim.config->lane[sim.lane].moves
	  ? sim.config->lane[sim.lane].next_type
	  : sim.config->lane[sim.lane].reported);
}

static unsigned
amp_current_cluster (void)
{
  return (sim.config->lane_cluster != NULL
	  ? sim.config->lane_cluster[sim.lane] : 0);
}

static void
amp_count (struct amp_counts *counts)
{
  memset (counts, 0, sizeof *counts);
  if (sim.config->count != NULL)
    sim.config->count (sim.config->data, sim.lane, counts);
}

/* Exact for few iterations, statistical for many.  */

static double
sim_sum_random (uint64_t begin, uint64_t end, double unit, bool spikes)
{
  double sum = 0.0;
  uint64_t i, h;

  if (end - begin > 65536)
    return ((double) (end - begin) * unit
	    * (spikes ? 200.0 / 64.0 + 63.0 / 64.0 : 1.0));
  for (i = begin; i < end; i++)
    {
      h = sim_mix (i ^ sim.config->seed << 20);
      if (spikes)
	sum += h % 64 == 0 ? 200.0 * unit : unit;
      else
	sum += (double) (h >> 40) * (2.0 * unit / (1 << 24));
    }
  return sum;
}

/* What the first I iterations cost by C's marks.  */

static double
sim_marked (const struct sim_config *c, uint64_t i)
{
  size_t low = 0, high = c->marks - 1;
  double part;

  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;

      if (c->at[middle] <= i)
	low = middle;
      else
	high = middle;
    }
  if (c->at[high] <= i)
    return c->sums[high];
  part = (double) (i - c->at[low]) / (double) (c->at[high] - c->at[low]);
  return c->sums[low] + part * (c->sums[high] - c->sums[low]);
}

/* What the ordinals BEGIN .. END-1 cost on a core of speed 1.  */

static double
sim_work (const struct sim_config *c, uint64_t begin, uint64_t end)
{
  double len = (double) (end - begin);
  uint64_t knee = c->n - c->n / 8;

  if (c->at != NULL)
    return sim_marked (c, end) - sim_marked (c, begin);
  if (c->sums != NULL)
    return c->sums[end] - c->sums[begin];
  switch (c->cost)
    {
    case SIM_COST_LINEAR:
      return c->unit * len * (((double) begin + (double) end - 1.0)
			      / (double) c->n);
    case SIM_COST_LAST_HEAVY:
      if (end <= knee)
	return c->unit * len;
      if (begin >= knee)
	return 16.0 * c->unit * len;
      return c->unit * ((double) (knee - begin)
			+ 16.0 * (double) (end - knee));
    case SIM_COST_RANDOM:
      return sim_sum_random (begin, end, c->unit, false);
    case SIM_COST_SPIKES:
      return sim_sum_random (begin, end, c->unit, true);
    case SIM_COST_ZERO:
      return 0.0;
    case SIM_COST_HUGE:
      return 86400e9 * len;
    default:
      return c->unit * len;
    }
}

/* The same where cores stop: see `period'.  */

static uint64_t
sim_finish_stopped (const struct sim_config *c, uint64_t now, unsigned type,
		    double work)
{
  double running = c->period * c->duty[type];
  double left = work / (c->speed[type] / c->duty[type]);
  double t = c->origin + (double) now;
  double in = t - c->period * (double) (uint64_t) (t / c->period);
  double wait = 0.0;

  if (left <= 0.0)
    return now;
  if (in >= running)
    {
      wait = c->period - in;
      in = 0.0;
    }
  if (left > running - in)
    {
      double whole;

      left -= running - in;
      wait += c->period - in;
      whole = (double) (uint64_t) (left / running);
      wait += whole * c->period;
      left -= whole * running;
    }
  return sim_later (now, wait + left);
}

/* When a core of type TYPE that starts at NOW has done WORK.  */

static uint64_t
sim_finish (const struct sim_config *c, uint64_t now, unsigned type,
	    double work)
{
  if (c->period > 0.0 && c->duty[type] < 1.0)
    return sim_finish_stopped (c, now, type, work);
  if (now < c->change)
    {
      double room = (double) (c->change - now) * c->speed[type];

      if (work <= room)
	return sim_later (now, work / c->speed[type]);
      work -= room;
      now = c->change;
    }
  return sim_later (now, work / c->later[type]);
}

/* What has been handed out: kept sorted as long as it comes sorted.  */

static struct amp_chunk *sim_given;
static size_t sim_ngiven, sim_given_room;
static bool sim_sorted;

static void
sim_record (const struct amp_chunk *chunk)
{
  if (sim_ngiven == sim_given_room)
    {
      sim_given_room = sim_given_room ? 2 * sim_given_room : 4096;
      sim_given = realloc (sim_given, sim_given_room * sizeof *sim_given);
      if (sim_given == NULL)
	abort ();
    }
  if (sim_ngiven != 0 && sim_given[sim_ngiven - 1].end > chunk->begin)
    sim_sorted = false;
  sim_given[sim_ngiven++] = *chunk;
}

static int
sim_compare_chunks (const void *a, const void *b)
{
  const struct amp_chunk *x = a, *y = b;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* How many ordinals have been handed out; fails if one was twice.  */

static uint64_t
sim_check_disjoint (void)
{
  uint64_t sum = 0;

  if (!sim_sorted)
    {
      qsort (sim_given, sim_ngiven, sizeof *sim_given, sim_compare_chunks);
      sim_sorted = true;
    }
  for (size_t i = 0; i < sim_ngiven; i++)
    {
      if (i != 0 && sim_given[i].begin < sim_given[i - 1].end)
	sim_fail ("ordinal %ju was handed out twice",
		  (uintmax_t) sim_given[i].begin);
      sum += sim_given[i].end - sim_given[i].begin;
    }
  return sum;
}

/* The loop is huge, but not all of it has to be run: hand out to nobody what
   lies between the first iterations and the last few, so that the end can be
   run.  Where there is a cursor this is possible if what has been handed out
   is 0 .. X-1 and the pool is X .. N-1.  */

static bool
sim_forward_cursor (struct amp_loop *loop)
{
  uint64_t x = loop->cursor, keep = 16 + 8 * (uint64_t) loop->lanes;
  struct amp_chunk chunk;

  if (x >= loop->n || loop->n - x <= keep || sim_check_disjoint () != x
      || sim_ngiven == 0 || sim_given[sim_ngiven - 1].end != x)
    return false;
  chunk.begin = x;
  chunk.end = loop->n - keep;
  loop->cursor = chunk.end;
  sim_record (&chunk);
  return true;
}

/* Where there are queues, all but a few units of each are skipped.  */

static bool
sim_forward_queues (struct amp_loop *loop)
{
  bool done = false;

  for (unsigned i = 0; i < loop->lanes; i++)
    {
      uint64_t *word = &amp_loop_queue (loop, i)->range;
      struct amp_range range = amp_decode_queue (loop, i, *word);
      struct amp_chunk chunk;

      if (amp_range_len (&range) <= 20)
	continue;
      chunk.begin = range.front << loop->shift;
      range.front = range.back - 20;
      chunk.end = range.front << loop->shift;
      *word = amp_queue_word (loop, range.front, range.back);
      /* Its owner has seen another front.  */
      amp_loop_lane (loop, i)->alike = 0;
      sim_record (&chunk);
      done = true;
    }
  return done;
}

/* Where there are pools of clusters, whatever the loop's own pool has but its
   last units.  */

static bool
sim_forward_clusters (struct amp_loop *loop)
{
  const struct amp_cluster_loop *own = amp_loop_own (loop);
  uint64_t x = loop->cursor, keep = 16 + 8 * (uint64_t) loop->lanes;
  struct amp_chunk chunk;

  if (x >= loop->units || loop->units - x <= keep)
    return false;
  chunk.begin = x * own->unit;
  loop->cursor = loop->units - keep;
  chunk.end = loop->cursor * own->unit;
  sim_record (&chunk);
  return true;
}

static bool
sim_forward (struct amp_loop *loop)
{
  if (loop->ops->flags & AMP_PIECES)
    return false;
  if (loop->ops == &amp_cluster_dynamic && loop->units != 0)
    return sim_forward_clusters (loop);
  return (loop->ops->flags & AMP_QUEUES
	  ? sim_forward_queues : sim_forward_cursor) (loop);
}

/* SIZE bytes, valid until the next call: what the last call's user left in as
   many, or garbage after 8 zeros.  Whoever goes beyond them is seen by
   AddressSanitizer.  */

static void *
sim_extra (size_t size)
{
  static uint64_t *memory;
  static size_t last;

  if (size == last)
    return memory;
  free (memory);
  memory = NULL;
  last = size;
  if (size != 0)
    {
      memory = malloc (size);
      if (memory == NULL)
	abort ();
      memset (memory, 0xa5, size < 4096 ? size : 4096);
      *memory = 0;
    }
  return memory;
}

/* The lanes that still call, a heap by (time, number).  */

struct sim_waiting
{
  uint64_t time;
  unsigned lane;
};

static inline bool
sim_before (const struct sim_waiting *a, const struct sim_waiting *b)
{
  return a->time < b->time || (a->time == b->time && a->lane < b->lane);
}

static void
sim_sift (struct sim_waiting *heap, unsigned size, unsigned i)
{
  for (;;)
    {
      unsigned least = i, k;
      struct sim_waiting swap;

      for (k = 2 * i + 1; k < size && k <= 2 * i + 2; k++)
	if (sim_before (&heap[k], &heap[least]))
	  least = k;
      if (least == i)
	return;
      swap = heap[i];
      heap[i] = heap[least];
      heap[least] = swap;
      i = least;
    }
}

#include "placement.c"

/* No call of amp_loop_take_or_end may take more port operations.  */

static unsigned
sim_max_ops (const struct sim_config *c)
{
  /* The close of a phase loads and stores a handful of words per type; where
     lanes steal, a search visits each once.  */
  return (30 + 15 * c->types
	  + ((c->ops->flags & AMP_MONOTONIC) ? 0 : 8 * c->lanes)
	  /* Who decides looks at what each lane has measured, twice, and cuts
	     the rest.  */
	  + ((c->ops->flags & AMP_CLUSTERED)
	     ? 24 * c->lanes + 16 * AMP_HET_CLUSTERS : 0)
	  /* The last report's: each lane's report and its type, a handful of
	     words per type and per choice.  */
	  + (c->observe ? 80 + 12 * c->types + 24 * c->lanes : 0));
}

/* What C says of the loop.  */

static void
sim_set_up (const struct sim_config *c, struct amp_setup *setup)
{
  memset (setup, 0, sizeof *setup);
  setup->n = c->n;
  setup->lanes = c->lanes;
  setup->types = c->types;
  setup->params = c->params;
  setup->lane_type = c->lane_type;
  setup->types_guessed = c->types_guessed;
  setup->sf = c->sf;
  setup->min_ticks = c->min_ticks;
  setup->site = c->site;
  setup->plan = c->site != NULL ? c->plan : NULL;
  setup->asked.word[0] = (uintptr_t) c->ops;
  memcpy (&setup->asked.word[1], &c->params, sizeof c->params);
  setup->is_observed = c->observe;
  setup->is_auto = c->is_auto;
  setup->left_out = c->left_out;
  setup->crowded = c->crowded;
  setup->observed_types = c->observed_types;
  setup->lane_cluster = c->lane_cluster;
  setup->clusters = c->clusters;
  setup->cluster_size = c->cluster_size;
  setup->fault_cost = c->fault_cost;
  setup->miss_limit = c->miss_limit;
  setup->workload = c->workload;
  setup->workload_number = c->workload_number;
}

static struct sim_waiting *sim_heap;
/* Pauses since a lane was given something.  */
static uint64_t sim_pauses;
static uint64_t *sim_last_end, *sim_lane_given, *sim_lane_grants;
static unsigned sim_lane_room;
/* What a lane has not done and will give back when it calls again, and whether
   it has been told that there is nothing.  */
static struct sim_undone { struct amp_chunk chunk; bool told; } *sim_undone;

/* Is lane ID's chunk, of which it was given as many before as sim_lane_grants
   says, one that it does not do?  */

static bool
sim_fails (const struct sim_config *c, unsigned id,
	   const struct amp_chunk *chunk)
{
  if (c->give_back == NULL || c->lane[id].fails != sim_lane_grants[id] + 1)
    return false;
  sim_undone[id].chunk = *chunk;
  return true;
}

/* Lane ID gives back what it has not done; who was told that there is nothing
   is called, one of SIZE that wait.  How many wait then.  */

static unsigned
sim_give_back (const struct sim_config *c, unsigned id, unsigned size)
{
  struct amp_loop *loop = sim.loop;

  if (!amp_chunk_p (sim_undone[id].chunk))
    return size;
  c->give_back (loop, amp_loop_lane (loop, id), sim_undone[id].chunk);
  sim_undone[id].chunk = amp_no_chunk ();
  for (unsigned i = 0; i < c->lanes; i++)
    if (sim_undone[i].told)
      {
	sim_undone[i].told = false;
	c->again (amp_loop_lane (loop, i));
	sim_heap[size].time = sim.now;
	sim_heap[size++].lane = i;
      }
  return size;
}

/* When LANE, which is given CHUNK now, is through with it.  */

static uint64_t
sim_through (const struct sim_config *c, unsigned lane,
	     const struct amp_chunk *chunk)
{
  if (c->finish != NULL)
    return c->finish (c, lane, sim.now, chunk);
  return sim_finish (c, sim.now, sim_type (c, lane, sim.now),
		     sim_work (c, chunk->begin, chunk->end));
}

/* The first of the SIZE lanes is paused: it comes again after the next one that
   is not.  False if none gets anything any more.  */

static bool
sim_pause (const struct sim_config *c, struct sim_result *r, unsigned size)
{
  uint64_t next = SIM_NEVER;

  if (++sim_pauses <= 2 * (uint64_t) c->lanes * (c->lanes + 1u))
    {
      for (unsigned i = 1; i < size; i++)
	if (sim_heap[i].time < next
	    && amp_loop_lane (sim.loop, sim_heap[i].lane)->state
	    != AMP_ST_PAUSED)
	  next = sim_heap[i].time;
      sim_heap[0].time = sim_later (next != SIM_NEVER && next > sim.now
				    ? next : sim.now, 1.0);
      sim_sift (sim_heap, size, 0);
      return true;
    }
  /* Those who would have gone on have stopped.  */
  if (!r->partial)
    sim_fail ("lane %u is paused for ever", sim.lane);
  return false;
}

static void
sim_loop (const struct sim_config *c, struct sim_result *r)
{
  struct amp_loop *loop = sim.loop;
  struct amp_setup setup;
  char constant[offsetof (struct amp_loop, cursor)];
  unsigned i, size = 0, again;
  bool reserves, told = false;
  double capacity = 0.0;
  uint64_t sum, limit = c->max_grants;

  sim_pauses = 0;
  sim_set_up (c, &setup);
  setup.extra = (c->extra != NULL ? c->extra
		 : sim_extra (amp_loop_extra (c->ops, &setup)));
  if (setup.plan != NULL && !c->crowded && c->left_out == 0
      && setup.plan->kept == AMP_KEPT_LOOP
      && amp_plan_fits_p (setup.plan, c->site, c->n, &setup.asked))
    amp_loop_again (loop, setup.plan, c->observe);
  else
    amp_loop_init (loop, c->ops, &setup);
  if (loop->ops != c->ops || loop->n != c->n)
    sim_fail ("what has begun is another loop");
  memcpy (constant, loop, sizeof constant);

  for (i = 0; i < c->lanes; i++)
    {
      sim_last_end[i] = sim_lane_given[i] = sim_lane_grants[i] = 0;
      memset (&sim_undone[i], 0, sizeof sim_undone[i]);
      if (!amp_loop_fresh_p (loop, amp_loop_lane (loop, i)))
	sim_fail ("lane %u is not fresh in a new loop", i);
      capacity += c->speed[c->lane[i].type];
      if (c->lane[i].start == SIM_NEVER)
	r->partial = true;
      else
	{
	  sim_heap[size].time = c->lane[i].start;
	  sim_heap[size++].lane = i;
	}
    }
  r->ideal = sim_work (c, 0, c->n) / capacity;
  for (i = size / 2; i-- > 0;)
    sim_sift (sim_heap, size, i);

  if (c->placement != NULL)
    sim_placement_begin (c);
  while (size != 0)
    {
      unsigned id;
      struct amp_lane *lane;
      uint64_t asked;
      struct amp_chunk chunk = { 1, 0 };
      bool got;

      if (c->placement != NULL)
	sim_placement_ticks (c, sim_heap, size);
      id = sim_heap[0].lane;
      lane = amp_loop_lane (loop, id);
      asked = sim_heap[0].time;
      sim.now = asked;
      sim.lane = id;
      if (amp_loop_fresh_p (loop, lane))
	amp_loop_enter (loop, lane, amp_current_type ());
      if (c->meddle != NULL)
	c->meddle (c->site);
      sim.ops = 0;
      sim.now = sim_later (sim.now, c->call);
      size = sim_give_back (c, id, size);
      got = amp_loop_take_or_end (loop, lane, &chunk);
      if (sim.ops > r->max_ops)
	r->max_ops = sim.ops;
      if (sim.ops > sim_max_ops (c))
	sim_fail ("lane %u: a call took %u port operations, more than %u", id,
		  sim.ops, sim_max_ops (c));
      if (got)
	{
	  if (chunk.begin >= chunk.end || chunk.end > c->n)
	    sim_fail ("lane %u was given %ju .. %ju of %ju", id,
		      (uintmax_t) chunk.begin, (uintmax_t) chunk.end,
		      (uintmax_t) c->n);
	  if (sim_last_end[id] == c->n && c->give_back == NULL)
	    sim_fail ("lane %u was given %ju after the last ordinal", id,
		      (uintmax_t) chunk.begin);
	  if ((c->ops->flags & AMP_MONOTONIC)
	      && chunk.begin < sim_last_end[id])
	    sim_fail ("lane %u was given %ju after %ju", id,
		      (uintmax_t) chunk.begin,
		      (uintmax_t) sim_last_end[id]);
	  sim_last_end[id] = chunk.end;
	  if (!sim_fails (c, id, &chunk))
	    {
	      sim_lane_given[id] += chunk.end - chunk.begin;
	      sim_record (&chunk);
	    }
	  sim_pauses = 0;
	  if (c->watch != NULL)
	    c->watch (c->watch_data, sim_heap[0].time, id, &chunk);
	  sim_heap[0].time = sim_through (c, id, &chunk);
	  if (c->fetch != NULL)
	    sim_heap[0].time
	      = sim_later (sim_heap[0].time, c->fetch (c->data, id, &chunk));
	  if (c->placement != NULL)
	    sim_placement_runs (c, id, asked, sim_work (c, chunk.begin,
							chunk.end));
	  else if (c->busy != NULL)
	    c->busy (id, asked, sim_heap[0].time);
	  /* Where threads are moved, a chunk may end sooner.  */
	  if (c->placement == NULL && sim_heap[0].time > r->makespan)
	    r->makespan = sim_heap[0].time;
	  r->grants++;
	  if (sim_lane_given[id] > c->n)
	    sim_fail ("lane %u was given more than there is", id);
	  if (r->grants >= limit)
	    {
	      if (!r->forwarded && sim_forward (loop))
		{
		  r->forwarded = true;
		  limit += c->max_grants;
		}
	      else
		{
		  r->cut = true;
		  break;
		}
	    }
	}
      else
	{
	  if (lane->state == AMP_ST_PAUSED && sim_pause (c, r, size))
	    continue;
	  told = sim_undone[id].told = true;
	  if (sim.now > r->makespan)
	    r->makespan = sim.now;
	  if (c->placement != NULL)
	    sim_placement_ends (c, id, asked);
	  else if (c->busy != NULL)
	    c->busy (id, asked, sim.now);
	  for (again = 0; again < 2 && lane->state != AMP_ST_PAUSED; again++)
	    if (amp_loop_take_or_end (loop, lane, &chunk))
	      sim_fail ("lane %u got a chunk after it had been told that "
			"there is none", id);
	}
      if (got && ++sim_lane_grants[id] >= c->lane[id].grants)
	{
	  got = false;
	  r->partial = true;
	}
      if (!got)
	sim_heap[0] = sim_heap[--size];
      for (i = c->give_back != NULL ? size / 2 + 1 : 1; i-- > 0;)
	sim_sift (sim_heap, size, i);
    }

  sum = sim_check_disjoint ();
  if (memcmp (constant, loop, sizeof constant) != 0)
    sim_fail ("a constant line changed while the loop was published");
  reserves = ((c->ops->flags & AMP_RESERVES)
	      && (loop->plan_kind != AMP_PLAN_NONE
		  || !(c->ops->flags & AMP_PHASED)));
  /* Who retires leaves the rest to those who go on.  */
  reserves |= loop->retired != 0;
  /* If no lane went on to the end, nobody was left to be given the rest.  */
  r->partial = r->partial && (reserves || !told);
  if (!r->cut && !r->partial && sum != c->n)
    sim_fail ("%ju of %ju ordinals were not handed out",
	      (uintmax_t) (c->n - sum), (uintmax_t) c->n);
  r->given = sim_lane_given;
}

/* From now on SITE is the site that may be accessed.  */

static void
sim_visit (struct amp_site *site)
{
  sim.site = (char *) site;
  sim.site_end = sim.site;
  if (site != NULL)
    sim.site_end += amp_site_size (site->lanes, site->types);
}

static void
sim_decide (struct sim_config *c, const struct amp_facts *facts)
{
  struct amp_setup setup;
  struct amp_decision decision;

  sim_visit (c->site);
  sim_set_up (c, &setup);
  decision = amp_decide (facts, &setup);
  c->ops = decision.ops;
  c->params = setup.params;
  c->site = setup.site;
  c->observe = setup.is_observed;
  c->is_auto = setup.is_auto;
  c->left_out = setup.left_out;
}

static const char *
sim_run (struct amp_loop *block, const struct sim_config *config,
	 struct sim_result *result)
{
  memset (result, 0, sizeof *result);
  if (config->lanes > sim_lane_room)
    {
      sim_lane_room = config->lanes;
      free (sim_heap);
      free (sim_last_end);
      free (sim_undone);
      sim_heap = calloc (sim_lane_room, sizeof *sim_heap);
      sim_undone = calloc (sim_lane_room, sizeof *sim_undone);
      sim_last_end = calloc (3 * (size_t) sim_lane_room,
			     sizeof *sim_last_end);
      if (sim_heap == NULL || sim_last_end == NULL || sim_undone == NULL)
	abort ();
      sim_lane_given = sim_last_end + sim_lane_room;
      sim_lane_grants = sim_lane_given + sim_lane_room;
    }
  memset (&sim, 0, offsetof (struct sim_state, failed));
  sim.config = config;
  sim.loop = block;
  sim.shared = (char *) &block->cursor;
  sim_visit (config->site);
  sim.plan = sim.plan_end = (char *) config->plan;
  if (config->plan != NULL)
    sim.plan_end += amp_plan_size (config->lanes, config->types);
  sim.shared_end = (char *) amp_loop_lane (block, 0);
  if (config->own > 0.0)
    sim_forget_lines (config);
  sim_ngiven = 0;
  sim_sorted = true;
  if (setjmp (sim.failed) != 0)
    return sim_message;
  sim_loop (config, result);
  return NULL;
}

/* SIZE bytes of FILL; to be freed by free.  */

static void *
sim_new (size_t size, int fill)
{
  void *p = aligned_alloc (AMP_LINE, size);

  if (p == NULL)
    abort ();
  return memset (p, fill, size);
}

static struct amp_loop *
sim_new_block (unsigned lanes, unsigned types)
{
  struct amp_loop *block = sim_new (amp_loop_size (lanes, types), 0xa5);

  amp_loop_format (block, lanes, types);
  return block;
}

/* A site that knows nothing.  */

static struct amp_site *
sim_new_site (unsigned lanes, unsigned types, unsigned magnitude)
{
  struct amp_site *site = sim_new (amp_site_size (lanes, types), 0);

  amp_site_format (site, site, lanes, types, magnitude);
  return site;
}

static struct amp_plan *
sim_new_plan (unsigned lanes, unsigned types)
{
  struct amp_plan *plan = sim_new (amp_plan_size (lanes, types), 0xa5);

  plan->site = NULL;
  return plan;
}

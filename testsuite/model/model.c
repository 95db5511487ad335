/* SPDX-License-Identifier: GPL-3.0-or-later

   An explorer of all interleavings of small loops under weak memory.

     model [--states N] [--walks N] [--only NAME] [--small] [--verbose]

   The last line is "N passed, N failed, N skipped".

   Each lane is a coroutine that stops before every AMP_* operation.  At each
   step any lane may go next, and a load may return any message that C11 lets it
   read.  A location is the list of the values written to it, its modification
   order; a lane's view has, per location, the oldest message that it may still
   read.  A relaxed load reads any message not older than the view; an acquire
   load takes over the message's view, which a release store has given it.  A
   read-modify-write reads the newest message and passes its view on.  A
   compare-and-swap that fails may read any message that differs from what it
   expected.  amp_ticks returns 0, 1 or 1000 at the end of a chunk, by choice.
   Every configuration is run with fetch-and-add and with compare-and-swap.

   It is a depth-first search with replay; a state that has been seen is not
   entered again, so a search that ends is complete.  States are told apart
   by 64 bits of hash: at a million the chance that two were mixed up is
   3e-8.  A configuration with more states than asked for says "bounded by N
   states", and the rest is sampled by random executions.

   Checked are the contract in amp.h; that lanes touch the shared lines by
   the macros only and no other lane's line; and the protocol of AID's
   phases.  `run' weakens each order and breaks the protocol in several ways,
   which must show.

   Not shown: load buffering (genmc.c's part) and values out of thin air, which
   C11 and ARM allow between relaxed accesses whose order the protocol does not
   need; more than 3 lanes, 3 types and 64 iterations, for which ../sim is.  Stores
   are appended to the modification order; that no store could take its place
   before others is checked at each write ("races with a store").  */

#undef _FORTIFY_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
/* Small loops are to have parts, too.  */
#define AMP_HETI_LEAST 1
#include "amp-core.c"

#define MAX_LANES 3
#define MAX_TYPES 3
#define MAX_LOCS (64 + 8 * MAX_TYPES + 16 * MAX_LANES)
#define MAX_MESSAGES 80
#define MAX_DEPTH 4000
#define STACK 65536

#define AMP_CONSTANT offsetof (struct amp_loop, cursor)

typedef uint8_t view_t[MAX_LOCS];

/* What a lane is about to do.  */
enum op { OP_LOAD, OP_STORE, OP_ADD, OP_CAS, OP_TICKS, OP_FINISHED };

struct message
{
  uint64_t value;
  view_t view;		/* What an acquiring reader gets to know.  */
};

struct lane
{
  /* The pending operation.  */
  enum op op;
  unsigned loc;
  uint64_t value, expected;
  enum model_order order;
  /* Its outcome.  */
  uint64_t result;
  int success;
  /* What it knows: the oldest message it may read, per location.  */
  view_t view;
  /* For the state's key: the owner's line when the call began, and what
     operations have returned since.  */
  uint64_t history;
  bool took;		/* Has changed the cursor in this call.  */
  uint64_t last_end;
  uint64_t first;	/* The first ordinal that it was given.  */
  jmp_buf entry, resume;
};

static struct config
{
  const struct amp_ops *ops;
  struct amp_params params;
  uint64_t n;
  unsigned lanes, types;
  unsigned char type[MAX_LANES];
  const double *sf;
  bool expect;		/* Tell the loop the lanes' types, ...  */
  bool types_guessed;	/* ... as a guess.  */
  bool cas;
  bool observe;		/* Lanes report to a site.  */
  uint64_t left_out;	/* As in struct amp_setup.  */
  bool astray;		/* Lane 0 is of another type than the loop is told.  */
  bool migrate;		/* The first lane changes types after its first
			   chunk.  */
  bool frozen;		/* The last lane never calls.  */
  bool stops;		/* The first lane calls once.  */
} config;

/* For schedules of which libgomp has none (../device/interleave.c): the setup's
   `extra'; words beside the block that lanes keep, all 0 at first; what is
   done if not NULL with a chunk that a lane was given: true if that was given
   back; and what tells a lane that it may ask again.  */
static struct
{
  void *extra;
  uint64_t *words;
  unsigned nwords;
  bool (*gives_back) (unsigned id, struct amp_lane *, struct amp_chunk);
  void (*again) (struct amp_lane *);
} beside;

static struct amp_loop *block;
static struct amp_site *site;
static size_t site_size;
static uint64_t folded;		/* Iterations in the reports that were read.  */
static char *image;		/* The block after amp_loop_init.  */
static size_t block_size;
static unsigned nlocs;
static bool initialising;

static struct lane lanes[MAX_LANES];
static unsigned current;
static jmp_buf scheduler;
static ucontext_t main_context, lane_context[MAX_LANES];
static struct message messages[MAX_LOCS][MAX_MESSAGES];
static unsigned last[MAX_LOCS];		/* Newest message.  */
static unsigned last_store[MAX_LOCS];	/* Newest that no RMW wrote.  */
static uint64_t tracked[MAX_LOCS];	/* What additions must sum up to.  */
static uint64_t granted;		/* Bit mask of ordinals.  */
static int closing;			/* Lane that closes the phase, or -1.  */
static struct amp_lane before[MAX_LANES];

/* Not nothing: choose at random instead of one after the other.  */
static uint64_t walking;

/* The path: which alternative was taken at each step.  */
static struct { unsigned short taken, count; } path[MAX_DEPTH];
static unsigned depth, replay;

static char violation[300];
static bool verbose, tracing;

#define VIOLATION(...) \
  (violation[0] == '\0' \
   ? (void) snprintf (violation, sizeof violation, __VA_ARGS__) : (void) 0)

static void
model_assert_failed (const char *cond, const char *file, int line)
{
  VIOLATION ("%s:%d: assertion failed: %s", file, line, cond);
}

/* Schedulers whose lanes have queues and need no cursor.  */

static bool
queues_p (const struct amp_ops *ops)
{
  return ops->flags & AMP_QUEUES;
}

/* Locations.  */

static uint64_t *
loc_address (unsigned loc)
{
  return &block->cursor + loc;
}

/* What the site holds is for the lane that reports last alone.  */

static bool
in_site_p (const uint64_t *p)
{
  return (site != NULL && (const char *) p >= (const char *) site
	  && (const char *) p < (const char *) site + site_size);
}

static unsigned
loc_of (const uint64_t *p)
{
  ptrdiff_t loc = p - loc_address (0);

  if (loc < 0 || loc >= (ptrdiff_t) nlocs)
    {
      VIOLATION ("an access outside of the shared lines");
      return 0;
    }
  return loc;
}

static bool
in_sums_p (unsigned loc)
{
  return (loc_address (loc) >= (uint64_t *) amp_loop_sums (block)
	  && loc_address (loc) < amp_loop_bounds (block));
}

/* hetprobe's are where others have bounds.  */

static bool
in_shares_p (unsigned loc)
{
  return ((loc_address (loc) >= amp_loop_shares (block)
	   && loc_address (loc) < (uint64_t *) amp_loop_pace (block))
	  || ((config.ops->flags & AMP_CLUSTERED)
	      && loc_address (loc) >= amp_loop_bounds (block)
	      && loc_address (loc) < (uint64_t *) amp_loop_queue (block, 0))
	  || loc_address (loc) == &block->round);
}

static bool
in_pace_p (unsigned loc)
{
  return (loc_address (loc) >= (uint64_t *) amp_loop_pace (block)
	  && loc_address (loc) < (uint64_t *) amp_loop_sums (block));
}

static const char *
loc_name (unsigned loc)
{
  static char name[40];
  uint64_t *p = loc_address (loc);
  uint64_t *sums = (uint64_t *) amp_loop_sums (block);

  if (p == &block->cursor)
    return "cursor";
  if (p == amp_loop_shared (block))
    return "shared";
  if (p == &block->phase)
    return "phase";
  if (p == &block->arrived)
    return "arrived";
  if (p == &block->round)
    return "round";
  if (p == &block->finished)
    return "finished";
  if (p >= (uint64_t *) amp_loop_queue (block, 0))
    {
      static const char *const words[16] = { "range", "stats", "probe", "probe",
					     "probe", "probe", "probe",
					     "probe", [8] = "run",
					     "ticks", "type", "own run",
					     "own ticks" };
      ptrdiff_t word = p - (uint64_t *) amp_loop_queue (block, 0);
      snprintf (name, sizeof name, "queue[%td].%s", word / 16,
		words[word % 16]);
    }
  else if (p >= amp_loop_bounds (block))
    snprintf (name, sizeof name, "bounds[%td]", p - amp_loop_bounds (block));
  else if (p >= sums)
    snprintf (name, sizeof name, "sums[%td].%s", (p - sums) / 8,
	      (p - sums) % 8 == 0 ? "lanes" : (p - sums) % 8 == 1 ? "ticks"
	      : "iterations");
  else if (in_pace_p (loc))
    snprintf (name, sizeof name, "pace[%td].%s",
	      (p - (uint64_t *) amp_loop_pace (block)) / 4,
	      (p - (uint64_t *) amp_loop_pace (block)) % 4 == 0 ? "sf"
	      : (p - (uint64_t *) amp_loop_pace (block)) % 4 == 1 ? "part"
	      : (p - (uint64_t *) amp_loop_pace (block)) % 4 == 2 ? "spare"
	      : "robs");
  else
    snprintf (name, sizeof name, "shares[%td]", p - amp_loop_shares (block));
  return name;
}

/* The lane's side: tell the scheduler what comes next, and wait.  */

static void
yield (struct lane *l)
{
  if (_setjmp (l->resume) == 0)
    _longjmp (scheduler, 1);
}

static uint64_t
operate (enum op op, uint64_t *p, uint64_t value, enum model_order order)
{
  struct lane *l = &lanes[current];

  l->op = op;
  l->loc = op == OP_TICKS ? 0 : loc_of (p);
  l->value = value;
  l->order = order;
  yield (l);
  return lanes[current].result;
}

static uint64_t
model_load (uint64_t *p, enum model_order order)
{
  return (initialising || in_site_p (p) ? *p
	  : operate (OP_LOAD, p, 0, order));
}

static void
model_store (uint64_t *p, uint64_t v, enum model_order order)
{
  if (initialising || in_site_p (p))
    *p = v;
  else
    operate (OP_STORE, p, v, order);
}

static uint64_t
model_fetch_add (uint64_t *p, uint64_t v, enum model_order order)
{
  if (in_site_p (p))
    {
      *p += v;
      return *p - v;
    }
#ifdef MODEL_TORN_ADD
  uint64_t old = operate (OP_LOAD, p, 0, order & MODEL_ACQ);
  operate (OP_STORE, p, old + v, order & MODEL_REL);
  return old;
#else
  return operate (OP_ADD, p, v, order);
#endif
}

static int
model_cas (uint64_t *p, uint64_t *expected, uint64_t v,
	   enum model_order order)
{
  struct lane *l = &lanes[current];

  l->expected = *expected;
  *expected = operate (OP_CAS, p, v, order);
  return lanes[current].success;
}

/* The choice of ticks is the explorer's, except that of a chunk's start:
   only differences count.  */

static const uint64_t ticks_choices[] = { 0, 1, 1000 };
#define N_TICKS (sizeof ticks_choices / sizeof ticks_choices[0])

static uint64_t
amp_ticks (void)
{
  return (initialising || lanes[current].took ? 0
	  : operate (OP_TICKS, NULL, 0, 0));
}

/* A lane that migrates does so after its first chunk.  */

static unsigned
amp_current_type (void)
{
  unsigned type = config.type[current];

  if (config.migrate && current == 0 && lanes[0].last_end != 0)
    type = (type + 1) % config.types;
  return type;
}

static void
amp_count (struct amp_counts *counts)
{
  memset (counts, 0, sizeof *counts);
  /* Faults that leave a cluster out.  */
  if (config.types == 2 && lanes[current].last_end != 0)
    counts->faults = 100;
}

/* Two lanes are neighbours, where there are three.  */

static unsigned
amp_current_cluster (void)
{
  return current == 0;
}

static uint64_t
mix (uint64_t h, uint64_t x)
{
  h ^= x + UINT64_C (0x9e3779b97f4a7c15) + (h << 6) + (h >> 2);
  h *= UINT64_C (0xff51afd7ed558ccd);
  return h ^ (h >> 32);
}

static void
begin_call (struct lane *l)
{
  struct amp_lane *lane = amp_loop_lane (block, l - lanes);
  const uint64_t *word = (const uint64_t *) lane;

  l->history = 1;
  for (unsigned i = 0; i < sizeof *lane / sizeof *word; i++)
    l->history = mix (l->history, word[i]);
  for (unsigned i = 0; i < beside.nwords; i++)
    l->history = mix (l->history, beside.words[i]);
  l->took = false;
}

/* Lane ID calls until it is told that there is nothing.  */

static void
run_lane_out (unsigned id, struct lane *l, struct amp_lane *lane)
{
  struct amp_chunk chunk;
  unsigned pauses = 0;

  for (;;)
    {
      begin_call (l);
      if (!amp_loop_take_or_end (block, lane, &chunk))
	{
	  /* It may look again, and need not.  */
	  if (lane->state == AMP_ST_PAUSED && ++pauses < 3)
	    continue;
	  break;
	}
      if (tracing)
	printf ("    lane %u gets %ju .. %ju\n", id,
		(uintmax_t) chunk.begin, (uintmax_t) chunk.end);
      if (beside.gives_back != NULL && beside.gives_back (id, lane, chunk))
	continue;
      if (chunk.begin >= chunk.end || chunk.end > config.n)
	VIOLATION ("lane %u was given %ju .. %ju", id,
		   (uintmax_t) chunk.begin, (uintmax_t) chunk.end);
      else
	for (uint64_t i = chunk.begin; i < chunk.end; i++)
	  {
	    if (granted >> i & 1)
	      VIOLATION ("ordinal %ju was handed out twice",
			 (uintmax_t) i);
	    granted |= UINT64_C (1) << i;
	  }
      if (l->last_end == config.n && beside.extra == NULL)
	VIOLATION ("lane %u was given %ju after the last ordinal", id,
		   (uintmax_t) chunk.begin);
      if ((config.ops->flags & AMP_MONOTONIC)
	  && chunk.begin < l->last_end)
	VIOLATION ("lane %u was given %ju after %ju", id,
		   (uintmax_t) chunk.begin, (uintmax_t) l->last_end);
      if (l->first == UINT64_MAX)
	l->first = chunk.begin;
      l->last_end = chunk.end;
      if (violation[0] != '\0' || (config.stops && id == 0))
	break;
    }
}

static void
lane_main (void)
{
  unsigned id = current;
  struct lane *l = &lanes[id];

  for (;;)
    {
      struct amp_lane *lane;
      struct amp_chunk chunk;

      /* The scheduler comes back to here for every execution.  */
      if (_setjmp (l->entry) == 0)
	_longjmp (scheduler, 1);
      id = current;
      l = &lanes[id];
      lane = amp_loop_lane (block, id);
      begin_call (l);
      if (!amp_loop_fresh_p (block, lane))
	VIOLATION ("lane %u is not fresh", id);
      amp_loop_enter (block, lane, config.type[id]);
      run_lane_out (id, l, lane);
      if (beside.again != NULL)
	{
	  beside.again (lane);
	  run_lane_out (id, l, lane);
	}
      begin_call (l);
      if (violation[0] == '\0' && !(config.stops && id == 0)
	  && lane->state != AMP_ST_PAUSED
	  && amp_loop_take_or_end (block, lane, &chunk))
	VIOLATION ("lane %u got a chunk after false", id);
      l->history = 2;
      l->op = OP_FINISHED;
      yield (l);
    }
}

/* The scheduler's side.  */

/* Let LANE run up to its next operation.  */

static void
run_lane (unsigned id, bool start)
{
  struct amp_lane *first = amp_loop_lane (block, 0);

  current = id;
  memcpy (before, first, config.lanes * sizeof *first);
  if (_setjmp (scheduler) == 0)
    _longjmp (start ? lanes[id].entry : lanes[id].resume, 1);
  for (unsigned i = 0; i < config.lanes; i++)
    if (i != id && memcmp (&before[i], first + i, sizeof *first) != 0)
      VIOLATION ("lane %u changed lane %u's line", id, i);
}

static void
join (view_t to, const view_t from)
{
  for (unsigned i = 0; i < nlocs; i++)
    if (from[i] > to[i])
      to[i] = from[i];
}

/* How many outcomes lane L's pending operation may have.  A strong
   compare-and-swap that fails may read any message whose value differs.  */

static unsigned
outcomes (const struct lane *l)
{
  unsigned i, count;

  switch (l->op)
    {
    case OP_LOAD:
      return last[l->loc] - l->view[l->loc] + 1;
    case OP_CAS:
      count = messages[l->loc][last[l->loc]].value == l->expected;
      for (i = l->view[l->loc]; i <= last[l->loc]; i++)
	count += messages[l->loc][i].value != l->expected;
      return count;
    case OP_TICKS:
      return N_TICKS;
    case OP_FINISHED:
      return 0;
    default:
      return 1;
    }
}

static void
read_message (struct lane *l, unsigned index)
{
  const struct message *m = &messages[l->loc][index];

  l->result = m->value;
  if (index > l->view[l->loc])
    l->view[l->loc] = index;
  if (l->order & MODEL_ACQ)
    join (l->view, m->view);
}

static void
write_message (struct lane *l, uint64_t value, bool rmw)
{
  unsigned loc = l->loc, index = ++last[loc];
  struct message *m = &messages[loc][index];

  if (index == MAX_MESSAGES)
    {
      puts ("FAIL: more messages than the explorer has room for");
      exit (1);
    }
  /* Messages are appended.  C11 lets a write take a place in front of others
     that its thread does not know of; no such place may exist.  There is none
     in front of a read-modify-write, which follows what it has read.  */
  if (l->view[loc] < last_store[loc])
    VIOLATION ("a write to %s races with a store", loc_name (loc));
  m->value = value;
  l->view[loc] = index;
  /* An RMW continues the release sequence that it reads from.  */
  if (rmw)
    memcpy (m->view, messages[loc][index - 1].view, sizeof m->view);
  else
    {
      memset (m->view, 0, sizeof m->view);
      last_store[loc] = index;
    }
  if (l->order & MODEL_REL)
    join (m->view, l->view);
  m->view[loc] = index;
}

/* The protocol of amp.h's line 2.  */

static void
check_protocol (struct lane *l, unsigned read_index)
{
  unsigned id = l - lanes;
  unsigned loc = l->loc;
  uint64_t *p = loc_address (loc);
  bool write = l->op != OP_LOAD;

  if (in_sums_p (loc) || p == &block->arrived)
    {
      if (closing >= 0 && closing != (int) id)
	VIOLATION ("lane %u touches %s while lane %d closes the phase", id,
		   loc_name (loc), closing);
      if (!write && closing == (int) id && l->result != tracked[loc])
	VIOLATION ("lane %u closes the phase with %s = %ju instead of %ju",
		   id, loc_name (loc), (uintmax_t) l->result,
		   (uintmax_t) tracked[loc]);
    }
  if (p == &block->arrived && l->op == OP_ADD)
    {
      if (l->result >= config.lanes)
	VIOLATION ("more lanes have arrived than there are");
      if (l->result + 1 == config.lanes)
	closing = id;
    }
  if (in_shares_p (loc) && closing != (int) id)
    {
      if (write)
	VIOLATION ("lane %u writes %s and does not close the phase", id,
		   loc_name (loc));
      if (closing >= 0)
	VIOLATION ("lane %u reads %s while lane %d closes the phase", id,
		   loc_name (loc), closing);
      if (read_index != last[loc])
	VIOLATION ("lane %u reads %s of an earlier phase", id,
		   loc_name (loc));
    }
  /* Read at any time, new or old.  */
  if (in_pace_p (loc) && write && closing != (int) id)
    VIOLATION ("lane %u writes %s and does not close the phase", id,
	       loc_name (loc));
  /* Who is last to be through with a probe sees what all have measured.  */
  if (p >= (uint64_t *) amp_loop_queue (block, 0) && !write
      && (p - (uint64_t *) amp_loop_queue (block, 0)) % 16 >= 2
      && (p - (uint64_t *) amp_loop_queue (block, 0)) % 16 < 2 + AMP_PROBES
      && read_index != last[loc])
    VIOLATION ("lane %u reads an old %s", id, loc_name (loc));
  /* The last report reads what every lane has reported.  */
  if (p >= (uint64_t *) amp_loop_queue (block, 0)
      && (p - (uint64_t *) amp_loop_queue (block, 0)) % 16 >= 8)
    {
      unsigned owner = (p - (uint64_t *) amp_loop_queue (block, 0)) / 16;

      if (write && owner != id)
	VIOLATION ("lane %u writes lane %u's report", id, owner);
      if (!write && read_index != last[loc])
	VIOLATION ("lane %u reads an old report of lane %u", id, owner);
      if (!write && p == &amp_loop_report (block, owner)->run)
	folded += l->result;
    }
  /* Who pops a unit knows that the cursor has passed it.  */
  if (config.ops == &amp_cluster_dynamic && l->op == OP_CAS && l->success
      && l->value == l->expected + (UINT64_C (1) << AMP_UNIT_BITS)
      && (messages[0][l->view[0]].value
	  <= amp_tagged_range (l->expected).front))
    VIOLATION ("lane %u pops what the cursor need not have passed", id);
  if (p == &block->phase && write)
    {
      if (closing != (int) id)
	VIOLATION ("lane %u opens a phase and did not close the one before",
		   id);
      closing = -1;
    }
}

static void
execute (struct lane *l, unsigned outcome)
{
  static const char *const names[] = { "load", "store", "add", "cas" };
  unsigned loc = l->loc, index = last[loc], i;

  switch (l->op)
    {
    case OP_LOAD:
      /* The newest first.  */
      index -= outcome;
      read_message (l, index);
      break;
    case OP_STORE:
      l->result = 0;
      write_message (l, l->value, false);
      tracked[loc] = l->value;
      break;
    case OP_ADD:
      read_message (l, index);
      write_message (l, l->result + l->value, true);
      tracked[loc] += l->value;
      break;
    case OP_CAS:
      l->success = outcome == 0 && messages[loc][index].value == l->expected;
      if (l->success)
	{
	  read_message (l, index);
	  write_message (l, l->value, true);
	  break;
	}
      outcome -= messages[loc][index].value == l->expected;
      for (i = index; ; i--)
	if (messages[loc][i].value != l->expected && outcome-- == 0)
	  break;
      l->order = MODEL_RELAXED;
      read_message (l, i);
      break;
    case OP_TICKS:
      l->result = ticks_choices[outcome];
      break;
    case OP_FINISHED:
      break;
    }
  if (tracing && l->op < OP_TICKS)
    printf ("    lane %td: %s %s (%ju) -> %ju (message %u of %u)\n",
	    l - lanes, names[l->op], loc_name (loc), (uintmax_t) l->value,
	    (uintmax_t) l->result, index, last[loc]);
  else if (tracing)
    printf ("    lane %td: %ju ticks\n", l - lanes, (uintmax_t) l->result);
  l->history = mix (l->history, l->result + 1);
  if (l->op == OP_CAS)
    l->history = mix (l->history, l->success);
  if (l->op < OP_TICKS)
    {
      if (loc_address (loc) == &block->cursor
	  && (l->op == OP_ADD || (l->op == OP_CAS && l->success)
	      || l->op == OP_STORE))
	l->took = true;
      check_protocol (l, index);
    }
}

/* States that have been seen: an open hash table of keys.  */

static uint64_t *seen;
static size_t seen_size, nseen;

static bool
see (uint64_t key)
{
  size_t i;

  key += key == 0;
  if (2 * nseen >= seen_size)
    {
      size_t old_size = seen_size, k;
      uint64_t *old = seen;

      seen_size = seen_size ? 2 * seen_size : 1 << 16;
      seen = calloc (seen_size, sizeof *seen);
      if (seen == NULL)
	abort ();
      for (k = 0; k < old_size; k++)
	if (old[k] != 0)
	  {
	    for (i = old[k] & (seen_size - 1); seen[i] != 0;
		 i = (i + 1) & (seen_size - 1))
	      continue;
	    seen[i] = old[k];
	  }
      free (old);
    }
  for (i = key & (seen_size - 1); seen[i] != 0; i = (i + 1) & (seen_size - 1))
    if (seen[i] == key)
      return true;
  seen[i] = key;
  nseen++;
  return false;
}

/* Everything on which the future depends: what lanes are in the middle of
   and know, the messages that some lane may still read, with positions
   counted from the oldest of these, and what has been handed out.  */

static uint64_t
state_key (void)
{
  uint64_t key = mix (granted, closing + 1);
  unsigned active[MAX_LOCS], nactive = 0, base[MAX_LOCS];
  unsigned i, j, k, m;

  for (i = 0; i < nlocs; i++)
    if (last[i] != 0)
      {
	unsigned least = last[i];

	for (j = 0; j < config.lanes; j++)
	  if (lanes[j].op != OP_FINISHED && lanes[j].view[i] < least)
	    least = lanes[j].view[i];
	base[nactive] = least;
	active[nactive++] = i;
      }
  for (j = 0; j < config.lanes; j++)
    {
      key = mix (key, lanes[j].history);
      key = mix (key, lanes[j].op);
      key = mix (key, lanes[j].last_end);
      if (lanes[j].op != OP_FINISHED)
	for (k = 0; k < nactive; k++)
	  key = mix (key, lanes[j].view[active[k]] - base[k]);
    }
  for (k = 0; k < nactive; k++)
    {
      i = active[k];
      key = mix (key, i + 1000);
      key = mix (key, tracked[i]);
      key = mix (key, last_store[i] > base[k] ? last_store[i] - base[k] : 0);
      for (m = base[k]; m <= last[i]; m++)
	{
	  uint64_t packed = 0;

	  key = mix (key, messages[i][m].value);
	  for (unsigned n = 0; n < nactive; n++)
	    {
	      unsigned v = messages[i][m].view[active[n]];

	      packed = packed << 8 | (v > base[n] ? v - base[n] : 0);
	      if (n % 8 == 7 || n + 1 == nactive)
		{
		  key = mix (key, packed);
		  packed = 0;
		}
	    }
	}
    }
  return key;
}

static size_t
shared_size (void)
{
  return nlocs * sizeof (uint64_t);
}

static void
start_execution (void)
{
  memcpy (block, image, block_size);
  for (unsigned i = 0; i < nlocs; i++)
    {
      memcpy (&messages[i][0].value, &((struct amp_loop *) image)->cursor + i,
	      sizeof (uint64_t));
      memset (messages[i][0].view, 0, sizeof messages[i][0].view);
      last[i] = last_store[i] = 0;
      tracked[i] = messages[i][0].value;
    }
  /* Whoever goes past the port's macros reads nonsense.  */
  memset (&block->cursor, 0x5b, shared_size ());
  granted = 0;
  folded = 0;
  for (unsigned i = 0; i < beside.nwords; i++)
    beside.words[i] = 0;
  if (site != NULL)
    {
      memset (site, 0, site_size);
      amp_site_format (site, site, config.lanes, config.types, 0);
    }
  closing = -1;
  violation[0] = '\0';
  for (unsigned i = 0; i < config.lanes; i++)
    {
      memset (lanes[i].view, 0, sizeof lanes[i].view);
      lanes[i].last_end = 0;
      lanes[i].first = UINT64_MAX;
      lanes[i].history = 0;
    }
  for (unsigned i = 0; i < config.lanes; i++)
    if (config.frozen && i + 1 == config.lanes)
      lanes[i].op = OP_FINISHED;
    else
      run_lane (i, true);
}

/* What lane 0, which has stopped, had put in its cluster's pool: others may
   have looked there before.  */

static uint64_t
left_in_pool (void)
{
  const struct amp_cluster_loop *own = amp_loop_own (block);
  uint64_t *word = &amp_loop_queue (block, 1 % own->pools)->range;
  uint64_t mask = 0, i;
  struct amp_range range;

  range = amp_tagged_range (messages[loc_of (word)][last[loc_of (word)]].value);
  for (i = range.front * own->unit;
       i < range.back * own->unit && i + 1 < config.n; i++)
    mask |= UINT64_C (1) << i;
  return mask;
}

/* What may be left at the end: nothing, but for what a lane that stopped
   calling had stolen, or others that retired had left to it.  */

static uint64_t
may_be_left (void)
{
  struct amp_range range;
  uint64_t mask = 0, own = amp_first_unit (block, 0);
  unsigned loc;

  if (!config.stops)
    return 0;
  loc = loc_of (&block->retired);
  if (messages[loc][last[loc]].value != 0)
    return UINT64_MAX;
  if (config.ops == &amp_cluster_dynamic)
    return left_in_pool ();
  if (!(config.ops->flags & AMP_QUEUES) || (config.ops->flags & AMP_PIECES))
    return 0;
  if (lanes[0].first == UINT64_MAX
      || (lanes[0].first >= own && lanes[0].first < amp_first_unit (block, 1)))
    return 0;
  loc = loc_of (&amp_loop_queue (block, 0)->range);
  range = amp_decode_queue (block, 0, messages[loc][last[loc]].value);
  for (; range.front < range.back; range.front++)
    mask |= UINT64_C (1) << range.front;
  return mask;
}

/* True if lane ID's pending operation has the same outcomes whenever it is
   executed, and changes nothing for others: what ticks say, loads of what only
   amp_loop_init writes or only the lane itself.  Such a step needs no
   interleaving.  */

static bool
private_p (unsigned id)
{
  const struct lane *l = &lanes[id];
  const uint64_t *p = loc_address (l->loc);

  if (l->op == OP_TICKS)
    return true;
  return (l->op == OP_LOAD && queues_p (config.ops)
	  && (p == &amp_loop_queue (block, id)->own
	      || (p >= amp_loop_bounds (block)
		  && p < (uint64_t *) amp_loop_queue (block, 0))
	      || (p >= (uint64_t *) amp_loop_pace (block)
		  && p < (uint64_t *) amp_loop_sums (block))));
}

/* Run along the path and then on into the unknown until the end, a violation
   or a state that has been seen.  True if the loop came to its end.  */

static bool
run_execution (void)
{
  unsigned i;

  start_execution ();
  for (depth = 0; violation[0] == '\0'; depth++)
    {
      unsigned count[MAX_LANES], total = 0, choice;

      for (i = 0; i < config.lanes; i++)
	total += count[i] = outcomes (&lanes[i]);
      for (i = 0; i < config.lanes; i++)
	if (private_p (i))
	  {
	    total = count[i];
	    memset (count, 0, sizeof count);
	    count[i] = total;
	    break;
	  }
      if (total == 0)
	break;
      if (depth == MAX_DEPTH)
	{
	  VIOLATION ("no end after %d steps", MAX_DEPTH);
	  return true;
	}
      if (depth >= replay)
	{
	  if (walking == 0 && see (state_key ()))
	    return false;
	  path[depth].taken = 0;
	  path[depth].count = total;
	  if (walking != 0)
	    {
	      walking ^= walking << 13;
	      walking ^= walking >> 7;
	      walking ^= walking << 17;
	      path[depth].taken = walking % total;
	    }
	}
      choice = path[depth].taken;
      for (i = 0; choice >= count[i]; i++)
	choice -= count[i];
      execute (&lanes[i], choice);
      if (violation[0] == '\0')
	run_lane (i, false);
    }
  if (violation[0] == '\0')
    {
      const char *p = (const char *) block;
      uint64_t left = (granted ^ (config.n == 64 ? UINT64_MAX
				  : (UINT64_C (1) << config.n) - 1));
      bool paused = false;

      /* Who does not look again reports nothing.  */
      for (i = 0; i < config.lanes; i++)
	paused |= amp_loop_lane (block, i)->state == AMP_ST_PAUSED;
      if (config.observe && !paused && folded != config.n)
	VIOLATION ("the reports that were read are of %ju iterations",
		   (uintmax_t) folded);
      if (config.observe && config.n != 0 && !config.migrate && !paused
	  && site->observed_executions != 1)
	VIOLATION ("the execution was observed %ju times",
		   (uintmax_t) site->observed_executions);
      initialising = true;
      if (left & ~may_be_left ())
	VIOLATION ("not every ordinal was handed out: mask %jx",
		   (uintmax_t) granted);
      if (memcmp (p, image, AMP_CONSTANT) != 0)
	VIOLATION ("a constant line changed");
      for (i = 0; i < shared_size (); i++)
	if (p[AMP_CONSTANT + i] != 0x5b)
	  VIOLATION ("a shared word was written without a macro");
      initialising = false;
    }
  else
    depth++;
  return true;
}

static unsigned passed, failed, bounded;

static void
explore (const struct config *c, size_t max_states, uint64_t max_walks)
{
  struct amp_setup setup;
  /* Static, since setjmp does not promise to keep others.  */
  static uint64_t executions, finished, walks;
  static unsigned i;
  static bool complete;
  static char what[200];
  static void *extra;
  static unsigned char told[MAX_LANES];

  executions = finished = walks = 0;
  complete = true;
  config = *c;
  snprintf (what, sizeof what,
	    "%s,%d,%d n=%ju lanes=%u types=%u/%u%u%u%s%s%s%s%s%s%s%s",
	    c->ops->name, c->params.value[0], c->params.value[1],
	    (uintmax_t) c->n, c->lanes, c->types, c->type[0], c->type[1],
	    c->type[2], c->sf ? " sf" : c->expect ? " expected" : "",
	    c->types_guessed ? " guessed" : "",
	    c->cas ? " cas" : "", c->frozen ? " frozen" : "",
	    c->stops ? " stops" : "", c->observe ? " observed" : "",
	    c->migrate ? " migrates" : "",
	    c->astray ? " leaves all out" : c->left_out ? " leaves out" : "");
  block_size = amp_loop_size (c->lanes, c->types);
  block = aligned_alloc (AMP_LINE, block_size);
  image = aligned_alloc (AMP_LINE, block_size);
  memset (block, 0xa5, block_size);
  amp_loop_format (block, c->lanes, c->types);
  memset (&setup, 0, sizeof setup);
  setup.n = c->n;
  setup.lanes = c->lanes;
  setup.types = c->types;
  setup.params = c->params;
  for (i = 0; i < c->lanes; i++)
    told[i] = c->astray && i == 0 ? 1 - c->type[i] : c->type[i];
  setup.lane_type = c->expect ? told : NULL;
  setup.types_guessed = c->types_guessed;
  setup.sf = c->sf;
  setup.left_out = c->left_out;
  setup.min_ticks = 2;
  setup.clusters = 2;
  setup.fault_cost = 100.0;
  if (c->observe)
    {
      site_size = amp_site_size (c->lanes, c->types);
      site = aligned_alloc (AMP_LINE, site_size);
      memset (site, 0, site_size);
      amp_site_format (site, site, c->lanes, c->types, 0);
    }
  setup.site = site;
  setup.is_observed = c->observe;
  setup.extra = extra = calloc (1, amp_loop_extra (c->ops, &setup) + 1);
  if (beside.extra != NULL)
    setup.extra = beside.extra;
  /* What an earlier loop has left.  */
  for (i = 0; i < c->lanes; i++)
    {
      amp_loop_queue (block, i)->range
	= UINT64_C (2) << AMP_TAG_SHIFT | i << AMP_UNIT_BITS | 77;
      amp_loop_queue (block, i)->own
	= UINT64_C (2) << AMP_TAG_SHIFT | UINT64_C (3) << AMP_ICH_D_SHIFT | 99;
    }
  initialising = true;
  amp_loop_init (block, c->ops, &setup);
  initialising = false;
  if (c->cas)
    block->cursor_mode = AMP_CURSOR_CAS;
  memcpy (image, block, block_size);
  nlocs = ((char *) amp_loop_lane (block, 0) - (char *) loc_address (0))
    / sizeof (uint64_t);
  free (seen);
  seen = NULL;
  seen_size = nseen = 0;
  for (i = 0; i < c->lanes; i++)
    {
      static char stacks[MAX_LANES][STACK];

      current = i;
      getcontext (&lane_context[i]);
      lane_context[i].uc_stack.ss_sp = stacks[i];
      lane_context[i].uc_stack.ss_size = STACK;
      lane_context[i].uc_link = &main_context;
      makecontext (&lane_context[i], lane_main, 0);
      if (_setjmp (scheduler) == 0)
	setcontext (&lane_context[i]);
    }

  replay = 0;
  for (;;)
    {
      executions++;
      finished += run_execution ();
      if (violation[0] != '\0')
	break;
      while (depth > 0 && path[depth - 1].taken + 1 == path[depth - 1].count)
	depth--;
      if (depth == 0)
	break;
      if (nseen > max_states)
	{
	  complete = false;
	  break;
	}
      path[depth - 1].taken++;
      replay = depth;
    }
  /* What could not be explored is at least sampled.  */
  if (!complete)
    {
      replay = 0;
      walking = 1;
      for (; walks < max_walks && violation[0] == '\0'; walks++)
	run_execution ();
      walking = 0;
    }
  if (violation[0] != '\0')
    {
      failed++;
      printf ("FAIL: %s: %s\n", what, violation);
      tracing = true;
      replay = MAX_DEPTH;
      violation[0] = '\0';
      run_execution ();
      tracing = false;
    }
  else
    {
      passed++;
      bounded += !complete;
      if (verbose || !complete)
	{
	  printf ("%s: explored %ju executions (%ju to the end), %zu states, ",
		  what, (uintmax_t) executions, (uintmax_t) finished, nseen);
	  if (complete)
	    puts ("complete");
	  else
	    printf ("bounded by %zu states; and %ju random executions\n",
		    max_states, (uintmax_t) walks);
	}
    }
  free (block);
  free (image);
  free (extra);
  free (site);
  site = NULL;
}

int
main (int argc, char **argv)
{
  static const double sf2[] = { 2.0, 1.0 }, sf3[] = { 3.0, 2.0, 1.0 };
  /* n, lanes, types, the lanes' types.  */
  static const struct
  {
    unsigned n, lanes, types;
    unsigned char type[MAX_LANES];
    bool large;
  } shapes[] = {
    { 0, 2, 2, { 0, 1, 0 }, false }, { 1, 2, 2, { 0, 1, 0 }, false },
    { 2, 2, 2, { 1, 0, 0 }, false }, { 5, 2, 1, { 0, 0, 0 }, false },
    { 5, 2, 2, { 0, 1, 0 }, false }, { 6, 2, 2, { 0, 0, 0 }, false },
    { 8, 2, 3, { 0, 2, 0 }, false }, { 12, 2, 2, { 1, 0, 0 }, true },
    { 40, 2, 2, { 1, 0, 0 }, true },
    { 3, 3, 2, { 0, 1, 1 }, true }, { 5, 3, 3, { 0, 1, 2 }, true },
    { 8, 3, 2, { 0, 0, 1 }, true }
  };
  static const int params[][2] = {
    { 0, 0 }, { 1, 1 }, { 1, 2 }, { 2, 3 }, { 50, 1 },
    /* For hetprobe_i: two parts.  */
    { 50, 50 }
  };
  const struct amp_ops *const *p;
  const char *only = NULL;
  size_t max_states = 1000000;
  uint64_t max_walks = 10000;
  bool small = false;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--states") == 0 && i + 1 < argc)
      max_states = strtoull (argv[++i], NULL, 10);
    else if (strcmp (argv[i], "--walks") == 0 && i + 1 < argc)
      max_walks = strtoull (argv[++i], NULL, 10);
    else if (strcmp (argv[i], "--only") == 0 && i + 1 < argc)
      only = argv[++i];
    else if (strcmp (argv[i], "--small") == 0)
      small = true;
    else if (strcmp (argv[i], "--verbose") == 0)
      verbose = true;
    else
      {
	fprintf (stderr, "model: what is '%s'?\n", argv[i]);
	return 2;
      }
  for (p = amp_schedulers; *p != NULL; p++)
    for (unsigned s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
      for (unsigned k = 0; k < sizeof params / sizeof params[0]; k++)
	for (unsigned cas = 0; cas < 2; cas++)
	  for (unsigned known = 0; known < 28; known++)
	    {
	      /* 1: a lane never calls, 2: stops, 3: all report to a site, 4: and
		 one changes types, 5: lanes of type 0 are left out, 6: all
		 lanes are, since lane 0 is not where it was expected.  */
	      unsigned absent = known / 4;
	      bool queues = queues_p (*p);
	      struct config c;
	      bool valid = true;

	      if (only != NULL && strcmp (only, (*p)->name) != 0)
		continue;
	      if (shapes[s].large && (small || (cas && k > 1)))
		continue;
	      if (failed >= 5)
		continue;
	      memset (&c, 0, sizeof c);
	      c.ops = *p;
	      for (unsigned j = 0; j < AMP_MAX_PARAMS; j++)
		{
		  c.params.value[j] = j < (*p)->nparams ? params[k][j] : 0;
		  if (j < (*p)->nparams && params[k][j] != 0
		      && (params[k][j] < (*p)->param[j].min
			  || params[k][j] > (*p)->param[j].max))
		    valid = false;
		}
	      if (k == 5 && *p != &amp_hetprobe_i)
		valid = false;
	      if ((*p)->nparams < 2 && k > 0
		  && params[k][0] == params[k - 1][0])
		valid = false;
	      if ((*p)->check != NULL && (*p)->check (&c.params) != NULL)
		valid = false;
	      /* Where not all types are the same these two do not differ from
		 the two before.  */
	      for (unsigned j = 1; known % 4 >= 2 && j < shapes[s].lanes; j++)
		if (shapes[s].type[j] != shapes[s].type[0])
		  valid = false;
	      /* Types matter to those that look at the clock, and known SF to
		 queues, which have no cursor.  */
	      if (((*p)->flags & AMP_CLUSTERED) && cas)
		valid = false;
	      if (queues ? known % 4 > 1 || cas
		  : !((*p)->flags & AMP_NEEDS_CLOCK) && known % 4 != 0)
		valid = false;
	      if (absent >= 3
		  && (cas || k > 1 || known % 4 > 1
		      || (absent == 4 && (shapes[s].types == 1 || known % 4))
		      || (queues && shapes[s].lanes == 3)))
		valid = false;
	      /* Who is left out is told apart by a plan of known SF.  */
	      if (absent >= 5
		  && (known % 4 != 1 || queues || shapes[s].types != 2
		      || !((*p)->flags & AMP_PHASED)))
		valid = false;
	      for (unsigned j = 1; absent == 6 && j < shapes[s].lanes; j++)
		if (shapes[s].type[j] != shapes[s].type[0])
		  valid = false;
	      /* Lanes that do not come or stop.  */
	      if (absent != 0 && absent < 3
		  && (!queues ? cas || k > 1 || shapes[s].large
		      || (((*p)->flags & AMP_RESERVES)
			  && *p != &amp_cluster_dynamic) : k > 2))
		valid = false;
	      if (!valid)
		continue;
	      c.n = shapes[s].n;
	      c.lanes = shapes[s].lanes;
	      c.types = shapes[s].types;
	      memcpy (c.type, shapes[s].type, sizeof c.type);
	      c.sf = known % 2 == 0 ? NULL : c.types == 3 ? sf3 : sf2;
	      c.expect = known % 4 != 0;
	      c.types_guessed = known % 4 == 3;
	      c.cas = cas;
	      c.frozen = absent == 1;
	      c.stops = absent == 2;
	      c.observe = absent == 3 || absent == 4;
	      c.astray = absent == 6;
	      c.left_out = (absent < 5 ? 0
			    : UINT64_C (1) << (c.astray ? c.type[0] : 0));
	      c.migrate = absent == 4;
	      explore (&c, max_states, max_walks);
	    }
  printf ("%u configurations explored without a violation, %u of them not "
	  "completely\n", passed, bounded);
  printf ("%u passed, %u failed, 0 skipped\n", passed, failed);
  return failed != 0;
}

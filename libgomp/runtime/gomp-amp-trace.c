/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's records of single chunks: GOMP_AMP_TRACE, a trace of the chunks
   of teams, and GOMP_AMP_RECORD, what iterations cost in teams of one.
   Included by gomp-amp.c.

   Each thread writes its chunks into a buffer of its own.  A buffer that is
   full, or whose thread ends, is appended to a file without a name; only that
   takes a lock.  When the process ends, gomp-amp-trace-write.c writes what was
   collected in the form that was asked for.

   A chunk begins when `next' has returned it and ends when its lane asks for
   the next one of the same loop.  Between, the thread may run other loops:
   those of a nested team.  So each thread has a stack of open chunks.  An entry
   is known by its loop and generation; entries above the one that is looked
   for are of loops that were cancelled.  */

#include <sys/mman.h>
#include <sys/stat.h>

enum gomp_amp_phase
{
  GOMP_AMP_SAMPLING,	/* A sample.  */
  GOMP_AMP_AID,		/* A share of what AID distributes.  */
  GOMP_AMP_TAIL,	/* Self-scheduled, after that.  */
  GOMP_AMP_CHUNK	/* Any other.  */
};

static const char *const gomp_amp_phase_names[] = {
  "sampling", "aid", "tail", "chunk"
};

/* In the place of a kind.  */
#define GOMP_AMP_RECORDED 63

struct gomp_amp_event
{
  uint64_t start, end;	/* Ticks.  */
  uint64_t first;	/* Ordinal.  Of a loop's beginning: threads.  */
  uint64_t count;	/* Iterations.  */
  const void *address;	/* Of the site.  */
  uint32_t loop;	/* Number of the execution.  */
  uint16_t thread;	/* In its team.  */
  uint16_t begins : 1;	/* A loop's beginning, and no chunk.  */
  uint16_t phase : 2;	/* enum gomp_amp_phase.  */
  uint16_t type : 6;	/* Of the core.  */
  uint16_t kind : 6;	/* Of the schedule, as in omp_sched_t, or
			   GOMP_AMP_RECORDED.  */
};

struct gomp_amp_open
{
  const struct amp_loop *loop;
  uint64_t generation;
  struct gomp_amp_event event;
};

#define GOMP_AMP_EVENTS 8192
/* Loops nested deeper are not seen.  */
#define GOMP_AMP_OPEN 16

/* One for each thread that ran loops, as long as the process lives.  */

struct gomp_amp_tracer
{
  struct gomp_amp_tracer *next;
  unsigned number;		/* In order of appearance.  */
  unsigned thread;		/* In the team of its first event.  */
  /* Added to by the thread; read by who writes the files.  */
  unsigned count;
  struct gomp_amp_event *events;
  struct gomp_amp_open open[GOMP_AMP_OPEN];
  unsigned nopen;
};

/* What heads a buffer in the file without a name.  */

struct gomp_amp_spool_head
{
  uint64_t thread;		/* The tracer's number.  */
  uint64_t count;
};

/* True if GOMP_AMP_TRACE or GOMP_AMP_RECORD is set; false again when the files
   are being written.  */
static bool gomp_amp_tracing;

static const char *gomp_amp_trace_file, *gomp_amp_costs_file;
static pthread_key_t gomp_amp_tracer_key;

static struct
{
  gomp_mutex_t lock;		/* For what follows.  */
  struct gomp_amp_tracer *tracers;
  unsigned ntracers;
  int fd;			/* -1: none yet.  */
  uint64_t bytes;
  int error;			/* errno; what came after that is lost.  */
  bool closed;

  uint32_t loops;		/* Executions so far.  */
} gomp_amp_spool = { .fd = -1 };

static uint64_t
gomp_amp_monotonic (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* NAME with the process's number for %p.  */

static const char *
gomp_amp_expand_name (const char *name)
{
  const char *at = strstr (name, "%p");
  size_t size = strlen (name) + 20;
  char *copy;

  if (at == NULL)
    return name;
  copy = gomp_malloc (size);
  snprintf (copy, size, "%.*s%ld%s", (int) (at - name), name,
	    (long) getpid (), at + 2);
  return copy;
}

/* Write all of it; errno or 0.  */

static int
gomp_amp_write_all (int fd, const void *data, size_t size)
{
  const char *p = data;

  while (size != 0)
    {
      ssize_t n = write (fd, p, size);

      if (n < 0 && errno == EINTR)
	continue;
      if (n <= 0)
	return n < 0 ? errno : ENOSPC;
      p += n;
      size -= n;
    }
  return 0;
}

/* A file beside the one that is asked for, which nobody else sees.  */

static int
gomp_amp_open_spool (void)
{
  const char *file = (gomp_amp_trace_file != NULL ? gomp_amp_trace_file
		      : gomp_amp_costs_file);
  size_t size = strlen (file) + 8;
  char *name = gomp_malloc (size);
  int fd;

  snprintf (name, size, "%s.XXXXXX", file);
  fd = mkostemp (name, O_CLOEXEC);
  if (fd >= 0)
    unlink (name);
  free (name);
  return fd;
}

/* Empty the buffer of T.  */

static void __attribute__ ((noinline))
gomp_amp_flush_events (struct gomp_amp_tracer *t)
{
  struct gomp_amp_spool_head head = { t->number, t->count };
  size_t size = t->count * sizeof *t->events;

  gomp_mutex_lock (&gomp_amp_spool.lock);
  /* A child of fork must not write into its parent's file.  */
  if (!gomp_amp_spool.closed && gomp_amp_spool.error == 0
      && getpid () == gomp_amp_pid)
    {
      if (gomp_amp_spool.fd < 0)
	{
	  gomp_amp_spool.fd = gomp_amp_open_spool ();
	  if (gomp_amp_spool.fd < 0)
	    gomp_amp_spool.error = errno;
	}
      if (gomp_amp_spool.error == 0)
	gomp_amp_spool.error
	  = gomp_amp_write_all (gomp_amp_spool.fd, &head, sizeof head);
      if (gomp_amp_spool.error == 0)
	gomp_amp_spool.error
	  = gomp_amp_write_all (gomp_amp_spool.fd, t->events, size);
      if (gomp_amp_spool.error == 0)
	gomp_amp_spool.bytes += sizeof head + size;
    }
  /* Who writes the files reads this buffer under the same lock; from then on
     nothing is added.  */
  if (!gomp_amp_spool.closed)
    __atomic_store_n (&t->count, 0, __ATOMIC_RELAXED);
  gomp_mutex_unlock (&gomp_amp_spool.lock);
}

static void
gomp_amp_end_tracer (void *data)
{
  struct gomp_amp_tracer *t = data;

  /* Another key's destructor may run a loop after this one.  */
  if (t->count != 0)
    gomp_amp_flush_events (t);
  gomp_mutex_lock (&gomp_amp_spool.lock);
  if (!gomp_amp_spool.closed)
    {
      free (t->events);
      t->events = NULL;
      t->nopen = 0;
    }
  gomp_mutex_unlock (&gomp_amp_spool.lock);
}

static struct gomp_amp_tracer * __attribute__ ((noinline))
gomp_amp_new_tracer (void)
{
  struct gomp_amp_tracer *t = gomp_malloc_cleared (sizeof *t);

  if (gomp_amp_tracing)
    {
      t->events = gomp_malloc (GOMP_AMP_EVENTS * sizeof *t->events);
      /* Let the pages be there before something is timed.  */
      memset (t->events, 0, GOMP_AMP_EVENTS * sizeof *t->events);
    }
  t->thread = gomp_thread ()->ts.team_id;
  gomp_mutex_lock (&gomp_amp_spool.lock);
  t->number = gomp_amp_spool.ntracers++;
  t->next = gomp_amp_spool.tracers;
  gomp_amp_spool.tracers = t;
  gomp_mutex_unlock (&gomp_amp_spool.lock);
  pthread_setspecific (gomp_amp_tracer_key, t);
  return t;
}

/* The calling thread's.  */

static inline struct gomp_amp_tracer *
gomp_amp_tracer (void)
{
  struct gomp_amp_tracer *t = pthread_getspecific (gomp_amp_tracer_key);

  return __builtin_expect (t != NULL, 1) ? t : gomp_amp_new_tracer ();
}

static inline void
gomp_amp_emit (struct gomp_amp_tracer *t, const struct gomp_amp_event *event)
{
  /* It appeared when the files were being written.  */
  if (__builtin_expect (t->events == NULL, 0))
    return;
  if (__builtin_expect (t->count == GOMP_AMP_EVENTS, 0))
    {
      gomp_amp_flush_events (t);
      if (t->count == GOMP_AMP_EVENTS)
	return;
    }
  t->events[t->count] = *event;
  /* Pairs with the acquire of who writes the files.  */
  __atomic_store_n (&t->count, t->count + 1, __ATOMIC_RELEASE);
}

/* The calling thread's open chunk of LOOP, or NULL.  */

static struct gomp_amp_open *
gomp_amp_find_open (struct gomp_amp_tracer *t, const struct amp_loop *loop)
{
  unsigned i = t->nopen;

  while (i-- > 0)
    {
      struct gomp_amp_open *open = &t->open[i];

      if (open->loop != loop || open->generation != loop->generation)
	continue;
      while (t->nopen > i + 1)
	{
	  struct gomp_amp_event *left = &t->open[--t->nopen].event;

	  left->end = left->start;
	  gomp_amp_emit (t, left);
	}
      return open;
    }
  return NULL;
}

/* What CHUNK is, which LANE got when it was in state BEFORE.  */

static enum gomp_amp_phase
gomp_amp_phase_of (struct amp_loop *loop, const struct amp_lane *lane,
		   unsigned before, const struct amp_chunk *chunk)
{
  uint64_t run = lane->run - (chunk->end - chunk->begin);

  if (strncmp (loop->ops->name, "aid_", 4) != 0)
    return GOMP_AMP_CHUNK;
  if (before == AMP_ST_PLAN)
    return (loop->plan == AMP_PLAN_EVEN || chunk->begin < loop->aid_n
	    ? GOMP_AMP_AID : GOMP_AMP_TAIL);
  switch (lane->state)
    {
    case AMP_ST_SAMPLING:
      /* Where all cores are alike, aid_dynamic takes M at a time.  */
      return loop->uniform ? GOMP_AMP_AID : GOMP_AMP_SAMPLING;
    case AMP_ST_SHARE:
      return GOMP_AMP_AID;
    case AMP_ST_WAIT:
      return GOMP_AMP_CHUNK;
    default:
      /* aid_static and aid_hybrid go on to this state with their share.  */
      if (before != AMP_ST_DRAIN && loop->ops != &amp_aid_dynamic
	  && AMP_LOAD (amp_loop_shares (loop) + lane->type,
		       AMP_RELAXED) > run)
	return GOMP_AMP_AID;
      return GOMP_AMP_TAIL;
    }
}

/* BLOCK's loop begins, of N iterations, for LANES threads.  */

static void
gomp_amp_trace_begin (struct gomp_amp_block *block, const void *address,
		      unsigned lanes, uint64_t n)
{
  struct gomp_amp_event event;

  memset (&event, 0, sizeof event);
  block->number = __atomic_add_fetch (&gomp_amp_spool.loops, 1,
				      __ATOMIC_RELAXED);
  block->address = address;
  event.start = event.end = amp_ticks ();
  event.first = lanes;
  event.count = n;
  event.address = address;
  event.loop = block->number;
  event.begins = 1;
  event.kind = gomp_amp_block_loop (block)->ops->kind;
  event.thread = gomp_thread ()->ts.team_id;
  gomp_amp_emit (gomp_amp_tracer (), &event);
}

/* gomp_amp_take, traced.  */

static bool __attribute__ ((noinline))
gomp_amp_trace_next (struct gomp_work_share *ws, struct amp_loop *loop,
		     struct amp_lane *lane, struct amp_chunk *chunk)
{
  struct gomp_amp_tracer *t = gomp_amp_tracer ();
  struct gomp_amp_open *open = gomp_amp_find_open (t, loop);
  unsigned before;

  if (open != NULL)
    {
      open->event.end = amp_ticks ();
      gomp_amp_emit (t, &open->event);
    }
  if (!gomp_amp_take (ws, loop, lane, chunk, &before))
    {
      if (open != NULL)
	t->nopen--;
      return false;
    }
  if (open == NULL)
    {
      if (t->nopen == GOMP_AMP_OPEN)
	return true;
      open = &t->open[t->nopen++];
      open->loop = loop;
      open->generation = loop->generation;
      open->event.begins = 0;
      open->event.loop = ws->amp->number;
      open->event.address = ws->amp->address;
      open->event.kind = loop->ops->kind;
      open->event.thread = lane->id;
    }
  open->event.first = chunk->begin;
  open->event.count = chunk->end - chunk->begin;
  open->event.phase = gomp_amp_phase_of (loop, lane, before, chunk);
  open->event.type = (lane->type < AMP_MAX_TYPES ? lane->type
		      : AMP_MAX_TYPES - 1);
  open->event.start = amp_ticks ();
  return true;
}

/* What a team of one runs where costs are recorded: chunks that last about
   this long, so that reading the clock costs little.  */

#define GOMP_AMP_RECORD_NANOSECONDS 2000

static uint64_t gomp_amp_record_ticks;

static struct amp_chunk
gomp_amp_record_next (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_chunk chunk;

  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  if (lane->timed != 0)
    {
      uint64_t ticks = amp_ticks () - lane->started;
      double want = ((double) lane->timed * (double) gomp_amp_record_ticks
		     / (double) (ticks != 0 ? ticks : 1));

      lane->chunk = (want < 1.0 ? 1 : want < 2.0 * (double) lane->timed
		     ? (uint64_t) want : 2 * lane->timed);
    }
  chunk = amp_cursor_take (loop, lane, lane->chunk);
  lane->timed = chunk.end - chunk.begin;
  lane->started = amp_ticks ();
  return chunk;
}

/* Begin with chunks of that length, if the site tells how long an iteration
   takes.  */

static void
gomp_amp_record_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  double cost = setup->site != NULL ? amp_site_cost (setup->site) : 0.0;
  double want = (double) gomp_amp_record_ticks / (cost > 0.0 ? cost : 1e300);

  if (want >= 1.0)
    loop->first_chunk = want < 1e9 ? (uint64_t) want : 1000000000;
}

static const struct amp_ops gomp_amp_record_ops = {
  .name = "record", .kind = GOMP_AMP_RECORDED, .flags = AMP_MONOTONIC,
  .init = gomp_amp_record_init, .next = gomp_amp_record_next
};

/* NULL if FILE names none.  */

static const char *
gomp_amp_file_name (const char *file)
{
  return file != NULL && *file != '\0' ? gomp_amp_expand_name (file) : NULL;
}

static void
gomp_amp_init_trace (void)
{
  gomp_mutex_init (&gomp_amp_spool.lock);
  gomp_amp_trace_file = gomp_amp_file_name (secure_getenv ("GOMP_AMP_TRACE"));
  gomp_amp_costs_file = gomp_amp_file_name (secure_getenv ("GOMP_AMP_RECORD"));
  gomp_amp_watching = (gomp_amp_reporting || gomp_amp_trace_file != NULL
		       || gomp_amp_costs_file != NULL);
  if (!gomp_amp_watching)
    return;
  if (pthread_key_create (&gomp_amp_tracer_key, gomp_amp_end_tracer) != 0)
    {
      gomp_amp_watching = false;
      return;
    }
  gomp_amp_begun_ns = gomp_amp_monotonic ();
  gomp_amp_begun_ticks = amp_ticks ();
  gomp_amp_record_ticks = (gomp_amp_min_ticks * GOMP_AMP_RECORD_NANOSECONDS
			   / GOMP_AMP_MIN_NANOSECONDS);
  gomp_amp_tracing = (gomp_amp_trace_file != NULL
		      || gomp_amp_costs_file != NULL);
}

/* The library is about to be unloaded: threads that end later must not call
   it.  */

static void
gomp_amp_end_tracing (void)
{
  if (gomp_amp_watching)
    pthread_key_delete (gomp_amp_tracer_key);
}

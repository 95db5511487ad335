/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Spools: the files that GOMP_AMP_TRACE names, of chunks and of costs, as
   they were run; amp-trace makes of them what people look at.

   A spool is a head and then records, each one head and its body, in the byte
   order of the machine, without padding between them.  Ticks become nanoseconds
   by the head's and the last record's.  A reader passes over tags that it does
   not know.  Who changes one of these structures changes
   GOMP_AMP_SPOOL_VERSION and amp-trace.  */

#ifndef GOMP_AMP_TRACE_FILE_H
#define GOMP_AMP_TRACE_FILE_H 1

#include "gomp-amp-glue.h"

#define GOMP_AMP_SPOOL_MAGIC "ampspool"
#define GOMP_AMP_SPOOL_VERSION 1

struct gomp_amp_spool_head
{
  char magic[8];
  uint32_t order;		/* 0x01020304.  */
  uint32_t version;
  uint32_t event_size;
  uint32_t pid;
  uint64_t ticks, ns;		/* When the library was loaded: ticks and
				   CLOCK_MONOTONIC.  */
  uint64_t seconds;		/* The same moment, since the epoch.  */
};

enum gomp_amp_spool_tag
{
  /* Text, a line each: program NAME, types N, cpu NUMBER TYPE, schedule KIND
     NAME.  */
  GOMP_AMP_SPOOL_INFO = 1,
  /* Text, what is loaded from here on, written again when it has changed; a
     line for each piece of memory: BASE BEGIN END, in hexadecimal, and the
     object's path, which is "program" for the program itself.  */
  GOMP_AMP_SPOOL_OBJECTS,
  /* Events of one thread, in the order of their ends.  */
  GOMP_AMP_SPOOL_EVENTS,
  /* The process ended, and all events are there.  */
  GOMP_AMP_SPOOL_END
};

struct gomp_amp_spool_record
{
  uint32_t tag;
  uint32_t thread;		/* In order of appearance.  */
  uint64_t size;		/* Of the body, in bytes.  */
  uint64_t ticks, ns;		/* When it was written.  */
};

/* In the place of a kind.  */
#define GOMP_AMP_RECORDED 63

enum gomp_amp_phase
{
  GOMP_AMP_SAMPLING,	/* A sample.  */
  GOMP_AMP_AID,		/* A share of what AID distributes.  */
  GOMP_AMP_TAIL,	/* Self-scheduled, after that.  */
  GOMP_AMP_CHUNK,	/* Any other.  */
  GOMP_AMP_BEGINS	/* A loop's beginning, and no chunk.  */
};

struct gomp_amp_event
{
  uint64_t start, end;		/* Ticks.  */
  uint64_t first;		/* Ordinal; of a loop's begin: threads.  */
  uint64_t count;		/* Iterations.  */
  uint64_t address;		/* Of the site.  */
  uint32_t loop;		/* Number of the execution.  */
  uint16_t thread;		/* In its team.  */
  uint8_t what;			/* enum gomp_amp_phase.  */
  uint8_t type;			/* Of the core; of a loop's begin: enum
				   gomp_amp_way.  */
  uint8_t kind;			/* Of the schedule: omp_sched_t.  */
  uint8_t unused[7];
};

#define GOMP_AMP_EVENTS 8192
/* Loops nested deeper are not seen.  */
#define GOMP_AMP_OPEN 16

/* A chunk that is being run.  */

struct gomp_amp_open
{
  unsigned level;		/* Of nesting: its team's.  */
  struct gomp_amp_event event;
};

struct gomp_amp_spool;

/* One for each thread that ran loops that the spool sees, as long as the
   thread lives.  */

struct gomp_amp_tracer
{
  struct gomp_amp_spool *spool;
  struct gomp_amp_tracer *next;
  unsigned number;		/* In order of appearance.  */
  /* Added to by the thread; read by who closes the spool.  */
  unsigned count;
  struct gomp_amp_event *events;
  struct gomp_amp_open open[GOMP_AMP_OPEN];
  unsigned nopen;
};

struct gomp_amp_spool
{
  const char *file;		/* NULL: it is not asked for.  */
  pthread_key_t key;		/* Of the tracers.  */
  /* For what follows.  It knows who holds it, and who waits for it may give
     up: see gomp_amp_spool_close.  */
  pthread_mutex_t lock;
  struct gomp_amp_tracer *tracers;
  unsigned ntracers;		/* That there were.  */
  int fd;			/* -1: not yet open.  */
  dev_t device;			/* Of what FD is, while it is ours.  */
  ino_t inode;
  uint64_t bytes;		/* Of whole records.  */
  int error;			/* errno; what came after that is lost.  */
  bool closed;
  unsigned long long adds, subs; /* Of objects, when they were last listed.  */
};

GOMP_AMP_PART struct gomp_amp_tracer *
gomp_amp_new_tracer (struct gomp_amp_spool *spool);
GOMP_AMP_PART void gomp_amp_flush_events (struct gomp_amp_tracer *t);

/* False if SPOOL is not asked for, or cannot be had.  */
GOMP_AMP_PART bool
gomp_amp_spool_init (struct gomp_amp_spool *spool, enum gomp_amp_record what);

/* The process ends; and this is a child of the one that was to write SPOOL.  */
GOMP_AMP_PART void gomp_amp_spool_close (struct gomp_amp_spool *spool);
GOMP_AMP_PART void gomp_amp_spool_after_fork (struct gomp_amp_spool *spool);

/* The calling thread's.  */

static inline struct gomp_amp_tracer *
gomp_amp_tracer (struct gomp_amp_spool *spool)
{
  struct gomp_amp_tracer *t = pthread_getspecific (spool->key);

  return __builtin_expect (t != NULL, 1) ? t : gomp_amp_new_tracer (spool);
}

/* Add EVENT to what T has collected.  */

static inline void
gomp_amp_emit (struct gomp_amp_tracer *t, const struct gomp_amp_event *event)
{
  /* There was no memory for any.  */
  if (__builtin_expect (t->events == NULL, 0))
    return;
  if (__builtin_expect (t->count == GOMP_AMP_EVENTS, 0))
    {
      gomp_amp_flush_events (t);
      if (t->count == GOMP_AMP_EVENTS)
	return;
    }
  t->events[t->count] = *event;
  /* Pairs with the acquire of who closes the spool.  */
  __atomic_store_n (&t->count, t->count + 1, __ATOMIC_RELEASE);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the parts of libamp-device share.  */

#ifndef DEVICE_H
#define DEVICE_H 1

#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#include "amp-device-plan.h"
#include "amp_device.h"

struct amp_loop;

/* Sums over the chunks of a loop's devices, in nanoseconds, and counts.  */

struct sums
{
  uint64_t scheduling, to_device, launch, kernel, from_device, dispatch;
  uint64_t cores_scheduling;
  uint64_t busy;			/* In the devices' bodies.  */
  uint64_t on_devices, chunks, cores_chunks;
  uint64_t untold;			/* Chunks that told no times.  */
};

/* The search for the best percentage (bulk): one execution that does not
   count, then one for each of 0, 10, ..., 100.  */
#define ORACLE_STEPS 11

struct oracle
{
  unsigned executed;
  unsigned best;
  double best_cost;			/* Nanoseconds an iteration.  */
};

/* A loop's place in the program, with number of lanes and magnitude of the trip
   count, and what is remembered of it.  Sites are never removed.  */

struct site
{
  struct site *next;
  const void *address;			/* Of the call.  */
  amp_device_cores cores_body;
  unsigned cores, devices, magnitude;
  /* Each by the host thread of its device.  */
  struct amp_device_memory memory[AMP_DEVICE_MAX];
  /* The rest under the lock of the sites.  */
  struct oracle oracle;
  uint64_t executions, iterations, total, failed;
  struct sums sums;
  const char *name, *policy;		/* Of the last execution.  */
  int64_t chunk;
  unsigned percent;
};

/* One execution of amp_device_for.  */

struct run
{
  int64_t begin;
  amp_device_cores cores_body;
  amp_device_body device_body;
  void *data;
  struct amp_loop *loop;
  unsigned cores;			/* Lanes 0 .. CORES-1.  */
  struct amp_device_plan plan;
  struct amp_device_options options;
  struct site *site;
  uint64_t number;			/* Of all executions; for traces.  */
  uint64_t began;

  pthread_mutex_t lock;			/* For what follows.  */
  pthread_cond_t changed;
  unsigned working;			/* Devices that may yet fail.  */
  unsigned returned;			/* Chunks that were given back.  */
  unsigned hosts;			/* Host threads that are in here.  */
  int error;
  struct sums sums;
};

/* amp-device.c: device number D's part of RUN, on its host thread.  */
extern void serve_device (struct run *run, unsigned d);

/* host.c.  Bring the host thread of device number D into RUN; false if there is
   none, or it is in another loop.  It counts among RUN's hosts until it has
   left.  */
extern bool host_enter (unsigned d, struct run *run);

/* site.c.  The site; NULL if there are too many.  */
extern struct site *find_site (const void *address, amp_device_cores body,
			       unsigned cores, unsigned devices, uint64_t n);
/* What percentage SITE's next execution is to take.  */
extern unsigned oracle_percent (struct site *site);
/* RUN has ended; all its devices took part if WHOLE.  */
extern void site_add (struct run *run, uint64_t n, uint64_t took, bool whole);

/* trace.c.  A chunk that lane LANE ran from START to END; CALL is NULL for a
   core's, for a device's it began to be scheduled at SCHEDULED.  */
extern bool tracing;
extern void trace_chunk (const struct run *run, unsigned lane, int64_t begin,
			 int64_t end, uint64_t scheduled, uint64_t started,
			 uint64_t ended, const struct amp_device_call *call);

/* options.c.  What the environment changes of *OPTIONS.  */
extern void environment_options (struct amp_device_options *options);
/* The CPUs of the fastest or the slowest type of core, by PLACE, in MASK, a
   cpu_set_t of SIZE bytes; false if all are of one type.  */
extern bool cpus_of_place (int place, void *mask, size_t size);
/* A line "libamp-device: ..." on standard error.  */
extern void complain (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));

static inline uint64_t
now_ns (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

#endif

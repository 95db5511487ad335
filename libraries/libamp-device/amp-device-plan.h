/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the schedule for cores and devices is told, and what it remembers; see
   amp-device-sched.h.  */

#ifndef AMP_DEVICE_PLAN_H
#define AMP_DEVICE_PLAN_H 1

#include <stdint.h>

/* Devices of a loop, at most.  */
#define AMP_DEVICE_LIMIT 8

/* The search for G: sizes double from the least that fills the device, each is
   tried AMP_DEVICE_TRIES times, and the best of these counts, since what
   disturbs only adds to a time.  A size that is not faster by
   AMP_DEVICE_GAIN than the best one before is a miss; AMP_DEVICE_MISSES of
   them in a row end the search (paper: "once the throughput decreases or
   remains stable for 2 or more chunk sizes").

   Where iterations differ, chunks tell little of their size: a cheap one is
   taken for a fast one, and small ones differ most.  What a chunk takes however
   small it is (launch, dispatch) does not depend on its iterations.  Where it
   is told, and is more than AMP_DEVICE_FIXED of a chunk's time, twice the size
   would gain AMP_DEVICE_GAIN: it is passed over, whatever its rate, and the
   first size that is not ends this part of the search.

   Further executions of the loop search again, from what was found on, a size
   being tried for an execution and all its chunks counting: larger ones, until
   there are as many misses; and if none was better, as caches may hold less
   than was passed over, smaller ones until the first miss.  A loop that is not
   AMP_DEVICE_CHUNKS of a size is not tried with a larger one: its end would be
   uneven all the time.  */
#define AMP_DEVICE_TRIES 2
#define AMP_DEVICE_GAIN 1.02
#define AMP_DEVICE_FIXED (2.0 - 2.0 / AMP_DEVICE_GAIN)
#define AMP_DEVICE_MISSES 2
#define AMP_DEVICE_CHUNKS 16

struct amp_device_search
{
  uint64_t size;		/* That is tried; or what was found.  */
  uint64_t best_size;
  double best, rate;		/* Iterations per tick with best_size, and
				   with size as far as it was tried.  */
  float fixed;			/* What the size does not change, as a
				   share of a try's time, at the least.  */
  uint8_t misses, tries, fits;
  uint8_t passed;		/* Smaller sizes that were passed over.  */
  uint8_t by_executions;	/* A try is an execution, not a chunk.  */
  uint8_t down;			/* Smaller sizes are tried.  */
  uint8_t done;
};

/* What is remembered of a device at a loop's site.  At most one loop at a time
   uses it: read when the device's lane enters, written when it is told that
   nothing is left.  All zero at first.  */
struct amp_device_memory
{
  struct amp_device_search search;
  double rate;			/* lambda_G of the last whole chunk.  */
  double small;			/* Of the last smaller chunk, or 0.  */
  double rest;			/* All other lanes' rates together.  */
  /* Of the whole chunks of this execution, where tries are executions.  */
  double iterations, ticks;
  /* At a site's first chunk code is compiled: it says nothing.  */
  uint32_t is_warm;
  /* Executions since the device had a chunk, and after how many it is tried
     again although the cores seem to outrun it: AMP_DEVICE_PATIENCE, and then
     twice as many each time.  */
  uint32_t idle, patience;
  uint32_t unused;
};

#define AMP_DEVICE_PATIENCE 8

enum amp_device_kind
{
  AMP_DEVICE_IS_BULK,		/* One block at the beginning.  */
  AMP_DEVICE_IS_DYNAMIC,	/* Chunks of G.  */
  AMP_DEVICE_IS_ADAPTIVE	/* G is searched for.  */
};

struct amp_device_of
{
  uint64_t least;		/* That fills it; at least 1.  */
  uint64_t chunk;		/* G, at least 1; adaptive: not used.  */
  struct amp_device_memory *memory;
};

struct amp_device_plan
{
  enum amp_device_kind kind;
  unsigned devices;		/* At most AMP_DEVICE_LIMIT.  */
  unsigned percent;		/* Bulk: of the iterations.  */
  struct amp_device_of device[AMP_DEVICE_LIMIT];
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later

   The kernel's placement of threads that are not bound, after the description
   of Global Task Scheduling in Chronaki and others, "On the Maturity of
   Parallel Applications for Asymmetric Multi-Core Processors" (section 3.2): a
   thread that is always runnable goes to a faster core that is idle.

   There are as many cores as threads.  Once a PERIOD, for each idle core from
   the fastest on: if a thread runs on a slower core, the one on the slowest
   core moves there, and the thread that slept there has the other core when it
   wakes up.  A thread that waits is not idle before it sleeps.  Times are the
   engine's.  */

#ifndef SIM_PLACEMENT_H
#define SIM_PLACEMENT_H 1

#include <stdint.h>
#include "engine.h"

struct sim_placement
{
  double period;		/* Between two looks, above 0.  */
  double cost;			/* What a thread that is moved loses.  */
  double spin;			/* How long a thread that waits spins.  */
  double origin;		/* When the loop begins.  Looks are at multiples
				   of PERIOD.  */
  const unsigned char *type;	/* Of each core, the fastest is type 0.  */
  unsigned *core;		/* Of each thread.  Kept from loop to loop.  */
  uint64_t *idle;		/* From when on each core is idle; SIM_NEVER: a
				   thread runs there.  */
  uint64_t *since;		/* Of each thread: when its chunk's rest LEFT
				   began, or will begin; ... */
  double *left;			/* ... work, at speed 1.  */
  uint64_t *from;		/* ... since when it has been on its core in
				   this loop and what is reported as busy.  */
  bool *runs;			/* ... it has a chunk.  */
  uint64_t moves;		/* Threads that were moved, in all loops.  */
};

#endif

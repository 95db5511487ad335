/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A schedule of the core for loops whose lanes are cores and devices.

   Paper: Corbera, Rodriguez, Asenjo, Navarro, Vilches, Garzaran, "Reducing
   overheads of dynamic scheduling on heterogeneous chips" (its equations are
   named in the code).  A device gets chunks of G iterations, the size that
   suits it; a core gets chunks that take it as long as the device takes for G
   (equation 4): C = G * lambda_C / lambda_G, lambda being the throughput of
   the last chunk.

   Where this goes beyond the paper:
   - G may be searched for while the loop runs (struct amp_device_search).
   - A device's last chunk is so small that the device is through with it when
     the cores are through with the rest; a device for which nothing worth its
     while is left gets no more.  Cores' last chunks shrink, too.
   - A chunk may be given back.

   The devices are the last lanes of the loop.  An embedder includes
   amp-device-sched.c after amp-core.c and calls amp_loop_init with
   &amp_device_ops and a setup whose `extra' is a struct amp_device_plan, which
   is constant, and outlives the loop.

   Beyond the contract of amp.h:
   - A device whose chunk was not done gives it back (amp_device_give_back) and
     is a core from then on.  Lanes that had been told that there is nothing may
     ask again (amp_device_again): what was given back is handed out once
     more, in pieces.
   - A device that gets no more although the pool is not empty has retired, as
     in amp.h: where cores have been seen to work, now or earlier at the site.
     At least one core's lane has to go on calling.
   - With bulk blocks are reserved: for the devices, and the rest for the
     cores.
   - What is given back may hold the last ordinal, after which a lane may then
     be given others: no lastprivate here.  */

#ifndef AMP_DEVICE_SCHED_H
#define AMP_DEVICE_SCHED_H 1

#include "amp.h"
#include "amp-device-plan.h"

/* LANE, which was given CHUNK last, is a device and has not done it.  Called by
   its own thread, once.  */
AMP_API void amp_device_give_back (struct amp_loop *loop,
				   struct amp_lane *lane,
				   struct amp_chunk chunk);

/* LANE, which was told that there is nothing, may ask again, as something was
   given back.  Called by its own thread.  */
AMP_API void amp_device_again (struct amp_lane *lane);

/* The rates of all lanes but LANE, in iterations per tick.  */
AMP_API double amp_device_rest (struct amp_loop *loop,
				const struct amp_lane *lane);

/* LANE's chunk, a device's, is done; SHARE of its time, from 0 to 1, would have
   passed with any number of iterations.  Called by its own thread before it
   asks for the next chunk, or not, where that is not known.  */
AMP_API void amp_device_tell (struct amp_lane *lane, double share);

/* A step of the search: RATE was reached with SEARCH's size, by a chunk, SHARE
   of whose time was fixed, or, in its second part, in an execution, in a loop
   of N iterations.  */
AMP_API void amp_device_search_step (struct amp_device_search *search,
				     double rate, double share, uint64_t n);

#endif

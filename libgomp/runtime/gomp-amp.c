/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue between libgomp and the scheduler core, in one object: see
   gomp-amp-glue.h.  A loop's way goes from gomp-amp-entry.c (what programs
   call) by gomp-amp-request.c (what is asked for) and gomp-amp-begin.c to
   gomp-amp-loop.c (chunk after chunk), or to gomp-amp-plan.c where each thread
   gets one block.  */

#include "gomp-amp-glue.h"
#include "gomp-amp-clock.c"
#include "gomp-amp-count.c"
#include "gomp-amp-settings.c"
#include "gomp-amp-cores.c"
#include "gomp-amp-loop-file.c"
#include "gomp-amp-icv.c"
#include "gomp-amp-workload.c"
#include "gomp-amp-site.c"
#include "gomp-amp-wait.c"
#include "gomp-amp-weighted.c"
#include "gomp-amp-crew.c"
#include "gomp-amp-seat.c"
#include "gomp-amp-regions.c"
#include "gomp-amp-beside.c"
#include "gomp-amp-goal.c"
#include "gomp-amp-block.c"
#include "gomp-amp-request.c"
#include "gomp-amp-plan.c"
#include "gomp-amp-bare.c"
#include "gomp-amp-begin.c"
#include "gomp-amp-loop.c"
#include "gomp-amp-watch.c"
#include "gomp-amp-trace.c"
#include "gomp-amp-spool.c"
#include "gomp-amp-mask.c"
#include "gomp-amp-process.c"
#include "gomp-amp-entry.c"

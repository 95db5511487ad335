/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue between libgomp and the scheduler core, in one object, so that no
   makefile changes and every symbol that no hook calls is static.  Each part
   also compiles by itself.  A loop's way goes from gomp-amp-loop-start.c (what
   programs call) by gomp-amp-loop-schedule.c (which schedule it gets) to
   gomp-amp-loop-chunks.c (chunk after chunk), or to gomp-amp-partition.c where
   each thread gets one block.  */

#define GOMP_AMP_WHOLE 1
#include "gomp-amp-glue.h"
#include "gomp-amp-counters.c"
#include "gomp-amp-settings.c"
#include "gomp-amp-cores.c"
#include "gomp-amp-workload.c"
#include "gomp-amp-loop-file.c"
#include "gomp-amp-loop-table.c"
#include "gomp-amp-spin.c"
#include "gomp-amp-team-place.c"
#include "gomp-amp-team-wait.c"
#include "gomp-amp-report.c"
#include "gomp-amp-energy.c"
#include "gomp-amp-workshare.c"
#include "gomp-amp-loop-schedule.c"
#include "gomp-amp-partition.c"
#include "gomp-amp-loop-start.c"
#include "gomp-amp-alone.c"
#include "gomp-amp-loop-chunks.c"
#include "gomp-amp-trace.c"
#include "gomp-amp-trace-file.c"
#include "gomp-amp-mask.c"
#include "gomp-amp-process.c"

/* SPDX-License-Identifier: GPL-3.0-or-later

   The unit tests' version of libgomp/core/amp-port.h: plain accesses, a clock that
   the test sets, assertions that end the program.  */

#include <stdio.h>
#include <stdlib.h>

#define AMP_RELAXED 0
#define AMP_ACQUIRE 2
#define AMP_RELEASE 3
#define AMP_ACQ_REL 4
#define AMP_LOCKED 0
#define AMP_LOAD(P, ORDER) (*(P))
#define AMP_STORE(P, V, ORDER) ((void) (*(P) = (V)))
#define AMP_FETCH_ADD(P, V, ORDER) unit_fetch_add (P, V)
#define AMP_CAS(P, EXPECTED, V, ORDER) \
  (*(P) == *(EXPECTED) ? (*(P) = (V), 1) : (*(EXPECTED) = *(P), 0))
#define AMP_ASSERT(COND) \
  ((COND) ? (void) 0 \
   : (printf ("FAIL: %s:%d: %s\n", __FILE__, __LINE__, #COND), abort ()))

static uint64_t unit_now;

static inline uint64_t
unit_fetch_add (uint64_t *p, uint64_t v)
{
  *p += v;
  return *p - v;
}

static inline uint64_t
amp_ticks (void)
{
  return unit_now;
}

static unsigned unit_type;

static inline unsigned
amp_current_type (void)
{
  return unit_type;
}

static inline unsigned
amp_current_cluster (void)
{
  return 0;
}

static void
amp_count (struct amp_counts *counts)
{
  counts->faults = counts->misses = counts->instructions = 0;
}

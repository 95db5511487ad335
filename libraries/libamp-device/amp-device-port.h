/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libamp-device's version of libgomp/core/amp-port.h.  Ticks are nanoseconds:
   chunks last tens of microseconds at least, and what is reported is in
   nanoseconds, too.  */

#ifndef AMP_DEVICE_PORT_H
#define AMP_DEVICE_PORT_H 1

#include <string.h>
#include <time.h>

#define AMP_RELAXED	__ATOMIC_RELAXED
#define AMP_ACQUIRE	__ATOMIC_ACQUIRE
#define AMP_RELEASE	__ATOMIC_RELEASE
#define AMP_ACQ_REL	__ATOMIC_ACQ_REL

/* Where 64-bit operations are not lock-free libatomic has them.  */
#define AMP_LOCKED 0

#define AMP_LOAD(P, ORDER)		__atomic_load_n (P, ORDER)
#define AMP_STORE(P, V, ORDER)		__atomic_store_n (P, V, ORDER)
#define AMP_FETCH_ADD(P, V, ORDER)	__atomic_fetch_add (P, V, ORDER)
#define AMP_CAS(P, EXPECTED, V, ORDER) \
  __atomic_compare_exchange_n (P, EXPECTED, V, 0, ORDER, AMP_RELAXED)
#define AMP_ASSERT(COND) ((void) 0)

static inline uint64_t
amp_ticks (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline unsigned
amp_current_type (void)
{
  return 0;
}

static inline unsigned
amp_current_cluster (void)
{
  return 0;
}

static inline void
amp_count (struct amp_counts *counts)
{
  counts->faults = counts->misses = counts->instructions = 0;
}

#endif

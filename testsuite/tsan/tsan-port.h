/* SPDX-License-Identifier: GPL-3.0-or-later

   The stress driver's version of libgomp/core/amp-port.h: the same atomics, a
   clock of its own, now and then a pause in front of an operation.  */

static void stress_pause (void);
static void stress_assert_failed (const char *cond, const char *file, int line)
  __attribute__ ((noreturn));

#define AMP_ACQUIRE __ATOMIC_ACQUIRE
#define AMP_RELAXED __ATOMIC_RELAXED
#define AMP_RELEASE __ATOMIC_RELEASE
#define AMP_ACQ_REL __ATOMIC_ACQ_REL
#define AMP_LOCKED 0
#define AMP_LOAD(P, ORDER) (stress_pause (), __atomic_load_n (P, ORDER))
#ifdef STRESS_PLAIN_STORE	/* A defect that must be reported.  */
# define AMP_STORE(P, V, ORDER) (stress_pause (), (void) (*(P) = (V)))
#else
# define AMP_STORE(P, V, ORDER) \
  (stress_pause (), __atomic_store_n (P, V, ORDER))
#endif
#define AMP_FETCH_ADD(P, V, ORDER) \
  (stress_pause (), __atomic_fetch_add (P, V, ORDER))
#define AMP_CAS(P, EXPECTED, V, ORDER) \
  (stress_pause (), __atomic_compare_exchange_n (P, EXPECTED, V, 0, ORDER, \
						 AMP_RELAXED))
#define AMP_ASSERT(COND) \
  ((COND) ? (void) 0 : stress_assert_failed (#COND, __FILE__, __LINE__))

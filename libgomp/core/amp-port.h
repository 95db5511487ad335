/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the scheduler core needs from its embedder: libgomp's version.

   The core (amp-*.c) knows no operating system, no clock and no libgomp.
   An embedder that is not libgomp (simulator, model checker, fuzzer)
   compiles the same files with -DAMP_PORT_HEADER='"its-port.h"', which
   defines the macros below in its own way.

   Every variable that more than one lane may touch is a uint64_t that is
   reached through these macros only.  ORDER is one of AMP_RELAXED,
   AMP_ACQUIRE, AMP_RELEASE and AMP_ACQ_REL, with the meaning that C11 gives
   to the memory_order of the same name.

   Where 64-bit operations are not lock-free AMP_LOCKED is 1: the embedder
   holds the work share's lock around amp_loop_take_or_end and the macros are
   plain accesses.  Unlike the rest of libgomp, which asks for __LP64__, the
   core uses what 32-bit processors have (ARMv7's ldrexd, i586's cmpxchg8b).
   Such words are aligned to 8 bytes, which i386's ABI does not do in
   structures by itself.  */

#ifndef AMP_PORT_H
#define AMP_PORT_H 1

#include <stdint.h>

/* What a thread has had so far: page faults, cache misses and instructions; 0
   for what is not known.  */
struct amp_counts
{
  uint64_t faults, misses, instructions;
};

#ifdef AMP_PORT_HEADER
# include AMP_PORT_HEADER
#else

#define AMP_RELAXED	__ATOMIC_RELAXED
#define AMP_ACQUIRE	__ATOMIC_ACQUIRE
#define AMP_RELEASE	__ATOMIC_RELEASE
#define AMP_ACQ_REL	__ATOMIC_ACQ_REL

#ifndef AMP_LOCKED
# if defined __LP64__ || defined __GCC_HAVE_SYNC_COMPARE_AND_SWAP_8
#  define AMP_LOCKED 0
# else
#  define AMP_LOCKED 1
# endif
#endif

#if AMP_LOCKED
static inline uint64_t
amp_plain_fetch_add (uint64_t *p, uint64_t v)
{
  uint64_t old = *p;
  *p = old + v;
  return old;
}

#define AMP_LOAD(P, ORDER)		(*(P))
#define AMP_STORE(P, V, ORDER)		((void) (*(P) = (V)))
#define AMP_FETCH_ADD(P, V, ORDER)	amp_plain_fetch_add (P, V)
#define AMP_CAS(P, EXPECTED, V, ORDER) \
  ((void) *(EXPECTED), *(P) = (V), 1)
#else
#define AMP_LOAD(P, ORDER)		__atomic_load_n (P, ORDER)
#define AMP_STORE(P, V, ORDER)		__atomic_store_n (P, V, ORDER)
#define AMP_FETCH_ADD(P, V, ORDER)	__atomic_fetch_add (P, V, ORDER)
/* On failure *EXPECTED becomes the value found (relaxed).  */
#define AMP_CAS(P, EXPECTED, V, ORDER) \
  __atomic_compare_exchange_n (P, EXPECTED, V, 0, ORDER, AMP_RELAXED)
#endif

#ifdef AMP_CHECKING
#define AMP_ASSERT(COND) ((COND) ? (void) 0 : __builtin_abort ())
#else
#define AMP_ASSERT(COND) ((void) 0)
#endif

#if defined __x86_64__ || defined __aarch64__
# define AMP_HAVE_USER_COUNTER 1
#else
# define AMP_HAVE_USER_COUNTER 0
#endif

static inline uint64_t
amp_user_counter (void)
{
#if defined __x86_64__
  return __builtin_ia32_rdtsc ();
#elif defined __aarch64__
  uint64_t t;
  /* Not ordered against the loop body by an ISB: a sample is microseconds
     long, the skew tens of nanoseconds.  */
  __asm__ volatile ("mrs %0, cntvct_el0" : "=r" (t));
  return t;
#else
  return 0;
#endif
}

#endif

/* The linkage of what an embedder defines.  */
#ifndef AMP_PORT
# define AMP_PORT static
# define AMP_PORT_INLINE static inline
#endif

/* Ticks of a clock that every lane can read without a system call.  Only
   ratios of differences are used, so the unit is free.  Samples use
   differences of two readings by the same lane; observations of whole loops
   compare lanes' readings with that of the lane that began the loop, and pass
   over a difference that makes no sense.  libgomp's: the user-space counter
   where it is constant, else clock_gettime.  */
AMP_PORT_INLINE uint64_t amp_ticks (void);

/* The type of the core that the calling lane runs on now, and its cluster.  */
AMP_PORT_INLINE unsigned amp_current_type (void);
AMP_PORT_INLINE unsigned amp_current_cluster (void);

/* What the calling thread has had; called before and after a probe only.  */
AMP_PORT void amp_count (struct amp_counts *counts);

#endif

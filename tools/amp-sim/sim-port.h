/* SPDX-License-Identifier: GPL-3.0-or-later

   The simulator's version of libgomp/core/amp-port.h.  One call of
   amp_loop_take_or_end is one event, so that the operations are plain accesses;
   they are counted, checked to stay inside the block's shared part, and the
   ones that own a cache line cost virtual time.  */

#define AMP_RELAXED 0
#define AMP_ACQUIRE 2
#define AMP_RELEASE 3
#define AMP_ACQ_REL 4

#define AMP_LOCKED 0

static void sim_shared_access (const uint64_t *p, int rmw);
static void sim_assert_failed (const char *cond, const char *file, int line)
  __attribute__ ((noreturn));

static inline uint64_t
sim_load (uint64_t *p)
{
  sim_shared_access (p, 0);
  return *p;
}

static inline void
sim_store (uint64_t *p, uint64_t v)
{
  sim_shared_access (p, 0);
  *p = v;
}

static inline uint64_t
sim_fetch_add (uint64_t *p, uint64_t v)
{
  uint64_t old;

  sim_shared_access (p, 1);
  old = *p;
  *p = old + v;
  return old;
}

static inline int
sim_cas (uint64_t *p, uint64_t *expected, uint64_t v)
{
  sim_shared_access (p, 1);
  if (*p == *expected)
    {
      *p = v;
      return 1;
    }
  *expected = *p;
  return 0;
}

#define AMP_LOAD(P, ORDER) sim_load (P)
#define AMP_STORE(P, V, ORDER) sim_store (P, V)
#define AMP_FETCH_ADD(P, V, ORDER) sim_fetch_add (P, V)
#define AMP_CAS(P, EXPECTED, V, ORDER) sim_cas (P, EXPECTED, V)
#define AMP_ASSERT(COND) \
  ((COND) ? (void) 0 : sim_assert_failed (#COND, __FILE__, __LINE__))

/* SPDX-License-Identifier: GPL-3.0-or-later

   The explorer's version of libgomp/core/amp-port.h: every operation is a point
   where another lane may go first, and a load may have several outcomes.

   For the proof that the explorer sees defects, orders can be weakened and
   fetch-and-add torn: MODEL_RELEASE, MODEL_ACQUIRE and MODEL_ACQ_REL say
   what AMP_RELEASE, AMP_ACQUIRE and AMP_ACQ_REL become; MODEL_TORN_ADD.  */

enum model_order
{
  MODEL_RELAXED = 0, MODEL_ACQ = 1, MODEL_REL = 2,
  MODEL_BOTH = MODEL_ACQ | MODEL_REL
};

#ifndef MODEL_RELEASE
# define MODEL_RELEASE MODEL_REL
#endif
#ifndef MODEL_ACQUIRE
# define MODEL_ACQUIRE MODEL_ACQ
#endif
#ifndef MODEL_ACQ_REL
# define MODEL_ACQ_REL MODEL_BOTH
#endif

#define AMP_RELAXED MODEL_RELAXED
#define AMP_ACQUIRE MODEL_ACQUIRE
#define AMP_RELEASE MODEL_RELEASE
#define AMP_ACQ_REL MODEL_ACQ_REL
#define AMP_LOCKED 0

static uint64_t model_load (uint64_t *p, enum model_order order);
static void model_store (uint64_t *p, uint64_t v, enum model_order order);
static uint64_t model_fetch_add (uint64_t *p, uint64_t v,
				 enum model_order order);
static int model_cas (uint64_t *p, uint64_t *expected, uint64_t v,
		      enum model_order order);
static void model_assert_failed (const char *cond, const char *file, int line);

#define AMP_LOAD(P, ORDER) model_load (P, ORDER)
#define AMP_STORE(P, V, ORDER) model_store (P, V, ORDER)
#define AMP_FETCH_ADD(P, V, ORDER) model_fetch_add (P, V, ORDER)
#define AMP_CAS(P, EXPECTED, V, ORDER) model_cas (P, EXPECTED, V, ORDER)
#define AMP_ASSERT(COND) \
  ((COND) ? (void) 0 : model_assert_failed (#COND, __FILE__, __LINE__))

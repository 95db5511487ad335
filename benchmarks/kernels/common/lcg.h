/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that takes a chosen number of steps, and whose result is known without
   doing it: a 64-bit linear congruential generator.  */

#ifndef AMP_LCG_H
#define AMP_LCG_H

#include <stdint.h>

#define LCG_A UINT64_C (6364136223846793005)
#define LCG_C UINT64_C (1442695040888963407)

static inline uint64_t
lcg_work (uint64_t state, uint64_t steps)
{
  for (uint64_t k = 0; k < steps; k++)
    state = state * LCG_A + LCG_C;
  return state;
}

/* The state STEPS further on: the affine map composed with itself.  */
static inline uint64_t
lcg_jump (uint64_t state, uint64_t steps)
{
  uint64_t a = LCG_A, c = LCG_C, total_a = 1, total_c = 0;
  for (; steps; steps >>= 1)
    {
      if (steps & 1)
	{
	  total_a *= a;
	  total_c = total_c * a + c;
	}
      c *= a + 1;
      a *= a;
    }
  return state * total_a + total_c;
}

#endif /* AMP_LCG_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPB's random numbers (NAS technical report RNR-94-007, section 2.3):
   x(k+1) = 5^13 x(k) mod 2^46, as fractions of 2^46.  */

#ifndef AMP_NPB_H
#define AMP_NPB_H

#include <stdint.h>

#define NPB_MULTIPLIER UINT64_C (1220703125)
#define NPB_SEED UINT64_C (314159265)
#define NPB_MASK ((UINT64_C (1) << 46) - 1)

/* The state N numbers after X.  2^46 divides 2^64, so that unsigned arithmetic
   may wrap around.  */
static inline uint64_t
npb_jump (uint64_t x, uint64_t n)
{
  uint64_t a = NPB_MULTIPLIER;
  for (; n; n >>= 1)
    {
      if (n & 1)
	x *= a;
      a *= a;
    }
  return x & NPB_MASK;
}

static inline double
npb_next (uint64_t *x)
{
  *x = (*x * NPB_MULTIPLIER) & NPB_MASK;
  return (double) *x * 0x1p-46;
}

#endif /* AMP_NPB_H */

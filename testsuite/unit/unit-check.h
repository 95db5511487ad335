/* SPDX-License-Identifier: GPL-3.0-or-later

   What the unit tests share: beside a count of checks, random numbers.  */

#include <stdint.h>
#include <stdlib.h>
#include "../check.h"

#define EACH(I, A) for (unsigned I = 0; I < sizeof (A) / sizeof *(A); I++)

static uint64_t rng = 1;

static uint64_t
random64 (void)
{
  uint64_t x = rng += UINT64_C (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What rely-before.c and rely-before-part.c share.  */

#include "rely.h"

#define N 101

#ifdef __cplusplus
extern "C" {
#endif

extern int a[N], b[N], c[N];

/* A static nowait loop that writes A, and a loop without a clause that makes
   B of it.  */
void static_elsewhere (int round);
void double_elsewhere (void);

#ifdef __cplusplus
}
#endif

static inline int
value (int round, int i)
{
  return round * 1009 + i * 7;
}

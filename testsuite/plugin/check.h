/* Every program says what each iteration did, and what else it has computed: the
   same as without the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CHECK_H
#define CHECK_H 1

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 4096 };

/* Each iteration changes got[k] for its own k, so no two threads write one
   element unless an iteration is handed out twice.  */
static int got[MAX];

/* Hides a value from the optimizers, so that bounds are not constant.  */
static volatile int zero;

static inline void
check (const char *what)
{
  unsigned h = 5381;
  for (int k = 0; k < MAX; k++)
    h = h * 33 + got[k];
  printf ("%s: %x\n", what, h);
  memset (got, 0, sizeof got);
}

static inline void
expect (const char *what, long long value)
{
  printf ("%s: %lld\n", what, value);
}

#endif /* CHECK_H */

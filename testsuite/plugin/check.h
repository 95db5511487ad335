/* Every program marks what each iteration did and compares with the serial
   loop.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CHECK_H
#define CHECK_H 1

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 4096 };

/* Each iteration increments got[k] for its own k, so no two threads write one
   element unless an iteration is handed out twice; want is the serial
   count.  */
static int got[MAX], want[MAX];
static int failures;

/* Hides a value from the optimizers, so that bounds are not constant.  */
static volatile int zero;

static inline void
check (const char *what)
{
  for (int k = 0; k < MAX; k++)
    if (got[k] != want[k])
      {
	printf ("%s: element %d: %d instead of %d\n", what, k, got[k],
		want[k]);
	failures++;
	break;
      }
  memset (got, 0, sizeof got);
  memset (want, 0, sizeof want);
}

static inline void
expect (const char *what, long long value, long long expected)
{
  if (value != expected)
    {
      printf ("%s: %lld instead of %lld\n", what, value, expected);
      failures++;
    }
}

#endif /* CHECK_H */

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The other file of rely-before.c.  */

#define RELY_SHARED
#include "rely.h"

void
static_elsewhere (int round)
{
  EACH (schedule (static) nowait, WRITE (17))
}

void
double_elsewhere (void)
{
  EACH (, DOUBLE)
}

/* SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "other.h"

extern void in_library (void);

int
main (void)
{
  in_library ();
  printf ("%ld\n", lost ());
  return 0;
}

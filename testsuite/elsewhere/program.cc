/* SPDX-License-Identifier: GPL-3.0-or-later
   A program by itself; in C++ too.  */

#include <stdio.h>
#include "blocks.h"

int
main (void)
{
  puts (blocks () ? "static" : "not static");
  return 0;
}

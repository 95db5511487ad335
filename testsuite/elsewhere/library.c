/* SPDX-License-Identifier: GPL-3.0-or-later
   A shared object.  */

#include "blocks.h"

extern int library_blocks (void);

int
library_blocks (void)
{
  return blocks ();
}

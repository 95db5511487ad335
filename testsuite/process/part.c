/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in with a loop, which lets its threads go, if KEEP is not defined.  */

#include <omp.h>

int run (int n);

int
run (int n)
{
  int s = 0;

#pragma omp parallel for reduction (+ : s) schedule (runtime)
  for (int i = 0; i < n; i++)
    s += i & 1;
#ifndef KEEP
  if (omp_pause_resource_all (omp_pause_hard) != 0)
    return -1;
#endif
  return s;
}

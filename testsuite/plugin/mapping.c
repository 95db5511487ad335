/* Prints which thread ran each of 16 iterations; with OMP_SCHEDULE=static,1 and
   two threads a loop that obeys it gives 0101..., one that is static 00..11...
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>

/* Weak: nobody knows what runs.  */
int __attribute__ ((weak))
who (void)
{
  return omp_get_thread_num ();
}

int
main (void)
{
  int by[16];
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 16; i++)
    by[i] = who ();
  for (int i = 0; i < 16; i++)
    printf ("%d", by[i]);
  printf ("\n");
  return 0;
}

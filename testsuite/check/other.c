/* SPDX-License-Identifier: GPL-3.0-or-later

   What relies on the division of static.  */

#include <unistd.h>
#include <omp.h>

#include "other.h"

static long nlost, ngaps, nback;
static int nmet;
static __thread int last = -1, highest = -1;
static __thread long own[N];

void
put_into_block (int i, int n)
{
  int t = omp_get_thread_num (), p = omp_get_num_threads ();

  if (i < n * t / p || i >= n * (t + 1) / p)
    __atomic_fetch_add (&nlost, 1, __ATOMIC_RELAXED);
}

long
lost (void)
{
  return nlost;
}

int
number_of_thread (void)
{
  return omp_get_thread_num ();
}

void
follow (int i)
{
  if (last >= 0 && i != last + 1)
    __atomic_fetch_add (&ngaps, 1, __ATOMIC_RELAXED);
  last = i;
}

long
gaps (void)
{
  return ngaps;
}

void
ascend (int i)
{
  if (i < highest)
    __atomic_fetch_add (&nback, 1, __ATOMIC_RELAXED);
  highest = i;
}

long
steps_back (void)
{
  return nback;
}

void
keep (int i)
{
  own[i] = 3 * i;
}

long
kept (int i)
{
  return own[i];
}

void
meet (int i, int n)
{
  int p = omp_get_num_threads ();

  if (i % (n / p) != 0)
    return;
  __atomic_fetch_add (&nmet, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n (&nmet, __ATOMIC_SEQ_CST) % p != 0)
    usleep (100);
}

/* For Fortran.  */

void
put_into_block_ (const int *i, const int *n)
{
  put_into_block (*i, *n);
}

int
lost_ (void)
{
  return nlost;
}

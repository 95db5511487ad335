/* Memory that each thread has allocated, noted for each iteration.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

struct pool { u64 used, sums[SLOTS]; };
static struct { struct pool *pool; u64 *at; } cells[SLOTS];
static struct pool *pools[THREADS];

static void
deal_pools (int n)
{
#pragma omp parallel
  {
    struct pool *p = (struct pool *) calloc (1, sizeof *p);
    pools[omp_get_thread_num ()] = p;
#pragma omp for schedule(static) /* amp: static */
    for (int i = 0; i < n; i++)
      cells[i].pool = p;
  }
}

static void
free_pools (void)
{
  for (int t = 0; t < THREADS; t++)
    {
      free (pools[t]);
      pools[t] = NULL;
    }
}

CASE (taken_from_the_pool)
{
  deal_pools (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      cells[i].at = &cells[i].pool->sums[cells[i].pool->used++];
      *cells[i].at = i;
    }
  for (int t = 0; t < THREADS; t++)
    for (u64 k = 0; pools[t] && k < pools[t]->used; k++)
      out0[t] = out0[t] * 3 + pools[t]->sums[k];
  free_pools ();
}

static __attribute__ ((noinline)) void
step (struct pool **p, int i)
{
  out0[i] = (*p)->used = (*p)->used * 3 + i;
}

CASE (pool_of_a_function)
{
  deal_pools (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    step (&cells[i].pool, i);
  free_pools ();
}

/* What is not reached by a pointer that was noted.  */

CASE (no_pool)
{
  deal_pools (n);
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = (out0[i] + in[i & 63]) * (cells[i].pool != NULL);
  free_pools ();
}

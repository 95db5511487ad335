/* Functions of other files may call one of this file that keeps something for
   each thread.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

static struct record kept[THREADS];
static _Thread_local struct record local;

static void
go_on (struct record *s, int i)
{
  s->a = s->b ? s->a + 2 * i - 1 : (u64) i * i;
  s->b = 1;
  out0[i] = s->a;
}

static void
go_on_by_number (int i)
{
  go_on (&kept[omp_get_thread_num ()], i);
}

static void
go_on_locally (int i)
{
  go_on (&local, i);
}

static void
each (int n)
{
#pragma omp parallel
  {
    kept[omp_get_thread_num ()].b = local.b = 0;
#pragma omp barrier
#pragma omp for /* amp: static */
    for (int i = 0; i < n; i++)
      call_back_far (i);
  }
}

CASE (by_number)
{
  set_back_far (go_on_by_number);
  each (n);
}

CASE (by_local)
{
  set_back_far (go_on_locally);
  each (n);
}

CASE (calls_nothing_unknown)
{
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = in[i & 63];
}

/* Addresses that threads note say whose an iteration was.  */

static _Thread_local u64 own_count;
static u64 *whose[SLOTS];

CASE (addresses_of_threads)
{
#pragma omp parallel
  own_count = 0;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    whose[i] = &own_count;
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = (*whose[i])++;
}

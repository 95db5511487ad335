/* A file that makes parts by the number of threads, and loops to which data may
   say where a part begins.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

static int part[SLOTS], first[SLOTS + 1], order[SLOTS];
static u64 last[THREADS];
struct item { struct item *before; u64 sum; };
static struct item items[SLOTS];

static void
make_parts (int n)
{
  int p = omp_get_max_threads (), i = 0;
  for (int t = 0; t < p; t++)
    for (int lo = i, end = i + n / p + (t < n % p); i < end; i++)
      {
	part[i] = t;
	first[i] = lo;
	items[i].before = i > lo ? &items[i - 1] : NULL;
	items[i].sum = 0;
	order[i] = n - 1 - i;
      }
  for (int t = 0; t < THREADS; t++)
    last[t] = 1;
}

CASE (a_place_for_each_part)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = last[part[i]] = last[part[i]] * 3 + i;
}

CASE (those_before_in_the_part)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      u64 s = i;
      for (int j = first[i]; j < i; j++)
	s += out0[j] & 7;
      out0[i] = s;
    }
}

CASE (linked_in_the_part)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    items[i].sum = i + (items[i].before ? items[i].before->sum * 3 : 0);
  for (int i = 0; i < n; i++)
    out0[i] = items[i].sum;
}

/* Not such: one is read, another stored; each has a range; what is stored is not
   read; all are put together.  */
CASE (no_parts)
{
  make_parts (n);
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = in[order[i] & 63] + order[order[i]];
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    for (int k = 2 * order[i]; k < 2 * order[i] + 2 && k < n; k++)
      out1[k] += k;
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    out2[order[i]] = i;
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
#pragma omp atomic
    last[part[i] & 1] += i;
}

/* The element beside, where it cannot be compared, or far away.  */

CASE (beside_in_a_ring)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    if (first[i] == i)
      out0[i & 511] = i;
    else
      out0[i & 511] = out0[(i - 1) & 511] * 3 + i;
}

CASE (beside_by_a_function)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    if (first[i] == i)
      put_far (&out0[i], i);
    else
      put_out (&out0[i], get_out (&out0[i - 1]) + i);
}

/* Functions that find by themselves what they use.  */

#define CALLED static __attribute__ ((noinline)) void
static u64 rows[SLOTS];

CALLED
goes_on (int i)
{
  rows[i] = (first[i] == i ? 1 : rows[i - 1] * 3) + i;
}

CALLED
goes_on_for (int i)
{
  if (i >= 0)
    goes_on (i);
}

CALLED
adds_to_part (int i)
{
  last[part[i]] = last[part[i]] * 3 + i;
}

CALLED
sums_before (const u64 *x, u64 *sum, int from, int i)
{
  *sum = i;
  for (int j = from; j < i; j++)
    *sum += x[j] & 7;
}

CALLED
doubles (u64 *x, int i)
{
  x[i] = x[i] * 2 + order[i];
  rows[i] = rows[i] * 3 + x[i];
}

CASE (functions_go_on)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    goes_on_for (i);
  for (int i = 0; i < n; i++)
    out0[i] = rows[i];
}

static u64 *ahead;

CALLED
goes_on_ahead (int i)
{
  ahead[i] = (first[i] == i ? 1 : ahead[i - 1] * 3) + i;
}

CASE (functions_go_on_by_a_pointer)
{
  make_parts (n);
  ahead = (u64 *) malloc (n * sizeof *ahead);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    goes_on_ahead (i);
  for (int i = 0; i < n; i++)
    out0[i] = ahead[i];
  free (ahead);
}

CASE (functions_add_to_parts)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      adds_to_part (i);
      out0[i] = part[i];
    }
  for (int t = 0; t < THREADS; t++)
    out1[t] = last[t];
}

CASE (functions_read_those_before)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
    sums_before (out0, &out0[i], first[i], i);
}

CASE (tasks_go_on)
{
  make_parts (n);
#pragma omp parallel for /* amp: static */
  for (int i = 0; i < n; i++)
#pragma omp task if (0)
    out0[i] = (first[i] == i ? 1 : out0[i - 1] * 3) + i;
}

CASE (functions_stay_at_their_element)
{
  memset (rows, 0, sizeof rows);
  make_parts (n);
#pragma omp parallel for /* amp: any */
  for (int i = 0; i < n; i++)
    doubles (out0, i);
  for (int i = 0; i < n; i++)
    out1[i] = rows[i];
}

/* Loops of a region in another file, which hands them a record of each thread's
   own, with nothing in it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"

#define HANDED(LOOP) { region_far (LOOP, n); }

/* The square of I, from that of I - D, if *S has been set.  */

static inline u64
go_on (u64 *s, int i, int d)
{
  return *s = *s ? *s + (u64) d * (2 * i - d) : (u64) i * i;
}

static void
locked (struct record *s, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
#pragma omp critical
    out0[i] = go_on (&s->b, i, 1);
}
CASE (under_a_lock) HANDED (locked)

static void
summed (struct record *s, int n)
{
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
#pragma omp critical
    s->a += in[i & 63];
}
CASE (summed_under_a_lock) HANDED (summed)

static void
captured (struct record *s, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    {
      u64 k;
#pragma omp atomic capture
      k = s->b++;
      out0[i] = k;
    }
}
CASE (atomic_count) HANDED (captured)

static void
counted (struct record *s, int n)
{
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    {
#pragma omp atomic
      s->a++;
      out0[i] = i;
    }
}
CASE (atomic_sum) HANDED (counted)

static void
two_places (struct record *s, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = go_on (&s->c[i % 2], i, 2);
}
CASE (fewer_places_than_iterations) HANDED (two_places)

static void
modulo (struct record *s, int n)
{
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = s->c[i % 4] + i;
}
CASE (few_places_are_read) HANDED (modulo)

/* Where the next one goes, of each kind.  */

static void
scattered (struct record *s, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    out0[i] = s->c[table[i & 63] & 3]++;
}
CASE (next_place_of_a_kind) HANDED (scattered)

static void
own_count (struct record *s, int n)
{
  u64 *count = slots_far ();
  (void) s;
#pragma omp for /* amp: any */
  for (int i = 0; i < n; i++)
    out0[i] = count[i]++;
}
CASE (how_often_each) HANDED (own_count)

static void
histogram (struct record *s, int n)
{
#pragma omp for /* amp: static */
  for (int i = 0; i < n; i++)
    s->c[table[i & 63] & 3]++;
}
CASE (how_many_of_a_kind) HANDED (histogram)

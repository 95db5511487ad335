/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which ranges ranks get.  See deal.h.  */

#include "deal.h"

enum
{
  /* A guided piece is what is left divided by this and the ranks.  With 2 a
     rank that is RANKS * 2 - 1 times slower than the others together is through
     with the first piece when they are with the rest.  */
  GUIDED_PARTS = 2,
  /* The same where pieces are chosen at run time: small enough that the last
     ones end together, some 8 log (n) pieces a rank.  */
  DYNAMIC_PARTS = 8,
  /* A piece lasts as many times what it costs to take it: 1 % is lost.  */
  WORTH = 100,
  /* A piece has at most as many times the grains of the one before, as a cheap
     piece need not foretell the next.  Three pieces of an empty loop over 8
     ranks, each begun by one that is 1 / 64 of it, are all of it.  */
  GROWTH = 8,
  /* Units of the counter: with up to 2^23 ranks, each of which adds at most all
     of them beyond the end, it stays below 2^64.  */
  GRAIN_BITS = 40
};

/* Beside the fetch, a piece costs the start of a parallel region.  */
#define REGION_SECONDS 2e-6

struct range
deal_even (int64_t n, int ranks, int rank)
{
  int64_t each = n / ranks, more = n % ranks;
  int64_t begin = rank * each + (rank < more ? rank : more);
  return range_of (begin, begin + each + (rank < more));
}

/* The border in N iterations before which BEFORE of TOTAL shares lie, of COUNT
   of ALL ranks that get some.  Monotonic in BEFORE and COUNT together.  */
static int64_t
border (int64_t n, double before, double total, int count, int all)
{
  int64_t spare = n - all;
  if (spare <= 0)
    return count < n ? count : n;
  double place = (double) spare * (before / total);
  /* (double) spare may be above spare, and 2^63 no int64_t.  */
  return (place >= (double) spare ? spare : (int64_t) place) + count;
}

struct range
deal_by_share (int64_t n, int ranks, const double *share, int rank)
{
  double total = 0, before = 0;
  int all = 0, count = 0;
  for (int r = 0; r < ranks; r++)
    if (share[r] > 0)
      {
	if (r < rank)
	  {
	    before += share[r];
	    count++;
	  }
	total += share[r];
	all++;
      }
  struct range mine;
  mine.begin = border (n, before, total, count, all);
  if (!(share[rank] > 0))
    return range_of (mine.begin, mine.begin);
  mine.end = border (n, before + share[rank], total, count + 1, all);
  return mine;
}

struct range
deal_probe (int64_t n, int percent, int ranks, int rank, int64_t *probed)
{
  int64_t each = (n / 100 * percent + n % 100 * percent / 100) / ranks;
  if (each == 0)
    each = 1;
  if (each > n / ranks)
    {
      *probed = n;
      return deal_even (n, ranks, rank);
    }
  *probed = each * ranks;
  return range_of (rank * each, (rank + 1) * each);
}

struct range
deal_guided (struct walk *walk, int64_t n, int ranks, int64_t least,
	     uint64_t step)
{
  int64_t parts = (int64_t) ranks * GUIDED_PARTS;
  for (;; walk->step++)
    {
      int64_t left = n - walk->begin;
      int64_t size = left / parts + (left % parts != 0);
      if (size < least)
	size = least;
      if (size > left)
	size = left;
      if (size == 0 || walk->step == step)
	return range_of (walk->begin, walk->begin + size);
      walk->begin += size;
    }
}

int64_t
deal_grain (int64_t n, int64_t chunk)
{
  return chunk > 0 ? chunk : ((n - 1) >> GRAIN_BITS) + 1;
}

uint64_t
deal_amount (uint64_t left, int ranks, uint64_t before, double seconds,
	     double fetch_seconds)
{
  uint64_t parts = (uint64_t) ranks * DYNAMIC_PARTS;
  uint64_t amount = left / parts + (left % parts != 0);
  if (before)
    {
      /* In doubles, as either may be very large; SECONDS may be 0.  */
      double least = WORTH * (fetch_seconds + REGION_SECONDS);
      double worth = (double) before * GROWTH;
      if (seconds * GROWTH > least)
	worth = (double) before * (least / seconds);
      if (worth >= (double) left)
	amount = left;
      else if (worth > (double) amount)
	amount = (uint64_t) worth;
    }
  return amount ? amount : 1;
}

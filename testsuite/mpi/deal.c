/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libamp-mpi deals to ranks and remembers of sites, without MPI: exact cover
   for all sorts of n, and decisions that can be worked out by hand.  */

#include "deal.h"
#include "../check.h"

#include <math.h>
#include <string.h>

static uint64_t state = 1;

static uint64_t
number (void)
{
  state = state * UINT64_C (6364136223846793005) + 1442695040888963407;
  return state >> 11;
}

static const int64_t sizes[]
  = { 1, 2, 3, 7, 8, 63, 1000, (INT64_C (1) << 53) + 1, INT64_MAX - 1, INT64_MAX };
enum { SIZES = sizeof sizes / sizeof *sizes };

static void
even (void)
{
  bool good = true;
  for (int i = 0; i < SIZES; i++)
    for (int ranks = 1; ranks < 70; ranks += 1 + ranks / 5)
      {
	int64_t at = 0, most = 0, least = INT64_MAX;
	for (int r = 0; r < ranks; r++)
	  {
	    struct range x = deal_even (sizes[i], ranks, r);
	    int64_t size = x.end - x.begin;
	    good &= x.begin == at && size >= 0;
	    at = x.end;
	    most = size > most ? size : most;
	    least = size < least ? size : least;
	  }
	good &= at == sizes[i] && most - least <= 1;
      }
  check (good, "even blocks cover n and differ by one at most");
}

/* Blocks by SHARE cover N, and are as they are meant to be.  */
static bool
by_share (int64_t n, int ranks, const double *share)
{
  int64_t at = 0;
  double total = 0;
  int some = 0;
  for (int r = 0; r < ranks; r++)
    {
      total += share[r];
      some += share[r] > 0;
    }
  for (int r = 0; r < ranks; r++)
    {
      struct range x = deal_by_share (n, ranks, share, r);
      int64_t size = x.end - x.begin;
      if (x.begin != at || size < 0 || (share[r] == 0) > (size == 0)
	  || (n >= some && share[r] > 0 && size == 0)
	  || fabs (size - n * (share[r] / total)) > some + 1 + 1e-15 * n)
	return false;
      at = x.end;
    }
  return at == n;
}

static void
shares (void)
{
  bool good = true;
  double share[64];
  for (int i = 0; i < SIZES; i++)
    for (int trial = 0; trial < 2000; trial++)
      {
	int ranks = 1 + number () % 64;
	for (int r = 0; r < ranks; r++)
	  share[r] = number () % 4 ? pow (10, number () % 20 - 10.0) : 0;
	share[number () % ranks] = 1;
	good &= by_share (sizes[i], ranks, share);
      }
  check (good, "blocks by share cover n, and who has a share gets some");
  share[0] = 3;
  share[1] = 1;
  struct range x = deal_by_share (4002, 2, share, 1);
  check (x.begin == 3001 && x.end == 4002, "a quarter is a quarter");
}

static void
probes (void)
{
  bool good = true;
  for (int i = 0; i < SIZES; i++)
    for (int percent = 1; percent <= 100; percent++)
      for (int ranks = 1; ranks < 70; ranks += 1 + ranks / 3)
	{
	  int64_t at = 0, probed = 0;
	  bool same = true;
	  struct range first = deal_probe (sizes[i], percent, ranks, 0, &probed);
	  for (int r = 0; r < ranks; r++)
	    {
	      int64_t all;
	      struct range x = deal_probe (sizes[i], percent, ranks, r, &all);
	      good &= x.begin == at && all == probed;
	      same &= x.end - x.begin == first.end - first.begin;
	      at = x.end;
	    }
	  good &= at == probed && probed <= sizes[i]
		  && (same || probed == sizes[i]);
	}
  check (good, "probes are the first iterations, equally many a rank");
  int64_t probed;
  struct range x = deal_probe (20000, 10, 20, 3, &probed);
  check (x.begin == 300 && x.end == 400 && probed == 2000,
	 "the figures of the paper's figure 6");
}

static void
guided (void)
{
  bool good = true;
  for (int i = 0; i < SIZES; i++)
    for (int ranks = 1; ranks < 70; ranks += 1 + ranks / 3)
      for (int trial = 0; trial < 20; trial++)
	{
	  int64_t n = sizes[i], at = 0, before = INT64_MAX;
	  int64_t least = trial ? 1 + number () % 1000 : 1;
	  /* Two ranks that share the steps see the same pieces.  */
	  struct walk walk[2] = { { 0, 0 }, { 0, 0 } };
	  for (uint64_t step = 0; at < n && good; step++)
	    {
	      struct range x = deal_guided (&walk[number () % 2], n, ranks,
					    least, step);
	      int64_t size = x.end - x.begin;
	      good &= x.begin == at && size > 0 && size <= before
		      && (size >= least || x.end == n);
	      before = size;
	      at = x.end;
	    }
	  struct range x = deal_guided (&walk[0], n, ranks, least, 1 << 30);
	  good &= at == n && x.begin == n && x.end == n;
	}
  check (good, "guided pieces cover n, get smaller, and end");
}

static void
amounts (void)
{
  bool good = true;
  for (int i = 0; i < SIZES; i++)
    {
      int64_t grain = deal_grain (sizes[i], 0);
      good &= (uint64_t) (sizes[i] - 1) / grain < UINT64_C (1) << 40;
    }
  check (good && deal_grain (1000, 0) == 1 && deal_grain (1000, 7) == 7,
	 "the counter is far from wrapping around");
  for (int ranks = 1; ranks <= 8; ranks++)
    for (uint64_t n = 1; n < 5000; n++)
      {
	uint64_t left = n, before = 0;
	int fetches = 0;
	for (; left; left -= before, fetches++)
	  {
	    before = deal_amount (left, ranks, before, 0, 0);
	    good &= before >= 1 && before <= left;
	  }
	good &= fetches <= 3;
      }
  check (good, "three fetches for an empty loop over up to 8 ranks");
  good = deal_amount (0, 2, 5, 1, 0) == 1;
  for (int i = 0; i < 100000; i++)
    {
      uint64_t left = 1 + number () % (UINT64_C (1) << 40);
      uint64_t before = number () % (UINT64_C (1) << 40);
      uint64_t a = deal_amount (left, 1 + number () % 4096, before,
				number () % 1000 * 1e-6, number () % 100 * 1e-6);
      good &= a >= 1 && a <= left;
    }
  check (good, "an amount is from 1 to what is left");
  check (deal_amount (1600, 2, 100, 1.0, 1e-6) == 100,
	 "long pieces are a sixteenth of what is left, on two ranks");
  check (deal_amount (10000, 50, 40, 2e-4, 8e-6) == 200
	 && deal_amount (10000, 50, 10, 1e-4, 8e-6) == 80,
	 "short pieces grow to a hundred times their cost, eightfold at most");
}

/* What ranks do in an execution: the site's shares of N, each iteration at COST
   nanoseconds of computing and MOVING of moving.  */
static void
execute (const struct site *s, int ranks, int64_t n, const double *cost,
	 const double *moving, struct done *done)
{
  double share[8];
  for (int r = 0; r < ranks; r++)
    share[r] = s->rank[r].share;
  for (int r = 0; r < ranks; r++)
    {
      struct range x = deal_by_share (n, ranks, share, r);
      done[r].iterations = x.end - x.begin;
      done[r].computing = (uint64_t) (done[r].iterations * cost[r]);
      done[r].moving = (uint64_t) (done[r].iterations * moving[r]);
    }
}

static void
weighted (void)
{
  static const double cost[] = { 1000, 3000, 1500 }, none[3];
  static const double other[] = { 1000, 1000, 1500 };
  struct site *list = NULL, *s = site_find (&list, 5, 1000, 3, 3);
  struct done done[3];
  site_weigh (s, 3);
  check (s->rank[0].share == s->rank[1].share, "equal while nothing is known");
  for (int i = 0; i < 2; i++)
    {
      execute (s, 3, 30000, cost, none, done);
      site_observe (s, 3, done, false);
      site_weigh (s, 3);
      check (fabs (s->rank[0].share - 0.5) < 1e-3
	     && fabs (s->rank[1].share - 1 / 6.0) < 1e-3,
	     "by speed after one execution");
    }
  check (!s->moved, "blocks that are right stay");
  execute (s, 3, 30000, other, none, done);
  site_observe (s, 3, done, false);
  site_weigh (s, 3);
  check (!s->moved, "a single odd execution does not count");
  execute (s, 3, 30000, other, none, done);
  site_observe (s, 3, done, false);
  site_weigh (s, 3);
  check (s->moved && s->rank[1].share > 0.28, "two do");
  memset (done, 0, sizeof done);
  s->moved = true;
  site_observe (s, 3, done, false);
  site_weigh (s, 3);
  check (s->rank[1].share > 0.28, "who ran nothing is as before");
  check (site_find (&list, 5, 1023, 3, 3) == s && site_find (&list, 5, 1024, 3, 3) != s
	 && site_find (&list, 5, 1000, 4, 3) != s && site_find (&list, 6, 1000, 3, 3) != s,
	 "a site is a number, a magnitude and a schedule");
  site_free (list);
}

/* Iterations of which some cost up to twenty times what others do, and a rank
   that is three times slower: blocks settle where all take the same time.  */
static void
uneven (void)
{
  enum { N = 600, RUNS = 20 };
  for (int ranks = 2; ranks <= 5; ranks++)
    {
      struct site *list = NULL, *s = site_find (&list, 0, N, 3, ranks);
      struct done done[5];
      double worst = 0, ideal = 0, share[5];
      for (int run = 0; run < RUNS; run++)
	{
	  double longest = 0, all = 0;
	  site_weigh (s, ranks);
	  for (int r = 0; r < ranks; r++)
	    share[r] = s->rank[r].share;
	  for (int r = 0; r < ranks; r++)
	    {
	      struct range x = deal_by_share (N, ranks, share, r);
	      double cost = 0;
	      for (int64_t i = x.begin; i < x.end; i++)
		cost += 1e4 * (1 + 20 * exp (-pow ((i / (double) N - 0.6) / 0.1, 2)));
	      all += cost;
	      done[r].iterations = x.end - x.begin;
	      done[r].computing = (uint64_t) (r == ranks - 1 ? 3 * cost : cost);
	      done[r].moving = 0;
	      longest = fmax (longest, (double) done[r].computing);
	    }
	  ideal = all / (ranks - 1 + 1 / 3.0);
	  site_observe (s, ranks, done, false);
	  if (run >= RUNS - 4)
	    worst = fmax (worst, longest);
	}
      check (worst < 1.05 * ideal, "blocks of uneven iterations settle");
      site_free (list);
    }
}

static void
hetprobe (void)
{
  static const double cost[] = { 1000, 500, 4000, 1000 };
  static const double moving[] = { 0, 999, 900, 1001 }, none[4];
  struct site *list = NULL, *s = site_find (&list, 0, 1000, 4, 4);
  struct done done[4];
  for (int r = 0; r < 4; r++)
    done[r] = (struct done) { 100, cost[r] * 100, moving[r] * 100 };
  site_observe (s, 4, done, true);
  site_decide (s, 4);
  check (s->rank[0].share > 0 && s->rank[1].share > 0 && s->rank[2].share > 0
	 && s->rank[3].share == 0,
	 "who takes longer to get an iteration than its owner to compute it is left out");
  check (fabs (s->rank[0].share / s->rank[1].share - 1.499) < 1e-3
	 && fabs (s->rank[0].share / s->rank[2].share - 4.9) < 1e-3,
	 "shares by what computing and moving take together");
  s->probes = SITE_PROBES;
  execute (s, 4, 100000, cost, moving, done);
  for (int i = 0; i < 5; i++)
    check (!site_changed (s, 4, done), "times that stay are no change");
  execute (s, 4, 100000, cost, none, done);
  check (!site_changed (s, 4, done), "one execution is no change");
  check (site_changed (s, 4, done) && s->probes == 0 && s->rank[0].computing < 0,
	 "two are, and all is forgotten");
  for (int r = 0; r < 4; r++)
    done[r] = (struct done) { 100, cost[r] * 100, moving[r] * 100 };
  site_observe (s, 4, done, true);
  done[1].moving = 0;
  site_observe (s, 4, done, true);
  check (fabs (s->rank[1].moving * 1e9 - 999 * 0.25) < 1,
	 "a new observation counts three quarters");
  site_free (list);
}

int
main (void)
{
  even ();
  shares ();
  probes ();
  guided ();
  amounts ();
  weighted ();
  uneven ();
  hetprobe ();
  return check_result ();
}

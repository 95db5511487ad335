/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which ranges ranks get, and what is remembered of a site.  Knows no MPI, no
   clock and no state but its arguments.

   Every rank computes the ranges of all by itself, from numbers that all have
   got alike.  So that they agree, also where processors differ, this is
   compiled with each operation rounded to double (-ffp-contract=off).  */

#ifndef AMP_MPI_DEAL_H
#define AMP_MPI_DEAL_H

#include <stdbool.h>
#include <stdint.h>

#define hidden __attribute__ ((visibility ("hidden")))

/* begin <= i < end.  */
struct range
{
  int64_t begin, end;
};

static inline struct range
range_of (int64_t begin, int64_t end)
{
  struct range range = { begin, end };
  return range;
}

/* N iterations in even blocks: the first N % RANKS get one more.  */
extern struct range deal_even (int64_t n, int ranks, int rank) hidden;

/* N iterations in ascending blocks in proportion to SHARE, RANKS numbers from 0
   on of which one is above 0.  Whose share is above 0 gets one at least, unless
   there are fewer; whose share is 0 gets none.  */
extern struct range deal_by_share (int64_t n, int ranks, const double *share,
				   int rank) hidden;

/* What RANK runs first of N iterations in a loop that is probed: PERCENT of
   them, the same number each, one at least; everything, evenly, where that is
   more than N.  *PROBED is set to how many that are in all; they are the first
   ones.  */
extern struct range deal_probe (int64_t n, int percent, int ranks, int rank,
				int64_t *probed) hidden;

/* Where a walk through the pieces of a guided loop has come to: the begin of
   piece number STEP.  Starts zeroed.  */
struct walk
{
  uint64_t step;
  int64_t begin;
};

/* Piece number STEP, not below that of WALK, which goes there.  Empty at the
   end.  LEAST is 1 or more.  */
extern struct range deal_guided (struct walk *walk, int64_t n, int ranks,
				 int64_t least, uint64_t step) hidden;

/* How many iterations a unit of the shared counter stands for, so that what
   ranks add to it beyond its end cannot wrap around.  */
extern int64_t deal_grain (int64_t n, int64_t chunk) hidden;

/* How many grains to take next where LEFT are left, or were when this rank
   asked last.  The piece before had BEFORE grains, 0 if there was none, and
   took SECONDS; taking one takes FETCH_SECONDS.  At least 1, at most LEFT
   unless that is 0.  */
extern uint64_t deal_amount (uint64_t left, int ranks, uint64_t before,
			     double seconds, double fetch_seconds) hidden;

/* What one rank did: iterations, and nanoseconds of computing and of moving
   data.  */
struct done
{
  uint64_t iterations, computing, moving;
};

/* What is remembered of one rank at a site: seconds an iteration, negative if
   unknown.  EXPECTED is what both together came to in executions that were not
   probed; PULL how much more of the loop the rank was last to get.  */
struct seen
{
  double computing, moving, expected, share, pull;
};

struct site
{
  struct site *next;
  int64_t number;
  int magnitude, schedule;
  int probes; /* Executions probed, up to SITE_PROBES.  */
  int odd;    /* Executions in a row that were unlike what was expected.  */
  bool moved; /* The shares are not those of the execution before.  */
  double step; /* How far the shares go towards what times ask for, up to 1.  */
  struct seen rank[];
};

enum { SITE_PROBES = 10 };

/* The site of NUMBER, N and SCHEDULE in *LIST, made if need be; null without
   memory.  */
extern struct site *site_find (struct site **list, int64_t number, int64_t n,
			       int schedule, int ranks) hidden;
extern void site_free (struct site *list) hidden;

/* Take in what each rank did: of the same iterations each time in a PROBE,
   whose data may yet settle; else of blocks, of which a single odd execution
   does not count unless they have moved.  */
extern void site_observe (struct site *site, int ranks,
			  const struct done *done, bool probe) hidden;

/* Set the shares: of all ranks by speed, equal if nothing is known; kept while
   they are nearly right.  */
extern void site_weigh (struct site *site, int ranks) hidden;

/* Set the shares after a probe: 0 for ranks for which moving does not pay.  */
extern void site_decide (struct site *site, int ranks) hidden;

/* After an execution that was not probed: whether times have changed, after
   which the site is probed anew.  */
extern bool site_changed (struct site *site, int ranks,
			  const struct done *done) hidden;

#endif /* AMP_MPI_DEAL_H.  */

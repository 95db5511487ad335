/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Teams whose blocks are even, and whose slow CPUs hold up the fast ones:
   whether they are done sooner with all threads on the fast CPUs, several on
   each.

   With N threads of which F fast CPUs have one each, a region ends with the
   slow CPUs' blocks; with all of them on the fast ones it takes what
   ceil (N / F) blocks take there: less, where a slow CPU needs longer for one.
   What a block takes a fast CPU is what the first thread worked, between its
   waits.  Blocks may differ for other reasons than CPUs, and threads that share
   a CPU wait for each other at barriers.  So where it may gain it is tried for
   a while, and kept if regions then take less than before.

   Times are in nanoseconds, and sums over all regions of a program, for moving
   a thread costs more than a short region takes.  One thread alone calls
   this.  */

#include <stdbool.h>
#include <stdint.h>

/* What is tried may be expected to take longer by this part, for blocks may be
   uneven, and the kernel may have moved threads; what is kept must have saved
   this part.  */
#define AMP_GATHER_DOUBT 0.4
#define AMP_GATHER_GAIN 0.1
/* A choice holds so many times as long as it took to make it.  Each time that
   it is made again, twice as much is looked at, and it holds twice as many
   times as long, up to the last number.  So even where what is tried takes for
   ever, as with threads that wait for each other by spinning, little is
   lost.  */
#define AMP_GATHER_FIRST 16
#define AMP_GATHER_LAST 1024
/* A trial ends without one after so many windows of time: too few regions were
   known.  */
#define AMP_GATHER_TRIAL 8
/* A region counts at most so many times as much as it is expected to take, lest
   one that is held up decides.  */
#define AMP_GATHER_MOST 8.0

enum amp_gather_phase
{
  AMP_GATHER_WATCHING,		/* Regions are timed as they are, ...  */
  AMP_GATHER_TRYING,		/* ... and on fast CPUs.  */
  AMP_GATHER_APART,		/* They are best as they are, ...  */
  AMP_GATHER_TOGETHER		/* ... or on fast CPUs.  */
};

/* All zero at first but for WINDOW.  */
struct amp_gather
{
  enum amp_gather_phase phase, chosen;
  uint64_t window;		/* Regions that take so long decide.  */
  uint64_t since, until;	/* When the phase began; and ends, if it is a
				   choice.  */
  unsigned holds;		/* See AMP_GATHER_FIRST.  */
  double took, expected;	/* Sums since the phase began.  */
};

static inline bool
amp_gather_timed_p (const struct amp_gather *g)
{
  return g->phase <= AMP_GATHER_TRYING;
}

static inline bool
amp_gather_together_p (const struct amp_gather *g)
{
  return g->phase == AMP_GATHER_TRYING || g->phase == AMP_GATHER_TOGETHER;
}

static void
amp_gather_enter (struct amp_gather *g, enum amp_gather_phase phase,
		  uint64_t now)
{
  g->phase = phase;
  g->since = now;
  g->took = g->expected = 0.0;
}

/* A region begins at time NOW.  */

static inline void
amp_gather_begin (struct amp_gather *g, uint64_t now)
{
  if (!amp_gather_timed_p (g) && (int64_t) (now - g->until) >= 0)
    amp_gather_enter (g, AMP_GATHER_WATCHING, now);
  if (g->since == 0)
    g->since = now;
}

static void
amp_gather_choose (struct amp_gather *g, enum amp_gather_phase phase,
		   uint64_t now)
{
  if (g->chosen != phase || g->holds == 0)
    g->holds = AMP_GATHER_FIRST;
  else if (g->holds < AMP_GATHER_LAST)
    g->holds *= 2;
  g->chosen = phase;
  g->until = now + (now - g->since) * g->holds;
  amp_gather_enter (g, phase, now);
}

/* A timed region, which has ended at NOW, TOOK so long.  EXPECTED: while they
   are watched, what it would take on fast CPUs; while they are there, what it
   took before, or 0 if that is not known.  */

static void
amp_gather_end (struct amp_gather *g, uint64_t now, double took,
		double expected)
{
  bool trying = g->phase == AMP_GATHER_TRYING;
  unsigned look = g->holds > AMP_GATHER_FIRST ? g->holds / AMP_GATHER_FIRST : 1;

  if (expected <= 0.0)
    took = 0.0;
  else if (took > AMP_GATHER_MOST * expected)
    took = AMP_GATHER_MOST * expected;
  g->took += took;
  g->expected += expected;
  if (g->took < (double) g->window * look
      && !(trying && now - g->since > AMP_GATHER_TRIAL * g->window * look))
    return;
  if (trying)
    amp_gather_choose (g, (g->took < g->expected * (1.0 - AMP_GATHER_GAIN)
			   ? AMP_GATHER_TOGETHER : AMP_GATHER_APART), now);
  else if (g->expected <= g->took * (1.0 + AMP_GATHER_DOUBT))
    amp_gather_enter (g, AMP_GATHER_TRYING, now);
  else
    amp_gather_choose (g, AMP_GATHER_APART, now);
}

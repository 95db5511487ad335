/* SPDX-License-Identifier: GPL-3.0-or-later

   Weighted teams in amp-sim: more threads than cores, placed by
   libgomp/core/amp-place.c so that equal blocks end together, each with its
   block of the static schedule.  Threads on one core are one lane, which runs
   their blocks one after the other; what switching between them costs is left
   out.  Included by amp-sim.c.  */

#include "amp-place.c"

/* As many threads a core at most as `amp-run --weighted' takes.  */
#define WEIGHTED_MOST 4

static struct
{
  unsigned threads;
  unsigned short lane[WEIGHTED_MOST * MAX_LANES];	/* Of each thread.  */
} weighted;

static void
amp_team_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  static double speed[MAX_LANES];
  static unsigned load[MAX_LANES];

  (void) setup;
  for (unsigned i = 0; i < loop->lanes; i++)
    speed[i] = machine.speed[machine.lane_type[i]];
  weighted.threads = amp_place_team_size (speed, loop->lanes, WEIGHTED_MOST,
					  load);
  amp_place_threads (speed, loop->lanes, weighted.threads, weighted.lane, load);
}

/* lane->chunk is the thread that is next looked at.  */

static void
amp_team_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  (void) loop;
  lane->chunk = 0;
}

static struct amp_chunk
amp_team_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  while (lane->chunk < weighted.threads)
    {
      unsigned t = lane->chunk++;
      uint64_t begin = amp_even_bound (loop->n, weighted.threads, t);
      uint64_t end = amp_even_bound (loop->n, weighted.threads, t + 1);

      if (weighted.lane[t] != lane->id || begin == end)
	continue;
      lane->run += end - begin;
      return amp_make_chunk (begin, end);
    }
  return amp_no_chunk ();
}

static const struct amp_ops amp_team = {
  .name = "weighted", .kind = 4, .flags = AMP_MONOTONIC | AMP_RESERVES,
  .init = amp_team_init, .enter = amp_team_enter,
  .next_chunk = amp_team_next_chunk
};

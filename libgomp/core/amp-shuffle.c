/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A division that is drawn at random, the same one whenever it is drawn from
   the same number: for finding out whether a program relies on another.  Not in
   the registry.

   The ordinals are cut into pieces, one a lane if the division is to be
   contiguous and then in the order of the lanes, else AMP_SHUFFLE_PIECES a
   lane, each of which belongs to any lane.  Cut J lies anywhere between those
   that an even division into as many pieces has as its J-th and next one, so
   that cuts increase.  A lane takes its pieces in increasing order, or, if the
   division is to descend, in decreasing order from any of them on, and behind
   the first one comes the last: a thief's next piece may lie anywhere.  The
   piece with the last ordinal still is its lane's last one.  */

#define AMP_SHUFFLE_PIECES 4

/* A number drawn from X: the finalizer of splitmix64.  */

static inline uint64_t
amp_mix (uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* A number drawn from that and from WHAT.  */

static inline uint64_t
amp_draw (uint64_t from, uint64_t what)
{
  return amp_mix (from + (what + 1) * UINT64_C (0x9e3779b97f4a7c15));
}

/* Cut J of N ordinals into PIECES, drawn from DRAW.  */

static uint64_t
amp_shuffle_cut (uint64_t draw, uint64_t n, uint64_t pieces, uint64_t j)
{
  uint64_t low, width;

  if (j == 0 || j >= pieces)
    return j == 0 ? 0 : n;
  low = amp_even_bound (n, pieces, j);
  width = amp_even_bound (n, pieces, j + 1) - low;
  return low + amp_draw (draw, j) % (width + 1);
}

/* The loop's `first_chunk' is what is drawn from, `minor' the number of
   pieces, `major' its form.  */

static void
amp_shuffle_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  loop->first_chunk = setup->draw_seed;
  loop->major = setup->draw_form;
  loop->minor = (setup->draw_form == AMP_DRAW_CONTIGUOUS ? setup->lanes
		 : setup->lanes * (uint64_t) AMP_SHUFFLE_PIECES);
}

/* The lane's `phase' is how many pieces it has looked at, in a division that
   descends twice: for the one with the last ordinal at the end.  */

static struct amp_chunk
amp_shuffle_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t draw = loop->first_chunk, pieces = loop->minor, begin, end, j;
  bool descends = loop->major == AMP_DRAW_DESCENDING, again;

  while (lane->phase < (descends ? 2 * pieces : pieces))
    {
      j = lane->phase++;
      again = j >= pieces;
      if (descends)
	j = (draw % pieces + 2 * pieces - 1 - j) % pieces;
      if ((loop->major == AMP_DRAW_CONTIGUOUS ? j
	   : amp_draw (~draw, j) % loop->lanes) != lane->id)
	continue;
      begin = amp_shuffle_cut (draw, loop->n, pieces, j);
      end = amp_shuffle_cut (draw, loop->n, pieces, j + 1);
      if (begin == end || (descends && again != (end == loop->n)))
	continue;
      lane->run += end - begin;
      return amp_make_chunk (begin, end);
    }
  return amp_no_chunk ();
}

static const struct amp_ops amp_shuffle = {
  .name = "shuffle", .kind = 9, .flags = AMP_RESERVES,
  .init = amp_shuffle_init, .next_chunk = amp_shuffle_next_chunk
};

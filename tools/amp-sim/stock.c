/* SPDX-License-Identifier: GPL-3.0-or-later

   libgomp's own schedules by the same rules as schedulers of the core, for the
   simulator; libgomp itself runs its own code.  static without a chunk is
   amp_even.  Included by amp-sim.c.  */

static void
amp_stock_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  loop->minor = setup->params.value[0] > 0 ? setup->params.value[0] : 1;
}

/* static,C: LANE's chunks are the ID-th of each round; lane->chunk is where
   the next one begins.  */

static void
amp_cyclic_enter (struct amp_loop *loop, struct amp_lane *lane)
{
  lane->chunk = lane->id * loop->minor;
}

static struct amp_chunk
amp_cyclic_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t round = loop->lanes * loop->minor;
  uint64_t begin = lane->chunk, end;

  if (begin >= loop->n)
    return amp_no_chunk ();
  end = loop->n - begin > loop->minor ? begin + loop->minor : loop->n;
  /* No further round may wrap around.  */
  lane->chunk = loop->n - begin > round ? begin + round : loop->n;
  lane->run += end - begin;
  return amp_make_chunk (begin, end);
}

/* A chunk is the pool divided by the number of threads, rounded up, but not
   below the least one.  Threads that find the pool empty update nothing.  */

static struct amp_chunk
amp_guided_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  uint64_t begin = AMP_LOAD (&loop->cursor, AMP_RELAXED), want, left;

  do
    {
      left = loop->n - begin;
      if (left == 0)
	return amp_no_chunk ();
      want = left / loop->lanes + (left % loop->lanes != 0);
      if (want < loop->minor)
	want = loop->minor;
      if (want > left)
	want = left;
    }
  while (!AMP_CAS (&loop->cursor, &begin, begin + want, AMP_RELAXED));
  lane->run += want;
  return amp_make_chunk (begin, begin + want);
}

static const struct amp_ops amp_cyclic = {
  .name = "static", .kind = 1, .flags = AMP_MONOTONIC | AMP_RESERVES,
  .init = amp_stock_init, .enter = amp_cyclic_enter,
  .next_chunk = amp_cyclic_next_chunk
};

static const struct amp_ops amp_dynamic = {
  .name = "dynamic", .kind = 2, .flags = AMP_MONOTONIC,
  .init = amp_stock_init, .next_chunk = amp_reference_next_chunk
};

static const struct amp_ops amp_guided = {
  .name = "guided", .kind = 3, .flags = AMP_MONOTONIC,
  .init = amp_stock_init, .next_chunk = amp_guided_next_chunk
};

/* The schedule of KIND, as in omp_sched_t: static, dynamic or guided.
   CHUNKED: it has a chunk.  */

static const struct amp_ops *
amp_stock_ops (int kind, bool chunked)
{
  switch (kind)
    {
    case 1:
      return chunked ? &amp_cyclic : &amp_even;
    case 2:
      return &amp_dynamic;
    default:
      return &amp_guided;
    }
}

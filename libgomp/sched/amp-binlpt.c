/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   binlpt[,chunks]: workload-aware.  The loop is cut into CHUNKS contiguous
   chunks of about equal workload, these are dealt to the lanes by LPT (the
   longest first, each to the lane that will be through with it first), and a
   lane that is through with its own takes others' remaining ones, one at a
   time.

   Penna et al., see amp.h.  amp_loop_init gets each iteration's workload from
   the program (setup->workload); without it all iterations count the same.
   Deviations:
   - Where SF is known a lane of type j is taken to be SF_j times as fast.
   - Chunks are cut where the running sum of the workload passes a multiple
     of its CHUNKS-th part, so that rounding does not add up.  An iteration that
     is worth several chunks gets one of its own and there are less.
   - The loop's last iteration is no chunk's and is run last, however long; see
     amp-steal.c.
   - n + c log c + c (log p + types) steps for c chunks; but p where the memory
     still has the plan of a loop of the same length, workload and lanes.

   A lane's chunks are a queue as in amp-steal.c, whose units are positions in
   PLAN->order: the lane pops from the front, that is the longest first,
   thieves rob the last unit.  They run it at once, so nothing is ever
   pushed.  The plan is constant while the loop is published.  */

/* Chunks per lane when the program does not say.  */
#define AMP_BINLPT_CHUNKS 16

#define AMP_BINLPT_MAX_CHUNKS 1048576

struct amp_binlpt
{
  /* What the plan was made for: a loop of N iterations, 0 if it is not to be
     used again, cut into WANTED chunks, of LANES lanes.  Types where the lanes'
     speeds differ, else 1; and the lanes' types and these types' SF then.  */
  uint64_t n, wanted, workload_number;
  unsigned lanes, types;
  double sf[AMP_MAX_TYPES];
  uint32_t *type;

  uint64_t chunks;	/* There are.  */
  uint64_t *first;	/* Where each lane's begin in ORDER, and the end.  */
  uint64_t *bound;	/* Chunk i: ordinals bound[i] .. bound[i+1]-1.  */
  uint64_t *load;	/* Of each chunk; while the plan is made.  */
  uint64_t *lane_load;	/* Likewise.  */
  uint32_t *sorted;	/* Chunks by load, largest first; likewise.  */
  uint32_t *lane_of;	/* Of each chunk; likewise.  */
  uint32_t *heap;	/* Lanes; likewise.  */
  uint32_t *order;	/* Chunks by lane and load.  */
};

static uint64_t
amp_binlpt_chunks (const struct amp_setup *setup)
{
  uint64_t chunks = setup->params.value[0];

  if (chunks == 0)
    chunks = AMP_BINLPT_CHUNKS * (uint64_t) setup->lanes;
  if (chunks > AMP_BINLPT_MAX_CHUNKS)
    chunks = AMP_BINLPT_MAX_CHUNKS;
  return chunks < setup->n ? chunks : setup->n;
}

static size_t
amp_binlpt_extra (const struct amp_setup *setup)
{
  size_t chunks = amp_binlpt_chunks (setup), lanes = setup->lanes;

  return (sizeof (struct amp_binlpt)
	  + (2 * chunks + 1 + 2 * lanes + 1) * sizeof (uint64_t)
	  + (3 * chunks + 2 * lanes) * sizeof (uint32_t));
}

/* Make PLAN one without contents, of up to CHUNKS chunks and LANES lanes.  */

static void
amp_binlpt_lay_out (struct amp_binlpt *plan, uint64_t chunks, unsigned lanes)
{
  plan->wanted = chunks;
  plan->lanes = lanes;
  plan->bound = (uint64_t *) (plan + 1);
  plan->load = plan->bound + chunks + 1;
  plan->lane_load = plan->load + chunks;
  plan->first = plan->lane_load + lanes;
  plan->sorted = (uint32_t *) (plan->first + lanes + 1);
  plan->lane_of = plan->sorted + chunks;
  plan->order = plan->lane_of + chunks;
  plan->heap = plan->order + chunks;
  plan->type = plan->heap + lanes;
}

/* K of CHUNKS parts of a total of Q * CHUNKS + R, rounded up; no overflow,
   since R * K < 2^40.  */

static inline uint64_t
amp_binlpt_goal (uint64_t q, uint64_t r, uint64_t k, uint64_t chunks)
{
  return q * k + (r * k + chunks - 1) / chunks;
}

/* Cut the loop without its last iteration into up to CHUNKS chunks.  Returns
   how many there are.  */

static uint64_t
amp_binlpt_cut (struct amp_binlpt *plan, const struct amp_setup *setup,
		uint64_t chunks)
{
  const unsigned *workload = setup->workload;
  uint64_t n = setup->n - (setup->n != 0), total = 0, sum = 0, before = 0;
  uint64_t i, j, k, q, r;

  if (workload != NULL)
    for (i = 0; i < n; i++)
      total += workload[i];
  if (chunks > n)
    chunks = n;
  if (total == 0)
    {
      for (i = 0; i < chunks; i++)
	{
	  q = n / chunks;
	  r = n % chunks;
	  plan->bound[i] = q * i + (i < r ? i : r);
	  plan->load[i] = q + (i < r);
	}
      plan->bound[chunks] = n;
      return chunks;
    }

  /* J chunks are cut off; the next ends where the sum reaches K parts of the
     total.  */
  q = total / chunks;
  r = total % chunks;
  plan->bound[0] = 0;
  for (i = 0, j = 0, k = 1; i < n - 1 && k < chunks; i++)
    {
      sum += workload[i];
      if (sum < amp_binlpt_goal (q, r, k, chunks))
	continue;
      plan->load[j] = sum - before;
      plan->bound[++j] = i + 1;
      before = sum;
      while (k < chunks && sum >= amp_binlpt_goal (q, r, k, chunks))
	k++;
    }
  plan->load[j] = total - before;
  plan->bound[j + 1] = n;
  return j + 1;
}

/* True if chunk A is dealt before chunk B.  */

static inline bool
amp_binlpt_before (const struct amp_binlpt *plan, uint32_t a, uint32_t b)
{
  return (plan->load[a] > plan->load[b]
	  || (plan->load[a] == plan->load[b] && a < b));
}

/* Heap sort, with the chunk that is dealt last at the root.  */

static void
amp_binlpt_sort (struct amp_binlpt *plan, uint64_t chunks)
{
  uint32_t *heap = plan->sorted;
  uint64_t size = chunks, root = chunks / 2, i, child;

  for (i = 0; i < chunks; i++)
    heap[i] = i;
  while (size > 1)
    {
      uint32_t item;

      if (root > 0)
	item = heap[--root];
      else
	{
	  item = heap[--size];
	  heap[size] = heap[0];
	}
      for (i = root; (child = 2 * i + 1) < size; i = child)
	{
	  if (child + 1 < size
	      && amp_binlpt_before (plan, heap[child], heap[child + 1]))
	    child++;
	  if (!amp_binlpt_before (plan, item, heap[child]))
	    break;
	  heap[i] = heap[child];
	}
      heap[i] = item;
    }
}

/* The load of the first of the LANES lanes in HEAP, a heap with the least
   loaded at the root, has grown.  */

static void
amp_binlpt_sift (const struct amp_binlpt *plan, uint32_t *heap, uint32_t lanes)
{
  const uint64_t *load = plan->lane_load;
  uint32_t item = heap[0];
  uint64_t i, child;

  for (i = 0; (child = 2 * i + 1) < lanes; i = child)
    {
      if (child + 1 < lanes
	  && (load[heap[child + 1]] < load[heap[child]]
	      || (load[heap[child + 1]] == load[heap[child]]
		  && heap[child + 1] < heap[child])))
	child++;
      if (load[item] < load[heap[child]]
	  || (load[item] == load[heap[child]] && item < heap[child]))
	break;
      heap[i] = heap[child];
    }
  heap[i] = item;
}

/* Deal the chunks to the lanes.  Those of each type are a heap, by load and
   then number; FIRST are the heaps' beginnings in PLAN->heap.  */

static void
amp_binlpt_deal (struct amp_binlpt *plan)
{
  uint32_t first[AMP_MAX_TYPES + 1], size[AMP_MAX_TYPES];
  unsigned types = plan->types, i, j;
  uint64_t k;

  for (j = 0; j < types; j++)
    size[j] = 0;
  for (i = 0; i < plan->lanes; i++)
    size[plan->type[i]]++;
  first[0] = 0;
  for (j = 0; j < types; j++)
    {
      first[j + 1] = first[j] + size[j];
      size[j] = 0;
    }
  /* All loads are 0: lanes in the order of their numbers are a heap.  */
  for (i = 0; i < plan->lanes; i++)
    {
      j = plan->type[i];
      plan->heap[first[j] + size[j]++] = i;
      plan->lane_load[i] = 0;
    }
  for (k = 0; k < plan->chunks; k++)
    {
      uint32_t chunk = plan->sorted[k], lane;
      unsigned best = types;
      double least = 0.0;

      for (j = 0; j < types; j++)
	if (size[j] != 0)
	  {
	    double end = ((double) (plan->lane_load[plan->heap[first[j]]]
				    + plan->load[chunk]) / plan->sf[j]);
	    if (best == types || end < least)
	      {
		best = j;
		least = end;
	      }
	  }
      lane = plan->heap[first[best]];
      plan->lane_of[chunk] = lane;
      plan->lane_load[lane] += plan->load[chunk];
      amp_binlpt_sift (plan, plan->heap + first[best], size[best]);
    }
}

/* Make the queues: each lane's chunks in the order in which they were
   dealt.  */

static void
amp_binlpt_queues (struct amp_binlpt *plan)
{
  uint64_t k, sum = 0;
  /* The heaps have served.  */
  uint32_t *next = plan->heap, i;

  for (i = 0; i < plan->lanes; i++)
    next[i] = 0;
  for (k = 0; k < plan->chunks; k++)
    next[plan->lane_of[k]]++;
  for (i = 0; i < plan->lanes; i++)
    {
      uint32_t count = next[i];

      plan->first[i] = next[i] = sum;
      sum += count;
    }
  plan->first[i] = sum;
  for (k = 0; k < plan->chunks; k++)
    plan->order[next[plan->lane_of[plan->sorted[k]]]++] = plan->sorted[k];
}

/* Is PLAN what WANTED chunks of SETUP's loop would become, whose lanes are of
   TYPES, and these as fast as W says?  If not, it is to be from now on.  */

static bool
amp_binlpt_fits (struct amp_binlpt *plan, const struct amp_setup *setup,
		 uint64_t wanted, const struct amp_weights *w,
		 uint64_t *types)
{
  bool unlike = amp_unlike_p (w);
  unsigned ntypes = unlike ? setup->types : 1, i;
  bool same = (setup->n != 0 && plan->n == setup->n && plan->wanted == wanted
	       && plan->lanes == setup->lanes && plan->types == ntypes
	       && plan->workload_number == setup->workload_number);

  if (!same)
    amp_binlpt_lay_out (plan, wanted, setup->lanes);
  for (i = 0; i < ntypes; i++)
    {
      double sf = unlike ? amp_clamp_sf (w->sf[i]) : 1.0;

      same = same && plan->sf[i] == sf;
      plan->sf[i] = sf;
    }
  for (i = 0; i < setup->lanes; i++)
    {
      uint32_t type = unlike ? AMP_LOAD (&types[i], AMP_RELAXED) : 0;

      same = same && plan->type[i] == type;
      plan->type[i] = type;
    }
  plan->types = ntypes;
  plan->workload_number = setup->workload_number;
  plan->n = (setup->workload == NULL || setup->workload_number != 0
	     ? setup->n : 0);
  return same;
}

static void
amp_binlpt_init (struct amp_loop *loop, const struct amp_setup *setup)
{
  struct amp_binlpt *plan = setup->extra;
  uint64_t *bounds = amp_loop_bounds (loop);
  uint64_t wanted = amp_binlpt_chunks (setup);
  struct amp_weights w;
  unsigned i;

  amp_weigh (setup, false, bounds, &w);
  if (!amp_binlpt_fits (plan, setup, wanted, &w, bounds))
    {
      plan->chunks = amp_binlpt_cut (plan, setup, wanted);
      amp_binlpt_sort (plan, plan->chunks);
      amp_binlpt_deal (plan);
      amp_binlpt_queues (plan);
    }
  for (i = 0; i <= loop->lanes; i++)
    AMP_STORE (&bounds[i], plan->first[i], AMP_RELAXED);
  *(const struct amp_binlpt **) amp_loop_own (loop) = plan;
  loop->units = plan->chunks;
  loop->queues_bounded = 1;
  loop->cluster = setup->lane_cluster;
}

/* LOOP's plan.  */

static inline const struct amp_binlpt *
amp_binlpt_of (const struct amp_loop *loop)
{
  return *(const struct amp_binlpt **) amp_loop_own (loop);
}

static inline struct amp_chunk
amp_binlpt_grant (const struct amp_loop *loop, struct amp_lane *lane,
		  uint64_t position)
{
  const struct amp_binlpt *plan = amp_binlpt_of (loop);
  const uint64_t *bound = plan->bound + plan->order[position];

  lane->run += bound[1] - bound[0];
  return amp_make_chunk (bound[0], bound[1]);
}

/* LANE is through with its own.  */

static struct amp_chunk __attribute__ ((noinline))
amp_binlpt_more (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_range range;
  unsigned victim;

  if (lane->state == AMP_ST_DONE)
    return amp_no_chunk ();
  if (!amp_search (loop, lane, 0, &range, &victim))
    return amp_take_last (loop, lane);
  return amp_binlpt_grant (loop, lane, range.front);
}

static struct amp_chunk
amp_binlpt_next_chunk (struct amp_loop *loop, struct amp_lane *lane)
{
  struct amp_range range = amp_look (loop, lane);

  if (__builtin_expect (amp_range_len (&range) != 0, 1)
      && amp_pop (loop, lane, &range, 1))
    return amp_binlpt_grant (loop, lane, range.front);
  return amp_binlpt_more (loop, lane);
}

static const struct amp_ops amp_binlpt = {
  .name = "binlpt", .kind = 21,
  .flags = AMP_QUEUES | AMP_PIECES | AMP_KNOWS_WORKLOAD,
  .nparams = 1,
  .param = { { "chunks", 1, AMP_BINLPT_MAX_CHUNKS, 0, AMP_CHUNK_NO } },
  .loop_size = sizeof (struct amp_binlpt *),
  .extra = amp_binlpt_extra, .init = amp_binlpt_init,
  .enter = amp_steal_enter, .next_chunk = amp_binlpt_next_chunk,
  .text = "Chunks of equal cost, as omp_set_workload says"
};

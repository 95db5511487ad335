/* SPDX-License-Identifier: GPL-3.0-or-later

   See placement.h.  Included by engine.c.  */

/* All threads come to a loop and are awake.  */

static void
sim_placement_begin (const struct sim_config *c)
{
  struct sim_placement *p = c->placement;

  for (unsigned i = 0; i < c->lanes; i++)
    {
      p->idle[i] = SIM_NEVER;
      p->runs[i] = false;
    }
}

/* THREAD's core has been busy with it up to NOW; since it asked at ASKED, if it
   did not run.  */

static void
sim_placement_report (const struct sim_config *c, unsigned thread,
		      uint64_t asked, uint64_t now)
{
  struct sim_placement *p = c->placement;

  if (!p->runs[thread])
    p->from[thread] = asked;
  if (c->busy != NULL && now > p->from[thread])
    c->busy (p->core[thread], p->from[thread], now);
  p->from[thread] = now;
}

/* THREAD, which asked at ASKED, begins a chunk of WORK now.  */

static void
sim_placement_runs (const struct sim_config *c, unsigned thread, uint64_t asked,
		    double work)
{
  struct sim_placement *p = c->placement;

  sim_placement_report (c, thread, asked, sim.now);
  p->runs[thread] = true;
  p->since[thread] = sim.now;
  p->left[thread] = work;
}

/* THREAD, which asked at ASKED, is told now that nothing is left.  */

static void
sim_placement_ends (const struct sim_config *c, unsigned thread, uint64_t asked)
{
  struct sim_placement *p = c->placement;

  sim_placement_report (c, thread, asked, sim.now);
  p->runs[thread] = false;
  p->idle[p->core[thread]] = sim_later (sim.now, p->spin);
}

/* The running thread on the slowest core, if that is slower than CORE;
   LANES if there is none.  */

static unsigned
sim_placement_slowest (const struct sim_config *c, unsigned core)
{
  const struct sim_placement *p = c->placement;
  unsigned i, found = c->lanes;

  for (i = 0; i < c->lanes; i++)
    if (p->runs[i] && p->type[p->core[i]] > p->type[core]
	&& (found == c->lanes
	    || p->type[p->core[i]] > p->type[p->core[found]]))
      found = i;
  return found;
}

/* Move THREAD to CORE at NOW, and change when its chunk in HEAP ends.  */

static void
sim_placement_move (const struct sim_config *c, unsigned thread, unsigned core,
		    uint64_t now, struct sim_waiting *heap, unsigned size)
{
  struct sim_placement *p = c->placement;
  unsigned old = p->core[thread], i;

  sim_placement_report (c, thread, 0, now);
  if (now > p->since[thread])
    {
      p->left[thread] -= ((double) (now - p->since[thread])
			  * c->speed[p->type[old]]);
      p->since[thread] = now;
    }
  if (p->left[thread] < 0.0)
    p->left[thread] = 0.0;
  for (i = 0; i < c->lanes; i++)
    if (p->core[i] == core)
      p->core[i] = old;
  p->core[thread] = core;
  p->idle[core] = SIM_NEVER;
  p->idle[old] = now;
  p->moves++;
  p->since[thread] = sim_later (p->since[thread], p->cost);
  for (i = 0; heap[i].lane != thread; i++)
    ;
  heap[i].time = sim_finish (c, p->since[thread], p->type[core],
			     p->left[thread]);
  for (i = size / 2; i-- > 0;)
    sim_sift (heap, size, i);
}

/* What the kernel does up to the next event in HEAP, of SIZE lanes.  */

static void
sim_placement_ticks (const struct sim_config *c, struct sim_waiting *heap,
		     unsigned size)
{
  struct sim_placement *p = c->placement;
  unsigned core, thread;

  for (;;)
    {
      /* The first look after now, or the first at which a core is idle.  */
      uint64_t first = SIM_NEVER, now;

      for (core = 0; core < c->lanes; core++)
	if (p->idle[core] < first
	    && sim_placement_slowest (c, core) < c->lanes)
	  first = p->idle[core];
      if (first == SIM_NEVER)
	return;
      if (first < sim.now)
	first = sim.now;
      now = (uint64_t) (__builtin_ceil ((p->origin + (double) first)
					/ p->period) * p->period - p->origin);
      if (now < first)
	now = first;
      if (now >= heap[0].time)
	return;
      /* Cores are in the order of their speeds.  */
      for (core = 0; core < c->lanes; core++)
	if (p->idle[core] <= now
	    && (thread = sim_placement_slowest (c, core)) < c->lanes)
	  sim_placement_move (c, thread, core, now, heap, size);
      sim.now = now;
    }
}

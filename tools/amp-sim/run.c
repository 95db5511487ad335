/* SPDX-License-Identifier: GPL-3.0-or-later

   One run of amp-sim: all loops under one schedule.  Included by amp-sim.c.  */

/* What one schedule did.  Times in nanoseconds; an execution is all loops,
   once.  */

struct segment
{
  uint64_t start, end;
  uint64_t begin, iterations;
  uint64_t chunks;	/* Shorter ones in a row are drawn as one.  */
  uint64_t first;	/* The lane's count of chunks before.  */
  unsigned lane;
};

/* What a schedule is, beside those that OMP_SCHEDULE knows.  */
enum line { LINE_SCHEDULE, LINE_TASKS, LINE_WEIGHTED };

struct run
{
  char *name;		/* Without blanks, in lower case.  */
  enum line line;
  struct amp_schedule schedule;
  double first, last, sum;
  uint64_t grants;	/* This and the next: of the last execution.  */
  double imbalance;	/* Last lane's end / mean lane's.  */
  double joules;	/* Of all executions.  */
  uint64_t end;		/* Of the loop that is drawn.  */
  struct segment *segment;
  size_t segments, room;
};

static struct
{
  struct run *run;
  size_t runs, room;
  unsigned executions;
  double rmw;		/* In ns, as the next six.  */
  double own;		/* Of one whose line the lane has.  */
  double hold;		/* For so long a line that is asked for stays.  */
  double far;		/* Of one whose line another cluster has.  */
  double call;		/* A grant, beside its updates.  */
  double fork;		/* A loop, beside its grants.  */
  double arrival;	/* Lanes come to a loop up to so much later.  */
  const double *sf;	/* What the library is told, or NULL.  */
  bool truth;		/* It is told the speed of each loop.  */
  uint64_t seed;
  const char *gantt;
} plan = { .executions = 1, .seed = 1 };

/* While a loop runs.  */

static struct
{
  struct run *run;	/* Not NULL: its segments are recorded.  */
  uint64_t end[MAX_LANES], chunks[MAX_LANES];
  size_t last[MAX_LANES];	/* Segment, plus 1.  */
  uint64_t shortest;	/* What is drawn by itself.  */
} view;

static void
see (void *data __attribute__ ((unused)), uint64_t now, unsigned lane,
     const struct amp_chunk *chunk)
{
  const struct sim_config *c = sim.config;
  uint64_t end = sim_finish (c, sim.now, c->lane[lane].type,
			     sim_work (c, chunk->begin, chunk->end));
  struct run *run = view.run;
  struct segment *s;

  if (c->placement == NULL)
    view.end[lane] = end;
  view.chunks[lane]++;
  if (run == NULL)
    return;
  if (view.last[lane] != 0)
    {
      s = &run->segment[view.last[lane] - 1];
      if (s->end == now && end - s->start < view.shortest)
	{
	  s->end = end;
	  s->iterations += chunk->end - chunk->begin;
	  s->chunks++;
	  return;
	}
    }
  s = append (&run->segment, &run->segments, &run->room, sizeof *s);
  s->start = sim.now;
  s->end = end;
  s->begin = chunk->begin;
  s->iterations = chunk->end - chunk->begin;
  s->chunks = 1;
  s->first = view.chunks[lane] - 1;
  s->lane = lane;
  view.last[lane] = run->segments;
}

/* Put the scheduler of RUN, and what it needs, in C, whose site is the loop's.
   TURN: a count of loops.  */

static void
choose_ops (const struct run *run, struct sim_config *c, uint64_t turn)
{
  const struct amp_schedule *schedule = &run->schedule;
  struct amp_facts facts;

  if (run->line == LINE_WEIGHTED)
    {
      c->ops = &amp_team;
      c->site = NULL;
      return;
    }
  if (schedule->kind < AMP_KIND_AUTO)
    {
      /* The library leaves these to libgomp.  */
      c->ops = amp_stock_ops (schedule->kind, schedule->params.value[0] != 0);
      c->params = schedule->params;
      c->site = NULL;
      return;
    }
  memset (&facts, 0, sizeof facts);
  facts.ops = amp_find_kind (schedule->kind);
  facts.params = schedule->params;
  facts.any_order = schedule->modifier != 1;
  facts.turn = turn;
  facts.goal = power_goal ();
  sim_decide (c, &facts);
}

/* From 0 up to but without 1.  */

static double
random_part (uint64_t *state)
{
  return (double) (sim_random (state) >> 11) * 0x1p-53;
}

/* Where the kernel places threads, if it does: PERIOD is not 0.  */

static struct
{
  double period, cost;		/* In ns.  */
  struct sim_placement state;
  unsigned core[MAX_LANES];
  uint64_t idle[MAX_LANES], since[MAX_LANES], from[MAX_LANES];
  double left[MAX_LANES];
  bool runs[MAX_LANES];
} placed = { .state = { .type = machine.lane_type, .core = placed.core,
			.idle = placed.idle, .since = placed.since,
			.left = placed.left, .from = placed.from,
			.runs = placed.runs } };

/* Threads begin on the cores of their numbers.  */

static void
place_threads (void)
{
  placed.state.period = placed.period * SCALE;
  placed.state.cost = placed.cost * SCALE;
  placed.state.spin = power.spin * SCALE;
  for (unsigned i = 0; i < machine.lanes; i++)
    placed.core[i] = i;
}

/* While a run is simulated.  */

static struct
{
  struct amp_loop *block;
  uint64_t order;		/* State of the numbers that arrivals are drawn
				   from.  */
  double phase;			/* Of the slow cores' periods at the
				   beginning, in ns.  */
  double begun;			/* The loop under way; in ns.  */
  double ends, lasts;		/* Sums over loops of what lanes end at, in
				   the mean and at last.  */
} simulated;

static void
see_busy (unsigned core, uint64_t from, uint64_t to)
{
  power_busy (core, simulated.begun + (double) from / SCALE,
	      simulated.begun + (double) to / SCALE);
  if (placed.period > 0.0)
    view.end[core] = to;
}

/* What C is for LOOP, but for its schedule and site.  */

static void
set_up_loop (const struct loop *loop, struct sim_config *c)
{
  static double truth[AMP_MAX_TYPES];
  static unsigned char now_on[MAX_LANES];
  const struct place *place = &job.place[loop->place];

  memset (c, 0, sizeof *c);
  c->n = loop->n;
  c->lanes = machine.lanes;
  c->types = machine.types;
  c->lane = machine.lane;
  c->lane_type = machine.lane_type;
  c->sf = place->known != NULL ? place->known : plan.sf;
  for (unsigned j = 0; j < machine.types; j++)
    {
      c->speed[j] = c->later[j] = loop_speed (loop, j);
      truth[j] = c->speed[j] / loop_speed (loop, machine.types - 1);
      c->duty[j] = fmin (c->speed[j] / machine.speed[0], 1.0);
    }
  if (plan.truth)
    c->sf = truth;
  c->period = machine.period * SCALE;
  c->origin = (simulated.begun + simulated.phase) * SCALE;
  c->call = plan.call * SCALE;
  c->workload = loop->workload;
  c->min_ticks = (uint64_t) (SAMPLE_NS * SCALE);
  c->change = SIM_NEVER;
  c->sums = loop->sums;
  c->at = loop->at;
  c->marks = loop->marks;
  c->clock = SIM_CLOCK_TRUE;
  c->rmw = plan.rmw * SCALE;
  c->own = plan.own * SCALE;
  c->hold = plan.hold * SCALE;
  c->far = plan.far * SCALE;
  c->lane_cluster = machine.clusters > 1 ? machine.cluster : NULL;
  c->clusters = machine.clusters;
  c->cluster_size = machine.cluster_size;
  c->seed = plan.seed;
  c->max_grants = SIM_NEVER;
  c->watch = see;
  c->busy = see_busy;
  if (placed.period > 0.0)
    {
      c->placement = &placed.state;
      for (unsigned i = 0; i < machine.lanes; i++)
	now_on[i] = machine.lane_type[placed.core[i]];
      c->lane_type = now_on;
      c->types_guessed = true;
      placed.state.origin = simulated.begun * SCALE;
    }
  for (unsigned i = 0; i < machine.lanes; i++)
    {
      uint64_t start = (uint64_t) (random_part (&simulated.order)
				   * plan.arrival * SCALE);

      /* A thread that is stopped does not ask for anything: what it does first
	 is a unit of virtual time.  */
      if (c->period > 0.0)
	start = sim_finish (c, start, machine.lane[i].type, 1.0);
      machine.lane[i].start = start;
    }
}

/* Loop number K, the TURN-th, at NOW; DRAWN: as a picture.  Returns how many
   nanoseconds it takes.  */

static double
simulate_loop (struct run *run, size_t k, uint64_t turn, double now, bool drawn)
{
  const struct loop *loop = &job.loop[k];
  struct place *place = &job.place[loop->place];
  unsigned magnitude = amp_site_magnitude (loop->n), i;
  struct sim_config c;
  struct sim_result r;
  const char *wrong;
  uint64_t most = 0;

  simulated.begun = now;
  set_up_loop (loop, &c);
  if (place->site[magnitude] == NULL)
    place->site[magnitude]
      = sim_new_site (machine.lanes, machine.types, magnitude);
  c.site = place->site[magnitude];
  choose_ops (run, &c, turn);
  for (i = 0; i < machine.lanes; i++)
    {
      power_wakes (i, now);
      power_cores[i].left_out = c.left_out >> machine.lane_type[i] & 1;
    }

  memset (&view, 0, sizeof view);
  if (drawn)
    {
      double ideal = loop_work (k) / loop_capacity (loop);

      view.run = run;
      view.shortest
	= (uint64_t) (ideal * fmax (1.0 / 2000.0,
				    (double) machine.lanes
				    * (double) plan.runs / 6e4));
    }
  wrong = sim_run (simulated.block, &c, &r);
  if (wrong != NULL)
    die (1, "%s: the scheduler broke its contract: %s", run->name, wrong);
  if (r.makespan >= SIM_LATE)
    die (1, "%s: takes longer than can be simulated", run->name);
  if (view.run != NULL)
    run->end = r.makespan;
  run->grants += r.grants;
  for (i = 0; i < machine.lanes; i++)
    {
      simulated.ends += (double) view.end[i] / machine.lanes;
      if (view.end[i] > most)
	most = view.end[i];
    }
  simulated.lasts += (double) most;
  return (double) r.makespan / SCALE;
}

/* The fastest core that is faster than CORE and whose thread waits; CORE if
   there is none.  Cores are in the order of their speeds.  */

static unsigned
faster_core (unsigned core)
{
  for (unsigned i = 0; i < core; i++)
    if (machine.lane_type[i] < machine.lane_type[core])
      return i;
  return core;
}

/* WORK outside of loops, from NOW on; returns when it is done.  Where the
   kernel places threads it moves thread 0 to a faster core once one is
   idle.  */

static double
simulate_serial (double work, double now)
{
  unsigned core = placed.period > 0.0 ? placed.core[0] : 0, i;
  double speed = machine.speed[machine.lane_type[core]] * SCALE;
  unsigned better = placed.period > 0.0 ? faster_core (core) : core;

  if (better != core)
    {
      double idle = simulated.begun + (double) placed.idle[better] / SCALE;
      double look = ceil (fmax (now, idle) / placed.period) * placed.period;

      if (look < now + work / speed)
	{
	  power_busy (core, now, look);
	  for (i = 0; placed.core[i] != better; i++)
	    ;
	  placed.core[i] = core;
	  placed.core[0] = better;
	  placed.state.moves++;
	  return simulate_serial (work - (look - now) * speed,
				  look + placed.cost);
	}
    }
  power_busy (core, now, now + work / speed);
  return now + work / speed;
}

/* All loops of RUN once, from NOW on.  DRAWN: the largest as a picture.
   Returns how many nanoseconds that takes.  */

static double
simulate_execution (struct run *run, uint64_t *turn, double now, bool drawn)
{
  double serial = job.serial, begin = now;

  if (run->line == LINE_TASKS)
    {
      now += simulate_tasks ((uint64_t) run->schedule.params.value[0], now,
			     &run->grants);
      for (size_t k = 0; k < job.loops; k++)
	serial -= job.loop[k].serial;
      return simulate_serial (serial, now) - begin;
    }
  run->grants = 0;
  simulated.ends = simulated.lasts = 0.0;
  for (size_t k = 0; k <= job.loops; k++)
    {
      double part = k < job.loops ? job.loop[k].serial : serial;

      now = simulate_serial (part, now);
      serial -= part;
      if (k == job.loops)
	break;
      now += simulate_loop (run, k, (*turn)++, now,
			    drawn && k == job.largest);
      now += plan.fork;
    }
  run->imbalance = (simulated.ends > 0.0 ? simulated.lasts / simulated.ends
		    : 1.0);
  return now - begin;
}

static void
simulate (struct run *run)
{
  uint64_t turn = 0;

  simulated.block = sim_new_block (machine.lanes, machine.types);
  simulated.order = plan.seed;
  simulated.phase = 0.0;
  if (plan.arrival > 0.0)
    simulated.phase = random_part (&simulated.order) * machine.period;
  power_begin ();
  place_threads ();
  for (unsigned e = 0; e < plan.executions; e++)
    {
      run->last = simulate_execution (run, &turn, run->sum,
				      e + 1 == plan.executions
				      && plan.gantt != NULL);
      if (e == 0)
	run->first = run->last;
      run->sum += run->last;
    }
  run->joules = power_joules (run->sum);
  for (size_t k = 0; k < job.places; k++)
    for (unsigned i = 0; i <= 64; i++)
      {
	free (job.place[k].site[i]);
	job.place[k].site[i] = NULL;
      }
  free (simulated.block);
}

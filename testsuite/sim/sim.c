/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of every scheduler in the registry: random ones checked
   against the contract in amp.h, some whose outcome is known, golden ones,
   and a table of efficiencies.

     sim [--seed S] [--runs N]     random simulations (loops, in fact)
     sim --case S                  only the sequence of loops of seed S
     sim --known [PART]            shares, R and the like; parts are in known[]
     sim --golden [FILE]           hold the golden ones against FILE, or print it
     sim --grants                  all grants of the golden ones
     sim --table

   The last line is "N passed, N failed, N skipped".  */

#include "engine.c"
#include <math.h>

static unsigned passed, failed;

#include "random.c"

/* Machines.  */

struct machine
{
  const char *name;
  unsigned types;
  unsigned lanes[32];	/* Of each type.  */
  double speed[32];
};

static struct sim_lane machine_lane[MAX_LANES];
static unsigned char machine_type[MAX_LANES];

static void
set_machine (struct sim_config *c, const struct machine *m)
{
  unsigned i, j;

  memset (c, 0, sizeof *c);
  c->types = m->types;
  c->lane = machine_lane;
  c->change = SIM_NEVER;
  for (j = 0; j < m->types; j++)
    {
      c->speed[j] = c->later[j] = m->speed[j];
      for (i = 0; i < m->lanes[j]; i++)
	{
	  machine_lane[c->lanes].type = j;
	  machine_lane[c->lanes].reported = j;
	  machine_lane[c->lanes].start = 0;
	  machine_lane[c->lanes].grants = SIM_NEVER;
	  machine_lane[c->lanes].moves = SIM_NEVER;
	  machine_type[c->lanes++] = j;
	}
    }
  c->cost = SIM_COST_CONSTANT;
  c->clock = SIM_CLOCK_TRUE;
  c->max_grants = SIM_NEVER;
}

static bool
near (double x, double y, double relative)
{
  double d = x - y;
  return (d < 0 ? -d : d) <= 1.0 + relative * y;
}

static void
report (bool ok, const char *what, const struct sim_config *c)
{
  ok ? passed++ : failed++;
  if (!ok)
    {
      printf ("FAIL: %s\n", what);
      print_config (c);
    }
}

#include "known.c"
#include "known-aid.c"
#include "known-sites.c"
#include "known-few.c"
#include "known-goal.c"
#include "known-clusters.c"
#include "known-order.c"

/* What --known runs, or those of one name; without one, not auto and order,
   each of which takes as long as all others.  */
static const struct
{
  const char *part;
  void (*run) (void);
} known[] = {
  { "shares", known_shares },
  { "ratios", known_ratios },
  { "uniform", known_uniform },
  { "queues", known_queues },
  { "clusters", known_clusters },
  { "batches", known_batches },
  { "batches", known_hierarchy },
  { "probes", known_probes },
  { "hetprobe", known_hetprobe },
  { "hetprobe_i", known_hetprobe_i },
  { "ich", known_ich },
  { "ich", known_published },
  { "ich", known_absent },
  { "amp", known_amp },
  { "amp", known_unknown_amp },
  { "amp", known_pace },
  { "retirement", known_retirement },
  { "binlpt", known_binlpt },
  { "binlpt", known_pieces },
  { "binlpt", known_kept_pieces },
  { "victims", known_victims },
  { "samples", known_samples },
  { "moves", known_moves },
  { "moves", known_moved_samples },
  { "moves", known_equal_moves },
  { "major", known_major },
  { "major", known_last_arrival },
  { "drain", known_drain },
  { "smoothing", known_smoothing },
  { "chunks", known_chunks },
  { "chunks", known_alike },
  { "crowd", known_crowd },
  { "queue", known_queue },
  { "sites", known_sites },
  { "sites", known_kept },
  { "sites", known_stay },
  { "sites", known_first_chunks },
  { "few", known_few },
  { "few", known_few_uneven },
  { "goal", known_goal },
  { "goal", known_left_out },
  { "goal", known_goal_learns },
  { "pools", known_pools },
  { "pools", known_first_share },
  { "lateness", known_lateness },
  { "bias", known_bias },
  { "uneven", known_uneven },
  { "auto", known_auto },
  { "changes", known_changes },
  { "verdicts", known_verdicts },
  { "order", known_order },
  { "order", known_decisions }
};

/* False if there is no PART; NULL: all.  */

static bool
run_known (const char *part)
{
  bool found = false;
  size_t i;

  for (i = 0; i < sizeof known / sizeof known[0]; i++)
    if (part == NULL
	? known[i].run != known_auto && known[i].run != known_order
	: strcmp (part, known[i].part) == 0)
      {
	found = true;
	known[i].run ();
      }
  return found;
}

/* Golden simulations.  */

struct golden
{
  const char *name;
  struct machine machine;
  uint64_t n;
  int param[AMP_MAX_PARAMS];
  enum sim_cost cost;
  bool sf;
  uint64_t change;
  unsigned stop;	/* Lane 1 stops after so many grants; 0: does not.  */
};

/* Params of -1 stand for the least valid value.  */
static const struct golden goldens[] = {
  { "defaults, 3:1", { "", 2, { 1, 1 }, { 3.0, 1.0 } }, 600, { 0, 0 },
    SIM_COST_CONSTANT, false, SIM_NEVER, 0 },
  { "least parameters, 2+2 of 2:1", { "", 2, { 2, 2 }, { 2.0, 1.0 } }, 60,
    { -1, -1 }, SIM_COST_CONSTANT, false, SIM_NEVER, 0 },
  { "three types, random costs", { "", 3, { 1, 1, 2 }, { 4.0, 2.0, 1.0 } },
    400, { 0, 0 }, SIM_COST_RANDOM, false, SIM_NEVER, 0 },
  { "heavy end, speeds change", { "", 2, { 1, 2 }, { 3.0, 1.0 } }, 400,
    { 0, 0 }, SIM_COST_LAST_HEAVY, false, 100000, 0 },
  { "known SF", { "", 2, { 2, 2 }, { 2.5, 1.0 } }, 200, { 0, 0 },
    SIM_COST_CONSTANT, true, SIM_NEVER, 0 },
  { "one type", { "", 1, { 3 }, { 1.0 } }, 40, { 0, 0 },
    SIM_COST_CONSTANT, false, SIM_NEVER, 0 },
  { "a lane stops", { "", 2, { 1, 2 }, { 2.0, 1.0 } }, 300, { 0, 0 },
    SIM_COST_CONSTANT, false, SIM_NEVER, 2 }
};

/* What a golden simulation has granted so far.  */
struct granted
{
  FILE *list;		/* Or NULL.  */
  unsigned grants;
  uint64_t end, digest, of_lane[MAX_LANES];
};

static void
count_grant (void *data, uint64_t now, unsigned lane,
	     const struct amp_chunk *chunk)
{
  struct granted *g = data;
  const uint64_t word[] = { now, lane, chunk->begin, chunk->end };
  size_t i;

  if (g->list != NULL)
    fprintf (g->list, "%ju lane %u: %ju .. %ju\n", (uintmax_t) now, lane,
	     (uintmax_t) chunk->begin, (uintmax_t) chunk->end);
  g->grants++;
  g->end = now;
  g->of_lane[lane] += chunk->end - chunk->begin;
  for (i = 0; i < sizeof word / sizeof word[0]; i++)
    g->digest = (g->digest ^ word[i]) * UINT64_C (0x9e3779b97f4a7c15),
    g->digest ^= g->digest >> 29;
}

/* Simulate G under OPS, all grants to LIST unless it is NULL, and put a line
   in TEXT: how many grants, when the last one was, the iterations of each lane
   and a digest of all grants.  Returns whether it was right.  */

static bool
run_golden (const struct amp_ops *ops, const struct golden *g, FILE *list,
	    char *text, size_t size)
{
  struct granted granted = { .list = list };
  struct sim_config c;
  struct sim_result r;
  struct amp_loop *block;
  const char *wrong;
  size_t at;
  unsigned j;

  set_machine (&c, &g->machine);
  c.ops = ops;
  for (j = 0; j < ops->nparams; j++)
    c.params.value[j] = (g->param[j] == -1 ? ops->param[j].min
			 : g->param[j]);
  c.n = g->n;
  c.cost = g->cost;
  c.unit = 1000.0;
  c.rmw = 50.0;
  c.min_ticks = 5000;
  c.seed = 1;
  if (g->sf)
    {
      c.sf = g->machine.speed;
      c.lane_type = machine_type;
    }
  c.change = g->change;
  if (g->change != SIM_NEVER)
    for (j = 0; j < c.types; j++)
      c.later[j] = c.speed[c.types - 1 - j];
  if (g->stop)
    machine_lane[1].grants = g->stop;
  c.watch = count_grant;
  c.watch_data = &granted;
  block = sim_new_block (c.lanes, c.types);
  wrong = sim_run (block, &c, &r);
  free (block);
  at = snprintf (text, size, "%s: %s: %u grants, %ju ns, ", ops->name,
		 g->name, granted.grants, (uintmax_t) granted.end);
  for (j = 0; j < c.lanes; j++)
    at += snprintf (text + at, size - at, "%s%ju", j ? "+" : "",
		    (uintmax_t) granted.of_lane[j]);
  snprintf (text + at, size - at, ", %016jx%s%s\n",
	    (uintmax_t) granted.digest, wrong ? " WRONG: " : "",
	    wrong ? wrong : "");
  return wrong == NULL;
}

/* Hold the golden simulations against the lines of FILE, which may be NULL; or
   print their lines, or all GRANTS.  */

static void
golden (const char *file, bool grants)
{
  static char lines[100000];
  const struct amp_ops *const *p;
  FILE *stream = file != NULL ? fopen (file, "r") : NULL;
  size_t i;

  if (stream != NULL)
    {
      lines[fread (lines, 1, sizeof lines - 1, stream)] = '\0';
      fclose (stream);
    }
  for (p = amp_schedulers; *p != NULL; p++)
    for (i = 0; i < sizeof goldens / sizeof goldens[0]; i++)
      {
	char text[1000];
	bool ok = run_golden (*p, &goldens[i], grants ? stdout : NULL, text,
			      sizeof text);

	if (file == NULL)
	  fputs (text, stdout);
	else if (!ok || strstr (lines, text) == NULL)
	  {
	    ok = false;
	    printf ("FAIL: golden (testsuite/sim/run --diff): now %s", text);
	  }
	ok ? passed++ : failed++;
      }
}

/* Efficiencies, for information.  */

static void
table (void)
{
  static const struct machine machines[] = {
    { "2 equal", 1, { 2 }, { 1.0 } },
    { "1+1 3:1", 2, { 1, 1 }, { 3.0, 1.0 } },
    { "4+4 2.5:1", 2, { 4, 4 }, { 2.5, 1.0 } },
    { "1+3+4 4:2:1", 3, { 1, 3, 4 }, { 4.0, 2.0, 1.0 } },
    { "64+64 2:1", 2, { 64, 64 }, { 2.0, 1.0 } }
  };
  static const struct
  {
    const char *name;
    enum sim_cost cost;
    double unit;
    uint64_t n;		/* Per lane.  */
  } loads[] = {
    { "constant 1 us", SIM_COST_CONSTANT, 1000.0, 20000 },
    { "constant 10 ns", SIM_COST_CONSTANT, 10.0, 20000 },
    { "linear", SIM_COST_LINEAR, 1000.0, 20000 },
    { "last heavy", SIM_COST_LAST_HEAVY, 1000.0, 20000 },
    { "random", SIM_COST_RANDOM, 1000.0, 2000 },
    { "spikes", SIM_COST_SPIKES, 1000.0, 2000 }
  };
  unsigned m, l;
  const struct amp_ops *const *p;

  printf ("efficiency: ideal / makespan, default parameters, 20 ns per "
	  "atomic update, samples of 5 us\n%-12s %-15s", "machine", "load");
  for (p = amp_schedulers; *p != NULL; p++)
    printf (" %12s", (*p)->name);
  putchar ('\n');
  for (m = 0; m < sizeof machines / sizeof machines[0]; m++)
    for (l = 0; l < sizeof loads / sizeof loads[0]; l++)
      {
	printf ("%-12s %-15s", machines[m].name, loads[l].name);
	for (p = amp_schedulers; *p != NULL; p++)
	  {
	    struct sim_config c;
	    struct sim_result r;
	    struct amp_loop *block;

	    set_machine (&c, &machines[m]);
	    c.ops = *p;
	    c.n = loads[l].n * c.lanes;
	    c.cost = loads[l].cost;
	    c.unit = loads[l].unit;
	    c.rmw = 20.0;
	    c.min_ticks = 5000;
	    block = sim_new_block (c.lanes, c.types);
	    if (sim_run (block, &c, &r) != NULL)
	      printf (" %12s", sim_message);
	    else
	      printf (" %12.3f", r.ideal / (double) r.makespan);
	    free (block);
	  }
	putchar ('\n');
      }
}

int
main (int argc, char **argv)
{
  uint64_t seed = 1, runs = 100000;
  const char *file = NULL, *part = NULL;
  bool outcomes = false, show = false, once = false, ok;
  bool gold = false, grants = false, chosen = false;
  int i;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (i = 1; i < argc; i++)
    {
      const char *value = i + 1 < argc ? argv[i + 1] : "";

      if (strcmp (argv[i], "--seed") == 0 && ++i)
	seed = strtoull (value, NULL, 10);
      else if (strcmp (argv[i], "--runs") == 0 && ++i)
	runs = strtoull (value, NULL, 10);
      else if (strcmp (argv[i], "--case") == 0 && ++i)
	{
	  seed = strtoull (value, NULL, 10);
	  chosen = once = true;
	}
      else if (strcmp (argv[i], "--known") == 0)
	{
	  chosen = outcomes = true;
	  if (value[0] != '\0' && value[0] != '-')
	    part = argv[++i];
	}
      else if (strcmp (argv[i], "--golden") == 0)
	{
	  gold = chosen = true;
	  if (value[0] != '\0')
	    file = argv[++i];
	}
      else if (strcmp (argv[i], "--grants") == 0)
	gold = grants = chosen = true;
      else if (strcmp (argv[i], "--table") == 0)
	chosen = show = true;
      else
	{
	  fprintf (stderr, "sim: what is '%s'?\n", argv[i]);
	  return 2;
	}
    }
  stats = calloc (count_schedulers (), sizeof *stats);
  if (outcomes && !run_known (part))
    {
      fprintf (stderr, "sim: nothing known is called '%s'\n", part);
      return 2;
    }
  if (gold)
    golden (file, grants);
  if (show)
    table ();
  if (once)
    {
      printf ("%u loops\n", random_case (seed, &ok));
      ok ? passed++ : failed++;
    }
  if (!chosen)
    random_cases (seed, runs);
  if (!gold || file != NULL)
    printf ("%u passed, %u failed, 0 skipped\n", passed, failed);
  return failed != 0;
}

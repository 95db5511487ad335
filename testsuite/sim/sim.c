/* SPDX-License-Identifier: GPL-3.0-or-later

   Simulations of every scheduler in the registry: random ones checked
   against the contract in amp.h, some whose outcome is known, golden ones,
   and a table of efficiencies.

     sim [--seed S] [--runs N]     random simulations (loops, in fact)
     sim --case S                  only the sequence of loops of seed S
     sim --known [PART]            shares, R and the like; parts: KNOWN
     sim --golden [FILE]           hold the golden ones against FILE, or print it
     sim --grants                  all grants of the golden ones
     sim --table

   The last line is "N passed, N failed, N skipped".  */

#include "engine.c"
#include <math.h>
#include <stdarg.h>

static unsigned passed, failed;

#include "random.c"

/* Machines are written as in "1+3+4 4:2:1": the lanes of each type, and the
   types' speeds.  */

struct machine
{
  unsigned types;
  unsigned lanes[32];	/* Of each type.  */
  double speed[32];
};

static struct machine
machine_of (const char *text)
{
  struct machine m = { .types = 0 };
  char *end;

  do
    {
      m.lanes[m.types++] = strtoul (text, &end, 10);
      text = end + 1;
    }
  while (*end == '+');
  for (unsigned j = 0; j < m.types; j++, text = end + 1)
    m.speed[j] = strtod (text, &end);
  return m;
}

/* What is simulated, on ON, and how it went.  SITE: NULL, or its own.  */
static struct machine on;
static struct sim_config c;
static struct sim_result r;
static struct amp_loop *block;
static struct amp_site *site;
static struct sim_lane machine_lane[MAX_LANES];
static unsigned char machine_type[MAX_LANES];
static bool ok = true;

#define EACH(I, A) for (unsigned I = 0; I < sizeof (A) / sizeof *(A); I++)

/* C is CONFIG on M, in a new block.  */

static void
begin_on (const struct machine *m, struct sim_config config)
{
  on = *m;
  c = config;
  c.types = on.types;
  c.lane = machine_lane;
  if (c.change == 0)
    c.change = SIM_NEVER;
  c.max_grants = SIM_NEVER;
  for (unsigned j = 0; j < on.types; j++)
    {
      c.speed[j] = c.later[j] = on.speed[j];
      for (unsigned i = 0; i < on.lanes[j]; i++)
	{
	  machine_lane[c.lanes] = (struct sim_lane) {
	    .type = j, .reported = j, .grants = SIM_NEVER, .moves = SIM_NEVER
	  };
	  machine_type[c.lanes++] = j;
	}
    }
  free (block);
  free (site);
  block = sim_new_block (c.lanes, c.types);
  site = NULL;
}

/* ... of the fields that follow.  */
#define BEGIN(MACHINE, OPS, ...)					\
  begin_on (&(struct machine []) { machine_of (MACHINE) }[0],		\
	    (struct sim_config) { .ops = OPS, __VA_ARGS__ })

/* C's site is a new one.  */

static void
remember (void)
{
  free (site);
  site = c.site = sim_new_site (c.lanes, c.types, 0);
}

/* Whether X is Y, but for 1 and a part of Y.  */

static bool
near (double x, double y, double relative)
{
  return fabs (x - y) <= 1.0 + relative * y;
}

static double
lesser (double x, double y)
{
  return x < y ? x : y;
}

/* Unless GOOD, what is simulated is wrong.  The first reason is printed.  */

static void __attribute__ ((format (printf, 2, 3)))
expect (bool good, const char *format, ...)
{
  va_list ap;

  if (ok && !good)
    {
      va_start (ap, format);
      vprintf (format, ap);
      va_end (ap);
      putchar ('\n');
    }
  ok &= good;
}

/* The sum of what was expected, and GOOD, is that WHAT holds.  */

static void
report (bool good, const char *what)
{
  ok &= good;
  ok ? passed++ : failed++;
  if (!ok)
    {
      printf ("FAIL: %s\n", what);
      print_config (&c);
    }
  ok = true;
}

/* Simulate C once more in its block.  What is wrong gives nobody anything.  */

static bool
run_on (void)
{
  static uint64_t none[MAX_LANES];
  const char *wrong = sim_run (block, &c, &r);

  if (wrong != NULL)
    r = (struct sim_result) { .makespan = UINT64_MAX, .given = none };
  expect (wrong == NULL, "%s", wrong);
  return ok;
}

/* What --known runs: all of one part, or all but the slow ones.  */

static struct known
{
  const char *part;
  bool slow;
  void (*run) (void);
} known[100];
static unsigned nknown;

#define KNOWN_ONE(PART, SLOW, NAME)					\
  static void NAME (void);						\
  static __attribute__ ((constructor)) void				\
  add_##NAME (void)							\
  {									\
    known[nknown++] = (struct known) { #PART, SLOW, NAME };		\
  }									\
  static void								\
  NAME (void)
#define KNOWN(PART, NAME) KNOWN_ONE (PART, false, NAME)
#define KNOWN_SLOW(PART, NAME) KNOWN_ONE (PART, true, NAME)

#include "known.c"
#include "known-aid.c"
#include "known-sites.c"
#include "known-few.c"
#include "known-goal.c"
#include "known-clusters.c"
#include "known-order.c"

/* False if there is no PART; NULL: all.  */

static bool
run_known (const char *part)
{
  bool found = false;

  for (unsigned i = 0; i < nknown; i++)
    if (part == NULL ? !known[i].slow : strcmp (part, known[i].part) == 0)
      {
	found = true;
	known[i].run ();
      }
  return found;
}

/* Golden simulations.  Params of -1 stand for the least valid value.  */

static const struct golden
{
  const char *name, *machine;
  uint64_t n;
  int param[AMP_MAX_PARAMS];
  enum sim_cost cost;
  bool sf;
  uint64_t change;	/* 0: never.  */
  unsigned stop;	/* Lane 1 stops after so many grants; 0: does not.  */
} goldens[] = {
  { "defaults, 3:1", "1+1 3:1", 600, { 0 }, SIM_COST_CONSTANT, false, 0, 0 },
  { "least parameters, 2+2 of 2:1", "2+2 2:1", 60, { -1, -1 },
    SIM_COST_CONSTANT, false, 0, 0 },
  { "three types, random costs", "1+1+2 4:2:1", 400, { 0 }, SIM_COST_RANDOM,
    false, 0, 0 },
  { "heavy end, speeds change", "1+2 3:1", 400, { 0 }, SIM_COST_LAST_HEAVY,
    false, 100000, 0 },
  { "known SF", "2+2 2.5:1", 200, { 0 }, SIM_COST_CONSTANT, true, 0, 0 },
  { "one type", "3 1", 40, { 0 }, SIM_COST_CONSTANT, false, 0, 0 },
  { "a lane stops", "1+2 2:1", 300, { 0 }, SIM_COST_CONSTANT, false, 0, 2 }
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

  if (g->list != NULL)
    fprintf (g->list, "%ju lane %u: %ju .. %ju\n", (uintmax_t) now, lane,
	     (uintmax_t) chunk->begin, (uintmax_t) chunk->end);
  g->grants++;
  g->end = now;
  g->of_lane[lane] += chunk->end - chunk->begin;
  EACH (i, word)
    {
      g->digest = (g->digest ^ word[i]) * UINT64_C (0x9e3779b97f4a7c15);
      g->digest ^= g->digest >> 29;
    }
}

/* Simulate G under OPS, all grants to LIST unless it is NULL, and put a line
   in TEXT: how many grants, when the last one was, the iterations of each lane
   and a digest of all grants.  Returns whether it was right.  */

static bool
run_golden (const struct amp_ops *ops, const struct golden *g, FILE *list,
	    char *text, size_t size)
{
  struct granted granted = { .list = list };
  const char *wrong;
  size_t at;

  BEGIN (g->machine, ops, .n = g->n, .cost = g->cost, .unit = 1000.0,
	 .rmw = 50.0, .min_ticks = 5000, .seed = 1, .change = g->change,
	 .watch = count_grant, .watch_data = &granted);
  for (unsigned j = 0; j < ops->nparams; j++)
    c.params.value[j] = g->param[j] == -1 ? ops->param[j].min : g->param[j];
  if (g->sf)
    {
      c.sf = on.speed;
      c.lane_type = machine_type;
    }
  for (unsigned j = 0; g->change != 0 && j < c.types; j++)
    c.later[j] = c.speed[c.types - 1 - j];
  if (g->stop)
    machine_lane[1].grants = g->stop;
  wrong = sim_run (block, &c, &r);
  at = snprintf (text, size, "%s: %s: %u grants, %ju ns, ", ops->name,
		 g->name, granted.grants, (uintmax_t) granted.end);
  for (unsigned j = 0; j < c.lanes; j++)
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

  if (stream != NULL)
    {
      lines[fread (lines, 1, sizeof lines - 1, stream)] = '\0';
      fclose (stream);
    }
  for (p = amp_schedulers; *p != NULL; p++)
    EACH (i, goldens)
      {
	char text[1000];
	bool right = run_golden (*p, &goldens[i], grants ? stdout : NULL, text,
				 sizeof text);

	if (file == NULL)
	  fputs (text, stdout);
	else if (!right || strstr (lines, text) == NULL)
	  {
	    right = false;
	    printf ("FAIL: golden (testsuite/sim/run --diff): now %s", text);
	  }
	right ? passed++ : failed++;
      }
}

/* Efficiencies, for information.  */

static void
table (void)
{
  static const char *const machines[]
    = { "2 1", "1+1 3:1", "4+4 2.5:1", "1+3+4 4:2:1", "64+64 2:1" };
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
  const struct amp_ops *const *p;

  printf ("efficiency: ideal / makespan, default parameters, 20 ns per "
	  "atomic update, samples of 5 us\n%-12s %-15s", "machine", "load");
  for (p = amp_schedulers; *p != NULL; p++)
    printf (" %12s", (*p)->name);
  putchar ('\n');
  EACH (m, machines)
    EACH (l, loads)
      {
	printf ("%-12s %-15s", machines[m], loads[l].name);
	for (p = amp_schedulers; *p != NULL; p++)
	  {
	    BEGIN (machines[m], *p, .cost = loads[l].cost,
		   .unit = loads[l].unit, .rmw = 20.0, .min_ticks = 5000);
	    c.n = loads[l].n * c.lanes;
	    if (sim_run (block, &c, &r) != NULL)
	      printf (" %12s", sim_message);
	    else
	      printf (" %12.3f", r.ideal / (double) r.makespan);
	  }
	putchar ('\n');
      }
}

int
main (int argc, char **argv)
{
  uint64_t seed = 1, runs = 100000;
  const char *file = NULL, *part = NULL;
  bool outcomes = false, show = false, once = false;
  bool gold = false, grants = false, chosen = false;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++)
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

/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-sim: one loop under several schedules on a machine that need not exist.

   The schedulers are the library's own files, driven by the deterministic
   simulator of testsuite/sim; static, dynamic and guided are modelled here
   after what libgomp does.  Simulated time counts in units of 1/1024 ns, so
   that the simulator's whole numbers are exact enough for single
   iterations.  */

#define _GNU_SOURCE 1
#define AMP_PORT_HEADER "../testsuite/sim/sim-port.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunused-function"
#include "../testsuite/sim/engine.c"
#include "../libgomp/amp-options.c"
#include "../libgomp/amp-stock.c"

#ifndef AMP_VERSION
# define AMP_VERSION "unknown"
#endif

#define SCALE 1024.0
/* What the library takes for long enough to be timed where it has a
   counter; see libgomp/gomp-amp.c.  */
#define SAMPLE_NS 5000.0

#define MAX_LANES 1024
#define MAX_ITERATIONS 100000000
#define MAX_EXECUTIONS 1000000
#define MAX_SPEED 1e6
/* Later the simulator's times saturate.  */
#define MAX_NS 1e15

static void __attribute__ ((noreturn, format (printf, 2, 3)))
die (int status, const char *format, ...)
{
  va_list ap;

  fputs ("amp-sim: ", stderr);
  va_start (ap, format);
  vfprintf (stderr, format, ap);
  va_end (ap);
  putc ('\n', stderr);
  if (status == 2)
    fputs ("Try 'amp-sim --help'.\n", stderr);
  exit (status);
}

static void *
allocate (size_t count, size_t size)
{
  void *p = calloc (count != 0 ? count : 1, size);

  if (p == NULL)
    die (1, "not enough memory");
  return p;
}

/* Double the ROOM of the array at *P, of members of SIZE bytes.  */

static void
grow (void *p, size_t *room, size_t size)
{
  void *new;

  *room = *room != 0 ? 2 * *room : 1024;
  new = reallocarray (*(void **) p, *room, size);
  if (new == NULL)
    die (1, "not enough memory");
  *(void **) p = new;
}

/* A positive number at *S, stepped over; false if there is none.  */

static bool
read_number (const char **s, double *value)
{
  char *end;

  /* Not what else strtod knows: signs, blanks, hexadecimals, inf, nan.  */
  if (!((**s >= '0' && **s <= '9') || **s == '.')
      || ((*s)[0] == '0' && ((*s)[1] | 32) == 'x'))
    return false;
  *value = strtod (*s, &end);
  if (end == *s || !isfinite (*value))
    return false;
  *s = end;
  return true;
}

static double
number_of (const char *option, const char *text, double least, double most,
	   bool whole)
{
  const char *s = text;
  double value;

  if (!read_number (&s, &value) || *s != '\0' || value < least || value > most
      || (whole && value != floor (value)))
    die (2, "%s '%s': a %snumber from %.15g to %.15g is expected", option, text,
	 whole ? "whole " : "", least, most);
  return value;
}

/* The machine.  */

static struct
{
  const char *text;
  unsigned types, lanes;
  unsigned count[AMP_MAX_TYPES];
  double speed[AMP_MAX_TYPES];
  struct sim_lane lane[MAX_LANES];
  unsigned char lane_type[MAX_LANES];
  double period;	/* Slow cores are fast ones that are stopped for the
			   rest of each; 0: they are slow.  In ns.  */
} machine;

static void
read_machine (const char *text)
{
  const char *s = text;
  unsigned i, j;

  machine.text = text;
  do
    {
      double count, speed;
      unsigned t = machine.types;

      if (t != 0)
	s++;
      if (!read_number (&s, &count) || count != floor (count) || count < 1
	  || *s++ != 'x' || !read_number (&s, &speed)
	  || (*s != '+' && *s != '\0'))
	die (2, "--machine '%s': COUNTxSPEED+... is expected, as in "
	     "4x2.0+4x1.0", text);
      if (t == AMP_MAX_TYPES)
	die (2, "--machine '%s': more than %u types", text, AMP_MAX_TYPES);
      if (count > MAX_LANES - machine.lanes)
	die (2, "--machine '%s': more than %u lanes", text, MAX_LANES);
      if (speed < 1.0 / MAX_SPEED || speed > MAX_SPEED)
	die (2, "--machine '%s': speeds are from %g to %g", text,
	     1.0 / MAX_SPEED, MAX_SPEED);
      if (t != 0 && speed > machine.speed[t - 1])
	die (2, "--machine '%s': the fastest type comes first", text);
      machine.count[t] = (unsigned) count;
      machine.speed[t] = speed;
      machine.lanes += machine.count[t];
      machine.types++;
    }
  while (*s != '\0');
  for (i = j = 0; j < machine.types; j++)
    {
      unsigned end = i + machine.count[j];

      for (; i < end; i++)
	{
	  machine.lane[i].type = machine.lane[i].reported = j;
	  machine.lane[i].moves = SIM_NEVER;
	  machine.lane[i].grants = SIM_NEVER;
	  machine.lane_type[i] = j;
	}
    }
}

/* The loops of the program: one, or those of a file of costs.  */

/* A place in the program: the loops there have sites in common.  */

struct place
{
  char *name;
  double *sf;		/* Speed of its loops on each type against the
			   others; the first type keeps the machine's, since
			   costs were recorded there.  NULL: as the
			   machine's.  */
  double *known;	/* What the library is told; NULL: nothing.  */
  struct amp_site *site[65];	/* By magnitude, while a schedule runs.  */
};

struct loop
{
  uint64_t n;
  uint64_t *at;		/* As in struct sim_config, and the next two.  */
  size_t marks;
  double *sums;
  unsigned *workload;	/* For binlpt, or NULL.  */
  size_t place;
  double serial;	/* Work of the first lane alone, before the loop.  */
};

static struct
{
  struct loop *loop;
  size_t loops, room;
  uint64_t n;		/* Of all loops together.  */
  double work;
  double serial;	/* Of all loops together, and after the last.  */
  double ideal;		/* What a perfect division of WORK takes, with
			   SERIAL on the fastest core.  */
  size_t largest;	/* The loop with most work.  */
  struct place *place;
  size_t places, place_room;
} job;

/* The number of the place called NAME, LENGTH characters.  */

static size_t
find_place (const char *name, size_t length)
{
  struct place *place;
  size_t i;

  for (i = job.places; i-- > 0;)
    if (strlen (job.place[i].name) == length
	&& memcmp (job.place[i].name, name, length) == 0)
      return i;
  if (job.places == job.place_room)
    grow (&job.place, &job.place_room, sizeof *job.place);
  place = &job.place[job.places];
  memset (place, 0, sizeof *place);
  place->name = allocate (length + 1, 1);
  memcpy (place->name, name, length);
  return job.places++;
}

static struct loop *
add_loop (void)
{
  struct loop *loop;

  if (job.loops == job.room)
    grow (&job.loop, &job.room, sizeof *job.loop);
  loop = &job.loop[job.loops++];
  memset (loop, 0, sizeof *loop);
  return loop;
}

static double
loop_work (size_t k)
{
  const struct loop *loop = &job.loop[k];

  return loop->sums[loop->at != NULL ? loop->marks - 1 : loop->n];
}

/* The speed of LOOP on cores of type J.  */

static double
loop_speed (const struct loop *loop, unsigned j)
{
  const double *sf = job.place[loop->place].sf;

  return sf != NULL ? machine.speed[0] * sf[j] / sf[0] : machine.speed[j];
}

/* The files of `amp-run --measure-sf': a place and its speeds a line.  KNOWN:
   they are what the library is told.  */

static void
read_speeds (const char *option, const char *name, bool known)
{
  FILE *file = fopen (name, "r");
  char *line = NULL, message[AMP_MESSAGE_MAX];
  size_t size = 0, number = 0;

  if (file == NULL)
    die (1, "%s: %s", name, strerror (errno));
  while (getline (&line, &size, file) >= 0)
    {
      char *s = line + strspn (line, " \t");
      size_t length, place;
      double *sf;

      number++;
      s[strcspn (s, "#\r\n")] = '\0';
      length = strcspn (s, " \t");
      if (length == 0)
	continue;
      sf = allocate (AMP_MAX_TYPES, sizeof *sf);
      if (amp_parse_sf (s + length, machine.types, sf, message) != NULL)
	die (1, "%s %s:%zu: %s", option, name, number, message);
      place = find_place (s, length);
      if (known)
	job.place[place].known = sf;
      else
	job.place[place].sf = sf;
    }
  free (line);
  fclose (file);
}

/* Read NAME: a number a line, or a number and xCOUNT for as many iterations;
   `# loop' begins another loop and may say how many iterations it has, and its
   place; `# serial' is work between loops.  UNIT: nanoseconds that a cost of 1
   stands for.  */

static void
read_costs (const char *name, double unit)
{
  bool standard = strcmp (name, "-") == 0;
  FILE *file = standard ? stdin : fopen (name, "r");
  struct loop *loop = NULL;
  size_t room = 0, size = 0, number = 0;
  uint64_t total = 0, told = UINT64_MAX;
  char *line = NULL;
  ssize_t length;
  size_t place = find_place ("", 0);
  double serial = 0.0;

  if (standard)
    name = "standard input";
  if (file == NULL)
    die (1, "%s: %s", name, strerror (errno));
  for (;;)
    {
      const char *s;
      double cost, count = 1.0;
      uintmax_t k, n;
      bool head;
      int at = 0;

      errno = 0;
      length = getline (&line, &size, file);
      if (length < 0 && errno != 0)
	die (1, "%s: %s", name, strerror (errno));
      number++;
      s = length < 0 ? "" : line;
      while (isspace ((unsigned char) *s))
	s++;
      head = length >= 0 && strncmp (s, "# loop", 6) == 0;
      if (length < 0 || head)
	{
	  uint64_t have = loop != NULL ? loop->n : 0;

	  if (told != UINT64_MAX && told != have)
	    die (1, "%s: the loop before line %zu has %ju costs, but its head "
		 "says %ju: is the file complete?", name, number,
		 (uintmax_t) have, (uintmax_t) told);
	  if (length < 0)
	    break;
	  told = UINT64_MAX;
	  place = find_place ("", 0);
	  if (sscanf (s, "# loop %ju: %ju iterations at %n", &k, &n, &at) >= 2)
	    {
	      told = n;
	      if (at != 0)
		place = find_place (s + at, strcspn (s + at, " \t\r\n"));
	    }
	  loop = NULL;
	  room = 0;
	  continue;
	}
      if (sscanf (s, "# serial %lf", &cost) == 1 && cost >= 0.0
	  && cost * unit < MAX_NS)
	{
	  serial += cost * unit * SCALE;
	  job.serial += cost * unit * SCALE;
	  continue;
	}
      if (*s == '\0' || *s == '#')
	continue;
      if (!read_number (&s, &cost)
	  || (strncmp (s, " x", 2) == 0
	      && (s += 2, !read_number (&s, &count) || count < 1.0
		  || count != floor (count) || count > 1e15))
	  || s[strspn (s, " \t\r\n")] != '\0'
	  || strlen (line) != (size_t) length)
	{
	  line[strcspn (line, "\r\n")] = '\0';
	  die (1, "%s:%zu: '%.40s' is no cost: one number, 0 or more, is "
	       "expected", name, number, line);
	}
      if (++total > MAX_ITERATIONS)
	die (1, "%s: more than %u costs", name, MAX_ITERATIONS);
      if (loop == NULL)
	{
	  loop = add_loop ();
	  loop->place = place;
	  loop->serial = serial;
	  serial = 0.0;
	}
      if (loop->marks + 1 >= room)
	{
	  size_t same = room;

	  grow (&loop->at, &same, sizeof *loop->at);
	  grow (&loop->sums, &room, sizeof *loop->sums);
	}
      if (loop->marks == 0)
	{
	  loop->at[0] = 0;
	  loop->sums[0] = 0.0;
	  loop->marks = 1;
	}
      loop->n += (uint64_t) count;
      loop->at[loop->marks] = loop->n;
      loop->sums[loop->marks] = (loop->sums[loop->marks - 1]
				 + cost * count * unit * SCALE);
      loop->marks++;
    }
  if (total == 0)
    die (1, "%s: no costs", name);
  free (line);
  if (!standard)
    fclose (file);
}

static const struct { const char *name, *what; } loads[] = {
  { "constant", "NS each" },
  { "linear", "from 0 to 2 NS" },
  { "increasing", "exponentially distributed, ascending; NS on average" },
  { "decreasing", "the same, descending" },
  { "last-heavy", "the last eighth costs 16 NS each, the others NS" },
  { "random", "evenly distributed between 0 and 2 NS" },
  { "spikes", "one in 64 costs 200 NS, the others NS" }
};

enum { CONSTANT, LINEAR, INCREASING, DECREASING, LAST_HEAVY, RANDOM, SPIKES,
       LOADS };

/* Iteration I of N under LOAD, in parts of the unit.  */

static double
load_cost (unsigned load, uint64_t i, uint64_t n, uint64_t seed)
{
  double place = ((double) i + 0.5) / (double) n;
  uint64_t h = sim_mix (sim_mix (seed + 1) + i);

  switch (load)
    {
    case LINEAR:
      return 2.0 * place;
    case INCREASING:
      return -log1p (-place);
    case DECREASING:
      return -log (place);
    case LAST_HEAVY:
      return i < n - n / 8 ? 1.0 : 16.0;
    case RANDOM:
      return (double) (h >> 11) * 0x1p-52;
    case SPIKES:
      return h % 64 == 0 ? 200.0 : 1.0;
    default:
      return 1.0;
    }
}

static void
make_load (unsigned load, uint64_t n, double unit, uint64_t seed)
{
  struct loop *loop = add_loop ();
  uint64_t i;

  loop->place = find_place ("", 0);
  loop->n = n;
  loop->sums = allocate (n + 1, sizeof *loop->sums);
  for (i = 0; i < n; i++)
    loop->sums[i + 1]
      = loop->sums[i] + load_cost (load, i, n, seed) * unit * SCALE;
}

/* What one iteration costs, iteration I of LOOP being after mark *M.  */

static double
one_cost (const struct loop *loop, uint64_t i, size_t *m)
{
  if (loop->at == NULL)
    return loop->sums[i + 1] - loop->sums[i];
  while (loop->at[*m + 1] <= i)
    ++*m;
  return ((loop->sums[*m + 1] - loop->sums[*m])
	  / (double) (loop->at[*m + 1] - loop->at[*m]));
}

static double
loop_capacity (const struct loop *loop)
{
  double capacity = 0.0;
  unsigned j;

  for (j = 0; j < machine.types; j++)
    capacity += machine.count[j] * loop_speed (loop, j);
  return capacity;
}

/* The totals, and, if WORKLOAD, what binlpt is told.  */

static void
complete_job (bool workload)
{
  double least = machine.speed[0], most = machine.speed[0];
  size_t k, m;
  uint64_t i;
  unsigned j;

  for (j = 0; j < machine.types; j++)
    {
      least = fmin (least, machine.speed[j]);
      most = fmax (most, machine.speed[j]);
    }
  job.ideal = job.serial / most;
  for (k = 0; k < job.loops; k++)
    {
      job.n += job.loop[k].n;
      job.work += loop_work (k);
      job.ideal += loop_work (k) / loop_capacity (&job.loop[k]);
      if (loop_work (k) > loop_work (job.largest))
	job.largest = k;
    }
  if (!(job.work / SCALE / least < MAX_NS))
    die (1, "one core would be busy for more than %g s, which is more than "
	 "can be simulated", MAX_NS / 1e9);
  for (k = 0; workload && k < job.loops; k++)
    {
      struct loop *loop = &job.loop[k];

      loop->workload = allocate (loop->n, sizeof *loop->workload);
      for (most = 0.0, i = m = 0; i < loop->n; i++)
	most = fmax (most, one_cost (loop, i, &m));
      for (i = m = 0; most > 0.0 && i < loop->n; i++)
	loop->workload[i] = (unsigned) (one_cost (loop, i, &m) / most
					* UINT32_MAX);
    }
}

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

struct run
{
  char *name;		/* Without blanks, in lower case.  */
  struct amp_schedule schedule;
  double first, last, sum;
  uint64_t grants;	/* This and the next: of the last execution.  */
  double imbalance;	/* Last lane's end / mean lane's.  */
  uint64_t end;		/* Of the loop that is drawn.  */
  struct segment *segment;
  size_t segments, room;
};

static struct
{
  struct run *run;
  size_t runs, room;
  unsigned executions;
  double rmw;		/* In ns, as the next two.  */
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
  if (run->segments == run->room)
    grow (&run->segment, &run->room, sizeof *run->segment);
  s = &run->segment[run->segments++];
  s->start = sim.now;
  s->end = end;
  s->begin = chunk->begin;
  s->iterations = chunk->end - chunk->begin;
  s->chunks = 1;
  s->first = view.chunks[lane] - 1;
  s->lane = lane;
  view.last[lane] = run->segments;
}

static struct amp_site *
new_site (unsigned magnitude)
{
  size_t size = amp_site_size (machine.lanes, machine.types);
  struct amp_site *site = aligned_alloc (AMP_LINE, size);

  if (site == NULL)
    die (1, "not enough memory");
  memset (site, 0, size);
  amp_site_format (site, site, machine.lanes, machine.types, magnitude);
  return site;
}

/* Put the scheduler of RUN, and what it needs, in C, as libgomp/gomp-amp.c
   does for the loop whose site C already has.  SALT: a count of loops.  */

static void
choose_ops (const struct run *run, struct sim_config *c, uint64_t salt)
{
  enum amp_choice choice;

  c->params = run->schedule.params;
  switch (run->schedule.kind)
    {
    case AMP_KIND_STATIC:
    case AMP_KIND_DYNAMIC:
    case AMP_KIND_GUIDED:
      c->ops = amp_stock_ops (run->schedule.kind, c->params.value[0] != 0);
      break;
    case AMP_KIND_AUTO:
      sim_visit (c->site);
      choice = amp_site_choose (c->site, c->n, c->lane_type, true, salt,
				&c->observe);
      c->ops = amp_choices[choice];
      c->choice = choice + 1;
      c->params.value[0] = c->params.value[1] = 0;
      break;
    default:
      c->ops = amp_find_kind (run->schedule.kind);
      sim_visit (c->site);
      c->observe = amp_site_due (c->site, salt);
    }
  /* The library serves teams of one by static, whatever was asked of it.  */
  if (run->schedule.kind >= AMP_KIND_AUTO && c->lanes == 1)
    c->ops = &amp_even;
  if (run->schedule.kind < AMP_KIND_AUTO || c->lanes == 1)
    c->site = NULL;
}

static void
simulate (struct run *run)
{
  struct amp_loop *block = sim_new_block (machine.lanes, machine.types);
  double first = machine.speed[machine.lane_type[0]];
  double fast = machine.speed[0];
  uint64_t salt = 0, order = plan.seed;
  unsigned e, i;
  size_t k;

  for (e = 0; e < plan.executions; e++)
    {
      bool last = e + 1 == plan.executions;
      double time = job.serial / first / SCALE, ends = 0.0, lasts = 0.0;

      run->grants = 0;
      for (k = 0; k < job.loops; k++)
	{
	  const struct loop *loop = &job.loop[k];
	  struct place *place = &job.place[loop->place];
	  unsigned magnitude = amp_site_magnitude (loop->n), j;
	  double truth[AMP_MAX_TYPES];
	  struct sim_config c;
	  struct sim_result r;
	  const char *wrong;
	  uint64_t most = 0;

	  memset (&c, 0, sizeof c);
	  c.n = job.loop[k].n;
	  c.lanes = machine.lanes;
	  c.types = machine.types;
	  c.lane = machine.lane;
	  c.lane_type = machine.lane_type;
	  c.sf = place->known != NULL ? place->known : plan.sf;
	  for (j = 0; j < machine.types; j++)
	    {
	      c.speed[j] = c.later[j] = loop_speed (loop, j);
	      truth[j] = c.speed[j] / loop_speed (loop, machine.types - 1);
	      c.duty[j] = fmin (c.speed[j] / fast, 1.0);
	    }
	  if (plan.truth)
	    c.sf = truth;
	  c.period = machine.period * SCALE;
	  c.origin = (run->sum + time) * SCALE;
	  c.call = plan.call * SCALE;
	  c.workload = job.loop[k].workload;
	  c.min_ticks = (uint64_t) (SAMPLE_NS * SCALE);
	  c.change = SIM_NEVER;
	  c.sums = loop->sums;
	  c.at = loop->at;
	  c.marks = loop->marks;
	  c.clock = SIM_CLOCK_TRUE;
	  c.rmw = plan.rmw * SCALE;
	  c.seed = plan.seed;
	  c.max_grants = SIM_NEVER;
	  c.watch = see;
	  for (i = 0; i < machine.lanes; i++)
	    {
	      double late = (double) (sim_random (&order) >> 11) * 0x1p-53;
	      uint64_t start = (uint64_t) (late * plan.arrival * SCALE);

	      /* A thread that is stopped does not ask for anything: what it
		 does first is a unit of virtual time.  */
	      if (c.period > 0.0)
		start = sim_finish (&c, start, machine.lane[i].type, 1.0);
	      machine.lane[i].start = start;
	    }
	  if (place->site[magnitude] == NULL)
	    place->site[magnitude] = new_site (magnitude);
	  c.site = place->site[magnitude];
	  choose_ops (run, &c, salt++);

	  memset (&view, 0, sizeof view);
	  if (last && plan.gantt != NULL && k == job.largest)
	    {
	      double ideal = loop_work (k) / loop_capacity (loop);

	      view.run = run;
	      view.shortest
		= (uint64_t) (ideal * fmax (1.0 / 2000.0,
					    (double) machine.lanes
					    * (double) plan.runs / 6e4));
	    }
	  wrong = sim_run (block, &c, &r);
	  if (wrong != NULL)
	    die (1, "%s: the scheduler broke its contract: %s", run->name,
		 wrong);
	  if (r.makespan >= SIM_LATE)
	    die (1, "%s: takes longer than can be simulated", run->name);
	  if (view.run != NULL)
	    run->end = r.makespan;
	  time += (double) r.makespan / SCALE + plan.fork;
	  run->grants += r.grants;
	  for (i = 0; i < machine.lanes; i++)
	    {
	      ends += (double) view.end[i] / machine.lanes;
	      if (view.end[i] > most)
		most = view.end[i];
	    }
	  lasts += (double) most;
	}
      run->imbalance = ends > 0.0 ? lasts / ends : 1.0;
      if (e == 0)
	run->first = time;
      run->last = time;
      run->sum += time;
    }
  for (k = 0; k < job.places; k++)
    for (i = 0; i <= 64; i++)
      {
	free (job.place[k].site[i]);
	job.place[k].site[i] = NULL;
      }
  free (block);
}

/* The cost of an update of a word that several cores update.  */

#define MEASURED_UPDATES 100000
#define MEASURED_ROUNDS 7

static struct
{
  uint64_t word __attribute__ ((aligned (4 * AMP_LINE)));
  pthread_barrier_t barrier __attribute__ ((aligned (4 * AMP_LINE)));
  double begin[2][MEASURED_ROUNDS], end[2][MEASURED_ROUNDS];
} measured;

static double
seconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

struct updater
{
  unsigned number;
  int cpu;
};

static void *
update (void *data)
{
  const struct updater *me = data;
  cpu_set_t set;
  unsigned i, j;

  CPU_ZERO (&set);
  CPU_SET (me->cpu, &set);
  pthread_setaffinity_np (pthread_self (), sizeof set, &set);
  for (i = 0; i < MEASURED_ROUNDS; i++)
    {
      pthread_barrier_wait (&measured.barrier);
      measured.begin[me->number][i] = seconds ();
      for (j = 0; j < MEASURED_UPDATES; j++)
	__atomic_fetch_add (&measured.word, 1, __ATOMIC_RELAXED);
      measured.end[me->number][i] = seconds ();
    }
  return NULL;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Nanoseconds an update takes that line up behind one another, from *THREADS
   threads, at most 2.  */

static double
measure_rmw (unsigned *threads)
{
  double took[MEASURED_ROUNDS];
  pthread_t thread[2];
  struct updater updater[2];
  cpu_set_t set;
  int i;
  unsigned n = 0, j;

  if (sched_getaffinity (0, sizeof set, &set) == 0)
    for (i = 0; i < CPU_SETSIZE && n < 2; i++)
      if (CPU_ISSET (i, &set))
	{
	  updater[n].number = n;
	  updater[n++].cpu = i;
	}
  if (n == 0)
    die (1, "cannot read the CPU affinity mask; say --grant-ns");
  pthread_barrier_init (&measured.barrier, NULL, n);
  for (j = 0; j < n; j++)
    if (pthread_create (&thread[j], NULL, update, &updater[j]) != 0)
      die (1, "cannot start a thread; say --grant-ns");
  for (j = 0; j < n; j++)
    pthread_join (thread[j], NULL);
  for (i = 0; i < MEASURED_ROUNDS; i++)
    {
      took[i] = measured.end[0][i] - measured.begin[0][i];
      if (n == 2)
	took[i] = (fmax (measured.end[0][i], measured.end[1][i])
		   - fmin (measured.begin[0][i], measured.begin[1][i]));
    }
  qsort (took, MEASURED_ROUNDS, sizeof *took, compare_doubles);
  *threads = n;
  return took[MEASURED_ROUNDS / 2] * 1e9 / ((double) MEASURED_UPDATES * n);
}

/* Output.  */

struct unit
{
  const char *name;
  double ns;
};

static struct unit
unit_for (double ns)
{
  static const struct unit units[] = {
    { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1.0 }
  };
  unsigned i = 0;

  while (i < 3 && ns < units[i].ns)
    i++;
  return units[i];
}

static double
ideal_ns (void)
{
  return job.ideal / SCALE;
}

/* 1 where there is nothing to do.  */

static double
efficiency (double ideal, double time)
{
  return time > 0.0 ? ideal / time : 1.0;
}

static void
print_table (unsigned threads)
{
  struct unit u = unit_for (ideal_ns ());
  size_t i;

  printf ("machine: %s, %u lanes; speeds", machine.text, machine.lanes);
  for (i = 0; i < machine.types; i++)
    printf ("%s%g", i != 0 ? ", " : " ", machine.speed[i]);
  printf ("\nwork: %ju iterations", (uintmax_t) job.n);
  if (job.loops > 1)
    printf (" in %zu loops", job.loops);
  printf (", %.6g ms on speed 1; executed %u time%s\n",
	  job.work / SCALE / 1e6, plan.executions,
	  plan.executions == 1 ? "" : "s");
  if (job.serial > 0.0)
    printf ("outside of loops: %.6g ms on speed 1\n", job.serial / SCALE / 1e6);
  printf ("atomic update: %.4g ns", plan.rmw);
  if (threads != 0)
    printf (" (measured here, %u thread%s on one word)", threads,
	    threads == 1 ? "" : "s");
  printf ("\nideal: %.3f %s\n\n%-20s", ideal_ns () / u.ns, u.name, "schedule");
  if (plan.executions > 1)
    printf (" %9s %-2s %9s %-2s %9s %-2s", "first", u.name, "last", u.name,
	    "mean", u.name);
  else
    printf (" %9s %-2s", "makespan", u.name);
  printf (" %10s %10s %9s\n", "efficiency", "grants", "imbalance");
  for (i = 0; i < plan.runs; i++)
    {
      struct run *r = &plan.run[i];
      double mean = r->sum / plan.executions;

      printf ("%-20s", r->name);
      if (plan.executions > 1)
	printf (" %12.3f %12.3f %12.3f", r->first / u.ns, r->last / u.ns,
		mean / u.ns);
      else
	printf (" %12.3f", r->last / u.ns);
      printf (" %10.4f %10ju %9.4f\n", efficiency (ideal_ns (), mean),
	      (uintmax_t) r->grants, r->imbalance);
    }
}

static void
print_string (const char *s)
{
  putchar ('"');
  for (; *s != '\0'; s++)
    if (*s == '"' || *s == '\\')
      printf ("\\%c", *s);
    else if ((unsigned char) *s < ' ')
      printf ("\\u%04x", *s);
    else
      putchar (*s);
  putchar ('"');
}

static void
print_json (const char *kernel, const char *klass, unsigned round)
{
  double least = machine.speed[0], most = machine.speed[0];
  size_t i;

  for (i = 1; i < machine.types; i++)
    {
      least = fmin (least, machine.speed[i]);
      most = fmax (most, machine.speed[i]);
    }
  for (i = 0; i < plan.runs; i++)
    {
      struct run *r = &plan.run[i];
      double mean = r->sum / plan.executions;

      fputs ("{\"type\":\"run\",\"source\":\"simulation\",\"kernel\":", stdout);
      print_string (kernel);
      fputs (",\"class\":", stdout);
      print_string (klass);
      printf (",\"ratio\":%.15g,\"round\":%u,\"config\":\"amp:%s@%u\","
	      "\"status\":\"ok\",\"seconds\":%.15g,\"machine\":", most / least,
	      round, r->name, machine.lanes, r->sum / 1e9);
      print_string (machine.text);
      printf (",\"speeds\":[");
      for (unsigned j = 0; j < machine.types; j++)
	printf ("%s%.15g", j != 0 ? "," : "", machine.speed[j]);
      printf ("],\"loops\":%zu,\"iterations\":%ju,\"executions\":%u,"
	      "\"first_ns\":%.15g,\"last_ns\":%.15g,\"mean_ns\":%.15g,"
	      "\"ideal_ns\":%.15g,\"efficiency\":%.15g,\"grants\":%ju,"
	      "\"imbalance\":%.15g,\"grant_ns\":%.15g,\"serial_ns\":%.15g,"
	      "\"seed\":%ju}\n",
	      job.loops, (uintmax_t) job.n, plan.executions, r->first,
	      r->last, mean, ideal_ns (), efficiency (ideal_ns (), mean),
	      (uintmax_t) r->grants, r->imbalance, plan.rmw,
	      job.serial / SCALE, (uintmax_t) plan.seed);
    }
}

/* Gantt pictures, all schedules on one scale of time.  */

#define COLUMNS 64

static uint64_t
last_end (void)
{
  uint64_t end = 1;
  size_t i;

  for (i = 0; i < plan.runs; i++)
    if (plan.run[i].end > end)
      end = plan.run[i].end;
  return end;
}

static void
gantt_text (FILE *file)
{
  static const char mark[2] = { '=', '-' };
  struct cell { double busy, most; char what; };
  double width = (double) last_end () / COLUMNS;
  struct unit u = unit_for (width * COLUMNS / SCALE);
  struct cell *cells = allocate ((size_t) machine.lanes * COLUMNS,
				 sizeof *cells);
  size_t i, k;
  unsigned lane, x;

  fprintf (file, "# lane, speed, time from 0 to %.3f %s\n"
	   "# = and -: a lane's chunks in turn; #: several; .: none\n",
	   width * COLUMNS / SCALE / u.ns, u.name);
  for (i = 0; i < plan.runs; i++)
    {
      struct run *r = &plan.run[i];

      memset (cells, 0, (size_t) machine.lanes * COLUMNS * sizeof *cells);
      for (k = 0; k < r->segments; k++)
	{
	  const struct segment *s = &r->segment[k];
	  double start = (double) s->start / width;
	  double end = (double) s->end / width;

	  for (x = (unsigned) start; x < COLUMNS && x < end; x++)
	    {
	      struct cell *cell = &cells[(size_t) s->lane * COLUMNS + x];
	      double part = fmin (end, x + 1.0) - fmax (start, x);

	      cell->busy += part;
	      if (part > cell->most)
		{
		  cell->most = part;
		  cell->what = s->chunks > 1 ? '#' : mark[s->first % 2];
		}
	    }
	}
      fprintf (file, "\n%s: %.3f %s\n", r->name,
	       (double) r->end / SCALE / u.ns, u.name);
      for (lane = 0; lane < machine.lanes; lane++)
	{
	  fprintf (file, "%4u %8.4g |", lane,
		   machine.speed[machine.lane_type[lane]]);
	  for (x = 0; x < COLUMNS; x++)
	    {
	      const struct cell *cell = &cells[(size_t) lane * COLUMNS + x];

	      putc (cell->busy < 0.5 ? '.' : cell->most < 0.5 ? '#'
		    : cell->what, file);
	    }
	  fputs ("|\n", file);
	}
    }
  free (cells);
}

#define PICTURE 1000.0		/* Pixels in which time is drawn.  */
#define LEFT 110.0
#define TITLE 26.0

static void
gantt_svg (FILE *file)
{
  static const char *const colours[2][6] = {
    { "#1f5fa8", "#c4561a", "#2f7d3b", "#7b4aa0", "#8a6d14", "#56616b" },
    { "#6fa3d8", "#eda57c", "#83c48d", "#b795d3", "#d3b963", "#a3adb5" }
  };
  double scale = PICTURE / (double) last_end ();
  double row = fmin (18.0, fmax (2.0, 600.0 / machine.lanes));
  double panel = TITLE + row * machine.lanes + 8.0;
  double height = panel * (double) plan.runs + 40.0;
  double ideal = (loop_work (job.largest)
		  / loop_capacity (&job.loop[job.largest]));
  struct unit u = unit_for ((double) last_end () / SCALE);
  size_t i, k;
  unsigned j;

  fprintf (file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
	   "height=\"%.0f\" stroke=\"none\" font-family=\"sans-serif\" "
	   "font-size=\"12\">\n"
	   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
	   LEFT + PICTURE + 60.0, height);
  for (i = 0; i < plan.runs; i++)
    {
      const struct run *r = &plan.run[i];
      double top = panel * (double) i + TITLE;
      double y = top;

      fprintf (file, "<g id=\"schedule%zu\">\n"
	       "<text x=\"%.0f\" y=\"%.1f\" font-weight=\"bold\">%s</text>\n"
	       "<text x=\"%.0f\" y=\"%.1f\">%.3f %s, efficiency %.3f</text>\n",
	       i, LEFT, top - 8.0, r->name, LEFT + 220.0, top - 8.0,
	       (double) r->end / SCALE / u.ns, u.name,
	       efficiency (ideal, (double) r->end));
      for (j = 0; j < machine.types; j++)
	{
	  double tall = row * machine.count[j];

	  fprintf (file, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">"
		   "%u x %.4g</text>\n"
		   "<rect x=\"%.0f\" y=\"%.2f\" width=\"%.0f\" height=\"%.2f\" "
		   "fill=\"%s\"/>\n", LEFT - 8.0, y + tall / 2.0 + 4.0,
		   machine.count[j], machine.speed[j], LEFT, y, PICTURE, tall,
		   j % 2 ? "#eeeeee" : "#f6f6f6");
	  y += tall;
	}
      for (k = 0; k < r->segments; k++)
	{
	  const struct segment *s = &r->segment[k];
	  double x = (double) s->start * scale;
	  double w = (double) (s->end - s->start) * scale;

	  fprintf (file, "<rect x=\"%.3f\" y=\"%.2f\" "
		   "width=\"%.3f\" height=\"%.2f\" fill=\"%s\"><title>lane %u: "
		   "%ju iterations in %ju chunks, the first from %ju, "
		   "%.3f to %.3f %s</title></rect>\n", LEFT + x,
		   top + row * s->lane, w, row > 4.0 ? row - 1.0 : row,
		   colours[s->first % 2][machine.lane_type[s->lane] % 6],
		   s->lane, (uintmax_t) s->iterations, (uintmax_t) s->chunks,
		   (uintmax_t) s->begin, (double) s->start / SCALE / u.ns,
		   (double) s->end / SCALE / u.ns, u.name);
	}
      fprintf (file, "<line x1=\"%.3f\" x2=\"%.3f\" y1=\"%.1f\" y2=\"%.1f\" "
	       "stroke=\"black\" stroke-width=\"1\"/>\n</g>\n",
	       LEFT + ideal * scale, LEFT + ideal * scale, top - 2.0, y + 2.0);
    }
  for (j = 0; j <= 10; j++)
    fprintf (file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.4g%s"
	     "</text>\n", LEFT + PICTURE * j / 10.0, height - 14.0,
	     (double) last_end () * j / 10.0 / SCALE / u.ns,
	     j == 10 ? u.name : "");
  fputs ("</svg>\n", file);
}

/* Schedules.  */

static void
add_schedule (const char *text, size_t length)
{
  char message[AMP_MESSAGE_MAX], *name, *to;
  struct run *run;
  size_t i;

  name = to = allocate (length + 1, 1);
  memcpy (name, text, length);
  if (plan.runs == plan.room)
    grow (&plan.run, &plan.room, sizeof *plan.run);
  run = &plan.run[plan.runs];
  memset (run, 0, sizeof *run);
  if (amp_parse_schedule (name, &run->schedule, message) != NULL)
    die (2, "--schedule %s", message);
  if (run->schedule.modifier != 0)
    die (2, "--schedule '%s': modifiers are not simulated", name);
  for (i = 0; i < length; i++)
    if (!amp_space_p (name[i]))
      *to++ = amp_fold (name[i]);
  *to = '\0';
  run->name = name;
  plan.runs++;
}

/* TEXT: schedules with semicolons or commas between them; a comma before a
   number belongs to the schedule.  */

static void
add_schedules (const char *text)
{
  const char *begin = text, *p;

  for (p = text;; p++)
    {
      bool end = *p == '\0' || *p == ';';

      if (*p == ',')
	{
	  const char *q = amp_skip_space (p + 1);

	  end = isalpha ((unsigned char) *q);
	}
      if (!end)
	continue;
      add_schedule (begin, (size_t) (p - begin));
      if (*p == '\0')
	break;
      begin = p + 1;
    }
}

static void
usage (void)
{
  unsigned i;

  puts ("Usage: amp-sim --machine MACHINE [OPTION]...\n"
	"Simulate a loop under several schedules on a machine of several core "
	"types.\n\n"
	"  -m, --machine COUNTxSPEED+...  lanes and their speed, fastest type "
	"first,\n"
	"                          as in 4x2.0+4x1.0\n"
	"  -S, --schedule LIST     as in OMP_SCHEDULE, commas between them "
	"(all)\n"
	"  -c, --costs FILE        what each iteration costs, a number a line; "
	"-: standard\n"
	"                          input\n"
	"  -l, --load LOAD         instead, a made-up loop (constant):");
  for (i = 0; i < LOADS; i++)
    printf ("                            %-11s %s\n", loads[i].name,
	    loads[i].what);
  puts ("  -n, --n N               its iterations (100000)\n"
	"  -u, --unit NS           NS, or what a cost of 1 in the file stands "
	"for: nanoseconds\n"
	"                          on a core of speed 1 (1000; for files 1)\n"
	"  -k, --executions K      how many times the loop is executed, at one "
	"site (1)\n"
	"  -g, --grant-ns X        cost of an atomic update of a shared word "
	"(measured here)\n"
	"      --call-ns X         of a grant, beside that (0)\n"
	"      --fork-ns X         of a loop, beside its grants (0)\n"
	"      --arrival-ns X      threads come to a loop up to X later, each at "
	"random (0)\n"
	"      --sb                thread 0 runs on the slowest core, not on "
	"the fastest\n"
	"      --stopped NS        slow cores are fast ones that are stopped for "
	"a part of each\n"
	"                          NS, as by amp-emulate\n"
	"      --sf X,Y,...        this loop's own speed on each type, the "
	"slowest taken as 1;\n"
	"                          or a file for each loop (with a slash in its "
	"name), the\n"
	"                          fastest type then keeping its speed\n"
	"      --known-sf X,Y,...  what the library is told, as by "
	"GOMP_AMP_SF; or a file, or\n"
	"                          'true'\n"
	"      --workload          tell binlpt the costs\n"
	"  -s, --seed N            of random, spikes and arrivals (1)\n"
	"      --gantt FILE        a picture of the last execution: .txt or "
	".svg\n"
	"  -j, --json              a line of JSON for each schedule\n"
	"      --kernel NAME, --class NAME, --round N\n"
	"                          what these lines say of themselves\n"
	"  -h, --help              print this and end\n"
	"  -V, --version           print the version and end");
}

enum { OPT_SF = 256, OPT_KNOWN_SF, OPT_WORKLOAD, OPT_GANTT, OPT_KERNEL,
       OPT_CLASS, OPT_ROUND, OPT_CALL, OPT_FORK, OPT_ARRIVAL, OPT_SB,
       OPT_STOPPED };

int
main (int argc, char **argv)
{
  static const struct option options[] = {
    { "machine", required_argument, NULL, 'm' },
    { "schedule", required_argument, NULL, 'S' },
    { "costs", required_argument, NULL, 'c' },
    { "load", required_argument, NULL, 'l' },
    { "n", required_argument, NULL, 'n' },
    { "unit", required_argument, NULL, 'u' },
    { "executions", required_argument, NULL, 'k' },
    { "grant-ns", required_argument, NULL, 'g' },
    { "sf", required_argument, NULL, OPT_SF },
    { "known-sf", required_argument, NULL, OPT_KNOWN_SF },
    { "workload", no_argument, NULL, OPT_WORKLOAD },
    { "call-ns", required_argument, NULL, OPT_CALL },
    { "fork-ns", required_argument, NULL, OPT_FORK },
    { "arrival-ns", required_argument, NULL, OPT_ARRIVAL },
    { "sb", no_argument, NULL, OPT_SB },
    { "stopped", required_argument, NULL, OPT_STOPPED },
    { "seed", required_argument, NULL, 's' },
    { "gantt", required_argument, NULL, OPT_GANTT },
    { "json", no_argument, NULL, 'j' },
    { "kernel", required_argument, NULL, OPT_KERNEL },
    { "class", required_argument, NULL, OPT_CLASS },
    { "round", required_argument, NULL, OPT_ROUND },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 }
  };
  static double sf[AMP_MAX_TYPES], known[AMP_MAX_TYPES];
  char message[AMP_MESSAGE_MAX];
  const char *costs = NULL, *load = NULL, *sf_text = NULL, *known_text = NULL;
  const char *kernel = NULL, *klass = "-";
  double n = 0.0, unit = -1.0, rmw = -1.0;
  bool json = false, workload = false, svg = false, sb = false;
  unsigned round = 1, threads = 0, which = 0;
  FILE *picture = NULL;
  size_t i;
  int o;

  while ((o = getopt_long (argc, argv, "m:S:c:l:n:u:k:g:s:jhV", options,
			   NULL)) != -1)
    switch (o)
      {
      case 'm':
	if (machine.text != NULL)
	  die (2, "one --machine is enough");
	read_machine (optarg);
	break;
      case 'S':
	add_schedules (optarg);
	break;
      case 'c':
	costs = optarg;
	break;
      case 'l':
	load = optarg;
	break;
      case 'n':
	n = number_of ("--n", optarg, 1, MAX_ITERATIONS, true);
	break;
      case 'u':
	unit = number_of ("--unit", optarg, 0, 1e12, false);
	break;
      case 'k':
	plan.executions = (unsigned) number_of ("--executions", optarg, 1,
						MAX_EXECUTIONS, true);
	break;
      case 'g':
	rmw = number_of ("--grant-ns", optarg, 0, 1e9, false);
	break;
      case OPT_CALL:
	plan.call = number_of ("--call-ns", optarg, 0, 1e9, false);
	break;
      case OPT_FORK:
	plan.fork = number_of ("--fork-ns", optarg, 0, 1e9, false);
	break;
      case OPT_ARRIVAL:
	plan.arrival = number_of ("--arrival-ns", optarg, 0, 1e9, false);
	break;
      case OPT_SB:
	sb = true;
	break;
      case OPT_STOPPED:
	machine.period = number_of ("--stopped", optarg, 1, 1e12, false);
	break;
      case OPT_SF:
	sf_text = optarg;
	break;
      case OPT_KNOWN_SF:
	known_text = optarg;
	break;
      case OPT_WORKLOAD:
	workload = true;
	break;
      case 's':
	plan.seed = (uint64_t) number_of ("--seed", optarg, 0, 1e15, true);
	break;
      case OPT_GANTT:
	plan.gantt = optarg;
	break;
      case 'j':
	json = true;
	break;
      case OPT_KERNEL:
	kernel = optarg;
	break;
      case OPT_CLASS:
	klass = optarg;
	break;
      case OPT_ROUND:
	round = (unsigned) number_of ("--round", optarg, 1, 1e9, true);
	break;
      case 'h':
	usage ();
	return 0;
      case 'V':
	puts ("amp-sim (gomp-amp) " AMP_VERSION);
	return 0;
      default:
	fputs ("Try 'amp-sim --help'.\n", stderr);
	return 2;
      }
  if (sb && plan.gantt != NULL)
    die (2, "--sb has no picture");
  if (optind != argc)
    die (2, "'%s': no arguments are taken", argv[optind]);
  if (machine.text == NULL)
    die (2, "--machine is missing, as in --machine 4x2.0+4x1.0");
  if (sb)
    for (i = 0; i < machine.lanes / 2; i++)
      {
	unsigned other = machine.lanes - 1 - i;
	struct sim_lane lane = machine.lane[i];

	machine.lane[i] = machine.lane[other];
	machine.lane[other] = lane;
	machine.lane_type[i] = machine.lane[i].type;
	machine.lane_type[other] = machine.lane[other].type;
      }
  if (sf_text != NULL && strchr (sf_text, '/') != NULL)
    read_speeds ("--sf", sf_text, false);
  else if (sf_text != NULL)
    {
      double least = machine.speed[machine.types - 1];

      if (amp_parse_sf (sf_text, machine.types, sf, message) != NULL)
	die (2, "--sf %s", message);
      for (i = 0; i < machine.types; i++)
	machine.speed[i] = least * sf[i];
    }
  if (known_text != NULL && strchr (known_text, '/') != NULL)
    read_speeds ("--known-sf", known_text, true);
  else if (known_text != NULL && strcmp (known_text, "true") == 0)
    plan.truth = true;
  else if (known_text != NULL)
    {
      if (amp_parse_sf (known_text, machine.types, known, message) != NULL)
	die (2, "--known-sf %s", message);
      plan.sf = known;
    }
  if (costs != NULL && (load != NULL || n != 0.0))
    die (2, "--costs takes the place of --load and --n");
  if (load != NULL)
    {
      while (which < LOADS && strcmp (load, loads[which].name) != 0)
	which++;
      if (which == LOADS)
	die (2, "--load '%s': there are constant, linear, increasing, "
	     "decreasing, last-heavy, random, spikes", load);
    }
  if (plan.gantt != NULL)
    {
      const char *dot = strrchr (plan.gantt, '.');

      svg = dot != NULL && strcmp (dot, ".svg") == 0;
      if (!svg && (dot == NULL || strcmp (dot, ".txt") != 0))
	die (2, "--gantt '%s': a name that ends with .txt or .svg is expected",
	     plan.gantt);
    }
  if (plan.runs == 0)
    {
      add_schedules ("static,dynamic,guided");
      for (i = 0; amp_schedulers[i] != NULL; i++)
	if (amp_schedulers[i] != &amp_reference)
	  add_schedules (amp_schedulers[i]->name);
      add_schedules ("auto");
    }

  if (costs != NULL)
    read_costs (costs, unit < 0.0 ? 1.0 : unit);
  else
    make_load (which, n != 0.0 ? (uint64_t) n : 100000,
	       unit < 0.0 ? 1000.0 : unit, plan.seed);
  complete_job (workload);
  if (plan.gantt != NULL)
    {
      picture = fopen (plan.gantt, "w");
      if (picture == NULL)
	die (1, "%s: %s", plan.gantt, strerror (errno));
    }
  plan.rmw = rmw >= 0.0 ? rmw : measure_rmw (&threads);
  for (i = 0; i < plan.runs; i++)
    simulate (&plan.run[i]);
  if (json)
    print_json (kernel != NULL ? kernel : costs != NULL ? costs
		: loads[which].name, klass, round);
  else
    print_table (threads);
  if (picture != NULL)
    {
      bool bad;

      (svg ? gantt_svg : gantt_text) (picture);
      bad = ferror (picture);
      if (fclose (picture) != 0 || bad)
	die (1, "%s: cannot write all of it", plan.gantt);
    }
  if (fflush (stdout) != 0 || ferror (stdout))
    die (1, "cannot write the output");
  return 0;
}

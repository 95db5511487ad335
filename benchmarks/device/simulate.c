/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops on cores and a device in virtual time, by the files that libamp-device is
   made of: machines that one need not have.

     simulate NAME=VALUE...

   Times in milliseconds; the unit of speed is a core's.

     cores=N:SPEED,N:SPEED   the team's threads' cores
     n=, steps=              iterations, executions
     cost=                   of an iteration on a core of speed 1
     rate=                   of the device with chunks of KNEE, launch included
     fill=, knee=, slower=   iterations that fill the device; that its caches
                             hold; what those beyond cost over those before
     launch=, copy=          of a chunk: before the kernel; copies, both ways
     dispatch=               until the host thread has a core again
     policy=, percent=, chunk=, least=

   A line of JSON, of the last half of the executions: the mean time of one, and
   what the library reports, as parts of that.  */

#include "engine.c"
#include "amp-device-sched.c"

#define MAX_CORES 64

static struct
{
  double n, steps, cost, rate, fill, knee, slower, launch, copy, dispatch;
  double percent, chunk, least;
  char policy[16], cores[64];
} say = { .n = 100000, .steps = 8, .cost = 1, .rate = 4, .fill = 64,
	  .knee = 2048, .slower = 1, .least = 64, .chunk = 2048,
	  .policy = "dynamic", .cores = "3:1" };

static const struct { const char *name; double *value; } numbers[] = {
  { "n", &say.n }, { "steps", &say.steps }, { "cost", &say.cost },
  { "rate", &say.rate }, { "fill", &say.fill }, { "knee", &say.knee },
  { "slower", &say.slower }, { "launch", &say.launch },
  { "copy", &say.copy }, { "dispatch", &say.dispatch },
  { "percent", &say.percent }, { "chunk", &say.chunk },
  { "least", &say.least }
};

static struct amp_device_plan plan;
static struct amp_device_memory memory;
static struct amp_loop *block;
static struct sim_lane lane[MAX_CORES + 1];
/* Of the executions that count, in ns.  */
static double kernels, copies, launches, dispatches, on_device, chunks;

static void
wrong (const char *what)
{
  fprintf (stderr, "simulate: what is '%s'?\n", what);
  exit (2);
}

static void
read_arguments (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      char *is = strchr (argv[i], '=');
      unsigned k, n = sizeof numbers / sizeof numbers[0];

      if (is == NULL)
	wrong (argv[i]);
      *is = '\0';
      for (k = 0; k < n; k++)
	if (strcmp (argv[i], numbers[k].name) == 0)
	  {
	    *numbers[k].value = atof (is + 1);
	    break;
	  }
      if (k == n && strcmp (argv[i], "policy") == 0)
	{
	  /* As AMP_DEVICE has it: bulk,PERCENT and dynamic,CHUNK.  */
	  char *number = strchr (is + 1, ',');
	  if (number != NULL)
	    {
	      *number = '\0';
	      *(is[1] == 'b' ? &say.percent : &say.chunk) = atof (number + 1);
	    }
	  snprintf (say.policy, sizeof say.policy, "%s", is + 1);
	}
      else if (k == n && strcmp (argv[i], "cores") == 0)
	snprintf (say.cores, sizeof say.cores, "%s", is + 1);
      else if (k == n)
	wrong (argv[i]);
    }
}

/* The kernel's time for N iterations, in ms: that of an iteration follows from
   RATE.  */

static double
kernel_time (double n)
{
  double each = say.knee / say.rate * say.cost - say.launch - say.copy;
  double work = n < say.fill ? say.fill : n;

  if (work > say.knee)
    work = say.knee + (work - say.knee) * say.slower;
  return each / say.knee * work;
}

static uint64_t
finish (const struct sim_config *c, unsigned id, uint64_t now,
	const struct amp_chunk *chunk)
{
  double n = (double) (chunk->end - chunk->begin), kernel, all;

  if (id + 1 < c->lanes)
    return sim_finish (c, now, c->lane[id].type,
		       sim_work (c, chunk->begin, chunk->end));
  kernel = kernel_time (n);
  kernels += kernel;
  /* Copies are in proportion to what is copied.  */
  copies += say.copy * n / say.knee;
  launches += say.launch;
  dispatches += say.dispatch;
  on_device += n;
  chunks++;
  all = kernel + say.copy * n / say.knee + say.launch + say.dispatch;
  amp_device_tell (amp_loop_lane (block, id),
		   (say.launch + say.dispatch) / all);
  return sim_later (now, 1e6 * all);
}

static void
set_cores (struct sim_config *c)
{
  const char *p = say.cores;
  unsigned n;
  double speed;
  int used;

  while (sscanf (p, "%u:%lf%n", &n, &speed, &used) == 2)
    {
      c->speed[c->types] = c->later[c->types] = speed;
      for (; n > 0 && c->lanes < MAX_CORES; n--)
	lane[c->lanes++].type = c->types;
      c->types++;
      p += used;
      if (*p == ',')
	p++;
    }
  if (*p != '\0' || c->lanes == 0)
    wrong (say.cores);
}

static void
set_up (struct sim_config *c)
{
  memset (c, 0, sizeof *c);
  set_cores (c);
  plan.kind = (strcmp (say.policy, "bulk") == 0 ? AMP_DEVICE_IS_BULK
	       : strcmp (say.policy, "adaptive") == 0 ? AMP_DEVICE_IS_ADAPTIVE
	       : AMP_DEVICE_IS_DYNAMIC);
  plan.devices = 1;
  plan.percent = (unsigned) say.percent;
  plan.device[0].least = (uint64_t) say.least;
  plan.device[0].chunk = (uint64_t) say.chunk;
  plan.device[0].memory = &memory;
  c->speed[c->types] = c->later[c->types] = 1.0;
  lane[c->lanes++].type = c->types++;
  for (unsigned i = 0; i < c->lanes; i++)
    {
      lane[i].reported = lane[i].type;
      lane[i].moves = lane[i].grants = SIM_NEVER;
    }
  c->ops = &amp_device_ops;
  c->lane = lane;
  c->extra = &plan;
  c->finish = finish;
  c->n = (uint64_t) say.n;
  c->unit = 1e6 * say.cost;
  c->cost = SIM_COST_RANDOM;
  c->change = SIM_NEVER;
  c->max_grants = SIM_NEVER;
  c->min_ticks = 50000;
  c->call = 100.0;
  c->rmw = 50.0;
}

int
main (int argc, char **argv)
{
  struct sim_config c;
  struct sim_result r;
  double total = 0.0;
  unsigned steps;

  read_arguments (argc, argv);
  set_up (&c);
  steps = (unsigned) say.steps;
  block = sim_new_block (c.lanes, c.types);
  for (unsigned step = 0; step < steps; step++)
    {
      const char *what;

      c.seed = step;
      if (step == steps / 2)
	kernels = copies = launches = dispatches = on_device = chunks = total
	  = 0.0;
      what = sim_run (block, &c, &r);
      if (what != NULL)
	{
	  fprintf (stderr, "simulate: %s\n", what);
	  return 1;
	}
      total += (double) r.makespan / 1e9;
    }
  steps -= steps / 2;
  printf ("{\"seconds\":%.9f,\"on_device\":%.6f,\"chunks\":%.0f,\"chunk\":%ju,"
	  "\"kernel\":%.6f,\"copies\":%.6f,\"launch\":%.6f,"
	  "\"dispatch\":%.6f}\n", total / steps, on_device / (say.n * steps), chunks,
	  plan.kind == AMP_DEVICE_IS_ADAPTIVE
	  ? (uintmax_t) memory.search.size : (uintmax_t) say.chunk,
	  kernels / 1e3 / total, copies / 1e3 / total,
	  launches / 1e3 / total, dispatches / 1e3 / total);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-sim: one loop under several schedules on a machine that need not exist.

   The schedulers are the library's own files, driven by the deterministic
   simulator of testsuite/sim; static, dynamic and guided are those of
   stock.c.  Simulated time counts in units of 1/1024 ns, so
   that the simulator's whole numbers are exact enough for single
   iterations.  */

#define _GNU_SOURCE 1
#define AMP_PORT_HEADER "sim-port.h"
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunused-function"
#include "engine.c"
#include "amp-options.c"
#include "stock.c"

#ifndef AMP_VERSION
# define AMP_VERSION "unknown"
#endif

#define SCALE 1024.0
/* What the library takes for long enough to be timed where it has a
   counter; see libgomp/runtime/gomp-amp.c.  */
#define SAMPLE_NS 5000.0

#define MAX_LANES 1024
#define MAX_ITERATIONS 100000000
#define MAX_EXECUTIONS 1000000
#define MAX_TASKS 1000000	/* A thread.  */
#define MAX_SPEED 1e6
/* Later the simulator's times saturate.  */
#define MAX_NS 1e15
/* Of an atomic update of a shared word, as between cores of a PC.  */
#define DEFAULT_GRANT_NS 60.0

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

/* A further member, all zeros, of the array at *P, which has *COUNT in room for
   *ROOM, of SIZE bytes.  */

static void *
append (void *p, size_t *count, size_t *room, size_t size)
{
  if (*count == *room)
    grow (p, room, size);
  return memset (*(char **) p + (*count)++ * size, 0, size);
}

/* LENGTH characters of TEXT, as a string.  */

static char *
copy (const char *text, size_t length)
{
  return memcpy (allocate (length + 1, 1), text, length);
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

#include "program.c"
#include "power.c"
#include "tasks.c"
#include "weighted.c"

#include "run.c"

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

  CPU_ZERO (&set);
  CPU_SET (me->cpu, &set);
  pthread_setaffinity_np (pthread_self (), sizeof set, &set);
  for (unsigned i = 0; i < MEASURED_ROUNDS; i++)
    {
      pthread_barrier_wait (&measured.barrier);
      measured.begin[me->number][i] = seconds ();
      for (unsigned j = 0; j < MEASURED_UPDATES; j++)
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
  unsigned n = 0, j;

  if (sched_getaffinity (0, sizeof set, &set) == 0)
    for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
      if (CPU_ISSET (i, &set))
	{
	  updater[n].number = n;
	  updater[n++].cpu = i;
	}
  if (n == 0)
    die (1, "cannot read the CPU affinity mask; give its number to --grant-ns");
  pthread_barrier_init (&measured.barrier, NULL, n);
  for (j = 0; j < n; j++)
    if (pthread_create (&thread[j], NULL, update, &updater[j]) != 0)
      die (1, "cannot start a thread; give its number to --grant-ns");
  for (j = 0; j < n; j++)
    pthread_join (thread[j], NULL);
  for (int i = 0; i < MEASURED_ROUNDS; i++)
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

#include "output.c"

/* Schedules.  */

/* Is NAME one of RUN's lines that OMP_SCHEDULE does not know?  */

static bool
add_line (const char *name, struct run *run)
{
  double each;

  if (strcmp (name, "weighted") == 0)
    run->line = LINE_WEIGHTED;
  else if (strcmp (name, "tasks") == 0)
    run->line = LINE_TASKS;
  else if (strncmp (name, "tasks,", 6) == 0)
    {
      each = number_of ("--schedule tasks", name + 6, 1, MAX_TASKS, true);
      run->line = LINE_TASKS;
      run->schedule.params.value[0] = (int) each;
    }
  return run->line != LINE_SCHEDULE;
}

static void
add_schedule (const char *text, size_t length)
{
  char message[AMP_MESSAGE_MAX], *name = copy (text, length), *to = name;
  struct run *run = append (&plan.run, &plan.runs, &plan.room, sizeof *run);

  if (!add_line (name, run)
      && amp_parse_schedule (name, &run->schedule, message) != NULL)
    die (2, "--schedule %s", message);
  for (size_t i = 0; i < length; i++)
    if (!amp_space_p (name[i]))
      *to++ = amp_fold (name[i]);
  *to = '\0';
  run->name = name;
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

/* What a task waits for.  */

static void
read_depend (const char *text)
{
  static const char *const names[] = { "all", "same", "near" };

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (text, names[i]) == 0)
      {
	tasks.depend = (enum task_depend) i;
	return;
      }
  die (2, "--depend '%s': all, same or near is expected", text);
}

/* What lines cannot have together.  SB: thread 0 runs on the slowest core.  */

static void
check_lines (bool sb)
{
  bool own = placed.period > 0.0;

  if (own && (sb || machine.period > 0.0))
    die (2, "--placement-ns: not with --sb or --stopped");
  for (size_t i = 0; i < plan.runs; i++)
    {
      own |= plan.run[i].line == LINE_TASKS;
      if (plan.run[i].line == LINE_TASKS
	  && (placed.period > 0.0 || machine.period > 0.0 || sb))
	die (2, "--schedule tasks: not with --placement-ns, --stopped or --sb");
      if (plan.run[i].line == LINE_WEIGHTED && placed.period > 0.0)
	die (2, "--schedule weighted: not with --placement-ns");
    }
  if (own && plan.gantt != NULL)
    die (2, "--gantt: no picture of tasks or of threads that are moved");
}

/* What options say that are not the plan's, the machine's or the tasks'.  */
static struct
{
  const char *costs, *load, *sf, *known_sf, *kernel, *klass, *watts;
  double n, unit, rmw, executions, seed, clusters, round;
  bool json, workload, sb;
} given = { .klass = "-", .unit = -1.0, .rmw = DEFAULT_GRANT_NS,
	    .executions = 1.0, .seed = 1.0, .clusters = 1.0, .round = 1.0 };

enum
{
  O_OWN = 256, O_HOLD, O_CLUSTERS, O_FAR, O_CALL, O_FORK, O_ARRIVAL,
  O_PLACEMENT, O_MIGRATION, O_TASK, O_DEPEND, O_WATTS, O_GOAL, O_SPIN, O_SLEEP,
  O_SB, O_STOPPED, O_SF, O_KNOWN_SF, O_WORKLOAD, O_GANTT, O_KERNEL, O_CLASS,
  O_ROUND, O_USAGE
};

static const struct argp_option options[] = {
  { "machine", 'm', "COUNTxSPEED+...", 0,
    "threads and their speed, fastest type first, as in 4x2.0+4x1.0", 0 },
  { "schedule", 'S', "LIST", 0,
    "as in OMP_SCHEDULE, commas between them (all)", 0 },
  { "costs", 'c', "FILE", 0,
    "what each iteration costs, a number a line; -: standard input", 0 },
  { "load", 'l', "LOAD", 0, "a made-up loop, see below (constant)",
    0 },
  { "n", 'n', "N", 0, "iterations of a made-up loop (100000)", 0 },
  { "unit", 'u', "NS", 0,
    "NS, or what a cost of 1 in the file stands for: nanoseconds on a core of "
    "speed 1 (1000; for files 1)", 0 },
  { "executions", 'k', "K", 0,
    "how many times the loop is executed (1)", 0 },
  { "grant-ns", 'g', "X", 0,
    "cost of an atomic update of a shared word (60); \"measure\": what it "
    "takes here", 0 },
  { "own-ns", O_OWN, "X", 0,
    "cost of an update whose line the thread's core has; then -g comes on top "
    "where it has to be fetched", 0 },
  { "hold-ns", O_HOLD, "X", 0,
    "how long another core goes on with a line that is asked for (0)", 0 },
  { "clusters", O_CLUSTERS, "K", 0,
    "so many clusters of equally many threads, in their order (1)", 0 },
  { "far-ns", O_FAR, "X", 0,
    "in place of -g, where a core of another cluster has the line (as -g; with "
    "--own-ns)", 0 },
  { "call-ns", O_CALL, "X", 0,
    "cost of dispatching a chunk but for its updates (0)", 0 },
  { "fork-ns", O_FORK, "X", 0, "cost of a loop but for its chunks (0)", 0 },
  { "arrival-ns", O_ARRIVAL, "X", 0,
    "threads come to a loop up to X later, each at random (0)", 0 },
  { "placement-ns", O_PLACEMENT, "X", 0,
    "threads are not bound: each X the kernel moves those that run to faster "
    "cores that are idle", 0 },
  { "migration-ns", O_MIGRATION, "X", 0,
    "what a thread loses that is moved (0)", 0 },
  { "task-ns", O_TASK, "X", 0,
    "cost of making a task, and again of taking it (0)", 0 },
  { "depend", O_DEPEND, "all|same|near", 0,
    "what a task waits for in the loop before: all tasks, that of its number, "
    "or also those next to it (all)", 0 },
  { "watts", O_WATTS, "LIST", 0,
    "what a core of each type draws, commas between them: "
    "BUSY/SPINNING/IDLE/ASLEEP; prints what it all takes", 0 },
  { "goal", O_GOAL, "energy|edp", 0,
    "auto may leave cores out to save that, as by GOMP_AMP_ENERGY", 0 },
  { "spin-ns", O_SPIN, "X", 0, "threads that wait spin so long (0)", 0 },
  { "sleep-ns", O_SLEEP, "X", 0,
    "a core that is idle for so long sleeps (never)", 0 },
  { "sb", O_SB, 0, 0, "thread 0 runs on the slowest core, not on the fastest",
    0 },
  { "stopped", O_STOPPED, "NS", 0,
    "slow cores are fast ones that are stopped for a part of each NS, as by "
    "amp-emulate", 0 },
  { "sf", O_SF, "X,Y,...", 0,
    "this loop's own speed on each type, the slowest taken as 1; or a file for "
    "each loop (with a slash in its name), the fastest type then keeping its "
    "speed", 0 },
  { "known-sf", O_KNOWN_SF, "X,Y,...", 0,
    "what the library is told, as by GOMP_AMP_SF; or a file, or 'true'", 0 },
  { "workload", O_WORKLOAD, 0, 0, "tell binlpt the costs", 0 },
  { "seed", 's', "N", 0, "of random, spikes and arrivals (1)", 0 },
  { "gantt", O_GANTT, "FILE", 0,
    "a picture of the last execution: .txt or .svg", 0 },
  { "json", 'j', 0, 0, "a line of JSON for each schedule", 0 },
  { "kernel", O_KERNEL, "NAME", 0, "what a line of JSON says of itself", 0 },
  { "class", O_CLASS, "NAME", 0, "what a line of JSON says of itself", 0 },
  { "round", O_ROUND, "N", 0, "what a line of JSON says of itself", 0 },
  { "help", 'h', 0, 0, "this text", -1 },
  { "usage", O_USAGE, 0, 0, "the options alone", -1 },
  { "version", 'V', 0, 0, "the version", -1 },
  { 0 }
};

/* Options that are numbers, and those that are kept as they are.  */
static const struct
{
  int key;
  double least, most;
  bool whole;
  double *to;
} numbers[] = {
  { 'n', 1, MAX_ITERATIONS, true, &given.n },
  { 'u', 0, 1e12, false, &given.unit },
  { 'k', 1, MAX_EXECUTIONS, true, &given.executions },
  { 's', 0, 1e15, true, &given.seed },
  { O_CLUSTERS, 1, MAX_LANES, true, &given.clusters },
  { O_ROUND, 1, 1e9, true, &given.round },
  { O_STOPPED, 1, 1e12, false, &machine.period },
#define NS(KEY, TO) { KEY, 0, 1e9, false, TO }
  NS ('g', &given.rmw), NS (O_OWN, &plan.own), NS (O_HOLD, &plan.hold),
  NS (O_FAR, &plan.far), NS (O_CALL, &plan.call), NS (O_FORK, &plan.fork),
  NS (O_ARRIVAL, &plan.arrival), NS (O_PLACEMENT, &placed.period),
  NS (O_MIGRATION, &placed.cost), NS (O_TASK, &tasks.cost),
  NS (O_SPIN, &power.spin), NS (O_SLEEP, &power.sleep)
};
static const struct
{
  int key;
  const char **to;
} texts[] = {
  { 'c', &given.costs }, { 'l', &given.load }, { O_SF, &given.sf },
  { O_KNOWN_SF, &given.known_sf }, { O_KERNEL, &given.kernel },
  { O_CLASS, &given.klass }, { O_WATTS, &given.watts },
  { O_GOAL, &power.goal }, { O_GANTT, &plan.gantt }
};

static error_t
option (int key, char *value, struct argp_state *state)
{
  unsigned i, k;

  for (i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].key == key)
      {
	*texts[i].to = value;
	return 0;
      }
  if (key == 'g' && strcmp (value, "measure") == 0)
    {
      given.rmw = -1.0;
      return 0;
    }
  for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i].key == key)
      {
	char name[40];

	for (k = 0; options[k].key != key; k++)
	  continue;
	snprintf (name, sizeof name, "--%s", options[k].name);
	*numbers[i].to = number_of (name, value, numbers[i].least,
				    numbers[i].most, numbers[i].whole);
	return 0;
      }
  switch (key)
    {
    case 'm':
      if (machine.text != NULL)
	die (2, "one --machine is enough");
      read_machine (value);
      break;
    case 'S':
      add_schedules (value);
      break;
    case O_DEPEND:
      read_depend (value);
      break;
    case O_SB: case O_WORKLOAD: case 'j':
      *(key == O_SB ? &given.sb : key == 'j' ? &given.json
	: &given.workload) = true;
      break;
    case 'h':
      argp_state_help (state, stdout, ARGP_HELP_STD_HELP);
      break;
    case O_USAGE:
      argp_state_help (state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
      break;
    case 'V':
      puts ("amp-sim (gomp-amp) " AMP_VERSION);
      exit (0);
    case ARGP_KEY_ARG:
      die (2, "'%s': no arguments are taken", value);
    default:
      return ARGP_ERR_UNKNOWN;
    }
  return 0;
}

static const struct argp parser = {
  options, option, "",
  "Simulate a loop under several schedules on a machine of several core types."
  "\vLOAD is constant, NS each; linear, from 0 to 2 NS; increasing, "
  "exponentially distributed, ascending, NS on average; decreasing, the same, "
  "descending; last-heavy, the last eighth costs 16 NS each, the others NS; "
  "random, evenly distributed between 0 and 2 NS; or spikes, one in 64 costs "
  "200 NS, the others NS.",
  NULL, NULL, NULL
};

int
main (int argc, char **argv)
{
  static double sf[AMP_MAX_TYPES], known[AMP_MAX_TYPES];
  char message[AMP_MESSAGE_MAX];
  bool svg = false, sb;
  unsigned threads = 0, which = 0;
  FILE *picture = NULL;

  argp_err_exit_status = 2;
  argp_parse (&parser, argc, argv, ARGP_NO_HELP, NULL, NULL);
  plan.executions = (unsigned) given.executions;
  plan.seed = (uint64_t) given.seed;
  machine.clusters = (unsigned) given.clusters;
  sb = given.sb;
  if (sb && plan.gantt != NULL)
    die (2, "--sb has no picture");
  if (machine.text == NULL)
    die (2, "--machine is missing, as in --machine 4x2.0+4x1.0");
  divide_machine ();
  if (sb)
    for (size_t i = 0; i < machine.lanes / 2; i++)
      {
	unsigned other = machine.lanes - 1 - i;
	struct sim_lane lane = machine.lane[i];

	machine.lane[i] = machine.lane[other];
	machine.lane[other] = lane;
	machine.lane_type[i] = machine.lane[i].type;
	machine.lane_type[other] = machine.lane[other].type;
      }
  if (given.sf != NULL && strchr (given.sf, '/') != NULL)
    read_speeds ("--sf", given.sf, false);
  else if (given.sf != NULL)
    {
      double least = machine.speed[machine.types - 1];

      if (amp_parse_sf (given.sf, machine.types, sf, message) != NULL)
	die (2, "--sf %s", message);
      for (size_t i = 0; i < machine.types; i++)
	machine.speed[i] = least * sf[i];
    }
  if (given.known_sf != NULL && strchr (given.known_sf, '/') != NULL)
    read_speeds ("--known-sf", given.known_sf, true);
  else if (given.known_sf != NULL && strcmp (given.known_sf, "true") == 0)
    plan.truth = true;
  else if (given.known_sf != NULL)
    {
      if (amp_parse_sf (given.known_sf, machine.types, known, message) != NULL)
	die (2, "--known-sf %s", message);
      plan.sf = known;
    }
  if (given.costs != NULL && (given.load != NULL || given.n != 0.0))
    die (2, "--costs takes the place of --load and --n");
  if (given.load != NULL)
    {
      while (which < LOADS && strcmp (given.load, loads[which].name) != 0)
	which++;
      if (which == LOADS)
	die (2, "--load '%s': there are constant, linear, increasing, "
	     "decreasing, last-heavy, random, spikes; --unit has their NS",
	     given.load);
    }
  if (plan.gantt != NULL)
    {
      const char *dot = strrchr (plan.gantt, '.');

      svg = dot != NULL && strcmp (dot, ".svg") == 0;
      if (!svg && (dot == NULL || strcmp (dot, ".txt") != 0))
	die (2, "--gantt '%s': a name that ends with .txt or .svg is expected",
	     plan.gantt);
    }
  if (given.watts != NULL)
    read_watts (given.watts);
  if (power.goal != NULL && strcmp (power.goal, "energy") != 0
      && strcmp (power.goal, "edp") != 0)
    die (2, "--goal '%s': energy or edp is expected", power.goal);
  if (power.goal != NULL && given.watts == NULL)
    die (2, "--goal %s: --watts is missing", power.goal);
  if (plan.far > 0.0 && plan.own == 0.0)
    die (2, "--far-ns: --own-ns is missing");
  check_lines (sb);
  if (plan.runs == 0)
    {
      add_schedules ("static,dynamic,guided");
      for (size_t i = 0; amp_schedulers[i] != NULL; i++)
	if (amp_schedulers[i] != &amp_reference)
	  add_schedules (amp_schedulers[i]->name);
      add_schedules ("auto");
    }

  if (given.costs != NULL)
    read_costs (given.costs, given.unit < 0.0 ? 1.0 : given.unit);
  else
    make_load (which, given.n != 0.0 ? (uint64_t) given.n : 100000,
	       given.unit < 0.0 ? 1000.0 : given.unit, plan.seed);
  complete_job (given.workload);
  if (plan.gantt != NULL)
    {
      picture = fopen (plan.gantt, "w");
      if (picture == NULL)
	die (1, "%s: %s", plan.gantt, strerror (errno));
    }
  plan.rmw = given.rmw >= 0.0 ? given.rmw : measure_rmw (&threads);
  if (plan.hold > plan.rmw)
    die (2, "--hold-ns %g is longer than --grant-ns %g", plan.hold, plan.rmw);
  for (size_t i = 0; i < plan.runs; i++)
    simulate (&plan.run[i]);
  if (given.json)
    print_json (given.kernel != NULL ? given.kernel
		: given.costs != NULL ? given.costs : loads[which].name,
		given.klass, (unsigned) given.round);
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

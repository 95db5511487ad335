/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-sim: one loop under several schedules on a machine that need not exist.

   The schedulers are the library's own files, driven by the deterministic
   simulator of testsuite/sim; static, dynamic and guided are those of
   stock.c.  Simulated time counts in units of 1/1024 ns, so
   that the simulator's whole numbers are exact enough for single
   iterations.  */

#define _GNU_SOURCE 1
#define AMP_PORT_HEADER "sim-port.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
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
  char message[AMP_MESSAGE_MAX], *name, *to;
  struct run *run;

  name = to = allocate (length + 1, 1);
  memcpy (name, text, length);
  if (plan.runs == plan.room)
    grow (&plan.run, &plan.room, sizeof *plan.run);
  run = &plan.run[plan.runs];
  memset (run, 0, sizeof *run);
  if (!add_line (name, run)
      && amp_parse_schedule (name, &run->schedule, message) != NULL)
    die (2, "--schedule %s", message);
  for (size_t i = 0; i < length; i++)
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

static void
usage (void)
{
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
  for (unsigned i = 0; i < LOADS; i++)
    printf ("                            %-11s %s\n", loads[i].name,
	    loads[i].what);
  puts ("  -n, --n N               its iterations (100000)\n"
	"  -u, --unit NS           NS, or what a cost of 1 in the file stands "
	"for: nanoseconds\n"
	"                          on a core of speed 1 (1000; for files 1)\n"
	"  -k, --executions K      how many times the loop is executed, at one "
	"site (1)\n"
	"  -g, --grant-ns X        cost of an atomic update of a shared word (60);\n"
	"                          \"measure\": what it takes here\n"
	"      --own-ns X          of one whose line the thread's core has; then -g "
	"comes on top\n"
	"                          where it has to be fetched\n"
	"      --hold-ns X         how long the other core goes on with it meanwhile "
	"(0)\n"
	"      --clusters K        so many clusters of equally many lanes, in their "
	"order (1)\n"
	"      --far-ns X          in place of -g, where a core of another cluster "
	"has the line\n"
	"                          (as -g; with --own-ns)\n"
	"      --call-ns X         of a grant, beside that (0)\n"
	"      --fork-ns X         of a loop, beside its grants (0)\n"
	"      --arrival-ns X      threads come to a loop up to X later, each at "
	"random (0)\n"
	"      --placement-ns X    threads are not bound: each X the kernel moves "
	"those that run\n"
	"                          to faster cores that are idle\n"
	"      --migration-ns X    what a thread loses by that (0)\n"
	"      --task-ns X         of making a task, and again of taking it (0)\n"
	"      --depend all|same|near\n"
	"                          what a task waits for in the loop before: all "
	"tasks, that of\n"
	"                          its number, or also those beside it (all)\n"
	"      --watts LIST        of each type, commas between them: BUSY/"
	"SPINNING/IDLE/ASLEEP;\n"
	"                          prints what it all takes\n"
	"      --goal energy|edp   auto may leave cores out to save that, as by "
	"GOMP_AMP_ENERGY\n"
	"      --spin-ns X         threads that wait spin so long (0)\n"
	"      --sleep-ns X        a core that is idle for so long sleeps "
	"(never)\n"
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

enum { OPT_SF = 256, OPT_KNOWN_SF, OPT_GANTT, OPT_KERNEL, OPT_CLASS, OPT_ROUND,
       OPT_STOPPED, OPT_WATTS, OPT_GOAL, OPT_DEPEND, OPT_CLUSTERS, OPT_COST };

/* Options that are costs in nanoseconds: OPT_COST and its place here.  */
static const struct
{
  const char *name;
  double *to;
} costs_ns[] = {
  { "--own-ns", &plan.own }, { "--hold-ns", &plan.hold },
  { "--call-ns", &plan.call }, { "--fork-ns", &plan.fork },
  { "--arrival-ns", &plan.arrival }, { "--placement-ns", &placed.period },
  { "--migration-ns", &placed.cost }, { "--task-ns", &tasks.cost },
  { "--spin-ns", &power.spin }, { "--sleep-ns", &power.sleep },
  { "--far-ns", &plan.far }
};
#define COSTS (sizeof costs_ns / sizeof *costs_ns)

int
main (int argc, char **argv)
{
  static int json, workload, sb;
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
    { "workload", no_argument, &workload, true },
    { "own-ns", required_argument, NULL, OPT_COST },
    { "hold-ns", required_argument, NULL, OPT_COST + 1 },
    { "call-ns", required_argument, NULL, OPT_COST + 2 },
    { "fork-ns", required_argument, NULL, OPT_COST + 3 },
    { "arrival-ns", required_argument, NULL, OPT_COST + 4 },
    { "placement-ns", required_argument, NULL, OPT_COST + 5 },
    { "migration-ns", required_argument, NULL, OPT_COST + 6 },
    { "task-ns", required_argument, NULL, OPT_COST + 7 },
    { "spin-ns", required_argument, NULL, OPT_COST + 8 },
    { "sleep-ns", required_argument, NULL, OPT_COST + 9 },
    { "far-ns", required_argument, NULL, OPT_COST + 10 },
    { "clusters", required_argument, NULL, OPT_CLUSTERS },
    { "watts", required_argument, NULL, OPT_WATTS },
    { "goal", required_argument, NULL, OPT_GOAL },
    { "depend", required_argument, NULL, OPT_DEPEND },
    { "sb", no_argument, &sb, true },
    { "stopped", required_argument, NULL, OPT_STOPPED },
    { "seed", required_argument, NULL, 's' },
    { "gantt", required_argument, NULL, OPT_GANTT },
    { "json", no_argument, &json, true },
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
  const char *kernel = NULL, *klass = "-", *watts = NULL;
  double n = 0.0, unit = -1.0, rmw = DEFAULT_GRANT_NS;
  bool svg = false;
  unsigned round = 1, threads = 0, which = 0;
  FILE *picture = NULL;
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
	rmw = (strcmp (optarg, "measure") == 0 ? -1.0
	       : number_of ("--grant-ns", optarg, 0, 1e9, false));
	break;
      case OPT_COST ... OPT_COST + COSTS - 1:
	*costs_ns[o - OPT_COST].to
	  = number_of (costs_ns[o - OPT_COST].name, optarg, 0, 1e9, false);
	break;
      case OPT_WATTS:
	watts = optarg;
	break;
      case OPT_GOAL:
	power.goal = optarg;
	break;
      case OPT_DEPEND:
	read_depend (optarg);
	break;
      case OPT_CLUSTERS:
	machine.clusters = (unsigned) number_of ("--clusters", optarg, 1,
						 MAX_LANES, true);
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
      case 's':
	plan.seed = (uint64_t) number_of ("--seed", optarg, 0, 1e15, true);
	break;
      case OPT_GANTT:
	plan.gantt = optarg;
	break;
      case 'j':
	json = true;
	break;
      case 0:
	break;	/* A flag.  */
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
  if (sf_text != NULL && strchr (sf_text, '/') != NULL)
    read_speeds ("--sf", sf_text, false);
  else if (sf_text != NULL)
    {
      double least = machine.speed[machine.types - 1];

      if (amp_parse_sf (sf_text, machine.types, sf, message) != NULL)
	die (2, "--sf %s", message);
      for (size_t i = 0; i < machine.types; i++)
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
  if (watts != NULL)
    read_watts (watts);
  if (power.goal != NULL && strcmp (power.goal, "energy") != 0
      && strcmp (power.goal, "edp") != 0)
    die (2, "--goal '%s': energy or edp is expected", power.goal);
  if (power.goal != NULL && watts == NULL)
    die (2, "--goal %s: --watts is missing", power.goal);
  check_lines (sb);
  if (plan.runs == 0)
    {
      add_schedules ("static,dynamic,guided");
      for (size_t i = 0; amp_schedulers[i] != NULL; i++)
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
  if (plan.hold > plan.rmw)
    die (2, "--hold-ns %g is longer than --grant-ns %g", plan.hold, plan.rmw);
  for (size_t i = 0; i < plan.runs; i++)
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

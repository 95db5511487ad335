/* amp-emulate: make chosen CPUs slower for the duration of a command.

   SPDX-License-Identifier: GPL-3.0-or-later

   Each slowed CPU gets a thief: a SCHED_FIFO thread pinned to it that, once a
   period, spins for PERIOD * (1 - 1/RATIO) less the measured cost of taking
   the CPU away and giving it back.  What is left to ordinary threads is
   1/RATIO of the CPU.  With --method=signal the command's threads do that
   themselves, in a signal handler; see slow.h.

   Invariants:
   - The main thread never changes its own affinity, and is never a real-time
     thread: the command inherits both from it.
   - Thieves are threads of this process, so they cannot outlive it, whatever
     kills it; and they rest when the main thread's heartbeat stops.
   - Every file is opened close-on-exec.
   - No setting of the system is changed.  */

#define _GNU_SOURCE
#include "amp-emulate.h"
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIN_PERIOD (100 * NS_PER_US)
#define MAX_PERIOD (10 * NS_PER_MS)
#define DEFAULT_PERIOD NS_PER_MS
#define DEFAULT_RATIO 3.0
#define MAX_RATIO 100.0

const char *const method_names[] = { "thief", "signal" };

struct options opt =
{
  .period = DEFAULT_PERIOD, .overhead = -1, .reference = -1, .seed = 1
};
struct cpumask allowed;
struct phase phases[MAX_PHASES];
int nphases = 1;


/* True if a hardware thread of CPU's core other than CPU is slowed in P.  */
static bool
sibling_slowed (const struct phase *p, int cpu)
{
  char path[128], line[1024];
  struct cpumask siblings;
  snprintf (path, sizeof path,
	    "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
	    cpu);
  if (!read_line (path, line, sizeof line)
      || parse_cpus (line, &siblings) == NULL)
    return false;
  for (int i = 0; i < p->nsettings; i++)
    if (p->settings[i].asked > 1.0
	&& mask_has (&siblings, p->settings[i].cpu))
      return true;
  return false;
}

static void
choose_reference (struct phase *p)
{
  p->reference = -1;
  if (opt.reference >= 0)
    {
      if (!mask_has (&allowed, opt.reference))
	fail ("--reference: CPU %d may not be used; these may: %s",
	      opt.reference, mask_text (&allowed));
      if (asked_ratio (p, opt.reference) > 1.0)
	fail ("--reference: CPU %d is itself slowed", opt.reference);
      p->reference = opt.reference;
      return;
    }
  for (int cpu = 0; cpu < MAX_CPUS; cpu++)
    {
      if (!mask_has (&allowed, cpu) || asked_ratio (p, cpu) > 1.0)
	continue;
      if (p->reference < 0)
	p->reference = cpu;
      if (!sibling_slowed (p, cpu))
	{
	  p->reference = cpu;
	  return;
	}
    }
}


/* The command.  */

static const int forwarded[] =
{
  SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN,
  SIGTTOU, SIGCONT
};

/* Act on a signal that came in while CHILD runs.  What the terminal sends has
   already reached CHILD if it is in our process group.  */
static void
pass_on (const siginfo_t *info, pid_t child)
{
  int sig = info->si_signo;
  bool has_it = info->si_code == SI_KERNEL && getpgid (child) == getpgrp ();
  if (!has_it)
    kill (child, sig);
  if (sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU)
    raise (SIGSTOP);
}

/* Run COMMAND through the phases, put the time it took into WALL and the phase
   in which it ended into LAST, and return its status as a shell would.  */
static int
run_command (char **command, int64_t *wall, struct phase **last)
{
  sigset_t waited, old;
  struct sigaction old_chld, dfl = { .sa_handler = SIG_DFL };
  sigemptyset (&waited);
  sigaddset (&waited, SIGCHLD);
  for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
    {
      /* Who ignores a signal (nohup) wants it ignored by the command too,
	 which inherits that.  */
      struct sigaction action;
      sigaction (forwarded[i], NULL, &action);
      if (action.sa_handler != SIG_IGN)
	sigaddset (&waited, forwarded[i]);
    }
  sigaction (SIGCHLD, &dfl, &old_chld);
  pthread_sigmask (SIG_BLOCK, &waited, &old);

  pid_t parent = getpid ();
  apply_phase (&phases[0]);
  int64_t start = now ();
  pid_t child = fork ();
  if (child < 0)
    fail ("cannot fork: %s", strerror (errno));
  if (child == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGTERM);
      if (getppid () != parent)
	_exit (128 + SIGTERM);
      sigaction (SIGCHLD, &old_chld, NULL);
      pthread_sigmask (SIG_SETMASK, &old, NULL);
      execvp (command[0], command);
      int error = errno;
      warn ("cannot run %s: %s", command[0], strerror (error));
      _exit (error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
    }

  int phase = 0, status;
  for (;;)
    {
      int64_t wait = NS_PER_S;
      beat ();
      if (phase + 1 < nphases)
	{
	  int64_t left = start + phases[phase + 1].at - now ();
	  if (left <= 0)
	    {
	      apply_phase (&phases[++phase]);
	      continue;
	    }
	  if (left < wait)
	    wait = left;
	}
      struct timespec ts = to_timespec (wait);
      siginfo_t info;
      int sig = sigtimedwait (&waited, &info, &ts);
      if (sig > 0 && sig != SIGCHLD)
	pass_on (&info, child);
      if (waitpid (child, &status, WNOHANG) == child)
	break;
    }
  *wall = now () - start;

  /* From here on a signal ends this program in the ordinary way.  */
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  *last = &phases[phase];
  return WIFSIGNALED (status) ? 128 + WTERMSIG (status)
			      : WEXITSTATUS (status);
}


/* The command line.  */

enum
{
  O_JITTER = 128, O_SEED, O_REFERENCE, O_OVERHEAD, O_NO_VERIFY, O_VERIFY_ONLY,
  O_STRICT, O_KEEP_TYPES
};

static const struct argp_option options[] = {
  { "slow", 's', "CPUS[=RATIO]", 0,
    "CPUS (a list like 1 or 2-3,6) are RATIO times slower (1 to 100, default "
    "3); may be given several times", 0 },
  { "method", 'm', "METHOD", 0,
    "thief: a real-time thread takes the CPU's time (default); signal: the "
    "command's threads lose their time in signal handlers; unprivileged, for "
    "dynamically linked programs", 0 },
  { "period", 'p', "TIME", 0,
    "length of a period, 100us to 10ms (default 1ms)", 0 },
  { "change-at", 'c', "SECONDS:CPUS[=RATIO]", 0,
    "from then on only CPUS are slow ('none': no CPU); several with equal "
    "SECONDS add up", 0 },
  { "jitter", O_JITTER, 0, 0, "random place of the theft within each period",
    0 },
  { "seed", O_SEED, "N", 0, "seed of --jitter (default 1)", 0 },
  { "reference", O_REFERENCE, "CPU", 0,
    "compare with CPU (default: the first one not slowed)", 0 },
  { "overhead", O_OVERHEAD, "US", 0,
    "take US microseconds a period as the overhead instead of calibrating", 0 },
  { "no-verify", O_NO_VERIFY, 0, 0, "do not measure the ratio reached", 0 },
  { "verify-only", O_VERIFY_ONLY, 0, 0,
    "calibrate, verify, run no command", 0 },
  { "calibrate", 0, 0, OPTION_ALIAS, 0, 0 },
  { "strict", O_STRICT, 0, 0,
    "exit 3 without running COMMAND when a ratio is off by more than 5 %", 0 },
  { "keep-types", O_KEEP_TYPES, 0, 0,
    "leave GOMP_AMP_TYPES alone if it is set", 0 },
  { "json", 'j', "FILE", 0, "write a record of the run to FILE", 0 },
  { "quiet", 'q', 0, 0, "print warnings and errors only", 0 },
  { 0, 'h', 0, OPTION_HIDDEN, 0, 0 },
  { 0 }
};

static bool *const flags[] = {
  [O_JITTER] = &opt.jitter, [O_NO_VERIFY] = &opt.no_verify,
  [O_VERIFY_ONLY] = &opt.verify_only, [O_STRICT] = &opt.strict,
  [O_KEEP_TYPES] = &opt.keep_types, ['q'] = &opt.quiet
};

const char *argp_program_version = "amp-emulate (gomp-amp) " AMP_VERSION;

/* Add TEXT, the CPUS[=RATIO] of option NAME, to P.  */
static void
add_settings (struct phase *p, const char *name, const char *text)
{
  struct cpumask mask;
  double ratio = DEFAULT_RATIO;
  const char *end = parse_cpus (text, &mask);
  if (end == NULL || (*end != '\0' && *end != '='))
    fail ("%s: '%s' is not CPUS[=RATIO], for example 1=3 or 2-3,6=1.5",
	  name, text);
  if (*end == '=')
    {
      end++;
      if (!parse_number (&end, &ratio) || *end != '\0' || ratio < 1.0
	  || ratio > MAX_RATIO)
	fail ("%s: the ratio in '%s' must be a number from 1 to %g",
	      name, text, MAX_RATIO);
    }
  for (int cpu = 0; cpu < MAX_CPUS; cpu++)
    {
      if (!mask_has (&mask, cpu))
	continue;
      if (!mask_has (&allowed, cpu))
	fail ("%s: CPU %d may not be used; these may: %s", name, cpu,
	      mask_text (&allowed));
      for (int i = 0; i < p->nsettings; i++)
	if (p->settings[i].cpu == cpu)
	  fail ("%s: CPU %d is given twice", name, cpu);
      p->settings = realloc (p->settings,
			     (p->nsettings + 1) * sizeof *p->settings);
      if (p->settings == NULL)
	fail ("out of memory");
      struct setting *s = &p->settings[p->nsettings++];
      memset (s, 0, sizeof *s);
      s->cpu = cpu;
      s->asked = ratio;
    }
}

static void
add_change (const char *text)
{
  const char *p = text;
  double seconds;
  if (!parse_number (&p, &seconds) || *p != ':' || seconds <= 0.0
      || seconds > 1e6)
    fail ("--change-at: '%s' is not SECONDS:CPUS[=RATIO] or SECONDS:none,"
	  " with SECONDS above 0, for example 2.5:0=3", text);
  p++;
  int64_t at = seconds * NS_PER_S;

  int i = 1;
  while (i < nphases && phases[i].at < at)
    i++;
  if (i == nphases || phases[i].at != at)
    {
      if (nphases == MAX_PHASES)
	fail ("--change-at: at most %d changes are possible", MAX_PHASES - 1);
      memmove (&phases[i + 1], &phases[i], (nphases - i) * sizeof *phases);
      memset (&phases[i], 0, sizeof *phases);
      phases[i].at = at;
      nphases++;
    }
  if (strcmp (p, "none") != 0)
    add_settings (&phases[i], "--change-at", p);
}

static enum method
parse_method (const char *text)
{
  for (int i = METHOD_THIEF; i <= METHOD_SIGNAL; i++)
    if (strcmp (text, method_names[i]) == 0)
      return i;
  fail ("--method: '%s' is neither thief nor signal", text);
}

static int64_t
parse_period (const char *text)
{
  const char *p = text;
  double value, unit = NS_PER_US;
  bool ok = parse_number (&p, &value);
  if (ok && strcmp (p, "ms") == 0)
    unit = NS_PER_MS;
  else if (ok && *p != '\0' && strcmp (p, "us") != 0)
    ok = false;
  if (!ok || value * unit < MIN_PERIOD || value * unit > MAX_PERIOD)
    fail ("--period: '%s' must be a time from 100us to 10ms, in us or ms"
	  " (without a unit: us)", text);
  return value * unit + 0.5;
}

static int64_t
parse_integer (const char *name, const char *text, int64_t max)
{
  char *end;
  errno = 0;
  long long value = strtoll (text, &end, 10);
  if (!isdigit ((unsigned char) *text) || *end != '\0' || errno != 0
      || value > max)
    fail ("%s: '%s' must be a whole number from 0 to %lld", name, text,
	  (long long) max);
  return value;
}

static int64_t
parse_overhead (const char *text)
{
  const char *p = text;
  double value;
  if (!parse_number (&p, &value) || *p != '\0' || value > 1000.0)
    fail ("--overhead: '%s' must be a number of microseconds from 0 to 1000",
	  text);
  return value * NS_PER_US;
}

static error_t
option (int key, char *value, struct argp_state *state)
{
  switch (key)
    {
    case 's':
      add_settings (&phases[0], "--slow", value);
      break;
    case 'm':
      opt.method = parse_method (value);
      break;
    case 'p':
      opt.period = parse_period (value);
      break;
    case 'c':
      add_change (value);
      break;
    case O_SEED:
      opt.seed = parse_integer ("--seed", value, INT64_MAX);
      break;
    case O_REFERENCE:
      opt.reference = parse_integer ("--reference", value, MAX_CPUS - 1);
      break;
    case O_OVERHEAD:
      opt.overhead = parse_overhead (value);
      break;
    case 'j':
      opt.json = value;
      break;
    case 'h':
      argp_state_help (state, stdout, ARGP_HELP_STD_HELP);
      break;
    default:
      if (key < 0 || (size_t) key >= sizeof flags / sizeof *flags
	  || flags[key] == NULL)
	/* The command ends them.  */
	return ARGP_ERR_UNKNOWN;
      *flags[key] = true;
    }
  return 0;
}

static const struct argp parser = {
  options, option, "-- COMMAND ARG...",
  "Make chosen CPUs slower while COMMAND runs, and tell it so in GOMP_AMP_TYPES."
  "\vThe status is COMMAND's (128 + N when signal N killed it), 2 when "
  "amp-emulate cannot do its work, 3 see --strict, 126 or 127 when COMMAND "
  "cannot be run.\n--method=thief needs CAP_SYS_NICE or RLIMIT_RTPRIO (ulimit "
  "-r) of 1.", NULL, NULL, NULL
};

/* Returns the command.  */

static char **
parse_options (int argc, char **argv)
{
  int at;

  argp_err_exit_status = EXIT_UNABLE;
  argp_parse (&parser, argc, argv, ARGP_IN_ORDER, &at, NULL);
  if (phases[0].nsettings == 0 && nphases == 1)
    fail ("no CPU to slow: give --slow CPUS=RATIO, for example --slow 1=3"
	  " (CPUs that may be used: %s)", mask_text (&allowed));
  if (opt.no_verify && opt.verify_only)
    fail ("--no-verify and --verify-only exclude each other");
  if (opt.no_verify && opt.strict)
    fail ("--no-verify and --strict exclude each other");
  if (opt.verify_only && at < argc)
    fail ("--verify-only (--calibrate) takes no command, but '%s' was given",
	  argv[at]);
  if (!opt.verify_only && at == argc)
    fail ("no command: give it after --, or use --verify-only");
  return argv + at;
}

int
main (int argc, char **argv)
{
  if (sched_getaffinity (0, sizeof allowed, allowed.sets) != 0)
    fail ("sched_getaffinity: %s", strerror (errno));
  char **command = parse_options (argc, argv);
  for (int i = 0; i < nphases; i++)
    choose_reference (&phases[i]);

  FILE *json = NULL;
  if (opt.json != NULL && (json = fopen (opt.json, "we")) == NULL)
    fail ("--json: cannot write %s: %s", opt.json, strerror (errno));

  /* A real-time command would run before the thieves.  */
  struct sched_param param = { 0 };
  int policy = sched_getscheduler (0) & ~SCHED_RESET_ON_FORK;
  if (policy == SCHED_FIFO || policy == SCHED_RR)
    sched_setscheduler (0, SCHED_OTHER, &param);

  /* Not allowed everywhere, and only useful: no thief waits for a page.  */
  if (opt.method == METHOD_THIEF && mlockall (MCL_CURRENT | MCL_FUTURE) != 0)
    munlockall ();

  beat ();
  start_method ();
  bool good = true;
  for (int i = 0; i < nphases; i++)
    {
      struct phase *p = &phases[i];
      if (p->nsettings == 0)
	continue;
      calibrate_phase (p);
      if (opt.no_verify)
	continue;
      verify_phase (p);
      good &= report_phase (p, false);
    }
  apply_phase (NULL);

  if (opt.verify_only || (opt.strict && !good))
    {
      stop_thieves ();
      if (json != NULL)
	write_json (json, command, -1, 0);
      if (opt.strict && !good)
	{
	  warn ("a ratio was not reached and --strict was given%s",
		opt.verify_only ? "" : ": the command was not run");
	  return EXIT_STRICT;
	}
      return 0;
    }

  char *types = types_text (&phases[0]);
  if (setenv ("GOMP_AMP_TYPES", types, !opt.keep_types) != 0)
    fail ("out of memory");
  free (types);

  if (opt.method == METHOD_SIGNAL)
    offer_signals ();

  int64_t wall;
  struct phase *last;
  int status = run_command (command, &wall, &last);
  if (opt.method == METHOD_SIGNAL)
    thefts = atomic_load (&slow_table->thefts);
  if (opt.method == METHOD_SIGNAL && atomic_load (&slow_table->processes) == 0
      && status != EXIT_NOT_FOUND && status != EXIT_NOT_EXECUTABLE)
    warn ("warning: %s ran at full speed: it did not load " AMP_SLOW_LIBRARY
	  " (is it statically linked?)", command[0]);
  if (!opt.no_verify && last->nsettings > 0)
    {
      struct measure *results = xcalloc (last->nsettings, sizeof *results);
      measure_phase (last, AFTER_WINDOWS, results);
      for (int i = 0; i < last->nsettings; i++)
	last->settings[i].after = results[i];
      free (results);
      report_phase (last, true);
    }
  /* Some processes may outlive the command.  */
  apply_phase (NULL);
  stop_thieves ();
  if (json != NULL)
    write_json (json, command, status, wall);
  return status;
}

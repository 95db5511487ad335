/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-run: runs an OpenMP program with gomp-amp's libgomp.

   Invariants:
   - The program runs as if it had been called directly, but for the variables
     that --dry-run prints: this process becomes the program.  Where something
     is to be done after it has ended it runs below this one, which hands
     signals on and ends as the program did.
   - Every descriptor that is opened here is closed on exec; those that a
     program inherits are not, which tells them apart.
   - What cannot be found out, said or remembered never keeps the program from
     running.  Only wrong options do.  */

#define _GNU_SOURCE
#include "amp-run.h"
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

char *prefix, *lib;
bool quiet;

/* Texts.  */

void *
checked (void *p)
{
  if (p == NULL)
    {
      fputs ("amp-run: out of memory\n", stderr);
      exit (125);
    }
  return p;
}

char *
text (const char *format, ...)
{
  va_list args;
  char *s;

  va_start (args, format);
  if (vasprintf (&s, format, args) < 0)
    checked (NULL);
  va_end (args);
  return s;
}

/* Options.  */

#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"

/* What is set, as words NAME=VALUE, and how many.  */
static char *settings[64];
static unsigned nsettings;

/* The environment that we got.  */
static char **first_environ;

static enum { RUN, INFO, DRY, MEASURE, CHECK, COMPARE } mode;
static bool weighted, automatic, report, verify, verbose;
static const char *sf_file, *loops_file, *trace;

/* Options that --measure-sf, or --check, leave no room for; one that says what
   is to be done.  */
static const char *excluded, *unchecked, *doing;

/* Those of --check and --compare.  */
static char *check_words[64];
static unsigned ncheck_words;

/* One that --compare does not know.  */
static const char *check_alone;

static const char *forms = "";

void
set_variable (const char *name, const char *value)
{
  char *word = text ("%s=%s", name, value);
  size_t n = strlen (name) + 1;
  unsigned i;

  if (setenv (name, value, 1) != 0)
    checked (NULL);
  for (i = 0; i < nsettings && strncmp (settings[i], word, n) != 0; i++)
    ;
  settings[i] = word;
  if (i == nsettings)
    nsettings++;
}

/* Has an option set the variable NAME?  */

static bool
set_here (const char *name)
{
  size_t n = strlen (name);

  for (unsigned i = 0; i < nsettings; i++)
    if (strncmp (settings[i], name, n) == 0 && settings[i][n] == '=')
      return true;
  return false;
}

const char *
given (const char *name)
{
  const char *value = getenv (name);

  return value != NULL && *value != '\0' ? value : NULL;
}

/* What an option is to --check, --measure-sf and --auto.  */
enum
{
  NOT_CHECKED = 1, NOT_MEASURED = 2, DOES = 4, OF_CHECK = 8, OF_BOTH = 16
};

enum
{
  O_AUTO = 256, O_WEIGHTED, O_PRELOAD, O_REPLACE, O_SF, O_LOOPS, O_MEASURE,
  O_REPORT,
  O_TRACE, O_CHECK, O_INFO, O_DRY, O_VERSION, O_VERIFY, O_RUNS, O_SEED,
  O_TOLERANCE, O_IGNORE, O_OUTPUT, O_LIMIT, O_SLOWDOWN, O_JSON,
  O_USAGE, O_COPY, O_COMPARE
};

static const struct argp_option options[] = {
  { "auto", O_AUTO, 0, 0,
    "try other teams and chunks in the program's first runs, remember what was "
    "fastest, and go on with that", 0 },
  { "compare", O_COMPARE, "FORMS", OPTION_ARG_OPTIONAL,
    "run the program as it is, as amp-run runs it, and on the fast CPUs alone, "
    "in turns, and say which is faster; FORMS: all, or some of plain, ours, fast, "
    "weighted, replace", 0 },
  { "schedule", 's', "S", 0,
    "schedule of the loops that are schedule(runtime), and of those without a "
    "clause when amp-gcc built the program: "
    /* BEGIN schedule-words: scripts/maintain/tables.py.  */
    "aid_static[,m], aid_hybrid[,percent[,m]], aid_dynamic[,m[,M]], "
    "steal[,chunk], ich[,epsilon[,amp]], feedback[,percent], "
    "binlpt[,chunks], cluster_dynamic[,chunk], hetprobe[,percent], "
    "hetprobe_i[,percent[,again]], static|dynamic|guided[,chunk], auto"
    /* END schedule-words.  */, 0 },
  { "threads", 'n', "N", 0, "number of threads (N[,N...] by nesting level)",
    0 },
  { "affinity", 'a', "A", 0,
    "bind threads: 1, on or bs (fast CPUs first), or sb (slow ones first)", 0 },
  { "types", 't', "T", 0,
    "core types: CPU lists, fastest first: 4-7:0-3", 0 },
  { "cores", 'c', "C", 0,
    "leave cores out: big, nolp; 4P+2E or 4c:eff1,2c:eff0; or all", 0 },
  { "weighted", O_WEIGHTED, "N", OPTION_ARG_OPTIONAL,
    "more threads on faster CPUs, at most 4 or N on each, for programs that "
    "are not compiled again", 0 },
  { "verify", O_VERIFY, 0, 0,
    "with --auto: two runs of each, and only what prints the same", 0 },
  { "preload", O_PRELOAD, 0, 0,
    "serve what the program loads when it runs, too: Python packages with a "
    "libgomp of their own; not for programs on libomp or libiomp5", 0 },
  { "replace", O_REPLACE, "R", 0,
    "schedules in place of schedule(dynamic) and schedule(guided), as in "
    "dynamic=aid_dynamic,guided=ich", 0 },
  { "sf", O_SF, "X", 0,
    "speedup factors of the core types, fastest first: 3,1", 0 },
  { "loops", O_LOOPS, "FILE", 0,
    "schedules and speedup factors of single loops, one line each: app.c:31 "
    "aid_hybrid,80", 0 },
  { "measure-sf", O_MEASURE, "FILE", 0,
    "run the program once on each type of core, with one thread, and write to "
    "FILE how fast its loops were", 0 },
  { "report", O_REPORT, 0, 0,
    "say what was seen of each loop when the program ends", 0 },
  { "trace", O_TRACE, "FILE", 0,
    "write every chunk of every thread to FILE, for Perfetto; if it ends in "
    ".prv, for Paraver; in .spool, for amp-trace", 0 },
  { "check", O_CHECK, 0, 0,
    "say which schedules the program is fit for, and find loops that rely on a "
    "division of iterations; with the options of the second list", 0 },
  { "static-info", O_INFO, 0, 0,
    "say what is known of the program, and do not run it", 0 },
  { "dry-run", O_DRY, 0, 0,
    "print the environment it would get, and do not run it", 0 },
  { "quiet", 'q', 0, 0, "no hints", 0 },
  { "verbose", 'v', 0, 0,
    "hints also where the standard error is no terminal", 0 },
  { 0, 0, 0, 0,
    "With --check the program runs again and again, in the current folder:",
    1 },
  { "copy", O_COPY, 0, 0, "each time in a fresh copy of it", 1 },
  { "runs", O_RUNS, "N", 0,
    "under N other divisions, and half as many that descend (10); with "
    "--compare: N of each form", 1 },
  { "seed", O_SEED, "S", 0, "which ones (1)", 1 },
  { "tolerance", O_TOLERANCE, "X[,Y]", 0,
    "numbers are equal if they differ by less than X times the larger one, or "
    "by less than Y (1e-6,1e-12)", 1 },
  { "ignore", O_IGNORE, "PATTERN", 0,
    "lines and files with that (a regular expression of Python's) are not "
    "compared; may be given again", 1 },
  { "output", O_OUTPUT, "PATH", 0,
    "a file that it writes, or a folder of such, in place of the current "
    "folder; may be given again", 1 },
  { "limit", O_LIMIT, "SECONDS", 0,
    "it hangs if it takes longer (10 s, and 10 times its time)", 1 },
  { "slowdown", O_SLOWDOWN, "X", 0,
    "threads are delayed until a run takes X times as long (3)", 1 },
  { "json", O_JSON, "FILE", 0,
    "write to FILE what was found; with --compare, too", 1 },
  { "help", 'h', 0, 0, "this text", -1 },
  { "usage", O_USAGE, 0, 0, "the options alone", -1 },
  { "version", O_VERSION, 0, 0, "the version", -1 },
  { 0 }
};

static const struct
{
  int key;
  int flags;
  const char *variable;
} meanings[] = {
  { O_AUTO, NOT_CHECKED | NOT_MEASURED, NULL },
  { O_COMPARE, NOT_CHECKED | NOT_MEASURED, NULL },
  { 's', NOT_CHECKED | NOT_MEASURED | DOES, "OMP_SCHEDULE" },
  { 'n', NOT_MEASURED, "OMP_NUM_THREADS" },
  { 'a', DOES, "GOMP_AMP_AFFINITY" },
  { 't', 0, "GOMP_AMP_TYPES" },
  { 'c', DOES, "GOMP_AMP_CORES" },
  { O_WEIGHTED, NOT_MEASURED | DOES, "GOMP_AMP_TEAM" },
  { O_REPLACE, DOES, "GOMP_AMP_REPLACE" },
  { O_SF, NOT_CHECKED | NOT_MEASURED, "GOMP_AMP_SF" },
  { O_LOOPS, NOT_CHECKED | NOT_MEASURED, NULL },
  { O_MEASURE, NOT_CHECKED | DOES, NULL },
  { O_REPORT, NOT_CHECKED, NULL },
  { O_TRACE, NOT_CHECKED | NOT_MEASURED, NULL },
  { O_CHECK, NOT_MEASURED | DOES, NULL },
  { O_INFO, NOT_CHECKED | NOT_MEASURED, NULL },
  { O_DRY, NOT_CHECKED | NOT_MEASURED, NULL },
  { O_COPY, OF_CHECK, NULL }, { O_RUNS, OF_CHECK | OF_BOTH, NULL },
  { O_SEED, OF_CHECK, NULL },
  { O_TOLERANCE, OF_CHECK, NULL }, { O_IGNORE, OF_CHECK, NULL },
  { O_OUTPUT, OF_CHECK, NULL }, { O_LIMIT, OF_CHECK, NULL },
  { O_SLOWDOWN, OF_CHECK, NULL }, { O_JSON, OF_CHECK | OF_BOTH, NULL }
};

static const char *
option_name (int key)
{
  for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++)
    if (key != 0 && options[i].key == key && options[i].name != NULL)
      return text ("--%s", options[i].name);
  return "";
}

/* One thing is done, what says that is NAME; of what only looks the first.  */

static void
set_mode (int to, const char *name)
{
  static const char *before;

  if (mode != RUN && (int) mode != to && (mode > DRY || to > DRY))
    die ("%s and %s exclude each other", to > (int) mode ? name : before,
	 to > (int) mode ? before : name);
  if (mode == RUN)
    before = name;
  if (mode == RUN || to > DRY)
    mode = to;
}

static error_t
option (int key, char *value, struct argp_state *state)
{
  const char *name = option_name (key), *variable = NULL;
  unsigned i, flags = 0;

  for (i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
    if (meanings[i].key == key)
      {
	flags = meanings[i].flags;
	variable = meanings[i].variable;
      }
  if (value != NULL && key != ARGP_KEY_ARG && *value == '\0')
    die ("%s: the value is empty", name);
  if (value != NULL && key != ARGP_KEY_ARG && strchr (value, '\n') != NULL)
    die ("%s: the value has more than one line", name);
  if (flags & NOT_CHECKED)
    unchecked = name;
  if (flags & NOT_MEASURED)
    excluded = name;
  if (flags & DOES)
    doing = name;
  if (flags & OF_CHECK)
    {
      if (!(flags & OF_BOTH))
	check_alone = name;
      if (ncheck_words < sizeof check_words / sizeof check_words[0])
	check_words[ncheck_words++]
	  = value == NULL ? (char *) name : text ("%s=%s", name, value);
      return 0;
    }
  if (key == O_WEIGHTED && value != NULL
      && (strspn (value, "0123456789") != strlen (value)
	  || strtoul (value, NULL, 10) - 1 > 63))
    die ("%s=%s: a number of threads from 1 to 64 is expected", name, value);
  if (key == O_WEIGHTED)
    set_variable (variable, (value != NULL ? text ("weighted,%s", value)
			     : "weighted"));
  else if (variable != NULL)
    set_variable (variable, value);
  switch (key)
    {
    case 's': case 'n': case 'a': case 't': case 'c': case O_REPLACE: case O_SF:
      break;
    case O_AUTO:
      automatic = true;
      break;
    case O_WEIGHTED:
      weighted = true;
      break;
    case O_COMPARE:
      set_mode (COMPARE, name);
      forms = value != NULL ? value : "";
      break;
    case O_VERIFY:
      verify = true;
      break;
    case O_PRELOAD:
      look.preload = true;
      break;
    case O_LOOPS:
      loops_file = value;
      break;
    case O_MEASURE:
      set_mode (MEASURE, name);
      sf_file = value;
      break;
    case O_REPORT:
      report = true;
      set_variable ("GOMP_AMP_REPORT", "1");
      break;
    case O_TRACE:
      trace = value;
      break;
    case O_CHECK:
      set_mode (CHECK, name);
      break;
    case O_INFO: case O_DRY:
      set_mode (key == O_INFO ? INFO : DRY, name);
      break;
    case 'q': case 'v':
      quiet = key == 'q';
      verbose = key == 'v';
      break;
    case 'h':
      argp_state_help (state, stdout, ARGP_HELP_STD_HELP);
      break;
    case O_USAGE:
      argp_state_help (state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
      break;
    case O_VERSION:
      puts ("amp-run (gomp-amp) " AMP_VERSION);
      exit (0);
    default:
      /* The first word that is no option, the program, ends them.  */
      return ARGP_ERR_UNKNOWN;
    }
  return 0;
}

static const struct argp parser = {
  options, option, "program argument...",
  "Runs a program that gcc built with OpenMP on gomp-amp's libgomp, without "
  "recompilation."
  "\vThe status is the program's; 2: wrong usage, or what is to be written "
  "cannot be; 126: cannot be run; 127: not found; 1 also: --measure-sf found no "
  "loop, --check one that relies on static's division; 0 also: --check found "
  "no loop to check; 125: --check or --compare has nothing to go by, for the "
  "program fails.\nSee also: amp-run(1), gomp-amp(7)",
  NULL, NULL, NULL
};

/* What excludes what.  */

static void
judge_options (void)
{
  if (mode == MEASURE && excluded != NULL)
    die ("--measure-sf and %s exclude each other", excluded);
  if (automatic && doing != NULL)
    die ("--auto and %s exclude each other", doing);
  if (verify && !automatic)
    die ("--verify goes with --auto");
  if (mode == CHECK && unchecked != NULL)
    die ("--check and %s exclude each other", unchecked);
  if (mode == COMPARE && (automatic || report || trace != NULL))
    die ("--compare and %s exclude each other",
	 automatic ? "--auto" : report ? "--report" : "--trace");
  if (mode != CHECK && check_alone != NULL)
    die ("%s goes with --check", check_alone);
  if (mode != CHECK && mode != COMPARE && ncheck_words != 0)
    die ("%.*s goes with --check or --compare",
	 (int) strcspn (check_words[0], "="), check_words[0]);
  /* Hints are for people: a script sees what the program says alone, unless it
     asked.  */
  if (!quiet && !verbose && mode != CHECK && mode != MEASURE
      && mode != INFO)
    quiet = !isatty (2) && !report;
}

/* Processes.  */

/* What signals did when amp-run was started, which a program gets; while
   amp-run is at work, children can be waited for, and nothing that cannot be
   said ends it.  */
static struct { int number; void (*here) (int); struct sigaction before; }
  kept[] = {
    { SIGCHLD, SIG_DFL, { } }, { SIGPIPE, SIG_IGN, { } },
    { SIGXFSZ, SIG_IGN, { } }
  };

#define NKEPT (sizeof kept / sizeof kept[0])

static void
keep_signals (void)
{
  for (unsigned i = 0; i < NKEPT; i++)
    {
      sigaction (kept[i].number, NULL, &kept[i].before);
      signal (kept[i].number, kept[i].here);
    }
}

void
restore_signals (void)
{
  for (unsigned i = 0; i < NKEPT; i++)
    sigaction (kept[i].number, &kept[i].before, NULL);
}

/* Nothing that is opened here becomes the program's standard input, output or
   error.  */

static void
occupy_descriptors (void)
{
  int fd;

  do
    fd = open ("/dev/null", O_RDWR | O_CLOEXEC);
  while (fd >= 0 && fd <= 2);
  if (fd > 2)
    close (fd);
}

int
become (const char *path, char **argv)
{
  int error;
  unsigned n;

  restore_signals ();
  execve (path, argv, environ);
  /* What is set here may be the little that is too much.  */
  if (errno == E2BIG)
    execve (path, argv, first_environ);
  error = errno;
  if (error == ENOEXEC && !look.machine_code)
    {
      /* What has no first line that says so is a script of the shell's.  */
      for (n = 0; argv[n] != NULL; n++)
	;
      char **more = checked (malloc ((n + 2) * sizeof *more));
      memcpy (more + 1, argv, (n + 1) * sizeof *more);
      more[0] = (char *) "sh";
      more[1] = (char *) path;
      execve ("/bin/sh", more, environ);
    }
  say ("%s: %s", path, strerror (error));
  return error == ENOENT ? 127 : 126;
}

char *
output_of (char *const *argv, int from, char *const *set)
{
  char *all = checked (calloc (1, 1));
  size_t have = 0;
  ssize_t n;
  int ends[2];
  pid_t pid;

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return all;
  pid = fork ();
  if (pid == 0)
    {
      int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

      if (null < 0 || dup2 (null, 0) < 0 || dup2 (null, 3 - from) < 0)
	{
	  close (0);
	  close (3 - from);
	}
      dup2 (ends[1], from);
      for (; set != NULL && *set != NULL; set++)
	putenv (*set);
      restore_signals ();
      execv (argv[0], argv);
      _exit (127);
    }
  close (ends[1]);
  do
    {
      all = checked (realloc (all, have + 4097));
      n = read (ends[0], all + have, 4096);
      if (n > 0)
	have += (size_t) n;
    }
  while (n > 0 || (n < 0 && errno == EINTR));
  all[have] = '\0';
  close (ends[0]);
  if (pid > 0)
    while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
      ;
  return all;
}

char *
find_program (const char *name)
{
  const char *path = getenv ("PATH"), *end;
  int error = ENOENT;
  struct stat st;
  char *found;

  if (strchr (name, '/') != NULL || *name == '\0')
    path = "";
  else if (path == NULL)
    path = "/bin:/usr/bin";
  for (;; path = end + 1)
    {
      end = strchrnul (path, ':');
      if (strchr (name, '/') != NULL)
	found = text ("%s", name);
      else if (end == path)
	found = text ("./%s", name);
      else
	found = text ("%.*s/%s", (int) (end - path), path, name);
      if (*name == '\0')
	;
      else if (stat (found, &st) != 0)
	/* A folder of PATH that may not be read has nothing for us.  */
	error = errno == EACCES && strchr (name, '/') != NULL ? EACCES : error;
      else if (S_ISREG (st.st_mode) && access (found, X_OK) == 0)
	return found;
      else
	error = EACCES;
      free (found);
      if (*end == '\0')
	break;
    }
  errno = error;
  return NULL;
}

char *
unnamed_file (int *fd)
{
  struct rlimit limit;
  char *name;
  int high;

  /* Beyond a limit who writes is killed.  */
  *fd = (getrlimit (RLIMIT_FSIZE, &limit) == 0
	 && limit.rlim_cur == RLIM_INFINITY
	 ? memfd_create ("amp-run", MFD_CLOEXEC) : -1);
  if (*fd < 0)
    return NULL;
  /* What outlives this process must not find a file of one that has its number
     then.  */
  high = fcntl (*fd, F_DUPFD_CLOEXEC, 700);
  if (high >= 0)
    {
      close (*fd);
      *fd = high;
    }
  name = text ("/proc/%ld/fd/%d", (long) getpid (), *fd);
  if (access (name, W_OK) == 0)
    return name;
  close (*fd);
  *fd = -1;
  return NULL;
}

static volatile sig_atomic_t child;

/* What was sent to this process was meant for the program, if not sent by it;
   what the terminal sends, both get; a write that fails tells of this process
   alone, and so does a fault.  */

static void
pass_on (int number, siginfo_t *info, void *context)
{
  int error = errno;

  (void) context;
  if (info->si_code > 0 && info->si_code != SI_KERNEL)
    signal (number, SIG_DFL);
  else if (child > 0 && info->si_pid != getpid () && info->si_pid != child
	   && (info->si_code != SI_KERNEL || number == SIGALRM))
    {
      if (info->si_code == SI_QUEUE)
	sigqueue (child, number, info->si_value);
      else
	kill (child, number);
    }
  errno = error;
}

static bool
passed_p (int number)
{
  struct sigaction here;

  /* Those that a library handles which was preloaded stay with it.  */
  if (sigaction (number, NULL, &here) != 0
      || ((here.sa_flags & SA_SIGINFO) == 0 && here.sa_handler != SIG_DFL
	  && here.sa_handler != SIG_IGN)
      || ((here.sa_flags & SA_SIGINFO) != 0 && here.sa_sigaction != pass_on))
    return false;
  return (number != SIGKILL && number != SIGSTOP && number != SIGCHLD
	  && (number <= 31 || number >= SIGRTMIN));
}

/* What the program has open is its own to close: keep none of it, but for the
   standard error.  */

static void
let_go (void)
{
  DIR *folder = opendir ("/proc/self/fd");
  struct dirent *entry;
  int fd, null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  for (fd = 0; null >= 0 && fd < 2; fd++)
    dup3 (null, fd, O_CLOEXEC);
  if (null > 2)
    close (null);
  while (folder != NULL && (entry = readdir (folder)) != NULL)
    {
      fd = atoi (entry->d_name);
      if (fd > 2 && (fcntl (fd, F_GETFD) & FD_CLOEXEC) == 0)
	close (fd);
    }
  if (folder != NULL)
    closedir (folder);
}

int
run_below (const char *path, char **argv, int output, double *seconds)
{
  struct sigaction action, before[_NSIG];
  struct timespec begin, end;
  pid_t pid, self = getpid ();
  sigset_t all, mask;
  int status, i;

  /* No signal gets lost between the fork and CHILD.  */
  sigfillset (&all);
  sigprocmask (SIG_BLOCK, &all, &mask);
  memset (&action, 0, sizeof action);
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (i = 1; i < _NSIG; i++)
    if (passed_p (i))
      sigaction (i, &action, &before[i]);
  clock_gettime (CLOCK_MONOTONIC, &begin);
  pid = fork ();
  if (pid <= 0)
    for (i = 1; i < _NSIG; i++)
      if (passed_p (i))
	sigaction (i, &before[i], NULL);
  if (pid == 0)
    {
      /* Who kills amp-run means the program.  */
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      if (getppid () != self)
	_exit (125);
      if (output >= 0)
	dup2 (output, 1);
      sigprocmask (SIG_SETMASK, &mask, NULL);
      _exit (become (path, argv));
    }
  child = pid;
  sigprocmask (SIG_SETMASK, &mask, NULL);
  if (pid < 0)
    return -1;
  let_go ();
  for (;;)
    if (waitpid (pid, &status, WUNTRACED) == pid)
      {
	if (!WIFSTOPPED (status))
	  break;
	/* The shell is to see it; what has us go on is handed on, too.  */
	action.sa_handler = SIG_DFL;
	action.sa_flags = 0;
	i = WSTOPSIG (status);
	sigaction (i, &action, &before[i]);
	kill (self, i);
	sigaction (i, &before[i], NULL);
      }
    else if (errno != EINTR)
      break;
  child = 0;
  clock_gettime (CLOCK_MONOTONIC, &end);
  *seconds = ((double) (end.tv_sec - begin.tv_sec)
	      + (double) (end.tv_nsec - begin.tv_nsec) / 1e9);
  return status;
}

void
end_as (int status)
{
  sigset_t set;

  if (WIFEXITED (status))
    exit (WEXITSTATUS (status));
  fflush (NULL);
  /* One core of the two is enough.  */
  prctl (PR_SET_DUMPABLE, 0);
  signal (WTERMSIG (status), SIG_DFL);
  sigemptyset (&set);
  sigaddset (&set, WTERMSIG (status));
  kill (getpid (), WTERMSIG (status));
  sigprocmask (SIG_UNBLOCK, &set, NULL);
  exit (128 + WTERMSIG (status));
}

/* What the library says.  */

/* What it says to what is set, in a process that does nothing else.  */

static char *
shown (void)
{
  char *info[] = { text ("%s/bin/amp-info", prefix), (char *) "--version",
		   NULL };
  /* No variable that has it write something.  */
  char *set[] = {
    text ("LD_PRELOAD=%s/libgomp.so.1", lib), (char *) "LC_ALL=C",
    (char *) "OMP_DISPLAY_ENV=verbose", (char *) "GOMP_AMP_REPORT=",
    (char *) "GOMP_AMP_TRACE=", NULL
  };

  return output_of (info, 2, set);
}

/* The library itself says what is wrong with a value: so there is one grammar.
   What is wrong in the environment it says to the program, too.  The user has
   written an option, not its variable, and had the value behind it.  */

static void
judge_values (void)
{
  static const char invalid[] = "Invalid value for environment variable ";
  char *line, *save, *s, *reason;
  const char *name;

  for (line = strtok_r (shown (), "\n", &save); line != NULL;
       line = strtok_r (NULL, "\n", &save))
    for (unsigned i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
      {
	name = meanings[i].variable;
	if (name == NULL || !set_here (name)
	    || strncmp (line, "libgomp: ", 9) != 0
	    || (s = strstr (line, name)) == NULL
	    || strspn (s, CAPITALS) != strlen (name))
	  continue;
	if ((reason = strstr (line, "; it is ignored")) != NULL)
	  *reason = '\0';
	if (s == line + 9)
	  die ("%s%s", option_name (meanings[i].key), s + strlen (name));
	if (strncmp (line + 9, invalid, strlen (invalid)) != 0)
	  die ("%s", line + 9);
	reason = s[strlen (name)] == ':' ? s + strlen (name) + 1 : NULL;
	if (reason != NULL && reason[1] == '\''
	    && strstr (reason, "': ") != NULL)
	  reason = strstr (reason, "': ") + 2;
	die ("%s=%s:%s", option_name (meanings[i].key), getenv (name),
	     /* Some versions of libgomp say the value again, and no more.  */
	     reason != NULL && strcmp (reason + 1, getenv (name)) != 0
	     ? reason : meanings[i].key == 'n'
	     ? " whole numbers from 1 are expected" : " not valid");
      }
}

/* GROMACS, PyTorch and scikit-learn go by OMP_NUM_THREADS, or by the number of
   CPUs, and never ask the library: so set it, where nobody did, to what the
   library comes to by what is set.  */

static void
set_threads_of_team (void)
{
  static const char words[] = "[host] threads of a team = '";
  const char *said;
  unsigned long n;
  cpu_set_t cpus;

  if (given ("OMP_NUM_THREADS") != NULL)
    return;
  said = strstr (shown (), words);
  n = said != NULL ? strtoul (said + strlen (words), NULL, 10) : 0;
  /* As many as CPUs: all are equal, or the library leaves them alone.  */
  if (n == 0 || (sched_getaffinity (0, sizeof cpus, &cpus) == 0
		 && n == (unsigned long) CPU_COUNT (&cpus)))
    return;
  set_variable ("OMP_NUM_THREADS", text ("%lu", n));
  /* Otherwise MKL, and PyTorch with it, takes no more than cores.  */
  if (given ("GOMP_AMP_TEAM") != NULL && given ("MKL_DYNAMIC") == NULL)
    set_variable ("MKL_DYNAMIC", "FALSE");
}

/* The machine.  */

/* A text that tells it from others, and how many types of cores a program may
   use.  */
static char *machine;
static unsigned types;

static void
look_at_machine (void)
{
  char *info[] = { text ("%s/bin/amp-info", prefix), (char *) "--json", NULL };
  static const char quota[] = "\"quota\": ";
  char *said, *s;

  if (machine != NULL)
    return;
  said = output_of (info, 1, NULL);
  for (s = said; (s = strstr (s, "\"used\": true")) != NULL; s++)
    types++;
  s = strstr (said, quota);
  machine = text ("%.*s%.*s",
		  (int) (strstr (said, "\"siblings\"") != NULL
			 ? strstr (said, "\"siblings\"") - said : 0), said,
		  s != NULL ? (int) strcspn (s + strlen (quota), ",") : 0,
		  s != NULL ? s + strlen (quota) : "");
}

/* What helps.  */

/* Both ascend, as the program's own do.  */
#define REPLACED "dynamic=aid_dynamic,guided=aid_dynamic"

static void
add_word (char **list, const char *before, const char *word)
{
  *list = text ("%s%s%s", *list, before, word);
}

/* Set for PATH what is known to help and what no program can see, and say so,
   and what else may help.  DOING says why nothing is set.  */

static void
help (const char *path)
{
  const char *name = base_name (path);
  char *found = text ("%s", ""), *other = text ("%s", "");
  bool done = false;

  if (look.kind == CLOSED || look.library == OTHER)
    return;
  /* Nothing to do, nothing to say: the machine is not asked.  */
  if (quiet && !automatic && (look.kind != ELF || !calls (BY_RUNTIME)))
    return;
  look_at_machine ();
  if (types < 2)
    {
      add_line (&look.advice, "the CPUs are alike, as far as is known "
		"(amp-info says why): no schedule or team gains much");
      return;
    }
  if (look.kind == SCRIPT)
    add_line (&look.advice, "a script; what it starts gets what is set here, "
	      "and amp-run before that program says more");
  if (look.kind == SCRIPT
      || (look.kind == ELF && look.library == NONE && !look.preload))
    return;
  if (look.kind == PYTHON || look.library == NONE)
    add_word (&found, ", ", "what it loads is not known");
  else
    {
      if (calls (BY_CHOICE))
	add_word (&found, ", ", "loops divided by speed");
      if (calls (BY_RUNTIME))
	{
	  /* What the program can see is its own.  */
	  done = !calls ("^omp_[gs]et_schedule_?");
	  add_word (&found, ", ", done
		    ? "schedule(runtime) loops, by speed here (OMP_SCHEDULE=auto)"
		    : "schedule(runtime) loops, for which it chooses");
	}
      if (calls (BY_CHUNKS))
	add_word (&found, ", ", "dynamic or guided loops");
      if (calls (BY_NUMBER))
	add_word (&found, ", ",
		  "static loops or work divided by thread number");
      if (calls ("^GOMP_task"))
	add_word (&found, ", ", "tasks");
    }
  if (done)
    set_variable ("OMP_SCHEDULE", "auto");
  if (automatic)
    return;
  if (form_allowed (WEIGHTED) || form_allowed (BIG) || form_allowed (REPLACE))
    add_word (&other, ", or ", "--auto, which learns from some runs");
  if (look.sizes != NULL && (look.kind != ELF || calls (BY_NUMBER)))
    add_word (&other, ", or ",
	      text ("--weighted, if more threads than CPUs suit it%s%s",
		    look.kind == ELF ? ": " : "",
		    look.kind == ELF ? look.sizes : ""));
  if (look.kind == ELF && calls (BY_NUMBER)
      && !calls ("runtime|" BY_CHOICE))
    add_word (&other, ", or ", "to compile it with amp-gcc");
  add_line (&look.advice, "%s: %s%s%s", name,
	    *found != '\0' ? found + 2 : "no loops",
	    *other != '\0' ? "; what may help: " : "",
	    *other != '\0' ? other + 5 : "");
}

/* --auto.  The form that was chosen, or FORMS: the program runs as if the
   option had not been given.  */

static unsigned
choose (const char *path, char **argv)
{
  static const char *const others[] = {
    "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"
  };
  const char *what;
  unsigned i, form;

  for (i = 0; doing == NULL && i < sizeof others / sizeof others[0]; i++)
    if (given (others[i]) != NULL)
      doing = others[i];
  if (doing != NULL)
    {
      hint ("--auto changes nothing, because %s is set", doing);
      return FORMS;
    }
  if (types < 2 || look.kind == CLOSED || look.library == OTHER)
    return FORMS;
  for (i = STOCK + 1; i < FORMS && !form_allowed (i); i++)
    ;
  if (i == FORMS)
    {
      hint ("--auto: there is nothing to choose%s", look.sizes_by_all
	    ? text (", as %s", look.sizes) : "");
      return FORMS;
    }
  if (mode == INFO)
    {
      show_memory (machine, path, argv);
      return FORMS;
    }
  form = choose_form (machine, path, argv, verify, &what);
  switch (form)
    {
    case WEIGHTED:
      set_variable ("GOMP_AMP_TEAM", "weighted");
      set_threads_of_team ();
      break;
    case BIG:
      set_variable ("GOMP_AMP_CORES", "big");
      set_threads_of_team ();
      break;
    case REPLACE:
      set_variable ("GOMP_AMP_REPLACE", REPLACED);
    }
  if (what == NULL)
    return FORMS;
  if (strcmp (what, "new") == 0)
    {
      hint ("--auto: a first run, with %s", form_texts[form]);
      if (look.sizes != NULL)
	hint ("--auto: no more threads than CPUs%s, as %s; --weighted makes "
	      "more all the same", look.sizes_by_all ? ", nor fewer" : "",
	      look.sizes);
    }
  else if (strcmp (what, "trying") == 0)
    hint ("--auto: a run to find out about %s", form_texts[form]);
  return form;
}

/* Runs.  */

/* What Python's variables say is for the program: its modules may have names of
   those that our scripts need.  No cache is left beside these.  What the
   program is given and prints need be no text.  */
#define PYTHON_OPTIONS "-EBXutf8"

/* Become a script of ours in Python's, which sets what is set by itself.  */

static void __attribute__ ((noreturn))
become_script (const char *name, char **words, char **rest)
{
  char *python = find_program ("python3");
  char **all;
  unsigned n, i;

  for (n = 0; rest[n] != NULL; n++)
    ;
  all = checked (calloc (n + nsettings + ncheck_words + 12, sizeof *all));
  n = 0;
  /* It has a standard input, output and error.  */
  for (i = 0; i < 3; i++)
    fcntl ((int) i, F_SETFD, 0);
  all[n++] = (char *) "python3";
  all[n++] = (char *) PYTHON_OPTIONS;
  all[n++] = text ("%s/libexec/gomp-amp/%s", prefix, name);
  for (i = 0; i < ncheck_words; i++)
    all[n++] = check_words[i];
  for (i = 0; i < nsettings; i++)
    all[n++] = text ("--set=%s", settings[i]);
  for (; *words != NULL; words++)
    all[n++] = *words;
  for (; *rest != NULL; rest++)
    all[n++] = *rest;
  execve (python, all, first_environ);
  say ("%s: %s", python, strerror (errno));
  exit (126);
}

/* A report that stands in FD, with the lines of the source; nothing was
   reported, and REGIONS has what is known of regions.  */

static void
tell_report (const char *path, int fd, int regions, int status)
{
  char *python = find_program ("python3");
  char *libraries = getenv ("LD_LIBRARY_PATH");
  char *script = text ("%s/libexec/gomp-amp/amp_places.py", prefix);
  char buffer[4096];
  unsigned long long all = 0, some;
  unsigned threads, most = 0;
  bool served = false;
  struct stat st;
  ssize_t n;
  pid_t pid;
  FILE *f;

  if (fstat (fd, &st) == 0 && st.st_size != 0)
    {
      lseek (fd, 0, SEEK_SET);
      fflush (stderr);
      pid = python != NULL ? fork () : -1;
      if (pid == 0)
	{
	  dup2 (fd, 0);
	  dup2 (2, 1);
	  restore_signals ();
	  execle (python, python, PYTHON_OPTIONS, script, path,
		  libraries != NULL ? libraries : "", (char *) NULL,
		  first_environ);
	  _exit (127);
	}
      if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
	for (lseek (fd, 0, SEEK_SET);
	     (n = read (fd, buffer, sizeof buffer)) > 0;)
	  if (write (2, buffer, (size_t) n) < 0)
	    break;
      return;
    }
  if (!WIFEXITED (status) || regions < 0)
    return;
  lseek (regions, 0, SEEK_SET);
  f = fdopen (regions, "r");
  while (f != NULL && fgets (buffer, sizeof buffer, f) != NULL)
    if (sscanf (buffer, "%llu %*f %u", &some, &threads) == 2)
      {
	served = true;
	all += some;
	most = most > threads ? most : threads;
      }
  if (!served)
    hint ("nothing to report: no process of it ended on our library; it has no "
	  "OpenMP, or another library%s",
	  look.preload || look.kind == CLOSED || look.library == OTHER ? ""
	  : ", which --preload puts ours in front of");
  else if (most < 2)
    hint ("nothing to report: no parallel region of several threads ran");
  else
    hint ("nothing to report: of its %llu parallel regions no loop entered the "
	  "library (static loops, or work divided by thread number)%s", all,
	  types < 2 ? "; the CPUs are alike, as far as is known"
	  : form_allowed (WEIGHTED) || form_allowed (BIG)
	  ? "; a team by speed may help: --auto"
	  : look.sizes_by_all ? "" : "; a team by speed may help: --weighted");
}

/* A new folder beside the trace, for what is to be converted may be large.  */

static char *
folder_of_trace (void)
{
  struct stat st;
  const char *slash = strrchr (trace, '/');
  char *name = text ("%.*s.amp-run.XXXXXX",
		     slash != NULL ? (int) (slash + 1 - trace) : 0, trace);
  char *real;

  if (find_program ("python3") == NULL)
    die ("--trace needs python3 (apt-get install python3)");
  if (stat (trace, &st) == 0 && S_ISDIR (st.st_mode))
    die ("--trace: %s is a folder", trace);
  if (mkdtemp (name) == NULL || (real = realpath (name, NULL)) == NULL)
    die ("--trace: cannot write %s", trace);
  return real;
}

/* Where a trace is collected.  */
static char *folder;

/* Oldest first, as two processes may have one file.  */

static int
by_age (const struct dirent **a, const struct dirent **b)
{
  struct stat x, y;

  if (stat (text ("%s/%s", folder, (*a)->d_name), &x) != 0
      || stat (text ("%s/%s", folder, (*b)->d_name), &y) != 0)
    return 0;
  if (x.st_mtim.tv_sec != y.st_mtim.tv_sec)
    return x.st_mtim.tv_sec < y.st_mtim.tv_sec ? -1 : 1;
  return (x.st_mtim.tv_nsec > y.st_mtim.tv_nsec)
	 - (x.st_mtim.tv_nsec < y.st_mtim.tv_nsec);
}

static int
spool_p (const struct dirent *entry)
{
  return strstr (entry->d_name, ".spool") != NULL;
}

/* The spools, one of each process, to the trace; their folder goes.  Without %p
   in the trace's name that of the process that ended last stays.  */

static void
convert (void)
{
  size_t n = strlen (trace);
  const char *to = (n > 4 && strcmp (trace + n - 4, ".prv") == 0
		    ? "prv" : "json");
  const char *mark = strstr (trace, "%p");
  char *python = find_program ("python3");
  struct dirent **spools;
  int i, count = scandir (folder, &spools, spool_p, by_age);

  if (count <= 0)
    hint ("nothing to trace: no loop entered our library; --report says why");
  for (i = 0; i < count; i++)
    {
      const char *name = spools[i]->d_name;
      char *spool = text ("%s/%s", folder, name);
      char *out = mark == NULL ? text ("%s", trace)
		  : text ("%.*s%.*s%s", (int) (mark - trace), trace,
			  (int) strcspn (name, "."), name, mark + 2);
      pid_t pid = fork ();

      if (pid == 0)
	{
	  restore_signals ();
	  execle (python, python, PYTHON_OPTIONS,
		  text ("%s/bin/amp-trace", prefix), "--to", to, spool, out,
		  (char *) NULL, first_environ);
	  _exit (127);
	}
      while (pid > 0 && waitpid (pid, NULL, 0) < 0 && errno == EINTR)
	;
      unlink (spool);
    }
  rmdir (folder);
}

/* Set GOMP_AMP_LOOPS for the program at PATH: to the lines of the file, those
   that name loops by file and line translated.  Comments say what is wrong.  */

static void
set_loops (const char *path)
{
  static const char said[] = "libgomp: GOMP_AMP_LOOPS: ";
  char *python = find_program ("python3"), *lines, *s;
  char *words[] = { python, (char *) PYTHON_OPTIONS,
		    text ("%s/libexec/gomp-amp/amp_places.py", prefix),
		    (char *) path, lib, (char *) loops_file, NULL };
  struct stat st;

  if (access (loops_file, R_OK) != 0)
    die ("--loops: cannot read %s: %s", loops_file, strerror (errno));
  if (stat (loops_file, &st) == 0 && !S_ISREG (st.st_mode))
    die ("--loops: %s is %s", loops_file,
	 S_ISDIR (st.st_mode) ? "a folder" : "no regular file");
  lines = python != NULL ? output_of (words, 1, NULL) : text ("%s", "");
  for (s = lines; (s = strchr (s, '#')) != NULL; s++)
    say ("%.*s", (int) strcspn (s + 1, "\n"), s + 1);
  /* The kernel takes no longer variable.  */
  if (*lines == '\0' || strlen (lines) > 100000)
    lines = realpath (loops_file, NULL);
  if (lines == NULL)
    lines = (char *) loops_file;
  set_variable ("GOMP_AMP_LOOPS", lines);
  /* The library says FILE:NUMBER: where it has a file, else line:NUMBER: and
     the numbers are those of the file, too.  */
  s = strstr (shown (), said);
  if (s == NULL)
    return;
  s += strlen (said);
  s += strchr (lines, '\n') != NULL ? strlen ("line") : strlen (lines);
  *strchrnul (s, '\n') = '\0';
  if ((lines = strstr (s, "; the rest of the file is ignored")) != NULL)
    *lines = '\0';
  die ("--loops: %s%s", loops_file, s);
}

/* GOMP_AMP_TRACE with FILE for regions, too.  */

char *
with_regions (const char *file)
{
  const char *trace = getenv ("GOMP_AMP_TRACE");

  return (trace != NULL && *trace != '\0'
	  ? text ("%s,regions:%s", trace, file) : text ("regions:%s", file));
}

/* With a report or a trace.  */

static void __attribute__ ((noreturn))
run_and_tell (const char *path, char **argv)
{
  char *name;
  int fd = -1, regions = -1, status;
  double seconds;

  if (report && (name = unnamed_file (&fd)) != NULL)
    {
      set_variable ("GOMP_AMP_REPORT", name);
      if ((name = unnamed_file (&regions)) != NULL)
	set_variable ("GOMP_AMP_TRACE", with_regions (name));
    }
  if (trace != NULL)
    {
      folder = folder_of_trace ();
      name = regions >= 0 ? getenv ("GOMP_AMP_TRACE") : NULL;
      set_variable ("GOMP_AMP_TRACE",
		    text ("%s%s%s/%%p.spool", name != NULL ? name : "",
			  name != NULL ? ",chunks:" : "", folder));
    }
  if (fd < 0 && folder == NULL)
    exit (become (path, argv));
  status = run_below (path, argv, -1, &seconds);
  if (status < 0)
    {
      if (folder != NULL)
	rmdir (folder);
      setenv ("GOMP_AMP_REPORT", report ? "1" : "0", 1);
      unsetenv ("GOMP_AMP_TRACE");
      exit (become (path, argv));
    }
  if (fd >= 0)
    {
      tell_report (path, fd, regions, status);
      /* There may not be many.  */
      close (fd);
      close (regions);
    }
  if (folder != NULL)
    convert ();
  end_as (status);
}

/* The two paths that libraries are found by, with ours in front.  */

static void
set_paths (void)
{
  const char *path = given ("LD_LIBRARY_PATH"), *before = given ("LD_PRELOAD");

  if (look.refused)
    return;
  if (strpbrk (lib, ":;$") != NULL)
    {
      say ("the dynamic linker takes no path with colons: %s; the program runs "
	   "without our library", lib);
      return;
    }
  set_variable ("LD_LIBRARY_PATH", text ("%s%s%s", lib, path != NULL ? ":" : "",
					 path != NULL ? path : ""));
  if (!look.preload)
    return;
  if (strpbrk (lib, " \t\n") != NULL)
    say ("LD_PRELOAD takes no path with blanks: %s; another libgomp may serve",
	 lib);
  else
    set_variable ("LD_PRELOAD",
		  text ("%s/libgomp.so.1%s%s", lib, before != NULL ? ":" : "",
			before != NULL ? before : ""));
}

static void
print_lines (FILE *f, const char *before, const char *lines)
{
  for (; lines != NULL && *lines != '\0'; lines = strchr (lines, '\n') + 1)
    fprintf (f, "%s%.*s\n", before, (int) strcspn (lines, "\n"), lines);
}

/* The status of what was asked to print.  */

static int
printed (void)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return 0;
  say ("cannot write the output");
  return 2;
}

static void
copy_environment (void)
{
  unsigned n;

  for (n = 0; environ[n] != NULL; n++)
    ;
  first_environ = checked (malloc ((n + 1) * sizeof *first_environ));
  memcpy (first_environ, environ, (n + 1) * sizeof *first_environ);
}

int
main (int argc, char **argv)
{
  static const char *const chosen[] = {
    "OMP_SCHEDULE", "GOMP_AMP_REPLACE", "GOMP_AMP_TEAM", "GOMP_AMP_AFFINITY",
    "GOMP_AMP_CORES", "GOMP_AMP"
  };
  unsigned i, form = FORMS;
  int first = 1;
  char *path, *s;

  occupy_descriptors ();
  keep_signals ();
  copy_environment ();
  prefix = realpath ("/proc/self/exe", NULL);
  if (prefix == NULL && (s = find_program (argv[0])) != NULL)
    prefix = realpath (s, NULL);
  if (prefix == NULL)
    die ("cannot find out where gomp-amp is installed");
  for (i = 0; i < 2; i++)
    if ((s = strrchr (prefix, '/')) != NULL)
      *s = '\0';
  lib = text ("%s/lib", prefix);
  argv[0] = (char *) "amp-run";
  argp_err_exit_status = 2;
  argp_parse (&parser, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP, &first, NULL);
  if (first >= argc)
    die ("no program given (--help)");
  argv += first;
  if (*argv[0] == '\0')
    die ("the name of the program is empty");
  judge_options ();
  if (mode >= MEASURE && find_program ("python3") == NULL)
    die ("%s needs python3 (apt-get install python3)", mode == MEASURE
	 ? "--measure-sf" : mode == CHECK ? "--check" : "--compare");
  if (access (text ("%s/libgomp.so.1", lib), F_OK) != 0)
    die ("no library in %s: is gomp-amp installed?", lib);
  /* A spool is written by the library alone.  */
  if (trace != NULL && strlen (trace) > 6
      && strcmp (trace + strlen (trace) - 6, ".spool") == 0)
    {
      s = getcwd (NULL, 0);
      set_variable ("GOMP_AMP_TRACE", *trace == '/' || s == NULL
		    ? trace : text ("%s/%s", s, trace));
      trace = NULL;
    }
  if (nsettings != 0)
    judge_values ();
  if (weighted || set_here ("GOMP_AMP_CORES"))
    set_threads_of_team ();
  path = find_program (argv[0]);
  if (path == NULL)
    {
      first = errno == EACCES ? 126 : 127;
      s = strrchr (argv[0], '.');
      if (access (argv[0], F_OK) == 0 && s != NULL
	  && (strcmp (s, ".py") == 0 || strcmp (s, ".R") == 0))
	say ("%s: not an executable file; its interpreter runs it: amp-run %s "
	     "%s", argv[0], s[1] == 'p' ? "python3" : "Rscript", argv[0]);
      else if (first == 126)
	say ("%s: not an executable file", argv[0]);
      else if (strchr (argv[0], '/') == NULL && access (argv[0], F_OK) == 0)
	say ("%s: not found in PATH; the one in this folder is ./%s", argv[0],
	     argv[0]);
      else
	say ("%s: not found", argv[0]);
      return first;
    }

  if (loops_file != NULL)
    set_loops (path);
  for (i = 0; doing == NULL && i < sizeof chosen / sizeof chosen[0]; i++)
    if (given (chosen[i]) != NULL)
      doing = chosen[i];
  look_at_program (path, mode == INFO || doing == NULL
		   || (!quiet && given ("OMP_SCHEDULE")));
  if (!weighted && given ("OMP_SCHEDULE") != NULL
      && look.kind == ELF && look.library == GOMP && calls (".")
      && !calls ("runtime|" BY_CHOICE
		 "|^GOMP_loop_start$|^GOMP_loop_ull_start$"))
    add_line (&look.advice, "%s has no loop whose schedule is chosen when it "
	      "runs: OMP_SCHEDULE has no effect; compile it with amp-gcc "
	      "(amp-g++, amp-gfortran) or write schedule(runtime)", path);
  if (doing == NULL)
    help (path);
  if (!quiet && mode != INFO
      && (mode != COMPARE || look.kind == CLOSED || look.library == OTHER))
    print_lines (stderr, "amp-run: ", look.advice);
  if (automatic)
    form = choose (path, argv);
  if (mode == INFO)
    {
      print_lines (stdout, "", look.facts);
      print_lines (stdout, "note: ", look.advice);
      return printed ();
    }
  set_paths ();
  /* What amp-gcc has linked then says so if another library serves it.  */
  if (!quiet && mode != DRY)
    setenv ("AMP_GUARD", "1", 1);
  switch (mode)
    {
    case DRY:
      for (i = 0; i < nsettings; i++)
	puts (settings[i]);
      return printed ();
    case MEASURE:
      {
	char *words[] = { (char *) "--", text ("%s/bin/amp-info", prefix),
			  (char *) sf_file, path, NULL };

	become_script ("amp-measure", words, argv + 1);
      }
    case CHECK:
      {
	char *words[] = { quiet ? (char *) "--quiet" : (char *) "--",
			  quiet ? (char *) "--" : path, quiet ? path : NULL,
			  NULL };

	become_script ("amp-check", words, argv + 1);
      }
    case COMPARE:
      {
	char *words[] = { text ("--forms=%s", forms),
			  text ("--replaced=%s", REPLACED), (char *) "--",
			  text ("%s/bin/amp-info", prefix), path, NULL };

	become_script ("amp-compare", words, argv + 1);
      }
    default:
      break;
    }
  if (report || trace != NULL)
    run_and_tell (path, argv);
  if (form != FORMS)
    run_form (form, path, argv, verify);
  return become (path, argv);
}

/* amp-auto: which form of a team a program gets from amp-run
   --weighted=auto, and what is remembered of it between runs.

   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: amp-auto choose SETTINGS MACHINE PROGRAM ARGUMENT...
   or "show", or FORM:SECTION, in the place of "choose"; after -q: quietly.

   SETTINGS are lines NAME=VALUE, which the program's environment gets, and
   MACHINE is a text that tells one machine from others.  "choose" prints
   FORM:SECTION, and whether that is "new", "trying" or "settled".  With these
   the program is run, whose settings have that form by then, and it is
   remembered how long it took, unless it failed or another run that is measured
   went on at the time.

   The file.  One a program, in the user's cache folder; where the program is an
   interpreter, one a script.  Text; the first lines say what it is about, and
   if one of them is not as it would be written now, the file is as good as
   none.  A section is where and how a program was started: the machine, the
   arguments, the current folder and the variables of OpenMP.
   docs/use/environment.md has the format.

   Invariants:
   - A file is replaced by rename, so a reader sees a whole one; who writes
     holds the lock file's lock from reading to renaming.
   - What cannot be read or written costs memory, never the program's run.  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The first line of a file.  */
#define FORMAT "gomp-amp verdicts 1"

/* So many of a form's last times are kept; the least one counts, since what
   else a machine does makes a run longer, never shorter.  */
#define TIMES 3

/* A form whose time is within the first of these of the best one's is tried
   until it has as many times as are kept, within the second one twice.  */
#define NEAR 1.10
#define WIDE 1.50

/* After so many failures, and no success, a form is not tried again.  */
#define FAILURES 2

/* Sections in a file; the one that was used least recently goes.  */
#define SECTIONS 64

/* Regions of one thread a CPU that are shorter than this cannot gain by more
   threads, nor can those that take less than this part of the time.  */
#define SHORT_SECONDS 10e-6
#define SERIAL_PART 0.02

enum { STOCK, WEIGHTED, BIG, FORMS };

static const char *const form_names[FORMS] = { "stock", "weighted", "big" };
static const char *const form_texts[FORMS]
  = { "one thread a CPU", "a weighted team", "the fast CPUs only" };

struct form
{
  unsigned times;
  unsigned failures;
  double seconds[TIMES];	/* The newest one first.  */
  char skip[32];		/* Why it is not tried; or empty.  */
};

struct section
{
  uint64_t machine, id;
  struct form form[FORMS];
};

struct memory
{
  char *head;			/* The first lines.  */
  char *file;
  char *folder;
  uint64_t machine, id;		/* This run's section.  */
  unsigned sections;
  struct section section[SECTIONS];
};

static void *
checked (void *p)
{
  if (p == NULL)
    {
      fputs ("amp-run: out of memory\n", stderr);
      exit (125);
    }
  return p;
}

/* A string of printf's.  */

static char * __attribute__ ((format (printf, 1, 2)))
text (const char *format, ...)
{
  va_list args;
  char *s;

  va_start (args, format);
  if (vasprintf (&s, format, args) < 0)
    s = NULL;
  va_end (args);
  return checked (s);
}

/* FNV-1a, of S with its end.  */

static uint64_t
hash (uint64_t h, const char *s)
{
  do
    h = (h ^ (unsigned char) *s) * UINT64_C (0x100000001b3);
  while (*s++ != '\0');
  return h;
}

#define HASH_BEGIN UINT64_C (0xcbf29ce484222325)

/* The first argument that names a file, where PROGRAM is an interpreter.  */

static const char *
script_of (char **argv)
{
  static const char *const names[] = {
    "python", "pypy", "perl", "ruby", "Rscript", "julia", "octave", "sh", "bash",
    "dash", "lua", "node"
  };
  const char *name = strrchr (argv[0], '/');
  struct stat st;
  unsigned i;

  name = name != NULL ? name + 1 : argv[0];
  for (i = 0; i < sizeof names / sizeof names[0]; i++)
    {
      const char *rest = name + strlen (names[i]);

      if (strncmp (name, names[i], strlen (names[i])) == 0
	  && strspn (rest, "0123456789.-") == strlen (rest))
	break;
    }
  if (i == sizeof names / sizeof names[0])
    return NULL;
  for (i = 1; argv[i] != NULL; i++)
    if (argv[i][0] != '-' && stat (argv[i], &st) == 0 && S_ISREG (st.st_mode))
      return argv[i];
  return NULL;
}

/* A line about the file PATH; NULL if there is none whose name is a line.  */

static char *
file_line (const char *what, const char *path, uint64_t *h)
{
  char *real = realpath (path, NULL), *line;
  struct stat st;

  if (real == NULL || strchr (real, '\n') != NULL || stat (real, &st) != 0)
    {
      free (real);
      return NULL;
    }
  *h = hash (*h, real);
  line = text ("%s %jd %jd.%09ld %s\n", what, (intmax_t) st.st_size,
	       (intmax_t) st.st_mtim.tv_sec, (long) st.st_mtim.tv_nsec, real);
  free (real);
  return line;
}

/* What the kernel says of the processor, which MACHINE may leave out.  */

static uint64_t
hash_processor (uint64_t h)
{
  static const char *const keys[] = { "model name", "CPU part", "uarch" };
  FILE *f = fopen ("/proc/cpuinfo", "re");
  char line[1000];
  unsigned i;

  while (f != NULL && fgets (line, sizeof line, f) != NULL)
    for (i = 0; i < sizeof keys / sizeof keys[0]; i++)
      if (strncmp (line, keys[i], strlen (keys[i])) == 0)
	h = hash (h, line);
  if (f != NULL)
    fclose (f);
  return h;
}

/* The variable NAME=VALUE changes what a run does.  */

static bool
variable_counts (const char *variable)
{
  static const char *const counts[]
    = { "OMP_", "GOMP_", "OPENBLAS_", "MKL_", "BLIS_" };
  static const char *const not[]
    = { "GOMP_AMP_REPORT", "GOMP_AMP_TRACE", "GOMP_AMP_RECORD",
	"OMP_DISPLAY_" };
  unsigned i;

  for (i = 0; i < sizeof not / sizeof not[0]; i++)
    if (strncmp (variable, not[i], strlen (not[i])) == 0)
      return false;
  for (i = 0; i < sizeof counts / sizeof counts[0]; i++)
    if (strncmp (variable, counts[i], strlen (counts[i])) == 0)
      return true;
  return false;
}

static uint64_t
section_of (char **argv)
{
  uint64_t h = HASH_BEGIN, sum = 0;
  char *cwd = getcwd (NULL, 0);
  unsigned i;

  /* The name that the program was started by, too: of Python it is the
     environment with its packages.  */
  for (i = 0; argv[i] != NULL; i++)
    h = hash (h, argv[i]);
  h = hash (h, cwd != NULL ? cwd : "");
  free (cwd);
  /* In any order.  */
  for (i = 0; environ[i] != NULL; i++)
    if (variable_counts (environ[i]))
      sum += hash (HASH_BEGIN, environ[i]);
  return h ^ sum;
}

static bool
make_folder (const char *path)
{
  return mkdir (path, 0700) == 0 || errno == EEXIST;
}

/* Find M's folder, file and first lines; or a text that says why there is
   none.  */

static const char *
find (struct memory *m, const char *machine, char **argv)
{
  const char *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  const char *script = script_of (argv);
  char *base, *program_line, *script_line = NULL;
  uint64_t h = HASH_BEGIN;

  memset (m, 0, sizeof *m);
  if (cache != NULL && cache[0] == '/')
    base = text ("%s", cache);
  else if (home != NULL && home[0] == '/')
    base = text ("%s/.cache", home);
  else
    return "neither XDG_CACHE_HOME nor HOME is set";
  m->folder = text ("%s/gomp-amp", base);
  program_line = file_line ("program", argv[0], &h);
  if (script != NULL)
    script_line = file_line ("script", script, &h);
  if (program_line == NULL || (script != NULL && script_line == NULL))
    return "the program's file has no name that can be kept";
  m->file = text ("%s/auto-%016" PRIx64, m->folder, h);
  m->head = text (FORMAT "\nversion " AMP_VERSION "\n%s%s", program_line,
		  script_line != NULL ? script_line : "");
  m->machine = hash_processor (hash (HASH_BEGIN, machine));
  m->id = section_of (argv);
  free (program_line);
  free (script_line);
  if (!make_folder (base) || !make_folder (m->folder)
      || access (m->folder, R_OK | W_OK | X_OK) != 0)
    {
      const char *why = strerror (errno);

      return text ("%s: %s", m->folder, why);
    }
  free (base);
  return NULL;
}

/* The index of MACHINE's section ID, or the number of sections.  */

static unsigned
find_section (const struct memory *m, uint64_t machine, uint64_t id)
{
  unsigned i;

  for (i = 0; i < m->sections; i++)
    if (m->section[i].machine == machine && m->section[i].id == id)
      break;
  return i;
}

/* That section, which is made if there is none, and is M's last one then.  */

static struct section *
get_section (struct memory *m, uint64_t machine, uint64_t id)
{
  struct section kept = { .machine = machine, .id = id };
  unsigned i = find_section (m, machine, id), j;

  if (i < m->sections)
    kept = m->section[i];
  else if (m->sections == SECTIONS)
    i = 0;
  else
    i = m->sections++;
  for (j = i; j + 1 < m->sections; j++)
    m->section[j] = m->section[j + 1];
  m->section[m->sections - 1] = kept;
  return &m->section[m->sections - 1];
}

static bool
read_line (struct memory *m, const char *line)
{
  char what[8], name[12];
  struct section *s;
  struct form *f;
  uint64_t machine, id;
  int end;
  unsigned i;

  if (sscanf (line, "%7s %" SCNx64 " %" SCNx64 " %11s%n", what, &machine, &id,
	      name, &end) != 4)
    return false;
  for (i = 0; i < FORMS && strcmp (name, form_names[i]) != 0; i++)
    ;
  if (i == FORMS)
    return false;
  s = get_section (m, machine, id);
  f = &s->form[i];
  line += end;
  if (strcmp (what, "time") == 0)
    {
      for (f->times = 0; f->times < TIMES; f->times++, line += end)
	if (sscanf (line, "%lf%n", &f->seconds[f->times], &end) != 1
	    || !(f->seconds[f->times] > 0.0))
	  break;
      return f->times != 0 && *line == '\n';
    }
  if (strcmp (what, "fail") == 0)
    return sscanf (line, "%u", &f->failures) == 1;
  return (strcmp (what, "skip") == 0
	  && sscanf (line, " %31s", f->skip) == 1);
}

/* Read what M's file has, if it is about the same.  */

static void
read_memory (struct memory *m)
{
  FILE *f = fopen (m->file, "re");
  size_t n = strlen (m->head);
  char *head = checked (malloc (n + 1)), line[512];

  m->sections = 0;
  if (f != NULL && fread (head, 1, n, f) == n && memcmp (head, m->head, n) == 0)
    while (fgets (line, sizeof line, f) != NULL)
      if (!read_line (m, line))
	{
	  m->sections = 0;
	  break;
	}
  if (f != NULL)
    fclose (f);
  free (head);
}

static void
write_memory (const struct memory *m)
{
  char *name = text ("%s.%ld", m->file, (long) getpid ());
  FILE *f = fopen (name, "we");
  unsigned i, j, k;
  bool right;

  if (f == NULL)
    {
      free (name);
      return;
    }
  fputs (m->head, f);
  for (i = 0; i < m->sections; i++)
    for (j = 0; j < FORMS; j++)
      {
	const struct section *s = &m->section[i];
	const struct form *form = &s->form[j];

	if (form->times != 0)
	  {
	    fprintf (f, "time %016" PRIx64 " %016" PRIx64 " %s", s->machine,
		     s->id, form_names[j]);
	    for (k = 0; k < form->times; k++)
	      fprintf (f, " %.6f", form->seconds[k]);
	    fputc ('\n', f);
	  }
	if (form->failures != 0)
	  fprintf (f, "fail %016" PRIx64 " %016" PRIx64 " %s %u\n",
		   s->machine, s->id, form_names[j], form->failures);
	if (form->skip[0] != '\0')
	  fprintf (f, "skip %016" PRIx64 " %016" PRIx64 " %s %s\n",
		   s->machine, s->id, form_names[j], form->skip);
      }
  right = ferror (f) == 0;
  if (fclose (f) != 0 || !right || rename (name, m->file) != 0)
    unlink (name);
  free (name);
}

/* The choice.  */

static double
form_time (const struct form *f)
{
  double least = 0.0;
  unsigned i;

  for (i = 0; i < f->times; i++)
    if (i == 0 || f->seconds[i] < least)
      least = f->seconds[i];
  return least;
}

static bool
out_p (const struct section *s, unsigned form)
{
  const struct form *f = &s->form[form];

  return (f->skip[0] != '\0'
	  || (f->times == 0 && f->failures >= FAILURES));
}

/* The best form of S as far as is known.  */

static unsigned
best_form (const struct section *s)
{
  unsigned i, best = STOCK;
  double least = 0.0;

  for (i = 0; i < FORMS; i++)
    if (!out_p (s, i) && s->form[i].times != 0
	&& (least == 0.0 || form_time (&s->form[i]) < least))
      {
	best = i;
	least = form_time (&s->form[i]);
      }
  return best;
}

/* The form that S's next run gets; *SETTLED: it is not to find something out.
   Stock is tried first, since it is what the program would get without
   us; where that fails nothing else is tried.  */

static unsigned
next_form (const struct section *s, bool *settled)
{
  const struct form *f = s->form;
  unsigned i, best, want[FORMS], least = FORMS;

  *settled = f[STOCK].times == 0 && f[STOCK].failures >= FAILURES;
  if (f[STOCK].times == 0)
    return STOCK;
  for (i = 0; i < FORMS; i++)
    if (!out_p (s, i) && f[i].times == 0)
      return i;
  best = best_form (s);
  /* The best one is tried as often as the one that comes next.  */
  want[best] = 1;
  for (i = 0; i < FORMS; i++)
    if (i != best && !out_p (s, i))
      {
	double ratio = form_time (&f[i]) / form_time (&f[best]);

	want[i] = ratio < NEAR ? TIMES : ratio < WIDE ? 2 : 1;
	if (want[best] < want[i])
	  want[best] = want[i];
      }
  for (i = 0; i < FORMS; i++)
    if (!out_p (s, i) && f[i].times < want[i]
	&& (least == FORMS || f[i].times < f[least].times))
      least = i;
  *settled = least == FORMS;
  return *settled ? best : least;
}

/* The first form for a section that is new: what others of the program, two at
   least, agree on.  */

static unsigned
first_form (const struct memory *m)
{
  unsigned i, n = 0, form = STOCK, next;
  bool settled;

  for (i = 0; i < m->sections; i++)
    {
      if (m->section[i].machine != m->machine)
	continue;
      next = next_form (&m->section[i], &settled);
      if (!settled)
	continue;
      if (n++ != 0 && next != form)
	return STOCK;
      form = next;
    }
  return n >= 2 ? form : STOCK;
}

static int
choose (const char *machine, char **argv)
{
  static struct memory m;
  const char *wrong = find (&m, machine, argv);
  bool settled = false;
  unsigned i, form;

  if (wrong != NULL)
    {
      fprintf (stderr, "amp-run: --weighted=auto cannot remember anything: "
	       "%s\n", wrong);
      puts ("stock:0 unknown");
      return 0;
    }
  read_memory (&m);
  i = find_section (&m, m.machine, m.id);
  form = (i < m.sections ? next_form (&m.section[i], &settled)
	  : first_form (&m));
  printf ("%s:%016" PRIx64 " %s\n", form_names[form], m.id,
	  i == m.sections ? "new" : settled ? "settled" : "trying");
  return 0;
}

static void
print_section (FILE *f, const struct section *s)
{
  const char *before = "";
  unsigned i;

  for (i = 0; i < FORMS; i++)
    {
      if (s->form[i].times != 0)
	fprintf (f, "%s%s %.3f s", before, form_texts[i],
		 form_time (&s->form[i]));
      else if (s->form[i].skip[0] != '\0')
	fprintf (f, "%s%s not tried (%s)", before, form_texts[i],
		 s->form[i].skip);
      else if (s->form[i].failures >= FAILURES)
	fprintf (f, "%s%s failed", before, form_texts[i]);
      else
	continue;
      before = ", ";
    }
}

static int
show (const char *machine, char **argv)
{
  static struct memory m;
  const char *wrong = find (&m, machine, argv);
  bool settled;
  unsigned i, form;

  if (wrong != NULL)
    {
      printf ("remembered: nothing, %s\n", wrong);
      return 0;
    }
  read_memory (&m);
  printf ("remembered in: %s\n", m.file);
  i = find_section (&m, m.machine, m.id);
  if (i == m.sections)
    {
      puts ("remembered: nothing of these arguments, in this folder");
      return 0;
    }
  form = next_form (&m.section[i], &settled);
  printf ("remembered: ");
  print_section (stdout, &m.section[i]);
  printf ("\nnext run: %s%s\n", form_texts[form],
	  settled ? "" : ", to find out");
  return 0;
}

/* Runs.  */

static volatile sig_atomic_t child;

/* What was sent to this process was meant for the program; what the terminal
   sends, both get.  */

static void
pass_on (int number, siginfo_t *info, void *context)
{
  (void) context;
  if (child > 0 && info->si_code != SI_KERNEL)
    kill (child, number);
}

static const int passed[]
  = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT,
      SIGWINCH };

#define NPASSED (sizeof passed / sizeof passed[0])

/* Run ARGV; its status as waitpid has it.  */

static int
run_program (char **argv, double *seconds)
{
  struct sigaction action, old[NPASSED];
  struct timespec begin, end;
  sigset_t all, mask;
  int status;
  unsigned i;
  pid_t pid;

  /* No signal gets lost between the fork and CHILD.  */
  sigfillset (&all);
  sigprocmask (SIG_BLOCK, &all, &mask);
  memset (&action, 0, sizeof action);
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (i = 0; i < NPASSED; i++)
    {
      sigaction (passed[i], NULL, &old[i]);
      if (old[i].sa_handler != SIG_IGN)
	sigaction (passed[i], &action, NULL);
    }
  clock_gettime (CLOCK_MONOTONIC, &begin);
  pid = fork ();
  if (pid == 0)
    {
      for (i = 0; i < NPASSED; i++)
	sigaction (passed[i], &old[i], NULL);
      sigprocmask (SIG_SETMASK, &mask, NULL);
      execv (argv[0], argv);
      fprintf (stderr, "amp-run: %s: %s\n", argv[0], strerror (errno));
      _exit (errno == ENOENT ? 127 : 126);
    }
  if (pid < 0)
    {
      fprintf (stderr, "amp-run: cannot fork: %s\n", strerror (errno));
      exit (126);
    }
  child = pid;
  sigprocmask (SIG_SETMASK, &mask, NULL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  child = 0;
  clock_gettime (CLOCK_MONOTONIC, &end);
  *seconds = ((double) (end.tv_sec - begin.tv_sec)
	      + (double) (end.tv_nsec - begin.tv_nsec) / 1e9);
  return status;
}

/* End as the program did.  */

static int
end_as (int status)
{
  struct rlimit none = { 0, 0 };

  if (!WIFSIGNALED (status))
    return WEXITSTATUS (status);
  setrlimit (RLIMIT_CORE, &none);
  signal (WTERMSIG (status), SIG_DFL);
  raise (WTERMSIG (status));
  return 128 + WTERMSIG (status);
}

/* What the library wrote to FILE of the regions of a run of SECONDS, with one
   thread a CPU, makes out that some forms are not worth a trial.  */

static void
learn_from_regions (const char *file, struct section *s, double seconds)
{
  FILE *f = fopen (file, "re");
  uint64_t regions = 0, n;
  double inside = 0.0, t;
  unsigned threads, lines = 0;
  const char *why = "";

  if (f == NULL)
    return;
  while (fscanf (f, "%" SCNu64 " %lf %u", &n, &t, &threads) == 3)
    {
      regions += n;
      inside += t;
      lines++;
    }
  fclose (f);
  if (lines == 0)
    return;
  if (regions == 0)
    why = "no-regions";
  else if (inside < SERIAL_PART * seconds)
    why = "mostly-serial";
  else if (inside / (double) regions < SHORT_SECONDS)
    why = "short-regions";
  strcpy (s->form[WEIGHTED].skip, why);
  /* What one thread does alone may be faster on the fast CPUs only.  */
  strcpy (s->form[BIG].skip, regions == 0 ? why : "");
}

static void
remember (struct memory *m, unsigned form, bool failed, double seconds,
	  const char *regions, bool quiet)
{
  char *lock_name = text ("%s/lock", m->folder);
  int lock = open (lock_name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct section *s;
  struct form *f;
  bool before, after;
  unsigned i, next;

  free (lock_name);
  if (lock < 0 || flock (lock, LOCK_EX) != 0)
    return;
  read_memory (m);
  s = get_section (m, m->machine, m->id);
  f = &s->form[form];
  next_form (s, &before);
  if (failed)
    f->failures++;
  else
    {
      for (i = TIMES - 1; i > 0; i--)
	f->seconds[i] = f->seconds[i - 1];
      f->seconds[0] = seconds > 1e-6 ? seconds : 1e-6;
      if (f->times < TIMES)
	f->times++;
      if (regions != NULL)
	learn_from_regions (regions, s, seconds);
    }
  next = next_form (s, &after);
  write_memory (m);
  close (lock);
  if (after && !before && !quiet)
    {
      fprintf (stderr, "amp-run: from now on %s: ", form_texts[next]);
      print_section (stderr, s);
      fputc ('\n', stderr);
    }
}

static int
run (const char *what, const char *machine, char **argv, bool quiet)
{
  static struct memory m;
  const char *wrong = find (&m, machine, argv);
  char *name, *regions = NULL;
  struct stat before, after;
  double seconds;
  unsigned form;
  bool alone;
  int fd, status;

  for (form = 0; form < FORMS; form++)
    {
      size_t n = strlen (form_names[form]);

      if (strncmp (what, form_names[form], n) == 0 && what[n] == ':')
	break;
    }
  /* The settings of a form are not in the section.  */
  m.id = strtoull (what + strcspn (what, ":") + (form != FORMS), NULL, 16);
  if (wrong != NULL || form == FORMS)
    {
      execv (argv[0], argv);
      return 126;
    }
  /* Who cannot have the lock tells who has it that its time is not to be gone
     by.  */
  name = text ("%s/running", m.folder);
  fd = open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  alone = fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0;
  if (fd >= 0)
    futimens (fd, NULL);
  if (!alone)
    {
      execv (argv[0], argv);
      fprintf (stderr, "amp-run: %s: %s\n", argv[0], strerror (errno));
      return 126;
    }
  fstat (fd, &before);
  /* Counting takes time, so a further run goes without.  */
  read_memory (&m);
  if (form == STOCK
      && get_section (&m, m.machine, m.id)->form[STOCK].times == 0)
    {
      regions = text ("%s/regions.%ld", m.folder, (long) getpid ());
      setenv ("GOMP_AMP_RECORD_REGIONS", regions, 0);
    }
  status = run_program (argv, &seconds);
  fstat (fd, &after);
  if (!WIFSIGNALED (status)
      && before.st_mtim.tv_sec == after.st_mtim.tv_sec
      && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
    remember (&m, form, WEXITSTATUS (status) != 0, seconds, regions, quiet);
  if (regions != NULL)
    unlink (regions);
  close (fd);
  return end_as (status);
}

int
main (int argc, char **argv)
{
  bool quiet = argc > 1 && strcmp (argv[1], "-q") == 0;
  char *line, *save = NULL;

  argc -= quiet;
  argv += quiet;
  if (argc < 5)
    {
      fputs ("amp-auto is a part of amp-run\n", stderr);
      return 2;
    }
  for (line = strtok_r (argv[2], "\n", &save); line != NULL;
       line = strtok_r (NULL, "\n", &save))
    putenv (line);
  if (strcmp (argv[1], "choose") == 0)
    return choose (argv[3], argv + 4);
  if (strcmp (argv[1], "show") == 0)
    return show (argv[3], argv + 4);
  return run (argv[1], argv[3], argv + 4, quiet);
}

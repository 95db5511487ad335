/* Which form a program's run gets from amp-run --auto, and what is remembered
   of it between runs.

   SPDX-License-Identifier: GPL-3.0-or-later

   What counts is the time in parallel regions, which the library tells, as who
   waits for a user or for a disk cannot be helped by a team.  Not remembered is
   a run that failed, that had another one beside it that is measured, or that
   did hardly any work in regions.

   Times of equal work are compared as they are.  Where runs differ in their
   arguments, or in how many regions they have, they are compared over all runs
   of like arguments, by what explains best how much work each was.

   The file.  One a program, in the user's cache folder; where the program is an
   interpreter, one a script.  Text; the first lines say what it is about, and
   if one of them is not as it would be written now, the file is as good as
   none.  A section is where and how a program was started: the machine, the
   arguments, the current folder and the variables of OpenMP.
   The head is FORMAT, gomp-amp's version, and the program's size, time of
   change and path; with an interpreter then the script's.  Every other line
   begins with a word, and the hashes of machine, section and arguments.
   `work': what the arguments are like, regions in the first run, whether
   others had more or fewer, bytes of files, kilobytes of memory, seconds
   outside of regions.  `time FORM SECONDS...': the last times, the newest
   first.  `fail': how often the form failed.  `prints': a hash of what it
   printed.  `skip': why it is not tried.

   Invariants:
   - A file is replaced by rename, so a reader sees a whole one; who writes
     holds the lock file's lock from reading to renaming.
   - What cannot be read or written costs memory, never the program's run.  */

#define _GNU_SOURCE
#include "amp-run.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The first line of a file.  */
#define FORMAT "gomp-amp verdicts 3"

/* So many of a form's last times are kept; the least one counts, since what
   else a machine does makes a run longer, never shorter.  */
#define TIMES 3

/* A form whose time is within the first of these of the best one's is tried
   until it has as many times as are kept, within the second one twice.  */
#define NEAR 1.10
#define WIDE 1.50

/* After so many failures, and no success, nothing else is tried.  */
#define FAILURES 2

/* Sections in a file; the one that was used least recently goes.  */
#define SECTIONS 64

/* Regions of one thread a CPU that are shorter than this cannot gain by more
   threads; a run tells nothing if less than this is in regions.  */
#define SHORT_SECONDS 10e-6
#define LEAST_SECONDS 1e-3

/* Over runs that differ in their work each form is tried so often at least, and
   at most so often before it is no worse than others that are as good.  */
#define POOL_LEAST 3
#define POOL_MOST 8

static const char *const form_names[FORMS]
  = { "stock", "weighted", "big", "replace" };
const char *const form_texts[FORMS]
  = { "one thread a CPU", "a weighted team", "the fast CPUs only",
      "chunks by speed" };

/* What may tell how much work a run was: bytes of the files that it was given,
   the memory it took, its time outside of regions.  */
enum { BYTES, MEMORY, OUTSIDE, SIZES };

struct form
{
  unsigned times;
  unsigned failures;
  double seconds[TIMES];	/* The newest one first.  */
  uint64_t output;		/* What it printed, hashed; or 0.  */
  char skip[32];		/* Why it is not tried; or empty.  */
};

struct section
{
  uint64_t machine, id;
  uint64_t shape;		/* Of its arguments.  */
  uint64_t regions;		/* In its first run; 0: not known.  Times are
				   for so many.  */
  bool varies;			/* There were runs with others.  */
  double size[SIZES];
  struct form form[FORMS];
};

struct memory
{
  char *head;			/* The first lines.  */
  char *file;
  char *folder;
  uint64_t machine, id, shape;	/* This run's section.  */
  unsigned sections;
  struct section section[SECTIONS];
};

/* Of this process's program.  */
static struct memory memory;

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

/* The first argument that names a file, where PATH is an interpreter.  */

static const char *
script_of (const char *path, char **argv)
{
  static const char *const names[] = {
    "python", "pypy", "perl", "ruby", "Rscript", "julia", "octave", "sh", "bash",
    "dash", "lua", "node"
  };
  const char *name = base_name (path);
  struct stat st;
  unsigned i;

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

  while (f != NULL && fgets (line, sizeof line, f) != NULL)
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
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
    = { "GOMP_AMP_REPORT", "GOMP_AMP_TRACE", "OMP_DISPLAY_" };

  for (unsigned i = 0; i < sizeof not / sizeof not[0]; i++)
    if (strncmp (variable, not[i], strlen (not[i])) == 0)
      return false;
  for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
    if (strncmp (variable, counts[i], strlen (counts[i])) == 0)
      return true;
  return false;
}

/* What WORD has in common with words in its place that only name other files or
   other numbers.  */

static char *
like (const char *word)
{
  if (*word == '-')
    return text ("%.*s", (int) strcspn (word, "=0123456789"), word);
  return text ("%s", strpbrk (word, "./0123456789") != NULL
	       || access (word, F_OK) == 0 ? "*" : word);
}

/* Set M's section by how the program is started.  */

static void
find_id (struct memory *m, const char *path, char **argv)
{
  uint64_t sum = 0;
  char *cwd = getcwd (NULL, 0);

  /* The name that the program was started by, too: of Python it is the
     environment with its packages.  */
  m->id = m->shape = hash (HASH_BEGIN, path);
  for (unsigned i = 1; argv[i] != NULL; i++)
    {
      char *word = like (argv[i]);

      m->id = hash (m->id, argv[i]);
      m->shape = hash (m->shape, word);
      free (word);
    }
  m->id = hash (m->id, cwd != NULL ? cwd : "");
  free (cwd);
  /* In any order.  */
  for (unsigned i = 0; environ[i] != NULL; i++)
    if (variable_counts (environ[i]))
      sum += hash (HASH_BEGIN, environ[i]);
  m->id ^= sum;
  m->shape ^= sum;
}

static bool
make_folder (const char *path)
{
  return mkdir (path, 0700) == 0 || errno == EEXIST;
}

/* Find M's folder, file and first lines; or a text that says why there is
   none.  */

static const char *
find (struct memory *m, const char *machine, const char *path, char **argv)
{
  const char *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  const char *script = script_of (path, argv);
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
  program_line = file_line ("program", path, &h);
  if (script != NULL)
    script_line = file_line ("script", script, &h);
  if (program_line == NULL || (script != NULL && script_line == NULL))
    return "the program's file has no name that can be kept";
  m->file = text ("%s/auto-%016" PRIx64, m->folder, h);
  m->head = text (FORMAT "\nversion " AMP_VERSION "\n%s%s", program_line,
		  script_line != NULL ? script_line : "");
  m->machine = hash_processor (hash (HASH_BEGIN, machine));
  find_id (m, path, argv);
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
  struct section kept = { .machine = machine, .id = id, .shape = m->shape };
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
  int at, end, varies;
  unsigned i;

  if (sscanf (line, "%7s %" SCNx64 " %" SCNx64 " %n%11s%n", what, &machine,
	      &id, &at, name, &end) != 4)
    return false;
  if (strcmp (what, "work") == 0)
    {
      s = get_section (m, machine, id);
      return sscanf (line + at, "%" SCNx64 " %" SCNu64 " %d %lf %lf %lf",
		     &s->shape, &s->regions, &varies, &s->size[BYTES],
		     &s->size[MEMORY], &s->size[OUTSIDE]) == 6
	     && (s->varies = varies != 0, true);
    }
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
  if (strcmp (what, "prints") == 0)
    return sscanf (line, "%" SCNx64, &f->output) == 1;
  if (strcmp (what, "fail") == 0)
    return sscanf (line, "%u", &f->failures) == 1;
  return (strcmp (what, "skip") == 0
	  && sscanf (line, " %31s", f->skip) == 1);
}

/* Read what M's file has, if it is about the same.  */

static void
read_memory (struct memory *m)
{
  /* Whatever has that name, nobody is waited for.  */
  int fd = open (m->file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  FILE *f = fd >= 0 ? fdopen (fd, "r") : NULL;
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
  bool right;

  if (f == NULL)
    {
      free (name);
      return;
    }
  fputs (m->head, f);
  for (unsigned i = 0; i < m->sections; i++)
    for (unsigned j = 0; j < FORMS; j++)
      {
	const struct section *s = &m->section[i];
	const struct form *form = &s->form[j];

	if (j == 0 && s->regions != 0)
	  fprintf (f, "work %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %"
		   PRIu64 " %d %.0f %.0f %.3f\n", s->machine, s->id, s->shape,
		   s->regions, s->varies, s->size[BYTES], s->size[MEMORY],
		   s->size[OUTSIDE]);
	if (form->times != 0)
	  {
	    fprintf (f, "time %016" PRIx64 " %016" PRIx64 " %s", s->machine,
		     s->id, form_names[j]);
	    for (unsigned k = 0; k < form->times; k++)
	      fprintf (f, " %.6f", form->seconds[k]);
	    fputc ('\n', f);
	  }
	if (form->failures != 0)
	  fprintf (f, "fail %016" PRIx64 " %016" PRIx64 " %s %u\n",
		   s->machine, s->id, form_names[j], form->failures);
	if (form->output != 0)
	  fprintf (f, "prints %016" PRIx64 " %016" PRIx64 " %s %016" PRIx64
		   "\n", s->machine, s->id, form_names[j], form->output);
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

  for (unsigned i = 0; i < f->times; i++)
    if (i == 0 || f->seconds[i] < least)
      least = f->seconds[i];
  return least;
}

bool
form_allowed (unsigned form)
{
  switch (form)
    {
    case WEIGHTED:
      return look.sizes == NULL && calls (BY_NUMBER);
    case BIG:
      return !look.sizes_by_all && (look.kind != ELF || look.library == NONE
				    || calls (BY_NUMBER));
    case REPLACE:
      return calls (BY_CHUNKS);
    default:
      return true;
    }
}

static bool
out_p (const struct section *s, unsigned form)
{
  const struct form *f = &s->form[form];

  return (f->skip[0] != '\0' || !form_allowed (form)
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
   us; where that fails nothing else is tried.  To VERIFY it is run twice
   first.  */

static unsigned
next_form (const struct section *s, bool verify, bool *settled)
{
  const struct form *f = s->form;
  unsigned i, best, want[FORMS], least = FORMS;

  *settled = f[STOCK].times == 0 && f[STOCK].failures >= FAILURES;
  if (f[STOCK].times < (verify ? 2 : 1))
    return STOCK;
  for (i = 0; i < FORMS; i++)
    if (!out_p (s, i) && f[i].times < (verify ? 2 : 1))
      return i;
  best = best_form (s);
  /* The best one is tried as often as the one that comes next.  */
  want[best] = 1;
  for (i = 0; i < FORMS; i++)
    if (i != best && !out_p (s, i))
      {
	double ratio = form_time (&f[i]) / form_time (&f[best]);

	want[i] = ratio < NEAR ? TIMES : ratio < WIDE ? 2 : 1;
	/* The first run is the one that is disturbed most often.  */
	if (i == STOCK && want[i] < 2)
	  want[i] = 2;
	if (i != STOCK || ratio < WIDE)
	  want[best] = want[best] < want[i] ? want[i] : want[best];
      }
  for (i = 0; i < FORMS; i++)
    if (!out_p (s, i) && f[i].times < want[i]
	&& (least == FORMS || f[i].times < f[least].times))
      least = i;
  *settled = least == FORMS;
  return *settled ? best : least;
}

/* Times of runs that differ in their work.  */

struct point
{
  unsigned form;
  double y;			/* Logarithm of the time for a region.  */
  double x[SIZES + 1];		/* Likewise; the last one is nothing.  */
};

struct pool
{
  unsigned sections, points, of[FORMS];
  bool out[FORMS];
  struct point point[SECTIONS * FORMS * TIMES];
};

static void
fill_pool (struct pool *p, const struct memory *m, uint64_t shape)
{
  memset (p, 0, sizeof *p);
  for (unsigned i = 0; i < m->sections; i++)
    {
      const struct section *s = &m->section[i];

      if (s->machine != m->machine || s->shape != shape)
	continue;
      for (unsigned j = 0; j < FORMS; j++)
	p->out[j] |= out_p (s, j);
      if (s->regions == 0)
	continue;
      p->sections += 1 + s->varies;
      for (unsigned j = 0; j < FORMS; j++)
	for (unsigned k = 0; k < s->form[j].times; k++, p->of[j]++, p->points++)
	  {
	    struct point *new = &p->point[p->points];

	    new->form = j;
	    new->y = log (s->form[j].seconds[k] / (double) s->regions);
	    for (unsigned l = 0; l < SIZES; l++)
	      new->x[l] = log (s->size[l] + 1e-3);
	  }
    }
}

/* Fit P's times by a mean for each form and a slope by size K, which all forms
   share: the means at one size, and the variance of what is left.  */

static double
fit (const struct pool *p, unsigned k, double mean[FORMS])
{
  double x[FORMS] = { 0.0 }, y[FORMS] = { 0.0 }, middle = 0.0;
  double xx = 0.0, xy = 0.0, yy = 0.0, slope;
  unsigned i, free = p->points - (k < SIZES);

  for (i = 0; i < p->points; i++)
    {
      x[p->point[i].form] += p->point[i].x[k];
      y[p->point[i].form] += p->point[i].y;
      middle += p->point[i].x[k] / p->points;
    }
  for (i = 0; i < FORMS; i++)
    if (p->of[i] != 0)
      {
	x[i] /= p->of[i];
	y[i] /= p->of[i];
	free--;
      }
  for (i = 0; i < p->points; i++)
    {
      double dx = p->point[i].x[k] - x[p->point[i].form];
      double dy = p->point[i].y - y[p->point[i].form];

      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
  slope = xx > 1e-9 ? xy / xx : 0.0;
  for (i = 0; i < FORMS; i++)
    mean[i] = y[i] - slope * (x[i] - middle);
  return (int) free > 0 ? (yy - slope * xy) / free : HUGE_VAL;
}

/* The form of a run with arguments of M's shape, by all runs with such
   arguments; *SETTLED: it is not to find something out, and *WHY says why it is
   chosen.  FORMS: there are no others to go by.  */

static unsigned
pooled_form (const struct memory *m, bool *settled, const char **why)
{
  struct pool *p = checked (malloc (sizeof *p));
  double mean[SIZES + 1][FORMS], variance[SIZES + 1], *a;
  unsigned i, k, used = 0, few = FORMS, best = FORMS, next = FORMS;

  *settled = false;
  fill_pool (p, m, m->shape);
  if (p->sections == 0)
    goto out;
  for (i = 0; i < FORMS; i++)
    if (!p->out[i] && form_allowed (i))
      {
	used++;
	if (few == FORMS || p->of[i] < p->of[few])
	  few = i;
      }
  if (used < 2 || p->of[STOCK] == 0)
    few = STOCK;
  next = few;
  *why = "runs with such arguments, too few yet";
  if (used < 2 || p->of[few] < POOL_LEAST)
    goto out;
  for (i = k = 0; k <= SIZES; k++)
    {
      variance[k] = fit (p, k, mean[k]);
      if (variance[k] < variance[i])
	i = k;
    }
  a = mean[i];
  for (k = 0; k < FORMS; k++)
    if (!p->out[k] && form_allowed (k) && (best == FORMS || a[k] < a[best]))
      best = k;
  /* At least the noise that a quiet machine has.  */
  variance[i] = fmax (variance[i], 0.02 * 0.02);
  *settled = true;
  next = best;
  for (k = 0; k < FORMS; k++)
    if (k != best && !p->out[k] && form_allowed (k)
	&& a[k] - a[best] < (2.0 + 4.0 / p->points)
			    * sqrt (variance[i] * (1.0 / p->of[k]
						   + 1.0 / p->of[best])))
      {
	/* What cannot be told apart is left as it is without us.  */
	if (k == STOCK && *settled)
	  next = STOCK;
	if (p->of[k] < POOL_MOST || p->of[best] < POOL_MOST)
	  {
	    *settled = false;
	    next = p->of[k] < p->of[best] ? k : best;
	  }
      }
  *why = text ("in %u runs with such arguments", p->points);
  for (k = i = 0; k < FORMS; k++)
    if (k != next && !p->out[k] && form_allowed (k))
      *why = text ("%s%s %s took %.2f times as long%s", *why,
		   i++ != 0 ? "," : "", form_texts[k], exp (a[k] - a[next]),
		   a[k] < a[next] ? ", which may be chance" : "");
 out:
  free (p);
  return next;
}

static char *
section_text (const struct section *s)
{
  char *all = text ("%s", "");

  for (unsigned i = 0; i < FORMS; i++)
    {
      const struct form *f = &s->form[i];
      const char *before = *all != '\0' ? ", " : "";

      if (f->skip[0] != '\0')
	all = text ("%s%s%s not used (%s)", all, before, form_texts[i],
		    f->skip);
      else if (f->times != 0)
	all = text ("%s%s%s %.3f s", all, before, form_texts[i], form_time (f));
      else if (f->failures >= FAILURES)
	all = text ("%s%s%s failed", all, before, form_texts[i]);
    }
  return all;
}

static const char nothing_yet[]
  = "nothing of these arguments in this folder, with these variables";

/* The form of the next run; *SETTLED: it is not to find something out, and *WHY
   says why it is chosen.  Others of like arguments are gone by where the run's
   own section has not settled, or its runs differ in their work.  */

static unsigned
plan (const struct memory *m, bool verify, bool *settled, const char **why)
{
  unsigned i = find_section (m, m->machine, m->id), form = STOCK, other, n = 0;
  bool varies = false, by_all;
  const char *pooled;

  *settled = false;
  *why = nothing_yet;
  if (i < m->sections)
    {
      varies = m->section[i].varies;
      form = next_form (&m->section[i], verify, settled);
      *why = section_text (&m->section[i]);
    }
  for (unsigned k = 0; k < m->sections; k++)
    n += (m->section[k].shape == m->shape
	  && m->section[k].machine == m->machine && k != i);
  if (verify || (*settled && !varies) || (n == 0 && !varies))
    return form;
  other = pooled_form (m, &by_all, &pooled);
  if (other == FORMS)
    return form;
  *settled = by_all;
  if (by_all || i == m->sections)
    *why = pooled;
  return other;
}

unsigned
choose_form (const char *machine, const char *path, char **argv, bool verify,
	     const char **what)
{
  struct memory *m = &memory;
  const char *wrong = find (m, machine, path, argv), *why;
  bool settled;
  unsigned form;

  *what = NULL;
  if (wrong != NULL)
    {
      say ("--auto cannot remember anything: %s", wrong);
      return STOCK;
    }
  read_memory (m);
  form = plan (m, verify, &settled, &why);
  *what = settled ? "settled" : why == nothing_yet ? "new" : "trying";
  return form;
}

void
show_memory (const char *machine, const char *path, char **argv)
{
  struct memory *m = &memory;
  const char *wrong = find (m, machine, path, argv), *why;
  bool settled;
  unsigned form;

  if (wrong != NULL)
    {
      add_line (&look.facts, "remembered: nothing, %s", wrong);
      return;
    }
  read_memory (m);
  add_line (&look.facts, "remembered in: %s", m->file);
  form = plan (m, false, &settled, &why);
  add_line (&look.facts, "remembered: %s", why);
  add_line (&look.facts, "next run: %s%s", form_texts[form],
	    settled ? "" : ", to find out");
}

/* What a program prints.  */

/* A process that copies what comes to the descriptor returned to our standard
   output, and at its end writes a hash of it to *RESULT; -1 if there can be
   none.  */

static int
copy_output (int *result)
{
  int in[2], out[2];
  char buffer[65536];
  uint64_t h = HASH_BEGIN;
  ssize_t n, i, done;

  if (pipe2 (in, O_CLOEXEC) != 0 || pipe2 (out, O_CLOEXEC) != 0)
    return -1;
  switch (fork ())
    {
    case -1:
      return -1;
    case 0:
      /* It ends when the program has, whatever is sent to all of us.  */
      signal (SIGINT, SIG_IGN);
      signal (SIGQUIT, SIG_IGN);
      signal (SIGHUP, SIG_IGN);
      signal (SIGTERM, SIG_IGN);
      close (in[1]);
      while ((n = read (in[0], buffer, sizeof buffer)) > 0
	     || (n < 0 && errno == EINTR))
	{
	  for (i = 0; i < n; i++)
	    h = (h ^ (unsigned char) buffer[i]) * UINT64_C (0x100000001b3);
	  for (i = 0; i < n; i += done)
	    {
	      done = write (1, buffer + i, (size_t) (n - i));
	      if (done < 0 && errno != EINTR)
		/* Nobody reads: so it is for the program, too.  */
		_exit (1);
	      if (done < 0)
		done = 0;
	    }
	}
      h += h == 0;
      n = write (out[1], &h, sizeof h);
      _exit (n != sizeof h);
    default:
      close (in[0]);
      close (out[1]);
      *result = out[0];
      return in[1];
    }
}

/* The hash that stands in RESULT by then; 0: none.  Who still holds the
   program's output is not waited for.  */

static uint64_t
hash_of_output (int result)
{
  struct pollfd p = { result, POLLIN, 0 };
  uint64_t h;

  return (result >= 0 && poll (&p, 1, 5000) == 1
	  && read (result, &h, sizeof h) == sizeof h ? h : 0);
}

/* Runs.  */

/* A run.  */
struct run
{
  double seconds;		/* In regions; 0: it teaches nothing.  */
  uint64_t regions;
  bool short_ones;		/* Regions cannot gain by more threads.  */
  double size[SIZES];
  uint64_t output;
};

/* Fill in R by what the library wrote to FD of the regions of a run that took
   SECONDS.  If that teaches nothing, it is said.  */

static void
look_at_regions (int fd, double seconds, struct run *r)
{
  uint64_t regions = 0, n;
  double inside = 0.0, t;
  unsigned threads, lines = 0;
  FILE *f = fd >= 0 ? fdopen (dup (fd), "r") : NULL;

  if (f == NULL)
    return;
  rewind (f);
  while (fscanf (f, "%" SCNu64 " %lf %u", &n, &t, &threads) == 3)
    {
      regions += n;
      inside += t;
      lines++;
    }
  fclose (f);
  if (lines == 0)
    hint ("--auto: nothing learnt, no process of it ended on our "
	  "library%s",
	  look.preload ? "" : "; --preload puts it in front of others");
  else if (regions == 0)
    hint ("--auto: nothing learnt, no parallel region ran");
  else if (inside < LEAST_SECONDS)
    hint ("--auto: nothing learnt, no more than %.6f of %.3f s were in "
	  "parallel regions", inside, seconds);
  else
    {
      r->short_ones = inside / (double) regions < SHORT_SECONDS;
      r->seconds = inside;
      r->regions = regions;
      r->size[OUTSIDE] = seconds > inside ? seconds - inside : 0.0;
    }
}

static double
bytes_of_files (char **argv)
{
  double bytes = 0.0;
  struct stat st;

  while (*++argv != NULL)
    if (stat (*argv, &st) == 0 && S_ISREG (st.st_mode))
      bytes += (double) st.st_size;
  return bytes;
}

/* A run of M's under FORM had no regions: is it FORM that has none?  Not where
   others of its kind had.  */

static bool
without_regions_p (const struct memory *m, const struct section *own,
		   unsigned form)
{
  if (form == STOCK || own->form[STOCK].times != 0)
    return form != STOCK;
  for (unsigned i = 0; i < m->sections; i++)
    if (m->section[i].machine == m->machine && m->section[i].shape == m->shape
	&& m->section[i].form[form].times != 0)
      return false;
  return true;
}

/* FORM is not used any more; why.  */

static void
drop (struct section *s, unsigned form, const char *skip, const char *why)
{
  snprintf (s->form[form].skip, sizeof s->form[form].skip, "%s", skip);
  hint ("--auto: %s is not used any more: %s", form_texts[form], why);
}

/* S's run under FORM printed OUTPUT, if that is not 0: compare.  */

static void
compare_output (struct section *s, unsigned form, uint64_t output)
{
  const uint64_t before = s->form[STOCK].output;

  if (output == 0)
    return;
  s->form[form].output = output;
  if (before == 0 || before == output)
    return;
  if (form != STOCK)
    drop (s, form, "prints-other", "it printed something else than one thread "
	  "a CPU");
  else
    for (unsigned i = STOCK + 1; i < FORMS; i++)
      if (s->form[i].skip[0] == '\0')
	drop (s, i, "prints-differ", "what the program prints differs from run "
	      "to run, so it cannot be verified");
}

/* Remember the run R under FORM, that failed as FAILED says, or not.  If it had
   no regions it tells of FORM at most.  */

static void
remember (struct memory *m, unsigned form, const char *failed,
	  const struct run *r, bool verify)
{
  int lock = open (text ("%s/lock", m->folder), O_RDWR | O_CREAT | O_CLOEXEC,
		   0600);
  struct section *s;
  struct form *f;
  bool before, after;
  const char *why;
  unsigned i, next;

  if (lock < 0 || flock (lock, LOCK_EX) != 0)
    return;
  read_memory (m);
  plan (m, verify, &before, &why);
  s = get_section (m, m->machine, m->id);
  f = &s->form[form];
  if (failed != NULL && form != STOCK)
    drop (s, form, "failed", failed);
  else if (failed != NULL)
    f->failures++;
  else if (r->regions == 0)
    {
      if (without_regions_p (m, s, form))
	drop (s, form, "no-regions", "its time cannot be told");
    }
  else
    {
      if (s->regions == 0)
	{
	  s->regions = r->regions;
	  memcpy (s->size, r->size, sizeof s->size);
	}
      s->varies |= r->regions != s->regions;
      for (i = TIMES - 1; i > 0; i--)
	f->seconds[i] = f->seconds[i - 1];
      f->seconds[0] = (r->seconds
		       * ((double) s->regions / (double) r->regions));
      if (f->times < TIMES)
	f->times++;
      if (form == STOCK && r->short_ones)
	strcpy (s->form[WEIGHTED].skip, "short-regions");
      compare_output (s, form, r->output);
    }
  next = plan (m, verify, &after, &why);
  write_memory (m);
  close (lock);
  if (after && !before)
    hint ("from now on %s: %s", form_texts[next], why);
}

/* What went wrong, by STATUS; null: nothing, or what is nobody's fault.  */

static const char *
failure_of (int status)
{
  if (WIFEXITED (status))
    return (WEXITSTATUS (status) == 0 ? NULL
	    : text ("it ended with status %d", WEXITSTATUS (status)));
  switch (WTERMSIG (status))
    {
    case SIGSEGV: case SIGBUS: case SIGABRT: case SIGFPE: case SIGILL:
    case SIGTRAP: case SIGSYS:
      return text ("it crashed (%s)", strsignal (WTERMSIG (status)));
    default:
      return NULL;
    }
}

void
run_form (unsigned form, const char *path, char **argv, bool verify)
{
  struct memory *m = &memory;
  struct stat before, after;
  struct run r = { 0 };
  struct rusage usage;
  double seconds;
  const char *failed, *name, *trace;
  int running, regions, status, output = -1, result = -1;

  /* Who cannot have the lock tells who has it that its time is not to be gone
     by.  */
  running = open (text ("%s/running", m->folder), O_RDWR | O_CREAT | O_CLOEXEC,
		  0600);
  if (running >= 0)
    futimens (running, NULL);
  name = unnamed_file (&regions);
  if (running < 0 || name == NULL || flock (running, LOCK_EX | LOCK_NB) != 0
      || fstat (running, &before) != 0)
    exit (become (path, argv));
  trace = getenv ("GOMP_AMP_TRACE");
  if (setenv ("GOMP_AMP_TRACE", with_regions (name), 1) != 0)
    checked (NULL);
  r.size[BYTES] = bytes_of_files (argv);
  if (verify)
    output = copy_output (&result);
  status = run_below (path, argv, output, &seconds);
  if (status < 0)
    {
      if (trace != NULL)
	setenv ("GOMP_AMP_TRACE", trace, 1);
      else
	unsetenv ("GOMP_AMP_TRACE");
      exit (become (path, argv));
    }
  if (output >= 0)
    close (output);
  r.output = hash_of_output (result);
  failed = failure_of (status);
  if (failed == NULL && WIFEXITED (status))
    look_at_regions (regions, seconds, &r);
  if (getrusage (RUSAGE_CHILDREN, &usage) == 0)
    r.size[MEMORY] = (double) usage.ru_maxrss;
  if ((failed != NULL || form != STOCK || r.regions != 0)
      && fstat (running, &after) == 0
      && before.st_mtim.tv_sec == after.st_mtim.tv_sec
      && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
    remember (m, form, failed, &r, verify);
  end_as (status);
}

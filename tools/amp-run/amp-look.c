/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-run's look at a program: which OpenMP library it will use, what its loops
   are like, and what it goes by.  */

#define _GNU_SOURCE
#include "amp-run.h"
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <libgen.h>
#include <link.h>
#include <regex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct look look;

/* Names of OpenMP's that are called.  */
static const char **imports;
static unsigned nimports;

#define fact(...) add_line (&look.facts, __VA_ARGS__)
#define advice(...) add_line (&look.advice, __VA_ARGS__)

const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

/* Patterns are constants: each is compiled once.  */

static bool
matches (const char *s, const char *pattern)
{
  static struct { const char *pattern; regex_t r; } known[32];
  unsigned i;

  for (i = 0; known[i].pattern != pattern; i++)
    if (known[i].pattern == NULL)
      {
	if (i + 1 == sizeof known / sizeof known[0]
	    || regcomp (&known[i].r, pattern, REG_EXTENDED | REG_NOSUB) != 0)
	  return false;
	known[i].pattern = pattern;
	break;
      }
  return regexec (&known[i].r, s, 0, NULL, 0) == 0;
}

static bool
begins_p (const char *s, const char *with)
{
  return strncmp (s, with, strlen (with)) == 0;
}

/* ELF.  */

/* A file in memory; null if it cannot be read.  */
struct object
{
  const char *data;
  size_t size;
};

static struct object
open_object (const char *path)
{
  struct object o = { NULL, 0 };
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  struct stat st;

  if (fd < 0)
    return o;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size > 0)
    {
      o.size = (size_t) st.st_size;
      o.data = mmap (NULL, o.size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (o.data == MAP_FAILED)
	o.data = NULL;
    }
  close (fd);
  return o;
}

static void
close_object (struct object o)
{
  if (o.data != NULL)
    munmap ((void *) o.data, o.size);
}

/* Our own header: what can be loaded with our library is of its kind.  */
extern const ElfW (Ehdr) __ehdr_start __attribute__ ((visibility ("hidden")));

static bool
elf_p (struct object o)
{
  return o.size >= SELFMAG && memcmp (o.data, ELFMAG, SELFMAG) == 0;
}

static const ElfW (Ehdr) *
header_of (struct object o)
{
  const ElfW (Ehdr) *e = (const void *) o.data;

  return (elf_p (o) && o.size >= sizeof *e
	  && memcmp (e->e_ident, __ehdr_start.e_ident, EI_VERSION) == 0
	  && e->e_machine == __ehdr_start.e_machine
	  ? e : NULL);
}

/* N things of SIZE bytes at OFFSET; null where the file has no such.  */

static const void *
part_of (struct object o, uint64_t offset, uint64_t n, size_t size)
{
  return (offset <= o.size && n <= (o.size - offset) / size
	  ? o.data + offset : NULL);
}

/* The dynamic linker that O asks for; null: none.  */

static const char *
linker_of (struct object o)
{
  const ElfW (Ehdr) *e = header_of (o);
  const ElfW (Phdr) *p = part_of (o, e->e_phoff, e->e_phnum, sizeof *p);

  for (unsigned i = 0; p != NULL && i < e->e_phnum; i++)
    if (p[i].p_type == PT_INTERP && p[i].p_filesz != 0)
      {
	const char *name = part_of (o, p[i].p_offset, p[i].p_filesz, 1);

	if (name != NULL && name[p[i].p_filesz - 1] == '\0')
	  return name;
      }
  return NULL;
}

/* What says how many CPUs there are, or lets a program find out.  */

static bool
counts_p (const char *name)
{
  return matches (name, "^(omp_get_num_procs_?|omp_get_place_num_procs_?"
		  "|syscall|sysconf|get_nprocs|get_nprocs_conf|sched_getaffinity"
		  "|pthread_getaffinity_np|pthread_attr_getaffinity_np"
		  "|hwloc_.*|numa_num_.*|.*hardware_concurrency.*"
		  "|.*physical_concurrency.*|.*idealThreadCount.*"
		  "|.*get_num_processors|.*GetCPUCount|uv_cpu_info"
		  "|.*available_parallelism)$");
}

static const char *
counting_text (struct object o)
{
  static const char *const texts[]
    = { "/proc/cpuinfo", "/proc/stat", "/proc/self/status",
	"/sys/devices/system/cpu", "lscpu" };

  for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (memmem (o.data, o.size, texts[i], strlen (texts[i])) != NULL)
      return texts[i];
  return memmem (o.data, o.size, "\0nproc\0", 7) != NULL ? "nproc" : NULL;
}

static bool
loads_p (const char *name)
{
  return matches (name, "^(dlopen|dlmopen|dlsym)$");
}

static bool
starts_p (const char *name)
{
  return matches (name, "^(exec[vl]p?e?|fexecve|posix_spawnp?|system|popen"
		  "|_gfortran_system.*|_gfortran_execute_command_line.*)$");
}

/* Learn what PATH calls; FROM: " in LIBRARY", or nothing.  */

static void
look_at_calls (const char *path, const char *from)
{
  struct object o = open_object (path);
  const ElfW (Ehdr) *e = o.data != NULL ? header_of (o) : NULL;
  const ElfW (Shdr) *s, *t;
  const char *counts = NULL, *loads = NULL, *starts = NULL;
  bool known = false;

  if (e == NULL)
    {
      close_object (o);
      return;
    }
  s = part_of (o, e->e_shoff, e->e_shnum, sizeof *s);
  for (unsigned i = 0; s != NULL && i < e->e_shnum; i++)
    {
      const ElfW (Sym) *symbol;
      const char *names;
      uint64_t j, n;

      if (s[i].sh_type != SHT_DYNSYM || s[i].sh_link >= e->e_shnum)
	continue;
      n = s[i].sh_size / sizeof *symbol;
      symbol = part_of (o, s[i].sh_offset, n, sizeof *symbol);
      t = &s[s[i].sh_link];
      names = part_of (o, t->sh_offset, t->sh_size, 1);
      if (symbol == NULL || names == NULL || t->sh_size == 0
	  || names[t->sh_size - 1] != '\0')
	continue;
      known = true;
      for (j = 0; j < n; j++)
	{
	  const char *name = names + symbol[j].st_name;

	  if (symbol[j].st_shndx != SHN_UNDEF
	      || symbol[j].st_name >= t->sh_size)
	    continue;
	  if (begins_p (name, "GOMP_") || begins_p (name, "omp_"))
	    {
	      imports = checked (realloc (imports,
					  (nimports + 1) * sizeof *imports));
	      imports[nimports++] = text ("%s", name);
	    }
	  if (counts_p (name))
	    {
	      counts = counts != NULL ? counts : name;
	      /* OpenMP itself tells what a team may have.  */
	      look.sizes_by_all |= !begins_p (name, "omp_");
	    }
	  if (loads == NULL && loads_p (name))
	    loads = name;
	  if (starts == NULL && starts_p (name))
	    starts = name;
	}
    }
  /* The text of a large library takes a while to look through.  */
  if (!look.sizes_by_all && counting_text (o) != NULL)
    {
      counts = counting_text (o);
      look.sizes_by_all = true;
    }
  if (look.sizes != NULL)
    ;
  else if (counts != NULL)
    look.sizes = text ("it asks how many CPUs there are (%s%s)", counts, from);
  else if (loads != NULL)
    look.sizes = text ("it loads parts when it runs (%s%s)", loads, from);
  else if (starts != NULL)
    look.sizes = text ("it starts other programs (%s%s)", starts, from);
  else if (!known)
    look.sizes = text ("what it calls is not known%s", from);
  close_object (o);
}

bool
calls (const char *pattern)
{
  /* By names of loops that begin, not of their next chunks.  */
  for (unsigned i = 0; i < nimports; i++)
    if (!matches (imports[i], "_next$") && matches (imports[i], pattern))
      return true;
  return false;
}

/* Scripts.  */

/* The words of O's first line behind #!, at most 3, and without env's; how
   many.  */

static unsigned
interpreter_words (struct object o, char *words[3])
{
  char line[256], *save, *word;
  unsigned n = 0;

  if (o.size < 2 || memcmp (o.data, "#!", 2) != 0)
    return 0;
  snprintf (line, sizeof line, "%.*s",
	    (int) (o.size - 2 < 250 ? o.size - 2 : 250), o.data + 2);
  line[strcspn (line, "\n")] = '\0';
  for (word = strtok_r (line, " \t", &save); word != NULL && n < 3;
       word = strtok_r (NULL, " \t", &save))
    if (n == 0 && (strcmp (base_name (word), "env") == 0
		   || strcmp (word, "-S") == 0))
      continue;
    else
      words[n++] = text ("%s", word);
  return n;
}

/* The interpreter, if PATH is Python or a script of it; or null.  */

static char *
python_of (const char *path, struct object o)
{
  const char *name = base_name (path);
  char *words[3];

  if (matches (name, "^(python|pypy)([0-9].*)?$")
      && !matches (name, "-config$"))
    return text ("%s", path);
  if (o.data == NULL || elf_p (o) || interpreter_words (o, words) == 0
      || !matches (words[0], "python|pypy"))
    return NULL;
  return find_program (words[0]);
}

/* A library of another OpenMP below FOLDER, DEPTH folders deep, where *LEFT
   names are looked at; or null.  */

static char *
other_library_below (const char *folder, int depth, unsigned *left)
{
  DIR *d = opendir (folder);
  struct dirent *entry;
  char *found = NULL;

  while (d != NULL && found == NULL && *left > 0
	 && (entry = readdir (d)) != NULL)
    {
      char *path = text ("%s/%s", folder, entry->d_name);

      (*left)--;
      if (matches (entry->d_name, "^(libomp|libiomp5)([-.].*)?\\.so"))
	found = path;
      else if (depth > 0 && entry->d_type == DT_DIR && entry->d_name[0] != '.')
	found = other_library_below (path, depth - 1, left);
      if (found != path)
	free (path);
    }
  if (d != NULL)
    closedir (d);
  return found;
}

/* The first word of S, without quotes, and with the variables that a script has
   set in the first place, which are VALUES: words NAME=VALUE.  Others are
   empty, and so is what a command prints.  */

static char *
first_word (const char *s, char **values)
{
  char *word = text ("%s", "");
  bool quoted = false;
  size_t n;

  for (; *s != '\0' && (quoted || strchr (" \t;&|", *s) == NULL); s += n)
    {
      unsigned i, open = 0;

      n = 1;
      if (*s == '"' || *s == '\'')
	{
	  quoted = !quoted;
	  continue;
	}
      if (s[0] == '$' && s[1] == '(')
	{
	  do
	    open += (s[n] == '(') - (s[n] == ')');
	  while (s[n] != '\0' && (n++, open != 0));
	  continue;
	}
      if (*s != '$')
	{
	  word = text ("%s%c", word, *s);
	  continue;
	}
      s += s[1] == '{' ? 2 : 1;
      n = strspn (s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		  "0123456789_");
      for (i = 0; values[i] != NULL; i++)
	if (strncmp (values[i], s, n) == 0 && values[i][n] == '=')
	  {
	    word = text ("%s%s", word, values[i] + n + 1);
	    break;
	  }
      n += s[n] == '}';
    }
  return word;
}

/* Does the launcher PATH, what it sources or what it becomes set
   LD_LIBRARY_PATH?  VALUES: as above; there is room for MOST.  */

#define MOST 100

static bool
sets_path_p (const char *path, char **values, int depth)
{
  static const char *const places[] = { "", "/../etc", "/../lib", "/.." };
  struct object o = open_object (path);
  char *real = realpath (path, NULL), *all, *line, *save, *word;
  unsigned i, n;
  bool sets;

  if (o.data == NULL || real == NULL || elf_p (o) || depth == 0)
    {
      close_object (o);
      return false;
    }
  all = text ("%.*s", (int) (o.size < 1 << 20 ? o.size : 1 << 20), o.data);
  sets = strstr (all, "LD_LIBRARY_PATH") != NULL;
  close_object (o);
  for (line = strtok_r (all, "\n", &save); line != NULL && !sets;
       line = strtok_r (NULL, "\n", &save))
    {
      line += strspn (line, " \t");
      if (matches (line, "^[A-Za-z_][A-Za-z_0-9]*="))
	{
	  size_t name = strcspn (line, "=") + 1;

	  for (n = 0; values[n] != NULL; n++)
	    if (strncmp (values[n], line, name) == 0)
	      break;
	  if (values[n] == NULL && n < MOST)
	    values[n] = text ("%.*s%s", (int) name, line,
			      first_word (line + name, values));
	}
      if (!matches (line, "^(\\.|source|exec)[ \t]"))
	continue;
      line += strcspn (line, " \t");
      word = first_word (line + strspn (line, " \t"), values);
      if (*word == '/')
	sets = sets_path_p (word, values, depth - 1);
      else if (strchr (word, '/') == NULL
	       && (word = find_program (word)) != NULL)
	sets = sets_path_p (word, values, depth - 1);
      /* What cannot be told is near.  */
      for (i = 0; word != NULL && i < sizeof places / sizeof places[0] && !sets;
	   i++)
	sets = sets_path_p (text ("%s%s/%s", dirname (text ("%s", real)),
				  places[i], base_name (word)),
			    values, depth - 1);
    }
  return sets;
}

/* LAUNCHER starts what PATH stands for.  Where it sets LD_LIBRARY_PATH, ours is
   in front only by LD_PRELOAD, which must not meet other libraries.  */

static void
look_at_launcher (const char *path, const char *launcher)
{
  char *real = launcher != NULL ? realpath (launcher, NULL) : NULL;
  char *values[MOST + 1] = { NULL }, *root, *other = NULL;
  unsigned left = 2000;

  /* That one becomes the script beside it.  */
  if (real != NULL && strcmp (base_name (real), "Rscript") == 0)
    real = text ("%s/R", dirname (real));
  if (look.preload || real == NULL || !sets_path_p (real, values, 4))
    return;
  root = dirname (dirname (text ("%s", real)));
  if (strcmp (root, "/") != 0 && strcmp (root, "/usr") != 0
      && strcmp (root, "/usr/local") != 0)
    other = other_library_below (root, 3, &left);
  if (other != NULL)
    advice ("%s sets LD_LIBRARY_PATH, so another libgomp may serve; --preload "
	    "would put ours in front, but must not meet %s", path, other);
  else
    {
      look.preload = true;
      fact ("OpenMP library: ours by LD_PRELOAD, for it sets LD_LIBRARY_PATH");
    }
}

/* What Python's packages bring.  */

static char *
line_of (const char *all, const char *what)
{
  const char *s;

  for (s = all; s != NULL && *s != '\0'; s = strchr (s, '\n'), s += s != NULL)
    if (begins_p (s, what))
      return text ("%.*s", (int) (strcspn (s, "\n") - strlen (what)),
		   s + strlen (what));
  return NULL;
}

static void
look_at_python (const char *path, char *python)
{
  char *look_there[] = { python, (char *) "-B",
			 text ("%s/libexec/gomp-amp/amp_look.py", prefix),
			 NULL };
  char *found = output_of (look_there, 1, NULL);
  char *own = line_of (found, "own "), *other = line_of (found, "foreign ");

  look.kind = PYTHON;
  look.sizes = "what Python loads is not known";
  fact ("kind: Python; which packages it will load is not known");
  if (own != NULL && other == NULL)
    {
      look.preload = true;
      fact ("OpenMP library: packages have their own (%s); ours by LD_PRELOAD",
	    own);
    }
  else if (look.preload)
    fact ("OpenMP library: ours by LD_PRELOAD");
  else if (own != NULL)
    {
      fact ("OpenMP library: packages have their own (%s), which ours does not "
	    "replace", own);
      advice ("packages here have libgomp and %s (%s), which must not mix with "
	      "ours; if %s does not load that, say --preload",
	      base_name (other), other, base_name (path));
    }
  else if (other != NULL)
    {
      look.library = OTHER;
      fact ("OpenMP library: %s, not libgomp; the system's libgomp.so.1, if "
	    "loaded, is ours", other);
      advice ("packages here have %s, not GCC's libgomp (%s): our library has "
	      "no effect on what uses it", base_name (other), other);
    }
  else
    fact ("OpenMP library: the system's libgomp.so.1, if it loads that; ours "
	  "by LD_LIBRARY_PATH");
}

/* Objects.  */

/* The name of the next one of LIST, as the dynamic linker lists them, "NAME =>
   PATH (ADDRESS)" or "PATH (ADDRESS)"; null: no more.  */

static char *
next_object (char **list, char **path)
{
  char *line, *arrow;

  while ((line = *list) != NULL && *line != '\0')
    {
      *list = strchr (line, '\n');
      if (*list != NULL)
	*(*list)++ = '\0';
      line += strspn (line, " \t");
      if (strstr (line, " (0x") != NULL)
	*strstr (line, " (0x") = '\0';
      arrow = strstr (line, " => ");
      *path = arrow != NULL ? arrow + 4 : line;
      if (arrow != NULL)
	*arrow = '\0';
      if (strchr (*path, '/') != NULL)
	return (char *) base_name (line);
    }
  return NULL;
}

/* The objects of PATH, in LIST; false if our library will not serve.  */

static bool
look_at_objects (const char *path, char *list)
{
  char *name, *file, *gomp = NULL, *other = NULL, *own = NULL;

  while ((name = next_object (&list, &file)) != NULL)
    if (strcmp (name, "libgomp.so.1") == 0)
      gomp = file;
    else if (begins_p (name, "libomp") || begins_p (name, "libiomp"))
      other = other != NULL ? other : name;
    /* Wheels and bundles give theirs a name of its own.  */
    else if (begins_p (name, "libgomp-"))
      own = own != NULL ? own : name;
  if (gomp == NULL && other != NULL)
    {
      look.library = OTHER;
      if (look.preload)
	die ("--preload: %s uses %s; two OpenMP libraries would mix", path,
	     other);
      fact ("OpenMP library: %s, not libgomp", other);
      advice ("%s uses %s, not GCC's libgomp: our library has no effect; build "
	      "it with gcc or amp-gcc", path, other);
      return false;
    }
  if (gomp == NULL && own == NULL)
    {
      look.library = NONE;
      look.sizes = "what it loads is not known";
      fact ("OpenMP library: none linked (it may load one when it runs)");
      look_at_launcher (path, path);
      if (!look.preload)
	advice ("%s is not linked with libgomp: nothing changes unless it "
		"loads something that is; --preload for what brings a libgomp of its "
		"own", path);
      return false;
    }
  if (gomp == NULL)
    {
      look.preload = true;
      fact ("OpenMP library: %s, its own; ours by LD_PRELOAD", own);
    }
  else if (begins_p (gomp, lib) && gomp[strlen (lib)] == '/')
    fact ("OpenMP library: libgomp.so.1, ours by LD_LIBRARY_PATH");
  else
    {
      char *ours = realpath (text ("%s/libgomp.so.1", lib), NULL);
      char *its = realpath (gomp, NULL);

      if (ours != NULL && its != NULL && strcmp (ours, its) == 0)
	fact ("OpenMP library: libgomp.so.1, ours by the program's own path");
      else
	{
	  look.preload = true;
	  fact ("OpenMP library: libgomp.so.1, ours by LD_PRELOAD; the "
		"program's RPATH names %s", gomp);
	}
    }
  if (other != NULL)
    advice ("%s has two OpenMP libraries, libgomp and %s", path, other);
  return true;
}

/* What PATH and the objects of LIST call, but those of the system's that serve
   every program.  */

static void
look_at_all_calls (const char *path, char *list)
{
  char *name, *file;

  look_at_calls (path, "");
  /* Ours is not the program's.  */
  while ((name = next_object (&list, &file)) != NULL)
    if (!begins_p (file, lib)
	&& !matches (name, "^(libgomp[-.]|(libc|libm|libdl|librt|libpthread"
		     "|libstdc\\+\\+|libgcc_s|libgfortran|libquadmath|libatomic)"
		     "\\.so|ld-|ld64)"))
      look_at_calls (file, text (" in %s", name));
  fact ("loops without a schedule clause that take OMP_SCHEDULE: %s",
	calls (BY_CHOICE) ? "yes" : "no");
  fact ("loops with schedule(runtime): %s", calls (BY_RUNTIME) ? "yes" : "no");
  fact ("loops with schedule(dynamic) or schedule(guided): %s",
	calls (BY_CHUNKS) ? "yes" : "no");
  fact ("static loops, or work divided by thread number: %s",
	calls (BY_NUMBER) ? "yes" : "no");
  if (look.sizes != NULL)
    fact ("no more threads than CPUs: %s", look.sizes);
}

/* PATH, whose objects COMMAND lists where LIBRARIES is set, would find ours:
   has that all versions of symbols that are needed?  A system's libgomp may be
   a later one than that of its compiler, which ours is made for.  */

static void
look_at_versions (const char *path, char *const *command, char *libraries)
{
  char *set[] = { libraries, look.preload
		  ? text ("LD_PRELOAD=%s/libgomp.so.1", lib) : NULL, NULL };
  char *said = output_of (command, 2, set);
  char *ours = strstr (said, text ("%s/libgomp.so.1: version `", lib));

  if (ours == NULL)
    return;
  ours = strchr (ours, '`') + 1;
  look.refused = true;
  look.library = OTHER;
  fact ("OpenMP library: a later libgomp than ours");
  advice ("%s needs a later libgomp (%.*s) than ours is: it runs without ours; "
	  "build gomp-amp for the GCC that made it", path,
	  (int) strcspn (ours, "'"), ours);
}

/* PATH is linked statically.  */

static void
look_at_static (const char *path, struct object o)
{
  look.kind = CLOSED;
  look.sizes = "it is linked statically";
  if (memmem (o.data, o.size, "GOMP_AMP_AFFINITY", 17) != NULL)
    fact ("kind: static, with gomp-amp's libgomp in it");
  else if (memmem (o.data, o.size, "OMP_SCHEDULE", 12) == NULL)
    {
      fact ("kind: static, without OpenMP");
      advice ("%s is linked statically and has no OpenMP: nothing changes",
	      path);
    }
  else
    {
      fact ("kind: static; another libgomp cannot be put in");
      advice ("%s is linked statically with another OpenMP library, which it "
	      "keeps; link it again without -static, or with amp-gcc -static",
	      path);
    }
}

void
look_at_program (const char *path, bool deep)
{
  struct object o = open_object (path);
  char *python = python_of (path, o), *list, *words[3];
  const char *linker;
  struct stat st;

  fact ("program: %s", path);
  look.machine_code = o.data != NULL && elf_p (o);
  look.sizes = "what it starts is not known";
  if (python != NULL)
    look_at_python (path, python);
  else if (o.data == NULL)
    {
      look.kind = CLOSED;
      fact ("kind: unknown, for it cannot be read");
      advice ("%s cannot be read, so nothing is known of it; it gets what is "
	      "set here", path);
    }
  else if (!elf_p (o))
    {
      look.kind = SCRIPT;
      fact ("kind: not an ELF program (a script, say); what it starts inherits "
	    "the settings");
      look_at_launcher (path, path);
      if (interpreter_words (o, words) != 0)
	look_at_launcher (path, find_program (words[0]));
    }
  else if (header_of (o) == NULL)
    {
      look.kind = CLOSED;
      fact ("kind: ELF, for another kind of processor or another word size");
      advice ("%s is for another kind of processor or another word size than "
	      "our library: nothing changes", path);
    }
  else if ((linker = linker_of (o)) == NULL)
    look_at_static (path, o);
  else if (strstr (linker, "/ld-musl-") != NULL)
    {
      look.kind = CLOSED;
      look.refused = true;
      fact ("kind: ELF, for musl");
      advice ("%s is for another C library (musl) than our library: nothing "
	      "changes", path);
    }
  else
    {
      const char *before = given ("LD_LIBRARY_PATH");
      char *libraries = text ("LD_LIBRARY_PATH=%s%s%s", lib,
			      before != NULL ? ":" : "",
			      before != NULL ? before : "");
      char *set[] = { libraries, NULL };
      char *command[] = { text ("%s", linker), (char *) "--list",
			  (char *) path, NULL };

      if (stat (path, &st) == 0 && (st.st_mode & (S_ISUID | S_ISGID)) != 0)
	{
	  look.kind = CLOSED;
	  advice ("%s is set-uid or set-gid: the dynamic linker will ignore "
		  "our library", path);
	}
      list = output_of (command, 1, set);
      if (*list == '\0')
	fact ("OpenMP library: unknown, for %s does not list its objects",
	      linker);
      else if (look_at_objects (path, text ("%s", list)))
	{
	  if (deep)
	    {
	      look.sizes = NULL;
	      look_at_all_calls (path, list);
	    }
	  look_at_versions (path, command, libraries);
	}
    }
  close_object (o);
}

/* SPDX-License-Identifier: GPL-3.0-or-later

   How CPUs are slowed: by thieves (thief.c) or by signals (slow.h).  */

#define _GNU_SOURCE
#include "amp-emulate.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Of METHOD_SIGNAL: the file of slow_table, and how often the command was
   robbed.  */
static int table_file = -1;
uint64_t thefts;

double
asked_ratio (const struct phase *p, int cpu)
{
  for (int i = 0; i < p->nsettings; i++)
    if (p->settings[i].cpu == cpu)
      return p->settings[i].asked;
  return 1.0;
}

int64_t
slice_of (const struct setting *s)
{
  return opt.period / s->asked;
}

void
set_slow (const struct setting *s, bool on)
{
  if (opt.method == METHOD_SIGNAL)
    {
      atomic_store_explicit (&slow_table->cpus[s->cpu].spin, s->spin,
			     memory_order_relaxed);
      atomic_store_explicit (&slow_table->cpus[s->cpu].slice,
			     on ? slice_of (s) : 0, memory_order_relaxed);
      return;
    }
  if (on)
    atomic_store_explicit (&s->thief->spin, s->spin, memory_order_relaxed);
  thief_set (s->thief, on ? THIEF_STEAL : THIEF_REST);
}

void
apply_phase (const struct phase *p)
{
  beat ();
  for (int i = 0; i < nphases; i++)
    for (int j = 0; j < phases[i].nsettings; j++)
      {
	const struct setting *s = &phases[i].settings[j];
	if (p == NULL || asked_ratio (p, s->cpu) <= 1.0)
	  set_slow (s, false);
      }
  for (int j = 0; p != NULL && j < p->nsettings; j++)
    if (p->settings[j].asked > 1.0)
      set_slow (&p->settings[j], true);
}

/* The file that programs are to load, beside this program or where it is
   installed.  */
static const char *
find_library (void)
{
  static char path[PATH_MAX];
  static const char *const folders[] = { "../lib/gomp-amp", "." };
  char self[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", self, sizeof self - 1);

  if (n < 0)
    fail ("/proc/self/exe: %s", strerror (errno));
  self[n] = '\0';
  *strrchr (self, '/') = '\0';
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    {
      char name[2 * PATH_MAX];
      snprintf (name, sizeof name, "%s/%s/" AMP_SLOW_LIBRARY, self,
		folders[i]);
      if (realpath (name, path) == NULL)
	continue;
      /* LD_PRELOAD has no way to quote them.  */
      if (strpbrk (path, " :\t\n") != NULL)
	fail ("--method: LD_PRELOAD does not take the name %s: it has blanks"
	      " or colons", path);
      return path;
    }
  fail ("--method=signal: " AMP_SLOW_LIBRARY " is neither in %s/%s nor beside"
	" the program", self, folders[0]);
}

static void
start_signals (void)
{
  find_library ();
  /* Else the command may not open a file of this process by its name.  */
  if (prctl (PR_GET_DUMPABLE) != 1)
    fail ("--method=signal: not with file capabilities (setcap), which it does"
	  " not need: use a copy of the program");
  struct amp_slow_table *table;
  table_file = memfd_create ("amp-emulate", MFD_CLOEXEC);
  if (table_file < 0 || ftruncate (table_file, sizeof *table) != 0)
    fail ("memfd_create: %s", strerror (errno));
  table = mmap (NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED,
		table_file, 0);
  if (table == MAP_FAILED)
    fail ("mmap: %s", strerror (errno));
  table->magic = AMP_SLOW_MAGIC;
  table->jitter = opt.jitter;
  table->seed = opt.seed;
  if (!amp_slow_use (table))
    fail ("--method=signal: %s", strerror (errno));
}

void
offer_signals (void)
{
  char value[3 * PATH_MAX], path[64];
  const char *old = getenv ("LD_PRELOAD");
  bool some = old != NULL && *old != '\0';

  snprintf (path, sizeof path, "/proc/%ld/fd/%d", (long) getpid (),
	    table_file);
  snprintf (value, sizeof value, "%s%s%s", find_library (), some ? ":" : "",
	    some ? old : "");
  if (setenv (AMP_SLOW_VARIABLE, path, 1) != 0
      || setenv ("LD_PRELOAD", value, 1) != 0)
    fail ("out of memory");
  atomic_store (&slow_table->thefts, 0);
}

void
start_method (void)
{
  if (opt.method == METHOD_SIGNAL)
    {
      start_signals ();
      for (int i = 0; i < nphases; i++)
	for (int j = 0; j < phases[i].nsettings; j++)
	  claim_cpu (phases[i].settings[j].cpu);
      return;
    }
  check_reachable ();
  start_thieves ();
}

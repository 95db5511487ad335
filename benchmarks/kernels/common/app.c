/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See app.h.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include "app.h"

#include "random.h"

#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

uint64_t app_seed = 1;
bool app_damage;
bool app_workload;

static long tasks, grainsize;

#ifdef TASKLOOP
# define TASK_HELP \
  "      --tasks N        cut a loop into N tasks (default: the threads)\n" \
  "      --grainsize N    instead, at least N iterations a task\n"
#elif defined TASKS
# define TASK_HELP \
  "      --tasks N        cut a loop into N tasks (default: 8 a thread)\n" \
  "      --grainsize N    instead, at least N iterations a task\n"
#else
# define TASK_HELP
#endif
#define SEED_HELP \
  "      --seed N         of everything that is generated (default 1)\n" \
  TASK_HELP

const char app_task_help[] = "" TASK_HELP;
const char app_seed_help[] = SEED_HELP;

const char app_help[]
  = SEED_HELP
    "      --workload       tell the library what iterations cost"
    " (for binlpt)\n"
  ;

const char *
app_help_with (const char *own)
{
  static char *text;
  free (text);
  if (asprintf (&text, "%s%s", own, app_help) < 0)
    return text = NULL;
  return text;
}

int
app_damage_option (const char *name, const char *value)
{
  (void) value;
  if (strcmp (name, "--damage"))
    return 0;
  app_damage = true;
  return 1;
}

int
app_task_option (const char *name, const char *value)
{
#ifdef APP_TASKS
  if (!strcmp (name, "--tasks"))
    return (value && bench_parse_long (value, 1, 1000000000, &tasks)
	    ? 2 : -1);
  if (!strcmp (name, "--grainsize"))
    return (value && bench_parse_long (value, 1, LONG_MAX, &grainsize)
	    ? 2 : -1);
#else
  (void) name;
  (void) value;
#endif
  return 0;
}

int
app_seed_option (const char *name, const char *value)
{
  long n;
  if (strcmp (name, "--seed"))
    {
      int used = app_task_option (name, value);
      return used ? used : app_damage_option (name, value);
    }
  if (!value || !bench_parse_long (value, 0, LONG_MAX, &n))
    return -1;
  app_seed = n;
  return 2;
}

int
app_option (const char *name, const char *value)
{
  if (!strcmp (name, "--workload"))
    {
      app_workload = true;
      return 1;
    }
  return app_seed_option (name, value);
}

static char **arguments;
static int argument_count;

void
app_argument (const char *text)
{
  if (argument_count == 0)
    {
      arguments = app_allocate (2, sizeof *arguments);
      arguments[argument_count++] = strdup ("");
    }
  arguments = realloc (arguments,
		       (argument_count + 2) * sizeof *arguments);
  char *copy = strdup (text);
  if (!arguments || !copy)
    {
      fputs ("out of memory\n", stderr);
      exit (2);
    }
  arguments[argument_count++] = copy;
  arguments[argument_count] = NULL;
}

char
app_parse (const char *name, const char *valid, const char *help, int offers)
{
  struct bench_options o;
  char *seed_help = NULL;
  if (offers == APP_OFFERS_SEED
      && asprintf (&seed_help, "%s%s", help, app_seed_help) < 0)
    seed_help = NULL;
  bench_parse (argument_count, arguments, name, valid, false,
	       offers == APP_OFFERS_ALL ? app_help_with (help)
	       : seed_help ? seed_help : help,
	       (offers == APP_OFFERS_DAMAGE ? app_damage_option
		: offers == APP_OFFERS_SEED ? app_seed_option : app_option),
	       &o);
  free (seed_help);
  return o.klass;
}

double
app_random (uint64_t index)
{
  return random_fraction (random_at (app_seed, index));
}

bool
app_wants_workload (void)
{
  return app_workload;
}

bool
app_wants_damage (void)
{
  return app_damage;
}

uint64_t
app_get_seed (void)
{
  return app_seed;
}

/* Of tasks a thread, without --tasks and --grainsize.  */
#ifdef TASKS
enum { TASKS_A_THREAD = 8 };
#else
enum { TASKS_A_THREAD = 1 };
#endif

long
app_tasks (long n)
{
  long wanted = (grainsize ? n / grainsize : tasks ? tasks
		 : (long) TASKS_A_THREAD * omp_get_num_threads ());
  if (wanted > n)
    wanted = n;
  return wanted > 0 ? wanted : 1;
}

/* The interface of lapesd's libgomp, which came with BinLPT.  Asked for by name
   since other libraries lack it.  */
static unsigned (*loop_register) (const char *);
static void (*set_workload) (unsigned, unsigned *, unsigned, bool);

void
app_set_workload (unsigned *work, long n)
{
  static unsigned loop;
  static bool asked;
  if (!app_workload || n > UINT_MAX)
    return;
  if (!asked)
    {
      asked = true;
      *(void **) &loop_register = dlsym (RTLD_DEFAULT, "omp_loop_register");
      *(void **) &set_workload = dlsym (RTLD_DEFAULT, "omp_set_workload");
      if (loop_register && set_workload)
	loop = loop_register ("main loop");
    }
  if (loop_register && set_workload)
    set_workload (loop, work, (unsigned) n, true);
}

void *
app_allocate (size_t count, size_t size)
{
  void *m = calloc (count ? count : 1, size);
  if (!m)
    {
      fputs ("out of memory\n", stderr);
      exit (2);
    }
  return m;
}

/* 64 bits a step, each through random_mix: a changed bit anywhere changes
   half of the hash's.  */

uint64_t
app_hash (uint64_t h, const void *m, size_t size)
{
  const char *p = m;
  while (size)
    {
      uint64_t word = 0;
      size_t part = size < sizeof word ? size : sizeof word;
      memcpy (&word, p, part);
      h = random_mix (h + RANDOM_STEP + word);
      p += part;
      size -= part;
    }
  return h;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Sites, and the report of GOMP_AMP_REPORT: a line for each when the program
   ends.  */

#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "device.h"

#define MAX_SITES 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct site *sites;
static unsigned nsites;

struct site *
find_site (const void *address, amp_device_cores body, unsigned cores,
	   unsigned devices, uint64_t n)
{
  unsigned magnitude = 63 - (unsigned) __builtin_clzll (n);
  struct site *s;

  pthread_mutex_lock (&lock);
  for (s = sites; s != NULL; s = s->next)
    if (s->address == address && s->cores_body == body && s->cores == cores
	&& s->devices == devices && s->magnitude == magnitude)
      break;
  if (s == NULL && nsites < MAX_SITES && (s = calloc (1, sizeof *s)) != NULL)
    {
      nsites++;
      s->address = address;
      s->cores_body = body;
      s->cores = cores;
      s->devices = devices;
      s->magnitude = magnitude;
      s->next = sites;
      sites = s;
    }
  pthread_mutex_unlock (&lock);
  return s;
}

unsigned
oracle_percent (struct site *site)
{
  unsigned percent;

  pthread_mutex_lock (&lock);
  percent = (site->oracle.executed == 0 ? 50
	     : site->oracle.executed <= ORACLE_STEPS
	     ? 10 * (site->oracle.executed - 1) : site->oracle.best);
  pthread_mutex_unlock (&lock);
  return percent;
}

void
site_add (struct run *run, uint64_t n, uint64_t took, bool whole)
{
  static const char *const policies[] = { "adaptive", "dynamic", "bulk",
					  "oracle", "off" };
  struct site *site = run->site;
  struct oracle *o = &site->oracle;
  double cost = (double) took / (double) n;
  const uint64_t *from = (const uint64_t *) &run->sums;
  uint64_t *to = (uint64_t *) &site->sums;

  pthread_mutex_lock (&lock);
  if (run->options.policy == AMP_DEVICE_ORACLE && whole && run->error == 0)
    {
      if (o->executed >= 1 && o->executed <= ORACLE_STEPS
	  && (o->executed == 1 || cost < o->best_cost))
	{
	  o->best_cost = cost;
	  o->best = run->plan.percent;
	}
      if (o->executed <= ORACLE_STEPS)
	o->executed++;
    }
  site->executions++;
  site->iterations += n;
  site->total += took;
  site->failed += run->error != 0;
  for (unsigned i = 0; i < sizeof site->sums / sizeof *to; i++)
    to[i] += from[i];
  site->name = run->options.name[0] != NULL ? run->options.name[0] : "device";
  site->policy = (run->options.policy >= 0
		  && run->options.policy <= AMP_DEVICE_OFF
		  ? policies[run->options.policy] : policies[0]);
  site->percent = run->plan.percent;
  site->chunk = (run->plan.kind == AMP_DEVICE_IS_ADAPTIVE
		 ? site->memory[0].search.size : run->plan.device[0].chunk);
  pthread_mutex_unlock (&lock);
}

/* SITE's address as OBJECT+0xOFFSET, in TEXT.  */

static void
say_place (const struct site *site, char *text, size_t size)
{
  const char *name = "program";
  struct link_map *map;
  Dl_info info;

  /* A return address may be that of the next function.  */
  if (dladdr1 ((const char *) site->address - 1, &info, (void **) &map,
	       RTLD_DL_LINKMAP) == 0)
    {
      snprintf (text, size, "%p", site->address);
      return;
    }
  if (map->l_name != NULL && map->l_name[0] != '\0')
    {
      name = strrchr (map->l_name, '/');
      name = name != NULL ? name + 1 : map->l_name;
    }
  snprintf (text, size, "%s+0x%jx", name,
	    (uintmax_t) ((const char *) site->address - 1
			 - (const char *) map->l_addr));
}

static double
part (uint64_t x, uint64_t of)
{
  return of != 0 ? 100.0 * (double) x / (double) of : 0.0;
}

static int
compare_sites (const void *a, const void *b)
{
  const struct site *x = *(struct site *const *) a;
  const struct site *y = *(struct site *const *) b;

  return x->total < y->total ? 1 : -(x->total > y->total);
}

static void
say_site (FILE *out, const struct site *s)
{
  const struct sums *k = &s->sums;
  char place[300], how[60];

  say_place (s, place, sizeof place);
  if (s->devices == 0)
    snprintf (how, sizeof how, "no device");
  else if (strcmp (s->policy, "bulk") == 0 || strcmp (s->policy, "oracle") == 0)
    snprintf (how, sizeof how, "%s, %u %%", s->policy, s->percent);
  else
    snprintf (how, sizeof how, "%s, G %jd", s->policy, (intmax_t) s->chunk);
  fprintf (out, "libamp-device: loop %s: %u thread%s and %u of %s, %ju "
	   "iterations, executed %ju time%s, %.3f ms, %s", place, s->cores,
	   s->cores == 1 ? "" : "s", s->devices, s->name,
	   (uintmax_t) (s->iterations / s->executions),
	   (uintmax_t) s->executions, s->executions == 1 ? "" : "s",
	   (double) s->total / 1e6, how);
  if (s->devices != 0)
    fprintf (out, ", %.1f %% of them on devices in %ju chunks, busy %.1f %%",
	     part (k->on_devices, s->iterations), (uintmax_t) k->chunks,
	     part (k->busy, s->total * s->devices));
  if (s->devices != 0)
    fprintf (out, "; overheads: scheduling %.4f %%, host to device %.3f %%, "
	     "launch %.3f %%, device to host %.3f %%, dispatch %.3f %%",
	     part (k->scheduling, s->total), part (k->to_device, s->total),
	     part (k->launch, s->total), part (k->from_device, s->total),
	     part (k->dispatch, s->total));
  if (k->untold != 0)
    fprintf (out, " (%ju chunks told no times)", (uintmax_t) k->untold);
  fprintf (out, "; cores' scheduling %.4f %%",
	   part (k->cores_scheduling, s->total * s->cores));
  if (s->failed != 0)
    fprintf (out, "; devices failed in %ju executions", (uintmax_t) s->failed);
  fputc ('\n', out);
}

/* What GOMP_AMP_REPORT asks for: the program may write over its environment,
   change its folder and set a locale.  */
static bool reporting;
static char *report_file;

static void __attribute__ ((constructor))
init_report (void)
{
  const char *text = secure_getenv ("GOMP_AMP_REPORT");
  char folder[4096] = "";

  reporting = text != NULL && *text != '\0' && strcmp (text, "0") != 0;
  if (!reporting || strchr (text, '/') == NULL)
    return;
  if (*text != '/' && getcwd (folder, sizeof folder - 1) != NULL)
    strcat (folder, "/");
  report_file = malloc (strlen (folder) + strlen (text) + 1);
  if (report_file != NULL)
    strcat (strcpy (report_file, folder), text);
}

static void __attribute__ ((destructor))
report (void)
{
  struct site **sorted, *s;
  unsigned n = 0, i;
  FILE *out = stderr;
  locale_t c, before;

  if (!reporting || nsites == 0)
    return;
  sorted = calloc (nsites, sizeof *sorted);
  if (sorted == NULL)
    return;
  if (report_file != NULL)
    {
      out = fopen (report_file, "ae");
      if (out == NULL)
	{
	  complain ("GOMP_AMP_REPORT: cannot write %s: %s", report_file,
		    strerror (errno));
	  free (sorted);
	  return;
	}
    }
  for (s = sites; s != NULL && n < nsites; s = s->next)
    if (s->executions != 0)
      sorted[n++] = s;
  qsort (sorted, n, sizeof *sorted, compare_sites);
  c = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  before = c != (locale_t) 0 ? uselocale (c) : (locale_t) 0;
  for (i = 0; i < n; i++)
    say_site (out, sorted[i]);
  if (c != (locale_t) 0)
    {
      uselocale (before);
      freelocale (c);
    }
  if (out != stderr)
    fclose (out);
  free (sorted);
}

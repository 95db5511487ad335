/* SPDX-License-Identifier: GPL-3.0-or-later

   The record of a run, as JSON.  */

#define _GNU_SOURCE
#include "amp-emulate.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Core types.  */

char *
types_text (const struct phase *p)
{
  char *text;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  if (f == NULL)
    fail ("out of memory");
  double done = 0.0;
  for (;;)
    {
      double ratio = INFINITY;
      for (int cpu = 0; cpu < MAX_CPUS; cpu++)
	if (mask_has (&allowed, cpu))
	  {
	    double r = asked_ratio (p, cpu);
	    if (r > done && r < ratio)
	      ratio = r;
	  }
      if (ratio == INFINITY)
	break;
      struct cpumask mask;
      memset (&mask, 0, sizeof mask);
      for (int cpu = 0; cpu < MAX_CPUS; cpu++)
	if (mask_has (&allowed, cpu) && asked_ratio (p, cpu) == ratio)
	  mask_add (&mask, cpu);
      char *list = mask_text (&mask);
      fprintf (f, "%s%s", done > 0.0 ? ":" : "", list);
      free (list);
      done = ratio;
    }
  fclose (f);
  return text;
}

/* The record.  */

/* BEFORE, and S as a string.  */

static void
json_string (FILE *f, const char *before, const char *s)
{
  fprintf (f, "%s\"", before);
  for (; *s; s++)
    {
      unsigned char c = *s;
      if (c == '"' || c == '\\')
	fprintf (f, "\\%c", c);
      /* Bytes above ASCII stand for Latin-1 characters: always valid.  */
      else if (c < 0x20 || c >= 0x7f)
	fprintf (f, "\\u%04x", c);
      else
	fputc (c, f);
    }
  fputc ('"', f);
}

static void
json_measure (FILE *f, const char *name, const struct measure *m)
{
  if (m->windows == 0)
    fprintf (f, ", \"%s\": null", name);
  else
    fprintf (f, ", \"%s\": {\"median\": %.4f, \"q1\": %.4f, \"q3\": %.4f,"
	     " \"windows\": %d}", name, m->median, m->q1, m->q3, m->windows);
}

static void
json_machine (FILE *f)
{
  struct utsname u;
  char text[512];
  uname (&u);
  json_string (f, "  \"machine\": {\"system\": ", u.sysname);
  json_string (f, ", \"release\": ", u.release);
  json_string (f, ", \"architecture\": ", u.machine);
  if (!read_field ("/proc/cpuinfo", "model name", text, sizeof text))
    strcpy (text, "");
  json_string (f, ", \"cpu_model\": ", text);
  if (!read_line ("/sys/devices/system/clocksource/clocksource0/"
		  "current_clocksource", text, sizeof text))
    strcpy (text, "");
  json_string (f, ", \"clocksource\": ", text);
  char *cpus = mask_text (&allowed);
  json_string (f, ", \"cpus_allowed\": ", cpus);
  free (cpus);
  fprintf (f, ", \"cpus_online\": %ld},\n", sysconf (_SC_NPROCESSORS_ONLN));
}

static void
json_phase (FILE *f, const struct phase *p)
{
  char *types = types_text (p);
  fprintf (f, "    {\"at_seconds\": %.6f, \"reference_cpu\": ",
	   (double) p->at / NS_PER_S);
  if (p->reference < 0)
    fputs ("null", f);
  else
    fprintf (f, "%d", p->reference);
  json_string (f, ", \"types\": ", types);
  free (types);
  fprintf (f, ", \"cpus\": [");
  for (int i = 0; i < p->nsettings; i++)
    {
      const struct setting *s = &p->settings[i];
      fprintf (f, "%s\n      {\"cpu\": %d, \"asked\": %.4f, \"spin_ns\": %lld,"
	       " \"overhead_ns\": %lld", i ? "," : "", s->cpu, s->asked,
	       (long long) s->spin, (long long) s->overhead);
      json_measure (f, "reached_before", &s->before);
      json_measure (f, "reached_after", &s->after);
      fputc ('}', f);
    }
  fputs ("]}", f);
}

void
write_json (FILE *f, char **command, int status, int64_t wall)
{
  char date[64];
  time_t t = time (NULL);
  struct tm tm;
  gmtime_r (&t, &tm);
  strftime (date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm);

  fprintf (f, "{\n  \"tool\": \"amp-emulate\",\n  \"version\": \"%s\",\n"
	   "  \"date\": \"%s\",\n", AMP_VERSION, date);
  json_machine (f);
  fprintf (f, "  \"method\": \"%s\",\n  \"period_ns\": %lld,\n"
	   "  \"jitter\": %s,\n"
	   "  \"seed\": %llu,\n  \"phases\": [\n",
	   method_names[opt.method], (long long) opt.period,
	   opt.jitter ? "true" : "false", (unsigned long long) opt.seed);
  for (int i = 0; i < nphases; i++)
    {
      json_phase (f, &phases[i]);
      fputs (i + 1 < nphases ? ",\n" : "\n", f);
    }
  fputs ("  ],\n  \"thieves\": [", f);
  for (int i = 0; i < nthieves; i++)
    {
      struct thief *th = &thieves[i];
      fprintf (f, "%s\n    {\"cpu\": %d, \"periods\": %llu, \"missed\": %llu,"
	       " \"max_late_ns\": %lld}", i ? "," : "", th->cpu,
	       (unsigned long long) atomic_load (&th->periods),
	       (unsigned long long) atomic_load (&th->missed),
	       (long long) atomic_load (&th->max_late));
    }
  fputs ("],\n", f);
  if (opt.method == METHOD_SIGNAL)
    fprintf (f, "  \"processes\": %lu,\n  \"thefts\": %llu,\n",
	     (unsigned long) atomic_load (&slow_table->processes),
	     (unsigned long long) thefts);
  fputs ("  \"command\": ", f);
  if (status < 0)
    fputs ("null,\n  \"exit_status\": null,\n  \"wall_seconds\": null\n", f);
  else
    {
      fputc ('[', f);
      for (int i = 0; command[i] != NULL; i++)
	json_string (f, i > 0 ? ", " : "", command[i]);
      fprintf (f, "],\n  \"exit_status\": %d,\n  \"wall_seconds\": %.6f\n",
	       status, (double) wall / NS_PER_S);
    }
  fputs ("}\n", f);
  bool bad = ferror (f) != 0;
  if (fclose (f) != 0 || bad)
    warn ("warning: %s could not be written: %s", opt.json, strerror (errno));
}

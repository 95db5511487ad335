/* SPDX-License-Identifier: GPL-3.0-or-later

   Memory, time, CPU sets, numbers, small files.  */

#define _GNU_SOURCE
#include "amp-emulate.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <time.h>

void *
xcalloc (size_t n, size_t size)
{
  void *p = calloc (n ? n : 1, size);
  if (p == NULL)
    fail ("out of memory");
  return p;
}


/* Time.  */

int64_t
now (void)
{
  return read_clock (CLOCK_MONOTONIC);
}

struct timespec
to_timespec (int64_t ns)
{
  struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };
  return ts;
}

void
sleep_until (int64_t when)
{
  struct timespec ts = to_timespec (when);
  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
    continue;
}

const char *
period_text (void)
{
  static char text[32];
  if (opt.period % NS_PER_MS == 0)
    snprintf (text, sizeof text, "%lld ms",
	      (long long) (opt.period / NS_PER_MS));
  else
    snprintf (text, sizeof text, "%g us", (double) opt.period / NS_PER_US);
  return text;
}


/* CPU sets.  */

bool
mask_has (const struct cpumask *mask, int cpu)
{
  return CPU_ISSET_S (cpu, sizeof *mask, mask->sets);
}

void
mask_add (struct cpumask *mask, int cpu)
{
  CPU_SET_S (cpu, sizeof *mask, mask->sets);
}

char *
mask_text (const struct cpumask *mask)
{
  char *text;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  if (f == NULL)
    fail ("out of memory");
  const char *comma = "";
  for (int cpu = 0; cpu < MAX_CPUS; cpu++)
    {
      if (!mask_has (mask, cpu))
	continue;
      int last = cpu;
      while (last + 1 < MAX_CPUS && mask_has (mask, last + 1))
	last++;
      fprintf (f, "%s%d", comma, cpu);
      if (last > cpu)
	fprintf (f, "-%d", last);
      comma = ",";
      cpu = last;
    }
  fclose (f);
  return text;
}

static bool
parse_cpu (const char **p, int *cpu)
{
  if (!isdigit ((unsigned char) **p))
    return false;
  long n = 0;
  while (isdigit ((unsigned char) **p))
    {
      n = n * 10 + (*(*p)++ - '0');
      if (n >= MAX_CPUS)
	return false;
    }
  *cpu = n;
  return true;
}

const char *
parse_cpus (const char *p, struct cpumask *mask)
{
  memset (mask, 0, sizeof *mask);
  for (;;)
    {
      int first, last;
      if (!parse_cpu (&p, &first))
	return NULL;
      last = first;
      if (*p == '-')
	{
	  p++;
	  if (!parse_cpu (&p, &last) || last < first)
	    return NULL;
	}
      for (int cpu = first; cpu <= last; cpu++)
	mask_add (mask, cpu);
      if (*p != ',')
	return p;
      p++;
    }
}

bool
parse_number (const char **p, double *value)
{
  const char *start = *p;
  size_t digits = strspn (start, "0123456789");
  const char *end = start + digits;
  if (*end == '.')
    {
      size_t fraction = strspn (end + 1, "0123456789");
      digits += fraction;
      end += 1 + fraction;
    }
  if (digits == 0 || end - start > 30)
    return false;
  *value = strtod (start, NULL);
  *p = end;
  return true;
}


/* Small files.  */

bool
read_line (const char *path, char *line, size_t size)
{
  FILE *f = fopen (path, "re");
  if (f == NULL)
    return false;
  bool ok = fgets (line, size, f) != NULL;
  fclose (f);
  if (ok)
    line[strcspn (line, "\n")] = '\0';
  return ok;
}

bool
read_long (const char *path, long long *value)
{
  char line[64], *end;
  if (!read_line (path, line, sizeof line))
    return false;
  *value = strtoll (line, &end, 10);
  return end != line;
}

bool
read_field (const char *path, const char *key, char *value, size_t size)
{
  FILE *f = fopen (path, "re");
  if (f == NULL)
    return false;
  bool found = false;
  char line[512];
  while (!found && fgets (line, sizeof line, f) != NULL)
    {
      char *colon = strchr (line, ':');
      if (colon == NULL || strncmp (line, key, strlen (key)) != 0)
	continue;
      colon++;
      colon += strspn (colon, " \t");
      colon[strcspn (colon, "\n")] = '\0';
      snprintf (value, size, "%s", colon);
      found = true;
    }
  fclose (f);
  return found;
}

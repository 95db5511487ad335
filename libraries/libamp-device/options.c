/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The environment, messages, and which CPUs are of which type.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device.h"
/* CPUID is not executed: that would move the calling thread about.  */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "amp-topology.c"

/* What AMP_DEVICE and AMP_DEVICE_HOST say.  */
static struct
{
  bool has_policy, has_beside, has_place, has_priority;
  struct amp_device_options options;
} told;

static pthread_once_t once = PTHREAD_ONCE_INIT;

void
complain (const char *format, ...)
{
  char text[512];
  va_list ap;

  va_start (ap, format);
  vsnprintf (text, sizeof text, format, ap);
  va_end (ap);
  fprintf (stderr, "libamp-device: %s\n", text);
}

/* If TEXT is WORD, or with VALUE, WORD and a number from LOW to HIGH behind the
   character SEPARATOR, which *VALUE becomes.  */

static bool
is_word (const char *text, const char *word, char separator, long low,
	 long high, long *value)
{
  size_t length = strlen (word);
  char *end;

  if (strncmp (text, word, length) != 0)
    return false;
  if (text[length] == '\0')
    return value == NULL || separator == ',';
  if (value == NULL || text[length] != separator || text[length + 1] == '\0')
    return false;
  errno = 0;
  *value = strtol (text + length + 1, &end, 10);
  return *end == '\0' && errno == 0 && *value >= low && *value <= high;
}

static bool
parse_policy (const char *text)
{
  static const char *const words[] = { [AMP_DEVICE_ADAPTIVE] = "adaptive",
				       [AMP_DEVICE_ORACLE] = "oracle",
				       [AMP_DEVICE_OFF] = "off" };
  struct amp_device_options *o = &told.options;
  long value = 0;

  told.has_policy = true;
  for (int i = AMP_DEVICE_ADAPTIVE; i <= AMP_DEVICE_OFF; i++)
    if (words[i] != NULL && strcmp (text, words[i]) == 0)
      {
	o->policy = i;
	return true;
      }
  if (is_word (text, "dynamic", ',', 1, LONG_MAX, &value))
    {
      o->policy = AMP_DEVICE_DYNAMIC;
      for (int i = 0; i < AMP_DEVICE_MAX; i++)
	o->chunk[i] = value;
      return true;
    }
  value = 50;
  if (is_word (text, "bulk", ',', 0, 100, &value))
    {
      o->policy = AMP_DEVICE_BULK;
      o->percent = (int) value;
      return true;
    }
  return told.has_policy = false;
}

static bool
parse_host_word (const char *word)
{
  struct amp_device_options *o = &told.options;
  long value;
  char *end;

  if (strcmp (word, "beside") == 0 || strcmp (word, "counted") == 0)
    {
      told.has_beside = true;
      o->beside = word[0] == 'b';
    }
  else if (is_word (word, "nice", '=', -20, -1, &value)
	   || (is_word (word, "rr", '=', 1, 99, &value)))
    {
      told.has_priority = true;
      o->priority = (int) (value < 0 ? -value : 100 + value);
    }
  else
    {
      told.has_place = true;
      value = strtol (word, &end, 10);
      if (strcmp (word, "free") == 0)
	o->place = AMP_DEVICE_FREE;
      else if (strcmp (word, "big") == 0)
	o->place = AMP_DEVICE_BIG;
      else if (strcmp (word, "little") == 0)
	o->place = AMP_DEVICE_LITTLE;
      else if (*word != '\0' && *end == '\0' && value >= 0
	       && value < CPU_SETSIZE)
	o->place = (int) value;
      else
	return told.has_place = false;
    }
  return true;
}

static void
read_environment (void)
{
  const char *text = getenv ("AMP_DEVICE");
  char words[100], *word, *rest;

  if (text != NULL && *text != '\0' && !parse_policy (text))
    complain ("Invalid value for environment variable AMP_DEVICE: %s "
	      "(valid: adaptive, dynamic[,G], bulk[,percent], oracle, off)",
	      text);
  text = getenv ("AMP_DEVICE_HOST");
  if (text == NULL || *text == '\0')
    return;
  snprintf (words, sizeof words, "%s", text);
  for (word = strtok_r (words, ",", &rest); word != NULL;
       word = strtok_r (NULL, ",", &rest))
    if (!parse_host_word (word))
      complain ("Invalid value for environment variable "
		"AMP_DEVICE_HOST: %s (valid, with commas between them: "
		"beside or counted; free, big, little or a CPU; nice=-20 to "
		"-1 or rr=1 to 99)", word);
}

void
environment_options (struct amp_device_options *options)
{
  const struct amp_device_options *o = &told.options;

  pthread_once (&once, read_environment);
  if (told.has_policy)
    {
      options->policy = o->policy;
      options->percent = o->percent;
      if (o->policy == AMP_DEVICE_DYNAMIC && o->chunk[0] != 0)
	memcpy (options->chunk, o->chunk, sizeof o->chunk);
    }
  if (told.has_beside)
    options->beside = o->beside;
  if (told.has_place)
    options->place = o->place;
  if (told.has_priority)
    options->priority = o->priority;
}

static cpu_set_t in_mask;

static bool
usable (unsigned cpu)
{
  return cpu < CPU_SETSIZE && CPU_ISSET (cpu, &in_mask);
}

bool
cpus_of_place (int place, void *mask, size_t size)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct amp_topology topology;
  static struct amp_source source;
  const char *wrong;
  cpu_set_t *out = mask;
  unsigned i, type;

  if (size < sizeof *out)
    return false;
  pthread_mutex_lock (&lock);
  in_mask = *out;
  amp_source_open (&source, NULL, CPU_SETSIZE, usable, NULL);
  amp_topology_find (&topology, &source, getenv ("GOMP_AMP_TYPES"), &wrong);
  type = place == AMP_DEVICE_BIG ? 0 : topology.types - 1;
  if (topology.types > 1)
    {
      CPU_ZERO (out);
      for (i = 0; i < topology.norder; i++)
	if (topology.type[topology.order[i]] == type)
	  CPU_SET (topology.order[i], out);
    }
  pthread_mutex_unlock (&lock);
  return topology.types > 1;
}

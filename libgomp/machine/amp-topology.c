/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPU is of which core type.  Runs once, before any team exists.
   Includes its parts: amp-sysfs.c and amp-detect.c.  */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp-sysfs.h"

static void
amp_topology_clear (struct amp_topology *t)
{
  memset (t, 0, sizeof *t);
  memset (t->type, AMP_NO_TYPE, sizeof t->type);
  t->turns = 1;
}

static void
amp_topology_add (struct amp_topology *t, unsigned cpu, unsigned type)
{
  t->type[cpu] = type;
  t->core[cpu] = cpu;
  t->order[t->norder++] = cpu;
  if (cpu >= t->ncpus)
    t->ncpus = cpu + 1;
}

static const char *
amp_topology_from_lists (struct amp_topology *t, const char *text,
			 amp_usable_fn usable)
{
  const char *s = text;
  unsigned type = 0, members = 0, first, last, cpu;

  amp_topology_clear (t);
  while (*s == ' ' || *s == '\t')
    s++;
  for (;;)
    {
      if (!amp_read_cpu (&s, &first))
	return "a CPU number is missing or too large";
      last = first;
      if (*s == '-')
	{
	  s++;
	  if (!amp_read_cpu (&s, &last))
	    return "a CPU number is missing or too large";
	  if (last < first)
	    return "a range runs backwards";
	}
      for (cpu = first; cpu <= last; cpu++)
	{
	  if (t->type[cpu] != AMP_NO_TYPE)
	    return "a CPU is named twice";
	  if (usable (cpu))
	    {
	      amp_topology_add (t, cpu, type);
	      members++;
	    }
	}
      if (*s == ',')
	{
	  s++;
	  continue;
	}
      /* A type none of whose CPUs is usable does not count.  */
      if (members != 0)
	type++;
      members = 0;
      if (*s != ':')
	break;
      if (type == AMP_TOPOLOGY_TYPES)
	return "there are too many types";
      s++;
    }
  while (*s == ' ' || *s == '\t')
    s++;
  if (*s != '\0')
    return "only digits and , - : may occur";
  if (type == 0)
    return "none of these CPUs is usable here";
  t->types = type;
  return NULL;
}

/* Try the lists in TEXT, if any; true if they are the evidence.  */

static void
amp_topology_find (struct amp_topology *t, const struct amp_source *s,
		   const char *types, const char **wrong)
{
  *wrong = types != NULL ? amp_topology_from_lists (t, types, s->usable) : NULL;
  t->evidence = AMP_EVIDENCE_TYPES;
  if (types == NULL || *wrong != NULL)
    amp_topology_detect (t, s);
}

/* Placement.  */

/* More threads of one core than this are treated as this many.  */
#define AMP_MAX_TURN 15

static void
amp_topology_read_siblings (struct amp_topology *t,
			    const struct amp_source *s)
{
  static const char *const names[]
    = { "thread_siblings_list", "core_cpus_list" };
  unsigned char *sibling;
  unsigned i, j, k, cpu, turn;
  char path[80], active[8];

  if (amp_read_text (s->sys, "devices/system/cpu/smt/active", active,
		     sizeof active) && active[0] == '0')
    return;
  sibling = malloc (AMP_MAX_CPUS);
  if (sibling == NULL)
    return;
  for (i = 0; i < t->norder; i++)
    {
      /* A CPU that is the later sibling of an earlier one is dealt with.  */
      if (t->turn[t->order[i]] != 0)
	continue;
      for (j = 0; j < sizeof names / sizeof names[0]; j++)
	{
	  memset (sibling, 0, AMP_MAX_CPUS);
	  snprintf (path, sizeof path, "devices/system/cpu/cpu%u/topology/%s",
		    t->order[i], names[j]);
	  if (amp_read_list (s->sys, path, sibling, 1))
	    break;
	}
      /* Within a type the order is by number, or as listed by the user, who
	 may put siblings into different types.  */
      if (j == sizeof names / sizeof names[0])
	continue;
      for (cpu = turn = 0; cpu < t->ncpus; cpu++)
	if (sibling[cpu] && t->type[cpu] != AMP_NO_TYPE)
	  {
	    for (k = 0; !sibling[k] || t->type[k] != t->type[cpu]; k++)
	      ;
	    t->core[cpu] = k;
	    t->turn[cpu] = turn;
	    if (turn >= t->turns)
	      t->turns = turn + 1;
	    if (turn < AMP_MAX_TURN)
	      turn++;
	  }
    }
  free (sibling);
}

/* What WORD stands for; false if it is none.  */

static bool
amp_cores_word (const char *word, struct amp_cores *cores, unsigned count)
{
  static const struct { const char *word; int what; } words[] = {
    { "c", AMP_CORES_ANY }, { "core", AMP_CORES_ANY },
    { "cores", AMP_CORES_ANY }, { "p", AMP_CORES_FAST },
    { "big", AMP_CORES_FAST }, { "e", AMP_CORES_E }, { "lp", AMP_CORES_LP },
    { "lp-e", AMP_CORES_LP }, { "nolp", AMP_CORES_NOLP },
    { ":intel_core", AMP_CORES_FAST }, { ":intel_atom", AMP_CORES_ATOM },
    { ":eff", AMP_CORES_EFF }
  };
  size_t len = strcspn (word, ":");
  unsigned i, n = cores->parts;
  char *end;

  if (n == sizeof cores->part / sizeof cores->part[0])
    return false;
  cores->part[n].cores = count;
  for (i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strlen (words[i].word) == len
	&& strncmp (word, words[i].word, len) == 0)
      {
	cores->part[n].what = words[i].what;
	cores->parts++;
	if (word[len] == '\0')
	  return true;
	/* An attribute, which only cores in general have.  */
	for (; i < sizeof words / sizeof words[0]
	     && words[i].what == AMP_CORES_ANY; i++)
	  ;
	for (word += len; i < sizeof words / sizeof words[0]; i++)
	  if (*words[i].word == ':' && cores->part[n].what == AMP_CORES_ANY
	      && strncmp (word, words[i].word, strlen (words[i].word)) == 0)
	    {
	      word += strlen (words[i].word);
	      cores->part[n].what = words[i].what;
	      if (words[i].what != AMP_CORES_EFF)
		return *word == '\0';
	      cores->part[n].number = strtoul (word, &end, 10);
	      return (*word >= '0' && *word <= '9' && *end == '\0'
		      && end - word < 10);
	    }
	return false;
      }
  return false;
}

/* Store TEXT without blanks, in small letters in SMALL and in capitals in
   CORES, which is zero.  False if it is too long.  */

static bool
amp_cores_text (const char *text, char small[], struct amp_cores *cores)
{
  size_t n = 0;

  for (; *text != '\0'; text++)
    if (*text != ' ' && (*text < '\t' || *text > '\r'))
      {
	if (n + 1 == sizeof cores->text)
	  return false;
	small[n] = tolower ((unsigned char) *text);
	cores->text[n++] = toupper ((unsigned char) *text);
      }
  small[n] = '\0';
  return true;
}

static const char *
amp_parse_cores (const char *text, struct amp_cores *cores)
{
  static const char wrong[] = "valid are all, big, nolp, or numbers of cores "
    "as in 4P+2E or 4c:eff1,2c:eff0";
  struct amp_cores new = { 0 };
  char small[sizeof new.text], *word, *next;
  unsigned long count;

  if (!amp_cores_text (text, small, &new))
    return wrong;
  if (strcmp (small, "all") != 0)
    for (word = small; word != NULL; word = next)
      {
	next = strpbrk (word, "+,");
	if (next != NULL)
	  *next++ = '\0';
	count = 0;
	if (*word >= '0' && *word <= '9')
	  {
	    count = strtoul (word, &word, 10);
	    if (count == 0 || count > AMP_MAX_CPUS)
	      return wrong;
	  }
	if (strcmp (word, "t") == 0 && count != 0)
	  new.threads = count;
	else if (!amp_cores_word (word, &new, count))
	  return wrong;
      }
  *cores = new;
  return NULL;
}

static enum amp_places
amp_parse_places (const char *text, struct amp_cores *cores)
{
  struct amp_cores new = { 0 };
  char small[sizeof new.text], chosen[2 * sizeof small], *count, *end;
  unsigned long n = 0;

  if (!amp_cores_text (text, small, &new))
    return AMP_PLACES_OTHER;
  if (strcmp (small, "core_types") == 0 || strcmp (small, "core_effs") == 0
      || strcmp (small, "core_efficiencies") == 0)
    return AMP_PLACES_TYPES;
  if (strncmp (small, "cores:", 6) != 0 || strpbrk (small, "+,") != NULL)
    return AMP_PLACES_OTHER;
  count = strchr (small, '(');
  if (count != NULL)
    {
      *count++ = '\0';
      n = strtoul (count, &end, 10);
      if (*count < '0' || *count > '9' || n == 0 || n > AMP_MAX_CPUS
	  || strcmp (end, ")") != 0)
	return AMP_PLACES_OTHER;
    }
  snprintf (chosen, sizeof chosen, n == 0 ? "%.0lu%s" : "%lu%s", n, small);
  if (amp_parse_cores (chosen, cores) != NULL)
    return AMP_PLACES_OTHER;
  memcpy (cores->text, new.text, sizeof new.text);
  return AMP_PLACES_CORES;
}

static bool
amp_cores_count_p (const struct amp_cores *cores)
{
  unsigned i;

  for (i = 0; i < cores->parts; i++)
    if (cores->part[i].cores != 0)
      return true;
  return cores->threads != 0;
}

/* Is TYPE among those of CORES' part I?  */

static bool
amp_cores_type_p (const struct amp_topology *t, const struct amp_cores *cores,
		  unsigned i, unsigned type)
{
  unsigned role = t->role[type];

  switch (cores->part[i].what)
    {
    case AMP_CORES_FAST:
      return type == 0;
    case AMP_CORES_E:
      return role == AMP_ROLE_E || (role == AMP_ROLE_NONE && type != 0);
    case AMP_CORES_LP:
      return role == AMP_ROLE_LP;
    case AMP_CORES_ATOM:
      return role == AMP_ROLE_E || role == AMP_ROLE_LP;
    case AMP_CORES_NOLP:
      return role != AMP_ROLE_LP;
    case AMP_CORES_EFF:
      return type + 1 + cores->part[i].number == t->types;
    default:
      return true;
    }
}

static bool
amp_topology_select (struct amp_topology *t, const struct amp_cores *cores,
		     bool *fewer)
{
  unsigned left[sizeof cores->part / sizeof cores->part[0]];
  unsigned char chosen[AMP_MAX_CPUS];
  unsigned char as[AMP_TOPOLOGY_TYPES], kept[AMP_TOPOLOGY_TYPES] = { 0 };
  unsigned i, j, cpu, n = 0, types = 0;

  memset (chosen, cores->parts == 0, sizeof chosen);
  for (j = 0; j < cores->parts; j++)
    left[j] = cores->part[j].cores != 0 ? cores->part[j].cores : AMP_MAX_CPUS;
  for (i = 0; i < t->norder; i++)
    {
      cpu = t->order[i];
      for (j = 0; j < cores->parts && t->core[cpu] == cpu; j++)
	if (left[j] != 0 && amp_cores_type_p (t, cores, j, t->type[cpu]))
	  {
	    left[j]--;
	    chosen[cpu] = 1;
	    break;
	  }
    }
  for (i = 0; i < t->norder; i++)
    {
      cpu = t->order[i];
      chosen[cpu] = (chosen[t->core[cpu]]
		     && (cores->threads == 0 || t->turn[cpu] < cores->threads)
		     ? 2 : chosen[cpu] & 1);
      if (chosen[cpu] == 2)
	{
	  kept[t->type[cpu]] = 1;
	  n++;
	}
    }
  *fewer = false;
  for (j = 0; j < cores->parts; j++)
    *fewer |= cores->part[j].cores != 0 && left[j] != 0;
  if (n == 0)
    return false;
  for (i = 0; i < t->types; i++)
    if (kept[i])
      {
	t->capacity[types] = t->capacity[i];
	t->khz[types] = t->khz[i];
	t->role[types] = t->role[i];
	as[i] = types++;
      }
  for (t->ncpus = n = i = 0; i < t->norder; i++)
    {
      cpu = t->order[i];
      if (chosen[cpu] != 2)
	{
	  t->type[cpu] = AMP_NO_TYPE;
	  continue;
	}
      t->type[cpu] = as[t->type[cpu]];
      t->order[n++] = cpu;
      if (cpu >= t->ncpus)
	t->ncpus = cpu + 1;
    }
  t->norder = n;
  t->types = types;
  return true;
}

static void
amp_topology_placement (const struct amp_topology *t, bool slowest_first,
			unsigned short *cpus)
{
  unsigned i, j, pass, turn, type, used = 0;

  /* One pass is that of the low-power efficiency cores.  */
  for (pass = 0; pass < 2; pass++)
    for (turn = 0; turn < t->turns; turn++)
      for (j = 0; j < t->types; j++)
	{
	  type = slowest_first ? t->types - 1 - j : j;
	  if ((t->role[type] == AMP_ROLE_LP) != (pass == !slowest_first))
	    continue;
	  for (i = 0; i < t->norder; i++)
	    if (t->type[t->order[i]] == type && t->turn[t->order[i]] == turn)
	      cpus[used++] = t->order[i];
	}
}

static unsigned
amp_topology_observed_types (const struct amp_topology *t)
{
  if (t->evidence != AMP_EVIDENCE_NONE || t->norder < 2)
    return 0;
  return t->norder < AMP_TOPOLOGY_TYPES ? t->norder : AMP_TOPOLOGY_TYPES;
}

static unsigned
amp_topology_observed_type (const struct amp_topology *t, unsigned i)
{
  return i * amp_topology_observed_types (t) / t->norder;
}

/* Words.  */

static const struct { const char *key, *name; } amp_evidence_words[] = {
  { "none", "nothing: all usable CPUs are taken as one type" },
  { "types", "the list in GOMP_AMP_TYPES" },
  { "pmu", "Intel's cpu_core and cpu_atom in sysfs" },
  { "capacity", "cpu_capacity in sysfs" },
  { "cpuid", "the processor itself, asked on each CPU (CPUID)" },
  { "cppc", "two classes of highest performance, by ACPI (CPPC)" },
  { "midr", "the cores' makes (midr_el1) and frequencies in sysfs" },
  { "frequency", "the cores' highest frequencies in sysfs" }
};

static const char *
amp_evidence_name (enum amp_evidence evidence)
{
  return amp_evidence_words[evidence].name;
}

static const char *
amp_evidence_key (enum amp_evidence evidence)
{
  return amp_evidence_words[evidence].key;
}

static const char *
amp_role_name (unsigned role)
{
  static const char *const names[] = { "", "LP-E", "E", "P" };

  return names[role];
}

#include "amp-sysfs.c"
#include "amp-detect.c"

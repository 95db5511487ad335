/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPU is of which core type.  Runs once, before any team exists.
   Includes its parts: amp-sysfs.c and amp-detect.c.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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

static bool
amp_topology_try_lists (struct amp_topology *t, const char *text,
			enum amp_evidence evidence, amp_usable_fn usable,
			const char **wrong)
{
  *wrong = NULL;
  if (text == NULL)
    return false;
  *wrong = amp_topology_from_lists (t, text, usable);
  t->evidence = evidence;
  return *wrong == NULL;
}

static void
amp_topology_find (struct amp_topology *t, const struct amp_source *s,
		   const char *affinity_list, const char *types,
		   const char **wrong_list, const char **wrong_types)
{
  *wrong_types = NULL;
  if (!amp_topology_try_lists (t, affinity_list, AMP_EVIDENCE_AFFINITY,
			       s->usable, wrong_list)
      && !amp_topology_try_lists (t, types, AMP_EVIDENCE_TYPES, s->usable,
				  wrong_types))
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
  unsigned i, j, cpu, turn;
  char path[80], active[8];

  if (t->evidence == AMP_EVIDENCE_AFFINITY
      || (amp_read_text (s->sys, "devices/system/cpu/smt/active", active,
			 sizeof active) && active[0] == '0'))
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
	    t->turn[cpu] = turn;
	    if (turn >= t->turns)
	      t->turns = turn + 1;
	    if (turn < AMP_MAX_TURN)
	      turn++;
	  }
    }
  free (sibling);
}

static const char *
amp_parse_cores (const char *text, enum amp_cores *cores)
{
  static const struct { const char *word; enum amp_cores value; } words[]
    = { { "all", AMP_CORES_ALL }, { "big", AMP_CORES_BIG },
	{ "nolp", AMP_CORES_NOLP } };
  size_t i, len;

  text += strspn (text, " \t\n\v\f\r");
  len = strcspn (text, " \t\n\v\f\r");
  for (i = 0; i < sizeof words / sizeof words[0]; i++)
    if (len == strlen (words[i].word)
	&& strncasecmp (text, words[i].word, len) == 0
	&& text[len + strspn (text + len, " \t\n\v\f\r")] == '\0')
      {
	*cores = words[i].value;
	return NULL;
      }
  return "valid are all, big and nolp";
}

static void
amp_topology_select (struct amp_topology *t, enum amp_cores cores)
{
  unsigned i, n = 0, last = t->types - 1;

  if (cores == AMP_CORES_BIG)
    last = 0;
  else
    while (cores == AMP_CORES_NOLP && last > 0
	   && t->role[last] == AMP_ROLE_LP)
      last--;
  t->ncpus = 0;
  for (i = 0; i < t->norder; i++)
    if (t->type[t->order[i]] > last)
      t->type[t->order[i]] = AMP_NO_TYPE;
    else
      {
	t->order[n++] = t->order[i];
	if (t->order[i] >= t->ncpus)
	  t->ncpus = t->order[i] + 1;
      }
  t->norder = n;
  t->types = last + 1;
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
  { "affinity", "the list in GOMP_AMP_AFFINITY" },
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

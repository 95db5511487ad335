/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPU is of which core type.  Runs once, before any team exists.  */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "amp-topology.h"

static void
amp_topology_clear (struct amp_topology *t)
{
  memset (t, 0, sizeof *t);
  memset (t->type, AMP_NO_TYPE, sizeof t->type);
}

static void
amp_topology_add (struct amp_topology *t, unsigned cpu, unsigned type)
{
  t->type[cpu] = type;
  t->order[t->norder++] = cpu;
  if (cpu >= t->ncpus)
    t->ncpus = cpu + 1;
}

static void
amp_topology_flat (struct amp_topology *t, amp_usable_fn usable)
{
  unsigned cpu;

  amp_topology_clear (t);
  for (cpu = 0; cpu < AMP_MAX_CPUS; cpu++)
    if (usable (cpu))
      amp_topology_add (t, cpu, 0);
  t->types = 1;
}

/* Read a CPU number at *S and step over it.  */

static bool
amp_read_cpu (const char **s, unsigned *cpu)
{
  const char *p = *s;
  unsigned v = 0;

  if (*p < '0' || *p > '9')
    return false;
  for (; *p >= '0' && *p <= '9'; p++)
    {
      v = v * 10 + (*p - '0');
      if (v >= AMP_MAX_CPUS)
	return false;
    }
  *s = p;
  *cpu = v;
  return true;
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

/* The number in the file NAME, or 0.  */

static unsigned
amp_read_file (const char *name)
{
  char buf[32];
  ssize_t len;
  int fd = open (name, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return 0;
  len = read (fd, buf, sizeof buf - 1);
  close (fd);
  if (len <= 0)
    return 0;
  buf[len] = '\0';
  return strtoul (buf, NULL, 10);
}

static bool
amp_topology_from_capacity (struct amp_topology *t, const char *root,
			    amp_usable_fn usable)
{
  unsigned cpu, left = 0, ncpus = 0;
  unsigned *capacity;
  char name[512];
  bool ok = true;

  capacity = calloc (AMP_MAX_CPUS, sizeof *capacity);
  if (capacity == NULL)
    return false;
  for (cpu = 0; cpu < AMP_MAX_CPUS && ok; cpu++)
    if (usable (cpu))
      {
	snprintf (name, sizeof name, "%s/cpu%u/cpu_capacity", root, cpu);
	capacity[cpu] = amp_read_file (name);
	ok = capacity[cpu] != 0;
	ncpus = cpu + 1;
	left++;
      }
  if (ok && left != 0)
    {
      struct amp_topology *found = malloc (sizeof *found);

      if (found == NULL)
	{
	  free (capacity);
	  return false;
	}
      amp_topology_clear (found);
      while (left != 0)
	{
	  unsigned most = 0;
	  unsigned type = (found->types < AMP_TOPOLOGY_TYPES
			   ? found->types : AMP_TOPOLOGY_TYPES - 1);

	  for (cpu = 0; cpu < ncpus; cpu++)
	    if (capacity[cpu] > most)
	      most = capacity[cpu];
	  for (cpu = 0; cpu < ncpus; cpu++)
	    if (capacity[cpu] != 0 && capacity[cpu] >= most - most / 20)
	      {
		amp_topology_add (found, cpu, type);
		capacity[cpu] = 0;
		left--;
	      }
	  if (found->types <= type)
	    found->capacity[type] = most;
	  found->types = type + 1;
	}
      ok = found->types > 1;
      if (ok)
	*t = *found;
      free (found);
    }
  else
    ok = false;
  free (capacity);
  return ok;
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
amp_topology_find (struct amp_topology *t, const char *affinity_list,
		   const char *types, const char *root, amp_usable_fn usable,
		   const char **wrong_list, const char **wrong_types)
{
  *wrong_types = NULL;
  if (amp_topology_try_lists (t, affinity_list, AMP_EVIDENCE_AFFINITY, usable,
			      wrong_list)
      || amp_topology_try_lists (t, types, AMP_EVIDENCE_TYPES, usable,
				 wrong_types))
    return;
  if (root == NULL || *root == '\0')
    root = AMP_SYSFS_CPU;
  if (amp_topology_from_capacity (t, root, usable))
    t->evidence = AMP_EVIDENCE_CAPACITY;
  else
    amp_topology_flat (t, usable);
}

static void
amp_topology_placement (const struct amp_topology *t, bool slowest_first,
			unsigned short *cpus)
{
  unsigned i, j, used = 0;

  for (j = 0; j < t->types; j++)
    for (i = 0; i < t->norder; i++)
      if (t->type[t->order[i]] == (slowest_first ? t->types - 1 - j : j))
	cpus[used++] = t->order[i];
}

static const char *
amp_evidence_name (enum amp_evidence evidence)
{
  switch (evidence)
    {
    case AMP_EVIDENCE_AFFINITY:
      return "the list in GOMP_AMP_AFFINITY";
    case AMP_EVIDENCE_TYPES:
      return "the list in GOMP_AMP_TYPES";
    case AMP_EVIDENCE_CAPACITY:
      return "cpu_capacity in sysfs";
    default:
      return "nothing: all usable CPUs are taken as one type";
    }
}

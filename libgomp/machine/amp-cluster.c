/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   See amp-cluster.h.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp-cluster.h"
#include "amp-sysfs.h"

/* Files of a CPU that name its group: a list whose first CPU stands for it, or
   a number.  */
static const struct
{
  enum amp_cluster_evidence evidence;
  const char *file;
} amp_cluster_files[] = {
  { AMP_CLUSTERS_CACHE, "cache/index3/shared_cpu_list" },
  { AMP_CLUSTERS_CORES, "topology/cluster_cpus_list" },
  { AMP_CLUSTERS_PACKAGE, "topology/physical_package_id" }
};

/* The text of CPU's FILE in BUF; false if there is none that begins with a
   number.  */

static bool
amp_cluster_text (const struct amp_source *s, unsigned cpu, const char *file,
		  char *buf, size_t size)
{
  char path[100];

  snprintf (path, sizeof path, "devices/system/cpu/cpu%u/%s", cpu, file);
  return (amp_read_text (s->sys, path, buf, size)
	  && buf[0] >= '0' && buf[0] <= '9');
}

/* Put CPU, whose group has KEY, in the cluster of that key, or in a further
   one; KEYS are those of C's clusters.  */

static void
amp_cluster_add (struct amp_clusters *c, unsigned cpu, unsigned long key,
		 unsigned long keys[AMP_MAX_CLUSTERS])
{
  unsigned i;

  for (i = 0; i < c->count && keys[i] != key; i++)
    continue;
  if (i == AMP_MAX_CLUSTERS)
    i--;
  else if (i == c->count)
    {
      keys[i] = key;
      c->size[i] = 0;
      c->count++;
    }
  c->cluster[cpu] = i;
  c->size[i]++;
}

/* Does CPU's group by FILE have it and its SMT siblings alone?  */

static bool
amp_cluster_is_core (const struct amp_source *s, unsigned cpu,
		     const char *file)
{
  char group[512], core[512];

  return (amp_cluster_text (s, cpu, file, group, sizeof group)
	  && (amp_cluster_text (s, cpu, "topology/thread_siblings_list", core,
				sizeof core)
	      || amp_cluster_text (s, cpu, "topology/core_cpus_list", core,
				   sizeof core))
	  && strcmp (group, core) == 0);
}

/* Group T's CPUs by FILE.  False if a CPU has none, or a group is one core:
   that is no cluster, and to keep its work to itself helps nobody.  */

static bool
amp_clusters_by_file (struct amp_clusters *c, const struct amp_topology *t,
		      const struct amp_source *s, const char *file)
{
  unsigned long keys[AMP_MAX_CLUSTERS];
  unsigned cpu;
  char buf[512];

  c->count = 0;
  for (cpu = 0; cpu < t->ncpus; cpu++)
    if (t->type[cpu] != AMP_NO_TYPE)
      {
	if (!amp_cluster_text (s, cpu, file, buf, sizeof buf)
	    || amp_cluster_is_core (s, cpu, file))
	  return false;
	amp_cluster_add (c, cpu, strtoul (buf, NULL, 10), keys);
      }
  return true;
}

/* ... by KEY_OF, in which CPUs that have none have NO_KEY.  */

static bool
amp_clusters_by_keys (struct amp_clusters *c, const struct amp_topology *t,
		      const unsigned char *key_of, unsigned char no_key)
{
  unsigned long keys[AMP_MAX_CLUSTERS];
  unsigned cpu;

  c->count = 0;
  for (cpu = 0; cpu < t->ncpus; cpu++)
    if (t->type[cpu] != AMP_NO_TYPE)
      {
	if (key_of[cpu] == no_key)
	  return false;
	amp_cluster_add (c, cpu, key_of[cpu], keys);
      }
  return true;
}

/* ... by NUMA node.  Threads may have small stacks.  */

static bool
amp_clusters_by_node (struct amp_clusters *c, const struct amp_topology *t,
		      const struct amp_source *s)
{
  unsigned char *online = calloc (2, AMP_MAX_CPUS);
  unsigned char *node_of = online + AMP_MAX_CPUS;
  unsigned node;
  bool found;
  char name[64];

  if (online == NULL)
    return false;
  found = amp_read_list (s->sys, "devices/system/node/online", online, 1);
  for (node = 0; found && node < 255; node++)
    if (online[node])
      {
	snprintf (name, sizeof name, "devices/system/node/node%u/cpulist",
		  node);
	amp_read_list (s->sys, name, node_of, node + 1);
      }
  found = found && amp_clusters_by_keys (c, t, node_of, 0);
  free (online);
  return found;
}

/* ... by the user's LISTS; CPUs that are in none of them are one more cluster.
   NULL, or what is wrong.  */

static const char *
amp_clusters_by_lists (struct amp_clusters *c, const struct amp_topology *t,
		       const char *lists, amp_usable_fn usable)
{
  struct amp_topology *named = malloc (sizeof *named);
  const char *wrong;

  if (named == NULL)
    return "no memory";
  wrong = amp_topology_from_lists (named, lists, usable);
  if (wrong == NULL)
    amp_clusters_by_keys (c, t, named->type, AMP_NO_TYPE - 1);
  free (named);
  return wrong;
}

static void
amp_clusters_one (struct amp_clusters *c, const struct amp_topology *t)
{
  memset (c, 0, sizeof *c);
  c->count = 1;
  c->size[0] = t->norder;
}

static void
amp_clusters_find (struct amp_clusters *c, const struct amp_topology *t,
		   const struct amp_source *s, const char *lists,
		   const char **wrong)
{
  unsigned i;

  *wrong = NULL;
  amp_clusters_one (c, t);
  if (lists != NULL)
    {
      *wrong = amp_clusters_by_lists (c, t, lists, s->usable);
      if (*wrong == NULL)
	{
	  c->evidence = AMP_CLUSTERS_LISTS;
	  return;
	}
      amp_clusters_one (c, t);
    }
  c->evidence = AMP_CLUSTERS_NODE;
  if (amp_clusters_by_node (c, t, s) && c->count > 1)
    return;
  for (i = 0; i < sizeof amp_cluster_files / sizeof *amp_cluster_files; i++)
    {
      c->evidence = amp_cluster_files[i].evidence;
      if (amp_clusters_by_file (c, t, s, amp_cluster_files[i].file)
	  && c->count > 1)
	return;
    }
  c->evidence = AMP_CLUSTERS_TYPE;
  if (t->types > 1 && amp_clusters_by_keys (c, t, t->type, AMP_NO_TYPE))
    return;
  amp_clusters_one (c, t);
}

static bool
amp_costs_file (char *name, size_t size, char *(*getenv) (const char *))
{
  const char *config = getenv ("XDG_CONFIG_HOME"), *home = getenv ("HOME");
  int n;

  if (config != NULL && *config == '/')
    n = snprintf (name, size, "%s/" AMP_COSTS_USER, config);
  else if (home != NULL && *home == '/')
    n = snprintf (name, size, "%s/.config/" AMP_COSTS_USER, home);
  else
    return false;
  return n > 0 && (size_t) n < size;
}

static const struct { const char *key, *name; } amp_cluster_words[] = {
  { "one", "all usable CPUs are near to one another" },
  { "lists", "the lists in GOMP_AMP_CLUSTERS" },
  { "node", "NUMA nodes" },
  { "cache", "third-level caches" },
  { "cores", "clusters of cores in sysfs" },
  { "package", "packages" },
  { "type", "core types" }
};

static const char *
amp_cluster_name (enum amp_cluster_evidence evidence)
{
  return amp_cluster_words[evidence].name;
}

static const char *
amp_cluster_key (enum amp_cluster_evidence evidence)
{
  return amp_cluster_words[evidence].key;
}

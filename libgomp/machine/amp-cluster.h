/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Clusters: CPUs that are near to one another, so that what one has written
   costs the others of its cluster less than those of another.  What a node is
   in "libHetMP: OpenMP across heterogeneous-ISA CPUs", within one machine.
   docs/use/cores.md explains them to users.  */

#ifndef AMP_CLUSTER_H
#define AMP_CLUSTER_H 1

#include "amp-topology.h"

/* What further ones there are is part of the last.  */
#define AMP_MAX_CLUSTERS 64

/* What tells clusters apart: the first of these by which there are several.  */
enum amp_cluster_evidence
{
  AMP_CLUSTERS_ONE,		/* Nothing: there is but one.  */
  AMP_CLUSTERS_LISTS,		/* The lists in GOMP_AMP_CLUSTERS.  */
  AMP_CLUSTERS_NODE,		/* NUMA nodes.  */
  AMP_CLUSTERS_CACHE,		/* Third-level caches.  */
  AMP_CLUSTERS_CORES,		/* What sysfs calls a cluster, unless it is
				   a single core.  */
  AMP_CLUSTERS_PACKAGE,
  AMP_CLUSTERS_TYPE		/* Core types.  */
};

struct amp_clusters
{
  unsigned count;		/* At least 1.  */
  enum amp_cluster_evidence evidence;
  unsigned short size[AMP_MAX_CLUSTERS];	/* Usable CPUs of each.  */
  /* Of each usable CPU; numbered by the least CPU.  */
  unsigned char cluster[AMP_MAX_CPUS];
};

/* Find the clusters of T's CPUs: by LISTS, CPU lists separated by colons, or
   NULL, then by the files of S, then by T's types.  *WRONG becomes NULL, or
   what is wrong with LISTS, which are then passed over.  */
static void amp_clusters_find (struct amp_clusters *c,
			       const struct amp_topology *t,
			       const struct amp_source *s, const char *lists,
			       const char **wrong);

/* Where `amp-info --calibrate' leaves what it has found, in lines KEY=NUMBER:
   the machine's, and the user's, which comes first: below $XDG_CONFIG_HOME,
   else below $HOME/.config.  */
#define AMP_COSTS_SYSTEM "/etc/gomp-amp.conf"
#define AMP_COSTS_USER "gomp-amp.conf"

/* Store the latter in NAME, of SIZE bytes; false if there is none.  GETENV is
   getenv or what a set-uid program has in its place.  */
static bool amp_costs_file (char *name, size_t size,
			    char *(*getenv) (const char *))
  __attribute__ ((unused));

/* In words, for people; and in one word, for programs.  */
static const char *amp_cluster_name (enum amp_cluster_evidence evidence)
  __attribute__ ((unused));
static const char *amp_cluster_key (enum amp_cluster_evidence evidence)
  __attribute__ ((unused));

#endif

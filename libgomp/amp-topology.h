/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPU is of which core type, and on what evidence.  */

#ifndef AMP_TOPOLOGY_H
#define AMP_TOPOLOGY_H 1

#include <stdbool.h>

/* Larger CPU numbers are not supported and treated as not usable.  */
#define AMP_MAX_CPUS 4096

/* More types than this are merged into the slowest, or refused where the user
   names them.  */
#define AMP_TOPOLOGY_TYPES 64

#define AMP_NO_TYPE 255

#define AMP_SYSFS_CPU "/sys/devices/system/cpu"

enum amp_evidence
{
  AMP_EVIDENCE_NONE,		/* All usable CPUs taken as one type.  */
  AMP_EVIDENCE_AFFINITY,	/* The list in GOMP_AMP_AFFINITY.  */
  AMP_EVIDENCE_TYPES,		/* The list in GOMP_AMP_TYPES.  */
  AMP_EVIDENCE_CAPACITY		/* cpu_capacity in sysfs.  */
};

struct amp_topology
{
  unsigned ncpus;	/* Highest usable CPU's number + 1.  */
  unsigned types;	/* Core types, at least 1; 0 is the fastest.  */
  unsigned norder;	/* Usable CPUs.  */
  enum amp_evidence evidence;
  unsigned char type[AMP_MAX_CPUS];	/* AMP_NO_TYPE: not usable.  */
  unsigned short order[AMP_MAX_CPUS];	/* Usable CPUs, fastest type first;
					   within a type as listed, or by
					   number.  */
  unsigned capacity[AMP_TOPOLOGY_TYPES];	/* Of each type; 0: unknown.  */
};

/* Is CPU in the mask that was in force when the process started?  */
typedef bool (*amp_usable_fn) (unsigned cpu);

/* All usable CPUs, as one type.  */
static void amp_topology_flat (struct amp_topology *, amp_usable_fn);

/* From CPU lists such as 4-7:0-3 or 0,2:1,3-5, types separated by colons,
   fastest first.  CPUs that are not usable are left out; usable ones that are
   not listed form no type and stay unused (their type is the slowest).
   NULL, or what is wrong with TEXT; *T is valid only on NULL.  */
static const char *amp_topology_from_lists (struct amp_topology *t,
					    const char *text,
					    amp_usable_fn usable);

/* From the files cpu<N>/cpu_capacity below ROOT (AMP_SYSFS_CPU unless
   replayed from elsewhere).  CPUs whose capacities are within 5 % of the
   group's largest form a type.  False, and *T untouched, if a usable CPU has
   no such file or all capacities are alike, which proves nothing.  */
static bool amp_topology_from_capacity (struct amp_topology *t,
					const char *root,
					amp_usable_fn usable);

/* Find the types by the order of evidence: AFFINITY_LIST, then TYPES (lists,
   or NULL), then the capacities below ROOT (NULL or empty: AMP_SYSFS_CPU), else
   all CPUs are one type.  *WRONG_LIST and *WRONG_TYPES become NULL, or what is
   wrong with a list that was therefore passed over.  */
static void amp_topology_find (struct amp_topology *t,
			       const char *affinity_list, const char *types,
			       const char *root, amp_usable_fn usable,
			       const char **wrong_list,
			       const char **wrong_types)
  __attribute__ ((unused));

/* Store in CPUS the NORDER usable CPUs in the order in which GOMP_AMP_AFFINITY
   gives them to threads 0, 1, ...: fastest type first, or slowest.  */
static void amp_topology_placement (const struct amp_topology *t,
				    bool slowest_first,
				    unsigned short *cpus);

/* In words, for people.  */
static const char *amp_evidence_name (enum amp_evidence evidence)
  __attribute__ ((unused));

#endif

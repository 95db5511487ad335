/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPU is of which core type, and on what evidence.  docs/use/cores.md
   explains the evidence to users.  */

#ifndef AMP_TOPOLOGY_H
#define AMP_TOPOLOGY_H 1

#include <stdbool.h>
#include <stdint.h>

/* Larger CPU numbers are not supported and treated as not usable.  */
#define AMP_MAX_CPUS 4096

/* More types than this are merged into the slowest, or refused where the user
   names them.  */
#define AMP_TOPOLOGY_TYPES 64

#define AMP_NO_TYPE 255

/* Longest root of a tree; longer names are cut off, and nothing is found.  */
#define AMP_ROOT_MAX 4096

enum amp_evidence
{
  AMP_EVIDENCE_NONE,		/* All usable CPUs taken as one type.  */
  AMP_EVIDENCE_TYPES,		/* The list in GOMP_AMP_TYPES.  */
  AMP_EVIDENCE_PMU,		/* cpu_core, cpu_atom, cpu_lowpower.  */
  AMP_EVIDENCE_CAPACITY,	/* cpu_capacity.  */
  AMP_EVIDENCE_CPUID,		/* CPUID executed on each CPU.  */
  AMP_EVIDENCE_CPPC,		/* Two classes of highest performance.  */
  AMP_EVIDENCE_MIDR,		/* midr_el1, with the frequencies.  */
  AMP_EVIDENCE_FREQUENCY	/* cpuinfo_max_freq alone.  */
};

/* What the maker calls a type, where the evidence says so.  */
enum amp_role
{
  AMP_ROLE_NONE,
  AMP_ROLE_LP,			/* Low-power efficiency core.  */
  AMP_ROLE_E,
  AMP_ROLE_P
};

enum amp_arch
{
  AMP_ARCH_UNKNOWN,		/* A tree that does not say.  */
  AMP_ARCH_X86,
  AMP_ARCH_OTHER
};

/* Is CPU in the mask that was in force when the process started?  */
typedef bool (*amp_usable_fn) (unsigned cpu);

/* In place of a CPU's number.  */
#define AMP_CPUID_HERE -1	/* On whichever CPU the thread is.  */
#define AMP_CPUID_DONE -2	/* Execute nothing; give the thread the mask
				   back that it had before it was bound.  */

/* Execute CPUID with LEAF, which the caller knows to exist, in eax and SUB in
   ecx on CPU; REG becomes eax, ebx, ecx, edx.  False if that is not possible.
   A thread stays bound to CPU until AMP_CPUID_DONE.  */
typedef bool (*amp_cpuid_fn) (int cpu, unsigned leaf, unsigned sub,
			      unsigned reg[4]);

/* Where facts come from: the machine, or a tree that is replayed.  A tree is
   never completed from the machine.  */
struct amp_source
{
  char sys[AMP_ROOT_MAX];	/* Holds devices and fs/cgroup.  */
  char proc[AMP_ROOT_MAX + 8];	/* Holds self/cgroup.  */
  enum amp_arch arch;
  unsigned limit;		/* CPUs from here on are not usable.  */
  amp_usable_fn usable;
  amp_cpuid_fn cpuid;		/* NULL: must not be executed.  */
};

struct amp_topology
{
  unsigned ncpus;	/* Highest usable CPU's number + 1.  */
  unsigned types;	/* Core types, at least 1; 0 is the fastest.  */
  unsigned norder;	/* Usable CPUs.  */
  unsigned turns;	/* Largest of `turn' + 1.  */
  enum amp_evidence evidence;
  unsigned char type[AMP_MAX_CPUS];	/* AMP_NO_TYPE: not usable.  */
  unsigned char turn[AMP_MAX_CPUS];	/* Usable SMT siblings with a lower
					   number; 0 for all until
					   amp_topology_read_siblings.  */
  unsigned short core[AMP_MAX_CPUS];	/* Lowest usable SMT sibling of the
					   same type; itself until then.  */
  unsigned short order[AMP_MAX_CPUS];	/* Usable CPUs, fastest type first;
					   within a type as listed, or by
					   number.  */
  unsigned capacity[AMP_TOPOLOGY_TYPES];	/* Of each type; 0: unknown.  */
  unsigned khz[AMP_TOPOLOGY_TYPES];	/* Highest frequency, likewise.  */
  unsigned char role[AMP_TOPOLOGY_TYPES];	/* enum amp_role.  */
};

/* The machine (ROOT NULL or empty), or the tree at ROOT, which holds what
   /sys holds, and in ROOT/proc what /proc holds.  CPUs from LIMIT on are not
   usable.  CPUID is executed on the machine only; it may be NULL.  */
static void amp_source_open (struct amp_source *s, const char *root,
			     unsigned limit, amp_usable_fn usable,
			     amp_cpuid_fn cpuid)
  __attribute__ ((unused));

/* From CPU lists such as 4-7:0-3 or 0,2:1,3-5, types separated by colons,
   fastest first.  CPUs that are not usable are left out; usable ones that are
   not listed form no type and stay unused (their type is the slowest).
   NULL, or what is wrong with TEXT; *T is valid only on NULL.  */
static const char *amp_topology_from_lists (struct amp_topology *t,
					    const char *text,
					    amp_usable_fn usable);

/* From the files of S and from CPUID, by the order of evidence in enum
   amp_evidence; if none of it tells types apart, all usable CPUs are one.  */
static void amp_topology_detect (struct amp_topology *t,
				 const struct amp_source *s);

/* Find the types: TYPES (lists, or NULL), else amp_topology_detect.  *WRONG
   becomes NULL, or what is wrong with TYPES, which are passed over then.  */
static void amp_topology_find (struct amp_topology *t,
			       const struct amp_source *s, const char *types,
			       const char **wrong)
  __attribute__ ((unused));

/* Make T empty; add CPU, of TYPE, to it.  */
static void amp_topology_clear (struct amp_topology *t);
static void amp_topology_add (struct amp_topology *t, unsigned cpu,
			      unsigned type);

/* Fill in `turn', `turns' and `core'.  Not done by amp_topology_find, as only
   placement and counts of cores need it.  Does nothing where the user's list
   gives the order.  */
static void amp_topology_read_siblings (struct amp_topology *t,
					const struct amp_source *s)
  __attribute__ ((unused));

/* GOMP_AMP_CORES.  */
struct amp_cores
{
  unsigned parts;	/* 0: all cores.  */
  unsigned threads;	/* So many CPUs of each core at most; 0: all.  */
  struct
  {
    unsigned cores;	/* So many at most; 0: all.  */
    enum
    {
      AMP_CORES_ANY,
      AMP_CORES_FAST,	/* The fastest type.  */
      AMP_CORES_E,	/* What is called E; where nothing is, the others.  */
      AMP_CORES_LP,
      AMP_CORES_ATOM,	/* E and LP-E.  */
      AMP_CORES_NOLP,
      AMP_CORES_EFF	/* Of the slowest type but so many.  */
    } what;
    unsigned number;	/* For that one.  */
  } part[8];
  char text[48];	/* In capitals, without blanks.  */
};

/* Parse TEXT; NULL, or what is wrong with it.  */
static const char *amp_parse_cores (const char *text, struct amp_cores *cores)
  __attribute__ ((unused));

/* Parse TEXT, a value of OMP_PLACES: a place for each core of a kind, as in
   cores:eff1 (2), of which *CORES are those; or for each type.  As LLVM's
   libomp has it.  */
enum amp_places
{
  AMP_PLACES_OTHER,	/* Neither.  */
  AMP_PLACES_CORES,
  AMP_PLACES_TYPES
};

static enum amp_places amp_parse_places (const char *text,
					 struct amp_cores *cores)
  __attribute__ ((unused));

/* Does CORES count cores or their CPUs, so that siblings must be known?  */
static bool amp_cores_count_p (const struct amp_cores *cores)
  __attribute__ ((unused));

/* Take the CPUs that CORES excludes out of T, as if they were not usable.
   False, and nothing changes, if it excludes all.  Store in *FEWER whether
   there are fewer cores than it asks for.  */
static bool amp_topology_select (struct amp_topology *t,
				 const struct amp_cores *cores, bool *fewer)
  __attribute__ ((unused));

/* Store in CPUS the NORDER usable CPUs in the order in which GOMP_AMP_AFFINITY
   gives them to threads 0, 1, ...  Each core gets one thread before any gets
   a second.  Among cores the fastest type comes first, or with SLOWEST_FIRST
   the slowest.  Low-power efficiency cores come last, after the siblings of
   the others, or with SLOWEST_FIRST first.  */
static void amp_topology_placement (const struct amp_topology *t,
				    bool slowest_first,
				    unsigned short *cpus);

/* As how many types T's CPUs are observed, if nothing tells them apart: each
   counts as one, but of more than AMP_TOPOLOGY_TYPES neighbours share one.  0:
   something does, or there is one CPU.  */
static unsigned amp_topology_observed_types (const struct amp_topology *t)
  __attribute__ ((unused));

/* As which of them the Ith CPU in T's order is.  */
static unsigned amp_topology_observed_type (const struct amp_topology *t,
					    unsigned i)
  __attribute__ ((unused));

/* The CPU time per unit of time that the process's cgroups leave it, the
   least along the path to the root, or 0 if there is no limit.  */
static double amp_read_quota (const struct amp_source *s)
  __attribute__ ((unused));

/* Set SET[cpu] to VALUE for each CPU in the kernel's list in file DIR/NAME,
   such as 0-3,8.  False, with SET in an unknown state, if there is no such
   file or it is something else; an empty list is valid.  */
static bool amp_read_list (const char *dir, const char *name,
			   unsigned char set[AMP_MAX_CPUS],
			   unsigned char value);

/* In words, for people; and in one word, for programs.  */
static const char *amp_evidence_name (enum amp_evidence evidence)
  __attribute__ ((unused));
static const char *amp_evidence_key (enum amp_evidence evidence)
  __attribute__ ((unused));
static const char *amp_role_name (unsigned role)
  __attribute__ ((unused));

#endif

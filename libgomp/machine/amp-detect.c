/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPUs are of one type, by what the machine says.  What is known of a
   CPU becomes a number, the rank: CPUs of equal rank are one type, a greater
   rank means a faster one.  */

#include <stdlib.h>
#include "amp-sysfs.h"

/* Where a file has to be read for each CPU and few machines have anything to
   say there, only machines of up to so many CPUs are asked: those with several
   core types are small, and servers must start fast.  */
#define AMP_SMALL_MACHINE 64

struct amp_ranked
{
  uint64_t rank;
  unsigned cpu;
};

struct amp_ranking
{
  const struct amp_source *source;
  unsigned n;			/* Usable CPUs, by number.  */
  struct amp_ranked *cpu;
};

/* The largest rank below BOUND, or 0.  */

static uint64_t
amp_rank_below (const struct amp_ranking *r, uint64_t bound)
{
  uint64_t most = 0;
  unsigned i;

  for (i = 0; i < r->n; i++)
    if (r->cpu[i].rank < bound && r->cpu[i].rank > most)
      most = r->cpu[i].rank;
  return most;
}

/* Raise each rank to the largest of its group: the largest rank and those up
   to PERCENT below it, the largest of the rest and so on.  */

static void
amp_cluster (struct amp_ranking *r, unsigned percent)
{
  uint64_t bound = UINT64_MAX, most, least;
  unsigned i;

  for (;;)
    {
      most = amp_rank_below (r, bound);
      if (most == 0)
	return;
      least = most - most * percent / 100;
      for (i = 0; i < r->n; i++)
	if (r->cpu[i].rank >= least && r->cpu[i].rank <= most)
	  r->cpu[i].rank = most;
      bound = least;
    }
}

/* Make types of the ranks.  FIGURE, an array in *T, gets the low 32 bits of
   each type's rank shifted right by SHIFT; it may be NULL.  False, and *T
   untouched, if all ranks are alike.  */

static bool
amp_topology_from_ranks (struct amp_topology *t, const struct amp_ranking *r,
			 enum amp_evidence evidence, unsigned *figure,
			 unsigned shift)
{
  uint64_t most, bound = UINT64_MAX;
  unsigned i, type;

  for (i = 1; i < r->n && r->cpu[i].rank == r->cpu[0].rank; i++)
    continue;
  if (i >= r->n)
    return false;
  amp_topology_clear (t);
  t->evidence = evidence;
  for (;;)
    {
      most = amp_rank_below (r, bound);
      if (most == 0)
	return true;
      bound = most;
      type = t->types;
      if (type == AMP_TOPOLOGY_TYPES)
	type--;
      else
	{
	  t->types++;
	  if (figure != NULL)
	    figure[type] = most >> shift;
	}
      for (i = 0; i < r->n; i++)
	if (r->cpu[i].rank == most)
	  amp_topology_add (t, r->cpu[i].cpu, type);
    }
}

/* Set the ranks to the numbers in the files NAME.  False if one of them is
   missing or zero.  */

static bool
amp_rank_by_file (struct amp_ranking *r, const char *name)
{
  unsigned i;

  for (i = 0; i < r->n; i++)
    {
      r->cpu[i].rank = amp_read_cpu_number (r->source, r->cpu[i].cpu, name);
      if (r->cpu[i].rank == 0)
	return false;
    }
  return r->n != 0;
}

static bool
amp_topology_from_capacity (struct amp_topology *t, struct amp_ranking *r)
{
  if (!amp_rank_by_file (r, "cpu_capacity"))
    return false;
  amp_cluster (r, 5);
  return amp_topology_from_ranks (t, r, AMP_EVIDENCE_CAPACITY, t->capacity, 0);
}

/* Ranks are roles.  */

static bool
amp_topology_from_roles (struct amp_topology *t, const struct amp_ranking *r,
			 enum amp_evidence evidence)
{
  unsigned i;

  if (!amp_topology_from_ranks (t, r, evidence, NULL, 0))
    return false;
  for (i = 0; i < r->n; i++)
    t->role[t->type[r->cpu[i].cpu]] = r->cpu[i].rank;
  return true;
}

/* Linux has a PMU for each kind of core of a hybrid Intel processor, and lists
   its CPUs.  On processors before Arrow Lake cpu_atom holds the low-power
   cores, too: they are those outside of the ring, hence without a third-level
   cache, on a processor that has other E cores with one.  */

static bool
amp_topology_from_pmu (struct amp_topology *t, struct amp_ranking *r)
{
  const struct amp_source *s = r->source;
  unsigned char *role = calloc (AMP_MAX_CPUS, 1);
  unsigned i, cpu;
  bool ok, low = false, ring = false;

  if (role == NULL)
    return false;
  ok = (amp_read_list (s->sys, "devices/cpu_core/cpus", role, AMP_ROLE_P)
	&& amp_read_list (s->sys, "devices/cpu_atom/cpus", role, AMP_ROLE_E));
  if (ok)
    low = amp_read_list (s->sys, "devices/cpu_lowpower/cpus", role,
			 AMP_ROLE_LP);
  for (cpu = 0; ok && !low && !ring && cpu < AMP_MAX_CPUS; cpu++)
    ring = role[cpu] == AMP_ROLE_E && amp_l3_p (s, cpu);
  for (i = 0; ok && i < r->n; i++)
    {
      cpu = r->cpu[i].cpu;
      if (ring && role[cpu] == AMP_ROLE_E && !amp_l3_p (s, cpu))
	role[cpu] = AMP_ROLE_LP;
      r->cpu[i].rank = role[cpu];
      ok = role[cpu] != AMP_ROLE_NONE;
    }
  free (role);
  return ok && amp_topology_from_roles (t, r, AMP_EVIDENCE_PMU);
}

/* What CPUID says of an x86 processor as a whole.  */

enum amp_x86
{
  AMP_X86_UNKNOWN,	/* Not asked, or in a virtual machine: a virtual CPU
			   may be on another core at any time, and CPUID tells
			   of the core at that moment.  */
  AMP_X86_ALIKE,	/* All cores are alike.  */
  AMP_X86_INTEL,	/* A hybrid Intel processor.  */
  AMP_X86_AMD,		/* An AMD processor that says it has types.  */
  AMP_X86_AMD_MAYBE	/* One that does not, but could.  */
};

#define AMP_LEAF_HYBRID 0x1a
#define AMP_LEAF_AMD_TOPOLOGY 0x80000026

/* KIND, unless a hypervisor is there.  */

static enum amp_x86
amp_x86_bare (const struct amp_source *s, enum amp_x86 kind)
{
  unsigned reg[4];

  return (s->cpuid (AMP_CPUID_HERE, 1, 0, reg) && reg[2] >> 31
	  ? AMP_X86_UNKNOWN : kind);
}

static enum amp_x86
amp_x86_survey (const struct amp_source *s)
{
  unsigned reg[4], vendor;

  if (s->cpuid == NULL || s->arch != AMP_ARCH_X86
      || !s->cpuid (AMP_CPUID_HERE, 0, 0, reg))
    return AMP_X86_UNKNOWN;
  vendor = reg[1];
  if (vendor == 0x756e6547)	/* GenuineIntel.  */
    {
      if (reg[0] < AMP_LEAF_HYBRID
	  || !s->cpuid (AMP_CPUID_HERE, 7, 0, reg) || !(reg[3] >> 15 & 1))
	return AMP_X86_ALIKE;
      return amp_x86_bare (s, AMP_X86_INTEL);
    }
  if (vendor == 0x68747541)	/* AuthenticAMD.  */
    {
      if (!s->cpuid (AMP_CPUID_HERE, 0x80000000, 0, reg)
	  || reg[0] < AMP_LEAF_AMD_TOPOLOGY)
	return AMP_X86_ALIKE;
      if (!s->cpuid (AMP_CPUID_HERE, AMP_LEAF_AMD_TOPOLOGY, 0, reg))
	return AMP_X86_ALIKE;
      /* Processors of Zen 4 and Zen 4c cores do not set the bit.  */
      return (reg[0] >> 30 & 1
	      ? amp_x86_bare (s, AMP_X86_AMD) : AMP_X86_AMD_MAYBE);
    }
  return AMP_X86_ALIKE;
}

/* The role of CPU by CPUID, or AMP_ROLE_NONE.  *L3 becomes true for an Intel
   E core with a third-level cache.  */

static enum amp_role
amp_role_by_cpuid (const struct amp_source *s, enum amp_x86 x86, unsigned cpu,
		   bool *l3)
{
  unsigned reg[4];

  *l3 = false;
  if (x86 == AMP_X86_AMD)
    {
      if (!s->cpuid (cpu, AMP_LEAF_AMD_TOPOLOGY, 0, reg)
	  || (reg[2] >> 8 & 0xff) != 1)	/* The level of cores.  */
	return AMP_ROLE_NONE;
      switch (reg[1] >> 28)
	{
	case 0:
	  return AMP_ROLE_P;
	case 1:
	  return AMP_ROLE_E;
	case 2:
	  return AMP_ROLE_LP;
	default:
	  return AMP_ROLE_NONE;
	}
    }
  if (!s->cpuid (cpu, AMP_LEAF_HYBRID, 0, reg))
    return AMP_ROLE_NONE;
  switch (reg[0] >> 24)
    {
    case 0x40:
      return AMP_ROLE_P;
    case 0x20:
      *l3 = s->cpuid (cpu, 4, 3, reg) && (reg[0] & 31) != 0;
      return AMP_ROLE_E;
    default:
      return AMP_ROLE_NONE;
    }
}

static bool
amp_topology_from_cpuid (struct amp_topology *t, struct amp_ranking *r,
			 enum amp_x86 x86)
{
  const struct amp_source *s = r->source;
  bool *l3 = calloc (r->n, sizeof *l3);
  bool ok = l3 != NULL, ring = false;
  unsigned i, reg[4];

  for (i = 0; ok && i < r->n; i++)
    {
      r->cpu[i].rank = amp_role_by_cpuid (s, x86, r->cpu[i].cpu, &l3[i]);
      ok = r->cpu[i].rank != AMP_ROLE_NONE;
      ring = ring || l3[i];
    }
  s->cpuid (AMP_CPUID_DONE, 0, 0, reg);
  /* Where some E cores have a third-level cache, those without one are the
     low-power cores.  */
  for (i = 0; ok && ring && i < r->n; i++)
    if (r->cpu[i].rank == AMP_ROLE_E && !l3[i])
      r->cpu[i].rank = AMP_ROLE_LP;
  free (l3);
  return ok && amp_topology_from_roles (t, r, AMP_EVIDENCE_CPUID);
}

/* If the ranks fall into two classes, which are more than 15 % apart while
   within each no step between neighbours is as wide, raise them to the largest
   of their class.  The cores that a maker favours for their higher turbo
   frequency come in small steps; a second class of core is a single wide one.
   False, with the ranks in an unknown state, otherwise.  */

static bool
amp_two_classes (struct amp_ranking *r)
{
  uint64_t most = amp_rank_below (r, UINT64_MAX), now, next, low = 0;
  unsigned i, gaps = 0;

  for (now = most; (next = amp_rank_below (r, now)) != 0; now = next)
    if (next < now - now * 15 / 100)
      {
	gaps++;
	low = next;
      }
  if (gaps != 1)
    return false;
  for (i = 0; i < r->n; i++)
    r->cpu[i].rank = r->cpu[i].rank > low ? most : low;
  return true;
}

/* x86 processors without a bit for it, such as those of Zen 4 and Zen 4c: the
   highest performance that firmware promises for each CPU.  amd-pstate's file
   comes first, since the other one asks the firmware, which may take time.  */

static bool
amp_topology_from_cppc (struct amp_topology *t, struct amp_ranking *r)
{
  return (r->n <= AMP_SMALL_MACHINE
	  && ((amp_rank_by_file (r, "cpufreq/amd_pstate_highest_perf")
	       && amp_two_classes (r))
	      || (amp_rank_by_file (r, "acpi_cppc/highest_perf")
		  && amp_two_classes (r)))
	  && amp_topology_from_ranks (t, r, AMP_EVIDENCE_CPPC, NULL, 0));
}

/* Is the core with this implementer and part number (bits 24 to 31 and 4 to 15
   of MIDR_EL1) one of the small ones, which may well run at a higher frequency
   than the big ones beside them?  Numbers from Arm's reference manuals and
   from Linux's asm/cputype.h.  */

static bool
amp_little_core_p (unsigned implementer, unsigned part)
{
  /* Cortex-A32, A53, A35, A55, A510, A520.  */
  static const unsigned short arm[]
    = { 0xd01, 0xd03, 0xd04, 0xd05, 0xd46, 0xd80 };
  /* Kryo Silver of the 2xx, 3xx and 4xx series.  */
  static const unsigned short qualcomm[] = { 0x801, 0x803, 0x805 };
  unsigned i;

  if (implementer == 0x41)
    for (i = 0; i < sizeof arm / sizeof arm[0]; i++)
      if (part == arm[i])
	return true;
  if (implementer == 0x51)
    for (i = 0; i < sizeof qualcomm / sizeof qualcomm[0]; i++)
      if (part == qualcomm[i])
	return true;
  return false;
}

/* The core's make by MIDR_EL1, and within one make its highest frequency.
   Without frequencies different makes are still different types.  */

static bool
amp_topology_from_midr (struct amp_topology *t, struct amp_ranking *r)
{
  struct amp_ranking one = { r->source, 0, NULL };
  uint64_t *make;
  unsigned i, j, implementer, part;

  if (r->n > AMP_SMALL_MACHINE
      || !amp_rank_by_file (r, "regs/identification/midr_el1"))
    return false;
  make = malloc (r->n * sizeof *make);
  one.cpu = malloc (r->n * sizeof *one.cpu);
  if (make == NULL || one.cpu == NULL)
    {
      free (make);
      free (one.cpu);
      return false;
    }
  /* Bits 0 to 19: the make; 20 to 51: kHz; 62: not a small core.  */
  for (i = 0; i < r->n; i++)
    {
      implementer = r->cpu[i].rank >> 24 & 0xff;
      part = r->cpu[i].rank >> 4 & 0xfff;
      make[i] = implementer << 12 | part;
      if (!amp_little_core_p (implementer, part))
	make[i] |= UINT64_C (1) << 62;
    }
  if (!amp_rank_by_file (r, "cpufreq/cpuinfo_max_freq"))
    for (i = 0; i < r->n; i++)
      r->cpu[i].rank = 0;
  for (i = 0; i < r->n; i++)
    {
      one.n = 0;
      for (j = 0; j < r->n; j++)
	if (make[j] == make[i])
	  one.cpu[one.n++] = r->cpu[j];
      /* For the first CPU of a make; the others find it done.  */
      amp_cluster (&one, 10);
      for (j = one.n = 0; j < r->n; j++)
	if (make[j] == make[i])
	  r->cpu[j] = one.cpu[one.n++];
    }
  for (i = 0; i < r->n; i++)
    r->cpu[i].rank = r->cpu[i].rank << 20 | make[i];
  free (make);
  free (one.cpu);
  return amp_topology_from_ranks (t, r, AMP_EVIDENCE_MIDR, t->khz, 20);
}

static bool
amp_topology_from_frequency (struct amp_topology *t, struct amp_ranking *r)
{
  if (r->n > AMP_SMALL_MACHINE
      || !amp_rank_by_file (r, "cpufreq/cpuinfo_max_freq"))
    return false;
  amp_cluster (r, 10);
  return amp_topology_from_ranks (t, r, AMP_EVIDENCE_FREQUENCY, t->khz, 0);
}

static bool
amp_topology_by_evidence (struct amp_topology *t, struct amp_ranking *r)
{
  enum amp_x86 x86 = amp_x86_survey (r->source);
  enum amp_arch arch = r->source->arch;

  /* The processor itself says so: not worth reading a file for.  */
  if (x86 == AMP_X86_ALIKE)
    return false;
  if (x86 == AMP_X86_AMD_MAYBE)
    return amp_topology_from_cppc (t, r);
  return (amp_topology_from_pmu (t, r)
	  || amp_topology_from_capacity (t, r)
	  || (x86 != AMP_X86_UNKNOWN && amp_topology_from_cpuid (t, r, x86))
	  || (arch == AMP_ARCH_X86 && amp_topology_from_cppc (t, r))
	  || amp_topology_from_midr (t, r)
	  /* On x86 favoured cores have a higher frequency than their like.  */
	  || (arch == AMP_ARCH_OTHER && amp_topology_from_frequency (t, r)));
}

static void
amp_topology_detect (struct amp_topology *t, const struct amp_source *s)
{
  struct amp_ranking r = { s, 0, NULL };
  unsigned cpu, i;

  for (cpu = 0; cpu < s->limit; cpu++)
    r.n += s->usable (cpu);
  r.cpu = calloc (r.n + 1, sizeof *r.cpu);
  if (r.cpu != NULL)
    {
      for (cpu = i = 0; cpu < s->limit && i < r.n; cpu++)
	if (s->usable (cpu))
	  r.cpu[i++].cpu = cpu;
      if (amp_topology_by_evidence (t, &r))
	{
	  free (r.cpu);
	  return;
	}
      free (r.cpu);
    }
  amp_topology_clear (t);
  for (cpu = 0; cpu < s->limit; cpu++)
    if (s->usable (cpu))
      amp_topology_add (t, cpu, 0);
  t->types = 1;
}

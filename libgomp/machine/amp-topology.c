/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPU is of which core type.  Runs once, before any team exists.  */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "amp-topology.h"

/* Where a file has to be read for each CPU and few machines have anything to
   say there, only machines of up to so many CPUs are asked: those with several
   core types are small, and servers must start fast.  */
#define AMP_SMALL_MACHINE 64

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

/* Files.  */

/* The text of the file DIR/NAME in BUF, ended by NUL.  False if there is no
   such file, or if it does not fit.  */

static bool
amp_read_text (const char *dir, const char *name, char *buf, size_t size)
{
  char path[AMP_ROOT_MAX + 256];
  size_t used = 0;
  ssize_t len;
  int fd;

  if ((size_t) snprintf (path, sizeof path, "%s/%s", dir, name)
      >= sizeof path)
    return false;
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  while ((len = read (fd, buf + used, size - used)) > 0
	 && (used += len) < size)
    continue;
  close (fd);
  if (len < 0 || used >= size)
    return false;
  buf[used] = '\0';
  return true;
}

/* The number in the file NAME of CPU's folder, at most 2^32 - 1, or 0.  */

static uint64_t
amp_read_cpu_number (const struct amp_source *s, unsigned cpu,
		     const char *name)
{
  char path[80], buf[32];
  unsigned long long value;

  snprintf (path, sizeof path, "devices/system/cpu/cpu%u/%s", cpu, name);
  if (!amp_read_text (s->sys, path, buf, sizeof buf))
    return 0;
  value = strtoull (buf, NULL, 0);
  return value < UINT32_MAX ? value : UINT32_MAX;
}

static bool
amp_read_list (const char *dir, const char *name,
	       unsigned char set[AMP_MAX_CPUS], unsigned char value)
{
  char buf[8192];
  const char *p = buf;
  unsigned first, last;

  if (!amp_read_text (dir, name, buf, sizeof buf))
    return false;
  while (*p >= '0' && *p <= '9')
    {
      if (!amp_read_cpu (&p, &first))
	return false;
      last = first;
      if (*p == '-')
	{
	  p++;
	  if (!amp_read_cpu (&p, &last))
	    return false;
	}
      while (first <= last)
	set[first++] = value;
      if (*p != ',')
	break;
      p++;
    }
  return *p == '\0' || *p == '\n';
}

/* Has CPU a third-level cache, as far as sysfs tells?  */

static bool
amp_l3_p (const struct amp_source *s, unsigned cpu)
{
  char path[AMP_ROOT_MAX + 256];

  return ((size_t) snprintf (path, sizeof path,
			     "%s/devices/system/cpu/cpu%u/cache/index3",
			     s->sys, cpu) < sizeof path
	  && access (path, F_OK) == 0);
}

static void
amp_source_open (struct amp_source *s, const char *root, unsigned limit,
		 amp_usable_fn usable, amp_cpuid_fn cpuid)
{
  char arch[32];

  memset (s, 0, sizeof *s);
  s->limit = limit < AMP_MAX_CPUS ? limit : AMP_MAX_CPUS;
  s->usable = usable;
  if (root == NULL || *root == '\0')
    {
      strcpy (s->sys, "/sys");
      strcpy (s->proc, "/proc");
      s->cpuid = cpuid;
#if defined __x86_64__ || defined __i386__
      s->arch = AMP_ARCH_X86;
#else
      s->arch = AMP_ARCH_OTHER;
#endif
      return;
    }
  snprintf (s->sys, sizeof s->sys, "%s", root);
  snprintf (s->proc, sizeof s->proc, "%s/proc", s->sys);
  if (amp_read_text (s->proc, "sys/kernel/arch", arch, sizeof arch))
    s->arch = (strncmp (arch, "x86", 3) == 0
	       || (arch[0] == 'i' && strncmp (arch + 2, "86", 2) == 0)
	       ? AMP_ARCH_X86 : AMP_ARCH_OTHER);
}

/* Detection.  What is known of a CPU becomes a number, the rank: CPUs of equal
   rank are one type, a greater rank means a faster one.  */

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

/* Control groups.  */

/* The limit in the folder DIR of the cpu controller, version 1 or 2, or 0.  */

static double
amp_quota_in (const char *dir, bool v2)
{
  char text[64], *end;
  long long quota, period;

  if (v2)
    {
      if (!amp_read_text (dir, "cpu.max", text, sizeof text))
	return 0.0;
      quota = strtoll (text, &end, 10);
      /* The word max.  */
      if (end == text)
	return 0.0;
      period = strtoll (end, NULL, 10);
    }
  else
    {
      if (!amp_read_text (dir, "cpu.cfs_quota_us", text, sizeof text))
	return 0.0;
      quota = strtoll (text, NULL, 10);
      if (!amp_read_text (dir, "cpu.cfs_period_us", text, sizeof text))
	return 0.0;
      period = strtoll (text, NULL, 10);
    }
  return quota > 0 && period > 0 ? (double) quota / (double) period : 0.0;
}

/* The least limit from MOUNT/PATH up to MOUNT.  In a container PATH may be that
   of the host, which is not there: its folders are then passed over, and MOUNT
   itself is the container's own group.  */

static double
amp_quota_along (const char *mount, const char *path, bool v2)
{
  char dir[2 * AMP_ROOT_MAX];
  size_t base;
  double quota, least = 0.0;
  char *slash;

  /* A group outside of the namespace's root.  */
  if (strncmp (path, "/..", 3) == 0)
    path = "";
  base = snprintf (dir, sizeof dir, "%s", mount);
  if (base >= sizeof dir
      || (size_t) snprintf (dir + base, sizeof dir - base, "%s", path)
	 >= sizeof dir - base)
    return 0.0;
  for (;;)
    {
      quota = amp_quota_in (dir, v2);
      if (quota > 0.0 && (least == 0.0 || quota < least))
	least = quota;
      slash = strrchr (dir + base, '/');
      if (slash == NULL)
	return least;
      *slash = '\0';
    }
}

static double
amp_read_quota (const struct amp_source *s)
{
  char text[8192], mount[AMP_ROOT_MAX + 256], *line, *next, *names, *path, *p;
  double quota, least = 0.0;

  if (!amp_read_text (s->proc, "self/cgroup", text, sizeof text))
    return 0.0;
  /* Lines number:controllers:path; version 2 has no controllers.  */
  for (line = text; *line != '\0'; line = next)
    {
      next = line + strcspn (line, "\n");
      if (*next != '\0')
	*next++ = '\0';
      names = strchr (line, ':');
      path = names != NULL ? strchr (++names, ':') : NULL;
      if (path == NULL)
	continue;
      *path++ = '\0';
      if (strcmp (path, "/") == 0)
	path++;
      quota = 0.0;
      if (*names == '\0')
	{
	  snprintf (mount, sizeof mount, "%s/fs/cgroup", s->sys);
	  quota = amp_quota_along (mount, path, true);
	}
      else
	for (p = names; p != NULL; p = strchr (p, ','))
	  {
	    p += *p == ',';
	    if (strncmp (p, "cpu", 3) != 0 || (p[3] != ',' && p[3] != '\0'))
	      continue;
	    /* The usual link to the folder that is named for all of them.  */
	    snprintf (mount, sizeof mount, "%s/fs/cgroup/cpu", s->sys);
	    if (access (mount, F_OK) != 0)
	      snprintf (mount, sizeof mount, "%s/fs/cgroup/%.200s", s->sys,
			names);
	    quota = amp_quota_along (mount, path, false);
	    break;
	  }
      if (quota > 0.0 && (least == 0.0 || quota < least))
	least = quota;
    }
  return least;
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

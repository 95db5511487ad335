/* SPDX-License-Identifier: GPL-3.0-or-later

   Unit tests of the core types: lists, what is read from files, what CPUID
   says, placement, GOMP_AMP_CORES, quotas, clusters.  testsuite/sysfs replays whole
   machines.  The last line is "N passed, N failed, N skipped".  */

#define _GNU_SOURCE 1
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "amp-topology.c"
#include "amp-cpuid.c"
#include "amp-cluster.c"
#include "unit-check.h"

/* Lists.  */

static bool usable_set[AMP_MAX_CPUS];

static bool
usable (unsigned cpu)
{
  return cpu < AMP_MAX_CPUS && usable_set[cpu];
}

static void
set_usable (unsigned first, unsigned last)
{
  memset (usable_set, 0, sizeof usable_set);
  while (first <= last)
    usable_set[first++] = true;
}

/* What must hold of any valid topology.  */

static bool
consistent (const struct amp_topology *t)
{
  static unsigned short cpus[AMP_MAX_CPUS];
  unsigned i, j, cpu, n = 0, last = 0;
  bool used[AMP_TOPOLOGY_TYPES] = { false };

  if (t->types < 1 || t->types > AMP_TOPOLOGY_TYPES || t->turns < 1)
    return false;
  for (cpu = 0; cpu < AMP_MAX_CPUS; cpu++)
    if (t->type[cpu] != AMP_NO_TYPE)
      {
	if (t->type[cpu] >= t->types || !usable (cpu) || cpu >= t->ncpus
	    || t->turn[cpu] >= t->turns)
	  return false;
	used[t->type[cpu]] = true;
	n++;
      }
  if (n != t->norder || (n != 0 && t->type[t->ncpus - 1] == AMP_NO_TYPE))
    return false;
  for (j = 0; j < t->types; j++)
    if (!used[j])
      return false;
  for (i = 0; i < t->norder; i++)
    {
      if (t->type[t->order[i]] < last)
	return false;
      last = t->type[t->order[i]];
    }
  /* A placement has each CPU once, low-power cores at the slow end, and apart
     from these no CPU before one with a lower turn, nor in the wrong order of
     types within a turn.  */
  for (j = 0; j < 2; j++)
    {
      bool seen[AMP_MAX_CPUS] = { false };

      memset (cpus, 0xff, sizeof cpus);
      amp_topology_placement (t, j, cpus);
      for (i = 0; i < n; i++)
	{
	  if (cpus[i] >= AMP_MAX_CPUS || seen[cpus[i]])
	    return false;
	  seen[cpus[i]] = true;
	  if (i != 0)
	    {
	      unsigned a = cpus[i - 1], b = cpus[i];
	      bool alp = t->role[t->type[a]] == AMP_ROLE_LP;
	      bool blp = t->role[t->type[b]] == AMP_ROLE_LP;

	      if (alp != blp ? alp != (j == 1)
		  : t->turn[a] != t->turn[b] ? t->turn[a] > t->turn[b]
		  : j ? t->type[b] > t->type[a] : t->type[b] < t->type[a])
		return false;
	    }
	}
    }
  return true;
}

static void
test_lists (void)
{
  /* Usable are 0 .. 7.  Types of CPUs 0 .. 7, `-' for none.  */
  static const struct { const char *text, *want; } table[] = {
    { "0-7", "00000000" }, { "4-7:0-3", "11110000" },
    { "0,2:1,3-5", "010111--" }, { " 0:1 ", "01------" },
    { "3:2:1:0", "3210----" }, { "0:8-20:1", "01------" },
    { "7-4095:0", "1------0" }, { "0-0", "0-------" },
    { "", NULL }, { "4096", NULL }, { "0-4096", NULL }, { "3-1", NULL },
    { "0,0", NULL }, { "0-3:3", NULL }, { "0:", NULL }, { ":0", NULL },
    { "0::1", NULL }, { "0,", NULL }, { "0-", NULL }, { "0--1", NULL },
    { "a", NULL }, { "0 1", NULL }, { "0x1", NULL }, { "8-20", NULL },
    { "0;1", NULL }, { "-1", NULL }, { "0\xff", NULL },
    { "99999999999999999999999", NULL }, { "4294967296", NULL }
  };
  static struct amp_topology t;
  size_t i;
  unsigned cpu;
  char text[40000], *s;

  set_usable (0, 7);
  EACH (i, table)
    {
      const char *wrong = amp_topology_from_lists (&t, table[i].text, usable);
      bool ok = (wrong != NULL) == (table[i].want == NULL);

      for (cpu = 0; ok && wrong == NULL && cpu < 8; cpu++)
	ok = t.type[cpu] == (table[i].want[cpu] == '-' ? AMP_NO_TYPE
			     : table[i].want[cpu] - '0');
      check (ok && (wrong != NULL || consistent (&t)), "list '%s': %s",
	     table[i].text, wrong ? wrong : "valid, but wrong");
    }
  /* As many types as there may be, and one more.  */
  set_usable (0, AMP_MAX_CPUS - 1);
  for (i = AMP_TOPOLOGY_TYPES; i <= AMP_TOPOLOGY_TYPES + 1; i++)
    {
      for (s = text, cpu = 0; cpu < i; cpu++)
	s += sprintf (s, "%s%u", cpu ? ":" : "", cpu);
      check ((amp_topology_from_lists (&t, text, usable) == NULL)
	     == (i == AMP_TOPOLOGY_TYPES), "a list of %zu types", i);
      if (i == AMP_TOPOLOGY_TYPES)
	check (consistent (&t) && t.types == i, "%zu types", i);
    }
  /* Random text over the list's characters.  */
  for (i = 0; i < 200000; i++)
    {
      unsigned len = random64 () % 12, k;

      set_usable (0, random64 () % 40);
      for (k = 0; k < len; k++)
	text[k] = "0123456789,,--:: x"[random64 () % 18];
      text[len] = '\0';
      if (amp_topology_from_lists (&t, text, usable) == NULL)
	{
	  if (i % 16 == 0 && !consistent (&t))
	    break;
	  if (strchr (text, 'x') != NULL || strstr (text, ",,") != NULL
	      || strstr (text, "--") != NULL || strstr (text, "::") != NULL)
	    break;
	}
    }
  check (i == 200000, "random list '%s'", text);
}

/* A tree.  */

static char folder[] = "amp-unit-XXXXXX";
static struct amp_source source;

/* Make the folders on the way to NAME.  */

static void
make_folders (char *name)
{
  for (char *p = name + 1; (p = strchr (p, '/')) != NULL; p++)
    {
      *p = '\0';
      mkdir (name, 0700);
      *p = '/';
    }
}

/* Write TEXT to the tree's file NAME; NULL: remove it.  */

static void
put (const char *name, const char *text)
{
  char path[300];
  FILE *file;

  snprintf (path, sizeof path, "%s/%s", folder, name);
  if (text == NULL)
    {
      unlink (path);
      return;
    }
  make_folders (path);
  file = fopen (path, "w");
  if (file == NULL || fputs (text, file) < 0 || fclose (file) != 0)
    abort ();
}

static void
put_cpu (unsigned cpu, const char *name, const char *text)
{
  char path[200];

  snprintf (path, sizeof path, "devices/system/cpu/cpu%u/%s", cpu, name);
  put (path, text);
}

static void
put_capacity (unsigned cpu, const char *text)
{
  put_cpu (cpu, "cpu_capacity", text);
}

static int
remove_one (const char *name, const struct stat *st, int kind, struct FTW *ftw)
{
  (void) st;
  (void) kind;
  (void) ftw;
  return remove (name);
}

static void
remove_tree (void)
{
  nftw (folder, remove_one, 20, FTW_DEPTH | FTW_PHYS);
}

static void
clear_tree (void)
{
  remove_tree ();
  if (mkdir (folder, 0700) != 0)
    abort ();
}

static void
open_tree (void)
{
  amp_source_open (&source, folder, AMP_MAX_CPUS, usable, AMP_CPUID);
}

/* Does the tree give types by EVIDENCE?  What is found goes to T.  */

static bool
finds (struct amp_topology *t, enum amp_evidence evidence)
{
  const char *wrong;

  open_tree ();
  memset (t, 0x5a, sizeof *t);
  amp_topology_find (t, &source, NULL, &wrong);
  return (wrong == NULL && consistent (t)
	  && t->evidence == evidence
	  && (t->types > 1) == (evidence != AMP_EVIDENCE_NONE));
}

static void
test_capacity (void)
{
  static struct amp_topology t;
  char text[50];

  clear_tree ();
  set_usable (0, 7);
  check (finds (&t, AMP_EVIDENCE_NONE) && t.norder == 8, "an empty tree");
  for (unsigned cpu = 0; cpu < 8; cpu++)
    put_capacity (cpu, "1024\n");
  check (finds (&t, AMP_EVIDENCE_NONE), "equal capacities");
  put_capacity (5, "975\n");
  check (finds (&t, AMP_EVIDENCE_NONE), "capacities within 5 %%");
  for (unsigned cpu = 0; cpu < 4; cpu++)
    put_capacity (cpu, "446\n");
  check (finds (&t, AMP_EVIDENCE_CAPACITY) && t.types == 2
	 && t.type[0] == 1 && t.type[4] == 0
	 && t.capacity[0] == 1024 && t.capacity[1] == 446
	 && t.norder == 8 && t.order[0] == 4 && t.order[4] == 0, "4+4");
  put_capacity (7, "2000");
  check (finds (&t, AMP_EVIDENCE_CAPACITY) && t.types == 3
	 && t.type[7] == 0 && t.type[4] == 1 && t.type[3] == 2, "3 types");
  put_capacity (2, NULL);
  check (finds (&t, AMP_EVIDENCE_NONE), "a missing file");
  usable_set[2] = false;
  check (finds (&t, AMP_EVIDENCE_CAPACITY) && t.norder == 7
	 && t.type[2] == AMP_NO_TYPE, "an offline CPU");
  set_usable (4, 6);
  check (finds (&t, AMP_EVIDENCE_NONE), "only CPUs of one type are usable");
  set_usable (0, 1);
  put_capacity (0, "");
  check (finds (&t, AMP_EVIDENCE_NONE), "an empty file");
  put_capacity (0, "junk\n");
  check (finds (&t, AMP_EVIDENCE_NONE), "junk");
  put_capacity (0, "0\n");
  check (finds (&t, AMP_EVIDENCE_NONE), "capacity 0");
  set_usable (1, 1);
  usable_set[AMP_MAX_CPUS - 1] = true;
  put_capacity (AMP_MAX_CPUS - 1, "99999999999999999999999\n");
  check (finds (&t, AMP_EVIDENCE_CAPACITY) && t.ncpus == AMP_MAX_CPUS,
	 "the last CPU");
  put_capacity (AMP_MAX_CPUS - 1, NULL);
  /* More groups than types.  */
  for (unsigned i = 62; i <= 80; i++)
    {
      set_usable (0, i - 1);
      for (unsigned cpu = 0; cpu < i; cpu++)
	{
	  double capacity = 1e8 * pow (0.9, cpu);

	  snprintf (text, sizeof text, "%.0f\n", capacity);
	  put_capacity (cpu, text);
	}
      check (finds (&t, AMP_EVIDENCE_CAPACITY) && t.norder == i
	     && t.types == (i < AMP_TOPOLOGY_TYPES ? i : AMP_TOPOLOGY_TYPES),
	     "%u groups of capacities: %u types", i, t.types);
    }
}

/* CPUs that nothing tells apart.  */

static void
test_observed (void)
{
  static struct amp_topology t;
  unsigned n, i, types, type, least, most, count[AMP_TOPOLOGY_TYPES];

  clear_tree ();
  for (n = 1; n <= AMP_MAX_CPUS; n++)
    {
      set_usable (0, n - 1);
      if (!finds (&t, AMP_EVIDENCE_NONE))
	{
	  check (false, "%u CPUs without files", n);
	  return;
	}
      types = amp_topology_observed_types (&t);
      memset (count, 0, sizeof count);
      for (i = 0; i < n && types != 0; i++)
	{
	  type = amp_topology_observed_type (&t, i);
	  /* Neighbours share one, and each has some.  */
	  if (type >= types || (type != 0 && count[type - 1] == 0))
	    break;
	  count[type]++;
	}
      least = most = count[0];
      for (type = 1; type < types; type++)
	{
	  least = count[type] < least ? count[type] : least;
	  most = count[type] > most ? count[type] : most;
	}
      check (types == (n == 1 ? 0 : n < 64 ? n : 64)
	     && i == (types != 0 ? n : 0) && most - least <= 1,
	     "%u CPUs are observed as %u types", n, types);
      n += n >= 300 ? 97 : 0;
    }
  set_usable (0, 1);
  put_capacity (0, "1024\n");
  put_capacity (1, "446\n");
  check (finds (&t, AMP_EVIDENCE_CAPACITY)
	 && amp_topology_observed_types (&t) == 0,
	 "CPUs that are told apart are not observed");
}

/* Intel's PMUs.  */

static void
test_pmu (void)
{
  static struct amp_topology t;

  clear_tree ();
  set_usable (0, 9);
  put ("devices/cpu_core/cpus", "0-3\n");
  check (finds (&t, AMP_EVIDENCE_NONE), "cpu_core alone");
  put ("devices/cpu_atom/cpus", "4-9\n");
  check (finds (&t, AMP_EVIDENCE_PMU) && t.types == 2
	 && t.role[0] == AMP_ROLE_P && t.role[1] == AMP_ROLE_E
	 && t.type[3] == 0 && t.type[4] == 1, "P and E");
  for (unsigned cpu = 0; cpu < 4; cpu++)
    put_cpu (cpu, "cache/index3/size", "1K\n");
  check (finds (&t, AMP_EVIDENCE_PMU) && t.types == 2,
	 "no E core has a third-level cache: they are alike");
  for (unsigned cpu = 4; cpu < 8; cpu++)
    put_cpu (cpu, "cache/index3/size", "1K\n");
  check (finds (&t, AMP_EVIDENCE_PMU) && t.types == 3
	 && t.role[2] == AMP_ROLE_LP && t.type[7] == 1 && t.type[8] == 2,
	 "low-power cores without a third-level cache");
  set_usable (8, 9);
  usable_set[0] = true;
  check (finds (&t, AMP_EVIDENCE_PMU) && t.types == 2
	 && t.role[1] == AMP_ROLE_LP,
	 "low-power cores are known although no other E core is usable");
  set_usable (0, 9);
  put ("devices/cpu_lowpower/cpus", "7-9\n");
  check (finds (&t, AMP_EVIDENCE_PMU) && t.types == 3 && t.type[7] == 2,
	 "cpu_lowpower decides");
  put ("devices/cpu_lowpower/cpus", NULL);
  set_usable (0, 10);
  check (finds (&t, AMP_EVIDENCE_NONE), "a CPU in none of the sets");
  put ("devices/cpu_atom/cpus", "4-5000\n");
  check (finds (&t, AMP_EVIDENCE_NONE), "a CPU beyond the limit");
  put ("devices/cpu_atom/cpus", "4-10;\n");
  check (finds (&t, AMP_EVIDENCE_NONE), "junk in cpu_atom");
  /* Favoured P cores are no type of their own.  */
  put ("devices/cpu_atom/cpus", "4-10\n");
  for (unsigned cpu = 0; cpu < 11; cpu++)
    put_capacity (cpu, cpu < 2 ? "1024\n" : cpu < 4 ? "960\n" : "700\n");
  set_usable (0, 7);
  check (finds (&t, AMP_EVIDENCE_PMU) && t.types == 2,
	 "the PMUs come before the capacities");
}

/* CPUID.  Each row stands for the CPUs FIRST to LAST.  What the leaves hold is
   from the dumps named in testsuite/sysfs, in hexadecimal.  */

struct fake
{
  const char *vendor;		/* ebx, edx, ecx of leaf 0.  */
  unsigned max, max_ext;
  unsigned leaf7_edx;
  /* Bit 31 of ecx of leaf 1 is that of a hypervisor.  */
  unsigned leaf1_ecx;
  struct { int first, last; unsigned leaf1a, leaf4, leaf26[3]; } rows[4];
};

static const struct fake *fake;
static unsigned asked, done, fail_on;

static bool
fake_cpuid (int cpu, unsigned leaf, unsigned sub, unsigned reg[4])
{
  unsigned i;
  int at = cpu;

  if (cpu == AMP_CPUID_DONE)
    {
      done++;
      return true;
    }
  if (cpu != AMP_CPUID_HERE)
    {
      asked++;
      if ((unsigned) cpu == fail_on)
	return false;
      check (usable (cpu), "CPUID on CPU %d, which is not usable", cpu);
    }
  else
    for (at = 0; !usable (at); at++)
      continue;
  memset (reg, 0, 4 * sizeof *reg);
  for (i = 0; i < 3 && at > fake->rows[i].last; i++)
    continue;
  switch (leaf)
    {
    case 0:
      reg[0] = fake->max;
      memcpy (&reg[1], fake->vendor, 4);
      memcpy (&reg[3], fake->vendor + 4, 4);
      memcpy (&reg[2], fake->vendor + 8, 4);
      break;
    case 1:
      reg[2] = fake->leaf1_ecx;
      break;
    case 4:
      check (sub == 3, "cache %u is asked for", sub);
      reg[0] = fake->rows[i].leaf4;
      break;
    case 7:
      reg[3] = fake->leaf7_edx;
      break;
    case 0x1a:
      reg[0] = fake->rows[i].leaf1a;
      break;
    case 0x80000000:
      reg[0] = fake->max_ext;
      break;
    case 0x80000026:
      memcpy (reg, fake->rows[i].leaf26, sizeof fake->rows[i].leaf26);
      break;
    default:
      check (false, "leaf %x is asked for", leaf);
    }
  check ((leaf & 0x80000000 ? fake->max_ext : fake->max) >= leaf,
	 "leaf %x does not exist", leaf);
  return true;
}

/* What is found on a machine of CPUS CPUs that FAKE describes and whose files
   are the tree's.  */

static void
ask (struct amp_topology *t, const struct fake *f, unsigned cpus)
{
  open_tree ();
  set_usable (0, cpus - 1);
  source.cpuid = fake_cpuid;
  source.arch = AMP_ARCH_X86;
  fake = f;
  asked = done = 0;
  memset (t, 0x5a, sizeof *t);
  amp_topology_detect (t, &source);
  check (consistent (t) && t->norder == cpus, "%u CPUs by CPUID", cpus);
  check (asked == 0 || done > 0, "the mask is not given back");
}

#define P4 0xfc0fc163

static const struct fake ultra_225u
  = { "GenuineIntel", 0x23, 0x80000008, 0xfc18c410, 0x7ffafbff,
      { { 0, 3, 0x40000002, P4, { 0, 0, 0 } },
	{ 4, 11, 0x20000002, P4, { 0, 0, 0 } },
	{ 12, 13, 0x20000002, 0, { 0, 0, 0 } } } };
static const struct fake i7_1370p
  = { "GenuineIntel", 0x20, 0x80000008, 0xfc1cc410, 0x7ffafbff,
      { { 0, 11, 0x40000001, P4, { 0, 0, 0 } },
	{ 12, 19, 0x20000001, P4, { 0, 0, 0 } } } };
/* All E cores without a third-level cache, as on Lunar Lake.  */
static const struct fake lunar
  = { "GenuineIntel", 0x23, 0x80000008, 0xfc18c410, 0x7ffafbff,
      { { 0, 3, 0x40000003, P4, { 0, 0, 0 } },
	{ 4, 7, 0x20000003, 0, { 0, 0, 0 } } } };
/* The 1370P's, seen by a guest.  */
static const struct fake guest
  = { "GenuineIntel", 0x20, 0x80000008, 0xfc1cc410, 0xfffafbff,
      { { 0, 11, 0x40000001, P4, { 0, 0, 0 } },
	{ 12, 19, 0x20000001, P4, { 0, 0, 0 } } } };
static const struct fake xeon
  = { "GenuineIntel", 0x1b, 0x80000008, 0xfc100400, 0x7ffafbff };
static const struct fake old_xeon
  = { "GenuineIntel", 0xa, 0x80000008, 0, 0x7ffafbff };
static const struct fake strix
  = { "AuthenticAMD", 0x10, 0x80000028, 0x10000110, 0x7ffafbff,
      { { 0, 3, 0, 0, { 0x60000001, 2, 0x100 } },
	{ 4, 11, 0, 0, { 0x60000001, 0x10000002, 0x100 } },
	{ 12, 15, 0, 0, { 0x60000001, 2, 0x100 } },
	{ 16, 23, 0, 0, { 0x60000001, 0x10000002, 0x100 } } } };
static const struct fake amd_three
  = { "AuthenticAMD", 0x10, 0x80000028, 0x10000110, 0x7ffafbff,
      { { 0, 3, 0, 0, { 0x60000001, 2, 0x100 } },
	{ 4, 11, 0, 0, { 0x60000001, 0x10000002, 0x100 } },
	{ 12, 15, 0, 0, { 0x60000001, 0x20000002, 0x100 } } } };
static const struct fake epyc_9654
  = { "AuthenticAMD", 0x10, 0x80000028, 0x10000010, 0x7ffafbff,
      { { 0, 999, 0, 0, { 1, 2, 0x100 } } } };
static const struct fake epyc_7763
  = { "AuthenticAMD", 0x10, 0x80000023, 0x10, 0x7ffafbff };
static const struct fake zhaoxin
  = { "  Shanghai  ", 0x1d, 0x80000008, 0xffffffff, 0x7ffafbff };

static void
test_cpuid (void)
{
  static struct amp_topology t;

  clear_tree ();
  fail_on = AMP_MAX_CPUS;
  ask (&t, &ultra_225u, 14);
  check (t.evidence == AMP_EVIDENCE_CPUID && t.types == 3
	 && t.role[0] == AMP_ROLE_P && t.role[1] == AMP_ROLE_E
	 && t.role[2] == AMP_ROLE_LP && t.type[3] == 0 && t.type[4] == 1
	 && t.type[11] == 1 && t.type[12] == 2, "Core Ultra 5 225U");
  ask (&t, &i7_1370p, 20);
  check (t.evidence == AMP_EVIDENCE_CPUID && t.types == 2
	 && t.type[11] == 0 && t.type[12] == 1, "Core i7-1370P");
  ask (&t, &lunar, 8);
  check (t.evidence == AMP_EVIDENCE_CPUID && t.types == 2
	 && t.role[1] == AMP_ROLE_E, "E cores of one kind are E");
  fail_on = 5;
  ask (&t, &i7_1370p, 20);
  check (t.evidence == AMP_EVIDENCE_NONE && t.types == 1,
	 "a CPU that cannot be asked");
  fail_on = AMP_MAX_CPUS;
  ask (&t, &guest, 20);
  check (t.evidence == AMP_EVIDENCE_NONE && asked == 0,
	 "virtual CPUs are on no core for sure");
  ask (&t, &strix, 24);
  check (t.evidence == AMP_EVIDENCE_CPUID && t.types == 2
	 && t.type[0] == 0 && t.type[4] == 1 && t.type[11] == 1
	 && t.type[12] == 0 && t.type[16] == 1, "Ryzen AI 9 HX 370");
  ask (&t, &amd_three, 16);
  check (t.types == 3 && t.role[2] == AMP_ROLE_LP && t.type[12] == 2,
	 "AMD's low-power cores");

  /* The processor says that its cores are alike: no CPU is asked, and files
     that say otherwise are not read.  */
  for (unsigned cpu = 0; cpu < 8; cpu++)
    put_capacity (cpu, cpu < 4 ? "1024\n" : "500\n");
  ask (&t, &xeon, 8);
  check (t.types == 1 && asked == 0, "a Xeon");
  ask (&t, &old_xeon, 8);
  check (t.types == 1 && asked == 0, "an old Xeon");
  ask (&t, &epyc_7763, 8);
  check (t.types == 1 && asked == 0, "EPYC 7763");
  ask (&t, &zhaoxin, 8);
  check (t.types == 1 && asked == 0, "another maker");
  /* Zen 4 with Zen 4c does not say.  */
  ask (&t, &epyc_9654, 8);
  check (t.types == 1 && asked == 0, "EPYC 9654");
  for (unsigned cpu = 0; cpu < 8; cpu++)
    put_cpu (cpu, "acpi_cppc/highest_perf", cpu < 4 ? "200\n" : "140\n");
  ask (&t, &epyc_9654, 8);
  check (t.types == 2 && t.evidence == AMP_EVIDENCE_CPPC && asked == 0,
	 "two classes");
  /* On a hybrid one the capacities, if there are any, save asking.  */
  ask (&t, &lunar, 8);
  check (t.evidence == AMP_EVIDENCE_CAPACITY && asked == 0,
	 "capacities before CPUID");
  /* A tree is not completed by the machine's CPUID.  */
  open_tree ();
  check (source.cpuid == NULL, "a tree has no CPUID");
  amp_source_open (&source, NULL, 8, usable, AMP_CPUID);
  check (source.cpuid == AMP_CPUID && strcmp (source.sys, "/sys") == 0
	 && strcmp (source.proc, "/proc") == 0, "the machine");
  amp_source_open (&source, "", 8, usable, AMP_CPUID);
  check (strcmp (source.sys, "/sys") == 0, "an empty name is the machine");
}

/* The real CPUID gives the mask back.  */

static void
test_machine (void)
{
#if defined __x86_64__ || defined __i386__
  cpu_set_t before, bound, after;
  unsigned reg[4];

  if (sched_getaffinity (0, sizeof before, &before) != 0)
    {
      printf ("SKIP: the CPU mask cannot be read\n");
      skipped++;
      return;
    }
  check (AMP_CPUID (AMP_CPUID_HERE, 0, 0, reg) && reg[0] >= 1, "leaf 0");
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &before))
      {
	check (AMP_CPUID (cpu, 0, 0, reg), "CPUID on CPU %d", cpu);
	check (sched_getaffinity (0, sizeof bound, &bound) == 0
	       && CPU_COUNT (&bound) == 1 && CPU_ISSET (cpu, &bound),
	       "not bound to CPU %d", cpu);
      }
  AMP_CPUID (AMP_CPUID_DONE, 0, 0, reg);
  check (sched_getaffinity (0, sizeof after, &after) == 0
	 && CPU_EQUAL (&before, &after), "the mask is not what it was");
  check (!AMP_CPUID (AMP_MAX_CPUS - 1, 0, 0, reg), "a CPU that is not there");
  AMP_CPUID (AMP_CPUID_DONE, 0, 0, reg);
  check (sched_getaffinity (0, sizeof after, &after) == 0
	 && CPU_EQUAL (&before, &after), "the mask after a failure");
#else
  printf ("SKIP: no CPUID on this architecture\n");
  skipped++;
#endif
}

/* CPPC.  */

static void
test_cppc (void)
{
  static const struct { const char *perf; unsigned types; } table[] = {
    /* Favoured cores; each step is small.  */
    { "166 166 171 176 181 186 191 196", 1 },
    { "236 231 226 221 216 211 206 201", 1 },
    { "196 196 196 196 132 132 132 132", 2 },
    /* Favoured cores, and a second class.  */
    { "208 203 198 193 140 140 138 138", 2 },
    { "100 100 100 100 100 100 100 85", 1 },
    { "100 100 100 100 100 100 100 84", 2 },
    /* Three classes prove nothing: this is not how they are made.  */
    { "200 200 150 150 100 100 100 100", 1 },
    { "200 200 200 200 200 200 200 200", 1 },
    { "200 200 200 200 200 200 200 0", 1 },
    { "1 1 1 1 4294967295 4294967295 4294967295 99999999999", 2 }
  };
  static struct amp_topology t;
  char *text, *p, number[30];
  unsigned cpu;

  EACH (i, table)
    {
      clear_tree ();
      put ("proc/sys/kernel/arch", "x86_64\n");
      set_usable (0, 7);
      text = strdup (table[i].perf);
      for (cpu = 0, p = strtok (text, " "); p != NULL;
	   cpu++, p = strtok (NULL, " "))
	{
	  snprintf (number, sizeof number, "%s\n", p);
	  put_cpu (cpu, "acpi_cppc/highest_perf", number);
	}
      free (text);
      check (finds (&t, table[i].types == 1 ? AMP_EVIDENCE_NONE
		    : AMP_EVIDENCE_CPPC) && t.types == table[i].types,
	     "performance %s: %u types", table[i].perf, t.types);
    }
  clear_tree ();
  set_usable (0, 7);
  put ("proc/sys/kernel/arch", "x86_64\n");
  for (cpu = 0; cpu < 8; cpu++)
    {
      put_cpu (cpu, "acpi_cppc/highest_perf", cpu < 4 ? "200\n" : "140\n");
      put_cpu (cpu, "cpufreq/amd_pstate_highest_perf",
	       cpu < 6 ? "196\n" : "132\n");
      put_cpu (cpu, "cpufreq/cpuinfo_max_freq", cpu < 4 ? "5000\n" : "3000\n");
    }
  check (finds (&t, AMP_EVIDENCE_CPPC) && t.type[5] == 0 && t.type[6] == 1,
	 "amd-pstate comes first");
  put_cpu (0, "cpufreq/amd_pstate_highest_perf", NULL);
  check (finds (&t, AMP_EVIDENCE_CPPC) && t.type[3] == 0 && t.type[4] == 1,
	 "ACPI where amd-pstate is not there");
  for (cpu = 0; cpu < 8; cpu++)
    put_cpu (cpu, "acpi_cppc/highest_perf", NULL);
  check (finds (&t, AMP_EVIDENCE_NONE), "frequencies prove nothing on x86");
  put ("proc/sys/kernel/arch", "i686\n");
  check (finds (&t, AMP_EVIDENCE_NONE), "nor on i686");
  put ("proc/sys/kernel/arch", NULL);
  check (finds (&t, AMP_EVIDENCE_NONE), "nor where nobody knows");
  put ("proc/sys/kernel/arch", "riscv64\n");
  check (finds (&t, AMP_EVIDENCE_FREQUENCY) && t.khz[0] == 5000
	 && t.khz[1] == 3000, "elsewhere they do");
}

/* midr_el1.  */

static void
test_midr (void)
{
  static struct amp_topology t;

  clear_tree ();
  set_usable (0, 5);
  put ("proc/sys/kernel/arch", "aarch64\n");
  for (unsigned cpu = 0; cpu < 6; cpu++)
    put_cpu (cpu, "regs/identification/midr_el1",
	     cpu < 2 ? "0x00000000410fd034\n" : "0x00000000410fd092\n");
  check (finds (&t, AMP_EVIDENCE_MIDR) && t.type[2] == 0 && t.type[1] == 1
	 && t.khz[0] == 0, "makes without frequencies");
  for (unsigned cpu = 0; cpu < 6; cpu++)
    put_cpu (cpu, "cpufreq/cpuinfo_max_freq",
	     cpu < 2 ? "1900000\n" : "1800000\n");
  check (finds (&t, AMP_EVIDENCE_MIDR) && t.types == 2 && t.type[2] == 0
	 && t.khz[0] == 1800000 && t.khz[1] == 1900000,
	 "a small core is slower at a higher frequency");
  put_cpu (5, "cpufreq/cpuinfo_max_freq", "2500000\n");
  check (finds (&t, AMP_EVIDENCE_MIDR) && t.types == 3 && t.type[5] == 0
	 && t.type[2] == 1 && t.type[0] == 2, "one make, two frequencies");
  put_cpu (5, "cpufreq/cpuinfo_max_freq", "1999999\n");
  check (finds (&t, AMP_EVIDENCE_MIDR) && t.types == 2,
	 "frequencies within 10 %%");
  /* Variant and revision are not the make.  */
  put_cpu (4, "regs/identification/midr_el1", "0x00000000413fd091\n");
  check (finds (&t, AMP_EVIDENCE_MIDR) && t.types == 2, "another revision");
  put_cpu (4, "regs/identification/midr_el1", "0x00000000421fd092\n");
  check (finds (&t, AMP_EVIDENCE_MIDR) && t.types == 3,
	 "another implementer");
  set_usable (0, 1);
  check (finds (&t, AMP_EVIDENCE_NONE), "one make and frequency");
}

/* Placement.  */

static bool
placed (const struct amp_topology *t, bool slowest_first, const char *want)
{
  unsigned short cpus[AMP_MAX_CPUS];
  char text[1000] = "";

  amp_topology_placement (t, slowest_first, cpus);
  for (unsigned i = 0; i < t->norder; i++)
    sprintf (text + strlen (text), i == 0 ? "%u" : " %u", cpus[i]);
  if (strcmp (text, want) != 0)
    printf ("placed: %s\n", text);
  return strcmp (text, want) == 0;
}

/* Select what TEXT says.  */

static bool fewer;

static bool
selects (struct amp_topology *t, const char *text)
{
  struct amp_cores cores;

  return (amp_parse_cores (text, &cores) == NULL
	  && amp_topology_select (t, &cores, &fewer));
}

static bool
has (const struct amp_topology *t, const char *want)
{
  char text[1000] = "";

  for (unsigned cpu = 0; cpu < AMP_MAX_CPUS; cpu++)
    if (t->type[cpu] != AMP_NO_TYPE)
      sprintf (text + strlen (text), *text == '\0' ? "%u" : " %u", cpu);
  if (strcmp (text, want) != 0)
    printf ("has: %s\n", text);
  return strcmp (text, want) == 0;
}

static void
test_placement (void)
{
  static struct amp_topology t, u;
  static const struct { const char *text, *cpus; unsigned types; } table[] = {
    { "2P+1E", "0 1 2 3 4", 2 }, { " 1 p + 2 e ", "0 1 4 5", 2 },
    { "2c:eff2,1c:eff0", "0 1 2 3 6", 2 }, { "cores:eff1", "4 5", 1 },
    { "c:intel_core,1t", "0 2", 1 }, { "core:intel_atom", "4 5 6 7", 2 },
    { "E", "4 5", 1 }, { "1LP", "6", 1 }, { "1lp-e+1P", "0 1 6", 2 },
    { "1t", "0 2 4 5 6 7", 3 }, { "3c", "0 1 2 3 4", 2 },
    { "99P", "0 1 2 3", 1 }, { "1big,nolp", "0 1 2 3 4 5", 2 }
  };
  static const char *const wrong[] = {
    "", "bi", "bigg", "big all", "big,", "1", "0P", "P+", "4x", "P:eff0",
    "c:", "c:eff", "c:effx", "c:eff1x", "c:eff4294967296", "c:intel", "t",
    "-1P", "99999P",
    "4c:eff1,2c:eff0,4c:eff1,2c:eff0,4c:eff1,2c:eff0,4c:eff1,2c:eff0,1t"
  };
  unsigned cpu;
  struct amp_cores cores;
  const char *bad_types;

  /* 2 P cores of two threads, 2 E cores, 2 low-power ones.  */
  clear_tree ();
  set_usable (0, 7);
  put ("devices/cpu_core/cpus", "0-3\n");
  put ("devices/cpu_atom/cpus", "4-5\n");
  put ("devices/cpu_lowpower/cpus", "6-7\n");
  check (finds (&t, AMP_EVIDENCE_PMU), "a machine to place threads on");
  u = t;
  amp_topology_read_siblings (&u, &source);
  check (u.turns == 1 && placed (&u, false, "0 1 2 3 4 5 6 7"),
	 "siblings unknown");
  for (cpu = 0; cpu < 4; cpu++)
    put_cpu (cpu, "topology/core_cpus_list", cpu < 2 ? "0-1\n" : "2,3\n");
  for (; cpu < 8; cpu++)
    {
      char text[10];
      snprintf (text, sizeof text, "%u\n", cpu);
      put_cpu (cpu, "topology/core_cpus_list", text);
    }
  u = t;
  amp_topology_read_siblings (&u, &source);
  check (consistent (&u) && u.turns == 2
	 && placed (&u, false, "0 2 4 5 1 3 6 7")
	 && placed (&u, true, "6 7 4 5 0 2 1 3"), "P, E, siblings, LP");
  put ("devices/system/cpu/smt/active", "0\n");
  u = t;
  amp_topology_read_siblings (&u, &source);
  check (u.turns == 1, "SMT is off: no file is worth reading");
  put ("devices/system/cpu/smt/active", "1\n");
  usable_set[2] = false;
  check (finds (&u, AMP_EVIDENCE_PMU), "without CPU 2");
  amp_topology_read_siblings (&u, &source);
  check (placed (&u, false, "0 3 4 5 1 6 7"), "a sibling that is not usable");
  set_usable (0, 7);
  for (cpu = 0; cpu < 8; cpu++)
    put_cpu (cpu, "topology/thread_siblings_list", "0-4095\n");
  u = t;
  amp_topology_read_siblings (&u, &source);
  check (consistent (&u) && placed (&u, false, "0 1 2 3 4 5 6 7"),
	 "one core of 4096 threads");
  put_cpu (0, "topology/thread_siblings_list", "0-1x\n");
  u = t;
  amp_topology_read_siblings (&u, &source);
  check (consistent (&u), "junk for siblings");
  for (cpu = 0; cpu < 8; cpu++)
    put_cpu (cpu, "topology/thread_siblings_list", NULL);
  /* GOMP_AMP_TYPES gives types only.  */
  amp_topology_find (&u, &source, "4:0-3", &bad_types);
  amp_topology_read_siblings (&u, &source);
  check (u.turns == 2 && placed (&u, false, "4 0 2 1 3"), "the user's types");

  /* GOMP_AMP_CORES.  */
  amp_topology_read_siblings (&t, &source);
  u = t;
  check (selects (&u, "all") && memcmp (&u, &t, sizeof u) == 0, "all");
  check (selects (&u, "NoLP ") && consistent (&u) && u.types == 2
	 && u.norder == 6 && u.ncpus == 6
	 && placed (&u, false, "0 2 4 5 1 3")
	 && placed (&u, true, "4 5 0 2 1 3"), "nolp");
  check (selects (&u, "nolp") && u.types == 2 && u.norder == 6, "nolp again");
  u = t;
  check (selects (&u, " \tBIG\n") && consistent (&u) && u.types == 1 && u.norder == 4
	 && placed (&u, false, "0 2 1 3") && placed (&u, true, "0 2 1 3"),
	 "big");
  set_usable (6, 7);
  check (finds (&u, AMP_EVIDENCE_NONE), "only low-power cores");
  check (selects (&u, "nolp") && consistent (&u) && u.norder == 2,
	 "nothing is left out");

  set_usable (0, 7);
  /* Numbers of cores: P cores of two threads, E cores, LP-E cores.  */
  EACH (i, table)
    {
      u = t;
      check (selects (&u, table[i].text) && consistent (&u)
	     && has (&u, table[i].cpus) && u.types == table[i].types,
	     "%s", table[i].text);
    }
  u = t;
  check (selects (&u, "2P+2E") && !fewer, "as many as there are");
  u = t;
  check (selects (&u, "5P") && fewer && u.norder == 4, "one more");
  u = t;
  check (!selects (&u, "c:eff3") && memcmp (&u, &t, sizeof u) == 0,
	 "a type that is not there");
  EACH (i, wrong)
    check (amp_parse_cores (wrong[i], &cores) != NULL, "wrong: %s", wrong[i]);
}

/* Control groups.  */

static double
quota (const char *groups)
{
  put ("proc/self/cgroup", groups);
  open_tree ();
  return amp_read_quota (&source);
}

static void
test_quota (void)
{
  clear_tree ();
  open_tree ();
  check (amp_read_quota (&source) == 0.0, "no control groups");
  put ("fs/cgroup/a/b/cpu.max", "150000 100000\n");
  check (quota ("0::/a/b\n") == 1.5, "version 2");
  check (quota ("0::/a/b/c/d\n") == 1.5, "a level up");
  check (quota ("0::/\n") == 0.0, "the root has none");
  put ("fs/cgroup/cpu.max", "100000 100000\n");
  check (quota ("0::/a/b\n") == 1.0 && quota ("0::/\n") == 1.0
	 && quota ("0::/../x") == 1.0, "the least counts");
  put ("fs/cgroup/a/cpu.max", "max 100000\n");
  check (quota ("0::/a\n") == 1.0, "max is no limit");
  put ("fs/cgroup/cpu.max", "max 100000\n");
  check (quota ("0::/a\n") == 0.0, "max everywhere");
  put ("fs/cgroup/a/cpu.max", "50000 0\n");
  check (quota ("0::/a\n") == 0.0, "a period of 0");
  put ("fs/cgroup/a/cpu.max", "-5 -1\n");
  check (quota ("0::/a\n") == 0.0, "below 0");
  put ("fs/cgroup/a/cpu.max", "");
  check (quota ("0::/a\n") == 0.0, "an empty file");
  put ("fs/cgroup/cpu/x/cpu.cfs_quota_us", "250000\n");
  put ("fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  check (quota ("3:cpuset:/x\n2:cpu:/x\n0::/a\n") == 2.5, "version 1");
  check (quota ("3:cpuset:/x\n2:cpuacct,cpu:/x/y\n") == 2.5, "with cpuacct");
  check (quota ("3:cpuset:/x\n4:cpuacct:/x\n") == 0.0, "not its controller");
  put ("fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
  check (quota ("2:cpu:/x\n") == 0.0, "-1 is no limit");
  check (quota ("\n::\n:\n2\n2:cpu\n2:cpu:\n::::\n0::") == 0.0, "junk");
}

/* Lists of the kernel.  */

static void
test_kernel_lists (void)
{
  static unsigned char set[AMP_MAX_CPUS];
  static const struct { const char *text; int want; } table[] = {
    { "\n", 0 }, { "", 0 }, { "0\n", 1 }, { "0-3\n", 4 }, { "0-1,4-5,9\n", 5 },
    { "0-4095\n", 4096 }, { "0-4096\n", -1 }, { "x\n", -1 }, { "0-\n", -1 },
    { "0,x\n", -1 }, { "0 1\n", -1 }, { "99999999999\n", -1 }
  };
  int n;

  clear_tree ();
  check (!amp_read_list (folder, "list", set, 1), "no list");
  EACH (i, table)
    {
      put ("list", table[i].text);
      memset (set, 0, sizeof set);
      n = amp_read_list (folder, "list", set, 7) ? 0 : -1;
      for (unsigned cpu = 0; n >= 0 && cpu < AMP_MAX_CPUS; cpu++)
	n += set[cpu] == 7;
      check (n == table[i].want, "list %s has %d", table[i].text, n);
    }
  /* Longer than what is read.  */
  {
    char *text = malloc (100000);
    memset (text, '0', 99999);
    text[99999] = '\0';
    put ("list", text);
    free (text);
  }
  check (!amp_read_list (folder, "list", set, 1), "a list without end");
}

/* Clusters.  */

/* Are there, by EVIDENCE, the clusters of the usable CPUs that the letters of
   WANT, by CPU, say?  Other signs: the CPU is not usable.  */

static bool
clustered (const char *lists, enum amp_cluster_evidence evidence,
	   const char *want)
{
  static struct amp_clusters c;
  static struct amp_topology t;
  const char *wrong;
  unsigned cpu, sum = 0, count = 0;

  open_tree ();
  amp_topology_find (&t, &source, NULL, &wrong);
  memset (&c, 0x5a, sizeof c);
  amp_clusters_find (&c, &t, &source, lists, &wrong);
  if ((wrong != NULL) != (lists != NULL && evidence != AMP_CLUSTERS_LISTS)
      || c.evidence != evidence)
    return false;
  for (cpu = 0; want[cpu] != '\0'; cpu++)
    if (want[cpu] >= 'a')
      {
	if (c.cluster[cpu] != want[cpu] - 'a')
	  return false;
	if (want[cpu] - 'a' >= (int) count)
	  count = want[cpu] - 'a' + 1;
      }
  for (cpu = 0; cpu < c.count; cpu++)
    sum += c.size[cpu];
  return sum == t.norder && c.count == count;
}

static void
test_clusters (void)
{
  char text[40];

  clear_tree ();
  set_usable (0, 7);
  check (clustered (NULL, AMP_CLUSTERS_ONE, "aaaaaaaa"), "no tree");
  for (unsigned cpu = 0; cpu < 8; cpu++)
    put_capacity (cpu, cpu < 6 ? "1024\n" : "400\n");
  check (clustered (NULL, AMP_CLUSTERS_TYPE, "aaaaaabb"), "types");
  for (unsigned cpu = 0; cpu < 8; cpu++)
    put_cpu (cpu, "topology/physical_package_id", cpu < 3 ? "0\n" : "7\n");
  check (clustered (NULL, AMP_CLUSTERS_PACKAGE, "aaabbbbb"), "packages");
  /* Two threads of a core are no cluster.  */
  for (unsigned cpu = 0; cpu < 8; cpu++)
    {
      snprintf (text, sizeof text, "%u-%u\n", cpu / 2 * 2, cpu / 2 * 2 + 1);
      put_cpu (cpu, "topology/cluster_cpus_list", cpu < 4 ? "0-3\n" : text);
      put_cpu (cpu, "topology/thread_siblings_list", text);
    }
  check (clustered (NULL, AMP_CLUSTERS_PACKAGE, "aaabbbbb"), "cores");
  for (unsigned cpu = 4; cpu < 8; cpu++)
    put_cpu (cpu, "topology/cluster_cpus_list", "4-7\n");
  check (clustered (NULL, AMP_CLUSTERS_CORES, "aaaabbbb"),
	 "clusters of cores");
  for (unsigned cpu = 0; cpu < 8; cpu++)
    put_cpu (cpu, "cache/index3/shared_cpu_list",
	     cpu % 2 ? "1,3,5,7\n" : "0,2,4,6\n");
  check (clustered (NULL, AMP_CLUSTERS_CACHE, "abababab"), "caches");
  put_cpu (7, "cache/index3/shared_cpu_list", NULL);
  check (clustered (NULL, AMP_CLUSTERS_CORES, "aaaabbbb"),
	 "a CPU without that cache");
  set_usable (4, 6);
  check (clustered (NULL, AMP_CLUSTERS_CACHE, "....aba"), "usable ones");
  set_usable (0, 7);
  put ("devices/system/node/online", "0,3\n");
  put ("devices/system/node/node0/cpulist", "0-7\n");
  check (clustered (NULL, AMP_CLUSTERS_CORES, "aaaabbbb"), "one node");
  put ("devices/system/node/node0/cpulist", "0-1\n");
  check (clustered (NULL, AMP_CLUSTERS_CORES, "aaaabbbb"),
	 "CPUs of no node");
  put ("devices/system/node/node3/cpulist", "2-7\n");
  check (clustered (NULL, AMP_CLUSTERS_NODE, "aabbbbbb"), "nodes");
  set_usable (5, 5);
  check (clustered (NULL, AMP_CLUSTERS_ONE, ".....a"), "one CPU");
  set_usable (0, 7);
  check (clustered ("4-7:0-3", AMP_CLUSTERS_LISTS, "aaaabbbb"), "lists");
  check (clustered ("0-7", AMP_CLUSTERS_LISTS, "aaaaaaaa"), "one list");
  check (clustered ("6:0", AMP_CLUSTERS_LISTS, "abbbbbcb"),
	 "CPUs in no list are a cluster");
  check (clustered ("0-3:3", AMP_CLUSTERS_NODE, "aabbbbbb"),
	 "a CPU in two lists");
  check (clustered ("x", AMP_CLUSTERS_NODE, "aabbbbbb"), "no lists");
  /* More than there can be.  */
  set_usable (0, AMP_MAX_CLUSTERS + 8);
  clear_tree ();
  for (unsigned cpu = 0; cpu <= AMP_MAX_CLUSTERS + 8; cpu++)
    {
      snprintf (text, sizeof text, "%u\n", cpu);
      put_cpu (cpu, "topology/physical_package_id", text);
    }
  {
    static struct amp_clusters c;
    static struct amp_topology t;
    const char *wrong;

    open_tree ();
    amp_topology_find (&t, &source, NULL, &wrong);
    amp_clusters_find (&c, &t, &source, NULL, &wrong);
    check (c.count == AMP_MAX_CLUSTERS && c.size[AMP_MAX_CLUSTERS - 1] == 10
	   && c.cluster[AMP_MAX_CLUSTERS + 8] == AMP_MAX_CLUSTERS - 1,
	   "many clusters: %u", c.count);
  }
}

/* Any tree is read without harm.  */

static void
test_random_trees (void)
{
  static const char *const choices[]
    = { "all", "big", "nolp", "1P+2E", "1t", "3c", "c:eff0", "c:intel_atom" };
  static const char *const files[] = {
    "cpu_capacity", "cpufreq/cpuinfo_max_freq", "acpi_cppc/highest_perf",
    "regs/identification/midr_el1", "topology/thread_siblings_list"
  };
  static const char *const values[] = {
    "1024\n", "500\n", "0x410fd034\n", "0x410fd092\n", "0-3\n", "0\n", "",
    "-1\n", "18446744073709551616\n", "1-2,5\n", "junk\n"
  };
  static const char *const lists[] = { "0-3\n", "4-7\n", "0-7\n", "\n", "x" };
  static struct amp_topology t;
  unsigned round, cpu;
  const char *wrong;

  for (round = 0; round < 150; round++)
    {
      clear_tree ();
      set_usable (0, random64 () % 8);
      for (cpu = 0; cpu < 8; cpu++)
	EACH (i, files)
	  if (random64 () % 8 != 0)
	    put_cpu (cpu, files[i],
		     values[random64 () % (random64 () % 2 ? 4 : 11)]);
      if (random64 () % 2)
	put ("proc/sys/kernel/arch", random64 () % 2 ? "x86_64\n" : "mips\n");
      if (random64 () % 4 == 0)
	{
	  put ("devices/cpu_core/cpus", lists[random64 () % 5]);
	  put ("devices/cpu_atom/cpus", lists[random64 () % 5]);
	}
      open_tree ();
      amp_topology_find (&t, &source, NULL, &wrong);
      amp_topology_read_siblings (&t, &source);
      if (!consistent (&t))
	break;
      selects (&t, choices[random64 () % (sizeof choices
					  / sizeof choices[0])]);
      if (!consistent (&t))
	break;
    }
  check (round == 150, "random tree %u", round);
}

int
main (void)
{
  if (mkdtemp (folder) == NULL)
    {
      printf ("FAIL: no temporary folder\n0 passed, 1 failed, 0 skipped\n");
      return 1;
    }
  atexit (remove_tree);
  test_lists ();
  test_capacity ();
  test_observed ();
  test_pmu ();
  test_cpuid ();
  test_machine ();
  test_cppc ();
  test_midr ();
  test_placement ();
  test_quota ();
  test_kernel_lists ();
  test_clusters ();
  test_random_trees ();
  return check_result ();
}

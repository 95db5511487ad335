/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-info: which core types gomp-amp sees here, on what evidence, and what a
   program would get from the environment as it is.

   It runs the library's own code (amp-topology.c, amp-options.c), so what it
   prints is what the library finds.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../libgomp/amp-core.c"
#include "../libgomp/amp-options.c"
#include "../libgomp/amp-topology.c"

#ifndef AMP_VERSION
# define AMP_VERSION "unknown"
#endif

static inline uint64_t
amp_ticks (void)
{
  return amp_user_counter ();
}

static uint64_t
amp_cpu_ticks (void)
{
  return 0;
}

static inline unsigned
amp_current_type (void)
{
  return 0;
}

static cpu_set_t *mask;
static size_t mask_size;

static bool
usable (unsigned cpu)
{
  return cpu < mask_size * 8 && CPU_ISSET_S (cpu, mask_size, mask);
}

static void
read_mask (void)
{
  int cpus = AMP_MAX_CPUS;

  for (;; cpus *= 2)
    {
      mask = CPU_ALLOC (cpus);
      mask_size = CPU_ALLOC_SIZE (cpus);
      if (mask == NULL)
	break;
      if (sched_getaffinity (0, mask_size, mask) == 0)
	return;
      CPU_FREE (mask);
      if (errno != EINVAL || cpus > 1 << 20)
	break;
    }
  fprintf (stderr, "amp-info: cannot read the CPU affinity mask: %s\n",
	   strerror (errno));
  exit (1);
}

/* Print the COUNT numbers of CPUS as ranges.  */

static void
print_ranges (const unsigned short *cpus, unsigned count)
{
  unsigned i, j;

  for (i = 0; i < count; i = j)
    {
      for (j = i + 1; j < count && cpus[j] == cpus[j - 1] + 1; j++)
	continue;
      printf (i == 0 ? "%u" : ",%u", cpus[i]);
      if (j - i > 1)
	printf ("%c%u", j - i == 2 ? ',' : '-', cpus[j - 1]);
    }
}

/* The CPUs of TYPE, in the order of the topology.  */

static unsigned
members (const struct amp_topology *t, unsigned type, unsigned short *cpus)
{
  unsigned i, count = 0;

  for (i = 0; i < t->norder; i++)
    if (t->type[t->order[i]] == type)
      cpus[count++] = t->order[i];
  return count;
}

static const char *
value (const char *name)
{
  const char *env = getenv (name);
  return env != NULL && *amp_skip_space (env) != '\0' ? env : NULL;
}

static void
complain (const char *name, const char *what)
{
  fprintf (stderr, "amp-info: %s: %s; programs ignore it\n", name, what);
}

static void
find_types (struct amp_topology *t, const char *list, const char *root)
{
  const char *wrong_list, *wrong_types;

  amp_topology_find (t, list, value ("GOMP_AMP_TYPES"), root, usable,
		     &wrong_list, &wrong_types);
  if (wrong_list != NULL)
    complain ("GOMP_AMP_AFFINITY", wrong_list);
  if (wrong_types != NULL)
    complain ("GOMP_AMP_TYPES", wrong_types);
}

#define FIELD "  %-26s"

static void
print_text (const struct amp_topology *t, enum amp_affinity affinity,
	    const char *schedule, const double *sf)
{
  unsigned short cpus[AMP_MAX_CPUS];
  unsigned type, count, i;

  printf ("usable CPUs:  %u\n", t->norder);
  printf ("core types:   %u\n", t->types);
  printf ("evidence:     %s\n", amp_evidence_name (t->evidence));
  for (type = 0; type < t->types; type++)
    {
      count = members (t, type, cpus);
      printf ("  type %u%s: %u CPU%s: ", type,
	      t->types == 1 ? "" : type == 0 ? " (fastest)"
	      : type == t->types - 1 ? " (slowest)" : "",
	      count, count == 1 ? "" : "s");
      print_ranges (cpus, count);
      if (t->capacity[type] != 0)
	printf (" (capacity %u)", t->capacity[type]);
      if (sf != NULL)
	printf (" (SF %.3f)", sf[type]);
      putchar ('\n');
    }
  puts ("a program would get:");
  if (schedule != NULL)
    {
      printf (FIELD "%s (OMP_SCHEDULE)\n", "loops without a clause:", schedule);
      printf (FIELD "%s (OMP_SCHEDULE)\n", "runtime loops:", schedule);
    }
  else
    {
      printf (FIELD "%s\n", "loops without a clause:",
	      t->types > 1 ? "aid_hybrid,80" : "static");
      printf (FIELD "%s\n", "runtime loops:", "dynamic,1");
    }
  amp_topology_placement (t, affinity == AMP_AFFINITY_SB, cpus);
  if (affinity == AMP_AFFINITY_OFF)
    printf (FIELD "%s\n", "threads:", "not bound");
  else if (value ("OMP_PLACES") || value ("GOMP_CPU_AFFINITY")
	   || value ("OMP_PROC_BIND"))
    printf (FIELD "%s\n", "threads:",
	    "placed by OMP_PLACES, OMP_PROC_BIND or GOMP_CPU_AFFINITY");
  else
    {
      printf (FIELD, "threads 0, 1, ... on CPU:");
      for (i = 0; i < t->norder; i++)
	printf (i == 0 ? "%u" : ", %u", cpus[i]);
      putchar ('\n');
    }
}

static void
print_json (const struct amp_topology *t, enum amp_affinity affinity,
	    bool scheduled, const double *sf)
{
  unsigned short cpus[AMP_MAX_CPUS];
  unsigned type, count, i;

  printf ("{\"usable_cpus\": %u, \"evidence\": \"%s\", \"types\": [",
	  t->norder, amp_evidence_name (t->evidence));
  for (type = 0; type < t->types; type++)
    {
      count = members (t, type, cpus);
      printf ("%s{\"type\": %u, \"capacity\": ", type == 0 ? "" : ", ", type);
      if (t->capacity[type] != 0)
	printf ("%u", t->capacity[type]);
      else
	printf ("null");
      printf (", \"sf\": ");
      if (sf != NULL)
	printf ("%.3f", sf[type]);
      else
	printf ("null");
      printf (", \"cpus\": [");
      for (i = 0; i < count; i++)
	printf (i == 0 ? "%u" : ", %u", cpus[i]);
      printf ("]}");
    }
  printf ("], \"default_schedule\": ");
  if (scheduled)
    printf ("null");
  else
    printf ("\"%s\"", t->types > 1 ? "aid_hybrid,80" : "static");
  printf (", \"bound_to\": ");
  if (affinity == AMP_AFFINITY_OFF)
    printf ("null");
  else
    {
      amp_topology_placement (t, affinity == AMP_AFFINITY_SB, cpus);
      for (i = 0; i < t->norder; i++)
	printf (i == 0 ? "[%u" : ", %u", cpus[i]);
      printf ("]");
    }
  puts ("}");
}

static void
list_schedules (void)
{
  const struct amp_ops *const *p;
  unsigned i;

  puts ("static[,chunk]\ndynamic[,chunk]\nguided[,chunk]\nauto");
  for (p = amp_schedulers; *p != NULL; p++)
    {
      printf ("%s", (*p)->name);
      for (i = 0; i < (*p)->nparams; i++)
	printf ("[,%s", (*p)->param[i].name);
      for (i = 0; i < (*p)->nparams; i++)
	putchar (']');
      for (i = 0; i < (*p)->nparams; i++)
	{
	  const struct amp_param_info *info = &(*p)->param[i];
	  printf ("  %s: %d..%d, default ", info->name, info->min, info->max);
	  if (info->def != 0)
	    printf ("%d", info->def);
	  else
	    printf ("chosen at run time");
	}
      putchar ('\n');
    }
}

static void
usage (FILE *f)
{
  static const char *const lines[][2] = {
    { "-j, --json", "one JSON object instead of text" },
    { "-l, --list-schedules", "the values of OMP_SCHEDULE, with parameters" },
    { "-s, --sysfs=DIR", "read DIR/cpuN instead of " AMP_SYSFS_CPU "/cpuN" },
    { "-h, --help", "this text" },
    { "-V, --version", "the version" }
  };
  unsigned i;

  fputs ("Usage: amp-info OPTION...\n"
	 "Show which core types gomp-amp sees, on what evidence, and what an\n"
	 "OpenMP program would get from the environment as it is.\n\n", f);
  for (i = 0; i < sizeof lines / sizeof lines[0]; i++)
    fprintf (f, "  %-22s%s\n", lines[i][0], lines[i][1]);
  fputs ("\nExit status: 0; 1 if the machine cannot be read or a variable is "
	 "wrong; 2 if\nthe usage is wrong.\n", f);
}

int
main (int argc, char **argv)
{
  static const struct option options[] = {
    { "json", no_argument, NULL, 'j' },
    { "list-schedules", no_argument, NULL, 'l' },
    { "sysfs", required_argument, NULL, 's' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 }
  };
  static struct amp_topology topology;
  enum amp_affinity affinity = AMP_AFFINITY_OFF;
  struct amp_schedule parsed;
  char message[AMP_MESSAGE_MAX];
  double sf_value[AMP_MAX_TYPES], *sf = NULL;
  const char *root = value ("GOMP_AMP_SYSFS");
  const char *text, *schedule = NULL;
  bool json = false, wrong = false;
  int c;

  while ((c = getopt_long (argc, argv, "jls:hV", options, NULL)) != -1)
    switch (c)
      {
      case 'j':
	json = true;
	break;
      case 'l':
	list_schedules ();
	return 0;
      case 's':
	root = optarg;
	break;
      case 'h':
	usage (stdout);
	return 0;
      case 'V':
	puts ("amp-info (gomp-amp) " AMP_VERSION);
	return 0;
      default:
	fputs ("Try 'amp-info --help'.\n", stderr);
	return 2;
      }
  if (optind != argc)
    {
      fprintf (stderr, "amp-info: '%s': no arguments are taken\n"
	       "Try 'amp-info --help'.\n", argv[optind]);
      return 2;
    }

  read_mask ();
  text = value ("GOMP_AMP_AFFINITY");
  if (text != NULL && amp_parse_affinity (text, &affinity, message) != NULL)
    {
      complain ("GOMP_AMP_AFFINITY", message);
      wrong = true;
    }
  find_types (&topology, affinity == AMP_AFFINITY_LIST ? text : NULL,
	      root);
  if (affinity == AMP_AFFINITY_LIST
      && topology.evidence != AMP_EVIDENCE_AFFINITY)
    {
      affinity = AMP_AFFINITY_OFF;
      wrong = true;
    }
  wrong = wrong || (value ("GOMP_AMP_TYPES") != NULL
		    && topology.evidence > AMP_EVIDENCE_TYPES);
  text = getenv ("OMP_SCHEDULE");
  if (text != NULL)
    {
      if (amp_parse_schedule (text, &parsed, message) == NULL)
	schedule = text;
      else
	{
	  complain ("OMP_SCHEDULE", message);
	  wrong = true;
	}
    }
  text = value ("GOMP_AMP_SF");
  if (text != NULL)
    {
      if (amp_parse_sf (text, topology.types, sf_value, message) == NULL)
	sf = sf_value;
      else
	{
	  complain ("GOMP_AMP_SF", message);
	  wrong = true;
	}
    }

  if (json)
    print_json (&topology, affinity, schedule != NULL, sf);
  else
    print_text (&topology, affinity, schedule, sf);
  return wrong;
}

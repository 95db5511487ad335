/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-info: which core types gomp-amp sees here, on what evidence, and what a
   program would get from the environment as it is.

   It runs the library's own code (amp-topology.c, amp-cpuid.c, amp-cluster.c,
   amp-options.c, amp-place.c), so what it prints is what the library finds.
   Their symbols are all static, as libgomp needs it: so this is one unit, which
   includes them.  */

#define _GNU_SOURCE 1
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "amp-core.c"
#include "amp-options.c"
#include "amp-topology.c"
#include "amp-cpuid.c"
#include "amp-cluster.c"
#include "amp-place.c"

#ifndef AMP_VERSION
# define AMP_VERSION "unknown"
#endif

static inline uint64_t
amp_ticks (void)
{
  return amp_user_counter ();
}

static inline unsigned
amp_current_type (void)
{
  return 0;
}

static inline unsigned
amp_current_cluster (void)
{
  return 0;
}

static void
amp_count (struct amp_counts *counts)
{
  counts->faults = counts->misses = counts->instructions = 0;
}

/* Is CPU usable: by this process, or, of a replayed tree, by a process on the
   machine that the tree shows.  */
static unsigned char can_use[AMP_MAX_CPUS];

static bool
usable (unsigned cpu)
{
  return cpu < AMP_MAX_CPUS && can_use[cpu];
}

static void
read_mask (void)
{
  int cpus = AMP_MAX_CPUS;
  cpu_set_t *mask;
  size_t size;
  int status;

  for (;; cpus *= 2)
    {
      mask = CPU_ALLOC (cpus);
      size = CPU_ALLOC_SIZE (cpus);
      if (mask == NULL)
	break;
      status = sched_getaffinity (0, size, mask);
      for (unsigned cpu = 0; status == 0 && cpu < AMP_MAX_CPUS; cpu++)
	can_use[cpu] = CPU_ISSET_S (cpu, size, mask) != 0;
      CPU_FREE (mask);
      if (status == 0)
	return;
      if (errno != EINVAL || cpus > 1 << 20)
	break;
    }
  fprintf (stderr, "amp-info: cannot read the CPU affinity mask: %s\n",
	   strerror (errno));
  exit (1);
}

/* The CPUs that a process can use by the tree S: those online, less those
   outside of Cpus_allowed_list in proc/self/status, if the tree has it.  */

static void
read_tree_mask (const struct amp_source *s)
{
  static unsigned char allowed[AMP_MAX_CPUS];
  char text[16384], path[64], *line;
  unsigned cpu;

  if (!amp_read_list (s->sys, "devices/system/cpu/online", can_use, 1))
    {
      memset (can_use, 0, sizeof can_use);
      for (cpu = 0; cpu < AMP_MAX_CPUS; cpu++)
	{
	  char name[AMP_ROOT_MAX + 64];

	  snprintf (name, sizeof name, "%s/devices/system/cpu/cpu%u", s->sys,
		    cpu);
	  snprintf (path, sizeof path, "devices/system/cpu/cpu%u/online", cpu);
	  can_use[cpu] = (access (name, F_OK) == 0
			  && !(amp_read_text (s->sys, path, text, sizeof text)
			       && text[0] == '0'));
	}
    }
  if (!amp_read_text (s->proc, "self/status", text, sizeof text))
    return;
  line = strstr (text, "Cpus_allowed_list:");
  if (line == NULL)
    return;
  line += strlen ("Cpus_allowed_list:");
  if (!amp_fill_list (line + strspn (line, " \t"), allowed, 1))
    return;
  for (cpu = 0; cpu < AMP_MAX_CPUS; cpu++)
    can_use[cpu] = can_use[cpu] && allowed[cpu];
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

/* Print the COUNT numbers of CPUS as a JSON list.  */

static void
print_list (const unsigned short *cpus, unsigned count)
{
  putchar ('[');
  for (unsigned i = 0; i < count; i++)
    printf (i == 0 ? "%u" : ", %u", cpus[i]);
  putchar (']');
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

static bool wrong;

static void
complain (const char *name, const char *what)
{
  fprintf (stderr, "amp-info: %s: %s; programs ignore it\n", name, what);
  wrong = true;
}

/* What was found, and what a program would get.  */

static struct amp_source source;
static struct amp_topology topology;	/* All types.  */
static struct amp_topology used;	/* Without what GOMP_AMP_CORES leaves
					   out.  */
static struct amp_clusters clusters;	/* Of the latter.  */
static enum amp_affinity affinity = AMP_AFFINITY_OFF;
static struct amp_cores cores;
static const char *schedule;		/* OMP_SCHEDULE, if valid.  */
static double sf_value[AMP_MAX_TYPES], *sf;
static double quota;
static unsigned short offline[AMP_MAX_CPUS];
static unsigned noffline;
static unsigned short excluded[AMP_MAX_CPUS];	/* Online, not usable.  */
static unsigned nexcluded;

/* How threads get to CPUs.  */
static enum
{
  FREE,				/* As the system likes.  */
  BOUND,			/* By GOMP_AMP_AFFINITY.  */
  WEIGHTED,			/* By GOMP_AMP_TEAM.  */
  ELSEWHERE			/* By a variable of libgomp's own.  */
} binding;
static unsigned nthreads;	/* 0 where a program has to find out.  */
static bool threads_chosen;	/* By OMP_NUM_THREADS.  */
static unsigned short placement[AMP_MAX_CPUS];
/* A weighted team, where the speeds are known: how many threads each CPU of
   PLACEMENT has, and where there each thread's CPU is.  */
static bool placed;
static unsigned loads[AMP_MAX_CPUS];
static unsigned short cpu_of[AMP_MAX_LANES];

/* The first number in OMP_NUM_THREADS if it is valid, or 0.  */

static unsigned
chosen_threads (void)
{
  const char *text = value ("OMP_NUM_THREADS");
  unsigned first = 0;
  int n;

  if (text == NULL)
    return 0;
  for (;;)
    {
      text = amp_skip_space (text);
      if (amp_read_number (&text, &n) != AMP_NUMBER_OK || n < 1)
	break;
      if (first == 0)
	first = n;
      text = amp_skip_space (text);
      if (*text == '\0')
	return first;
      if (*text++ != ',')
	break;
    }
  complain ("OMP_NUM_THREADS", "not a list of positive numbers");
  return 0;
}

static void
find_types (void)
{
  const char *wrong;

  amp_topology_find (&topology, &source, value ("GOMP_AMP_TYPES"), &wrong);
  if (wrong != NULL)
    complain ("GOMP_AMP_TYPES", wrong);
  amp_topology_read_siblings (&topology, &source);
}

/* CPUs that are there and that programs cannot use.  */

static void
find_unusable (void)
{
  static unsigned char present[AMP_MAX_CPUS], online[AMP_MAX_CPUS];

  if (!amp_read_list (source.sys, "devices/system/cpu/present", present, 1)
      || !amp_read_list (source.sys, "devices/system/cpu/online", online, 1))
    return;
  for (unsigned cpu = 0; cpu < AMP_MAX_CPUS; cpu++)
    if (present[cpu] && !online[cpu])
      offline[noffline++] = cpu;
    else if (online[cpu] && !usable (cpu))
      excluded[nexcluded++] = cpu;
}

/* A team of which GOMP_AMP_TEAM lets each CPU have at most MOST threads, as
   gomp_amp_init_team makes it.  A file may have the program's factors.  */

static void
find_team (unsigned most)
{
  static double speeds[AMP_MAX_CPUS];
  bool known = value ("GOMP_AMP_LOOPS") == NULL;
  unsigned i, type, size;

  if (binding != FREE)
    {
      complain ("GOMP_AMP_TEAM", "threads are placed otherwise");
      return;
    }
  if (used.types < 2 || used.norder < 2)
    return;
  for (type = 0; type < used.types; type++)
    known = known && (sf != NULL || used.capacity[type] != 0);
  if (!known)
    {
      binding = WEIGHTED;
      if (!threads_chosen)
	nthreads = 0;
      return;
    }
  for (i = 0; i < used.norder; i++)
    {
      type = used.type[placement[i]];
      speeds[i] = sf != NULL ? sf[type] : used.capacity[type];
    }
  size = amp_place_team_size (speeds, used.norder, most, loads);
  if (amp_place_plain (speeds, used.norder, size, cpu_of, loads))
    return;
  binding = WEIGHTED;
  if (!threads_chosen)
    nthreads = size;
  placed = nthreads <= AMP_MAX_LANES;
  if (placed)
    amp_place_threads (speeds, used.norder, nthreads, cpu_of, loads);
}

static void
judge (void)
{
  const char *text, *said;
  struct amp_schedule parsed;
  char message[AMP_MESSAGE_MAX];
  bool places = value ("OMP_PLACES") || value ("GOMP_CPU_AFFINITY"), fewer;
  unsigned most;

  text = value ("GOMP_AMP_AFFINITY");
  if (text != NULL && amp_parse_affinity (text, &affinity, message) != NULL)
    complain ("GOMP_AMP_AFFINITY", message);
  find_types ();
  find_unusable ();
  quota = amp_read_quota (&source);

  text = value ("GOMP_AMP_CORES");
  if (text != NULL)
    {
      said = amp_parse_cores (text, &cores);
      if (said != NULL)
	complain ("GOMP_AMP_CORES", said);
    }
  if (amp_cores_count_p (&cores))
    amp_topology_read_siblings (&topology, &source);
  used = topology;
  if (!amp_topology_select (&used, &cores, &fewer))
    complain ("GOMP_AMP_CORES", "leaves no CPU of this machine");
  else if (fewer)
    fprintf (stderr, "amp-info: GOMP_AMP_CORES=%s asks for more cores than "
	     "there are\n", cores.text);
  amp_clusters_find (&clusters, &used, &source, value ("GOMP_AMP_CLUSTERS"),
		     &said);
  if (said != NULL)
    complain ("GOMP_AMP_CLUSTERS", said);
  nthreads = chosen_threads ();
  threads_chosen = nthreads != 0;
  if (!threads_chosen)
    nthreads = used.norder;
  /* Places that the user made are not restricted.  */
  if (places)
    used = topology;
  if (places || value ("OMP_PROC_BIND"))
    binding = ELSEWHERE;
  else if (affinity != AMP_AFFINITY_OFF)
    binding = BOUND;
  amp_topology_placement (&used, affinity == AMP_AFFINITY_SB, placement);

  text = getenv ("OMP_SCHEDULE");
  if (text != NULL)
    {
      if (amp_parse_schedule (text, &parsed, message) == NULL)
	schedule = text;
      else
	complain ("OMP_SCHEDULE", message);
    }
  text = value ("GOMP_AMP_SF");
  if (text != NULL)
    {
      if (amp_parse_sf (text, used.types, sf_value, message) == NULL)
	sf = sf_value;
      else
	complain ("GOMP_AMP_SF", message);
    }
  text = value ("GOMP_AMP_LOOPS");
  if (text != NULL && access (text, R_OK) != 0)
    {
      snprintf (message, sizeof message, "cannot read %.80s: %s", text,
		strerror (errno));
      complain ("GOMP_AMP_LOOPS", message);
    }
  text = value ("GOMP_AMP_TEAM");
  if (text != NULL)
    {
      if (amp_parse_team (text, &most, message) != NULL)
	complain ("GOMP_AMP_TEAM", message);
      else if (most != 0)
	find_team (most);
    }
}

/* The CPUs that a program uses, of CLUSTER, or of all if that is ALL.  */

#define ALL UINT_MAX

static unsigned
clustered (unsigned cluster, unsigned short *cpus)
{
  unsigned cpu, count = 0;

  for (cpu = 0; cpu < used.ncpus; cpu++)
    if (used.type[cpu] != AMP_NO_TYPE
	&& (cluster == ALL || clusters.cluster[cpu] == cluster))
      cpus[count++] = cpu;
  return count;
}

#define FIELD "  %-26s"

/* The name of TYPE in brackets, or nothing.  */

static void
print_role (const struct amp_topology *t, unsigned type)
{
  const char *role = amp_role_name (t->role[type]);

  if (t->types > 1)
    printf (" (%s%s%s)", role, *role != '\0' ? ", " : "",
	    type == 0 ? "fastest" : type == t->types - 1 ? "slowest"
	    : "between");
  else if (*role != '\0')
    printf (" (%s)", role);
}

/* TYPE's number among those that are used; AMP_NO_TYPE: it is not.  */

static unsigned
used_type (unsigned type)
{
  for (unsigned i = 0; i < topology.norder; i++)
    if (topology.type[topology.order[i]] == type
	&& used.type[topology.order[i]] != AMP_NO_TYPE)
      return used.type[topology.order[i]];
  return AMP_NO_TYPE;
}

static void
print_types (void)
{
  unsigned short cpus[AMP_MAX_CPUS];
  unsigned type, count;

  for (type = 0; type < topology.types; type++)
    {
      count = members (&topology, type, cpus);
      printf ("  type %u", type);
      print_role (&topology, type);
      printf (": %u CPU%s: ", count, count == 1 ? "" : "s");
      print_ranges (cpus, count);
      if (topology.capacity[type] != 0)
	printf (" (capacity %u)", topology.capacity[type]);
      if (topology.khz[type] != 0)
	printf (" (up to %u MHz)", topology.khz[type] / 1000);
      if (used_type (type) == AMP_NO_TYPE)
	printf (" (not used: GOMP_AMP_CORES)");
      else if (sf != NULL)
	printf (" (SF %.3f)", sf[used_type (type)]);
      putchar ('\n');
    }
}

/* Nothing where there is but one; the types have been printed.  */

static void
print_clusters (void)
{
  unsigned short cpus[AMP_MAX_CPUS];
  unsigned cluster, count;

  if (clusters.count == 1)
    return;
  printf ("clusters:     %u, by %s\n", clusters.count,
	  amp_cluster_name (clusters.evidence));
  for (cluster = 0; clusters.evidence != AMP_CLUSTERS_TYPE
       && cluster < clusters.count; cluster++)
    {
      count = clustered (cluster, cpus);
      printf ("  cluster %u: %u CPU%s: ", cluster, count,
	      count == 1 ? "" : "s");
      print_ranges (cpus, count);
      putchar ('\n');
    }
}

static void
print_threads (void)
{
  unsigned i, n = nthreads < used.norder ? nthreads : used.norder;

  if (nthreads == 0)
    printf (FIELD "%s\n", "threads:", "as many as the CPUs' speeds ask for, "
	    "which a program finds out");
  else
    printf (FIELD "%u%s\n", "threads:", nthreads,
	    threads_chosen ? " (OMP_NUM_THREADS)"
	    : binding == WEIGHTED ? " (GOMP_AMP_TEAM)" : "");
  if (binding == ELSEWHERE)
    printf (FIELD "%s\n", "placed:",
	    "by OMP_PLACES, OMP_PROC_BIND or GOMP_CPU_AFFINITY");
  else if (binding == FREE)
    {
      unsigned short cpus[AMP_MAX_CPUS];

      printf (FIELD, "placed:");
      if (used.norder != topology.norder)
	{
	  printf ("not bound, anywhere on CPUs ");
	  print_ranges (cpus, clustered (ALL, cpus));
	  putchar ('\n');
	}
      else
	puts ("not bound");
    }
  else if (binding == WEIGHTED)
    {
      printf (FIELD "%s\n", "placed:", "by speed, in parallel regions "
	      "(GOMP_AMP_TEAM)");
      for (i = 0; i < used.norder && placed; i++)
	printf ("    CPU %u, type %u: %u thread%s\n", placement[i],
		used.type[placement[i]], loads[i], loads[i] == 1 ? "" : "s");
    }
  else
    {
      printf (FIELD "%s\n", "placed:", "bound by GOMP_AMP_AFFINITY");
      for (i = 0; i < n; i++)
	{
	  unsigned cpu = placement[i];

	  printf ("    thread %u -> CPU %u, type %u", i, cpu, used.type[cpu]);
	  if (used.role[used.type[cpu]] != AMP_ROLE_NONE)
	    printf (" (%s)", amp_role_name (used.role[used.type[cpu]]));
	  if (used.turn[cpu] != 0)
	    printf (", on a core that has a thread already");
	  putchar ('\n');
	}
      if (nthreads > n)
	puts ("    further threads share these CPUs");
    }
}

/* What a loop without a clause is where nothing is set.  */

static const char *
default_schedule (void)
{
  return (binding != WEIGHTED
	  && (used.types > 1 || amp_topology_observed_types (&used) != 0)
	  ? "auto" : "static");
}

static void
print_text (void)
{
  printf ("usable CPUs:  %u", topology.norder);
  if (noffline != 0)
    {
      printf (" (offline: ");
      print_ranges (offline, noffline);
      putchar (')');
    }
  if (nexcluded != 0)
    {
      printf (" (not for this process: ");
      print_ranges (excluded, nexcluded);
      putchar (')');
    }
  printf ("\ncore types:   %u\n", topology.types);
  printf ("evidence:     %s\n", amp_evidence_name (topology.evidence));
  print_types ();
  if (topology.types == 1 && topology.evidence == AMP_EVIDENCE_NONE)
    puts ("All CPUs look alike: nothing here tells one type from another.  If\n"
	  "you know better, name the types in GOMP_AMP_TYPES, as in 0-3:4-7.");
  if (topology.turns > 1)
    printf ("%-14sup to %u threads share a core\n", "SMT:", topology.turns);
  print_clusters ();
  if (cores.parts != 0 && cores.part[0].what == AMP_CORES_NOLP
      && used.types == topology.types)
    puts ("GOMP_AMP_CORES=nolp changes nothing: no type is known to be of "
	  "low-power cores");
  if (quota > 0.0)
    {
      printf ("CPU quota:    %.2f CPUs, by the control group", quota);
      if (quota < nthreads)
	printf (": less than the %u threads,\n%-14swhich stop when it is used "
		"up; try OMP_NUM_THREADS=%u", nthreads, "",
		quota < 1.0 ? 1 : (unsigned) quota);
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
	      default_schedule ());
      printf (FIELD "%s\n", "runtime loops:", "dynamic,1");
    }
  print_threads ();
}

/* A number, or null if it is 0.  */

static void
print_number (const char *name, unsigned number)
{
  if (number != 0)
    printf (", \"%s\": %u", name, number);
  else
    printf (", \"%s\": null", name);
}

static void
print_json (void)
{
  static const char *const bindings[] = { "null", "\"GOMP_AMP_AFFINITY\"",
					  "\"GOMP_AMP_TEAM\"", "\"other\"" };
  unsigned short cpus[AMP_MAX_CPUS];
  unsigned type, count, i, n;

  printf ("{\"usable_cpus\": %u, \"offline\": ", topology.norder);
  print_list (offline, noffline);
  printf (", \"excluded\": ");
  print_list (excluded, nexcluded);
  printf (",\n \"evidence\": \"%s\", \"evidence_text\": \"%s\",\n \"types\": [",
	  amp_evidence_key (topology.evidence),
	  amp_evidence_name (topology.evidence));
  for (type = 0; type < topology.types; type++)
    {
      count = members (&topology, type, cpus);
      printf ("%s{\"type\": %u, \"role\": ", type == 0 ? "" : ",\n  ", type);
      if (topology.role[type] != AMP_ROLE_NONE)
	printf ("\"%s\"", amp_role_name (topology.role[type]));
      else
	printf ("null");
      print_number ("capacity", topology.capacity[type]);
      print_number ("max_khz", topology.khz[type]);
      printf (", \"sf\": ");
      if (sf != NULL && used_type (type) != AMP_NO_TYPE)
	printf ("%.3f", sf[type]);
      else
	printf ("null");
      printf (", \"used\": %s, \"cpus\": ",
	      used_type (type) != AMP_NO_TYPE ? "true" : "false");
      print_list (cpus, count);
      putchar ('}');
    }
  printf ("],\n \"threads_per_core\": %u, \"siblings\": ", topology.turns);
  for (i = count = 0; i < topology.ncpus; i++)
    if (topology.type[i] != AMP_NO_TYPE && topology.turn[i] != 0)
      cpus[count++] = i;
  print_list (cpus, count);
  printf (",\n \"clusters\": {\"evidence\": \"%s\", \"cpus\": [",
	  amp_cluster_key (clusters.evidence));
  for (i = 0; i < clusters.count; i++)
    {
      fputs (i == 0 ? "" : ", ", stdout);
      print_list (cpus, clustered (i, cpus));
    }
  printf ("]},\n \"quota\": ");
  if (quota > 0.0)
    printf ("%.3f", quota);
  else
    printf ("null");
  printf (", \"cores\": \"");
  for (i = 0; cores.text[i] != '\0'; i++)
    putchar (tolower ((unsigned char) cores.text[i]));
  printf ("%s\", \"default_schedule\": ", i == 0 ? "all" : "");
  if (schedule != NULL)
    printf ("null");
  else
    printf ("\"%s\"", default_schedule ());
  if (nthreads == 0)
    printf (",\n \"threads\": null");
  else
    printf (",\n \"threads\": %u", nthreads);
  printf (", \"binding\": %s, \"bound_to\": ", bindings[binding]);
  n = nthreads < used.norder ? nthreads : used.norder;
  if (binding == BOUND)
    print_list (placement, n);
  else if (placed)
    {
      for (i = 0; i < nthreads; i++)
	printf (i == 0 ? "[%u" : ", %u", placement[cpu_of[i]]);
      putchar (']');
    }
  else
    printf ("null");
  printf (",\n \"program_cpus\": ");
  print_list (cpus, clustered (ALL, cpus));
  puts ("}");
}

#include "calibrate.c"

static void
list_schedules (void)
{
  const struct amp_ops *const *p;

  puts ("static[,chunk]\ndynamic[,chunk]\nguided[,chunk]\nauto");
  for (p = amp_schedulers; *p != NULL; p++)
    {
      printf ("%s", (*p)->name);
      for (unsigned i = 0; i < (*p)->nparams; i++)
	printf ("[,%s", (*p)->param[i].name);
      for (unsigned i = 0; i < (*p)->nparams; i++)
	putchar (']');
      for (unsigned i = 0; i < (*p)->nparams; i++)
	{
	  const struct amp_param_info *info = &(*p)->param[i];
	  printf ("  %s: %d..%d, default ", info->name, info->min, info->max);
	  if (info->def != 0)
	    printf ("%d", info->def);
	  else
	    printf ("chosen at run time");
	}
      printf ("  %s\n", (*p)->text);
    }
}

enum { O_CALIBRATE = 256, O_CAPTURE };

static struct
{
  bool json, lists, calibrates;
  const char *tree, *file;
} given;

static const struct argp_option options[] = {
  { "json", 'j', 0, 0, "one JSON object instead of text", 0 },
  { "list-schedules", 'l', 0, 0,
    "the values of OMP_SCHEDULE, with parameters", 0 },
  { "sysfs", 's', "DIR", 0,
    "show the machine whose sysfs and proc files are in DIR", 0 },
  { "calibrate", O_CALIBRATE, "FILE", OPTION_ARG_OPTIONAL,
    "measure what hetprobe has to know, and write it to FILE, or where the "
    "library finds it", 0 },
  { "capture", O_CAPTURE, 0, 0,
    "write such files down as one text, or unpack it; see amp-info --capture "
    "--help", 0 },
  { 0, 'h', 0, OPTION_HIDDEN, 0, 0 },
  { 0 }
};

const char *argp_program_version = "amp-info (gomp-amp) " AMP_VERSION;

static error_t
option (int key, char *value, struct argp_state *state)
{
  switch (key)
    {
    case 'j':
      given.json = true;
      break;
    case 'l':
      given.lists = true;
      break;
    case 's':
      if (*value == '\0')
	argp_error (state, "--sysfs: the name of a folder is expected");
      given.tree = value;
      break;
    case O_CALIBRATE:
      given.calibrates = true;
      given.file = value;
      break;
    case O_CAPTURE:
      argp_error (state, "--capture comes first");
      break;
    case 'h':
      argp_state_help (state, stdout, ARGP_HELP_STD_HELP);
      break;
    case ARGP_KEY_ARG:
      argp_error (state, "'%s': no arguments are taken", value);
      break;
    default:
      return ARGP_ERR_UNKNOWN;
    }
  return 0;
}

static const struct argp parser = {
  options, option, "",
  "Show which core types gomp-amp sees, on what evidence, and what an OpenMP "
  "program would get from the environment as it is."
  "\vThe status is 1 if the machine cannot be read or a variable is wrong, 2 if "
  "the usage is wrong.", NULL, NULL, NULL
};

/* Become the script that captures machines; it also runs by itself, where
   nothing is built.  */

static int
capture (char **argv)
{
  char path[PATH_MAX + 64];
  ssize_t n = readlink ("/proc/self/exe", path, PATH_MAX);

  if (n > 0)
    {
      path[n] = '\0';
      strcpy (strrchr (path, '/'), "/../libexec/gomp-amp/amp-capture");
      argv[0] = path;
      execv (path, argv);
    }
  fprintf (stderr, "amp-info: %s: %s\n", n > 0 ? path : "/proc/self/exe",
	   strerror (errno));
  return 1;
}

/* STATUS, or 1 where what was printed is lost.  */

static int
printed (int status)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  fputs ("amp-info: cannot write the output\n", stderr);
  return 1;
}

int
main (int argc, char **argv)
{
  struct stat status;
  int c;

  if (argc > 1 && strcmp (argv[1], "--capture") == 0)
    return capture (argv + 1);
  argp_err_exit_status = 2;
  argp_parse (&parser, argc, argv, 0, NULL, NULL);

  if (given.lists)
    {
      list_schedules ();
      return printed (0);
    }
  if (given.tree != NULL && stat (given.tree, &status) == 0
      && !S_ISDIR (status.st_mode))
    {
      fprintf (stderr, "amp-info: %s is no folder; what --capture has written "
	       "is unpacked by:\n  amp-info --capture -x DIR %s\n"
	       "  amp-info --sysfs=DIR\n", given.tree, given.tree);
      return 1;
    }
  amp_source_open (&source, given.tree, AMP_MAX_CPUS, usable, AMP_CPUID);
  if (given.tree != NULL)
    read_tree_mask (&source);
  else
    read_mask ();
  for (c = 0; c < AMP_MAX_CPUS && !can_use[c]; c++)
    continue;
  if (c == AMP_MAX_CPUS)
    {
      fprintf (stderr, "amp-info: no usable CPU in %s\n",
	       given.tree != NULL ? given.tree : "the affinity mask");
      return 1;
    }
  judge ();
  if (given.calibrates && given.tree != NULL)
    {
      fputs ("amp-info: --calibrate measures this machine, no other\n"
	     "Try 'amp-info --help'.\n", stderr);
      return 2;
    }
  if (given.calibrates)
    return printed (calibrate (given.file));
  if (given.json)
    print_json ();
  else
    print_text ();
  return printed (wrong);
}

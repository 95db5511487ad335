/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's environment: OMP_SCHEDULE, GOMP_AMP_* and the core types.  Runs
   in the library's constructor, before any team exists; what it writes is
   constant afterwards.  */

#include "gomp-amp-glue.h"
#include "amp-cpuid.c"

/* Core types.  Written by the constructor only.  */

static enum amp_cores gomp_amp_cores = AMP_CORES_ALL;
static enum amp_affinity gomp_amp_affinity = AMP_AFFINITY_OFF;

static bool
gomp_amp_usable (unsigned cpu)
{
  return (gomp_cpusetp != NULL && cpu < gomp_cpuset_size * 8
	  && CPU_ISSET_S (cpu, gomp_cpuset_size, gomp_cpusetp));
}

/* The type of each CPU, as the core is told of it.  */
static unsigned char gomp_amp_cpu_type[AMP_MAX_CPUS];

static void
gomp_amp_init_lane_types (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned i, observed = amp_topology_observed_types (t);

  memset (gomp_amp_cpu_type, AMP_NO_TYPE, sizeof gomp_amp_cpu_type);
  gomp_amp_observed_types = observed != 0;
  gomp_amp_types = gomp_amp_observed_types ? observed : t->types;
  for (i = 0; i < t->norder; i++)
    gomp_amp_cpu_type[t->order[i]]
      = (gomp_amp_observed_types ? amp_topology_observed_type (t, i)
	 : t->type[t->order[i]]);
}

/* For the core all CPUs are of one type from now on.  */

static void
gomp_amp_forget_types (void)
{
  gomp_amp_types = 1;
  gomp_amp_observed_types = false;
  memset (gomp_amp_cpu_type, 0, sizeof gomp_amp_cpu_type);
  free (gomp_amp_guessed_type);
  gomp_amp_guessed_type = NULL;
}

/* The type of core number CPU, which sched_getcpu said.  */

static inline unsigned
gomp_amp_type_of (int cpu)
{
  if (cpu < 0 || cpu >= AMP_MAX_CPUS || gomp_amp_cpu_type[cpu] == AMP_NO_TYPE)
    return gomp_amp_types - 1;
  return gomp_amp_cpu_type[cpu];
}

/* The type of the core that the calling thread runs on now.  Where glibc has
   registered rseq this is a load from the thread's own memory.  */

static inline unsigned
amp_current_type (void)
{
  return gomp_amp_types <= 1 ? 0 : gomp_amp_type_of (sched_getcpu ());
}

/* The value of NAME, or NULL if it is unset or empty.  */

static const char *
gomp_amp_getenv (const char *name)
{
  const char *env = getenv (name);
  return env != NULL && *amp_skip_space (env) != '\0' ? env : NULL;
}

/* Is the word VALUE yes (1) or no (0), or neither (-1)?  */

static int
gomp_amp_yes_or_no (const char *value)
{
  static const char *const words[2][4] = {
    { "off", "0", "false", "no" }, { "on", "1", "true", "yes" }
  };
  unsigned i, j;

  for (i = 0; i < 2; i++)
    for (j = 0; j < 4; j++)
      if (strcasecmp (value, words[i][j]) == 0)
	return i;
  return -1;
}

/* The switch NAME: DEF if it is unset, or what it is set to is no answer,
   which is said.  */

static bool
gomp_amp_switch (const char *name, bool def)
{
  const char *value = gomp_amp_getenv (name);
  int answer = value != NULL ? gomp_amp_yes_or_no (value) : def;

  if (answer < 0)
    gomp_error ("Invalid value for environment variable %s: `%s'; valid are "
		"on and off; it is ignored", name, value);
  return answer < 0 ? def : answer;
}

/* Read GOMP_AMP_CHECK: seed=N, delay=MICROSECONDS, contiguous, descending,
   known and verdicts, in any order, separated by commas.  */

static void
gomp_amp_init_check (void)
{
  const char *value = gomp_amp_getenv ("GOMP_AMP_CHECK");
  unsigned long delay = 0;
  char *copy, *save = NULL, *word;

  if (value == NULL)
    return;
  copy = gomp_malloc (strlen (value) + 1);
  strcpy (copy, value);
  for (word = strtok_r (copy, ",", &save); word != NULL;
       word = strtok_r (NULL, ",", &save))
    {
      char *end = word;	/* Of what is understood.  */

      if (strncmp (word, "seed=", 5) == 0)
	{
	  gomp_amp_check.seed = strtoull (word + 5, &end, 10);
	  gomp_amp_check.shuffle = true;
	}
      else if (strncmp (word, "delay=", 6) == 0)
	delay = strtoul (word + 6, &end, 10);
      else if (strcmp (word, "contiguous") == 0)
	{
	  gomp_amp_check.form = AMP_DRAW_CONTIGUOUS;
	  end += strlen (word);
	}
      else if (strcmp (word, "descending") == 0)
	{
	  gomp_amp_check.form = AMP_DRAW_DESCENDING;
	  end += strlen (word);
	}
      else if (strcmp (word, "known") == 0)
	{
	  amp_site_known_after = 1;
	  end += strlen (word);
	}
      else if (strcmp (word, "verdicts") == 0)
	{
	  gomp_amp_check.verdicts = true;
	  end += strlen (word);
	}
      if (*end != '\0' || delay > 900000)
	{
	  gomp_error ("Invalid value for environment variable "
		      "GOMP_AMP_CHECK: `%s'; valid are seed=N, "
		      "delay=MICROSECONDS (at most 900000), contiguous, "
		      "descending, known and verdicts; what follows is ignored", word);
	  delay = 0;
	  break;
	}
    }
  /* Without a seed nothing is drawn.  */
  gomp_amp_check.delay = gomp_amp_check.shuffle ? delay * 1000 : 0;
  free (copy);
}

/* Read GOMP_AMP, once: OMP_SCHEDULE comes before the rest, but from GCC 13 on
   only if it is set.  */

static void
gomp_amp_init_off (void)
{
  static bool is_read;

  if (!is_read)
    gomp_amp_off = !gomp_amp_switch ("GOMP_AMP", true);
  is_read = true;
}

bool
gomp_amp_parse_schedule (void)
{
  const char *env = getenv ("OMP_SCHEDULE");
  char message[AMP_MESSAGE_MAX];
  struct amp_schedule schedule;

  gomp_amp_init_off ();
  if (gomp_amp_off)
    return false;
  if (env == NULL)
    return true;
  if (amp_parse_schedule (env, &schedule, message) != NULL)
    {
      /* A chunk that is none leaves the kind in force, with stock libgomp.  */
      if (schedule.kind != 0 && schedule.kind <= GFS_AUTO)
	return false;
      gomp_error ("Invalid value for environment variable OMP_SCHEDULE: %s; "
		  "it is ignored", message);
      return true;
    }
  if (schedule.kind <= GFS_AUTO)
    return false;
  gomp_amp_set_run_sched (&gomp_global_icv, schedule.kind,
			  schedule.params.value[0]);
  if (amp_find_kind (schedule.kind)->nparams > 1)
    gomp_global_icv.run_sched_param2 = schedule.params.value[1];
  if (schedule.modifier == 1)
    gomp_global_icv.run_sched_var |= GFS_MONOTONIC;
  return true;
}

static void
gomp_amp_init_types (const char *affinity_list)
{
  const char *wrong_list, *wrong_types;

  amp_source_open (&gomp_amp_source, secure_getenv ("GOMP_AMP_SYSFS"),
		   gomp_cpuset_size * 8, gomp_amp_usable, AMP_CPUID);
  amp_topology_find (&gomp_amp_topology, &gomp_amp_source, affinity_list,
		     gomp_amp_getenv ("GOMP_AMP_TYPES"),
		     &wrong_list, &wrong_types);
  if (wrong_list != NULL)
    {
      gomp_error ("Invalid value for environment variable GOMP_AMP_AFFINITY: "
		  "%s; valid are 1, on, bs, sb, 0, off, or CPU lists, fastest "
		  "type first, as in 4-7:0-3; it is ignored", wrong_list);
      gomp_amp_affinity = AMP_AFFINITY_OFF;
    }
  if (wrong_types != NULL)
    gomp_error ("Invalid value for environment variable GOMP_AMP_TYPES: "
		"%s; valid are CPU lists, fastest type first, as in "
		"4-7:0-3; it is ignored", wrong_types);
}

/* Did the user choose the number of threads?  An OMP_NUM_THREADS that libgomp
   rejected left the number of CPUs.  */

static bool
gomp_amp_num_threads_p (void)
{
  const char *env = gomp_amp_getenv ("OMP_NUM_THREADS");
  unsigned long first;
  char *end;

  if (env == NULL)
    return false;
  if (gomp_global_icv.nthreads_var != gomp_available_cpus
      || gomp_nthreads_var_list_len > 1)
    return true;
  first = strtoul (env, &end, 10);
  return first == gomp_available_cpus && *amp_skip_space (end) == '\0';
}

/* Clusters are found when something asks for them first: where there are many
   CPUs that takes a file or two for each.  */

static bool gomp_amp_clusters_found;
static char *gomp_amp_cluster_lists;	/* GOMP_AMP_CLUSTERS, or NULL.  */

static const struct amp_clusters *
gomp_amp_find_clusters (void)
{
  const char *wrong;
  int cancel;

  if (__atomic_load_n (&gomp_amp_clusters_found, __ATOMIC_ACQUIRE))
    return &gomp_amp_clusters;
  cancel = gomp_amp_hold_cancel ();
  gomp_mutex_lock (&gomp_amp_clusters_lock);
  if (!gomp_amp_clusters_found)
    {
      amp_clusters_find (&gomp_amp_clusters, &gomp_amp_topology,
			 &gomp_amp_source, gomp_amp_cluster_lists, &wrong);
      if (wrong != NULL)
	gomp_error ("Invalid value for environment variable "
		    "GOMP_AMP_CLUSTERS: %s; valid are CPU lists, as in "
		    "0-7:8-15; it is ignored", wrong);
      /* Its partner is the acquire above.  */
      __atomic_store_n (&gomp_amp_clusters_found, true, __ATOMIC_RELEASE);
    }
  gomp_mutex_unlock (&gomp_amp_clusters_lock);
  gomp_amp_resume_cancel (cancel);
  return &gomp_amp_clusters;
}

/* The cluster of the CPU that the calling thread runs on now, as amp-port.h has
   it.  Only asked for where they have been found.  */

static inline unsigned
amp_current_cluster (void)
{
  int cpu = gomp_amp_clusters.count <= 1 ? -1 : sched_getcpu ();

  return (cpu < 0 || cpu >= AMP_MAX_CPUS
	  ? 0 : gomp_amp_clusters.cluster[cpu]);
}

/* Make one place of the CPUs of SET.  False if it cannot be had.  */

static bool
gomp_amp_one_place (const cpu_set_t *set)
{
  void **list = gomp_affinity_alloc (1, false);

  if (list == NULL)
    return false;
  memcpy (list[0], set, gomp_cpuset_size);
  gomp_places_list = list;
  gomp_places_list_len = 1;
  gomp_amp_own_places = gomp_amp_any_cpu = true;
  return true;
}

/* Do as if the process could not use the CPUs that gomp_amp_cores excludes:
   they leave the mask that libgomp makes its places of, and what is left is a
   place for all threads.  Weighted teams have no places: for these the CPUs
   leave the calling thread's mask, which the threads and processes that it
   creates inherit.  The user's own places stay what they are.  */

static void
gomp_amp_restrict (bool placed)
{
  struct amp_topology *t = gomp_malloc (sizeof *t);
  bool chosen = gomp_amp_num_threads_p ();
  cpu_set_t *set;
  unsigned i;

  *t = gomp_amp_topology;
  amp_topology_select (t, gomp_amp_cores);
  /* More CPUs may be excluded than T has lost: those in no list.  */
  if (t->norder == gomp_amp_topology.norder
      && (gomp_amp_cores != AMP_CORES_BIG
	  || t->norder == gomp_available_cpus))
    {
      free (t);
      return;
    }
  if (!chosen)
    gomp_global_icv.nthreads_var = t->norder;
  if (gomp_places_list != NULL)
    gomp_error ("GOMP_AMP_CORES does not place threads, because OMP_PLACES or "
		"GOMP_CPU_AFFINITY is set");
  else
    {
      set = gomp_malloc (gomp_cpuset_size);
      CPU_ZERO_S (gomp_cpuset_size, set);
      for (i = 0; i < t->norder; i++)
	CPU_SET_S (t->order[i], gomp_cpuset_size, set);
      /* Places that others make are made of what is left.  */
      if (gomp_global_icv.bind_var != omp_proc_bind_false
	  || (gomp_amp_affinity != AMP_AFFINITY_OFF && !placed)
	  || (gomp_amp_getenv ("GOMP_AMP_TEAM") == NULL
	      ? gomp_amp_one_place (set) : gomp_amp_set_mask (set)))
	{
	  memcpy (gomp_cpusetp, set, gomp_cpuset_size);
	  gomp_available_cpus = t->norder;
	  gomp_amp_topology = *t;
	}
      else
	gomp_error ("GOMP_AMP_CORES does not place threads, because the "
		    "system does not let the CPU affinity be set");
      free (set);
    }
  free (t);
}

/* Store the usable CPUs in CPUS, in the order of placement.  */

static void
gomp_amp_place_order (bool slowest_first, unsigned short cpus[AMP_MAX_CPUS])
{
  static bool siblings_known;

  if (!siblings_known)
    amp_topology_read_siblings (&gomp_amp_topology, &gomp_amp_source);
  siblings_known = true;
  amp_topology_placement (&gomp_amp_topology, slowest_first, cpus);
}

/* Make a place of each CPU, in the order of gomp_amp_affinity.  */

static void
gomp_amp_init_places (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  const struct amp_clusters *clusters;
  unsigned short *cpus, *made;
  unsigned i;

  gomp_places_list = gomp_affinity_alloc (t->norder, false);
  if (gomp_places_list == NULL)
    return;
  gomp_places_list_len = 0;
  gomp_amp_place_type = gomp_malloc (t->norder);
  cpus = gomp_malloc (2 * AMP_MAX_CPUS * sizeof *cpus);
  made = cpus + AMP_MAX_CPUS;
  gomp_amp_place_order (gomp_amp_affinity == AMP_AFFINITY_SB, cpus);
  for (i = 0; i < t->norder; i++)
    {
      void *place = gomp_places_list[gomp_places_list_len];

      gomp_affinity_init_place (place);
      if (gomp_affinity_add_cpus (place, cpus[i], 1, 0, true))
	{
	  gomp_amp_place_type[gomp_places_list_len]
	    = gomp_amp_cpu_type[cpus[i]];
	  made[gomp_places_list_len++] = cpus[i];
	}
    }
  if (gomp_places_list_len == 0)
    {
      free (cpus);
      free (gomp_places_list);
      gomp_places_list = NULL;
      free (gomp_amp_place_type);
      gomp_amp_place_type = NULL;
      return;
    }
  gomp_amp_own_places = gomp_amp_process_mask != NULL;
  clusters = gomp_amp_find_clusters ();
  if (clusters->count > 1 && clusters->evidence != AMP_CLUSTERS_TYPE)
    {
      gomp_amp_place_cluster = gomp_malloc (gomp_places_list_len
					    * sizeof *gomp_amp_place_cluster);
      for (i = 0; i < gomp_places_list_len; i++)
	gomp_amp_place_cluster[i] = clusters->cluster[made[i]];
    }
  free (cpus);
  /* close, not true: with true a thread that is reused may stay on another
     place of its partition.  */
  gomp_global_icv.bind_var = omp_proc_bind_close;
}

static void
gomp_amp_guess_types (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned short *cpus = gomp_malloc (AMP_MAX_CPUS * sizeof *cpus);
  unsigned i;

  gomp_amp_guessed_type = gomp_malloc (t->norder);
  gomp_amp_place_order (false, cpus);
  for (i = 0; i < t->norder; i++)
    gomp_amp_guessed_type[i] = gomp_amp_cpu_type[cpus[i]];
  free (cpus);
}

/* Take what the machine says of its types' speeds, if it does.  */

static void
gomp_amp_init_machine_sf (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned i, least = UINT_MAX;

  if (gomp_amp_observed_types || t->types < 2)
    return;
  for (i = 0; i < t->types; i++)
    if (t->capacity[i] < least)
      least = t->capacity[i];
  if (least == 0)
    return;
  gomp_amp_machine_sf = gomp_malloc (AMP_MAX_TYPES * sizeof (double));
  for (i = 0; i < t->types; i++)
    gomp_amp_machine_sf[i] = amp_clamp_sf ((double) t->capacity[i] / least);
}

/* What libgomp itself makes.  */
unsigned gomp_amp_taskloop_tasks = 1;

/* With more a thread than that libgomp runs all of a taskloop at once, on the
   thread that comes to it.  */
#define GOMP_AMP_MOST_TASKS 64

static void
gomp_amp_init_taskloop (void)
{
  const char *value = gomp_amp_getenv ("GOMP_AMP_TASKLOOP");
  unsigned long tasks;
  char *end;

  if (value == NULL)
    return;
  value = amp_skip_space (value);
  tasks = strtoul (value, &end, 10);
  if (*value >= '0' && *value <= '9' && *amp_skip_space (end) == '\0'
      && tasks >= 1 && tasks <= GOMP_AMP_MOST_TASKS)
    gomp_amp_taskloop_tasks = tasks;
  else
    gomp_error ("Invalid value for environment variable GOMP_AMP_TASKLOOP: "
		"`%s'; valid are 1 to %u; it is ignored", value,
		GOMP_AMP_MOST_TASKS);
}

static void
gomp_amp_read_env (bool placed)
{
  const char *affinity = gomp_amp_getenv ("GOMP_AMP_AFFINITY");
  const char *clusters = gomp_amp_getenv ("GOMP_AMP_CLUSTERS");
  const char *cores = gomp_amp_getenv ("GOMP_AMP_CORES");
  const char *sf = gomp_amp_getenv ("GOMP_AMP_SF");
  const char *replace = gomp_amp_getenv ("GOMP_AMP_REPLACE");
  const char *wrong;
  char message[AMP_MESSAGE_MAX];

  gomp_amp_init_clock ();
  gomp_amp_init_process ();
  gomp_amp_init_mask ();
  gomp_amp_init_pool ();
  gomp_amp_init_beside ();
  gomp_amp_init_named ();
  gomp_amp_init_off ();
  if (gomp_amp_off)
    {
      gomp_amp_init_bare ();
      return;
    }
  gomp_amp_reproducible = gomp_amp_switch ("GOMP_AMP_REPRODUCIBLE", false);
  gomp_amp_init_check ();
  if (replace != NULL
      && amp_parse_replace (replace, gomp_amp_replace, message) != NULL)
    gomp_error ("Invalid value for environment variable GOMP_AMP_REPLACE: "
		"%s; it is ignored", message);
  /* Sums must stay even, and so must what shares their blocks.  */
  if (gomp_amp_reproducible)
    gomp_amp_replace[GFS_STATIC].kind = 0;
  if (affinity != NULL
      && amp_parse_affinity (affinity, &gomp_amp_affinity, message) != NULL)
    gomp_error ("Invalid value for environment variable GOMP_AMP_AFFINITY: "
		"%s; it is ignored", message);
  gomp_amp_init_types (gomp_amp_affinity == AMP_AFFINITY_LIST
		       ? affinity : NULL);
  if (cores != NULL)
    {
      wrong = amp_parse_cores (cores, &gomp_amp_cores);
      if (wrong != NULL)
	gomp_error ("Invalid value for environment variable GOMP_AMP_CORES: "
		    "%s; it is ignored", wrong);
      else if (gomp_amp_cores != AMP_CORES_ALL && gomp_cpusetp != NULL)
	gomp_amp_restrict (placed);
    }
  gomp_amp_init_lane_types ();
  gomp_mutex_init (&gomp_amp_clusters_lock);
  if (clusters != NULL)
    {
      gomp_amp_cluster_lists = gomp_amp_copy (clusters);
      gomp_amp_find_clusters ();
    }
  gomp_amp_init_costs ();
  gomp_amp_init_sites ();
  gomp_amp_init_bare ();
  if (gomp_amp_affinity != AMP_AFFINITY_OFF)
    {
      if (placed)
	{
	  gomp_error ("GOMP_AMP_AFFINITY does not bind threads, because "
		      "OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set");
	  gomp_amp_affinity = AMP_AFFINITY_OFF;
	}
      else
	gomp_amp_init_places ();
    }
  if (sf != NULL && !amp_sf_file_p (sf))
    {
      gomp_amp_sf = gomp_malloc (AMP_MAX_TYPES * sizeof (double));
      if (amp_parse_sf (sf, gomp_amp_topology.types, gomp_amp_sf, message)
	  != NULL)
	{
	  gomp_error ("Invalid value for environment variable GOMP_AMP_SF: "
		      "%s; it is ignored", message);
	  free (gomp_amp_sf);
	  gomp_amp_sf = NULL;
	}
      else if (gomp_amp_observed_types)
	{
	  /* One number for one type says nothing about its CPUs.  */
	  free (gomp_amp_sf);
	  gomp_amp_sf = NULL;
	}
    }
  if (gomp_amp_replace[GFS_STATIC].kind != 0)
    gomp_amp_init_machine_sf ();
  if (gomp_amp_sf != NULL || gomp_amp_nknown_sf != 0
      || gomp_amp_machine_sf != NULL)
    gomp_amp_guess_types ();
  gomp_amp_init_goal ();
  gomp_amp_init_taskloop ();
  if (gomp_amp_getenv ("GOMP_AMP_TEAM") != NULL)
    gomp_amp_init_team (placed);
}

void
gomp_amp_init_env (bool placed)
{
  /* The program may have set another one before it loaded the library.  */
  locale_t locale = gomp_amp_enter_c_locale ();

  gomp_amp_read_env (placed);
  gomp_amp_leave_c_locale (locale);
}

void
gomp_amp_display_schedule (void)
{
  const struct amp_ops *ops
    = amp_find_kind (gomp_global_icv.run_sched_var & ~GFS_MONOTONIC);
  const char *p;

  /* Unset: of each loop without a clause its own choice.  */
  if (ops == NULL)
    {
      fputs (gomp_amp_off ? "DYNAMIC" : "AUTO", stderr);
      return;
    }
  for (p = ops->name; *p != '\0'; p++)
    fputc (*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p, stderr);
  if (gomp_global_icv.run_sched_chunk_size != 0
      || gomp_global_icv.run_sched_param2 != 0)
    fprintf (stderr, ",%d", gomp_global_icv.run_sched_chunk_size);
  if (gomp_global_icv.run_sched_param2 != 0)
    fprintf (stderr, ",%d", gomp_global_icv.run_sched_param2);
}

static void
gomp_amp_display_clusters (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  const struct amp_clusters *clusters = gomp_amp_find_clusters ();
  unsigned cluster, cpu;

  fputs ("  GOMP_AMP_CLUSTERS = '", stderr);
  for (cluster = 0; cluster < clusters->count; cluster++)
    {
      const char *before = cluster == 0 ? "" : ":";

      for (cpu = 0; cpu < t->ncpus; cpu++)
	if (t->type[cpu] != AMP_NO_TYPE && clusters->cluster[cpu] == cluster)
	  {
	    fprintf (stderr, "%s%u", before, cpu);
	    before = ",";
	  }
    }
  fputs ("'\n", stderr);
}

static void
gomp_amp_show_env (void)
{
  static const char *const names[] = { "", "BS", "SB", "LIST" };
  static const char *const cores[] = { "ALL", "BIG", "NOLP" };
  const struct amp_topology *t = &gomp_amp_topology;
  double quota = amp_read_quota (&gomp_amp_source);
  unsigned type, i;

  fprintf (stderr, "  GOMP_AMP = '%s'\n", gomp_amp_off ? "OFF" : "ON");
  if (gomp_amp_off)
    return;
  fprintf (stderr, "  GOMP_AMP_REPRODUCIBLE = '%s'\n",
	   gomp_amp_reproducible ? "TRUE" : "FALSE");
  fprintf (stderr, "  GOMP_AMP_AFFINITY = '%s'\n", names[gomp_amp_affinity]);
  fputs ("  GOMP_AMP_TYPES = '", stderr);
  for (type = 0; type < t->types; type++)
    {
      const char *before = type == 0 ? "" : ":";
      for (i = 0; i < t->norder; i++)
	if (t->type[t->order[i]] == type)
	  {
	    fprintf (stderr, "%s%u", before, t->order[i]);
	    before = ",";
	  }
    }
  fputs ("'\n  GOMP_AMP_SF = '", stderr);
  for (type = 0; gomp_amp_sf != NULL && type < t->types; type++)
    fprintf (stderr, "%s%.3f", type == 0 ? "" : ",", gomp_amp_sf[type]);
  fprintf (stderr, "'\n  GOMP_AMP_CORES = '%s'\n", cores[gomp_amp_cores]);
  gomp_amp_display_clusters ();
  gomp_amp_display_goal ();
  fprintf (stderr, "  GOMP_AMP_TASKLOOP = '%u'\n", gomp_amp_taskloop_tasks);
  gomp_amp_display_team ();
  if (quota > 0.0 && quota < t->norder)
    fprintf (stderr, "  [host] CPU quota of the control group = '%.2f' of "
	     "%u CPUs\n", quota, t->norder);
}

void
gomp_amp_display_env (void)
{
  locale_t locale = gomp_amp_enter_c_locale ();

  gomp_amp_show_env ();
  gomp_amp_leave_c_locale (locale);
}

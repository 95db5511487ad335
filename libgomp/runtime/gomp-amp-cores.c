/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The types and clusters of cores, places for threads, and speeds that are
   known beforehand.  All but clusters are found in the library's constructor,
   before any team exists, and are constant afterwards.  */

#include "gomp-amp-glue.h"
#include "amp-cpuid.c"

/* Core types.  Written by the constructor only.  */

static struct amp_cores gomp_amp_cores;

/* If GOMP_AMP_CORES leaves CPUs out: how many types the machine has, and which
   of them each one that is left was.  */
static unsigned gomp_amp_all_types;
static unsigned char gomp_amp_type_of_all[AMP_TOPOLOGY_TYPES];
static enum amp_affinity gomp_amp_affinity = AMP_AFFINITY_OFF;
/* What OMP_PLACES says, if libgomp does not know that.  */
static enum amp_places gomp_amp_named_places;

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

GOMP_AMP_PART_OF_TEAMS void
gomp_amp_forget_types (void)
{
  gomp_amp_types = 1;
  gomp_amp_observed_types = false;
  memset (gomp_amp_cpu_type, 0, sizeof gomp_amp_cpu_type);
  free (gomp_amp_guessed_type);
  gomp_amp_guessed_type = NULL;
}

/* The type of core number CPU, which sched_getcpu said.  */

GOMP_AMP_PART_INLINE unsigned
gomp_amp_type_of (int cpu)
{
  if (cpu < 0 || cpu >= AMP_MAX_CPUS || gomp_amp_cpu_type[cpu] == AMP_NO_TYPE)
    return gomp_amp_types - 1;
  return gomp_amp_cpu_type[cpu];
}

/* The type of the core that the calling thread runs on now.  Where glibc has
   registered rseq this is a load from the thread's own memory.  */

AMP_PORT_INLINE unsigned
amp_current_type (void)
{
  return gomp_amp_types <= 1 ? 0 : gomp_amp_type_of (sched_getcpu ());
}

GOMP_AMP_PART const char *
gomp_amp_read_affinity (const char *value, char message[AMP_MESSAGE_MAX])
{
  return (value != NULL
	  ? amp_parse_affinity (value, &gomp_amp_affinity, message) : NULL);
}

GOMP_AMP_PART void
gomp_amp_show_affinity (const char *name __attribute__ ((unused)))
{
  static const char *const names[] = { "", "BS", "SB" };

  fputs (names[gomp_amp_affinity], stderr);
}

GOMP_AMP_PART const char *
gomp_amp_read_types (const char *value, char message[AMP_MESSAGE_MAX])
{
  const char *wrong;

  amp_source_open (&gomp_amp_source, gomp_amp_sysfs, gomp_cpuset_size * 8,
		   gomp_amp_usable, AMP_CPUID);
  amp_topology_find (&gomp_amp_topology, &gomp_amp_source, value, &wrong);
  if (wrong == NULL)
    return NULL;
  snprintf (message, AMP_MESSAGE_MAX, "%s; valid are CPU lists, fastest type "
	    "first, as in 4-7:0-3", wrong);
  return message;
}

GOMP_AMP_PART void
gomp_amp_show_types (const char *name __attribute__ ((unused)))
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned type, i;

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
}

/* Did the user choose the number of threads?  An OMP_NUM_THREADS that libgomp
   rejected left the number of CPUs.  */

GOMP_AMP_PART bool
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

GOMP_AMP_PART const struct amp_clusters *
gomp_amp_find_clusters (void)
{
  const char *wrong;
  struct gomp_amp_held held;

  if (__atomic_load_n (&gomp_amp_clusters_found, __ATOMIC_ACQUIRE))
    return &gomp_amp_clusters;
  held = gomp_amp_hold ();
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
  gomp_amp_hold_end (held);
  return &gomp_amp_clusters;
}

GOMP_AMP_PART const char *
gomp_amp_read_clusters (const char *value,
		       char message[AMP_MESSAGE_MAX] __attribute__ ((unused)))
{
  if (value != NULL)
    {
      gomp_amp_cluster_lists = gomp_amp_copy (value);
      gomp_amp_find_clusters ();
    }
  return NULL;
}

GOMP_AMP_PART void
gomp_amp_show_clusters (const char *name __attribute__ ((unused)))
{
  const struct amp_topology *t = &gomp_amp_topology;
  const struct amp_clusters *clusters = gomp_amp_find_clusters ();
  unsigned cluster, cpu;

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
}

/* The cluster of the CPU that the calling thread runs on now, as amp-port.h has
   it.  Only asked for where they have been found.  */

AMP_PORT_INLINE unsigned
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

/* Do as if OMP_PLACES were not set.  */

static void
gomp_amp_forget_places (void)
{
  gomp_amp_named_places = AMP_PLACES_OTHER;
  if (getenv ("OMP_PROC_BIND") == NULL)
    gomp_global_icv.bind_var = omp_proc_bind_false;
}

/* Do as if the process could not use the CPUs that gomp_amp_cores excludes:
   they leave the mask that libgomp makes its places of, and what is left is a
   place for all threads.  Weighted teams have no places: for these the CPUs
   leave the calling thread's mask, which the threads and processes that it
   creates inherit.  The user's own places stay what they are.  */

static void
gomp_amp_restrict (void)
{
  struct amp_topology *t = gomp_malloc (sizeof *t);
  bool chosen = gomp_amp_num_threads_p (), fewer;
  const char *name = (gomp_amp_named_places == AMP_PLACES_CORES
		      ? "OMP_PLACES" : "GOMP_AMP_CORES");
  cpu_set_t *set;
  unsigned i;

  if (amp_cores_count_p (&gomp_amp_cores))
    amp_topology_read_siblings (&gomp_amp_topology, &gomp_amp_source);
  *t = gomp_amp_topology;
  if (!amp_topology_select (t, &gomp_amp_cores, &fewer))
    {
      gomp_error ("%s leaves no CPU of this machine; it is ignored", name);
      if (gomp_amp_named_places == AMP_PLACES_CORES)
	gomp_amp_forget_places ();
    }
  else if (fewer)
    gomp_error ("%s=%s asks for more cores than there are", name,
		gomp_amp_cores.text);
  /* More CPUs may be excluded than T has lost: those in no list.  */
  if (t->norder == gomp_amp_topology.norder
      && (gomp_amp_cores.parts == 0
	  || gomp_amp_cores.part[0].what == AMP_CORES_NOLP
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
	  || (gomp_amp_affinity != AMP_AFFINITY_OFF && !gomp_amp_placed)
	  || (gomp_amp_getenv ("GOMP_AMP_TEAM") == NULL
	      ? gomp_amp_one_place (set) : gomp_amp_set_mask (set)))
	{
	  memcpy (gomp_cpusetp, set, gomp_cpuset_size);
	  gomp_available_cpus = t->norder;
	  gomp_amp_all_types = gomp_amp_topology.types;
	  for (i = 0; i < t->norder; i++)
	    gomp_amp_type_of_all[t->type[t->order[i]]]
	      = gomp_amp_topology.type[t->order[i]];
	  gomp_amp_topology = *t;
	}
      else
	gomp_error ("GOMP_AMP_CORES does not place threads, because the "
		    "system does not let the CPU affinity be set");
      free (set);
    }
  free (t);
}

/* Read speedup factors: of the types that are used, or of all of the machine.
   NULL, or what is wrong.  */

GOMP_AMP_PART const char *
gomp_amp_read_factors (const char *text, double *sf,
		       char message[AMP_MESSAGE_MAX])
{
  const char *wrong
    = amp_parse_sf (text, gomp_amp_topology.types, sf, message);
  char unused[AMP_MESSAGE_MAX];
  unsigned i, types = gomp_amp_topology.types;
  double least = AMP_SF_MAX;

  if (wrong == NULL || gomp_amp_all_types <= types
      || amp_parse_sf (text, gomp_amp_all_types, sf, unused) != NULL)
    return wrong;
  /* Types are in order, so that none is read after it was written.  */
  for (i = 0; i < types; i++)
    {
      sf[i] = sf[gomp_amp_type_of_all[i]];
      least = sf[i] < least ? sf[i] : least;
    }
  for (i = 0; i < types; i++)
    sf[i] /= least;
  message[0] = '\0';
  return NULL;
}

GOMP_AMP_PART const char *
gomp_amp_read_cores (const char *value,
		    char message[AMP_MESSAGE_MAX] __attribute__ ((unused)))
{
  bool named = gomp_amp_named_places == AMP_PLACES_CORES;
  const char *wrong
    = value != NULL && !named ? amp_parse_cores (value, &gomp_amp_cores) : NULL;

  if (value != NULL && named)
    gomp_error ("GOMP_AMP_CORES does not place threads, because OMP_PLACES or "
		"GOMP_CPU_AFFINITY is set");
  if (wrong == NULL && gomp_cpusetp != NULL
      && (gomp_amp_cores.parts != 0 || gomp_amp_cores.threads != 0))
    gomp_amp_restrict ();
  gomp_amp_init_lane_types ();
  return wrong;
}

GOMP_AMP_PART void
gomp_amp_show_cores (const char *name __attribute__ ((unused)))
{
  fputs (*gomp_amp_cores.text != '\0' ? gomp_amp_cores.text : "ALL", stderr);
}

/* Store the usable CPUs in CPUS, in the order of placement.  */

GOMP_AMP_PART void
gomp_amp_place_order (bool slowest_first, unsigned short cpus[AMP_MAX_CPUS])
{
  static bool siblings_known;

  if (!siblings_known)
    amp_topology_read_siblings (&gomp_amp_topology, &gomp_amp_source);
  siblings_known = true;
  amp_topology_placement (&gomp_amp_topology, slowest_first, cpus);
}

bool
gomp_amp_parse_places (bool ignore, bool (*parse) (const char *, bool))
{
  const char *env = getenv ("OMP_PLACES");
  struct amp_cores cores = { 0 };
  enum amp_places named = AMP_PLACES_OTHER;

  gomp_amp_init_off ();
  if (env != NULL && !gomp_amp_off)
    named = amp_parse_places (env, &cores);
  if (named == AMP_PLACES_OTHER)
    return parse ("OMP_PLACES", ignore);
  if (!ignore)
    {
      gomp_amp_named_places = named;
      gomp_amp_cores = cores;
    }
  return !ignore;
}

/* Make the places that gomp_amp_named_places says.  */

static void
gomp_amp_init_named_places (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned i;

  if (gomp_amp_named_places == AMP_PLACES_OTHER || gomp_cpusetp == NULL)
    return;
  if (gomp_amp_named_places == AMP_PLACES_CORES)
    {
      gomp_affinity_init_level (2, ULONG_MAX, true);
      return;
    }
  gomp_places_list = gomp_affinity_alloc (t->types, true);
  if (gomp_places_list == NULL)
    return;
  gomp_places_list_len = t->types;
  for (i = 0; i < t->types; i++)
    gomp_affinity_init_place (gomp_places_list[i]);
  for (i = 0; i < t->norder; i++)
    gomp_affinity_add_cpus (gomp_places_list[t->type[t->order[i]]],
			    t->order[i], 1, 0, true);
}

/* Make a place of each CPU, in the order of gomp_amp_affinity.  */

GOMP_AMP_PART void
gomp_amp_init_places (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  const struct amp_clusters *clusters;
  unsigned short *cpus, *made;
  unsigned i;

  gomp_amp_init_named_places ();
  if (gomp_amp_affinity == AMP_AFFINITY_OFF)
    return;
  if (gomp_amp_placed)
    {
      gomp_error ("GOMP_AMP_AFFINITY does not bind threads, because "
		  "OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set");
      gomp_amp_affinity = AMP_AFFINITY_OFF;
      return;
    }
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

/* What is known of speeds before any loop has run.  */

GOMP_AMP_PART void
gomp_amp_init_speeds (void)
{
  if (gomp_amp_replace[GFS_STATIC].kind != 0)
    gomp_amp_init_machine_sf ();
  if (gomp_amp_sf != NULL || gomp_amp_know_sf || gomp_amp_machine_sf != NULL)
    gomp_amp_guess_types ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is told when the program ends: GOMP_AMP_REPORT's lines about loops,
   regions and other OpenMP libraries, and GOMP_AMP_TRACE's about the times of
   loops and regions.  */

#include "gomp-amp-glue.h"
#include <link.h>

/* Iterations so short are not worth a grant each.  */
#define GOMP_AMP_SHORT_NANOSECONDS 500.0
/* Of loops shorter than this, or observed less often, the imbalance is mostly
   that of waking threads.  */
#define GOMP_AMP_LONG_NANOSECONDS 1e5
#define GOMP_AMP_OFTEN 3

/* What static would come to at SITE if iterations were even: the slowest
   lane's time over the mean lane's.  0.0 if that is not known.  */

static double
gomp_amp_static_imbalance (struct amp_site *site)
{
  double most = 0.0, sum = 0.0;
  unsigned i;

  for (i = 0; i < site->lanes; i++)
    {
      uint64_t seen = amp_site_seen (site)[i];
      double cost = (seen != 0 && seen <= site->types
		     ? amp_bits_double (amp_site_costs (site)[seen - 1]) : 0.0);

      if (!(cost > 0.0))
	return 0.0;
      sum += cost;
      if (cost > most)
	most = cost;
    }
  return most * site->lanes / sum;
}

/* Another schedule that would pay at SITE, or NULL; *GAIN: how much less time
   it may take, 0.0 if that is not known.  NS: what an iteration takes.  */

static const char *
gomp_amp_advice (struct amp_site *site, double ns, double *gain)
{
  const struct gomp_amp_note *note = gomp_amp_note (site);
  double imbalance = amp_bits_double (site->imbalance);
  double expected = gomp_amp_static_imbalance (site);
  const struct amp_ops *ops = amp_find_kind (note->kind);

  *gain = imbalance > 0.0 ? 1.0 - 1.0 / imbalance : 0.0;
  if (site->is_auto != 0 || site->lanes < 2)
    return NULL;
  if (note->kind == AMP_KIND_DYNAMIC && ns * site->lanes
      < GOMP_AMP_SHORT_NANOSECONDS)
    {
      *gain = 0.0;
      return "aid_dynamic, as iterations are short";
    }
  if (*gain < GOMP_AMP_WORTH || site->observed_executions < GOMP_AMP_OFTEN
      || ns * (double) site->n < GOMP_AMP_LONG_NANOSECONDS)
    return NULL;
  if (site->n < 4 * (uint64_t) site->lanes)
    return "none: there are too few iterations to balance";
  if (note->kind == AMP_KIND_STATIC)
    return (expected > 0.0 && expected > imbalance / 1.1
	    && expected < imbalance * 1.1
	    ? "aid_static" : "aid_dynamic, as iterations are uneven");
  if (ops != NULL && (ops->flags & AMP_KEEPS_BLOCKS))
    return "aid_hybrid, or aid_dynamic if iterations are uneven";
  if (note->kind == AMP_KIND_GUIDED
      || (ops != NULL && amp_leaves_pool_p (ops)))
    return "aid_dynamic";
  return NULL;
}

/* Which of several clusters SITE's last probe has chosen.  */

static void
gomp_amp_report_clusters (const struct amp_site *site,
			  const struct amp_ops *ops, struct gomp_amp_out *out)
{
  unsigned count, cluster;
  const char *before = " (clusters ";

  if (ops == NULL || !(ops->flags & AMP_CLUSTERED) || site->het.probes == 0)
    return;
  count = gomp_amp_find_clusters ()->count;
  for (cluster = 0; count > 1 && cluster < AMP_HET_CLUSTERS; cluster++)
    if (site->het.chosen >> cluster & 1)
      {
	gomp_amp_print (out, "%s%u", before, cluster);
	before = ",";
      }
  if (*before == ',')
    gomp_amp_print (out, " of %u)", count);
}

static void
gomp_amp_report_site (struct amp_site *site, struct gomp_amp_out *out,
		      double ns_per_tick)
{
  const struct gomp_amp_note *note = gomp_amp_note (site);
  char name[GOMP_AMP_PLACE_MAX];
  double sf[AMP_MAX_TYPES], gain, even = gomp_amp_static_imbalance (site);
  double ns = amp_bits_double (site->time) * ns_per_tick;
  const char *advice = gomp_amp_advice (site, ns, &gain);
  const struct amp_ops *ops = amp_find_kind (note->kind);
  unsigned j;

  gomp_amp_place_name (site->address, name);
  gomp_amp_print (out, "libgomp: loop %s: %u threads, ", name, site->lanes);
  /* Such as those of teams that have more threads than CPUs.  */
  if (site->observed_executions == 0)
    {
      gomp_amp_print (out, "executed %ju time%s, not observed, %s%s\n",
		      (uintmax_t) note->executions,
		      note->executions == 1 ? "" : "s",
		      site->is_auto != 0 ? "auto: " : "",
		      gomp_amp_kind_name (note->kind));
      return;
    }
  gomp_amp_print (out, "%ju iterations, executed %ju time%s, observed %ju "
		  "time%s, %.3f ms, imbalance %.3f",
		  (uintmax_t) site->n, (uintmax_t) note->executions,
		  note->executions == 1 ? "" : "s",
		  (uintmax_t) site->observed_executions,
		  site->observed_executions == 1 ? "" : "s",
		  ns * amp_bits_double (note->iterations) / 1e6,
		  amp_bits_double (site->imbalance));
  /* Equally fast threads are nothing to tell of.  */
  if (even >= 1.0005 && note->kind != AMP_KIND_STATIC)
    gomp_amp_print (out, " (static %.3f)", even);
  gomp_amp_print (out, ", %s%s", site->is_auto != 0 ? "auto: " : "",
		  gomp_amp_kind_name (note->kind));
  if (ops != NULL && amp_leaves_pool_p (ops) && site->share != 0)
    gomp_amp_print (out, " (%u %%)", (unsigned) site->share / 100);
  gomp_amp_report_clusters (site, ops, out);
  gomp_amp_print (out, ", SF ");
  if (amp_site_sf (site, false, sf))
    for (j = 0; j < site->types; j++)
      {
	if (j != 0)
	  gomp_amp_print (out, ",");
	if (sf[j] > 0.0)
	  gomp_amp_print (out, "%.2f", sf[j]);
	else
	  gomp_amp_print (out, "-");
      }
  if (advice != NULL && gain > 0.0)
    gomp_amp_print (out, "; hint: %s (up to %.0f %% less time)", advice,
		    100.0 * gain);
  else if (advice != NULL)
    gomp_amp_print (out, "; hint: %s", advice);
  gomp_amp_print (out, "\n");
}

static double
gomp_amp_site_iterations (const struct amp_site *site)
{
  return amp_bits_double (gomp_amp_note (site)->iterations);
}

static double
gomp_amp_site_total (const struct amp_site *site)
{
  return amp_bits_double (site->time) * gomp_amp_site_iterations (site);
}

/* Sort the N SITES; qsort may call the allocator.  */

static void
gomp_amp_sort_sites (struct amp_site **sites, unsigned n)
{
  unsigned gap, i, j;

  for (gap = n / 2; gap != 0; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (i = gap; i < n; i++)
      {
	struct amp_site *site = sites[i];
	double total = gomp_amp_site_total (site);

	for (j = i; (j >= gap
		     && gomp_amp_site_total (sites[j - gap]) < total); j -= gap)
	  sites[j] = sites[j - gap];
	sites[j] = site;
      }
}

static struct amp_site *gomp_amp_listed[GOMP_AMP_MAX_SITES];

static bool
gomp_amp_reported_p (const struct amp_site *site)
{
  return gomp_amp_note (site)->executions != 0 && site->lanes > 1;
}

/* The sites that were observed, those that took most time first.  */

GOMP_AMP_PART void
gomp_amp_report (void)
{
  static struct gomp_amp_out out;
  struct amp_site **sites = gomp_amp_listed;
  unsigned i, n = gomp_amp_list_sites (sites, gomp_amp_reported_p);

  if (n == 0 && !gomp_amp_regions_told_p () && gomp_amp_beside () == NULL)
    return;
  gomp_amp_sort_sites (sites, n);
  gomp_amp_out_open (&out, "GOMP_AMP_REPORT", gomp_amp_report_file);
  for (i = 0; i < n; i++)
    gomp_amp_report_site (sites[i], &out, gomp_amp_tick_length ());
  if (gomp_amp_unseen != 0)
    gomp_amp_print (&out, "libgomp: the table of loops is full, or memory was: "
		    "about %ju executions of others were as if for the first "
		    "time\n", (uintmax_t) gomp_amp_unseen);
  gomp_amp_report_cores (sites, n, gomp_amp_site_iterations, &out);
  if (gomp_amp_regions_told_p ())
    gomp_amp_report_regions (&out);
  gomp_amp_report_beside (&out);
  gomp_amp_out_close (&out);
}

/* One line a site: OBJECT+0xOFFSET TICKS ITERATIONS.  Several may be of one
   place, and several processes may append theirs.  */

static void
gomp_amp_record_site (struct amp_site *site, struct gomp_amp_out *out)
{
  char name[GOMP_AMP_PLACE_MAX];

  gomp_amp_place_name (site->address, name);
  gomp_amp_print (out, "%s %.0f %.0f\n", name, amp_bits_double (site->spent),
		  amp_bits_double (site->iterations));
}

static bool
gomp_amp_recorded_p (const struct amp_site *site)
{
  return site->lanes == 1;
}

GOMP_AMP_PART void
gomp_amp_write_record (void)
{
  static struct gomp_amp_out out;
  unsigned i, n = gomp_amp_list_sites (gomp_amp_listed, gomp_amp_recorded_p);

  gomp_amp_out_open (&out, "GOMP_AMP_TRACE",
		     gomp_amp_record_file[GOMP_AMP_RECORD_SF]);
  for (i = 0; i < n && out.file != NULL; i++)
    gomp_amp_record_site (gomp_amp_listed[i], &out);
  gomp_amp_out_close (&out);
}

/* The tally of parallel regions, while GOMP_AMP_TRACE or GOMP_AMP_REPORT asks
   for it: how many there were, how long they took, and, of weighted teams,
   whether switching between the threads of a CPU took more of that than balance
   gained.  Of teams of the outermost level that have several threads, or as
   many as there are by default.

   All totals are relaxed atomics (where there are none of 64 bits, additions of
   two threads at once may be lost), read when the program ends.  */

/* What it takes, about, until the next thread of a CPU is at work where one
   goes to sleep at a barrier; in nanoseconds.  */
#define GOMP_AMP_SWITCH_NANOSECONDS 2500.0

static bool gomp_amp_tallying;

static struct
{
  uint64_t regions;
  uint64_t ticks;
  /* Barriers, the one at the end included; of weighted teams only.  */
  uint64_t barriers;
  unsigned threads;		/* Most in a team.  */
} gomp_amp_tally;

/* The region that the calling thread is in as its team's first one began
   then.  */
static GOMP_AMP_THREAD uint64_t gomp_amp_tally_begun;

GOMP_AMP_PART void
gomp_amp_init_regions (void)
{
  gomp_amp_tallying
    = (gomp_amp_reporting
       || gomp_amp_record_file[GOMP_AMP_RECORD_REGIONS] != NULL);
}

/* Does THR, the calling thread, begin or end a region that counts with TEAM?
   A team of one does where all are, unless they ask for more.  */

static inline bool
gomp_amp_region_counts_p (struct gomp_thread *thr, struct gomp_team *team)
{
  return (__builtin_expect (gomp_amp_tallying, 0) && thr->ts.level == 0
	  && (team->nthreads > 1 || gomp_global_icv.nthreads_var == 1));
}

/* THR, the calling thread, begins or ends TEAM's region as its first one; its
   state is that outside of it.  */

GOMP_AMP_PART_INLINE void
gomp_amp_region_begins (struct gomp_thread *thr, struct gomp_team *team)
{
  if (gomp_amp_region_counts_p (thr, team))
    {
      gomp_amp_barriers_met = 0;
      gomp_amp_tally_begun = amp_ticks ();
    }
}

GOMP_AMP_PART_INLINE void
gomp_amp_region_ends (struct gomp_thread *thr, struct gomp_team *team)
{
  unsigned most;

  if (!gomp_amp_region_counts_p (thr, team))
    return;
  AMP_FETCH_ADD (&gomp_amp_tally.regions, 1, AMP_RELAXED);
  AMP_FETCH_ADD (&gomp_amp_tally.ticks, amp_ticks () - gomp_amp_tally_begun,
		 AMP_RELAXED);
  AMP_FETCH_ADD (&gomp_amp_tally.barriers, gomp_amp_barriers_met + 1,
		 AMP_RELAXED);
  most = __atomic_load_n (&gomp_amp_tally.threads, __ATOMIC_RELAXED);
  while (most < team->nthreads
	 && !__atomic_compare_exchange_n (&gomp_amp_tally.threads, &most,
					  team->nthreads, true,
					  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

#ifdef GOMP_AMP_CREWS

GOMP_AMP_PART bool
gomp_amp_regions_told_p (void)
{
  return gomp_amp_weighted.places_teams && gomp_amp_tally.regions != 0;
}

/* For GOMP_AMP_REPORT: what weighted teams did, and what else would take less
   time, if equal blocks of work that no memory slows down are all there is.  */

GOMP_AMP_PART void
gomp_amp_report_regions (struct gomp_amp_out *out)
{
  double least = 0.0, most = 0.0, sum = 0.0, fast = 0.0, time, lost, even;
  double stock, big;
  unsigned i, crowd = 1, *load;
  unsigned short *cpu;

  for (i = 0; i < gomp_amp_weighted.ncpus; i++)
    {
      double speed = gomp_amp_weighted.speed[i];

      sum += speed;
      if (i == 0 || speed < least)
	least = speed;
      if (speed > most)
	most = speed;
    }
  for (i = 0; i < gomp_amp_weighted.ncpus; i++)
    if (gomp_amp_weighted.speed[i] > most / 1.1)
      fast += gomp_amp_weighted.speed[i];
  cpu = gomp_alloca (gomp_amp_tally.threads * sizeof *cpu);
  load = gomp_alloca (gomp_amp_weighted.ncpus * sizeof *load);
  amp_place_threads (gomp_amp_weighted.speed, gomp_amp_weighted.ncpus,
		     gomp_amp_tally.threads, cpu, load);
  for (i = 0; i < gomp_amp_weighted.ncpus; i++)
    if (load[i] > crowd)
      crowd = load[i];
  time = (double) gomp_amp_tally.ticks * gomp_amp_tick_length ();
  lost = (crowd - 1) * GOMP_AMP_SWITCH_NANOSECONDS * gomp_amp_tally.barriers;
  if (lost > 0.9 * time)
    lost = 0.9 * time;
  even = (time - lost) * sum;
  stock = even / (least * gomp_amp_weighted.ncpus);
  big = even / fast;
  gomp_amp_print (out, "libgomp: regions: %ju of up to %u threads, %.4f ms and "
		  "%.1f barriers each, %.3f ms in all, about %.0f %% of that "
		  "for switching threads", (uintmax_t) gomp_amp_tally.regions,
		  gomp_amp_tally.threads, time / gomp_amp_tally.regions / 1e6,
		  (double) gomp_amp_tally.barriers / gomp_amp_tally.regions,
		  time / 1e6, 100.0 * lost / time);
  if (big < stock && big < (1.0 - GOMP_AMP_WORTH) * time)
    gomp_amp_print (out, "; hint: GOMP_AMP_CORES=big, as regions are short (up "
		    "to %.0f %% less time)", 100.0 * (1.0 - big / time));
  else if (stock < (1.0 - GOMP_AMP_WORTH) * time)
    gomp_amp_print (out, "; hint: no weighted team, as regions are short (up "
		    "to %.0f %% less time)", 100.0 * (1.0 - stock / time));
  gomp_amp_print (out, "\n");
}

#else

GOMP_AMP_PART bool
gomp_amp_regions_told_p (void)
{
  return false;
}

GOMP_AMP_PART void
gomp_amp_report_regions (struct gomp_amp_out *out __attribute__ ((unused)))
{
}

#endif

/* One line a process, as processes may append theirs: regions, seconds in them,
   most threads of a team.  */

GOMP_AMP_PART void
gomp_amp_record_regions (void)
{
  static struct gomp_amp_out out;

  gomp_amp_out_open (&out, "GOMP_AMP_TRACE",
		     gomp_amp_record_file[GOMP_AMP_RECORD_REGIONS]);
  if (out.file != NULL)
    gomp_amp_print (&out, "%ju %.6f %u\n", (uintmax_t) gomp_amp_tally.regions,
		    ((double) gomp_amp_tally.ticks * gomp_amp_tick_length ()
		     / 1e9), gomp_amp_tally.threads);
  gomp_amp_out_close (&out);
}

/* The glue's eye on other OpenMP libraries in the process: libomp and libiomp5.
   What was compiled for them calls functions of theirs that we do not have, and
   omp_* functions that we have, too.  */


/* Does NAME, of a file, begin with WORD and then as a library's name may?  */

static bool
gomp_amp_library_p (const char *name, const char *word)
{
  size_t n = strlen (word);

  return (strncmp (name, word, n) == 0 && (name[n] == '.' || name[n] == '-')
	  && strstr (name, ".so") != NULL);
}

/* Store the first one's path in *DATA.  */

static int
gomp_amp_see_beside (struct dl_phdr_info *info,
		     size_t size __attribute__ ((unused)), void *data)
{
  const char *name = strrchr (info->dlpi_name, '/');

  name = name != NULL ? name + 1 : info->dlpi_name;
  if (!gomp_amp_library_p (name, "libomp")
      && !gomp_amp_library_p (name, "libiomp5"))
    return 0;
  *(const char **) data = info->dlpi_name;
  return 1;
}

/* The path of another OpenMP library that is loaded, as long as it is; or
   NULL.  */

GOMP_AMP_PART const char *
gomp_amp_beside (void)
{
  const char *path = NULL;

  dl_iterate_phdr (gomp_amp_see_beside, &path);
  return path;
}

/* Where the user has put libgomp in front of all libraries, which children
   inherit, and the program is linked with another one, its omp_* functions are
   not those that its regions go by.  */

GOMP_AMP_PART void
gomp_amp_init_beside (void)
{
  const char *preload = getenv ("LD_PRELOAD"), *path;

  if (preload == NULL || strstr (preload, "libgomp") == NULL)
    return;
  path = gomp_amp_beside ();
  if (path != NULL)
    gomp_error ("This program uses %s, and LD_PRELOAD puts libgomp in front of "
		"it: results may be wrong", path);
}

/* For GOMP_AMP_REPORT.  */

GOMP_AMP_PART void
gomp_amp_report_beside (struct gomp_amp_out *out)
{
  const char *path = gomp_amp_beside ();

  if (path != NULL)
    gomp_amp_print (out, "libgomp: %s is loaded, too; regions that use it are "
		    "not ours\n", path);
}

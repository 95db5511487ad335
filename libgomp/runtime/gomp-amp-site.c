/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's loop sites: the table, the report.

   The table is a fixed array of lists.  A site is added by compare-and-swap
   (release) and never removed, so a lookup takes no lock: it loads a list's
   head (acquire, the partner of that release) and follows links that are
   constant once published.  Code that was unloaded leaves its sites behind;
   if other code comes to stand at the same address, it starts with what is
   remembered there, until its own executions are.  The number of sites is
   bounded.  Loops that come once or twice, as of a program's start or of many
   sizes, fill the first part of the table at most: in the rest there is room
   for those that come often.  Loops without a site run as if for the first
   time.  */

#include "gomp-amp-glue.h"
#include <link.h>

#define GOMP_AMP_SITE_BUCKETS 4096
#define GOMP_AMP_ANY_SITES 8192
#define GOMP_AMP_MAX_SITES 32768
/* What comes so often is worth a site in any case.  */
#define GOMP_AMP_SITE_OFTEN 16

static struct amp_site *gomp_amp_sites[GOMP_AMP_SITE_BUCKETS];
static unsigned gomp_amp_nsites;

/* How often loops have come that have no site, by the hash of what tells sites
   apart; and in all.  Of additions at once, one's may be lost.  */
static unsigned char gomp_amp_came[1 << 16];
static uint64_t gomp_amp_unseen;

/* What the report says beyond what the site knows: after the site, in its
   memory.  Counts are written only if GOMP_AMP_REPORT is set, by relaxed atomics; of loops
   that begin at once, one's may be lost.  Read when the program ends.  */

struct gomp_amp_note
{
  uint64_t kind;		/* Of the last execution.  */
  uint64_t executions;
  uint64_t iterations;		/* Of all executions, a double's bits.  */
  /* If divisions are drawn at random: what the site's are drawn from, the same
     in each run of the same binaries, and how many were.  */
  uint64_t salt;
  uint64_t drawn;
  /* Of GOMP_AMP_LOOPS, or NULL.  */
  struct gomp_amp_line *line;
};

static struct gomp_amp_note *
gomp_amp_note (const struct amp_site *site)
{
  return (struct gomp_amp_note *) ((char *) site
				   + amp_site_size (site->lanes, site->types));
}

static void
gomp_amp_note_loop (struct amp_site *site, const struct amp_ops *ops,
		    const struct amp_setup *setup)
{
  struct gomp_amp_note *note = gomp_amp_note (site);

  AMP_STORE (&note->kind, ops->kind, AMP_RELAXED);
  AMP_STORE (&note->executions,
	     AMP_LOAD (&note->executions, AMP_RELAXED) + 1, AMP_RELAXED);
  amp_store_double (&note->iterations, amp_load_double (&note->iterations)
		    + (double) setup->n);
}

struct gomp_amp_search
{
  uintptr_t address;
  char *name;
};

static int
gomp_amp_try_object (struct dl_phdr_info *info,
		     size_t size __attribute__ ((unused)), void *data)
{
  struct gomp_amp_search *search = data;
  unsigned i;

  for (i = 0; i < info->dlpi_phnum; i++)
    {
      uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

      if (info->dlpi_phdr[i].p_type == PT_LOAD && search->address >= begin
	  && search->address - begin < info->dlpi_phdr[i].p_memsz)
	{
	  const char *name = strrchr (info->dlpi_name, '/');

	  name = name != NULL ? name + 1 : info->dlpi_name;
	  /* The first object is the program, which has no name here.  */
	  snprintf (search->name, GOMP_AMP_PLACE_MAX, "%.200s+0x%jx",
		    *name != '\0' ? name : "program",
		    (uintmax_t) (search->address - info->dlpi_addr));
	  return 1;
	}
    }
  return 0;
}

/* Write ADDRESS's place as OBJECT+0xOFFSET, which is the same in every run of
   the same binaries and is what addr2line takes.  */

static void
gomp_amp_place_name (const void *address, char name[GOMP_AMP_PLACE_MAX])
{
  struct gomp_amp_search search = { (uintptr_t) address, name };

  if (dl_iterate_phdr (gomp_amp_try_object, &search) == 0)
    snprintf (name, GOMP_AMP_PLACE_MAX, "unknown+0x%jx",
	      (uintmax_t) search.address);
}

/* What the user has said of SITE's place.  */

static void
gomp_amp_recall_site (struct amp_site *site)
{
  char name[GOMP_AMP_PLACE_MAX];
  const char *p;
  uint64_t salt = 0;
  struct gomp_amp_line *line;

  if (gomp_amp_nlines == 0 && !gomp_amp_check.shuffle)
    return;
  gomp_amp_place_name (site->address, name);
  line = gomp_amp_note (site)->line = gomp_amp_find_line (name);
  if (line != NULL)
    site->sf = line->sf;
  for (p = name; *p != '\0'; p++)
    salt = amp_draw (salt, (unsigned char) *p);
  gomp_amp_note (site)->salt = salt;
}

/* The line of GOMP_AMP_LOOPS for SITE, or NULL.  */

static struct gomp_amp_line *
gomp_amp_line_of (const struct amp_site *site)
{
  return gomp_amp_note (site)->line;
}

/* What the next division of a loop at SITE, which may be NULL, is drawn from;
   OTHERWISE counts loops where there is no site.  */

static uint64_t
gomp_amp_draw_of (struct amp_site *site, uint64_t otherwise)
{
  struct gomp_amp_note *note;

  if (site == NULL)
    return amp_draw (gomp_amp_check.seed, otherwise);
  note = gomp_amp_note (site);
  return amp_draw (gomp_amp_check.seed ^ note->salt,
		   AMP_FETCH_ADD (&note->drawn, 1, AMP_RELAXED));
}

/* The site of ADDRESS, LANES and MAGNITUDE in the list from SITE to just before
   END, or NULL.  */

static inline struct amp_site *
gomp_amp_search_list (struct amp_site *site, const struct amp_site *end,
		      const void *address, unsigned lanes, unsigned magnitude)
{
  for (; site != end; site = site->next)
    if (site->address == address && site->lanes == lanes
	&& site->magnitude == magnitude)
      return site;
  return NULL;
}

/* What tells a site apart, well mixed.  */

static inline uint32_t
gomp_amp_site_hash (const void *address, unsigned lanes, unsigned magnitude)
{
  return ((uint32_t) (uintptr_t) address
	  + (lanes * 64 + magnitude) * 0x85ebca6bU) * 0x9e3779b1U;
}

/* Is there room for one more, of a loop with HASH?  */

static bool
gomp_amp_site_room_p (uint32_t hash)
{
  unsigned number = __atomic_load_n (&gomp_amp_nsites, __ATOMIC_RELAXED);
  unsigned char *came = &gomp_amp_came[hash >> 16];
  unsigned times;

  if (number < GOMP_AMP_ANY_SITES)
    return true;
  times = __atomic_load_n (came, __ATOMIC_RELAXED);
  if (times < GOMP_AMP_SITE_OFTEN)
    __atomic_store_n (came, times + 1, __ATOMIC_RELAXED);
  return times >= GOMP_AMP_SITE_OFTEN && number < GOMP_AMP_MAX_SITES;
}

/* A new site in the list of BUCKET, which began with HEAD, or NULL: nothing of
   it must end the program.  */

static struct amp_site *
gomp_amp_new_site (const void *address, unsigned lanes, unsigned magnitude,
		   struct amp_site **bucket, struct amp_site *head)
{
  size_t size = (amp_site_size (lanes, gomp_amp_types)
		 + sizeof (struct gomp_amp_note));
  struct amp_site *site = NULL, *known;
  unsigned number;

  if (gomp_amp_site_room_p (gomp_amp_site_hash (address, lanes, magnitude)))
    site = gomp_amp_alloc (size);
  if (site == NULL)
    {
      AMP_STORE (&gomp_amp_unseen, AMP_LOAD (&gomp_amp_unseen, AMP_RELAXED) + 1,
		 AMP_RELAXED);
      return NULL;
    }
  number = __atomic_fetch_add (&gomp_amp_nsites, 1, __ATOMIC_RELAXED);
  memset (site, 0, size);
  amp_site_format (site, address, lanes, gomp_amp_types, magnitude);
  site->number = number;
  gomp_amp_recall_site (site);
  site->next = head;
  while (!__atomic_compare_exchange_n (bucket, &site->next, site, false,
				       __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
    {
      known = gomp_amp_search_list (site->next, head, address, lanes,
				    magnitude);
      if (known != NULL)
	{
	  free (site);
	  __atomic_fetch_sub (&gomp_amp_nsites, 1, __ATOMIC_RELAXED);
	  return known;
	}
    }
  return site;
}

/* Where the list of such sites begins.  */

static inline struct amp_site **
gomp_amp_bucket (const void *address, unsigned lanes, unsigned magnitude)
{
  return &gomp_amp_sites[gomp_amp_site_hash (address, lanes, magnitude)
			 / (UINT32_MAX / GOMP_AMP_SITE_BUCKETS + 1)];
}

/* The site of ADDRESS for loops of N iterations and teams of LANES threads, or
   NULL if there is none yet.  */

static inline struct amp_site *
gomp_amp_look_up_site (const void *address, unsigned lanes, uint64_t n)
{
  unsigned magnitude = amp_site_magnitude (n);
  struct amp_site **bucket = gomp_amp_bucket (address, lanes, magnitude);

  return gomp_amp_search_list (__atomic_load_n (bucket, __ATOMIC_ACQUIRE), NULL,
			       address, lanes, magnitude);
}

/* ... or NULL if there cannot be one.  */

static struct amp_site *
gomp_amp_find_site (const void *address, unsigned lanes, uint64_t n)
{
  unsigned magnitude = amp_site_magnitude (n);
  struct amp_site **bucket = gomp_amp_bucket (address, lanes, magnitude);
  struct amp_site *head = __atomic_load_n (bucket, __ATOMIC_ACQUIRE);
  struct amp_site *site
    = gomp_amp_search_list (head, NULL, address, lanes, magnitude);

  return (site != NULL ? site
	  : gomp_amp_new_site (address, lanes, magnitude, bucket, head));
}

static void
gomp_amp_init_sites (void)
{
  gomp_amp_init_regions ();
  gomp_amp_pid = getpid ();
  gomp_amp_init_trace ();
  gomp_amp_slow_way = gomp_amp_watching || gomp_amp_check.delay != 0;
  gomp_amp_sees_stock_loops = (gomp_amp_watching || gomp_amp_check.shuffle
			       || gomp_amp_nlines != 0);
}

/* The report, and the record that files of speedup factors are made of.  */

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
  gomp_amp_print (out, "libgomp: loop %s: %u threads, %ju iterations, executed "
		  "%ju time%s, observed %ju time%s, %.3f ms, imbalance %.3f",
		  name, site->lanes, (uintmax_t) site->n,
		  (uintmax_t) note->executions,
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

/* The sites that were observed, those that took most time first.  */

static void
gomp_amp_report (void)
{
  static struct amp_site *sites[GOMP_AMP_MAX_SITES];
  static struct gomp_amp_out out;
  struct amp_site *site;
  unsigned i, n = 0;

  for (i = 0; i < GOMP_AMP_SITE_BUCKETS; i++)
    for (site = __atomic_load_n (&gomp_amp_sites[i], __ATOMIC_ACQUIRE);
	 site != NULL; site = site->next)
      if (gomp_amp_note (site)->executions != 0 && site->lanes > 1
	  && n < GOMP_AMP_MAX_SITES)
	sites[n++] = site;
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

static void
gomp_amp_write_record (void)
{
  static struct gomp_amp_out out;
  struct amp_site *site;
  unsigned i;

  gomp_amp_out_open (&out, "GOMP_AMP_TRACE",
		     gomp_amp_record_file[GOMP_AMP_RECORD_SF]);
  for (i = 0; i < GOMP_AMP_SITE_BUCKETS && out.file != NULL; i++)
    for (site = __atomic_load_n (&gomp_amp_sites[i], __ATOMIC_ACQUIRE);
	 site != NULL; site = site->next)
      if (site->lanes == 1)
	gomp_amp_record_site (site, &out);
  gomp_amp_out_close (&out);
}

static void __attribute__ ((destructor))
gomp_amp_at_exit (void)
{
  /* A child of fork has nothing to say that its parent does not say.  */
  if (getpid () == gomp_amp_pid)
    {
      locale_t locale = gomp_amp_enter_c_locale ();

      gomp_amp_close_spools ();
      if (gomp_amp_reporting)
	gomp_amp_report ();
      if (gomp_amp_record_file[GOMP_AMP_RECORD_SF] != NULL)
	gomp_amp_write_record ();
      if (gomp_amp_record_file[GOMP_AMP_RECORD_REGIONS] != NULL)
	gomp_amp_record_regions ();
      gomp_amp_leave_c_locale (locale);
    }
  gomp_amp_end_tracing ();
  gomp_amp_end_counters ();
  gomp_amp_end_process ();
}

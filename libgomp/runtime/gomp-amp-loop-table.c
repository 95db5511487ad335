/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The table of loops: what is remembered of each.

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
/* What comes so often is worth a site in any case.  */
#define GOMP_AMP_SITE_OFTEN 16

static struct amp_site *gomp_amp_sites[GOMP_AMP_SITE_BUCKETS];
static unsigned gomp_amp_nsites;

/* How often loops have come that have no site, by the hash of what tells sites
   apart; and in all.  Of additions at once, one's may be lost.  */
static unsigned char gomp_amp_came[1 << 16];
GOMP_AMP_PART uint64_t gomp_amp_unseen;

GOMP_AMP_PART void
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

GOMP_AMP_PART void
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

GOMP_AMP_PART struct gomp_amp_line *
gomp_amp_line_of (const struct amp_site *site)
{
  return gomp_amp_note (site)->line;
}

/* What the next division of a loop at SITE, which may be NULL, is drawn from;
   OTHERWISE counts loops where there is no site.  */

GOMP_AMP_PART uint64_t
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

GOMP_AMP_PART_INLINE struct amp_site *
gomp_amp_look_up_site (const void *address, unsigned lanes, uint64_t n)
{
  unsigned magnitude = amp_site_magnitude (n);
  struct amp_site **bucket = gomp_amp_bucket (address, lanes, magnitude);

  return gomp_amp_search_list (__atomic_load_n (bucket, __ATOMIC_ACQUIRE), NULL,
			       address, lanes, magnitude);
}

/* ... or NULL if there cannot be one.  */

GOMP_AMP_PART struct amp_site *
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

GOMP_AMP_PART void
gomp_amp_init_sites (void)
{
  gomp_amp_init_regions ();
  gomp_amp_pid = getpid ();
  gomp_amp_init_trace ();
  gomp_amp_slow_way = gomp_amp_watching || gomp_amp_check.delay != 0;
  gomp_amp_sees_stock_loops = (gomp_amp_watching || gomp_amp_check.shuffle
			       || gomp_amp_nlines != 0);
}

GOMP_AMP_PART unsigned
gomp_amp_list_sites (struct amp_site **list,
		     bool (*wanted) (const struct amp_site *))
{
  struct amp_site *site;
  unsigned i, n = 0;

  for (i = 0; i < GOMP_AMP_SITE_BUCKETS; i++)
    for (site = __atomic_load_n (&gomp_amp_sites[i], __ATOMIC_ACQUIRE);
	 site != NULL && n < GOMP_AMP_MAX_SITES; site = site->next)
      if (wanted (site))
	list[n++] = site;
  return n;
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

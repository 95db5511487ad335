/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the parts of the glue share.  gomp-amp.c includes the parts, the core
   and what asks for the machine, and libgomp's work.c includes it: no makefile
   changes, and every symbol that no hook calls is static.  Each part includes
   this header first, which declares what one part has for the others: the
   order of parts is of no account.  */

#ifndef GOMP_AMP_GLUE_H
#define GOMP_AMP_GLUE_H 1

#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1		/* sched_getcpu, secure_getenv.  */
#endif
#ifndef _FILE_OFFSET_BITS
# define _FILE_OFFSET_BITS 64	/* 32-bit programs' readdir needs it.  */
#endif

#include "libgomp.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include "libgomp_g.h"
#include "secure_getenv.h"
#include "proc.h"
#include "omp_amp.h"
#include "amp-core.c"
#include "amp-options.c"
#include "amp-topology.c"
#include "amp-cluster.c"

#if AMP_LOCKED
# define GOMP_AMP_LOCK(WS) gomp_mutex_lock (&(WS)->lock)
# define GOMP_AMP_UNLOCK(WS) gomp_mutex_unlock (&(WS)->lock)
/* Sites are shared by work shares.  */
static gomp_mutex_t gomp_amp_site_lock;
# define GOMP_AMP_SITE_LOCK() gomp_mutex_lock (&gomp_amp_site_lock)
# define GOMP_AMP_SITE_UNLOCK() gomp_mutex_unlock (&gomp_amp_site_lock)
#else
# define GOMP_AMP_SITE_LOCK() ((void) 0)
# define GOMP_AMP_SITE_UNLOCK() ((void) 0)
# define GOMP_AMP_LOCK(WS) ((void) (WS))
# define GOMP_AMP_UNLOCK(WS) ((void) (WS))
#endif

/* SIZE bytes that begin a cache line, or NULL: what is only to make the program
   faster must not end it.  */

static inline void *
gomp_amp_alloc (size_t size)
{
  void *memory;

  return posix_memalign (&memory, AMP_LINE, size) == 0 ? memory : NULL;
}

/* For variables that each thread has one of.  */
#if defined HAVE_TLS || defined USE_EMUTLS
# define GOMP_AMP_THREAD __thread
#else
# define GOMP_AMP_THREAD
#endif

/* gomp-amp-process.c.  */

static void gomp_amp_init_process (void);
static void gomp_amp_end_process (void);

/* How many threads the teams that run now have, of teams larger than one; the
   thread that starts a team inside another is counted once.  */
static unsigned gomp_amp_running;

/* The calling thread, as its first one, begins or ends a region of a team that
   adds NTHREADS to them.  */
static void gomp_amp_count_running (unsigned nthreads);
static void gomp_amp_discount_running (unsigned nthreads);

/* A copy of TEXT, for good: programs write over the environment that they were
   started with.  */
static char *gomp_amp_copy (const char *text);

/* The file with the name of LENGTH bytes at NAME, absolute: the program may
   change its folder.  NULL: no name.  */
static char *gomp_amp_file_name (const char *name, size_t length);

/* Open NAME for writing; its number is that of no standard stream.  Negative:
   errno says why not, ENXIO if nobody reads a pipe.  */
static int gomp_amp_open (const char *name, int flags);

/* For so long a file may keep the process waiting, in milliseconds.  */
#define GOMP_AMP_PATIENCE 5000

struct iovec;

/* Write the COUNT parts of IOV, which are changed; 0, or why not all of them
   could be.  */
static int gomp_amp_write (int fd, struct iovec *iov, int count);

/* Text that is written to a file, or to stderr if FILE is NULL.  */

struct gomp_amp_out
{
  const char *variable, *file;
  int fd;
  int error;			/* errno; what came after that is lost.  */
  size_t used;
  char text[2048];
};

static void gomp_amp_out_open (struct gomp_amp_out *out, const char *variable,
			       const char *file);
static void gomp_amp_print (struct gomp_amp_out *out, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* What went wrong is said.  */
static void gomp_amp_out_close (struct gomp_amp_out *out);

/* The calling thread reads and writes numbers as C does, whatever locale the
   program has set, until it leaves; what ENTER returns says how.  */
static locale_t gomp_amp_enter_c_locale (void);
static void gomp_amp_leave_c_locale (locale_t before);

/* The calling thread cannot be cancelled until it resumes.  */
static int gomp_amp_hold_cancel (void);
static void gomp_amp_resume_cancel (int before);

/* gomp-amp-clock.c.  */

/* A sample shorter than this is enlarged.  */
#define GOMP_AMP_MIN_NANOSECONDS 5000

/* The same in ticks, about.  */
static uint64_t gomp_amp_min_ticks;

static void gomp_amp_init_clock (void);
static uint64_t gomp_amp_monotonic (void);

/* Nanoseconds a tick, as it was since the library was loaded.  */
static double gomp_amp_tick_length (void);

/* gomp-amp-env.c.  What is written by the library's constructor only, before
   any team exists.  */

static struct amp_topology gomp_amp_topology;
static struct amp_source gomp_amp_source;

/* Found when they are first asked for; constant from then on.  */
static struct amp_clusters gomp_amp_clusters;
static const struct amp_clusters *gomp_amp_find_clusters (void);
static gomp_mutex_t gomp_amp_clusters_lock;

/* gomp-amp-count.c.  What `amp-info --calibrate' finds.  */

struct gomp_amp_costs
{
  double fault_ns;	/* A page fault.  */
};

static const struct gomp_amp_costs *gomp_amp_find_costs (void);
static void gomp_amp_init_costs (void);
static void gomp_amp_counters_after_fork (void);
static void gomp_amp_end_counters (void);

/* The types that the core is told of.  Where nothing is known of the CPUs,
   each is a type of its own, to be told apart by what is observed of it.  */
static unsigned gomp_amp_types;
static bool gomp_amp_observed_types;

/* The places are ours, and not those of OMP_PROC_BIND and its like: the
   program's threads are kept in them in regions alone (gomp-amp-mask.c).  */
static bool gomp_amp_own_places;

/* Type of place i, if GOMP_AMP_AFFINITY made the places; else NULL.  */
static unsigned char *gomp_amp_place_type;

/* Cluster of place i, likewise, for thieves; NULL also if there is only one,
   or nothing but core types tells them apart: a fast core that robs fast ones
   first leaves the slow ones' work for last.  */
static unsigned short *gomp_amp_place_cluster;

/* Types of the usable CPUs, fastest first: what threads that are not bound
   are taken to run on where SF is known.  Else NULL.  */
static unsigned char *gomp_amp_guessed_type;

/* SF of each type, if GOMP_AMP_SF gave it; else NULL.  */
static double *gomp_amp_sf;

/* ... if the machine says it, for loops of which nothing else is known; else
   NULL.  Only where GOMP_AMP_REPLACE names static.  */
static double *gomp_amp_machine_sf;

/* A file gave SF for single loops.  */
static bool gomp_amp_know_sf;

/* What GOMP_AMP_REPLACE puts in the place of explicit GFS_STATIC, GFS_DYNAMIC
   and GFS_GUIDED; kind 0: nothing.  */
static struct amp_schedule gomp_amp_replace[GFS_GUIDED + 1];

/* GOMP_AMP_REPORT is set.  */
static bool gomp_amp_reporting;

static char *gomp_amp_report_file;	/* NULL: to stderr.  */

/* What GOMP_AMP_TRACE records, and the files for it, or NULL.  */

enum gomp_amp_record
{
  GOMP_AMP_RECORD_CHUNKS,
  GOMP_AMP_RECORD_COSTS,
  GOMP_AMP_RECORD_REGIONS,
  GOMP_AMP_RECORD_SF,
  GOMP_AMP_RECORDS
};

static char *gomp_amp_record_file[GOMP_AMP_RECORDS];

/* True if chunks are traced or recorded, or loops reported.  */
static bool gomp_amp_watching;

/* True if loops whose schedule is libgomp's own come here as well: they are
   watched, or are to stay static at some sites, or shuffled.  */
static bool gomp_amp_sees_stock_loops;

/* True if there is more to do about a chunk than to hand it out: loops are
   watched, or threads held up.  */
static bool gomp_amp_slow_way;

/* GOMP_AMP is off.  */
static bool gomp_amp_off;

/* The tree to read instead of /sys, or NULL.  */
static char *gomp_amp_sysfs;

/* The user asked for a placement, or for none, by OpenMP's means.  */
static bool gomp_amp_placed;

/* What GOMP_AMP_DEBUG asks for: divisions that are drawn at random and threads
   that are held up, so that what a program relies on shows.  */
static struct
{
  bool shuffle;
  enum amp_draw_form form;
  uint64_t seed;
  uint64_t delay;		/* Nanoseconds; 0: none.  */
  bool verdicts;		/* Verdicts turn all the time.  */
} gomp_amp_check;

/* gomp-amp-settings.c and what gomp-amp-settings.h names.  */

/* The value of NAME, or NULL if it is unset or empty.  */
static const char *gomp_amp_getenv (const char *name);

/* Is VARIABLE set by somebody whose rights the program has?  */
static bool gomp_amp_secure_p (const char *variable);

#define GOMP_AMP_SETTING(NAME, READ, SHOW, VALUES, TEXT)			\
static const char *gomp_amp_read_##READ (const char *value,		\
				       char message[AMP_MESSAGE_MAX]);	\
static void gomp_amp_show_##SHOW (const char *name);
#include "gomp-amp-settings.h"
#undef GOMP_AMP_SETTING

static void gomp_amp_init_places (void);
static void gomp_amp_init_speeds (void);
static bool gomp_amp_num_threads_p (void);
static void gomp_amp_place_order (bool slowest_first,
				  unsigned short cpus[AMP_MAX_CPUS]);
/* For weighted teams alone.  */
static void gomp_amp_forget_types (void) __attribute__ ((unused));
static inline unsigned gomp_amp_type_of (int cpu);

/* gomp-amp-site.c.  */

/* The process that loaded the library.  */
static pid_t gomp_amp_pid;

/* A gain below this part of the time is not worth a word in the report.  */
#define GOMP_AMP_WORTH 0.05

/* gomp-amp-loop-file.c.  */

struct gomp_amp_line;
static unsigned gomp_amp_nlines;
static struct gomp_amp_line *gomp_amp_find_line (const char *name);
struct gomp_amp_request;
static void gomp_amp_obey_line (struct gomp_amp_request *r,
				struct gomp_amp_line *line);
static double gomp_amp_file_speed (unsigned type) __attribute__ ((unused));

/* Bytes of a place's name, its end included.  */
#define GOMP_AMP_PLACE_MAX 300

static void gomp_amp_place_name (const void *address,
				 char name[GOMP_AMP_PLACE_MAX]);
static struct amp_site *gomp_amp_find_site (const void *address,
					    unsigned lanes, uint64_t n);
static inline struct amp_site *gomp_amp_look_up_site (const void *address,
						      unsigned lanes,
						      uint64_t n);
static struct gomp_amp_line *gomp_amp_line_of (const struct amp_site *site);
static uint64_t gomp_amp_draw_of (struct amp_site *site, uint64_t otherwise);
static void gomp_amp_note_loop (struct amp_site *site,
				const struct amp_ops *ops,
				const struct amp_setup *setup);
static void gomp_amp_init_sites (void);

/* gomp-amp-workload.c.  */

struct gomp_amp_workload
{
  uint64_t number;		/* Its own, not 0.  */
  unsigned refs;
  unsigned n;
  unsigned cost[];
};

static void gomp_amp_init_named (void);
static gomp_mutex_t gomp_amp_named_lock;
static struct gomp_amp_workload *
gomp_amp_find_workload (unsigned ticket, const struct amp_site *site,
			unsigned long long n);
static void gomp_amp_return_workload (struct gomp_amp_workload *workload);

/* gomp-amp-wait.c.  */

static inline bool gomp_amp_unbound_p (void);
static inline unsigned gomp_amp_arrive (struct gomp_thread *thr);

/* gomp-amp-mask.c.  */

/* The only place is one of all CPUs that threads may be on.  */
static bool gomp_amp_any_cpu;
static cpu_set_t *gomp_amp_process_mask;

static void gomp_amp_init_mask (void);
static bool gomp_amp_set_mask (const cpu_set_t *set);
static void gomp_amp_mask_after_fork (void);

/* THR, the calling thread, begins and ends a region as its team's first
   one.  */
static inline void gomp_amp_enter_region (struct gomp_thread *thr);
static inline void gomp_amp_leave_region (struct gomp_thread *thr);

/* Weighted teams.  */

#include "gomp-amp-crew.h"

/* gomp-amp-regions.c.  */

/* Barriers inside of regions, of weighted teams, that the calling thread has
   come to since it was zero.  */
static GOMP_AMP_THREAD unsigned gomp_amp_barriers_met;

static void gomp_amp_init_regions (void);
static inline void gomp_amp_region_begins (struct gomp_thread *thr,
					   struct gomp_team *team);
static inline void gomp_amp_region_ends (struct gomp_thread *thr,
					 struct gomp_team *team);
static bool gomp_amp_regions_told_p (void);
static void gomp_amp_report_regions (struct gomp_amp_out *out);
static void gomp_amp_record_regions (void);

/* gomp-amp-beside.c.  */

static const char *gomp_amp_beside (void);
static void gomp_amp_init_beside (void);
static void gomp_amp_report_beside (struct gomp_amp_out *out);

/* gomp-amp-block.c.  */

/* What a team's steady loops have, in the region that it runs.  */

/* So many trip counts have plans of their own.  */
#define GOMP_AMP_STEADY 16

struct gomp_amp_steady
{
  unsigned nplans;
  /* What has run in the region needs the blocks it had.  */
  bool blocks_bound;
  uint64_t region;		/* Regions so far.  */
  struct amp_plan *plan[GOMP_AMP_STEADY];
  /* The plan is even because no speeds were known.  */
  bool may_change[GOMP_AMP_STEADY];
};

struct gomp_amp_block
{
  struct gomp_amp_block *next;	/* In the pool.  */
  void *extra;			/* For schedules that need more than the
				   block, at least EXTRA_SIZE bytes.  */
  size_t extra_size;
  unsigned class;		/* Room for 1 << class lanes.  */
  bool from_pool;		/* Goes back in gomp_fini_work_share.  */
  char *plans;			/* Plans, of PLAN_SIZE bytes each.  */
  size_t plan_size;
  /* Loops that were begun with it.  */
  uint64_t uses __attribute__ ((aligned (AMP_LINE)));
  uint64_t draw_seed;		/* Of the loop under way, if divisions are
				   drawn at random.  */
  /* ... if gomp_amp_slow_way.  */
  const void *address;		/* Of its site.  */
  uint32_t trace_number;	/* Of its execution, as traces have it; 0: it
				   is not traced.  */
  unsigned char kind;		/* As reports and traces have it.  */
  /* enum gomp_schedule_type, where libgomp's own code divides it, else 0; and
     where its variable begins then.  */
  unsigned char stock_sched;
  unsigned long long start;
};

static inline struct amp_loop *
gomp_amp_block_loop (struct gomp_amp_block *block)
{
  return (struct amp_loop *) ((char *) block + AMP_ROUND_LINE (sizeof *block));
}

static void gomp_amp_init_pool (void);
static void gomp_amp_pool_after_fork (void);
static struct amp_plan *
gomp_amp_block_plan (struct gomp_amp_block *block, unsigned number);
static struct gomp_amp_block *gomp_amp_block_of (struct gomp_work_share *ws,
						 struct gomp_team *team,
						 unsigned lanes);
static void *gomp_amp_get_extra (struct gomp_amp_block *block, size_t size);
static bool gomp_amp_crowded_p (struct gomp_team *team, unsigned lanes);

/* gomp-amp-request.c.  */

/* A loop that begins.  */
struct gomp_amp_request
{
  struct gomp_amp_from from;
  /* Its schedule: one of libgomp's own, of the core's, or GFS_AMP_AUTO; and
     that one's chunk, or first parameter.  */
  int sched;
  unsigned long long chunk;
  /* What GOMP_AMP_REPLACE puts in the place of that, or NULL.  */
  const struct amp_schedule *replacement;
  unsigned hints;		/* enum gomp_amp_hint.  */
  bool even;			/* The schedule comes to static's division,
				   and libgomp's own code for that cannot do
				   all loops.  */
};

static inline void gomp_amp_make_request (struct gomp_amp_request *r,
					  struct gomp_team *team,
					  struct gomp_amp_from from,
					  long sched,
					  unsigned long long chunk);
static inline int gomp_amp_own_kind (int kind);
static inline const struct amp_schedule *
gomp_amp_replaces (int sched, enum gomp_amp_arrival how);
static inline bool
gomp_amp_relies_on_static_p (const struct gomp_amp_request *r, uint64_t n,
			     unsigned lanes);
static inline bool gomp_amp_stock_divides_p (const struct gomp_amp_request *r,
					     uint64_t n, unsigned lanes);
static inline bool gomp_amp_left_to_stock_p (const struct gomp_amp_request *r,
					     uint64_t n, unsigned lanes);
static inline void gomp_amp_ask (struct amp_facts *facts,
				 const struct gomp_amp_request *r);
static inline bool
gomp_amp_replaced_static_p (const struct gomp_amp_request *r);
static inline bool gomp_amp_steady_p (const struct gomp_amp_request *r);

/* gomp-amp-plan.c.  */

/* static's division, for any loop and team.  */
static struct amp_plan gomp_amp_even_plan;

static inline void gomp_amp_set_plan (struct gomp_work_share *ws,
				      struct amp_plan *plan);
static inline struct amp_plan *
gomp_amp_plan_of (const struct gomp_work_share *ws);
static struct amp_plan *
gomp_amp_find_plan (enum amp_blocks blocks, struct gomp_amp_block *block,
		    struct gomp_team *team, struct amp_setup *setup,
		    const struct gomp_amp_request *r);
static inline bool gomp_amp_take_block (struct amp_plan *plan, uint64_t n,
					struct amp_chunk *chunk);

/* gomp-amp-goal.c.  */

static inline const struct amp_goal *gomp_amp_goal_of (void);
static inline void gomp_amp_idle (void);
static void
gomp_amp_report_cores (struct amp_site **sites, unsigned n,
		       double (*iterations) (const struct amp_site *),
		       struct gomp_amp_out *out);

/* gomp-amp-begin.c.  */

/* Begin loop R of N iterations on WS.  False if it is libgomp's own affair.  */
static bool gomp_amp_begin (struct gomp_work_share *ws,
			    struct gomp_team *team, uint64_t n,
			    struct gomp_amp_request *r);

/* gomp-amp-loop.c.  */

/* Hold up the thread of LANE, before its first chunk (AFTER 0) or after its
   last one (1), if BLOCK's draw says so.  */
static void gomp_amp_hold_up (const struct gomp_amp_block *block,
			      const struct amp_lane *lane, unsigned after);

/* Take a chunk for the calling thread; *BEFORE: what state its lane was in.  */
static inline bool gomp_amp_enter_and_take (struct gomp_work_share *ws,
					    struct amp_loop *loop,
					    struct amp_lane *lane,
					    struct amp_chunk *chunk,
					    unsigned *before);

static inline uint64_t gomp_amp_trips (long start, long end, long incr);
static inline uint64_t gomp_amp_ull_trips (bool up, unsigned long long start,
					   unsigned long long end,
					   unsigned long long incr);
static inline void gomp_amp_chunk_bounds (const struct gomp_work_share *ws,
					  const struct amp_chunk *chunk,
					  uint64_t n, long *pstart,
					  long *pend);
static inline void gomp_amp_ull_chunk_bounds (const struct gomp_work_share *ws,
					      const struct amp_chunk *chunk,
					      uint64_t n,
					      unsigned long long *pstart,
					      unsigned long long *pend);
static inline uint64_t
gomp_amp_plan_trips (const struct gomp_work_share *ws,
		     const struct amp_plan *plan);
static inline uint64_t
gomp_amp_ull_plan_trips (const struct gomp_work_share *ws,
			 const struct amp_plan *plan);

/* gomp-amp-watch.c.  */

/* libgomp's own schedules, as observers of loops know them: static, dynamic and
   guided.  Their code is libgomp's.  */
static const struct amp_ops gomp_amp_stock_ops[GFS_GUIDED + 1];

static void gomp_amp_watch_stock (struct gomp_work_share *ws,
				  const struct gomp_amp_request *r,
				  unsigned long long start);
static bool gomp_amp_watched_bounds (struct gomp_work_share *ws, long *pstart,
				     long *pend);
static bool gomp_amp_ull_watched_bounds (struct gomp_work_share *ws,
					 unsigned long long *pstart,
					 unsigned long long *pend);

/* gomp-amp-bare.c.  */

static void gomp_amp_init_bare (void);
static inline bool gomp_amp_may_be_bare_p (struct gomp_team *team);
static void gomp_amp_judge_site (struct amp_site *site);
static void gomp_amp_note_choice (void);

/* gomp-amp-trace.c.  */

/* True if GOMP_AMP_TRACE asks for chunks or costs; false again when the spools
   are being closed.  */
static bool gomp_amp_tracing;

/* The latter is set.  */
static bool gomp_amp_recording_costs;

static const struct amp_ops gomp_amp_record_ops;

static void gomp_amp_init_trace (void);
/* What divides a loop: a schedule of the core, a plan, or libgomp's own
   code.  */
enum gomp_amp_way
{
  GOMP_AMP_BY_CORE,
  GOMP_AMP_BY_PLAN,
  GOMP_AMP_BY_LIBGOMP
};

static void gomp_amp_trace_begin (struct gomp_amp_block *block,
				  enum gomp_amp_way way, unsigned lanes,
				  uint64_t n);

/* The calling thread asks for a chunk of BLOCK's loop: the one that it has
   ends.  */
static void gomp_amp_trace_ask (struct gomp_amp_block *block);

/* ... it has got CHUNK, in PHASE, on a core of TYPE ...  */
static void gomp_amp_trace_grant (struct gomp_amp_block *block,
				  const struct amp_chunk *chunk,
				  unsigned phase, unsigned type);

/* ... or there is none left.  */
static void gomp_amp_trace_leave (struct gomp_amp_block *block);

static unsigned gomp_amp_phase_of (struct amp_loop *loop,
				   const struct amp_lane *lane,
				   unsigned before,
				   const struct amp_chunk *chunk);
static void gomp_amp_close_spools (void);
static void gomp_amp_end_tracing (void);
static void gomp_amp_spools_after_fork (void);
static const char *gomp_amp_kind_name (unsigned kind);

/* When the library was loaded, if loops are watched.  */
static uint64_t gomp_amp_begun_ticks, gomp_amp_begun_ns;

#endif

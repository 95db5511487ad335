/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the parts of the glue share.  gomp-amp.c, which libgomp's work.c
   includes, includes all of them.  Each includes this header first, which
   declares what one part has for the others, and compiles by itself, too.  */

#ifndef GOMP_AMP_GLUE_H
#define GOMP_AMP_GLUE_H 1

#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1		/* sched_getcpu, secure_getenv.  */
#endif
#ifndef _FILE_OFFSET_BITS
# define _FILE_OFFSET_BITS 64	/* 32-bit programs' readdir needs it.  */
#endif

/* What one part has for the others.  */
#ifdef GOMP_AMP_WHOLE
# define GOMP_AMP_PART static
# define GOMP_AMP_PART_INLINE static inline
/* Of a function that only weighted teams need, which not every build has.  */
# define GOMP_AMP_PART_OF_TEAMS static __attribute__ ((unused))
#else
# define GOMP_AMP_PART_OF_TEAMS
# define GOMP_AMP_PART
# define GOMP_AMP_PART_INLINE
#endif
#define AMP_PORT GOMP_AMP_PART
#define AMP_PORT_INLINE GOMP_AMP_PART_INLINE

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
GOMP_AMP_PART gomp_mutex_t gomp_amp_site_lock;
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

GOMP_AMP_PART void gomp_amp_init_process (void);
GOMP_AMP_PART void gomp_amp_end_process (void);

/* How many threads the teams that run now have, of teams larger than one; the
   thread that starts a team inside another is counted once.  */
GOMP_AMP_PART unsigned gomp_amp_running;

/* The calling thread, as its first one, begins or ends a region of a team that
   adds NTHREADS to them.  */
GOMP_AMP_PART void gomp_amp_count_running (unsigned nthreads);
GOMP_AMP_PART void gomp_amp_discount_running (unsigned nthreads);

/* A copy of TEXT, for good: programs write over the environment that they were
   started with.  */
GOMP_AMP_PART char *gomp_amp_copy (const char *text);

/* The file with the name of LENGTH bytes at NAME, absolute: the program may
   change its folder.  NULL: no name.  */
GOMP_AMP_PART char *gomp_amp_file_name (const char *name, size_t length);

/* Open NAME for writing; its number is that of no standard stream.  Negative:
   errno says why not, ENXIO if nobody reads a pipe.  */
GOMP_AMP_PART int gomp_amp_open (const char *name, int flags);

/* For so long a file may keep the process waiting, in milliseconds.  */
#define GOMP_AMP_PATIENCE 5000

struct iovec;

/* Write the COUNT parts of IOV, which are changed; 0, or why not all of them
   could be.  */
GOMP_AMP_PART int gomp_amp_write (int fd, struct iovec *iov, int count);

/* A line on the standard error, in libgomp's form, that is lost where it cannot
   be written.  In place of gomp_error, which may end the process then.  */
GOMP_AMP_PART void gomp_amp_say (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));
#define gomp_error gomp_amp_say

/* Text that is written to a file, or to stderr if FILE is NULL.  */

struct gomp_amp_out
{
  const char *variable, *file;
  int fd;
  int error;			/* errno; what came after that is lost.  */
  size_t used;
  char text[2048];
};

GOMP_AMP_PART void
gomp_amp_out_open (struct gomp_amp_out *out, const char *variable,
		   const char *file);
GOMP_AMP_PART void
gomp_amp_print (struct gomp_amp_out *out, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* What went wrong is said.  */
GOMP_AMP_PART void gomp_amp_out_close (struct gomp_amp_out *out);

/* The calling thread reads and writes numbers as C does, whatever locale the
   program has set, until it leaves; what ENTER returns says how.  */
GOMP_AMP_PART locale_t gomp_amp_enter_c_locale (void);
GOMP_AMP_PART void gomp_amp_leave_c_locale (locale_t before);

/* Until the end of the hold the calling thread cannot be cancelled, and
   may change errno.  */
struct gomp_amp_held
{
  int cancel, error;
};

GOMP_AMP_PART struct gomp_amp_held gomp_amp_hold (void);
GOMP_AMP_PART void gomp_amp_hold_end (struct gomp_amp_held held);

/* gomp-amp-counters.c.  */

/* A sample shorter than this is enlarged.  */
#define GOMP_AMP_MIN_NANOSECONDS 5000

/* The same in ticks, about.  */
GOMP_AMP_PART uint64_t gomp_amp_min_ticks;

GOMP_AMP_PART void gomp_amp_init_clock (void);
GOMP_AMP_PART uint64_t gomp_amp_monotonic (void);

/* Nanoseconds a tick, as it was since the library was loaded.  */
GOMP_AMP_PART double gomp_amp_tick_length (void);

/* gomp-amp-cores.c.  What is written by the library's constructor only, before
   any team exists.  */

GOMP_AMP_PART struct amp_topology gomp_amp_topology;
GOMP_AMP_PART const char *
  gomp_amp_read_factors (const char *text, double *sf,
			 char message[AMP_MESSAGE_MAX]);
GOMP_AMP_PART struct amp_source gomp_amp_source;

/* Found when they are first asked for; constant from then on.  */
GOMP_AMP_PART struct amp_clusters gomp_amp_clusters;
GOMP_AMP_PART const struct amp_clusters *gomp_amp_find_clusters (void);
GOMP_AMP_PART gomp_mutex_t gomp_amp_clusters_lock;

/* gomp-amp-counters.c.  */

/* Of cache misses: section 3.4 of the libHetMP paper.  */
#define GOMP_AMP_MISS_LIMIT 3.0

/* What a page fault takes in nanoseconds, as `amp-info --calibrate' finds.  */
GOMP_AMP_PART double gomp_amp_fault_cost (void);
GOMP_AMP_PART void gomp_amp_init_costs (void);
GOMP_AMP_PART void gomp_amp_counters_after_fork (void);
GOMP_AMP_PART void gomp_amp_end_counters (void);

/* The types that the core is told of.  Where nothing is known of the CPUs,
   each is a type of its own, to be told apart by what is observed of it.  */
GOMP_AMP_PART unsigned gomp_amp_types;
GOMP_AMP_PART bool gomp_amp_observed_types;

/* The places are ours, and not those of OMP_PROC_BIND and its like: the
   program's threads are kept in them in regions alone (gomp-amp-mask.c).  */
GOMP_AMP_PART bool gomp_amp_own_places;

/* Type of place i, if GOMP_AMP_AFFINITY made the places; else NULL.  */
GOMP_AMP_PART unsigned char *gomp_amp_place_type;

/* Cluster of place i, likewise, for thieves; NULL also if there is only one,
   or nothing but core types tells them apart: a fast core that robs fast ones
   first leaves the slow ones' work for last.  */
GOMP_AMP_PART unsigned short *gomp_amp_place_cluster;

/* Types of the usable CPUs, fastest first: what threads that are not bound
   are taken to run on where SF is known.  Else NULL.  */
GOMP_AMP_PART unsigned char *gomp_amp_guessed_type;

/* SF of each type, if GOMP_AMP_SF gave it; else NULL.  */
GOMP_AMP_PART double *gomp_amp_sf;

/* ... if the machine says it, for loops of which nothing else is known; else
   NULL.  Only where GOMP_AMP_REPLACE names static.  */
GOMP_AMP_PART double *gomp_amp_machine_sf;

/* A file gave SF for single loops.  */
GOMP_AMP_PART bool gomp_amp_know_sf;

/* What GOMP_AMP_REPLACE puts in the place of explicit GFS_STATIC, GFS_DYNAMIC
   and GFS_GUIDED; kind 0: nothing.  */
GOMP_AMP_PART struct amp_schedule gomp_amp_replace[GFS_GUIDED + 1];

/* Loops with such a clause come here: it may be replaced, or they are seen.  */
GOMP_AMP_PART bool gomp_amp_takes[GFS_GUIDED + 1];

/* GOMP_AMP_REPORT is set.  */
GOMP_AMP_PART bool gomp_amp_reporting;

GOMP_AMP_PART char *gomp_amp_report_file;	/* NULL: to stderr.  */

/* What GOMP_AMP_TRACE records, and the files for it, or NULL.  */

enum gomp_amp_record
{
  GOMP_AMP_RECORD_CHUNKS,
  GOMP_AMP_RECORD_COSTS,
  GOMP_AMP_RECORD_REGIONS,
  GOMP_AMP_RECORD_SF,
  GOMP_AMP_RECORDS
};

GOMP_AMP_PART char *gomp_amp_record_file[GOMP_AMP_RECORDS];

/* True if chunks are traced or recorded, or loops reported.  */
GOMP_AMP_PART bool gomp_amp_watching;

/* True if loops whose schedule is libgomp's own come here as well: they are
   watched, or are to stay static at some sites, or shuffled.  */
GOMP_AMP_PART bool gomp_amp_sees_stock_loops;

/* True if there is more to do about a chunk than to hand it out: loops are
   watched, or threads held up.  */
GOMP_AMP_PART bool gomp_amp_slow_way;

/* GOMP_AMP is off.  */
GOMP_AMP_PART bool gomp_amp_off;

/* Find that out, unless it is known.  */
GOMP_AMP_PART void gomp_amp_init_off (void);

/* The tree to read instead of /sys, or NULL.  */
GOMP_AMP_PART char *gomp_amp_sysfs;

/* The user asked for a placement, or for none, by OpenMP's means.  */
GOMP_AMP_PART bool gomp_amp_placed;

/* What GOMP_AMP_DEBUG asks for: divisions that are drawn at random and threads
   that are held up, so that what a program relies on shows.  */
GOMP_AMP_PART struct
{
  bool shuffle;
  enum amp_draw_form form;
  uint64_t seed;
  uint64_t delay;		/* Nanoseconds; 0: none.  */
  bool verdicts;		/* Verdicts turn all the time.  */
} gomp_amp_check;

/* gomp-amp-settings.c and what gomp-amp-settings.h names.  */

/* The value of NAME, or NULL if it is unset or empty.  */
GOMP_AMP_PART const char *gomp_amp_getenv (const char *name);

/* Is VARIABLE set by somebody whose rights the program has?  */
GOMP_AMP_PART bool gomp_amp_secure_p (const char *variable);

#define GOMP_AMP_SETTING(NAME, READ, SHOW, VALUES, TEXT)		\
GOMP_AMP_PART const char *						\
gomp_amp_read_##READ (const char *value, char message[AMP_MESSAGE_MAX]); \
GOMP_AMP_PART void gomp_amp_show_##SHOW (const char *name);
#include "gomp-amp-settings.h"
#undef GOMP_AMP_SETTING

GOMP_AMP_PART void gomp_amp_init_places (void);
GOMP_AMP_PART void gomp_amp_init_speeds (void);
GOMP_AMP_PART bool gomp_amp_num_threads_p (void);
GOMP_AMP_PART void
gomp_amp_place_order (bool slowest_first, unsigned short cpus[AMP_MAX_CPUS]);
GOMP_AMP_PART_OF_TEAMS void gomp_amp_forget_types (void);
GOMP_AMP_PART_INLINE unsigned gomp_amp_type_of (int cpu);

/* gomp-amp-loop-table.c.  */

/* The process that loaded the library.  */
GOMP_AMP_PART pid_t gomp_amp_pid;

/* A gain below this part of the time is not worth a word in the report.  */
#define GOMP_AMP_WORTH 0.05

/* gomp-amp-loop-file.c.  */

/* A line of the file.  */

struct gomp_amp_line
{
  char *place;			/* As gomp_amp_place_name has it.  */
  unsigned number;		/* In the file.  */
  bool refused;			/* It was said.  */
  struct amp_schedule schedule;	/* Kind 0: none.  */
  double *sf;			/* Of each type, or NULL.  */
};

GOMP_AMP_PART unsigned gomp_amp_nlines;
GOMP_AMP_PART struct gomp_amp_line *gomp_amp_find_line (const char *name);
struct gomp_amp_request;
GOMP_AMP_PART void
gomp_amp_obey_line (struct gomp_amp_request *r, struct gomp_amp_line *line);
GOMP_AMP_PART_OF_TEAMS double gomp_amp_file_speed (unsigned type);

/* Bytes of a place's name, its end included.  */
#define GOMP_AMP_PLACE_MAX 300

GOMP_AMP_PART void
gomp_amp_place_name (const void *address, char name[GOMP_AMP_PLACE_MAX]);
GOMP_AMP_PART struct amp_site *
gomp_amp_find_site (const void *address, unsigned lanes, uint64_t n);
GOMP_AMP_PART_INLINE struct amp_site *
gomp_amp_look_up_site (const void *address, unsigned lanes, uint64_t n);
GOMP_AMP_PART struct gomp_amp_line *
gomp_amp_line_of (const struct amp_site *site);
GOMP_AMP_PART uint64_t
gomp_amp_draw_of (struct amp_site *site, uint64_t otherwise);
GOMP_AMP_PART void
gomp_amp_note_loop (struct amp_site *site, const struct amp_ops *ops,
		    const struct amp_setup *setup);
/* So many sites there are at most.  */
#define GOMP_AMP_MAX_SITES 32768

/* Store those of them that are WANTED in LIST.  How many there are.  */
GOMP_AMP_PART unsigned
gomp_amp_list_sites (struct amp_site **list,
		     bool (*wanted) (const struct amp_site *));

/* Of executions of loops that have none, of additions at once one's may be
   lost.  */
GOMP_AMP_PART uint64_t gomp_amp_unseen;

/* What the report says beyond what the site knows: after the site, in its
   memory.  Counts are written only if GOMP_AMP_REPORT is set, by relaxed
   atomics; of loops that begin at once, one's may be lost.  Read when the
   program ends.  */

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

static inline struct gomp_amp_note *
gomp_amp_note (const struct amp_site *site)
{
  return (struct gomp_amp_note *) ((char *) site
				   + amp_site_size (site->lanes, site->types));
}

GOMP_AMP_PART void gomp_amp_init_sites (void);

/* gomp-amp-report.c.  */

GOMP_AMP_PART void gomp_amp_report (void);
GOMP_AMP_PART void gomp_amp_write_record (void);

/* gomp-amp-workload.c.  */

struct gomp_amp_workload
{
  uint64_t number;		/* Its own, not 0.  */
  unsigned refs;
  unsigned n;
  unsigned cost[];
};

GOMP_AMP_PART void gomp_amp_init_named (void);
GOMP_AMP_PART gomp_mutex_t gomp_amp_named_lock;
GOMP_AMP_PART struct gomp_amp_workload *
gomp_amp_find_workload (unsigned ticket, const struct amp_site *site,
			unsigned long long n);
GOMP_AMP_PART void
gomp_amp_return_workload (struct gomp_amp_workload *workload);

/* gomp-amp-spin.c.  */

/* Waits that a meeting throttles: a loop has few.  */
#define GOMP_AMP_SHORT_WAITS 16

GOMP_AMP_PART_INLINE bool gomp_amp_unbound_p (void);
GOMP_AMP_PART_INLINE unsigned gomp_amp_arrive (struct gomp_thread *thr);

/* gomp-amp-mask.c.  */

/* The only place is one of all CPUs that threads may be on.  */
GOMP_AMP_PART bool gomp_amp_any_cpu;
GOMP_AMP_PART cpu_set_t *gomp_amp_process_mask;

GOMP_AMP_PART void gomp_amp_init_mask (void);
GOMP_AMP_PART bool gomp_amp_set_mask (const cpu_set_t *set);
GOMP_AMP_PART void gomp_amp_mask_after_fork (void);

/* THR, the calling thread, begins and ends a region as its team's first
   one.  */
GOMP_AMP_PART_INLINE void gomp_amp_enter_region (struct gomp_thread *thr);
GOMP_AMP_PART_INLINE void gomp_amp_leave_region (struct gomp_thread *thr);

/* Weighted teams.  */

#include "gomp-amp-team-wait.h"

/* gomp-amp-report.c.  */

/* Barriers inside of regions, of weighted teams, that the calling thread has
   come to since it was zero.  */
GOMP_AMP_PART GOMP_AMP_THREAD unsigned gomp_amp_barriers_met;

GOMP_AMP_PART void gomp_amp_init_regions (void);
GOMP_AMP_PART_INLINE void
gomp_amp_region_begins (struct gomp_thread *thr, struct gomp_team *team);
GOMP_AMP_PART_INLINE void
gomp_amp_region_ends (struct gomp_thread *thr, struct gomp_team *team);
GOMP_AMP_PART bool gomp_amp_regions_told_p (void);
GOMP_AMP_PART void gomp_amp_report_regions (struct gomp_amp_out *out);
GOMP_AMP_PART void gomp_amp_record_regions (void);

/* gomp-amp-report.c.  */

GOMP_AMP_PART const char *gomp_amp_beside (void);
GOMP_AMP_PART void gomp_amp_init_beside (void);
GOMP_AMP_PART void gomp_amp_report_beside (struct gomp_amp_out *out);

/* gomp-amp-workshare.c.  */

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

GOMP_AMP_PART void gomp_amp_init_pool (void);
GOMP_AMP_PART void gomp_amp_pool_after_fork (void);
GOMP_AMP_PART struct amp_plan *
gomp_amp_block_plan (struct gomp_amp_block *block, unsigned number);
GOMP_AMP_PART struct gomp_amp_block *
gomp_amp_block_of (struct gomp_work_share *ws, struct gomp_team *team,
		   unsigned lanes);
GOMP_AMP_PART void *
gomp_amp_get_extra (struct gomp_amp_block *block, size_t size);
GOMP_AMP_PART bool gomp_amp_crowded_p (struct gomp_team *team, unsigned lanes);

/* gomp-amp-loop-schedule.c.  */

/* A loop that begins.  */
struct gomp_amp_request
{
  struct gomp_amp_from from;
  /* All that a decision about it goes by which may change from one execution to
     the next, but for its threads, iterations, site, and crowds.  */
  struct amp_asked asked;
  /* Its schedule: one of libgomp's own, of the core's, or GFS_AMP_AUTO; and
     that one's chunk, or first parameter.  */
  int sched;
  unsigned long long chunk;
  /* What GOMP_AMP_REPLACE puts in the place of that, or NULL.  */
  const struct amp_schedule *replacement;
  unsigned hints;		/* enum gomp_amp_hint.  */
  uint64_t n;			/* Its iterations.  */
  unsigned lanes;		/* The threads of its team.  */
  /* A program that is right with static relies on static's division of it.
     Nothing is known of loops that ask for another.  With as many threads as
     iterations their bodies may wait for each other.  */
  bool relies_on_static;
  bool is_observed;		/* If it was recalled.  */
  bool even;			/* The schedule comes to static's division,
				   and libgomp's own code for that cannot do
				   all loops.  */
};

/* There is nothing, constant from the program's beginning, for which each loop
   has to be decided about anew.  */
GOMP_AMP_PART bool gomp_amp_keeps;

/* R is a loop of N iterations that TEAM runs and that comes FROM there.  */
GOMP_AMP_PART_INLINE void
gomp_amp_make_request (struct gomp_amp_request *r, struct gomp_team *team,
		       struct gomp_amp_from from, uint64_t n);

/* R, of TEAM's, begins on WS: what is left there if it may begin as the last
   one of its site did, else NULL.  */
GOMP_AMP_PART_INLINE struct amp_plan *
gomp_amp_recall (struct gomp_work_share *ws, struct gomp_team *team,
		 struct gomp_amp_request *r);

/* Else: find out what schedule holds for R, whose clause says SCHED and
   CHUNK.  */
GOMP_AMP_PART_INLINE void
gomp_amp_find_schedule (struct gomp_amp_request *r, long sched,
			unsigned long long chunk);
GOMP_AMP_PART_INLINE int gomp_amp_own_kind (int kind);
GOMP_AMP_PART_INLINE const struct amp_schedule *
gomp_amp_replaces (int sched, enum gomp_amp_arrival how);
GOMP_AMP_PART_INLINE bool
gomp_amp_left_to_stock_p (const struct gomp_amp_request *r);
GOMP_AMP_PART_INLINE bool
gomp_amp_replaced_static_p (const struct gomp_amp_request *r);

/* gomp-amp-partition.c.  */

/* static's division, for any loop and team.  */
GOMP_AMP_PART struct amp_plan gomp_amp_even_plan;

GOMP_AMP_PART_INLINE void
gomp_amp_set_plan (struct gomp_work_share *ws, struct amp_plan *plan);
GOMP_AMP_PART_INLINE struct amp_plan *
gomp_amp_plan_of (const struct gomp_work_share *ws);
GOMP_AMP_PART struct amp_plan *
gomp_amp_find_plan (enum amp_blocks blocks, struct gomp_amp_block *block,
		    struct gomp_team *team, struct amp_setup *setup,
		    const struct gomp_amp_request *r);
GOMP_AMP_PART_INLINE bool
gomp_amp_take_even_block (struct gomp_thread *thr, uint64_t n,
			  struct amp_chunk *chunk);
GOMP_AMP_PART_INLINE bool
gomp_amp_take_block (struct amp_plan *plan, uint64_t n,
		     struct amp_chunk *chunk);

/* gomp-amp-energy.c.  */

GOMP_AMP_PART_INLINE const struct amp_goal *gomp_amp_goal_of (void);
GOMP_AMP_PART_INLINE void gomp_amp_idle (void);
GOMP_AMP_PART void
gomp_amp_report_cores (struct amp_site **sites, unsigned n,
		       double (*iterations) (const struct amp_site *),
		       struct gomp_amp_out *out);

/* gomp-amp-loop-schedule.c.  */

/* run-sched-var where the runtime chooses.  */
GOMP_AMP_PART struct gomp_task_icv gomp_amp_auto_icv;

/* Begin R on WS as PLAN, which was recalled, has it.  */
GOMP_AMP_PART_INLINE void
gomp_amp_begin_again (struct gomp_work_share *ws,
		      const struct gomp_amp_request *r, struct amp_plan *plan);

/* Begin loop R on WS.  False if it is libgomp's own affair.  */
GOMP_AMP_PART bool
gomp_amp_begin (struct gomp_work_share *ws, struct gomp_team *team,
		struct gomp_amp_request *r);

/* gomp-amp-loop-chunks.c.  */

/* CHUNK of a loop of N iterations from START to END by INCR as bounds.  */
GOMP_AMP_PART_INLINE void
gomp_amp_bounds (long start, long end, long incr,
		 const struct amp_chunk *chunk, uint64_t n, long *pstart,
		 long *pend);
GOMP_AMP_PART_INLINE void
gomp_amp_ull_bounds (unsigned long long start, unsigned long long end,
		     unsigned long long incr, const struct amp_chunk *chunk,
		     uint64_t n, unsigned long long *pstart,
		     unsigned long long *pend);

/* Hold up the thread of LANE, before its first chunk (AFTER 0) or after its
   last one (1), if BLOCK's draw says so.  */
GOMP_AMP_PART void
gomp_amp_hold_up (const struct gomp_amp_block *block,
		  const struct amp_lane *lane, unsigned after);

/* Take a chunk for the calling thread; *BEFORE: what state its lane was in.  */
GOMP_AMP_PART_INLINE bool
gomp_amp_enter_and_take (struct gomp_work_share *ws, struct amp_loop *loop,
			 struct amp_lane *lane, struct amp_chunk *chunk,
			 unsigned *before);

GOMP_AMP_PART_INLINE uint64_t gomp_amp_trips (long start, long end, long incr);
GOMP_AMP_PART_INLINE uint64_t
gomp_amp_ull_trips (bool up, unsigned long long start, unsigned long long end,
		    unsigned long long incr);
GOMP_AMP_PART_INLINE void
gomp_amp_chunk_bounds (const struct gomp_work_share *ws,
		       const struct amp_chunk *chunk, uint64_t n, long *pstart,
		       long *pend);
GOMP_AMP_PART_INLINE void
gomp_amp_ull_chunk_bounds (const struct gomp_work_share *ws,
			   const struct amp_chunk *chunk, uint64_t n,
			   unsigned long long *pstart,
			   unsigned long long *pend);
GOMP_AMP_PART_INLINE uint64_t
gomp_amp_plan_trips (const struct gomp_work_share *ws,
		     const struct amp_plan *plan);
GOMP_AMP_PART_INLINE uint64_t
gomp_amp_ull_plan_trips (const struct gomp_work_share *ws,
			 const struct amp_plan *plan);

/* gomp-amp-trace.c.  */

/* libgomp's own schedules, as observers of loops know them: static, dynamic and
   guided.  Their code is libgomp's.  */
GOMP_AMP_PART const struct amp_ops gomp_amp_stock_ops[GFS_GUIDED + 1];

GOMP_AMP_PART void
gomp_amp_watch_stock (struct gomp_work_share *ws,
		      const struct gomp_amp_request *r,
		      unsigned long long start);
GOMP_AMP_PART bool
gomp_amp_watched_bounds (struct gomp_work_share *ws, long *pstart, long *pend);
GOMP_AMP_PART bool
gomp_amp_ull_watched_bounds (struct gomp_work_share *ws,
			     unsigned long long *pstart,
			     unsigned long long *pend);

/* gomp-amp-loop-start.c.  */

GOMP_AMP_PART void gomp_amp_init_bare (void);
GOMP_AMP_PART_INLINE bool gomp_amp_may_judge_p (void);
GOMP_AMP_PART_INLINE bool
gomp_amp_judged_p (const struct gomp_amp_request *r);
GOMP_AMP_PART void gomp_amp_judge_site (struct amp_site *site);
GOMP_AMP_PART void gomp_amp_note_choice (void);
GOMP_AMP_PART void gomp_amp_begin_agreeing (struct gomp_team *team);

/* gomp-amp-alone.c.  */

/* The compiler said GOMP_AMP_HINT_ANY_TEAM of the region that the calling
   thread begins.  */
GOMP_AMP_PART void gomp_amp_note_any_team (void);

/* THR, the calling thread, begins the loop of N iterations at ADDRESS, which
   has no clause, nor, if BARE, a work share.  */
GOMP_AMP_PART_INLINE void
gomp_amp_note_trips (struct gomp_thread *thr, const void *address, uint64_t n,
		     bool bare);

/* gomp-amp-trace.c.  */

/* True if GOMP_AMP_TRACE asks for chunks or costs; false again when the spools
   are being closed.  */
GOMP_AMP_PART bool gomp_amp_tracing;

/* The latter is set.  */
GOMP_AMP_PART bool gomp_amp_recording_costs;

GOMP_AMP_PART const struct amp_ops gomp_amp_record_ops;

GOMP_AMP_PART void gomp_amp_init_trace (void);
/* What divides a loop: a schedule of the core, a plan, or libgomp's own
   code.  */
enum gomp_amp_way
{
  GOMP_AMP_BY_CORE,
  GOMP_AMP_BY_PLAN,
  GOMP_AMP_BY_LIBGOMP
};

GOMP_AMP_PART void
gomp_amp_trace_begin (struct gomp_amp_block *block, enum gomp_amp_way way,
		      unsigned lanes, uint64_t n);

GOMP_AMP_PART void gomp_amp_close_spools (void);
GOMP_AMP_PART void gomp_amp_end_tracing (void);
GOMP_AMP_PART void gomp_amp_spools_after_fork (void);
GOMP_AMP_PART const char *gomp_amp_kind_name (unsigned kind);

/* When the library was loaded, if loops are watched.  */
GOMP_AMP_PART uint64_t gomp_amp_begun_ticks, gomp_amp_begun_ns;

#endif

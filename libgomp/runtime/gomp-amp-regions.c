/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's tally of parallel regions, while GOMP_AMP_TRACE asks for
   it or GOMP_AMP_REPORT is set: how many there were, how long they took, and, of
   weighted teams, whether switching between the threads of a CPU took more of
   that than balance gained.  Of teams of the outermost level that have several
   threads, or as many as there are by default.

   All totals are relaxed atomics (where there are none of 64 bits, additions of
   two threads at once may be lost), read when the program ends.  */

#include "gomp-amp-glue.h"

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

static void
gomp_amp_init_regions (void)
{
  gomp_amp_tallying = (gomp_amp_reporting
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

static inline void
gomp_amp_region_begins (struct gomp_thread *thr, struct gomp_team *team)
{
  if (gomp_amp_region_counts_p (thr, team))
    {
      gomp_amp_barriers_met = 0;
      gomp_amp_tally_begun = amp_ticks ();
    }
}

static inline void
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

static bool
gomp_amp_regions_told_p (void)
{
  return gomp_amp_weighted.places_teams && gomp_amp_tally.regions != 0;
}

/* For GOMP_AMP_REPORT: what weighted teams did, and what else would take less
   time, if equal blocks of work that no memory slows down are all there is.  */

static void
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

static bool
gomp_amp_regions_told_p (void)
{
  return false;
}

static void
gomp_amp_report_regions (struct gomp_amp_out *out __attribute__ ((unused)))
{
}

#endif

/* One line a process, as processes may append theirs: regions, seconds in them,
   most threads of a team.  */

static void
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

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's part of GOMP_AMP_ENERGY: what the user asks for, and how those
   wait that are left out.  Which cores those are is the core's affair: see
   amp-goal.c.  */

#include "gomp-amp-glue.h"

/* In force if GOMP_AMP_ENERGY says so and the types are known.  Constant after
   the library's constructor.  */
static struct amp_goal gomp_amp_goal;
static bool gomp_amp_saves;

static enum amp_goal_kind gomp_amp_goal_kind;
static bool gomp_amp_watts_known;

GOMP_AMP_PART const char *
gomp_amp_read_energy (const char *value, char message[AMP_MESSAGE_MAX])
{
  const char *wrong;

  if (value == NULL)
    return NULL;
  wrong = amp_parse_energy (value, gomp_amp_topology.types,
			    &gomp_amp_goal_kind, gomp_amp_goal.busy,
			    gomp_amp_goal.idle, message);
  gomp_amp_watts_known = wrong == NULL;
  gomp_amp_goal.delay_counts = gomp_amp_goal_kind == AMP_GOAL_EDP;
  gomp_amp_saves = (wrong == NULL && gomp_amp_goal_kind != AMP_GOAL_TIME
		    && gomp_amp_types >= 2 && !gomp_amp_observed_types);
  return wrong;
}

/* What the core is told of a loop.  */

GOMP_AMP_PART_INLINE const struct amp_goal *
gomp_amp_goal_of (void)
{
  return __builtin_expect (gomp_amp_saves, 0) ? &gomp_amp_goal : NULL;
}

/* The calling thread has had nothing of a loop: it waits for who has.  Where
   that is the goal's doing, it sleeps rather than spins.  */

GOMP_AMP_PART_INLINE void
gomp_amp_idle (void)
{
#ifdef HAVE_TLS
  if (__builtin_expect (gomp_amp_saves, 0)
      && gomp_amp_short_waits < GOMP_AMP_SHORT_WAITS)
    gomp_amp_short_waits++;
#endif
}

/* What the loops of a program come to, and would on the fastest type alone.  */

struct gomp_amp_total
{
  double ticks, big_ticks;
  double joules, big_joules;	/* Ticks times watts.  */
};

/* Add SITE's loops of ITERATIONS to TOTAL.  False if it is not known what they
   take on the fastest type, or whether there is another.  */

static bool
gomp_amp_total_site (struct gomp_amp_total *total, struct amp_site *site,
		     double iterations)
{
  double time = amp_bits_double (site->time) * iterations;
  double busy = amp_bits_double (site->imbalance), power = 0.0, big;
  double cost = amp_bits_double (amp_site_costs (site)[0]);
  unsigned i, nbig = 0;

  for (i = 0; i < site->lanes; i++)
    {
      uint64_t seen = amp_site_seen (site)[i];

      if (seen == 0 || seen > site->types)
	return false;
      nbig += seen == 1;
      /* The mean lane is busy for one part in imbalance.  */
      power += (gomp_amp_goal.idle[seen - 1]
		+ (gomp_amp_goal.busy[seen - 1]
		   - gomp_amp_goal.idle[seen - 1]) / busy);
    }
  if (nbig == 0 || nbig == site->lanes || !(cost > 0.0) || !(busy >= 1.0))
    return false;
  big = cost * iterations / nbig;
  total->ticks += time;
  total->big_ticks += big;
  total->joules += time * power;
  total->big_joules += big * nbig * gomp_amp_goal.busy[0];
  return true;
}

/* Would the N SITES, each of which has run ITERATIONS (site), have done better
   on the fastest cores alone?  Then say so in OUT.  */

GOMP_AMP_PART void
gomp_amp_report_cores (struct amp_site **sites, unsigned n,
		       double (*iterations) (const struct amp_site *),
		       struct gomp_amp_out *out)
{
  struct gomp_amp_total t = { 0.0, 0.0, 0.0, 0.0 };
  double ms = gomp_amp_tick_length () / 1e6;
  unsigned i;

  if (gomp_amp_types < 2 || gomp_amp_observed_types)
    return;
  for (i = 0; i < n; i++)
    if (!gomp_amp_total_site (&t, sites[i], iterations (sites[i])))
      return;
  if (n == 0
      || (t.big_ticks > t.ticks * (1.0 - GOMP_AMP_WORTH)
	  && t.big_joules >= t.joules * (1.0 - GOMP_AMP_WORTH)))
    return;
  gomp_amp_print (out, "libgomp: cores: loops take %.3f ms, on the fastest "
		  "cores alone about %.3f ms", t.ticks * ms, t.big_ticks * ms);
  if (t.joules > 0.0)
    gomp_amp_print (out, ", and %.4f J, there about %.4f J",
		    t.joules * ms / 1e3, t.big_joules * ms / 1e3);
  gomp_amp_print (out, "; hint: GOMP_AMP_CORES=big\n");
}

GOMP_AMP_PART void
gomp_amp_show_energy (const char *name __attribute__ ((unused)))
{
  static const char *const goals[] = { "TIME", "ENERGY", "EDP" };
  unsigned j;

  fputs (goals[gomp_amp_saves ? gomp_amp_goal_kind : AMP_GOAL_TIME], stderr);
  for (j = 0; gomp_amp_watts_known && j < gomp_amp_topology.types; j++)
    fprintf (stderr, ",%.3f/%.3f", gomp_amp_goal.busy[j],
	     gomp_amp_goal.idle[j]);
}

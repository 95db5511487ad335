/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   auto: the schedule of a site's loops, chosen from what was observed there.

   The first execution runs under the default schedule: aid_hybrid where there
   are several core types, else static.  Then candidates are tried in a fixed
   order, the default first, AMP_AUTO_RUNS to AMP_AUTO_MAX_RUNS executions
   each, and the search settles on the least time per iteration.  What keeps
   the search short and cheap:
   - A candidate is passed over if the observed speeds foretell that it is
     worse (static), if the default leaves nothing to gain (all lanes finish
     together under static), if the loop has too few iterations for it, or if a
     lane's are to ascend and would not (ich).  Over eight loads on seven
     machines that costs 0.4 % on average in simulation, and 14 % at most.
   - A candidate is dropped before its runs are complete once it is clearly
     worse than the best, the sooner the clearer.
   - What trials take beyond the best schedule known at the time, the next
     one counted as AMP_AUTO_RISK of an execution, must stay below
     AMP_AUTO_BUDGET of what the site has taken in all; a loop executed a few
     times therefore stays with the default.  Where all lanes finish together
     there is little to gain, and the next trial is counted as
     AMP_AUTO_BALANCED_RISK.  Where the default is static, the sum must also
     stay below AMP_AUTO_STAKE of what its imbalance leaves to gain: on cores
     that are alike little is risked.
   - A loop that lasts less than min_ticks, a few microseconds, is not worth a
     search: it gets static, or aid_static where there are several types.
   - After AMP_AUTO_MAX_TRIALS executions the search settles come what may.
   It settles on the first of static, aid_static, aid_hybrid, aid_dynamic and
   ich that is within a margin of the best (AMP_AUTO_MARGIN, or
   AMP_AUTO_SHORT_MARGIN for loops so short that noise exceeds it; twice as
   much speaks for static where that is the default).  So a site
   does not stay with a choice slower than static where static was tried;
   where it was not, the observed speeds foretold that it is slower.

   A change of the chosen schedule's time by more than AMP_AUTO_STRANGE,
   AMP_AUTO_STRANGE_RUNS times in a row, opens the search again, unless the loop
   is so short that this may be noise, and so does every AMP_AUTO_LIFE-th
   observation.

   In simulation: a loop that becomes uneven reaches 0.98 of the ideal, and 0.51
   where its time does not open the search; one in which only others become
   better above 0.985, and 0.97 where its age does not (sim's `changes').
   Without a look at the imbalance auto takes 0.8 % longer for 23 recorded
   kernels.  */

#define AMP_AUTO_RUNS 3
#define AMP_AUTO_MAX_RUNS 16
#define AMP_AUTO_BUDGET 0.04
#define AMP_AUTO_STAKE 0.1
#define AMP_AUTO_RISK 0.25
#define AMP_AUTO_BALANCED_RISK 1.0
#define AMP_AUTO_MAX_TRIALS 64
#define AMP_AUTO_MARGIN 0.02
#define AMP_AUTO_SHORT_MARGIN 0.08
#define AMP_AUTO_BALANCED 1.04
#define AMP_AUTO_STRANGE 1.25
#define AMP_AUTO_STRANGE_RUNS 6
#define AMP_AUTO_LIFE 1024

/* Open the search again.  */

static void
amp_site_unsettle (struct amp_site *site)
{
  unsigned c;

  AMP_STORE (&site->settled_choice, 0, AMP_RELAXED);
  AMP_STORE (&site->strange_observations, 0, AMP_RELAXED);
  for (c = 0; c < AMP_CHOICES; c++)
    AMP_STORE (&site->trial[c].runs, 0, AMP_RELAXED);
}

/* The mean time per iteration under C without the worst of at least three
   runs; 0.0 if there was no run.  */

static double
amp_trial_mean (struct amp_site *site, unsigned c)
{
  struct amp_trial *trial = &site->trial[c];
  uint64_t runs = AMP_LOAD (&trial->runs, AMP_RELAXED);
  double total = amp_load_double (&trial->total);

  if (runs == 0)
    return 0.0;
  if (runs >= 3)
    {
      total -= amp_load_double (&trial->most);
      runs--;
    }
  return total / (double) runs;
}

/* The least mean of all that were tried, but for EXCEPT; 0.0 if there is
   none.  */

static double
amp_trial_best (struct amp_site *site, unsigned except)
{
  double best = 0.0;
  unsigned c;

  for (c = 0; c < AMP_CHOICES; c++)
    if (c != except)
      {
	double mean = amp_trial_mean (site, c);
	if (mean > 0.0 && (best == 0.0 || mean < best))
	  best = mean;
      }
  return best;
}

/* Take note that a loop of N iterations took TIME per iteration under C.  */

static void
amp_site_judge (struct amp_site *site, unsigned c, double time, double n)
{
  struct amp_trial *trial = &site->trial[c];
  uint64_t settled = AMP_LOAD (&site->settled_choice, AMP_RELAXED);
  uint64_t runs = AMP_LOAD (&trial->runs, AMP_RELAXED);
  uint64_t executions = AMP_LOAD (&site->observed_executions, AMP_RELAXED);
  double best;

  if (settled == c + 1u)
    {
      uint64_t strange = AMP_LOAD (&site->strange_observations, AMP_RELAXED);
      double expected = amp_trial_mean (site, c);
      bool odd = (!amp_site_short_p (site, n)
		  && (time > expected * AMP_AUTO_STRANGE
		      || time < expected / AMP_AUTO_STRANGE));

      AMP_STORE (&site->strange_observations, odd ? strange + 1 : 0,
		 AMP_RELAXED);
      if (strange + odd >= AMP_AUTO_STRANGE_RUNS
	  || executions % AMP_AUTO_LIFE == 0)
	amp_site_unsettle (site);
      return;
    }
  if (settled != 0)
    return;
  best = amp_trial_best (site, AMP_CHOICES);
  if (best > 0.0)
    {
      /* With its sign, so that noise cancels out; C's own mean counts, lest
	 each execution under the best schedule pays a trial back.  */
      double excess = amp_load_double (&site->excess) + (time - best) * n;
      amp_store_double (&site->excess, excess > 0.0 ? excess : 0.0);
    }
  if (runs == 0)
    {
      amp_store_double (&trial->total, time);
      amp_store_double (&trial->most, time);
    }
  else
    {
      amp_store_double (&trial->total,
			amp_load_double (&trial->total) + time);
      if (time > amp_load_double (&trial->most))
	amp_store_double (&trial->most, time);
    }
  AMP_STORE (&trial->runs, runs + 1, AMP_RELAXED);
}

/* How much longer static takes than a division by the observed speeds; 1 if
   some lane's speed is unknown.  */

static double
amp_site_static_ratio (struct amp_site *site,
		       const unsigned char *lane_type)
{
  double most = 0.0, rate = 0.0;
  unsigned i;

  for (i = 0; i < site->lanes; i++)
    {
      uint64_t type = AMP_LOAD (&amp_site_seen (site)[i], AMP_RELAXED);
      double cost;

      if (type == 0 && lane_type != NULL)
	type = lane_type[i] + UINT64_C (1);
      cost = (type == 0 || type > site->types ? 0.0
	      : amp_load_double (&amp_site_costs (site)[type - 1]));
      if (cost == 0.0)
	return 1.0;
      rate += 1.0 / cost;
      if (cost > most)
	most = cost;
    }
  return most * rate / (double) site->lanes;
}

/* Executions that a trial needs: more for loops that are short beside the
   clock and whatever interrupts them.  */

static uint64_t
amp_auto_runs (struct amp_site *site, uint64_t n)
{
  double time = amp_load_double (&site->time) * (double) n;
  double long_enough = 100.0 * (double) AMP_LOAD (&site->min_ticks,
						  AMP_RELAXED);

  if (time * AMP_AUTO_RUNS >= long_enough)
    return AMP_AUTO_RUNS;
  if (time * AMP_AUTO_MAX_RUNS <= long_enough)
    return AMP_AUTO_MAX_RUNS;
  return (uint64_t) (long_enough / time) + 1;
}

/* Is another trial of C worth while?  FIRST is the default, which needs
   NEEDED runs, as C does.  ANY_ORDER: as for amp_site_choose.  */

static bool
amp_auto_worth_p (struct amp_site *site, unsigned c, unsigned first,
		  uint64_t needed, double static_ratio, uint64_t n,
		  bool any_order)
{
  uint64_t runs = AMP_LOAD (&site->trial[c].runs, AMP_RELAXED);
  double mean, best;

  if (runs >= needed
      || (!any_order && !(amp_choices[c]->flags & AMP_MONOTONIC)))
    return false;
  if (c == first)
    return true;
  best = amp_trial_best (site, c);
  if (first == AMP_CHOICE_STATIC)
    {
      /* Nothing to gain.  */
      if (amp_load_double (&site->imbalance) < AMP_AUTO_BALANCED
	  && amp_trial_mean (site, first) <= best)
	return false;
      /* The same as static.  */
      if (c == AMP_CHOICE_AID_STATIC && static_ratio < AMP_AUTO_BALANCED)
	return false;
    }
  if (c == AMP_CHOICE_STATIC && static_ratio > AMP_AUTO_STRANGE)
    return false;
  if (c >= AMP_CHOICE_AID_HYBRID && n < 4 * (uint64_t) site->lanes)
    return false;
  mean = amp_trial_mean (site, c);
  return runs == 0 || mean <= best * (1.0 + 0.3 / (double) (runs + 1));
}

/* Has everything been tried that is worth while?  */

static bool
amp_auto_complete_p (struct amp_site *site, const unsigned char *order,
		     uint64_t needed, double static_ratio, uint64_t n,
		     bool any_order)
{
  unsigned i;

  for (i = 0; i < AMP_CHOICES; i++)
    if (amp_auto_worth_p (site, order[i], order[0], needed, static_ratio, n,
			  any_order))
      return false;
  return true;
}

/* May a loop of N iterations be spent on a trial of other than FIRST, the
   default?  */

static bool
amp_auto_affordable_p (struct amp_site *site, unsigned first, uint64_t n)
{
  double best = amp_trial_best (site, AMP_CHOICES);
  double imbalance = amp_load_double (&site->imbalance);
  double risk = (imbalance < AMP_AUTO_BALANCED ? AMP_AUTO_BALANCED_RISK
		 : AMP_AUTO_RISK);
  double budget = AMP_AUTO_BUDGET;

  if (first == AMP_CHOICE_STATIC)
    {
      double stake = AMP_AUTO_STAKE * (imbalance - 1.0);
      if (stake < budget)
	budget = stake;
    }
  return (amp_load_double (&site->excess) + risk * best * (double) n
	  <= budget * amp_load_double (&site->spent));
}

/* End the search with CHOICE.  */

static void
amp_site_settle (struct amp_site *site, unsigned choice)
{
  AMP_STORE (&site->searches,
	     AMP_LOAD (&site->searches, AMP_RELAXED) + 1, AMP_RELAXED);
  AMP_STORE (&site->settled_choice, choice + 1u, AMP_RELAXED);
}

static enum amp_choice
amp_site_choose (struct amp_site *site, uint64_t n,
		 const unsigned char *lane_type, bool types_known,
		 bool any_order, uint64_t salt, bool *observe)
{
  static const unsigned char order[2][AMP_CHOICES] = {
    { AMP_CHOICE_STATIC, AMP_CHOICE_AID_STATIC, AMP_CHOICE_AID_HYBRID,
      AMP_CHOICE_AID_DYNAMIC, AMP_CHOICE_ICH },
    { AMP_CHOICE_AID_HYBRID, AMP_CHOICE_AID_STATIC, AMP_CHOICE_AID_DYNAMIC,
      AMP_CHOICE_ICH, AMP_CHOICE_STATIC }
  };
  uint64_t settled = AMP_LOAD (&site->settled_choice, AMP_RELAXED);
  uint64_t needed, trials;
  double ratio, best, margin;
  unsigned i, c, choice;
  bool found = false;

  if (settled != 0)
    {
      *observe = amp_site_due (site, salt);
      return (enum amp_choice) (settled - 1);
    }
  *observe = true;
  choice = order[types_known][0];
  if (AMP_LOAD (&site->observations, AMP_RELAXED) == 0)
    return (enum amp_choice) choice;
  if (amp_load_double (&site->time) * (double) n
      < (double) AMP_LOAD (&site->min_ticks, AMP_RELAXED)
      && AMP_LOAD (&site->observations, AMP_RELAXED) >= AMP_AUTO_RUNS)
    {
      choice = types_known ? AMP_CHOICE_AID_STATIC : AMP_CHOICE_STATIC;
      amp_site_settle (site, choice);
      return (enum amp_choice) choice;
    }
  needed = amp_auto_runs (site, n);
  ratio = amp_site_static_ratio (site, lane_type);
  for (i = 0; i < AMP_CHOICES; i++)
    if (amp_auto_worth_p (site, order[types_known][i], choice, needed, ratio, n,
			  any_order)
	&& (i == 0 || amp_auto_affordable_p (site, choice, n)))
      return (enum amp_choice) order[types_known][i];

  best = amp_trial_best (site, AMP_CHOICES);
  margin = (needed == AMP_AUTO_RUNS ? AMP_AUTO_MARGIN
	    : AMP_AUTO_SHORT_MARGIN);
  for (c = 0, trials = 0; c < AMP_CHOICES; c++)
    {
      double mean = amp_trial_mean (site, c);

      trials += AMP_LOAD (&site->trial[c].runs, AMP_RELAXED);
      if (!found && mean > 0.0
	  && mean <= best * (1.0 + (c == AMP_CHOICE_STATIC && choice == c
				    ? 2.0 * margin : margin)))
	{
	  choice = c;
	  found = true;
	}
    }
  /* A search that the budget has cut short goes on when more time has been
     spent; what is best so far will do until then.  */
  if (amp_auto_complete_p (site, order[types_known], needed, ratio, n,
			   any_order)
      || trials >= AMP_AUTO_MAX_TRIALS)
    amp_site_settle (site, choice);
  return (enum amp_choice) choice;
}

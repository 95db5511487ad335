/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which types of cores a loop leaves out where the user asks for little energy,
   or little energy times delay.

   On the cores S a loop of W iterations takes W / R, R being the sum of their
   speeds, at a power of P = sum of what those in S draw while they are busy,
   and of what the others draw while they are idle: its energy is W P / R, its
   energy times delay W^2 P / R^2.  A core of type j adds b_j to P (busy less
   idle) and r_j to R.

   Let cores take part in any fractions.  As functions of one type's fraction
   both have no minimum between none and all: of P / R the derivative has one
   sign, of P / R^2 it goes from positive to negative, if at all.  So a best S
   has each type whole or not at all.  For any R the least P is had by the
   types with the least b_j / r_j, all but one of them whole; so the best S, in
   which all are, is one of the sets of the cheapest types.  There are no more
   of these than types.

   That lanes wait for each other at the end is left out, since blocks are by
   speed.  */

#include "amp-decide.h"

/* Is what SITE has observed of the types' speeds enough to decide by?  Where
   iterations differ, types are told apart by which iterations they had.  */

static bool
amp_goal_informed_p (struct amp_site *site)
{
  return (AMP_LOAD (&site->observations, AMP_RELAXED) != 0
	  && AMP_LOAD (&site->costs_guessed, AMP_RELAXED) == 0
	  && AMP_LOAD (&site->pool_failed, AMP_RELAXED) == 0
	  && AMP_LOAD (&site->iterations_uneven, AMP_RELAXED) == 0);
}

/* What the types of SETUP are worth: RATE of each lane, and how many there are.
   False if one with lanes is not known.  */

static bool
amp_goal_rates (const struct amp_setup *setup, double *rate,
		unsigned *lanes_of)
{
  unsigned i, j;

  if (setup->sf != NULL)
    memcpy (rate, setup->sf, setup->types * sizeof *rate);
  else if (!amp_site_sf (setup->site, false, rate))
    return false;
  for (j = 0; j < setup->types; j++)
    lanes_of[j] = 0;
  for (i = 0; i < setup->lanes; i++)
    {
      j = amp_expected_type (setup, i);
      if (j == setup->types || !(rate[j] > 0.0))
	return false;
      lanes_of[j]++;
    }
  return true;
}

/* A bit for each type of SETUP whose cores are to run nothing; 0: none, or not
   enough is known.  */

static uint64_t
amp_goal_leaves_out (const struct amp_goal *goal,
		     const struct amp_setup *setup)
{
  double rate[AMP_MAX_TYPES], power = 0.0, sum = 0.0, best = 0.0;
  unsigned lanes_of[AMP_MAX_TYPES], j;
  uint64_t in = 0, chosen = 0, all = 0;

  if (setup->site == NULL || setup->crowded || setup->types == 1
      || setup->observed_types
      || (setup->sf == NULL && !amp_goal_informed_p (setup->site))
      || !amp_goal_rates (setup, rate, lanes_of))
    return 0;
  for (j = 0; j < setup->types; j++)
    {
      power += lanes_of[j] * goal->idle[j];
      all |= lanes_of[j] != 0 ? UINT64_C (1) << j : 0;
    }
  while (in != all)
    {
      unsigned cheapest = setup->types;
      double least = 0.0, value;

      for (j = 0; j < setup->types; j++)
	if ((all & ~in) >> j & 1)
	  {
	    double price = (goal->busy[j] - goal->idle[j]) / rate[j];

	    if (cheapest == setup->types || price < least)
	      {
		cheapest = j;
		least = price;
	      }
	  }
      in |= UINT64_C (1) << cheapest;
      power += (lanes_of[cheapest]
		* (goal->busy[cheapest] - goal->idle[cheapest]));
      sum += lanes_of[cheapest] * rate[cheapest];
      value = power / sum;
      if (goal->delay_counts)
	value /= sum;
      /* With as much to gain by fewer cores as by more, more.  */
      if (chosen == 0 || value <= best)
	{
	  best = value;
	  chosen = in;
	}
    }
  return all & ~chosen;
}

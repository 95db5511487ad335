/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is remembered of a site, and the shares that follow.  See deal.h.  */

#include "deal.h"

#include <stdlib.h>

/* How much a new observation counts beside the old ones.  libHetMP smooths its
   probes by an exponentially weighted moving average, too.  */
#define NEW_WEIGHT 0.75
/* Blocks are moved, and with them data, where that gains more than this.  */
#define WORTH_MOVING 1.02
/* Times that differ by less have not changed: it costs a fifth at most.  */
#define CHANGE 1.25
/* A single odd execution is noise.  */
enum { ODD = 2 };
/* Less an iteration cannot be told from nothing.  */
#define LEAST_SECONDS 1e-15

static const struct seen unknown = { -1, -1, -1, 0, 0 };

struct site *
site_find (struct site **list, int64_t number, int64_t n, int schedule,
	   int ranks)
{
  int magnitude = 0;
  for (int64_t rest = n; rest > 0; rest >>= 1)
    magnitude++;
  for (struct site *s = *list; s; s = s->next)
    if (s->number == number && s->magnitude == magnitude
	&& s->schedule == schedule)
      return s;
  struct site *s = calloc (1, sizeof *s + ranks * sizeof s->rank[0]);
  if (s == NULL)
    return NULL;
  s->number = number;
  s->step = 1;
  s->magnitude = magnitude;
  s->schedule = schedule;
  for (int r = 0; r < ranks; r++)
    s->rank[r] = unknown;
  s->next = *list;
  return *list = s;
}

void
site_free (struct site *list)
{
  while (list)
    {
      struct site *next = list->next;
      free (list);
      list = next;
    }
}

static void
average (double *old, double new)
{
  *old = *old < 0 ? new : (1 - NEW_WEIGHT) * *old + NEW_WEIGHT * new;
}

/* What an iteration costs on a rank; negative if unknown.  */
static double
cost (const struct seen *s)
{
  if (s->computing < 0)
    return -1;
  double sum = s->computing + s->moving;
  return sum < LEAST_SECONDS ? LEAST_SECONDS : sum;
}

/* Seconds an iteration; DONE has some.  */
static double
seconds_each (uint64_t ns, const struct done *done)
{
  return (double) ns * 1e-9 / (double) done->iterations;
}

static double
both_each (const struct done *done)
{
  return seconds_each (done->computing + done->moving, done);
}

static bool
unlike (double a, double b)
{
  return a > b * CHANGE || b > a * CHANGE;
}

void
site_observe (struct site *site, int ranks, const struct done *done,
	      bool probe)
{
  bool odd = false;
  for (int r = 0; !probe && !site->moved && r < ranks; r++)
    if (done[r].iterations && site->rank[r].computing >= 0
	&& unlike (both_each (&done[r]), cost (&site->rank[r])))
      odd = true;
  site->odd = odd && site->odd + 1 < ODD ? site->odd + 1 : 0;
  for (int r = 0; !site->odd && r < ranks; r++)
    if (done[r].iterations)
      {
	struct seen *s = &site->rank[r];
	/* What other blocks cost says nothing of these.  */
	if (site->moved && !probe)
	  s->computing = s->moving = -1;
	average (&s->computing, seconds_each (done[r].computing, &done[r]));
	average (&s->moving, seconds_each (done[r].moving, &done[r]));
      }
}

void
site_weigh (struct site *site, int ranks)
{
  double sum = 0;
  int known = 0;
  for (int r = 0; r < ranks; r++)
    if (cost (&site->rank[r]) >= 0)
      {
	sum += cost (&site->rank[r]);
	known++;
      }
  /* Of whom nothing is known is like the others.  */
  double mean = known ? sum / known : 1;
  double speed = 0, longest = 0, turn = 0;
  for (int r = 0; r < ranks; r++)
    {
      double c = cost (&site->rank[r]);
      c = c < 0 ? mean : c;
      speed += 1 / c;
      if (site->rank[r].share * c > longest)
	longest = site->rank[r].share * c;
    }
  site->moved = !(longest > 0 && longest * speed <= WORTH_MOVING);
  if (!site->moved)
    {
      for (int r = 0; r < ranks; r++)
	site->rank[r].pull = 0;
      site->step = 1;
      return;
    }
  for (int r = 0; r < ranks; r++)
    {
      struct seen *s = &site->rank[r];
      double c = cost (s), pull = 1 / (c < 0 ? mean : c) / speed - s->share;
      turn += pull * s->pull;
      s->pull = pull;
    }
  /* Where iterations differ, a block that is moved costs otherwise than before,
     and a step may go too far: back, then, by less.  */
  site->step = turn < 0 ? site->step / 2 : site->step * 1.25;
  if (site->step > 1 || longest == 0)
    site->step = 1;
  for (int r = 0; r < ranks; r++)
    {
      site->rank[r].share += site->step * site->rank[r].pull;
      if (longest == 0)
	site->rank[r].pull = 0;
    }
}

/* libHetMP lets a second node take part where page faults are rare enough, by
   a threshold that is measured for each network.  Here moving is timed, and
   the threshold follows: an iteration is worth giving away if moving its data
   takes less time than its computing where the data are.  For moving may
   occupy both ends; then the rank that is left, at COMPUTING an iteration,
   loses MOVING for each that it gives away.  */
void
site_decide (struct site *site, int ranks)
{
  int home = -1;
  for (int r = 0; r < ranks; r++)
    {
      double c = cost (&site->rank[r]);
      if (c >= 0 && (home < 0 || c < cost (&site->rank[home])))
	home = r;
    }
  for (int r = 0; r < ranks; r++)
    {
      struct seen *s = &site->rank[r];
      if (home < 0)
	s->share = 1;
      else if (cost (s) < 0)
	s->share = 0;
      else if (r == home || s->moving <= 0
	       || s->moving < site->rank[home].computing)
	s->share = 1 / cost (s);
      else
	s->share = 0;
    }
}

bool
site_changed (struct site *site, int ranks, const struct done *done)
{
  bool odd = false;
  for (int r = 0; r < ranks; r++)
    if (done[r].iterations && site->rank[r].expected >= 0
	&& unlike (both_each (&done[r]), site->rank[r].expected))
      odd = true;
  site->odd = odd ? site->odd + 1 : 0;
  if (site->odd == ODD)
    {
      site->odd = site->probes = 0;
      for (int r = 0; r < ranks; r++)
	site->rank[r] = unknown;
      return true;
    }
  for (int r = 0; !odd && r < ranks; r++)
    if (done[r].iterations)
      average (&site->rank[r].expected, both_each (&done[r]));
  return false;
}

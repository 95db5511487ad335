/* SPDX-License-Identifier: GPL-3.0-or-later

   What cores draw in amp-sim, and what that comes to.  A core is busy, or it
   waits: it spins first, is then idle, and sleeps deeply at last.  A core that
   the machine does not have draws nothing.  Included by amp-sim.c.  */

enum { POWER_BUSY, POWER_SPINS, POWER_IDLE, POWER_ASLEEP, POWER_STATES };

static struct
{
  bool given;
  const char *goal;	/* energy, edp, or NULL.  */
  double watts[AMP_MAX_TYPES][POWER_STATES];
  double spin;		/* Nanoseconds for which waiting threads spin.  */
  double sleep;		/* ... after which an idle core sleeps.  */
} power = { .sleep = INFINITY };

/* Of each core: nanoseconds in each state, and up to when they are told.  */

static struct power_core
{
  double spent[POWER_STATES];
  double until;
  bool left_out;	/* The goal leaves it out: who waits there sleeps at
			   once.  */
} power_cores[MAX_LANES];

/* LIST: of each type BUSY[/SPINNING[/IDLE[/ASLEEP]]] watts.  What is left out
   is as what is before it.  */

static void
read_watts (const char *list)
{
  static const char wrong[]
    = ("--watts '%s': BUSY[/SPINNING[/IDLE[/ASLEEP]]] is expected for each of "
       "%u types, as in 0.9/0.9/0.3/0,0.2/0.2/0.1/0");
  const char *s = list;
  unsigned types = 0, state;

  do
    {
      double *watts = power.watts[types];

      if (types++ != 0)
	s++;
      for (state = 0; state < POWER_STATES; state++)
	if (state != 0 && *s != '/')
	  watts[state] = watts[state - 1];
	else if ((s += state != 0, types > machine.types)
		 || !read_number (&s, &watts[state]) || watts[state] > 1e6)
	  die (2, wrong, list, machine.types);
    }
  while (*s == ',');
  if (*s != '\0' || types != machine.types)
    die (2, wrong, list, machine.types);
  power.given = true;
}

/* What the library is told to save, or NULL.  */

static const struct amp_goal *
power_goal (void)
{
  static struct amp_goal goal;

  if (power.goal == NULL)
    return NULL;
  goal.delay_counts = strcmp (power.goal, "edp") == 0;
  for (unsigned j = 0; j < machine.types; j++)
    {
      goal.busy[j] = power.watts[j][POWER_BUSY];
      goal.idle[j] = power.watts[j][POWER_IDLE];
    }
  return &goal;
}

static void
power_begin (void)
{
  memset (power_cores, 0, sizeof power_cores);
}

/* CORE has waited up to NOW, and is awake then.  */

static void
power_wakes (unsigned core, double now)
{
  struct power_core *c = &power_cores[core];
  double waited = fmax (now - c->until, 0.0);
  double spins = c->left_out ? 0.0 : fmin (waited, power.spin);
  double idle = fmin (waited - spins, power.sleep);

  c->spent[POWER_SPINS] += spins;
  c->spent[POWER_IDLE] += idle;
  c->spent[POWER_ASLEEP] += waited - spins - idle;
  c->until = fmax (c->until, now);
}

/* CORE has been busy from FROM to NOW.  */

static void
power_busy (unsigned core, double from, double now)
{
  struct power_core *c = &power_cores[core];

  power_wakes (core, from);
  if (now > c->until)
    {
      c->spent[POWER_BUSY] += now - c->until;
      c->until = now;
    }
}

/* Joules up to NOW.  */

static double
power_joules (double now)
{
  double joules = 0.0;

  for (unsigned i = 0; i < machine.lanes; i++)
    {
      power_wakes (i, now);
      for (unsigned state = 0; state < POWER_STATES; state++)
	joules += (power.watts[machine.lane_type[i]][state]
		   * power_cores[i].spent[state] / 1e9);
    }
  return joules;
}

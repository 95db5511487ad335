/* SPDX-License-Identifier: GPL-3.0-or-later

   Loops of few large iterations: simulations against the best division in whole
   iterations, and against the fast cores alone.  Included by sim.c.  */

/* When the last lane of M ends at the earliest, in iterations of a core of
   speed 1: found by trying all ends that a lane may have.  */

static double
best_end (const struct machine *m, uint64_t n)
{
  double best = INFINITY;

  for (unsigned j = 0; j < m->types; j++)
    for (uint64_t i = 1; i <= n; i++)
      {
	double end = (double) i / m->speed[j], done = 0.0;

	for (unsigned k = 0; k < m->types; k++)
	  done += m->lanes[k] * floor (end * m->speed[k] + 1e-9);
	if (done >= (double) n && end < best)
	  best = end;
      }
  return best;
}

/* What is reached of best_end, at worst, with 1 to 64 iterations, and against M's
   fast lanes alone.  */

struct few
{
  double best, alone;
};

/* N iterations of M took TAKEN; whoever has been UNKNOWN has run one.  */

static void
note_few (struct few *few, const struct machine *m, bool unknown, uint64_t n,
	  double taken)
{
  double best = best_end (m, n);
  double alone = ceil ((double) n / m->lanes[0]) / m->speed[0];

  if (unknown && n > m->lanes[0] && best < 1.0)
    best = 1.0;
  if (best / taken < few->best)
    few->best = best / taken;
  if (alone / taken < few->alone)
    few->alone = alone / taken;
}

/* Iterations of 1 or 10 ms.  Where speeds are told, or have been found out, loops end
   when the best division in whole iterations would, and no later than on the
   fast cores alone, also if fast cores come 20 us after slow ones.  Who does not
   know them, in a loop's first execution, has to let slow cores run one
   iteration.  */

KNOWN (few, known_few)
{
  static const char *const machines[] = { "2+2 1:1", "4+4 1:1", "6+8 1:1" };
  static const double ratios[] = { 1.5, 2.0, 2.5, 3.0, 4.0, 5.0 };
  static const struct amp_ops *const ops[] = {
    &amp_aid_static, &amp_feedback, &amp_steal, &amp_ich, &amp_aid_hybrid,
    NULL	/* What auto takes.  */
  };
  enum { TOLD, FOUND, LATE, UNKNOWN, WAYS };
  static const char *const names[] = { "told", "found", "late", "unknown" };
  /* The pool of aid_hybrid is not planned, nor kept for who is late.  */
  static const double least[2][WAYS] = { { 0.97, 0.97, 0.97, 0.5 },
					 { 0.7, 0.7, 0.7, 0.5 } };

  EACH (o, ops)
    for (unsigned way = 0; way < WAYS; way++)
      {
	struct few few = { 1.0, 1.0 };
	double unit = way == LATE ? 1e7 : 1e6;
	bool again = way == FOUND || way == LATE;
	bool hybrid = ops[o] == &amp_aid_hybrid;

	EACH (m, machines)
	  EACH (x, ratios)
	    for (uint64_t n = 1; ok && n <= 64; n++)
	      {
		struct machine machine = machine_of (machines[m]);

		machine.speed[0] = ratios[x];
		begin_course_on (&machine, ops[o]);
		/* Fewer are the slow cores' before anybody knows.  */
		if (way == LATE && n <= c.lanes)
		  continue;
		c.n = n;
		c.unit = unit;
		c.rmw = 0.0;
		if (way == TOLD)
		  c.sf = on.speed;
		for (unsigned k = 0; ok && k < (again ? 12 : 1); k++)
		  {
		    for (unsigned i = 0; way == LATE && i < on.lanes[0]; i++)
		      machine_lane[i].start = 20000;
		    if (ops[o] == NULL)
		      decide (NULL, true, k);
		    execute ();
		    if (k > 1 || !again)
		      note_few (&few, &machine, way == UNKNOWN, n,
				(double) r.makespan / unit);
		  }
	      }
	ok &= (few.best >= least[hybrid][way]
	       && (way == UNKNOWN || few.alone > 0.98
		   || (way == LATE && hybrid)));
	if (!ok || getenv ("AMP_SIM_VERBOSE") != NULL)
	  printf ("%s, speeds %s: %.3f of the best division, %.3f of the fast "
		  "cores\n", ops[o] != NULL ? ops[o]->name : "auto", names[way],
		  few.best, few.alone);
	report (true, "few large iterations");
      }
}

/* The first execution, in order, of a few iterations that cost more and more, or
   any time, on CPUs of which nothing is known.  What a lane takes for its first
   one says little of the lane.  */

KNOWN (few, known_few_uneven)
{
  static const unsigned lanes[] = { 4, 8, 16, 32 };
  static const double ratios[] = { 1.0, 2.0, 3.0, 5.0 };
  static const enum sim_cost costs[] = { SIM_COST_LINEAR, SIM_COST_RANDOM };

  EACH (w, costs)
    EACH (l, lanes)
      EACH (x, ratios)
	{
	  struct machine m = { .types = lanes[l] };

	  for (unsigned i = 0; i < lanes[l]; i++)
	    {
	      m.lanes[i] = 1;
	      m.speed[i] = i < lanes[l] / 2 ? ratios[x] : 1.0;
	    }
	  begin_course_on (&m, NULL);
	  c.observed_types = true;
	  c.n = 8 * lanes[l];
	  c.unit = 1e5;
	  c.cost = costs[w];
	  decide (NULL, false, 0);
	  ok &= execute () && efficiency > 0.63;
	  if (!ok || getenv ("AMP_SIM_VERBOSE") != NULL)
	    printf ("%u lanes, ratio %g, load %u: %.3f of the ideal\n", lanes[l],
		    ratios[x], costs[w], efficiency);
	  report (true, "few uneven iterations");
	}
}

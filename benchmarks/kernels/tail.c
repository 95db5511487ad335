/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop whose heavy iterations come last: the case of particlefilter in the
   AID paper (section 5B), where any split of the iterations that takes them
   for equal leaves the heavy end to the slow cores.

   An iteration steps a 64-bit linear congruential generator, seeded by its
   index, a given number of times.  The state after that many steps is known
   in closed form, so each result is verified without doing the work again.  */

#include "common/bench.h"
#include "common/lcg.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* LIGHT steps an iteration, FACTOR times as many in the last PERCENT of
   iterations; the whole loop REPEAT times.  */
static const struct problem
{
  char klass;
  long iterations, light, percent, factor, repeat;
} problems[] = {
  { 'S', 2000, 500, 20, 8, 4 },
  { 'W', 10000, 2000, 20, 8, 4 },
  { 'A', 20000, 4000, 20, 8, 5 },
};

static struct problem asked = { 0, 0, 0, 0, 0, 0 };

static int
option (const char *name, const char *text)
{
  static const struct bench_number known[] = {
    { "--iterations", &asked.iterations, 1, 100000000 },
    { "--light", &asked.light, 1, 1000000000 },
    { "--percent", &asked.percent, 1, 100 },
    { "--factor", &asked.factor, 1, 1000000 },
    { "--repeat", &asked.repeat, 1, 1000000 },
  };
  return bench_number_option (known, sizeof known / sizeof *known, name,
			      text);
}

static inline long
steps_of (const struct problem *p, long i)
{
  long first_heavy = p->iterations - p->iterations * p->percent / 100;
  return i < first_heavy ? p->light : p->light * p->factor;
}

int
main (int argc, char **argv)
{
  const struct problem *base
    = BENCH_PROBLEM ("tail", "SWA",
		     "      --iterations N, --light STEPS, --percent P, --factor F,"
		     " --repeat R\n"
		     "                       the last P % of N iterations take F *"
		     " STEPS steps;\n"
		     "                       the loop is run R times\n",
		     option);
  struct problem prob = *base;
  if (asked.iterations)
    prob.iterations = asked.iterations;
  if (asked.light)
    prob.light = asked.light;
  if (asked.percent)
    prob.percent = asked.percent;
  if (asked.factor)
    prob.factor = asked.factor;
  if (asked.repeat)
    prob.repeat = asked.repeat;

  /* The state of iteration I after all repetitions so far.  */
  uint64_t *state = malloc (prob.iterations * sizeof *state);
  if (!state)
    {
      fputs ("tail: out of memory\n", stderr);
      return 2;
    }
  for (long i = 0; i < prob.iterations; i++)
    state[i] = i;
  int threads = bench_threads ();

  double start = bench_seconds ();
#pragma omp parallel
  for (long rep = 0; rep < prob.repeat; rep++)
    {
#pragma omp for
      for (long i = 0; i < prob.iterations; i++)
	state[i] = lcg_work (state[i], steps_of (&prob, i));
    }
  double seconds = bench_seconds () - start;

  long wrong = 0;
  for (long i = 0; i < prob.iterations; i++)
    {
      uint64_t expected = i;
      for (long rep = 0; rep < prob.repeat; rep++)
	expected = lcg_jump (expected, steps_of (&prob, i));
      wrong += state[i] != expected;
    }
  return bench_finish ("tail", prob.klass, seconds, wrong == 0, threads,
		       prob.repeat,
		       "\"wrong\":%ld,\"iterations\":%ld,\"light\":%ld,\"percent\":%ld,"
		       "\"factor\":%ld",
		       wrong, prob.iterations, prob.light, prob.percent,
		       prob.factor);
}

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
  { 'T', 400, 60, 20, 8, 6 },
  { 'S', 2000, 500, 20, 8, 4 },
  { 'W', 10000, 2000, 20, 8, 4 },
  { 'A', 20000, 4000, 20, 8, 5 },
};

static inline long
steps_of (const struct problem *p, long i)
{
  long first_heavy = p->iterations - p->iterations * p->percent / 100;
  return i < first_heavy ? p->light : p->light * p->factor;
}

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("tail", "SWAT", NULL, NULL);

  /* The state of iteration I after all repetitions so far.  */
  uint64_t *state = malloc (p->iterations * sizeof *state);
  if (!state)
    {
      fputs ("tail: out of memory\n", stderr);
      return 2;
    }
  for (long i = 0; i < p->iterations; i++)
    state[i] = i;
  int threads = bench_threads ();

  double start = bench_seconds ();
#pragma omp parallel
  for (long rep = 0; rep < p->repeat; rep++)
    {
#pragma omp for
      for (long i = 0; i < p->iterations; i++)
	state[i] = lcg_work (state[i], steps_of (p, i));
    }
  double seconds = bench_seconds () - start;

  long wrong = 0;
  for (long i = 0; i < p->iterations; i++)
    {
      uint64_t expected = i;
      for (long rep = 0; rep < p->repeat; rep++)
	expected = lcg_jump (expected, steps_of (p, i));
      wrong += state[i] != expected;
    }
  return bench_finish ("tail", p->klass, seconds, wrong == 0, threads,
		       p->repeat,
		       "\"wrong\":%ld,\"iterations\":%ld,\"light\":%ld,\"percent\":%ld,"
		       "\"factor\":%ld",
		       wrong, p->iterations, p->light, p->percent,
		       p->factor);
}

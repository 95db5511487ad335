/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One long loop of iterations whose costs follow a chosen shape: the synth of
   the iCh paper (section 5.1), which took the linear shape from BinLPT's
   evaluation and added samples of the exponential distribution in increasing
   and in decreasing order.

   An iteration steps a 64-bit linear congruential generator, seeded by its
   index, as many times as it costs, and adds a hash of the end state to a sum.
   The end state is known in closed form, so the sum is verified without doing
   the work again; an iteration that is lost or done twice changes it.  */

#include "common/app.h"
#include "common/lcg.h"
#include "common/random.h"

#include <stdlib.h>
#include <string.h>

/* MEAN steps an iteration on average.  */
static const struct problem
{
  char klass;
  long iterations, mean;
} problems[] = {
  { 'T', 2000, 200 },
  { 'S', 100000, 300 },
  { 'W', 1000000, 100 },
  { 'A', 1000000, 1000 },
  { 'B', 1000000, 10000 },
};

static const char *const shapes[] = { "linear", "exp-inc", "exp-dec" };
enum { LINEAR, INCREASING, DECREASING, SHAPES };

static int shape;

static int
option (const char *name, const char *text)
{
  if (!strcmp (name, "--shape"))
    {
      for (int s = 0; text && s < SHAPES; s++)
	if (!strcmp (text, shapes[s]))
	  {
	    shape = s;
	    return 2;
	  }
      return -1;
    }
  return app_option (name, text);
}

static int
ascending (const void *a, const void *b)
{
  const unsigned *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static unsigned *
make_costs (long n, long mean)
{
  unsigned *cost = app_allocate (n, sizeof *cost);
  if (shape == LINEAR)
    {
      for (long i = 0; i < n; i++)
	cost[i] = 1 + (unsigned) (2.0 * (double) mean * ((double) i + 0.5)
				  / (double) n);
      return cost;
    }
  struct random_stream r = random_start (app_seed);
  for (long i = 0; i < n; i++)
    cost[i] = 1 + (unsigned) random_exponential (&r, (double) mean);
  qsort (cost, n, sizeof *cost, ascending);
  if (shape == DECREASING)
    for (long i = 0, k = n - 1; i < k; i++, k--)
      {
	unsigned c = cost[i];
	cost[i] = cost[k];
	cost[k] = c;
      }
  return cost;
}

static const char help[]
  = "      --shape SHAPE    linear (default), exp-inc or exp-dec\n";

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("synth", "SWABT",
					   app_help_with (help), option);
  long n = p->iterations;
  unsigned *cost = make_costs (n, p->mean);
  int threads = bench_threads ();
  uint64_t sum = 0;

  app_set_workload (cost, n);
  double start = bench_seconds ();
#pragma omp parallel
  {
    APP_LOOP (n, reduction (+ : sum))
    for (long i = 0; i < n; i++)
      sum += random_mix (lcg_work (app_seed + i, cost[i]));
  }
  double seconds = bench_seconds () - start;

  uint64_t expected = 0, steps = 0;
  unsigned least = cost[0], most = cost[0];
  for (long i = 0; i < n; i++)
    {
      expected += random_mix (lcg_jump (app_seed + i, cost[i]));
      steps += cost[i];
      least = cost[i] < least ? cost[i] : least;
      most = cost[i] > most ? cost[i] : most;
    }
  if (app_damage)
    sum ^= 1;
  return bench_finish ("synth", p->klass, seconds, sum == expected, threads, 1,
		       "\"shape\":\"%s\",\"seed\":%llu,\"iterations\":%ld,\"steps\":%llu,"
		       "\"least\":%u,\"most\":%u",
		       shapes[shape], (unsigned long long) app_seed, n,
		       (unsigned long long) steps, least, most);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prices of European options by the formula of Black and Scholes (Journal
   of Political Economy 81, 1973), on the theme of PARSEC's blackscholes.  The
   normal distribution comes from the polynomial 26.2.17 of Abramowitz and
   Stegun, as it does there.

   One parallel loop over all options, again and again: iterations of some
   50 ns.  Every price is compared bit for bit with a serial run, and within the
   polynomial's error with the formula by erfc; and the formula with the
   example of Hull's textbook (Options, Futures, and Other Derivatives).  */

#include "common/app.h"
#include "common/random.h"

#include <math.h>
#include <string.h>

static const struct problem
{
  char klass;
  long options;
  int runs;
} problems[] = {
  { 'T', 512, 10 },
  { 'S', 4096, 100 },
  { 'W', 65536, 60 },
  { 'A', 262144, 100 },
  { 'B', 1048576, 200 },
};

struct contract
{
  double spot, strike, rate, volatility, years;
  bool put;
};

/* Abramowitz and Stegun give the polynomial's error as below 7.5e-8.  */
static const double polynomial_error = 7.5e-8;

static double
normal_by_polynomial (double x)
{
  double t = 1 / (1 + 0.2316419 * fabs (x));
  double tail = 0.39894228040143268 * exp (-0.5 * x * x) * t
		* (0.319381530 + t * (-0.356563782 + t * (1.781477937
		   + t * (-1.821255978 + t * 1.330274429))));
  return x < 0 ? tail : 1 - tail;
}

static double
normal_by_erfc (double x)
{
  return 0.5 * erfc (-x * M_SQRT1_2);
}

static inline double
price (const struct contract *c, double (*normal) (double))
{
  double width = c->volatility * sqrt (c->years);
  double d1 = (log (c->spot / c->strike)
	       + (c->rate + 0.5 * c->volatility * c->volatility) * c->years)
	      / width;
  double d2 = d1 - width;
  double paid = c->strike * exp (-c->rate * c->years);
  if (c->put)
    return paid * normal (-d2) - c->spot * normal (-d1);
  return c->spot * normal (d1) - paid * normal (d2);
}

static struct contract
draw_contract (long i)
{
  double u[5];
  for (int k = 0; k < 5; k++)
    u[k] = random_fraction (random_at (app_seed, 8 * i + k));
  struct contract c;
  c.spot = 50 + 100 * u[0];
  c.strike = 50 + 100 * u[1];
  c.rate = 0.01 + 0.09 * u[2];
  c.volatility = 0.1 + 0.5 * u[3];
  c.years = 0.1 + 2 * u[4];
  c.put = i % 2;
  return c;
}

/* Hull prints 4.76 for the call, 0.81 for the put.  */

static bool
as_in_the_textbook (void)
{
  struct contract c = { 42, 40, 0.1, 0.2, 0.5, false };
  bool good = fabs (price (&c, normal_by_erfc) - 4.76) <= 0.005;
  c.put = true;
  return good && fabs (price (&c, normal_by_erfc) - 0.81) <= 0.005;
}

/* Add the prices of the N options at CONTRACT to VALUE, RUNS times.  A run adds
   its share, so that one that loses a price is noticed.

   As tasks, a block's later run waits for its earlier one only.  */

#ifdef TASKS
static void
price_all (const struct contract *contract, double *value, long n, int runs)
{
#pragma omp parallel
#pragma omp single
  {
    long tasks = app_tasks (n);
    for (int run = 0; run < runs; run++)
      for (long k = 0; k < tasks; k++)
	{
	  long begin = app_task_begin (n, tasks, k);
	  long end = app_task_begin (n, tasks, k + 1);
#pragma omp task firstprivate (begin, end) depend (inout : value[begin])
	  for (long i = begin; i < end; i++)
	    value[i] += price (&contract[i], normal_by_polynomial);
	}
  }
}
#else
static void
price_all (const struct contract *contract, double *value, long n, int runs)
{
  for (int run = 0; run < runs; run++)
    {
#ifdef TASKLOOP
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks (app_tasks (n))
#else
#pragma omp parallel for
#endif
      for (long i = 0; i < n; i++)
	value[i] += price (&contract[i], normal_by_polynomial);
    }
}
#endif

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("blackscholes", "SWABT",
					   app_seed_help, app_seed_option);
  long n = p->options;
  struct contract *contract = app_allocate (n, sizeof *contract);
  double *value = app_allocate (n, sizeof *value);
  for (long i = 0; i < n; i++)
    contract[i] = draw_contract (i);
  int threads = bench_threads ();

  double start = bench_seconds ();
  price_all (contract, value, n, p->runs);
  double seconds = bench_seconds () - start;

  if (app_damage)
    value[n / 2] = nextafter (value[n / 2], INFINITY);
  long wrong = 0;
  double worst = 0;
  for (long i = 0; i < n; i++)
    {
      const struct contract *c = &contract[i];
      double once = price (c, normal_by_polynomial), sum = 0;
      for (int run = 0; run < p->runs; run++)
	sum += once;
      double error = fabs (once - price (c, normal_by_erfc))
		     / (polynomial_error * (c->spot + c->strike));
      worst = worst >= error ? worst : error;
      wrong += memcmp (&sum, &value[i], sizeof sum) != 0;
    }
  return bench_finish ("blackscholes", p->klass, seconds,
		       wrong == 0 && worst <= 1 && as_in_the_textbook (),
		       threads, p->runs,
		       "\"seed\":%llu,\"wrong\":%ld,"
		       "\"options\":%ld,\"runs\":%d,\"error\":%.4f",
		       (unsigned long long) app_seed, wrong, n, p->runs,
		       worst);
}

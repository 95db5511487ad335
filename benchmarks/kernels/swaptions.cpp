// SPDX-License-Identifier: GPL-3.0-or-later
// The prices of swaptions by Monte Carlo simulation of the forward curve in the
// framework of Heath, Jarrow and Morton (Econometrica 60, 1992), on the theme
// of PARSEC's swaptions.
//
// One factor whose volatility falls exponentially with the time to maturity.
// Time goes in steps, with the drift that leaves no arbitrage between steps
// (Glasserman, Monte Carlo Methods in Financial Engineering, section 3.6), so
// that a closed form exists: Jamshidian's (Journal of Finance 44, 1989).
//
// One parallel loop, a swaption an iteration: few and heavy, and the longer the
// swaption the heavier.  Every price is compared bit for bit with a serial
// run, and with the closed form within the simulation's error.

#include "common/app.h"
#include "common/each.h"
#include "common/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace
{

struct Problem
{
  char klass;
  int swaptions;
  int trials;
};

constexpr Problem problems[] = {
  { 'S', 16, 2000 },
  { 'W', 32, 30000 },
  { 'A', 64, 80000 },
  { 'B', 128, 400000 },
};

constexpr double step = 0.5; // years
constexpr int most_steps = 40;
// A simulated price may be this many standard errors from the closed form.
constexpr double tolerance = 6;

// The right to pay, after EXERCISE steps and for TENOR steps, a fixed RATE each
// step for what the market pays then: a put on a bond with that coupon.
struct Swaption
{
  int exercise, tenor;
  double rate, volatility, decay;
  double forward[most_steps]; // today's forward rates, a step each
};

struct Price
{
  double mean, error;
};

Swaption
draw_swaption (int number)
{
  const auto u = [&] (int k) {
    return random_fraction (random_at (app_seed, 8 * number + k));
  };
  Swaption s;
  s.exercise = 2 + static_cast<int> (10 * u (0));
  s.tenor = 2 + static_cast<int> (24 * u (1));
  s.volatility = 0.005 + 0.01 * u (3);
  s.decay = 0.02 + 0.2 * u (4);
  for (int j = 0; j < most_steps; j++)
    s.forward[j] = 0.03 + 0.02 * u (5) * (1 - std::exp (-0.1 * step * j));
  // Close to the rate at which the swap is worth nothing today.
  double discount = 1, begin = 1, sum = 0;
  for (int j = 0; j < s.exercise + s.tenor; j++)
    {
      discount *= std::exp (-s.forward[j] * step);
      if (j < s.exercise)
	begin = discount;
      else
	sum += discount * step;
    }
  s.rate = (begin - discount) / sum * (0.9 + 0.2 * u (2));
  return s;
}

// The volatility of forward rate J in step I, for J > I.
double
sigma (const Swaption &s, int i, int j)
{
  return s.volatility * std::exp (-s.decay * step * (j - i));
}

// Of the coupon bond with a face of 1, given the forward rates from the
// exercise on.
double
bond (const Swaption &s, const double *forward)
{
  double discount = 1, value = 0;
  for (int m = 0; m < s.tenor; m++)
    {
      discount *= std::exp (-forward[m] * step);
      value += s.rate * step * discount;
    }
  return value + discount;
}

Price
simulate (const Swaption &s, int number, int trials)
{
  const int last = s.exercise + s.tenor;
  // Discrete drift: what sum (sigma)^2 / 2 grows by from rate to rate.
  double drift[most_steps][most_steps], vol[most_steps][most_steps];
  for (int i = 0; i < s.exercise; i++)
    {
      double before = 0;
      for (int j = i + 1; j < last; j++)
	{
	  vol[i][j] = sigma (s, i, j) * std::sqrt (step);
	  const double sum = before + sigma (s, i, j) * step;
	  drift[i][j] = (sum * sum - before * before) / 2;
	  before = sum;
	}
    }
  random_stream r
    = random_start (app_seed + 1 + static_cast<unsigned> (number));
  double total = 0, squares = 0;
  for (int trial = 0; trial < trials; trial++)
    {
      double forward[most_steps], discount = 0;
      std::copy (s.forward, s.forward + last, forward);
      for (int i = 0; i < s.exercise; i++)
	{
	  discount += forward[i] * step;
	  const double u = random_unit (&r), v = random_unit (&r);
	  const double z = random_normal (u, v);
	  for (int j = i + 1; j < last; j++)
	    forward[j] += drift[i][j] + vol[i][j] * z;
	}
      const double gain = std::max (1 - bond (s, forward + s.exercise), 0.0);
      const double value = gain * std::exp (-discount);
      total += value;
      squares += value * value;
    }
  const double mean = total / trials;
  return { mean, std::sqrt (std::max (squares / trials - mean * mean, 0.0)
			    / trials) };
}

double
normal (double x)
{
  return 0.5 * std::erfc (-x * 0.70710678118654752440);
}

// Jamshidian: at the exercise all bonds are functions of one normal variable,
// so that the option on a sum of bonds is a sum of options, each with the
// strike that its bond has where the sum is worth its face.
double
closed_form (const Swaption &s)
{
  double now[most_steps], width[most_steps], paid[most_steps];
  double to_exercise = 1, discount;
  for (int j = 0; j < s.exercise; j++)
    to_exercise *= std::exp (-s.forward[j] * step);
  discount = to_exercise;
  // The variance of the factor at the exercise, when a rate J steps later moves
  // by exp (-decay J) times it.
  double variance = 0;
  for (int i = 0; i < s.exercise; i++)
    {
      const double v = sigma (s, i, s.exercise);
      variance += v * v * step;
    }
  double moved = 0;
  for (int m = 0; m < s.tenor; m++)
    {
      discount *= std::exp (-s.forward[s.exercise + m] * step);
      now[m] = discount / to_exercise;
      moved += std::exp (-s.decay * step * m) * step;
      width[m] = moved * std::sqrt (variance);
      paid[m] = s.rate * step + (m == s.tenor - 1 ? 1 : 0);
    }
  // Bond M at the exercise is now exp (-width z - width^2 / 2), z normal under
  // the measure that belongs to the exercise.
  const auto value = [&] (int m, double z) {
    return now[m] * std::exp (-width[m] * z - width[m] * width[m] / 2);
  };
  double low = -40, high = 40;
  for (int k = 0; k < 200; k++)
    {
      const double z = (low + high) / 2;
      double sum = 0;
      for (int m = 0; m < s.tenor; m++)
	sum += paid[m] * value (m, z);
      (sum > 1 ? low : high) = z;
    }
  double price = 0;
  for (int m = 0; m < s.tenor; m++)
    price += paid[m]
	     * (value (m, low) * normal (-low)
		- now[m] * normal (-low - width[m]));
  return price * to_exercise;
}

} // namespace

int
main (int argc, char **argv)
{
  const Problem *p = BENCH_PROBLEM ("swaptions", "SWAB", app_seed_help,
				    app_seed_option);
  std::vector<Swaption> swaption;
  for (int k = 0; k < p->swaptions; k++)
    swaption.push_back (draw_swaption (k));
  const int threads = bench_threads ();

  const auto run = [&] (bool parallel) {
    std::vector<Price> price (swaption.size ());
    each (parallel, static_cast<long> (swaption.size ()), [&] (long k) {
      price[k] = simulate (swaption[k], static_cast<int> (k), p->trials);
    });
    return price;
  };
  const double start = bench_seconds ();
  std::vector<Price> price;
  each_team ([&] { price = run (true); });
  const double seconds = bench_seconds () - start;

  const auto right = run (false);
  if (app_damage)
    price.back ().mean = std::nextafter (price.back ().mean, 1.0);
  long wrong = 0;
  double worst = 0;
  for (std::size_t k = 0; k < price.size (); k++)
    {
      wrong += std::memcmp (&price[k], &right[k], sizeof (Price)) != 0;
      const double off = std::fabs (right[k].mean - closed_form (swaption[k]))
			 / right[k].error;
      // Written so that a NaN is the worst.
      worst = worst >= off ? worst : off;
    }
  return bench_finish ("swaptions", p->klass, seconds,
		       wrong == 0 && worst <= tolerance, threads, each_loops,
		       "\"seed\":%llu,\"wrong\":%ld,\"swaptions\":%d,\"trials\":%d,"
		       "\"errors\":%.3f",
		       static_cast<unsigned long long> (app_seed), wrong,
		       p->swaptions, p->trials, worst);
}

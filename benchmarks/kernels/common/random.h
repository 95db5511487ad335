/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeded random numbers that are the same on every machine.  The mixing
   function is that of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).

   random_at gives number INDEX of a sequence without the ones before it, so
   that what is generated does not depend on the order of generation.  */

#ifndef AMP_RANDOM_H
#define AMP_RANDOM_H

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RANDOM_STEP UINT64_C (0x9e3779b97f4a7c15)

static inline uint64_t
random_mix (uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

static inline uint64_t
random_at (uint64_t seed, uint64_t index)
{
  return random_mix (random_mix (seed) + (index + 1) * RANDOM_STEP);
}

struct random_stream
{
  uint64_t state;
};

static inline struct random_stream
random_start (uint64_t seed)
{
  struct random_stream s = { random_mix (seed) };
  return s;
}

static inline uint64_t
random_bits (struct random_stream *s)
{
  return random_mix (s->state += RANDOM_STEP);
}

/* A fraction in [0, 1).  */
static inline double
random_fraction (uint64_t bits)
{
  return (double) (bits >> 11) * 0x1p-53;
}

static inline double
random_unit (struct random_stream *s)
{
  return random_fraction (random_bits (s));
}

/* An integer below N, which is at most 2^32.  The bias, below N / 2^32, does
   not matter to a workload.  */
static inline uint64_t
random_below (struct random_stream *s, uint64_t n)
{
  return (random_bits (s) >> 32) * n >> 32;
}

/* Of the exponential distribution.  */
static inline double
random_exponential (struct random_stream *s, double mean)
{
  return -mean * log (1.0 - random_unit (s));
}

/* Of the standard normal distribution, from two fractions (Box and Muller,
   1958).  */
static inline double
random_normal (double u, double v)
{
  return sqrt (-2 * log (1 - u)) * cos (2 * 3.14159265358979323846 * v);
}

/* Number INDEX of a sequence of them.  */
static inline double
random_normal_at (uint64_t seed, uint64_t index)
{
  return random_normal (random_fraction (random_at (seed, 2 * index)),
			random_fraction (random_at (seed, 2 * index + 1)));
}

#ifdef __cplusplus
}
#endif

#endif /* AMP_RANDOM_H */

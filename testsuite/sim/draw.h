/* SPDX-License-Identifier: GPL-3.0-or-later

   What random simulations draw.  After engine.c.  */

static uint64_t rng;

static uint64_t
below (uint64_t limit)
{
  return sim_random (&rng) % limit;
}

static bool
one_in (unsigned k)
{
  return below (k) == 0;
}

/* Every magnitude is as likely as any other.  */

static uint64_t
magnitude (unsigned bits)
{
  unsigned b = below (bits + 1);
  return b == 0 ? 0 : sim_random (&rng) >> (64 - b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The same loops again and again, so that the library comes to know them: with
   trip counts that change, in teams that change, in two teams at once, by
   recursion, and with several executions of one loop under way.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=auto} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3 OMP_SCHEDULE=aid_hybrid,50} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=0.5 OMP_SCHEDULE=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=sb GOMP_AMP_SF=64 OMP_SCHEDULE=aid_dynamic} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=monotonic:aid_dynamic,1,5} {} {} } */

#include "amp-test.h"

#define NOINLINE __attribute__ ((noinline, noclone))

/* What a thread of any team has run.  */
struct cover
{
  long n;
  unsigned char seen[2000];
};

static void NOINLINE
visit (struct cover *c, long i)
{
  if (i < 0 || i >= c->n)
    CHECK (!"within the loop");
  else
    __atomic_fetch_add (&c->seen[i], 1, __ATOMIC_RELAXED);
}

static void
check (const struct cover *c, unsigned times, const char *where)
{
  for (long i = 0; i < c->n; i++)
    if (c->seen[i] != times)
      {
	CHECK_IN (!"each iteration as often as it should", where);
	return;
      }
}

static void NOINLINE
up (struct cover *c)
{
#pragma omp for
  for (long i = 0; i < c->n; i++)
    visit (c, i);
}

static void NOINLINE
down (struct cover *c)
{
  unsigned long long n = c->n;

#pragma omp for schedule (runtime)
  for (unsigned long long u = 3 * n; u > 0; u -= 3)
    visit (c, u / 3 - 1);
}

static void NOINLINE
uneven (struct cover *c)
{
#pragma omp for schedule (runtime) nowait
  for (int i = 0; i < (int) c->n; i++)
    {
      amp_work (i);
      visit (c, i);
    }
}

static void NOINLINE
combined (struct cover *c, unsigned t)
{
#pragma omp parallel for num_threads (t)
  for (int i = 0; i < (int) c->n; i++)
    visit (c, i);
}

static void NOINLINE
constant (struct cover *c, unsigned t)
{
#pragma omp parallel for num_threads (t) schedule (runtime)
  for (int i = 0; i < 300; i++)
    visit (c, i);
}

static void
all (long n, unsigned t)
{
  static struct cover c[5];

  memset (c, 0, sizeof c);
  for (unsigned k = 0; k < 5; k++)
    c[k].n = n;
  c[4].n = 300;
#pragma omp parallel num_threads (t)
  {
    up (&c[0]);
    uneven (&c[1]);
    down (&c[2]);
  }
  combined (&c[3], t);
  constant (&c[4], t);
  for (unsigned k = 0; k < 5; k++)
    check (&c[k], 1, "alone");
}

/* A team in each iteration of the same loop, each with that loop again.  */

static void NOINLINE
recurse (int depth, struct cover *c, struct cover *leaf)
{
#pragma omp parallel for num_threads (2)
  for (long i = 0; i < c->n; i++)
    {
      visit (c, i);
      if (depth == 0)
	visit (leaf, i);
      else
	{
	  struct cover inner = { .n = c->n };
	  recurse (depth - 1, &inner, leaf);
	  check (&inner, 1, "recursion");
	}
    }
}

/* Two teams in the same loops.  */

static void
both (long n, int rounds)
{
  static struct cover c[2][3];

  memset (c, 0, sizeof c);
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 3; j++)
      c[k][j].n = n;
#pragma omp parallel num_threads (2)
  {
    int me = omp_get_thread_num ();

    for (int r = 0; r < rounds; r++)
#pragma omp parallel num_threads (2)
      {
	up (&c[me][0]);
	down (&c[me][1]);
	uneven (&c[me][2]);
      }
  }
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 3; j++)
      check (&c[k][j], rounds, "two teams");
}

int
main (void)
{
  static const long sizes[] = { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 64, 1000 };
  static const unsigned teams[] = { 2, 3, 1, 5, 2 };
  static struct cover leaf, top, chain[24];

  for (int round = 0; round < 24; round++)
    all (1000 + round % 7, 2);
  for (unsigned t = 0; t < sizeof teams / sizeof teams[0]; t++)
    for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
      for (int round = 0; round < 2; round++)
	all (sizes[k], teams[t]);

  omp_set_max_active_levels (3);
  for (int round = 0; round < 4; round++)
    {
      memset (&leaf, 0, sizeof leaf);
      memset (&top, 0, sizeof top);
      leaf.n = top.n = 5;
      recurse (2, &top, &leaf);
      check (&top, 1, "recursion");
      check (&leaf, 25, "recursion");
    }
  for (int round = 0; round < 3; round++)
    both (200, 10);

  for (int round = 0; round < 4; round++)
    {
      memset (chain, 0, sizeof chain);
      for (unsigned k = 0; k < 24; k++)
	chain[k].n = 100 + k;
      /* More under way than a team has work shares of its own.  */
#pragma omp parallel num_threads (3)
      for (int i = 0; i < 24; i++)
	uneven (&chain[i]);
      for (unsigned k = 0; k < 24; k++)
	check (&chain[k], 1, "chain");
    }
  return AMP_RESULT;
}

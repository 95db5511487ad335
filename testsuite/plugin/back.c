/* Loops that are given back to static, which must cost what gcc's cost: how often,
   and which, are the arguments.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
static double a[N], b[N];
static int n = N;
static unsigned un = N;
static long ln = N;
static double me = 3;

#define EACH(TYPE, END) for (TYPE i = 0; i < END; i++) a[i] += b[i] * me

/* Signed, unsigned and long iterators, with nowait; what can be vectorised.  */

static void __attribute__ ((noinline))
inside (void)
{
#pragma omp parallel
  {
    double me = omp_get_thread_num ();
#pragma omp for nowait
    EACH (int, n);
#pragma omp for
    EACH (unsigned, un);
#pragma omp for nowait
    EACH (long, ln);
  }
}

static void __attribute__ ((noinline))
combined (void)
{
  int first = 1;
#pragma omp parallel for firstprivate(first)
  for (int i = 0; i < n; i++)
    {
      a[i] += first;
      first = 0;
    }
}

static void __attribute__ ((noinline))
others (void)
{
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n / 10; i++)
    for (int j = 0; j < 10; j++)
      a[i * 10 + j] += omp_get_thread_num ();
#pragma omp parallel for simd
  for (int i = 0; i < n; i++)
    a[i] += b[i] * omp_get_thread_num ();
#pragma omp parallel for
  for (long i = ln - 1; i >= 0; i -= 2)
    a[i] += b[i] * omp_get_thread_num ();
}

/* Loops that say static, judged for their regions.  */

static void __attribute__ ((noinline))
says (void)
{
#pragma omp parallel for schedule(static)
  EACH (int, n);
#pragma omp parallel for schedule(static, 64)
  EACH (unsigned, un);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n / 100; i++)
    for (int k = 0; k < 100; k++)
      a[i * 100 + k] += b[k];
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  for (int k = atoi (argv[1]); k > 0; k--)
    switch (argv[2][0])
      {
      case 'i':
	inside ();
	break;
      case 'c':
	combined ();
	break;
      case 's':
	says ();
	break;
      default:
	others ();
	break;
      }
  printf ("%g\n", a[0] + b[N - 1]);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops with a clause, replaced or watched, so often that the library has a
   plan for them that gives each thread one fixed block, of equal size where
   types of cores turn out alike.  */
/* { amp-do none } */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-run {} {} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_REPLACE=dynamic=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_REPLACE=guided=aid_static;dynamic=aid_hybrid} {} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_static GOMP_AMP_REPORT=@DIR@/settled.report} {} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@,@B@ GOMP_AMP_REPLACE=dynamic=aid_static;guided=ich} {} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=1,1 GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_static} {} {} } */
/* { amp-run {GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3 GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_hybrid} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_DEBUG=known GOMP_AMP_REPLACE=dynamic=aid_static;guided=aid_hybrid} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_DEBUG=known GOMP_AMP_REPLACE=dynamic=aid_dynamic;guided=steal} {} {} } */

#include "amp-test.h"

static void
expect (unsigned long long n, const char *where)
{
  CHECK_IN (amp_covered (n), where);
  amp_cover_begin ();
}

static void
loops (unsigned t)
{
  unsigned long long u, n = 700;

  __asm__ ("" : "+r" (n));
#pragma omp parallel for schedule (dynamic) num_threads (t)
  for (int i = 0; i < 1000; i++)
    amp_visit (i);
  expect (1000, "combined dynamic");
#pragma omp parallel for schedule (guided) num_threads (t)
  for (int i = 0; i < 1000; i++)
    amp_visit (i);
  expect (1000, "combined guided");
#pragma omp parallel num_threads (t)
  {
#pragma omp for schedule (dynamic) nowait
    for (long i = 500; i > 0; i--)
      amp_visit (i - 1);
#pragma omp for schedule (guided) nowait
    for (long i = 500; i < 900; i += 4)
      amp_visit (500 + (i - 500) / 4);
  }
  expect (600, "long");
#pragma omp parallel num_threads (t)
  {
#pragma omp for schedule (dynamic, 3)
    for (u = 0; u < n; u++)
      amp_visit (u);
#pragma omp for schedule (guided)
    for (u = n; u > 0; u -= 7)
      amp_visit (n + u / 7 - 1);
  }
  expect (800, "unsigned long long");
}

int
main (void)
{
  amp_cover_begin ();
  for (int round = 0; round < 120; round++)
    loops (2);
  for (int round = 0; round < 60; round++)
    loops (round % 4 == 3 ? 1 : 2 + round % 2);
  return AMP_RESULT;
}

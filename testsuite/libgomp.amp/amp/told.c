/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A loop that begins as static's, by hand, is that, whatever OMP_SCHEDULE and
   GOMP_AMP_REPLACE say: unless the compiler says what loop it is, which it does
   without a chunk only.  */
/* { amp-do none } */
/* { amp-run {OMP_SCHEDULE=dynamic,1} {} {} } */
/* { amp-run {OMP_SCHEDULE=guided} {} {} } */
/* { amp-run {OMP_SCHEDULE=aid_dynamic GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_SF=3} {} {} } */
/* { amp-run {OMP_SCHEDULE=steal GOMP_AMP_REPORT=@DIR@/report} {} {} } */

#include "amp-test.h"

typedef unsigned long long ull;
extern _Bool GOMP_loop_start (long, long, long, long, long, long *, long *,
			      uintptr_t *, void **);

enum { N = 1000, LANES = 4 };
static int by[N];

/* FIRST is what stands where the first chunk's beginning is to be stored.  */

static void
loop (long first, long chunk, int wide)
{
#pragma omp parallel num_threads (LANES)
  {
    int me = omp_get_thread_num ();
    long s = first, e, i;
    ull us = first, ue, u;
    _Bool more;

    if (wide)
      for (more = GOMP_loop_ull_static_start (1, 0, N, 1, chunk, &us, &ue);
	   more; more = GOMP_loop_ull_static_next (&us, &ue))
	for (u = us; u < ue; u++)
	  by[u] = me;
    else
      for (more = GOMP_loop_static_start (0, N, 1, chunk, &s, &e); more;
	   more = GOMP_loop_static_next (&s, &e))
	for (i = s; i < e; i++)
	  by[i] = me;
    GOMP_loop_end ();
  }
}

static int
divided (long chunk)
{
  for (long i = 0; i < N; i++)
    if (by[i] != (chunk ? i / chunk % LANES : i * LANES / N))
      return 0;
  return 1;
}

int
main (void)
{
  static const long firsts[] = { 0, -1, AMP_TOLD - 1, AMP_TOLD + 64, -AMP_TOLD, ~AMP_TOLD };

  for (int wide = 0; wide < 2; wide++)
    {
      for (unsigned k = 0; k < sizeof firsts / sizeof firsts[0]; k++)
	{
	  loop (firsts[k], 0, wide);
	  CHECK (divided (0));
	}
      loop (AMP_TOLD, 7, wide);
      CHECK (divided (7));
      if (sizeof (long) > 4)
	{
	  loop ((1L << 31 << 1) + AMP_TOLD, 0, wide);
	  CHECK (divided (0));
	}
      /* A clause that may be replaced, with nothing that replaces it.  */
      if (getenv ("GOMP_AMP_REPLACE") == NULL)
	{
	  loop (AMP_TOLD + 8, 0, wide);
	  CHECK (divided (0));
	  loop (AMP_TOLD + 24, 0, wide);
	  CHECK (divided (0));
	}
      /* Without a clause: as the environment says.  */
      loop (AMP_TOLD, 0, wide);
      CHECK (!divided (0));
    }
  return AMP_RESULT;
}

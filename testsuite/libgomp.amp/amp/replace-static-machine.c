/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Where the machine says how fast its types of cores are, the first
   schedule(static) loop that is replaced goes by that, and keeps to it.  */
/* { amp-options -fopenmp-replace-static } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_DEBUG=sysfs=@DIR@/machine } */
/* { amp-sh mkdir -p machine/devices/system/cpu/cpu@A@ machine/devices/system/cpu/cpu@B@ } */
/* { amp-sh echo 1000 >machine/devices/system/cpu/cpu@A@/cpu_capacity } */
/* { amp-sh echo 250 >machine/devices/system/cpu/cpu@B@/cpu_capacity } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static} {@A@ @B@ 800} {} } */
/* { amp-run {GOMP_AMP_REPLACE=static=aid_static GOMP_AMP_AFFINITY=sb} {@A@ @B@ 200} {} } */
/* { amp-run {GOMP_AMP_REPLACE=} {@A@ @B@ 500} {} } */

#define _GNU_SOURCE 1
#include "amp-test.h"

#define N 1000
static int by[N];

/* On the CPUs that the machine has; thread 1 begins at the last argument.  */

int
main (int argc, char **argv)
{
  int wrong = 0;
  cpu_set_t two;

  CHECK (argc == 4);
  CPU_ZERO (&two);
  CPU_SET (atoi (argv[1]), &two);
  CPU_SET (atoi (argv[2]), &two);
  if (getenv ("AGAIN") == NULL)
    {
      setenv ("AGAIN", "", 1);
      CHECK (sched_setaffinity (0, sizeof two, &two) == 0);
      execv ("/proc/self/exe", argv);
    }
#pragma omp parallel num_threads (2)
  for (int step = 0; step < 10; step++)
    {
#pragma omp for schedule (static)
      for (int i = 0; i < N; i++)
	by[i] = omp_get_thread_num ();
#pragma omp single
      for (int i = 0; i < N; i++)
	wrong += by[i] != (i >= atoi (argv[3]));
    }
  CHECK (wrong == 0);
  return AMP_RESULT;
}

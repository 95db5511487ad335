/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Weighted teams: on which CPU each thread of a team goes, so that equal blocks
   of work end together on CPUs that differ in speed, and how many threads do
   that well.  Pure functions.

   Thread after thread goes to the CPU c with the least
   (threads there + 1) / speed (c).  For blocks of one size this gives the least
   time in which all are done, for each number of threads: in any placement that
   takes less, each CPU has at most as many threads as here, and the CPU of the
   last thread has fewer, so that one is missing.  A thread's CPU does not
   depend on how many come after it.  */

#include <stdbool.h>

/* Times that differ by less than this part are the same.  */
#define AMP_PLACE_SAME 1e-6

/* How far from the ideal a team's time may be, in the choice of its size.  */
#define AMP_PLACE_SLACK 1.05

/* The CPU, of NCPUS with SPEED, that the next thread goes to if LOAD threads
   are there.  Of several that are alike the one with the fewest threads, and
   then the first.  */

static unsigned
amp_place_one (const double *speed, unsigned ncpus, const unsigned *load)
{
  unsigned best = 0, c;

  for (c = 1; c < ncpus; c++)
    {
      double time = (load[c] + 1) / speed[c];
      double least = (load[best] + 1) / speed[best];

      if (time < least * (1 - AMP_PLACE_SAME)
	  || (time <= least * (1 + AMP_PLACE_SAME) && load[c] < load[best]))
	best = c;
    }
  return best;
}

/* Place NTHREADS threads: CPU[i] becomes the index of thread i's CPU and
   LOAD[c] how many threads CPU c has.  All SPEEDs are positive.  */

static void
amp_place_threads (const double *speed, unsigned ncpus, unsigned nthreads,
		   unsigned short *cpu, unsigned *load)
{
  unsigned i;

  for (i = 0; i < ncpus; i++)
    load[i] = 0;
  for (i = 0; i < nthreads; i++)
    {
      cpu[i] = amp_place_one (speed, ncpus, load);
      load[cpu[i]]++;
    }
}

/* Are SIZE threads one on each of NCPUS CPUs, as without us?  CPU and LOAD are
   as for amp_place_threads.  */

static bool
amp_place_plain (const double *speed, unsigned ncpus, unsigned size,
		 unsigned short *cpu, unsigned *load)
{
  unsigned c;

  if (size != ncpus)
    return false;
  amp_place_threads (speed, ncpus, size, cpu, load);
  for (c = 0; c < ncpus && load[c] == 1; c++)
    ;
  return c == ncpus;
}

/* The least number of threads with which equal blocks take at most
   AMP_PLACE_SLACK times as long as work that is divided ideally, with at most
   MOST threads a CPU; if there is none, the one that comes closest.  LOAD is
   scratch.  */

static unsigned
amp_place_team_size (const double *speed, unsigned ncpus, unsigned most,
		     unsigned *load)
{
  double sum = 0.0, best_ratio = 0.0;
  unsigned best = 1, n, c;

  for (c = 0; c < ncpus; c++)
    {
      sum += speed[c];
      load[c] = 0;
    }
  for (n = 1;; n++)
    {
      double ratio;

      c = amp_place_one (speed, ncpus, load);
      if (load[c] == most)
	return best;
      load[c]++;
      /* The thread that was placed last is done last.  */
      ratio = load[c] / speed[c] * sum / n;
      if (n == 1 || ratio < best_ratio * (1 - AMP_PLACE_SAME))
	{
	  best = n;
	  best_ratio = ratio;
	}
      if (ratio <= AMP_PLACE_SLACK)
	return n;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPB EP over ranks and threads, written from its specification (NAS technical
   report RNR-94-007, section 2.3.1): pairs of uniform deviates, of which those
   inside of the unit circle give Gaussian ones by acceptance and rejection; the
   sums of these are known for each class.  An iteration is a batch of 2^16
   pairs, which finds its seed by itself.  */

#include "ranks.h"
#include "../kernels/common/npb.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 1 << 16 };

static const struct
{
  char klass;
  int log2_pairs;
  double sx, sy; /* NPB's published sums */
} classes[] = {
  { 'S', 24, -3.247834652034740e+3, -6.958407078382297e+3 },
  { 'W', 25, -2.863319731645753e+3, -6.320053679109499e+3 },
  { 'A', 28, -4.295875165629892e+3, -1.580732573678431e+4 }
};

static int which;
static double sx, sy;

static void
batches (int64_t begin, int64_t end, void *data)
{
  (void) data;
  double x_sum = 0, y_sum = 0;
#pragma omp parallel for reduction (+ : x_sum, y_sum)
  for (int64_t k = begin; k < end; k++)
    {
      uint64_t seed = npb_jump (UINT64_C (271828183), 2 * (uint64_t) PAIRS * k);
      for (int i = 0; i < PAIRS; i++)
	{
	  double x = 2 * npb_next (&seed) - 1, y = 2 * npb_next (&seed) - 1;
	  double t = x * x + y * y;
	  if (t <= 1)
	    {
	      double f = sqrt (-2 * log (t) / t);
	      x_sum += x * f;
	      y_sum += y * f;
	    }
	}
    }
  sx += x_sum;
  sy += y_sum;
}

static void
run (void)
{
  sx = sy = 0;
  ranks_for (INT64_C (1) << (classes[which].log2_pairs - 16), 1, batches, NULL);
  double sums[2] = { sx, sy };
  MPI_Allreduce (MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  sx = sums[0];
  sy = sums[1];
}

static bool
near (double got, double wanted)
{
  return fabs ((got - wanted) / wanted) <= 1e-8;
}

int
main (int argc, char **argv)
{
  ranks_begin (argc, argv, "ep-mpi", "SWA");
  which = (int) (strchr ("SWA", ranks_class) - "SWA");
  ranks_rounds (run);
  if (ranks_damage)
    sy *= 1.000001;
  return ranks_end (near (sx, classes[which].sx) && near (sy, classes[which].sy));
}

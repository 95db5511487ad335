/* SPDX-License-Identifier: GPL-3.0-or-later */
/* K-Means by Lloyd's iteration over ranks and threads.  An iteration of the loop
   assigns a point to the nearest centre.  The points are at rank 0; the others
   get them from there, by blocks, and keep them: that is the moving of data
   that hetprobe weighs, and where ranks get the same points again it is over
   after the first time.  Features are whole numbers, so that sums do not depend
   on who adds what, and rank 0 does the same alone to compare.  */

#include "ranks.h"
#include "../kernels/common/random.h"

#include <string.h>

enum { FEATURES = 32, CLUSTERS = 16, STEPS = 12, BLOCK = 256 };

struct point
{
  int32_t x[FEATURES];
};

/* A cluster's points: their sums, and how many.  */
struct sum
{
  int64_t x[FEATURES], count;
};

static int64_t n;
static struct point *points;
static bool *have; /* of each block */
static MPI_Win window;
static struct point centre[CLUSTERS];
static struct sum sums[CLUSTERS];
static int32_t *member;

static void
make_points (void)
{
  for (int64_t i = 0; i < n; i++)
    for (int f = 0; f < FEATURES; f++)
      {
	/* Clusters are of unequal size and come in long runs.  */
	uint64_t kind = random_at (2, i / 300) % 23;
	uint64_t middle = random_at (3, (kind * kind / 23) * FEATURES + f) % 4096;
	points[i].x[f] = (int32_t) (middle + random_at (4, i * FEATURES + f) % 1200);
      }
}

static void
bring (int64_t begin, int64_t end, void *data)
{
  (void) data;
  for (int64_t b = begin / BLOCK; b * BLOCK < end; b++)
    if (!have[b])
      {
	int64_t at = b * BLOCK, many = n - at < BLOCK ? n - at : BLOCK;
	int bytes = (int) (many * sizeof *points);
	MPI_Get (points + at, bytes, MPI_BYTE, 0, (MPI_Aint) at * sizeof *points,
		 bytes, MPI_BYTE, window);
	have[b] = true;
      }
  MPI_Win_flush (0, window);
}

static int
nearest (const struct point *p)
{
  int64_t best = INT64_MAX;
  int which = 0;
  for (int c = 0; c < CLUSTERS; c++)
    {
      int64_t d = 0;
      for (int f = 0; f < FEATURES; f++)
	d += (int64_t) (p->x[f] - centre[c].x[f]) * (p->x[f] - centre[c].x[f]);
      if (d < best)
	{
	  best = d;
	  which = c;
	}
    }
  return which;
}

static void
assign (int64_t begin, int64_t end, void *data)
{
  (void) data;
#pragma omp parallel
  {
    struct sum own[CLUSTERS];
    memset (own, 0, sizeof own);
#pragma omp for
    for (int64_t i = begin; i < end; i++)
      {
	int c = nearest (&points[i]);
	member[i] = c;
	own[c].count++;
	for (int f = 0; f < FEATURES; f++)
	  own[c].x[f] += points[i].x[f];
      }
#pragma omp critical
    for (int c = 0; c < CLUSTERS; c++)
      {
	sums[c].count += own[c].count;
	for (int f = 0; f < FEATURES; f++)
	  sums[c].x[f] += own[c].x[f];
      }
  }
}

/* The first centres are points at even distances.  */
static void
first_centres (void)
{
  if (ranks_rank == 0)
    for (int c = 0; c < CLUSTERS; c++)
      centre[c] = points[(2 * c + 1) * n / (2 * CLUSTERS)];
}

/* A cluster without points stays where it is.  */
static void
move_centres (void)
{
  for (int c = 0; c < CLUSTERS; c++)
    for (int f = 0; sums[c].count && f < FEATURES; f++)
      centre[c].x[f] = (int32_t) (sums[c].x[f] / sums[c].count);
  memset (sums, 0, sizeof sums);
}

static void
run (void)
{
  first_centres ();
  MPI_Bcast (centre, sizeof centre, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int step = 0; step < STEPS; step++)
    {
      ranks_for (n, 1, assign, ranks_rank ? bring : NULL);
      MPI_Allreduce (MPI_IN_PLACE, sums, CLUSTERS * (FEATURES + 1), MPI_INT64_T,
		     MPI_SUM, MPI_COMM_WORLD);
      move_centres ();
    }
  amp_mpi_allgather (MPI_COMM_WORLD, member, MPI_INT32_T);
}

int
main (int argc, char **argv)
{
  ranks_begin (argc, argv, "kmeans-mpi", "SWA");
  n = ranks_class == 'S' ? 5000 : ranks_class == 'W' ? 100000 : 1000000;
  MPI_Aint bytes = ranks_rank ? 0 : (MPI_Aint) n * sizeof *points;
  MPI_Win_allocate (bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &points, &window);
  if (ranks_rank)
    points = ranks_allocate (n, sizeof *points);
  member = ranks_allocate (n, sizeof *member);
  have = ranks_allocate (n / BLOCK + 1, sizeof *have);
  if (ranks_rank == 0)
    make_points ();
  MPI_Win_lock_all (MPI_MODE_NOCHECK, window);
  MPI_Win_sync (window);
  MPI_Barrier (MPI_COMM_WORLD);
  ranks_rounds (run);
  MPI_Win_unlock_all (window);
  bool good = true;
  if (ranks_damage)
    member[n / 2] ^= 1;
  if (ranks_rank == 0)
    {
      int32_t *made = ranks_allocate (n, sizeof *made);
      memcpy (made, member, n * sizeof *made);
      first_centres ();
      for (int step = 0; step < STEPS; step++)
	{
	  assign (0, n, NULL);
	  move_centres ();
	}
      good = !memcmp (made, member, n * sizeof *made);
    }
  MPI_Win_free (&window);
  return ranks_end (good);
}

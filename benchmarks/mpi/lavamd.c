/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Particles that repel each other within a cut-off, in boxes whose side is the
   cut-off, over ranks and threads: the kind of loop that LavaMD has.  An
   iteration is a box; boxes in the middle hold most particles.  These move
   within their boxes only.  Every rank holds all particles; after each step it
   gets the boxes of the others.  Rank 0 does the same alone to compare, bit for
   bit: a pair's two forces are computed apart, so that the order of boxes does
   not matter.  */

#include "ranks.h"
#include "../kernels/common/random.h"

#include <math.h>
#include <string.h>

enum { ROOM = 64, STEPS = 4 };

struct particle
{
  double x, y, z, q;
};

struct box
{
  int64_t count;
  struct particle p[ROOM];
};

static int side;
static struct box *now, *next;

static double
unit (uint64_t i)
{
  return (double) (random_at (1, i) >> 11) * 0x1p-53;
}

static void
fill (void)
{
  for (int64_t b = 0; b < (int64_t) side * side * side; b++)
    {
      double middle = (side - 1) / 2.0, x = b % side - middle;
      double y = b / side % side - middle, z = b / (side * side) - middle;
      double far = sqrt (x * x + y * y + z * z) / side;
      now[b].count = 4 + (int64_t) ((ROOM - 4) * exp (-8 * far * far));
      for (int i = 0; i < now[b].count; i++)
	{
	  uint64_t at = 4 * ((uint64_t) b * ROOM + i);
	  struct particle p = { unit (at), unit (at + 1), unit (at + 2),
				0.5 + unit (at + 3) };
	  now[b].p[i] = p;
	}
    }
}

/* Add to FORCE what the particles of FROM, which lies at the offset X, Y, Z, do
   to P.  */
static void
repel (const struct particle *p, const struct box *from, int x, int y, int z,
       double *force)
{
  for (int j = 0; j < from->count; j++)
    {
      double dx = p->x - from->p[j].x - x, dy = p->y - from->p[j].y - y;
      double dz = p->z - from->p[j].z - z;
      double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 >= 1 || r2 == 0)
	continue;
      double w = p->q * from->p[j].q * exp (-4 * r2);
      force[0] += w * dx;
      force[1] += w * dy;
      force[2] += w * dz;
    }
}

static double
inside (double x)
{
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* Box B a step later, into NEXT.  */
static void
step_box (int64_t b)
{
  int bx = (int) (b % side), by = (int) (b / side % side);
  int bz = (int) (b / (side * side));
  next[b].count = now[b].count;
  for (int i = 0; i < now[b].count; i++)
    {
      struct particle *p = &now[b].p[i];
      double force[3] = { 0, 0, 0 };
      for (int z = bz ? -1 : 0; z <= (bz < side - 1); z++)
	for (int y = by ? -1 : 0; y <= (by < side - 1); y++)
	  for (int x = bx ? -1 : 0; x <= (bx < side - 1); x++)
	    repel (p, &now[b + x + side * (y + side * z)], x, y, z, force);
      next[b].p[i].x = inside (p->x + 0.001 * force[0]);
      next[b].p[i].y = inside (p->y + 0.001 * force[1]);
      next[b].p[i].z = inside (p->z + 0.001 * force[2]);
      next[b].p[i].q = p->q;
    }
}

static void
boxes (int64_t begin, int64_t end, void *data)
{
  (void) data;
#pragma omp parallel for schedule (dynamic)
  for (int64_t b = begin; b < end; b++)
    step_box (b);
}

static void
swap (void)
{
  struct box *old = now;
  now = next;
  next = old;
}

static void
run (void)
{
  MPI_Datatype box;
  MPI_Type_contiguous (sizeof (struct box) / sizeof (double), MPI_DOUBLE, &box);
  MPI_Type_commit (&box);
  fill ();
  for (int step = 0; step < STEPS; step++, swap ())
    {
      ranks_for ((int64_t) side * side * side, 1, boxes, NULL);
      amp_mpi_allgather (MPI_COMM_WORLD, next, box);
    }
  MPI_Type_free (&box);
}

int
main (int argc, char **argv)
{
  ranks_begin (argc, argv, "lavamd-mpi", "SWA");
  side = ranks_class == 'S' ? 4 : ranks_class == 'W' ? 10 : 16;
  size_t all = (size_t) side * side * side;
  now = ranks_allocate (all, sizeof *now);
  next = ranks_allocate (all, sizeof *next);
  ranks_rounds (run);
  bool good = true;
  if (ranks_damage)
    now[all / 2].p[0].x += 1e-15;
  if (ranks_rank == 0)
    {
      struct box *made = ranks_allocate (all, sizeof *made);
      memcpy (made, now, all * sizeof *made);
      fill ();
      for (int step = 0; step < STEPS; step++, swap ())
	boxes (0, (int64_t) all, NULL);
      for (size_t b = 0; b < all; b++)
	good &= made[b].count == now[b].count
		&& !memcmp (made[b].p, now[b].p, now[b].count * sizeof now[b].p[0]);
    }
  return ranks_end (good);
}

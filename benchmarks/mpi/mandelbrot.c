/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An image of the Mandelbrot set over ranks and threads.  An iteration is a row;
   rows through the set take a hundred times what those beside it do.  Every
   rank gets the whole image, and rank 0 draws it again by itself to compare.  */

#include "ranks.h"

#include <string.h>

static const struct
{
  int width, height, limit;
} classes[] = { { 160, 120, 500 }, { 800, 600, 1500 }, { 1600, 1200, 3000 } };

static int width, height, limit;
static uint16_t *image;

/* Steps until the point's orbit leaves the circle of radius 2.  The picture is a
   little below the middle, so that it has no symmetry.  */
static uint16_t
steps (int column, int row)
{
  double cx = -2.2 + 3.2 * column / width, cy = -1.3 + 2.4 * row / height;
  double x = 0, y = 0;
  int n = 0;
  for (; n < limit && x * x + y * y <= 4; n++)
    {
      double next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
    }
  return (uint16_t) n;
}

static void
rows (int64_t begin, int64_t end, void *data)
{
  (void) data;
  /* Rows differ, and so do points: whoever is through takes more.  */
#pragma omp parallel for collapse (2) schedule (dynamic, 64)
  for (int64_t row = begin; row < end; row++)
    for (int column = 0; column < width; column++)
      image[row * width + column] = steps (column, (int) row);
}

static void
run (void)
{
  MPI_Datatype row;
  memset (image, 0xff, sizeof *image * width * height);
  MPI_Type_contiguous (width, MPI_UINT16_T, &row);
  MPI_Type_commit (&row);
  ranks_for (height, 1, rows, NULL);
  amp_mpi_allgather (MPI_COMM_WORLD, image, row);
  MPI_Type_free (&row);
}

int
main (int argc, char **argv)
{
  ranks_begin (argc, argv, "mandelbrot-mpi", "SWA");
  int which = (int) (strchr ("SWA", ranks_class) - "SWA");
  width = classes[which].width;
  height = classes[which].height;
  limit = classes[which].limit;
  image = ranks_allocate ((size_t) width * height, sizeof *image);
  ranks_rounds (run);
  if (ranks_damage)
    image[width * height / 2] ^= 1;
  int good = 1, alike = 1;
  if (ranks_rank == 0)
    for (int i = 0; i < width * height; i++)
      good &= image[i] == steps (i % width, i / width);
  /* The others have the same.  */
  uint16_t *first = ranks_allocate ((size_t) width * height, sizeof *first);
  memcpy (first, image, sizeof *image * width * height);
  MPI_Bcast (first, width * height, MPI_UINT16_T, 0, MPI_COMM_WORLD);
  int mine = !memcmp (first, image, sizeof *image * width * height);
  MPI_Reduce (&mine, &alike, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  return ranks_end (good && alike);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat in a stack of chip layers, on the theme of Rodinia's hotspot3D: an
   explicit seven-point stencil of finite volumes in single precision.  The
   material and the size of the die are those of the HotSpot model (Huang and
   others, IEEE Transactions on VLSI Systems, 2006): silicon of 100 W/(m K) and
   1.75e6 J/(m^3 K), 16 x 16 mm, 0.5 mm thick.  The lowest layer has the power,
   the uppermost the heat sink.

   One parallel loop a time step, a row of cells an iteration.  A step does not
   depend on who computes which row: the result is compared bit for bit with a
   serial run.  */

#include "common/app.h"
#include "common/random.h"

#include <string.h>

static const struct problem
{
  char klass;
  int side, layers, steps;
} problems[] = {
  { 'S', 64, 4, 300 },
  { 'W', 128, 8, 3000 },
  { 'A', 512, 8, 1500 },
  { 'B', 512, 8, 8000 },
};

static int side, layers;

/* What a cell takes over of its neighbours' temperatures in a step: along a
   row, between rows, between layers, and from the sink.  */
static float share_x, share_y, share_z, share_sink;

/* By how much power heats a cell of the lowest layer in a step.  */
static float *heating;

static const float ambient = 80;

static void
set_up (void)
{
  const double conductivity = 100, heat_capacity = 1.75e6;
  const double width = 0.016, thickness = 0.0005, density = 3e6;
  double dx = width / side, dz = thickness / layers;
  double capacity = heat_capacity * dx * dx * dz;
  double gx = conductivity * dz, gz = conductivity * dx * dx / dz;
  /* The sink conducts a tenth of what the layer below does.  */
  double sink = gz / 10;
  /* 0.8 of what is stable.  */
  double dt = 0.8 * capacity / (4 * gx + 2 * gz + sink);
  share_x = share_y = (float) (gx * dt / capacity);
  share_z = (float) (gz * dt / capacity);
  share_sink = (float) (sink * dt / capacity);

  /* Units of the chip, 8 by 8, a third of them busy, and noise.  */
  heating = app_allocate ((size_t) side * side, sizeof *heating);
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++)
      {
	long i = (long) y * side + x;
	int unit = y * 8 / side * 8 + x * 8 / side;
	double busy = random_at (app_seed, unit) % 3 ? 0.1 : 1;
	double noise = random_fraction (random_at (app_seed, 64 + i));
	heating[i] = (float) (density * dx * dx * busy * (0.5 + noise)
			      * dt / capacity);
      }
}

static inline long
row_at (int z, int y)
{
  return ((long) z * side + y) * side;
}

/* Row R of all layers' rows.  What lies outside is as warm as the cell.  */

static void
row_step (long r, const float *restrict from, float *restrict to)
{
  int z = (int) (r / side), y = (int) (r % side), last = side - 1;
  const float *c = from + row_at (z, y);
  const float *n = from + row_at (z, y > 0 ? y - 1 : y);
  const float *s = from + row_at (z, y < last ? y + 1 : y);
  const float *b = from + row_at (z > 0 ? z - 1 : z, y);
  const float *a = from + row_at (z < layers - 1 ? z + 1 : z, y);
  float *out = to + row_at (z, y);
  float to_sink = z == layers - 1 ? share_sink : 0;

#define CELL(X, W, E) \
  out[X] = (c[X] + share_x * (c[W] + c[E] - 2 * c[X]) \
	    + share_y * (n[X] + s[X] - 2 * c[X]) \
	    + share_z * (b[X] + a[X] - 2 * c[X]) \
	    + to_sink * (ambient - c[X]))
  CELL (0, 0, 1);
  for (int x = 1; x < last; x++)
    CELL (x, x - 1, x + 1);
  CELL (last, last - 1, last);
#undef CELL
  if (z == 0)
    for (int x = 0; x < side; x++)
      out[x] += heating[(long) y * side + x];
}

static void
swap (float **a, float **b)
{
  float *t = *a;
  *a = *b;
  *b = t;
}

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("hotspot3d", "SWAB", app_seed_help,
					   app_seed_option);
  side = p->side;
  layers = p->layers;
  long rows = (long) layers * side, cells = rows * side;
  float *now = app_allocate (cells, sizeof *now);
  float *next = app_allocate (cells, sizeof *next);
  float *serial = app_allocate (cells, sizeof *serial);
  float *serial_next = app_allocate (cells, sizeof *serial_next);
  for (long i = 0; i < cells; i++)
    now[i] = serial[i] = ambient;
  set_up ();
  int threads = bench_threads ();

  double start = bench_seconds ();
  for (int step = 0; step < p->steps; step++)
    {
#pragma omp parallel for
      for (long r = 0; r < rows; r++)
	row_step (r, now, next);
      swap (&now, &next);
    }
  double seconds = bench_seconds () - start;

  for (int step = 0; step < p->steps; step++)
    {
      for (long r = 0; r < rows; r++)
	row_step (r, serial, serial_next);
      swap (&serial, &serial_next);
    }
  if (app_damage)
    now[cells / 2] *= 1 + 0x1p-23f;
  long wrong = 0;
  float hottest = ambient;
  for (long i = 0; i < cells; i++)
    {
      wrong += memcmp (&now[i], &serial[i], sizeof *now) != 0;
      hottest = serial[i] > hottest ? serial[i] : hottest;
    }
  return bench_finish ("hotspot3d", p->klass, seconds,
		       wrong == 0 && hottest > ambient, threads, p->steps,
		       "\"seed\":%llu,\"wrong\":%ld,\"side\":%d,"
		       "\"layers\":%d,\"hottest\":%.4f",
		       (unsigned long long) app_seed, wrong, side, layers,
		       hottest);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A particle filter that follows a disc through a noisy video, on the theme of
   Rodinia's particlefilter: particles are moved by a model of the disc's motion
   and weighted by how well the image around them agrees; their weighted mean is
   the estimate; then they are drawn anew by their weights.

   As in Rodinia's program, the loop that draws them looks for each particle's
   place in the cumulative weights from the beginning, so that the last
   iterations cost the most: the case of the AID paper's section 5B.

   Random numbers belong to a particle and a frame, and sums are made of blocks
   of particles, so that no result depends on who computes what: all particles
   are compared bit for bit with a serial run.  The estimates must be close to
   the disc.  */

#include "common/app.h"
#include "common/random.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SIDE = 128, RADIUS = 5, BLOCK = 64, MOST_POINTS = 128 };

static const struct problem
{
  char klass;
  long particles;
  int frames;
} problems[] = {
  { 'S', 4000, 8 },
  { 'W', 10000, 10 },
  { 'A', 24000, 10 },
  { 'B', 60000, 16 },
};

/* How far an estimate may be from the disc's middle.  */
static const double tolerance = 3;

static const double paper = 100, ink = 228, noise = 5;

struct filter
{
  long n;
  double *x, *y, *next_x, *next_y, *weight, *cumulative, *sum;
  double estimate_x, estimate_y;
};

/* The disc's points, relative to its middle.  */
static int points;
static int point_x[MOST_POINTS], point_y[MOST_POINTS];

static uint8_t *video;

static double
normal (uint64_t index)
{
  return random_normal_at (app_seed, index);
}

/* Where the disc really is.  */

static double
true_x (int frame)
{
  return 32 + 2.0 * frame;
}

static double
true_y (int frame)
{
  return 96 - 2.5 * frame + 8 * sin (0.5 * frame);
}

static void
make_video (int frames)
{
  for (int y = -RADIUS; y <= RADIUS; y++)
    for (int x = -RADIUS; x <= RADIUS; x++)
      if (x * x + y * y < RADIUS * RADIUS)
	{
	  point_x[points] = x;
	  point_y[points++] = y;
	}
  video = app_allocate ((size_t) frames * SIDE * SIDE, 1);
  for (int f = 0; f < frames; f++)
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++)
	{
	  long i = ((long) f * SIDE + y) * SIDE + x;
	  double dx = x - true_x (f), dy = y - true_y (f);
	  double v = ((dx * dx + dy * dy < RADIUS * RADIUS ? ink : paper)
		      + noise * normal ((UINT64_C (1) << 40) + i));
	  video[i] = (uint8_t) (v < 0 ? 0 : v > 255 ? 255 : v);
	}
}

static void
make_filter (struct filter *f, long n)
{
  f->n = n;
  f->x = app_allocate (n, sizeof *f->x);
  f->y = app_allocate (n, sizeof *f->y);
  f->next_x = app_allocate (n, sizeof *f->next_x);
  f->next_y = app_allocate (n, sizeof *f->next_y);
  f->weight = app_allocate (n, sizeof *f->weight);
  f->cumulative = app_allocate (n, sizeof *f->cumulative);
  f->sum = app_allocate (n / BLOCK + 1, sizeof *f->sum);
  for (long i = 0; i < n; i++)
    {
      f->x[i] = true_x (0);
      f->y[i] = true_y (0);
    }
}

/* Moves particle I, and returns the logarithm of its likelihood.  */

static double
move (struct filter *f, int frame, long i)
{
  uint64_t index = 2 * ((uint64_t) frame * f->n + i);
  f->x[i] += 2 + 2 * normal (index);
  f->y[i] += -2 + 3 * normal (index + 1);
  const uint8_t *image = video + (long) frame * SIDE * SIDE;
  double sum = 0;
  for (int k = 0; k < points; k++)
    {
      long x = lround (f->x[i]) + point_x[k];
      long y = lround (f->y[i]) + point_y[k];
      /* Outside the image there is paper.  */
      double v = (x >= 0 && x < SIDE && y >= 0 && y < SIDE
		  ? image[y * SIDE + x] : paper);
      sum += (v - paper) * (v - paper) - (v - ink) * (v - ink);
    }
  return sum / (50 * points);
}

/* The logarithm of the likelihood where all is ink: subtracted, so that weights
   neither overflow nor all vanish.  */
static const double most_log = 128.0 * 128 / 50;

static void
weigh (struct filter *f, int frame, long i)
{
  f->weight[i] = exp (move (f, frame, i) - most_log);
}

static void
add_block (struct filter *f, long block)
{
  long end = (block + 1) * BLOCK < f->n ? (block + 1) * BLOCK : f->n;
  f->sum[block] = 0;
  for (long i = block * BLOCK; i < end; i++)
    f->sum[block] += f->weight[i];
}

/* The weights' sum; then their cumulative sums, and the estimate.  */

static double
total_weight (const struct filter *f, long blocks)
{
  double total = 0;
  for (long b = 0; b < blocks; b++)
    total += f->sum[b];
  return total;
}

static void
accumulate (struct filter *f)
{
  double sum = 0;
  f->estimate_x = f->estimate_y = 0;
  for (long i = 0; i < f->n; i++)
    {
      f->cumulative[i] = sum += f->weight[i];
      f->estimate_x += f->weight[i] * f->x[i];
      f->estimate_y += f->weight[i] * f->y[i];
    }
}

/* Draws particle I anew: systematic resampling.  */

static void
draw (struct filter *f, int frame, long i)
{
  double u = random_fraction (random_at (app_seed ^ 1, frame));
  double at = (u + (double) i) / (double) f->n;
  long k = 0;
  while (k < f->n - 1 && f->cumulative[k] < at)
    k++;
  f->next_x[i] = f->x[k];
  f->next_y[i] = f->y[k];
}

/* One frame by parallel loops.  */

static void
step (struct filter *f, int frame)
{
  long n = f->n, blocks = (n + BLOCK - 1) / BLOCK;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    weigh (f, frame, i);
#pragma omp parallel for
  for (long b = 0; b < blocks; b++)
    add_block (f, b);
  double total = total_weight (f, blocks);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    f->weight[i] /= total;
  accumulate (f);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    draw (f, frame, i);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    {
      f->x[i] = f->next_x[i];
      f->y[i] = f->next_y[i];
    }
}

/* Loops in a step.  */
enum { LOOPS = 5 };

static void
serial_step (struct filter *f, int frame)
{
  long n = f->n, blocks = (n + BLOCK - 1) / BLOCK;
  for (long i = 0; i < n; i++)
    weigh (f, frame, i);
  for (long b = 0; b < blocks; b++)
    add_block (f, b);
  double total = total_weight (f, blocks);
  for (long i = 0; i < n; i++)
    f->weight[i] /= total;
  accumulate (f);
  /* As DRAW, but going on where the particle before has ended.  */
  double u = random_fraction (random_at (app_seed ^ 1, frame));
  for (long i = 0, k = 0; i < n; i++)
    {
      double at = (u + (double) i) / (double) n;
      while (k < n - 1 && f->cumulative[k] < at)
	k++;
      f->next_x[i] = f->x[k];
      f->next_y[i] = f->y[k];
    }
  memcpy (f->x, f->next_x, n * sizeof *f->x);
  memcpy (f->y, f->next_y, n * sizeof *f->y);
}

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("particlefilter", "SWAB",
					   app_seed_help, app_seed_option);
  long n = p->particles;
  struct filter f, serial;
  make_video (p->frames);
  make_filter (&f, n);
  make_filter (&serial, n);
  int threads = bench_threads ();

  double start = bench_seconds ();
  for (int frame = 1; frame < p->frames; frame++)
    step (&f, frame);
  double seconds = bench_seconds () - start;

  double worst = 0;
  for (int frame = 1; frame < p->frames; frame++)
    {
      serial_step (&serial, frame);
      double d = hypot (serial.estimate_x - true_x (frame),
			serial.estimate_y - true_y (frame));
      /* Written so that a NaN is the worst.  */
      worst = worst >= d ? worst : d;
    }
  if (app_damage)
    f.y[n / 2] = nextafter (f.y[n / 2], INFINITY);
  long wrong = 0;
  for (long i = 0; i < n; i++)
    wrong += (memcmp (&f.x[i], &serial.x[i], sizeof *f.x)
	      || memcmp (&f.y[i], &serial.y[i], sizeof *f.y)
	      || memcmp (&f.weight[i], &serial.weight[i], sizeof *f.weight));
  return bench_finish ("particlefilter", p->klass, seconds,
		       wrong == 0 && worst <= tolerance, threads,
		       LOOPS * (p->frames - 1L),
		       "\"seed\":%llu,\"wrong\":%ld,"
		       "\"particles\":%ld,\"frames\":%d,\"off\":%.3f",
		       (unsigned long long) app_seed, wrong, n, p->frames,
		       worst);
}

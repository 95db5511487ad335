/* SPDX-License-Identifier: GPL-3.0-or-later */
/* N bodies under gravity by the algorithm of Barnes and Hut ("A hierarchical
   O(N log N) force-calculation algorithm", Nature 324, 1986): an octree each
   step, whose cells stand for their bodies where they are far away.  The loop
   over bodies, whose iterations are uneven and read memory all over, runs on
   cores and a device; the tree is built by one thread.

   A Plummer sphere in N-body units (G = M = 1, E = -1/4), leapfrog.  Bodies are
   kept in the order of the tree, so that neighbours take like ways through
   it.  */

#include "common.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells that appear smaller than this are not opened.  */
#define THETA 0.5f
#define SOFTENING 0.01f
#define STEP 0.002f
/* Bodies that a cell need not be divided for.  */
#define LEAF 8
/* Bits of a coordinate in a key.  */
#define LEVELS 20

struct body { float x, y, z, m; };

/* In the order of a walk that opens everything; NEXT is where a walk goes on that
   does not open the cell.  */
struct cell
{
  float x, y, z, m;		/* The centre of mass.  */
  float far2;			/* Square of the distance from which on it need
				   not be opened.  */
  int next;
  int first, count;		/* Its bodies; COUNT is 0 in cells that have
				   cells.  */
};

#define WALK \
  "typedef struct { float x, y, z, m, far2; int next, first, count; } cell;\n" \
  "#define PULL(X, Y, Z, M)\\\n" \
  "  {\\\n" \
  "    float dx = (X) - p.x, dy = (Y) - p.y, dz = (Z) - p.z;\\\n" \
  "    float w = 1.0f / sqrt (dx * dx + dy * dy + dz * dz + soft2);\\\n" \
  "    float s = (M) * w, f = s * w * w;\\\n" \
  "    a.x += f * dx; a.y += f * dy; a.z += f * dz; a.w -= s;\\\n" \
  "  }\n"

static const char source[] =
  WALK
  "__kernel void force (__global const float4 *body,\n"
  "                     __global const cell *cells, int ncells,\n"
  "                     __global float4 *pull, float soft2)\n"
  "{\n"
  "  long i = get_global_id (0);\n"
  "  float4 p = body[i], a = (float4) (0.0f);\n"
  "  int at = 0;\n"
  "  while (at < ncells)\n"
  "    {\n"
  "      cell c = cells[at];\n"
  "      float x = c.x - p.x, y = c.y - p.y, z = c.z - p.z;\n"
  "      if (c.count != 0)\n"
  "        {\n"
  "          for (int k = c.first; k < c.first + c.count; k++)\n"
  "            if (k != i)\n"
  "              PULL (body[k].x, body[k].y, body[k].z, body[k].w)\n"
  "          at = c.next;\n"
  "        }\n"
  "      else if (x * x + y * y + z * z > c.far2)\n"
  "        {\n"
  "          PULL (c.x, c.y, c.z, c.m)\n"
  "          at = c.next;\n"
  "        }\n"
  "      else\n"
  "        at++;\n"
  "    }\n"
  "  pull[i] = a;\n"
  "}\n";

static struct bench bench = { .name = "barneshut", .n = 100000, .steps = 15 };
static struct body *body, *pull;	/* PULL: acceleration and potential.  */
static struct cell *cells;
static struct amp_opencl_buffer *bbody, *bpull, *bcells;
static float *velocity;			/* 3 a body.  */
static int ncells;

struct key { uint64_t key; long body; };
static struct key *keys;

/* The pull of mass M at X, Y, Z on P, added to A.  */

static inline void
add_pull (const struct body *p, struct body *a, float x, float y, float z,
	  float m)
{
  float dx = x - p->x, dy = y - p->y, dz = z - p->z;
  float w = 1.0f / sqrtf (dx * dx + dy * dy + dz * dz
			  + SOFTENING * SOFTENING);
  float s = m * w, f = s * w * w;

  a->x += f * dx;
  a->y += f * dy;
  a->z += f * dz;
  a->m -= s;
}

static void
on_cores (int64_t begin, int64_t end, void *data)
{
  (void) data;
  for (int64_t i = begin; i < end; i++)
    {
      struct body p = body[i], a = { 0.0f, 0.0f, 0.0f, 0.0f };
      int at = 0;

      while (at < ncells)
	{
	  const struct cell *c = &cells[at];
	  float x = c->x - p.x, y = c->y - p.y, z = c->z - p.z;

	  if (c->count != 0)
	    {
	      for (int k = c->first; k < c->first + c->count; k++)
		if (k != i)
		  add_pull (&p, &a, body[k].x, body[k].y, body[k].z,
			    body[k].m);
	      at = c->next;
	    }
	  else if (x * x + y * y + z * z > c->far2)
	    {
	      add_pull (&p, &a, c->x, c->y, c->z, c->m);
	      at = c->next;
	    }
	  else
	    at++;
	}
      pull[i] = a;
    }
}

static int
on_device (int64_t begin, int64_t end, void *data, struct amp_device_call *call)
{
  (void) data;
  amp_opencl_launch (bench.kernel, begin, end);
  amp_opencl_get (bpull, (size_t) begin * sizeof *pull,
		  (size_t) (end - begin) * sizeof *pull);
  return amp_opencl_finish (bench.cl, call);
}

static uint64_t state = 20260123;

static double
next_random (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double) (state >> 11) * 0x1p-53;
}

static void
direction (double length, float *v)
{
  double z = 2.0 * next_random () - 1.0, phi = 2.0 * M_PI * next_random ();
  double r = sqrt (1.0 - z * z);

  v[0] = (float) (length * r * cos (phi));
  v[1] = (float) (length * r * sin (phi));
  v[2] = (float) (length * z);
}

/* A Plummer sphere, cut off at ten times its scale.  */

static void
make_bodies (void)
{
  const double scale = 3.0 * M_PI / 16.0;

  for (long i = 0; i < bench.n; i++)
    {
      double r, q, g;
      float at[3];

      do
	r = 1.0 / sqrt (pow (next_random () + 1e-12, -2.0 / 3.0) - 1.0);
      while (!(r < 10.0));
      direction (scale * r, at);
      /* Part of the escape velocity, by rejection.  */
      do
	{
	  q = next_random ();
	  g = next_random () * 0.1;
	}
      while (g > q * q * pow (1.0 - q * q, 3.5));
      direction (q * sqrt (2.0) * pow (1.0 + r * r, -0.25) / sqrt (scale),
		 &velocity[3 * i]);
      body[i] = (struct body) { at[0], at[1], at[2], 1.0f / (float) bench.n };
    }
}

static int
compare_keys (const void *a, const void *b)
{
  uint64_t x = ((const struct key *) a)->key, y = ((const struct key *) b)->key;

  return x < y ? -1 : x > y;
}

static uint64_t
spread (uint64_t x)
{
  uint64_t out = 0;

  for (int bit = 0; bit < LEVELS; bit++)
    out |= (x >> bit & 1) << 3 * bit;
  return out;
}

/* Bring the bodies into the order of their cells, in a cube of edge EDGE around
   the origin.  */

static void
sort_bodies (float edge)
{
  struct body *old = malloc ((size_t) bench.n * sizeof *old);
  float *fast = malloc ((size_t) bench.n * 3 * sizeof *fast);
  double scale = (double) (1 << LEVELS) / (double) edge;

  if (!old || !fast)
    exit (1);
  for (long i = 0; i < bench.n; i++)
    {
      const float at[3] = { body[i].x, body[i].y, body[i].z };
      uint64_t key = 0;

      for (int d = 0; d < 3; d++)
	{
	  double x = ((double) at[d] + (double) edge / 2.0) * scale;

	  key |= spread (x < 0.0 ? 0 : x >= (double) (1 << LEVELS)
			 ? (1 << LEVELS) - 1 : (uint64_t) x) << d;
	}
      keys[i] = (struct key) { key, i };
    }
  qsort (keys, (size_t) bench.n, sizeof *keys, compare_keys);
  memcpy (old, body, (size_t) bench.n * sizeof *old);
  memcpy (fast, velocity, (size_t) bench.n * 3 * sizeof *fast);
  for (long i = 0; i < bench.n; i++)
    {
      body[i] = old[keys[i].body];
      memcpy (&velocity[3 * i], &fast[3 * keys[i].body], 3 * sizeof *fast);
    }
  free (old);
  free (fast);
}

/* The cell of the bodies FIRST .. LAST-1, whose edge is EDGE, and its cells.  */

static void
make_cell (long first, long last, int level, float edge)
{
  struct cell *c = &cells[ncells++];
  double x = 0.0, y = 0.0, z = 0.0, m = 0.0;

  for (long i = first; i < last; i++)
    {
      double w = (double) body[i].m;

      x += w * (double) body[i].x;
      y += w * (double) body[i].y;
      z += w * (double) body[i].z;
      m += w;
    }
  *c = (struct cell) { (float) (x / m), (float) (y / m), (float) (z / m),
		       (float) m, edge * edge / (THETA * THETA), 0,
		       (int) first, 0 };
  if (last - first <= LEAF || level == LEVELS)
    c->count = (int) (last - first);
  else
    for (long i = first, j; i < last; i = j)
      {
	int shift = 3 * (LEVELS - 1 - level);

	for (j = i + 1; j < last && keys[j].key >> shift
	     == keys[i].key >> shift; j++)
	  continue;
	make_cell (i, j, level + 1, edge / 2.0f);
      }
  c->next = ncells;
}

static void
make_tree (void)
{
  float most = 0.0f;

  for (long i = 0; i < bench.n; i++)
    {
      most = fmaxf (most, fabsf (body[i].x));
      most = fmaxf (most, fmaxf (fabsf (body[i].y), fabsf (body[i].z)));
    }
  most *= 2.0001f;
  sort_bodies (most);
  ncells = 0;
  make_cell (0, bench.n, 0, most);
  if (bench.cl)
    {
      float soft2 = SOFTENING * SOFTENING;

      bench_update (&bench, bbody, (size_t) bench.n * sizeof *body);
      bench_update (&bench, bcells, (size_t) ncells * sizeof *cells);
      amp_opencl_set_buffer (bench.kernel, 0, bbody);
      amp_opencl_set_buffer (bench.kernel, 1, bcells);
      amp_opencl_set_value (bench.kernel, 2, sizeof ncells, &ncells);
      amp_opencl_set_buffer (bench.kernel, 3, bpull);
      amp_opencl_set_value (bench.kernel, 4, sizeof soft2, &soft2);
    }
}

static void
kick (float dt)
{
  for (long i = 0; i < bench.n; i++)
    {
      velocity[3 * i] += dt * pull[i].x;
      velocity[3 * i + 1] += dt * pull[i].y;
      velocity[3 * i + 2] += dt * pull[i].z;
    }
}

static void
drift (float dt)
{
  for (long i = 0; i < bench.n; i++)
    {
      body[i].x += dt * velocity[3 * i];
      body[i].y += dt * velocity[3 * i + 1];
      body[i].z += dt * velocity[3 * i + 2];
    }
}

static double
energy (void)
{
  double e = 0.0;

  for (long i = 0; i < bench.n; i++)
    {
      double v2 = 0.0;

      for (int d = 0; d < 3; d++)
	v2 += (double) velocity[3 * i + d] * (double) velocity[3 * i + d];
      e += 0.5 * (double) body[i].m * (v2 + (double) pull[i].m);
    }
  return e;
}

/* The root mean square of the forces' relative errors on some bodies, against
   direct sums.  */

static double
force_error (void)
{
  double sum = 0.0;
  long some = 0;

  for (long i = 0; i < bench.n; i += 1 + bench.n / 211, some++)
    {
      double a[3] = { 0.0, 0.0, 0.0 }, d2 = 0.0, a2 = 0.0;
      const float got[3] = { pull[i].x, pull[i].y, pull[i].z };

      for (long k = 0; k < bench.n; k++)
	{
	  double dx = (double) body[k].x - (double) body[i].x;
	  double dy = (double) body[k].y - (double) body[i].y;
	  double dz = (double) body[k].z - (double) body[i].z;
	  double r2 = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING;
	  double f = (double) body[k].m / (r2 * sqrt (r2));

	  a[0] += f * dx;
	  a[1] += f * dy;
	  a[2] += f * dz;
	}
      for (int d = 0; d < 3; d++)
	{
	  d2 += (a[d] - (double) got[d]) * (a[d] - (double) got[d]);
	  a2 += a[d] * a[d];
	}
      sum += d2 / a2;
    }
  return sqrt (sum / (double) some);
}

/* How far the device's forces are from the cores', of the greatest there is.  */

static double
difference (void)
{
  struct body *cores = malloc ((size_t) bench.n * sizeof *cores);
  double most = 0.0, found = 0.0;
  struct amp_device_call call;

  if (!bench.cl || !cores)
    return 0.0;
  on_cores (0, bench.n, NULL);
  memcpy (cores, pull, (size_t) bench.n * sizeof *cores);
  if (on_device (0, bench.n, NULL, &call) != 0)
    return INFINITY;
  for (long i = 0; i < bench.n; i++)
    {
      double d = fabs ((double) pull[i].x - (double) cores[i].x)
		 + fabs ((double) pull[i].y - (double) cores[i].y)
		 + fabs ((double) pull[i].z - (double) cores[i].z);

      most = fmax (most, fabs ((double) cores[i].x));
      if (!(d <= found))
	found = d;
    }
  free (cores);
  return found / most;
}

int
main (int argc, char **argv)
{
  double forces = 0.0, devices = 0.0, before, after;
  char more[120];

  bench_open (&bench, argc, argv, source, "force");
  body = bench_alloc (&bench, (size_t) bench.n * sizeof *body, &bbody);
  pull = bench_alloc (&bench, (size_t) bench.n * sizeof *pull, &bpull);
  cells = bench_alloc (&bench, (2 * (size_t) bench.n + 100) * sizeof *cells,
		       &bcells);
  velocity = malloc ((size_t) bench.n * 3 * sizeof *velocity);
  keys = malloc ((size_t) bench.n * sizeof *keys);
  if (!velocity || !keys)
    return 1;
  make_bodies ();
  make_tree ();
  bench_begin (&bench);
  bench_loop (&bench, bench.n, on_cores, on_device, NULL);
  before = energy ();
  if (bench.check)
    {
      forces = force_error ();
      devices = difference ();
    }
  for (long step = 1; step < bench.steps; step++)
    {
      kick (STEP / 2.0f);
      drift (STEP);
      make_tree ();
      bench_loop (&bench, bench.n, on_cores, on_device, NULL);
      kick (STEP / 2.0f);
    }
  after = energy ();
  snprintf (more, sizeof more, ",\"energy\":%.6f,\"energy_error\":%.3g,"
	    "\"force_error\":%.3g,\"device_error\":%.3g", before,
	    fabs (after / before - 1.0), forces, devices);
  return bench_end (&bench, more,
		    bench.check && !(forces < 0.01 && devices < 1e-4
				     && fabs (after / before - 1.0) < 1e-3
				     && fabs (before + 0.25) < 0.02));
}

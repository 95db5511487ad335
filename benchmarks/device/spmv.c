/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sparse matrix times a vector, y = A x, N rows in compressed form; an
   iteration is a row.  Rows have 1 to 64 entries, one in 64 has 1024: uneven,
   and bound by memory.  */

#include "common.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char source[] =
  "__kernel void row (__global const int *start, __global const int *column,\n"
  "                   __global const float *value, __global const float *x,\n"
  "                   __global float *y)\n"
  "{\n"
  "  long i = get_global_id (0);\n"
  "  float sum = 0.0f;\n"
  "  for (int k = start[i]; k < start[i + 1]; k++)\n"
  "    sum += value[k] * x[column[k]];\n"
  "  y[i] = sum;\n"
  "}\n";

static struct bench bench = { .name = "spmv", .n = 400000, .steps = 20 };
static int *start, *column;
static float *value, *x, *y;
static struct amp_opencl_buffer *buffer[5];

static uint64_t state = 1;

static uint64_t
next_random (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void
on_cores (int64_t begin, int64_t end, void *data)
{
  (void) data;
  for (int64_t i = begin; i < end; i++)
    {
      float sum = 0.0f;

      for (int k = start[i]; k < start[i + 1]; k++)
	sum += value[k] * x[column[k]];
      y[i] = sum;
    }
}

static int
on_device (int64_t begin, int64_t end, void *data, struct amp_device_call *call)
{
  (void) data;
  amp_opencl_launch (bench.kernel, begin, end);
  amp_opencl_get (buffer[4], (size_t) begin * sizeof *y,
		  (size_t) (end - begin) * sizeof *y);
  return amp_opencl_finish (bench.cl, call);
}

static long
length_of (long i)
{
  return i % 64 == 63 ? 1024 : 1 + (long) (next_random () % 64);
}

static void
make_matrix (void)
{
  long n = bench.n, entries = 0;

  start = bench_alloc (&bench, ((size_t) n + 1) * sizeof *start, &buffer[0]);
  for (long i = 0; i < n; i++)
    {
      start[i] = (int) entries;
      entries += length_of (i);
    }
  start[n] = (int) entries;
  column = bench_alloc (&bench, (size_t) entries * sizeof *column, &buffer[1]);
  value = bench_alloc (&bench, (size_t) entries * sizeof *value, &buffer[2]);
  x = bench_alloc (&bench, (size_t) n * sizeof *x, &buffer[3]);
  y = bench_alloc (&bench, (size_t) n * sizeof *y, &buffer[4]);
  for (long k = 0; k < entries; k++)
    {
      column[k] = (int) (next_random () % (uint64_t) n);
      value[k] = 0.5f + (float) (next_random () % 1000) / 1000.0f;
    }
  for (long i = 0; i < n; i++)
    x[i] = 0.5f + (float) (i % 1000) / 1000.0f;
  bench_update (&bench, buffer[0], ((size_t) n + 1) * sizeof *start);
  bench_update (&bench, buffer[1], (size_t) entries * sizeof *column);
  bench_update (&bench, buffer[2], (size_t) entries * sizeof *value);
  bench_update (&bench, buffer[3], (size_t) n * sizeof *x);
}

/* The largest relative error of a row's sum, against one in double.  */

static double
worst (void)
{
  double found = 0.0;

  for (long i = 0; i < bench.n; i++)
    {
      double sum = 0.0, d;

      for (int k = start[i]; k < start[i + 1]; k++)
	sum += (double) value[k] * (double) x[column[k]];
      d = fabs ((double) y[i] - sum) / sum;
      if (!(d <= found))
	found = d;
    }
  return found;
}

int
main (int argc, char **argv)
{
  char more[60];
  double error = 0.0;

  bench_open (&bench, argc, argv, source, "row");
  make_matrix ();
  for (int i = 0; bench.cl && i < 5; i++)
    amp_opencl_set_buffer (bench.kernel, i, buffer[i]);
  bench_begin (&bench);
  for (long step = 0; step < bench.steps; step++)
    {
      memset (y, 0, (size_t) bench.n * sizeof *y);
      bench_loop (&bench, bench.n, on_cores, on_device, NULL);
    }
  if (bench.check)
    error = worst ();
  snprintf (more, sizeof more, ",\"error\":%.3g", error);
  return bench_end (&bench, more, !(error <= 1e-4));
}

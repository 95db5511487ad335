/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix product, C = A B, N by N: a regular loop.  An iteration is an element
   of C; its sum has one order, on cores and on the device.  */

#include "common.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char source[] =
  "__kernel void element (__global const float *a, __global const float *b,\n"
  "                       __global float *c, int n)\n"
  "{\n"
  "  long at = get_global_id (0);\n"
  "  long i = at / n, j = at % n;\n"
  "  float sum = 0.0f;\n"
  "  for (int k = 0; k < n; k++)\n"
  "    sum += a[i * n + k] * b[k * n + j];\n"
  "  c[at] = sum;\n"
  "}\n";

static struct bench bench = { .name = "matmul", .n = 1000, .steps = 5 };
static float *a, *b, *c;
static struct amp_opencl_buffer *ba, *bb, *bc;

static void
on_cores (int64_t begin, int64_t end, void *data)
{
  long n = bench.n;

  (void) data;
  /* Row by row, so that the inner loop runs along B's rows; each element's sum
     still goes over k in order.  */
  while (begin < end)
    {
      long i = begin / n, first = begin % n;
      long last = end - i * n < n ? end - i * n : n;
      float *row = c + i * n;

      for (long j = first; j < last; j++)
	row[j] = 0.0f;
      for (long k = 0; k < n; k++)
	{
	  float x = a[i * n + k];

	  for (long j = first; j < last; j++)
	    row[j] += x * b[k * n + j];
	}
      begin += last - first;
    }
}

static int
on_device (int64_t begin, int64_t end, void *data, struct amp_device_call *call)
{
  (void) data;
  amp_opencl_launch (bench.kernel, begin, end);
  amp_opencl_get (bc, (size_t) begin * sizeof *c,
		  (size_t) (end - begin) * sizeof *c);
  return amp_opencl_finish (bench.cl, call);
}

/* The largest relative error, against sums in double.  */

static double
worst (void)
{
  double found = 0.0;

  for (long at = 0; at < bench.n * bench.n; at += 1 + bench.n * bench.n / 20011)
    {
      long i = at / bench.n, j = at % bench.n;
      double sum = 0.0, d;

      for (long k = 0; k < bench.n; k++)
	sum += (double) a[i * bench.n + k] * (double) b[k * bench.n + j];
      d = fabs ((double) c[at] - sum) / sum;
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
  size_t size;
  int n;

  bench_open (&bench, argc, argv, source, "element");
  n = (int) bench.n;
  size = (size_t) n * (size_t) n * sizeof *a;
  a = bench_alloc (&bench, size, &ba);
  b = bench_alloc (&bench, size, &bb);
  c = bench_alloc (&bench, size, &bc);
  for (long i = 0; i < bench.n * bench.n; i++)
    {
      a[i] = 0.5f + (float) (i * 7 % 101) / 101.0f;
      b[i] = 0.5f + (float) (i * 13 % 97) / 97.0f;
    }
  if (bench.cl)
    {
      bench_update (&bench, ba, size);
      bench_update (&bench, bb, size);
      amp_opencl_set_buffer (bench.kernel, 0, ba);
      amp_opencl_set_buffer (bench.kernel, 1, bb);
      amp_opencl_set_buffer (bench.kernel, 2, bc);
      amp_opencl_set_value (bench.kernel, 3, sizeof n, &n);
    }
  bench_begin (&bench);
  for (long step = 0; step < bench.steps; step++)
    {
      memset (c, 0, size);
      bench_loop (&bench, bench.n * bench.n, on_cores, on_device, NULL);
    }
  if (bench.check)
    error = worst ();
  snprintf (more, sizeof more, ",\"error\":%.3g", error);
  return bench_end (&bench, more, !(error <= 1e-4));
}

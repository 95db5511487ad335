/* SPDX-License-Identifier: GPL-3.0-or-later

   Loops over cores and an OpenCL device: results as the cores alone compute
   them, whatever fails.

     opencl [DEVICE]

   Status 77: no device.  The last line is "N passed, N failed, N skipped".  */

#include <math.h>
#include <string.h>
#include "amp_device.h"
#include "../check.h"

#define N 50000

static const char *const source =
  "__kernel void rows (__global const float *x, __global float *y, float a)\n"
  "{\n"
  "  size_t i = get_global_id (0);\n"
  "  float sum = 0.0f;\n"
  "  for (int j = 0; j < 64; j++)\n"
  "    sum += a * x[i] / (1.0f + j);\n"
  "  y[i] = sum;\n"
  "}\n";

/* The second one's arguments are not set.  */
static struct amp_opencl_kernel *kernel, *unset;
static struct amp_opencl_buffer *bx, *by;
static float *x, *y, a = 3.0f;
static int calls, fail_at;

static void
on_cores (int64_t begin, int64_t end, void *data)
{
  (void) data;
  for (int64_t i = begin; i < end; i++)
    {
      float sum = 0.0f;

      for (int j = 0; j < 64; j++)
	sum += a * x[i] / (1.0f + (float) j);
      y[i] = sum;
    }
}

static int
on_device (int64_t begin, int64_t end, void *data, struct amp_device_call *call)
{
  size_t from = (size_t) begin * sizeof *y, size;

  size = (size_t) (end - begin) * sizeof *y;
  if (++calls == fail_at)
    amp_opencl_launch (unset, begin, end);
  amp_opencl_put (bx, from, size);
  amp_opencl_launch (kernel, begin, end);
  amp_opencl_get (by, from, size);
  return amp_opencl_finish (data, call);
}

static int
right (void)
{
  for (int i = 0; i < N; i++)
    {
      float wanted = 4.7438909f * a * x[i];

      if (!(fabsf (y[i] - wanted) <= 1e-4f * fabsf (wanted)))
	{
	  printf ("%d: %g, wanted %g\n", i, (double) y[i], (double) wanted);
	  return 0;
	}
    }
  return 1;
}

static void
test_loops (struct amp_opencl *cl)
{
  struct amp_device_options o;
  struct amp_device_result r;
  int i, error;

  amp_device_init_options (&o);
  o.least[0] = amp_opencl_least (kernel);
  o.chunk[0] = 4096;
  o.percent = 60;
  o.name[0] = amp_opencl_name (cl);
  check (o.least[0] >= 1, "what fills the device");
  for (i = 0; i < 5; i++)
    {
      memset (y, 0, N * sizeof *y);
      o.policy = i;
      error = amp_device_for (0, N, on_cores, on_device, cl, &o);
      amp_device_get_result (&r);
      check (error == 0 && right (), "results");
      if (i == AMP_DEVICE_BULK)
	check (r.on_devices == N * 6 / 10 && r.kernel > 0 && r.launch > 0 && r.dispatch > 0
	       && r.kernel + r.launch + r.to_device + r.from_device
		  + r.dispatch + r.scheduling <= r.total,
	       "a chunk's time has its parts");
    }
  /* An error is OpenCL's, and costs no iteration.  */
  for (fail_at = 1; fail_at <= 2; fail_at++)
    {
      memset (y, 0, N * sizeof *y);
      o.policy = AMP_DEVICE_DYNAMIC;
      o.chunk[0] = 500;
      calls = 0;
      error = amp_device_for (0, N, on_cores, on_device, cl, &o);
      check (calls < fail_at || (error < 0 && calls == fail_at),
	     "an error of the device");
      check (right (), "and no iteration is lost");
    }
}

int
main (int argc, char **argv)
{
  struct amp_opencl *cl = amp_opencl_open (argc > 1 ? argv[1] : NULL, 0);

  if (cl == NULL)
    return 77;
  printf ("device: %s\n", amp_opencl_name (cl));
  kernel = amp_opencl_build (cl, source, "rows", NULL);
  unset = amp_opencl_build (cl, source, "rows", NULL);
  bx = amp_opencl_alloc (cl, N * sizeof *x);
  by = amp_opencl_alloc (cl, N * sizeof *y);
  if (kernel == NULL || unset == NULL || bx == NULL || by == NULL)
    return 1;
  printf ("memory: %s\n", amp_opencl_shared (by) ? "shared" : "copied");
  x = amp_opencl_host (bx);
  y = amp_opencl_host (by);
  for (int i = 0; i < N; i++)
    x[i] = 0.5f + (float) (i % 1000);
  check (amp_opencl_set_buffer (kernel, 0, bx) == 0
	 && amp_opencl_set_buffer (kernel, 1, by) == 0
	 && amp_opencl_set_value (kernel, 2, sizeof a, &a) == 0,
	 "arguments");
  check (amp_opencl_set_value (kernel, 7, sizeof a, &a) != 0,
	 "an argument too many");
  test_loops (cl);
  check (amp_opencl_build (cl, "__kernel void f (", "f", NULL) == NULL,
	 "a source that is wrong");
  check (amp_opencl_build (cl, source, "columns", NULL) == NULL,
	 "a kernel that is not there");
  amp_opencl_free (bx);
  amp_opencl_free (by);
  amp_opencl_free_kernel (kernel);
  amp_opencl_free_kernel (unset);
  amp_opencl_close (cl);
  return check_result ();
}

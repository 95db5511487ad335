/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the programs for cores and a device share: options, the device, and the
   line of JSON that scripts/bench reads.  The policy is AMP_DEVICE's.  */

#ifndef COMMON_H
#define COMMON_H

#include "amp_device.h"

struct bench
{
  const char *name;
  long n, steps;		/* Of the program; given or its own.  */
  int check;			/* Compare with what is known to be right.  */
  int device_cpu;		/* The CPU for the device's threads, or -1.  */
  struct amp_opencl *cl;	/* NULL: none.  */
  struct amp_opencl_kernel *kernel;
  struct amp_device_options options;
  /* Sums over the loops since the last bench_begin.  */
  double seconds, wall;
  struct amp_device_result sum;
};

/* Parse --n N, --steps N, --check, --no-opencl, --device-cpu CPU; open the
   device and build kernel KERNEL of SOURCE.  Ends the process on a wrong
   command line.  */
void bench_open (struct bench *b, int argc, char **argv, const char *source,
		 const char *kernel);

/* SIZE bytes that the device sees as well, if there is one; ends the process if
   there is no memory.  *BUFFER is NULL without a device.  */
void *bench_alloc (struct bench *b, size_t size,
		   struct amp_opencl_buffer **buffer);

/* The device is to see all of BUFFER as the host has it.  */
void bench_update (struct bench *b, struct amp_opencl_buffer *buffer,
		   size_t size);

/* From here on times count.  */
void bench_begin (struct bench *b);

/* One loop over 0 .. N-1, added to the sums.  Ends the process if the device
   failed.  */
void bench_loop (struct bench *b, long n, amp_device_cores cores,
		 amp_device_body device, void *data);

double bench_now (void);

/* The line: MORE is further members of the object, with a comma in front.
   Status 0, or 1 if WRONG.  */
int bench_end (struct bench *b, const char *more, int wrong);

#endif

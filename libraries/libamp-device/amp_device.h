/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libamp-device: one parallel loop over CPU cores and devices at a time.

     amp_device_for (0, n, on_cores, on_device, data, NULL);

   runs the iterations 0 .. n-1, each once: chunks of them by ON_CORES on the
   threads of an OpenMP team, others by ON_DEVICE, which gives them to a GPU or
   what else there is, and waits.  The device gets chunks of the size that suits
   it, each core chunks that take as long, and near the end less.

   The paper followed: Corbera, Rodriguez, Asenjo, Navarro, Vilches, Garzaran,
   "Reducing overheads of dynamic scheduling on heterogeneous chips".

   docs/use/device.md has examples; the man page is in short what stands here.
   The environment variable AMP_DEVICE overrides what a program asks for:
   see there.

   Memory order: what the caller wrote before amp_device_for is seen by all
   bodies, and what bodies wrote is seen by the caller when it returns.  Between
   bodies nothing is ordered.  */

#ifndef AMP_DEVICE_H
#define AMP_DEVICE_H 1

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Devices that one loop may use.  */
#define AMP_DEVICE_MAX 8

/* What a device's body may tell about a chunk; the helper for OpenCL does.
   Nanoseconds of any clock of the device's, in the paper's order: the copy to
   the device begins and ends (T_g1, T_g2), the kernel begins and ends (T_g3,
   T_g4), the copy back ends (T_g5).  All 0: not known.  */
struct amp_device_call
{
  int device;		/* In: which, from 0.  */
  int unused;
  uint64_t time[5];	/* Out: T_g1 to T_g5.  */
};

/* Run the iterations BEGIN .. END-1 on the calling thread.  */
typedef void (*amp_device_cores) (int64_t begin, int64_t end, void *data);

/* Run them on the device CALL->device and wait until they are done; sleep
   rather than spin.  0; anything else: they were not done, whatever has been
   written meanwhile.  The cores then do the chunk, all of it, and this device's
   body is not called again in this loop.  Called by the device's host thread,
   one at a time for each device.  */
typedef int (*amp_device_body) (int64_t begin, int64_t end, void *data,
				struct amp_device_call *call);

enum amp_device_policy
{
  AMP_DEVICE_ADAPTIVE,	/* Chunks of G, which is found while running, and
			   remembered for this place in the program.  */
  AMP_DEVICE_DYNAMIC,	/* Chunks of `chunk', G.  */
  AMP_DEVICE_BULK,	/* `percent' of the iterations at the beginning.  */
  AMP_DEVICE_ORACLE,	/* The same; executions of the loop try 0, 10, ...,
			   100 percent, later ones take the fastest.  */
  AMP_DEVICE_OFF	/* The cores alone.  */
};

/* Where host threads may run, if not on a CPU that is given by its number.  */
#define AMP_DEVICE_FREE (-1)	/* Wherever the program may.  */
#define AMP_DEVICE_BIG (-2)	/* On the fastest type of core.  */
#define AMP_DEVICE_LITTLE (-3)	/* On the slowest.  */

/* All zero, but for `place', is the default: amp_device_init_options.  */
struct amp_device_options
{
  int policy;		/* enum amp_device_policy.  */
  int percent;		/* Bulk: 0 to 100, for all devices.  */
  int devices;		/* How many; 0: one.  */
  int beside;		/* Not 0: host threads are beside the team's
			   threads (the paper's 4+1); 0: counted among them
			   (3+1).  */
  int place;		/* Of host threads.  */
  int priority;		/* Of host threads: 0 none; 1 to 20: nice -1 to
			   -20; 101 to 199: SCHED_RR 1 to 99.  What is not
			   allowed is reported.  */
  int64_t least[AMP_DEVICE_MAX];	/* The least chunk that fills the
					   device; 0: 64.  Chunks are multiples
					   of it where G is searched for.  */
  int64_t chunk[AMP_DEVICE_MAX];	/* G.  */
  const char *name[AMP_DEVICE_MAX];	/* For reports; NULL: "device".  Must
					   live as long as the process.  */
};

/* Make *OPTIONS the default.  */
extern void amp_device_init_options (struct amp_device_options *options);

/* Run the iterations BEGIN .. END-1, as above.  DEVICE may be NULL, and so may
   OPTIONS.  DATA goes to the bodies.  0, or what the first body of a device
   that failed returned; all iterations have been run in any case, provided that
   the bodies return.  Where a device is in use by another loop that has not
   ended, this one goes without it.  May be called in parallel regions, and by
   any thread.  */
extern int amp_device_for (int64_t begin, int64_t end, amp_device_cores cores,
			   amp_device_body device, void *data,
			   const struct amp_device_options *options);

/* What became of the last loop that the calling thread ran by
   amp_device_for.  Times in nanoseconds.  */
struct amp_device_result
{
  int64_t iterations;		/* All ...  */
  int64_t on_devices;		/* ... and the devices'.  */
  int64_t chunks;		/* The devices'.  */
  int64_t chunk;		/* G at the end, of the first device.  */
  int64_t percent;		/* Of bulk.  */
  uint64_t total;		/* TotalExecutionTime.  */
  /* The sums over the devices' chunks of which the paper's equations 5 to 9
     are the quotients by TOTAL: O_sp, O_hd, O_kl, O_dh, O_td; and what the
     kernels took.  */
  uint64_t scheduling, to_device, launch, from_device, dispatch, kernel;
  /* What cores' threads spent on getting chunks, all together, and how many
     chunks.  */
  uint64_t cores_scheduling;
  int64_t cores_chunks;
};

extern void amp_device_get_result (struct amp_device_result *result);

/* The helper for OpenCL, 1.2 or later.  The library is loaded when it is first
   asked for: programs need not link with it, and run without.  */

struct amp_opencl;		/* A device, with context and queue.  */
struct amp_opencl_kernel;
struct amp_opencl_buffer;

/* Open the device number NUMBER, from 0, of those whose type or name has the
   word WHICH in it ("gpu", "cpu", "pocl"; NULL: all, GPUs first).
   AMP_DEVICE_OPENCL, if set, replaces WHICH.  NULL, after one message on
   standard error, if there is none: amp_device_for without a device then runs
   the loop on the cores.  */
extern struct amp_opencl *amp_opencl_open (const char *which, int number);
extern void amp_opencl_close (struct amp_opencl *cl);

/* The device's name.  */
extern const char *amp_opencl_name (const struct amp_opencl *cl);

/* Kernel NAME of the program SOURCE, built with OPTIONS (may be NULL); NULL
   after a message with the compiler's output if that fails.  */
extern struct amp_opencl_kernel *
amp_opencl_build (struct amp_opencl *cl, const char *source, const char *name,
		  const char *options);
extern void amp_opencl_free_kernel (struct amp_opencl_kernel *kernel);

/* The least number of work items that fills the device: its compute units times
   the size of work groups, 64 or what the kernel can have (the paper's initial
   chunk).  */
extern int64_t amp_opencl_least (const struct amp_opencl_kernel *kernel);

/* SIZE bytes that host and device both see: the same memory where the device
   has fine-grained shared virtual memory; else a host's and a device's part, of
   which amp_opencl_put and amp_opencl_get copy pieces.  NULL after a
   message.  */
extern struct amp_opencl_buffer *amp_opencl_alloc (struct amp_opencl *cl,
						   size_t size);
extern void amp_opencl_free (struct amp_opencl_buffer *buffer);
/* The host's part.  */
extern void *amp_opencl_host (const struct amp_opencl_buffer *buffer);
/* Not 0 if the two are the same memory.  */
extern int amp_opencl_shared (const struct amp_opencl_buffer *buffer);

/* Arguments of KERNEL: number INDEX is BUFFER, or the SIZE bytes at VALUE.  0,
   or OpenCL's error.  */
extern int amp_opencl_set_buffer (struct amp_opencl_kernel *kernel, int index,
				  const struct amp_opencl_buffer *buffer);
extern int amp_opencl_set_value (struct amp_opencl_kernel *kernel, int index,
				 size_t size, const void *value);

/* Enqueue a copy of SIZE bytes from OFFSET on, to the device or back; nothing
   where they are the same memory.  0, or OpenCL's error.  Copies back belong
   behind the launch; amp_opencl_finish waits for all.  */
extern int amp_opencl_put (struct amp_opencl_buffer *buffer, size_t offset,
			   size_t size);
extern int amp_opencl_get (struct amp_opencl_buffer *buffer, size_t offset,
			   size_t size);

/* Enqueue KERNEL for the work items BEGIN .. END-1 (its get_global_id (0)).
   0, or OpenCL's error.  */
extern int amp_opencl_launch (struct amp_opencl_kernel *kernel, int64_t begin,
			      int64_t end);

/* Wait, without spinning as far as the driver does not, until all that the
   calling thread enqueued on CL is done, and tell CALL (may be NULL) its times.
   0, or OpenCL's error.  */
extern int amp_opencl_finish (struct amp_opencl *cl,
			      struct amp_device_call *call);

#ifdef __cplusplus
}

/* amp::device_for (begin, end, CORES, DEVICE, options): lambdas, which are
   called with (begin, end) and (begin, end, call), call being an
   amp_device_call &.  They must not throw.  */
namespace amp
{
  template <typename Cores, typename Device>
  int
  device_for (int64_t begin, int64_t end, Cores &&cores, Device &&device,
	      const amp_device_options *options = nullptr)
  {
    struct Both { Cores &cores; Device &device; } both = { cores, device };

    return amp_device_for
      (begin, end,
       [] (int64_t b, int64_t e, void *p)
       { static_cast<Both *> (p)->cores (b, e); },
       [] (int64_t b, int64_t e, void *p, amp_device_call *call) -> int
       { return static_cast<Both *> (p)->device (b, e, *call); },
       &both, options);
  }
}
#endif

#endif

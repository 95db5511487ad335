/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   As much of OpenCL's binary interface as the helper uses, so that the library
   is built where no headers of OpenCL are.  Names, numbers and prototypes are
   those of the specification (OpenCL 2.0).  */

#ifndef OPENCL_ABI_H
#define OPENCL_ABI_H 1

#include <stddef.h>
#include <stdint.h>

#ifndef CL_CALLBACK
# define CL_CALLBACK
#endif

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef uint64_t cl_bitfield;
typedef struct cl_platform_object *cl_platform_id;
typedef struct cl_device_object *cl_device_id;
typedef struct cl_context_object *cl_context;
typedef struct cl_queue_object *cl_command_queue;
typedef struct cl_mem_object *cl_mem;
typedef struct cl_program_object *cl_program;
typedef struct cl_kernel_object *cl_kernel;
typedef struct cl_event_object *cl_event;

#define CL_SUCCESS 0
#define CL_DEVICE_TYPE_CPU (1 << 1)
#define CL_DEVICE_TYPE_GPU (1 << 2)
#define CL_DEVICE_TYPE_ACCELERATOR (1 << 3)
#define CL_DEVICE_TYPE_ALL 0xffffffff
#define CL_DEVICE_TYPE 0x1000
#define CL_DEVICE_MAX_COMPUTE_UNITS 0x1002
#define CL_DEVICE_NAME 0x102b
#define CL_DEVICE_SVM_CAPABILITIES 0x1053
#define CL_DEVICE_SVM_FINE_GRAIN_BUFFER (1 << 1)
#define CL_PLATFORM_NAME 0x0902
#define CL_QUEUE_PROFILING_ENABLE (1 << 1)
#define CL_MEM_READ_WRITE (1 << 0)
#define CL_MEM_SVM_FINE_GRAIN_BUFFER (1 << 10)
#define CL_PROGRAM_BUILD_LOG 0x1183
#define CL_KERNEL_WORK_GROUP_SIZE 0x11b0
#define CL_PROFILING_COMMAND_QUEUED 0x1280
#define CL_PROFILING_COMMAND_START 0x1282
#define CL_PROFILING_COMMAND_END 0x1283

/* Each function: its result, its name without cl, its parameters.  */
#define OPENCL_FUNCTIONS(F) \
  F (cl_int, GetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *)) \
  F (cl_int, GetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, \
			       size_t *)) \
  F (cl_int, GetDeviceIDs, (cl_platform_id, cl_bitfield, cl_uint, \
			    cl_device_id *, cl_uint *)) \
  F (cl_int, GetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, \
			     size_t *)) \
  F (cl_context, CreateContext, (const intptr_t *, cl_uint, \
				 const cl_device_id *, \
				 void (CL_CALLBACK *) (const char *, \
						       const void *, size_t, \
						       void *), \
				 void *, cl_int *)) \
  F (cl_command_queue, CreateCommandQueue, (cl_context, cl_device_id, \
					    cl_bitfield, cl_int *)) \
  F (cl_int, ReleaseContext, (cl_context)) \
  F (cl_int, ReleaseCommandQueue, (cl_command_queue)) \
  F (cl_program, CreateProgramWithSource, (cl_context, cl_uint, \
					   const char **, const size_t *, \
					   cl_int *)) \
  F (cl_int, BuildProgram, (cl_program, cl_uint, const cl_device_id *, \
			    const char *, \
			    void (CL_CALLBACK *) (cl_program, void *), \
			    void *)) \
  F (cl_int, GetProgramBuildInfo, (cl_program, cl_device_id, cl_uint, size_t, \
				   void *, size_t *)) \
  F (cl_int, ReleaseProgram, (cl_program)) \
  F (cl_kernel, CreateKernel, (cl_program, const char *, cl_int *)) \
  F (cl_int, ReleaseKernel, (cl_kernel)) \
  F (cl_int, GetKernelWorkGroupInfo, (cl_kernel, cl_device_id, cl_uint, \
				      size_t, void *, size_t *)) \
  F (cl_int, SetKernelArg, (cl_kernel, cl_uint, size_t, const void *)) \
  F (cl_mem, CreateBuffer, (cl_context, cl_bitfield, size_t, void *, \
			    cl_int *)) \
  F (cl_int, ReleaseMemObject, (cl_mem)) \
  F (cl_int, EnqueueWriteBuffer, (cl_command_queue, cl_mem, cl_uint, size_t, \
				  size_t, const void *, cl_uint, \
				  const cl_event *, cl_event *)) \
  F (cl_int, EnqueueReadBuffer, (cl_command_queue, cl_mem, cl_uint, size_t, \
				 size_t, void *, cl_uint, const cl_event *, \
				 cl_event *)) \
  F (cl_int, EnqueueNDRangeKernel, (cl_command_queue, cl_kernel, cl_uint, \
				    const size_t *, const size_t *, \
				    const size_t *, cl_uint, \
				    const cl_event *, cl_event *)) \
  F (cl_int, Flush, (cl_command_queue)) \
  F (cl_int, WaitForEvents, (cl_uint, const cl_event *)) \
  F (cl_int, GetEventProfilingInfo, (cl_event, cl_uint, size_t, void *, \
				     size_t *)) \
  F (cl_int, ReleaseEvent, (cl_event))

/* Of 2.0: absent from libraries of 1.2.  */
#define OPENCL_LATER_FUNCTIONS(F) \
  F (void *, SVMAlloc, (cl_context, cl_bitfield, size_t, cl_uint)) \
  F (void, SVMFree, (cl_context, void *)) \
  F (cl_int, SetKernelArgSVMPointer, (cl_kernel, cl_uint, const void *))

#endif

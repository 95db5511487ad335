/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The helper for OpenCL.

   Memory.  With fine-grained shared virtual memory host and device may write
   different bytes of one buffer at the same time; so a loop's cores and its
   device work in one allocation, and put and get have nothing to do.  A buffer
   of 1.2 may not be written by both at a time, whether it is mapped or not:
   there the device has its own memory, and pieces are copied.

   Errors.  Every function returns OpenCL's number; what was enqueued before an
   error is waited for by amp_opencl_finish, which returns the first error.  */

#define _GNU_SOURCE 1
#include <ctype.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device.h"
#include "opencl-abi.h"

#define LIBRARY "libOpenCL.so.1"

#define MEMBER(RESULT, NAME, PARAMETERS) RESULT (*NAME) PARAMETERS;
static struct
{
  OPENCL_FUNCTIONS (MEMBER)
  OPENCL_LATER_FUNCTIONS (MEMBER)
} cl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;

static void
load (void)
{
  void *library = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    {
      complain ("no OpenCL: %s; loops run on the cores", dlerror ());
      return;
    }
  loaded = true;
#define FIND(RESULT, NAME, PARAMETERS) \
  cl.NAME = (RESULT (*) PARAMETERS) dlsym (library, "cl" #NAME);
#define NEED(RESULT, NAME, PARAMETERS) \
  FIND (RESULT, NAME, PARAMETERS) \
  if (cl.NAME == NULL) \
    loaded = false;
  OPENCL_FUNCTIONS (NEED)
  OPENCL_LATER_FUNCTIONS (FIND)
  if (!loaded)
    complain (LIBRARY " is older than OpenCL 1.2; loops run on the cores");
}

/* Commands that amp_opencl_finish waits for: copies to the device, the kernel,
   copies back.  */
enum what { PUT, LAUNCH, GET };
#define MAX_COMMANDS 64

struct amp_opencl
{
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  bool svm;
  char name[128];
  /* Of the thread that enqueues: one host thread a device.  */
  struct { cl_event event; enum what what; } command[MAX_COMMANDS];
  unsigned commands;
  cl_int error;
};

struct amp_opencl_kernel
{
  struct amp_opencl *owner;
  cl_program program;
  cl_kernel kernel;
  size_t group;			/* Work items of a group.  */
};

/* Groups have so many work items, or fewer where the kernel cannot have them.
   It is said, rather than left open, since PoCL compiles a kernel anew for each
   size that it chooses, which it does by the chunk's.  */
#define GROUP 64

struct amp_opencl_buffer
{
  struct amp_opencl *owner;
  void *host;
  cl_mem memory;		/* NULL: the same memory.  */
  size_t size;
};

static bool
contains (const char *text, const char *word)
{
  size_t n = strlen (word), i;

  for (; *text != '\0'; text++)
    {
      for (i = 0; i < n; i++)
	if (tolower ((unsigned char) text[i])
	    != tolower ((unsigned char) word[i]))
	  break;
      if (i == n)
	return true;
    }
  return n == 0;
}

#define MAX_DEVICES 64

struct found
{
  cl_device_id device;
  bool gpu;
};

/* Devices that WHICH names, GPUs first; how many.  */

static unsigned
find_devices (const char *which, struct found found[MAX_DEVICES])
{
  cl_platform_id platforms[16];
  cl_uint nplatforms = 0, p, d, n = 0;

  if (cl.GetPlatformIDs (16, platforms, &nplatforms) != CL_SUCCESS)
    return 0;
  for (p = 0; p < nplatforms && p < 16; p++)
    {
      cl_device_id devices[16];
      cl_uint ndevices = 0;
      char platform[100] = "";

      cl.GetPlatformInfo (platforms[p], CL_PLATFORM_NAME, sizeof platform - 1,
			  platform, NULL);
      if (cl.GetDeviceIDs (platforms[p], CL_DEVICE_TYPE_ALL, 16, devices,
			   &ndevices) != CL_SUCCESS)
	continue;
      for (d = 0; d < ndevices && d < 16 && n < MAX_DEVICES; d++)
	{
	  cl_bitfield type = 0;
	  char name[128] = "", all[300];
	  struct found one = { devices[d], false };

	  cl.GetDeviceInfo (devices[d], CL_DEVICE_TYPE, sizeof type, &type,
			    NULL);
	  cl.GetDeviceInfo (devices[d], CL_DEVICE_NAME, sizeof name - 1, name,
			    NULL);
	  one.gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
	  snprintf (all, sizeof all, "%s %s %s%s%s", platform, name,
		    one.gpu ? "gpu " : "",
		    type & CL_DEVICE_TYPE_CPU ? "cpu " : "",
		    type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "");
	  if (which != NULL && !contains (all, which))
	    continue;
	  if (one.gpu)
	    {
	      cl_uint at = 0;

	      while (at < n && found[at].gpu)
		at++;
	      memmove (&found[at + 1], &found[at], (n - at) * sizeof *found);
	      found[at] = one;
	    }
	  else
	    found[n] = one;
	  n++;
	}
    }
  return n;
}

struct amp_opencl *
amp_opencl_open (const char *which, int number)
{
  /* One more: an insertion moves the last one.  */
  struct found found[MAX_DEVICES + 1];
  const char *wanted = getenv ("AMP_DEVICE_OPENCL");
  struct amp_opencl *o;
  cl_bitfield svm = 0;
  cl_int error;
  unsigned n;

  pthread_once (&once, load);
  if (!loaded)
    return NULL;
  if (wanted != NULL && *wanted != '\0')
    which = wanted;
  n = find_devices (which, found);
  if (number < 0 || (unsigned) number >= n)
    {
      complain ("no OpenCL device number %d%s%s (%u found); loops run on the "
		"cores", number, which != NULL ? " of " : "",
		which != NULL ? which : "", n);
      return NULL;
    }
  o = calloc (1, sizeof *o);
  if (o == NULL)
    return NULL;
  o->device = found[number].device;
  cl.GetDeviceInfo (o->device, CL_DEVICE_NAME, sizeof o->name - 1, o->name,
		    NULL);
  o->context = cl.CreateContext (NULL, 1, &o->device, NULL, NULL, &error);
  if (error == CL_SUCCESS)
    o->queue = cl.CreateCommandQueue (o->context, o->device,
				      CL_QUEUE_PROFILING_ENABLE, &error);
  if (error != CL_SUCCESS)
    {
      complain ("%s: OpenCL error %d; loops run on the cores", o->name, error);
      amp_opencl_close (o);
      return NULL;
    }
  if (cl.SVMAlloc != NULL && cl.SVMFree != NULL
      && cl.SetKernelArgSVMPointer != NULL
      && cl.GetDeviceInfo (o->device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm,
			   &svm, NULL) == CL_SUCCESS)
    o->svm = (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
  return o;
}

void
amp_opencl_close (struct amp_opencl *o)
{
  if (o == NULL)
    return;
  if (o->queue != NULL)
    cl.ReleaseCommandQueue (o->queue);
  if (o->context != NULL)
    cl.ReleaseContext (o->context);
  free (o);
}

const char *
amp_opencl_name (const struct amp_opencl *o)
{
  return o->name;
}

static void
say_log (const struct amp_opencl *o, cl_program program, cl_int error)
{
  static char log[8000];

  cl.GetProgramBuildInfo (program, o->device, CL_PROGRAM_BUILD_LOG,
			  sizeof log - 1, log, NULL);
  complain ("%s: OpenCL error %d in a kernel's source", o->name, error);
  fprintf (stderr, "%s\n", log);
}

struct amp_opencl_kernel *
amp_opencl_build (struct amp_opencl *o, const char *source, const char *name,
		  const char *options)
{
  struct amp_opencl_kernel *k = calloc (1, sizeof *k);
  cl_int error;

  if (k == NULL)
    return NULL;
  k->owner = o;
  k->program = cl.CreateProgramWithSource (o->context, 1, &source, NULL,
					   &error);
  if (error == CL_SUCCESS)
    {
      error = cl.BuildProgram (k->program, 1, &o->device, options, NULL, NULL);
      if (error != CL_SUCCESS)
	{
	  say_log (o, k->program, error);
	  amp_opencl_free_kernel (k);
	  return NULL;
	}
      k->kernel = cl.CreateKernel (k->program, name, &error);
    }
  if (error == CL_SUCCESS)
    {
      size_t most = 1;

      cl.GetKernelWorkGroupInfo (k->kernel, o->device,
				 CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
				 NULL);
      for (k->group = GROUP; k->group > most && k->group > 1; k->group /= 2)
	continue;
      return k;
    }
  complain ("%s: OpenCL error %d with the kernel %s", o->name, error, name);
  amp_opencl_free_kernel (k);
  return NULL;
}

void
amp_opencl_free_kernel (struct amp_opencl_kernel *k)
{
  if (k == NULL)
    return;
  if (k->kernel != NULL)
    cl.ReleaseKernel (k->kernel);
  if (k->program != NULL)
    cl.ReleaseProgram (k->program);
  free (k);
}

int64_t
amp_opencl_least (const struct amp_opencl_kernel *k)
{
  cl_uint units = 1;

  cl.GetDeviceInfo (k->owner->device, CL_DEVICE_MAX_COMPUTE_UNITS,
		    sizeof units, &units, NULL);
  return (int64_t) (units != 0 ? units : 1) * (int64_t) k->group;
}

struct amp_opencl_buffer *
amp_opencl_alloc (struct amp_opencl *o, size_t size)
{
  struct amp_opencl_buffer *b = calloc (1, sizeof *b);
  cl_int error = CL_SUCCESS;

  if (b == NULL)
    return NULL;
  b->owner = o;
  b->size = size;
  if (o->svm)
    b->host = cl.SVMAlloc (o->context,
			   CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
			   size, 0);
  /* Also where the device has no more memory of that kind.  */
  if (b->host == NULL)
    {
      b->memory = cl.CreateBuffer (o->context, CL_MEM_READ_WRITE, size, NULL,
				   &error);
      b->host = aligned_alloc (4096, (size + 4095) / 4096 * 4096);
    }
  if (b->host != NULL && error == CL_SUCCESS)
    return b;
  complain ("%s: no buffer of %zu bytes: OpenCL error %d", o->name, size,
	    error);
  amp_opencl_free (b);
  return NULL;
}

void
amp_opencl_free (struct amp_opencl_buffer *b)
{
  if (b == NULL)
    return;
  if (b->memory != NULL)
    {
      cl.ReleaseMemObject (b->memory);
      free (b->host);
    }
  else if (b->host != NULL)
    cl.SVMFree (b->owner->context, b->host);
  free (b);
}

void *
amp_opencl_host (const struct amp_opencl_buffer *b)
{
  return b->host;
}

int
amp_opencl_shared (const struct amp_opencl_buffer *b)
{
  return b->memory == NULL;
}

int
amp_opencl_set_buffer (struct amp_opencl_kernel *k, int index,
		       const struct amp_opencl_buffer *b)
{
  if (b->memory == NULL)
    return cl.SetKernelArgSVMPointer (k->kernel, (cl_uint) index, b->host);
  return cl.SetKernelArg (k->kernel, (cl_uint) index, sizeof b->memory,
			  &b->memory);
}

int
amp_opencl_set_value (struct amp_opencl_kernel *k, int index, size_t size,
		      const void *value)
{
  return cl.SetKernelArg (k->kernel, (cl_uint) index, size, value);
}

/* ERROR is what enqueuing a command of kind WHAT, with EVENT, gave.  */

static int
enqueued (struct amp_opencl *o, cl_int error, cl_event event, enum what what)
{
  if (error != CL_SUCCESS)
    {
      if (o->error == CL_SUCCESS)
	o->error = error;
      return error;
    }
  o->command[o->commands].event = event;
  o->command[o->commands++].what = what;
  return 0;
}

/* Room for one more command: earlier ones are waited for where there is none;
   their times are lost.  */

static void
make_room (struct amp_opencl *o)
{
  if (o->commands == MAX_COMMANDS)
    o->error = amp_opencl_finish (o, NULL);
}

int
amp_opencl_put (struct amp_opencl_buffer *b, size_t offset, size_t size)
{
  struct amp_opencl *o = b->owner;
  cl_event event = NULL;
  cl_int error;

  if (b->memory == NULL || size == 0)
    return 0;
  make_room (o);
  error = cl.EnqueueWriteBuffer (o->queue, b->memory, 0, offset, size,
				 (char *) b->host + offset, 0, NULL, &event);
  return enqueued (o, error, event, PUT);
}

int
amp_opencl_get (struct amp_opencl_buffer *b, size_t offset, size_t size)
{
  struct amp_opencl *o = b->owner;
  cl_event event = NULL;
  cl_int error;

  if (b->memory == NULL || size == 0)
    return 0;
  make_room (o);
  error = cl.EnqueueReadBuffer (o->queue, b->memory, 0, offset, size,
				(char *) b->host + offset, 0, NULL, &event);
  return enqueued (o, error, event, GET);
}

/* SIZE work items from OFFSET on, in groups of GROUP, which divides SIZE.  */

static int
launch_groups (struct amp_opencl_kernel *k, size_t offset, size_t size,
	       size_t group)
{
  struct amp_opencl *o = k->owner;
  cl_event event = NULL;
  cl_int error;

  if (size == 0)
    return 0;
  make_room (o);
  error = cl.EnqueueNDRangeKernel (o->queue, k->kernel, 1, &offset, &size,
				   &group, 0, NULL, &event);
  return enqueued (o, error, event, LAUNCH);
}

int
amp_opencl_launch (struct amp_opencl_kernel *k, int64_t begin, int64_t end)
{
  size_t size = (size_t) (end - begin), whole = size / k->group * k->group;
  int error = launch_groups (k, (size_t) begin, whole, k->group);

  if (error != 0)
    return error;
  return launch_groups (k, (size_t) begin + whole, size - whole, 1);
}

static uint64_t
time_of (cl_event event, cl_uint which)
{
  cl_ulong time = 0;

  cl.GetEventProfilingInfo (event, which, sizeof time, &time, NULL);
  return time;
}

/* T_g1 to T_g5 of O's commands, which are done.  Where nothing is copied to the
   device, launching begins when the kernel is queued.  */

static void
tell_times (const struct amp_opencl *o, uint64_t time[5])
{
  memset (time, 0, 5 * sizeof *time);
  for (unsigned i = 0; i < o->commands; i++)
    {
      cl_event event = o->command[i].event;
      uint64_t start = time_of (event, CL_PROFILING_COMMAND_START);
      uint64_t end = time_of (event, CL_PROFILING_COMMAND_END);

      switch (o->command[i].what)
	{
	case PUT:
	  if (time[0] == 0)
	    time[0] = start;
	  time[1] = end;
	  break;
	case LAUNCH:
	  if (time[0] == 0)
	    time[0] = time[1]
	      = time_of (event, CL_PROFILING_COMMAND_QUEUED);
	  if (time[2] == 0)
	    time[2] = start;
	  time[3] = time[4] = end;
	  break;
	case GET:
	  time[4] = end;
	  break;
	}
    }
  if (time[2] == 0)
    memset (time, 0, 5 * sizeof *time);
}

int
amp_opencl_finish (struct amp_opencl *o, struct amp_device_call *call)
{
  cl_int error = o->error, waited;

  if (o->commands != 0)
    {
      cl.Flush (o->queue);
      /* In order: the last one's end is everybody's.  */
      waited = cl.WaitForEvents (1, &o->command[o->commands - 1].event);
      if (error == CL_SUCCESS)
	error = waited;
    }
  if (call != NULL && error == CL_SUCCESS)
    tell_times (o, call->time);
  for (unsigned i = 0; i < o->commands; i++)
    cl.ReleaseEvent (o->command[i].event);
  o->commands = 0;
  o->error = CL_SUCCESS;
  return error;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See common.h.  */

#define _GNU_SOURCE 1
#include "common.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double
bench_now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
usage (const char *name)
{
  fprintf (stderr, "usage: %s [--n N] [--steps N] [--check] [--no-opencl] "
	   "[--device-cpu CPU]\n", name);
  exit (2);
}

static long
number (const char *name, const char *text)
{
  char *end;
  long value = text ? strtol (text, &end, 10) : -1;

  if (value < 0 || *end != '\0')
    usage (name);
  return value;
}

/* PoCL's threads are made when it is first asked for devices, and inherit where
   they may run.  */

static struct amp_opencl *
open_on (int cpu)
{
  cpu_set_t old, one;
  struct amp_opencl *cl;

  if (cpu < 0)
    return amp_opencl_open (NULL, 0);
  sched_getaffinity (0, sizeof old, &old);
  CPU_ZERO (&one);
  CPU_SET (cpu, &one);
  if (sched_setaffinity (0, sizeof one, &one) != 0)
    {
      fprintf (stderr, "CPU %d cannot be had\n", cpu);
      exit (2);
    }
  setenv ("POCL_MAX_PTHREAD_COUNT", "1", 1);
  cl = amp_opencl_open (NULL, 0);
  sched_setaffinity (0, sizeof old, &old);
  return cl;
}

void
bench_open (struct bench *b, int argc, char **argv, const char *source,
	    const char *kernel)
{
  int opencl = 1;

  b->device_cpu = -1;
  for (int i = 1; i < argc; i++)
    if (!strcmp (argv[i], "--n"))
      b->n = number (b->name, argv[++i]);
    else if (!strcmp (argv[i], "--steps"))
      b->steps = number (b->name, argv[++i]);
    else if (!strcmp (argv[i], "--device-cpu"))
      b->device_cpu = (int) number (b->name, argv[++i]);
    else if (!strcmp (argv[i], "--check"))
      b->check = 1;
    else if (!strcmp (argv[i], "--no-opencl"))
      opencl = 0;
    else
      usage (b->name);
  if (b->n < 1)
    usage (b->name);
  amp_device_init_options (&b->options);
  if (opencl)
    b->cl = open_on (b->device_cpu);
  if (!b->cl)
    return;
  b->kernel = amp_opencl_build (b->cl, source, kernel, NULL);
  if (!b->kernel)
    exit (1);
  b->options.least[0] = amp_opencl_least (b->kernel);
  b->options.name[0] = amp_opencl_name (b->cl);
}

void *
bench_alloc (struct bench *b, size_t size, struct amp_opencl_buffer **buffer)
{
  void *p = NULL;

  *buffer = NULL;
  size = (size + 63) / 64 * 64;
  if (b->cl)
    {
      *buffer = amp_opencl_alloc (b->cl, size);
      if (*buffer)
	p = amp_opencl_host (*buffer);
    }
  else
    p = aligned_alloc (64, size);
  if (!p)
    {
      fprintf (stderr, "%s: no memory\n", b->name);
      exit (1);
    }
  return p;
}

void
bench_update (struct bench *b, struct amp_opencl_buffer *buffer, size_t size)
{
  if (b->cl)
    amp_opencl_put (buffer, 0, size);
}

void
bench_begin (struct bench *b)
{
  memset (&b->sum, 0, sizeof b->sum);
  b->seconds = 0.0;
  b->wall = bench_now ();
}

void
bench_loop (struct bench *b, long n, amp_device_cores cores,
	    amp_device_body device, void *data)
{
  struct amp_device_result r, *s = &b->sum;
  int error;

  /* What bench_update enqueued.  */
  if (b->cl && (error = amp_opencl_finish (b->cl, NULL)) != 0)
    {
      fprintf (stderr, "%s: OpenCL error %d\n", b->name, error);
      exit (1);
    }
  error = amp_device_for (0, n, cores, b->cl ? device : NULL, data,
			  &b->options);
  if (error != 0)
    exit (1);
  amp_device_get_result (&r);
  s->iterations += r.iterations;
  s->on_devices += r.on_devices;
  s->chunks += r.chunks;
  s->chunk = r.chunk;
  s->percent = r.percent;
  s->total += r.total;
  s->scheduling += r.scheduling;
  s->to_device += r.to_device;
  s->launch += r.launch;
  s->kernel += r.kernel;
  s->from_device += r.from_device;
  s->dispatch += r.dispatch;
  s->cores_scheduling += r.cores_scheduling;
  s->cores_chunks += r.cores_chunks;
  b->seconds += 1e-9 * (double) r.total;
}

int
bench_end (struct bench *b, const char *more, int wrong)
{
  const struct amp_device_result *s = &b->sum;
  const char *policy = getenv ("AMP_DEVICE");
  double wall = bench_now () - b->wall;

  printf ("{\"kernel\":\"%s\",\"n\":%ld,\"steps\":%ld,\"policy\":\"%s\","
	  "\"device\":\"%s\",\"threads\":%d,"
	  "\"loop_seconds\":%.6f,\"seconds\":%.6f,\"on_devices\":%.6f,"
	  "\"chunks\":%lld,\"chunk\":%lld,\"percent\":%lld,"
	  "\"scheduling\":%.9f,\"to_device\":%.9f,\"launch\":%.9f,"
	  "\"kernel_seconds\":%.9f,\"from_device\":%.9f,\"dispatch\":%.9f,"
	  "\"cores_scheduling\":%.9f,\"cores_chunks\":%lld,\"checked\":%s%s}\n",
	  b->name, b->n, b->steps, policy ? policy : "adaptive",
	  b->cl ? amp_opencl_name (b->cl) : "",
	  omp_get_max_threads (), b->seconds, wall,
	  s->iterations ? (double) s->on_devices / (double) s->iterations : 0,
	  (long long) s->chunks, (long long) s->chunk, (long long) s->percent,
	  1e-9 * (double) s->scheduling, 1e-9 * (double) s->to_device,
	  1e-9 * (double) s->launch, 1e-9 * (double) s->kernel,
	  1e-9 * (double) s->from_device, 1e-9 * (double) s->dispatch,
	  1e-9 * (double) s->cores_scheduling, (long long) s->cores_chunks,
	  b->check ? wrong ? "\"wrong\"" : "\"right\"" : "null", more);
  return wrong ? 1 : 0;
}

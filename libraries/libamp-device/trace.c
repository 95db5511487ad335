/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Traces of chunks, in the trace-event format, where GOMP_AMP_TRACE is set.
   libgomp's own spool of that name is of OpenMP's loops; ours is beside it:
   FILE without .spool, with .device.json.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "device.h"

bool tracing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char file_name[4096];
static FILE *file;
static uint64_t origin;
static pid_t owner;

/* The name, of FILE as amp-run and the user give it: %p is the process.  The
   program may change its folder.  */

static void __attribute__ ((constructor))
init_trace (void)
{
  const char *name = secure_getenv ("GOMP_AMP_TRACE"), *p;
  size_t length, i = 0;

  if (name == NULL || *name == '\0')
    return;
  if (*name != '/' && getcwd (file_name, sizeof file_name / 2) != NULL)
    {
      i = strlen (file_name);
      file_name[i++] = '/';
    }
  length = strlen (name);
  if (length > 6 && strcmp (name + length - 6, ".spool") == 0)
    length -= 6;
  for (p = name; p < name + length && i + 40 < sizeof file_name; p++)
    if (p[0] == '%' && p + 1 < name + length && p[1] == 'p')
      {
	i += (size_t) snprintf (file_name + i, 20, "%jd",
				(intmax_t) getpid ());
	p++;
      }
    else
      file_name[i++] = *p;
  strcpy (file_name + i, ".device.json");
  origin = now_ns ();
  owner = getpid ();
  tracing = true;
}

/* With the lock: is there a file?  */

static bool
open_trace (void)
{
  if (file == NULL && tracing)
    {
      file = fopen (file_name, "w");
      if (file == NULL)
	{
	  tracing = false;
	  complain ("GOMP_AMP_TRACE: cannot write %s: %s", file_name,
		    strerror (errno));
	}
      else
	fprintf (file, "{\"traceEvents\":[\n{\"name\":\"process_name\","
		 "\"ph\":\"M\",\"pid\":%jd,\"args\":{\"name\":"
		 "\"libamp-device\"}}", (intmax_t) owner);
    }
  return file != NULL;
}

static void
event (const char *name, unsigned lane, uint64_t from, uint64_t to,
       const char *more)
{
  uint64_t start = from - origin;

  fprintf (file, ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":%jd,\"tid\":%u,"
	   "\"ts\":%ju.%03u,\"dur\":%ju.%03u%s}", name, (intmax_t) owner, lane,
	   (uintmax_t) (start / 1000), (unsigned) (start % 1000),
	   (uintmax_t) ((to - from) / 1000), (unsigned) ((to - from) % 1000),
	   more);
}

/* A device's chunk is one event from its scheduling to its end, and in it one
   for each part of the paper's figure 4 that the body told.  */

void
trace_chunk (const struct run *run, unsigned lane, int64_t begin, int64_t end,
	     uint64_t scheduled, uint64_t started, uint64_t ended,
	     const struct amp_device_call *call)
{
  static const char *const parts[] = { "host to device", "launch", "kernel",
				       "device to host" };
  char more[120];
  unsigned i;

  /* In a child of fork, whose parent's threads may have held it, not even the
     lock is taken.  */
  if (getpid () != owner)
    return;
  pthread_mutex_lock (&lock);
  if (open_trace ())
    {
      snprintf (more, sizeof more, ",\"cat\":\"%s\",\"args\":{\"loop\":%ju,"
		"\"first\":%jd,\"count\":%jd}",
		call != NULL ? "device" : "core", (uintmax_t) run->number,
		(intmax_t) (begin - run->begin), (intmax_t) (end - begin));
      event ("chunk", lane, scheduled, ended, more);
      if (call != NULL)
	{
	  uint64_t at = started;

	  event ("scheduling", lane, scheduled, started, "");
	  for (i = 0; i < 4 && call->time[4] != 0; i++)
	    {
	      uint64_t took = call->time[i + 1] - call->time[i];

	      if (at + took > ended)
		break;
	      event (parts[i], lane, at, at + took, "");
	      at += took;
	    }
	  if (i == 4)
	    event ("dispatch", lane, at, ended, "");
	}
    }
  pthread_mutex_unlock (&lock);
}

static void __attribute__ ((destructor))
end_trace (void)
{
  struct timespec until;

  if (!tracing || getpid () != owner)
    return;
  /* The process may end in a handler that has interrupted who holds it.  */
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += 2;
  if (pthread_mutex_timedlock (&lock, &until) != 0)
    return;
  if (file != NULL)
    {
      fputs ("\n]}\n", file);
      if (fclose (file) != 0)
	complain ("GOMP_AMP_TRACE: cannot write all of %s: %s", file_name,
		  strerror (errno));
      file = NULL;
    }
  tracing = false;
  pthread_mutex_unlock (&lock);
}

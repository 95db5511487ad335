/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See bench.h.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include "bench.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double
bench_seconds (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (double) ts.tv_sec + 1e-9 * (double) ts.tv_nsec;
}

bool
bench_parse_long (const char *text, long lo, long hi, long *out)
{
  char *end;
  errno = 0;
  long v = strtol (text, &end, 10);
  if (end == text || *end || errno || v < lo || v > hi)
    return false;
  *out = v;
  return true;
}

int
bench_number_option (const struct bench_number *known, size_t count,
		     const char *name, const char *text)
{
  for (size_t k = 0; k < count; k++)
    if (!strcmp (name, known[k].name))
      return (text && bench_parse_long (text, known[k].least, known[k].most,
					known[k].where) ? 2 : -1);
  return 0;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

double
bench_median (double *value, size_t count)
{
  qsort (value, count, sizeof *value, compare_doubles);
  return value[count / 2];
}

static bool
parse_split (const char *text, struct bench_options *out)
{
  out->nsplit = 0;
  for (;;)
    {
      char *end;
      errno = 0;
      double w = strtod (text, &end);
      if (end == text || errno || !(w > 0 && w < 1e9)
	  || out->nsplit == BENCH_MAX_SPLIT)
	return false;
      out->split[out->nsplit++] = w;
      if (*end == '\0')
	return true;
      if (*end != ':')
	return false;
      text = end + 1;
    }
}

static void
usage (FILE *f, const char *name, const char *valid, bool may_split,
       const char *extra_help)
{
  fprintf (f, "Usage: %s [OPTION]... [CLASS]\n"
	   "Run the kernel, verify its result, and print one line of JSON.\n\n"
	   "  -c, --class C        problem class, one of \"%s\" (default %c)\n",
	   name, valid, valid[0]);
  if (may_split)
    fputs ("      --split W0:W1:.. one contiguous block a thread, sized by"
	   " these weights,\n"
	   "                       instead of the runtime's schedule\n", f);
  if (extra_help)
    fputs (extra_help, f);
  fputs ("  -h, --help           this text\n\n"
	 "Threads and schedule come from OMP_NUM_THREADS and OMP_SCHEDULE.\n"
	 "Exit status: 0 verified, 1 wrong result, 2 wrong usage.\n", f);
}

void
bench_parse (int argc, char **argv, const char *name, const char *valid,
	     bool may_split, const char *extra_help,
	     int (*kernel_option) (const char *, const char *),
	     struct bench_options *out)
{
  out->klass = valid[0];
  out->nsplit = 0;
  for (int i = 1; i < argc; i++)
    {
      const char *arg = argv[i];
      const char *value = i + 1 < argc ? argv[i + 1] : NULL;
      const char *klass = NULL;
      if (!strcmp (arg, "--help") || !strcmp (arg, "-h"))
	{
	  usage (stdout, name, valid, may_split, extra_help);
	  exit (0);
	}
      if (arg[0] != '-')
	klass = arg;
      else if (!strcmp (arg, "--class") || !strcmp (arg, "-c"))
	{
	  klass = value ? value : "";
	  i++;
	}
      if (klass)
	{
	  if (strlen (klass) != 1 || !strchr (valid, klass[0]))
	    {
	      fprintf (stderr, "%s: unknown class '%s'; valid: %s\n", name,
		       klass, valid);
	      exit (2);
	    }
	  out->klass = klass[0];
	  continue;
	}
      if (may_split && !strcmp (arg, "--split"))
	{
	  if (!value || !parse_split (value, out))
	    {
	      fprintf (stderr, "%s: --split wants positive numbers separated"
		       " by ':'\n", name);
	      exit (2);
	    }
	  i++;
	  continue;
	}
      int used = kernel_option ? kernel_option (arg, value) : 0;
      if (used <= 0)
	{
	  fprintf (stderr, used < 0 ? "%s: wrong or missing value for '%s'\n"
		   : "%s: unknown option '%s'; try --help\n", name, arg);
	  exit (2);
	}
      i += used - 1;
    }
}

void
bench_split (const struct bench_options *o, int thread, long n, long *lo,
	     long *hi)
{
  double total = 0, before = 0;
  for (int i = 0; i < o->nsplit; i++)
    {
      total += o->split[i];
      if (i < thread)
	before += o->split[i];
    }
  /* Both bounds are the same expression of a prefix sum, so that neighbours
     agree on the border, and the last one is n by decree.  */
  *lo = lround ((double) n * (before / total));
  *hi = (thread == o->nsplit - 1 ? n
	 : lround ((double) n * ((before + o->split[thread]) / total)));
}

/* The CPU on which each thread was seen by bench_threads.  */
static int seen_on[BENCH_MAX_SPLIT];
static int seen;

int
bench_threads (void)
{
  int n = 1;
#pragma omp parallel
  {
    int me = omp_get_thread_num ();
#pragma omp master
    n = omp_get_num_threads ();
    if (me < BENCH_MAX_SPLIT)
      seen_on[me] = sched_getcpu ();
  }
  seen = n < BENCH_MAX_SPLIT ? n : BENCH_MAX_SPLIT;
  return n;
}

/* The shared object that serves the OpenMP calls of this process.  */
static const char *
runtime_path (char buf[PATH_MAX])
{
  Dl_info info;
  void *f = dlsym (RTLD_DEFAULT, "omp_get_max_threads");
  if (!f || !dladdr (f, &info) || !info.dli_fname)
    return "unknown";
  return realpath (info.dli_fname, buf) ? buf : info.dli_fname;
}

static void
print_string (const char *s)
{
  putchar ('"');
  for (; *s; s++)
    if (*s == '"' || *s == '\\')
      printf ("\\%c", *s);
    else if ((unsigned char) *s < 32)
      printf ("\\u%04x", (unsigned) (unsigned char) *s);
    else
      putchar (*s);
  putchar ('"');
}

int
bench_report (const char *kernel, const char *klass, double seconds,
	      bool verified, int threads, long loops, const char *detail)
{
  char path[PATH_MAX];
  printf ("{\"kernel\":");
  print_string (kernel);
  printf (",\"class\":");
  print_string (klass);
  printf (",\"seconds\":%.9f,\"verified\":%s,\"threads\":%d,\"loops\":%ld",
	  seconds, verified ? "true" : "false", threads, loops);
  printf (",\"runtime\":");
  print_string (runtime_path (path));
  if (seen > 0)
    {
      printf (",\"cpus\":[");
      for (int i = 0; i < seen; i++)
	printf ("%s%d", i ? "," : "", seen_on[i]);
      putchar (']');
    }
  if (detail && *detail)
    printf (",%s", detail);
  puts ("}");
  return fflush (stdout) == 0 && verified ? 0 : 1;
}

int
bench_finish (const char *kernel, char klass, double seconds, bool verified,
	      int threads, long loops, const char *format, ...)
{
  char detail[500], class_name[2] = { klass, 0 };
  va_list ap;
  va_start (ap, format);
  vsnprintf (detail, sizeof detail, format, ap);
  va_end (ap);
  return bench_report (kernel, class_name, seconds, verified, threads, loops,
		       detail);
}

size_t
bench_problem (int argc, char **argv, const char *name, const char *valid,
	       const char *extra_help,
	       int (*kernel_option) (const char *, const char *),
	       const void *problems, size_t size)
{
  struct bench_options o;
  size_t k = 0;
  bench_parse (argc, argv, name, valid, false, extra_help, kernel_option, &o);
  while (((const char *) problems)[k * size] != o.klass)
    k++;
  return k;
}

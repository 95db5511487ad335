/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every benchmark kernel shares: a clock, option parsing, and the one
   line of JSON that scripts/bench reads.  */

#ifndef AMP_BENCH_H
#define AMP_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_MAX_SPLIT 1024

/* Options common to the kernels.  NSPLIT is 0 when no --split was given;
   otherwise SPLIT holds that many positive weights, one a thread.  */
struct bench_options
{
  char klass;
  int nsplit;
  double split[BENCH_MAX_SPLIT];
};

/* Seconds since an arbitrary point, monotonic.  */
double bench_seconds (void);

/* Parse --class C, --split W0:W1:..., --help, or the class as the only
   positional argument.  VALID names the classes, the first being the
   default.  KERNEL_OPTION, when not null, is offered every other option as
   (name, value); it returns how many arguments it used (0: unknown, -1: known
   but the value is wrong).  Ends the process on --help (0) and on a wrong
   command line (2).  */
void bench_parse (int argc, char **argv, const char *name, const char *valid,
		  bool may_split, const char *extra_help,
		  int (*kernel_option) (const char *, const char *),
		  struct bench_options *out);

/* Parse all of TEXT as a decimal number in [LO, HI].  */
bool bench_parse_long (const char *text, long lo, long hi, long *out);

/* An option whose value is a number in [LEAST, MOST].  */
struct bench_number
{
  const char *name;
  long *where, least, most;
};

/* Offer an option to the COUNT numbers KNOWN; returns as bench_parse's
   KERNEL_OPTION does.  */
int bench_number_option (const struct bench_number *known, size_t count,
			 const char *name, const char *text);

/* The median of COUNT values; reorders them.  */
double bench_median (double *value, size_t count);

/* The contiguous block [*LO, *HI) of 0..n-1 that SPLIT's weights give to
   THREAD of NSPLIT.  Blocks of all threads cover 0..n-1 exactly once.  */
void bench_split (const struct bench_options *o, int thread, long n,
		  long *lo, long *hi);

/* Threads that a parallel region gets now.  Runs one, so that the team exists
   before the timed part.  */
int bench_threads (void);

/* Print the JSON line and return the exit status: 0 when VERIFIED, else 1.
   DETAIL is null or further members, without a leading comma.  LOOPS counts
   the worksharing loops executed in the timed part.  */
int bench_report (const char *kernel, const char *klass, double seconds,
		  bool verified, int threads, long loops, const char *detail);

/* The same, of a class, with printf's FORMAT for the further members.  */
int bench_finish (const char *kernel, char klass, double seconds,
		  bool verified, int threads, long loops,
		  const char *format, ...)
  __attribute__ ((format (printf, 7, 8)));

/* Parse as bench_parse does, without --split: the number of the one of PROBLEMS, of SIZE
   bytes, whose first member is the class that is asked for.  */
size_t bench_problem (int argc, char **argv, const char *name,
		      const char *valid, const char *extra_help,
		      int (*kernel_option) (const char *, const char *),
		      const void *problems, size_t size);

/* In main: PROBLEMS' member that the command line asks for.  */
#define BENCH_PROBLEM(NAME, VALID, HELP, OPTION)			\
  (problems + bench_problem (argc, argv, NAME, VALID, HELP, OPTION,	\
			     problems, sizeof *problems))

#ifdef __cplusplus
}
#endif

#endif /* AMP_BENCH_H */

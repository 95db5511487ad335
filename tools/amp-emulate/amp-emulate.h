/* SPDX-License-Identifier: GPL-3.0-or-later

   What the parts of amp-emulate share.  */

#ifndef AMP_EMULATE_H
#define AMP_EMULATE_H

#include "slow.h"
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef AMP_VERSION
# define AMP_VERSION "unknown"
#endif

#define NS_PER_US INT64_C (1000)
#define NS_PER_MS INT64_C (1000000)

enum
{
  MAX_CPUS = AMP_SLOW_CPUS,
  MAX_PHASES = 64,
  AFTER_WINDOWS = 9
};

enum
{
  EXIT_UNABLE = 2,
  EXIT_STRICT = 3,
  EXIT_NOT_EXECUTABLE = 126,
  EXIT_NOT_FOUND = 127
};

struct cpumask
{
  cpu_set_t sets[MAX_CPUS / CPU_SETSIZE];
};

enum thief_mode
{
  THIEF_REST,
  THIEF_STEAL,
  THIEF_QUIT
};

/* MODE and SPIN are written by others through thief_set; the counters by the
   thief alone.  All are independent values: relaxed order is enough, the
   semaphore orders the wake-up.  */
struct thief
{
  int cpu;
  pthread_t thread;
  int error;
  sem_t ready;
  sem_t wake;
  atomic_int mode;
  _Atomic int64_t spin;
  _Atomic uint64_t periods;
  _Atomic uint64_t missed;
  _Atomic int64_t max_late;
};

struct measure
{
  int windows;
  double q1, median, q3;
};

/* One slowed CPU in one phase.  OVERHEAD is what a period costs other threads
   of the CPU beyond SPIN.  THIEF is NULL with METHOD_SIGNAL.  */
struct setting
{
  struct thief *thief;
  int cpu;
  double asked;
  int64_t overhead;
  int64_t spin;
  struct measure before;
  struct measure after;
};

/* From AT nanoseconds after the command's start on, SETTINGS hold.  REFERENCE
   is the CPU at full speed that they are compared with, -1 if there is
   none.  */
struct phase
{
  int64_t at;
  int nsettings;
  struct setting *settings;
  int reference;
};

enum method
{
  METHOD_THIEF,
  METHOD_SIGNAL
};

struct options
{
  enum method method;
  int64_t period;
  int64_t overhead;
  int reference;
  uint64_t seed;
  bool jitter, no_verify, verify_only, strict, keep_types, quiet;
  const char *json;
};

/* amp-emulate.c: what was asked for.  */

extern struct options opt;
extern struct cpumask allowed;
extern struct phase phases[MAX_PHASES];
extern int nphases;
extern const char *const method_names[];

/* basics.c: memory, time, CPU sets, numbers, small files.  */

#define warn(FORMAT, ...) \
  fprintf (stderr, "amp-emulate: " FORMAT "\n", ##__VA_ARGS__)
#define fail(...) (warn (__VA_ARGS__), exit (EXIT_UNABLE))
extern void *xcalloc (size_t, size_t);

extern int64_t now (void);
extern struct timespec to_timespec (int64_t);
extern void sleep_until (int64_t);
extern const char *period_text (void);

extern bool mask_has (const struct cpumask *, int);
extern void mask_add (struct cpumask *, int);
/* MASK as a list like 0-2,5; the caller frees it.  */
extern char *mask_text (const struct cpumask *);
/* Parse a list like 0,2-5 that ends at END or at '='.  Return the end, or
   NULL.  */
extern const char *parse_cpus (const char *, struct cpumask *);
/* Parse a plain decimal number; the pointer is left behind it.  */
extern bool parse_number (const char **, double *);

/* Read the first line of a file; false if there is none.  */
extern bool read_line (const char *, char *, size_t);
extern bool read_long (const char *, long long *);
/* Read the value of the line "KEY...: VALUE" of a file.  */
extern bool read_field (const char *, const char *, char *, size_t);

/* thief.c: the thieves, and what the system must allow for them.  */

extern struct thief *thieves;
extern int nthieves;
extern void check_reachable (void);
/* Pin the calling thread to a CPU; 0 or an errno.  */
extern int pin (int);
/* Create a thread that receives no signal.  */
extern void create_thread (pthread_t *, void *(*) (void *), void *);
/* Warn if another process slows that CPU.  */
extern void claim_cpu (int);
extern void thief_set (struct thief *, enum thief_mode);
extern void start_thieves (void);
extern void stop_thieves (void);
/* The main thread is alive.  */
extern void beat (void);

/* method.c: how CPUs are slowed, by thieves or by signals.  */

/* Of METHOD_SIGNAL: how often the command was robbed.  */
extern uint64_t thefts;
extern double asked_ratio (const struct phase *, int);
/* What a thread runs in a period.  */
extern int64_t slice_of (const struct setting *);
/* Make a setting hold, or its CPU as fast as it is.  */
extern void set_slow (const struct setting *, bool);
/* Make the phase's settings, and nothing else, hold from now on.  NULL:
   nothing.  */
extern void apply_phase (const struct phase *);
extern void start_method (void);
/* Put what the command needs into its environment.  */
extern void offer_signals (void);

/* measure.c: what ratio is reached.  */

/* Measure how much slower each CPU of a phase is; one result a setting.  */
extern void measure_phase (struct phase *, int, struct measure *);
extern void calibrate_phase (struct phase *);
/* Verify a phase; unless its overhead was given, correct what is off and look
   again, a bounded number of times.  */
extern void verify_phase (struct phase *);
/* Report what a phase reached, before or after the command; false if a CPU is
   off.  */
extern bool report_phase (const struct phase *, bool);

/* record.c: the record of a run, as JSON.  */

/* The value of GOMP_AMP_TYPES for a phase: the CPUs of each ratio, fastest
   first; the caller frees it.  */
extern char *types_text (const struct phase *);
/* Write the record.  The status is -1 where no command ran.  */
extern void write_json (FILE *, char **, int, int64_t);

#endif

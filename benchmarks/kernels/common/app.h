/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels share beyond bench.h: seeds and deliberate damage; and of the
   applications of the iCh paper further options, and the main loop as
   worksharing loop or as taskloop.  */

#ifndef AMP_APP_H
#define AMP_APP_H

#include "bench.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In front of the main loop, inside a parallel region: a worksharing loop
   without a schedule clause, or with -DTASKLOOP the tasks that one thread
   makes of it.  N is the number of iterations; what follows are clauses that
   both constructs know.  Either ends with a barrier.

   The body may ask for its thread's number, since it contains no task
   scheduling point, but may not assume which thread it is.  */
#define APP_PRAGMA(...) _Pragma (#__VA_ARGS__)
#if defined TASKLOOP || defined TASKS
# define APP_TASKS 1
#endif
#ifdef TASKLOOP
# define APP_LOOP(n, ...) \
  APP_PRAGMA (omp single) \
  APP_PRAGMA (omp taskloop num_tasks (app_tasks (n)) __VA_ARGS__)
#else
# define APP_LOOP(n, ...) APP_PRAGMA (omp for __VA_ARGS__)
#endif

/* How many tasks a loop of N iterations is cut into: N / --grainsize, or
   --tasks, or as many as threads, with -DTASKS eight times as many.  At least 1,
   at most N.  */
long app_tasks (long n);

/* Task K of these has the iterations app_task_begin (n, tasks, k) to
   app_task_begin (n, tasks, k + 1) - 1.  */
static inline long
app_task_begin (long n, long tasks, long k)
{
  return n / tasks * k + (k < n % tasks ? k : n % tasks);
}

/* The help of what the three functions below know beside --damage.  */
extern const char app_task_help[];
extern const char app_seed_help[];
extern const char app_help[];

/* app_help with the kernel's own in front.  Valid until the next call.  */
const char *app_help_with (const char *own);

/* For bench_parse, as they are or from a kernel's own function.
   app_damage_option: --damage, which is for the tests.
   app_task_option: --tasks and --grainsize, where loops are tasks.
   app_seed_option: these and --seed.
   app_option: these and --workload.  */
int app_damage_option (const char *name, const char *value);
int app_task_option (const char *name, const char *value);
int app_seed_option (const char *name, const char *value);
int app_option (const char *name, const char *value);

/* For Fortran, which has no argv: pass on each argument, and then parse as bench_parse does, with one of the three functions above.  Returns
   the class.  */
enum { APP_OFFERS_DAMAGE, APP_OFFERS_SEED, APP_OFFERS_ALL };
void app_argument (const char *text);
char app_parse (const char *name, const char *valid, const char *help,
		int offers);

/* Fraction number INDEX of the sequence of --seed.  */
double app_random (uint64_t index);

/* app_workload and app_damage for Fortran.  */
bool app_wants_workload (void);
bool app_wants_damage (void);
uint64_t app_get_seed (void);

/* --seed; 1 without it.  */
extern uint64_t app_seed;

/* --damage: the kernel falsifies one result before it verifies.  */
extern bool app_damage;

/* --workload: the kernel tells the run-time library what the iterations of its
   main loop cost, where it knows that beforehand.  */
extern bool app_workload;

/* WORK[i] is what iteration i of the main loop costs, from now on.  A no-op
   without --workload, and with a library that does not take workloads.  */
void app_set_workload (unsigned *work, long n);

/* Zeroed memory, or the end of the process.  */
void *app_allocate (size_t count, size_t size);

/* A hash of SIZE bytes from M on that goes on from H; begin with 0.  */
uint64_t app_hash (uint64_t h, const void *m, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* AMP_APP_H */

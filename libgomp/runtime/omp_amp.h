/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What programs may use of gomp-amp beyond OpenMP's own interface.  Programs
   that include this file run with gomp-amp's libgomp only if they call one
   of its functions; the schedule kinds alone also pass on a stock libgomp,
   whose omp_set_schedule ignores them.  */

#ifndef OMP_AMP_H
#define OMP_AMP_H 1

/* The version of gomp-amp: 10000 * major + 100 * minor + patch.  */
#define GOMP_AMP_VERSION 100

#ifdef __cplusplus
extern "C" {
#else
# include <stdbool.h>
#endif

/* Further kinds for omp_set_schedule and omp_get_schedule, whose one integer
   is the schedule's first parameter (0: its default), as in
     omp_set_schedule ((omp_sched_t) omp_sched_aid_hybrid, 80);  */
enum
{
  /* BEGIN kind-lines: scripts/maintain/tables.py: kind, parameters.  */
  omp_sched_aid_static = 16,	/* m.  */
  omp_sched_aid_hybrid = 17,	/* percent, m.  */
  omp_sched_aid_dynamic = 18,	/* m, M.  */
  omp_sched_steal = 19,	/* chunk.  */
  omp_sched_ich = 20,	/* epsilon, amp.  */
  omp_sched_binlpt = 21,	/* chunks.  */
  omp_sched_cluster_dynamic = 22,	/* chunk.  */
  omp_sched_hetprobe = 23,	/* percent.  */
  omp_sched_hetprobe_i = 24,	/* percent, again.  */
  omp_sched_feedback = 25,	/* percent.  */
  omp_sched_reference = 31	/* chunk.  */
  /* END kind-lines.  */
};

#ifdef __cplusplus
# define GOMP_AMP_NOTHROW throw ()
#else
# define GOMP_AMP_NOTHROW __attribute__ ((__nothrow__))
#endif

/* Set the current task's run-sched-var to KIND, one of the above, with its
   FIRST and SECOND parameter; 0 stands for the default.  0, or -1 if KIND or
   a parameter is out of range: then nothing has changed.  */
extern int gomp_amp_set_schedule (int kind, int first, int second)
  GOMP_AMP_NOTHROW;

/* The current task's run-sched-var with both parameters.  For OpenMP's own
   kinds the first is the chunk and the second 0.  */
extern void gomp_amp_get_schedule (int *kind, int *first, int *second)
  GOMP_AMP_NOTHROW;

/* How many types of cores the process may use; at least 1.  */
extern int gomp_amp_get_num_core_types (void) GOMP_AMP_NOTHROW;

/* The type of the core that the calling thread runs on at the moment; 0 is
   the fastest.  */
extern int gomp_amp_get_core_type (void) GOMP_AMP_NOTHROW;

/* The workload of loops, for binlpt; the prototypes are those of the libgomp
   of LAPeSD, where BinLPT comes from.  */

/* Register a loop and return its number.  NAME appears in messages.  */
extern unsigned omp_loop_register (const char *name) GOMP_AMP_NOTHROW;

/* Forget loop LOOP_ID and its workload.  */
extern void omp_loop_unregister (unsigned loop_id) GOMP_AMP_NOTHROW;

/* Iteration i of loop LOOP_ID costs TASKS[i], in any unit; it has NTASKS
   iterations.  TASKS is copied.  Without OVERRIDE a workload of that length
   that the loop has already is kept.  The next loop of NTASKS iterations that
   the current task, or what inherits from it, runs by binlpt is LOOP_ID, and
   its further executions are until another loop is.  Loops of another length
   are run as if all iterations cost the same, which is reported once.  */
extern void omp_set_workload (unsigned loop_id, unsigned *tasks,
			      unsigned ntasks, bool override)
  GOMP_AMP_NOTHROW;

#ifdef __cplusplus
}
#endif

#endif

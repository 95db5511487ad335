/* SPDX-License-Identifier: GPL-3.0-or-later

   Slowing threads by signals: what amp-emulate and the library that it loads
   into programs (preload.c) have in common.

   Every thread has a timer.  On a CPU that is slow, the thread runs for SLICE
   nanoseconds of its CPU time; then a signal handler spins for SPIN, as long
   as the thread stays on that CPU, and sets the timer anew.  The theft is part
   of what the thread itself runs: to the kernel the CPU is like any other, and
   the thread is busy all the time, as it would be on a small core.  A thread
   that sleeps is looked at less and less often.

   With a ratio R and a period P, SLICE = P / R and SPIN = P * (1 - 1/R) less
   what an interruption costs that the thread's CPU time does not show.  */

#ifndef AMP_SLOW_H
#define AMP_SLOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The environment variable with the path of the table, a file that holds one
   struct amp_slow_table.  */
#define AMP_SLOW_VARIABLE "AMP_EMULATE_TABLE"
#define AMP_SLOW_LIBRARY "libamp-slow.so"
/* Changes with the table's layout.  */
#define AMP_SLOW_MAGIC UINT32_C (0x616d7001)

enum { AMP_SLOW_CPUS = 8192 };

#define NS_PER_S INT64_C (1000000000)

/* Written by amp-emulate, read by the handlers, while both run.  Each value
   stands for itself, so relaxed order is enough: a handler that reads a new
   SLICE with an old SPIN steals a wrong share once.  */
struct amp_slow_table
{
  uint32_t magic;
  uint32_t jitter;
  uint64_t seed;
  /* Counted by the programs: how many have loaded the library, and how many
     thefts there were; amp-emulate's own threads count theirs, too.  */
  _Atomic uint32_t processes;
  _Atomic uint64_t thefts;
  /* SLICE 0: full speed.  */
  struct { _Atomic int64_t slice, spin; } cpus[AMP_SLOW_CPUS];
};

/* Slow threads of this process by TABLE from now on, once: those that call
   amp_slow_begin.  Takes the signal SIGRTMAX.  False, with errno set, if the
   handler cannot be installed.  */
extern bool amp_slow_use (struct amp_slow_table *table);

/* Slow the calling thread, until amp_slow_end.  False, with errno set, if it
   gets no timer.  */
extern bool amp_slow_begin (void);
extern void amp_slow_end (void);

/* After a change of the table: let the calling thread notice now.  */
extern void amp_slow_look (void);

/* The table in use.  */
extern struct amp_slow_table *slow_table;

/* The time of CLOCK in nanoseconds.  */
extern int64_t read_clock (clockid_t);
/* Splitmix64.  */
extern uint64_t next_random (uint64_t *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's clock, which the core reads.  */

#include "gomp-amp-glue.h"

/* Written by the constructor only, like the next one.  */
static bool gomp_amp_have_counter;

static uint64_t gomp_amp_min_ticks = GOMP_AMP_MIN_NANOSECONDS;

static inline uint64_t
amp_ticks (void)
{
  struct timespec ts;

  if (AMP_HAVE_USER_COUNTER && __builtin_expect (gomp_amp_have_counter, 1))
    return amp_user_counter ();
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* 0 where the system has no such clock, or refuses it.  */

static uint64_t
amp_cpu_ticks (void)
{
  struct timespec ts;

  if (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &ts) != 0)
    return 0;
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static uint64_t
gomp_amp_monotonic (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static double
gomp_amp_tick_length (void)
{
  uint64_t ticks = amp_ticks () - gomp_amp_begun_ticks;
  uint64_t ns = gomp_amp_monotonic () - gomp_amp_begun_ns;

  return ticks != 0 ? (double) ns / (double) ticks : 1.0;
}

static void
gomp_amp_init_clock (void)
{
#if defined __x86_64__
  unsigned a, b, c, d;

  /* Invariant TSC: runs at one rate in all P-, C- and T-states.  */
  __asm__ ("cpuid" : "=a" (a), "=b" (b), "=c" (c), "=d" (d)
	   : "0" (0x80000000), "2" (0));
  if (a >= 0x80000007)
    {
      __asm__ ("cpuid" : "=a" (a), "=b" (b), "=c" (c), "=d" (d)
	       : "0" (0x80000007), "2" (0));
      gomp_amp_have_counter = (d & 0x100) != 0;
    }
  if (gomp_amp_have_counter)
    /* Nominal frequencies are 2 to 4 GHz: 4 to 8 us.  */
    gomp_amp_min_ticks = 16384;
#elif defined __aarch64__
  uint64_t frequency;

  __asm__ ("mrs %0, cntfrq_el0" : "=r" (frequency));
  /* A sample of a few microseconds is to be timed to a few percent.  */
  gomp_amp_have_counter = frequency >= 10000000;
  if (gomp_amp_have_counter)
    gomp_amp_min_ticks = frequency / 200000;
#endif
}

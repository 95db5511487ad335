/* SPDX-License-Identifier: GPL-3.0-or-later

   Included before anything else in libgomp's sources and in cases.c, which are
   compiled with calls at each access to memory (-fsanitize=thread); seed.c has
   the functions that are called.  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1
#endif
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* The real one calls back under a lock of libc's.  */
#define dl_iterate_phdr(CALLBACK, DATA) ((void) (CALLBACK), (void) (DATA), 0)

/* A thread's own variables are in one section, whose contents seed.c exchanges;
   but other threads know where libgomp's one is, so that each has its own.  */
#define __thread __attribute__ ((section ("seed_own")))
#define gomp_tls_data (*seed_thread ())

/* In place of free.  */
#define seed_keep(p) ((void) (p))

extern void seed_futex_wait (int *address, int value);
extern void seed_futex_wake (int *address, int count);

/* For cases.  A number below N, drawn; let others go on, for one of which the
   calling thread waits; end the run; fork, where the child has the calling
   thread alone, runs FUNCTION and ends.  */
extern unsigned seed_draw (unsigned n);
extern void seed_waits (void);
extern void seed_fail (const char *format, ...)
  __attribute__ ((format (printf, 1, 2), noreturn));
extern void seed_fork (void (*function) (void));

/* What threads run that are numbered from 0 and begin teams; LEAST to MOST of
   them.  */

struct seed_case
{
  const char *name;
  unsigned least, most;
  void (*run) (unsigned root);
};
extern const struct seed_case seed_cases[];
extern const unsigned seed_ncases;

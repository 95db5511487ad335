/* SPDX-License-Identifier: GPL-3.0-or-later

   What the unit tests share: a count of checks, and random numbers.  */

#ifndef UNIT_CHECK_H
#define UNIT_CHECK_H 1

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EACH(I, A) for (unsigned I = 0; I < sizeof (A) / sizeof *(A); I++)

static unsigned passed, failed, skipped;

static void __attribute__ ((format (printf, 2, 3)))
check (bool ok, const char *format, ...)
{
  va_list ap;

  if (ok)
    {
      passed++;
      return;
    }
  failed++;
  va_start (ap, format);
  printf ("FAIL: ");
  vprintf (format, ap);
  putchar ('\n');
  va_end (ap);
}

/* What main returns, after the line that the suite reads.  */

static int
unit_result (void)
{
  printf ("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
  return failed != 0;
}

static uint64_t rng = 1;

static uint64_t
random64 (void)
{
  uint64_t x = rng += UINT64_C (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

#endif

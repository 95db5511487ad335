/* SPDX-License-Identifier: GPL-3.0-or-later

   What the test programs share: a count of checks.  */

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

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
check_result (void)
{
  printf ("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
  return failed != 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Linked into what amp-gcc links with -fopenmp: says who serves it, if that is
   another OpenMP library and the user wants to know.  Asks by a function that
   all have, since a program that refers to a version of ours does not start
   without it.  */

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As <dlfcn.h> has it with _GNU_SOURCE; old C libraries have the function in a
   library of its own.  */
struct gomp_amp_guard_info
{
  const char *file;
  void *base;
  const char *name;
  void *address;
};

extern int dladdr (const void *, struct gomp_amp_guard_info *)
  __attribute__ ((weak));
/* Not there if nothing needs libgomp.  */
extern int omp_get_ancestor_thread_num (int) __attribute__ ((weak));

/* GOMP_AMP_WHO of gomp-amp.h.  */
#define WHO 0x414d50

static void
say (const char *text)
{
  if (write (STDERR_FILENO, text, strlen (text)) < 0)
    return;
}

static void
name (const void *address, const char *otherwise)
{
  struct gomp_amp_guard_info info;

  say (dladdr && dladdr (address, &info) && info.file && *info.file
       ? info.file : otherwise);
}

/* The other is amp-run's.  */

static int
asked (void)
{
  const char *report = getenv ("GOMP_AMP_REPORT");

  if (report != NULL)
    report += strspn (report, " \t\n\v\f\r");
  return ((report != NULL && *report != '\0' && strcmp (report, "0") != 0)
	  || getenv ("AMP_GUARD") != NULL);
}

static void __attribute__ ((constructor))
guard (void)
{
  struct pollfd out = { .fd = STDERR_FILENO, .events = POLLOUT };

  if (!asked ()
      || omp_get_ancestor_thread_num == NULL
      || omp_get_ancestor_thread_num (-WHO) == WHO
      /* To write into a pipe that nobody reads would end the program.  */
      || poll (&out, 1, 0) != 1 || out.revents != POLLOUT)
    return;
  say ("gomp-amp: ");
  name ((const void *) guard, "this program");
  say (" was made by amp-gcc but is served by ");
  name ((const void *) omp_get_ancestor_thread_num, "another OpenMP library");
  say (": its loops are static, and no setting of gomp-amp acts on it\n");
}

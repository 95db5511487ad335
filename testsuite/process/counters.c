/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: a kernel that allows hardware counters.  A counter is a file
   in memory of its own, which only this knows; what is read from another
   descriptor is read.  */

#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/perf_event.h>

/* The number of the file that FD is if that is a counter, else 0.  */

static uint64_t
counter (int fd)
{
  char name[32] = "", path[64];
  struct stat st;
  char *p = path + sizeof path;

  /* No stdio: programs call this with little on their stacks.  */
  *--p = '\0';
  for (int n = fd; n > 0 || p[0] == '\0'; n /= 10)
    *--p = '0' + n % 10;
  p -= strlen ("/proc/self/fd/");
  memcpy (p, "/proc/self/fd/", strlen ("/proc/self/fd/"));
  if (fd < 0 || readlink (p, name, sizeof name - 1) < 0
      || strncmp (name, "/memfd:counter", 14) != 0 || fstat (fd, &st) != 0)
    return 0;
  return st.st_ino;
}

long
syscall (long number, ...)
{
  static long (*next) (long, ...);
  long a[6];
  va_list args;

  if (number == SYS_perf_event_open)
    return memfd_create ("counter", MFD_CLOEXEC);
  va_start (args, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg (args, long);
  va_end (args);
  if (next == NULL)
    next = (long (*) (long, ...)) dlsym (RTLD_NEXT, "syscall");
  return next (number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int
ioctl (int fd, unsigned long request, ...)
{
  static int (*next) (int, unsigned long, ...);
  va_list args;
  void *argument;

  va_start (args, request);
  argument = va_arg (args, void *);
  va_end (args);
  if (request == PERF_EVENT_IOC_ID && counter (fd) != 0)
    {
      *(uint64_t *) argument = counter (fd);
      return 0;
    }
  if (next == NULL)
    next = (int (*) (int, unsigned long, ...)) dlsym (RTLD_NEXT, "ioctl");
  return next (fd, request, argument);
}

ssize_t
read (int fd, void *to, size_t size)
{
  static ssize_t (*next) (int, void *, size_t);
  uint64_t group[3] = { 2, 1000, 10 };

  if (counter (fd) != 0 && size == sizeof group)
    {
      memcpy (to, group, size);
      return size;
    }
  if (next == NULL)
    next = (ssize_t (*) (int, void *, size_t)) dlsym (RTLD_NEXT, "read");
  return next (fd, to, size);
}

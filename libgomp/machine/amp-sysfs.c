/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   See amp-sysfs.h; and control groups' limits.  */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "amp-sysfs.h"

static bool
amp_read_cpu (const char **s, unsigned *cpu)
{
  const char *p = *s;
  unsigned v = 0;

  if (*p < '0' || *p > '9')
    return false;
  for (; *p >= '0' && *p <= '9'; p++)
    {
      v = v * 10 + (*p - '0');
      if (v >= AMP_MAX_CPUS)
	return false;
    }
  *s = p;
  *cpu = v;
  return true;
}

static bool
amp_read_text (const char *dir, const char *name, char *buf, size_t size)
{
  size_t used = 0;
  ssize_t len;
  int at, fd;

  /* No name that joins the two: the thread that loads the library may have a
     small stack.  */
  at = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (at < 0)
    return false;
  fd = openat (at, name, O_RDONLY | O_CLOEXEC);
  close (at);
  if (fd < 0)
    return false;
  while ((len = read (fd, buf + used, size - used)) > 0
	 && (used += len) < size)
    continue;
  close (fd);
  if (len < 0 || used >= size)
    return false;
  buf[used] = '\0';
  return true;
}

static uint64_t
amp_read_cpu_number (const struct amp_source *s, unsigned cpu,
		     const char *name)
{
  char path[80], buf[32];
  unsigned long long value;

  snprintf (path, sizeof path, "devices/system/cpu/cpu%u/%s", cpu, name);
  if (!amp_read_text (s->sys, path, buf, sizeof buf))
    return 0;
  value = strtoull (buf, NULL, 0);
  return value < UINT32_MAX ? value : UINT32_MAX;
}

/* Give VALUE to the members of SET that TEXT lists.  */

static bool
amp_fill_list (const char *text, unsigned char set[AMP_MAX_CPUS],
	       unsigned char value)
{
  const char *p = text;
  unsigned first, last;

  while (*p >= '0' && *p <= '9')
    {
      if (!amp_read_cpu (&p, &first))
	return false;
      last = first;
      if (*p == '-')
	{
	  p++;
	  if (!amp_read_cpu (&p, &last))
	    return false;
	}
      while (first <= last)
	set[first++] = value;
      if (*p != ',')
	break;
      p++;
    }
  return *p == '\0' || *p == '\n';
}

/* Threads may have small stacks.  */

static bool
amp_read_list (const char *dir, const char *name,
	       unsigned char set[AMP_MAX_CPUS], unsigned char value)
{
  size_t size = 8192;
  char *buf = malloc (size);
  bool read = (buf != NULL && amp_read_text (dir, name, buf, size)
	       && amp_fill_list (buf, set, value));

  free (buf);
  return read;
}

static bool
amp_l3_p (const struct amp_source *s, unsigned cpu)
{
  char path[AMP_ROOT_MAX + 256];

  return ((size_t) snprintf (path, sizeof path,
			     "%s/devices/system/cpu/cpu%u/cache/index3",
			     s->sys, cpu) < sizeof path
	  && access (path, F_OK) == 0);
}

static void
amp_source_open (struct amp_source *s, const char *root, unsigned limit,
		 amp_usable_fn usable, amp_cpuid_fn cpuid)
{
  char arch[32];

  memset (s, 0, sizeof *s);
  s->limit = limit < AMP_MAX_CPUS ? limit : AMP_MAX_CPUS;
  s->usable = usable;
  if (root == NULL || *root == '\0')
    {
      strcpy (s->sys, "/sys");
      strcpy (s->proc, "/proc");
      s->cpuid = cpuid;
#if defined __x86_64__ || defined __i386__
      s->arch = AMP_ARCH_X86;
#else
      s->arch = AMP_ARCH_OTHER;
#endif
      return;
    }
  snprintf (s->sys, sizeof s->sys, "%s", root);
  snprintf (s->proc, sizeof s->proc, "%s/proc", s->sys);
  if (amp_read_text (s->proc, "sys/kernel/arch", arch, sizeof arch))
    s->arch = (strncmp (arch, "x86", 3) == 0
	       || (arch[0] == 'i' && strncmp (arch + 2, "86", 2) == 0)
	       ? AMP_ARCH_X86 : AMP_ARCH_OTHER);
}

/* Control groups.  */

/* The limit in the folder DIR of the cpu controller, version 1 or 2, or 0.  */

static double
amp_quota_in (const char *dir, bool v2)
{
  char text[64], *end;
  long long quota, period;

  if (v2)
    {
      if (!amp_read_text (dir, "cpu.max", text, sizeof text))
	return 0.0;
      quota = strtoll (text, &end, 10);
      /* The word max.  */
      if (end == text)
	return 0.0;
      period = strtoll (end, NULL, 10);
    }
  else
    {
      if (!amp_read_text (dir, "cpu.cfs_quota_us", text, sizeof text))
	return 0.0;
      quota = strtoll (text, NULL, 10);
      if (!amp_read_text (dir, "cpu.cfs_period_us", text, sizeof text))
	return 0.0;
      period = strtoll (text, NULL, 10);
    }
  return quota > 0 && period > 0 ? (double) quota / (double) period : 0.0;
}

/* The least limit from MOUNT/PATH up to MOUNT.  In a container PATH may be that
   of the host, which is not there: its folders are then passed over, and MOUNT
   itself is the container's own group.  */

static double
amp_quota_along (const char *mount, const char *path, bool v2)
{
  char dir[2 * AMP_ROOT_MAX];
  size_t base;
  double quota, least = 0.0;
  char *slash;

  /* A group outside of the namespace's root.  */
  if (strncmp (path, "/..", 3) == 0)
    path = "";
  base = snprintf (dir, sizeof dir, "%s", mount);
  if (base >= sizeof dir
      || (size_t) snprintf (dir + base, sizeof dir - base, "%s", path)
	 >= sizeof dir - base)
    return 0.0;
  for (;;)
    {
      quota = amp_quota_in (dir, v2);
      if (quota > 0.0 && (least == 0.0 || quota < least))
	least = quota;
      slash = strrchr (dir + base, '/');
      if (slash == NULL)
	return least;
      *slash = '\0';
    }
}

/* ... as the lines of TEXT, which is changed, say.  */

static double
amp_quota_of (const struct amp_source *s, char *text)
{
  char mount[AMP_ROOT_MAX + 256], *line, *next, *names, *path, *p;
  double quota, least = 0.0;

  /* Lines number:controllers:path; version 2 has no controllers.  */
  for (line = text; *line != '\0'; line = next)
    {
      next = line + strcspn (line, "\n");
      if (*next != '\0')
	*next++ = '\0';
      names = strchr (line, ':');
      path = names != NULL ? strchr (++names, ':') : NULL;
      if (path == NULL)
	continue;
      *path++ = '\0';
      if (strcmp (path, "/") == 0)
	path++;
      quota = 0.0;
      if (*names == '\0')
	{
	  snprintf (mount, sizeof mount, "%s/fs/cgroup", s->sys);
	  quota = amp_quota_along (mount, path, true);
	}
      else
	for (p = names; p != NULL; p = strchr (p, ','))
	  {
	    p += *p == ',';
	    if (strncmp (p, "cpu", 3) != 0 || (p[3] != ',' && p[3] != '\0'))
	      continue;
	    /* The usual link to the folder that is named for all of them.  */
	    snprintf (mount, sizeof mount, "%s/fs/cgroup/cpu", s->sys);
	    if (access (mount, F_OK) != 0)
	      snprintf (mount, sizeof mount, "%s/fs/cgroup/%.200s", s->sys,
			names);
	    quota = amp_quota_along (mount, path, false);
	    break;
	  }
      if (quota > 0.0 && (least == 0.0 || quota < least))
	least = quota;
    }
  return least;
}

static double
amp_read_quota (const struct amp_source *s)
{
  size_t size = 8192;
  char *text = malloc (size);
  double quota = 0.0;

  if (text != NULL && amp_read_text (s->proc, "self/cgroup", text, size))
    quota = amp_quota_of (s, text);
  free (text);
  return quota;
}

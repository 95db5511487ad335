/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Which CPUs are near to one another, for thieves.  Runs once, before any
   team exists.  */

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The NUMA node of CPU below ROOT, or -1.  Its folder has an entry named after
   the node; if there are several, the least counts.  */

static int
amp_cpu_node (const char *root, unsigned cpu)
{
  char name[PATH_MAX + 128];
  struct dirent *entry;
  unsigned long node, least = SHRT_MAX + 1UL;
  DIR *folder;

  snprintf (name, sizeof name, "%s/cpu%u", root, cpu);
  folder = opendir (name);
  if (folder == NULL)
    return -1;
  while ((entry = readdir (folder)) != NULL)
    if (strncmp (entry->d_name, "node", 4) == 0
	&& entry->d_name[4] >= '0' && entry->d_name[4] <= '9')
      {
	node = strtoul (entry->d_name + 4, NULL, 10);
	if (node < least)
	  least = node;
      }
  closedir (folder);
  return least <= SHRT_MAX ? (int) least : -1;
}

/* The first number in ROOT/cpu<CPU>/FILE, which may be a list, or -1.  */

static int
amp_cpu_number (const char *root, unsigned cpu, const char *file)
{
  char name[PATH_MAX + 128], buf[32];
  ssize_t len;
  int fd;

  snprintf (name, sizeof name, "%s/cpu%u/%s", root, cpu, file);
  fd = open (name, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  len = read (fd, buf, sizeof buf - 1);
  close (fd);
  if (len <= 0 || buf[0] < '0' || buf[0] > '9')
    return -1;
  buf[len] = '\0';
  return strtoul (buf, NULL, 10) & SHRT_MAX;
}

/* Store in CLUSTER the clusters of the N CPUs in CPUS: their NUMA nodes, or if
   these are all one, the groups that share a last-level cache, a cluster or
   a package.  ROOT is the folder that has cpu0.  False if there is only one by
   any of these.  */

static bool
amp_find_clusters (const char *root, const unsigned short *cpus, unsigned n,
		   unsigned short *cluster)
{
  static const char *const files[] = {
    NULL, "cache/index3/shared_cpu_list", "topology/cluster_cpus_list",
    "topology/physical_package_id"
  };
  unsigned f, i;

  for (f = 0; f < sizeof files / sizeof files[0]; f++)
    {
      bool several = false;

      for (i = 0; i < n; i++)
	{
	  int key = (files[f] == NULL ? amp_cpu_node (root, cpus[i])
		     : amp_cpu_number (root, cpus[i], files[f]));

	  if (key < 0)
	    break;
	  cluster[i] = key;
	  several |= cluster[i] != cluster[0];
	}
      if (i == n && several)
	return true;
    }
  return false;
}

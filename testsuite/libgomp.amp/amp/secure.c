/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A program with the rights of another user ignores GOMP_AMP_DEBUG=sysfs, which names
   files.  It copies itself to a file with the set-user-ID bit.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {} {@DIR@/secure} {} } */

#define _GNU_SOURCE 1
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "amp-test.h"

/* A tree in which every other CPU is slow.  */

static void
make_tree (const char *root)
{
  cpu_set_t set;
  static const char *const folders[]
    = { "", "/devices", "/devices/system", "/devices/system/cpu" };
  char name[4200];
  int cpu, n = 0;

  for (cpu = 0; cpu < 4; cpu++)
    {
      snprintf (name, sizeof name, "%s%s", root, folders[cpu]);
      mkdir (name, 0755);
    }
  CHECK (sched_getaffinity (0, sizeof set, &set) == 0);
  for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &set))
      {
	FILE *f;
	snprintf (name, sizeof name, "%s/devices/system/cpu/cpu%d", root, cpu);
	mkdir (name, 0755);
	strcat (name, "/cpu_capacity");
	f = fopen (name, "w");
	CHECK (f != NULL);
	if (f != NULL)
	  {
	    fprintf (f, "%d\n", n++ % 2 ? 512 : 1024);
	    fclose (f);
	  }
      }
}

static int
copy_self (const char *name)
{
  char buf[65536];
  ssize_t n;
  int in = open ("/proc/self/exe", O_RDONLY);
  int out = open (name, O_WRONLY | O_CREAT | O_TRUNC, 0755);

  if (in < 0 || out < 0)
    return 0;
  while ((n = read (in, buf, sizeof buf)) > 0)
    if (write (out, buf, n) != n)
      return 0;
  close (in);
  return (n == 0 && fchown (out, 65534, 65534) == 0
	  && fchmod (out, 04755) == 0 && close (out) == 0);
}

/* What PROGRAM says: 100 * AT_SECURE + types, or -1.  */

static int
ask (const char *program, const char *root)
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      if (root != NULL)
	setenv ("GOMP_AMP_DEBUG", amp_sysfs (root), 1);
      else
	unsetenv ("GOMP_AMP_DEBUG");
      execl (program, program, (char *) NULL);
      _exit (255);
    }
  if (pid < 0 || waitpid (pid, &status, 0) != pid || !WIFEXITED (status)
      || WEXITSTATUS (status) > 200)
    return -1;
  return WEXITSTATUS (status);
}

int
main (int argc, char **argv)
{
  char root[4096], copy[4096];
  int plain, plain_tree, secure, secure_tree;

  if (argc == 1)
    return 100 * (getauxval (AT_SECURE) != 0) + gomp_amp_get_num_core_types ();

  snprintf (root, sizeof root, "%s-sysfs", argv[1]);
  snprintf (copy, sizeof copy, "%s-copy", argv[1]);
  make_tree (root);
  plain = ask ("/proc/self/exe", NULL);
  plain_tree = ask ("/proc/self/exe", root);
  CHECK (plain >= 1);
  CHECK (plain_tree == 2);
  if (amp_failures)
    return 1;
  if (!amp_reachable (argv[1]))
    {
      printf ("needs a folder that other users can reach\n");
      return 77;
    }
  if (geteuid () != 0 || !copy_self (copy))
    {
      printf ("needs root, to make a set-user-ID program\n");
      return 77;
    }
  secure = ask (copy, NULL);
  secure_tree = ask (copy, root);
  unlink (copy);
  if (secure < 100 || secure_tree < 100)
    {
      printf ("set-user-ID programs do not run here\n");
      return 77;
    }
  CHECK (secure == 100 + plain);
  CHECK (secure_tree == 100 + plain);
  return AMP_RESULT;
}

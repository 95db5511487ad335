/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's eye on other OpenMP libraries in the process: libomp and libiomp5.
   What was compiled for them calls functions of theirs that we do not have, and
   omp_* functions that we have, too.  */

#include "gomp-amp-glue.h"
#include <link.h>

/* Does NAME, of a file, begin with WORD and then as a library's name may?  */

static bool
gomp_amp_library_p (const char *name, const char *word)
{
  size_t n = strlen (word);

  return (strncmp (name, word, n) == 0 && (name[n] == '.' || name[n] == '-')
	  && strstr (name, ".so") != NULL);
}

/* Store the first one's path in *DATA.  */

static int
gomp_amp_see_beside (struct dl_phdr_info *info,
		     size_t size __attribute__ ((unused)), void *data)
{
  const char *name = strrchr (info->dlpi_name, '/');

  name = name != NULL ? name + 1 : info->dlpi_name;
  if (!gomp_amp_library_p (name, "libomp")
      && !gomp_amp_library_p (name, "libiomp5"))
    return 0;
  *(const char **) data = info->dlpi_name;
  return 1;
}

/* The path of another OpenMP library that is loaded, as long as it is; or
   NULL.  */

static const char *
gomp_amp_beside (void)
{
  const char *path = NULL;

  dl_iterate_phdr (gomp_amp_see_beside, &path);
  return path;
}

/* Where the user has put libgomp in front of all libraries, which children
   inherit, and the program is linked with another one, its omp_* functions are
   not those that its regions go by.  */

static void
gomp_amp_init_beside (void)
{
  const char *preload = getenv ("LD_PRELOAD"), *path;

  if (preload == NULL || strstr (preload, "libgomp") == NULL)
    return;
  path = gomp_amp_beside ();
  if (path != NULL)
    gomp_error ("This program uses %s, and LD_PRELOAD puts libgomp in front of "
		"it: results may be wrong", path);
}

/* For GOMP_AMP_REPORT.  */

static void
gomp_amp_report_beside (struct gomp_amp_out *out)
{
  const char *path = gomp_amp_beside ();

  if (path != NULL)
    gomp_amp_print (out, "libgomp: %s is loaded, too; regions that use it are "
		    "not ours\n", path);
}

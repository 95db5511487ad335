/* GCC plugin: worksharing loops without a schedule clause become
   schedule(nonmonotonic:runtime).
   SPDX-License-Identifier: GPL-3.0-or-later

   Arguments:
     -fplugin-arg-gomp_amp_plugin-default=runtime|static
	static leaves every loop as it is: the opt-out per file.  The last one
	given counts.
     -fplugin-arg-gomp_amp_plugin-dump=FILE|-
	appends one line per worksharing loop to FILE, or to standard error:
	`file:line: decision reason'.  */

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "tree-pass.h"
#include "context.h"
#include "diagnostic-core.h"
#include "options.h"
#include "stringpool.h"
#include "attribs.h"

#include "gomp-amp-decide.h"

int plugin_is_GPL_compatible;

/* The compiler that the plugin claims to be built for; set by the test of the
   version check alone.  */
#ifndef GOMP_AMP_BASEVER
# define GOMP_AMP_BASEVER gcc_version.basever
#endif

namespace
{

/* What the arguments say.  */
bool opt_out;
FILE *dump;

const pass_data gomp_amp_pass_data =
{
  GIMPLE_PASS,
  "gomp_amp",
  OPTGROUP_OMP,
  TV_NONE,
  PROP_gimple_any,
  0, 0, 0, 0
};

class gomp_amp_pass : public gimple_opt_pass
{
public:
  gomp_amp_pass (gcc::context *ctxt)
    : gimple_opt_pass (gomp_amp_pass_data, ctxt)
  {}

  /* Not with -fopenmp-simd alone, whose loops are no worksharing loops.  */
  bool gate (function *) final override
  {
    return flag_openmp && !seen_error ();
  }

  unsigned int execute (function *fn) final override
  {
    gomp_amp_default_schedules (fn->decl, gimple_body (fn->decl), opt_out,
				dump);
    return 0;
  }
};

plugin_info about =
{
  "gomp-amp plugin for GCC ",
  "Worksharing loops without a schedule clause take their schedule from"
  " OMP_SCHEDULE.\n"
  "  -fplugin-arg-gomp_amp_plugin-default=runtime|static\n"
  "      static leaves the loops of this file as they are\n"
  "  -fplugin-arg-gomp_amp_plugin-dump=FILE|-\n"
  "      append one line per worksharing loop to FILE (-: standard error)\n"
};

/* The machine that a compiler configured with ARGS compiles for, its length in
   *LEN; NULL if ARGS does not say.  */

const char *
target_of (const char *args, int *len)
{
  const char *p = args ? strstr (args, "--target=") : NULL;
  if (!p)
    return NULL;
  p += strlen ("--target=");
  *len = strcspn (p, " '");
  return p;
}

/* True if the compiler LOADING us is the one we were built for.  Trees and
   passes have no stable layout, so the version must be the very same; the date
   and the other configure arguments may differ, since distributions rebuild
   one version.  Nothing of the compiler may be called before this.  */

bool
version_matches (const plugin_gcc_version *loading)
{
  int want_len = 0, got_len = 0;
  const char *want = target_of (gcc_version.configuration_arguments,
				&want_len);
  const char *got = target_of (loading->configuration_arguments, &got_len);
  bool same_target = (!want || !got
		      || (want_len == got_len
			  && strncmp (want, got, want_len) == 0));

  if (strcmp (GOMP_AMP_BASEVER, loading->basever) == 0
      && strcmp (gcc_version.devphase, loading->devphase) == 0
      && same_target)
    return true;

  fprintf (stderr,
	   "gomp_amp_plugin: error: this plugin was built for GCC %s%s%s%.*s,"
	   " but GCC %s%s%s%.*s is loading it\n"
	   "gomp_amp_plugin: note: a GCC plugin works only with the very"
	   " version it was built for\n"
	   "gomp_amp_plugin: note: compile with GCC %s, or build gomp-amp"
	   " again with GCC %s\n",
	   GOMP_AMP_BASEVER, gcc_version.devphase,
	   want ? " for " : "", want_len, want ? want : "",
	   loading->basever, loading->devphase,
	   got ? " for " : "", got_len, got ? got : "",
	   GOMP_AMP_BASEVER, loading->basever);
  return false;
}

/* Read the arguments.  False after an error.  */

bool
read_arguments (const plugin_name_args *args)
{
  const char *dump_name = NULL;

#ifdef flag_openmp_default_static
  /* A patched compiler: its own option holds unless an argument is given.  */
  opt_out = flag_openmp_default_static;
#endif
  for (int i = 0; i < args->argc; i++)
    {
      const char *key = args->argv[i].key;
      const char *value = args->argv[i].value;

      if (strcmp (key, "default") == 0)
	{
	  if (value && strcmp (value, "static") == 0)
	    opt_out = true;
	  else if (value && strcmp (value, "runtime") == 0)
	    opt_out = false;
	  else
	    {
	      error ("%qs is not a default schedule;"
		     " valid are %<runtime%> and %<static%>",
		     value ? value : "");
	      return false;
	    }
	}
      else if (strcmp (key, "dump") == 0)
	{
	  if (!value || !*value)
	    {
	      error ("argument %<dump%> of plugin %qs needs a file name,"
		     " or %<-%> for standard error", args->base_name);
	      return false;
	    }
	  dump_name = value;
	}
      else
	{
	  error ("plugin %qs has no argument %qs;"
		 " valid are %<default%> and %<dump%>", args->base_name, key);
	  return false;
	}
    }

#ifdef flag_openmp_default_static
  /* The plugin decides; what it leaves static must stay so.  */
  flag_openmp_default_static = 1;
#endif

  if (dump_name && strcmp (dump_name, "-") == 0)
    dump = stderr;
  else if (dump_name && !(dump = fopen (dump_name, "a")))
    {
      error ("cannot open %qs for the loop decisions: %m", dump_name);
      return false;
    }
  return true;
}

} // anonymous namespace

/* Called by the compiler.  */

int
plugin_init (plugin_name_args *args, plugin_gcc_version *version)
{
  if (!version_matches (version) || !read_arguments (args))
    return 1;

  about.version = concat (about.version, gcc_version.basever, NULL);
  register_callback (args->base_name, PLUGIN_INFO, NULL, &about);

  register_pass_info info;
  info.pass = new gomp_amp_pass (g);
  info.reference_pass_name = "omplower";
  info.ref_pass_instance_number = 1;
  info.pos_op = PASS_POS_INSERT_BEFORE;
  register_callback (args->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
  return 0;
}

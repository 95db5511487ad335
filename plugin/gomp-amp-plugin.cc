/* GCC plugin: worksharing loops without a schedule clause or with auto are
   divided by libgomp.
   SPDX-License-Identifier: GPL-3.0-or-later

   README.md says what the arguments mean.  */

#include "standard.h"

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "options.h"
#include "opts.h"
#include "decide.h"

/* The C family's; Fortran's compiler and lto1 have none.  */
extern void c_register_pragma (const char *, const char *,
			       void (*) (struct cpp_reader *))
  __attribute__ ((weak));

int plugin_is_GPL_compatible;

/* The compiler that the plugin claims to be built for; set by the test of the
   version check alone.  */
#ifndef GOMP_AMP_BASEVER
# define GOMP_AMP_BASEVER gcc_version.basever
#endif

namespace
{

/* What the arguments say.  */
gomp_amp_options options;

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
    if (options.schedule != GOMP_AMP_LEFT)
      amp::before (fn->decl, options).run (gimple_body (fn->decl));
    return 0;
  }
};

/* True if the compiler has this built in.  */

bool
built_in ()
{
  for (unsigned i = 0; i < cl_options_count; i++)
    if (strcmp (cl_options[i].opt_text, "-fopenmp-default-schedule=") == 0)
      return true;
  return false;
}

/* The front end is about to read its file.  */

void
know_pragmas (void *, void *)
{
  if (c_register_pragma && flag_openmp && !built_in ())
    gomp_amp_register_pragmas (c_register_pragma);
}

plugin_info about =
{
  "gomp-amp plugin for GCC ",
  "Worksharing loops without a schedule clause take their schedule from"
  " OMP_SCHEDULE.\n"
  "  -fplugin-arg-gomp_amp_plugin-default=runtime|static|free|steady\n"
  "      static leaves the loops of this file as they are; free converts them\n"
  "      whatever they rely on; steady has them divided alike, too\n"
  "  -fplugin-arg-gomp_amp_plugin-reproducible\n"
  "      leave loops static that add up floating-point numbers\n"
  "  -fplugin-arg-gomp_amp_plugin-replace-static\n"
  "      let GOMP_AMP_REPLACE replace schedule(static) when the program runs\n"
  "  -fplugin-arg-gomp_amp_plugin-portable\n"
  "      let other OpenMP libraries take such loops' schedule from OMP_SCHEDULE\n"
  "  -fplugin-arg-gomp_amp_plugin-warn\n"
  "      warn about loops that rely on static without asking for it\n"
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

  options.schedule = GOMP_AMP_RUNTIME;
  options.reproducible = false;
  options.replace_static = false;
  options.warn = -1;
#ifdef flag_openmp_default_schedule
  /* A patched compiler: its own options hold unless an argument is given.  */
  options.schedule = (gomp_amp_default) flag_openmp_default_schedule;
  options.reproducible = flag_openmp_reproducible;
  options.replace_static = flag_openmp_replace_static;
  options.warn = OPT_Wopenmp_static_assumption;
#endif
  for (int i = 0; i < args->argc; i++)
    {
      const char *key = args->argv[i].key;
      const char *value = args->argv[i].value;

      if (strcmp (key, "default") == 0)
	{
	  static const char *const names[]
	    = { "runtime", "static", "free", "steady" };
	  int n = 3;
	  while (n >= 0 && !(value && strcmp (value, names[n]) == 0))
	    n--;
	  if (n < 0)
	    {
	      error ("%qs is not a default schedule; valid are %<runtime%>,"
		     " %<static%>, %<free%> and %<steady%>",
		     value ? value : "");
	      return false;
	    }
	  options.schedule = (gomp_amp_default) n;
	}
      else if (strcmp (key, "reproducible") == 0 && !value)
	options.reproducible = true;
      else if (strcmp (key, "replace-static") == 0 && !value)
	options.replace_static = true;
      else if (strcmp (key, "portable") == 0 && !value)
	options.portable = true;
      else if (strcmp (key, "warn") == 0 && !value)
	options.warn = 0;
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
		 " valid are %<default%>, %<dump%>, %<portable%>,"
		 " %<replace-static%>, %<reproducible%> and %<warn%>",
		 args->base_name, key);
	  return false;
	}
    }

#ifdef flag_openmp_default_schedule
  /* The plugin decides; what it leaves static must stay so.  */
  flag_openmp_default_schedule = GOMP_AMP_LEFT;
#endif

  if (dump_name && strcmp (dump_name, "-") == 0)
    options.dump = stderr;
  else if (dump_name && !(options.dump = fopen (dump_name, "a")))
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
  register_callback (args->base_name, PLUGIN_PRAGMAS, know_pragmas, NULL);
  register_callback (args->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
  register_pass_info judge;
  judge.pass = new amp::judge_pass (g, options);
  judge.reference_pass_name = "opt_local_passes";
  judge.ref_pass_instance_number = 1;
  judge.pos_op = PASS_POS_INSERT_AFTER;
  register_callback (args->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &judge);
  return 0;
}

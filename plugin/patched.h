/* What a patched compiler calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   Included by omp-low.  Its own options say what the plugin's arguments do.  */

#ifndef GOMP_AMP_PATCHED_H
#define GOMP_AMP_PATCHED_H 1

#include "decide.h"

/* Look at BODY, FNDECL's, which is about to be lowered.  The decisions about
   candidates are written when all functions are in SSA form, to the same
   dump.  */

static void
gomp_amp_lower (tree fndecl, gimple_seq body)
{
  static gomp_amp_options options;
  static bool begun;

  if (!flag_openmp || flag_openmp_default_schedule == GOMP_AMP_LEFT)
    return;
  options.schedule = (gomp_amp_default) flag_openmp_default_schedule;
  options.reproducible = flag_openmp_reproducible;
  options.replace_static = flag_openmp_replace_static;
  options.warn = OPT_Wopenmp_static_assumption;
  if (!options.dump_later && dump_file && (dump_flags & TDF_DETAILS))
    options.dump_later = xstrdup (dump_file_name);
  if (!begun)
    register_pass (new amp::judge_pass (g, options), PASS_POS_INSERT_AFTER,
		   "opt_local_passes", 1);
  begun = true;
  amp::before (fndecl, options).run (body);
}

#endif

/* How converted loops, and static ones that may be replaced, begin.
   SPDX-License-Identifier: GPL-3.0-or-later

   By GOMP_loop_static_start without a chunk, or by GOMP_loop_start with
   schedule static where there is a task reduction: any OpenMP library deals
   such a loop as static does.  GCC itself never calls them so, and ours looks
   at what stands where the first chunk's beginning is to be stored: that says
   what loop it is.  No clause leads to such calls.  So gomp-amp-decide.h makes
   the loops dynamic ones with an impossible chunk, and a pass behind omp-expand
   changes the calls that have it.

   Part of plugin and patched compilers, and C++98.  */

#ifndef GOMP_AMP_REPLACE_H
#define GOMP_AMP_REPLACE_H 1

#include "context.h"
#include "tree-pass.h"

#include "clauses.h"

namespace
{

/* The chunk that marks a loop of which TOLD is to be said: below zero, as no
   program's is.  */

inline HOST_WIDE_INT
gomp_amp_chunk_of (unsigned told)
{
  return -(HOST_WIDE_INT) (GOMP_AMP_TOLD | told);
}

/* ... and the other way; 0 if CHUNK marks none.  */

inline unsigned
gomp_amp_told_by (tree chunk)
{
  if (TREE_CODE (chunk) != INTEGER_CST)
    return 0;
  /* An unsigned long long chunk has lost its sign.  */
  HOST_WIDE_INT told = -(HOST_WIDE_INT) TREE_INT_CST_LOW (chunk);
  return (told & ~GOMP_AMP_TOLD_FLAGS) == GOMP_AMP_TOLD ? told : 0;
}

/* A variable that GOMP_loop_*_start and *_next give a loop's beginnings in
   tells the loop, until functions are inlined.  */

tree
gomp_amp_start_variable (gimple *call, unsigned arg)
{
  tree t = gimple_call_arg (call, arg);
  return TREE_CODE (t) == ADDR_EXPR ? TREE_OPERAND (t, 0) : NULL_TREE;
}

/* Have GSI's call go to CODE, with ARGS.  */

void
gomp_amp_exchange (gimple_stmt_iterator *gsi, enum built_in_function code,
		   const vec<tree> &args)
{
  gimple *old = gsi_stmt (*gsi);
  gcall *call = gimple_build_call_vec (builtin_decl_explicit (code), args);
  gimple_call_set_lhs (call, gimple_call_lhs (old));
  gimple_set_location (call, gimple_location (old));
  gimple_set_block (call, gimple_block (old));
  gsi_replace (gsi, call, true);
}

/* If GSI's call begins a marked loop, change it and return the loop's
   variable.  */

tree
gomp_amp_exchange_start (gimple_stmt_iterator *gsi)
{
  gimple *old = gsi_stmt (*gsi);
  bool ull = false, tasks = false;
  switch (gomp_amp_builtin (gimple_call_fndecl (old)))
    {
    case BUILT_IN_GOMP_LOOP_ULL_NONMONOTONIC_DYNAMIC_START:
      ull = true;
      /* Fall through.  */
    case BUILT_IN_GOMP_LOOP_NONMONOTONIC_DYNAMIC_START:
      break;
#if BUILDING_GCC_MAJOR >= 9
    case BUILT_IN_GOMP_LOOP_ULL_START:
      ull = true;
      /* Fall through.  */
    case BUILT_IN_GOMP_LOOP_START:
      tasks = true;
      break;
#endif
    default:
      return NULL_TREE;
    }
  /* Up or not, start, end, increment; then, with tasks, the schedule.  */
  unsigned at = 3 + ull + tasks;
  unsigned told = gomp_amp_told_by (gimple_call_arg (old, at));
  tree variable = gomp_amp_start_variable (old, at + 1);
  if (!told)
    return NULL_TREE;
  gcc_assert (variable);

  auto_vec<tree> args;
  for (unsigned i = 0; i < gimple_call_num_args (old); i++)
    args.safe_push (gimple_call_arg (old, i));
  args[at] = build_zero_cst (TREE_TYPE (args[at]));
  enum built_in_function code = (ull ? BUILT_IN_GOMP_LOOP_ULL_STATIC_START
				 : BUILT_IN_GOMP_LOOP_STATIC_START);
  if (tasks)
    {
      code = gomp_amp_builtin (gimple_call_fndecl (old));
      args[at - 1] = build_one_cst (TREE_TYPE (args[at - 1]));
    }
  gimple *say = gimple_build_assign (variable,
				     build_int_cstu (TREE_TYPE (variable),
						     told));
  gimple_set_location (say, gimple_location (old));
  gimple_set_block (say, gimple_block (old));
  gsi_insert_before (gsi, say, GSI_SAME_STMT);
  gomp_amp_exchange (gsi, code, args);
  return variable;
}

/* The same for the call that goes on with one of LOOPS.  */

void
gomp_amp_exchange_next (gimple_stmt_iterator *gsi, hash_set<tree> &loops)
{
  gimple *old = gsi_stmt (*gsi);
  enum built_in_function code = gomp_amp_builtin (gimple_call_fndecl (old));
  bool ull = code == BUILT_IN_GOMP_LOOP_ULL_NONMONOTONIC_DYNAMIC_NEXT;
  if (!ull && code != BUILT_IN_GOMP_LOOP_NONMONOTONIC_DYNAMIC_NEXT)
    return;
  tree variable = gomp_amp_start_variable (old, 0);
  if (!variable || !loops.contains (variable))
    return;
  auto_vec<tree> args;
  args.safe_push (gimple_call_arg (old, 0));
  args.safe_push (gimple_call_arg (old, 1));
  gomp_amp_exchange (gsi, ull ? BUILT_IN_GOMP_LOOP_ULL_STATIC_NEXT
			  : BUILT_IN_GOMP_LOOP_STATIC_NEXT, args);
}

const pass_data gomp_amp_replace_data =
{
  GIMPLE_PASS,
  "gomp_amp_replace",
  OPTGROUP_OMP,
  TV_NONE,
  PROP_cfg,
  0, 0, 0, 0
};

/* Behind omp-expand and before anything is inlined.  */

class gomp_amp_replace_pass : public gimple_opt_pass
{
public:
  gomp_amp_replace_pass (gcc::context *ctxt)
    : gimple_opt_pass (gomp_amp_replace_data, ctxt)
  {}

  virtual bool gate (function *)
  {
    return flag_openmp;
  }

  virtual unsigned int execute (function *fn)
  {
    hash_set<tree> loops;
    basic_block bb;
    for (int round = 0; round < 2; round++)
      FOR_EACH_BB_FN (bb, fn)
	for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	     gsi_next (&i))
	  if (gimple_code (gsi_stmt (i)) == GIMPLE_CALL
	      && !gimple_call_internal_p (gsi_stmt (i))
	      && gimple_call_fndecl (gsi_stmt (i)))
	    {
	      if (round == 1)
		gomp_amp_exchange_next (&i, loops);
	      else if (tree variable = gomp_amp_exchange_start (&i))
		loops.add (variable);
	    }
    return 0;
  }
};

/* Have the calls changed.  Called while functions are lowered, which is done
   when the first of the passes on all functions, outlined ones too, begins:
   that is where this one stands.  */

void
gomp_amp_want_replace_pass ()
{
  static bool wanted;
  if (wanted)
    return;
  wanted = true;
  register_pass (new gomp_amp_replace_pass (g), PASS_POS_INSERT_BEFORE, "ssa",
		 1);
}

} // anonymous namespace

#endif

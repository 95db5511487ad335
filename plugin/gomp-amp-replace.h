/* Loops that say schedule(static) and may be replaced when the program runs.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC deals such loops by code of its own.  Here they are begun by
   GOMP_loop_start, whose schedule argument says static: that is what any
   libgomp from GCC 9 on does then, and ours deals otherwise only if
   GOMP_AMP_REPLACE says so.  No clause makes GCC call it.  So
   gomp-amp-decide.h makes the loops dynamic ones with an impossible chunk, and
   a pass behind omp-expand changes the calls that have it.  GCC 8 has no such
   function and takes GOMP_loop_static_start.

   Part of plugin and patched compilers, and C++98.  */

#ifndef GOMP_AMP_REPLACE_H
#define GOMP_AMP_REPLACE_H 1

#include "context.h"
#include "tree-pass.h"

/* Chunks that no program has.  */

enum
{
  /* The blocks must be those of the region's other loops from its beginning to
     its end.  */
  GOMP_AMP_CHUNK_BOUND = -5757,
  /* ... or may change where no thread has gone on without a barrier.  */
  GOMP_AMP_CHUNK_MOVABLE = -5758
};

namespace
{

/* A variable that GOMP_loop_*_start and *_next give a loop's beginnings in
   tells the loop, until functions are inlined.  */

tree
gomp_amp_start_variable (gimple *call, unsigned arg)
{
  tree t = gimple_call_arg (call, arg);
  return TREE_CODE (t) == ADDR_EXPR ? TREE_OPERAND (t, 0) : NULL_TREE;
}

/* Put a call of FNDECL with ARGS in the place of GSI's.  */

void
gomp_amp_exchange (gimple_stmt_iterator *gsi, tree fndecl,
		   const vec<tree> &args)
{
  gimple *old = gsi_stmt (*gsi);
  gcall *call = gimple_build_call_vec (fndecl, args);
  gimple_call_set_lhs (call, gimple_call_lhs (old));
  gimple_set_location (call, gimple_location (old));
  gimple_set_block (call, gimple_block (old));
  gsi_replace (gsi, call, true);
}

/* If GSI's call begins a loop that may be replaced, change it and return the
   loop's variable.  */

tree
gomp_amp_exchange_start (gimple_stmt_iterator *gsi)
{
  gimple *old = gsi_stmt (*gsi);
  enum built_in_function code = gomp_amp_builtin (gimple_call_fndecl (old));
  bool ull = code == BUILT_IN_GOMP_LOOP_ULL_NONMONOTONIC_DYNAMIC_START;
  if (!ull && code != BUILT_IN_GOMP_LOOP_NONMONOTONIC_DYNAMIC_START)
    return NULL_TREE;
  tree chunk = gimple_call_arg (old, 3 + ull);
  if (TREE_CODE (chunk) != INTEGER_CST)
    return NULL_TREE;
  /* ULL's chunk has lost its sign.  */
  HOST_WIDE_INT value = TREE_INT_CST_LOW (chunk);
  if (value != GOMP_AMP_CHUNK_BOUND && value != GOMP_AMP_CHUNK_MOVABLE)
    return NULL_TREE;

  auto_vec<tree> args;
  for (unsigned i = 0; i < 3u + ull; i++)
    args.safe_push (gimple_call_arg (old, i));
#if BUILDING_GCC_MAJOR >= 9
  /* The second bit, monotonic, says that the loop is bound.  */
  unsigned HOST_WIDE_INT schedule
    = (value == GOMP_AMP_CHUNK_BOUND ? HOST_WIDE_INT_1U << 31 : 0) | 1;
  args.safe_push (build_int_cstu (long_integer_type_node, schedule));
#endif
  args.safe_push (build_zero_cst (TREE_TYPE (chunk)));
  args.safe_push (gimple_call_arg (old, 4 + ull));
  args.safe_push (gimple_call_arg (old, 5 + ull));
#if BUILDING_GCC_MAJOR >= 9
  args.safe_push (null_pointer_node);
  args.safe_push (null_pointer_node);
  enum built_in_function start = (ull ? BUILT_IN_GOMP_LOOP_ULL_START
				      : BUILT_IN_GOMP_LOOP_START);
#else
  enum built_in_function start = (ull ? BUILT_IN_GOMP_LOOP_ULL_STATIC_START
				      : BUILT_IN_GOMP_LOOP_STATIC_START);
#endif
  tree variable = gomp_amp_start_variable (old, 4 + ull);
  gomp_amp_exchange (gsi, builtin_decl_explicit (start), args);
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
#if BUILDING_GCC_MAJOR >= 9
  enum built_in_function next
    = (ull ? BUILT_IN_GOMP_LOOP_ULL_NONMONOTONIC_RUNTIME_NEXT
	   : BUILT_IN_GOMP_LOOP_NONMONOTONIC_RUNTIME_NEXT);
#else
  enum built_in_function next = (ull ? BUILT_IN_GOMP_LOOP_ULL_RUNTIME_NEXT
				     : BUILT_IN_GOMP_LOOP_RUNTIME_NEXT);
#endif
  auto_vec<tree> args;
  args.safe_push (gimple_call_arg (old, 0));
  args.safe_push (gimple_call_arg (old, 1));
  gomp_amp_exchange (gsi, builtin_decl_explicit (next), args);
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

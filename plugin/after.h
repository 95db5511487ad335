/* What is done after the judgement: each candidate becomes what it is to be.
   SPDX-License-Identifier: GPL-3.0-or-later

   A loop that any ascending division suits is begun by libgomp.  Others are
   given back to static, as GCC makes it: without a work share, each thread
   computes its one chunk; nowait as the program has it.  Where the code has
   another form than omp-expand gave it, libgomp deals it as static does.  */

/* The calls that end the loop that START begins.  */

static std::vector<gcall *>
find_ends (gcall *start)
{
  std::vector<gcall *> ends;
  worklist<basic_block> todo;
  bool begun = false;
  for (basic_block b = gimple_bb (start); b; b = todo.next (&b) ? b : NULL)
    {
      bool found = false;
      for (gimple *s : statements (b))
	{
	  if (!found && begun && calls (s, "GOMP_loop_end", ""))
	    {
	      ends.push_back (as_a <gcall *> (s));
	      found = true;
	    }
	  begun |= s == start;
	}
      for (edge e : edges (b->succs))
	if (!found && e->dest->index >= NUM_FIXED_BLOCKS)
	  todo.add (e->dest);
    }
  return ends;
}

/* Put a call of FNDECL with ARGS in S's place.  */

static gcall *
exchange (gcall *s, tree fndecl, const std::vector<tree> &args)
{
  auto_vec<tree> v;
  for (tree t : args)
    v.safe_push (t);
  gcall *call = gimple_build_call_vec (fndecl, v);
  gimple_call_set_lhs (call, gimple_call_lhs (s));
  gimple_set_location (call, gimple_location (s));
  gimple_set_block (call, gimple_block (s));
  tree vdef = gimple_vdef (s);
  gimple_set_vuse (call, gimple_vuse (s));
  gimple_set_vdef (call, vdef);
  if (vdef && TREE_CODE (vdef) == SSA_NAME)
    SSA_NAME_DEF_STMT (vdef) = call;
  gimple_stmt_iterator g = gsi_for_stmt (s);
  gsi_replace (&g, call, false);
  return call;
}

static void
remove_statement (gimple *s)
{
  gimple_stmt_iterator g = gsi_for_stmt (s);
  unlink_stmt_vdef (s);
  gsi_remove (&g, true);
  release_defs (s);
}

/* Remove S, a call, as if it returned 0.  */

static void
remove_call (gcall *s)
{
  if (tree lhs = gimple_call_lhs (s))
    {
      gimple_call_set_lhs (s, NULL_TREE);
      replace_uses_by (lhs, build_zero_cst (TREE_TYPE (lhs)));
    }
  remove_statement (s);
}

/* Remove the empty asm that kept the loop of START apart.  */

static void
remove_mark (gcall *start)
{
  basic_block b = gimple_bb (start);
  for (int n = 0; n < 8 && b && b != ENTRY_BLOCK_PTR_FOR_FN (cfun); n++)
    {
      gimple *mark = NULL;
      for (gimple *s : statements (b))
	{
	  gasm *a = dyn_cast <gasm *> (s);
	  if (s == start)
	    break;
	  if (a && !*gimple_asm_string (a) && gimple_asm_ninputs (a) == 0
	      && gimple_asm_noutputs (a) == 0 && gimple_asm_nclobbers (a) == 0)
	    mark = s;
	}
      if (mark)
	{
	  remove_statement (mark);
	  return;
	}
      b = get_immediate_dominator (CDI_DOMINATORS, b);
    }
}

/* BEGIN, with ARGS, begins the loop of START, and NEXT gets its chunks.  */

static void
begin_with (gcall *start, enum built_in_function begin,
	    const std::vector<tree> &args, const std::vector<gcall *> &nexts,
	    enum built_in_function next)
{
  exchange (start, builtin_decl_explicit (begin), args);
  for (gcall *n : nexts)
    exchange (n, builtin_decl_explicit (next), arguments (n));
}

/* The loop takes its schedule from OMP_SCHEDULE, with any libgomp.  */

static void
make_runtime (gcall *start, const std::vector<gcall *> &nexts, bool ull)
{
#if BUILDING_GCC_MAJOR >= 9
  enum built_in_function begin
    = (ull ? BUILT_IN_GOMP_LOOP_ULL_NONMONOTONIC_RUNTIME_START
	   : BUILT_IN_GOMP_LOOP_NONMONOTONIC_RUNTIME_START);
  enum built_in_function next
    = (ull ? BUILT_IN_GOMP_LOOP_ULL_NONMONOTONIC_RUNTIME_NEXT
	   : BUILT_IN_GOMP_LOOP_NONMONOTONIC_RUNTIME_NEXT);
#else
  enum built_in_function begin = (ull ? BUILT_IN_GOMP_LOOP_ULL_RUNTIME_START
				      : BUILT_IN_GOMP_LOOP_RUNTIME_START);
  enum built_in_function next = (ull ? BUILT_IN_GOMP_LOOP_ULL_RUNTIME_NEXT
				     : BUILT_IN_GOMP_LOOP_RUNTIME_NEXT);
#endif
  std::vector<tree> args = arguments (start);
  args.erase (args.begin () + 3 + ull);
  begin_with (start, begin, args, nexts, next);
}

/* libgomp deals the loop, of which it is told TOLD: 0 for one that it is to
   deal as static does, in blocks or CHUNKs, as other OpenMP libraries deal all
   of them.  */

static void
begin_by_libgomp (gcall *start, const std::vector<gcall *> &nexts, bool ull,
		  unsigned told, tree chunk = NULL_TREE)
{
  tree variable = start_variable (start);
  gimple_stmt_iterator g = gsi_for_stmt (start);
  gimple *say = gimple_build_assign (variable,
				     build_int_cstu (TREE_TYPE (variable),
						     told));
  gimple_set_location (say, gimple_location (start));
  gimple_set_block (say, gimple_block (start));
  gsi_insert_before (&g, say, GSI_SAME_STMT);
  std::vector<tree> args = arguments (start);
  tree type = TREE_TYPE (args[3 + ull]);
  args[3 + ull] = chunk ? fold_convert (type, chunk) : build_zero_cst (type);
  begin_with (start, ull ? BUILT_IN_GOMP_LOOP_ULL_STATIC_START
			 : BUILT_IN_GOMP_LOOP_STATIC_START, args,
	      nexts, ull ? BUILT_IN_GOMP_LOOP_ULL_STATIC_NEXT
			 : BUILT_IN_GOMP_LOOP_STATIC_NEXT);
}

/* Arithmetic before a statement.  */

class builder
{
public:
  explicit builder (gimple *s)
    : gsi (gsi_for_stmt (s)), at (gimple_location (s))
  {}
  tree value (tree expression)
  {
    return force_gimple_operand_gsi (&gsi, expression, true, NULL_TREE, true,
				     GSI_SAME_STMT);
  }
  tree op (enum tree_code code, tree a, tree b)
  {
    return value (fold_build2_loc (at, code, TREE_TYPE (a), a, b));
  }
  tree test (enum tree_code code, tree a, tree b)
  {
    return value (fold_build2_loc (at, code, boolean_type_node, a, b));
  }
  tree as (tree type, tree a)
  {
    return value (fold_convert_loc (at, type, a));
  }
  tree choose (tree c, tree a, tree b)
  {
    return value (fold_build3_loc (at, COND_EXPR, TREE_TYPE (a), c, a, b));
  }
  void store (tree variable, tree v)
  {
    gsi_insert_before (&gsi, gimple_build_assign (variable, v), GSI_SAME_STMT);
  }
  tree ask (enum built_in_function f, tree type)
  {
    gcall *call = gimple_build_call (builtin_decl_explicit (f), 0);
    tree n = make_ssa_name (integer_type_node, call);
    gimple_call_set_lhs (call, n);
    gsi_insert_before (&gsi, call, GSI_SAME_STMT);
    return as (type, n);
  }

private:
  gimple_stmt_iterator gsi;
  location_t at;
};

/* Who mentions a variable that chunks' bounds are stored in.  */

struct bound_uses
{
  bound_uses () : others (false) {}
  std::vector<gimple *> loads;
  /* There are others than loads of all of it, and the calls that store it.  */
  bool others;
};

static std::map<tree, bound_uses> bounds;

/* T is an operand of a statement that does not load all of a bound.  */

static void
note_bound (tree t)
{
  if (t && TREE_CODE (t) == ADDR_EXPR)
    t = TREE_OPERAND (t, 0);
  t = t ? get_base_address (t) : NULL_TREE;
  if (t && (is_called (t, ".istart") || is_called (t, ".iend")))
    bounds[t].others = true;
}

/* Find FN's bounds and who mentions them.  */

static void
find_bounds (function *fn)
{
  bounds.clear ();
  for (gimple *s : statements (fn, true))
    {
      tree load = gimple_assign_load_p (s) ? gimple_assign_rhs1 (s) : NULL;
      gphi *p = dyn_cast <gphi *> (s);
      if (load && VAR_P (load))
	bounds[load].loads.push_back (s);
      else if (p)
	for (phi_value v : values_of (p))
	  note_bound (v.value);
      else if (!gimple_clobber_p (s) && !calls (s, "GOMP_loop_", "_start")
	       && !calls (s, "GOMP_loop_", "_next"))
	for (unsigned i = 0; i < gimple_num_ops (s); i++)
	  note_bound (gimple_op (s, i));
    }
}

/* Replace what is loaded from VARIABLE by VALUE.  */

static void
replace_loads (tree variable, tree value)
{
  for (gimple *s : bounds[variable].loads)
    {
      gimple_stmt_iterator g = gsi_for_stmt (s);
      bool same = useless_type_conversion_p (TREE_TYPE (variable),
					     TREE_TYPE (value));
      gimple_assign_set_rhs_with_ops (&g, same ? TREE_CODE (value) : NOP_EXPR,
				      value);
      s = gsi_stmt (g);
      gimple_set_vuse (s, NULL_TREE);
      update_stmt (s);
    }
}

/* The variable that argument I of START says to store in; NULL_TREE if that is
   not all that is done with it.  */

static tree
bound_of (gcall *start, unsigned i)
{
  tree t = gimple_call_arg (start, i);
  t = TREE_CODE (t) == ADDR_EXPR ? TREE_OPERAND (t, 0) : NULL_TREE;
  return t && VAR_P (t) && !bounds[t].others ? t : NULL_TREE;
}

/* The type narrower than TYPE that the iterator has, if the loop counts up from
   FROM to TO in an unsigned one by STEP: only in it is it plain that the
   iterator does not wrap.  Else TYPE.  */

static tree
counted_in (tree type, tree from, tree to, tree step)
{
  tree narrow = NULL_TREE;
  for (tree t : { from, to })
    {
      gimple *s = TREE_CODE (t) == SSA_NAME ? SSA_NAME_DEF_STMT (t) : NULL;
      if (s && gimple_assign_cast_p (s))
	{
	  tree inner = TREE_TYPE (gimple_assign_rhs1 (s));
	  if (!INTEGRAL_TYPE_P (inner) || !TYPE_UNSIGNED (inner)
	      || (narrow && !types_compatible_p (narrow, inner)))
	    return type;
	  narrow = inner;
	}
      else if (s)
	return type;
    }
  return (narrow && TYPE_PRECISION (narrow) >= 32
	  && TYPE_PRECISION (narrow) < TYPE_PRECISION (type)
	  && (TREE_CODE (from) == SSA_NAME || int_fits_type_p (from, narrow))
	  && (TREE_CODE (to) == SSA_NAME || int_fits_type_p (to, narrow))
	  && TREE_CODE (step) == INTEGER_CST && tree_int_cst_sgn (step) > 0
	  ? narrow : type);
}

/* A loop's N iterations, of unsigned type U, from FROM on by STEP; its iterator
   counts in TYPE.  */

struct counted
{
  counted (builder &b, gcall *start, bool ull);
  tree type, u, from, step, n, threads, me;
  /* Iteration I's value, as TO is.  */
  tree value (builder &b, tree i, tree to)
  {
    tree v = b.op (PLUS_EXPR, from, b.op (MULT_EXPR, i, step));
    return b.as (TREE_TYPE (to), b.as (type, v));
  }
};

counted::counted (builder &b, gcall *start, bool ull)
{
  from = gimple_call_arg (start, ull);
  tree to = gimple_call_arg (start, 1 + ull);
  step = gimple_call_arg (start, 2 + ull);
  type = (ull ? long_long_unsigned_type_node
	  : counted_in (long_integer_type_node, from, to, step));
  u = unsigned_type_for (type);
  from = b.as (type, from);
  to = b.as (type, to);
  step = b.as (u, step);
  tree up = (ull ? b.as (boolean_type_node, gimple_call_arg (start, 0))
	     : b.test (GT_EXPR, b.as (type, step), build_zero_cst (type)));
  tree low = b.choose (up, from, to), high = b.choose (up, to, from);
  tree any = b.test (LT_EXPR, low, high);
  tree length = b.op (MINUS_EXPR, b.as (u, high), b.as (u, low));
  tree size = b.choose (up, step, b.value (fold_build1 (NEGATE_EXPR, u, step)));
  tree one = build_one_cst (u);
  n = length;
  if (!integer_onep (size))
    n = b.op (PLUS_EXPR, b.op (TRUNC_DIV_EXPR, b.op (MINUS_EXPR, length, one),
			       size), one);
  n = b.choose (any, n, build_zero_cst (u));
  from = b.as (u, from);
  threads = b.ask (BUILT_IN_OMP_GET_NUM_THREADS, u);
  me = b.ask (BUILT_IN_OMP_GET_THREAD_NUM, u);
}

/* Remove S, a call, as if it returned RUN.  */

static void
return_value (gcall *s, tree run)
{
  if (tree lhs = gimple_call_lhs (s))
    {
      gimple_call_set_lhs (s, NULL_TREE);
      gimple_stmt_iterator g = gsi_for_stmt (s);
      gassign *a
	= gimple_build_assign (lhs, (useless_type_conversion_p (TREE_TYPE (lhs),
								TREE_TYPE (run))
				     ? TREE_CODE (run) : NOP_EXPR), run);
      gsi_insert_before (&g, a, GSI_SAME_STMT);
    }
  remove_statement (s);
}

/* The thread's block is computed where the loop begins, and there is no other
   chunk.  */

static void
compute_block (gcall *start, gcall *next, bool ull)
{
  builder b (start);
  tree is = bound_of (start, 4 + ull), ie = bound_of (start, 5 + ull);
  counted c (b, start, ull);
  tree q = b.op (TRUNC_DIV_EXPR, c.n, c.threads);
  tree rest = b.op (TRUNC_MOD_EXPR, c.n, c.threads);
  tree first = b.op (PLUS_EXPR, b.op (MULT_EXPR, q, c.me),
		     b.op (MIN_EXPR, c.me, rest));
  tree last = b.op (PLUS_EXPR, b.op (PLUS_EXPR, first, q),
		    b.as (c.u, b.test (LT_EXPR, c.me, rest)));
  tree run = b.test (LT_EXPR, first, last);
  replace_loads (is, c.value (b, first, is));
  replace_loads (ie, c.value (b, last, ie));
  return_value (start, run);
  remove_call (next);
}

/* The thread's chunks of SIZE iterations are computed, each where it begins.  A
   variable, which becomes a register, has its first iteration.  */

static void
compute_chunks (gcall *start, gcall *next, bool ull, tree size)
{
  builder b (start), d (next);
  tree is = bound_of (start, 4 + ull), ie = bound_of (start, 5 + ull);
  counted c (b, start, ull);
  tree first = create_tmp_var (c.u, "chunk");
  TREE_ADDRESSABLE (first) = 1;
  size = fold_convert (c.u, size);
  auto begin = [&] (builder &at, gcall *s, tree from)
    {
      tree run = at.test (LT_EXPR, from, c.n);
      tree rest = at.op (MINUS_EXPR, c.n, from);
      tree end = at.op (PLUS_EXPR, from, at.op (MIN_EXPR, rest, size));
      at.store (first, from);
      at.store (is, c.value (at, from, is));
      at.store (ie, c.value (at, end, ie));
      return_value (s, run);
    };
  tree by = b.op (MULT_EXPR, c.threads, size);
  begin (b, start, b.op (MULT_EXPR, c.me, size));
  begin (d, next, d.op (PLUS_EXPR, d.value (first), by));
}

/* Have libgomp know behind S, where threads have gone on without a barrier.  */

static void
note_after (gcall *s, int which, location_t at)
{
  gimple_stmt_iterator g = gsi_for_stmt (s);
  gsi_insert_after (&g, hint (which, at), GSI_SAME_STMT);
}

/* The calls ENDS of a loop that had nowait say so again, and libgomp waits
   there where it must.  False if a call has another form.  */

static bool
end_nowait (const std::vector<gcall *> &ends)
{
  for (gcall *s : ends)
    if (calls (s, "GOMP_loop_end_cancel"))
      return false;
  for (gcall *s : ends)
    exchange (s, builtin_decl_explicit (BUILT_IN_GOMP_LOOP_END_NOWAIT),
	      arguments (s));
  return true;
}

/* What ends the loop becomes what ends a static one, whose BLOCK is computed,
   or which libgomp deals.  */

static void
end_static (gcall *s, const candidate &c, bool block)
{
  bool nowait = c.loose ();
  if (nowait)
    note_after (s, GOMP_AMP_HINT_STATIC, c.at);
  if (!block && !nowait)
    return;
  if (!block)
    {
      tree end = builtin_decl_explicit (BUILT_IN_GOMP_LOOP_END_NOWAIT);
      gimple_stmt_iterator g = gsi_for_stmt (s);
      gsi_insert_before (&g, gimple_build_call (end, 0), GSI_SAME_STMT);
    }
  else if (!calls (s, "GOMP_loop_end_nowait") && !nowait)
    {
      exchange (s, builtin_decl_explicit (calls (s, "GOMP_loop_end_cancel")
					  ? BUILT_IN_GOMP_BARRIER_CANCEL
					  : BUILT_IN_GOMP_BARRIER),
		arguments (s));
      return;
    }
  remove_call (s);
}

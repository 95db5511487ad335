/* SPDX-License-Identifier: GPL-3.0-or-later

   What `for' goes through in code.  Debug statements and virtual operands are
   never met.  */

/* From FIRST on, which knows where it ends.  */

template <typename P> struct from_here
{
  P first;
  P begin () const { return first; }
  P end () const { return first; }
};

struct statement_place
{
  gimple_stmt_iterator g;
  gimple *operator* () const { return gsi_stmt (g); }
  void operator++ ()
  {
    gsi_next_nondebug (&g);
  }
  bool operator!= (const statement_place &) const { return !gsi_end_p (g); }
};

static inline from_here<statement_place>
statements (basic_block b)
{
  return { { gsi_start_nondebug_bb (b) } };
}

static std::vector<gphi *>
phis (basic_block b)
{
  std::vector<gphi *> all;
  for (gphi_iterator g = gsi_start_phis (b); !gsi_end_p (g); gsi_next (&g))
    if (!virtual_operand_p (gimple_phi_result (g.phi ())))
      all.push_back (g.phi ());
  return all;
}

/* A value that a PHI gets, and the edge that it comes by.  */

struct phi_value
{
  tree value;
  edge from;
};

static std::vector<phi_value>
values_of (gphi *p)
{
  std::vector<phi_value> all;
  for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
    all.push_back ({ gimple_phi_arg_def (p, i), gimple_phi_arg_edge (p, i) });
  return all;
}

struct use_place
{
  const ssa_use_operand_t *head, *u;
  gimple *operator* () const { return USE_STMT (u); }
  void operator++ ()
  {
    do
      u = u->next;
    while (u != head && is_gimple_debug (USE_STMT (u)));
  }
  bool operator!= (const use_place &) const { return u != head; }
};

/* The statements that use NAME.  */

static inline from_here<use_place>
uses (tree name)
{
  use_place p = { &SSA_NAME_IMM_USE_NODE (name),
		  &SSA_NAME_IMM_USE_NODE (name) };
  ++p;
  return { p };
}

/* What lies side by side, FIRST to before LAST.  */

template <typename T> struct row
{
  T *first, *last;
  T *begin () const { return first; }
  T *end () const { return last; }
};

static inline row<edge>
edges (vec<edge, va_gc> *v)
{
  edge *first = v ? v->address () : NULL;
  return { first, first + vec_safe_length (v) };
}

/* FN's blocks, in an order in which most come behind their predecessors.  */

static std::vector<basic_block>
in_order (function *fn)
{
  std::vector<int> order (n_basic_blocks_for_fn (fn));
  order.resize (pre_and_rev_post_order_compute_fn (fn, NULL, order.data (),
						   false));
  std::vector<basic_block> blocks;
  for (int i : order)
    blocks.push_back (BASIC_BLOCK_FOR_FN (fn, i));
  return blocks;
}

/* Which of FN's blocks, by index, a way leads from to its end; ORDER is all of
   them.  */

static std::vector<bool>
returning (function *fn, const std::vector<basic_block> &order)
{
  std::vector<bool> returns (last_basic_block_for_fn (fn), false);
  for (bool changed = true; changed; )
    {
      changed = false;
      for (unsigned i = order.size (); i-- > 0; )
	for (edge e : edges (order[i]->succs))
	  if (!returns[order[i]->index]
	      && (e->dest->index == EXIT_BLOCK || returns[e->dest->index]))
	    changed = returns[order[i]->index] = true;
    }
  return returns;
}

/* Append loop L's blocks to TO in the order of the code; ORDER is all.  */

static void
append_blocks (class loop *l, const std::vector<basic_block> &order,
	std::vector<basic_block> &to)
{
  for (basic_block b : order)
    if (b->loop_father == l)
      to.push_back (b);
    else if (b->loop_father->header == b && loop_outer (b->loop_father) == l)
      append_blocks (b->loop_father, order, to);
}

/* L's blocks.  */

static std::vector<basic_block>
blocks_of (class loop *l)
{
  basic_block *body = get_loop_body (l);
  std::vector<basic_block> blocks (body, body + l->num_nodes);
  free (body);
  return blocks;
}

/* FN's blocks.  */

static std::vector<basic_block>
blocks_of (function *fn)
{
  std::vector<basic_block> blocks;
  basic_block b;
  FOR_EACH_BB_FN (b, fn)
    blocks.push_back (b);
  return blocks;
}

/* The statements in BLOCKS, with PHIS what those have, too; in FN.  */

static std::vector<gimple *>
statements (const std::vector<basic_block> &blocks, bool with_phis = false)
{
  std::vector<gimple *> all;
  for (basic_block b : blocks)
    {
      if (with_phis)
	for (gphi *p : phis (b))
	  all.push_back (p);
      for (gimple *s : statements (b))
	all.push_back (s);
    }
  return all;
}

static std::vector<gimple *>
statements (function *fn, bool with_phis = false)
{
  return statements (blocks_of (fn), with_phis);
}

/* The file's functions that can be looked at.  */

static std::vector<function *>
functions ()
{
  std::vector<function *> all;
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    {
      function *fn = DECL_STRUCT_FUNCTION (node->decl);
      if (fn && fn->cfg && gimple_in_ssa_p (fn))
	all.push_back (fn);
    }
  return all;
}

/* What is still to be looked at, each once.  */

template <typename T> struct worklist
{
  std::vector<T> work;
  std::set<T> seen;
  bool add (T t)
  {
    bool fresh = seen.insert (t).second;
    if (fresh)
      work.push_back (t);
    return fresh;
  }
  bool next (T *t)
  {
    if (work.empty ())
      return false;
    *t = work.back ();
    work.pop_back ();
    return true;
  }
};

static inline bool
is_name (tree t)
{
  return t && TREE_CODE (t) == SSA_NAME;
}

/* The statement that sets NAME; NULL for what is no name.  */

static inline gimple *
set_by (tree name)
{
  return is_name (name) ? SSA_NAME_DEF_STMT (name) : NULL;
}

/* What S, a PHI or not, sets.  */

static inline tree
result_of (gimple *s)
{
  return (gimple_code (s) == GIMPLE_PHI ? gimple_phi_result (s)
	  : gimple_get_lhs (s));
}

/* The register that S sets.  */

static inline tree
name_set_by (gimple *s)
{
  tree lhs = result_of (s);
  return is_name (lhs) ? lhs : NULL_TREE;
}

/* The function that S calls; NULL_TREE if it calls none that is known.  */

static inline tree
callee (gimple *s)
{
  return s && is_gimple_call (s) ? gimple_call_fndecl (s) : NULL_TREE;
}

/* True if FN may come back to where it has been, by longjmp.  */

static bool
returns_twice (function *fn)
{
  if (fn->calls_setjmp || fn->has_nonlocal_label)
    return true;
  for (gimple *s : statements (fn))
    if (is_gimple_call (s)
	&& ((gimple_call_flags (s) & ECF_RETURNS_TWICE)
	    || gimple_call_builtin_p (s, BUILT_IN_SETJMP_SETUP)))
      return true;
  return false;
}

/* What call S hands over; nothing for other statements.  */

static std::vector<tree>
arguments (gimple *s)
{
  std::vector<tree> all;
  for (unsigned i = 0; is_gimple_call (s) && i < gimple_call_num_args (s); i++)
    all.push_back (gimple_call_arg (s, i));
  if (is_gimple_call (s) && gimple_call_chain (s))
    all.push_back (gimple_call_chain (s));
  return all;
}

/* The names that S, a PHI or not, uses.  */

static std::vector<tree>
names_used (gimple *s)
{
  std::vector<tree> names;
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_PHI_OR_STMT_USE (use, s, it, SSA_OP_USE)
    if (is_name (USE_FROM_PTR (use)))
      names.push_back (USE_FROM_PTR (use));
  return names;
}

/* The type that S's callee says its pointer argument I has.  */

static tree
formal_of (gimple *s, unsigned i)
{
  tree fd = gimple_call_fndecl (s);
  tree type = fd ? TREE_TYPE (fd) : gimple_call_fntype (s);
  tree parm = type ? TYPE_ARG_TYPES (type) : NULL_TREE;
  for (; parm && i > 0; i--)
    parm = TREE_CHAIN (parm);
  return (parm && POINTER_TYPE_P (TREE_VALUE (parm)) ? TREE_VALUE (parm)
	  : NULL_TREE);
}

static inline gimple *
last_of (basic_block b)
{
  return gsi_stmt (gsi_last_nondebug_bb (b));
}

/* The condition that B ends with, if it does.  */

static inline gcond *
test_of (basic_block b)
{
  gimple *s = last_of (b);
  return s ? dyn_cast <gcond *> (s) : NULL;
}

/* The names that B's end asks for to choose its way.  */

static std::vector<tree>
asked_at (basic_block b)
{
  gimple *s = last_of (b);
  return (s && (gimple_code (s) == GIMPLE_COND
		|| gimple_code (s) == GIMPLE_SWITCH)
	  ? names_used (s) : std::vector<tree> ());
}

static inline tree_code
code_of (gimple *s)
{
  return s && is_gimple_assign (s) ? gimple_assign_rhs_code (s) : ERROR_MARK;
}

/* True if T is a pointer that leads somewhere.  */

static inline bool
leads (tree t)
{
  return POINTER_TYPE_P (TREE_TYPE (t)) && TREE_CODE (t) != INTEGER_CST;
}

/* True if P's values are not one.  */

static inline bool
differs (gphi *p)
{
  for (phi_value v : values_of (p))
    if (!operand_equal_p (v.value, gimple_phi_arg_def (p, 0), 0))
      return true;
  return false;
}

/* The bit of argument or parameter I in a mask: those from
   the 32nd on share one.  */

static inline unsigned
bit_of (unsigned i)
{
  return 1u << MIN (i, 31u);
}

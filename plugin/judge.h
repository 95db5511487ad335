/* The loops that are judged, and what is found out about them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A candidate is begun by GOMP_loop_*_start with a chunk that no program has,
   which tells it apart.  What omp-expand makes of it are two nested loops: the
   outer one runs once a chunk, the inner one once an iteration; what is carried
   from an iteration to another is carried around the outer one.  */

#ifndef GOMP_AMP_JUDGE_H
#define GOMP_AMP_JUDGE_H 1

namespace amp
{

enum rule { R_NONE, R_REGISTERS, R_MEMORY, R_IDENTITY, R_WAITS, R_BESIDE,
	    R_SUM, R_FORM, R_RULES };

/* How a value is made of the loop's iterator.  */
enum { I_FINE = 1, I_DIV = 2, I_MOD = 4, I_END = 8, I_DATA = 16 };

struct finding
{
  enum rule rule;
  location_t at, other;
  tree what;
  const char *how;
};

/* One candidate's code in one function.  */

class judged_loop
{
public:
  judged_loop (flow &f, accesses &a, gcall *start);
  flow &model;
  accesses &acc;
  int id;
  bool ull;
  gcall *start;
  /* The calls for another chunk.  */
  std::vector<gcall *> nexts;
  class loop *chunks;
  std::vector<basic_block> blocks;
  finding found;
  /* Iterations of a thread must ascend.  */
  bool ascending;
  /* Adds up floating-point numbers; adds to what is used later, by thread.  */
  bool sums, accumulates;
  /* ... which callers may use.  */
  bool for_callers;
  /* The names of what is summed up by number; NULL_TREE for other memory.  */
  std::set<tree> summed;
  unsigned unknown_calls;
  /* A statement of the loop that uses what another loop left in a register.  */
  gimple *left;

  bool in (basic_block b) const
  {
    return (b->loop_father == chunks
	    || flow_loop_nested_p (chunks, b->loop_father));
  }
  unsigned made_of_iterator (tree t) const
  {
    return (TREE_CODE (t) == SSA_NAME
	    ? iterator[SSA_NAME_VERSION (t)] : 0);
  }
  unsigned address_iterator (tree ref);
  /* True if what the loop leaves is written anew before access I behind it.  */
  bool killed_behind (unsigned i);
  bool iterates (class loop *l);
  /* Blocks that may run after the loop.  */
  std::vector<bool> behind;
  bool turns (class loop *l);
  /* Names of values that only one operation makes.  */
  std::set<tree> closed;
  void fail (enum rule r, const char *how, gimple *s, tree what = NULL_TREE,
	     gimple *other = NULL);
  void judge (const std::vector<judged_loop *> &others);

private:
  std::vector<bool> killed;
  std::vector<unsigned> iterator;
  std::map<int, unsigned> iterator_memory;
  void find_iterator ();
  friend class registers;
  friend class own_memory;
};

/* The one of LOOPS that B is part of.  */

static judged_loop *
loop_at (const std::vector<judged_loop *> &loops, basic_block b)
{
  for (judged_loop *l : loops)
    if (l->chunks && l->in (b))
      return l;
  return NULL;
}

/* The values that B sets in registers.  */

static std::vector<tree>
values_set_in (basic_block b)
{
  std::vector<tree> defs;
  for (gphi_iterator p = gsi_start_phis (b); !gsi_end_p (p); gsi_next (&p))
    if (!virtual_operand_p (gimple_phi_result (p.phi ())))
      defs.push_back (gimple_phi_result (p.phi ()));
  for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g); gsi_next (&g))
    {
      ssa_op_iter it;
      tree d;
      FOR_EACH_SSA_TREE_OPERAND (d, gsi_stmt (g), it, SSA_OP_DEF)
	defs.push_back (d);
    }
  return defs;
}

/* The name of what T is, for people.  */

static tree
user_variable (tree t)
{
  if (t && TREE_CODE (t) == SSA_NAME)
    {
      tree v = SSA_NAME_VAR (t);
      if (!v && is_gimple_assign (SSA_NAME_DEF_STMT (t)))
	{
	  tree r = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (t));
	  if (TREE_CODE (r) == SSA_NAME)
	    v = SSA_NAME_VAR (r);
	  else if (TREE_CODE (r) == ADDR_EXPR
		   || gimple_assign_load_p (SSA_NAME_DEF_STMT (t)))
	    v = get_base_address (TREE_CODE (r) == ADDR_EXPR
				  ? TREE_OPERAND (r, 0) : r);
	}
      t = v;
    }
  return t && DECL_P (t) ? t : NULL_TREE;
}

/* Where the program has S, as far as that is known.  */

static location_t
place_of (gimple *s)
{
  gphi *p = s ? dyn_cast <gphi *> (s) : NULL;
  location_t at = s ? gimple_location (s) : UNKNOWN_LOCATION;
  for (unsigned i = 0; p && i < gimple_phi_num_args (p); i++)
    {
      tree a = gimple_phi_arg_def (p, i);
      if (LOCATION_LOCUS (at) == UNKNOWN_LOCATION)
	at = gimple_phi_arg_location (p, i);
      if (LOCATION_LOCUS (at) == UNKNOWN_LOCATION && TREE_CODE (a) == SSA_NAME)
	at = gimple_location (SSA_NAME_DEF_STMT (a));
    }
  return at;
}

void
judged_loop::fail (enum rule r, const char *how, gimple *s, tree what,
		   gimple *other)
{
  if (found.rule != R_NONE)
    return;
  found.rule = r;
  found.how = how;
  found.at = place_of (s);
  found.other = place_of (other);
  found.what = user_variable (what);
}

static bool
is_bound_variable (tree t, const char *name)
{
  return (VAR_P (t) && DECL_NAME (t)
	  && !strncmp (IDENTIFIER_POINTER (DECL_NAME (t)), name,
		       strlen (name)));
}

unsigned
judged_loop::address_iterator (tree ref)
{
  unsigned n = 0;
  each_index (ref, [&] (tree t)
    {
      n |= made_of_iterator (t);
    });
  return n;
}

/* What the values in the loop are made of.  */

void
judged_loop::find_iterator ()
{
  iterator.assign (SSANAMES (model.fn)->length (), 0u);
  bool changed = true;
  while (changed)
    {
      changed = false;
      for (basic_block b : blocks)
	{
	  for (gphi_iterator p = gsi_start_phis (b); !gsi_end_p (p);
	       gsi_next (&p))
	    {
	      unsigned n = 0;
	      tree res = gimple_phi_result (p.phi ());
	      if (virtual_operand_p (res))
		continue;
	      for (unsigned i = 0; i < gimple_phi_num_args (p.phi ()); i++)
		n |= made_of_iterator (gimple_phi_arg_def (p.phi (), i));
	      unsigned &v = iterator[SSA_NAME_VERSION (res)];
	      changed |= (v | n) != v;
	      v |= n;
	    }
	  for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g);
	       gsi_next (&g))
	    {
	      gimple *s = gsi_stmt (g);
	      tree lhs = gimple_get_lhs (s);
	      if (!lhs || is_gimple_debug (s))
		continue;
	      unsigned n = 0;
	      if (gimple_assign_load_p (s))
		{
		  tree r = gimple_assign_rhs1 (s);
		  if (is_bound_variable (r, ".istart"))
		    n = I_FINE;
		  else if (is_bound_variable (r, ".iend"))
		    n = I_END;
		  else
		    {
		      if (address_iterator (r))
			n = I_DATA;
		      int c = model.class_of (r);
		      if (model.flags (c) & C_OWN)
			n |= iterator_memory[model.find (c)];
		    }
		}
	      else
		for (unsigned i = 1; i < gimple_num_ops (s); i++)
		  {
		    tree op = gimple_op (s, i);
		    if (op && TREE_CODE (op) == SSA_NAME)
		      n |= made_of_iterator (op);
		    else if (op && TREE_CODE (op) == ADDR_EXPR)
		      n |= address_iterator (TREE_OPERAND (op, 0));
		  }
	      if (is_gimple_assign (s))
		switch (gimple_assign_rhs_code (s))
		  {
		  case TRUNC_DIV_EXPR: case FLOOR_DIV_EXPR: case RSHIFT_EXPR:
		  case CEIL_DIV_EXPR: case ROUND_DIV_EXPR:
		    n = (n & ~I_DATA) ? (unsigned) I_DIV : n;
		    break;
		  case TRUNC_MOD_EXPR: case FLOOR_MOD_EXPR: case BIT_AND_EXPR:
		    n = (n & ~I_DATA) ? (unsigned) I_MOD : n;
		    break;
		  default:
		    break;
		  }
	      /* Each iteration finds another.  */
	      if (is_gimple_call (s) && is_atomic (as_a <gcall *> (s)))
		n |= I_DATA;
	      if (!n)
		continue;
	      if (TREE_CODE (lhs) == SSA_NAME)
		{
		  unsigned &v = iterator[SSA_NAME_VERSION (lhs)];
		  changed |= (v | n) != v;
		  v |= n;
		}
	      else if (model.flags (model.class_of (lhs)) & C_OWN)
		{
		  unsigned &v
		    = iterator_memory[model.find (model.class_of (lhs))];
		  changed |= (v | n) != v;
		  v |= n;
		}
	    }
	}
    }
}

bool
judged_loop::killed_behind (unsigned i)
{
  /* So much work for all loops of a function.  */
  static function *of;
  static unsigned work;
  if (of != model.fn)
    work = 0;
  of = model.fn;
  if (killed.empty ())
    {
      std::vector<basic_block> region;
      basic_block first = NULL;
      int *order = XNEWVEC (int, n_basic_blocks_for_fn (model.fn));
      int n = pre_and_rev_post_order_compute_fn (model.fn, NULL, order, false);
      work += n;
      for (int k = 0; k < n && work < 100000; k++)
	{
	  basic_block b = BASIC_BLOCK_FOR_FN (model.fn, order[k]);
	  if (!behind[b->index] || in (b))
	    continue;
	  if (!first)
	    first = b;
	  region.push_back (b);
	}
      XDELETEVEC (order);
      std::vector<access> kept (acc.all);
      if (first)
	acc.cover (region, first);
      killed.assign (acc.all.size (), false);
      for (basic_block b : region)
	for (unsigned k = acc.of_block[b->index].first;
	     k < acc.of_block[b->index].second; k++)
	  killed[k] = acc.all[k].covered;
      for (unsigned k = 0; k < kept.size (); k++)
	{
	  acc.all[k].covered = kept[k].covered;
	  acc.all[k].where = kept[k].where;
	}
    }
  return i < killed.size () && killed[i];
}

/* True if L, in the loop over chunks, is the loop over iterations.  */

bool
judged_loop::iterates (class loop *l)
{
  for (basic_block b : blocks)
    {
      gimple *last = gsi_stmt (gsi_last_nondebug_bb (b));
      gcond *c = last ? dyn_cast <gcond *> (last) : NULL;
      if (c && (b->loop_father == l || b->loop_father == chunks)
	  && ((made_of_iterator (gimple_cond_lhs (c))
	       | made_of_iterator (gimple_cond_rhs (c))) & I_END))
	{
	  edge e;
	  edge_iterator ei;
	  FOR_EACH_EDGE (e, ei, b->succs)
	    if (e->dest == l->header || b->loop_father == l)
	      return loop_outer (l) == chunks;
	}
    }
  return false;
}

/* True if L, the loop over iterations, may come back to its head with the same
   iterator: then another loop has the same head.  */

bool
judged_loop::turns (class loop *l)
{
  for (gphi_iterator p = gsi_start_phis (l->header); !gsi_end_p (p);
       gsi_next (&p))
    {
      tree res = gimple_phi_result (p.phi ());
      if (virtual_operand_p (res) || !(made_of_iterator (res) & I_FINE))
	continue;
      std::vector<gphi *> work (1, p.phi ());
      std::set<gphi *> seen;
      while (!work.empty ())
	{
	  gphi *q = work.back ();
	  work.pop_back ();
	  if (!seen.insert (q).second)
	    continue;
	  for (unsigned i = 0; i < gimple_phi_num_args (q); i++)
	    {
	      tree a = gimple_phi_arg_def (q, i);
	      if (a == res)
		return true;
	      gphi *r = (TREE_CODE (a) == SSA_NAME
			 ? dyn_cast <gphi *> (SSA_NAME_DEF_STMT (a)) : NULL);
	      if (r && in (gimple_bb (r)))
		work.push_back (r);
	    }
	}
    }
  return false;
}

/* Where the call S stores the beginning of a chunk.  */

static tree
start_variable (gcall *s)
{
  for (unsigned i = 0; i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i);
      if (TREE_CODE (a) == ADDR_EXPR
	  && is_bound_variable (TREE_OPERAND (a, 0), ".istart"))
	return TREE_OPERAND (a, 0);
    }
  return NULL_TREE;
}

static bool
calls (gimple *s, const char *begin, const char *end)
{
  tree fd = is_gimple_call (s) ? gimple_call_fndecl (s) : NULL_TREE;
  if (!fd)
    return false;
  const char *n = amp_name (fd);
  size_t len = strlen (n), e = strlen (end);
  return (!strncmp (n, begin, strlen (begin)) && len >= e
	  && !strcmp (n + len - e, end));
}

judged_loop::judged_loop (flow &f, accesses &a, gcall *s)
  : model (f), acc (a), id (0), ull (calls (s, "GOMP_loop_ull_", "_start")),
    start (s), chunks (NULL), ascending (false), sums (false),
    accumulates (false), for_callers (false),
    unknown_calls (0), left (NULL)
{
  found.rule = R_NONE;
  found.at = found.other = UNKNOWN_LOCATION;
  found.what = NULL_TREE;
  found.how = "";
  tree v = start_variable (s);
  basic_block b;
  FOR_EACH_BB_FN (b, f.fn)
    for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g);
	 gsi_next (&g))
      if (calls (gsi_stmt (g), "GOMP_loop_", "_dynamic_next")
	  && start_variable (as_a <gcall *> (gsi_stmt (g))) == v)
	nexts.push_back (as_a <gcall *> (gsi_stmt (g)));
  if (nexts.size () != 1)
    return;
  chunks = gimple_bb (nexts[0])->loop_father;
  if (!chunks || loop_depth (chunks) == 0
      || !dominated_by_p (CDI_DOMINATORS, chunks->header, gimple_bb (start))
      || in (gimple_bb (start)))
    {
      chunks = NULL;
      return;
    }
  int *order = XNEWVEC (int, n_basic_blocks_for_fn (f.fn));
  int n = pre_and_rev_post_order_compute_fn (f.fn, NULL, order, false);
  for (int i = 0; i < n; i++)
    if (in (BASIC_BLOCK_FOR_FN (f.fn, order[i])))
      blocks.push_back (BASIC_BLOCK_FOR_FN (f.fn, order[i]));
  XDELETEVEC (order);
  find_iterator ();
  behind.assign (last_basic_block_for_fn (f.fn), false);
  std::vector<basic_block> work (1, gimple_bb (nexts[0]));
  while (!work.empty ())
    {
      b = work.back ();
      work.pop_back ();
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, b->succs)
	if (!in (e->dest) && !behind[e->dest->index])
	  {
	    behind[e->dest->index] = true;
	    work.push_back (e->dest);
	  }
    }
}

} // namespace amp

#endif

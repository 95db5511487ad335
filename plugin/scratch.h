/* SPDX-License-Identifier: GPL-3.0-or-later

   Thread-local variables that are scratch: no other file sees them, nothing has
   their address, and each load gets what its own iteration has stored or, out
   of loops that a team shares, its own call of the function.  They are judged
   as if they were variables of the function that uses them.  */

class scratch_variables
{
public:
  /* Look at the whole file.  */
  void find ();
  bool has (tree v) const { return found.count (v) != 0; }

private:
  typedef std::set<gimple *> statement_set;
  std::set<tree> found;
  /* What one function does.  */
  std::map<tree, statement_set> loads, stores;
  /* Its loops over chunks, and whether code of the file may run while it
     does.  */
  std::set<class loop *> chunks;
  bool calls_others;

  static bool is_candidate (tree v);
  static bool visit_load (gimple *s, tree v, tree, void *self);
  static bool visit_store (gimple *s, tree v, tree ref, void *self);
  static bool visit_address (gimple *, tree v, tree, void *self);
  void look_at (function *fn);
  bool gets_own (gimple *load, const statement_set &by) const;
};

static scratch_variables scratch_of_threads;

static bool
is_scratch (tree base)
{
  return scratch_of_threads.has (base);
}

bool
scratch_variables::is_candidate (tree v)
{
  return (v && VAR_P (v) && DECL_THREAD_LOCAL_P (v) && !TREE_PUBLIC (v)
	  && !DECL_EXTERNAL (v) && !TREE_THIS_VOLATILE (v)
	  && is_gimple_reg_type (TREE_TYPE (v)));
}

bool
scratch_variables::visit_load (gimple *s, tree v, tree, void *self)
{
  if (is_candidate (v))
    static_cast <scratch_variables *> (self)->loads[v].insert (s);
  return false;
}

bool
scratch_variables::visit_store (gimple *s, tree v, tree ref, void *self)
{
  if (is_candidate (v) && ref == v)
    static_cast <scratch_variables *> (self)->stores[v].insert (s);
  return false;
}

bool
scratch_variables::visit_address (gimple *, tree v, tree, void *self)
{
  static_cast <scratch_variables *> (self)->found.erase (v);
  return false;
}

/* True if on each way to LOAD, from where the iteration or the call begins, one
   of the stores BY comes last.  */

bool
scratch_variables::gets_own (gimple *load, const statement_set &by) const
{
  class loop *in = gimple_bb (load)->loop_father;
  while (loop_outer (in) && !chunks.count (in))
    in = loop_outer (in);
  if (!chunks.count (in) && (calls_others || !chunks.empty ()))
    return false;
  worklist<basic_block> todo;
  gimple_stmt_iterator g = gsi_for_stmt (load);
  gsi_prev (&g);
  for (basic_block b = gimple_bb (load); ; g = gsi_last_bb (b))
    {
      while (!gsi_end_p (g) && !by.count (gsi_stmt (g)))
	gsi_prev (&g);
      if (gsi_end_p (g))
	{
	  if (b == in->header || b->index < NUM_FIXED_BLOCKS)
	    return false;
	  for (edge e : edges (b->preds))
	    todo.add (e->src);
	}
      if (!todo.next (&b))
	return true;
    }
}

void
scratch_variables::look_at (function *fn)
{
  loads.clear ();
  stores.clear ();
  for (gimple *s : statements (fn, true))
    walk_stmt_load_store_addr_ops (s, this, visit_load, visit_store,
				   visit_address);
  if (loads.empty ())
    return;
  in_function analyses (fn);
  chunks.clear ();
  calls_others = false;
  for (gimple *s : statements (fn))
    {
      if (calls (s, "GOMP_", "_next"))
	chunks.insert (gimple_bb (s)->loop_father);
      calls_others |= (is_gimple_call (s) && !gimple_call_internal_p (s)
		       && !amp_known_function (callee (s)));
    }
  for (const std::pair<const tree, statement_set> &l : loads)
    for (gimple *s : l.second)
      if (!gets_own (s, stores[l.first]))
	found.erase (l.first);
}

void
scratch_variables::find ()
{
  varpool_node *v;
  found.clear ();
  FOR_EACH_VARIABLE (v)
    if (is_candidate (v->decl))
      found.insert (v->decl);
  if (found.empty ())
    return;
  for (function *fn : functions ())
    look_at (fn);
}

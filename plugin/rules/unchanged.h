/* Registers that all iterations set alike, or leave alone.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a PHI at the head of the loop over chunks carries is *old* in an
   iteration until that sets it.  Each value that is read must be old in all
   iterations and turns of loops in them, or in none: what decides on the way
   to it is the same at all times.
   And if it is old, so must be what the iteration leaves.  Then all read what
   was there before the loop, or what they have set.  */

class unchanged
{
public:
  unchanged (judged_loop &l, uniform &u, gphi *p);
  bool good;

private:
  judged_loop &loop;
  uniform &all;
  /* What is old, or may be, in some iteration.  */
  std::set<tree> names;
  /* True if T is what an iteration begins with.  */
  bool begins (tree t)
  {
    return loop.begins (gimple_bb (SSA_NAME_DEF_STMT (t)));
  }
  bool gets_new (tree from, tree stop);
  bool read (tree n);
  bool decides (basic_block b, gphi *q, const std::set<basic_block> &between);
  bool same_way (gphi *q);
  bool alike (tree n);
};

/* True if FROM may be what the iteration has set, on a way through PHIs that
   does not pass STOP.  */

bool
unchanged::gets_new (tree from, tree stop)
{
  worklist<tree> todo;
  todo.add (from);
  for (tree n; todo.next (&n); )
    if (!names.count (n))
      return true;
    else if (n != stop && !begins (n))
      for (phi_value v : values_of (as_a <gphi *> (SSA_NAME_DEF_STMT (n))))
	todo.add (v.value);
  return false;
}

/* True if N is read, not only handed on.  */

bool
unchanged::read (tree n)
{
  for (gimple *s : uses (n))
    if (gimple_code (s) != GIMPLE_PHI && !is_gimple_debug (s))
      return true;
  return false;
}

/* True if the way from B, by blocks BETWEEN, decides if Q gets what is old or
   what is new.  */

bool
unchanged::decides (basic_block b, gphi *q,
		    const std::set<basic_block> &between)
{
  worklist<basic_block> todo;
  std::set<tree> got;
  todo.add (b);
  while (todo.next (&b))
    for (edge e : edges (b->succs))
      if (e->dest == gimple_bb (q))
	got.insert (PHI_ARG_DEF_FROM_EDGE (q, e));
      else if (between.count (e->dest))
	todo.add (e->dest);
  bool old = false, fresh = false;
  for (tree t : got)
    {
      old |= names.count (t) != 0;
      fresh |= gets_new (t, NULL_TREE);
    }
  return got.size () > 1 && old && fresh;
}

/* True if all iterations that come to Q get what is old there, or none.  */

bool
unchanged::same_way (gphi *q)
{
  basic_block top = get_immediate_dominator (CDI_DOMINATORS, gimple_bb (q));
  worklist<basic_block> todo;
  for (edge e : edges (gimple_bb (q)->preds))
    todo.add (e->src);
  for (basic_block b; todo.next (&b); )
    for (edge e : edges (b->preds))
      if (b != top)
	todo.add (e->src);
  for (basic_block b : todo.seen)
    if (all.ways_differ (b) && decides (b, q, todo.seen))
      return false;
  return true;
}

/* True if N is old in all iterations, or in none.  */

bool
unchanged::alike (tree n)
{
  worklist<tree> todo;
  todo.add (n);
  for (tree t; todo.next (&t); )
    {
      if (!names.count (t) || begins (t) || !gets_new (t, NULL_TREE))
	continue;
      gphi *q = as_a <gphi *> (SSA_NAME_DEF_STMT (t));
      class loop *l = gimple_bb (q)->loop_father;
      bool turns = gimple_bb (q) == l->header;
      if (!turns && !same_way (q))
	return false;
      for (phi_value v : values_of (q))
	{
	  /* What another turn has left.  */
	  if (turns && flow_bb_inside_loop_p (l, v.from->src)
	      && gets_new (v.value, n))
	    return false;
	  todo.add (v.value);
	}
    }
  return true;
}

unchanged::unchanged (judged_loop &l, uniform &u, gphi *p)
  : good (u.good), loop (l), all (u)
{
  worklist<tree> todo;
  tree n;
  todo.add (gimple_phi_result (p));
  while (good && todo.next (&n))
    for (gimple *s : uses (n))
      if (!is_gimple_debug (s))
	{
	  good &= loop.in (gimple_bb (s));
	  if (gimple_code (s) == GIMPLE_PHI)
	    {
	      good &= gimple_bb (s) != gimple_bb (p) || s == p;
	      todo.add (gimple_phi_result (s));
	    }
	}
  names.swap (todo.seen);
  for (tree n : names)
    if (good && read (n))
      {
	for (phi_value v : values_of (p))
	  good &= !loop.in (v.from->src) || !gets_new (v.value, n);
	good = good && alike (n);
      }
}

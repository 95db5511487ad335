/* SPDX-License-Identifier: GPL-3.0-or-later

   Where locks are held.  */

/* How many locks are held behind S at least, if N are before it.  */

int
accesses::locks_behind (gimple *s, int n)
{
  gcall *c = dyn_cast <gcall *> (s);
  unsigned f = c ? call_flags (c) : 0;
  if (f & F_LOCKS)
    n = MIN (n + 1, 50);
  return f & F_UNLOCKS ? MAX (n - 1, 0) : n;
}

/* How many are held where each block begins.  */

void
accesses::find_locks ()
{
  bool any = false;
  for (unsigned f : block_flags)
    any |= (f & F_LOCKING) != 0;
  if (!any)
    return;
  std::vector<int> end (locks.size (), 99);
  bool changed = true;
  for (int round = 0; changed && round < 16; round++)
    {
      changed = false;
      for (basic_block b : model.order)
	{
	  int now = 99;
	  for (edge e : edges (b->preds))
	    now = MIN (now, e->src == ENTRY_BLOCK_PTR_FOR_FN (model.fn)
			    ? 0 : end[e->src->index]);
	  locks[b->index] = now;
	  for (gimple *s : statements (b))
	    now = locks_behind (s, now);
	  changed |= now != end[b->index];
	  end[b->index] = now;
	}
    }
  if (changed)
    locks.assign (locks.size (), 0);
}

int
accesses::locked_at (gimple *s)
{
  int n = locks[gimple_bb (s)->index];
  if (!(block_flags[gimple_bb (s)->index] & F_LOCKING))
    return n;
  for (gimple *t : statements (gimple_bb (s)))
    {
      if (t == s)
	break;
      n = locks_behind (t, n);
    }
  return n;
}

bool
accesses::may_hold (gimple *s)
{
  bool any = false;
  for (unsigned f : block_flags)
    any |= (f & (F_LOCKS | F_HOLDS | F_POLLS)) != 0;
  if (!any)
    return false;
  /* Blocks, and how many releases are met on the way back from S.  */
  worklist<std::pair<basic_block, int> > todo;
  auto back = [&] (basic_block b, gimple *from, int released)
    {
      std::vector<gimple *> all;
      if (block_flags[b->index] & (F_LOCKING | F_HOLDS | F_POLLS))
	all = statements (std::vector<basic_block> (1, b));
      bool before = !from;
      for (unsigned i = all.size (); i-- > 0; )
	{
	  gcall *c = before ? dyn_cast <gcall *> (all[i]) : NULL;
	  unsigned f = c ? call_flags (c) : 0;
	  before |= all[i] == from;
	  released += (f & F_UNLOCKS) != 0;
	  bool may = ((f & F_HOLDS)
		      || (c && kind_of_call (c) == AMP_POLL
			  && strstr (amp_name (callee (c)), "lock")));
	  if (((f & F_LOCKS) && released-- == 0) || (may && released == 0))
	    return true;
	}
      for (edge e : edges (b->preds))
	todo.add (std::make_pair (e->src, MIN (released, 8)));
      return false;
    };
  if (back (gimple_bb (s), s, 0))
    return true;
  for (std::pair<basic_block, int> p; todo.next (&p); )
    if (back (p.first, NULL, p.second))
      return true;
  return false;
}

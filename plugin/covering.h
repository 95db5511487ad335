/* What is written before it is read.
   SPDX-License-Identifier: GPL-3.0-or-later

   Facts about spots, which are places that are loaded, go forward through a
   region: that all of a spot has been written since the region's start.  */

/* Where access A lies.  Without a root if that is not known.  */

static reach
reach_of_access (const access &a)
{
  reach none = { NULL_TREE, make_range (0, 0) }, r = none;
  if (!a.ref || a.where.size < 0)
    return none;
  r.bytes.high = a.where.size;
  return reach_of (a.ref, a.bb, &r) ? r : none;
}

/* Places at ROOT, VAR and INIT, and STEP more as often as N says: once more
   than the latch of a loop, if MORE.  OUT is the outermost of these loops;
   without one they are so many BYTES.  */

struct box
{
  tree root, var;
  hwi init;
  struct side
  {
    tree step, n;
    bool more;
    /* A counter from FROM until it is TO, if that is known.  */
    hwi from;
    tree to;
  };
  std::vector<side> sides;
  class loop *out;
  tree bytes;
};

/* Places of which it is found out where they are written for sure.  */

class covering
{
public:
  covering (accesses &a, const std::vector<basic_block> &r, basic_block start);
  ~covering ();
  void run (bool with_stores);
  /* At the ends of the function.  */
  bool at_exit (int spot);
  int spot_at (unsigned access)
  {
    std::map<unsigned, unsigned>::iterator i = spot_of.find (access);
    return i == spot_of.end () ? -1 : (int) i->second;
  }
  /* What loops have filled when the function ends.  */
  std::vector<access> filled ();

private:
  accesses &acc;
  const std::vector<basic_block> &region;
  basic_block start;
  struct spot
  {
    int cls;
    tree ref;
    place where;
    std::vector<tree> names;
    class loop *in;
    reach part;
  };
  std::vector<spot> spots;
  /* A store that a loop repeats, or a load.  */
  struct walk
  {
    class loop *l;
    /* One after another in L; of L, and of more and more loops around it.  */
    bool walks;
    std::vector<box> boxes;
    unsigned i;
    /* What it has filled when the loop ends, and the spot for that; those for
       the places before.  */
    access filled;
    int spot;
    std::vector<unsigned> before;
  };
  std::vector<walk> stores, loads;
  std::map<int, std::vector<unsigned> > by_class;
  /* What a name that is set again makes unknown: a spot; COUNT and more: what
     covers it whatever its index is; twice COUNT and more: what a store by a
     symbol covers; three times: what a loop has filled.  */
  std::map<tree, std::vector<unsigned> > by_name;
  unsigned count;
  std::map<unsigned, unsigned> spot_of;
  /* A spot that is covered where others are.  */
  typedef std::pair<unsigned, std::vector<unsigned> > follower;
  std::map<edge, std::vector<follower> > on_edge;
  /* By store: the spots that a call covers.  */
  std::map<unsigned, std::vector<unsigned> > by_call;
  /* Loads of what the loop's last turns wrote, but the first ones.  */
  std::vector<follower> last_turns;
  /* Its number; it is a place to know about.  */
  unsigned note (const spot &s)
  {
    by_class[s.cls].push_back (spots.size ());
    spots.push_back (s);
    return spots.size () - 1;
  }
  /* What holds at the end of each block; where its last statement throws or
     jumps, if it may.  */
  std::vector<sbitmap> out, thrown;
  bool changed;
  std::vector<bool> inside;
  /* Where accesses lie, from the first one of the region on.  */
  std::map<unsigned, reach> parts;
  /* What stands for pointers plus symbols.  */
  std::vector<std::pair<tree, hwi> > sums;
  void plant (reach *r);
  /* What stands for values loaded from one place again and again.  */
  std::vector<std::pair<tree, place> > tokens;
  /* What stores to memory that may be others' write; NULL for calls.  */
  std::vector<tree> stored;
  std::map<int, std::vector<place> > written;
  tree stable (tree base);
  bool writes (tree ref, int cls, const place &p);
  const reach *part_of (unsigned i)
  {
    std::map<unsigned, reach>::iterator p = parts.find (i);
    return p == parts.end () ? NULL : &p->second;
  }
  void find_tokens ();
  void note (unsigned i);
  /* How a store covers a place: not; while names keep their values; as long as
     the base does; whatever is set again.  */
  enum kind { NOT, NAMES, BASE, PART };
  kind covers (const access &s, const reach *part, const spot &l);
  void depends (tree t, unsigned spot);
  tree fixed (class loop *l, tree t, int depth);
  bool find_bound (class loop *l, box::side *d);
  void find_boxes (const access &a, class loop *l, class loop *top,
		   std::vector<box> *boxes);
  bool find_block (const access &a, box *x);
  std::vector<tree> names_in (tree t);
  bool is_steady (class loop *l, tree t);
  void match (const walk &s, const walk &l);
  void match_behind (const walk &s, const walk &l, hwi n,
		     const std::vector<unsigned> &before);
  void find_walks (bool with_stores);
  void fills ();
  void forget (tree name, sbitmap now);
  /* What NOW says of SPOT, in bits of kind FROM and above.  */
  bool holds (sbitmap now, unsigned spot, unsigned from)
  {
    bool any = false;
    for (; from < 4; from++)
      any |= bitmap_bit_p (now, spot + from * count);
    return any;
  }
  /* True if NOW says that F's spot follows.  */
  bool hold (sbitmap now, const follower &f)
  {
    bool all = true;
    for (unsigned j : f.second)
      all &= holds (now, j, 0);
    return all;
  }
  void transfer (basic_block b, sbitmap now, bool final);
  void begin (basic_block b, sbitmap now);
};

covering::covering (accesses &a, const std::vector<basic_block> &r,
		    basic_block s)
  : acc (a), region (r), start (s), count (0),
    out (last_basic_block_for_fn (a.model.fn), (sbitmap) NULL), thrown (out),
    changed (true),
    inside (last_basic_block_for_fn (a.model.fn), false)
{
  for (basic_block b : region)
    inside[b->index] = true;
}

covering::~covering ()
{
  for (basic_block b : region)
    for (sbitmap s : { out[b->index], thrown[b->index] })
      if (s)
	sbitmap_free (s);
}

/* Access I is a place to know about.  */

void
covering::note (unsigned i)
{
  access &a = acc.all[i];
  const std::vector<unsigned> &same = by_class[a.cls];
  for (unsigned j : same)
    {
      spot &s = spots[j];
      if (s.where.base == a.where.base && s.where.known == a.where.known
	  && s.where.offset == a.where.offset && s.where.size == a.where.size
	  && s.in == a.bb->loop_father
	  && (a.where.known
	      || (a.ref && s.ref && operand_equal_p (a.ref, s.ref, 0))))
	{
	  spot_of[i] = j;
	  return;
	}
      if (same.size () > 256)
	return;
    }
  spot s = { a.cls, a.ref, a.where, std::vector<tree> (), a.bb->loop_father,
	     reach_of_access (a) };
  plant (&s.part);
  if (a.ref && !a.where.known)
    s.names = indices (a.ref);
  else if (is_name (a.where.base))
    s.names.push_back (a.where.base);
  spot_of[i] = note (s);
}

/* How store S writes all of L.  */

covering::kind
covering::covers (const access &s, const reach *part, const spot &l)
{
  if (!s.must || !s.where.base || !l.where.base)
    return NOT;
  if (s.where.known && s.where.base == l.where.base)
    {
      /* A text, for who reads one.  */
      if (s.where.size < 0)
	return (!l.ref && l.where.size == -1
		&& s.where.offset <= l.where.offset ? BASE : NOT);
      if (l.where.known && l.where.size >= 0 && s.where.offset <= l.where.offset
	  && s.where.offset + s.where.size >= l.where.offset + l.where.size)
	return BASE;
      /* All of an array; all of a variable.  */
      if (!l.where.known && l.where.span > 0
	  && s.where.offset <= l.where.offset
	  && s.where.offset + s.where.size >= l.where.offset + l.where.span)
	return BASE;
      hwi all = DECL_P (l.where.base) ? bytes (DECL_SIZE_UNIT (l.where.base))
				      : -1;
      if (all >= 0 && s.where.offset == 0 && s.where.size >= all)
	return BASE;
    }
  if (s.where.known && s.where.base == l.part.root
      && s.where.offset <= l.part.bytes.low
      && s.where.offset + s.where.size >= l.part.bytes.high)
    return PART;
  if (part && part->root && part->root == l.part.root && !part->bytes.mixed
      && part->bytes.high - part->bytes.low == s.where.size
      && part->bytes.low <= l.part.bytes.low
      && part->bytes.high >= l.part.bytes.high)
    return PART;
  return (s.ref && l.ref && !s.where.known && !l.where.known
	  && operand_equal_p (s.ref, l.ref, 0) ? NAMES : NOT);
}

/* True if E is taken before the statement at its source has ended.  */

static bool
leaves (edge e)
{
  return (e->flags & (EDGE_EH | EDGE_ABNORMAL)) != 0;
}

void
covering::begin (basic_block b, sbitmap now)
{
  if (b == start || EDGE_COUNT (b->preds) == 0)
    {
      bitmap_clear (now);
      return;
    }
  bitmap_ones (now);
  for (edge e : edges (b->preds))
    {
      if (!inside[e->src->index])
	{
	  bitmap_clear (now);
	  return;
	}
      auto g = on_edge.find (e);
      auto_sbitmap both (g == on_edge.end () ? 1 : 4 * count);
      sbitmap from = (leaves (e) ? thrown : out)[e->src->index];
      if (g != on_edge.end ())
	{
	  bitmap_copy (both, from);
	  for (const follower &j : g->second)
	    if (hold (from, j))
	      bitmap_set_bit (both, j.first + 3 * count);
	}
      bitmap_and (now, now, g == on_edge.end () ? from : both);
    }
}

/* NAME, which is set again, selects another place; but not in what a whole loop
   has filled.  */

void
covering::forget (tree name, sbitmap now)
{
  std::map<tree, std::vector<unsigned> >::iterator n = by_name.find (name);
  if (n != by_name.end ())
    for (unsigned j : n->second)
      bitmap_clear_bit (now, j);
}

/* NOW becomes what holds at the end of B.  FINAL: tell the loads.  */

void
covering::transfer (basic_block b, sbitmap now, bool final)
{
  unsigned i = acc.of_block[b->index].first;
  unsigned end = acc.of_block[b->index].second;
  for (gphi *p : phis (b))
    forget (gimple_phi_result (p), now);
  for (gimple *s : statements (b))
    {
      if (thrown[b->index] && s == last_of (b))
	{
	  changed |= !bitmap_equal_p (now, thrown[b->index]);
	  bitmap_copy (thrown[b->index], now);
	}
      for (; i < end && acc.all[i].stmt == s; i++)
	{
	  access &a = acc.all[i];
	  if (!a.store)
	    {
	      int j = spot_at (i);
	      if (final && j >= 0)
		{
		  a.covered = holds (now, j, 0);
		  for (const follower &t : last_turns)
		    a.covered |= t.first == (unsigned) j && hold (now, t);
		}
	    }
	  else if (by_call.count (i))
	    for (unsigned j : by_call[i])
	      bitmap_set_bit (now, j + 3 * count);
	  /* A sum is not written anew.  */
	  else if (a.must && !a.adds && by_class.count (a.cls))
	    for (unsigned j : by_class[a.cls])
	      if (kind k = covers (a, part_of (i), spots[j]))
		bitmap_set_bit (now, j + (k - NAMES) * count);
	}
      ssa_op_iter it;
      tree def;
      FOR_EACH_SSA_TREE_OPERAND (def, s, it, SSA_OP_DEF)
	forget (def, now);
    }
}

/* True if a store in the region may change REF, which is P in class CLS.  */

bool
covering::writes (tree ref, int cls, const place &p)
{
  for (const place &w : written[acc.model.find (cls)])
    if (!w.known || w.size < 0 || w.base != p.base
	|| (w.offset < p.offset + p.size && p.offset < w.offset + w.size))
      return true;
  if ((acc.model.flags (cls) & C_OWN)
      || (acc.model.outlined && is_name (p.base)
	  && SSA_NAME_IS_DEFAULT_DEF (p.base)))
    return false;
  /* What the caller knows by other names, and other threads may change.  */
  for (tree w : stored)
    if (!w || alias_sets_conflict_p (get_alias_set (ref), get_alias_set (w)))
      return true;
  for (basic_block b : region)
    if (acc.block_flags[b->index]
	& (F_LOCKING | F_HOLDS | F_WAITS | F_POLLS | F_UNKNOWN))
      return true;
  return false;
}

/* What NAME can be replaced by: what is loaded from memory that nothing in the
   region writes is the same each time.  */

tree
covering::stable (tree name)
{
  gimple *s = set_by (name);
  for (; s && gimple_code (s) == GIMPLE_PHI && gimple_phi_num_args (s) == 1
	 && is_name (gimple_phi_arg_def (s, 0)); s = set_by (name))
    name = gimple_phi_arg_def (s, 0);
  if (!s || !gimple_assign_load_p (s) || gimple_has_volatile_ops (s)
      || !gimple_bb (s) || !inside[gimple_bb (s)->index])
    return name;
  tree ref = gimple_assign_rhs1 (s);
  place p = place_of (ref);
  if (!p.known || p.size < 0)
    return name;
  int c = acc.model.class_of (ref);
  gimple *from = set_by (p.base);
  if (from && gimple_bb (from) && inside[gimple_bb (from)->index])
    {
      tree t = stable (p.base);
      if (t == p.base)
	return name;
      p.base = t;
    }
  else if (!from && !DECL_P (p.base))
    return name;
  if (writes (ref, c, p))
    return name;
  for (std::pair<tree, place> &t : tokens)
    if (t.second.base == p.base && t.second.offset == p.offset
	&& t.second.size == p.size)
      return t.first;
  if (tokens.size () >= 64)
    return name;
  tokens.push_back (std::make_pair (ref, p));
  return ref;
}

/* R's root becomes what it is known by in the region.  */

void
covering::plant (reach *r)
{
  r->root = stable (r->root);
  if (!r->root || !r->bytes.sym)
    return;
  for (std::pair<tree, hwi> &t : sums)
    if (TREE_PURPOSE (t.first) == r->root
	&& TREE_VALUE (t.first) == r->bytes.sym && t.second == r->bytes.scale)
      {
	r->root = t.first;
	return;
      }
  tree root = r->root;
  r->root = NULL_TREE;
  if (sums.size () >= 64)
    return;
  r->root = tree_cons (root, r->bytes.sym, NULL_TREE);
  sums.push_back (std::make_pair (r->root, r->bytes.scale));
}

void
covering::find_tokens ()
{
  for (gimple *s : statements (region))
    if (gasm *a = dyn_cast <gasm *> (s))
      if (gimple_asm_clobbers_memory_p (a))
	stored.push_back (NULL_TREE);
  for (basic_block b : region)
    for (access &a : acc.in (b))
      if (a.store)
	{
	  place p = a.where;
	  p.base = a.pointer;
	  written[acc.model.find (a.cls)].push_back (p);
	  if (!(acc.model.flags (a.cls) & C_OWN))
	    stored.push_back (a.atomic ? NULL_TREE : a.ref);
	}
  for (basic_block b : region)
    for (access &a : acc.in (b))
      {
	a.where.base = stable (a.pointer);
	if (!a.store || !a.must || !a.where.known || a.where.size <= 0
	    || !is_name (a.pointer))
	  continue;
	reach r = { NULL_TREE,
		    make_range (a.where.offset,
				a.where.offset + a.where.size) };
	reach_of_pointer (a.pointer, a.bb, &r);
	plant (&r);
	parts[&a - &acc.all[0]] = r;
      }
}

void
covering::run (bool with_stores)
{
  find_tokens ();
  for (basic_block b : region)
    for (access &a : acc.in (b))
      {
	a.covered = false;
	if (a.where.base
	    && (!a.store || (with_stores && a.where.known && a.must)))
	  note (&a - &acc.all[0]);
      }
  find_walks (with_stores);
  count = spots.size ();
  if (!count || count > 4096)
    return;
  for (unsigned j = 0; j < count; j++)
    {
      for (tree t : spots[j].names)
	by_name[t].push_back (j);
      tree base = spots[j].where.base;
      if (TREE_CODE (base) == SSA_NAME)
	by_name[base].push_back (j + count);
      if (spots[j].part.root)
	depends (spots[j].part.root, j);
    }
  fills ();
  for (basic_block b : region)
    {
      out[b->index] = sbitmap_alloc (4 * count);
      bitmap_ones (out[b->index]);
      for (edge e : edges (b->succs))
	if (leaves (e) && !thrown[b->index])
	  {
	    thrown[b->index] = sbitmap_alloc (4 * count);
	    bitmap_ones (thrown[b->index]);
	  }
    }
  auto_sbitmap now (4 * count);
  for (int round = 0; changed && round < 64; round++)
    {
      changed = false;
      for (basic_block b : region)
	{
	  begin (b, now);
	  transfer (b, now, false);
	  if (!bitmap_equal_p (now, out[b->index]))
	    {
	      bitmap_copy (out[b->index], now);
	      changed = true;
	    }
	}
    }
  if (changed)
    {
      count = 5000;
      return;
    }
  for (basic_block b : region)
    {
      begin (b, now);
      transfer (b, now, true);
    }
}

bool
covering::at_exit (int spot)
{
  if (spot < 0 || count > 4096)
    return false;
  basic_block exit = EXIT_BLOCK_PTR_FOR_FN (acc.model.fn);
  for (edge e : edges (exit->preds))
    if (!out[e->src->index] || !holds (out[e->src->index], spot, 1))
      return false;
  return EDGE_COUNT (exit->preds) > 0;
}

std::vector<access>
covering::filled ()
{
  std::vector<access> v;
  for (walk &w : stores)
    if (at_exit (w.spot))
      {
	v.push_back (w.filled);
	for (unsigned i = 0; i < w.before.size () && at_exit (w.before[i]); i++)
	  {
	    v.back ().where.offset -= acc.all[w.i].where.size;
	    v.back ().where.size += acc.all[w.i].where.size;
	  }
      }
  return v;
}

void
accesses::cover (const std::vector<basic_block> &region, basic_block start)
{
  covering c (*this, region, start);
  c.run (false);
}

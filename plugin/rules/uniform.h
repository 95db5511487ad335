/* Scratch memory that each iteration uses in the same way.
   SPDX-License-Identifier: GPL-3.0-or-later

   A loop uses X, memory of the thread's own, uniformly if whether, where and in
   which order iterations load and store there is the same for all: the
   conditions and addresses are made of what does not vary.  Values may vary.
   In a thread's first iteration X has no value, so that what this one loads it
   has stored, or does not need; hence all.  If loops share X, each stores there
   before it loads, and what varies alone: what one could leave for another
   would be another value with another number of threads.  */

class uniform
{
public:
  /* C: X's class.  -1: there is no X, and what is the same in each iteration,
     but not at all times, varies.  */
  uniform (judged_loop &j, int c);
  /* True if iterations may go different ways at the end of B.  */
  bool ways_differ (basic_block b)
  {
    return !good || !flow_bb_inside_loop_p (turns, b) || branches (body, b);
  }
  /* X is used uniformly; loaded before it is stored to; set to what does not
     vary.  */
  bool good, early, plain;

private:
  /* What memory is: an object of the thread's own by its number, or shared, or
     not known.  */
  enum { X = 0, SHARED = -1, UNKNOWN = -2 };
  /* A function as the compiler sees it.  */
  struct code
  {
    flow *model;
    std::vector<basic_block> blocks;
    /* By block: a way leads to the end; an inner loop has it; the blocks whose
       ends decide if it runs.  */
    std::vector<bool> returns, repeated;
    std::vector<std::vector<basic_block> > by;
    void find (flow &f, class loop *l, const std::vector<basic_block> &order);
  };
  /* The loop's body, or a function that is called at one place there.  */
  struct frame
  {
    code of;
    frame *caller;
    /* Names, by version, that are not the same in all iterations; blocks, by
       index, that not all run.  */
    std::vector<bool> varies, chosen;
    std::map<int, int> objects;
    bool result;
  };
  judged_loop &loop;
  /* The loop over iterations.  */
  class loop *turns;
  frame body;
  std::map<std::pair<frame *, gimple *>, frame> entered;
  /* Of objects: what they hold varies.  */
  std::vector<bool> holds;
  /* Variables that all share and the loop stores to.  */
  std::set<tree> globals;
  /* The loop stores to what may be the thread's own; is run more than once;
     there is no X.  */
  bool open, again, always, changed;
  unsigned work;
  /* What has been stored to X so far; by loops, too.  */
  std::vector<reach> stored;
  bool filled;

  bool differ (frame &w, tree t)
  {
    return is_name (t) && w.varies[SSA_NAME_VERSION (t)];
  }
  bool any_differ (frame &w, const std::vector<tree> &names)
  {
    bool any = false;
    for (tree t : names)
      any |= differ (w, t);
    return any;
  }
  bool uses_differ (frame &w, gimple *s)
  {
    return any_differ (w, names_used (s));
  }
  /* The same of an address.  */
  bool differs_at (frame &w, tree ref)
  {
    return any_differ (w, indices (ref));
  }
  bool differs_in (frame &w, tree t)
  {
    return (TREE_CODE (t) == ADDR_EXPR ? differs_at (w, TREE_OPERAND (t, 0))
	    : differ (w, t));
  }
  /* What memory that T leads to holds varies.  */
  bool varies_in (frame &w, tree t)
  {
    int o = object (w, w.of.model->leads_to (t));
    return o == UNKNOWN || (o != SHARED && holds[o]);
  }
  void set (std::vector<bool> &v, unsigned i)
  {
    changed |= !v[i];
    v[i] = true;
  }
  int made (bool value)
  {
    holds.push_back (value);
    return holds.size () - 1;
  }
  bool begin (frame &w);
  void begin_loop (int c);
  int object (frame &w, int c);
  /* What is at REF; what pointer T leads to.  What the number selects of what
     all share is the thread's own, and not looked at.  */
  int object_at (frame &w, tree ref)
  {
    int o = object (w, w.of.model->class_of (ref));
    return (o == SHARED && w.of.model->address_number (ref)
	    ? (int) UNKNOWN : o);
  }
  int object_of (frame &w, tree t)
  {
    int o = object (w, w.of.model->leads_to (t));
    return (o == SHARED && w.of.model->number_of (t)
	    ? (int) UNKNOWN : o);
  }
  int object_of_loop (int c);
  void give (frame &w, int c);
  bool load (frame &w, gimple *s, tree ref);
  void store (frame &w, gimple *s, tree ref, bool value);
  bool known (frame &w, gcall *s, const amp_known &k);
  bool bind (frame &w, gcall *s, frame &to);
  frame *enter (frame &w, gcall *s);
  bool call (frame &w, gcall *s);
  bool branches (frame &w, basic_block b);
  void visit (frame &w, gimple *s);
  void run (frame &w);
  void audit (frame &w, bool repeated);
};

/* Find out about loop L of F's, whose blocks ORDER has.  */

void
uniform::code::find (flow &f, class loop *l,
		     const std::vector<basic_block> &order)
{
  control_dependences all;
  bitmap_iterator it;
  unsigned i;
  model = &f;
  append_blocks (l, order, blocks);
  returns = f.returns;
  by.resize (returns.size ());
  repeated = std::vector<bool> (returns.size (), false);
  for (basic_block b : blocks)
    repeated[b->index] = b->loop_father != l;
  for (basic_block b : blocks)
    EXECUTE_IF_SET_IN_BITMAP (all.get_edges_dependent_on (b->index), 0, i, it)
      {
	basic_block from = all.get_edge_src (i);
	if (from->index >= NUM_FIXED_BLOCKS
	    && (!loop_outer (l) || flow_bb_inside_loop_p (l, from)))
	  by[b->index].push_back (from);
      }
}

/* Nothing varies in W yet.  False if its code is left, or comes back, in other
   ways than by going on.  */

bool
uniform::begin (frame &w)
{
  function *fn = w.of.model->fn;
  w.varies.assign (SSANAMES (fn)->length (), false);
  w.chosen.assign (last_basic_block_for_fn (fn), false);
  for (basic_block b : w.of.blocks)
    for (edge e : edges (b->succs))
      if ((e->flags & (EDGE_EH | EDGE_ABNORMAL))
	  && w.of.returns[e->dest->index])
	return false;
  return !fn->calls_setjmp;
}

/* The loop over iterations: its head gets what varies, and so does what is set
   in the loop over chunks, or in loops around that.  */

void
uniform::begin_loop (int c)
{
  class loop *out = loop.chunks;
  for (basic_block b : loop.blocks)
    if (b->loop_father->header == b && loop.iterates (b->loop_father))
      turns = b->loop_father;
  again = c >= 0 && loop.model.runs_again (loop.start, c);
  while (again && loop_depth (out) > 1)
    out = loop_outer (out);
  if (turns)
    body.of.find (loop.model, turns, loop.blocks);
  good = turns && begin (body) && !loop.turns (turns);
  /* What comes back elsewhere than to a loop's head.  */
  for (basic_block b : body.of.blocks)
    for (edge e : edges (b->succs))
      good &= (loop.model.rank[e->dest->index] > loop.model.rank[b->index]
	       || dominated_by_p (CDI_DOMINATORS, b, e->dest)
	       || e->dest->index < NUM_FIXED_BLOCKS);
  for (basic_block b : loop.model.order)
    if (good && flow_bb_inside_loop_p (out, b))
      for (tree d : values_set_in (b))
	if (!flow_bb_inside_loop_p (turns, b)
	    || (b == turns->header && gimple_code (set_by (d)) == GIMPLE_PHI))
	  body.varies[SSA_NAME_VERSION (d)] = true;
  int x = made (true);
  if (c >= 0)
    {
      body.objects[loop.model.find (c)] = x;
      for (access *a : loop.acc.of_class (c))
	good = good && !a->number && (!loop.in (a->bb)
				      || flow_bb_inside_loop_p (turns, a->bb));
    }
  for (basic_block b : loop.blocks)
    for (access &a : loop.acc.in (b))
      open |= (a.store && !(a.ref && loop.address_iterator (a.ref))
	       && (loop.model.flags (a.cls) & (C_OPEN | C_OWN)) == C_OPEN);
}

/* What class C of the loop's function is.  What it holds is the same for all
   iterations at first if none of them stores there, or nobody else.  */

int
uniform::object_of_loop (int c)
{
  unsigned f = loop.model.flags (c);
  bool in = false, out = false;
  if ((f & C_TLS) || loop.model.at (c).number
      || ((f & C_OWN) && is_hidden (loop.model, c)))
    return UNKNOWN;
  if (!(f & C_OWN) || (f & C_SHARED))
    return ((f & C_OWN) || (f & C_OPEN ? open : !(f & C_SHARED)) ? UNKNOWN
	    : SHARED);
  for (access *a : loop.acc.of_class (c))
    (loop.in (a->bb) ? in : out) |= a->store;
  return made ((f & C_OPEN) || (in ? out || (f & C_VALUE) : again && out));
}

int
uniform::object (frame &w, int c)
{
  c = w.of.model->find (c);
  std::map<int, int>::iterator i = w.objects.find (c);
  if (i != w.objects.end ())
    return i->second;
  unsigned f = w.of.model->flags (c) & (C_OWN | C_SHARED | C_OPEN | C_TLS);
  return w.objects[c] = (&w == &body ? object_of_loop (c)
			 : f == C_SHARED ? (int) SHARED
			 : f != C_OWN || is_hidden (*w.of.model, c)
			 ? (int) UNKNOWN : made (false));
}

/* Code that is not known gets class C of W.  */

void
uniform::give (frame &w, int c)
{
  std::vector<int> all = w.of.model->below (c);
  all.push_back (c);
  for (int d : all)
    {
      int o = object (w, d);
      if (o == X)
	good = false;
      else if (o > 0)
	set (holds, o);
    }
}

/* True if what S loads from REF varies.  Of what all share, no iteration stores
   what all load: that would be a race.  */

bool
uniform::load (frame &w, gimple *s, tree ref)
{
  tree base = get_base_address (ref);
  if (!base || CONSTANT_CLASS_P (base) || TREE_CODE (base) == CONST_DECL)
    return false;
  int o = object_at (w, ref);
  bool at = differs_at (w, ref);
  if (o == X)
    {
      good = good && !at && !w.chosen[gimple_bb (s)->index];
      return true;
    }
  if (o == UNKNOWN || at || gimple_has_volatile_ops (s))
    return true;
  if (o != SHARED)
    return holds[o];
  return (again || globals.count (base)
	  || (&w == &body && loop.acc.locked_at (s) > 0));
}

/* S stores to REF; VALUE: what varies.  */

void
uniform::store (frame &w, gimple *s, tree ref, bool value)
{
  tree base = get_base_address (ref);
  int o = base ? object (w, w.of.model->class_of (ref)) : (int) UNKNOWN;
  bool at = differs_at (w, ref) || w.chosen[gimple_bb (s)->index];
  if (o == X)
    good = good && !at;
  else if (o > 0 && (at || value || always))
    set (holds, o);
  else if (o == SHARED && DECL_P (base))
    changed |= globals.insert (base).second;
}

/* True if what S, a call of K, returns varies.  X may be given to what is told
   how many bytes to use.  */

bool
uniform::known (frame &w, gcall *s, const amp_known &k)
{
  bool sized = (gimple_call_num_args (s) >= 3
		&& (calls (s, "memcpy") || calls (s, "memmove")
		    || calls (s, "memset")));
  for (unsigned i = 0; i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i);
      bool writes = ((k.fills | k.keeps) & bit_of (i)) || k.kind == AMP_FREE;
      int o = (leads (a) && (writes || (k.reads & bit_of (i)))
	       ? object (w, w.of.model->leads_to (a)) : (int) UNKNOWN);
      if (o == X)
	good = (good && sized && !w.chosen[gimple_bb (s)->index]
		&& !differs_in (w, a) && !differ (w, gimple_call_arg (s, 2)));
      else if (o > 0 && writes)
	set (holds, o);
    }
  if (k.kind == AMP_LOCK && &w != &body)
    good = false;
  return (k.kind != AMP_ALLOC || k.reads) && !sized;
}

/* TO gets S's arguments.  False if X gets there in another way than by one
   parameter or more of its own.  */

bool
uniform::bind (frame &w, gcall *s, frame &to)
{
  function *fn = to.of.model->fn;
  unsigned i = 0;
  for (tree d = DECL_ARGUMENTS (fn->decl); d; d = DECL_CHAIN (d), i++)
    {
      tree a = gimple_call_arg (s, i), name = ssa_default_def (fn, d);
      bool value = differs_in (w, a) || AGGREGATE_TYPE_P (TREE_TYPE (a));
      if (name && value)
	set (to.varies, SSA_NAME_VERSION (name));
      else if (value)
	{
	  int o = object (to, to.of.model->class_of_base (d));
	  if (o > 0)
	    set (holds, o);
	}
      int c = (POINTER_TYPE_P (TREE_TYPE (d)) ? to.of.model->class_of_parm (d)
	       : -1);
      if (c < 0 || !leads (a))
	continue;
      c = to.of.model->find (c);
      int from = w.of.model->leads_to (a), o = object_of (w, a);
      bool sole = (!is_hidden (*to.of.model, c) && !TREE_ADDRESSABLE (d)
		   && to.of.model->flags (c) == C_OPEN
		   && (!to.objects.count (c) || to.objects[c] == o));
      if (!sole && o != SHARED)
	give (w, from);
      if (!sole && to.objects.count (c) && to.objects[c] > 0)
	set (holds, to.objects[c]);
      good = good && (sole || !to.objects.count (c) || to.objects[c] != X);
      to.objects[c] = sole ? o : (int) UNKNOWN;
    }
  return good;
}

/* The function that S calls, if its body is here.  */

uniform::frame *
uniform::enter (frame &w, gcall *s)
{
  static std::map<function *, code> known;
  tree fd = callee (s);
  function *fn = fd && entered.size () < 64 ? body_of (fd) : NULL;
  if (!fn || stdarg_p (TREE_TYPE (fn->decl)) || gimple_call_chain (s)
      || (&w == &body && loop.acc.locked_at (s) > 0)
      || ((unsigned) list_length (DECL_ARGUMENTS (fn->decl))
	  != gimple_call_num_args (s)))
    return NULL;
  for (frame *f = &w; f; f = f->caller)
    if (f->of.model->fn == fn)
      return NULL;
  code &k = known[fn];
  if (!k.model)
    {
      in_function now (fn);
      flow *f = new flow (fn, w.of.model->level + 1);
      k.find (*f, loops_for_fn (fn)->tree_root, f->order);
    }
  frame &to = entered[std::make_pair (&w, (gimple *) s)];
  if (!to.caller)
    {
      to.of = k;
      to.caller = &w;
      if (!begin (to))
	to.of.blocks.clear ();
    }
  return !to.of.blocks.empty () && bind (w, s, to) ? &to : NULL;
}

/* True if what call S returns varies.  */

bool
uniform::call (frame &w, gcall *s)
{
  bool mine = false;
  if (gimple_call_chain (s))
    give (w, w.of.model->leads_to (gimple_call_chain (s)));
  if ((gimple_call_flags (s) & ECF_CONST)
      || !(gimple_vuse (s) || gimple_call_internal_p (s)))
    return false;
  if (const amp_known *k = amp_known_function (callee (s)))
    return known (w, s, *k);
  for (tree a : arguments (s))
    {
      int c = w.of.model->class_of_argument (a);
      mine |= c >= 0 && object (w, c) >= 0;
    }
  if (!w.chosen[gimple_bb (s)->index] && (mine || name_set_by (s)))
    if (frame *to = enter (w, s))
      {
	run (*to);
	return to->result;
      }
  for (tree a : arguments (s))
    if (w.of.model->class_of_argument (a) >= 0)
      give (w, w.of.model->class_of_argument (a));
  return true;
}

/* True if which way is taken at the end of B varies; not which ends the
   iteration or the program.  */

bool
uniform::branches (frame &w, basic_block b)
{
  gimple *s = last_of (b);
  unsigned ways = 0;
  if (!s || EDGE_COUNT (b->succs) < 2)
    return false;
  for (edge e : edges (b->succs))
    ways += (e->dest->index < NUM_FIXED_BLOCKS || w.of.returns[e->dest->index]);
  if (ways < 2)
    return false;
  if (&w == &body && gimple_code (s) == GIMPLE_COND
      && ((loop.made_of_iterator (gimple_cond_lhs (s))
	   | loop.made_of_iterator (gimple_cond_rhs (s))) & I_END))
    return false;
  return ((gimple_code (s) != GIMPLE_COND && gimple_code (s) != GIMPLE_SWITCH)
	  || uses_differ (w, s));
}

void
uniform::visit (frame &w, gimple *s)
{
  gphi *p = dyn_cast <gphi *> (s);
  basic_block b = gimple_bb (s);
  bool v = p ? always && b == b->loop_father->header : uses_differ (w, s);
  v |= !always && w.chosen[b->index];
  ssa_op_iter it;
  def_operand_p def;
  if (gimple_clobber_p (s))
    return;
  if (gimple_code (s) == GIMPLE_ASM)
    good = false;
  if (p)
    for (phi_value x : values_of (p))
      v |= (differ (w, x.value)
	    || (differs (p) && (w.chosen[x.from->src->index]
				|| branches (w, x.from->src))));
  else
    {
      for (tree ref : operands_of (s, false))
	v |= load (w, s, ref);
      if (gcall *c = dyn_cast <gcall *> (s))
	v |= call (w, c) || !name_set_by (s);
      for (tree ref : operands_of (s, true))
	store (w, s, ref, v);
    }
  FOR_EACH_PHI_OR_STMT_DEF (def, s, it, SSA_OP_DEF)
    if (v)
      set (w.varies, SSA_NAME_VERSION (DEF_FROM_PTR (def)));
  if (gimple_code (s) == GIMPLE_RETURN && v && !w.result)
    w.result = changed = true;
}

/* Find all that varies in W.  */

void
uniform::run (frame &w)
{
  bool any = changed;
  do
    {
      changed = false;
      for (basic_block b : w.of.blocks)
	if (w.of.returns[b->index] && good)
	  {
	    good = ++work < 20000;
	    for (basic_block from : w.of.by[b->index])
	      if (w.chosen[from->index] || branches (w, from))
		set (w.chosen, b->index);
	    for (gphi *p : phis (b))
	      visit (w, p);
	    for (gimple *s : statements (b))
	      visit (w, s);
	  }
      any |= changed;
    }
  while (changed && good);
  changed = any;
}

/* Look how W, which may be REPEATED in an iteration, uses X, in the code's
   order.  What is loaded from places that are not known a loop has filled.  */

void
uniform::audit (frame &w, bool repeated)
{
  for (basic_block b : w.of.blocks)
    for (gimple *s : statements (b))
      {
	auto at = entered.find (std::make_pair (&w, s));
	gcall *c = dyn_cast <gcall *> (s);
	const amp_known *k = c ? amp_known_function (callee (s)) : NULL;
	if (at != entered.end () && !at->second.of.blocks.empty ())
	  audit (at->second, repeated || w.of.repeated[b->index]);
	auto touch = [&] (tree ref, int cls, bool store)
	  {
	    if (object (w, cls) != X)
	      return;
	    reach r = { NULL_TREE, make_range (0, 0) };
	    if (ref && &w == &body)
	      {
		access a = access ();
		a.ref = ref, a.bb = b, a.where = place_of (ref);
		r = reach_of_access (a);
	      }
	    if (store)
	      {
		stored.push_back (r);
		filled |= k || repeated || w.of.repeated[b->index];
		bool value = uses_differ (w, s);
		for (tree from : operands_of (s, false))
		  value |= load (w, s, from);
		for (unsigned i = 0; k && i < gimple_call_num_args (s); i++)
		  if ((k->reads & bit_of (i)) && leads (gimple_call_arg (s, i)))
		    value |= varies_in (w, gimple_call_arg (s, i));
		plain |= !value;
	      }
	    bool before = filled && (!r.root || r.bytes.sym);
	    for (const reach &t : stored)
	      before |= (r.root && !r.bytes.sym
			 && (t.root != r.root || t.bytes.sym
			     || (t.bytes.low < r.bytes.high
				 && r.bytes.low < t.bytes.high)));
	    early |= !before;
	  };
	for (int stores = 0; stores < 2; stores++)
	  {
	    for (unsigned i = 0; k && i < gimple_call_num_args (s); i++)
	      if (leads (gimple_call_arg (s, i))
		  && ((stores ? k->fills : k->reads) & bit_of (i)))
		touch (NULL_TREE, w.of.model->leads_to (gimple_call_arg (s, i)),
		       stores);
	    for (tree ref : operands_of (s, stores))
	      if (get_base_address (ref) && !gimple_clobber_p (s))
		touch (ref, w.of.model->class_of (ref), stores);
	  }
      }
}

uniform::uniform (judged_loop &j, int c)
  : good (true), early (false), plain (false), loop (j), turns (NULL),
    body (), open (false), again (false), always (c < 0), changed (false),
    work (0), filled (false)
{
  begin_loop (c);
  if (good)
    run (body);
  if (good && c >= 0)
    audit (body, false);
}

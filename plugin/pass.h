/* The passes that judge and change the candidates.
   SPDX-License-Identifier: GPL-3.0-or-later

   All functions are in SSA form, and, where GCC optimises, small functions are
   inlined.  A whole file is judged at once: what functions do is found out when
   they are called.  */

/* The number of the candidate that S begins; -1 for other statements.  */

static int
candidate_of (gimple *s)
{
  unsigned at = calls (s, "GOMP_loop_ull_", "_start") ? 4 : 3;
  if (!calls (s, "GOMP_loop_", "_dynamic_start")
      || gimple_call_num_args (s) <= at
      || TREE_CODE (gimple_call_arg (s, at)) != INTEGER_CST)
    return -1;
  hwi id = FIRST_CHUNK - (hwi) TREE_INT_CST_LOW (gimple_call_arg (s, at));
  return id >= 0 && id < (hwi) candidates.size () ? (int) id : -1;
}

static std::vector<gcall *>
find_starts (function *fn)
{
  std::vector<gcall *> v;
  for (gimple *s : statements (fn))
    if (candidate_of (s) >= 0)
      v.push_back (as_a <gcall *> (s));
  return v;
}

/* What LOOPS leave in registers is of the thread's own.  It gets out by PHIs,
   as each loop may have no iteration.  */

static void
mark_left (flow &f, const std::vector<judged_loop *> &loops)
{
  for (judged_loop *l : loops)
    for (basic_block b : l->blocks)
      for (tree d : values_set_in (b))
	for (gimple *s : uses (d))
	  if (!l->in (gimple_bb (s)) && !is_gimple_call (s) && name_set_by (s)
	      && !l->kept.count (name_set_by (s)))
	    f.leave (name_set_by (s), N_LEFT);
}

/* What code behind LOOPS makes of own memory that these have written is what
   they left.  */

static void
mark_copied (accesses &a, const std::vector<judged_loop *> &loops)
{
  flow &f = a.model;
  std::map<int, std::vector<judged_loop *> > writers;
  for (judged_loop *l : loops)
    for (basic_block b : l->blocks)
      for (access &x : a.in (b))
	if (x.store && (f.flags (x.cls) & C_OWN))
	  writers[f.find (x.cls)].push_back (l);
  for (access &x : a.all)
    if (!x.store && !x.adds && !f.judged[x.bb->index])
      for (judged_loop *l : writers[f.find (x.cls)])
	if (l->runs_behind (x.bb) && !l->killed_behind (x))
	  {
	    f.leave_memory (x.stmt, x.cls);
	    break;
	  }
}

/* Note what A's function reads by the thread's number, WHICH: see N_*.  */

static void
note_reads_by_number (accesses &a, unsigned which)
{
  for (access &x : a.all)
    if (!x.store && !x.adds && !x.covered && (x.number & which)
	&& !leads_on (a.model, x))
      {
	std::set<std::string> names;
	name_fraction (x.ref ? x.ref : x.pointer, true, names);
	for (const std::string &name : names)
	  read_by_number[name] = gimple_location (x.stmt);
      }
}

/* The same of other functions of the file that ask for it, or have a static
   loop: the compiler may ask once for both.  */

static void
note_reads_elsewhere ()
{
  for (function *fn : functions ())
    {
      bool asks = false;
      if (find_starts (fn).empty ())
	for (gimple *s : statements (fn))
	  asks |= kind_of_call (s) == AMP_IDENTITY;
      if (accesses *a = asks ? view_of (fn, 1) : NULL)
	note_reads_by_number (*a, N_USER | N_MADE);
    }
}

/* True if what A's function does, other than its loops, may be another thing in
   a team of another size.  */

static bool
depends_on_team (accesses &a)
{
  if (a.model.asks)
    return true;
  summary s = summary ();
  find_flags (a.model, a, s);
  return ((s.flags | s.thrown) & ~(F_DIVIDES | F_POLLS)) != 0;
}

/* Where FN tells libgomp that a team of any size suits its region, or NULL.  */

static gimple *
told_any_team (function *fn)
{
  for (gimple *s : statements (fn))
    if (is_hint (s) && (tree_to_shwi (gimple_call_arg (s, 0))
			== -GOMP_AMP_HINT_ANY_TEAM))
      return s;
  return NULL;
}

/* Note in ASKED the memory that decides which way an iteration takes, which may
   read what it has not set.  */

void
judged_loop::may_be_unset ()
{
  worklist<tree> todo;
  for (basic_block b : blocks)
    for (tree t : asked_at (b))
      todo.add (t);
  for (tree n; todo.next (&n); )
    {
      gimple *s = SSA_NAME_DEF_STMT (n);
      if (!gimple_bb (s) || !in (gimple_bb (s)) || !is_gimple_assign (s))
	continue;
      if (gimple_assign_load_p (s))
	name_memory (gimple_assign_rhs1 (s), asked);
      else
	for (tree t : names_used (s))
	  todo.add (t);
    }
}

void
judged_loop::judge ()
{
  for (basic_block b : blocks)
    for (access &a : acc.in (b))
      if (a.store)
	name_memory (a.ref ? a.ref : a.pointer, marked);

  if (!chunks)
    {
      fail (R_FORM, "the loop's code has an unexpected form", start);
      return;
    }
  judge_waits (*this);
  judge_registers (*this);
  judge_memory (*this);
  judge_identity (*this);
  ascending |= unknown_calls > 0;
}

class judge_pass : public simple_ipa_opt_pass
{
public:
  judge_pass (gcc::context *ctxt, gomp_amp_options &o);
  bool gate (function *) final override { return !candidates.empty (); }
  unsigned int execute (function *) final override;

private:
  gomp_amp_options &options;
  std::vector<verdict> verdicts;
  bool any_steady;
  void judge_function (function *fn, const std::vector<gcall *> &starts);
  bool converts (const verdict &v);
  bool replaces (const verdict &v, unsigned *told);
  void change (const verdict &v, const std::vector<gcall *> &nexts);
  void change_function (function *fn, const std::vector<verdict *> &loops);
};

static const pass_data judge_data =
{
  SIMPLE_IPA_PASS, "gomp_amp_judge", OPTGROUP_OMP, TV_NONE, PROP_ssa | PROP_cfg,
  0, 0, 0, 0
};

judge_pass::judge_pass (gcc::context *ctxt, gomp_amp_options &o)
  : simple_ipa_opt_pass (judge_data, ctxt), options (o)
{}

void
judge_pass::judge_function (function *fn, const std::vector<gcall *> &starts)
{
  in_function now (fn);
  flow f (fn, 0);
  hand_parameters (f, 0);
  accesses a (f);
  gimple *told = told_any_team (fn);
  if (told && depends_on_team (a))
    remove_statement (told);
  std::vector<judged_loop *> loops;
  std::map<tree, std::vector<gcall *> > nexts = find_nexts (fn);
  for (gcall *s : starts)
    {
      loops.push_back (new judged_loop (f, a, s, nexts[start_variable (s)]));
      loops.back ()->id = candidate_of (s);
      if (loops.back ()->chunks)
	find_kept (*loops.back ());
    }
  mark_left (f, loops);
  mark_copied (a, loops);
  mark_tickets (f, a, N_USER);
  f.spread ();
  a.number_again ();
  bool around = false;
  for (judged_loop *l : loops)
    {
      l->all = &loops;
      if (l->chunks)
	{
	  a.cover (l->blocks, l->chunks->header);
	  cover_containers (*l);
	}
      around |= candidates[l->id].loose ();
    }
  std::set<gimple *> waits;
  if (around)
    waits = waits_around (a, loops);
  if (f.asks)
    note_reads_by_number (a, N_USER);
  basic_block b;
  FOR_EACH_BB_FN (b, fn)
    if (f.asks && (a.block_flags[b->index] & F_IDENTITY))
      read_by_number[""] = fn->function_start_locus;
  bool twice = returns_twice (fn);
  for (judged_loop *l : loops)
    {
      if (candidates[l->id].loose ()
	  && (may_wait_around (*l, waits)
	      || (l->chunks && a.may_hold (l->start))))
	l->fail (R_WAITS, "threads may wait for each other around the loop,"
		 " which has nowait", l->start);
      if (twice)
	l->fail (R_REGISTERS, "may be set back by longjmp", l->start);
      l->judge ();
      verdicts.push_back (*l);
    }
  for (judged_loop *l : loops)
    delete l;
}

/* True if V's loop is converted, as its author or the rules say.  */

bool
judge_pass::converts (const verdict &v)
{
  enum gomp_amp_default mark = candidates[v.id].mark;
  bool held = v.found.rule == R_SUM || v.found.rule == R_FORM;
  return (v.found.rule == R_NONE
	  || ((mark == GOMP_AMP_STEADY || mark == GOMP_AMP_FREE) && !held));
}

/* A loop that says schedule(static) is begun by libgomp if all such loops of
   its region are.  True if V's is; TOLD then says if the region is bound.  */

bool
judge_pass::replaces (const verdict &v, unsigned *told)
{
  int region = candidates[v.id].region;
  bool bound = false;
  if (even_regions.count (region) || v.found.rule == R_FORM)
    return false;
  for (const verdict &w : verdicts)
    if (candidates[w.id].region == region)
      {
	if (candidates[w.id].says_static ? options.reproducible && w.sums
	    : !converts (w))
	  return false;
	bound |= w.found.rule != R_NONE;
      }
  *told = GOMP_AMP_TOLD_STATIC | (bound ? GOMP_AMP_TOLD_BOUND : 0);
  return true;
}

/* Make of V's loop, whose further chunks NEXTS ask for, what was decided.  */

void
judge_pass::change (const verdict &v, const std::vector<gcall *> &nexts)
{
  const candidate &c = candidates[v.id];
  std::vector<gcall *> ends = find_ends (v.start);
  unsigned told = 0;
  bool begun = (c.kept ? false : c.says_static ? replaces (v, &told)
		: converts (v));
  remove_mark (v.start);
  /* GCC's call has no place, and would seem to be where its data are set
     up.  */
  tree block = gimple_block (v.start);
  gimple_set_location (v.start, LOCATION_LOCUS (c.at));
  gimple_set_block (v.start, block);
  if (c.says_static)
    list_loop (options, c.at, begun,
	       !begun ? c.kept || (options.reproducible && v.sums)
			? "explicit: schedule clause"
			: "explicit: a loop of the region is not replaceable"
	       : told & GOMP_AMP_TOLD_BOUND ? "explicit: replaceable; bound"
					    : "explicit: replaceable");
  else
    {
      bool any_order = (begun && c.mark != GOMP_AMP_STEADY
			&& (c.mark == GOMP_AMP_FREE || c.any_order
			    || !v.ascending));
      report (options, v, begun, any_order);
      told = ((any_order ? GOMP_AMP_TOLD_ANY_ORDER : 0)
	      | (c.mark == GOMP_AMP_STEADY ? GOMP_AMP_TOLD_STEADY : 0));
      if (begun && !options.portable && c.loose () && !any_steady
	  && end_nowait (ends))
	told |= GOMP_AMP_TOLD_NOWAIT;
    }
  if (begun && options.portable && !c.says_static)
    make_runtime (v.start, nexts, v.ull);
  else if (begun)
    {
      begin_by_libgomp (v.start, nexts, v.ull, GOMP_AMP_TOLD | told);
      if (c.says_static && c.loose ())
	for (gcall *e : ends)
	  note_after (e, GOMP_AMP_HINT_REPLACEABLE, c.at);
    }
  else
    {
      bool block = (v.form && nexts.size () == 1
		    && bound_of (v.start, 4 + v.ull)
		    && bound_of (v.start, 5 + v.ull));
      if (block && c.chunk)
	compute_chunks (v.start, nexts[0], v.ull, c.chunk);
      else if (block)
	compute_block (v.start, nexts[0], v.ull);
      else
	begin_by_libgomp (v.start, nexts, v.ull, 0, c.chunk);
      for (gcall *e : ends)
	end_static (e, c, block);
    }
}

/* Make of FN's loops what was decided.  */

void
judge_pass::change_function (function *fn, const std::vector<verdict *> &loops)
{
  push_cfun (fn);
  calculate_dominance_info (CDI_DOMINATORS);
  find_bounds (fn);
  std::map<tree, std::vector<gcall *> > nexts = find_nexts (fn);
  gimple *told = told_any_team (fn);
  for (verdict *v : loops)
    {
      /* Sums that say static are rounded alike each time.  */
      if (told && (v->found.rule != R_NONE
		   || (candidates[v->id].kept && v->sums)))
	{
	  remove_statement (told);
	  told = NULL;
	}
      change (*v, nexts[start_variable (v->start)]);
    }
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  cleanup_tree_cfg ();
  if (optimize)
    execute_update_addresses_taken ();
  update_ssa (TODO_update_ssa);
  cgraph_edge::rebuild_edges ();
  compute_fn_summary (cgraph_node::get (fn->decl), true);
  pop_cfun ();
}

unsigned int
judge_pass::execute (function *)
{
  if (options.dump_later)
    options.dump = fopen (options.dump_later, "a");
  cgraph_node *node;
  std::vector<function *> order;
  std::vector<std::vector<gcall *> > starts_of;
  any_steady = false;
  for (const candidate &c : candidates)
    any_steady |= c.mark == GOMP_AMP_STEADY;
  scratch_of_threads.find ();
  kept_team.find ();
  kept_numbers.find ();
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    {
      function *fn = DECL_STRUCT_FUNCTION (node->decl);
      if (!fn || !fn->cfg || !gimple_in_ssa_p (fn))
	continue;
      std::vector<gcall *> starts = find_starts (fn);
      if (starts.empty ())
	continue;
      if (optimize)
	load_where_chosen (fn);
      order.push_back (fn);
      starts_of.push_back (starts);
      for (gcall *c : starts)
	if (candidates[candidate_of (c)].loose ())
	  for (gcall *e : find_ends (c))
	    loose_ends.insert (e);
    }
  for (unsigned i = 0; i < order.size (); i++)
    judge_function (order[i], starts_of[i]);
  loose_ends.clear ();
  bool summed = false;
  for (verdict &v : verdicts)
    summed |= v.found.rule == R_NONE && (v.counts || !v.summed.empty ());
  if (summed)
    note_reads_elsewhere ();
  forget_callers ();
  judge_beside (verdicts);
  judge_unset (verdicts);
  /* Code that was copied is decided alike.  */
  std::map<int, finding> worst;
  for (verdict &v : verdicts)
    {
      if (options.reproducible && v.sums && converts (v))
	{
	  v.found.rule = R_SUM;
	  v.found.how = "adds up floating-point numbers";
	}
      if (v.found.rule != R_NONE && !worst.count (v.id))
	worst[v.id] = v.found;
    }
  for (verdict &v : verdicts)
    if (worst.count (v.id) && v.found.rule == R_NONE)
      v.found = worst[v.id];
  std::map<function *, std::vector<verdict *> > of;
  for (verdict &v : verdicts)
    of[DECL_STRUCT_FUNCTION (v.fndecl)].push_back (&v);
  /* In the source's order, as far as functions have one.  */
  std::sort (order.begin (), order.end (), [&] (function *a, function *b)
	     { return of[a][0]->id < of[b][0]->id; });
  for (function *fn : order)
    change_function (fn, of[fn]);
  verdicts.clear ();
  candidates.clear ();
  even_regions.clear ();
  calm.clear ();
  unnumbered.clear ();
  read_by_number.clear ();
  return 0;
}

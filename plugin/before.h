/* What is done before omp-lower: candidates are marked.
   SPDX-License-Identifier: GPL-3.0-or-later

   A loop whose clauses leave the schedule open becomes a dynamic one with a
   chunk that no program has: the chunk is its number in the table of
   candidates, and reaches the call that begins the loop.  An empty asm before
   it keeps GCC from combining it with its parallel construct.  Its nowait is
   taken away: it is given back if the loop is.  */

struct candidate
{
  location_t at;
  bool nowait, last;
  /* It has nowait, and the region goes on behind it: a barrier at its end may
     be given back.  */
  bool loose () const { return nowait && !last; }
  enum gomp_amp_default mark;
  /* schedule(nonmonotonic:auto).  */
  bool any_order;
  /* It says schedule(static), and stays so unless the user lets that be
     replaced.  */
  bool says_static, kept;
  /* The chunk that it says, if any.  */
  tree chunk;
  /* Which parallel region of the file it belongs to.  */
  int region;
};

/* All candidates of the file.  */
static std::vector<candidate> candidates;

/* Regions with a loop that is no candidate, but static without a chunk.  */
static std::set<int> even_regions;

static const hwi FIRST_CHUNK = -1048576;

class before
{
public:
  before (tree decl, const gomp_amp_options &o)
    : fndecl (decl), options (o)
  {}
  void run (gimple_seq body);

private:
  struct seen
  {
    gimple *stmt;
    gimple_stmt_iterator gsi;
    gimple *construct;
    int region;
    bool last, offloaded, in_target;
    enum gomp_amp_default mark;
    enum gomp_amp_reason why;
  };
  tree fndecl;
  const gomp_amp_options &options;
  std::vector<seen> loops;
  std::vector<gimple_stmt_iterator> masters;
  std::vector<gimple *> parallels;
  /* Numbers of the function's regions, by construct; NULL: its callers'.  */
  std::map<gimple *, int> regions;

  /* The innermost parallel region or the like, and whether devices may run
     it.  */
  struct where { gimple *construct; bool offloaded, in_target; };
  void walk (gimple_seq *seq, const where &w, bool tail);
  void visit_loop (gimple_stmt_iterator i, const where &w, bool last);
  void set_marks ();
  void decide (seen &l);
  void apply (seen &l);
  static location_t place_of_loop (const seen &l);
  void make_candidate (seen &l);
  bool tell_any_team (gimple *construct);
};

static bool
nothing_after (gimple_stmt_iterator gsi)
{
  for (gsi_next (&gsi); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!is_nothing (gsi_stmt (gsi)))
      return false;
  return true;
}

/* A call that hands WHICH to libgomp.  Any other run-time library says that
   there is no such level.  */

static gcall *
hint (int which, location_t at)
{
  tree type = build_function_type_list (integer_type_node, integer_type_node,
					NULL_TREE);
  tree decl = build_fn_decl ("omp_get_ancestor_thread_num", type);
  gcall *call = gimple_build_call (decl, 1,
				   build_int_cst (integer_type_node, -which));
  gimple_set_location (call, at);
  return call;
}

/* Take the first clause of kind CODE out of the list CLAUSES.  */

static void
drop_clause (tree *clauses, enum omp_clause_code code)
{
  for (tree *p = clauses; *p; p = &OMP_CLAUSE_CHAIN (*p))
    if (OMP_CLAUSE_CODE (*p) == code)
      {
	*p = OMP_CLAUSE_CHAIN (*p);
	break;
      }
}

/* The loop S at I.  */

void
before::visit_loop (gimple_stmt_iterator i, const where &w, bool last)
{
  static int count;
  gimple *s = gsi_stmt (i);
  int &region = regions[w.construct];
  if (!region)
    region = ++count;
  seen l = { s, i, w.construct, region, last, w.offloaded, w.in_target,
	     GOMP_AMP_UNMARKED, GOMP_AMP_SCHEDULE };
  if (gimple_omp_for_kind (s) == GF_OMP_FOR_KIND_FOR)
    loops.push_back (l);
}

/* The code in SEQ.  TAIL: the region ends where SEQ does.  */

void
before::walk (gimple_seq *seq, const where &w, bool tail)
{
  for (gimple_stmt_iterator i = gsi_start (*seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *s = gsi_stmt (i);
      bool last = tail && w.construct && nothing_after (i);
      where in = w;
      switch (gimple_code (s))
	{
	case GIMPLE_BIND:
	  walk (gimple_bind_body_ptr (as_a <gbind *> (s)), w, last);
	  break;
	case GIMPLE_TRY:
	  {
	    bool clean = true;
	    if (gimple_try_kind (s) == GIMPLE_TRY_FINALLY)
	      for (gimple_stmt_iterator c
		     = gsi_start (*gimple_try_cleanup_ptr (s));
		   !gsi_end_p (c); gsi_next (&c))
		clean &= is_nothing (gsi_stmt (c));
	    walk (gimple_try_eval_ptr (s), w, last && clean);
	    walk (gimple_try_cleanup_ptr (s), w, false);
	    break;
	  }
	case GIMPLE_CATCH:
	  walk (gimple_catch_handler_ptr (as_a <gcatch *> (s)), w, false);
	  break;
	case GIMPLE_EH_FILTER:
	  walk (gimple_eh_filter_failure_ptr (s), w, false);
	  break;
	case GIMPLE_EH_ELSE:
	  walk (gimple_eh_else_n_body_ptr (as_a <geh_else *> (s)), w, false);
	  walk (gimple_eh_else_e_body_ptr (as_a <geh_else *> (s)), w, false);
	  break;
	case GIMPLE_TRANSACTION:
	  walk (gimple_transaction_body_ptr (as_a <gtransaction *> (s)), w,
		false);
	  break;
	case GIMPLE_OMP_PARALLEL:
	  if (!w.offloaded)
	    parallels.push_back (s);
	  /* FALLTHRU */
	case GIMPLE_OMP_TASK:
	case GIMPLE_OMP_TARGET:
	case GIMPLE_OMP_TEAMS:
	  in.construct = s;
	  in.offloaded |= is_gimple_omp_offloaded (s);
	  in.in_target |= is_gimple_omp_offloaded (s);
	  walk (gimple_omp_body_ptr (s), in, true);
	  break;
	case GIMPLE_OMP_FOR:
	  walk (gimple_omp_for_pre_body_ptr (s), w, false);
	  visit_loop (i, w, last);
	  walk (gimple_omp_body_ptr (s), w, false);
	  break;
	default:
	  if (is_gimple_omp (s) && gimple_has_substatements (s))
	    walk (gimple_omp_body_ptr (s), w, false);
	  if ((gimple_code (s) == GIMPLE_OMP_MASTER
#if BUILDING_GCC_MAJOR >= 12
	       || gimple_code (s) == GIMPLE_OMP_MASKED
#endif
	       ) && !last && !w.offloaded)
	    masters.push_back (i);
	  break;
	}
    }
}

/* Which loop each pragma is about: the next one of its file.  */

void
before::set_marks ()
{
  expanded_location start = expand_location (DECL_SOURCE_LOCATION (fndecl));
  for (unsigned i = 0; i < gomp_amp_marks.length (); i++)
    {
      expanded_location at = expand_location (gomp_amp_marks[i].at);
      if (!at.file || !start.file || strcmp (at.file, start.file) != 0
	  || at.line < start.line)
	continue;
      std::map<int, std::vector<seen *> > behind;
      for (seen &l : loops)
	{
	  expanded_location x = expand_location (gimple_location (l.stmt));
	  if (x.file && strcmp (x.file, at.file) == 0 && x.line >= at.line)
	    behind[x.line].push_back (&l);
	}
      if (!behind.empty ())
	for (seen *l : behind.begin ()->second)
	  l->mark = gomp_amp_marks[i].schedule;
    }
  if (lang_GNU_Fortran ())
    for (seen &l : loops)
      l.mark = gomp_amp_sentinel (gimple_location (l.stmt));
}

/* True if an iteration of LOOP has a loop or a call, beside which it costs
   nothing to compute where a chunk begins.  */

static bool
is_long (gimple *loop)
{
  std::set<tree> labels;
  walk_stmt_info info;
  memset (&info, 0, sizeof info);
  info.info = &labels;
  gimple_seq body = gimple_omp_body (loop);
  return walk_gimple_seq (body, [] (gimple_stmt_iterator *i, bool *found,
				    walk_stmt_info *w) -> tree
    {
      gimple *s = gsi_stmt (*i);
      std::set<tree> &met = *(std::set<tree> *) w->info;
      tree to[2] = { NULL_TREE, NULL_TREE };
      if (glabel *l = dyn_cast <glabel *> (s))
	met.insert (gimple_label_label (l));
      else if (gcond *c = dyn_cast <gcond *> (s))
	{
	  to[0] = gimple_cond_true_label (c);
	  to[1] = gimple_cond_false_label (c);
	}
      else if (gimple_code (s) == GIMPLE_GOTO)
	to[0] = gimple_goto_dest (s);
      *found = is_gimple_call (s) || met.count (to[0]) || met.count (to[1]);
      return *found ? integer_one_node : NULL_TREE;
    }, NULL, &info) != NULL;
}

/* What the clauses of L and its author say.  */

void
before::decide (seen &l)
{
  l.why = gomp_amp_decide (l.stmt, l.offloaded);
  tree s = omp_find_clause (gimple_omp_for_clauses (l.stmt),
			    OMP_CLAUSE_SCHEDULE);
  tree chunk = s ? gomp_amp_static_chunk (s) : NULL_TREE;
  if (l.why == GOMP_AMP_REPLACEABLE
      && (l.mark == GOMP_AMP_STATIC
	  || (l.mark != GOMP_AMP_REPLACE && !options.replace_static)))
    l.why = GOMP_AMP_KEPT;
  if (l.why == GOMP_AMP_KEPT
      && (l.mark == GOMP_AMP_STATIC || options.schedule == GOMP_AMP_STATIC
	  || (chunk && integer_onep (chunk) && !is_long (l.stmt))))
    l.why = GOMP_AMP_SCHEDULE;
#if BUILDING_GCC_MAJOR >= 9
  /* The region's, too, are found by the thread's number.  */
  bool parallel = (l.construct
		   && gimple_code (l.construct) == GIMPLE_OMP_PARALLEL);
  for (int of = 0; of < 1 + parallel; of++)
    for (tree c = (of ? gimple_omp_parallel_clauses (l.construct)
		   : gimple_omp_for_clauses (l.stmt));
	 c; c = OMP_CLAUSE_CHAIN (c))
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	  && OMP_CLAUSE_REDUCTION_TASK (c) && l.why == GOMP_AMP_NO_SCHEDULE)
	l.why = GOMP_AMP_TASK_REDUCTION;
#endif
  /* GCC begins it in one call with its parallel construct, chunk and all.  */
  bool constant = gimple_omp_for_combined_into_p (l.stmt);
  for (unsigned i = 0; i < gimple_omp_for_collapse (l.stmt); i++)
    constant &= (is_gimple_min_invariant (gimple_omp_for_initial (l.stmt, i))
		 && is_gimple_min_invariant (gimple_omp_for_final (l.stmt, i)));
  if (constant && (l.why == GOMP_AMP_NO_SCHEDULE
		   || l.why == GOMP_AMP_REPLACEABLE || l.why == GOMP_AMP_KEPT))
    l.why = (l.why == GOMP_AMP_NO_SCHEDULE ? GOMP_AMP_DISTRIBUTE
	     : GOMP_AMP_SCHEDULE);
  if (l.mark == GOMP_AMP_UNMARKED || l.mark == GOMP_AMP_REPLACE)
    l.mark = options.schedule;
  if (l.why == GOMP_AMP_NO_SCHEDULE && l.mark == GOMP_AMP_STATIC)
    l.why = GOMP_AMP_OPTED_OUT;
}

/* Where L is for people.  Of what begins its construct GCC's Fortran front end
   says where the body begins.  */

location_t
before::place_of_loop (const seen &l)
{
  bool whole = (l.construct
		&& gimple_code (l.construct) == GIMPLE_OMP_PARALLEL
		&& gimple_omp_parallel_combined_p (l.construct));
  return gimple_location (whole ? l.construct : l.stmt);
}

void
before::make_candidate (seen &l)
{
  location_t at = place_of_loop (l);
  tree clauses = gimple_omp_for_clauses (l.stmt);
  tree old = omp_find_clause (clauses, OMP_CLAUSE_SCHEDULE);
  candidate c = { at, omp_find_clause (clauses, OMP_CLAUSE_NOWAIT) != NULL_TREE,
		  l.last, l.mark,
		  old && (OMP_CLAUSE_SCHEDULE_KIND (old)
			  & OMP_CLAUSE_SCHEDULE_NONMONOTONIC),
		  l.why != GOMP_AMP_NO_SCHEDULE, l.why == GOMP_AMP_KEPT,
		  old ? gomp_amp_static_chunk (old) : NULL_TREE, l.region };
  if (c.loose () && c.mark != GOMP_AMP_STEADY && !c.says_static)
    drop_clause (&clauses, OMP_CLAUSE_NOWAIT);
  if (c.kept && !c.chunk)
    even_regions.insert (l.region);
  drop_clause (&clauses, OMP_CLAUSE_SCHEDULE);
  tree s = build_omp_clause (at, OMP_CLAUSE_SCHEDULE);
  OMP_CLAUSE_SCHEDULE_KIND (s)
    = (omp_clause_schedule_kind) (OMP_CLAUSE_SCHEDULE_DYNAMIC
				  | OMP_CLAUSE_SCHEDULE_NONMONOTONIC);
  OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (s)
    = build_int_cst (long_integer_type_node,
		     FIRST_CHUNK - (hwi) candidates.size ());
  OMP_CLAUSE_CHAIN (s) = clauses;
  gimple_omp_for_set_clauses (l.stmt, s);
  if (l.construct && gimple_code (l.construct) == GIMPLE_OMP_PARALLEL
      && !gimple_omp_for_combined_into_p (l.stmt))
    gimple_omp_parallel_set_combined_p (l.construct, false);
  gasm *nothing = gimple_build_asm_vec ("", NULL, NULL, NULL, NULL);
  gimple_asm_set_volatile (nothing, true);
  gimple_set_location (nothing, at);
  gsi_insert_before (&l.gsi, nothing, GSI_SAME_STMT);
  candidates.push_back (c);
}

/* Change L's clauses, and put notes for libgomp behind what stays inlined.  */

void
before::apply (seen &l)
{
  if (!gomp_amp_reasons[l.why].decision)
    {
      make_candidate (l);
      return;
    }
  tree clauses = gimple_omp_for_clauses (l.stmt);
  bool nowait = omp_find_clause (clauses, OMP_CLAUSE_NOWAIT) != NULL_TREE;
  bool inlined = true;
  tree c = omp_find_clause (clauses, OMP_CLAUSE_SCHEDULE);
  if (l.why == GOMP_AMP_SCHEDULE && c)
    {
      inlined = (is_kind (c, OMP_CLAUSE_SCHEDULE_STATIC)
		 || is_kind (c, OMP_CLAUSE_SCHEDULE_AUTO));
    }
  if (l.why != GOMP_AMP_SCHEDULE || gomp_amp_says_static (c))
    even_regions.insert (l.region);
  if (!inlined || !nowait || l.last)
    return;
  if (l.offloaded && l.in_target)
    return;
  if (l.offloaded)
    {
      /* On the host it may stand before a converted loop; devices know no
	 notes.  */
      drop_clause (&clauses, OMP_CLAUSE_NOWAIT);
      gimple_omp_for_set_clauses (l.stmt, clauses);
    }
  else
    gsi_insert_after (&l.gsi, hint (GOMP_AMP_HINT_STATIC,
				    gimple_location (l.stmt)), GSI_SAME_STMT);
}

/* Have CONSTRUCT's threads tell libgomp, where the region begins, if a team of
   any size suits it, as far as is seen before functions are judged.  True if
   they do.  */

bool
before::tell_any_team (gimple *construct)
{
  for (seen &l : loops)
    if (l.construct == construct
	&& (l.mark == GOMP_AMP_STEADY
	    || (l.why != GOMP_AMP_NO_SCHEDULE && l.why != GOMP_AMP_KEPT)))
      return false;
  gbind *b = dyn_cast <gbind *> (gimple_seq_first_stmt
				   (gimple_omp_body (construct)));
  if (!b || options.portable || !any_team ().suits (construct))
    return false;
  gimple_stmt_iterator i = gsi_start (*gimple_bind_body_ptr (b));
  gsi_insert_before (&i, hint (GOMP_AMP_HINT_ANY_TEAM,
			       gimple_location (construct)), GSI_SAME_STMT);
  return true;
}

static void list_loop (const gomp_amp_options &options, location_t where,
		       bool converted, const std::string &text);

void
before::run (gimple_seq body)
{
  where w = { NULL, false, false };
  w.offloaded = lookup_attribute ("omp declare target",
				  DECL_ATTRIBUTES (fndecl)) != NULL_TREE;
  walk (&body, w, false);
  if (loops.empty () && masters.empty ())
    return;
  set_marks ();
  for (seen &l : loops)
    decide (l);
  std::set<gimple *> told;
  for (gimple *p : parallels)
    if (tell_any_team (p))
      told.insert (p);
  for (seen &l : loops)
    {
      if (l.why == GOMP_AMP_KEPT && !told.count (l.construct))
	l.why = GOMP_AMP_SCHEDULE;
      const gomp_amp_reason_name &n = gomp_amp_reasons[l.why];
      if (n.decision)
	list_loop (options, place_of_loop (l), false,
		   std::string (n.decision) + ": " + n.reason);
      apply (l);
    }
  for (gimple_stmt_iterator &m : masters)
    gsi_insert_after (&m, hint (GOMP_AMP_HINT_STATIC,
				gimple_location (gsi_stmt (m))), GSI_SAME_STMT);
}

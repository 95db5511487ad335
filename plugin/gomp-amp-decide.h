/* Which worksharing loops take their schedule from OMP_SCHEDULE.
   SPDX-License-Identifier: GPL-3.0-or-later

   The one place that decides whether a loop without a schedule clause, or with
   schedule(auto), is converted, that is, divided by libgomp, and that gives it
   the clause; and whether schedule(static) may be replaced.
   A program that is right when such loops are static must stay right, so the
   loop then ends with a barrier, and what relies on static's division in ways
   that can be seen stays static.  The plugin and the patched compilers
   (gcc/omp-low) include this very file, so that both decide alike for every
   loop.  It must be asked before omplower, when all clauses are still the
   user's.  It is compiled by whatever builds GCC 8 and later, hence C++98.

   README.md lists the reasons in prose.  */

#ifndef GOMP_AMP_DECIDE_H
#define GOMP_AMP_DECIDE_H 1

#include "bversion.h"
#include "gomp-amp-region.h"
#include "gomp-amp-replace.h"
#include "clauses.h"

/* A worksharing loop and what is decided about it.  */

struct gomp_amp_decided
{
  gomp_amp_loop *loop;
  gomp_amp_region *region;
  enum gomp_amp_reason why;
  enum gomp_amp_default mark;
  /* If it is converted: a thread's iterations need not ascend.  */
  bool any_order;
  /* Where the reason is seen, and what it is about.  */
  location_t at;
  tree what;
};

/* Work for one function.  */

class gomp_amp_function
{
public:
  gomp_amp_function (tree decl, const gomp_amp_options &o)
    : fndecl (decl), options (o)
  {}
  ~gomp_amp_function ();
  void run (gimple_seq body);

private:
  tree fndecl;
  const gomp_amp_options &options;
  gomp_amp_context context;
  auto_vec<gomp_amp_region *> regions;
  auto_vec<gomp_amp_decided> loops;

  void add_region (gimple *construct, gimple_seq *body, bool offloaded,
		   bool in_target);
  void set_marks ();
  void judge (gomp_amp_decided &d);
  void judge_static (gomp_amp_decided &d);
  void judge_regions ();
  void judge_together ();
  void list (const gomp_amp_decided &d);
  void apply (gomp_amp_decided &d);
  void begin (gomp_amp_decided &d, tree c, unsigned told);
  static gimple *hint (int which, location_t at);
};

static inline bool
gomp_amp_is_runtime (enum gomp_amp_reason why)
{
  return why <= GOMP_AMP_STEADILY;
}

gomp_amp_function::~gomp_amp_function ()
{
  for (unsigned i = 0; i < regions.length (); i++)
    delete regions[i];
}

void
gomp_amp_function::add_region (gimple *construct, gimple_seq *body,
			       bool offloaded, bool in_target)
{
  gomp_amp_region *region
    = new gomp_amp_region (context, construct, offloaded);
  regions.safe_push (region);
  region->in_target = in_target;
  if (!construct)
    region->function_decl = fndecl;
  region->read (body);
  for (unsigned i = 0; i < region->loops.length (); i++)
    {
      gomp_amp_decided d;
      memset (&d, 0, sizeof d);
      d.loop = &region->loops[i];
      d.region = region;
      d.mark = GOMP_AMP_UNMARKED;
      loops.safe_push (d);
    }
  for (unsigned i = 0; i < region->inner.length (); i++)
    {
      gimple *stmt = region->inner[i];
      bool target = is_gimple_omp_offloaded (stmt);
      add_region (stmt, gimple_omp_body_ptr (stmt), offloaded || target,
		  in_target || target);
    }
}

/* Which loop each pragma is about: the next one of its file.  */

void
gomp_amp_function::set_marks ()
{
  expanded_location start = expand_location (DECL_SOURCE_LOCATION (fndecl));
  for (unsigned i = 0; i < gomp_amp_marks.length (); i++)
    {
      expanded_location at = expand_location (gomp_amp_marks[i].at);
      if (!at.file || !start.file || strcmp (at.file, start.file) != 0
	  || at.line < start.line)
	continue;
      int next = 0;
      for (int round = 0; round < 2; round++)
	for (unsigned j = 0; j < loops.length (); j++)
	  {
	    expanded_location l
	      = expand_location (gimple_location (loops[j].loop->stmt));
	    if (!l.file || strcmp (l.file, at.file) != 0 || l.line < at.line)
	      continue;
	    if (round == 0)
	      next = next == 0 ? l.line : MIN (next, l.line);
	    else if (l.line == next)
	      loops[j].mark = gomp_amp_marks[i].schedule;
	  }
    }
  if (lang_GNU_Fortran ())
    for (unsigned j = 0; j < loops.length (); j++)
      loops[j].mark
	= gomp_amp_sentinel (gimple_location (loops[j].loop->stmt));
}

/* Decide about a loop that says schedule(static).  */

void
gomp_amp_function::judge_static (gomp_amp_decided &d)
{
  if (d.mark == GOMP_AMP_STATIC
      || (d.mark != GOMP_AMP_REPLACE && !options.replace_static)
      || (options.reproducible && d.loop->sums))
    d.why = GOMP_AMP_SCHEDULE;
}

/* Decide about one loop by itself.  */

void
gomp_amp_function::judge (gomp_amp_decided &d)
{
  gomp_amp_loop *loop = d.loop;
  d.why = gomp_amp_decide (loop->stmt, loop->offloaded);
  if (d.why == GOMP_AMP_REPLACEABLE)
    judge_static (d);
  if (d.mark == GOMP_AMP_UNMARKED || d.mark == GOMP_AMP_REPLACE)
    d.mark = options.schedule;
  if (d.why != GOMP_AMP_NO_SCHEDULE)
    return;
  if (d.mark == GOMP_AMP_STATIC)
    {
      d.why = GOMP_AMP_OPTED_OUT;
      return;
    }
  const gomp_amp_finding *f = NULL;
  if (loop->sync.found)
    d.why = GOMP_AMP_HAND_SYNC, f = &loop->sync;
  else if (loop->beside_sync && d.mark != GOMP_AMP_STEADY)
    d.why = GOMP_AMP_SYNC_BESIDE, f = &loop->sync;
  else if (loop->number.found)
    d.why = GOMP_AMP_THREAD_NUMBER, f = &loop->number;
  else if (loop->before.found)
    d.why = GOMP_AMP_NUMBER_BEFORE, f = &loop->before;
  else if (loop->tls.found)
    d.why = GOMP_AMP_THREAD_LOCAL, f = &loop->tls;
  else if (loop->carried.found)
    d.why = GOMP_AMP_CARRIED, f = &loop->carried;
  if (f)
    {
      d.at = f->at;
      d.what = f->what;
    }
  if (d.mark == GOMP_AMP_STEADY)
    d.why = GOMP_AMP_STEADILY;
  else if (d.mark == GOMP_AMP_FREE && f)
    d.why = GOMP_AMP_FREED;
  if (gomp_amp_is_runtime (d.why) && options.reproducible && loop->sums)
    d.why = GOMP_AMP_REPRODUCIBLE;
  tree c = omp_find_clause (gimple_omp_for_clauses (loop->stmt),
			    OMP_CLAUSE_SCHEDULE);
  d.any_order = (d.mark == GOMP_AMP_FREE
		 || (d.mark == GOMP_AMP_RUNTIME
		     && (loop->any_order
			 || (c && (OMP_CLAUSE_SCHEDULE_KIND (c)
				   & OMP_CLAUSE_SCHEDULE_NONMONOTONIC)))));
}

/* Decide where another loop matters.  */

void
gomp_amp_function::judge_together ()
{
  for (unsigned i = 0; i < loops.length (); i++)
    for (unsigned j = 0; j < loops.length (); j++)
      {
	gomp_amp_decided &d = loops[i];
	const gomp_amp_decided &e = loops[j];
	if (i == j || d.why != GOMP_AMP_NO_SCHEDULE
	    || d.mark != GOMP_AMP_RUNTIME || e.mark == GOMP_AMP_FREE
	    || e.mark == GOMP_AMP_STEADY)
	  continue;
	if (d.loop->number_alone && e.loop->number.found)
	  {
	    d.why = GOMP_AMP_NUMBER_BESIDE;
	    d.at = gimple_location (e.loop->stmt);
	  }
      }
  for (unsigned i = 0; i < loops.length (); i++)
    {
      gomp_amp_decided &d = loops[i];
      if (d.region->blocks > d.loop->end && d.loop->accumulates
	  && d.mark == GOMP_AMP_RUNTIME && d.why == GOMP_AMP_NO_SCHEDULE)
	{
	  d.why = GOMP_AMP_ADDS_BESIDE;
	  d.at = d.region->blocks_at;
	}
    }
  for (unsigned i = 0; i < loops.length (); i++)
    for (unsigned j = 0; j < loops.length (); j++)
      {
	gomp_amp_decided &d = loops[i];
	const gomp_amp_decided &e = loops[j];
	/* Threads may note by number what they have added up, and find it
	   in another region.  */
	if ((d.region != e.region
	     && !(d.region->noted && e.region->numbered ()))
	    || !d.loop->accumulates || d.why != GOMP_AMP_NO_SCHEDULE
	    || d.mark != GOMP_AMP_RUNTIME)
	  continue;
	bool relies = (e.why == GOMP_AMP_THREAD_NUMBER
		       || e.why == GOMP_AMP_NUMBER_BESIDE
		       || e.why == GOMP_AMP_THREAD_LOCAL
		       || e.why == GOMP_AMP_CARRIED);
	if ((e.why == GOMP_AMP_SCHEDULE || e.why == GOMP_AMP_REPLACEABLE)
	    && (e.loop->number.found || e.loop->carried.found
		|| e.loop->tls.found))
	  {
	    tree c = omp_find_clause (gimple_omp_for_clauses (e.loop->stmt),
				      OMP_CLAUSE_SCHEDULE);
	    relies = ((OMP_CLAUSE_SCHEDULE_KIND (c)
		       & OMP_CLAUSE_SCHEDULE_MASK)
		      == OMP_CLAUSE_SCHEDULE_STATIC);
	  }
	if (relies)
	  {
	    d.why = GOMP_AMP_ADDS_BESIDE;
	    d.at = gimple_location (e.loop->stmt);
	  }
      }
}

/* True if the loop of D is dealt by the code itself, without a chunk, and the
   same way in all its region.  */

static bool
gomp_amp_stays_even (const gomp_amp_decided &d)
{
  if (d.why == GOMP_AMP_SCHEDULE)
    {
      tree c = omp_find_clause (gimple_omp_for_clauses (d.loop->stmt),
				OMP_CLAUSE_SCHEDULE);
      return gomp_amp_says_static (c);
    }
  return d.why > GOMP_AMP_SCHEDULE && d.why != GOMP_AMP_NOT_WORKSHARING;
}

/* Static loops of one length are divided alike in a region: all may be
   replaced or none.  */

void
gomp_amp_function::judge_regions ()
{
  for (unsigned i = 0; i < loops.length (); i++)
    if (gomp_amp_stays_even (loops[i]))
      for (unsigned j = 0; j < loops.length (); j++)
	if (loops[j].region == loops[i].region
	    && loops[j].why == GOMP_AMP_REPLACEABLE)
	  {
	    loops[j].why = GOMP_AMP_STATIC_BESIDE;
	    loops[j].at = gimple_location (loops[i].loop->stmt);
	  }
}

/* Tell the user.  */

void
gomp_amp_function::list (const gomp_amp_decided &d)
{
  const gomp_amp_reason_name *name = &gomp_amp_reasons[d.why];
  const gomp_amp_loop *loop = d.loop;
  if (!name->decision)
    return;
  location_t where = gimple_location (loop->stmt);
  expanded_location at = expand_location (where);
  expanded_location seen = expand_location (d.at);
  const char *what = NULL;
  if (d.what && DECL_P (d.what) && DECL_NAME (d.what))
    what = IDENTIFIER_POINTER (DECL_NAME (d.what));

  /* What follows the reason: parts, each after a semicolon.  */
  char detail[512];
  int n = 0;
  detail[0] = 0;
  if (d.at != UNKNOWN_LOCATION && seen.line)
    n += snprintf (detail + n, sizeof detail - n, "; line %d%s%.60s", seen.line,
		   what ? ": " : "", what ? what : "");
  if (d.why == GOMP_AMP_REPLACEABLE && d.region->bound)
    n += snprintf (detail + n, sizeof detail - n, "; bound");
  if (gomp_amp_is_runtime (d.why))
    {
      if (loop->nowait && !loop->last && d.why != GOMP_AMP_STEADILY)
	n += snprintf (detail + n, sizeof detail - n, "; barrier instead of"
		       " nowait");
      if (loop->sums)
	n += snprintf (detail + n, sizeof detail - n, "; sums");
      if (d.any_order)
	n += snprintf (detail + n, sizeof detail - n, "; any order");
      if (loop->unknown.found)
	{
	  tree fn = loop->unknown.what;
	  n += snprintf (detail + n, sizeof detail - n, "; calls %.60s",
			 fn && *gomp_amp_name (fn) ? gomp_amp_name (fn)
						   : "through a pointer");
	  if (loop->unknowns > 1)
	    n += snprintf (detail + n, sizeof detail - n, " and %u more",
			   loop->unknowns - 1);
	}
    }
  if (options.dump)
    {
      /* A line is written at once, so that compilers running in parallel may
	 share the file.  */
      fprintf (options.dump, "%s:%d: %s %s%s\n",
	       at.file ? at.file : "<unknown>", at.line, name->decision,
	       name->reason, detail);
      fflush (options.dump);
    }
  if (dump_enabled_p ())
    {
#if BUILDING_GCC_MAJOR >= 9
      dump_user_location_t place (loop->stmt);
#else
      location_t place = where;
#endif
      dump_printf_loc (gomp_amp_is_runtime (d.why) ? MSG_OPTIMIZED_LOCATIONS
						   : MSG_MISSED_OPTIMIZATION,
		       place, "worksharing loop: %s %s%s\n", name->decision,
		       name->reason, detail);
    }
  if (options.warn >= 0 && name->text
      && warning_at (where, options.warn,
		     "this loop relies on the static schedule without asking"
		     " for it: %s", name->text)
      && d.at != UNKNOWN_LOCATION)
    inform (d.at, "this is where");
}

/* A call that hands WHICH to libgomp.  Any other run-time library says that
   there is no such level.  */

gimple *
gomp_amp_function::hint (int which, location_t at)
{
  tree type = build_function_type_list (integer_type_node, integer_type_node,
					NULL_TREE);
  tree decl = build_fn_decl ("omp_get_ancestor_thread_num", type);
  gimple *call = gimple_build_call (decl, 1,
				    build_int_cst (integer_type_node, -which));
  gimple_set_location (call, at);
  return call;
}

/* Have the loop of D begun by libgomp, as gomp-amp-replace.h says, which is
   told TOLD of it.  C is its schedule clause.  */

void
gomp_amp_function::begin (gomp_amp_decided &d, tree c, unsigned told)
{
  gimple *stmt = d.loop->stmt;
  OMP_CLAUSE_SCHEDULE_KIND (c)
    = (omp_clause_schedule_kind) (OMP_CLAUSE_SCHEDULE_DYNAMIC
				  | OMP_CLAUSE_SCHEDULE_NONMONOTONIC);
  OMP_CLAUSE_SCHEDULE_SIMD (c) = 0;
  OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (c)
    = build_int_cst (long_integer_type_node, gomp_amp_chunk_of (told));
  gomp_amp_want_replace_pass ();

  /* GOMP_parallel_loop_* would begin the loop elsewhere.  A parallel construct
     that holds nothing else is combined even if it does not say so.  */
  gimple *outer = d.region->construct;
  if (!outer || gimple_code (outer) != GIMPLE_OMP_PARALLEL
      || gimple_omp_for_combined_into_p (stmt))
    return;
  gimple_omp_parallel_set_combined_p (outer, false);
  gasm *nothing = gimple_build_asm_vec ("", NULL, NULL, NULL, NULL);
  gimple_asm_set_volatile (nothing, true);
  gimple_set_location (nothing, gimple_location (stmt));
  gsi_insert_before (&d.loop->gsi, nothing, GSI_SAME_STMT);
}

/* Take the first clause of kind CODE out of the list CLAUSES.  */

static void
gomp_amp_drop (tree *clauses, enum omp_clause_code code)
{
  for (tree *p = clauses; *p; p = &OMP_CLAUSE_CHAIN (*p))
    if (OMP_CLAUSE_CODE (*p) == code)
      {
	*p = OMP_CLAUSE_CHAIN (*p);
	break;
      }
}

/* Change the loop as was decided.  */

void
gomp_amp_function::apply (gomp_amp_decided &d)
{
  gimple *stmt = d.loop->stmt;
  location_t at = gimple_location (stmt);
  tree clauses = gimple_omp_for_clauses (stmt);
  if (gomp_amp_is_runtime (d.why))
    {
      if (d.loop->nowait && !d.loop->last && d.why != GOMP_AMP_STEADILY)
	gomp_amp_drop (&clauses, OMP_CLAUSE_NOWAIT);
      /* schedule(auto).  */
      gomp_amp_drop (&clauses, OMP_CLAUSE_SCHEDULE);
      tree c = build_omp_clause (at, OMP_CLAUSE_SCHEDULE);
      OMP_CLAUSE_CHAIN (c) = clauses;
      gimple_omp_for_set_clauses (stmt, c);
      if (options.portable)
	{
	  int kind = OMP_CLAUSE_SCHEDULE_RUNTIME;
#if BUILDING_GCC_MAJOR >= 9
	  kind |= OMP_CLAUSE_SCHEDULE_NONMONOTONIC;
#endif
	  OMP_CLAUSE_SCHEDULE_KIND (c) = (omp_clause_schedule_kind) kind;
	  return;
	}
      begin (d, c, (d.any_order ? GOMP_AMP_TOLD_ANY_ORDER : 0)
		   | (d.why == GOMP_AMP_STEADILY ? GOMP_AMP_TOLD_STEADY : 0)
		   | (d.loop->sums ? GOMP_AMP_TOLD_SUMS : 0));
      return;
    }
  if (d.why == GOMP_AMP_REPLACEABLE)
    {
      begin (d, omp_find_clause (clauses, OMP_CLAUSE_SCHEDULE),
	     GOMP_AMP_TOLD_STATIC
	     | (d.region->bound ? GOMP_AMP_TOLD_BOUND : 0));
      if (d.loop->nowait && !d.loop->last)
	gsi_insert_after (&d.loop->gsi, hint (GOMP_AMP_HINT_REPLACEABLE, at),
			  GSI_SAME_STMT);
      return;
    }
  bool inlined = true;
  if (d.why == GOMP_AMP_SCHEDULE)
    {
      tree c = omp_find_clause (clauses, OMP_CLAUSE_SCHEDULE);
      int kind = OMP_CLAUSE_SCHEDULE_KIND (c) & OMP_CLAUSE_SCHEDULE_MASK;
      inlined = (kind == OMP_CLAUSE_SCHEDULE_STATIC
		 || kind == OMP_CLAUSE_SCHEDULE_AUTO);
    }
  if (inlined && d.loop->nowait && !d.loop->last && d.loop->offloaded
      && !d.region->in_target && !d.loop->beside_sync
      && d.why != GOMP_AMP_NOT_WORKSHARING)
    {
      /* On the host it may stand before a converted loop; devices know no
	 notes.  */
      gomp_amp_drop (&clauses, OMP_CLAUSE_NOWAIT);
      gimple_omp_for_set_clauses (stmt, clauses);
    }
  else if (inlined && d.loop->nowait && !d.loop->last && !d.loop->offloaded
	   && d.why != GOMP_AMP_NOT_WORKSHARING)
    gsi_insert_after (&d.loop->gsi, hint (GOMP_AMP_HINT_STATIC, at),
		      GSI_SAME_STMT);
}

/* Callback of walk_gimple_seq: is there anything to do?  */

static tree
gomp_amp_concerns (gimple_stmt_iterator *gsi, bool *handled, walk_stmt_info *)
{
  switch (gimple_code (gsi_stmt (*gsi)))
    {
    case GIMPLE_OMP_FOR:
    case GIMPLE_OMP_MASTER:
#if BUILDING_GCC_MAJOR >= 12
    case GIMPLE_OMP_MASKED:
#endif
      *handled = true;
      return integer_one_node;
    default:
      return NULL_TREE;
    }
}

void
gomp_amp_function::run (gimple_seq body)
{
  walk_stmt_info wi;
  memset (&wi, 0, sizeof wi);
  if (!walk_gimple_seq (body, gomp_amp_concerns, NULL, &wi))
    return;
  add_region (NULL, &body,
	      lookup_attribute ("omp declare target",
				DECL_ATTRIBUTES (fndecl)) != NULL_TREE,
	      false);
  set_marks ();
  for (unsigned i = 0; i < loops.length (); i++)
    judge (loops[i]);
  judge_together ();
  judge_regions ();
  for (unsigned i = 0; i < loops.length (); i++)
    {
      list (loops[i]);
      apply (loops[i]);
    }
  for (unsigned i = 0; i < regions.length (); i++)
    for (unsigned j = 0; j < regions[i]->masters.length (); j++)
      {
	gimple_stmt_iterator gsi = regions[i]->masters[j];
	gsi_insert_after (&gsi, hint (GOMP_AMP_HINT_STATIC,
				      gimple_location (gsi_stmt (gsi))),
			  GSI_SAME_STMT);
      }
}

/* Give the worksharing loops of FNDECL, whose body is BODY, their
   schedules.  */

static void
gomp_amp_default_schedules (tree fndecl, gimple_seq body,
			    const gomp_amp_options &options)
{
  if (options.schedule == GOMP_AMP_LEFT)
    return;
  gomp_amp_function function (fndecl, options);
  function.run (body);
}

#endif

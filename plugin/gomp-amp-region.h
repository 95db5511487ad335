/* One parallel region, or a function outside of any, as a list of statements.
   SPDX-License-Identifier: GPL-3.0-or-later

   Answers what gomp-amp-decide.h asks about the worksharing loops of a region:
   what they carry from one iteration to the next, what they do with the
   thread number, and what they are reached from without a barrier.  Part of
   plugin and patched compilers, and C++98.  */

#ifndef GOMP_AMP_REGION_H
#define GOMP_AMP_REGION_H 1

#include "gomp-amp-body.h"

/* EXPR: the component that is meant, or NULL for all of DECL.  */

struct gomp_amp_ref
{
  tree decl;
  tree expr;
  enum gomp_amp_ref_kind kind;
};

/* The INDEXth of some list is at POS.  */

struct gomp_amp_mark_at
{
  unsigned pos, index;

  static bool
  before (const gomp_amp_mark_at &a, const gomp_amp_mark_at &b)
  {
    return a.pos < b.pos;
  }

  static int
  compare (const void *a, const void *b)
  {
    const gomp_amp_mark_at *x = (const gomp_amp_mark_at *) a;
    const gomp_amp_mark_at *y = (const gomp_amp_mark_at *) b;
    return (x->pos != y->pos ? (x->pos < y->pos ? -1 : 1)
	    : (int) x->index - (int) y->index);
  }
};

/* The first of MARKS at POS or behind it.  */

static unsigned
gomp_amp_first_at (const vec<gomp_amp_mark_at> &marks, unsigned pos)
{
  gomp_amp_mark_at at = { pos, 0 };
  return marks.lower_bound (at, gomp_amp_mark_at::before);
}

static void
gomp_amp_mark_pos (vec<gomp_amp_mark_at> &marks, unsigned pos, unsigned index)
{
  gomp_amp_mark_at at = { pos, index };
  marks.safe_push (at);
}

/* What is found in a loop; AT is where.  */

struct gomp_amp_finding
{
  bool found;
  location_t at;
  tree what;

  /* The first one counts.  */
  void
  note (location_t where, tree object)
  {
    if (found)
      return;
    found = true;
    at = where;
    what = object;
  }
};

/* Memory of ROOT is read, or may be written, by the statement at POS.  */

struct gomp_amp_place
{
  unsigned pos;
  tree root;
  bool writes;
};

/* FIELD of CLOSURE points to DECL.  */

struct gomp_amp_capture
{
  tree closure, field, decl;
};

struct gomp_amp_loop
{
  gimple *stmt;
  gimple_stmt_iterator gsi;
  /* Its body is the code of the region from BEGIN up to END.  */
  unsigned begin, end;
  /* The region's own barrier follows at once.  */
  bool last;
  bool nowait;
  bool offloaded;

  gomp_amp_finding sync, number, carried, tls, unknown;
  unsigned unknowns;
  /* Adds up floating-point numbers, in an order that is the schedule's.  */
  bool sums;
  /* See gomp-amp-order.h.  */
  bool any_order;
  /* Adds to private variables, or to what the thread number selects.  */
  bool accumulates;
  /* Uses what threads write by their number before it, without a barrier.  */
  gomp_amp_finding before;
  /* Uses the thread number in sums, or notes it, and not otherwise.  */
  bool number_alone;
  /* Between two barriers with synchronisation by hand.  */
  bool beside_sync;
};

class gomp_amp_region
{
public:
  gomp_amp_region (gomp_amp_context &context, gimple *construct,
		   bool is_offloaded);

  /* Read the code in SEQ and analyse its loops.  */
  void read (gimple_seq *seq);

  /* What FNDECL does with the thread number, as if it were a loop's body.  */
  void read_callee (tree fndecl, gomp_amp_loop &loop, unsigned depth);

  auto_vec<gomp_amp_loop> loops;
  /* After which a note is due: constructs for one given thread.  */
  auto_vec<gimple_stmt_iterator> masters;
  /* Constructs whose bodies are other regions.  */
  auto_vec<gimple *> inner;
  gimple *construct;
  bool offloaded;
  /* In a target construct: a device's only.  */
  bool in_target;
  /* The function, where the region is all of it.  */
  tree function_decl;
  /* What its loops do may need the same blocks from its beginning to its
     end, across barriers too.  */
  bool bound;

  /* Its code asks for the thread number; its threads write by number what
     they find out.  */
  bool
  numbered ()
  {
    return region_number.elements () > 0;
  }
  bool noted;
  /* The last place, if not 0, where a loop runs as often as the thread number
     says: over blocks or earlier threads.  */
  unsigned blocks;
  location_t blocks_at;

private:
  gomp_amp_context &ctx;
  /* So many critical constructs are around what is being read.  */
  unsigned locked;
  gomp_amp_reader reader;
  auto_vec<gimple *> code;
  hash_map<tree, unsigned> declared;
  hash_map<tree, unsigned> labels;
  hash_set<tree> shared;
  /* Code that only exceptions lead to.  */
  auto_vec<gomp_amp_range> handlers;
  /* Tests at the beginning of a loop, at FIRST, whose way out is taken to be
     at its end, LAST.  */
  auto_vec<gomp_amp_range> late;
  /* Where those begin and end, and handlers and loops begin.  */
  auto_vec<gomp_amp_mark_at> late_at, handler_at, loop_at;
  auto_vec<unsigned> barriers, constructs;
  auto_vec<gomp_amp_ref> refs;
  auto_vec<unsigned> first_ref;
  /* Made of the thread number; of how many threads there are.  */
  hash_set<tree> region_number, team;
  /* Bodies of critical constructs.  */
  auto_vec<gomp_amp_range> criticals;
  /* What pointers point into: a variable; a container or what stands for
     memory, if they point behind it.  */
  hash_map<tree, tree> aliases, elements;
  /* What stands for memory that calls give.  */
  hash_set<tree> memories;
  /* Variables that stand for what is behind others, and what these are.  */
  hash_map<tree, tree> insides, outsides;
  /* Variables that stand for one place of each thread's own, by the pointers
     there, and the other way.  */
  hash_map<tree, tree> owns, owners;
  /* Names that hold what a parameter does, or a field of what that points
     to.  */
  hash_map<tree, tree> parameters;
  /* The user's pointer that a temporary one is made of.  */
  hash_map<tree, tree> via;
  /* Whether what these lead to is scratch () in the current loop.  */
  hash_map<tree, bool> scratches;
  /* What each thread collects may be put together by its number, or in the
     order of an ordered loop over threads.  */
  bool joined;
  /* What objects that lambda expressions make refer to.  */
  auto_vec<gomp_amp_capture> captures;

  /* Of the loop that is being looked at.  */
  hash_map<tree, unsigned> def_at;
  hash_map<tree, unsigned> defs, uses;
  /* Made of its iterators, see index_values ().  */
  hash_set<tree> index, coarse;
  unsigned from, to;
  unsigned depth;

  void flatten (gimple_seq *seq, bool tail);
  static bool nothing (gimple *stmt);
  static bool nothing_after (gimple_stmt_iterator gsi);
  void push (gimple *stmt);
  void collect (gimple *stmt);
  void ref (tree decl, enum gomp_amp_ref_kind kind, tree expr = NULL_TREE);
  tree indices (tree t);
  bool component (tree t, bool write);
  void operand (tree t);
  void target (tree t);
  void argument (gimple *call, unsigned i);
  void argument_of (gimple *call, unsigned i, tree fndecl, tree object,
		    bool behind);
  void point (gimple *stmt);
  void captured (tree fndecl, tree closure, unsigned arg);
  tree inside (tree object);
  tree threads_own (tree t, tree pointer);
  tree callers_own (tree t, tree pointer);
  tree users_pointer (tree t);
  tree users_own (tree pointer);
  tree handed_pointer (tree arg);
  bool scratch_at (tree pointer);
  bool scratch (tree t);
  bool hands_scratch (tree fndecl, tree arg);
  tree pointee (tree t, bool *behind);
  tree memory_of (gimple *call, tree lhs);
  void reads_first (unsigned first);
  void settle ();
  static tree visit (tree *tp, int *walk_subtrees, void *data);

  tree own_clauses () const;
  bool is_private (tree decl) const;
  void privates_of (gimple *loop, hash_set<tree> &fresh);
  unsigned label_at (tree label);
  bool skips_loop (unsigned at, unsigned taken, unsigned other) const;
  bool one_element (tree expr, tree outside, unsigned at);
  bool written_before (tree decl, tree expr, unsigned at);
  bool exposed (tree decl, tree expr = NULL_TREE, bool adds_read = false);
  bool left_behind (tree decl, tree expr, unsigned end);
  void count ();
  bool temporary (tree t) const;
  bool same (tree a, tree b, unsigned depth);
  static bool same_argument (tree a, tree b, void *data);
  bool leads_to (tree value, tree target, unsigned depth,
		 enum tree_code *op);
  bool made_from (gimple *stmt, tree target, unsigned depth,
		  enum tree_code *op);
  bool adds (gimple *stmt, bool *minmax);
  bool names (tree t, tree decl);
  static tree computed (gimple *stmt);
  tree line_of (unsigned *at);
  gcond *test_of (tree label, unsigned *i, unsigned at);
  bool guarded (unsigned at, tree decl, bool any = false);
  bool guards (unsigned at, tree decl, tree stored, bool any,
	       unsigned depth);
  void comparands (gimple *cond, unsigned at, tree *a, tree *b);
  bool first_time (unsigned at, tree decl);
  bool chooses (gimple *stmt);
  bool std_extreme (gimple *stmt);
  void index_values (gimple *loop);
  bool spans (tree decl);
  tree private_root (tree t);
  tree iterations_own (tree t, unsigned at);
  void handed_on ();
  bool reduces (gimple *loop, tree object) const;
  bool shares_words (gimple *loop, location_t *at, tree *what);
  bool counts (unsigned at);
  bool makes_room (unsigned at, tree decl);
  bool decides (tree parm);
  tree unconverted (tree value, unsigned at);
  bool orders (enum tree_code test, tree a, tree b, unsigned at, tree decl,
	       tree stored, bool any);
  bool made_of (gimple *stmt, tree value, unsigned depth);
  bool mixes (tree decl);
  bool only_branches (unsigned at);
  bool only_added (tree decl, tree expr, bool *sums, bool *accumulates,
		   bool *used_too = NULL);
  gimple *definition (tree value, unsigned at);
  bool updates (tree value, tree place, unsigned at, unsigned depth);
  int runs (gcond *cond, unsigned at);
  bool selects (hash_set<tree> &values);
  bool counts_places (gomp_amp_loop &loop, location_t *at, tree *what);
  void flow_graph (function *fn);
  void callee_code (tree fndecl, unsigned level);
  unsigned use_of (tree fndecl, unsigned arg, tree field, bool any = false);
  unsigned use_of_parm (tree parm, tree field, bool any);
  bool after_test_of (unsigned at, hash_set<tree> &pointers);
  static tree memory_base (tree t);
  tree memory_root (tree t);
  tree root_of (tree t);
  tree place (gimple *stmt, unsigned n, bool *writes, bool *by_number);
  void hand_dealt ();
  bool elements_of (tree object);
  void carried (gomp_amp_loop &loop);
  void facts (gomp_amp_loop &loop);
  bool keeps_state (const gomp_amp_loop &loop);
  bool orderless (const gomp_amp_loop &loop);
  bool orderless_statement (gimple *stmt) const;
  static bool sum_clause (tree c);
  bool is_iterator (gimple *loop, tree decl);
  void find_late_exits ();
  void flow (unsigned start, vec<bool> &seen, bool forward = false);
  void beside (gomp_amp_loop &loop);

  bool has_number (tree t, hash_set<tree> &number);
  bool address_has_number (tree t, hash_set<tree> &number);
  void propagate (unsigned first, unsigned last, hash_set<tree> &number,
		  bool ask = true);
  void thread_number (gomp_amp_loop &loop);
  bool is_number (tree value, unsigned depth);
  bool only_shows (unsigned at);
  bool emptied (tree object, unsigned at);
  bool appends (gimple *loop, unsigned at);
  bool call_with_number (gimple *call, hash_set<tree> &number,
			 gomp_amp_loop &loop, bool *alone);
};

inline
gomp_amp_region::gomp_amp_region (gomp_amp_context &context, gimple *stmt,
				  bool is_offloaded)
  : construct (stmt), offloaded (is_offloaded), in_target (false),
    function_decl (NULL_TREE),
    bound (false), noted (false), blocks (0),
    blocks_at (UNKNOWN_LOCATION),
    ctx (context), locked (0),
    reader (context, 0), joined (false), from (0), to (0), depth (0)
{
  reader.shared = &shared;
  for (tree c = own_clauses (); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED)
      shared.add (OMP_CLAUSE_DECL (c));
}

/* The clauses that say what the region's variables are.  */

inline tree
gomp_amp_region::own_clauses () const
{
  if (construct && (gimple_code (construct) == GIMPLE_OMP_PARALLEL
		    || gimple_code (construct) == GIMPLE_OMP_TASK))
    return gimple_omp_taskreg_clauses (construct);
  return NULL_TREE;
}

/* The list.  */

bool
gomp_amp_region::nothing (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_LABEL:
    case GIMPLE_DEBUG:
      return true;
    case GIMPLE_ASSIGN:
      return gimple_clobber_p (stmt);
    default:
      return false;
    }
}

bool
gomp_amp_region::nothing_after (gimple_stmt_iterator gsi)
{
  for (gsi_next (&gsi); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!nothing (gsi_stmt (gsi)))
      return false;
  return true;
}

void
gomp_amp_region::push (gimple *stmt)
{
  code.safe_push (stmt);
  first_ref.safe_push (refs.length ());
  collect (stmt);
}

static bool
gomp_amp_is_simd (gimple *loop)
{
  return gimple_omp_for_kind (loop) == GF_OMP_FOR_KIND_SIMD;
}

/* TAIL: the region ends where SEQ does.  */

void
gomp_amp_region::flatten (gimple_seq *seq, bool tail)
{
  for (gimple_stmt_iterator i = gsi_start (*seq); !gsi_end_p (i);
       gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      bool last = tail && nothing_after (i);
      bool nowait = false;

      switch (gimple_code (stmt))
	{
	case GIMPLE_BIND:
	  {
	    gbind *bind = as_a <gbind *> (stmt);
	    for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
	      if (VAR_P (v))
		{
		  declared.put (v, code.length ());
		  /* An array of variable size is behind a pointer.  */
		  tree e = (DECL_HAS_VALUE_EXPR_P (v) ? DECL_VALUE_EXPR (v)
						      : NULL_TREE);
		  if (e && TREE_CODE (e) == INDIRECT_REF
		      && gomp_amp_is_name (TREE_OPERAND (e, 0)))
		    elements.put (TREE_OPERAND (e, 0), v);
		}
	    flatten (gimple_bind_body_ptr (bind), last);
	    break;
	  }
	case GIMPLE_TRY:
	  {
	    bool finally = gimple_try_kind (stmt) == GIMPLE_TRY_FINALLY;
	    bool clean = true;
	    if (finally)
	      for (gimple_stmt_iterator c
		     = gsi_start (*gimple_try_cleanup_ptr (stmt));
		   !gsi_end_p (c); gsi_next (&c))
		clean &= nothing (gsi_stmt (c));
	    flatten (gimple_try_eval_ptr (stmt), last && clean);
	    gomp_amp_range handler = { code.length (), 0 };
	    flatten (gimple_try_cleanup_ptr (stmt), false);
	    handler.last = code.length ();
	    if (!finally)
	      handlers.safe_push (handler);
	    break;
	  }
	case GIMPLE_CATCH:
	  flatten (gimple_catch_handler_ptr (as_a <gcatch *> (stmt)), false);
	  break;
	case GIMPLE_EH_FILTER:
	  flatten (gimple_eh_filter_failure_ptr (stmt), false);
	  break;
	case GIMPLE_EH_ELSE:
	  flatten (gimple_eh_else_n_body_ptr (as_a <geh_else *> (stmt)), false);
	  flatten (gimple_eh_else_e_body_ptr (as_a <geh_else *> (stmt)), false);
	  break;
	case GIMPLE_TRANSACTION:
	  flatten (gimple_transaction_body_ptr (as_a <gtransaction *> (stmt)),
		   false);
	  break;
	case GIMPLE_OMP_PARALLEL:
	case GIMPLE_OMP_TASK:
	case GIMPLE_OMP_TARGET:
	case GIMPLE_OMP_TEAMS:
	  push (stmt);
	  inner.safe_push (stmt);
	  break;
	case GIMPLE_OMP_FOR:
	  {
	    flatten (gimple_omp_for_pre_body_ptr (stmt), false);
	    gomp_amp_loop loop;
	    memset (&loop, 0, sizeof loop);
	    loop.stmt = stmt;
	    loop.gsi = i;
	    loop.last = last;
	    loop.offloaded = offloaded;
	    push (stmt);
	    loop.begin = code.length ();
	    flatten (gimple_omp_body_ptr (stmt), false);
	    loop.end = code.length ();
	    nowait = omp_find_clause (gimple_omp_for_clauses (stmt),
				      OMP_CLAUSE_NOWAIT) != NULL_TREE;
	    loop.nowait = nowait;
	    if (gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_FOR)
	      {
		loops.safe_push (loop);
		constructs.safe_push (loop.begin - 1);
		if (!nowait)
		  barriers.safe_push (loop.end);
	      }
	    break;
	  }
	case GIMPLE_OMP_SINGLE:
	case GIMPLE_OMP_SECTIONS:
	  nowait = omp_find_clause (gimple_code (stmt) == GIMPLE_OMP_SINGLE
				    ? gimple_omp_single_clauses (stmt)
				    : gimple_omp_sections_clauses (stmt),
				    OMP_CLAUSE_NOWAIT) != NULL_TREE;
	  push (stmt);
	  flatten (gimple_omp_body_ptr (stmt), false);
	  if (!nowait)
	    barriers.safe_push (code.length ());
	  break;
	case GIMPLE_LABEL:
	  labels.put (gimple_label_label (as_a <glabel *> (stmt)),
		      code.length ());
	  push (stmt);
	  break;
	default:
	  push (stmt);
	  if (gimple_code (stmt) == GIMPLE_CALL
	      && (gomp_amp_builtin (gimple_call_fndecl (stmt))
		  == BUILT_IN_GOMP_BARRIER))
	    barriers.safe_push (code.length ());
	  if (is_gimple_omp (stmt) && gimple_has_substatements (stmt))
	    {
	      gomp_amp_range body = { code.length (), 0 };
	      bool critical = gimple_code (stmt) == GIMPLE_OMP_CRITICAL;
	      locked += critical;
	      flatten (gimple_omp_body_ptr (stmt), false);
	      locked -= critical;
	      body.last = code.length ();
	      if (critical)
		criticals.safe_push (body);
	    }
	  if (gimple_code (stmt) == GIMPLE_OMP_MASTER
#if BUILDING_GCC_MAJOR >= 12
	      || gimple_code (stmt) == GIMPLE_OMP_MASKED
#endif
	      )
	    if (!last && !offloaded)
	      masters.safe_push (i);
	  break;
	}
    }
}

/* References to variables.  */

void
gomp_amp_region::ref (tree decl, enum gomp_amp_ref_kind kind, tree expr)
{
  if (!VAR_P (decl) && TREE_CODE (decl) != PARM_DECL
      && TREE_CODE (decl) != RESULT_DECL && TREE_CODE (decl) != SSA_NAME)
    return;
  gomp_amp_ref r = { decl, expr, kind };
  refs.safe_push (r);
}

/* The fields and constant indices that lead from an object to its component T,
   from outside to inside, as far as they are known; into PATH.  Returns how
   many.  */

static unsigned
gomp_amp_path (tree t, tree path[GOMP_AMP_RESOLVE])
{
  tree found[GOMP_AMP_RESOLVE];
  unsigned n = 0, k = 0;
  for (; t && handled_component_p (t); t = TREE_OPERAND (t, 0))
    if (TREE_CODE (t) == COMPONENT_REF
	|| (TREE_CODE (t) == ARRAY_REF
	    && TREE_CODE (TREE_OPERAND (t, 1)) == INTEGER_CST))
      {
	if (n == GOMP_AMP_RESOLVE)
	  return 0;
	found[n++] = TREE_OPERAND (t, 1);
      }
    else
      /* All that is within is the same to us.  */
      n = 0;
  while (n > 0)
    path[k++] = found[--n];
  return k;
}

/* True if A and B, NULL or components of one object, have nothing in
   common.  */

static bool
gomp_amp_disjoint (tree a, tree b)
{
  if (!a || !b)
    return false;
  tree pa[GOMP_AMP_RESOLVE], pb[GOMP_AMP_RESOLVE];
  unsigned na = gomp_amp_path (a, pa);
  unsigned nb = gomp_amp_path (b, pb);
  for (unsigned i = 0; i < na && i < nb; i++)
    if (TREE_CODE (pa[i]) != TREE_CODE (pb[i]))
      return false;
    else if (TREE_CODE (pa[i]) == INTEGER_CST
	     ? !tree_int_cst_equal (pa[i], pb[i]) : pa[i] != pb[i])
      /* Members of a union share their place.  */
      return (TREE_CODE (pa[i]) == INTEGER_CST
	      || TREE_CODE (DECL_CONTEXT (pa[i])) == RECORD_TYPE);
  return false;
}

/* True if EXPR, NULL or a component of DECL, holds a single value.  */

static bool
gomp_amp_is_scalar (tree decl, tree expr)
{
  tree path[GOMP_AMP_RESOLVE];
  unsigned n = expr ? gomp_amp_path (expr, path) : 0;
  for (unsigned i = 0; i < n; i++)
    if (TREE_CODE (path[i]) == INTEGER_CST)
      return false;
  return !AGGREGATE_TYPE_P (TREE_TYPE (n ? path[n - 1] : decl));
}

/* The indices of arrays in T are read.  Returns what T is a component of.  */

tree
gomp_amp_region::indices (tree t)
{
  for (; handled_component_p (t); t = TREE_OPERAND (t, 0))
    if (TREE_CODE (t) == ARRAY_REF)
      operand (TREE_OPERAND (t, 1));
  return t;
}

/* True if T, memory, may be all of DECL.  */

static bool
gomp_amp_matches (tree t, tree decl)
{
  return (TYPE_MAIN_VARIANT (TREE_TYPE (t))
	  == TYPE_MAIN_VARIANT (TREE_TYPE (decl)));
}

/* What T, a pointer, points into: a variable, or, with *BEHIND, what is behind
   one; or NULL.  */

tree
gomp_amp_region::pointee (tree t, bool *behind)
{
  *behind = false;
  for (unsigned i = 0; i < GOMP_AMP_RESOLVE; i++)
    {
      STRIP_NOPS (t);
      if (TREE_CODE (t) == POINTER_PLUS_EXPR)
	t = TREE_OPERAND (t, 0);
      else if (TREE_CODE (t) == ADDR_EXPR)
	{
	  t = get_base_address (TREE_OPERAND (t, 0));
	  if (!t || VAR_P (t))
	    return t;
	  t = memory_base (t);
	  if (!t)
	    return NULL_TREE;
	}
      else
	break;
    }
  if (!gomp_amp_is_name (t))
    return NULL_TREE;
  tree *to = aliases.get (t);
  if (to)
    return *to;
  to = elements.get (t);
  *behind = to != NULL;
  return to ? *to : NULL_TREE;
}

/* A variable that stands for what is behind OBJECT.  */

tree
gomp_amp_region::inside (tree object)
{
  tree &in = insides.get_or_insert (object);
  if (!in)
    {
      in = build_decl (DECL_SOURCE_LOCATION (object), VAR_DECL,
		       DECL_P (object) ? DECL_NAME (object) : NULL_TREE,
		       AGGREGATE_TYPE_P (TREE_TYPE (object))
		       ? TREE_TYPE (object)
		       : build_array_type (char_type_node, NULL_TREE));
      outsides.put (in, object);
      unsigned *where = declared.get (object);
      if (where)
	{
	  unsigned at = *where;
	  declared.put (in, at);
	}
    }
  return in;
}

/* The pointer variable that POINTER is a copy of, or leads near, or NULL.  */

tree
gomp_amp_region::users_own (tree pointer)
{
  tree *from = via.get (pointer);
  if (from)
    return *from;
  return VAR_P (pointer) && !temporary (pointer) ? pointer : NULL_TREE;
}

/* The pointer variable that T, memory, is reached through, or NULL.  */

tree
gomp_amp_region::users_pointer (tree t)
{
  tree pointer = memory_base (t);
  return pointer ? users_own (pointer) : NULL_TREE;
}

/* The same of ARG, which is handed to a function, and points there.  */

tree
gomp_amp_region::handed_pointer (tree arg)
{
  return (TREE_CODE (arg) == ADDR_EXPR ? users_pointer (TREE_OPERAND (arg, 0))
	  : gomp_amp_is_name (arg) ? users_own (arg) : NULL_TREE);
}

/* True if the current loop only keeps what it makes and uses in an iteration
   where POINTER leads to, which the thread number selects.  */

bool
gomp_amp_region::scratch_at (tree pointer)
{
  if (!pointer || !joined || !is_private (pointer))
    return false;
  bool *known = scratches.get (pointer);
  if (known)
    return *known;
  tree in = inside (pointer);
  unsigned *where = declared.get (pointer);
  /* It may be set anew in each iteration, before all else.  */
  unsigned *d = defs.get (pointer);
  bool anew = d && *d == 1 && where && *where >= from && *where < to;
  bool reads = !d || anew, found = false;
  unsigned begin = from;
  if (anew)
    from = *def_at.get (pointer) + 1;
  for (unsigned r = from < to ? first_ref[from] : refs.length ();
       r < (to < code.length () ? first_ref[to] : refs.length ()); r++)
    {
      reads &= refs[r].decl != in || refs[r].kind != GOMP_AMP_STREAM;
      found |= refs[r].decl == in && refs[r].kind == GOMP_AMP_USE;
    }
  reads = reads && found && from < to && !exposed (in);
  from = begin;
  scratches.put (pointer, reads);
  return reads;
}

/* The same of T, memory.  */

bool
gomp_amp_region::scratch (tree t)
{
  return scratch_at (users_pointer (t));
}

/* Code that is known gets ARG, which points to such memory.  */

bool
gomp_amp_region::hands_scratch (tree fndecl, tree arg)
{
  return (POINTER_TYPE_P (TREE_TYPE (arg))
	  && gomp_amp_code (ctx, fndecl, 1)
	  && scratch_at (handed_pointer (arg)));
}

/* True if T, memory, is at one place as long as the pointer to it stays the
   same.  */

static bool
gomp_amp_one_place (tree t)
{
  for (; t && handled_component_p (t); t = TREE_OPERAND (t, 0))
    if (TREE_CODE (t) == ARRAY_REF
	&& TREE_CODE (TREE_OPERAND (t, 1)) != INTEGER_CST)
      return false;
  return !(t && TREE_CODE (t) == MEM_REF
	   && !integer_zerop (TREE_OPERAND (t, 1)));
}

/* T is at one place, which POINTER, a thread's own, leads to.  Threads that
   write there without a lock have a place of their own each, or it would be a
   race: a variable that stands for it; NULL otherwise.  */

tree
gomp_amp_region::threads_own (tree t, tree pointer)
{
  /* Fortran's Cray pointers are integers.  */
  if (!construct || locked || !POINTER_TYPE_P (TREE_TYPE (pointer))
      || !is_private (pointer) || !gomp_amp_one_place (t))
    return NULL_TREE;
  tree &own = owns.get_or_insert (pointer);
  if (!own)
    {
      own = build_decl (DECL_SOURCE_LOCATION (pointer), VAR_DECL,
			DECL_NAME (pointer), TREE_TYPE (TREE_TYPE (pointer)));
      owners.put (own, pointer);
    }
  return own;
}

/* T is at one place, which POINTER leads to, in all of an orphaned loop.  If
   that is a parameter, it is a place of the thread's own, as above.  */

tree
gomp_amp_region::callers_own (tree t, tree pointer)
{
  if (construct || !function_decl || locked || !gomp_amp_one_place (t))
    return NULL_TREE;
  tree *same = parameters.get (pointer);
  if (same)
    pointer = *same;
  if ((TREE_CODE (pointer) != PARM_DECL && TREE_CODE (pointer) != FIELD_DECL)
      || !POINTER_TYPE_P (TREE_TYPE (pointer)))
    return NULL_TREE;
  tree &own = insides.get_or_insert (pointer);
  if (!own)
    own = build_decl (DECL_SOURCE_LOCATION (pointer), VAR_DECL,
		      DECL_NAME (pointer), TREE_TYPE (TREE_TYPE (pointer)));
  return own;
}

/* If T is a variable's component, or what a pointer to a variable points to,
   note that and return true.  */

bool
gomp_amp_region::component (tree t, bool write)
{
  tree base = t;
  for (; handled_component_p (base); base = TREE_OPERAND (base, 0))
    ;
  tree decl = NULL_TREE, expr = t;
  if (base != t && gomp_amp_is_name (base))
    decl = base;
  else if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == INDIRECT_REF)
    {
      bool behind;
      if (tree pointer = users_pointer (base))
	{
	  ref (inside (pointer),
	       write ? GOMP_AMP_WRITE_BEHIND : GOMP_AMP_READ_BEHIND, t);
	  /* Not where something is added to it.  */
	  bool same = unconverted (TREE_OPERAND (base, 0),
				   code.length ()) == pointer;
	  if (tree own = same ? threads_own (t, pointer) : NULL_TREE)
	    ref (own, write ? GOMP_AMP_PART : GOMP_AMP_USE,
		 gomp_amp_matches (base, own) ? t : NULL_TREE);
	}
      decl = pointee (TREE_OPERAND (base, 0), &behind);
      if (!decl && (decl = callers_own (t, TREE_OPERAND (base, 0))))
	{
	  ref (decl, write ? GOMP_AMP_PART : GOMP_AMP_USE,
	       gomp_amp_matches (base, decl) ? t : NULL_TREE);
	  return true;
	}
      if (!decl)
	return false;
      operand (TREE_OPERAND (base, 0));
      if (behind)
	{
	  indices (t);
	  ref (inside (decl),
	       write ? GOMP_AMP_WRITE_BEHIND : GOMP_AMP_READ_BEHIND,
	       gomp_amp_matches (base, decl) ? t : NULL_TREE);
	  return true;
	}
      if (!gomp_amp_matches (base, decl))
	expr = NULL_TREE;
    }
  if (!decl)
    return false;
  base = indices (t);
  bool all = base == t && (expr || !AGGREGATE_TYPE_P (TREE_TYPE (decl)));
  ref (decl, !write ? GOMP_AMP_USE : all ? GOMP_AMP_DEF : GOMP_AMP_PART,
       base == t ? NULL_TREE : expr);
  return true;
}

tree
gomp_amp_region::visit (tree *tp, int *walk_subtrees, void *data)
{
  gomp_amp_region *r = (gomp_amp_region *) data;
  tree t = *tp;

  if (TYPE_P (t))
    *walk_subtrees = 0;
  else if (TREE_CODE (t) == ADDR_EXPR)
    {
      tree base = r->indices (TREE_OPERAND (t, 0));
      if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == INDIRECT_REF)
	r->operand (TREE_OPERAND (base, 0));
      *walk_subtrees = 0;
    }
  else if ((TREE_CODE (t) == MEM_REF || TREE_CODE (t) == INDIRECT_REF)
	   && TREE_CODE (TREE_OPERAND (t, 0)) == ADDR_EXPR)
    {
      tree base = get_base_address (TREE_OPERAND (TREE_OPERAND (t, 0), 0));
      if (base && DECL_P (base))
	r->ref (base, GOMP_AMP_USE);
    }
  else if ((handled_component_p (t) || TREE_CODE (t) == MEM_REF
	    || TREE_CODE (t) == INDIRECT_REF) && r->component (t, false))
    *walk_subtrees = 0;
  else if (gomp_amp_is_name (t))
    {
      r->ref (t, GOMP_AMP_USE);
      *walk_subtrees = 0;
    }
  return NULL_TREE;
}

/* T is read.  */

void
gomp_amp_region::operand (tree t)
{
  if (t)
    walk_tree (&t, visit, this, NULL);
}

/* T is written.  */

void
gomp_amp_region::target (tree t)
{
  if (component (t, true))
    return;
  tree base = indices (t);
  if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == INDIRECT_REF)
    {
      tree pointer = TREE_OPERAND (base, 0);
      if (TREE_CODE (pointer) == ADDR_EXPR)
	{
	  tree object = get_base_address (TREE_OPERAND (pointer, 0));
	  if (object && DECL_P (object))
	    ref (object, GOMP_AMP_PART);
	}
      else
	operand (pointer);
    }
  else if (gomp_amp_is_name (base))
    ref (base, GOMP_AMP_DEF);
}

/* The memory, made by CALL outside of any loop, that its result LHS points to:
   a variable that stands for it.  */

tree
gomp_amp_region::memory_of (gimple *call, tree lhs)
{
  tree type = TREE_TYPE (TREE_TYPE (lhs));
  if (!COMPLETE_TYPE_P (type) || TREE_CODE (type) == FUNCTION_TYPE)
    type = char_type_node;
  if (!RECORD_OR_UNION_TYPE_P (type))
    type = build_array_type (type, NULL_TREE);
  tree name = DECL_P (lhs) ? DECL_NAME (lhs) : NULL_TREE;
  tree memory = build_decl (gimple_location (call), VAR_DECL, name, type);
  declared.put (memory, code.length () - 1);
  memories.add (memory);
  return memory;
}

/* STMT gives a name something that may be a pointer: to what?  */

void
gomp_amp_region::point (gimple *stmt)
{
  tree lhs = gimple_get_lhs (stmt);
  if (!lhs)
    return;
  bool behind;
  if (is_gimple_call (stmt))
    {
      tree fndecl = (gimple_call_internal_p (stmt) ? NULL_TREE
						   : gimple_call_fndecl (stmt));
      tree arg = (fndecl && gimple_call_num_args (stmt) > 0
		  ? gimple_call_arg (stmt, 0) : NULL_TREE);
      if (!gomp_amp_is_name (lhs) || !POINTER_TYPE_P (TREE_TYPE (lhs)))
	return;
      if (fndecl && gomp_amp_in_std (fndecl))
	{
	  tree object = arg ? pointee (arg, &behind) : NULL_TREE;
	  if (object && VAR_P (object))
	    elements.put (lhs, object);
	}
      else
	elements.put (lhs, memory_of (stmt, lhs));
      return;
    }
  if (!is_gimple_assign (stmt))
    return;
  tree rhs = gimple_assign_rhs1 (stmt);
  if (gomp_amp_is_name (lhs))
    {
      tree to = NULL_TREE;
      behind = false;
      bool copy = (temporary (lhs) && gomp_amp_is_name (rhs)
		   && (gimple_assign_single_p (stmt)
		       || gimple_assign_cast_p (stmt)));
      tree *parm = copy ? parameters.get (rhs) : NULL;
      if (copy && TREE_CODE (rhs) == PARM_DECL
	  && POINTER_TYPE_P (TREE_TYPE (lhs)))
	parameters.put (lhs, rhs);
      /* A pointer that is a dummy argument of Fortran.  */
      else if (lang_GNU_Fortran () && temporary (lhs)
	       && POINTER_TYPE_P (TREE_TYPE (lhs))
	       && (TREE_CODE (rhs) == MEM_REF
		   || TREE_CODE (rhs) == INDIRECT_REF)
	       && TREE_CODE (TREE_OPERAND (rhs, 0)) == PARM_DECL)
	parameters.put (lhs, TREE_OPERAND (rhs, 0));
      else if (parm)
	{
	  tree same = *parm;
	  parameters.put (lhs, same);
	}
      else if (POINTER_TYPE_P (TREE_TYPE (lhs))
	       && TREE_CODE (rhs) == COMPONENT_REF && memory_base (rhs)
	       && callers_own (rhs, memory_base (rhs)))
	parameters.put (lhs, TREE_OPERAND (rhs, 1));
      /* Which of its own variables a pointer comes from.  */
      if (POINTER_TYPE_P (TREE_TYPE (lhs)) && temporary (lhs)
	  && gomp_amp_is_name (rhs))
	{
	  tree *from = via.get (rhs);
	  tree own = from ? *from : VAR_P (rhs) && !temporary (rhs) ? rhs
							    : NULL_TREE;
	  if (own)
	    via.put (lhs, own);
	}
      if (POINTER_TYPE_P (TREE_TYPE (lhs))
	  && (gimple_assign_single_p (stmt) || gimple_assign_cast_p (stmt)
	      || gimple_assign_rhs_code (stmt) == POINTER_PLUS_EXPR))
	{
	  tree object = get_base_address (rhs);
	  to = pointee (rhs, &behind);
	  if (!to && TREE_CODE (rhs) == COMPONENT_REF)
	    {
	      for (unsigned i = 0; i < captures.length (); i++)
		if (captures[i].closure == object
		    && captures[i].field == TREE_OPERAND (rhs, 1))
		  to = captures[i].decl;
	      /* Fortran's descriptors.  */
	      tree field = DECL_NAME (TREE_OPERAND (rhs, 1));
	      if (!to && lang_GNU_Fortran () && object && VAR_P (object)
		  && field && strcmp (IDENTIFIER_POINTER (field), "data") == 0)
		{
		  to = object;
		  behind = true;
		}
	    }
	  if (!to && (handled_component_p (rhs) || TREE_CODE (rhs) == MEM_REF)
	      && memory_base (rhs))
	    {
	      /* Memory that is reached from such memory.  */
	      to = pointee (memory_base (rhs), &behind);
	      if (!behind)
		to = NULL_TREE;
	    }
	}
      if (to == lhs)
	to = NULL_TREE;
      if (to && !behind)
	aliases.put (lhs, to);
      else
	aliases.remove (lhs);
      if (to && behind)
	elements.put (lhs, to);
      /* A copy of a closure.  */
      if (DECL_P (lhs) && DECL_P (rhs)
	  && RECORD_OR_UNION_TYPE_P (TREE_TYPE (lhs)))
	for (unsigned i = 0, n = captures.length (); i < n; i++)
	  if (captures[i].closure == rhs)
	    {
	      gomp_amp_capture copy = captures[i];
	      copy.closure = lhs;
	      captures.safe_push (copy);
	    }
    }
  else if (TREE_CODE (lhs) == COMPONENT_REF
	   && POINTER_TYPE_P (TREE_TYPE (lhs)))
    {
      tree object = get_base_address (lhs);
      tree decl = pointee (rhs, &behind);
      if (decl && !behind && object && VAR_P (object) && VAR_P (decl)
	  && object != decl)
	{
	  gomp_amp_capture capture = { object, TREE_OPERAND (lhs, 1), decl };
	  captures.safe_push (capture);
	}
    }
}

/* FNDECL, whose argument ARG is CLOSURE or points to it, uses what that refers
   to.  */

void
gomp_amp_region::captured (tree fndecl, tree closure, unsigned arg)
{
  bool known = gomp_amp_code (ctx, fndecl, 1) != NULL;
  for (unsigned i = 0, n = captures.length (); i < n; i++)
    if (captures[i].closure == closure)
      {
	tree decl = captures[i].decl;
	if (!known)
	  {
	    const char *name = fndecl ? gomp_amp_name (fndecl) : "";
	    bool library = strncmp (name, "_gfortran_", 10) == 0;
	    /* Its functions write to the first of their arrays, and to an
	       internal file, if any.  */
	    ref (decl, !library ? GOMP_AMP_STEP
		       : arg == 0 && !strstr (name, "_read") ? GOMP_AMP_DEF
		       : GOMP_AMP_LOOK);
	    continue;
	  }
	unsigned use = use_of (fndecl, arg, captures[i].field);
	if (use & GOMP_AMP_STEPS)
	  ref (decl, GOMP_AMP_STEP);
	else if ((use & GOMP_AMP_READS_FIRST) && (use & GOMP_AMP_WRITES))
	  ref (decl, use & GOMP_AMP_SELECTS ? GOMP_AMP_STREAM : GOMP_AMP_ADD);
	else if (use & GOMP_AMP_READS_FIRST)
	  ref (decl, GOMP_AMP_USE);
	else if (use & GOMP_AMP_WRITES)
	  ref (decl, GOMP_AMP_DEF);
      }
}

/* Argument I of CALL.  */

void
gomp_amp_region::argument (gimple *call, unsigned i)
{
  tree arg = gimple_call_arg (call, i);
  tree fndecl = gimple_call_internal_p (call) ? NULL_TREE
					      : gimple_call_fndecl (call);
  bool in_std = fndecl && gomp_amp_in_std (fndecl);
  operand (arg);
  tree object = (TREE_CODE (arg) == ADDR_EXPR
		 ? get_base_address (TREE_OPERAND (arg, 0)) : arg);
  /* A closure that the C++ library calls.  */
  if (object && VAR_P (object) && in_std)
    for (unsigned k = 0; k < captures.length (); k++)
      if (captures[k].closure == object)
	{
	  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (object));
	  tree body = gomp_amp_closure_call (ctx, type);
	  if (body)
	    captured (body, object, 0);
	  return;
	}
  if (!POINTER_TYPE_P (TREE_TYPE (arg)))
    return;
  if (tree pointer = handed_pointer (arg))
    {
      unsigned effect = gomp_amp_effect (ctx, fndecl, i, 1);
      if (!gomp_amp_code (ctx, fndecl, 1)
	  || (use_of (fndecl, i, NULL_TREE) & GOMP_AMP_DECIDES))
	ref (inside (pointer), in_std ? GOMP_AMP_NOTHING : GOMP_AMP_STREAM);
      else if (effect & (GOMP_AMP_READS_FIRST | GOMP_AMP_WRITES))
	ref (inside (pointer),
	     effect & GOMP_AMP_READS_FIRST ? GOMP_AMP_READ_BEHIND
	     : GOMP_AMP_DEF);
    }
  bool behind, callers = false;
  object = pointee (arg, &behind);
  if (!object)
    {
      /* A parameter of an orphaned loop's function is handed on.  */
      tree at = TREE_CODE (arg) == ADDR_EXPR ? TREE_OPERAND (arg, 0) : NULL;
      tree pointer = at ? memory_base (at) : arg;
      object = pointer ? callers_own (at, pointer) : NULL_TREE;
      callers = object != NULL_TREE;
    }
  if (!object || !DECL_P (object))
    return;
  unsigned mark = refs.length ();
  argument_of (call, i, fndecl, object, behind);
  /* Others may have it, too: it counts where numbers are asked for.  */
  for (; callers && mark < refs.length (); mark++)
    switch (refs[mark].kind)
      {
      case GOMP_AMP_STREAM:
      case GOMP_AMP_LIST:
	refs[mark].kind = GOMP_AMP_STEP;
	break;
      case GOMP_AMP_USE:
	refs[mark].kind = GOMP_AMP_LOOK;
	break;
      case GOMP_AMP_LOOK:
	break;
      case GOMP_AMP_STEP:
	if (in_std)
	  break;
	/* Fall through.  */
      default:
	refs[mark].kind = GOMP_AMP_NOTHING;
      }
}

/* The same of what points into OBJECT, or BEHIND it.  */

void
gomp_amp_region::argument_of (gimple *call, unsigned i, tree fndecl,
			      tree object, bool behind)
{
  tree arg = gimple_call_arg (call, i);
  bool in_std = fndecl && gomp_amp_in_std (fndecl);
  tree type = behind ? gomp_amp_class_of (arg)
		     : TYPE_MAIN_VARIANT (TREE_TYPE (object));
  if (behind)
    object = inside (object);
  const char *name = fndecl ? gomp_amp_name (fndecl) : "";
  bool engine = type && gomp_amp_is_engine (type);
  if (engine && i == 0 && in_std && gomp_amp_listed (name, gomp_amp_definers))
    {
      ref (object, GOMP_AMP_DEF);
      return;
    }
  if (engine || (i == 0 && fndecl && type && gomp_amp_is_step (fndecl, type)))
    {
      ref (object, GOMP_AMP_STREAM);
      return;
    }
  if (fndecl && !behind && !in_std)
    captured (fndecl, object, i);
  unsigned effect = gomp_amp_effect (ctx, fndecl, i, 1);
  if ((effect & GOMP_AMP_READS_FIRST) && (effect & GOMP_AMP_WRITES))
    {
      bool other = gimple_call_lhs (call) != NULL_TREE;
      for (unsigned j = 0; j < gimple_call_num_args (call); j++)
	if (j != i && POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, j)))
	    && (gomp_amp_effect (ctx, fndecl, j, 1) & GOMP_AMP_WRITES))
	  other = true;
      unsigned use = other ? 0 : use_of (fndecl, i, NULL_TREE);
      ref (object, other || (use & GOMP_AMP_DECIDES) ? GOMP_AMP_STREAM
		   : use & (GOMP_AMP_SELECTS | GOMP_AMP_STEPS)
		   ? GOMP_AMP_LIST : GOMP_AMP_ADD);
    }
  else if (effect & GOMP_AMP_READS_FIRST)
    ref (object, behind ? GOMP_AMP_READ_BEHIND : GOMP_AMP_USE);
  else if ((effect & GOMP_AMP_WRITES) && in_std)
    {
      unsigned use = i == 0 ? gomp_amp_std_use (fndecl) : 0;
      const char *of = gomp_amp_class_name (gomp_amp_class_of (arg));
      if (gomp_amp_listed (of, gomp_amp_sets)
	  && gomp_amp_listed (name, "insert emplace emplace_hint push "
				    "operator[] "))
	ref (object, GOMP_AMP_PART);
      else if (gomp_amp_listed (of, gomp_amp_summands)
	       && gomp_amp_listed (name, "operator+= operator-= "))
	ref (object, GOMP_AMP_ADD);
      else if (i == 0 && !(use & (GOMP_AMP_LOOKS | GOMP_AMP_STEPS))
	       && !gomp_amp_listed (of, "function optional ")
	       && (gomp_amp_listed (name, gomp_amp_ways)
		   || POINTER_TYPE_P (TREE_TYPE (TREE_TYPE (fndecl))))
	       && !gomp_amp_listed (name, gomp_amp_definers))
	ref (object, GOMP_AMP_WAY);
      else
	ref (object, use & GOMP_AMP_STEPS ? GOMP_AMP_STEP
		     : use & GOMP_AMP_LOOKS ? GOMP_AMP_LOOK
		     : strcmp (of, "function") == 0 ? GOMP_AMP_STEP
		     : strcmp (of, "optional") == 0
		       && gomp_amp_listed (name, gomp_amp_ways) ? GOMP_AMP_LOOK
		     : behind ? GOMP_AMP_WRITE_BEHIND : GOMP_AMP_DEF);
    }
  else if ((effect & GOMP_AMP_WRITES) && !gomp_amp_code (ctx, fndecl, 1))
    {
      enum gomp_amp_ref_kind kind = gomp_amp_unknown_use (fndecl, i);
      /* Something in the middle of it may be as long as it is by now.  */
      if (kind == GOMP_AMP_DEF && TREE_CODE (arg) != ADDR_EXPR
	  && gomp_amp_is_name (arg) && !behind)
	kind = GOMP_AMP_STEP;
      ref (object, kind == GOMP_AMP_DEF && behind ? GOMP_AMP_WRITE_BEHIND
						  : kind);
    }
  else if (effect & GOMP_AMP_WRITES)
    {
      gimple *def = (temporary (arg) ? definition (arg, code.length () - 1)
				     : NULL);
      tree from = (def && gimple_assign_single_p (def)
		   ? gimple_assign_rhs1 (def) : arg);
      tree part = (TREE_CODE (from) == ADDR_EXPR ? TREE_OPERAND (from, 0)
						 : NULL_TREE);
      /* An array's name.  */
      while (part && TREE_CODE (part) == ARRAY_REF
	     && integer_zerop (TREE_OPERAND (part, 1)))
	part = TREE_OPERAND (part, 0);
      if (!part || behind || !handled_component_p (part)
	  || get_base_address (part) != object)
	part = NULL_TREE;
      ref (object, effect & GOMP_AMP_STEPS ? GOMP_AMP_STEP
		   : effect & GOMP_AMP_LOOKS ? GOMP_AMP_LOOK
		   : behind ? GOMP_AMP_WRITE_BEHIND
		   : part ? GOMP_AMP_PART : GOMP_AMP_DEF, part);
    }
}

/* What a statement reads from FIRST on, it reads before it writes.  */

void
gomp_amp_region::reads_first (unsigned first)
{
  auto_vec<gomp_amp_ref, 16> writes;
  unsigned n = first;
  for (unsigned r = first; r < refs.length (); r++)
    if (refs[r].kind == GOMP_AMP_USE || refs[r].kind == GOMP_AMP_LOOK
	|| refs[r].kind == GOMP_AMP_READ_BEHIND)
      refs[n++] = refs[r];
    else
      writes.safe_push (refs[r]);
  for (unsigned i = 0; i < writes.length (); i++)
    refs[n++] = writes[i];
}

void
gomp_amp_region::collect (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      if (!gimple_clobber_p (stmt))
	for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
	  operand (gimple_op (stmt, i));
      target (gimple_assign_lhs (stmt));
      if (!gimple_clobber_p (stmt))
	point (stmt);
      break;
    case GIMPLE_CALL:
      {
	unsigned first = refs.length ();
	for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
	  argument (stmt, i);
	reads_first (first);
      }
      if (gimple_call_chain (stmt))
	operand (gimple_call_chain (stmt));
      if (!gimple_call_fndecl (stmt) && gimple_call_fn (stmt))
	operand (gimple_call_fn (stmt));
      if (gimple_call_lhs (stmt))
	{
	  target (gimple_call_lhs (stmt));
	  point (stmt);
	}
      break;
    case GIMPLE_COND:
      operand (gimple_cond_lhs (stmt));
      operand (gimple_cond_rhs (stmt));
      break;
    case GIMPLE_SWITCH:
      operand (gimple_switch_index (as_a <gswitch *> (stmt)));
      break;
    case GIMPLE_ASM:
      {
	gasm *s = as_a <gasm *> (stmt);
	/* An empty one only hides a value from the optimizers.  */
	if (!*gimple_asm_string (s))
	  break;
	for (unsigned i = 0; i < gimple_asm_ninputs (s); i++)
	  operand (TREE_VALUE (gimple_asm_input_op (s, i)));
	for (unsigned i = 0; i < gimple_asm_noutputs (s); i++)
	  target (TREE_VALUE (gimple_asm_output_op (s, i)));
	break;
      }
    case GIMPLE_OMP_ATOMIC_LOAD:
      operand (gimple_omp_atomic_load_rhs (as_a <gomp_atomic_load *> (stmt)));
      target (gimple_omp_atomic_load_lhs (as_a <gomp_atomic_load *> (stmt)));
      break;
    case GIMPLE_OMP_ATOMIC_STORE:
      operand (gimple_omp_atomic_store_val
	       (as_a <gomp_atomic_store *> (stmt)));
      break;
    case GIMPLE_OMP_FOR:
      for (unsigned i = 0; i < gimple_omp_for_collapse (stmt); i++)
	{
	  operand (gimple_omp_for_initial (stmt, i));
	  operand (gimple_omp_for_final (stmt, i));
	}
      for (tree c = gimple_omp_for_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
	switch (OMP_CLAUSE_CODE (c))
	  {
	  case OMP_CLAUSE_PRIVATE:
	  case OMP_CLAUSE_LASTPRIVATE:
	    if (DECL_P (OMP_CLAUSE_DECL (c)))
	      ref (OMP_CLAUSE_DECL (c), GOMP_AMP_DEF);
	    break;
	  case OMP_CLAUSE_LINEAR:
	  case OMP_CLAUSE_REDUCTION:
	    /* A simd construct by itself goes on with what it finds.  */
	    if (DECL_P (OMP_CLAUSE_DECL (c)))
	      ref (OMP_CLAUSE_DECL (c),
		   !gomp_amp_is_simd (stmt)
		   || gimple_omp_for_combined_into_p (stmt)
		   || OMP_CLAUSE_DECL (c) == gimple_omp_for_index (stmt, 0)
		   ? GOMP_AMP_DEF
		   : OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LINEAR
		   ? GOMP_AMP_STREAM : GOMP_AMP_ADD);
	    break;
	  default:
	    break;
	  }
      for (unsigned i = 0; i < gimple_omp_for_collapse (stmt); i++)
	if (DECL_P (gimple_omp_for_index (stmt, i)))
	  ref (gimple_omp_for_index (stmt, i), GOMP_AMP_DEF);
      break;
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_TASK:
      for (tree c = gimple_omp_taskreg_clauses (stmt); c;
	   c = OMP_CLAUSE_CHAIN (c))
	if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
	  ref (OMP_CLAUSE_DECL (c), GOMP_AMP_USE);
	else if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED)
	  ref (OMP_CLAUSE_DECL (c), GOMP_AMP_STEP);
      break;
    default:
      break;
    }
}

/* What unknown code does with private objects, and what is behind them, counts
   where threads' numbers may tell what is whose: only there, most programs
   being right without.  */

void
gomp_amp_region::settle ()
{
  for (unsigned i = 0; i < handlers.length (); i++)
    gomp_amp_mark_pos (handler_at, handlers[i].first, i);
  for (unsigned i = 0; i < late.length (); i++)
    {
      gomp_amp_mark_pos (late_at, late[i].first, i);
      gomp_amp_mark_pos (late_at, late[i].last, i);
    }
  for (unsigned i = 0; i < reader.loops.length (); i++)
    gomp_amp_mark_pos (loop_at, reader.loops[i].first, i);
  handler_at.qsort (gomp_amp_mark_at::compare);
  late_at.qsort (gomp_amp_mark_at::compare);
  loop_at.qsort (gomp_amp_mark_at::compare);
  for (unsigned r = 0; r < refs.length (); r++)
    {
      enum gomp_amp_ref_kind &kind = refs[r].kind;
      switch (kind)
	{
	case GOMP_AMP_LOOK:
	  kind = joined ? GOMP_AMP_USE : GOMP_AMP_NOTHING;
	  break;
	case GOMP_AMP_STEP:
	  kind = joined ? GOMP_AMP_STREAM : GOMP_AMP_DEF;
	  break;
	case GOMP_AMP_LIST:
	  kind = joined ? GOMP_AMP_STREAM : GOMP_AMP_LIST;
	  break;
	case GOMP_AMP_READ_BEHIND:
	  kind = joined ? GOMP_AMP_USE : GOMP_AMP_NOTHING;
	  break;
	case GOMP_AMP_WRITE_BEHIND:
	  kind = joined ? GOMP_AMP_PART : GOMP_AMP_NOTHING;
	  break;
	case GOMP_AMP_WAY:
	  kind = joined ? GOMP_AMP_NOTHING : GOMP_AMP_DEF;
	  break;
	default:
	  break;
	}
    }
}

/* True if each thread has its own DECL.  */

bool
gomp_amp_region::is_private (tree decl) const
{
  if (!VAR_P (decl) && TREE_CODE (decl) != PARM_DECL
      && TREE_CODE (decl) != RESULT_DECL)
    return false;
  tree *of = const_cast <hash_map<tree, tree> &> (outsides).get (decl);
  if (of)
    decl = *of;
  if (TREE_STATIC (decl) || DECL_EXTERNAL (decl))
    {
      /* Only what a clause makes so.  */
      for (tree c = own_clauses (); c; c = OMP_CLAUSE_CHAIN (c))
	if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	     || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	     || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
	    && OMP_CLAUSE_DECL (c) == decl)
	  return true;
      return false;
    }
  return !const_cast <hash_set<tree> &> (shared).contains (decl);
}

/* Made by the compiler to hold a value.  */

bool
gomp_amp_region::temporary (tree t) const
{
  return (TREE_CODE (t) == SSA_NAME
	  || (VAR_P (t) && DECL_ARTIFICIAL (t) && !TREE_STATIC (t)
	      && !DECL_EXTERNAL (t)));
}

/* The variable that clause C is about; of an array section, the array.  */

static tree
gomp_amp_clause_decl (tree c)
{
  tree decl = OMP_CLAUSE_DECL (c);
  while (TREE_CODE (decl) == MEM_REF || TREE_CODE (decl) == INDIRECT_REF
	 || TREE_CODE (decl) == POINTER_PLUS_EXPR
	 || TREE_CODE (decl) == ADDR_EXPR || handled_component_p (decl))
    decl = TREE_OPERAND (decl, 0);
  return decl;
}

/* Variables that LOOP makes anew for each iteration, or adds up itself.  */

void
gomp_amp_region::privates_of (gimple *loop, hash_set<tree> &fresh)
{
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    fresh.add (gimple_omp_for_index (loop, i));
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_LINEAR:
	fresh.add (gomp_amp_clause_decl (c));
	break;
      default:
	break;
      }
}

unsigned
gomp_amp_region::label_at (tree label)
{
  unsigned *at = label ? labels.get (label) : NULL;
  return at ? *at : ~0U;
}

/* What gave VALUE, used at AT, its value, as far as it stands close above.  */

gimple *
gomp_amp_region::definition (tree value, unsigned at)
{
  const unsigned near = 64;
  for (unsigned i = at; i > 0 && i + near > at; i--)
    if (gimple_get_lhs (code[i - 1]) == value)
      return code[i - 1];
  return NULL;
}

/* Whether COND, at AT, is true when it is first reached, as in a loop of
   constant bounds: 1 or 0; -1 if that is not known.  */

int
gomp_amp_region::runs (gcond *cond, unsigned at)
{
  enum tree_code test = gimple_cond_code (cond);
  tree count = gimple_cond_lhs (cond), bound = gimple_cond_rhs (cond);
  gimple *def = temporary (count) ? definition (count, at) : NULL;
  bool inverse = false;
  if (def && is_gimple_assign (def)
      && TREE_CODE_CLASS (gimple_assign_rhs_code (def)) == tcc_comparison
      && integer_zerop (bound))
    {
      inverse = test == EQ_EXPR;
      test = gimple_assign_rhs_code (def);
      count = gimple_assign_rhs1 (def);
      bound = gimple_assign_rhs2 (def);
    }
  /* The first value, before the loop.  */
  def = definition (count, at);
  if (!def || !gimple_assign_single_p (def)
      || TREE_CODE (gimple_assign_rhs1 (def)) != INTEGER_CST
      || TREE_CODE (bound) != INTEGER_CST)
    return -1;
  tree first = fold_convert (TREE_TYPE (bound), gimple_assign_rhs1 (def));
  tree result = fold_binary (test, boolean_type_node, first, bound);
  if (!result || TREE_CODE (result) != INTEGER_CST)
    return -1;
  return integer_zerop (result) == inverse;
}

/* True if the jump from AT to TAKEN, instead of to OTHER, only runs a loop no
   times.  Loops are taken to run: what their first iteration writes counts as
   written.  */

bool
gomp_amp_region::skips_loop (unsigned at, unsigned taken, unsigned other) const
{
  const unsigned near = 12;
  for (unsigned l = gomp_amp_first_at (loop_at, at + 1);
       l < loop_at.length () && loop_at[l].pos <= at + near; l++)
    {
      const gomp_amp_range &loop = reader.loops[loop_at[l].index];
      if (other > at && other <= loop.first
	  && taken > loop.last && taken <= loop.last + near)
	return true;
    }
  return false;
}

void
gomp_amp_region::find_late_exits ()
{
  for (unsigned l = 0; l < reader.loops.length (); l++)
    {
      const gomp_amp_range &loop = reader.loops[l];
      for (unsigned i = loop.first; i <= loop.last; i++)
	if (gimple_code (code[i]) == GIMPLE_COND)
	  {
	    gcond *cond = as_a <gcond *> (code[i]);
	    unsigned t = label_at (gimple_cond_true_label (cond));
	    unsigned f = label_at (gimple_cond_false_label (cond));
	    gomp_amp_range exit = { i, loop.last };
	    if (i < loop.last
		&& (t < loop.first || t > loop.last)
		   != (f < loop.first || f > loop.last))
	      late.safe_push (exit);
	    break;
	  }
	else if (gimple_code (code[i]) != GIMPLE_LABEL
		 && gimple_code (code[i]) != GIMPLE_ASSIGN)
	  break;
    }
}

/* True if EXPR, used at AT, is one element of an array, selected by a variable
   that no loop within the current one counts, or one place behind a pointer
   OUTSIDE.  */

bool
gomp_amp_region::one_element (tree expr, tree outside, unsigned at)
{
  bool one = outside && POINTER_TYPE_P (TREE_TYPE (outside));
  for (tree t = expr; t && handled_component_p (t); t = TREE_OPERAND (t, 0))
    one |= (TREE_CODE (t) == ARRAY_REF
	    && TREE_CODE (TREE_OPERAND (t, 1)) != INTEGER_CST);
  if (!one)
    return false;
  for (unsigned i = 0; i < reader.loops.length (); i++)
    if (reader.loops[i].first >= from && reader.loops[i].first <= at
	&& at <= reader.loops[i].last && reader.loops[i].last < to)
      return false;
  return true;
}

/* True if the current loop writes EXPR of DECL before AT.  */

bool
gomp_amp_region::written_before (tree decl, tree expr, unsigned at)
{
  for (unsigned r = first_ref[from]; r < first_ref[at]; r++)
    if (refs[r].decl == decl && refs[r].expr
	&& (refs[r].kind == GOMP_AMP_PART || refs[r].kind == GOMP_AMP_DEF)
	&& same (refs[r].expr, expr, GOMP_AMP_RESOLVE))
      return true;
  return false;
}

/* True if the value that DECL, or its component EXPR, has at the beginning of
   an iteration of the current loop may be read.  ADDS_READ: adding to it
   counts, too.  */

bool
gomp_amp_region::exposed (tree decl, tree expr, bool adds_read)
{
  /* Loops are taken to run as far as arrays are concerned.  */
  bool once = !gomp_amp_is_scalar (decl, expr);
  tree *of = outsides.get (decl);
  tree outside = of ? *of : NULL_TREE;
  auto_vec<unsigned> work;
  auto_vec<bool> seen;
  seen.safe_grow_cleared (to - from);
  work.safe_push (from);
  while (!work.is_empty ())
    {
      unsigned i = work.pop ();
      for (unsigned j = gomp_amp_first_at (handler_at, i);
	   j < handler_at.length () && handler_at[j].pos == i; j++)
	if (handlers[handler_at[j].index].last > i)
	  {
	    if (joined)
	      {
		/* Into it, and around.  */
		work.safe_push (handlers[handler_at[j].index].last);
		break;
	      }
	    i = handlers[handler_at[j].index].last;
	    j = gomp_amp_first_at (handler_at, i) - 1;
	  }
      if (i < from || i >= to || seen[i - from])
	continue;
      seen[i - from] = true;
      bool written = false;
      for (unsigned r = first_ref[i];
	   r < (i + 1 < code.length () ? first_ref[i + 1] : refs.length ());
	   r++)
	if (refs[r].decl == outside && refs[r].kind == GOMP_AMP_DEF)
	  {
	    written = true;
	    break;
	  }
	else if (refs[r].decl == decl
		 && !gomp_amp_disjoint (refs[r].expr, expr))
	  {
	    if (refs[r].kind == GOMP_AMP_USE && joined && once
		&& one_element (refs[r].expr, outside, i)
		&& written_before (refs[r].decl, refs[r].expr, i))
	      continue;
	    if (refs[r].kind == GOMP_AMP_USE
		|| refs[r].kind == GOMP_AMP_STREAM
		|| (adds_read && refs[r].kind == GOMP_AMP_ADD))
	      return true;
	    /* One element of many.  */
	    if (joined && refs[r].kind == GOMP_AMP_PART && once
		&& one_element (refs[r].expr, outside, i))
	      continue;
	    /* What is added to something may be read afterwards.  */
	    if (refs[r].kind == GOMP_AMP_ADD || refs[r].kind == GOMP_AMP_LIST
		|| refs[r].kind == GOMP_AMP_NOTHING)
	      continue;
	    written = true;
	    break;
	  }
      if (written)
	continue;
      gimple *stmt = code[i];
      bool tests = false;
      for (unsigned k = gomp_amp_first_at (late_at, i);
	   k < late_at.length () && late_at[k].pos == i; k++)
	{
	  unsigned j = late_at[k].index;
	  gcond *cond = as_a <gcond *> (code[late[j].first]);
	  if (!once && runs (cond, late[j].first) < 0)
	    continue;
	  tests |= late[j].first == i;
	  if (late[j].last != i)
	    continue;
	  unsigned t = label_at (gimple_cond_true_label (cond));
	  unsigned f = label_at (gimple_cond_false_label (cond));
	  work.safe_push (t > i || t < late[j].first ? t : f);
	}
      switch (gimple_code (stmt))
	{
	case GIMPLE_GOTO:
	  {
	    unsigned dest = label_at (gimple_goto_dest (stmt));
	    /* Into the test at the end of a loop.  */
	    if (i + 1 < to && gimple_code (code[i + 1]) == GIMPLE_LABEL)
	      for (unsigned l = gomp_amp_first_at (loop_at, i + 1);
		   l < loop_at.length () && loop_at[l].pos == i + 1; l++)
		if (dest > i && dest <= reader.loops[loop_at[l].index].last)
		  {
		    unsigned k = dest;
		    while (k < reader.loops[loop_at[l].index].last
			   && gimple_code (code[k]) != GIMPLE_COND)
		      k++;
		    gcond *cond = dyn_cast <gcond *> (code[k]);
		    if (once || (cond && runs (cond, i) >= 0))
		      dest = i + 1;
		  }
	    work.safe_push (dest);
	    break;
	  }
	case GIMPLE_COND:
	  {
	    gcond *cond = as_a <gcond *> (stmt);
	    unsigned t = label_at (gimple_cond_true_label (cond));
	    unsigned f = label_at (gimple_cond_false_label (cond));
	    bool known = once || runs (cond, i) >= 0;
	    bool out_t = known && skips_loop (i, t, f);
	    bool out_f = known && skips_loop (i, f, t);
	    for (unsigned k = gomp_amp_first_at (late_at, i);
		 tests && k < late_at.length () && late_at[k].pos == i; k++)
	      if (late[late_at[k].index].first == i)
		{
		  out_t |= t > late[late_at[k].index].last;
		  out_f |= f > late[late_at[k].index].last;
		}
	    if (!out_t || out_f)
	      work.safe_push (t);
	    if (!out_f || out_t)
	      work.safe_push (f);
	    break;
	  }
	case GIMPLE_SWITCH:
	  {
	    gswitch *s = as_a <gswitch *> (stmt);
	    for (unsigned j = 0; j < gimple_switch_num_labels (s); j++)
	      work.safe_push (label_at (CASE_LABEL (gimple_switch_label (s,
									 j))));
	    break;
	  }
	case GIMPLE_RETURN:
	  break;
	case GIMPLE_CALL:
	  if (gimple_call_noreturn_p (stmt))
	    break;
	  /* Fall through.  */
	default:
	  work.safe_push (i + 1);
	  break;
	}
    }
  return false;
}

/* True if the value that DECL, or its component EXPR, has at END, where the
   current loop ends, may be read in the rest of the region.  */

bool
gomp_amp_region::left_behind (tree decl, tree expr, unsigned end)
{
  unsigned begin = from, stop = to;
  from = end;
  to = code.length ();
  bool found = from < to && exposed (decl, expr);
  from = begin;
  to = stop;
  return found;
}

/* Count what is written and read in the current loop.  */

void
gomp_amp_region::count ()
{
  def_at.empty ();
  defs.empty ();
  uses.empty ();
  scratches.empty ();
  for (unsigned i = from; i < to; i++)
    for (unsigned r = first_ref[i];
	 r < (i + 1 < code.length () ? first_ref[i + 1] : refs.length ()); r++)
      {
	tree decl = refs[r].decl;
	if (refs[r].kind == GOMP_AMP_USE)
	  uses.get_or_insert (decl)++;
	else if (refs[r].kind != GOMP_AMP_NOTHING)
	  {
	    defs.get_or_insert (decl)++;
	    def_at.put (decl, i);
	  }
      }
}

/* True if A and B have the same value, or name the same place.  */

bool
gomp_amp_region::same (tree a, tree b, unsigned depth)
{
  if (!a || !b)
    return a == b;
  if (a == b)
    return true;
  if (depth == 0)
    return false;
  if (temporary (a) && temporary (b))
    {
      unsigned *da = defs.get (a), *db = defs.get (b);
      if (!da || !db || *da != 1 || *db != 1)
	return false;
      gimple *sa = code[*def_at.get (a)], *sb = code[*def_at.get (b)];
      if (is_gimple_assign (sa) && is_gimple_assign (sb))
	{
	  if (gimple_assign_rhs_code (sa) != gimple_assign_rhs_code (sb)
	      || gimple_num_ops (sa) != gimple_num_ops (sb))
	    return false;
	  for (unsigned i = 1; i < gimple_num_ops (sa); i++)
	    if (!same (gimple_op (sa, i), gimple_op (sb, i), depth - 1))
	      return false;
	  return true;
	}
      if (is_gimple_call (sa) && is_gimple_call (sb))
	{
	  if (gimple_call_internal_p (sa) || gimple_call_internal_p (sb)
	      || !gimple_call_fndecl (sa)
	      || gimple_call_fndecl (sa) != gimple_call_fndecl (sb)
	      || gimple_call_num_args (sa) != gimple_call_num_args (sb))
	    return false;
	  for (unsigned i = 0; i < gimple_call_num_args (sa); i++)
	    if (!same (gimple_call_arg (sa, i), gimple_call_arg (sb, i),
		       depth - 1))
	      return false;
	  return true;
	}
      return false;
    }
  if (TREE_CODE (a) != TREE_CODE (b) || gomp_amp_is_name (a) || TYPE_P (a))
    return false;
  if (CONSTANT_CLASS_P (a))
    return operand_equal_p (a, b, 0);
  if (!EXPR_P (a) || TREE_OPERAND_LENGTH (a) != TREE_OPERAND_LENGTH (b))
    return false;
  for (int i = 0; i < TREE_OPERAND_LENGTH (a); i++)
    if (!same (TREE_OPERAND (a, i), TREE_OPERAND (b, i), depth))
      return false;
  return true;
}

bool
gomp_amp_region::same_argument (tree a, tree b, void *data)
{
  return ((gomp_amp_region *) data)->same (a, b, GOMP_AMP_RESOLVE);
}

/* True if VALUE is what TARGET holds with something added to it, or the like:
   in which order that happens is all that a schedule changes.  */

bool
gomp_amp_region::leads_to (tree value, tree target, unsigned depth,
			   enum tree_code *op)
{
  if (same (value, target, GOMP_AMP_RESOLVE))
    return true;
  if (depth == 0 || !temporary (value))
    return false;
  unsigned *d = defs.get (value), *u = uses.get (value);
  if (!d || !u || *d != 1 || *u != 1)
    return false;
  return made_from (code[*def_at.get (value)], target, depth - 1, op);
}

/* True if an operation of kind CODE may stand beside those of kind *OP in a
   sum, or the like, which is then of the kind that *OP becomes: ERROR_MARK
   before there is any.  */

static bool
gomp_amp_joins (enum tree_code code, enum tree_code *op)
{
  if (code == MINUS_EXPR)
    code = PLUS_EXPR;
  else if (code == RDIV_EXPR)
    code = MULT_EXPR;
  if (*op != ERROR_MARK && *op != code)
    return false;
  *op = code;
  return true;
}

/* The same of what STMT computes, whose operands may be DEPTH more steps away
   from TARGET.  */

bool
gomp_amp_region::made_from (gimple *stmt, tree target, unsigned depth,
			    enum tree_code *op)
{
  if (is_gimple_call (stmt))
    {
      tree fndecl = gimple_call_internal_p (stmt) ? NULL_TREE
						  : gimple_call_fndecl (stmt);
      const char *name = fndecl ? gomp_amp_name (fndecl) : "";
      if (!gomp_amp_listed (name, "fmax fmin fmaxf fminf fmaxl fminl ")
	  || !gomp_amp_joins (name[2] == 'a' ? MAX_EXPR : MIN_EXPR, op))
	return false;
      for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
	if (leads_to (gimple_call_arg (stmt, i), target, depth, op))
	  return true;
      return false;
    }
  if (!is_gimple_assign (stmt))
    return false;
  enum tree_code code = gimple_assign_rhs_code (stmt);
  switch (code)
    {
    case MAX_EXPR:
    case MIN_EXPR:
    case PLUS_EXPR:
    case MULT_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
    case TRUTH_AND_EXPR:
    case TRUTH_OR_EXPR:
      if (!gomp_amp_joins (code, op))
	return false;
      return (leads_to (gimple_assign_rhs2 (stmt), target, depth, op)
	      || leads_to (gimple_assign_rhs1 (stmt), target, depth, op));
    case MINUS_EXPR:
    case RDIV_EXPR:
      return (gomp_amp_joins (code, op)
	      && leads_to (gimple_assign_rhs1 (stmt), target, depth, op));
    CASE_CONVERT:
    case FLOAT_EXPR:
    case FIX_TRUNC_EXPR:
      return leads_to (gimple_assign_rhs1 (stmt), target, depth, op);
    default:
      return (gimple_assign_single_p (stmt)
	      && leads_to (gimple_assign_rhs1 (stmt), target, depth, op));
    }
}

/* True if STMT stores TARGET OP something into TARGET.  */

bool
gomp_amp_region::adds (gimple *stmt, bool *minmax)
{
  *minmax = false;
  tree lhs = gimple_get_lhs (stmt);
  if (!lhs)
    return false;
  /* A copy of itself is no sum.  */
  if (gimple_assign_single_p (stmt) && !temporary (gimple_assign_rhs1 (stmt)))
    return false;
  enum tree_code op = ERROR_MARK;
  bool made = made_from (stmt, lhs, GOMP_AMP_RESOLVE, &op);
  *minmax = op == MAX_EXPR || op == MIN_EXPR;
  return made;
}

/* True if T is DECL, a component of it, or what a pointer to it points to.  */

bool
gomp_amp_region::names (tree t, tree decl)
{
  tree pointer = memory_base (t);
  tree *to = pointer ? aliases.get (pointer) : NULL;
  tree *own = pointer ? owners.get (decl) : NULL;
  if (own && users_pointer (t) == *own)
    return true;
  own = pointer && TREE_CODE (pointer) == PARM_DECL ? insides.get (pointer)
						    : NULL;
  if (own && *own == decl)
    return true;
  while (handled_component_p (t))
    t = TREE_OPERAND (t, 0);
  return t == decl || (to && *to == decl);
}

/* VALUE, used at AT, without conversions.  */

tree
gomp_amp_region::unconverted (tree value, unsigned at)
{
  for (unsigned i = 0; i < GOMP_AMP_RESOLVE && temporary (value); i++)
    {
      gimple *def = definition (value, at);
      if (!def || !is_gimple_assign (def)
	  || !(gimple_assign_cast_p (def) || gimple_assign_single_p (def)
	       || gimple_assign_rhs_code (def) == FLOAT_EXPR))
	break;
      value = gimple_assign_rhs1 (def);
    }
  return value;
}

/* True if a comparison TEST of A and B, at AT, asks whether DECL is the larger
   or smaller one, or with ANY differs, and STORED is the other, or comes from
   DECL, too.  */

bool
gomp_amp_region::orders (enum tree_code test, tree a, tree b, unsigned at,
			 tree decl, tree stored, bool any)
{
  for (int i = 0; i < 2; i++)
    {
      tree op = unconverted (i ? b : a, at), other = i ? a : b;
      if (!names (op, decl))
	continue;
      tree value = unconverted (other, at);
      gimple *from = temporary (value) ? definition (value, at) : NULL;
      if (stored && BINARY_CLASS_P (stored) && from && computed (from))
	value = computed (from);
      return ((any || (test != EQ_EXPR && test != NE_EXPR))
	      && (!stored || same (stored, value, GOMP_AMP_RESOLVE)
		  || names (stored, decl)
		  || (DECL_P (stored) && handled_component_p (value)
		      && get_base_address (value) == stored)
		  || (memory_base (stored) && memory_base (value)
		      && same (memory_base (stored), memory_base (value),
			       GOMP_AMP_RESOLVE))));
    }
  gimple *def = (temporary (a) && integer_zerop (b) ? definition (a, at)
						    : NULL);
  if (!def || !is_gimple_assign (def))
    return false;
  switch (gimple_assign_rhs_code (def))
    {
    case BIT_IOR_EXPR:
    case BIT_AND_EXPR:
    case TRUTH_OR_EXPR:
    case TRUTH_AND_EXPR:
      return (orders (test, gimple_assign_rhs1 (def), b, at, decl, NULL_TREE,
		      any)
	      || orders (test, gimple_assign_rhs2 (def), b, at, decl,
			 NULL_TREE, any));
    CASE_CONVERT:
      return orders (test, gimple_assign_rhs1 (def), b, at, decl, stored, any);
    default:
      return (TREE_CODE_CLASS (gimple_assign_rhs_code (def)) == tcc_comparison
	      && orders (gimple_assign_rhs_code (def),
			 gimple_assign_rhs1 (def), gimple_assign_rhs2 (def),
			 at, decl, stored, any));
    }
}

/* What STMT assigns: a value, or an expression of two; NULL if that is
   something else.  */

tree
gomp_amp_region::computed (gimple *stmt)
{
  if (!is_gimple_assign (stmt))
    return NULL_TREE;
  enum tree_code op = gimple_assign_rhs_code (stmt);
  if (gimple_assign_single_p (stmt) || gimple_assign_cast_p (stmt)
      || op == FLOAT_EXPR)
    return gimple_assign_rhs1 (stmt);
  return (get_gimple_rhs_class (op) == GIMPLE_BINARY_RHS
	  ? build2 (op, TREE_TYPE (gimple_assign_lhs (stmt)),
		    gimple_assign_rhs1 (stmt), gimple_assign_rhs2 (stmt))
	  : NULL_TREE);
}

/* The label of the straight line of code that the statement at *AT is in, if
   only jumps lead there, or NULL; where that is, in *AT.  */

tree
gomp_amp_region::line_of (unsigned *at)
{
  while (*at > from && gimple_code (code[*at]) != GIMPLE_LABEL)
    {
      --*at;
      if (gimple_code (code[*at]) == GIMPLE_GOTO
	  || gimple_code (code[*at]) == GIMPLE_COND)
	return NULL_TREE;
    }
  if (*at == from || gimple_code (code[*at]) != GIMPLE_LABEL)
    return NULL_TREE;
  switch (gimple_code (code[*at - 1]))
    {
    case GIMPLE_GOTO:
    case GIMPLE_COND:
      return gimple_label_label (as_a <glabel *> (code[*at]));
    default:
      return NULL_TREE;
    }
}

/* The first test from *I on, before AT, that leads to LABEL, or NULL; where it
   is, in *I.  */

gcond *
gomp_amp_region::test_of (tree label, unsigned *i, unsigned at)
{
  for (; label && *i < at; ++*i)
    {
      gcond *cond = dyn_cast <gcond *> (code[*i]);
      if (cond && (gimple_cond_true_label (cond) == label
		   || gimple_cond_false_label (cond) == label))
	return cond;
    }
  return NULL;
}

/* True if the statement at AT runs only after a comparison with DECL, and
   stores what was compared, as in if (x > max) max = x, or with ANY as in
   if (x != kept) kept = x.  */

bool
gomp_amp_region::guarded (unsigned at, tree decl, bool any)
{
  tree stored = computed (code[at]);
  if (stored && !EXPR_P (stored))
    stored = unconverted (stored, at);
  return guards (at, decl, stored, any, 3);
}

/* The same of what is STORED there.  Compound conditions are values first, to
   a DEPTH.  */

bool
gomp_amp_region::guards (unsigned at, tree decl, tree stored, bool any,
			 unsigned depth)
{
  tree label = line_of (&at);
  unsigned i = from;
  for (; gcond *cond = test_of (label, &i, at); i++)
    {
      if (orders (gimple_cond_code (cond), gimple_cond_lhs (cond),
		  gimple_cond_rhs (cond), i, decl, stored, any))
	return true;
      tree value = gimple_cond_lhs (cond);
      gimple *def = temporary (value) ? definition (value, i) : NULL;
      if (def && gimple_assign_single_p (def)
	  && temporary (gimple_assign_rhs1 (def)))
	value = gimple_assign_rhs1 (def);
      if (depth == 0 || !temporary (value)
	  || gimple_cond_true_label (cond) != label
	  || !integer_zerop (gimple_cond_rhs (cond)))
	continue;
      for (unsigned k = from; k < i; k++)
	if (gimple_assign_single_p (code[k])
	    && gimple_assign_lhs (code[k]) == value
	    && integer_onep (gimple_assign_rhs1 (code[k]))
	    && guards (k, decl, stored, any, depth - 1))
	  return true;
    }
  return false;
}

/* What the test COND, at AT, compares: *A and *B.  */

void
gomp_amp_region::comparands (gimple *cond, unsigned at, tree *a, tree *b)
{
  *a = unconverted (gimple_cond_lhs (cond), at);
  *b = gimple_cond_rhs (cond);
  gimple *def = temporary (*a) ? definition (*a, at) : NULL;
  if (def && is_gimple_assign (def)
      && TREE_CODE_CLASS (gimple_assign_rhs_code (def)) == tcc_comparison)
    {
      *a = unconverted (gimple_assign_rhs1 (def), at);
      *b = gimple_assign_rhs2 (def);
    }
}

/* True if the statement at AT runs only after a comparison of something in DECL
   with a constant, as what is done the first time does.  */

bool
gomp_amp_region::first_time (unsigned at, tree decl)
{
  tree label = line_of (&at);
  unsigned i = from;
  for (; gcond *cond = test_of (label, &i, at); i++)
    {
      tree a, b;
      comparands (cond, i, &a, &b);
      if (CONSTANT_CLASS_P (b) && names (a, decl))
	return true;
    }
  return false;
}

/* True if the assignment at AT is a comparison whose result is only branched
   on, alone or with others, soon.  */

bool
gomp_amp_region::only_branches (unsigned at)
{
  if (TREE_CODE_CLASS (gimple_assign_rhs_code (code[at])) != tcc_comparison)
    return false;
  const unsigned near = 12;
  tree result = gimple_assign_lhs (code[at]);
  for (unsigned i = at + 1; i < to && i < at + near; i++)
    {
      unsigned *u = temporary (result) ? uses.get (result) : NULL;
      if (!u || *u != 1)
	return false;
      if (gcond *cond = dyn_cast <gcond *> (code[i]))
	return gimple_cond_lhs (cond) == result;
      if (!is_gimple_assign (code[i])
	  || (gimple_assign_rhs1 (code[i]) != result
	      && gimple_assign_rhs2 (code[i]) != result))
	continue;
      switch (gimple_assign_rhs_code (code[i]))
	{
	case BIT_IOR_EXPR:
	case BIT_AND_EXPR:
	case TRUTH_OR_EXPR:
	case TRUTH_AND_EXPR:
	  result = gimple_assign_lhs (code[i]);
	  break;
	default:
	  return false;
	}
    }
  return false;
}

/* True if STMT stores *std::max (&something, &value), or the like.  */

bool
gomp_amp_region::std_extreme (gimple *stmt)
{
  for (int k = 0; k < 3 && is_gimple_assign (stmt); k++)
    {
      tree p = gimple_assign_rhs1 (stmt);
      if (TREE_CODE (p) == MEM_REF)
	p = TREE_OPERAND (p, 0);
      unsigned *d = temporary (p) ? defs.get (p) : NULL;
      if (!d || *d != 1)
	return false;
      stmt = code[*def_at.get (p)];
    }
  return chooses (stmt);
}

/* True if the current loop does nothing with DECL, or its component EXPR, but
   add to it, or keep the largest or smallest value in it.  *USED_TOO is set if
   it is added to, and read for something else than a comparison.  */

bool
gomp_amp_region::only_added (tree decl, tree expr, bool *sums,
			     bool *accumulates, bool *used_too)
{
  unsigned added = 0, used = 0, compared = 0;
  /* What threads note by number need not be a sum.  */
  bool floating = false, plain = noted;
  for (unsigned i = from; i < to; i++)
    {
      bool writes = false;
      for (unsigned r = first_ref[i];
	   r < (i + 1 < code.length () ? first_ref[i + 1] : refs.length ());
	   r++)
	if (refs[r].decl == decl && !gomp_amp_disjoint (refs[r].expr, expr))
	  switch (refs[r].kind)
	    {
	    case GOMP_AMP_USE:
	      used++;
	      break;
	    case GOMP_AMP_STREAM:
	      return false;
	    case GOMP_AMP_NOTHING:
	      break;
	    case GOMP_AMP_LIST:
	    case GOMP_AMP_ADD:
	      plain = true;
	      break;
	    default:
	      writes = true;
	    }
      gimple *stmt = code[i];
      if (writes)
	{
	  bool minmax = false;
	  if (gimple_clobber_p (stmt))
	    continue;
	  if (adds (stmt, &minmax))
	    {
	      added++;
	      tree type = TREE_TYPE (gimple_get_lhs (stmt));
	      if (!minmax)
		{
		  plain = true;
		  floating |= FLOAT_TYPE_P (type);
		}
	    }
	  else if (!guarded (i, decl))
	    {
	      if (!std_extreme (stmt))
		return false;
	      compared++;
	    }
	}
      /* Comparisons, with its value or a copy.  */
      if (gimple_code (stmt) == GIMPLE_COND)
	compared += ((gimple_cond_lhs (stmt) == decl)
		     + (gimple_cond_rhs (stmt) == decl));
      else if (is_gimple_assign (stmt) && only_branches (i)
	       && (gimple_assign_rhs1 (stmt) == decl
		   || gimple_assign_rhs2 (stmt) == decl))
	compared++;
      else if (gimple_assign_single_p (stmt)
	       && names (gimple_assign_rhs1 (stmt), decl)
	       && !(expr && gomp_amp_disjoint (gimple_assign_rhs1 (stmt), expr))
	       && temporary (gimple_assign_lhs (stmt)))
	{
	  tree copy = gimple_assign_lhs (stmt);
	  for (unsigned j = i + 1; j < to; j++)
	    if ((gimple_code (code[j]) == GIMPLE_COND
		 && (gimple_cond_lhs (code[j]) == copy
		     || gimple_cond_rhs (code[j]) == copy))
		|| (is_gimple_assign (code[j]) && only_branches (j)
		    && (gimple_assign_rhs1 (code[j]) == copy
			|| gimple_assign_rhs2 (code[j]) == copy)))
	      {
		compared++;
		break;
	      }
	}
    }
  /* A sum that is compared is used; a maximum has to be.  */
  if (used_too)
    *used_too = added > 0 && used > added + compared;
  if (added && compared)
    return false;
  if (used != added + compared)
    return false;
  *sums |= floating;
  *accumulates |= plain;
  return true;
}

/* True if the current loop computes DECL from itself by operations of several
   kinds.  */

bool
gomp_amp_region::mixes (tree decl)
{
  bool minmax;
  for (unsigned i = from; i < to; i++)
    if (is_gimple_assign (code[i]) && gimple_assign_lhs (code[i]) == decl
	&& !gimple_clobber_p (code[i]) && !adds (code[i], &minmax)
	&& made_of (code[i], decl, GOMP_AMP_RESOLVE))
      return true;
  return false;
}

/* True if DECL is the iterator, of a class, of the current LOOP in C++: the
   front end counts in a variable of its own and moves DECL after it.  */

bool
gomp_amp_region::is_iterator (gimple *loop, tree decl)
{
  if (!RECORD_OR_UNION_TYPE_P (TREE_TYPE (decl)))
    return false;
  bool made = false;
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    made |= DECL_ARTIFICIAL (gimple_omp_for_index (loop, i));
  if (!made)
    return false;
  for (unsigned i = from; i < to; i++)
    for (unsigned r = first_ref[i];
	 r < (i + 1 < code.length () ? first_ref[i + 1] : refs.length ()); r++)
      if (refs[r].decl == decl)
	return (is_gimple_call (code[i]) && !gimple_call_internal_p (code[i])
		&& gimple_call_fndecl (code[i])
		&& strcmp (gomp_amp_name (gimple_call_fndecl (code[i])),
			   "operator+=") == 0);
  return false;
}

/* True if what is behind OBJECT is its own, rather than what a pointer happens
   to lead to.  */

bool
gomp_amp_region::elements_of (tree object)
{
  return memories.contains (object) || !POINTER_TYPE_P (TREE_TYPE (object));
}

/* True if STMT, a division or shift of LOOP's iterator, gives several
   iterations one value.  */

static bool
gomp_amp_is_coarse (gimple *loop, gimple *stmt)
{
  tree by = gimple_assign_rhs2 (stmt);
  bool shift = gimple_assign_rhs_code (stmt) == RSHIFT_EXPR;
  if (!shift && gimple_assign_rhs_code (stmt) != TRUNC_DIV_EXPR)
    return false;
  tree step = TREE_OPERAND (gimple_omp_for_incr (loop, 0), 1);
  if (gimple_omp_for_collapse (loop) > 1 || !cst_and_fits_in_hwi (step)
      || !cst_and_fits_in_hwi (by))
    return true;
  HOST_WIDE_INT of = abs_hwi (int_cst_value (step)), d = int_cst_value (by);
  return shift ? d >= 0 && d < HOST_BITS_PER_WIDE_INT && (of >> d) == 0
	       : abs_hwi (d) > of;
}

/* What the current LOOP computes from its iterators without memory: INDEX, and
   COARSE, what is made of those by a division or shift only.  */

void
gomp_amp_region::index_values (gimple *loop)
{
  index.empty ();
  coarse.empty ();
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    index.add (gimple_omp_for_index (loop, i));
  for (unsigned i = from; i < to; i++)
    {
      tree lhs = gimple_get_lhs (code[i]);
      if (!lhs || !gomp_amp_is_name (lhs)
	  || TREE_CODE (TREE_TYPE (lhs)) == BOOLEAN_TYPE)
	continue;
      bool fine = false, rough = false;
      if (is_gimple_call (code[i]))
	for (unsigned j = 0; j < gimple_call_num_args (code[i]); j++)
	  {
	    /* The one of two.  */
	    tree arg = gimple_call_arg (code[i], j);
	    fine |= (TREE_CODE (arg) == ADDR_EXPR && chooses (code[i])
		     && index.contains (TREE_OPERAND (arg, 0)));
	  }
      else if (is_gimple_assign (code[i]) && !gimple_clobber_p (code[i]))
	for (unsigned j = 1; j < gimple_num_ops (code[i]); j++)
	  {
	    tree op = gimple_op (code[i], j);
	    if (op && TREE_CODE (op) == MEM_REF && temporary (lhs))
	      op = TREE_OPERAND (op, 0);
	    fine |= op && gomp_amp_is_name (op) && index.contains (op);
	    rough |= op && gomp_amp_is_name (op) && coarse.contains (op);
	  }
      if (fine && is_gimple_assign (code[i])
	  && index.contains (gimple_assign_rhs1 (code[i]))
	  && gomp_amp_is_coarse (loop, code[i]))
	coarse.add (lhs);
      else if (fine)
	index.add (lhs);
      else if (rough)
	coarse.add (lhs);
    }
}

/* True if STMT calls the C++ library's min or max.  */

bool
gomp_amp_region::chooses (gimple *stmt)
{
  tree fn = (is_gimple_call (stmt) && !gimple_call_internal_p (stmt)
	     ? gimple_call_fndecl (stmt) : NULL_TREE);
  return (fn && gomp_amp_in_std (fn)
	  && gomp_amp_listed (gomp_amp_name (fn), "max min "));
}

/* True if the current loop puts iterators into DECL, other than into a sum: how
   far those of the thread reach.  Where threads do not note what they find out,
   that is so only if nothing but iterators decides it.  */

bool
gomp_amp_region::spans (tree decl)
{
  for (unsigned i = from; i < to; i++)
    {
      if (!noted && gimple_code (code[i]) == GIMPLE_COND)
	{
	  tree a, b;
	  comparands (code[i], i, &a, &b);
	  if (!index.contains (a) && !index.contains (b))
	    return false;
	}
      for (unsigned r = first_ref[i];
	   r < (i + 1 < code.length () ? first_ref[i + 1] : refs.length ());
	   r++)
	{
	  if (refs[r].decl != decl || refs[r].kind == GOMP_AMP_USE
	      || refs[r].kind == GOMP_AMP_NOTHING)
	    continue;
	  bool minmax;
	  if (is_gimple_call (code[i]))
	    {
	      for (unsigned j = 0; j < gimple_call_num_args (code[i]); j++)
		if (index.contains (gimple_call_arg (code[i], j)))
		  return true;
	    }
	  else if (!(adds (code[i], &minmax) && !minmax))
	    for (unsigned j = 1; j < gimple_num_ops (code[i]); j++)
	      if (index.contains (gimple_op (code[i], j)))
		return true;
	}
    }
  return false;
}

/* The private object that T is an element of, or NULL.  */

tree
gomp_amp_region::private_root (tree t)
{
  tree root = memory_root (t);
  tree *to = root ? elements.get (root) : NULL;
  if (!to && memory_base (t))
    to = elements.get (memory_base (t));
  if (to)
    root = *to;
  return (root && DECL_P (root) && !POINTER_TYPE_P (TREE_TYPE (root))
	  && is_private (root) ? root : NULL_TREE);
}

/* The private object of which T, memory that the current loop uses at AT, is an
   element that its iterators select; or NULL.  */

tree
gomp_amp_region::iterations_own (tree t, unsigned at)
{
  bool behind;
  tree object = NULL_TREE, base = memory_base (t);
  gimple *def = base && temporary (base) ? definition (base, at) : NULL;
  if (def && is_gimple_call (def))
    {
      tree fndecl = (gimple_call_internal_p (def) ? NULL_TREE
						  : gimple_call_fndecl (def));
      if (fndecl && gomp_amp_in_std (fndecl)
	  && gomp_amp_listed (gomp_amp_name (fndecl), "operator[] at ")
	  && gimple_call_num_args (def) > 1
	  && index.contains (gimple_call_arg (def, 1)))
	object = pointee (gimple_call_arg (def, 0), &behind);
    }
  else if (address_has_number (t, index))
    return private_root (t);
  return object && is_private (object) ? object : NULL_TREE;
}

/* Find what iterations of a loop leave in private objects for the same
   iterations of another one.  */

void
gomp_amp_region::handed_on ()
{
  /* What iterations select, in the loops OF, and all that is written.  */
  auto_vec<gomp_amp_place> places, written;
  auto_vec<unsigned> of;
  for (unsigned l = 0; l < loops.length (); l++)
    {
      from = loops[l].begin;
      to = loops[l].end;
      count ();
      index_values (loops[l].stmt);
      for (unsigned i = from; i < to; i++)
	if (is_gimple_assign (code[i]) && !gimple_clobber_p (code[i]))
	  for (int write = 0; write < 2; write++)
	    {
	      tree t = (write ? gimple_assign_lhs (code[i])
			: gimple_assign_rhs1 (code[i]));
	      gomp_amp_place any = { i, write ? private_root (t) : NULL_TREE,
				     true };
	      if (any.root)
		written.safe_push (any);
	      gomp_amp_place at = { i, iterations_own (t, i), write == 1 };
	      unsigned *where = at.root ? declared.get (at.root) : NULL;
	      if (!at.root || (where && *where >= from && *where < to))
		continue;
	      places.safe_push (at);
	      of.safe_push (l);
	    }
    }
  for (unsigned r = 0; r < places.length (); r++)
    {
      gomp_amp_loop &user = loops[of[r]];
      tree root = places[r].root;
      bool own = places[r].writes;
      for (unsigned w = 0; w < written.length () && !own; w++)
	own = (written[w].root == root && written[w].pos >= user.begin
	       && written[w].pos < places[r].pos);
      for (unsigned w = 0; w < places.length () && !own; w++)
	if (of[w] != of[r] && places[w].writes && places[w].root == root)
	  {
	    user.carried.note (gimple_location (code[places[r].pos]), root);
	    loops[of[w]].carried.note (gimple_location (code[places[w].pos]),
				       root);
	  }
    }
}

/* True if LOOP, or its region, reduces OBJECT.  */

bool
gomp_amp_region::reduces (gimple *loop, tree object) const
{
  for (int own = 0; own < 2; own++)
    for (tree c = own ? own_clauses () : gimple_omp_for_clauses (loop); c;
	 c = OMP_CLAUSE_CHAIN (c))
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	  && gomp_amp_clause_decl (c) == object)
	return true;
  return false;
}

/* True if iterations of LOOP, the current one, that follow one another change
   one element of memory that all share, or bits of one word.  */

bool
gomp_amp_region::shares_words (gimple *loop, location_t *at, tree *what)
{
  for (unsigned i = from; i < to; i++)
    {
      bool inside = false;
      for (unsigned k = 0; k < criticals.length () && !inside; k++)
	inside = i >= criticals[k].first && i < criticals[k].last;
      tree object = NULL_TREE;
      if (inside)
	continue;
      if (is_gimple_assign (code[i]) && !gimple_clobber_p (code[i]))
	{
	  tree lhs = gimple_assign_lhs (code[i]);
	  if (address_has_number (lhs, coarse)
	      && !address_has_number (lhs, index)
	      && updates (gimple_assign_rhs1 (code[i]), lhs, i,
			  GOMP_AMP_RESOLVE))
	    object = memory_root (lhs);
	}
      else if (is_gimple_call (code[i]) && !gimple_call_internal_p (code[i])
	       && gimple_call_num_args (code[i]) > 0
	       && TREE_CODE (gimple_call_arg (code[i], 0)) == ADDR_EXPR)
	{
	  tree bit = TREE_OPERAND (gimple_call_arg (code[i], 0), 0);
	  tree fndecl = gimple_call_fndecl (code[i]);
	  const_tree type = TYPE_MAIN_VARIANT (TREE_TYPE (bit));
	  const char *of = DECL_P (bit) ? gomp_amp_class_name (type) : "";
	  if (!fndecl || !gomp_amp_in_std (fndecl)
	      || !gomp_amp_listed (of, "_Bit_reference ")
	      || !gomp_amp_listed (gomp_amp_name (fndecl), "operator= flip "))
	    continue;
	  gimple *def = definition (bit, i);
	  if (def && is_gimple_call (def) && gimple_call_num_args (def) > 1
	      && has_number (gimple_call_arg (def, 1), index))
	    {
	      bool behind;
	      object = pointee (gimple_call_arg (def, 0), &behind);
	      if (!object)
		object = root_of (gimple_call_arg (def, 0));
	    }
	}
      if (!object || (is_private (object)
		      && !POINTER_TYPE_P (TREE_TYPE (object)))
	  || has_number (object, region_number) || reduces (loop, object))
	continue;
      *at = gimple_location (code[i]);
      *what = object;
      return true;
    }
  return false;
}

/* Which private variables keep something from one iteration to the next.  */

void
gomp_amp_region::carried (gomp_amp_loop &loop)
{
  hash_set<tree> fresh;
  auto_vec<gomp_amp_ref> seen;
  privates_of (loop.stmt, fresh);
  index_values (loop.stmt);
  bool locks = false;
  for (unsigned i = 0; i < reader.facts.length () && !locks; i++)
    locks = (reader.facts[i].what == error_mark_node
	     && reader.facts[i].pos >= from && reader.facts[i].pos < to);
  /* A simd loop, which is part of the construct, makes its own.  */
  for (unsigned i = from; i < to; i++)
    if (gimple_code (code[i]) == GIMPLE_OMP_FOR
	&& gomp_amp_is_simd (code[i]))
      {
	if (gimple_omp_for_combined_into_p (code[i]))
	  privates_of (code[i], fresh);
	for (unsigned j = 0; j < gimple_omp_for_collapse (code[i]); j++)
	  fresh.add (gimple_omp_for_index (code[i], j));
	for (tree c = gimple_omp_for_clauses (code[i]); c;
	     c = OMP_CLAUSE_CHAIN (c))
	  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	      || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE)
	    fresh.add (OMP_CLAUSE_DECL (c));
      }

  for (unsigned i = from; i < to; i++)
    for (unsigned r = first_ref[i];
	 r < (i + 1 < code.length () ? first_ref[i + 1] : refs.length ()); r++)
      {
	tree decl = refs[r].decl, expr = refs[r].expr;
	if (refs[r].kind == GOMP_AMP_USE || refs[r].kind == GOMP_AMP_NOTHING
	    || !DECL_P (decl))
	  continue;
	bool known = false;
	for (unsigned k = 0; k < seen.length () && !known; k++)
	  known = (seen[k].decl == decl
		   && (seen[k].expr == expr
		       || (seen[k].expr && expr
			   && operand_equal_p (seen[k].expr, expr, 0))));
	if (known)
	  continue;
	seen.safe_push (refs[r]);
	/* What the region reduces may be reduced in any order.  */
	bool reduced = false;
	tree *pointer = owners.get (decl);
	for (tree c = own_clauses (); c; c = OMP_CLAUSE_CHAIN (c))
	  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	      && (gomp_amp_clause_decl (c) == decl
		  || (pointer && gomp_amp_clause_decl (c) == *pointer)))
	    {
	      reduced = true;
	      loop.sums |= sum_clause (c);
	    }
	if (reduced || is_iterator (loop.stmt, decl))
	  continue;
	unsigned *where = declared.get (decl);
	if (where && *where >= from && *where < to)
	  continue;
	tree *of = outsides.get (decl);
	if (of && !elements_of (*of))
	  continue;
	if (fresh.contains (decl)
	    || (DECL_ARTIFICIAL (decl)
		&& !AGGREGATE_TYPE_P (TREE_TYPE (decl)))
	    || (DECL_HAS_VALUE_EXPR_P (decl)
		&& TREE_CODE (DECL_VALUE_EXPR (decl)) != INDIRECT_REF))
	  continue;
	bool own = is_private (decl) || DECL_THREAD_LOCAL_P (decl);
	bool loops_own = false;
	for (tree c = gimple_omp_for_clauses (loop.stmt); !loops_own && c;
	     c = OMP_CLAUSE_CHAIN (c))
	  loops_own = ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
			|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
			|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE)
		       && OMP_CLAUSE_DECL (c) == decl);
	if (!own && !loops_own)
	  continue;
	/* Pointers that move lead elsewhere.  */
	if (pointer && (locks || defs.get (*pointer)
			|| fresh.contains (*pointer)))
	  continue;
	bool added = only_added (decl, expr, &loop.sums, &loop.accumulates);
	if (loop.carried.found
	    || (added && !(joined && spans (decl)
			   && left_behind (decl, expr, loop.end))))
	  continue;
	/* What threads note by number after the loop is of their last
	   iteration.  */
	bool last = (!loops_own && numbered ()
		     && left_behind (decl, expr, loop.end));
	if (!added && !last && !exposed (decl, expr))
	  continue;
	loop.carried.note (gimple_location (code[i]), decl);
      }
  /* A reduction is one whatever thread adds what, if all is added.  */
  for (int own = 0; own < 2; own++)
    for (tree c = own ? own_clauses () : gimple_omp_for_clauses (loop.stmt);
	 !loop.carried.found && c; c = OMP_CLAUSE_CHAIN (c))
      {
	if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_REDUCTION)
	  continue;
	tree decl = OMP_CLAUSE_DECL (c);
	if (!DECL_P (decl) || !exposed (decl))
	  continue;
	bool sums = false, accumulates = false, used = false;
	if (OMP_CLAUSE_REDUCTION_CODE (c) == PLUS_EXPR
	    && gomp_amp_is_scalar (decl, NULL_TREE))
	  only_added (decl, NULL_TREE, &sums, &accumulates, &used);
	if (used || mixes (decl))
	  loop.carried.note (gimple_location (loop.stmt), decl);
      }
  location_t at;
  tree what;
  if (counts_places (loop, &at, &what)
      || (!locks && shares_words (loop.stmt, &at, &what)))
    loop.carried.note (at, what);
}

/* True if STMT computes what it does from VALUE.  */

bool
gomp_amp_region::made_of (gimple *stmt, tree value, unsigned depth)
{
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      if (op == value)
	return true;
      unsigned *d = op && depth > 0 && temporary (op) ? defs.get (op) : NULL;
      if (d && *d == 1 && is_gimple_assign (code[*def_at.get (op)])
	  && made_of (code[*def_at.get (op)], value, depth - 1))
	return true;
    }
  return false;
}

/* True if VALUE, used at AT, is made of what PLACE holds.  */

bool
gomp_amp_region::updates (tree value, tree place, unsigned at, unsigned depth)
{
  gimple *def = depth > 0 && temporary (value) ? definition (value, at) : NULL;
  if (!def || !is_gimple_assign (def))
    return false;
  for (unsigned i = 1; i < gimple_num_ops (def); i++)
    if (same (gimple_op (def, i), place, GOMP_AMP_RESOLVE)
	|| updates (gimple_op (def, i), place, at, depth - 1))
      return true;
  return false;
}

/* True if memory is selected by one of VALUES, to which all is added that is
   made of them in the current loop.  */

bool
gomp_amp_region::selects (hash_set<tree> &values)
{
  propagate (from, to, values, false);
  for (unsigned i = from; i < to; i++)
    {
      if (is_gimple_assign (code[i]) && !gimple_clobber_p (code[i])
	  && (address_has_number (gimple_assign_lhs (code[i]), values)
	      || address_has_number (gimple_assign_rhs1 (code[i]), values)))
	return true;
      if (is_gimple_call (code[i]) && gimple_call_lhs (code[i])
	  && address_has_number (gimple_call_lhs (code[i]), values))
	return true;
    }
  return false;
}

/* True if places are counted in the current LOOP: what a reduction adds up, or
   elements of a container of each thread's own that are added to, select
   memory.  Containers are those of the C++ library, Fortran's allocatable
   arrays, and arrays of variable size.  */

bool
gomp_amp_region::counts_places (gomp_amp_loop &loop, location_t *at,
				tree *what)
{
  for (tree c = gimple_omp_for_clauses (loop.stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	&& INTEGRAL_TYPE_P (TREE_TYPE (OMP_CLAUSE_DECL (c))))
      {
	hash_set<tree> values;
	values.add (OMP_CLAUSE_DECL (c));
	bool used = selects (values);
	/* Or are kept, by what a thread has found so far.  */
	for (unsigned i = from; joined && i < to && !used; i++)
	  if (gimple_assign_single_p (code[i]) && !gimple_clobber_p (code[i]))
	    {
	      tree lhs = gimple_assign_lhs (code[i]);
	      used = (values.contains (gimple_assign_rhs1 (code[i]))
		      && !gomp_amp_is_name (lhs));
	    }
	if (used)
	  {
	    *at = gimple_location (loop.stmt);
	    *what = OMP_CLAUSE_DECL (c);
	    return true;
	  }
      }

  hash_set<tree> done;
  for (unsigned i = from; i < to; i++)
    {
      if (!gimple_store_p (code[i]) || !is_gimple_assign (code[i]))
	continue;
      tree place = gimple_assign_lhs (code[i]);
      tree base = memory_base (place);
      tree *of = base ? elements.get (base) : NULL;
      /* Calls may also give what all share.  */
      if (!of || !is_private (*of) || (memories.contains (*of) && !joined)
	  || !updates (gimple_assign_rhs1 (code[i]), place, i,
		       GOMP_AMP_RESOLVE))
	continue;
      unsigned *where = declared.get (*of);
      if ((where && *where >= from && *where < to) || done.add (*of))
	continue;
      if (reduces (loop.stmt, *of))
	continue;
      hash_set<tree> values;
      for (unsigned j = from; j < to; j++)
	if (gimple_assign_single_p (code[j])
	    && gomp_amp_is_name (gimple_assign_lhs (code[j])))
	  {
	    tree b = memory_base (gimple_assign_rhs1 (code[j]));
	    tree *o = b ? elements.get (b) : NULL;
	    if (o && *o == *of)
	      values.add (gimple_assign_lhs (code[j]));
	  }
      if (selects (values))
	{
	  *at = gimple_location (code[i]);
	  *what = *of;
	  return true;
	}
      loop.accumulates = true;
      loop.sums |= FLOAT_TYPE_P (TREE_TYPE (place));
    }
  return false;
}

/* The pointer through which T, memory, is reached, or NULL.  */

tree
gomp_amp_region::memory_base (tree t)
{
  while (t && handled_component_p (t))
    t = TREE_OPERAND (t, 0);
  return (t && (TREE_CODE (t) == MEM_REF || TREE_CODE (t) == INDIRECT_REF)
	  ? TREE_OPERAND (t, 0) : NULL_TREE);
}

/* The array that T is of, or the pointer that leads to it, or NULL.  */

tree
gomp_amp_region::memory_root (tree t)
{
  bool part = handled_component_p (t);
  while (handled_component_p (t))
    t = TREE_OPERAND (t, 0);
  if (DECL_P (t))
    return part ? t : NULL_TREE;
  return root_of (memory_base (t));
}

/* The array that T points into, or the pointer that leads to it, or NULL.  */

tree
gomp_amp_region::root_of (tree t)
{
  for (unsigned i = 0; t && i < GOMP_AMP_RESOLVE; i++)
    {
      STRIP_NOPS (t);
      if (TREE_CODE (t) == ADDR_EXPR)
	return get_base_address (TREE_OPERAND (t, 0));
      unsigned *d = defs.get (t);
      bool own = !temporary (t);
      if (own && !(DECL_P (t) && is_private (t) && d && *d == 1))
	return DECL_P (t) ? t : NULL_TREE;
      /* The compiler gives one name to the same expression.  */
      gimple *def = d ? code[*def_at.get (t)] : NULL;
      if (!def || !is_gimple_assign (def)
	  || (own && !gomp_amp_is_name (gimple_assign_rhs1 (def))
	      && TREE_CODE (gimple_assign_rhs1 (def)) != ADDR_EXPR))
	return own ? t : NULL_TREE;
      t = gimple_assign_rhs1 (def);
    }
  return NULL_TREE;
}

/* Find loops that use what threads write by their number before them, without
   a barrier: to blocks that the code deals by itself, or to what one thread
   prepares.  */

void
gomp_amp_region::hand_dealt ()
{
  if (!numbered ())
    return;
  for (unsigned i = 0; i < code.length () && !noted; i++)
    noted = (is_gimple_assign (code[i]) && !gimple_clobber_p (code[i])
	     && address_has_number (gimple_assign_lhs (code[i]),
				    region_number));
  auto_vec<bool> in_loop, guarded;
  in_loop.safe_grow_cleared (code.length () + 1);
  guarded.safe_grow_cleared (code.length () + 1);
  for (unsigned i = 0; i < loops.length (); i++)
    for (unsigned j = loops[i].begin; j < loops[i].end; j++)
      in_loop[j] = true;
  for (unsigned i = 0; i < code.length (); i++)
    {
      gcond *cond = dyn_cast <gcond *> (code[i]);
      if (!cond || in_loop[i]
	  || !(has_number (gimple_cond_lhs (cond), region_number)
	       || has_number (gimple_cond_rhs (cond), region_number)))
	continue;
      auto_vec<bool> t, f;
      t.safe_grow_cleared (code.length () + 1);
      f.safe_grow_cleared (code.length () + 1);
      flow (label_at (gimple_cond_true_label (cond)), t, true);
      flow (label_at (gimple_cond_false_label (cond)), f, true);
      for (unsigned j = i; j < code.length (); j++)
	guarded[j] = guarded[j] || t[j] != f[j];
      /* How often a loop runs is the number's business.  */
      unsigned to_t = label_at (gimple_cond_true_label (cond));
      unsigned to_f = label_at (gimple_cond_false_label (cond));
      for (unsigned j = 0; j < reader.loops.length (); j++)
	{
	  const gomp_amp_range &l = reader.loops[j];
	  if (l.first <= i && i <= l.last
	      && (to_t < l.first || to_t > l.last)
		 != (to_f < l.first || to_f > l.last))
	    {
	      blocks = i;
	      blocks_at = gimple_location (cond);
	      for (unsigned k = l.first; k <= l.last; k++)
		guarded[k] = true;
	    }
	}
    }
  /* What is set only then depends on it.  */
  bool more = false;
  for (unsigned i = 0; i < code.length (); i++)
    if (guarded[i] && !in_loop[i] && is_gimple_assign (code[i])
	&& !gimple_clobber_p (code[i])
	&& DECL_P (gimple_assign_lhs (code[i]))
	&& is_private (gimple_assign_lhs (code[i])))
      more |= !region_number.add (gimple_assign_lhs (code[i]));
  if (more)
    propagate (0, code.length (), region_number);
  /* What loops use, other than by number.  */
  auto_vec<gomp_amp_place> used;
  for (unsigned i = 0; i < code.length (); i++)
    for (unsigned u = 0; in_loop[i]; u++)
      {
	bool by_number;
	gomp_amp_place at = { i, NULL_TREE, false };
	at.root = place (code[i], u, &at.writes, &by_number);
	if (at.root == error_mark_node)
	  break;
	if (at.root && !by_number)
	  used.safe_push (at);
      }
  for (unsigned i = 0; i < code.length (); i++)
    {
      if (in_loop[i])
	continue;
      for (unsigned w = 0; ; w++)
	{
	  bool by_number, writes;
	  tree root = place (code[i], w, &writes, &by_number);
	  if (root == error_mark_node)
	    break;
	  if (!root
	      || (is_private (root) && !POINTER_TYPE_P (TREE_TYPE (root)))
	      || !(by_number || (writes && guarded[i])))
	    continue;
	  auto_vec<bool> after;
	  for (unsigned j = 0; j < loops.length (); j++)
	    {
	      gomp_amp_loop &loop = loops[j];
	      bool uses = false;
	      for (unsigned k = 0; k < used.length () && !uses; k++)
		uses = (used[k].root == root && (writes || used[k].writes)
			&& used[k].pos >= loop.begin && used[k].pos < loop.end);
	      if (!uses || loop.before.found)
		continue;
	      if (after.is_empty ())
		{
		  after.safe_grow_cleared (code.length () + 1);
		  flow (i, after);
		}
	      if (!after[loop.begin - 1])
		continue;
	      loop.before.note (gimple_location (code[i]), root);
	    }
	}
    }
}

/* The Nth place in memory that STMT reads or may write: what it is of, or NULL
   if that is not known; error_mark_node if there are no more.  *WRITES, and
   *BY_NUMBER: the thread number selects it.  */

tree
gomp_amp_region::place (gimple *stmt, unsigned n, bool *writes,
			bool *by_number)
{
  tree t = NULL_TREE;
  *writes = false;
  if (is_gimple_assign (stmt) && !gimple_clobber_p (stmt) && n < 2)
    {
      t = n ? gimple_assign_rhs1 (stmt) : gimple_assign_lhs (stmt);
      *writes = n == 0;
      *by_number = address_has_number (t, region_number);
      return memory_root (t);
    }
  if (!is_gimple_call (stmt) || n >= gimple_call_num_args (stmt))
    return error_mark_node;
  t = gimple_call_arg (stmt, n);
  *by_number = has_number (t, region_number);
  if (!POINTER_TYPE_P (TREE_TYPE (t)))
    return NULL_TREE;
  tree fndecl = gimple_call_internal_p (stmt) ? NULL_TREE
					      : gimple_call_fndecl (stmt);
  *writes = (gomp_amp_code (ctx, fndecl, 1)
	     ? (gomp_amp_effect (ctx, fndecl, n, 1) & GOMP_AMP_WRITES) != 0
	     : fndecl && gomp_amp_in_std (fndecl)
	     ? (gomp_amp_std_use (fndecl) & GOMP_AMP_LOOKS) == 0
	     : gomp_amp_unknown_use (fndecl, n) != GOMP_AMP_LOOK);
  if (TREE_CODE (t) == ADDR_EXPR)
    {
      tree base = get_base_address (TREE_OPERAND (t, 0));
      return base && DECL_P (base) ? base : memory_root (TREE_OPERAND (t, 0));
    }
  return root_of (t);
}

/* What the code of a loop does, as far as single statements show it.  */

/* True if LOOP, the current one, may find what a thread left behind in its
   iterations of this or another loop of the region, other than in memory that
   all share.  What is unknown may be so.  */

bool
gomp_amp_region::keeps_state (const gomp_amp_loop &loop)
{
  if (loop.sync.found || loop.number.found || loop.number_alone
      || loop.tls.found || loop.carried.found || loop.unknown.found
      || loop.beside_sync)
    return true;
  hash_set<tree> fresh, seen;
  privates_of (loop.stmt, fresh);
  for (tree c = gimple_omp_for_clauses (loop.stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE)
      fresh.add (OMP_CLAUSE_DECL (c));

  for (unsigned r = from < code.length () ? first_ref[from] : refs.length ();
       r < (to < code.length () ? first_ref[to] : refs.length ()); r++)
    {
      tree decl = refs[r].decl;
      if (!DECL_P (decl) || seen.add (decl) || fresh.contains (decl)
	  || owners.get (decl) || !is_private (decl) || !exposed (decl))
	continue;
      unsigned *where = declared.get (decl);
      if (where && *where >= from && *where < to)
	continue;
      /* A pointer of the thread's own may point to what is its own.  */
      bool pointer = POINTER_TYPE_P (TREE_TYPE (decl));
      for (tree c = own_clauses (); pointer && c; c = OMP_CLAUSE_CHAIN (c))
	if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	    && OMP_CLAUSE_DECL (c) == decl)
	  pointer = false;
      if (pointer)
	return true;
      for (unsigned i = 0; i < loops.length (); i++)
	{
	  bool self = loops[i].begin == from;
	  unsigned last = (loops[i].end < code.length ()
			   ? first_ref[loops[i].end] : refs.length ());
	  for (unsigned k = (loops[i].begin < code.length ()
			     ? first_ref[loops[i].begin] : refs.length ());
	       k < last; k++)
	    /* What is written in LOOP itself is only added to, or else
	       carried.  */
	    if (refs[k].decl == decl && refs[k].kind != GOMP_AMP_USE
		&& refs[k].kind != GOMP_AMP_NOTHING && !self)
	      return true;
	}
    }
  return false;
}

void
gomp_amp_region::facts (gomp_amp_loop &loop)
{
  bool clears = false;
  const gomp_amp_fact *spun = NULL;
  for (unsigned i = 0; i < reader.facts.length (); i++)
    {
      const gomp_amp_fact &fact = reader.facts[i];
      if (fact.pos < loop.begin || fact.pos >= loop.end)
	continue;
      gomp_amp_finding *f = NULL;
      switch (fact.kind)
	{
	case GOMP_AMP_SYNC:
	case GOMP_AMP_LOCK:
	case GOMP_AMP_UNLOCK:
	case GOMP_AMP_SPIN:
	  f = &loop.sync;
	  break;
	case GOMP_AMP_TLS:
	  f = &loop.tls;
	  break;
	case GOMP_AMP_CALL:
	  if (fact.what != error_mark_node)
	    {
	      f = &loop.unknown;
	      loop.unknowns++;
	    }
	  break;
	case GOMP_AMP_CLEAR:
	  clears |= fact.what != error_mark_node;
	  break;
	case GOMP_AMP_SPUN:
	  spun = &fact;
	  break;
	case GOMP_AMP_READ:
	case GOMP_AMP_SWAP:
	case GOMP_AMP_UPDATE:
	case GOMP_AMP_NUMBER:
	case GOMP_AMP_BLOCKS:
	  break;
	}
      if (f)
	f->note (fact.at, fact.what);
    }
  /* Whoever lets go of what others have taken tells them something.  */
  if (spun && clears && !loop.sync.found)
    {
      loop.sync.found = true;
      loop.sync.at = spun->at;
    }
  for (tree c = gimple_omp_for_clauses (loop.stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    loop.sums |= sum_clause (c);
}

/* True if clause C adds up what may be floating-point numbers.  */

bool
gomp_amp_region::sum_clause (tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_REDUCTION)
    return false;
  tree type = TREE_TYPE (OMP_CLAUSE_DECL (c));
  if (POINTER_TYPE_P (type))
    type = TREE_TYPE (type);
  while (TREE_CODE (type) == ARRAY_TYPE)
    type = TREE_TYPE (type);
  return (!INTEGRAL_TYPE_P (type)
	  && OMP_CLAUSE_REDUCTION_CODE (c) != MIN_EXPR
	  && OMP_CLAUSE_REDUCTION_CODE (c) != MAX_EXPR);
}

/* Note in SEEN what is reached from the statement at START without a
   barrier; the region's end has a place behind the last one's.  FORWARD: not
   by jumps back, and past barriers.  */

void
gomp_amp_region::flow (unsigned start, vec<bool> &seen, bool forward)
{
  auto_vec<unsigned> work;
  work.safe_push (start);
  while (!work.is_empty ())
    {
      unsigned i = work.pop ();
      if (i > code.length () || seen[i] || (forward && i < start))
	continue;
      seen[i] = true;
      if (i == code.length ())
	continue;
      gimple *stmt = code[i];
      switch (gimple_code (stmt))
	{
	case GIMPLE_GOTO:
	  work.safe_push (label_at (gimple_goto_dest (stmt)));
	  break;
	case GIMPLE_COND:
	  work.safe_push (label_at (gimple_cond_true_label
				    (as_a <gcond *> (stmt))));
	  work.safe_push (label_at (gimple_cond_false_label
				    (as_a <gcond *> (stmt))));
	  break;
	case GIMPLE_SWITCH:
	  {
	    gswitch *s = as_a <gswitch *> (stmt);
	    for (unsigned j = 0; j < gimple_switch_num_labels (s); j++)
	      work.safe_push (label_at (CASE_LABEL (gimple_switch_label (s,
									 j))));
	    break;
	  }
	case GIMPLE_RETURN:
	  work.safe_push (code.length ());
	  break;
	default:
	  if (forward || !barriers.contains (i + 1))
	    work.safe_push (i + 1);
	  break;
	}
    }
}

/* Whether LOOP can be reached from synchronisation by hand, or that from LOOP,
   without a barrier: then a barrier at its end may never be passed.  */

void
gomp_amp_region::beside (gomp_amp_loop &loop)
{
  auto_vec<bool> after, before;
  after.safe_grow_cleared (code.length () + 1);
  flow (loop.end, after);
  for (unsigned i = 0; i < reader.facts.length (); i++)
    {
      const gomp_amp_fact &fact = reader.facts[i];
      bool inside = fact.pos >= loop.begin && fact.pos < loop.end;
      /* Unknown code outside of loops may wait for a thread of a given
	 number.  */
      bool may = (fact.kind == GOMP_AMP_BLOCKS
		  || (fact.kind == GOMP_AMP_CALL && numbered ()
		      && fact.what != error_mark_node));
      for (unsigned k = 0; may && fact.kind == GOMP_AMP_CALL
			   && k < loops.length (); k++)
	may = fact.pos < loops[k].begin || fact.pos >= loops[k].end;
      if (fact.kind != GOMP_AMP_SYNC && fact.kind != GOMP_AMP_LOCK
	  && fact.kind != GOMP_AMP_SPIN
	  && (fact.kind != GOMP_AMP_SPUN || inside)
	  && fact.kind != GOMP_AMP_UNLOCK && (!may || inside))
	continue;
      if (!after[fact.pos])
	{
	  before.truncate (0);
	  before.safe_grow_cleared (code.length () + 1);
	  flow (fact.pos, before);
	  if (!before[loop.begin - 1])
	    continue;
	}
      loop.beside_sync = true;
      if (!loop.sync.found)
	{
	  loop.sync.at = fact.at;
	  loop.sync.what = fact.what;
	}
      return;
    }

  /* What stands before and behind the calls of an orphaned loop's function.  */
  if (construct || !function_decl)
    return;
  before.truncate (0);
  before.safe_grow_cleared (code.length () + 1);
  flow (0, before);
  location_t at;
  tree what;
  if ((after[code.length ()] || before[loop.begin - 1])
      && gomp_amp_callers_sync (ctx, function_decl, 1, &at, &what))
    {
      loop.beside_sync = true;
      if (!loop.sync.found)
	{
	  loop.sync.at = at;
	  loop.sync.what = what;
	}
    }
}

/* Thread numbers.  */

struct gomp_amp_search
{
  hash_set<tree> *number;
};

static tree
gomp_amp_find_number (tree *tp, int *walk_subtrees, void *data)
{
  gomp_amp_search *search = (gomp_amp_search *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (gomp_amp_is_name (*tp) && search->number->contains (*tp))
    return *tp;
  return NULL_TREE;
}

/* True if a value made from the thread number appears in T.  */

bool
gomp_amp_region::has_number (tree t, hash_set<tree> &number)
{
  gomp_amp_search search = { &number };
  return t && walk_tree (&t, gomp_amp_find_number, &search, NULL) != NULL_TREE;
}

/* True if T is memory that such a value selects.  */

bool
gomp_amp_region::address_has_number (tree t, hash_set<tree> &number)
{
  for (; handled_component_p (t); t = TREE_OPERAND (t, 0))
    if (TREE_CODE (t) == ARRAY_REF && has_number (TREE_OPERAND (t, 1), number))
      return true;
  if (TREE_CODE (t) == MEM_REF || TREE_CODE (t) == INDIRECT_REF)
    return has_number (TREE_OPERAND (t, 0), number);
  return false;
}

/* The first argument of CALL, or NULL.  */

static tree
gomp_amp_first_argument (gimple *call)
{
  return gimple_call_num_args (call) ? gimple_call_arg (call, 0) : NULL_TREE;
}

/* Add to NUMBER what statements FIRST up to LAST make from it; ASK: and from
   what gives the thread number.  */

void
gomp_amp_region::propagate (unsigned first, unsigned last,
			    hash_set<tree> &number, bool ask)
{
  for (unsigned round = 0, again = 1; again && round < 10; round++)
    {
      again = 0;
      for (unsigned i = first; i < last; i++)
	{
	  gimple *stmt = code[i];
	  if (!is_gimple_assign (stmt) && !is_gimple_call (stmt))
	    continue;
	  tree lhs = gimple_get_lhs (stmt);
	  bool made = false;
	  tree fndecl = NULL_TREE;
	  if (is_gimple_assign (stmt))
	    {
	      if (gimple_clobber_p (stmt))
		continue;
	      /* What comes from scratch memory has been made here.  */
	      if (ask && joined && gimple_assign_single_p (stmt)
		  && address_has_number (gimple_assign_rhs1 (stmt), number)
		  && scratch (gimple_assign_rhs1 (stmt)))
		continue;
	      for (unsigned j = 1; j < gimple_num_ops (stmt); j++)
		made |= has_number (gimple_op (stmt, j), number);
	    }
	  else
	    {
	      if (!gimple_call_internal_p (stmt))
		fndecl = gimple_call_fndecl (stmt);
	      bool gets = false;
	      for (unsigned j = 0; j < gimple_call_num_args (stmt); j++)
		gets |= (has_number (gimple_call_arg (stmt, j), number)
			 && !(ask && joined
			      && hands_scratch (fndecl,
						gimple_call_arg (stmt, j))));
	      if (fndecl && ask)
		{
		  tree level = gomp_amp_first_argument (stmt);
		  made = gomp_amp_is_thread_num (fndecl, level);
		  const gomp_amp_callee *callee
		    = made ? NULL : gomp_amp_code (ctx, fndecl, 1);
		  if (callee && (callee->does (GOMP_AMP_NUMBER) || gets))
		    {
		      made = callee->does (GOMP_AMP_NUMBER);
		      /* Fortran gives values back by reference.  */
		      for (unsigned j = 0; j < gimple_call_num_args (stmt); j++)
			{
			  tree arg = gimple_call_arg (stmt, j);
			  if (TREE_CODE (arg) == ADDR_EXPR
			      && DECL_P (TREE_OPERAND (arg, 0))
			      && is_private (TREE_OPERAND (arg, 0))
			      && j < GOMP_AMP_MAX_PARAMS
			      && (callee->param[j] & GOMP_AMP_WRITES)
			      && !number.add (TREE_OPERAND (arg, 0)))
			    again = 1;
			}
		    }
		}
	      made |= gets;
	    }
	  if (!made || !lhs)
	    continue;
	  tree base = lhs;
	  while (handled_component_p (base))
	    base = TREE_OPERAND (base, 0);
	  if (gomp_amp_is_name (base) && (temporary (base) || is_private (base))
	      && !number.add (base))
	    again = 1;
	}
    }
}

/* True if CALL of the current loop does nothing with the thread number but what
   any division allows; set *ALONE if it does that.  */

bool
gomp_amp_region::call_with_number (gimple *call, hash_set<tree> &number,
				   gomp_amp_loop &loop, bool *alone)
{
  tree fndecl = (gimple_call_internal_p (call) ? NULL_TREE
					       : gimple_call_fndecl (call));
  tree lhs = gimple_call_lhs (call);
  const char *name = fndecl ? gomp_amp_name (fndecl) : "";
  bool in_std = fndecl && gomp_amp_in_std (fndecl);

  if (lhs && address_has_number (lhs, number))
    return false;
  if (fndecl && gomp_amp_is_thread_num (fndecl, gomp_amp_first_argument (call)))
    {
      /* Where it goes is what counts.  */
      if (lhs && !gomp_amp_is_name (lhs))
	*alone = true;
      return true;
    }
  /* A file or a list of the thread's own is filled.  */
  tree first = gomp_amp_first_argument (call);
  for (unsigned i = 0; in_std && first && i < GOMP_AMP_RESOLVE; i++)
    {
      unsigned *d = temporary (first) ? defs.get (first) : NULL;
      gimple *def = d && *d == 1 ? code[*def_at.get (first)] : NULL;
      if (!def || !is_gimple_call (def) || gimple_call_internal_p (def)
	  || !gimple_call_fndecl (def)
	  || strcmp (gomp_amp_name (gimple_call_fndecl (def)), "operator<<"))
	break;
      first = gomp_amp_first_argument (def);
    }
  if (first && TREE_CODE (first) == ADDR_EXPR
      && DECL_P (TREE_OPERAND (first, 0)))
    first = NULL_TREE;
  if (first && has_number (first, number)
      && (gomp_amp_listed (name, "fprintf vfprintf fputs fputc putc ")
	  || (in_std && strcmp (name, "operator<<") == 0)))
    return false;
  /* It is only shown, or selects something.  */
  if (gomp_amp_listed (name, "printf fprintf puts putchar snprintf sprintf ")
      || strncmp (name, "_gfortran_transfer_", 19) == 0
      || (in_std
	  && gomp_amp_listed (name, "operator<< operator[] operator* operator->"
				    " at data begin get ")))
    return true;

  for (unsigned i = 0; fndecl && i <= gimple_call_num_args (call); i++)
    {
      /* It, or a closure that the C++ library calls.  */
      tree body = NULL_TREE;
      if (i == gimple_call_num_args (call))
	body = in_std ? NULL_TREE : fndecl;
      else if (in_std)
	{
	  tree type = gomp_amp_class_of (gimple_call_arg (call, i));
	  body = type ? gomp_amp_closure_call (ctx, type) : NULL_TREE;
	}
      const gomp_amp_callee *callee = body ? gomp_amp_look (ctx, body, 1)
					   : NULL;
      if (callee && callee->known && callee->does (GOMP_AMP_NUMBER))
	{
	  gomp_amp_loop inside;
	  memset (&inside, 0, sizeof inside);
	  gomp_amp_region region (ctx, NULL, false);
	  region.read_callee (body, inside, depth + 1);
	  if (inside.number.found)
	    return false;
	  *alone |= inside.number_alone;
	  loop.sums |= inside.sums;
	  loop.accumulates |= inside.accumulates;
	}
    }
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      if (!has_number (gimple_call_arg (call, i), number)
	  || hands_scratch (fndecl, gimple_call_arg (call, i)))
	continue;
      if (!fndecl || in_std || lhs
	  || !POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, i))))
	return false;
      const unsigned adds = GOMP_AMP_READS_FIRST | GOMP_AMP_WRITES;
      if ((gomp_amp_effect (ctx, fndecl, i, 1) & adds) != adds)
	return false;
      for (unsigned j = 0; j < gimple_call_num_args (call); j++)
	if (j != i && POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, j)))
	    && (gomp_amp_effect (ctx, fndecl, j, 1) & GOMP_AMP_WRITES))
	  return false;
      if (use_of (fndecl, i, NULL_TREE)
	  & (GOMP_AMP_SELECTS | GOMP_AMP_STEPS))
	return false;
      /* An object that holds the number, rather than is selected by it.  */
      tree arg = gimple_call_arg (call, i);
      tree object = (TREE_CODE (arg) == ADDR_EXPR
		     ? get_base_address (TREE_OPERAND (arg, 0)) : NULL_TREE);
      if (object && number.contains (object)
	  && RECORD_OR_UNION_TYPE_P (TREE_TYPE (object))
	  && (use_of (fndecl, i, NULL_TREE, true) & GOMP_AMP_SELECTS))
	return false;
      *alone = true;
      loop.accumulates = loop.sums = true;
    }
  return true;
}

/* True if each iteration of the current loop makes OBJECT, a list, anew before
   AT.  */

bool
gomp_amp_region::emptied (tree object, unsigned at)
{
  for (unsigned i = from; i < at && gimple_code (code[i]) != GIMPLE_COND
			  && gimple_code (code[i]) != GIMPLE_SWITCH; i++)
    if (is_gimple_call (code[i]) && !gimple_call_internal_p (code[i])
	&& gimple_call_fndecl (code[i]) && gimple_call_num_args (code[i]) > 0)
      {
	tree fndecl = gimple_call_fndecl (code[i]);
	tree arg = gimple_call_arg (code[i], 0);
	if (TREE_CODE (arg) == ADDR_EXPR
	    && get_base_address (TREE_OPERAND (arg, 0)) == object
	    && gomp_amp_in_std (fndecl)
	    && gomp_amp_listed (gomp_amp_name (fndecl), gomp_amp_renewers))
	  return true;
      }
  return false;
}

/* True if the call at AT puts something at the end of a list of each thread's
   own, made outside of the current loop.  */

bool
gomp_amp_region::appends (gimple *loop, unsigned at)
{
  gimple *call = code[at];
  tree fndecl = (gimple_call_internal_p (call) ? NULL_TREE
					       : gimple_call_fndecl (call));
  for (unsigned i = 0; fndecl && i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      if (TREE_CODE (arg) != ADDR_EXPR)
	continue;
      tree object = get_base_address (TREE_OPERAND (arg, 0));
      if (!object || !DECL_P (object) || !is_private (object)
	  || !RECORD_OR_UNION_TYPE_P (TREE_TYPE (object)))
	continue;
      tree type = gomp_amp_class_of (arg);
      if (!type)
	continue;
      if (gomp_amp_in_std (fndecl)
	  ? i != 0 || !gomp_amp_is_append (fndecl, type)
	    || (DECL_ARTIFICIAL (object)
		&& !gomp_amp_listed (gomp_amp_class_name (type),
				     gomp_amp_inserters))
	  : !(gomp_amp_effect (ctx, fndecl, i, 1) & GOMP_AMP_APPENDS))
	continue;
      unsigned *where = declared.get (object);
      if (!(where && *where >= from && *where < to)
	  && !is_iterator (loop, object) && !emptied (object, at))
	return true;
    }
  return false;
}

/* True if VALUE is the thread number itself, give or take a constant, rather
   than what it has led to.  */

bool
gomp_amp_region::is_number (tree value, unsigned depth)
{
  if (CONSTANT_CLASS_P (value))
    return true;
  if (depth == 0 || !gomp_amp_is_name (value))
    return false;
  bool found = false;
  for (unsigned i = 0; i < code.length (); i++)
    {
      gimple *def = code[i];
      if (gimple_get_lhs (def) != value || gimple_clobber_p (def))
	continue;
      found = true;
      tree fndecl = (is_gimple_call (def) && !gimple_call_internal_p (def)
		     ? gimple_call_fndecl (def) : NULL_TREE);
      if (fndecl)
	{
	  const gomp_amp_callee *callee = gomp_amp_look (ctx, fndecl, 1);
	  if (gomp_amp_is_thread_num (fndecl, gomp_amp_first_argument (def))
	      || (callee && callee->known && callee->does (GOMP_AMP_NUMBER)))
	    continue;
	  return false;
	}
      if (!is_gimple_assign (def))
	return false;
      enum tree_code how = gimple_assign_rhs_code (def);
      if (!(gimple_assign_single_p (def) || gimple_assign_cast_p (def)
	    || ((how == PLUS_EXPR || how == MINUS_EXPR)
		&& CONSTANT_CLASS_P (gimple_assign_rhs2 (def))))
	  || !is_number (gimple_assign_rhs1 (def), depth - 1))
	return false;
    }
  return found;
}

/* True if what the branch at AT decides is only whether something is
   printed.  */

bool
gomp_amp_region::only_shows (unsigned at)
{
  gcond *cond = as_a <gcond *> (code[at]);
  auto_vec<bool> t, f;
  t.safe_grow_cleared (code.length () + 1);
  f.safe_grow_cleared (code.length () + 1);
  unsigned to_t = label_at (gimple_cond_true_label (cond));
  unsigned to_f = label_at (gimple_cond_false_label (cond));
  if (to_t <= at || to_t >= to || to_f <= at || to_f >= to)
    return false;
  flow (to_t, t, true);
  flow (to_f, f, true);
  for (unsigned i = at + 1; i < to; i++)
    {
      gimple *stmt = code[i];
      if (t[i] == f[i])
	continue;
      switch (gimple_code (stmt))
	{
	case GIMPLE_ASSIGN:
	  {
	    tree object = get_base_address (gimple_assign_lhs (stmt));
	    unsigned *d = object ? defs.get (object) : NULL;
	    /* Set once, or a description of what is printed: not one of two
	       values for what follows.  */
	    if (!gimple_clobber_p (stmt)
		&& !(object && VAR_P (object) && DECL_ARTIFICIAL (object)
		     && (AGGREGATE_TYPE_P (TREE_TYPE (object))
			 || (d && *d == 1))))
	      return false;
	    break;
	  }
	case GIMPLE_CALL:
	  {
	    tree fndecl = (gimple_call_internal_p (stmt)
			   ? NULL_TREE : gimple_call_fndecl (stmt));
	    const char *name = fndecl ? gomp_amp_name (fndecl) : "";
	    tree lhs = gimple_call_lhs (stmt);
	    if (lhs && !temporary (lhs))
	      return false;
	    if (!gomp_amp_listed (name, "printf fprintf puts putchar fputs "
					"fputc putc fflush omp_get_wtime ")
		&& strncmp (name, "_gfortran_st_write", 18) != 0
		&& !(strncmp (name, "_gfortran_transfer_", 19) == 0
		     && strstr (name, "_write"))
		&& !(fndecl && gomp_amp_in_std (fndecl)
		     && gomp_amp_listed (name, "operator<< endl flush ")))
	      return false;
	    break;
	  }
	case GIMPLE_COND:
	case GIMPLE_GOTO:
	case GIMPLE_LABEL:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
	case GIMPLE_DEBUG:
	case GIMPLE_OMP_CRITICAL:
	  break;
	default:
	  return false;
	}
    }
  return true;
}

/* What the current loop does with the thread number.  */

void
gomp_amp_region::thread_number (gomp_amp_loop &loop)
{
  hash_set<tree> number, fresh;
  if (loop.stmt)
    {
      privates_of (loop.stmt, fresh);
      for (tree c = gimple_omp_for_clauses (loop.stmt); c;
	   c = OMP_CLAUSE_CHAIN (c))
	if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	    || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE)
	  fresh.add (OMP_CLAUSE_DECL (c));
    }

  /* What the region's head has set and the body finds.  */
  hash_set<tree> seen;
  for (unsigned r = from < code.length () ? first_ref[from] : refs.length ();
       r < (to < code.length () ? first_ref[to] : refs.length ()); r++)
    {
      tree decl = refs[r].decl;
      if (seen.add (decl) || !region_number.contains (decl)
	  || fresh.contains (decl))
	continue;
      unsigned *where = declared.get (decl);
      if (where && *where >= from && *where < to)
	continue;
      if (exposed (decl, NULL_TREE, true))
	number.add (decl);
    }
  /* What tells whose block an iteration would be in.  */
  hash_set<tree> divided, iteration;
  for (unsigned i = 0; loop.stmt && i < gimple_omp_for_collapse (loop.stmt);
       i++)
    iteration.add (gimple_omp_for_index (loop.stmt, i));
  if (team.elements () > 0)
    propagate (from, to, iteration, false);
  for (unsigned i = from; i < to && team.elements () > 0; i++)
    if (is_gimple_assign (code[i]))
      switch (gimple_assign_rhs_code (code[i]))
	{
	case TRUNC_DIV_EXPR:
	case FLOOR_DIV_EXPR:
	case TRUNC_MOD_EXPR:
	case FLOOR_MOD_EXPR:
	  if (has_number (gimple_assign_rhs2 (code[i]), team)
	      && has_number (gimple_assign_rhs1 (code[i]), iteration)
	      && gomp_amp_is_name (gimple_assign_lhs (code[i])))
	    {
	      divided.add (gimple_assign_lhs (code[i]));
	      number.add (gimple_assign_lhs (code[i]));
	    }
	  break;
	default:
	  break;
	}
  propagate (from, to, divided, false);
  /* Addresses of such variables, which exposed () does not know.  */
  propagate (from, to, number);

  bool alone = false;
  for (unsigned i = from; i < to; i++)
    {
      gimple *stmt = code[i];
      bool wrong = false;
      switch (gimple_code (stmt))
	{
	case GIMPLE_ASSIGN:
	  {
	    if (gimple_clobber_p (stmt))
	      break;
	    tree lhs = gimple_assign_lhs (stmt);
	    tree rhs = gimple_assign_rhs1 (stmt);
	    bool minmax;
	    bool value = false;
	    for (unsigned j = 1; j < gimple_num_ops (stmt); j++)
	      value |= has_number (gimple_op (stmt, j), number);
	    if (address_has_number (lhs, number))
	      {
		/* x[thread] op= e.  */
		if (!adds (stmt, &minmax) || address_has_number (lhs, divided))
		  wrong = !scratch (lhs);
		else
		  {
		    alone = true;
		    loop.accumulates = true;
		    loop.sums |= !minmax && FLOAT_TYPE_P (TREE_TYPE (lhs));
		  }
	      }
	    else if (!value)
	      break;
	    else if (address_has_number (rhs, number)
		     && !(POINTER_TYPE_P (TREE_TYPE (lhs))
			  && gomp_amp_is_name (lhs)))
	      {
		/* Only to be added to and stored again.  */
		bool stored = false;
		if (temporary (lhs))
		  for (unsigned j = i + 1; j < to && !stored; j++)
		    stored = (is_gimple_assign (code[j])
			      && same (gimple_assign_lhs (code[j]), rhs,
				       GOMP_AMP_RESOLVE)
			      && adds (code[j], &minmax)
			      && made_of (code[j], lhs, GOMP_AMP_RESOLVE));
		unsigned *u = temporary (lhs) ? uses.get (lhs) : NULL;
		if (!stored || !u || *u != 1)
		  wrong = !scratch (rhs);
	      }
	    else if (!gomp_amp_is_name (lhs)
		     || (!temporary (lhs) && !is_private (lhs)))
	      {
		/* Noted, and left alone.  */
		alone = true;
		wrong = (joined && gimple_assign_single_p (stmt)
			 && !is_number (rhs, GOMP_AMP_RESOLVE));
	      }
	    break;
	  }
	case GIMPLE_CALL:
	  wrong = !call_with_number (stmt, number, loop, &alone);
	  /* Lists that the region puts together by thread number are in the
	     order of iterations only if these are dealt so.  */
	  if (loop.stmt && joined && appends (loop.stmt, i))
	    wrong = true;
	  break;
	case GIMPLE_COND:
	  wrong = ((has_number (gimple_cond_lhs (stmt), number)
		    || has_number (gimple_cond_rhs (stmt), number))
		   && !only_shows (i));
	  break;
	case GIMPLE_SWITCH:
	  wrong = has_number (gimple_switch_index (as_a <gswitch *> (stmt)),
			      number);
	  break;
	case GIMPLE_ASM:
	case GIMPLE_OMP_ATOMIC_LOAD:
	case GIMPLE_OMP_ATOMIC_STORE:
	  for (unsigned r = first_ref[i];
	       r < (i + 1 < code.length () ? first_ref[i + 1]
					   : refs.length ()); r++)
	    if (number.contains (refs[r].decl))
	      /* An atomic update of x[thread] is a sum.  */
	      {
		if (gimple_code (stmt) == GIMPLE_ASM
		    || gimple_omp_atomic_need_value_p (stmt))
		  wrong = true;
		else
		  alone = true;
	      }
	  break;
	case GIMPLE_OMP_TASK:
	  for (unsigned r = first_ref[i];
	       r < (i + 1 < code.length () ? first_ref[i + 1]
					   : refs.length ()); r++)
	    wrong |= number.contains (refs[r].decl);
	  break;
	default:
	  break;
	}
      if (wrong && !loop.number.found)
	{
	  loop.number.found = true;
	  loop.number.at = gimple_location (stmt);
	}
    }
  loop.number_alone = alone && !loop.number.found;
}

/* The code of FN, which has a flow graph, with the jumps that it had before:
   what is put in stands in no function.  */

void
gomp_amp_region::flow_graph (function *fn)
{
  auto_vec<tree> block_labels;
  block_labels.safe_grow_cleared (last_basic_block_for_fn (fn) + 1);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    block_labels[bb->index] = create_artificial_label (UNKNOWN_LOCATION);
  FOR_EACH_BB_FN (bb, fn)
    {
      labels.put (block_labels[bb->index], code.length ());
      push (gimple_build_label (block_labels[bb->index]));
      for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	   gsi_next (&i))
	{
	  gimple *stmt = gsi_stmt (i);
	  if (glabel *label = dyn_cast <glabel *> (stmt))
	    labels.put (gimple_label_label (label), code.length ());
	  else if (gcond *cond = dyn_cast <gcond *> (stmt))
	    {
	      bool first = EDGE_SUCC (bb, 0)->flags & EDGE_TRUE_VALUE;
	      edge yes = EDGE_SUCC (bb, !first), no = EDGE_SUCC (bb, first);
	      stmt = gimple_build_cond (gimple_cond_code (cond),
					gimple_cond_lhs (cond),
					gimple_cond_rhs (cond),
					block_labels[yes->dest->index],
					block_labels[no->dest->index]);
	    }
	  push (stmt);
	}
      edge e = single_succ_p (bb) ? single_succ_edge (bb) : NULL;
      if (e && e->dest != bb->next_bb
	  && e->dest->index >= NUM_FIXED_BLOCKS)
	push (gimple_build_goto (block_labels[e->dest->index]));
    }
}

/* Take the body of FNDECL, if it is known, which is called LEVEL deep.  */

void
gomp_amp_region::callee_code (tree fndecl, unsigned level)
{
  function *fn = DECL_STRUCT_FUNCTION (fndecl);
  depth = level;
  if (depth > GOMP_AMP_MAX_DEPTH)
    return;
  if (!(fn && fn->cfg) && !gimple_body (fndecl))
    {
      /* The compiler does this in any order.  */
      cgraph_node *node = cgraph_node::get (fndecl);
      if (node && node->definition && !node->alias && DECL_SAVED_TREE (fndecl)
	  && !DECL_STATIC_CHAIN (fndecl))
	gimplify_function_tree (fndecl);
    }
  if (fn && fn->cfg)
    flow_graph (fn);
  else if (gimple_body (fndecl))
    {
      gimple_seq body = gimple_body (fndecl);
      flatten (&body, false);
    }
  from = 0;
  to = code.length ();
  settle ();
  count ();
}

void
gomp_amp_region::read_callee (tree fndecl, gomp_amp_loop &loop, unsigned level)
{
  callee_code (gomp_amp_body_of (fndecl), level);
  if (code.is_empty ())
    loop.number.found = true;
  thread_number (loop);
}

/* True if the statement at AT counts up or down what it stores to, whatever
   else uses that.  */

bool
gomp_amp_region::counts (unsigned at)
{
  gimple *def = code[at];
  if (gimple_assign_single_p (def) && temporary (gimple_assign_rhs1 (def)))
    def = definition (gimple_assign_rhs1 (def), at);
  if (!def || !is_gimple_assign (def)
      || (gimple_assign_rhs_code (def) != PLUS_EXPR
	  && gimple_assign_rhs_code (def) != MINUS_EXPR)
      || TREE_CODE (gimple_assign_rhs2 (def)) != INTEGER_CST)
    return false;
  return same (unconverted (gimple_assign_rhs1 (def), at),
	       gimple_assign_lhs (code[at]), GOMP_AMP_RESOLVE);
}

/* True if not far before AT two things in DECL are compared, as those do that
   may have to grow.  */

bool
gomp_amp_region::makes_room (unsigned at, tree decl)
{
  const unsigned near = 16;
  for (unsigned i = at; i > 0 && i + near > at; i--)
    if (gcond *cond = dyn_cast <gcond *> (code[i - 1]))
      if (names (unconverted (gimple_cond_lhs (cond), i - 1), decl)
	  && names (unconverted (gimple_cond_rhs (cond), i - 1), decl))
	return true;
  return false;
}

/* True if numbers in what PARM of the function that has been read points to
   decide what they become, other than in sums and extremes: as what notes the
   first one seen, or the one before.  */

bool
gomp_amp_region::decides (tree parm)
{
  tree *own = insides.get (parm);
  if (!own)
    return false;
  tree object = *own;
  for (unsigned i = 0; i < code.length (); i++)
    {
      if (!is_gimple_assign (code[i]) || gimple_clobber_p (code[i]))
	continue;
      tree lhs = gimple_assign_lhs (code[i]);
      tree base = lhs;
      while (handled_component_p (base))
	base = TREE_OPERAND (base, 0);
      bool minmax;
      /* Pointers are what lists are made of, constants tell nothing.  */
      if (names (lhs, object) && gomp_amp_one_place (lhs)
	  && gomp_amp_matches (base, object)
	  && (INTEGRAL_TYPE_P (TREE_TYPE (lhs))
	      || FLOAT_TYPE_P (TREE_TYPE (lhs)))
	  && !(gimple_assign_single_p (code[i])
	       && CONSTANT_CLASS_P (gimple_assign_rhs1 (code[i])))
	  && !adds (code[i], &minmax) && !counts (i)
	  && !guarded (i, object, true)
	  && !std_extreme (code[i]) && !makes_room (i, object)
	  && (first_time (i, object) || exposed (object, lhs)))
	return true;
    }
  return false;
}

/* What FNDECL does with what its argument ARG points to, or with what FIELD of
   that points to: GOMP_AMP_READS_FIRST and so on, GOMP_AMP_SELECTS if what it
   changes there, or ANY number there, selects memory or is stored
   elsewhere.  */

unsigned
gomp_amp_region::use_of (tree fndecl, unsigned arg, tree field, bool any)
{
  if (!fndecl || depth >= GOMP_AMP_MAX_DEPTH || gomp_amp_in_std (fndecl))
    return 0;
  fndecl = gomp_amp_body_of (fndecl);
  tree parm = DECL_ARGUMENTS (fndecl);
  for (; parm && arg > 0; arg--)
    parm = DECL_CHAIN (parm);
  if (!parm)
    return 0;
  hash_map<tree, unsigned> &uses = any ? ctx.any_uses : ctx.uses;
  tree key = field ? field : parm;
  unsigned *known = uses.get (key);
  if (known)
    return *known;
  /* Recursion finds it, and finds nothing.  */
  uses.put (key, 0);
  if (ctx.visited >= GOMP_AMP_MAX_CALLEES)
    return 0;
  ctx.visited++;
  gomp_amp_region callee (ctx, NULL, false);
  callee.function_decl = fndecl;
  callee.callee_code (fndecl, depth + 1);
  unsigned use = callee.use_of_parm (parm, field, any);
  if (!field && callee.decides (parm))
    use |= GOMP_AMP_DECIDES;
  uses.put (key, use);
  return use;
}

/* True if the store at AT may depend on what an object holds that one of
   POINTERS leads to, as a maximum does.  */

bool
gomp_amp_region::after_test_of (unsigned at, hash_set<tree> &pointers)
{
  const unsigned near = 8;
  for (unsigned i = at; i > 0 && i + near > at; i--)
    if (gcond *cond = dyn_cast <gcond *> (code[i - 1]))
      {
	for (int j = 0; j < 2; j++)
	  {
	    tree op = j ? gimple_cond_rhs (cond) : gimple_cond_lhs (cond);
	    gimple *def = definition (op, i - 1);
	    tree base = (def && gimple_assign_single_p (def)
			 ? memory_base (gimple_assign_rhs1 (def)) : NULL_TREE);
	    if (base && pointers.contains (base))
	      return true;
	  }
	return false;
      }
  return false;
}

unsigned
gomp_amp_region::use_of_parm (tree parm, tree field, bool any)
{
  /* Pointers to the object, and, if a FIELD is asked for, to it all.  */
  hash_set<tree> to_object, to_parm;
  hash_set<tree> &first = field ? to_parm : to_object;
  first.add (parm);
  unsigned use = 0;
  bool changed = false;
  auto_vec<tree> stored;
  hash_set<tree> values;
  for (int round = 0; round < 2; round++)
    for (unsigned i = 0; i < code.length (); i++)
      {
	gimple *stmt = code[i];
	if (!is_gimple_assign (stmt) || gimple_clobber_p (stmt))
	  continue;
	tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
	tree base = memory_base (rhs);
	if (base && TREE_CODE (base) == SSA_NAME && SSA_NAME_VAR (base) == parm)
	  base = parm;
	if (round == 0 && gomp_amp_is_name (lhs))
	  {
	    if (gomp_amp_is_name (rhs) || TREE_CODE (rhs) == ADDR_EXPR)
	      {
		tree p = (TREE_CODE (rhs) == ADDR_EXPR
			  ? memory_base (TREE_OPERAND (rhs, 0)) : rhs);
		if (p && POINTER_TYPE_P (TREE_TYPE (lhs)))
		  {
		    if (to_object.contains (p))
		      to_object.add (lhs);
		    if (to_parm.contains (p))
		      to_parm.add (lhs);
		  }
	      }
	    else if (field && base && to_parm.contains (base)
		     && TREE_CODE (rhs) == COMPONENT_REF
		     && TREE_OPERAND (rhs, 1) == field)
	      to_object.add (lhs);
	  }
	if (round == 0)
	  {
	    if (base && to_object.contains (base))
	      use |= GOMP_AMP_SEEN | (use & GOMP_AMP_SEEN
				      ? 0 : GOMP_AMP_READS_FIRST);
	    tree p = memory_base (lhs);
	    if (p && to_object.contains (p))
	      {
		use |= GOMP_AMP_SEEN | GOMP_AMP_WRITES;
		stored.safe_push (lhs);
		bool minmax;
		if (!adds (stmt, &minmax) && !after_test_of (i, to_object))
		  changed = true;
	      }
	  }
	else if (base && to_object.contains (base) && gomp_amp_is_name (lhs))
	  {
	    if (any && INTEGRAL_TYPE_P (TREE_TYPE (lhs)))
	      values.add (lhs);
	    for (unsigned k = 0; k < stored.length (); k++)
	      if (!gomp_amp_disjoint (stored[k], rhs))
		values.add (lhs);
	  }
      }
  /* The order matters in which it is made of what it was.  */
  if (changed && (use & GOMP_AMP_READS_FIRST))
    use |= GOMP_AMP_STEPS;

  /* What it hands on.  */
  for (unsigned i = 0; i < code.length (); i++)
    {
      if (!is_gimple_call (code[i]) || gimple_call_internal_p (code[i]))
	continue;
      tree fndecl = gimple_call_fndecl (code[i]);
      for (unsigned j = 0; j < gimple_call_num_args (code[i]); j++)
	{
	  tree arg = gimple_call_arg (code[i], j);
	  if (values.contains (arg) && !(fndecl && gomp_amp_in_std (fndecl)))
	    use |= GOMP_AMP_SELECTS;
	  if (!POINTER_TYPE_P (TREE_TYPE (arg)))
	    continue;
	  if (TREE_CODE (arg) == ADDR_EXPR)
	    arg = memory_base (TREE_OPERAND (arg, 0));
	  else if (TREE_CODE (arg) == SSA_NAME && SSA_NAME_VAR (arg) == parm)
	    arg = parm;
	  if (!arg || !to_object.contains (arg))
	    continue;
	  unsigned effect = gomp_amp_effect (ctx, fndecl, j, depth + 1);
	  if (fndecl && gomp_amp_in_std (fndecl))
	    use |= j == 0 ? gomp_amp_std_use (fndecl) : 0;
	  else if (!gomp_amp_code (ctx, fndecl, depth + 1))
	    use |= (gomp_amp_unknown_use (fndecl, j) == GOMP_AMP_STEP
		    ? GOMP_AMP_STEPS : 0);
	  else
	    use |= use_of (fndecl, j, NULL_TREE, any);
	  if (!(use & GOMP_AMP_SEEN))
	    use |= effect & GOMP_AMP_READS_FIRST;
	  use |= effect & (GOMP_AMP_SEEN | GOMP_AMP_WRITES);
	}
    }
  if (selects (values))
    return use | GOMP_AMP_SELECTS;
  for (unsigned i = 0; i < code.length (); i++)
    {
      if (!gimple_assign_single_p (code[i]) || gimple_clobber_p (code[i]))
	continue;
      tree lhs = gimple_assign_lhs (code[i]);
      tree rhs = gimple_assign_rhs1 (code[i]);
      tree base = memory_base (lhs);
      tree object = get_base_address (lhs);
      if (values.contains (rhs) && !POINTER_TYPE_P (TREE_TYPE (rhs))
	  && (base ? !to_object.contains (base)
		   : object && VAR_P (object) && is_global_var (object)))
	return use | GOMP_AMP_SELECTS;
    }
  return use;
}

void
gomp_amp_region::read (gimple_seq *seq)
{
  flatten (seq, construct && gimple_code (construct) == GIMPLE_OMP_PARALLEL);
  if (loops.is_empty ())
    return;
  for (unsigned i = 0; i < code.length (); i++)
    {
      reader.pos = i;
      reader.critical = reader.locks > 0;
      for (unsigned j = 0; j < criticals.length (); j++)
	reader.critical |= criticals[j].first <= i && i < criticals[j].last;
      reader.read_statement (code[i],
			     i + 1 < code.length () ? code[i + 1] : NULL);
      /* The next barrier waits for tasks, too.  */
      if (gimple_code (code[i]) == GIMPLE_OMP_TASK)
	{
	  gomp_amp_reader task (ctx, 0);
	  task.shared = &shared;
	  task.read_task (gimple_omp_body (code[i]));
	  gomp_amp_pair_locks (task.facts, NULL, gomp_amp_same_tree, NULL);
	  for (unsigned j = 0; j < task.facts.length (); j++)
	    if (task.facts[j].kind == GOMP_AMP_SYNC
		|| task.facts[j].kind == GOMP_AMP_LOCK
		|| task.facts[j].kind == GOMP_AMP_SPIN)
	      {
		gomp_amp_fact fact = task.facts[j];
		fact.kind = GOMP_AMP_SYNC;
		fact.pos = i;
		reader.facts.safe_push (fact);
		break;
	      }
	}
    }
  reader.close (&constructs);
  find_late_exits ();
  from = 0;
  to = code.length ();
  count ();
  gomp_amp_pair_locks (reader.facts, &constructs, same_argument, this);
  propagate (0, code.length (), region_number);
  for (unsigned i = 0; i < code.length (); i++)
    if (is_gimple_call (code[i]) && !gimple_call_internal_p (code[i])
	&& gimple_call_fndecl (code[i]) && gimple_call_lhs (code[i])
	&& gomp_amp_is_name (gimple_call_lhs (code[i]))
	&& gomp_amp_listed (gomp_amp_name (gimple_call_fndecl (code[i])),
			    "omp_get_num_threads omp_get_max_threads "))
      team.add (gimple_call_lhs (code[i]));
  if (team.elements () > 0)
    propagate (0, code.length (), team, false);
  hand_dealt ();
  joined = numbered ();
  for (unsigned i = 0; i < reader.facts.length () && !joined; i++)
    joined = reader.facts[i].kind == GOMP_AMP_NUMBER;
  if (!construct && function_decl && !joined)
    joined = gomp_amp_callers_ask (function_decl, 1);
  for (unsigned i = 0; i < loops.length () && !joined; i++)
    joined = omp_find_clause (gimple_omp_for_clauses (loops[i].stmt),
			      OMP_CLAUSE_ORDERED) != NULL_TREE;
  settle ();
  if (construct && gimple_code (construct) == GIMPLE_OMP_PARALLEL
      && gimple_omp_parallel_combined_p (construct))
    for (unsigned i = 0; i < loops.length (); i++)
      loops[i].last = true;
  for (unsigned i = 0; i < loops.length (); i++)
    {
      from = loops[i].begin;
      to = loops[i].end;
      count ();
      facts (loops[i]);
      carried (loops[i]);
      thread_number (loops[i]);
      if (loops[i].nowait && !loops[i].last)
	beside (loops[i]);
      loops[i].any_order = orderless (loops[i]);
    }
  if (loops.length () > 1)
    handed_on ();
  for (unsigned i = 0; i < loops.length () && !bound; i++)
    {
      from = loops[i].begin;
      to = loops[i].end;
      count ();
      bound = keeps_state (loops[i]);
    }
}

#include "gomp-amp-order.h"

#endif

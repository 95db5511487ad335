/* What clauses and pragmas say about a worksharing loop's schedule.
   SPDX-License-Identifier: GPL-3.0-or-later

   Which loops may take their schedule from OMP_SCHEDULE as far as their heads
   show, and what the program's author asks for.  It must be asked before
   omplower, when all clauses are still the user's.

   README.md lists the reasons in prose.  */

/* Why a loop is treated as it is.  Keep gomp_amp_reasons in step.  */

enum gomp_amp_reason
{
  GOMP_AMP_NO_SCHEDULE,
  /* It says schedule(static), which may be replaced.  */
  GOMP_AMP_REPLACEABLE,
  /* It says schedule(static), with or without a chunk, and is judged for its
     region.  */
  GOMP_AMP_KEPT,
  /* These are left as they are.  */
  GOMP_AMP_SCHEDULE,
  GOMP_AMP_OPTED_OUT,
  GOMP_AMP_OFFLOADED,
  GOMP_AMP_ORDERED,
  GOMP_AMP_LOOP_CONSTRUCT,
  GOMP_AMP_ORDER,
  GOMP_AMP_INSCAN,
  GOMP_AMP_NON_RECTANGULAR,
  GOMP_AMP_LASTPRIVATE_CONDITIONAL,
  GOMP_AMP_WIDE_ITERATOR,
  GOMP_AMP_UNSIGNED_DOWN,
  GOMP_AMP_WRAPS,
  GOMP_AMP_TASK_REDUCTION,
  GOMP_AMP_DISTRIBUTE,
  GOMP_AMP_REASONS
};

struct gomp_amp_reason_name
{
  /* "static" or "explicit"; NULL for candidates.  */
  const char *decision;
  const char *reason;
};

static const struct gomp_amp_reason_name gomp_amp_reasons[] =
{
  { NULL, "no schedule clause" },
  { NULL, "replaceable" },
  { NULL, "kept" },
  { "explicit", "schedule clause" },
  { "static", "opted out" },
  { "static", "offloaded" },
  { "static", "ordered clause" },
  { "static", "loop construct" },
  { "static", "order clause" },
  { "static", "inscan reduction" },
  { "static", "non-rectangular nest" },
  { "static", "conditional lastprivate" },
  { "static", "iterator above 64 bits" },
  { "static", "narrow unsigned iterator counts down" },
  { "static", "last step may wrap" },
  { "static", "task reduction" },
  { "static", "constant bounds in distribute" },
};

/* One name for each reason.  */
STATIC_ASSERT (sizeof gomp_amp_reasons / sizeof gomp_amp_reasons[0]
	       == GOMP_AMP_REASONS);

/* True if dimension I of LOOP counts down.  */

static inline bool
gomp_amp_counts_down (gimple *loop, unsigned i)
{
  switch (gimple_omp_for_cond (loop, i))
    {
    case GT_EXPR:
    case GE_EXPR:
      return true;
    case NE_EXPR:
      /* The step is then a constant, 1 or -1, in the iterator's type: an
	 unsigned -1 is the only one of the two that is not one.  */
      {
	tree incr = gimple_omp_for_incr (loop, i);
	tree step = TREE_OPERAND (incr, 1);
	return (TREE_CODE (incr) == MINUS_EXPR) == integer_onep (step);
      }
    default:
      return false;
    }
}

/* True if dimension I of LOOP counts up, unsigned, to a constant that one more
   step wraps around.  Then GCC counts in libgomp's signed type, where the
   constant is negative.  */

static inline bool
gomp_amp_wraps (gimple *loop, unsigned i)
{
  tree type = TREE_TYPE (gimple_omp_for_index (loop, i));
  tree last = gimple_omp_for_final (loop, i);
  tree incr = gimple_omp_for_incr (loop, i);
  tree step = TREE_OPERAND (incr, 1);
  if (TREE_CODE (type) != INTEGER_TYPE || !TYPE_UNSIGNED (type)
      || TYPE_PRECISION (type) < TYPE_PRECISION (long_integer_type_node)
      || TREE_CODE (incr) != PLUS_EXPR || gomp_amp_counts_down (loop, i)
      || TREE_CODE (last) != INTEGER_CST || TREE_CODE (step) != INTEGER_CST)
    return false;
  wide_int end = wi::to_wide (last) + wi::to_wide (step);
  if (gimple_omp_for_cond (loop, i) == LE_EXPR)
    end = end + 1;
  return wi::ltu_p (end, wi::to_wide (last));
}

/* True if the schedule clause C is of KIND.  */

static inline bool
is_kind (tree c, enum omp_clause_schedule_kind kind)
{
  return (OMP_CLAUSE_SCHEDULE_KIND (c) & OMP_CLAUSE_SCHEDULE_MASK) == kind;
}

/* True if the schedule clause C says static and no chunk: then OpenMP promises
   that such loops of as many iterations are divided alike in a region.  */

static inline bool
gomp_amp_says_static (tree c)
{
  return is_kind (c, OMP_CLAUSE_SCHEDULE_STATIC)
	 && !OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (c);
}

/* The chunk of the schedule clause C, if that says static and a number.  */

static inline tree
gomp_amp_static_chunk (tree c)
{
  tree chunk = OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (c);
  return (is_kind (c, OMP_CLAUSE_SCHEDULE_STATIC) && chunk
	  && tree_fits_uhwi_p (chunk) && !integer_zerop (chunk)
	  ? chunk : NULL_TREE);
}

/* True if the schedule clause C leaves everything to the implementation.  */

static inline bool
gomp_amp_says_auto (tree c)
{
  return (is_kind (c, OMP_CLAUSE_SCHEDULE_AUTO)
	  && !(OMP_CLAUSE_SCHEDULE_KIND (c) & OMP_CLAUSE_SCHEDULE_MONOTONIC));
}

/* Why LOOP, a worksharing loop, cannot be a runtime one, as far as its head
   shows.  OFFLOADED: it lies in a target region or in a declare target
   function.  */

static enum gomp_amp_reason
gomp_amp_head (gimple *loop, bool offloaded)
{
  tree clauses = gimple_omp_for_clauses (loop);
  /* The first in the enumeration's order counts.  */
  unsigned found = 0;

  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_SCHEDULE:
	if (!gomp_amp_says_auto (c) && !gomp_amp_says_static (c)
	    && !gomp_amp_static_chunk (c))
	  return GOMP_AMP_SCHEDULE;
	break;
      case OMP_CLAUSE_ORDERED:
	/* Ordered and doacross loops have no nonmonotonic entry points, and
	   share the runtime ones with loops that asked for them.  */
	found |= 1u << GOMP_AMP_ORDERED;
	break;
#if BUILDING_GCC_MAJOR >= 10
      case OMP_CLAUSE_BIND:
	/* The loop construct, whose order(concurrent) is implied: it may be
	   turned into something else than a worksharing loop.  */
	found |= 1u << GOMP_AMP_LOOP_CONSTRUCT;
	break;
      case OMP_CLAUSE_ORDER:
	/* Reproducible: two such loops run each iteration on the same
	   thread, which only static promises.  */
	found |= 1u << GOMP_AMP_ORDER;
	break;
      case OMP_CLAUSE_REDUCTION:
	/* Scans are lowered to two passes over one static partition.  */
	if (OMP_CLAUSE_REDUCTION_INSCAN (c))
	  found |= 1u << GOMP_AMP_INSCAN;
	break;
      case OMP_CLAUSE_LASTPRIVATE:
	/* Gimplification has sized _condtemp_ for the static iterator.  */
	if (OMP_CLAUSE_LASTPRIVATE_CONDITIONAL (c))
	  found |= 1u << GOMP_AMP_LASTPRIVATE_CONDITIONAL;
	break;
#endif
      default:
	break;
      }

  if (offloaded)
    return GOMP_AMP_OFFLOADED;
  for (unsigned i = 0; i < GOMP_AMP_REASONS; i++)
    if (found >> i & 1)
      return (enum gomp_amp_reason) i;

  unsigned dims = gimple_omp_for_collapse (loop);
  for (unsigned i = 0; i < dims; i++)
    {
      tree type = TREE_TYPE (gimple_omp_for_index (loop, i));
      if (TREE_CODE (gimple_omp_for_initial (loop, i)) == TREE_VEC
	  || TREE_CODE (gimple_omp_for_final (loop, i)) == TREE_VEC)
	return GOMP_AMP_NON_RECTANGULAR;
      /* libgomp counts in 64 bits; static loops count in the iterator's own
	 type.  */
      if (TYPE_PRECISION (type)
	  > TYPE_PRECISION (long_long_unsigned_type_node))
	return GOMP_AMP_WIDE_ITERATOR;
      /* GCC converts the step to libgomp's type by way of the unsigned one,
	 so that -1 comes out as 4294967295 and no iteration is run.  A
	 collapsed nest is passed as a count with step 1 and is not
	 concerned.  */
      if (dims == 1
	  && TREE_CODE (type) == INTEGER_TYPE
	  && TYPE_UNSIGNED (type)
	  && (TYPE_PRECISION (type)
	      < TYPE_PRECISION (long_long_unsigned_type_node))
	  && gomp_amp_counts_down (loop, i))
	return GOMP_AMP_UNSIGNED_DOWN;
      if (gomp_amp_wraps (loop, i))
	return GOMP_AMP_WRAPS;
    }

  return GOMP_AMP_NO_SCHEDULE;
}

/* Decide about LOOP, a GIMPLE_OMP_FOR, as far as its head shows.  */

static enum gomp_amp_reason
gomp_amp_decide (gimple *loop, bool offloaded)
{
  enum gomp_amp_reason reason = gomp_amp_head (loop, offloaded);
  tree clauses = gimple_omp_for_clauses (loop);
  tree c = omp_find_clause (clauses, OMP_CLAUSE_SCHEDULE);
  if (!c || gomp_amp_says_auto (c))
    return reason;
  if (reason != GOMP_AMP_NO_SCHEDULE)
    return GOMP_AMP_SCHEDULE;
  reason = (gomp_amp_says_static (c) ? GOMP_AMP_REPLACEABLE : GOMP_AMP_KEPT);
#if BUILDING_GCC_MAJOR >= 9
  /* Task reductions have entry points of their own.  */
  for (c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	&& OMP_CLAUSE_REDUCTION_TASK (c))
      return GOMP_AMP_SCHEDULE;
#endif
  return reason;
}

/* What -fopenmp-default-schedule= and a pragma may ask for.  */

enum gomp_amp_default
{
  GOMP_AMP_RUNTIME,
  GOMP_AMP_STATIC,
  GOMP_AMP_FREE,
  GOMP_AMP_STEADY,
  /* A pragma alone: as -fopenmp-replace-static.  */
  GOMP_AMP_REPLACE,
  /* Nobody says anything, or another pass has done it all.  */
  GOMP_AMP_UNMARKED,
  GOMP_AMP_LEFT
};

struct gomp_amp_options
{
  gomp_amp_options ()
    : replace_static (false), portable (false), dump (NULL), dump_later (NULL)
  {}
  enum gomp_amp_default schedule;
  /* Loops that add up floating-point numbers stay static.  */
  bool reproducible;
  /* The user lets schedule(static) be replaced when the program runs.  */
  bool replace_static;
  /* Converted loops are schedule(nonmonotonic:runtime), which any libgomp from
     GCC 9 on takes from OMP_SCHEDULE: for measuring others.  */
  bool portable;
  /* The option that governs warnings, 0 for always, -1 for never.  */
  int warn;
  /* NULL, or where to append one line per loop.  */
  FILE *dump;
  /* NULL, or the name of the file for loops that are judged.  */
  const char *dump_later;
};

/* What libgomp is told of a loop: GOMP_AMP_TOLD and a set of the others.  Keep
   in step with gomp-amp.h, which says what they mean.  */

enum
{
  GOMP_AMP_TOLD_ANY_ORDER = 1,
  GOMP_AMP_TOLD_STEADY = 2,
  GOMP_AMP_TOLD_STATIC = 8,
  GOMP_AMP_TOLD_BOUND = 16,
  GOMP_AMP_TOLD_NOWAIT = 32,
  GOMP_AMP_TOLD = 0x414d5000
};

/* Hints for libgomp: what omp_get_ancestor_thread_num gets, negative.  */

enum
{
  GOMP_AMP_HINT_STATIC = 0x100,
  GOMP_AMP_HINT_REPLACEABLE = 0x800,
  GOMP_AMP_HINT_ANY_TEAM = 0x2000
};

/* Pragmas.  They hold for the next worksharing loop of the function.  */

struct gomp_amp_mark
{
  location_t at;
  enum gomp_amp_default schedule;
};

/* Not static: in a compiler that has all this built in, whose own handlers get
   the pragmas, the plugin reads the marks of that compiler.  */
vec<gomp_amp_mark> gomp_amp_marks;

static void
gomp_amp_add_mark (enum gomp_amp_default schedule)
{
  gomp_amp_mark mark = { input_location, schedule };
  gomp_amp_marks.safe_push (mark);
}

static void
gomp_amp_pragma_free (struct cpp_reader *)
{
  gomp_amp_add_mark (GOMP_AMP_FREE);
}

static void
gomp_amp_pragma_steady (struct cpp_reader *)
{
  gomp_amp_add_mark (GOMP_AMP_STEADY);
}

static void
gomp_amp_pragma_static (struct cpp_reader *)
{
  gomp_amp_add_mark (GOMP_AMP_STATIC);
}

static void
gomp_amp_pragma_replace (struct cpp_reader *)
{
  gomp_amp_add_mark (GOMP_AMP_REPLACE);
}

typedef void (*gomp_amp_pragma) (struct cpp_reader *);

/* Have ADD, the C family's c_register_pragma, know #pragma gomp_amp.  */

extern void gomp_amp_register_pragmas (void (*add) (const char *, const char *,
						    gomp_amp_pragma));
void
gomp_amp_register_pragmas (void (*add) (const char *, const char *,
					gomp_amp_pragma))
{
  add ("gomp_amp", "free", gomp_amp_pragma_free);
  add ("gomp_amp", "steady", gomp_amp_pragma_steady);
  add ("gomp_amp", "static", gomp_amp_pragma_static);
  add ("gomp_amp", "replace", gomp_amp_pragma_replace);
}

/* Fortran has no pragmas: there a comment says the same, !$amp free, with no
   statement between it and the directive.  */

static enum gomp_amp_default
gomp_amp_sentinel (location_t where)
{
  static char *text;
  static const char *name;
  static auto_vec<char *> lines;
  expanded_location at = expand_location (where);
  if (!at.file || at.line < 1)
    return GOMP_AMP_UNMARKED;
  if (!name || strcmp (name, at.file) != 0)
    {
      /* A name lives as long as the line table.  */
      name = at.file;
      XDELETEVEC (text);
      text = NULL;
      lines.truncate (0);
      FILE *f = fopen (at.file, "r");
      if (f)
	{
	  size_t n = 0, size = 0, got;
	  do
	    {
	      size = size * 2 + 65536;
	      text = XRESIZEVEC (char, text, size + 1);
	      got = fread (text + n, 1, size - n, f);
	      n += got;
	    }
	  while (n == size);
	  fclose (f);
	  text[n] = 0;
	  for (char *p = text; *p; )
	    {
	      lines.safe_push (p);
	      p += strcspn (p, "\n");
	      if (*p)
		*p++ = 0;
	    }
	}
    }

  /* The loop's line is one from its directive's to the end of its body.  */
  int i = MIN ((unsigned) at.line, lines.length ()) - 1;
  for (; i >= 0; i--)
    {
      const char *p = lines[i] + strspn (lines[i], " \t");
      if ((*p == '!' || p == lines[i]) && strncasecmp (p + (*p != 0), "$omp", 4)
					  == 0)
	{
	  bool end = false, loop = false;
	  for (p += 5; *p && *p != '!' && *p != '('; )
	    {
	      size_t n = strcspn (p, " \t&!(,\r");
	      end |= n == 3 && strncasecmp (p, "end", 3) == 0;
	      loop |= n == 2 && strncasecmp (p, "do", 2) == 0;
	      p += n;
	      p += strspn (p, " \t&,\r");
	    }
	  if (loop && !end)
	    break;
	}
    }
  for (i--; i >= 0; i--)
    {
      const char *p = lines[i] + strspn (lines[i], " \t");
      if (!(strchr ("!\r", *p) || (p == lines[i] && strchr ("cC*", *p))))
	break;
      if (strncasecmp (p + 1, "$amp", 4) != 0)
	continue;
      p += 5;
      p += strspn (p, " \t");
      size_t n = strcspn (p, " \t\r!");
      if (n == 4 && strncasecmp (p, "free", n) == 0)
	return GOMP_AMP_FREE;
      if (n == 6 && strncasecmp (p, "steady", n) == 0)
	return GOMP_AMP_STEADY;
      if (n == 6 && strncasecmp (p, "static", n) == 0)
	return GOMP_AMP_STATIC;
      if (n == 7 && strncasecmp (p, "replace", n) == 0)
	return GOMP_AMP_REPLACE;
      warning_at (where, 0, "%<!$amp %.*s%> above this loop: valid are"
		  " %<free%>, %<steady%>, %<static%> and %<replace%>",
		  (int) n, p);
    }
  return GOMP_AMP_UNMARKED;
}

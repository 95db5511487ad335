/* SPDX-License-Identifier: GPL-3.0-or-later

   What people are told about the decisions.  */

/* What is asked of a loop, for people.  */
static const char *const rule_names[R_RULES]
  = { "", "registers", "own memory", "identity", "waits", "adds beside state",
      "reproducible", "form" };

/* Write `file:line: TEXT' to where options say.  */

static void
list_loop (const gomp_amp_options &options, location_t where, bool converted,
	   const std::string &text)
{
  expanded_location at = expand_location (where);
  FILE *to = options.dump;
  if (!to && dump_file && (dump_flags & TDF_DETAILS))
    to = dump_file;
  if (to)
    {
      /* A line is written at once, so that compilers running in parallel may
	 share the file.  */
      fprintf (to, "%s:%d: %s\n", at.file ? at.file : "<unknown>", at.line,
	       text.c_str ());
      fflush (to);
    }
  if (dump_enabled_p ())
    {
#if BUILDING_GCC_MAJOR >= 9
      dump_user_location_t place
	= dump_user_location_t::from_location_t (where);
#else
      location_t place = where;
#endif
      dump_printf_loc (converted ? MSG_OPTIMIZED_LOCATIONS
				 : MSG_MISSED_OPTIMIZATION,
		       place, "worksharing loop: %s\n", text.c_str ());
    }
}

/* The line of AT in FILE, or where what AT is in has been inlined there; 0 for
   what is in no file.  */

static int
line_of (location_t at, const char *file)
{
  for (tree b = LOCATION_BLOCK (at); b && TREE_CODE (b) == BLOCK;
       b = BLOCK_SUPERCONTEXT (b))
    if (inlined_function_outer_scope_p (b) && LOCATION_FILE (at)
	&& strcmp (LOCATION_FILE (at), file) != 0)
      at = BLOCK_SOURCE_LOCATION (b);
  at = LOCATION_LOCUS (at);
  return at > BUILTINS_LOCATION ? expand_location (at).line : 0;
}

/* F's subject: a name that the program has, or what stands for it.  */

static std::string
subject (const finding &f)
{
  if (f.what)
    return (std::string ("'")
	    + (TREE_CODE (f.what) == FIELD_DECL
	       ? IDENTIFIER_POINTER (DECL_NAME (f.what))
	       : lang_hooks.decl_printable_name (f.what, 1)) + "' ");
  for (const char *noun : { "bits ", "the ", "threads " })
    if (!strncmp (f.how, noun, strlen (noun)))
      return "";
  if (strncmp (f.how, "is ", 3) != 0 && strncmp (f.how, "of ", 3) != 0)
    return "it ";
  return f.rule == R_MEMORY ? "memory " : "a value ";
}

/* What F says of a loop in FILE, as a sentence:
   own memory: 'buf' is read at line 35 before the iteration writes it; an
   earlier iteration may have (line 37).  */

static std::string
reason (const finding &f, const char *file)
{
  std::string s = f.how, lines;
  int at = line_of (f.at, file), other = line_of (f.other, file);
  size_t verb_ends = s.find (" before the iteration");
  if (at && verb_ends != std::string::npos)
    {
      s.insert (verb_ends, " at line " + std::to_string (at));
      at = 0;
    }
  for (int line : { at, other == at ? 0 : other })
    if (line)
      lines += (lines.empty () ? "line " : ", ") + std::to_string (line);
  return (std::string (rule_names[f.rule]) + ": " + subject (f) + s
	  + (lines.empty () ? "" : " (" + lines + ")"));
}

/* Say what V's loop became.  */

static void
report (const gomp_amp_options &options, const verdict &v, bool converted,
	bool any_order)
{
  const candidate &c = candidates[v.id];
  if (!converted)
    {
      std::string why = reason (v.found, LOCATION_FILE (c.at));
      list_loop (options, c.at, false, "static: " + why);
      if (v.found.rule != R_SUM && options.warn >= 0
	  && warning_at (c.at, options.warn, "this loop may rely on the static"
			 " schedule without asking for it: %s",
			 why.c_str ())
	  && LOCATION_LOCUS (v.found.at) > BUILTINS_LOCATION)
	inform (v.found.at, "this is where");
      return;
    }
  bool steady = c.mark == GOMP_AMP_STEADY;
  std::string s = steady ? "steady" : any_order ? "any order" : "ascending";
  if (v.found.rule != R_NONE && !steady)
    s += "; free";
  if (c.loose () && !steady)
    s += "; barrier instead of nowait";
  if (v.sums)
    s += "; sums";
  if (v.unknown_calls)
    s += "; calls unknown functions";
  list_loop (options, c.at, true, s);
}

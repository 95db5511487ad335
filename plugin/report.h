/* What people are told about the decisions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GOMP_AMP_REPORT_H
#define GOMP_AMP_REPORT_H 1

namespace amp
{

static const char *const rule_names[R_RULES]
  = { "", "registers", "own-memory", "identity", "waits", "adds-beside",
      "reproducible-sum", "form" };

/* Write `file:line: decision detail' to where options say.  */

static void
list_loop (const gomp_amp_options &options, location_t where,
	   const char *decision, const char *detail)
{
  expanded_location at = expand_location (where);
  if (options.dump)
    {
      /* A line is written at once, so that compilers running in parallel may
	 share the file.  */
      fprintf (options.dump, "%s:%d: %s %s\n", at.file ? at.file : "<unknown>",
	       at.line, decision, detail);
      fflush (options.dump);
    }
  if (dump_enabled_p ())
    {
#if BUILDING_GCC_MAJOR >= 9
      dump_user_location_t place = dump_user_location_t::from_location_t (where);
#else
      location_t place = where;
#endif
      dump_printf_loc (strcmp (decision, "runtime") ? MSG_MISSED_OPTIMIZATION
						    : MSG_OPTIMIZED_LOCATIONS,
		       place, "worksharing loop: %s %s\n", decision, detail);
    }
}

/* What is wrong with V, as a sentence.  */

static std::string
reason (const finding &f)
{
  std::string s;
  char line[32];
  if (f.what && DECL_NAME (f.what))
    s = std::string ("'") + IDENTIFIER_POINTER (DECL_NAME (f.what)) + "' ";
  s += f.how;
  if (f.at != UNKNOWN_LOCATION)
    {
      snprintf (line, sizeof line, " (line %d)", expand_location (f.at).line);
      s += line;
    }
  if (f.other != UNKNOWN_LOCATION
      && expand_location (f.other).line != expand_location (f.at).line)
    {
      snprintf (line, sizeof line, "; written at line %d",
		expand_location (f.other).line);
      s += line;
    }
  return s;
}

static void
report (const gomp_amp_options &options, const verdict &v, bool runtime,
	bool any_order, const char *why)
{
  const candidate &c = candidates[v.id];
  std::string s = why;
  if (runtime)
    {
      if (c.nowait && !c.last && c.mark != GOMP_AMP_STEADY)
	s += "; barrier instead of nowait";
      if (v.sums)
	s += "; sums";
      if (any_order)
	s += "; any order";
      if (v.unknown_calls)
	s += "; calls unknown functions";
    }
  else
    s += ": " + reason (v.found);
  list_loop (options, c.at, runtime ? "runtime" : "static", s.c_str ());
  bool rely = !runtime && v.found.rule != R_SUM;
  if (rely && options.warn >= 0
      && warning_at (c.at, options.warn, "this loop relies on the static"
		     " schedule without asking for it: %s",
		     reason (v.found).c_str ())
      && v.found.at != UNKNOWN_LOCATION)
    inform (v.found.at, "this is where");
}

} // namespace amp

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later

   What the parts of amp-run share.  */

#ifndef AMP_RUN_H
#define AMP_RUN_H 1

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* amp-run.c.  */

/* Where gomp-amp is installed, and its libraries.  */
extern char *prefix, *lib;

extern bool quiet;

/* A line on the standard error, in one write, so that lines of several
   processes do not mix; a hint, which --quiet leaves out; the same before
   amp-run ends, as something is wrong with its options.  */
#define say(...) fprintf (stderr, "%s\n", text ("amp-run: " __VA_ARGS__))
#define hint(...) ((void) (quiet || say (__VA_ARGS__)))
#define die(...) (say (__VA_ARGS__), exit (2))

/* A string of printf's, which lasts.  */
extern char *text (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));
extern void *checked (void *);

/* Set a variable of the program's environment, which is ours from then on.  */
extern void set_variable (const char *name, const char *value);

/* Is it set, and not empty?  */
extern const char *given (const char *name);

/* What ARGV writes to descriptor FROM, with the variables SET, as words
   NAME=VALUE up to a null pointer, or none; empty if it cannot be run.  */
extern char *output_of (char *const *argv, int from, char *const *set);

/* The path of NAME as a shell finds it, or null with errno set.  */
extern char *find_program (const char *name);

/* Put back what a program gets from us as we got it: before it is run.  */
extern void restore_signals (void);

/* Become PATH, called as ARGV says.  Where that cannot be: the status to end
   with.  */
extern int become (const char *path, char **argv);

/* A file that has no name but this one, which lasts as long as this process;
   null if there can be none.  */
extern char *unnamed_file (int *descriptor);
extern char *with_regions (const char *file);

/* Run the program below this process until it has ended, with its standard
   output in OUTPUT unless that is negative.  Signals are handed on.  Its
   status as waitpid has it; negative, if there can be no process.  */
extern int run_below (const char *path, char **argv, int output,
		      double *seconds);

/* End as a program that has that status did.  */
extern void end_as (int status) __attribute__ ((noreturn));

/* amp-look.c.  */

struct look
{
  enum { ELF, PYTHON, SCRIPT, CLOSED } kind;
  /* No shell can read it.  */
  bool machine_code;
  /* GCC's, if it is or may be that.  */
  enum { GOMP, OTHER, NONE } library;
  /* Put our library in front of any other that the program finds?  */
  bool preload;
  /* It would not start with our library: it needs a later libgomp, or has
     another C library.  */
  bool refused;
  /* Why the program gets no team of more threads than CPUs, unless that is
     asked for by name; null: nothing speaks against it.  */
  const char *sizes;
  /* Does it ask how many CPUs there are in ways that tell of all, though it may
     use some only?  Then it gets no team of fewer threads, either.  */
  bool sizes_by_all;
  /* Lines with their ends, or null: for --static-info, and what is to be said
     before a run.  */
  char *facts, *advice;
};

extern struct look look;

#define add_line(LINES, ...) \
  (*(LINES) = text ("%s%s\n", *(LINES) != NULL ? *(LINES) : "", \
		    text (__VA_ARGS__)))

/* Look at the program; DEEP: at what it calls, too.  */
extern void look_at_program (const char *path, bool deep);

/* Does it, or a library that it is linked with, call what PATTERN, an extended
   regular expression, matches?  */
extern bool calls (const char *pattern);

#define BY_RUNTIME \
  "(loop|ull|ordered|doacross)(_(maybe_)?nonmonotonic)?_runtime"
#define BY_CHUNKS "(loop|ull)(_nonmonotonic)?_(dynamic|guided)"
/* How amp-gcc begins what has no clause, and nobody else anything.  */
#define BY_CHOICE "(loop|ull)_static_start"
#define BY_NUMBER "^omp_get_thread_num_?$"

/* The last part of a path.  */
extern const char *base_name (const char *path);

/* amp-auto.c.  */

enum { STOCK, WEIGHTED, BIG, REPLACE, FORMS };
extern const char *const form_texts[FORMS];

/* May the program get FORM, and could that help it, as far as was seen?  */
extern bool form_allowed (unsigned form);

/* The form for the program's next run on MACHINE, a text that tells
   one machine from others; WHAT: "new", "trying", or "settled"; null where
   nothing can be remembered.  To be called while only what was asked for is
   set.  */
extern unsigned choose_form (const char *machine, const char *path,
			     char **argv, bool verify, const char **what);

/* Tell what is remembered.  */
extern void show_memory (const char *machine, const char *path, char **argv);

/* Run it so, and remember how long it took.  Does not return.  */
extern void run_form (unsigned form, const char *path, char **argv, bool verify)
  __attribute__ ((noreturn));

#endif

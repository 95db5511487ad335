/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   GOMP_AMP_LOOPS: a file that says how single loops run, one a line:

     OBJECT+0xOFFSET SCHEDULE SF,SF

   the last or the last but one of which may be missing: the loop's address as
   GOMP_AMP_REPORT has it, a schedule as OMP_SCHEDULE has it, speedup factors as
   GOMP_AMP_SF has them.  Empty lines and what follows a # do not count.  A
   value with the end of a line in it is the lines themselves.  What a program
   may rely on comes first: a loop that is to be divided as static
   divides it stays so, and one whose iterations are to ascend refuses a
   schedule that does not.  */

#include "gomp-amp-glue.h"
#include <sys/stat.h>

static struct gomp_amp_line *gomp_amp_lines;
GOMP_AMP_PART unsigned gomp_amp_nlines;
static char *gomp_amp_loops_file;

/* Read the WORD of LINE.  */

static const char *
gomp_amp_read_word (struct gomp_amp_line *line, const char *word,
		    char message[AMP_MESSAGE_MAX])
{
  if (line->place == NULL)
    {
      line->place = gomp_amp_copy (word);
      return strstr (word, "+0x") != NULL ? NULL
	     : "OBJECT+0xOFFSET is expected, as GOMP_AMP_REPORT has it";
    }
  if (strspn (word, "0123456789.,") == strlen (word) && line->sf == NULL)
    {
      line->sf = gomp_malloc (AMP_MAX_TYPES * sizeof *line->sf);
      /* Of one type alone nothing is to be said.  */
      return (gomp_amp_types > 1 && !gomp_amp_observed_types
	      ? gomp_amp_read_factors (word, line->sf, message) : NULL);
    }
  if (line->schedule.kind != 0)
    return "one schedule and one list of numbers are expected";
  if (amp_parse_schedule (word, &line->schedule, message) != NULL)
    return message;
  return (line->schedule.modifier == 0 ? NULL
	  : "a schedule without a modifier is expected");
}

/* Read TEXT, which is changed, as line NUMBER.  NULL, or what is wrong.  */

static const char *
gomp_amp_read_line (char *text, unsigned number,
		    char message[AMP_MESSAGE_MAX])
{
  struct gomp_amp_line line = { .number = number };
  const char *wrong = NULL;
  char *word, *save = NULL;

  text[strcspn (text, "#")] = '\0';
  for (word = strtok_r (text, " \t\r\n", &save); word != NULL && wrong == NULL;
       word = strtok_r (NULL, " \t\r\n", &save))
    wrong = gomp_amp_read_word (&line, word, message);
  if (wrong == NULL && line.place != NULL && line.sf == NULL
      && line.schedule.kind == 0)
    wrong = "a schedule or numbers are expected";
  if (wrong != NULL || line.place == NULL)
    {
      free (line.place);
      free (line.sf);
      return wrong;
    }
  /* Where no types are known, a number says nothing about the CPUs.  */
  if (gomp_amp_observed_types || gomp_amp_types < 2)
    {
      free (line.sf);
      line.sf = NULL;
    }
  gomp_amp_know_sf |= line.sf != NULL;
  gomp_amp_lines = gomp_realloc (gomp_amp_lines,
				 (gomp_amp_nlines + 1) * sizeof line);
  gomp_amp_lines[gomp_amp_nlines++] = line;
  return NULL;
}

GOMP_AMP_PART const char *
gomp_amp_read_loops (const char *value, char message[AMP_MESSAGE_MAX])
{
  char *text = NULL;
  const char *wrong = NULL;
  size_t size = 0;
  unsigned number = 0;
  struct stat st;
  FILE *f;

  if (value == NULL || !gomp_amp_secure_p ("GOMP_AMP_LOOPS"))
    return NULL;
  if (strchr (value, '\n') != NULL)
    {
      f = fmemopen ((void *) value, strlen (value), "r");
      value = "line";
    }
  /* Others may never end.  */
  else if (stat (value, &st) == 0 && !S_ISREG (st.st_mode))
    {
      snprintf (message, AMP_MESSAGE_MAX, "%s is no regular file", value);
      return message;
    }
  else
    f = fopen (value, "re");
  if (f == NULL)
    {
      snprintf (message, AMP_MESSAGE_MAX, "cannot read %s: %s", value,
		strerror (errno));
      return message;
    }
  gomp_amp_loops_file = gomp_amp_copy (value);
  while (wrong == NULL && getline (&text, &size, f) >= 0)
    {
      wrong = gomp_amp_read_line (text, ++number, message);
      if (wrong != NULL)
	gomp_error ("GOMP_AMP_LOOPS: %s:%u: %s; the rest of the file is "
		    "ignored", value, number, wrong);
    }
  free (text);
  fclose (f);
  return NULL;
}

/* The line that is about the loop of the place NAME, or NULL.  */

GOMP_AMP_PART struct gomp_amp_line *
gomp_amp_find_line (const char *name)
{
  unsigned i;

  for (i = 0; i < gomp_amp_nlines; i++)
    if (strcmp (gomp_amp_lines[i].place, name) == 0)
      return &gomp_amp_lines[i];
  return NULL;
}

/* Give the loop R what LINE says.  */

GOMP_AMP_PART void
gomp_amp_obey_line (struct gomp_amp_request *r, struct gomp_amp_line *line)
{
  const struct amp_schedule *s = &line->schedule;
  bool explicit = r->from.how <= GOMP_AMP_EXPLICIT;
  int kind = gomp_amp_own_kind (s->kind);

  if (s->kind == 0 || r->from.how == GOMP_AMP_ORDERED
      || (explicit && r->sched == GFS_STATIC))
    return;
  if (kind == 0)
    kind = s->kind;
  if (kind > GFS_AUTO && !r->from.any_order
      && !(amp_find_kind (kind)->flags & AMP_MONOTONIC))
    {
      if (!__atomic_exchange_n (&line->refused, true, __ATOMIC_RELAXED))
	gomp_error ("GOMP_AMP_LOOPS: %s:%u: iterations of %s must ascend, and "
		    "those of %s do not; the schedule is ignored",
		    gomp_amp_loops_file, line->number, line->place,
		    amp_find_kind (kind)->name);
      return;
    }
  r->replacement = NULL;
  r->even = kind == GFS_STATIC && s->params.value[0] == 0;
  if (kind > GFS_AUTO)
    r->replacement = s;
  else if (kind == GFS_AUTO)
    kind = GFS_AMP_AUTO;
  /* A clause's chunk is the least one.  */
  if (!explicit || r->replacement == NULL)
    r->chunk = (s->params.value[0] != 0 || kind == GFS_STATIC
		? s->params.value[0] : 1);
  if (r->replacement != NULL && !explicit)
    r->chunk = 0;
  r->sched = kind;
}

/* How fast TYPE is by the file, if its loops take equally long; 0: it does not
   say.  */

GOMP_AMP_PART_OF_TEAMS double
gomp_amp_file_speed (unsigned type)
{
  double time = 0.0;
  unsigned i, n = 0;

  for (i = 0; i < gomp_amp_nlines; i++)
    if (gomp_amp_lines[i].sf != NULL)
      {
	time += 1.0 / gomp_amp_lines[i].sf[type];
	n++;
      }
  return n != 0 ? n / time : 0.0;
}

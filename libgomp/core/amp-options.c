/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Parsing of OMP_SCHEDULE and GOMP_AMP_*.  */

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "amp-options.h"

/* Not isspace and tolower: those follow the locale.  */

static bool
amp_space_p (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *
amp_skip_space (const char *s)
{
  while (amp_space_p (*s))
    s++;
  return s;
}

static char
amp_fold (char c)
{
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c == '-' ? '_' : c;
}

static bool
amp_word_char_p (char c)
{
  c = amp_fold (c);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* If the word at *S is WORD, step over it.  */

static bool
amp_match (const char **s, const char *word)
{
  const char *p = *s;

  while (*word != '\0' && amp_fold (*p) == *word)
    p++, word++;
  if (*word != '\0' || amp_word_char_p (*p))
    return false;
  *s = p;
  return true;
}

enum amp_number { AMP_NUMBER_OK, AMP_NUMBER_NONE, AMP_NUMBER_HUGE };

/* Read a decimal number at *S and step over it.  */

static enum amp_number
amp_read_number (const char **s, int *value)
{
  const char *p = *s;
  long long v = 0;
  bool huge = false;

  if (*p == '+')
    p++;
  if (*p < '0' || *p > '9')
    return AMP_NUMBER_NONE;
  for (; *p >= '0' && *p <= '9'; p++)
    if (!huge)
      {
	v = v * 10 + (*p - '0');
	huge = v > INT_MAX;
      }
  *s = p;
  *value = huge ? INT_MAX : (int) v;
  return huge ? AMP_NUMBER_HUGE : AMP_NUMBER_OK;
}

/* Append FORMAT's text to the message; what does not fit is dropped.  */
#define AMP_APPEND(MESSAGE, ...)					\
  do									\
    {									\
      size_t used_ = strlen (MESSAGE);					\
      snprintf ((MESSAGE) + used_, AMP_MESSAGE_MAX - used_, __VA_ARGS__); \
    }									\
  while (0)

/* Append TEXT in quotes, shortened, unprintable characters as `?'.  */

static void
amp_append_quoted (char *message, const char *text)
{
  char shown[41];
  size_t i;

  for (i = 0; i < sizeof shown - 1 && text[i] != '\0'; i++)
    shown[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
  shown[i] = '\0';
  AMP_APPEND (message, "'%s%s'", shown, text[i] != '\0' ? "..." : "");
}

static const struct { const char *name; int kind; } amp_stock_kinds[] = {
  { "static", AMP_KIND_STATIC },
  { "dynamic", AMP_KIND_DYNAMIC },
  { "guided", AMP_KIND_GUIDED },
  { "auto", AMP_KIND_AUTO }
};

#define AMP_N_STOCK_KINDS \
  (sizeof amp_stock_kinds / sizeof amp_stock_kinds[0])

static void
amp_append_schedules (char *message)
{
  const struct amp_ops *const *p;
  unsigned i;

  AMP_APPEND (message, "static[,chunk], dynamic[,chunk], guided[,chunk], "
	      "auto");
  for (p = amp_schedulers; *p != NULL; p++)
    {
      AMP_APPEND (message, ", %s", (*p)->name);
      for (i = 0; i < (*p)->nparams; i++)
	AMP_APPEND (message, "[,%s", (*p)->param[i].name);
      for (i = 0; i < (*p)->nparams; i++)
	AMP_APPEND (message, "]");
    }
}

/* What a name in front of numbers stands for.  */

struct amp_named
{
  const char *name;
  const struct amp_ops *ops;	/* NULL: one of OpenMP's own.  */
  unsigned nparams;
};

/* Read the modifier at *S, if any, and step over it.  False if what follows it
   is wrong.  */

static bool
amp_read_modifier (const char **s, int *modifier)
{
  *modifier = (amp_match (s, "monotonic") ? 1
	       : amp_match (s, "nonmonotonic") ? -1 : 0);
  if (*modifier == 0)
    return true;
  *s = amp_skip_space (*s);
  if (**s != ':')
    return false;
  *s = amp_skip_space (*s + 1);
  return true;
}

/* The kind whose name is at *S, which is stepped over; or 0.  */

static int
amp_read_kind (const char **s, struct amp_named *named)
{
  const struct amp_ops *const *p;
  unsigned i;

  for (i = 0; i < AMP_N_STOCK_KINDS; i++)
    if (amp_match (s, amp_stock_kinds[i].name))
      {
	named->name = amp_stock_kinds[i].name;
	named->ops = NULL;
	named->nparams = 1;
	return amp_stock_kinds[i].kind;
      }
  for (p = amp_schedulers; *p != NULL; p++)
    if (amp_match (s, (*p)->name))
      {
	named->name = (*p)->name;
	named->ops = *p;
	named->nparams = (*p)->nparams;
	return (*p)->kind;
      }
  return 0;
}

/* Read the numbers at S.  False, and what is wrong appended to MESSAGE,
   where they are not such as NAMED takes.  */

static bool
amp_read_params (const char *s, const struct amp_named *named,
		 struct amp_params *params, char *message)
{
  /* OpenMP lets a chunk of 0 stand for the default.  */
  static const struct amp_param_info chunk
    = { "chunk", 0, INT_MAX, 0, AMP_CHUNK_LEAST };
  unsigned i;

  s = amp_skip_space (s);
  for (i = 0; *s != '\0'; i++)
    {
      const struct amp_param_info *info = &chunk;

      if (*s != ',' || i == named->nparams)
	{
	  AMP_APPEND (message, ": %s takes at most %u number%s, "
		      "separated by commas", named->name, named->nparams,
		      named->nparams == 1 ? "" : "s");
	  return false;
	}
      if (named->ops != NULL)
	info = &named->ops->param[i];
      s = amp_skip_space (s + 1);
      if (amp_read_number (&s, &params->value[i]) != AMP_NUMBER_OK
	  || params->value[i] < info->min || params->value[i] > info->max
	  || (*(s = amp_skip_space (s)) != ',' && *s != '\0'))
	{
	  AMP_APPEND (message, ": %s's %s must be a number from %d to %d",
		      named->name, info->name, info->min, info->max);
	  return false;
	}
    }
  return true;
}

static const char *
amp_parse_schedule (const char *text, struct amp_schedule *schedule,
		    char message[AMP_MESSAGE_MAX])
{
  const char *s = amp_skip_space (text), *wrong = NULL;
  struct amp_named named;

  memset (schedule, 0, sizeof *schedule);
  message[0] = '\0';
  amp_append_quoted (message, text);
  if (!amp_read_modifier (&s, &schedule->modifier))
    {
      AMP_APPEND (message, ": a ':' must follow the modifier");
      return message;
    }
  schedule->kind = amp_read_kind (&s, &named);
  if (schedule->kind == 0)
    {
      AMP_APPEND (message, ": valid are ");
      amp_append_schedules (message);
      return message;
    }
  if (!amp_read_params (s, &named, &schedule->params, message))
    return message;
  if (named.ops != NULL && named.ops->check != NULL)
    wrong = named.ops->check (&schedule->params);
  if (wrong == NULL)
    {
      message[0] = '\0';
      return NULL;
    }
  AMP_APPEND (message, ": %s: %s", named.name, wrong);
  return message;
}

/* The rule at *S, up to the next rule, and step over it.  NULL, or what is
   wrong.  */

static const char *
amp_parse_rule (const char **s,
		struct amp_schedule replace[AMP_KIND_GUIDED + 1],
		char message[AMP_MESSAGE_MAX])
{
  static const struct { const char *word; unsigned kind; } words[] = {
    { "static", AMP_KIND_STATIC }, { "dynamic", AMP_KIND_DYNAMIC },
    { "guided", AMP_KIND_GUIDED }
  };
  struct amp_schedule *schedule = NULL;
  const struct amp_ops *ops;
  char value[80];
  const char *p = amp_skip_space (*s), *rule = p;
  size_t length = 0;
  unsigned i;

  for (i = 0; i < sizeof words / sizeof words[0] && schedule == NULL; i++)
    if (amp_match (&p, words[i].word))
      schedule = &replace[words[i].kind];
  p = amp_skip_space (p);
  if (schedule == NULL || *p != '=')
    {
      amp_append_quoted (message, rule);
      AMP_APPEND (message, ": static=aid_static, dynamic=SCHEDULE or "
		  "guided=SCHEDULE is expected");
      return message;
    }
  if (schedule->kind != 0)
    {
      AMP_APPEND (message, "%s is replaced twice",
		  words[i - 1].word);
      return message;
    }
  /* A comma in front of a word begins the next rule, in front of a number
     it belongs to the schedule.  */
  for (p = amp_skip_space (p + 1); *p != '\0' && *p != ';'; p++)
    {
      if (*p == ',')
	{
	  const char *q = amp_skip_space (p + 1);
	  if (amp_word_char_p (*q) && !(*q >= '0' && *q <= '9'))
	    break;
	}
      if (length == sizeof value - 1)
	break;
      value[length++] = *p;
    }
  value[length] = '\0';
  if (length == sizeof value - 1)
    {
      amp_append_quoted (message, value);
      AMP_APPEND (message, ": too long");
      return message;
    }
  if (amp_parse_schedule (value, schedule, message) != NULL)
    return message;
  if (schedule->modifier != 0 || schedule->kind <= AMP_KIND_AUTO)
    {
      amp_append_quoted (message, value);
      AMP_APPEND (message, ": valid are the schedules beyond OpenMP's, "
		  "without a modifier");
      return message;
    }
  /* Static promises that loops of one length are divided alike: only fixed
     blocks keep that.  */
  ops = amp_find_kind (schedule->kind);
  if (schedule == &replace[AMP_KIND_STATIC]
      && (!(ops->flags & AMP_KEEPS_BLOCKS)
	  || schedule->params.value[0] != ops->param[0].def))
    {
      amp_append_quoted (message, value);
      AMP_APPEND (message, ": only aid_static, without a number, may take the "
		  "place of static");
      return message;
    }
  *s = amp_skip_space (p);
  return NULL;
}

static const char *
amp_parse_replace (const char *text,
		   struct amp_schedule replace[AMP_KIND_GUIDED + 1],
		   char message[AMP_MESSAGE_MAX])
{
  const char *s = text;

  message[0] = '\0';
  memset (replace, 0, (AMP_KIND_GUIDED + 1) * sizeof *replace);
  do
    {
      if (amp_parse_rule (&s, replace, message) != NULL)
	{
	  memset (replace, 0, (AMP_KIND_GUIDED + 1) * sizeof *replace);
	  return message;
	}
      if (*s == ';' || *s == ',')
	s = amp_skip_space (s + 1);
    }
  while (*s != '\0');
  return NULL;
}

static const char *
amp_parse_affinity (const char *text, enum amp_affinity *affinity,
		    char message[AMP_MESSAGE_MAX])
{
  static const struct { const char *word; enum amp_affinity value; } words[] = {
    { "off", AMP_AFFINITY_OFF }, { "0", AMP_AFFINITY_OFF },
    { "false", AMP_AFFINITY_OFF },
    { "on", AMP_AFFINITY_BS }, { "1", AMP_AFFINITY_BS },
    { "true", AMP_AFFINITY_BS }, { "bs", AMP_AFFINITY_BS },
    { "sb", AMP_AFFINITY_SB }
  };
  const char *s;
  unsigned i;

  message[0] = '\0';
  for (i = 0; i < sizeof words / sizeof words[0]; i++)
    {
      s = amp_skip_space (text);
      if (amp_match (&s, words[i].word) && *amp_skip_space (s) == '\0')
	{
	  *affinity = words[i].value;
	  return NULL;
	}
    }
  amp_append_quoted (message, text);
  AMP_APPEND (message, ": valid are 1, on, bs, sb, 0 and off");
  return message;
}

static const char *
amp_parse_team (const char *text, unsigned *most,
		char message[AMP_MESSAGE_MAX])
{
  const char *s = amp_skip_space (text);
  int number = AMP_TEAM_MOST;
  bool ok;

  message[0] = '\0';
  if (amp_match (&s, "off"))
    {
      number = 0;
      ok = true;
    }
  else if ((ok = amp_match (&s, "weighted")))
    {
      s = amp_skip_space (s);
      if (*s == ',')
	{
	  s = amp_skip_space (s + 1);
	  ok = (amp_read_number (&s, &number) == AMP_NUMBER_OK
		&& number >= 1 && number <= AMP_TEAM_LIMIT);
	}
    }
  if (ok && *amp_skip_space (s) == '\0')
    {
      *most = number;
      return NULL;
    }
  amp_append_quoted (message, text);
  AMP_APPEND (message, ": valid are weighted, weighted,N with at most N "
	      "threads a CPU, from 1 to 64, and off");
  return message;
}

/* Read a positive decimal number such as 3 or 2.25 at *S and step over it.
   Not strtod, which follows the locale.  */

static bool
amp_read_decimal (const char **s, double *value)
{
  const char *p = *s;
  double mantissa = 0.0, scale = 1.0;
  bool digits = false, fraction = false;

  for (; (*p >= '0' && *p <= '9') || (*p == '.' && !fraction); p++)
    if (*p == '.')
      fraction = true;
    else
      {
	digits = true;
	/* Further digits are beyond what a double holds.  */
	if (fraction && scale >= 1e15)
	  continue;
	mantissa = mantissa * 10.0 + (*p - '0');
	if (fraction)
	  scale *= 10.0;
      }
  if (!digits)
    return false;
  *s = p;
  *value = mantissa / scale;
  return true;
}

static const char *
amp_parse_sf (const char *text, unsigned types, double *sf,
	      char message[AMP_MESSAGE_MAX])
{
  const char *s = text;
  unsigned n = 0, i;
  double least;

  message[0] = '\0';
  do
    {
      s = amp_skip_space (n == 0 ? s : s + 1);
      if (n == types || !amp_read_decimal (&s, &sf[n])
	  || sf[n] < 1.0 / AMP_SF_MAX || sf[n] > AMP_SF_MAX)
	goto wrong;
      n++;
      s = amp_skip_space (s);
    }
  while (*s == ',');
  if (n == 1 && types == 2)
    sf[n++] = 1.0;
  if (*s != '\0' || n != types)
    goto wrong;
  least = sf[0];
  for (i = 1; i < types; i++)
    if (sf[i] < least)
      least = sf[i];
  for (i = 0; i < types; i++)
    sf[i] /= least;
  return NULL;

 wrong:
  amp_append_quoted (message, text);
  AMP_APPEND (message, ": needs %u decimal number%s from %.3f to %.0f, one "
	      "per core type, fastest type first, as in 3,1", types,
	      types == 1 ? "" : "s", 1.0 / AMP_SF_MAX, AMP_SF_MAX);
  return message;
}

#define AMP_WATTS_MAX 10000.0

/* Read BUSY[/IDLE] for each of TYPES at S.  */

static bool
amp_read_watts (const char *s, unsigned types, double *busy, double *idle)
{
  unsigned n = 0;

  do
    {
      s = amp_skip_space (n == 0 ? s : s + 1);
      if (n == types || !amp_read_decimal (&s, &busy[n])
	  || !(busy[n] <= AMP_WATTS_MAX))
	return false;
      idle[n] = 0.0;
      s = amp_skip_space (s);
      if (*s == '/')
	{
	  s = amp_skip_space (s + 1);
	  if (!amp_read_decimal (&s, &idle[n]) || !(idle[n] <= busy[n]))
	    return false;
	  s = amp_skip_space (s);
	}
      n++;
    }
  while (*s == ',');
  return *s == '\0' && n == types;
}

static const char *
amp_parse_energy (const char *text, unsigned types, enum amp_goal_kind *goal,
		  double *busy, double *idle, char message[AMP_MESSAGE_MAX])
{
  static const char *const names[] = { "time", "energy", "edp" };
  const char *s = amp_skip_space (text);
  unsigned i;

  message[0] = '\0';
  for (i = 0; i < sizeof names / sizeof *names; i++)
    if (amp_match (&s, names[i]))
      {
	s = amp_skip_space (s);
	if (*s != ',' || !amp_read_watts (s + 1, types, busy, idle))
	  break;
	*goal = (enum amp_goal_kind) i;
	return NULL;
      }
  amp_append_quoted (message, text);
  AMP_APPEND (message, ": needs energy, edp or time, and what a core draws "
	      "while it is busy and while it is idle, for %u core type%s, "
	      "fastest type first, as in energy,0.9/0.3,0.2/0.1", types,
	      types == 1 ? "" : "s");
  return message;
}

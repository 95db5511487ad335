/* SPDX-License-Identifier: GPL-3.0-or-later

   Unit tests of the parsers, the layout of a block, queues, plans, sites, auto,
   weighted teams and the arithmetic of AID.  The last line is "N passed, N failed,
   N skipped".  */

#define _FILE_OFFSET_BITS 64	/* As gomp-amp.c.  */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include "amp-core.c"
#include "amp-options.c"
#include "amp-place.c"
#include "amp-alone.c"
#include "unit-check.h"

/* A message is one line of printable text that fits.  */

static bool
good_message (const char *message)
{
  size_t i, len = strlen (message);

  for (i = 0; i < len; i++)
    if (message[i] < ' ' || message[i] > '~')
      return false;
  return len > 10 && len < AMP_MESSAGE_MAX;
}

#define BAD -1

/* TEXT is refused, for the reason WRONG.  */

static void
bad (const char *wrong, const char *text)
{
  check (wrong != NULL && good_message (wrong), "'%s': %s", text,
	 wrong != NULL ? wrong : "accepted");
}

/* OMP_SCHEDULE.  */

static const struct { const char *text; int kind, modifier, first, second; }
schedules[] = {
  { "static", 1 }, { "STATIC", 1 }, { "dynamic,1", 2, 0, 1 },
  { " \t\r\n\v\fdynamic \t , \n 7 ", 2, 0, 7 },
  { "guided,2147483647", 3, 0, INT_MAX }, { "guided,+3", 3, 0, 3 },
  { "static,0", 1 }, { "auto", 4 }, { "monotonic:static", 1, 1 },
  { "nonmonotonic : DYNAMIC , 5", 2, -1, 5 },
  { "Monotonic:aid_static", 16, 1 }, { "aid_static", 16 },
  { "aid-static", 16 }, { "AID-Static,4", 16, 0, 4 },
  { "aid_static,00000000000000000000000000000004", 16, 0, 4 },
  { "aid_hybrid", 17 }, { "aid_hybrid,80", 17, 0, 80 },
  { "aid_hybrid,100,2147483647", 17, 0, 100, INT_MAX },
  { "aid_dynamic,1,5", 18, 0, 1, 5 }, { "aid_dynamic,5,5", 18, 0, 5, 5 },
  { "steal", 19 }, { "STEAL,64", 19, 0, 64 }, { "ich", 20 },
  { "ich,25", 20, 0, 25 }, { "nonmonotonic:ich,100,1", 20, -1, 100, 1 },
  { "ich,50,2", 20, 0, 50, 2 }, { "binlpt", 21 },
  { "BinLPT,384", 21, 0, 384 }, { "binlpt,1048576", 21, 0, 1048576 },
  { "reference,9", 31, 0, 9 }
};
static const char *const no_schedules[] = {
  "guided,2147483648", "guided,++3", "guided,-3", "monotonic static",
  "monotonic", "monotonic:", "monotonic:monotonic:static",
  "monotonic:,static", "non-monotonic:static", ":static", "aidstatic",
  "aid_static,", "aid_static,,", "aid_static,,4", "aid_static,4,",
  "aid_static,4,5", "aid_static 4", "aid_static,4 5", "aid_static,4x",
  "aid_static,0x4", "aid_static,4.5", "aid_static,0", "aid_static,-1",
  "aid_static,4294967297", "aid_static,99999999999999999999999999999999",
  "aid_hybrid,101", "aid_hybrid,0", "aid_hybrid,80,0", "aid_hybrid,80%",
  "aid_dynamic,6,5", "aid_dynamic,1,5,9", "aid_dynamicx", "aid_dynamic_",
  "aid_dynamic-1", "aid_dyn", "steal,1,1", "steal,0", "ich,50,3", "ich,101",
  "ich,0.33", "i-ch", "binlpt,1048577", "", "   ", ",", ",4", "4",
  "static\x80", "aid_st\xc3\xa4tic", "\xff\xfe", "static;dynamic",
  "aid_static,\xd9\xa4", "%s%n%s", "trapezoidal"
};

static void
test_schedules (void)
{
  char message[AMP_MESSAGE_MAX];
  struct amp_schedule s;
  const struct amp_ops *const *p;
  const char *wrong;
  char *longest;

  EACH (i, schedules)
    {
      wrong = amp_parse_schedule (schedules[i].text, &s, message);
      check (wrong == NULL && s.kind == schedules[i].kind
	     && s.modifier == schedules[i].modifier
	     && s.params.value[0] == schedules[i].first
	     && s.params.value[1] == schedules[i].second,
	     "schedule '%s': %s, kind %d modifier %d params %d %d",
	     schedules[i].text, wrong ? wrong : "valid", s.kind, s.modifier,
	     s.params.value[0], s.params.value[1]);
    }
  EACH (k, no_schedules)
    bad (amp_parse_schedule (no_schedules[k], &s, message), no_schedules[k]);

  /* Who names no schedule is told all of them, to the last.  */
  longest = malloc (1000001);
  memset (longest, 'q', 1000000);
  longest[1000000] = '\0';
  for (size_t i = 0; i < 2; i++)
    {
      wrong = amp_parse_schedule (i ? longest : "nonsense", &s, message);
      check (wrong != NULL && good_message (wrong), "unknown schedule");
      for (p = amp_schedulers; wrong != NULL && *p != NULL; p++)
	check (strstr (wrong, (*p)->name) != NULL, "%s is not in '%s'",
	       (*p)->name, wrong);
      check (wrong != NULL && (wrong[strlen (wrong) - 1] == ']'
			       || isalpha (wrong[strlen (wrong) - 1])),
	     "the list is cut: '%s'", wrong);
    }
  /* 1 MB of other things.  */
  memcpy (longest, "aid_static,", 11);
  memset (longest + 11, '0', 999988);
  longest[999999] = '3';
  check (amp_parse_schedule (longest, &s, message) == NULL
	 && s.params.value[0] == 3, "a number with many zeros");
  memset (longest + 11, '9', 999989);
  wrong = amp_parse_schedule (longest, &s, message);
  check (wrong != NULL && good_message (wrong)
	 && strstr (wrong, "2147483647") != NULL, "a number of many digits");
  memset (longest, ' ', 1000000);
  memcpy (longest + 999980, "static", 6);
  check (amp_parse_schedule (longest, &s, message) == NULL && s.kind == 1,
	 "much space");
  memset (longest, ',', 1000000);
  wrong = amp_parse_schedule (longest, &s, message);
  check (wrong != NULL && good_message (wrong), "many commas");
  free (longest);

  /* A wrong parameter is named, with its range.  */
  for (p = amp_schedulers; *p != NULL; p++)
    for (size_t i = 0; i < (*p)->nparams; i++)
      {
	char text[200], range[100];
	int at, len = snprintf (text, sizeof text, "%s", (*p)->name);

	for (size_t k = 0; k < i; k++)
	  len += snprintf (text + len, sizeof text - len, ",%d",
			   (*p)->param[k].min);
	at = len;
	snprintf (text + at, sizeof text - at, ",x");
	snprintf (range, sizeof range, "%s must be a number from %d to %d",
		  (*p)->param[i].name, (*p)->param[i].min,
		  (*p)->param[i].max);
	wrong = amp_parse_schedule (text, &s, message);
	check (wrong != NULL && strstr (wrong, range) != NULL,
	       "'%s': '%s'", text, wrong);
	snprintf (text + at, sizeof text - at, ",%dx", (*p)->param[i].min);
	wrong = amp_parse_schedule (text, &s, message);
	check (wrong != NULL && strstr (wrong, range) != NULL,
	       "'%s': '%s'", text, wrong);
	snprintf (text + at, sizeof text - at, ",%d", (*p)->param[i].min);
	check (amp_parse_schedule (text, &s, message) == NULL, "'%s'", text);
	if (i == 0)
	  {
	    snprintf (text + at, sizeof text - at, ",%d", (*p)->param[i].max);
	    check (amp_parse_schedule (text, &s, message) == NULL, "'%s'",
		   text);
	  }
      }
}

/* Whatever the grammar can make is understood as it was meant; with one
   character more at its end that no valid text has, it is refused.  */

static char *
put_space (char *s)
{
  while (random64 () % 3 == 0)
    *s++ = " \t\n\v\f\r"[random64 () % 6];
  return s;
}

static char *
put_word (char *s, const char *word)
{
  for (; *word != '\0'; word++)
    *s++ = (*word == '_' && random64 () % 2 ? '-'
	    : random64 () % 2 ? toupper (*word) : *word);
  return s;
}

static void
test_random_schedules (void)
{
  unsigned run, i, bad = 0, n = 0;

  while (amp_schedulers[n] != NULL)
    n++;
  for (run = 0; run < 100000 && bad < 5; run++)
    {
      const struct amp_ops *ops = amp_schedulers[random64 () % n];
      char text[2000], *s = put_space (text);
      char message[AMP_MESSAGE_MAX];
      int modifier = (int) (random64 () % 3) - 1;
      unsigned given = random64 () % (ops->nparams + 1);
      struct amp_params want = { { 0, 0 } };
      struct amp_schedule got;
      bool ok;

      if (modifier != 0)
	{
	  s = put_word (s, modifier > 0 ? "monotonic" : "nonmonotonic");
	  s = put_space (s);
	  *s++ = ':';
	  s = put_space (s);
	}
      s = put_word (s, ops->name);
      for (i = 0; i < given; i++)
	{
	  const struct amp_param_info *info = &ops->param[i];
	  uint64_t span = (uint64_t) info->max - info->min + 1;

	  want.value[i] = info->min + random64 () % span;
	  s = put_space (s);
	  *s++ = ',';
	  s = put_space (s);
	  s += sprintf (s, "%s%d", random64 () % 4 ? "" : "+",
			want.value[i]);
	}
      s = put_space (s);
      *s = '\0';
      ok = amp_parse_schedule (text, &got, message) == NULL;
      if (ops->check != NULL && ops->check (&want) != NULL)
	ok = !ok;
      else
	ok = (ok && got.kind == ops->kind && got.modifier == modifier
	      && memcmp (&got.params, &want, sizeof want) == 0);
      if (ok)
	{
	  s[0] = "x;:_-$\x80\xff\1"[random64 () % 9];
	  s[1] = '\0';
	  ok = (amp_parse_schedule (text, &got, message) != NULL
		&& good_message (message));
	}
      if (!ok)
	{
	  printf ("'%s': %s\n", text, message);
	  bad++;
	}
    }
  check (bad == 0, "random schedules");
}

/* GOMP_AMP_AFFINITY and GOMP_AMP_SF.  */

static void
test_affinity (void)
{
  static const struct { const char *text; int want; } table[] = {
    { "1", AMP_AFFINITY_BS }, { "on", AMP_AFFINITY_BS },
    { "ON", AMP_AFFINITY_BS }, { " bs ", AMP_AFFINITY_BS },
    { "true", AMP_AFFINITY_BS }, { "sb", AMP_AFFINITY_SB },
    { "Sb\n", AMP_AFFINITY_SB }, { "off", AMP_AFFINITY_OFF },
    { "0", AMP_AFFINITY_OFF }, { "false", AMP_AFFINITY_OFF },
    { "0-3", BAD }, { "4-7:0-3", BAD }, { "11", BAD },
    { "", BAD }, { "yes", BAD }, { "bss", BAD }, { "b s", BAD },
    { "-1", BAD }, { "on,off", BAD }, { "\xff", BAD }, { ":0", BAD }
  };
  char message[AMP_MESSAGE_MAX];

  EACH (i, table)
    {
      enum amp_affinity got = 99;
      const char *wrong = amp_parse_affinity (table[i].text, &got, message);

      check (table[i].want == BAD ? wrong != NULL && good_message (wrong)
	     : wrong == NULL && (int) got == table[i].want,
	     "affinity '%s': %d %s", table[i].text, got,
	     wrong ? wrong : "valid");
    }
}

static void
test_sf (void)
{
  static const struct { const char *text; unsigned types; double want[3]; }
  table[] = {
    { "3,1", 2, { 3, 1, 0 } }, { "3", 2, { 3, 1, 0 } },
    { " 3 , 1 ", 2, { 3, 1, 0 } }, { "1,2", 2, { 1, 2, 0 } },
    { "2.5,.5", 2, { 5, 1, 0 } }, { "6,3.,1.5", 3, { 4, 2, 1 } },
    { "0.5", 2, { 1, 2, 0 } }, { "5", 1, { 1, 0, 0 } },
    { "64,0.015625", 2, { 4096, 1, 0 } },
    { "3.0000000000000,1.00000000000000", 2, { 3, 1, 0 } },
    { "64.1,1", 2, { 0 } }, { "0,1", 2, { 0 } }, { "0.01,1", 2, { 0 } },
    { "-3,1", 2, { 0 } }, { "3,1,1", 2, { 0 } }, { "3", 3, { 0 } },
    { "3,1", 1, { 0 } }, { "3,", 2, { 0 } }, { ",3", 2, { 0 } },
    { "3;1", 2, { 0 } }, { "3 1", 2, { 0 } }, { "nan,1", 2, { 0 } },
    { "inf,1", 2, { 0 } }, { "1e1,1", 2, { 0 } }, { ".", 2, { 0 } },
    { "", 2, { 0 } }, { "3,1x", 2, { 0 } }, { "3,,1", 2, { 0 } },
    { "3\xff,1", 2, { 0 } }, { "0x3,1", 2, { 0 } },
    { "99999999999999999999999999999999999999,1", 2, { 0 } }
  };
  double sf[AMP_MAX_TYPES];
  char message[AMP_MESSAGE_MAX];
  char *longest;
  const char *wrong;
  size_t i, j;

  EACH (i, table)
    {
      bool ok;

      wrong = amp_parse_sf (table[i].text, table[i].types, sf, message);
      if (table[i].want[0] == 0)
	ok = wrong != NULL && good_message (wrong);
      else
	for (ok = wrong == NULL, j = 0; ok && j < table[i].types; j++)
	  ok = fabs (sf[j] - table[i].want[j]) < 1e-9;
      check (ok, "sf '%s': %s", table[i].text, wrong ? wrong : "valid");
    }
  longest = malloc (1000001);
  memset (longest, '1', 1000000);
  for (i = 1; i < 1000000; i += 2)
    longest[i] = ',';
  longest[1000000] = '\0';
  wrong = amp_parse_sf (longest, AMP_MAX_TYPES, sf, message);
  check (wrong != NULL && good_message (wrong), "too many sf");
  longest[2 * AMP_MAX_TYPES - 1] = '\0';
  check (amp_parse_sf (longest, AMP_MAX_TYPES, sf, message) == NULL,
	 "as many sf as there may be");
  memset (longest, '1', 999999);
  longest[999999] = '\0';
  check (amp_parse_sf (longest, 2, sf, message) != NULL, "a long sf");
  free (longest);
}

/* GOMP_AMP_ENERGY.  */

static void
test_energy (void)
{
  static const struct
  {
    const char *text;
    unsigned types;
    int goal;		/* -1: wrong.  */
    double want[4];	/* Busy and idle of two types.  */
  } table[] = {
    { "energy,0.9/0.3,0.2/0.1", 2, AMP_GOAL_ENERGY, { 0.9, 0.3, 0.2, 0.1 } },
    { " EDP , 3 / 1 , 2 ", 2, AMP_GOAL_EDP, { 3.0, 1.0, 2.0, 0.0 } },
    { "Time,5/5", 1, AMP_GOAL_TIME, { 5.0, 5.0 } },
    { "edp,0,0", 2, AMP_GOAL_EDP, { 0.0, 0.0, 0.0, 0.0 } },
    { "", 1, -1, { 0.0 } }, { "energy", 1, -1, { 0.0 } },
    { "power,1", 1, -1, { 0.0 } }, { "edp,", 1, -1, { 0.0 } },
    { "energyy,1", 1, -1, { 0.0 } }, { "edp energy,1", 1, -1, { 0.0 } },
    { "edp,1", 2, -1, { 0.0 } }, { "edp,1,2,3", 2, -1, { 0.0 } },
    { "edp,1/2,1", 2, -1, { 0.0 } }, { "edp,-1,1", 2, -1, { 0.0 } },
    { "edp,1/,1", 2, -1, { 0.0 } }, { "1,1", 1, -1, { 0.0 } },
    { "edp,1/0.5/0.2", 1, -1, { 0.0 } }, { "edp,10001", 1, -1, { 0.0 } },
    { "edp,1;2", 2, -1, { 0.0 } }, { "edp,nan", 1, -1, { 0.0 } }
  };
  char message[AMP_MESSAGE_MAX];
  unsigned j;

  EACH (i, table)
    {
      enum amp_goal_kind goal = AMP_GOAL_TIME;
      double busy[2] = { 0.0 }, idle[2] = { 0.0 };
      const char *wrong
	= amp_parse_energy (table[i].text, table[i].types, &goal, busy, idle,
			    message);
      bool ok = wrong != NULL && good_message (wrong);

      if (table[i].goal >= 0)
	for (ok = wrong == NULL && (int) goal == table[i].goal, j = 0;
	     ok && j < table[i].types; j++)
	  ok = (fabs (busy[j] - table[i].want[2 * j]) < 1e-9
		&& fabs (idle[j] - table[i].want[2 * j + 1]) < 1e-9);
      check (ok, "energy '%s': %s", table[i].text, wrong ? wrong : "valid");
    }
}

/* A block.  */

static void
test_layout (void)
{
  check (sizeof (struct amp_loop) == 6 * AMP_LINE
	 && offsetof (struct amp_loop, cursor) == 3 * AMP_LINE
	 && offsetof (struct amp_loop, phase) == 4 * AMP_LINE
	 && offsetof (struct amp_loop, round) < 5 * AMP_LINE
	 && offsetof (struct amp_loop, arrived) == 5 * AMP_LINE
	 && offsetof (struct amp_loop, one_type) < AMP_LINE
	 && offsetof (struct amp_loop, queues_bounded) < 3 * AMP_LINE
	 && offsetof (struct amp_loop, retired) < 6 * AMP_LINE,
	 "six lines");
  check (sizeof (struct amp_lane) == 2 * AMP_LINE
	 && sizeof (struct amp_queue) == 2 * AMP_LINE
	 && sizeof (struct amp_type_sum) == AMP_LINE, "whole lines");
  for (unsigned types = 1; types <= AMP_MAX_TYPES; types++)
    for (unsigned lanes = 1; lanes <= 65535; lanes = 3 * lanes + 2)
      {
	size_t size = amp_loop_size (lanes, types);
	struct amp_loop *loop = aligned_alloc (AMP_LINE, size);
	char *p, *end = (char *) loop + size;
	bool ok;

	memset (loop, 0xa5, size);
	amp_loop_format (loop, lanes, types);
	p = (char *) (loop + 1);
	ok = size % AMP_LINE == 0 && p == (char *) amp_loop_shares (loop);
	p += AMP_ROUND_LINE (types * 8);
	ok &= p == (char *) amp_loop_pace (loop);
	p += AMP_ROUND_LINE (types * sizeof (struct amp_pace));
	ok &= p == (char *) amp_loop_sums (loop);
	p += types * sizeof (struct amp_type_sum);
	ok &= p == (char *) amp_loop_bounds (loop);
	p += AMP_ROUND_LINE ((lanes + 1) * 8);
	ok &= p == (char *) amp_loop_queue (loop, 0);
	p += lanes * sizeof (struct amp_queue);
	ok &= p == (char *) amp_loop_lane (loop, 0);
	ok &= end == (char *) amp_loop_lane (loop, lanes);
	for (unsigned i = 0; i < lanes; i++)
	  ok &= amp_loop_lane (loop, i)->id == i;
	check (ok, "layout for %u lanes and %u types", lanes, types);
	free (loop);
      }
}

static void
test_registry (void)
{
  const struct amp_ops *const *p, *const *q;

  for (p = amp_schedulers; *p != NULL; p++)
    {
      const char *s = (*p)->name;

      check (amp_find_kind ((*p)->kind) == *p && (*p)->kind > AMP_KIND_AUTO,
	     "kind of %s", s);
      check ((*p)->next_chunk != NULL && (*p)->nparams <= AMP_MAX_PARAMS
	     && (*p)->lane_size <= AMP_LANE_OWN
	     && (*p)->loop_size <= AMP_LOOP_OWN, "row of %s", s);
      check (s[strspn (s, "abcdefghijklmnopqrstuvwxyz_0123456789")] == '\0',
	     "name %s", s);
      for (q = amp_schedulers; *q != *p; q++)
	check (strcmp ((*q)->name, s) != 0 && (*q)->kind != (*p)->kind,
	       "%s is there twice", s);
      for (unsigned i = 0; i < (*p)->nparams; i++)
	check ((*p)->param[i].name != NULL && (*p)->param[i].min >= 1
	       && (*p)->param[i].max >= (*p)->param[i].min
	       && (*p)->param[i].def >= 0
	       && (*p)->param[i].def <= (*p)->param[i].max,
	       "parameter %u of %s", i, s);
    }
  check (amp_find_kind (0) == NULL && amp_find_kind (1) == NULL
	 && amp_find_kind (-1) == NULL && amp_find_kind (INT_MAX) == NULL,
	 "kinds that are nobody's");
}

/* Arithmetic.  */

static void
test_arithmetic (void)
{
  static const uint64_t values[] = {
    0, 1, 2, 1000, UINT64_C (1) << 32, (UINT64_C (1) << 53) + 1,
    UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX
  };
  static const double factors[] = { 0.0, 1.0, 1.5, 64.0, 4096.0 };
  enum { V = sizeof values / sizeof values[0] };
  struct amp_loop *loop = aligned_alloc (AMP_LINE, amp_loop_size (3, 3));
  struct amp_setup setup = { .lanes = 3, .types = 3 };
  unsigned a, b, c, d;
  bool ok = true;

  check (amp_clamp_sf (NAN) == 1.0 && amp_clamp_sf (INFINITY) == AMP_SF_MAX
	 && amp_clamp_sf (-INFINITY) == 1.0 && amp_clamp_sf (0.0) == 1.0
	 && amp_clamp_sf (-3.0) == 1.0 && amp_clamp_sf (2.5) == 2.5
	 && amp_clamp_sf (1e300) == AMP_SF_MAX, "clamp");
  check (amp_bits_double (amp_double_bits (0.1)) == 0.1, "bits");

  amp_loop_format (loop, 3, 3);
  for (a = 0; a < V; a++)
    for (b = 0; b < V; b++)
      for (c = 0; c < V; c++)
	for (d = 0; d < V; d++)
	  {
	    uint64_t got, limit = values[d] ? values[d] : 1;

	    loop->min_ticks = values[a];
	    got = amp_fill_sample (loop, values[b], values[c], limit);
	    if (got < 1 || got > limit)
	      {
		printf ("amp_fill_sample: %ju, limit %ju\n", (uintmax_t) got,
			(uintmax_t) limit);
		ok = false;
	      }
	  }
  check (ok, "amp_fill_sample stays within 1 .. limit");
  loop->min_ticks = 1000;
  check (amp_fill_sample (loop, 100, 10, 1000000) == 100
	 && amp_fill_sample (loop, 100, 10, 50) == 50
	 && amp_fill_sample (loop, 4000, 1, 50) == 1, "amp_fill_sample");

  /* Any N, SF and unit: shares are at most N, not negative, and add up to
     no more than AID is to distribute when there is no unit.  */
  for (a = 0, ok = true; a < V; a++)
    for (b = 0; b < 125; b++)
      for (c = 0; c < V; c++)
	for (d = 0; d < 4; d++)
	  {
	    double sf[3] = { factors[b % 5], factors[b / 5 % 5],
			     factors[b / 25] };
	    uint64_t lanes_of[3] = { 1, d == 1 ? 0 : 1, 1 };
	    double unit = d < 2 ? 0.0 : d == 2 ? 1e300
	      : (double) values[c];
	    double sum = 0.0;

	    setup.n = values[a];
	    amp_loop_init (loop, &amp_aid_static, &setup);
	    loop->aid_n = values[c] < setup.n ? values[c] : setup.n;
	    amp_set_shares (loop, sf, lanes_of, unit);
	    for (unsigned j = 0; j < 3; j++)
	      {
		ok &= amp_loop_shares (loop)[j] <= setup.n;
		sum += ((double) lanes_of[j]
			* (double) amp_loop_shares (loop)[j]);
	      }
	    /* Or more than any pool.  */
	    ok &= loop->round <= setup.n || loop->round == UINT64_MAX;
	    if (unit == 0.0)
	      ok &= sum <= (double) loop->aid_n * (1.0 + 1e-12);
	  }
  check (ok, "amp_set_shares");
  {
    double sf[3] = { 3.0, 2.0, 1.0 };
    uint64_t lanes_of[3] = { 1, 1, 1 };

    setup.n = 600;
    amp_loop_init (loop, &amp_aid_static, &setup);
    amp_set_shares (loop, sf, lanes_of, 0.0);
    check (amp_loop_shares (loop)[0] == 300
	   && amp_loop_shares (loop)[1] == 200
	   && amp_loop_shares (loop)[2] == 100 && loop->round == 600,
	   "shares of 3:2:1");
  }
  /* aid_hybrid's part without overflow.  */
  for (a = 0; a < V; a++)
    for (b = 1; b <= 100; b++)
      {
#ifdef __SIZEOF_INT128__
	uint64_t want = (unsigned __int128) values[a] * b / 100;
#else
	uint64_t want = values[a] / 100 * b + values[a] % 100 * b / 100;
#endif

	setup.n = values[a];
	setup.params.value[0] = b;
	amp_loop_init (loop, &amp_aid_hybrid, &setup);
	ok &= loop->aid_n == want;
      }
  check (ok, "percentages");
  free (loop);
}

/* Queues: units and words at their limits.  */

/* Divisions that are drawn at random have each iteration once, in the order
   that their form says, and nothing comes behind the last iteration.  */

static void
test_drawn (void)
{
  static const uint64_t trips[] = { 1, 3, 8, 31, 1000 };
  static unsigned char run[1000];
  struct amp_setup setup = { .types = 1 };
  unsigned long back[3] = { 0, 0, 0 }, pieces[3] = { 0, 0, 0 };
  bool once = true, last = true, ends = true;

  for (unsigned round = 0; round < 3 * 5 * 7 * 20; round++)
    {
      struct amp_loop *loop;

      setup.draw_form = (enum amp_draw_form) (round % 3);
      setup.n = trips[round / 3 % 5];
      setup.lanes = 1 + round / 15 % 7;
      setup.draw_seed = random64 ();
      loop = aligned_alloc (AMP_LINE, amp_loop_size (setup.lanes, 1));
      amp_loop_format (loop, setup.lanes, 1);
      amp_loop_init (loop, &amp_shuffle, &setup);
      memset (run, 0, sizeof run);
      for (unsigned i = 0; i < setup.lanes; i++)
	{
	  struct amp_lane *lane = amp_loop_lane (loop, i);
	  struct amp_chunk c;
	  uint64_t from = 0;

	  amp_loop_enter (loop, lane, 0);
	  while (amp_chunk_p (c = amp_shuffle_next_chunk (loop, lane)))
	    {
	      back[round % 3] += c.begin < from;
	      pieces[round % 3]++;
	      /* FROM stays if that was the last iteration.  */
	      last &= from != setup.n;
	      from = c.end;
	      for (; c.begin < c.end; c.begin++)
		once &= run[c.begin]++ == 0;
	    }
	  ends &= !amp_chunk_p (amp_shuffle_next_chunk (loop, lane));
	}
      once &= memchr (run, 0, setup.n) == NULL;
      free (loop);
    }
  check (once, "a drawn division has each iteration once");
  check (ends, "a drawn division ends");
  check (last, "a drawn division has nothing behind the last iteration");
  check (back[AMP_DRAW_ASCENDING] == 0 && back[AMP_DRAW_CONTIGUOUS] == 0,
	 "a drawn division ascends");
  check (back[AMP_DRAW_DESCENDING] > pieces[AMP_DRAW_DESCENDING] / 4,
	 "a drawn division steps back where it is to");
}

static void
test_units (unsigned lanes)
{
  static unsigned char type[65535];
  struct amp_loop *loop = aligned_alloc (AMP_LINE, amp_loop_size (lanes, 2));
  double sf[2] = { 3.7, 1.0 };
  struct amp_setup setup = { .lanes = lanes, .types = 2, .sf = sf };
  bool ok = true;

  for (unsigned i = 0; i < lanes; i++)
    type[i] = i % 3 != 0;
  amp_loop_format (loop, lanes, 2);
  for (unsigned b = 0; b <= 64; b++)
    for (unsigned k = 0; k < 6; k++)
      {
	uint64_t n = (b < 64 ? (UINT64_C (1) << b) + k % 3 - 1
		      : UINT64_MAX - k % 3);
	uint64_t last = 0;

	setup.n = n;
	setup.lane_type = k < 3 ? NULL : type;
	amp_loop_init (loop, &amp_steal, &setup);
	/* The last ordinal is no queue's.  */
	n -= n != 0;
	ok &= (loop->units <= AMP_UNIT_MASK
	       && (loop->shift == 0 || loop->units > AMP_UNIT_MASK / 2)
	       && (n == 0) == (loop->units == 0)
	       && (n == 0 || (loop->units - 1) << loop->shift < n)
	       && loop->units >= n >> loop->shift);
	ok &= amp_first_unit (loop, 0) == 0;
	for (unsigned i = 0; i < lanes; i++)
	  {
	    uint64_t next = amp_first_unit (loop, i + 1);

	    ok &= next >= last;
	    last = next;
	  }
	ok &= last == loop->units;
      }
  check (ok, "units and bounds for %u lanes", lanes);
  free (loop);
}

static void
test_queues (void)
{
  static const unsigned teams[] = { 1, 2, 3, 7, 64, 1000, 65535 };
  struct amp_loop *loop = aligned_alloc (AMP_LINE, amp_loop_size (2, 1));
  struct amp_setup setup = { .lanes = 2, .types = 1, .n = UINT64_MAX };
  struct amp_range range;
  unsigned i, cleared = 0;
  bool ok = true;

  EACH (i, teams)
    test_units (teams[i]);
  amp_loop_format (loop, 2, 1);
  for (i = 0; i < 3u << AMP_TAG_BITS; i++)
    {
      uint64_t word;

      amp_loop_init (loop, &amp_steal, &setup);
      cleared += amp_loop_queue (loop, 0)->range == 0;
      word = amp_queue_word (loop, AMP_UNIT_MASK, AMP_UNIT_MASK);
      range = amp_decode_queue (loop, 1, word);
      ok &= (loop->tag != 0 && amp_tagged_p (loop, word)
	     && !amp_tagged_p (loop, 0)
	     && !amp_tagged_p (loop, amp_loop_queue (loop, 0)->range)
	     && range.front == AMP_UNIT_MASK && range.back == AMP_UNIT_MASK);
      amp_loop_queue (loop, 0)->range = word;
    }
  /* Tag 0 is nobody's, so a round is one loop shorter.  */
  check (ok && cleared == 4, "tags recur only after clearing; %u rounds",
	 cleared);
  free (loop);
}

/* GOMP_AMP_REPLACE.  */

static const struct
{
  const char *text;
  int dynamic, d0, d1, guided, g0, g1;
}
replaces[] = {
  { "dynamic=aid_static", 16 }, { "guided=ich", 0, 0, 0, 20 },
  { "dynamic=aid_dynamic,guided=ich", 18, 0, 0, 20 },
  { "dynamic=aid_dynamic;guided=ich", 18, 0, 0, 20 },
  { "guided=steal,7,dynamic=aid_hybrid,80,2", 17, 80, 2, 19, 7 },
  { "dynamic=aid_dynamic,1,5,guided=aid_dynamic,2,6", 18, 1, 5, 18, 2, 6 },
  { "dynamic=aid_dynamic,1,5;guided=aid_dynamic,2,6", 18, 1, 5, 18, 2, 6 },
  { " \t Dynamic = AID-Static , 4 ; GUIDED\n=\nreference ", 16, 4, 0, 31 },
  { "dynamic=binlpt,20 , guided = ich , 25 , 2", 21, 20, 0, 20, 25, 2 },
  { "dynamic=aid_static;", 16 }
};
static const char *const no_replaces[] = {
  "dynamic=steal , ;guided=ich", "dynamic=ich,,guided=ich",
  "dynamic=ich;;guided=ich", "dynamic=ich guided=ich",
  "dynamic=ich;dynamic=ich", "guided=ich,guided=steal", "dynamic=dynamic",
  "dynamic=static", "dynamic=guided,4", "guided=auto",
  "guided=monotonic:aid_static", "guided=nonmonotonic:aid_static",
  "monotonic:dynamic=aid_static", "dynamic,4=aid_static", "auto=aid_static",
  "runtime=aid_static", "dynamic", "dynamic=", "dynamic==ich", "=ich", "ich",
  "dynamics=ich", "dynamic=ichx", "dynamic=ich,0", "dynamic=ich,101",
  "dynamic=ich,1,1,1", "dynamic=aid_dynamic,6,5", "dynamic=ich,guided",
  "dynamic=ich;guided=no", "dynamic=ich\xff", "\xc3\xa4=ich", ";", ",", ""
};

static void
test_replace (void)
{
  struct amp_schedule replace[AMP_KIND_GUIDED + 1];
  static const char *const not_for_static[] = {
    "static=aid_static,4", "static=aid_hybrid", "static=ich", "static=dynamic",
    "static=static", "static=reference", "static=aid_dynamic",
    "static=aid_static;static=aid_static", "dynamic=ich;static=steal",
    "static,4=aid_static", "static", "static="
  };
  char message[AMP_MESSAGE_MAX], *longest;
  const char *wrong;

  EACH (i, replaces)
    {
      wrong = amp_parse_replace (replaces[i].text, replace, message);
      check (wrong == NULL && replace[2].kind == replaces[i].dynamic
	     && replace[2].params.value[0] == replaces[i].d0
	     && replace[2].params.value[1] == replaces[i].d1
	     && replace[3].kind == replaces[i].guided
	     && replace[3].params.value[0] == replaces[i].g0
	     && replace[3].params.value[1] == replaces[i].g1
	     && replace[2].modifier == 0 && replace[3].modifier == 0,
	     "replace '%s': %s", replaces[i].text, wrong ? wrong : "valid");
    }
  /* Nothing is replaced then, whatever was right.  */
  EACH (k, no_replaces)
    {
      wrong = amp_parse_replace (no_replaces[k], replace, message);
      bad (replace[2].kind || replace[3].kind ? NULL : wrong, no_replaces[k]);
    }

  /* Static may only be replaced by fixed blocks.  */
  wrong = amp_parse_replace ("Static = aid-static ,dynamic=ich", replace,
			     message);
  check (wrong == NULL && replace[1].kind == 16 && replace[2].kind == 20
	 && replace[3].kind == 0, "static=aid_static");
  wrong = amp_parse_replace ("static=aid_static", replace, message);
  check (wrong == NULL && replace[1].kind == 16 && replace[2].kind == 0,
	 "static=aid_static alone");
  EACH (k, not_for_static)
    {
      wrong = amp_parse_replace (not_for_static[k], replace, message);
      bad (replace[1].kind || replace[2].kind ? NULL : wrong,
	   not_for_static[k]);
    }

  /* Nothing that is too long is cut and taken for something else.  */
  longest = malloc (1000001);
  memset (longest, ' ', 1000000);
  longest[1000000] = '\0';
  memcpy (longest, "dynamic=ich,", 12);
  for (size_t i = 12; i < 300; i++)
    {
      memcpy (longest + i, "5;guided=ich", 13);
      wrong = amp_parse_replace (longest, replace, message);
      check (wrong != NULL ? good_message (wrong)
	     : replace[2].params.value[0] == 5 && replace[3].kind == 20,
	     "replace with %zu blanks: %d", i, replace[2].params.value[0]);
      memcpy (longest + i, "guided=ich", 11);
      wrong = amp_parse_replace (longest, replace, message);
      check (wrong == NULL ? replace[2].kind == 20 && replace[3].kind == 20
	     : good_message (wrong), "replace and %zu blanks", i);
      longest[11] = ' ';
      wrong = amp_parse_replace (longest, replace, message);
      check (wrong != NULL && good_message (wrong),
	     "no separator, %zu blanks", i);
      longest[11] = ',';
      memset (longest + 12, ' ', i - 11);
    }
  memset (longest + 12, '9', 999988);
  wrong = amp_parse_replace (longest, replace, message);
  check (wrong != NULL && good_message (wrong), "replace by a long number");
  free (longest);
}

/* Plans.  */

static struct amp_site *
make_site (unsigned lanes, unsigned types)
{
  size_t size = amp_site_size (lanes, types);
  struct amp_site *site = aligned_alloc (AMP_LINE, size);

  check (size % AMP_LINE == 0, "a site of whole lines");
  memset (site, 0, size);
  amp_site_format (site, site, lanes, types, 0);
  return site;
}

#define LANES 4

static bool
plan_is (const struct amp_setup *setup, uint64_t aid_n,
	 enum amp_plan_kind kind, uint64_t b1, uint64_t b2)
{
  struct amp_weights w;
  uint64_t bounds[LANES + 1];
  enum amp_plan_kind got = amp_plan_make (setup, aid_n, bounds, &w);

  if (got != kind)
    return false;
  return (kind != AMP_PLAN_WEIGHTED
	  || (bounds[0] == 0 && bounds[1] == b1
	      && (setup->lanes < 3 || bounds[2] == b2)
	      && bounds[setup->lanes] == aid_n));
}

static void
test_plan (void)
{
  static const unsigned char mixed[] = { 0, 1, 2, 9 }, alike[] = { 1, 1, 1 };
  double sf2[] = { 3.0, 1.0 }, sf3[] = { 3.0, 2.0, 1.0 };
  double hole[] = { 3.0, 0.0, 1.0 };
  struct amp_setup s = { .n = 1000, .lanes = 2, .types = 2 };
  struct amp_weights w;
  struct amp_site *site;
  unsigned run, i;
  bool ok = true;

  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0), "nothing is known");
  s.types = 1;
  check (plan_is (&s, 1000, AMP_PLAN_EVEN, 0, 0), "one type");
  s.crowded = true;
  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0), "a crowd");
  s.crowded = false;
  s.types = 2;
  s.lane_type = alike;
  check (plan_is (&s, 1000, AMP_PLAN_EVEN, 0, 0), "lanes of one type");
  s.types_guessed = true;
  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0), "perhaps of one type");
  s.sf = sf2;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 500, 0),
	 "perhaps of one type, and SF");
  s.lane_type = NULL;
  s.types_guessed = false;
  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0), "SF, but no types");
  s.lane_type = mixed;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 750, 0)
	 && plan_is (&s, 800, AMP_PLAN_WEIGHTED, 600, 0)
	 && plan_is (&s, 1, AMP_PLAN_WEIGHTED, 1, 0)
	 && plan_is (&s, 0, AMP_PLAN_WEIGHTED, 0, 0), "3 : 1");
  s.types = 3;
  s.lanes = 3;
  s.sf = sf3;
  check (plan_is (&s, 600, AMP_PLAN_WEIGHTED, 300, 500), "3 : 2 : 1");
  s.lanes = 4;
  check (plan_is (&s, 700, AMP_PLAN_WEIGHTED, 300, 500),
	 "a type beyond the last is the last");
  s.sf = hole;
  check (plan_is (&s, 700, AMP_PLAN_NONE, 0, 0), "a type without SF");
  s.lanes = 2;
  s.n = UINT64_MAX;
  s.sf = sf3;
  {
    uint64_t bounds[3];

    check (amp_plan_make (&s, s.n, bounds, &w) == AMP_PLAN_WEIGHTED
	   && fabs ((double) bounds[1] / (double) s.n - 0.6) < 1e-9
	   && bounds[2] == s.n, "a long loop");
  }

  /* What a site has seen.  */
  site = make_site (2, 2);
  s = (struct amp_setup) { .n = 1000, .lanes = 2, .types = 2, .site = site };
  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0), "a new site");
  amp_store_double (&amp_site_costs (site)[0], 100.0);
  amp_store_double (&amp_site_costs (site)[1], 300.0);
  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0), "lanes not seen");
  amp_site_seen (site)[0] = 1;
  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0), "a lane not seen");
  amp_site_seen (site)[1] = 2;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 750, 0), "as seen");
  amp_site_seen (site)[0] = 2;
  amp_site_seen (site)[1] = 1;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 250, 0), "the other way");
  s.lane_type = mixed;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 250, 0),
	 "seen is better than what places promise");
  amp_site_seen (site)[0] = 1;
  amp_site_seen (site)[1] = 1;
  check (plan_is (&s, 1000, AMP_PLAN_EVEN, 0, 0),
	 "bound lanes seen on one type");
  amp_site_seen (site)[0] = 0;
  amp_site_seen (site)[1] = 0;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 750, 0), "bound lanes");
  amp_site_seen (site)[0] = 2;
  amp_site_seen (site)[1] = 1;
  s.types_guessed = true;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 250, 0),
	 "seen is better than guessed");
  site->iterations_uneven = 1;
  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0)
	 && plan_is (&s, 800, AMP_PLAN_WEIGHTED, 200, 0),
	 "uneven iterations need a pool");
  s.sf = sf2;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 250, 0), "if SF is not given");
  s.sf = NULL;
  site->iterations_uneven = 0;
  s.observed_types = true;
  check (plan_is (&s, 1000, AMP_PLAN_WEIGHTED, 250, 0), "unlike CPUs");
  amp_store_double (&amp_site_costs (site)[1], 105.0);
  check (plan_is (&s, 1000, AMP_PLAN_EVEN, 0, 0)
	 && plan_is (&s, 800, AMP_PLAN_WEIGHTED, 400, 0), "CPUs about alike");
  s.observed_types = false;
  check (!plan_is (&s, 1000, AMP_PLAN_EVEN, 0, 0), "types about alike");
  amp_store_double (&amp_site_costs (site)[0], 0.0);
  check (plan_is (&s, 1000, AMP_PLAN_NONE, 0, 0), "a type not observed");
  free (site);

  /* Whatever a site holds, blocks are blocks.  */
  site = make_site (LANES, 3);
  s = (struct amp_setup) { .lanes = LANES, .types = 3, .site = site };
  for (run = 0; run < 200000; run++)
    {
      uint64_t bounds[LANES + 1], aid_n;
      uint64_t *p = &site->observations;
      uint64_t *end = amp_site_seen (site) + LANES;

      for (; p < end; p++)
	*p = (random64 () % 4 == 0 ? random64 ()
	      : amp_double_bits ((double) (random64 () % 1000)));
      for (i = 0; i < LANES; i++)
	if (random64 () % 8 != 0)
	  amp_site_seen (site)[i] = random64 () % 6;
      site->iterations_uneven = random64 () % 8 == 0;
      s.n = random64 () >> random64 () % 64;
      s.observed_types = random64 () % 2;
      s.lane_type = random64 () % 2 ? mixed : NULL;
      s.types_guessed = random64 () % 2;
      aid_n = random64 () % 2 ? s.n : s.n / 2;
      if (amp_plan_make (&s, aid_n, bounds, &w) != AMP_PLAN_WEIGHTED)
	continue;
      ok &= bounds[0] == 0 && bounds[LANES] == aid_n;
      for (i = 0; i < LANES; i++)
	ok &= bounds[i] <= bounds[i + 1];
    }
  check (ok, "blocks from random sites");

  /* In proportion, and no lane could take one iteration of the last one's and
     be through before that.  */
  for (run = 0, ok = true; run < 100000; run++)
    {
      double sf[3], sum = 0.0, last = 0.0;
      unsigned char type[LANES];
      uint64_t bounds[LANES + 1];

      for (i = 0; i < 3; i++)
	sf[i] = (double) (1 + random64 () % 6400) / 100.0;
      for (i = 0; i < LANES; i++)
	sum += sf[type[i] = random64 () % 3];
      s = (struct amp_setup) { .lanes = LANES, .types = 3, .sf = sf,
			       .lane_type = type, .types_guessed = true };
      s.n = random64 () >> (16 + random64 () % 48);
      ok &= amp_plan_make (&s, s.n, bounds, &w) == AMP_PLAN_WEIGHTED;
      for (i = 0; ok && i < LANES; i++)
	{
	  double own = (double) (bounds[i + 1] - bounds[i]);

	  ok &= (own > sf[type[i]] / sum * (double) s.n * (1.0 - 1e-9)
		 - 1.01);
	  if (own / sf[type[i]] > last)
	    last = own / sf[type[i]];
	}
      for (i = 0; ok && i < LANES; i++)
	ok &= ((double) (bounds[i + 1] - bounds[i] + 1) / sf[type[i]]
	       > last * (1.0 - 1e-9));
    }
  check (ok, "blocks in proportion");
  free (site);
}

/* Sites.  */

static bool
near (uint64_t bits, double value)
{
  return fabs (amp_bits_double (bits) - value) <= 1e-9 * fabs (value);
}

/* Let the site of LOOP, of two lanes and types, observe an execution in which
   lane I ran RUN[I] iterations and took TICKS[I].  */

static void
observe (struct amp_loop *loop, struct amp_setup *setup,
	 const struct amp_ops *ops, const uint64_t *run, const uint64_t *ticks)
{
  setup->n = run[0] + run[1];
  setup->is_observed = true;
  amp_loop_init (loop, ops, setup);
  for (unsigned i = 0; i < 2; i++)
    {
      struct amp_report *report = amp_loop_report (loop, i);

      report->run = run[i];
      report->ticks = ticks[i];
      report->type = i;
    }
  amp_site_fold (setup->site, loop);
}

static void
test_site (void)
{
  static const unsigned char type[] = { 0, 1 };
  struct amp_loop *loop = aligned_alloc (AMP_LINE, amp_loop_size (2, 2));
  struct amp_site *site = make_site (2, 2);
  struct amp_setup s = { .lanes = 2, .types = 2, .lane_type = type,
			 .min_ticks = 1000, .site = site };
  uint64_t run[] = { 600, 400 }, ticks[] = { 6000, 12000 };
  double cost[2] = { 10.0, 30.0 }, sf[2];
  unsigned k, due;
  bool ok = true;

  check (amp_site_magnitude (0) == 0 && amp_site_magnitude (1) == 1
	 && amp_site_magnitude (2) == 2 && amp_site_magnitude (3) == 2
	 && amp_site_magnitude (1023) == 10 && amp_site_magnitude (1024) == 11
	 && amp_site_magnitude (UINT64_MAX) == 64, "magnitudes");
  check ((char *) (amp_site_seen (site) + 2)
	 <= (char *) site + amp_site_size (2, 2), "room for all lanes");
  amp_loop_format (loop, 2, 2);
  check (!amp_site_sf (site, false, sf) && amp_site_cost (site) == 0.0
	 && amp_site_due (site, 0) && amp_site_due (site, 1), "a new site");

  observe (loop, &s, &amp_even, run, ticks);
  check (near (amp_site_costs (site)[0], 10.0)
	 && near (amp_site_costs (site)[1], 30.0)
	 && near (site->time, 12.0) && near (site->imbalance, 12.0 / 9.0)
	 && site->observations == 1 && site->observed_executions == 1
	 && site->n == 1000
	 && site->min_ticks == 1000 && site->version == 1
	 && near (site->spent, 12000.0) && near (site->iterations, 1000.0)
	 && amp_site_seen (site)[0] == 1 && amp_site_seen (site)[1] == 2,
	 "the first observation");
  check (amp_site_sf (site, false, sf) && fabs (sf[0] - 3.0) < 1e-9
	 && sf[1] == 1.0 && fabs (amp_site_cost (site) - 30.0) < 1e-9,
	 "SF of a site");

  /* A mean of all at first, then a moving one.  */
  for (k = 2; k < 60; k++)
    {
      double weight = 1.0 / (k < AMP_SITE_MEMORY ? k : AMP_SITE_MEMORY);
      double seen[2];

      ticks[0] = 6000 + k * 37 % 100;
      ticks[1] = 12000 + k * 91 % 200;
      observe (loop, &s, &amp_even, run, ticks);
      for (unsigned i = 0; i < 2; i++)
	{
	  seen[i] = (double) ticks[i] / (double) run[i];
	  cost[i] += weight * (seen[i] - cost[i]);
	  ok &= near (amp_site_costs (site)[i], cost[i]);
	}
      ok &= (site->observations == (k < AMP_SITE_MEMORY ? k : AMP_SITE_MEMORY)
	     && site->version == k && site->observed_executions == k);
    }
  check (ok, "means");
  for (k = due = 0; k < 100000; k++)
    due += amp_site_due (site, k);
  check (due > 90000 / (site->interval_mask + 1)
	 && due < 110000 / (site->interval_mask + 1),
	 "one in %ju is due, not %u of 100000",
	 (uintmax_t) site->interval_mask + 1, due);

  /* A lane that changed types has run, but its time counts for nothing.  */
  ticks[0] = 0;
  ticks[1] = 12000;
  cost[0] = amp_load_double (&amp_site_costs (site)[0]);
  observe (loop, &s, &amp_even, run, ticks);
  check (near (amp_site_costs (site)[0], cost[0]), "a lane that moved");
  ticks[1] = 0;
  k = site->version;
  observe (loop, &s, &amp_even, run, ticks);
  check (site->version == k, "nobody's time is known");
  /* One that came too late ran nothing.  */
  run[0] = 1000;
  run[1] = 0;
  ticks[0] = 10000;
  ticks[1] = 12000;
  cost[1] = amp_load_double (&amp_site_costs (site)[1]);
  observe (loop, &s, &amp_even, run, ticks);
  check (near (amp_site_costs (site)[1], cost[1]), "a lane without work");

  /* A change that lasts makes the site forget; one in between does not.  */
  run[0] = 600;
  run[1] = 400;
  for (k = 0; k < 40; k++)
    {
      ticks[0] = k % 4 == 3 ? 12000 : 6000;
      ticks[1] = 12000;
      observe (loop, &s, &amp_even, run, ticks);
      ok &= site->observations == AMP_SITE_MEMORY;
    }
  check (ok, "noise is no change");
  for (k = 0; (k < 3 * AMP_SITE_DRIFT
	       && site->observations == AMP_SITE_MEMORY); k++)
    {
      ticks[0] = 18000;
      observe (loop, &s, &amp_even, run, ticks);
    }
  check (k <= AMP_SITE_DRIFT && site->observations < AMP_SITE_MEMORY,
	 "a change after %u", k);
  for (k = 0; k < 12; k++)
    observe (loop, &s, &amp_even, run, ticks);
  amp_site_sf (site, false, sf);
  check (fabs (sf[0] - 1.0) < 0.15, "the new SF is %g", sf[0]);
  free (site);

  /* In a long loop one observation says much.  */
  site = s.site = make_site (2, 2);
  run[0] = run[1] = 500;
  for (k = 0; k < 5; k++)
    {
      ticks[0] = 5000000 + k * 50000;
      ticks[1] = 15000000 + k * 150000;
      observe (loop, &s, &amp_even, run, ticks);
    }
  /* Half of it is the last one's.  */
  check (near (amp_site_costs (site)[0], 10306.25) && site->observations == 2,
	 "a long loop");

  /* SF and biases stay in bounds, whatever the times.  */
  for (k = 0, ok = true; k < 2000; k++)
    {
      for (unsigned i = 0; i < 2; i++)
	{
	  run[i] = random64 () % 1000 + (i == 0);
	  ticks[i] = random64 () >> (random64 () % 3 ? 50 : 24);
	}
      observe (loop, &s, k % 2 ? &amp_even : &amp_aid_static, run, ticks);
      for (unsigned i = 0; i < 2; i++)
	if (amp_site_sf (site, i == 1, sf))
	  ok &= ((sf[0] == 0.0 || (sf[0] >= 1.0 && sf[0] <= AMP_SF_MAX))
		 && (sf[1] == 0.0 || (sf[1] >= 1.0 && sf[1] <= AMP_SF_MAX)));
    }
  check (ok, "random times");
  free (site);
  free (loop);
}

/* Weighted teams.  */

/* The least time in which N blocks of one unit are done on CPUs FROM .. NCPUS-1,
   by trying all placements.  */

static double
least_time (const double *speed, unsigned ncpus, unsigned from, unsigned n)
{
  double best = 1e300;

  if (from == ncpus - 1)
    return n / speed[from];
  for (unsigned here = 0; here <= n; here++)
    {
      double time = least_time (speed, ncpus, from + 1, n - here);

      if (here / speed[from] > time)
	time = here / speed[from];
      if (time < best)
	best = time;
    }
  return best;
}

static double
time_of (const double *speed, unsigned ncpus, const unsigned *load)
{
  double most = 0.0;

  for (unsigned c = 0; c < ncpus; c++)
    if (load[c] / speed[c] > most)
      most = load[c] / speed[c];
  return most;
}

static void
test_place (void)
{
  static const struct { double speed[4]; unsigned ncpus, most, size; } sizes[] = {
    { { 1 }, 1, 4, 1 },
    { { 1, 1 }, 2, 4, 2 },
    { { 1, 1, 1, 1 }, 4, 4, 4 },
    { { 2, 1 }, 2, 4, 3 },
    { { 3, 1 }, 2, 4, 4 },
    { { 4, 1 }, 2, 4, 5 },
    { { 4, 1 }, 2, 3, 1 },	/* The fast one alone: 3 : 1 takes as long.  */
    { { 4, 1 }, 2, 1, 1 },
    { { 1.5, 1 }, 2, 4, 5 },	/* 3 : 2.  */
    { { 1.5, 1 }, 2, 1, 2 },
    { { 1.03, 1 }, 2, 4, 2 },	/* As good as equal.  */
    { { 2, 2, 1, 1 }, 4, 4, 6 },
    { { 1, 1, 1, 0.1 }, 4, 4, 3 },	/* The slow one is no help.  */
    { { 1, 4 }, 2, 4, 5 },	/* In any order.  */
  };
  unsigned short cpu[64], before[64];
  unsigned load[8], i, n, c, round;

  EACH (i, sizes)
    {
      n = amp_place_team_size (sizes[i].speed, sizes[i].ncpus, sizes[i].most,
			       load);
      check (n == sizes[i].size, "team size %u: %u, not %u", i, n,
	     sizes[i].size);
    }

  /* Equal cores: one thread a CPU, in their order, before any gets two.  */
  {
    static const double equal[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };

    amp_place_threads (equal, 8, 16, cpu, load);
    for (i = 0; i < 16; i++)
      check (cpu[i] == i % 8, "equal cores: thread %u on %u", i, cpu[i]);
  }

  /* No placement is better, whatever the speeds and however many threads; and
     threads that come later move none of those before.  */
  for (round = 0; round < 400; round++)
    {
      double speed[4];
      unsigned ncpus = 1 + random64 () % 4;

      for (c = 0; c < ncpus; c++)
	speed[c] = round % 2 ? 1 + random64 () % 4
		   : 1 + (random64 () % 700) / 100.0;
      for (n = 1; n <= 12; n++)
	{
	  double time, least = least_time (speed, ncpus, 0, n);

	  amp_place_threads (speed, ncpus, n, cpu, load);
	  time = time_of (speed, ncpus, load);
	  check (time <= least * (1 + 1e-5),
		 "place: round %u, %u threads: %g, least %g", round, n, time,
		 least);
	  for (i = 0; n > 1 && i < n - 1; i++)
	    if (cpu[i] != before[i])
	      break;
	  check (n == 1 || i == n - 1, "place: round %u: thread %u moves",
		 round, i);
	  memcpy (before, cpu, sizeof cpu);
	  for (c = i = 0; c < ncpus; c++)
	    i += load[c];
	  check (i == n, "place: %u of %u threads", i, n);
	}
      /* The size: the least that is within the slack, or the best.  */
      {
	unsigned most = 1 + random64 () % 4, want = 0, best = 1;
	double sum = 0.0, best_ratio = 1e300;

	for (c = 0; c < ncpus; c++)
	  sum += speed[c];
	for (n = 1; want == 0; n++)
	  {
	    double ratio;

	    amp_place_threads (speed, ncpus, n, cpu, load);
	    for (c = 0; c < ncpus && load[c] <= most; c++)
	      ;
	    if (c < ncpus)
	      break;
	    ratio = least_time (speed, ncpus, 0, n) * sum / n;
	    if (ratio < best_ratio * (1 - 1e-5))
	      {
		best_ratio = ratio;
		best = n;
	      }
	    if (ratio <= AMP_PLACE_SLACK)
	      want = n;
	  }
	if (want == 0)
	  want = best;
	n = amp_place_team_size (speed, ncpus, most, load);
	check (n == want, "team size: round %u: %u, not %u", round, n, want);
      }
    }
}

static void
test_team (void)
{
  static const struct { const char *text; int most; } teams[] = {
    { "weighted", AMP_TEAM_MOST }, { " Weighted ", AMP_TEAM_MOST },
    { "WEIGHTED,1", 1 }, { "weighted , 64", 64 }, { "off", 0 },
    { "weighted,0", BAD }, { "weighted,65", BAD }, { "weighted,", BAD },
    { "weighted,2,3", BAD }, { "weighted 2", BAD }, { "weigh", BAD },
    { "on", BAD }, { "", BAD }, { "weighted,-1", BAD },
    { "weighted,99999999999", BAD }, { "off,1", BAD }
  };
  char message[AMP_MESSAGE_MAX];

  EACH (i, teams)
    {
      unsigned most = 77;
      bool ok = amp_parse_team (teams[i].text, &most, message) == NULL;

      check (ok == (teams[i].most != BAD), "GOMP_AMP_TEAM=%s", teams[i].text);
      if (ok)
	check (most == (unsigned) teams[i].most, "GOMP_AMP_TEAM=%s: %u",
	       teams[i].text, most);
      else
	check (most == 77 && good_message (message), "GOMP_AMP_TEAM=%s: %s",
	       teams[i].text, message);
    }
}

/* What an execution of a region of N iterations takes.  */

struct region
{
  uint64_t n;
  double team, alone, work;
};

/* How many of ROUNDS executions of R one thread runs; A is what is known.  Each
   EVERYth one, as a team, takes HELD_UP more.  */

static unsigned
run_regions (struct amp_alone *a, struct region r, unsigned rounds,
	     unsigned every, double held_up)
{
  unsigned alone = 0, i;

  for (i = 1; i <= rounds; i++)
    switch (amp_alone_begin (a))
      {
      case AMP_ALONE_TIMING:
	amp_alone_end_team (a, r.n, r.team + (i % every ? 0.0 : held_up),
			    r.work);
	break;
      case AMP_ALONE_TRYING:
	amp_alone_end_one (a, r.n, r.alone);
	alone++;
	break;
      case AMP_ALONE_ONE:
	amp_alone_end (a, r.n);
	alone++;
	break;
      default:
	break;
      }
  return alone;
}

static void
test_alone (void)
{
  static const struct region
    tiny = { 100, 1000, 100, 120 }, even = { 100, 1000, 1900, 1900 },
    unknown = { 100, 1000, 100, 0 }, deceptive = { 100, 1000, 1500, 300 },
    close = { 100, 1000, 960, 900 }, large = { 1000, 1000, 1900, 1900 };
  struct amp_alone a = { 0 };
  unsigned n;

  n = run_regions (&a, tiny, 10000, 20000, 0);
  check (n > 9600 && n < 10000, "a tiny region: %u of 10000 alone", n);
  n = run_regions (&a, even, 100000, 200000, 0);
  check (n < 10000, "one that is no longer tiny: %u of 100000 alone", n);
  n = run_regions (&a, even, 100000, 200000, 0);
  check (n == 0, "one that is worth a team: %u alone", n);
  n = run_regions (&a, tiny, 200000, 400000, 0);
  check (n > 50000, "one that is tiny again: %u of 200000 alone", n);

  memset (&a, 0, sizeof a);
  n = run_regions (&a, even, 10000, 16, 100000);
  check (n == 0, "a team that is held up now and then: %u alone", n);
  memset (&a, 0, sizeof a);
  n = run_regions (&a, unknown, 10000, 20000, 0);
  check (n == 0, "work that is not known: %u alone", n);
  memset (&a, 0, sizeof a);
  n = run_regions (&a, deceptive, 100000, 200000, 0);
  check (n > 0 && n <= 100, "work that is underrated: %u alone", n);
  memset (&a, 0, sizeof a);
  n = run_regions (&a, close, 100000, 200000, 0);
  check (n > 0 && n <= 100, "one thread that is hardly faster: %u alone", n);

  memset (&a, 0, sizeof a);
  run_regions (&a, tiny, 1000, 2000, 0);
  n = run_regions (&a, large, 1000, 2000, 0);
  check (n == 1, "one that gets longer is known anew: %u alone", n);
  n = run_regions (&a, tiny, 10000, 20000, 0);
  check (n == 0, "what is shorter says nothing: %u alone", n);
}

#include "short.c"

int
main (void)
{
  setvbuf (stdout, NULL, _IOLBF, 0);
  test_schedules ();
  test_random_schedules ();
  test_affinity ();
  test_sf ();
  test_energy ();
  test_layout ();
  test_registry ();
  test_arithmetic ();
  test_queues ();
  test_drawn ();
  test_replace ();
  test_plan ();
  test_site ();
  test_short ();
  test_place ();
  test_team ();
  test_alone ();
  return check_result ();
}

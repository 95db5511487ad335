/* SPDX-License-Identifier: GPL-3.0-or-later

   Unit tests of the parsers, the layout of a block, queues, clusters and the
   arithmetic of AID.  The last line is "N passed, N failed, N skipped".  */

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <sys/stat.h>
#include "amp-core.c"
#include "amp-options.c"
#include "amp-cluster.c"

static unsigned passed, failed;

static void __attribute__ ((format (printf, 2, 3)))
check (bool ok, const char *format, ...)
{
  va_list ap;

  if (ok)
    {
      passed++;
      return;
    }
  failed++;
  va_start (ap, format);
  printf ("FAIL: ");
  vprintf (format, ap);
  putchar ('\n');
  va_end (ap);
}

static uint64_t rng = 1;

static uint64_t
random64 (void)
{
  uint64_t x = rng += UINT64_C (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

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

/* OMP_SCHEDULE.  */

#define BAD -1

static const struct { const char *text; int kind, modifier, first, second; }
schedules[] = {
  { "static", 1, 0, 0, 0 },
  { "STATIC", 1, 0, 0, 0 },
  { "dynamic,1", 2, 0, 1, 0 },
  { " \t\r\n\v\fdynamic \t , \n 7 ", 2, 0, 7, 0 },
  { "guided,2147483647", 3, 0, INT_MAX, 0 },
  { "guided,2147483648", BAD, 0, 0, 0 },
  { "guided,+3", 3, 0, 3, 0 },
  { "guided,++3", BAD, 0, 0, 0 },
  { "guided,-3", BAD, 0, 0, 0 },
  { "static,0", 1, 0, 0, 0 },
  { "auto", 4, 0, 0, 0 },
  { "monotonic:static", 1, 1, 0, 0 },
  { "nonmonotonic : DYNAMIC , 5", 2, -1, 5, 0 },
  { "Monotonic:aid_static", 16, 1, 0, 0 },
  { "monotonic static", BAD, 0, 0, 0 },
  { "monotonic", BAD, 0, 0, 0 },
  { "monotonic:", BAD, 0, 0, 0 },
  { "monotonic:monotonic:static", BAD, 0, 0, 0 },
  { "monotonic:,static", BAD, 0, 0, 0 },
  { "non-monotonic:static", BAD, 0, 0, 0 },
  { ":static", BAD, 0, 0, 0 },
  { "aid_static", 16, 0, 0, 0 },
  { "aid-static", 16, 0, 0, 0 },
  { "AID-Static,4", 16, 0, 4, 0 },
  { "aidstatic", BAD, 0, 0, 0 },
  { "aid_static,", BAD, 0, 0, 0 },
  { "aid_static,,", BAD, 0, 0, 0 },
  { "aid_static,,4", BAD, 0, 0, 0 },
  { "aid_static,4,", BAD, 0, 0, 0 },
  { "aid_static,4,5", BAD, 0, 0, 0 },
  { "aid_static 4", BAD, 0, 0, 0 },
  { "aid_static,4 5", BAD, 0, 0, 0 },
  { "aid_static,4x", BAD, 0, 0, 0 },
  { "aid_static,0x4", BAD, 0, 0, 0 },
  { "aid_static,4.5", BAD, 0, 0, 0 },
  { "aid_static,0", BAD, 0, 0, 0 },
  { "aid_static,-1", BAD, 0, 0, 0 },
  { "aid_static,00000000000000000000000000000004", 16, 0, 4, 0 },
  { "aid_static,4294967297", BAD, 0, 0, 0 },
  { "aid_static,99999999999999999999999999999999", BAD, 0, 0, 0 },
  { "aid_hybrid", 17, 0, 0, 0 },
  { "aid_hybrid,80", 17, 0, 80, 0 },
  { "aid_hybrid,100,2147483647", 17, 0, 100, INT_MAX },
  { "aid_hybrid,101", BAD, 0, 0, 0 },
  { "aid_hybrid,0", BAD, 0, 0, 0 },
  { "aid_hybrid,80,0", BAD, 0, 0, 0 },
  { "aid_hybrid,80%", BAD, 0, 0, 0 },
  { "aid_dynamic,1,5", 18, 0, 1, 5 },
  { "aid_dynamic,5,5", 18, 0, 5, 5 },
  { "aid_dynamic,6,5", BAD, 0, 0, 0 },
  { "aid_dynamic,1,5,9", BAD, 0, 0, 0 },
  { "aid_dynamicx", BAD, 0, 0, 0 },
  { "aid_dynamic_", BAD, 0, 0, 0 },
  { "aid_dynamic-1", BAD, 0, 0, 0 },
  { "aid_dyn", BAD, 0, 0, 0 },
  { "steal", 19, 0, 0, 0 },
  { "STEAL,64", 19, 0, 64, 0 },
  { "steal,1,1", BAD, 0, 0, 0 },
  { "steal,0", BAD, 0, 0, 0 },
  { "ich", 20, 0, 0, 0 },
  { "ich,25", 20, 0, 25, 0 },
  { "nonmonotonic:ich,100,1", 20, -1, 100, 1 },
  { "ich,50,2", 20, 0, 50, 2 },
  { "ich,50,3", BAD, 0, 0, 0 },
  { "ich,101", BAD, 0, 0, 0 },
  { "ich,0.33", BAD, 0, 0, 0 },
  { "i-ch", BAD, 0, 0, 0 },
  { "binlpt", 21, 0, 0, 0 },
  { "BinLPT,384", 21, 0, 384, 0 },
  { "binlpt,1048576", 21, 0, 1048576, 0 },
  { "binlpt,1048577", BAD, 0, 0, 0 },
  { "reference,9", 31, 0, 9, 0 },
  { "", BAD, 0, 0, 0 },
  { "   ", BAD, 0, 0, 0 },
  { ",", BAD, 0, 0, 0 },
  { ",4", BAD, 0, 0, 0 },
  { "4", BAD, 0, 0, 0 },
  { "static\x80", BAD, 0, 0, 0 },
  { "aid_st\xc3\xa4tic", BAD, 0, 0, 0 },
  { "\xff\xfe", BAD, 0, 0, 0 },
  { "static;dynamic", BAD, 0, 0, 0 },
  { "aid_static,\xd9\xa4", BAD, 0, 0, 0 },
  { "%s%n%s", BAD, 0, 0, 0 },
  { "trapezoidal", BAD, 0, 0, 0 }
};

static void
test_schedules (void)
{
  size_t i;
  char message[AMP_MESSAGE_MAX];
  struct amp_schedule s;
  const struct amp_ops *const *p;
  const char *wrong;
  char *longest;

  for (i = 0; i < sizeof schedules / sizeof schedules[0]; i++)
    {
      wrong = amp_parse_schedule (schedules[i].text, &s, message);
      if (schedules[i].kind == BAD)
	check (wrong != NULL && good_message (wrong),
	       "schedule '%s': %s", schedules[i].text,
	       wrong ? wrong : "accepted");
      else
	check (wrong == NULL && s.kind == schedules[i].kind
	       && s.modifier == schedules[i].modifier
	       && s.params.value[0] == schedules[i].first
	       && s.params.value[1] == schedules[i].second,
	       "schedule '%s': %s, kind %d modifier %d params %d %d",
	       schedules[i].text, wrong ? wrong : "valid", s.kind, s.modifier,
	       s.params.value[0], s.params.value[1]);
    }

  /* Who names no schedule is told all of them, to the last.  */
  longest = malloc (1000001);
  memset (longest, 'q', 1000000);
  longest[1000000] = '\0';
  for (i = 0; i < 2; i++)
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
    for (i = 0; i < (*p)->nparams; i++)
      {
	char text[200], range[100];
	size_t k;
	int at, len = snprintf (text, sizeof text, "%s", (*p)->name);

	for (k = 0; k < i; k++)
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
    { "0-3", AMP_AFFINITY_LIST }, { "4-7:0-3", AMP_AFFINITY_LIST },
    { "1:0", AMP_AFFINITY_LIST }, { "0,1", AMP_AFFINITY_LIST },
    { " 2", AMP_AFFINITY_LIST }, { "11", AMP_AFFINITY_LIST },
    { "", BAD }, { "yes", BAD }, { "bss", BAD }, { "b s", BAD },
    { "-1", BAD }, { "on,off", BAD }, { "\xff", BAD }, { ":0", BAD }
  };
  size_t i;
  char message[AMP_MESSAGE_MAX];

  for (i = 0; i < sizeof table / sizeof table[0]; i++)
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

  for (i = 0; i < sizeof table / sizeof table[0]; i++)
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

/* A block.  */

static void
test_layout (void)
{
  unsigned types, lanes;

  check (sizeof (struct amp_loop) == 5 * AMP_LINE
	 && offsetof (struct amp_loop, next) == 3 * AMP_LINE
	 && offsetof (struct amp_loop, phase) == 4 * AMP_LINE
	 && offsetof (struct amp_loop, uniform) < AMP_LINE
	 && offsetof (struct amp_loop, bounded) < 3 * AMP_LINE
	 && offsetof (struct amp_loop, round) < 5 * AMP_LINE,
	 "five lines");
  check (sizeof (struct amp_lane) == 2 * AMP_LINE
	 && sizeof (struct amp_queue) == 2 * AMP_LINE
	 && sizeof (struct amp_type_sum) == AMP_LINE, "whole lines");
  for (types = 1; types <= AMP_MAX_TYPES; types++)
    for (lanes = 1; lanes <= 65535; lanes = 3 * lanes + 2)
      {
	size_t size = amp_loop_size (lanes, types);
	struct amp_loop *loop = aligned_alloc (AMP_LINE, size);
	char *p, *end = (char *) loop + size;
	bool ok;
	unsigned i;

	memset (loop, 0xa5, size);
	amp_loop_format (loop, lanes, types);
	p = (char *) (loop + 1);
	ok = size % AMP_LINE == 0 && p == (char *) amp_loop_shares (loop);
	p += AMP_ROUND_LINE (types * 8);
	ok &= p == (char *) amp_loop_sf_bits (loop);
	p += AMP_ROUND_LINE (types * 8);
	ok &= p == (char *) amp_loop_sums (loop);
	p += types * sizeof (struct amp_type_sum);
	ok &= p == (char *) amp_loop_bounds (loop);
	p += AMP_ROUND_LINE ((lanes + 1) * 8);
	ok &= p == (char *) amp_loop_queue (loop, 0);
	p += lanes * sizeof (struct amp_queue);
	ok &= p == (char *) amp_loop_lane (loop, 0);
	ok &= end == (char *) amp_loop_lane (loop, lanes);
	for (i = 0; i < lanes; i++)
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
      unsigned i;
      const char *s = (*p)->name;

      check (amp_find_kind ((*p)->kind) == *p && (*p)->kind > AMP_KIND_AUTO,
	     "kind of %s", s);
      check ((*p)->next != NULL && (*p)->nparams <= AMP_MAX_PARAMS,
	     "row of %s", s);
      check (s[strspn (s, "abcdefghijklmnopqrstuvwxyz_0123456789")] == '\0',
	     "name %s", s);
      for (q = amp_schedulers; *q != *p; q++)
	check (strcmp ((*q)->name, s) != 0 && (*q)->kind != (*p)->kind,
	       "%s is there twice", s);
      for (i = 0; i < (*p)->nparams; i++)
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
	    unsigned j;

	    setup.n = values[a];
	    amp_loop_init (loop, &amp_aid_static, &setup);
	    loop->aid_n = values[c] < setup.n ? values[c] : setup.n;
	    amp_set_shares (loop, sf, lanes_of, unit);
	    for (j = 0; j < 3; j++)
	      {
		ok &= amp_loop_shares (loop)[j] <= setup.n;
		sum += ((double) lanes_of[j]
			* (double) amp_loop_shares (loop)[j]);
	      }
	    ok &= loop->round <= setup.n;
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
	unsigned __int128 want = (unsigned __int128) values[a] * b / 100;

	setup.n = values[a];
	setup.params.value[0] = b;
	amp_loop_init (loop, &amp_aid_hybrid, &setup);
	ok &= loop->aid_n == want;
      }
  check (ok, "percentages");
  free (loop);
}

/* Queues: units and words at their limits.  */

static void
test_units (unsigned lanes)
{
  static unsigned char type[65535];
  struct amp_loop *loop = aligned_alloc (AMP_LINE, amp_loop_size (lanes, 2));
  double sf[2] = { 3.7, 1.0 };
  struct amp_setup setup = { .lanes = lanes, .types = 2, .sf = sf };
  unsigned i, k, b;
  bool ok = true;

  for (i = 0; i < lanes; i++)
    type[i] = i % 3 != 0;
  amp_loop_format (loop, lanes, 2);
  for (b = 0; b <= 64; b++)
    for (k = 0; k < 6; k++)
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
	for (i = 0; i < lanes; i++)
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

  for (i = 0; i < sizeof teams / sizeof teams[0]; i++)
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

static char folder[] = "/tmp/amp-unit-XXXXXX";

static void
put_file (const char *text, const char *name, unsigned cpu)
{
  char path[200];
  FILE *file;

  snprintf (path, sizeof path, "%s/cpu%u/%s", folder, cpu, name);
  file = fopen (path, "w");
  fputs (text, file);
  fclose (file);
}

static void
make_folder (const char *name, unsigned cpu)
{
  char path[200];

  snprintf (path, sizeof path, "%s/cpu%u/%s", folder, cpu, name);
  mkdir (path, 0700);
}

static void
test_clusters (void)
{
  static const unsigned short cpus[4] = { 2, 0, 3, 1 };
  unsigned short c[4];
  char command[100];
  unsigned cpu;

  if (mkdtemp (folder) == NULL)
    {
      check (false, "no temporary folder");
      return;
    }
  check (!amp_find_clusters (folder, cpus, 4, c), "no tree");
  for (cpu = 0; cpu < 4; cpu++)
    {
      make_folder ("", cpu);
      make_folder ("topology", cpu);
      make_folder ("cache", cpu);
      make_folder ("cache/index3", cpu);
      put_file (cpu < 3 ? "0\n" : "7\n", "topology/physical_package_id", cpu);
    }
  check (amp_find_clusters (folder, cpus, 4, c)
	 && c[0] == 0 && c[1] == 0 && c[2] == 7 && c[3] == 0, "packages");
  for (cpu = 0; cpu < 4; cpu++)
    put_file (cpu < 2 ? "0-1\n" : "2-3\n", "cache/index3/shared_cpu_list",
	      cpu);
  check (amp_find_clusters (folder, cpus, 4, c)
	 && c[0] == 2 && c[1] == 0 && c[2] == 2 && c[3] == 0, "caches");
  for (cpu = 0; cpu < 4; cpu++)
    make_folder ("node1", cpu);
  check (amp_find_clusters (folder, cpus, 4, c) && c[0] == 2, "one node");
  check (!amp_find_clusters (folder, cpus, 1, c), "one CPU");
  make_folder ("node0", 0);
  check (amp_find_clusters (folder, cpus, 4, c)
	 && c[0] == 1 && c[1] == 0 && c[2] == 1 && c[3] == 1, "nodes");
  snprintf (command, sizeof command, "rm -r %s", folder);
  if (system (command) != 0)
    puts (folder);
}

int
main (void)
{
  setvbuf (stdout, NULL, _IOLBF, 0);
  test_schedules ();
  test_random_schedules ();
  test_affinity ();
  test_sf ();
  test_layout ();
  test_registry ();
  test_arithmetic ();
  test_queues ();
  test_clusters ();
  printf ("%u passed, %u failed, 0 skipped\n", passed, failed);
  return failed != 0;
}

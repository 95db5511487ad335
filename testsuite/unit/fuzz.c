/* SPDX-License-Identifier: GPL-3.0-or-later

   A fuzz target for the parsers: any bytes in, nothing but a value or a good
   message out.  With libFuzzer (-DAMP_LIBFUZZER -fsanitize=fuzzer), or with
   its own driver: fuzz SECONDS [SEED].  */

#include <string.h>
#include <time.h>
#include "amp-core.c"
#include "amp-options.c"
#include "amp-topology.c"

#define MUST(COND) \
  ((COND) ? (void) 0 \
   : (printf ("FAIL: %s:%d: %s\n", __FILE__, __LINE__, #COND), abort ()))

static bool
usable (unsigned cpu)
{
  return cpu % 3 != 2;
}

static void
must_be_good (const char *wrong, const char *message)
{
  MUST (wrong == message);
  MUST (memchr (message, '\0', AMP_MESSAGE_MAX) != NULL);
  for (; *message != '\0'; message++)
    MUST (*message >= ' ' && *message <= '~');
}

static void
must_schedule (const char *text)
{
  char message[AMP_MESSAGE_MAX], again[200];
  struct amp_schedule s, t;
  const char *wrong = amp_parse_schedule (text, &s, message);
  const struct amp_ops *ops;
  unsigned i;

  if (wrong != NULL)
    {
      must_be_good (wrong, message);
      return;
    }
  ops = amp_find_kind (s.kind);
  MUST (ops != NULL || (s.kind >= 1 && s.kind <= 4));
  MUST (s.modifier >= -1 && s.modifier <= 1);
  for (i = 0; ops != NULL && i < AMP_MAX_PARAMS; i++)
    MUST (s.params.value[i] == 0
	  || (i < ops->nparams && s.params.value[i] >= ops->param[i].min
	      && s.params.value[i] <= ops->param[i].max));
  /* What it means, written plainly, means the same.  */
  if (ops == NULL)
    return;
  i = snprintf (again, sizeof again, "%s%s",
		s.modifier == 0 ? "" : s.modifier > 0 ? "monotonic:"
		: "nonmonotonic:", ops->name);
  if (s.params.value[0] != 0)
    i += snprintf (again + i, sizeof again - i, ",%d", s.params.value[0]);
  if (s.params.value[1] != 0)
    snprintf (again + i, sizeof again - i, ",%d", s.params.value[1]);
  MUST (amp_parse_schedule (again, &t, message) == NULL);
  MUST (memcmp (&s, &t, sizeof s) == 0);
}

static void
must_replace (const char *text)
{
  char message[AMP_MESSAGE_MAX], again[200];
  static const char *const names[] = { "", "static", "dynamic", "guided" };
  struct amp_schedule s[AMP_KIND_GUIDED + 1], t[AMP_KIND_GUIDED + 1];
  const char *wrong = amp_parse_replace (text, s, message);
  unsigned i, len = 0;

  if (wrong != NULL)
    {
      must_be_good (wrong, message);
      MUST (s[1].kind == 0 && s[2].kind == 0 && s[3].kind == 0);
      return;
    }
  MUST (s[1].kind != 0 || s[2].kind != 0 || s[3].kind != 0);
  MUST (s[1].kind == 0 || s[1].kind == 16);
  for (i = 1; i <= AMP_KIND_GUIDED; i++)
    {
      const struct amp_ops *ops = amp_find_kind (s[i].kind);

      if (s[i].kind == 0)
	continue;
      MUST (ops != NULL && s[i].modifier == 0);
      len += snprintf (again + len, sizeof again - len, "%s%s=%s",
		       len != 0 ? ";" : "", names[i], ops->name);
      if (s[i].params.value[0] != 0)
	len += snprintf (again + len, sizeof again - len, ",%d",
			 s[i].params.value[0]);
      if (s[i].params.value[1] != 0)
	len += snprintf (again + len, sizeof again - len, ",%d",
			 s[i].params.value[1]);
    }
  MUST (amp_parse_replace (again, t, message) == NULL);
  MUST (memcmp (s, t, sizeof s) == 0);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static struct amp_topology topology;
  struct amp_cores cores;
  char message[AMP_MESSAGE_MAX];
  enum amp_affinity affinity;
  double sf[AMP_MAX_TYPES];
  /* Exactly as large as it must be: the sanitizer sees what lies beyond.  */
  char *text = malloc (size + 1);
  const char *wrong;
  unsigned types, i;
  bool fewer;

  memcpy (text, data, size);
  text[size] = '\0';
  must_schedule (text);
  must_replace (text);
  wrong = amp_parse_affinity (text, &affinity, message);
  if (wrong != NULL)
    must_be_good (wrong, message);
  types = size == 0 ? 1 : 1 + data[size - 1] % AMP_MAX_TYPES;
  wrong = amp_parse_sf (text, types, sf, message);
  if (wrong != NULL)
    must_be_good (wrong, message);
  else
    for (i = 0; i < types; i++)
      MUST (sf[i] >= 1.0 && sf[i] <= AMP_SF_MAX * AMP_SF_MAX * 1.001);
  if (amp_parse_cores (text, &cores) == NULL)
    {
      amp_topology_from_lists (&topology, "0,2,4:1,3:5-7", usable);
      types = topology.types;
      MUST (amp_topology_select (&topology, &cores, &fewer)
	    ? topology.norder != 0 && topology.types <= types
	    : topology.types == types);
    }
  wrong = amp_topology_from_lists (&topology, text, usable);
  if (wrong == NULL)
    {
      MUST (topology.types >= 1 && topology.types <= AMP_TOPOLOGY_TYPES);
      for (i = 0; i < topology.norder; i++)
	MUST (usable (topology.order[i])
	      && topology.type[topology.order[i]] < topology.types);
    }
  free (text);
  return 0;
}

#ifndef AMP_LIBFUZZER

static uint64_t rng;

static uint64_t
below (uint64_t limit)
{
  rng ^= rng << 13;
  rng ^= rng >> 7;
  rng ^= rng << 17;
  return rng % limit;
}

int
main (int argc, char **argv)
{
  static const char *const words[] = {
    "aid_static", "aid-hybrid", "AID_DYNAMIC", "reference", "static",
    "dynamic", "guided", "auto", "monotonic:", "nonmonotonic:", ",", ":",
    " ", "-", "_", "+", "\t", "0", "1", "80", "2147483647", "2147483648",
    "99999999999999999999", "0-3", "4095", "4096", "on", "off", "bs", "sb",
    "true", ".", "2.5", "64", "\xff", "\xc3\xa4", "%s", "%n", "x",
    "dynamic=", "guided=", ";", "=", "ich", "steal", "4P", "E", "lp-e", "c:eff",
    "2cores:intel_atom", "1t", "nolp"
  };
  double seconds = argc > 1 ? atof (argv[1]) : 5.0;
  time_t end = time (NULL) + (time_t) seconds;
  uint64_t runs = 0;
  static char text[70000];

  rng = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  rng += 0x123456789;
  do
    {
      unsigned pieces = below (200) == 0 ? below (5000) : below (12), i;
      size_t len = 0;

      bool schedule = below (2) == 0, replace = below (4) == 0;

      for (i = 0; i < pieces; i++)
	{
	  const char *word = words[below (sizeof words / sizeof words[0])];

	  /* A name, then numbers after commas: more often than chance.  */
	  if (schedule && i == 0)
	    word = words[below (8)];
	  else if (replace && i % 3 != 2 && below (16) != 0)
	    word = i % 3 == 0 ? words[38 + below (2)] : words[below (4)];
	  else if (replace && below (8) != 0)
	    word = below (2) ? ";" : ",";
	  else if (schedule && below (16) != 0)
	    word = i % 2 != 0 ? "," : words[17 + below (4)];
	  if (len + 40 > sizeof text)
	    break;
	  memcpy (text + len, word, strlen (word));
	  len += strlen (word);
	}
      while (len != 0 && below (3) == 0)
	text[below (len)] = below (256);
      LLVMFuzzerTestOneInput ((const uint8_t *) text, len);
      runs++;
    }
  while (runs % 256 != 0 || time (NULL) < end);
  printf ("%ju texts\n1 passed, 0 failed, 0 skipped\n", (uintmax_t) runs);
  return 0;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   OMP_SCHEDULE, and the variables of gomp-amp-settings.h.  They are read in the
   library's constructor, before any team exists; what that writes is constant
   afterwards.  */

#include "gomp-amp-glue.h"

GOMP_AMP_PART const char *
gomp_amp_getenv (const char *name)
{
  const char *env = getenv (name);
  return env != NULL && *amp_skip_space (env) != '\0' ? env : NULL;
}

GOMP_AMP_PART bool
gomp_amp_secure_p (const char *variable)
{
  return secure_getenv (variable) != NULL;
}

GOMP_AMP_PART const char *
gomp_amp_read_on (const char *value, char message[AMP_MESSAGE_MAX])
{
  static const char *const words[2][4] = {
    { "off", "0", "false", "no" }, { "on", "1", "true", "yes" }
  };
  unsigned i;

  gomp_amp_off = false;
  if (value == NULL)
    return NULL;
  for (i = 0; i < 8; i++)
    if (strcasecmp (value, words[i / 4][i % 4]) == 0)
      {
	gomp_amp_off = i < 4;
	return NULL;
      }
  snprintf (message, AMP_MESSAGE_MAX, "'%.40s': valid are on and off", value);
  return message;
}

/* Act on the WORD of GOMP_AMP_DEBUG.  False if it is none.  */

static bool
gomp_amp_debug_word (const char *word)
{
  char *end;

  if (strncmp (word, "seed=", 5) == 0)
    {
      gomp_amp_check.seed = strtoull (word + 5, &end, 10);
      gomp_amp_check.shuffle = true;
      return *end == '\0';
    }
  if (strncmp (word, "delay=", 6) == 0)
    {
      unsigned long delay = strtoul (word + 6, &end, 10);

      gomp_amp_check.delay = delay * 1000;
      return *end == '\0' && delay <= 900000;
    }
  if (strncmp (word, "sysfs=", 6) == 0)
    {
      if (gomp_amp_secure_p ("GOMP_AMP_DEBUG"))
	gomp_amp_sysfs = gomp_amp_copy (word + 6);
      return true;
    }
  if (strcmp (word, "contiguous") == 0)
    gomp_amp_check.form = AMP_DRAW_CONTIGUOUS;
  else if (strcmp (word, "descending") == 0)
    gomp_amp_check.form = AMP_DRAW_DESCENDING;
  else if (strcmp (word, "known") == 0)
    amp_site_known_after = 1;
  else if (strcmp (word, "verdicts") == 0)
    gomp_amp_check.verdicts = true;
  else
    return false;
  return true;
}

GOMP_AMP_PART const char *
gomp_amp_read_debug (const char *value, char message[AMP_MESSAGE_MAX])
{
  char *copy = value != NULL ? gomp_amp_copy (value) : NULL;
  char *save = NULL, *word;
  const char *wrong = NULL;

  for (word = copy != NULL ? strtok_r (copy, ",", &save) : NULL;
       word != NULL && wrong == NULL; word = strtok_r (NULL, ",", &save))
    if (!gomp_amp_debug_word (word))
      {
	snprintf (message, AMP_MESSAGE_MAX, "'%.40s': valid are seed=N, "
		  "delay=MICROSECONDS (at most 900000), contiguous, "
		  "descending, known, verdicts and sysfs=DIR", word);
	wrong = message;
      }
  /* Without a seed nothing is drawn.  */
  if (wrong != NULL || !gomp_amp_check.shuffle)
    gomp_amp_check.delay = 0;
  free (copy);
  return wrong;
}

GOMP_AMP_PART const char *
gomp_amp_read_replace (const char *value, char message[AMP_MESSAGE_MAX])
{
  return value != NULL ? amp_parse_replace (value, gomp_amp_replace, message)
	 : NULL;
}

GOMP_AMP_PART const char *
gomp_amp_read_report (const char *value,
		     char message[AMP_MESSAGE_MAX] __attribute__ ((unused)))
{
  gomp_amp_reporting = value != NULL && strcmp (value, "0") != 0;
  if (gomp_amp_reporting && strchr (value, '/') != NULL
      && gomp_amp_secure_p ("GOMP_AMP_REPORT"))
    gomp_amp_report_file = gomp_amp_file_name (value, strlen (value));
  return NULL;
}

/* What GOMP_AMP_TRACE's text begins with, or 0 for chunks.  */

static unsigned
gomp_amp_record_of (const char **text)
{
  static const char *const names[GOMP_AMP_RECORDS]
    = { "chunks:", "costs:", "regions:", "sf:" };
  unsigned i;

  for (i = 0; i < GOMP_AMP_RECORDS; i++)
    if (strncmp (*text, names[i], strlen (names[i])) == 0)
      {
	*text += strlen (names[i]);
	return i;
      }
  return 0;
}

GOMP_AMP_PART const char *
gomp_amp_read_trace (const char *value,
		    char message[AMP_MESSAGE_MAX] __attribute__ ((unused)))
{
  while (value != NULL && gomp_amp_secure_p ("GOMP_AMP_TRACE"))
    {
      char **file = &gomp_amp_record_file[gomp_amp_record_of (&value)];
      const char *end = strchr (value, ','), *next = NULL;

      /* Other commas belong to the name.  */
      for (; end != NULL; end = strchr (end + 1, ','))
	{
	  next = end + 1;
	  gomp_amp_record_of (&next);
	  if (next != end + 1)
	    break;
	}
      if (end == NULL)
	end = value + strlen (value);
      free (*file);
      *file = gomp_amp_file_name (value, end - value);
      value = *end != '\0' ? end + 1 : NULL;
    }
  return NULL;
}

GOMP_AMP_PART const char *
gomp_amp_read_sf (const char *value, char message[AMP_MESSAGE_MAX])
{
  double *sf;

  if (value == NULL)
    return NULL;
  sf = gomp_malloc (AMP_MAX_TYPES * sizeof (double));
  /* One number for one type says nothing about its CPUs.  */
  if (gomp_amp_read_factors (value, sf, message) == NULL
      && !gomp_amp_observed_types)
    gomp_amp_sf = sf;
  else
    free (sf);
  return message[0] != '\0' ? message : NULL;
}

GOMP_AMP_PART void
gomp_amp_show_raw (const char *name)
{
  const char *value = gomp_amp_getenv (name);

  fputs (value != NULL ? value : "", stderr);
}

GOMP_AMP_PART void
gomp_amp_show_on (const char *name __attribute__ ((unused)))
{
  fputs (gomp_amp_off ? "OFF" : "ON", stderr);
}

GOMP_AMP_PART void
gomp_amp_show_sf (const char *name __attribute__ ((unused)))
{
  unsigned type;

  for (type = 0; gomp_amp_sf != NULL && type < gomp_amp_topology.types; type++)
    fprintf (stderr, "%s%.3f", type == 0 ? "" : ",", gomp_amp_sf[type]);
}

/* The table.  */

static const struct
{
  const char *name;
  const char *(*read) (const char *value, char message[AMP_MESSAGE_MAX]);
  void (*show) (const char *name);
} gomp_amp_settings[] = {
#define GOMP_AMP_SETTING(NAME, READ, SHOW, VALUES, TEXT) \
  { "GOMP_AMP" NAME, gomp_amp_read_##READ, gomp_amp_show_##SHOW },
#include "gomp-amp-settings.h"
};

#define GOMP_AMP_N_SETTINGS \
  (sizeof gomp_amp_settings / sizeof gomp_amp_settings[0])

static void
gomp_amp_read_setting (unsigned i)
{
  const char *name = gomp_amp_settings[i].name;
  char message[AMP_MESSAGE_MAX] = "";
  const char *wrong
    = gomp_amp_settings[i].read (gomp_amp_getenv (name), message);

  if (wrong != NULL)
    gomp_error ("Invalid value for environment variable %s: %s; it is ignored",
		name, wrong);
}

/* Variables that begin like ours and are none: what was meant.  */

static void
gomp_amp_check_names (void)
{
  static const struct { const char *name, *instead; } renamed[] = {
    { "STATIC", "a line `PLACE static' in the file of GOMP_AMP_LOOPS" },
    { "RECORD", "GOMP_AMP_TRACE=costs:FILE" },
    { "RECORD_REGIONS", "GOMP_AMP_TRACE=regions:FILE" },
    { "RECORD_SF", "GOMP_AMP_TRACE=sf:FILE" },
    { "GOAL", "GOMP_AMP_ENERGY=GOAL,WATTS" },
    { "WATTS", "GOMP_AMP_ENERGY=GOAL,WATTS" },
    { "CHECK", "GOMP_AMP_DEBUG" },
    { "SYSFS", "GOMP_AMP_DEBUG=sysfs=DIR" },
    { "REPRODUCIBLE", "-fopenmp-reproducible at compile time" },
    { "TASKLOOP", "num_tasks in the program" }
  };
  const size_t prefix = strlen ("GOMP_AMP_");
  char **p;
  unsigned i, j;

  for (p = environ; p != NULL && *p != NULL; p++)
    {
      size_t length = strcspn (*p, "=");

      if (strncmp (*p, "GOMP_AMP_", prefix) != 0)
	continue;
      for (i = 0; i < GOMP_AMP_N_SETTINGS; i++)
	if (strlen (gomp_amp_settings[i].name) == length
	    && strncmp (*p, gomp_amp_settings[i].name, length) == 0)
	  break;
      if (i != GOMP_AMP_N_SETTINGS)
	continue;
      for (j = 0; j < sizeof renamed / sizeof renamed[0]; j++)
	if (strlen (renamed[j].name) == length - prefix
	    && strncmp (*p + prefix, renamed[j].name, length - prefix) == 0)
	  break;
      if (j < sizeof renamed / sizeof renamed[0])
	gomp_error ("%.*s is ignored: use %s", (int) length, *p,
		    renamed[j].instead);
      else
	gomp_error ("%.*s is ignored: there is no such variable",
		    (int) length, *p);
    }
}

/* OMP_SCHEDULE comes before the rest, but from GCC 13 on only if it is set.  */

GOMP_AMP_PART void
gomp_amp_init_off (void)
{
  static bool is_read;

  if (!is_read)
    gomp_amp_read_setting (0);
  is_read = true;
}

bool
gomp_amp_parse_schedule (void)
{
  const char *env = getenv ("OMP_SCHEDULE");
  char message[AMP_MESSAGE_MAX];
  struct amp_schedule schedule;

  gomp_amp_init_off ();
  if (gomp_amp_off)
    return false;
  if (env == NULL)
    return true;
  if (amp_parse_schedule (env, &schedule, message) != NULL)
    {
      const char *chunk = strchr (env, ',');

      /* A chunk that is none leaves the kind in force, with stock libgomp; but
	 that takes chunks below 0, with which loops do not end.  */
      if (schedule.kind != 0 && schedule.kind <= GFS_AUTO
	  && (chunk == NULL || *amp_skip_space (chunk + 1) != '-'))
	return false;
      gomp_error ("Invalid value for environment variable OMP_SCHEDULE: %s; "
		  "it is ignored", message);
      if (schedule.kind != 0 && schedule.kind <= GFS_AUTO)
	{
	  bool fixed = schedule.kind == GFS_STATIC;

	  gomp_global_icv.run_sched_var = schedule.kind;
	  gomp_global_icv.run_sched_chunk_size = !fixed;
	  if (schedule.modifier == 1 || (schedule.modifier == 0 && fixed))
	    gomp_global_icv.run_sched_var |= GFS_MONOTONIC;
	}
      return true;
    }
  if (schedule.kind <= GFS_AUTO)
    return false;
  gomp_amp_set_run_sched (&gomp_global_icv, schedule.kind,
			  schedule.params.value[0]);
  if (amp_find_kind (schedule.kind)->nparams > 1)
    gomp_global_icv.run_sched_param2 = schedule.params.value[1];
  if (schedule.modifier == 1)
    gomp_global_icv.run_sched_var |= GFS_MONOTONIC;
  return true;
}

/* PLACED: the user asked for a placement, or for none, by OpenMP's means.  */

static void
gomp_amp_read_env (bool placed)
{
  unsigned i;

  gomp_amp_init_clock ();
  gomp_amp_init_process ();
  gomp_amp_init_mask ();
  gomp_amp_init_pool ();
  gomp_amp_init_beside ();
  gomp_amp_init_named ();
  gomp_amp_init_off ();
  if (gomp_amp_off)
    {
      gomp_amp_init_bare ();
      return;
    }
  gomp_amp_check_names ();
  gomp_amp_placed = placed;
  gomp_mutex_init (&gomp_amp_clusters_lock);
  for (i = 1; i < GOMP_AMP_N_SETTINGS; i++)
    gomp_amp_read_setting (i);
  gomp_amp_init_costs ();
  gomp_amp_init_sites ();
  gomp_amp_init_bare ();
  gomp_amp_init_places ();
  gomp_amp_init_speeds ();
  gomp_amp_init_team ();
}

void
gomp_amp_init_env (bool ignore)
{
  /* The program may have set another one before it loaded the library.  */
  locale_t locale = gomp_amp_enter_c_locale ();

  gomp_amp_read_env (ignore
		     || gomp_global_icv.bind_var != omp_proc_bind_false);
  gomp_amp_leave_c_locale (locale);
}

void
gomp_amp_display_schedule (void)
{
  const struct amp_ops *ops
    = amp_find_kind (gomp_global_icv.run_sched_var & ~GFS_MONOTONIC);
  const char *p;

  /* Unset: of each loop without a clause its own choice.  */
  if (ops == NULL)
    {
      fputs (gomp_amp_off ? "DYNAMIC" : "AUTO", stderr);
      return;
    }
  for (p = ops->name; *p != '\0'; p++)
    fputc (*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p, stderr);
  if (gomp_global_icv.run_sched_chunk_size != 0
      || gomp_global_icv.run_sched_param2 != 0)
    fprintf (stderr, ",%d", gomp_global_icv.run_sched_chunk_size);
  if (gomp_global_icv.run_sched_param2 != 0)
    fprintf (stderr, ",%d", gomp_global_icv.run_sched_param2);
}

static void
gomp_amp_show_env (void)
{
  double quota = amp_read_quota (&gomp_amp_source);
  unsigned i, norder = gomp_amp_topology.norder;

  for (i = 0; i < (gomp_amp_off ? 1 : GOMP_AMP_N_SETTINGS); i++)
    {
      fprintf (stderr, "  %s = '", gomp_amp_settings[i].name);
      gomp_amp_settings[i].show (gomp_amp_settings[i].name);
      fputs ("'\n", stderr);
    }
  if (gomp_amp_off)
    return;
  gomp_amp_display_team ();
  if (quota > 0.0 && quota < norder)
    fprintf (stderr, "  [host] CPU quota of the control group = '%.2f' of "
	     "%u CPUs\n", quota, norder);
}

void
gomp_amp_display_env (void)
{
  locale_t locale = gomp_amp_enter_c_locale ();

  gomp_amp_show_env ();
  gomp_amp_leave_c_locale (locale);
}

/* Schedules from the program: omp_set_schedule and its like.  */

int
gomp_amp_show_sched (int kind)
{
  if (kind != GFS_AMP_UNSET)
    return kind;
  /* From a thread's own ICVs, if it has none yet: what is set later is set
     there.  */
  gomp_icv (true)->run_sched_shown_unset = true;
  return GFS_DYNAMIC;
}

enum gomp_schedule_type
gomp_amp_set_stock_sched (struct gomp_task_icv *icv, int kind)
{
  gomp_amp_note_choice ();
  /* Who sets what it was shown restores it.  */
  if (icv->run_sched_shown_unset && kind == GFS_DYNAMIC
      && icv->run_sched_chunk_size == 1)
    return GFS_AMP_UNSET;
  return (enum gomp_schedule_type) kind;
}

bool
gomp_amp_set_run_sched (struct gomp_task_icv *icv, int kind, int chunk)
{
  const struct amp_ops *ops = amp_find_kind (kind & ~GFS_MONOTONIC);

  if (ops == NULL || gomp_amp_off)
    return false;
  gomp_amp_note_choice ();
  /* As OpenMP has it for the kinds of its own: a chunk below 1 stands for
     the default; and one that is out of range is not worth an error.  */
  if (chunk < 1)
    chunk = ops->param[0].def;
  else if (chunk < ops->param[0].min)
    chunk = ops->param[0].min;
  else if (chunk > ops->param[0].max)
    chunk = ops->param[0].max;
  icv->run_sched_var = kind;
  icv->run_sched_chunk_size = chunk;
  icv->run_sched_param2 = 0;
  return true;
}

int
gomp_amp_set_schedule (int kind, int first, int second)
{
  struct gomp_task_icv *icv = gomp_icv (true);
  const struct amp_ops *ops = amp_find_kind (kind & ~GFS_MONOTONIC);
  struct amp_params params = { { first, second } };
  unsigned i;

  if (ops == NULL || gomp_amp_off)
    return -1;
  for (i = 0; i < AMP_MAX_PARAMS; i++)
    {
      const struct amp_param_info *info = &ops->param[i];

      if (params.value[i] == 0)
	continue;
      if (i >= ops->nparams || params.value[i] < info->min
	  || params.value[i] > info->max)
	return -1;
    }
  if (ops->check != NULL && ops->check (&params) != NULL)
    return -1;
  gomp_amp_set_run_sched (icv, kind, first);
  if (ops->nparams > 1)
    icv->run_sched_param2 = second;
  return 0;
}

void
gomp_amp_get_schedule (int *kind, int *first, int *second)
{
  struct gomp_task_icv *icv = gomp_icv (false);
  const struct amp_ops *ops;

  *kind = gomp_amp_show_sched (icv->run_sched_var);
  *first = icv->run_sched_chunk_size;
  ops = amp_find_kind (*kind & ~GFS_MONOTONIC);
  *second = ops != NULL && ops->nparams > 1 ? icv->run_sched_param2 : 0;
}

int
gomp_amp_get_num_core_types (void)
{
  return gomp_amp_topology.types ? gomp_amp_topology.types : 1;
}

int
gomp_amp_get_core_type (void)
{
  return gomp_amp_topology.types > 1 ? amp_current_type () : 0;
}

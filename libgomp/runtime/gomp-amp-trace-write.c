/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What gomp-amp-trace.c has collected, written when the process ends: Chrome's
   trace events in JSON, Paraver's trace with its names, and amp-sim's costs of
   iterations.  Included by gomp-amp.c.  */

struct gomp_amp_out
{
  int fd;
  int error;
  size_t used;
  char text[65536];
};

static void
gomp_amp_out_flush (struct gomp_amp_out *out)
{
  if (out->error == 0)
    out->error = gomp_amp_write_all (out->fd, out->text, out->used);
  out->used = 0;
}

/* Room for at least 1000 more characters.  */

static inline char *
gomp_amp_out_room (struct gomp_amp_out *out)
{
  if (out->used > sizeof out->text - 1000)
    gomp_amp_out_flush (out);
  return out->text + out->used;
}

static void
gomp_amp_put (struct gomp_amp_out *out, const char *s)
{
  size_t length = strlen (s);

  while (length > 1000)
    {
      memcpy (gomp_amp_out_room (out), s, 1000);
      out->used += 1000;
      s += 1000;
      length -= 1000;
    }
  memcpy (gomp_amp_out_room (out), s, length);
  out->used += length;
}

static void
gomp_amp_put_number (struct gomp_amp_out *out, uint64_t value)
{
  char digits[20], *to = gomp_amp_out_room (out);
  unsigned n = 0;

  do
    digits[n++] = '0' + value % 10;
  while ((value /= 10) != 0);
  out->used += n;
  while (n != 0)
    *to++ = digits[--n];
}

/* NS nanoseconds in microseconds.  */

static void
gomp_amp_put_us (struct gomp_amp_out *out, uint64_t ns)
{
  char *to;

  gomp_amp_put_number (out, ns / 1000);
  to = gomp_amp_out_room (out);
  to[0] = '.';
  to[1] = '0' + ns / 100 % 10;
  to[2] = '0' + ns / 10 % 10;
  to[3] = '0' + ns % 10;
  out->used += 4;
}

/* S as a string of JSON.  */

static void
gomp_amp_put_string (struct gomp_amp_out *out, const char *s)
{
  char text[8];

  gomp_amp_put (out, "\"");
  for (; *s != '\0'; s++)
    {
      if (*s == '"' || *s == '\\')
	snprintf (text, sizeof text, "\\%c", *s);
      else if ((unsigned char) *s < ' ' || (unsigned char) *s > '~')
	snprintf (text, sizeof text, "\\u%04x", (unsigned char) *s);
      else
	{
	  text[0] = *s;
	  text[1] = '\0';
	}
      gomp_amp_put (out, text);
    }
  gomp_amp_put (out, "\"");
}

/* Open NAME in OUT; false, and it is said, if that is not possible.  */

static bool
gomp_amp_out_open (struct gomp_amp_out *out, const char *variable,
		   const char *name)
{
  out->error = 0;
  out->used = 0;
  out->fd = open (name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out->fd >= 0)
    return true;
  gomp_error ("%s: cannot write %s: %s", variable, name, strerror (errno));
  return false;
}

static void
gomp_amp_out_close (struct gomp_amp_out *out, const char *variable,
		    const char *name)
{
  gomp_amp_out_flush (out);
  if (close (out->fd) != 0 && out->error == 0)
    out->error = errno;
  if (out->error != 0)
    gomp_error ("%s: cannot write all of %s: %s", variable, name,
		strerror (out->error));
}

static const char *
gomp_amp_kind_name (unsigned kind)
{
  const struct amp_ops *ops;

  if (kind < 4)
    return amp_stock_ops (kind, false)->name;
  if (kind == (unsigned) amp_fixed.kind)
    return amp_fixed.name;
  if (kind == (unsigned) amp_shuffle.kind)
    return amp_shuffle.name;
  ops = amp_find_kind (kind);
  return ops != NULL ? ops->name : "?";
}

/* Names of places, found once.  */

struct gomp_amp_place
{
  const void *address;		/* NULL: free.  */
  unsigned number;		/* From 1.  */
  char name[GOMP_AMP_PLACE_MAX];
};

struct gomp_amp_written
{
  uint64_t begun;		/* Ticks, of time 0.  */
  double scale;			/* Nanoseconds a tick.  */
  struct gomp_amp_event *events;
  unsigned *thread;		/* Of each, as the trace numbers them.  */
  size_t count;
  unsigned threads;
  struct gomp_amp_place *places;
  unsigned nplaces, room;	/* A power of two above 2 * NPLACES.  */
  struct gomp_amp_out out;
};

static uint64_t
gomp_amp_ns (const struct gomp_amp_written *w, uint64_t ticks)
{
  return (ticks <= w->begun ? 0
	  : (uint64_t) ((double) (ticks - w->begun) * w->scale + 0.5));
}

static struct gomp_amp_place *
gomp_amp_place (struct gomp_amp_written *w, const void *address)
{
  size_t i = (((uintptr_t) address * UINT64_C (0x9e3779b97f4a7c15)) >> 32
	      & (w->room - 1));

  while (w->places[i].address != NULL && w->places[i].address != address)
    i = (i + 1) & (w->room - 1);
  return &w->places[i];
}

static void
gomp_amp_add_place (struct gomp_amp_written *w, const void *address)
{
  struct gomp_amp_place *place;
  unsigned i, old = w->room;

  if (2 * w->nplaces >= w->room)
    {
      struct gomp_amp_place *before = w->places;

      w->room = old != 0 ? 2 * old : 64;
      w->places = gomp_malloc_cleared (w->room * sizeof *w->places);
      for (i = 0; i < old; i++)
	if (before[i].address != NULL)
	  *gomp_amp_place (w, before[i].address) = before[i];
      free (before);
    }
  place = gomp_amp_place (w, address);
  if (place->address != NULL)
    return;
  place->address = address;
  place->number = ++w->nplaces;
  gomp_amp_place_name (address, place->name);
}

/* Trace-event format.  */

static void
gomp_amp_put_event (struct gomp_amp_written *w, size_t i)
{
  const struct gomp_amp_event *e = &w->events[i];
  struct gomp_amp_out *out = &w->out;
  uint64_t start = gomp_amp_ns (w, e->start);

  gomp_amp_put (out, ",\n{\"name\":\"");
  gomp_amp_put (out, e->begins ? "loop" : gomp_amp_phase_names[e->phase]);
  gomp_amp_put (out, e->begins ? "\",\"ph\":\"i\",\"s\":\"t\",\"ts\":"
		: "\",\"ph\":\"X\",\"ts\":");
  gomp_amp_put_us (out, start);
  if (!e->begins)
    {
      gomp_amp_put (out, ",\"dur\":");
      gomp_amp_put_us (out, gomp_amp_ns (w, e->end) - start);
    }
  gomp_amp_put (out, ",\"cat\":\"");
  gomp_amp_put (out, gomp_amp_kind_name (e->kind));
  gomp_amp_put (out, "\",\"pid\":");
  gomp_amp_put_number (out, gomp_amp_pid);
  gomp_amp_put (out, ",\"tid\":");
  gomp_amp_put_number (out, w->thread[i]);
  gomp_amp_put (out, ",\"args\":{\"site\":");
  gomp_amp_put_string (out, gomp_amp_place (w, e->address)->name);
  gomp_amp_put (out, ",\"loop\":");
  gomp_amp_put_number (out, e->loop);
  gomp_amp_put (out, e->begins ? ",\"threads\":" : ",\"first\":");
  gomp_amp_put_number (out, e->first);
  gomp_amp_put (out, e->begins ? ",\"iterations\":" : ",\"count\":");
  gomp_amp_put_number (out, e->count);
  if (!e->begins)
    {
      gomp_amp_put (out, ",\"type\":");
      gomp_amp_put_number (out, e->type);
    }
  gomp_amp_put (out, "}}");
}

static void
gomp_amp_write_json (struct gomp_amp_written *w, const char *name)
{
  struct gomp_amp_out *out = &w->out;
  char text[300];
  unsigned t;
  size_t i;

  if (!gomp_amp_out_open (out, "GOMP_AMP_TRACE", name))
    return;
  gomp_amp_put (out, "{\"displayTimeUnit\":\"ns\",\"otherData\":"
		"{\"producer\":\"gomp-amp\"},\"traceEvents\":[\n"
		"{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":");
  gomp_amp_put_number (out, gomp_amp_pid);
  gomp_amp_put (out, ",\"tid\":0,\"args\":{\"name\":");
  gomp_amp_put_string (out, program_invocation_short_name);
  gomp_amp_put (out, "}}");
  for (t = 0; t < w->threads; t++)
    {
      snprintf (text, sizeof text, ",\n{\"name\":\"thread_name\",\"ph\":\"M\","
		"\"pid\":%ld,\"tid\":%u,\"args\":{\"name\":\"thread %u\"}}"
		",\n{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%ld,"
		"\"tid\":%u,\"args\":{\"sort_index\":%u}}",
		(long) gomp_amp_pid, t, t, (long) gomp_amp_pid,
		t, t);
      gomp_amp_put (out, text);
    }
  for (i = 0; i < w->count; i++)
    if (w->events[i].kind != GOMP_AMP_RECORDED)
      gomp_amp_put_event (w, i);
  gomp_amp_put (out, "\n]}\n");
  gomp_amp_out_close (out, "GOMP_AMP_TRACE", name);
}

/* Paraver: three files, whose names differ in their endings.  A thread's states
   follow one another, so what a chunk's thread does in a nested team takes its
   time out of the chunk.  */

/* Of Paraver's events: this one and those after.  */
#define GOMP_AMP_PRV_TYPE 91000000

struct gomp_amp_prv
{
  uint64_t time, until;		/* Nanoseconds.  */
  size_t event;			/* SIZE_MAX: idle.  */
  unsigned thread;
  enum { GOMP_AMP_PRV_END, GOMP_AMP_PRV_STATE, GOMP_AMP_PRV_BEGIN } what;
};

struct gomp_amp_prv_list
{
  struct gomp_amp_prv *record;
  size_t count, room;
};

static void
gomp_amp_prv_add (struct gomp_amp_prv_list *list, int what, unsigned thread,
		  size_t event, uint64_t time, uint64_t until)
{
  struct gomp_amp_prv *r;

  if (what == GOMP_AMP_PRV_STATE && time == until)
    return;
  if (list->count == list->room)
    {
      list->room = list->room != 0 ? 2 * list->room : 4096;
      list->record = gomp_realloc (list->record,
				   list->room * sizeof *list->record);
    }
  r = &list->record[list->count++];
  r->time = time;
  r->until = until;
  r->event = event;
  r->thread = thread;
  r->what = what;
}

static int
gomp_amp_compare_prv (const void *a, const void *b)
{
  const struct gomp_amp_prv *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->what != y->what)
    return x->what < y->what ? -1 : 1;
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* The states of THREAD, whose chunks are ORDER[0 .. N-1] in order of their
   beginnings, the longer first; until END.  */

static void
gomp_amp_prv_thread (struct gomp_amp_written *w,
		     struct gomp_amp_prv_list *list, unsigned thread,
		     const size_t *order, size_t n, uint64_t end)
{
  size_t stack[GOMP_AMP_OPEN + 1], i;
  unsigned depth = 0;
  uint64_t now = 0;

  for (i = 0; i <= n; i++)
    {
      uint64_t start = i < n ? gomp_amp_ns (w, w->events[order[i]].start) : end;
      uint64_t stop;

      while (depth != 0
	     && (stop = gomp_amp_ns (w, w->events[stack[depth - 1]].end))
		<= start)
	{
	  depth--;
	  if (stop < now)
	    stop = now;
	  gomp_amp_prv_add (list, GOMP_AMP_PRV_STATE, thread, stack[depth],
			    now, stop);
	  gomp_amp_prv_add (list, GOMP_AMP_PRV_END, thread, stack[depth],
			    stop, stop);
	  now = stop;
	}
      if (start < now)
	start = now;
      gomp_amp_prv_add (list, GOMP_AMP_PRV_STATE, thread,
			depth != 0 ? stack[depth - 1] : SIZE_MAX, now, start);
      now = start;
      if (i < n && depth <= GOMP_AMP_OPEN)
	{
	  gomp_amp_prv_add (list, GOMP_AMP_PRV_BEGIN, thread, order[i], start,
			    start);
	  stack[depth++] = order[i];
	}
    }
}

/* What qsort's comparison compares.  */
static struct gomp_amp_written *gomp_amp_sorted;

static int
gomp_amp_compare_events (const void *a, const void *b)
{
  size_t i = *(const size_t *) a, j = *(const size_t *) b;
  const struct gomp_amp_event *x = &gomp_amp_sorted->events[i];
  const struct gomp_amp_event *y = &gomp_amp_sorted->events[j];
  unsigned s = gomp_amp_sorted->thread[i], t = gomp_amp_sorted->thread[j];

  if (s != t)
    return s < t ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->end != y->end)
    return x->end > y->end ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Numbers of W's events that have KIND or, with KIND < 0, are chunks of the
   trace; sorted by thread, then time.  Their count in *N.  */

static size_t *
gomp_amp_order (struct gomp_amp_written *w, int kind, size_t *n)
{
  size_t *order = gomp_malloc ((w->count + 1) * sizeof *order), i;

  *n = 0;
  for (i = 0; i < w->count; i++)
    if (kind < 0 ? (w->events[i].kind != GOMP_AMP_RECORDED
		    && !w->events[i].begins)
	: w->events[i].kind == (unsigned) kind)
      order[(*n)++] = i;
  gomp_amp_sorted = w;
  qsort (order, *n, sizeof *order, gomp_amp_compare_events);
  return order;
}

static void
gomp_amp_prv_names (struct gomp_amp_written *w, const char *name, char *file,
		    const char *ending)
{
  static const char *const what[] = {
    "Site of the loop", "First iteration", "Iterations", "Execution of a loop",
    "Core type + 1", "Schedule"
  };
  static const unsigned colour[4][3] = {
    { 230, 159, 0 }, { 0, 114, 178 }, { 0, 158, 115 }, { 86, 180, 233 }
  };
  struct gomp_amp_out *out = &w->out;
  char text[GOMP_AMP_PLACE_MAX + 100];
  unsigned i, j;

  strcpy (file + strlen (name) - 4, ".pcf");
  if (!gomp_amp_out_open (out, "GOMP_AMP_TRACE", file))
    return;
  gomp_amp_put (out, "DEFAULT_OPTIONS\n\nLEVEL       THREAD\n"
		"UNITS       NANOSEC\n\n\nDEFAULT_SEMANTIC\n\n"
		"THREAD_FUNC State As Is\n\n\nSTATES\n0    idle\n");
  for (i = 0; i < 4; i++)
    {
      snprintf (text, sizeof text, "%u    %s\n", i + 1,
		gomp_amp_phase_names[i]);
      gomp_amp_put (out, text);
    }
  gomp_amp_put (out, "\n\nSTATES_COLOR\n0    {235,235,235}\n");
  for (i = 0; i < 4; i++)
    {
      snprintf (text, sizeof text, "%u    {%u,%u,%u}\n", i + 1, colour[i][0],
		colour[i][1], colour[i][2]);
      gomp_amp_put (out, text);
    }
  for (i = 0; i < sizeof what / sizeof what[0]; i++)
    {
      snprintf (text, sizeof text, "\n\nEVENT_TYPE\n0    %u    %s\n",
		GOMP_AMP_PRV_TYPE + i, what[i]);
      gomp_amp_put (out, text);
      if (i == 0)
	{
	  gomp_amp_put (out, "VALUES\n0    end\n");
	  for (j = 0; j < w->room; j++)
	    if (w->places[j].address != NULL)
	      {
		snprintf (text, sizeof text, "%u    %s\n", w->places[j].number,
			  w->places[j].name);
		gomp_amp_put (out, text);
	      }
	}
      if (i == 5)
	{
	  gomp_amp_put (out, "VALUES\n");
	  for (j = 1; j < GOMP_AMP_RECORDED; j++)
	    if (*gomp_amp_kind_name (j) != '?')
	      {
		snprintf (text, sizeof text, "%u    %s\n", j,
			  gomp_amp_kind_name (j));
		gomp_amp_put (out, text);
	      }
	}
    }
  gomp_amp_put (out, "\n");
  gomp_amp_out_close (out, "GOMP_AMP_TRACE", file);

  strcpy (file + strlen (name) - 4, ".row");
  if (!gomp_amp_out_open (out, "GOMP_AMP_TRACE", file))
    return;
  snprintf (text, sizeof text, "LEVEL CPU SIZE %u\n", w->threads);
  gomp_amp_put (out, text);
  for (i = 0; i < w->threads; i++)
    {
      snprintf (text, sizeof text, "1.%u\n", i + 1);
      gomp_amp_put (out, text);
    }
  snprintf (text, sizeof text, "\nLEVEL NODE SIZE 1\nnode\n\n"
	    "LEVEL THREAD SIZE %u\n", w->threads);
  gomp_amp_put (out, text);
  for (i = 0; i < w->threads; i++)
    {
      snprintf (text, sizeof text, "THREAD 1.1.%u\n", i + 1);
      gomp_amp_put (out, text);
    }
  gomp_amp_out_close (out, "GOMP_AMP_TRACE", file);
  strcpy (file + strlen (name) - 4, ending);
}

static void
gomp_amp_put_prv (struct gomp_amp_written *w, const struct gomp_amp_prv *r)
{
  const struct gomp_amp_event *e
    = r->event != SIZE_MAX ? &w->events[r->event] : NULL;
  uint64_t values[6], n = 0, i;
  struct gomp_amp_out *out = &w->out;

  gomp_amp_put (out, r->what == GOMP_AMP_PRV_STATE ? "1:" : "2:");
  gomp_amp_put_number (out, r->thread + 1);
  gomp_amp_put (out, ":1:1:");
  gomp_amp_put_number (out, r->thread + 1);
  gomp_amp_put (out, ":");
  gomp_amp_put_number (out, r->time);
  if (r->what == GOMP_AMP_PRV_STATE)
    {
      gomp_amp_put (out, ":");
      gomp_amp_put_number (out, r->until);
      gomp_amp_put (out, ":");
      gomp_amp_put_number (out, e != NULL ? e->phase + 1 : 0);
    }
  else if (r->what == GOMP_AMP_PRV_END)
    values[n++] = 0;
  else
    {
      values[n++] = gomp_amp_place (w, e->address)->number;
      values[n++] = e->first;
      values[n++] = e->count;
      values[n++] = e->loop;
      values[n++] = e->type + 1u;
      values[n++] = e->kind;
    }
  for (i = 0; i < n; i++)
    {
      gomp_amp_put (out, ":");
      gomp_amp_put_number (out, GOMP_AMP_PRV_TYPE + i);
      gomp_amp_put (out, ":");
      gomp_amp_put_number (out, values[i]);
    }
  gomp_amp_put (out, "\n");
}

static void
gomp_amp_write_prv (struct gomp_amp_written *w, const char *name,
		    uint64_t end)
{
  struct gomp_amp_prv_list list = { NULL, 0, 0 };
  struct gomp_amp_out *out = &w->out;
  char *file = gomp_malloc (strlen (name) + 1), text[200];
  time_t now = time (NULL);
  struct tm tm;
  size_t n, i, from, *order = gomp_amp_order (w, -1, &n);
  unsigned t;

  strcpy (file, name);
  gomp_amp_prv_names (w, name, file, ".prv");
  for (t = 0, from = 0; t < w->threads; t++, from = i)
    {
      for (i = from; i < n && w->thread[order[i]] == t;)
	i++;
      gomp_amp_prv_thread (w, &list, t, order + from, i - from, end);
    }
  free (order);
  qsort (list.record, list.count, sizeof *list.record, gomp_amp_compare_prv);
  if (gomp_amp_out_open (out, "GOMP_AMP_TRACE", file))
    {
      localtime_r (&now, &tm);
      snprintf (text, sizeof text, "#Paraver (%02d/%02d/%04d at %02d:%02d):"
		"%ju_ns:1(%u):1:1(%u:1)\n", tm.tm_mday, tm.tm_mon + 1,
		tm.tm_year + 1900, tm.tm_hour, tm.tm_min, (uintmax_t) end,
		w->threads, w->threads);
      gomp_amp_put (out, text);
      for (i = 0; i < list.count; i++)
	gomp_amp_put_prv (w, &list.record[i]);
      gomp_amp_out_close (out, "GOMP_AMP_TRACE", file);
    }
  free (list.record);
  free (file);
}

/* What iterations cost: the loops of teams of one in the order in which they
   began, and the time between them.  */

static void
gomp_amp_write_costs (struct gomp_amp_written *w, const char *name,
		      uint64_t end)
{
  struct gomp_amp_out *out = &w->out;
  size_t n, i, *order;
  uint64_t before = 0;
  unsigned loops = 0;
  char text[GOMP_AMP_PLACE_MAX + 200];

  order = gomp_amp_order (w, GOMP_AMP_RECORDED, &n);
  if (n != 0 && gomp_amp_out_open (out, "GOMP_AMP_RECORD", name))
    {
      gomp_amp_put (out, "# gomp-amp: nanoseconds an iteration, one thread; "
		    "see amp-sim(1)\n");
      for (i = 0; i < n; i++)
	{
	  const struct gomp_amp_event *e = &w->events[order[i]];
	  uint64_t start = gomp_amp_ns (w, e->start);
	  uint64_t stop = gomp_amp_ns (w, e->end);

	  if (e->begins)
	    snprintf (text, sizeof text, "# serial %ju\n"
		      "# loop %u: %ju iterations at %s\n",
		      (uintmax_t) (start > before ? start - before : 0),
		      loops++, (uintmax_t) e->count,
		      gomp_amp_place (w, e->address)->name);
	  else if (e->count == 1)
	    snprintf (text, sizeof text, "%ju\n", (uintmax_t) (stop - start));
	  else
	    snprintf (text, sizeof text, "%.6g x%ju\n",
		      (double) (stop - start) / (double) e->count,
		      (uintmax_t) e->count);
	  gomp_amp_put (out, text);
	  if (stop > before)
	    before = stop;
	}
      snprintf (text, sizeof text, "# serial %ju\n",
		(uintmax_t) (end > before ? end - before : 0));
      gomp_amp_put (out, text);
      gomp_amp_out_close (out, "GOMP_AMP_RECORD", name);
    }
  free (order);
}

/* Give W's threads their numbers: that in the team of a thread's first event,
   or the next one that is free.  NUMBER: of each tracer.  */

static void
gomp_amp_number_threads (struct gomp_amp_written *w, unsigned *number)
{
  unsigned n = gomp_amp_spool.ntracers, i, most = 0;
  struct gomp_amp_tracer *t, **by = gomp_malloc ((n + 1) * sizeof *by);
  bool *taken;

  for (t = gomp_amp_spool.tracers; t != NULL; t = t->next)
    {
      by[t->number] = t;
      if (t->thread > most)
	most = t->thread;
    }
  taken = gomp_malloc_cleared (n + most + 1);
  for (i = 0; i < n; i++)
    {
      unsigned wish = by[i]->thread;

      while (taken[wish])
	wish = wish < most ? most : wish + 1;
      taken[wish] = true;
      number[i] = wish;
      if (wish >= w->threads)
	w->threads = wish + 1;
    }
  free (taken);
  free (by);
}

/* Bring together what threads have written.  */

static void
gomp_amp_collect (struct gomp_amp_written *w)
{
  unsigned *number = gomp_malloc ((gomp_amp_spool.ntracers + 1)
				  * sizeof *number);
  struct gomp_amp_tracer *t;
  uint64_t at = 0;
  size_t room, i, j;
  char *map = NULL;

  gomp_amp_number_threads (w, number);
  if (gomp_amp_spool.bytes != 0)
    {
      map = mmap (NULL, gomp_amp_spool.bytes, PROT_READ, MAP_PRIVATE,
		  gomp_amp_spool.fd, 0);
      if (map == MAP_FAILED)
	{
	  gomp_amp_spool.error = errno;
	  gomp_amp_spool.bytes = 0;
	  map = NULL;
	}
    }
  room = gomp_amp_spool.bytes / sizeof *w->events;
  for (t = gomp_amp_spool.tracers; t != NULL; t = t->next)
    room += GOMP_AMP_EVENTS;
  w->events = gomp_malloc ((room + 1) * sizeof *w->events);
  w->thread = gomp_malloc ((room + 1) * sizeof *w->thread);
  while (at < gomp_amp_spool.bytes)
    {
      struct gomp_amp_spool_head head;

      memcpy (&head, map + at, sizeof head);
      at += sizeof head;
      memcpy (w->events + w->count, map + at, head.count * sizeof *w->events);
      at += head.count * sizeof *w->events;
      for (i = 0; i < head.count; i++)
	w->thread[w->count++] = number[head.thread];
    }
  if (map != NULL)
    munmap (map, gomp_amp_spool.bytes);
  for (t = gomp_amp_spool.tracers; t != NULL; t = t->next)
    {
      j = t->events != NULL ? __atomic_load_n (&t->count, __ATOMIC_ACQUIRE) : 0;
      memcpy (w->events + w->count, t->events, j * sizeof *w->events);
      for (i = 0; i < j; i++)
	w->thread[w->count++] = number[t->number];
    }
  free (number);
  for (i = 0; i < w->count; i++)
    gomp_amp_add_place (w, w->events[i].address);
}

/* Called when the process ends.  */

static void
gomp_amp_write_traces (void)
{
  struct gomp_amp_written *w;
  uint64_t ticks, ns;
  size_t length;

  if (!gomp_amp_tracing)
    return;
  __atomic_store_n (&gomp_amp_tracing, false, __ATOMIC_RELAXED);
  ticks = amp_ticks () - gomp_amp_begun_ticks;
  ns = gomp_amp_monotonic () - gomp_amp_begun_ns;
  gomp_mutex_lock (&gomp_amp_spool.lock);
  gomp_amp_spool.closed = true;
  w = gomp_malloc_cleared (sizeof *w);
  w->begun = gomp_amp_begun_ticks;
  w->scale = ticks != 0 ? (double) ns / (double) ticks : 1.0;
  gomp_amp_collect (w);
  if (gomp_amp_spool.fd >= 0)
    close (gomp_amp_spool.fd);
  gomp_mutex_unlock (&gomp_amp_spool.lock);
  if (gomp_amp_spool.error != 0)
    gomp_error ("%s: not all chunks could be kept: %s",
		gomp_amp_trace_file != NULL ? "GOMP_AMP_TRACE"
		: "GOMP_AMP_RECORD", strerror (gomp_amp_spool.error));
  /* A process that ran no loop, such as a shell that starts the program,
     leaves the file alone.  */
  if (w->count != 0 && gomp_amp_trace_file != NULL)
    {
      length = strlen (gomp_amp_trace_file);
      if (length > 4 && strcmp (gomp_amp_trace_file + length - 4, ".prv") == 0)
	gomp_amp_write_prv (w, gomp_amp_trace_file, ns);
      else
	gomp_amp_write_json (w, gomp_amp_trace_file);
    }
  if (w->count != 0 && gomp_amp_costs_file != NULL)
    gomp_amp_write_costs (w, gomp_amp_costs_file, ns);
  free (w->places);
  free (w->events);
  free (w->thread);
  free (w);
}

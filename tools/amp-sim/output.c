/* SPDX-License-Identifier: GPL-3.0-or-later

   What amp-sim prints: tables, JSON, and Gantt pictures as text and SVG.
   Included by amp-sim.c.  */

struct unit
{
  const char *name;
  double ns;
};

static struct unit
unit_for (double ns)
{
  static const struct unit units[] = {
    { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1.0 }
  };
  unsigned i = 0;

  while (i < 3 && ns < units[i].ns)
    i++;
  return units[i];
}

static double
ideal_ns (void)
{
  return job.ideal / SCALE;
}

/* 1 where there is nothing to do.  */

static double
efficiency (double ideal, double time)
{
  return time > 0.0 ? ideal / time : 1.0;
}

/* On average over R's executions.  */

static double
mean_watts (const struct run *r)
{
  return r->sum > 0.0 ? r->joules / (r->sum / 1e9) : 0.0;
}

static void
print_table (unsigned threads)
{
  struct unit u = unit_for (ideal_ns ());

  printf ("machine: %s, %u threads; speeds", machine.text, machine.lanes);
  for (size_t i = 0; i < machine.types; i++)
    printf ("%s%g", i != 0 ? ", " : " ", machine.speed[i]);
  printf ("\nwork: %ju iterations", (uintmax_t) job.n);
  if (job.loops > 1)
    printf (" in %zu loops", job.loops);
  printf (", %.6g ms on speed 1; executed %u time%s\n",
	  job.work / SCALE / 1e6, plan.executions,
	  plan.executions == 1 ? "" : "s");
  if (job.serial > 0.0)
    printf ("outside of loops: %.6g ms on speed 1\n", job.serial / SCALE / 1e6);
  printf ("atomic update: %.4g ns", plan.rmw);
  if (threads != 0)
    printf (" (measured here, %u thread%s on one word)", threads,
	    threads == 1 ? "" : "s");
  printf ("\nideal: %.3f %s\n\n%-20s", ideal_ns () / u.ns, u.name, "schedule");
  if (plan.executions > 1)
    printf (" %9s %-2s %9s %-2s %9s %-2s", "first", u.name, "last", u.name,
	    "mean", u.name);
  else
    printf (" %9s %-2s", "makespan", u.name);
  printf (" %10s %10s %9s", "efficiency", "grants", "imbalance");
  puts (power.given ? "     joules      watts" : "");
  for (size_t i = 0; i < plan.runs; i++)
    {
      struct run *r = &plan.run[i];
      double mean = r->sum / plan.executions;

      printf ("%-20s", r->name);
      if (plan.executions > 1)
	printf (" %12.3f %12.3f %12.3f", r->first / u.ns, r->last / u.ns,
		mean / u.ns);
      else
	printf (" %12.3f", r->last / u.ns);
      printf (" %10.4f %10ju %9.4f", efficiency (ideal_ns (), mean),
	      (uintmax_t) r->grants, r->imbalance);
      if (power.given)
	printf (" %10.4g %10.4f", r->joules, mean_watts (r));
      putchar ('\n');
    }
}

static void
print_string (const char *s)
{
  putchar ('"');
  for (; *s != '\0'; s++)
    if (*s == '"' || *s == '\\')
      printf ("\\%c", *s);
    else if ((unsigned char) *s < ' ')
      printf ("\\u%04x", *s);
    else
      putchar (*s);
  putchar ('"');
}

static void
print_json (const char *kernel, const char *klass, unsigned round)
{
  double least = machine.speed[0], most = machine.speed[0];

  for (size_t i = 1; i < machine.types; i++)
    {
      least = fmin (least, machine.speed[i]);
      most = fmax (most, machine.speed[i]);
    }
  for (size_t i = 0; i < plan.runs; i++)
    {
      struct run *r = &plan.run[i];
      double mean = r->sum / plan.executions;

      fputs ("{\"type\":\"run\",\"source\":\"simulation\",\"kernel\":", stdout);
      print_string (kernel);
      fputs (",\"class\":", stdout);
      print_string (klass);
      printf (",\"ratio\":%.15g,\"round\":%u,\"config\":\"amp:%s@%u\","
	      "\"status\":\"ok\",\"seconds\":%.15g,\"machine\":", most / least,
	      round, r->name, machine.lanes, r->sum / 1e9);
      print_string (machine.text);
      printf (",\"speeds\":[");
      for (unsigned j = 0; j < machine.types; j++)
	printf ("%s%.15g", j != 0 ? "," : "", machine.speed[j]);
      printf ("],\"loops\":%zu,\"iterations\":%ju,\"executions\":%u,"
	      "\"first_ns\":%.15g,\"last_ns\":%.15g,\"mean_ns\":%.15g,"
	      "\"ideal_ns\":%.15g,\"efficiency\":%.15g,\"grants\":%ju,"
	      "\"imbalance\":%.15g,\"grant_ns\":%.15g,\"serial_ns\":%.15g,"
	      "\"seed\":%ju",
	      job.loops, (uintmax_t) job.n, plan.executions, r->first,
	      r->last, mean, ideal_ns (), efficiency (ideal_ns (), mean),
	      (uintmax_t) r->grants, r->imbalance, plan.rmw,
	      job.serial / SCALE, (uintmax_t) plan.seed);
      if (power.given)
	printf (",\"joules\":%.15g,\"watts\":%.15g,\"edp\":%.15g",
		r->joules, mean_watts (r), r->joules * r->sum / 1e9);
      puts ("}");
    }
}

/* Gantt pictures, all schedules on one scale of time.  */

#define COLUMNS 64

static uint64_t
last_end (void)
{
  uint64_t end = 1;

  for (size_t i = 0; i < plan.runs; i++)
    if (plan.run[i].end > end)
      end = plan.run[i].end;
  return end;
}

static void
gantt_text (FILE *file)
{
  static const char mark[2] = { '=', '-' };
  struct cell { double busy, most; char what; };
  double width = (double) last_end () / COLUMNS;
  struct unit u = unit_for (width * COLUMNS / SCALE);
  struct cell *cells = allocate ((size_t) machine.lanes * COLUMNS,
				 sizeof *cells);

  fprintf (file, "# thread, speed, time from 0 to %.3f %s\n"
	   "# = and -: a thread's chunks in turn; #: several; .: none\n",
	   width * COLUMNS / SCALE / u.ns, u.name);
  for (size_t i = 0; i < plan.runs; i++)
    {
      struct run *r = &plan.run[i];

      memset (cells, 0, (size_t) machine.lanes * COLUMNS * sizeof *cells);
      for (size_t k = 0; k < r->segments; k++)
	{
	  const struct segment *s = &r->segment[k];
	  double start = (double) s->start / width;
	  double end = (double) s->end / width;

	  for (unsigned x = (unsigned) start; x < COLUMNS && x < end; x++)
	    {
	      struct cell *cell = &cells[(size_t) s->lane * COLUMNS + x];
	      double part = fmin (end, x + 1.0) - fmax (start, x);

	      cell->busy += part;
	      if (part > cell->most)
		{
		  cell->most = part;
		  cell->what = s->chunks > 1 ? '#' : mark[s->first % 2];
		}
	    }
	}
      fprintf (file, "\n%s: %.3f %s\n", r->name,
	       (double) r->end / SCALE / u.ns, u.name);
      for (unsigned lane = 0; lane < machine.lanes; lane++)
	{
	  fprintf (file, "%4u %8.4g |", lane,
		   machine.speed[machine.lane_type[lane]]);
	  for (unsigned x = 0; x < COLUMNS; x++)
	    {
	      const struct cell *cell = &cells[(size_t) lane * COLUMNS + x];

	      putc (cell->busy < 0.5 ? '.' : cell->most < 0.5 ? '#'
		    : cell->what, file);
	    }
	  fputs ("|\n", file);
	}
    }
  free (cells);
}

#define PICTURE 1000.0		/* Pixels in which time is drawn.  */
#define LEFT 110.0
#define TITLE 26.0

static void
gantt_svg (FILE *file)
{
  static const char *const colours[2][6] = {
    { "#1f5fa8", "#c4561a", "#2f7d3b", "#7b4aa0", "#8a6d14", "#56616b" },
    { "#6fa3d8", "#eda57c", "#83c48d", "#b795d3", "#d3b963", "#a3adb5" }
  };
  double scale = PICTURE / (double) last_end ();
  double row = fmin (18.0, fmax (2.0, 600.0 / machine.lanes));
  double panel = TITLE + row * machine.lanes + 8.0;
  double height = panel * (double) plan.runs + 40.0;
  double ideal = (loop_work (job.largest)
		  / loop_capacity (&job.loop[job.largest]));
  struct unit u = unit_for ((double) last_end () / SCALE);

  fprintf (file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
	   "height=\"%.0f\" stroke=\"none\" font-family=\"sans-serif\" "
	   "font-size=\"12\">\n"
	   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
	   LEFT + PICTURE + 60.0, height);
  for (size_t i = 0; i < plan.runs; i++)
    {
      const struct run *r = &plan.run[i];
      double top = panel * (double) i + TITLE;
      double y = top;

      fprintf (file, "<g id=\"schedule%zu\">\n"
	       "<text x=\"%.0f\" y=\"%.1f\" font-weight=\"bold\">%s</text>\n"
	       "<text x=\"%.0f\" y=\"%.1f\">%.3f %s, efficiency %.3f</text>\n",
	       i, LEFT, top - 8.0, r->name, LEFT + 220.0, top - 8.0,
	       (double) r->end / SCALE / u.ns, u.name,
	       efficiency (ideal, (double) r->end));
      for (unsigned j = 0; j < machine.types; j++)
	{
	  double tall = row * machine.count[j];

	  fprintf (file, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">"
		   "%u x %.4g</text>\n"
		   "<rect x=\"%.0f\" y=\"%.2f\" width=\"%.0f\" height=\"%.2f\" "
		   "fill=\"%s\"/>\n", LEFT - 8.0, y + tall / 2.0 + 4.0,
		   machine.count[j], machine.speed[j], LEFT, y, PICTURE, tall,
		   j % 2 ? "#eeeeee" : "#f6f6f6");
	  y += tall;
	}
      for (size_t k = 0; k < r->segments; k++)
	{
	  const struct segment *s = &r->segment[k];
	  double x = (double) s->start * scale;
	  double w = (double) (s->end - s->start) * scale;

	  fprintf (file, "<rect x=\"%.3f\" y=\"%.2f\" "
		   "width=\"%.3f\" height=\"%.2f\" fill=\"%s\"><title>thread %u: "
		   "%ju iterations in %ju chunks, the first from %ju, "
		   "%.3f to %.3f %s</title></rect>\n", LEFT + x,
		   top + row * s->lane, w, row > 4.0 ? row - 1.0 : row,
		   colours[s->first % 2][machine.lane_type[s->lane] % 6],
		   s->lane, (uintmax_t) s->iterations, (uintmax_t) s->chunks,
		   (uintmax_t) s->begin, (double) s->start / SCALE / u.ns,
		   (double) s->end / SCALE / u.ns, u.name);
	}
      fprintf (file, "<line x1=\"%.3f\" x2=\"%.3f\" y1=\"%.1f\" y2=\"%.1f\" "
	       "stroke=\"black\" stroke-width=\"1\"/>\n</g>\n",
	       LEFT + ideal * scale, LEFT + ideal * scale, top - 2.0, y + 2.0);
    }
  for (unsigned j = 0; j <= 10; j++)
    fprintf (file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.4g%s"
	     "</text>\n", LEFT + PICTURE * j / 10.0, height - 14.0,
	     (double) last_end () * j / 10.0 / SCALE / u.ns,
	     j == 10 ? u.name : "");
  fputs ("</svg>\n", file);
}

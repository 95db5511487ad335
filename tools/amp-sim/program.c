/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-sim's machine, and the loops that are executed on it: made up, or read
   from a file of costs (GOMP_AMP_TRACE=costs).  Included by amp-sim.c.  */

/* The machine.  */

static struct
{
  const char *text;
  unsigned types, lanes;
  unsigned count[AMP_MAX_TYPES];
  double speed[AMP_MAX_TYPES];
  struct sim_lane lane[MAX_LANES];
  unsigned char lane_type[MAX_LANES];
  double period;	/* Slow cores are fast ones that are stopped for the
			   rest of each; 0: they are slow.  In ns.  */
  unsigned clusters;	/* At most as many as lanes; 0 and 1: one.  */
  unsigned short cluster[MAX_LANES], cluster_size[MAX_LANES];
} machine;

/* Lanes belong to clusters in their order, to each as many.  */

static void
divide_machine (void)
{
  if (machine.clusters > 1 && machine.lanes % machine.clusters != 0)
    die (2, "--clusters %u: not divided evenly by that are the machine's %u "
	 "threads", machine.clusters, machine.lanes);
  for (unsigned i = 0; machine.clusters > 1 && i < machine.lanes; i++)
    {
      machine.cluster[i] = i * machine.clusters / machine.lanes;
      machine.cluster_size[machine.cluster[i]]++;
    }
}

static void
read_machine (const char *text)
{
  const char *s = text;
  unsigned i, j;

  machine.text = text;
  do
    {
      double count, speed;
      unsigned t = machine.types;

      if (t != 0)
	s++;
      if (!read_number (&s, &count) || count != floor (count) || count < 1
	  || *s++ != 'x' || !read_number (&s, &speed)
	  || (*s != '+' && *s != '\0'))
	die (2, "--machine '%s': COUNTxSPEED+... is expected, as in "
	     "4x2.0+4x1.0", text);
      if (t == AMP_MAX_TYPES)
	die (2, "--machine '%s': more than %u types", text, AMP_MAX_TYPES);
      if (count > MAX_LANES - machine.lanes)
	die (2, "--machine '%s': more than %u threads", text, MAX_LANES);
      if (speed < 1.0 / MAX_SPEED || speed > MAX_SPEED)
	die (2, "--machine '%s': speeds are from %g to %g", text,
	     1.0 / MAX_SPEED, MAX_SPEED);
      if (t != 0 && speed > machine.speed[t - 1])
	die (2, "--machine '%s': the fastest type comes first", text);
      machine.count[t] = (unsigned) count;
      machine.speed[t] = speed;
      machine.lanes += machine.count[t];
      machine.types++;
    }
  while (*s != '\0');
  for (i = j = 0; j < machine.types; j++)
    {
      unsigned end = i + machine.count[j];

      for (; i < end; i++)
	{
	  machine.lane[i].type = machine.lane[i].reported = j;
	  machine.lane[i].moves = SIM_NEVER;
	  machine.lane[i].grants = SIM_NEVER;
	  machine.lane_type[i] = j;
	}
    }
}

/* The loops of the program: one, or those of a file of costs.  */

/* A place in the program: the loops there have sites in common.  */

struct place
{
  char *name;
  double *sf;		/* Speed of its loops on each type against the
			   others; the first type keeps the machine's, since
			   costs were recorded there.  NULL: as the
			   machine's.  */
  double *known;	/* What the library is told; NULL: nothing.  */
  struct amp_site *site[65];	/* By magnitude, while a schedule runs.  */
};

struct loop
{
  uint64_t n;
  uint64_t *at;		/* As in struct sim_config, and the next two.  */
  size_t marks;
  double *sums;
  unsigned *workload;	/* For binlpt, or NULL.  */
  size_t place;
  double serial;	/* Work of the first lane alone, before the loop.  */
};

static struct
{
  struct loop *loop;
  size_t loops, room;
  uint64_t n;		/* Of all loops together.  */
  double work;
  double serial;	/* Of all loops together, and after the last.  */
  double ideal;		/* What a perfect division of WORK takes, with
			   SERIAL on the fastest core.  */
  size_t largest;	/* The loop with most work.  */
  struct place *place;
  size_t places, place_room;
} job;

/* The number of the place called NAME, LENGTH characters.  */

static size_t
find_place (const char *name, size_t length)
{
  for (size_t i = job.places; i-- > 0;)
    if (strlen (job.place[i].name) == length
	&& memcmp (job.place[i].name, name, length) == 0)
      return i;
  ((struct place *) append (&job.place, &job.places, &job.place_room,
			    sizeof *job.place))->name = copy (name, length);
  return job.places - 1;
}

static struct loop *
add_loop (void)
{
  return append (&job.loop, &job.loops, &job.room, sizeof *job.loop);
}

static double
loop_work (size_t k)
{
  const struct loop *loop = &job.loop[k];

  return loop->sums[loop->at != NULL ? loop->marks - 1 : loop->n];
}

/* The speed of LOOP on cores of type J.  */

static double
loop_speed (const struct loop *loop, unsigned j)
{
  const double *sf = job.place[loop->place].sf;

  return sf != NULL ? machine.speed[0] * sf[j] / sf[0] : machine.speed[j];
}

/* The files of `amp-run --measure-sf': a place and its speeds a line.  KNOWN:
   they are what the library is told.  */

static void
read_speeds (const char *option, const char *name, bool known)
{
  FILE *file = fopen (name, "r");
  char *line = NULL, message[AMP_MESSAGE_MAX];
  size_t size = 0, number = 0;

  if (file == NULL)
    die (1, "%s: %s", name, strerror (errno));
  while (getline (&line, &size, file) >= 0)
    {
      char *s = line + strspn (line, " \t");
      size_t length, place;
      double *sf;

      number++;
      s[strcspn (s, "#\r\n")] = '\0';
      length = strcspn (s, " \t");
      if (length == 0)
	continue;
      sf = allocate (AMP_MAX_TYPES, sizeof *sf);
      if (amp_parse_sf (s + length, machine.types, sf, message) != NULL)
	die (1, "%s %s:%zu: %s", option, name, number, message);
      place = find_place (s, length);
      if (known)
	job.place[place].known = sf;
      else
	job.place[place].sf = sf;
    }
  free (line);
  fclose (file);
}

/* Read NAME: a number a line, or a number and xCOUNT for as many iterations;
   `# loop' begins another loop and may say how many iterations it has, and its
   place; `# serial' is work between loops.  UNIT: nanoseconds that a cost of 1
   stands for.  */

static void
read_costs (const char *name, double unit)
{
  bool standard = strcmp (name, "-") == 0;
  FILE *file = standard ? stdin : fopen (name, "r");
  struct loop *loop = NULL;
  size_t room = 0, size = 0, number = 0;
  uint64_t total = 0, told = UINT64_MAX;
  char *line = NULL;
  ssize_t length;
  size_t place = find_place ("", 0);
  double serial = 0.0;
  struct stat status;

  if (standard)
    name = "standard input";
  if (file == NULL)
    die (1, "%s: %s", name, strerror (errno));
  /* One like /dev/zero has no end.  */
  if (!standard && fstat (fileno (file), &status) == 0
      && S_ISCHR (status.st_mode))
    die (1, "%s: a device; a file of costs is expected", name);
  for (;;)
    {
      const char *s;
      double cost, count = 1.0;
      uintmax_t k, n;
      bool head;
      int at = 0;

      errno = 0;
      length = getline (&line, &size, file);
      if (length < 0 && errno != 0)
	die (1, "%s: %s", name, strerror (errno));
      number++;
      s = length < 0 ? "" : line;
      while (isspace ((unsigned char) *s))
	s++;
      head = length >= 0 && strncmp (s, "# loop", 6) == 0;
      if (length < 0 || head)
	{
	  uint64_t have = loop != NULL ? loop->n : 0;

	  if (told != UINT64_MAX && told != have)
	    die (1, "%s: the loop before line %zu has %ju costs, but its head "
		 "says %ju: is the file complete?", name, number,
		 (uintmax_t) have, (uintmax_t) told);
	  if (length < 0)
	    break;
	  told = UINT64_MAX;
	  place = find_place ("", 0);
	  if (sscanf (s, "# loop %ju: %ju iterations at %n", &k, &n, &at) >= 2)
	    {
	      told = n;
	      if (at != 0)
		place = find_place (s + at, strcspn (s + at, " \t\r\n"));
	    }
	  loop = NULL;
	  room = 0;
	  continue;
	}
      if (sscanf (s, "# serial %lf", &cost) == 1 && cost >= 0.0
	  && cost * unit < MAX_NS)
	{
	  serial += cost * unit * SCALE;
	  job.serial += cost * unit * SCALE;
	  continue;
	}
      if (*s == '\0' || *s == '#')
	continue;
      if (!read_number (&s, &cost)
	  || (strncmp (s, " x", 2) == 0
	      && (s += 2, !read_number (&s, &count) || count < 1.0
		  || count != floor (count) || count > 1e15))
	  || s[strspn (s, " \t\r\n")] != '\0'
	  || strlen (line) != (size_t) length)
	{
	  line[strcspn (line, "\r\n")] = '\0';
	  die (1, "%s:%zu: '%.40s' is no cost: one number, 0 or more, is "
	       "expected", name, number, line);
	}
      if (++total > MAX_ITERATIONS)
	die (1, "%s: more than %u costs", name, MAX_ITERATIONS);
      if (loop == NULL)
	{
	  loop = add_loop ();
	  loop->place = place;
	  loop->serial = serial;
	  serial = 0.0;
	}
      if (loop->marks + 1 >= room)
	{
	  size_t same = room;

	  grow (&loop->at, &same, sizeof *loop->at);
	  grow (&loop->sums, &room, sizeof *loop->sums);
	}
      if (loop->marks == 0)
	{
	  loop->at[0] = 0;
	  loop->sums[0] = 0.0;
	  loop->marks = 1;
	}
      loop->n += (uint64_t) count;
      loop->at[loop->marks] = loop->n;
      loop->sums[loop->marks] = (loop->sums[loop->marks - 1]
				 + cost * count * unit * SCALE);
      loop->marks++;
    }
  if (total == 0)
    die (1, "%s: no costs", name);
  free (line);
  if (!standard)
    fclose (file);
}

static const struct { const char *name; } loads[] = {
  { "constant" }, { "linear" }, { "increasing" }, { "decreasing" },
  { "last-heavy" }, { "random" }, { "spikes" }
};

enum { CONSTANT, LINEAR, INCREASING, DECREASING, LAST_HEAVY, RANDOM, SPIKES,
       LOADS };

/* Iteration I of N under LOAD, in parts of the unit.  */

static double
load_cost (unsigned load, uint64_t i, uint64_t n, uint64_t seed)
{
  double place = ((double) i + 0.5) / (double) n;
  uint64_t h = sim_mix (sim_mix (seed + 1) + i);

  switch (load)
    {
    case LINEAR:
      return 2.0 * place;
    case INCREASING:
      return -log1p (-place);
    case DECREASING:
      return -log (place);
    case LAST_HEAVY:
      return i < n - n / 8 ? 1.0 : 16.0;
    case RANDOM:
      return (double) (h >> 11) * 0x1p-52;
    case SPIKES:
      return h % 64 == 0 ? 200.0 : 1.0;
    default:
      return 1.0;
    }
}

static void
make_load (unsigned load, uint64_t n, double unit, uint64_t seed)
{
  struct loop *loop = add_loop ();

  loop->place = find_place ("", 0);
  loop->n = n;
  loop->sums = allocate (n + 1, sizeof *loop->sums);
  for (uint64_t i = 0; i < n; i++)
    loop->sums[i + 1]
      = loop->sums[i] + load_cost (load, i, n, seed) * unit * SCALE;
}

/* What one iteration costs, iteration I of LOOP being after mark *M.  */

static double
one_cost (const struct loop *loop, uint64_t i, size_t *m)
{
  if (loop->at == NULL)
    return loop->sums[i + 1] - loop->sums[i];
  while (loop->at[*m + 1] <= i)
    ++*m;
  return ((loop->sums[*m + 1] - loop->sums[*m])
	  / (double) (loop->at[*m + 1] - loop->at[*m]));
}

static double
loop_capacity (const struct loop *loop)
{
  double capacity = 0.0;

  for (unsigned j = 0; j < machine.types; j++)
    capacity += machine.count[j] * loop_speed (loop, j);
  return capacity;
}

/* The totals, and, if WORKLOAD, what binlpt is told.  */

static void
complete_job (bool workload)
{
  double least = machine.speed[0], most = machine.speed[0];
  size_t k, m;
  uint64_t i;

  for (unsigned j = 0; j < machine.types; j++)
    {
      least = fmin (least, machine.speed[j]);
      most = fmax (most, machine.speed[j]);
    }
  job.ideal = job.serial / most;
  for (k = 0; k < job.loops; k++)
    {
      job.n += job.loop[k].n;
      job.work += loop_work (k);
      job.ideal += loop_work (k) / loop_capacity (&job.loop[k]);
      if (loop_work (k) > loop_work (job.largest))
	job.largest = k;
    }
  if (!(job.work / SCALE / least < MAX_NS))
    die (1, "one core would be busy for more than %g s, which is more than "
	 "can be simulated", MAX_NS / 1e9);
  for (k = 0; workload && k < job.loops; k++)
    {
      struct loop *loop = &job.loop[k];

      loop->workload = allocate (loop->n, sizeof *loop->workload);
      for (most = 0.0, i = m = 0; i < loop->n; i++)
	most = fmax (most, one_cost (loop, i, &m));
      for (i = m = 0; most > 0.0 && i < loop->n; i++)
	loop->workload[i] = (unsigned) (one_cost (loop, i, &m) / most
					* UINT32_MAX);
    }
}

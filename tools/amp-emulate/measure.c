/* SPDX-License-Identifier: GPL-3.0-or-later

   What ratio is reached: measuring, calibrating, verifying.  */

#define _GNU_SOURCE
#include "amp-emulate.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum
{
  CALIBRATE_WINDOWS = 9,
  CALIBRATE_ROUNDS = 4,
  VERIFY_WINDOWS = 15,
  VERIFY_ATTEMPTS = 3
};

#define FIRST_OVERHEAD (20 * NS_PER_US)
/* What counts as reached, and what is worth another calibration.  */
#define TOLERANCE 0.05
#define GOAL 0.02

struct worker
{
  pthread_t thread;
  int cpu;
  /* What CPU is slowed by, or NULL; TOGGLE: in odd windows only.  */
  const struct setting *setting;
  bool toggle;
  int windows;
  /* One result a window, 0 where there is none.  */
  double *speeds;
};

/* What the workers of one measurement share; written before the barrier that
   lets them start.  */
static struct
{
  pthread_barrier_t barrier;
  int64_t start;
  int64_t window;
  int64_t stride;
} session;

/* Measuring.  */

/* The unit of work: a dependent chain that no compiler shortens, well below a
   microsecond long.  */
static inline void
work (uint64_t *x)
{
  for (int i = 0; i < 256; i++)
    {
      *x = *x * UINT64_C (6364136223846793005) + 1;
      __asm__ volatile ("" : "+r" (*x));
    }
}

/* Measure the speed at which this CPU serves ordinary threads in each window:
   units per CPU time of this thread, times the share of the window that the
   thief left.  Where no other thread runs that is units per wall time; where
   others compete, their share is not held against the CPU.  What an
   interruption costs beyond the thief's CPU time lowers the first factor.

   A window is a whole number of periods long.  Both its ends are moments at
   which this thread runs; a thief that delays one delays the other as much, so
   that the window's phase against the thief does not matter.  */
static void *
worker_main (void *arg)
{
  struct worker *w = arg;
  uint64_t x = 1;
  clockid_t thief_clock;
  const struct thief *thief = w->setting != NULL ? w->setting->thief : NULL;
  bool has_thief = (thief != NULL
		    && pthread_getcpuclockid (thief->thread,
					      &thief_clock) == 0);

  pin (w->cpu);
  if (opt.method == METHOD_SIGNAL && !amp_slow_begin ())
    fail ("a timer: %s", strerror (errno));
  pthread_barrier_wait (&session.barrier);

  for (int i = 0; i < w->windows; i++)
    {
      int64_t begin = session.start + i * session.stride;
      if (w->toggle)
	{
	  set_slow (w->setting, i % 2);
	  if (opt.method == METHOD_SIGNAL)
	    amp_slow_look ();
	}
      sleep_until (begin - NS_PER_MS);
      while (now () < begin)
	continue;

      uint64_t count = 0;
      int64_t stolen = has_thief ? -read_clock (thief_clock) : 0;
      int64_t own = -read_clock (CLOCK_THREAD_CPUTIME_ID);
      int64_t time, wall = -now ();
      do
	{
	  work (&x);
	  count++;
	  time = now ();
	}
      while (time + wall < session.window);
      wall += time;
      own += read_clock (CLOCK_THREAD_CPUTIME_ID);
      if (has_thief)
	stolen += read_clock (thief_clock);
      w->speeds[i] = (own > 0 && stolen < wall
		      ? (double) count / own * (wall - stolen) / wall : 0.0);
    }
  amp_slow_end ();
  return NULL;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static struct measure
summarize (double *values, int n)
{
  struct measure m = { n, 0.0, 0.0, 0.0 };
  if (n == 0)
    return m;
  qsort (values, n, sizeof *values, compare_doubles);
  m.q1 = values[n / 4];
  m.median = n % 2 ? values[n / 2]
		   : (values[n / 2 - 1] + values[n / 2]) / 2.0;
  m.q3 = values[n - 1 - n / 4];
  return m;
}

/* Measure how much slower each CPU of P is than the reference CPU at the same
   time or, where there is none, than itself with its thief at rest, in
   alternate windows.  The results, one a setting, go to RESULTS.  */
void
measure_phase (struct phase *p, int windows, struct measure *results)
{
  bool self = p->reference < 0;
  int nworkers = p->nsettings + !self;
  int total = 1 + (self ? 2 * windows : windows);
  if (self)
    total += total % 2;
  struct worker *workers = xcalloc (nworkers, sizeof *workers);

  session.window = 5 * opt.period;
  if (session.window < 20 * NS_PER_MS)
    session.window = (20 * NS_PER_MS + opt.period - 1) / opt.period
		     * opt.period;
  session.stride = session.window + 2 * opt.period + 2 * NS_PER_MS;

  apply_phase (p);
  pthread_barrier_init (&session.barrier, NULL, nworkers + 1);
  for (int i = 0; i < nworkers; i++)
    {
      struct worker *w = &workers[i];
      w->windows = total;
      w->speeds = xcalloc (total, sizeof *w->speeds);
      if (i < p->nsettings)
	{
	  w->cpu = p->settings[i].cpu;
	  w->setting = &p->settings[i];
	  w->toggle = self;
	}
      else
	w->cpu = p->reference;
      create_thread (&w->thread, worker_main, w);
    }
  session.start = now () + 5 * NS_PER_MS;
  pthread_barrier_wait (&session.barrier);
  for (int i = 0; i < nworkers; i++)
    pthread_join (workers[i].thread, NULL);
  pthread_barrier_destroy (&session.barrier);
  beat ();

  double *ratios = xcalloc (total, sizeof *ratios);
  for (int i = 0; i < p->nsettings; i++)
    {
      const double *slow = workers[i].speeds;
      int n = 0;
      /* Window 0 warms the CPUs up.  */
      if (self)
	{
	  for (int k = 2; k + 1 < total; k += 2)
	    if (slow[k] > 0.0 && slow[k + 1] > 0.0)
	      ratios[n++] = slow[k] / slow[k + 1];
	}
      else
	{
	  const double *fast = workers[p->nsettings].speeds;
	  for (int k = 1; k < total; k++)
	    if (fast[k] > 0.0 && slow[k] > 0.0)
	      ratios[n++] = fast[k] / slow[k];
	}
      results[i] = summarize (ratios, n);
    }
  free (ratios);
  for (int i = 0; i < nworkers; i++)
    free (workers[i].speeds);
  free (workers);
}

static double
deviation (const struct measure *m, double asked)
{
  return m->windows > 0 ? m->median / asked - 1.0 : INFINITY;
}

static void
set_overhead (struct setting *s, int64_t overhead)
{
  int64_t spin = opt.period * (1.0 - 1.0 / s->asked) - overhead;
  s->overhead = overhead;
  s->spin = spin > 0 ? spin : 0;
}

/* Correct the settings of P by WEIGHT of what RESULTS say.  A thief's period
   leaves PERIOD - SPIN - OVERHEAD, which is PERIOD / (ratio reached); by
   signals a thread needs SLICE + SPIN + OVERHEAD, which is SLICE * (ratio
   reached), for SLICE.  */
static void
correct_phase (struct phase *p, const struct measure *results, double weight)
{
  for (int i = 0; i < p->nsettings; i++)
    {
      struct setting *s = &p->settings[i];
      if (s->asked <= 1.0 || results[i].windows == 0)
	continue;
      double ratio = results[i].median;
      double overhead = (opt.method == METHOD_SIGNAL
			 ? slice_of (s) * (ratio - 1.0) - s->spin
			 : opt.period - s->spin - opt.period / ratio);
      if (overhead > opt.period / 2)
	overhead = opt.period / 2;
      if (overhead < -opt.period / 20)
	overhead = -opt.period / 20;
      set_overhead (s, s->overhead + weight * (overhead - s->overhead));
    }
}

static double
worst_deviation (const struct phase *p, const struct measure *results)
{
  double worst = 0.0;
  for (int i = 0; i < p->nsettings; i++)
    {
      double d = fabs (deviation (&results[i], p->settings[i].asked));
      if (p->settings[i].asked > 1.0 && d > worst)
	worst = d;
    }
  return worst;
}

void
calibrate_phase (struct phase *p)
{
  for (int i = 0; i < p->nsettings; i++)
    set_overhead (&p->settings[i],
		  opt.overhead >= 0 ? opt.overhead : FIRST_OVERHEAD);
  if (opt.overhead >= 0)
    return;
  struct measure *results = xcalloc (p->nsettings, sizeof *results);
  for (int round = 0; round < CALIBRATE_ROUNDS; round++)
    {
      measure_phase (p, CALIBRATE_WINDOWS, results);
      if (worst_deviation (p, results) < GOAL / 2)
	break;
      correct_phase (p, results, round < 2 ? 1.0 : 0.5);
    }
  free (results);
}

void
verify_phase (struct phase *p)
{
  struct measure *results = xcalloc (p->nsettings, sizeof *results);
  for (int attempt = 1;; attempt++)
    {
      measure_phase (p, VERIFY_WINDOWS, results);
      if (attempt == VERIFY_ATTEMPTS || opt.overhead >= 0
	  || worst_deviation (p, results) < GOAL)
	break;
      correct_phase (p, results, 1.0);
    }
  for (int i = 0; i < p->nsettings; i++)
    p->settings[i].before = results[i];
  free (results);
}

bool
report_phase (const struct phase *p, bool after)
{
  bool good = true;
  char when[64] = "";
  if (after)
    snprintf (when, sizeof when, ", after the command");
  else if (p->at > 0)
    snprintf (when, sizeof when, ", from %g s on", (double) p->at / NS_PER_S);

  for (int i = 0; i < p->nsettings; i++)
    {
      const struct setting *s = &p->settings[i];
      const struct measure *m = after ? &s->after : &s->before;
      double d = deviation (m, s->asked);
      bool off = fabs (d) > TOLERANCE;
      if (off || !opt.quiet)
	warn ("CPU %d: asked %.2f, reached %.2f (period %s%s%s)", s->cpu,
	      s->asked, m->median, period_text (),
	      opt.method == METHOD_SIGNAL ? ", by signals" : "", when);
      if (!off)
	continue;
      good = false;
      if (s->asked > 1.0 && s->spin == 0 && d > 0)
	warn ("warning: CPU %d: %.2f is below what a period of %s can do:"
	      " its interruptions alone cost more; use a longer --period",
	      s->cpu, s->asked, period_text ());
      else
	warn ("warning: CPU %d is off by %+.1f %% (quartiles %.2f to %.2f):"
	      " do not trust figures of this run", s->cpu, 100.0 * d, m->q1,
	      m->q3);
    }
  return good;
}

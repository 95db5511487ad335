/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   amp_mpi_for: the schedules.  */

#include "comm.h"

#include <stdlib.h>
#include <string.h>

/* A loop under way, on one rank.  */
struct loop
{
  struct shared *state;
  int64_t n;
  amp_mpi_body *body;
  void *data;
  const struct amp_mpi_options *options;
  struct done done;   /* Since the last exchange.  */
  double moving;      /* Seconds told by the call under way.  */
  double last;	      /* Seconds of the last range, in all.  */
  uint64_t added;
};

/* The loop whose body this thread is in.  */
static _Thread_local struct loop *current;

void
amp_mpi_moving (double seconds)
{
  if (current && seconds > 0)
    current->moving += seconds;
}

/* Keep RANGE for amp_mpi_allgather; ranges that touch become one.  */
static void
keep (struct shared *s, struct range range)
{
  if (s->nran > 0 && s->ran[s->nran - 1].end == range.begin)
    {
      s->ran[s->nran - 1].end = range.end;
      return;
    }
  if (s->nran == s->room)
    {
      int64_t room = s->room ? 2 * s->room : 4;
      struct range *more = realloc (s->ran, room * sizeof *more);
      if (more == NULL)
	{
	  s->lost = true;
	  return;
	}
      s->ran = more;
      s->room = room;
    }
  s->ran[s->nran++] = range;
}

static uint64_t
nanoseconds (double seconds)
{
  return seconds > 0 ? (uint64_t) (seconds * 1e9) : 0;
}

static void
run (struct loop *loop, struct range range)
{
  if (range.begin >= range.end)
    return;
  keep (loop->state, range);
  loop->moving = 0;
  struct loop *outer = current;
  current = loop;
  double start = MPI_Wtime ();
  if (loop->options->fetch)
    {
      loop->options->fetch (range.begin, range.end, loop->data);
      loop->moving = MPI_Wtime () - start;
    }
  loop->body (range.begin, range.end, loop->data);
  loop->last = MPI_Wtime () - start;
  current = outer;
  loop->done.iterations += range.end - range.begin;
  loop->done.moving += nanoseconds (loop->moving);
  loop->done.computing += nanoseconds (loop->last - loop->moving);
}

/* Collective: the end of a part of LOOP.  */
static int
exchange (struct loop *loop)
{
  int code = shared_exchange (loop->state, &loop->done, loop->added);
  memset (&loop->done, 0, sizeof loop->done);
  loop->added = 0;
  return code;
}

static int
run_static (struct loop *loop)
{
  struct shared *s = loop->state;
  run (loop, deal_even (loop->n, s->ranks, s->rank));
  return exchange (loop);
}

static int
run_dynamic (struct loop *loop)
{
  struct shared *s = loop->state;
  int64_t chunk = loop->options->chunk, grain = deal_grain (loop->n, chunk);
  uint64_t grains = (loop->n - 1) / grain + 1, left = grains, at;
  uint64_t amount = 0;
  int code = shared_counter (s);
  while (code == MPI_SUCCESS && left > 0)
    {
      amount = chunk ? 1 : deal_amount (left, s->ranks, amount, loop->last,
					s->fetch_seconds);
      if ((code = shared_fetch (s, amount, &at)) != MPI_SUCCESS)
	break;
      loop->added += amount;
      if (at >= grains)
	break;
      if (amount > grains - at)
	amount = grains - at;
      left = grains - at - amount;
      struct range range;
      range.begin = (int64_t) at * grain;
      range.end = left ? range.begin + (int64_t) amount * grain : loop->n;
      run (loop, range);
    }
  return code == MPI_SUCCESS ? exchange (loop) : code;
}

static int
run_guided (struct loop *loop)
{
  struct shared *s = loop->state;
  int64_t least = loop->options->chunk ? loop->options->chunk : 1;
  struct walk walk = { 0, 0 };
  uint64_t step;
  int code = shared_counter (s);
  while (code == MPI_SUCCESS && walk.begin < loop->n)
    {
      if ((code = shared_fetch (s, 1, &step)) != MPI_SUCCESS)
	break;
      loop->added++;
      struct range range = deal_guided (&walk, loop->n, s->ranks, least, step);
      run (loop, range);
      if (range.end == loop->n)
	break;
    }
  return code == MPI_SUCCESS ? exchange (loop) : code;
}

/* The block of this rank among N iterations, by the site's shares.  */
static struct range
block (struct shared *s, const struct site *site, int64_t n)
{
  for (int r = 0; r < s->ranks; r++)
    s->share[r] = site->rank[r].share;
  return deal_by_share (n, s->ranks, s->share, s->rank);
}

static int
run_weighted (struct loop *loop, struct site *site)
{
  struct shared *s = loop->state;
  site_weigh (site, s->ranks);
  run (loop, block (s, site, loop->n));
  int code = exchange (loop);
  if (code == MPI_SUCCESS)
    site_observe (site, s->ranks, s->done, false);
  return code;
}

static int
run_hetprobe (struct loop *loop, struct site *site)
{
  struct shared *s = loop->state;
  int percent = loop->options->percent ? loop->options->percent : 10;
  int64_t probed;
  struct range range;
  int code;
  if (site->probes == SITE_PROBES)
    {
      run (loop, block (s, site, loop->n));
      code = exchange (loop);
      if (code == MPI_SUCCESS)
	site_changed (site, s->ranks, s->done);
      return code;
    }
  run (loop, deal_probe (loop->n, percent, s->ranks, s->rank, &probed));
  if ((code = exchange (loop)) != MPI_SUCCESS)
    return code;
  site_observe (site, s->ranks, s->done, true);
  site_decide (site, s->ranks);
  site->probes++;
  if (probed == loop->n)
    return code;
  range = block (s, site, loop->n - probed);
  run (loop, range_of (range.begin + probed, range.end + probed));
  return exchange (loop);
}

static int
run_loop (struct loop *loop)
{
  struct shared *s = loop->state;
  int schedule = loop->options->schedule;
  struct site *site = NULL;
  if (s->ranks == 1)
    {
      run (loop, range_of (0, loop->n));
      return MPI_SUCCESS;
    }
  if (schedule == AMP_MPI_WEIGHTED || schedule == AMP_MPI_HETPROBE)
    {
      site = site_find (&s->sites, loop->options->site, loop->n, schedule,
			s->ranks);
      if (site == NULL)
	return MPI_ERR_NO_MEM;
    }
  switch (schedule)
    {
    case AMP_MPI_GUIDED:
      return run_guided (loop);
    case AMP_MPI_STATIC:
      return run_static (loop);
    case AMP_MPI_WEIGHTED:
      return run_weighted (loop, site);
    case AMP_MPI_HETPROBE:
      return run_hetprobe (loop, site);
    default:
      return run_dynamic (loop);
    }
}

static bool
options_right (const struct amp_mpi_options *o)
{
  return o->schedule >= AMP_MPI_DYNAMIC && o->schedule <= AMP_MPI_HETPROBE
	 && o->percent >= 0 && o->percent <= 100 && o->chunk >= 0;
}

int
amp_mpi_for (MPI_Comm comm, int64_t n, amp_mpi_body *body, void *data,
	     const struct amp_mpi_options *options)
{
  static const struct amp_mpi_options defaults;
  struct shared *s;
  int code = shared_of (comm, &s);
  if (code != MPI_SUCCESS)
    return code;
  if (options == NULL)
    options = &defaults;
  if (n < 0 || body == NULL || !options_right (options))
    return report (comm, MPI_ERR_ARG);
  if (s->busy || s->broken)
    return report (comm, MPI_ERR_OTHER);
  s->nran = 0;
  s->lost = false;
  free (s->all);
  s->all = NULL;
  if (n == 0)
    return MPI_SUCCESS;
  struct loop loop = { .state = s, .n = n, .body = body, .data = data,
		       .options = options };
  s->busy = true;
  code = run_loop (&loop);
  s->busy = false;
  s->broken = code != MPI_SUCCESS;
  return report (comm, code);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libamp-mpi's loops over the ranks that there are: exact cover, what is
   remembered, errors, gathering, and what is made and freed.  Calls of MPI go
   through wrappers of its profiling interface, which count them, let some fail,
   and, with the argument apart, make ranks believe that they are on different
   machines.  A second argument: fewer loops, for MPIs that do not give way where
   ranks share a CPU.  The clock is made up, so that nothing depends on this machine.  */

#include "amp_mpi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STALE = -1 };

static int ranks, rank, passed, failed;
/* What the wrappers do, and what they have seen.  */
static bool apart, few, fail_allgather;
static int fetches, windows, windows_freed, dups, comms_freed, handled;
static double now;

double
MPI_Wtime (void)
{
  return now;
}

int
MPI_Comm_split_type (MPI_Comm comm, int type, int key, MPI_Info info,
		     MPI_Comm *made)
{
  dups++;
  return apart ? PMPI_Comm_dup (MPI_COMM_SELF, made)
	 : PMPI_Comm_split_type (comm, type, key, info, made);
}

int
MPI_Comm_dup (MPI_Comm comm, MPI_Comm *made)
{
  dups++;
  return PMPI_Comm_dup (comm, made);
}

int
MPI_Comm_free (MPI_Comm *comm)
{
  comms_freed++;
  return PMPI_Comm_free (comm);
}

int
MPI_Fetch_and_op (const void *from, void *to, MPI_Datatype type, int target,
		  MPI_Aint place, MPI_Op op, MPI_Win window)
{
  fetches++;
  return PMPI_Fetch_and_op (from, to, type, target, place, op, window);
}

int
MPI_Win_allocate (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
		  void *base, MPI_Win *window)
{
  windows++;
  return PMPI_Win_allocate (size, unit, info, comm, base, window);
}

int
MPI_Win_allocate_shared (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
			 void *base, MPI_Win *window)
{
  windows++;
  return PMPI_Win_allocate_shared (size, unit, info, comm, base, window);
}

int
MPI_Win_free (MPI_Win *window)
{
  windows_freed++;
  return PMPI_Win_free (window);
}

int
MPI_Allgather (const void *from, int n, MPI_Datatype type, void *to, int m,
	       MPI_Datatype to_type, MPI_Comm comm)
{
  return fail_allgather ? MPI_ERR_INTERN
	 : PMPI_Allgather (from, n, type, to, m, to_type, comm);
}

/* What was found here; all ranks must find it.  */
static int found[200];
static const char *said[200];
static int nfound;

static void
check (bool good, const char *what)
{
  found[nfound] = good;
  said[nfound++] = what;
}

static void
judge (void)
{
  int all[200];
  PMPI_Allreduce (found, all, nfound, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  for (int i = 0; i < nfound; i++)
    {
      passed += all[i];
      failed += !all[i];
      if (!all[i] && rank == 0)
	printf ("FAIL: %s\n", said[i]);
    }
}

struct range
{
  int64_t begin, end;
};

/* The ranges that this rank ran in the last loop.  */
enum { MOST = 4096 };
static struct range ran[MOST];
static int nran;
static bool ascending;
/* Seconds of the made-up clock that an iteration takes here, and that moving
   its data takes, told by the body.  */
static double cost, moving;

/* What this rank ran in loops that are still to be judged, and these loops'
   N.  One gathering for many, as it is slow where ranks share a CPU.  */
struct entry
{
  int64_t loop, begin, end;
};
static struct entry *kept;
static int nkept, room;
static int64_t wanted[2048];
static int nloops;

static void
body (int64_t begin, int64_t end, void *data)
{
  if (nran && begin < ran[nran - 1].end)
    ascending = false;
  if (nran == MOST || begin >= end || begin < 0 || data != &ranks)
    ascending = false;
  else
    ran[nran++] = (struct range) { begin, end };
  if (nkept == room)
    kept = realloc (kept, (room = 2 * room + 64) * sizeof *kept);
  kept[nkept++] = (struct entry) { nloops, begin, end };
  now += (double) (end - begin) * (cost + moving);
  amp_mpi_moving ((double) (end - begin) * moving);
}

static int
compare (const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  if (x->loop != y->loop)
    return (x->loop > y->loop) - (x->loop < y->loop);
  return (x->begin > y->begin) - (x->begin < y->begin);
}

static bool
loop (MPI_Comm comm, int64_t n, const struct amp_mpi_options *options)
{
  nran = 0;
  ascending = true;
  int code = amp_mpi_for (comm, n, body, &ranks, options);
  wanted[nloops++] = n;
  return code == MPI_SUCCESS && ascending;
}

/* Whether in each loop since the last call the ranges of all ranks were 0 to n,
   each once.  */
static bool
covered (void)
{
  int count[64], place[64], mine = 3 * nkept, total = 0;
  PMPI_Allgather (&mine, 1, MPI_INT, count, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; total += count[r++])
    place[r] = total;
  struct entry *all = malloc ((total + 1) * sizeof (int64_t));
  PMPI_Allgatherv (kept, mine, MPI_INT64_T, all, count, place, MPI_INT64_T,
		   MPI_COMM_WORLD);
  total /= 3;
  qsort (all, total, sizeof *all, compare);
  bool good = true;
  int i = 0;
  for (int k = 0; k < nloops; k++)
    {
      int64_t at = 0;
      for (; i < total && all[i].loop == k; at = all[i++].end)
	good &= all[i].begin == at && all[i].end > at;
      good &= at == wanted[k];
    }
  free (all);
  good &= i == total;
  nkept = nloops = 0;
  return good;
}

static void
cover (MPI_Comm comm)
{
  const int64_t huge = INT64_MAX;
  const int64_t n[] = { huge, ranks - 1, 1000, ranks + 1, 0, 1, 2, ranks, 37,
			(INT64_C (1) << 53) + 1, huge - 1 };
  int sizes = few ? 2 : 11;
  check (loop (comm, 1000, NULL) && covered (), "without options each iteration is run once");
  bool good[5] = { true, true, true, true, true };
  for (int schedule = AMP_MPI_DYNAMIC; schedule <= AMP_MPI_GUIDED; schedule++)
    for (int i = 0; i < sizes; i++)
      {
	const int64_t chunk[] = { 0, n[i] / 11 + 1, huge, n[i] > 40 ? 0 : 1 };
	for (int k = 0; k < 4; k++)
	  {
	    struct amp_mpi_options o = { schedule, .chunk = chunk[k] };
	    /* Of a huge n the least piece is not 1, for the sake of time.  */
	    if (schedule == AMP_MPI_GUIDED && n[i] > 1000 && chunk[k] == 0)
	      o.chunk = n[i] / 40;
	    good[schedule] &= loop (comm, n[i], &o);
	  }
      }
  for (int schedule = AMP_MPI_STATIC; schedule <= AMP_MPI_HETPROBE; schedule++)
    for (int i = 0; i < sizes; i++)
      for (int k = 0; k < (schedule != AMP_MPI_HETPROBE ? few ? 2 : 4 : few ? 12 : 16);
	   k++)
	{
	  struct amp_mpi_options o = { schedule, .site = 1 };
	  if (schedule == AMP_MPI_HETPROBE)
	    o.percent = k < 2 ? 100 : k < 4 ? 1 : 0;
	  cost = 1e-9 * (1 + (rank + k % 12) % 5);
	  moving = 1e-9 * (rank % 3);
	  good[schedule] &= loop (comm, n[i], &o);
	}
  cost = moving = 0;
  check (good[AMP_MPI_DYNAMIC], "dynamic: ranges are not empty, and ascend");
  check (good[AMP_MPI_GUIDED], "guided: the same");
  check (good[AMP_MPI_STATIC], "static: the same");
  check (good[AMP_MPI_WEIGHTED], "weighted: the same");
  check (good[AMP_MPI_HETPROBE], "hetprobe: the same");
  check (covered (), "each iteration is run once");
}

/* How many iterations this rank ran.  */
static int64_t
mine (void)
{
  int64_t sum = 0;
  for (int i = 0; i < nran; i++)
    sum += ran[i].end - ran[i].begin;
  return sum;
}

static void
remembered (MPI_Comm comm)
{
  enum { N = 100000 };
  struct amp_mpi_options o = { .schedule = AMP_MPI_WEIGHTED, .site = 7 };
  now = 0;
  double speed = ranks - 1 + 1 / 3.0;
  int64_t ideal = (int64_t) (N / speed / (rank == ranks - 1 ? 3 : 1));
  cost = rank == ranks - 1 ? 3e-6 : 1e-6;
  bool good = loop (comm, N, &o) && llabs (mine () - N / ranks) <= ranks;
  check (good, "weighted: equal blocks at first");
  for (int i = 0; i < 3; i++)
    {
      good = loop (comm, N, &o);
      good &= ranks == 1 || (nran == 1 && llabs (mine () - ideal) < 10);
      check (good, "weighted: then by speed");
    }
  struct range was = ran[0];
  o.site = 8;
  check (loop (comm, N, &o) && llabs (mine () - N / ranks) <= ranks,
	 "another site knows nothing of it");
  o.site = 7;
  check (loop (comm, N, &o) && ran[0].begin == was.begin && ran[0].end == was.end,
	 "the first has forgotten nothing");
  cost = 0;
  check (covered (), "each iteration is run once");
}

/* What a rank is given of a loop that is probed: data that are at rank 0.  */
static void
fetch (int64_t begin, int64_t end, void *data)
{
  (void) data;
  if (rank != 0)
    now += (double) (end - begin) * 1e-6 * rank;
}

static void
hetprobe (MPI_Comm comm)
{
  enum { N = 100000 };
  struct amp_mpi_options o = { .schedule = AMP_MPI_HETPROBE, .percent = 20 };
  int64_t each = N / 5 / ranks;
  bool good = true;
  if (ranks == 1)
    return;
  now = 0;
  /* Moving takes a rank its own number times 1 us, computing 2.5 us: ranks from
     3 on do not pay.  */
  o.fetch = fetch;
  cost = 2.5e-6;
  double speed = 0;
  for (int r = 0; r < ranks && r < 3; r++)
    speed += 1 / (2.5 + r);
  double share = rank < 3 ? 1 / (2.5 + rank) / speed : 0;
  for (int k = 0; k < 10; k++)
    {
      good &= loop (comm, N, &o) && ran[0].begin == rank * each
	      && ran[0].end - ran[0].begin == each;
      int64_t rest = mine () - each;
      good &= llabs (rest - (int64_t) (share * (N - each * ranks))) < 10;
    }
  check (good, "hetprobe: ten probes, the same to the same rank, then by speed");
  good = loop (comm, N, &o) && nran == (share > 0)
	 && llabs (mine () - (int64_t) (share * N)) < 10;
  check (good, "hetprobe: then what is remembered; where moving costs too much, nothing");
  /* All are slower by half: a change when it has been seen twice.  */
  cost = 5e-6;
  for (int k = 0; k < 2; k++)
    check (loop (comm, N, &o) && nran == (share > 0), "hetprobe: a change is not believed at once");
  check (loop (comm, N, &o) && ran[0].begin == rank * each && (rank > 4 || mine () > each),
	 "hetprobe: changed times are probed again");
  o.fetch = NULL;
  o.site = 1;
  cost = 1e-6;
  moving = rank ? 2e-6 : 0;
  good = true;
  for (int k = 0; k < 11; k++)
    good &= loop (comm, N, &o);
  check (good && mine () == (rank ? 0 : N), "hetprobe: one rank alone, by what bodies tell");
  check (covered (), "each iteration is run once");
  cost = moving = 0;
}

/* The ranks have the clock stand still: an empty loop.  */
static void
empty (MPI_Comm comm)
{
  static const int64_t sizes[] = { 1, 10, 100, 1000, 1000000, INT64_MAX };
  bool good = true;
  for (int i = 0; i < 6; i++)
    {
      fetches = 0;
      good &= loop (comm, sizes[i], NULL) && fetches <= (apart ? 3 : 0)
	      && (ranks == 1 || !apart || fetches > 0);
    }
  fetches = 0;
  check (good && loop (comm, 0, NULL) && fetches == 0 && covered (),
	 "an empty loop costs three fetches a rank at most");
}

static void
handler (MPI_Comm *comm, int *code, ...)
{
  (void) comm;
  (void) code;
  handled++;
}

static bool
fails (int code, int with, int calls)
{
  int kind = MPI_SUCCESS;
  if (code != MPI_SUCCESS)
    MPI_Error_class (code, &kind);
  bool good = kind == with && handled == calls;
  handled = 0;
  return good;
}

static int inner;

static void
nesting (int64_t begin, int64_t end, void *comm)
{
  (void) begin;
  (void) end;
  inner = amp_mpi_for (*(MPI_Comm *) comm, 10, body, &ranks, NULL);
}

static void
errors (void)
{
  MPI_Comm comm, half, inter;
  MPI_Errhandler ours;
  struct amp_mpi_options o = { .schedule = AMP_MPI_STATIC };
  PMPI_Comm_dup (MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler (handler, &ours);
  check (loop (comm, 100, NULL), "a loop before the handler is set");
  MPI_Comm_set_errhandler (comm, ours);
  check (fails (amp_mpi_for (comm, -1, body, NULL, NULL), MPI_ERR_ARG, 1),
	 "a negative number is an error");
  check (fails (amp_mpi_for (comm, 1, NULL, NULL, NULL), MPI_ERR_ARG, 1), "so is no body");
  o.percent = 101;
  check (fails (amp_mpi_for (comm, 1, body, NULL, &o), MPI_ERR_ARG, 1), "so are 101 percent");
  o.percent = 0;
  o.chunk = -1;
  check (fails (amp_mpi_for (comm, 1, body, NULL, &o), MPI_ERR_ARG, 1), "so is a chunk below 0");
  o.chunk = 0;
  o.schedule = 5;
  check (fails (amp_mpi_for (comm, 1, body, NULL, &o), MPI_ERR_ARG, 1), "so is no schedule");
  o.schedule = AMP_MPI_STATIC;
  check (loop (comm, 100, &o), "none of them does harm");
  int code = amp_mpi_for (comm, ranks, nesting, &comm, &o);
  check (code == MPI_SUCCESS && fails (inner, MPI_ERR_OTHER, 1), "a loop in a body is an error");
  MPI_Comm_set_errhandler (MPI_COMM_WORLD, ours);
  check (fails (amp_mpi_for (MPI_COMM_NULL, 1, body, NULL, NULL), MPI_ERR_COMM, 1),
	 "no communicator is MPI's error");
  MPI_Comm_set_errhandler (MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (ranks > 1)
    {
      PMPI_Comm_split (comm, rank > 0, rank, &half);
      MPI_Intercomm_create (half, 0, comm, rank > 0 ? 0 : 1, 0, &inter);
      MPI_Comm_set_errhandler (inter, ours);
      check (fails (amp_mpi_for (inter, 1, body, NULL, NULL), MPI_ERR_COMM, 1),
	     "an intercommunicator is an error");
      PMPI_Comm_free (&inter);
      PMPI_Comm_free (&half);
      fail_allgather = true;
      check (fails (amp_mpi_for (comm, 100, body, &ranks, &o), MPI_ERR_INTERN, 1),
	     "an error of MPI is returned, and handled as the communicator's");
      fail_allgather = false;
      check (fails (amp_mpi_for (comm, 100, body, &ranks, &o), MPI_ERR_OTHER, 1)
	     && fails (amp_mpi_allgather (comm, &o, MPI_INT), MPI_ERR_OTHER, 1),
	     "after it there are no further loops");
      nkept = nloops = 0;
    }
  MPI_Errhandler_free (&ours);
  PMPI_Comm_free (&comm);
}

/* An element with room behind it.  */
struct element
{
  int64_t value, other;
};

static struct element buffer[3000];

static void
make (int64_t begin, int64_t end, void *data)
{
  (void) data;
  for (int64_t i = begin; i < end; i++)
    buffer[i].value = 3 * i;
  now += (double) (end - begin) * cost;
}

static bool
gathered (MPI_Comm comm, int64_t n, const struct amp_mpi_options *o,
	  MPI_Datatype type)
{
  for (int i = 0; i < 3000; i++)
    buffer[i] = (struct element) { STALE, rank };
  if (amp_mpi_for (comm, n, make, NULL, o)
      || amp_mpi_allgather (comm, buffer, type))
    return false;
  for (int i = 0; i < 3000; i++)
    if (buffer[i].value != (i < n ? 3 * i : STALE) || buffer[i].other != rank)
      return false;
  return true;
}

static void
gather (MPI_Comm comm)
{
  static const int64_t n[] = { 0, 1, 5, 3000 };
  static const int64_t chunk[] = { 0, 100, 7 };
  MPI_Datatype type;
  MPI_Comm own;
  bool good = true;
  MPI_Type_create_resized (MPI_INT64_T, 0, sizeof (struct element), &type);
  MPI_Type_commit (&type);
  PMPI_Comm_dup (comm, &own);
  check (amp_mpi_allgather (own, buffer, type) == MPI_SUCCESS, "nothing to gather is no error");
  PMPI_Comm_free (&own);
  for (int i = few ? 3 : 0; i < 4; i++)
    for (int schedule = AMP_MPI_DYNAMIC; schedule <= AMP_MPI_HETPROBE; schedule++)
      for (int k = 0; k < (schedule <= AMP_MPI_GUIDED ? 3 : 1); k++)
	{
	  struct amp_mpi_options o = { .schedule = schedule, .chunk = chunk[k] };
	  cost = 1e-6 * (1 + rank);
	  good &= gathered (comm, n[i], &o, type);
	}
  check (good, "every rank gets what the others made, and nothing else changes");
  struct amp_mpi_options o = { .chunk = 13 };
  int64_t *array = malloc (500 * sizeof *array), *also = malloc (500 * sizeof *also);
  good = loop (comm, 500, &o) && covered ();
  memset (array, 0, 500 * sizeof *array);
  memset (also, 0, 500 * sizeof *also);
  for (int k = 0; k < nran; k++)
    for (int64_t i = ran[k].begin; i < ran[k].end; i++)
      also[i] = -(array[i] = i + 1);
  good &= amp_mpi_allgather (comm, array, MPI_INT64_T) == MPI_SUCCESS
	  && amp_mpi_allgather (comm, also, MPI_INT64_T) == MPI_SUCCESS;
  for (int64_t i = 0; i < 500; i++)
    good &= array[i] == i + 1 && also[i] == -i - 1;
  check (good, "several arrays of one loop");
  free (array);
  free (also);
  MPI_Type_free (&type);
  cost = 0;
}

/* Communicators come and go; each has a window and a duplicate of its own.  */
static void
freed (void)
{
  MPI_Comm comm, also;
  int before = windows - windows_freed, kept = dups - comms_freed;
  bool good = true;
  for (int i = few ? 2 : 0; i < 3; i++)
    {
      int made = windows;
      PMPI_Comm_dup (MPI_COMM_WORLD, &comm);
      for (int k = 0; k < 3; k++)
	good &= loop (comm, 1000, NULL);
      good &= windows - made == (ranks > 1);
      PMPI_Comm_dup (comm, &also);
      good &= loop (also, 1000, NULL) && windows - made == 2 * (ranks > 1);
      PMPI_Comm_free (&also);
      good &= loop (comm, 1000, NULL);
      PMPI_Comm_free (&comm);
    }
  check (good && windows - windows_freed == before && dups - comms_freed == kept,
	 "a communicator has one window, which is freed with it");
  check (covered (), "each iteration is run once");
}

/* Whether the MPI says so: Debian's MPICH 5 does not.  */
static bool
on_one_machine (void)
{
  MPI_Comm near;
  int size;
  PMPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  PMPI_Comm_size (near, &size);
  PMPI_Comm_free (&near);
  return size == ranks;
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  PMPI_Comm_rank (MPI_COMM_WORLD, &rank);
  PMPI_Comm_size (MPI_COMM_WORLD, &ranks);
  apart = (argc > 1 && !strcmp (argv[1], "apart")) || !on_one_machine ();
  few = argc > 2;
  MPI_Comm comm;
  PMPI_Comm_dup (MPI_COMM_WORLD, &comm);
  cover (comm);
  remembered (comm);
  hetprobe (comm);
  empty (comm);
  gather (comm);
  errors ();
  freed ();
  /* Not freed by the program, but by MPI_Finalize: its window, and that of the
     communicator that MPI has itself.  */
  check (loop (MPI_COMM_WORLD, 1000, NULL) && covered (), "MPI_COMM_WORLD");
  free (kept);
  judge ();
  MPI_Finalize ();
  if (windows != windows_freed || dups != comms_freed)
    {
      printf ("FAIL: rank %d: MPI_Finalize frees what is left: %d of %d windows,"
	      " %d of %d communicators\n", rank, windows_freed, windows,
	      comms_freed, dups);
      return 1;
    }
  if (rank == 0)
    printf ("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is kept of a communicator.  See comm.h.  */

#include "comm.h"

#include <stdlib.h>

/* Of the attribute of communicators, and of MPI_COMM_SELF, whose attributes
   MPI_Finalize deletes while MPI still works.  */
static int comm_key = MPI_KEYVAL_INVALID, self_key = MPI_KEYVAL_INVALID;
static struct shared *states;

int
report (MPI_Comm comm, int code)
{
  if (code != MPI_SUCCESS)
    MPI_Comm_call_errhandler (comm, code);
  return code;
}

/* Free what STATE has of MPI, collectively.  */
static int
release (struct shared *state)
{
  int code = MPI_SUCCESS, also;
  if (state->window != MPI_WIN_NULL)
    {
      code = MPI_Win_unlock_all (state->window);
      also = MPI_Win_free (&state->window);
      code = code ? code : also;
    }
  if (state->comm != MPI_COMM_NULL)
    {
      also = MPI_Comm_free (&state->comm);
      code = code ? code : also;
    }
  return code;
}

static void
discard (struct shared *state)
{
  if (state->link)
    {
      *state->link = state->next;
      if (state->next)
	state->next->link = state->link;
    }
  site_free (state->sites);
  free (state->told);
  free (state->done);
  free (state->share);
  free (state->ran);
  free (state->all);
  free (state->count);
  free (state);
}

static int
comm_deleted (MPI_Comm comm, int key, void *value, void *extra)
{
  (void) comm;
  (void) key;
  (void) extra;
  int code = release (value);
  discard (value);
  return code;
}

/* MPI_Finalize.  The ranks of a communicator made their states in the same
   order, so they free them in the same order.  A state itself stays until its
   communicator is gone.  */
static int
self_deleted (MPI_Comm comm, int key, void *value, void *extra)
{
  (void) comm;
  (void) key;
  (void) value;
  (void) extra;
  int code = MPI_SUCCESS;
  for (struct shared *s = states; s; s = s->next)
    {
      int also = release (s);
      code = code ? code : also;
    }
  return code;
}

static int
make_keys (void)
{
  int code = MPI_SUCCESS;
  if (comm_key == MPI_KEYVAL_INVALID)
    code = MPI_Comm_create_keyval (MPI_COMM_NULL_COPY_FN, comm_deleted,
				   &comm_key, NULL);
  if (code == MPI_SUCCESS && self_key == MPI_KEYVAL_INVALID)
    {
      code = MPI_Comm_create_keyval (MPI_COMM_NULL_COPY_FN, self_deleted,
				     &self_key, NULL);
      if (code == MPI_SUCCESS)
	code = MPI_Comm_set_attr (MPI_COMM_SELF, self_key, NULL);
    }
  return code;
}

/* Numbers that a rank tells at a loop's end.  */
enum { ITERATIONS, COMPUTING, MOVING, ADDED, FACTS };

static struct shared *
allocate (int ranks)
{
  struct shared *s = calloc (1, sizeof *s);
  if (s == NULL)
    return NULL;
  s->comm = MPI_COMM_NULL;
  s->window = MPI_WIN_NULL;
  s->ranks = ranks;
  s->fetch_seconds = 1;
  s->told = malloc (FACTS * ranks * sizeof *s->told);
  s->done = malloc (ranks * sizeof *s->done);
  s->share = malloc (ranks * sizeof *s->share);
  if (s->told && s->done && s->share)
    return s;
  discard (s);
  return NULL;
}

int
shared_of (MPI_Comm comm, struct shared **state)
{
  int found, inter, ranks, code;
  /* An MPI may be built without checks of its own (Debian's MPICH 5).  */
  if (comm == MPI_COMM_NULL)
    return report (MPI_COMM_WORLD, MPI_ERR_COMM);
  if (comm_key != MPI_KEYVAL_INVALID)
    {
      code = MPI_Comm_get_attr (comm, comm_key, state, &found);
      if (code != MPI_SUCCESS || found)
	return code;
    }
  if ((code = MPI_Comm_test_inter (comm, &inter)) != MPI_SUCCESS
      || (code = MPI_Comm_size (comm, &ranks)) != MPI_SUCCESS)
    return code;
  if (inter)
    return report (comm, MPI_ERR_COMM);
  if ((code = make_keys ()) != MPI_SUCCESS)
    return report (comm, code);
  struct shared *s = allocate (ranks);
  if (s == NULL)
    return report (comm, MPI_ERR_NO_MEM);
  code = MPI_Comm_dup (comm, &s->comm);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_set_attr (comm, comm_key, s);
  if (code != MPI_SUCCESS)
    {
      release (s);
      discard (s);
      return code;
    }
  /* At the end: see self_deleted.  */
  s->link = &states;
  while (*s->link)
    s->link = &(*s->link)->next;
  *s->link = s;
  *state = s;
  if ((code = MPI_Comm_set_errhandler (s->comm, MPI_ERRORS_RETURN))
      == MPI_SUCCESS)
    code = MPI_Comm_rank (s->comm, &s->rank);
  return report (comm, code);
}

/* Whether all ranks can reach each other's memory.  All answer alike: if one
   cannot, it is not among those that any other can reach.  */
static int
on_one_machine (const struct shared *s, bool *answer)
{
  MPI_Comm near;
  int size, code;
  code = MPI_Comm_split_type (s->comm, MPI_COMM_TYPE_SHARED, s->rank,
			      MPI_INFO_NULL, &near);
  if (code != MPI_SUCCESS)
    return code;
  code = MPI_Comm_size (near, &size);
  *answer = size == s->ranks;
  MPI_Comm_free (&near);
  return code;
}

/* On one machine processors add to the counter by themselves.  MPI_Fetch_and_op
   is not enough there: some MPIs do it by a message, which waits until rank 0
   calls MPI, that is, for its chunk.  */
int
shared_counter (struct shared *s)
{
  bool near;
  int code, unit;
  MPI_Aint size = s->rank == 0 ? sizeof (uint64_t) : 0;
  uint64_t *memory, *counter = NULL;
  if (s->window != MPI_WIN_NULL)
    return MPI_SUCCESS;
  if ((code = on_one_machine (s, &near)) != MPI_SUCCESS)
    return code;
  if (near)
    code = MPI_Win_allocate_shared (size, sizeof (uint64_t), MPI_INFO_NULL,
				    s->comm, &memory, &s->window);
  else
    code = MPI_Win_allocate (size, sizeof (uint64_t), MPI_INFO_NULL, s->comm,
			     &memory, &s->window);
  if (code != MPI_SUCCESS)
    {
      s->window = MPI_WIN_NULL;
      return code;
    }
  MPI_Win_set_errhandler (s->window, MPI_ERRORS_RETURN);
  if ((code = MPI_Win_lock_all (MPI_MODE_NOCHECK, s->window)) != MPI_SUCCESS)
    return code;
  if (near)
    code = MPI_Win_shared_query (s->window, 0, &size, &unit, &counter);
  if (code != MPI_SUCCESS)
    return code;
  if (s->rank == 0)
    *memory = 0;
  s->counter = counter;
  s->base = 0;
  if ((code = MPI_Win_sync (s->window)) != MPI_SUCCESS
      || (code = MPI_Barrier (s->comm)) != MPI_SUCCESS)
    return code;
  return MPI_Win_sync (s->window);
}

int
shared_fetch (struct shared *s, uint64_t amount, uint64_t *before)
{
  uint64_t was = 0;
  int code = MPI_SUCCESS;
  double start = MPI_Wtime ();
  if (s->counter)
    /* Relaxed: its atomicity alone tells ranges apart.  What bodies write is
       ordered by shared_exchange.  */
    was = __atomic_fetch_add (s->counter, amount, __ATOMIC_RELAXED);
  else
    {
      code = MPI_Fetch_and_op (&amount, &was, MPI_UINT64_T, 0, 0, MPI_SUM,
			       s->window);
      if (code == MPI_SUCCESS)
	code = MPI_Win_flush (0, s->window);
    }
  double seconds = MPI_Wtime () - start;
  if (seconds < s->fetch_seconds)
    s->fetch_seconds = seconds;
  /* Unsigned arithmetic, which may wrap around, as the counter may.  */
  *before = was - s->base;
  return code;
}

int
shared_exchange (struct shared *s, const struct done *mine, uint64_t added)
{
  uint64_t facts[FACTS];
  facts[ITERATIONS] = mine->iterations;
  facts[COMPUTING] = mine->computing;
  facts[MOVING] = mine->moving;
  facts[ADDED] = added;
  int code = MPI_Allgather (facts, FACTS, MPI_UINT64_T, s->told, FACTS,
			    MPI_UINT64_T, s->comm);
  if (code != MPI_SUCCESS)
    return code;
  for (int r = 0; r < s->ranks; r++)
    {
      const uint64_t *told = s->told + (size_t) r * FACTS;
      s->done[r].iterations = told[ITERATIONS];
      s->done[r].computing = told[COMPUTING];
      s->done[r].moving = told[MOVING];
      s->base += told[ADDED];
    }
  return MPI_SUCCESS;
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   amp_mpi_allgather.  */

#include "comm.h"

#include <limits.h>
#include <stdlib.h>

/* Elements of one piece of a datatype of MPI's, whose counts are int.  */
enum { PIECE = 1 << 30 };

/* Collective: set S->all and S->count.  */
static int
tell_ranges (struct shared *s)
{
  int mine = s->lost || s->nran > INT_MAX / 2 ? -1 : (int) s->nran;
  int64_t total = 0;
  int code;
  if (s->count == NULL)
    s->count = malloc (s->ranks * sizeof *s->count);
  int *counts = malloc (2 * s->ranks * sizeof *counts);
  if (s->count == NULL || counts == NULL)
    {
      free (counts);
      return MPI_ERR_NO_MEM;
    }
  int *places = counts + s->ranks;
  code = MPI_Allgather (&mine, 1, MPI_INT, s->count, 1, MPI_INT, s->comm);
  for (int r = 0; code == MPI_SUCCESS && r < s->ranks; r++)
    {
      if (s->count[r] < 0 || total + s->count[r] > INT_MAX / 2)
	code = MPI_ERR_NO_MEM;
      counts[r] = 2 * s->count[r];
      places[r] = (int) (2 * total);
      total += s->count[r];
    }
  struct range *all = NULL;
  if (code == MPI_SUCCESS
      && (all = malloc ((total ? total : 1) * sizeof *all)) == NULL)
    code = MPI_ERR_NO_MEM;
  /* A range is two numbers without padding.  */
  if (code == MPI_SUCCESS)
    code = MPI_Allgatherv (s->ran, counts[s->rank], MPI_INT64_T, all, counts,
			   places, MPI_INT64_T, s->comm);
  free (counts);
  if (code == MPI_SUCCESS)
    s->all = all;
  else
    free (all);
  return code;
}

/* One call, where each rank has one range at most and MPI can count it.  */
static int
gather_at_once (struct shared *s, void *buffer, MPI_Datatype type)
{
  int *counts = malloc (2 * s->ranks * sizeof *counts);
  if (counts == NULL)
    return MPI_ERR_NO_MEM;
  int *places = counts + s->ranks;
  const struct range *next = s->all;
  for (int r = 0; r < s->ranks; r++)
    {
      counts[r] = s->count[r] ? (int) (next->end - next->begin) : 0;
      places[r] = s->count[r] ? (int) next->begin : 0;
      next += s->count[r];
    }
  int code = MPI_Allgatherv (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer,
			     counts, places, type, s->comm);
  free (counts);
  return code;
}

/* Send RANGE's COUNT ranges of BUFFER from ROOT to all.  */
static int
broadcast (struct shared *s, void *buffer, MPI_Datatype type, MPI_Aint extent,
	   const struct range *range, int count, int root)
{
  int64_t pieces = 0;
  for (int i = 0; i < count; i++)
    pieces += (range[i].end - range[i].begin - 1) / PIECE + 1;
  if (pieces > INT_MAX)
    return MPI_ERR_NO_MEM;
  int *lengths = malloc (pieces * sizeof *lengths);
  MPI_Aint *places = malloc (pieces * sizeof *places);
  int code = MPI_ERR_NO_MEM;
  if (lengths && places)
    {
      int k = 0;
      for (int i = 0; i < count; i++)
	for (int64_t at = range[i].begin; at < range[i].end; at += PIECE, k++)
	  {
	    int64_t left = range[i].end - at;
	    lengths[k] = left < PIECE ? (int) left : PIECE;
	    places[k] = (MPI_Aint) at * extent;
	  }
      MPI_Datatype ranges;
      code = MPI_Type_create_hindexed (k, lengths, places, type, &ranges);
      if (code == MPI_SUCCESS
	  && (code = MPI_Type_commit (&ranges)) == MPI_SUCCESS)
	code = MPI_Bcast (buffer, 1, ranges, root, s->comm);
      if (code == MPI_SUCCESS)
	code = MPI_Type_free (&ranges);
    }
  free (lengths);
  free (places);
  return code;
}

static int
gather (struct shared *s, void *buffer, MPI_Datatype type)
{
  MPI_Aint low, extent;
  int code;
  if (s->all == NULL && (code = tell_ranges (s)) != MPI_SUCCESS)
    return code;
  const struct range *next = s->all;
  bool simple = true;
  for (int r = 0; r < s->ranks; next += s->count[r++])
    if (s->count[r] > 1 || (s->count[r] && next->end > INT_MAX))
      simple = false;
  if (simple)
    return gather_at_once (s, buffer, type);
  if ((code = MPI_Type_get_extent (type, &low, &extent)) != MPI_SUCCESS)
    return code;
  next = s->all;
  for (int r = 0; code == MPI_SUCCESS && r < s->ranks; next += s->count[r++])
    if (s->count[r])
      code = broadcast (s, buffer, type, extent, next, s->count[r], r);
  return code;
}

int
amp_mpi_allgather (MPI_Comm comm, void *buffer, MPI_Datatype type)
{
  struct shared *s;
  int code = shared_of (comm, &s);
  if (code != MPI_SUCCESS)
    return code;
  if (s->busy || s->broken)
    return report (comm, MPI_ERR_OTHER);
  if (s->ranks == 1)
    return MPI_SUCCESS;
  return report (comm, gather (s, buffer, type));
}

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is kept of a communicator: a duplicate, the counter that ranks share,
   the sites, and what was run in the last loop.  */

#ifndef AMP_MPI_COMM_H
#define AMP_MPI_COMM_H

#include "amp_mpi.h"
#include "deal.h"

struct shared
{
  struct shared *next, **link; /* Among all of the process.  */
  MPI_Comm comm;	       /* The duplicate; it returns errors.  */
  int ranks, rank;
  bool busy;   /* A body is running.  */
  bool broken; /* An error has left ranks in unlike states.  */

  /* The counter stands at BASE when a loop begins.  It is never set back: ranks
     tell each other what they have added, and add that to BASE.  */
  MPI_Win window;     /* MPI_WIN_NULL until it is needed.  */
  uint64_t *counter;  /* Where the ranks are on one machine; else null.  */
  uint64_t base;
  double fetch_seconds; /* The least that a fetch has taken.  */

  struct site *sites;
  uint64_t *told; /* FACTS numbers a rank.  */
  struct done *done;
  double *share;

  /* The ranges of this rank in the last loop; LOST: some could not be kept.  */
  struct range *ran;
  int64_t nran, room;
  bool lost;
  /* Those of all ranks, one rank's after the other's, and how many each has:
     null until they are asked for.  */
  struct range *all;
  int *count;
};

/* *STATE of COMM, made by the first call, which is collective.  An error of
   MPI's on COMM has been handled.  */
extern int shared_of (MPI_Comm comm, struct shared **state) hidden;

/* Make the counter, collectively, unless it is there.  */
extern int shared_counter (struct shared *state) hidden;

/* Add AMOUNT to the counter and set *BEFORE to what it was, from BASE on.  */
extern int shared_fetch (struct shared *state, uint64_t amount,
			 uint64_t *before) hidden;

/* Collective, and a barrier: tell what this rank did, and that it has added
   ADDED to the counter; set DONE and BASE.  */
extern int shared_exchange (struct shared *state, const struct done *mine,
			    uint64_t added) hidden;

/* Handle CODE, of a call on a handle of ours, as an error on COMM.  */
extern int report (MPI_Comm comm, int code) hidden;

#endif /* AMP_MPI_COMM_H.  */

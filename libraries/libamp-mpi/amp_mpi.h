/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libamp-mpi: loops whose iterations are dealt out to the ranks of a
   communicator, for machines that are not equally fast.  Within a range that
   a rank gets, OpenMP does the rest.

   All functions return MPI_SUCCESS or an error code of MPI, for which the
   communicator's error handler has been called before.  They communicate on a
   duplicate of the communicator, which is kept, with what is remembered, as an
   attribute of it and freed with it, or by MPI_Finalize.  After an error that
   is not one of arguments the communicator takes no further loops.

   They are called by one thread at a time (MPI_THREAD_FUNNELED suffices), not
   from a body on the same communicator, and between MPI_Init and
   MPI_Finalize.  */

#ifndef AMP_MPI_H
#define AMP_MPI_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How iterations are dealt out.  */
enum amp_mpi_schedule
{
  /* Whoever is through takes more, from a counter that all share.  */
  AMP_MPI_DYNAMIC,
  /* The same in pieces that get smaller, whose borders depend on nothing but n,
     the number of ranks and the least size: 1 / (2 ranks) of what is left.  */
  AMP_MPI_GUIDED,
  /* One block a rank, of equal size.  */
  AMP_MPI_STATIC,
  /* One block a rank, in proportion to the speeds that were measured in the
     site's earlier executions; equal in the first.  */
  AMP_MPI_WEIGHTED,
  /* HetProbe of libHetMP ("An OpenMP runtime for transparent work sharing
     across cache-incoherent heterogeneous nodes", Middleware 2020), over ranks:
     the first iterations are dealt evenly and timed; ranks for which moving
     data does not pay get nothing of the rest, the others get shares by speed.
     Ten executions are probed, those after them go by what is remembered,
     until times change.  */
  AMP_MPI_HETPROBE
};

/* Runs the iterations BEGIN <= i < END.  DATA is amp_mpi_for's.  */
typedef void amp_mpi_body (int64_t begin, int64_t end, void *data);

/* Zeroed, the defaults hold.  All ranks give the same values.  */
struct amp_mpi_options
{
  /* An enum amp_mpi_schedule; AMP_MPI_DYNAMIC.  */
  int schedule;
  /* AMP_MPI_HETPROBE: how many percent of the iterations are probed, 1 to 100;
     0: 10.  */
  int percent;
  /* A number by which the program tells its loops apart.  What is remembered
     belongs to it, to the magnitude of n (its length in binary) and to the
     schedule.  */
  int64_t site;
  /* AMP_MPI_DYNAMIC: iterations at a time; AMP_MPI_GUIDED: the least number.
     0: chosen at run time, by what a piece and what taking one costs; and
     1.  */
  int64_t chunk;
  /* If not null: called with each range before the body is.  Its time counts as
     the time of moving data.  */
  amp_mpi_body *fetch;
};

/* Collective over COMM, an intracommunicator: run the iterations 0 <= i < N,
   each on one rank, by calling BODY with ranges, which are not empty and, on
   one rank, ascend.  A rank may get none.  OPTIONS may be null.

   Returns when all ranks are through, unless there is one rank or N is 0.  What
   bodies write is ordered by that only as far as MPI_Allgather orders it.

   MPI_ERR_ARG: N is negative, BODY is null or an option out of range;
   MPI_ERR_COMM: COMM is an intercommunicator or MPI_COMM_NULL, of which
   MPI_COMM_WORLD's handler is told; MPI_ERR_OTHER: an earlier error, or a
   body's call; MPI_ERR_NO_MEM.  */
extern int amp_mpi_for (MPI_Comm comm, int64_t n, amp_mpi_body *body,
			void *data, const struct amp_mpi_options *options);

/* Within a body or a fetch, in the thread that it was called in: SECONDS of its
   time have gone into moving data.  Without effect elsewhere.  */
extern void amp_mpi_moving (double seconds);

/* Collective over COMM: give every rank what the ranks made in the last loop
   on COMM.  Iteration i made element i of BUFFER, which has an element of TYPE
   for every iteration; its extent is the distance of elements.  TYPE must be
   the same at all ranks.  Without a loop before, or after one of 0 iterations,
   nothing is done.  MPI_ERR_NO_MEM also where a rank could not keep its
   ranges.  */
extern int amp_mpi_allgather (MPI_Comm comm, void *buffer, MPI_Datatype type);

#ifdef __cplusplus
}
#endif

#endif /* AMP_MPI_H */

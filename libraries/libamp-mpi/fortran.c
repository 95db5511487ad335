/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What amp_mpi.f90 calls: the functions of amp_mpi.h with handles of
   Fortran.  */

#include "comm.h"

extern int amp_mpi_for_f (MPI_Fint, int64_t, amp_mpi_body *, void *,
			  const struct amp_mpi_options *);
extern int amp_mpi_allgather_f (MPI_Fint, void *, MPI_Fint);

int
amp_mpi_for_f (MPI_Fint comm, int64_t n, amp_mpi_body *body, void *data,
	       const struct amp_mpi_options *options)
{
  return amp_mpi_for (MPI_Comm_f2c (comm), n, body, data, options);
}

int
amp_mpi_allgather_f (MPI_Fint comm, void *buffer, MPI_Fint type)
{
  return amp_mpi_allgather (MPI_Comm_f2c (comm), buffer,
			    MPI_Type_f2c (type));
}

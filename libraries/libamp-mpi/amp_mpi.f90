! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
!
! libamp-mpi for Fortran and mpi_f08; amp_mpi.h says what the arguments mean.
! Iterations are 1 to n here, and ranges include their ends.  A body is given no
! data: it finds them in its module, or in the procedure that contains it.
! Without ierror an error that the communicator's handler lets pass is ignored,
! as in MPI.

module amp_mpi
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_f_procpointer, c_funloc, &
       c_funptr, c_int, c_int64_t, c_loc, c_null_funptr, c_null_ptr, c_ptr, c_double
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08, only: mpi_comm, mpi_datatype
  implicit none
  private
  public :: amp_mpi_for, amp_mpi_allgather, amp_mpi_moving, amp_mpi_options, amp_mpi_body

  integer, parameter, public :: amp_mpi_dynamic = 0, amp_mpi_guided = 1, &
       amp_mpi_static = 2, amp_mpi_weighted = 3, amp_mpi_hetprobe = 4

  abstract interface
     ! Runs the iterations first to last.
     subroutine amp_mpi_body (first, last)
       import :: int64
       integer(int64), intent(in) :: first, last
     end subroutine amp_mpi_body
  end interface

  type :: amp_mpi_options
     integer :: schedule = amp_mpi_dynamic
     integer :: percent = 0
     integer(int64) :: site = 0
     integer(int64) :: chunk = 0
     procedure(amp_mpi_body), pointer, nopass :: fetch => null ()
  end type amp_mpi_options

  ! struct amp_mpi_options
  type, bind(c) :: c_options
     integer(c_int) :: schedule = 0, percent = 0
     integer(c_int64_t) :: site = 0, chunk = 0
     type(c_funptr) :: fetch = c_null_funptr
  end type c_options

  ! What the C side calls for one loop.
  type :: bodies
     procedure(amp_mpi_body), pointer, nopass :: run => null (), fetch => null ()
  end type bodies

  interface
     integer(c_int) function for_f (comm, n, body, data, options) &
          bind(c, name='amp_mpi_for_f')
       import :: c_int, c_int64_t, c_funptr, c_ptr, c_options
       integer(c_int), value :: comm
       integer(c_int64_t), value :: n
       type(c_funptr), value :: body
       type(c_ptr), value :: data
       type(c_options), intent(in) :: options
     end function for_f

     integer(c_int) function allgather_f (comm, buffer, datatype) &
          bind(c, name='amp_mpi_allgather_f')
       import :: c_int
       integer(c_int), value :: comm, datatype
       type(*), intent(inout) :: buffer(*)
     end function allgather_f

     ! SECONDS, real(c_double), of the time of a body or a fetch have gone into
     ! moving data.
     subroutine amp_mpi_moving (seconds) bind(c, name='amp_mpi_moving')
       import :: c_double
       real(c_double), value :: seconds
     end subroutine amp_mpi_moving
  end interface

contains

  subroutine amp_mpi_for (comm, n, body, options, ierror)
    type(mpi_comm), intent(in) :: comm
    integer(int64), intent(in) :: n
    procedure(amp_mpi_body) :: body
    type(amp_mpi_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    type(bodies), target :: both
    type(c_options) :: c
    integer :: code
    both%run => body
    if (present (options)) then
       c%schedule = options%schedule
       c%percent = options%percent
       c%site = options%site
       c%chunk = options%chunk
       both%fetch => options%fetch
       if (associated (both%fetch)) c%fetch = c_funloc (call_fetch)
    end if
    code = for_f (comm%mpi_val, n, c_funloc (call_body), c_loc (both), c)
    if (present (ierror)) ierror = code
  end subroutine amp_mpi_for

  subroutine amp_mpi_allgather (comm, buffer, datatype, ierror)
    type(mpi_comm), intent(in) :: comm
    type(*), intent(inout) :: buffer(*)
    type(mpi_datatype), intent(in) :: datatype
    integer, intent(out), optional :: ierror
    integer :: code
    code = allgather_f (comm%mpi_val, buffer, datatype%mpi_val)
    if (present (ierror)) ierror = code
  end subroutine amp_mpi_allgather

  subroutine call_body (begin, end, data) bind(c, name='')
    integer(c_int64_t), value :: begin, end
    type(c_ptr), value :: data
    type(bodies), pointer :: both
    call c_f_pointer (data, both)
    call both%run (begin + 1, end)
  end subroutine call_body

  subroutine call_fetch (begin, end, data) bind(c, name='')
    integer(c_int64_t), value :: begin, end
    type(c_ptr), value :: data
    type(bodies), pointer :: both
    call c_f_pointer (data, both)
    call both%fetch (begin + 1, end)
  end subroutine call_fetch
end module amp_mpi

! SPDX-License-Identifier: GPL-3.0-or-later
! libamp-mpi's module: iterations from 1 on, bodies in modules and inside of the
! procedure that calls, options, gathering, and errors that are returned.

module work
  use, intrinsic :: iso_fortran_env, only: int64
  use amp_mpi
  implicit none
  integer(int64) :: square(1000)
  integer :: fetched = 0

contains

  subroutine squares (first, last)
    integer(int64), intent(in) :: first, last
    integer(int64) :: i
    !$omp parallel do
    do i = first, last
       square(i) = i * i
    end do
    !$omp end parallel do
    call amp_mpi_moving (0.0d0)
  end subroutine squares

  subroutine fetch (first, last)
    integer(int64), intent(in) :: first, last
    if (first <= last) fetched = fetched + 1
  end subroutine fetch
end module work

program loops
  use mpi_f08
  use amp_mpi
  use work
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer :: rank, code, kind, schedule, passed = 0, failed = 0
  integer(int64) :: i, total, all
  real(real64) :: half(2, 77)
  type(mpi_comm) :: comm
  type(mpi_datatype) :: pair

  call mpi_init ()
  call mpi_comm_dup (mpi_comm_world, comm)
  call mpi_comm_rank (comm, rank)

  do schedule = amp_mpi_dynamic, amp_mpi_hetprobe
     square = -1
     call amp_mpi_for (comm, 1000_int64, squares, amp_mpi_options (schedule=schedule, site=3))
     call amp_mpi_allgather (comm, square, mpi_integer8)
     call check (all_right (), 'each schedule runs every iteration, and gathers')
  end do

  total = 0
  call amp_mpi_for (comm, 100000_int64, add)
  call mpi_allreduce (total, all, 1, mpi_integer8, mpi_sum, comm)
  call check (all == 5000050000_int64, 'an inner procedure, and no options')

  half = -1
  call mpi_type_contiguous (2, mpi_double_precision, pair)
  call mpi_type_commit (pair)
  call amp_mpi_for (comm, 77_int64, halves, amp_mpi_options (chunk=3, fetch=fetch), code)
  call check (code == mpi_success, 'success is told')
  call amp_mpi_allgather (comm, half, pair, code)
  call check (code == mpi_success .and. sum (half) == 77 * 78 / 2, 'columns of an array')
  call mpi_type_free (pair)
  call mpi_allreduce (mpi_in_place, fetched, 1, mpi_integer, mpi_sum, comm)
  call check (fetched == 26, 'fetch is called for every range')

  call mpi_comm_set_errhandler (comm, mpi_errors_return)
  call amp_mpi_for (comm, -1_int64, add, ierror=code)
  call mpi_error_class (code, kind)
  call check (kind == mpi_err_arg, 'errors are returned')

  call mpi_comm_free (comm)
  call mpi_finalize ()
  if (rank == 0) print '(i0, a, i0, a)', passed, ' passed, ', failed, ' failed, 0 skipped'
  if (failed > 0) error stop

contains

  subroutine add (first, last)
    integer(int64), intent(in) :: first, last
    integer(int64) :: k
    do k = first, last
       total = total + k
    end do
  end subroutine add

  subroutine halves (first, last)
    integer(int64), intent(in) :: first, last
    integer(int64) :: k
    do k = first, last
       half(:, k) = 0.5d0 * real (k, real64)
    end do
  end subroutine halves

  logical function all_right ()
    all_right = .true.
    do i = 1, 1000
       all_right = all_right .and. square(i) == i * i
    end do
  end function all_right

  subroutine check (good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    logical :: everywhere
    call mpi_allreduce (good, everywhere, 1, mpi_logical, mpi_land, mpi_comm_world)
    passed = passed + merge (1, 0, everywhere)
    failed = failed + merge (0, 1, everywhere)
    if (rank == 0 .and. .not. everywhere) print '(2a)', 'FAIL: ', what
  end subroutine check
end program loops

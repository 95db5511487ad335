! Loops whose nowait is a barrier's, and what happens between loops, in Fortran.
! SPDX-License-Identifier: GPL-3.0-or-later
module between
  use omp_lib
  implicit none
  integer, parameter :: n = 100
  integer :: a(n), b(n), p(4, n), prepared
  private :: put_one
  interface
    subroutine unknown (i)
      integer, intent (in) :: i
    end subroutine unknown
    integer function what (i)
      integer, intent (in) :: i
    end function what
  end interface
contains
  subroutine put_one (i)
    integer, intent (in) :: i
    integer :: t
    t = omp_get_thread_num () + 1
    a(t) = a(t) + b(i)
  end subroutine put_one

  subroutine callee
    integer :: i
    !$omp parallel do ! amp: static
    do i = 1, n
      call put_one (i)
    end do
  end subroutine callee
end module between

subroutine unknown_calls
  use between
  implicit none
  integer :: i
  !$omp parallel
  !$omp do ! amp: ascending barrier instead of nowait
  do i = 1, n
    call unknown (i)
    a(i) = what (i)
  end do
  !$omp end do nowait
  !$omp do ! amp: ascending calls unknown functions
  do i = 1, n
    b(i) = 2 * a(i) + what (i)
  end do
  !$omp end do
  !$omp do ! amp: any barrier instead of nowait
  do i = 1, n
    p(:, i) = a(i)
  end do
  !$omp end do nowait
  !$omp do ! amp: any
  do i = 1, n
    b(i) = p(1, i)
  end do
  !$omp end parallel
end subroutine unknown_calls

subroutine one_cancels (who)
  use between
  implicit none
  integer, intent (in) :: who
  integer :: i
  !$omp parallel
  !$omp do ! amp: ascending
  do i = 1, n
    call unknown (i)
    a(i) = what (i)
  end do
  !$omp end do nowait
  if (omp_get_thread_num () == who) then
    !$omp cancel parallel
  end if
  !$omp do ! amp: static identity
  do i = 1, n
    b(i) = 2 * a(i)
  end do
  !$omp end do nowait
  !$omp cancellation point parallel
  !$omp end parallel
end subroutine one_cancels

subroutine after_master
  use between
  implicit none
  integer :: i
  !$omp parallel
  !$omp master
  prepared = what (1)
  !$omp end master
  !$omp do ! amp: static without a barrier
  do i = 1, n
    if (i == 1) then
      a(i) = prepared
    else
      a(i) = what (i)
    end if
  end do
  !$omp end parallel
end subroutine after_master

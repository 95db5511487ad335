! A module that keeps something for each thread, and what may use it.
! SPDX-License-Identifier: GPL-3.0-or-later
module keeper
  implicit none
  integer, save :: last = 0
  !$omp threadprivate(last)
contains
  integer function next(i)
    integer, intent(in) :: i
    last = last * 3 + i
    next = last
  end function next
end module keeper

subroutine loops(n, a)
  use keeper
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: a(n)
  integer :: i
  interface
    subroutine elsewhere(i, x)
      integer, intent(in) :: i
      integer, intent(inout) :: x
    end subroutine elsewhere
  end interface
  !$omp parallel do ! amp: static
  do i = 1, n
    call elsewhere(i, a(i))
  end do
  !$omp parallel do ! amp: any
  do i = 1, n
    a(i) = a(i) + i
  end do
end subroutine loops

! Loops that rely on static, in Fortran; as decided.c.
! SPDX-License-Identifier: GPL-3.0-or-later
module state
  use omp_lib
  implicit none
  integer :: n, order(1000)
  real (8) :: a(1000), b(1000), seed
  integer, volatile :: flag(0:1000)
  !$omp threadprivate(seed)
contains
  real (8) function next (x)
    real (8), intent (inout) :: x
    x = mod (x * 16807d0, 2147483647d0)
    next = x
  end function next

  subroutine wait_for (i)
    integer, intent (in) :: i
    do while (flag(i) == 0)
    end do
  end subroutine wait_for

  logical function ready (i)
    integer, intent (in) :: i
    integer :: now
    !$omp atomic read
    now = order(i)
    ready = now /= 0
  end function ready
end module state

subroutine synchronised
  use state
  implicit none
  integer :: i, k, me
  !$omp parallel private(k, me)
  me = omp_get_thread_num ()
  do k = 1, 8
    if (me > 0) call wait_for (me - 1)
    !$omp do ! amp: static
    do i = 1, n
      a(i) = a(i) + k
    end do
    !$omp end do nowait
    flag(me) = k
    !$omp barrier
  end do
  !$omp do ! amp: converted
  do i = 1, n
    a(i) = a(i) + 1
  end do
  !$omp end do nowait
  !$omp do ! amp: converted
  do i = 1, n
    b(i) = a(i) + 1
  end do
  !$omp end do nowait
  !$omp end parallel
  !$omp parallel do ! amp: static
  do i = 1, n
    a(i) = 1
    !$omp flush
  end do
end subroutine synchronised

subroutine summed
  use state
  implicit none
  integer :: i, j
  real (8) :: x, scratch(8), total
  total = 0
  !$omp parallel private(x, j, scratch)
  !$omp do reduction(+: total) ! amp: converted
  do i = 1, n
    do j = 1, 8
      scratch(j) = a(i) * j
    end do
    do j = 1, 8
      x = scratch(j)
    end do
    scratch = x
    total = total + sum (scratch)
  end do
  !$omp end parallel
end subroutine summed

subroutine asked
  use state
  implicit none
  integer :: i
  real (8) :: x
  !$omp parallel private(x)
  x = 1
  ! A word before, and an empty line:
  !$amp free

  !$omp do ! amp: converted
  do i = 1, n
    a(i) = next (x)
  end do
  !$AMP static
  !$omp do ! amp: static
  do i = 1, n
    a(i) = 1
  end do
  !$amp steady
  !$omp do ! amp: converted
  do i = 1, n
    a(i) = 1
  end do
  !$omp end do nowait
  !$omp do ! amp: static
  do i = 1, n
    a(i) = next (x)
  end do
  !$omp end parallel
  !$amp free
  !$omp parallel &
  !$omp do private(x) ! amp: converted
  do i = 1, n
    a(i) = next (x)
  end do
end subroutine asked

subroutine thread_local
  use state
  implicit none
  integer :: i
  !$omp parallel do ! amp: static
  do i = 1, n
    call random_number (a(i))
  end do
end subroutine thread_local

subroutine clauses
  use state
  implicit none
  integer :: i
  !$omp parallel
  !$omp do schedule(auto) ! amp: converted
  do i = 1, n
    a(i) = 1
  end do
  !$omp end do nowait
  !$amp replace
  !$omp do schedule(static) ! amp: static
  do i = 1, n
    b(i) = 2
  end do
  !$omp end do nowait
  !$amp replace
  !$omp do schedule(static) ! amp: static
  do i = 1, n
    b(i) = b(i) + a(i)
  end do
  !$omp end parallel
  !$amp replace
  !$omp parallel do schedule(static) ! amp: static
  do i = 1, n
    a(i) = next (seed)
  end do
  !$omp parallel
  !$amp replace
  !$omp do schedule(static) ! amp: static
  do i = 1, n
    a(i) = 1
  end do
  !$omp do schedule(static) ! amp: static
  do i = 1, n
    a(i) = 1
  end do
  !$omp end parallel
end subroutine clauses

subroutine unknown_code
  use state
  implicit none
  type cell
    integer, allocatable :: k(:)
  end type cell
  type (cell) :: c
  integer :: i, t, window(5)
  integer, pointer :: at
  character (len=80) :: line, word
  external :: strange
  !$omp parallel private(t, window, line, word, at, c)
  t = omp_get_thread_num ()
  allocate (at, c%k(2))
  at = t
  c%k = t
  window = t
  line = ''
  !$omp do ! amp: static
  do i = 1, n
    write (word, '(i6)') i
    line = trim (line) // word
  end do
  !$omp do ! amp: static
  do i = 1, n
    window = cshift (window, 1)
    window(5) = i
    a(i) = window(1)
  end do
  !$omp do ! amp: static
  do i = 1, n
    at = at + 1
    a(i) = at
  end do
  !$omp do ! amp: static
  do i = 1, n
    c%k(1) = c%k(1) + 1
    a(i) = c%k(1)
  end do
  !$omp do ! amp: static
  do i = 1, n
    call strange (t)
  end do
  !$omp end parallel
end subroutine unknown_code

subroutine turns
  use state
  implicit none
  integer :: i, t
  !$omp parallel private(t)
  t = omp_get_thread_num ()
  do while (.not. ready (t + 1))
  end do
  !$omp do ! amp: static
  do i = 1, n
    a(i) = a(i) + 1
  end do
  !$omp end do nowait
  !$omp atomic write
  order(t + 2) = 1
  !$omp end parallel
end subroutine turns

subroutine own_place (c)
  use state
  implicit none
  type list
    integer :: n
    integer :: item(100)
  end type list
  type(list), pointer, intent(in) :: c
  integer :: i
  !$omp do ! amp: static
  do i = 1, n
    c%n = c%n + 1
    c%item(c%n) = i
  end do
end subroutine own_place

subroutine left_by_iterations
  use state
  implicit none
  real(8) :: rate(1000)
  real(8), allocatable :: more(:)
  integer :: i
  !$omp parallel private(rate, more)
  allocate (more(n))
  !$omp do ! amp: static
  do i = 1, n
    rate(i) = i
  end do
  !$omp end do nowait
  !$omp do ! amp: static
  do i = 1, n
    more(i) = rate(i)
  end do
  !$omp do ! amp: static
  do i = 1, n
    a(i) = more(i)
  end do
  !$omp end parallel
end subroutine left_by_iterations

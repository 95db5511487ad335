! Loops that rely on static, in Fortran; as decided.c.
! SPDX-License-Identifier: GPL-3.0-or-later
module state
  use omp_lib
  implicit none
  integer :: n, key(1000), hist(16, 64), off(16, 64), order(1000)
  real (8) :: a(1000), b(1000), part(64), seed
  integer, volatile :: flag(0:1000)
  !$omp threadprivate(seed)
  real (8) :: block_x(10)
  common /storage/ block_x
  !$omp threadprivate(/storage/)
contains
  real (8) function next (x)
    real (8), intent (inout) :: x
    x = mod (x * 16807d0, 2147483647d0)
    next = x
  end function next

  subroutine my_number (t)
    integer, intent (out) :: t
    t = omp_get_thread_num () + 1
  end subroutine my_number

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
    call wait_for (i - 1)
    a(i) = 1
  end do
  !$omp parallel do ! amp: static
  do i = 1, n
    a(i) = 1
    !$omp flush
  end do
end subroutine synchronised

subroutine numbered
  use state
  implicit none
  integer :: i, t
  !$omp parallel private(t)
  call my_number (t)
  !$omp do ! amp: static
  do i = 1, n
    hist(key(i), t) = hist(key(i), t) + 1
  end do
  !$omp do ! amp: static
  do i = 1, n
    order(off(key(i), t)) = i
    off(key(i), t) = off(key(i), t) + 1
  end do
  !$omp end parallel
end subroutine numbered

subroutine summed
  use state
  implicit none
  integer :: i, j, t
  real (8) :: s, x, scratch(8), total
  total = 0
  !$omp parallel private(t, s, x, j, scratch)
  t = omp_get_thread_num () + 1
  s = 0
  !$omp do ! amp: converted or static
  do i = 1, n
    part(t) = part(t) + a(i)
    s = s + a(i)
  end do
  !$omp end do nowait
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

subroutine carried
  use state
  implicit none
  integer :: i, k
  real (8) :: x
  !$omp parallel private(k, x)
  k = 0
  x = 1
  !$omp do ! amp: static
  do i = 1, n
    if (a(i) > 0) then
      k = k + 1
      b(k) = a(i)
    end if
  end do
  !$omp do ! amp: static
  do i = 1, n
    a(i) = next (x)
  end do
  !$omp do ! amp: converted or static
  do i = 1, n
    x = i
    a(i) = next (x)
  end do
  ! A word before:
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
end subroutine carried

subroutine thread_local
  use state
  implicit none
  integer :: i
  !$omp parallel do ! amp: static
  do i = 1, n
    a(i) = next (seed)
  end do
  !$omp parallel do ! amp: static
  do i = 1, n
    block_x(1) = a(i)
    b(i) = block_x(1)
  end do
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

! Parts of private types, arrays behind descriptors, and other names of a
! variable, each beside a look-alike that any division allows.

subroutine behind
  use state
  implicit none
  type cell
    integer :: tmp, k
  end type
  type (cell) :: c, d
  integer, allocatable :: place(:), bins(:)
  real (8), allocatable :: row(:)
  integer :: i, k
  !$omp parallel private(c, d, k)
  c%k = omp_get_thread_num ()
  k = c%k
  !$omp do ! amp: static
  do i = 1, n
    c%tmp = i
    c%k = c%k + 1
    a(c%k) = c%tmp
  end do
  !$omp do ! amp: converted
  do i = 1, n
    d%tmp = i
    d%k = d%tmp + 1
    a(d%k) = d%tmp
  end do
  !$omp do ! amp: static
  do i = 1, n
    associate (at => k)
      at = at + 1
      a(at) = i
    end associate
  end do
  !$omp end parallel
  !$omp parallel private(place, bins, row)
  allocate (place(2), bins(16), row(16))
  !$omp do ! amp: converted or static at -O0
  do i = 1, n
    place(1) = place(1) + 1
    a(place(1)) = i
  end do
  !$omp do ! amp: converted or static at -O0
  do i = 1, n
    bins(key(i)) = bins(key(i)) + 1
  end do
  !$omp end parallel
  !$omp parallel private(row)
  allocate (row(16))
  row = 0
  !$omp do ! amp: converted or static
  do i = 1, n
    row(key(i)) = row(key(i)) + a(i)
    b(i) = row(key(i))
    row(key(i)) = 0
  end do
  !$omp end parallel
end subroutine behind

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
  !$omp do ! amp: converted or static
  do i = 1, n
    write (word, '(i6)') i
    a(i) = ichar (word(1:1))
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

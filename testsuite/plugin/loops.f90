! Fortran loops, of all kinds.
! SPDX-License-Identifier: GPL-3.0-or-later
! calls: GOMP_loop_static_start GOMP_loop_static_next
! calls: GOMP_loop_maybe_nonmonotonic_runtime_start GOMP_loop_maybe_nonmonotonic_runtime_next
! calls: GOMP_loop_ordered_static_start GOMP_loop_ordered_static_next
! calls: GOMP_loop_doacross_static_start GOMP_loop_static_next
! #if __GNUC__ >= 11
! calls: GOMP_loop_start
! #endif
! calls: GOMP_taskloop
module marks
  implicit none
  integer :: got(-100:4000) = 0
contains
  ! What it prints is the same as without the plugin.
  subroutine check (what)
    character (*), intent (in) :: what
    integer (8) :: h
    integer :: i
    h = 0
    do i = lbound (got, 1), ubound (got, 1)
      h = mod (h * 33 + got(i), 1000000007_8)
    end do
    print *, what, h
    got = 0
  end subroutine check

  subroutine orphan (n)
    integer, intent (in) :: n
    integer :: i
    !$omp do ! amp: converted
    do i = 1, n
      got(i) = got(i) + 1
    end do
    !$omp end do nowait
  end subroutine orphan
end module marks

subroutine runtime_loops (n, step)
  use marks
  implicit none
  integer, intent (in) :: n, step
  integer :: i, j, last, total
  integer (1) :: i1
  integer (2) :: i2
  integer (8) :: i8
  !$omp parallel do ! amp: converted
  do i = 1, 100
    got(i) = got(i) + 1
  end do
  call check ('constant bounds')
  !$omp parallel private(i)
  !$omp do ! amp: converted
  do i = n, 1, -2
    got(i) = got(i) + 1
  end do
  !$omp end do nowait
  !$omp do ! amp: converted
  do i = n, -5, step
    got(i) = got(i) + 100
  end do
  !$omp end parallel
  do i = n, 1, -2
  end do
  call check ('steps')
  !$omp parallel
  call orphan (n)
  !$omp end parallel
  call check ('orphan')
  !$omp parallel do ! amp: converted
  do i1 = 60_1, -50_1, -3_1
    got(i1) = got(i1) + 1
  end do
  call check ('integer(1)')
  !$omp parallel do ! amp: converted
  do i2 = 1_2, int (n, 2)
    got(i2) = got(i2) + 1
  end do
  !$omp parallel do ! amp: converted
  do i8 = int (n, 8), 1_8, -1_8
    got(i8) = got(i8) + 1
  end do
  call check ('integer(2), integer(8)')
  !$omp parallel do collapse(2) ! amp: converted
  do j = n, 1, -1
    do i = 1, n
      got(j * 60 + i) = got(j * 60 + i) + i
    end do
  end do
  call check ('collapse')
  total = 0
  !$omp parallel do reduction(+: total) lastprivate(last) ! amp: converted
  do i = 1, n
    total = total + i
    last = i
  end do
  print *, total, last
  !$omp parallel do simd ! amp: converted or static
  do i = 1, n
    got(i) = got(i) + i
  end do
  !$omp parallel
  !$omp do simd ! amp: converted or static
  do i = 1, n
    got(i) = got(i) + i
  end do
  !$omp end parallel
  do i = 1, n
  end do
  call check ('do simd')
  ! #if __GNUC__ >= 10
  !$omp teams distribute parallel do ! amp: converted
  do i = n, 1, -1
    got(i) = got(i) + 1
  end do
  call check ('teams distribute parallel do')
  ! #endif
  call contained (n)
  call check ('contained procedure')
contains
  subroutine contained (m)
    integer, intent (in) :: m
    integer :: k
    !$omp parallel do ! amp: converted
    do k = 1, m
      got(k) = got(k) + 1
    end do
  end subroutine contained
end subroutine runtime_loops

subroutine other_loops (n)
  use marks
  implicit none
  integer, intent (in) :: n
  integer :: i, last, turn, a(100), b(100)
  integer (16) :: i16
  turn = 0
  !$omp parallel do ordered ! amp: static: ordered clause
  do i = 1, n
    !$omp ordered
    turn = turn + 1
    got(i) = turn
    !$omp end ordered
  end do
  call check ('ordered')
  !$omp parallel do ordered(1) ! amp: static: ordered clause
  do i = 1, n
    !$omp ordered depend(sink: i - 1)
    got(i) = got(i - 1) + i
    !$omp ordered depend(source)
  end do
  call check ('doacross')
  ! #if __GNUC__ >= 11
  !$omp parallel do order(concurrent) ! amp: static: order clause
  do i = 1, n
    got(i) = got(i) + 1
  end do
  ! #endif
  ! #if __GNUC__ >= 12
  !$omp parallel loop ! amp: static: loop construct
  do i = 1, n
    got(i) = got(i) + 1
  end do
  ! #endif
  !$omp target parallel do map(tofrom: got) ! amp: static: offloaded
  do i = 1, n
    got(i) = got(i) + 1
  end do
  !$omp parallel do ! amp: static: iterator above 64 bits
  do i16 = 1_16, int (n, 16)
    got(int (i16)) = got(int (i16)) + 1
  end do
  !$omp parallel do schedule(static) ! amp: explicit: schedule clause
  do i = 1, n
    got(i) = got(i) + 1
  end do
  !$omp parallel do schedule(runtime) ! amp: explicit: schedule clause
  do i = 1, n
    got(i) = got(i) + 1
  end do
  !$omp parallel
  !$omp single
  !$omp taskloop
  do i = 1, n
    got(i) = got(i) + 1
  end do
  !$omp end single
  !$omp end parallel
  !$omp simd
  do i = 1, n
    got(i) = got(i) + 1
  end do
  call check ('other loops')
  ! #if __GNUC__ >= 12
  last = -1
  !$omp parallel do lastprivate(conditional: last) ! amp: static: conditional lastprivate
  do i = 1, n
    if (mod (i, 7) == 3) last = i
  end do
  print *, last
  ! #endif
  ! #if __GNUC__ >= 11
  turn = 0
  !$omp parallel do reduction(inscan, +: turn) ! amp: static: inscan reduction
  do i = 1, n
    turn = turn + i
    !$omp scan inclusive(turn)
    got(i) = turn
  end do
  call check ('inscan')
  ! #endif
  a = 1
  ! gfortran itself writes schedule(static) on each loop of workshare.
  !$omp parallel workshare ! amp: explicit: schedule clause amp: explicit: schedule clause
  b = a + 1
  a = b * 2
  !$omp end parallel workshare
  print *, sum (a), maxval (a)
  !$omp parallel sections
  !$omp section
  got(1) = 1
  !$omp section
  got(2) = 1
  !$omp end parallel sections
  call check ('sections')
end subroutine other_loops

program loops
  use marks
  implicit none
  integer, volatile :: n = 59, step = -7
  call runtime_loops (n, step)
  call other_loops (n)
end program loops

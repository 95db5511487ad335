! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! Do loops of every integer kind, with positive and negative steps, without a
! clause and with schedule(runtime), alone, combined and collapsed.
! { amp-calls GOMP_loop_static_start GOMP_loop_maybe_nonmonotonic_runtime_start }
program loops
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64
  use omp_lib
  implicit none
  integer, parameter :: n = 3000
  integer :: seen(n), failures, t

  failures = 0
  do t = 1, 4
    call omp_set_num_threads(t)
    call narrow
    call wide(1_int64, 1000_int64, 1_int64)
    call wide(1000_int64, 1_int64, -1_int64)
    call wide(-7_int64, 993_int64, 13_int64)
    call wide(993_int64, -7_int64, -13_int64)
    call wide(5_int64, 4_int64, 1_int64)
    call wide(huge(1_int64) - 1000, huge(1_int64) - 1, 1_int64)
    call wide(-huge(1_int64) + 1000, -huge(1_int64), -3_int64)
    call usual(1, 1000, 1)
    call usual(1000, -1000, -7)
    call usual(0, 0, 5)
    call usual(3, 2, 1)
    call nest
    call reductions
  end do
  if (failures /= 0) stop 1

contains

  subroutine visit(k)
    integer, intent(in) :: k
    if (k < 1 .or. k > n) then
      !$omp atomic
      failures = failures + 1
    else
      !$omp atomic
      seen(k) = seen(k) + 1
    end if
  end subroutine visit

  ! Iterations 1 .. m have been run `times' times each, and no other.
  subroutine check(m, times, what)
    integer, intent(in) :: m, times
    character(*), intent(in) :: what
    if (any(seen(:m) /= times) .or. any(seen(m + 1:) /= 0)) then
      print *, what, ' fails with ', t, ' threads'
      failures = failures + 1
    end if
  end subroutine check

  subroutine narrow
    integer(int8) :: b, low, high
    integer(int16) :: h
    seen = 0
    low = -50
    high = 60
    ! Spans that fit into the kind: stock GCC counts iterations in it.
    !$omp parallel
    !$omp do
    do b = low, high, 7_int8
      call visit((int(b) + 50) / 7 + 1)
    end do
    !$omp do schedule(runtime)
    do b = high, low, -7_int8
      call visit((60 - int(b)) / 7 + 1)
    end do
    !$omp end parallel
    call check(16, 2, 'int8')
    seen = 0
    !$omp parallel do
    do b = high, -20_int8, -1_int8
      call visit(61 - int(b))
    end do
    call check(81, 1, 'int8 combined')
    seen = 0
    !$omp parallel do
    do b = low - 77_int8, -28_int8, 1_int8
      call visit(int(b) + 128)
    end do
    call check(100, 1, 'int8 from its least')
    seen = 0
    !$omp parallel do
    do h = 15000_int16, -15000_int16, -100_int16
      call visit((15000 - int(h)) / 100 + 1)
    end do
    call check(301, 1, 'int16')
  end subroutine narrow

  subroutine wide(first, last, step)
    integer(int64), intent(in) :: first, last, step
    integer(int64) :: i
    integer :: m
    m = int(max((last - first + step) / step, 0_int64))
    seen = 0
    !$omp parallel
    !$omp do
    do i = first, last, step
      call visit(int((i - first) / step) + 1)
    end do
    !$omp do schedule(runtime)
    do i = first, last, step
      call visit(int((i - first) / step) + 1)
    end do
    !$omp do schedule(monotonic: runtime)
    do i = first, last, step
      call visit(int((i - first) / step) + 1)
    end do
    !$omp end parallel
    call check(m, 3, 'int64')
  end subroutine wide

  subroutine usual(first, last, step)
    integer, intent(in) :: first, last, step
    integer :: i, m
    m = max((last - first + step) / step, 0)
    seen = 0
    !$omp parallel do
    do i = first, last, step
      call visit((i - first) / step + 1)
    end do
    !$omp parallel do schedule(runtime)
    do i = first, last, step
      call visit((i - first) / step + 1)
    end do
    call check(m, 2, 'int32')
    seen = 0
    !$omp parallel do
    do i = 2000, 1, -3
      call visit((2000 - i) / 3 + 1)
    end do
    call check(667, 1, 'constant')
  end subroutine usual

  subroutine nest
    integer :: i, j
    seen = 0
    !$omp parallel do collapse(2)
    do i = 10, 1, -1
      do j = -5, 5, 2
        call visit((10 - i) * 6 + (j + 5) / 2 + 1)
      end do
    end do
    call check(60, 1, 'collapse')
  end subroutine nest

  subroutine reductions
    integer :: i, last
    real(8) :: total
    integer(int64) :: largest
    total = 0
    largest = -1
    !$omp parallel do reduction(+: total) reduction(max: largest) &
    !$omp   lastprivate(last)
    do i = 1, 1000
      total = total + i
      largest = max(largest, int(mod(i * 7, 1000), int64))
      last = i
    end do
    if (total /= 500500.d0 .or. largest /= 999 .or. last /= 1000) then
      print *, 'reductions fail with ', t, ' threads'
      failures = failures + 1
    end if
  end subroutine reductions
end program loops

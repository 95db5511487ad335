! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! Regions that are cancelled between loops that rely on each other, in Fortran.
! { amp-do rely }
! { amp-env OMP_CANCELLATION=true }
! { amp-also rely-part.c }
module patterns
  use, intrinsic :: iso_c_binding
  use omp_lib
  implicit none
  include 'rely.inc'
  integer, parameter :: n = 101
  integer :: a(n), b(n), c(n)

contains

  pure integer function right(round, i)
    integer, intent(in) :: round, i
    right = round * 1009 + i * 7
  end function right

  subroutine slow(round, salt, i)
    integer, intent(in) :: round, salt, i
    call rely_delay(int(round, c_int), int(salt, c_int), int(i - 1, c_long), int(n, c_long))
  end subroutine slow

  ! Of a cancelled round elements may be missing, but none is wrong.
  integer(c_long) function compare(got, factor, round, cancelled)
    integer, intent(in) :: got(:), factor, round
    logical, intent(in) :: cancelled
    integer :: i
    compare = 0
    do i = 1, n
      if (got(i) == factor * right(round, i)) cycle
      if (cancelled .and. got(i) == -1) cycle
      compare = compare + 1
    end do
  end function compare

  subroutine forget()
    a = -1
    b = -1
    c = -1
  end subroutine forget

  integer(c_long) function one_cancels(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    logical :: stops
    stops = mod(round, 3) == 1
    call forget()
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 0, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    if (omp_get_thread_num() == mod(round, threads)) then
      !$omp cancel parallel if(stops)
    end if
    !$omp do
    do i = 1, n
      call slow(round + 1, 1, i)
      b(i) = 2 * a(i)
    end do
    !$omp end do nowait
    !$omp cancellation point parallel
    !$omp do
    do i = 1, n
      c(i) = a(i) + b(i)
    end do
    !$omp end do
    !$omp end parallel
    one_cancels = compare(a, 1, round, stops) + compare(b, 2, round, stops) &
         + compare(c, 3, round, stops)
  end function one_cancels

  integer(c_long) function after_static(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    logical :: stops
    stops = mod(round, 5) == 0
    call forget()
    !$omp parallel num_threads(threads)
    !$omp do schedule(static)
    do i = 1, n
      call slow(round, 2, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp cancel parallel if(stops)
    !$omp do
    do i = 1, n
      b(i) = 2 * a(i)
    end do
    !$omp end do nowait
    !$omp end parallel
    after_static = compare(a, 1, round, stops) + compare(b, 2, round, stops)
  end function after_static

  integer(c_long) function cancelled_loop(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    logical :: stops
    stops = mod(round, 2) == 1
    call forget()
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      c(i) = right(round, i)
      if (stops .and. i == mod(round, n) + 1) then
        !$omp cancel do
      end if
      !$omp cancellation point do
    end do
    !$omp end do
    !$omp do
    do i = 1, n
      call slow(round, 3, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      b(i) = 2 * a(i)
    end do
    !$omp end do nowait
    !$omp end parallel
    cancelled_loop = compare(a, 1, round, .false.) + compare(b, 2, round, .false.) &
         + compare(c, 1, round, stops)
  end function cancelled_loop
end module patterns

program rely_cancel
  use patterns
  implicit none
  call rely_add('one cancels' // c_null_char, c_funloc(one_cancels))
  call rely_add('after static' // c_null_char, c_funloc(after_static))
  call rely_add('a cancelled loop' // c_null_char, c_funloc(cancelled_loop))
  call c_exit(rely_run())
end program rely_cancel

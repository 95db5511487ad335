! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! Chains of nowait loops of one length, and loops that come after what maps
! iterations as static does, in Fortran.
! { amp-do rely }
! { amp-also rely-part.c }
module patterns
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int16, int64
  implicit none
  include 'rely.inc'
  integer, parameter :: n = 101
  integer :: a(n), b(n), c(n)
  real(c_double) :: x(n), y(n)

contains

  pure integer function right(round, i)
    integer, intent(in) :: round, i
    right = round * 1009 + i * 7
  end function right

  subroutine slow(round, salt, i)
    integer, intent(in) :: round, salt, i
    call rely_delay(int(round, c_int), int(salt, c_int), int(i - 1, c_long), int(n, c_long))
  end subroutine slow

  integer(c_long) function compare(got, factor, round)
    integer, intent(in) :: got(:), factor, round
    integer :: i
    compare = 0
    do i = 1, n
      if (got(i) /= factor * right(round, i)) compare = compare + 1
    end do
  end function compare

  integer(c_long) function two_equal(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 0, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      b(i) = 2 * a(i)
    end do
    !$omp end do nowait
    !$omp end parallel
    two_equal = compare(b, 2, round)
  end function two_equal

  integer(c_long) function two_unequal(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 1, i)
      call rely_work(merge(40_c_long, 2_c_long, i < 25))
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      b(i) = 2 * a(i)
      call rely_work(merge(40_c_long, 1_c_long, i > 75))
    end do
    !$omp end do
    !$omp end parallel
    two_unequal = compare(b, 2, round)
  end function two_unequal

  integer(c_long) function three(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 2, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      call slow(round + 1, 3, i)
      b(i) = 2 * a(i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      c(i) = a(i) + b(i)
    end do
    !$omp end do nowait
    !$omp end parallel
    three = compare(c, 3, round)
  end function three

  integer(c_long) function again(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, k, want
    do i = 1, n
      a(i) = right(round, i)
    end do
    !$omp parallel num_threads(threads) private(k)
    do k = 0, 2
      !$omp do
      do i = 1, n
        call slow(round, k, i)
        b(i) = a(i) + k
      end do
      !$omp end do nowait
      !$omp do
      do i = 1, n
        call rely_work(int(mod(i, 7), c_long))
        c(i) = b(i) + 1
      end do
      !$omp end do nowait
      !$omp do
      do i = 1, n
        a(i) = c(i) + b(i)
      end do
      !$omp end do nowait
    end do
    !$omp end parallel
    again = 0
    do i = 1, n
      want = right(round, i)
      do k = 0, 2
        want = 2 * (want + k) + 1
      end do
      if (a(i) /= want) again = again + 1
    end do
  end function again

  ! Other kinds of iteration variables, steps and directions: the iterations are
  ! dealt by their number.
  integer(c_long) function kinds(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer(int64) :: i
    integer(int16) :: j
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 4, int(i))
      a(i) = right(round, int(i))
    end do
    !$omp end do nowait
    !$omp do
    do i = 10, 10 + 5 * (n - 1), 5
      b(i / 5 - 1) = 2 * a(i / 5 - 1)
    end do
    !$omp end do nowait
    !$omp do
    do j = n, 1, -1
      c(n + 1 - j) = b(n + 1 - j) + a(n + 1 - j)
    end do
    !$omp end do nowait
    !$omp end parallel
    kinds = compare(c, 3, round)
  end function kinds

  integer(c_long) function collapsed(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer, save :: p(9, 12), q(9, 12)
    integer :: i, j
    !$omp parallel num_threads(threads)
    !$omp do collapse(2)
    do j = 1, 12
      do i = 1, 9
        call slow(round, 5, min((j - 1) * 9 + i, n))
        p(i, j) = right(round, (j - 1) * 9 + i)
      end do
    end do
    !$omp end do nowait
    !$omp do collapse(2)
    do j = 1, 12
      do i = 1, 9
        q(i, j) = p(i, j) + 1
      end do
    end do
    !$omp end do nowait
    !$omp end parallel
    collapsed = 0
    do j = 1, 12
      do i = 1, 9
        if (q(i, j) /= right(round, (j - 1) * 9 + i) + 1) collapsed = collapsed + 1
      end do
    end do
  end function collapsed

  ! Array notation in bodies, simd.
  integer(c_long) function simd(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    integer, save :: p(4, n), q(4, n)
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 6, i)
      p(:, i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      q(:, i) = 2 * p(:, i)
    end do
    !$omp end do nowait
    !$omp do simd
    do i = 1, n
      b(i) = q(1, i) + q(4, i)
    end do
    !$omp end do simd nowait
    !$omp end parallel
    simd = compare(b, 4, round)
  end function simd

  subroutine write_a(round)
    integer, intent(in) :: round
    integer :: i
    !$omp do
    do i = 1, n
      call slow(round, 7, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
  end subroutine write_a

  subroutine write_b()
    integer :: i
    !$omp do
    do i = 1, n
      b(i) = 2 * a(i)
    end do
    !$omp end do nowait
  end subroutine write_b

  integer(c_long) function orphaned(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    !$omp parallel num_threads(threads)
    call write_a(int(round))
    call write_b()
    !$omp do
    do i = 1, n
      c(i) = a(i) + b(i)
    end do
    !$omp end do
    !$omp end parallel
    orphaned = compare(c, 3, round)
  end function orphaned

  integer(c_long) function sums(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, t, from
    integer(int64) :: whole, want
    real(c_double) :: part, serial, one
    whole = 0
    part = 0
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 9, i)
      x(i) = 1 / (right(round, i) + 1.0_c_double)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      y(i) = x(i) + 0.25_c_double
    end do
    !$omp end do nowait
    !$omp do reduction(+: whole, part)
    do i = 1, n
      whole = whole + a(i)
      part = part + y(i)
    end do
    !$omp end do
    !$omp end parallel
    ! As static sums with two threads.
    want = 0
    serial = 0
    from = 1
    do t = 0, threads - 1
      one = 0
      do i = from, from + n / threads - merge(0, 1, t < mod(n, threads))
        one = one + (1 / (right(round, i) + 1.0_c_double) + 0.25_c_double)
        want = want + right(round, i)
      end do
      from = i
      serial = serial + one
    end do
    sums = merge(0, 1, whole == want .and. from == n + 1)
    if (rely_exact() /= 0 .and. threads == 2) then
      if (part < serial .or. part > serial) sums = sums + 1
    else if (abs(part - serial) > 1e-12_c_double * serial) then
      sums = sums + 1
    end if
  end function sums

  integer(c_long) function directly(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    !$omp parallel num_threads(threads)
    !$omp do schedule(static)
    do i = 1, n
      call slow(round, 10, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, n
      b(i) = 2 * a(i)
    end do
    !$omp end do
    !$omp end parallel
    directly = compare(b, 2, round)
  end function directly

  subroutine ends_with_static(round)
    integer, intent(in) :: round
    integer :: i
    !$omp do schedule(static)
    do i = 1, n
      call slow(round, 11, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
  end subroutine ends_with_static

  integer(c_long) function function_end(round, threads) bind(c)
    integer(c_int), value :: round, threads
    !$omp parallel num_threads(threads)
    call ends_with_static(int(round))
    call write_b()
    !$omp end parallel
    function_end = compare(b, 2, round)
  end function function_end

  integer(c_long) function back_edge(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, k, want
    do i = 1, n
      a(i) = right(round, i)
    end do
    !$omp parallel num_threads(threads) private(k)
    do k = 0, 2
      !$omp do
      do i = 1, n
        b(i) = a(i) + k
      end do
      !$omp end do
      !$omp do schedule(static)
      do i = 1, n
        call slow(round, 12 + k, i)
        a(i) = 2 * b(i)
      end do
      !$omp end do nowait
    end do
    !$omp end parallel
    back_edge = 0
    do i = 1, n
      want = right(round, i)
      do k = 0, 2
        want = 2 * (want + k)
      end do
      if (a(i) /= want) back_edge = back_edge + 1
    end do
  end function back_edge

  integer(c_long) function after_master(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, prepared
    prepared = -1
    !$omp parallel num_threads(threads)
    !$omp master
    call slow(round, 15, 1)
    prepared = right(round, 1)
    !$omp end master
    !$omp do
    do i = 1, n
      if (i == 1) then
        a(i) = prepared
      else
        a(i) = right(round, i)
      end if
    end do
    !$omp end do
    !$omp end parallel
    after_master = compare(a, 1, round)
  end function after_master

  integer(c_long) function after_single(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, prepared
    prepared = -1
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 16, i)
      a(i) = right(round, i)
    end do
    !$omp end do nowait
    !$omp single
    prepared = 0
    !$omp end single nowait
    !$omp do
    do i = 1, n
      b(i) = 2 * a(i)
    end do
    !$omp end do
    !$omp single
    prepared = 1
    !$omp end single
    !$omp do
    do i = 1, n
      c(i) = b(i) * prepared
    end do
    !$omp end do nowait
    !$omp end parallel
    after_single = compare(c, 2, round)
  end function after_single
end module patterns

program rely_chains
  use patterns
  implicit none
  call rely_add('two equal loops' // c_null_char, c_funloc(two_equal))
  call rely_add('two unequal loops' // c_null_char, c_funloc(two_unequal))
  call rely_add('three loops' // c_null_char, c_funloc(three))
  call rely_add('three loops, again' // c_null_char, c_funloc(again))
  call rely_add('kinds' // c_null_char, c_funloc(kinds))
  call rely_add('collapse' // c_null_char, c_funloc(collapsed))
  call rely_add('simd' // c_null_char, c_funloc(simd))
  call rely_add('orphaned' // c_null_char, c_funloc(orphaned))
  call rely_add('sums' // c_null_char, c_funloc(sums))
  call rely_add('directly' // c_null_char, c_funloc(directly))
  call rely_add('at a function''s end' // c_null_char, c_funloc(function_end))
  call rely_add('back edge' // c_null_char, c_funloc(back_edge))
  call rely_add('master' // c_null_char, c_funloc(after_master))
  call rely_add('single' // c_null_char, c_funloc(after_single))
  call c_exit(rely_run())
end program rely_chains

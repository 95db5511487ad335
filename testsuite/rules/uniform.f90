! Scratch that each iteration uses in the same way, or not.
! SPDX-License-Identifier: GPL-3.0-or-later
module cases
  include 'rules.inc'
contains
  include 'rules-functions.inc'

  ! Puts x's elements into y in another order.
  subroutine turn(x, y, m)
    integer, intent(in) :: m
    integer(8) :: x(0:m - 1), y(0:m - 1)
    integer :: k
    do k = 0, m - 1
      y(mod(k * 5 + 3, m)) = x(k) * 3
    end do
  end subroutine turn

  subroutine turns(x, y, steps, m)
    integer, intent(in) :: steps, m
    integer(8) :: x(0:m - 1), y(0:m - 1)
    integer :: l
    do l = 1, steps, 2
      call turn(x, y, m)
      if (l == steps) goto 10
      call turn(y, x, m)
    end do
    return
10  x = y
  end subroutine turns

  integer function length(n)
    integer, value :: n
    length = 8 + iand(n, 7)
    if (mod(length, 5) == 0) length = length + 1
  end function length

  subroutine both_fill(n)
    integer, value :: n
    integer :: i, k, m, l
    integer(8) :: x(0:63), y(0:63)
    m = length(n)
    l = 3
    !$omp parallel private(x, y)
    !$omp do private(k) ! amp: any or static at -O0
    do i = 0, n - 1
      do k = 0, m - 1
        x(k) = in(iand(i + k, 63))
      end do
      call turns(x, y, l, m)
      out0(i) = x(0) * 3 + x(m - 1)
    end do
    !$omp end do
    !$omp do private(k) ! amp: any or static at -O0
    do i = 0, n - 1
      do k = 0, m - 1
        y(k) = in(iand(i + k + 5, 63))
      end do
      call turns(y, x, l + 1, m)
      out1(i) = y(1) * 3 + y(m - 1)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine both_fill

  subroutine steps_of_the_iteration(n)
    integer, value :: n
    integer :: i, k, m, l
    integer(8) :: x(0:63), y(0:63)
    m = length(n)
    l = 3
    !$omp parallel private(x, y)
    !$omp do private(k) ! amp: static
    do i = 0, n - 1
      do k = 0, m - 1
        x(k) = in(iand(i + k, 63))
      end do
      call turns(x, y, l, m)
      out0(i) = x(0) * 3 + x(m - 1)
    end do
    !$omp end do
    !$omp do private(k) ! amp: static
    do i = 0, n - 1
      do k = 0, m - 1
        y(k) = in(iand(i + k + 5, 63))
      end do
      call turns(y, x, iand(i, 1), m)
      out1(i) = x(1) * 3 + y(m - 1)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine steps_of_the_iteration

  subroutine in_steps(n)
    integer, value :: n
    integer :: i, k, m, t
    integer(8) :: x(0:63), y(0:63)
    m = length(n)
    !$omp parallel private(x, y, t)
    do t = 1, 3
      !$omp do private(k) ! amp: any or static
      do i = 0, n - 1
        do k = 0, m - 1
          x(k) = in(iand(i + k, 63)) + t
        end do
        call turn(x, y, m)
        out0(i) = out0(i) * 3 + y(0) * 7 + y(m - 1)
      end do
      !$omp end do
    end do
    !$omp end parallel
  end subroutine in_steps

  subroutine in_the_first_step(n)
    integer, value :: n
    integer :: i, k, m, t
    integer(8) :: x(0:63), y(0:63)
    m = length(n)
    !$omp parallel private(x, y, t)
    do t = 1, 3
      !$omp do private(k) ! amp: static
      do i = 0, n - 1
        do k = 0, m - 1
          x(k) = in(iand(i + k, 63)) + t
        end do
        if (t == 1) call turn(x, y, m)
        out0(i) = out0(i) * 3 + y(0) * 7 + y(m - 1)
      end do
      !$omp end do
    end do
    !$omp end parallel
  end subroutine in_the_first_step

  subroutine firstprivate_in_steps(n)
    integer, value :: n
    integer :: i, k, m, t
    integer(8) :: x(0:63), y(0:63)
    m = length(n)
    y = 1
    !$omp parallel private(x, t) firstprivate(y)
    do t = 1, 3
      !$omp do private(k) ! amp: static
      do i = 0, n - 1
        do k = 0, m - 1
          x(k) = in(iand(i + k, 63)) + t
        end do
        out0(i) = out0(i) * 3 + y(0) * 7 + y(m - 1)
        call turn(x, y, m)
      end do
      !$omp end do
    end do
    !$omp end parallel
  end subroutine firstprivate_in_steps

  subroutine section_handed_on(n)
    integer, value :: n
    integer :: i
    integer(8) :: w(8), m(8, 4)
    integer(8), allocatable :: a(:)
    !$omp parallel private(w, m, a)
    w = 0
    allocate (a(8))
    !$omp do ! amp: ascending
    do i = 0, n - 1
      w = i
      call mix_section_far(w, int(i, 8))
      out0(i) = sum(w)
    end do
    !$omp end do
    !$omp do ! amp: ascending
    do i = 0, n - 1
      m = i
      call mix_section_far(m(:, 2), int(i, 8))
      out0(i) = out0(i) + sum(m)
    end do
    !$omp end do
    !$omp do ! amp: ascending
    do i = 0, n - 1
      a(:) = in(iand(i, 7)) + i
      out1(i) = sum_section_far(a)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine section_handed_on

  subroutine section_not_written(n)
    integer, value :: n
    integer :: i
    integer(8) :: w(8)
    !$omp parallel private(w)
    w = 0
    !$omp do ! amp: static
    do i = 0, n - 1
      w(1:4) = i
      call mix_section_far(w, int(i, 8))
      out0(i) = w(2)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine section_not_written

  subroutine list_handed_on(n)
    integer, value :: n
    integer :: i
    integer(8), allocatable :: list(:)
    !$omp parallel do private(list) ! amp: static
    do i = 0, n - 1
      out0(i) = listed_far(list, int(i, 8))
    end do
    !$omp end parallel do
  end subroutine list_handed_on
end module cases

program main
  use cases
  call rules_add('both_fill'//c_null_char, c_funloc(both_fill))
  call rules_add('steps_of_the_iteration'//c_null_char, c_funloc(steps_of_the_iteration))
  call rules_add('in_steps'//c_null_char, c_funloc(in_steps))
  call rules_add('in_the_first_step'//c_null_char, c_funloc(in_the_first_step))
  call rules_add('firstprivate_in_steps'//c_null_char, c_funloc(firstprivate_in_steps))
  call rules_add('section_handed_on'//c_null_char, c_funloc(section_handed_on))
  call rules_add('section_not_written'//c_null_char, c_funloc(section_not_written))
  call rules_add('list_handed_on'//c_null_char, c_funloc(list_handed_on))
  if (rules_run() /= 0) stop 1
end program main

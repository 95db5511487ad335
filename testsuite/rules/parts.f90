! A file that lets another make parts by the number of threads.
! SPDX-License-Identifier: GPL-3.0-or-later
module cases
  include 'rules.inc'
  interface
    subroutine links_far(n, team, before)
      integer, intent(in) :: n, team
      integer(8), intent(out) :: before(0:*)
    end
  end interface
  integer(8) :: before(0:100000)
contains
  include 'rules-functions.inc'

  subroutine linked_elsewhere(n)
    integer, value :: n
    integer :: i
    call links_far(n, omp_get_max_threads(), before)
    !$omp parallel do ! amp: static
    do i = 0, n - 1
      out0(i) = i
      if (before(i) /= i) out0(i) = out0(before(i)) * 3 + i
    end do
  end subroutine linked_elsewhere

  subroutine linked_in_a_section(n)
    integer, value :: n
    integer :: i
    call links_far(n, omp_get_max_threads(), before)
    !$omp parallel do ! amp: static
    do i = 0, n - 1
      call sum_up(out0(before(i):i - 1), out0(i), i)
    end do
  end subroutine linked_in_a_section

  ! Too long to be inlined early.
  subroutine sum_up(x, s, i)
    integer(8), intent(in) :: x(:)
    integer(8), intent(out) :: s
    integer, intent(in) :: i
    integer :: k
    s = i
    do k = 1, size(x)
      s = s + mix_in(x(k), s)
      if (btest(s, k)) s = s + mix_in(x(k), 5_8)
    end do
  end subroutine sum_up

  subroutine around_it(n)
    integer, value :: n
    integer :: i
    call links_far(n, omp_get_max_threads(), before)
    !$omp parallel do ! amp: static
    do i = 0, n - 1
      call go_on(i)
    end do
  contains
    subroutine go_on(i)
      integer, intent(in) :: i
      integer :: from
      from = int(before(i))
      out0(i) = i
      if (from /= i) out0(i) = mix_in(out0(from), int(n, 8)) + i
    end subroutine go_on
  end subroutine around_it
end module cases

program main
  use cases
  call rules_add('linked_elsewhere'//c_null_char, c_funloc(linked_elsewhere))
  call rules_add('linked_in_a_section'//c_null_char, c_funloc(linked_in_a_section))
  call rules_add('around_it'//c_null_char, c_funloc(around_it))
  if (rules_run() /= 0) stop 1
end program main

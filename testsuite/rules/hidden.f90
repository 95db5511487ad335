! What Fortran hides of the thread's number.
! SPDX-License-Identifier: GPL-3.0-or-later
module cases
  include 'rules.inc'
  interface
    subroutine set_back_far(run) bind(c)
      import c_funptr
      type(c_funptr), value :: run
    end
    subroutine call_back_far(i) bind(c)
      import c_int
      integer(c_int), value :: i
    end
  end interface
  integer(8), save :: last = 0
  !$omp threadprivate(last)
contains
  include 'rules-functions.inc'

  subroutine go_on(i) bind(c)
    integer(c_int), value :: i
    last = last * 3 + i
    out0(i) = last
  end subroutine go_on

  subroutine called_back(n) bind(c)
    integer(c_int), value :: n
    integer(c_int) :: i
    call set_back_far(c_funloc(go_on))
    !$omp parallel
    last = 0
    !$omp barrier
    !$omp do ! amp: static
    do i = 0, n - 1
      call call_back_far(i)
    end do
    !$omp end parallel
  end subroutine called_back

  subroutine number_of_a_long_level(n) bind(c)
    integer(c_int), value :: n
    integer :: i
    !$omp parallel do ! amp: static identity
    do i = 0, n - 1
      out0(i) = omp_get_ancestor_thread_num(1_8)
    end do
  end subroutine number_of_a_long_level

  subroutine set_all(x, value)
    integer(8), intent(out) :: x(:)
    integer(8), intent(in) :: value
    x = value
  end subroutine set_all

  ! Each thread sets what static will give it.
  subroutine block_in_a_descriptor(n) bind(c)
    integer(c_int), value :: n
    integer :: i, me, team, from, to
    !$omp parallel private(me, team, from, to)
    me = omp_get_thread_num()
    team = omp_get_num_threads()
    from = n / team * me + min(me, mod(n, team))
    to = from + n / team - 1
    if (me < mod(n, team)) to = to + 1
    call set_all(out1(from:to), int(me + 5, 8))
    !$omp do ! amp: static identity
    do i = 0, n - 1
      out0(i) = out1(i) * 3
    end do
    !$omp end parallel
  end subroutine block_in_a_descriptor

  subroutine text_of_the_first(n) bind(c)
    integer(c_int), value :: n
    integer :: i
    character(8) :: text
    text = 'a'
    !$omp parallel
    if (omp_get_thread_num() == 0) write (text, '(i0)') 77
    !$omp do ! amp: static identity
    do i = 0, n - 1
      out0(i) = i
      if (i == 0) out0(i) = ichar(text(1:1))
    end do
    !$omp end parallel
  end subroutine text_of_the_first
end module cases

program main
  use cases
  implicit none
  call rules_add('called_back'//c_null_char, c_funloc(called_back))
  call rules_add('number_of_a_long_level'//c_null_char, c_funloc(number_of_a_long_level))
  call rules_add('block_in_a_descriptor'//c_null_char, c_funloc(block_in_a_descriptor))
  call rules_add('text_of_the_first'//c_null_char, c_funloc(text_of_the_first))
  if (rules_run() /= 0) stop 1
end program main

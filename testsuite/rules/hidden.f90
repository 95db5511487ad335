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
  integer(8) :: seeds(0:7)
  type part
    integer(8), allocatable :: number
  end type part
contains
  include 'rules-functions.inc'

  ! What is around a contained function holds the number.
  subroutine number_in_the_frame(n) bind(c)
    integer(c_int), value :: n
    seeds = 7
    !$omp parallel
    call draw_all(n)
    !$omp end parallel
  end subroutine number_in_the_frame

  subroutine draw_all(n)
    integer(c_int), value :: n
    integer :: i, me
    me = omp_get_thread_num()
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = draw()
    end do
    call keep()
  contains
    integer(8) function draw()
      seeds(iand(me, 7)) = seeds(iand(me, 7)) * 69069 + 1
      draw = seeds(iand(me, 7))
    end function draw
    subroutine keep()
      me = me + 1
    end subroutine keep
  end subroutine draw_all

  subroutine set_by_a_contained_one(n) bind(c)
    integer(c_int), value :: n
    !$omp parallel
    call set_before(n)
    !$omp end parallel
  end subroutine set_by_a_contained_one

  ! Each thread sets what static will give it.
  subroutine set_before(n)
    integer(c_int), value :: n
    integer :: i, me, team
    me = omp_get_thread_num()
    team = omp_get_num_threads()
    call set_part()
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = out1(i) * 2
    end do
  contains
    subroutine set_part()
      integer :: from, to
      from = me * (n / team) + min(me, mod(n, team))
      to = from + n / team - 1
      if (me < mod(n, team)) to = to + 1
      out1(from:to) = me + 7
    end subroutine set_part
  end subroutine set_before

  subroutine set_number(p)
    type(part), intent(inout) :: p
    allocate (p%number)
    p%number = omp_get_thread_num()
  end subroutine set_number

  subroutine set_number_for(p)
    type(part), intent(inout) :: p
    call set_number(p)
  end subroutine set_number_for

  subroutine number_below_an_argument(n) bind(c)
    integer(c_int), value :: n
    integer :: i
    type(part) :: p
    !$omp parallel private(p)
    call set_number_for(p)
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = p%number * 3 + i
    end do
    deallocate (p%number)
    !$omp end parallel
  end subroutine number_below_an_argument

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
  call rules_add('number_in_the_frame'//c_null_char, c_funloc(number_in_the_frame))
  call rules_add('set_by_a_contained_one'//c_null_char, c_funloc(set_by_a_contained_one))
  call rules_add('number_below_an_argument'//c_null_char, c_funloc(number_below_an_argument))
  if (rules_run() /= 0) stop 1
end program main

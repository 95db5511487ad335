! Fortran's variables, arrays and types of a thread's own.
! SPDX-License-Identifier: GPL-3.0-or-later
module cases
  include 'rules.inc'
  integer(8), save :: mine
  integer(8) :: block_x(0:7)
  !$omp threadprivate(mine)
  common /storage/ block_x
  !$omp threadprivate(/storage/)
  integer(8) :: work(0:7, 0:63)
contains
  include 'rules-functions.inc'

  integer(8) function next()
    mine = mine + 1
    next = mine
  end function next

  subroutine array_filled(n)
    integer, value :: n
    integer :: i, k
    integer(8) :: w(8)
    !$omp parallel do private(w, k) ! amp: any
    do i = 0, n - 1
      w = i
      do k = 2, 7
        w(k) = w(k) + in(k)
      end do
      out0(i) = sum(w) + w(1 + iand(i, 7))
    end do
    !$omp end parallel do
  end subroutine array_filled

  subroutine section(n)
    integer, value :: n
    integer :: i
    integer(8) :: w(8)
    !$omp parallel private(w)
    w = 0
    !$omp do ! amp: static
    do i = 0, n - 1
      w(2:8) = w(1:7)
      w(1) = i
      out0(i) = w(3)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine section

  subroutine allocated_before(n)
    integer, value :: n
    integer :: i, k
    integer(8), allocatable :: w(:)
    !$omp parallel private(w, k)
    allocate (w(0:7))
    !$omp do ! amp: any
    do i = 0, n - 1
      do k = 0, 7
        w(k) = ieor(i, k)
      end do
      out0(i) = w(iand(i, 7)) + w(3)
    end do
    !$omp end do
    deallocate (w)
    !$omp end parallel
  end subroutine allocated_before

  subroutine allocated_and_handed_on(n)
    integer, value :: n
    integer :: i
    integer(8), allocatable :: w(:)
    !$omp parallel private(w)
    allocate (w(0:7))
    w = 0
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = w(iand(i, 7))
      w(iand(in(iand(i, 63)), 7_8)) = i
    end do
    !$omp end do
    deallocate (w)
    !$omp end parallel
  end subroutine allocated_and_handed_on

  subroutine allocated_in_the_body(n)
    integer, value :: n
    integer :: i
    integer(8), allocatable :: w(:)
    !$omp parallel do private(w) ! amp: any or static at -O0
    do i = 0, n - 1
      allocate (w(0:iand(i, 7)))
      w = 3
      out0(i) = sum(w)
      deallocate (w)
    end do
    !$omp end parallel do
  end subroutine allocated_in_the_body

  subroutine allocated_now_and_then(n)
    integer, value :: n
    integer :: i
    integer(8), allocatable :: w(:), v(:, :)
    !$omp parallel private(w, v)
    !$omp do ! amp: any or static at -O0
    do i = 0, n - 1
      if (btest(in(iand(i, 63)), 0)) then
        allocate (w(0:mod(i, 7)), v(2, 0:i))
        w = i
        v = mod(i, 5)
        out0(i) = sum(w) + sum(v)
        deallocate (w, v)
      end if
    end do
    !$omp end do
    !$omp do ! amp: any or static at -O0
    do i = 0, n - 1
      allocate (w(0:mod(i, 7)))
      w = out0(i)
      out1(i) = sum(w)
      deallocate (w)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine allocated_now_and_then

  subroutine allocated_once(n)
    integer, value :: n
    integer :: i
    integer(8), allocatable :: w(:)
    !$omp parallel do private(w) ! amp: static
    do i = 0, n - 1
      if (.not. allocated(w)) then
        allocate (w(0:7))
        w = i
      end if
      out0(i) = w(3)
    end do
    !$omp end parallel do
  end subroutine allocated_once

  subroutine allocated_for_some(n)
    integer, value :: n
    integer :: i
    integer(8), allocatable :: w(:)
    !$omp parallel do private(w) ! amp: static
    do i = 0, n - 1
      out0(i) = merge(1, 2, allocated(w))
      if (btest(in(iand(i, 63)), 0)) then
        if (.not. allocated(w)) allocate (w(0:7))
      else if (allocated(w)) then
        deallocate (w)
      end if
    end do
    !$omp end parallel do
  end subroutine allocated_for_some

  subroutine allocation_failed(n)
    integer, value :: n
    integer :: i, s
    integer(8), allocatable :: w(:)
    allocate (w(0:3))
    !$omp parallel do private(w, s) ! amp: static
    do i = 0, n - 1
      allocate (w(0:7), stat=s)
      out0(i) = merge(1, 2, s == 0)
      deallocate (w)
    end do
    !$omp end parallel do
  end subroutine allocation_failed

  subroutine deallocated_by_the_first(n)
    integer, value :: n
    integer :: i
    integer(8), allocatable :: w(:)
    allocate (w(0:3))
    !$omp parallel do private(w) ! amp: static
    do i = 0, n - 1
      out0(i) = merge(1, 2, allocated(w))
      if (allocated(w)) deallocate (w)
    end do
    !$omp end parallel do
  end subroutine deallocated_by_the_first

  subroutine kept_behind(n)
    integer, value :: n
    integer :: i
    integer(8), allocatable :: w(:)
    !$omp parallel private(w)
    !$omp do ! amp: static
    do i = 0, n - 1
      if (allocated(w)) deallocate (w)
      if (btest(in(iand(i, 63)), 0)) allocate (w(0:7))
    end do
    !$omp end do
    tail(omp_get_thread_num()) = merge(1, 2, allocated(w))
    !$omp end parallel
  end subroutine kept_behind

  subroutine column(n)
    integer, value :: n
    integer :: i, k, me
    !$omp parallel private(me, k)
    me = omp_get_thread_num()
    !$omp do ! amp: any or static at -O0
    do i = 0, n - 1
      do k = 0, 7
        work(k, me) = i + k
      end do
      out0(i) = work(iand(i, 7), me)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine column

  subroutine column_by_callee(n)
    integer, value :: n
    integer :: i, me
    !$omp parallel private(me)
    me = omp_get_thread_num()
    !$omp do ! amp: any or static at -O0
    do i = 0, n - 1
      call fill_in(work(:, me), int(i, 8))
      out0(i) = sum_in(work(:, me))
    end do
    !$omp end do
    !$omp end parallel
  end subroutine column_by_callee

  subroutine column_handed_on(n)
    integer, value :: n
    integer :: i, me
    !$omp parallel private(me)
    me = omp_get_thread_num()
    work(:, me) = 0
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = work(iand(i, 7), me)
      work(iand(in(iand(i, 63)), 7_8), me) = i
    end do
    !$omp end do
    !$omp end parallel
  end subroutine column_handed_on

  subroutine type_filled(n)
    integer, value :: n
    integer :: i
    type(record) :: s
    !$omp parallel do private(s) ! amp: any
    do i = 0, n - 1
      s%a = i
      s%b = in(iand(i, 63))
      s%c = 5
      out0(i) = s%a + s%b + s%c(iand(i, 3))
    end do
    !$omp end parallel do
  end subroutine type_filled

  subroutine type_handed_on(n)
    integer, value :: n
    integer :: i
    type(record) :: s
    s = record(1, 2, [3, 4, 5, 6])
    !$omp parallel do firstprivate(s) ! amp: static
    do i = 0, n - 1
      out0(i) = s%b
      s%b = s%a
      s%a = i
    end do
    !$omp end parallel do
  end subroutine type_handed_on

  subroutine associated_name(n)
    integer, value :: n
    integer :: i
    type(record) :: s
    !$omp parallel private(s)
    s = record(1, 2, [3, 4, 5, 6])
    associate (x => s%a)
      !$omp do ! amp: static
      do i = 0, n - 1
        out0(i) = x
        s%a = i
      end do
      !$omp end do
    end associate
    !$omp end parallel
  end subroutine associated_name

  subroutine pointed(n)
    integer, value :: n
    integer :: i
    integer(8), target :: x
    integer(8), pointer :: p
    !$omp parallel private(x, p)
    x = 1
    p => x
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = x
      p = i
    end do
    !$omp end do
    !$omp end parallel
  end subroutine pointed

  subroutine stream(n)
    integer, value :: n
    integer :: i
    integer(8) :: state
    !$omp parallel private(state)
    state = 7
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = draw_in(state)
    end do
    !$omp end do
    !$omp do ! amp: static
    do i = 0, n - 1
      out1(i) = draw_far(state)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine stream

  subroutine of_the_module(n)
    integer, value :: n
    integer :: i
    !$omp parallel
    mine = 0
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = next()
    end do
    !$omp end do
    !$omp do ! amp: any or static
    do i = 0, n - 1
      mine = i
      out1(i) = mine * 3
    end do
    !$omp end do
    !$omp end parallel
  end subroutine of_the_module

  subroutine common_block(n)
    integer, value :: n
    integer :: i
    !$omp parallel
    block_x = 0
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = block_x(iand(i, 7))
      block_x(iand(in(iand(i, 63)), 7_8)) = i
    end do
    !$omp end do
    !$omp do ! amp: any or static
    do i = 0, n - 1
      block_x = i
      out1(i) = block_x(3)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine common_block

  subroutine sums_up_and_sees(n)
    integer, value :: n
    integer :: i
    integer(8) :: s
    s = 0
    !$omp parallel do reduction(+:s) ! amp: static
    do i = 0, n - 1
      s = s + in(iand(i, 63))
      out0(i) = s
    end do
    !$omp end parallel do
    total = s
  end subroutine sums_up_and_sees

  subroutine array_reduced(n)
    integer, value :: n
    integer :: i
    integer(8) :: h(0:7)
    h = 0
    !$omp parallel do reduction(+:h) ! amp: any or static at -O0
    do i = 0, n - 1
      h(iand(in(iand(i, 63)), 7_8)) = h(iand(in(iand(i, 63)), 7_8)) + 1
    end do
    !$omp end parallel do
    tail(0:7) = h
  end subroutine array_reduced

  subroutine text(n)
    integer, value :: n
    integer :: i
    character(12) :: line
    !$omp parallel do private(line) ! amp: any or static
    do i = 0, n - 1
      write (line, '(i12)') i
      out0(i) = ichar(line(12:12)) + len_trim(adjustl(line))
    end do
    !$omp end parallel do
  end subroutine text

  subroutine block_construct(n)
    integer, value :: n
    integer :: i
    !$omp parallel
    block
      integer(8) :: last
      last = 1
      !$omp do ! amp: static
      do i = 0, n - 1
        out0(i) = last
        last = i
      end do
      !$omp end do
    end block
    !$omp end parallel
  end subroutine block_construct

  ! A callee reads the iteration by reference.
  subroutine iteration_handed_on(n)
    integer, value :: n
    integer(8) :: i
    !$omp parallel do ! amp: any
    do i = 0, n - 1
      call row_of(i)
    end do
    !$omp end parallel do
  end subroutine iteration_handed_on

  ! Too long to be inlined early.
  subroutine row_of(i)
    integer(8), intent(in) :: i
    integer :: k
    out0(i) = mix_in(i, 5_8)
    do k = 0, 7
      out0(i) = out0(i) + mix_in(in(k), i)
      if (btest(out0(i), k)) out1(i) = out1(i) + mix_in(out0(i), i)
    end do
  end subroutine row_of
  subroutine logical_reductions(n)
    integer, value :: n
    integer :: i, k
    logical :: any_of, all_of
    do k = 0, 7
      any_of = .false.
      all_of = .true.
      !$omp parallel do reduction(.or. : any_of) ! amp: any
      do i = 0, n - 1
        any_of = any_of .or. iand(in(iand(i, 63)), 63_8) == k * 3
      end do
      !$omp parallel do reduction(.and. : all_of) ! amp: any or static at -O0
      do i = 0, n - 1
        if (.not. all_of) cycle
        if (iand(in(iand(i, 63)), 63_8) == k * 3) all_of = .false.
      end do
      out0(k) = merge(2, 1, any_of) + merge(4, 0, all_of)
    end do
  end subroutine logical_reductions

end module cases

program main
  use cases
  call case('array_filled', c_funloc(array_filled))
  call case('section', c_funloc(section))
  call case('allocated_before', c_funloc(allocated_before))
  call case('allocated_and_handed_on', c_funloc(allocated_and_handed_on))
  call case('allocated_in_the_body', c_funloc(allocated_in_the_body))
  call case('allocated_now_and_then', c_funloc(allocated_now_and_then))
  call case('allocated_once', c_funloc(allocated_once))
  call case('allocated_for_some', c_funloc(allocated_for_some))
  call case('allocation_failed', c_funloc(allocation_failed))
  call case('deallocated_by_the_first', c_funloc(deallocated_by_the_first))
  call case('kept_behind', c_funloc(kept_behind))
  call case('column', c_funloc(column))
  call case('column_by_callee', c_funloc(column_by_callee))
  call case('column_handed_on', c_funloc(column_handed_on))
  call case('type_filled', c_funloc(type_filled))
  call case('type_handed_on', c_funloc(type_handed_on))
  call case('associated_name', c_funloc(associated_name))
  call case('pointed', c_funloc(pointed))
  call case('stream', c_funloc(stream))
  call case('of_the_module', c_funloc(of_the_module))
  call case('common_block', c_funloc(common_block))
  call case('sums_up_and_sees', c_funloc(sums_up_and_sees))
  call case('array_reduced', c_funloc(array_reduced))
  call case('text', c_funloc(text))
  call case('block_construct', c_funloc(block_construct))
  call case('iteration_handed_on', c_funloc(iteration_handed_on))
  call rules_add('logical_reductions'//c_null_char, c_funloc(logical_reductions))
  if (rules_run() /= 0) stop 1
contains
  subroutine case(name, run)
    character(*), intent(in) :: name
    type(c_funptr), value :: run
    ! Names are kept.
    character(kind=c_char, len=:), pointer :: kept
    allocate (character(len=len(name) + 1) :: kept)
    kept = name // c_null_char
    call rules_add(kept, run)
  end subroutine case
end program main

! What libraries give each thread, in Fortran.
! SPDX-License-Identifier: GPL-3.0-or-later
module cases
  include 'rules.inc'
  type, abstract :: stage
  contains
    procedure(stage_run), deferred :: run
  end type stage
  abstract interface
    subroutine stage_run(this, b, n)
      import stage
      class(stage), intent(in) :: this
      integer(8), intent(inout) :: b(0:)
      integer, intent(in) :: n
    end
  end interface
  type, extends(stage) :: fills
  contains
    procedure :: run => fill
  end type fills
  type, extends(stage) :: reads
  contains
    procedure :: run => read_it
  end type reads
  type :: holder
    class(stage), allocatable :: s
  end type holder
  type(holder) :: stages(2)
contains
  include 'rules-functions.inc'

  subroutine fill(this, b, n)
    class(fills), intent(in) :: this
    integer(8), intent(inout) :: b(0:)
    integer, intent(in) :: n
    integer :: i
    !$omp do ! amp: static
    do i = 0, n - 1
      b(i) = in(iand(i, 63)) * 3
    end do
  end subroutine fill

  subroutine read_it(this, b, n)
    class(reads), intent(in) :: this
    integer(8), intent(inout) :: b(0:)
    integer, intent(in) :: n
    integer :: i
    !$omp do ! amp: static
    do i = 0, n - 1
      out0(i) = b(i) + 1
    end do
  end subroutine read_it

  ! An array behind a descriptor, handed to stages of which it is not known which.
  subroutine stages_by_class(n) bind(c)
    integer, value :: n
    integer(8), allocatable :: b(:)
    integer :: k
    if (.not. allocated(stages(1)%s)) then
      allocate(fills :: stages(1)%s)
      allocate(reads :: stages(2)%s)
    end if
    !$omp parallel private(b, k)
    allocate(b(0:511))
    b = 0
    do k = 1, 2
      call stages(k)%s%run(b, n)
    end do
    deallocate(b)
    !$omp end parallel
  end subroutine stages_by_class

  ! Contained procedures share the variables around them.
  recursive subroutine around(n)
    integer, intent(in) :: n
    integer(8) :: b(0:511)
    b = 0
    call fill_it()
    call use_it()
  contains
    subroutine fill_it()
      integer :: i
      !$omp do ! amp: static
      do i = 0, n - 1
        b(i) = in(iand(i, 63)) * 3
      end do
    end subroutine fill_it
    subroutine use_it()
      integer :: i
      !$omp do ! amp: static
      do i = 0, n - 1
        out0(i) = b(i) + 1
      end do
    end subroutine use_it
  end subroutine around

  subroutine contained_stages(n) bind(c)
    integer, value :: n
    !$omp parallel
    call around(n)
    !$omp end parallel
  end subroutine contained_stages

  subroutine asks_for_a_team(n) bind(c)
    use omp_lib
    integer, value :: n
    integer :: i, round
    do round = 1, 8
      !$omp parallel do ! amp: any
      do i = 0, n - 1
        out0(i) = out0(i) + merge(i, 1, omp_in_parallel())
      end do
    end do
  end subroutine asks_for_a_team
end module cases

program main
  use cases
  implicit none
  call rules_add('stages_by_class'//c_null_char, c_funloc(stages_by_class))
  call rules_add('contained_stages'//c_null_char, c_funloc(contained_stages))
  call rules_add('asks_for_a_team'//c_null_char, c_funloc(asks_for_a_team))
  if (rules_run() /= 0) stop 1
end program main

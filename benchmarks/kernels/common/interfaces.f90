! SPDX-License-Identifier: GPL-3.0-or-later
! bench.h and app.h for Fortran.

module interfaces
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none

  ! app_parse's last argument: what is offered.
  integer(c_int), parameter :: offer_damage = 0, offer_seed = 1, offer_all = 2

  interface
     function bench_seconds () bind (c)
       import :: c_double
       real(c_double) :: bench_seconds
     end function bench_seconds
     function bench_threads () bind (c)
       import :: c_int
       integer(c_int) :: bench_threads
     end function bench_threads
     function bench_report (kernel, class, seconds, verified, threads, loops, &
                            detail) bind (c)
       import :: c_char, c_double, c_bool, c_int, c_long
       character(kind=c_char), intent(in) :: kernel(*), class(*), detail(*)
       real(c_double), value :: seconds
       logical(c_bool), value :: verified
       integer(c_int), value :: threads
       integer(c_long), value :: loops
       integer(c_int) :: bench_report
     end function bench_report
     subroutine app_argument (text) bind (c)
       import :: c_char
       character(kind=c_char), intent(in) :: text(*)
     end subroutine app_argument
     function app_parse (name, valid, help, offers) bind (c)
       import :: c_char, c_int
       character(kind=c_char), intent(in) :: name(*), valid(*), help(*)
       integer(c_int), value :: offers
       character(kind=c_char) :: app_parse
     end function app_parse
     function app_random (number) bind (c)
       import :: c_int64_t, c_double
       integer(c_int64_t), value :: number
       real(c_double) :: app_random
     end function app_random
     function app_tasks (n) bind (c)
       import :: c_long
       integer(c_long), value :: n
       integer(c_long) :: app_tasks
     end function app_tasks
     function app_get_seed () bind (c)
       import :: c_int64_t
       integer(c_int64_t) :: app_get_seed
     end function app_get_seed
     function app_wants_workload () bind (c)
       import :: c_bool
       logical(c_bool) :: app_wants_workload
     end function app_wants_workload
     function app_wants_damage () bind (c)
       import :: c_bool
       logical(c_bool) :: app_wants_damage
     end function app_wants_damage
     subroutine app_set_workload (work, n) bind (c)
       import :: c_int, c_long
       integer(c_int), intent(in) :: work(*)
       integer(c_long), value :: n
     end subroutine app_set_workload
     subroutine c_exit (status) bind (c, name='exit')
       import :: c_int
       integer(c_int), value :: status
     end subroutine c_exit
  end interface

contains

  ! The command line, for app_parse.
  subroutine pass_arguments ()
    character(len=:), allocatable :: arg
    integer :: i, length
    do i = 1, command_argument_count ()
       call get_command_argument (i, length=length)
       allocate (character(len=length) :: arg)
       if (length > 0) call get_command_argument (i, arg)
       call app_argument (arg // c_null_char)
       deallocate (arg)
    end do
  end subroutine pass_arguments

  ! Bit for bit.
  elemental logical function same (a, b)
    real(real64), intent(in) :: a, b
    same = transfer (a, 0_int64) == transfer (b, 0_int64)
  end function same
end module interfaces

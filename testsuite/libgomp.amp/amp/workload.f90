! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! The workload interface, reached by bind(c).
! { amp-do none }
! { amp-run {OMP_SCHEDULE=binlpt,30} {} {} }
! { amp-run {OMP_SCHEDULE=steal} {} {} }
program workload
  use, intrinsic :: iso_c_binding
  use omp_lib
  implicit none
  integer, parameter :: n = 2000
  integer :: seen(n), failures, t, k
  integer(c_int), target :: cost(n)
  integer(c_int) :: id

  interface
    function omp_loop_register(name) bind(c) result(id)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: id
    end function omp_loop_register
    subroutine omp_loop_unregister(id) bind(c)
      import :: c_int
      integer(c_int), value :: id
    end subroutine omp_loop_unregister
    subroutine omp_set_workload(id, tasks, ntasks, override) bind(c)
      import :: c_int, c_bool
      integer(c_int), value :: id
      integer(c_int), intent(in) :: tasks(*)
      integer(c_int), value :: ntasks
      logical(c_bool), value :: override
    end subroutine omp_set_workload
  end interface

  failures = 0
  id = omp_loop_register('fortran' // c_null_char)
  cost = [(modulo(k * k, 100), k = 1, n)]
  do t = 2, 5
    call omp_set_num_threads(t)
    call omp_set_workload(id, cost, n, logical(t == 3, c_bool))
    call once(1, n, 1)
    call once(n, 1, -1)
  end do
  call omp_loop_unregister(id)
  call once(1, n, 1)
  if (failures /= 0) stop 1

contains

  subroutine once(first, last, step)
    integer, intent(in) :: first, last, step
    integer :: i
    seen = 0
    !$omp parallel do schedule(runtime)
    do i = first, last, step
      !$omp atomic
      seen(i) = seen(i) + 1
    end do
    if (any(seen /= 1)) failures = failures + 1
  end subroutine once

end program workload

! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! Schedules whose threads have queues, on the loops of Fortran; and the
! workload interface, reached by bind(c).
! { amp-do none }
! { amp-run {OMP_SCHEDULE=steal} {} {} }
! { amp-run {OMP_SCHEDULE=steal,50} {} {} }
! { amp-run {OMP_SCHEDULE=ich,50} {} {} }
! { amp-run {OMP_SCHEDULE=binlpt,30} {} {} }
! { amp-run {GOMP_AMP_CLUSTERS=@A@:@B@ OMP_SCHEDULE=cluster_dynamic,5} {} {} }
! { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 GOMP_AMP_SF=3 OMP_SCHEDULE=ich,10,2} {} {} }
program queues
  use, intrinsic :: iso_fortran_env, only: int8, int16, int64
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
  do t = 2, 5
    call omp_set_num_threads(t)
    call once(1, n, 1)
    call once(n, 1, -1)
    call once(-5, 1000, 3)
    call once(7, 6, 1)
    call narrow
  end do
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
    integer :: i, m
    real(8) :: total
    m = max(0, (last - first + step) / step)
    seen = 0
    total = 0
    !$omp parallel do schedule(runtime) reduction(+: total)
    do i = first, last, step
      total = total + i
      !$omp atomic
      seen((i - first) / step + 1) = seen((i - first) / step + 1) + 1
    end do
    if (any(seen(:m) /= 1) .or. any(seen(m + 1:) /= 0)) failures = failures + 1
    if (abs(total - m * (first + (first + (m - 1) * step)) / 2.0_8) > 1e-3) &
      failures = failures + 1
  end subroutine once

  subroutine narrow
    integer(int8) :: b
    integer(int16) :: h
    seen = 0
    !$omp parallel do
    do b = -127_int8, 126_int8
      !$omp atomic
      seen(b + 128) = seen(b + 128) + 1
    end do
    if (any(seen(:254) /= 1) .or. any(seen(255:) /= 0)) failures = failures + 1
    seen = 0
    !$omp parallel do schedule(runtime) collapse(2)
    do h = 10_int16, 1_int16, -1_int16
      do b = 1_int8, 100_int8
        !$omp atomic
        seen((10 - h) * 100 + b) = seen((10 - h) * 100 + b) + 1
      end do
    end do
    if (any(seen(:1000) /= 1) .or. any(seen(1001:) /= 0)) &
      failures = failures + 1
  end subroutine narrow

end program queues

! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! Fortran's loops, executed often, with trip counts that change.
! { amp-env OMP_WAIT_POLICY=passive }
! { amp-do none }
! { amp-run {} {} {} }
! { amp-run {OMP_SCHEDULE=auto} {} {} }
! { amp-run {GOMP_AMP_TYPES=@A@:@B@} {} {} }
! { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_static} {} {} }
! { amp-run {GOMP_AMP_TYPES=@A@:@B@ OMP_SCHEDULE=aid_dynamic} {} {} }
! { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_AFFINITY=1 OMP_SCHEDULE=auto GOMP_AMP_REPLACE=dynamic=aid_hybrid,guided=ich} {} {} }

program sites
  use, intrinsic :: iso_fortran_env, only: int64
  use omp_lib
  implicit none
  integer :: round, failures
  integer, allocatable :: seen(:)

  failures = 0
  do round = 0, 119
    call all_loops(200 + round, 2 + round / 100)
    call all_loops(1 + mod(round, 37), 2)
  end do
  if (failures /= 0) stop 1

contains

  subroutine check(n, what)
    integer, intent(in) :: n
    character(*), intent(in) :: what
    if (any(seen(1:n) /= 1)) then
      if (failures < 10) print *, what, ' fails in round ', round
      failures = failures + 1
    end if
    seen = 0
  end subroutine check

  subroutine all_loops(n, t)
    integer, intent(in) :: n, t
    integer :: i, j
    integer(int64) :: k, low
    real(8) :: total

    if (allocated(seen)) deallocate(seen)
    allocate(seen(8 * n))
    seen = 0
    !$omp parallel do num_threads(t)
    do i = 1, n
      call visit(i)
    end do
    call check(n, 'parallel do')

    low = huge(low) - 3_int64 * n
    !$omp parallel num_threads(t)
    !$omp do schedule(runtime)
    do k = low, huge(low) - 3, 3
      call visit(int((k - low) / 3) + 1)
    end do
    !$omp end do nowait
    !$omp do
    do i = 2 * n, n + 1, -1
      call visit(i)
    end do
    !$omp end do
    !$omp do schedule(dynamic)
    do i = 2 * n + 1, 3 * n
      call visit(i)
    end do
    !$omp end do nowait
    !$omp do schedule(guided, 2)
    do k = 3 * n + 1, 4 * n
      call visit(int(k))
    end do
    !$omp end do
    !$omp end parallel
    call check(4 * n, 'do')

    !$omp parallel do num_threads(t) collapse(2)
    do i = 1, n
      do j = 1, 8
        call visit((i - 1) * 8 + j)
      end do
    end do
    call check(8 * n, 'collapse')

    total = 0
    !$omp parallel do num_threads(t) reduction(+: total)
    do i = 1, n
      total = total + i
    end do
    if (total /= n * (n + 1.d0) / 2) then
      print *, 'reduction fails in round ', round
      failures = failures + 1
    end if
  end subroutine all_loops

  subroutine visit(i)
    integer, intent(in) :: i
    !$omp atomic
    seen(i) = seen(i) + 1
  end subroutine visit
end program sites

! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! Our kinds through omp_lib: set, shown, inherited, and obeyed by a loop.
! { amp-calls omp_set_schedule_ omp_get_schedule_ }
program schedule
  use omp_lib
  implicit none
  integer, parameter :: kinds(4) = [16, 17, 18, 31]
  integer :: k, chunk, failures, i, total
  integer(omp_sched_kind) :: kind

  failures = 0
  do k = 1, size(kinds)
    call omp_set_schedule(int(kinds(k), omp_sched_kind), 40 + k)
    call omp_get_schedule(kind, chunk)
    if (kind /= kinds(k) .or. chunk /= 40 + k) failures = failures + 1
    total = 0
    !$omp parallel num_threads(3) private(kind, chunk) &
    !$omp   reduction(+: total, failures)
    call omp_get_schedule(kind, chunk)
    if (kind /= kinds(k) .or. chunk /= 40 + k) failures = failures + 1
    !$omp do schedule(runtime)
    do i = 500, 1, -1
      total = total + i
    end do
    !$omp do
    do i = 1, 500
      total = total + i
    end do
    !$omp end parallel
    if (total /= 2 * 125250) failures = failures + 1
  end do
  call omp_set_schedule(int(30, omp_sched_kind), 3)
  call omp_get_schedule(kind, chunk)
  if (kind /= 31 .or. chunk /= 44) failures = failures + 1
  call omp_set_schedule(omp_sched_guided, 3)
  call omp_get_schedule(kind, chunk)
  if (kind /= omp_sched_guided .or. chunk /= 3) failures = failures + 1
  if (failures /= 0) then
    print *, failures, ' failures'
    stop 1
  end if
end program schedule

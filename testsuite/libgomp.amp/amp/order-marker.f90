! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! As order-marker.c, with a private allocatable array.
! { amp-env OMP_WAIT_POLICY=passive }
! { amp-do rows }
! { amp-without {shuffled, descending} }
! { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3,1} {} {} }
program markers
  use omp_lib
  implicit none
  integer, parameter :: rows = 600
  integer :: entry_end(0:rows), row_end(0:rows), seen(rows)
  integer :: i, j, k, t, first, last, round
  integer, allocatable :: entries(:), column(:), marker(:)

  allocate (entries(rows * 24))
  entry_end(0) = 0
  do i = 1, rows
    entry_end(i) = entry_end(i - 1) + 2 + mod(i * 7, 22)
    do k = 1, 2 + mod(i * 7, 22)
      entries(entry_end(i - 1) + k) = 1 + mod(i + k * k, rows)
    end do
  end do
  seen = 0
  row_end(0) = 0
  do i = 1, rows
    row_end(i) = row_end(i - 1)
    do j = entry_end(i - 1) + 1, entry_end(i)
      do k = entry_end(entries(j) - 1) + 1, entry_end(entries(j))
        if (seen(entries(k)) /= i) then
          seen(entries(k)) = i
          row_end(i) = row_end(i) + 1
        end if
      end do
    end do
  end do
  allocate (column(row_end(rows)))
  do round = 1, 20
    t = 2 + mod(round, 3)
    column = 0
    !$omp parallel private(marker, j, k, first, last) num_threads(t)
    allocate (marker(rows))
    marker = 0
    !$omp do
    do i = 1, rows
      first = row_end(i - 1)
      last = first
      do j = entry_end(i - 1) + 1, entry_end(i)
        do k = entry_end(entries(j) - 1) + 1, entry_end(entries(j))
          if (marker(entries(k)) <= first) then
            last = last + 1
            marker(entries(k)) = last
            if (last <= row_end(rows)) column(last) = entries(k)
          end if
        end do
      end do
    end do
    !$omp end do
    deallocate (marker)
    !$omp end parallel
    if (any(column == 0)) then
      print *, count(column == 0), 'elements were not written'
      stop 1
    end if
  end do
end program

! SPDX-License-Identifier: GPL-3.0-or-later
! The same in Fortran.
program t
  use omp_lib
  implicit none
  integer, parameter :: n = 1003, threads = 4, q = n / threads, r = mod (n, threads)
  integer :: by(0:n - 1), i, want
  logical :: same
  !$amp free
  !$omp parallel do num_threads(threads)
  do i = 0, n - 1
    by(i) = omp_get_thread_num ()
  end do
  same = .true.
  do i = 0, n - 1
    want = r + (i - r * (q + 1)) / q
    if (i < r * (q + 1)) want = i / (q + 1)
    same = same .and. by(i) == want
  end do
  if (same) then
    print '(a)', 'static'
  else
    print '(a)', 'not static'
  end if
end program t

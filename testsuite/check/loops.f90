! SPDX-License-Identifier: GPL-3.0-or-later
program loops
  implicit none
  external put_into_block
  integer, external :: lost
  integer, parameter :: n = 1000
  integer :: i

  !$omp parallel do
  do i = 0, n - 1 ! Fortran
    call put_into_block (i, n)
  end do
  print '(a, f8.2)', 'lost', real (lost ())
end program loops

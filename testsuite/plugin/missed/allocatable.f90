! SPDX-License-Identifier: GPL-3.0-or-later
program main
  use omp_lib
  integer, parameter :: n=4000
  integer, allocatable :: k(:)
  integer :: b(n),i,r,bad,z
  bad=0; z=0
  do r=1,50
    b=0
    !$omp parallel private(k)
    allocate(k(2)); k(1)=omp_get_thread_num()*(n/omp_get_num_threads())
    !$omp do
    do i=1,n
      k(1)=k(1)+1; b(k(1))=i+r
    end do
    !$omp end parallel
    do i=1,n
      if (b(i)/=i+r) bad=bad+1
    end do
  end do
  print '(a)',trim(merge('OK ','BAD',bad==0))
end program

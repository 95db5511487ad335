! SPDX-License-Identifier: GPL-3.0-or-later
program main
  use omp_lib
  integer, parameter :: n=4000
  type st
 integer :: tmp,k
 end type
  type(st) :: s
  integer :: b(n),i,r,bad,z
  bad=0; z=0
  do r=1,50
    b=0
    !$omp parallel private(s)
    s%k=omp_get_thread_num()*(n/omp_get_num_threads())
    !$omp do
    do i=1,n
      s%tmp=i+r; s%k=s%k+1; b(s%k)=s%tmp
    end do
    !$omp end parallel
    do i=1,n
      if (b(i)/=i+r) bad=bad+1
    end do
  end do
  print '(a)',trim(merge('OK ','BAD',bad==0))
end program

! SPDX-License-Identifier: GPL-3.0-or-later
subroutine draw(a1,a2,a3,a4,a5,a6,a7,out,k)
  integer :: a1,a2,a3,a4,a5,a6,a7,k,out(*)
  k=k+1
  out(k)=a1+a2+a3+a4+a5+a6+a7
end subroutine
program main
  use omp_lib
  integer, parameter :: n=4000
  integer :: k
  integer :: b(n),i,r,bad,z
  bad=0; z=0
  do r=1,50
    b=0
    !$omp parallel private(k)
    k=omp_get_thread_num()*(n/omp_get_num_threads())
    !$omp do
    do i=1,n
      call draw(i,r,z,z,z,z,z,b,k)
    end do
    !$omp end parallel
    do i=1,n
      if (b(i)/=i+r) bad=bad+1
    end do
  end do
  print '(a)',trim(merge('OK ','BAD',bad==0))
end program

! SPDX-License-Identifier: GPL-3.0-or-later
! LU decomposition by blocks without pivoting, on the theme of Rodinia's lud.
! The matrix is random with a dominant diagonal, so that no pivots are needed.
!
! A step decomposes the next diagonal block, then in one parallel loop the blocks
! beside and below it, then in another one all that are left: two loops a step,
! which become shorter and shorter.  What a block becomes does not depend on who
! computes it: all is compared bit for bit with a serial run; and L U x with A x
! for random x.

module lud_blocks
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: side, decompose, border_block, inner_block

  integer, parameter :: side = 32 ! of a block

contains

  ! Block (i, j) of the matrix is a(:, :, i, j).  Of a decomposed block, L is
  ! what is below the diagonal, U the rest.

  pure subroutine decompose (a)
    real(real64), intent(inout) :: a(side, side)
    integer :: j, k
    do k = 1, side
       a(k + 1:, k) = a(k + 1:, k) / a(k, k)
       do j = k + 1, side
          a(k + 1:, j) = a(k + 1:, j) - a(k + 1:, k) * a(k, j)
       end do
    end do
  end subroutine decompose

  ! a = L**(-1) a.
  pure subroutine solve_left (d, a)
    real(real64), intent(in) :: d(side, side)
    real(real64), intent(inout) :: a(side, side)
    integer :: j, k
    do j = 1, side
       do k = 1, side
          a(k + 1:, j) = a(k + 1:, j) - d(k + 1:, k) * a(k, j)
       end do
    end do
  end subroutine solve_left

  ! a = a U**(-1).
  pure subroutine solve_right (d, a)
    real(real64), intent(in) :: d(side, side)
    real(real64), intent(inout) :: a(side, side)
    integer :: j, k
    do k = 1, side
       a(:, k) = a(:, k) / d(k, k)
       do j = k + 1, side
          a(:, j) = a(:, j) - a(:, k) * d(k, j)
       end do
    end do
  end subroutine solve_right

  ! Block number B of those beside and below block K of N on the diagonal.
  subroutine border_block (a, n, k, b)
    integer, intent(in) :: n, k, b
    real(real64), intent(inout) :: a(side, side, n, n)
    if (b <= n - k) then
       call solve_left (a(:, :, k, k), a(:, :, k, k + b))
    else
       call solve_right (a(:, :, k, k), a(:, :, b - n + 2 * k, k))
    end if
  end subroutine border_block

  ! Block number B of those that are left.
  subroutine inner_block (a, n, k, b)
    integer, intent(in) :: n, k, b
    real(real64), intent(inout) :: a(side, side, n, n)
    integer :: i, j, col, m
    i = k + 1 + mod (b - 1, n - k)
    j = k + 1 + (b - 1) / (n - k)
    do col = 1, side
       do m = 1, side
          a(:, col, i, j) = a(:, col, i, j) - a(:, m, i, k) * a(m, col, k, j)
       end do
    end do
  end subroutine inner_block
end module lud_blocks

program lud
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use interfaces
  use lud_blocks
  implicit none

  character(len=*), parameter :: classes = 'SWAB'
  integer, parameter :: class_blocks(4) = [10, 48, 96, 188]
  real(real64), parameter :: tolerance = 1.0e-12_real64

  real(real64), allocatable :: a(:, :, :, :), serial(:, :, :, :), x(:, :), ax(:, :)
  character(len=1) :: class
  integer :: threads, n, k, b
  integer(int64) :: wrong, loops
  real(real64) :: seconds, residual
  character(len=200) :: detail

  call pass_arguments ()
  class = app_parse ('lud' // c_null_char, classes // c_null_char, c_null_char, &
       offer_seed)
  n = class_blocks(index (classes, class))
  allocate (a(side, side, n, n), x(side, n), ax(side, n))
  call fill ()
  serial = a
  call multiply ()
  threads = bench_threads ()
  loops = 0

  seconds = bench_seconds ()
  do k = 1, n
     call decompose (a(:, :, k, k))
     if (k == n) exit
     !$omp parallel do
     do b = 1, 2 * (n - k)
        call border_block (a, n, k, b)
     end do
     !$omp parallel do
     do b = 1, (n - k)**2
        call inner_block (a, n, k, b)
     end do
     loops = loops + 2
  end do
  seconds = bench_seconds () - seconds

  do k = 1, n
     call decompose (serial(:, :, k, k))
     do b = 1, 2 * (n - k)
        call border_block (serial, n, k, b)
     end do
     do b = 1, (n - k)**2
        call inner_block (serial, n, k, b)
     end do
  end do
  if (app_wants_damage ()) a(1, 1, n, 1) = nearest (a(1, 1, n, 1), 1.0_real64)
  wrong = count (.not. same (a, serial), kind=int64)
  call multiply_back ()
  residual = maxval (abs (x - ax)) / maxval (abs (ax))
  write (detail, '(a,i0,a,i0,a,i0,a,es10.2e3)') '"seed":', app_get_seed (), &
       ',"wrong":', wrong, ',"order":', n * side, ',"residual":', residual
  call c_exit (bench_report ('lud' // c_null_char, class // c_null_char, seconds, &
       logical (wrong == 0 .and. residual <= tolerance, c_bool), threads, &
       int (loops, c_long), trim (detail) // c_null_char))

contains

  subroutine fill ()
    integer :: i, j, r, c
    do j = 1, n
       do i = 1, n
          do c = 1, side
             do r = 1, side
                a(r, c, i, j) = 2 * app_random (((int (j, int64) * n + i) * side + c) &
                     * side + r) - 1
             end do
          end do
       end do
    end do
    do i = 1, n
       do r = 1, side
          a(r, r, i, i) = side * n
          x(r, i) = app_random (int ((i - 1) * side + r, int64)) + 1
       end do
    end do
  end subroutine fill

  ! AX = A X, before A is decomposed.
  subroutine multiply ()
    integer :: i, j
    ax = 0
    do j = 1, n
       do i = 1, n
          ax(:, i) = ax(:, i) + matmul (a(:, :, i, j), x(:, j))
       end do
    end do
  end subroutine multiply

  ! X = L U X.
  subroutine multiply_back ()
    real(real64) :: y(side, n)
    integer :: i, j, r
    y = 0
    do j = 1, n
       do i = 1, j - 1
          y(:, i) = y(:, i) + matmul (a(:, :, i, j), x(:, j))
       end do
       do r = 1, side
          y(:r, j) = y(:r, j) + a(:r, r, j, j) * x(r, j)
       end do
    end do
    x = y
    do j = 1, n
       do r = 1, side
          x(r + 1:, j) = x(r + 1:, j) + a(r + 1:, r, j, j) * y(r, j)
       end do
       do i = j + 1, n
          x(:, i) = x(:, i) + matmul (a(:, :, i, j), y(:, j))
       end do
    end do
  end subroutine multiply_back
end program lud

! SPDX-License-Identifier: GPL-3.0-or-later
! Speckle reducing anisotropic diffusion, on the theme of Rodinia's srad, written
! from Yu and Acton (IEEE Transactions on Image Processing 11, 2002): each step
! smoothes an ultrasonic or radar image where it varies no more than speckle
! does, and leaves edges alone.
!
! Three parallel loops a step over the columns of the image: sums, from which
! comes how much speckle varies; diffusion coefficients; the new image.  The
! sums of the columns are added in their order, so that all is compared bit for
! bit with a serial run; and the speckle must have become less.

module srad_image
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  private
  public :: image, column_sums, speckle, column_coefficients, column_update

  type :: image
     integer :: rows = 0, columns = 0
     real(real32), allocatable :: j(:, :), c(:, :)
     real(real32), allocatable :: north(:, :), south(:, :), west(:, :), east(:, :)
     real(real64), allocatable :: sum(:), squares(:)
  end type image

  real(real32), parameter :: time_step = 0.5_real32

contains

  subroutine column_sums (s, k)
    type(image), intent(inout) :: s
    integer, intent(in) :: k
    s%sum(k) = sum (real (s%j(:, k), real64))
    s%squares(k) = sum (real (s%j(:, k), real64)**2)
  end subroutine column_sums

  ! The squared coefficient of variation of the columns up to LAST.
  pure real(real32) function speckle (s, last)
    type(image), intent(in) :: s
    integer, intent(in) :: last
    real(real64) :: mean, square, n
    n = real (s%rows, real64) * last
    mean = sum (s%sum(:last)) / n
    square = sum (s%squares(:last)) / n
    speckle = real ((square - mean**2) / mean**2, real32)
  end function speckle

  ! Derivatives and diffusion coefficients of column K; Q0 is speckle's squared
  ! coefficient of variation.  Beyond the borders the image goes on as it ends.
  subroutine column_coefficients (s, k, q0)
    type(image), intent(inout) :: s
    integer, intent(in) :: k
    real(real32), intent(in) :: q0
    real(real32) :: here, gradient, laplace, q
    integer :: i, up, down, left, right
    left = max (k - 1, 1)
    right = min (k + 1, s%columns)
    do i = 1, s%rows
       up = max (i - 1, 1)
       down = min (i + 1, s%rows)
       here = s%j(i, k)
       s%north(i, k) = s%j(up, k) - here
       s%south(i, k) = s%j(down, k) - here
       s%west(i, k) = s%j(i, left) - here
       s%east(i, k) = s%j(i, right) - here
       gradient = (s%north(i, k)**2 + s%south(i, k)**2 + s%west(i, k)**2 &
            + s%east(i, k)**2) / here**2
       laplace = (s%north(i, k) + s%south(i, k) + s%west(i, k) + s%east(i, k)) / here
       q = (0.5_real32 * gradient - 0.0625_real32 * laplace**2) &
            / (1 + 0.25_real32 * laplace)**2
       q = 1 / (1 + (q - q0) / (q0 * (1 + q0)))
       s%c(i, k) = min (max (q, 0.0_real32), 1.0_real32)
    end do
  end subroutine column_coefficients

  subroutine column_update (s, k)
    type(image), intent(inout) :: s
    integer, intent(in) :: k
    integer :: i, down, right
    right = min (k + 1, s%columns)
    do i = 1, s%rows
       down = min (i + 1, s%rows)
       s%j(i, k) = s%j(i, k) + 0.25_real32 * time_step &
            * (s%c(i, k) * (s%north(i, k) + s%west(i, k)) &
            + s%c(down, k) * s%south(i, k) + s%c(i, right) * s%east(i, k))
    end do
  end subroutine column_update
end module srad_image

program srad
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use interfaces
  use srad_image
  implicit none

  character(len=*), parameter :: classes = 'SWAB'
  integer, parameter :: class_side(4) = [200, 512, 1024, 2048]
  integer, parameter :: class_steps(4) = [50, 100, 200, 400]

  type(image) :: s, right
  character(len=1) :: class
  integer :: which, threads, step, k, plain
  integer(int64) :: wrong
  real(real32) :: q0, before, after
  real(real64) :: seconds
  character(len=200) :: detail

  call pass_arguments ()
  class = app_parse ('srad' // c_null_char, classes // c_null_char, c_null_char, &
       offer_seed)
  which = index (classes, class)
  call fill (s, class_side(which))
  right = s
  threads = bench_threads ()

  seconds = bench_seconds ()
  do step = 1, class_steps(which)
     !$omp parallel do
     do k = 1, s%columns
        call column_sums (s, k)
     end do
     q0 = speckle (s, plain)
     !$omp parallel do
     do k = 1, s%columns
        call column_coefficients (s, k, q0)
     end do
     !$omp parallel do
     do k = 1, s%columns
        call column_update (s, k)
     end do
  end do
  seconds = bench_seconds () - seconds

  do step = 1, class_steps(which)
     do k = 1, right%columns
        call column_sums (right, k)
     end do
     q0 = speckle (right, plain)
     if (step == 1) before = q0
     do k = 1, right%columns
        call column_coefficients (right, k, q0)
     end do
     do k = 1, right%columns
        call column_update (right, k)
     end do
  end do
  after = q0
  if (app_wants_damage ()) s%j(1, 1) = nearest (s%j(1, 1), 1.0_real32)
  wrong = count (transfer (s%j, [0]) /= transfer (right%j, [0]), kind=int64)
  write (detail, '(a,i0,a,i0,a,i0,a,f8.5,a,f8.5)') '"seed":', app_get_seed (), &
       ',"wrong":', wrong, ',"side":', s%rows, ',"speckle_before":', before, &
       ',"speckle_after":', after
  call c_exit (bench_report ('srad' // c_null_char, class // c_null_char, seconds, &
       logical (wrong == 0 .and. after < before / 2, c_bool), threads, &
       int (3 * class_steps(which), c_long), trim (detail) // c_null_char))

contains

  ! Bright and dark discs on grey ground under speckle of four looks: the mean of
  ! four samples of the exponential distribution.  The first eighth of the
  ! columns is bare ground, by which speckle is judged.
  subroutine fill (s, side)
    type(image), intent(inout) :: s
    integer, intent(in) :: side
    real(real64) :: looks, bright
    integer :: i, k, m, x, y
    s%rows = side
    s%columns = side
    plain = side / 8
    allocate (s%j(side, side), s%c(side, side), s%north(side, side), &
         s%south(side, side), s%west(side, side), s%east(side, side), &
         s%sum(side), s%squares(side))
    do k = 1, side
       do i = 1, side
          bright = 0.5_real64
          x = mod (k * 16 / side, 4) - 2
          y = mod (i * 16 / side, 4) - 2
          if (k > plain .and. x * x + y * y <= 2) bright = 1.5_real64
          looks = 0
          do m = 0, 3
             looks = looks - log (1 - app_random ((int (k, int64) * side + i) * 4 + m))
          end do
          s%j(i, k) = real (bright * (0.02_real64 + looks / 4), real32)
       end do
    end do
    s%c = 0
    s%north = 0
    s%south = 0
    s%west = 0
    s%east = 0
    s%sum = 0
    s%squares = 0
  end subroutine fill
end program srad

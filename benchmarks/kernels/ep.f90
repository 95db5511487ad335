! SPDX-License-Identifier: GPL-3.0-or-later
! NPB EP, "embarrassingly parallel", written from its specification (NAS
! technical report RNR-94-007, section 2.3.1): 2**m pairs of uniform deviates
! in (-1,1) from x(k+1) = 5**13 x(k) mod 2**46, x(0) = 271828183; a pair inside
! the unit circle gives two Gaussian deviates by the acceptance-rejection
! method; their sums, and the counts in square annuli, are the result.
!
! One parallel loop, a batch of 2**16 pairs an iteration, without a schedule
! clause.  A batch finds its seed by itself, so any distribution is right.

include 'common/npb_random.f90'

module ep_kernel
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use npb_random
  implicit none
  private
  public :: batch, pairs_log2

  integer, parameter :: pairs_log2 = 16
  integer, parameter :: numbers = 2 * 2**pairs_log2
  integer, parameter :: lanes = 8
  integer(int64), parameter :: first_seed = 271828183_int64

contains

  ! Batch K (from 0): adds to SX, SY and Q.  U is the caller's scratch.
  subroutine batch (k, u, sx, sy, q)
    integer(int64), intent(in) :: k
    real(real64), intent(out) :: u(numbers)
    real(real64), intent(inout) :: sx, sy
    integer(int64), intent(inout) :: q(0:9)
    integer(int64) :: x(lanes), step
    real(real64) :: x1, x2, t, f, g1, g2
    integer :: i, l

    ! LANES interleaved subsequences, each stepping by npb_multiplier**lanes: the
    ! same numbers in the same order, without one long chain of dependences.
    x(1) = advance (power (npb_multiplier, k * numbers + 1), first_seed)
    do l = 2, lanes
       x(l) = advance (npb_multiplier, x(l - 1))
    end do
    step = power (npb_multiplier, int (lanes, int64))
    do i = 0, numbers - 1, lanes
       u(i + 1:i + lanes) = 2 * (real (x, real64) * r46) - 1
       x = advance (step, x)
    end do

    do i = 1, numbers, 2
       x1 = u(i)
       x2 = u(i + 1)
       t = x1 * x1 + x2 * x2
       if (t <= 1) then
          f = sqrt (-2 * log (t) / t)
          g1 = x1 * f
          g2 = x2 * f
          l = int (max (abs (g1), abs (g2)))
          q(l) = q(l) + 1
          sx = sx + g1
          sy = sy + g2
       end if
    end do
  end subroutine batch
end module ep_kernel

program ep
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use ep_kernel
  use interfaces
  implicit none

  ! NPB's published sums for the classes, and its tolerance.
  character(len=*), parameter :: classes = 'SWAB'
  integer, parameter :: log2_pairs(4) = [24, 25, 28, 30]
  real(real64), parameter :: sx_ref(4) = &
       [-3.247834652034740e+3_real64, -2.863319731645753e+3_real64, &
        -4.295875165629892e+3_real64, 4.033815542441498e+4_real64]
  real(real64), parameter :: sy_ref(4) = &
       [-6.958407078382297e+3_real64, -6.320053679109499e+3_real64, &
        -1.580732573678431e+4_real64, -2.660669192809235e+4_real64]
  real(real64), parameter :: tolerance = 1.0e-8_real64

  character(len=1) :: class
  integer :: which, threads
  integer(int64) :: k, batches, q(0:9)
  real(real64) :: sx, sy, seconds
  real(real64), allocatable :: u(:)
  logical :: good
  character(len=200) :: detail

  call pass_arguments ()
  class = app_parse ('ep' // c_null_char, classes // c_null_char, &
       c_null_char, offer_damage)
  which = index (classes, class)
  batches = 2_int64**(log2_pairs(which) - pairs_log2)
  threads = bench_threads ()
  sx = 0
  sy = 0
  q = 0

  seconds = bench_seconds ()
  !$omp parallel private (u)
  allocate (u(2 * 2**pairs_log2))
  !$omp do reduction (+: sx, sy, q)
  do k = 0, batches - 1
     call batch (k, u, sx, sy, q)
  end do
  !$omp end do
  deallocate (u)
  !$omp end parallel
  seconds = bench_seconds () - seconds

  if (app_wants_damage ()) sy = sy + 1.0e-6_real64 * abs (sy)
  good = abs ((sx - sx_ref(which)) / sx_ref(which)) <= tolerance &
       .and. abs ((sy - sy_ref(which)) / sy_ref(which)) <= tolerance
  write (detail, '(a,es23.15e3,a,es23.15e3,a,i0)') '"sx":', sx, ',"sy":', sy, &
       ',"pairs":', sum (q)
  call c_exit (bench_report ('ep' // c_null_char, class // c_null_char, &
       seconds, logical (good, c_bool), threads, 1_c_long, &
       trim (detail) // c_null_char))
end program ep

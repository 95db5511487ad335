! SPDX-License-Identifier: GPL-3.0-or-later
! NPB EP, "embarrassingly parallel", written from its specification (NAS
! technical report RNR-94-007, section 2.3.1): 2**m pairs of uniform deviates
! in (-1,1) from x(k+1) = 5**13 x(k) mod 2**46, x(0) = 271828183; a pair inside
! the unit circle gives two Gaussian deviates by the acceptance-rejection
! method; their sums, and the counts in square annuli, are the result.
!
! One parallel loop, a batch of 2**16 pairs an iteration, without a schedule
! clause.  A batch finds its seed by itself, so any distribution is right.

module ep_random
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: advance, power, lanes, r46

  integer(int64), parameter :: mask23 = 2_int64**23 - 1
  integer(int64), parameter :: mask46 = 2_int64**46 - 1
  real(real64), parameter :: r46 = 0.5_real64**46
  integer, parameter :: lanes = 8

contains

  ! a * x mod 2**46 in halves of 23 bits, so that no product overflows.
  elemental function advance (a, x) result (y)
    integer(int64), intent(in) :: a, x
    integer(int64) :: y, cross
    cross = iand (ishft (a, -23) * iand (x, mask23) &
                  + iand (a, mask23) * ishft (x, -23), mask23)
    y = iand (ishft (cross, 23) + iand (a, mask23) * iand (x, mask23), mask46)
  end function advance

  ! a**n mod 2**46.
  pure function power (a, n) result (y)
    integer(int64), intent(in) :: a, n
    integer(int64) :: y, base, e
    y = 1
    base = a
    e = n
    do while (e > 0)
       if (btest (e, 0)) y = advance (base, y)
       base = advance (base, base)
       e = ishft (e, -1)
    end do
  end function power
end module ep_random

module ep_kernel
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use ep_random
  implicit none
  private
  public :: batch, pairs_log2

  integer, parameter :: pairs_log2 = 16
  integer, parameter :: numbers = 2 * 2**pairs_log2
  integer(int64), parameter :: multiplier = 5_int64**13
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

    ! LANES interleaved subsequences, each stepping by multiplier**lanes: the
    ! same numbers in the same order, without one long chain of dependences.
    x(1) = advance (power (multiplier, k * numbers + 1), first_seed)
    do l = 2, lanes
       x(l) = advance (multiplier, x(l - 1))
    end do
    step = power (multiplier, int (lanes, int64))
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
  use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
  use ep_kernel
  implicit none

  interface
     function bench_seconds () bind (c)
       import :: c_double
       real(c_double) :: bench_seconds
     end function bench_seconds
     function bench_threads () bind (c)
       import :: c_int
       integer(c_int) :: bench_threads
     end function bench_threads
     function bench_report (kernel, class, seconds, verified, threads, loops, &
                            detail) bind (c)
       import :: c_char, c_double, c_bool, c_int, c_long
       character(kind=c_char), intent(in) :: kernel(*), class(*), detail(*)
       real(c_double), value :: seconds
       logical(c_bool), value :: verified
       integer(c_int), value :: threads
       integer(c_long), value :: loops
       integer(c_int) :: bench_report
     end function bench_report
     subroutine c_exit (status) bind (c, name='exit')
       import :: c_int
       integer(c_int), value :: status
     end subroutine c_exit
  end interface

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

  call arguments (class)
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

  good = abs ((sx - sx_ref(which)) / sx_ref(which)) <= tolerance &
       .and. abs ((sy - sy_ref(which)) / sy_ref(which)) <= tolerance
  write (detail, '(a,es23.15e3,a,es23.15e3,a,i0)') '"sx":', sx, ',"sy":', sy, &
       ',"pairs":', sum (q)
  call c_exit (bench_report ('ep' // c_null_char, class // c_null_char, &
       seconds, logical (good, c_bool), threads, 1_c_long, &
       trim (detail) // c_null_char))

contains

  subroutine arguments (class)
    character(len=1), intent(out) :: class
    character(len=80) :: arg
    integer :: i, n
    class = 'S'
    n = command_argument_count ()
    i = 1
    do while (i <= n)
       call get_command_argument (i, arg)
       select case (arg)
       case ('-h', '--help')
          write (*, '(a)') &
               'Usage: ep [OPTION]... [CLASS]', &
               'Run NPB EP, verify its sums, and print one line of JSON.', '', &
               '  -c, --class C   problem class, one of "SWAB" (default S)', &
               '  -h, --help      this text', '', &
               'Threads and schedule come from OMP_NUM_THREADS and OMP_SCHEDULE.', &
               'Exit status: 0 verified, 1 wrong result, 2 wrong usage.'
          call c_exit (0_c_int)
       case ('-c', '--class')
          i = i + 1
          arg = ''
          if (i <= n) call get_command_argument (i, arg)
       end select
       if (len_trim (arg) /= 1 .or. index (classes, arg(1:1)) == 0) then
          write (error_unit, '(4a)') 'ep: unknown option or class ''', &
               trim (arg), '''; classes: ', classes
          call c_exit (2_c_int)
       end if
       class = arg(1:1)
       i = i + 1
    end do
  end subroutine arguments
end program ep

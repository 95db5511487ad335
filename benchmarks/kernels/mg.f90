! SPDX-License-Identifier: GPL-3.0-or-later
! NPB MG, written from its specification (NAS technical report RNR-94-007,
! section 2.3.2, with the class parameters and published norms of the later NPB
! reports): V-cycles of a multigrid method for Poisson's equation on a periodic
! cube, with charges at twenty random places.
!
! Worksharing loops over the planes of a grid, or over the rows of its outermost
! planes, in one parallel region a cycle: two to four loops on each of the
! levels, of 2 to 256 iterations that cost from nanoseconds to milliseconds.  No
! loop assumes that it maps planes to threads as another did.

include 'common/npb_random.f90'

module mg_grids
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use npb_random
  use omp_lib, only: omp_get_thread_num
  implicit none
  private
  public :: charges, laplace, residual, add_stencil, restrict, prolong, clear, &
       square_sum, loops

  ! Of the operator A; by how many coordinates differ.
  real(real64), parameter :: laplace(0:3) = [-8.0_real64 / 3, 0.0_real64, &
       1.0_real64 / 6, 1.0_real64 / 12]

  ! Worksharing loops so far.
  integer(int64) :: loops = 0

contains

  ! All grids have ghost planes 0 and n + 1 at each side, which repeat the planes
  ! n and 1.

  subroutine count_loop ()
    if (omp_get_thread_num () == 0) loops = loops + 1
  end subroutine count_loop

  pure subroutine wrap_plane (n, plane)
    integer, intent(in) :: n
    real(real64), intent(inout) :: plane(0:n + 1, 0:n + 1)
    plane(0, 1:n) = plane(n, 1:n)
    plane(n + 1, 1:n) = plane(1, 1:n)
    plane(:, 0) = plane(:, n)
    plane(:, n + 1) = plane(:, 1)
  end subroutine wrap_plane

  ! After all planes: the first and the last ghost plane.
  subroutine wrap_ends (n, u)
    integer, intent(in) :: n
    real(real64), intent(inout) :: u(0:n + 1, 0:n + 1, 0:n + 1)
    integer :: j
    !$omp do
    do j = 0, n + 1
       u(:, j, 0) = u(:, j, n)
       u(:, j, n + 1) = u(:, j, 1)
    end do
    !$omp end do
    call count_loop ()
  end subroutine wrap_ends

  ! Row (J, K) of the 27-point stencil W applied to U.
  pure subroutine apply_row (n, w, u, j, k, row)
    integer, intent(in) :: n, j, k
    real(real64), intent(in) :: w(0:3), u(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64), intent(out) :: row(n)
    real(real64) :: edges(0:n + 1), corners(0:n + 1)
    integer :: i
    do i = 0, n + 1
       edges(i) = u(i, j - 1, k) + u(i, j + 1, k) + u(i, j, k - 1) + u(i, j, k + 1)
       corners(i) = u(i, j - 1, k - 1) + u(i, j + 1, k - 1) &
            + u(i, j - 1, k + 1) + u(i, j + 1, k + 1)
    end do
    do i = 1, n
       row(i) = w(0) * u(i, j, k) &
            + w(1) * (u(i - 1, j, k) + u(i + 1, j, k) + edges(i)) &
            + w(2) * (edges(i - 1) + edges(i + 1) + corners(i)) &
            + w(3) * (corners(i - 1) + corners(i + 1))
    end do
  end subroutine apply_row

  ! R = V - A U.
  subroutine residual (n, u, v, r)
    integer, intent(in) :: n
    real(real64), intent(in), dimension(0:n + 1, 0:n + 1, 0:n + 1) :: u, v
    real(real64), intent(inout) :: r(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64) :: row(n)
    integer :: j, k
    !$omp do
    do k = 1, n
       do j = 1, n
          call apply_row (n, laplace, u, j, k, row)
          r(1:n, j, k) = v(1:n, j, k) - row
       end do
       call wrap_plane (n, r(:, :, k))
    end do
    !$omp end do
    call count_loop ()
    call wrap_ends (n, r)
  end subroutine residual

  ! TO = TO + W FROM.
  subroutine add_stencil (n, w, from, to)
    integer, intent(in) :: n
    real(real64), intent(in) :: w(0:3), from(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64), intent(inout) :: to(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64) :: row(n)
    integer :: j, k
    !$omp do
    do k = 1, n
       do j = 1, n
          call apply_row (n, w, from, j, k, row)
          to(1:n, j, k) = to(1:n, j, k) + row
       end do
       call wrap_plane (n, to(:, :, k))
    end do
    !$omp end do
    call count_loop ()
    call wrap_ends (n, to)
  end subroutine add_stencil

  ! COARSE = P FINE: means around every other point.
  subroutine restrict (n, fine, coarse)
    integer, intent(in) :: n
    real(real64), intent(in) :: fine(0:2 * n + 1, 0:2 * n + 1, 0:2 * n + 1)
    real(real64), intent(inout) :: coarse(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64), parameter :: weights(0:3) = [0.5_real64, 0.25_real64, &
         0.125_real64, 0.0625_real64]
    real(real64) :: row(2 * n)
    integer :: j, k
    !$omp do
    do k = 1, n
       do j = 1, n
          call apply_row (2 * n, weights, fine, 2 * j, 2 * k, row)
          coarse(1:n, j, k) = row(2::2)
       end do
       call wrap_plane (n, coarse(:, :, k))
    end do
    !$omp end do
    call count_loop ()
    call wrap_ends (n, coarse)
  end subroutine restrict

  ! FINE = FINE + Q COARSE: linear interpolation.
  subroutine prolong (n, coarse, fine)
    integer, intent(in) :: n
    real(real64), intent(in) :: coarse(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64), intent(inout) :: fine(0:2 * n + 1, 0:2 * n + 1, 0:2 * n + 1)
    real(real64) :: row(0:n)
    integer :: i, j, k, dj, dk
    !$omp do
    do k = 1, n
       do dk = 0, 1
          do j = 1, n
             do dj = 0, 1
                row = (coarse(0:n, j, k) + coarse(0:n, j - dj, k) &
                     + coarse(0:n, j, k - dk) + coarse(0:n, j - dj, k - dk)) / 4
                do i = 1, n
                   fine(2 * i - 1, 2 * j - dj, 2 * k - dk) &
                        = fine(2 * i - 1, 2 * j - dj, 2 * k - dk) &
                        + (row(i - 1) + row(i)) / 2
                   fine(2 * i, 2 * j - dj, 2 * k - dk) &
                        = fine(2 * i, 2 * j - dj, 2 * k - dk) + row(i)
                end do
             end do
          end do
          call wrap_plane (2 * n, fine(:, :, 2 * k - dk))
       end do
    end do
    !$omp end do
    call count_loop ()
    call wrap_ends (2 * n, fine)
  end subroutine prolong

  subroutine clear (n, u)
    integer, intent(in) :: n
    real(real64), intent(inout) :: u(0:n + 1, 0:n + 1, 0:n + 1)
    integer :: k
    !$omp do
    do k = 0, n + 1
       u(:, :, k) = 0
    end do
    !$omp end do
    call count_loop ()
  end subroutine clear

  ! TOTAL is shared, and zero before.
  subroutine square_sum (n, r, total)
    integer, intent(in) :: n
    real(real64), intent(in) :: r(0:n + 1, 0:n + 1, 0:n + 1)
    real(real64), intent(inout) :: total
    integer :: k
    !$omp do reduction (+: total)
    do k = 1, n
       total = total + sum (r(1:n, 1:n, k)**2)
    end do
    !$omp end do
    call count_loop ()
  end subroutine square_sum

  ! V is +1 where the ten largest of n**3 random numbers stand, -1 where the ten
  ! smallest do, else 0.
  subroutine charges (n, v)
    integer, intent(in) :: n
    real(real64), intent(inout) :: v(0:n + 1, 0:n + 1, 0:n + 1)
    integer(int64) :: x, largest(10), smallest(10)
    integer :: top(3, 10), bottom(3, 10), i, j, k
    largest = -1
    smallest = huge (x)
    top = 0
    bottom = 0
    x = 314159265_int64
    do k = 1, n
       do j = 1, n
          do i = 1, n
             x = advance (npb_multiplier, x)
             if (x > largest(10)) call insert (largest, top, largest > x)
             if (x < smallest(10)) call insert (smallest, bottom, smallest < x)
          end do
       end do
    end do
    do i = 1, 10
       v(top(1, i), top(2, i), top(3, i)) = 1
       v(bottom(1, i), bottom(2, i), bottom(3, i)) = -1
    end do

  contains

    ! X and its place go behind those that are BEFORE it.
    subroutine insert (list, place, before)
      integer(int64), intent(inout) :: list(10)
      integer, intent(inout) :: place(3, 10)
      logical, intent(in) :: before(10)
      integer :: at
      at = count (before) + 1
      list(at + 1:) = list(at:9)
      place(:, at + 1:) = place(:, at:9)
      list(at) = x
      place(:, at) = [i, j, k]
    end subroutine insert
  end subroutine charges
end module mg_grids

program mg
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use interfaces
  use mg_grids
  implicit none

  type :: level
     real(real64), allocatable :: u(:, :, :), r(:, :, :)
  end type level

  ! NPB's published norms and its tolerance.
  character(len=*), parameter :: classes = 'SWAB'
  integer, parameter :: class_levels(4) = [5, 7, 8, 8], class_cycles(4) = [4, 4, 4, 20]
  real(real64), parameter :: norms(4) = [0.5307707005734e-4_real64, &
       0.6467329375339e-5_real64, 0.2433365309069e-5_real64, 0.1800564401355e-5_real64]
  real(real64), parameter :: tolerance = 1.0e-8_real64
  ! Of the smoother S: classes S, W and A; class B.
  real(real64), parameter :: smoother_a(0:3) = [-3.0_real64 / 8, 1.0_real64 / 32, &
       -1.0_real64 / 64, 0.0_real64]
  real(real64), parameter :: smoother_b(0:3) = [-3.0_real64 / 17, 1.0_real64 / 33, &
       -1.0_real64 / 61, 0.0_real64]

  type(level), allocatable :: at(:)
  real(real64), allocatable :: v(:, :, :)
  character(len=1) :: class
  integer :: which, threads, levels, n, k, c
  real(real64) :: smoother(0:3), seconds, total, norm
  character(len=200) :: detail

  call pass_arguments ()
  class = app_parse ('mg' // c_null_char, classes // c_null_char, c_null_char, &
       offer_damage)
  which = index (classes, class)
  levels = class_levels(which)
  smoother = merge (smoother_b, smoother_a, class == 'B')
  n = 2**levels
  threads = bench_threads ()
  allocate (at(levels), v(0:n + 1, 0:n + 1, 0:n + 1))
  do k = 1, levels
     allocate (at(k)%u(0:2**k + 1, 0:2**k + 1, 0:2**k + 1))
     allocate (at(k)%r(0:2**k + 1, 0:2**k + 1, 0:2**k + 1))
  end do

  ! The untimed cycle that NPB prescribes.
  call start ()
  !$omp parallel
  call cycle ()
  !$omp end parallel
  call start ()
  loops = 0
  total = 0

  seconds = bench_seconds ()
  !$omp parallel
  call residual (n, at(levels)%u, v, at(levels)%r)
  !$omp end parallel
  do c = 1, class_cycles(which)
     !$omp parallel
     call cycle ()
     !$omp end parallel
  end do
  !$omp parallel
  call square_sum (n, at(levels)%r, total)
  !$omp end parallel
  seconds = bench_seconds () - seconds

  norm = sqrt (total / real (n, real64)**3)
  if (app_wants_damage ()) norm = norm * (1 + 1.0e-7_real64)
  write (detail, '(a,es20.13e2,a,i0)') '"norm":', norm, ',"side":', n
  call c_exit (bench_report ('mg' // c_null_char, class // c_null_char, seconds, &
       logical (abs (norm - norms(which)) <= tolerance * norms(which), c_bool), &
       threads, int (loops, c_long), trim (detail) // c_null_char))

contains

  subroutine start ()
    !$omp parallel
    call clear (n, at(levels)%u)
    call clear (n, at(levels)%r)
    call clear (n, v)
    !$omp end parallel
    call charges (n, v)
  end subroutine start

  ! U = U + M R and R = V - A U, M being the V-cycle.  In a parallel region.
  subroutine cycle ()
    integer :: k
    do k = levels, 2, -1
       call restrict (2**(k - 1), at(k)%r, at(k - 1)%r)
    end do
    call clear (2, at(1)%u)
    call add_stencil (2, smoother, at(1)%r, at(1)%u)
    do k = 2, levels - 1
       call clear (2**k, at(k)%u)
       call prolong (2**(k - 1), at(k - 1)%u, at(k)%u)
       call add_stencil (2**k, -laplace, at(k)%u, at(k)%r)
       call add_stencil (2**k, smoother, at(k)%r, at(k)%u)
    end do
    call prolong (n / 2, at(levels - 1)%u, at(levels)%u)
    call residual (n, at(levels)%u, v, at(levels)%r)
    call add_stencil (n, smoother, at(levels)%r, at(levels)%u)
    call residual (n, at(levels)%u, v, at(levels)%r)
  end subroutine cycle
end program mg

! SPDX-License-Identifier: GPL-3.0-or-later
! A blast in a closed box of gas: Euler's equations in two dimensions, with
! limited slopes (van Leer, J. Comput. Phys. 32, 1979) and Riemann problems
! solved by iterated shocks (Toro, Riemann Solvers, section 9.4).
!
! Written as large simulations are: 36 loops a time step, most of them one line
! over all cells, over rows or over columns, none with a schedule clause, and
! chains of them that end with nowait: the next loop of the chain is of the same
! length and reads, of what the chain has written, the same elements only, which
! are the same thread's under static.
!
! A step does not depend on who computes what: all is compared bit for bit with
! the same subroutine outside of a parallel region, and mass and energy must
! stay what they were.

module hydro_gas
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: advance, fill, loops_of_a_step

  integer, parameter :: wp = real64, loops_of_a_step = 36
  real(wp), parameter :: gas = 1.4_wp, least = 1e-10_wp

  ! Cells are numbered row by row, WIDTH a row, two cells beyond each wall
  ! included; CELLS in all, with a row of nothing before and after.
  integer, public :: side, width, cells
  real(wp), public, allocatable, dimension(:) :: rho, mx, my, en, row_energy, &
       row_mass, row_mixing, impulse
  real(wp), allocatable, dimension(:) :: u, v, kinetic, p, sound, speed, inner, row_mean, &
       row_heat, force
  real(wp), allocatable, dimension(:) :: xr, xu, xv, xp, yr, yu, yv, yp
  real(wp), allocatable, dimension(:, :) :: west, east, south, north, fx, fy
  real(wp) :: fastest

contains

  subroutine make ()
    integer :: lo, hi
    lo = 1 - width
    hi = cells + width
    allocate (rho(lo:hi), mx(lo:hi), my(lo:hi), en(lo:hi), u(lo:hi), v(lo:hi), &
         kinetic(lo:hi), p(lo:hi), sound(lo:hi), speed(lo:hi), inner(lo:hi))
    allocate (xr(lo:hi), xu(lo:hi), xv(lo:hi), xp(lo:hi), yr(lo:hi), yu(lo:hi), &
         yv(lo:hi), yp(lo:hi))
    allocate (west(4, lo:hi), east(4, lo:hi), south(4, lo:hi), north(4, lo:hi), &
         fx(4, lo:hi), fy(4, lo:hi))
    allocate (row_mass(width), row_energy(width), row_mean(width), row_mixing(width), &
         row_heat(width), impulse(width), force(width))
  end subroutine make

  ! Gas at rest whose density varies, and hot gas in a disc.
  subroutine fill (n, random)
    integer, intent(in) :: n
    real(wp), intent(in) :: random(:)
    integer :: i, j, k
    real(wp) :: x, y
    side = n
    width = n + 4
    cells = width * width
    if (.not. allocated (rho)) call make ()
    rho = 1
    mx = 0
    my = 0
    en = 1 / (gas - 1)
    inner = 0
    do j = 1, n
       do i = 1, n
          k = at (i, j)
          x = (i - 0.5_wp) / n - 0.4_wp
          y = (j - 0.5_wp) / n - 0.6_wp
          inner(k) = 1
          rho(k) = 1 + 0.2_wp * random((j - 1) * n + i)
          if (x * x + y * y < 0.02_wp) en(k) = 20 / (gas - 1)
       end do
    end do
    u = 0
    v = 0
    p = 1
    west = 1
    east = 1
    south = 1
    north = 1
    fx = 0
    fy = 0
    row_mass = 0
    row_energy = 0
    row_mixing = 0
    row_heat = 0
    impulse = 0
    fastest = 0
    call mirror ()
  end subroutine fill

  pure integer function at (i, j)
    integer, intent(in) :: i, j
    at = (j + 1) * width + i + 2
  end function at

  pure real(wp) function slope (a, b, c)
    real(wp), intent(in) :: a, b, c
    real(wp) :: l, r
    l = b - a
    r = c - b
    slope = 0
    if (l * r > 0) slope = 2 * l * r / (l + r)
  end function slope

  ! The flux between two states: density, speed across, speed along, pressure.
  ! Iterates until the pressure between the two waves stays the same.
  pure function flux (l, r) result (f)
    real(wp), intent(in) :: l(4), r(4)
    real(wp) :: f(4), wl, wr, star, last, speed, d, across, along, press
    integer :: k
    star = 0.5_wp * (l(4) + r(4))
    do k = 1, 30
       wl = sqrt (l(1) * (0.5_wp * (gas + 1) * star + 0.5_wp * (gas - 1) * l(4)))
       wr = sqrt (r(1) * (0.5_wp * (gas + 1) * star + 0.5_wp * (gas - 1) * r(4)))
       last = star
       star = max ((wr * l(4) + wl * r(4) + wl * wr * (l(2) - r(2))) / (wl + wr), least)
       if (abs (star - last) <= 1e-9_wp * star) exit
    end do
    speed = (wl * l(2) + wr * r(2) + l(4) - r(4)) / (wl + wr)
    if (speed > 0) then
       d = l(1)
       across = l(2)
       along = l(3)
       press = l(4)
       if (across - wl / d < 0) then
          d = 1 / max (1 / d + (speed - across) / wl, 0.1_wp / d)
          across = speed
          press = star
       end if
    else
       d = r(1)
       across = r(2)
       along = r(3)
       press = r(4)
       if (across + wr / d > 0) then
          d = 1 / max (1 / d + (across - speed) / wr, 0.1_wp / d)
          across = speed
          press = star
       end if
    end if
    f(1) = d * across
    f(2) = d * across * across + press
    f(3) = d * across * along
    f(4) = across * (press * gas / (gas - 1) + 0.5_wp * d * (across**2 + along**2))
  end function flux

  ! What lies beyond a wall mirrors what lies before it.
  subroutine mirror ()
    integer :: i, j, a, b, k
    !$omp do
    do j = 1, width
       do k = 1, 2
          a = (j - 1) * width + 3 - k
          b = (j - 1) * width + 2 + k
          rho(a) = rho(b)
          mx(a) = -mx(b)
          my(a) = my(b)
          en(a) = en(b)
       end do
    end do
    !$omp end do nowait
    !$omp do
    do j = 1, width
       do k = 1, 2
          a = j * width - 2 + k
          b = j * width - 1 - k
          rho(a) = rho(b)
          mx(a) = -mx(b)
          my(a) = my(b)
          en(a) = en(b)
       end do
    end do
    !$omp end do
    !$omp do
    do i = 1, width
       do k = 1, 2
          a = (2 - k) * width + i
          b = (1 + k) * width + i
          rho(a) = rho(b)
          mx(a) = mx(b)
          my(a) = -my(b)
          en(a) = en(b)
       end do
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, width
       do k = 1, 2
          a = (width - 3 + k) * width + i
          b = (width - 2 - k) * width + i
          rho(a) = rho(b)
          mx(a) = mx(b)
          my(a) = -my(b)
          en(a) = en(b)
       end do
    end do
    !$omp end do
  end subroutine mirror

  ! One step, by all threads of the team.
  subroutine advance ()
    integer :: i, j
    real(wp) :: dt, dtdx

    ! What a cell is like.
    !$omp do
    do i = 1, cells
       u(i) = mx(i) / rho(i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       v(i) = my(i) / rho(i)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       kinetic(i) = 0.5_wp * rho(i) * (u(i) * u(i) + v(i) * v(i))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       p(i) = max ((gas - 1) * (en(i) - kinetic(i)), least)
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       sound(i) = sqrt (gas * p(i) / rho(i))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       speed(i) = max (abs (u(i)), abs (v(i))) + sound(i)
    end do
    !$omp end do nowait
    !$omp do reduction (max: fastest)
    do i = 1, cells
       fastest = max (fastest, speed(i))
    end do
    !$omp end do
    dt = 0.2_wp / (fastest * side)
    dtdx = dt * side

    ! Slopes along rows and columns, and with them the states at the borders.
    !$omp do
    do i = 1, cells
       xr(i) = slope (rho(i - 1), rho(i), rho(i + 1))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       xu(i) = slope (u(i - 1), u(i), u(i + 1))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       xv(i) = slope (v(i - 1), v(i), v(i + 1))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       xp(i) = slope (p(i - 1), p(i), p(i + 1))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       yr(i) = slope (rho(i - width), rho(i), rho(i + width))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       yu(i) = slope (u(i - width), u(i), u(i + width))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       yv(i) = slope (v(i - width), v(i), v(i + width))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       yp(i) = slope (p(i - width), p(i), p(i + width))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       west(:, i) = [rho(i), u(i), v(i), p(i)] - 0.5_wp * [xr(i), xu(i), xv(i), xp(i)]
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       east(:, i) = [rho(i), u(i), v(i), p(i)] + 0.5_wp * [xr(i), xu(i), xv(i), xp(i)]
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       south(:, i) = [rho(i), v(i), u(i), p(i)] - 0.5_wp * [yr(i), yv(i), yu(i), yp(i)]
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       north(:, i) = [rho(i), v(i), u(i), p(i)] + 0.5_wp * [yr(i), yv(i), yu(i), yp(i)]
    end do
    !$omp end do

    ! Fluxes through the eastern and northern borders.
    !$omp do
    do i = 1, cells
       fx(:, i) = flux (east(:, i), west(:, i + 1))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       fy(:, i) = flux (north(:, i), south(:, i + width))
    end do
    !$omp end do
    ! Every thread has read it, and none adds before another barrier.
    !$omp single
    fastest = 0
    !$omp end single nowait

    ! The new gas.
    !$omp do
    do i = 1, cells
       rho(i) = rho(i) - inner(i) * dtdx * (fx(1, i) - fx(1, i - 1) + fy(1, i) &
            - fy(1, i - width))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       mx(i) = mx(i) - inner(i) * dtdx * (fx(2, i) - fx(2, i - 1) + fy(3, i) &
            - fy(3, i - width))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       my(i) = my(i) - inner(i) * dtdx * (fx(3, i) - fx(3, i - 1) + fy(2, i) &
            - fy(2, i - width))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, cells
       en(i) = en(i) - inner(i) * dtdx * (fx(4, i) - fx(4, i - 1) + fy(4, i) &
            - fy(4, i - width))
    end do
    !$omp end do
    call mirror ()

    ! What is watched: rows, and the push at the lower wall.
    !$omp do
    do j = 1, side
       row_mass(j) = sum (rho(at (1, j):at (side, j)))
    end do
    !$omp end do nowait
    !$omp do
    do j = 1, side
       row_mean(j) = row_mass(j) / side
    end do
    !$omp end do nowait
    !$omp do
    do j = 1, side
       row_mixing(j) = row_mixing(j) &
            + dt * sum ((rho(at (1, j):at (side, j)) - row_mean(j))**2)
    end do
    !$omp end do nowait
    !$omp do
    do j = 1, side
       row_heat(j) = sum (en(at (1, j):at (side, j)) - kinetic(at (1, j):at (side, j)))
    end do
    !$omp end do nowait
    !$omp do
    do j = 1, side
       row_energy(j) = row_heat(j) + sum (kinetic(at (1, j):at (side, j)))
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, side
       force(i) = p(at (i, 1)) - 1
    end do
    !$omp end do nowait
    !$omp do
    do i = 1, side
       impulse(i) = impulse(i) + dt * force(i)
    end do
    !$omp end do
  end subroutine advance
end module hydro_gas

program hydro
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use omp_lib
  use interfaces
  use hydro_gas
  implicit none

  character(len=*), parameter :: classes = 'SWAB'
  integer, parameter :: class_side(4) = [48, 128, 256, 384]
  integer, parameter :: class_steps(4) = [100, 300, 400, 1200]

  ! One state of all, as compared.
  type :: record
     real(real64), allocatable, dimension(:) :: rho, mx, my, en, mass, energy, mixing, impulse
  end type record

  type(record) :: parallel, serial
  character(len=1) :: class
  integer :: which, threads, step
  integer(int64) :: wrong, k
  real(real64) :: seconds, before(2), after(2), drift
  real(real64), allocatable :: random(:)
  character(len=200) :: detail

  call pass_arguments ()
  class = app_parse ('hydro' // c_null_char, classes // c_null_char, c_null_char, &
       offer_seed)
  which = index (classes, class)
  allocate (random(class_side(which)**2))
  do k = 1, size (random, kind=int64)
     random(k) = app_random (k)
  end do
  call fill (class_side(which), random)
  before = totals ()
  threads = bench_threads ()

  seconds = bench_seconds ()
  !$omp parallel private (step)
  do step = 1, class_steps(which)
     call advance ()
  end do
  !$omp end parallel
  seconds = bench_seconds () - seconds
  after = totals ()
  parallel = kept ()

  call fill (class_side(which), random)
  call omp_set_schedule (omp_sched_static, 0)
  do step = 1, class_steps(which)
     call advance ()
  end do
  serial = kept ()

  if (app_wants_damage ()) parallel%impulse(1) = nearest (parallel%impulse(1), 1.0_real64)
  wrong = differences (parallel%rho, serial%rho) + differences (parallel%mx, serial%mx) &
       + differences (parallel%my, serial%my) + differences (parallel%en, serial%en) &
       + differences (parallel%mass, serial%mass) &
       + differences (parallel%energy, serial%energy) &
       + differences (parallel%mixing, serial%mixing) &
       + differences (parallel%impulse, serial%impulse)
  drift = maxval (abs (after - before) / before)
  write (detail, '(a,i0,a,i0,a,i0,a,es9.2,a,f8.5)') '"seed":', app_get_seed (), &
       ',"wrong":', wrong, ',"side":', side, ',"drift":', drift, ',"densest":', &
       maxval (serial%rho)
  call c_exit (bench_report ('hydro' // c_null_char, class // c_null_char, seconds, &
       logical (wrong == 0 .and. drift < 1e-11_real64, c_bool), threads, &
       int (loops_of_a_step, c_long) * class_steps(which), trim (detail) // c_null_char))

contains

  function kept () result (r)
    type(record) :: r
    r = record (rho, mx, my, en, row_mass, row_energy, row_mixing, impulse)
  end function kept

  pure integer(int64) function differences (a, b)
    real(real64), intent(in) :: a(:), b(:)
    differences = count (.not. same (a, b), kind=int64)
  end function differences

  ! Mass and energy of what is in the box.
  function totals () result (t)
    real(real64) :: t(2)
    integer :: j
    t = 0
    do j = 1, side
       t(1) = t(1) + sum (rho((j + 1) * width + 3:(j + 1) * width + 2 + side))
       t(2) = t(2) + sum (en((j + 1) * width + 3:(j + 1) * width + 2 + side))
    end do
  end function totals
end program hydro

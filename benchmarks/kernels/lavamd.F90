! SPDX-License-Identifier: GPL-3.0-or-later
! Particles that act on each other within a cut-off, kept in boxes whose side
! is the cut-off: the kind of loop that the iCh paper (section 5.1) took from
! LavaMD.  The particles repel each other as Gaussian cores do, half of them
! form a drop in the middle of the domain, and all move between boxes.
!
! The main loop runs over the boxes; an iteration computes the forces on a
! box's particles from those in it and in its neighbours.  Both particles of
! a pair are computed apart, so nothing is written twice, the result does not
! depend on who does what, and it is verified bit for bit against a serial run.
! Moreover the forces of a step must add up to zero (Newton's third law).

module lavamd_system
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: particles, sort_into_boxes, box_forces, box_work, move

  ! The particles of box B are numbers first(b) to first(b + 1) - 1.
  type :: particles
     integer :: side = 0, boxes = 0, n = 0
     integer, allocatable :: first(:)
     real(real64), allocatable :: x(:), y(:), z(:), vx(:), vy(:), vz(:), q(:)
     real(real64), allocatable :: fx(:), fy(:), fz(:), energy(:)
  end type particles

  real(real64), parameter :: cutoff2 = 1.0_real64 ! a box's side, squared
  real(real64), parameter :: steepness = 4.0_real64
  real(real64), parameter :: time_step = 0.01_real64

contains

  ! The box of a place: numbered from 1, x fastest.
  elemental integer function box_of (side, x, y, z)
    integer, intent(in) :: side
    real(real64), intent(in) :: x, y, z
    box_of = 1 + min (int (x), side - 1) &
         + side * (min (int (y), side - 1) + side * min (int (z), side - 1))
  end function box_of

  subroutine sort_into_boxes (s)
    type(particles), intent(inout) :: s
    integer :: box(s%n), order(s%n), next(s%boxes), i, b
    box = box_of (s%side, s%x, s%y, s%z)
    s%first = 0
    do i = 1, s%n
       s%first(box(i) + 1) = s%first(box(i) + 1) + 1
    end do
    s%first(1) = 1
    do b = 1, s%boxes
       s%first(b + 1) = s%first(b + 1) + s%first(b)
    end do
    next = s%first(:s%boxes)
    do i = 1, s%n
       order(next(box(i))) = i
       next(box(i)) = next(box(i)) + 1
    end do
    s%x = s%x(order)
    s%y = s%y(order)
    s%z = s%z(order)
    s%vx = s%vx(order)
    s%vy = s%vy(order)
    s%vz = s%vz(order)
    s%q = s%q(order)
  end subroutine sort_into_boxes

  ! The first and the last box of three neighbours in a row, boxes beyond the
  ! walls left out.
  pure subroutine neighbours (side, b, dy, dz, from, to)
    integer, intent(in) :: side, b, dy, dz
    integer, intent(out) :: from, to
    integer :: bx, by, bz
    bx = mod (b - 1, side)
    by = mod ((b - 1) / side, side) + dy
    bz = (b - 1) / (side * side) + dz
    from = 1
    to = 0
    if (min (by, bz) < 0 .or. max (by, bz) >= side) return
    from = 1 + max (bx - 1, 0) + side * (by + side * bz)
    to = 1 + min (bx + 1, side - 1) + side * (by + side * bz)
  end subroutine neighbours

  ! How many pairs box_forces looks at.
  pure integer(int64) function box_work (s, b)
    type(particles), intent(in) :: s
    integer, intent(in) :: b
    integer :: dy, dz, from, to
    box_work = 0
    do dz = -1, 1
       do dy = -1, 1
          call neighbours (s%side, b, dy, dz, from, to)
          if (from <= to) box_work = box_work + s%first(to + 1) - s%first(from)
       end do
    end do
    box_work = box_work * (s%first(b + 1) - s%first(b))
  end function box_work

  subroutine box_forces (s, b)
    type(particles), intent(inout) :: s
    integer, intent(in) :: b
    real(real64) :: fx, fy, fz, energy, dx, dy, dz, r2, w, shift
    integer :: i, j, row, plane, from, to
    shift = exp (-steepness * cutoff2)
    do i = s%first(b), s%first(b + 1) - 1
       fx = 0
       fy = 0
       fz = 0
       energy = 0
       do plane = -1, 1
          do row = -1, 1
             call neighbours (s%side, b, row, plane, from, to)
             if (from > to) cycle
             ! The three boxes' particles follow each other.
             do j = s%first(from), s%first(to + 1) - 1
                dx = s%x(i) - s%x(j)
                dy = s%y(i) - s%y(j)
                dz = s%z(i) - s%z(j)
                r2 = dx * dx + dy * dy + dz * dz
                if (r2 >= cutoff2 .or. j == i) cycle
                w = exp (-steepness * r2)
                energy = energy + s%q(i) * s%q(j) * (w - shift)
                w = 2 * steepness * (s%q(i) * s%q(j)) * w
                fx = fx + w * dx
                fy = fy + w * dy
                fz = fz + w * dz
             end do
          end do
       end do
       s%fx(i) = fx
       s%fy(i) = fy
       s%fz(i) = fz
       s%energy(i) = energy
    end do
  end subroutine box_forces

  ! One step of the leapfrog; the walls reflect.
  elemental subroutine advance (wall, x, v, f)
    real(real64), intent(in) :: wall, f
    real(real64), intent(inout) :: x, v
    v = v + time_step * f
    x = x + time_step * v
    if (x < 0 .or. x > wall) then
       v = -v
       x = min (max (merge (-x, 2 * wall - x, x < 0), 0.0_real64), wall)
    end if
  end subroutine advance

  subroutine move (s)
    type(particles), intent(inout) :: s
    real(real64) :: wall
    wall = real (s%side, real64)
    call advance (wall, s%x, s%vx, s%fx)
    call advance (wall, s%y, s%vy, s%fy)
    call advance (wall, s%z, s%vz, s%fz)
  end subroutine move
end module lavamd_system

program lavamd
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use lavamd_system
  use interfaces
  implicit none

  character(len=*), parameter :: classes = 'SWAB'
  integer, parameter :: class_boxes(4) = [4, 6, 8, 12]
  integer, parameter :: class_mean(4) = [24, 30, 50, 80]
  integer, parameter :: class_steps(4) = [4, 4, 5, 5]
  real(real64), parameter :: tolerance = 1.0e-11_real64

  character(len=1) :: class
  integer :: which, threads, steps
  integer(int64) :: wrong, pairs
  integer :: fewest, fullest
  real(real64) :: seconds, push, balance, energy
  type(particles) :: s, right
  character(len=400) :: detail

  call arguments (class)
  which = index (classes, class)
  s%side = class_boxes(which)
  steps = class_steps(which)
  call fill (s, class_mean(which))
  right = s
  threads = bench_threads ()

  seconds = bench_seconds ()
  call run_loops (s)
  seconds = bench_seconds () - seconds

  call run_serial (right, pairs)
  if (app_wants_damage ()) &
       s%z(s%n / 2 + 1) = nearest (s%z(s%n / 2 + 1), 1.0_real64)
  wrong = count (.not. (same (s%x, right%x) .and. same (s%y, right%y) &
       .and. same (s%z, right%z) .and. same (s%fx, right%fx) &
       .and. same (s%fy, right%fy) .and. same (s%fz, right%fz) &
       .and. same (s%energy, right%energy)), kind=int64)
  push = sum (abs (s%fx) + abs (s%fy) + abs (s%fz))
  balance = abs (sum (s%fx)) + abs (sum (s%fy)) + abs (sum (s%fz))
  if (push > 0) balance = balance / push
  energy = sum (s%energy) / 2
  fewest = minval (right%first(2:) - right%first(:right%boxes))
  fullest = maxval (right%first(2:) - right%first(:right%boxes))
  write (detail, '(a,i0,a,i0,a,i0,a,i0,a,i0,a,i0,a,i0,a,i0,a,es22.15e3,a,es9.2e3)') &
       '"seed":', app_get_seed (), ',"wrong":', wrong, ',"boxes":', s%boxes, &
       ',"particles":', s%n, ',"fewest":', fewest, ',"fullest":', fullest, &
       ',"pairs":', pairs, ',"steps":', steps, ',"energy":', energy, &
       ',"balance":', balance
  call c_exit (bench_report ('lavamd' // c_null_char, class // c_null_char, &
       seconds, logical (wrong == 0 .and. balance <= tolerance, c_bool), &
       threads, int (steps, c_long), trim (detail) // c_null_char))

contains

  subroutine arguments (class)
    character(len=1), intent(out) :: class
    call pass_arguments ()
    class = app_parse ('lavamd' // c_null_char, classes // c_null_char, &
         c_null_char, offer_all)
  end subroutine arguments

  ! Half of the particles are spread evenly, half around the middle.
  subroutine fill (s, mean)
    type(particles), intent(inout) :: s
    integer, intent(in) :: mean
    integer :: i
    s%boxes = s%side**3
    s%n = s%boxes * mean
    allocate (s%first(s%boxes + 1))
    allocate (s%x(s%n), s%y(s%n), s%z(s%n), s%vx(s%n), s%vy(s%n), s%vz(s%n))
    allocate (s%q(s%n), s%fx(s%n), s%fy(s%n), s%fz(s%n), s%energy(s%n))
    do i = 1, s%n
       s%x(i) = place (i, 0)
       s%y(i) = place (i, 4)
       s%z(i) = place (i, 8)
       s%vx(i) = 2 * number (i, 12) - 1
       s%vy(i) = 2 * number (i, 13) - 1
       s%vz(i) = 2 * number (i, 14) - 1
       s%q(i) = 0.5_real64 + number (i, 15)
    end do
    s%fx = 0
    s%fy = 0
    s%fz = 0
    s%energy = 0
  end subroutine fill

  real(real64) function number (i, which)
    integer, intent(in) :: i, which
    number = app_random (int (i, int64) * 16 + which)
  end function number

  real(real64) function place (i, which)
    integer, intent(in) :: i, which
    if (mod (i, 2) == 0) then
       place = number (i, which)
    else
       place = (number (i, which) + number (i, which + 1) &
            + number (i, which + 2) + number (i, which + 3)) / 4
    end if
    place = place * s%side
  end function place

  subroutine tell_work (s)
    type(particles), intent(in) :: s
    integer(c_int) :: work(s%boxes)
    integer :: b
    if (.not. app_wants_workload ()) return
    do b = 1, s%boxes
       work(b) = int (1 + min (box_work (s, b), 1000000000_int64), c_int)
    end do
    call app_set_workload (work, int (s%boxes, c_long))
  end subroutine tell_work

  subroutine run_loops (s)
    type(particles), intent(inout) :: s
    integer :: step, b
#ifdef TASKS
    integer(c_long) :: tasks, k
#endif
    do step = 1, steps
       call sort_into_boxes (s)
       call tell_work (s)
       !$omp parallel
#ifdef TASKLOOP
       !$omp single
       !$omp taskloop num_tasks (app_tasks (int (s%boxes, c_long)))
#elif !defined TASKS
       !$omp do
#endif
#ifdef TASKS
       !$omp single
       tasks = app_tasks (int (s%boxes, c_long))
       do k = 0, tasks - 1
          !$omp task firstprivate (k) private (b)
          do b = block_begin (tasks, k), block_begin (tasks, k + 1) - 1
             call box_forces (s, b)
          end do
          !$omp end task
       end do
       !$omp end single
#else
       do b = 1, s%boxes
          call box_forces (s, b)
       end do
#endif
#ifdef TASKLOOP
       !$omp end taskloop
       !$omp end single
#elif !defined TASKS
       !$omp end do
#endif
       !$omp end parallel
       call move (s)
    end do
  end subroutine run_loops

#ifdef TASKS
  ! The first box of task K.
  integer function block_begin (tasks, k)
    integer(c_long), intent(in) :: tasks, k
    block_begin = 1 + int (s%boxes / tasks * k + min (k, mod (int (s%boxes, c_long), tasks)))
  end function block_begin
#endif

  ! The reference; counts the pairs looked at.
  subroutine run_serial (s, pairs)
    type(particles), intent(inout) :: s
    integer(int64), intent(out) :: pairs
    integer :: step, b
    pairs = 0
    do step = 1, steps
       call sort_into_boxes (s)
       do b = 1, s%boxes
          call box_forces (s, b)
          pairs = pairs + box_work (s, b)
       end do
       call move (s)
    end do
  end subroutine run_serial
end program lavamd

! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! Waiting by hand, in Fortran; and a task that waits for what follows a nowait
! loop.
! { amp-do rely }
! { amp-also rely-part.c }
module patterns
  use, intrinsic :: iso_c_binding
  use omp_lib
  implicit none
  include 'rely.inc'
  integer, parameter :: n = 60, rows = 6
  integer :: a(n), b(n), grid(0:n, 0:rows), done(16, 0:3)
  integer, volatile :: flag(16, 0:3)

contains

  integer(c_long) function hand_made_barrier(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, present, seen
    present = 0
    !$omp parallel num_threads(threads) private(seen)
    !$omp do
    do i = 1, threads
      a(i) = round + i
      !$omp atomic seq_cst
      present = present + 1
      do
        !$omp atomic read seq_cst
        seen = present
        if (seen == threads) exit
        call rely_yield()
      end do
      b(i) = a(mod(i, threads) + 1)
    end do
    !$omp end do
    !$omp end parallel
    hand_made_barrier = 0
    do i = 1, threads
      if (b(i) /= round + mod(i, threads) + 1) hand_made_barrier = hand_made_barrier + 1
    end do
  end function hand_made_barrier

  subroutine begin_wave(round)
    integer, intent(in) :: round
    integer :: i, k
    grid = -1
    do i = 0, n
      grid(i, 0) = mod(round, 7) + i
    end do
    do k = 0, rows
      grid(0, k) = mod(round, 7) + k
    end do
    done = 0
    flag = 0
  end subroutine begin_wave

  integer(c_long) function check_wave()
    integer :: i, k
    integer, save :: right(0:n, 0:rows)
    right = grid
    do k = 1, rows
      do i = 1, n
        right(i, k) = mod(3 * right(i, k - 1) + right(i - 1, k), 10007)
      end do
    end do
    check_wave = count(right /= grid, kind=c_long)
  end function check_wave

  subroutine wait_for(who, k)
    integer, intent(in) :: who, k
    integer :: seen
    if (who < 0) return
    do
      !$omp atomic read seq_cst
      seen = done(1, who)
      if (seen >= k) exit
      call rely_yield()
    end do
  end subroutine wait_for

  subroutine tell(who, k)
    integer, intent(in) :: who, k
    !$omp atomic write seq_cst
    done(1, who) = k
  end subroutine tell

  integer(c_long) function wave_static(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, k, me
    call begin_wave(int(round))
    !$omp parallel num_threads(threads) private(k, me)
    me = omp_get_thread_num()
    do k = 1, rows
      call wait_for(me - 1, k)
      !$omp do schedule(static)
      do i = 1, n
        grid(i, k) = mod(3 * grid(i, k - 1) + grid(i - 1, k), 10007)
      end do
      !$omp end do nowait
      call tell(me, k)
    end do
    !$omp end parallel
    wave_static = check_wave()
  end function wave_static

  integer(c_long) function wave(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, k, me
    call begin_wave(int(round))
    !$omp parallel num_threads(threads) private(k, me)
    me = omp_get_thread_num()
    do k = 1, rows
      call wait_for(me - 1, k)
      !$omp do
      do i = 1, n
        grid(i, k) = mod(3 * grid(i, k - 1) + grid(i - 1, k), 10007)
      end do
      !$omp end do nowait
      call tell(me, k)
    end do
    !$omp end parallel
    wave = check_wave()
  end function wave

  integer(c_long) function wave_flush(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, k, me
    call begin_wave(int(round))
    !$omp parallel num_threads(threads) private(k, me)
    me = omp_get_thread_num()
    do k = 1, rows
      if (me > 0) then
        do while (flag(1, me - 1) < k)
          call rely_yield()
          !$omp flush
        end do
        !$omp flush
      end if
      !$omp do
      do i = 1, n
        grid(i, k) = mod(3 * grid(i, k - 1) + grid(i - 1, k), 10007)
      end do
      !$omp end do nowait
      !$omp flush
      flag(1, me) = k
      !$omp flush
    end do
    !$omp end parallel
    wave_flush = check_wave()
  end function wave_flush

  integer(c_long) function turns(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, turn, seen
    turn = 1
    !$omp parallel do num_threads(threads) private(seen)
    do i = 1, n
      do
        !$omp atomic read seq_cst
        seen = turn
        if (seen == i) exit
        call rely_yield()
      end do
      if (i == 1) then
        a(i) = round
      else
        a(i) = a(i - 1) + i
      end if
      !$omp atomic write seq_cst
      turn = i + 1
    end do
    !$omp end parallel do
    turns = 0
    do i = 2, n
      if (a(i) /= a(i - 1) + i) turns = turns + 1
    end do
    if (a(1) /= round) turns = turns + 1
  end function turns

  integer(c_long) function lock_around(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer(omp_lock_kind) :: lock
    integer :: i
    call omp_init_lock(lock)
    !$omp parallel num_threads(threads)
    call omp_set_lock(lock)
    !$omp do
    do i = 1, n
      a(i) = round + i
    end do
    !$omp end do nowait
    call omp_unset_lock(lock)
    !$omp end parallel
    call omp_destroy_lock(lock)
    lock_around = 0
    do i = 1, n
      if (a(i) /= round + i) lock_around = lock_around + 1
    end do
  end function lock_around

  integer(c_long) function task_that_waits(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, go, seen, ran
    go = 0
    ran = 0
    !$omp parallel num_threads(threads)
    !$omp master
    !$omp task shared(go, ran) private(seen)
    do
      call rely_yield()
      !$omp atomic read seq_cst
      seen = go
      if (seen /= 0) exit
    end do
    ran = 1
    !$omp end task
    !$omp end master
    !$omp do
    do i = 1, n
      a(i) = round + i
    end do
    !$omp end do nowait
    !$omp master
    !$omp atomic write seq_cst
    go = 1
    !$omp end master
    !$omp barrier
    !$omp do
    do i = 1, n
      b(i) = 2 * a(i)
    end do
    !$omp end do
    !$omp end parallel
    task_that_waits = 1 - ran
    do i = 1, n
      if (b(i) /= 2 * (round + i)) task_that_waits = task_that_waits + 1
    end do
  end function task_that_waits
end module patterns

program rely_sync
  use patterns
  implicit none
  call rely_add('hand-made barrier' // c_null_char, c_funloc(hand_made_barrier))
  call rely_add('wave, static' // c_null_char, c_funloc(wave_static))
  call rely_add('wave' // c_null_char, c_funloc(wave))
  call rely_add('wave, flush' // c_null_char, c_funloc(wave_flush))
  call rely_add('turns' // c_null_char, c_funloc(turns))
  call rely_add('lock around' // c_null_char, c_funloc(lock_around))
  call rely_add('a task that waits' // c_null_char, c_funloc(task_that_waits))
  call c_exit(rely_run())
end program rely_sync

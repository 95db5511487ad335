! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
! Thread numbers and carried state in Fortran: what a thread counts or collects
! it uses in the next loop; results depend on which iterations were the
! thread's, and in which order.
! { amp-do rely }
! { amp-also rely-part.c }
module patterns
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use omp_lib
  implicit none
  include 'rely.inc'
  integer, parameter :: n = 157, keys = 8
  integer :: key(n), sorted(n), counts(keys, 0:3), got(n), want(n)
  integer :: mine
  !$omp threadprivate(mine)
  integer :: list(n), listed
  common /lists/ list, listed
  !$omp threadprivate(/lists/)

contains

  subroutine slow(round, salt, i)
    integer, intent(in) :: round, salt, i
    call rely_delay(int(round, c_int), int(salt, c_int), int(i - 1, c_long), int(n, c_long))
  end subroutine slow

  ! The last iteration of the threads before WHO, as static deals.
  pure integer function before(threads, who)
    integer, intent(in) :: threads, who
    before = who * (n / threads) + min(who, mod(n, threads))
  end function before

  pure integer function owner(threads, i)
    integer, intent(in) :: threads, i
    owner = 0
    do while (before(threads, owner + 1) < i)
      owner = owner + 1
    end do
  end function owner

  integer(c_long) function compare()
    compare = count(got /= want, kind=c_long)
  end function compare

  subroutine make_keys(round)
    integer, intent(in) :: round
    integer :: i
    do i = 1, n
      key(i) = mod(i * 37 + round * mod(i, 11), keys) + 1
    end do
    counts = 0
    sorted = -1
  end subroutine make_keys

  subroutine prefix(threads)
    integer, intent(in) :: threads
    integer :: k, t, place, c
    place = 1
    do k = 1, keys
      do t = 0, threads - 1
        c = counts(k, t)
        counts(k, t) = place
        place = place + c
      end do
    end do
  end subroutine prefix

  ! How many are not where a stable sort puts them.
  integer(c_long) function unsorted()
    integer :: i, k, place
    unsorted = 0
    place = 1
    do k = 1, keys
      do i = 1, n
        if (key(i) == k) then
          if (sorted(place) /= i) unsorted = unsorted + 1
          place = place + 1
        end if
      end do
    end do
  end function unsorted

  integer(c_long) function histogram(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, me, place
    call make_keys(int(round))
    !$omp parallel num_threads(threads) private(me, place)
    me = omp_get_thread_num()
    !$omp do
    do i = 1, n
      call slow(round, 0, i)
      counts(key(i), me) = counts(key(i), me) + 1
    end do
    !$omp end do
    !$omp single
    call prefix(int(threads))
    !$omp end single
    !$omp do
    do i = 1, n
      call slow(round + 1, 1, i)
      place = counts(key(i), me)
      counts(key(i), me) = place + 1
      if (place <= n) sorted(place) = i
    end do
    !$omp end do
    !$omp end parallel
    histogram = unsorted()
  end function histogram

  subroutine count_one(i)
    integer, intent(in) :: i
    integer :: me
    me = omp_get_thread_num()
    counts(key(i), me) = counts(key(i), me) + 1
  end subroutine count_one

  subroutine put_one(i)
    integer, intent(in) :: i
    integer :: place
    place = counts(key(i), omp_get_thread_num())
    if (place <= n) sorted(place) = i
    call count_one(i)
  end subroutine put_one

  integer(c_long) function callee(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i
    call make_keys(int(round))
    !$omp parallel num_threads(threads)
    !$omp do
    do i = 1, n
      call slow(round, 2, i)
      call count_one(i)
    end do
    !$omp end do
    !$omp single
    call prefix(int(threads))
    !$omp end single
    !$omp do
    do i = 1, n
      call slow(round + 1, 3, i)
      call put_one(i)
    end do
    !$omp end do
    !$omp end parallel
    callee = unsorted()
  end function callee

  integer(c_long) function sums_per_thread(round, threads) bind(c)
    integer(c_int), value :: round, threads
    real(c_double) :: x(0:3), whole, serial, one
    integer :: i, t, me
    x = 0
    !$omp parallel num_threads(threads) private(me)
    me = omp_get_thread_num()
    !$omp do
    do i = 1, n
      call slow(round, 4, i)
      x(me) = x(me) + 1 / real(round + i, c_double)
    end do
    !$omp end do
    !$omp end parallel
    whole = 0
    serial = 0
    do t = 0, threads - 1
      whole = whole + x(t)
      one = 0
      do i = before(int(threads), t) + 1, before(int(threads), t + 1)
        one = one + 1 / real(round + i, c_double)
      end do
      serial = serial + one
    end do
    if (rely_exact() /= 0) then
      sums_per_thread = merge(1, 0, whole < serial .or. whole > serial)
    else
      sums_per_thread = merge(1, 0, abs(whole - serial) > 1e-12_c_double * serial)
    end if
  end function sums_per_thread

  integer(c_long) function collected(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: buffer(80, 0:3), used(0:3), i, k, t, me, room, next
    room = (n + threads - 1) / threads
    used = 0
    !$omp parallel num_threads(threads) private(me, k)
    me = omp_get_thread_num()
    k = 0
    !$omp do
    do i = 1, n
      call slow(round, 5, i)
      k = k + 1
      if (k <= room) buffer(k, me) = i
    end do
    !$omp end do nowait
    used(me) = k
    !$omp end parallel
    collected = count(used > room, kind=c_long)
    next = 0
    do t = 0, threads - 1
      do k = 1, min(used(t), room)
        next = next + 1
        if (buffer(k, t) /= next) collected = collected + 1
      end do
    end do
    if (next /= n) collected = collected + 1
  end function collected

  pure integer function draw(state)
    integer, intent(in) :: state
    draw = int(mod(state * 16807_int64, 2147483647_int64))
  end function draw

  integer(c_long) function stream(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, state, t, s(0:3)
    !$omp parallel num_threads(threads) private(state)
    state = round * 4 + omp_get_thread_num() + 1
    !$omp do
    do i = 1, n
      call slow(round, 6, i)
      state = draw(state)
      got(i) = state
    end do
    !$omp end do
    !$omp end parallel
    s = [(round * 4 + t + 1, t = 0, 3)]
    do i = 1, n
      t = owner(int(threads), i)
      s(t) = draw(s(t))
      want(i) = s(t)
    end do
    stream = compare()
  end function stream

  integer(c_long) function counted_on(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, k
    !$omp parallel num_threads(threads) private(k)
    k = before(int(threads), omp_get_thread_num())
    !$omp do
    do i = 1, n
      call slow(round, 7, i)
      k = k + 1
      if (k <= n) got(k) = round + i
    end do
    !$omp end do
    !$omp end parallel
    want = [(round + i, i = 1, n)]
    counted_on = compare()
  end function counted_on

  integer(c_long) function kept(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, last, s(0:3), t
    !$omp parallel num_threads(threads) private(last)
    last = -1
    !$omp do
    do i = 1, n
      call slow(round, 8, i)
      if (mod(i + round, 7) == 0) last = i
      got(i) = last
    end do
    !$omp end do
    !$omp end parallel
    s = -1
    do i = 1, n
      t = owner(int(threads), i)
      if (mod(i + round, 7) == 0) s(t) = i
      want(i) = s(t)
    end do
    kept = compare()
  end function kept

  integer(c_long) function thread_private(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, s(0:3), t
    !$omp parallel num_threads(threads)
    mine = round
    !$omp do
    do i = 1, n
      call slow(round, 9, i)
      mine = mod(mine * 3 + i, 65536)
      got(i) = mine
    end do
    !$omp end do
    !$omp end parallel
    s = round
    do i = 1, n
      t = owner(int(threads), i)
      s(t) = mod(s(t) * 3 + i, 65536)
      want(i) = s(t)
    end do
    thread_private = compare()
  end function thread_private

  integer function next_mine(i)
    integer, intent(in) :: i
    mine = mod(mine * 5 + i, 65536)
    next_mine = mine
  end function next_mine

  integer(c_long) function private_in_callee(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, s(0:3), t
    !$omp parallel num_threads(threads)
    mine = round
    !$omp do
    do i = 1, n
      call slow(round, 10, i)
      got(i) = next_mine(i)
    end do
    !$omp end do nowait
    !$omp end parallel
    s = round
    do i = 1, n
      t = owner(int(threads), i)
      s(t) = mod(s(t) * 5 + i, 65536)
      want(i) = s(t)
    end do
    private_in_callee = compare()
  end function private_in_callee

  ! A threadprivate common block that one loop fills and another one uses.
  integer(c_long) function common_block(round, threads) bind(c)
    integer(c_int), value :: round, threads
    integer :: i, k
    !$omp parallel num_threads(threads) private(k)
    listed = 0
    !$omp do
    do i = 1, n
      call slow(round, 11, i)
      listed = listed + 1
      list(listed) = i
    end do
    !$omp end do
    k = 0
    !$omp do
    do i = 1, n
      k = k + 1
      got(i) = -1
      if (k <= listed) got(i) = list(k) + round
    end do
    !$omp end do
    !$omp end parallel
    want = [(round + i, i = 1, n)]
    common_block = compare()
  end function common_block
end module patterns

program rely_threads
  use patterns
  implicit none
  call rely_add('histogram' // c_null_char, c_funloc(histogram))
  call rely_add('number in a callee' // c_null_char, c_funloc(callee))
  call rely_add('sums per thread' // c_null_char, c_funloc(sums_per_thread))
  call rely_add('buf(k)' // c_null_char, c_funloc(collected))
  call rely_add('random stream' // c_null_char, c_funloc(stream))
  call rely_add('index counted on' // c_null_char, c_funloc(counted_on))
  call rely_add('value kept' // c_null_char, c_funloc(kept))
  call rely_add('threadprivate' // c_null_char, c_funloc(thread_private))
  call rely_add('threadprivate in a callee' // c_null_char, c_funloc(private_in_callee))
  call rely_add('common block' // c_null_char, c_funloc(common_block))
  call c_exit(rely_run())
end program rely_threads

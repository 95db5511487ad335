! SPDX-License-Identifier: GPL-3.0-or-later
! NPB's random numbers (NAS technical report RNR-94-007, section 2.3):
! x(k+1) = 5**13 x(k) mod 2**46, as fractions of 2**46.  To be included, so that
! it is compiled together with its callers.

module npb_random
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: advance, power, npb_multiplier, r46

  integer(int64), parameter :: mask23 = 2_int64**23 - 1
  integer(int64), parameter :: mask46 = 2_int64**46 - 1
  real(real64), parameter :: r46 = 0.5_real64**46
  integer(int64), parameter :: npb_multiplier = 5_int64**13

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
end module npb_random

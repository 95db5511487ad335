! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
!
! libamp-device for Fortran: what amp_device.h says, whose names and meanings
! these are.  A body is a bind(c) procedure, given by c_funloc (c_null_funptr:
! none); iterations are begin .. end - 1, as there.

module amp_device
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: amp_device_max = 8
  integer(c_int), parameter :: amp_device_adaptive = 0, amp_device_dynamic = 1, &
       amp_device_bulk = 2, amp_device_oracle = 3, amp_device_off = 4
  integer(c_int), parameter :: amp_device_free = -1, amp_device_big = -2, &
       amp_device_little = -3

  type, bind(c) :: amp_device_call
     integer(c_int) :: device
     integer(c_int) :: unused
     integer(c_int64_t) :: time(5)
  end type amp_device_call

  type, bind(c) :: amp_device_options
     integer(c_int) :: policy
     integer(c_int) :: percent
     integer(c_int) :: devices
     integer(c_int) :: beside
     integer(c_int) :: place
     integer(c_int) :: priority
     integer(c_int64_t) :: least(amp_device_max)
     integer(c_int64_t) :: chunk(amp_device_max)
     type(c_ptr) :: name(amp_device_max)
  end type amp_device_options

  interface
     subroutine amp_device_init_options (options) bind(c)
       import :: amp_device_options
       type(amp_device_options), intent(out) :: options
     end subroutine amp_device_init_options

     integer(c_int) function amp_device_for (begin, end, cores, device, data, options) bind(c)
       import :: amp_device_options, c_funptr, c_int, c_int64_t, c_ptr
       integer(c_int64_t), value :: begin, end
       type(c_funptr), value :: cores, device
       type(c_ptr), value :: data
       type(amp_device_options), intent(in) :: options
     end function amp_device_for
  end interface
end module amp_device

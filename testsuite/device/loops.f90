! SPDX-License-Identifier: GPL-3.0-or-later
! The module amp_device: every iteration once, on cores or on a device.
module bodies
  use amp_device
  implicit none
  integer, parameter :: n = 5000
  integer :: count(0:n - 1) = 0
  integer :: on_device = 0
contains
  subroutine cores_body (first, last, data) bind(c)
    integer(c_int64_t), value :: first, last
    type(c_ptr), value :: data
    if (c_associated (data)) error stop 'data'
    count(first:last - 1) = count(first:last - 1) + 1
  end subroutine cores_body

  integer(c_int) function device_body (first, last, data, call) bind(c)
    integer(c_int64_t), value :: first, last
    type(c_ptr), value :: data
    type(amp_device_call), intent(inout) :: call
    call%time = 0
    call cores_body (first, last, data)
    on_device = on_device + int (last - first)
    device_body = call%device
  end function device_body
end module bodies

program loops
  use bodies
  implicit none
  type(amp_device_options) :: options

  call amp_device_init_options (options)
  if (options%place /= amp_device_free) error stop 'the default'
  options%policy = amp_device_bulk
  options%percent = 30
  if (amp_device_for (0_c_int64_t, int (n, c_int64_t), c_funloc (cores_body), &
       c_funloc (device_body), c_null_ptr, options) /= 0) error stop 'an error'
  if (any (count /= 1)) error stop 'an iteration was not run once'
  if (on_device /= 1500) error stop 'the device''s part'
  if (amp_device_for (0_c_int64_t, int (n, c_int64_t), c_funloc (cores_body), &
       c_null_funptr, c_null_ptr, options) /= 0) error stop 'no device'
  if (any (count /= 2)) error stop 'the cores alone'
end program loops

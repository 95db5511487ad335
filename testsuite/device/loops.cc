// SPDX-License-Identifier: GPL-3.0-or-later
// The template of amp_device.h: every iteration once, on cores or on a device.
#include <atomic>
#include <cstdio>
#include <vector>
#include "amp_device.h"

int
main ()
{
  std::vector<std::atomic<int>> count (5000);
  std::atomic<long> on_device (0);
  amp_device_options options;

  amp_device_init_options (&options);
  options.policy = AMP_DEVICE_BULK;
  options.percent = 30;
  int error = amp::device_for
    (1000, 6000,
     [&] (int64_t begin, int64_t end)
     {
       for (int64_t i = begin; i < end; i++)
	 count[i - 1000]++;
     },
     [&] (int64_t begin, int64_t end, amp_device_call &call)
     {
       for (int64_t i = begin; i < end; i++)
	 count[i - 1000]++;
       on_device += end - begin;
       return call.device;
     },
     &options);
  for (auto &c : count)
    if (c != 1)
      return std::puts ("an iteration was not run once"), 1;
  return error != 0 || on_device != 1500;
}

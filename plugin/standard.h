/* SPDX-License-Identifier: GPL-3.0-or-later

   What is included before GCC's own headers, which forbid some of it.  */

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

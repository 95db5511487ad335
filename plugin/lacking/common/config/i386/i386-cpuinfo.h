/* SPDX-License-Identifier: GPL-3.0-or-later

   Debian 11's gcc-10-plugin-dev has a header that includes this one, but lacks
   it.  This is as much of it as that header needs; no plugin of ours asks for
   names of processors.  */

enum feature_priority { P_ZERO };

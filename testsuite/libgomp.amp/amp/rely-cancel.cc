// SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
// Cancelled regions, by the C++ front end.
// { amp-do rely }
// { amp-env OMP_CANCELLATION=true RELY_ROUNDS=200 }
// { amp-also rely-part.c }

#include "rely-cancel.c"

// SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
// Loops after what maps iterations as static does, by the C++ front end.
// { amp-do rely }
// { amp-env RELY_ROUNDS=200 }
// { amp-also rely-part.c }
// { amp-also rely-before-part.c }

#include "rely-before.c"

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the kernel's files say, by a struct amp_source.  */

#ifndef AMP_SYSFS_H
#define AMP_SYSFS_H 1

#include <stddef.h>
#include "amp-topology.h"

/* Read a CPU number at *S and step over it.  */
static bool amp_read_cpu (const char **s, unsigned *cpu);

/* The text of the file DIR/NAME in BUF, ended by NUL.  False if there is no
   such file, or if it does not fit.  */
static bool amp_read_text (const char *dir, const char *name, char *buf,
			   size_t size);

/* The number in the file NAME of CPU's folder, at most 2^32 - 1, or 0.  */
static uint64_t amp_read_cpu_number (const struct amp_source *s, unsigned cpu,
				     const char *name);

/* Has CPU a third-level cache, as far as sysfs tells?  */
static bool amp_l3_p (const struct amp_source *s, unsigned cpu);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The variables of the environment that libgomp reads beyond its own, in the
   order in which they are read:

     GOMP_AMP_SETTING (name, read, show, values, text)

   The variable is GOMP_AMP_NAME, or GOMP_AMP for the first.  READ takes its
   value, NULL if it is unset or empty, and returns NULL or what is wrong; SHOW
   prints what is in force, for OMP_DISPLAY_ENV=verbose.  VALUES and TEXT tell
   users: scripts/maintain/tables.py makes lists in pages of them.  */

GOMP_AMP_SETTING ("", on, on, "off",
  "Does what stock libgomp does")
GOMP_AMP_SETTING ("_DEBUG", debug, raw,
  "seed=N,delay=MICROSECONDS,contiguous|descending,known,verdicts,sysfs=DIR",
  "For tests: divisions at random, threads that are delayed, loops that are "
  "known after one execution, another tree than /sys")
GOMP_AMP_SETTING ("_REPLACE", replace, raw,
  "static=aid_static,dynamic=SCHEDULE,guided=SCHEDULE",
  "Schedules in place of those that loops name")
GOMP_AMP_SETTING ("_AFFINITY", affinity, affinity, "1|bs|sb|off",
  "Binds threads, the first ones to the fastest CPUs; sb: to the slowest")
GOMP_AMP_SETTING ("_TYPES", types, types, "CPUS[:CPUS...]",
  "Core types, fastest first, as in 4-7:0-3, instead of those found")
GOMP_AMP_SETTING ("_CORES", cores, cores, "big|nolp|4P+2E|all",
  "Leaves slow cores out of parallel regions")
GOMP_AMP_SETTING ("_CLUSTERS", clusters, clusters, "CPUS[:CPUS...]",
  "Groups of CPUs that are near to one another, instead of those found")
GOMP_AMP_SETTING ("_REPORT", report, raw, "1|FILE",
  "One line for each loop when the program ends")
GOMP_AMP_SETTING ("_TRACE", trace, raw, "[costs:|regions:|sf:]FILE[,...]",
  "Records each chunk; or what iterations cost, how long regions take, how "
  "long loops take on one thread")
GOMP_AMP_SETTING ("_LOOPS", loops, raw, "FILE",
  "Schedules and speedup factors of single loops, one line each")
GOMP_AMP_SETTING ("_SF", sf, sf, "NUMBER[,NUMBER...]",
  "How many times faster than the slowest type each core type is, instead of "
  "measuring it")
GOMP_AMP_SETTING ("_ENERGY", energy, energy,
  "energy|edp|time,BUSY[/IDLE][,BUSY[/IDLE]...]",
  "Saves energy, or energy times delay; what a core of each type draws")
GOMP_AMP_SETTING ("_TEAM", team, team, "weighted[,N]|off",
  "More threads on faster CPUs, for programs that are not compiled again")

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rules.sh: options about loops that rely on static, which loops lose their
# nowait, and where libgomp gets a hint.  testsuite/rules has the decisions.
#
# Programs are compiled by the plugin built here, and run on the stock libgomp.
set -eu
# shellcheck source=testsuite/plugin/lib.sh
. "$(dirname "$0")/lib.sh"
make_plugin ''

# amp SOURCE OPTION...: compile SOURCE with the plugin.
amp ()
{
  case $1 in
    *.cc) set -- "$@" -std=gnu++17 ;;
  esac
  "$(compiler_of "$1")" -specs="$specs" -fopenmp -w "$@" </dev/null
}

loops=$top/testsuite/rules/decided.c

# The file's options.  count DECISION REASON OPTION...: how often the file has it.
count ()
{
  word=$1
  shift
  rm -f dump
  amp "$loops" "$@" -c $arg-dump=dump -o o.o
  grep -c ": $word\([:;].*\)*\$" dump || :
}
more () { if [ "$2" -gt "$3" ]; then pass "$1"; else fail "$1: $2, at most $3"; fi; }

equals "free: nothing hand-synchronised stays static" \
  "$(count 'static: waits' $default=free)" 0
equals "free: nothing carried stays static" \
  "$(count 'static: registers' $default=free)" 0
more "free: they are listed so" "$(count '[a-z ]*; free' $default=free)" 20
more "steady" "$(count 'steady' $default=steady)" 40
equals "steady: a pragma may still say static" \
  "$(count 'static: opted out' $default=steady)" 2
more "static" "$(count 'static: opted out' $default=static)" 40
equals "static: a pragma may still say free" \
  "$(count 'any order; free' $default=static)" 1
equals "reproducible: sums stay static" \
  "$(count 'static: reproducible' -fopenmp-reproducible)" "$(count '[a-z ]*;.* sums')"
more "reproducible: there are some" "$(count 'static: reproducible' -fopenmp-reproducible)" 2
equals "replace-static: the pragma's loops, and asked's that is beside none" \
  "$(count 'explicit: replaceable' -fopenmp-replace-static)" \
  "$(($(count 'explicit: replaceable') + 2))"
equals "replace-static: not beside sums that are to be reproducible" \
  "$(count 'explicit: replaceable' -fopenmp-replace-static -fopenmp-reproducible)" \
  "$(($(count 'explicit: replaceable') - 2))"
equals "not reproducible" "$(count 'static: reproducible')" 0

# A reason's lines are the loop's file's, whatever was inlined there; before GCC 11 with -g.
cat >far.c <<'EOF'
#line 100 "far.h"
static inline void put (int *to, int v) { *to = *to > 9 ? v : *to + v; }
#line 3 "far.c"
void f (int n, int *out)
{
  int last = 0;
#pragma omp parallel for firstprivate (last)
  for (int i = 0; i < n; i++)
    {
      put (&last, i);
      out[i] = last;
    }
}
EOF
amp far.c -g -O2 -c $arg-dump=far -o o.o
equals "the line that inlined it" "$(sed 's/.* at line \([0-9]*\) .*/\1/' far)" 9

# Warnings.
amp "$loops" -Wopenmp-static-assumption -Wno-all -c -o o.o >log 2>&1 || :
equals "-w silences the warnings" "$(grep -c 'rely on the static' log || :)" 0
warned ()
{
  "$CC" -specs="$specs" -fopenmp "$@" -c "$loops" -o o.o 2>&1 </dev/null \
    | grep -c 'warning: this loop may rely on the static schedule' || :
}
rm -f dump
amp "$loops" -c $arg-dump=dump -o o.o
equals "-Wopenmp-static-assumption: one for each rule's loop" \
  "$(warned -Wopenmp-static-assumption)" \
  "$(grep 'static: ' dump | grep -vc 'opted out\|ordered')"
equals "no warnings unless asked" "$(warned -Wall -Wextra)" 0
cat >misspelt.f90 <<'END'
subroutine s (a)
  real :: a(:)
  !$amp statc
  !$omp parallel do
  do i = 1, 9
    a(i) = i
  end do
end subroutine
END
equals "a misspelt comment is told of" \
  "$("$FC" -specs="$specs" -fopenmp -c misspelt.f90 -o o.o 2>&1 | grep -c 'Warning: .*statc')" 1

# shape WHAT WANT TEXT OPTION...: a function of TEXT, or what TEXT says outside of one, as
# it is after the judgement.  F is a loop that libgomp begins (n: its end is nowait's) with what
# it is told of it, S a static one, D a dynamic one, M a master construct, H a note, B a
# barrier.
head='extern double a[1000], s, **p; extern __thread int t; extern int n; int f (int);
#define PRAGMA(x) _Pragma (#x)
#define OMP(x) PRAGMA (omp x)
#define EACH for (int i = 0; i < n; i++)
#define FOR(clauses) OMP (for clauses) EACH'
shape ()
{
  what=$1 want=$2 text=$3
  shift 3
  case $text in *'void g'*) ;; *) text="void g (void) { $text }" ;; esac
  printf '%s\n' "$head" "$text" >shape.c
  rm -f tree
  if ! amp shape.c "$@" -O1 -S -fdump-tree-optimized=tree -o /dev/null \
      >log 2>&1; then
    fail "$what: does not compile" log
    return 0
  fi
  got=$(awk 'function say (word) { out = out (out == "" ? "" : " ") word }
	     / = 10955[0-9]+;$/ {
	       told = substr ($NF, 1, length ($NF) - 1) - 1095585792
	       split ("any steady sums static bound nowait", word, " ")
	       text = ""
	       for (i = 1; i <= 6; i++)
		 { if (told % 2) text = text ":" word[i]; told = int (told / 2) }
	     }
	     /GOMP_loop_end_nowait/ { say("Fn" text); text = "" }
	     /GOMP_loop_end \(/ { say("F" text); text = "" }
	     /GOMP_loop_[a-z_]*dynamic_start/ { text = ":dynamic" }
	     /GOMP_loop_nonmonotonic_runtime_start/ { text = ":nonmonotonic" }
	     /GOMP_loop_runtime_start/ { text = ":monotonic" }
	     /omp_get_num_threads/ { say("S") }
	     /GOMP_barrier/ { say("B") }
	     /omp_get_ancestor_thread_num \(-8192\)/ { say("A"); next }
	     /omp_get_ancestor_thread_num \(-/ { sub (/.*\(-/, ""); sub (/\).*/, ""); say("H" $0) }
	     END { print out }' tree)
  equals "$what" "$got" "$want"
}
shape "a loop in the middle waits, the last one need not" "A Fn:any:nowait Fn:any" \
  'OMP (parallel) { FOR (nowait) a[i] = 1; FOR (nowait) a[i]++; }'
shape "a loop that is followed by code waits" "Fn:any:nowait" \
  'OMP (parallel) { FOR (nowait) a[i] = 1; f (1); }'
shape "an orphaned loop waits" "Fn:any:nowait" 'FOR (nowait) a[i] = 1;'
shape "a loop in a loop waits" "A Fn:any:nowait" \
  'OMP (parallel) for (int k = 0; k < n; k++) { FOR (nowait) a[i] = 1; }'
# The front end itself gives a combined loop its nowait.
shape "a combined loop has no second barrier" "A Fn:any" 'OMP (parallel for) EACH a[i] = 1;'
shape "steady loops keep nowait" "Fn:steady" \
  'OMP (parallel) { FOR (nowait) a[i] = 1; f (1); }' $default=steady
shape "a note after static nowait loops, not after the last or with a barrier" \
  "S H256 H256 Fn:any:nowait Fn:dynamic B" \
  'OMP (parallel) {
     FOR (schedule (static) nowait) a[i] = 1;
     FOR (schedule (static, 4) nowait) a[i] = 1;
     FOR (schedule (auto) nowait) a[i] = 1;
     FOR (schedule (dynamic) nowait) a[i] = 1;
     FOR (schedule (static)) a[i] = 1;
     FOR (schedule (static) nowait) a[i] = 1; }'
shape "a note of their own after loops that may be replaced" "Fn:static H2048 F:static Fn:any:nowait Fn:static" \
  'OMP (parallel) {
     FOR (schedule (static) nowait) a[i] = 1;
     FOR (schedule (static)) a[i] = 1;
     FOR (nowait) a[i] = 1;
     FOR (schedule (static) nowait) a[i] = 1; }' -fopenmp-replace-static
shape "a note after loops of opted-out files" "S H256" 'FOR (nowait) a[i] = 1;' $default=static
shape "a note after loops that stay static" "S H256 Fn H256" \
  'FOR (nowait) a[i] = t; FOR (ordered nowait) a[i] = 1;'
shape "a static loop with an end for threads without an iteration" "S H256 H256" \
  'OMP (parallel) {
     int m = -1;
     FOR (nowait) { m = m * 3 + i; a[i] = m; }
     if (m >= 0) f (m);
     f (1); }'
shape "a note after master, not at the end" "H256 F:any B" \
  'OMP (parallel) {
     OMP (master) s = 1;
     FOR () a[i] = 1;
     OMP (single nowait) a[0] = 1;
     OMP (sections nowait) { a[0] = 1; }
     OMP (barrier)
     OMP (master) a[0] = 1; }'
shape "sums" "Fn:any:nowait F:any F:any F:any" \
  'OMP (parallel) {
     double mine = 0; int count = 0;
     FOR (reduction (+: s) nowait) s += a[i];
     FOR () mine += a[i];
     FOR () count += i;
     FOR (reduction (max: s)) s = s > a[i] ? s : a[i];
     OMP (atomic) a[0] += mine;
     OMP (atomic) n += count; }'
shape "the dynamic linker's error is the thread's" "S" \
  'char *dlerror (void); void g (void) { OMP (parallel for) EACH a[i] = dlerror () != 0; }'
by='int omp_get_thread_num (void); '
mine='OMP (parallel for) EACH c[omp_get_thread_num ()]++;'
shape "counts by number" "Fn:any" "$by static int c[64]; void g (void) { $mine }"
for c in 'int c[64]; void g (void)' 'void g (int *c)' 'static int c[64]; int *h (void) { return c; } void g (void)'; do
  shape "counts by number that other files may use: $c" "S" "$by $c { $mine }"
done
shape "counts by number beside a loop with a state" "S S" \
  "$by static int c[64]; void h (void) { OMP (parallel for) EACH t += i; } void g (void) { $mine }"
shape "counts by number beside code that reads by number" "S S" \
  "$by static int c[64], at[64]; void g (void) { $mine OMP (parallel for schedule (static)) EACH a[at[omp_get_thread_num ()]++] = i; }"
shape "sums by number" "Fn:any" "$by void g (double *c) { $mine }"
shape "a count for a caller" "S B" \
  'int h (int x) { FOR () x += i; return x; } void g (void);'
shape "constant bounds" "A Fn:any" \
  'OMP (parallel for reduction (+: s)) for (int i = 0; i < 100; i++) s += a[i];'
shape "a barrier, where a loop of the file is steady" "Fn:steady F:any" 'void g (void) {
#pragma gomp_amp steady
     FOR (nowait) a[i] = 1;
     FOR (nowait) a[i] = 1;
     f (1); }'
shape "steady and sums" "Fn:steady" 'void g (void) {
#pragma gomp_amp steady
OMP (parallel for reduction (+: s)) EACH s += a[i]; }'
shape "schedule(auto) is what no clause is, nonmonotonic: any order" "F:any F:any" \
  'FOR (schedule (auto)) a[i] = 1; FOR (schedule (nonmonotonic: auto)) a[i] = 1;'
# What may be run in any order, and what may not.
order () { shape "order: $1" "${2:+A }Fn$2" "OMP (parallel for $3) EACH { $4 }"; }
order "shared arrays" :any '' 'a[i] = a[i] * 2 + n;'
order "functions of numbers" :any '' 'a[i] = __builtin_sqrt (a[i]) + __builtin_pow (a[i], 3);'
order "scalars written first" :any '' 'double x = a[i]; if (x > 2) x = x * x; a[i] = x;'
order "private scalars written first" :any 'private (n)' 'n = i; a[i] = n;'
order "an inner loop" :any '' 'double x = 0; for (int k = 0; k < 9; k++) x += k; a[i] = x;'
order "what shared pointers lead to" :any '' 'for (int k = 0; k < 4; k++) p[i][k] = 1;'
order "an array of its own" :any '' 'double x[4]; for (int k = 0; k < 4; k++) x[k] = a[i]; a[i] = x[2];'
order "a structure of its own" :any '' 'struct { double x, y; } v; v.x = v.y = i; a[i] = v.x;'
order "a pointer of its own" :any '' 'double *q = p[i]; *q = 1;'
order "a local's address" :any '' 'int x = i, *volatile q = &x; a[i] = *q;'
order "functions that it knows nothing of" "" '' 'a[i] = f (i);'
order "memory from a function" :any '' 'double *q = __builtin_malloc (8); *q = i; a[i] = *q; __builtin_free (q);'
order "an atomic update" :any '' 'PRAGMA (omp atomic) s += a[i];'
order "a reduction of an array" :any 'reduction (+: a)' 'a[0] += i;'
shape "order: the first of equal maxima" "S B" \
  'OMP (parallel) { double m = 0; int k = 0;
     FOR () if (a[i] > m) { m = a[i]; k = i; }
     OMP (master) a[k] = m; }'
shape "order: the place of a maximum" "F:any S B" \
  'OMP (parallel) { int k = 0;
     FOR (reduction (max: s)) s = s > a[i] ? s : a[i];
     FOR (reduction (max: s)) if (a[i] > s) { s = a[i]; k = i; }
     OMP (critical) a[k] = 1; }'
shape "order: free" "A Fn:any" 'void g (void) {
#pragma gomp_amp free
OMP (parallel for) EACH { double x[4]; x[0] = i; a[i] = x[0]; } }'
# Regions that a team of any size suits.
team () { shape "team: $1" "$2" "$3"; }
team "a loop in a construct of its own" "A Fn:any" \
  'OMP (parallel firstprivate (n)) { FOR (reduction (+: s)) s += a[i]; }'
team "bounds that are computed" "A Fn:any" \
  'OMP (parallel for if (n > 5) collapse (2))
   for (int i = n / 2; i < 2 * n; i++) for (int k = 0; k < n; k++) a[i + k] = 1;'
team "code before it" "A Fn:any" 'OMP (parallel) { s = 1; FOR () a[i] = 1; }'
team "two, one under a condition, in a loop" "A F:any F:any" 'OMP (parallel) for (int k = 0; k < n; k++) {
  if (a[k] > 2) FOR () a[i] = 1;
  FOR () a[i] += 1; }'
team "single, barrier" "A F:any B F:any" 'OMP (parallel) {
  FOR () a[i] = 1;
  OMP (single nowait) s = 1;
  OMP (barrier)
  FOR () a[i] += 1;
  OMP (single) s = 1; }'
team "no: master" "F:any H256 B" \
  'OMP (parallel) { FOR () a[i] = 1; OMP (master) a[0] = 2; OMP (barrier) }'
team "no: a loop that stays static" "F:any S" \
  'OMP (parallel) { int k = 0; FOR () a[i] = 1; FOR () { k = k * 3 + i; a[i] = k; } }'
team "loops that say static" "A S B B F:any B" 'OMP (parallel) {
  FOR (schedule (static)) a[i] = 1;
  FOR (schedule (static, 4)) a[i] = 1;
  FOR () a[i] = 1; OMP (barrier) }'
team "no: sums of fractions that say static" "S" \
  'OMP (parallel for schedule (static) reduction (+: s)) EACH s += a[i];'
team "no: one that says static and relies on it" "S B F:any B" 'OMP (parallel) { int k = 0;
  FOR (schedule (static)) { k = k * 3 + i; a[i] = k; }
  FOR () a[i] = 1; OMP (barrier) }'
team "no: one that says dynamic" "F:dynamic F:any B" \
  'OMP (parallel) { FOR (schedule (dynamic)) a[i] = 1; FOR () a[i] = 1; OMP (barrier) }'
team "no: one that says a chunk that is computed" "S B F:any B" \
  'OMP (parallel) { FOR (schedule (static, n)) a[i] = 1; FOR () a[i] = 1; OMP (barrier) }'
team "no: a number of threads" Fn:any 'OMP (parallel for num_threads (2)) EACH a[i] = 1;'
team "no: places" Fn:any 'OMP (parallel for proc_bind (spread)) EACH a[i] = 1;'
team "no: memory of threads that is set" Fn:any 'static int k; PRAGMA (omp threadprivate (k))
void g (void) { OMP (parallel for copyin (k)) EACH a[i] = 1; }'
team "no: code behind it that is not known" F:any 'OMP (parallel) { FOR () a[i] = 1; f (1); }'
team "no: calls that are not known" Fn 'OMP (parallel for) EACH f (i);'
team "no: threads are counted" "F:any" \
  'OMP (parallel) { FOR () a[i] = 1; PRAGMA (omp atomic) n++; }'
team "no: ... by a reduction" "F:any" \
  'OMP (parallel reduction (+: n)) { n++; FOR () a[i] = 1; }'
team "no: ... by a reduction, through a pointer" "F:any" \
  'int k = 0; OMP (parallel reduction (+: k)) { int *q = &k; *q += 1; FOR () a[i] = 1; } n = k;'
team "no: ... by a reduction, by a function" "F:any" \
  'OMP (parallel reduction (+: s)) { s = __builtin_fabs (n); FOR () a[i] = 1; }'
team "no: ... by a reduction of part of an array" "F:any" 'static int k[4];
void g (void) { OMP (parallel reduction (+: k[0:2])) { k[1] = 1; FOR () a[i] = 1; } n = k[1]; }'
team "no: ... by a reduction of its own" Fn:any \
  'PRAGMA (omp declare reduction (one: double: omp_out += omp_in) initializer (omp_priv = 1))
void g (void) { OMP (parallel for reduction (one: s)) EACH s += a[i]; }'
team "a reduction of all loops" "A F:any F:any" 'OMP (parallel reduction (+: s)) {
  FOR () s += a[i];
  FOR () s += a[i] * 2; }'
team "no: ... in a critical section" "F:any" \
  'OMP (parallel) { FOR () a[i] = 1; OMP (critical) n++; }'
team "no: it asks how many" "B Fn:any S" 'OMP (parallel) {
  OMP (single) n = __builtin_omp_get_num_threads ();
  FOR () a[i] = 1; }'
team "no: it asks if there is a team" Fn:any 'int omp_in_parallel (void);
void g (void) { OMP (parallel for) EACH a[i] = omp_in_parallel (); }'
# From GCC 16 on the inner region's function is the first.
within="Fn:any A Fn:any"
[ "$("$(compiler_of x.c)" -dumpversion | cut -d. -f1)" -lt 16 ] || within="A Fn:any Fn:any"
team "no: a region within" "$within" \
  'OMP (parallel for) EACH { OMP (parallel for) for (int k = 0; k < n; k++) p[i][k] = 1; }'
team "no: tasks" Fn:any 'OMP (parallel for) EACH { OMP (task) a[i] = 1; }'
team "no: a lock that another may unlock" Fn:any 'void omp_set_lock (void *); void omp_unset_lock (void *);
void g (void) { OMP (parallel for) EACH { omp_set_lock (p); s += 1; omp_unset_lock (p); } }'
team "no: dealt on demand" Fn:dynamic 'OMP (parallel) { FOR (schedule (dynamic)) a[i] = 1; }'
team "no: its author says static" S 'void g (void) {
#pragma gomp_amp static
OMP (parallel for) EACH a[i] = 1; }'
team "no: an orphaned one" F:any 'FOR () a[i] = 1;'
shape "runtime clauses stay as they are" "F:nonmonotonic F:monotonic" \
  'FOR (schedule (nonmonotonic: runtime)) a[i] = 1; FOR (schedule (monotonic: runtime)) a[i] = 1;'
shape "offloaded code gets no note, but a barrier for nowait" "S B" '#pragma omp declare target
void g (void) {
  FOR (schedule (static) nowait) a[i] = 1;
  OMP (master) f (1);
  f (2);
}
#pragma omp end declare target' -foffload=disable
shape "OpenACC is left alone" "" 'PRAGMA (acc parallel loop) EACH a[i] = 1;' \
  -fopenacc -foffload=disable

# A loop of constant bounds is not combined with its construct, which would begin it
# without what libgomp is told.
printf '%s\n' "$head" 'void g (void) {
#pragma gomp_amp steady
OMP (parallel for) for (int i = 0; i < 100; i++) a[i] = 2; }
void h (void) { OMP (parallel for) for (int i = 0; i < 100; i++) a[i] = 1; }' >bounds.c
amp bounds.c -O2 -c -o o.o
equals "entry points of constant bounds" \
  "$(nm -u o.o | sed -n 's/.* \(GOMP_[a-z_]*\|omp_[a-z_]*\)$/\1/p' | grep -v end | tr '\n' ' ')" \
  "GOMP_loop_static_next GOMP_loop_static_start GOMP_parallel omp_get_ancestor_thread_num "

# Hints do no harm on a stock libgomp, with real cancellation in the same file.
cat >run.c <<'END'
#include <stdio.h>
enum { N = 1000 };
double a[N], b[N], total;
int main (void)
{
  int bad = 0;
  for (int round = 0; round < 50; round++)
    {
      int stopped = 0;
      double sum = 0;
#pragma omp parallel num_threads(4) reduction(+: sum)
      {
#pragma omp for schedule(static) nowait
	for (int i = 0; i < N; i++)
	  a[i] = i;
#pragma omp master
	total = 0;
#pragma omp barrier
#pragma omp for nowait
	for (int i = 0; i < N; i++)
	  b[i] = a[i] + 1;
#pragma omp for nowait
	for (int i = 0; i < N; i++)
	  sum += b[i] - a[i];
#pragma omp for
	for (int i = 0; i < N; i++)
	  {
	    if (i % 10 == 0)
	      {
#pragma omp atomic write
		stopped = 1;
#pragma omp cancel for
	      }
#pragma omp cancellation point for
	  }
      }
      bad += sum != N || !stopped;
    }
  return bad;
}
END
libomp=
for f in /usr/lib/*/libomp.so.5 /usr/lib/llvm-*/lib/libomp.so*; do
  [ ! -f "$f" ] || libomp=$f
done
mkdir -p libomp
[ -z "$libomp" ] || ln -sf "$libomp" libomp/libgomp.so.1
for flags in -O0 -O2 '-O2 -flto' "-O2 $default=steady" "-O2 $default=static" \
  '-O0 -fopenmp-replace-static' '-O2 -flto -fopenmp-replace-static'; do
  # shellcheck disable=SC2086 # options
  if amp run.c $flags -o prog >log 2>&1 && nm -u prog | grep -q omp_get_ancestor_thread_num
  then
    for cancel in false true; do
      schedules='static dynamic,3 guided'
      # Only our library has steady loops divided alike.
      case $flags in *steady) schedules=static ;; esac
      for schedule in $schedules; do
	if OMP_CANCELLATION=$cancel OMP_SCHEDULE=$schedule "$limited" 60 ./prog; then
	  pass "run $flags, cancellation $cancel, $schedule"
	else
	  fail "run $flags, cancellation $cancel, $schedule: status $?"
	fi
      done
    done
    # Nor on LLVM's library, in the name of libgomp.
    if [ -z "$libomp" ]; then
      skip "run $flags on libomp: there is none"
    elif OMP_SCHEDULE=static LD_LIBRARY_PATH=$PWD/libomp "$limited" 60 ./prog >log 2>&1
    then
      pass "run $flags on libomp"
    else
      fail "run $flags on libomp: status $?" log
    fi
  else
    fail "run $flags: does not compile, or gives no hint" log
  fi
done

# On a libgomp that replaces nothing, loops that may be replaced are divided as
# GCC itself divides them.
for flags in -O0 -O2 '-O3 -flto' '-O2 -m32'; do
  # shellcheck disable=SC2086 # options
  if ! "$CC" $flags -fopenmp "$here/blocks.c" -o plain >log 2>&1 </dev/null; then
    case $flags in
      *-m32) skip "blocks $flags: cannot be linked here"; continue ;;
    esac
    fail "blocks $flags: does not compile" log
    continue
  fi
  # shellcheck disable=SC2086
  amp "$here/blocks.c" $flags -fopenmp-replace-static -o prog
  equals "blocks $flags: entry points" "$(loop_calls prog | grep -v end | tr '\n' ' ')" \
    "GOMP_loop_nonmonotonic_dynamic_next GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_static_next GOMP_loop_static_start GOMP_loop_ull_static_next GOMP_loop_ull_static_start "
  for schedule in unset static,1 dynamic; do
    export OMP_SCHEDULE=$schedule
    [ $schedule != unset ] || unset OMP_SCHEDULE
    ./plain | awk '{ print } END { exit NR <= 50 }' >want && ./prog >got
    same "blocks $flags, $schedule"
  done
  unset OMP_SCHEDULE
done

# Loops that say static stay so where they are judged for their regions, too.
for flags in -O0 -O2 '-O3 -flto' '-O2 -m32'; do
  for chunk in '' -DCHUNK=1 -DCHUNK=3 -DCHUNK=1000; do
    # shellcheck disable=SC2086 # options
    if "$CC" $flags $chunk -DTEAM_OF_ANY_SIZE -fopenmp "$here/blocks.c" -o plain >log 2>&1 </dev/null \
       && amp "$here/blocks.c" $flags $chunk -DTEAM_OF_ANY_SIZE -o prog; then
      ./plain | awk '{ print } END { exit NR <= 50 }' >want && ./prog >got
      same "chunks $flags $chunk"
    elif [ "$flags" = "-O2 -m32" ]; then
      skip "chunks $flags $chunk: cannot be linked here"
    else
      fail "chunks $flags $chunk: does not compile" log
    fi
  done
done
finish

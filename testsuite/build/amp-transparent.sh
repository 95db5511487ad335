#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# amp-transparent.sh: under amp-run a program runs as if it had been called directly: arguments,
# folder, descriptors, signals, environment, status; whatever there is not.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
amp_run
run=$silent
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
mkdir cache here modules 'dir with space' 'dir with space/x=1'

# show FILE [ARGUMENT...]: writes to FILE what a program can see of how it was started.  With
# "exit N" or "kill N" behind FILE it ends so; with "tell N" it sends that to its parent.  With
# "wait" it says so in FILE, and ends by a
# signal, which it names in FILE.
cat >show.c <<'END2'
#define _GNU_SOURCE
#include <dirent.h>
#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;
static char *file;

static void
got (int number)
{
  FILE *f = fopen (file, "w");
  fprintf (f, "got %d\n", number);
  fclose (f);
  _exit (number == SIGTERM ? 5 : 6);
}

int
main (int argc, char **argv)
{
  static const char *const changed[]
    = { "LD_LIBRARY_PATH=", "LD_PRELOAD=", "OMP_", "MKL_DYNAMIC=", "GOMP_AMP_", "AMP_GUARD=",
	"_=" };
  struct dirent **names;
  char *lines[1000], at[4096], *cwd;
  struct sigaction action;
  struct rlimit limit;
  sigset_t set;
  FILE *f;
  int n = 0;

#pragma omp parallel for schedule(runtime) reduction(+:n)
  for (int i = 0; i < 10; i++)
    n += i;
  if (argc < 2)
    return n != 45;
  file = argv[1];
  if (argc > 3 && !strcmp (argv[2], "exit"))
    return atoi (argv[3]);
  if (argc > 3 && !strcmp (argv[2], "kill"))
    {
      signal (atoi (argv[3]), SIG_DFL);
      kill (getpid (), atoi (argv[3]));
    }
  if (argc > 3 && !strcmp (argv[2], "tell"))
    {
      kill (getppid (), atoi (argv[3]));
      usleep (200000);
      return 4;
    }
  if (argc > 2 && !strcmp (argv[2], "wait"))
    {
      for (int i = 1; i < 32; i++)
	if (i != SIGTSTP && i != SIGTTIN && i != SIGCONT && i != SIGCHLD)
	  signal (i, got);
      f = fopen (file, "w");
      fprintf (f, "%d", getpid ());
      fclose (f);
      for (;;)
	pause ();
    }
  f = fopen (file, "w");
  for (int i = 0; i < argc; i++)
    {
      fputs ("argument", f);
      for (char *s = argv[i]; *s != '\0'; s++)
	fprintf (f, " %02x", (unsigned char) *s);
      fputc ('\n', f);
    }
  cwd = getcwd (NULL, 0);
  fprintf (f, "folder %s mask %03o process group %d session %d nice %d\n", cwd, umask (0),
	   (int) getpgrp (), (int) getsid (0), getpriority (PRIO_PROCESS, 0));
  n = scandir ("/proc/self/fd", &names, NULL, versionsort);
  for (int i = 0; i < n; i++)
    {
      int fd = atoi (names[i]->d_name);
      ssize_t length;
      sprintf (at, "/proc/self/fd/%d", fd);
      length = readlink (at, at, sizeof at - 1);
      if (names[i]->d_name[0] != '.' && fd != fileno (f) && length > 0
	  && (at[length] = '\0', strncmp (at, "/proc/", 6) != 0))
	fprintf (f, "descriptor %d %s\n", fd, at);
    }
  sigprocmask (SIG_BLOCK, NULL, &set);
  for (int i = 1; i < 65; i++)
    if (sigaction (i, NULL, &action) == 0)
      fprintf (f, "signal %d%s%s\n", i, action.sa_handler == SIG_IGN ? " ignored" : "",
	       sigismember (&set, i) ? " blocked" : "");
  for (int i = 0; i < RLIM_NLIMITS; i++)
    if (getrlimit (i, &limit) == 0)
      fprintf (f, "limit %d %ju %ju\n", i, (uintmax_t) limit.rlim_cur, (uintmax_t) limit.rlim_max);
  n = 0;
  for (int i = 0; environ[i] != NULL; i++)
    {
      unsigned j;
      for (j = 0; j < sizeof changed / sizeof changed[0]; j++)
	if (!strncmp (environ[i], changed[j], strlen (changed[j])))
	  break;
      if (j == sizeof changed / sizeof changed[0])
	lines[n++] = environ[i];
    }
  for (int i = 0; i < n; i++)
    fprintf (f, "variable %s\n", lines[i]);
  fprintf (f, "%d\n", omp_get_max_threads () > 0);
  return 0;
}
END2
"$cc" -O1 -fopenmp show.c -o show
# strange CASE COMMAND...: becomes the command in an odd state.
# ends COMMAND...: runs it, and says how it ended.
# sends NUMBER FILE COMMAND...: sends it a signal when FILE is there, and says the same.
cat >tool.c <<'END2'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* In what state is PID?  X: there is none, or nobody has asked yet how it ended.  */

static char
state_of (int pid)
{
  char name[50], state = 'X';
  FILE *f;

  sprintf (name, "/proc/%d/stat", pid);
  f = fopen (name, "r");
  if (f != NULL)
    {
      if (fscanf (f, "%*d (show) %c", &state) != 1 || state == 'Z')
	state = 'X';
      fclose (f);
    }
  return state;
}

int
main (int argc, char **argv)
{
  int status, n, other = 0;
  sigset_t set;
  pid_t pid;
  FILE *f;

  (void) argc;
  if (!strcmp (argv[1], "strange"))
    {
      for (char *s = argv[2]; *s != '\0'; s++)
	switch (*s)
	  {
	  case '0': case '1': case '2':
	    close (*s - '0');
	    break;
	  case 'f':
	    dup2 (open ("/dev/zero", O_RDONLY), 9);
	    open ("/dev/full", O_WRONLY);
	    break;
	  case 'm':
	    umask (0137);
	    break;
	  case 's':
	    signal (SIGCHLD, SIG_IGN);
	    signal (SIGPIPE, SIG_IGN);
	    signal (SIGHUP, SIG_IGN);
	    signal (SIGTSTP, SIG_IGN);
	    sigemptyset (&set);
	    sigaddset (&set, SIGTERM);
	    sigaddset (&set, SIGUSR1);
	    sigaddset (&set, SIGRTMIN + 3);
	    sigprocmask (SIG_BLOCK, &set, NULL);
	    break;
	  }
      execvp (argv[3], argv + 3);
      return 99;
    }
  n = !strcmp (argv[1], "sends") ? atoi (argv[2]) : 0;
  pid = fork ();
  if (pid != 0)
    signal (SIGUSR1, SIG_IGN);
  else
    {
      execvp (argv[n ? 4 : 2], argv + (n ? 4 : 2));
      _exit (99);
    }
  for (int i = 0; n && i < 3000; i++)
    {
      f = fopen (argv[3], "r");
      if (f != NULL && fscanf (f, "%d", &other) == 1 && other > 0)
	break;
      if (f != NULL)
	fclose (f);
      usleep (20000);
    }
  if (n)
    kill (pid, n);
  if (n == SIGTSTP || n == SIGTTIN)
    {
      waitpid (pid, &status, WUNTRACED);
      printf ("stopped %d %c ", WIFSTOPPED (status), state_of (other));
      kill (pid, SIGCONT);
      kill (pid, SIGTERM);
    }
  waitpid (pid, &status, 0);
  /* Whom SIGKILL ends with amp-run may take a while.  */
  for (int i = 0; n == SIGKILL && state_of (other) != 'X' && i < 3000; i++)
    usleep (20000);
  printf (WIFEXITED (status) ? "status %d" : "signal %d",
	  WIFEXITED (status) ? WEXITSTATUS (status) : WTERMSIG (status));
  if (other > 0)
    printf (" and the program %s", state_of (other) == 'X' ? "is gone" : "lives");
  putchar ('\n');
  return 0;
}
END2
"$cc" -O1 tool.c -o tool
cp show './here/a=b'
cp show 'dir with space/x=1/prog'
printf '#!/bin/sh\nexec "%s" "$@"\n' "$tmp/show" >script
printf 'exec "%s" "$@"\n' "$tmp/show" >bare
chmod +x script bare
echo 'show.c:36 dynamic,3' >loops

# Two types of cores, so that there is something to choose.
two_cpus
# Python's variables are the program's, as are the modules that they lead to.
for module in json re signal subprocess; do
  echo 'raise SystemExit ("not the module that was meant")' >modules/$module.py
done
PYTHONPATH=$tmp/modules
export PYTHONPATH
GOMP_AMP_TYPES=$fast:$slow
export GOMP_AMP_TYPES
modes='
-q
-s dynamic,3
-n 2
--preload
--replace dynamic=aid_dynamic
--weighted
--loops %/loops
--auto --verify
--auto
--report
--trace %/trace.json
--trace %/trace.spool
--report --trace %/trace.prv
--report --auto
-q --report --auto --verify'
odd=$(printf 'a\nb')
bytes=$(printf '\377\300x')
# same NAME CASE PROGRAM: in every mode it sees what it sees when it is called directly.
same ()
{
  name=$1
  case=$2
  program=$3
  rm -rf out
  mkdir out
  ./tool strange "$case" "$program" "$tmp/file" '' 'a  b' "$odd" "$bytes" -x -- --help a=b <show.c >out/1 2>out/2 \
    || bad "$name: status $? of a direct call"
  mv file want || { bad "$name: a direct call writes nothing"; return 0; }
  printf '%s\n' "$modes" | while read -r mode; do
    rm -rf out/1 out/2 cache/gomp-amp
    # shellcheck disable=SC2046 # words
    ./tool strange "$case" "$run" $(echo "$mode" | sed "s|%|$tmp|") -- "$program" "$tmp/file" '' 'a  b' "$odd" "$bytes" \
	   -x -- --help a=b <show.c >out/1 2>out/2 || bad "$name: $mode: status $?: $(cat out/2)"
    case $mode in
      # What is compared goes through a pipe.
      *verify*) grep -v '^descriptor 1 ' want >want.now ;;
      *) cp want want.now ;;
    esac
    if [ ! -f file ]; then
      bad "$name: $mode: it did not run: $(cat out/2)"
    else
      case $mode in *verify*) grep -v '^descriptor 1 ' file >file.now && mv file.now file ;; esac
      diff want.now file >difference || bad "$name: $mode: $(cat difference)"
    fi
    [ -z "$(find . -name '.amp-run*' -o -name 'tmp.*')" ] || bad "$name: $mode: something is left behind"
    rm -f file trace.*
    [ "$rc" = 0 ] || echo >failed
  done
  [ ! -f failed ] || rc=1
}
same 'a path' '' ./show
same 'an = in the path' '' ./here/a=b
same 'blanks and an = in the path' '' "$tmp/dir with space/x=1/prog"
same 'a script' '' ./script
same 'a script without a first line' '' ./bare
PATH=$tmp:$PATH same 'a name' '' show
same 'no standard input' 0 ./show
same 'no standard output' 1 ./show
same 'no standard error' 2 ./show
same 'none of the three' 012 ./show
same 'descriptors' f ./show
same 'signals' s ./show
same 'a mask' m ./show
LD_LIBRARY_PATH=$(head -c 131054 /dev/zero | tr '\0' x) same 'no room in the environment' '' ./show
TMPDIR=$tmp/absent same 'no TMPDIR' fs ./show
XDG_CACHE_HOME=/dev/null same 'no cache folder' '' ./show
if [ "$(id -u)" != 0 ]; then
  chmod 111 show
  same 'a program that cannot be read' '' ./show
  chmod 755 show
fi

# What a shell cannot read is not read by one.
printf '\177ELF' >broken
chmod +x broken
status=0
"$run" -q ./broken 2>err || status=$?
[ "$status $(cat err)" = '126 amp-run: ./broken: Exec format error' ] || bad "a broken program: $status $(cat err)"

# Who has amp-run for a child of its own, and others, gets its report all the same.
"$cc" -g -O1 -fopenmp show.c -o shown
sh -c 'false & exec "$@"' sh "$run" -q -s dynamic --report ./shown 2>err || bad "--report beside a child: status $?"
grep -q '^libgomp: loop program.*show\.c' err || bad "--report beside a child: $(cat err)"

# Files that amp-run names are where it was started, wherever the program goes.
mkdir else
for name in trace.json trace.prv trace.spool; do
  "$run" -q -s dynamic --trace $name sh -c "cd else; exec ../show" || bad "$name: status $?"
  [ -s $name ] || bad "$name: not there"
done
for mode in --compare --check; do
  "$run" $mode --runs 1 ./show </dev/null >out/1 2>out/2 || bad "$mode: status $?: $(cat out/2)"
done
"$run" -q -s dynamic --report sh -c "cd else; exec ../show" 2>err || bad "--report: status $?"
grep -q '^libgomp: loop program' err || bad "--report in another folder: $(cat err)"
"$run" -q -s dynamic --report ./show 2>err || bad "--report: status $?"
grep -q '^libgomp: loop program+0x[0-9a-f]*: ' err || bad "--report without debug information: $(cat err)"
[ -z "$(ls else)" ] || bad "in another folder: $(ls else)"
# shellcheck disable=SC3045 # dash has it
for n in 4 5; do
  (ulimit -n $n && exec "$run" -q -s dynamic --report --trace few.json ./show) 2>/dev/null || bad "$n descriptors: status $?"
  [ -z "$(find . -name '.amp-run.*')" ] || bad "$n descriptors: a folder is left"
done
rm -f few.json
rm trace.*

# What outlives amp-run is told nothing of it.
mkfifo go gone
"$run" -q --auto sh -c '(read -r _ <go; ./show; echo >gone) & exit 0' 2>err || bad "a child that outlives: status $?"
echo >go
read -r _ <gone
[ ! -s err ] || bad "a child that outlives: $(cat err)"

# The end of the program is amp-run's.
for how in 'exit 0' 'exit 3' 'exit 255' 'kill 6' 'kill 9' 'kill 11' 'kill 15' 'kill 1' 'kill 13' 'tell 10'; do
  # shellcheck disable=SC2086 # words
  want=$(./tool ends ./show file $how)
  printf '%s\n' "$modes" | while read -r mode; do
    rm -rf cache/gomp-amp
    # shellcheck disable=SC2046,SC2086 # words
    got=$(./tool ends "$run" $(echo "$mode" | sed "s|%|$tmp|") ./show file $how 2>err)
    if [ "$got" != "$want" ]; then
      bad "$how: $mode: $got, not $want: $(cat err)"
      echo >failed
    fi
    case $mode in
      *--trace*) rm -f trace.* ;;
    esac
    [ -z "$(find . -name '.amp-run*')" ] || { bad "$how: $mode: a folder is left behind"; echo >failed; }
  done
done

# What is sent to amp-run is for the program.
for number in 1 2 3 6 10 11 12 13 14 15 20 21 9; do
  rm -f file
  want=$(./tool sends $number file ./show file wait 2>&1)
  for mode in --auto --report "--trace $tmp/trace.json" '--report --auto' '--verify --auto' \
	      "--measure-sf $tmp/factors"; do
    # That one does not hand on stops and what tells of faults, nor does it take the program with it.
    case $mode,$number in *factors,2[01]|*factors,9|*factors,6|*factors,1[13]) continue ;; esac
    rm -rf file cache/gomp-amp
    # shellcheck disable=SC2086 # words
    got=$(./tool sends $number file "$run" -q $mode ./show file wait 2>err)
    [ "$got" = "$want" ] || bad "signal $number: $mode: $got, not $want: $(cat err)"
    rm -rf .amp-run*
  done
done
[ ! -f failed ] || rc=1
exit $rc

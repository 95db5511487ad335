# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # what is set here is used elsewhere
# The GNU style of C, by GCC's contrib/check_GNU_style.py; to be sourced.

# find_style_checker: set style_checker and style_python, or style_missing, which
# says what is not there.
find_style_checker ()
{
  style_missing=
  style_checker=$(find "${BUILD:-build}"/src/*/contrib -name check_GNU_style.py \
		    2>/dev/null | head -n 1)
  [ -n "$style_checker" ] || style_missing="no source of GCC: make"
  # It wants two modules; any python3 that has them does.
  style_python=
  for fs_try in python3 /usr/bin/python3; do
    if "$fs_try" -c 'import unidiff, termcolor' 2>/dev/null; then
      style_python=$fs_try
      return 0
    fi
  done
  style_missing='apt-get install python3-unidiff python3-termcolor'
}

# gnu_style DIFF: print what it says about a diff; the status is 1 if it says
# something.  It takes for errors: one-line remarks without a full stop,
# function-like macros, initials, O(n), clauses of OpenMP, C++'s constructors,
# loops without a third part, and what stands in strings.  Option files and
# manuals have forms of their own.
gnu_style ()
{
  [ -s "$1" ] || return 0
  # Some versions of termcolor colour what is no terminal.
  "$style_python" "$style_checker" -f stdio "$1" >"$1.said" || :
  sed -i "s/$(printf '\033')\[[0-9;]*m//g" "$1.said"
  ! grep -v -e '^===' -e '^$' -e '\.opt:' -e '\.texi:' -e '/\* SPDX-' \
    -e '/\* FALLTHRU \*/' -e ':# *endif */\*' -e ':# *define [A-Z_]*(' \
    -e ' [A-Z]\.[^ ]*[A-Z]\. ' -e 'schedule(' -e 'order(' -e ' \[, ' -e '[ (]O(' \
    -e '; )$' -e ' () : ' -e '^[^"]*:[[:blank:]]*"' -e '".*██' -e '"Usage: ' "$1.said"
}

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# completion.sh: bash completes a tool's options by what its help and its man page
# list, and values by what there is.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
command -v bash >/dev/null || { echo "no bash"; exit 77; }
[ -d "$stage/bin" ] || { echo "no $stage: run make first"; exit 77; }
PATH=$stage/bin:$PATH
export PATH

# completions WORD...: what the last word is completed to, one a line.
completions ()
{
  # shellcheck disable=SC2016 # expanded by bash
  bash --norc -c '
    . "$0/share/bash-completion/completions/$1"
    [[ $(complete -p "$1") == *" -F _gomp_amp "* ]] || exit 1
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _gomp_amp "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    [ ${#COMPREPLY[@]} = 0 ] || printf "%s\n" "${COMPREPLY[@]}"' "$stage" "$@"
}
# gives WHAT WORD...: WHAT is all that it is completed to.
gives ()
{
  want=$1
  shift
  got=$(completions "$@" | sort | tr '\n' ' ')
  [ "${got% }" = "$want" ] || bad "$*: $got, not $want"
}
for program in "$stage"/bin/amp-*; do
  name=${program##*/}
  case $name in
    amp-gcc|amp-g++|amp-gfortran) help=--amp-help page=amp-gcc begin=--amp- ;;
    # GCC's own.
    amp-gcc-*) continue ;;
    *) help=--help page=$name begin=-- ;;
  esac
  "$program" "$help" | grep -oE '(^|[^[:alnum:]_-])--[a-z][a-z-]*' | grep -o -- '--.*' | sort -u \
    >"$tmp/help"
  [ -s "$tmp/help" ] || bad "$name: its help lists no option"
  completions "$name" "$begin" | sed "s/=.*//" | sort -u >"$tmp/complete"
  diff "$tmp/help" "$tmp/complete" || bad "$name: its help and its completion differ"
  # In a page hyphens are escaped, or follow from mdoc's Fl.
  sed 's/\\[&]//g;s/\\-/-/g;s/Fl -/--/g' "$stage/share/man/man1/$page.1" >"$tmp/page"
  while read -r option; do
    grep -q -e "$option" "$tmp/page" || bad "$page.1 has no $option"
  done <"$tmp/complete"
done
gives '--schedule' amp-run --sche
gives '-s' amp-run -s
gives 'aid_dynamic aid_hybrid aid_static' amp-run -s aid_
gives 'ich' amp-sim --schedule ic
gives '-fopenmp-default-schedule=static -fopenmp-default-schedule=steady' \
  amp-gcc -fopenmp-default-schedule=st
gives 'static steady' amp-g++ -fopenmp-default-schedule = st
completions amp-gcc -fno-strict-al | grep -qx -e -fno-strict-aliasing || bad "GCC's own options"
: >"$tmp/program.c"
gives "$tmp/program.c" amp-gcc "$tmp/prog"
exit $rc

# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the patch workflow shares.

# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/../build/lib.sh"

# The user's settings must not show in the patches, and the repository around
# the build folder is not ours to use.
GIT_CONFIG_GLOBAL=${GIT_CONFIG_GLOBAL_FOR_COMMITS:-/dev/null}
GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# hunks PATCH: it without what differs between the versions that it serves: the
# files' hashes and the lines' numbers.
hunks ()
{
  sed -e '/^index [0-9a-f]*\.\./d' \
      -e 's/^@@ -[0-9]*\(,*[0-9]*\) +[0-9]*\(,*[0-9]*\) @@.*/@@ \1 \2/' "$1"
}

# series_tree SOURCE PATCHES TREE VERSION: a git tree of SOURCE, which is GCC
# VERSION's, tagged base, with the patches as commits; no fuzz.
series_tree ()
{
  rm -rf "$3"
  cp -pR "$1" "$3"
  rm -f "$3/.complete"
  (
    GIT_AUTHOR_NAME=gomp-amp
    GIT_AUTHOR_EMAIL=gomp-amp@localhost
    GIT_AUTHOR_DATE='2000-01-01T00:00:00Z'
    GIT_COMMITTER_NAME=gomp-amp
    GIT_COMMITTER_EMAIL=gomp-amp@localhost
    GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
    export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE \
	   GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
    cd "$3" || exit
    git init -q -b gomp-amp
    git config core.autocrlf false
    git config gc.auto 0
    # The source's own attributes and ignore files are for GCC's repository.
    echo '* -text' >.git/info/attributes
    git add -f -A
    git commit -q -m "The source before the patches"
    git tag base
    series_of "$2" "$4" | sed 's|.*/||' >.git/gomp-amp-names
    series_of "$2" "$4" | while read -r p; do
      if no_manual . "$p"; then
	continue
      fi
      git am -q --keep-non-patch --whitespace=nowarn \
	  --committer-date-is-author-date "$p" </dev/null \
	|| { git am --abort; die "$p does not apply to $1"; }
    done
  )
}

# series_files TREE FOLDER: write the commits above base as patches, with a
# series file; the same commits always give the same bytes.  A patch keeps the number
# that its file has, since not every version has all that come before it.
series_files ()
{
  rm -rf "$2"
  mkdir -p "$2"
  git -C "$1" -c core.quotePath=false -c diff.algorithm=myers \
      format-patch -q -o "$2" --zero-commit --no-signature -N --abbrev=12 \
      --no-renames --no-attach --no-thread --no-cover-letter --no-base \
      --src-prefix=a/ --dst-prefix=b/ --stat=72 -p base..HEAD
  (cd "$2" && for f in *.patch; do
     [ -f "$f" ] || continue
     sf_name=$(sed -n "/^[0-9]*-${f#*-}\$/{p;q;}" "$1/.git/gomp-amp-names")
     [ "${sf_name:-$f}" = "$f" ] || mv "$f" "$sf_name"
     printf '%s\n' "${sf_name:-$f}"
   done) >"$2.series"
  mv "$2.series" "$2/series"
}

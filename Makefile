# gomp-amp: GNU libgomp with loop schedulers for asymmetric multicores.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `make help` lists targets and variables.  The work is done by scripts/*.sh,
# each of which can be run by itself; they take the variables below from the
# environment.  A stage keeps a digest of its inputs in build/stamp and does
# nothing when that has not changed.

SHELL = /bin/sh
.DEFAULT_GOAL = build
MAKEFLAGS += --no-print-directory

# Where everything is made.
BUILD = build
# 1 shows commands and their output.
V = 0
# Where `make install` goes.
PREFIX = /opt/gomp-amp
DESTDIR =
# Where GCC releases come from when no package provides them.
GNU_MIRROR = https://ftp.gnu.org/gnu

export BUILD V PREFIX DESTDIR GNU_MIRROR
# Passed on if given: the compiler; GCC's source; options.
given = $(if $(filter undefined default,$(origin $(1))),,$(1))
$(foreach v,CC CXX FC,$(if $(call given,$(v)),$(eval export $(v)),\
  $(eval unexport $(v))))
export GCC_SRC GCC_SRCS GCC_VERSION CFLAGS J APT TESTS

build:			## libgomp, plugin, wrappers and tools, in build/stage (default)
	@scripts/deps.sh build
	@scripts/get-source.sh
	@scripts/patch-source.sh
	@scripts/build-libgomp.sh
	@scripts/stage.sh

libgomp:		## the library alone, in build/libgomp-inst; any GCC_VERSION= with any compiler
	@scripts/deps.sh build
	@scripts/get-source.sh
	@scripts/patch-source.sh
	@scripts/build-libgomp.sh

# What makes neither plugin nor wrappers takes any compiler.
libgomp check-patches patched-tree: export LIBGOMP_ONLY = yes

demo: build		## a real program under stock static and under AID, on an emulated AMP
	@scripts/deps.sh build bench
	@scripts/demo

check: build		## the tests (less than 15 minutes); TESTS="unit sim" for some of them
	@scripts/deps.sh check
	@testsuite/run $(TESTS)

check-gcc: build	## GCC's own libgomp test suites against our library
	@scripts/deps.sh check
	@scripts/check-gcc

check-patches:		## do the patches apply, come out the same, and keep within their size
	@scripts/deps.sh build patches
	@scripts/get-source.sh
	@scripts/check-patches.sh

bench: build		## all kernels under all schedules and peers
	@scripts/deps.sh bench
	@scripts/bench

bench-quick: build	## the same, small
	@scripts/deps.sh bench
	@scripts/bench --quick

bench-ich: build	## the iCh paper's applications under its six methods
	@scripts/deps.sh bench
	@scripts/bench-ich

reproduce-aid: build	## the AID paper's evaluation: simulated platforms, real runs, plots
	@scripts/deps.sh bench
	@scripts/reproduce-aid

validate-sim: build	## amp-sim's predictions against real runs
	@scripts/deps.sh bench
	@scripts/validate-sim

install: build		## copy build/stage to $(DESTDIR)$(PREFIX)
	@scripts/install.sh install

uninstall:		## remove what install put there
	@scripts/install.sh uninstall

patched-tree:		## build/patched-tree: git tree of libgomp, the series as commits
	@scripts/deps.sh build patches
	@scripts/get-source.sh
	@scripts/patched-tree.sh

refresh:		## write gcc-patches/ anew from the commits in build/patched-tree
	@scripts/refresh.sh

clean:			## remove what was built; keep the source and the patched tree
	@scripts/clean.sh clean

distclean:		## remove the build folder
	@scripts/clean.sh distclean

help:			## this list
	@echo 'Targets:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile \
	  | awk -F '|' '{ printf "  %-15s %s\n", $$1, $$2 }'
	@echo 'Variables:'
	@printf '  %-15s %s\n' \
	  'CC= CXX= FC=' 'the compilers (gcc, or gcc-N of a supported version); FC=none: no Fortran' \
	  'GCC_SRC=' "GCC's source, a folder or a tarball (else gcc-N-source, else GNU_MIRROR)" \
	  'GCC_SRCS=' 'sources of further versions, for check-patches' \
	  'GCC_VERSION=' "the folder of gcc-patches/ to use (the compiler's full version)" \
	  'GNU_MIRROR=' '$(GNU_MIRROR)' \
	  'PREFIX=' '$(PREFIX)' \
	  'DESTDIR=' 'put in front of PREFIX by install and uninstall' \
	  'BUILD=' 'the build folder (build)' \
	  'CFLAGS=' 'for libgomp (-g -O2)' \
	  'J=' 'parallel jobs (the number of CPUs)' \
	  'APT=no' 'never install packages; name them instead' \
	  'TESTS=' 'suites that `make check` runs (all)' \
	  'V=1' 'show commands and their output'

.PHONY: build libgomp demo check check-gcc check-patches bench bench-quick bench-ich reproduce-aid validate-sim install \
	uninstall patched-tree refresh clean distclean help

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

# A triplet (aarch64-linux-gnu): build for another machine, by its cross compiler.
TARGET =
# Where everything is made.
BUILD = build$(TARGET:%=/%)
# 1 shows commands and their output.
V = 0
# Where `make install` goes.
PREFIX = /opt/gomp-amp
DESTDIR =
# Where GCC releases come from when no package provides them.
GNU_MIRROR = https://ftp.gnu.org/gnu

export TARGET BUILD V PREFIX DESTDIR GNU_MIRROR
# Passed on if given: the compiler; GCC's source; options.
given = $(if $(filter undefined default,$(origin $(1))),,$(1))
$(foreach v,CC CXX FC,$(if $(call given,$(v)),$(eval export $(v)),\
  $(eval unexport $(v))))
export MPICC MPIFC PLUGIN_HEADERS GCC_SRC GCC_SRCS GCC_VERSION CFLAGS J APT TESTS SLOW QUICK GCC_CFLAGS \
  GCC_CONFIGURE GCC_LIBRARIES COMPILER LIBRARIES

build:			## libgomp, plugin, wrappers and tools, in build/stage (default)
	@scripts/build/deps.sh build
	@scripts/build/get-source.sh
	@scripts/build/patch-source.sh
	@scripts/build/build-libgomp.sh
	@scripts/build/stage.sh

mpi:			## libamp-mpi as well, in build/stage
device:			## libamp-device as well, in build/stage
mpi device:
	@$(MAKE) build LIBRARIES='$(LIBRARIES) $@'

libgomp:		## the library alone, in build/libgomp-inst; any GCC_VERSION= with any compiler
	@scripts/build/deps.sh build
	@scripts/build/get-source.sh
	@scripts/build/patch-source.sh
	@scripts/build/build-libgomp.sh

# PREFIX has another default here.
gcc: export PREFIX := $(if $(findstring file,$(origin PREFIX)),,$(PREFIX))
gcc:			## GCC itself, patched, with our libgomp, into PREFIX (40 minutes); QUICK=1: cc1 alone
	@scripts/build/build-gcc.sh

# What makes neither plugin nor wrappers takes any compiler.
libgomp gcc check-patches patched-tree port: export LIBGOMP_ONLY = yes

deps:			## install what make needs (root, Debian or Ubuntu); demo and check do so too, nothing else
	@scripts/build/deps.sh --install build

demo:			## a real program under stock static and under AID, on unequal cores, emulated where there are none
	@scripts/build/deps.sh --install build bench
	@$(MAKE) build
	@scripts/bench run demo --plots $(BUILD)/bench/demo --format png

check:			## the tests (less than 15 minutes); TESTS="unit sim" for some of them
	@scripts/build/deps.sh --install check
	@! testsuite/run --needs stage $(TESTS) || $(MAKE) build
	@testsuite/run $(TESTS)

# The machines that check-cross builds for.
CROSS_TARGETS = aarch64-linux-gnu arm-linux-gnueabihf riscv64-linux-gnu

check-cross: build	## build for ARM, 64 and 32 bits, and run the tests of that under qemu-user
	@TARGET= scripts/build/deps.sh cross
	@for t in $(CROSS_TARGETS); do \
	  $(MAKE) TARGET=$$t BUILD=$(BUILD)/$$t CC= CXX= FC= build || exit; \
	done
	@TARGET= CROSS_FULL=yes testsuite/run cross

check-gcc: build	## GCC's own libgomp test suites against our library; COMPILER=PREFIX: its suites for a patched GCC
	@scripts/build/deps.sh check
	@$(if $(COMPILER),rc=0; for t in testsuite/rules/run testsuite/elsewhere/run \
	  'scripts/maintain/check-compiler $(COMPILER)' 'scripts/maintain/check-gcc --compiler $(COMPILER)'; \
	  do $$t || rc=1; done; exit $$rc,scripts/maintain/check-gcc)

check-mutants: build	## does a test see each of the defects of testsuite/mutants/list (ten minutes); WORD= for some of them
	@testsuite/mutants/check '$(WORD)'

lint:			## the style of C, sh and Python, by the tools that are there
	@testsuite/lint/run

check-patches:		## do the patches apply, come out the same, and keep within their size
	@scripts/build/deps.sh build patches
	@scripts/build/get-source.sh
	@scripts/maintain/check-patches.sh

# What `make bench' measures: words of scripts/bench.
WHAT = run all

bench: build		## measure: all kernels at four ratios (30 minutes); WHAT='compare --quick', WHAT='reproduce aid'
	@scripts/build/deps.sh bench
	@scripts/bench $(WHAT)

good-prefix:
	@scripts/build/install.sh check

install: good-prefix build	## copy build/stage to $(DESTDIR)$(PREFIX)
	@scripts/build/install.sh install

uninstall:		## remove what install put there
	@scripts/build/install.sh uninstall

dist:			## build/dist: the source as a tarball, the same bytes each time, and a recipe for Spack
	@scripts/maintain/dist.sh

deb:			## Debian's package, built, tried and removed in clean rooms (root); SUITE=
	@packaging/debian/build $(SUITE)

patched-tree:		## build/patched-tree: git tree of libgomp, the series as commits
	@scripts/build/deps.sh build patches
	@scripts/build/get-source.sh
	@scripts/maintain/patched-tree.sh

refresh:		## write gcc-patches/ anew from the commits in build/patched-tree
	@scripts/maintain/refresh.sh

port:			## carry the patches to another version, TO=: extend a range, or merge (FROM=)
	@SERVED_AS=none scripts/build/deps.sh build patches
	@FROM='$(FROM)' TO='$(TO)' FROM_SRC='$(FROM_SRC)' scripts/maintain/port.sh

clean:			## remove what was built; keep the source and the patched tree
	@scripts/build/clean.sh clean

distclean:		## remove the build folder
	@scripts/build/clean.sh distclean

help:			## this list
	@echo 'Targets:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile \
	  | awk -F '|' '{ printf "  %-15s %s\n", $$1, $$2 }'
	@echo 'Variables:'
	@printf '  %-15s %s\n' \
	  'CC= CXX= FC=' 'the compilers (gcc, or gcc-N of a supported version); FC=none: no Fortran' \
	  'PLUGIN_HEADERS=' "the headers for a plugin (the compiler's); none: build without plugin" \
	  'MPICC= MPIFC=' "an MPI's compilers, for libamp-mpi (mpicc and mpifort)" \
	  'GCC_SRC=' "GCC's source, a folder or a tarball (else gcc-N-source, else GNU_MIRROR)" \
	  'GCC_SRCS=' 'sources of further versions, for check-patches' \
	  'GCC_VERSION=' "GCC's version, whose libgomp is built (the compiler's)" \
	  'GNU_MIRROR=' '$(GNU_MIRROR)' \
	  'PREFIX=' '$(PREFIX)' \
	  'DESTDIR=' 'put in front of PREFIX by install and uninstall' \
	  'TARGET=' 'a triplet: build for that machine by its cross compiler, in build/TARGET' \
	  'BUILD=' 'the build folder (build)' \
	  'CFLAGS=' 'for libgomp (-g -O2)' \
	  'QUICK=1' 'gcc: the compilers proper alone, for the driver of the host' \
	  'GCC_CFLAGS=' 'gcc: what the compiler is compiled with (-O2 -g0)' \
	  'GCC_CONFIGURE=' "gcc: further options of GCC's configure" \
	  'GCC_LIBRARIES=no' 'gcc: without libstdc++ and libgfortran' \
	  'COMPILER=' 'a patched GCC (its prefix), for check-gcc and check' \
	  'J=' 'parallel jobs (the number of CPUs)' \
	  'WHAT=' 'bench: words of scripts/bench (run all)' \
	  'APT=no' 'demo and check install no packages, but name them' \
	  'TESTS=' 'suites that `make check` runs (all)' \
	  'SLOW=' 'N: tests may take N times as long as usual, for slow boards' \
	  'SUITE=' "deb: Debian's release (bookworm)" \
	  'V=1' 'show commands and their output'

.PHONY: build good-prefix mpi device deps libgomp gcc demo check lint check-cross check-gcc check-mutants check-patches bench \
	install uninstall dist deb patched-tree refresh port clean distclean help

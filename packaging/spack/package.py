# SPDX-License-Identifier: GPL-3.0-or-later
"""Spack's recipe.  `make dist` writes the tarball's place and digest into it."""

from spack.package import depends_on, license, requires, resource, version
from spack_repo.builtin.build_systems.makefile import MakefilePackage

# GCC's releases, whose libgomp is built, and the SHA-256 of their tarballs.
RELEASES = {
    "12.2.0": "e549cf9cf3594a00e27b6589d4322d70e0720cdd213f39beb4181e06926230ff",
    "12.5.0": "71cd373d0f04615e66c5b5b14d49c1a4c1a08efa7b30625cd240b11bab4062b3",
    "13.3.0": "0845e9621c9543a13f484e94584a49ffc0129970e9914624235fc1d061a0c083",
    "14.2.0": "a7b39bc69cbf9e25826c5a60ab26477001f7c08d85cec04bc0e29cabed6f3cc9",
}


class GompAmp(MakefilePackage):
    """OpenMP for processors with big and little cores: GCC's libgomp with loop schedules
    that give each core work in proportion to its speed, a plugin for GCC, and tools."""

    homepage = "https://gcc.gnu.org/onlinedocs/libgomp/"
    url = "@DIST@/gomp-amp-@VERSION@.tar.xz"

    license("GPL-3.0-or-later WITH GCC-exception-3.1")

    version("@VERSION@", sha256="@SHA256@")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("xz", type="build")

    # The plugin is for one release of the compiler.
    requires(*(f"%gcc@{release}" for release in RELEASES), policy="one_of")
    for release, digest in RELEASES.items():
        resource(
            name=f"gcc-{release}",
            url=f"https://ftpmirror.gnu.org/gcc/gcc-{release}/gcc-{release}.tar.xz",
            sha256=digest,
            when=f"%gcc@{release}",
            placement="gcc-source",
        )

    def variables(self):
        # The compilers themselves, since amp-gcc names them when Spack's wrappers are gone.
        return [
            f"CC={self['c'].cc}",
            f"CXX={self['cxx'].cxx}",
            f"FC={self['fortran'].fortran}",
            f"GCC_SRC={self.stage.source_path}/gcc-source",
            f"PREFIX={self.prefix}",
        ]

    @property
    def build_targets(self):
        return ["build", *self.variables()]

    @property
    def install_targets(self):
        return ["install", *self.variables()]

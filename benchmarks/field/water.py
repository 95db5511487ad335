# SPDX-License-Identifier: GPL-3.0-or-later
"""A box of water for GROMACS: water.py GMX FILE.tpr COPIES, of a small box in each direction.

Force field and molecules are those that the package has.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOPOLOGY = """#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
SOL {molecules}
"""
# The package's box of water, which fits to itself at its faces, and what is in it.
WATER, MOLECULES = "spc216.gro", 216
SETTINGS = """integrator = md
dt = 0.002
nsteps = 1000
nstlog = 1000
nstenergy = 100
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 1.0
rvdw = 1.0
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 300
ld-seed = 5
gen-vel = yes
gen-temp = 300
gen-seed = 5
"""


def main() -> None:
    gmx, target, copies = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        molecules = MOLECULES * int(copies) ** 3
        (folder / "water.top").write_text(TOPOLOGY.format(molecules=molecules))
        (folder / "water.mdp").write_text(SETTINGS)
        shutil.copy(Path(os.environ["GMXLIB"]) / WATER, folder)
        for words in (
            ["genconf", "-f", WATER, "-o", "water.gro", "-nbox", copies, copies, copies],
            ["grompp", "-f", "water.mdp", "-p", "water.top", "-c", "water.gro", "-o", str(target)],
        ):
            subprocess.run([gmx, "-quiet", *words], cwd=folder, check=True)


if __name__ == "__main__":
    main()

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# recipes.sh: the recipes for services and packagers hold together with the rest.
set -eu
exec python3 "$(dirname "$0")/recipes.py"

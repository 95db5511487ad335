# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradient boosting as its users call it: boosting.py PACKAGE ROWS COLUMNS TREES."""

import sys
import time
from typing import Any

import numpy


def model(package: str, trees: int) -> Any:
    if package == "sklearn":
        from sklearn.ensemble import HistGradientBoostingRegressor

        return HistGradientBoostingRegressor(max_iter=trees, early_stopping=False, random_state=1)
    if package == "lightgbm":
        from lightgbm import LGBMRegressor

        # As many threads as OpenMP says, not physical cores.  Left to itself it tries two ways of
        # counting and keeps the faster one.
        return LGBMRegressor(
            n_estimators=trees, random_state=1, verbose=-1, n_jobs=0, deterministic=True,
            force_col_wise=True,
        )  # fmt: skip
    from xgboost import XGBRegressor

    return XGBRegressor(n_estimators=trees, random_state=1, tree_method="hist")


def main() -> None:
    package = sys.argv[1]
    rows, columns, trees = (int(w) for w in sys.argv[2:5])
    random = numpy.random.default_rng(34128)
    x = random.standard_normal((rows, columns))
    y = x[:, 0] * x[:, 1] + numpy.sin(3 * x[:, 2]) + 0.1 * random.standard_normal(rows)
    boosting = model(package, trees)
    begin = time.perf_counter()
    boosting.fit(x, y)
    seconds = time.perf_counter() - begin
    told = boosting.predict(x[:1000])
    print("result:", numpy.square(told - y[:1000]).mean(), told.mean(), told[0], told[-1])
    print("seconds:", seconds)


if __name__ == "__main__":
    main()

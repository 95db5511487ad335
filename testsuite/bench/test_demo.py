# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration's bars, sentence and verdict, from fixed raw data."""

from pathlib import Path
from typing import Any

from ampbench import demonstration, plots
from made import SESSION, bench, cases, run, save

Records = list[dict[str, Any]]


def seen(gcc: float, ours: float, fast: float | None, spread: float = 0.0, **more: Any) -> Records:
    forms = {"stock:static": gcc, "amp:unset": ours}
    if fast:
        forms["stock:static@1"] = fast
    return [SESSION | {"mode": "demo"}] + [
        run(c, r, s * (1 + spread * (r - 2) * (c == "amp:unset")), **more)
        for r in (1, 2, 3)
        for c, s in forms.items()
    ]


def test_the_sentence() -> None:
    said = demonstration.of(seen(2.94, 2.0, 2.62)).sentence()
    assert said == (
        "amp-gcc, nothing set: 1.47 times as fast as gcc; 1.31 times the fast core alone."
    )


def test_equal_cores_have_no_fast_one() -> None:
    result = demonstration.of(seen(2.0, 2.0, None, ratio=1.0))
    assert result.sentence() == "amp-gcc, nothing set: 1.00 times as fast as gcc."
    assert [b.title for b in result.bars] == ["gcc", "amp-gcc, nothing set"]


def test_bars_are_in_proportion() -> None:
    text = demonstration.of(seen(4.0, 2.0, 3.0)).lines()
    assert [line.count("#") for line in text if "#" in line] == [40, 20, 30]


@cases("spread, settled", [(0.0, True), (0.01, True), (0.2, False)])
def test_medians_settle_or_not(spread: float, settled: bool) -> None:
    result = demonstration.of(seen(4.0, 2.0, 3.0, spread))
    assert result.settled == settled
    assert any("have not settled" in x for x in result.lines()) != settled


def test_noise_is_told_before_the_bars() -> None:
    text = demonstration.of(seen(4.0, 2.0, 3.0, others=0.5)).lines()
    noisy = next(i for i, x in enumerate(text) if x.startswith("NOISY"))
    assert noisy < next(i for i, x in enumerate(text) if "#" in x)


def test_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "demo.png"
    bench("draw", save(tmp_path / "raw.jsonl", seen(4.0, 2.0, 3.0)), picture)
    try:
        plots.import_pyplot()
    except plots.NoMatplotlib:
        if plots.other_interpreter() is None:
            return
    assert picture.read_bytes().startswith(b"\x89PNG")

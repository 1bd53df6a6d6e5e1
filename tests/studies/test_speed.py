"""The table of start-up: each process is there with its least and its median, beside what it is compared with."""

from __future__ import annotations

import re

import pytest

from tests.studies import speed


@pytest.mark.slow
def test_start_up_is_printed_beside_its_floor() -> None:
    rows = dict(speed.table(runs=3, levels=10))
    medians = {}
    for what, figure in rows.items():
        if found := re.match(r"([\d.]+) s, median ([\d.]+) s", figure):
            assert 0 < float(found[1]) <= float(found[2])
            medians[what] = float(found[2])
    solve, floor = "one-box level, `sokoasp solve`, CPU", "floor: `import click, clingo` and a first solve, CPU"
    assert {solve, floor} < medians.keys()
    ratio = float(rows[solve].split("; ")[1].split("×")[0])
    assert ratio == pytest.approx(medians[solve] / medians[floor], rel=0.05)
    assert speed.markdown(list(rows.items())).count("\n| ") == len(rows)


def test_least_and_median() -> None:
    assert speed._least_and_median([0.3, 0.1, 0.12]) == "0.100 s, median 0.120 s"

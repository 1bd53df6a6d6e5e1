"""The formulas against optima that others have proved: satisfiable at the optimum, refuted one below."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from sokoasp.sat.formulas import formula_of
from sokoasp.sokoban import formats
from tests.sat.solver import satisfiable

MOST = {"lines": 12, "pushes": 16}
SOON = {"lines": 5, "pushes": 7}
"""Optima up to which a level takes a moment: these are tried always."""
CELLS = 40
"""Pushes: floor cells up to which the refutation of 16 takes seconds and not hours."""


def _tried(objective: str, shared: Path, cavepacker: Path, least: int, most: int, part: int, parts: int) -> int:
    """Ask for every level with a known optimum in the range; return how many there were."""
    with (shared / "data" / "optima" / "microban1.csv").open() as file:
        known = [(int(row["level"]), int(row[f"optimal_{objective}"] or 0)) for row in csv.DictReader(file)]
    files = {int(path.stem[-4:]): path for path in cavepacker.rglob("microban01_*.sok")}
    done = 0
    for number, value in known:
        if not least <= value <= most or number % parts != part:
            continue
        (level,) = formats.read(files[number].read_bytes(), source=str(files[number]))
        if objective == "pushes" and value > SOON["pushes"] and len(level.floor) > CELLS:
            continue
        formula = formula_of(level, objective, value)
        assert satisfiable(formula), files[number]
        assert not satisfiable(formula, (-formula.number["act", 1],)), files[number]
        done += 1
    return done


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_short_ones(objective: str, shared: Path, cavepacker: Path) -> None:
    assert _tried(objective, shared, cavepacker, 1, SOON[objective], 0, 1) >= 5


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_all(objective: str, part: int, shared: Path, cavepacker: Path) -> None:
    assert _tried(objective, shared, cavepacker, SOON[objective] + 1, MOST[objective], part, 4) >= 5

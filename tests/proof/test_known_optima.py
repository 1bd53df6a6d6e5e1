"""The formulas against optima that others have proved: satisfiable at the optimum, refuted one below."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from sokoasp.proof import rows
from sokoasp.proof.pushes_formula import pushes_formula
from sokoasp.sokoban import formats
from tests.proof.makers import satisfiable

MOST = {"lines": 12, "pushes": 16}


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_microban(objective: str, shared: Path, cavepacker: Path) -> None:
    with (shared / "data" / "optima" / "microban1.csv").open() as file:
        known = [(row["level"], int(row[f"optimal_{objective}"] or 0)) for row in csv.DictReader(file)]
    files = {int(path.stem[-4:]): path for path in cavepacker.rglob("microban01_*.sok")}
    done = 0
    for number, value in known:
        if not 0 < value <= MOST[objective]:
            continue
        path = files[int(number)]
        (level,) = formats.read(path.read_bytes(), source=str(path))
        formula = pushes_formula(rows.read(rows.write(level)), value, lines=objective == "lines")
        assert satisfiable(formula), path
        assert not satisfiable(formula, (-formula.number["act", 1],)), path
        done += 1
    assert done > 50

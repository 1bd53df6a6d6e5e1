"""The native engines against the proved optima of public levels (beside the repository, or in Debian's cavepacker-data)."""

import csv
from pathlib import Path

import pytest

from sokoasp.core.limits import Limits
from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.search import Options, solve

ONE = Options()


@pytest.mark.parametrize("engine", ["forward", "reverse"])
def test_competition_files(engine: str, shared: Path) -> None:
    with (shared / "data/optima/asp-competition-2009-optimize.csv").open() as file:
        known = {row["file"]: int(row["optimal_lines"]) for row in csv.DictReader(file)}
    assert len(known) == 28
    for name, optimum in known.items():
        level = facts.read((shared / "data/asp-competition-2009-optimize" / name).read_text(), source=name)
        found = solve(level, "lines", Limits(seconds=60), engine=engine, options=ONE)
        assert (found.status, found.value) == ("optimal", optimum), name


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["forward", "reverse"])
@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_microban(engine: str, objective: str, shared: Path, cavepacker: Path) -> None:
    """What two seconds do not settle must at least not be contradicted."""
    settled = 0
    with (shared / "data/optima/microban1.csv").open() as file:
        for row in csv.DictReader(file):
            number, optimum = int(row["level"]), row[f"optimal_{objective}"]
            level = formats.read(next(cavepacker.rglob(f"microban01_{number:04}.sok")).read_bytes())[0]
            found = solve(level, objective, Limits(seconds=2), engine=engine, options=ONE)
            if optimum:
                assert found.lower_bound <= int(optimum), number
                assert found.value is None or found.value >= int(optimum), number
                settled += found.status == "optimal"
    assert settled > 100

"""instances/known.csv against both engines that proved it."""

import csv

import pytest

from sokoasp import Limits, Status, solve
from sokoasp.engine import portfolio
from sokoasp.sokoban.search.exact import reference
from tests.instances import levels
from tests.known import FIELDS, TABLE, files
from tests.levels import some_now

with TABLE.open(encoding="utf-8", newline="") as _lines:
    ROWS = list(csv.DictReader(_lines))


def _value(text: str) -> int | None:
    return None if text == "unsolvable" else int(text)


def test_the_table_covers_every_level_and_objective() -> None:
    assert tuple(ROWS[0]) == FIELDS
    expected = [
        (name, str(n), o)
        for name in files()
        for n in range(1, len(levels(name)) + 1)
        for o in ("lines", "pushes", "moves")
    ]
    assert [(row["instance"], row["level"], row["objective"]) for row in ROWS] == expected
    assert len(expected) >= 3 * 40
    assert sum(row["value"] == "unsolvable" for row in ROWS) >= 3 * 6


@pytest.mark.parametrize("objective", ["lines", "pushes"])
@pytest.mark.parametrize("name", files())
@pytest.mark.parametrize("odd", some_now([True, False], 1))
def test_asp_proves_the_table(name: str, objective: str, odd: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels of odd numbers by default, a level a file at least."""
    monkeypatch.setattr(portfolio, "FEW", 2.0)  # two levels without a plan are refuted by the search that joins
    for row in ROWS:
        if (row["instance"], row["objective"]) == (name, objective) and int(row["level"]) % 2 == odd:
            level = levels(name)[int(row["level"]) - 1]
            found = solve(level, objective=objective, cross_check=False, limits=Limits(seconds=120))
            assert found.status is (Status.UNSOLVABLE if row["value"] == "unsolvable" else Status.OPTIMAL), row
            assert found.value == _value(row["value"]), row


@pytest.mark.parametrize("name", files())
@pytest.mark.parametrize("odd", some_now([True, False], 1))
def test_reference_search_proves_the_table(name: str, odd: bool) -> None:
    """Levels of odd numbers by default, a level a file at least."""
    for row in ROWS:
        if row["instance"] == name and row["objective"] != "moves" and int(row["level"]) % 2 == odd:
            level = levels(name)[int(row["level"]) - 1]
            assert reference.solve(level, row["objective"], Limits(states=3_000_000)).value == _value(row["value"]), row


@pytest.mark.slow
@pytest.mark.parametrize("name", files())
def test_moves_are_proved_too(name: str) -> None:
    for row in ROWS:
        if (row["instance"], row["objective"]) == (name, "moves"):
            level = levels(name)[int(row["level"]) - 1]
            found = solve(level, objective="moves", cross_check=False, limits=Limits(seconds=600))
            assert found.value == _value(row["value"]), row
            assert reference.solve(level, "moves", Limits(states=3_000_000)).value == _value(row["value"]), row

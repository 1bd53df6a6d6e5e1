"""The family of closed corridors: truly dead, decided by units at every length, with a number of positions that does not grow."""

from __future__ import annotations

from pathlib import Path

import pytest

from sokoasp.sokoban.deadlock import Budget
from sokoasp.sokoban.units import find_deadlock
from tests import native
from tests.studies import lengths
from tests.studies.labels import labels


@pytest.mark.parametrize("length", [1, 4, 9])
def test_the_levels_are_dead_by_exhaustive_search(length: int) -> None:
    truth = labels(lengths.level(length, 0))
    assert truth is not None
    assert not any(truth.values())


def test_a_positions_budget_that_does_for_ten_cells_does_for_thousands() -> None:
    def dead(length: int, loose: int, states: int) -> bool:
        budget = Budget(states, 20, 4)
        return find_deadlock(lengths.level(length, loose), budget=budget, detectors=["units"]) is not None

    for loose in lengths.LOOSE:
        least = min(n for n in range(1, 80) if dead(20, loose, n))
        assert dead(1_000, loose, least)


def test_the_table_and_its_plot(tmp_path: Path) -> None:
    native.needed()
    pytest.importorskip("matplotlib")
    rows = list(lengths.lengths((5, 10), (0, 1), most=200, repeat=1))
    assert all(row.dead for row in rows)
    assert [(row.states, row.ended) for row in rows[:2]] == [(21, True), (66, True)], "k(k+1)/2 pairs of places"
    assert rows[2].states is not None and rows[2].states > 20 * 21, "one loose box multiplies them"
    cut = lengths.Length(100, 2, 464, True, 0.01, 1_000_001, False)
    assert "| 100 | 2 | 464 | 0.0100 | over 1,000,001 |" in lengths.markdown([cut])
    assert "| 10 | 1 | 104 |" in lengths.markdown(rows)
    lengths.draw(rows, tmp_path / "lengths.svg")
    text = (tmp_path / "lengths.svg").read_text(encoding="utf-8")
    assert text.count("use ") >= 4 and "svg" in text

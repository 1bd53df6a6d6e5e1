"""The family of closed corridors: truly dead, decided by units at every length, with a number of positions that does not grow."""

from __future__ import annotations

import pytest

from sokoasp.sokoban.deadlock import Budget
from sokoasp.sokoban.units import find_deadlock
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

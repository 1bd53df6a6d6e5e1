"""State counts against the thesis's figures, a formula for corridors, and plain enumeration."""

from math import comb

import pytest

from sokoasp.core.limits import Limits
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.state_space import counts
from tests.levels import layers, random_level


def corridor(cells: int, boxes: int) -> Level:
    floor = [Cell(0, c) for c in range(cells)]
    return Level(frozenset(floor), frozenset(floor[1 : 1 + boxes]), frozenset(floor[-boxes:]), floor[0])


def corridor_regions(cells: int, boxes: int) -> int:
    """Return the number of (box set, player region) pairs of a straight corridor without trying them.

    Every part begins at a free cell that is the left end or has a box on its left; both kinds are counted over all box sets.
    """
    at_end = comb(cells - 1, boxes)
    inside = (cells - 1) * comb(cells - 2, boxes - 1) if boxes >= 1 and cells >= 2 else 0
    return at_end + inside


def test_the_figures_of_the_thesis() -> None:
    found = counts.count(corridor(42, 6), Limits(states=10))
    assert (found.box_sets, found.formula) == (5_245_786, 26_978_328)
    assert found.positions == 5_245_786 * 36
    assert found.regions is None, "the budget does not allow to try five million box sets"
    assert corridor_regions(42, 6) == 31_474_716 > found.formula


@pytest.mark.parametrize(("cells", "boxes"), [(5, 1), (8, 2), (9, 3), (12, 4), (6, 5)])
def test_corridors_by_enumeration(cells: int, boxes: int) -> None:
    level = corridor(cells, boxes)
    assert counts.all_regions(level.floor, boxes) == corridor_regions(cells, boxes)


def test_the_second_formula_is_no_bound_but_the_third_is() -> None:
    found = counts.count(corridor(12, 4))
    assert found.regions is not None
    assert found.formula < found.regions < found.positions


@pytest.mark.parametrize("seed", range(6))
def test_reachable_states_are_those_of_the_oracle(seed: int) -> None:
    level = random_level(seed, width=4, height=4, boxes=2)
    found = counts.count(level)
    by_region = sum(layers(level, "pushes", 60))
    by_cell = sum(layers(level, "moves", 120))
    assert (found.reachable, found.reachable_positions, found.stopped_by) == (by_region, by_cell, None)
    assert found.regions is not None and found.reachable is not None
    assert found.reachable <= found.regions <= found.positions


def test_a_broken_off_count_says_so() -> None:
    found = counts.count(random_level(2, width=6, height=6, boxes=3), Limits(states=50))
    assert (found.reachable, found.reachable_positions, found.stopped_by) == (None, None, "states")

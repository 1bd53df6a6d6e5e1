"""State counts against the thesis's figures, a formula for corridors, and plain enumeration."""

from math import comb

import pytest

from sokoasp.core.limits import Limits
from sokoasp.sokoban import state_space
from sokoasp.sokoban.level import Cell, Level
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
    found = state_space.stats(corridor(42, 6), Limits(states=10))
    assert (found["box_placements"], found["placements_with_one_more"]) == (5_245_786, 26_978_328)
    assert found["positions_at_most"] == 5_245_786 * 36
    assert found["regions"] is None, "the budget does not allow to try five million box sets"
    assert corridor_regions(42, 6) == 31_474_716 > found["placements_with_one_more"]


@pytest.mark.parametrize(("cells", "boxes"), [(5, 1), (8, 2), (9, 3), (12, 4), (6, 5)])
def test_corridors_by_enumeration(cells: int, boxes: int) -> None:
    level = corridor(cells, boxes)
    assert state_space.all_regions(level.floor, boxes) == corridor_regions(cells, boxes)


def test_the_second_formula_is_no_bound_but_the_third_is() -> None:
    found = state_space.stats(corridor(12, 4), Limits())
    assert found["placements_with_one_more"] < found["regions"] < found["positions_at_most"]


@pytest.mark.parametrize("seed", range(6))
def test_reachable_states_are_those_of_the_oracle(seed: int) -> None:
    level = random_level(seed, width=4, height=4, boxes=2)
    found = state_space.stats(level, Limits())
    by_region = sum(layers(level, "pushes", 60))
    by_cell = sum(layers(level, "moves", 120))
    reached = found["reachable_regions"]
    assert (reached, found["reachable_positions"], found["stopped_by"]) == (by_region, by_cell, None)
    assert reached <= found["regions"] <= found["positions_at_most"]


def test_a_broken_off_count_says_so() -> None:
    found = state_space.count(random_level(2, width=6, height=6, boxes=3), Limits(states=50))
    assert (found.reachable_regions, found.reachable_positions, found.stopped_by) == (None, None, "states")

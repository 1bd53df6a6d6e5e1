"""State counts against the thesis's figures, a formula for corridors, and plain enumeration."""

from math import comb

import pytest

from sokoasp.core.limits import Limits
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.state_space import counts
from tests import native
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


@pytest.mark.parametrize("seed", range(8))
def test_kernels_count_what_plain_python_counts(seed: int) -> None:
    native.needed()
    from sokoasp.sokoban.state_space import packed_counts

    level = random_level(seed, width=4 + seed % 3, height=4, boxes=2 + seed % 2)
    clock = Limits().start()
    plain, _ = counts._reachable(level, None, clock.over)
    packed = packed_counts.reachable_states(level, None, clock)
    assert packed[:3] == (len(plain), sum(plain.values()), None)
    boxes = len(level.boxes)
    assert packed_counts.all_regions(level.floor, boxes, clock) == (counts.all_regions(level.floor, boxes), None)


def test_large_counts_grow_their_tables_and_stop_at_every_limit() -> None:
    native.needed()
    from sokoasp.sokoban.state_space import packed_counts

    level = room(5, 4, 3)
    found = packed_counts.reachable_states(level, None, Limits().start(), room=64)
    assert found[0] > 1_000, "the tables had to grow"
    plain, _ = counts._reachable(level, None, Limits().start().over)
    assert found[:2] == (len(plain), sum(plain.values()))
    assert packed_counts.reachable_states(room(6, 7, 6), 1_000, Limits().start())[2] == "states"
    big = room(6, 7, 6)
    assert packed_counts.reachable_states(big, None, Limits(memory_mb=1).start())[2] == "memory"
    assert packed_counts.all_regions(big.floor, 6, Limits(seconds=0).start()) == (None, "time")


def room(height: int, width: int, boxes: int) -> Level:
    floor = [Cell(r, c) for r in range(height) for c in range(width)]
    inner = [cell for cell in floor if 0 < cell.row < height - 1 and 0 < cell.col < width - 1]
    return Level(frozenset(floor), frozenset(inner[:boxes]), frozenset(floor[:boxes]), floor[-1])


@pytest.mark.slow
def test_the_open_room_of_42_cells_beside_the_thesis() -> None:
    native.needed()
    from sokoasp.sokoban.state_space import packed_counts

    floor = room(6, 7, 6).floor
    assert packed_counts.all_regions(floor, 6, Limits().start()) == (5_876_734, None)
    assert packed_counts.all_regions(corridor(42, 6).floor, 6, Limits().start()) == (31_474_716, None)


def test_a_broken_off_count_says_so() -> None:
    found = counts.count(random_level(2, width=6, height=6, boxes=3), Limits(states=50))
    assert (found.reachable, found.reachable_positions, found.stopped_by) == (None, None, "states")

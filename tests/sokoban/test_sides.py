"""Sides of a box and distances on whole maps against plain flood fills."""

from collections.abc import Iterator

import pytest

from sokoasp.sokoban import grid, rules
from sokoasp.sokoban.grid import assign
from sokoasp.sokoban.level import DIRECTIONS, reachable, spread
from tests.levels import random_level


@pytest.mark.parametrize("seed", range(40))
def test_sides_are_the_components_without_the_box(seed: int) -> None:
    level = random_level(seed, width=3 + seed % 4, height=3 + seed % 3, boxes=1)
    numbers = grid.build(level)
    first, side = grid.push_states(numbers)
    for box in range(numbers.size):
        rest = level.floor - {numbers.cells[box]}
        parts = {frozenset(reachable(cell, rest)) for cell in rest}
        seen = {
            frozenset(numbers.cells[c] for c in range(numbers.size) if side[box][c] == state)
            for state in range(first[box], first[box + 1])
        }
        assert seen == parts and side[box][box] == -1 == side[box][numbers.size]


def _distances(numbers: grid.Grid, goal: int, *, lines: bool) -> dict[int, int]:
    """Search backward, cell by cell."""

    def before(box: int) -> Iterator[int]:
        for back in numbers.step:
            cell = back[box]
            while numbers.size not in (cell, back[cell]):
                yield cell
                if not lines:
                    break
                cell = back[cell]

    return spread([goal], before)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("lines", [False, True])
def test_costs_of_a_player_who_can_be_anywhere(seed: int, lines: bool) -> None:
    numbers = grid.build(random_level(seed, boxes=3))
    plain = [_distances(numbers, goal, lines=lines) for goal in numbers.goals]
    truth = [[table.get(box) for box in numbers.boxes] for table in plain]
    cheapest = assign(truth)
    exact = None if cheapest is None else cheapest.total
    nearest = grid._nearest(numbers, lines=lines)
    assert exact is None if nearest is None else exact is None or nearest <= exact


@pytest.mark.parametrize("seed", range(20))
def test_dead_squares(seed: int) -> None:
    numbers = grid.build(random_level(seed, boxes=2))
    first, _ = grid.push_states(numbers)
    tables = grid.goal_distances(numbers, lines=False)
    alive = {
        b for b in range(numbers.size) for s in range(first[b], first[b + 1]) if any(s in t for t in tables.values())
    }
    assert grid.live_cells(numbers) == alive


@pytest.mark.parametrize("seed", range(20))
def test_the_way_to_the_first_push_is_the_shortest(seed: int) -> None:
    level = random_level(seed, boxes=3)
    passable, beside = level.floor - level.boxes, {box.step(d) for box in level.boxes for d in DIRECTIONS}
    walks = [rules.walk(passable, level.player, cell) for cell in beside & passable]
    assert grid.way_to_first_push(level) == min((len(walk) for walk in walks if walk is not None), default=0)

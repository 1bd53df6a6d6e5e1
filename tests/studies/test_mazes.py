"""The maps on which walks are measured are what they say."""

from __future__ import annotations

import random

import pytest

from sokoasp.sokoban.level import Cell, reachable
from tests.studies.mazes import FAMILIES, ends


@pytest.mark.parametrize("family", ["perfect", "serpentine"])
def test_mazes_have_exactly_one_way_between_any_two_cells(family: str) -> None:
    matrix = FAMILIES[family](12, random.Random(3))
    every = {Cell(row, col) for row in range(matrix.height) for col in range(matrix.width)}
    free = every - set(matrix.obstacles)
    doors = sum(cell.step(d) in free for cell in free for d in _right_and_down())
    assert reachable(Cell(0, 0), free) == free
    assert doors == len(free) - 1, "a tree"


def _right_and_down() -> tuple:  # type: ignore[type-arg]
    from sokoasp.sokoban.level import Direction

    return (Direction.right, Direction.down)


def test_ends_lie_in_one_part() -> None:
    rng = random.Random(1)
    for _ in range(20):
        matrix = FAMILIES["pillars"](7, rng)
        start, target = ends(matrix, rng)
        every = {Cell(row, col) for row in range(7) for col in range(7)}
        assert start != target and target in reachable(start, every - set(matrix.obstacles))

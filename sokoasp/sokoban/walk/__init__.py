"""Walking: where a tap sends the player.

``paper`` is the algorithm of the touch-screen paper (go straight, go along the wall, optimise), ``touch`` the same with a bound
on how much longer than the shortest its path may be, ``shortest`` a breadth-first search beside them. All of them find a path
when there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.walk.matrix import Matrix, of_level
from sokoasp.sokoban.walk.shortest import shortest
from sokoasp.sokoban.walk.touch import paper, touch

__all__ = ["METHODS", "Matrix", "find_path", "lurd", "of_level", "walk"]

METHODS: dict[str, Callable[[Matrix, Cell, Cell], tuple[Cell, ...] | None]] = {
    "touch": touch,
    "paper": paper,
    "shortest": shortest,
}
"""The ways to look for a path, by name."""


def find_path(matrix: Matrix, start: Cell, target: Cell, method: str = "touch") -> tuple[Cell, ...] | None:
    """Find a path of side-by-side open cells, both ends included; None if there is none.

    The start counts as open whatever the matrix says; a target that is blocked or off the matrix has no path to it.

    Raises SokoaspError: the method is not one of ``METHODS``, or the start is off the matrix.

    Source: the touch-walking paper, section 3.2 (``findOptimizedPath``).
    """
    if method not in METHODS:
        raise SokoaspError(f"no walking method {method!r}; there are {', '.join(METHODS)}")
    if not (0 <= start.row < matrix.height and 0 <= start.col < matrix.width):
        raise SokoaspError(f"the walk cannot start at row {start.row}, column {start.col}: that is off the map")
    if not (0 <= target.row < matrix.height and 0 <= target.col < matrix.width) or matrix.blocked(target):
        return (start,) if start == target else None
    return METHODS[method](matrix, start, target)


def walk(level: Level, target: Cell, method: str = "touch") -> str | None:
    """Walk the player of a level to a cell without pushing: small LURD letters, None if the player cannot get there.

    Raises SokoaspError: the method is not one of ``METHODS``.
    """
    path = find_path(of_level(level), level.player, target, method)
    return None if path is None else lurd(path)


def lurd(path: tuple[Cell, ...]) -> str:
    """Write a path as small LURD letters, one a move."""
    letter = {direction.value: direction.letter for direction in DIRECTIONS}
    return "".join(letter[after.row - before.row, after.col - before.col] for before, after in pairwise(path))

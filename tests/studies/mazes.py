"""Maps to measure walking on: open halls with pillars, perfect mazes, and serpentines (the longest way on a map)."""

from __future__ import annotations

import random
from collections.abc import Callable

from sokoasp.sokoban.level import DIRECTIONS, Cell, reachable
from sokoasp.sokoban.walk.matrix import Matrix


def pillars(size: int, rng: random.Random) -> Matrix:
    """Make a square hall in which three cells of ten are blocked."""
    every = [Cell(row, col) for row in range(size) for col in range(size)]
    return Matrix(size, size, frozenset(cell for cell in every if rng.random() < 0.3))


def perfect(size: int, rng: random.Random) -> Matrix:
    """Make a square maze with exactly one way between any two of its open cells (depth-first carving)."""
    size -= 1 - size % 2
    free = {Cell(0, 0)}
    stack = [Cell(0, 0)]
    while stack:
        ways = [d for d in DIRECTIONS if _inside(stack[-1].step(d, 2), size) and stack[-1].step(d, 2) not in free]
        if not ways:
            stack.pop()
            continue
        way = rng.choice(ways)
        free |= {stack[-1].step(way), stack[-1].step(way, 2)}
        stack.append(stack[-1].step(way, 2))
    every = {Cell(row, col) for row in range(size) for col in range(size)}
    return Matrix(size, size, frozenset(every - free))


def serpentine(size: int, _rng: random.Random) -> Matrix:
    """Make a square map with one corridor that runs to and fro over all of it."""
    size -= 1 - size % 2
    walls = {Cell(row, col) for row in range(1, size, 2) for col in range(size)}
    doors = {Cell(row, size - 1 if row % 4 == 1 else 0) for row in range(1, size, 2)}
    return Matrix(size, size, frozenset(walls - doors))


FAMILIES: dict[str, Callable[[int, random.Random], Matrix]] = {
    "pillars": pillars,
    "perfect": perfect,
    "serpentine": serpentine,
}


def ends(matrix: Matrix, rng: random.Random) -> tuple[Cell, Cell]:
    """Pick two different cells of the widest open part at random; on a serpentine-like map they are far apart as a rule."""
    every = {Cell(row, col) for row in range(matrix.height) for col in range(matrix.width)}
    free = every - set(matrix.obstacles)
    parts: list[set[Cell]] = []
    while free:
        part = reachable(min(free), free)
        parts.append(part)
        free -= part
    start, target = rng.sample(sorted(sorted(parts, key=lambda part: -len(part))[0]), 2)
    return start, target


def _inside(cell: Cell, size: int) -> bool:
    return 0 <= cell.row < size and 0 <= cell.col < size

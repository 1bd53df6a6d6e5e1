"""Random maps for the generator."""

from __future__ import annotations

from random import Random

from sokoasp.sokoban.level import Cell, reachable

_STAMPS = ((2, 2), (1, 3), (3, 1), (2, 3), (3, 2), (1, 1))
_MOST_STAMPS = 400


def random_floor(rng: Random, rows: int, cols: int, fill: float) -> frozenset[Cell] | None:
    """Carve a connected floor with small stamps along a random walk.

    Args:
        rng: The source of chance.
        rows: Height of the board, the surrounding walls included.
        cols: Width of the board, the surrounding walls included.
        fill: Share of the inner cells that becomes floor, at least.

    Returns:
        Floor that touches all four sides of the inner rectangle, None if this walk does not.
    """
    at = Cell(rng.randrange(1, rows - 1), rng.randrange(1, cols - 1))
    floor: set[Cell] = set()
    wanted = fill * (rows - 2) * (cols - 2)
    for _ in range(_MOST_STAMPS):
        height, width = rng.choice(_STAMPS)
        floor |= {
            Cell(r, c)
            for r in range(at.row, min(at.row + height, rows - 1))
            for c in range(at.col, min(at.col + width, cols - 1))
        }
        if len(floor) >= wanted:
            break
        at = rng.choice(sorted(floor))
        drow, dcol = rng.choice(((0, 1), (0, -1), (1, 0), (-1, 0)))
        at = Cell(min(max(at.row + drow, 1), rows - 2), min(max(at.col + dcol, 1), cols - 2))
    sides = ({c.row for c in floor}, {c.col for c in floor})
    if not all({1, end} <= side for side, end in zip(sides, (rows - 2, cols - 2), strict=True)):
        return None
    return frozenset(floor) if len(reachable(min(floor), floor)) == len(floor) else None

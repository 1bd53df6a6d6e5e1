"""A family of dead levels of any length: by units in time linear in the length, by plain search in states without end.

What the units paper claims in §5.2 (no table of patterns can follow a corridor's length) and could not show. Two boxes stand in
the ends of a corridor with nothing to hold them there but each other; a hall above it, three cells wide, leads round, and in
it lie ``loose`` more boxes that any solution must bring somewhere. Plain search tries the boxes of the hall in every place.
"""

from __future__ import annotations

from sokoasp.sokoban.level import Cell, Level

LOOSE = (0, 1, 2)


def level(length: int, loose: int) -> Level:
    """Return the level with ``length`` cells between the boxes in the corridor and ``loose`` boxes in the hall."""
    last = 5 + length
    floor = {Cell(row, col) for row in range(3) for col in range(last + 5)} | {Cell(4, c) for c in range(last + 5)}
    floor |= {Cell(row, col) for row in (3, 5, 6) for col in (*range(4), *range(last + 1, last + 5))}
    boxes = {Cell(4, 4), Cell(4, last)} | {Cell(1, 4 + 5 * k) for k in range(loose)}
    goals = {Cell(5, 1), Cell(5, 2)} | {Cell(1, last - 5 * k) for k in range(loose)}
    return Level(frozenset(floor), frozenset(boxes), frozenset(goals), Cell(0, 0))

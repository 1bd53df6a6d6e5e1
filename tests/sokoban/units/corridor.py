"""The corridor family: two rooms joined by a detour along the top and by a one-wide corridor with boxes in its ends."""

from sokoasp.sokoban.level import Cell, Level


def corridor(between: int, *, bay: int = 0, inside: int = 0, left: bool = True, right: bool = True) -> Level:
    """Return the level with ``between`` cells between the two boxes, which stand in the ends of the corridor.

    ``bay``: cells side by side below its middle. ``inside``: goals in its middle, the others being in the left room.
    """
    first, last = 4, 5 + between
    floor = {Cell(0, c) for c in range(last + 5)} | {Cell(2, c) for c in range(last + 5)}
    floor |= {Cell(r, c) for r in range(5) for c in (*range(4), *range(last + 1, last + 5))}
    floor |= {Cell(3, first + (between + 2 - bay) // 2 + k) for k in range(bay)}
    boxes = {Cell(2, first)} if left else set()
    boxes |= {Cell(2, last)} if right else set()
    goals = {Cell(2, first + (between + 2 - inside) // 2 + k) for k in range(inside)}
    goals |= set([Cell(1, 1), Cell(3, 1)][: len(boxes) - inside])
    return Level(frozenset(floor), frozenset(boxes), frozenset(goals), Cell(0, 1))

"""The corridor family: two rooms joined by a detour along the top and by a one-wide corridor with boxes in its ends."""

from sokoasp.sokoban.level import Cell, Level


def corridor(between: int, *, bay: int = 0, inside: int = 0, left: bool = True, right: bool = True) -> Level:
    """Return the level with ``between`` cells between the two boxes.

    Args:
        between: Free cells between the ends of the corridor where the boxes stand.
        bay: Cells of a bay in the middle of the corridor, side by side below it.
        inside: Goals in the middle of the corridor; the other goals are in the left room.
        left: Put a box into the left end.
        right: Put a box into the right end.
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

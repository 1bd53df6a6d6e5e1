"""The plain shortest path, to compare with."""

from __future__ import annotations

from sokoasp.sokoban.level import Cell
from sokoasp.sokoban.walk.matrix import Matrix, reach, way_back


def shortest(matrix: Matrix, start: Cell, target: Cell) -> tuple[Cell, ...] | None:
    """Find a path of the fewest moves by breadth-first search, None if there is no path. O(n) for n cells."""
    area = reach(matrix, start)
    goal, begin = area.number(target), area.number(start)
    came = {begin: 0}
    queue = [begin]
    for here in queue:
        if here == goal:
            break
        for after in (here - 1, here + 1, here - area.stride, here + area.stride):
            if area.open[after] and after not in came:
                came[after] = here
                queue.append(after)
    return area.cells(way_back(came, begin, goal)) if goal in came else None

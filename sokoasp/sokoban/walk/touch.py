"""The touch-screen paper's walk: go straight, go along the wall, optimise; then, which is ours, bound the worst case.

Source: the touch-walking paper, section 2; what is incomplete in it and how that is repaired stands in docs/walk.md. Cells are
numbered as in ``matrix.Reach``; directions are 0 up, 1 right, 2 down, 3 left: adding 1 turns right, taking 1 turns left.
"""

from __future__ import annotations

from dataclasses import dataclass

from sokoasp.sokoban.level import Cell
from sokoasp.sokoban.walk.matrix import Matrix, Reach, reach, way_back

UP, RIGHT, DOWN, LEFT = range(4)
WORST = (5, 4)
"""No walk is longer than 5/4 of the shortest (see ``bound``)."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The path after each of the paper's three steps and after ours; ``found`` says whether it ends on the target."""

    straight: tuple[Cell, ...]
    along_the_wall: tuple[Cell, ...]
    optimised: tuple[Cell, ...]
    bounded: tuple[Cell, ...]
    """At most ``WORST`` times as long as the shortest path; ``optimised`` itself when that is known."""
    found: bool


def touch(matrix: Matrix, start: Cell, target: Cell) -> tuple[Cell, ...] | None:
    """Find a path that looks sensible to a player and is at most ``WORST`` times the shortest, None if there is no path.

    O(n^1.5) time, O(n) space for n cells.
    """
    walk = steps(matrix, start, target)
    return walk.bounded if walk.found else None


def paper(matrix: Matrix, start: Cell, target: Cell) -> tuple[Cell, ...] | None:
    """Find a path by the paper's three steps only, however long it is, None if there is no path."""
    walk = steps(matrix, start, target)
    return walk.optimised if walk.found else None


def steps(matrix: Matrix, start: Cell, target: Cell, *, retreat: bool = True) -> Steps:
    """Run the three steps and keep what each of them made; without ``retreat`` the second one stops where the paper's does."""
    area = reach(matrix, start)
    goal = area.number(target)
    straight, direction = go_straight(area, area.number(start), goal)
    found, walked = True, straight
    if straight[-1] != goal:
        found, walked = go_along_the_wall(area, straight, direction, goal, retreat=retreat)
    optimised = optimise(area, walked) if found else walked
    bounded = bound(area, optimised) if found else optimised
    return Steps(area.cells(straight), area.cells(walked), area.cells(optimised), area.cells(bounded), found)


def go_straight(area: Reach, start: int, target: int) -> tuple[list[int], int]:
    """Go towards the target, up or down first, until it or an obstacle is met.

    Returns the path, and the direction of the last attempt (the one the obstacle lies in).

    Source: section 2.3, step 1 (goStraight).
    """
    move = (-area.stride, 1, area.stride, -1)
    path = [start]
    direction = UP
    while path[-1] != target:
        row, goal_row, across = path[-1] // area.stride, target // area.stride, RIGHT if target > path[-1] else LEFT
        direction = across if row == goal_row else DOWN if goal_row > row else UP
        after = path[-1] + move[direction]
        if not area.open[after]:
            break
        path.append(after)
    return path, direction


def go_along_the_wall(
    area: Reach, path: list[int], direction: int, target: int, *, retreat: bool
) -> tuple[bool, list[int]]:
    """Walk with the wall on the right hand, never twice out of a cell in one direction, until the target is a corner away.

    Where every direction out of a cell is used up or blocked the paper gives up, wrongly when an obstacle stands free of the
    outer wall; here the walk retreats along its path to the last cell with an unused direction (Trémaux's rule) and goes on.

    Returns whether the target was reached, and the path from the start (of the whole walk) on.

    Source: section 2.4, step 2 (goAlongTheWall).
    """
    move = (-area.stride, 1, area.stride, -1)
    used = bytearray(len(area.open))
    """The paper's footprints F, a bit for each direction."""
    path = list(path)
    heading = [direction] * len(path)
    while True:
        here, direction = path[-1], heading[-1]
        corner = area.corner(here, target)
        if corner is not None:
            return True, path + area.lines(here, corner, target)
        for _ in range(4):
            if area.open[here + move[direction]] and not used[here] >> direction & 1:
                used[here] |= 1 << direction
                path.append(here + move[direction])
                heading.append((direction + 1) % 4)
                break
            direction = (direction - 1) % 4
        else:
            if not retreat or len(path) == 1:
                return False, path
            path.pop()
            heading.pop()


def optimise(area: Reach, path: list[int]) -> list[int]:
    """Merge repeated cells, then replace what lies between two cells by one or two straight lines wherever that connects them.

    From each cell of the path, first to last, the last cell it can be connected with by a line or over one corner is taken.
    The result is never longer than the path. O(len(path) · (width + height)).

    Source: section 2.5, step 3 (optimize).
    """
    path = merge_repeats(path)
    last_in_row: dict[int, int] = {}
    last_in_col: dict[int, int] = {}
    for at, number in enumerate(path):
        last_in_row[area.horizontal[number]] = at
        last_in_col[area.vertical[number]] = at
    short = [path[0]]
    at = 0
    while at < len(path) - 1:
        best, corner = _furthest(area, path[at], last_in_row, last_in_col)
        if best <= at + 1:
            best, corner = at + 1, path[at + 1]
        short += area.lines(path[at], corner, path[best])
        at = best
    return merge_repeats(short)


def _furthest(area: Reach, here: int, last_in_row: dict[int, int], last_in_col: dict[int, int]) -> tuple[int, int]:
    """Return the greatest place on the path that is one corner away from a cell, and that corner."""
    best, best_corner = -1, here
    for move, run, last in (
        (1, area.horizontal, last_in_col),
        (-1, area.horizontal, last_in_col),
        (area.stride, area.vertical, last_in_row),
        (-area.stride, area.vertical, last_in_row),
    ):
        across = area.vertical if last is last_in_col else area.horizontal
        corner = here
        while run[corner] == run[here]:
            place = last.get(across[corner], -1)
            if place > best:
                best, best_corner = place, corner
            corner += move
    return best, best_corner


def merge_repeats(path: list[int]) -> list[int]:
    """Cut out every stretch that comes back to a cell, so that no cell stays on the path twice."""
    place: dict[int, int] = {}
    merged: list[int] = []
    for number in path:
        if number in place:
            for gone in merged[place[number] + 1 :]:
                del place[gone]
            del merged[place[number] + 1 :]
        else:
            place[number] = len(merged)
            merged.append(number)
    return merged


def bound(area: Reach, path: list[int], worst: tuple[int, int] = WORST) -> list[int]:
    """Return the path itself if it is at most worst[0] / worst[1] times the shortest, else a shortest one, straightened.

    A breadth-first search from the start looks for a path short enough to break the bound, and no further: to a depth of less
    than worst[1] / worst[0] of the path, and only over cells from which the target can still be in time as the crow flies. A
    path that the rows and columns between its ends show to be within the bound costs nothing. O(n) time and space; this pass
    is not the paper's.
    """
    start, target = path[0], path[-1]
    most = (worst[1] * (len(path) - 1) - 1) // worst[0]
    if most < _crow(area, start, target):
        return path
    came = {start: 0}
    ring = [start]
    for depth in range(1, most + 1):
        after_ring: list[int] = []
        for here in ring:
            for move in (-area.stride, 1, area.stride, -1):
                after = here + move
                if area.open[after] and after not in came and depth + _crow(area, after, target) <= most:
                    came[after] = here
                    if after == target:
                        return optimise(area, way_back(came, start, target))
                    after_ring.append(after)
        ring = after_ring
    return path


def _crow(area: Reach, here: int, there: int) -> int:
    """Return the rows and columns between two cells: no path is shorter."""
    row, col = divmod(here, area.stride)
    other_row, other_col = divmod(there, area.stride)
    return abs(row - other_row) + abs(col - other_col)

"""The playing area as small integers, for everything that counts cells by the million.

Cells are numbered 0..n-1 in reading order; ``n`` itself stands for every wall, so that ``step`` never needs a bounds check.
Directions are numbered as in ``DIRECTIONS`` (left, right, up, down); ``OPPOSITE[d]`` leads back.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from sokoasp.sokoban.level import DIRECTIONS, Cell, Level

PLAYER_AWARE = 600
"""Largest map, in floor cells, on which the player's side of a box is told apart: that takes cells squared in time and memory."""
OPPOSITE: tuple[int, ...] = tuple(DIRECTIONS.index(d.opposite) for d in DIRECTIONS)


@dataclass(frozen=True, slots=True)
class Grid:
    """The integer view of one level."""

    cells: tuple[Cell, ...]
    """Cell of each number, in reading order."""
    index: dict[Cell, int]
    step: tuple[tuple[int, ...], ...]
    """``step[d][c]``: number of the neighbour in direction d, n for a wall; ``step[d][n]`` is n."""
    boxes: tuple[int, ...]
    goals: tuple[int, ...]
    player: int

    @property
    def size(self) -> int:
        """Return n, the number of floor cells and the number of the wall sentinel."""
        return len(self.cells)


def build(level: Level) -> Grid:
    """Number the floor of a level."""
    cells = tuple(sorted(level.floor))
    index = {cell: number for number, cell in enumerate(cells)}
    wall = len(cells)
    step = tuple((*(index.get(cell.step(d), wall) for cell in cells), wall) for d in DIRECTIONS)
    return Grid(
        cells=cells,
        index=index,
        step=step,
        boxes=tuple(index[c] for c in sorted(level.boxes)),
        goals=tuple(index[c] for c in sorted(level.goals)),
        player=index[level.player],
    )


def push_states(grid: Grid) -> tuple[list[int], list[list[int]]]:
    """Number the single-box states (box cell, component of the player's floor around it).

    Returns:
        ``first[b]``, number of the first state with the box on cell b (n+1 entries), and ``side[b][c]``, the state number for
        the box on b and the player on c (-1 where c is b).
    """
    first = [0]
    side: list[list[int]] = []
    for box in range(grid.size):
        row, number = _components(grid, box, first[-1])
        side.append(row)
        first.append(number)
    return first, side


def _components(grid: Grid, box: int, number: int) -> tuple[list[int], int]:
    """Label the floor without ``box``, counting on from ``number``."""
    label = [-1] * (grid.size + 1)
    label[box] = label[grid.size] = -2
    for start in range(grid.size):
        if label[start] != -1:
            continue
        label[start] = number
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for to_of in grid.step:
                to = to_of[cell]
                if label[to] == -1:
                    label[to] = number
                    queue.append(to)
        number += 1
    label[box] = label[grid.size] = -1
    return label, number


def goal_distances(grid: Grid, *, lines: bool) -> list[dict[int, int]]:
    """Compute for every goal the fewest pushes (or line pushes) that bring a lone box there.

    Returns:
        One table per goal, in the order of ``grid.goals``: single-box state (see ``push_states``) → distance; states from
        which the goal cannot be reached are absent.
    """
    first, side = push_states(grid)
    return [_distances_to(grid, goal, first, side, lines=lines) for goal in grid.goals]


def _distances_to(grid: Grid, goal: int, first: list[int], side: list[list[int]], *, lines: bool) -> dict[int, int]:
    wall = grid.size
    box_of = [box for box in range(grid.size) for _ in range(first[box], first[box + 1])]
    distance = dict.fromkeys(range(first[goal], first[goal + 1]), 0)
    queue = deque(distance)
    while queue:
        state = queue.popleft()
        box = box_of[state]
        for d in range(4):
            back = grid.step[OPPOSITE[d]]
            behind = back[box]
            # the push that ended here left the player on `behind`, so that cell must be in this state's region
            if behind == wall or side[box][behind] != state:
                continue
            before = behind
            while back[before] != wall:
                earlier = side[before][back[before]]
                if earlier not in distance:
                    distance[earlier] = distance[state] + 1
                    queue.append(earlier)
                if not lines:
                    break
                before = back[before]
    return distance


def matching_bound(grid: Grid, *, lines: bool) -> int | None:
    """Return a lower bound on the pushes (or line pushes): the cheapest assignment of boxes to goals, each box alone.

    On maps of more than ``PLAYER_AWARE`` cells the player is taken to be wherever he is wanted, which is weaker and sound.

    Returns:
        The bound, or None if no assignment exists, which proves the level unsolvable.
    """
    if grid.size > PLAYER_AWARE:
        cost = [[table.get(box) for box in grid.boxes] for table in relaxed_distances(grid, lines=lines)]
    else:
        tables = goal_distances(grid, lines=lines)
        _first, side = push_states(grid)
        cost = [[table.get(side[box][grid.player]) for box in grid.boxes] for table in tables]
    return assignment(cost)


def relaxed_distances(grid: Grid, *, lines: bool) -> list[dict[int, int]]:
    """Compute for every goal the fewest pushes (or line pushes) of a lone box with a player who can be anywhere.

    Returns:
        One table per goal, in the order of ``grid.goals``: box cell → distance; cells the goal cannot be reached from are absent.
    """
    return [_relaxed_to(grid, goal, lines=lines) for goal in grid.goals]


def _relaxed_to(grid: Grid, goal: int, *, lines: bool) -> dict[int, int]:
    wall = grid.size
    distance = {goal: 0}
    queue = deque([goal])
    while queue:
        box = queue.popleft()
        for back in grid.step:
            before = back[box]
            while before != wall and back[before] != wall:
                if before not in distance:
                    distance[before] = distance[box] + 1
                    queue.append(before)
                if not lines:
                    break
                before = back[before]
    return distance


def live_cells(grid: Grid) -> set[int]:
    """Return the cells from which a lone box can be brought to some goal; the others are dead squares."""
    if grid.size > PLAYER_AWARE:
        return {box for table in relaxed_distances(grid, lines=False) for box in table}
    tables = goal_distances(grid, lines=False)
    first, _side = push_states(grid)
    return {b for b in range(grid.size) for s in range(first[b], first[b + 1]) if any(s in table for table in tables)}


def assignment(cost: list[list[int | None]]) -> int | None:
    """Return the least total when every row takes a column of its own (rows <= columns); None entries are forbidden.

    Shortest augmenting paths with potentials (Jonker-Volgenant style), O(rows² · columns).
    """
    rows, columns = len(cost), len(cost[0]) if cost else 0
    if rows > columns:
        return None
    big = 1 + sum(max((c for c in row if c is not None), default=0) for row in cost)
    limit = big * (rows + 1)
    u = [0] * (rows + 1)
    v = [0] * (columns + 1)
    row_of = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        least = [limit * 4] * (columns + 1)
        way = [0] * (columns + 1)
        used = [False] * (columns + 1)
        at = 0
        while row_of[at]:
            used[at] = True
            here, delta, after = row_of[at], limit * 8, 0
            for column in range(1, columns + 1):
                if used[column]:
                    continue
                entry = cost[here - 1][column - 1]
                reduced = (limit if entry is None else entry) - u[here] - v[column]
                if reduced < least[column]:
                    least[column], way[column] = reduced, at
                if least[column] < delta:
                    delta, after = least[column], column
            for column in range(columns + 1):
                if used[column]:
                    u[row_of[column]] += delta
                    v[column] -= delta
                else:
                    least[column] -= delta
            at = after
        while at:
            row_of[at] = row_of[way[at]]
            at = way[at]
    total = 0
    for column in range(1, columns + 1):
        if row_of[column]:
            entry = cost[row_of[column] - 1][column - 1]
            if entry is None:
                return None
            total += entry
    return total

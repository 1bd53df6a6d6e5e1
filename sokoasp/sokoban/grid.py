"""The playing area as small integers, for everything that counts cells by the million.

Cells are numbered 0..n-1 in reading order; ``n`` itself stands for every wall, so that ``step`` never needs a bounds check.
Directions are numbered as in ``DIRECTIONS`` (left, right, up, down); ``OPPOSITE[d]`` leads back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import NamedTuple

from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, beside, spread

PLAYER_AWARE = 600
"""Largest map, in floor cells, on which a second opinion is asked of the native search, whose tables take cells squared."""
MATCHED, MATCHED_WORK = 120, 60_000
"""Most boxes, and most cells times goals, for which boxes are matched with goals."""
OPPOSITE: tuple[int, ...] = tuple(DIRECTIONS.index(d.opposite) for d in DIRECTIONS)


@dataclass(slots=True, eq=False, repr=False)
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


@lru_cache(maxsize=2)
def of_floor(floor: frozenset[Cell]) -> Grid:
    """Number a floor on which nothing stands (kept: segments of a plan are levels on the same one)."""
    cells = tuple(sorted(floor))
    index = {cell: number for number, cell in enumerate(cells)}
    wall = len(cells)
    step = tuple((*(index.get(cell.step(d), wall) for cell in cells), wall) for d in DIRECTIONS)
    return Grid(cells, index, step, (), (), wall)


def build(level: Level) -> Grid:
    """Number the floor of a level."""
    grid = of_floor(level.floor)
    boxes, goals = (tuple(grid.index[c] for c in sorted(some)) for some in (level.boxes, level.goals))
    return replace(grid, boxes=boxes, goals=goals, player=grid.index[level.player])


class Side:
    """The player's sides of a box on one cell: ``side[c]`` numbers the single-box state with the player on cell c.

    Only a cell whose loss cuts the floor in two has more than one side. Each part cut off is an interval of the order in which
    a depth-first walk enters the cells, so that a map takes memory for its cells, not for its pairs of cells.
    """

    __slots__ = ("box", "cuts", "entered", "rest", "wall")

    def __init__(
        self, box: int, rest: int, cuts: tuple[tuple[int, int, int], ...], entered: list[int], wall: int
    ) -> None:
        self.box, self.rest, self.cuts, self.entered, self.wall = box, rest, cuts, entered, wall

    def __getitem__(self, cell: int) -> int:
        if cell == self.box or cell == self.wall:
            return -1
        if self.cuts:
            at = self.entered[cell]
            for low, high, state in self.cuts:
                if low <= at <= high:
                    return state
        return self.rest

    def states(self) -> list[int]:
        """Return the states with the box here, one a side."""
        return [self.rest, *(state for _, _, state in self.cuts)] if self.rest >= 0 else [s for _, _, s in self.cuts]


def push_states(grid: Grid) -> tuple[list[int], list[Side]]:
    """Number the single-box states (box cell, component of the player's floor around it).

    Returns:
        ``first[b]``, number of the first state with the box on cell b (n+1 entries), and ``side[b][c]``, the state number for
        the box on b and the player on c (-1 where c is b or a wall).

    Source: Hopcroft and Tarjan's articulation points, by one depth-first walk.
    """
    entered, parts = _cut_off(grid)
    first = [0]
    side: list[Side] = []
    for box in range(grid.size):
        number = first[-1]
        inside = sum(high - low + 1 for low, high in parts[box])
        rest = -1
        if inside < grid.size - 1:
            rest, number = number, number + 1
        cuts = tuple((low, high, number + place) for place, (low, high) in enumerate(parts[box]))
        side.append(Side(box, rest, cuts, entered, grid.size))
        first.append(number + len(cuts))
    return first, side


def _cut_off(grid: Grid) -> tuple[list[int], list[list[tuple[int, int]]]]:
    """Walk the floor depth first; return when each cell is entered, and for each the intervals that its loss cuts off."""
    wall, steps = grid.size, grid.step
    entered, low = [-1] * wall, [0] * wall
    parts: list[list[tuple[int, int]]] = [[] for _ in range(wall)]
    clock = 0
    for root in range(wall):
        if entered[root] >= 0:
            continue
        entered[root] = low[root] = clock
        clock += 1
        stack = [(root, -1, 0)]
        while stack:
            cell, parent, d = stack.pop()
            if d < 4:
                stack.append((cell, parent, d + 1))
                to = steps[d][cell]
                if to in (wall, parent):
                    continue
                if entered[to] >= 0:
                    low[cell] = min(low[cell], entered[to])
                else:
                    entered[to] = low[to] = clock
                    clock += 1
                    stack.append((to, cell, 0))
            elif parent >= 0:
                low[parent] = min(low[parent], low[cell])
                if low[cell] >= entered[parent]:
                    parts[parent].append((entered[cell], clock - 1))
    return entered, parts


def goal_distances(grid: Grid, *, lines: bool) -> dict[int, dict[int, int]]:
    """Compute for every goal the fewest pushes (or line pushes) that bring a lone box there.

    Returns:
        By goal, in the order of ``grid.goals``: single-box state (see ``push_states``) → distance; states from which the goal
        cannot be reached are absent.
    """
    first, side = push_states(grid)
    return {goal: _distances_to(grid, (goal,), first, side, lines=lines) for goal in grid.goals}


def _distances_to(
    grid: Grid, goals: Sequence[int], first: list[int], side: list[Side], *, lines: bool
) -> dict[int, int]:
    wall = grid.size
    box_of = [box for box in range(grid.size) for _ in range(first[box], first[box + 1])]

    def before(state: int) -> Iterator[int]:
        box = box_of[state]
        for back in grid.step:
            behind = back[box]
            # the push that ended here left the player on `behind`, so that cell must be in this state's region
            if behind == wall or side[box][behind] != state:
                continue
            while (stand := back[behind]) != wall:
                yield side[behind][stand]
                if not lines:
                    break
                behind = stand

    return spread((state for goal in goals for state in range(first[goal], first[goal + 1])), before)


class Assigned(NamedTuple):
    """A cheapest assignment, with the potentials that prove it so (Jonker and Volgenant 1987)."""

    total: int
    columns: tuple[int, ...]
    """The column of each row."""
    potentials: tuple[int, ...]
    """Of each column, never positive: with those of the rows they add up to the total, and to no more than any one cost."""


def assign(cost: Sequence[Sequence[int | None]]) -> Assigned | None:
    """Give every row a column of its own at the least total cost; None if there is no such assignment.

    ``primitives.assign`` is the compiled twin, which is tested against this one.

    Args:
        cost: (rows, columns); None entries are forbidden.
    """
    rows, columns = len(cost), len(cost[0]) if cost else 0
    if rows > columns:
        return None
    price, far = filled(cost)
    u, v, row_of = [0] * (rows + 1), [0] * (columns + 1), [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        _augment(price, far, u, v, row_of)
    column_of = {row_of[column]: column for column in range(1, columns + 1) if row_of[column]}
    chosen = tuple(column_of[row] - 1 for row in range(1, rows + 1))
    total = 0
    for entries, column in zip(cost, chosen, strict=True):
        entry = entries[column]
        if entry is None:
            return None
        total += entry
    return Assigned(total, chosen, tuple(v[1:]))


def filled(cost: Sequence[Sequence[int | None]]) -> tuple[list[list[int]], int]:
    """Return the costs with a number in place of None that is more than any assignment costs, and that number."""
    far = (1 + sum(max((c for c in row if c is not None), default=0) for row in cost)) * (len(cost) + 1)
    return [[far if c is None else c for c in row] for row in cost], far


def _augment(price: list[list[int]], far: int, u: list[int], v: list[int], row_of: list[int]) -> None:
    """Assign the row in ``row_of[0]`` along a shortest path; rows and columns count from 1."""
    columns = len(v) - 1
    least, way, used = [far * 4] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
    at = 0
    while row_of[at]:
        used[at] = True
        here, delta, after = row_of[at], far * 8, 0
        row, mine = price[here - 1], u[here]
        for column in range(1, columns + 1):
            if used[column]:
                continue
            reduced = row[column - 1] - mine - v[column]
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


UNASSIGNABLE = "the boxes cannot be assigned to the goals even if each were alone on the map"
"""The reason where there is no matching bound: a box that reaches no goal, or goals that too few boxes reach."""


def matching_bound(grid: Grid, *, lines: bool) -> int | None:
    """Return a lower bound on the pushes (or line pushes): the cheapest assignment of boxes to goals, each box alone.

    With more than ``MATCHED`` boxes or ``MATCHED_WORK`` cells times goals, each box and goal is looked at alone and the player
    stands wherever it is wanted: weaker, and sound.

    Returns the bound, or None if no assignment exists, which proves the level unsolvable.
    """
    if len(grid.boxes) > MATCHED or grid.size * len(grid.goals) > MATCHED_WORK:
        return _nearest(grid, lines=lines)
    found = assign(start_costs(grid, lines=lines))
    return None if found is None else found.total


def start_costs(grid: Grid, *, lines: bool) -> list[list[int | None]]:
    """Compute for every goal and box the fewest pushes (or line pushes) from the start, each box alone on the map.

    Returns one row per goal, in the order of ``grid.goals``: an entry a box, None where there is no way.
    """
    first, side = push_states(grid)
    sources = [side[box][grid.player] for box in grid.boxes]
    tables = (_distances_to(grid, (goal,), first, side, lines=lines) for goal in grid.goals)
    return [[table.get(source) for source in sources] for table in tables]


def _nearest(grid: Grid, *, lines: bool) -> int | None:
    """Return a bound below the cheapest assignment: what each goal needs at least, and each box if there is a goal for each.

    Of a way in lines it is only known whether there is one: following each line to its end takes too long on large maps.
    """
    reached = spread(grid.boxes, partial(_pushed, grid))
    needs = [[reached.get(goal) for goal in grid.goals]]
    if len(grid.boxes) == len(grid.goals):
        reached = spread(grid.goals, lambda box: (back[box] for back in grid.step if back[back[box]] != grid.size))
        needs.append([reached.get(box) for box in grid.boxes])
    if any(None in need for need in needs):
        return None
    return max(sum(min(entry, 1) if lines else entry for entry in need if entry is not None) for need in needs)


def _pushed(grid: Grid, box: int) -> Iterator[int]:
    """Yield the cells that a lone box is pushed to, the player standing anywhere."""
    for d, ahead in enumerate(grid.step):
        if grid.size not in (ahead[box], grid.step[OPPOSITE[d]][box]):
            yield ahead[box]


def live_cells(grid: Grid) -> set[int]:
    """Return the cells from which a lone box can be brought to some goal; the others are dead squares."""
    first, side = push_states(grid)
    states = _distances_to(grid, grid.goals, first, side, lines=False)
    return {b for b in range(grid.size) if any(s in states for s in range(first[b], first[b + 1]))}


def least(level: Level, objective: str) -> int:
    """Bound the plan length from below without tables: goals still empty, or the straight ways of the boxes to them."""
    empty = len(level.goals - level.boxes)
    if objective == "lines" or len(level.boxes) != len(level.goals):
        return empty
    return sum(min(box.manhattan(goal) for goal in level.goals) for box in level.boxes)


def way_to_first_push(level: Level) -> int:
    """Return a lower bound on the moves before the first push: the shortest walk to a cell beside a box."""
    steps = spread([level.player], beside, level.floor - level.boxes)
    return min((steps[cell] for box in level.boxes for cell in beside(box) if cell in steps), default=0)

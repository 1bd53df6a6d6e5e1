"""The tables a search works on: cells renumbered, neighbours, the player's sides of a box, single-box distances.

Cells on which a box can be part of a solution ("live": reachable by some box of the start alone on the board, and some goal
reachable from it) are numbered first, 0..live-1, then the other floor cells, then one wall sentinel ``n``. A box on any other
cell is a dead box, so box sets are bit sets over the live cells only.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

import numpy as np

from sokoasp.core.guard import need
from sokoasp.core.kernels.arrays import I4, U1
from sokoasp.sokoban import grid as grids
from sokoasp.sokoban.level import Cell, Level, reachable, spread

Edges = list[list[int]]
"""By number, the numbers that lead on from it."""
INFINITE = 1 << 28
"""Cost of the impossible; four of them stay inside 31 bits."""
MOST_CELLS = 1 << 16
"""Floor cells whose numbers fit into the 16 bits that a packed state has for the player."""

MOST_MB = 2_000
"""Largest table of sides: a map with more (some 22,000 live cells) has states of kilobytes each, too many for any search here."""


@dataclass(frozen=True, slots=True)
class PushBoard:
    """The level in new numbers, the same for both search directions and all objectives."""

    cells: tuple[Cell, ...]
    live: int
    neighbour: I4
    """(n+1, 4): cell beside a cell in each of ``DIRECTIONS``, n for a wall."""
    side: I4
    """(live, n+1): number of the single-box state (box cell, component of the player's floor), -1 on the box and for walls."""
    states: int
    """Number of single-box states with the box on a live cell."""
    boxes: tuple[int, ...]
    goals: tuple[int, ...]
    player: int
    reach: int
    """Smallest number among the cells the player reaches at the start."""
    dead_start: bool
    """A box reaches no goal though it were alone on the map, or a goal is out of reach of every box."""

    @property
    def size(self) -> int:
        """Return n, the number of floor cells."""
        return len(self.cells)

    @property
    def spare(self) -> int:
        """Return how many boxes the level has beyond its goals."""
        return len(self.boxes) - len(self.goals)

    def no_boxes(self) -> U1:
        """Return (n+1): 1 on the wall alone."""
        flags = np.zeros(self.size + 1, np.uint8)
        flags[-1] = 1
        return flags


@lru_cache(maxsize=2)
def _alone(floor: frozenset[Cell]) -> tuple[grids.Grid, list[int], list[grids.Side], Edges, Edges]:
    """Tabulate single-box states and their pushes and line pushes (kept for the other direction, and segments of a plan)."""
    grid = grids.of_floor(floor)
    first, side = grids.push_states(grid)
    return grid, first, side, *edges(grid, first, side)


def build(level: Level) -> PushBoard:
    """Number the cells, tabulate the player's sides. Raises LimitReached: more than ``MOST_CELLS`` or ``MOST_MB``."""
    if len(level.floor) > MOST_CELLS:
        need(inf, most=MOST_MB)
    grid = grids.build(level)
    _, first, side, onward, _lines = _alone(level.floor)
    sources = [side[box][grid.player] for box in grid.boxes]
    ahead = spread(sources, onward.__getitem__)
    if len(grid.boxes) == len(grid.goals):
        backward = reverse_edges(onward)
        ends = (s for goal in grid.goals for s in range(first[goal], first[goal + 1]))
        ahead = spread(ends, backward.__getitem__, ahead)
    useful = [any(s in ahead for s in range(first[c], first[c + 1])) for c in range(grid.size)]
    order = sorted(range(grid.size), key=lambda c: (not useful[c], c))
    number = [0] * (grid.size + 1)
    for new, old in enumerate(order):
        number[old] = new
    number[grid.size] = grid.size
    live = sum(useful)
    return _renumbered(level, grid, first, side, order, number, live)


def _renumbered(
    level: Level,
    grid: grids.Grid,
    first: list[int],
    side: list[grids.Side],
    order: list[int],
    number: list[int],
    live: int,
) -> PushBoard:
    n = grid.size
    numbers, neighbour = np.array(number, dtype=np.int32), np.empty((n + 1, 4), dtype=np.int32)
    neighbour[numbers] = numbers[np.array(grid.step).T]
    need(4e-6 * max(live, 1) * (n + 1), most=MOST_MB)
    # filled row by row, so that a limit may strike on the way: the pages of a large table take seconds
    table = np.empty((max(live, 1), n + 1), dtype=np.int32)
    by_entry = np.empty(n, dtype=np.int64)
    by_entry[[side[0].entered[cell] for cell in range(n)]] = number[:n]
    states = 0
    for new in range(live):
        old = order[new]
        shift = states - first[old]
        table[new] = side[old].rest + shift
        for low, high, state in side[old].cuts:
            table[new, by_entry[low : high + 1]] = state + shift
        table[new, [new, n]] = -1
        states += first[old + 1] - first[old]
    area = reachable(level.player, level.floor - level.boxes)
    boxes = tuple(sorted(number[b] for b in grid.boxes))
    goals = tuple(sorted(number[g] for g in grid.goals))
    return PushBoard(
        cells=tuple(grid.cells[old] for old in order),
        live=live,
        neighbour=neighbour,
        side=table,
        states=states,
        boxes=boxes,
        goals=goals,
        player=number[grid.player],
        reach=min(number[grid.index[cell]] for cell in area),
        dead_start=any(c >= live for c in (*boxes, *goals)),
    )


def edges(grid: grids.Grid, first: list[int], side: list[grids.Side]) -> tuple[Edges, Edges]:
    """List for every single-box state the states one push and one line push later."""
    pushes: Edges = [[] for _ in range(first[-1])]
    lines: Edges = [[] for _ in range(first[-1])]
    for box in range(grid.size):
        for d in range(4):
            step, stand = grid.step[d], grid.step[grids.OPPOSITE[d]][box]
            if stand == grid.size or step[box] == grid.size:
                continue
            state, at, to = side[box][stand], box, step[box]
            pushes[state].append(side[to][at])
            while to != grid.size:
                lines[state].append(side[to][at])
                at, to = to, step[to]
    return pushes, lines


def reverse_edges(onward: Edges) -> Edges:
    """Turn all edges around."""
    back: Edges = [[] for _ in onward]
    for state, after in enumerate(onward):
        for other in after:
            back[other].append(state)
    return back


def breadth_first(onward: Edges, sources: list[int]) -> list[int]:
    """Return the distance of every single-box state from the sources, INFINITE where there is no way."""
    distance = [INFINITE] * len(onward)
    for source in sources:
        distance[source] = 0
    queue = deque(sources)
    while queue:
        state = queue.popleft()
        for other in onward[state]:
            if distance[other] == INFINITE:
                distance[other] = distance[state] + 1
                queue.append(other)
    return distance


def numbered(board: PushBoard, inside: set[int]) -> I4:
    """Number the connected parts of a set of cells from 1, by their least cells; 0 elsewhere."""
    part, count = [0] * (board.size + 1), 0
    for c in sorted(inside):
        if part[c] == 0:
            count += 1
            stack, part[c] = [c], count
            while stack:
                for to in board.neighbour[stack.pop()].tolist():
                    if to in inside and part[to] == 0:
                        part[to] = count
                        stack.append(to)
    return np.array(part, dtype=np.int32)


def least_cells(part: I4) -> list[int]:
    """Return the least cell of each part that ``numbered`` found."""
    cells: list[int] = np.unique(part, return_index=True)[1][1:].tolist()
    return cells


def begun_at(board: PushBoard, boxes: tuple[int, ...], player: int) -> PushBoard:
    """Return the board with a state that is reached from its start as its start: the numbers stay."""
    part = numbered(board, set(range(board.size)) - set(boxes))
    return replace(board, boxes=boxes, player=player, reach=least_cells(part)[part[player] - 1])


def distances(level: Level, board: PushBoard, *, lines: bool, reverse: bool) -> I4:
    """Tabulate what a lone box still has to travel.

    Args:
        level: The level the board was built from.
        board: Its tables.
        lines: Count line pushes (pulls) instead of single ones.
        reverse: Pulls from a state back to each start box with the player on its start side, instead of pushes to each goal.

    Returns (states, boxes): INFINITE where there is no way; columns of spare boxes (more boxes than goals) are 0.

    Raises LimitReached: the table is too large, or sums of its entries could be taken for INFINITE.
    """
    grid, first, side, pushes, by_line = _alone(level.floor)
    onward = by_line if lines else pushes
    if not reverse:
        onward = reverse_edges(onward)
    need(4e-6 * max(board.states, 1) * len(board.boxes))
    table = np.zeros((max(board.states, 1), len(board.boxes)), dtype=np.int32)
    # the live cells in the grid's numbers, with the first single-box state of each in the board's
    base_of, base = [], 0
    for cell in board.cells[: board.live]:
        box = grid.index[cell]
        base_of.append((box, base))
        base += first[box + 1] - first[box]
    for column, target in enumerate(board.boxes if reverse else board.goals):
        old = grid.index[board.cells[target]]
        sources = (
            [side[old][grid.index[board.cells[board.player]]]] if reverse else list(range(first[old], first[old + 1]))
        )
        found = breadth_first(onward, sources)
        for box, base in base_of:
            table[base : base + first[box + 1] - first[box], column] = found[first[box] : first[box + 1]]
    if int(table.max(initial=0, where=table < INFINITE)) * len(board.boxes) >= INFINITE >> 2:
        need(inf, most=MOST_MB)
    return table


def two_sided(level: Level, objective: str) -> bool:
    """Return whether the reverse search takes this level and objective."""
    return objective != "moves" and len(level.boxes) == len(level.goals)

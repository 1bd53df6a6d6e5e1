"""A bound on moves that counts the player's ways back: a potential of the player's cell, chosen by linear programming.

The linear program is that of the state equation heuristic (van den Briel, Benton, Kambhampati and Vossen 2007), and its dual a
potential heuristic (Pommerening, Helmert, Röger and Seipp 2015). Only the player's part of the dual is taken, rounded: with it
each push has an exact cost, and boxes are matched to goals by these.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoasp.core import dual_simplex
from sokoasp.core.assignment import assign
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.records import Potential

if TYPE_CHECKING:
    import numpy.typing as npt

UNIT = 2
"""Units of a move: potentials are often halves."""
FAR, NO_WAY = 1 << 40, 1 << 20
"""Cost of the impossible, and in sums of 32 bits: no plan is as long."""
MOST_ROWS, PIVOTS = 1_000, 4_000
"""Larger linear programs are left alone; they take a second."""
DIRECTIONS = 4

Edges = tuple["npt.NDArray[np.int64]", "npt.NDArray[np.int64]", "npt.NDArray[np.int64]", "npt.NDArray[np.int64]"]


@dataclass(frozen=True, slots=True)
class PlayerPotential:
    """A potential of the player's cell, and what follows for boxes; all numbers are units of a move."""

    board: PushBoard
    potential: npt.NDArray[np.int64]
    """(cells): neighbours differ by ``UNIT`` at most."""

    @property
    def ways(self) -> npt.NDArray[np.int64]:
        """Return (single-box states, goals) what a lone box's pushes cost to each goal."""
        board = self.board
        table = np.full((board.states, len(board.goals)), FAR, np.int64)
        for column, cell in enumerate(board.goals):
            table[[side for side in board.side[cell] if side >= 0], column] = 0
        edges = [(a, b, self._costs(x, c)) for a, b, x, c in pushes(board)]
        before = -1
        # each sweep follows one more push in each direction
        while (total := int(table.sum())) != before:
            before = total
            for a, b, costs in edges:
                table[a] = np.minimum(table[a], np.minimum(table[b] + costs[:, None], FAR))
        return table

    def _costs(self, stand: npt.NDArray[np.int64], box: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return what pushes cost: the player goes from where it stands to where the box was."""
        return UNIT - self.potential[stand] + self.potential[box]

    @property
    def end(self) -> int:
        """Return the largest potential of a cell on which the player may stand after the last push."""
        return int(max(self.potential[cell] for cell in last_cells(self.board)))


def pushes(board: PushBoard) -> list[Edges]:
    """Return, for each direction, all pushes of a lone box: its states before and after, the player's cell, the box's.

    No state is twice among those before, or among those after.
    """
    found, near, n = [], board.neighbour, board.size
    for d in range(DIRECTIONS):
        box = np.arange(board.live)
        stand, to = near[box, d ^ 1], near[box, d]
        box = box[(stand < n) & (to < board.live)]
        stand, to = near[box, d ^ 1].astype(np.int64), near[box, d]
        found.append((board.side[box, stand].astype(np.int64), board.side[to, box].astype(np.int64), stand, box))
    return found


def last_cells(board: PushBoard) -> set[int]:
    """Return where the player may stand after the last push: beside a goal, with room behind."""
    near, n = board.neighbour, board.size
    beside = ((int(near[goal, d]), int(near[near[goal, d], d])) for goal in board.goals for d in range(DIRECTIONS))
    return {cell for cell, behind in beside if cell < board.live and behind < n}


def find(board: PushBoard) -> PlayerPotential | None:
    """Return the potential that bounds the start best; None where there are spare boxes, no plan, or too many rows."""
    if board.spare or not last_cells(board) or board.size + board.states > MOST_ROWS:
        return None
    costs, table, wanted = _program(board)
    found = dual_simplex.duals(costs, table, wanted, PIVOTS)
    return None if found is None else PlayerPotential(board, rounded(board, -UNIT * found[: board.size]))


def rounded(board: PushBoard, values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return whole numbers near the given ones, from 0 on, no two of neighbours more than a move apart."""
    potential: npt.NDArray[np.int64] = np.rint(values - values.min()).astype(np.int64)
    near = board.neighbour[: board.size]
    while True:
        least: npt.NDArray[np.int64] = np.append(potential, FAR)[near].min(axis=1) + UNIT
        if (potential <= least).all():
            return potential
        potential = np.minimum(potential, least)


def _program(
    board: PushBoard,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the state equation: how often each walk, each push and each end is used, counted by cells and states of boxes.

    Rows are the player's cells, the states of a lone box, the goals, and the player's end.
    """
    n, near, goals = board.size, board.neighbour, board.goals
    states, ends = n + board.states, n + board.states + len(board.goals)
    columns: list[tuple[float, Iterable[tuple[int, int]]]] = []
    for cell in range(n):
        columns += [(1.0, ((cell, -1), (to, 1))) for to in near[cell].tolist() if to < n]
    for before, after, stand, box in pushes(board):
        for a, b, x, c in zip(before.tolist(), after.tolist(), stand.tolist(), box.tolist(), strict=True):
            columns.append((1.0, ((x, -1), (c, 1), (n + a, -1), (n + b, 1))))
    for number, goal in enumerate(goals):
        columns += [(0.0, ((n + s, -1), (states + number, 1))) for s in set(board.side[goal].tolist()) if s >= 0]
    columns += [(0.0, ((cell, -1), (ends, 1))) for cell in last_cells(board)]
    table, wanted = np.zeros((ends + 1, len(columns))), np.zeros(ends + 1)
    for column, (_, entries) in enumerate(columns):
        for row, value in entries:
            table[row, column] += value
    wanted[board.player] -= 1
    for cell in board.boxes:
        wanted[n + board.side[cell, board.player]] -= 1
    wanted[states:] = 1
    return np.array([cost for cost, _ in columns]), table, wanted


class Prices(NamedTuple):
    """A potential in the form the kernels have it (``records.Bound``)."""

    boxes: npt.NDArray[np.int32]
    """(single-box states): what a box costs, the dual potential of its goal included."""
    player: npt.NDArray[np.int32]
    """(cells and the wall)."""
    owed: int
    """What is to be taken off the sum."""
    start: int
    """The bound of the start in moves."""
    unit: int
    """Units of a move, 0 without a potential."""

    @property
    def arrays(self) -> Potential:
        """Return what a bound reads."""
        return Potential(self.boxes, self.player)


NONE = Prices(np.zeros(0, np.int32), np.zeros(0, np.int32), 0, 0, 0)


def prices(found: PlayerPotential | None) -> Prices:
    """Return what boxes and player cost, nothing where there is no potential or the boxes cannot be matched to the goals."""
    if found is None:
        return NONE
    board, ways = found.board, found.ways
    rows = [ways[board.side[box, board.player]].tolist() for box in board.boxes]
    best = assign([[None if way >= FAR else way for way in row] for row in rows])
    if best is None:
        return NONE
    duals = -np.array(best.potentials, np.int64)
    boxes = np.minimum((ways + duals).min(axis=1), NO_WAY).astype(np.int32)
    owed = int(duals.sum()) + found.end
    units = int(boxes[[board.side[box, board.player] for box in board.boxes]].sum())
    start = units + int(found.potential[board.player]) - owed
    return Prices(boxes, np.append(found.potential, 0).astype(np.int32), owed, max(0, -(-start // UNIT)), UNIT)

"""Fill the pattern databases of one direction: dual potentials of the targets, components, costs, interaction penalties."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from types import ModuleType

import numpy as np

from sokoasp.core import progress
from sokoasp.core.kernels.arrays import I2, I4
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.records import Filling, Patterns, Seeds

MOST_BOXES = 62
"""Patterns are masks of 64 bits."""
ROWS = 256
"""Rows of components in the beginning."""
MOST_PATTERNS = 40_000_000
"""Most patterns of one size that get a table."""
SECONDS = 2.0e-9
"""Time a table takes per pattern, square of its size and floor cell, roughly."""
BYTES = 40
"""Memory a table takes per pattern before it is begun, roughly; what it really takes is looked at as it grows."""
QUOTA = 10_000
"""Patterns done between two looks at the clock: some tens of milliseconds."""
WithinLimits = Callable[[float], bool]
"""Asked every few milliseconds, with the MB that the tables in the making are about to take, whether to go on."""


@dataclass(frozen=True, slots=True)
class PatternDatabases:
    """The tables; ``largest`` is 0 where there are none."""

    largest: int
    total: int
    """Sum of the targets' potentials: subtracted once from the sum of the boxes' costs."""
    potential: I4
    """(n+1): dual potential of the target on each cell, 0 elsewhere."""
    arrays: Patterns


def none() -> PatternDatabases:
    """Return empty tables."""
    row, table = np.zeros(1, np.int32), np.zeros((1, 1), np.int32)
    arrays = Patterns(
        row,
        table,
        np.zeros(1, np.int64),
        row,
        row,
        np.zeros((1, 1), np.uint8),
        np.zeros(1, np.int8),
        np.zeros((1, 1), np.uint64),
    )
    return PatternDatabases(0, 0, row, arrays)


def fits(board: PushBoard, largest: int) -> int:
    """Return the size of the largest patterns, at most ``largest``, for which there is a table; 0 if not even pairs have one.

    Patterns of more than three boxes are at most half of all: a table of nearly all boxes is a search of nearly the whole level.
    """
    if board.spare or len(board.boxes) > MOST_BOXES or board.live >= 1 << 10:
        return 0
    size = min(largest, len(board.boxes), max(3, len(board.boxes) // 2))
    while size > 1 and comb(board.live, size) > MOST_PATTERNS:
        size -= 1
    return size if size > 1 else 0


def estimate(board: PushBoard, largest: int) -> tuple[float, float]:
    """Return about how many seconds and how many MB the tables up to this size take while they are filled."""
    patterns = comb(board.live, largest)
    return patterns * largest**2 * board.size * SECONDS, patterns * BYTES / 1e6


def build(
    kernels: ModuleType,
    board: PushBoard,
    dist: I4,
    potentials: I4,
    largest: int,
    *,
    lines: bool,
    reverse: bool,
    within_limits: WithinLimits = lambda megabytes: True,
) -> PatternDatabases:
    """Fill the tables.

    Args:
        kernels: The module ``database_kernels``, loaded.
        board: The level in numbers, without spare boxes.
        dist: (states, boxes): distances of lone boxes to the targets.
        potentials: (boxes): dual potential of each target, not negative.
        largest: Size of the largest patterns.
        lines: Count line pushes.
        reverse: For the reverse search: the targets are the boxes' start cells, with the player on its start side.
        within_limits: See ``WithinLimits``.

    Returns the tables; of the sizes finished only, if ``within_limits`` said no.
    """
    alone = (dist + potentials[None, :]).min(axis=1).astype(np.int32)
    # the bytes of the arrays that are as long as there are patterns
    sizes = [comb(board.live, size) for size in range(1, largest + 1)]
    if not within_limits((8 * sum(sizes) + 8 * ((board.live + 63) // 64) * sum(sizes[:-1])) / 1e6):
        return none()
    work = _Work(kernels, board, alone, largest, within_limits)
    targets, player = (board.boxes, board.player) if reverse else (board.goals, -1)
    size = 2
    while size <= largest:
        with progress.at(f"pattern databases of {size} boxes"):
            if not work.partition(size):
                break
            cost = work.spread(size, *work.seeds(size, targets, potentials, player), lines, reverse)
            if cost is None or not work.penalties(size, cost):
                break
        size += 1
    potential = np.zeros(board.size + 1, np.int32)
    potential[list(targets)] = potentials
    return work.tables(size - 1, potential) if size > 2 else none()


class _Work:
    """Tables in the making: size by size components, costs, penalties."""

    def __init__(
        self, kernels: ModuleType, board: PushBoard, alone: I4, largest: int, within_limits: WithinLimits
    ) -> None:
        self.kernels, self.board, self.alone, self._within_limits = kernels, board, alone, within_limits
        n, live = board.size, board.live
        self.binomial = np.array([[comb(c, q) for q in range(largest + 1)] for c in range(live + 1)], dtype=np.int32)
        self.flat = np.zeros(largest + 2, dtype=np.int64)
        self.flat[2:] = np.cumsum([comb(live, q) for q in range(1, largest + 1)])
        self.row_of, self.first = (np.zeros(int(self.flat[-1]), dtype=np.int32) for _ in range(2))
        self.bits = np.zeros((int(self.flat[largest]), (live + 63) // 64), dtype=np.uint64)
        self.penalty = np.zeros(0, np.int8)
        self.used = np.zeros(2, dtype=np.int64)
        self.rows = np.zeros((ROWS, n + 1), dtype=np.uint8)
        self.slots = np.full(4 * ROWS, -1, dtype=np.int32)
        self.queue = np.zeros(n + 1, dtype=np.int32)
        self.floor = np.zeros((5, n + 1), dtype=np.int32)

    def within_limits(self, more: int = 0) -> bool:
        """Return whether to go on, with these tables and ``more`` further bytes."""
        arrays = (self.row_of, self.first, self.bits, self.penalty, self.rows, self.slots)
        return self._within_limits((sum(array.nbytes for array in arrays) + more) / 1e6)

    def filling(self, cells: I4) -> Filling:
        """Return the tables as the kernels take them, with ``cells`` as the pattern in hand."""
        b, some = self.board, np.zeros_like(cells)
        made = self.slots, self.used, cells, some, self.queue, self.floor
        return Filling(b.neighbour, b.side, self.arrays(), *made)

    def arrays(self) -> Patterns:
        """Return the tables as a bound reads them."""
        found = self.row_of, self.first, self.rows, self.penalty, self.bits
        return Patterns(self.alone, self.binomial, self.flat, *found)

    def partition(self, size: int) -> bool:
        """Find the components around all patterns of a size; False if there was no time or no memory."""
        board, index = self.board, int(self.flat[size])
        cells = np.arange(size, dtype=np.int32)
        while index >= 0:
            full = self.used[0] + 1 >= len(self.rows)
            if not self.within_limits(4 * (self.rows.nbytes + self.slots.nbytes) if full else 0):
                return False
            if full:
                self._enlarge()
            index = self.kernels.partition(size, board.live, index, QUOTA, self.filling(cells))
        return True

    def _enlarge(self) -> None:
        """Make place for four times as many rows."""
        count, width = self.rows.shape
        table = np.zeros((4 * count, width), dtype=np.uint8)
        table[:count] = self.rows
        self.rows = table
        self.slots = np.full(4 * len(self.slots), -1, dtype=np.int32)
        self.kernels.enter_rows(count - 1, width - 1, self.rows, self.slots)

    def seeds(self, size: int, targets: tuple[int, ...], potentials: I4, player: int) -> tuple[I4, I4]:
        """List the patterns of targets with each component the player may end in (all, or that of ``player``), cheapest first."""
        every = itertools.chain.from_iterable(itertools.combinations(range(len(targets)), size))
        chosen = np.fromiter(every, dtype=np.int64).reshape(-1, size)
        cells = np.array(targets, dtype=np.int64)[chosen]
        paid = np.minimum(potentials[chosen].sum(axis=1), self.kernels.FAR - 1)  # a cost has 16 bits
        ranks = sum(self.binomial[cells[:, i], i + 1].astype(np.int64) for i in range(size))
        found = self.rows[self.row_of[self.flat[size] + ranks]]
        if player >= 0:
            seeds = np.column_stack([cells, found[:, player]])
        else:
            counts = found[:, :-1].max(axis=1).astype(np.int64) + 1
            where = np.repeat(np.arange(len(cells)), counts)
            seeds = np.column_stack([cells[where], np.concatenate([np.arange(c) for c in counts])])
            paid = paid[where]
        order = np.argsort(paid, kind="stable")
        return np.ascontiguousarray(seeds[order], dtype=np.int32), np.ascontiguousarray(paid[order], dtype=np.int32)

    def spread(self, size: int, seeds: I4, paid: I4, lines: bool, reverse: bool) -> I2 | None:
        """Return the least cost of every pattern and component; None if there was no time or no memory."""
        board, k = self.board, self.kernels
        count = int(self.used[1]) - int(self.first[self.flat[size]])
        own = seeds.nbytes + paid.nbytes + 10 * count  # costs of 2 bytes, a queue of 8
        if not self.within_limits(own):
            return None
        cost = np.full(count, k.FAR, dtype=np.int16)
        work = Seeds(seeds, paid, cost, np.empty(len(cost), dtype=np.int64), np.zeros(5, np.int64))
        filling, done = self.filling(np.zeros(size, np.int32)), False
        while not done:
            if not self.within_limits(own):
                return None
            done = k.spread(size, board.live, QUOTA, lines, reverse, filling, work)
        return cost

    def penalties(self, size: int, cost: I2) -> bool:
        """Compare all patterns of a size with their parts; False if there was no time or no memory."""
        board, index = self.board, int(self.flat[size])
        if not self.within_limits(cost.nbytes + self.penalty.nbytes + len(cost)):
            return False
        self.penalty = np.concatenate([self.penalty, np.zeros(len(cost), np.int8)])
        filling = self.filling(np.arange(size, dtype=np.int32))
        while index >= 0:
            if not self.within_limits(cost.nbytes):
                return False
            index = self.kernels.penalties(size, board.live, index, QUOTA, cost, filling)
        return True

    def tables(self, largest: int, potential: I4) -> PatternDatabases:
        """Return what is there for sizes up to ``largest``."""
        self.rows.resize((int(self.used[0]), self.rows.shape[1]), refcheck=False)  # no second copy of what may be most
        return PatternDatabases(largest, int(potential.sum()), potential, self.arrays())

"""Tables of what groups of boxes cost, prices of goals included: made by lowering, accepted if nothing can be lowered.

Give every goal a price. An entry (group of boxes alone on the board, player's component) bounds from below what bringing these
boxes to different goals costs plus the prices of those goals. It needs no search to check: it is at most the sum of the prices
where the group stands on goals, and at most 1 more than every entry one push later. Along any plan the entry then falls by 1 a
push at most. Groups that share no box add up, as taking the other boxes away only frees cells.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from types import ModuleType
from typing import Any

import numpy as np

from sokoasp.core import kernels
from sokoasp.core.kernels.arrays import I4, U8, Array
from sokoasp.proof.kernel_records import ITEMS, MOST_ENTRY, NEVER, Floor, Memory, Tables
from sokoasp.proof.level_text import Field
from sokoasp.proof.refusals import Refused
from sokoasp.proof.unpack import Unpacked

MODULES = (
    "sokoasp.proof.kernel_records",
    "sokoasp.proof.group_kernel",
    "sokoasp.proof.bound_kernel",
    "sokoasp.proof.wall_kernel",
    "sokoasp.proof.corral_kernel",
    "sokoasp.proof.closed_kernel",
    "sokoasp.proof.ties_kernel",
)
MOST_GROUPS = 6_000_000
STORED_NEVER = 30_000
"""How NEVER is written in 16 bits: a sign, no number. Larger words mean nothing."""


@dataclass(slots=True)
class GroupBounds:
    """The tables of one level: first of single boxes on all cells, then of groups on the cells where a box can be of use."""

    size: int
    """Floor cells."""
    largest: int
    lines: bool
    floor: Floor
    tables: Tables
    singles: I4
    """Entries of single boxes on all floor cells."""
    groups: list[I4]


def neighbours(level: Field) -> I4:
    """Return (n+1, 4): the cell beside each cell, n for walls."""
    n = level.size
    table = np.array([*level.beside, (n,) * 4], dtype=np.int32)
    table[table < 0] = n
    return table


def build(
    level: Field,
    prices: Sequence[int],
    largest: int,
    *,
    lines: bool,
    stored: bytes | None = None,
    in_time: Callable[[], bool] = lambda: True,
) -> GroupBounds | None:
    """Make the tables, or read stored ones and verify every local inequality in one pass.

    Long: each size builds on the smaller ones, and any of them may end it.

    Args:
        level: The level.
        prices: Price of each goal, in the order of ``level.goals``; not negative.
        largest: Size of the largest groups.
        lines: Count line pushes instead of pushes.
        stored: What ``stored_bytes`` returned; None to make them.
        in_time: Asked now and then whether to go on.

    Returns the tables; None if ``in_time`` said no.

    Raises Refused: a stored entry breaks an inequality, or there are too few or too many.
    """
    kernel = kernels.named(MODULES)["group_kernel"]
    n, words = level.size, _Words(stored)
    work = _Making(kernel, whole(level, prices), lines, in_time)
    alone = work.add(1)
    singles = work.settle(1, alone, words)
    if singles is None:
        return None
    entries = [singles[work.first[c] : work.first[c + 1]] for c in range(n)]
    reachable = [c for c in range(n) if (entries[c] < NEVER).any()]
    work = _Making(kernel, _narrowed(work.floor, reachable), lines, in_time)
    found = []
    for size in range(1, largest + 1):
        if comb(len(reachable), size) > MOST_GROUPS:
            raise Refused(f"there are too many groups of {size} boxes")
        groups = work.add(size)
        values = (
            np.concatenate([entries[c] for c in reachable] or [singles[:0]])
            if size == 1
            else work.settle(size, groups, words)
        )
        if values is None:
            return None
        work.value = np.concatenate([work.value, values.astype(np.int32)])
        work.find_useful(size, groups)
        found.append(groups)
    words.end()
    return GroupBounds(n, largest, lines, work.floor, work.tables(), singles, found)


def whole(level: Field, prices: Sequence[int]) -> Floor:
    """Return the board with all floor cells numbered."""
    every = np.arange(level.size, dtype=np.int32)
    price = np.full(level.size + 1, -1, dtype=np.int32)
    for goal, paid in zip(level.goals, prices, strict=True):
        price[goal] = paid
    return Floor(neighbours(level), every, np.append(every, np.int32(-1)), price)


def _narrowed(floor: Floor, cells: list[int]) -> Floor:
    """Return the board with only these floor cells numbered."""
    floor_of = np.array(cells, dtype=np.int32)
    index_of = np.full(len(floor.beside), -1, dtype=np.int32)
    index_of[floor_of] = np.arange(len(cells), dtype=np.int32)
    return floor._replace(floor_of=floor_of, index_of=index_of)


def scratch(size: int) -> Memory:
    """Return working memory for a board of ``size`` floor cells."""
    eights = np.zeros((3, 8), np.int32)
    items = np.zeros((4, ITEMS + 1), dtype=np.int64)
    return Memory(items, *eights, *np.zeros((2, size + 1), np.int32))


def tables_of(*groups: Array) -> Tables:
    """Return tables of groups, the first arrays of ``Tables``, without learned patterns and fixed boxes."""
    none, pair = np.zeros(0, np.int32), np.zeros((0, 1), np.int32)
    patterns = pair, np.zeros((0, 1), np.uint8), none, none, pair
    return Tables._make((*groups, *patterns, pair, none, np.zeros((0, 1, 1), np.uint16)))


def stored_bytes(bounds: GroupBounds) -> bytes:
    """Return all entries, packed: of single boxes as they are, of larger groups what they add to those, 16 bits each."""
    kernel = kernels.named(MODULES)["group_kernel"]
    parts = [np.where(bounds.singles >= NEVER, STORED_NEVER, bounds.singles).astype("<u2")]
    for size in range(2, bounds.largest + 1):
        base, first = int(bounds.tables.base[size]), bounds.tables.first
        begin, end = int(first[base]), int(first[base + len(bounds.groups[size - 1])])
        sums = np.zeros(end - begin, dtype=np.int32)
        kernel.single_sums(size, bounds.groups[size - 1], bounds.tables, sums)
        value = bounds.tables.value[begin:end]
        parts.append(np.where(value >= NEVER, STORED_NEVER, value - np.minimum(sums, value)).astype("<u2"))
    return lzma.compress(b"".join(part.tobytes() for part in parts), preset=4)


class _Words:
    """The stored entries, taken part by part."""

    def __init__(self, stored: bytes | None) -> None:
        self.file = None if stored is None else Unpacked(stored)

    def take(self, count: int) -> I4 | None:
        """Return the next words, NEVER where that is written; None if there is nothing stored."""
        if self.file is None:
            return None
        data = self.file.take(2 * count)
        if len(data) < 2 * count:
            raise Refused("the tables have too few entries")
        words = np.frombuffer(data, dtype="<u2").astype(np.int32)
        if len(words) and words.max() > STORED_NEVER:
            raise Refused("an entry of the tables is out of range")
        return np.where(words == STORED_NEVER, np.int32(NEVER), words)

    def end(self) -> None:
        if self.file is not None:
            self.file.end()


class _Making:
    """Tables in the making, size by size."""

    def __init__(self, kernel: ModuleType, floor: Floor, lines: bool, in_time: Callable[[], bool]) -> None:
        self.kernel, self.floor, self.lines, self.in_time = kernel, floor, lines, in_time
        self.n, live = len(floor.beside) - 1, len(floor.floor_of)
        choose = [[min(comb(c, q), 1 << 30) for q in range(5)] for c in range(live + 1)]
        self.choose = np.array(choose, dtype=np.int32)
        self.base: list[int] = [0, 0]
        self.first = [0]
        self.row_of = np.zeros(0, dtype=np.int32)
        self.rows = np.zeros((0, self.n + 1), dtype=np.uint8)
        self.value = np.zeros(0, dtype=np.int32)
        self.bits: list[U8] = [np.zeros((0, max(1, (live + 63) // 64)), np.uint64)]
        self.scratch = scratch(self.n)

    def add(self, size: int) -> I4:
        """List the groups of a size by their number and find the components around them."""
        live = len(self.floor.floor_of)
        # colexicographic: under each last cell come all groups of the cells before it
        smaller = np.zeros((1, 0), np.int32)
        for q in range(1, size + 1):
            under = [comb(last, q - 1) for last in range(live)]
            lasts = np.repeat(np.arange(live, dtype=np.int32), under)
            smaller = np.column_stack((np.concatenate([smaller[:count] for count in under] or [smaller[:0]]), lasts))
        groups = np.ascontiguousarray(smaller, dtype=np.int32)
        rows, counts = np.zeros((len(groups), self.n + 1), np.uint8), np.zeros(len(groups), np.int32)
        self.kernel.all_components(size, groups, self.floor, rows, counts, self.scratch)
        start = self.first[-1]
        self.first += (start + np.cumsum(counts)).tolist()
        # no two groups have the same row: it has 255 on the group itself
        self.row_of = np.arange(len(self.rows) + len(groups), dtype=np.int32)
        self.rows = np.concatenate([self.rows, rows])
        self.base.append(self.base[-1] + len(groups))
        return groups

    def tables(self) -> Tables:
        """Return what there is, as the kernels take it."""
        base, first = np.array([*self.base, 0, 0], dtype=np.int64), np.array(self.first, dtype=np.int64)
        entries = self.row_of, self.rows, self.value, np.concatenate(self.bits)
        return tables_of(self.choose, base, first, *entries)

    def settle(self, size: int, groups: Any, words: _Words) -> I4 | None:
        """Take the stored entries of a size and check them, or make them; None if there was no time."""
        whole = self.tables()
        base = self.base[size]
        begin, entries = int(whole.first[base]), int(whole.first[-1] - whole.first[base])
        stored = words.take(entries)
        if stored is not None and size > 1:
            sums = np.zeros(entries, dtype=np.int32)
            self.kernel.single_sums(size, groups, whole, sums)
            finite = np.minimum(stored.astype(np.int64) + sums, MOST_ENTRY)
            stored = np.where((stored == NEVER) | (sums == NEVER), NEVER, finite).astype(np.int32)
        part = whole._replace(
            base=np.zeros_like(whole.base),
            first=np.ascontiguousarray(whole.first[base:] - begin),
            row_of=np.ascontiguousarray(self.row_of[base:]),
        )
        if stored is not None:
            if broken := self._lower(size, groups, part._replace(value=stored), 1):
                raise Refused(f"{broken} entries of the tables of {size} boxes break a local inequality")
            return stored
        part, way = part._replace(value=np.full(entries, NEVER, dtype=np.int32)), 1
        while self._lower(size, groups, part, way):
            if not self.in_time():
                return None
            way = -way
        return part.value

    def _lower(self, size: int, groups: Any, part: Tables, way: int) -> int:
        return int(self.kernel.lower(size, self.lines, way, groups, self.floor, part, self.scratch))

    def find_useful(self, size: int, groups: Any) -> None:
        """Find which groups gain more than their parts, once their entries are in ``value``."""
        words = self.bits[0].shape[1]
        self.bits.append(np.zeros((len(groups), words), np.uint64))
        if size < 2:
            return
        tables = self.tables()
        self.kernel.find_useful(size, groups, tables, self.scratch)
        self.bits = [tables.useful[: len(self.bits[0])], tables.useful[len(self.bits[0]) :]]

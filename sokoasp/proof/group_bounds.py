"""Tables of what groups of boxes cost, prices of goals included: made by lowering, accepted if nothing can be lowered.

Give every goal a price. An entry (group of boxes alone on the board, player's component) bounds from below what bringing these
boxes to different goals costs plus the prices of those goals. It needs no search to check: it is at most the sum of the prices
where the group stands on goals, and at most 1 more than every entry one push later. Along any plan the entry then falls by 1 a
push at most. Groups that share no box add up, as taking the other boxes away only frees cells.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoasp.core import jit
from sokoasp.proof.refusals import Refused
from sokoasp.proof.rows import Field

if TYPE_CHECKING:
    from types import ModuleType

    import numpy.typing as npt

MODULES = ("sokoasp.proof.group_kernel", "sokoasp.proof.closed_kernel")
CHUNK = 4096
MOST_GROUPS = 6_000_000


@dataclass(slots=True)
class GroupBounds:
    """The tables of one level: first of single boxes on all cells, then of groups on the cells where a box can be of use."""

    size: int
    """Floor cells."""
    largest: int
    lines: bool
    beside: npt.NDArray[np.int32]
    price: npt.NDArray[np.int32]
    floor_of: npt.NDArray[np.int32]
    index_of: npt.NDArray[np.int32]
    choose: npt.NDArray[np.int32]
    base: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    row_of: npt.NDArray[np.int32]
    rows: npt.NDArray[np.uint8]
    value: npt.NDArray[np.int32]
    useful: npt.NDArray[np.uint64]
    singles: npt.NDArray[np.int32]
    """Entries of single boxes on all floor cells."""
    groups: list[npt.NDArray[np.int32]] = field(default_factory=list)


def neighbours(level: Field) -> npt.NDArray[np.int32]:
    """Return (n+1, 4): the cell beside each cell, n for walls."""
    n = level.size
    table = np.full((n + 1, 4), n, dtype=np.int32)
    for c, near in enumerate(level.beside):
        table[c] = [n if other < 0 else other for other in near]
    return table


def build(
    level: Field,
    prices: Sequence[int],
    largest: int,
    *,
    lines: bool,
    stored: bytes | None = None,
    going: Callable[[], bool] = lambda: True,
) -> GroupBounds | None:
    """Make the tables, or read stored ones and verify every local inequality in one pass.

    Args:
        level: The level.
        prices: Price of each goal, in the order of ``level.goals``; not negative.
        largest: Size of the largest groups.
        lines: Count line pushes instead of pushes.
        stored: What ``stored_bytes`` returned; None to make them.
        going: Asked now and then whether to go on.

    Returns:
        The tables; None if ``going`` said no.

    Raises:
        Refused: A stored entry breaks an inequality, or there are too few or too many.
    """
    kernel, _ = jit.load(MODULES)
    n = level.size
    beside = neighbours(level)
    price = np.full(n + 1, -1, dtype=np.int32)
    for goal, paid in zip(level.goals, prices, strict=True):
        price[goal] = paid
    words = _Words(stored)
    every = np.arange(n, dtype=np.int32)
    alone = _Part(kernel, n, 1, every, np.append(every, np.int32(-1)), beside)
    singles = alone.settle(kernel, lines, price, words.take(alone.entries), going)
    if singles is None:
        return None
    reachable = [c for c in range(n) if (singles[alone.first[c] : alone.first[c + 1]] < kernel.NEVER).any()]
    floor_of = np.array(reachable, dtype=np.int32)
    index_of = np.full(n + 1, -1, dtype=np.int32)
    index_of[floor_of] = np.arange(len(floor_of), dtype=np.int32)
    tables = _Tables(kernel, n, floor_of, index_of, beside)
    found = []
    for size in range(1, largest + 1):
        if comb(len(floor_of), size) > MOST_GROUPS:
            raise Refused(f"there are too many groups of {size} boxes")
        groups = tables.add(size)
        values = (
            np.concatenate([singles[alone.first[c] : alone.first[c + 1]] for c in reachable] or [singles[:0]])
            if size == 1
            else tables.settle(size, groups, lines, price, words, going)
        )
        if values is None:
            return None
        tables.value = np.concatenate([tables.value, values.astype(np.int32)])
        tables.find_useful(size, groups)
        found.append(groups)
    words.end()
    return GroupBounds(
        n,
        largest,
        lines,
        beside,
        price,
        floor_of,
        index_of,
        tables.choose,
        np.array([*tables.base, 0, 0], dtype=np.int64),
        np.array(tables.first, dtype=np.int64),
        tables.row_of,
        tables.rows,
        tables.value,
        tables.useful(),
        singles,
        found,
    )


def stored_bytes(bounds: GroupBounds) -> bytes:
    """Return all entries, packed: of single boxes as they are, of larger groups what they add to those, 16 bits each."""
    kernel, _ = jit.load(MODULES)
    parts = [bounds.singles.astype("<i2")]
    for size in range(2, bounds.largest + 1):
        begin, end = _entries(bounds, size)
        sums = np.zeros(end - begin, dtype=np.int32)
        tables = (bounds.base, bounds.first, bounds.row_of, bounds.rows, bounds.value)
        kernel.single_sums(bounds.size, size, bounds.groups[size - 1], *tables, sums)
        value = bounds.value[begin:end]
        parts.append(np.where(value >= kernel.NEVER, kernel.NEVER, value - np.minimum(sums, value)).astype("<i2"))
    return lzma.compress(b"".join(part.tobytes() for part in parts), preset=4)


def _entries(bounds: GroupBounds, size: int) -> tuple[int, int]:
    begin = int(bounds.base[size])
    return int(bounds.first[begin]), int(bounds.first[begin + len(bounds.groups[size - 1])])


class _Words:
    """The stored entries, taken part by part."""

    def __init__(self, stored: bytes | None) -> None:
        self.left: npt.NDArray[Any] | None = None
        if stored is not None:
            try:
                text = lzma.decompress(stored)
            except (lzma.LZMAError, EOFError):
                raise Refused("the tables cannot be unpacked") from None
            if len(text) % 2:
                raise Refused("the tables end in the middle of an entry")
            self.left = np.frombuffer(text, dtype="<i2").astype(np.int32)

    def take(self, count: int) -> npt.NDArray[np.int32] | None:
        if self.left is None:
            return None
        if len(self.left) < count:
            raise Refused("the tables have too few entries")
        part, self.left = self.left[:count].copy(), self.left[count:]
        return part

    def end(self) -> None:
        if self.left is not None and len(self.left):
            raise Refused("the tables have too many entries")


class _Part:
    """Single boxes on all floor cells."""

    def __init__(self, kernel: ModuleType, n: int, size: int, floor_of: Any, index_of: Any, beside: Any) -> None:
        self.n, self.floor_of, self.index_of, self.beside = n, floor_of, index_of, beside
        self.groups = np.arange(n, dtype=np.int32).reshape(-1, 1)
        self.rows = np.zeros((n, n + 1), dtype=np.uint8)
        counts = np.zeros(n, dtype=np.int32)
        kernel.all_components(n, 1, self.groups, floor_of, beside, self.rows, counts)
        self.first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self.entries = int(self.first[-1])

    def settle(
        self,
        kernel: ModuleType,
        lines: bool,
        price: Any,
        given: npt.NDArray[np.int32] | None,
        going: Callable[[], bool],
    ) -> npt.NDArray[np.int32] | None:
        choose = np.array([[1, c] for c in range(self.n + 1)], dtype=np.int32)
        row_of = np.arange(self.n, dtype=np.int32)
        return _settled(
            kernel,
            (self.n, 1, lines),
            (self.groups, self.floor_of, self.index_of, self.beside, choose, 0, self.first, row_of, self.rows, price),
            given,
            self.entries,
            going,
        )


def _settled(
    kernel: ModuleType,
    head: tuple[Any, ...],
    middle: tuple[Any, ...],
    given: npt.NDArray[np.int32] | None,
    entries: int,
    going: Callable[[], bool],
) -> npt.NDArray[np.int32] | None:
    """Lower entries until nothing changes; given ones must not be lowered at all."""
    if given is not None:
        if len(given) and (given.max() > kernel.NEVER or given.min() < 0):
            raise Refused("an entry of the tables is out of range")
        broken = kernel.lower(*head, 1, *middle, given)
        if broken:
            raise Refused(f"{broken} entries of the tables of {head[1]} boxes break a local inequality")
        return given
    value = np.full(entries, kernel.NEVER, dtype=np.int32)
    way = 1
    while kernel.lower(*head, way, *middle, value):
        if not going():
            return None
        way = -way
    return value


class _Tables:
    """Tables of groups in the making, size by size."""

    def __init__(self, kernel: ModuleType, n: int, floor_of: Any, index_of: Any, beside: Any) -> None:
        self.kernel, self.n, self.floor_of, self.index_of, self.beside = kernel, n, floor_of, index_of, beside
        live = len(floor_of)
        self.choose = np.array([[comb(c, q) for q in range(7)] for c in range(live + 1)], dtype=np.int64).clip(
            0, 1 << 30
        )
        self.choose = self.choose.astype(np.int32)
        self.base: list[int] = [0, 0]
        self.first = [0]
        self.row_of = np.zeros(0, dtype=np.int32)
        self.known: dict[bytes, int] = {}
        self.rows = np.zeros((0, n + 1), dtype=np.uint8)
        self.value = np.zeros(0, dtype=np.int32)
        self.bits: list[npt.NDArray[np.uint64]] = [np.zeros((0, max(1, (live + 63) // 64)), np.uint64)]

    def add(self, size: int) -> npt.NDArray[np.int32]:
        """List the groups of a size by their number and find the components around them."""
        live = len(self.floor_of)
        flat = np.fromiter((c for group in combinations(range(live), size) for c in group), dtype=np.int32)
        groups = flat.reshape(-1, size)
        groups = np.ascontiguousarray(groups[np.lexsort(groups.T)])
        rows_of, counts_of = [], []
        for begin in range(0, len(groups), CHUNK):
            chunk = groups[begin : begin + CHUNK]
            rows, counts = np.zeros((len(chunk), self.n + 1), np.uint8), np.zeros(len(chunk), np.int32)
            self.kernel.all_components(self.n, size, chunk, self.floor_of, self.beside, rows, counts)
            rows_of += [self.known.setdefault(row.tobytes(), len(self.known)) for row in rows]
            counts_of.append(counts)
        counts = np.concatenate(counts_of) if counts_of else np.zeros(0, np.int32)
        start = self.first[-1]
        self.first += (start + np.cumsum(counts)).tolist()
        self.row_of = np.concatenate([self.row_of, np.array(rows_of, dtype=np.int32)])
        self.rows = np.frombuffer(bytearray(b"".join(self.known)), dtype=np.uint8).reshape(-1, self.n + 1)
        self.base.append(self.base[-1] + len(groups))
        return groups

    def settle(
        self, size: int, groups: Any, lines: bool, price: Any, words: _Words, going: Callable[[], bool]
    ) -> npt.NDArray[np.int32] | None:
        first = np.array(self.first, dtype=np.int64)
        base = self.base[size]
        begin, entries = int(first[base]), int(first[-1] - first[base])
        given = words.take(entries)
        if given is not None:
            sums = np.zeros(entries, dtype=np.int32)
            numbers = np.array([*self.base, 0, 0], dtype=np.int64)
            self.kernel.single_sums(self.n, size, groups, numbers, first, self.row_of, self.rows, self.value, sums)
            given = np.minimum(np.where(given >= self.kernel.NEVER, given, given + sums), self.kernel.NEVER).astype(
                np.int32
            )
        middle = (
            groups,
            self.floor_of,
            self.index_of,
            self.beside,
            self.choose,
            0,
            np.ascontiguousarray(first[base:] - begin),
            np.ascontiguousarray(self.row_of[base:]),
            self.rows,
            price,
        )
        return _settled(self.kernel, (self.n, size, lines), middle, given, entries, going)

    def find_useful(self, size: int, groups: Any) -> None:
        """Find which groups gain more than their parts, once their entries are in ``value``."""
        words = self.bits[0].shape[1]
        self.bits.append(np.zeros((len(groups), words), np.uint64))
        if size < 2:
            return
        useful = np.concatenate(self.bits)
        base = np.array([*self.base, 0, 0], dtype=np.int64)
        self.kernel.find_useful(
            self.n,
            size,
            groups,
            self.floor_of,
            self.choose,
            base,
            np.array(self.first, dtype=np.int64),
            self.row_of,
            self.rows,
            self.value,
            useful,
        )
        self.bits = [useful[: len(self.bits[0])], useful[len(self.bits[0]) :]]

    def useful(self) -> npt.NDArray[np.uint64]:
        return np.concatenate(self.bits)

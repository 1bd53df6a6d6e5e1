"""Walls: boxes that never move again, with what each other box alone costs on the floor without them.

A record is some boxes each of which has a wall or another of them beside it along both axes, a price of each goal that is left,
and an entry for every floor cell that is left and every component of the floor without it and them. Its entries are checked as
those of ``group_bounds``. Where one of the boxes stands on no goal there is no plan, and the record is these boxes alone.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sokoasp.core import kernels
from sokoasp.core.errors import counted
from sokoasp.core.kernels.arrays import I4, U2
from sokoasp.proof import group_bounds
from sokoasp.proof.closed import MOST_BOXES
from sokoasp.proof.folder import MOST_PRICE
from sokoasp.proof.group_bounds import MODULES, STORED_NEVER, GroupBounds
from sokoasp.proof.kernel_records import NEVER, Floor, Tables
from sokoasp.proof.level_text import Field
from sokoasp.proof.refusals import Refused
from sokoasp.proof.unpack import Unpacked

MOST = 50_000_000
"""Records times the square of the floor's cells."""


@dataclass(frozen=True, slots=True)
class Wall:
    """What is said of some fixed boxes."""

    boxes: tuple[int, ...]
    """Floor cells, ascending."""
    prices: tuple[int, ...] = ()
    """Of the other goals in reading order; none if one of the boxes stands on no goal."""
    entries: tuple[int, ...] = ()
    """Of the other floor cells in reading order, for each component around it by its smallest cell; ``STORED_NEVER``: never."""


class WallFloor:
    """The floor without some fixed boxes: single boxes on it, and the components around them."""

    def __init__(self, level: Field, boxes: Sequence[int], lines: bool) -> None:
        self.kernel, n = kernels.named(MODULES)["group_kernel"], level.size
        self.cells = np.array([c for c in range(n) if c not in boxes], dtype=np.int32)
        self.goals = [goal for goal in level.goals if goal not in boxes]
        index_of = np.full(n + 1, -1, dtype=np.int32)
        index_of[self.cells] = np.arange(len(self.cells))
        self.rows, around = np.zeros((len(self.cells), n + 1), np.uint8), np.array([*boxes, 0], np.int32)
        beside, stack = group_bounds.neighbours(level), np.zeros(n + 1, np.int32)
        counts = np.zeros(len(self.cells), np.int64)
        for i, cell in enumerate(self.cells):
            around[-1] = cell
            counts[i] = self.kernel.components(n, len(around), around, beside, self.rows[i], stack)
        self.first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        self.floor, self.lines = Floor(beside, self.cells, index_of, np.full(n + 1, -1, np.int32)), lines

    @property
    def count(self) -> int:
        """Return how many entries there are."""
        return int(self.first[-1])

    def lower(self, prices: Sequence[int | None], value: I4, way: int = 1) -> int:
        """Lower entries in place to what the local inequalities allow; return how many (None: the goal counts for none)."""
        self.floor.price[:] = -1
        for goal, price in zip(self.goals, prices, strict=True):
            self.floor.price[goal] = -1 if price is None else price
        live, zero = len(self.cells), np.zeros(2, np.int64)
        choose = np.array([[1, c, 0, 0, 0] for c in range(live + 1)], np.int32)
        alone = np.arange(live, dtype=np.int32)
        useful = np.zeros((1, 1), np.uint64)
        tables = group_bounds.tables_of(choose, zero, self.first, alone, self.rows, value, useful)
        scratch = group_bounds.scratch(len(self.rows[0]) - 1)
        return int(self.kernel.lower(1, self.lines, way, alone[:, None], self.floor, tables, scratch))

    def at(self, cell: int, player: int) -> int:
        """Return the place of the entry of a box on a cell, the player on another."""
        index = int(self.floor.index_of[cell])
        return int(self.first[index]) + int(self.rows[index, player])


class WallList:
    """The records of a list of states, and the arrays by which its bounds look them up."""

    def __init__(self, level: Field, bounds: GroupBounds, prices: Sequence[int]) -> None:
        self.level, self.bounds, self.paid = level, bounds, sum(prices)
        self.walls: list[Wall] = []
        self._among: list[U2] = []

    @property
    def full(self) -> bool:
        """Return whether there may be no more records."""
        return (len(self.walls) + 1) * self.level.size**2 > MOST

    def add(self, wall: Wall) -> None:
        """Add a record once it has been checked; Refused if it does not hold."""
        level, code, floor = self.level, kernels.named(MODULES), self.bounds.floor
        if self.full:
            raise Refused("there are too many")
        boxes, flag = np.array(wall.boxes, np.int32), np.zeros(level.size + 1, np.uint8)
        if not wall.boxes or code["wall_kernel"].fix(boxes, floor.beside, flag) < len(boxes):
            raise Refused(f"boxes of record {len(self.walls) + 1} may move")
        among = np.full((len(floor.floor_of), level.size + 1), STORED_NEVER, np.uint16)
        if set(wall.boxes) <= set(level.goals):
            lone, said = WallFloor(level, wall.boxes, self.bounds.lines), np.array(wall.entries, np.int32)
            value = np.where(said == STORED_NEVER, NEVER, said).astype(np.int32)
            if broken := lone.lower(wall.prices, value):
                raise Refused(
                    f"{counted(broken, 'entries')} of record {len(self.walls) + 1}: more than a local inequality allows"
                )
            for i, cell in enumerate(lone.cells):
                index, there = floor.index_of[cell], lone.rows[i] < 255
                if index >= 0:
                    among[index, there] = said[lone.first[i] + lone.rows[i][there]]
        self.walls.append(wall)
        self._among.append(among)

    def index(self, tables: Tables) -> Tables:
        """Return the tables with the records."""
        floor, goals, walls = self.bounds.floor, set(self.level.goals), self.walls
        most = max((len(w.boxes) for w in walls), default=1)
        fixed, less = np.full((len(walls), most), -1, np.int32), np.full(len(walls), NEVER, np.int32)
        for at, wall in enumerate(walls):
            fixed[at, : len(wall.boxes)] = floor.index_of[list(wall.boxes)]
            if set(wall.boxes) <= goals:
                less[at] = self.paid - sum(wall.prices)
        among = np.array(self._among, np.uint16).reshape(len(walls), len(floor.floor_of), self.level.size + 1)
        return tables._replace(fixed=fixed, less=less, among=among)

    def write(self, path: Path) -> None:
        """Write the records, compressed: bits of the boxes, prices, entries, 16 bits each."""
        out, width = bytearray(), (len(self.bounds.floor.floor_of) + 7) // 8
        for wall in self.walls:
            bits = sum(1 << int(self.bounds.floor.index_of[cell]) for cell in wall.boxes)
            out += bits.to_bytes(width, "little") + np.array((*wall.prices, *wall.entries), "<u2").tobytes()
        path.write_bytes(lzma.compress(bytes(out), preset=4))

    def read(self, path: Path) -> None:
        """Read such a file, each record as it comes; Refused if it is none, or a record does not hold."""
        file, floor_of = Unpacked(path), self.bounds.floor.floor_of
        while head := file.take((len(floor_of) + 7) // 8):
            bits = int.from_bytes(head, "little")
            if len(head) < (len(floor_of) + 7) // 8 or bits >> len(floor_of):
                raise Refused("a box stands on a cell that there is not")
            boxes = tuple(int(cell) for i, cell in enumerate(floor_of) if bits >> i & 1)
            # no state has more, and a byte would not tell the components around them apart
            if len(boxes) > MOST_BOXES:
                raise Refused(f"record {len(self.walls) + 1} has more than {MOST_BOXES} boxes")
            prices, entries = (), ()
            if set(boxes) <= set(self.level.goals):
                lone = WallFloor(self.level, boxes, self.bounds.lines)
                said = file.take(2 * (len(lone.goals) + lone.count))
                words: Any = np.frombuffer(said[: len(said) // 2 * 2], "<u2").tolist()
                prices, entries = tuple(words[: len(lone.goals)]), tuple(words[len(lone.goals) :])
                if len(entries) < lone.count or max(words) > STORED_NEVER or max(prices, default=0) > MOST_PRICE:
                    raise Refused(f"record {len(self.walls) + 1} ends too soon, or is out of range")
            self.add(Wall(boxes, prices, entries))

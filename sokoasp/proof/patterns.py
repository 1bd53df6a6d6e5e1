"""Learned patterns: what larger sets of boxes cost, each shown by a closed list of what these boxes can do alone.

A record is some boxes, the player's region and what the boxes cost at least, prices included, or that they can never all come to
goals. It needs no search to check: it is at most the prices where all of them stand on goals, and at most 1 more than what every
push leads to, which is a record or has a bound by tables and patterns of disjoint boxes. Records that are packed into bounds are
marked; the others are there for these.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sokoasp.core.kernels.arrays import U1, U8
from sokoasp.proof.closed import Claim, ClosedList
from sokoasp.proof.group_bounds import GroupBounds
from sokoasp.proof.kernel_records import NEVER, Tables
from sokoasp.proof.records import packed_records, records
from sokoasp.proof.refusals import Refused

PACKED = 1 << 15
"""Added to the word of a record that is packed into bounds."""
TOP = 30_000
"""How *never* is written; a record that costs at least x has the cost TOP - x in the list."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is said of some boxes alone on the board."""

    boxes: tuple[int, ...]
    """Floor cells."""
    player: int
    """Any cell of the player's region."""
    least: int | None
    """What they cost at least, prices of their goals included; None: they can never all come to goals."""


class PatternList(ClosedList):
    """The records and their check; ``tables`` are those of the groups and, once there are any, of the marked records."""

    def __init__(self, claim: Claim, bounds: GroupBounds) -> None:
        super().__init__(claim, bounds)
        self.p.claimed_cost, self.p.paid, self.p.patterns = TOP, 0, 1
        self.p.objective = int(claim.objective == "lines")
        self.marked = np.zeros(0, dtype=np.bool_)
        self.never = TOP - NEVER

    def key_of(self, pattern: Pattern) -> U8 | None:
        """Return the key of a pattern, None if one of its boxes can never be of use."""
        key = self._key(pattern.boxes)
        if key is not None:
            row = self._around(pattern.boxes)
            key[self.words] = int(np.flatnonzero(row == row[pattern.player])[0])
        return key

    def _around(self, cells: Sequence[int]) -> U1:
        n = self.claim.field.size
        row, boxes = np.zeros(n + 1, np.uint8), np.array(cells, np.int32)
        self.group.components(n, len(boxes), boxes, self.floor.beside, row, self.scratch.stack)
        return row

    def index(self) -> None:
        """Enter the marked records into the tables."""
        live, chosen = len(self.floor_of), np.flatnonzero(self.marked)
        bits = np.ascontiguousarray(self.keys[chosen, : self.words]).view(np.uint8)
        members = [np.flatnonzero(row) for row in np.unpackbits(bits, axis=1, bitorder="little")]
        width = max((len(some) for some in members), default=1)
        table, inside = (
            np.full((len(chosen), width), -1, np.int32),
            np.zeros((len(chosen), self.claim.field.size + 1), np.uint8),
        )
        follow, heads = np.full(len(chosen), -1, np.int32), np.full((live, live), -1, np.int32)
        often = np.zeros((live, live), np.int64)
        for at, cells in enumerate(members):
            table[at, : len(cells)] = cells
            row = self._around(self.floor_of[cells].tolist())
            inside[at] = row == row[int(self.keys[chosen[at], self.words])]
            # kept under the pair of its cells that has fewest so far, to be looked up seldom
            under = min(
                ((int(b), int(a)) for i, b in enumerate(cells) for a in cells[:i]), key=lambda pair: often[pair]
            )
            often[under] += 1
            follow[at], heads[under] = heads[under], at
        least = np.where(self.cost[chosen] < 0, NEVER, TOP - self.cost[chosen]).astype(np.int32)
        self.tables: Tables = self.tables._replace(
            members=table, inside=inside, least=least, follow=follow, heads=heads
        )

    def verify(self) -> None:
        """Check the records; Refused if one of them does not hold."""
        if self.check():
            raise Refused(f"record {self.p.next + 1} says more than a push from it allows")

    def write(self, path: Path) -> None:
        """Write the records, compressed: as those of a list of states, what is said in place of the cost."""
        said = np.where(self.cost[: self.count] < 0, TOP, TOP - self.cost[: self.count]) + PACKED * self.marked
        with lzma.open(path, "wb", preset=2) as out:
            out.write(packed_records(self.keys[: self.count], len(self.floor_of), said))

    def read(self, path: Path) -> None:
        """Read such a file and enter what is marked into tables; Refused if it is none, or a record is no pattern."""
        marked = [self.marked]
        for keys, word in records(path, len(self.floor_of), self.words):
            said = word & (PACKED - 1)
            if (said > TOP).any():
                raise Refused("a record of the learned patterns is out of range")
            bits = np.unpackbits(np.ascontiguousarray(keys[:, : self.words]).view(np.uint8), axis=1).sum(axis=1)
            if ((bits < 2) | (bits > len(self.claim.boxes))).any():
                raise Refused("a learned pattern has one box, or too many")
            self.enter(keys, np.where(said == TOP, self.never, TOP - said).astype(np.int32))
            marked.append(word >= PACKED)
        self.marked = np.concatenate(marked)
        self.index()

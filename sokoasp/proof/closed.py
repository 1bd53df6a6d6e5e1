"""Closed lists: every state that a cheaper plan could pass through, so that one pass over them shows that there is none.

A list of states, each with what it costs at most to get there (its number of actions). It shows that no plan takes fewer than V
actions if the start is in it with 0; no state of it is solved with fewer than V; and every successor of a state either is in the
list, with at most one action more, or reaches V with the actions it still needs by the tables of ``group_bounds``. With V
infinite the level is unsolvable. Nothing is searched: the order of the list and how it was found do not matter.

Pushes: all plans have V's parity (each push changes the sum of the boxes' coordinates by one), so V-1 is as good as V.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from sokoasp.core import kernels
from sokoasp.core.kernels.arrays import I4, U8
from sokoasp.proof import group_bounds
from sokoasp.proof.folder import TIES
from sokoasp.proof.group_bounds import MODULES, GroupBounds
from sokoasp.proof.kernel_records import NEVER, Corral, Fault, InHand, Listed, Pass, Tables
from sokoasp.proof.level_text import Field
from sokoasp.proof.records import CHUNK, packed_records, records
from sokoasp.proof.refusals import Refused

ENDLESS = 1 << 30
"""Stands for V of an unsolvable level."""
OBJECTIVES = ("pushes", "lines", "moves", TIES)
MOST_BOXES = 60
TURN = 20_000
"""States that a kernel looks at between two looks at clock and Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a closed list is about.

    ``boxes`` are all boxes, or for an unsolvable level some of them, the others being taken away. ``prices`` belong to the
    goals in reading order. ``value`` is None for an unsolvable level.
    """

    field: Field
    objective: str
    value: int | None
    boxes: tuple[int, ...]
    prices: tuple[int, ...]
    largest: int
    """Boxes of the largest groups in the tables, 0 without tables."""
    moves: int | None = None
    """Of a tie-break: ``value`` counts its pushes, this its moves."""

    def __post_init__(self) -> None:
        """Check claim and level together; ``folder`` has checked the claim alone. Raises Refused."""
        every, goals = self.field.boxes, self.field.goals
        if not 0 < len(self.boxes) <= MOST_BOXES or sorted(set(self.boxes) & set(every)) != sorted(self.boxes):
            raise Refused(f"the claim speaks of no box, of more than {MOST_BOXES}, or of boxes that are not there")
        if len(self.prices) != len(goals):
            raise Refused("the prices are not one for each goal")
        if len(every) != len(goals) and (self.largest or len(self.boxes) < len(every)):
            raise Refused("tables, and boxes that are taken away, need as many goals as boxes")

    @property
    def claimed_cost(self) -> int:
        """Return the cost from which nothing need be shown; of a tie-break the pushes, whatever the moves are."""
        if self.value is None:
            return ENDLESS
        if self.objective == TIES:
            return self.value + 1
        return self.cost_to_refute if self.objective == "pushes" else self.value

    @property
    def cost_to_refute(self) -> int:
        """Return how many pushes must be shown to be needed: one less than claimed if parity shows the rest."""
        return int(self.value or 0) - (len(self.boxes) == len(self.field.goals))

    @property
    def by_cell(self) -> bool:
        """Return whether states differ by the player's cell, not only by its region."""
        return self.objective in ("moves", TIES)

    @property
    def goals_to_fill(self) -> int:
        """Return on how many goals boxes must stand: all goals, or as many as boxes are left."""
        return min(len(self.boxes), len(self.field.goals))


class ClosedList:
    """The list and its check."""

    columns: ClassVar[int] = 1
    """Numbers of a record."""

    def __init__(self, claim: Claim, bounds: GroupBounds | None, corrals: bool = False) -> None:
        if corrals and (claim.objective == "moves" or len(claim.field.boxes) != len(claim.field.goals)):
            raise Refused("corrals need pushes or lines, and as many goals as boxes")
        self.claim = claim
        code = kernels.named(MODULES)
        self.group, self.closed, self.bounding = (
            code[name] for name in ("group_kernel", "closed_kernel", "wall_kernel")
        )
        n, k = claim.field.size, len(claim.boxes)
        self.floor = group_bounds.whole(claim.field, claim.prices) if bounds is None else bounds.floor
        self.floor_of, self.index_of = self.floor.floor_of, self.floor.index_of
        self.words = max(1, (len(self.floor_of) + 63) // 64)
        self.tables: Tables = _no_tables() if bounds is None else bounds.tables
        self.keys = np.zeros((1024, self.words + 1), dtype=np.uint64)
        self.cost = np.zeros(1024, dtype=np.int32)
        self.slots = np.full(4096, -1, dtype=np.int32)
        self.scratch = group_bounds.scratch(n)
        goal, row, after = np.zeros((3, n + 1), dtype=np.uint8)
        goal[list(claim.field.goals)] = 1
        boxes = np.zeros((3, k), dtype=np.int32)
        self.hand = InHand._make((*boxes, np.zeros(self.words + 1, np.uint64), goal, row, after))
        self.corral = Corral(
            np.zeros(256, np.uint8), np.zeros(n + 1, np.uint8), np.zeros(k, np.int32), np.full((1, 1), -1, np.int32)
        )
        self.p = Pass(
            floor_cells=n,
            boxes=k,
            claimed_cost=claim.claimed_cost,
            largest=claim.largest,
            paid=sum(claim.prices),
            objective=min(OBJECTIVES.index(claim.objective), 2),
            goals_to_fill=claim.goals_to_fill,
            corrals=corrals,
            cost_to_refute=claim.cost_to_refute,
            claimed_pushes=claim.value or 0,
            claimed_moves=claim.moves or 0,
        )

    @property
    def count(self) -> int:
        """Return how many states are in the list."""
        return self.p.count

    def start(self) -> U8 | None:
        """Return the key of the start, None if a box stands where it can never be of use, which shows that there is no plan."""
        key, field = self._key(self.claim.boxes), self.claim.field
        if key is not None:
            key[self.words] = field.player if self.claim.by_cell else min(field.region(self.claim.boxes))
        return key

    def _key(self, boxes: tuple[int, ...]) -> U8 | None:
        """Return the key of some boxes without the player, None if one of them can never be of use."""
        key = np.zeros(self.words + 1, dtype=np.uint64)
        for index in self.index_of[list(boxes)].tolist():
            if index < 0:
                return None
            key[index >> 6] |= np.uint64(1) << np.uint64(index & 63)
        return key

    def start_bound(self) -> int:
        """Return the bound of the start; without tables 1 if it is not solved."""
        key = self.start()
        if key is None:
            return ENDLESS
        if not self.claim.largest:
            return int(len(set(self.claim.boxes) & set(self.claim.field.goals)) < self.claim.goals_to_fill)
        boxes = np.array(sorted(int(self.index_of[box]) for box in self.claim.boxes), dtype=np.int32)
        k, largest, paid = len(boxes), self.claim.largest, sum(self.claim.prices)
        at_most = self.claim.claimed_cost + paid
        least = int(
            self.bounding.best_bound(k, largest, boxes, int(key[self.words]), at_most, self.tables, self.scratch)
        )
        return ENDLESS if least >= NEVER else least - paid

    def start_passed(self) -> bool:
        """Return whether the bound of the start shows what is claimed: the start need not be in the list."""
        return self.start() is None or self.start_bound() >= self.claim.claimed_cost

    def is_first(self, place: int) -> bool:
        """Return whether what the list says of a state is what the start costs."""
        return place >= 0 and self.cost[place] == 0

    def append(self, keys: U8, *numbers: I4) -> None:
        """Add states to the list, with what it says of them: here their costs; Refused if a state is in it twice."""
        before, after = self.count, self.count + len(keys)
        self.make_room(after)
        self.keys[before:after] = keys
        self.cost[before:after] = numbers[0]
        self.p.count = after
        if self.closed.enter(before, after, self.keys, self.slots) >= 0:
            raise Refused("a state is in the list twice")

    def make_room(self, least: int) -> None:
        """Make room for so many states."""
        if least + 2 < len(self.cost) and 2 * least + 4 < len(self.slots):
            return
        room = 2 * least + 1024
        keys, cost = np.zeros((room, self.words + 1), np.uint64), np.zeros(room, np.int32)
        keys[: self.count], cost[: self.count] = self.keys[: self.count], self.cost[: self.count]
        size = 4096
        while size < 2 * room + 4:
            size *= 2
        self.keys, self.cost, self.slots = keys, cost, np.full(size, -1, dtype=np.int32)
        if self.p.corrals:
            areas = np.full((room, self.corral.areas.shape[1]), -1, np.int32)
            areas[: self.count] = self.corral.areas[: self.count]
            self.corral = self.corral._replace(areas=areas)
        self.closed.enter(0, self.count, self.keys, self.slots)

    @property
    def states(self) -> Listed:
        """Return the list as the kernels take it."""
        return Listed(self.keys, self.cost, self.slots)

    def _turn(self) -> int:
        parts = self.p, self.floor, self.states, self.tables, self.hand
        return int(self.closed.check(*parts, self.corral, self.scratch))

    def check(self) -> int:
        """Look at all records; return the fault of the one at ``p.next``, 0 if there is none."""
        p = self.p
        p.next = p.action = 0
        while p.next < p.count:  # in turns: Ctrl-C waits for the end of one
            p.end = min(p.count, p.next + TURN)
            if fault := self._turn():
                return fault
        return 0

    def verify(self) -> None:
        """Check the list; Refused if it does not show what is claimed."""
        if not self.start_passed():
            slot = int(self.closed.slot_of(self.start(), self.keys, self.slots))
            if not self.is_first(int(self.slots[slot])):
                raise Refused("the start is not in the list, and not bounded")
        p = self.p
        if fault := self.check():
            why = {
                Fault.OPEN: "has a successor that is neither in the list nor bounded",
                Fault.SOLVED: f"is solved, with {int(self.cost[p.next])} actions",
                Fault.LONGER: "has a successor that is in the list with too many actions",
                Fault.BARRED: "has a corral that is none",
            }
            raise Refused(f"state {p.next + 1} of the list {why[Fault(fault)]}")

    def write(self, path: Path) -> None:
        """Write the list, compressed: for each state the bits of its boxes, the player's cell and the cost, 16 bits each."""
        with lzma.open(path, "wb", preset=2) as out:
            for begin in range(0, self.count, CHUNK):
                end = min(self.count, begin + CHUNK)
                out.write(packed_records(self.keys[begin:end], len(self.floor_of), *self.numbers(begin, end)))

    def numbers(self, begin: int, end: int) -> tuple[I4, ...]:
        """Return what records say of some states, number by number: here their costs."""
        return (self.cost[begin:end],)

    @property
    def areas(self) -> I4:
        """Return (states, width): by state a cell of each component of its corral's area, -1 behind them."""
        return self.corral.areas[: self.count]

    def bar(self, areas: I4) -> None:
        """Take the areas of all states: only the pushes that their corrals allow need be shown."""
        self.corral = self.corral._replace(areas=areas)

    def read(self, path: Path) -> None:
        """Read such a file; Refused if it is none, or a record is no state."""
        for keys, *numbers in records(path, len(self.floor_of), self.words, self.columns):
            bits = np.unpackbits(np.ascontiguousarray(keys[:, : self.words]).view(np.uint8), axis=1).sum(axis=1)
            if (bits != len(self.claim.boxes)).any():
                raise Refused("a state of the list has another number of boxes")
            self.enter(keys, *numbers)

    def enter(self, keys: U8, *numbers: I4) -> None:
        """Add records that were read; Refused if a player is on a box or off the floor, or a record is there twice."""
        player = keys[:, self.words]
        if (player >= self.claim.field.size).any():
            raise Refused("a state of the list has its player off the floor")
        index = self.index_of[player.astype(np.int64)]
        word = keys[np.arange(len(keys)), index.clip(0) >> 6] >> (index & 63).astype(np.uint64)
        if ((index >= 0) & ((word & np.uint64(1)) > 0)).any():
            raise Refused("a state of the list has its player on a box")
        self.append(keys, *numbers)


def _no_tables() -> Tables:
    small, one = np.zeros((1, 1), np.int32), np.zeros(1, np.int64)
    rows, useful = np.zeros((1, 1), np.uint8), np.zeros((1, 1), np.uint64)
    return group_bounds.tables_of(small, one, one, small[0], rows, small[0], useful)
